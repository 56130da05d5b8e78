"""Augraphy's noise is drawn by our chance, and its absence is said."""

import random
import sys

import numpy as np
import pytest

from presidio_cdip.errors import MissingDependency
from presidio_cdip.imaging.painting.augraphy_noise import augraphy, mottled
from presidio_cdip.imaging.style.rendering import Dark, drawn, laid

from ..drawing import SCANNER, shipped


def word(size: tuple[int, int] = (140, 50)) -> Dark:
    """The darkness of a word."""
    text = drawn(shipped("serif-times").file, "Edelman")
    return SCANNER.of(laid(text, np.diag([30.0, 30.0]), (10, 35), size))


def library() -> None:
    """Skip where it is not installed."""
    try:
        augraphy()
    except MissingDependency:
        pytest.skip("augraphy is not installed: pip install -e .[augraphy]")


def test_missing_library_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra that brings it; exit code 4."""
    monkeypatch.setitem(sys.modules, "augraphy", None)

    with pytest.raises(MissingDependency, match=r"presidio-cdip\[augraphy\]") as missing:
        augraphy()

    assert missing.value.exit_code == 4


@pytest.mark.parametrize("size", [(140, 50), (9, 7)])
def test_word_is_mottled(size: tuple[int, int]) -> None:
    """Its size stays, its ink changes, and nothing leaves [0, 1]; small ones do not fail."""
    library()
    dark = word(size)

    noisy = mottled(dark, np.random.default_rng(3))

    assert noisy.shape == dark.shape
    assert noisy.dtype == np.float32
    assert noisy.min() >= 0 and noisy.max() <= 1
    if size == (140, 50):
        assert (noisy != dark).any()
        assert noisy.sum() == pytest.approx(dark.sum(), rel=0.5)


def test_chance_is_ours() -> None:
    """The same seed gives the same noise, and nobody else's chance is touched."""
    library()
    dark = word()
    random.seed(1)
    np.random.seed(1)
    expected = random.random(), np.random.random()
    random.seed(1)
    np.random.seed(1)

    one, again, other = (mottled(dark, np.random.default_rng(seed)) for seed in (1, 1, 2))

    assert (random.random(), np.random.random()) == expected
    assert (one == again).all() and (one != other).any()
