"""Tell which pages are rewritten as text, and which only as pictures."""

from typing import NamedTuple

from presidio_cdip.documents.pdf.source import Source


class Kind(NamedTuple):
    """What a page is.

    Attributes:
        name: ``"text"``, ``"scanned"`` (a picture of text covers it), or ``"unsafe"``.
        reason: Why it is unsafe.
    """

    name: str
    reason: str = ""


def kind_of(source: Source, number: int) -> Kind:
    """Return what the page *number* of *source* is."""
    return Kind("text")
