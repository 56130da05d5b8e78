"""Surrogates could stand on their page: in its country, in its years, among its people."""

import re

import pytest

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing import lists
from presidio_cdip.surrogates.places.atlas import load_atlas
from presidio_cdip.surrogates.values.meanings import says_the_same
from presidio_cdip.surrogates.values.nations import nation_of, peoples
from presidio_cdip.surrogates.values.setting import Setting, marks_of, marks_of_row
from presidio_cdip.surrogates.values.slots import words_of
from tests.marked import replaced

EAST = (
    "Poland Hungary Romania Bulgaria Czech Slovak Sloven Croat Serb Lithuan Latvi Eston Russ Ukrain"
)


def test_a_union_is_one_of_the_trade_and_the_years_that_the_page_shows() -> None:
    """A longshoreman of 1934 is in no union of teachers, and in none that was founded later."""
    old = {"ILA", "MEBA", "MCS", "MMP", "IBU", "MFOW", "ACSU", "ISU"}
    docks = old | {"SIU", "ILWU", "NMU"}

    found = replaced("He worked on the pier in 1934 and joined the ⟦TRADE_UNION_MEMBERSHIP ISU⟧.")
    own = replaced("Docker at Tilbury, £9 a week, in 1962; ⟦TRADE_UNION_MEMBERSHIP TGWU⟧ card")

    assert {one for (one,) in found} <= old
    assert not {one for (one,) in own} & docks


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Shearer; ⟦TRADE_UNION_MEMBERSHIP A.W.U. man⟧ since 1934.", "australia farm"),
        ("Cutter in a tyre plant, Akron. Union: ⟦TRADE_UNION_MEMBERSHIP URW⟧", "US plant"),
        ("Pit deputy, Durham, £4 a week; ⟦TRADE_UNION_MEMBERSHIP NUM⟧ 1956", "GB mining"),
        ("Ballarat, 1962. Roof painter. ⟦TRADE_UNION_MEMBERSHIP BWIU⟧", "australia building"),
        ("Galway 1981, vocational school: ⟦TRADE_UNION_MEMBERSHIP TUI⟧.", "ireland school"),
    ],
)
def test_a_union_stays_of_its_trade_and_nation(text: str, fits: str) -> None:
    """A shearers' union becomes no railwaymen's, and an Australian one none of Britain."""
    rows = lists.rows("unions", Pack.shipped())
    own = {
        one: row["fits"].split()
        for row in rows
        for column in ("letters", "dotted")
        for one in row[column].split("|")
    }
    found = {one.split()[0].rstrip(".") for (one,) in replaced(text, 24)}

    assert len(found) > 2
    assert all(set(fits.split()) <= set(own[one]) for one in found), found


def test_members_of_a_trade_become_others_of_it() -> None:
    """In the dockers' union nobody was a teacher."""
    text = "He belonged to the ⟦TRADE_UNION_MEMBERSHIP teachers' union⟧."
    found = {one for (one,) in replaced(text, 24)}

    assert len(found) > 2
    assert found <= {
        "lecturers' union", "schoolmasters' union", "schoolteachers' union", "professors' union"
    }  # fmt: skip


@pytest.mark.parametrize(
    "when",
    [
        "Rev. March 1936",
        "Form 12 (3-36)",
        "May 3rd, 19 36",
        "Filed Oct. 36",
        "Operated on ⟦HEALTH hernia, 1934⟧",
        "",
    ],
)
def test_nothing_on_an_old_page_is_of_today(when: str) -> None:
    """Tables, frames, lists and phrases pass over words that are younger than the page.

    Where no year stays on the page, its values tell when it was written.
    """
    pack = Pack.shipped()
    found = replaced(
        f"{when} Born ⟦DATE_OF_BIRTH March 3, 1891⟧ Color: ⟦ETHNIC_ORIGIN White⟧ "
        "his ⟦MARITAL_STATUS wife⟧ ⟦MARITAL_STATUS married⟧ ⟦HEALTH digitalis⟧ "
        "⟦SEXUALITY known to keep company with men⟧ ⟦HEALTH a rest cure⟧"
    )

    assert not [one for page in found for one in page if marks_of(one, pack).since > 1936]


