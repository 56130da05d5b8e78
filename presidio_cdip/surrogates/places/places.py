"""Surrogates of places: towns, states, counties and countries, alone or combined.

A town is drawn from its own name only, so that "Gallipolis" and "Gallipolis, Ohio" become the same
town, which comes with its own state. A country outside the US becomes another country, and its
towns become towns of that one. An address stays in its country, because its format shows the
country anyway.

There are about 570 US towns to draw from, so that two of *n* towns get the same surrogate with a
probability of about ``n**2 / 1140``: 4 percent for the 7 towns of a document. Another attempt draws
again.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from presidio_cdip.pack.confusions import ROUND, digits
from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.places.atlas import (
    US,
    Atlas,
    Town,
    guess_country,
    letters,
    load_atlas,
)
from presidio_cdip.surrogates.places.place_drawing import (
    draw_country,
    draw_other,
    draw_town,
    match_case,
    replace_number,
    write_state,
)
from presidio_cdip.surrogates.writing.text import folded, repaired

_SEGMENT = re.compile(r"[^\s,;()]+(?: (?![-–/] )[^\s,;()]+)*")
# First words of names of towns: "Port Washington" is not the town Port in Washington.
_STREETS = english().streets
_FIRST_OF_TWO = frozenset(_STREETS["first_of_two"])
_LEADS = frozenset(_STREETS["place_leads"])
_BEFORE_LEADS = frozenset(_STREETS["before_place_leads"])
_BUILDINGS = frozenset(_STREETS["hospitals"])
_COUNTY_WORDS = _BUILDINGS | frozenset(_STREETS["areas"])
_REGION_WORDS = frozenset(_STREETS["regions"])
_NUMBERED = re.compile(rf"(?:(?:no|nr|house|#)[.:]? ?)?#?[\d{ROUND}]*\d[\d{ROUND}]*[a-z]?", re.I)
_MOST_PARTS = 7
_MOST_WORDS = 12  # of a segment


class Part(NamedTuple):
    """One part of a place.

    Attributes:
        kind: "town", "state", "country", "county", "region" or "number".
        before: Text before it: separators, and words like "near".
        text: As written.
        name: Normalized name.
        after: Text behind it that is kept: " County".
    """

    kind: str
    before: str
    text: str
    name: str
    after: str = ""


class PlaceForm:
    """Read a place of up to seven parts, the smallest first."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Read a town and its surroundings; None if *value* contains anything else."""
        atlas = load_atlas(options.get("pack"))
        found = _read_parts(value, atlas)
        if found is None:
            return None
        parts, tail = found
        locale = str(options.get("locale", "en_US"))
        country = _country_of(parts, atlas, locale)
        form = "".join(_mark_of(part.before) + _shape(part.kind) for part in parts)
        normal = ", ".join(f"{part.name} {folded(part.after)}".strip() for part in parts)
        capitals = value.isupper() and len(letters(value)) > 3

        def write(draw: Draw) -> str:
            to = country if country == US else draw_country(draw, country, atlas)
            return _write(parts, to, draw, atlas, capitals) + tail

        return Reading(form, normal, write)


class PlainPlace:
    """Read any text; write a town and its state, one to a line where the text has lines."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Accept every value."""
        atlas = load_atlas(options.get("pack"))
        normal = folded(value)
        breaks = re.findall(r"[^\S\n]*\n\s*", value)

        def write(draw: Draw) -> str:
            names = [normal, *(f"{normal} {line}" for line in range(1, len(breaks)))]
            towns = [draw_town(draw, name, US, atlas) for name in names]
            lines = [*(town.name for town in towns), atlas.state_rows[towns[-1].state]["name"]]
            gaps = [*(breaks or [", "]), ""]
            return match_case(value, "".join(map(str.__add__, lines, gaps)))

        return Reading("town\n" * len(breaks) + "state" if breaks else "town,state", normal, write)


def _shape(kind: str) -> str:
    """Return the kind as a form shows it: one word for all areas larger than a town."""
    return kind if kind in ("town", "state", "number") else "area"


def _mark_of(separator: str) -> str:
    """Return what a form shows of *separator*."""
    for mark in "\n(,":
        if mark in separator:
            return mark
    return " " if separator else ""


