"""A state of marriage agrees with the fields of its form, and with the options that it prints."""

import re

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import anonymize, in_scope, steps
from presidio_cdip.surrogates.drawing.lists import terms
from presidio_cdip.surrogates.writing.text import folded

KEY = bytes(range(32))


def texts(marked: str) -> set[str]:
    """Return what becomes of a text, in 12 scopes, whose states are marked with ⟦⟧."""
    plain, spans, at = "", [], 0
    for one in re.finditer(r"⟦(.+?)⟧", marked):
        plain += marked[at : one.start()]
        spans.append(Span(len(plain), len(plain) + len(one[1]), "MARITAL_STATUS", 1.0, ""))
        plain, at = plain + one[1], one.end()
    plain += marked[at:]
    made = steps("surrogate", KEY)
    return {anonymize(plain, spans, in_scope(made, f"doc-{at}")).text for at in range(12)}


def states(marked: str) -> set[str]:
    """Return the words of the first line of the texts that are written for *marked*."""
    return {one.split("\n")[0] for one in texts(marked)}


@pytest.mark.parametrize(
    "text",
    [
        "Status: ⟦Married⟧\nHusband's occupation: machinist",
        "Status: ⟦M⟧\nName of spouse: ⟦Ruth Horn⟧",
        "Status: ⟦M⟧\nEmployer of husband: Nickel Plate RR",
        "[ ] Single  [X] ⟦Married⟧  [ ] Divorced\nWife's name: ⟦Ruth⟧   Children: 2",
        "Single, married   ⟦Married⟧\nName of wife, if travelling    Ruth",
    ],
)
def test_a_spouse_in_a_field_of_the_form_keeps_the_state(text: str) -> None:
    """Another state would contradict the field, and hide nothing."""
    assert states(text) == {re.sub("[⟦⟧]", "", text.split("\n")[0])}


@pytest.mark.parametrize(
    "text",
    [
        "Status: ⟦Married⟧\nHusband's occupation: ______",
        "Status: ⟦Married⟧\nName of deceased wife: Ruth",
        "Status: ⟦Married⟧\nMother's name: Ruth",
        "Status: ⟦Married⟧\nName: Mary Toll\nHusband's name: Otto",
        "Status: ⟦Married⟧   Brother: ⟦Single⟧\nWife's name: Ruth",
        "Status: ⟦Married⟧\nHis former wife is Ruth.",
        "Status: ⟦Married⟧   Brother: ⟦Single⟧\nHis wife is Ruth.",
    ],
)
def test_nothing_else_keeps_it(text: str) -> None:
    """An empty field, a spouse who is dead, and those of other records tell no marriage."""
    assert not any(one.startswith("Status: Married") for one in states(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Civil condition: ⟦Married⟧\nMy wife says that I call out.", {"Married", "Separated"}),
        ("Status: ⟦Married⟧. Wife housebound, two sons.", {"Married", "Separated"}),
        ("Civil state: ⟦married⟧, wife not working. Family: none", {"married", "separated"}),
        ("Status: ⟦Married⟧\nFirst wife died. His wife is at home.", {"Married"}),
        ("Status: ⟦Married⟧\nWife's name: Ruth\nHis wife is at home.", {"Married"}),
        ("Condition: ⟦separated⟧. His wife took the girls to Leeds.", {"separated", "married"}),
        ("Status: ⟦Widower⟧. First wife, Alma, died in childbirth.", {"Widowed", "Married"}),
        ("Marital: ⟦Wid.⟧\nHusband was killed at Mons.", {"Wid.", "Mar."}),
        ("4  Toll, Miss Ada   19  ⟦S.⟧", {"S."}),
        ("4  Toll, Mrs. Ada   19  ⟦W⟧", {"W", "M", "D"}),
        ("Name: Miss Ada Toll\nStatus: ⟦Unmarried⟧", {"Unmarried"}),
    ],
)
def test_an_answer_agrees_with_the_rest_of_its_page(text: str, told: set[str]) -> None:
    """A wife or a husband who lives or has died, and a title, leave some states."""
    before, after = re.split("⟦.+?⟧", text, maxsplit=1)
    after = re.sub("[⟦⟧]", "", after)
    found = {one[len(before) : len(one) - len(after)].strip() for one in texts(text)}

    assert found <= told
    assert len(found) > 1 or len(told) == 1


@pytest.mark.parametrize(
    ("states_told", "rest"),
    [
        (("Married", "Separated"), "His wife lives in town."),
        (("Married", "Widowed"), "His wife died in March."),
    ],
)
def test_the_state_that_comes_out_does_not_tell_which_it_was(
    states_told: tuple[str, str], rest: str
) -> None:
    """Each of the states that agree becomes each of them."""
    for one in states_told:
        assert states(f"Status: ⟦{one}⟧\n{rest}") == {f"Status: {other}" for other in states_told}


def test_a_wife_who_is_replaced_tells_no_state() -> None:
    """She may become a cousin."""
    assert "Status: Separated" not in states("Status: ⟦Separated⟧\nHis ⟦wife⟧ lives in town.")


