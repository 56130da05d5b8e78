"""Painting a surrogate: where its letters go, and how dark each pixel becomes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.style.fitting import Fit
from presidio_cdip.imaging.style.rendering import Dark, Drawn, drawn, grain, laid
from presidio_cdip.imaging.style.styles import Style, pieces
from presidio_cdip.imaging.words import Box

NOISES = ("fitted", "augraphy", "none")

_TIGHTEST = 0.06  # em units by which letters may be moved together, or apart, to fit a space


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """A text in ink.

    Attributes:
        dark: The darkness to lay onto the page.
        box: Which part of the page it is of.
    """

    dark: Dark
    box: Box


def width_of(style: Style, text: str, spacing: float | None = None) -> float:
    """Pixels from the left edge of the first letter to the right edge of the last."""
    fit = style.fit
    word = _drawn(style, text, spacing)
    return float(np.hypot(*fit.matrix[:, 0])) * (word.ink[2] - word.ink[0])


def spacing_for(style: Style, text: str, width: float) -> float:
    """The spacing at which *text* is *width* pixels wide, or as near to it as looks natural."""
    own = style.fit.spacing
    if len(text) < 2:
        return own
    em = float(np.hypot(*style.fit.matrix[:, 0]))
    wanted = own + (width - width_of(style, text)) / em / (len(text) - 1)
    return float(np.clip(wanted, own - _TIGHTEST, own + _TIGHTEST))


def piece_ratio(style: Style, text: str, spacing: float | None = None) -> float:
    """In how many pieces *text* comes out, of those that it has where nothing touches."""
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
    """*text* in *style*.

    Args:
        style: How the original was set.
        text: One line.
        pen: Where on the page the pen begins, on the baseline.
        size: Width and height of the page.
        rng: Draws the grain of the ink.
        spacing: In em units; the style's own, if None.
        noise: ``none``: neither grain nor the original's tones; any other: both.
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
    """The part of the page that the ink touches, with what *blur* adds."""
    left, top, right, bottom = ink
    corners: NDArray[np.float64] = np.array([(x, y) for x in (left, right) for y in (top, bottom)])
    points = corners @ fit.matrix.T + np.array(pen)
    more = int(np.ceil(3 * blur)) + 1
    low, high = np.floor(points.min(axis=0)).astype(int), np.ceil(points.max(axis=0)).astype(int)
    return Box(
        int(low[0]) - more, int(low[1]) - more, int(high[0]) + more, int(high[1]) + more
    ).clipped(size)
