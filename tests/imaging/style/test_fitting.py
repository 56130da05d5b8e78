"""A word drawn in a known face, size and place is recognised as that."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.style.fitting import (
    TALLEST,
    correlation,
    fits,
    fitted_like,
    ink_box,
)
from presidio_cdip.imaging.style.rendering import Dark, Matrix, drawn, laid

from ..drawing import SCANNER, shipped

PEN = (14.3, 41.6)


def scanned(
    name: str, text: str, matrix: Matrix, spacing: float = 0.0, pen: tuple[float, float] = PEN
) -> Dark:
    """A word as a scanner shows it, with paper around it."""
    word = drawn(shipped(name).file, text, spacing)
    width = round(matrix[0, 0] * word.ink[2] + 2 * pen[0])
    return SCANNER.of(laid(word, matrix, pen, (width, round(pen[1] + 0.5 * matrix[1, 1]))))


@pytest.mark.parametrize("em", [22.0, 29.5, 44.0])
@pytest.mark.parametrize(
    "name", ["typewriter-prime", "typewriter-cursor", "serif-times", "serif-school", "sans-swiss"]
)
def test_word_is_recognised(name: str, em: float) -> None:
    """Its family, its em within 4 %, its pen within a pixel; larger ones are shrunk and agree."""
    dark = scanned(name, "Edelman", np.diag([em, em]))

    best = fits(dark, "Edelman", faces())[0]

    assert best.face.family == shipped(name).family
    assert best.em == pytest.approx(em, rel=0.04)
    assert best.pen == pytest.approx(PEN, abs=1)
    assert best.stretch == pytest.approx(1, abs=0.05)
    assert best.correlation > 0.97
    assert (dark.shape[0] > TALLEST) == (em > 1)


@pytest.mark.parametrize(
    "name", ["serif-times", "serif-times-bold", "serif-times-italic", "sans-swiss-bold"]
)
def test_weight_and_slant_are_distinguished(name: str) -> None:
    """Bold is not taken for regular, nor italic for upright."""
    best = fits(scanned(name, "Registrant", np.diag([32.0, 32.0])), "Registrant", faces())[0]

    wanted = shipped(name)
    assert (best.face.weight, best.face.slant) == (wanted.weight, wanted.slant)


@pytest.mark.parametrize("em", [22.0, 44.0])
def test_a_fit_is_searched_near_anothers(em: float) -> None:
    """It keeps that one's face and spacing, and finds the word's own place and size."""
    like = fits(scanned("sans-swiss", "Smith", np.diag([em, em])), "Smith", faces())[0]
    dark = scanned("sans-swiss", "Registrant", np.diag([em, em]))

    found = fitted_like(dark, "Registrant", replace(like, matrix=like.matrix * 1.06, spacing=0.0))

    assert found is not None
    assert (found.face, found.spacing) == (like.face, 0.0)
    assert found.em == pytest.approx(em, rel=0.04)
    assert found.pen == pytest.approx(PEN, abs=1)


def test_blank_paper_is_not_fitted_like_another() -> None:
    """There is nothing to align."""
    like = fits(scanned("sans-swiss", "Smith", np.diag([30.0, 30.0])), "Smith", faces())[0]

    assert fitted_like(np.zeros((40, 90), np.float32), "Smith", like) is None


def test_one_fit_a_face_and_the_best_first() -> None:
    """What is left unexplained grows down the list."""
    found = fits(scanned("sans-swiss", "Smith", np.diag([30.0, 30.0])), "Smith", faces())

    assert len({fit.face for fit in found}) == len(found) > 2
    assert [fit.error for fit in found] == sorted(fit.error for fit in found)


def test_spread_letters_are_seen() -> None:
    """A spaced word is a spaced word, and no wide face."""
    matrix = np.diag([28.0, 28.0])

    best = fits(scanned("typewriter-prime", "SMITH", matrix, 0.15), "SMITH", faces())[0]

    assert best.face.family == "typewriter"
    advance = drawn(best.face.file, "SMITH", best.spacing).advance * best.matrix[0, 0]
    own = drawn(shipped("typewriter-prime").file, "SMITH", 0.15).advance * 28
    assert advance == pytest.approx(own, rel=0.04)


@pytest.mark.parametrize("slope", [0.03, -0.03])
def test_sloping_word_is_followed(slope: float) -> None:
    """The map's line climbs as the page's does."""
    matrix = np.array([[30.0, 0.0], [30.0 * slope, 30.0]])

    best = fits(scanned("serif-times", "Washington", matrix), "Washington", faces(), slope)[0]

    assert best.face.family == "serif"
    assert best.matrix[1, 0] / best.matrix[0, 0] == pytest.approx(slope, abs=0.01)
    assert best.pen == pytest.approx(PEN, abs=1)


def test_nothing_is_found_where_nothing_is() -> None:
    """Blank paper, and a text of blanks, have no fit."""
    dark = scanned("serif-times", "Smith", np.diag([30.0, 30.0]))

    assert fits(np.zeros((40, 90), np.float32), "Smith", faces()) == []
    assert fits(dark, " ", faces()) == []
    assert fits(dark, "Smith", []) == []


def test_other_words_fit_worse() -> None:
    """What the word does not say explains it less."""
    dark = scanned("serif-times", "Edelman", np.diag([30.0, 30.0]))

    assert fits(dark, "Edelman", faces())[0].error < 0.5 * fits(dark, "Brunner", faces())[0].error


@given(st.integers(0, 2**32 - 1), st.floats(0.1, 5), st.floats(-1, 1))
def test_correlation_does_not_see_brightness(seed: int, scale: float, shift: float) -> None:
    """Lighter or fainter is the same likeness; its negative is the opposite."""
    one = np.random.default_rng(seed).random((6, 7), np.float32)

    assert correlation(one, one * np.float32(scale) + np.float32(shift)) == pytest.approx(
        1, abs=1e-4
    )
    assert correlation(one, -one) == pytest.approx(-1, abs=1e-4)
    assert correlation(one, np.ones_like(one)) == 0


def test_ink_box_is_that_of_the_dark() -> None:
    """Left, top, right and bottom, the latter two outside; None on paper."""
    dark = np.zeros((20, 30), np.float32)
    assert ink_box(dark) is None

    dark[4:9, 7:21] = 0.5
    dark[0, 0] = 0.2

    assert ink_box(dark) == (7, 4, 21, 9)
