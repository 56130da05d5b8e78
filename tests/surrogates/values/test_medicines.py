"""A medicine is replaced with its dose, its interval and its brand, by one that is taken alike."""

import re

import pytest

from presidio_cdip import steps
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.lists import rows
from presidio_cdip.surrogates.values.medicines import MEDICINE_FORMS
from presidio_cdip.surrogates.values.setting import MEDICINES, marks_of
from tests.marked import replaced

PACK = Pack.shipped()
TABLE = rows(MEDICINES, PACK)
ROWS = {
    name.casefold(): row
    for row in TABLE
    for column in ("medicine", "names_gb", "brands", "brands_gb")
    for name in filter(None, row[column].split("|"))
}


def strengths(name: str) -> set[str]:
    row = ROWS[name.casefold()]
    return {f"{one} {row['unit']}" for one in row["strengths"].split()}


@pytest.mark.parametrize(
    "value",
    ["Lisinopril 10 mg", "Lasix 40 mg", "warfarin 5 mg", "amoxicillin 500 mg", "sertraline 50 mg"],
)
def test_a_dose_is_one_that_is_prescribed(value: str) -> None:
    """Nobody takes 17 mg of anything."""
    for (one,) in replaced(f"On 3 May 2005 she was given ⟦HEALTH {value}⟧ at the clinic.", 20):
        name, number, unit = re.fullmatch(r"(.+?) ([\d./]+) (\w+)", one).groups()  # type: ignore[union-attr]
        assert f"{number} {unit}" in strengths(name)


@pytest.mark.parametrize(
    ("value", "behind", "how"),
    [
        ("alendronate 70 mg", "once weekly", "weekly"),
        ("nitroglycerin 0.4 mg", "as needed for chest pain", "needed"),
        ("Demerol 75 mg", "I.M. now", "injected"),
        ("Ambien 10 mg", "at bedtime", "night"),
        ("salbutamol inhaler", "2 puffs p.r.n.", "needed"),
    ],
)
def test_what_is_taken_in_a_way_becomes_what_is_taken_so(value: str, behind: str, how: str) -> None:
    """The interval and the route behind a dose stay, and agree with the surrogate."""
    for (one,) in replaced(f"In 2004 the list has ⟦HEALTH {value}⟧ {behind}.", 20):
        name = re.sub(r" [\d.]+ \w+$", "", one)
        assert how in ROWS[name.casefold()]["taken"].split()


def test_an_interval_within_a_value_counts_as_well() -> None:
    """It stays where it stands."""
    for (one,) in replaced("Since 2012 ⟦HEALTH risedronate 35 mg weekly⟧.", 20):
        name, weekly = re.fullmatch(r"(.+?) [\d.]+ mg( weekly)", one).groups()  # type: ignore[union-attr]
        assert weekly and "weekly" in ROWS[name.casefold()]["taken"]


def test_a_brand_in_brackets_goes_with_its_substance() -> None:
    """And so does a brand elsewhere on the page."""
    for first, second in replaced(
        "In 2003 she took ⟦HEALTH fluoxetine (Prozac) 20 mg⟧. The ⟦HEALTH Prozac⟧ helped.", 20
    ):
        name, brand = re.fullmatch(r"(.+?) \((.+?)\) [\d.]+ mg", first).groups()  # type: ignore[union-attr]
        assert ROWS[name.casefold()] is ROWS[brand.casefold()]
        assert second == brand


def test_a_dose_alone_is_one_of_the_medicine_before_it() -> None:
    """That of a surrogate, or of what stays; a page may have both."""
    for first, dose, other in replaced(
        "2004. I increased ⟦HEALTH methotrexate⟧ to ⟦HEALTH 20 mg⟧ weekly. Ramipril ⟦HEALTH 5 mg⟧.",
        20,
    ):
        assert dose in strengths(first)
        assert other in strengths("ramipril") - {"5 mg"}


def test_doses_of_one_medicine_keep_their_order() -> None:
    """What was increased is increased."""
    for low, high in replaced(
        "2004: from ⟦HEALTH furosemide 20 mg⟧ in May to ⟦HEALTH furosemide 80 mg⟧ in June.", 20
    ):
        assert float(low.split()[-2]) <= float(high.split()[-2])


def test_no_medicine_stands_on_an_older_page() -> None:
    """Each has its years."""
    for year in ("1938", "1958", "1975"):
        for (one,) in replaced(f"In {year} she was given ⟦HEALTH aspirin⟧ and got better.", 20):
            since, until = re.search(r"(\d*)-(\d*)$", ROWS[one.casefold()]["fits"] + " -").groups()  # type: ignore[union-attr]
            assert int(since or 0) <= int(year) <= int(until or 9999)


