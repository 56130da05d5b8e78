"""Cut a long text into pieces that overlap, so that memory does not grow with the text.

A text of up to `PIECE` characters is one piece. Of a longer one each piece has a stretch of its
own, cut at the end of a page, paragraph or line where there is one, and sees some text before and
after it: a cue and its value, or the heading of a table and its rows, are seen together. A span
belongs to the pieces into whose own stretches it reaches.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from presidio_cdip.recognition.overlaps import Claim, resolve_overlaps
from presidio_cdip.recognition.spans import Span

PIECE = 400_000  # characters of the longest text that is read at once
BEFORE = 16_000  # characters before its own stretch that a piece sees: 200 rows of a table
AFTER = 2_000  # characters after it: the rest of a value, and some words for the model
_SLACK = 8_000  # characters before the latest cut in which a good one is looked for
_CUTS = tuple(map(re.compile, (r"\f", r"[\n\r][^\S\n\r]*[\n\r]", r"[\n\r]", r"\s")))  # best first


@dataclass(frozen=True, slots=True)
class Piece:
    """Hold a stretch of a document that is read at once.

    Attributes:
        document: The document.
        start: Offset of the first character that it sees.
        end: Offset after the last.
        first: Offset of the first character of its own stretch.
        last: Offset after the last.
    """

    document: str = field(repr=False)
    start: int
    end: int
    first: int
    last: int

    @property
    def text(self) -> str:
        """Return the piece's text with its overlap."""
        return self.document[self.start : self.end]

    def is_blank(self) -> bool:
        """Return whether nothing but blanks stands in its own stretch."""
        return not self.document[self.first : self.last].strip()

    def own(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Yield the spans of `text` that reach into its own stretch, as spans of the document.

        A span across a cut may belong to two pieces, so that it is not lost where they read its
        start differently; `joined` keeps one.

        Args:
            spans: Spans of `text`.
        """
        for span in spans:
            start, end = span.start + self.start, span.end + self.start
            if start < self.last and end > self.first:
                yield _moved(span, self.start)

    def within(self, spans: Sequence[Span]) -> list[Span]:
        """Return the spans that lie within `text`, at their places in it.

        Args:
            spans: Spans of the document, in order.
        """
        found = []
        for at in range(bisect_left(spans, self.start, key=_start), len(spans)):
            if spans[at].start >= self.end:
                break
            if spans[at].end <= self.end:
                found.append(_moved(spans[at], -self.start))
        return found


def pieces(text: str) -> list[Piece]:
    """Return the pieces of *text*, whose own stretches follow one another from end to end."""
    cuts = [0]
    while len(text) - cuts[-1] > PIECE:
        cuts.append(_cut(text, cuts[-1] + PIECE))
    cuts.append(len(text))
    return [
        Piece(text, max(0, first - BEFORE), min(len(text), last + AFTER), first, last)
        for first, last in pairwise(cuts)
    ]


def joined(text: str, parts: Iterable[Iterable[Span]]) -> list[Span]:
    """Return the spans of the pieces of *text*, in order, none overlapping.

    Args:
        text: The document.
        parts: Of each piece its own spans, in order.
    """
    spans = [span for part in parts for span in part]
    if all(one.end <= other.start for one, other in pairwise(spans)):
        return spans
    # A value across a cut, which two pieces read differently.
    return resolve_overlaps(text, [Claim(span, round(1000 * (1 - span.score))) for span in spans])


def _cut(text: str, latest: int) -> int:
    """Return the offset of the best place for a cut at *latest* or before it."""
    start = latest - _SLACK
    stretch = text[start:latest]
    for cut in _CUTS:
        for match in reversed(list(cut.finditer(stretch))):
            return start + match.end()
    return latest


def _start(span: Span) -> int:
    return span.start


def _moved(span: Span, by: int) -> Span:
    return replace(span, start=span.start + by, end=span.end + by) if by else span
