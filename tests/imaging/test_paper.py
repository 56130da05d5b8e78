"""Where something was, there is paper like that around it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_cdip.imaging.paper import METHODS, Mask, Pixels, resampled
from presidio_cdip.imaging.rendering import blurred_by

RNG = np.random.default_rng


def hole(shape: tuple[int, int], top: int = 60, left: int = 100) -> Mask:
    """A value's place on a page."""
    gone = np.zeros(shape, np.bool_)
    gone[top : top + 24, left : left + 110] = True
    return gone


def page(coarse: float = 0.0) -> tuple[Pixels, Any]:
    """Grainy paper, ink above, in and below the hole; and where that ink is."""
    noise = blurred_by(RNG(7).normal(0, 1, (150, 300)).astype(np.float32), coarse)
    pixels = (220 + noise / noise.std() * 6).clip(0, 255).astype(np.uint8)
    ink = np.zeros((150, 300), np.uint8)
    ink[20:40, 30:270:2] = ink[105:125, 30:270:2] = ink[66:78, 104:206:3] = 255
    pixels[ink > 0] = 30
    return pixels, ink


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("channels", [0, 3])
def test_only_the_hole_changes(method: str, channels: int) -> None:
    """In grey and in colour, every other pixel is as it was, and so is the caller's array."""
    pixels, ink = page()
    pixels = np.stack([pixels] * channels, axis=2) if channels else pixels
    before, gone = pixels.copy(), hole(ink.shape)

    filled = METHODS[method](pixels, gone, ink, RNG(0))

    assert filled.shape == pixels.shape
    assert filled.dtype == np.uint8
    assert (pixels == before).all()
    assert (filled[~gone] == before[~gone]).all()
    assert (filled[gone] != before[gone]).any()


@pytest.mark.parametrize(("method", "level"), [("white", 255), ("black", 0)])
def test_flat_is_flat(method: str, level: int) -> None:
    """White is white, black black."""
    pixels, ink = page()
    gone = hole(ink.shape)

    assert (METHODS[method](pixels, gone, ink, RNG(0))[gone] == level).all()


@pytest.mark.parametrize("coarse", [0.0, 1.5])
def test_filled_paper_is_like_that_around(coarse: float) -> None:
    """Its brightness, its grain and how coarse that is are the paper's; no ink comes in."""
    pixels, ink = page(coarse)
    gone = hole(ink.shape)

    filled = resampled(pixels, gone, ink, RNG(0))

    inside, free = filled[60:84, 100:210].astype(float), pixels[(ink == 0) & ~gone].astype(float)
    assert inside.min() >= free.min() > 150
    assert inside.mean() == pytest.approx(free.mean(), abs=1.5)
    assert inside.std() == pytest.approx(free.std(), rel=0.15)

    def coarseness(part: Any) -> float:
        return float(np.abs(np.diff(part, axis=1)).mean() / part.std())

    blank = pixels[128:, 30:270].astype(float)
    assert coarseness(inside) == pytest.approx(coarseness(blank), rel=0.2)


def test_whole_pieces_are_moved() -> None:
    """Most of the hole comes from a few places, each moved as it was."""
    down, across = np.mgrid[0:150, 0:250].astype(np.uint8)
    places = np.stack([down, across, np.zeros_like(down)], axis=2)
    gone = np.zeros((150, 250), np.bool_)
    gone[60:84, 100:210] = True

    filled = resampled(places, gone, np.zeros((150, 250), np.uint8), RNG(3)).astype(int)

    rows, columns = np.nonzero(gone)
    moved = np.stack([filled[gone][:, 0] - rows, filled[gone][:, 1] - columns], axis=1)
    _, counts = np.unique(moved, axis=0, return_counts=True)
    assert np.sort(counts)[-12:].sum() > 0.95 * gone.sum()
    assert not gone[filled[gone][:, 0], filled[gone][:, 1]].any()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0, 0.6), st.integers(1, 40), st.integers(1, 40))
def test_no_ink_comes_in(seed: int, share: float, height: int, width: int) -> None:
    """However much is written around, only paper is moved, or nothing where there is none."""
    rng = RNG(seed)
    ink = np.where(rng.random((50, 60)) < share, 255, 0).astype(np.uint8)
    pixels = np.where(ink > 0, 20, 230).astype(np.uint8)
    gone = np.zeros(ink.shape, np.bool_)
    gone[5 : 5 + height, 5 : 5 + width] = True

    filled = resampled(pixels, gone, ink, rng)

    near = np.pad(ink, 1).astype(bool)
    inked = np.max([near[y : y + 50, x : x + 60] for y in range(3) for x in range(3)], axis=0)
    if (~inked & ~gone).any():
        assert (filled[gone] == 230).all()


def test_page_without_paper_is_filled_from_its_edge() -> None:
    """Where everything around is ink, the hole is inpainted."""
    pixels, ink = np.full((40, 60), 90, np.uint8), np.full((40, 60), 255, np.uint8)
    gone = np.zeros((40, 60), np.bool_)
    gone[10:20, 10:30] = True
    pixels[gone] = 0

    assert (resampled(pixels, gone, ink, RNG(0))[gone] > 80).all()


@pytest.mark.parametrize("method", METHODS)
def test_nothing_to_fill_changes_nothing(method: str) -> None:
    """A hole of no pixels is none."""
    pixels, ink = page()

    assert (METHODS[method](pixels, np.zeros(ink.shape, np.bool_), ink, RNG(0)) == pixels).all()


def test_chance_is_handed_in() -> None:
    """The same seed gives the same paper, another one other paper."""
    pixels, ink = page()
    gone = hole(ink.shape)

    one, again, other = (resampled(pixels, gone, ink, RNG(seed)) for seed in (1, 1, 2))

    assert (one == again).all() and (one != other).any()
