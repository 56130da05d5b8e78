"""Find files that stand in a text: in ``data:`` addresses, in tokens of the web, in bare base64."""

import base64
import binascii
import re
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

_KIND = r"([a-z]{1,40}/[\w.+-]{0,120}+)"
_VALUE = r"[^;,\s\"']{0,200}+"
_ADDRESS = re.compile(
    rf"data:{_KIND}?((?:;[\w.-]{{1,80}}+={_VALUE}){{0,9}}+);base64,([A-Za-z0-9+/_=%\s-]*)", re.I
)
_ESCAPED = re.compile(
    rf"data:{_KIND}((?:;[\w.-]{{1,80}}+(?:={_VALUE})?){{0,9}}+),(?<!;base64,)([^\s\"'<>]+)", re.I
)
_WHOLE = re.compile(
    rf"\s*+(data:){_KIND}?((?:;[\w.-]{{1,80}}+(?:={_VALUE})?){{0,9}}+),(.+)", re.I | re.S
)
_TOKEN = re.compile(r"\beyJ[\w-]{6,}\.(eyJ[\w-]{6,})(?:\.[\w-]*)?")
_BARE = re.compile(r"[A-Za-z0-9+/_\s-]++={0,2}+\s*+")
_SHORTEST = 1000  # characters of base64 without a ``data:``, for a magic of two bytes
_SHORTEST_TEXT = 12  # of a text in base64: shorter words decode to letters by chance
_CODE = re.compile(
    r"(?=[^a-z]*+[a-z])(?=[^A-Z]*+[A-Z])(?=[^0-9]*+[0-9])"
    r"(?:[A-Za-z0-9+/]{40,}|[\w-]{40,})={0,2}\s*"
)
_WRAPPED = re.compile(
    r"\s*+(?:[A-Za-z0-9+/_-]{40,}+[^\S\n]*+\n\s*+)*+(?:[A-Za-z0-9+/_-]++={0,2}+\s*+)?+"
)
_LONG_CODE = 1000  # characters: no key and no digest is as long
_WORDS = re.compile(rb"[ -~]{8}|(?:[ -~]\0){6}|(?:\0[ -~]){6}")
_MAGIC = {
    b"\x89PNG": "png", b"\xff\xd8\xff": "jpg", b"GIF8": "gif", b"II*\0": "tif", b"MM\0*": "tif",
    b"%PDF": "pdf", b"PK\x03\x04": "zip", b"\xd0\xcf\x11\xe0": "doc", b"RIFF": "webp",
    b"{\\rtf": "rtf", b"\x1f\x8b\b": "gz", b"BM": "bmp", b"<?xml": "xml",
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
        encode: How other bytes are written there; nothing, if the file is removed.
    """

    address: int
    start: int
    end: int
    data: bytes
    name: str
    encode: Callable[[bytes | None], str]


def in_base64(data: bytes | None) -> str:
    """Return *data* in base64; nothing for None."""
    return "" if data is None else base64.b64encode(data).decode("ascii")


def _for_addresses(data: bytes | None) -> str:
    return "" if data is None else base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def in_percents(data: bytes | None) -> str:
    """Return *data* in percent signs; nothing for None."""
    return "" if data is None else quote(data, safe="")


def in_addresses(text: str, start: int = 0, end: int | None = None) -> Iterator[Hidden]:
    """Yield the files in ``data:`` addresses and tokens (JWT) of ``text[start:end]``, in order."""
    end = len(text) if end is None else end
    found = [*_addresses(text, start, end), *_tokens(text, start, end)]
    yield from sorted(found, key=lambda one: one.start)


def whole(text: str) -> Hidden | None:
    """Return the file that all of *text* is the ``data:`` address of; None if it is none.

    >>> (one := whole("data:text/plain,Ann Lee")) and one.data
    b'Ann Lee'
    """
    match = _WHOLE.fullmatch(text)
    if match is None:
        return None
    packed = match[3].lower().endswith(";base64")
    data: bytes | None = unquote_to_bytes(match[4])
    data = decoded(data) if packed and data is not None else data
    if data is None:
        return None
    encode = in_base64 if packed else in_percents
    return Hidden(match.start(1), *match.span(4), data, _name(match[2]), encode)


def _addresses(text: str, start: int, end: int) -> Iterator[Hidden]:
    if "data:" not in text[start:end].lower():
        return
    for match in _ADDRESS.finditer(text, start, end):
        data = decoded(unquote_to_bytes(match[3]))
        if data is not None:
            yield Hidden(match.start(), *match.span(3), data, _name(match[1]), in_base64)
    for match in _ESCAPED.finditer(text, start, end):
        data = unquote_to_bytes(match[3])
        yield Hidden(match.start(), *match.span(3), data, _name(match[1]), in_percents)


def _tokens(text: str, start: int, end: int) -> Iterator[Hidden]:
    for match in _TOKEN.finditer(text, start, end) if "eyJ" in text else ():
        data = decoded(match[1].encode("ascii"))
        if data is not None:
            yield Hidden(match.start(), *match.span(1), data, "token.json", _for_addresses)


def _name(kind: str | None) -> str:
    sort = (kind or "text/plain").partition("/")[2].lower()
    return f"file.{_SUFFIXES.get(sort, sort) or 'bin'}"


def bare(text: str) -> Hidden | None:
    """Return the file or text that *text* is in base64; None if it is none of a known kind."""
    if len(text) < _SHORTEST_TEXT or not _BARE.fullmatch(text):
        return None
    data = decoded(text.encode("ascii"))
    if data is None:
        return None
    encode = _for_addresses if "-" in text or "_" in text else in_base64
    if _is_text(data):
        return Hidden(0, 0, len(text), data, "text.txt", encode)
    sure = 2 if len(text) >= _SHORTEST else 3  # bytes that no word has by chance
    suffixes = (
        one for magic, one in _MAGIC.items() if data.startswith(magic) and len(magic) >= sure
    )
    suffix = next(suffixes, "")
    if not suffix:
        return None
    return Hidden(0, 0, len(text), data, f"file.{_office(data, suffix)}", encode)


def may_hide(text: str) -> bool:
    """Return whether *text* is data in base64 of an unknown kind that may hold words.

    Keys and digests have no words; packed data has none that can be seen.
    """
    text = "".join(text.split()) if "\n" in text else text
    if not _CODE.fullmatch(text):
        return False
    data = decoded(text.encode("ascii"))
    if data is None:
        return False
    if len(text) >= _LONG_CODE or _WORDS.search(data):
        return True
    try:
        return bool(zlib.decompressobj().decompress(data, 64))
    except zlib.error:
        return False


def holds_file(text: str) -> bool:
    """Return whether a file stands in *text*."""
    return bare(text) is not None or any(True for _ in in_addresses(text))


def is_packed(text: str) -> bool:
    """Return whether all of *text* is base64 of something that can be read, or may be."""
    return _WRAPPED.fullmatch(text) is not None and (bare(text) is not None or may_hide(text))


def _is_text(data: bytes) -> bool:
    """Return whether *data* can be read as a text: by chance hardly nine bytes are."""
    wide = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8")
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


def decoded(text: bytes) -> bytes | None:
    """Decode *text* from base64, also that for addresses; None if it is none."""
    text = b"".join(text.split()).replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
