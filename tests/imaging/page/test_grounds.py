"""Print on shaded and dark areas is shown as dark print on white."""

from itertools import product

import numpy as np
import pytest
from PIL import Image, ImageDraw

from presidio_cdip.imaging.page.canvas import Canvas
from presidio_cdip.imaging.page.clean import clean
from presidio_cdip.imaging.page.grounds import Grounds
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.words import Box

from ..drawing import face, page

BAND = Box(60, 100, 900, 170)
VALUE = Box(90, 112, 420, 158)
BELOW = [(90, 220, "SSN: 123-45-6789")]


def banded(ground: int, ink: int) -> Image.Image:
    """Return a page with print in an area of that grey level, and below it on paper."""
    image = page(BELOW, (1000, 300))
    draw = ImageDraw.Draw(image)
    draw.rectangle((BAND.left, BAND.top, BAND.right - 1, BAND.bottom - 1), fill=ground)
    draw.text((100, 116), "SSN: 123-45-6789", font=face(30), fill=ink)
    return image


def levels(pixels: np.ndarray, box: Box) -> tuple[float, float]:
    """Return the level of most pixels in *box*, and that of the print."""
    part = pixels[box.within()]
    return float(np.median(part)), float(np.percentile(part, 2))


@pytest.mark.parametrize(
    ("ground", "ink"), [(0, 255), (60, 255), (120, 255), (150, 250), (200, 0), (150, 0), (110, 10)]
)
def test_print_on_an_area_becomes_dark_on_white(ground: int, ink: int) -> None:
    """White print on black or grey and black print on grey look like print on paper."""
    found = Grounds.of(np.asarray(banded(ground, ink)))

    paper, black = levels(found.pixels, VALUE)
    assert paper > 245 and black < 40
    assert bool(found.inverted[BAND.within()].all()) is (ink > ground)


def test_dark_heading_of_a_shaded_table_is_an_area_of_its_own() -> None:
    """Areas may lie within each other."""
    image = banded(40, 255)
    table = Box(40, 80, 940, 280)
    shaded = np.pad(np.asarray(image), ((0, 300), (0, 0)), constant_values=255)
    shaded[table.within()] = np.minimum(shaded[table.within()], 215)
    shaded[BAND.within()] = np.asarray(image)[BAND.within()]

    found = Grounds.of(shaded)

    assert levels(found.pixels, VALUE) == pytest.approx((255, 0), abs=20)
    assert levels(found.pixels, Box(90, 220, 420, 260)) == pytest.approx((255, 0), abs=20)
    assert not found.inverted[200:].any()


@pytest.mark.parametrize("way", ["dithered", "dots"])
@pytest.mark.parametrize(("ground", "ink"), [(180, 0), (60, 255)])
def test_dotted_area_is_levelled(way: str, ground: int, ink: int) -> None:
    """On a black and white page the dots of a grey area vanish, and its letters stay."""
    grey = banded(ground, ink)
    if way == "dithered":
        image = grey.convert("1")
    else:
        cell = np.array([[12, 5, 6, 13], [4, 0, 1, 7], [11, 3, 2, 8], [15, 10, 9, 14]]) * 16 + 8
        image = Image.fromarray(np.asarray(grey) > np.tile(cell, (75, 250)))

    found = Grounds.of(np.asarray(image.convert("L")))

    empty = Box(500, 110, 880, 160)
    assert (found.pixels[empty.within()] > 128).mean() > 0.98
    assert (found.pixels[VALUE.within()] < 128).mean() > 0.05


@pytest.mark.parametrize("size", [12, 16, 30])
def test_page_of_print_has_no_areas(size: int) -> None:
    """Lines of text, however bold or small, are no shaded areas; the page stays as it was."""
    lines = [
        (20, 10 + row * (size + 4), "Swears that he is (they are) well " * 3) for row in range(9)
    ]
    pixels = np.asarray(page(lines, (1000, 400), size))

    found = Grounds.of(pixels)

    assert found.pixels is pixels
    assert not found.areas.any() and not found.inverted.any()


