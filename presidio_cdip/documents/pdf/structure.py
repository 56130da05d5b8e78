"""Read and rewrite what a PDF holds beside its pages."""

from collections.abc import Mapping, Sequence
from typing import Any

from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.segments import Edits, Embedded, Note, Segment


class Structure:
    """Metadata, outlines, annotations, form fields, attachments, names, the structure tree."""

    def __init__(self, source: Source) -> None:
        """Read all of them."""
        self.segments: Sequence[Segment] = ()
        self.embedded: Sequence[Embedded] = ()
        self.removed: Sequence[Note] = ()
        self.unread: Sequence[Note] = ()

    def apply(self, pdf: Any, edits: Edits, embedded: Mapping[int, bytes | None]) -> None:
        """Rewrite them."""
