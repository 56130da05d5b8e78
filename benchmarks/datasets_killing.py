"""Kill the processes of a run at random moments, and compare it with one that nobody disturbed."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from presidio_cdip.cli.run_progress import SAMPLE, Estimating
from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.identity import Treatment
from presidio_cdip.datasets.manifest import Row, suffix_of
from presidio_cdip.datasets.running import Job, run
from presidio_cdip.datasets.stores import Local
from presidio_cdip.datasets.supervision import Limits

KEY = b"a key for this benchmark alone, not secret"
ROOT = Path(__file__).parents[1]
POISONED = (sys.executable, str(ROOT / "tests" / "doubles" / "poisoned_child.py"))
DRIVER = "driver"


def job(source: Path, target: Path, model: str, jobs: int, **given: Any) -> Job:
    """Return a run with shards of 64 documents, or of another *size*."""
    treatment = Treatment(key=KEY, model=model, min_score=0.4)
    return Job(str(source), str(target), treatment, size=given.pop("size", 64), jobs=jobs, **given)


class Timed(Estimating):
    """Take the time of each document, and the estimate."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []
        self.estimate = 0.0

    def advance(self, row: Row) -> None:
        """Take the time."""
        self._timed(suffix_of(row.document))
        self.step(1, sum(row.found.values()), bool(row.problems))
        self.times.append(time.monotonic())

    def estimated(self, seconds: float) -> None:
        """Keep the estimate."""
        self.estimate = seconds

    @property
    def steady(self) -> float:
        """Return the documents a second between the first and the last."""
        return (len(self.times) - 1) / (self.times[-1] - self.times[0])

    @property
    def off(self) -> float | None:
        """Return by which share the estimate missed the truth; None where there was none."""
        if len(self.times) <= 2 * SAMPLE:
            return None
        return self.estimate / (self.times[-1] - self.times[SAMPLE - 1]) - 1


def poisoned(source: Path, target: Path, model: str, timeout: float) -> Job:
    """Return a run by two children that poison harms."""
    return job(source, target, model, 2, limits=Limits(timeout=timeout), program=POISONED)


def driven(source: str, target: str, model: str, timeout: str) -> None:
    """Run a driver; it is what `killed` kills."""
    run(poisoned(Path(source), Path(target), model, float(timeout)))


@dataclass
class Killed:
    """The killed processes, and the end of the run.

    Attributes:
        kills: Processes that were killed, by what they were.
        lost: Files of the undisturbed run that are missing.
        doubled: Rows and files that are more than once, or in none of them.
        different: Files with other bytes, manifests among them.
    """

    kills: dict[str, int]
    lost: int
    doubled: int
    different: int


def killed(
    source: Path, target: Path, good: Path, model: str, timeout: float, kills: int, seconds: float
) -> Killed:
    """Kill processes of a run at *kills* moments, give it again until it ends, and compare.

    Args:
        source: The collection.
        target: Where the run writes.
        good: What an undisturbed run wrote.
        model: As of `presidio-cdip run`.
        timeout: As of `presidio-cdip run`.
        kills: How many processes to kill.
        seconds: How long the undisturbed run took; the moments are drawn from it.
    """
    code = "import sys; from benchmarks.datasets_killing import driven; driven(*sys.argv[1:])"
    command = [sys.executable, "-c", code, str(source), str(target), model, str(timeout)]
    chance = random.Random(19)
    spent: dict[str, int] = {}
    ended = False
    while not ended:
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
        while sum(spent.values()) < kills and process.poll() is None:
            time.sleep(chance.uniform(0.5, max(4.0, 1.5 * seconds / max(1, kills))))
            if process.poll() is None and (kind := _kill_one(process.pid, chance)):
                spent[kind] = spent.get(kind, 0) + 1
        ended = process.wait() == 0
    return Killed(spent, *compared(target, good))


def _kill_one(pid: int, chance: random.Random) -> str | None:
    """Kill the driver *pid*, a child, or a program of a child; return which was still there."""
    below = children(pid)
    kinds = {
        DRIVER: [pid],
        "children": below,
        "programs of children": [one for child in below for one in children(child)],
    }
    kind = chance.choice([name for name, found in kinds.items() if found])
    try:
        os.kill(chance.choice(kinds[kind]), signal.SIGKILL)
    except ProcessLookupError:
        return None
    return kind


def compared(target: Path, good: Path) -> tuple[int, int, int]:
    """Return the numbers of files that were lost, doubled, and are different."""
    written, expected = files(target), files(good)
    names = [one.document for one in rows(target)]
    lost = len(set(expected) - set(written))
    doubled = len(names) - len(set(names)) + len(set(written) - set(expected))
    different = [name for name, data in expected.items() if written.get(name, data) != data]
    return lost, doubled, len(different)


def files(folder: Path) -> dict[str, bytes]:
    """Return all files in *folder*."""
    return {
        one.relative_to(folder).as_posix(): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file()
    }


def rows(target: Path) -> list[Row]:
    """Return all rows of a run."""
    store = Local(target)
    return [row for at in manifest.numbers(store) for row in manifest.read(store, at)[0].rows]


def children(pid: int) -> list[int]:
    """Return the processes that *pid* started."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            if int(parent) == pid and state != "Z":
                found.append(int(entry.name))
    return found
