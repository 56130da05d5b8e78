"""Redact pages of a PDF as pictures, and put them back with a new text layer."""

from collections.abc import Mapping, Sequence
from typing import Any

import pikepdf
from PIL import Image

from presidio_cdip.documents.checking.painted import Matrix
from presidio_cdip.documents.pdf import images, layer
from presidio_cdip.documents.pdf.geometry import displayed, product
from presidio_cdip.documents.pdf.objects import drop, own_resources
from presidio_cdip.documents.pdf.pictures import PageImages
from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.pdf.views import View, unturned, view
from presidio_cdip.documents.segments import Edits, Embedded, Note, Place, Segment
from presidio_cdip.imaging.words import Box, Word

__all__ = ["PageImages", "RasterPage"]

REDRAWN = "the text of the page, which became a picture with a new text layer"
ANNOTATIONS = "annotations and form fields, which became part of the picture"
_REST = (
    "/StructParents", "/Tabs", "/B", "/PieceInfo", "/Thumb", "/AF", "/Metadata", "/Group",
    "/SeparationInfo", "/PresSteps", "/ID", "/PZ", "/LastModified", "/VP",
)  # fmt: skip
"""Entries of a page that are about what it no longer has."""


class PagePicture(Embedded):
    """A page as a picture, rendered only when its bytes are asked for."""

    def __init__(self, source: Source, number: int) -> None:
        """Name the page; it is rendered later."""
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "place", Place(f"page {number + 1}", number))
        object.__setattr__(self, "name", f"page-{number + 1}.png")
        object.__setattr__(self, "layered", True)
        object.__setattr__(self, "words", None)
        object.__setattr__(self, "treated", ())

    source: Source
    number: int
    words: Sequence[Word] | None
    """The reading of it before it was redacted, if it was upright; else None."""
    treated: Sequence[Box]
    """The areas redacted since, in pixels."""

    def keep(self, picture: Any) -> None:
        """Keep the words that were read: those outside of findings need not be read again."""
        if len(picture.pages) == 1 and not (picture.pages[0].turned or picture.pages[0].areas):
            object.__setattr__(self, "words", picture.pages[0].layout.words)
            boxes = [Box(*map(round, box)) for one in picture.findings for box in one.boxes]
            object.__setattr__(self, "treated", boxes)

    @property
    def data(self) -> bytes:
        """Return the page as an image file."""
        return seen(self.source, self.number).data

    @property
    def to_page(self) -> Matrix:
        """Return where the picture stands on the page as displayed."""
        shown = displayed(self.source.pdf.pages[self.number])[0]
        return product(seen(self.source, self.number).square, shown)


def seen(source: Source, number: int) -> View:
    """Return a page as a picture; the last one is kept, as it is asked for several times."""
    if source.view is None or source.view[0] != number:
        source.view = number, view(source, number)
    found: View = source.view[1]
    return found


class RasterPage:
    """A page that is redacted as a picture, and put back with a new text layer."""

    def __init__(self, source: Source, number: int, reason: str = "") -> None:
        """Read a page.

        Args:
            source: The document.
            number: The page, from 0.
            reason: Why its text is not rewritten; "" for a scanned page, or if all are flattened.
        """
        self._source = source
        self._number = number
        picture = PagePicture(source, number)
        self.segments: Sequence[Segment] = ()
        self._picture = picture
        self.embedded: Sequence[Embedded] = (picture,)
        self._notes: list[Note] = []
        self.removed: Sequence[Note] = self._notes
        self.unread: Sequence[Note] = ()
        if reason:
            self._notes.append(Note(picture.place, f"{REDRAWN}: {reason}"))
        if source.settings.flatten and len(source.pdf.pages[number].obj.get("/Annots", [])):
            self._notes.append(Note(picture.place, ANNOTATIONS))

    def apply(self, pdf: Any, edits: Edits, embedded: Mapping[int, bytes | None]) -> None:
        """Put the page back as the redacted picture."""
        own_resources(pdf)
        page = pdf.pages[self._number].obj
        shown = seen(self._source, self._number)
        data = embedded.get(0, shown.data)
        drop(page, *_REST)
        if self._source.settings.flatten:
            drop(page, "/Annots", "/AA")
        if data is None:
            page.Resources, page.Contents = pikepdf.Dictionary(), pdf.make_stream(b"")
            return
        picture = images.opened(data)
        square = shown.square
        if data == shown.data and shown.original is not None:
            image, square = shown.original, shown.original_square
        else:
            image = _object(pdf, picture, data, shown)
        name = f"{self._source.name}, page {self._number + 1}"
        language, known = self._source.settings.ocr_language, self._picture
        if known.words is None:
            words, turns = layer.read(picture, name, language)
        else:
            words, turns = layer.again(picture, known.words, known.treated, name, language), 0
        page.Resources = pikepdf.Dictionary(
            XObject=pikepdf.Dictionary(Page=image),
            Font=pikepdf.Dictionary({layer.FONT: layer.font(pdf)}),
        )
        across, down = picture.size if turns % 2 == 0 else (picture.height, picture.width)
        text = layer.content(words, down)
        small = _scaled(unturned(shown.square, turns), 1 / across, 1 / down)
        page.Contents = pdf.make_stream(
            b"q %s cm /Page Do Q\nq %s cm\n%s\nQ" % (_written(square), _written(small), text)
        )


def _object(pdf: Any, picture: Image.Image, data: bytes, shown: View) -> Any:
    """Return a new image object that shows *data*."""
    stream = pdf.make_stream(b"")
    stream.Type, stream.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
    if shown.original is not None and "/ColorSpace" in shown.original:
        stream.ColorSpace = shown.original.ColorSpace
    if "/Interpolate" in (shown.original or {}):
        stream.Interpolate = shown.original.Interpolate
    images.write(stream, picture)
    if data.startswith(b"\xff\xd8") and picture.mode in ("L", "RGB"):
        stream.write(data, filter=pikepdf.Name.DCTDecode)
    return pdf.make_indirect(stream)


def _scaled(square: Matrix, across: float, down: float) -> Matrix:
    a, b, c, d, e, f = square
    return a * across, b * across, c * down, d * down, e, f


def _written(matrix: Matrix) -> bytes:
    return " ".join(f"{number:.6f}" for number in matrix).encode()
