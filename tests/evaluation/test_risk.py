"""Linkage risk, counted by hand."""

import pytest

from presidio_cdip.evaluation.risk import linkage

BORN, SEX = ("DATE_OF_BIRTH", 1), ("GENDER", 2)


def test_prosecutor_risk_of_three_classes() -> None:
    """Classes of 3, 2 and 1: mean risk (3 * 1/3 + 2 * 1/2 + 1) / 6 = 1/2, highest 1."""
    documents = [[BORN, SEX]] * 3 + [[BORN]] * 2 + [[SEX]] + [[]] * 4

    found = linkage(documents, k=3)

    assert (found.documents, found.classes, found.smallest) == (6, 3, 1)
    assert (found.unique, found.small) == (1, 3)
    assert found.highest == 1
    assert found.average == pytest.approx(0.5)


def test_only_quasi_identifiers_make_classes() -> None:
    """A health finding differs from document to document and links nobody by itself."""
    documents = [[SEX, ("HEALTH", number)] for number in range(5)]

    found = linkage(documents)

    assert (found.classes, found.smallest, found.small) == (1, 5, 0)


def test_order_and_repetition_do_not_matter() -> None:
    """A value that stands twice is known once."""
    assert linkage([[BORN, SEX], [SEX, BORN, BORN]]).classes == 1


def test_nothing_left_is_no_risk() -> None:
    """Without values there is no class, and no figure is made up."""
    found = linkage([[], []])

    assert (found.documents, found.smallest, found.highest, found.average) == (0, None, None, None)
