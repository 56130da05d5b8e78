"""Decode texts, so that what is written again stays byte for byte where nothing changes."""

import codecs
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.files.inputs import decode

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_WIDTHS = {"utf-16-le": 2, "utf-16-be": 2, "utf-32-le": 4, "utf-32-be": 4}
_ESCAPED = re.compile("[\udc80-\udcff]")
_BEYOND_ASCII = re.compile("[\x80-\ud7ff\ue000-\U0010ffff]")
_FITTED = "presidio_cdip.fitted"


class Change(NamedTuple):
    """Put *new* in the place of ``text[start:end]`` of a source."""

    start: int
    end: int
    new: str


@dataclass
class Source:
    """A text, and how its bytes come back.

    Attributes:
        name: The file's name, for errors.
        data: Its bytes.
        text: Its text as a program reads it, without a byte order mark.
        encoding: How new text is encoded.
    """

    name: str
    data: bytes
    text: str
    encoding: str
    _kept: str = ""  # the text, in which bytes that are not UTF-8 stand as lone surrogates
    _head: bytes = b""
    _tail: bytes = b""
    _codec: tuple[str, str] = ("utf-8", "surrogateescape")
    _lines: list[int] = field(default_factory=list)

    @classmethod
    def opened(cls, data: bytes, name: str, charset: str = "") -> "Source":
        """Decode *data*.

        Args:
            data: The bytes of a text.
            name: Its name, for errors.
            charset: The encoding that it, or what holds it, declares; it is believed if it fits.

        Raises:
            UnreadableInput: It is no text.
        """
        mark, encoding = next(((m, e) for m, e in _MARKS if data.startswith(m)), (b"", ""))
        if not mark and charset and (text := _declared(data, charset)) is not None:
            return cls(name, data, text, charset, text, _codec=(charset, "strict"))
        if not encoding:
            decode(data, name)  # refuses what is no text
            encoding = _wide(data) or "utf-8"
        body = data[len(mark) :]
        width = _WIDTHS.get(encoding, 1)
        cut = len(body) - len(body) % width
        errors = "surrogateescape" if encoding == "utf-8" else "surrogatepass"
        try:
            kept = body[:cut].decode(encoding, errors)
        except UnicodeDecodeError:
            raise UnreadableInput(name, "is in a damaged encoding; save it as UTF-8") from None
        text = kept
        written = encoding
        if encoding == "utf-8" and _ESCAPED.search(kept):
            text = kept.translate(_windows())
            written = encoding if _BEYOND_ASCII.search(kept) else "cp1252"
        return cls(name, data, text, written, kept, mark, body[cut:], (encoding, errors))

    @classmethod
    def bytewise(cls, data: bytes, name: str) -> "Source":
        """Return bytes as a text of as many characters."""
        text = data.decode("latin-1")
        return cls(name, data, text, "latin-1", text, _codec=("latin-1", "strict"))

    def line_of(self, at: int) -> int:
        """Return the number of the line in which a character stands, from 1."""
        if not self._lines:
            self._lines.append(0)
            self._lines.extend(match.end() for match in _LINE_END.finditer(self.text))
        return bisect_right(self._lines, at)

    def fits(self, text: str) -> bool:
        """Return whether every character of *text* can be encoded."""
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def written(self, changes: Iterable[Change]) -> bytes:
        """Return the bytes with *changes*, which do not overlap; the others stay.

        Characters that the encoding lacks are written without their accents, or as ``?``.
        """
        parts: list[str] = []
        at = 0
        for start, end, new in sorted(changes):
            parts += [self._kept[at:start], self._fitted(new)]
            at = max(at, end)
        if not parts:
            return self.data
        parts.append(self._kept[at:])
        return self._head + "".join(parts).encode(*self._codec) + self._tail

    def _fitted(self, new: str) -> str:
        if new.isascii():
            return new
        new = _LONE.sub("\ufffd", new)
        data = new.encode(self.encoding, _FITTED)
        if self.encoding == "cp1252" and self._codec[0] == "utf-8":
            return data.decode("ascii", "surrogateescape")
        return data.decode(self.encoding)


_LONE = re.compile("[\ud800-\udfff]")


def _declared(data: bytes, charset: str) -> str | None:
    """Return *data* decoded as *charset*, or None if it is not that."""
    try:
        if codecs.lookup(charset).name in ("utf-8", "ascii"):
            return None  # as by default, byte for byte
        return data.decode(charset)
    except (LookupError, UnicodeError, ValueError):
        return None


def _wide(data: bytes) -> str:
    """Return the encoding of a text in UTF-16 that has no byte order mark; else ""."""
    sample = data[:4096]
    for encoding, nuls in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[0::2])):
        if nuls.count(0) > 0.6 * len(nuls) > 0 and sample.count(0) < 0.6 * len(sample):
            return encoding
    return ""


@lru_cache(maxsize=1)
def _windows() -> Mapping[int, str]:
    """Return, for bytes that are not UTF-8, their characters in Windows-1252 or Latin-1."""
    codes = range(0x80, 0x100)
    return {0xDC00 + code: bytes([code]).decode("cp1252", "ignore") or chr(code) for code in codes}


def _fitting(error: UnicodeError) -> tuple[str, int]:
    """Encode a character that an encoding lacks as its plain letter, or as a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    char = error.object[error.start]
    plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
    return plain or "?", error.start + 1


codecs.register_error(_FITTED, _fitting)
_LINE_END = re.compile(r"\r\n|\r|\n")


def ascii_of(text: str) -> str:
    """Return *text* in ASCII: letters without their accents, and ``?`` for what has no letter."""
    return text.encode("ascii", _FITTED).decode()
