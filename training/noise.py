"""Disturb a text as OCR and text extraction do, with errors drawn from counts: `Noise`.

`fit_noise.py` writes the counts to ``noise.json``: the readings of each character or pair, the
insertions, the share of lost lines and the distribution of the error rate over pages. Equal seeds
of *rng* give equal texts. Spans (start, exclusive end and label, in order and without overlap) move
with the text.
"""

import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

FILE = Path(__file__).with_suffix(".json")

Span = tuple[int, int, str]
Noisy = tuple[str, tuple[Span, ...]]
Edit = tuple[int, int, str]  # start, end (exclusive) and replacement

_BREAK = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=\S)")
_RUN = re.compile(r"(?m)^[ \t]+|[ \t]{2,}")
_FIELD = re.compile(r"[ \t]*[^\s:][^:\n]{0,39}:[ \t]+\S.*")
_PARAGRAPH = re.compile(r"\S.*(?:\n[ \t]*\S.*)*")
_HYPHENATED = re.compile(r"[^\W\d_]{7,}")


@dataclass(frozen=True, slots=True)
class Choice:
    """Choose among events by probability; with the remaining probability, no event occurs.

    Attributes:
        total: The probability that an event occurs.
        things: The events.
        cumulated: Their cumulative probabilities.
    """

    total: float
    things: tuple[str, ...]
    cumulated: tuple[float, ...]

    @classmethod
    def of(cls, probabilities: Mapping[str, float]) -> "Choice":
        """Return the choice among the keys of *probabilities*."""
        cumulated = tuple(accumulate(probabilities.values()))
        return cls(cumulated[-1] if cumulated else 0.0, tuple(probabilities), cumulated)

    def draw(self, random: Random) -> str:
        """Draw an event, given that one occurs."""
        at = bisect_right(self.cumulated, random.random() * self.total)
        return self.things[min(at, len(self.things) - 1)]


