"""Open PDF files with what limits they need, and save them whole."""

import io
import warnings
import zlib
from typing import Any

import pikepdf

from presidio_cdip.documents.segments import Settings
from presidio_cdip.errors import UnreadableInput

_RATIO = 1100  # what Flate may unpack one byte to, at most; LZW stays below
_CHUNK = 1 << 16


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
            name, f"is a damaged PDF ({type(error).__name__}): open and save it again"
        ) from None
    if not count:
        raise UnreadableInput(name, "is a PDF without pages")
    if count > settings.max_pages:
        raise UnreadableInput(name, f"has more than {settings.max_pages:,} pages: split it")
    return pdf


def saved(pdf: Any) -> bytes:
    """Return *pdf* written whole: no earlier revision, nothing that no page draws."""
    pdf.remove_unreferenced_resources()
    pikepdf.sanitize.remove_thumbnails(pdf)
    pikepdf.sanitize.remove_private_app_data(pdf)
    pikepdf.sanitize.remove_search_index(pdf)
    pikepdf.sanitize.remove_web_capture(pdf)
    if "/ID" in pdf.trailer:
        del pdf.trailer["/ID"]  # it identifies the original; a new one is made
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


def _measure(raw: bytes, filters: list[str], most: int) -> None:
    """Unpack *raw* in steps as far as *most* bytes."""
    data = raw
    for name in filters:
        if name not in ("/FlateDecode", "/Fl"):
            if len(data) * _RATIO > most:
                raise TooLarge
            return
        unpacker = zlib.decompressobj()
        try:
            data = unpacker.decompress(data, most + 1)
        except zlib.error:
            return  # qpdf repairs it, as far as it can
        if len(data) > most:
            raise TooLarge
