"""The review file keeps decisions and no text."""

import json

import pytest

from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.reviews.review import Area, Decided, Review
from presidio_cdip.documents.segments import METHODS, NOISES
from presidio_cdip.errors import CdipError, InvalidOption, ReviewError
from tests.documents.reviews.builders import Case

REVIEW = Review(
    "abc",
    Choices(policy="generalize", names=True, entities=("HEALTH",)),
    {"t": (Decided(0, 3, "HEALTH", 0.5, "accepted", "found", "RELIGION", "typed"),)},
    (Area("HEALTH", (1.0, 2.0, 3.0, 4.5), 1, "p"),),
    "Ruth",
)


def test_a_review_is_read_as_it_was_written() -> None:
    """With its options, decisions, areas and reviewer."""
    assert Review.of(REVIEW.to_bytes()) == REVIEW


def test_a_review_file_holds_no_text_of_the_document() -> None:
    """Nor anything from which a short text could be guessed quickly, such as a plain digest."""
    case = Case(b"SSN 123-45-6789\n")
    kept = case.editing.review("Ruth").to_bytes()
    assert b"123" not in kept
    assert b"6789" not in kept
    assert len(case.fingerprint.key) == 32


def test_two_reviews_of_one_document_name_its_texts_alike() -> None:
    """So that they can be compared."""
    first, second = (Case(b"SSN 123-45-6789\n").first for _ in range(2))
    other = Case(b"SSN 123-45-6780\n").first
    assert first.texts.keys() == second.texts.keys()
    assert first.texts.keys().isdisjoint(other.texts.keys())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"presidio_cdip_review": 2}, "version"),
        ({"texts": []}, "texts"),
        ({"texts": {"t": [{"start": 3, "end": 1}]}}, "decision|entity|finding"),
        ({"areas": [{"entity": "X", "page": 0, "box": [1, 1, 1, 1]}]}, "empty"),
        ({"reviewer": 3}, "reviewer"),
    ],
)
def test_a_file_that_is_none_is_refused(change: dict[str, object], problem: str) -> None:
    """With what is wrong, and without what stands there."""
    with pytest.raises(ReviewError, match=problem):
        Review.of(json.dumps({**REVIEW.as_json(), **change}).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_json_object_is_refused(data: bytes) -> None:
    """Also what would exhaust a parser."""
    with pytest.raises(ReviewError):
        Review.of(data)


def test_findings_that_overlap_are_refused() -> None:
    """Unless one of them does not count."""
    one, other = Decided(0, 5, "HEALTH"), Decided(3, 8, "HEALTH")
    data = Review("abc", Choices(), {"t": (one, other)}).to_bytes()
    with pytest.raises(ReviewError, match="overlap"):
        Review.of(data)
    rejected = Decided(3, 8, "HEALTH", decision="rejected")
    assert Review.of(Review("abc", Choices(), {"t": (one, rejected)}).to_bytes()).size == 2


@pytest.mark.parametrize(
    "given", [[], {"policy": 3}, {"colour": "red"}, {"entities": "HEALTH"}, {"names": "yes"}]
)
def test_options_that_are_none_are_refused(given: object) -> None:
    """They come from outside."""
    with pytest.raises(InvalidOption):
        Choices.of(given)


@pytest.mark.parametrize(
    "choices",
    [
        Choices(policy="/etc/passwd"),
        Choices(policy="../surrogate"),
        Choices(locale="xx_YY"),
        Choices(min_score="2"),
        Choices(entities=("NO_SUCH",)),
        Choices(method="crayon"),
        Choices(noise="crayon"),
        Choices(ocr_language="--psm"),
    ],
)
def test_options_that_cannot_be_carried_out_are_refused(choices: Choices) -> None:
    """A policy is a name here, never a file: who asks may be anybody."""
    with pytest.raises(CdipError):
        choices.check()


def test_methods_and_noises_are_those_of_pictures() -> None:
    """The names are known without the imports of pictures."""
    redaction = pytest.importorskip("presidio_cdip.imaging.redaction")
    painting = pytest.importorskip("presidio_cdip.imaging.painting.painting")
    assert set(METHODS) == set(redaction.METHODS)
    assert set(NOISES) == set(painting.NOISES)
