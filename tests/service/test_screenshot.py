"""The picture of the review page in the README is what the page looks like.

    UPDATE_SCREENSHOT=1 python -m pytest tests/service/test_screenshot.py

draws it again.
"""

import io
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "review-page.png"
DOCUMENT = ROOT / "examples" / "personnel_page.png"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE = 120  # seconds; only a fault needs them
ALIKE = 6  # grey levels of 256, on average: other fonts stay below, other contents do not


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of ``presidio-cdip serve`` in a process of its own."""
    pytest.importorskip("uvicorn")
    pytest.importorskip("playwright.sync_api")
    key = tmp_path / "key"
    key.write_text("a key for the picture alone, not secret")
    key.chmod(0o600)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "presidio_cdip", "serve", "--no-browser", "--port", str(port)]
    served = subprocess.Popen([*command, "--key-file", str(key)], stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/"
    deadline = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < deadline and served.poll() is None:
            with suppress(OSError):
                urllib.request.urlopen(address).close()
                break
            time.sleep(0.1)
        yield address
    finally:
        served.terminate()
        served.wait()


@pytest.mark.slow
@pytest.mark.skipif(not DOCUMENT.exists(), reason="the example is not here")
def test_picture_of_the_readme_shows_the_page(address: str) -> None:
    """A scanned page beside what it becomes, with its findings."""
    api = pytest.importorskip("playwright.sync_api")
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no browser at {CHROMIUM}: apt-get install chromium, or set CHROMIUM")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        context = browser.new_context(
            viewport={"width": 1380, "height": 780}, reduced_motion="reduce", color_scheme="light"
        )
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.goto(address)
        page.set_input_files("#file", DOCUMENT)
        page.locator("#list .row").nth(2).click(position={"x": 60, "y": 15})
        page.locator("button[data-mode=side]").click()
        page.locator("#banner").wait_for(state="hidden")
        page.locator("#viewer img").nth(1).wait_for()
        page.mouse.move(5, 5)
        page.wait_for_timeout(1000)  # pictures are drawn
        taken = page.screenshot()
        browser.close()

    if os.environ.get("UPDATE_SCREENSHOT"):
        PICTURE.write_bytes(taken)
    assert difference(taken, PICTURE.read_bytes()) < ALIKE


def difference(one: bytes, other: bytes) -> float:
    """Return how much two pictures differ at a quarter of their size, in grey levels."""
    import numpy as np
    from PIL import Image

    opened = [Image.open(io.BytesIO(data)).convert("L") for data in (one, other)]
    assert opened[0].size == opened[1].size
    small = [np.asarray(image.reduce(4), float) for image in opened]
    return float(np.abs(small[0] - small[1]).mean())
