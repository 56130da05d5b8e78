"""Fit typeface, size, spacing and slant to a word's pixels, by analysis by synthesis.

The word that OCR read is rendered in every typeface and aligned with its ink; the best matches are
returned. References: Baird and Nagy, *A Self-Correcting 100-Font Classifier*, 1994, for the idea
of recognising a document's own type; Evangelidis and Psarakis, *Parametric Image Alignment Using
Enhanced Correlation Coefficient Maximization*, PAMI 2008, for the alignment.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import cv2
import numpy as np

from presidio_cdip.imaging.style.faces import Face
from presidio_cdip.imaging.style.rendering import (
    DRAWN,
    Dark,
    Drawn,
    Matrix,
    Scan,
    blurred_by,
    drawn,
    fitted_scan,
    laid,
)
from presidio_cdip.imaging.style.shortlist import Shortlist

TALLEST = 40
"""Maximum height of a compared crop, in pixels; larger crops are downscaled first."""

_MOST_SPACING = 0.35  # em units between letters
_ASPECT = 0.35  # penalty for stretching a typeface by a factor of e
_FILTERED = 5  # pixels: the Gaussian filter of the alignment
_ECC = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Hold the fitted typeface and geometry of a word.

    Attributes:
        face: The typeface.
        spacing: Letter spacing, added after each letter, in em units.
        matrix: The 2 x 2 map from em units to pixels of the page.
        pen: The start of the baseline, in pixels of the page.
        correlation: The normalised correlation of the rendered word with the page, in [-1, 1].
        scan: The scan model that makes the rendered word most similar to the page.
        error: The remaining error, as of `fitted_scan`.
        spread: How far the scan model moves the edges of strokes outward, in em units.
    """

    face: Face
    spacing: float
    matrix: Matrix
    pen: tuple[float, float]
    correlation: float
    scan: Scan
    error: float
    spread: float = 0.0

    @property
    def em(self) -> float:
        """Return the height of an em, in pixels of the page."""
        return float(np.hypot(*self.matrix[:, 1]))

    @property
    def stretch(self) -> float:
        """Return the ratio of the width of an em to its height."""
        return float(np.hypot(*self.matrix[:, 0])) / self.em


def correlation(one: Dark, other: Dark) -> float:
    """Return the normalised cross-correlation of two equal-shaped arrays; 0 if one is constant."""
    a, b = one - one.mean(), other - other.mean()
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / norm if norm > 1e-6 else 0.0


def ink_box(dark: Dark) -> tuple[int, int, int, int] | None:
    """Return left, top, right and bottom of pixels darker than 0.33; None if there are none."""
    ink = dark > 0.33
    columns, rows = np.flatnonzero(ink.any(axis=0)), np.flatnonzero(ink.any(axis=1))
    if not len(columns):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def fits(
    dark: Dark,
    text: str,
    faces: Sequence[Face],
    slope: float = 0.0,
    most: int = 4,
    shortlist: Shortlist | None = None,
) -> list[Fit]:
    """Return the best fits of *text* to the word in *dark*, one per typeface, the best first.

    Args:
        dark: The word's darkness, without rules and the ink of other words, with a margin of paper.
        text: The text of the word.
        faces: The typefaces to try.
        slope: The slope of the baseline, pixels down per pixel right.
        most: How many of the most similar typefaces are aligned.
        shortlist: The network that selects the typefaces to render; None to render all.

    Returns:
        An empty list if *dark* has no ink or *text* is blank.
    """
    small, level, shrink = _levelled(dark, slope)
    box = ink_box(level)
    if box is None or not text.strip():
        return []
    left, top, right, bottom = box
    if shortlist:
        likely = shortlist.likeliest(level[top:bottom, left:right])
        named = [face for face in faces if face in likely]
        faces = named or faces

    word = blurred_by(level[top:bottom, left:right], 0.5)

    ranked = sorted(
        ((*_resemblance(word, text, face), face) for face in faces), key=lambda one: -one[0]
    )
    found = []
    for _, spacing, face in ranked[:most]:
        matrix, pen = _start(drawn(face.file, text, spacing), box)
        if slope:
            pen = (pen[0], pen[1] + slope * (pen[0] - small.shape[1] / 2))
            matrix = np.array([[1, 0], [slope, 1]]) @ matrix
        found.append(_refined(small, text, face, spacing, matrix, pen, shrink))
    return sorted(found, key=lambda fit: fit.error)


def fitted_like(dark: Dark, text: str, like: Fit, slope: float = 0.0) -> Fit | None:
    """Return the fit of *text* to the word in *dark*, searched near the map of another word's.

    Args:
        dark: The word's darkness, as of `fits`.
        text: The text of the word.
        like: The fit of another word; its typeface and spacing are kept.
        slope: The slope of the baseline, pixels down per pixel right.

    Returns:
        None if *dark* has no ink or *text* is blank.
    """
    small, level, shrink = _levelled(dark, slope)
    box = ink_box(level)
    if box is None or not text.strip():
        return None
    left, top, right, bottom = drawn(like.face.file, text, like.spacing).ink
    matrix = like.matrix * shrink
    x = (box[0] + box[2]) / 2 - matrix[0, 0] * (left + right) / 2
    y = (box[1] + box[3]) / 2 - matrix[1, 1] * (top + bottom) / 2
    pen = x, y + slope * (x - small.shape[1] / 2)
    return _refined(small, text, like.face, like.spacing, matrix, pen, shrink)