@pytest.mark.parametrize("dark", [0.5, 0.7, 0.85])
def test_fading_light_makes_no_area(dark: float) -> None:
    """A page that is darker on one side, as photographs are, is all paper."""
    texts = [
        (40 + 480 * column, 30 + 60 * row, "Marital status:")
        for column in (0, 1)
        for row in range(8)
    ]
    image = np.asarray(page(texts, (1000, 520))).astype(float)
    light = np.linspace(dark, 0.95, image.shape[1])
    noise = np.random.default_rng(0).normal(0, 3, image.shape)

    found = Grounds.of(np.clip(image * light + noise, 0, 255).astype(np.uint8))

    assert not found.areas.any() and not found.inverted.any()


def test_frames_and_rules_are_no_areas() -> None:
    """A table and the dark edge of a scan are not filled."""
    image = page(BELOW, (1000, 300))
    draw = ImageDraw.Draw(image)
    for left, top in product(range(60, 900, 140), (60, 130, 200)):
        draw.rectangle((left, top, left + 140, top + 70), outline=0, width=4)
    draw.rectangle((0, 0, 999, 299), outline=0, width=20)

    assert not Grounds.of(np.asarray(image)).inverted[60:270, 60:900].any()


def test_blackened_box_is_paper_for_ocr() -> None:
    """What an earlier redaction covered is white to OCR, and stays black on the page."""
    image = page(BELOW, (1000, 300))
    ImageDraw.Draw(image).rectangle(BAND, fill=0)

    seen = clean(image).pixels
    canvas = Canvas.of(image)
    assert canvas
    after = canvas.painted(canvas.pixels, np.ones((300, 1000), np.bool_))

    assert (seen[BAND.within()] > 200).mean() > 0.98
    assert np.array_equal(np.asarray(after), np.asarray(image))


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "CMYK", "I", "RGBA"])
def test_what_is_painted_is_inverted_back(mode: str) -> None:
    """Black painted on the canvas of a dark area is white on the page, whatever its mode."""
    image = banded(0, 255).convert("RGB").convert("L" if mode == "I" else mode).convert(mode)
    canvas = Canvas.of(image)
    assert canvas
    pixels, changed = canvas.pixels.copy(), np.zeros((300, 1000), np.bool_)
    pixels[120:150, 600:650] = 0
    changed[120:150, 600:650] = True

    after = canvas.painted(pixels, changed)

    assert (np.asarray(after.convert("L" if mode != "I" else "I"))[120:150, 600:650] >= 254).all()
    outside = ~changed
    before = np.asarray(image)[outside]
    assert np.array_equal(np.asarray(after)[outside], before)


def test_sheet_knows_which_paper_is_elsewhere() -> None:
    """Paper of another area is not taken to cover a value."""
    sheet = Sheet.of(banded(150, 0))
    around = Box(0, 0, 1000, 300)

    other = sheet.elsewhere(VALUE, around)

    assert not other[BAND.grown(-2, -2).within()].any()
    assert other[200:].all() and other[:96].all()


@pytest.mark.parametrize("width", [8, 20, 40])
@pytest.mark.parametrize("level", [0, 120])
def test_dark_frame_around_a_page_is_no_dark_area(width: int, level: int) -> None:
    """The edges of a photocopy enclose paper."""
    page = np.random.default_rng(0).normal(250, 3, (800, 600)).clip(0, 255).astype(np.uint8)
    page[:width] = page[-width:] = level
    page[:, :width] = page[:, -width:] = level

    grounds = Grounds.of(page)

    inner = np.s_[width + 6 : -width - 6, width + 6 : -width - 6]
    assert not grounds.inverted[inner].any()
    assert (grounds.pixels[inner] == page[inner]).all()
