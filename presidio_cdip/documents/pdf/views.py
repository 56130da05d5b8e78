"""Render pages of a PDF as the pictures they are redacted as."""

import io
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from PIL import Image

from presidio_cdip.documents.checking.painted import Matrix, Page, Painted, inverted, times
from presidio_cdip.documents.pdf import images
from presidio_cdip.documents.pdf.objects import pictures_of
from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.segments import Box
from presidio_cdip.errors import UnreadableInput

logging.getLogger("pypdfium2").addHandler(logging.NullHandler())  # else advice on standard error

_USUAL = 200  # dots per inch of pages without pictures
_LEAST, _MOST = 150, 400  # of pages with pictures
_MOST_PIXELS = 20_000_000
_MOST_SIDE = 32_000  # pixels; OCR takes no more
_COARSE = 72  # dots per inch at which a picture is compared with its page
_APART = 40  # mean levels by which a tile of the picture may differ from the page
_TILE = 16
_QUALITY = 88

_TURNS = {
    (1, 0, 0, -1): 0,
    (0, -1, -1, 0): 1,
    (-1, 0, 0, 1): 2,
    (0, 1, 1, 0): 3,
}
"""For the directions of a picture's axes as displayed, the quarter turns that make it upright."""

_ROTATIONS = (
    (1, 0, 0, 1, 0, 0),
    (0, 1, -1, 0, 1, 0),
    (-1, 0, 0, -1, 1, 1),
    (0, -1, 1, 0, 0, 1),
)
"""For a number of quarter turns, where the unit square goes."""


@dataclass(frozen=True, slots=True)
class View:
    """A page as a picture.

    Attributes:
        data: An image file, upright.
        suffix: Of that file.
        square: The matrix from the unit square, which the upright picture fills, to the page.
        original: The page's only picture, where *data* shows exactly its pixels.
        original_square: The matrix from the unit square to the page, for that picture.
    """

    data: bytes
    suffix: str
    square: Matrix
    original: Any = None
    original_square: Matrix = (1, 0, 0, 1, 0, 0)


def rendering(data: bytes, count: int | None = None) -> pdfium.PdfDocument:
    """Return a PDF opened for rendering, repaired where pdfium does not open it as it is.

    Args:
        data: The PDF.
        count: How many pages it has, if that is known.

    Raises:
        pdfium.PdfiumError: It cannot be opened, repaired or not.
    """
    document = None
    with suppress(pdfium.PdfiumError):
        document = pdfium.PdfDocument(data)
    if document is None or count not in (None, len(document)):
        out = io.BytesIO()
        with pikepdf.open(io.BytesIO(data)) as repaired:
            repaired.save(out)
        document = pdfium.PdfDocument(out.getvalue())
    document.init_forms()
    return document


def document(source: Source) -> pdfium.PdfDocument:
    """Return the document, opened for rendering."""
    if source.opened is None:
        source.opened = rendering(source.data, len(source.pdf.pages))
    opened: pdfium.PdfDocument = source.opened
    return opened


def view(source: Source, number: int) -> View:
    """Return the page *number* as a picture: its only picture as it is, else the rendered page.

    Raises:
        UnreadableInput: It cannot be rendered.
    """
    try:
        page = document(source)[number]
    except pdfium.PdfiumError:
        raise UnreadableInput(source.name, f"page {number} cannot be rendered") from None
    try:
        coarse = Page(page, _COARSE / 72)
        if not source.settings.flatten:
            found = _only_picture(source, number, coarse)
            if found:
                return found
        return _rendered(source, number, page, coarse)
    finally:
        page.close()


def _only_picture(source: Source, number: int, page: Page) -> View | None:
    """Return the page's picture, if the page shows it, upright, and nothing else."""
    shown = [one for one in page.painted if one.kind == raw.FPDF_PAGEOBJ_IMAGE]
    streams = pictures_of(source.pdf.pages[number].obj, annotations=False)
    if len(shown) != 1 or len(streams) != 1 or images.is_stencil(streams[0]):
        return None
    turns = _turns(shown[0], page)
    box = page.view(*shown[0].bounds)
    outside = box[0] < -1 or box[1] < -1 or box[2] > page.width + 1 or box[3] > page.height + 1
    if turns is None or outside or box[2] - box[0] < 8 or box[3] - box[1] < 8:
        return None
    whole = page.rendered(annotations=False)
    if (whole != page.rendered(lambda one: one is shown[0], annotations=False)).any():
        return None
    try:
        decoded = images.decoded(streams[0], source.settings)
    except images.Undecodable:
        return None
    picture = images.opened(decoded.data)
    if turns:
        picture = picture.transpose(_transpose(turns))
    if not _same(picture, whole, box, page.scale):
        return None
    square = square_of(box, page)
    return View(
        images.png(picture) if turns else decoded.data,
        "png" if turns else decoded.suffix,
        square,
        streams[0],
        times(_ROTATIONS[turns], square),
    )


