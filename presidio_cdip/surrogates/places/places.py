"""Draw surrogates of places: towns, states, counties and countries, alone or combined.

A town is drawn from its own name and its page, so that "Gallipolis" and "Gallipolis, Ohio" become
the same town, which comes with its own state; on a page, towns of one state stay in one state. A
country outside the US becomes another country, and its towns become towns of that one. An address
stays in its country, because its format shows the country anyway, and on its page all towns of that
country do.

There are about 570 US towns to draw from. The US towns of one page get different ones, as long as
some are left; elsewhere two of *n* towns get the same surrogate with a probability of about
``n**2 / 1140``: 4 percent for the 7 towns of a document. Another attempt draws again.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, terms
from presidio_cdip.surrogates.places.address_towns import irish_county
from presidio_cdip.surrogates.places.atlas import (
    US,
    Atlas,
    Town,
    letters,
    load_atlas,
)
from presidio_cdip.surrogates.places.countries import (
    country_of_place,
    is_labelled_county,
    page_places,
    stated_by_place,
    town_before,
)
from presidio_cdip.surrogates.places.place_drawing import (
    draw_country,
    draw_other,
    match_case,
    replace_number,
    write_region,
    write_state,
)
from presidio_cdip.surrogates.places.place_grammar import Part, read_parts
from presidio_cdip.surrogates.writing.text import folded, repaired


class PlaceForm:
    """Read a place of up to seven parts, the smallest first."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Read a town and its surroundings; None if *value* contains anything else."""
        atlas = load_atlas(pack_of(options))
        found = read_parts(value, atlas)
        if found is None:
            return None
        parts, tail = found
        parts = _with_regions(parts, atlas)
        locale = str(options.get("locale", "en_US"))
        page = page_places(options)
        whole = page.whole(parts)
        country = country_of_place(whole, atlas, locale, page)
        form = "".join(_mark_of(part.before) + _shape(part.kind) for part in parts)
        normal = ", ".join(f"{part.name} {folded(part.after)}".strip() for part in parts)
        capitals = value.isupper() and len(letters(value)) > 3
        near = town_before(options) if parts[0].kind == "state" else ""
        own = _town_of(parts)
        stated = stated_by_place(whole, atlas)
        stays = all(part.kind == "country" for part in parts) and country in page.staying

        def write(draw: Draw) -> str:
            born = draw.entity == "PLACE_OF_BIRTH" and own and not page.is_known(own, atlas)
            nation = page.nation_at(context_of(options)) if born and not stated else ""
            was = nation or country
            to = page.new_country(draw, was, atlas, own)
            return _write(parts, to, draw, atlas, capitals, near) + tail

        return Reading(form, normal, write, may_stay=stays)


class OddBirthplace:
    """Read what stands for a place of birth that is none, such as "at sea"."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Read a phrase of ``birthplaces_odd.txt``; None for any other."""
        listed = terms("birthplaces_odd", pack_of(options))
        own = folded(value)
        if own not in listed:
            return None
        return Reading("odd", own, lambda draw: match_case(value, draw.choice(listed, but=own)))


_COUNTY = "County "  # of the regions of Ireland
_COUNTY_BEFORE = re.compile(r"(?i)\bco(?:unty|\.)? $")
_LONGEST_CODE = 4  # letters of the code of a region: "WA"
_STREETS = english().streets
_HERE = re.compile(
    rf"(?i)(?:{alternation(_STREETS['pointers'])}"
    rf"|(?:{alternation(_STREETS['pointing'])}) (?:{alternation(_STREETS['pointed_to'])}))"
)


class Here:
    """Read what points to a place that stands elsewhere, such as "this city"; it stays."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of such words; None for others."""
        if not _HERE.fullmatch(value):
            return None
        return Reading("here", folded(value), lambda draw: value, may_stay=True)


class LabelledCounty:
    """Read a name behind a form's label "County", or "County of", as a county."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Read a name without digits or commas; None without such a label before it."""
        context = context_of(options)
        if context is None or not is_labelled_county(context.before):
            return None
        if not re.fullmatch(r"[^\W\d_][^\d,;()\n]*", value):
            return None
        atlas = load_atlas(pack_of(options))
        part = Part("county", "", value, folded(value))

        def write(draw: Draw) -> str:
            return match_case(repaired(value), _new_county(part, draw, atlas))

        return Reading("county", part.name, write)


