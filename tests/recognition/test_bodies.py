"""Whose office somebody has tells whether it is politics or a union."""

import pytest

from presidio_cdip.recognition.finder import finder

UNION, PARTY = "TRADE_UNION_MEMBERSHIP", "POLITICAL_OPINION"


def found(text: str, model: str | None = None) -> set[tuple[str, str]]:
    spans = finder(model=model).find(text, min_score=0.4, wanted=[UNION, PARTY])
    return {(text[span.start : span.end].removesuffix("."), span.entity) for span in spans}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Remarks: branch treasurer of the S.W.P., now a painter.",
            "branch treasurer of the S.W.P",
        ),
        ("He was organiser for the A.N.C. at Uitenhage until 1960.", "organiser for the A.N.C"),
        ("She is an N.A.A.C.P. chapter secretary in Mobile.", "N.A.A.C.P. chapter secretary"),
        ("Youth member of the MDC since 2002.", "Youth member of the MDC"),
    ],
)
def test_an_office_in_a_known_party_is_none_in_a_union(text: str, expected: str) -> None:
    """Whatever the model takes the initials for."""
    assert found(text) == {(expected, PARTY)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She is shop steward of the NUM.", "shop steward of the NUM"),
        ("He is president of the A.F.S.C.M.E. local.", "president of the A.F.S.C.M.E. local"),
    ],
)
def test_an_office_in_a_union_stays_one(text: str, expected: str) -> None:
    """Its initials are in no list of parties."""
    assert found(text) == {(expected, UNION)}


def test_a_party_in_the_news_is_nobodys() -> None:
    """Nobody has an office in it."""
    assert not found("A lecture on the A.N.C. was given. The S.P.D. won in Hesse.")


def test_offices_on_a_partys_own_roll_are_politics() -> None:
    """Those of a tennis club are not."""
    roll = (
        "Name            Address         Office\n"
        "Pell, Mrs. A.   4 Club Street   Chairman\nRoe, James      9 Monk Street   Auditor\n"
    )

    party = found(f"WESTGATE LABOUR PARTY, 1961. Branch roll\n{roll}")
    assert {("Chairman", PARTY), ("Auditor", PARTY)} <= party
    assert not found(f"WESTGATE TENNIS CLUB, 1961\n{roll}", model="none")
