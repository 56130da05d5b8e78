"""Illnesses, states and remarks that the words around them narrow become others that fit there."""

import re

import pytest

from tests.marked import replaced


def surrogates(text: str, scopes: int = 30) -> set[str]:
    return {found[0] for found in replaced(text, scopes)}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        # Syntax: verbs, mass nouns, countables, plurals.
        ("My sister limps and I ⟦HEALTH snore⟧. Letter of 1984.", r"[a-z]+(?<!s)( [a-z ]+)?"),
        ("He ⟦HEALTH trembles⟧ at table. Letter of 1984.", r"(\w+s|tires easily)( \w+)?"),
        ("She had been on the ⟦HEALTH birth control pill⟧ since 1999.", r"[a-z ]+ tablets"),
        ("One ⟦HEALTH hospitalization at St. Anne's⟧ in 1988.", r"[a-z]+ .*[A-Z][a-z]+.*"),
        ("In 2014 she spoke of ⟦HEALTH having her ovaries removed⟧.", r"having .+ removed"),
        # What stands behind a value has to be true of it.
        ("A ⟦HEALTH stent⟧ was inserted in the artery in 2008.", r"[a-z ]+"),
        ("after an ⟦HEALTH overdose of tranquilizers⟧ in 1987", r"(attempt|act|episode) .+"),
        # A column of findings, and labels.
        ("Deck hands 1926\n1  Ray, Tom  31   ⟦HEALTH Fit⟧\n", r"[A-Z][a-z]+( [a-z]+)*"),
        ("Hearing good.  Speech: ⟦HEALTH bad stutter⟧\n1951", r"bad [a-z ]+"),
        (
            "Ward book. Bed 9. ⟦HEALTH Asleep⟧  T. 99.0  1939",
            r"(?!Seeing|Getting|Gaining)[A-Z][a-z]+",
        ),
        ("Recruits 1915: ⟦HEALTH fit for foreign service⟧", r"(?!.*(interview|question)).+"),
        ("His uncle is a ⟦HEALTH diabetic⟧. 1973", r"(?!obese|h\w+thyroid)[a-z ]+"),
        (
            "2001: ⟦HEALTH Asthma, poorly controlled⟧.",
            r"(?!.*(healed|resolved|remission))[A-Z].+, .+",
        ),
        # Notes for schools, works and armies.
        ("School clinic 1953. ⟦HEALTH No games or drill⟧ this term.", r"No [a-z ]+"),
        ("Slip: ⟦HEALTH no work near open flames⟧. 1966", r"(no|half|light) [a-z ]+"),
        ("R.A.F. record 1942. ⟦HEALTH Wroughton Military Hospital⟧, mumps.", r"No\. \d+ [A-Z].+"),
        (
            "in 1864 he lay ⟦HEALTH nine weeks in the regimental hospital⟧",
            r"\w+ weeks in .+hospital",
        ),
        # Parts, places and aids stay what they are.
        ("1977: ⟦HEALTH carcinoma of the colon⟧", r"carcinoma of the [a-z]+( [a-z]+)?"),
        ("2003: ⟦HEALTH right lower lobe consolidation⟧", r"right lower lobe (?!con)[a-z]+"),
        ("Sanatorium 1937: ⟦HEALTH minimal⟧, ⟦HEALTH left apex⟧", r"[a-z]+( [a-z]+){0,3}"),
        ("He lies in ⟦HEALTH Ward 9 of the Infirmary⟧. 1955", r"Ward \d of the [A-Z]\w+ Hospital"),
        ("Front teeth gone, needs ⟦HEALTH dentures⟧. 1948", r"[a-z]+( [a-z]+)?s"),
        ("2013. ⟦HEALTH Selegiline patches⟧ at night.", r"[A-Z][a-z]+ patches"),
        ("Tonsils  ⟦HEALTH out 1946⟧   Teeth good", r"[a-z]+"),
        ("Dad's blood pressure ⟦HEALTH fine⟧. 1999", r"[a-z]+( [a-z]+)*"),
        # What stays beside a value is true of the surrogate.
        ("2011. Ran out of ⟦HEALTH Coumadin⟧, INR 4.", r"[A-Z][a-z]+(?<!in)"),
        ("She passed away in 1966 after a ⟦HEALTH long illness⟧.", r"[a-z]+ illness"),
        ("Wants large print for her ⟦HEALTH cataracts⟧. 1979", r"(?!deaf)[a-z]+( [a-z]+)*"),
        ("The ⟦HEALTH laceration⟧ was bathed. 1959", r"(?!cut|gash|wound|scar)[a-z]+"),
        ("Mr. Ode is on leave (⟦HEALTH paternity⟧). 2004", r"(?!m\w*nity)[a-z]+"),
        ("Allergies: ⟦HEALTH none known⟧. 1993", r"(none|nil)( \w+)?"),
        ("Labour began at ⟦HEALTH 39 weeks⟧. 1996", r"(3[4-8]|4[01]) weeks"),
        ("In 1915 he lost the ⟦HEALTH use of his left arm⟧.", r"\w+ (of|in) his .+"),
        ("2009: ⟦HEALTH clean 14 months⟧ and in work", r"(?!dep|sob)[a-z ]+ 14 months"),
        ("2015. He is ⟦HEALTH undetectable⟧ now.", r"[a-z-]+( [a-z]+)*"),
        ("In 1953 he was ⟦HEALTH prone to seizures⟧.", r"prone to [a-z ]+s"),
        ("I do the ⟦HEALTH needle⟧ for her each morning. 1949", r"[a-z]+"),
        (
            "Attends ⟦HEALTH A.A.⟧ in Troy. 1962",
            r"(an? )?([\w-]+ )?(clinic|therapy|counseling|group)",
        ),
        ("My aunt is ⟦HEALTH well⟧ again. Letter of 1956.", r"(?!fine|feel|healthy)[a-z ]+"),
        ("One overdose in 1991, ⟦HEALTH no overdoses since⟧.", r"no [a-z ]+ since"),
    ],
)
def test_a_value_becomes_another_that_fits_its_place(text: str, form: str) -> None:
    """Several others are drawn, and each goes on with the sentence."""
    found = surrogates(text)

    assert len(found) >= 2
    assert all(re.fullmatch(form, one) for one in found), found


