"""Persons' names are told apart, joined and separated as a reader would."""

from dataclasses import replace

import numpy as np
import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.fusion import names_beside
from presidio_cdip.recognition.names import (
    KnownNames,
    as_persons,
    is_name,
    joined_names,
    names_of,
    names_within,
    separated,
    without_glosses,
)
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import Config, Tagged

KNOWN = KnownNames(
    frozenset({"jane", "ed", "urszula", "renee"}), frozenset({"pell", "ward"}), frozenset({"van"})
)


def name(text: str, value: str, label: str = "PERSON", rule: str = "model") -> Span:
    start = text.index(value)
    return Span(start, start + len(value), label, 0.9, rule)


def parts(value: str) -> list[str]:
    return [value[one.start : one.end] for one in separated(value, name(value, value), KNOWN)]


def joined(text: str, *values: str) -> list[str]:
    found = joined_names(text, [name(text, value) for value in values])
    return [text[one.start : one.end] for one in found]


def test_a_part_of_an_e_mail_address_is_no_name() -> None:
    """It would leave an address with a blank in it."""
    text = "Write to irina@valkov.example, or to Irina."

    assert not is_name(text, Span(9, 14, "PERSON", 0.9, "model"))
    assert not is_name(text, Span(15, 21, "LOCATION", 0.9, "model"))
    assert is_name(text, Span(text.index("Irina"), len(text) - 1, "PERSON", 0.9, "model"))


def test_a_part_of_a_web_address_is_no_name() -> None:
    """OCR may have spoilt the address."""
    text = "Olsen: htto://www.olsen.zov/varga, or Varga (www.bell.example)"

    assert not is_name(text, name(text, "olsen.zov", "ORGANIZATION"))
    assert not is_name(text, name(text, "varga"))
    assert not is_name(text, name(text, "bell", "ORGANIZATION"))
    assert is_name(text, name(text, "Olsen"))
    assert is_name(text, name(text, "Varga"))


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Brandt, Olsen, Varga", ["Brandt", "Olsen", "Varga"]),
        ("L. Brandt, M.-C. Olsen, D. Varga", ["L. Brandt", "M.-C. Olsen", "D. Varga"]),
        ("H. P. Olsen,  Jane Varga", ["H. P. Olsen", "Jane Varga"]),
        ("David and Renee", ["David", "Renee"]),
        ("Olsen & Jane Varga", ["Olsen", "Jane Varga"]),
        ("OLSEN   PETER   N", ["OLSEN", "PETER", "N"]),
    ],
)
def test_names_of_several_persons_are_a_span_each(value: str, names: list[str]) -> None:
    """Commas, "and" and the columns of a form separate persons."""
    assert parts(value) == names


@pytest.mark.parametrize(
    "value",
    [
        "Olsen, Jane A.",
        "DE BACKER, Johan Maria",
        "Ott, Ed",
        "OLSEN,   Peter  Lyle",
        "Jane Pell, Jr.",
        "Jane A. Pell",
        "Olsen-Pell",
        "van der Berg, Jane",
        "Ward Olsen, Ed",
        "Jane Olsen, Urszula M.",
        "Jane Long, Ed Renee",
        "Jane\n       Pell",
    ],
)
def test_one_persons_name_is_one_span(value: str) -> None:
    """A comma before the first name, "Jr." and a line's end do not separate.

    Nor does a last name that begins as a first name does.
    """
    assert parts(value) == [value.removesuffix(".")]


def test_a_title_within_a_name_is_left_out() -> None:
    """Of "Coker, Dr. James" the two parts of the name stay, of a degree behind a name nothing."""
    assert parts("Coker, Dr. James") == ["Coker", "James"]
    assert parts("Mrs. Jane Pell") == ["Jane Pell"]
    assert parts("Jane Pell, M.D.") == ["Jane Pell"]
    assert parts("Jane Pell, Proxy") == ["Jane Pell"]


def test_two_titles_before_one_name_are_no_person() -> None:
    """What stands between two titles is no name."""
    assert parts("Dr. and Mrs. Smith") == ["Smith"]
    assert parts("Mr. & Mrs. Jane Pell") == ["Jane Pell"]
    assert parts("Dr. and Jane Pell") == ["Jane Pell"]
    assert not is_name("Dr. and Mrs. Smith", name("Dr. and Mrs. Smith", "and"))


