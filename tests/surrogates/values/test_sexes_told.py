"""Sexes that a page tells by what only one sex has, and by names."""

import pytest

from presidio_cdip import steps
from presidio_cdip.recognition.spans import Span

SCOPES = range(16)


def sexes(text: str, value: str) -> set[str]:
    """Return the surrogates of *value* in *text*, which stands there once."""
    start = text.index(value)
    spans = [Span(start, start + len(value), "GENDER", 1.0, "")]
    key = "a key of at least 16 bytes!"
    return {
        steps.anonymize(text, spans, steps.steps("surrogate", key, f"{scope}")).items[0].text
        for scope in SCOPES
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A 26-year-old female in labor since noon.", "female"),
        ("Seen: woman of 31, two days after a Caesarean.", "woman"),
        ("A 52-year-old man, unshaven, smelling of drink.", "man"),
        ("Newborn male, hypospadias noted.", "male"),
        ("Student, male, 20, rushed a fraternity last fall.", "male"),
        ("Girl of 14, no menarche as yet.", "Girl"),
        ("Chidinma Okeke, a 40-year-old female, fell on ice.", "female"),
        ("Name,Ward,Sex\nOkeke Chidinma,3,Female\n", "Female"),
        ("Pupil's name;Sex\nQuispe, Illari;Male\n", "Male"),
    ],
)
def test_a_sex_stays_beside_what_tells_it(text: str, value: str) -> None:
    """What only one sex has tells it, and so does a name that no list has."""
    assert sexes(text, value) == {value}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A 26-year-old female with a cough.", "female"),
        ("General Hospital received a male of 30 with burns.", "male"),
        ("Case,Sex\nB-12,Female\n", "Female"),
    ],
)
def test_a_sex_is_drawn_where_nothing_tells_it(text: str, value: str) -> None:
    """A hospital is no person, and a number is none."""
    assert len(sexes(text, value)) == 2
