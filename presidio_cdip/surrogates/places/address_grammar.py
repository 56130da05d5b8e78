"""The grammar of addresses: reads the words of a text into the parts of an address.

A text is cut into segments at commas, ends of lines and wide blanks. A segment is read from left to
right; each function of the grammar takes words and a context and returns the parts that they begin
with. The context is immutable: what was read before is in `_Context.before`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

from presidio_cdip.pack.confusions import ROUND, digits
from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.drawing.context import context_of
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.places.address_parts import (
    Address,
    CareOf,
    Country,
    County,
    Floor,
    ForeignStreet,
    House,
    Kept,
    Landmark,
    LetteredStreet,
    LetterPostcode,
    Numbered,
    Part,
    Region,
    State,
    Street,
    TownName,
    ZipCode,
    Zone,
)
from presidio_cdip.surrogates.places.atlas import Atlas, load_atlas
from presidio_cdip.surrogates.places.place_grammar import splits_name
from presidio_cdip.surrogates.places.street_lists import StreetLists, load_street_lists
from presidio_cdip.surrogates.writing.text import folded, repaired

_STREETS = english().streets
DIGIT = rf"[\d{ROUND}]"  # a digit, or a letter that OCR reads for one
ORDINAL = re.compile(r"(\d{1,3})(st|nd|rd|th|d)", re.I)
ORDINALS = _STREETS["floors"]
CANADIAN = re.compile(r"(?i)(?:[a-z]\d){3}")
# Words of numbers, in groups whose words can replace one another.
_ONES, _TENS = english().ones, english().tens
NUMBER_WORDS = (
    _ONES[1:10], _ONES[10:18], _ONES[18:], _TENS, *((word,) for word in english().many),
    english().noughts[:1],
)  # fmt: skip

_WORD = re.compile(r"[^\s,;()]+")
_LABEL_BEFORE = re.compile(r"(?i)\b(street|zip(?: code)?|city|town|state)(?:\s*:\s*|\s+)$")
_MOST_WORDS = 48
_MOST_WORDS_OF_PART = {"town": 4, "street": 7}
_MOST_WORDS_OF_OTHERS = 9
_LOOK_AHEAD = 4  # words that tell whether a unit or a route begins

_NUMBER = re.compile(rf"(?=\D?\d|\D\D\d){DIGIT}{{1,6}}")
_HOUSE = re.compile(rf"(?=\D{{0,2}}\d)#?{DIGIT}{{1,6}}(?:[-/–]{DIGIT}{{1,4}})?[A-Za-z]?")
_LATER_HOUSE = re.compile(r"\d{1,4}(?:[-/]\d{1,4})*[a-zA-Z]?|[A-Z]|\d/\d")
_LETTERED = re.compile(r"[A-Z]|\d{1,4}[A-Z]?")
_US_ZIP = re.compile(rf"(?=\D{{0,4}}\d){DIGIT}{{5}}(?:-{DIGIT}{{4}})?")
_ABROAD_ZIP = re.compile(rf"(?:([A-Z]{{1,3}})-)?({DIGIT}{{4,5}}|\d{{4}}-\d{{3}}|\d\d-\d{{3}})")
_OUTWARD = re.compile(r"[A-Za-z]{1,2}\d{1,2}[A-Za-z]?")
_INWARD = re.compile(r"\d[A-Za-z]{2}")
_ABBREVIATED_SAINT = re.compile(r"(?i)st\.?")

_DIRECTIONS = frozenset(_STREETS["directions"])
# Words before "Road 12" that make it a street: "County Road 12" is not a rural route.
_PUBLIC = frozenset(_STREETS["public_roads"])
_RURAL_ROUTE = re.compile(
    r"(?:(?:rural|star)[ ](?:route|rt|rte|delivery)|r\.? ?f\.? ?d\.?|r\.? ?d\.?|r\.? ?r\.?|h\.?c\.?"
    r"|route|rte\.?|rt\.?|(?:p\.? ?o\.?|post office) ?(?:box|drawer|bx\.?)|box|bx\.?|drawer)"
    rf"(?: (?:no\.?|number))? #?({DIGIT}*\d{DIGIT}*[a-ce-z]?)(?= |$)",
    re.I,
)
_UNIT_WORDS = "|".join(_STREETS["units"])
_UNIT = re.compile(
    rf"(?:(?:{_UNIT_WORDS})(?:[.:]? #? ?|[.:#])|apt|flat|lot|rm|ste|unit|#)"
    rf"((?=[{ROUND}]{{0,3}}\d){DIGIT}{{1,4}}(?:[-/]?[a-z]|[-/]\d{{1,2}})?"
    r"|(?<=[ #.])[a-z]-?\d{0,4})(?= |$)",
    re.I,
)
_FLOOR = re.compile(
    r"(\d{1,2}(?:st|nd|rd|th|d)|first|second|third|fourth|fifth|sixth|top|ground|basement|upper"
    r"|lower|garden|front|rear|back) ?(?:floor|flr?\.?|story|flat|apartment|apt\.?|right|left|door)"
    r"(?= |$)",
    re.I,
)
_SIDE = re.compile(r"(\d{1,2})[.º°]? ?(?:esq|dto|dt|fte|frente|andar)\.?(?= |$)", re.I)
_KEPT_UNIT = re.compile(
    r"(?:rear|upstairs|upst|downstairs|general delivery|rural route|poste restante"
    r"|y\.?m\.?c\.?a|y\.?w\.?c\.?a)\.?(?= |$)"
    r"|^(?:upper|lower|front|basement|attic|cellar|garage)$"
    rf"|^(?:{'|'.join(_STREETS['sides'])}) (?:{'|'.join(_STREETS['rooms'])})\.?$",
    re.I,
)
_QUARTERS = frozenset(_STREETS["quarters"])
_JOINTS = frozenset({"&", "and"})
_LANDMARK = re.compile(
    rf"(?:{'|'.join(_STREETS['beside'])}) the [^\W\d_]+"
    r"(?: [^\W\d_]+)?",
    re.I,
)
_CARE_OF = re.compile(r"(?:c/o|(?:in )?care of|℅|%)\.?:?(?= )", re.I)
_LABELS = frozenset(english().labels["address"])
_LEADS = frozenset(_STREETS["leads"])
_COUNTY_WORDS = frozenset((*_STREETS["hospitals"], *_STREETS["areas"])) - {"district"}
_ALL_NUMBER_WORDS = frozenset(word for group in NUMBER_WORDS for word in group)
# Endings of English words and names, too: a street only before a number.
_AMBIGUOUS_ENDS = frozenset({
    "ring", "rain", "steig", "damm", "gate", "vej", "tie", "ranta", "vest", "hof", "markt",
    "zeile", "str",
})  # fmt: skip

Parts = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class _Context:
    """The surroundings of the words that are read.

    Attributes:
        atlas: Of the pack in use.
        streets: Of the pack in use.
        locale: As Faker writes it.
        capitals: Whether the whole value is in capitals.
        before: The parts read so far.
        label: The letters of the label of a form before the words: "zip code".
        state_follows: Whether the next segment begins with a state.
        street_follows: Whether the next segment looks like a street without a number.
    """

    atlas: Atlas
    streets: StreetLists
    locale: str
    capitals: bool
    before: Parts = ()
    label: str = ""
    state_follows: bool = False
    street_follows: bool = False

    def has(self, *kinds: str) -> bool:
        """Tell whether a part of one of *kinds* was read before."""
        return any(part.kind in kinds for part in self.before)

    def after(self, parts: Parts) -> "_Context":
        """Return the context behind *parts*."""
        return replace(self, before=self.before + parts)


def read_address(value: str, options: Mapping[str, Any]) -> Address | None:
    """Read *value*; None if it is not an address, or if nothing in it would be replaced."""
    matches = list(_WORD.finditer(value))
    if not 0 < len(matches) <= _MOST_WORDS:
        return None
    pack = pack_of(options)
    words = [match.group() for match in matches]
    gaps = [value[: matches[0].start()]]
    gaps += [value[a.end() : b.start()] for a, b in pairwise(matches)]
    context = _Context(
        atlas=load_atlas(pack),
        streets=load_street_lists(pack),
        locale=str(options.get("locale", "en_US")),
        capitals=value.isupper(),
        label=_label_before(options),
    )
    parts = _read_segments(_segments(words, gaps), context)
    if sum(part.size for part in parts) != len(words) or not all(map(_is_plausible, parts)):
        return None
    if all(isinstance(part, Kept) for part in parts):
        return None
    starts = accumulate((part.size for part in parts[:-1]), initial=0)
    separators = (*(gaps[start] for start in starts), value[matches[-1].end() :])
    return Address(parts, separators, context.locale, context.capitals)


def _label_before(options: Mapping[str, Any]) -> str:
    """Return the label of a form that stands before the value on its page."""
    context = context_of(options)
    found = _LABEL_BEFORE.search(context.before) if context else None
    return found[1].lower() if found else ""


def _segments(words: list[str], gaps: list[str]) -> list[list[str]]:
    """Cut *words* at every gap that is more than one blank."""
    starts = [at for at, gap in enumerate(gaps) if at == 0 or gap != " "]
    return [words[a:b] for a, b in zip(starts, [*starts[1:], len(words)], strict=True)]


def _is_plausible(part: Part) -> bool:
    """Tell whether *part* is no longer than its kind can be, and a town has letters."""
    if part.kind == "town" and not re.search(r"[^\W\d_]", part.text):
        return False
    return part.size <= _MOST_WORDS_OF_PART.get(part.kind, _MOST_WORDS_OF_OTHERS)


def _read_segments(segments: list[list[str]], context: _Context) -> Parts:
    for words, following in zip(segments, [*segments[1:], []], strict=True):
        context = replace(
            context,
            state_follows=any(context.atlas.state(" ".join(following[:size])) for size in (1, 2)),
            street_follows=len(following) > 1 and not following[0][0].isdigit(),
        )
        context = replace(context.after(_read_segment(words, context)), label="")
    return context.before


def _read_segment(words: list[str], context: _Context) -> Parts:
    label, at = context.label, 0
    parts: Parts = ()
    while at < len(words):
        found = _read_next(words[at:], replace(context.after(parts), label=label))
        if found and found[0].kind == "label":
            label = re.sub(r"[^a-z]+", " ", found[0].text.lower()).strip()
        parts += found
        at += max(sum(part.size for part in found), 1)
    return parts


def _read_next(words: list[str], context: _Context) -> Parts:
    """Read the parts that *words* begin with."""
    text = " ".join(words)
    if label := _count_label(words):
        return (_kept("label", words[:label]),)
    if care := _CARE_OF.match(text):
        return (_care_of(words, care.group().count(" ") + 1),)
    if rural := _RURAL_ROUTE.match(text):
        return (_numbered("rural", rural),)
    if unit := _match_unit(words, context):
        return (_unit(unit),)
    if landmark := _LANDMARK.match(text):
        return (_landmark(landmark.group()),)
    return _street_or_place(words, context)


# Labels, persons, units and landmarks


def _kept(kind: str, words: Sequence[str]) -> Kept:
    text = " ".join(words)
    return Kept(kind, text, folded(text))


def _care_of(words: list[str], head: int) -> CareOf:
    """Read a person's name behind the first *head* words, up to a word with a digit."""
    end = next(
        (at for at in range(head + 1, len(words)) if any(char.isdigit() for char in words[at])),
        len(words),
    )
    name = " ".join(words[head:end])
    text = " ".join(words[:end])
    return CareOf("care", text, f"care of {folded(name)}", " ".join(words[:head]), name)


