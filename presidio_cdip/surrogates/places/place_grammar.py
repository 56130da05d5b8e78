"""Read the words of a text into towns, areas and countries."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from presidio_cdip.pack.confusions import ROUND, digits
from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.places.atlas import Atlas
from presidio_cdip.surrogates.writing.text import folded, repaired, spellings

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
_HOUSE_ALONE = re.compile(
    rf"(?i)(?:at )?(?:(?:the )?(?:{alternation(_STREETS['birth_houses'])})"
    rf"|the (?:{alternation(tuple(_BUILDINGS))}))"
)
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


def read_parts(value: str, atlas: Atlas) -> tuple[list[Part], str] | None:
    """Return the parts of *value* and the text behind the last; None if it is not a place.

    A house before a town is no part: "hospital, Salina". Before a state, it is a town of its name.
    """
    house = _HOUSE_ALONE.match(value)
    if house and value[house.end() : house.end() + 1] == ",":
        found = _parts_from(value, house.end(), atlas)
        if found and found[0][0].kind == "town":
            return found
    return _parts_from(value, 0, atlas)


def _parts_from(value: str, start: int, atlas: Atlas) -> tuple[list[Part], str] | None:
    parts: list[Part] = []
    end = 0
    for match in _SEGMENT.finditer(value, start):
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
    """Return whether cutting off the last *size* words would split a name: "Port Washington"."""
    if folded(" ".join(words)) in atlas.american:
        return True
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
    kind = next((size for size in (2, 1) if folded(" ".join(words[-size:])) in _COUNTY_WORDS), 0)
    code = words[-1] == "CO" and not previous
    colorado = code and (not text.isupper() or folded(" ".join(words[:-1])) in atlas.american)
    if kind and kind < len(words) < 4 + kind and not colorado:
        stem, after = " ".join(words[:-kind]), " ".join(words[-kind:])
        return Part("county", before, stem, folded(stem), f" {after}")
    if len(words) in (2, 3) and folded(words[0]) in ("county", "co"):
        stem = " ".join(words[1:])
        return Part("county", f"{before}{words[0]} ", stem, folded(stem))
    if len(words) > 1 and folded(words[-1]) in _REGION_WORDS and previous:
        return Part("region", before, text, folded(text))
    if folded(text) in atlas.american and not previous and text != text.upper()[:2]:
        return None
    return _read_state_or_country(before, text, previous, atlas)


def _read_state_or_country(
    before: str, text: str, previous: list[Part], atlas: Atlas
) -> Part | None:
    """Read *text* as a state or a country."""
    if text[0] == "l" and not atlas.state(text) and atlas.state("I" + text[1:]):
        text = "I" + text[1:]  # lll. for Ill.
    if "rn" in text:
        text = next((one for one in spellings(text) if atlas.country(one)), text)  # Jarnaica
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
