"""Measure how far annotators agree beyond chance, for labels without an order."""

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

Label = Hashable


def cohen(one: Sequence[Label], other: Sequence[Label]) -> float | None:
    """Return Cohen's kappa of two annotators of the same units.

    Source: Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20 (1960), 37-46.

    Returns:
        None without units, or where both gave one and the same label to all of them.

    Raises:
        ValueError: They have not the same number of units.
    """
    if len(one) != len(other):
        raise ValueError(f"{len(one)} and {len(other)} units")
    if not one:
        return None
    total = len(one)
    observed = sum(a == b for a, b in zip(one, other, strict=True)) / total
    first, second = Counter(one), Counter(other)
    expected = sum(first[label] * second[label] for label in first) / total**2
    return _beyond_chance(observed, expected)


def fleiss(table: ArrayLike) -> float | None:
    """Return Fleiss' kappa.

    Source: Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76
    (1971), 378-382.

    Args:
        table: A row a unit, a column a label: how many annotators gave it. All rows have one sum.

    Returns:
        None without units, or where only one label was ever given.

    Raises:
        ValueError: Rows differ in their sums, or there are fewer than two annotators.
    """
    counts = np.asarray(table, dtype=np.float64)
    if not counts.size:
        return None
    sums = counts.sum(axis=1)
    raters = sums[0]
    if (sums != raters).any() or raters < 2:
        raise ValueError("every unit needs the same number of annotators, two or more")
    by_unit = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    shares = counts.sum(axis=0) / counts.sum()
    return _beyond_chance(float(by_unit.mean()), float((shares**2).sum()))


def krippendorff(ratings: Sequence[Sequence[Label | None]]) -> float | None:
    """Return Krippendorff's alpha for nominal labels; annotators may have left units out.

    Source: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C,
    https://repository.upenn.edu/asc_papers/43.

    Args:
        ratings: A row an annotator, a column a unit; None where there is no label.

    Returns:
        None where no unit has two labels, or all labels in such units are the same.
    """
    units = [
        Counter(label for label in unit if label is not None) for unit in zip(*ratings, strict=True)
    ]
    paired = [(unit, unit.total()) for unit in units if unit.total() > 1]
    total = sum(size for _, size in paired)
    if not total:
        return None
    labels = sum((unit for unit, _ in paired), Counter())
    observed = sum(
        sum(count * (size - count) for count in unit.values()) / (size - 1) for unit, size in paired
    )
    expected = sum(count * (total - count) for count in labels.values()) / (total - 1)
    return 1 - observed / expected if expected else None


def _beyond_chance(observed: float, expected: float) -> float | None:
    return (observed - expected) / (1 - expected) if expected < 1 else None
