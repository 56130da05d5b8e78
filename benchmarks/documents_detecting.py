"""Run detectors of bad redactions: x-ray on our output, and ours on x-ray's fixtures."""

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.documents_collections import git

BAD = ("rectangles_yes.pdf", "rectangles_yes_2.pdf", "bad_cross_hatched_redactions.pdf")
"""Fixtures of x-ray in which text lies under boxes: by its own tests, and, of the last, by its name
and its 639 letters under boxes, though x-ray finds none where boxes are hatched."""
OPEN = ("hidden_text_on_visible_text.pdf",)
"""Fixtures in which hidden text lies over visible text: its test expects to fail there."""

SCRIPT = """
import asyncio, inspect, json, sys
import xray

async def main():
    for path in sys.argv[1:]:
        found = xray.inspect(path)
        if inspect.isawaitable(found):
            found = await found
        print(json.dumps([path, sum(map(len, found.values()))]))

asyncio.run(main())
"""


def xray(python: Path, files: Mapping[str, bytes]) -> dict[str, int]:
    """Return the number of bad redactions that x-ray finds in each of *files*.

    Args:
        python: An interpreter that has x-ray. It brings PyMuPDF, which is under AGPL, so that it
            is kept apart from what is installed here.
        files: PDF files, by name.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, data in files.items():
            paths.append(Path(folder, name))
            paths[-1].write_bytes(data)
        done = subprocess.run(
            [str(python), "-c", SCRIPT, *map(str, paths)],
            check=True,
            capture_output=True,
            text=True,
        )
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    return {Path(path).name: int(count) for path, count in answers}


def fixtures(mirror: Path) -> dict[str, bytes]:
    """Return x-ray's own fixtures from its git mirror."""
    listed = git(mirror, "ls-tree", "-r", "--name-only", "HEAD", "tests/assets").decode().split()
    return {Path(one).name: git(mirror, "show", f"HEAD:{one}") for one in listed}


def checked(files: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Return the kinds of leaks that `check_redaction` finds in each of *files*."""
    from presidio_cdip.documents.checking.redaction import check

    return {
        name: sorted({one.kind for one in check(data, name) if one.leak})
        for name, data in files.items()
    }