def _read_parts(value: str, atlas: Atlas) -> tuple[list[Part], str] | None:
    """Return the parts of *value* and the text behind the last; None if it is not a place."""
    parts: list[Part] = []
    end = 0
    for match in _SEGMENT.finditer(value):
        before = value[end : match.start()]
        end = match.end()
        found = _read_segment(before, match.group(), parts, atlas)
        if found is None or len(parts) + len(found) > _MOST_PARTS:
            return None
        parts += found
    if not parts or all(part.kind == "number" for part in parts):
        return None
    if len(parts) > 1 and parts[0].kind == parts[1].kind == "state":  # New York, N. Y.
        parts[0] = parts[0]._replace(kind="town", name=folded(parts[0].text))
    return parts, value[end:]


def _read_segment(before: str, text: str, previous: list[Part], atlas: Atlas) -> list[Part] | None:
    words = text.split(" ")
    if len(words) > _MOST_WORDS:
        return None
    if _NUMBERED.fullmatch(text):
        return [Part("number", before, text, digits(text).lower())]
    whole = _read_area(before, text, previous, atlas)
    if whole:
        return [whole]
    for size in (2, 1):
        last = " ".join(words[-size:])
        if len(words) > size and _NUMBERED.fullmatch(last) and not last[0].islower():
            rest = _read_segment(before, " ".join(words[:-size]), previous, atlas)
            return rest and [*rest, Part("number", " ", last, digits(last).lower())]
    for size in (3, 2, 1):
        last = " ".join(words[-size:])
        if len(words) > size and not splits_name(words, size, atlas):
            tail = _read_state_or_country(" ", last, [*previous, Part("town", "", "", "")], atlas)
            if tail:
                rest = _read_segment(before, " ".join(words[:-size]), previous, atlas)
                return rest and [*rest, tail]
    lead = _count_lead(words)
    if lead:
        before += " ".join(words[:lead]) + " "
        return _read_segment(before, " ".join(words[lead:]), previous, atlas)
    if re.search(r"\d", repaired(text)) or len(words) > 5 or not re.search(r"[^\W\d_]", text):
        return None
    kind = "region" if any(_precedes_region(part) for part in previous) else "town"
    return [Part(kind, before, text, folded(text))]


def splits_name(words: Sequence[str], size: int, atlas: Atlas) -> bool:
    """Tell whether cutting off the last *size* words would split a name: "Port Washington"."""
    if len(words[-1].strip(".")) < 5 or folded(" ".join(words[:-size])) in atlas.american:
        return False
    return words[-size - 1].lower().strip(".") in _FIRST_OF_TWO


def _precedes_region(part: Part) -> bool:
    return part.kind == "town" or (part.kind == "county" and folded(part.after) not in _BUILDINGS)


def _count_lead(words: list[str]) -> int:
    """Count the words that lead to the place: three in "a farm outside Dunn"."""
    for at in range(min(len(words) - 1, 5), 0, -1):
        if words[at - 1].lower() in _LEADS and all(
            word.lower() in _LEADS or word.lower() in _BEFORE_LEADS for word in words[:at]
        ):
            return at
    return 0


def _read_area(before: str, text: str, previous: list[Part], atlas: Atlas) -> Part | None:
    """Read *text* as one county, region, state or country; None for any other name."""
    words = text.split(" ")
    last = folded(words[-1])
    code = words[-1] == "CO" and not previous
    colorado = code and (not text.isupper() or folded(" ".join(words[:-1])) in atlas.american)
    if len(words) > 1 and last in _COUNTY_WORDS and len(words) < 5 and not colorado:
        stem = " ".join(words[:-1])
        return Part("county", before, stem, folded(stem), " " + words[-1])
    if len(words) in (2, 3) and folded(words[0]) in ("county", "co"):
        stem = " ".join(words[1:])
        return Part("county", f"{before}{words[0]} ", stem, folded(stem))
    if len(words) > 1 and last in _REGION_WORDS and previous:
        return Part("region", before, text, folded(text))
    if folded(text) in atlas.american and not previous and text != text.upper()[:2]:
        return None
    return _read_state_or_country(before, text, previous, atlas)


def _read_state_or_country(
    before: str, text: str, previous: list[Part], atlas: Atlas
) -> Part | None:
    """Read *text* as a state or a country."""
    town = next((part.name for part in previous if part.kind == "town"), "")
    state, country = atlas.state(text), atlas.country(text)
    abroad = town in atlas.foreign and (
        town not in atlas.american or ("(" in before and len(text) == 2)
    )
    if state and not (country and abroad):
        name = atlas.state_rows[state]["name"].lower()
        return Part("state", before, text, name)
    if country and (len(text) > 2 or "(" in before or "." in text or text == "UK"):
        return Part("country", before, text, folded(country))
    return None


