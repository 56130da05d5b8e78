"""Read the streets of an address, with their house numbers and the places behind them.

Each function takes words and their context, and returns the parts that they are.
"""

import re
from collections.abc import Sequence

from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.places.address_parts import (
    Building,
    ForeignStreet,
    HouseName,
    Institution,
    LetteredStreet,
    Part,
    Street,
)
from presidio_cdip.surrogates.places.address_towns import (
    count_letter_postcode,
    ends_in_foreign_code,
    ends_in_zone,
    read_place,
)
from presidio_cdip.surrogates.places.address_words import (
    PUBLIC_ROADS,
    US_ZIP,
    Context,
    Parts,
    is_direction,
    is_english_street,
    kept_part,
    numbered_part,
    plain,
    read_house,
)
from presidio_cdip.surrogates.places.atlas import Atlas
from presidio_cdip.surrogates.writing.text import folded

_LATER_HOUSE = re.compile(r"\d{1,4}(?:[-/]\d{1,4})*[a-zA-Z]?|[A-Z]|\d/\d")
_LETTERED = re.compile(r"[A-Z]|\d{1,4}[A-Z]?")
_ABBREVIATED_SAINT = re.compile(r"(?i)st\.?")
_HOTEL = re.compile(r"Hotel [A-Z]")
_LONGEST_HEAD = 2  # words before the name of an institution
_HEADS = frozenset(english().streets["before_institutions"])
_LONGEST_NAME = 4  # words of the name of a house
_COURTS = frozenset(english().streets["courts"])
_HOUSES = frozenset(english().streets["houses"])
# By number of words, the longest first.
_BUILDINGS = tuple(
    (size, frozenset(one for one in english().streets["buildings"] if one.count(" ") == size - 1))
    for size in (3, 2, 1)
)
_JOINTS = frozenset({"&", "and"})
# Endings of English words and names, too: a street only before a number.
_AMBIGUOUS_ENDS = frozenset({
    "ring", "rain", "steig", "damm", "gate", "vej", "tie", "ranta", "vest", "hof", "markt",
    "zeile",
})  # fmt: skip


def read_house_and_street(words: list[str], size: int, last: bool, context: Context) -> Parts:
    """Read a house number of *size* words, the street behind it and the town behind that.

    Args:
        words: Of the house number, the street and the town.
        size: At least 1.
        last: Whether *words* end the segment.
        context: Of the words.
    """
    house = (read_house(words[:size]),)
    rest = words[size:]
    if not rest:
        return house
    if last and len(rest) == 1 and plain(rest[0]) in _COURTS and not context.has("street", "town"):
        found = re.match(r"(\d+) .+", " ".join(words))
        return (numbered_part("unit", found),) if found else house
    context = context.after(house)
    if foreign := _foreign_street(rest, context, numbered=True):
        return (*house, foreign)
    count = _count_street(rest, last, context)
    parts: Parts = (*house, _english_street(rest[:count], context))
    if count < len(rest):
        parts += read_place(rest[count:], context.after(parts[1:]))
    return parts