class PlainPlace:
    """Read any text; write a town and its state, one to a line where the text has lines."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Accept every value."""
        atlas = load_atlas(pack_of(options))
        normal = folded(value)
        breaks = re.findall(r"[^\S\n]*\n\s*", value)

        def write(draw: Draw) -> str:
            names = [normal, *(f"{normal} {line}" for line in range(1, len(breaks)))]
            page = page_places(options)
            towns = [page.other_town(draw, name, US, atlas) for name in names]
            lines = [*(town.name for town in towns), atlas.state_rows[towns[-1].state]["name"]]
            gaps = [*(breaks or [", "]), ""]
            return match_case(value, "".join(map(str.__add__, lines, gaps)))

        return Reading("town\n" * len(breaks) + "state" if breaks else "town,state", normal, write)


def _shape(kind: str) -> str:
    """Return the kind as a form shows it: one word for all areas larger than a town."""
    return kind if kind in ("town", "state", "number") else "area"


def _mark_of(separator: str) -> str:
    """Return the mark of *separator* in a form."""
    for mark in "\n(,":
        if mark in separator:
            return mark
    return " " if separator else ""


def _write(
    parts: list[Part], country: str, draw: Draw, atlas: Atlas, capitals: bool, near: str
) -> str:
    """Write the surrogate of a place, or of the state of the town *near* it."""
    own = _town_of(parts) or near
    page = page_places(draw.options)
    drawn = page.new_town if len(parts) == 1 else page.other_town
    town = drawn(draw, own, country, atlas) if own else None
    written = []
    regions = 0
    for part in parts:
        behind = part.kind == "country" and part.before == " " and regions
        written.append(", " if behind else part.before)
        if part.kind == "town" and part.name == own and town:
            new = town.name
        elif part.kind == "state" and town and not town.state:
            stays = town.country in page.staying and len(part.text) < _LONGEST_CODE
            new = write_region(part.text, town.region, atlas) if stays else town.country
        elif part.kind == "state":
            postal = town.state if town and town.state else _new_state(draw, part.name, atlas)
            written.append(write_state(part.text, postal, atlas, capitals))
            continue
        elif part.kind == "country":
            new = _new_country(part, town, draw, atlas)
        elif part.kind == "county":
            new = _new_county(part, draw, atlas, any(one.kind == "state" for one in parts))
        elif part.kind == "region":
            if town and not town.region.startswith(_COUNTY):  # "Cork, Co. Cork" goes abroad
                written[-1] = _COUNTY_BEFORE.sub("", part.before)
            new = (
                _new_region(part, town, draw, atlas, country)
                if not regions
                else _beyond(town, part, draw, atlas)
            )
            regions += 1
        elif part.kind == "number":
            new = replace_number(part.text, draw.part("HOUSE", part.name).chance)
            if town and town.state and len(part.name) == 5:
                new = town.postcode + new[3:]
            written.append(new)
            continue
        else:
            new = page.other_town(draw, part.name, country, atlas).name
        model = repaired(part.text)
        if not capitals and len(letters(model)) < 4 and model.isupper() and model != new:
            model = "A"
        stop = "." if part.text.endswith(".") and part.text.count(".") == 1 else ""
        new = new.removesuffix(stop)
        written.append(match_case(model, new) + stop + part.after)
    return "".join(written)


def _with_regions(parts: list[Part], atlas: Atlas) -> list[Part]:
    """Return *parts* with the regions that their grammar took for a town or for a US county.

    Such are a region that stands alone, and an Irish county beside its country.
    """
    abroad = any(part.kind == "country" and atlas.countries[part.name] != US for part in parts)
    if abroad and parts[0].kind == "state":  # "Cali, Colombia"
        parts = [parts[0]._replace(kind="town"), *parts[1:]]
    if len(parts) == 1 and parts[0].name in atlas.regions and parts[0].kind == "town":
        return parts if parts[0].name in atlas.american else [parts[0]._replace(kind="region")]
    if not any(part.kind == "country" for part in parts):
        return [
            part._replace(kind="region", name=county)
            if at and part.kind == "county" and (county := _irish_county(part, atlas))
            else part._replace(kind="county")
            if _is_bare_county(parts, at, atlas)
            else part
            for at, part in enumerate(parts)
        ]
    befores = [_COUNTY_BEFORE.sub("", part.before) for part in parts]
    return [
        part if before == part.before else part._replace(kind="region", before=before)
        for part, before in zip(parts, befores, strict=True)
    ]


