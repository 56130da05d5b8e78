"""All of a value's ink goes, and no other ink."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw
from presidio_analyzer import RecognizerResult

from presidio_cdip.imaging.painting.replacing import Replacer
from presidio_cdip.imaging.painting.strokes import Strokes, _gaps
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.words import Box, Word

from ..drawing import typeset


def erased(page: Image.Image, words: Sequence[Word], value: str) -> tuple[Replacer, PageFinding]:
    """Erase *value*, a person, from *page*; return the worker and the finding."""
    layout = layout_text(words)
    start = layout.text.index(value)
    end = start + len(value)
    boxes = line_boxes(layout, start, end, page.size)
    finding = PageFinding(RecognizerResult("PERSON", start, end, 0.9), boxes)
    worker = Replacer(page, layout, (), None)
    worker.erase(finding)
    return worker, finding


def test_stamp_of_another_colour_stays() -> None:
    """A red stamp over a black value is there afterwards, and the value is not."""
    image, words = typeset([(60, 70, "Name: Edelman")], grain=0)
    page = np.stack([np.asarray(image)] * 3, axis=2)
    stamp = Image.new("L", image.size, 255)
    ImageDraw.Draw(stamp).ellipse((200, 30, 300, 110), outline=0, width=5)
    inked = np.asarray(stamp) == 0
    value = np.asarray(image) < 120
    page[inked] = np.minimum(page[inked], (205, 60, 70))

    worker, finding = erased(Image.fromarray(page), words, "Edelman")

    after = np.asarray(worker.image).astype(int)
    part = finding.parts[0].box.within()
    assert (after[part][value[part] & ~inked[part]].min(axis=1) > 150).all()
    only = inked & (np.asarray(image) > 225)
    assert (after[only] == page[only]).all()


def test_label_is_cut_between_its_letters() -> None:
    """Of a word that holds a label, too, each letter is either kept whole or erased whole."""
    image, words = typeset([(60, 70, "DOB:11/02/1950")])
    layout = layout_text(words)
    boxes = line_boxes(layout, 4, 14, image.size)
    worker = Replacer(image, layout, (), None)

    worker.erase(PageFinding(RecognizerResult("DATE_OF_BIRTH", 4, 14, 0.9), boxes))

    label, _ = typeset([(60, 70, "DOB:")])
    before, after = np.asarray(label) < 120, np.asarray(worker.image) < 120
    assert (before == after).all()


def test_dots_under_letters_are_drawn_again() -> None:
    """A dotted line that letters touched is whole afterwards, and nothing of them is left."""
    image, words = typeset([(60, 70, "Name: Jorgensen")], grain=0)
    page = np.array(image)
    lone = np.full_like(page, 255)
    for x in range(40, page.shape[1] - 40, 10):
        for canvas in (page, lone):
            cv2.circle(canvas, (x, words[1].box.bottom - 6), 1, 0, -1)

    worker, finding = erased(Image.fromarray(page), words, "Jorgensen")

    after = np.asarray(worker.image)
    part = finding.parts[0].box.within()
    assert (after[part][lone[part] == 0] < 60).mean() > 0.95
    assert (after[part][cv2.erode(lone, np.ones((5, 5), np.uint8))[part] == 255] > 180).all()
    assert worker.left(finding) == 0


def test_soft_edge_of_an_underline_is_not_a_letters() -> None:
    """Where a faint row above it is as dark as the edges of letters, the rule is not redrawn."""
    image, words = typeset([(60, 70, "Name: Mannheim")], grain=0)
    page, rng = np.array(image), np.random.default_rng(0)
    row = words[1].box.bottom + 3
    page[row - 1, 40:660] = rng.integers(188, 206, 620)
    page[row, 40:660] = rng.integers(50, 120, 620)

    worker, finding = erased(Image.fromarray(page), words, "Mannheim")

    after = np.asarray(worker.image)
    assert (after[row] == page[row]).all()
    assert (after[words[1].box.within()] > 180).all()
    assert worker.left(finding) == 0


@pytest.mark.parametrize("broken", [False, True])
def test_letters_that_ocr_left_out_go_with_the_value(broken: bool) -> None:
    """Those close to it, in no word, whole or in pieces; a word at the distance of one stays."""
    image, words = typeset([(60, 70, "Tel. 3521407 Fax 35")], grain=0)
    value = words[1]
    if broken:
        pixels = np.array(image)
        middle = (value.box.top + value.box.bottom) // 2
        for row in (middle - 4, middle + 3):
            pixels[row : row + 2, value.box.left : value.box.right] = 236
        image = Image.fromarray(pixels)
    third = value.box.width // 7 * 2
    cut = replace(value, text="35214", box=value.box._replace(right=value.box.right - third))
    layout = layout_text([words[0], cut, words[2]])
    start = layout.text.index("35214")
    boxes = line_boxes(layout, start, start + 5, image.size)
    worker = Replacer(image, layout, (), None)

    worker.erase(PageFinding(RecognizerResult("PHONE", start, start + 5, 0.9), boxes))

    before, after = (np.asarray(one) < 128 for one in (image, worker.image))
    assert before[value.box.within()].any()
    assert not after[value.box.within()].any()
    for word in (words[0], *words[2:]):
        assert (before == after)[word.box.within()].all()


def test_piece_that_broke_off_a_letter_goes_with_it() -> None:
    """The bar of a broken letter is erased, where OCR's box begins below it; a label stays."""
    image, words = typeset([(60, 40, "Born in"), (60, 76, "Fresno Ohio")], "sans-swiss", grain=0)
    value = words[2]
    pixels = np.array(image)
    pixels[value.box.top + 4 : value.box.top + 6, value.box.left : value.box.left + 20] = 236
    image = Image.fromarray(pixels)
    low = replace(value, box=value.box._replace(top=value.box.top + 6))
    layout = layout_text([*words[:2], low, words[3]])
    start = layout.text.index("Fresno")
    boxes = line_boxes(layout, start, start + 6, image.size)
    worker = Replacer(image, layout, (), None)

    worker.erase(PageFinding(RecognizerResult("PLACE_OF_BIRTH", start, start + 6, 0.9), boxes))

    before, after = (np.asarray(one) < 128 for one in (image, worker.image))
    assert before[value.box.top : value.box.top + 4].any()
    assert not after[value.box.within()].any()
    for word in (*words[:2], words[3]):
        assert (before == after)[word.box.within()].all()


