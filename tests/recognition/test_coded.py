"""Codes whose legend explains them one by one are what they mean."""

import pytest

import presidio_cdip
from presidio_cdip.recognition.coded import cells_with, coded

ROSTER = """NAME               AGE   HOME TEL.      CODES
Abbate, Theresa    11    414-555-0181   A
Dombeck, Gary      13    -              E  W
Hollis, Patricia    9    414-555-0196   -
Brodsky, Alan      12    312-555-0144   E

"""


def meant(text: str) -> list[tuple[str, str]]:
    """Each code in a cell with its entry in the legend, in the order of the cells."""
    pairs = [(cell, one) for legend in coded(text) for one in legend for cell in one.cells]
    pairs.sort(key=lambda pair: pair[0])
    return [(text[slice(*cell)], text[one.start : one.end]) for cell, one in pairs]


@pytest.mark.parametrize(
    "legend",
    [
        "CODES   A  asthma    E  epilepsy, medication\n        W  welfare campership\n",
        "CODES   A asthma    E epilepsy    W welfare campership",
        "Codes: A = asthma; E = epilepsy, since 1960; W = welfare campership",
        "Codes: A - asthma, E - epilepsy, W - welfare campership",
        "Codes: A asthma, E epilepsy, W welfare campership",
    ],
)
def test_codes_have_their_meaning_from_the_legend_of_their_column(legend: str) -> None:
    """However the entries are set: in cells, with signs, over two lines."""
    found = meant(ROSTER + legend)

    assert [code for code, _ in found] == ["A", "E", "W", "E"]
    assert [entry.split()[-1] for _, entry in found][::2] == ["asthma", "campership"]


@pytest.mark.parametrize(
    "text",
    [
        ROSTER,
        ROSTER + "CLASS   A  asthma    E  epilepsy",  # no heading of the table
        ROSTER + "CODES   A  asthma    E  epilepsy    see the nurse",
        "Codes: A = asthma; E = epilepsy",
        "NAME       AGE    NOTE\nAbbate     11     A\nNOTE   A letter    I wrote",
    ],
)
def test_other_lines_are_no_legend(text: str) -> None:
    """A legend has the heading of a column that has two of its codes."""
    assert not meant(text)


def test_a_code_is_found_as_what_it_means_and_its_legend_is_not() -> None:
    """The nurse's E is Gary's epilepsy; the legend speaks of nobody."""
    text = ROSTER + "CODES   A  asthma    E  epilepsy    W  welfare campership"
    found = presidio_cdip.analyzer(model="none").analyze(text, "en", entities=["HEALTH"])

    assert [text[one.start : one.end] for one in found] == ["A", "E", "E"]
    assert cells_with(text, text.index("asthma"), text.index("asthma") + 6) is not None