def _foreign_street(words: list[str], context: Context, numbered: bool) -> ForeignStreet | None:
    """Read a street in another language; None if *words* are not one.

    Args:
        words: All words that may belong to it.
        context: Of the words.
        numbered: Whether a house number stands before or behind them.
    """
    streets, atlas = context.streets, context.atlas
    first, last = folded(words[0]), folded(words[-1])
    text = " ".join(words)
    key = folded(text)
    language = streets.before.get(first)
    is_french = (
        len(words) > 1
        and not _LETTERED.fullmatch(words[1])
        and words[1].lower() not in ("of", "the", "at")
        and plain(words[-1]) not in streets.types
    )
    if language and len(words) > 1 and (is_french or not streets.types.get(first.strip("."))):
        is_road_number = first in ("route", "cours", "via") and words[1][0].isdigit()
        if not is_road_number:
            head, name = words[0] + " ", " ".join(words[1:])
            return ForeignStreet("street", text, key, language, "before", head, name, "", key)
    language = streets.apart.get(last)
    if language and len(words) > 1 and not streets.types.get(last) and last != "hof":
        name, tail = " ".join(words[:-1]), " " + words[-1]
        return ForeignStreet("street", text, key, language, "apart", "", name, tail, key)
    if key in atlas.american or atlas.state(key) or atlas.country(key) or last in atlas.foreign:
        return None
    for language, use, end in streets.ends:
        if not (last.endswith(end.strip(".")) and len(last) > len(end) + 1):
            continue
        if not numbered and (use == "ending" or end.strip(".") in _AMBIGUOUS_ENDS):
            continue
        cut = len(words[-1]) if use == "ending" else _start_of_end(words[-1], end)
        name, tail = words[-1][:cut], words[-1][cut:]
        return ForeignStreet("street", text, key, language, use, "", name, tail, last)
    return None


def _start_of_end(word: str, end: str) -> int:
    """Return the index in *word* where the folded *end* of a street begins."""
    size = 6 if word.lower().endswith("straße") else len(end.rstrip("."))
    return len(word.rstrip(".")) - size


def _english_street(words: Sequence[str], context: Context) -> Part:
    text = " ".join(words)
    if _count_lettered(words, context) == len(words):
        at = next(at for at in range(1, len(words)) if _LETTERED.fullmatch(words[at]))
        return LetteredStreet("street", text, folded(text), at)
    start = 1 if len(words) > 1 and is_direction(words[0]) else 0
    end = len(words)
    if end > start + 1 and is_direction(words[-1]):
        end -= 1
    row = context.streets.types.get(plain(words[end - 1])) if end > start + 1 else None
    name = " ".join(words[start : end - 1 if row else end])
    head, tail = words[:start], words[end:]
    sides = [plain(word)[0] for word in (*head, *tail)]
    normal = " ".join([*sides, folded(name), *([row.word.lower()] if row else [])])
    kind = words[end - 1] if row else ""
    return Street("street", text, normal, tuple(head), name, kind, row, tuple(tail))


def _count_street(words: list[str], last: bool, context: Context) -> int:
    """Count the first *words*, which stand behind a house number, that are its street."""
    end = len(words)
    has_place = False
    if last and end > 1 and (US_ZIP.fullmatch(words[-1]) or count_letter_postcode(words)):
        has_place = True
        end -= count_letter_postcode(words) or 1
    typed = _count_typed(words[:end], context)
    for size in (3, 2, 1):
        if last and end > size and context.atlas.state(" ".join(words[end - size : end])):
            rest = words[: end - size]
            compass = end > 1 and is_direction(words[end - 1])
            if compass and not has_place and plain(words[end - 2]) in context.streets.types:
                continue  # "Breyman St. NE": Nebraska stands behind a town
            is_state = bool(_count_typed(rest, context) or _count_town(rest, context))
            if size == 1 and plain(words[end - 1]) in context.streets.types:
                is_state = is_state and (has_place or _is_code(words[end - 1], context))
            else:
                is_state = is_state or has_place
            if is_state:
                end -= size
                has_place = True
                typed = _count_typed(words[:end], context)
                break
    if typed:
        return typed
    if has_place and end > 1:
        return end - (_count_town(words[:end], context) or 1)
    return _count_typed(words[:end], context, weak=True) or end


def _count_town(words: Sequence[str], context: Context) -> int:
    """Count the last *words* that are a known US town and not all of them."""
    for size in (3, 2, 1):
        if len(words) > size and folded(" ".join(words[-size:])) in context.atlas.american:
            return size
    return 0


