"""Find the shaded and dark areas of a page, and show their print as dark print on white paper."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

_Grey = NDArray[np.uint8]
_Levels = NDArray[np.float32]
_Mask = NDArray[np.bool_]

_COARSE = 1100  # pixels: the longer side of the reduced page in which areas are searched
_STEP, _FLAT = 12, 20  # grey levels: between the levels tried, and of one area to either side
_SHADED = 24  # grey levels by which an area is darker than the paper
_OPEN = np.ones((5, 5), np.uint8)  # reduced pixels: rules and strokes of letters are thinner
_ACROSS = np.ones((9, 9), np.uint8)  # reduced pixels: how far an edge reaches
_EDGE = 20  # percent of an area's edge that letters and noise may make
_WIDE, _HIGH = 24, 10  # reduced pixels: the smallest area
_SOLID, _SQUARE = 0.4, 0.85  # minimum share of an area that is flat, and of its rectangle it fills
_LETTER = 0.4  # of the way from an area's level to that of its letters
_DARK = 64  # grey level: an area without letters is inverted if it is darker
_DOT, _LEAST_DOTTED = (5, 5), 32  # pixels: the size of dots, and the height of a dotted area
_DOTS, _LARGER, _DOTTED = 100, 2.5, 0.3
"""Minimum count of dots; how many times the usual size of one it may have; and the minimum share of
an area's ink that they are."""
_BLUR = 1.5  # pixels: makes dots grey, and keeps letters


@dataclass(frozen=True, slots=True, eq=False)
class Grounds:
    """Hold a grey page on which all print is dark on white, and the areas that were changed.

    Attributes:
        pixels: The page. Shaded areas are as light as the paper, and dark areas are inverted.
        areas: The number of each pixel's area; 0 for the paper of the page.
        inverted: The mask of dark areas with light letters, or without letters.
    """

    pixels: NDArray[np.uint8]
    areas: NDArray[np.uint8]
    inverted: NDArray[np.bool_]

    @classmethod
    def of(cls, pixels: _Grey) -> "Grounds":
        """Return the grounds of a grey page; *pixels* itself is kept if there are no areas."""
        shrink = max(1, round(max(pixels.shape) / _COARSE))
        size = max(1, pixels.shape[1] // shrink), max(1, pixels.shape[0] // shrink)
        coarse = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        soft = np.asarray(cv2.medianBlur(cv2.blur(coarse, (3, 3)), 5), np.uint8)
        paper = _paper(soft)
        areas = np.zeros(pixels.shape, np.uint8)
        inverted = np.zeros(pixels.shape, np.bool_)
        shown = pixels
        for number, (area, level) in enumerate(_areas(soft, paper), 1):
            at, own = _enlarged(area, pixels, (paper + level) / 2)
            seen = pixels[at].astype(np.float32)
            if not _is_flat(seen, own, level):
                if not _is_dotted(seen, own, level):
                    continue
                soft_seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), _BLUR), np.float32)
                light = _has_light_letters(soft_seen, own, level, paper)
                bare = None if light else _without_dots(seen, own, paper)
                seen, level = (soft_seen, level) if bare is None else (bare, paper)
            else:
                light = _has_light_letters(seen, own, level, paper)
            share = (paper - seen) / (paper - level) if light else seen / np.float32(level)
            if shown is pixels:
                shown = pixels.copy()
            shown[at][own] = np.clip(share * paper, 0, 255).round().astype(np.uint8)[own]
            areas[at][own] = number
            inverted[at][own] = light
        return cls(shown, areas, inverted)


def _paper(soft: _Grey) -> float:
    """Return the most frequent grey level of the lighter half; 255 where all is dark."""
    counts = np.bincount(soft.ravel(), minlength=256)[128:]
    return float(128 + counts.argmax()) if counts.sum() > 0.05 * soft.size else 255.0


