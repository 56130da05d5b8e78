"""A value stays of the form that its label, its article or the words beside it ask for."""

import re

import pytest

from tests.marked import replaced


def surrogates(text: str, scopes: int = 30) -> set[str]:
    return {found[0] for found in replaced(text, scopes)}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        # Labels and questions.
        ("Have you had fits?  ⟦HEALTH twice, after a blow⟧\n1958", r"\w+,? [a-z ,]+"),
        ("Insanity in the family?  ⟦HEALTH grandfather insane⟧\n1949", r"(an? |one )?\w+ [a-z ]+"),
        ("Pulse 80.  Hernia? ⟦HEALTH left side, reducible⟧\n1961", r"(?!.*(heart|lung|throat)).+"),
        ("Dr. Low, dentist, 1962\n6   ⟦HEALTH distal caries⟧    filling  8.00", r"[a-z]+ [a-z ]+"),
        ("His rating of ⟦HEALTH 3O per cent⟧ was cut in 1969.", r"\d0 per cent"),
        ("Straight leg raise ⟦HEALTH 50 degrees left⟧, 1986", r"\d0 degrees left"),
        ("Mother well.  Last menses  ⟦HEALTH March 9⟧.  Albumin 0. 1951", r"[A-Z][a-z]+ 9"),
        ("Pregnancy test (urine)   ⟦HEALTH Negative⟧\n1998", r"(?!.*range).+"),
        # Articles, number and verbs.
        ("I woke with a ⟦HEALTH sick headache⟧. 1938", r"(?!.*ness)[a-z ]+"),
        ("She came home with a ⟦HEALTH split lip⟧. 1951", r"[a-z]+(ed|t|en) [a-z]+"),
        ("Brought in on ⟦HEALTH crutches⟧ in 1931.", r"(?!.*brace)[a-z ]+"),
        ("He lost ⟦HEALTH five shifts⟧ in March 1973.", r"[a-z]+ shifts"),
        ("Absent a ⟦HEALTH whole term⟧ in 1930.", r"[a-z]+( [a-z]+)?"),
        ("Diagnosis 1944: ⟦HEALTH gallstones⟧", r"(?!.*(hernias|ulcers|hemorrhoids)).+"),
        ("The new ⟦HEALTH tablets⟧ came in 1996.", r"(?!an? ).+"),
        # Names within a value and within the value's own words.
        ("In 2016 Max had ⟦HEALTH Lewy body dementia⟧ badly.", r"[a-z].+"),
        ("He had ⟦HEALTH bowel surgery⟧ in 1988.", r"[a-z ]+ surgery"),
        ("He had an ⟦HEALTH itchy tongue⟧ in 1988.", r"(?!.* (liver|heart|lung)\Z).+"),
    ],
)
def test_a_value_has_the_form_that_is_asked_for(text: str, form: str) -> None:
    """The label, the article and the verb beside it stay."""
    found = surrogates(text)

    assert len(found) >= 3, found
    assert all(re.fullmatch(form, one) for one in found), found


def test_no_article_stands_before_what_is_not_counted() -> None:
    """Nobody has a dizziness."""
    found = surrogates("In 1980 he had a ⟦HEALTH nosebleed⟧ and left.", 60)

    assert not {one for one in found if re.search(r"(ness|itis|ing|[^s]s)\Z", one)}


def test_a_condition_is_no_finding() -> None:
    """What is looked for only if somebody has a symptom has not been found."""
    found = surrogates("Suggest a biopsy if there is ⟦HEALTH bowel pain⟧. 1998", 30)

    assert not {one for one in found if re.search("cells|granuloma|margins", one)}


def test_equal_results_of_two_questions_stay_ticked_options() -> None:
    """Neither tells the other, so that the marks move."""
    text = (
        "HIV test      [ ] Pos  [X] ⟦HEALTH Neg⟧   [ ] Refused\n"
        "TB skin test  [ ] Pos  [X] ⟦HEALTH Neg⟧\n"
    )

    assert {one for found in replaced(text, 10) for one in found} == {"Neg", "[ ]", "[X]"}
