"""Measure batch runs: what kills, poison and planning cost, and what is lost.

    python -m benchmarks.datasets [--documents 400] [--kills 20] [--poison 8] [--names 400000]

Documents are drawn texts, each with values of its own; they are found by the rules alone unless
``--model`` names a model.

* **lost, doubled, different**: after drivers and children were killed by SIGKILL at random moments
  and the same command was given again until it ended, against an undisturbed run.
* **poison**: documents that crash, hang or take 10 GB: seconds until each is an error row, beyond
  the timeout for those that hang, and how many of their neighbours were not done.
* **efficiency**: the rate of two workers over twice that of one. **overhead**: how much longer a
  shard takes in a worker than its documents in one process, start-up left out.
* **driver**: peak memory of the driver, without its children.
* **estimate**: the remaining time that is told after 500 documents, against the truth; a dash where
  there are fewer than 1,000 documents.
* **planning**: seconds and peak memory for a folder of empty files.
* **connections**: attempts to open a network connection in driver and children, seen by an audit
  hook.

The exit status is 1 if a figure misses what was asked for.
"""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from benchmarks.quality import header, print_facts, print_markdown, print_table
from presidio_cdip.cli.run_progress import SAMPLE, Estimating
from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.frames import Piece
from presidio_cdip.datasets.identity import Treatment
from presidio_cdip.datasets.manifest import Row
from presidio_cdip.datasets.running import Job, run
from presidio_cdip.datasets.shards import plan, size_of
from presidio_cdip.datasets.sources import Source
from presidio_cdip.datasets.stores import Local
from presidio_cdip.datasets.supervision import Limits
from presidio_cdip.datasets.treatment import Treating
from presidio_cdip.datasets.work import Plan, Worker
from presidio_cdip.files.inputs import read_bytes

KEY = b"a key for this benchmark alone, not secret"
ROOT = Path(__file__).parents[1]
POISONED = (sys.executable, str(ROOT / "tests" / "doubles" / "poisoned_child.py"))
POISON = ("segfault", "hang", "memory", "exit")
TIMEOUT = 10.0
SHARD, TURNS = 32, 12  # documents of a shard, and how often it is treated, for the overhead
COLUMNS = ("figure", "measured", "asked", "met")
LINE = (
    "Employee {0} called about the invoice of the {1}th. Soc. Sec. No. 219-09-{2}. Date of birth: "
    "12 March 19{1}. Home address: {0} Oak Street, Springfield, IL 62701. She is married.\n"
)
Figure = tuple[str, str, str, bool]


def drawn(folder: Path, count: int, lines: int = 12) -> Path:
    """Write *count* texts of *lines* lines, a hundred a folder."""
    for number in range(count):
        file = folder / f"{number // 100:04}" / f"{number:06}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        values = (
            LINE.format(number * 7 + line, 20 + (number + line) % 60, 1000 + (number + line) % 9000)
            for line in range(lines)
        )
        file.write_text("".join(values))
    return folder


def job(source: Path, target: Path, model: str, jobs: int, **given: Any) -> Job:
    """Return a run with shards of 64 documents, or fewer where there are few."""
    treatment = Treatment(key=KEY, model=model, min_score=0.4)
    return Job(str(source), str(target), treatment, size=given.pop("size", 64), jobs=jobs, **given)


class Timed(Estimating):
    """Take the time of each document, and the estimate."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []
        self.told = 0.0

    def advance(self, row: Row) -> None:
        """Take the time."""
        super().advance(row)
        self.times.append(time.monotonic())

    def estimated(self, seconds: float) -> None:
        """Keep the estimate."""
        self.told = seconds

    @property
    def steady(self) -> float:
        """Return the documents a second between the first and the last."""
        return (len(self.times) - 1) / (self.times[-1] - self.times[0])


def trees(folder: Path) -> dict[str, bytes]:
    """Return all files in *folder*."""
    return {
        one.relative_to(folder).as_posix(): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file()
    }


def killing(work: Path, source: Path, model: str, kills: int, good: Path) -> Iterator[Figure]:
    """Kill drivers and children until *kills* are spent, and let the run end."""
    key, target = work / "key", work / "killed"
    key.write_bytes(KEY)
    key.chmod(0o600)
    command = [
        *(sys.executable, "-m", "presidio_cdip", "run", str(source), "-o", str(target)),
        *("--key-file", str(key), "--model", model, "--jobs", "2", "--shard-size", "64"),
    ]
    chance, left = random.Random(19), kills
    ended = 0
    while not ended:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while left and process.poll() is None:
            time.sleep(chance.uniform(0.5, 5))
            with suppress(ProcessLookupError):
                os.kill(chance.choice([process.pid, *children(process.pid)]), signal.SIGKILL)
                left -= 1
        code = process.wait()
        ended = code in (0, 1, 3)
    written, expected = trees(target), trees(good)
    names = [one.document for one in rows(target)]
    lost = len(set(expected) - set(written))
    doubled = len(names) - len(set(names)) + len(set(written) - set(expected))
    different = sum(written.get(name) != data for name, data in expected.items())
    counts = f"{lost}, {doubled}, {different}"
    spent = f"lost, doubled, different after {kills - left} kills"
    yield spent, counts, "0, 0, 0", counts == "0, 0, 0" and not left


def rows(target: Path) -> list[Row]:
    """Return all rows of a run."""
    files = Local(target)
    return [row for at in manifest.numbers(files) for row in manifest.read(files, at)[0].rows]


def children(pid: int) -> list[int]:
    """Return the processes that *pid* started."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry.name))
    return found


