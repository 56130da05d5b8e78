"""Erasing changes the boxes and nothing else, in every mode."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from presidio_cdip.imaging.painting.erase import fill
from presidio_cdip.imaging.words import Box

MODES = (
    "1", "L", "LA", "La", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "LAB", "HSV",
    "I", "F", "I;16", "I;16B", "I;16L",
)  # fmt: skip


def picture(mode: str) -> Image.Image:
    """Noise in the given mode."""
    random = np.random.default_rng(3)
    blank = Image.new(mode, (23, 17))
    noise = random.integers(0, 256, len(blank.tobytes()), dtype=np.uint8)
    if mode == "F":
        noise = np.frombuffer(random.random(23 * 17).astype("f4").tobytes(), dtype=np.uint8)
    image = Image.frombytes(mode, blank.size, noise.tobytes())
    if mode in ("P", "PA"):
        image.putpalette(random.integers(0, 256, 768, dtype=np.uint8).tobytes())
    return image


corner = st.integers(-10, 40)
boxes = st.lists(st.builds(Box, corner, corner, corner, corner), max_size=4)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@given(boxes=boxes)
def test_pixels_outside_stay(mode: str, boxes: list[Box]) -> None:
    """Every pixel outside the boxes is as before, and all inside are alike."""
    image = picture(mode)

    erased = fill(image, boxes, "black")

    covered = set()
    for box in boxes:
        covered |= {
            (x, y)
            for x in range(max(box.left, 0), min(box.right, 23))
            for y in range(max(box.top, 0), min(box.bottom, 17))
        }
    assert (erased.mode, erased.size) == (image.mode, image.size)
    assert len({erased.getpixel(point) for point in covered}) <= 1
    for x in range(23):
        for y in range(17):
            if (x, y) not in covered:
                assert erased.getpixel((x, y)) == image.getpixel((x, y))


@pytest.mark.parametrize("mode", MODES)
def test_image_of_the_caller_stays(mode: str) -> None:
    """Erasing works on a copy."""
    image = picture(mode)
    before = image.tobytes()

    fill(image, [Box(0, 0, 9, 9)])

    assert image.tobytes() == before


@pytest.mark.parametrize(
    ("mode", "black", "white"),
    [
        ("1", 0, 255),
        ("L", 0, 255),
        ("LA", (0, 255), (255, 255)),
        ("RGB", (0, 0, 0), (255, 255, 255)),
        ("RGBA", (0, 0, 0, 255), (255, 255, 255, 255)),
        ("CMYK", (0, 0, 0, 255), (0, 0, 0, 0)),
        ("I;16", 0, 65535),
    ],
)
def test_black_is_black_and_white_white(mode: str, black: object, white: object) -> None:
    """The colours are those of the mode, and opaque."""
    image, box = picture(mode), Box(2, 2, 5, 5)

    assert fill(image, [box], "black").getpixel((3, 3)) == black
    assert fill(image, [box], "white").getpixel((3, 3)) == white


def test_colour_may_be_any() -> None:
    """A name, a code and three numbers name the same colour; on a grey page it is a grey."""
    box = [Box(0, 0, 9, 9)]

    for colour in ("red", "#ff0000", (255, 0, 0)):
        assert fill(picture("RGB"), box, colour).getpixel((0, 0)) == (255, 0, 0)
    assert fill(picture("L"), box, "red").getpixel((0, 0)) == 76


def test_palette_without_the_colour_gives_its_nearest() -> None:
    """No entry is added, and one that is see-through is not taken."""
    image = Image.new("P", (9, 9), 2)
    image.putpalette([0, 0, 0, 30, 30, 30, 255, 255, 255])
    image.info["transparency"] = 0

    erased = fill(image, [Box(0, 0, 4, 4)], "black")

    assert (erased.getpixel((0, 0)), erased.getpixel((5, 5))) == (1, 2)


def test_unknown_colour_is_refused() -> None:
    """A name that Pillow does not know is an error, not black."""
    with pytest.raises(ValueError, match="unknown color"):
        fill(picture("L"), [], "blakc")
