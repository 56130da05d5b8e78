"""A finding of health becomes one that the time, the place and the page's other findings allow."""

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.values.setting import USE, marks_of
from tests.marked import replaced

PACK = Pack.shipped()


def surrogates(text: str, draws: int = 20) -> set[str]:
    return {one.casefold() for (one,) in replaced(text, draws)}


def test_a_medicine_far_from_its_diagnosis_is_for_what_that_becomes() -> None:
    """Lists of medicines stand below lists of illnesses."""
    text = (
        "Problems 2006\n1. ⟦HEALTH Hypothyroidism⟧\n2. ⟦HEALTH Depression⟧\n\n"
        "Seen with her sister, who drove.\n\n"
        "Medication\n⟦HEALTH levothyroxine 100 mcg daily⟧"
    )

    for illness, _, medicine in replaced(text, 12):
        uses = dict(marks_of(illness, PACK).tags).get(USE, frozenset())
        assert uses & dict(marks_of(medicine, PACK).tags)[USE]


def test_a_medicine_is_for_what_is_said_behind_it() -> None:
    """What stands before belongs to another."""
    text = (
        "2004. ⟦HEALTH Lanoxin⟧ for her ⟦HEALTH heart⟧ and ⟦HEALTH Valium⟧ for her ⟦HEALTH nerves⟧."
    )

    for _, _, medicine, _ in replaced(text, 12):
        assert {"calming", "sleep", "antidepressant"} & dict(marks_of(medicine, PACK).tags)[USE]


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("anterior uveitis", "anterior"),
        ("metastatic breast cancer", "metastatic"),
        ("malignant hypertension", "malignant"),
        ("familial hypercholesterolemia", "familial"),
        ("adult onset asthma", "onset"),
        ("right heart failure", "right"),
        ("anterior MI", "anterior"),
    ],
)
def test_what_is_said_of_one_illness_goes_with_it(value: str, word: str) -> None:
    """Another illness has no such kind."""
    assert not {one for one in surrogates(f"Diagnosis: ⟦HEALTH {value}⟧.") if word in one}


@pytest.mark.parametrize("value", ["alcoholic hepatitis", "cardiac asthma", "nervous dyspepsia"])
def test_an_adjective_that_names_an_illness_is_no_illness_beside_another(value: str) -> None:
    """The two are one illness."""
    words = ("smoker", "gambler", "addict", "diabetic", "hypo", "depressed", "irritable")

    found = surrogates(f"Diagnosis: ⟦HEALTH {value}⟧.")

    assert not {one for one in found if any(word in one for word in words)}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Delta survey 1936. ⟦HEALTH Malaria⟧, two boys.", ["bilharz", "filaria"]),
        (
            "Weaver, 20 years in the card room. ⟦HEALTH Byssinosis⟧.",
            ["black", "asbest", "tubercul"],
        ),
        ("She died in 1964 of a ⟦HEALTH cerebral hemorrhage⟧.", ["small", "slight", "mild"]),
        ("Her brother had ⟦HEALTH AIDS⟧ and died in 1992.", ["gonorr", "chlamyd", "herpes"]),
        ("Has a rupture, wears a ⟦HEALTH truss⟧.", ["back", "spin"]),
        ("The ⟦HEALTH left wrist does not turn⟧.", ["walk", "stand", "drive"]),
        ("His ⟦HEALTH leg off below the knee⟧ in 1912.", ["hand off below", "foot off below"]),
        ("Screen ⟦HEALTH positive for fentanyl⟧.", ["tobacco", "sleeping"]),
        ("He himself ⟦HEALTH lost the tip of his index⟧ in a winch.", ["appetite", "weight"]),
    ],
)
def test_what_cannot_be_there_is_not_drawn(text: str, wrong: list[str]) -> None:
    """The words around it tell its kind."""
    found = surrogates(text)

    assert len(found) >= 2
    assert not {one for one in found if any(word in one for word in wrong)}


def test_the_teeth_of_a_pupil_are_no_dentures() -> None:
    """Plates and bridges are for the old."""
    found = surrogates("Wexcombe School, pupil's card\nTeeth: ⟦HEALTH 3 carious, 1 missing⟧")

    assert len(found) >= 3
    assert not {one for one in found if "plate" in one or "bridge" in one or "denture" in one}


def test_dates_without_a_century_tell_the_year_that_follows_one() -> None:
    """A record of 1943 may tell in full only when somebody was naturalized."""
    text = (
        "Father naturalized 1912. Fined 1937. Category A1 on 5 Jan 43.\n"
        "A steady man who would make a good driver or railway operating man.\n"
        "12 Mar 43: in hospital, ⟦HEALTH sulfapyridine⟧."
    )

    assert surrogates(text) & {"sulfadiazine", "sulfamerazine", "sulfadimidine"}


def test_a_column_of_relations_is_no_label_of_a_birth() -> None:
    """The head of a family is no head of a child."""
    text = "Name  Relation  Health\nWalter   head   ⟦HEALTH hernia⟧\nStella   wife   well"

    assert not {one for one in surrogates(text) if "placenta" in one or "presentation" in one}
