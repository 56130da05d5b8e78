"""Read and rewrite the text of a page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf

from presidio_cdip.documents.pdf import shapes
from presidio_cdip.documents.pdf.comments import COMMENTS, has_comments, without_comments
from presidio_cdip.documents.pdf.drawn import drawn_lines
from presidio_cdip.documents.pdf.following import annotations
from presidio_cdip.documents.pdf.glyphs import Path
from presidio_cdip.documents.pdf.pieces import Ref
from presidio_cdip.documents.pdf.planning import planned
from presidio_cdip.documents.pdf.readings import PageReading, Readings
from presidio_cdip.documents.pdf.rewriting import Mismatch, rewrite
from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.segments import Box, Edits, Embedded, Note, Place, Segment
from presidio_cdip.errors import UnreadableInput


@dataclass(frozen=True)
class LineSegment(Segment):
    """A line of a page, whose boxes are those of its glyphs."""

    readings: Readings | None = None
    index: int = 0

    def boxes(self, start: int, end: int) -> tuple[Box, ...]:
        """Return the boxes of ``text[start:end]``, one a line, in points from the top left."""
        assert self.readings is not None
        assert self.place.page is not None
        page = self.readings[self.place.page]
        line = page.lines[self.index]
        found: dict[int, list[Box]] = {}
        for number, cell in enumerate(line.cells):
            own = set(cell.refs)
            refs = {one for one in line.refs[start:end] if one is not None and one in own}
            found[number] = [_box(page, one) for one in refs]
        return tuple(_union(boxes) for boxes in found.values() if boxes)


def _box(page: PageReading, ref: Ref) -> Box:
    show = page.reading.shows[ref[0]]
    glyph = show.glyphs[ref[1]]
    assert show.state.font is not None
    low, high = -show.state.font.descent, show.state.font.ascent
    corners = [
        show.point(at, above * show.state.size)
        for at in (glyph.at, glyph.at + glyph.width)
        for above in (low, high)
    ]
    across, down = zip(*corners, strict=True)
    return min(across), min(down), max(across), max(down)


def _union(boxes: Sequence[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


class PageText:
    """The text of a page, line by line, and its rewriting."""

    def __init__(self, source: Source, number: int) -> None:
        """Read a page.

        Args:
            source: The document.
            number: The page, from 0; its text can be rewritten.
        """
        self._source = source
        self._number = number
        self._properties: list[tuple[Path, int, str]] = []
        self.segments: Sequence[Segment] = list(self._segments())
        self.embedded: Sequence[Embedded] = ()
        self._comments = has_comments(source.pdf.pages[number])
        where = Place(f"page {number + 1}", number)
        self.removed: Sequence[Note] = [Note(where, COMMENTS)] if self._comments else []
        self.unread: Sequence[Note] = list(self._unread())

    def _unread(self) -> Iterator[Note]:
        if any(True for _ in drawn_lines(self._source, self._number)):
            yield Note(Place(f"page {self._number + 1}", self._number), shapes.DRAWN)

    def _segments(self) -> Iterator[Segment]:
        page = self._source.readings[self._number]
        where = f"page {self._number + 1}"
        for index, line in enumerate(page.lines):
            place = Place(f"{where}, line {index + 1}", self._number)
            yield LineSegment(
                line.text, place, line.label, line.after, self._source.readings, index
            )
        for key, text in page.reading.properties.items():
            self._properties.append(key)
            place = Place(f"{where}, a property of marked content", self._number)
            yield Segment(text, place, after="\n\n")

    def apply(self, pdf: Any, edits: Edits, embedded: Mapping[int, bytes | None]) -> None:
        """Take out the glyphs of what is replaced, and set the new text."""
        if not edits:
            if self._comments:
                without_comments(pdf, pdf.pages[self._number])
            return
        page = self._source.readings[self._number]
        settings = self._source.settings
        lines = {at: given for at, given in edits.items() if at < len(page.lines)}
        faces = self._source.faces
        plan = planned(page, lines, faces, settings.method != "surrogate")
        for at, given in edits.items():
            if at >= len(page.lines):
                text = self.segments[at].text
                for edit in reversed(given):
                    text = text[: edit.start] + edit.new + text[edit.end :]
                plan.properties.setdefault(self._properties[at - len(page.lines)], text)
        try:
            rewrite(pdf, pdf.pages[self._number], page.reading, plan, faces, settings.method)
        except (Mismatch, pikepdf.PdfError):
            raise UnreadableInput(
                self._source.name,
                f"page {self._number + 1} cannot be rewritten as text: use the option to flatten",
            ) from None
        annotations(pdf.pages[self._number], plan.moves)
        self._source.readings.forget(self._number)
