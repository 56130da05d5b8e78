"""Remarks in notes become remarks of their kind and syntax; what no frame reads, of its subject."""

import re

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.values.classes import PhraseClass
from presidio_cdip.surrogates.values.remarks import remarks
from tests.marked import replaced

REMARKS = remarks("HEALTH", Pack.shipped())
assert REMARKS is not None


def surrogates(text: str, key: int = 12) -> list[str]:
    return [found[0] for found in replaced(text, key)]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("3.4.62. ⟦HEALTH Wound dry⟧. Home Friday.", r"Wound (?!dry)[\w ]+"),
        ("Stay of nine days. ⟦HEALTH Suture line healing⟧.", r"Suture line [\w ]+"),
        ("Discharge: ⟦HEALTH drain removed⟧ on the 4th.", r"[\w ]+ (out|down|removed)"),
        ("11 May 1949. Advised ⟦HEALTH linseed poultice⟧ to back.", r"(?!linseed)[a-z ]+"),
        (
            "Told the mother ⟦HEALTH feed every three hours⟧.",
            r"(feed|drop|give|offer|thicken|increase|make|start) [\w .]+",
        ),
        ("From 1951: off sick, ⟦HEALTH no drill⟧ till Monday.", r"(no|excused) [\w ]+"),
        (
            "He spent ⟦HEALTH seven weeks in Beechfield Sanatorium⟧.",
            r"\w+ weeks in [A-Z][\w ]+ Sanatorium",
        ),
        (
            "She was ⟦HEALTH three nights at Calder Valley Hospital⟧.",
            r"\w+ nights at [A-Z][\w ]+ Hospital",
        ),
        ("Ward 3: ⟦HEALTH discharged relieved⟧.", r"discharged [\w ]+"),
        ("Note of 1966: tumble, ⟦HEALTH seven stitches⟧.", r"\w+ (clips|butterfly strips)"),
        ("Left leg: ⟦HEALTH cast off⟧ on Tuesday.", r"[\w ]+ (off|discarded|down)"),
    ],
)
def test_a_remark_keeps_its_kind_and_syntax(text: str, form: str) -> None:
    """What a nurse did is no symptom, and a house stays a house of its kind."""
    assert all(re.fullmatch(f"(?i:{form})", one) for one in surrogates(text))


def test_several_surrogates_are_drawn_for_a_remark() -> None:
    """One alone would tell the original."""
    assert len({*surrogates("Tue. ⟦HEALTH Dressing changed⟧, comfortable.", 30)}) >= 4


def test_a_term_with_years_stands_on_pages_of_these() -> None:
    """Nobody used DDT on a head of lice in 2015."""
    now = surrogates("Nurse's log, 3 March 2015. ⟦HEALTH Nits combed out⟧.", 30)
    then = surrogates("Nurse's log, 3 March 1948. ⟦HEALTH Nits combed out⟧.", 30)
    assert "DDT powder" not in now
    assert "Malathion lotion" not in then


def test_vaccines_of_a_list_are_those_of_its_year() -> None:
    """No child of 1936 was vaccinated against polio."""
    text = "Infant clinic, 1936\n\nImmunisation\n⟦HEALTH Diphtheria⟧  3.3.36\n"
    assert {*surrogates(text, 20)} <= {"Smallpox", "Typhoid", "Scarlet fever"}


def test_a_printed_option_is_no_surrogate() -> None:
    """A form that prints measles elsewhere has no second line for it."""
    text = (
        "CAMP FORM 1978\n[X] ⟦HEALTH Mumps⟧   [ ] Asthma\n[ ] Fits   [ ] Diabetes  [ ] Fainting\n"
        "[ ] Hernia   [ ] Sinusitis   [ ] Bronchitis  [ ] Sleepwalking   [ ] Rheumatic fever\n"
        "[ ] Measles   [ ] Chicken pox   [ ] Scarlet fever\n"
    )
    printed = {"measles", "chicken pox", "scarlet fever", "asthma", "rheumatic fever"}
    assert printed.isdisjoint(one.casefold() for one in surrogates(text, 20))


@pytest.mark.parametrize(
    ("value", "syntax", "subject"),
    [
        ("scabs picked off daily", "D", "strapped"),
        ("eats with a spoon", "Z", "picks at meals"),
        ("tripped over a hose and hurt himself", "V", "bumped head"),
        ("linen soiled", "N", "back rubbed"),
    ],
)
def test_the_words_of_a_remark_tell_its_subject(value: str, syntax: str, subject: str) -> None:
    """Its phrases have its syntax, which is that of a clause if it ends as one does."""
    assert REMARKS is not None
    assert subject in REMARKS.of(value, PhraseClass(syntax, False, "care"), None)


def test_an_illness_is_no_remark_on_its_part() -> None:
    """A noun phrase counts by its head alone: an eye tumour is no drops."""
    assert REMARKS is not None
    assert REMARKS.of("tumour of the eye", PhraseClass("N", False, "dis"), None) == ()


def test_remarks_on_infants_need_their_page() -> None:
    """A grown man who chews badly takes no rusks."""
    assert REMARKS is not None
    found = REMARKS.of("chews crusts badly", PhraseClass("Z", False, "sym"), None)
    assert "sucks well" not in found


@pytest.mark.parametrize(
    ("value", "same"),
    [
        ("sleeps badly", {"lies awake", "sleepless"}),
        ("drinking problem", {"alcoholism", "alcohol withdrawal", "heavy drinking"}),
        ("puffer", {"inhaler", "breathing spray"}),
    ],
)
def test_a_synonym_is_no_surrogate(value: str, same: set[str]) -> None:
    """It would tell the original in other words."""
    found = surrogates(f"Seen in May 1979: ⟦HEALTH {value}⟧, she says.", 40)
    assert same.isdisjoint(one.casefold() for one in found)


@pytest.mark.parametrize(
    ("value", "form"),
    [("lost twenty pounds", r"lost (?!twenty )[a-z-]+ pounds"),
     ("gained 4 lbs.", r"gained \d{1,2} lbs\."),
     ("review in three months", r"review in \w+ months")],
)  # fmt: skip
def test_amounts_and_times_keep_their_size(value: str, form: str) -> None:
    """Only the number changes, by little."""
    assert all(re.fullmatch(form, one) for one in surrogates(f"1962: tired, ⟦HEALTH {value}⟧."))
