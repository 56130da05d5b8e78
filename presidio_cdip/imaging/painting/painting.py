"""Render a surrogate in a measured style: its width, letter spacing and pixels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.style.fitting import Fit
from presidio_cdip.imaging.style.rendering import Dark, Drawn, drawn, grain, laid
from presidio_cdip.imaging.style.styles import Style, pieces
from presidio_cdip.imaging.words import Box

NOISES = ("fitted", "augraphy", "none")

_TIGHTEST = 0.06  # em units: the maximum change of the letter spacing


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """Hold a rendered text.

    Attributes:
        dark: The darkness to blend with the page.
        box: Its position on the page.
    """

    dark: Dark
    box: Box


def width_of(style: Style, text: str, spacing: float | None = None) -> float:
    """Return the pixels from the left edge of the first letter to the right edge of the last."""
    fit = style.fit
    word = _drawn(style, text, spacing)
    return float(np.hypot(*fit.matrix[:, 0])) * (word.ink[2] - word.ink[0])


def spacing_for(style: Style, text: str, width: float) -> float:
    """Return the letter spacing that makes *text* *width* pixels wide, within natural limits."""
    own = style.fit.spacing
    if len(text) < 2:
        return own
    em = float(np.hypot(*style.fit.matrix[:, 0]))
    wanted = own + (width - width_of(style, text)) / em / (len(text) - 1)
    return float(np.clip(wanted, own - _TIGHTEST, own + _TIGHTEST))


def piece_ratio(style: Style, text: str, spacing: float | None = None) -> float:
    """Return the connected components of the rendered *text*, as a share of those of its glyphs.

    It is below 1 where letters touch each other, and above 1 where strokes are broken.
    """
    fit, word = style.fit, _drawn(style, text, spacing)
    left, top, right, bottom = word.ink
    more = 3 + 3 * style.scan.blur
    x, y = fit.em * fit.stretch, fit.em
    size = int((right - left) * x + 2 * more) + 1, int((bottom - top) * y + 2 * more) + 1
    matrix, pen = np.diag([x, y]), (more - left * x, more - top * y)
    coverage = laid(word, matrix, pen, size)
    fine = laid(word, matrix, pen, size, style.scan.finer) if style.scan.finer > 1 else coverage
    dark = style.toned(style.scan.of(fine))
    return max(1, pieces(dark, float(style.tones[1, -1]))) / max(1, pieces(coverage))


def painted(
    style: Style,
    text: str,
    pen: tuple[float, float],
    size: tuple[int, int],
    rng: np.random.Generator,
    spacing: float | None = None,
    noise: str = "fitted",
) -> Painted:
    """Render *text* in *style*.

    Args:
        style: The style of the original.
        text: One line.
        pen: The start of the baseline, in pixels of the page.
        size: Width and height of the page.
        rng: Draws the grain of the ink.
        spacing: Letter spacing in em units; the style's own, if None.
        noise: ``none`` for neither grain nor the original's tones; any other value for both.
    """
    fit = style.fit
    word = _drawn(style, text, spacing)
    box = _around(word.ink, fit, pen, size, style.scan.blur)
    if box.width < 1 or box.height < 1:
        return Painted(np.zeros((0, 0), np.float32), box)
    scan, at = style.scan, (pen[0] - box.left, pen[1] - box.top)
    coverage = laid(word, fit.matrix, at, (box.width, box.height), scan.finer)
    if noise == "none":
        return Painted(scan.of(coverage) * np.float32(style.strength), box)
    dark = scan.of(coverage, grain(coverage, rng) * np.float32(style.grain))
    return Painted(style.texture.on(style.toned(dark), rng), box)


def _drawn(style: Style, text: str, spacing: float | None) -> Drawn:
    fit = style.fit
    return drawn(fit.face.file, text, fit.spacing if spacing is None else spacing, style.between)


def _around(
    ink: tuple[float, float, float, float],
    fit: Fit,
    pen: tuple[float, float],
    size: tuple[int, int],
    blur: float,
) -> Box:
    """Return the bounding box of the ink on the page, including the margin for *blur*."""
    left, top, right, bottom = ink
    corners: NDArray[np.float64] = np.array([(x, y) for x in (left, right) for y in (top, bottom)])
    points = corners @ fit.matrix.T + np.array(pen)
    more = int(np.ceil(3 * blur)) + 1
    low, high = np.floor(points.min(axis=0)).astype(int), np.ceil(points.max(axis=0)).astype(int)
    return Box(
        int(low[0]) - more, int(low[1]) - more, int(high[0]) + more, int(high[1]) + more
    ).clipped(size)