def _numbered(kind: str, found: "re.Match[str]") -> Numbered:
    """Return the unit or the route *found*, whose first group is its number."""
    text, value = found.group(), found[1]
    normal = folded(text[: found.start(1)]).replace("route", "rt") + " " + digits(value).lower()
    return Numbered(kind, text, normal, found.start(1), found.end(1))


def _match_unit(words: Sequence[str], context: _Context) -> "re.Match[str] | None":
    text = " ".join(words[:_LOOK_AHEAD])
    for pattern in (_UNIT, _FLOOR, _KEPT_UNIT):
        if found := pattern.match(text):
            return found
    return _SIDE.match(text) if context.has("street") else None


def _unit(found: "re.Match[str]") -> Part:
    text = found.group()
    if found.re is _KEPT_UNIT:
        return _kept("unit", [text])
    if found.re is not _FLOOR:
        return _numbered("unit", found)
    if not found[1][0].isdigit() and found[1].lower() not in ORDINALS:
        return _kept("unit", [text])
    return Floor("unit", text, folded(text), found[1])


def _landmark(text: str) -> Landmark:
    head, thing = re.split(r"(?<= the) ", text, maxsplit=1, flags=re.I)
    return Landmark("landmark", text, folded(text), head + " ", thing)


def _count_label(words: Sequence[str]) -> int:
    """Count the first *words* that are a label of a form: "zip_city:"."""
    for size in (1, 2, 3):
        if len(words) >= size and words[size - 1].endswith(":"):
            names = re.split(r"[\s_/]+", " ".join(words[:size]).rstrip(":").lower())
            return size if all(name in _LABELS for name in names) else 0
    return 0


