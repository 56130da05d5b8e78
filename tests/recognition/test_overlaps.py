"""Overlapping claims are settled: nothing found is uncovered, no stretch belongs to two."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.recognition.overlaps import Claim, remainders, settle
from presidio_cdip.recognition.spans import Span


def claim(start: int, end: int, entity: str, cost: int = 0, counter: bool = False) -> Claim:
    return Claim(Span(start, end, entity, 0.9, "test/rule"), cost, counter)


def test_nearer_counter_cue_takes_the_value() -> None:
    """A telephone number that "office" stands nearer to is not a home number."""
    text = "office 555-0100"

    spans = settle(text, [claim(7, 15, "AGE", 20), claim(7, 15, "AGE", 2, counter=True)])

    assert spans == []


def test_value_stays_with_the_person_at_equal_distance() -> None:
    """In doubt a value is found."""
    spans = settle("x" * 20, [claim(7, 15, "AGE", 2), claim(7, 15, "AGE", 2, counter=True)])

    assert [(span.start, span.end) for span in spans] == [(7, 15)]


def test_loser_of_an_overlap_keeps_what_is_left_of_it() -> None:
    """The text that only the dearer claim covered stays covered."""
    text = "wife Ellen Smith, born Tulsa"

    spans = settle(text, [claim(0, 28, "MARITAL_STATUS", 9), claim(23, 28, "PLACE_OF_BIRTH", 1)])

    assert [text[span.start : span.end] for span in spans] == ["wife Ellen Smith, born", "Tulsa"]


def test_two_claims_for_one_entity_are_united() -> None:
    """An age found twice in part is one age."""
    spans = settle("46 years old", [claim(0, 2, "AGE"), claim(0, 12, "AGE", 5)])

    assert [(span.start, span.end) for span in spans] == [(0, 12)]


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
def test_settled_spans_never_overlap_and_cover_all_claims(claims: list[Claim]) -> None:
    """Whatever is claimed is covered, but for single letters between two spans."""
    text = "abcdefghij" * 6

    spans = settle(text, claims)

    assert all(one.end <= other.start for one, other in pairwise(spans))
    covered = {offset for span in spans for offset in range(span.start, span.end)}
    for one in claims:
        uncovered = set(range(one.span.start, one.span.end)) - covered
        assert all({offset - 1, offset + 1} & covered for offset in uncovered)


def test_remainders_leave_out_punctuation_and_single_letters() -> None:
    """What a winner leaves of a generic result is only kept where something can be read in it."""
    assert remainders("Durham, N.C. 27701", 0, 18, [(0, 12)]) == [(13, 18)]
    assert remainders("(Durham)", 0, 8, [(1, 7)]) == []
