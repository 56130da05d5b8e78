"""Map a finding from characters of the text to bounding boxes on the page."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from PIL import ImageFont

from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.words import Box, Word

PAD = 0.12
"""Padding of a box on every side, as a share of the line's height."""

_LABEL = re.compile(r"[^\W\d_](?:[^\W\d_]|[ .]){2,}:(?!/)\s*(?=\w)")
"""Letters, three or more, and a colon; not the scheme of a URL."""
_SIGN = r"(?:[^\w\s()\[\]{}]|_)+"  # what specks are read as
_SIGNS = rf"{_SIGN}(?: {_SIGN})*"
_FAR = r"(?:\s{2,}|[ \t]*\n[ \t]*)"  # between columns, and between lines
_SPECKS_BEFORE = re.compile(rf"(?:{_SIGNS}{_FAR}|[©®°•·|¦*«»~^] )+(?=.*\w)", re.DOTALL)
_SPECKS_BEHIND = re.compile(rf"(?<=\w)[^\w\s]*?((?:{_FAR}{_SIGNS}| [©®•·|¦*«»~^])+)\Z")
_JOINING = ("-", "'", "\N{RIGHT SINGLE QUOTATION MARK}")

_FACE = ImageFont.load_default(40)


@dataclass(frozen=True, slots=True)
class LineBox:
    """Represent the part of a finding on one line.

    Attributes:
        box: The area to erase, in pixels of the page, padded and clipped to the page.
        line: The line number in the layout text.
        words: The indices of the words it overlaps in the layout text.
        text: The characters that the box covers; not shown by `repr`.
        lead: Punctuation of *text* before the finding's own characters, such as a bracket.
        trail: Punctuation of *text* after them.
        instead: The text painted in the box; "" for none. Not shown by `repr`.
        entire: Whether all ink in *box* but rules and other words is erased, and not only the
            value's own.
        cutting: Whether the ink of other words in *box* is erased, too, if all is.
    """

    box: Box
    line: int
    words: tuple[int, ...]
    text: str = field(repr=False)
    lead: str = field(default="", repr=False)
    trail: str = field(default="", repr=False)
    instead: str = field(default="", repr=False)
    entire: bool = False
    cutting: bool = False

    @property
    def value(self) -> str:
        """Return *text* without *lead* and *trail*."""
        return self.text[len(self.lead) : len(self.text) - len(self.trail)]


@dataclass(frozen=True, slots=True)
class PageFinding:
    """Represent a finding and its position on the page.

    Attributes:
        result: Presidio's `RecognizerResult`: entity type, offsets in the page's layout text,
            score, explanation.
        parts: Its lines in reading order; empty if the finding is only white space.
    """

    result: Any
    parts: tuple[LineBox, ...]

    @property
    def entity(self) -> str:
        """Return the entity's name."""
        return str(self.result.entity_type)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Return the boxes to erase, in pixels of the page, in reading order."""
        return tuple(part.box for part in self.parts)

    def widened(self, size: tuple[int, int], cutting: bool) -> "PageFinding":
        """Return the finding with larger boxes, in which all ink but rules is erased.

        They grow by half the line's height left and right, and a quarter of it top and bottom.

        Args:
            size: Width and height of the page, in pixels; the boxes are clipped to it.
            cutting: Whether the ink of other words in the boxes is erased, too.
        """
        return replace(self, parts=tuple(_widened(part, size, cutting) for part in self.parts))


def line_boxes(
    layout: LayoutText,
    start: int,
    end: int,
    size: tuple[int, int],
    allowed: Collection[str] = (),
) -> tuple[LineBox, ...]:
    """Return the boxes that cover ``[start, end)`` of the text.

    A word belongs to the span if they share a character. If a word has letters or digits outside
    the span, as in ``DOB:11/02/1950``, its box is cut between characters, with half a character
    of safety margin.

    Args:
        layout: The page's text.
        start: Offset of the first character in ``layout.text``.
        end: Offset after the last one.
        size: Width and height of the page, in pixels.
        allowed: Words that are not boxed; a word must be equal to one of them.

    Returns:
        One box a line, in reading order. A line has more than one where a column gap or an allowed
        word interrupts it, or where it slopes so much that one box would overlap other lines.
    """
    hit = [
        number
        for number, (left, right) in enumerate(layout.spans)
        if left < end and start < right and layout.words[number].text not in allowed
    ]
    groups: list[list[int]] = [hit[:1]] if hit else []
    for last, number in pairwise(hit):
        if number == last + 1 and _together(layout, [*groups[-1], number]):
            groups[-1].append(number)
        else:
            groups.append([number])
    return tuple(_line_box(layout, group, start, end, size) for group in groups)


def whole_values(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return *spans* widened to whole words and numbers, without labels before them and specks.

    A span within a word is widened to all its letters, one within a number to all its digits;
    hyphens and apostrophes join them. No span is widened into another one. Signs that a gap or a
    line's end divides from the value are specks that OCR took for words.

    Args:
        text: The text.
        spans: The start and end of each finding.

    >>> text = "Name: Hermitage-Oak, DOB:11/02/1950"
    >>> [text[a:b] for a, b in whole_values(text, [(9, 12), (21, 35)])]
    ['Hermitage-Oak', '11/02/1950']
    """
    taken = [False] * len(text)
    for start, end in spans:
        taken[start:end] = [True] * (end - start)
    found = []
    for start, end in spans:
        label = _LABEL.match(text, start, end)
        left, right = label.end() if label else start, end
        while not label and left > 0 and _joined(text, left):
            left -= 1
        while right < len(text) and _joined(text, right):
            right += 1
        if any(taken[left:start]) or any(taken[end:right]):
            left, right = start, end
        found.append(_without_specks(text, left, right))
    return found


