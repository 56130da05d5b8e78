"""Render text in a typeface, map it to a page, and apply a model of the scanner.

Coverage and darkness are float32 arrays in [0, 1]: 0 is paper, 1 is ink.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Dark = NDArray[np.float32]
"""Rows of darkness."""

Matrix = NDArray[np.float64]
"""2 x 2: from em units to pixels of a page."""

DRAWN = 64
"""Pixels per em in which text is rendered before it is mapped to a page."""

_BORDER = 8


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Hold a text rendered in a typeface.

    Attributes:
        pixels: ``(rows, columns)``, its coverage, in [0, 255], with an empty border.
        left: The column of *pixels* at the pen's start.
        baseline: The row of *pixels* of the baseline.
        pens: The pen position before each character, and after the last, in em units.
        ink: left, top, right and bottom of the ink, in em units from the start of the baseline.
    """

    pixels: NDArray[np.uint8]
    left: int
    baseline: int
    pens: tuple[float, ...]
    ink: tuple[float, float, float, float]

    @property
    def advance(self) -> float:
        """Return the advance width of the text, in em units."""
        return self.pens[-1]


@lru_cache(maxsize=64)
def _font(file: Path) -> ImageFont.FreeTypeFont:
    # Basic layout without kerning, as on typewriters: parts of a word must have the same positions
    # as in the whole word.
    return ImageFont.truetype(str(file), DRAWN, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=65536)
def _advance(font: ImageFont.FreeTypeFont, character: str) -> float:
    return float(font.getlength(character))


@lru_cache(maxsize=16384)
def _glyph(
    font: ImageFont.FreeTypeFont, character: str, quarter: int
) -> tuple[NDArray[np.uint8], int, int]:
    """Render a character, shifted right by *quarter* quarters of a pixel.

    Returns:
        Its coverage, in [0, 255]; and its left column and top row, relative to pen and baseline.
    """
    box = font.getbbox(character, anchor="ls")
    left, top = int(np.floor(box[0])) - 1, int(np.floor(box[1])) - 1
    width, height = int(np.ceil(box[2])) - left + 2, int(np.ceil(box[3])) - top + 2
    image = Image.new("L", (max(1, width), max(1, height)), 0)
    pen = quarter / 4 - left, -top
    ImageDraw.Draw(image).text(pen, character, fill=255, font=font, anchor="ls")
    x, y, *_ = inked = image.getbbox() or (0, 0, 0, 0)
    return np.asarray(image.crop(inked)), left + x, top + y


@lru_cache(maxsize=4096)
def drawn(file: Path, text: str, spacing: float = 0.0, between: float = 0.0) -> Drawn:
    """Render *text* in the font *file*.

    Args:
        file: The font.
        text: One line.
        spacing: Added after every character, in em units; may be negative.
        between: Added to every space between words, in em units.
    """
    font = _font(file)
    pens = [0.0]
    for character in text:
        more = spacing + between * character.isspace()
        pens.append(pens[-1] + _advance(font, character) + more * DRAWN)
    ascent, descent = font.getmetrics()
    left, baseline = _BORDER + DRAWN // 4, _BORDER + ascent
    width = max(1, round(max(pens))) + 2 * left
    whole = np.zeros((baseline + descent + _BORDER, width), np.uint8)
    rows, columns = whole.shape
    corners: list[tuple[int, int]] = []
    for character, pen in zip(text, pens, strict=False):
        full, quarter = divmod(round(4 * pen), 4)
        glyph, x, y = _glyph(font, character, quarter)
        x, y = x + left + full, y + baseline
        tall, wide = glyph.shape
        first = max(x, 0), max(y, 0)
        last = min(x + wide, columns), min(y + tall, rows)
        if last[0] <= first[0] or last[1] <= first[1]:
            continue  # a space, or beyond the edge
        under = whole[first[1] : last[1], first[0] : last[0]]
        np.maximum(under, glyph[first[1] - y : last[1] - y, first[0] - x : last[0] - x], out=under)
        corners += (first, last)
    ink = (0.0, 0.0, 0.0, 0.0)
    if corners:
        across, down = zip(*corners, strict=True)
        ink = (
            (min(across) - left) / DRAWN,
            (min(down) - baseline) / DRAWN,
            (max(across) - left) / DRAWN,
            (max(down) - baseline) / DRAWN,
        )
    return Drawn(whole, left, baseline, tuple(pen / DRAWN for pen in pens), ink)


