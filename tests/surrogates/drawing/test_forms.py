"""Every entity's surrogates keep the form of their original, and are not it."""

import json
import random
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_cdip.entities import ENTITIES
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing import forms, table
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.drawing.forms import Reading
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.policies import PRESIDIO_ENTITIES
from presidio_cdip.surrogates.values import phrases
from presidio_cdip.surrogates.values.classes import negates
from presidio_cdip.surrogates.verification import misread_templates
from presidio_cdip.surrogates.writing.text import folded

ROOT = Path(__file__).parents[3]
KEY = bytes(range(32))
ALL = [*ENTITIES, *PRESIDIO_ENTITIES]
OPTIONS = {"locale": "en_US", "pack": Pack.shipped()}


@cache
def marked() -> dict[str, list[str]]:
    """The marked values of the development documents and of the shared example pages."""
    values: dict[str, list[str]] = defaultdict(list)
    pages = ROOT.parent / "shared" / "data" / "example_pages.jsonl"
    for file in [*sorted((ROOT / "benchmarks").glob("development_*.jsonl")), pages]:
        for line in file.read_text("utf-8").splitlines() if file.is_file() else ():
            document = json.loads(line)
            for span in document["spans"]:
                values[span["label"]].append(document["text"][span["start"] : span["end"]])
    return {entity: list(dict.fromkeys(found)) for entity, found in values.items()}


def reading_of(entity: str, value: str) -> Reading:
    reading = table.read(entity, value.strip(), OPTIONS)
    assert reading, "the plainest form reads everything"
    return reading


def is_plain(entity: str, value: str) -> bool:
    plainest = table.forms_of(entity, Pack.shipped())[-1].read(value.strip(), OPTIONS)
    return plainest is not None and plainest.form == reading_of(entity, value).form


@pytest.mark.slow
@pytest.mark.checkout
@pytest.mark.parametrize("entity", ENTITIES)
@pytest.mark.parametrize("options", [{}, {"ssn": "plausible", "phone": "plausible"}])
def test_surrogates_of_documents_keep_their_form(entity: str, options: dict[str, str]) -> None:
    """Marked values: surrogates say something else, and 49 in 50 are read in their form."""
    values = marked().get(entity, [])
    if not values:
        pytest.skip("the documents lie in a checkout only")
    wrong, same = [], []
    for number, value in enumerate(values):
        surrogate = Surrogates(KEY, f"doc-{number}", options=options).surrogate(entity, value)
        before, after = reading_of(entity, value), reading_of(entity, surrogate)
        # Frames read what templates write, and the table of medicines what lists do; where a shape
        # would lose a negation, another one writes.
        closer = after.form in ("frame", "medicine")
        kept = before.form == after.form or closer or negates(value)
        if before.form == "frame":  # its words stay, so any shape may read it that reads words
            kept = not is_plain(entity, surrogate)
        if not kept and not is_plain(entity, value):
            wrong.append(f"{before.form} -> {after.form}: {value!r} -> {surrogate!r}")
        if not before.may_stay and folded(surrogate) == folded(value):
            same.append(f"{value!r} -> {surrogate!r}")

    assert same == []
    assert 50 * len(wrong) <= len(values), wrong


@pytest.mark.checkout
@pytest.mark.parametrize(
    "entity",
    [pytest.param(one, marks=pytest.mark.slow if one == "HEALTH" else ()) for one in ENTITIES],
)
def test_order_and_repetition_change_nothing(entity: str) -> None:
    """Values in any order, once or twice, get the same surrogates."""
    values = marked().get(entity, [])[:60]
    one, other = Surrogates(KEY, "doc"), Surrogates(KEY, "doc")
    shuffled = values * 2
    random.Random(1).shuffle(shuffled)

    first = {value: one.surrogate(entity, value) for value in values}
    second = {value: other.surrogate(entity, value) for value in shuffled}

    assert first == second