def test_a_british_page_has_british_names() -> None:
    """And an American one American names."""
    british = {
        one for (one,) in replaced("Dr Lowe, Leeds, National Health Service, 1996: "
                                   "⟦HEALTH ibuprofen 400 mg p.r.n.⟧ £5", 30)
    }  # fmt: skip
    american = {one for (one,) in replaced("Dayton, OH 45402, 1996: ⟦HEALTH ibuprofen⟧", 30)}

    assert not any("acetaminophen" in one for one in british)
    assert not any("paracetamol" in one for one in american)


@pytest.mark.parametrize("value", ["lives on Prozac Street", "the aspirin age", "20 mg/dl", "500"])
def test_what_says_more_is_left_to_other_forms(value: str) -> None:
    """A value is read if only words of doses stand beside its medicines."""
    assert MEDICINE_FORMS[0].read(value, {"pack": PACK}) is None


def test_many_surrogates_for_each_use() -> None:
    """No use has so few medicines that a surrogate tells its original."""
    for row in TABLE:
        use = row["fits"].split()[0]
        assert sum(use in one["fits"].split() for one in TABLE) >= 4, use


def test_no_spelling_stands_in_two_rows() -> None:
    """It would be read as the first."""
    assert sum(
        len({*filter(None, "|".join(
            row[one] for one in ("medicine", "names_gb", "brands", "brands_gb")
        ).casefold().split("|"))})
        for row in TABLE
    ) == len(ROWS)  # fmt: skip


@pytest.mark.parametrize(
    "value", ["Coumadin 2-1/2 mg daily", "warfarin 2 1/2 mg", "Valium 7-1/2 mg"]
)
def test_half_a_milligram_is_read(value: str) -> None:
    """Old charts write doses with a half, of which none may stop a document."""
    text = f"Rx {value}."

    for scope in range(8):
        made = steps.steps(key="k" * 31 + "abcdef", scope=str(scope))
        new = steps.anonymize(text, [Span(3, 3 + len(value), "HEALTH", 1, "")], made).text

        assert "1/2" not in new or "grain" in new


@pytest.mark.parametrize("value", ["Lasix 4O mg", "digoxin O.25 rng", "prednisone 5, 10 mg"])
def test_a_dose_that_is_damaged_or_listed_does_not_stay(value: str) -> None:
    """A number that is read as no dose leaves the value to other forms, which replace it."""
    text = f"Rx {value}."
    number = value.split(" ", 1)[1].split(" ")[0].strip(",")

    for scope in range(8):
        made = steps.steps(key="k" * 31 + "abcdef", scope=str(scope))
        new = steps.anonymize(text, [Span(3, 3 + len(value), "HEALTH", 1, "")], made).text

        assert number not in new.split(), new


@pytest.mark.parametrize(
    "text",
    [
        "He has ⟦HEALTH black lung⟧ and takes ⟦HEALTH theophylline⟧.",
        "Dx: ⟦HEALTH deafness⟧; ⟦HEALTH prednisone⟧",
        "⟦HEALTH alcoholism⟧, put on ⟦HEALTH disulfiram⟧ in 1995",
        "⟦HEALTH Parkinson's disease⟧: ⟦HEALTH Sinemet⟧ since 2005",
        "takes ⟦HEALTH quinine⟧ for ⟦HEALTH malaria⟧",
    ],
)
def test_an_illness_beside_a_medicine_is_one_that_medicines_are_for(text: str) -> None:
    """Nobody takes anything for black lung or a scar, so neither becomes the illness."""
    for page in replaced(text):
        uses = [dict(marks_of(one, PACK).tags).get("use", frozenset()) for one in page]
        assert uses[0] & uses[1], page


@pytest.mark.parametrize(
    "text",
    [
        "He has ⟦HEALTH black lung⟧. He was a miner. In 1990 he took ⟦HEALTH aspirin⟧.",
        "⟦HEALTH asbestosis⟧ since 1971; no medicine",
        "Exam: ⟦HEALTH silicosis⟧\n\nLater he was given ⟦HEALTH insulin⟧.",
    ],
)
def test_an_illness_far_from_a_medicine_needs_none(text: str) -> None:
    """A lung of a trade becomes another, though nobody takes anything for it."""
    found = {page[0] for page in replaced(text, 40)}

    assert any("use" not in dict(marks_of(one, PACK).tags) for one in found), found


def test_drops_stay_beside_an_illness_of_the_eyes() -> None:
    """Though few illnesses of the eyes have medicines of their own."""
    found = {page[0] for page in replaced("⟦HEALTH glaucoma⟧, on ⟦HEALTH pilocarpine⟧ drops", 40)}

    assert all("eye" in dict(marks_of(one, PACK).tags)["medical"] for one in found), found


def test_an_inhaler_holds_what_is_inhaled() -> None:
    """Even if the illness becomes one for which nothing is."""
    text = "Has ⟦HEALTH asthma⟧ since 1990 and carries a ⟦HEALTH Ventolin⟧ inhaler."
    for _, one in replaced(text, 20):
        assert "inhaled" in ROWS[one.casefold()]["taken"].split()