def _count_typed(words: Sequence[str], context: Context, weak: bool = False) -> int:
    """Count the first *words* up to the last street word and its direction; 0 if there is none.

    Args:
        words: Of the street, and the words behind it.
        context: Of the words.
        weak: Whether words count that are a street word only behind a name: "Heights".
    """
    first = 1 if words and not is_direction(words[0]) else 2
    if lettered := _count_lettered(words, context) if words else 0:
        return lettered
    for at in range(len(words) - 1, first - 1, -1):
        row = context.streets.types.get(plain(words[at]))
        if row is None or (row.use == "after" and not weak):
            continue
        saint = _ABBREVIATED_SAINT.fullmatch(words[at]) and at + 1 < len(words)
        if saint and _count_typed(words[:at], context):
            continue
        end = at + 1
        return end + (end < len(words) and is_direction(words[end]))
    return 0


def _count_lettered(words: Sequence[str], context: Context) -> int:
    """Count the first *words* that are a road like "Avenue F" or "Highway 12 South"."""
    at = 1 if plain(words[0]) in PUBLIC_ROADS else 0
    if len(words) < at + 2 or not _LETTERED.fullmatch(words[at + 1]):
        return 0
    row = context.streets.types.get(plain(words[at]))
    if not (row.use != "after" if row else plain(words[at]) in ("route", "rte", "rt")):
        return 0
    more = words[at + 2 : at + 3]
    return at + 2 + bool(more and is_direction(more[0]))


def read_street_without_number(words: list[str], context: Context) -> Parts:
    """Read a street without a house number before it, or a place."""
    count = len(words)
    behind_street = bool(context.before) and context.before[-1].kind == "street"
    behind_town = context.before[-1:] and context.before[-1].kind == "town"  # "Dadar (W)"
    behind = behind_street or (behind_town and not context.atlas.state(words[0]))
    if behind and is_direction("".join(words)):  # "N. W."
        return (kept_part("direction", words),)
    if house := _institution(words, context) or _building(words, context):
        return (house,)
    houses = _start_of_houses(words)
    foreign = _foreign_street(words[:houses], context, numbered=houses < count)
    if foreign and not (houses < count and re.match(r"\d{5}", words[houses])):
        return (foreign, read_house(words[houses:])) if houses < count else (foreign,)
    is_zip = (
        ends_in_zone(words, context)
        or US_ZIP.fullmatch(words[-1])
        or ends_in_foreign_code(words, context)
    )
    if houses < count and not is_zip:
        return _street_before_number(words, houses, context)
    if lettered := _count_lettered(words, context):
        return _street_and_place(words, lettered, context)
    joint = next((at for at, word in enumerate(words) if at and word.lower() in _JOINTS), count)
    is_corner = words[joint : joint + 1] == ["&"] or context.has("corner")
    if joint < count - 1 and (is_corner or is_english_street(words, context)):
        corner = (words[:joint], words[joint + 1 :])
        first, second = (_english_street(street, context) for street in corner)
        return (first, kept_part("joint", words[joint : joint + 1]), second)
    size = 0 if _ends_in_state(words, context) else _count_typed(words, context)
    # "Flat 9, Canning House", "The Old Forge", "Station Cottages"
    begins = words[0].lower() == "the" or (count > 1 and plain(words[-1]) in _HOUSES)
    may_name = context.has("unit") or (begins and not context.before)
    named = words[:-1] if US_ZIP.fullmatch(words[-1]) else words
    states = (" ".join(named[-1:]), " ".join(named[-2:]))
    houses_name = may_name and not any(map(context.atlas.state, states))
    if ("street" in context.label or houses_name) and not size:
        size = _count_typed(words, context, weak=True)
        if folded(" ".join(words[:size])) in context.atlas.american:
            size = 0  # "Apt. 4, Peoria Heights, Illinois"
    if size and size == count and folded(" ".join(words)) not in context.atlas.american:
        return (_english_street(words, context),)
    if size and not context.atlas.state(words[size - 1]) and not _is_town(words, size, context):
        return _street_and_place(words, size, context)
    if _is_house(words, context):
        text = " ".join(words)
        return (HouseName("name", text, folded(text)),)
    return read_place(words, context)