def _transpose(turns: int) -> Image.Transpose:
    return (Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270)[
        turns - 1
    ]


def _turns(one: Painted, page: Page) -> int | None:
    """Return by how many quarter turns a picture becomes upright; None if by none."""
    axes = times(one.matrix, page.to_view)[:4]
    largest = max(map(abs, axes)) or 1
    signs = [0 if abs(axis) < 0.002 * largest else (1 if axis > 0 else -1) for axis in axes]
    return _TURNS.get((signs[0], signs[1], signs[2], signs[3]))


def _same(picture: Image.Image, whole: Any, box: Box, scale: float) -> bool:
    """Return whether a page looks like *picture*, set at *box* on white."""
    left, top, right, bottom = (round(edge * scale) for edge in box)
    paper = Image.new("RGB", (whole.shape[1], whole.shape[0]), "white")
    size = max(1, right - left), max(1, bottom - top)
    paper.paste(picture.convert("RGB").resize(size, Image.Resampling.BOX), (left, top))
    apart = np.abs(np.asarray(paper, np.int16) - whole).mean(axis=-1)
    rows, columns = (-(-edge // _TILE) for edge in apart.shape)
    padded = np.zeros((rows * _TILE, columns * _TILE))
    padded[: apart.shape[0], : apart.shape[1]] = apart
    tiles = padded.reshape(rows, _TILE, columns, _TILE).mean(axis=(1, 3))
    return bool(tiles.max() < _APART)


def _rendered(source: Source, number: int, page: pdfium.PdfPage, coarse: Page) -> View:
    width, height = coarse.width, coarse.height
    dots = _dots(source, number, coarse)
    most = min(source.settings.max_pixels or _MOST_PIXELS, _MOST_PIXELS)
    dots = min(dots, 72 * (most / (width * height)) ** 0.5, 72 * _MOST_SIDE / max(width, height))
    if dots < 30:
        raise UnreadableInput(source.name, f"page {number} is too large to be rendered")
    flat = source.settings.flatten
    bitmap = page.render(scale=dots / 72, draw_annots=flat, may_draw_forms=flat, rev_byteorder=True)
    image = bitmap.to_pil().convert("RGB")
    bitmap.close()
    square = square_of((0, 0, width, height), coarse)
    image = _reduced(image, _is_bilevel(source, number, coarse))
    if image.mode == "1":
        return View(images.png(image), "png", square)
    return View(images.jpeg(image, _QUALITY), "jpg", square)


def _dots(source: Source, number: int, page: Page) -> float:
    """Return the resolution of the page's pictures, in dots per inch."""
    most = 0.0
    for one in page.painted:
        if one.kind != raw.FPDF_PAGEOBJ_IMAGE:
            continue
        left, top, right, bottom = page.view(*one.bounds)
        width, height = _pixels(one)
        inches = (right - left) / 72, (bottom - top) / 72
        if inches[0] * inches[1] * 72 * 72 > 0.05 * page.width * page.height:
            most = max(most, (width * height / (inches[0] * inches[1])) ** 0.5)
    return min(_MOST, max(_LEAST, most)) if most else _USUAL


def _pixels(one: Painted) -> tuple[int, int]:
    import ctypes

    width, height = ctypes.c_uint(), ctypes.c_uint()
    raw.FPDFImageObj_GetImagePixelSize(one.handle, width, height)
    return width.value, height.value


def _is_bilevel(source: Source, number: int, page: Page) -> bool:
    """Return whether all that is painted on a page are bilevel pictures."""
    streams = pictures_of(source.pdf.pages[number].obj, annotations=source.settings.flatten)
    bits = {int(one.get("/BitsPerComponent", 1)) for one in streams}
    only = all(
        one.kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_FORM)
        for one in page.painted
    )
    return only and bits == {1}


def _reduced(image: Image.Image, bilevel: bool) -> Image.Image:
    """Return *image* in grey, or in black and white, if it has no other colours."""
    red, green, blue = image.split()
    if red.tobytes() != green.tobytes() or red.tobytes() != blue.tobytes():
        return image
    return red.point(lambda level: 255 * (level > 127)).convert("1") if bilevel else red


def square_of(box: Box, page: Page) -> Matrix:
    """Return the matrix from the unit square, origin bottom left, to *box* on a page."""
    left, top, right, bottom = box
    shown = (right - left, 0, 0, top - bottom, left, bottom)
    return times(shown, inverted(page.to_view))


def unturned(square: Matrix, turns: int) -> Matrix:
    """Return the matrix from the unit square of a picture that was turned, to the page.

    Args:
        square: That of the picture before it was turned.
        turns: Quarter turns counter-clockwise.
    """
    return times(inverted(_ROTATIONS[turns]), square)