@pytest.mark.parametrize(("dots", "goes"), [(1, True), (5, False)])
def test_full_stop_that_ocr_left_out_goes_with_the_value(dots: int, goes: bool) -> None:
    """It is close to the value, and in no word; the first of a row of dots stays."""
    image, words = typeset([(60, 70, "Lincoln Blvd")], grain=0)
    pixels, value = np.array(image), words[1].box
    for left in range(value.right + 6, value.right + 6 + 16 * dots, 16):
        pixels[66:70, left : left + 4] = 40

    worker, _ = erased(Image.fromarray(pixels), words, "Lincoln Blvd")

    first = np.s_[66:70, value.right + 6 : value.right + 10]
    assert (np.asarray(worker.image)[first].min() > 180) == goes


def test_end_of_a_stroke_that_broke_off_goes_with_it() -> None:
    """It lies where OCR saw the value, though below most of its letters."""
    image, words = typeset([(60, 70, "3/14/1917")], "serif-modern", 30.0, grain=0)
    value = words[0].box
    pixels = np.array(image)
    lowest = value.left + int(np.argmin(pixels[value.bottom - 2, value.left : value.right]))
    tip = np.s_[value.bottom + 2 : value.bottom + 5, lowest : lowest + 3]
    pixels[tip] = 40
    seen = replace(words[0], box=value._replace(bottom=value.bottom + 5))

    worker, _ = erased(Image.fromarray(pixels), [seen], "3/14/1917")

    assert np.asarray(worker.image)[tip].min() > 180


def test_gaps_are_between_ink() -> None:
    """Margins are no gaps."""
    assert _gaps([0, 0, 1, 0, 2, 2, 0, 0, 0, 1, 0]) == [3, 7]
    assert _gaps([0, 0]) == []


