"""A name that is found once is found wherever else it stands in the document."""

import pytest

from presidio_cdip.recognition.names_again import propagate_names
from presidio_cdip.recognition.spans import Span


def person(text: str, value: str, score: float = 0.9) -> Span:
    start = text.index(value)
    return Span(start, start + len(value), "PERSON", score, "model")


def shown(text: str, *found: Span) -> list[str]:
    return [text[one.start : one.end] for one in propagate_names(text, found)]


def test_whole_and_last_name() -> None:
    """A person is found by the whole name and by the last name alone, but not inside words."""
    text = "Jane A. Pell called. Pell wrote; Pellham and Pell-Mell did not. So did Jane A. Pell."

    assert shown(text, person(text, "Jane A. Pell")) == ["Pell", "Jane A. Pell"]


def test_last_name_before_a_comma() -> None:
    """In "Smith, Jane A." the last name stands before the comma."""
    text = "Lindqvist, Roy B.\nMr. Lindqvist, or Roy"

    assert shown(text, person(text, "Lindqvist, Roy B.")) == ["Lindqvist"]


def test_capitals_possessives_and_double_names() -> None:
    """A name is found in capitals, too, before 's, and if it is written with a hyphen."""
    text = "Jane Pell-Ward came. RE: PELL-WARD\nJANE PELL-WARD took Pell-Ward's chair."

    assert shown(text, person(text, "Jane Pell-Ward")) == [
        "PELL-WARD",
        "JANE PELL-WARD",
        "Pell-Ward",
    ]


def test_common_word_at_a_sentence_head() -> None:
    """A name that is also a common word of the text is skipped at the start of a sentence."""
    text = "Mrs. Hope left. Hope is dear; we hope. We saw Hope."

    assert shown(text, person(text, "Hope")) == ["Hope"]
    assert propagate_names(text, [person(text, "Hope")])[0].start == text.rindex("Hope")


def test_doubtful_names_are_not_propagated() -> None:
    """A name with a score below .8 is not propagated."""
    text = "Pell and Pell"

    assert propagate_names(text, [person(text, "Pell", 0.6)]) == []


def test_a_name_that_was_missed_nearly_everywhere_is_not_propagated() -> None:
    """The name of a people, once taken for a person's, does not cover the document."""
    text = "Jarvi. " + "The Jarvi herd. " * 5

    assert shown(text, person(text, "Jarvi")) == []
    assert shown(text[:-16], person(text, "Jarvi")) == ["Jarvi"] * 4


@pytest.mark.parametrize(
    "initials", ["MT\n", "M.T.\n", "M. T.   ", "MT: done", "  MT - will call", "ref (MT)"]
)
def test_initials_of_a_person_are_found_in_cells(initials: str) -> None:
    """They stand at the end of a line, in a column, before a colon or in brackets."""
    text = f"M. Tanner   x   {initials}"
    found = shown(text, person(text, "M. Tanner"))

    assert [value.strip(". ") for value in found] in (["MT"], ["M.T"], ["M. T"])


@pytest.mark.parametrize(
    "text", ["M. Tanner, of Mt Airy MT 59001", "M. Tanner\nthe MTs", "M. Tanner   TM"]
)
def test_other_letters_are_no_initials(text: str) -> None:
    """Letters within a sentence, of a longer word or of nobody stay."""
    assert shown(text, person(text, "M. Tanner")) == []


def test_initials_follow_the_order_of_the_name() -> None:
    """Of "Pell, Jane A." they are JAP or JP."""
    text = "Pell, Jane A.\n  JAP\n  JP\n  PJ\n"

    assert shown(text, person(text, "Pell, Jane A.")) == ["JAP", "JP"]


def test_a_mail_address_made_of_a_known_name_is_found() -> None:
    """The part before the @ names the person; an address of the office does not."""
    text = "Jane A. Pell: pell@x.org, jane.pell@x.org or jpell@x.org, not office@pell.org. Jane Bo."

    found = shown(text, person(text, "Jane A. Pell"), person(text, "Jane Bo"))

    assert found == ["pell", "jane.pell", "jpell"]
