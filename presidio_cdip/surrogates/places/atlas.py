"""Index the gazetteers of towns, states, counties and countries by every way of writing them."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.writing.text import folded

US = "United States"

_NUMBER = re.compile(r"\d\d|(?<![^\W_])\d(?![^\W_])")
_FEW_LETTERS = 3  # of which OCR may have read others as digits
_NOT_LETTERS = re.compile(r"[^a-z]+")
# Letters that occur in the names of a country's towns.
_SCRIPTS = (
    ("ðþ", "Iceland"),
    ("łąęśźżń", "Poland"),
    ("őű", "Hungary"),
    ("ăâțţ", "Romania"),
    ("åøæ", "Norway"),
    ("řěů", "Czech Republic"),
    ("ãõ", "Portugal"),
    ("ñ", "Spain"),
    ("şğı", "Turkey"),
    ("čšž", "Slovenia"),
    ("āēīūļņģķ", "Latvia"),
    ("ßäöü", "Germany"),
    ("èêçœû", "France"),
)
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "ß": "ss", "ı": "i"})
_LOCALES = {
    "AT": "Austria", "AU": "Australia", "BE": "Belgium", "CA": "Canada", "CH": "Switzerland",
    "DE": "Germany", "ES": "Spain", "FR": "France", "GB": "United Kingdom", "IE": "Ireland",
    "IN": "India", "IT": "Italy", "NL": "Netherlands", "NZ": "New Zealand", "PL": "Poland",
    "PT": "Portugal", "SE": "Sweden",
}  # fmt: skip


class Town(NamedTuple):
    """A town of the gazetteers.

    Attributes:
        name: As listed.
        key: The folded name.
        state: Postal code of the US state; empty outside the US.
        region: Empty in the US.
        country: Name of the country.
        old: Another or a former name of the country; may be empty.
        postcode: First characters of the postcodes in use there; may be empty.
        since: The first year of the town, or of its name; 0 if nobody asks.
        until: The last year of its name.
    """

    name: str
    key: str
    state: str
    region: str
    country: str
    old: str
    postcode: str
    since: int = 0
    until: int = 9999


@dataclass(frozen=True, slots=True)
class Atlas:
    """Look up towns, states, counties and countries.

    Attributes:
        american: US towns by folded name.
        foreign: Other towns by folded name.
        pools: Towns to draw from, by present or former name of the country; key ``""`` holds all
            towns outside the US.
        states: Postal codes by the letters of every way of writing a state.
        state_rows: Rows of ``us_states.tsv`` by postal code.
        countries: Names of countries by every folded name.
        codes: Names of countries by country code.
        nations: Names of countries to draw from.
        counties: Names of US counties to draw from.
        regions: Countries by the folded names of their regions, outside the US.
        short_regions: Abbreviations of regions, by region.
        region_codes: Their codes in postal addresses, by region.
        shared_regions: The folded names of those that several countries have.
        known: Countries, outside the US, that have a town of that folded name.
        nationalities: Names of countries by folded words for their people.
        districts: Names of suburbs and villages to draw from, by country.
        signs: By country, an expression for the institutions that only its papers name.
    """

    american: Mapping[str, Town]
    foreign: Mapping[str, Town]
    pools: Mapping[str, tuple[Town, ...]]
    states: Mapping[str, str]
    state_rows: Mapping[str, Mapping[str, str]]
    countries: Mapping[str, str]
    codes: Mapping[str, str]
    nations: tuple[str, ...]
    counties: tuple[str, ...]
    regions: Mapping[str, str]
    short_regions: Mapping[str, str]
    region_codes: Mapping[str, str]
    shared_regions: frozenset[str]
    known: Mapping[str, tuple[str, ...]]
    nationalities: Mapping[str, str]
    districts: Mapping[str, tuple[str, ...]]
    signs: Mapping[str, re.Pattern[str]]

    def state(self, text: str) -> str:
        """Return the postal code of the US state that *text* names, or an empty string.

        >>> atlas = load_atlas(Pack.shipped())
        >>> [atlas.state(text) for text in ("N. Y.", "0hio", "N. Carol1na", "Brno")]
        ['NY', 'OH', 'NC', '']
        """
        if _NUMBER.search(text):
            return ""
        if len(letters(text)) < _FEW_LETTERS or not re.search(r"\d", text):
            return self.states.get(letters(text), "")
        ways = (letters(text.replace("1", one).replace("0", "o").replace("5", "s")) for one in "il")
        return next((self.states[way] for way in ways if way in self.states), "")

    def state_of_zip(self, code: str) -> str:
        """Return the postal code of the state with the town whose ZIP codes are next to *code*."""
        if not re.fullmatch(r"\d{5}(?:-\d{4})?", code):
            return ""
        own = int(code[:3])
        near = min(self.pools[US], key=lambda town: abs(int(town.postcode or 0) - own))
        return near.state

    def country(self, text: str) -> str:
        """Return the name of the country that *text* names, or an empty string."""
        if text.isupper() and text in self.codes:
            return self.codes[text]
        return self.countries.get(folded(text), "")

    def is_name(self, text: str) -> bool:
        """Tell whether *text* names a state, a country or a town."""
        key = folded(text)
        return bool(
            self.state(text) or self.country(text) or key in self.american or key in self.foreign
        )

    def town(self, name: str, locale: str = "en_US") -> Town | None:
        """Return the town called *name*: one of the locale's country first, then one of the US."""
        key = folded(name)
        foreign = self.foreign.get(key)
        if foreign and foreign.country == _LOCALES.get(locale[-2:]):
            return foreign
        return self.american.get(key) or foreign

    def has_towns(self, country: str) -> bool:
        """Tell whether towns of *country* can be drawn."""
        return len({town.key for town in self.pools.get(country, ())}) > 1

    def pool(self, country: str) -> tuple[Town, ...]:
        """Return the towns of *country*, or all foreign ones if it has fewer than two names."""
        return self.pools[country if self.has_towns(country) else ""]


