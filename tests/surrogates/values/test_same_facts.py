"""What a page says twice stays one fact, and what replaces a value is no other word for it."""

import re

import pytest

from presidio_cdip import steps
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.values.setting import marks_of
from tests.marked import KEY, replaced

PACK = Pack.shipped()
SCOPES = 24
# Ways to say that all is well
NORMAL = re.compile(
    r"(?i)\b(?:normal|clear|clean|unremarkable|satisfactory|good|sound|healthy|o\.?k|wnl|in range|"
    r"within|fine|all right)\b(?! (?:of|for))"
)


def surrogates(text: str) -> list[tuple[str, ...]]:
    return [tuple(found) for found in replaced(text, SCOPES)]


@pytest.mark.parametrize(
    "text",
    [
        "Eye test and bloods 1997 ⟦HEALTH normal⟧, said Dr. Poole.",
        "She had a scan of the neck in 2011, ⟦HEALTH clear⟧.",
        "Throat ⟦HEALTH clear⟧, glands small. 1988",
        "Serum calcium ⟦HEALTH normal⟧ on 4 May 1992.",
        "His brother is ⟦HEALTH well⟧ and farms at Dunmore.",
        "The matron found her in ⟦HEALTH good health⟧.",
        "Rested, now feeling ⟦HEALTH fine⟧. Home by taxi.",
        "Smear 6/09 ⟦HEALTH satisfactory⟧.",
        "Seamen examined 1909\nDahl, O.   22   ⟦HEALTH Fit⟧\n",
        "Heart sounds ⟦HEALTH normal⟧, ankles dry. 1988",
    ],
)
def test_what_is_normal_is_not_said_again(text: str) -> None:
    """A normal finding becomes another that fits, in at least three ways."""
    found = {one for (one,) in surrogates(text)}

    assert len(found) > 2
    assert not [one for one in found if NORMAL.search(one)]


@pytest.mark.parametrize(
    ("value", "never"),
    [
        ("⟦HEALTH lumpectomy⟧ in May 1999", "lump|tumou?r removal"),
        ("1974: ⟦HEALTH gallstones⟧ on ultrasound", "stone|calcul"),
        ("After the war he ⟦HEALTH took to drink⟧.", "drink|drank|alcohol|bottle"),
        ("At the infirmary he was ⟦HEALTH much improved⟧. 1931", "better|improv|mend|picking"),
        ("Grandmother was ⟦HEALTH barren⟧. 1925", "infertile|sterile|children"),
        ("Urine sugar ⟦HEALTH ++⟧ at noon. 1947", r"\d|^\+\+$"),
    ],
)
def test_other_words_for_one_thing_do_not_replace_it(value: str, never: str) -> None:
    """Terms of one meaning are one term."""
    found = {one for (one,) in surrogates(value)}

    assert len(found) > 2
    assert not [one for one in found if re.search(never, one)]


@pytest.mark.parametrize("status", ["Neg", "Pos"])
def test_a_status_stays_beside_counts_and_medicines(status: str) -> None:
    """Where a page counts CD4 cells, another status would contradict its columns."""
    text = f"No.  Sex  HIV   CD4   Drug\n17   F    ⟦HEALTH {status}⟧   --    none\n"

    assert {one for (one,) in surrogates(text)} == {status}


def test_an_infection_stays_beside_its_counts() -> None:
    """So does its name, and its medicines stay such."""
    text = "⟦HEALTH HIV-positive⟧ since 1994, CD4 ⟦HEALTH 350⟧, on ⟦HEALTH stavudine⟧. 1999"

    for status, _, medicine in surrogates(text):
        assert status == "HIV-positive"
        assert "hiv_drug" in dict(marks_of(medicine, PACK).tags)["use"]


def test_a_status_alone_does_not_stay() -> None:
    """Without these it is a result like others."""
    assert len({one for (one,) in surrogates("HIV ⟦HEALTH neg⟧ on 3/4/99, told by phone.")}) > 2


