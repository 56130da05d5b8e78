"""A name that is found once is found wherever else it stands in the document."""

from pathlib import Path

import pytest

from presidio_cdip.pack.pack import Pack
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


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("Sharp", "Sharp practice was alleged."),
        ("Snow", "Snow fell all night."),
        ("Street", "Street lamps were lit."),
    ],
)
def test_name_that_is_a_word_of_the_language(name: str, rest: str) -> None:
    """At a sentence's head, if it alone was found, it is skipped even if no other one is there."""
    assert shown(f"Mr. {name} came in. {rest}", person(f"Mr. {name} came in.", name)) == []


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("Ada Frost", "Frost is better today."),
        ("James Hall", "Hall was treated."),
        ("Robert Young", "Young smokes."),
    ],
)
def test_the_last_name_of_a_whole_one_is_found_at_a_sentences_head(name: str, rest: str) -> None:
    """Even if it is a word, too: who is named in full before is meant."""
    text = f"{name} came in. {rest}"

    assert shown(text, person(text, name)) == [name.split()[1]]


@pytest.mark.parametrize("rest", ["Snow denied it.", "Snow's coat", "Snow, who left", "To Snow we"])
def test_name_that_is_a_word_and_acts(rest: str) -> None:
    """What persons do, and what is in the middle of a sentence, tells that it is a name."""
    assert shown(f"Ruth Snow came in. {rest}", person("Ruth Snow", "Ruth Snow")) == ["Snow"]


def test_common_word_in_capitals() -> None:
    """In a heading capitals do not show that a common word of the text is a name."""
    text = "Mr. John Price left. The price rose.\nNOTICE OF PRICE RISE\nPRICE LIST\nas Price said"

    assert shown(text, person(text, "John Price")) == ["Price"]
    assert shown(text.replace("price", "value"), person(text, "John Price"))[:2] == ["PRICE"] * 2


def test_the_longest_name_is_found() -> None:
    """Names with the same first word, and over a line's end, are found in full."""
    text = (
        "Jane Pell, Jane Pell-Ward, Jane Pell Olsen. Jane\n Pell Olsen, Jane Pell-Ward's, Jane Pell"
    )
    known = [person(text, value) for value in ("Jane Pell", "Jane Pell-Ward", "Jane Pell Olsen")]

    assert shown(text, *known) == ["Jane\n Pell Olsen", "Jane Pell-Ward", "Jane Pell"]


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
    "initials", ["KT\n", "K.T.\n", "K. T.   ", "KT: done", "  KT - will call", "ref (KT)"]
)
def test_initials_of_a_person_are_found_in_cells(initials: str) -> None:
    """They stand at the end of a line, in a column, before a colon or in brackets."""
    text = f"K. Tanner   x   {initials}"
    found = shown(text, person(text, "K. Tanner"))

    assert [value.strip(". ") for value in found] in (["KT"], ["K.T"], ["K. T"])


@pytest.mark.parametrize(
    "text", ["K. Tanner, of Kt Airy KT 59001", "K. Tanner\nthe KTs", "K. Tanner   TK"]
)
def test_other_letters_are_no_initials(text: str) -> None:
    """Letters within a sentence, of a longer word or of nobody stay."""
    assert shown(text, person(text, "K. Tanner")) == []


def test_initials_follow_the_order_of_the_name() -> None:
    """Of "Pell, Jane A." they are JAP or JP."""
    text = "Pell, Jane A.\n  JAP\n  JP\n  PJ\n"

    assert shown(text, person(text, "Pell, Jane A.")) == ["JAP", "JP"]


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("Oscar Klein", "Status: OK / OK"),
        ("Patrick Marsh", "Time: 9:00  PM"),
        ("Patrick Marsh", "Time: 9:00  P.M."),
        ("Ida Dean", "Kind:  ID"),
        ("Carl Oz", "State: CO"),
        ("Nina Olsen", "Smoker:  NO"),
        ("Nina Adler", "Phone:  NA"),
        ("Victor Pell", "Title:  VP"),
        ("Sue Ann Tate", "Day:  SAT"),
        ("Mary Dean", "Degree:  MD"),
    ],
)
def test_answers_states_and_abbreviations_are_no_initials(name: str, cell: str) -> None:
    """They fill cells of a form as initials do."""
    text = f"{name}\n{cell}\n"

    assert shown(text, person(text, name)) == []


def test_a_pack_lists_letters_that_are_no_initials(tmp_path: Path) -> None:
    """Abbreviations of its documents are added to ours, and ours may be taken away."""
    folder = tmp_path / "recognizers" / "gazetteers"
    folder.mkdir(parents=True)
    (folder / "no_initials.extra.txt").write_text("QX\n")
    (folder / "no_initials.except.txt").write_text("VP\n")
    text = "Quinn Xavier, Victor Pell\n  QX\n  VP\n"
    both = [person(text, "Quinn Xavier"), person(text, "Victor Pell")]

    assert shown(text, *both) == ["QX"]
    again = propagate_names(text, both, pack=Pack.open(tmp_path))
    assert [text[one.start : one.end] for one in again] == ["VP"]


def test_letters_in_very_many_cells_are_no_initials() -> None:
    """A code of a column is not the person who signs once."""
    text = "K. Tanner\n" + "  KT\n" * 5

    assert shown(text, person(text, "K. Tanner")) == []
    assert shown(text[:-5], person(text, "K. Tanner")) == ["KT"] * 4


def test_a_mail_address_made_of_a_known_name_is_found() -> None:
    """The part before the @ names the person; an address of the office does not."""
    text = "Jane A. Pell: pell@x.org, jane.pell@x.org or jpell@x.org, not office@pell.org. Jane Bo."

    found = shown(text, person(text, "Jane A. Pell"), person(text, "Jane Bo"))

    assert found == ["pell", "jane.pell", "jpell"]
