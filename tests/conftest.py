"""What several tests start from, and why they skip where it is absent."""

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The real documents and scans that lie beside the checkout and are no part of it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("../shared/data is absent: it is not part of this project")
    return folder


@pytest.fixture(scope="session")
def tesseract() -> str:
    """The path of the tesseract program."""
    program = shutil.which("tesseract")
    if program is None:
        pytest.skip("tesseract is not installed: scripts/setup.sh installs it")
    return program


@pytest.fixture(scope="session")
def activated() -> dict[str, str]:
    """The variables of a user who activated this environment: its programs come first."""
    programs = Path(sys.executable).parent
    return os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
