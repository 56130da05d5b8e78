"""How bright paper is from place to place."""

import cv2
import numpy as np
from numpy.typing import NDArray

COARSER = 4
"""Times, in which brightness is averaged: it changes slowly."""

_LEAST = 0.03  # of a square, that must be paper for it to tell


def light(
    pixels: NDArray[np.uint8], paper: NDArray[np.bool_], side: float
) -> NDArray[np.float32] | None:
    """The mean brightness of paper around each place, `COARSER` times coarser than *pixels*.

    Args:
        pixels: ``(rows, columns)`` or ``(rows, columns, channels)``.
        paper: Which of them count.
        side: Of the square that is averaged, in pixels; where too little of it is paper, the mean
            of all paper stands.

    Returns:
        Of the shape of *pixels* but for what it is coarser by; None where there is no paper at all.
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
