"""A value's style is that of its words and of those around it; what no face explains has none."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.style.rendering import Dark, blurred_by, drawn, laid
from presidio_cdip.imaging.style.sheet import INKY, Sheet
from presidio_cdip.imaging.style.styles import LEAST, StyleBook, matched, strength_of
from presidio_cdip.imaging.words import Box, Word

from ..drawing import PROSE, scribbled, shipped, typeset

FORM = [(40, 60, "Name of registrant:"), (40, 110, "Edelman, D. J.")]


def book(image: Image.Image, words: list[Word]) -> StyleBook:
    """The styles of such a page."""
    return StyleBook(Sheet.of(image), words, [word.line for word in words], faces())


@pytest.mark.parametrize("name", ["typewriter-prime", "serif-times", "sans-swiss"])
def test_value_is_set_as_it_was(name: str) -> None:
    """Family, size, baseline and the darkness of the ink are the original's."""
    image, words = typeset(FORM, name, 30.0, paper=240, ink=60)
    styles = book(image, words)

    style = styles.style([3])

    assert style is not None
    assert style.fit.face.family == shipped(name).family
    assert style.fit.em == pytest.approx(30, rel=0.04)
    assert style.fit.pen == pytest.approx((40, 110), abs=1)
    assert style.fit.correlation > 0.9
    assert style.strength > 0.9
    assert [fit is not None for fit in style.words] == [True]


def fine(image: Image.Image, name: str = "serif-school", em: float = 30.0) -> Dark:
    """The coverage of the form on a grid three times finer than the page."""
    dark = np.zeros((3 * image.height, 3 * image.width), np.float32)
    for left, baseline, text in FORM:
        line = drawn(shipped(name).file, text)
        dark += laid(line, np.diag([em, em]), (left, baseline), image.size, 3)
    return dark


def printed(soft: bool) -> tuple[Image.Image, list[Word]]:
    """The form from a laser printer, which knows black and white alone; or blurred and grey."""
    image, words = typeset(FORM, "serif-school", 30.0)
    dark = fine(image)
    dark = blurred_by(dark, 4.0) if soft else (dark > 0.5).astype(np.float32)
    small = dark.reshape(image.height, 3, image.width, 3).mean(axis=(1, 3))
    light = 240 + np.random.default_rng(0).normal(0, 1.5, small.shape)
    return Image.fromarray((light - 190 * small).clip(0, 255).round().astype(np.uint8)), words


def test_sharp_print_is_thresholded_finer_than_the_page() -> None:
    """Its edges have grey pixels in one row alone; those of a soft scan are not taken for such."""
    sharp, soft = (book(*printed(way)).style([3, 4, 5]) for way in (False, True))

    assert sharp is not None and soft is not None
    assert sharp.scan.finer > 1
    assert soft.scan.finer == 1 or soft.scan.blur > sharp.scan.blur


def test_a_bilevel_scan_that_was_reduced_is_imitated_as_such() -> None:
    """The page is black and white made smaller by Pillow: grey at edges alone, and even ink."""
    image, words = typeset(FORM, "serif-school", 14.0)
    dark = fine(image, em=14.0)
    bilevel = Image.fromarray(np.where(dark > 0.45, 0, 255).astype(np.uint8))
    page = bilevel.resize(image.size, Image.Resampling.BICUBIC)

    style = book(page, words).style([3, 4, 5])

    assert style is not None
    assert style.scan.cubic
    assert style.texture.deviation < 0.02


@pytest.mark.parametrize(
    "name", ["sans-swiss", "sans-swiss-bold", "serif-times", "serif-times-bold"]
)
def test_weight_is_that_of_the_face(name: str) -> None:
    """A bold face does not pass for a regular one by eroding its strokes, nor the reverse."""
    image, words = typeset(FORM, name, 13.0)

    style = book(image, words).style([3, 4, 5])

    assert style is not None
    assert style.fit.face.weight == shipped(name).weight
    assert abs(style.fit.spread) < 0.03


def test_words_of_a_value_have_one_style() -> None:
    """Each word has its own place, and all one face."""
    image, words = typeset(FORM, "serif-school", 30.0)

    style = book(image, words).style([3, 4, 5])

    assert style is not None
    assert len(style.words) == 3
    assert {fit.face for fit in style.words if fit} == {style.fit.face}


