"""Whom somebody seeks to marry is no person yet."""

import pytest

from presidio_cdip.recognition.finder import finder

ENTITIES = ("AGE", "MARITAL_STATUS", "RELIGION")


def found(text: str) -> list[str]:
    spans = finder().find(text, min_score=0.4, wanted=ENTITIES)
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    "text",
    [
        "Expectations: bride 22 to 26, graduate, divorcee not considered.",
        "Seeks: gentleman of 50 to 60, widower preferred.",
        "Match sought: boy below 30, same caste.",
        "Preferences: Lutheran lady, about 40.",
    ],
)
def test_whom_one_seeks_has_no_age_and_no_state(text: str) -> None:
    """The label of the line says that nobody is meant."""
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bachelor, 41, seeks lady under 40, divorcee welcome.", ["Bachelor", "41"]),
        ("Requirements: none.   Age: 34.   Married.", ["34", "Married"]),
        ("Wants night shift. Widow of 44.", ["Widow", "44"]),
        ("Seeks a divorce from her husband, aged 51.", ["divorce", "husband", "51"]),
        ("Looking for my sister. She is 52 and Catholic.", ["52", "Catholic"]),
    ],
)
def test_who_seeks_has_both(text: str, expected: list[str]) -> None:
    """What is sought is no person, or what is said is of the one who seeks."""
    assert found(text) == expected
