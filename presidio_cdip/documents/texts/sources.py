"""Rewrite texts by positions in their source, so that what has no edit stays byte for byte.

A format made of text decodes its bytes to a `Source`, marks in it the `Value`s that a reader sees,
and hands both to a `SourceDocument`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from presidio_cdip.documents.segments import Edits, Embedded, Note, Place, Segment, Settings
from presidio_cdip.documents.texts.encodings import Change, Source
from presidio_cdip.documents.texts.percents import unquoted
from presidio_cdip.documents.texts.values import Rewritable, Value
from presidio_cdip.errors import TextTooLong
from presidio_cdip.surrogates.scopes import scope_of

_SOURCE = 10  # characters of a source for one character of text that is allowed
_LEAST = 4  # characters that a segment counts for, at least: its place and label take memory


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
        scope: The scope of the segments that are added next, as `Segment.scope`.
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
    scope: str = ""
    _size: int = 0

    def __post_init__(self) -> None:
        self.segments, self.embedded = self._segments, self._embedded
        self.unread = self._unread
        most = self.settings.max_characters
        if len(self.source.data) > _SOURCE * most:
            raise TextTooLong(self.source.name, most)

    def add(self, value: Rewritable, where: str, label: str = "", after: str = "\n") -> None:
        """Add a segment; percent signs are read as the characters that they stand for.

        Raises:
            TextTooLong: All segments together have more characters than is allowed.
        """
        if isinstance(value, Value) and "%" in value.text:
            value = unquoted(value)
        text = value.text
        self._size += max(_LEAST, len(text) + len(label))
        if self._size > self.settings.max_characters:
            raise TextTooLong(self.source.name, self.settings.max_characters)
        self._segments.append(Segment(text, Place(where), label, after, scope=self.scope))
        self.values.append(value)

    def scope_of_row(self, value: str, where: str) -> str:
        """Return the scope that *value* names, or one of its own for the row or record at *where*.

        Args:
            value: Of the row, in `Settings.scope_column`.
            where: Where the row stands.
        """
        return value.strip() or f"{self._own} {where}"

    def part_others(self, row_of: Callable[[str], str]) -> None:
        """Give each row without a scope one of its own, if others have one.

        Args:
            row_of: Returns the row that a place is in.
        """
        if any(one.scope for one in self.segments):
            self._segments[:] = [
                one if one.scope
                else replace(one, scope=self.scope_of_row("", row_of(one.place.where)))
                for one in self._segments
            ]  # fmt: skip

    @cached_property
    def _own(self) -> str:
        return scope_of(self.source.text)

    def end_block(self, first: int) -> None:
        """End the last segment with a blank line, if it is the one numbered *first* or later."""
        if len(self.segments) > first and self.segments[-1].after != "\n\n":
            self._segments[-1] = replace(self.segments[-1], after="\n\n")

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
    """Return the number of line ends in ``text[start:end]``."""
    return (
        text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)
    )


def words(text: str) -> frozenset[str]:
    """Return the words of *text*."""
    return frozenset(text.split())


def one_line(text: str) -> str:
    """Return *text* with blanks for line ends."""
    return _BREAKS.sub(" ", text)
