"""Pages are shown as they stand in what was read."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.imaging.page.pages import read_pages
from presidio_cdip.service.rendering import Rendering, sizes_of
from tests.service.documents import document


def encoded(kind: str, *frames: Image.Image, **options: Any) -> bytes:
    """Return an image file."""
    out = io.BytesIO()
    more = {"save_all": True, "append_images": frames[1:]} if len(frames) > 1 else {}
    frames[0].save(out, kind, **more, **options)
    return out.getvalue()


def turned() -> bytes:
    """Return a JPEG of 60 x 20 pixels that is to be shown upright."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return encoded("JPEG", Image.new("L", (60, 20), 255), exif=exif)


def tiff() -> bytes:
    """Return a TIFF of two pages, a white and a black one."""
    return encoded("TIFF", Image.new("1", (30, 40), 1), Image.new("RGB", (50, 20)))


@pytest.mark.parametrize("make", [turned, tiff])
def test_sizes_are_those_of_the_pages_that_are_read(make: Any) -> None:
    """Though nothing is decoded for them."""
    kind, sizes = sizes_of(make(), "a")

    assert kind == "picture"
    assert sizes == [page.image.size for page in read_pages(make())]


def test_only_pictures_and_pdf_have_pages() -> None:
    """A text has none."""
    assert sizes_of(document("txt"), "a.txt") == ("page", [])
    assert sizes_of(document("pdf"), "a.pdf") == ("page", [(600.0, 400.0)])


@pytest.mark.parametrize("data", [turned()[:300], document("pdf")[:30]])
def test_what_is_damaged_is_said(data: bytes) -> None:
    """Without what is in it."""
    with pytest.raises(UnreadableInput):
        sizes_of(data, "a.pdf")


def test_each_frame_is_shown(tmp_path: Path) -> None:
    """Large ones smaller."""
    (tmp_path / "file").write_bytes(
        encoded("TIFF", Image.new("L", (40, 30), 9), Image.new("L", (6000, 3000), 99))
    )
    rendering = Rendering()
    shown = []
    for number in range(2):
        out = tmp_path / "pages" / f"{number}.png"
        request = {"file": str(tmp_path / "file"), "name": "a", "page": number, "out": str(out)}
        rendering.image(request)
        shown.append(Image.open(out))

    assert [one.getpixel((0, 0)) for one in shown] == [9, 99]
    assert shown[0].size == (40, 30)
    assert shown[1].width * shown[1].height <= 4_000_000
    assert {file.name for file in (tmp_path / "pages").iterdir()} == {"0.png", "1.png"}
