"""Words and numbers that a line's end breaks are read as one, at their places in the document."""

import pytest

from presidio_cdip import Pack
from presidio_cdip.recognition.breaks import unbroken
from presidio_cdip.recognition.finder import Finder, rules


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("her hus-\nband Ray", "her husband \nRay"),
        ("her hus-\r\n    band Ray", "her husband \r\n    Ray"),
        ("non-\nsmoker", "non-smoker"),
        ("her son-in-\nlaw", "her son-in-law"),
        ("no. 214-55-\n1234.", "no. 214-55-1234."),
        ("hus-\nband\n\nNext", "husband\n\nNext"),
        ("one \u00ad\ntwo", "one \u00ad\ntwo"),
        ("Smith-\nJones", "Smith-\nJones"),
        (
            "Ash     214-      555-\n        1234      0143",
            "Ash     214-      555-\n        1234      0143",
        ),
        ("Ash     555-\n        0143", "Ash     555-0143"),
        ("Total -\n12", "Total -\n12"),
        ("B-\n12", "B-\n12"),
        ("a list:\n- one", "a list:\n- one"),
    ],
)
def test_a_word_goes_on_behind_a_hyphen(text: str, joined: str) -> None:
    """In small letters, or in digits on both sides; no line becomes empty."""
    assert unbroken(text).text == joined


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("SSN 214-55-\n1234, on file", "214-55-\n1234"),
        ("Home phone: 919-555-\n   0143", "919-555-\n   0143"),
        ("He is di-\nvorced now. Home phone: 919-555-\n0143", "di-\nvorced"),
    ],
)
def test_a_broken_value_is_found_whole(text: str, value: str) -> None:
    """Its span is that of the document, with the hyphen and the line's end."""
    pack = Pack.shipped()

    found = Finder(rules=rules(pack), pack=pack).find(text)

    assert value in [text[one.start : one.end] for one in found]
