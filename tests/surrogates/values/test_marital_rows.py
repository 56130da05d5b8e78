"""States of marriage of several persons on a page follow one permutation."""

import re

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import anonymize, in_scope, steps
from presidio_cdip.surrogates.drawing.lists import rows

KEY = bytes(range(32))
PACK = Pack.shipped()
STATES = {"single", "married", "widowed", "divorced", "separated"}
PLANT = (
    "Ohio plant, 1987\nKeller   ⟦Married⟧\nMoore    ⟦Single⟧\n"
    "Diaz     ⟦Divorced⟧\nFox      ⟦Married⟧"
)
WEDDINGS = (
    "Solemnized 1884\nJohn Hall, ⟦bachelor⟧, and Ann Bird, ⟦spinster⟧\n"
    "Peter Vane, ⟦widower⟧, and Ruth Moss, ⟦spinster⟧"
)


def drawn(marked: str, scopes: int = 40) -> list[list[str]]:
    """Return what becomes of the values marked with ⟦⟧, by scope; ages have digits first."""
    plain, spans, at = "", [], 0
    for one in re.finditer(r"⟦(.+?)⟧", marked):
        plain += marked[at : one.start()]
        entity = "AGE" if re.fullmatch(r"\d\d", one[1]) else "MARITAL_STATUS"
        spans.append(Span(len(plain), len(plain) + len(one[1]), entity, 1.0, ""))
        plain, at = plain + one[1], one.end()
    plain += marked[at:]
    made = steps("surrogate", KEY)
    between = re.split(r"⟦.+?⟧", marked)
    says = re.compile("(.+?)".join(map(re.escape, between)))
    found = []
    for scope in range(scopes):
        written = says.fullmatch(anonymize(plain, spans, in_scope(made, f"doc-{scope}")).text)
        assert written is not None
        found.append(list(written.groups()))
    return found


def test_different_states_become_different_ones() -> None:
    """Equal states become equal ones, and none stays as it was."""
    pages = drawn(PLANT)

    assert all(page[0] == page[3] and len(set(page)) == 3 for page in pages)
    assert all(page[0] != "Married" and page[1] != "Single" for page in pages)
    assert len({tuple(page) for page in pages}) > 5


def test_common_states_are_drawn_most() -> None:
    """Before divorces were common, most rows that were married or single are one of the two."""
    page = "Jury, 1893\n" + "\n".join(
        f"Hall   ⟦{one}⟧" for one in ("married", "married", "married", "single", "single")
    )

    written = [one for made in drawn(page) for one in made]

    assert sum(one in ("married", "single") for one in written) > len(written) / 2
    assert sum(one in ("divorced", "separated") for one in written) < len(written) / 5


def test_of_two_states_each_may_stay() -> None:
    """Else the other one would tell it."""
    pages = drawn("Jury, 1893\nHall   ⟦married⟧\nBell   ⟦single⟧\nVane   ⟦single⟧")

    assert all(page[0] != page[1] == page[2] for page in pages)
    assert {"married", "single"} < {page[0] for page in pages}


@pytest.mark.parametrize(
    ("page", "allowed"),
    [
        ("1920\nHall   ⟦M⟧\nBell   ⟦S⟧\nVane   ⟦W⟧\nCole   ⟦M⟧", "[MSWD]"),
        ("1920\nHall   ⟦Mar.⟧\nBell   ⟦Sgl.⟧\nVane   ⟦Wid.⟧", r"(?:Mar|Sgl|Wid|Div|Sep)\."),
        ("1920\nHall   ⟦MARRIED⟧\nBell   ⟦SINGLE⟧\nVane   ⟦WIDOWED⟧", "[A-Z]{6,9}"),
    ],
)
def test_a_state_is_written_as_it_was(page: str, allowed: str) -> None:
    """A code stays a code, and a short form a short one."""
    pages = drawn(page)

    assert all(re.fullmatch(allowed, one) for made in pages for one in made)
    assert all(len(set(made)) == 3 for made in pages)


def test_a_register_of_marriages_has_nobody_who_is_married() -> None:
    """Bachelors, spinsters and widowers replace one another, and a few divorced."""
    allowed = {"bachelor", "spinster", "widower", "widow", "divorced", "divorcee"}

    assert {one for page in drawn(WEDDINGS) for one in page} <= allowed


def test_parents_are_not_single() -> None:
    """A row that has children stays one of somebody who is, or was, married."""
    page = "Members 1962\nHall   ⟦married, 2 children⟧\nBell   ⟦single⟧\nVane   ⟦divorced⟧"

    assert not any(made[0].startswith("single") for made in drawn(page))
    assert not any(
        made[0] == "Single" for made in drawn("1962\nA   ⟦Married⟧   ⟦3⟧\nB   ⟦Single⟧   ⟦0⟧")
    )


def test_a_child_of_a_census_stays_single() -> None:
    """Its age tells it; other rows that are single are replaced."""
    page = (
        "1920\nTom Hall   ⟦12⟧   ⟦S⟧\nRuth Moss   ⟦30⟧   ⟦S⟧\n"
        "Carl Vane   ⟦61⟧   ⟦W⟧\nAnn Bird   ⟦44⟧   ⟦M⟧"
    )

    pages = drawn(page)

    assert {made[1] for made in pages} == {"S"}
    assert "S" not in {made[3] for made in pages}


def test_a_title_tells_who_is_single() -> None:
    """Miss stays single, and no mother and nobody called Mrs. is so."""
    page = "Wards, 1911: Miss Bird, ⟦spinster⟧; Mrs. Moss, ⟦widow⟧; Carl Vane, ⟦married⟧"

    pages = drawn(page)

    assert {made[0] for made in pages} == {"spinster"}
    assert not {made[1] for made in pages} & {"single", "spinster"}


@pytest.mark.parametrize(
    "page",
    [
        "She was ⟦married⟧ in 1980 and ⟦divorced⟧ in 1985.",
        "Marital status: ⟦Married⟧\nPrevious status: ⟦Divorced⟧",
        "Hall was ⟦single⟧, ⟦married⟧, ⟦widowed⟧ in turn.",
    ],
)
def test_the_states_of_one_person_are_left_to_other_rules(page: str) -> None:
    """Who was married or divorced becomes nobody who was never married."""
    assert not any(one.lower() == "single" for made in drawn(page) for one in made[-1:])


def test_what_is_told_of_a_person_decides_first() -> None:
    """A wife in the next row keeps her husband married."""
    page = "1920\nHall   Head   ⟦M⟧\nHall   Wife   ⟦M⟧\nBell   Lodger   ⟦S⟧\nVane   Boarder   ⟦W⟧"

    assert {tuple(made[:2]) for made in drawn(page)} == {("M", "M")}


def test_every_state_has_a_share_everywhere() -> None:
    """The tables name the same states, and one row is for any country in any year."""
    listed = rows("marital_shares", PACK)

    assert {row["state"] for row in rows("marital_rows", PACK)} == STATES
    assert set(listed[0]) - {"country", "until"} == STATES
    assert listed[-1]["country"] == ""
    assert int(listed[-1]["until"]) == 9999