def test_nothing_on_a_page_of_today_is_of_old() -> None:
    """Nobody has the grippe in 1994."""
    pack = Pack.shipped()
    found = replaced(
        "Seen on May 3, 1994 for ⟦HEALTH influenza⟧ and ⟦HEALTH a stroke⟧, ⟦HEALTH cold⟧"
    )

    assert not [one for page in found for one in page if marks_of(one, pack).until < 1994]


def test_a_year_beside_a_complaint_moves_as_dates_do() -> None:
    """No operation is moved behind the page that tells of it."""
    found = {one for (one,) in replaced("In 1936: ⟦HEALTH hernia, 1934⟧.")}

    assert {1929 < int(one[-4:]) < 1934 for one in found} == {True}


def test_offences_are_of_the_page_s_country() -> None:
    """No American writes cheques, and no Briton has a misdemeanor."""
    british = replaced(
        "Leeds Magistrates' Court, the borough solicitor: ⟦CRIMINAL_OFFENCE theft of a bicycle⟧", 40
    )
    american = replaced("County sheriff, felony docket: ⟦CRIMINAL_OFFENCE theft of a bicycle⟧", 40)

    pack = Pack.shipped()
    for found, other in ((british, "US"), (american, "GB")):
        for (one,) in found:
            assert dict(marks_of(one, pack).tags).get("country", frozenset()) != {other}


def test_race_descent_and_nationality_agree() -> None:
    """The peoples of one person go together, and with the place of birth."""
    found = replaced(
        "Race ⟦ETHNIC_ORIGIN White⟧ Descent ⟦ETHNIC_ORIGIN Bohemian⟧ "
        "Citizen of ⟦NATIONALITY France⟧, born at ⟦PLACE_OF_BIRTH Lyon, France⟧ 1960"
    )

    assert len({race for race, *_ in found}) > 1
    tags = {one.nation: one.tags for one in peoples(Pack.shipped()).values()}
    for race, descent, nation, born in found:
        assert nation in born
        african = race in ("Black", "African American")
        assert african == ("african" in tags[nation_of(nation, Pack.shipped())])
        assert african == ("african" in tags[nation_of(descent, Pack.shipped())])


def test_a_page_of_slavic_names_keeps_its_part_of_the_world() -> None:
    """Names stay, so a nationality fits them, and the year."""
    pack = Pack.shipped()
    found = {one for (one,) in replaced("KOWALSKI, Stanislaw, 1951, ⟦NATIONALITY Yugoslav⟧", 20)}

    assert len(found) > 2
    assert all("east" in dict(marks_of(one, pack).tags).get("people", {"east"}) for one in found)
    assert found.isdisjoint({"Croatian", "Ukrainian", "Serbian"})  # of no state in 1951


def test_who_was_born_in_the_country_of_the_nationality_still_was() -> None:
    """A birthplace goes with the nationality, also when it is American."""
    for nation, born in replaced(
        "Citizenship ⟦NATIONALITY United States⟧, born ⟦PLACE_OF_BIRTH Lepanto, Arkansas⟧"
    ):
        assert nation in born


def test_an_address_in_an_english_street_stays_in_the_country_of_the_locale() -> None:
    """An unlisted town is not moved abroad because of a foreign birthplace on the page."""
    for born, address in replaced(
        "b. ⟦PLACE_OF_BIRTH Kaunas, Lithuania⟧  Res. ⟦HOME_ADDRESS 318 Throop St., Dickson City⟧"
    ):
        assert "," in born
        assert address.split(", ")[-1].isascii()


