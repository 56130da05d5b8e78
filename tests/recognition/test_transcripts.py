"""The numbers of a transcript's lines are no ages; the answers are."""

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.finder import Finder, rules


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("11 Q. What is your age?\n12 A. 46.", "46"),
        ("8 Q And your age?\n9 A 46.", "46"),
        ("25 Q. How old are you?\n1 A. 46.", "46"),
        ("12 Q. State your age. 13 A. Well, I am 46 years old.", "46 years old"),
    ],
)
def test_an_answer_is_found_behind_its_number(text: str, age: str) -> None:
    """The rules alone find the answer, not the number before it."""
    pack = Pack.shipped()

    found = Finder(rules=rules(pack), pack=pack).find(text)

    assert [text[one.start : one.end] for one in found] == [age]
