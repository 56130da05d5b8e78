"""Rewrite the documents of public repositories, each in a process of its own.

Repositories are bare git mirrors; files are read from their newest commit, and never written.
"""

import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.documents_running import DONE, OUTCOMES, Outcome, apart

SUFFIXES = frozenset(
    (
        *(".docx", ".docm", ".xlsx", ".xlsm", ".pptx", ".pptm", ".odt", ".ods", ".odp", ".pdf"),
        *(".eml", ".html", ".htm", ".csv", ".tsv"),
    )
)
"""The files taken from a collection; JSON there is settings of programs."""
LEAST = 40
"""Letters and digits that a document must have, by an independent library, to count as text."""


@dataclass
class Collected:
    """The outcomes of the documents of a collection.

    Attributes:
        outcomes: How many ended in each way.
        silent: Those that are done, in which no text was read and nothing is noted, though an
            independent library reads more than `LEAST` letters and digits.
        lines: What is to be looked at.
        slowest: Seconds of the slowest.
        largest: The most MB that one needed.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    silent: int = 0
    lines: list[str] = field(default_factory=list)
    slowest: float = 0.0
    largest: float = 0.0

    def add(self, name: str, outcome: Outcome) -> None:
        """Count a document."""
        self.outcomes[outcome.kind] += 1
        self.slowest = max(self.slowest, outcome.seconds)
        self.largest = max(self.largest, float(outcome.facts.get("MB", 0)))
        if outcome.kind == DONE and is_silent(outcome):
            self.silent += 1
            self.lines.append(f"{name}: silent: {outcome.facts['others']} letters not read")
        elif outcome.kind in OUTCOMES[2:6]:
            self.lines.append(f"{name}: {outcome.kind}: {outcome.said}")


def is_silent(outcome: Outcome) -> bool:
    """Return whether text was neither read nor noted as unread."""
    facts = outcome.facts
    return (facts.get("others") or 0) > LEAST and not facts["segments"] and not facts["notes"]


def mirrors(folder: Path) -> Iterator[Path]:
    """Yield the git folders under *folder*."""
    for head in sorted(folder.rglob("HEAD")):
        if (head.parent / "objects").is_dir():
            yield head.parent


def name_of(mirror: Path) -> str:
    """Return a mirror's name."""
    return mirror.parent.name if mirror.name in ("repo", ".git") else mirror.name


def files(mirror: Path) -> list[str]:
    """Return the paths of documents in a mirror."""
    listed = git(mirror, "ls-tree", "-r", "-z", "--name-only", "HEAD").decode().split("\0")
    return sorted(one for one in listed if Path(one).suffix.lower() in SUFFIXES)


def git(mirror: Path, *arguments: str) -> bytes:
    """Return the output of git; nothing is fetched."""
    return subprocess.run(
        ["git", f"--git-dir={mirror}", *arguments],
        check=True,
        capture_output=True,
        env={"GIT_NO_LAZY_FETCH": "1", "PATH": "/usr/bin:/bin"},
    ).stdout


def collected(mirror: Path, step: int = 1, kinds: tuple[str, ...] = ()) -> Collected:
    """Rewrite every *step*-th document of a mirror, or of *kinds* of suffixes in it."""
    found = Collected()
    paths = [one for one in files(mirror) if not kinds or Path(one).suffix.lower() in kinds]
    for path in paths[::step]:
        try:
            data = git(mirror, "show", f"HEAD:{path}")
        except subprocess.CalledProcessError:
            found.outcomes["absent"] += 1
            continue
        found.add(path, apart(data, Path(path).name))
    return found


def worst(found: Collected) -> int:
    """Return the number of documents that ended as none should."""
    return sum(found.outcomes[kind] for kind in OUTCOMES[3:6]) + found.silent
