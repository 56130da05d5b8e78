"""Trace the rules of an area, and redraw them through letters from clean pieces of themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.page.paper import Mask
from presidio_cdip.imaging.words import Box

_FEW = 4  # columns: the minimum of a rule without letters on them, from which it is redrawn
_CORE = 0.6  # of the blackest row's share of ink: the minimum of a row that belongs to the rule
_UNBROKEN = 0.75  # the minimum share of ink in the blackest row of a rule

Points = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Rows and columns of pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """Hold the pixels of a straight rule.

    Attributes:
        along: The columns it crosses; of a vertical rule, the rows.
        rows: For each of them its rows, as many as it is thick; of a vertical rule, the columns.
        edge: Its other pixels, where it is uneven and no letter touches it.
        turned: Whether it is vertical.
    """

    along: NDArray[np.intp]
    rows: NDArray[np.intp]
    edge: Points
    turned: bool

    def points(self, some: NDArray[np.intp] | slice = slice(None)) -> Points:
        """Return the pixels of the rule, or those at *some* of the entries of `along`."""
        rows = self.rows[some]
        along = np.broadcast_to(self.along[some, None], rows.shape)
        return (along, rows) if self.turned else (rows, along)

    def within(self, box: Box) -> bool:
        """Return whether a horizontal rule starts and ends in *box*, as the feet of letters do."""
        row = float(self.rows.mean())
        return (
            not self.turned
            and box.left <= self.along[0]
            and self.along[-1] < box.right
            and box.top <= row < box.bottom
        )

    def redrawn(self, letters: Mask, ink: Mask) -> tuple[Points, Points] | None:
        """Return the pixels that *letters* touch, and for each a clean one to copy it from.

        Args:
            letters: The mask of the letters to erase.
            ink: The mask of all ink beside the rules.

        Returns:
            None if there is nothing to redraw, or nothing to copy from.
        """
        dirty = np.flatnonzero(_near(letters)[self.points()].any(axis=1))
        clean = np.flatnonzero(~_near(ink)[self.points()].any(axis=1))
        if not len(dirty) or len(clean) < _FEW:
            return None
        # Of the clean entries the nearest, as many as are needed, in the rule's own order.
        nearest = np.argsort(np.abs(clean - dirty.mean()), kind="stable")[: len(dirty)]
        chosen = np.sort(clean[nearest])
        return self.points(dirty), self.points(chosen[np.arange(len(dirty)) % len(chosen)])


def rules_in(rules: Mask, dark: Mask, length: int) -> list[Rule]:
    """Trace the rules in a mask that also holds what touches them.

    Args:
        rules: The mask of rules, with their soft edges and pieces of letters.
        dark: The mask of all ink.
        length: The minimum length of a rule, in pixels.
    """
    return [
        rule
        for turned in (False, True)
        for rule in _traced(*((rules.T, dark.T) if turned else (rules, dark)), length, turned)
    ]


def mask_of(rules: Sequence[Rule], shape: tuple[int, ...]) -> Mask:
    """Return the mask of *rules*."""
    mask: Mask = np.zeros(shape, np.bool_)
    for rule in rules:
        mask[rule.points()] = True
        mask[rule.edge] = True
    return mask


def _near(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _traced(rules: Mask, dark: Mask, length: int, turned: bool) -> Iterator[Rule]:
    """Yield the horizontal rules of *rules*."""
    long = np.ones((1, length), np.uint8)
    flat = cv2.morphologyEx(rules.astype(np.uint8), cv2.MORPH_OPEN, long)
    count, labels = cv2.connectedComponents(flat, connectivity=8)
    for number in range(1, count):
        inked = (labels == number) & dark
        along = np.flatnonzero(inked.any(axis=0))
        if not len(along):
            continue
        inked = inked[:, along]
        thick = inked.sum(axis=0)
        middles = (np.arange(len(inked))[:, None] * inked).sum(axis=0) / thick
        bare = thick <= np.percentile(thick, 25)  # without letters on it
        line = _line(along[bare], middles[bare])
        reach = int(thick.max()) + 1
        rows = np.round(np.polyval(line, along)).astype(np.intp)[:, None]
        rows = rows + np.arange(-reach, reach + 1)
        inside = rows.clip(0, len(inked) - 1)
        seen = inked[inside, np.arange(len(along))[:, None]]
        share = seen[bare].mean(axis=0)
        if share.max() < _UNBROKEN:
            continue  # a row of letters
        core = share >= _CORE * share.max()
        # Where it is no thicker than elsewhere, all of it is the rule.
        columns, steps = np.nonzero(seen & (thick <= core.sum())[:, None])
        edge = inside[columns, steps], along[columns]
        yield Rule(along, inside[:, core], edge[::-1] if turned else edge, turned)


def _line(x: NDArray[np.intp], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return slope and start of the line through points; level, if it hardly slopes."""
    if np.ptp(x):
        line = np.polyfit(x, y, 1)
        if abs(line[0]) * np.ptp(x) > 1:
            return np.asarray(line)
    return np.array([0.0, np.median(y)])