def _institution(words: Sequence[str], context: Context) -> Institution | None:
    """Read *words* as a house of one kind of people, also with a nation or a church before it."""
    for at in range(min(len(words), _LONGEST_HEAD + 1)):
        head, name = words[:at], " ".join(words[at:])
        known = all(plain(one) in _HEADS or is_people(one, context.atlas) for one in head)
        if known and folded(name) in context.streets.institutions:
            text = " ".join(words)
            return Institution("name", text, folded(text), text[: len(text) - len(name)], name)
    return None


def is_people(word: str, atlas: Atlas) -> bool:
    """Tell whether *word* is one for a people, also abbreviated: "Scand."."""
    key = folded(word)
    own = key.rstrip(".")
    return key in atlas.nationalities or (
        key.endswith(".") and any(one.startswith(own) for one in atlas.nationalities)
    )


def _building(words: Sequence[str], context: Context) -> Building | None:
    """Read *words* as the name of a building or a settlement that ends in what it is."""
    if folded(" ".join(words)) in context.atlas.american or context.has("town"):
        return None
    for size, tails in _BUILDINGS:
        name, tail = " ".join(words[:-size]), " ".join(words[-size:])
        if (
            name.removeprefix("the ")[:1].isupper()
            and folded(tail) in tails
            and not re.search(r"\d", name)
        ):
            text = " ".join(words)
            return Building("name", text, folded(text), name, f" {tail}")
    return None


def _is_house(words: Sequence[str], context: Context) -> bool:
    """Tell whether *words* are the name of a house: a listed one, or one before a street."""
    text = " ".join(words)
    if context.has("house", "street", "town") or context.label or context.atlas.town(text):
        return False
    listed = context.streets.houses.get(len(words), ())
    if folded(text) in map(folded, listed) or _HOTEL.match(text):
        return True
    return context.lane_follows and not re.search(r"\d", text) and len(words) <= _LONGEST_NAME


def _start_of_houses(words: Sequence[str]) -> int:
    """Return the index of the house number behind a street, or the length if there is none."""
    start = len(words)
    while start > 1 and _LATER_HOUSE.fullmatch(words[start - 1]):
        start -= 1
    if start < len(words) and not words[start][0].isdigit():
        return len(words)
    return start


def _street_before_number(words: list[str], houses: int, context: Context) -> Parts:
    """Read *words* with a number from the index *houses* on that is neither zone nor ZIP code."""
    if count_letter_postcode(words):
        return read_place(words, context)
    if houses == 1 and words[0] in ("house", "villa", "plot"):
        found = re.match(r"\w+ (.+)", " ".join(words))
        assert found is not None  # there is a number
        return (numbered_part("unit", found),)
    if _count_lettered(words, context) == len(words):
        return (_english_street(words, context),)
    return (_english_street(words[:houses], context), read_house(words[houses:]))


def _street_and_place(words: list[str], size: int, context: Context) -> Parts:
    """Read a street of *size* words and, if more follow, a place."""
    street = (_english_street(words[:size], context),)
    return (
        street if size == len(words) else street + read_place(words[size:], context.after(street))
    )


def _ends_in_state(words: list[str], context: Context) -> bool:
    """Return whether the last word is a state rather than a street word: SELMA AL."""
    if len(words) < 2 or not context.atlas.state(words[-1]):
        return False
    known = folded(" ".join(words[:-1])) in context.atlas.american
    return known or _is_code(words[-1], context)


def _is_code(word: str, context: Context) -> bool:
    """Return whether *word* is in capitals unlike the rest of the value, as a state's code is."""
    return len(word) == 2 and word.isupper() and not context.capitals


def _is_town(words: list[str], size: int, context: Context) -> bool:
    """Return whether the street word at the end of *size* words belongs to the name of a town."""
    return size > 4 or folded(" ".join(words[: size + 1])) in context.atlas.american
