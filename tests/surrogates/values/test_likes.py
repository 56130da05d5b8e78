"""Phrases replaced by phrases of their class."""

import re
from pathlib import Path

import numpy as np
import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.values.classes import FILE, SYNTAX, classifier, negates
from presidio_cdip.surrogates.values.likes import ENOUGH, FOLDER, likes
from presidio_cdip.surrogates.values.sex import sex_around

KEY = "a key of at least 16 bytes"
PACK = Pack.shipped()
ENTITIES = [name.removesuffix(".tsv").upper() for name in PACK.files(FOLDER, ".tsv")]


def in_text(text: str, value: str) -> Context:
    """Return the context of *value* in *text*."""
    start = text.index(value)
    return Context(
        Page(text, [Span(start, start + len(value), "HEALTH", 1, "")]), start, start + len(value)
    )


@pytest.mark.parametrize(
    ("entity", "text", "value", "syntax"),
    [
        ("NATIONALITY", "this statement in support of my", "claim for asylum", "N"),
        ("TRADE_UNION_MEMBERSHIP", "on a visit, he was", "put on a workers' council", "D"),
        ("SEXUALITY", "from April I want to", "come to work as myself", "B"),
    ],
)
def test_the_word_before_a_value_decides_on_its_syntax(
    entity: str, text: str, value: str, syntax: str
) -> None:
    """A noun stands behind "my", a participle behind "was", a bare verb behind "want to"."""
    form = likes(entity, PACK)
    assert form
    context = in_text(f"{text} {value}.", value)

    assert form.class_of(value, context, PACK).syntax == syntax


@pytest.mark.checkout
def test_the_weights_are_made_from_the_labels_as_they_are() -> None:
    from tools.phrases import fingerprint

    with np.load(Path(__file__).parents[3] / FILE) as arrays:
        assert arrays["labels"] == fingerprint(), "run tools.phrases"


def _phrases(entity: str) -> list[tuple[str, str]]:
    """The class and the text of each phrase of *entity*."""
    form = likes(entity, PACK)
    assert form
    return [(name, one) for name, phrases in form._rows.items() for one in phrases]


@pytest.mark.parametrize("entity", ENTITIES)
def test_every_class_has_phrases_to_draw_from_without_its_neighbours(entity: str) -> None:
    form = likes(entity, PACK)
    assert form
    for name, phrases in form._rows.items():
        assert len(set(phrases)) >= ENOUGH, name


@pytest.mark.parametrize("entity", ENTITIES)
def test_a_phrase_negates_if_and_only_if_its_class_does(entity: str) -> None:
    wrong = [
        (name, one)
        for name, one in _phrases(entity)
        if name.lstrip("-")[0] not in "KY"  # codes and bare answers
        if negates(one) != name.startswith("-")
    ]

    assert wrong == []


@pytest.mark.parametrize("entity", ENTITIES)
def test_a_phrase_speaks_of_nobody_in_particular(entity: str) -> None:
    """It says neither "his" nor "my", so that it stands whoever writes, and of whomever."""
    persons = re.compile(r"(?i)\b(?:i|my|me|we|our|he|she|his|hers?|him)\b(?!\.)")
    codes = ("K state",)  # "I" is a category

    assert [
        (name, one) for name, one in _phrases(entity) if name not in codes and persons.search(one)
    ] == []


@pytest.mark.parametrize("entity", ENTITIES)
def test_a_phrase_is_spelled_alike_in_every_country(entity: str) -> None:
    found = [
        (name, one)
        for name, one in _phrases(entity)
        if re.search(
            r"(?i)\b(?:offen[cs]es?|licen[cs]es?|labou?r|colou?r\w*|favou?r\w*|cheques?|councill?ors?"
            r"|\w*ana?em\w*|\w+ogni[sz]e\w*|organi[sz](?!t)\w*|bapti[sz]ed|practi[cs]ed)\b",
            one,
        )
    ]

    assert found == []


