"""Trace the rules of an area, and redraw them through letters from clean pieces of themselves.

Rules of a scan are hardly ever level: they slope by a pixel in fifty or waver, and each step is
spread over two rows of grey. So a rule is followed column by column, and a piece of it is only
copied to where it runs through the pixels alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.page.paper import Mask
from presidio_cdip.imaging.words import Box

_INK = 0.2  # minimum darkness of a pixel of a rule
_FEW = 4  # columns: the minimum of a rule without letters on them, from which it is redrawn
_HEAVIER = 1.3  # ratio of a column's ink to the rule's, from which there is a letter on it
_UNBROKEN = 0.75  # the minimum share of ink in the blackest row of a rule
_MARGIN = 3  # rows above and below a rule's mask
_SMOOTHED = 9  # columns over which a rule is straight
_OUT_OF_STEP = 2000.0  # columns of distance that count as much as a pixel between two pieces' rows
_FOOT = 0.25  # of a rule's minimum length: how far the foot of a letter may reach along it
_PIECES = 40  # clean columns that tell how dark a rule may be at a place
_UNEVEN = 0.05  # darkness by which a rule may be darker or lighter than these

Dark = NDArray[np.float32]
"""Rows of darkness in [0, 1]."""

Shifts = tuple[NDArray[np.intp], NDArray[np.intp]]
"""For each pixel of an area its shift down and to the right, in pixels."""

Points = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Rows and columns of pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """Hold the pixels of a rule.

    Attributes:
        along: The columns it crosses; of a vertical rule, the rows.
        middles: For each of them the row of its middle; of a vertical rule, the column.
        rows: For each of them the rows around it, as many as it may need.
        inked: Which of these rows are its own.
        bare: Of which entries of `along` that was seen, because no letter is on them.
        turned: Whether it is vertical.
        dark: The darkness of all ink of the area.
    """

    along: NDArray[np.intp]
    middles: NDArray[np.float64]
    rows: NDArray[np.intp]
    inked: Mask
    bare: Mask
    turned: bool
    dark: Dark

    def points(self, some: NDArray[np.intp] | slice = slice(None)) -> Points:
        """Return the pixels around the rule, or those at *some* of the entries of `along`."""
        rows = self.rows[some]
        along = np.broadcast_to(self.along[some, None], rows.shape)
        return (along, rows) if self.turned else (rows, along)

    def within(self, box: Box) -> bool:
        """Return whether a horizontal rule starts and ends in *box*, as the feet of letters do."""
        row = float(self.middles.mean())
        return (
            not self.turned
            and box.left <= self.along[0]
            and self.along[-1] < box.right
            and box.top <= row < box.bottom
        )

    def redrawn(self, letters: Mask, erased: Mask, ink: Mask) -> tuple[Points, Points] | None:
        """Return the pixels that *letters* touch, and for each a clean one to copy it from.

        Args:
            letters: The mask of the letters to erase.
            erased: The mask of all pixels that are erased with them.
            ink: The mask of all ink beside the rules.

        Returns:
            None if there is nothing to redraw, or nothing to copy from.
        """
        height, width = letters.shape
        rows, columns = self.points()
        inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        at = rows.clip(0, height - 1), columns.clip(0, width - 1)
        # The rule stays but for the soft edges and feet of letters; its own soft edges are erased.
        fresh = _near(letters, 2) | (erased & ~mask_of([self], letters.shape))
        fresh &= letters | ~ink
        free = inside.all(axis=1) & ~_near(ink)[at].any(axis=1) & self.bare
        dirty, clean = np.flatnonzero((fresh[at] & inside).any(axis=1)), np.flatnonzero(free)
        if not len(dirty) or len(clean) < _FEW:
            return None
        chosen, shifts = _alike(self.middles, self.along, dirty, clean)
        pieces = clean[chosen]
        # The rows of the best piece, moved to where the rule runs here.
        rows_by = self.rows[pieces[:, 0]]
        rows_to = rows_by + shifts[:, :1]
        along_to = np.broadcast_to(self.along[dirty, None], rows_to.shape)
        along_by = np.broadcast_to(self.along[pieces[:, :1]], rows_to.shape)
        kept = (rows_to >= 0) & (rows_to < (width if self.turned else height))
        to, by = (rows_to[kept], along_to[kept]), (rows_by[kept], along_by[kept])
        low, high = self._usual(pieces)
        if self.turned:
            to, by = to[::-1], by[::-1]
        # Beside letters, what is as dark as the rule is elsewhere is the rule's own.
        across = np.ones((1, rows.shape[1]) if self.turned else (rows.shape[1], 1), np.uint8)
        crossing = cv2.morphologyEx(letters.astype(np.uint8), cv2.MORPH_CLOSE, across) > 0
        dark = self.dark[to]
        own = (low[kept] <= dark) & (dark <= high[kept]) & ~_near(crossing)[to]
        by = np.where(own, to[0], by[0]), np.where(own, to[1], by[1])
        mine = fresh[to]
        return (to[0][mine], to[1][mine]), (by[0][mine], by[1][mine])

    def _usual(self, some: NDArray[np.intp]) -> tuple[Dark, Dark]:
        """Return the least and the most darkness of each row of pieces of the rule.

        Args:
            some: ``(columns, pieces)``, entries of `along`.
        """
        height, width = self.dark.shape[::-1] if self.turned else self.dark.shape
        rows = self.rows[some].clip(0, height - 1)
        along = self.along[some][:, :, None].clip(0, width - 1)
        levels = self.dark[along, rows] if self.turned else self.dark[rows, along]
        return levels.min(axis=1) - _UNEVEN, levels.max(axis=1) + _UNEVEN


def rules_in(rules: Mask, dark: Dark, length: int, shifts: Shifts | None = None) -> list[Rule]:
    """Trace the rules in a mask that also holds what touches them.

    Args:
        rules: The mask of rules, with their soft edges and pieces of letters.
        dark: The darkness of all ink.
        length: The minimum length of a rule, in pixels.
        shifts: By how many pixels those of the area were shifted down and to the right, so that
            its rules have steps; None for a page as it is.
    """
    down, right = shifts or (np.zeros(rules.shape, np.intp),) * 2
    return [
        *_traced(rules, dark, length, down, turned=False),
        *_traced(rules.T, dark.T, length, right.T, turned=True),
    ]


def mask_of(rules: Sequence[Rule], shape: tuple[int, ...]) -> Mask:
    """Return the mask of *rules*."""
    mask: Mask = np.zeros(shape, np.bool_)
    for rule in rules:
        rows, columns = (points[rule.inked] for points in rule.points())
        inside = (rows >= 0) & (rows < shape[0]) & (columns >= 0) & (columns < shape[1])
        mask[rows[inside], columns[inside]] = True
    return mask


def _near(mask: Mask, by: int = 1) -> Mask:
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), kernel) > 0)


def _alike(
    middles: NDArray[np.float64],
    along: NDArray[np.intp],
    some: NDArray[np.intp],
    among: NDArray[np.intp],
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return for each of *some* columns a few of *among*, near and alike but for whole rows.

    The best comes first. Also returns these rows.
    """
    apart = middles[some, None] - middles[among]
    shift = np.round(apart).astype(np.intp)
    far = _OUT_OF_STEP * np.abs(apart - shift) + np.abs(along[some, None] - along[among])
    chosen = np.argsort(far, axis=1, kind="stable")[:, :_PIECES]
    return chosen, np.take_along_axis(shift, chosen, axis=1)