def test_medicines_go_with_their_diagnosis() -> None:
    """What is taken for a disease is for that of the surrogate."""
    pack, branch = Pack.shipped(), 0
    found = replaced("She has ⟦HEALTH epilepsy⟧ and takes ⟦HEALTH Dilantin⟧.", 30)

    for condition, medicine in found:
        own, its = (dict(marks_of(one, pack).tags) for one in (condition, medicine))
        none: frozenset[str] = frozenset()
        branch += any(own.get(kind, none) & its.get(kind, none) for kind in ("medical", "use"))
    assert branch > 20


@pytest.mark.parametrize(
    ("value", "branch"),
    [
        ("Lipitor 20 mg", "heart"),
        ("Prozac", "mental"),
        ("Tylenol", "bone"),
    ],
)
def test_a_medicine_becomes_one_for_the_same(value: str, branch: str) -> None:
    """The sentence goes on about what it is for."""
    pack = Pack.shipped()
    for (one,) in replaced(f"On May 3, 1994 he was given ⟦HEALTH {value}⟧ for it."):
        assert branch in dict(marks_of(one, pack).tags)["medical"]
        assert bool(re.search(r"\d [mg]", one)) == ("mg" in value)


@pytest.mark.parametrize(
    ("value", "use"),
    [
        ("metoprolol", "rate"),
        ("Lasix 40 mg", "diuretic"),
        ("donepezil", "memory"),
        ("tetracycline 250 mg q.i.d.", "antibiotic"),
        ("carbidopa-levodopa", "parkinson"),
    ],
)
def test_a_medicine_becomes_one_of_its_use(value: str, use: str) -> None:
    """No water pill brings down a pulse."""
    pack = Pack.shipped()
    for (one,) in replaced(f"In 2004 it was controlled with ⟦HEALTH {value}⟧ alone."):
        assert use in dict(marks_of(one, pack).tags)["use"]


@pytest.mark.parametrize(
    ("value", "course"),
    [
        ("back strain", "strained"),
        ("ovarian cancer", "tumor"),
        ("measles", "childhood"),
        ("a head cold", "fever"),
        ("a heart attack", "attack"),
        ("a broken wrist", "broken"),
        ("scarlet fever", "childhood"),
        ("influenza", "fever"),
        ("COPD", "lungs"),
        ("deaf", "sense"),
        ("chemotherapy", "ray"),
        ("cut on the forehead", "wound"),
    ],
)
def test_an_illness_becomes_one_of_its_course(value: str, course: str) -> None:
    """What the page says of it, such as how long it lasted or who had it, goes on to hold."""
    pack = Pack.shipped()
    for (one,) in replaced(f"Mother, born 1921, had ⟦HEALTH {value}⟧ in 1951."):
        assert course in dict(marks_of(one, pack).tags)["course"]


@pytest.mark.parametrize(
    "values",
    [
        ("measles", "mumps", "chickenpox"),
        ("colon cancer", "lung cancer", "breast cancer"),
        ("hypertension", "angina", "phlebitis"),
        ("depression", "anxiety", "insomnia"),
        ("gastritis", "colitis", "reflux"),
    ],
)
def test_illnesses_of_one_course_stay_apart(values: tuple[str, ...]) -> None:
    """They are exchanged by one cycle of the scope."""
    text = "; ".join(f"1951 ⟦HEALTH {one}⟧" for one in values)
    found = replaced(text, 20)

    assert sum(len({*one}) == len(values) for one in found) >= 16
    assert not any({*one} & {*values} and one == list(values) for one in found)


@pytest.mark.parametrize(
    "value",
    [
        "measles", "ovarian cancer", "alcoholic", "diabetic", "deaf", "HIV positive", "tubercular",
        "cirrhotic", "a brain tumor", "a diuretic", "theophylline", "lithium 300 mg", "Singulair",
        "donepezil", "Dilantin", "a heart attack", "miscarriage", "syphilis", "COPD",
    ],
)  # fmt: skip
def test_no_original_can_be_computed(value: str) -> None:
    """Of twenty scopes at least three have different surrogates, and none says the same."""
    pack = Pack.shipped()
    found = {one for (one,) in replaced(f"In 1984 the record has ⟦HEALTH {value}⟧.", 20)}

    assert len(found) >= 3
    assert not any(says_the_same(value, one, pack) for one in found)