def test_particles_are_no_first_names() -> None:
    """ "Văn" is a first name, and without its accent a particle of last names."""
    shipped = names_of(Pack.shipped())

    for value in ("van der Berg, Anna", "Van Dyke, Jan", "Von Berg, Anna"):
        (found,) = separated(value, name(value, value), shipped)
        assert value[found.start : found.end] == value


def test_organizations_are_not_separated() -> None:
    """A firm may be called after several persons."""
    text = "Olsen, Pell & Ward"

    firm = name(text, text, "ORGANIZATION")

    assert separated(text, firm, KNOWN) == [firm]


def test_fragments_of_a_name_are_joined() -> None:
    """An initial, or a word with a capital letter, belongs to the name behind it."""
    assert joined("Call Bud Sandquist.", "Bud", "Sandquist") == ["Bud Sandquist"]
    assert joined("M J PELL", "M", "J PELL") == ["M J PELL"]
    assert joined("G. Pell", "G", "Pell") == ["G. Pell"]


def test_initials_are_one_name() -> None:
    """Of initials with full stops the model often takes a single letter for a person."""
    assert joined("signed by H.V.W., aged 54", "W") == ["H.V.W"]
    assert joined("ok  H. St. J. C.\n", "H. St", "C") == ["H. St. J. C"]


def test_other_neighbours_are_not_joined() -> None:
    """A title, a small word, a line and a sentence separate."""
    assert joined("dr Pell", "dr", "Pell") == ["dr", "Pell"]
    assert joined("abt Roy", "abt", "Roy") == ["abt", "Roy"]
    assert joined("Pell\nOlsen", "Pell", "Olsen") == ["Pell", "Olsen"]
    assert joined("We saw Pell. Olsen came.", "Pell", "Olsen") == ["Pell", "Olsen"]


def test_initials_do_not_reach_into_other_findings() -> None:
    """What was found as something else keeps its letters."""
    text = "3 M.R.S., dengue"
    unit = name(text, "R.S", "HEALTH")

    assert joined_names(text, [name(text, "M")], [unit]) == [name(text, "M")]
    assert joined_names(text, [name(text, "M")]) == [name(text, "M.R.S")]


def glosses(
    text: str, *values: str, rule: str = "model", score: float = 0.9, known: KnownNames = KNOWN
) -> list[str]:
    spans = [replace(name(text, value, rule=rule), score=score) for value in values]
    return [text[one.start : one.end] for one in without_glosses(text, spans, known)]


def test_a_translation_in_brackets_is_no_person() -> None:
    """The model takes a foreign word behind the English one for a name."""
    assert glosses("the Court (Gerichtshof) and", "Gerichtshof") == []
    assert glosses("a letter (biuro sprawz) and", "biuro sprawz") == []
    assert glosses("a ruling (Gerichtsbescheid) and", "Gerichtsbescheid", score=0.4) == []
    assert glosses("the Agency (Biuro Sprawz, formerly", "Biuro Sprawz", score=0.4) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The witness (Mbeki Tutuola) said", "Mbeki Tutuola"),
        ("and his aunt (Oyelaran) said", "Oyelaran"),
        ("Witness (Oyelaran) said", "Oyelaran"),
    ],
)
def test_a_likely_person_in_brackets_needs_no_list(text: str, value: str) -> None:
    """The lists lack the names of many peoples."""
    assert glosses(text, value) == [value]


def test_without_lists_nobody_in_brackets_is_a_stranger() -> None:
    """A pack may empty the lists."""
    nobody = KnownNames(frozenset(), frozenset())

    assert glosses("the Court (Sandquist) and", "Sandquist", known=nobody) == ["Sandquist"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the chairman (Mr. Olsen) and", "Olsen"),
        ("the chairman (B. Olsen) and", "B. Olsen"),
        ("the chairman (Jane Olsen) and", "Jane Olsen"),
        ("the airman (A/2C Olsen) and", "Olsen"),
        ("the chairman (no relation) Olsen", "Olsen"),
    ],
)
def test_a_name_in_brackets_stays(text: str, value: str) -> None:
    """A title, an initial or a well-known name tells a person."""
    assert glosses(text, value) == [value]


def test_a_second_name_in_brackets_stays() -> None:
    """It stands behind the person's other name; what a rule found stays anywhere."""
    assert glosses("Jane Pell (Sandquist) wrote", "Jane Pell", "Sandquist")[1:] == ["Sandquist"]
    assert glosses("the Court (Sandquist)", "Sandquist", rule="person/listed") == ["Sandquist"]


