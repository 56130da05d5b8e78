"""Codes of a list that a legend explains."""

import re

import pytest

from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates

KEY = bytes(range(32))
SHEET = "F = for us, A = against, D = doubtful, R = removed.\n416 Coyle F\n417 Hirst D"


def of_letter(text: str, letter: str, key: int) -> str:
    """Return the surrogate of the last *letter* of *text*."""
    at = text.rindex(letter)
    context = Context(Page(text), at, at + 1)
    return Surrogates(KEY, str(key)).surrogate("POLITICAL_OPINION", letter, context)


def is_explained(text: str, letter: str) -> bool:
    """Tell whether the last *letter* of *text* is read as a code of a legend."""
    at = text.rindex(letter)
    context = Context(Page(text), at, at + 1)
    return Surrogates(KEY).form_of("ETHNIC_ORIGIN", letter, context).form == "code of a legend"


def test_a_code_becomes_another_code_of_the_legend() -> None:
    """A letter that the page explains stays one of its letters, and each of them is drawn."""
    drawn = {of_letter(SHEET, "F", key) for key in range(40)}

    assert drawn == {"A", "D", "R"}


def test_equal_codes_stay_equal() -> None:
    """All rows with one letter get one letter."""
    page = SHEET + "\n418 Dawes F"

    assert of_letter(page, "F", 1) == of_letter(SHEET, "F", 1)


def test_of_two_codes_one_is_drawn_whatever_the_value_is() -> None:
    """Each would tell the other."""
    drawn = [of_letter("F = for us, A = against.\n416 Coyle F", "F", key) for key in range(40)]

    assert set(drawn) == {"F", "A"}


def test_a_label_begins_another_legend() -> None:
    """Codes of two columns are explained one after the other."""
    page = "M.S.: M = wed, W = widow, D = divorced\nHealth: A = fit, H = hernia, T = TB\nCrane {}"

    assert {of_letter(page.format("H"), "H", key) for key in range(40)} == {"A", "T"}
    assert {of_letter(page.format("W"), "W", key) for key in range(40)} == {"M", "D"}
    assert is_explained("Race: W white, N Negro\nCrane  W", "W")
    assert not is_explained("we saw W white, N Negro\nCrane  W", "W")


def test_another_list_of_the_page_is_no_part_of_a_legend() -> None:
    """It has another sign between a code and its meaning, or a code that was there before."""
    status = "M = married, S = single, W = widowed. Sex: F - Female, X - other.\nCoyle M"
    speech = "F: for, A: against, D: doubtful. A: Hello. Q: Why not?\nCoyle F"

    assert {of_letter(status, "M", key) for key in range(40)} == {"S", "W"}
    assert {of_letter(speech, "F", key) for key in range(40)} == {"A", "D"}


def test_a_legend_needs_no_sign() -> None:
    """Its codes are numbers in order, or begin the words that they stand for."""
    numbers = "Colour: 1 White  2 Negro  3 Indian  4 Other\n416 Coyle  3"
    initials = "Key. P Prot.  C Cath.  J Jew.  N None\n416 Coyle  C"

    assert {of_letter(numbers, "3", key) for key in range(40)} == {"1", "2", "4"}
    assert {of_letter(initials, "C", key) for key in range(40)} == {"P", "J", "N"}


@pytest.mark.parametrize(
    "page",
    [
        "2 eggs, 3 rolls, 5 apples\n416 Coyle  3",
        "1. Name  2. Address  3. Arrests  4. Remarks\n416 Coyle  3",
        "1 pill, then 2 pills, then 3 pills\n416 Coyle  3",
        "for 1 man, 2 women and 3 children\n416 Coyle  3",
    ],
)
def test_numbers_before_words_are_mostly_no_legend(page: str) -> None:
    """They are counts, or items of a form; of a legend each number explains another word."""
    assert not is_explained(page, "3")


@pytest.mark.parametrize(
    "page",
    [
        "Mr. B Brown, Mr. C Clark and Miss W White. Race W",
        "signed by B Brown and C Clark with W White\nRace W",
    ],
)
def test_initials_are_no_legend(page: str) -> None:
    """A name may begin with its initial."""
    assert not is_explained(page, "W")


