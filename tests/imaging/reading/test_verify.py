"""The second look tells an original that can still be read from everything else."""

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from presidio_analyzer import RecognizerResult

from presidio_cdip.imaging.page.clean import Grey
from presidio_cdip.imaging.painting.erase import fill
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.imaging.reading.verify import still_readable
from presidio_cdip.imaging.words import Box, Word

from ..drawing import page

IMAGE = page([], (1000, 300))


def finding(text: str, value: str) -> PageFinding:
    """*value* in a line of words 20 pixels a character, at 100 pixels from the top."""
    words, column = [], 0
    for part in text.split(" "):
        words.append(Word(part, Box(column * 20, 100, (column + len(part)) * 20, 130)))
        column += len(part) + 1
    layout, start = layout_text(words), text.index(value)
    result = RecognizerResult("X", start, start + len(value), 1.0)
    return PageFinding(result, line_boxes(layout, start, start + len(value), IMAGE.size))


def seen(text: str, left: int, top: int = 100) -> Word:
    """A word that the second look reads there."""
    return Word(text, Box(left, top, left + 20 * len(text), top + 30), 90.0)


@pytest.mark.parametrize(
    ("value", "word", "readable"),
    [
        ("11/02/1950", seen("11/02/1950", 100), True),
        ("11/02/1950", seen("1950", 220), True),
        ("11/02/1950", seen("l1/02/195O", 100), True),
        ("11/02/1950", seen("DOB:", 0), False),
        ("11/02/1950", seen("50", 310), False),
        ("11/02/1950", seen("11/02/1950", 100, top=160), False),
        ("11/02/1950", seen("11/02/1950", 500), False),
        ("John Smith", seen("SMITH,", 200), True),
        ("John Smith", seen("Smithson", 200), True),
        ("John Smith", seen("Jmith", 200), True),
        ("John Smith", seen("Smithers", 310), False),
        ("John Smith", seen("Smyth", 200), False),
        ("John Smith", seen("iE", 120), False),
        ("M", seen("M", 100), True),
        ("M", seen("N", 100), False),
        ("34", seen("34", 100), True),
    ],
)
def test_what_gives_an_original_away(
    value: str, word: Word, readable: bool, doubles: ModuleType
) -> None:
    """Four characters in a row, or a whole word, and only where it stood."""
    found = finding(f"DOB: {value}", value)

    left = still_readable(IMAGE, [found], look=doubles.Sees(word))

    assert left == ([found] if readable else [])


def test_value_read_in_pieces_is_readable(doubles: ModuleType) -> None:
    """A value is still found if OCR splits one word into pieces."""
    found = finding("SSN: 123-45-6789", "123-45-6789")

    left = still_readable(IMAGE, [found], look=doubles.Sees(seen("6-7", 200), seen("89", 280)))

    assert left == [found]


def test_nothing_erased_is_nothing_to_read(doubles: ModuleType) -> None:
    """Without a box no OCR is run."""
    look = doubles.Sees(seen("word", 0))

    assert still_readable(IMAGE, [], look=look) == []
    assert look.asked == 0


def test_rubbish_gives_nothing_away(doubles: ModuleType) -> None:
    """Signs of no width, off the page and of strange letters are no original."""
    found = finding("DOB: 11/02/1950", "11/02/1950")

    assert still_readable(IMAGE, [found], look=doubles.Rubbish()) == []


def test_readings_are_not_mixed(doubles: ModuleType) -> None:
    """Pieces that one reading sees together give a value away, pieces of two readings do not."""
    found = finding("SSN: 123-45-6789", "123-45-6789")
    pieces = [seen("6-7", 200), seen("89", 280)]
    other = replace(seen("x", 230), block=1)
    apart = [pieces[0], replace(pieces[1], block=1)]

    assert still_readable(IMAGE, [found], look=doubles.Sees(*pieces, other)) == [found]
    assert still_readable(IMAGE, [found], look=doubles.Sees(*apart)) == []


def painted(text: str, value: str, instead: str) -> PageFinding:
    """The finding with a surrogate in its place."""
    one = finding(text, value)
    return replace(one, parts=(replace(one.parts[0], instead=instead),))