def test_dots_of_a_shaded_cell_are_not_taken_for_ink_that_is_left() -> None:
    """Paper of dots as black as the ink is copied over it; some dots lie where ink was."""
    image, words = typeset([(60, 70, "Name: Edelman")], grain=0)
    page = np.where(np.asarray(image) < 128, np.uint8(0), np.uint8(255))
    page = np.pad(page, ((0, 300), (0, 0)), constant_values=255)
    rows, columns = np.indices(page.shape)
    cell = (rows > 40) & (rows < 150) & (columns > 30) & (columns < 470)
    page[cell & (rows % 4 < 2) & (columns % 4 < 2)] = 0

    worker, finding = erased(Image.fromarray(page), words, "Edelman")

    assert worker.left(finding) == 0
    part = np.asarray(worker.image)[finding.parts[0].box.within()]
    assert (part < 128).mean() == pytest.approx(0.25, abs=0.1)


@pytest.mark.parametrize("colour", [(0, 0, 200), (200, 0, 0), (20, 20, 120)])
def test_coloured_value_on_a_black_line_is_no_stamp(colour: tuple[int, int, int]) -> None:
    """The line's black does not make the value's own ink another colour."""
    image, words = typeset([(60, 70, "Name: Hermitage")])
    grey = np.asarray(image)
    page = np.stack([grey] * 3, axis=2)
    own = (grey < 200) & (np.arange(grey.shape[1]) > words[1].box.left - 3)
    page[own] = colour
    page[73:76, 40:400] = 0

    worker, finding = erased(Image.fromarray(page), words, "Hermitage")

    left = np.abs(np.asarray(worker.image).astype(int) - colour).sum(axis=2) < 60
    left[70:79] = False
    assert worker.left(finding) == 0
    assert not left.any()


def test_neighbour_with_the_box_of_its_line_does_not_hide_a_value() -> None:
    """OCR gives such boxes; the value is erased all the same."""
    image, words = typeset([(60, 70, "Name: Hermitage Court")])
    line = words[0].box.union(words[-1].box)
    layout = layout_text(words)
    poor = tuple(replace(word, box=line) if word.text == "Court" else word for word in words)
    start = layout.text.index("Hermitage")
    boxes = line_boxes(layout, start, start + 9, image.size)
    worker = Replacer(image, replace(layout, words=poor), (), None)

    worker.erase(PageFinding(RecognizerResult("PERSON", start, start + 9, 0.9), boxes))

    value = np.asarray(worker.image)[words[1].box.within()]
    assert (value > 150).all()


def test_ink_that_was_taken_for_other_ink_counts_as_left() -> None:
    """What stands in OCR's own box and did not change is the value's, whatever it looked like."""
    mask = np.zeros((4, 4), np.bool_)
    boxed = np.ones((4, 4), np.bool_)
    strokes = Strokes(Box(0, 0, 4, 4), mask, mask, boxed, Box(0, 0, 4, 4), ())

    assert strokes.left(np.zeros((4, 4), np.bool_)) == 16
    assert strokes.left(boxed) == 0


@pytest.mark.parametrize("cutting", [False, True])
def test_wider_box_cuts_other_words_only_where_it_must(cutting: bool) -> None:
    """A box that reaches into the next line erases specks, and at first leaves that line whole."""
    lines = [(60, 70, "Name: Edelman"), (60, 92, "While delighted")]
    image, words = typeset(lines, grain=0)
    below, _ = typeset(lines[1:], grain=0)
    page = np.array(image)
    speck = words[1].box.right + 4, words[1].box.bottom - 4
    page[speck[1], speck[0]] = 0
    worker, finding = erased(Image.fromarray(page), words, "Edelman")

    wider = finding.widened(image.size, cutting)
    worker.erase(wider)

    after = np.asarray(worker.image)
    assert wider.boxes[0].overlaps(words[2].box.union(words[3].box))
    assert (after[words[1].box.within()] > 150).all()
    assert after[speck[::-1]] > 150
    stays = np.asarray(below) < 120
    assert (after < 120)[stays].all() != cutting