def laid(
    text: Drawn,
    matrix: Matrix,
    pen: tuple[float, float],
    size: tuple[int, int],
    times: int = 1,
) -> Dark:
    """Return the coverage of *text* on a page.

    Args:
        text: The rendered text.
        matrix: The map from em units, y downward, to pixels of the page.
        pen: The start of the baseline, in pixels of the page.
        size: Width and height of the page.
        times: The oversampling factor of the result.
    """
    matrix, pen = matrix * times, (pen[0] * times, pen[1] * times)
    width, height = size[0] * times, size[1] * times
    em = float(np.sqrt(abs(matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0])))
    finer = max(1, min(8, round(DRAWN / max(em, 1.0))))
    # A pixel's centre lies half a pixel from its corner, in both grids.
    whole = np.zeros((2, 3))
    whole[:, :2] = matrix * (finer / DRAWN)
    origin = np.array([text.left - 0.5, text.baseline - 0.5])
    whole[:, 2] = np.array(pen) * finer - 0.5 - whole[:, :2] @ origin
    large = cv2.warpAffine(text.pixels, whole, (width * finer, height * finer))
    if finer > 1:
        large = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
    return large.astype(np.float32) / np.float32(255)


@dataclass(frozen=True, slots=True)
class Scan:
    """Model a scanner as blur and a soft threshold: ``clip((blur(c) - threshold) * gain + 0.5)``.

    It also models ink spread, contrast, erosion and dilation.

    Attributes:
        blur: Standard deviation of the Gaussian, in pixels of the page.
        threshold: The blurred coverage that results in a darkness of one half.
        gain: The slope at the threshold.
        finer: The oversampling factor; the darkness is reduced to the page's pixels afterwards.
        cubic: Whether it is reduced by a bicubic filter, and not averaged.
        bleed: Pixels of the finer grid by which ink widens strokes before the blur, so that thin
            ones do not fade.
    """

    blur: float
    threshold: float
    gain: float
    finer: int = 1
    cubic: bool = False
    bleed: int = 0

    def of(self, coverage: Dark, noise: Dark | None = None) -> Dark:
        """Return the darkness that the model gives for *coverage*, in pixels of the page.

        Args:
            coverage: Oversampled by *finer*.
            noise: Added before the threshold; of the same shape.
        """
        blurred = self.blurred(coverage)
        if noise is not None:
            blurred = blurred + noise
        dark = np.clip((blurred - self.threshold) * self.gain + 0.5, 0, 1).astype(np.float32)
        if self.finer > 1:
            size = dark.shape[1] // self.finer, dark.shape[0] // self.finer
            if self.cubic:  # of 8 bits, as scans are; OpenCV's bicubic filter skips pixels
                fine = Image.fromarray((dark * np.float32(255)).round().astype(np.uint8))
                reduced = np.asarray(fine.resize(size, Image.Resampling.BICUBIC), np.float32)
                dark = reduced / np.float32(255)
            else:
                dark = cv2.resize(dark, size, interpolation=cv2.INTER_AREA)
        return np.asarray(dark, np.float32)

    def blurred(self, coverage: Dark) -> Dark:
        """Return *coverage*, oversampled by *finer*, after bleed and blur."""
        if self.bleed:
            coverage = cv2.dilate(coverage, _ROUND, iterations=self.bleed).astype(np.float32)
        return blurred_by(coverage, self.blur * self.finer)


def blurred_by(pixels: Dark, sigma: float) -> Dark:
    """Return *pixels* filtered by a Gaussian of *sigma* pixels."""
    if sigma <= 0.05:
        return pixels
    return cv2.GaussianBlur(pixels, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE).astype(
        np.float32
    )


_ROUND = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
BLURS = (0.3, 0.5, 0.7, 0.95, 1.3)
_THRESHOLDS = np.array([0.15, 0.25, 0.35, 0.45, 0.55, 0.65], np.float32)
_GAINS = np.array([0.7, 1.0, 1.4, 2.0, 3.0, 5.0], np.float32)
_BLURRIER = np.array([0.85, 1, 1.18])
_FINER = np.array([-0.05, 0, 0.05], np.float32)
_STEEPER = np.array([0.8, 1, 1.25], np.float32)
_COMPARED, _ROUGHLY = 1600, 400  # pixels sampled by the fine and by the coarse search
_SORTED = 8  # the step at which sorted values are compared


def fitted_scan(coverage: Dark, seen: Dark, near: Scan | None = None) -> tuple[Scan, float]:
    """Return the scan model that makes *coverage* most similar to *seen*, and its error.

    The error is the mean squared difference plus half the mean absolute difference of the sorted
    values; the second term penalizes too much blur. Large words are subsampled.

    Args:
        coverage: The rendered word.
        seen: The darkness of the page at the same place.
        near: Search only near this model.
    """
    if near is None:
        near, _ = _best_scan(coverage, seen, BLURS, _THRESHOLDS, _GAINS, _ROUGHLY)
    thresholds, gains = near.threshold + _FINER, near.gain * _STEEPER
    return _best_scan(coverage, seen, near.blur * _BLURRIER, thresholds, gains, _COMPARED)