def test_lines_of_a_hand_are_scanned_alike() -> None:
    """None is bolder or rougher than another, though each alone may look best in another way."""
    rng = np.random.default_rng(0)
    image, words = printed(soft=False)
    pixels = np.asarray(image) + rng.normal(0, 12, (image.height, image.width))
    styles = book(Image.fromarray(pixels.clip(0, 255).astype(np.uint8)), words)
    styles.choose_styles([[[number]] for number in (1, 2, 3)])

    found = [style.scan for number in (1, 2, 3) if (style := styles.style([number]))]

    assert len(found) == 3
    assert len({(scan.finer, scan.cubic, scan.bleed, scan.blur) for scan in found}) == 1


def test_word_is_fitted_again_from_its_hands_size_and_spacing() -> None:
    """Larger letters set closer fill the same width: alone, a word may be taken for such."""
    image, words = typeset(FORM, "serif-times", 30.0)
    styles = book(image, words)
    own = next(fit for fit in styles.fits(2) if fit.face == shipped("serif-times"))
    large = replace(own, matrix=own.matrix * 1.13, spacing=-0.07)
    styles._fits[2] = [large]

    styles.choose_styles([[[0], [2], [3]]])
    style = styles.style([2])

    assert style is not None
    assert style.fit.face == own.face
    assert style.fit.em == pytest.approx(30, rel=0.03)
    assert style.fit.spacing == pytest.approx(0, abs=0.02)


def test_lines_of_a_hand_have_one_size() -> None:
    """One that alone looks a little higher, as a broken stroke makes it, gets that of all."""
    texts = ["Edelman", "Carpenter", "Kilmarnock", "Duluth", "Hermitage", "Married", "F"]
    placed = [(40, 60 + 50 * row, text) for row, text in enumerate(texts)]
    image, words = typeset(placed, "typewriter-prime", 30.0, (400, 400))
    styles = book(image, words)
    own = next(fit for fit in styles.fits(2) if fit.face == shipped("typewriter-prime"))
    styles._fits[2] = [replace(own, matrix=own.matrix * [[1], [1.06]])]

    styles.choose_styles([[[number]] for number in range(len(words))])
    found = [styles.style([number]) for number in range(len(words))]

    assert len({style.fit.em for style in found if style}) == 1
    assert None not in found


def test_a_line_with_a_dash_is_not_tiny() -> None:
    """A word of a few pixels' height says nothing of the others on its line."""
    image, words = typeset([(40, 60, "Edelman - Hillman")])

    assert words[1].box.height < 6
    assert book(image, words).style([0, 1, 2]) is not None


def test_short_word_is_sized_by_its_neighbours() -> None:
    """The size of a letter and a dot is taken from the words beside them."""
    image, words = typeset([(40, 60, "Name of registrant: D. Edelman")], "serif-times", 30.0)

    style = book(image, words).style([3])

    assert words[3].text == "D."
    assert style is not None
    assert style.fit.face.family == "serif"
    assert style.fit.em == pytest.approx(30, rel=0.04)


def test_handwriting_has_no_style() -> None:
    """No face comes near a stroke of the pen, so nothing is claimed."""
    image, words = typeset(FORM[:1])
    image.paste(scribbled(), (400, 80))
    pen = Word("Smith", Box(402, 82, 518, 118), 40.0, line=1)
    styles = book(image, [*words, pen])

    assert styles.style([3]) is None
    assert max(fit.correlation for fit in styles.fits(3)) < LEAST


def test_tiny_word_has_no_style() -> None:
    """Below six pixels typefaces cannot be distinguished."""
    image, words = typeset([(40, 60, "registrant")], em=6.0)

    assert words[0].box.height < 8
    flat = Word("none", words[0].box._replace(bottom=words[0].box.top + 5))
    assert book(image, [flat]).style([0]) is None


def test_blank_paper_has_no_style() -> None:
    """A word that OCR made up is in no face."""
    image, _ = typeset([])

    assert book(image, [Word("Smith", Box(40, 40, 140, 70), 90.0)]).style([0]) is None


def test_words_are_measured_once() -> None:
    """The second who asks gets the same fits, on the page's own pixels."""
    image, words = typeset(FORM)
    styles = book(image, words)

    assert styles.fits(0) is styles.fits(0)
    assert styles.fits(2)[0].pen[0] == pytest.approx(words[2].box.left, abs=3)


def test_toned_ink_has_the_tones_of_the_page() -> None:
    """Grey ink comes out grey: the brightness of the original's pixels, not full black."""
    image, words = typeset(
        [*FORM, (40, 150, "BLACK BLACK BLACK BLACK BLACK")], size=(700, 180), ink=40
    )
    pixels = np.asarray(image).astype(float)
    pixels[85:125] = 236 - (236 - pixels[85:125]) * 0.6
    styles = book(Image.fromarray(pixels.astype(np.uint8)), words)

    faint, full = styles.style([3]), styles.style([6])

    assert faint and full
    assert faint.strength == pytest.approx(0.6, abs=0.1)
    solid = np.ones((3, 3), np.float32)
    assert faint.toned(solid).max() < 0.75 < full.toned(solid).max()