@dataclass(frozen=True, slots=True)
class Noise:
    """Draw errors of OCR from counted frequencies.

    Attributes:
        typical: Edits per character, over all pages.
        pages: Evenly spaced quantiles of the pages' rates, in ascending order.
        uneven: Variance of the ratio of a line's rate to its page's; the ratio is 1 on average.
        lost_lines: The probability that a line is not read at all.
        read_as: Readings of each character or pair of characters.
        unseen: The probability that a letter without counts loses its accent.
        at_edge: Insertions at the start and the end of a line.
        at_blank: Insertions before or after a blank.
        inner: Insertions between two characters of a word.
    """

    typical: float
    pages: tuple[float, ...]
    uneven: float
    lost_lines: float
    read_as: Mapping[str, Choice]
    unseen: float
    at_edge: Choice
    at_blank: Choice
    inner: Choice

    @classmethod
    def load(cls, file: Path = FILE) -> "Noise":
        """Load the frequencies that `fit_noise.py` counted."""
        held = json.loads(file.read_text("utf-8"))
        put_in = {where: Choice.of(what) for where, what in held["put_in"].items()}
        return cls(
            held["typical"],
            tuple(held["pages"]),
            held["uneven"],
            held["lost_lines"],
            {piece: Choice.of(readings) for piece, readings in held["read_as"].items()},
            held["unseen"],
            put_in["edge"],
            put_in["blank"],
            put_in["inner"],
        )

    def corrupt(
        self, text: str, spans: Sequence[Span], rng: Random, rate: float | None = None
    ) -> Noisy:
        """Return *text* with errors of OCR, and *spans* moved to the new text.

        A span that becomes empty is dropped; blanks at the edges of a span are trimmed.

        Args:
            text: Lines of a page. Line breaks stay, except those of lost lines.
            spans: The spans of *text*.
            rng: Draws the rates of the page and of its lines, and the errors.
            rate: The page's rate, where 1 is typical; None draws it from the distribution of pages.
        """
        if rate is None:
            rate = self._page(rng) / self.typical
        return edited(text, list(self._errors(text, spans, rng, rate)), spans)

    def flatten(self, text: str, spans: Sequence[Span], rng: Random) -> Noisy:
        """Change the lines and blanks of *text* as text extraction may; no letter is lost.

        One of: single line breaks become blanks; runs of blanks collapse; lines of fields are set
        side by side; paragraphs of prose are wrapped at another width, hyphenated or not. If
        the drawn change does not apply, the next is tried.
        """
        ways = [_joined, _collapsed, _side_by_side, _wrapped]
        first = rng.randrange(len(ways))
        for way in ways[first:] + ways[:first]:
            if edits := way(text, rng):
                return edited(text, edits, spans)
        return text, tuple(spans)

    def recase(self, text: str, spans: Sequence[Span], rng: Random) -> Noisy:
        """Return *text* in capitals or, less often, in small letters, with the same length."""
        turn = str.upper if rng.random() < 0.65 else str.lower
        turned = (turn(char) for char in text)
        same = (new if len(new) == 1 else old for old, new in zip(text, turned, strict=True))
        return "".join(same), tuple(spans)

    def _page(self, rng: Random) -> float:
        """Draw the rate of a page, by interpolation between two quantiles."""
        at = rng.random() * (len(self.pages) - 1)
        low = int(at)
        return self.pages[low] + (at - low) * (self.pages[low + 1] - self.pages[low])

    def _errors(self, text: str, spans: Sequence[Span], rng: Random, rate: float) -> Iterator[Edit]:
        edges = {edge for start, end, _ in spans for edge in (start, end)}
        start = 0
        while start < len(text):
            end = text.find("\n", start) + 1 or len(text)
            if not text[start:end].isspace():
                if rng.random() < self.lost_lines * rate:
                    yield start, end, ""
                else:
                    strength = rng.gammavariate(1 / self.uneven, self.uneven) if rate else 0.0
                    yield from self._line(text, start, end, edges, rng, rate * strength)
            start = end

    def _line(
        self, text: str, start: int, end: int, edges: set[int], rng: Random, rate: float
    ) -> Iterator[Edit]:
        """Yield the errors in a line, in order, none adjacent to another."""
        chance, read_as, edge, blank = rng.random, self.read_as, self.at_edge, self.at_blank
        inner, inner_total = self.inner, self.inner.total * rate
        blank_total = blank.total * rate
        while end > start and text[end - 1].isspace():
            end -= 1
        while start < end and text[start].isspace():
            start += 1
        if chance() < edge.total * rate / 2:
            yield start, start, edge.draw(rng)  # the character there may still be misread
        at, beside = start, True
        while at < end:
            char = text[at]
            pair = text[at : at + 2]
            choice = read_as.get(pair)
            if choice and chance() < choice.total * rate and at + 1 < end and at + 1 not in edges:
                yield at, at + 2, choice.draw(rng)
                at, beside = at + 2, False
                continue
            if char.isspace():
                # A gap of several blanks is never closed.
                lone = char == " " and not pair[1:].isspace() and not beside
                choice = read_as.get(" ")
                if lone and choice and chance() < choice.total * rate:
                    yield at, at + 1, choice.draw(rng)
                elif chance() < blank_total:
                    yield at, at, blank.draw(rng)
                at, beside = at + 1, True
                continue
            choice = read_as.get(char)
            if choice:
                if chance() < choice.total * rate:
                    yield at, at + 1, choice.draw(rng)
                elif not beside and chance() < inner_total:
                    yield at, at, inner.draw(rng)
            elif char.isalpha() and chance() < self.unseen * rate:
                yield at, at + 1, unicodedata.normalize("NFKD", char)[0]
            at, beside = at + 1, False
        if chance() < edge.total * rate / 2:
            yield end, end, edge.draw(rng)


