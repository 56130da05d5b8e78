"""Find small shapes on a page that may be letters that were drawn."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from presidio_cdip.documents.pdf.geometry import Rectangle

DRAWN = "letters drawn as shapes"
MOST = 20_000  # on a page
LARGEST = 40.0  # points: a letter's height and width
_LOWEST = 4.0  # points: a line of letters is as high
_APART = 1.5  # points: lines are as far apart
_LONG = 3.0  # of its height: a line of letters is as long
_INK = 60  # the least number of steps of the outlines on a line
_OUTLINE = 8  # steps; a letter has as many, or more


class Shape(NamedTuple):
    """A closed part of a path that was filled: where it is, and of how many steps."""

    box: Rectangle
    steps: int


def lines_of_letters(
    shapes: Sequence[Shape], baselines: Sequence[tuple[float, float]]
) -> Iterator[Rectangle]:
    """Yield where shapes stand on a line like letters, where no text is shown.

    Args:
        shapes: The small shapes of a page.
        baselines: Points at which its text begins.
    """
    small = sorted(shapes, key=lambda one: one.box[1])
    line: list[Shape] = []
    bottom = 0.0
    for one in [*small, None]:
        if one is None or (line and one.box[1] > bottom + _APART):
            if _is_line(line, baselines):
                yield _around(line)
            line, bottom = [], 0.0
        if one is not None:
            line.append(one)
            bottom = max(bottom, one.box[3])


def _around(line: Sequence[Shape]) -> Rectangle:
    left, top, right, bottom = zip(*(one.box for one in line), strict=True)
    return min(left), min(top), max(right), max(bottom)


def _is_line(line: Sequence[Shape], baselines: Sequence[tuple[float, float]]) -> bool:
    if not line or sum(min(one.steps, _OUTLINE) for one in line) < _INK:
        return False
    left, top, right, bottom = _around(line)
    height = bottom - top
    if not _LOWEST <= height <= LARGEST or right - left < _LONG * height:
        return False
    if any(left <= x <= right and top <= y <= bottom + 2 for x, y in baselines):
        return False
    return _varied(line)


def _varied(line: Sequence[Shape]) -> bool:
    """Return whether shapes have many widths and distances: those of patterns and charts do not."""
    widths = {round(one.box[2] - one.box[0], 1) for one in line}
    across = sorted(one.box[0] for one in line)
    gaps = {round(after - before, 1) for before, after in pairwise(across)}
    return len(widths) >= 4 and len(gaps) >= 4
