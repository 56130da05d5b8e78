"""Measure batch runs: what kills, poison and planning cost, and what is lost.

    python -m benchmarks.datasets [--documents 400] [--kills 20] [--poison 8] [--only killing]

Documents are drawn texts and slips, each with values of its own; they are found by the rules alone
unless ``--model`` names a model. The figures that were asked for are those of
``--only killing --documents 10000 --pages 100 --poison 100``: some 15 minutes of processor time.

* **lost, doubled, different**: of ``--documents`` files, of which ``--pages`` are page images and
  ``--poison`` are poison. Drivers, children and programs that children started were killed by
  SIGKILL at random moments, and the same command was given again until it ended; against an
  undisturbed run.
* **estimate**: the remaining time that is told after 500 of ``--documents`` without poison, against
  the truth; a dash where there are not more than 1,000.
* **poison**: documents that crash, hang or take 10 GB: seconds until each is an error row, beyond
  the timeout for those that hang, and how many of their neighbours were not done. A child that was
  ended is replaced within this time.
* **efficiency**: the rate of two workers over twice that of one. **overhead**: processor time of a
  driver with one worker over that of its child and the programs that it starts, after the start.
* **driver**: peak memory of the driver, without its children.
* **planning**: seconds and peak memory for a folder of empty files.
* **connections**: attempts to open a network connection in driver and children, seen by an audit
  hook.
* **audit**: seconds and peak memory for the reports of a run.

The exit status is 1 if a figure misses what was asked for.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from benchmarks.datasets_drawn import POISON, mixed, text, texts
from benchmarks.datasets_killing import (
    KEY,
    POISONED,
    ROOT,
    Timed,
    children,
    job,
    killed,
    poisoned,
    rows,
)
from benchmarks.quality import header, print_facts, print_markdown, print_table
from presidio_cdip.cli.run_progress import SAMPLE
from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.running import run
from presidio_cdip.datasets.shards import plan, size_of
from presidio_cdip.datasets.sources import Source
from presidio_cdip.datasets.supervision import Limits
from presidio_cdip.datasets.work import Plan, Worker

SHARD, TURNS = 32, 5  # for the overhead: documents of a shard, and how often it is treated
COLUMNS = ("figure", "measured", "asked", "met")
Figure = tuple[str, str, str, bool]


def killing(
    work: Path, model: str, size: tuple[int, int, int], kills: int, timeout: float
) -> Iterator[Figure]:
    """Kill processes of a run, and compare it with an undisturbed one of *size*."""
    source, good = mixed(work / "mixed", *size), work / "undisturbed"
    started = time.monotonic()
    run(poisoned(source, good, model, timeout))
    seconds = time.monotonic() - started
    found = killed(source, work / "killed", good, model, timeout, kills, seconds)
    spent = ", ".join(f"{count} {kind}" for kind, count in sorted(found.kills.items()))
    counts = f"{found.lost}, {found.doubled}, {found.different}"
    met = counts == "0, 0, 0" and sum(found.kills.values()) == kills
    yield f"lost, doubled, different; killed: {spent}", counts, "0, 0, 0", met


def estimating(work: Path, model: str, count: int, pages: int) -> Iterator[Figure]:
    """Run *count* documents, *pages* of them page images, and see how long they were to take."""
    seen = Timed()
    run(job(mixed(work / "estimated", count, pages, 0), work / "estimates", model, 2), seen)
    name = f"estimate after {SAMPLE} of {count:,}"
    if seen.off is None:
        yield name, "–", "≤ 15 %", True
    else:
        yield name, f"{100 * seen.off:+.0f} % off", "≤ 15 %", abs(seen.off) <= 0.15


def poisoning(work: Path, model: str, count: int, timeout: float) -> Iterator[Figure]:
    """Run a folder in which documents are poison."""
    source = texts(work / "poison", 4 * count)
    for number in range(count):
        file = source / "0000" / f"{POISON[number % len(POISON)]}-{number}.txt"
        file.write_text(text(number, 1))
    seen = Timed()
    limits = Limits(timeout=timeout)
    run(job(source, work / "poisoned", model, 1, limits=limits, program=POISONED, size=8), seen)
    made = rows(work / "poisoned")
    failed = [one.state == manifest.FAILED for one in made]
    gaps = [now - before for before, now in zip(seen.times, seen.times[1:], strict=False)]
    slowest = max(gap for gap, lost in zip(gaps, failed[1:], strict=True) if lost)
    undone = sum(one.state != manifest.DONE for one in made) - count
    yield (
        f"poison ({count}): slowest error row, timeout {timeout:g} s", f"{slowest:.1f} s",
        f"≤ {timeout + 2:g} s", slowest <= timeout + 2 and sum(failed) == count,
    )  # fmt: skip
    yield "poison: neighbours not done", str(undone), "0", undone == 0


def speeds(work: Path, model: str) -> Iterator[Figure]:
    """Compare one worker, two, and the same documents in one process."""
    source, one, two = texts(work / "in", 400), Timed(), Timed()
    run(job(source, work / "two", model, 2), two)
    run(job(source, work / "one", model, 1), one)
    efficiency = two.steady / (2 * one.steady)
    yield "efficiency of two workers", f"{efficiency:.2f}", "≥ .95", efficiency >= 0.95
    yield "documents a second, one worker", f"{one.steady:.1f}", "–", True
    yield "documents a second, two workers", f"{two.steady:.1f}", "–", True


def overheads(work: Path, model: str) -> Iterator[Figure]:
    """Compare the processor time of a driver with that of the child that treats its documents."""
    drawn = {
        "page images of 3 lines": mixed(work / "slips", 8, 8, 0),
        "texts of 12 lines": texts(work / "texts", 32),
    }
    for what, source in drawn.items():
        share, each = overhead_of(work / what, source, model)
        yield f"overhead, {what}", f"{100 * share:.1f} %", "≤ 3 %", share <= 0.03
        yield f"processor seconds of a document, {what}", f"{each:.3f}", "–", True


def overhead_of(work: Path, source: Path, model: str) -> tuple[float, float]:
    """Return the driver's share of its child's processor time, and that of one document."""
    shard = next(iter(plan(Source(str(source)), SHARD)))
    made = job(source, work, model, 1)
    worker = Worker(Plan(made.source, made.target, made.treatment, ""))
    worker.treat(shard)  # starts the child and compiles rules
    driver, child = time.process_time(), _of_children()
    for _ in range(TURNS):
        (work / manifest.file_of(0)).unlink()
        worker.treat(shard)
    driver, child = time.process_time() - driver, _of_children() - child
    worker.close()
    return driver / child, child / shard.files / TURNS


def _of_children() -> float:
    """Return the processor seconds of the children of this process, and of their programs."""
    ticks = 0
    for pid in children(os.getpid()):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def planning(work: Path, count: int) -> Iterator[Figure]:
    """Plan a folder of *count* empty files in a process of its own."""
    folder = work / "names"
    for number in range(count):
        if number % 1000 == 0:
            (folder / f"{number // 1000:05}").mkdir(parents=True)
        (folder / f"{number // 1000:05}" / f"{number:08}.png").touch()
    code = f"from benchmarks.datasets import planned; planned({str(folder)!r})"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, megabytes, found = said.stdout.split()
    fits = float(seconds) <= 20 and float(megabytes) <= 300 and int(found) == count
    yield f"planning {count:,} names", f"{seconds} s, {megabytes} MB", "≤ 20 s, ≤ 300 MB", fits


def planned(folder: str) -> None:
    """Print the seconds and megabytes that a plan takes, and how many files it has."""
    started = time.monotonic()
    size = size_of(plan(Source(folder)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{time.monotonic() - started:.1f} {peak:.0f} {size.files}")


def footprint(work: Path, model: str) -> Iterator[Figure]:
    """Take the memory of a driver, and count attempts to connect, in it and its child."""
    hooks = work / "hooks"
    hooks.mkdir()
    log = work / "connections"
    (hooks / "sitecustomize.py").write_text(
        "import sys\n"
        "def seen(event, arguments):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo', 'socket.sendto'):\n"
        f"        open({str(log)!r}, 'a').write(event + chr(10))\n"
        "sys.addaudithook(seen)\n"
    )
    path = os.pathsep.join(filter(None, (str(hooks), str(ROOT), os.environ.get("PYTHONPATH", ""))))
    few = texts(work / "few", 64)
    key = work / "key"
    key.write_bytes(KEY)
    key.chmod(0o600)
    command = [
        *(sys.executable, "-m", "presidio_cdip", "run", str(few), "-o", str(work / "quiet")),
        *("--key-file", str(key), "--model", model),
    ]
    process = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.DEVNULL
    )
    peak = _watched(process)
    yield "memory of the driver", f"{peak >> 10} MB", "≤ 250 MB", 0 < peak >> 10 <= 250
    count = len(log.read_text().splitlines()) if log.exists() else 0
    yield "connections attempted", str(count), "0", count == 0 and process.returncode == 1


def _watched(process: "subprocess.Popen[bytes]") -> int:
    """Return the most kilobytes that a process has until it ends."""
    peak = 0
    while process.poll() is None:
        peak = max(peak, _peak(process.pid))
        time.sleep(0.05)
    return peak


def _peak(pid: int) -> int:
    """Return the most kilobytes that a process has had."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def auditing(work: Path, count: int) -> Iterator[Figure]:
    """Audit reports of *count* page images in a process of its own."""
    file = work / "reports.jsonl"
    with file.open("w") as opened:
        for number in range(count):
            findings = [
                {"entity": entity, "boxes": [[at, at, at + 200, at + 40]]}
                for entity, at in (("US_SSN", number % 700), ("DATE_OF_BIRTH", number % 300))
            ]
            line = {"file": f"{number:06}.png", "page": 0, "size": [1700, 2200]}
            opened.write(f"{json.dumps({**line, 'findings': findings})}\n")
    command = [sys.executable, "-m", "presidio_cdip", "audit", "--reports", str(file)]
    started = time.monotonic()
    process = subprocess.Popen([*command, "-o", str(work / "audit")], stdout=subprocess.DEVNULL)
    peak = _watched(process)
    seconds = time.monotonic() - started
    met = seconds <= 60 and peak >> 10 <= 300 and process.returncode == 1
    said = f"{seconds:.0f} s, {peak >> 10} MB"
    yield f"audit of {count:,} reports", said, "≤ 60 s, ≤ 300 MB", met


