"""The parts of a finding on a sloping line are one place."""

from PIL import Image

from presidio_cdip.imaging.painting.places import Places
from presidio_cdip.imaging.reading.boxes import line_boxes
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.words import Box, Word

SIZE = (900, 300)


def test_parts_that_only_the_slope_divides_are_joined() -> None:
    """A value across a sloping line has several boxes, and is painted in one piece."""
    words = [
        Word(text, Box(60 + 150 * number, 40 + 14 * number, 190 + 150 * number, 82 + 14 * number))
        for number, text in enumerate(["1209", "Rosewood", "Court,", "Hamilton", "Ohio"])
    ]
    layout = layout_text(words)
    parts = line_boxes(layout, 0, len(layout.text), SIZE)
    assert len(parts) > 1

    (joined,) = Places(layout, Sheet.of(Image.new("L", SIZE, 255))).joined(parts)

    assert joined.text == joined.value == layout.text
    assert joined.words == (0, 1, 2, 3, 4)
    assert all(joined.box.union(part.box) == joined.box for part in parts)


def test_parts_in_different_columns_or_lines_stay_apart() -> None:
    """Only neighbouring words are joined."""
    words = [
        Word("Ohio", Box(60, 40, 190, 80)),
        Word("44304", Box(660, 40, 790, 80)),
        Word("Akron", Box(60, 140, 190, 180), line=1),
    ]
    layout = layout_text(words)
    parts = line_boxes(layout, 0, len(layout.text), SIZE)

    assert Places(layout, Sheet.of(Image.new("L", SIZE, 255))).joined(parts) == parts
    assert len(parts) == 3