@given(st.integers(0, 2**32 - 1))
def test_curve_gives_one_distribution_another(seed: int) -> None:
    """It rises from 0 to 1, and what was made gets the quantiles of what was seen."""
    rng = np.random.default_rng(seed)
    made, seen = rng.beta(2, 5, 900).astype(np.float32), rng.beta(1, 2, 700).astype(np.float32)

    curve = matched(made, seen)
    toned = np.interp(made, *curve)

    assert curve.shape[0] == 2
    assert (np.diff(curve[0]) >= 0).all() and (np.diff(curve[1]) >= -1e-6).all()
    assert curve[0, 0] == 0 and curve[0, -1] == 1
    shares = np.linspace(0.05, 0.95, 10)
    assert np.quantile(toned, shares) == pytest.approx(np.quantile(seen, shares), abs=0.02)


def test_curve_of_two_tones_leaves_ink() -> None:
    """Though the drawing is blacker than the page, its blackest is painted."""
    made, seen = ((np.arange(100) < black).astype(np.float32) for black in (30, 25))

    curve = matched(made, seen)

    assert np.interp(1.0, *curve) == 1 and np.interp(0.0, *curve) == 0


def test_curve_of_flat_tones_is_no_trouble() -> None:
    """A word of one tone, and a page of one tone."""
    zero, half = np.zeros(50, np.float32), np.full(50, 0.5, np.float32)

    for made in (zero, half):
        for seen in (zero, half):
            assert np.isfinite(np.interp([0, 0.5, 1], *matched(made, seen))).all()


def test_strength_is_that_of_the_ink() -> None:
    """How much paper is around does not count; without ink it is full."""
    dark = np.zeros((20, 20), np.float32)
    assert strength_of(dark) == 1

    dark[5:8, 5:15] = 0.6

    assert strength_of(dark) == pytest.approx(0.6)
    assert INKY < 0.6


@pytest.mark.slow
def test_dark_page_keeps_its_typeface() -> None:
    """Ink that spread makes no word bold: the widths of words know better than a few pixels."""
    image, words = typeset(PROSE, "serif-times", 26.0, (800, 200))
    spread = Image.fromarray(cv2.erode(np.asarray(image), np.ones((4, 4), np.uint8)))
    words = [replace(word, box=word.box.grown(1, 1)) for word in words]
    styles = book(spread, words)

    found = [styles.style([number]) for number in range(2, len(words), 3)]

    assert {style.fit.face.name for style in found if style} == {"serif-times"}
    assert None not in found


def test_size_is_that_of_the_words_around() -> None:
    """One word that is measured wrong does not stand out: the median of its line is taken."""
    image, words = typeset([(40, 60, "Wm. Edelman of the Hillman estate")], "serif-times", 30.0)
    styles = book(image, words)

    sizes = [styles.style([number]).fit.matrix[0, 0] for number in (1, 4, 5)]  # type: ignore[union-attr]

    assert sizes == pytest.approx([30, 30, 30], rel=0.012)


def test_lone_word_is_sized_by_other_lines() -> None:
    """A value alone on its line has neighbours, though its line tells nothing of its face."""
    image, words = typeset([*PROSE[:2], (40, 160, "Edelman")], "serif-times", 26.0, (800, 200))
    lone = len(words) - 1
    box = words[lone].box
    words[lone] = replace(words[lone], box=box._replace(right=box.right + 1))

    style = book(image, words).style([lone])

    assert style is not None
    assert style.fit.face.name == "serif-times"
    assert style.fit.matrix[0, 0] == pytest.approx(26, rel=0.012)


def test_dust_does_not_hide_a_typeface() -> None:
    """Specks above a word that OCR took into its box make it neither taller nor another face."""
    image, words = typeset([(60, 70, "841-8787 housing")], size=(500, 160))
    pixels = np.array(image)
    high = words[0].box.top - 10
    for x in (70, 84, 90):
        pixels[high : high + 3, x : x + 3] = 30
    dusty = [replace(words[0], box=words[0].box._replace(top=high)), words[1]]

    style = book(Image.fromarray(pixels), dusty).style([0])

    assert style is not None
    assert style.fit.correlation > 0.9
    assert style.fit.em == pytest.approx(28, rel=0.04)
