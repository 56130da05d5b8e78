"""Let peoples go with the nations of their page, and shares of descent with one another.

A people that is a part of a nation, as "Bafaw" in Cameroon, becomes one of the nation that replaces
it. The shares of one list, as "65 % Swedish, 30 % Danish", keep their sum.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Chance, Keyring
from presidio_cdip.surrogates.drawing.context import Context, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, rows
from presidio_cdip.surrogates.drawing.table import read
from presidio_cdip.surrogates.values.nations import (
    ABBREVIATION,
    CODE,
    DESCENT,
    NATIONALITY,
    is_people,
    people_of,
    shortened,
)
from presidio_cdip.surrogates.values.setting import ENGLISH_NAMES, around
from presidio_cdip.surrogates.writing.text import cased_like, folded

_PEOPLE = re.compile(
    r"(?i)(?P<lead>(?:(?:an?|the|of|ethnic) )*)(?P<it>[^\W\d_]+(?:[ '’-][^\W\d_]+)?)(?P<tail>s?)"
)
_SHARE = re.compile(
    r"(?P<before>\D{0,12}?)(?P<number>\d{1,2}(?:\.\d+)?)(?=\s?%|\s?per\s?cent|\s[A-Z])"
)
_ROW = re.compile(  # "Scotland ...... 22"
    r"(?P<name>[^\n\d]*?[^\W\d_])(?P<gap>\s?\.{3,}\s?|\s{3,})(?P<number>\d{1,2}(?:\.\d+)?)(?P<end>\s?%?)"
)
_NAMED_SHARE = re.compile(  # "61% Norwegian"
    r"(?P<before>\D{0,12}?)(?P<number>\d{1,2}(?:\.\d+)?)(?P<gap>\s?%\s+|\s?per\s?cent\s+|\s)"
    r"(?P<name>[A-Z][^\d\n%()]*[^\W\d_])"
)
_RACES = frozenset({"col", "ind", "lat", "rom"})  # of races and other peoples, too
_CODE = re.compile(r"[A-Z]{3}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_AS_SHARE = "20% {}"
_APART = 60  # characters at most between two shares of one list
_OWN = "shares"  # the option of a share whose number is drawn already
_SMALL = 12  # below so many per cent a share may be of any region
_FEW = 4  # regions from which one is drawn
_IS_PLACE = re.compile(  # a name of a place, and no word for its people
    r"(?:land|lands|ia|europe|africa|asia|italy|islands?|isles|americas?|peninsula|germany|norway"
    r"|sweden|denmark|wales|ulster|france|spain|portugal|greece|turkey|mexico|britain|levant)\Z"
)
_DRAWS = 16  # of the changes of a list of shares


class _PeopleOfNation:
    """Read a people that lives in a nation of the page."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        found = _PEOPLE.fullmatch(value)
        if context_of(options) is None or not found or not is_people(found["it"], options):
            return None

        def write(draw: Draw) -> str:
            other = people_of(draw, found["it"])
            return found["lead"] + cased_like(found["it"], other) + found["tail"]

        return Reading("people of nation", folded(value), write)


@dataclass(frozen=True, slots=True)
class _ShortNation:
    """Read the abbreviation of a nation, such as "Ukr", or its code where the page has several."""

    column: str

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context, column = context_of(options), self.column
        if context is None or not shortened(value, column, options):
            return None
        if folded(value).rstrip(".") in _RACES:
            return None
        if column == CODE and not (_CODE.fullmatch(value) and context.page.fact(_has_codes)):
            return None

        def write(draw: Draw) -> str:
            new = cased_like(value, shortened(value, column, options, draw))
            return new + "." * value.endswith(".")

        return Reading(f"nation {column}", folded(value), write)


def _has_codes(page: Page) -> bool:
    """Tell whether several nationalities of *page* are codes of three letters: a fact of it."""
    return len({one for one in page.values(NATIONALITY) if _CODE.fullmatch(one)}) > 1


@dataclass(frozen=True, slots=True)
class Regions:
    """Draw the regions of all shares of a page, by their folded names: a fact of `Page.fact`.

    No two of one list lie in one another. The largest share is of people with such names as stand
    before the list, and so are most others of their continent; a small share may be of any.

    Attributes:
        keyring: Of the scope.
        pack: The pack in use.
    """

    keyring: Keyring
    pack: Pack

    def __call__(self, page: Page) -> Mapping[str, str]:
        """Return what replaces each region of *page*."""
        found: dict[str, Mapping[str, str]] = {}
        names = page.fact(_regions)
        told = [folded(one["place"]) for one in rows("ancestry", self.pack)]
        for one in page.fact(_shares):
            taken: set[str] = set()
            order = sorted(zip(one.numbers, one.names, strict=True), key=lambda it: -float(it[0]))
            origin = self._origin(page, one.starts[0])
            for at, (number, name) in enumerate(order):
                key = folded(name)
                if key and key not in found:
                    fit = self._fit(names, taken, origin, at == 0, float(number) < _SMALL)
                    chance = self.keyring.chance(f"{DESCENT} region", key)
                    found[key] = chance.choice(fit)
                taken |= set(found[key]["peoples"].split()) if key else set()
        return {
            key: row["place" if key in told or _IS_PLACE.search(key) else "adjective"]
            for key, row in found.items()
        }

    def _origin(self, page: Page, start: int) -> str:
        """Return the origin of the names before *start*; empty if there are none."""
        draw = Draw(self.keyring, DESCENT, "", 0, {"pack": self.pack})
        return next(iter(around(draw, Context(page, start, start)).origins), "")

    def _fit(
        self, names: Collection[str], taken: set[str], origin: str, is_first: bool, is_small: bool
    ) -> Sequence[Mapping[str, str]]:
        """Return the regions that can stand beside those with *taken* peoples."""
        own = _words_of(" ".join(names))
        found: Sequence[Mapping[str, str]] = [
            one
            for one in rows("ancestry", self.pack)
            if taken.isdisjoint(one["peoples"].split())
            and own.isdisjoint(_words_of(f"{one['place']} {one['adjective']}"))
        ]
        alike = [one for one in found if (origin or ENGLISH_NAMES) in one["names"].split()]
        continents = {one["continent"] for one in alike}
        near = [one for one in found if one["continent"] in continents]
        for fewer in (alike,) if is_first else () if is_small else (near,):
            found = fewer if len(fewer) >= _FEW else found
        return found


