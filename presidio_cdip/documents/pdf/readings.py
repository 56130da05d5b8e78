"""Keep what was read of the last few pages: a long document's glyphs would not fit in memory."""

from dataclasses import dataclass
from typing import Any

from presidio_cdip.documents.pdf import glyphs, lines, order
from presidio_cdip.documents.pdf.fonts import UNKNOWN

_KEPT = 3  # pages


@dataclass(slots=True)
class PageReading:
    """What was read of a page.

    Attributes:
        reading: Its glyphs, in the order in which they are drawn.
        lines: Its lines, in reading order.
        width: The width of the page as it is displayed, in points.
        height: Its height.
    """

    reading: glyphs.Reading
    lines: list[order.Line]
    width: float
    height: float


class Readings:
    """The pages of a PDF, each read when it is asked for, and again if that was long ago."""

    def __init__(self, pdf: Any) -> None:
        """Read pages of the `pikepdf.Pdf` *pdf*."""
        self._pdf = pdf
        self._fonts = glyphs.Fonts()
        self._kept: dict[int, PageReading] = {}

    def __getitem__(self, number: int) -> PageReading:
        """Return what is read of the page *number*, from 0."""
        if number not in self._kept:
            while len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[number] = self._read(number)
        return self._kept[number]

    def forget(self, number: int) -> None:
        """Forget the page *number*, which was changed."""
        self._kept.pop(number, None)

    def _read(self, number: int) -> PageReading:
        page = self._pdf.pages[number]
        reading = glyphs.read(page, self._fonts)
        _, width, height = glyphs.displayed(page)
        found = [] if reading.problems else order.ordered(list(lines.rows_of(reading)))
        if any(unknown_words(line.text) for line in found):
            reading.problems["letters of which the font does not tell the Unicode"] = None
        return PageReading(reading, found, width, height)


def unknown_words(text: str) -> bool:
    """Return whether glyphs without Unicode are part of a word, or may be one.

    One that stands alone is a sign: a bullet, an arrow.

    >>> [unknown_words(one) for one in ("� see p. 3", "Gri�th", "���")]
    [False, True, True]
    """
    for at, one in enumerate(text):
        if one != UNKNOWN:
            continue
        near = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
        if any(other.isalnum() for other in near) or text[at : at + 3] == UNKNOWN * 3:
            return True
    return False
