"""Words and boxes keep to the page and keep their text to themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.imaging.words import Box, Word

corners = st.integers(-100, 300)


@given(corners, corners, corners, corners, st.integers(0, 200), st.integers(0, 200))
def test_clipped_box_lies_on_the_page(
    left: int, top: int, right: int, bottom: int, width: int, height: int
) -> None:
    """Any clipped box is on the page, with its edges in the right order."""
    box = Box(left, top, right, bottom).clipped((width, height))

    assert 0 <= box.left <= box.right <= width
    assert 0 <= box.top <= box.bottom <= height


@given(corners, corners, st.integers(0, 50), st.integers(0, 50))
def test_clipping_keeps_every_shared_pixel(left: int, top: int, wide: int, high: int) -> None:
    """A pixel in box and page is in the clipped box."""
    box = Box(left, top, left + wide, top + high)

    clipped = box.clipped((100, 80))

    columns = set(range(left, left + wide)) & set(range(100))
    rows = set(range(top, top + high)) & set(range(80))
    if columns and rows:
        assert set(range(clipped.left, clipped.right)) == columns
        assert set(range(clipped.top, clipped.bottom)) == rows


def test_word_does_not_show_its_text() -> None:
    """A word in a log or a traceback does not say what it says."""
    assert "Smith" not in repr(Word("Smith", Box(0, 0, 9, 9)))


def test_box_is_cut_out_of_a_page_or_of_its_part() -> None:
    """Rows first, as arrays have them, counted from the part's corner."""
    page = np.arange(600).reshape(20, 30)
    box, part = Box(7, 5, 12, 9), Box(4, 3, 20, 15)

    assert (page[box.within()] == page[5:9, 7:12]).all()
    assert (page[part.within()][box.within(part)] == page[box.within()]).all()


def test_print_of_a_sloping_line_is_lower_than_its_box() -> None:
    """Two words of a line that falls by a tenth have the same top and bottom, one without slope."""
    left, right = Box(0, 0, 100, 30), Box(200, 20, 300, 50)

    assert left.straight(0.0) == (0, 30)
    assert left.straight(0.1) == pytest.approx((0, 20))
    assert right.straight(0.1) == pytest.approx((0, 20))
