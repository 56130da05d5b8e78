"""What an image file says beside its pixels is removed; its pixels stay byte for byte."""

import io

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from presidio_cdip.imaging.page.metadata import without_metadata


def png() -> bytes:
    info = PngImagePlugin.PngInfo()
    info.add_text("Author", "Jane Pell", zip=True)
    info.add_itxt("Comment", "Jane Pell")
    out = io.BytesIO()
    Image.fromarray(np.arange(6400, dtype=np.uint8).reshape(80, 80)).save(
        out, "PNG", pnginfo=info, dpi=(200, 200)
    )
    return out.getvalue()


def jpeg() -> bytes:
    exif = Image.Exif()
    exif[0x013B] = "Jane Pell"
    out = io.BytesIO()
    Image.fromarray(np.arange(6400, dtype=np.uint8).reshape(80, 80)).save(
        out, "JPEG", exif=exif, comment=b"Jane Pell", dpi=(200, 200)
    )
    return out.getvalue()


@pytest.mark.parametrize("data", [png(), jpeg()], ids=["PNG", "JPEG"])
def test_texts_are_removed_and_pixels_stay(data: bytes) -> None:
    """No author, comment or EXIF; the same pixels and resolution."""
    new = without_metadata(data)

    assert new is not None
    before, after = Image.open(io.BytesIO(data)), Image.open(io.BytesIO(new))
    assert np.array_equal(np.asarray(before), np.asarray(after))
    assert tuple(after.info["dpi"]) == pytest.approx((200, 200), abs=0.5)
    assert b"Pell" not in new
    assert not set(after.info) - {"dpi", "jfif", "jfif_version", "jfif_unit", "jfif_density"}


def test_what_follows_the_image_is_cut_off() -> None:
    """A file hidden behind the end of an image goes, too."""
    for data in (png(), jpeg()):
        assert without_metadata(data + b"PK\3\4 hidden") == without_metadata(data)
        assert without_metadata(data + jpeg()) == without_metadata(data)


def test_a_file_without_metadata_is_the_same() -> None:
    """Nothing is written again that has nothing to lose."""
    clean = without_metadata(png())
    assert clean is not None

    assert without_metadata(clean) is clean


@pytest.mark.parametrize("data", [b"", b"GIF89a", png()[:40], jpeg()[:30], b"\xff\xd8\xff\xe0"])
def test_other_formats_and_damaged_files_are_told_apart(data: bytes) -> None:
    """None is returned: the caller decides."""
    assert without_metadata(data) is None
