"""A page of any mode can be painted on, and no pixel outside the changed part differs."""

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from presidio_cdip.imaging.page.canvas import Canvas

GREY = ("1", "L", "LA", "La", "I", "F", "I;16", "I;16B", "I;16L")
COLOURED = ("P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "HSV")
SIZE = (60, 40)
CHANGED = np.zeros(SIZE[::-1], np.bool_)
CHANGED[10:20, 15:40] = True


def picture(mode: str) -> Image.Image:
    """Tones in the upper half, white paper below, and black in a corner."""
    ramp = np.tile(np.linspace(0, 255, 60).astype(np.uint8), (40, 1))
    ramp[20:] = 255
    grey = Image.fromarray(ramp)
    if mode.startswith("I;16"):
        kind = ">u2" if mode.endswith("B") else "<u2"
        return Image.frombytes(mode, SIZE, (ramp.astype(np.uint16) * 257).astype(kind).tobytes())
    colours = Image.merge("RGB", (grey, grey.transpose(Image.Transpose.FLIP_LEFT_RIGHT), grey))
    if mode in ("La", "RGBa"):
        return (grey if mode == "La" else colours).convert(f"{mode[:-1]}A").convert(mode)
    if mode in ("P", "PA"):
        return grey.convert("RGB").quantize(64).convert(mode)
    return (grey if mode in GREY else colours).convert(mode)


def painted(image: Image.Image, level: int = 77) -> Image.Image:
    """Return the page with one grey level in the changed part, and rubbish outside of it."""
    canvas = Canvas.of(image)
    assert canvas is not None
    pixels = np.random.default_rng(0).integers(0, 256, canvas.pixels.shape, np.uint8)
    pixels[CHANGED] = level
    return canvas.painted(pixels, CHANGED)


@pytest.mark.parametrize("mode", GREY + COLOURED)
def test_outside_not_a_pixel_differs(mode: str) -> None:
    """In every mode, as it is stored: transparency, palette entries and odd numbers too."""
    image = picture(mode)

    page = painted(image)

    assert (page.mode, page.size) == (mode, SIZE)
    before, after = np.asarray(image), np.asarray(page)
    assert (before[~CHANGED] == after[~CHANGED]).all()
    assert (before[CHANGED] != after[CHANGED]).any()


@pytest.mark.parametrize("mode", GREY + COLOURED)
def test_inside_the_page_shows_what_was_painted(mode: str) -> None:
    """The changed part shows the painted level, as far as the mode allows, and is opaque."""
    page = painted(picture(mode))

    seen = Canvas.of(page)
    assert seen is not None
    shown = seen.pixels[CHANGED].astype(int)
    if mode == "1":
        assert (shown == 0).all()
    else:
        assert np.abs(shown - 77).max() <= (4 if mode in ("P", "PA") else 2)
    if mode in ("LA", "La", "PA", "RGBA", "RGBa"):
        assert (np.asarray(page)[CHANGED][:, -1] == 255).all()


@pytest.mark.parametrize("mode", GREY + COLOURED)
def test_nothing_changed_is_a_copy(mode: str) -> None:
    """The result has the same bytes, and is not the caller's own page."""
    image = picture(mode)
    canvas = Canvas.of(image)
    assert canvas is not None

    page = canvas.painted(canvas.pixels, np.zeros(SIZE[::-1], np.bool_))

    assert page is not image
    assert page.tobytes() == image.tobytes()


@pytest.mark.parametrize("mode", GREY + COLOURED)
def test_page_of_the_caller_stays(mode: str) -> None:
    """Painting makes a copy."""
    image = picture(mode)
    before = image.tobytes()

    painted(image)

    assert image.tobytes() == before


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB"])
def test_colour_that_is_see_through_stays_so(mode: str) -> None:
    """The file's transparency is kept: a level, an entry of the palette, or a colour."""
    image = picture(mode)
    image.info["transparency"] = (255, 0, 255) if mode == "RGB" else 0

    page = painted(image)

    assert page.info["transparency"] == image.info["transparency"]


def test_transparent_page_shows_white_paper() -> None:
    """A transparent pixel is white on the canvas, not the black that is stored there."""
    image = Image.new("RGBA", (9, 9), (0, 0, 0, 0))
    image.putpixel((4, 4), (200, 0, 0, 255))

    canvas = Canvas.of(image)

    assert canvas is not None
    assert canvas.pixels[0, 0].tolist() == [255, 255, 255]
    assert canvas.pixels[4, 4].tolist() == [200, 0, 0]


@pytest.mark.parametrize("see_through", [0, b"\x00"], ids=["entry", "alphas"])
def test_see_through_entry_is_not_painted_with(see_through: Any) -> None:
    """A transparent black entry is not used: the nearest opaque entry is taken."""
    image = Image.new("P", SIZE, 2)
    image.putpalette([0, 0, 0, 30, 30, 30, 255, 255, 255])
    image.info["transparency"] = see_through

    page = painted(image, 0)

    assert (np.asarray(page)[CHANGED] == 1).all()
    assert page.getpalette("RGB") == image.getpalette("RGB")


@pytest.mark.parametrize("format", ["PNG", "TIFF", "GIF"])
def test_painted_palette_can_be_written(format: str) -> None:
    """Its colours are those of the file that was read."""
    page = painted(picture("P"), 0)
    file = io.BytesIO()

    page.save(file, format)

    with Image.open(file) as read:
        assert (np.asarray(read.convert("RGB")) == np.asarray(page.convert("RGB"))).all()


def test_mode_without_pixels_like_these_has_no_canvas() -> None:
    """A page of such a mode returns no canvas."""
    assert Canvas.of(Image.new("LAB", SIZE)) is None
