"""Codes of a list that a legend explains."""

from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates

KEY = bytes(range(32))
SHEET = "F = for us, A = against, D = doubtful, R = removed.\n416 Coyle F\n417 Hirst D"


def of_letter(text: str, letter: str, key: int) -> str:
    """Return the surrogate of the last *letter* of *text*."""
    at = text.rindex(letter)
    context = Context(Page(text), at, at + 1)
    return Surrogates(KEY, str(key)).surrogate("POLITICAL_OPINION", letter, context)


def test_a_code_becomes_another_code_of_the_legend() -> None:
    """A letter that the page explains stays one of its letters, and each of them is drawn."""
    drawn = {of_letter(SHEET, "F", key) for key in range(40)}

    assert drawn == {"A", "D", "R"}


def test_equal_codes_stay_equal() -> None:
    """All rows with one letter get one letter."""
    page = SHEET + "\n418 Dawes F"

    assert of_letter(page, "F", 1) == of_letter(SHEET, "F", 1)


def test_two_codes_are_no_legend() -> None:
    """Of two codes each would tell the other."""
    drawn = {of_letter("F = for us, A = against.\n416 Coyle F", "F", key) for key in range(40)}

    assert drawn != {"A"}


def test_another_list_of_the_page_is_no_part_of_a_legend() -> None:
    """It has another sign between a code and its meaning, or a code that was there before."""
    status = "M = married, S = single, W = widowed. Sex: F - Female, X - other.\nCoyle M"
    speech = "F: for, A: against, D: doubtful. A: Hello. Q: Why not?\nCoyle F"

    assert {of_letter(status, "M", key) for key in range(40)} == {"S", "W"}
    assert {of_letter(speech, "F", key) for key in range(40)} == {"A", "D"}


def test_a_legend_needs_no_sign() -> None:
    """Its codes are numbers in order, or begin the words that they stand for."""
    numbers = "Colour: 1 White  2 Negro  3 Indian  4 Other\n416 Coyle  3"
    initials = "Key. P Prot.  C Cath.  J Jew.  N none\n416 Coyle  C"

    assert {of_letter(numbers, "3", key) for key in range(40)} == {"1", "2", "4"}
    assert {of_letter(initials, "C", key) for key in range(40)} == {"P", "J", "N"}


def test_numbers_that_skip_are_no_legend() -> None:
    """Quantities before words look like entries, too."""
    page = "2 eggs, 3 rolls, 5 apples\n416 Coyle  3"

    assert not {of_letter(page, "3", key) for key in range(40)} <= {"2", "5"}
