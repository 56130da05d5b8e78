"""Add the noise of Larson et al. (EMNLP 2024) by Augraphy, for comparison; extra ``augraphy``."""

import random
import warnings
from threading import Lock
from typing import Any

import cv2
import numpy as np

from presidio_cdip.errors import MissingDependency
from presidio_cdip.imaging.style.rendering import Dark

_MOST_TURNED = 1.0  # degrees
_LOCK = Lock()
_SMALLEST = 24  # pixels; its effects fail on less


def augraphy() -> Any:
    """Import and return the library.

    Raises:
        MissingDependency: Augraphy is not installed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import augraphy as library
    except ImportError:
        raise MissingDependency(
            "the Python package augraphy", 'pip install "presidio-cdip[augraphy]"'
        ) from None
    return library


def mottled(dark: Dark, rng: np.random.Generator) -> Dark:
    """Return *dark* after InkMottling, LowInkRandomLines and a small rotation.

    Augraphy uses the global random generators. They are seeded from *rng* and restored afterwards,
    under a lock.
    """
    library = augraphy()
    with _LOCK:
        return _mottled(library, dark, rng)


def _mottled(library: Any, dark: Dark, rng: np.random.Generator) -> Dark:
    seed = int(rng.integers(1 << 32))
    kept, numbers = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        height, width = dark.shape
        down, across = max(0, _SMALLEST - height), max(0, _SMALLEST - width)
        page = np.pad(((1 - dark) * 255).astype(np.uint8), ((0, down), (0, across)), mode="edge")
        for effect in (library.InkMottling(p=1), library.LowInkRandomLines(p=1)):
            noisy = np.asarray(effect(page), np.uint8)
            page = noisy if noisy.ndim == 2 else noisy.mean(axis=2).astype(np.uint8)
    finally:
        random.setstate(kept)
        np.random.set_state(numbers)
    angle = float(rng.uniform(-_MOST_TURNED, _MOST_TURNED))
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1)
    flat = cv2.warpAffine(page[:height, :width], turn, (width, height), borderValue=255)
    return np.asarray(1 - flat / 255, np.float32)
