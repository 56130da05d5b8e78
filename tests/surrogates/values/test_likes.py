"""Phrases replaced by phrases of their class."""

from pathlib import Path

import numpy as np
import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.values.classes import FILE, SYNTAX, classifier, negates
from presidio_cdip.surrogates.values.likes import FOLDER, likes
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


@pytest.mark.parametrize(
    ("before", "written"),
    [("You ", {"took the oath"}), ("He ", {"took the oath", "lost his visa"})],
)
def test_whoever_is_addressed_gets_no_his_or_her(
    tmp_path: Path, before: str, written: set[str]
) -> None:
    """Phrases with a pronoun of the third person stand only where one sex is spoken of."""
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    rows = "".join(f"V act\t{one}\t\n" for one in ("took the oath", "lost his visa"))
    (folder / "nationality.tsv").write_text(f"# Phrases.\nclass\tphrase\tsex\n{rows}")
    text = f"Mr. Orban was heard. {before}swore an odd thing."
    context = in_text(text, "swore an odd thing")
    makers = [Surrogates(KEY, str(number), pack=tmp_path) for number in range(20)]

    assert {
        one.surrogate("NATIONALITY", "swore an odd thing", context) for one in makers
    } == written


@pytest.mark.checkout
def test_the_lists_and_weights_are_made_from_the_labels_as_they_are() -> None:
    from tools.phrases import fingerprint, lists_of, read, words

    root = Path(__file__).parents[3]
    for name, text in lists_of([*read(), *words()]).items():
        assert (root / FOLDER / name).read_text(encoding="utf-8") == text, "run tools.phrases"
    with np.load(root / FILE) as arrays:
        assert arrays["labels"] == fingerprint(), "run tools.phrases"


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


def test_quantities_keep_their_words_and_change_their_numbers() -> None:
    value = "slot 41 of 300, both lanes"
    surrogate = Surrogates(KEY, "one").surrogate("BIOMETRIC_DATA", value)
    assert surrogate != value
    assert surrogate.startswith("slot ") and surrogate.endswith(", both lanes")


def test_a_phrase_for_one_sex_is_drawn_only_where_the_page_tells_that_sex() -> None:
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
    file.write_text("class\tphrase\tsex\nN papers\tvisitor\t\n", encoding="utf-8")

    made = Surrogates(KEY, pack=tmp_path).surrogate("NATIONALITY", "never quibbled with zorblax")

    assert made == "visitor"
