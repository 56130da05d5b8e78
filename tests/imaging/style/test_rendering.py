"""Text lies where the map and the pen put it, and scans as a scanner says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from presidio_cdip.imaging.style.fitting import ink_box
from presidio_cdip.imaging.style.rendering import (
    DRAWN,
    Scan,
    Texture,
    blurred_by,
    drawn,
    fitted_scan,
    grain,
    laid,
)

from ..drawing import SCANNER, shipped

SERIF, TYPEWRITER = shipped("serif-times").file, shipped("typewriter-prime").file
SIZE = (300, 90)


def test_pens_tell_where_each_letter_begins() -> None:
    """On a typewriter in equal steps, and a part of a word stands where the whole has it."""
    word = drawn(TYPEWRITER, "Smith")
    part = drawn(SERIF, "Avery").pens[2]

    assert np.diff(word.pens) == pytest.approx([word.advance / 5] * 5)
    assert word.pens[0] == 0.0
    assert part == drawn(SERIF, "Av").advance


def test_spacing_is_added_after_each_letter() -> None:
    """So many em units a letter, and fewer where it is negative."""
    plain = drawn(SERIF, "Smith").advance

    assert drawn(SERIF, "Smith", 0.1).advance == pytest.approx(plain + 0.5)
    assert drawn(SERIF, "Smith", -0.1).advance == pytest.approx(plain - 0.5)


@pytest.mark.parametrize("text", ["", " ", "   "])
def test_blanks_have_no_ink(text: str) -> None:
    """Blanks have their advance width, and nothing is drawn."""
    word = drawn(TYPEWRITER, text)

    assert word.ink == (0, 0, 0, 0)
    assert not word.pixels.any()
    assert word.advance == pytest.approx(0.6 * len(text), abs=0.02)


@pytest.mark.parametrize("text", ["gypsum", "ÅÉ", "j", "W", "/", "John Smith"])
def test_border_is_paper(text: str) -> None:
    """No letter is cut, even if it extends beyond its own advance."""
    pixels = drawn(shipped("serif-times-italic").file, text).pixels

    assert not pixels[[0, -1]].any() and not pixels[:, [0, -1]].any()


@settings(max_examples=30, deadline=None)
@given(st.floats(12, 50), st.floats(20, 60), st.floats(45, 65))
def test_ink_lies_where_it_was_laid(em: float, x: float, y: float) -> None:
    """Within a pixel of what pen, em and the drawing's own edges say."""
    word = drawn(SERIF, "Smith")

    page = laid(word, np.diag([em, em]), (x, y), SIZE)

    assert page.shape == SIZE[::-1]
    assert page.min() >= 0 and page.max() <= 1
    left, top, right, bottom = word.ink
    wanted = (x + left * em, y + top * em, x + right * em, y + bottom * em)
    assert ink_box(page) == pytest.approx(wanted, abs=1.2)


def test_finer_coverage_is_the_same_ink() -> None:
    """Laid on a finer grid and averaged, a word is where and what it is on the page's own."""
    word, matrix = drawn(SERIF, "Smith"), np.diag([30.0, 30.0])

    page = laid(word, matrix, (20.3, 60.6), SIZE)
    fine = laid(word, matrix, (20.3, 60.6), SIZE, 3)

    assert fine.shape == (3 * SIZE[1], 3 * SIZE[0])
    averaged = fine.reshape(SIZE[1], 3, SIZE[0], 3).mean(axis=(1, 3))
    assert np.abs(averaged - page).mean() < 0.02 * page.mean() + 1e-3
    assert Scan(0.3, 0.5, 12, 3).of(fine).shape == page.shape


@pytest.mark.parametrize("em", [10, 24, 41.5, 64, 90])
def test_no_ink_is_lost_on_the_way(em: float) -> None:
    """The darkness of the whole grows with the square of the size."""
    word = drawn(SERIF, "Smith")

    page = laid(word, np.diag([em, em]), (20, 100), (400, 130))

    assert page.sum() == pytest.approx(word.pixels.sum() / 255 * (em / DRAWN) ** 2, rel=0.02)


def test_slant_leans_and_slope_climbs() -> None:
    """The map may be any: its first column is the line, its second the upright."""
    word, pen = drawn(SERIF, "IIIIIIIIIII"), (40.0, 60.0)

    sloping = laid(word, np.array([[30.0, 0.0], [3.0, 30.0]]), pen, SIZE)
    leaning = laid(word, np.array([[30.0, -9.0], [0.0, 30.0]]), pen, SIZE)

    columns = np.flatnonzero(sloping.max(axis=0) > 0.5)
    feet = [int(np.flatnonzero(sloping[:, x] > 0.5)[-1]) for x in (columns[2], columns[-3])]
    assert feet[1] - feet[0] == pytest.approx((columns[-3] - columns[2]) / 10, abs=1.5)
    tops, bottoms = leaning[41:44].max(axis=0), leaning[56:59].max(axis=0)
    assert np.flatnonzero(tops > 0.5)[0] - np.flatnonzero(bottoms > 0.5)[0] > 2


