"""Find the check boxes of a page by their ink: empty or marked squares, as high as a letter or two.

An empty box is a hole in the ink with straight sides and sharp corners. A marked one need have no
such hole, but it has the frame of the empty ones: forms print one size or a few. So the holes say
which sizes to look for, and frames of these sizes are boxes whatever is in them. A frame whose
lines go on beyond its corners is a cell of a table, and boxes side by side are the places of the
letters of an entry.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.words import Box

Ink = NDArray[np.uint8]
"""Rows of pixels: not 0 where there is ink."""

_LEAST_SIDE = 8  # pixels
_SIDES = 0.9, 3.6  # of a letter's height: the side of a box
_SQUARE = 1.34  # maximum ratio of its sides
_FILLED = 0.84  # minimum share of its bounding box that the paper of an empty box fills
_FRAME = 0.35  # of the side: the maximum width of a frame's line
_STRAIGHT = 0.85  # minimum share of a side on which there is ink
_LINE, _FIRM = 0.12, 0.9  # of the side: the line of a marked box; its share in one row of pixels
_SAME = 0.12  # of the side: difference of boxes of one size
_SIZES = 4  # sizes of boxes on a page, at most
_MOST = 50_000  # places with ink on all sides; more are a picture
_WAVERS, _UNBROKEN = 0.06, 0.95  # of the side and of the length: a line that goes on
_CORNER = 0.12  # of the side: how far a corner may be rounded
_BEYOND = 0.5  # of the side: the length of a line that goes on beyond its corner
_AWAY = 0.25  # of the side: from the frame to what may stand beside it
_INKED = 0.15  # of the height: the minimum of rows with ink of a letter beside it
_GAP = 0.45  # of the side: between the boxes for the letters of an entry
_MARK = 0.04  # share of a box's inside that the ink of a mark covers, at least
_EDGE, _REACH = 0.1, 0.6  # of the side: how far a frame's soft edge reaches, and a mark's strokes
_RIM = 0.2  # of the inside: what is not its middle
_STROKE = 0.3  # of the inside: the extent of a mark, at least


class _Frame(NamedTuple):
    """Hold the outer edges of a frame, and of the paper inside of it."""

    box: Box
    inside: Box


class _Size(NamedTuple):
    """Hold the width and height of frames, and the width of their lines."""

    width: int
    height: int
    line: int

    @classmethod
    def of(cls, frame: _Frame) -> "_Size":
        box, hole = frame
        lines = box.width - hole.width, box.height - hole.height
        return cls(box.width, box.height, max(1, round(sum(lines) / 4)))

    def is_of(self, box: Box) -> bool:
        """Return whether a box has this size."""
        return all(
            abs(one - two) <= max(2, _SAME * two)
            for one, two in ((box.width, self.width), (box.height, self.height))
        )


@dataclass(frozen=True, slots=True)
class CheckBox:
    """Represent a check box.

    Attributes:
        box: Its frame, in pixels of the page that was searched.
        marked: Whether there is a mark in it.
    """

    box: Box
    marked: bool


def checkboxes(ink: Ink, solids: Iterable[Box] = ()) -> list[CheckBox]:
    """Return the check boxes of a page, from top to bottom.

    Args:
        ink: The page; its lines are level, and long rules are not on it.
        solids: Black boxes that are not on it any more; one of the size of a box is marked.
    """
    one = np.asarray(ink > 0, np.uint8)
    found = [
        frame
        for frame in _holes(one)
        if _has_corners(one, frame.box)
        and not _goes_on(one, frame.box)
        and not _is_in_word(one, frame.box)
    ]
    sizes = _sizes(found)
    near = np.asarray(cv2.dilate(one, np.ones((3, 3), np.uint8)), np.uint8) if sizes else one
    for size in sizes:
        for box in _places(near, size):
            if not _is_known(box, found) and _stands_alone(one, box):
                found.append(_Frame(box, box))
    boxes = []
    for box, hole in found:
        usual = next((size for size in sizes if size.is_of(box)), None)
        inside = box.grown(-usual.line - 1, -usual.line - 1) if usual else hole.grown(-1, -1)
        boxes.append(CheckBox(box, _is_marked(one, inside)))
    boxes += [
        CheckBox(box, True)
        for box in solids
        if any(size.is_of(box) for size in sizes) and not _is_known(box, found)
    ]
    return sorted(_apart(boxes), key=lambda one: (one.box.top, one.box.left))


def without(pixels: Ink, ink: Ink, found: Iterable[CheckBox]) -> Ink:
    """Return *pixels* without check boxes, and without the strokes of marks that reach out of them.

    Args:
        pixels: The grey page.
        ink: Its ink, as for `checkboxes`.
        found: Its check boxes.
    """
    bare = pixels.copy()
    for one in found:
        around, own = pixels_of(ink, one)
        bare[around.within()][own] = 255
    return bare


def pixels_of(ink: Ink, one: CheckBox) -> tuple[Box, NDArray[np.bool_]]:
    """Return an area around a check box, and in it the mask of its frame and of its mark's strokes.

    Args:
        ink: The ink of the page that the box is on.
        one: The check box.
    """
    size = ink.shape[1], ink.shape[0]
    side = min(one.box.width, one.box.height)
    edge, reach = max(2, round(_EDGE * side)), max(3, round(_REACH * side))
    around = one.box.grown(reach, reach).clipped(size)
    part = ink[around.within()]
    own = np.zeros(part.shape, np.bool_)
    own[one.box.grown(edge, edge).clipped(size).within(around)] = True
    if one.marked:
        labels = cv2.connectedComponents(part, connectivity=8)[1]
        mine = np.setdiff1d(labels[own], at_border(labels))
        own |= np.isin(labels, mine[mine > 0])
    return around, np.asarray(cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def at_border(labels: NDArray[Any]) -> NDArray[Any]:
    """Return the labels at the border of an area, of components that may go on beyond it."""
    return np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])


def _outlines(ink: Ink) -> tuple[list[NDArray[np.int32]], NDArray[np.int32], NDArray[np.bool_]]:
    """Return the outlines of the ink, the left, top, width and height of each, and which are holes.

    The outline of a hole runs through the ink around it.
    """
    contours, tree = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    outlines = [np.asarray(contour, np.int32) for contour in contours]
    if not outlines:
        return [], np.zeros((0, 4), np.int32), np.zeros(0, np.bool_)
    points = np.concatenate(outlines)[:, 0]
    starts = np.cumsum([0, *map(len, outlines[:-1])])
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    return outlines, np.concatenate([low, high - low + 1], axis=1), np.asarray(tree)[0, :, 3] >= 0


def _letter_height(sizes: NDArray[np.int32]) -> float:
    """Return the height of letters that half of the print has, of the sizes of all marks.

    A mark counts as much as it is high, so that specks do not tell.
    """
    wide, high = sizes.T
    letters = np.sort(high[(high >= _LEAST_SIDE // 2) & (wide <= 3 * high) & (high <= 4 * wide)])
    if not len(letters):
        return 0.0
    total = np.cumsum(letters)
    return float(letters[np.searchsorted(total, total[-1] / 2)])


def _holes(ink: Ink) -> list[_Frame]:
    """Return the frames around paper that is square."""
    closed = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
    outlines, boxes, holes = _outlines(closed)
    letter = _letter_height(boxes[~holes, 2:])
    if not letter:
        return []
    wide, high = boxes[:, 2:].T - 2
    least = max(_LEAST_SIDE, _SIDES[0] * letter)
    square = holes & (np.minimum(wide, high) >= least / (1 + 2 * _FRAME))
    square &= np.maximum(wide, high) <= np.minimum(
        _SIDES[1] * letter, _SQUARE * np.minimum(wide, high)
    )
    found = []
    for number in np.flatnonzero(square).tolist():
        left, top, width, height = boxes[number].tolist()
        if cv2.contourArea(outlines[number]) < _FILLED * (width - 1) * (height - 1):
            continue
        hole = Box(left, top, left + width, top + height).grown(-1, -1)
        box = _framed(ink, hole) if _reaches_corners(closed == 0, hole) else None
        if box and min(box.width, box.height) >= least:
            found.append(_Frame(box, hole))
    return found


def _reaches_corners(mask: NDArray[np.bool_], box: Box) -> bool:
    """Return whether a mask reaches into the four corners of a box, as of no letter but a box."""
    part = mask[box.within()]
    corner = 1 + max(2, round(_CORNER * min(part.shape)))
    return all(np.rot90(part, turns)[:corner, :corner].diagonal().any() for turns in range(4))


def _framed(ink: Ink, hole: Box) -> Box | None:
    """Return *hole* with the lines around it; None if there is no line on a side."""
    reach = 1 + max(3, round(_FRAME * max(hole.width, hole.height)))
    page = hole.grown(reach, reach)
    if page != page.clipped(ink.shape[::-1]):
        return None
    part = ink[page.within()]
    edges = []
    for turns in range(4):  # the top, the right, the bottom, the left
        rows = np.rot90(part, turns)[:reach, reach:-reach].mean(axis=1)[::-1]
        bare = np.flatnonzero(rows < 0.5)
        if not (bare > 0).any():
            return None
        lines = int(bare[bare > 0][0])
        if rows[:lines].max() < _STRAIGHT:
            return None
        edges.append(lines)
    top, right, bottom, left = edges
    return Box(hole.left - left, hole.top - top, hole.right + right, hole.bottom + bottom)


def _goes_on(ink: Ink, box: Box) -> bool:
    """Return whether two lines of a frame or more go on beyond its corners, as in a table."""
    side = min(box.width, box.height)
    long, near = max(5, round(_BEYOND * side)), max(1, round(_WAVERS * side))

    def gone(page: Ink, one: Box) -> int:
        count = 0
        for row in (one.top, one.bottom - 1):
            for start in (one.left - long, one.right + 1):
                part = page[max(0, row - near) : row + near + 1, max(0, start) : start + long]
                count += part.shape[1] == long and bool(part.any(axis=0).mean() > _UNBROKEN)
        return count

    turned = Box(box.top, box.left, box.bottom, box.right)
    return gone(ink, box) + gone(ink.T, turned) > 1


def _sizes(frames: Iterable[_Frame]) -> list[_Size]:
    """Return the usual sizes of frames, the most frequent first."""
    groups: list[list[_Size]] = []
    for frame in frames:
        size = _Size.of(frame)
        own = next((group for group in groups if group[0].is_of(frame.box)), None)
        if own is None:
            groups.append([size])
        else:
            own.append(size)
    groups.sort(key=len, reverse=True)
    return [_Size(*map(round, np.median(group, axis=0))) for group in groups[:_SIZES]]


def _places(near: Ink, size: _Size) -> list[Box]:
    """Return the places where there is ink on all sides of a frame of this size.

    Args:
        near: What is a pixel or less from ink.
        size: Of the frame.
    """
    width, height, wide = size
    if near.shape[0] <= height or near.shape[1] <= width:
        return []
    # The lines are looked for a pixel inside, where the frame is darkest.
    down, right, least = height - 3, width - 3, round(_STRAIGHT * 255)
    dark = near * np.uint8(255)

    def covered(along: tuple[int, int]) -> Ink:
        shares = cv2.boxFilter(dark, -1, along, anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
        return np.asarray(cv2.inRange(shares, np.asarray(least), np.asarray(255)), np.uint8)

    flat, steep = covered((width - 2, 1)), covered((1, height - 2))
    both = cv2.bitwise_and(flat[:-down], flat[down:])[:, :-right]
    sides = cv2.bitwise_and(steep[:, :-right], steep[:, right:])[:-down]
    points = cv2.findNonZero(cv2.bitwise_and(both, sides))
    if points is None or len(points) > _MOST:  # a picture
        return []
    across, rows = points[:, 0].T
    lines = [
        (near[(rows + by)[:, None], across[:, None] + np.arange(width - 2)]) for by in (0, down)
    ]
    lines += [
        (near[rows[:, None] + np.arange(height - 2), (across + by)[:, None]]) for by in (0, right)
    ]
    score = np.min([line.mean(axis=1) for line in lines], axis=0)
    found: list[Box] = []
    while len(score) and (best := float(score.max())) >= _STRAIGHT:
        first = int(score.argmax())
        beside, below = abs(across - across[first]), abs(rows - rows[first])
        here = (beside < width) & (below < height)
        # There may be several as good, a pixel apart: the place is in their middle.
        among = (score == best) & (np.maximum(beside, below) <= 2 * wide + 2)
        x, y = (int(np.median(places[among])) - 1 for places in (across, rows))
        found.append(Box(x, y, x + width, y + height))
        across, rows, score = across[~here], rows[~here], score[~here]
    return found


def _is_known(box: Box, found: Iterable[_Frame]) -> bool:
    return any(box.overlaps(one.box) for one in found)


def _has_corners(ink: Ink, box: Box) -> bool:
    """Return whether a frame has four straight sides that meet in corners."""
    around = box.grown(1, 1)
    if around != around.clipped(ink.shape[::-1]):
        return False
    part = ink[around.within()]
    sides = (np.rot90(part, turns)[:3, 1:-1].any(axis=0).mean() for turns in range(4))
    return min(sides) >= _STRAIGHT and _reaches_corners(ink > 0, around)


def _is_in_word(ink: Ink, box: Box) -> bool:
    """Return whether there are letters close to both sides of an empty frame."""
    gap = max(2, round(_AWAY * box.width))
    sides = (box.left - gap, box.left - 1), (box.right + 1, box.right + gap)
    return all(
        ink[box.top : box.bottom, max(0, left) : right].any(axis=1).mean() > _INKED
        for left, right in sides
    )


def _stands_alone(ink: Ink, box: Box) -> bool:
    """Return whether a frame has firm lines, corners, and paper around it but for a few strokes."""
    if not _has_corners(ink, box) or _goes_on(ink, box):
        return False
    away = max(4, round(_AWAY * min(box.width, box.height)))
    ring = box.grown(away, away)
    if ring != ring.clipped(ink.shape[::-1]):
        return False
    part = ink[ring.within()]
    inner = ink[box.within()]
    lines = max(2, round(_LINE * min(box.width, box.height)))
    if min(np.rot90(inner, turns)[:lines].mean(axis=1).max() for turns in range(4)) < _FIRM:
        return False
    beside = (np.rot90(part, turns)[: away - 1].mean(axis=1).min() for turns in range(4))
    crossed = sorted(map(float, beside))
    return crossed[3] < 0.5 and crossed[2] < 0.2


def _is_marked(ink: Ink, inside: Box) -> bool:
    """Return whether there is a stroke inside of a frame."""
    part = np.ascontiguousarray(ink[inside.within()])
    if not part.size or part.mean() < _MARK:
        return False
    labels, stats = cv2.connectedComponentsWithStats(part, connectivity=8)[1:3]
    extent = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    rim = round(_RIM * min(part.shape))  # in which a thick or rough frame may reach
    middle = np.unique(labels[rim : len(part) - rim, rim : part.shape[1] - rim])
    return bool((extent[middle[middle > 0]] >= _STROKE * max(part.shape)).any())


def _apart(found: Sequence[CheckBox]) -> Iterator[CheckBox]:
    """Yield the boxes that are not the places of the letters of an entry, side by side."""
    ordered = sorted(found, key=lambda one: one.box.left)
    beside: dict[CheckBox, CheckBox] = {}
    for number, one in enumerate(ordered):
        for other in ordered[number + 1 :]:
            gap = other.box.left - one.box.right
            if gap > _GAP * one.box.width:
                break
            level = abs(one.box.top - other.box.top) < 0.3 * one.box.height
            if level:
                beside[one] = other
                break
    left = {other: one for one, other in beside.items()}
    for one in found:
        row = [one]
        while row[-1] in beside:
            row.append(beside[row[-1]])
        while row[0] in left:
            row.insert(0, left[row[0]])
        if len(row) < 3:
            yield one
