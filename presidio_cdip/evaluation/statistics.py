"""Compute the intervals of shares."""

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
RESAMPLES = 1_000


class Interval(NamedTuple):
    """Lower and upper bound, both in [0, 1]."""

    low: float
    high: float


class Prevalence(NamedTuple):
    """An estimate from a simple random sample.

    Attributes:
        share: Of the sample.
        interval: Of the share in the population.
        documents: The bounds as numbers of documents of the population.
    """

    share: float
    interval: Interval
    documents: tuple[int, int]


class Counted(NamedTuple):
    """The spans of one document: found and right, found and wrong, missed."""

    right: int
    wrong: int
    missed: int


def wilson(hits: float, total: float, confidence: float = CONFIDENCE) -> Interval | None:
    """Return the score interval of the share *hits* / *total*; None if *total* is 0.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", Journal
    of the American Statistical Association 22 (1927), 209-212.

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]
    """
    if not total:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = hits / total
    middle = share + z * z / (2 * total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    whole = 1 + z * z / total
    # At 0 and 1 the bound is exact; rounding would leave a hair.
    low = 0.0 if hits == 0 else max(0.0, (middle - half) / whole)
    high = 1.0 if hits == total else min(1.0, (middle + half) / whole)
    return Interval(low, high)


def prevalence(
    hits: int, sample: int, population: int, confidence: float = CONFIDENCE
) -> Prevalence | None:
    """Estimate the share in a population from a simple random sample without replacement.

    The Wilson interval of a sample that is larger by the finite population correction,
    n (N - 1) / (N - n) (Cochran, "Sampling Techniques", 3rd ed. 1977, section 2.6). What the sample
    saw bounds the numbers of documents, too. A sample of all has no error.

    Args:
        hits: How many of the sample have the property.
        sample: The size of the sample.
        population: The size of the population.
        confidence: Of the interval.

    Raises:
        ValueError: The sample is larger than the population.
    """
    if sample > population:
        raise ValueError(f"a sample of {sample} from {population}")
    if not sample:
        return None
    share = hits / sample
    if sample == population:
        return Prevalence(share, Interval(share, share), (hits, hits))
    larger = sample * (population - 1) / (population - sample)
    interval = wilson(share * larger, larger, confidence)
    assert interval is not None
    fewest = max(hits, int(interval.low * population))
    most = min(population - (sample - hits), ceil(interval.high * population))
    return Prevalence(share, interval, (fewest, most))


def f1(right: int, wrong: int, missed: int) -> float | None:
    """Return the harmonic mean of precision and recall; None where nothing is marked or found."""
    whole = 2 * right + wrong + missed
    return 2 * right / whole if whole else None


def bootstrap_f1(
    documents: Sequence[Counted], draw: np.random.Generator, resamples: int = RESAMPLES
) -> Interval | None:
    """Return the 95 % interval of F1 over *documents*, as the 2.5th and 97.5th percentile.

    Documents, not spans, are drawn with replacement: the spans of a document depend on each other.
    Source: Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7
    (1979), 1-26; percentiles as in Efron and Tibshirani, "An Introduction to the Bootstrap" (1993),
    chapter 13.

    Returns:
        None without documents, or if no resample has an F1.
    """
    if not documents:
        return None
    counts = np.array(documents, dtype=np.int64)
    even = [1 / len(counts)] * len(counts)
    sums = draw.multinomial(len(counts), even, size=resamples) @ counts
    values = [value for row in sums if (value := f1(*map(int, row))) is not None]
    if not values:
        return None
    low, high = np.percentile(values, [2.5, 97.5])
    return Interval(float(low), float(high))