def test_text_off_the_page_is_no_trouble() -> None:
    """Nothing is drawn."""
    assert not laid(drawn(SERIF, "x"), np.diag([20.0, 20.0]), (5000, -70), (40, 40)).any()


@given(st.floats(0, 2), st.floats(0.1, 0.7), st.floats(0.5, 6))
def test_scan_stays_between_paper_and_ink(blur: float, threshold: float, gain: float) -> None:
    """More coverage is never less dark, and nothing leaves [0, 1]."""
    ramp = np.tile(np.linspace(0, 1, 40, dtype=np.float32), (12, 1))

    dark = Scan(blur, threshold, gain).of(ramp)

    assert dark.dtype == np.float32
    assert dark.min() >= 0 and dark.max() <= 1
    assert (np.diff(dark, axis=1) >= -1e-6).all()


def test_noise_comes_before_the_threshold() -> None:
    """It moves edges, and full ink stays full."""
    page = np.zeros((20, 40), np.float32)
    page[:, :20] = 1
    noise = np.full(page.shape, 0.2, np.float32)

    plain, noisy = SCANNER.of(page), SCANNER.of(page, noise)

    assert (noisy >= plain).all() and noisy[10, 20] > plain[10, 20]
    assert noisy[10, 5] == 1


@pytest.mark.parametrize(
    "scan", [Scan(0.5, 0.45, 2.0), Scan(1.3, 0.35, 1.0), Scan(0.7, 0.55, 3.0), Scan(0.3, 0.25, 1.4)]
)
def test_scanner_is_recovered(scan: Scan) -> None:
    """The scan model is recovered from a known drawing and its scan."""
    coverage = laid(drawn(TYPEWRITER, "Smith"), np.diag([28.0, 28.0]), (20, 60), (140, 90))
    seen = scan.of(coverage)

    found, error = fitted_scan(coverage, seen)
    _, near = fitted_scan(coverage, seen, found)

    assert error < 0.001 and near <= error + 1e-9
    assert np.abs(found.of(coverage) - seen).mean() < 0.01
    assert found.blur == pytest.approx(scan.blur, rel=0.25)


def test_blur_spreads_and_loses_nothing() -> None:
    """The sum stays; none at all gives the same pixels."""
    page = np.zeros((41, 41), np.float32)
    page[20, 20] = 1

    assert blurred_by(page, 0) is page
    assert blurred_by(page, 2).sum() == pytest.approx(1, abs=1e-4)
    assert blurred_by(page, 2)[20, 20] < 0.1


def test_grain_is_in_the_ink_alone() -> None:
    """Paper has none, and the same chance gives the same."""
    coverage = laid(drawn(SERIF, "Smith"), np.diag([40.0, 40.0]), (10, 50), (140, 70))

    one, again, other = (grain(coverage, np.random.default_rng(seed)) for seed in (1, 1, 2))

    assert not one[coverage <= 0.02].any()
    assert 0.03 < one[coverage > 0.5].std() < 0.15
    assert (one == again).all() and (one != other).any()


def test_a_reduced_bilevel_scan_is_drawn_with_its_grey_levels() -> None:
    """With ``cubic`` the model is what Pillow makes of a black and white page that it reduces."""
    size, finer = (160, 40), 3
    word = drawn(SERIF, "Registrant")
    fine = laid(word, np.diag([24.0, 24.0]), (8.3, 28.6), size, finer)
    page = Image.fromarray(np.where(fine > 0.5, 0, 255).astype(np.uint8))
    reduced = np.asarray(page.resize(size, Image.Resampling.BICUBIC))

    dark = Scan(0.0, 0.5, 1e6, finer, cubic=True).of(fine)

    assert np.abs((1 - dark) * 255 - reduced).max() < 1
    averaged = Scan(0.0, 0.5, 1e6, finer).of(fine)
    assert np.abs((1 - averaged) * 255 - reduced).max() > 20


def test_texture_is_what_the_scan_does_not_explain() -> None:
    """Unevenness that ink has already is not added to it a second time."""
    texture = Texture(0.13, 1.0)

    beyond = texture.beyond(Texture(0.05, 0.4))

    assert beyond.deviation == pytest.approx(0.12)
    assert beyond.grain == 1.0
    assert texture.beyond(Texture(0.2, 0.4)).is_even
