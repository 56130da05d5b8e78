"""Agreement beyond chance, against the tables of those who defined it."""

import pytest

from presidio_cdip.evaluation.agreement import cohen, fleiss, krippendorff

# Fleiss, Psychological Bulletin 76 (1971), table 1: 30 patients, 6 psychiatrists; depression,
# personality disorder, schizophrenia, neurosis, other.
PATIENTS = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""


def test_fleiss_own_table_gives_430() -> None:
    """The example of 1971: kappa is .430."""
    table = [[int(count) for count in patient] for patient in PATIENTS.split()]

    assert fleiss(table) == pytest.approx(0.430, abs=5e-4)


def test_cohens_own_table_gives_492() -> None:
    """The example of 1960, table 1: 200 judgments, p_o = .70, p_e = .41, kappa = .492."""
    counts = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    pairs = [(row, column) for row in range(3) for column in range(3)]
    judged = [pair for pair in pairs for _ in range(counts[pair[0]][pair[1]])]

    kappa = cohen([row for row, _ in judged], [column for _, column in judged])

    assert kappa == pytest.approx(0.492, abs=5e-4)


# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C.
OBSERVERS = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""


def test_krippendorffs_own_table_gives_743() -> None:
    """The example with four observers, twelve units and gaps: nominal alpha is .743."""
    ratings = [
        [None if one == "." else int(one) for one in line.split()]
        for line in OBSERVERS.strip().splitlines()
    ]

    assert krippendorff(ratings) == pytest.approx(0.743, abs=5e-4)


def test_alpha_of_two_who_always_differ_is_negative() -> None:
    """Units ab and ba: D_o = 1, D_e = 2 * 2 * 2 / (4 * 3) = 2 / 3, alpha = -1 / 2."""
    assert krippendorff([["a", "b"], ["b", "a"]]) == pytest.approx(-0.5)


def test_one_label_alone_tells_nothing() -> None:
    """Where all gave one label there is no chance to agree beyond."""
    assert cohen("aaa", "aaa") is None
    assert fleiss([[3, 0], [3, 0]]) is None
    assert krippendorff([["a", "a"], ["a", "a"]]) is None


def test_full_agreement_is_one() -> None:
    """Whoever agrees on everything gets 1 by all three."""
    assert cohen("aab", "aab") == 1
    assert fleiss([[3, 0], [0, 3]]) == 1
    assert krippendorff([["a", "b"], ["a", "b"]]) == 1


def test_unequal_numbers_of_annotators_are_refused() -> None:
    """Fleiss' kappa is not defined there; alpha is."""
    with pytest.raises(ValueError, match="same number"):
        fleiss([[3, 0], [1, 1]])