def _levelled(dark: Dark, slope: float) -> tuple[Dark, Dark, float]:
    """Return *dark* at most `TALLEST` pixels high, the same without *slope*, and its scale."""
    shrink = min(1.0, TALLEST / dark.shape[0])
    small = dark if shrink == 1 else _shrunk(dark, shrink)
    if not slope:
        return small, small, shrink
    shear = np.array([[1, 0, 0], [-slope, 1, slope * small.shape[1] / 2]])
    return small, cv2.warpAffine(small, shear, small.shape[::-1]).astype(np.float32), shrink


def _shrunk(dark: Dark, by: float) -> Dark:
    size = max(1, round(dark.shape[1] * by)), max(1, round(dark.shape[0] * by))
    return cv2.resize(dark, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _resemblance(word: Dark, text: str, face: Face) -> tuple[float, float]:
    """Return the similarity of *word* to *text* in *face*, stretched to it, and its spacing."""
    height, width = word.shape
    plain = drawn(face.file, text)
    found = (_likeness(word, plain) - _ASPECT * _stretched(plain, width, height), 0.0)
    if len(text) > 1:
        wide, high = plain.ink[2] - plain.ink[0], plain.ink[3] - plain.ink[1]
        spacing = round((width / height * high - wide) / (len(text) - 1), 2)
        if 0.005 < abs(spacing) <= _MOST_SPACING:
            spread = drawn(face.file, text, spacing)
            score = _likeness(word, spread) - _ASPECT * min(0.06, abs(spacing))
            found = max(found, (score, spacing))
    return found


def _stretched(text: Drawn, width: int, height: int) -> float:
    """Return the log ratio of the aspect ratios, minus the effect of rounding to pixels."""
    left, top, right, bottom = text.ink
    ratio = abs(np.log((right - left) * height / max((bottom - top) * width, 1e-6)))
    return max(0.0, float(ratio) - 0.7 / height - 0.7 / width)


def _likeness(word: Dark, text: Drawn) -> float:
    rows, columns = text.pixels.shape
    left, top, right, bottom = (
        max(0, round(text.left + text.ink[0] * DRAWN)),
        max(0, round(text.baseline + text.ink[1] * DRAWN)),
        min(columns, round(text.left + text.ink[2] * DRAWN)),
        min(rows, round(text.baseline + text.ink[3] * DRAWN)),
    )
    if right <= left or bottom <= top:
        return 0.0
    ink = text.pixels[top:bottom, left:right]
    size = word.shape[::-1]
    shaped = cv2.resize(ink, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return correlation(word, blurred_by(shaped, 0.7))


def _start(text: Drawn, box: tuple[int, int, int, int]) -> tuple[Matrix, tuple[float, float]]:
    """Return the matrix and pen position that map the rendered ink to *box*."""
    left, top, right, bottom = text.ink
    x = (box[2] - box[0]) / max(right - left, 1e-3)
    y = (box[3] - box[1]) / max(bottom - top, 1e-3)
    return np.array([[x, 0.0], [0.0, y]]), (box[0] - left * x, box[1] - top * y)


def _refined(
    dark: Dark,
    text: str,
    face: Face,
    spacing: float,
    matrix: Matrix,
    pen: tuple[float, float],
    shrink: float,
) -> Fit:
    """Refine an initial matrix and pen by ECC alignment, and return the fit in page pixels."""
    word = drawn(face.file, text, spacing)
    size = dark.shape[1], dark.shape[0]
    coverage = laid(word, matrix, pen, size)
    scan, error = fitted_scan(coverage, dark)
    with suppress(cv2.error):  # if it does not converge, keep the initial values
        _, warp = cv2.findTransformECC(
            dark,
            scan.of(coverage),
            np.eye(2, 3, dtype=np.float32),
            cv2.MOTION_AFFINE,
            _ECC,
            np.ones(dark.shape, np.uint8),
            _FILTERED,
        )
        # `warp` maps the page to the rendered word, so its inverse moves the rendered word.
        back = cv2.invertAffineTransform(np.asarray(warp, np.float64))
        moved = back[:, :2] @ matrix
        x, y = back[:, :2] @ np.array(pen) + back[:, 2]
        tried = laid(word, moved, (float(x), float(y)), size)
        if _small(np.asarray(warp)) and (now := fitted_scan(tried, dark, scan))[1] < error:
            matrix, pen, coverage, (scan, error) = moved, (float(x), float(y)), tried, now
    scan, error = fitted_scan(coverage, dark, scan)
    found_at = pen[0] / shrink, pen[1] / shrink
    made = scan.of(coverage)
    best = correlation(dark, made)
    edges = np.hypot(np.diff(coverage, axis=0)[:, :-1], np.diff(coverage, axis=1)[:-1]).sum()
    em = float(np.hypot(*matrix[:, 1]))
    spread = float(made.sum() - coverage.sum()) / max(float(edges) * em, 1e-6)
    scan = replace(scan, blur=scan.blur / shrink)
    return Fit(face, spacing, matrix / shrink, found_at, best, scan, error, spread)


def _small(warp: Matrix) -> bool:
    """Check that the map scales and shears no more than an initial guess can be wrong."""
    linear = warp[:, :2] - np.eye(2)
    return bool(
        np.abs(np.diag(linear)).max() < 0.25
        and abs(linear[0, 1]) < 0.35
        and abs(linear[1, 0]) < 0.05
    )