class _Share:
    """Read a share of descent beside others of its list, which keep their sum."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context = context_of(options)
        if context is None or options.get(_OWN):
            return None
        if folded(value) in context.page.fact(_regions):  # "a bit less of the Ashkenazi"

            def again(draw: Draw) -> str:
                return cased_like(value, _region_of(draw, context.page, value))

            return Reading("region of shares", folded(value), again)
        if not _number_in(value):
            return None
        lists = context.page.fact(_shares)
        own = next((one for one in lists if context.start in one.starts), None)
        if own is None:
            return None
        at = own.starts.index(context.start)
        row = _ROW.fullmatch(value)
        if named := row or _NAMED_SHARE.fullmatch(value):
            return self._named(own, at, named, row is not None, context.page)
        phrase = _AS_SHARE.format(row["name"]) if row else value
        reading = read(DESCENT, phrase, {**options, _OWN: True})

        def write(draw: Draw) -> str:
            inner = Draw(
                draw.keyring, draw.entity, draw.normal, draw.attempt, {**draw.options, _OWN: True}
            )
            stream = draw.keyring.chance(f"{DESCENT} shares", " ".join(own.numbers))
            number = changed(own.numbers, stream)[at]
            written = reading.write(inner)
            if row is None:
                return _NUMBER.sub(number, written, count=1)
            name = written.partition("% ")[2]
            return f"{name}{row['gap']}{number}{row['end']}"

        return Reading("row of shares" if row else reading.form, reading.normal, write)

    @staticmethod
    def _named(own: "_List", at: int, named: "re.Match[str]", is_row: bool, page: Page) -> Reading:
        """Return the reading of a share whose region is named."""
        name = named["name"]

        def write(draw: Draw) -> str:
            stream = draw.keyring.chance(f"{DESCENT} shares", " ".join(own.numbers))
            number = changed(own.numbers, stream)[at]
            new = cased_like(name, _region_of(draw, page, name))
            if is_row:
                return f"{new}{named['gap']}{number}{named['end']}"
            return f"{named['before']}{number}{named['gap']}{new}"

        return Reading("row of shares" if is_row else "share", folded(name), write)


@dataclass(frozen=True, slots=True)
class _List:
    """The shares of one list: where their values start, their numbers, and what they are of."""

    starts: tuple[int, ...]
    numbers: tuple[str, ...]
    names: tuple[str, ...]


def _shares(page: Page) -> Sequence[_List]:
    """Return the lists of at least two shares on *page*: a fact of `Page.fact`."""
    found: list[list[tuple[int, str, str]]] = []
    end = -_APART
    for one in page.findings:
        value = page.text[one.start : one.end]
        number = _number_in(value) if one.entity == DESCENT else ""
        if not number:
            continue
        joined = one.start - end < _APART and "\n\n" not in page.text[max(0, end) : one.start]
        if not joined:
            found.append([])
        named = _ROW.fullmatch(value) or _NAMED_SHARE.fullmatch(value)
        found[-1].append((one.start, number, named["name"] if named else ""))
        end = one.end
    return [_List(*zip(*one, strict=True)) for one in found if len(one) > 1]


def _regions(page: Page) -> frozenset[str]:
    """Return the folded names of the regions of all shares of *page*: a fact of `Page.fact`."""
    return frozenset(folded(name) for one in page.fact(_shares) for name in one.names if name)


def _region_of(draw: Draw, page: Page, name: str) -> str:
    """Return what replaces the region *name* of shares of *page*."""
    return page.fact(Regions(draw.keyring, pack_of(draw.options)))[folded(name)]


def _words_of(text: str) -> set[str]:
    """Return the words of *text* of four letters or more, folded."""
    return set(re.findall(r"[^\W\d_]{4,}", folded(text)))


def _number_in(value: str) -> str:
    """Return the number of the share *value*; empty if it is none."""
    found = _ROW.fullmatch(value) or _SHARE.match(value)
    return found["number"] if found else ""


def changed(numbers: Sequence[str], chance: Chance) -> Sequence[str]:
    """Return other *numbers* with the same sum: each gives a part of itself to the next.

    >>> changed(("61", "24", "13", "2"), Chance(bytes(32)))
    ['59', '21', '17', '3']
    """
    digits = max(len(one.partition(".")[2]) for one in numbers)
    values = [round(float(one) * 10**digits) for one in numbers]
    best: list[int] = values
    for _ in range(_DRAWS):
        given = [chance.between(min(1, one // 2), max(1, one // 3)) for one in values]
        taken = given[-1:] + given[:-1]
        new = [sum(one) for one in zip(values, taken, [-one for one in given], strict=True)]
        if _differing(new, values) > _differing(best, values) and min(new) > 0:
            best = new
    return [f"{one / 10**digits:.{digits}f}" for one in best]


def _differing(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(map(int.__ne__, one, other))


FORMS: tuple[Form, ...] = (_Share(), _ShortNation(ABBREVIATION), _PeopleOfNation())
NATIONALITY_FORMS: tuple[Form, ...] = (_ShortNation(CODE),)
