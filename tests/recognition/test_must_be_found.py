"""Inputs written against the rules that take findings away: none takes a person's value."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from presidio_cdip.entities import NAMES
from presidio_cdip.recognition.finder import Finder, finder, least_score

FILE = Path(__file__).with_name("must_be_found.txt")
_MARK = re.compile(r"\[\[(?P<entity>[A-Z_]+|\*)\|(?P<value>[^\[\]|]+)\]\]")
_UNFOUND = "% unfound: "
ANY = "*"


@dataclass(frozen=True, slots=True)
class Input:
    """A text of `FILE`.

    Attributes:
        name: Its group, and its number there.
        text: Without marks.
        marks: Start, end and entity of what must be found.
        unfound: Why it is known to be missed, or "".
    """

    name: str
    text: str
    marks: tuple[tuple[int, int, str], ...]
    unfound: str


def inputs() -> Iterator[Input]:
    """Yield the inputs of `FILE`."""
    for group in re.split(r"(?m)^%%% ", FILE.read_text("utf-8"))[1:]:
        title, *texts = re.split(r"(?m)^(?=%(?:\n| unfound))", group)
        for number, one in enumerate(texts, 1):
            head, _, marked = one.partition("\n")
            text, marks = unmarked(marked.removesuffix("\n"))
            yield Input(f"{title.split('.')[0]}-{number}", text, marks, head[len(_UNFOUND) :])


def unmarked(marked: str) -> tuple[str, tuple[tuple[int, int, str], ...]]:
    """Return *marked* without its marks, and where they stand."""
    text, marks, at = "", [], 0
    for mark in _MARK.finditer(marked):
        text += marked[at : mark.start()]
        marks.append((len(text), len(text) + len(mark["value"]), mark["entity"]))
        text, at = text + mark["value"], mark.end()
    text += marked[at:]
    assert "[[" not in text, marked
    return text, tuple(marks)


@pytest.fixture(scope="module")
def shipped() -> Finder:
    """The rules with the model."""
    return finder()


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(
            one,
            id=one.name,
            marks=[pytest.mark.xfail(reason=one.unfound, strict=True)] if one.unfound else [],
        )
        for one in inputs()
    ],
)
def test_nothing_takes_a_persons_value_away(shipped: Finder, one: Input) -> None:
    """What is marked is found, at least in part; where nothing is marked, nothing is found."""
    names = any(entity in NAMES for _, _, entity in one.marks)

    spans = shipped.find(one.text, names=names, min_score=least_score("balanced"))

    missed = [
        (entity, one.text[start:end])
        for start, end, entity in one.marks
        if not any(
            span.start < end and start < span.end and entity in (ANY, span.entity) for span in spans
        )
    ]
    assert missed == []
    if not one.marks:
        assert [(span.entity, one.text[span.start : span.end]) for span in spans] == []


def test_inputs_have_both_kinds() -> None:
    """A fourth of them, at least, has nothing to be found, so that no rule is only taken out."""
    every = list(inputs())
    nothing = [one for one in every if not one.marks]

    assert len(every) > 200
    assert 4 * len(nothing) >= len(every) - len(nothing)
