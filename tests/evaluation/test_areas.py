"""Areas of unions, computed by hand."""

import numpy as np
import pytest

from presidio_cdip.evaluation.areas import covered_share, union_area


@pytest.mark.parametrize(
    ("boxes", "area"),
    [
        ([], 0),
        ([(0, 0, 4, 3)], 12),
        ([(0, 0, 4, 3), (0, 0, 4, 3)], 12),  # twice the same
        ([(0, 0, 4, 4), (1, 1, 3, 3)], 16),  # one in the other
        ([(0, 0, 4, 4), (2, 2, 6, 6)], 28),  # 16 + 16 - 4
        ([(0, 0, 2, 2), (2, 0, 4, 2)], 8),  # side by side
        ([(0, 1, 9, 2), (4, 0, 5, 9)], 17),  # a cross: 9 + 9 - 1
        ([(0, 0, 3, 1), (1, 0, 4, 1), (2, 0, 5, 1)], 5),  # a chain
        ([(0, 0, 6, 1), (0, 5, 6, 6), (0, 0, 1, 6), (5, 0, 6, 6)], 20),  # a frame: 36 - 16
        ([(3, 3, 3, 9), (5, 5, 4, 9)], 0),  # without area
        ([(0.5, 0, 1.0, 2)], 1),
    ],
)
def test_union_counts_shared_area_once(boxes: list[tuple[float, ...]], area: float) -> None:
    """Boxes that overlap are not counted twice."""
    assert union_area(boxes) == pytest.approx(area)


def test_union_equals_painted_pixels() -> None:
    """300 random boxes cover as much as the pixels they paint."""
    draw = np.random.default_rng(7)
    corners = draw.integers(0, 200, (300, 2, 2))
    boxes = [(*pair.min(axis=0), *pair.max(axis=0)) for pair in corners]
    page = np.zeros((200, 200), bool)
    for left, top, right, bottom in boxes:
        page[top:bottom, left:right] = True

    assert union_area(boxes) == page.sum()


def test_what_lies_beyond_the_page_does_not_count() -> None:
    """A box half off a page of 10 x 10: 2 x 5 of 100."""
    assert covered_share([(8, 0, 14, 5)], (10, 10)) == pytest.approx(0.1)
    assert covered_share([(0, 0, 1, 1)], (0, 10)) is None