@pytest.mark.parametrize("entity", ENTITIES)
def test_every_class_is_one_that_the_classifier_can_tell(entity: str) -> None:
    form = likes(entity, PACK)
    assert form
    for name in form._rows:
        syntax, kind = name.split()
        assert syntax.lstrip("-") in SYNTAX
        assert kind in classifier(PACK)._kinds[entity][0]


@pytest.mark.parametrize(
    ("entity", "value", "syntax"),
    [
        ("HEALTH", "no wheezing on exertion whatever", "-M"),
        ("HEALTH", "coughing and wheezing at night", "G"),
        ("CRIMINAL_OFFENCE", "convicted of smuggling songbirds", "D"),
        ("TRADE_UNION_MEMBERSHIP", "assistant convenor", "N"),
    ],
)
def test_a_value_is_read_by_its_syntax(entity: str, value: str, syntax: str) -> None:
    form = likes(entity, PACK)
    assert form
    assert str(form.class_of(value, None, PACK)).split()[0] == syntax


def test_a_surrogate_negates_if_and_only_if_its_value_does() -> None:
    for value in (
        "no ear trouble of note",
        "denies any palpitation",
        "never had fits",
        "weak knees",
    ):
        for number in range(30):
            surrogate = Surrogates(KEY, str(number)).surrogate("HEALTH", value)
            assert negates(surrogate) == negates(value), (value, surrogate)


@pytest.mark.parametrize(
    ("before", "value", "syntax"),
    [
        ("in 1965 her", "right tube was removed", "C"),
        ("told them that", "conception is unlikely", "C"),
        ("for four years", "her relationships have been with women", "C"),
        ("she found a", "lump that was hard", "N"),
        ("he was", "convicted while he was drunk", "D"),
    ],
)
def test_a_finite_verb_behind_its_subject_makes_a_clause(
    before: str, value: str, syntax: str
) -> None:
    """A verb of a relative or other clause does not."""
    form = likes("HEALTH", PACK)
    assert form

    assert form.class_of(value, in_text(f"{before} {value}.", value), PACK).syntax == syntax


def test_quantities_keep_their_words_and_change_their_numbers() -> None:
    value = "slot 41 of 300, both lanes"
    surrogate = Surrogates(KEY, "one").surrogate("BIOMETRIC_DATA", value)
    assert surrogate != value
    assert surrogate.startswith("slot ") and surrogate.endswith(", both lanes")


def test_the_words_around_a_value_tell_whose_it_is() -> None:
    assert sex_around(in_text("She told her nurse of pelvic strain.", "pelvic strain")) == "f"
    assert sex_around(in_text("Mr. Ward said he had pelvic strain.", "pelvic strain")) == "m"
    assert sex_around(in_text("Complaint: pelvic strain.", "pelvic strain")) == ""


def test_no_word_of_the_value_comes_back() -> None:
    for number in range(40):
        surrogate = Surrogates(KEY, str(number)).surrogate("HEALTH", "unilateral eyelid weakness")
        assert not {"unilateral", "eyelid", "weakness"} & set(surrogate.split())


@pytest.mark.parametrize(
    ("entity", "value"),
    [
        ("HEALTH", "0 mm"),
        ("CRIMINAL_OFFENCE", "1 yr. & 1 day"),
        ("GENETIC_DATA", "CcDee"),
        ("GENETIC_DATA", "a+ b-"),
        ("HEALTH", "one"),
        ("BIOMETRIC_DATA", "1"),
        ("CRIMINAL_OFFENCE", "NEG"),
        ("POLITICAL_OPINION", "never a member of any political party"),
    ],
)
def test_no_label_stands_in_for_a_surrogate(entity: str, value: str) -> None:
    for number in range(20):
        assert "<" not in Surrogates(KEY, str(number)).surrogate(entity, value)


def test_a_pack_without_phrases_that_negate_still_writes(tmp_path: Path) -> None:
    """Any phrase is better than an error, or than the original."""
    file = tmp_path / FOLDER / "nationality.tsv"
    file.parent.mkdir(parents=True)
    file.write_text("class\tphrase\nN papers\tvisitor\n", encoding="utf-8")

    made = Surrogates(KEY, pack=tmp_path).surrogate("NATIONALITY", "never quibbled with zorblax")

    assert made == "visitor"