def test_spellings_of_one_illness_agree_where_a_page_has_both() -> None:
    """Where it has one, rows of its course need no other form."""
    for noun, adjective in replaced(
        "She has ⟦HEALTH hypertension⟧ since 1985; her mother was ⟦HEALTH hypertensive⟧, too."
    ):
        assert words_of(noun) & words_of(adjective) or noun[:4] == adjective[:4]


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("e3/e4", r"e[234]/e[234]"),
        ("BRCA1 positive", r"[A-Z]\w+ positive"),
        ("a 50% chance of inheriting the mutation", r"a [\d.]+% chance of inheriting the mutation"),
    ],
)
def test_genes_keep_how_they_are_written(value: str, form: str) -> None:
    """Notation, result and chance say no more than their kind."""
    for (one,) in replaced(f"Tested in 1998: ⟦GENETIC_DATA {value}⟧."):
        assert re.fullmatch(form, one) and one != value


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("pulse 88", r"pulse ([5-9]\d|1[0-3]\d)"),
        ("6.4 x 10^9/L", r"\d\.\d x 10\^9/L"),
        ("sick leave 3 weeks", r"\w+ leave [2-9] weeks"),
        ("20 mg", r"(?:5|10|15|25|30|40) mg"),
        ("2. Syphilis", r"2\. \w.+"),
    ],
)
def test_measures_stay_plausible(value: str, form: str) -> None:
    """Of a pulse, a power of ten, a leave, a round dose and the number of a list's item."""
    for (one,) in replaced(f"In 1957 the card has ⟦HEALTH {value}⟧."):
        assert re.fullmatch(form, one) and one != value


def test_what_only_women_have_is_for_women() -> None:
    """Nobody whose sex is unknown gets it, unless the original is of women."""
    unknown = {one for (one,) in replaced("I had a ⟦HEALTH bypass operation⟧ in 1998.", 30)}

    assert not any("sex" in dict(marks_of(one, Pack.shipped()).tags) for one in unknown)


def test_a_dose_stays_a_dose() -> None:
    """Also in units that few medicines have."""
    for (one,) in replaced("He takes ⟦HEALTH potassium chloride 20 mEq⟧ daily."):
        assert re.fullmatch(r"\w[\w -]+ \d+ mEq", one)


def test_a_medicine_begins_a_sentence_with_a_capital() -> None:
    """Brands have one anywhere, others where a sentence begins."""
    begun = {one for (one,) in replaced("He is well. ⟦HEALTH Furosemide⟧ was stopped in 1985.", 20)}
    within = {
        one for (one,) in replaced("He is well; ⟦HEALTH furosemide⟧ was stopped in 1985.", 20)
    }

    assert all(one[0].isupper() for one in begun)
    assert all(one[0].islower() for one in within)


@pytest.mark.parametrize(
    "value", ["conjunctivitis, both eyes", "cataract, left eye", "ear infection, left ear"]
)
def test_an_illness_of_an_eye_stays_one(value: str) -> None:
    """No ear has myopia."""
    pack = Pack.shipped()
    illness, part = value.split(", ")
    (organ,) = {"eye", "ear"} & dict(marks_of(part, pack).tags)["medical"]
    for (one,) in replaced(f"Seen in 1994. He has had ⟦HEALTH {value}⟧ for years."):
        assert one.endswith(f", {part}")
        assert not one.startswith(illness)
        assert organ in dict(marks_of(one.split(",")[0], pack).tags)["medical"]


def test_religious_life_goes_with_the_faith() -> None:
    """Festivals, objects and offices are of the faith that the page now names."""
    pack = Pack.shipped()
    for faith, feast, thing in replaced(
        "Religion ⟦RELIGION Jewish⟧, absent for ⟦RELIGION Passover⟧, brought a ⟦RELIGION Torah⟧",
        20,
    ):
        for one in (feast, thing):
            own, its = (dict(marks_of(x, pack).tags).get("tradition") for x in (faith, one))
            assert not own or not its or own & its


