"""The checkout keeps the shape the wheel relies on."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("recognizers", "operators")

pytestmark = pytest.mark.checkout


@pytest.mark.parametrize("folder", FOLDERS)
def test_pack_folders_hold_no_code(folder: str) -> None:
    """Code lives in presidio_cdip/: hatchling refuses an editable install otherwise."""
    assert list((ROOT / folder).rglob("*.py")) == []


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")
@pytest.mark.parametrize("folder", FOLDERS)
def test_no_ignore_rule_empties_the_pack(folder: str) -> None:
    """hatchling leaves out of the wheel whatever git ignores, and says nothing."""
    files = [file.relative_to(ROOT) for file in (ROOT / folder).rglob("*") if file.is_file()]

    # --no-index: hatchling applies the rules to files that git tracks, too.
    asked = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        input="\n".join(str(file) for file in files),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )

    assert files, f"{folder}/ is empty"
    assert (asked.stdout, asked.stderr) == ("", "")