def test_a_medicine_of_two_uses_is_for_the_one_of_its_illness() -> None:
    """Phenobarbital is for seizures first, but not where it is given for anxiety."""
    text = "Treated for ⟦HEALTH anxiety⟧ in 1951, with ⟦HEALTH phenobarbital⟧."
    for _, one in replaced(text, 20):
        assert ROWS[one.casefold()]["fits"].split()[0] != "seizure" or "bromide" in one


def test_a_medicine_follows_its_illness_on_pages_of_all_nations() -> None:
    """The unions of South Africa have marks of the nation, its medicines have none."""
    text = "Durban, South Africa, 1978. ⟦HEALTH Diabetic⟧, on ⟦HEALTH metformin⟧ twice daily."
    for _, one in replaced(text, 20):
        assert ROWS[one.casefold()]["fits"].split()[0] != "sugar"


@pytest.mark.parametrize(
    "text",
    [
        "1994. ⟦HEALTH hypertension⟧, treated with ⟦HEALTH Zorvolin⟧. Seen again in May.",
        "He has ⟦HEALTH eczema⟧ and uses ⟦HEALTH Dermavex cream⟧.",
        "Her ⟦HEALTH asthma⟧ is better. The ⟦HEALTH Cardexil⟧ was stopped in 1988.",
        "⟦HEALTH epilepsy⟧ since childhood; takes ⟦HEALTH Neurolan 50 mg⟧ at night",
    ],
)
def test_a_name_that_no_table_has_is_a_medicine_where_one_stands(text: str) -> None:
    """It becomes a medicine, of a use of the illness if that has one."""
    found = [re.sub(r" [\d.]+ \w+\Z", "", page[-1]) for page in replaced(text, 12)]

    assert all(one.casefold() in ROWS for one in found), found
    assert len(set(found)) > 2


def test_a_name_that_no_table_has_is_one_medicine_on_its_page() -> None:
    """With its dose, and without."""
    text = "Medication: ⟦HEALTH Testorix 1000 mg⟧ every 12 weeks.\n\nContinue ⟦HEALTH Testorix⟧."
    for dosed, bare in replaced(text, 8):
        assert dosed.startswith(f"{bare} ")


@pytest.mark.parametrize("word", ["vaccine", "inoculation", "shot"])
def test_what_stands_before_a_vaccine_is_one(word: str) -> None:
    """An illness has vaccines in its place, as has a maker of one."""
    of_illness = {page[0] for page in replaced(f"1975. She had a ⟦HEALTH mumps⟧ {word}.", 20)}
    of_maker = {page[0] for page in replaced(f"2021: second ⟦HEALTH Pfizer⟧ {word}", 20)}

    assert of_illness <= {
        "tetanus", "diphtheria", "polio", "smallpox", "typhoid", "measles", "rubella",
        "whooping cough", "influenza", "tuberculosis",
    }  # fmt: skip
    assert of_maker == {"Moderna", "AstraZeneca", "Novavax", "Janssen"}


def test_a_number_beside_a_laboratory_name_is_no_product() -> None:
    """Though 222 and 217 are names of tablets."""
    for found in replaced("Triglycerides 1978 ⟦HEALTH 212⟧, ⟦HEALTH 217⟧", 8):
        assert all(one.isdigit() for one in found)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Rx: ⟦HEALTH Quorvane 1 drop each eye⟧", r"(?:1 drop|2 drops?) each eye"),
        ("Rx: ⟦HEALTH Zelphan 2 drops both eyes b.i.d.⟧ 2004", r"\d drops? both eyes b\.i\.d\."),
        ("Meds: ⟦HEALTH Talvex 2 puffs bid⟧ 2003", r"\d puffs bid"),
    ],
)
def test_an_unknown_medicine_in_drops_or_puffs_keeps_its_unit(text: str, form: str) -> None:
    """It becomes one of the table with that unit, for the part of the body beside it."""
    found = {one[0] for one in replaced(text, 20)}
    listed = {row["medicine"].split("|")[0] for row in TABLE if row["unit"] in ("drops", "puffs")}
    names = {re.split(r" \d", one)[0] for one in found}

    assert len(names) > 2
    assert all(re.search(rf" {form}\Z", one) for one in found), found
    assert {one.casefold() for one in names} <= {one.casefold() for one in listed}


@pytest.mark.parametrize(
    "value", ["Quorvane 3 drops left ear", "Quorvane 10 mg each eye", "Zelphan 4 drops"]
)
def test_an_unknown_medicine_for_a_part_of_which_none_is_listed_gets_no_dose(value: str) -> None:
    """No tablets are given into an eye or an ear."""
    found = {one[0] for one in replaced(f"Rx: ⟦HEALTH {value}⟧ 1999", 20)}

    assert len(found) > 2
    assert not [one for one in found if re.search(r"(?i) (?:eye|ear)\b.*mg|mg.* (?:eye|ear)", one)]
