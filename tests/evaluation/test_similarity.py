"""Pages before and after: areas, wins, and figures 8 to 11."""

import numpy as np
import pytest

from presidio_cdip.evaluation.sections import Figure, Histogram, Table
from presidio_cdip.evaluation.similarity import (
    Compared,
    Near,
    changed_share,
    near,
    nearer,
    section,
)

PAGE = np.full((64, 48), 250, np.uint8)


def test_changed_area_is_counted_in_blocks() -> None:
    """Of 4 x 3 blocks of 16 pixels, a dot changes one; a change of 24 levels is noise."""
    dotted, noisy = PAGE.copy(), PAGE - 24
    dotted[17, 40] = 0

    assert changed_share(PAGE, dotted) == pytest.approx(1 / 12)
    assert changed_share(PAGE, noisy.astype(np.uint8)) == 0


def test_blocks_at_the_edge_count_as_blocks() -> None:
    """17 x 16 pixels are two blocks."""
    page = np.zeros((17, 16), np.uint8)
    other = page.copy()
    other[16, 0] = 255

    assert changed_share(page, other) == 0.5


def test_an_unchanged_page_is_equal() -> None:
    """All three measures are at their ends."""
    pytest.importorskip("cv2")
    page = np.random.default_rng(1).integers(0, 255, (200, 160)).astype(np.uint8)

    found = near("one", page, page)

    assert found.area == 0
    assert found.ssim == pytest.approx(1)
    assert found.cosine == pytest.approx(1)
    assert found.euclid == pytest.approx(0, abs=1e-2)


def test_euclid_is_that_of_the_descriptors() -> None:
    """The parts of a descriptor have length 1, so the distance follows from the cosine."""
    pytest.importorskip("cv2")
    from presidio_cdip.imaging.page.similarity import descriptor

    draw = np.random.default_rng(2)
    one, other = (draw.integers(0, 255, (200, 160)).astype(np.uint8) for _ in range(2))

    distance = float(np.linalg.norm(descriptor(one) - descriptor(other)))

    assert near("", one, other).euclid == pytest.approx(distance, rel=1e-4)


def test_wins_and_ties_are_counted() -> None:
    """Less than .0001 apart is equal."""
    assert nearer([0.9, 0.5, 0.70001, 0.8], [0.8, 0.6, 0.7, 0.1]) == (2, 1, 1)


def test_figures_hold_what_was_compared() -> None:
    """Two pages by two methods: histograms of both, and one is nearer on one page of two."""
    compared = Compared(
        {
            "surrogate": [Near("a", 0.01, 0.99, 0.98), Near("b", 0.02, 0.97, 0.90)],
            "white": [Near("a", 0.01, 0.98, 0.95), Near("b", 0.02, 0.98, 0.92)],
        },
        {"surrogate": 0, "white": 3},
    )

    found = section(compared)

    assert found is not None
    parts = {part.id: part for part in found.parts}
    assert list(parts) == ["similarity", "figure_8", "figure_9", "figure_10", "figure_11"]
    figure, table = parts["figure_8"], parts["figure_10"]
    assert isinstance(figure, Figure) and isinstance(figure.chart, Histogram)
    assert {name: sum(counts) for name, counts in figure.chart.series.items()} == {
        "surrogate": 2,
        "white": 2,
    }
    assert isinstance(table, Table)
    assert table.rows[0] == ["surrogate", "white", "cosine", 2, 0.5, 0.5, 0.0]
    assert "3 pages by white" in found.remarks[0]


def test_pages_that_cannot_be_compared_are_said() -> None:
    """Where none could be, there is a remark and no figure."""
    found = section(Compared({"white": []}, {"white": 2}))

    assert found is not None
    assert (list(found.parts), len(found.remarks)) == ([], 1)
    assert section(Compared()) is None