# Houses and what follows them


def _street_or_place(words: list[str], context: _Context) -> Parts:
    """Read a house, a street, a postcode or a place, up to the next unit or route."""
    end = _end_of_street(words, context)
    body = words[:end]
    last = end == len(words)
    spelled = _count_number_words(body)
    if spelled and (len(body) > spelled or context.street_follows):
        return _house_and_street(body, spelled, last, context)
    if parts := _postcode_and_town(body, context):
        return parts
    if not _HOUSE.fullmatch(body[0]) or ORDINAL.fullmatch(body[0]):
        return _street_without_number(body, context)
    if len(body) == 1:
        return _lone_postcode(body[0], context) or (_house(body),)
    size = 2 if len(body) > 2 and re.fullmatch(r"\d/\d", body[1]) else 1
    return _house_and_street(body, size, last, context)


def _end_of_street(words: list[str], context: _Context) -> int:
    """Return the index in *words* where the next unit, route or landmark begins."""
    for at in range(1, len(words)):
        text = " ".join(words[at : at + _LOOK_AHEAD])
        if _LANDMARK.match(text) or _CARE_OF.match(text):
            return at
        behind_house = at == 1 and _HOUSE.fullmatch(words[0])
        is_road = _plain(words[at]) == "rd" or behind_house or _plain(words[at - 1]) in _PUBLIC
        if not is_road and _RURAL_ROUTE.match(text):
            return at
        if found := _match_unit(words[at:], context):
            has_number = re.search(r"[\d#]", found.group())
            if not (found.re is _UNIT and not has_number and behind_house):
                return at
    return len(words)


