"""Review documents in a real browser against the real service, and compare with the shell.

    python -m benchmarks.review_page [--axe axe.min.js]

Starts ``presidio-cdip serve``, drives its page in Chromium, and prints:

* **mouse**, **keyboard**: for each format whether a document was uploaded, reviewed (one finding
  rejected, one accepted, a replacement typed), and downloaded; by clicks, and by keys alone.
* **same bytes**: whether ``presidio-cdip redact --review`` with the review file of the page gives
  what the page gave.
* **keys for 40 findings**: key presses until all findings of a text with 40 are decided.
* **first page s**: from the choice of a PDF file of 100 pages until its first page is on screen.
* **memory MB**: the most while that file was open, of the service and its children: one that has
  just started, and one that has read all documents of the first table before. The proportional
  share (PSS in ``/proc/PID/smaps_rollup``) of each process is added up, every half second (Linux).
* **interaction ms**: median and most of the time from a key until a decision is on screen, in a
  text with 5,000 findings.
* **20 uploads**: answers that are no error, and documents that became ready.
* **elsewhere**: requests of the page to other hosts; **weight kB**: of the page.
* **values in logs**: planted values in all that the service wrote; **files left**: of the service
  in the folder for temporary files after it was killed and started again, and ended.
* **axe**: findings of axe-core, by impact, if its file is given (``npm pack axe-core``).

Needs the extras ``[service,image,documents]``, playwright, and Chromium of the system.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import click

from benchmarks.documents_plants import BODY, NAME, SSN, plants
from benchmarks.documents_speed import pdf
from benchmarks.quality import header, print_facts, print_markdown, print_table

ROOT = Path(__file__).parents[1]
CHROMIUM = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE = 120
KEY = "a key for this benchmark alone, not secret"
READY = "!document.querySelector('#download').disabled && !!document.querySelector('#list .row')"
LINE = "Ann Lee, Soc. Sec. No. {}-24-{:04d}, is divorced.\n"


class Service:
    """``presidio-cdip serve`` in a process of its own.

    Attributes:
        address: Where it answers.
        written: All that it wrote.
    """

    def __init__(self, folder: Path, temporary: Path) -> None:
        """Start it, with its temporary files in *temporary*."""
        self.key = folder / "key"
        self.key.write_text(KEY)
        self.key.chmod(0o600)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.written = b""
        command = [sys.executable, "-m", "presidio_cdip", "serve", "--no-browser"]
        self.process = subprocess.Popen(
            [*command, "--port", str(port), "--key-file", str(self.key)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
        threading.Thread(target=self._listen, daemon=True).start()
        self._reached()

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.written += line

    def _reached(self) -> None:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(self.address, timeout=10).close()
                return
            except (urllib.error.URLError, ConnectionError):
                if self.process.poll() is not None or time.monotonic() > until:
                    raise click.ClickException("the service did not start") from None
                time.sleep(0.05)

    def memory(self) -> float:
        """Return the memory of the service and all its children, in MB."""
        children: dict[int, list[int]] = {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
        waiting, total = [self.process.pid], 0.0
        while waiting:
            one = waiting.pop()
            waiting += children.get(one, [])
            total += _own(one)
        return total

    def forget(self) -> None:
        """Remove all documents, of which a page would open the first."""
        import httpx

        own = {"Origin": self.address}
        api = f"{self.address}/api/v1/documents"
        for one in httpx.get(api).json()["documents"]:
            httpx.delete(f"{api}/{one['id']}", headers=own).raise_for_status()

    def end(self, how: int = signal.SIGTERM) -> None:
        """End it by a signal."""
        self.process.send_signal(how)
        self.process.wait(30)


def _own(process: int) -> float:
    """Return the proportional share of memory of a process, in MB."""
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
    return int(found[1]) / 1e3 if found else 0.0


@contextmanager
def browser() -> Iterator[Any]:
    """Yield Chromium."""
    with import_module("playwright.sync_api").sync_playwright() as made:
        opened = made.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


def documents() -> Iterator[tuple[str, bytes]]:
    """Yield a document of each format, by its file name."""
    text = f"{BODY}\nShe is divorced, and her SSN {SSN} is on file.\n"
    yield "note.txt", text.encode()
    seen = set()
    for plant in plants():
        if plant.format not in seen and not plant.options:
            seen.add(plant.format)
            yield f"{plant.format}.{plant.suffix.lstrip('.')}", plant.build(BODY)
    yield "scan.png", (ROOT / "examples" / "personnel_page.png").read_bytes()


class Page:
    """The review page in a tab of its own."""

    def __init__(self, opened: Any, service: Service) -> None:
        """Open the page."""
        self._context = opened.new_context(accept_downloads=True)
        self.page = self._context.new_page()
        self.elsewhere: list[str] = []
        self.weight = 0
        self._address = service.address
        service.forget()
        self.page.on("filechooser", lambda _: None)  # taken over from now on, not some time later
        self.page.on("request", self._asked)
        self.page.on("response", self._answered)
        self.page.goto(service.address)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self._address, "blob:", "data:")):
            self.elsewhere.append(request.url)

    def _answered(self, response: Any) -> None:
        if "/api/" not in response.url and response.url.startswith(self._address):
            self.weight += int(response.headers.get("content-length", 0))

    def close(self) -> None:
        """Close the tab."""
        self._context.close()

    def until(self, condition: str) -> None:
        """Wait until *condition* holds in the page; its policy forbids it to evaluate texts."""
        until = time.monotonic() + PATIENCE
        while not self.page.evaluate(condition):
            if time.monotonic() > until:
                raise TimeoutError(condition)
            self.page.wait_for_timeout(50)

    def upload(self, file: Path, keys: bool = False) -> None:
        """Choose a file, and wait until it was read."""
        with self.page.expect_file_chooser() as chosen:
            if keys:
                self.page.locator("#add").focus()
                self.page.keyboard.press("Enter")
            else:
                self.page.locator("#add").click()
        chosen.value.set_files(file)
        self.until(READY)

    def review(self, keys: bool) -> None:
        """Reject the first finding, accept the second, and type what replaces the third."""
        page = self.page
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("j") if keys else page.locator("#list .row").first.click()
        page.wait_for_selector("#inspector:not([hidden])")
        self._decide("r" if keys else "#reject", keys)
        self._decide("a" if keys else "#accept", keys)
        if keys:
            page.keyboard.press("e")
        else:
            page.locator("#surrogate").click()
        page.keyboard.press("Control+a")
        page.keyboard.type("typed by hand")
        with page.expect_response(lambda one: one.request.method == "PATCH"):
            page.keyboard.press("Enter")
        page.keyboard.press("Escape")

    def _decide(self, how: str, keys: bool) -> None:
        with self.page.expect_response(lambda one: one.request.method == "PATCH"):
            self.page.keyboard.press(how) if keys else self.page.locator(how).click()

    def download(self, target: Path, keys: bool) -> None:
        """Take the redacted document away."""
        with self.page.expect_download(timeout=PATIENCE * 1000) as taken:
            self.page.keyboard.press("d") if keys else self.page.locator("#download").click()
        taken.value.save_as(target)

    def save_review(self, target: Path) -> None:
        """Save the review file."""
        self.page.locator("#more summary").click()
        with self.page.expect_download() as taken:
            self.page.locator("#save-review").click()
        taken.value.save_as(target)
        self.page.locator("#more summary").click()


def flow(opened: Any, service: Service, file: Path, keys: bool) -> tuple[str, str]:
    """Review a document; return whether it went through, and whether the shell does the same."""
    tab = Page(opened, service)
    made, kept = file.with_name(f"page-{file.name}"), file.with_name(f"{file.name}.review.json")
    try:
        tab.upload(file, keys)
        tab.review(keys)
        tab.download(made, keys)
        tab.save_review(kept)
    except Exception as error:
        return f"no: {str(error).splitlines()[0][:60]}", ""
    finally:
        tab.close()
    out = file.with_name("shell") / file.name
    command = [sys.executable, "-m", "presidio_cdip", "redact", str(file), "-o", str(out)]
    out.parent.mkdir(exist_ok=True)
    subprocess.run(
        [*command, "--review", str(kept), "--key-file", str(service.key)],
        check=False,
        capture_output=True,
    )
    same = out.exists() and out.read_bytes() == made.read_bytes()
    typed = NAME in file.read_text("latin-1") or made.read_bytes() != file.read_bytes()
    return ("yes" if typed else "unchanged"), ("yes" if same else "no")


def keys_for_all(opened: Any, service: Service, folder: Path) -> int:
    """Return the key presses after which all of 40 findings are decided."""
    file = folder / "forty.txt"
    file.write_text("".join(LINE.format(200 + number, number + 1) for number in range(20)))
    tab = Page(opened, service)
    tab.upload(file)
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.keyboard.press("j")
    pressed = 1
    decided = "document.querySelector('#decided').value >= document.querySelector('#decided').max"
    while not tab.page.evaluate(decided) and pressed < 200:
        with tab.page.expect_response(lambda one: one.request.method == "PATCH"):
            tab.page.keyboard.press("a")
        pressed += 1
        tab.page.wait_for_timeout(50)
    tab.close()
    return pressed


def first_page(opened: Any, service: Service, folder: Path) -> tuple[float, float]:
    """Return seconds until a page of a long PDF shows, and the most memory until it was read."""
    file = folder / "long.pdf"
    file.write_bytes(pdf(100))
    tab = Page(opened, service)
    with tab.page.expect_file_chooser() as chosen:
        tab.page.locator("#add").click()
    start = time.monotonic()
    chosen.value.set_files(file)
    tab.until("[...document.querySelectorAll('#viewer img')].some(one => one.naturalWidth > 0)")
    seconds = time.monotonic() - start
    most = 0.0
    until = time.monotonic() + PATIENCE
    while not tab.page.evaluate(READY) and time.monotonic() < until:
        most = max(most, service.memory())
        tab.page.wait_for_timeout(500)
    most = max(most, service.memory())
    tab.close()
    return seconds, most


_WATCH = """() => new Promise(done => {
  const at = document.querySelector('#at').textContent;
  const start = performance.now();
  const look = () => document.querySelector('#at').textContent === at
    ? requestAnimationFrame(look) : requestAnimationFrame(() => done(performance.now() - start));
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', bubbles: true}));
  look();
})"""


def interaction(opened: Any, service: Service, folder: Path) -> list[float]:
    """Return the milliseconds of decisions among 5,000 findings."""
    file = folder / "many.txt"
    lines = [LINE.format(100 + number // 5, number % 9000 + 1) for number in range(2500)]
    file.write_text("".join(lines))
    tab = Page(opened, service)
    tab.upload(file)
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.keyboard.press("j")
    tab.page.wait_for_selector("#inspector:not([hidden])")
    times = [tab.page.evaluate(_WATCH) for _ in range(30)]
    tab.close()
    return times


def uploads(service: Service) -> tuple[int, int]:
    """Send 20 documents at once; return how many were taken, and how many became ready."""
    import httpx

    def send(number: int) -> str:
        text = LINE.format(300 + number, number + 1).encode()
        answer = httpx.post(
            f"{service.address}/api/v1/documents",
            files={"file": (f"{number}.txt", text)},
            headers={"Origin": service.address},
            timeout=PATIENCE,
        )
        return str(answer.json()["id"]) if answer.status_code == 202 else ""

    with ThreadPoolExecutor(20) as pool:
        taken = [one for one in pool.map(send, range(20)) if one]
    until, ready = time.monotonic() + PATIENCE, 0
    while time.monotonic() < until and ready < len(taken):
        states = [
            httpx.get(f"{service.address}/api/v1/documents/{one}", timeout=PATIENCE).json()["state"]
            for one in taken
        ]
        ready = states.count("ready")
        time.sleep(0.5)
    return len(taken), ready


def accessibility(opened: Any, service: Service, file: Path, axe: Path | None) -> str:
    """Return the findings of axe-core, by impact."""
    if axe is None:
        return "not asked"
    tab = Page(opened, service)
    tab.upload(file)
    tab.page.keyboard.press("j")
    tab.page.evaluate(axe.read_text())
    found = tab.page.evaluate("axe.run().then(one => one.violations.map(two => two.impact))")
    tab.close()
    return ", ".join(f"{one} {found.count(one)}" for one in sorted(set(found))) or "none"


@click.command()
@click.option("--axe", type=click.Path(path_type=Path, dir_okay=False), help="axe.min.js")
@click.option("--only", default="", help="Formats, such as docx,pdf.")
@click.option("--format", "layout", type=click.Choice(["table", "markdown"]), default="table")
def main(axe: Path | None, only: str, layout: str) -> None:
    """Measure the review page; the module's docstring says what."""
    print_facts(header(), layout == "markdown")
    printed = print_markdown if layout == "markdown" else print_table
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as temporary:
        folder = Path(made)
        service = Service(folder, Path(temporary))
        rows, figures = [], []
        with browser() as opened:
            for name, data in documents():
                if only and name.rpartition(".")[2] not in only.split(","):
                    continue
                file = folder / name
                file.write_bytes(data)
                by_mouse, same = flow(opened, service, file, keys=False)
                by_keys, again = flow(opened, service, file, keys=True)
                rows.append([name, by_mouse, by_keys, f"{same}, {again}"])
                click.echo(" ".join(rows[-1]), err=True)
            printed(("document", "mouse", "keyboard", "same bytes"), rows)
            if not only:
                fresh = Service(folder, Path(temporary))
                seconds, most = first_page(opened, fresh, folder)
                fresh.end()
                after = first_page(opened, service, folder)[1]
                times = interaction(opened, service, folder)
                tab = Page(opened, service)
                tab.page.wait_for_load_state("networkidle")
                figures += [
                    ["keys for 40 findings", str(keys_for_all(opened, service, folder))],
                    ["first page s", f"{seconds:.1f}"],
                    ["memory MB", f"{most:.0f}, after other documents {after:.0f}"],
                    ["interaction ms", f"{median(times):.0f}, at most {max(times):.0f}"],
                    ["20 uploads", "{} taken, {} ready".format(*uploads(service))],
                    ["elsewhere", str(len(tab.elsewhere))],
                    ["weight kB", f"{tab.weight / 1e3:.0f}"],
                    ["axe", accessibility(opened, service, folder / "note.txt", axe)],
                ]
        figures.append(["files left", _left(folder, service, Path(temporary))])
        planted = [SSN, NAME, "271240538", "-24-0", "typed by hand"]
        seen = sum(service.written.count(one.encode()) for one in planted)
        figures.append(["values in logs", f"{seen} in {len(service.written)} bytes"])
    printed(("figure", "value"), figures)


def _left(folder: Path, service: Service, temporary: Path) -> str:
    """Kill the service, start it again, end it; return how many of its files are left."""
    service.end(signal.SIGKILL)
    again = Service(folder, temporary)
    again.end()
    left = [one for one in temporary.rglob("*") if one.is_file() and "cdip" in str(one)]
    return str(len(left))


if __name__ == "__main__":
    main()
