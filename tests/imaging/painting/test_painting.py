"""A surrogate's letters are as wide, as dark and as grainy as the style says."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_cdip.imaging.painting.painting import Painted, painted, spacing_for, width_of
from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.style.fitting import ink_box
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.style.styles import Style, StyleBook

from ..drawing import typeset

SIZE = (700, 160)


@lru_cache
def style(name: str = "serif-times") -> Style:
    """That of a word on a page in the face."""
    image, words = typeset([(40, 60, "Edelman")], name, 30.0)
    found = StyleBook(Sheet.of(image), words, [0], faces()).style([0])
    assert found
    return found


def paint(text: str = "Norwood", pen: tuple[float, float] = (90.5, 80.2), **how: object) -> Painted:
    """The text in that style."""
    return painted(style(), text, pen, SIZE, np.random.default_rng(4), **how)  # type: ignore[arg-type]


def test_original_is_as_wide_as_it_was() -> None:
    """A word repainted in its own measured style has its original width, within two pixels."""
    _, words = typeset([(40, 60, "Edelman")], "serif-times", 30.0)

    assert width_of(style(), "Edelman") == pytest.approx(words[0].box.width, abs=2)


@pytest.mark.parametrize("text", ["Norwood", "J", "11/02/1950"])
def test_width_is_that_of_the_ink(text: str) -> None:
    """From the first letter's left edge to the last one's right, as it comes out."""
    ink = ink_box(paint(text, noise="none").dark)

    assert ink is not None
    assert ink[2] - ink[0] == pytest.approx(width_of(style(), text), abs=1.5)


@pytest.mark.parametrize("share", [0.98, 0.995, 1.0, 1.02])
def test_spacing_makes_a_text_fit(share: float) -> None:
    """A width slightly larger or smaller than the text's own is reached to the pixel."""
    wanted = share * width_of(style(), "Washington Square")

    spacing = spacing_for(style(), "Washington Square", wanted)

    assert width_of(style(), "Washington Square", spacing) == pytest.approx(wanted, abs=0.5)


@pytest.mark.parametrize("width", [1.0, 5000.0])
def test_spacing_stays_natural(width: float) -> None:
    """Letters are not pulled apart, nor pushed over one another, for any space."""
    own = style().fit.spacing

    assert abs(spacing_for(style(), "Norwood", width) - own) <= 0.1


@pytest.mark.parametrize("text", ["", "J"])
def test_one_letter_is_not_spaced(text: str) -> None:
    """A single letter has no gaps to widen."""
    assert spacing_for(style(), text, 90.0) == style().fit.spacing


def test_text_stands_on_its_pen() -> None:
    """Its left edge and its feet are where they were asked for, within a pixel."""
    one = paint("IHIH", noise="none")

    ink = ink_box(one.dark)
    assert ink is not None
    assert one.box.left + ink[0] == pytest.approx(91, abs=2)
    assert one.box.top + ink[3] == pytest.approx(80.2, abs=1.2)


@settings(max_examples=25, deadline=None)
@given(st.text("ghijQJ/,", min_size=1, max_size=6), st.floats(40, 400), st.floats(60, 100))
def test_box_holds_all_the_ink(text: str, x: float, y: float) -> None:
    """No letter is cut at the box's edge, and the box lies on the page."""
    one = paint(text, (x, y), noise="none")

    assert one.dark.shape == (one.box.height, one.box.width)
    assert one.box == one.box.clipped(SIZE)
    edge = np.concatenate([one.dark[0], one.dark[-1], one.dark[:, 0], one.dark[:, -1]])
    assert edge.max() < 0.1


@pytest.mark.parametrize("pen", [(-500.0, 80.0), (90.0, 900.0), (5000.0, -90.0)])
def test_text_off_the_page_is_nothing(pen: tuple[float, float]) -> None:
    """No ink, and a box of no area."""
    one = paint(pen=pen)

    assert one.dark.size == 0
    assert one.box.width < 1 or one.box.height < 1


def test_text_at_the_edge_is_cut_there() -> None:
    """What is on the page is as it would be on a larger one."""
    whole, cut = paint(pen=(560.0, 80.0), noise="none"), paint(pen=(640.0, 80.0), noise="none")

    assert whole.box.right < 700 == cut.box.right
    assert np.abs(whole.dark[:, : cut.box.width] - cut.dark)[:, :-5].max() < 0.05


@pytest.mark.parametrize("blank", ["", "  "])
def test_blank_is_painted_as_nothing(blank: str) -> None:
    """A text of blanks paints no ink."""
    assert not (paint(blank, noise="none").dark > 0.02).any()


def test_noise_is_drawn_by_chance_and_none_is_not() -> None:
    """The same seed gives the same ink, another one another; without noise there is no chance."""

    def ink(seed: int, noise: str) -> bytes:
        rng, uneven = np.random.default_rng(seed), replace(style(), grain=1.0)
        return painted(uneven, "Norwood", (90, 80), SIZE, rng, noise=noise).dark.tobytes()

    assert ink(1, "fitted") == ink(1, "fitted") != ink(2, "fitted")
    assert ink(1, "none") == ink(2, "none") != ink(1, "fitted")


@pytest.mark.parametrize("noise", ["fitted", "none"])
def test_ink_is_as_dark_as_the_originals(noise: str) -> None:
    """Repainted, the original has its tones, and covers as much of the page."""
    image, words = typeset([(40, 60, "Edelman")], "serif-times", 30.0)
    seen, _ = Sheet.of(image).word(words[0].box, 7)

    made = painted(style(), "Edelman", style().fit.pen, SIZE, np.random.default_rng(0), noise=noise)

    assert made.dark.sum() == pytest.approx(seen.sum(), rel=0.06)
    dark, ours = seen[seen > 0.33], made.dark[made.dark > 0.33]
    assert np.percentile(ours, [50, 90]) == pytest.approx(np.percentile(dark, [50, 90]), abs=0.08)
