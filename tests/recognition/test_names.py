"""A name that is found once is found wherever else it stands in the document."""

from presidio_cdip.recognition.names import is_name, propagate_names
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


def test_common_word_at_a_sentence_head() -> None:
    """A name that is also a common word of the text is skipped at the start of a sentence."""
    text = "Mrs. Hope left. Hope is dear; we hope. We saw Hope."

    assert shown(text, person(text, "Hope")) == ["Hope"]
    assert propagate_names(text, [person(text, "Hope")])[0].start == text.rindex("Hope")


def test_doubtful_names_are_not_propagated() -> None:
    """A name with a score below .8 is not propagated."""
    text = "Pell and Pell"

    assert propagate_names(text, [person(text, "Pell", 0.6)]) == []


def test_a_part_of_an_e_mail_address_is_no_name() -> None:
    """It would leave an address with a blank in it."""
    text = "Write to irina@valkov.example, or to Irina."

    assert not is_name(text, Span(9, 14, "PERSON", 0.9, "model"))
    assert not is_name(text, Span(15, 21, "LOCATION", 0.9, "model"))
    assert is_name(text, Span(text.index("Irina"), len(text) - 1, "PERSON", 0.9, "model"))


def test_a_mail_address_made_of_a_known_name_is_found() -> None:
    """The part before the @ names the person; an address of the office does not."""
    text = "Jane A. Pell: pell@x.org, jane.pell@x.org or jpell@x.org, not office@pell.org. Jane Bo."

    found = shown(text, person(text, "Jane A. Pell"), person(text, "Jane Bo"))

    assert found == ["pell", "jane.pell", "jpell"]
