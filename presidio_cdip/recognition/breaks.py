"""Read a word or number that a line's end breaks as one: ``hus-`` and ``band``.

The rest of the word moves up to the line on which it begins, so that lines stay lines.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span

_BREAK = re.compile(
    r"(?P<hyphen>[-\u00ad¬‐])(?P<end>[^\S\n]{0,8}\n[^\S\n]{0,80})(?P<rest>[a-zß-ÿ]|\d)"
)
_REST = re.compile(r"\S{1,40}[ \t]?(?P<ends>\s*\n|\s*\Z)?")
_BEFORE = re.compile(r"(?:[^\W\d_]+|\d+)\Z")
_GAP = re.compile(r"(?:\s{3,}|\t)(?=\S)")  # between columns
_LONG = 400  # characters of a line, at most, that may have columns
_LEAN = 2  # characters by which a cell may begin before the one above it
_LONGEST = 40  # characters of a word before a break
_HYPHENED = frozenset(english().labels["hyphened"])


@dataclass(frozen=True, slots=True)
class Unbroken:
    """A text whose words are not broken.

    Attributes:
        text: The text.
        pieces: For each stretch of it that moved together, its start here and in the document.
    """

    text: str
    pieces: tuple[tuple[int, int], ...] = ()

    def originals(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Yield the spans of `text` at their places in the document."""
        for span in spans:
            start, end = self._origin(span.start), self._origin(span.end - 1) + 1
            yield replace(span, start=start, end=end)

    def _origin(self, at: int) -> int:
        here, there = self.pieces[bisect_right(self.pieces, at, key=lambda one: one[0]) - 1]
        return there + at - here


def unbroken(text: str) -> Unbroken:
    r"""Return *text* with its broken words joined.

    In columns the rest of the last one's word stands under its beginning; other cells are not read.
    A hyphen stays in numbers, behind words such as "non", and in a word that has another.

    >>> unbroken("her hus-\nband Ray, non-\nsmoker").text
    'her husband \nRay, non-smoker'
    """
    parts: list[str] = []
    pieces: list[tuple[int, int]] = []
    length = at = 0

    def take(start: int, end: int) -> None:
        nonlocal length
        if end > start:
            parts.append(text[start:end])
            pieces.append((length, start))
            length += end - start

    for match in _BREAK.finditer(text):
        hyphen, rest = match.start("hyphen"), match.start("rest")
        word = _BEFORE.search(text, max(at, hyphen - _LONGEST), hyphen)
        if hyphen < at or not word or word[0][-1].isdigit() != match["rest"].isdigit():
            continue
        lower = word[0][-1].islower() or word[0][-1].isdigit()
        other = _REST.match(text, rest)
        if not lower or other is None or not is_below(text, hyphen, rest):
            continue
        kept = (
            match["rest"].isdigit()
            or word[0].lower() in _HYPHENED
            or text[max(0, word.start() - 1)] == "-"
        )
        ends = other["ends"] is not None  # the line has nothing else, and none is left empty
        after = other.start("ends") if ends else other.end()
        take(at, hyphen + kept)
        take(rest, after)
        if not ends:
            take(*match.span("end"))
        at = after
    if not pieces:
        return Unbroken(text)
    take(at, len(text))
    return Unbroken("".join(parts), tuple(pieces))


def is_below(text: str, hyphen: int, rest: int) -> bool:
    """Return whether what begins at *rest* stands under the cell that ends at *hyphen*.

    A line without columns is one cell.
    """
    before = max(0, hyphen - _LONG)
    line = max(before, text.rfind("\n", before, hyphen) + 1)
    starts = [gap.end() - line for gap in _GAP.finditer(text, line, hyphen) if gap.start() > line]
    below = text.rfind("\n", hyphen, rest) + 1
    return not starts or rest - below >= starts[-1] - _LEAN