def test_values_that_follow_each_other_end() -> None:
    """A parish named before the faith that it names does not wait for that faith, which is read
    where it first stands."""
    found = replaced("⟦RELIGION goes to the Catholic mission⟧. Faith: ⟦RELIGION Catholic⟧", 8)

    assert all(len(one) == 2 for one in found)


def test_no_man_has_a_woman_s_disease() -> None:
    """Diseases and operations of one sex are for it."""
    for (one,) in replaced("He was well until his ⟦HEALTH appendectomy⟧; he is at home.", 60):
        tags = dict(marks_of(one, Pack.shipped()).tags)
        assert tags.get("sex", frozenset()) != frozenset({"f"})


def test_findings_are_of_what_the_field_asks() -> None:
    """What is said of speech and of the heart can be said of them."""
    for speech, heart in replaced("Speech ⟦HEALTH low and coherent⟧. Heart: ⟦HEALTH normal⟧."):
        assert not re.search(r"\d|positive", speech)
        assert dict(marks_of(heart, Pack.shipped()).tags).get("medical", {"heart"}) == {"heart"}


def test_a_test_result_tells_nothing_of_the_original() -> None:
    """All results are drawn alike for all: one that never came again would be told by that."""
    found = [
        {one for (one,) in replaced(f"Wassermann ⟦HEALTH {result}⟧", 150)}
        for result in ("negative", "positive")
    ]

    assert all({"negative", "positive"} < one and len(one) > 4 for one in found)


def test_a_number_of_children_is_one_throughout_the_page() -> None:
    """Where their ages are listed, the number stays also in other words."""
    for listed, _, _, mother in replaced(
        "⟦MARITAL_STATUS 2 children⟧, ages ⟦AGE 11⟧ and ⟦AGE 8⟧. She is the "
        "⟦MARITAL_STATUS mother of two⟧."
    ):
        assert listed == "2 children"
        assert mother == "parent of two"


def test_the_choice_depends_on_the_page_and_not_on_its_values() -> None:
    """Two pages that differ in their values only offer the same choice to a third value."""
    pages = [
        replaced(f"Miner, 1935. ⟦RELIGION {faith}⟧ ⟦TRADE_UNION_MEMBERSHIP UMW⟧", 40)
        for faith in ("Catholic", "Methodist")
    ]

    assert [found[1] for found in pages[0]] == [found[1] for found in pages[1]]


@pytest.mark.parametrize("fits", ["mars", "textile 19x-"])
def test_unknown_marks_are_refused(fits: str) -> None:
    """A row whose marks are not in the table of settings names its file."""
    with pytest.raises(PackError, match="unions"):
        marks_of_row(["ABC"], fits, "unions", Pack.shipped())


def test_a_page_gives_one_fact_one_surrogate() -> None:
    """What stands in two places is read in the setting of the first."""
    for first, second in replaced(
        "Past illness: ⟦HEALTH hay fever⟧\nHeart regular, e.k.g. taken, cardiac clinic.\n"
        "He ⟦HEALTH suffers from hay fever⟧ each year.",
        20,
    ):
        assert second == f"suffers from {first}"


def test_what_has_no_marks_fits_everywhere() -> None:
    """A setting refuses only what belongs to another one."""
    pack = Pack.shipped()
    there = Setting((("country", frozenset({"GB"})),), 1950)

    assert there.takes(marks_of("burglary", pack))
    assert not there.takes(marks_of("petit larceny", pack))
    assert not there.takes(marks_of("fentanyl", pack))


