"""Places: towns, states, counties and countries, alone and together.

A town is drawn by its own name alone, so that "Gallipolis" and "Gallipolis, Ohio" become the same
town, which brings its own state. A country outside the US becomes another, and its towns become
towns of that. An address stays in its country, whose way of writing tells it anyway.

There are some 570 towns in the US to draw from, so that two of *n* get the same one with a chance
of about ``n**2 / 1140``: 4 percent for 7 towns of a document. Another attempt draws again.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from presidio_cdip.pack.confusions import ROUND, digits
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Chance
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.writing.text import cased_like, folded, mended

_SEGMENT = re.compile(r"[^\s,;()]+(?: (?![-–/] )[^\s,;()]+)*")
_ADDRESSED = re.compile("street|rural|unit|zip|postcode")
_LETTERS = re.compile(r"[^a-z]+")
# What a country's towns are written with.
_SCRIPTS = (
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
_LOCALES = {
    "AT": "Austria", "AU": "Australia", "BE": "Belgium", "CA": "Canada", "CH": "Switzerland",
    "DE": "Germany", "ES": "Spain", "FR": "France", "GB": "United Kingdom", "IE": "Ireland",
    "IN": "India", "IT": "Italy", "NL": "Netherlands", "NZ": "New Zealand", "PL": "Poland",
    "PT": "Portugal", "SE": "Sweden",
}  # fmt: skip
_STREETS = english().streets
_FIRST_OF_TWO = frozenset(_STREETS["first_of_two"])  # "Port Washington" is no town in Washington
_LEADS = frozenset(_STREETS["place_leads"])
_BEFORE_LEADS = frozenset(_STREETS["before_place_leads"])
_HOUSES = frozenset(_STREETS["hospitals"])
_KINDS_OF_AREA = _HOUSES | frozenset(_STREETS["areas"])
_WORDS_OF_REGION = frozenset(_STREETS["regions"])
_NUMBERED = re.compile(rf"(?:(?:no|nr|house|#)[.:]? ?)?#?[\d{ROUND}]*\d[\d{ROUND}]*[a-z]?", re.I)
# Not the o of "No63"
_HOUSE_NUMBER = re.compile(rf"(?:(?<![^\W\d_])[{ROUND}]+)?\d[\d{ROUND}]*")
_LONGEST = 7  # parts of a place
_LONGEST_SEGMENT = 12  # words

US = "United States"

Item = TypeVar("Item")


class Town(NamedTuple):
    """A town that there is.

    Attributes:
        key: Its name, folded.
        state: Postal code; empty outside the US.
        region: Empty in the US.
        old: What else its country is or was called.
        postcode: The first characters of those in use there, or nothing.
    """

    name: str
    key: str
    state: str
    region: str
    country: str
    old: str
    postcode: str


@dataclass(frozen=True, slots=True)
class Atlas:
    """What the lists say of places.

    Attributes:
        american: US towns by folded name.
        foreign: Other towns by folded name.
        pools: What is drawn from, by country or what it was called; all but the US as ``""``.
        states: Postal codes by the letters of every way of writing a state.
        state_rows: The states' rows by postal code.
        countries: Names by every folded name.
        codes: Names by code.
        nations: Names to draw from.
        counties: Names to draw from.
        regions: The countries of regions abroad by their folded names.
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

    def state(self, text: str) -> str:
        """The postal code of the state that *text* names, or nothing.

        >>> atlas().state("N. Y."), atlas().state("0hio"), atlas().state("Brno")
        ('NY', 'OH', '')
        """
        return "" if re.search(r"\d\d", text) else self.states.get(letters(text), "")

    def country(self, text: str) -> str:
        """The name of the country that *text* names, or nothing."""
        if text.isupper() and text in self.codes:
            return self.codes[text]
        return self.countries.get(folded(text), "")

    def known(self, text: str, locale: str = "en_US") -> Town | None:
        """The town of that name, of the locale's country first, then of the US."""
        key = folded(text)
        foreign = self.foreign.get(key)
        if foreign and foreign.country == _LOCALES.get(locale[-2:]):
            return foreign
        return self.american.get(key) or foreign

    def pool(self, country: str) -> tuple[Town, ...]:
        """The towns to draw from for one of *country*: at least two of different names."""
        found = self.pools.get(country, ())
        return found if len({town.key for town in found}) > 1 else self.pools[""]


