"""Rewrite texts by positions in their source, so that what has no edit stays byte for byte.

A format made of text decodes its bytes to a `Source`, marks in it the `Value`s that a reader sees,
and hands both to a `SourceDocument`.
"""

import codecs
import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, Protocol

from presidio_cdip.documents.segments import Edit, Edits, Embedded, Note, Place, Segment, Settings
from presidio_cdip.errors import TextTooLong, UnreadableInput
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
_SOURCE = 10  # characters of a source for one character of text that is allowed
_LEAST = 4  # characters that a segment counts for, at least: its place and label take memory


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


class Rewritable(Protocol):
    """A text that stands in a source, however it is written there."""

    @property
    def text(self) -> str:
        """The text, as a reader sees it."""

    def changes(self, edits: Sequence[Edit]) -> Iterator[Change]:
        """Yield what *edits* of the text change in the source."""


Encode = Callable[[str], str]
"""From new text to how it is written in the source."""


@dataclass(slots=True)
class Value:
    """A text each character of which stands somewhere in a source.

    Attributes:
        text: The text, as a reader sees it.
        starts: For each character, where what stands for it begins in the source.
        ends: For each character, where it ends.
        encode: How new text is written.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    encode: Encode

    @classmethod
    def plain(cls, source: Source, start: int, end: int, encode: Encode) -> "Value":
        """Return ``source.text[start:end]``, in which each character stands for itself."""
        return cls(source.text[start:end], range(start, end), range(start + 1, end + 1), encode)

    def changes(self, edits: Sequence[Edit]) -> Iterator[Change]:
        """Yield what *edits* change: new text stands where the old began; the rest goes."""
        for edit in edits:
            new = self.encode(edit.new)
            if edit.start == edit.end:
                at = self.starts[edit.start] if edit.start < len(self.starts) else self.ends[-1]
                yield Change(at, at, new)
                continue
            for start, end in self._runs(edit.start, edit.end):
                yield Change(start, end, new)
                new = ""

    def _runs(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the stretches of the source in which the characters stand one after another."""
        start, end = self.starts[first], self.ends[first]
        for at in range(first + 1, last):
            if self.starts[at] != end:
                yield start, end
                start = self.starts[at]
            end = self.ends[at]
        yield start, end

    def decoded(self, units: re.Pattern[str], meaning: Callable[[str], str], encode: Encode,
                start: int = 0, end: int | None = None) -> "Value":  # fmt: skip
        """Return a stretch of the text in which *units* have a meaning: escapes, entities.

        Args:
            units: Matches what does not stand for itself.
            meaning: From a match to the characters it stands for; they share its place.
            encode: How new text is written in the source, by way of this text.
            start: Where the stretch begins.
            end: Where it ends; None for the end of the text.
        """
        end = len(self.text) if end is None else end
        if units.search(self.text, start, end) is None:
            return Value(self.text[start:end], self.starts[start:end], self.ends[start:end], encode)
        parts: list[str] = []
        starts, ends = array("q"), array("q")
        at = start
        for match in units.finditer(self.text, start, end):
            begin, stop = match.span()
            parts.append(self.text[at:begin])
            starts.extend(self.starts[at:begin])
            ends.extend(self.ends[at:begin])
            chars = meaning(match[0])
            parts.append(chars)
            starts.extend([self.starts[begin]] + [self.ends[stop - 1]] * (len(chars) - 1)
                          if chars else [])  # fmt: skip
            ends.extend([self.ends[stop - 1]] * len(chars))
            at = stop
        parts.append(self.text[at:end])
        starts.extend(self.starts[at:end])
        ends.extend(self.ends[at:end])
        return Value("".join(parts), starts, ends, encode)


@dataclass(slots=True)
class Whole:
    """A text that is written as a whole when a part of it changes.

    Attributes:
        text: The text, as a reader sees it.
        start: Where what stands for it begins in the source.
        end: Where it ends.
        encode: How a new text is written.
    """

    text: str
    start: int
    end: int
    encode: Encode

    def changes(self, edits: Sequence[Edit]) -> Iterator[Change]:
        """Yield the new text as one change."""
        if edits:
            yield Change(self.start, self.end, self.encode(edited(self.text, edits)))


@dataclass(slots=True)
class Chain:
    """A text that stands in several places of a source, one after another."""

    members: Sequence[Rewritable]
    _starts: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text, as a reader sees it."""
        return "".join(one.text for one in self.members)

    def changes(self, edits: Sequence[Edit]) -> Iterator[Change]:
        """Yield the changes of the members: new text stands in the first that an edit touches."""
        shares: list[list[Edit]] = [[] for _ in self.members]
        starts = [0]
        for one in self.members:
            starts.append(starts[-1] + len(one.text))
        for edit in edits:
            new = edit.new
            first = max(0, bisect_right(starts, edit.start) - 1)
            for index in range(min(first, len(self.members) - 1), len(self.members)):
                begin, stop = starts[index], starts[index + 1]
                if begin >= edit.end and new == "":
                    break
                local = Edit(
                    max(edit.start, begin) - begin, min(edit.end, stop) - begin, new, edit.entity
                )
                shares[index].append(local)
                new = ""
        for one, share in zip(self.members, shares, strict=True):
            yield from one.changes(share)


def edited(text: str, edits: Sequence[Edit]) -> str:
    """Return *text* with *edits*."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*parts, text[at:]])


