"""Yield the texts of a PDF file: of its streams, its objects, extractors, and of its rendering."""

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from benchmarks.documents_oracle import DPI, View, _png, inflated, read

if TYPE_CHECKING:
    from benchmarks.documents_oracle import Left

_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\n?endstream", re.DOTALL)
_STRING = re.compile(rb"\(((?:\\.|[^\\()])*)\)|<([0-9A-Fa-f\s]+)>", re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)


def streams(data: bytes, where: str) -> Iterator[View]:
    """Yield every stream, found by its keywords alone, and the strings in it.

    So streams are seen that nothing refers to, or that a later revision replaced.
    """
    yield f"{where}, strings", strings(data)
    for number, match in enumerate(_STREAM.finditer(data)):
        content = inflated(match[1]) or match[1]
        yield f"{where}, stream {number}", content.decode("latin-1")
        yield f"{where}, strings of stream {number}", strings(content)


def strings(data: bytes) -> str:
    """Return the literal and hexadecimal strings in *data*, one after the other."""
    parts = []
    for match in _STRING.finditer(data):
        if match[1] is not None:
            part = _ESCAPE.sub(_escaped, match[1])
        else:
            digits = b"".join(match[2].split())
            part = bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
        parts.append(_decoded(part))
    return "".join(parts)


def _escaped(match: "re.Match[bytes]") -> bytes:
    code = match[1]
    if code[0] in b"01234567":  # "\\8" is no number
        return bytes([int(code, 8) & 255])
    return {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\n": b""}.get(code, code)


def _decoded(part: bytes) -> str:
    if part.startswith(b"\xfe\xff"):
        return part[2:].decode("utf-16-be", "replace")
    return part.decode("latin-1")


def objects(data: bytes, where: str) -> Iterator[View]:
    """Yield every string, name and stream that pikepdf sees."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as made:
        for number, one in enumerate(made.objects):
            place = f"{where}, object {number}"
            yield place, "\n".join(_values(one, 0))
            if isinstance(one, pikepdf.Stream):
                content = _read(one)
                yield f"{place}, stream", content.decode("latin-1")
                yield f"{place}, strings", strings(content)
        for number, page in enumerate(made.pages):
            shown = [
                bytes(each)
                for instruction in pikepdf.parse_content_stream(page)
                for operand in instruction.operands
                for each in (operand if isinstance(operand, pikepdf.Array) else [operand])
                if isinstance(each, pikepdf.String)
            ]
            text = b"".join(shown)
            yield f"{where}, page {number}, operands", text.decode("latin-1")
            yield f"{where}, page {number}, wide operands", text.decode("utf-16-be", "replace")


def _values(one: Any, depth: int) -> Iterator[str]:
    import pikepdf

    if depth > 12:
        return
    if isinstance(one, (pikepdf.String, pikepdf.Name)):
        yield str(one)
    elif isinstance(one, pikepdf.Array):
        for each in one:
            if not getattr(each, "is_indirect", False):
                yield from _values(each, depth + 1)
    elif isinstance(one, pikepdf.Dictionary | pikepdf.Stream):
        for key in one.keys():  # noqa: SIM118 - a stream has no other iterator
            yield key
            each = one[key]
            if not getattr(each, "is_indirect", False):
                yield from _values(each, depth + 1)


def _read(stream: Any) -> bytes:
    import pikepdf

    try:
        return bytes(stream.read_bytes())
    except pikepdf.PdfError:
        return bytes(stream.read_raw_bytes())


def extracted(data: bytes, where: str) -> Iterator[View]:
    """Yield the text of each page, by pdfminer and by pdfium."""
    import pypdfium2
    from pdfminer.high_level import extract_pages, extract_text
    from pdfminer.layout import LAParams

    yield f"{where}, pdfminer", extract_text(io.BytesIO(data), laparams=LAParams(all_texts=True))
    for number, page in enumerate(extract_pages(io.BytesIO(data), laparams=None)):
        yield f"{where}, page {number}, pdfminer's letters", "".join(_letters(page))
    made = pypdfium2.PdfDocument(data)
    try:
        for number, page in enumerate(made):
            text = page.get_textpage().get_text_range()
            yield f"{where}, page {number}, pdfium", text
    finally:
        made.close()


def _letters(item: Any) -> Iterator[str]:
    from pdfminer.layout import LTChar, LTContainer

    if isinstance(item, LTChar):
        yield item.get_text()
    elif isinstance(item, LTContainer):
        for inner in item:
            yield from _letters(inner)


def rendered(data: bytes, where: str) -> Iterator[View]:
    """Yield the text that OCR reads on each page, at `DPI`."""
    import pypdfium2

    made = pypdfium2.PdfDocument(data)
    try:
        made.init_forms()
        for number, page in enumerate(made):
            picture = page.render(scale=DPI / 72).to_pil()
            yield f"{where}, page {number}, OCR", read(_png(picture))
    finally:
        made.close()


def files(data: bytes, where: str, left: "Left") -> Iterator[tuple[str, bytes]]:
    """Yield where a file or picture stands in a PDF file, and the file; pictures as PNG."""
    import pikepdf

    try:
        made = pikepdf.open(io.BytesIO(data))
    except pikepdf.PdfError:
        return
    with made:
        for number, one in enumerate(made.objects):
            if not isinstance(one, pikepdf.Stream):
                continue
            place = f"{where} > object {number}"
            if one.get("/Width") is None or one.get("/Height") is None:
                yield place, _read(one)
                continue
            try:
                yield place, _png(pikepdf.PdfImage(_named(one)).as_pil_image())
            except Exception as error:
                left.unread.append(f"{place}: {type(error).__name__}")


def _named(stream: Any) -> Any:
    """Return a picture's stream; a preview picture does not say that it is one."""
    import pikepdf

    if stream.get("/Subtype") is None:
        stream["/Subtype"] = pikepdf.Name("/Image")
    return stream
