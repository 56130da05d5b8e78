"""Cells are what rules enclose: no page, no frame around a form, no area with gaps in its rules."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from presidio_cdip.imaging.page.cells import cell_around, cells_of
from presidio_cdip.imaging.words import Box


def ruled(*lines: tuple[int, int, int, int], size: tuple[int, int] = (1000, 800)) -> np.ndarray:
    """The mask of rules of three pixels from one point to another each."""
    image = Image.new("L", size, 0)
    draw = ImageDraw.Draw(image)
    for line in lines:
        draw.line(line, fill=255, width=3)
    return np.asarray(image)


FORM = (
    (50, 100, 900, 100), (50, 200, 900, 200), (50, 300, 900, 300),
    (50, 100, 50, 300), (900, 100, 900, 300), (400, 100, 400, 200),
)  # fmt: skip


def test_rules_part_a_form_into_cells() -> None:
    """Two cells above, and one below them over the whole width."""
    cells = cells_of(ruled(*FORM))

    assert [round(one.width, -2) for one in sorted(cells, key=lambda one: (one.top, one.left))] == [
        300, 500, 800,
    ]  # fmt: skip


@pytest.mark.parametrize("gap", [4, 60])
def test_only_a_small_gap_in_a_rule_is_closed(gap: int) -> None:
    """Scans break rules by some pixels; where a rule ends, there is no cell."""
    mask = ruled(*FORM).copy()
    mask[140 : 140 + gap, 395:406] = 0

    assert len(cells_of(mask)) == (3 if gap == 4 else 2)


def test_a_form_may_have_no_rules_at_its_ends() -> None:
    """Its horizontal rules end below each other; lines to write on, which no rule joins, do not."""
    lines = ((50, 100, 900, 100), (50, 200, 900, 200), (50, 300, 900, 300))

    assert len(cells_of(ruled(*lines, (400, 100, 400, 200), (500, 200, 500, 300)))) == 4
    assert cells_of(ruled(*lines)) == ()


def test_frame_around_a_page_is_no_cell() -> None:
    """What is as large as a page holds paragraphs, and not one answer."""
    frame = ((20, 20, 980, 20), (20, 780, 980, 780), (20, 20, 20, 780), (980, 20, 980, 780))

    assert cells_of(ruled(*frame)) == ()
    assert cells_of(np.zeros((40, 60), np.uint8)) == ()


def test_a_word_is_in_the_cell_around_its_middle() -> None:
    """Letters may reach over the rule."""
    cells = (Box(10, 10, 100, 40), Box(104, 10, 200, 40))

    assert cell_around(cells, Box(80, 12, 110, 30)) == cells[0]
    assert cell_around(cells, Box(300, 12, 310, 30)) is None
