"""What a form prints to choose from is no value as long as nothing is chosen."""

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import Finder, finder, rules
from presidio_cdip.recognition.unticked import is_unticked


@pytest.fixture(scope="module", params=["rules", "rules and model"])
def either(request: pytest.FixtureRequest) -> Finder:
    """The rules alone, and with the model."""
    pack = Pack.shipped()
    return finder() if request.param != "rules" else Finder(rules=rules(pack), pack=pack)


def found(found_by: Finder, text: str) -> list[str]:
    return [text[span.start : span.end] for span in found_by.find(text, min_score=0.4)]


@pytest.mark.parametrize(
    "text",
    [
        "Present health: Good Fair Poor (underline one)",
        "Epilepsy  Yes No   Migraine  Yes No",
        "Rheumatism?  Y / N",
        "Were you ever a citizen of another country?  Yes ___  No ___",
        "Are you single, married, separated or divorced?",
        "Marital status: single / married / widowed / divorced",
        "Race: White Black Asian Other (check one)",
        "Sex:  Male  Female",
        "Husband: n/a",
        "Spouse's name:  N/A",
        "Name of wife (if married): not applicable",
    ],
)
def test_options_without_a_mark_are_none(either: Finder, text: str) -> None:
    """Neither are the words for a value that is not given, nor the label before them."""
    assert found(either, text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Present health: Good", "Good"),
        ("Are you married?  Yes", "Yes"),
        ("Marital status: single / MARRIED / widowed / divorced", "MARRIED"),
        ("Check one: ( ) Methodist (x) Lutheran ( ) Baptist ( ) Other", "Lutheran"),
        ("Please mark:  [ ] Single  [X] Widowed  [ ] Divorced", "Widowed"),
    ],
)
def test_a_choice_is_found(either: Finder, text: str, value: str) -> None:
    """By its mark, by its capitals, or alone behind the question."""
    assert found(either, text) == [value]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Ever arrested? Yes No X", "No"),
        ("Ulcers X Yes No", "Yes"),
        ("Do you have epilepsy? *Yes No", "Yes"),
        ("Present health: Good Fair Poor ___ X", "Poor"),
        ("Health (husband, wife, child): good, fair, poor", "fair"),
        ("Asthma (father, mother): no yes", "yes"),
    ],
)
def test_a_row_with_a_mark_beside_it_is_answered(text: str, word: str) -> None:
    """So are the words of several persons with commas between."""
    start = text.index(word)

    assert not is_unticked(text, start, start + len(word))