def letters(text: str) -> str:
    """The letters of *text* alone, folded.

    >>> letters("N. Y.")
    'ny'
    """
    return _LETTERS.sub("", folded(text))


@lru_cache(maxsize=8)
def atlas(pack: Pack | None = None) -> Atlas:
    """The atlas of the lists in *pack* or of those shipped."""
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
            row["country_old"], row["postcode"],
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
        Town(row["town"], folded(row["town"]), row["state"], "", US, "", row["zip3"])
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
    towns = {town.key for town in (*home, *abroad)}
    return Atlas(
        american=american,
        foreign={town.key: town for town in reversed(abroad)},
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
            key: town.country
            for town in reversed(abroad)
            if (key := folded(town.region)) not in towns
        },
    )


def country_of(text: str, known: Atlas, locale: str = "en_US") -> str:
    """The country where a town of that name lies, as far as its name tells."""
    if town := known.known(text, locale):
        return town.country
    low = text.lower()
    for marks, country in _SCRIPTS:
        if any(char in marks for char in low):
            return country
    return _LOCALES.get(locale[-2:], US)


def town_for(draw: Draw, name: str, country: str, known: Atlas) -> Town:
    """The town that stands for the one called *name* in every value of the scope.

    Args:
        draw: Of the value that *name* stands in.
        name: As written, or what else tells the town.
        country: Whose towns are drawn from: a name of the atlas, or nothing for all but the US.
        known: Of the pack in use.
    """
    key = folded(name)
    pool = known.pool(country)
    chance = draw.part("PLACE", key).chance
    return other(chance, pool, lambda town: town.key == key)


def nation_for(draw: Draw, country: str, known: Atlas) -> str:
    """The country that stands for *country* in every value of the scope."""
    key = folded(country)
    chance = draw.part("PLACE", f"country {key}").chance
    return other(chance, known.nations, lambda name: folded(name) == key)


def other(chance: Chance, items: Sequence[Item], own: Callable[[Item], bool]) -> Item:
    """One of *items* that is not the own one; any, should all be."""
    for _ in range(64):
        item = chance.choice(items)
        if not own(item):
            return item
    return next((item for item in items if not own(item)), items[0])


def cased(model: str, value: str) -> str:
    """*value* in the capitals of *model*, small letters too.

    >>> cased("da nang", "Hue"), cased("POLAND", "Italy")
    ('hue', 'ITALY')
    """
    return value.lower() if model.islower() else cased_like(model, value)


def state_like(model: str, postal: str, known: Atlas, capitals: bool = False) -> str:
    """The state *postal*, written as *model* is.

    Args:
        model: A state's name, its postal code or its abbreviation.
        postal: The code of the state to write.
        known: Of the pack in use.
        capitals: Whether all around it is in capitals.

    >>> state_like("N. Y.", "NC", atlas()), state_like("Ky.", "TN", atlas())
    ('N. C.', 'Tenn.')
    >>> state_like("0hio", "KY", atlas()), state_like("wi", "KY", atlas())
    ('Kentucky', 'ky')
    """
    row = known.state_rows[postal]
    written = mended(model).strip(" .,")
    short = letters(model)
    own = known.state_rows.get(known.states.get(short, ""))
    if own and short == letters(own["name"]):
        return cased(written, row["name"])
    dotted = "." in model
    pressed = own is not None and short == letters(own["press"]) and written.istitle()
    if len(short) == 2 and not dotted and not pressed:
        return postal.lower() if written.islower() else postal
    press = row["press"]
    if " " in written:
        press = re.sub(r"\.(?=\w)", ". ", press)
    if not dotted:
        press = re.sub(r"\.(?=\w\w)", " ", press).replace(".", "")
    elif not model.endswith("."):
        press = press.rstrip(".")
    if written.islower():
        return press.lower()
    return press.upper() if capitals or (written.isupper() and len(short) > 2) else press


