"""Work grows with the length of a text and nothing else: nobody can stall a service with a page.

Two things could make it grow faster, and each has a test of its own:

* a loop over a loop: the steps of the engine are counted, over a text and over one four times as
  long, which must take four times the steps, not sixteen. A step is a call, or a character that
  an expression is given to search;
* an expression that goes back over what it has read: each that searches whole texts does so on
  text made for this.

Expressions that are given less than a whole text are given a bounded stretch: that, too, shows in
the count of characters.
"""

import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from types import SimpleNamespace
from typing import Any

import pytest

import presidio_cdip
from presidio_cdip import Pack
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition import consistency, engine, folding, reading
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.validity import can_be
from tests.growth import MOST, PATIENCE, calls, patience

SHORT, LONG = 2_000, 8_000  # characters
WHOLE = 50_000  # characters: an expression that goes back over them needs 10⁹ steps and more

HARD = {
    "one letter": "a",
    "capitals": "A ",
    "digits": "1",
    "digits apart": "1 ",
    "digits and dashes": "1-",
    "brackets": "(",
    "closed brackets": "() ",
    "blanks": " ",
    "line ends": "\n",
    "underscores": "_",
    "colons": ":",
    "labels": "a: ",
    "commas": "A, ",
    "numbers": "12345 ",
    "dates": "1/1/11 ",
    "half dates": "May 1, ",
    "names": "St. John's ",
    "streets": "12 Elm Street, ",
    "number words": "two ",
    "hyphens": "one-",
    "dots": ". ",
    "capital runs": "AB",
    "mixed": "A1-( ",
    "accents": "é́",
    "numbered fields": "1. Age ",
    "headings above headings": "x" + " Home phone" * 11 + " 5\n",
    "cells above cells": "x Age\t" * 60 + "\n",
    "births": "born ",
    "boxes": "[X] Gout  [ ] Mumps\n",
    "boxes in one line": "[X] Gout ",
    "answers in columns": "Had   Yes   No\nGout   X\n",
    "rings": "Gout Yes (No) ",
    "rosters": "Name  Race  Sex\nAsh   W     M\n",
    "headings": "Name  Race  Sex\n",
    "headings of fields": "Name,Race,Sex\n",
    "rows with a heading": "Race|x|y|z\n",
    "rows of sexes": "Sex,M,F,i\n",
    "fields": "Name,Race,Sex\nAsh,W,M\n",
    "commas and headings": "Name, race, sex, and ",
    "cells on two lines": "Name  Race  Sex\nAsh   W     M\n      N     F\n",
    "explained headings": "Name  Zq  Sex\nAsh   W     M\nZq = Race\n",
    "fields of persons": "Race: C  Sex: F  M.S.: D\n",
    "broken words": "hus-\nband ",
    "broken numbers": "214-55-\n1234 ",
    "circled options": "Ill:  Gout  (Mumps)  Croup\n",
    "marks alone": "Gout  Mumps  Croup\n        x\n",
    "blank boxes": "[ ] Gout  [ ] Mumps\n",
    "legends": "Rel.: 1 Prot  2 Cath\n",
    "legends of codes in use": "W: N   M\nW: W white, N Negro, M mixed\n",
    "listed legends": "Codes\nA - fit\nH - hernia\n",
    "labelled parts": "Home address: 5 Elm St  City: Erie\n",
}
CUES = {  # what stands between the cues of all rules
    "every cue, on a line": " ",
    "every cue, on lines": "\n",
    "every cue, with colons": ": ",
    "every cue, in cells": "   ",
}


FAST = {"digits apart", "labels", "streets", "numbered fields", "cells above cells"}
NAMES = [
    pytest.param(name, marks=() if name in FAST else pytest.mark.slow) for name in (*HARD, *CUES)
]


@cache
def hard(name: str) -> str:
    """What a hard text repeats; cues are shuffled, so that the first of them are of every file."""
    if name in HARD:
        return HARD[name]
    files = rule_files(Pack.shipped())
    cues = sorted({cue for file in files for rule in file.rules for cue in rule.cues})
    random.Random(1).shuffle(cues)
    return CUES[name].join(cues)


class Counted:
    """A compiled expression that counts the characters it is given to search."""

    searched = 0  # by all of them together

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        end = len(text) if end is None else end
        Counted.searched += end - start
        return self._pattern.search(text, start, end)

    def finditer(
        self, text: str, start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        end = len(text) if end is None else end
        Counted.searched += end - start
        return self._pattern.finditer(text, start, end)


@pytest.fixture(scope="module")
def counted() -> Iterator[engine.Engine]:
    """The engine of the shipped pack; all its expressions are counted."""

    def compiled(*arguments: Any) -> Counted:
        return Counted(re.compile(*arguments))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "re", SimpleNamespace(**vars(re) | {"compile": compiled}))
        for module in (consistency, engine, folding, reading):
            for name, value in list(vars(module).items()):
                if isinstance(value, re.Pattern):
                    patch.setattr(module, name, Counted(value))
        yield engine.Engine(rule_files(Pack.shipped()))