@pytest.mark.parametrize(
    "text",
    [
        "I have ⟦HEALTH sugar diabetes⟧ and the ⟦HEALTH insulin⟧ costs us $22. 1984",
        "She has ⟦HEALTH hypothyroidism⟧, on ⟦HEALTH levothyroxine⟧ since 1996.",
        "He has ⟦HEALTH gout⟧ again. Dr. Low put him on ⟦HEALTH allopurinol⟧ in 1983.",
        "You have ⟦HEALTH phenytoin⟧ on file for ⟦HEALTH seizures⟧. 1996",
    ],
)
def test_a_medicine_is_for_its_illness(text: str) -> None:
    """Also for one that the sentence before names, and of a thyroid that does too little."""
    for found in surrogates(text):
        uses = [dict(marks_of(one, PACK).tags).get("use", frozenset()) for one in found]

        assert not uses[0] or uses[0] & uses[1], found


def test_answers_stay_where_their_details_are_listed() -> None:
    """A list of details by letter says which of the answers are yes."""
    text = (
        "a. Fits, fainting?      ⟦HEALTH No⟧\n"
        "b. Asthma, pleurisy?    ⟦HEALTH Yes⟧\n"
        'Details of "yes" answers: b. ⟦HEALTH Pleurisy⟧, left, 1951.\n'
    )

    assert {found[:2] for found in surrogates(text)} == {("No", "Yes")}


def test_none_is_not_ticked_above_its_details() -> None:
    """Where the form goes on to tell of a reaction, its mark moves among the others."""
    text = "REACTION   [ ] None   [X] Mild   [ ] Moderate   [ ] Severe\nPale, sat down again.\n"
    spans = [
        Span(text.index(one), text.index(one) + len(one), "HEALTH", 1.0, "")
        for one in ("Mild", "Pale")
    ]

    for scope in range(SCOPES):
        new = steps.anonymize(text, spans, steps.steps("surrogate", KEY, f"{scope}")).text
        assert "[ ] None" in new
        assert new.count("[X]") == 1


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Mr. Hale, ⟦HEALTH stroke⟧ in May, speech gone, lies abed.", "(?!blood clot).*"),
        ("3/4 K. Low  spots on neck  ?⟦HEALTH measles⟧, sent home 1957", "(?!mumps|diphtheria).*"),
        ("blindness of one eye, owing to ⟦HEALTH cataract⟧. 1889", "(?!.*(?:stomach|leg|lung)).*"),
        ("He is ⟦HEALTH lame⟧ from a fall in 1931.", ".*(?:knee|leg|foot|hips|back)"),
        ("He hears ⟦HEALTH fine⟧ now. 1988", "(?!in ).*"),
        ("Spent ⟦HEALTH sixty days at Pinewood House⟧ in 1988.", r"\S+ days at (?!Pinewood).*"),
        ("Tonsils  enlarged   ⟦HEALTH removed 1958⟧\n", "[a-z]+"),
    ],
)
def test_a_cause_goes_with_what_it_caused(text: str, form: str) -> None:
    """What stands beside a value stays true of what replaces it."""
    found = {one.lower() if "[C-E]" not in form else one for (one,) in surrogates(text)}

    assert len(found) > 2
    assert all(re.fullmatch(form, one) for one in found), found


def test_two_vaccines_of_a_line_stay_two() -> None:
    """They become different ones, though the page has few others."""
    text = (
        "SICK WITH: ⟦HEALTH Whooping cough⟧ 1946, ⟦HEALTH Scarlet fever⟧ 1948\n"
        "IMMUNIZATIONS   ⟦HEALTH Smallpox⟧ 9-49   ⟦HEALTH Diphtheria⟧ 9-49   Typhoid ----\n"
    )

    for found in surrogates(text):
        assert found[2] != found[3]


def test_frames_of_sexuality_fit_what_stays_beside_them() -> None:
    """Two operations are two, "with her" stays, and a married woman is one term."""
    surgery = replaced("Had ⟦SEXUALITY mastectomy with chest reconstruction⟧.")
    lovers = replaced("They were ⟦SEXUALITY lovers⟧.")
    close = replaced("He was ⟦SEXUALITY intimate with her⟧.")
    affair = replaced("An affair with a ⟦SEXUALITY married woman⟧.")

    assert all(len(set(one.split(" with "))) == 2 for (one,) in surgery)
    assert not {one for (one,) in lovers} & {"affairs", "encounters", "contacts"}
    assert not [one for (one,) in close if one.split()[0] in ("estranged", "engaged")]
    assert not [one for (one,) in affair if "married" in one]
