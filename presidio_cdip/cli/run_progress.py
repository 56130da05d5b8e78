"""Show the progress of a run: a bar on a terminal, else a line of JSON for each shard."""

import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from presidio_cdip.cli.printing import as_json, emit, note
from presidio_cdip.datasets.manifest import FAILED, UNREAD, Row, Totals, suffix_of
from presidio_cdip.datasets.running import Watcher
from presidio_cdip.datasets.shards import Size
from presidio_cdip.datasets.work import ShardDone

SAMPLE = 500  # documents after which an estimate is made


class Estimating(Watcher):
    """Estimate the duration of a run, after the first documents.

    A page image takes a hundred times as long as a short text, so that each suffix is estimated by
    itself: its files that are left, times what one took. What a thread treats first of a suffix
    tells nothing: its child loads what it needs. An engine on other machines tells of whole shards
    alone; all its files count as equal.

    Attributes:
        files: The files that are left at the start.
        seen: The files that were treated since.
    """

    def __init__(self) -> None:
        self.files = self.seen = 0
        self._left: Counter[str] = Counter()
        self._spent: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._last: dict[int, float] = {}
        self._loaded: set[tuple[int, str]] = set()
        self._committed = self._skipped = 0
        self._started = self._first = time.monotonic()
        self._counting = threading.Lock()

    def planned(self, size: Size, committed: Totals) -> None:
        """Store the number of files that are left, in all and by suffix."""
        self.files = size.files - committed.files
        self._left = size.suffixes - committed.suffixes

    def advance(self, row: Row) -> None:
        """Count a file, and print why it was not written."""
        if row.problems and not row.output:
            note(f"{row.document}: {row.problems[0]}")
        self._timed(suffix_of(row.document))
        self.step(1, sum(row.found.values()), bool(row.problems))

    def _timed(self, suffix: str) -> None:
        """Count the time of a file: the time since the one before in the same thread."""
        now, thread = time.monotonic(), threading.get_ident()
        with self._counting:
            self._left[suffix] -= 1
            before = self._last.get(thread)
            self._last[thread] = now
            if (thread, suffix) in self._loaded and before is not None:
                self._spent[suffix][0] += now - before
                self._spent[suffix][1] += 1
            self._loaded.add((thread, suffix))

    def committed(self, done: ShardDone) -> None:
        """Count a shard without per-file progress."""
        self._committed += done.totals.files
        if (unheard := self._committed - self.seen) > 0:
            lost = done.totals.states[UNREAD] + done.totals.states[FAILED]
            self.step(unheard, done.totals.found.total(), lost)

    def step(self, files: int, findings: int, errors: int) -> None:
        """Count files."""
        with self._counting:
            before = self.seen
            self.seen += files
            if not before:  # workers have started
                self._first, self._skipped = time.monotonic(), files
            sampled = before < SAMPLE <= self.seen and self.files > SAMPLE
        if sampled:
            self.estimated(self.remaining())

    def remaining(self) -> float:
        """Return the seconds that are left, by what the files took until now."""
        spent = time.monotonic() - self._first
        mean = spent / max(1, self.seen - self._skipped)  # of all, by all workers together
        if not self._last:
            return mean * max(0, self.files - self.seen)
        with self._counting:
            mean *= len(self._last)
            means = {name: took / count for name, (took, count) in self._spent.items()}
            seconds = sum(means.get(name, mean) * max(0, n) for name, n in self._left.items())
            return seconds / len(self._last)

    def estimated(self, seconds: float) -> None:
        """Print the estimate."""


class _Lines(Estimating):
    """Print a line of JSON for each shard."""

    def committed(self, done: ShardDone) -> None:
        super().committed(done)
        emit(as_json({"shard": done.number, "archive": done.archive, **done.totals.as_json()}))

    def estimated(self, seconds: float) -> None:
        emit(
            as_json({"estimate": {"after": SAMPLE, "files": self.files, "seconds": round(seconds)}})
        )


class _Bar(Estimating):
    """Show a bar with rate, remaining time, findings and errors."""

    def __init__(self, bar: Any) -> None:
        super().__init__()
        self._bar = bar
        self._task = bar.add_task("files", total=None, findings=0, errors=0, rate="")
        self._findings = self._errors = 0

    def planned(self, size: Size, committed: Totals) -> None:
        super().planned(size, committed)
        self._findings = committed.found.total()
        self._errors = committed.states[UNREAD] + committed.states[FAILED]
        self._bar.update(self._task, total=size.files, completed=committed.files)

    def step(self, files: int, findings: int, errors: int) -> None:
        super().step(files, findings, errors)
        with self._counting:
            self._findings += findings
            self._errors += errors
            rate = self.seen / max(0.1, time.monotonic() - self._started)
            self._bar.update(
                self._task, advance=files, findings=self._findings, errors=self._errors,
                rate=f"{rate:.1f}/s",
            )  # fmt: skip

    def estimated(self, seconds: float) -> None:
        note(f"after {SAMPLE} of {self.files} files: about {_said(seconds)} to go")


def _said(seconds: float) -> str:
    """Return a duration in words.

    >>> _said(42), _said(600), _said(100_000)
    ('42 s', '10 min', '27.8 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


@contextmanager
def shown() -> Iterator[Watcher]:
    """Return a watcher that shows the progress of a run."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
        TextColumn("{task.fields[findings]} findings, {task.fields[errors]} errors"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield _Bar(bar)
