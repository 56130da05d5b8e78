"""The mark of a check box moves to another one, and everything else on the page stays."""

from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from PIL import Image, ImageDraw
from presidio_analyzer import RecognizerResult

from presidio_cdip.imaging.page.checkboxes import checkboxes
from presidio_cdip.imaging.page.clean import Grey, clean, ink_of
from presidio_cdip.imaging.page.pages import Page
from presidio_cdip.imaging.painting.marks import Marks
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.reading.layout import LayoutText, layout_text
from presidio_cdip.imaging.redaction import PageFindings, PageReport, RedactionOptions, treat
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.words import EMPTY, MARKED, Box, Word
from presidio_cdip.surrogates.engine import Surrogates

from ..drawing import face, speckled

OPTIONS = ("White", "Oriental", "Mexican")
CROSS = [[(5, 5), (25, 25)], [(5, 25), (25, 5)]]
CHECK = [[(6, 12), (14, 25), (38, -14)]]
OVER_WORD = [[(6, 12), (14, 25), (60, 20)]]


Form = tuple[Image.Image, LayoutText]


def form(
    mark: Sequence[Sequence[tuple[int, int]]] = CROSS, ticked: int = 1, sides: Sequence[int] = ()
) -> Form:
    """Return a page that prints a question with its options, and its words as OCR reads them."""
    image = Image.new("L", (1000, 160), 235)
    draw = ImageDraw.Draw(image)
    words: list[Word] = []

    def put(left: int, text: str) -> None:
        draw.text((left, 60), text, font=face(), fill=20)
        edges = draw.textbbox((left, 60), text, font=face())
        words.append(Word(text, Box(*map(round, edges))))

    put(40, "Race:")
    for number, option in enumerate(OPTIONS):
        left, top, side = 180 + 260 * number, 62, (*sides, 30, 30, 30)[number]
        frame = Box(left, top, left + side, top + side)
        draw.rectangle((left, top, left + side - 1, top + side - 1), outline=20, width=2)
        for line in mark if number == ticked else ():
            draw.line([(left + x, top + y) for x, y in line], 20, 3)
        words.append(Word(MARKED if number == ticked else EMPTY, frame))
        put(left + 44, option)
    return image, layout_text(words)


def bracketed(pair: str, ticked: int, face_name: str = "DejaVuSerif", empty: str = "") -> Form:
    """Return a page whose boxes are typed brackets, and its words as OCR reads them."""
    image = Image.new("L", (1000, 160), 235)
    draw = ImageDraw.Draw(image)
    words: list[Word] = []
    texts = [(40, "Race:", "Race:")]
    for number, option in enumerate(OPTIONS):
        left, mark = 180 + 260 * number, "X" if number == ticked else ""
        texts.append((left, pair[0] + (mark or " ") + pair[1], pair[0] + (mark or empty) + pair[1]))
        texts.append((left + 60, option, option))
    for left, text, read in texts:
        draw.text((left, 60), text, font=face(30, face_name), fill=20)
        edges = draw.textbbox((left, 60), text, font=face(30, face_name))
        words.append(Word(read, Box(*map(round, edges))))
    return image, layout_text(words)


def found(image: Image.Image, layout: LayoutText) -> PageFindings:
    """The ticked option is found."""
    start = layout.text.index("Oriental")
    result = RecognizerResult("ETHNIC_ORIGIN", start, start + 8, 1.0)
    boxes = line_boxes(layout, start, start + 8, image.size)
    return PageFindings("form", 0, (PageFinding(result, boxes),), layout, 0, image.size)


def redacted(
    image: Image.Image, layout: LayoutText, source: Surrogates, doubles: ModuleType
) -> tuple[Image.Image, PageReport]:
    """The page with surrogates, on which OCR reads nothing again."""
    options = RedactionOptions("surrogate", source)
    return treat(Page(image), found(image, layout), options, look=doubles.Sees())


def marks(image: Image.Image) -> list[bool]:
    """Which boxes of a page have a mark, from left to right."""
    page = clean(image)
    boxes = checkboxes(ink_of(page.pixels), page.solids)
    return [one.marked for one in sorted(boxes, key=lambda one: one.box.left)]


def without_boxes(image: Image.Image, layout: LayoutText) -> Grey:
    """The page with white in the place of its boxes and their marks."""
    pixels = np.array(image)
    for word in layout.words:
        if word.text in (EMPTY, MARKED):
            pixels[word.box.grown(10, 20).within()] = 255
    return pixels