def numbered(text: str, chance: Chance) -> str:
    """*text* with other digits, its first not a zero unless it was one.

    >>> numbered("No. 63", Chance(bytes(32)))
    'No. 72'
    """
    found = _HOUSE_NUMBER.search(text)
    if not found:
        return text
    return text[: found.start()] + other_number(digits(found.group()), chance) + text[found.end() :]


def other_number(number: str, chance: Chance) -> str:
    """Another number than *number* of as many digits."""
    size = len(number)
    if number[0] == "0" and size > 1:
        return "0" + other_number(number[1:], chance)
    low = 10 ** (size - 1) if size > 1 else 1
    drawn = low + chance.below(10**size - low)
    if drawn == int(number):
        drawn = drawn + 1 if drawn + 1 < 10**size else low
    return str(drawn)


class Part(NamedTuple):
    """One part of a place as written.

    Attributes:
        kind: "town", "state", "country", "county", "region" or "number".
        before: What stands before it: separators, and words like "near".
        name: What it says, in one way of writing.
        after: What stays behind it: "County".
    """

    kind: str
    before: str
    text: str
    name: str
    after: str = ""


class PlaceForm:
    """Up to seven parts of a place, the smallest first."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """A town and what it lies in; None where there are other things."""
        known = atlas(options.get("pack"))
        found = _parts(value, known)
        if found is None:
            return None
        parts, tail = found
        locale = str(options.get("locale", "en_US"))
        country = _country(parts, known, locale)
        form = "".join(_seam(part.before) + _form_of(part.kind) for part in parts)
        normal = ", ".join(f"{part.name} {folded(part.after)}".strip() for part in parts)
        capitals = value.isupper() and len(letters(value)) > 3

        def write(draw: Draw) -> str:
            to = country if country == US else nation_for(draw, country, known)
            return _written(parts, to, draw, known, capitals) + tail

        return Reading(form, normal, write)


class PlainPlace:
    """Any text: a town and its state; of more than one line, a town on each and the state below."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Every value reads."""
        known = atlas(options.get("pack"))
        normal = folded(value)
        breaks = re.findall(r"[^\S\n]*\n\s*", value)

        def write(draw: Draw) -> str:
            names = [normal, *(f"{normal} {line}" for line in range(1, len(breaks)))]
            towns = [town_for(draw, name, US, known) for name in names]
            lines = [*(town.name for town in towns), known.state_rows[towns[-1].state]["name"]]
            gaps = [*(breaks or [", "]), ""]
            return cased(value, "".join(map(str.__add__, lines, gaps)))

        return Reading("town\n" * len(breaks) + "state" if breaks else "town,state", normal, write)


