"""Time grows with the length of a text and nothing else: nobody can stall a service with a page.

A text is compared with one four times as long, in processor time: an expression that backtracks, or
a loop over a loop, takes sixteen times as long or more, not four.
"""

import time
from collections.abc import Callable

import pytest

import presidio_cdip
from presidio_cdip import Pack
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition.engine import Engine

pytestmark = pytest.mark.slow_in_wheel

LENGTH = 25_000  # characters; the longer text has 100,000
MOST = 9  # times the processor time for four times the text; a quadratic reader needs sixteen
FILES = rule_files(Pack.shipped())
ENGINE = Engine(FILES)
ANALYZER = presidio_cdip.analyzer(model="none")  # windows of a model take the same time anyhow
CUES = sorted({cue for file in FILES for rule in file.rules for cue in rule.cues})

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
    "every cue, on a line": " ".join(CUES),
    "every cue, on lines": "\n".join(CUES),
    "every cue, with colons": ": ".join(CUES),
    "every cue, in cells": "   ".join(CUES),
}


def seconds(read: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    read(text)
    return time.process_time() - started


def of_length(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def growth(read: Callable[[str], object], unit: str) -> float:
    """How many times as long four times the text takes; measured again where it seems too long."""
    read(of_length(unit, LENGTH))  # expressions are compiled when they are first needed
    ratio = float("inf")
    for _ in range(3):
        short = max(seconds(read, of_length(unit, LENGTH)), 0.01)
        ratio = min(ratio, seconds(read, of_length(unit, 4 * LENGTH)) / short)
        if ratio < MOST:
            break
    return ratio


@pytest.mark.parametrize("unit", HARD.values(), ids=HARD)
def test_engine_reads_hard_text_in_linear_time(unit: str) -> None:
    """No expression of any rule, and no loop of the engine, stalls on a long text."""
    assert growth(ENGINE.find, unit) < MOST


@pytest.mark.parametrize("unit", [":", "(", "'", "Age: 46\n"])
def test_analyzer_reads_hard_text_in_linear_time(unit: str) -> None:
    """Neither the pipeline nor Presidio around the rules stalls where the rules do not."""
    assert growth(lambda text: ANALYZER.analyze(text, "en"), unit) < MOST
