"""Define `Word`, the OCR result, and `Box`, its bounding box."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import NamedTuple

EMPTY, MARKED = "[ ]", "[X]"
"""The words for check boxes, as plain text has them."""

BRACKETS = re.compile(r"\[[ _xX]?\]|\([ _xX]?\)")
"""Matches them, and brackets that are typed for boxes, with a mark or without: OCR reads some of
them with an underscore."""

STARTS_BOX = re.compile(r"[\[(][ _xX]?(?:[\])]|$)")
"""Matches the start of a word that is such brackets, or the first of them, or has them before an
option: OCR reads ``( )`` as two words, too, and ``(X) M`` as one."""


class Box(NamedTuple):
    """Represent a bounding box in pixels, origin top left; right and bottom are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        """Return the width in pixels."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Return the height in pixels."""
        return self.bottom - self.top

    def grown(self, across: int, down: int) -> "Box":
        """Return the box enlarged by *across* pixels left and right, *down* top and bottom."""
        return Box(self.left - across, self.top - down, self.right + across, self.bottom + down)

    def moved(self, right: int, down: int) -> "Box":
        """Return the box some pixels to the right and down."""
        return Box(self.left + right, self.top + down, self.right + right, self.bottom + down)

    def clipped(self, size: tuple[int, int]) -> "Box":
        """Return the part inside a page of *size* (width, height); its area may be 0."""
        width, height = size
        left, top = min(max(self.left, 0), width), min(max(self.top, 0), height)
        return Box(
            left,
            top,
            max(left, min(self.right, width)),
            max(top, min(self.bottom, height)),
        )

    def straight(self, slope: float) -> tuple[float, float]:
        """Return top and bottom of the print in the box, as if its line did not slope.

        The box of a word on a sloping line is higher than its letters. The baseline's height is
        that which it has at x = 0.

        Args:
            slope: The slope of the baseline, pixels down per pixel right.
        """
        middle = (self.top + self.bottom - slope * (self.left + self.right)) / 2
        half = max(0.0, self.height - abs(slope) * self.width) / 2
        return middle - half, middle + half

    def within(self, of: "Box | None" = None) -> tuple[slice, slice]:
        """Return the row and column slices in an array of the page, or of the page's part *of*."""
        left, top = (of.left, of.top) if of else (0, 0)
        return (
            slice(self.top - top, self.bottom - top),
            slice(self.left - left, self.right - left),
        )

    def overlaps(self, other: "Box") -> bool:
        """Return whether the two share a pixel."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def union(self, other: "Box") -> "Box":
        """Return the smallest box that contains both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    @classmethod
    def around(cls, boxes: Iterable["Box"]) -> "Box":
        """Return the smallest box that contains all *boxes*; at least one."""
        return reduce(cls.union, boxes)


@dataclass(frozen=True, slots=True)
class Word:
    """Represent a word as OCR read it.

    Attributes:
        text: Its characters; not shown by `repr`, so that it does not reach logs.
        box: Its bounding box, in pixels of the page that was read.
        conf: OCR's confidence in [0, 100].
        block: OCR's block of text on the page.
        paragraph: The paragraph within the block.
        line: The line within the paragraph.
        cell: The paper of the cell around it, in pixels of the page; None if no rules enclose it.
    """

    text: str = field(repr=False)
    box: Box
    conf: float = 100.0
    block: int = 0
    paragraph: int = 0
    line: int = 0
    cell: Box | None = None