def steps(read: Callable[[str], object], text: str) -> int:
    """How many functions are called, and characters searched, to *read* the *text*."""
    before = Counted.searched
    return calls(lambda: read(text)) + Counted.searched - before


def of_length(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def growth(read: Callable[[str], object], unit: str) -> float:
    """How many times as many steps four times the text takes."""
    read(of_length(unit, LONG))  # expressions are compiled when they are first needed
    return steps(read, of_length(unit, LONG)) / steps(read, of_length(unit, SHORT))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_engine_takes_steps_in_proportion_to_the_text(counted: engine.Engine, name: str) -> None:
    """No loop of the engine runs within another over the whole text."""
    assert growth(counted.find, hard(name)) < MOST


@pytest.mark.slow
@pytest.mark.parametrize("unit", [":", "(", "'", "Age: 46\n"])
def test_analyzer_takes_steps_in_proportion_to_the_text(unit: str) -> None:
    """Neither the pipeline nor Presidio around the rules loops where the rules do not."""
    analyzer = presidio_cdip.analyzer(model="none")  # windows of a model are of one length

    assert growth(lambda text: analyzer.analyze(text, "en"), unit) < MOST


def test_options_and_legends_are_not_read_again_for_each_span() -> None:
    """Whether a span of the model can be a value takes no more steps on a page with many boxes."""

    def checked(text: str) -> None:
        for start in range(0, len(text), 50):
            can_be(text, Span(start, start + 9, "HEALTH", 0.9, "model"))

    unit = "[X] Gout  [ ] Mumps\nCode: A = fit, H = hernia\n"

    assert growth(checked, unit) < MOST


@pytest.mark.parametrize(
    "unit",
    [
        "NAME    AGE   CODE\nAbel    11    A\nHollis  12    B\n\nCODE  A asthma   B gout\n\n",
        "foo,bar,Race,Religion,Name,Age\n",
    ],
)
def test_tables_and_legends_are_not_read_again_for_each_other(
    counted: engine.Engine, unit: str
) -> None:
    """A table ends at the next one, and a legend is of the nearest."""
    assert growth(counted.find, unit) < MOST


def test_count_sees_a_loop_over_a_loop(counted: engine.Engine) -> None:
    """The count fails for calls, and for searches, whose number or length grows with the text."""
    words = Counted(re.compile("x"))

    def searches(text: str) -> None:
        for start in range(0, len(text), 10):
            words.search(text, start)

    def calls(text: str) -> None:
        for end in range(0, len(text), 20):
            for start in range(0, end, 20):
                min(start, end)

    assert growth(searches, "a") > MOST
    assert growth(calls, "a") > MOST


def whole_text_expressions() -> Iterator[re.Pattern[str]]:
    """Those that search whole texts and can repeat something without limit; others cannot stall."""
    shipped = engine.Engine(rule_files(Pack.shipped()))
    rules = {id(rule): rule for rule in chain(*shipped._by_cue.values(), shipped._scans)}
    for rule in rules.values():
        patterns = [*rule.free] if not rule.rule.cues else []
        patterns += [side["document"] for side in (rule.needs, rule.unless) if "document" in side]
        yield from (pattern.plain for pattern in patterns)
    yield from (consistency.DATE, consistency._GROUP, folding._GLUE, folding._WORD)
    yield from (reading._CELL, reading._LABEL, reading._LINE_END)


def stalls(pattern: re.Pattern[str], text: str, seconds: float = PATIENCE) -> bool:
    try:
        with patience(seconds):
            for _ in pattern.finditer(text):
                pass
    except TimeoutError:
        return True
    return False


@pytest.mark.slow
def test_no_expression_that_searches_whole_texts_stalls() -> None:
    """Each ends at once on a long text of whatever is hard for it."""
    limitless = re.compile(r"[*+]|\{\d+,\}")
    patterns = {one for one in whole_text_expressions() if limitless.search(one.pattern)}
    texts = {name: of_length(unit, WHOLE) for name, unit in HARD.items()}

    stalled = {
        (pattern.pattern[:200], name)
        for pattern in patterns
        for name, text in texts.items()
        if stalls(pattern, text)
    }

    assert patterns
    assert stalled == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("expression", "unit"),
    [(r"\s+x", " "), (r"(?:\w+ )*x", "A "), (r"\(.*\)", "("), (r"\w*\d\b", "a")],
)
def test_expression_that_goes_back_over_the_text_is_stopped(expression: str, unit: str) -> None:
    """The guard of the test above works: each of these would take minutes."""
    assert stalls(re.compile(expression), of_length(unit, WHOLE), 0.3)