def _areas(soft: _Grey, paper: float) -> Iterator[tuple[_Mask, float]]:
    """Yield the mask and the grey level of each flat, about rectangular area darker than paper.

    An area within another follows it. Its edge is sharp: where the light fades there is none.
    """
    contrast = cv2.subtract(cv2.dilate(soft, _ACROSS), cv2.erode(soft, _ACROSS))
    counts = np.bincount(soft.ravel(), minlength=256)
    found = []
    for tried in range(0, int(paper - _SHADED) + 1, _STEP):
        low, high = max(0, tried - _FLAT), min(tried + _FLAT, int(paper - _SHADED / 2))
        if counts[low : high + 1].sum() < _WIDE * _HIGH:
            continue
        flat = cv2.morphologyEx(cv2.inRange(soft, low, high), cv2.MORPH_OPEN, _OPEN)
        contours, _ = cv2.findContours(flat, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            left, top, wide, height = cv2.boundingRect(contour)
            rectangle = np.prod([side + 1 for side in cv2.minAreaRect(contour)[1]])
            if wide < _WIDE or height < _HIGH or cv2.contourArea(contour) < _SQUARE * rectangle:
                continue
            filled = np.zeros((height, wide), np.uint8)
            cv2.drawContours(filled, [contour], 0, 1, cv2.FILLED, offset=(-left, -top))
            found.append((np.s_[top : top + height, left : left + wide], filled > 0))
    levels = np.full(soft.shape, -np.inf, np.float32)  # of the areas so far
    for at, own in sorted(found, key=lambda one: -int(one[1].sum()))[:255]:
        level = max(1.0, float(np.median(soft[at][own])))
        if level > paper - _SHADED / 2:  # a frame around paper
            continue
        edge = cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_GRADIENT, _OPEN[:3, :3]) > 0
        if edge.any() and np.percentile(contrast[at][edge], _EDGE) < _SHADED / 2:
            continue
        # The same area is found at several levels; another within it, such as a heading, is darker
        # or lighter.
        if (np.abs(levels[at][own] - level) > 2 * _FLAT).mean() > 0.5:
            levels[at][own] = level
            area = np.zeros(soft.shape, np.bool_)
            area[at] = own
            yield area, level


def _enlarged(area: _Mask, pixels: _Grey, middle: float) -> tuple[tuple[slice, slice], _Mask]:
    """Return the place of *area* on the page, and its mask there, to the pixel."""
    rows, columns = np.flatnonzero(area.any(axis=1)), np.flatnonzero(area.any(axis=0))
    # The blur and the median moved the area's edge by a pixel or two.
    top, bottom = max(0, rows[0] - 3), min(area.shape[0], rows[-1] + 4)
    left, right = max(0, columns[0] - 3), min(area.shape[1], columns[-1] + 4)
    down, across = (whole / part for whole, part in zip(pixels.shape, area.shape, strict=True))
    at = (
        slice(round(top * down), round(bottom * down)),
        slice(round(left * across), round(right * across)),
    )
    part = area[top:bottom, left:right].astype(np.uint8)
    size = at[1].stop - at[1].start, at[0].stop - at[0].start
    inner = cv2.resize(cv2.erode(part, _OPEN[:3, :3]), size, interpolation=cv2.INTER_NEAREST)
    outer = cv2.resize(cv2.dilate(part, _OPEN), size, interpolation=cv2.INTER_NEAREST)
    return at, (inner > 0) | ((outer > 0) & (pixels[at] < middle))


def _is_flat(seen: _Levels, own: _Mask, level: float) -> bool:
    """Check whether many pixels of an area have its level; those of lines of print do not."""
    return bool((np.abs(seen[own] - level) <= _FLAT).mean() >= _SOLID)


def _is_dotted(seen: _Levels, own: _Mask, level: float) -> bool:
    """Check whether the dots of a halftone give an area its level, and not letters."""
    return min(seen.shape) >= _LEAST_DOTTED and _is_flat(
        np.asarray(cv2.blur(seen, _DOT), np.float32), own, level
    )


def _without_dots(seen: _Levels, own: _Mask, paper: float) -> _Levels | None:
    """Return an area without the dots of its halftone; None if they hang together."""
    ink = (own & (seen < paper / 2)).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    sizes = stats[:, cv2.CC_STAT_AREA]
    usual = float(np.median(sizes[1:])) if len(sizes) > _DOTS else 0.0
    small = sizes <= _LARGER * usual
    small[0] = False
    if small.sum() < _DOTS or sizes[small].sum() < _DOTTED * sizes[1:].sum():
        return None
    gone = cv2.dilate(small[labels].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    kept = ~small[labels] & (ink > 0)
    return np.where(gone & ~kept, np.float32(paper), seen)


def _has_light_letters(seen: _Levels, own: _Mask, level: float, paper: float) -> bool:
    """Check whether the letters of an area are lighter than it; also if it is dark and has none."""
    if level < _DARK:
        return True
    inside = cv2.erode(own.astype(np.uint8), _OPEN) > 0
    light = inside & (seen > level + _LETTER * (paper - level))
    dark = inside & (seen < level - _LETTER * level)
    return bool(light.sum() > dark.sum())
