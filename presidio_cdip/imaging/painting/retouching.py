"""Change the pixels of a page: inpaint all originals, then blend the surrogates' ink."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from presidio_cdip.imaging.page.canvas import Canvas
from presidio_cdip.imaging.page.paper import METHODS, Mask, Pixels
from presidio_cdip.imaging.page.ruling import Points
from presidio_cdip.imaging.painting.level import StrokesOfPage
from presidio_cdip.imaging.painting.marks import Exchange
from presidio_cdip.imaging.painting.painting import Painted, painted
from presidio_cdip.imaging.painting.places import Plan
from presidio_cdip.imaging.painting.strokes import box_of, covered
from presidio_cdip.imaging.reading.boxes import LineBox
from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.style.rendering import Dark, blurred_by
from presidio_cdip.imaging.style.sheet import INKY, Sheet
from presidio_cdip.imaging.style.styles import FAINT
from presidio_cdip.imaging.words import Box

_AROUND = 8.0  # of a line's height: the margin from which paper is copied
_RING, _EDGE, _BEYOND = (np.ones((size, size), np.uint8) for size in (9, 5, 15))
_SLACK = 0.6, 0.4
"""Of a word's height: how far its ink may reach beyond the sides of OCR's box, and above and below,
if it is to move."""
_FEW = 16  # grey levels: a page with no more was made of a smaller count of bilevel pixels
_MEASURED, _VISIBLE = 60, 0.7  # pixels needed to measure noise, and visible grey levels of it


@dataclass(frozen=True, slots=True, eq=False)
class _Gone:
    """Hold the pixels to erase of one line.

    Attributes:
        part: The line.
        near: An area of the page.
        mask: The mask of the pixels to erase in it.
        redrawn: Pixels of rules and check boxes that are redrawn in it, and the pixels that they
            are copied from.
        papers: Of check boxes that change places, the masks of the paper around each.
    """

    part: LineBox
    near: Box
    mask: Mask
    redrawn: Sequence[tuple[Points, Points]] = ()
    papers: Sequence[Mask] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Move:
    """Hold the ink of words that moves, with the pixels to the right and down by which it does."""

    gone: _Gone
    right: int
    down: int


class Retoucher:
    """Erase and paint lines of a page.

    The page is changed when it is asked for: everything is erased before anything is painted, so
    that no surrogate is cut by the erasing of a line beside it. The result does not depend on the
    order of the calls.

    Args:
        canvas: The page.
        layout: Its text and words.
        sheet: The page separated into paper, ink and rules.
        erasing: The erasing method, one of `METHODS`.
        noise: One of `painting.NOISES`.
        chance: Returns the random generator for a purpose, for the grain of paper and ink.
    """

    def __init__(
        self,
        canvas: Canvas,
        layout: LayoutText,
        sheet: Sheet,
        erasing: str,
        noise: str,
        chance: Callable[[str], np.random.Generator],
    ) -> None:
        self._canvas = canvas
        self._size = canvas.image.size
        self._layout = layout
        self._sheet = sheet
        self._strokes = StrokesOfPage(sheet, layout, canvas.pixels)
        self._erasing = erasing
        self._noise = noise
        self._chance = chance
        self._gone: list[_Gone] = []
        self._moves: list[_Move] = []
        self._inks: dict[tuple[int, ...], tuple[Plan, Painted]] = {}
        self._bare: tuple[Pixels, Mask] | None = None
        self._image: Image.Image | None = None

    @property
    def image(self) -> Image.Image:
        """Return the page with all changes so far; pixels outside of them are unchanged."""
        if self._image is None:
            bare, erased = self._erased()
            pixels, changed = bare.copy(), erased.copy()
            if self._moves:
                self._move(pixels, changed)
            for plan, ink in sorted(self._inks.values(), key=lambda one: one[0].part.box):
                self._blend(plan, ink, pixels, changed)
            pixels = self._nearest[pixels]
            self._image = self._canvas.painted(pixels, changed)
        return self._image

    @cached_property
    def _nearest(self) -> Pixels:
        """Return for each grey level the nearest one that the page has, if it has few."""
        # Ten times as fast as `np.bincount`, which needs integers of 64 bits.
        flat = self._canvas.pixels.reshape(-1, 1)
        levels = np.flatnonzero(cv2.calcHist([flat], [0], None, [256], [0, 256]))
        if len(levels) > _FEW:
            return np.arange(256, dtype=np.uint8)
        far = np.abs(np.arange(256)[:, None] - levels)
        return np.asarray(levels[far.argmin(axis=1)], np.uint8)

    def _erased(self) -> tuple[Pixels, Mask]:
        """Return the page with all lines erased, and the mask of the erased pixels."""
        if self._bare is None:
            self._bare = self._made_bare()
        return self._bare

    def _made_bare(self) -> tuple[Pixels, Mask]:
        pixels = self._canvas.pixels.copy()
        changed: Mask = np.zeros(self._sheet.pixels.shape, np.bool_)
        gone = [*self._gone, *(move.gone for move in self._moves)]
        for one in gone:
            changed[one.near.within()] |= one.mask
        taken = np.where(changed, np.uint8(255), self._sheet.ink)
        for one in sorted(gone, key=lambda one: one.part.box):
            reach = round(_AROUND * one.part.box.height)
            around = one.part.box.grown(reach, reach).union(one.near).clipped(self._size)
            mask: Mask = np.zeros((around.height, around.width), np.bool_)
            mask[one.near.within(around)] = one.mask
            at, chance = around.within(), self._chance(f"paper {one.part.box}")
            other = taken[at] | np.uint8(255) * self._sheet.elsewhere(one.part.box, around)
            pixels[at] = METHODS[self._erasing](pixels[at], mask, other, chance)
        for one in gone:
            at = one.near.within()
            seen, inverted = self._canvas.pixels[at], self._canvas.inverted[at]
            for (to, by), lighter in zip(one.redrawn, self._lighter(one), strict=True):
                drawn = seen[by]
                other = inverted[to] != inverted[by]
                drawn[other] = 255 - drawn[other]
                drawn = np.clip(drawn.astype(np.int16) + lighter, 0, 255).astype(np.uint8)
                pixels[at][to] = drawn
                changed[at][to] = True
        return pixels, changed

    def _lighter(self, gone: _Gone) -> Sequence[NDArray[np.int16]]:
        """Return by how much the paper is lighter where pixels are redrawn than where they were.

        So a mark takes its ink along, and not the light on its paper.
        """
        if not gone.papers:
            return [np.zeros(1, np.int16)] * len(gone.redrawn)
        seen = self._canvas.pixels[gone.near.within()]
        first, second = (np.median(seen[paper], axis=0) for paper in gone.papers)
        return [np.asarray(one, np.int16) for one in (second - first, first - second)]

    def erase(self, part: LineBox) -> Box:
        """Replace *part* with background, and paint nothing there.

        Returns:
            The box of the pixels that change.
        """
        gone = self._of(part)
        self._gone.append(gone)
        for words in [words for words in self._inks if not set(words).isdisjoint(part.words)]:
            del self._inks[words]
        self._bare = self._image = None
        changed = gone.mask.copy()
        for to, _ in gone.redrawn:
            changed[to] = True
        return box_of(changed, gone.near) or part.box

    def exchange(self, boxes: Exchange) -> None:
        """Let two check boxes change places."""
        part = LineBox(boxes.boxes[0], -1, (), "")
        self._gone.append(_Gone(part, boxes.near, boxes.mask, boxes.redrawn, boxes.papers))
        self._bare = self._image = None

    def can_move(self, part: LineBox) -> bool:
        """Return whether the ink of *part* can move.

        White print on a dark ground cannot, nor can words that are connected with other ink, such
        as a pen stroke through them or a letter of the next line.
        """
        if self._canvas.inverted[part.box.within()].any():
            return False
        words = [self._layout.words[index].box for index in part.words]
        height = float(np.median([word.height for word in words]))
        across, down = round(_SLACK[0] * height), round(_SLACK[1] * height)
        near = part.box.grown(2 * across, 2 * down).clipped(self._size)
        labels = cv2.connectedComponents(self._sheet.ink[near.within()], connectivity=8)[1]
        own = covered(words, near)
        beyond = ~covered([word.grown(across, down) for word in words], near)
        return not np.intersect1d(labels[own & (labels > 0)], labels[beyond]).size

    def move(self, part: LineBox, right: int, down: int) -> Box:
        """Move the ink of *part*, which is no finding, some pixels to the right and down.

        Returns:
            The box of the pixels that change.
        """
        gone = self._ink_of(part)
        self._moves.append(_Move(gone, right, down))
        self._bare = self._image = None
        box = box_of(gone.mask, gone.near) or part.box
        return box.union(box.moved(right, down)).clipped(self._size)

    def _move(self, pixels: Pixels, changed: Mask) -> None:
        """Draw what moves in its new place; what a finding had is not drawn again."""
        taken: Mask = np.zeros(self._sheet.pixels.shape, np.bool_)
        for one in self._gone:
            taken[one.near.within()] |= one.mask
        for move in self._moves:
            near = move.gone.near
            rows, columns = np.nonzero(move.gone.mask & ~taken[near.within()])
            rows, columns = rows + near.top, columns + near.left
            down, right = rows + move.down, columns + move.right
            width, height = self._size
            inside = (down >= 0) & (down < height) & (right >= 0) & (right < width)
            to, by = (down[inside], right[inside]), (rows[inside], columns[inside])
            pixels[to] = np.minimum(pixels[to], self._canvas.pixels[by])
            changed[to] = True

    def left(self, part: LineBox) -> int:
        """Count the pixels of the original's ink that erasing left, before anything is painted."""
        strokes = self._strokes.of(part)
        at = strokes.near.within()
        bare, erased = self._erased()
        changed = bare[at] != self._canvas.pixels[at]
        if changed.ndim == 3:
            changed = changed.any(axis=2)
        if self._sheet.areas is not None:  # a dot of a shaded area may be as dark as the ink was
            changed |= erased[at] & (self._sheet.areas[at] > 0)
        return strokes.left(changed)

    def _of(self, part: LineBox) -> _Gone:
        """Return the pixels to erase of *part*."""
        box = part.box
        if self._erasing in ("white", "black"):
            return _Gone(part, box, np.ones((box.height, box.width), np.bool_))
        return self._ink_of(part)

    def _ink_of(self, part: LineBox) -> _Gone:
        """Return the ink of *part*, and the rules that it touches."""
        strokes = self._strokes.of(part)
        return _Gone(part, strokes.near, strokes.gone, strokes.redrawn)

    def paint(self, plan: Plan) -> Box:
        """Paint a planned line, and return the box of the pixels that change."""
        rng = self._chance(f"ink {plan.part.box}")
        ink = painted(plan.style, plan.text, plan.pen, self._size, rng, plan.spacing, self._noise)
        if ink.dark.size:
            if self._noise == "augraphy":
                ink = replace(ink, dark=_augraphied(ink.dark, rng))
            self._inks[plan.part.words] = plan, ink
            self._image = None
        return ink.box

    def _blend(self, plan: Plan, ink: Painted, pixels: Pixels, changed: Mask) -> None:
        """Blend *ink* with the *pixels* of the page, and add what changes to *changed*."""
        box = ink.box
        dark = np.where(ink.dark > FAINT, ink.dark, 0)
        part = pixels[box.within()]
        colour, depth = self._ink_colour(plan.part)
        share = dark / np.float32(depth)
        paper = part.astype(np.float32)
        if part.ndim == 3:
            share = share[:, :, None]
        mixed = paper + np.minimum(colour - paper, 0) * share
        inked = dark > 0
        if self._noise == "fitted":
            rng = self._chance(f"ringing {plan.part.box}")
            halo, ringing = self._ringing(plan.part, dark, rng)
            mixed += ringing[:, :, None] if part.ndim == 3 else ringing
            inked |= halo
        part[inked] = np.clip(mixed, 0, 255).round().astype(np.uint8)[inked]
        changed[box.within()] |= inked

    def _ringing(self, part: LineBox, dark: Dark, rng: np.random.Generator) -> tuple[Mask, Dark]:
        """Return JPEG ringing noise around letters: its mask, and its grey levels."""
        height = part.box.height
        window = part.box.grown(height, height).clipped(self._size)
        at = window.within()
        ink = (self._sheet.dark(window) > INKY).astype(np.uint8)
        levels = (self._sheet.pixels[at] - self._sheet.paper(window)).astype(np.float32)
        bare = (cv2.dilate(ink, _EDGE) == 0).astype(np.float32)
        # Smoothed without the letters, whose edges would else be taken for ringing.
        levels -= blurred_by(levels * bare, 1.0) / np.maximum(blurred_by(bare, 1.0), 1e-3)
        near = (cv2.dilate(ink, _RING) > 0) & (cv2.dilate(ink, _EDGE) == 0)
        far = cv2.dilate(ink, _BEYOND) == 0
        if near.sum() < _MEASURED or far.sum() < _MEASURED:
            return np.zeros(dark.shape, np.bool_), np.zeros_like(dark)
        # Percentiles are robust: specks beside letters are not ringing.
        spreads = (np.subtract(*np.percentile(levels[at], (84, 16))) / 2 for at in (near, far))
        here, elsewhere = (float(spread) for spread in spreads)
        more = max(0.0, here**2 - elsewhere**2) ** 0.5
        inked = (dark > INKY).astype(np.uint8)
        halo = (cv2.dilate(inked, _RING) > 0) & (inked == 0) & (more > _VISIBLE)
        noise = rng.normal(0, 1, dark.shape).astype(np.float32)
        noise *= more / max(float(noise.std()), 1e-6)
        return halo, np.where(halo, noise, np.float32(0))

    def _ink_colour(self, part: LineBox) -> tuple[np.ndarray[Any, Any], float]:
        """Return the median colour and darkness of the original's darkest pixels."""
        words = (self._layout.words[index].box for index in part.words)
        box = Box.around(words).clipped(self._size)
        dark = self._sheet.dark(box) * self._sheet.line(box, box)
        pixels = self._canvas.pixels[box.within()]
        limit = max(0.3, float(np.percentile(dark, 97)) * 0.9)
        chosen = dark >= limit
        if not chosen.any():
            return np.zeros(pixels.shape[2:] or (1,), np.float32), 1.0
        colour = np.median(pixels[chosen].reshape(int(chosen.sum()), -1), axis=0)
        return colour.astype(np.float32), max(0.3, float(np.median(dark[chosen])))


def _augraphied(dark: Any, rng: np.random.Generator) -> Any:
    """Add the noise of Larson et al.: Augraphy's InkMottling, LowInkRandomLines, a rotation."""
    from presidio_cdip.imaging.painting.augraphy_noise import mottled

    return mottled(dark, rng)
