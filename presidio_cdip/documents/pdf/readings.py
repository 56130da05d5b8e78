"""Cache the readings of the last few pages: a long document's glyphs would not fit in memory."""

from dataclasses import dataclass
from typing import Any

import pikepdf

from presidio_cdip.documents.pdf import geometry, glyphs, lines, order, streams
from presidio_cdip.documents.pdf.fonts import UNKNOWN

_DAMAGED = (pikepdf.PdfError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError)
_KEPT = 250_000  # glyphs, of some 300 bytes each


@dataclass(slots=True)
class PageReading:
    """The reading of a page.

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

    @property
    def glyphs(self) -> int:
        """Return the number of glyphs that it shows."""
        return sum(len(show.glyphs) for show in self.reading.shows)


class Readings:
    """The pages of a PDF, each read when it is asked for, and again if that was long ago."""

    def __init__(self, pdf: Any) -> None:
        """Read pages of the `pikepdf.Pdf` *pdf*."""
        self._pdf = pdf
        self._fonts = glyphs.Fonts()
        self._kept: dict[int, PageReading] = {}
        self._glyphs = 0

    def __getitem__(self, number: int) -> PageReading:
        """Return the reading of the page *number*, from 0."""
        if number not in self._kept:
            read = self._read(number)
            self._glyphs += read.glyphs
            while self._kept and self._glyphs > _KEPT:
                self.forget(next(iter(self._kept)))
            self._kept[number] = read
        return self._kept[number]

    def forget(self, number: int) -> None:
        """Forget the page *number*, which was changed."""
        if number in self._kept:
            self._glyphs -= self._kept.pop(number).glyphs

    def _read(self, number: int) -> PageReading:
        page = self._pdf.pages[number]
        try:
            reading = streams.read(page, self._fonts)
            _, width, height = geometry.displayed(page)
            found = [] if reading.problems else order.ordered(list(lines.rows_of(reading)))
        except _DAMAGED:
            reading, found, width, height = glyphs.Reading(), [], 0.0, 0.0
            reading.problems["content that is damaged"] = None
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
