"""Every example runs, and every file beside the examples is there for one of them."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))

PAPER = ROOT.parent / "shared/data/scans/dissemination-1991-typed-signed.png"
FONTS = Path("/usr/share/fonts/truetype")


@dataclass(frozen=True, slots=True)
class Special:
    """What an example cannot do without.

    Attributes:
        arguments: What it is called with.
        needs: Files outside the project; where one is absent, the example is skipped.
    """

    arguments: tuple[str, ...]
    needs: tuple[Path, ...]


SPECIAL = {
    "personnel_page.py": Special(
        ("--paper", str(PAPER)),
        (PAPER, FONTS / "liberation2", FONTS / "cmu"),
    ),
}


@pytest.mark.slow
@pytest.mark.installed
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_example_runs(example: Path, tmp_path: Path, activated: dict[str, str]) -> None:
    """An example ends with exit code 0; what it writes beside itself stays out of the checkout."""
    special = SPECIAL.get(example.name, Special((), ()))
    if absent := [str(file) for file in special.needs if not file.exists()]:
        pytest.skip(f"absent: {', '.join(absent)}")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")

    ran = subprocess.run(
        [sys.executable, example.relative_to(ROOT), *special.arguments],
        env=activated,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=tmp_path,
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_special_examples_exist() -> None:
    """An example that is renamed or removed takes its special needs with it."""
    assert set(SPECIAL) <= {example.name for example in EXAMPLES}


@pytest.mark.checkout
def test_no_file_of_examples_is_left_over() -> None:
    """What is no example itself is named by one, by a page, a script or a test."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    readers = [*pages, *(ROOT / "scripts").iterdir(), *EXAMPLES]
    readers += (ROOT / "tests").rglob("*.py")
    text = "\n".join(reader.read_text("utf-8") for reader in readers)

    left_over = {
        file.name
        for file in (ROOT / "examples").rglob("*")
        if file.is_file() and file.suffix not in {".py", ".pyc"} and ".redacted." not in file.name
        if file.name not in text
    }

    assert left_over == set()
