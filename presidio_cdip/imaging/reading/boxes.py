"""The boxes of a finding: from characters of the text to rectangles of the page."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from PIL import ImageFont

from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.words import Box, Word

PAD = 0.12
"""Of the line's height: what a box is larger than its words, on every side."""

_FACE = ImageFont.load_default(40)


@dataclass(frozen=True, slots=True)
class LineBox:
    """The part of a finding that stands on one line.

    Attributes:
        box: What to erase, in pixels of the page, padded and within the page.
        line: The line of the layout text.
        words: Which words of the layout text it touches.
        text: The characters the box covers; not shown by `repr`.
        lead: Signs of *text* before the finding's own characters, such as a bracket.
        trail: Those after them.
        instead: What was painted there instead of them; "" for nothing. Not shown by `repr`.
    """

    box: Box
    line: int
    words: tuple[int, ...]
    text: str = field(repr=False)
    lead: str = field(default="", repr=False)
    trail: str = field(default="", repr=False)
    instead: str = field(default="", repr=False)

    @property
    def value(self) -> str:
        """The finding's own characters of *text*."""
        return self.text[len(self.lead) : len(self.text) - len(self.trail)]


@dataclass(frozen=True, slots=True)
class PageFinding:
    """A finding of the text and where it stands on the page.

    Attributes:
        result: Presidio's `RecognizerResult`: entity type, offsets in the page's layout text,
            score, explanation.
        parts: Its lines in reading order; none where it holds white space alone.
    """

    result: Any
    parts: tuple[LineBox, ...]

    @property
    def entity(self) -> str:
        """The entity's name."""
        return str(self.result.entity_type)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """What to erase, in pixels of the page, in reading order."""
        return tuple(part.box for part in self.parts)

    def widened(self, size: tuple[int, int]) -> "PageFinding":
        """The finding with boxes grown by half a line's height across and a quarter down.

        Args:
            size: Width and height of the page, in pixels; the boxes end there.
        """
        return replace(self, parts=tuple(_widened(part, size) for part in self.parts))


def line_boxes(
    layout: LayoutText,
    start: int,
    end: int,
    size: tuple[int, int],
    allowed: Collection[str] = (),
) -> tuple[LineBox, ...]:
    """The boxes that cover ``[start, end)`` of the text.

    A word belongs to the span when they share a character. Where a word holds letters or digits
    outside the span, as in ``DOB:11/02/1950``, its box is cut between characters, half a
    character too wide rather than too narrow.

    Args:
        layout: The page's text.
        start: Offset of the first character in ``layout.text``.
        end: Offset after the last one.
        size: Width and height of the page, in pixels.
        allowed: Words to leave as they are, compared whole.

    Returns:
        In reading order: one box a line, more where columns part it, a word that is allowed
        interrupts it, or the line slopes so far that one box would reach into its neighbours.
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


def _widened(part: LineBox, size: tuple[int, int]) -> LineBox:
    height = part.box.height
    return replace(part, box=part.box.grown(height // 2, height // 4).clipped(size))


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
    box = layout.words[group[0]].box
    for index in group[1:]:
        box = box.union(layout.words[index].box)
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
    """The offset within the word, or its end in that direction when only signs lie beyond."""
    offset = min(max(offset, 0), len(word))
    beyond = word[:offset] if way < 0 else word[offset:]
    if any(map(str.isalnum, beyond)):
        return offset
    return 0 if way < 0 else len(word)


def _cut(word: Word, offset: int, way: int) -> int:
    """Where to cut the word's box before the character at *offset*, half a character outward.

    Whether the face is a typewriter's or a printer's is not known: of the two cuts the wider one
    is taken.
    """
    width = max(_FACE.getlength(word.text), 1)
    shares = (offset / len(word.text), _FACE.getlength(word.text[:offset]) / width)
    half = 0.5 / len(word.text)
    share = min(shares) - half if way < 0 else max(shares) + half
    return round(word.box.left + word.box.width * min(max(share, 0.0), 1.0))