@pytest.mark.parametrize(
    ("page", "codes"),
    [
        ("Religion: C Catholic P Protestant J Jewish\n416 Coyle  C", "PJ"),
        ("KEY: B. Baptist  C. Catholic  L. Lutheran\n416 Coyle  C", "BL"),
        ("Rel.\nB  Baptist\nC  Catholic\nL  Lutheran\n416 Coyle  C", "BL"),
        ("Religion (P, C, J or O)\n416 Coyle  C", "PJO"),
        ("Religion [P/C/J]\n416 Coyle  C", "PJ"),
    ],
)
def test_a_legend_can_be_short(page: str, codes: str) -> None:
    """Its entries are a line or stand in a run, or it prints the codes alone."""
    assert {of_letter(page, "C", key) for key in range(40)} == set(codes)


def test_a_legend_is_of_the_entity_that_has_its_codes() -> None:
    """W of race is none of the widows."""
    page = Page(
        "M married, S single, W widow\nCoyle M W\nHirst S W",
        [
            Span(35, 36, "MARITAL_STATUS", 1.0, "r"), Span(37, 38, "ETHNIC_ORIGIN", 1.0, "r"),
            Span(45, 46, "MARITAL_STATUS", 1.0, "r"), Span(47, 48, "ETHNIC_ORIGIN", 1.0, "r"),
        ],
    )  # fmt: skip
    drawn = {
        Surrogates(KEY, str(key)).surrogate("ETHNIC_ORIGIN", "W", Context(page, 37, 38))
        for key in range(20)
    }

    assert not drawn & {"M", "S"}


def test_of_two_legends_the_one_counts_that_has_the_other_codes_of_the_entity() -> None:
    """W is widowed or white."""
    page = "M Married  S Single  W Widowed;  W White  B Black  I Indian\nCoyle M W\nHirst S B"
    found = [(page.index(f" {one}\n") + 1 if one != "B" else len(page) - 1) for one in "WB"]
    findings = [Span(at, at + 1, "ETHNIC_ORIGIN", 1.0, "test") for at in found]
    context = Context(Page(page, findings), found[0], found[0] + 1)

    drawn = {
        Surrogates(KEY, str(key)).surrogate("ETHNIC_ORIGIN", "W", context) for key in range(40)
    }

    assert drawn == {"B", "I"}


def test_different_codes_become_different_codes() -> None:
    """A sheet that tells two rows apart still does."""
    page = "F = for, A = against, D = doubtful, R = removed.\nCoyle F\nHirst D"
    for key in range(40):
        letters = {of_letter(page, one, key) for one in "FADR"}
        assert letters == set("FADR")


def test_a_letter_that_a_table_lists_is_no_answer() -> None:
    """N is of race where no question stands before it."""
    drawn = Surrogates(KEY)

    assert drawn.form_of("ETHNIC_ORIGIN", "N").form == "phrase code"
    assert is_answer("Member of a tribe? N") and not is_answer("Cole, Henry  41  N")


def is_answer(line: str) -> bool:
    """Tell whether the last letter of *line* is read as an answer."""
    there = Context(Page(line), len(line) - 1, len(line))
    return Surrogates(KEY).form_of("ETHNIC_ORIGIN", line[-1], there).form == "phrase answer"


def test_a_letter_of_a_list_without_a_legend_stays_a_letter_of_the_list() -> None:
    """A code of another length would stand out in its column."""
    text = "Adams  F  3\nBell  S  2\nCole  C  1\nDow  F  4"
    spans = [
        Span(at, at + 1, "TRADE_UNION_MEMBERSHIP", 1.0, "r")
        for at, char in enumerate(text)
        if char in "FSC" and text[at - 1] == " "
    ]
    page = Page(text, spans)
    for key in range(20):
        drawn = Surrogates(KEY, str(key))
        first, *rest = [
            drawn.surrogate(one.entity, text[one.start], Context(page, one.start, one.end))
            for one in spans
        ]

        assert first in "SC"
        assert first == rest[-1]
        assert {first, *rest} == {"F", "S", "C"}


def test_no_code_becomes_one_for_the_same() -> None:
    """N and B are two letters of one race."""
    text = "Adams  N\nBell  W\nCole  B\nDow  I"
    spans = [Span(at, at + 1, "ETHNIC_ORIGIN", 1.0, "r") for at in (7, 15, 23, 30)]
    there = Context(Page(text, spans), 7, 8)

    drawn = {Surrogates(KEY, str(key)).surrogate("ETHNIC_ORIGIN", "N", there) for key in range(20)}

    assert drawn == {"W", "I"}


