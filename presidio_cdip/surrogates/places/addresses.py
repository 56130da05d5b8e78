"""Draw surrogates of addresses, from a single street or town to an envelope with six lines.

`address_grammar`, with `address_streets` and `address_towns`, reads an address into parts: a house
number and its street, a unit, a rural route, a box, a town, a state, a postcode and so on.
`address_drawing` draws each part from its own text and its page, so that the first line of an
address gets the same surrogate where it stands alone. Town, state and ZIP prefix agree: they come
from one row of ``us_towns.tsv``, or of ``world_towns.tsv``.

A house number of three digits gives 899 numbers x 430 streets x 8 street words x 570 towns, which
is 1.7e9 addresses: two of *n* addresses are equal with a probability of ``n**2 / 3.5e9``, 0.35
percent for 3,500. A street without a number is one of 3,400, a town alone one of 570.

The option ``address`` is ``"plausible"`` or ``"nowhere"``. Addresses that are nowhere have towns
with invented names in real states, ZIP prefixes that no town uses, and house numbers from 97000 on
(from 9700 where the number stands behind the street), so that no geocoder finds the house. Streets
stay plausible, and so do towns and postcodes outside the US.
"""

import re
from collections.abc import Mapping
from typing import Any

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.places.address_drawing import Drawer, invent_town
from presidio_cdip.surrogates.places.address_grammar import read_address
from presidio_cdip.surrogates.places.address_parts import Address, House, Part
from presidio_cdip.surrogates.places.atlas import US, Atlas, load_atlas
from presidio_cdip.surrogates.places.countries import (
    PLACE_KINDS,
    country_of_address,
    districts_of,
    governing_part,
    language_of,
    page_places,
    town_before,
)
from presidio_cdip.surrogates.places.place_drawing import draw_town
from presidio_cdip.surrogates.places.place_grammar import read_parts
from presidio_cdip.surrogates.places.places import Here, LabelledCounty, PlaceForm
from presidio_cdip.surrogates.places.street_lists import load_street_lists
from presidio_cdip.surrogates.writing.text import folded

# Without a part of one of these kinds, an address is a place.
_ADDRESS_KINDS = frozenset({
    "care", "house", "name", "rural", "street", "town", "unit", "zip", "postcode",
})  # fmt: skip


def _names_region_abroad(value: str, atlas: Atlas) -> bool:
    """Tell whether *value* is a place in a region and its country: "Jimenez, Chih., Mexico"."""
    found = read_parts(value, atlas)
    kinds = {part.kind for part in found[0]} if found else set()
    return kinds >= {"region", "country"}


class AddressForm:
    """Read an address of up to 48 words."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Read the parts of an address in order; None if it is none or nothing would change."""
        address = read_address(value, options)
        if address is None:
            return None
        parts = address.parts
        if not any(part.kind in _ADDRESS_KINDS for part in parts):
            return PlaceForm().read(value, options)
        pack = pack_of(options)
        atlas, streets = load_atlas(pack), load_street_lists(pack)
        governing = governing_part(address)
        if all(part.kind in ("zip", "postcode", "state", "label") for part in parts):
            governing = town_before(options) or governing
        country = country_of_address(address, atlas, page_places(options))
        # Without a street or a suburb, nothing in the format shows the country.
        is_place = all(part.kind in PLACE_KINDS for part in parts) and (
            not districts_of(address) or _names_region_abroad(value, atlas)
        )
        if country != US and is_place:
            place = PlaceForm().read(value, options)
            if place:
                return place
        nowhere = options.get("address") == "nowhere"

        def write(draw: Draw) -> str:
            drawer = Drawer(draw, atlas, streets, country, address.capitals, nowhere)
            return _write(address, governing, drawer)

        marks = map(_mark_of, address.separators)
        form = "".join(mark + part.kind for mark, part in zip(marks, parts, strict=False))
        normal = ", ".join(f"{part.kind} {part.normal}" for part in parts if part.kind != "label")
        return Reading(form, normal, write)


class PlainAddress:
    """Read any text; write a house number and a street, and units and a town on further lines."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Accept every value."""
        pack = pack_of(options)
        streets, atlas = load_street_lists(pack), load_atlas(pack)
        breaks = re.findall(r"[^\S\n]*\n\s*", value)
        normal = folded(value)
        nowhere = options.get("address") == "nowhere"
        units = "\nunit" * (len(breaks) - 1)
        form = "house street" + (f"{units}\ntown,state zip" if breaks else "")

        def write(draw: Draw) -> str:
            chance = draw.chance
            number = chance.between(97000, 99999) if nowhere else chance.between(11, 989)
            street = f"{chance.choice(streets.names[1])} {chance.choice(streets.common_types).word}"
            lines = [f"{number} {street}"]
            if breaks:
                lines += [f"Unit {chance.between(1, 99)}" for _ in breaks[1:]]
                town = draw_town(draw, normal, US, atlas)
                if nowhere:
                    town = invent_town(town, chance, atlas, streets)
                state = atlas.state_rows[town.state]["name"]
                lines.append(f"{town.name}, {state} {town.postcode}{chance.between(10, 99)}")
            return "".join(line + gap for line, gap in zip(lines, [*breaks, ""], strict=True))

        return Reading(form, normal, write)


def state_of(value: str, pack: Pack) -> str | None:
    """Return the US state or the country of the address *value*; None if it is unknown."""
    address, atlas = read_address(value, {"pack": pack}), load_atlas(pack)
    if address is None:
        return None
    for part in address.parts:
        if part.kind == "state" and (postal := atlas.state(part.text)):
            return atlas.state_rows[postal]["name"]
    governing = governing_part(address)
    country = country_of_address(address, atlas)
    if any(part.kind in ("country", "postcode") for part in address.parts):
        return country
    town = atlas.town(governing)
    if town and town.country == US and country == US:
        return atlas.state_rows[town.state]["name"]
    if country != US and (town or language_of(address.parts)):
        return country
    return None


def _write(address: Address, governing: str, drawer: Drawer) -> str:
    """Write the surrogate of *address*, whose main town is drawn from *governing*."""
    home = drawer.town(governing)
    written: list[str] = []
    parts = address.parts
    for at, part in enumerate(parts):
        written.append(address.separators[at])
        if isinstance(part, House):
            street, before = _street_of(parts, at)
            written.append(drawer.house(part, street, before))
        elif part.kind == "town" and part.normal != governing:
            written.append(drawer.part(part, drawer.district(part.normal)))
        else:
            written.append(drawer.part(part, home))
    return "".join(written) + address.separators[-1]


def _street_of(parts: tuple[Part, ...], at: int) -> tuple[str, bool]:
    """Return the street that a house number is drawn with, and whether it stands before one.

    Args:
        parts: Of the address.
        at: The index of the house.
    """
    before = at + 1 < len(parts) and parts[at + 1].kind == "street"
    neighbour = parts[at + 1 if before else at - 1]
    return neighbour.normal if len(parts) > 1 else "", before


def _mark_of(separator: str) -> str:
    """Return the mark of *separator* in a form."""
    if "\n" in separator or "\f" in separator:
        return "\n"
    if re.search(r"[,;()]", separator):
        return ","
    return " " if separator == " " else "  " if separator else ""


FORMS: tuple[Form, ...] = (Here(), LabelledCounty(), AddressForm(), PlainAddress())
