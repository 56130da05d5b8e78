"""Overlapping claims are resolved: no found value is lost, and no two spans overlap."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.recognition.overlaps import Claim, remainders, resolve_overlaps
from presidio_cdip.recognition.spans import Span


def claim(start: int, end: int, entity: str, cost: int = 0, counter: bool = False) -> Claim:
    return Claim(Span(start, end, entity, 0.9, "test/rule"), cost, counter)


def test_nearer_negative_rule_removes_the_value() -> None:
    """A telephone number nearer to "office" than to "home" is not a home number."""
    text = "office 555-0100"

    spans = resolve_overlaps(text, [claim(7, 15, "AGE", 20), claim(7, 15, "AGE", 2, counter=True)])

    assert spans == []


def test_value_stays_with_the_person_at_equal_distance() -> None:
    """At equal distance from a cue and from a negative rule's cue, a value is found."""
    spans = resolve_overlaps(
        "x" * 20, [claim(7, 15, "AGE", 2), claim(7, 15, "AGE", 2, counter=True)]
    )

    assert [(span.start, span.end) for span in spans] == [(7, 15)]


def test_claim_of_higher_cost_keeps_the_rest_of_its_span() -> None:
    """Text that only the claim of higher cost covers stays covered."""
    text = "wife Ellen Smith, born Tulsa"

    spans = resolve_overlaps(
        text, [claim(0, 28, "MARITAL_STATUS", 9), claim(23, 28, "PLACE_OF_BIRTH", 1)]
    )

    assert [text[span.start : span.end] for span in spans] == ["wife Ellen Smith, born", "Tulsa"]


def test_two_claims_of_one_entity_are_merged() -> None:
    """Two overlapping parts of an age are one span."""
    spans = resolve_overlaps("46 years old", [claim(0, 2, "AGE"), claim(0, 12, "AGE", 5)])

    assert [(span.start, span.end) for span in spans] == [(0, 12)]


@pytest.mark.parametrize(
    ("text", "number", "left"),
    [
        ("Passport no. C01234567. born", "C01234567", []),  # words and a number: no street
        ("Passport no. C01234567", "C01234567", []),
        ("46 Elm Street, Tulsa", "46", ["Elm Street, Tulsa"]),  # the digits were its first
        ("12 Elm Street 271", "271", ["12 Elm Street"]),
    ],
)
def test_nothing_is_left_of_a_guess_whose_number_has_a_cue(
    text: str, number: str, left: list[str]
) -> None:
    """What only looked like an address is none where a cue says what its number is."""
    at = text.index(number)
    cued = Claim(Span(at, at + len(number), "ID", 0.9, "id/labelled", cue="no"), 5)
    guess = Claim(Span(0, len(text), "HOME_ADDRESS", 0.9, "home_address/sender"), 60, guess=True)

    spans = resolve_overlaps(text, [guess, cued])

    assert [text[one.start : one.end] for one in spans if one.entity == "HOME_ADDRESS"] == left


CLAIMS = st.lists(
    st.builds(
        claim,
        start=st.integers(0, 40),
        end=st.integers(41, 60),
        entity=st.sampled_from(["AGE", "HEALTH", "RELIGION"]),
        cost=st.integers(0, 9),
    ).map(lambda made: Claim(Span(made.span.start, made.span.start + (made.span.end % 13) + 1,
                                  made.span.entity, 0.9, "test/rule"), made.cost)),
    max_size=12,
)  # fmt: skip


@given(CLAIMS)
def test_resolved_spans_never_overlap_and_cover_all_claims(claims: list[Claim]) -> None:
    """Every claimed character is covered, except single letters between two spans."""
    text = "abcdefghij" * 6

    spans = resolve_overlaps(text, claims)

    assert all(one.end <= other.start for one, other in pairwise(spans))
    covered = {offset for span in spans for offset in range(span.start, span.end)}
    for one in claims:
        uncovered = set(range(one.span.start, one.span.end)) - covered
        assert all({offset - 1, offset + 1} & covered for offset in uncovered)


def test_remainders_leave_out_punctuation_and_single_letters() -> None:
    """A piece of a span is kept only if it has at least two letters or digits."""
    assert remainders("Durham, N.C. 27701", 0, 18, [(0, 12)]) == [(13, 18)]
    assert remainders("(Durham)", 0, 8, [(1, 7)]) == []