def _without_specks(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without signs that stand apart at its ends, if anything else is in it."""
    before = _SPECKS_BEFORE.match(text, start, end)
    behind = _SPECKS_BEHIND.search(text, start, end)
    return before.end() if before else start, behind.start(1) if behind else end


def _joined(text: str, at: int) -> bool:
    """Check whether the characters before and after *at* belong to one word or number."""
    before, after = text[at - 1 : at], text[at : at + 1]
    if before in _JOINING:
        before = text[max(at - 2, 0) : at - 1]
    elif after in _JOINING:
        after = text[at + 1 : at + 2]
    return (before.isalpha() and after.isalpha()) or (before.isdigit() and after.isdigit())


def _widened(part: LineBox, size: tuple[int, int], cutting: bool) -> LineBox:
    height = part.box.height
    box = part.box.grown(height // 2, height // 4).clipped(size)
    return replace(part, box=box, entire=True, cutting=cutting)


def _together(layout: LayoutText, group: list[int]) -> bool:
    last, number = group[-2:]
    if layout.lines[last] != layout.lines[number]:
        return False
    if layout.spans[number][0] - layout.spans[last][1] > 2:
        return False
    boxes = [layout.words[index].box for index in group]
    height = max(box.bottom for box in boxes) - min(box.top for box in boxes)
    return height <= 1.5 * max(box.height for box in boxes)


def _line_box(
    layout: LayoutText, group: list[int], start: int, end: int, size: tuple[int, int]
) -> LineBox:
    first, last = layout.words[group[0]], layout.words[group[-1]]
    from_char = _outward(first.text, start - layout.spans[group[0]][0], -1)
    to_char = _outward(last.text, end - layout.spans[group[-1]][0], 1)
    box = Box.around(layout.words[index].box for index in group)
    pad = max(1, round(PAD * min(layout.words[index].box.height for index in group)))
    left = _cut(first, from_char, -1) if from_char else box.left - pad
    right = _cut(last, to_char, 1) if to_char < len(last.text) else box.right + pad
    begin = layout.spans[group[0]][0] + from_char
    stop = layout.spans[group[-1]][0] + to_char
    return LineBox(
        Box(left, box.top - pad, right, box.bottom + pad).clipped(size),
        layout.lines[group[0]],
        tuple(group),
        layout.text[begin:stop],
        layout.text[begin : max(begin, start)],
        layout.text[min(stop, end) : stop],
    )


def _outward(word: str, offset: int, way: int) -> int:
    """Return *offset*, or the word's end in direction *way* if only punctuation follows."""
    offset = min(max(offset, 0), len(word))
    beyond = word[:offset] if way < 0 else word[offset:]
    if any(map(str.isalnum, beyond)):
        return offset
    return 0 if way < 0 else len(word)


def _cut(word: Word, offset: int, way: int) -> int:
    """Return the x at which to cut the word's box at *offset*, half a character outward.

    The typeface is not known here: the cut is computed for equal and for proportional advance
    widths, and the wider box is used.
    """
    width = max(_FACE.getlength(word.text), 1)
    shares = (offset / len(word.text), _FACE.getlength(word.text[:offset]) / width)
    half = 0.5 / len(word.text)
    share = min(shares) - half if way < 0 else max(shares) + half
    return round(word.box.left + word.box.width * min(max(share, 0.0), 1.0))
