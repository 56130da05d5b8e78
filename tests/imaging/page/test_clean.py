"""A page is prepared for OCR, and boxes can be mapped back to its pixels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from presidio_cdip.imaging.page.clean import clean, grey, has_ink, ink_of, tight
from presidio_cdip.imaging.words import Box

from ..drawing import page, speckled

TEXT = [(100, 60 * row, "Name of registrant: Daniel J. Edelman") for row in range(1, 6)]


@pytest.mark.parametrize(
    "mode", ["1", "L", "LA", "La", "P", "RGB", "RGBA", "CMYK", "YCbCr", "HSV", "I", "F"]
)
def test_any_mode_becomes_grey(mode: str) -> None:
    """Black writing on white paper is black on white in every mode."""
    image = page(TEXT, (900, 400)).convert("RGB")
    way = image.convert("LA").convert("La") if mode == "La" else image.convert(mode)

    pixels = grey(way)

    assert pixels.shape == (400, 900)
    assert pixels.dtype == np.uint8
    assert [pixels.min(), pixels.max()] == [0, 255]
    assert np.median(pixels) == 255


@pytest.mark.parametrize("white", [255, 4095, 65535])
def test_sixteen_bits_are_scaled_to_their_white(white: int) -> None:
    """A scanner of 8, 12 or 16 bits: the brightest level is the paper."""
    levels = np.asarray(page(TEXT, (900, 400))).astype(np.float64) / 255 * white

    pixels = grey(Image.fromarray(levels.astype(np.uint16)))

    assert [pixels.min(), pixels.max(), np.median(pixels)] == [0, 255, 255]


def test_floats_may_be_negative_or_not_a_number() -> None:
    """Neither negative pixels nor NaN stop the page."""
    levels = np.array([[-1.0, 0.0], [np.nan, 3.0]], dtype=np.float32)

    assert grey(Image.fromarray(levels)).tolist() == [[0, 63], [63, 255]]


@pytest.mark.parametrize("ink", ["black", "white"])
def test_see_through_paper_shows_its_ink(ink: str) -> None:
    """Black ink on transparency is shown on white, and white ink on transparency on black."""
    image = Image.new("RGBA", (300, 100), (0, 0, 0, 0))
    ImageDraw.Draw(image).rectangle((100, 40, 150, 60), fill=ink)

    pixels = grey(image)

    assert pixels[50, 120] != pixels[5, 5]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("points", "degrees"), [(30, 0.0), (12, 0.0), (30, 2.0), (30, -3.0), (12, 1.5)]
)
def test_a_box_finds_its_way_back(points: int, degrees: float) -> None:
    """A mark found on the cleaned page, enlarged or turned, maps to its place on the page."""
    rows = [(100, 2 * points * row, "Name of the registrant: Daniel") for row in range(2, 14)]
    image = page(rows, (1000, 1000), points).rotate(
        degrees, Image.Resampling.BICUBIC, fillcolor=255
    )
    mark = Box(700, 150, 730, 180)
    ImageDraw.Draw(image).ellipse((mark.left, mark.top, mark.right - 1, mark.bottom - 1), fill=0)

    cleaned = clean(image)
    x, y = (cleaned.to_clean @ [715, 165, 1]).round().astype(int)
    there = cleaned.pixels[y, x]
    turned = cleaned.to_clean @ np.array([[700, 730], [150, 180], [1, 1]])
    left, right = sorted(turned[0].round().astype(int))
    top, bottom = sorted(turned[1].round().astype(int))
    back = cleaned.on_page(Box(int(left), int(top), int(right), int(bottom)))

    assert there < 60
    assert (cleaned.to_clean[0, 0] > 1.5) == (points == 12)
    angle = np.degrees(np.arctan2(cleaned.to_clean[0, 1], cleaned.to_clean[0, 0]))
    assert angle == pytest.approx(-degrees, abs=0.25)
    assert back.left <= 702 and back.right >= 728 and back.top <= 152 and back.bottom >= 178
    assert back.width < 40 and back.height < 40


def test_rules_go_and_letters_stay() -> None:
    """The lines of a form vanish before OCR; what is written between them does not."""
    image = page([(60, 60, "John Smith")], (1000, 200))
    plain = np.asarray(image).copy()
    ImageDraw.Draw(image).rectangle((20, 40, 960, 120), outline=0, width=3)

    pixels = clean(image).pixels

    assert (pixels[42:118, 30:950] == plain[42:118, 30:950]).mean() > 0.995
    assert (pixels[30:50, 300:900] == 255).all()


def test_grey_paper_of_a_skewed_page_is_no_ink() -> None:
    """The corners that straightening adds are as grey as the paper, which is not taken for ink."""
    image = page(TEXT[:2], (900, 900)).point(lambda level: 140 + level * 70 // 255)

    straight = clean(image.rotate(3, Image.Resampling.BICUBIC, fillcolor=210))

    assert straight.to_clean[0, 1] != 0
    assert (ink_of(straight.pixels) > 0).mean() < 0.2


def test_boxes_shrink_to_their_ink() -> None:
    """A box is as large as what is written in it; an empty one is left alone."""
    pixels = np.full((100, 200), 255, dtype=np.uint8)
    pixels[40:50, 60:90] = 0

    boxes = tight(pixels, [Box(0, 0, 200, 100), Box(70, 45, 80, 90), Box(0, 0, 20, 20)])

    assert boxes == [Box(60, 40, 90, 50), Box(70, 45, 80, 50), Box(0, 0, 20, 20)]


blank = Image.new("L", (850, 1100), 255)


def drawn(*shapes: tuple[str, tuple[int, int, int, int]]) -> Image.Image:
    """Return the blank page with black shapes on it."""
    image = blank.copy()
    draw = ImageDraw.Draw(image)
    for kind, where in shapes:
        getattr(draw, kind)(where, fill=0)
    return image


STROKE = blank.copy()
ImageDraw.Draw(STROKE).arc((300, 500, 420, 560), 30, 300, fill=0, width=3)


@pytest.mark.parametrize(
    ("image", "ink"),
    [
        pytest.param(blank, False, id="blank"),
        pytest.param(Image.new("L", (850, 1100), 0), False, id="black"),
        pytest.param(Image.new("1", (850, 1100), 1), False, id="bilevel"),
        pytest.param(Image.new("L", (1, 1), 0), False, id="one pixel"),
        pytest.param(speckled(blank, 0.02), False, id="speckle"),
        pytest.param(drawn(("rectangle", (0, 0, 40, 1099))), False, id="scan's edge"),
        pytest.param(drawn(("ellipse", (60, 300, 90, 330))), False, id="punch hole"),
        pytest.param(drawn(("rectangle", (300, 500, 420, 530))), False, id="erased"),
        pytest.param(drawn(("line", (50, 500, 800, 503))), False, id="rule"),
        pytest.param(page([(300, 500, "Page three")], (850, 1100), 16), True, id="words"),
        pytest.param(STROKE, True, id="stroke"),
        pytest.param(Image.effect_noise((850, 1100), 200), True, id="noise"),
        pytest.param(speckled(page(TEXT, (850, 1100)), 0.02), True, id="words in speckle"),
    ],
)
def test_ink_is_told_from_dirt(image: Image.Image, ink: bool) -> None:
    """Specks, edges, rules and punch holes leave a page blank; a stroke of a pen does not."""
    assert has_ink(image) is ink


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 2**32 - 1))
def test_pages_of_any_size_are_cleaned(width: int, height: int, seed: int) -> None:
    """No page is too small or too odd to be made ready."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width), dtype=np.uint8)
    image = Image.fromarray(pixels)

    cleaned = clean(image)

    assert cleaned.size == (width, height)
    assert has_ink(image) in (True, False)


@pytest.mark.parametrize("height", [12, 16, 24])
def test_strip_that_is_all_picture_has_ink(height: int) -> None:
    """A strip covered by a picture has ink, however narrow it is."""
    bands = np.tile(np.repeat(np.array([20, 128, 235]), 100), (height, 1))
    bands += np.random.default_rng(0).integers(-20, 20, bands.shape)

    assert has_ink(Image.fromarray(bands.clip(0, 255).astype(np.uint8)))


@pytest.mark.parametrize("degrees", [-4.0, 0.0, 4.0])
def test_box_of_a_sloping_line_is_cleaned_to_its_print(degrees: float) -> None:
    """The way to the page and back leaves the height of a long line as it is."""
    image = page([(60, 60, "Home telephone (216) 555-0142 and others")], (1000, 300), 34)
    cleaned = clean(image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255))
    box = Box(160, 100, 760, 136)

    back = cleaned.on_clean(cleaned.on_page(box))

    assert max(abs(a - b) for a, b in zip(back, box, strict=True)) <= 3
