"""Check boxes are found by their ink, whatever is in them; letters and cells are none."""

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from PIL import Image, ImageDraw

from presidio_cdip.imaging.page.checkboxes import CheckBox, checkboxes, without
from presidio_cdip.imaging.page.clean import clean, ink_of
from presidio_cdip.imaging.words import Box

from ..drawing import face, page

OPTIONS = [(120 + 300 * column, 60 + 70 * row, "Option") for row in range(3) for column in range(3)]
SIDE = 30
MARKS = {
    "cross": [[(5, 5), (25, 25)], [(5, 25), (25, 5)]],
    "check": [[(6, 15), (13, 24), (25, 6)]],
    "stroke out of the box": [[(6, 12), (14, 25), (42, -14)]],
    "scribble": [[(6, 8), (24, 12), (7, 17), (23, 22), (10, 26)]],
    "filled": [[(0, y), (29, y)] for y in range(30)],
}


def form(ticked: Iterable[int] = (), mark: str = "cross", size: int = SIDE) -> Image.Image:
    """Return a page with a box before each of `OPTIONS`, of which *ticked* are marked."""
    image = page(OPTIONS)
    draw = ImageDraw.Draw(image)
    for number, (left, top, _) in enumerate(OPTIONS):
        x, y = left - size - 12, top + 20 - size // 2
        draw.rectangle((x, y, x + size - 1, y + size - 1), outline=0, width=2)
        for line in MARKS[mark] if number in ticked else ():
            draw.line([(x + a * size / SIDE, y + b * size / SIDE) for a, b in line], 0, 3)
    return image


def found(image: Image.Image) -> list[CheckBox]:
    """Return the boxes of a page."""
    cleaned = clean(image)
    return checkboxes(ink_of(cleaned.pixels), cleaned.solids)


def marked(boxes: Iterable[CheckBox]) -> list[bool | None]:
    """Return for each of `OPTIONS` whether its box is marked; None if there is none."""
    seen: dict[int, bool] = {}
    for one in boxes:
        row, column = round((one.box.top - 60) / 70), round((one.box.left - 80) / 300)
        seen[3 * row + column] = one.marked
    return [seen.get(number) for number in range(len(OPTIONS))]


def drawn(sketch: Callable[[ImageDraw.ImageDraw], object]) -> Image.Image:
    """Return a page with words and what *sketch* draws."""
    image = page([(40, 220, "The words of a page tell how high its letters are.")])
    sketch(ImageDraw.Draw(image))
    return image


@pytest.mark.parametrize("mark", MARKS)
def test_boxes_are_empty_or_marked(mark: str) -> None:
    """Every box is found, and those with a mark in them are told from the others."""
    ticked = {1, 5, 6}

    boxes = found(form(ticked, mark))

    assert marked(boxes) == [number in ticked for number in range(9)]


@pytest.mark.parametrize("size", [22, 38, 46])
def test_boxes_of_any_size_are_found(size: int) -> None:
    """A box is as high as a small letter, or as two lines."""
    assert marked(found(form({4}, size=size))) == [number == 4 for number in range(9)]


@pytest.mark.parametrize("degrees", [-3, 3])
def test_boxes_of_a_skewed_page_are_found(degrees: int) -> None:
    """A page is straightened before its boxes are looked for."""
    image = form({0, 8}).rotate(degrees, Image.Resampling.BICUBIC, fillcolor=255)

    assert sum(one.marked for one in found(image)) == 2
    assert len(found(image)) == 9


def test_boxes_of_a_coarse_scan_are_found() -> None:
    """At a third of the size, in black and white, boxes are found as well."""
    small = form({3}).resize((420, 126), Image.Resampling.BOX)

    boxes = found(small.point(lambda grey: 255 * (grey > 170)).convert("1"))

    assert sorted(one.marked for one in boxes) == [False] * 8 + [True]


@pytest.mark.parametrize("text", ["O D 0 Q OO DD 00", "DOODLE BOOK 8080", "B H E I L U"])
@pytest.mark.parametrize("name", ["DejaVuSans", "DejaVuSansMono-Bold", "DejaVuSerif-Bold"])
def test_letters_are_no_boxes(text: str, name: str) -> None:
    """A letter has no four straight sides that meet in corners."""
    image = drawn(lambda draw: draw.text((60, 60), text, font=face(40, name), fill=0))

    assert not found(image)


def test_cells_of_a_table_are_no_boxes() -> None:
    """The lines of a cell go on beyond its corners."""

    def table(draw: ImageDraw.ImageDraw) -> None:
        for x in range(60, 60 + 9 * 34, 34):
            draw.line((x, 40, x, 40 + 4 * 34), 0, 2)
        for y in range(40, 40 + 5 * 34, 34):
            draw.line((60, y, 60 + 8 * 34, y), 0, 2)

    assert not found(drawn(table))


def test_places_for_letters_are_no_boxes() -> None:
    """Squares side by side are filled in with the letters of one entry."""

    def places(draw: ImageDraw.ImageDraw) -> None:
        for x in range(60, 60 + 9 * 36, 36):
            draw.rectangle((x, 60, x + 29, 89), outline=0, width=2)

    assert not found(drawn(places))


def test_a_black_square_alone_is_no_box() -> None:
    """A bullet is as black as a box that is filled in, but there is no empty one of its size."""

    def bullets(draw: ImageDraw.ImageDraw) -> None:
        for y in (40, 90, 140):
            draw.rectangle((60, y, 85, y + 25), fill=0)

    assert not found(drawn(bullets))


def test_boxes_are_taken_out_with_their_strokes() -> None:
    """A mark's stroke goes with its box; the words beside it stay."""
    image = form({4}, "stroke out of the box")
    pixels = np.asarray(image)
    ink = ink_of(pixels)

    bare = without(pixels, ink, checkboxes(ink))

    assert np.array_equal(bare, np.asarray(page(OPTIONS)))


def test_a_blank_page_has_no_boxes() -> None:
    """Without letters there is nothing that says how large boxes are."""
    assert checkboxes(np.zeros((200, 300), np.uint8)) == []
    assert checkboxes(ink_of(np.full((200, 300), 255, np.uint8)), [Box(10, 10, 40, 40)]) == []