def _house_and_street(words: list[str], size: int, last: bool, context: _Context) -> Parts:
    """Read a house number of *size* words, the street behind it and the town behind that.

    Args:
        words: Of the house number, the street and the town.
        size: At least 1.
        last: Whether *words* end the segment.
        context: Of the words.
    """
    house = (_house(words[:size]),)
    rest = words[size:]
    if not rest:
        return house
    context = context.after(house)
    if foreign := _foreign_street(rest, context, numbered=True):
        return (*house, foreign)
    count = _count_street(rest, last, context)
    parts: Parts = (*house, _english_street(rest[:count], context))
    if count < len(rest):
        parts += _place(rest[count:], context.after(parts[1:]))
    return parts


def _house(words: Sequence[str]) -> House:
    text = " ".join(words)
    return House("house", text, digits(text).lower() if re.search(r"\d", text) else folded(text))


def _count_number_words(words: Sequence[str]) -> int:
    """Count the first *words* that are a number in words; 0 if it has one word alone."""
    count = parts = 0
    for word in words:
        found = word.lower().split("-")
        if not all(part in _ALL_NUMBER_WORDS for part in found):
            break
        count += 1
        parts += len(found)
    return count if parts > 1 else 0


# Streets


def _foreign_street(words: list[str], context: _Context, numbered: bool) -> ForeignStreet | None:
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
        and _plain(words[-1]) not in streets.types
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


def _english_street(words: Sequence[str], context: _Context) -> Part:
    text = " ".join(words)
    if _count_lettered(words, context) == len(words):
        at = next(at for at in range(1, len(words)) if _LETTERED.fullmatch(words[at]))
        return LetteredStreet("street", text, folded(text), at)
    start = 1 if len(words) > 1 and _is_direction(words[0]) else 0
    end = len(words)
    if end > start + 1 and _is_direction(words[-1]):
        end -= 1
    row = context.streets.types.get(_plain(words[end - 1])) if end > start + 1 else None
    name = " ".join(words[start : end - 1 if row else end])
    head, tail = words[:start], words[end:]
    sides = [_plain(word)[0] for word in (*head, *tail)]
    normal = " ".join([*sides, folded(name), *([row["word"].lower()] if row else [])])
    kind = words[end - 1] if row else ""
    return Street("street", text, normal, tuple(head), name, kind, row, tuple(tail))