def _best_scan(
    coverage: Dark,
    seen: Dark,
    blurs: Sequence[float] | NDArray[np.float64],
    thresholds: Dark,
    gains: Dark,
    most: int,
) -> tuple[Scan, float]:
    """Search the given grid for `fitted_scan`, with about *most* pixels."""
    best: tuple[float, Scan] | None = None
    step = max(1, seen.size // most) | 1  # odd: not one column again and again
    target = seen.ravel()[::step]
    order = np.sort(target)[::_SORTED]
    steep = gains[None, :, None]
    shift = 0.5 - thresholds[:, None, None] * steep
    # Two buffers for all blurs: fresh arrays would cost as much as the arithmetic.
    ways = shift.shape[:2]
    tried, ordered = (np.empty((*ways, one.size), shift.dtype) for one in (target, order))
    for blur in blurs:
        flat = blurred_by(coverage, blur).ravel()[::step]
        np.add(flat * steep, shift, out=tried)
        tried.clip(0, 1, out=tried)
        tried -= target
        tried *= tried
        # A rising map keeps the order, so what was sorted before stays sorted.
        np.add(np.sort(flat)[::_SORTED] * steep, shift, out=ordered)
        ordered.clip(0, 1, out=ordered)
        ordered -= order
        errors = np.add.reduce(tried, axis=2) / target.size
        errors += 0.5 * (np.add.reduce(np.abs(ordered, out=ordered), axis=2) / order.size)
        row, column = np.unravel_index(int(errors.argmin()), errors.shape)
        error = float(errors[row, column])
        if best is None or error < best[0]:
            best = error, Scan(float(blur), float(thresholds[row]), float(gains[column]))
    assert best
    return best[1], best[0]


def grain(coverage: Dark, rng: np.random.Generator) -> Dark:
    """Return noise for uneven ink: fine grain plus coarse grain, where there is ink."""
    fine = rng.standard_normal(coverage.shape, np.float32) * np.float32(0.05)
    coarse = blurred_by(rng.standard_normal(coverage.shape, np.float32), 1.6)
    return (fine + np.float32(0.04) * coarse / max(float(coarse.std()), 1e-6)) * (coverage > 0.02)


@dataclass(frozen=True, slots=True)
class Texture:
    """Model the unevenness of full ink, from a ribbon, a dry pen or sensor noise.

    Attributes:
        deviation: The standard deviation, as a share of the ink's mean darkness.
        grain: The standard deviation of the Gaussian that gives white noise the same grain size,
            in pixels.
    """

    deviation: float
    grain: float

    @classmethod
    def of(cls, dark: Dark, full: NDArray[np.bool_]) -> "Texture":
        """Measure the texture of the pixels *full* of *dark*; all 0 if there are too few."""
        solid = dark[full]
        pairs = full[:, 1:] & full[:, :-1]
        mean = float(solid.mean()) if solid.size else 0.0
        if solid.size < _SOLID or mean <= 0:
            return cls(0.0, 0.0)
        # Without the lightest sixth: an inexact typeface includes light pixels.
        kept = solid[solid >= np.percentile(solid, 16)]
        alike = 0.0
        if pairs.sum() >= _SOLID:
            one, other = dark[:, 1:][pairs] - mean, dark[:, :-1][pairs] - mean
            spread = float(np.sqrt((one**2).mean() * (other**2).mean()))
            alike = float((one * other).mean() / spread) if spread > 1e-6 else 0.0
        # Of white noise through a Gaussian, neighbours correlate by exp(-1 / (4 sigma ** 2)).
        grain = float(np.sqrt(-1 / (4 * np.log(min(alike, 0.95))))) if alike > 0.05 else 0.0
        return cls(float(kept.std()) * _TRIMMED / mean, grain)

    @property
    def is_even(self) -> bool:
        """Return whether there is nothing of it to see."""
        return self.deviation < _EVEN

    def beyond(self, other: "Texture") -> "Texture":
        """Return what this texture varies ink by beyond *other*, which the ink has already."""
        more = max(0.0, self.deviation**2 - other.deviation**2)
        return Texture(more**0.5, self.grain)

    def on(self, dark: Dark, rng: np.random.Generator) -> Dark:
        """Return *dark* with this texture added."""
        return self.with_patches(dark, self.patches(dark.shape, rng))

    def patches(self, shape: tuple[int, ...], rng: np.random.Generator) -> Dark | None:
        """Return noise of deviation 1 with the texture's grain size; None for even ink."""
        if self.is_even or 0 in shape:
            return None
        patches = blurred_by(rng.standard_normal(shape, np.float32), self.grain)
        return patches / np.float32(max(float(patches.std()), 1e-6))

    def with_patches(self, dark: Dark, patches: Dark | None) -> Dark:
        """Return *dark* with this texture added, which varies it by *patches*."""
        if patches is None:
            return dark
        return np.asarray(np.clip(dark * (1 + self.deviation * patches), 0, 1), np.float32)


_TRIMMED = 1.26  # ratio of a Gaussian's deviation to that without its lowest sixth
_SOLID = 24  # pixels needed to measure texture
_EVEN = 0.003
