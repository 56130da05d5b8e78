"""A reviewer decides, adds, and takes decisions back."""

from dataclasses import replace

import pytest

from presidio_cdip.documents.reviews.editing import Editing
from presidio_cdip.documents.reviews.review import Decided, Review
from presidio_cdip.errors import ReviewError
from tests.documents.reviews.builders import Case

NOTE = b"Ann had the flu, 123-45-6789.\nBob had the flu.\n\nAnn Ruth stays in ward 7.\n"


@pytest.fixture
def case() -> Case:
    """A note with one number and an illness twice."""
    return Case(NOTE)


def decisions(case: Case) -> list[tuple[str, str, str]]:
    """Value, entity and decision of each finding."""
    return [
        (case.editing.value(one), one.decided.entity, one.decided.decision)
        for one in case.editing.findings()
    ]


def test_what_is_found_is_open(case: Case) -> None:
    """In the order of the document."""
    assert decisions(case) == [
        ("flu", "HEALTH", "open"),
        ("123-45-6789", "US_SSN", "open"),
        ("flu", "HEALTH", "open"),
    ]


def test_a_decision_counts_for_one_finding_or_for_all_alike(case: Case) -> None:
    """A person may keep one mention and hide the others."""
    first = case.named("flu")
    case.editing.change([first], decision="accepted")
    assert [one[2] for one in decisions(case)] == ["accepted", "open", "open"]

    changes = case.editing.change([first], decision="rejected", everywhere=True)
    assert [one[2] for one in decisions(case)] == ["rejected", "open", "rejected"]
    assert len(changes.changed) == 2


def test_another_entity_remembers_as_what_it_was_found(case: Case) -> None:
    """And forgets it when it is that again."""
    name = case.named("flu")
    (changed,) = case.editing.change([name], entity="GENETIC_DATA").changed
    assert (changed.decided.entity, changed.decided.found_as) == ("GENETIC_DATA", "HEALTH")
    (changed,) = case.editing.change([name], entity="HEALTH").changed
    assert changed.decided.found_as == ""


def test_words_can_be_added_once_or_everywhere(case: Case) -> None:
    """Elsewhere only as a whole: Ann, not the beginning of a longer word."""
    case.editing.add(0, 0, 3, "PERSON")
    assert ("Ann", "PERSON", "accepted") in decisions(case)
    case.editing.undo()
    case.editing.add(0, 0, 3, "PERSON", everywhere=True)
    assert [one for one in decisions(case) if one[1] == "PERSON"] == [
        ("Ann", "PERSON", "accepted")
    ] * 2


def test_a_selection_takes_the_place_of_what_it_overlaps(case: Case) -> None:
    """And its blanks do not count."""
    start = NOTE.index(b" the flu,")
    changes = case.editing.add(0, start, start + len(" the flu"), "HEALTH")
    assert ("the flu", "HEALTH", "accepted") in decisions(case)
    assert len(changes.removed) == 1


def test_a_selection_over_lines_becomes_a_finding_on_each(case: Case) -> None:
    """Offsets of a review never cross what is rewritten apart."""
    case.editing.add(0, NOTE.index(b"Bob"), NOTE.index(b"stays"), "PERSON")
    values = [value for value, entity, _ in decisions(case) if entity == "PERSON"]
    assert values == ["Bob had the flu.", "Ann Ruth"]


def test_every_change_can_be_taken_back_and_made_again(case: Case) -> None:
    """Until another change is made."""
    before = decisions(case)
    case.editing.change([case.named("flu")], decision="rejected", everywhere=True)
    case.editing.add(0, 0, 3, "PERSON")
    after = decisions(case)

    case.editing.undo()
    case.editing.undo()
    assert decisions(case) == before
    assert not case.editing.can_undo

    case.editing.redo()
    case.editing.redo()
    assert decisions(case) == after
    case.editing.undo()
    case.editing.change([case.named("123-45-6789")], decision="accepted")
    assert not case.editing.can_redo


def test_only_what_the_reviewer_added_can_be_removed(case: Case) -> None:
    """What was found is rejected, so that the review tells of it."""
    with pytest.raises(ReviewError, match="reject it"):
        case.editing.remove(case.named("flu"))
    (added,) = case.editing.add(0, 0, 3, "PERSON").changed
    assert case.editing.remove(added.id).removed == [added.id]


def test_a_rejected_finding_cannot_come_back_under_another(case: Case) -> None:
    """Two that count never overlap."""
    flu = case.named("flu")
    case.editing.change([flu], decision="rejected")
    start = NOTE.index(b"the flu")
    case.editing.load(
        Review(
            case.first.check,
            case.first.choices,
            {
                text: [
                    *(one for one in found),
                    type(found[0])(start, start + 5, "HEALTH", by="reviewer"),
                ]
                for text, found in case.editing.review().texts.items()
            },
        )
    )
    with pytest.raises(ReviewError, match="another finding"):
        case.editing.change([case.named("flu")], decision="accepted")


def test_a_review_of_another_document_is_refused(case: Case) -> None:
    """Its offsets would hit anything."""
    other = Case(b"Bob had the flu.\n")
    with pytest.raises(ReviewError, match="another document"):
        Editing(other.reading, case.first, other.fingerprint)


def test_unknown_names_are_refused(case: Case) -> None:
    """Before anything changes."""
    with pytest.raises(KeyError):
        case.editing.change([case.named("flu"), "f99"], decision="rejected")
    assert case.editing.version == 0


def test_rejected_findings_that_overlap_do_not_both_return() -> None:
    """Of two readings of one place, one is rejected."""
    case = Case(NOTE)
    first = case.reading.texts[0].index("had the flu")
    review = case.editing.review()
    (text,) = review.texts
    both = [
        Decided(first, first + 11, "HEALTH", decision="rejected"),
        Decided(first + 4, first + 11, "AGE", decision="rejected"),
    ]
    case.editing.load(replace(review, texts={text: both}))
    names = [one.id for one in case.editing.findings()]

    with pytest.raises(ReviewError, match="reject that one first"):
        case.editing.change(names, decision="accepted")

    assert case.editing.change(names[:1], decision="accepted").changed


def test_a_review_that_is_loaded_says_why_again(case: Case) -> None:
    """The file holds no reasons; those of what was found are known."""
    before = [one.decided.why for one in case.editing.findings()]
    assert all(before)

    case.editing.load(Review.of(case.editing.review().to_bytes()))

    assert [one.decided.why for one in case.editing.findings()] == before
