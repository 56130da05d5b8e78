"""Read all text of a PDF as other programs do, to check what was written."""

import io
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pikepdf
import pypdfium2
from pdfminer.pdfdevice import PDFDevice
from pdfminer.pdffont import PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage

from presidio_cdip.documents.pdf.files import TooLarge, decoded
from presidio_cdip.documents.segments import Settings

_MOST = 200_000_000  # bytes of one stream
_MOST_PICTURES = 20  # pages that are turned into pictures in a second attempt; OCR takes seconds
_KEYS = {f"/{name}" for name in ("Border", "Contents", "Filter", "Length", "Parent", "Widths")}
"""Keys of the standard that stand in every file, and could be names."""


_FACES = ("/BaseFont", "/FontName", "/FontFamily", "/CharSet")
"""Keys of the names of typefaces."""


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield where text stands in a PDF, and that text.

    The pages are read by pdfminer and by PDFium; of all objects the strings and the decoded
    streams are taken as they are.
    """
    yield from _by_pdfminer(data)
    yield from _by_pdfium(data)
    yield from _raw(data)


class _Letters(PDFDevice):
    """Collects the letters that are shown, in their order; where they stand does not matter."""

    def __init__(self, manager: PDFResourceManager) -> None:
        super().__init__(manager)
        self.text: list[str] = []

    def render_string(self, textstate: Any, seq: Any, ncs: Any, graphicstate: Any) -> None:
        font = textstate.font
        for item in seq:
            if font is None or not isinstance(item, bytes):
                continue  # a distance
            for code in font.decode(item):
                try:
                    self.text.append(font.to_unichr(code))
                except PDFUnicodeNotDefined:
                    self.text.append("\ufffd")


def _by_pdfminer(data: bytes) -> Iterator[tuple[str, str]]:
    manager = PDFResourceManager()
    for number, page in enumerate(PDFPage.get_pages(io.BytesIO(data)), start=1):
        device = _Letters(manager)
        with suppress(Exception):  # fails on some fonts; what it read until then is searched
            PDFPageInterpreter(manager, device).process_page(page)
        yield f"page {number}", "".join(device.text)


def _by_pdfium(data: bytes) -> Iterator[tuple[str, str]]:
    document = pypdfium2.PdfDocument(data)
    try:
        for number in range(len(document)):
            page = document[number]
            text = page.get_textpage()
            yield f"page {number + 1}", text.get_text_range()
            text.close()
            page.close()
    finally:
        document.close()


def _raw(data: bytes) -> Iterator[tuple[str, str]]:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        yield "trailer", "\n".join(_strings(pdf.trailer.get("/Info")))
        pages = _pages(pdf)
        for one in pdf.objects:
            if not isinstance(one, pikepdf.Object):
                continue  # a number or a truth value
            where = pages.get(one.objgen, f"object {one.objgen[0]}")
            yield where, "\n".join(_strings(one))
            if isinstance(one, pikepdf.Stream) and not _binary(one):
                try:
                    content = decoded(one, _MOST)
                except (TooLarge, pikepdf.PdfError):
                    continue
                yield where, content.decode("latin-1")
                if b"\0" in content[:4096]:
                    yield where, content.decode("utf-16-be", "replace")
                    yield where, content.decode("utf-16-le", "replace")


def _pages(pdf: Any) -> dict[tuple[int, int], str]:
    """Return for content streams, and the forms they may draw, the first page they are on."""
    found: dict[tuple[int, int], str] = {}
    for number, page in enumerate(pdf.pages, start=1):
        contents = page.obj.get("/Contents")
        stack = list(contents) if isinstance(contents, pikepdf.Array) else [contents]
        stack.append(page.obj)
        while stack:
            one = stack.pop()
            if not isinstance(one, pikepdf.Object) or one.objgen in found:
                continue
            if one.is_indirect:
                found[one.objgen] = f"page {number}"
            if isinstance(one, pikepdf.Dictionary | pikepdf.Stream):
                resources: Any = one.get("/Resources", {})
                for kind in ("/XObject", "/Pattern"):
                    stack += resources.get(kind, pikepdf.Dictionary()).values()
    return found


def again(data: bytes, settings: Settings, where: Collection[str]) -> Settings | None:
    """Return how to write a PDF again of which an original is left.

    Pages that hold one become pictures; all do, and annotations with them, where it stands beside
    the pages.
    """
    pages = {int(one.removeprefix("page ")) - 1 for one in where if one.startswith("page ")}
    beside = any(not one.startswith("page ") for one in where)
    if (
        settings.flatten
        or len(pages) > _MOST_PICTURES
        or (not beside and pages <= set(settings.pictures))
    ):
        return None
    if not beside:
        return replace(settings, pictures=tuple(sorted({*settings.pictures, *pages})))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return replace(settings, flatten=True) if len(pdf.pages) <= _MOST_PICTURES else None


def _binary(stream: Any) -> bool:
    """Return whether a stream holds pixels or a font program."""
    return stream.get("/Subtype") == pikepdf.Name.Image or "/Length1" in stream


def _strings(thing: Any, depth: int = 0) -> Iterator[str]:
    """Yield the strings and names of an object, without those of objects it refers to."""
    if depth > 50:
        return
    if isinstance(thing, (pikepdf.String, pikepdf.Name)):
        yield str(thing)
    elif isinstance(thing, pikepdf.Array):
        for one in thing:
            if not _apart(one):
                yield from _strings(one, depth + 1)
    elif isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
        for key, one in thing.items():
            if key not in _KEYS:
                yield key
            if not _apart(one) and key not in _FACES:
                yield from _strings(one, depth + 1)


def _apart(thing: Any) -> bool:
    return isinstance(thing, pikepdf.Object) and thing.is_indirect
