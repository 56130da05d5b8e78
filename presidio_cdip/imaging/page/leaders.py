"""Find dotted lines: leaders, and the lines of forms that are rows of dots."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

_DOTS = 8  # minimum count of dots in a row
_FINEST = 150  # a dot is at most this fraction of the page's width, in both directions
_SPACED = 1.3, 8.0  # distance of the dots, from centre to centre, in sizes of a dot
_REGULAR = 0.2  # maximum deviation of a distance from a multiple of the usual one
_HIDDEN = 25  # maximum count of missing dots, as behind what was filled in
_LIKE = 0.5  # minimum size of a dot, relative to the usual one of its row; less is a speck
_ALONE = 0.3  # maximum share of dots with another dot above or below: more are a raster

Ink = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Leader:
    """Hold a dotted line.

    Attributes:
        dots: ``(dots, 2)``, x and y of their centres, in pixels, from left to right.
        pitch: Their usual distance.
        size: Their usual width.
    """

    dots: NDArray[np.float64]
    pitch: float
    size: float

    def hidden(self, ink: NDArray[np.bool_]) -> Iterator[tuple[float, float]]:
        """Yield the centres of missing dots: between others, and next to the ends.

        Args:
            ink: The mask of what may hide a dot; elsewhere none is missing.
        """

        def hides(x: float, y: float) -> bool:
            row, column = round(y), round(x)
            inside = 0 <= row < ink.shape[0] and 0 <= column < ink.shape[1]
            return inside and bool(ink[row, column])

        for one, other in pairwise(self.dots):
            times = round(float(other[0] - one[0]) / self.pitch)
            for at in range(1, times):
                x, y = one + (other - one) * at / times
                if hides(x, y):
                    yield float(x), float(y)
        for (x, y), step in ((self.dots[0], -self.pitch), (self.dots[-1], self.pitch)):
            x += step
            while hides(x, y):
                yield float(x), float(y)
                x += step


@dataclass(frozen=True, slots=True, eq=False)
class Leaders:
    """Hold the dotted lines of a page.

    Attributes:
        mask: 255 at the dots, else 0.
        lines: The lines.
    """

    mask: Ink
    lines: tuple[Leader, ...]


def leaders_of(ink: Ink) -> Leaders:
    """Return the dotted lines of a page.

    Args:
        ink: The page, not 0 where there is ink; its lines are level.
    """
    mask = np.zeros_like(ink)
    count, labels, stats, means = cv2.connectedComponentsWithStats(ink, connectivity=8)
    centres = np.asarray(means, np.float64)
    most = max(3, ink.shape[1] // _FINEST)
    _, _, wide, high, _ = stats.T
    small = (wide <= most) & (high <= most)
    small[0] = False
    numbers = np.flatnonzero(small)
    if len(numbers) < _DOTS:
        return Leaders(mask, ())
    kept = np.zeros(count, np.bool_)
    lines = []
    for row in _rows(numbers, centres, high):
        usual = float(np.median(np.sort(wide[row])[-_DOTS:]))  # there may be more specks than dots
        dots = numbers[wide[numbers] >= _LIKE * usual]
        row = [at for at in row if wide[at] >= _LIKE * usual]
        for chain, pitch in _chains(row, centres, wide):
            if _is_line(chain, centres[dots], centres):
                kept[chain] = True
                lines.append(Leader(centres[chain], pitch, float(np.median(wide[chain]))))
    mask[kept[labels]] = 255
    return Leaders(mask, tuple(lines))


def _rows(
    numbers: NDArray[np.intp], centres: NDArray[np.float64], high: NDArray[np.int32]
) -> list[list[int]]:
    """Group dots whose centres are in one row; each row from left to right."""
    ordered = sorted(map(int, numbers), key=lambda at: centres[at, 1])
    rows = [ordered[:1]]
    for one, other in pairwise(ordered):
        if centres[other, 1] - centres[one, 1] > max(0.5, 0.25 * high[other]):
            rows.append([])
        rows[-1].append(other)
    return [sorted(row, key=lambda at: centres[at, 0]) for row in rows if len(row) >= _DOTS]


def _chains(
    row: list[int], centres: NDArray[np.float64], wide: NDArray[np.int32]
) -> list[tuple[list[int], float]]:
    """Split a row where the distance of two dots is no multiple of the usual one.

    Returns:
        The pieces, with that distance.
    """
    steps = np.diff(centres[row, 0])
    size = float(np.median(wide[row]))
    usable = steps[(steps >= _SPACED[0] * size) & (steps <= _SPACED[1] * size)]
    if len(usable) < _DOTS - 1:
        return []
    pitch = float(np.median(usable))
    chains = [row[:1]]
    for step, number in zip(steps, row[1:], strict=True):
        times = step / pitch
        if not 0.5 < times < _HIDDEN or abs(times - round(times)) > _REGULAR:
            chains.append([])
        chains[-1].append(number)
    return [(chain, pitch) for chain in chains if len(chain) >= _DOTS]


def _is_line(chain: list[int], dots: NDArray[np.float64], centres: NDArray[np.float64]) -> bool:
    """Check that there are hardly any dots close above and below, as in a raster."""
    across, down = centres[chain].T
    pitch = float(np.median(np.diff(across)))
    near = dots[np.abs(dots[:, 1] - np.median(down)) < 2.5 * pitch]
    near = near[np.abs(near[:, 1] - np.median(down)) > 0.3 * pitch]
    if not len(near):
        return True
    close = np.abs(near[:, 0][None, :] - across[:, None]).min(axis=1) < pitch
    return bool(close.mean() <= _ALONE)
