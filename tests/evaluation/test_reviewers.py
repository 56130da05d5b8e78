"""Two reviewers agree, or a third decides."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from presidio_cdip.cli.agree import agree
from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.reviews.review import Area, Decided, Review
from presidio_cdip.errors import ReviewError
from presidio_cdip.evaluation.reviewers import compare

FOUND = (
    Decided(0, 3, "HEALTH", 0.9),
    Decided(5, 9, "US_SSN", 0.9, "accepted"),
    Decided(10, 14, "HEALTH", 0.5, "rejected"),
)
FIRST = Review("d", Choices(), {"t": FOUND})


def test_reviews_that_say_the_same_agree() -> None:
    """What neither decided is counted, and agreed on."""
    found = compare(FIRST, FIRST)
    assert (found.places, found.same, found.kappa, found.unseen) == (3, 3, 1.0, 1)
    assert not found.differences


def test_each_difference_is_listed_with_what_either_has_there() -> None:
    """Another decision, another entity, other ends, an area that one drew."""
    area = Area("HEALTH", (0.0, 0.0, 5.0, 5.0), 2)
    second = Review(
        "d",
        Choices(),
        {
            "t": (
                Decided(0, 3, "RELIGION", 0.9, "accepted", found_as="HEALTH"),
                Decided(5, 11, "US_SSN", 1.0, "accepted", "reviewer"),
            )
        },
        (area,),
    )
    found = compare(FIRST, second)
    assert [(one.start, one.end, one.first, one.second) for one in found.differences] == [
        (0, 3, "HEALTH", "RELIGION"),
        (5, 9, "US_SSN", "US_SSN 5-11"),
        (5, 11, "US_SSN 5-9", "US_SSN"),
        (10, 14, "stays", "US_SSN 5-11"),
        (0, 0, "stays", "HEALTH"),
    ]


def test_kappa_is_that_of_the_labels() -> None:
    """Two of four places alike: observed .5, expected (3 x 1 + 1 x 3) / 16."""
    labels = ("HEALTH", "HEALTH", "AGE", "HEALTH"), ("HEALTH", "AGE", "AGE", "AGE")
    one, other = (
        Review("d", Choices(), {"t": [Decided(at, at + 1, each) for at, each in enumerate(row)]})
        for row in labels
    )
    kappa = compare(one, other).kappa
    assert kappa == pytest.approx((0.5 - 0.375) / (1 - 0.375))


def test_reviews_of_two_documents_are_not_compared() -> None:
    """Nor those of two readings."""
    with pytest.raises(ReviewError, match="two documents"):
        compare(FIRST, replace(FIRST, check="e"))
    with pytest.raises(ReviewError, match="differently"):
        compare(FIRST, replace(FIRST, texts={}))


def test_the_shell_says_it_and_ends_with_one_where_they_differ(tmp_path: Path) -> None:
    """As a table or as JSON."""
    second = replace(FIRST, texts={"t": (*FOUND[:2], replace(FOUND[2], decision="open"))})
    files = []
    for number, review in enumerate((FIRST, second)):
        files.append(str(tmp_path / f"{number}.json"))
        Path(files[-1]).write_bytes(review.to_bytes())

    same = CliRunner().invoke(agree, [files[0], files[0]], standalone_mode=False)
    assert (same.return_value, "3 of 3" in same.output) == (0, True)
    differs = CliRunner().invoke(agree, [*files, "--format", "json"], standalone_mode=False)
    assert differs.return_value == 1
    assert json.loads(differs.output)["differences"] == [
        {"text": "t", "start": 10, "end": 14, "first": "stays", "second": "HEALTH", "score": 0.5}
    ]
