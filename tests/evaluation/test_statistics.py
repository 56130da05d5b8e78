"""Intervals, against published and hand-computed values."""

import numpy as np
import pytest

from presidio_cdip.evaluation.statistics import Counted, bootstrap_f1, f1, prevalence, wilson


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(
    hits: int, total: int, low: float, high: float
) -> None:
    """The four examples of Newcombe's comparison come out to four digits."""
    interval = wilson(hits, total)

    assert interval is not None
    assert interval == pytest.approx((low, high), abs=5e-5)


def test_wilson_says_nothing_of_nothing() -> None:
    """A share of no documents has no interval."""
    assert wilson(0, 0) is None


def test_prevalence_is_that_of_a_larger_sample() -> None:
    """100 of 1,000 without replacement tell as much as 100 * 999 / 900 = 111 with."""
    estimate = prevalence(10, 100, 1_000)

    assert estimate is not None
    assert estimate.share == 0.1
    assert estimate.interval == pytest.approx(wilson(11.1, 111))
    assert estimate.interval == pytest.approx((0.0569, 0.1699), abs=5e-5)  # by hand
    assert estimate.documents == (56, 170)


def test_what_the_sample_saw_bounds_the_documents() -> None:
    """1 of 9 of 10: at least the one seen has it, and at most the one and the one unseen."""
    estimate = prevalence(1, 9, 10)

    assert estimate is not None
    assert estimate.documents == (1, 2)


def test_a_sample_of_all_has_no_error() -> None:
    """Who read all documents knows the share."""
    estimate = prevalence(3, 12, 12)

    assert estimate is not None
    assert estimate.interval == (0.25, 0.25)
    assert estimate.documents == (3, 3)


def test_a_sample_cannot_be_larger_than_all() -> None:
    """Such numbers are a mistake of the caller."""
    with pytest.raises(ValueError, match="sample of 13"):
        prevalence(1, 13, 12)


def test_f1_of_counts() -> None:
    """2 * 6 / (2 * 6 + 2 + 4) = 2 / 3."""
    assert f1(6, 2, 4) == pytest.approx(2 / 3)
    assert f1(0, 0, 0) is None


def test_bootstrap_draws_documents_not_spans() -> None:
    """Two documents, one all right and one all missed: a quarter of resamples has F1 0."""
    documents = [Counted(50, 0, 0), Counted(0, 0, 50)]

    interval = bootstrap_f1(documents, np.random.default_rng(0))

    assert interval == (0.0, 1.0)


def test_bootstrap_of_equal_documents_has_no_width() -> None:
    """Every resample of the same document is the same."""
    interval = bootstrap_f1([Counted(3, 1, 1)] * 20, np.random.default_rng(0))

    assert interval == (0.75, 0.75)
    assert bootstrap_f1([], np.random.default_rng(0)) is None