@contextmanager
def workplace() -> Iterator[Path]:
    """Return a folder that is removed at the end."""
    folder = Path(tempfile.mkdtemp())
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


PARTS = (
    "speeds",
    "overheads",
    "estimating",
    "killing",
    "poisoning",
    "footprint",
    "planning",
    "auditing",
)


@click.command()
@click.option("--documents", default=400, show_default=True, help="Documents of a killed run.")
@click.option("--pages", default=8, show_default=True, help="Page images among them.")
@click.option("--kills", default=20, show_default=True, help="Processes to kill.")
@click.option("--poison", default=8, show_default=True, help="Poison documents.")
@click.option("--timeout", default=10.0, show_default=True, help="Seconds for a document.")
@click.option("--names", default=400_000, show_default=True, help="Names to plan.")
@click.option("--reports", default=10_000, show_default=True, help="Reports to audit.")
@click.option("--model", default="none", show_default=True, help="As of `presidio-cdip run`.")
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="Measure these alone.")
@click.option("--markdown", is_flag=True, help="Print in Markdown.")
def main(
    documents: int,
    pages: int,
    kills: int,
    poison: int,
    timeout: float,
    names: int,
    reports: int,
    model: str,
    only: tuple[str, ...],
    markdown: bool,
) -> None:
    """Print the table."""
    figures: list[Figure] = []
    with workplace() as work:
        parts: dict[str, Callable[[], Iterator[Figure]]] = {
            "speeds": lambda: speeds(work, model),
            "overheads": lambda: overheads(work, model),
            "estimating": lambda: estimating(work, model, documents, pages),
            "killing": lambda: killing(work, model, (documents, pages, poison), kills, timeout),
            "poisoning": lambda: poisoning(work, model, poison, timeout),
            "footprint": lambda: footprint(work, model),
            "planning": lambda: planning(work, names),
            "auditing": lambda: auditing(work, reports),
        }
        for part in only or PARTS:
            figures += parts[part]()
    load = os.getloadavg()
    facts = {"model": model, "load": f"{load[2]:.1f}, the mean of 15 minutes"}
    print_facts(header() | facts, markdown)
    cells = [(*one[:3], "yes" if one[3] else "NO") for one in figures]
    (print_markdown if markdown else print_table)(COLUMNS, cells)
    sys.exit(not all(one[3] for one in figures))


if __name__ == "__main__":
    main()
