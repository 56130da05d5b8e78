"""A count of brothers and a measure of a build say nothing sensitive."""

import pytest

from presidio_cdip.recognition.finder import finder


def found(text: str, *entities: str) -> list[str]:
    """The values of *entities* in *text*."""
    spans = finder().find(text, min_score=0.4, wanted=entities)
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Father living, age 70.  Brothers living 4, dead 2, of fever.", ["70"]),
        ("Brothers, 2   41, 37   good", ["41", "37"]),
        ("Family: sisters 3, brothers 1. Applicant has no children.", ["no children"]),
        ("His brothers, 4 and 6, live with him.", ["4", "6"]),
        ("Her sister, 9, goes to school here.", ["9"]),
    ],
)
def test_brothers_and_sisters_are_counted(text: str, expected: list[str]) -> None:
    """Their number is no age and no number of children; their ages are."""
    assert found(text, "AGE", "MARITAL_STATUS") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Height 5 ft. 8. Weight 170. Chest 36 to 40. Pulse 72.", ["72"]),
        ("Wt. 182   Chest, full inspiration 41, expiration 37   B.P. 130/80", ["130/80"]),
        ("Girth of abdomen 44.   Waist 40.   Pulse at rest 80", ["80"]),
        ("Chest: pleurisy. Abdomen: 2 scars.", ["pleurisy", "2 scars"]),
    ],
)
def test_a_build_is_no_health(text: str, expected: list[str]) -> None:
    """What is found in a chest is, as is a pulse."""
    assert found(text, "HEALTH") == expected