@pytest.mark.slow
@given(
    entity=st.sampled_from(ALL), value=st.text(min_size=1, max_size=60), scope=st.integers(0, 99)
)
@settings(max_examples=600, deadline=None)
def test_any_text_gets_a_surrogate(entity: str, value: str, scope: int) -> None:
    """Any text is replaced, always by the same surrogate, and no error is raised."""
    value = "".join(char for char in value if char.isprintable()).strip() or "?"

    surrogate = Surrogates(KEY, str(scope)).surrogate(entity, value)

    assert surrogate.strip()
    assert surrogate == Surrogates(KEY, str(scope)).surrogate(entity, value)
    reading = reading_of(entity, value)
    assert reading.may_stay or folded(surrogate) != folded(value)


@pytest.mark.parametrize("entity", ALL)
def test_blanks_around_a_value_stay(entity: str) -> None:
    """A span with blanks at its edges keeps them."""
    surrogates = Surrogates(KEY, "doc")

    assert surrogates.surrogate(entity, " 46\n") == f" {surrogates.surrogate(entity, '46')}\n"


@pytest.mark.parametrize(
    ("entity", "value"),
    [("HOME_ADDRESS", "44 Old Orchard Lane, Scarsdale, NY 10583"), ("PERSON", "Ellen M. Ward"),
     ("RELIGION", "Lutheran"), ("HEALTH", "asthma")],
)  # fmt: skip
def test_candidates_are_an_ordered_stream(entity: str, value: str) -> None:
    """Several different ones, always in the same order, the first the surrogate itself."""
    one = list(Surrogates(KEY, "doc").candidates(entity, value))
    other = list(Surrogates(KEY, "doc").candidates(entity, value))

    assert one == other
    assert one[0] == Surrogates(KEY, "doc").surrogate(entity, value)
    assert len(set(one)) == len(one) > 5
    assert value not in one


def test_candidates_on_a_page_agree_by_their_numbers() -> None:
    """Values that share a first name say so, and have the same one in candidates of one number."""
    text = "Spouse: Bobby N. Crane. Her husband, Bobby, left for Ohio."
    places = [(8, 22, "MARITAL_STATUS"), (28, 42, "MARITAL_STATUS"), (53, 57, "LOCATION")]
    page = Surrogates(KEY, "doc").on_page(text, places)

    streams = [
        list(page.candidates(entity, text[start:end], start, end)) for start, end, entity in places
    ]

    whole, first, other = streams
    assert whole[0].parts & first[0].parts and whole[0].parts.isdisjoint(other[0].parts)
    numbered = {one.number: one.text for one in whole}
    both = [(numbered[one.number], one.text) for one in first if one.number in numbered]
    assert len(both) > 5
    for name, husband in both:
        assert husband == f"husband, {name.split()[0]}"


@pytest.mark.parametrize(
    ("entity", "value"), [("US_SSN", "271-24-0538"), ("DATE_OF_BIRTH", "11/9/65"), ("AGE", "46")]
)
def test_what_a_scope_may_have_but_once_has_one_candidate(entity: str, value: str) -> None:
    """An offset or a permutation gives one, or the next value would not agree with it."""
    options = {"ssn": "plausible"}

    assert len(list(Surrogates(KEY, "doc", options=options).candidates(entity, value))) == 1


@pytest.mark.parametrize("entity", [one for one in ALL if phrases.has_phrases(one, Pack.shipped())])
def test_what_a_template_writes_is_read_in_its_shape(entity: str) -> None:
    """Every template of every shape, filled, is read by that shape again."""
    assert [str(problem) for problem in misread_templates(entity, Pack.shipped())] == []


def test_what_has_one_surrogate_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other attempts would give the same, on a page where each is another value's original."""
    drawn = []

    def write(draw: forms.Draw) -> str:
        drawn.append(draw.shared("age").between(1, 9))
        return "41"

    def read(entity: str, value: str, options: object, *rest: object) -> Reading:
        return Reading("age", value, write)

    monkeypatch.setattr(table, "read", read)
    page = Page("46 41", [Span(0, 2, "AGE", 1.0, ""), Span(3, 5, "AGE", 1.0, "")])

    assert Surrogates(KEY).surrogate("AGE", "46", Context(page, 0, 2)) == "41"
    assert len(drawn) == 1
