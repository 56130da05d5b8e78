"""Numbers in words, read among other words and written in the same style."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.writing.text import cased_like

_WORDS = english()
ONES, TENS = _WORDS.ones, _WORDS.tens
_IRREGULAR = _WORDS.ordinals
CARDINALS = 200  # cardinals and ordinals below this number are read
_YEARS = range(1500, 2100)
_NEAR_AGES = 4
_MOST_WORDS = 8  # one thousand nine hundred and twenty six
_LINE_END = re.compile(r"[-\s]*\n[-\s]*")
_BLANK_BETWEEN = re.compile(rf"(?i)(?:{'|'.join(TENS)}) ")


class Spelled(NamedTuple):
    """A number in words.

    Attributes:
        value: A whole number from 0.
        kind: ``"cardinal"``, ``"ordinal"`` or ``"year"``.
        words: The number of words.
        style: The style of a year, as `year` takes it; else empty.
    """

    value: int
    kind: str
    words: int
    style: str = ""


def cardinal(number: int) -> str:
    """Return *number*, from 0 to 999, in words.

    >>> cardinal(41), cardinal(103)
    ('forty-one', 'one hundred and three')
    """
    if number < 20:
        return ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")
    hundreds, rest = divmod(number, 100)
    return f"{ONES[hundreds]} hundred" + (f" and {cardinal(rest)}" if rest else "")


def ordinal(number: int) -> str:
    """Return the ordinal of *number*, from 1 to 999, in words.

    >>> ordinal(21), ordinal(60), ordinal(12)
    ('twenty-first', 'sixtieth', 'twelfth')
    """
    head, mark, last = re.split(r"([- ]?)(?=\w+$)", cardinal(number), maxsplit=1)
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    else:
        last = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return head + mark + last


def year(number: int, style: str) -> str:
    """Return a year in words.

    Args:
        number: From 1000 to 2999.
        style: ``"pair"`` (nineteen twenty-six), ``"hundred"`` (nineteen hundred twenty-six),
            ``"hundred and"``, ``"pair and"`` (nineteen and twenty-six), ``"thousand"`` or
            ``"thousand and"``.

    >>> year(1979, "hundred and"), year(1905, "pair"), year(2003, "pair")
    ('nineteen hundred and seventy-nine', 'nineteen oh-five', 'two thousand three')
    """
    century, rest = divmod(number, 100)
    joint = " and " if style.endswith(" and") else " "
    tail = joint + cardinal(rest) if rest else ""
    if style.startswith("thousand") or (century == 20 and (style != "pair" or rest < 10)):
        thousands, hundreds = divmod(century, 10)
        middle = f" {ONES[hundreds]} hundred" if hundreds else ""
        return f"{ONES[thousands]} thousand{middle}{tail}"
    if style == "pair and" and rest:
        return f"{cardinal(century)}{tail}"
    if style != "pair" or not rest:
        return f"{cardinal(century)} hundred{tail}"
    return f"{cardinal(century)} {f'oh-{ONES[rest]}' if rest < 10 else cardinal(rest)}"


def short_year(number: int) -> str:
    """Return the last two digits of a year in words.

    >>> short_year(26), short_year(5), short_year(0)
    ('twenty-six', 'oh-five', 'oh-oh')
    """
    return cardinal(number) if number > 9 else f"oh-{ONES[number] if number else 'oh'}"


STYLES = ("pair", "hundred", "hundred and", "thousand", "thousand and")


def find(words: Sequence[str], at: int) -> Spelled | None:
    """Find the longest number that begins at *words[at]*; None if there is none.

    Args:
        words: In lower case, without hyphens.
        at: An index of *words*.

    >>> find(["of", "twenty", "six"], 1)
    Spelled(value=26, kind='cardinal', words=2, style='')
    """
    table, firsts = _table()
    if words[at] not in firsts:
        return None
    for end in range(min(len(words), at + _MOST_WORDS), at, -1):
        if found := table.get(" ".join(words[at:end])):
            return found
    return None


def written_like(model: str, words: str) -> str:
    """Return *words* with the case, the ends of line and the blanks or hyphens of *model*.

    >>> written_like("Twenty Six", "forty-one")
    'Forty One'
    """
    if _BLANK_BETWEEN.search(model):
        words = words.replace("-", " ")
    words = cased_like(model, words)
    for joint in _LINE_END.findall(model):
        words, broken = re.subn(r"(?<=\w)[- ](?=\w)", joint, words, count=1)
        words += "" if broken else "\n"
    return words


@lru_cache(maxsize=1)
def _table() -> tuple[Mapping[str, Spelled], frozenset[str]]:
    """Return every number by its words, and all first words of numbers."""
    found: dict[str, Spelled] = {}

    def add(words: str, value: int, kind: str, style: str = "") -> None:
        key = words.replace("-", " ")
        found.setdefault(key, Spelled(value, kind, key.count(" ") + 1, style))

    for number in range(CARDINALS):
        add(cardinal(number), number, "cardinal")
        for words in (cardinal(number).replace(" and", ""), cardinal(number).replace("-", "")):
            add(words, number, "cardinal")
        if number:
            add(ordinal(number), number, "ordinal")
        if number < 10:
            for nought in _WORDS.noughts:
                add(f"{nought} {ONES[number]}", number, "cardinal")
    add("oh oh", 0, "cardinal")
    add("a hundred", 100, "cardinal")
    for number in _YEARS:
        for style in STYLES:
            add(year(number, style), number, "year", style)
        if number % 100 in range(1, 10):
            for nought in _WORDS.noughts[1:]:
                add(year(number, "pair").replace("oh", nought), number, "year", "pair")
    for number in range(1800, 2000):  # "nineteen and six", but no two ages, as of a couple
        if number % 100 and abs(number // 100 - number % 100) > _NEAR_AGES:
            add(year(number, "pair and"), number, "year", "pair and")
    for key in list(found):
        for wrong, right in _WORDS.misspelt.items():
            if right in key:
                found[key.replace(right, wrong)] = found[key]
    return found, frozenset(words.split()[0] for words in found)