@pytest.mark.parametrize("value", ["polio", "infantile paralysis", "poliomyelitis"])
def test_who_limps_is_not_paralysed_in_all_limbs(value: str) -> None:
    """An illness of childhood that leaves a limp becomes another that can."""
    found = surrogates(f"She had ⟦HEALTH {value}⟧ as a small girl in 1936 and limps.")

    assert len(found) >= 4
    assert not {one for one in found if re.search("plegia|dystrophy|cerebral palsy", one)}


def test_what_a_newborn_dies_of_is_no_illness_of_age() -> None:
    """High blood pressure and cholesterol kill nobody who lived a day."""
    found = surrogates("Infant daughter of the Hales, lived one day. ⟦HEALTH Lung defect⟧. 1997")

    assert len(found) >= 4
    assert not {one for one in found if re.search("pressure|cholesterol|potassium|edema", one)}


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("speech slurred", "steady|intact|normal"),
        ("language delay", "steady|intact|normal"),
        ("mood low", "intact|steady|orderly|coherent"),
    ],
)
def test_a_loss_does_not_become_a_normal_finding(value: str, wrong: str) -> None:
    """The rest of the page goes on from what is wrong."""
    assert not {
        one for one in surrogates(f"Seen 1962: {{}}⟦HEALTH {value}⟧.") if re.search(wrong, one)
    }


@pytest.mark.parametrize("number", ["five", "six"])
def test_a_stay_changes_its_length(number: str) -> None:
    """The weeks of a stay tell it as well as its house."""
    found = surrogates(f"He was ⟦HEALTH {number} weeks in the isolation hospital⟧ in 1931.")

    assert not {one for one in found if one.startswith(number)}


