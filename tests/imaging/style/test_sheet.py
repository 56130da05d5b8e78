"""A page is separated into paper, ink and rules."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from presidio_cdip.imaging.style.sheet import INKY, Sheet, without_foreign_ink, without_specks
from presidio_cdip.imaging.words import Box

from ..drawing import page, typeset

LINES = [(40, 60, "Name of registrant"), (40, 110, "Daniel J. Edelman, Inc.")]


def whole(image: Image.Image) -> Box:
    """All of the page."""
    return Box(0, 0, *image.size)


def test_ink_is_dark_and_paper_is_not() -> None:
    """Between 0 and 1: full ink is near 1, paper near 0."""
    image, words = typeset(LINES)

    dark = Sheet.of(image).dark(whole(image))

    assert dark.dtype == np.float32 and dark.shape == (160, 700)
    assert dark.min() >= 0 and dark.max() <= 1
    assert np.median(dark) < 0.03 and (dark[130:] < 0.2).all()
    left, top, right, bottom = words[0].box
    assert np.percentile(dark[top:bottom, left:right], 97) > 0.9


def test_paper_may_be_brighter_on_one_side() -> None:
    """What ink hides is taken from around it: within a few grey levels of the truth."""
    image, _ = typeset(LINES, paper=255, grain=0, ink=40)
    light = np.linspace(205, 250, 700)
    shaded = Image.fromarray((np.asarray(image) / 255 * light).astype(np.uint8))

    sheet = Sheet.of(shaded)

    assert np.abs(sheet.paper(whole(image)) - light)[:, 40:-40].max() < 8
    assert (sheet.dark(whole(image))[130:, 40:-40] < 0.1).all()


def test_part_of_a_page_is_the_same_by_itself() -> None:
    """Paper and ink of a box are those of the whole page there."""
    image, _ = typeset(LINES)
    sheet, box = Sheet.of(image), Box(123, 37, 410, 111)

    at = np.s_[box.top : box.bottom, box.left : box.right]
    assert np.abs(sheet.paper(box) - sheet.paper(whole(image))[at]).max() < 0.1
    assert np.abs(sheet.dark(box) - sheet.dark(whole(image))[at]).max() < 0.01


@pytest.mark.parametrize("level", [128, 255])
def test_empty_page_is_all_paper(level: int) -> None:
    """Of whatever grey, it has no ink, no rules and no slope."""
    image = Image.new("L", (60, 40), level)

    sheet = Sheet.of(image)

    assert not sheet.dark(whole(image)).any() and not sheet.rules.any()
    assert sheet.slope == 0


def test_rules_are_no_part_of_a_word() -> None:
    """An underline and the side of a field leave the word's darkness; its letters stay."""
    image, words = typeset([(60, 70, "Edelman")])
    plain, _ = Sheet.of(image).word(words[0].box, 8)
    draw, box = ImageDraw.Draw(image), words[0].box
    draw.rectangle((20, box.bottom + 3, 600, box.bottom + 4), 40)
    draw.rectangle((box.left - 6, 10, box.left - 5, 150), 40)

    sheet = Sheet.of(image)
    dark, around = sheet.word(box, 8)

    assert sheet.rules[box.bottom + 3, 300] and sheet.rules[100, box.left - 6]
    assert around == box.grown(8, 8)
    assert (dark > INKY).sum() == pytest.approx((plain > INKY).sum(), rel=0.03)
    assert not (dark[-6:] > INKY).any() and not (dark[:, :4] > INKY).any()


@pytest.mark.parametrize("level", [40, 140])
def test_letters_on_an_underline_keep_their_feet(level: int) -> None:
    """Of an underline on which letters stand only its own rows leave the word's darkness."""
    image, words = typeset([(60, 70, "Edelman")])
    box = words[0].box
    plain, _ = Sheet.of(image).word(box, 8)
    pixels = np.array(image)
    rule = pixels[box.bottom : box.bottom + 2, 20:600]
    np.minimum(rule, level, out=rule)

    dark, _ = Sheet.of(Image.fromarray(pixels)).word(box, 8)

    foot = plain.shape[0] - 8 - 4
    assert (dark[foot:-8] > INKY).sum() > 0.8 * (plain[foot:-8] > INKY).sum()
    assert not (dark[-6:] > INKY).any()


