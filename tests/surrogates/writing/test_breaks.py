"""Values over the end of a line."""

import pytest

from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.writing.breaks import joined

SCOPES = [f"text {number}" for number in range(12)]


def drawn(entity: str, value: str, scope: str) -> str:
    return Surrogates("a key of at least 16 bytes", scope).surrogate(entity, value)


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize(
    ("entity", "broken", "whole"),
    [
        ("HEALTH", "rheumatoid\narthritis", "rheumatoid arthritis"),
        ("HEALTH", "under treat-\n   ment for a broken leg", "under treatment for a broken leg"),
        ("RELIGION", "member of the Church\nof God", "member of the Church of God"),
        ("MARITAL_STATUS", "three\nchildren", "three children"),
        ("PLACE_OF_BIRTH", "Wheeling, West\nVirginia", "Wheeling, West Virginia"),
        (
            "HOME_ADDRESS",
            "88 Quarry Road,\nNashua, New\nHampshire 03060",
            "88 Quarry Road,\nNashua, New Hampshire 03060",
        ),
    ],
)
def test_a_value_over_the_end_of_a_line_has_the_surrogate_of_the_whole_phrase(
    entity: str, broken: str, whole: str, scope: str
) -> None:
    written = drawn(entity, broken, scope)
    assert written.split() == drawn(entity, whole, scope).split()
    breaks = whole.count("\n") + (written.count(" ") + written.count("\n") > whole.count("\n"))
    assert written.count("\n") == breaks


def test_the_end_of_a_line_stays_as_it_is_written() -> None:
    assert joined("kidney\r\nstones").broken("stomach ulcers") == "stomach\r\nulcers"
    assert drawn("HEALTH", "X-\nray", "a").split() == drawn("HEALTH", "X-ray", "a").split()


@pytest.mark.parametrize("scope", SCOPES)
def test_lines_of_an_address_stay_lines(scope: str) -> None:
    lines = drawn("HOME_ADDRESS", "88 Quarry Road\nNashua\nNH 03060", scope).split("\n")
    assert len(lines) == 3
    assert lines[0][:2].isdigit()
    assert lines[2][-5:].isdigit()
