"""The browser of the tests, which is the system's: playwright from PyPI brings none."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium", "google-chrome-stable", "google-chrome")
_SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_MISSING = "no browser: apt-get install chromium, or name one in the environment variable CHROMIUM"


@contextmanager
def chromium() -> Iterator[Any]:
    """Yield Chromium; without one, or without playwright, the test is skipped."""
    api = pytest.importorskip("playwright.sync_api")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if not program or not Path(program).exists():
        pytest.skip(_MISSING)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_SWITCHES)
        yield browser
        browser.close()


def axe() -> str:
    """Return the source of axe-core, which is no part of this project; without it, skip."""
    file = Path(os.environ.get("AXE_JS", ""))
    if not file.is_file() and (package := find_spec("axe_playwright_python")) and package.origin:
        file = Path(package.origin).with_name("axe.min.js")
    if not file.is_file():
        pytest.skip("no axe-core: pip install axe-playwright-python, or name its file in AXE_JS")
    return file.read_text("utf-8")
