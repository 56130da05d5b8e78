"""Where columns of homes stand beside those of workplaces, each address is its column's."""

import pytest

from presidio_cdip.recognition.finder import finder, least_score


@pytest.mark.parametrize(
    "text",
    [
        'name,home,business\nRuth Hall,"12 Elm St, Troy","55 Broad St, Troy"\n'
        'Tom Dahl,"14 Oak St, Troy","9 Main St, Troy"',
        "name\thome\tbusiness\nRuth Hall\t12 Elm St, Troy\t55 Broad St, Troy\n"
        "Tom Dahl\t14 Oak St, Troy\t9 Main St, Troy",
        "Name | Home | Business\nHall | 12 Elm St, Troy | 55 Broad St, Troy\n"
        "Dahl | 14 Oak St, Troy | 9 Main St, Troy",
        "Name  Home  Business\nHall  12 Elm St, Troy  55 Broad St, Troy\n"
        "Dahl  14 Oak St, Troy  9 Main St, Troy",
        "Name       Business             Home\nHall       55 Broad St, Troy    12 Elm St, Troy\n"
        "Dahl       9 Main St, Troy      14 Oak St, Troy",
        "HOME    WORK\n12 Elm St, Troy    55 Broad St, Troy\n14 Oak St, Troy    9 Main St, Troy",
    ],
)
def test_a_column_says_whose_its_addresses_are(text: str) -> None:
    """The homes are found, whole, and nothing of the workplaces is."""
    found = finder().find(text, min_score=least_score("balanced"))

    homes = [text[one.start : one.end] for one in found if one.entity == "HOME_ADDRESS"]
    assert homes == ["12 Elm St, Troy", "14 Oak St, Troy"]