def test_nobody_without_a_spouse_becomes_married() -> None:
    """The form says in its field that there is no spouse."""
    printed = "Single, married, widowed or divorced: ⟦Divorced⟧\nName of spouse: n/a"
    boxes = "Status:  [ ] Single  [ ] Married  [X] ⟦Divorced⟧  [ ] Widowed\nSpouse: none"

    assert states(printed) == {
        f"Single, married, widowed or divorced: {one}" for one in ("Single", "Widowed")
    }
    assert not any("[X] Married" in one for one in states(boxes))


def test_an_answer_becomes_one_that_the_question_prints() -> None:
    """A form that asks for three states has no fourth."""
    assert states("Married, single or widower: ⟦Married⟧") == {
        f"Married, single or widower: {one}" for one in ("Single", "Widower")
    }
    assert states("Civil status (single/married): ⟦married⟧") == {
        f"Civil status (single/married): {one}" for one in ("single", "married")
    }


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Mr. and Mrs. Toll of Dover. ⟦Married⟧ nine years.", True),
        ("Mr. and Mrs. Toll have been ⟦married⟧ nine years.", True),
        ("Mr. and Mrs. Toll came. His sister is ⟦married⟧.", False),
    ],
)
def test_a_couple_stays_married(text: str, stays: bool) -> None:
    """Of Mr. and Mrs. no other state can be said."""
    assert (texts(text) == {re.sub("[⟦⟧]", "", text)}) == stays


def test_a_last_name_that_stays_elsewhere_stays_with_the_spouse() -> None:
    """Where names are not replaced, a couple still has one name, and the first names change."""
    found = texts("Applicant: Ruth Kessler\nHusband's name: ⟦Leonard Kessler⟧, called Leonard")

    assert len(found) > 1
    assert all(
        re.fullmatch(r"Applicant: Ruth Kessler\nHusband's name: (\w+) Kessler, called \1", one)
        for one in found
    )
    assert not any("Leonard" in one for one in found)
    assert not any("Kessler" in one for one in texts("Husband's name: ⟦Leonard Kessler⟧"))
    assert all(
        re.fullmatch(r"Ruth Kessler (?:\S+ ){3,5}\w+ Kessler\.", one)
        for one in texts("Ruth Kessler ⟦became the bride of Harold Kessler⟧.")
    )


@pytest.mark.parametrize("value", ["young widow", "young widow of Jacob Toll", "war widow"])
def test_of_a_name_stands_a_tie(value: str) -> None:
    """Nobody is the separated lady of somebody."""
    text = f"She is the ⟦{value}⟧ of Jacob Toll." if "of" not in value else f"She is the ⟦{value}⟧."
    pattern = r"She is the (?:former|estranged) wife of \w+ \w+\."

    assert all(re.fullmatch(pattern, one) for one in texts(text))


def test_a_wife_is_no_partner_of_todays_words() -> None:
    """On a page that does not tell its year what is drawn fits any."""
    assert texts("His young ⟦wife⟧ came.") == {
        f"His young {one} came." for one in ("companion", "fiancée")
    }


@pytest.mark.parametrize(
    ("field", "shape"),
    [
        ("Wife's name: ⟦Anna (Hess) Kerr⟧", r"\w+ \(\w+\) \w+"),
        ("Name of husband: ⟦Roy “Bud” Kerr⟧", r"\w+ “\w+” \w+"),
        ("Spouse: ⟦Kerr, Anna (Mrs.)⟧", r"\w+, \w+ \(Mrs\.\)"),
        ("Spouse's full name: ⟦Anna Kerr (deceased)⟧", r"\w+ \w+ \(deceased\)"),
        ("Wife: ⟦Carmen de los Rios⟧", r"\w+ de los \w+"),
    ],
)
def test_a_name_in_the_field_of_a_spouse_stays_a_name(field: str, shape: str) -> None:
    """Quotes, brackets and particles belong to it."""
    label = re.escape(field.partition("⟦")[0])

    assert all(re.fullmatch(label + shape, one) and "Kerr" not in one for one in texts(field))


@pytest.mark.parametrize("label", ["Wife's maiden name", "Spouse's last name", "Surname"])
def test_a_last_name_behind_its_label_becomes_one(label: str) -> None:
    """It is no first name, though it stands alone."""
    lasts = {folded(one) for one in terms("last_names", Pack.shipped())}

    assert {folded(one.partition(": ")[2]) for one in texts(f"{label}: ⟦Ward⟧")} <= lasts


@pytest.mark.parametrize("text", ["Spouse: ⟦Deceased⟧", "Wife: ⟦(Separated)⟧"])
def test_a_state_in_the_field_of_a_spouse_stays_a_state(text: str) -> None:
    """It is no name, whatever stands around it."""
    women = {folded(one) for one in terms("first_names_female", Pack.shipped())}

    assert not {folded(one.partition(": ")[2]) for one in texts(text)} & women
