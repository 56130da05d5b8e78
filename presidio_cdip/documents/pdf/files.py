"""Open PDF files with what limits they need, and save them whole."""

import io
import warnings
import zlib
from collections.abc import Iterator
from typing import Any

import pikepdf

from presidio_cdip.documents.segments import Settings
from presidio_cdip.errors import UnreadableInput

_RATIO = 1100  # what Flate may unpack one byte to, at most; LZW stays below
_CHUNK = 1 << 20
_HELD = 50_000_000  # bytes between two filters
_FLATE = ("/FlateDecode", "/Fl")


def open_pdf(data: bytes, name: str, settings: Settings) -> Any:
    """Open a PDF; its cross-reference table is repaired where it must be.

    Raises:
        UnreadableInput: It needs a password, is damaged, or has no page, or too many.
    """
    try:
        pdf = pikepdf.open(io.BytesIO(data), suppress_warnings=True)
        count = len(pdf.pages)
    except pikepdf.PasswordError:
        raise UnreadableInput(name, "needs a password: save it without one") from None
    except (pikepdf.PdfError, RuntimeError, ValueError) as error:
        raise UnreadableInput(
            name, f"is cut off or damaged ({type(error).__name__}): open and save it again"
        ) from None
    if not count:
        raise UnreadableInput(name, "is a PDF without pages")
    if count > settings.max_pages:
        raise UnreadableInput(name, f"has more than {settings.max_pages:,} pages: split it")
    _check_size(pdf, name, settings.max_bytes)
    return pdf


def _check_size(pdf: Any, name: str, most: int) -> None:
    """Check that the streams of *pdf* unpack to no more than *most* bytes.

    Those are unpacked that are long enough to exceed it alone.
    """
    left = most
    for one in pdf.objects:
        if not isinstance(one, pikepdf.Stream):
            continue
        filters = filters_of(one)
        length = _number(one.get("/Length"))
        packed = sum(name in _FLATE for name in filters)
        try:
            if packed and length * _RATIO**packed > most:
                length = _measure(one.read_raw_bytes(), filters, left)
        except TooLarge:
            length = most + 1
        left -= length
        if left < 0:
            raise UnreadableInput(name, "unpacks to more than is allowed")


def _number(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        return 0


def saved(pdf: Any) -> bytes:
    """Return *pdf* written whole: no earlier revision, nothing that no page draws."""
    pdf.remove_unreferenced_resources()
    pikepdf.sanitize.remove_thumbnails(pdf)
    pikepdf.sanitize.remove_private_app_data(pdf)
    pikepdf.sanitize.remove_search_index(pdf)
    pikepdf.sanitize.remove_web_capture(pdf)
    if "/ID" in pdf.trailer:
        del pdf.trailer["/ID"]  # it identifies the original; a new one is made
    pdf.trailer["/Size"] = len(pdf.objects) + 1  # a file that was cut off has none to go by
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pikepdf.exceptions.PageCopyWarning)  # fields of no form
        pdf.save(
            out,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            linearize=False,
            deterministic_id=True,
            encryption=False,
        )
    return out.getvalue()


class TooLarge(Exception):
    """A stream unpacks to more bytes than are allowed."""


def decoded(stream: Any, most: int) -> bytes:
    """Return the decoded bytes of the `pikepdf.Stream` *stream*.

    Raises:
        TooLarge: They are more than *most*; no more than that was unpacked.
        pikepdf.PdfError: The stream does not decode.
    """
    filters = filters_of(stream)
    raw = stream.read_raw_bytes()
    if len(raw) > most:
        raise TooLarge
    if len(raw) * _RATIO ** len(filters) > most:
        _measure(raw, filters, most)
    data = bytes(stream.read_bytes())
    if len(data) > most:
        raise TooLarge
    return data


def filters_of(stream: Any) -> list[str]:
    """Return the names of the filters of a stream, the outermost first."""
    given = stream.get("/Filter")
    if given is None:
        return []
    return [str(one) for one in (given if isinstance(given, pikepdf.Array) else [given])]


def _measure(raw: bytes, filters: list[str], most: int) -> int:
    """Return the number of bytes that *raw* unpacks to, as far as Flate packed it.

    Raises:
        TooLarge: They are more than *most*, or, between two filters, more than is held in memory.
    """
    data, size = raw, len(raw)
    for number, name in enumerate(filters):
        if name not in _FLATE:
            break
        inner = filters[number + 1 : number + 2] and filters[number + 1] in _FLATE
        unpacked, size = [], 0
        for chunk in _unpacked(data):
            size += len(chunk)
            if size > (min(most, _HELD) if inner else most):
                raise TooLarge
            if inner:
                unpacked.append(chunk)
        data = b"".join(unpacked)
    return size


def _unpacked(data: bytes) -> Iterator[bytes]:
    """Yield the bytes that zlib unpacks, in chunks, up to the first damage."""
    unpacker = zlib.decompressobj()
    while data and not unpacker.eof:
        try:
            yield unpacker.decompress(data, _CHUNK)
        except zlib.error:
            return
        data = unpacker.unconsumed_tail
