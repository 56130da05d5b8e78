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


def resampled(pixels: Pixels, gone: Mask, ink: Grey, rng: np.random.Generator) -> Pixels:
    """Return *pixels* with *gone* filled from the paper around it.

    Patches are copied from nearby offsets, which keeps the grain of the paper, and adjusted to the
    illumination at their new place. Pixels that no patch covers are filled with random paper
    pixels from nearby.

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
    for _ in range(_SHIFTS):
        step = max(1, int(left.sum()) // _COUNTED)
        some = rows[left][::step], columns[left][::step]
        counts = [
            _free(free, some[0] + dy, some[1] + dx).sum()
            for dy, dx in zip(down, across, strict=True)
        ]
        best = int(np.argmax(counts))
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


def _bright(pixels: Pixels, free: Mask, height: int) -> tuple[NDArray[np.float32], Mask]:
    """Return the illumination at each pixel, and a mask of shaded bands.

    Shaded bands, which are much darker than the paper around them, are excluded from the average.
    """
    grey = pixels if pixels.ndim == 2 else pixels.mean(axis=2).astype(np.uint8)
    here = cv2.blur(grey, (5, 5)).astype(np.float32)

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