def test_words_of_a_rule_stay_apart_from_the_value() -> None:
    """A rule that asks for it draws no word that shares a word with the value."""
    found = surrogates("School nurse 1949: ⟦HEALTH no football⟧ this term.", 60)

    assert "no football" not in found
    assert not {one for one in surrogates("1949: a ⟦HEALTH no-milk diet⟧.", 60) if "milk" in one}


def test_the_illnesses_of_a_list_stay_different() -> None:
    """Nobody has one illness three times, nor one that the same list leaves blank."""
    text = (
        "DISEASES (give year)   ⟦HEALTH Mumps⟧ l944  Measles ----  ⟦HEALTH Diphtheria⟧ l941"
        "  ⟦HEALTH Scarlet fever⟧ l946"
    )

    for found in replaced(text, 30):
        assert len(set(found)) == 3
        assert "Measles" not in found


def test_a_vaccine_is_none_that_its_line_leaves_blank() -> None:
    """The page has an answer for it already."""
    found = surrogates("IMMUNIZATIONS  ⟦HEALTH Tetanus⟧ l952   Diphtheria ----   Smallpox ----")

    assert len(found) >= 3
    assert not found & {"Diphtheria", "Smallpox"}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Pulse at rest 70, after exercise ⟦HEALTH l12⟧", r"\d{2,3}"),
        ("Eyes  R 6/9  L ⟦HEALTH 6/l8⟧. 1949", r"6/\d{1,2}"),
        ("Urine, sp. gr. ⟦HEALTH l.02l⟧. 1949", r"1\.0\d\d"),
        ("with typhoid, temperature ⟦HEALTH 103⟧. 1949", r"99|10[0-5]"),
    ],
)
def test_a_measure_stays_one_that_can_be(text: str, form: str) -> None:
    """Letters that OCR read for digits are digits, and a fever has its range."""
    found = surrogates(text)

    assert len(found) >= 3
    assert all(re.fullmatch(form, one) for one in found), found


def test_an_examiner_finds_none() -> None:
    """What was looked for is not unknown to who looked."""
    found = surrogates("Urine  albumin ⟦HEALTH none⟧  sugar negative")

    assert not {one for one in found if re.search("stated|known|denies|over", one)}


def test_a_word_has_no_full_stop_of_an_abbreviation() -> None:
    """It stands within a sentence."""
    found = surrogates("He goes to ⟦HEALTH A. A.⟧ in Dover. 1967")

    assert not {one for one in found if one.endswith(".")}


def test_a_medicine_that_acts_slowly_becomes_one_that_is_taken_so_or_not_at_all() -> None:
    """Few medicines have a form that is given off slowly."""
    found = surrogates("2018. On ⟦HEALTH Wellbutrin XL 150 mg⟧.")

    assert len(found) >= 3
    assert not {one for one in found if "XL" in one}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        # What stands behind a value or before it has to be true of the surrogate.
        ("⟦HEALTH Cataract⟧ done at Leeds in 1961, reads the paper.", r"(?!.*(Hernia|Piles)).+"),
        ("Condition on discharge: ⟦HEALTH stable⟧. 1991", r"(?!inconclusive|normal).+"),
        ("Prison, 1938. Vision ⟦HEALTH normal⟧. Teeth fair.", r"(?!mixed|unchanged).+"),
        ("School card, 1958. Immunisation  ⟦HEALTH Polio (Salk)⟧ 2 doses, 1957.",
         r"(?!Rabies|Cholera|Mumps)[A-Za-z ]+"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_place_or_a_state_fits_it(text: str, form: str) -> None:
    """A part, a side, a label or a place beside a value stays."""
    found = surrogates(text)

    assert len(found) >= 3
    assert all(re.fullmatch(form, one) for one in found), found