def _count_street(words: list[str], last: bool, context: _Context) -> int:
    """Count the first *words*, which stand behind a house number, that are its street."""
    end = len(words)
    has_place = False
    if last and end > 1 and (_US_ZIP.fullmatch(words[-1]) or _count_letter_postcode(words)):
        has_place = True
        end -= _count_letter_postcode(words) or 1
    typed = _count_typed(words[:end], context)
    for size in (3, 2, 1):
        if last and end > size and context.atlas.state(" ".join(words[end - size : end])):
            rest = words[: end - size]
            is_state = bool(_count_typed(rest, context) or _count_town(rest, context))
            if size == 1 and _plain(words[end - 1]) in context.streets.types:
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


def _count_town(words: Sequence[str], context: _Context) -> int:
    """Count the last *words* that are a known US town and not all of them."""
    for size in (3, 2, 1):
        if len(words) > size and folded(" ".join(words[-size:])) in context.atlas.american:
            return size
    return 0


def _count_typed(words: Sequence[str], context: _Context, weak: bool = False) -> int:
    """Count the first *words* up to the last street word and its direction; 0 if there is none.

    Args:
        words: Of the street, and the words behind it.
        context: Of the words.
        weak: Whether words count that are a street word only behind a name: "Heights".
    """
    first = 1 if words and not _is_direction(words[0]) else 2
    if lettered := _count_lettered(words, context) if words else 0:
        return lettered
    for at in range(len(words) - 1, first - 1, -1):
        row = context.streets.types.get(_plain(words[at]))
        if row is None or (row["use"] == "after" and not weak):
            continue
        saint = _ABBREVIATED_SAINT.fullmatch(words[at]) and at + 1 < len(words)
        if saint and _count_typed(words[:at], context):
            continue
        end = at + 1
        return end + (end < len(words) and _is_direction(words[end]))
    return 0


def _count_lettered(words: Sequence[str], context: _Context) -> int:
    """Count the first *words* that are a road like "Avenue F" or "Highway 12 South"."""
    at = 1 if _plain(words[0]) in _PUBLIC else 0
    if len(words) < at + 2 or not _LETTERED.fullmatch(words[at + 1]):
        return 0
    row = context.streets.types.get(_plain(words[at]))
    if not (row["use"] != "after" if row else _plain(words[at]) in ("route", "rte", "rt")):
        return 0
    more = words[at + 2 : at + 3]
    return at + 2 + bool(more and _is_direction(more[0]))


def _street_without_number(words: list[str], context: _Context) -> Parts:
    """Read a street without a house number before it, or a place."""
    count = len(words)
    behind_street = bool(context.before) and context.before[-1].kind == "street"
    if behind_street and count == 1 and _is_direction(words[0]):
        return (_kept("direction", words),)
    houses = _start_of_houses(words)
    foreign = _foreign_street(words[:houses], context, numbered=houses < count)
    if foreign and not (houses < count and len(words[houses]) > 4):
        return (foreign, _house(words[houses:])) if houses < count else (foreign,)
    is_zip = _is_zone(words, context) or _US_ZIP.fullmatch(words[-1])
    if houses < count and not is_zip:
        return _street_before_number(words, houses, context)
    if lettered := _count_lettered(words, context):
        return _street_and_place(words, lettered, context)
    joint = next((at for at, word in enumerate(words) if at and word.lower() in _JOINTS), count)
    if joint < count - 1 and (words[joint] == "&" or _is_english_street(words, context)):
        corner = (words[:joint], words[joint + 1 :])
        first, second = (_english_street(street, context) for street in corner)
        return (first, _kept("joint", words[joint : joint + 1]), second)
    size = 0 if _ends_in_state(words, context) else _count_typed(words, context)
    if "street" in context.label and not size:
        size = _count_typed(words, context, weak=True)
    if size and size == count and folded(" ".join(words)) not in context.atlas.american:
        return (_english_street(words, context),)
    if size and not context.atlas.state(words[size - 1]) and not _is_town(words, size, context):
        return _street_and_place(words, size, context)
    return _place(words, context)


