"""Forms of two halves are read half by half."""

import pytest

from presidio_cdip.recognition.finder import finder
from presidio_cdip.recognition.halves import halves


def read(text: str) -> dict[str, list[str]]:
    """What stands in each half of *text*, by its heading."""
    return {
        text[slice(*heading)]: [text[slice(*one)].strip() for one in below]
        for heading, below in halves(text)
    }


@pytest.mark.parametrize(
    "text",
    [
        "APPLICANT        SPOUSE\nName: Roe        Name: Poe\nAge: 4           Age: 5\n\nEnd",
        "    APPLICANT            SPOUSE\nName: Roe        Name: Poe\nAge: 4           Age: 5",
        "APPLICANT | SPOUSE\nName: Roe | Name: Poe\nAge: 4 | Age: 5",
        "| APPLICANT | SPOUSE |\n| Name: Roe | Name: Poe |\n| Age: 4 | Age: 5 |",
    ],
    ids=["below its edge", "below its middle", "a stroke", "ruled"],
)
def test_each_half_has_a_heading(text: str) -> None:
    """Whether it stands at the half's edge or over its middle."""
    assert read(text) == {
        "APPLICANT": ["Name: Roe", "Age: 4"],
        "SPOUSE": ["Name: Poe", "Age: 5"],
    }


@pytest.mark.parametrize(
    "text", ["BUYER     SELLER\nName: Roe   Name: Poe", "Wife: Ann   Husband: Al"]
)
def test_other_lines_head_no_halves(text: str) -> None:
    """A heading has nothing but words for persons."""
    assert not read(text)


def test_a_label_does_not_go_on_in_the_other_half() -> None:
    """Words at a line's end and at the next line's beginning are no label together."""
    text = "APPLICANT                 SPOUSE\nName: Walter Dahl         Age: 38"

    assert not finder(model="none").find(text, wanted=["MARITAL_STATUS"])
