"""A page may be turned to be read; findings are located on the page in its original orientation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pytesseract import pytesseract

from presidio_cdip.imaging.page.turning import boxes_back, turned, turns_to_try
from presidio_cdip.imaging.words import Box

from ..drawing import page

TURNS = st.integers(-4, 8)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "I;16", "F"])
def test_turning_there_and_back_changes_nothing(mode: str) -> None:
    """Every pixel of every mode is where it was."""
    noise = Image.effect_noise((30, 20), 90)
    image = Image.fromarray(np.asarray(noise).astype(np.uint16)) if mode == "I;16" else noise
    image = image if mode == "I;16" else noise.convert("RGB").convert(mode)

    for turns in range(-3, 6):
        there = turned(image, turns)

        assert there.size == ((20, 30) if turns % 2 else (30, 20))
        assert turned(there, -turns).tobytes() == image.tobytes()


def test_turns_are_counter_clockwise() -> None:
    """A quarter turn moves the right edge to the top."""
    image = Image.new("L", (3, 2), 0)
    image.putpixel((2, 0), 255)

    assert turned(image, 1).getpixel((0, 0)) == 255
    assert turned(image, 0) is image


@given(TURNS, st.integers(0, 20), st.integers(0, 20), st.integers(1, 9), st.integers(1, 9))
def test_box_comes_back_around_its_pixels(
    turns: int, left: int, top: int, width: int, height: int
) -> None:
    """The same pixels are in it, and no others."""
    size = (37, 31)
    there = turned(Image.new("L", size, 0), turns)
    box = Box(left, top, left + width, top + height)
    there.paste(255, box)

    (back,) = boxes_back([box], turns, size)

    assert turned(there, -turns).getbbox() == tuple(back)


def test_boxes_keep_their_order() -> None:
    """As many boxes are returned as were given, in the same order."""
    boxes = [Box(0, 0, 2, 1), Box(3, 4, 5, 6)]

    assert boxes_back(boxes, 0, (10, 20)) == tuple(boxes)
    assert len(boxes_back(boxes, 3, (10, 20))) == 2
    assert boxes_back([], 2, (10, 20)) == ()


def test_without_tesseract_upside_down_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a known direction upside down, the commonest, is tried first, never no turn."""
    monkeypatch.setattr(pytesseract, "tesseract_cmd", "no such program")

    assert turns_to_try(Image.new("L", (90, 90))) == [2, 1, 3]


def test_blank_page_is_tried_every_way(tesseract: str) -> None:
    """Tesseract reports no orientation for a blank page, so every turn is tried."""
    assert sorted(turns_to_try(Image.new("L", (90, 90), 255))) == [1, 2, 3]


@pytest.mark.slow
def test_tesseract_says_how_a_page_lies(tesseract: str) -> None:
    """The first turn that is tried sets it upright."""
    rows = [(40, 20 + 45 * row, "Name of the registrant: Daniel J. Edelman") for row in range(9)]
    image = turned(page(rows, (800, 450)), 1)

    assert turns_to_try(image)[0] == 3
