"""Measure the share of a page that its boxes cover."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

Box = Sequence[float]
"""Left, top, right, bottom; origin top left."""


def union_area(boxes: Iterable[Box]) -> float:
    """Return the area that is in at least one of *boxes*; empty boxes count nothing.

    A line sweeps from left to right and stops at every edge; between two stops the covered length
    is that of the union of the intervals of the boxes there (Klee, "Can the measure of the union of
    n intervals be computed in less than O(n log n) steps?", American Mathematical Monthly 84
    (1977), 284-285; the sweep is Bentley's of the same year).

    >>> union_area([(0, 0, 2, 2), (1, 1, 3, 3)])
    7.0
    """
    full = [box for box in boxes if box[0] < box[2] and box[1] < box[3]]
    stops = sorted({edge for box in full for edge in (box[0], box[2])})
    area = 0.0
    for start, stop in pairwise(stops):
        there = sorted((box[1], box[3]) for box in full if box[0] <= start and box[2] >= stop)
        area += (stop - start) * _union_length(there)
    return area


def _union_length(intervals: Iterable[tuple[float, float]]) -> float:
    """Return the length of the union of *intervals*, which are sorted."""
    length, reached = 0.0, float("-inf")
    for start, stop in intervals:
        length += max(0.0, stop - max(start, reached))
        reached = max(reached, stop)
    return length


def covered_share(boxes: Iterable[Box], size: Sequence[float]) -> float | None:
    """Return the share of a page that *boxes* cover; what lies beyond its edges does not count.

    Args:
        boxes: In the unit of *size*.
        size: Width and height of the page.

    Returns:
        In [0, 1]; None for a page without area.
    """
    width, height = size
    if width <= 0 or height <= 0:
        return None
    inside = [
        (max(0, left), max(0, top), min(width, right), min(height, bottom))
        for left, top, right, bottom in boxes
    ]
    return union_area(inside) / (width * height)
