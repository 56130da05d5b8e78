"""Read and rewrite the text of a page."""

from collections.abc import Mapping, Sequence
from typing import Any

from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.segments import Edits, Embedded, Note, Segment


class PageText:
    """The text of a page, line by line, and its rewriting."""

    def __init__(self, source: Source, number: int) -> None:
        self.segments: Sequence[Segment] = ()
        self.embedded: Sequence[Embedded] = ()
        self.removed: Sequence[Note] = ()
        self.unread: Sequence[Note] = ()

    def apply(self, pdf: Any, edits: Edits, embedded: Mapping[int, bytes | None]) -> None:
        """Take out the glyphs of what is replaced, and set the new text."""
