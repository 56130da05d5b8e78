"""Let a descent go with the nationality on its line that says the same, as in "Italian    It.".

A crew list has a column for either, and most rows have the two of one people. So such a descent
becomes that of the nation which the nationality becomes.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, Finding, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, rows
from presidio_cdip.surrogates.drawing.table import read, surrogate_of_part
from presidio_cdip.surrogates.writing.text import cased_like, folded

_NATIONALITY = "NATIONALITY"
_COLUMNS = ("country", "both", "adjective", "person", "code", "short", "abbreviation")
_SHORTEST = 2  # letters of a word that may be cut off: "Portug."


@lru_cache(maxsize=8)
def _nations(pack: Pack) -> Mapping[str, Mapping[str, str]]:
    """Return the rows of the nations by each of their words."""
    return {
        folded(word.lstrip("~+")): row
        for row in reversed(rows("nations", pack))
        for column in reversed(_COLUMNS)
        for word in row[column].split("|")
        if word
    }


@lru_cache(maxsize=4096)
def nation_of(text: str, pack: Pack) -> Mapping[str, str] | None:
    """Return the row of the nation that *text* or its first word names, if it does."""
    known = _nations(pack)
    words = [one.rstrip(".") for one in (folded(text), folded(text).split(" ")[0])]
    if found := next((known[one] for one in words if one in known), None):
        return found
    short = words[1]
    if len(short) < _SHORTEST or not text.rstrip().endswith("."):
        return None
    return next((row for word, row in known.items() if word.startswith(short)), None)


def _adjective(row: Mapping[str, str]) -> str:
    words = (word for name in ("both", "adjective") for word in row[name].split("|"))
    return next((one for one in words if one and one[0] not in "~+"), "")


class _BesideNation:
    """Read a descent of the nation that a nationality on its line names."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context, pack = context_of(options), pack_of(options)
        if context is None or not (row := nation_of(value, pack)):
            return None
        if folded(value) not in {folded(one) for one in row["adjective"].split("|")}:
            return None
        beside = _beside(context, row, pack)
        if beside is None:
            return None

        def write(draw: Draw) -> str:
            page = context.page
            there = {**draw.options, "context": Context(page, beside.start, beside.end)}
            reading = read(_NATIONALITY, page.text[beside.start : beside.end], there)
            number = draw.attempt
            drawn = reading.write(Draw(draw.keyring, _NATIONALITY, reading.normal, number, there))
            nation = nation_of(drawn, pack)
            other = _adjective(nation) if nation else ""
            if not other or nation is row:
                other = surrogate_of_part(_NATIONALITY, value, draw)
            return cased_like(value, other)

        return Reading("descent beside nation", folded(value), write)


def _beside(context: Context, row: Mapping[str, str], pack: Pack) -> Finding | None:
    """Return the nationality on the line of *context* that names the nation of *row*."""
    text, found = context.page.text, context.page.fact(_nationalities)
    start, end = text.rfind("\n", 0, context.start) + 1, text.find("\n", context.end)
    first = bisect_left(found, start, key=attrgetter("start"))
    last = bisect_left(found, len(text) if end < 0 else end, key=attrgetter("start"))
    on_line = found[first:last]
    return next((one for one in on_line if nation_of(text[one.start : one.end], pack) is row), None)


def _nationalities(page: Page) -> Sequence[Finding]:
    """Return the nationalities of *page*, in its order: a fact of `Page.fact`."""
    return [one for one in page.findings if one.entity == _NATIONALITY]


FORMS: tuple[Form, ...] = (_BesideNation(),)