@pytest.mark.parametrize(
    ("value", "instead", "words", "readable"),
    [
        ("John Smith", "John Brown", "John Brown", False),
        ("John Smith", "John Brown", "John Smith", True),
        ("123-45-6789", "987-45-6789", "987-45-6789", False),
        ("123-45-6789", "987-45-6789", "123-45-6789", True),
        ("11/02/1950", "03/14/1950", "03/14/1950", False),
        ("11/02/1950", "03/14/1950", "11/02/1950", True),
        ("John Smith", "John Brown", "", False),
        ("12 Elm Street", "7 Oak Street", "7 Oak Street", False),
        ("12 Elm Street", "7 Oak Street", "12 Elm Street", True),
        ("sings at church", "prays meeting", "prays mee sing", False),  # "ting"
        ("sings at church", "attends meeting", "attends meetings", False),
        ("sings at church", "prays meeting", "prays sings", True),
    ],
)
def test_what_a_surrogate_shares_with_the_original_is_no_leak(
    value: str, instead: str, words: str, readable: bool, doubles: ModuleType
) -> None:
    """A word or digits of both give nothing away; what only the original has does."""
    one, at = painted(f"DOB: {value}", value, instead), 100
    read = []
    for word in words.split():
        read.append(seen(word, at))
        at += 20 * (len(word) + 1)

    left = still_readable(IMAGE, [one], look=doubles.Sees(*read))

    assert left == ([one] if readable else [])


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_real_page_is_read_again() -> None:
    """An erased value is not read, another one is; the same name elsewhere does not count."""
    image = page(
        [(60, 40, "Patient: John Smith"), (60, 120, "DOB:11/02/1950"), (60, 240, "John Smith")]
    )
    layout = layout_text(read_words(image))
    findings = [
        PageFinding(
            RecognizerResult(entity, start, start + len(value), 1.0),
            line_boxes(layout, start, start + len(value), image.size),
        )
        for entity, value in (("PERSON", "John Smith"), ("DATE_OF_BIRTH", "11/02/1950"))
        for start in [layout.text.index(value)]
    ]

    for colour in ("black", "white"):
        name = fill(image, findings[0].boxes, colour)
        both = fill(name, findings[1].boxes, colour)

        assert still_readable(image, findings) == findings
        assert still_readable(name, findings) == findings[1:]
        assert still_readable(both, findings) == []


LEFT: dict[str, Callable[[Grey, Grey], Grey]] = {
    "whole": lambda old, new: old,
    "its first half": lambda old, new: np.where(before(old, 0.5), old, new),
    "its second half": lambda old, new: np.where(before(old, 0.5), new, old),
    "faint": lambda old, new: new - (new - old) // 3,
    "without its feet": lambda old, new: np.where(before(old.T, 0.75).T, old, new),
    "noisy": lambda old, new: noisy(old),
}
"""What may be left of a value: of the pixels before and after erasing, those on the page."""


def before(pixels: Grey, share: float) -> NDArray[np.bool_]:
    """The mask of the first columns of the pixels."""
    columns = np.arange(pixels.shape[1]) < share * pixels.shape[1]
    return np.broadcast_to(columns, pixels.shape)


def noisy(pixels: Grey) -> Grey:
    """The pixels with noise on them."""
    noise = np.random.default_rng(1).normal(0, 50, pixels.shape)
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
@pytest.mark.parametrize("left", LEFT)
def test_leftovers_are_read(left: str) -> None:
    """What was not erased well is read, between other lines and beside another word."""
    rows = ["Name of the patient", "Patient: Katherine Miller", "Address and telephone"]
    image = page([(60, 40 + 42 * row, text) for row, text in enumerate(rows)])
    layout = layout_text(read_words(image))
    start = layout.text.index("Katherine Miller")
    boxes = line_boxes(layout, start, start + 16, image.size)
    one = PageFinding(RecognizerResult("PERSON", start, start + 16, 1.0), boxes)
    clean = fill(image, one.boxes, "white")
    pixels, part = np.array(clean), boxes[0].box.within()
    pixels[part] = LEFT[left](np.asarray(image)[part], pixels[part])

    assert still_readable(Image.fromarray(pixels), [one]) == [one]
    assert still_readable(clean, [one]) == []