def test_dates_of_british_pages_have_the_day_first() -> None:
    """A page with a British postcode has no month 25."""
    for _, born in replaced(
        "⟦HOME_ADDRESS 12 Tawney Court, London E9 5PQ⟧ d.o.b. ⟦DATE_OF_BIRTH 2.3.89⟧"
    ):
        assert int(born.split(".")[1]) <= 12


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_who_becomes_a_foreigner_answers_so(answer: str) -> None:
    """Asked for American citizenship, whatever the answer was; on other pages it is drawn."""
    asked = f"14. U.S. citizen? ⟦NATIONALITY {answer}⟧   15. Religion: none"

    told = replaced(f"{asked}\nMrs. Brannick has been a ⟦NATIONALITY U.S. citizen⟧ since 1957.")
    alone = replaced(asked, 40)

    assert {first for first, _ in told} == {"No"}
    assert {first for (first,) in alone} == {"Yes", "No"}


@pytest.mark.parametrize(
    "value",
    ["married to Maria Gonzalez, 2 children", "lives with Ruth Pell at 2 Elm St with her kids"],
)
def test_names_beside_a_number_of_children_go(value: str) -> None:
    """A number that the page lists stays only where the value says nothing else."""
    found = replaced(
        f"⟦MARITAL_STATUS two sons⟧, ages 3, 4. He is ⟦MARITAL_STATUS {value}⟧ since then."
    )

    assert not {name for _, one in found for name in ("Maria", "Gonzalez", "Ruth", "Pell", "Elm")
                if name in one}  # fmt: skip


def test_the_country_of_replaced_values_tells_nothing() -> None:
    """What stays says nothing of a country, so that offences are drawn alike for all."""
    page = "Citizenship ⟦NATIONALITY {}⟧, born in ⟦PLACE_OF_BIRTH {}⟧. Convicted of {}."
    offence = "⟦CRIMINAL_OFFENCE indecent exposure⟧"

    drawn = [
        [one for _, _, one in replaced(page.format(*of, offence), 30)]
        for of in (("British", "London, England"), ("American", "Dayton, Ohio"))
    ]

    assert drawn[0] == drawn[1]


def test_places_of_a_page_with_an_institution_of_its_country_stay_there() -> None:
    """No postcode and no known town: the letter's National Health Service tells."""
    page = "{} Genetics, letter to the GP.\n⟦HOME_ADDRESS 22 Coppice Rise, Marbury⟧"
    british = {town.name for town in load_atlas(Pack.shipped()).pool("United Kingdom")}

    def towns(first: str) -> set[str]:
        return {home.rpartition(", ")[2] for (home,) in replaced(page.format(first))}

    assert towns("NHS") <= british
    assert not towns("Regional") <= british


def test_a_ticked_answer_stays_beside_the_other_one() -> None:
    """The tick tells it whatever is written there; an answer without boxes is drawn."""
    ticked = (
        "Citizen of U.S.?  [X] ⟦NATIONALITY Yes⟧  [ ] No\n"
        "Arrested?  [ ] Yes  [X] ⟦CRIMINAL_OFFENCE No⟧"
    )
    written = replaced("Arrested?  ⟦CRIMINAL_OFFENCE No⟧", 40)

    assert {tuple(one) for one in replaced(ticked)} == {("Yes", "No")}
    assert {answer for (answer,) in written} == {"Yes", "No"}


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Log, 1908: the cook ⟦CRIMINAL_OFFENCE brawling⟧ ashore.", "domestic|menacing|endanger"),
        (
            "Bench book, Cardiff Borough, 1933. ⟦CRIMINAL_OFFENCE driving an unlit cart⟧.",
            "red light|license",
        ),
        ("Union picnic, 1936. ⟦CRIMINAL_OFFENCE short weight⟧.", "carjack|credit"),
    ],
)
def test_a_short_list_of_offences_keeps_country_and_years(text: str, never: str) -> None:
    """A list with few offences of a kind has those of the page's time and country alone."""
    found = {one for (one,) in replaced(text, 20)}

    assert len(found) > 1
    assert not [one for one in found if re.search(never, one, re.IGNORECASE)]