def edited(text: str, edits: Sequence[Edit], spans: Sequence[Span]) -> Noisy:
    """Apply *edits* to *text*; move and trim *spans*, and drop empty ones.

    Insertions at the start or end of a span stay outside the span.

    Args:
        text: Before the edits.
        edits: In order, without overlap.
        spans: In order, without overlap.

    >>> edited("born in 1947", [(0, 4, "bom"), (9, 10, "")], [(8, 12, "DATE_OF_BIRTH")])
    ('bom in 147', ((7, 10, 'DATE_OF_BIRTH'),))
    """
    parts: list[str] = []
    at = length = 0
    edges = [(edge, is_end) for start, end, _ in spans for edge, is_end in ((start, 0), (end, 1))]
    moved: list[int] = []
    for start, end, new in edits:
        # An edge is before an edit that begins at it; a span's start is after an insertion there.
        while len(moved) < len(edges) and (
            edges[len(moved)][0] < start
            or (edges[len(moved)][0] == start and (edges[len(moved)][1] or end > start))
        ):
            moved.append(length + edges[len(moved)][0] - at)
        parts += text[at:start], new
        length += start - at + len(new)
        while len(moved) < len(edges) and edges[len(moved)][0] < end:
            moved.append(length)  # the edge is within the replaced text
        at = end
    parts.append(text[at:])
    moved += [length + edge - at for edge, _ in edges[len(moved) :]]
    result = "".join(parts)
    return result, tuple(_trimmed(result, zip(moved[::2], moved[1::2], spans, strict=True)))


def _trimmed(text: str, found: Iterable[tuple[int, int, Span]]) -> Iterator[Span]:
    for start, end, (_, _, label) in found:
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        if start < end:
            yield start, end, label


def _joined(text: str, rng: Random) -> list[Edit]:
    """Replace single line breaks by blanks."""
    return [(*match.span(), " ") for match in _BREAK.finditer(text)]


def _collapsed(text: str, rng: Random) -> list[Edit]:
    """Replace runs of blanks by one blank, or by none at the start of a line."""
    return [
        (*match.span(), "" if match.start() == 0 or text[match.start() - 1] == "\n" else " ")
        for match in _RUN.finditer(text)
    ]


def _side_by_side(text: str, rng: Random) -> list[Edit]:
    """Join about half of the neighbouring lines ``label: value`` in pairs."""
    edits = []
    start, free = 0, False  # free: the line before is a field that has not been joined
    for line in text.split("\n"):
        field = len(line) < 60 and bool(_FIELD.fullmatch(line))
        if field and free and rng.random() < 0.5:
            indent = len(line) - len(line.lstrip())
            edits.append((start - 1, start + indent, " " * rng.randint(1, 6)))
            field = False
        free = field
        start += len(line) + 1
    return edits


def _wrapped(text: str, rng: Random) -> list[Edit]:
    """Wrap paragraphs of prose at another width."""
    width = rng.randint(32, 96)
    hyphenate = rng.random() < 0.5
    edits: list[Edit] = []
    for match in _PARAGRAPH.finditer(text):
        if _is_prose(match.group()):
            edits += _wrap(text, match.start(), match.end(), width, hyphenate, rng)
    return edits


def _is_prose(paragraph: str) -> bool:
    """Return whether *paragraph* is neither a table nor a list of short lines."""
    lines = paragraph.split("\n")
    long = sum(len(line) > 45 for line in lines)
    return len(paragraph) > 80 and 2 * long >= len(lines) and not re.search(r"\S {3,}", paragraph)


def _wrap(
    text: str, start: int, end: int, width: int, hyphenate: bool, rng: Random
) -> Iterator[Edit]:
    """Yield the edits that wrap the paragraph from *start* to *end* at *width*."""
    column = 0
    gap = -1  # end of the word before
    for match in re.compile(r"\S+").finditer(text, start, end):
        word = match.group()
        room = width - column - 1
        if gap < 0:
            column = len(word)
        elif len(word) <= room:
            if text[gap : match.start()] != " ":
                yield gap, match.start(), " "
            column += 1 + len(word)
        elif hyphenate and (cut := _cut(word, room - 1, rng)):
            if text[gap : match.start()] != " ":
                yield gap, match.start(), " "
            yield match.start() + cut, match.start() + cut, "-\n"
            column = len(word) - cut
        else:
            if text[gap : match.start()] != "\n":
                yield gap, match.start(), "\n"
            column = len(word)
        gap = match.end()


def _cut(word: str, room: int, rng: Random) -> int:
    """Find a place to hyphenate *word* after at most *room* characters; 0 if there is none."""
    match = _HYPHENATED.search(word)
    if not match:
        return 0
    last = min(match.end() - 3, room)
    return rng.randint(max(match.start() + 3, last - 2), last) if last >= match.start() + 3 else 0