def letters(text: str) -> str:
    """Return the letters of *text*, folded, without any other character.

    >>> letters("N. Y.")
    'ny'
    """
    return _NOT_LETTERS.sub("", folded(text))


@lru_cache(maxsize=8)
def load_atlas(pack: Pack) -> Atlas:
    """Build the atlas from the gazetteers of *pack*."""
    state_rows = {row["postal"]: row for row in rows("us_states", pack)}
    states: dict[str, str] = {}
    for column in ("other", "press", "postal", "name"):
        for row in state_rows.values():
            states |= {letters(name): row["postal"] for name in row[column].split("|") if name}
    nations = rows("world_countries", pack)
    countries: dict[str, str] = {}
    abroad = [
        Town(
            row["town"], folded(row["town"]), "", row["region"], row["country"],
            row["country_old"], row["postcode"], *_years(row),
        )
        for row in rows("world_towns", pack)
    ]  # fmt: skip
    for town in abroad:
        countries.setdefault(folded(town.old), town.old)
        countries[folded(town.country)] = town.country
    for row in nations:
        names = [name for name in row["other"].split("|") if len(name) > 1]
        countries |= {folded(name): row["name"] for name in (*names, row["name"])}
    countries.pop("", None)
    for name in ("usa", "u.s.a", "us", "u.s", "united states", "united states of america"):
        countries[name] = US
    codes = {row["code"]: row["name"] for row in nations}
    for row in nations:
        codes |= {code: row["name"] for code in row["other"].split("|") if len(code) == 1}
    home = [
        Town(row["town"], folded(row["town"]), row["state"], "", US, "", row["zip3"], *_years(row))
        for row in rows("us_towns", pack)
    ]
    pools: dict[str, list[Town]] = {}
    for town in (*home, *abroad):
        if letters(town.name) in states or town.key in countries:
            continue
        for name in dict.fromkeys((town.country, town.old, "" if town.country != US else US)):
            if name or town.country != US:
                pools.setdefault(name, []).append(town)
    american = {town.key: town for town in reversed(home)}
    foreign = {town.key: town for town in reversed(abroad)}
    towns = {town.key for town in (*home, *abroad)}
    known: dict[str, tuple[str, ...]] = {}
    regions: dict[str, str] = {}
    short: dict[str, str] = {}
    region_codes: dict[str, str] = {}
    signs: dict[str, re.Pattern[str]] = {}
    for row in rows("world_known", pack):
        if listed := row.get("signs"):  # packs of earlier releases have no such column
            ways = (f"(?i:{re.escape(one[0])}){re.escape(one[1:])}" for one in listed.split("|"))
            signs[row["country"]] = re.compile(rf"(?<!\w)(?:{'|'.join(ways)})(?!\w)")
        for name in filter(None, row["towns"].split("|")):
            known[folded(name)] = (*known.get(folded(name), ()), row["country"])
        for name in filter(None, row["regions"].split("|")):
            full, abbreviation, code = (*name.split("="), "", "")[:3]
            short |= {full: abbreviation} if abbreviation else {}
            region_codes |= {full: code} if code else {}
            for way in filter(None, (full, abbreviation, abbreviation.replace(".", ""))):
                regions.setdefault(folded(way), row["country"])
    # "Lubeck", as typewriters write it
    foreign = {without_marks(key): town for key, town in foreign.items()} | foreign
    known = {without_marks(key): of for key, of in known.items()} | known
    shared: set[str] = set()
    for town in abroad:
        key = folded(town.region)
        if key and regions.setdefault(key, town.country) != town.country:
            shared.add(key)
    return Atlas(
        american=american,
        foreign=foreign,
        pools={name: tuple(towns) for name, towns in pools.items()},
        states=states,
        state_rows=state_rows,
        countries=countries,
        codes=codes,
        nations=tuple(
            row["name"]
            for row in nations
            if letters(row["name"]) not in states
            and folded(row["name"]) not in american
            and len({town.key for town in pools.get(row["name"], ())}) > 1
        ),
        counties=terms("us_counties", pack),
        regions={
            key: country
            for key, country in regions.items()
            if key not in towns and key not in states and key not in countries
        },
        short_regions=short,
        region_codes=region_codes,
        shared_regions=frozenset(shared),
        known=known,
        nationalities=_nationalities(countries, abroad, pack),
        districts={
            country: tuple(row["names"].split("|"))
            for row in rows("districts", pack)
            for country in row["countries"].split("|")
        },
        signs=signs,
    )