def _country_of(parts: list[Part], atlas: Atlas, locale: str) -> str:
    """Return the country whose towns *parts* lie in."""
    kinds = {part.kind: part for part in reversed(parts)}
    if "country" in kinds:
        country = atlas.countries[kinds["country"].name]
        town = atlas.foreign.get(kinds["town"].name) if "town" in kinds else None
        return town.country if town and town.old == country else country
    if "state" in kinds or "town" not in kinds:
        return US
    found = guess_country(kinds["town"].text, atlas, locale)
    town = atlas.town(kinds["town"].text, locale)
    if "region" in kinds and found == US and not town:
        region = kinds["region"].name
        if region in atlas.american:
            return US
        found = atlas.regions.get(region) or guess_country(kinds["region"].text, atlas, "")
        # A town in the US would have a state.
        return "" if found == US else found
    return found


def _write(parts: list[Part], country: str, draw: Draw, atlas: Atlas, capitals: bool) -> str:
    own = next((part.name for part in parts if part.kind == "town"), "")
    town = draw_town(draw, own, country, atlas) if own else None
    written = []
    regions = 0
    for part in parts:
        written.append(part.before)
        if part.kind == "town" and part.name == own and town:
            new = town.name
        elif part.kind == "state":
            postal = town.state if town and town.state else _new_state(draw, part.name, atlas)
            written.append(write_state(part.text, postal, atlas, capitals))
            continue
        elif part.kind == "country":
            new = _new_country(part, town, draw, atlas)
        elif part.kind == "county":
            new = _new_county(part, draw, atlas)
        elif part.kind == "region":
            new = _new_region(part, town if not regions else None, draw, atlas)
            regions += 1
        elif part.kind == "number":
            new = replace_number(part.text, draw.part("HOUSE", part.name).chance)
            if town and town.state and len(part.name) == 5:
                new = town.postcode + new[3:]
            written.append(new)
            continue
        else:
            new = draw_town(draw, part.name, country, atlas).name
        model = repaired(part.text)
        if not capitals and len(letters(model)) < 4 and model.isupper() and model != new:
            model = "A"
        stop = "." if part.text.endswith(".") and part.text.count(".") == 1 else ""
        written.append(match_case(model, new) + stop + part.after)
    return "".join(written)


def _new_state(draw: Draw, name: str, atlas: Atlas) -> str:
    chance = draw.part("PLACE", name).chance
    postals = tuple(atlas.state_rows)
    return draw_other(chance, postals, lambda code: atlas.state_rows[code]["name"].lower() == name)


def _new_country(part: Part, town: Town | None, draw: Draw, atlas: Atlas) -> str:
    if town and town.country == US:
        return part.text
    name = town.country if town else draw_country(draw, atlas.countries[part.name], atlas)
    if part.text in atlas.codes:
        return next((code for code, country in atlas.codes.items() if country == name), name)
    return name


def _new_county(part: Part, draw: Draw, atlas: Atlas) -> str:
    chance = draw.part("COUNTY", part.name).chance
    irish = bool(re.search(r"(?i)\bco(?:unty|\.)? $", part.before))
    names: Sequence[str] = atlas.counties
    if irish:
        names = [town.region.removeprefix("County ") for town in atlas.pools["Ireland"]]
    return draw_other(chance, names, lambda name: folded(name) == part.name)


def _new_region(part: Part, town: Town | None, draw: Draw, atlas: Atlas) -> str:
    """Return the region of *town*, or another region or town where *town* has none."""
    if town and town.country == US:
        return draw_town(draw, part.name, US, atlas).name
    if town and town.region and folded(town.region) != part.name:
        return town.region
    chance = draw.part("REGION", part.name).chance
    pool = atlas.pool(town.country) if town else atlas.pools[""]
    if town and len({near.region for near in pool}) < 2:
        return town.country
    found = draw_other(chance, pool, lambda town: folded(town.region) == part.name)
    return str(found.region)


def state_of(value: str, atlas: Atlas) -> str | None:
    """Return the US state or the country of the place *value*; None if it is unknown."""
    found = _read_parts(value, atlas)
    if found is None:
        return None
    for part in found[0]:
        if part.kind == "country":
            return atlas.countries[part.name]
        if part.kind == "town" and (town := atlas.town(part.text)):
            return atlas.state_rows[town.state]["name"] if town.state else town.country
        if part.kind == "region" and part.name in atlas.regions:
            return atlas.regions[part.name]
    return None


FORMS: tuple[Form, ...] = (PlaceForm(), PlainPlace())
