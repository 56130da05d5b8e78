"""On a page that lies askew, a value's ink goes as on a level one."""

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw
from presidio_analyzer import RecognizerResult

from presidio_cdip.imaging.painting.level import Level
from presidio_cdip.imaging.painting.replacing import Filler, Replacer
from presidio_cdip.imaging.painting.strokes import Strokes
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.reading.layout import LayoutText, layout_text
from presidio_cdip.imaging.words import Box, Word

from ..drawing import face

SIZE = (1200, 420)
VALUE = "1209 Rosewood Court, Hamilton"
NEAR = [(60, 150, "Present home address of the employee, with street"), (60, 250, "Telephone")]


def layer(what: str, degrees: float, rule: int = 240) -> np.ndarray:
    """Draw labels close above and below a value with a rule under it, or the value, askew."""
    image = Image.new("L", (2 * SIZE[0], 2 * SIZE[1]), 255)
    draw = ImageDraw.Draw(image)
    if what == "value":
        draw.text((2 * 70, 2 * 186), VALUE, font=face(76), fill=0)
    else:
        for left, top, text in NEAR:
            draw.text((2 * left, 2 * top), text, font=face(56), fill=0)
        draw.line((2 * 60, 2 * rule, 2 * 1140, 2 * rule), 0, 6)
    turned = image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255)
    return np.asarray(turned.resize(SIZE, Image.Resampling.BOX))


def words_of(degrees: float) -> list[Word]:
    """Return the value's words with their boxes on the page."""
    image = Image.new("L", SIZE)
    turn, found, left = np.radians(degrees), [], 70.0
    for text in VALUE.split():
        box = ImageDraw.Draw(image).textbbox((left, 186), text, font=face(38))
        x, y = np.meshgrid(np.subtract(box[::2], SIZE[0] / 2), np.subtract(box[1::2], SIZE[1] / 2))
        across = x * np.cos(turn) + y * np.sin(turn) + SIZE[0] / 2
        down = y * np.cos(turn) - x * np.sin(turn) + SIZE[1] / 2
        ends = np.array([across.min(), down.min(), across.max() + 1, down.max() + 1]).astype(int)
        found.append(Word(text, Box(*ends.tolist())))
        left += face(38).getlength(f"{text} ")
    return found


def finding_of(layout: LayoutText, text: str) -> PageFinding:
    """Return the finding of *text*."""
    start = layout.text.index(text)
    end = start + len(text)
    return PageFinding(
        RecognizerResult("HOME_ADDRESS", start, end, 0.9), line_boxes(layout, start, end, SIZE)
    )


@pytest.mark.slow
@pytest.mark.parametrize("text", [VALUE, "09 Rosewood"])
@pytest.mark.parametrize("degrees", [-5, -2, 0, 3, 5])
def test_value_on_a_sloping_line_goes_and_its_neighbours_stay(degrees: float, text: str) -> None:
    """Labels above and below it and the rule under it keep their ink; a part of a word is cut."""
    value, other = layer("value", degrees), layer("labels", degrees)
    page = np.minimum(value, other)
    layout = layout_text(words_of(degrees))
    finding = finding_of(layout, text)
    worker = Replacer(Image.fromarray(page), layout, (), None)

    worker.erase(finding)

    after = np.asarray(worker.image)
    assert worker.left(finding) == 0
    assert (after[other < 100] < 130).mean() > 0.998
    if text == VALUE:
        assert (after[(value < 100) & (other > 250)] > 200).all()
    else:
        assert 0.15 < (after[value < 100] > 200).mean() < 0.5


@pytest.mark.parametrize("degrees", [-4, -1, 0, 2, 5])
def test_a_sloping_rule_is_redrawn_without_steps(degrees: float) -> None:
    """Where a value's feet stood on a rule it is almost as it would be without them."""
    value, other = layer("value", degrees), layer("labels", degrees, 222)
    layout = layout_text(words_of(degrees))
    worker = Replacer(Image.fromarray(np.minimum(value, other)), layout, (), None)

    worker.erase(finding_of(layout, VALUE))

    after = np.asarray(worker.image).astype(int)
    touched = cv2.dilate((value < 250).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    off = np.abs(after - other)[touched & (other < 200)]
    assert off.size > 500
    assert off.mean() < 8


def test_ink_that_is_left_on_a_sloping_line_is_counted() -> None:
    """A filled box that misses part of the value is seen, and one that holds it is enough."""
    page = Image.fromarray(np.minimum(layer("value", 5), layer("labels", 5)))
    layout = layout_text(words_of(5))
    whole, part = finding_of(layout, VALUE), finding_of(layout, "Court,")
    filler = Filler(page, "black", "black", layout=layout)

    filler.erase(part)

    assert filler.left(part) == 0 < filler.left(whole)


@pytest.mark.parametrize("slope", [-0.09, 0.02, 0.09])
def test_pixels_of_the_level_copy_are_those_of_the_page(slope: float) -> None:
    """What is marked on the copy is found at the same print on the page, to the pixel."""
    rng = np.random.default_rng(5)
    page = rng.integers(0, 255, (90, 160), np.uint8)
    level = Level(slope, (160, 90))
    copy = level.pixels(page)
    near = Box(20, 15, 150, 85)
    dark = copy[near.within()] < 90
    strokes = Strokes(near, dark, dark, dark, near, ())

    found = level.strokes_on_page(strokes)

    back = np.zeros(page.shape, np.bool_)
    back[found.near.within()] = found.gone
    assert (page[back] < 90).all()
    inner = np.s_[35:60, 50:120]
    assert (back[inner] == (page[inner] < 90)).all()


def test_box_of_a_sloping_line_is_as_high_as_its_print() -> None:
    """Words of one line, whose boxes on the page are far apart, stand beside each other."""
    level = Level(0.1, (1000, 500))

    left, right = level.box(Box(100, 100, 303, 150)), level.box(Box(700, 160, 903, 210))

    assert left.height == right.height == 30
    assert left.top == right.top
    assert abs(left.width - 200) <= 1
