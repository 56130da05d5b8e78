"""Small collections of documents, and how their runs are compared."""

import hashlib
import sys
from pathlib import Path
from typing import Any

from presidio_cdip.datasets.identity import Treatment
from presidio_cdip.datasets.running import Job
from presidio_cdip.datasets.supervision import Limits

KEY = b"a key for these tests alone, not secret"
ROOT = Path(__file__).parents[2]
POISONED = (sys.executable, str(ROOT / "tests" / "doubles" / "poisoned_child.py"))
TEXT = "Employee {0}. Aged {1}. SSN 219-09-{2}, born on 12 March 19{1}."


def text(number: int) -> str:
    """A document, of which each has values of its own."""
    return TEXT.format(number, 20 + number % 60, 1000 + number)


def texts(folder: Path, count: int = 6) -> Path:
    """A folder with *count* documents in two subfolders."""
    for number in range(count):
        file = folder / ("odd" if number % 2 else "even") / f"{number:03}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text(number))
    return folder


def job(source: Path | str, target: Path | str, **given: Any) -> Job:
    """A run that finds by rules alone, which starts fast."""
    treatment = {"key": KEY, "model": "none", **given.pop("treatment", {})}
    given.setdefault("size", 3)
    given.setdefault("limits", Limits(timeout=60))
    return Job(str(source), str(target), Treatment(**treatment), **given)


def tree(folder: Path) -> dict[str, str]:
    """The hash of every file in *folder*, by its path."""
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
