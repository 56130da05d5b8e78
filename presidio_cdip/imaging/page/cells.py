"""Find the cells of forms and tables: areas of paper that rules enclose.

The paper between the rules is parted where they are closed. A part is a cell if it fills its box
and is not as large as a page; so neither the page around a form, nor a frame around all of it, nor
an area with a gap in its rules is one. Then words are read as if there were no rules.

Many forms have no rules at their left and right ends. Where a vertical rule joins horizontal ones,
and at least `_LEVEL` of these end below each other, their ends are joined as by a rule.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.words import Box

_GAP = 9  # pixels of a gap in a rule that is closed
_FILLED = 0.85  # minimum share of its box that a cell fills
_LARGEST = 0.2  # of the page: maximum area of a cell
_LEAST = 12  # pixels: minimum width and height
_LEVEL = 3  # horizontal rules that end below each other
_END = 10  # pixels by which their ends may differ


def cells_of(rules: NDArray[np.uint8]) -> tuple[Box, ...]:
    """Return the boxes of the paper of each cell, in no order.

    Args:
        rules: The mask of a page's rules, which are level: not 0 where there is one.
    """
    mask = np.asarray(rules > 0, np.uint8)
    closed = [
        cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones(shape, np.uint8))
        for shape in ((1, _GAP), (_GAP, 1))
    ]
    paper = 1 - _with_ends(np.maximum(*closed).astype(np.uint8))
    stats = cv2.connectedComponentsWithStats(paper, connectivity=4)[2][1:]
    left, top, wide, high, area = stats.T
    height, width = rules.shape
    fits = (area >= _FILLED * wide * high) & (area <= _LARGEST * height * width)
    fits &= (wide >= _LEAST) & (high >= _LEAST)
    fits &= (left > 0) & (top > 0) & (left + wide < width) & (top + high < height)
    return tuple(Box(x, y, x + w, y + h) for x, y, w, h, _ in stats[fits].tolist())


def _with_ends(rules: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the mask with the open ends of forms joined."""
    ended = rules.copy()
    flat = cv2.morphologyEx(rules, cv2.MORPH_OPEN, np.ones((1, 4 * _END), np.uint8))
    whole = cv2.connectedComponents(rules, connectivity=8)[1]
    count, lines, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=8)
    forms: dict[int, list[tuple[int, int, int, int]]] = {}
    for number in range(1, count):
        x, y, wide, high, _ = stats[number].tolist()
        part = lines[y : y + high, x : x + wide] == number
        form = int(whole[y : y + high, x : x + wide][part][0])
        forms.setdefault(form, []).append((x, x + wide - 1, y, y + high - 1))
    for found in forms.values():
        for end, most in ((0, min), (1, max)):
            edge = most(one[end] for one in found)
            level = [one for one in found if abs(one[end] - edge) <= _END]
            if len(level) >= _LEVEL:
                top, bottom = min(one[2] for one in level), max(one[3] for one in level)
                left, right = min(one[end] for one in level), max(one[end] for one in level)
                ended[top : bottom + 1, left : right + 1] = 1
    return ended


def cell_around(cells: Sequence[Box], box: Box) -> Box | None:
    """Return the cell in which the middle of *box* is; None if it is in none."""
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return next(
        (one for one in cells if one.left <= x < one.right and one.top <= y < one.bottom), None
    )