def without_marks(key: str) -> str:
    """Return *key* without the marks on its letters.

    >>> [without_marks(key) for key in ("lübeck", "panevėžys", "łódź", "tromsø")]
    ['lubeck', 'panevezys', 'lodz', 'tromso']
    """
    apart = unicodedata.normalize("NFD", key.translate(_STROKES))
    return "".join(char for char in apart if not unicodedata.combining(char))


def _years(row: Mapping[str, str]) -> tuple[int, int]:
    """Return the first and the last of the years of *row*: "1943-", "-1982" or none."""
    since, _, until = row.get("years", "").partition("-")  # packs of earlier releases have none
    return int(since or 0), int(until or Town._field_defaults["until"])


def _nationalities(
    countries: Mapping[str, str], abroad: Sequence[Town], pack: Pack
) -> dict[str, str]:
    """Return the present countries by the words for their people, and by their former names."""
    present = {town.old: town.country for town in reversed(abroad) if town.old}
    found: dict[str, str] = {}
    for row in rows("nations", pack):
        name = countries.get(folded(row["nation"]), "")
        country = present.get(name, name)
        for column in ("both", "adjective", "person", "people", "country"):
            for word in row[column].split("|") if country else ():
                found.setdefault(folded(word.removeprefix("~")), country)
    return found


def country_of_letters(text: str) -> str:
    """Return the country whose towns have such letters as *text*; empty for English letters."""
    low = text.lower()
    for marks, country in _SCRIPTS:
        if any(char in marks for char in low):
            return country
    return ""


def country_of_locale(locale: str) -> str:
    """Return the country of *locale*, in the notation of Faker; the US if it is unknown."""
    return _LOCALES.get(locale[-2:], US)
