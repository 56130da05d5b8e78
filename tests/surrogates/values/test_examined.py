"""What an examination found becomes what the same examination can find."""

import re
from functools import cache, partial
from pathlib import Path

import pytest

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.lists import rows
from presidio_cdip.surrogates.values.examined import Examined, examined
from presidio_cdip.surrogates.values.meanings import says_the_same
from presidio_cdip.surrogates.writing.text import folded
from tests import marked

SCOPES = 20


replaced = partial(marked.replaced, scopes=SCOPES, entity="HEALTH")


@cache
def terms(place: str, syntaxes: str = "") -> frozenset[str]:
    """Return the bare terms of an examination and of that which it is like."""
    places = {row["place"]: row["like"] for row in rows("health_places", Pack.shipped())}
    found = {
        bare(re.sub(r" \[.*", "", one))
        for row in rows("health_examined", Pack.shipped())
        if row["place"] in (place, places[place]) and (not syntaxes or row["syntax"] in syntaxes)
        for term in row["words"].split("|")
        for one in term.split("=")
    }
    return frozenset(found)


def bare(text: str) -> str:
    """Return *text* folded, without an article or a count."""
    numbers = (
        "two|three|four|five|six|seven|eight|nine|\\d+|a few|few|several|multiple|many|scattered"
    )
    return re.sub(rf"^(?:an? |the |(?:{numbers}) )+", "", folded(text))


SENTENCES = {
    "chest_film": [
        "X-ray of the chest was ⟦clear⟧.",
        "Chest film showed ⟦cardiomegaly⟧.",
        "Chest X-ray  ⟦normal⟧",
        "A chest plate in June showed ⟦an old scar at the right apex⟧.",
        "The chest X-ray revealed ⟦patchy shadows in both lungs⟧ today.",
        "CXR: ⟦no infiltrate⟧",
        "Films of the chest were reported as ⟦unremarkable⟧.",
        "Chest film: ⟦hilar adenopathy⟧.",
        "There was ⟦a small effusion⟧ on the chest X-ray.",
        "Mass radiography showed ⟦scattered calcified spots⟧.",
    ],
    "bone_film": [
        "X-rays of the hands show ⟦two new erosions⟧.",
        "X-ray of the wrist: ⟦no fracture⟧.",
        "Films of the left knee showed ⟦narrowing of the joint space⟧.",
        "X-ray of the right ankle was ⟦negative⟧.",
        "The hip X-ray revealed ⟦marked osteophytes⟧.",
        "X-ray of the elbow showed ⟦a loose fragment⟧.",
        "X-rays of both feet: ⟦early gouty changes⟧.",
        "X-ray of the shoulder was ⟦normal⟧.",
        "A film of the thumb showed ⟦an oblique break⟧.",
        "Radiographs of the pelvis show ⟦some thinning of the bone⟧.",
    ],
    "ecg": [
        "EKG showed ⟦ST elevation in leads II, III and aVF⟧.",
        "ECG: ⟦sinus rhythm⟧.",
        "Electrocardiogram  ⟦normal⟧",
        "The EKG was ⟦within normal limits⟧.",
        "The tracing shows ⟦a bundle branch block⟧.",
        "E.K.G. showed ⟦inverted T waves⟧.",
        "ECG: ⟦no ischaemia⟧.",
        "His cardiogram was ⟦abnormal⟧.",
        "ECG ⟦LVH⟧",
        "EKG revealed ⟦an old inferior infarct⟧.",
    ],
    "heart_sounds": [
        "Heart sounds were ⟦distant⟧.",
        "Heart sounds ⟦normal⟧.",
    ],
    "heart": [
        "Heart  ⟦murmur⟧",
        "Heart: ⟦normal⟧.",
        "Heart ⟦O.K.⟧",
        "The heart was ⟦enlarged⟧.",
        "Heart: ⟦no murmur⟧",
        "Heart: ⟦a soft systolic murmur⟧ at the apex.",
        "Cardiac: ⟦regular rhythm⟧",
        "Heart - ⟦extra beats⟧",
        "C.V.S. ⟦n.a.d.⟧",
    ],
    "lungs": [
        "Lungs ⟦clear⟧.",
        "Lungs: ⟦few rhonchi⟧.",
        "Chest: ⟦moist rales at the left base⟧.",
        "The lungs were ⟦resonant⟧.",
        "Breath sounds ⟦diminished⟧.",
        "Lungs: ⟦no wheezes⟧",
        "Lungs  ⟦emphysematous⟧",
        "Respiratory: ⟦scattered wheezes⟧",
        "Lungs  ⟦O.K.⟧",
        "Chest: ⟦dullness at the right base⟧.",
    ],
    "abdomen": [
        "Abdomen ⟦soft⟧.",
        "Abdomen: ⟦no masses⟧.",
        "Abdomen: ⟦tenderness in the right lower quadrant⟧.",
        "The abdomen was ⟦distended⟧.",
        "Abdomen  ⟦negative⟧",
        "Abd: ⟦a midline scar⟧",
        "Abdomen is ⟦obese⟧.",
        "Abdomen: ⟦guarding⟧ throughout.",
        "Abdomen: ⟦no organs palpable⟧",
        "The abdomen appears ⟦flat⟧.",
    ],
    "blood_film": [
        "Film:  ⟦Microcytic hypochromic red cells⟧, oval.",
        "Blood film shows ⟦target cells⟧.",
        "Blood count ⟦normal⟧.",
        "Smear: ⟦anisocytosis⟧.",
        "The differential was ⟦normal⟧.",
        "Blood smear: ⟦no abnormal cells⟧",
        "Blood picture: ⟦marked eosinophilia⟧",
        "Bone marrow showed ⟦increased megakaryocytes⟧.",
        "Blood film: ⟦a left shift⟧",
        "FBC: ⟦low platelets⟧",
    ],
    "eye": [
        "Eyes  ⟦O.K.⟧",
        "Eyes: ⟦no squint⟧",
        "The eyes were ⟦bloodshot⟧.",
        "Eyes: ⟦a small pterygium⟧.",
        "Eyes  ⟦normal⟧",
        "Eyes: ⟦slight strabismus⟧",
        "Eyes  ⟦inflamed⟧",
        "Eyes: ⟦nystagmus⟧",
        "Eyes: ⟦granular lids⟧",
        "Eyes are ⟦clear⟧.",
    ],
    "joints": [
        "Joints: ⟦no swelling⟧.",
        "Joints  ⟦normal⟧",
        "The knee was ⟦swollen⟧.",
        "Hands: ⟦ulnar deviation of the fingers⟧.",
        "Joints: ⟦an effusion in the knee⟧.",
        "She had eight tender and ⟦six swollen joints⟧.",
        "Extremities: ⟦limitation of motion⟧.",
        "Joints: ⟦crepitus⟧ on both sides.",
        "Right hip is ⟦stiff⟧.",
        "Joints ⟦n.a.d.⟧",
    ],
    "urine": [
        "Urine  ⟦negative⟧",
        "Urine: ⟦granular casts⟧.",
        "Urinalysis: ⟦no albumin⟧",
        "Urine was ⟦cloudy⟧.",
        "Urine: ⟦few pus cells⟧.",
        "Urine ⟦clear⟧.",
        "Urinalysis showed ⟦hematuria⟧.",
        "Urine: ⟦a trace of albumin⟧.",
        "Urine: ⟦albuminuria⟧",
        "U.A. ⟦normal⟧",
    ],
}  # fmt: skip


