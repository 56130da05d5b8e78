"""Draw the towns, countries, states and numbers of a surrogate place."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from presidio_cdip.pack.confusions import ROUND, digits
from presidio_cdip.surrogates.drawing.chance import Chance
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.table import country_on_page, surrogate_of_part
from presidio_cdip.surrogates.places.atlas import Atlas, Town, letters, without_marks
from presidio_cdip.surrogates.writing.text import cased_like, folded, repaired

Item = TypeVar("Item")

_TRIES = 64
_LONGEST_PRESS = 5  # letters of a state's abbreviation: "Calif."
_CAPITAL_I = re.compile(r"l(?![aeiouy])")  # a capital I that OCR has read as an l: "ltaly"
# The o of "No63" is not part of the number.
_HOUSE_NUMBER = re.compile(rf"(?:(?<![^\W\d_])[{ROUND}]+)?\d[\d{ROUND}]*")


def draw_other(chance: Chance, items: Sequence[Item], is_original: Callable[[Item], bool]) -> Item:
    """Draw one of *items* that is not the original, or the first item if all of them are."""
    for _ in range(_TRIES):
        item = chance.choice(items)
        if not is_original(item):
            return item
    return next((item for item in items if not is_original(item)), items[0])


def draw_town(
    draw: Draw, name: str, country: str, atlas: Atlas, towns: Sequence[Town] = ()
) -> Town:
    """Draw the town that replaces the one called *name* in every value of the scope.

    Args:
        draw: Of the value that contains *name*.
        name: Name as written, or another text that identifies the town.
        country: Country of the drawn town: a name of the atlas, or an empty string for any country
            but the US.
        atlas: Of the pack in use.
        towns: To draw from; all of *country*, if there are none.
    """
    key = folded(name)
    chance = draw.part("PLACE", key).chance
    town = draw_other(
        chance,
        towns or atlas.pool(country),
        lambda town: key in (town.key, without_marks(town.key)),
    )
    return town._replace(country=country) if country == town.old else town


def draw_district(draw: Draw, name: str, country: str, atlas: Atlas) -> Town:
    """Draw the suburb or the village that replaces *name* before a town of *country*.

    Where the gazetteer has none of *country*, it is a town.
    """
    key = folded(name)
    if not (names := atlas.districts.get(country, ())):
        return draw_town(draw, name, country, atlas)
    new = draw_other(draw.part("PLACE", key).chance, names, lambda one: folded(one) == key)
    return Town(new, folded(new), "", "", country, "", "")


def draw_country(draw: Draw, country: str, atlas: Atlas) -> str:
    """Draw the country that replaces *country* in every value of the scope.

    It is that of the nationality that replaces the nationality of *country*, if it has towns.
    """
    key = folded(country)
    if on_page := country_on_page(draw, country):
        return on_page
    nation = atlas.countries.get(folded(surrogate_of_part("NATIONALITY", country, draw)), "")
    if country and nation in atlas.nations and folded(nation) != key:
        return nation
    chance = draw.part("PLACE", f"country {key}").chance
    return draw_other(chance, atlas.nations, lambda name: folded(name) == key)


def draw_number(number: str, chance: Chance) -> str:
    """Draw another number with as many digits as *number*."""
    size = len(number)
    if number[0] == "0" and size > 1:
        return "0" + draw_number(number[1:], chance)
    low = 10 ** (size - 1) if size > 1 else 1
    drawn = low + chance.below(10**size - low)
    if drawn == int(number):
        drawn = drawn + 1 if drawn + 1 < 10**size else low
    return str(drawn)


def replace_number(text: str, chance: Chance) -> str:
    """Replace the first number in *text*; a leading zero stays, and no other number gets one.

    >>> replace_number("No. 63", Chance(bytes(32)))
    'No. 72'
    """
    found = _HOUSE_NUMBER.search(text)
    if not found:
        return text
    return text[: found.start()] + draw_number(digits(found.group()), chance) + text[found.end() :]


def match_case(model: str, value: str) -> str:
    """Return *value* in the case of *model*: as `cased_like`, and lower where *model* is lower.

    >>> match_case("da nang", "Hue"), match_case("POLAND", "Italy")
    ('hue', 'ITALY')
    """
    low = model.islower() and not _CAPITAL_I.match(model)
    return value.lower() if low else cased_like(model, value)


def write_state(model: str, postal: str, atlas: Atlas, capitals: bool = False) -> str:
    """Return the state *postal* written as *model* is: in full, abbreviated or as postal code.

    Args:
        model: Name, postal code or abbreviation of a state.
        postal: Postal code of the state to write.
        atlas: Of the pack in use.
        capitals: Whether the whole value is in capitals.

    >>> from presidio_cdip.pack.pack import Pack
    >>> from presidio_cdip.surrogates.places.atlas import load_atlas
    >>> atlas = load_atlas(Pack.shipped())
    >>> write_state("N. Y.", "NC", atlas), write_state("Ky.", "TN", atlas)
    ('N. C.', 'Tenn.')
    >>> write_state("0hio", "KY", atlas), write_state("wi", "KY", atlas)
    ('Kentucky', 'ky')
    """
    row = atlas.state_rows[postal]
    damaged = atlas.state_rows.get(atlas.state(model)) if re.search(r"\d", model) else None
    if damaged:
        model = damaged["name" if len(letters(model)) > _LONGEST_PRESS else "press"]
    written = repaired(model).strip(" .,")
    short = letters(model)
    own = atlas.state_rows.get(atlas.states.get(short, ""))
    if own and short == letters(own["name"]):
        return match_case(written, row["name"])
    dotted = "." in model
    abbreviated = own is not None and short == letters(own["press"]) and written.istitle()
    if len(short) == 2 and not dotted and not abbreviated:
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


def write_region(model: str, region: str, atlas: Atlas) -> str:
    """Return *region* abbreviated, or by its code, where *model* is, if it has one."""
    is_code = model.isupper() and model.isalpha() and len(model) < 4  # "ON", "NSW"
    if is_code and region in atlas.region_codes:
        return atlas.region_codes[region]
    is_short = len(letters(model)) < 5
    return atlas.short_regions.get(region, region) if is_short else region
