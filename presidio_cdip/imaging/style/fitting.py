"""Style by analysis by synthesis: which face, size, spacing and slant explain a word's pixels.

The word that OCR read is drawn in every face, laid over its own ink, and what comes closest is
kept (notes on the method: Baird and Nagy, *A Self-Correcting 100-Font Classifier*, 1994, for the
idea of reading a document's own type; Evangelidis and Psarakis, *Parametric Image Alignment Using
Enhanced Correlation Coefficient Maximization*, PAMI 2008, for the alignment).
"""

from collections.abc import Collection, Sequence
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
"""Pixels of a crop's height that are compared; what is larger is shrunk first."""

_MOST_SPACING = 0.35  # em units between letters
_ASPECT = 0.35  # what a face loses for being stretched by e
_RIVALLED = 0.02  # how much less like the word what is aligned after all may be
_FILTERED = 5  # pixels of the blur under which drawing and word are aligned
_ECC = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How a word was drawn, as far as its pixels tell.

    Attributes:
        face: The face.
        spacing: Added after each letter, in em units.
        matrix: From em units to pixels of the page.
        pen: Where on the page the pen began, on the baseline.
        correlation: Normalised, of the drawing with the word, in [-1, 1].
        scan: What makes the drawing most like the word.
        error: What is left then.
    """

    face: Face
    spacing: float
    matrix: Matrix
    pen: tuple[float, float]
    correlation: float
    scan: Scan
    error: float

    @property
    def em(self) -> float:
        """Pixels of the page that an em is high."""
        return float(np.hypot(*self.matrix[:, 1]))

    @property
    def stretch(self) -> float:
        """How much wider than high an em is."""
        return float(np.hypot(*self.matrix[:, 0])) / self.em


def correlation(one: Dark, other: Dark) -> float:
    """The normalised cross-correlation of two arrays of one shape; 0 where one is flat."""
    a, b = one - one.mean(), other - other.mean()
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / norm if norm > 1e-6 else 0.0


def ink_box(dark: Dark) -> tuple[int, int, int, int] | None:
    """left, top, right and bottom of what is darker than a third; None where nothing is."""
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
    unspaced: Collection[Face] = (),
    rival: Face | None = None,
) -> list[Fit]:
    """The best fits of *text* to the word in *dark*, one a face, the best first.

    Args:
        dark: The word's darkness, other words' ink and rules left out, with some paper around it.
        text: What it reads.
        faces: Those to try.
        slope: Of its line, pixels down for a pixel to the right.
        most: How many of them, the likeliest, are aligned.
        shortlist: Names those of *faces* that are drawn at all; without it all are.
        unspaced: Those whose letters are no further apart, or nearer, than the face has them.
        rival: One that was tried before: what is less like the word than it is left out.

    Returns:
        None at all where there is no ink, or the text has none.
    """
    shrink = min(1.0, TALLEST / dark.shape[0])
    small = dark if shrink == 1 else _shrunk(dark, shrink)
    if slope:
        shear = np.array([[1, 0, 0], [-slope, 1, slope * small.shape[1] / 2]])
        level = cv2.warpAffine(small, shear, small.shape[::-1]).astype(np.float32)
    else:
        level = small
    box = ink_box(level)
    if box is None or not text.strip():
        return []
    if shortlist:
        left, top, right, bottom = box
        likely = shortlist.likeliest(level[top:bottom, left:right])
        named = [face for face in faces if face in likely]
        faces = named if named or rival else faces

    def like(face: Face) -> tuple[float, float]:
        return _resemblance(level, box, text, face, face not in unspaced)

    least = like(rival)[0] - _RIVALLED if rival else -1.0
    ranked = sorted(((*like(face), face) for face in faces), key=lambda one: -one[0])
    found = []
    for score, spacing, face in ranked[:most]:
        if score < least:
            break
        matrix, pen = _start(drawn(face.file, text, spacing), box)
        if slope:
            pen = (pen[0], pen[1] + slope * (pen[0] - small.shape[1] / 2))
            matrix = np.array([[1, 0], [slope, 1]]) @ matrix
        found.append(_refined(small, text, face, spacing, matrix, pen, shrink))
    return sorted(found, key=lambda fit: fit.error)


def _shrunk(dark: Dark, by: float) -> Dark:
    size = max(1, round(dark.shape[1] * by)), max(1, round(dark.shape[0] * by))
    return cv2.resize(dark, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _resemblance(
    dark: Dark, box: tuple[int, int, int, int], text: str, face: Face, spaced: bool
) -> tuple[float, float]:
    """How like the word the face's drawing is when it is stretched over its ink; its spacing."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    word = blurred_by(dark[top:bottom, left:right], 0.5)
    plain = drawn(face.file, text)
    found = (_likeness(word, plain) - _ASPECT * _stretched(plain, width, height), 0.0)
    if spaced and len(text) > 1:
        wide, high = plain.ink[2] - plain.ink[0], plain.ink[3] - plain.ink[1]
        spacing = round((width / height * high - wide) / (len(text) - 1), 2)
        if 0.005 < abs(spacing) <= _MOST_SPACING:
            spread = drawn(face.file, text, spacing)
            score = _likeness(word, spread) - _ASPECT * min(0.06, abs(spacing))
            found = max(found, (score, spacing))
    return found


def _stretched(text: Drawn, width: int, height: int) -> float:
    """How far the drawing's proportions are from the box's, beyond what a pixel more may do."""
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
    """The map that lays the drawing's ink over *box*, and where its pen begins."""
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
    """The fit from this start, aligned by correlation, in pixels of the page."""
    word = drawn(face.file, text, spacing)
    size = dark.shape[1], dark.shape[0]
    coverage = laid(word, matrix, pen, size)
    scan, error = fitted_scan(coverage, dark)
    with suppress(cv2.error):  # it may not converge: the start stands
        _, warp = cv2.findTransformECC(
            dark,
            scan.of(coverage),
            np.eye(2, 3, dtype=np.float32),
            cv2.MOTION_AFFINE,
            _ECC,
            np.ones(dark.shape, np.uint8),
            _FILTERED,
        )
        # A point of the page was seen where `warp` takes it: the drawing goes back.
        back = cv2.invertAffineTransform(np.asarray(warp, np.float64))
        moved = back[:, :2] @ matrix
        x, y = back[:, :2] @ np.array(pen) + back[:, 2]
        tried = laid(word, moved, (float(x), float(y)), size)
        if _small(np.asarray(warp)) and (now := fitted_scan(tried, dark, scan))[1] < error:
            matrix, pen, coverage, (scan, error) = moved, (float(x), float(y)), tried, now
    scan, error = fitted_scan(coverage, dark, scan)
    found_at = pen[0] / shrink, pen[1] / shrink
    best = correlation(dark, scan.of(coverage))
    scan = replace(scan, blur=scan.blur / shrink)
    return Fit(face, spacing, matrix / shrink, found_at, best, scan, error)


def _small(warp: Matrix) -> bool:
    """Whether the map moves and stretches no more than a first guess can be wrong by."""
    linear = warp[:, :2] - np.eye(2)
    return bool(
        np.abs(np.diag(linear)).max() < 0.25
        and abs(linear[0, 1]) < 0.35
        and abs(linear[1, 0]) < 0.05
    )
