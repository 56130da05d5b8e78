"""The picture of the review page in the README is what the page looks like.

    UPDATE_SCREENSHOT=1 python -m pytest tests/service/test_screenshot.py

draws it again.
"""

import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.browser import chromium

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "review-page.png"
DOCUMENT = ROOT / "examples" / "personnel_page.png"
PATIENCE = 120  # seconds; only a fault needs them
ALIKE = 6  # grey levels of 256, on average: other fonts stay below, other contents do not

# Both pictures are there, all that findings become is known, and nothing is being made.
DRAWN = """(() => {
    const pictures = [...document.querySelectorAll("#viewer img")];
    const values = [...document.querySelectorAll("#list .new")];
    return pictures.length === 2 && pictures.every(one => one.complete && one.naturalWidth)
        && values.length && values.every(one => !one.textContent.includes("…"))
        && document.getElementById("banner").hidden;
})()"""
DECODED = "Promise.all([...document.querySelectorAll('#viewer img')].map(one => one.decode()))"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of ``presidio-cdip serve`` in a process of its own."""
    pytest.importorskip("uvicorn")
    key = tmp_path / "key"
    key.write_text("a key for the picture alone, not secret")
    key.chmod(0o600)
    command = [sys.executable, "-m", "presidio_cdip", "serve", "--no-browser", "--port", "0"]
    served = subprocess.Popen(
        [*command, "--key-file", str(key)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert served.stdout
        said = served.stdout.readline()  # when it answers; empty when it ends
        found = re.search(r"http://[^;\s]+", said)
        assert found, "the service did not start"
        yield found[0] + "/"
    finally:
        served.terminate()
        served.communicate()


@pytest.mark.slow
@pytest.mark.skipif(not DOCUMENT.exists(), reason="the example is not here")
def test_picture_of_the_readme_shows_the_page(address: str, tmp_path: Path) -> None:
    """A scanned page beside what it becomes, with its findings."""
    with chromium() as browser:
        context = browser.new_context(
            viewport={"width": 1380, "height": 780}, reduced_motion="reduce", color_scheme="light"
        )
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.goto(address)
        page.set_input_files("#file", DOCUMENT)
        page.locator("#list .row").nth(2).click(position={"x": 60, "y": 15})
        page.locator("button[data-mode=side]").click()
        page.mouse.move(5, 5)
        deadline = time.monotonic() + PATIENCE
        while not page.evaluate(DRAWN):  # the page's policy stops Playwright's own wait
            assert time.monotonic() < deadline
            time.sleep(0.1)
        page.evaluate(DECODED)  # which the browser does beside, and paints later
        taken = page.screenshot()
        while (again := page.screenshot()) != taken:
            taken = again

    (tmp_path / PICTURE.name).write_bytes(taken)  # to look at, if the test fails
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
