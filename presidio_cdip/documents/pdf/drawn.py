"""Read letters that are drawn as shapes, to tell whether a page can stay text."""

import re
from collections.abc import Iterator

from presidio_cdip.documents.pdf import images, layer, raster, shapes
from presidio_cdip.documents.pdf.geometry import Rectangle
from presidio_cdip.documents.pdf.source import Source

_AROUND = 4.0  # points that are seen around a line
_WORD = re.compile(r"[^\W_]{2}")


def drawn_lines(source: Source, number: int) -> Iterator[Rectangle]:
    """Yield where shapes on a page stand like letters: boxes in points, origin top left."""
    reading = source.readings[number].reading
    return shapes.lines_of_letters(reading.shapes, [one.point(0.0) for one in reading.shows])


def can_be_read(source: Source, number: int) -> bool:
    """Return whether OCR reads words where shapes stand like letters.

    Raises:
        MissingDependency: The extra for images is not installed.
    """
    lines = list(drawn_lines(source, number))
    if not lines:
        return False
    page, picture = source.readings[number], images.opened(raster.seen(source, number).data)
    across, down = picture.width / page.width, picture.height / page.height
    for left, top, right, bottom in lines:
        part = picture.crop(
            (
                round(max(0.0, left - _AROUND) * across), round(max(0.0, top - _AROUND) * down),
                round(min(page.width, right + _AROUND) * across),
                round(min(page.height, bottom + _AROUND) * down),
            )
        )  # fmt: skip
        words, _ = layer.read(part, source.name, source.settings.ocr_language)
        if any(_WORD.search(word.text) for word in words):
            return True
    return False