@pytest.mark.parametrize("entity", ["ETHNIC_ORIGIN", "RELIGION", "NATIONALITY"])
def test_figures_in_a_column_are_exchanged(entity: str) -> None:
    """What they stand for is written elsewhere."""
    text = "Adams  1\nBell  2\nCole  3"
    spans = [Span(at, at + 1, entity, 1.0, "r") for at in (7, 15, 23)]
    drawn = Surrogates(KEY)
    page = Page(text, spans)
    written = [drawn.surrogate(entity, text[a], Context(page, a, a + 1)) for a in (7, 15, 23)]

    assert sorted(written) == ["1", "2", "3"]
    assert all(one != text[a] for one, a in zip(written, (7, 15, 23), strict=True))


def codes(entity: str, text: str, scopes: int = 16) -> list[list[str]]:
    """Return the surrogates, in some scopes, of the values of *entity* marked ⟦ENTITY code⟧."""
    plain, spans, at = "", [], 0
    for one in re.finditer(r"⟦(\w+) (.+?)⟧", text):
        plain += text[at : one.start()]
        spans.append(Span(len(plain), len(plain) + len(one[2]), one[1], 1.0, ""))
        plain, at = plain + one[2], one.end()
    page = Page(plain + text[at:], spans)
    options = {"answers": "told"} if entity == "GENDER" else {}
    return [
        [
            made.surrogate(entity, plain[one.start : one.end], Context(page, one.start, one.end))
            for one in spans
            if one.entity == entity
        ]
        for made in (Surrogates(KEY, str(key), options=options) for key in range(scopes))
    ]


TABLE = """ID     SEX  AGE  SO   CD4
201    ⟦GENDER M⟧    61   ⟦SEXUALITY G⟧    488
202    ⟦GENDER F⟧    57   ⟦SEXUALITY L⟧    312
203    ⟦GENDER F⟧    66   ⟦SEXUALITY H⟧    540
204    ⟦GENDER M⟧    70   ⟦SEXUALITY B⟧    276

SO: H heterosexual, G gay, L lesbian, B bisexual.
"""


def test_each_row_that_tells_no_sex_has_a_draw_of_its_own() -> None:
    """Nothing of the original shows, and rows do not become all alike."""
    drawn = codes("GENDER", TABLE)

    assert all(len({one[at] for one in drawn}) == 2 for at in range(4))
    assert len({tuple(one) for one in drawn}) > 8


def test_a_row_that_tells_a_sex_keeps_it() -> None:
    """A name or an illness of one sex stays in the row."""
    table = TABLE.replace("488", "488  vasectomy 1980").replace("203  ", "Ruth ")

    assert all((one[0], one[2]) == ("M", "F") for one in codes("GENDER", table))


def test_no_man_gets_the_code_of_a_woman() -> None:
    """The sex of the row is that which it gets."""
    for sexes, own in zip(codes("GENDER", TABLE), codes("SEXUALITY", TABLE), strict=True):
        assert {"M": "L", "F": "G"}[sexes[2]] != own[2]
        assert all(
            one not in {"M": "L", "F": "G"}[sex] for sex, one in zip(sexes, own, strict=True)
        )


def test_a_legend_that_goes_on_with_the_next_is_not_joined() -> None:
    """The codes of marriages are none of races."""
    text = """ID     RACE  MARIT  CD4
201    ⟦ETHNIC_ORIGIN W⟧     ⟦MARITAL_STATUS M⟧      488
202    ⟦ETHNIC_ORIGIN B⟧     ⟦MARITAL_STATUS W⟧      312
203    ⟦ETHNIC_ORIGIN H⟧     ⟦MARITAL_STATUS D⟧      540

Race: W white, B black, H Hispanic, A Asian. Marit: M married, W widowed, D divorced, S single.
"""

    assert {one for drawn in codes("ETHNIC_ORIGIN", text) for one in drawn} == set("WBHA")
    assert {one for drawn in codes("MARITAL_STATUS", text) for one in drawn} == set("MWDS")
