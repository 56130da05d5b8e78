"""Hold texts each character of which stands somewhere in a source, and write edits of them."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from presidio_cdip.documents.segments import Edit
from presidio_cdip.documents.texts.encodings import Change, Source


class Rewritable(Protocol):
    """A text that stands in a source, however it is written there."""

    @property
    def text(self) -> str:
        """Return the text, as a reader sees it."""

    def changes(self, edits: Sequence[Edit]) -> Iterator[Change]:
        """Yield the changes of the source that *edits* of the text need."""


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

    def stretch(self, start: int, end: int) -> "Value":
        """Return ``text[start:end]``, which stands where it stood."""
        return Value(
            self.text[start:end], self.starts[start:end], self.ends[start:end], self.encode
        )

    def changes(self, edits: Sequence[Edit]) -> Iterator[Change]:
        """Yield the changes of *edits*: new text stands where the old began; the rest goes."""
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
        """Return the text, as a reader sees it."""
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