@pytest.mark.parametrize("place", SENTENCES)
def test_a_finding_becomes_another_of_its_examination(place: str) -> None:
    """It can be found there, differs and says something else."""
    pack = Pack.shipped()
    for text in SENTENCES[place]:
        value = re.search(r"⟦(.*?)⟧", text)[1]  # type: ignore[index]
        for (found,) in replaced(text):
            assert bare(found) in terms(place), (text, found)
            assert bare(found) != bare(value)
            assert not says_the_same(value, found, pack)


def test_the_words_of_a_value_stand_before_those_around_it() -> None:
    """A murmur is none of an electrocardiogram, though its sentence begins with one."""
    found = replaced("The EKG was read as normal and there was ⟦a loud diastolic murmur⟧.")

    assert all(bare(one) in terms("heart") for (one,) in found)


def test_what_nothing_places_is_not_read() -> None:
    """A complaint or a diagnosis is no finding, and a medicine behind an X-ray is none."""
    form = examined_form()
    for value in ("tonsils out", "pneumonia", "swelling", "clear", "digoxin 0.25 mg"):
        assert form.read(value, {"pack": Pack.shipped()}) is None
    for (found,) in replaced("The chest film was poor and he was given ⟦penicillin⟧."):
        assert bare(found) not in terms("chest_film")


def examined_form() -> Examined:
    """Return the form of the shipped tables."""
    others = ("health_conditions", "health_events", "health_procedures")
    return examined("HEALTH", "health_places", "health_examined", others, Pack.shipped())


def test_no_stays_and_agrees_with_its_verb() -> None:
    """Where the page denies a finding it denies another, in its number."""
    for one, many in replaced("Eyes: There was ⟦no nystagmus⟧. Lungs: there were ⟦no rales⟧."):
        assert one.startswith("no ")
        assert not one.endswith("s") or one.endswith(("us", "sis", "ss"))
        assert many.startswith("no ")
        assert many.endswith(("s", "rhonchi"))


