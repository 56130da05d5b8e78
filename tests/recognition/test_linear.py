"""Time grows with the length of a text and nothing else: nobody can stall a service with a page.

A text made to be hard is compared with prose of the same length, read in the same minute: an
expression that backtracks takes thousands of times as long, not tens.
"""

import re
import time

import pytest

from presidio_cdip import Pack
from presidio_cdip.recognition.engine import Engine

LENGTH = 100_000  # characters
FILES = Pack.shipped().rule_files()
ENGINE = Engine(FILES)
PROSE = (
    "The committee met on Tuesday to hear the report of the treasurer, who said that the accounts "
    "were in order and that 14 of the 20 members had paid. A letter was read and laid aside. "
)

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
    "colons": "a: ",
    "commas": "A, ",
    "numbers": "12345 ",
    "dates": "1/1/11 ",
    "months": "May ",
    "half dates": "May 1, ",
    "names": "St. John's ",
    "streets": "12 Elm Street, ",
    "number words": "two ",
    "hyphens": "one-",
    "dots": ". ",
    "capital runs": "AB",
    "mixed": "A1-( ",
    "accents": "é́",
}


def seconds(text: str) -> float:
    started = time.process_time()
    ENGINE.find(text)
    return time.process_time() - started


@pytest.fixture(scope="module")
def prose() -> float:
    """Processor seconds for prose of the tests' length."""
    text = (PROSE * (LENGTH // len(PROSE) + 1))[:LENGTH]
    return min(seconds(text) for _ in range(2))


@pytest.mark.parametrize("unit", HARD.values(), ids=HARD)
def test_hard_text_takes_no_more_than_tens_of_times_the_time_of_prose(
    unit: str, prose: float
) -> None:
    """No expression of any rule, and no part of the engine, backtracks over a long text."""
    text = (unit * (LENGTH // len(unit) + 1))[:LENGTH]

    assert seconds(text) < 60 * prose


CUES = sorted({cue for file in FILES for rule in file.rules for cue in rule.cues})


def test_text_of_nothing_but_cues_takes_no_more_than_tens_of_times_the_time_of_prose(
    prose: float,
) -> None:
    """Every cue of every rule at once, on one line and on lines of their own."""
    for joint in (" ", "\n", ": ", "   "):
        text = joint.join(CUES)
        text = (text * (LENGTH // len(text) + 1))[:LENGTH]

        assert seconds(text) < 60 * prose


VALUES = sorted({value for file in FILES for rule in file.rules for value in rule.values})


@pytest.mark.parametrize("unit", ["1", "A", "a ", "1 ", "A, ", "(", "\n", "1-", "one-", "Ab. "])
def test_each_expression_alone_reads_hard_text_in_the_time_of_a_few_plain_ones(unit: str) -> None:
    """No single expression hides behind the others: each is compared with all on plain text."""
    text = unit * (LENGTH // len(unit))
    plain = (PROSE * (LENGTH // len(PROSE) + 1))[:LENGTH]
    patterns = [re.compile(value) for value in VALUES]

    def spent(pattern: re.Pattern[str], over: str) -> float:
        started = time.process_time()
        sum(1 for _ in pattern.finditer(over))
        return time.process_time() - started

    on_plain = sum(spent(pattern, plain) for pattern in patterns)

    slow = [index for index, pattern in enumerate(patterns) if spent(pattern, text) > on_plain]
    assert slow == []
