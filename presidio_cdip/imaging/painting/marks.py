"""Exchange check boxes of a page, so that a mark stands in another one."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from presidio_cdip.imaging.page.checkboxes import CheckBox, at_border, pixels_of
from presidio_cdip.imaging.page.clean import Grey
from presidio_cdip.imaging.page.paper import Mask
from presidio_cdip.imaging.page.ruling import Points
from presidio_cdip.imaging.painting.strokes import covered
from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.words import BRACKETS, EMPTY, MARKED, Box

_ALIKE = 0.15  # of the usual width and height: how much those of a box may differ
_EDGE, _LEAST_EDGE = 0.15, 4  # of its height, and pixels: around a frame, no strokes beyond it
_PAPER, _GROUND = 12, 60.0  # pixels of paper around a box, and grey levels that it may differ
_SLACK = 2  # pixels: how much they may differ on any page


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """Hold two check boxes that change places.

    Attributes:
        boxes: Their frames, in pixels of the page.
        near: An area of the page that holds both.
        mask: The mask of their pixels in it: of frames and strokes.
        redrawn: Pixels in it that are drawn, and the pixels that they are copied from: of the first
            box, and of the second.
        papers: The masks in it of the paper around the two boxes.
    """

    boxes: tuple[Box, Box]
    near: Box
    mask: Mask
    redrawn: tuple[tuple[Points, Points], tuple[Points, Points]]
    papers: tuple[Mask, Mask]


class Marks:
    """Find the check boxes of a page that can be exchanged.

    They have the size that most have, and no stroke of theirs reaches into a word, beside the box,
    or far beyond it. Brackets, as in ``(X)`` and ``( )``, count on pages without drawn boxes.

    Args:
        layout: The page's text and words.
        sheet: The page.
    """

    def __init__(self, layout: LayoutText, sheet: Sheet) -> None:
        self._movable = dict(_movable(layout, sheet))

    @property
    def places(self) -> Collection[tuple[int, int]]:
        """Return the start and end of each check box in the text."""
        return self._movable.keys()

    def box(self, place: tuple[int, int]) -> Box:
        """Return the frame of the check box at a place of the text."""
        return self._movable[place].box

    def exchange(self, one: tuple[int, int], other: tuple[int, int]) -> Exchange:
        """Return how the check boxes at two places of the text change places."""
        first, second = self._movable[one], self._movable[other]
        near = first.near.union(second.near)
        across, down = np.subtract(second.box[:2], first.box[:2]).tolist()
        return Exchange(
            (first.box, second.box),
            near,
            first.within(near, first.mask) | second.within(near, second.mask),
            (first.moved(across, down, near), second.moved(-across, -down, near)),
            (first.within(near, first.paper), second.within(near, second.paper)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Movable:
    """Hold a check box: its frame, an area around it, and the masks of its pixels and of paper."""

    box: Box
    near: Box
    mask: Mask
    paper: Mask

    def within(self, near: Box, mask: Mask) -> Mask:
        """Return one of its masks as a mask of the larger area *near*."""
        whole: Mask = np.zeros((near.height, near.width), np.bool_)
        whole[self.near.within(near)] = mask
        return whole

    def moved(self, right: int, down: int, within: Box) -> tuple[Points, Points]:
        """Return its pixels moved by some pixels, and where they were, in the area *within*."""
        rows, columns = np.nonzero(self.mask)
        rows, columns = rows + self.near.top - within.top, columns + self.near.left - within.left
        to = rows + down, columns + right
        inside = (to[0] >= 0) & (to[0] < within.height) & (to[1] >= 0) & (to[1] < within.width)
        return (to[0][inside], to[1][inside]), (rows[inside], columns[inside])


def _movable(layout: LayoutText, sheet: Sheet) -> Iterator[tuple[tuple[int, int], _Movable]]:
    """Yield the check boxes that can be exchanged, each with its start and end in the text."""
    spans = zip(layout.words, layout.spans, strict=True)
    found = [
        (span, CheckBox(word.box, word.text == MARKED))
        for word, span in spans
        if word.text in (EMPTY, MARKED)
    ]
    if all(word.text != EMPTY for word in layout.words):
        yield from _brackets(layout, sheet)
        return
    words = [word.box for word in layout.words if word.text not in (EMPTY, MARKED)]
    usual_paper = float(np.median(sheet.pixels))
    usual = np.median([(one.box.width, one.box.height) for _, one in found], axis=0)
    for span, one in found:
        off = np.abs(np.subtract((one.box.width, one.box.height), usual))
        if (off > np.maximum(_SLACK, _ALIKE * usual)).any():
            continue
        near, mask = pixels_of(sheet.ink, one)
        beside = [word for word in words if word.overlaps(near)]
        edge = max(_LEAST_EDGE, round(_EDGE * one.box.height))
        strokes = mask & ~covered([one.box.grown(edge, edge)], near)
        letters = covered(beside, near)
        if (
            any(map(one.box.overlaps, beside))
            or (strokes & (letters | _level(one.box, near))).any()
        ):
            continue
        if one.marked and _goes_on(sheet.ink[near.within()], one.box, near):
            continue
        movable = _Movable(one.box, near, mask & ~letters, _paper(sheet, near, mask | letters))
        if _on_paper(sheet, movable, usual_paper):
            yield span, movable


def _brackets(layout: LayoutText, sheet: Sheet) -> Iterator[tuple[tuple[int, int], _Movable]]:
    """Yield pairs of brackets with or without a mark, where each has room for the widest."""
    spans = zip(layout.words, layout.spans, strict=True)
    found = [
        (span, _inked(sheet, word.box)) for word, span in spans if BRACKETS.fullmatch(word.text)
    ]
    others = [word.box for word in layout.words if not BRACKETS.fullmatch(word.text)]
    usual_paper = float(np.median(sheet.pixels)) if found else 0.0
    widest = max((box.width for _, box in found), default=0)
    size = sheet.pixels.shape[1], sheet.pixels.shape[0]
    for span, box in found:
        box = Box(box.left, box.top, box.left + widest, box.bottom)
        near = box.grown(box.height // 2, box.height // 4).clipped(size)
        mask = covered([box.grown(_SLACK, _SLACK)], near)
        letters = covered([word for word in others if word.overlaps(near)], near)
        ruled = sheet.rules[near.within()]
        movable = _Movable(box, near, mask, _paper(sheet, near, mask | letters))
        if not (mask & (letters | ruled)).any() and _on_paper(sheet, movable, usual_paper):
            yield span, movable


def _inked(sheet: Sheet, box: Box) -> Box:
    """Return the box of the ink in *box*."""
    rows, columns = np.nonzero(sheet.ink[box.within()])
    if not rows.size:
        return box
    return Box(
        box.left + int(columns.min()),
        box.top + int(rows.min()),
        box.left + int(columns.max()) + 1,
        box.top + int(rows.max()) + 1,
    )


def _paper(sheet: Sheet, near: Box, others: Mask) -> Mask:
    """Return the mask of the bare paper in *near*, outside of the mask *others*."""
    return np.asarray((sheet.ink[near.within()] == 0) & ~others)


def _on_paper(sheet: Sheet, one: _Movable, usual: float) -> bool:
    """Return whether *one* stands on paper, and not on a dark or shaded ground."""
    if one.paper.sum() < _PAPER:
        return False
    level = float(np.median(sheet.pixels[one.near.within()][one.paper]))
    return abs(level - usual) <= _GROUND


def _level(box: Box, near: Box) -> Mask:
    """Return the mask of the rows of a frame's middle, where a stroke beyond it may be a letter."""
    inset = box.height // 5
    return covered([Box(near.left, box.top + inset, near.right, box.bottom - inset)], near)


def _goes_on(ink: Grey, box: Box, near: Box) -> bool:
    """Return whether what stands within a frame reaches out of the area around it, as a rule does.

    Args:
        ink: The ink in *near*.
        box: The frame.
        near: The area.
    """
    labels = cv2.connectedComponents(ink, connectivity=8)[1]
    inset = box.height // 5
    inside = labels[box.grown(-inset, -inset).within(near)]
    return bool(np.intersect1d(inside[inside > 0], at_border(labels)).size)