@pytest.mark.parametrize("mark", [CROSS, CHECK])
def test_a_mark_moves_and_nothing_else(
    mark: Sequence[Sequence[tuple[int, int]]], doubles: ModuleType
) -> None:
    """Whatever scope it is, one box is marked, in some scopes the first, in others the last."""
    image, layout = form(mark)
    image = speckled(image)
    ticked = set()
    for scope in range(8):
        source = Surrogates("a key of at least 16 bytes", str(scope))

        after, report = redacted(image, layout, source, doubles)

        seen = marks(after)
        assert (len(seen), sum(seen)) == (3, 1)
        assert (without_boxes(after, layout) == without_boxes(image, layout)).all()
        treated = report.treated[0]
        assert (treated.method, treated.face, treated.reason, treated.left) == (
            "surrogate",
            "",
            "",
            0,
        )
        assert len(treated.boxes) == 3
        ticked.add(seen.index(True))
    assert ticked == {0, 2}


@pytest.mark.parametrize("face_name", ["DejaVuSerif", "DejaVuSansMono"])
@pytest.mark.parametrize(("pair", "empty"), [("[]", ""), ("()", ""), ("()", "_"), ("[]", "_")])
def test_a_mark_in_typed_brackets_moves(
    pair: str, empty: str, face_name: str, doubles: ModuleType
) -> None:
    """Pairs of brackets change places, so that the page is as if another option were ticked."""
    image, layout = bracketed(pair, 1, face_name, empty)
    wanted = [np.asarray(bracketed(pair, at, face_name)[0]) < 120 for at in range(3)]
    ticked = set()
    for scope in range(8):
        source = Surrogates("a key of at least 16 bytes", str(scope))

        after, report = redacted(image, layout, source, doubles)

        assert (report.treated[0].method, report.treated[0].face) == ("surrogate", "")
        outside = np.asarray(after) != np.asarray(image)
        for left, top, right, bottom in report.treated[0].boxes:
            outside[top - 3 : bottom + 3, left - 3 : right + 3] = False
        assert not outside.any()
        off = [int(((np.asarray(after) < 120) ^ one).sum()) for one in wanted]
        assert min(off) < 20
        ticked.add(off.index(min(off)))
    assert ticked == {0, 2}


def test_a_mark_in_brackets_needs_room() -> None:
    """A pair of brackets is left out where one with a mark would touch the option behind it."""
    image, layout = bracketed("[]", 1)
    words = [
        replace(word, box=Box(word.box.left - 24, *word.box[1:]))
        if word.text == "Mexican"
        else word
        for word in layout.words
    ]

    places = Marks(layout_text(words), Sheet.of(image)).places

    assert len(places) == 2


def test_a_mark_takes_no_paper_along(doubles: ModuleType) -> None:
    """On a page that is darker on one side nothing shows where it stood."""
    image, layout = form()
    light = np.linspace(1.0, 0.72, image.width)
    image = Image.fromarray((np.asarray(image) * light).round().astype(np.uint8))
    paper = 235 * light
    source = Surrogates("a key of at least 16 bytes", "2")

    after, _ = redacted(image, layout, source, doubles)

    assert marks(after).index(True) != 1
    for word in layout.words:
        if word.text in (EMPTY, MARKED):
            at = word.box.grown(12, 12).within()
            off = np.abs(np.asarray(after)[at] - paper[None, at[1]])
            bare = np.asarray(after)[at] > 130
            assert np.percentile(off[bare], 97) < 12


def test_boxes_change_places_whole() -> None:
    """A box has every pixel of the other one, and of its strokes."""
    image, layout = form(CHECK)
    places = Marks(layout, Sheet.of(image))
    first, second, third = sorted(places.places)
    pixels = np.asarray(image).copy()

    there = places.exchange(first, second)

    at = there.near.within()
    part = pixels[at].copy()
    part[there.mask] = 235
    for to, by in there.redrawn:
        part[to] = pixels[at][by]
    pixels[at] = part
    assert (pixels == np.asarray(form(CHECK, ticked=0)[0])).all()
    assert there.boxes == (places.box(first), places.box(second))
    assert third in places.places


@pytest.mark.parametrize("drawn", [form(OVER_WORD), form(sides=[30, 44, 30])])
def test_a_mark_that_cannot_move_stays(
    drawn: tuple[Image.Image, LayoutText], doubles: ModuleType
) -> None:
    """A stroke through a word, or a box of another size: then the option is replaced."""
    image, layout = drawn
    source = Surrogates("a key of at least 16 bytes", "scope")

    after, report = redacted(image, layout, source, doubles)

    assert len(Marks(layout, Sheet.of(image)).places) == 2
    assert report.treated[0].face or report.treated[0].reason
    assert marks(after) == marks(image)


@pytest.mark.parametrize("options", [{"answers": "kept"}])
def test_no_mark_moves_where_answers_are_kept(options: dict[str, str], doubles: ModuleType) -> None:
    """The policy counts for page images, too."""
    image, layout = form()
    source = Surrogates("a key of at least 16 bytes", "scope", options=options)

    after, _ = redacted(image, layout, source, doubles)

    assert marks(after) == [False, True, False]