def _start_of_houses(words: Sequence[str]) -> int:
    """Return the index of the house number behind a street, or the length if there is none."""
    start = len(words)
    while start > 1 and _LATER_HOUSE.fullmatch(words[start - 1]):
        start -= 1
    if start < len(words) and not words[start][0].isdigit():
        return len(words)
    return start


def _street_before_number(words: list[str], houses: int, context: _Context) -> Parts:
    """Read *words* with a number from the index *houses* on that is neither zone nor ZIP code."""
    if _count_letter_postcode(words):
        return _place(words, context)
    if houses == 1 and words[0] in ("house", "villa", "plot"):
        found = re.match(r"\w+ (.+)", " ".join(words))
        assert found is not None  # there is a number
        return (_numbered("unit", found),)
    if _count_lettered(words, context) == len(words):
        return (_english_street(words, context),)
    return (_english_street(words[:houses], context), _house(words[houses:]))


def _street_and_place(words: list[str], size: int, context: _Context) -> Parts:
    """Read a street of *size* words and, if more follow, a place."""
    street = (_english_street(words[:size], context),)
    return street if size == len(words) else street + _place(words[size:], context.after(street))


def _ends_in_state(words: list[str], context: _Context) -> bool:
    """Tell whether the last word is a state rather than a street word: SELMA AL."""
    if len(words) < 2 or not context.atlas.state(words[-1]):
        return False
    known = folded(" ".join(words[:-1])) in context.atlas.american
    return known or _is_code(words[-1], context)


def _is_code(word: str, context: _Context) -> bool:
    """Tell whether *word* is in capitals unlike the rest of the value, as a state's code is."""
    return len(word) == 2 and word.isupper() and not context.capitals


def _is_town(words: list[str], size: int, context: _Context) -> bool:
    """Tell whether the street word at the end of *size* words belongs to the name of a town."""
    return size > 4 or folded(" ".join(words[: size + 1])) in context.atlas.american


def _is_zone(words: list[str], context: _Context) -> bool:
    """Tell whether *words* end in an old postal zone: Louisville 5."""
    if not re.fullmatch(rf"{DIGIT}{{1,2}}", words[-1]) or len(words) < 2:
        return False
    town = context.atlas.town(" ".join(words[:-1]), context.locale)
    return town is not None or context.state_follows or context.has("street", "house")


def _is_english_street(words: Sequence[str], context: _Context) -> bool:
    row = context.streets.types.get(_plain(words[-1]))
    return len(words) > 1 and row is not None and row["use"] != "after"


# Postcodes and places


def _lone_postcode(word: str, context: _Context) -> Parts:
    """Read a postcode that is the only word; nothing if *word* is a house number."""
    asked = "zip" in context.label or "post" in context.label
    expected = context.before or not context.street_follows
    if asked or (_US_ZIP.fullmatch(word) and expected):
        return (_zip_code([word]),)
    if _OUTWARD.fullmatch(word) and not word[0].isdigit():
        return (_letter_postcode([word]),)
    return ()


def _postcode_and_town(words: list[str], context: _Context) -> Parts:
    """Read a postcode with its town behind it, as in continental Europe; nothing if it is none."""
    size = 1
    if len(words) > 2 and re.fullmatch(r"\d{3}", words[0]) and re.fullmatch(r"\d\d", words[1]):
        size = 2
    found = _ABROAD_ZIP.fullmatch("".join(words[:size]))
    rest = words[size:]
    if not found or not rest or not any(char.isalpha() for char in rest[0]):
        return ()
    if len(rest) > 1 and re.fullmatch(r"[A-Z]{2}", rest[0]) and len(found[2]) == 4:
        size += 1  # 1016 GV Amsterdam
        rest = words[size:]
    place = folded(" ".join(rest))
    atlas = context.atlas
    is_street = _is_english_street(rest, context)
    is_postcode = (
        found[1]
        or "-" in words[0]
        or size == 2
        or context.has("street", "house")
        or "city" in context.label
        or (place in atlas.foreign and place not in atlas.american)
        or (words[0][0] == "0" and not is_street)
    )
    if not is_postcode or (is_street and not found[1]):
        return ()
    postcode = (_zip_code(words[:size]),)
    return postcode + _place(rest, context.after(postcode))