@pytest.mark.parametrize(
    ("value", "unit"),
    [
        ("held for eight days", "days"),
        ("locked up for six years", "years"),
        ("jailed for five months", "months|weeks"),
    ],
)
def test_a_sentence_keeps_its_unit(value: str, unit: str) -> None:
    """Days become days, and years become years, since the offence beside them stays small."""
    found = {one for (one,) in replaced(f"He was ⟦CRIMINAL_OFFENCE {value}⟧.", 12)}

    assert len(found) > 2
    assert all(re.search(unit, one) for one in found)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("struck her", "violence"),
        ("possession of marijuana", "drugs"),
        ("DUI", "traffic"),
        ("taking a car", "vehicle"),
        ("convicted of soliciting", "morals"),
        ("tax evasion", "fraud"),
        ("contempt of court", "breach"),
    ],
)
def test_an_offence_becomes_one_of_its_kind(value: str, kind: str) -> None:
    """A blow is no theft, and what a page says besides of the one fits another one."""
    pack = Pack.shipped()
    found = {one for (one,) in replaced(f"Seen: ⟦CRIMINAL_OFFENCE {value}⟧.")}

    assert len(found) > 2
    assert all(kind in dict(marks_of(one.upper(), pack).tags)["crime"] for one in found)


@pytest.mark.parametrize(
    ("value", "after", "pattern"),
    [
        (
            "arrested",
            " in a park",
            "stopped|questioned|charged|booked|summoned|cautioned",
        ),
        ("remanded", " on bail", "released|freed|held|enlarged"),
        ("sentenced", " to 30 days", "condemned|committed|remanded"),
        ("committed", " for trial", "held|bound over|remanded|sent"),
        ("convicted", " of theft", "accused|suspected|acquitted|found guilty|cleared"),
        ("remanded on bail", "", "(?:released|admitted|held) (?:on|to) (?:bail|bond)"),
    ],
)
def test_a_stage_of_a_case_is_one_that_stands_there(value: str, after: str, pattern: str) -> None:
    """Nobody is indicted in a park or acquitted on bail."""
    found = {one for (one,) in replaced(f"He was ⟦CRIMINAL_OFFENCE {value}⟧{after}.")}

    assert len(found) > 1
    assert all(re.fullmatch(pattern, one) for one in found)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("no,union\n1,⟦TRADE_UNION_MEMBERSHIP AMCU⟧\n2,⟦TRADE_UNION_MEMBERSHIP NUM⟧\nshaft 3, 2016",
         r"(?!USW|UMW|LIUNA|IUOE)[A-Z]{3,7}"),
        ("Nairobi 1961: clerk of the railway, in the ⟦TRADE_UNION_MEMBERSHIP RAU⟧",
         r"(?!UTU|BRT|BLE|ORT|BMWE|ORC)[A-Z]{3,7}"),
        ("Cork, 1950. Carter at the mill, ⟦TRADE_UNION_MEMBERSHIP Drivers' Union⟧ man",
         r"(?:Hauliers'|Carters'|Lorrymen's|Busmen's|Tramwaymen's|Transport|Teamsters') Union"),
        ("Ohio, 1931. Her father's ⟦TRADE_UNION_MEMBERSHIP U. M. W. card⟧ is here.",
         r"(?:[A-Z]\.)+ card"),
        ("Dad votes ⟦POLITICAL_OPINION Labour⟧ as he did in 1935, and his brother too.",
         r"Conservative|Tory|Liberal|Socialist"),
        ("Iowa, 1948. He circulated ⟦POLITICAL_OPINION petitions for Henry Wallace⟧.",
         r"petitions for (?!Henry).+"),
        ("York, 1937. Joe joined the ⟦POLITICAL_OPINION Left Book Club⟧ then.",
         r"(?!Dropped|Let|Quit|Resigned).+"),
    ],
)  # fmt: skip
def test_unions_and_parties_stay_in_their_country_and_time(text: str, pattern: str) -> None:
    """Unions follow those beside them and the page's country; parties their names and years."""
    found = {values[-1] for values in replaced(text)}

    assert all(re.fullmatch(pattern, one) for one in found), found