class _Addresses:
    """Values with a number or a street in them, as addresses."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        from presidio_cdip.surrogates.places import addresses

        reading = addresses.FORMS[0].read(value, options)
        return reading if reading and _ADDRESSED.search(reading.form) else None


def _form_of(kind: str) -> str:
    return kind if kind in ("town", "state", "number") else "area"


def _seam(separator: str) -> str:
    for mark in "\n(,":
        if mark in separator:
            return mark
    return " " if separator else ""


def _parts(value: str, known: Atlas) -> tuple[list[Part], str] | None:
    """The parts of *value* and what stands behind the last; None where it is no place."""
    parts: list[Part] = []
    end = 0
    for match in _SEGMENT.finditer(value):
        before = value[end : match.start()]
        end = match.end()
        found = _of_segment(before, match.group(), parts, known)
        if found is None or len(parts) + len(found) > _LONGEST:
            return None
        parts += found
    if not parts or all(part.kind == "number" for part in parts):
        return None
    if len(parts) > 1 and parts[0].kind == parts[1].kind == "state":  # New York, N. Y.
        parts[0] = parts[0]._replace(kind="town", name=folded(parts[0].text))
    return parts, value[end:]


def _of_segment(before: str, text: str, so_far: list[Part], known: Atlas) -> list[Part] | None:
    words = text.split(" ")
    if len(words) > _LONGEST_SEGMENT:
        return None
    if _NUMBERED.fullmatch(text):
        return [Part("number", before, text, digits(text).lower())]
    whole = _whole(before, text, so_far, known)
    if whole:
        return [whole]
    for size in (2, 1):
        last = " ".join(words[-size:])
        if len(words) > size and _NUMBERED.fullmatch(last) and not last[0].islower():
            rest = _of_segment(before, " ".join(words[:-size]), so_far, known)
            return rest and [*rest, Part("number", " ", last, digits(last).lower())]
    for size in (3, 2, 1):
        last = " ".join(words[-size:])
        if len(words) > size and not is_half(words, size, known):
            tail = _larger(" ", last, [*so_far, Part("town", "", "", "")], known)
            if tail:
                rest = _of_segment(before, " ".join(words[:-size]), so_far, known)
                return rest and [*rest, tail]
    lead = _lead(words)
    if lead:
        before += " ".join(words[:lead]) + " "
        return _of_segment(before, " ".join(words[lead:]), so_far, known)
    if re.search(r"\d", mended(text)) or len(words) > 5 or not re.search(r"[^\W\d_]", text):
        return None
    kind = "region" if any(_holds_regions(part) for part in so_far) else "town"
    return [Part(kind, before, text, folded(text))]


def is_half(words: Sequence[str], size: int, known: Atlas) -> bool:
    """Whether the last *size* words of *words* are half of a name: "Port Washington"."""
    if len(words[-1].strip(".")) < 5 or folded(" ".join(words[:-size])) in known.american:
        return False
    return words[-size - 1].lower().strip(".") in _FIRST_OF_TWO


def _holds_regions(part: Part) -> bool:
    return part.kind == "town" or (part.kind == "county" and folded(part.after) not in _HOUSES)


def _lead(words: list[str]) -> int:
    """How many words lead to the place: "a farm outside Dunn" has three."""
    for at in range(min(len(words) - 1, 5), 0, -1):
        if words[at - 1].lower() in _LEADS and all(
            word.lower() in _LEADS or word.lower() in _BEFORE_LEADS for word in words[:at]
        ):
            return at
    return 0


def _whole(before: str, text: str, so_far: list[Part], known: Atlas) -> Part | None:
    """*text* as one part that is not simply a name."""
    words = text.split(" ")
    last = folded(words[-1])
    code = words[-1] == "CO" and not so_far
    colorado = code and (not text.isupper() or folded(" ".join(words[:-1])) in known.american)
    if len(words) > 1 and last in _KINDS_OF_AREA and len(words) < 5 and not colorado:
        stem = " ".join(words[:-1])
        return Part("county", before, stem, folded(stem), " " + words[-1])
    if len(words) in (2, 3) and folded(words[0]) in ("county", "co"):
        stem = " ".join(words[1:])
        return Part("county", f"{before}{words[0]} ", stem, folded(stem))
    if len(words) > 1 and last in _WORDS_OF_REGION and so_far:
        return Part("region", before, text, folded(text))
    if folded(text) in known.american and not so_far and text != text.upper()[:2]:
        return None
    return _larger(before, text, so_far, known)


def _larger(before: str, text: str, so_far: list[Part], known: Atlas) -> Part | None:
    """*text* as a state or a country."""
    town = next((part.name for part in so_far if part.kind == "town"), "")
    state, country = known.state(text), known.country(text)
    abroad = town in known.foreign and (
        town not in known.american or ("(" in before and len(text) == 2)
    )
    if state and not (country and abroad):
        name = known.state_rows[state]["name"].lower()
        return Part("state", before, text, name)
    if country and (len(text) > 2 or "(" in before or "." in text or text == "UK"):
        return Part("country", before, text, folded(country))
    return None


def _country(parts: list[Part], known: Atlas, locale: str) -> str:
    """The country whose towns are drawn from."""
    kinds = {part.kind: part for part in reversed(parts)}
    if "country" in kinds:
        country = known.countries[kinds["country"].name]
        town = known.foreign.get(kinds["town"].name) if "town" in kinds else None
        return town.country if town and town.old == country else country
    if "state" in kinds or "town" not in kinds:
        return US
    found = country_of(kinds["town"].text, known, locale)
    town = known.known(kinds["town"].text, locale)
    if "region" in kinds and found == US and not town:
        region = kinds["region"].name
        if region in known.american:
            return US
        found = known.regions.get(region) or country_of(kinds["region"].text, known, "")
        # A town in the US would have a state.
        return "" if found == US else found
    return found


def _written(parts: list[Part], country: str, draw: Draw, known: Atlas, capitals: bool) -> str:
    own = next((part.name for part in parts if part.kind == "town"), "")
    town = town_for(draw, own, country, known) if own else None
    written = []
    regions = 0
    for part in parts:
        written.append(part.before)
        if part.kind == "town" and part.name == own and town:
            new = town.name
        elif part.kind == "state":
            postal = town.state if town and town.state else _other_state(draw, part.name, known)
            written.append(state_like(part.text, postal, known, capitals))
            continue
        elif part.kind == "country":
            new = _country_of_row(part, town, draw, known)
        elif part.kind == "county":
            new = _county(part, draw, known)
        elif part.kind == "region":
            new = _region(part, town if not regions else None, draw, known)
            regions += 1
        elif part.kind == "number":
            new = numbered(part.text, draw.part("HOUSE", part.name).chance)
            if town and town.state and len(part.name) == 5:
                new = town.postcode + new[3:]
            written.append(new)
            continue
        else:
            new = town_for(draw, part.name, country, known).name
        model = mended(part.text)
        if not capitals and len(letters(model)) < 4 and model.isupper() and model != new:
            model = "A"
        stop = "." if part.text.endswith(".") and part.text.count(".") == 1 else ""
        written.append(cased(model, new) + stop + part.after)
    return "".join(written)


def _other_state(draw: Draw, name: str, known: Atlas) -> str:
    chance = draw.part("PLACE", name).chance
    postals = tuple(known.state_rows)
    return other(chance, postals, lambda code: known.state_rows[code]["name"].lower() == name)


def _country_of_row(part: Part, town: Town | None, draw: Draw, known: Atlas) -> str:
    if town and town.country == US:
        return part.text
    name = town.country if town else nation_for(draw, known.countries[part.name], known)
    if part.text in known.codes:
        return next((code for code, country in known.codes.items() if country == name), name)
    return name


def _county(part: Part, draw: Draw, known: Atlas) -> str:
    chance = draw.part("COUNTY", part.name).chance
    irish = bool(re.search(r"(?i)\bco(?:unty|\.)? $", part.before))
    names: Sequence[str] = known.counties
    if irish:
        names = [town.region.removeprefix("County ") for town in known.pools["Ireland"]]
    return other(chance, names, lambda name: folded(name) == part.name)


def _region(part: Part, town: Town | None, draw: Draw, known: Atlas) -> str:
    """The region of *town*; without one, a town's name near it or another region."""
    if town and town.country == US:
        return town_for(draw, part.name, US, known).name
    if town and town.region and folded(town.region) != part.name:
        return town.region
    chance = draw.part("REGION", part.name).chance
    pool = known.pool(town.country) if town else known.pools[""]
    if town and len({near.region for near in pool}) < 2:
        return town.country
    found = other(chance, pool, lambda town: folded(town.region) == part.name)
    return str(found.region)


def state_of(value: str) -> str | None:
    """The US state or the foreign country that *value* lies in, spelled out, if that is known.

    >>> state_of("Louisville 5, Kentucky"), state_of("4400 Steyr"), state_of("upstairs")
    ('Kentucky', 'Austria', None)
    """
    from presidio_cdip.surrogates.places import addresses

    return addresses.state_of(value) or _state_of_place(value.strip(), atlas())


def _state_of_place(value: str, known: Atlas) -> str | None:
    found = _parts(value, known)
    if found is None:
        return None
    for part in found[0]:
        if part.kind == "country":
            return known.countries[part.name]
        if part.kind == "town" and (town := known.known(part.text)):
            return known.state_rows[town.state]["name"] if town.state else town.country
        if part.kind == "region" and part.name in known.regions:
            return known.regions[part.name]
    return None


FORMS: tuple[Form, ...] = (PlaceForm(), PlainPlace())
LOCATION_FORMS: tuple[Form, ...] = (_Addresses(), *FORMS)