def _place(words: list[str], context: _Context) -> Parts:
    """Read a town and what follows it: its zone, state, country and postcode."""
    lead: Parts = ()
    if len(words) > 1 and _plain(words[0]) in _QUARTERS:
        return (_kept("lead", words[:1]), *_place(words[1:], context))
    if len(words) > 1 and words[0].lower() in _LEADS and not _US_ZIP.fullmatch(words[1]):
        lead = (_kept("lead", words[:1]),)
        words = words[1:]
    behind: Parts = ()
    while words and (found := _last_of_place(words, bool(behind), context)):
        behind = (found, *behind)
        words = words[: -found.size]
    town = (_town(words, context),) if words else ()
    return lead + town + behind


def _last_of_place(words: list[str], more: bool, context: _Context) -> Part | None:
    """Read the part behind a town that *words* end in; None if the town is all that is left.

    Args:
        words: Of the town, and the words behind it.
        more: Whether parts behind *words* were read.
        context: Of the words.
    """
    atlas = context.atlas
    if size := _count_letter_postcode(words):
        return _letter_postcode(words[-size:])
    asked = "zip" in context.label and _NUMBER.match(words[-1])
    if asked or _US_ZIP.fullmatch(words[-1]) or re.fullmatch(r"\d{6}", words[-1]):
        return _zip_code(words[-1:])
    if len(words) > 1 and _NUMBER.fullmatch(words[-1]) and len(words[-1]) < 3:
        return Zone("zone", words[-1], digits(words[-1]))
    for size in (3, 2, 1):
        if len(words) < size:
            continue
        text = " ".join(words[-size:])
        is_all = len(words) == size
        if is_all and (context.state_follows or _names_town(text, more, context)):
            return None
        if not is_all and splits_name(words, size, atlas):
            continue
        county = _plain(text) == "co" and text != "CO" and not more
        if (state := atlas.state(text)) and not county:
            return State("state", text, atlas.state_rows[state]["name"].lower())
        if not is_all and folded(text) in atlas.regions:
            return Region("area", text, folded(text))
        if (country := atlas.country(text)) and (len(text) > 2 or "country" in context.label):
            return Country("country", text, folded(country))
    return None


def _names_town(text: str, more: bool, context: _Context) -> bool:
    """Tell whether *text*, also a name of a state or a country, is a town here."""
    if more or context.has("town") or "state" in context.label:
        return False
    return len(text) > 2 and "." not in text and folded(text) in context.atlas.american


def _town(words: Sequence[str], context: _Context) -> Part:
    """Read a town, or a county or a region in its place."""
    text = " ".join(words)
    key, last = folded(text), folded(words[-1])
    if len(words) > 1 and last in _COUNTY_WORDS:
        name = " ".join(words[:-1])
        return County("town", text, f"{folded(name)} {last}", name, words[-1])
    if key in context.atlas.regions and context.has("town"):
        return Region("area", text, key)
    return TownName("town", text, key)


def _zip_code(words: Sequence[str]) -> ZipCode:
    text = " ".join(words)
    code = text if re.search(r"[A-Z]{2}$|^[A-Z]{1,3}-", text) else digits(text)
    return ZipCode("zip", text, code.lower(), code)


def _letter_postcode(words: Sequence[str]) -> LetterPostcode:
    text = " ".join(words)
    return LetterPostcode("postcode", text, text.lower().replace(" ", ""))


def _count_letter_postcode(words: Sequence[str]) -> int:
    """Count the last *words* that are a British or Canadian postcode."""
    if len(words) > 1 and _INWARD.fullmatch(words[-1]) and _OUTWARD.fullmatch(words[-2]):
        return 2
    if len(words) > 1 and CANADIAN.fullmatch(words[-2] + words[-1]):
        return 2
    return 1 if re.fullmatch(r"(?i)[a-z]{1,2}\d{1,2}(?:\d[a-z]{2})?", words[-1]) else 0


def _plain(word: str) -> str:
    """Return *word* as the gazetteers of streets write it."""
    return repaired(word).lower().strip(".,:")


def _is_direction(word: str) -> bool:
    return _plain(word).replace(".", "") in _DIRECTIONS
