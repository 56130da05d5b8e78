"""Ink that looks like writing and was not read is a region; other ink is none."""

from itertools import product

import numpy as np
import pytest
from PIL import Image, ImageDraw

from presidio_cdip.imaging.reading import unread
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.imaging.reading.unread import unread_regions
from presidio_cdip.imaging.words import Box, Word

from ..drawing import face, page, speckled

SIZE = (1000, 500)
READ = [(60, 60, "Signature"), (60, 120, "The undersigned was examined")]
WORDS = [
    Word("Signature", Box(60, 66, 216, 96)),
    Word("The", Box(60, 126, 116, 150)),
    Word("undersigned", Box(128, 126, 324, 156)),
    Word("was", Box(334, 132, 396, 150)),
    Word("examined", Box(406, 126, 556, 150)),
]


def form() -> Image.Image:
    """Return a page on which all is read."""
    return page(READ, SIZE)


def signed(image: Image.Image) -> Image.Image:
    """Write loops of a pen in one stroke."""
    across = np.linspace(0, 1, 300)
    x = 300 + 260 * across + 14 * np.sin(75 * across)
    y = 300 + 26 * np.sin(60 * across) * (1 - 0.5 * across) + 12 * np.cos(11 * across)
    ImageDraw.Draw(image).line(list(zip(x.tolist(), y.tolist(), strict=True)), 0, 3)
    return image


def holds(regions: tuple[Box, ...], box: Box) -> bool:
    """Check that a region lies in *box*, and no other does elsewhere."""
    return (
        bool(regions)
        and all(box.left <= one.left and one.right <= box.right for one in regions)
        and all(box.top <= one.top and one.bottom <= box.bottom for one in regions)
    )


def test_page_that_was_read_has_no_regions() -> None:
    """Nor do its accents, points and descenders."""
    assert unread_regions(form(), WORDS) == ()


def test_signature_is_a_region() -> None:
    """One stroke of a pen that goes up and down many times is writing."""
    assert holds(unread_regions(signed(form()), WORDS), Box(270, 240, 600, 360))


@pytest.mark.parametrize("conf", [None, 12.0])
def test_line_that_was_dropped_is_a_region(conf: float | None) -> None:
    """Print in which OCR read nothing, or only rubbish of low confidence, is reported."""
    image = page([*READ, (300, 300, "John Smith")], SIZE)
    words = WORDS if conf is None else [*WORDS, Word("!~hn", Box(300, 300, 470, 335), conf)]

    assert holds(unread_regions(image, words), Box(295, 295, 480, 345))


def test_print_with_a_reading_of_low_confidence_is_no_region() -> None:
    """OCR is often unsure of fine print; what it read there is searched for values."""
    image = page([*READ, (300, 300, "John Smith")], SIZE)
    words = [
        *WORDS,
        Word("Jahn", Box(300, 306, 366, 330), 3.0),
        Word("Smith", Box(378, 306, 466, 330), 0.0),
    ]

    assert unread_regions(image, words) == ()


@pytest.mark.parametrize("text", ["March", "wrSCOWd"])
def test_pen_with_a_reading_of_low_confidence_is_a_region(text: str) -> None:
    """Not even if OCR took it for a word."""
    words = [*WORDS, Word(text, Box(280, 260, 580, 340), 12.0)]

    assert holds(unread_regions(signed(form()), words), Box(270, 240, 600, 360))


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_page_is_cleaned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page on which the words were read is also searched."""
    image = signed(form())
    words = read_words(image)
    expected = unread_regions(image, list(words))
    monkeypatch.setattr(unread, "clean", None)

    assert expected == unread_regions(image, words) != ()


def test_blank_page_is_not_cleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have a hundred million pixels."""
    monkeypatch.setattr(unread, "clean", lambda image: pytest.fail("cleaned"))

    assert unread_regions(Image.new("L", (80, 80), 255), []) == ()


def test_other_ink_is_no_region() -> None:
    """Rules, boxes to tick, solid bars, discs, specks and a frame are no writing."""
    image = form()
    draw = ImageDraw.Draw(image)
    draw.line((60, 220, 940, 220), 0, 3)
    for row, column in product(range(2), range(3)):
        draw.rectangle(
            (100 + 200 * column, 250 + 60 * row, 124 + 200 * column, 274 + 60 * row),
            outline=0,
            width=2,
        )
    draw.rectangle((640, 60, 900, 90), fill=0)
    draw.ellipse((800, 380, 830, 410), fill=0)
    draw.rectangle((40, 400, 700, 470), outline=0, width=3)

    assert unread_regions(speckled(image, 0.001), WORDS) == ()


def test_grey_picture_is_no_region() -> None:
    """A smooth picture has no strokes."""
    image = form()
    image.paste(Image.radial_gradient("L").resize((200, 200)), (700, 250))

    assert unread_regions(image, WORDS) == ()


def test_page_without_words_is_searched() -> None:
    """Where OCR read no word, the size of letters is a share of the page's."""
    image = Image.new("L", (1700, 2200), 255)
    ImageDraw.Draw(image).text((300, 300), "John Smith", font=face(40), fill=0)

    assert holds(unread_regions(image, []), Box(290, 290, 560, 350))
