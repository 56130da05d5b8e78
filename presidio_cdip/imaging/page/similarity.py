"""Measure the similarity of a page to the original, without a model of its own."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]

_WINDOW, _SIGMA = 11, 1.5  # Wang et al.'s
_TINY = 32  # pixels a side
_OF_EDGES = (128, 16, 8, 9)  # side, block, cell and bins of the oriented gradients
_RING = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))


class Similarity(NamedTuple):
    """The similarity of two pages, 1 for equal ones.

    Attributes:
        ssim: Mean structural similarity (Wang et al., IEEE TIP 2004), Gaussian window of 11 pixels.
        descriptor: Cosine of two descriptors: 32 x 32 grey pixels, histograms of oriented gradients
            (Dalal and Triggs, CVPR 2005) and of local binary patterns (Ojala et al., PAMI 2002),
            each of length 1.
    """

    ssim: float
    descriptor: float

    def as_json(self) -> dict[str, float]:
        """Return the figures as a JSON object."""
        return {name: round(value, 4) for name, value in self._asdict().items()}


def similarity(one: Grey, other: Grey) -> Similarity:
    """Compare two pages of the same size.

    Raises:
        ValueError: They have different sizes.
    """
    if one.shape != other.shape:
        raise ValueError(f"pages of different sizes: {one.shape} and {other.shape}")
    first, second = descriptor(one), descriptor(other)
    return Similarity(ssim(one, other), float(first @ second / 3))


def ssim(one: Grey, other: Grey) -> float:
    """Return the mean structural similarity, in [-1, 1]."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    first, second = _smooth(a), _smooth(b)
    joint = _smooth(a * b) - first * second
    spreads = _smooth(a * a) - first**2 + _smooth(b * b) - second**2
    light, contrast = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    top = (2 * first * second + light) * (2 * joint + contrast)
    return float(np.mean(top / ((first**2 + second**2 + light) * (spreads + contrast))))


def descriptor(page: Grey) -> NDArray[np.float32]:
    """Return the three parts of the descriptor, each of length 1."""
    side, block, cell, bins = _OF_EDGES
    tiny = cv2.resize(page, (_TINY, _TINY), interpolation=cv2.INTER_AREA)
    small = cv2.resize(page, (side, side), interpolation=cv2.INTER_AREA).astype(np.uint8)
    gradients = cv2.HOGDescriptor(
        (side, side), (block, block), (cell, cell), (cell, cell), bins
    ).compute(small)
    parts = (255 - tiny.astype(np.float32), gradients, _patterns(page))
    return np.concatenate([_unit(np.asarray(part)) for part in parts]).astype(np.float32)


def _patterns(page: Grey) -> NDArray[np.float32]:
    """Return the histogram of the 256 local binary patterns, 8 neighbours at radius 1."""
    rows, columns = page.shape
    middle = page[1:-1, 1:-1]
    codes = np.zeros(middle.shape, np.uint8)
    for bit, (down, right) in enumerate(_RING):
        ring = page[down : down + rows - 2, right : right + columns - 2]
        codes |= (ring > middle).astype(np.uint8) << np.uint8(bit)
    return np.sqrt(np.bincount(codes.ravel(), minlength=256)).astype(np.float32)


def _unit(part: NDArray[np.float32]) -> NDArray[np.float32]:
    flat = part.ravel().astype(np.float32)
    length = float(np.linalg.norm(flat))
    # Two blank parts are equal.
    unit = flat / length if length > 0 else np.full_like(flat, flat.size**-0.5)
    return unit.astype(np.float32)


def _smooth(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    return cv2.GaussianBlur(pixels, (_WINDOW, _WINDOW), _SIGMA).astype(np.float32)
