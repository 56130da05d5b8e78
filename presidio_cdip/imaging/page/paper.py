"""Fill erased pixels with the background around them: texture copying, inpainting or a colour."""

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.page.clean import Grey
from presidio_cdip.imaging.page.light import light

Pixels = NDArray[np.uint8]
"""``(rows, columns)`` or ``(rows, columns, channels)``, in [0, 255]."""

Mask = NDArray[np.bool_]

_REACH = 6.0  # of a box's height: the distance within which paper is copied
_LIT = 3.0  # of a box's height: the square over which paper's brightness is averaged
_SHADED, _LIGHTER = 12.0, 20.0
"""Grey levels by which a shaded band is darker than the paper beside it, and the maximum
brightness correction of copied paper."""
_SHIFTS = 12
_TRIED = 80
_COUNTED = 400  # pixels sampled to compare offsets
_AROUND, _ENOUGH = 15, 20  # pixels around a gap, and how many of them at least are compared
_LONGEST, _REPEATS = 16, 0.6
"""Pixels of the longest period of a raster; and the ratio of the difference a period away to the
usual one, from which paper is a raster."""
_STRICT = 2  # the power of the difference by which offsets that do not repeat are avoided


def resampled(pixels: Pixels, gone: Mask, ink: Grey, rng: np.random.Generator) -> Pixels:
    """Return *pixels* with *gone* filled from the paper around it.

    Patches are copied from nearby offsets, which keeps the grain of the paper, and adjusted to the
    illumination at their new place. Offsets at which the paper beside the gap repeats are
    preferred, so that the dots of a raster stay in step. Pixels that no patch covers are filled
    with random paper pixels from nearby.

    Args:
        pixels: A page or a part of one.
        gone: The mask of pixels to fill.
        ink: Not 0 where a pixel is not paper.
        rng: Draws the candidate offsets and the single pixels.
    """
    filled = pixels.copy()
    rows, columns = np.nonzero(gone)
    if not len(rows):
        return filled
    if gone.all():  # there is no paper to take
        return np.full_like(pixels, 255)
    free = (cv2.dilate(ink, np.ones((3, 3), np.uint8)) == 0) & ~gone
    if not free.any():
        return cv2.inpaint(pixels, gone.astype(np.uint8), 3, cv2.INPAINT_TELEA).astype(np.uint8)
    bright, shaded = _bright(pixels, free, rows.max() - rows.min() + 1)
    free = free & ~shaded if (free & ~shaded).any() else free
    left = np.ones(len(rows), np.bool_)
    reach = int(_REACH * (rows.max() - rows.min() + 1))
    down = rng.integers(-reach, reach + 1, _TRIED)
    across = rng.integers(-reach, reach + 1, _TRIED)
    ring = _Ring(pixels, free, gone)
    down, across = ring.in_step(down, down=True), ring.in_step(across, down=False)
    apart = np.maximum(ring.apart(down, across), 1)
    alike = (apart.min() / apart) ** _STRICT if np.isfinite(apart.min()) else np.ones(_TRIED)
    for _ in range(_SHIFTS):
        step = max(1, int(left.sum()) // _COUNTED)
        some = rows[left][::step], columns[left][::step]
        counts = [
            _free(free, some[0] + dy, some[1] + dx).sum()
            for dy, dx in zip(down, across, strict=True)
        ]
        best = int(np.argmax(counts * alike))
        if counts[best] < 2:
            break
        y, x = rows + down[best], columns + across[best]
        usable = left.copy()
        usable[left] = _free(free, y[left], x[left])
        to, by = (rows[usable], columns[usable]), (y[usable], x[usable])
        brighter = np.clip((bright[to] - bright[by]).round(), -_LIGHTER, _LIGHTER)
        filled[to] = np.clip(pixels[by] + brighter, 0, 255).astype(np.uint8)
        left &= ~usable
        if not left.any():
            return filled
    y, x = np.nonzero(free)
    near = np.abs(y - rows.mean()) + np.abs(x - columns.mean())
    nearest = np.argsort(near, kind="stable")[: max(64, int(left.sum()))]
    drawn = nearest[rng.integers(0, len(nearest), int(left.sum()))]
    filled[rows[left], columns[left]] = pixels[y[drawn], x[drawn]]
    return filled


class _Ring:
    """Compare the paper around a gap with the paper elsewhere.

    Args:
        pixels: The page or a part of it.
        free: The mask of paper.
        gone: The mask of the gap.
    """

    def __init__(self, pixels: Pixels, free: Mask, gone: Mask) -> None:
        ring = cv2.dilate(gone.astype(np.uint8), np.ones((_AROUND, _AROUND), np.uint8)) > 0
        rows, columns = np.nonzero(ring & free)
        step = max(1, len(rows) // _COUNTED) | 1  # odd: not one column of a raster again and again
        self._rows, self._columns = rows[::step], columns[::step]
        self._own = pixels[self._rows, self._columns].astype(np.float32)
        self._pixels, self._free = pixels, free

    def apart(self, down: NDArray[np.intp], across: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the mean difference at each offset; infinite where too little is paper."""
        if len(self._rows) < _ENOUGH:
            return np.full(len(down), np.inf)
        rows, columns = self._rows + down[:, None], self._columns + across[:, None]
        usable = _free(self._free, rows.ravel(), columns.ravel()).reshape(rows.shape)
        height, width = self._free.shape
        there = self._pixels[rows.clip(0, height - 1), columns.clip(0, width - 1)]
        far = np.abs(self._own - there).reshape(*rows.shape, -1).mean(axis=2)
        counts = usable.sum(axis=1)
        means = (far * usable).sum(axis=1) / np.maximum(counts, 1)
        return np.asarray(np.where(counts >= _ENOUGH, means, np.inf))

    def in_step(self, offsets: NDArray[np.intp], *, down: bool) -> NDArray[np.intp]:
        """Return *offsets* along one axis, rounded to the period of the paper if it is a raster."""
        periods = np.arange(2, _LONGEST + 1)
        still = np.zeros_like(periods)
        apart = self.apart(*((periods, still) if down else (still, periods)))
        least = apart.min()
        if not least < _REPEATS * np.median(apart):
            return offsets
        period = periods[np.argmax(apart <= least / _REPEATS**0.5)]
        return np.asarray((offsets / period).round().astype(np.intp) * period)


def _bright(pixels: Pixels, free: Mask, height: int) -> tuple[NDArray[np.float32], Mask]:
    """Return the illumination at each pixel, and a mask of shaded bands.

    Shaded bands, which are much darker than the paper around them, are excluded from the average.
    """
    grey = pixels if pixels.ndim == 2 else pixels.mean(axis=2).astype(np.uint8)
    # Wide enough that the dots of a raster are no bands.
    here = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 2)

    def bright(of: Mask) -> NDArray[np.float32] | None:
        found = light(pixels, of, _LIT * height)
        if found is None:
            return None
        whole = cv2.resize(found, pixels.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return np.asarray(whole, np.float32)

    def darker(than: NDArray[np.float32], by: float) -> Mask:
        return np.asarray(here < (than if than.ndim == 2 else than.mean(axis=2)) - by)

    first = bright(free)
    assert first is not None, "there is free paper"
    again = bright(free & ~darker(first, _SHADED / 2))
    found = first if again is None else again
    return found, darker(found, _SHADED)


def _free(free: Mask, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Mask:
    height, width = free.shape
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    found = np.zeros(len(rows), np.bool_)
    found[inside] = free[rows[inside], columns[inside]]
    return found


def _inpainted(flag: int) -> Callable[[Pixels, Mask, Grey, np.random.Generator], Pixels]:
    def fill(pixels: Pixels, gone: Mask, ink: Grey, rng: np.random.Generator) -> Pixels:
        if gone.all():  # no pixel is left to inpaint from
            return np.full_like(pixels, 255)
        return cv2.inpaint(pixels, gone.astype(np.uint8), 3, flag).astype(np.uint8)

    return fill


def _flat(level: int) -> Callable[[Pixels, Mask, Grey, np.random.Generator], Pixels]:
    def fill(pixels: Pixels, gone: Mask, ink: Grey, rng: np.random.Generator) -> Pixels:
        filled = pixels.copy()
        filled[gone] = level
        return filled

    return fill


METHODS: Mapping[str, Callable[[Pixels, Mask, Grey, np.random.Generator], Pixels]] = {
    "paper": resampled,
    "telea": _inpainted(cv2.INPAINT_TELEA),
    "navier-stokes": _inpainted(cv2.INPAINT_NS),
    "white": _flat(255),
    "black": _flat(0),
}
"""Erasing methods by name. Sources: Telea, *An Image Inpainting Technique Based on the
Fast Marching Method*, 2004; Bertalmio et al., *Navier-Stokes, Fluid Dynamics, and Image and Video
Inpainting*, CVPR 2001."""