def poisoning(work: Path, model: str, count: int) -> Iterator[Figure]:
    """Run a folder in which documents are poison."""
    source = drawn(work / "poison", 4 * count)
    for number in range(count):
        file = source / "0000" / f"{POISON[number % len(POISON)]}-{number}.txt"
        file.write_text(LINE.format(number, 30, 1000))
    seen = Timed()
    limits = Limits(timeout=TIMEOUT)
    run(job(source, work / "poisoned", model, 1, limits=limits, program=POISONED, size=8), seen)
    made = rows(work / "poisoned")
    failed = [one.state == manifest.FAILED for one in made]
    gaps = [now - before for before, now in zip(seen.times, seen.times[1:], strict=False)]
    slowest = max(gap for gap, lost in zip(gaps, failed[1:], strict=True) if lost)
    undone = sum(one.state != manifest.DONE for one in made) - count
    yield (
        f"poison ({count}): slowest error row, timeout {TIMEOUT:g} s", f"{slowest:.1f} s",
        f"≤ {TIMEOUT + 2:g} s", slowest <= TIMEOUT + 2 and sum(failed) == count,
    )  # fmt: skip
    yield "poison: neighbours not done", str(undone), "0", undone == 0


def speeds(work: Path, source: Path, model: str, good: Path) -> Iterator[Figure]:
    """Compare one worker, two, and the same documents in one process."""
    one, two = Timed(), Timed()
    run(job(source, good, model, 2), two)
    run(job(source, work / "one", model, 1), one)
    efficiency = two.steady / (2 * one.steady)
    overhead = overhead_of(work, source, model)
    yield "efficiency of two workers", f"{efficiency:.2f}", "≥ .95", efficiency >= 0.95
    yield "overhead of one worker", f"{100 * overhead:.1f} %", "≤ 3 %", overhead <= 0.03
    yield "documents a second, one worker", f"{one.steady:.1f}", "–", True
    yield "documents a second, two workers", f"{two.steady:.1f}", "–", True
    if len(one.times) >= 2 * SAMPLE:
        truth = one.times[-1] - one.times[SAMPLE - 1]
        off = abs(one.told / truth - 1)
        yield f"estimate after {SAMPLE}", f"{100 * off:.0f} % off", "≤ 15 %", off <= 0.15
    else:
        yield f"estimate after {SAMPLE}", "–", "≤ 15 %", True


def overhead_of(work: Path, source: Path, model: str) -> float:
    """Return how much longer a shard takes in a worker than its documents in this process.

    Both take turns on the same documents; the fastest turn of each counts, because other programs
    take time from both.
    """
    shard = next(iter(plan(Source(str(source)), SHARD)))
    treating = Treating(Treatment(key=KEY, model=model, min_score=0.4))
    made = job(source, work / "turns", model, 1)
    worker = Worker(Plan(made.source, made.target, made.treatment, ""))
    alone, within = [], []
    for turn in range(TURNS + 1):
        (work / "turns" / manifest.file_of(0)).unlink(missing_ok=True)
        started = time.monotonic()
        worker.treat(shard)
        between = time.monotonic()
        for group in shard.groups:
            name = group.members[0].name
            list(treating(group.scope, [Piece(name, "", read_bytes(source / name))]))
        if turn:  # the first starts the child and compiles rules
            within.append(between - started)
            alone.append(time.monotonic() - between)
    worker.close()
    return min(within) / min(alone) - 1


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
    few = drawn(work / "few", 64)
    command = [
        *(sys.executable, "-m", "presidio_cdip", "run", str(few), "-o", str(work / "quiet")),
        *("--key-file", str(work / "key"), "--model", model),
    ]
    process = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.DEVNULL
    )
    peak = 0
    while process.poll() is None:
        peak = max(peak, _peak(process.pid))
        time.sleep(0.05)
    yield "memory of the driver", f"{peak >> 10} MB", "≤ 250 MB", 0 < peak >> 10 <= 250
    count = len(log.read_text().splitlines()) if log.exists() else 0
    yield "connections attempted", str(count), "0", count == 0 and process.returncode == 1


def _peak(pid: int) -> int:
    """Return the most kilobytes that a process has had."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


@contextmanager
def workplace() -> Iterator[Path]:
    """Return a folder that is removed at the end."""
    folder = Path(tempfile.mkdtemp())
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@click.command()
@click.option("--documents", default=400, show_default=True, help="Drawn texts.")
@click.option("--kills", default=20, show_default=True, help="Processes to kill.")
@click.option("--poison", default=8, show_default=True, help="Poison documents.")
@click.option("--names", default=400_000, show_default=True, help="Names to plan.")
@click.option("--model", default="none", show_default=True, help="As of `presidio-cdip run`.")
@click.option("--markdown", is_flag=True, help="Print in Markdown.")
def main(documents: int, kills: int, poison: int, names: int, model: str, markdown: bool) -> None:
    """Print the table."""
    with workplace() as work:
        source, good = drawn(work / "in", documents), work / "good"
        figures = [
            *speeds(work, source, model, good),
            *killing(work, source, model, kills, good),
            *poisoning(work, model, poison),
            *footprint(work, model),
            *planning(work, names),
        ]
    print_facts(header() | {"documents": f"{documents:,} texts, model {model}"}, markdown)
    cells = [(*one[:3], "yes" if one[3] else "NO") for one in figures]
    (print_markdown if markdown else print_table)(COLUMNS, cells)
    sys.exit(not all(one[3] for one in figures))


if __name__ == "__main__":
    main()