def test_a_count_stays_near_and_its_noun_countable() -> None:
    """Nobody counts osteoporosis."""
    for (found,) in replaced("X-rays of the hands show ⟦two erosions⟧ this year."):
        assert re.match(r"(?:three|four|five) \w", found)
        assert bare(found) in terms("bone_film", "C")


def test_findings_of_a_page_differ_and_one_stays_one() -> None:
    """Two findings of one film are two, and a finding is the same wherever it stands."""
    text = (
        "Chest film showed ⟦cardiomegaly⟧ and ⟦hilar enlargement⟧. EKG: ⟦atrial flutter⟧.\n\n"
        "Impression: ⟦atrial flutter⟧."
    )
    for heart, hilum, rhythm, again in replaced(text):
        assert folded(heart) != folded(hilum)
        assert folded(rhythm) == folded(again)


@pytest.mark.parametrize(
    ("text", "never"),
    [
        (
            "School card 1936. Vaccinated against ⟦smallpox⟧.",
            "polio|measles|mumps|rabies|chickenpox",
        ),
        ("Army record. Immunization 1943: ⟦TYPHOID⟧", "POLIO|MEASLES|MUMPS|HEP|HPV"),
        ("Immunised 1971: ⟦B.C.G.⟧", "Tdap|DTaP|Hep|HPV|MenC|PCV"),
        ("Vaccinations 2012: ⟦MMR⟧", "T\\.A\\.B|Smpx|OPV|D\\.P\\.T"),
    ],
)
def test_a_vaccination_is_one_of_its_time(text: str, never: str) -> None:
    """There was no vaccine against polio before 1955, and none against smallpox later."""
    found = {one for (one,) in replaced(text)}

    assert len(found) > 2
    assert not any(re.search(never, one) for one in found)


def test_the_illnesses_below_the_vaccinations_are_none_of_them() -> None:
    """Measles under "Illnesses" becomes an illness of children, smallpox above it a vaccination."""
    text = "Vaccinations: ⟦Smallpox⟧ 9-12-43\nIllnesses: ⟦Measles⟧ 4-44"
    for vaccine, illness in replaced(text):
        assert bare(vaccine) in terms("vaccine")
        assert illness not in ("Measles", "Tetanus")


@pytest.mark.parametrize(
    ("text", "like"),
    [
        ("Rh type is ⟦negative⟧", "positive|negative"),
        ("SEROLOGY  ⟦Neg.⟧", r"\D+"),
        ("Antibody titre: agglutinins ⟦1:80⟧", r"1:\d+"),
        ("DIET: ⟦1800 calorie ADA⟧", r"\d+00 calorie ADA"),
        ("Apgar ⟦8 and 9⟧", r"\d+ and \d+"),
        ("⟦Apgars 8 and 9⟧", r"Apgars \d+ and \d+"),
        ("⟦Schick positive⟧", r"Schick [a-z ]+"),
    ],
)
def test_a_result_is_written_as_its_laboratory_writes_it(text: str, like: str) -> None:
    """A word stays a word, a titre a titre."""
    found = {one for (one,) in replaced(text)}

    assert len(found) > 1
    assert all(re.fullmatch(like, one) for one in found), found


def test_a_test_becomes_one_for_the_same() -> None:
    """A test before birth stays one, a biopsy a biopsy, a film of the bowel one of it."""
    text = (
        "Clinic, 1996. We offered ⟦amniocentesis⟧. Repeat ⟦full blood count⟧. Suggest ⟦small bowel "
        "biopsy⟧. He had ⟦a barium enema⟧ and ⟦an electrocardiogram⟧."
    )
    purposes = {
        folded(one.lstrip("~")): row["purpose"]
        for row in rows("health_procedures", Pack.shipped())
        for column in ("short", "noun", "mass", "many")
        for one in row[column].split("|")
    }
    wanted = ["prenatal", "blood_test", "biopsy", "imaging_gut", "heart_test"]
    for found in replaced(text):
        assert [purposes[bare(one)] for one in found] == wanted


def test_tables_name_places_and_grades(tmp_path: Path) -> None:
    """A finding of an unknown examination names its file."""
    folder = tmp_path / "operators" / "gazetteers"
    folder.mkdir(parents=True)
    (folder / "health_examined.tsv").write_text("place\tsyntax\tgrade\twords\nmoon\tA\tn\tfull\n")

    with pytest.raises(PackError, match="health_examined"):
        examined("HEALTH", "health_places", "health_examined", (), Pack.open(tmp_path))
