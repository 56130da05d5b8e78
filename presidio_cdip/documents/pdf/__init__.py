"""Read PDF documents into segments, and write them with other text in place of what was there.

    page ──► kind of page ──► text: its glyphs ──► lines ──► edits ──► glyphs removed, new text set
                              scanned, unsafe: a picture of it, redacted as pictures are
    images, properties, outlines, annotations, forms, attachments: contributors of their own

* ``document``: what a PDF is composed of, and the one that writes it.
* ``kinds``: which pages are rewritten as text, and which only as pictures.
* ``streams``, ``fonts``, ``glyphs``: from content streams to glyphs; ``lines``, ``order``: to lines
  in reading order; ``readings`` keeps them, ``page`` makes segments of them.
* ``planning``, ``setting``, ``rewriting``: what edits do to glyphs, how new text is set, and the
  content streams without the old.
* ``extracting``: all text of a PDF as others read it, to check what was written.
"""

from collections.abc import Collection, Iterator

from presidio_cdip.documents.segments import Document, Settings

__all__ = ["again", "extracted", "opened"]


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read a PDF document.

    Args:
        data: Its bytes.
        name: Its name, for errors.
        settings: How to read it.

    Raises:
        UnreadableInput: It needs a password, has no page or too many, or is too large.
    """
    from presidio_cdip.documents.pdf.document import PdfDocument

    return PdfDocument.opened(data, name, settings)


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield where text stands in a PDF, and that text, as three programs read it."""
    from presidio_cdip.documents.pdf import extracting

    yield from extracting.extracted(data, name)


def again(data: bytes, settings: Settings, where: Collection[str]) -> Settings | None:
    """Return how to write a PDF again of which an original is left: pages become pictures."""
    from presidio_cdip.documents.pdf import extracting

    return extracting.again(data, settings, where)
