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
        ("Brothers 2, sisters 1, children living 3", ["3"]),
        ("Brothers and sisters living 5. Sons living 2, daughters living 3", ["2", "3"]),
        (
            "No. of brothers and sisters 4. Wife and children living: 3.",
            ["Wife", "children", "3"],
        ),
        ("Brothers and sisters 3, sons living 2", ["2"]),
        ("Siblings 4, wife living, children living 2", ["wife living", "2"]),
        ("Brother and sister at home. Children living: 4", ["4"]),
    ],
)
def test_children_behind_brothers_and_sisters_are_found(text: str, expected: list[str]) -> None:
    """The count of children tells something, wherever that of brothers stands."""
    assert found(text, "MARITAL_STATUS") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He was left with a sister (15) and a brother (13), who is epileptic.", ["15", "13"]),
        ("Household: head, 44; brother (12); sister (9)", ["44", "12", "9"]),
        ("Household: mother, 41; brothers, 14; sister, 11", ["41", "14", "11"]),
        ("Sister living, 13, mental defective", ["13"]),
        ("One sister died, 14, of diphtheria.", ["14"]),
        ("He has a brother (9) who is deaf and a sister (7).", ["9", "7"]),
        ("Brother died, 11, of measles.", ["11"]),
        ("Sister living, 14, epileptic. Brother dead, 12, of croup.", ["14", "12"]),
        ("Children: sister (10), brother (12), both at school.", ["10", "12"]),
        ("Sisters, 15   good health", ["15"]),
    ],
)
def test_brothers_and_sisters_have_ages(text: str, expected: list[str]) -> None:
    """A number behind one of them, or behind a comma, is a minor's age."""
    assert found(text, "AGE") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Height 5 ft. 8. Weight 170. Chest 36 to 40. Pulse 72.", ["72"]),
        ("Wt. 182   Chest, full inspiration 41, expiration 37   B.P. 130/80", ["130/80"]),
        ("Weight 181. Chest 38 to 41. Pulse, sitting 74, after exercise 9", ["74", "9"]),
        ("Girth of abdomen 44.   Waist 40.   Pulse at rest 80", ["80"]),
        ("Chest: pleurisy. Abdomen: 2 scars.", ["pleurisy", "2 scars"]),
    ],
)
def test_a_build_is_no_health(text: str, expected: list[str]) -> None:
    """What is found in a chest is, as is a pulse."""
    assert found(text, "HEALTH") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ROM: hips 0 to 90", ["0 to 90"]),
        ("Strength: hips 3/5", ["3/5"]),
        ("BURNS: chest 9, abdomen 9, hips 4", ["9", "9", "4"]),
        ("Lacerations: chest, 5 cm; abdomen, 3 cm", ["chest, 5 cm", "3 cm"]),
        ("Wt. 182, 150/95, pulse 80", ["150/95", "80"]),
        ("Weight 165, 120/80, pulse 72", ["120/80", "72"]),
        ("Stab wounds: abdomen, 4 cm; chest, 2 cm", ["abdomen, 4 cm", "2 cm"]),
        ("Burns: chest 20, back 18, waist 22", ["20", "18", "22"]),
        ("Wounds: chest, 25 cm; waist, 22 cm", ["chest, 25 cm", "22 cm"]),
        ("Range of motion: hips 30 to 60, knees 0 to 120", ["30 to 60", "0 to 120"]),
        ("Chest 24 cm laceration", ["24 cm laceration"]),
    ],
)
def test_an_injury_is_health(text: str, expected: list[str]) -> None:
    """What is burnt or wounded, how far it moves, and a pressure behind a weight are found."""
    assert found(text, "HEALTH") == expected
