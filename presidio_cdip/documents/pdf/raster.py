"""Redact pages of a PDF as pictures, and the pictures on pages."""

from collections.abc import Mapping, Sequence
from typing import Any

from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.segments import Edits, Embedded, Note, Segment


class RasterPage:
    """A page that is redacted as a picture, and put back with a new text layer."""

    def __init__(self, source: Source, number: int, reason: str = "") -> None:
        """Read a page.

        Args:
            source: The document.
            number: The page, from 0.
            reason: Why its text is not rewritten; "" for a scanned page, or if all are flattened.
        """
        self.segments: Sequence[Segment] = ()
        self.embedded: Sequence[Embedded] = ()
        self.removed: Sequence[Note] = ()
        self.unread: Sequence[Note] = ()

    def apply(self, pdf: Any, edits: Edits, embedded: Mapping[int, bytes | None]) -> None:
        """Put the page back as the redacted picture."""


class PageImages:
    """The pictures on a page whose text is rewritten as text."""

    def __init__(self, source: Source, number: int) -> None:
        """Read the pictures of a page, those in Form XObjects and patterns too."""
        self.segments: Sequence[Segment] = ()
        self.embedded: Sequence[Embedded] = ()
        self.removed: Sequence[Note] = ()
        self.unread: Sequence[Note] = ()

    def apply(self, pdf: Any, edits: Edits, embedded: Mapping[int, bytes | None]) -> None:
        """Put back the pictures that were redacted.

        It runs after the page's text was rewritten: Form XObjects may be copies by then.
        """
