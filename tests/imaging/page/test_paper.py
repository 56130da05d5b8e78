"""An erased place is filled with paper like the paper around it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_cdip.imaging.page.paper import METHODS, Mask, Pixels, resampled
from presidio_cdip.imaging.style.rendering import blurred_by

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
    """In grey and in colour, all other pixels and the caller's array are unchanged."""
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
    """A hole in plain white is filled with white, in plain black with black."""
    pixels, ink = page()
    gone = hole(ink.shape)

    assert (METHODS[method](pixels, gone, ink, RNG(0))[gone] == level).all()


@pytest.mark.parametrize("period", [3, 4, 7])
def test_dots_of_a_raster_stay_in_step(period: int) -> None:
    """A shaded cell of a page of black and white has no seam where a value stood."""
    raster = np.full((150, 300), 245, np.uint8)
    raster[::period, ::period] = 90
    pixels, gone = raster.copy(), hole((150, 300))
    pixels[gone] = 30

    filled = resampled(pixels, gone, np.where(gone, 255, 0).astype(np.uint8), RNG(0))

    assert np.abs(filled.astype(int) - raster).max() <= 2


@pytest.mark.parametrize("coarse", [0.0, 1.5])
def test_filled_paper_is_like_that_around(coarse: float) -> None:
    """The filling has the paper's brightness, grain and coarseness of grain, and no ink."""
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
    """Nearly all runs of four pixels in the hole also occur elsewhere on the page."""
    pixels = RNG(5).integers(180, 205, (150, 250)).astype(np.uint8)
    gone = np.zeros((150, 250), np.bool_)
    gone[60:84, 100:210] = True

    filled = resampled(pixels, gone, np.zeros((150, 250), np.uint8), RNG(3)).astype(int)

    def rows_of_four(part: Any) -> list[tuple[int, ...]]:
        """By their differences: pieces may come to lie in other light."""
        steps = np.diff(part.astype(int), axis=1)
        fours = np.lib.stride_tricks.sliding_window_view(steps, 3, axis=1)
        return [tuple(one) for one in fours.reshape(-1, 3).tolist()]

    known = set(rows_of_four(pixels[:60])) | set(rows_of_four(pixels[84:]))
    known |= set(rows_of_four(pixels[:, :100])) | set(rows_of_four(pixels[:, 210:]))
    inside = rows_of_four(filled[60:84, 100:210])
    assert sum(one in known for one in inside) > 0.9 * len(inside)


def test_moved_paper_takes_the_light_of_its_place() -> None:
    """On a page that is darker below, filled paper is as bright as that beside it."""
    noise = RNG(1).normal(0, 2, (400, 600))
    pixels = (240 - np.arange(400)[:, None] / 8 + noise).round().astype(np.uint8)
    gone = np.zeros(pixels.shape, np.bool_)
    gone[190:215, 200:400] = True

    filled = resampled(pixels, gone, np.zeros(pixels.shape, np.uint8), RNG(2)).astype(float)

    for top in (190, 202):
        rows = np.s_[top : top + 13]
        beside = pixels[rows, :200].mean()
        assert filled[rows, 200:400].mean() == pytest.approx(beside, abs=0.7)


def test_shaded_band_beside_a_line_is_no_light() -> None:
    """A bar of grey above the hole does not make the paper in it grey."""
    pixels = RNG(1).normal(250, 1, (400, 600)).round().clip(0, 255).astype(np.uint8)
    pixels[150:185] = 205
    gone = np.zeros(pixels.shape, np.bool_)
    gone[190:215, 200:400] = True

    filled = resampled(pixels, gone, np.zeros(pixels.shape, np.uint8), RNG(2)).astype(float)

    assert filled[190:215, 200:400].mean() > 243


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0, 0.6), st.integers(1, 40), st.integers(1, 40))
def test_no_ink_comes_in(seed: int, share: float, height: int, width: int) -> None:
    """However much is written around, only paper is moved, or nothing if there is no paper."""
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
    """A hole of no pixels leaves the page unchanged."""
    pixels, ink = page()

    assert (METHODS[method](pixels, np.zeros(ink.shape, np.bool_), ink, RNG(0)) == pixels).all()


def test_chance_is_handed_in() -> None:
    """The same seed gives the same paper, another one other paper."""
    pixels, ink = page()
    gone = hole(ink.shape)

    one, again, other = (resampled(pixels, gone, ink, RNG(seed)) for seed in (1, 1, 2))

    assert (one == again).all() and (one != other).any()