def test_word_at_the_edge_keeps_to_the_page() -> None:
    """The margin ends where the page does."""
    image, words = typeset([(0, 20, "Edge")])

    dark, around = Sheet.of(image).word(words[0].box, 30)

    assert (around.left, around.top) == (0, 0)
    assert dark.shape == (around.height, around.width)


@pytest.mark.parametrize("degrees", [1.5, -1.5])
def test_slope_is_that_of_the_lines(degrees: float) -> None:
    """Pixels down for a pixel to the right: a page turned clockwise falls."""
    rows = [(60, 60 + 45 * row, "Name of the registrant: Daniel") for row in range(9)]
    image, _ = typeset(rows, size=(700, 500))

    sheet = Sheet.of(image.rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=236))

    assert sheet.slope == pytest.approx(np.tan(np.radians(degrees)), abs=0.005)


def test_strangers_go_and_own_blots_stay() -> None:
    """Ink of a neighbour that reaches in is removed; the word's own letters stay whole."""
    dark, own = np.zeros((30, 60), np.float32), np.zeros((30, 60), np.bool_)
    own[5:25, 20:40] = True
    dark[10:20, 22:27] = 1  # ours
    dark[12:14, 34:44] = 1  # ours, six columns of ten
    dark[22:30, 24:30] = 1  # theirs, three rows of eight
    dark[0:3, 0:9] = 1  # theirs, elsewhere

    left = without_foreign_ink(dark, own)

    assert (left[10:20, 22:27] == 1).all() and (left[12:14, 34:44] == 1).all()
    assert not left[21:].any() and not left[:4].any()


def test_without_foreign_ink_nothing_changes() -> None:
    """The pixels are the same."""
    dark = np.zeros((9, 9), np.float32)
    dark[3:6, 3:6] = 0.7

    assert without_foreign_ink(dark, np.ones((9, 9), np.bool_)) is dark


def test_box_of_a_word_may_be_empty() -> None:
    """A box without ink is read as paper."""
    dark, _ = Sheet.of(typeset(LINES)[0]).word(Box(600, 130, 620, 150), 4)

    assert (dark < 0.2).all()


def test_rules_and_lines_of_a_sloping_page() -> None:
    """Rules are found at five degrees of skew, and a line of print is not as high as its box."""
    image = page([(60, 60, "Home telephone (216) 555-0142 and others")], (1000, 300), 34)
    ImageDraw.Draw(image).line((60, 130, 940, 130), 0, 4)
    skewed = image.rotate(-5, Image.Resampling.BICUBIC, fillcolor=255)

    sheet = Sheet.of(skewed)

    ink = sheet.ink > 0
    assert 800 * 4 < (sheet.rules & ink).sum() < 1100 * 6
    whole = Box(0, 0, 1000, 300)
    rows, columns = np.nonzero(ink & ~sheet.rules)
    box = Box(*(int(end) for end in (columns.min(), rows.min(), columns.max(), rows.max())))
    line = sheet.line(box, whole)
    assert (line & ink & ~sheet.rules).sum() > 0.97 * len(rows)
    assert line.sum() < 0.6 * box.width * box.height


def test_specks_around_the_letters_are_dust() -> None:
    """They do not count as the word's ink; a hyphen between the letters does."""
    dark = np.zeros((40, 80), np.float32)
    for left in (10, 25, 50, 65):
        dark[12:30, left : left + 8] = 1
    dark[20:22, 38:44] = 1  # a hyphen
    clean = dark.copy()
    dark[3:6, 30:33] = 1
    dark[35:37, 12:14] = 1
    dark[18:20, 2:4] = 1
    dark[22:24, 76:78] = 1

    assert (without_specks(dark) == clean).all()
    assert without_specks(clean) is clean


def test_a_piece_of_an_underline_is_no_letter() -> None:
    """A flat mark below the letters goes, however large it is; one between them stays."""
    dark = np.zeros((40, 80), np.float32)
    for left in (10, 25, 50, 65):
        dark[8:28, left : left + 8] = 1
    dark[16:19, 35:48] = 1  # a dash
    clean = dark.copy()
    dark[33:36, 4:50] = 1

    assert (without_specks(dark) == clean).all()