def _traced(
    rules: Mask, dark: Dark, length: int, shifts: NDArray[np.intp], *, turned: bool
) -> Iterator[Rule]:
    """Yield the horizontal rules of *rules*."""
    long = np.ones((1, length), np.uint8)
    flat = cv2.morphologyEx(rules.astype(np.uint8), cv2.MORPH_OPEN, long)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=8)
    for number in range(1, count):
        top, high = stats[number, cv2.CC_STAT_TOP], stats[number, cv2.CC_STAT_HEIGHT]
        near = slice(max(0, top - _MARGIN), top + high + _MARGIN)
        # Of uneven rules only the rows that all columns share are left.
        whole = (labels[near] == number).astype(np.uint8)
        inside = cv2.dilate(whole, np.ones((3, 1), np.uint8)) > 0
        inked = np.where(inside & (dark[near] > _INK), dark[near], np.float32(0))
        along = np.flatnonzero(inked.any(axis=0))
        if not len(along):
            continue
        inside, inked = inside[:, along], inked[:, along]
        weight = inked.sum(axis=0)
        middles = (np.arange(len(inked))[:, None] * inked).sum(axis=0) / weight
        # Letters on it reach to the edge of the mask, which is wider than the rule.
        edge = inside & (cv2.erode(inside.astype(np.uint8), np.ones((3, 1), np.uint8)) == 0)
        bare = ~(edge & (inked > 0)).any(axis=0)
        if bare.sum() < _FEW:
            continue
        # A heavier column beside a letter has the letter's foot on it; elsewhere it is the rule's.
        foot = np.ones((1, 2 * round(_FOOT * length) + 1), np.uint8)
        beside = cv2.dilate((~bare).astype(np.uint8)[None], foot)[0] > 0
        bare &= ~beside | (weight <= _HEAVIER * np.percentile(weight[bare], 25))
        seen, clean = np.flatnonzero(bare), along[bare]
        shift = shifts[near.start + np.round(middles[bare].mean()).astype(np.intp)]
        middles = np.interp(along, clean, middles[bare] - shift[clean])
        if len(along) > _SMOOTHED:
            middles = cv2.blur(middles[None], (_SMOOTHED, 1), borderType=cv2.BORDER_REPLICATE)[0]
        middles += shift[along]
        reach = int((inked[:, bare] > 0).sum(axis=0).max()) // 2 + 2
        rows = np.round(middles).astype(np.intp)[:, None] + np.arange(-reach, reach + 1)
        within = rows.clip(0, len(inked) - 1)
        own = (inked[within, np.arange(len(along))[:, None]] > 0) & (rows == within)
        if own[bare].mean(axis=0).max() < _UNBROKEN:
            continue  # a row of letters
        hidden = np.flatnonzero(~bare)
        chosen, lower = (found[:, 0] for found in _alike(middles, along, hidden, seen))
        # The piece of a bare column, in the rows of this one.
        lower = lower + (rows[seen[chosen], 0] - rows[hidden, 0])
        offsets = np.arange(rows.shape[1]) - lower[:, None]
        known = (offsets >= 0) & (offsets < rows.shape[1])
        pieces = own[seen[chosen][:, None], offsets.clip(0, rows.shape[1] - 1)] & known
        own[hidden] &= pieces
        page = dark.T if turned else dark
        yield Rule(along, middles + near.start, rows + near.start, own, bare, turned, page)
