"""A preview shows before and after, side by side, and lies beside what was written."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from presidio_cdip.imaging.page.pages import Page, read_pages
from presidio_cdip.imaging.painting.replacing import FindingReport
from presidio_cdip.imaging.previews import Previews, crops, preview
from presidio_cdip.imaging.redaction import PageReport
from presidio_cdip.imaging.words import Box

BOX = Box(40, 30, 90, 50)


def page(level: int, mode: str = "L", size: tuple[int, int] = (200, 100)) -> Image.Image:
    """White paper with that grey in the box."""
    image = Image.new("L", size, 255)
    image.paste(level, BOX)
    return image.convert(mode)


def report(index: int) -> PageReport:
    """One finding on a page."""
    return PageReport("in.tif", index, (200, 100), 0, (FindingReport("PERSON", (BOX,), "white"),))


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "CMYK", "I;16"])
def test_crops_show_what_is_around(mode: str) -> None:
    """In colours, of the same size before and after, and within the page."""
    ends = [page(0), page(255)]
    before, after = (
        Image.fromarray(np.asarray(one).astype(np.uint16) * 257) if mode == "I;16" else
        one.convert("RGB").convert(mode)
        for one in ends
    )  # fmt: skip

    ((one, other),) = crops(before, after, [BOX])

    assert one.mode == other.mode == "RGB"
    assert one.size == other.size == (150, 60)
    assert one.getpixel((60, 30)) == (0, 0, 0)
    assert other.getpixel((60, 30)) == (255, 255, 255)


def test_pairs_stand_side_by_side() -> None:
    """At twice their size, one pair below the other, on grey."""
    black, white = Image.new("RGB", (30, 10), "black"), Image.new("RGB", (30, 10), "white")
    small = Image.new("RGB", (20, 5), "red")

    sheet = preview([(black, white), (small, small)])

    assert sheet.size == (2 * 60 + 3 * 8, 8 + 20 + 8 + 10 + 8)
    assert [sheet.getpixel(at) for at in [(8, 8), (76, 8), (8, 36), (76, 45), (0, 0)]] == [
        (0, 0, 0), (255, 255, 255), (255, 0, 0), (255, 0, 0), (128, 128, 128),
    ]  # fmt: skip


def test_nothing_found_is_an_empty_preview(tmp_path: Path) -> None:
    """No pair, and still a picture."""
    place = Previews().write(tmp_path / "out.png")

    assert next(read_pages(place)).image.width > 0


def test_preview_lies_beside_what_was_written(tmp_path: Path) -> None:
    """Its name says of what; every finding of every page is in it, in order."""
    previews = Previews()
    for index, (before, after) in enumerate([(0, 200), (100, 255)]):
        previews.add(Page(page(before), index), page(after), report(index))

    place = previews.write(tmp_path / "letter.tif")

    assert place == tmp_path / "letter.tif.preview.png"
    sheet = np.asarray(next(read_pages(place)).image.convert("L"))
    first, second = sheet[8 + 60], sheet[8 + 120 + 8 + 60]
    assert [int(row[x]) for row in (first, second) for x in (120, 120 + 308)] == [0, 200, 100, 255]
