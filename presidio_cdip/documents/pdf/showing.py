"""Show pages of a PDF on a screen, and cover places on them."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pikepdf
import pypdfium2 as pdfium

from presidio_cdip.documents.pdf import files, images
from presidio_cdip.documents.pdf.geometry import displayed
from presidio_cdip.documents.pdf.raster import RasterPage, seen
from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.pdf.views import rendering
from presidio_cdip.documents.segments import Box, Settings
from presidio_cdip.errors import UnreadableInput

_MOST_PIXELS = 4_000_000


def sizes(data: bytes, name: str, settings: Settings) -> list[tuple[float, float]]:
    """Return width and height of each page as displayed, in points.

    Raises:
        UnreadableInput: The PDF cannot be read.
    """
    with files.open_pdf(data, name, settings) as pdf:
        return [displayed(page)[1:] for page in pdf.pages]


class Pages:
    """The pages of a PDF, to be rendered one by one."""

    def __init__(self, data: bytes, name: str) -> None:
        """Open a PDF.

        Raises:
            UnreadableInput: It cannot be opened.
        """
        self._name = name
        try:
            self._document = rendering(data)
        except (pdfium.PdfiumError, pikepdf.PdfError, RuntimeError, ValueError):
            raise UnreadableInput(name, "its pages cannot be rendered") from None

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self._document)

    def size(self, number: int) -> tuple[float, float]:
        """Return width and height of a page, in points."""
        width, height = self._document.get_page_size(number)
        return float(width), float(height)

    def png(self, number: int, dots: float = 110) -> bytes:
        """Return the page *number* as a PNG file with *dots* per inch, fewer if it is large.

        Raises:
            UnreadableInput: It cannot be rendered.
        """
        try:
            page = self._document[number]
            try:
                width, height = page.get_size()
                scale = min(dots / 72, (_MOST_PIXELS / max(1.0, width * height)) ** 0.5)
                bitmap = page.render(scale=scale, rev_byteorder=True)
                image = bitmap.to_pil().convert("RGB")
            finally:
                page.close()
        except pdfium.PdfiumError:
            raise UnreadableInput(self._name, f"page {number} cannot be rendered") from None
        out = io.BytesIO()
        image.save(out, "PNG", compress_level=3)
        return out.getvalue()


def covered(
    data: bytes, name: str, areas: Mapping[int, Sequence[Box]], settings: Settings
) -> bytes:
    """Return a PDF in which nothing of the *areas* is left; their pages become pictures.

    Args:
        data: The PDF.
        name: Its name, for errors.
        areas: For a page, from 0, the boxes to cover, in points, origin top left.
        settings: How PDFs are read; the method says whether covers are black or of paper.

    Raises:
        UnreadableInput: A page cannot be rendered.
    """
    from presidio_cdip.imaging.painting.erase import fill
    from presidio_cdip.imaging.redaction import RedactionOptions
    from presidio_cdip.imaging.words import Box as Pixels

    method = settings.method if settings.method in ("black", "white") else "paper"
    options = RedactionOptions(method)
    flat = replace(settings, flatten=True)
    with files.open_pdf(data, name, flat) as pdf:
        source = Source(data, name, pdf, flat)
        pages = {number: RasterPage(source, number) for number in areas}
        for number, page in pages.items():
            picture = images.opened(seen(source, number).data)
            scale = picture.width / displayed(pdf.pages[number])[1]
            boxes = [Pixels(*(round(edge * scale) for edge in box)) for box in areas[number]]
            new = images.png(fill(picture, boxes, options.colour(picture)))
            page.apply(pdf, {}, {0: new})
        return files.saved(pdf)