def half_believed(text: str, person: float) -> Tagged:
    """Return a model's answer that gives each word a place by .6 and a person by *person*."""
    config = Config(("PERSON", "LOCATION"), (None, 0, 1), (False,) * 3)
    starts = np.array([0, *(at + 1 for at, one in enumerate(text) if one == " ")])
    ends = np.array([*(at for at, one in enumerate(text) if one == " "), len(text)])
    rows = np.array([[person, 0.6]] * len(starts), np.float16)
    return Tagged(text, config, starts, ends, rows, np.zeros(len(starts), np.float16))


@pytest.mark.parametrize(
    ("text", "person", "label"),
    [
        ("Urszula Surzyk", 0.2, "PERSON"),
        ("Urszula Surzyk", 0.01, "LOCATION"),
        ("Surzyk Valley", 0.2, "LOCATION"),
        ("Urszula", 0.2, "LOCATION"),
    ],
)
def test_a_well_known_first_name_tells_a_person(text: str, person: float, label: str) -> None:
    """A full name that the model doubtfully takes for a place is a person, if it may be one."""
    place = Span(0, len(text), "LOCATION", 0.5, "model")

    (found,) = as_persons(text, [place], half_believed(text, person), KNOWN)

    assert found.entity == label


def test_a_certain_place_stays() -> None:
    """A first name does not outweigh what the model is sure of."""
    place = Span(0, 14, "LOCATION", 0.9, "model")

    assert as_persons("Urszula Surzyk", [place], half_believed("Urszula Surzyk", 0.2), KNOWN) == [
        place
    ]


def test_names_are_separated_where_they_are_fused() -> None:
    """`names_beside` gives a span for each person."""
    text = "Present: L. Brandt, M. Olsen"
    both = name(text, "L. Brandt, M. Olsen", rule="person/listed")

    found = names_beside(text, [], [both], None, KNOWN)

    assert [text[one.start : one.end] for one in found] == ["L. Brandt", "M. Olsen"]


def test_the_shipped_lists_know_names_of_many_countries() -> None:
    """Accents and capitals make no difference; ordinary words are no names."""
    shipped = names_of(Pack.shipped())

    assert {"jane", "krzysztof", "gulsen", "thuo", "adaeze"} <= shipped.first
    assert {"okafor", "kovac", "lindqvist", "papp"} <= shipped.last | shipped.first
    assert not {"will", "may", "the", "street"} & (shipped.first | shipped.last)


@pytest.mark.parametrize(
    ("text", "value", "names"),
    [
        ("She married Jane Okonjo-Weiss in May.", "married Jane Okonjo-Weiss", "Jane Okonjo-Weiss"),
        ("Wife: Ward", "Wife: Ward", "Ward"),
        ("engaged to Miss Tamsin Quick", "engaged to Miss Tamsin Quick", "Tamsin Quick"),
        ("MARRIED TO: ZUBAIDA O. KHATTAK", "MARRIED TO: ZUBAIDA O. KHATTAK", "ZUBAIDA O. KHATTAK"),
        ("Married", "Married", None),
        ("Divorced, Two Sons", "Divorced, Two Sons", None),
        ("WIDOW OF JANE T. QUILL", "WIDOW OF JANE T. QUILL", "JANE T. QUILL"),
        ("wed to Obiageli d'Este", "wed to Obiageli d'Este", "Obiageli d'Este"),
        ("wife jane pell, ill", "wife jane pell", "jane pell"),
        ("married to Ed van Dorn", "married to Ed van Dorn", "Ed van Dorn"),
        ("living with the ward sister", "living with the ward sister", None),
        ("wife of Mr. K. L. Xu", "wife of Mr. K", None),
    ],
)
def test_a_partners_name_is_a_person_for_those_who_look_for_no_family(
    text: str, value: str, names: str | None
) -> None:
    spans = [name(text, value, "MARITAL_STATUS")]
    found = names_within(text, spans, None, KNOWN)
    assert [text[one.start : one.end] for one in found] == ([names] if names else [])
    assert all(one.entity == "PERSON" for one in found)


def test_an_illness_with_a_name_holds_no_person() -> None:
    text = "He has Ward disease."
    assert not names_within(text, [name(text, "Ward disease", "HEALTH")], None, KNOWN)