def _is_bare_county(parts: Sequence[Part], at: int, atlas: Atlas) -> bool:
    """Tell whether a US county stands between a town and its state: "Scranton, Lackawanna, PA"."""
    stands = at == 1 and len(parts) == 3 and parts[0].kind == "town" and parts[2].kind == "state"
    return stands and any(folded(county) == parts[at].name for county in atlas.counties)


def _irish_county(part: Part, atlas: Atlas) -> str:
    label = _COUNTY_BEFORE.search(part.before)
    return irish_county(f"{label.group()}{part.text}", atlas) if label else ""


def _town_of(parts: Sequence[Part]) -> str:
    """Return the name by which the town of *parts* is drawn: a region's beside its country."""
    town = next((part.name for part in parts if part.kind == "town"), "")
    if not town and any(part.kind == "country" for part in parts):
        return next((part.name for part in parts if part.kind == "region"), "")
    return town


def _new_state(draw: Draw, name: str, atlas: Atlas) -> str:
    page = page_places(draw.options)
    own = atlas.states.get(letters(name), "")
    if own and own not in page.told and page.states:
        return page.new_state(draw, own, atlas)
    chance = draw.part("PLACE", name).chance
    postals = tuple(atlas.state_rows)
    return draw_other(chance, postals, lambda code: atlas.state_rows[code]["name"].lower() == name)


def _new_country(part: Part, town: Town | None, draw: Draw, atlas: Atlas) -> str:
    if town and town.country == US and atlas.countries[part.name] == US:
        return part.text
    if not town and atlas.countries[part.name] in page_places(draw.options).staying:
        return part.text
    name = town.country if town else draw_country(draw, atlas.countries[part.name], atlas)
    if part.text in atlas.codes:
        return next((code for code, country in atlas.codes.items() if country == name), name)
    return name


def _new_county(part: Part, draw: Draw, atlas: Atlas, beside_state: bool = False) -> str:
    """Return another county; beside a state one with a name that many states have."""
    chance = draw.part("COUNTY", part.name).chance
    irish = bool(_COUNTY_BEFORE.search(part.before))
    names: Sequence[str] = atlas.counties
    if beside_state:
        names = terms("us_counties_common", pack_of(draw.options))
    if irish:
        names = [town.region.removeprefix(_COUNTY) for town in atlas.pools["Ireland"]]
    return draw_other(chance, names, lambda name: folded(name) == part.name)


def _new_region(part: Part, town: Town | None, draw: Draw, atlas: Atlas, country: str = "") -> str:
    """Return the region of *town*, or another region or town where *town* has none.

    Without a town it is one of *country*.
    """
    if town and town.country == US:
        return page_places(draw.options).other_town(draw, part.name, US, atlas).name
    if town and town.region:
        region = write_region(part.text, town.region, atlas)
        return region.removeprefix(_COUNTY) if _COUNTY_BEFORE.search(part.before) else region
    chance = draw.part("REGION", part.name).chance
    pool = atlas.pool(town.country if town else "" if country == US else country)
    if town and len({near.region for near in pool}) < 2:
        return town.country
    found = draw_other(chance, pool, lambda town: folded(town.region) == part.name)
    return str(found.region)


def _beyond(town: Town | None, part: Part, draw: Draw, atlas: Atlas) -> str:
    """Return the text behind the region of *town*: its country, abroad."""
    if town and town.country != US:
        return town.country
    return _new_region(part, None, draw, atlas)


def state_of(value: str, pack: Pack) -> str | None:
    """Return the US state or the country of the place *value*; None if it is unknown."""
    atlas = load_atlas(pack)
    found = read_parts(value, atlas)
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


FORMS: tuple[Form, ...] = (Here(), OddBirthplace(), LabelledCounty(), PlaceForm(), PlainPlace())
