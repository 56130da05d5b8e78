"""The parts of an address that have labels are found, and the labels are not."""

import pytest

from presidio_cdip.recognition.address_parts import is_part, parts, pieces, with_parts
from presidio_cdip.recognition.spans import Span


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Street: 5 Elm St, City: Erie", ["5 Elm St", "Erie"]),
        ("5 Elm St, City", ["5 Elm St"]),
        ("5 Elm St  City Erie  State PA", ["5 Elm St", "Erie", "PA"]),
        ("5 State Street\nApt 4", ["5 State Street\nApt 4"]),
        ("12 County Road, Erie, PA", ["12 County Road, Erie, PA"]),
        ("Village Green 3", ["Village Green 3"]),
    ],
)
def test_labels_are_no_part_of_an_address(line: str, expected: list[str]) -> None:
    """A label has a sign behind it, or is set off; in a street's name such a word is none."""
    text = line + ": Erie" if line.endswith("City") else line

    found = pieces(text, 0, len(line))

    assert [text[slice(*piece)] for piece in found] == expected


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("    City: Erie   State: PA   Zip: 16501", ["Erie", "PA", "16501"]),
        (", City: West Erie, State: N. Y.", ["West Erie", "N. Y"]),
        ("\nCity: Erie\nState: PA\nTelephone: 555-0143", ["Erie", "PA"]),
        ("\n\nCity: Erie\n\nState: PA\n\nZip: 16501", ["Erie", "PA", "16501"]),
        ("   City ______   State PA", []),
        ("   City: Erie\nState: PHONE  BIRTHPLACE  AGE", ["Erie"]),
        ("   Employer: City Mills", []),
        (". City people stay away.", []),
    ],
)
def test_labelled_parts_go_on(rest: str, expected: list[str]) -> None:
    """As long as label follows part, on the line or on the next."""
    text = "5 Elm St" + rest

    assert [text[slice(*part)] for part in parts(text, 0, 8)] == expected


def test_parts_stand_under_headings() -> None:
    """In a table the headings tell which cells beside an address belong to it."""
    text = "ADDRESS      CITY     STATE   AGE\n5 Elm St     Erie     PA      41"
    start = text.index("5 Elm")

    assert [text[slice(*part)] for part in parts(text, start, start + 8)] == ["Erie", "PA"]


def test_a_heading_is_no_part_of_an_address() -> None:
    """Nor where it stands under another heading."""
    text = "ADDRESS      CITY     STATE     AGE\n5 Elm St     PHONE    BIRTHPLACE   41"
    start = text.index("5 Elm")

    assert parts(text, start, start + 8) == []


def test_a_part_is_as_sure_as_its_address() -> None:
    """It has the address's score, and a doubtful finding of the same place does not lower it."""
    text = "5 Elm St   City: Erie"
    address = Span(0, 8, "HOME_ADDRESS", 0.9, "home_address/labelled")
    doubtful = Span(17, 21, "HOME_ADDRESS", 0.2, "model")

    found = with_parts(text, [address, doubtful])

    assert [(one.start, one.end, one.score) for one in found] == [(0, 8, 0.9), (17, 21, 0.9)]
    assert [is_part(one) for one in found] == [False, True]
