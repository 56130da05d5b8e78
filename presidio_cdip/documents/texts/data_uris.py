"""Find files that stand in a text as base64: in ``data:`` addresses, or bare."""

import base64
import binascii
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

_ADDRESS = re.compile(
    r"data:([a-z]+/[\w.+-]*)?((?:;[\w.-]+=[^;,\s\"']*)*);base64,([A-Za-z0-9+/_=%\s-]*)", re.I
)
_BARE = re.compile(r"[A-Za-z0-9+/\s]+={0,2}\s*")
_SHORTEST = 1000  # characters of base64 without a ``data:``, for a magic of two bytes
_SHORTEST_TEXT = 12  # of a text in base64: shorter words decode to letters by chance
_MAGIC = {
    b"\x89PNG": "png", b"\xff\xd8\xff": "jpg", b"GIF8": "gif", b"II*\0": "tif", b"MM\0*": "tif",
    b"%PDF": "pdf", b"PK\x03\x04": "zip", b"\xd0\xcf\x11\xe0": "doc", b"RIFF": "webp",
    b"{\\rtf": "rtf", b"\x1f\x8b": "gz", b"BM": "bmp", b"<?xml": "xml",
}  # fmt: skip
_SUFFIXES = {
    "jpeg": "jpg", "tiff": "tif", "svg+xml": "svg", "plain": "txt", "calendar": "ics",
    "vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
}  # fmt: skip


class Hidden(NamedTuple):
    """A file that stands in a text.

    Attributes:
        address: Where its ``data:`` begins.
        start: Where its base64 begins.
        end: Where it ends.
        data: Its bytes.
        name: A file name made up, with the right suffix.
    """

    address: int
    start: int
    end: int
    data: bytes
    name: str

    @staticmethod
    def encode(data: bytes | None) -> str:
        """Return *data* in base64; nothing, if the file is removed."""
        return "" if data is None else base64.b64encode(data).decode("ascii")


def in_addresses(text: str, start: int = 0, end: int | None = None) -> Iterator[Hidden]:
    """Yield the files of all ``data:`` addresses in ``text[start:end]`` that are in base64."""
    for match in _ADDRESS.finditer(text, start, len(text) if end is None else end):
        data = _decoded(unquote_to_bytes(match[3]))
        kind = (match[1] or "text/plain").partition("/")[2].lower()
        if data is not None:
            name = f"file.{_SUFFIXES.get(kind, kind) or 'bin'}"
            yield Hidden(match.start(), *match.span(3), data, name)


def bare(text: str) -> Hidden | None:
    """Return the file or text that *text* is in base64; None if it is none of a known kind."""
    if len(text) < _SHORTEST_TEXT or not _BARE.fullmatch(text):
        return None
    data = _decoded(text.encode("ascii"))
    if data is None:
        return None
    if _is_text(data):
        return Hidden(0, 0, len(text), data, "text.txt")
    sure = 2 if len(text) >= _SHORTEST else 3  # bytes that no word has by chance
    suffixes = (
        one for magic, one in _MAGIC.items() if data.startswith(magic) and len(magic) >= sure
    )
    suffix = next(suffixes, "")
    return Hidden(0, 0, len(text), data, f"file.{_office(data, suffix)}") if suffix else None


def holds_file(text: str) -> bool:
    """Return whether a file stands in *text*."""
    return bare(text) is not None or any(True for _ in in_addresses(text))


def _is_text(data: bytes) -> bool:
    """Return whether *data* can be read as a text: by chance hardly nine bytes are."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return all(char.isprintable() or char in "\r\n\t" for char in text) and any(
        map(str.isalpha, text)
    )


def _office(data: bytes, suffix: str) -> str:
    """Return the suffix of an office package, whose magic is that of ZIP files."""
    folders: dict[bytes, str] = {b"word/": "docx", b"xl/": "xlsx", b"ppt/": "pptx"}
    found = (one for folder, one in folders.items() if suffix == "zip" and folder in data)
    return next(found, suffix)


def _decoded(text: bytes) -> bytes | None:
    text = b"".join(text.split()).replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
