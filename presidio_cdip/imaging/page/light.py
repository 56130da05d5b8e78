"""Estimate the illumination: the brightness of the paper across a page."""

import cv2
import numpy as np
from numpy.typing import NDArray

COARSER = 4
"""Downscaling factor of the illumination map; brightness changes slowly."""

_LEAST = 0.03  # minimum share of paper in the averaged square


def light(
    pixels: NDArray[np.uint8], paper: NDArray[np.bool_], side: float
) -> NDArray[np.float32] | None:
    """Return the mean brightness of the paper around each place, downscaled by `COARSER`.

    Args:
        pixels: ``(rows, columns)`` or ``(rows, columns, channels)``.
        paper: The mask of paper pixels.
        side: Side of the averaged square, in pixels. If too little of the square is paper, the mean
            of all paper is used.

    Returns:
        The shape of *pixels* divided by `COARSER`; None if no pixel is paper.
    """
    if not paper.any():
        return None
    among = paper if pixels.ndim == 2 else paper[:, :, None]
    size = tuple(max(1, length // COARSER) for length in paper.shape[::-1])
    square = (max(1, round(side / COARSER)) | 1,) * 2
    share, sums = (
        cv2.boxFilter(
            cv2.resize(whole, size, interpolation=cv2.INTER_AREA),
            -1,
            square,
            borderType=cv2.BORDER_REFLECT,
        )
        for whole in (paper.astype(np.float32), (pixels * among).astype(np.float32))
    )
    share = np.maximum(share, 1e-4)
    found = sums / (share if pixels.ndim == 2 else share[:, :, None])
    found[share < _LEAST] = pixels[paper].mean(axis=0)
    return np.asarray(found, np.float32)