@dataclass(slots=True)
class File:
    """A file that stands in a source: a picture in a ``data:`` address.

    Attributes:
        start: Where what stands for it begins in the source.
        end: Where it ends.
        encode: How other bytes are written, or that it is removed.
    """

    start: int
    end: int
    encode: Callable[[bytes | None], str]


@dataclass
class SourceDocument:
    """A document that is one text.

    Attributes:
        source: The text.
        settings: How it is read.
        segments: As `segments.Document` has them.
        embedded: As `segments.Document` has them.
        removed: As `segments.Document` has them.
        unread: As `segments.Document` has them.
        cuts: What `write` changes or leaves out in any case.
        values: For each segment, where its text stands.
        files: For each embedded file, where it stands.
    """

    source: Source
    settings: Settings
    segments: Sequence[Segment] = ()
    embedded: Sequence[Embedded] = ()
    removed: Sequence[Note] = ()
    unread: Sequence[Note] = ()
    cuts: list[Change] = field(default_factory=list)
    _segments: list[Segment] = field(default_factory=list)
    values: list[Rewritable] = field(default_factory=list)
    _embedded: list[Embedded] = field(default_factory=list)
    _unread: list[Note] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    _size: int = 0

    def __post_init__(self) -> None:
        self.segments, self.embedded = self._segments, self._embedded
        self.unread = self._unread
        most = self.settings.max_characters
        if len(self.source.data) > _SOURCE * most:
            raise TextTooLong(self.source.name, most)

    def add(self, value: Rewritable, where: str, label: str = "", after: str = "\n") -> None:
        """Add a segment.

        Raises:
            TextTooLong: All segments together have more characters than is allowed.
        """
        text = value.text
        self._size += max(_LEAST, len(text) + len(label))
        if self._size > self.settings.max_characters:
            raise TextTooLong(self.source.name, self.settings.max_characters)
        self._segments.append(Segment(text, Place(where), label, after))
        self.values.append(value)

    def end_block(self, first: int) -> None:
        """Part what follows from the last segment, if it is the one numbered *first* or later."""
        if len(self.segments) > first and self.segments[-1].after != "\n\n":
            last = self.segments[-1]
            self._segments[-1] = Segment(last.text, last.place, last.label, "\n\n")

    def embed(self, data: bytes, file: File, where: str, name: str) -> None:
        """Add an embedded file."""
        self._embedded.append(Embedded(data, Place(where), name))
        self.files.append(file)

    def note_unread(self, where: str, what: str) -> None:
        """Note, once, that something was not read."""
        note = Note(Place(where), what)
        if note not in self._unread:
            self._unread.append(note)

    def write(self, edits: Edits, embedded: Mapping[int, bytes | None]) -> bytes:
        """Return the document with other text."""
        changes = list(self.cuts)
        for index, of_segment in edits.items():
            changes += self.values[index].changes(of_segment)
        for index, data in embedded.items():
            if data != self.embedded[index].data:
                file = self.files[index]
                changes.append(Change(file.start, file.end, file.encode(data)))
        return self.source.written(changes)


_LINE = re.compile(r"[^\r\n]+")
_LINE_END = re.compile(r"\r\n|\r|\n")
_BREAKS = re.compile(r"[\r\n]+")


def add_lines(document: SourceDocument, start: int = 0, end: int | None = None,
              where: str = "") -> None:  # fmt: skip
    """Add each line of a text as a segment.

    Args:
        document: What the lines are added to.
        start: Where the first line begins in its source.
        end: Where the last ends; None for the end of the source.
        where: What the lines are of: ``"body"``.
    """
    source = document.source
    end = len(source.text) if end is None else end
    number, at = 1, start
    before = f"{where}, " if where else ""
    for match in _LINE.finditer(source.text, start, end):
        breaks = lines_in(source.text, at, match.start())
        if breaks > 1:
            document.end_block(0)
        number += breaks
        at = match.end()
        if not match[0].isspace():
            value = Value.plain(source, *match.span(), one_line)
            document.add(value, f"{before}line {number}")
    document.end_block(0)


def lines_in(text: str, start: int, end: int) -> int:
    """Return how many line ends ``text[start:end]`` has."""
    return (
        text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)
    )


def ascii_of(text: str) -> str:
    """Return *text* in ASCII: letters without their accents, and ``?`` for what has no letter."""
    return text.encode("ascii", _FITTED).decode()


def words(text: str) -> frozenset[str]:
    """Return the words of *text*."""
    return frozenset(text.split())


def one_line(text: str) -> str:
    """Return *text* with blanks for line ends."""
    return _BREAKS.sub(" ", text)
