"""Read the words of a text into the parts of an address.

A text is cut into segments at commas, ends of lines and wide blanks. A segment is read from left to
right; each function of the grammar takes words and a context and returns the parts that they begin
with. The context is immutable: what was read before is in `Context.before`. Streets are read in
`address_streets`, towns and what follows them in `address_towns`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from presidio_cdip.pack.confusions import ROUND
from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.drawing.context import context_of
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.places.address_parts import (
    Address,
    CareOf,
    Floor,
    Kept,
    Landmark,
    Numbered,
    Part,
)
from presidio_cdip.surrogates.places.address_streets import (
    read_house_and_street,
    read_street_without_number,
)
from presidio_cdip.surrogates.places.address_towns import (
    read_lone_postcode,
    read_postcode_and_town,
    zip_code,
)
from presidio_cdip.surrogates.places.address_words import (
    DIGIT,
    PUBLIC_ROADS,
    Context,
    Parts,
    is_direction,
    is_lane,
    kept_part,
    numbered_part,
    plain,
    read_house,
)
from presidio_cdip.surrogates.places.atlas import load_atlas
from presidio_cdip.surrogates.places.street_lists import load_street_lists
from presidio_cdip.surrogates.writing.text import folded

_STREETS = english().streets
ORDINAL = re.compile(r"(\d{1,3})(st|nd|rd|th|d)", re.I)
ORDINALS = _STREETS["floors"]
# Words of numbers, in groups whose words can replace one another.
_ONES, _TENS = english().ones, english().tens
NUMBER_WORDS = (
    _ONES[1:10], _ONES[10:18], _ONES[18:], _TENS, *((word,) for word in english().many),
    english().noughts[:1],
)  # fmt: skip
# A word, also before a hyphen and an Indian postcode: "Delhi-110017".
_WORD = re.compile(r"(?:(?!-\d{6}\b)[^\s,;()])+(?=-\d{6}\b)|(?<=[^\W\d_])-\d{6}\b|[^\s,;()]+")
_LABEL_BEFORE = re.compile(
    rf"(?i)\b({'|'.join(english().labels['address_parts'])})(?:\s*:\s*|\s+)$"
)
_MOST_WORDS = 48
_WIDE_BLANKS = 3  # gaps of two blanks from which these part words, and no segments
_MOST_WORDS_OF_PART = {"town": 4, "street": 7}
_MOST_WORDS_OF_OTHERS = 9
_LOOK_AHEAD = 4  # words that tell whether a unit or a route begins
_LETTERED_HOUSE = re.compile(r"[A-Z]{1,2}-\d{1,4}[A-Z]?")  # "C-14, Model Colony"
_PIN = re.compile(r"-\d{6}")
_NUMBER_WORD = re.compile(r"(?i)(?:no|number|num)\.?")
_HOUSE = re.compile(rf"(?=\D{{0,2}}\d)#?{DIGIT}{{1,6}}(?:[-/–]{DIGIT}{{1,4}})?[A-Za-z]?")
_BEHIND_HOUSE = re.compile(r"(?i)\d/\d|bl(?:oc)?k\.?")  # "600 blk. W. 5th"
_RURAL_ROUTE = re.compile(
    r"(?:(?:rural|star)[ ](?:route|rt|rte|delivery)|r\.? ?f\.? ?d\.?|r\.? ?d\.?|r\.? ?r\.?|h\.?c\.?"
    r"|route|rte\.?|rt\.?|(?:p\.? ?o\.?|post office) ?(?:box|drawer|bx\.?)|box|bx\.?|drawer)"
    rf"(?: (?:no\.?|number))? #?({DIGIT}*\d{DIGIT}*(?:[a-ce-z]|-[a-z])?)(?= |$)",
    re.I,
)
_ROUTE = re.compile(r"R\.? ?(\d{1,2})(?= |$)")  # "R. 3, Box 88"
_ON_ROUTE = re.compile(
    r"(?:on|off)(?= (?:county |state )?(?:route|rte|rt|hwy|highway|road|rd|u\.?s)\b)", re.I
)
_UNIT_WORDS = "|".join(_STREETS["units"])
_UNIT = re.compile(
    rf"(?:(?:{_UNIT_WORDS})(?:[.:]? #? ?|[.:#])|apt|flat|lot|rm|ste|unit|#)"
    rf"((?=[{ROUND}]{{0,3}}\d){DIGIT}{{1,4}}(?:[-/]?[a-z]|[-/]\d{{1,2}})?"
    r"|(?<=[ #.])[a-z]-?\d{0,4}(?:/\d{1,2})?)(?= |$)",
    re.I,
)
_FLOOR = re.compile(
    rf"(\d{{1,2}}(?:{'|'.join(english().labels['ordinal_endings'])}|d)"
    rf"|{'|'.join((*ORDINALS, *_STREETS['levels']))})"
    r" ?(?:floor|flr?\.?|story|flat|apartment|apt\.?|right|left|door)"
    r"(?= |$)",
    re.I,
)
# "206 Hay St 2nd", with nothing behind it
_LONE_FLOOR = re.compile(
    rf"(\d{{1,2}}(?:{'|'.join(english().labels['ordinal_endings'])}|d))$", re.I
)
_SIDE = re.compile(
    r"(\d{1,2})[.º°]? ?"
    r"(?:esq|dto|dt|fte|frente|andar|piano|piso|étage|etage|stock|emelet|kerros)\.?(?= |$)",
    re.I,
)
_KEPT_UNIT = re.compile(
    r"(?:(?:(?:upper|lower) )?rear|(?:upper|lower) (?:front|flat|unit|level)"
    r"|upstairs|upst|downstairs|general delivery|rural route|poste restante"
    r"|y\.?m\.?c\.?a|y\.?w\.?c\.?a)\.?(?= |$)"
    r"|^(?:upper|lower|front|basement|attic|cellar|garage)$"
    rf"|^(?:(?:(?:a|the|on a|on the) )(?:{'|'.join(_STREETS['town_holdings'])})"
    rf"|(?:(?:a|the|on|on a|on the) )?(?:{'|'.join(_STREETS['holdings'])}))"
    r"(?:$| (?:in|on|at|near)(?= |$))"
    rf"|^(?:{'|'.join(_STREETS['sides'])}) (?:{'|'.join(_STREETS['rooms'])})\.?$",
    re.I,
)
# "2 mi. N. of Harlan", "about three miles south of Dunn"
_DISTANCE = re.compile(
    rf"(?:(?:about|abt\.?|approx\.?|approximately|some|just) )?"
    rf"(?:(?P<number>\d{{1,2}})(?:[./]\d+)?|{'|'.join(english().ones[1:10])}|a|half a) "
    rf"(?:mi\.?|miles?|m\.|blocks?|km\.?) (?:due )?"
    rf"(?:(?:{'|'.join(_STREETS['directions'])})\b\.?|out|up|down|off|from|outside|beyond|past)"
    r"(?: of| from)?(?= )",
    re.I,
)
_CORNER = re.compile(r"(?:cor\.?|corner)(?: of)?(?= )|(?:rear|back|behind)(?: of)?(?= \d)", re.I)
_STAR_ROUTE = re.compile(r"star (?:route|rte?\.?)(?=$)", re.I)
_LANDMARK = re.compile(
    rf"(?:{'|'.join(_STREETS['beside'])}) the [^\W\d_]+"
    r"(?: [^\W\d_]+)?",
    re.I,
)
_CARE_OF = re.compile(r"(?:c/o|(?:in )?care of|℅|%)\.?:?(?= )", re.I)
_PART_LABELS = frozenset(english().labels["address_parts"])
_LABELS = frozenset(english().labels["address"])
_ALL_NUMBER_WORDS = frozenset(word for group in NUMBER_WORDS for word in group)


def read_address(value: str, options: Mapping[str, Any]) -> Address | None:
    """Read *value*; None if it is not an address, or if nothing in it would be replaced."""
    matches = list(_WORD.finditer(value))
    if not 0 < len(matches) <= _MOST_WORDS:
        return None
    pack = pack_of(options)
    words = [match.group() for match in matches]
    gaps = [value[: matches[0].start()]]
    gaps += [value[a.end() : b.start()] for a, b in pairwise(matches)]
    context = Context(
        atlas=load_atlas(pack),
        streets=load_street_lists(pack),
        locale=str(options.get("locale", "en_US")),
        capitals=value.isupper(),
        label=_label_before(options),
    )
    segments = _segments(words, gaps)
    labelled = sum(_bare_label(one) > 0 for one in segments) > 1  # not "City Island" alone
    parts = _read_segments(segments, replace(context, labelled=labelled))
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
    """Cut *words* at every gap that is more than one blank, or two in a text of wide blanks."""
    blank = [gap for gap in gaps[1:] if gap.isspace() and "\n" not in gap]
    double = blank.count("  ")
    wide = double >= _WIDE_BLANKS or 1 < double == len(blank)  # "rear  of  22  Hay  St."
    blanks = (" ", "  ") if wide else (" ",)
    starts = [at for at, gap in enumerate(gaps) if at == 0 or gap not in blanks]
    return [words[a:b] for a, b in zip(starts, [*starts[1:], len(words)], strict=True)]


def _is_plausible(part: Part) -> bool:
    """Return whether *part* is no longer than its kind can be, and a town has letters."""
    if part.kind == "town" and not re.search(r"[^\W\d_]", part.text):
        return False
    return part.size <= _MOST_WORDS_OF_PART.get(part.kind, _MOST_WORDS_OF_OTHERS)


def _read_segments(segments: list[list[str]], context: Context) -> Parts:
    for words, following in zip(segments, [*segments[1:], []], strict=True):
        context = replace(
            context,
            state_follows=any(context.atlas.state(" ".join(following[:size])) for size in (1, 2)),
            street_follows=len(following) > 1 and not following[0][0].isdigit(),
            lane_follows=bool(following) and is_lane(following, context),
        )
        context = replace(context.after(_read_segment(words, context)), label="")
    return context.before


def _read_segment(words: list[str], context: Context) -> Parts:
    label, at = context.label, 0
    parts: Parts = ()
    if context.labelled and (size := _bare_label(words)):
        label, at = " ".join(words[:size]).lower(), size
        parts = (kept_part("label", words[:size]),)
    while at < len(words):
        found = _read_next(words[at:], replace(context.after(parts), label=label))
        if found and found[0].kind == "label":
            label = re.sub(r"[^a-z]+", " ", found[0].text.lower()).strip()
        parts += found
        at += max(sum(part.size for part in found), 1)
    return parts


def _read_next(words: list[str], context: Context) -> Parts:
    """Read the parts that *words* begin with."""
    text = " ".join(words)
    if _PIN.fullmatch(text):
        return (zip_code(words),)
    if _LETTERED_HOUSE.fullmatch(text) and not context.before:
        return (read_house(words),)
    if label := _count_label(words):
        return (kept_part("label", words[:label]),)
    if found := _CORNER.match(text) or _STAR_ROUTE.match(text) or _ON_ROUTE.match(text):
        return (kept_part("corner" if found.re is _CORNER else "lead", found.group().split(" ")),)
    if care := _CARE_OF.match(text):
        return (_care_of(words, care.group().count(" ") + 1),)
    if rural := _RURAL_ROUTE.match(text) or (
        all(isinstance(part, Kept) for part in context.before) and _ROUTE.match(text)
    ):
        return (numbered_part("rural", rural),)
    if distance := _DISTANCE.match(text):
        return (_distance(distance),)
    if unit := _match_unit(words, context):
        return (_unit(unit),)
    if landmark := _LANDMARK.match(text):
        return (_landmark(landmark.group()),)
    return _street_or_place(words, context)


def _care_of(words: list[str], head: int) -> CareOf:
    """Read a person's name behind the first *head* words, up to a word with a digit."""
    end = next(
        (at for at in range(head + 1, len(words)) if any(char.isdigit() for char in words[at])),
        len(words),
    )
    name = " ".join(words[head:end])
    text = " ".join(words[:end])
    return CareOf("care", text, f"care of {folded(name)}", " ".join(words[:head]), name)


def _match_unit(words: Sequence[str], context: Context) -> "re.Match[str] | None":
    text = " ".join(words[:_LOOK_AHEAD])
    for pattern in (_UNIT, _FLOOR, _KEPT_UNIT):
        if found := pattern.match(text):
            return found
    return _LONE_FLOOR.match(text) or _SIDE.match(text) if context.has("street") else None


def _unit(found: "re.Match[str]") -> Part:
    text = found.group()
    if found.re is _KEPT_UNIT:
        return kept_part("unit", [text])
    if found.re not in (_FLOOR, _LONE_FLOOR):
        return numbered_part("unit", found)
    if not found[1][0].isdigit() and found[1].lower() not in ORDINALS:
        return kept_part("unit", [text])
    return Floor("unit", text, folded(text), found[1])


def _distance(found: "re.Match[str]") -> Part:
    """Read the distance of a home from a town: a number in digits changes, the rest stays."""
    text = found.group()
    if not found["number"] or int(found["number"]) == 1:  # "1 mile"
        return kept_part("distance", text.split(" "))
    start, end = found.span("number")
    return Numbered("distance", text, folded(text), start, end)


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


def _bare_label(words: Sequence[str]) -> int:
    """Count the first *words* that are a label without a colon and have an answer: "State NH"."""
    for size in (2, 1):
        if len(words) > size and " ".join(words[:size]).lower() in _PART_LABELS:
            return size
    return 0


def _street_or_place(words: list[str], context: Context) -> Parts:
    """Read a house, a street, a postcode or a place, up to the next unit or route."""
    end = _end_of_street(words, context)
    body = words[:end]
    last = end == len(words)
    spelled = _count_number_words(body)
    if spelled and (len(body) > spelled or context.street_follows):
        return read_house_and_street(body, spelled, last, context)
    if parts := read_postcode_and_town(body, context):
        return parts
    leads = is_direction(body[0]) or _NUMBER_WORD.fullmatch(body[0])
    if leads and len(body) > 2 and _is_house_number(body[1]):
        head = (kept_part("direction", body[:1]),)  # "W. 1124 Montgomery Ave.", "No. 9 Low Row"
        return head + read_house_and_street(body[1:], 1, last, context.after(head))
    if not _is_house_number(body[0]):
        return read_street_without_number(body, context)
    if len(body) == 1:
        return read_lone_postcode(body[0], context) or (read_house(body),)
    size = 2 if len(body) > 2 and _BEHIND_HOUSE.fullmatch(body[1]) else 1
    if size > 1 and len(body) > size + 1 and body[size].lower() == "of":
        size += 1  # "600 block of"
    return read_house_and_street(body, size, last, context)


def _is_house_number(word: str) -> bool:
    return bool(_HOUSE.fullmatch(word)) and not ORDINAL.fullmatch(word)


def _end_of_street(words: list[str], context: Context) -> int:
    """Return the index in *words* where the next unit, route or landmark begins."""
    for at in range(1, len(words)):
        text = " ".join(words[at : at + _LOOK_AHEAD])
        if _LANDMARK.match(text) or _CARE_OF.match(text) or _ON_ROUTE.match(text):
            return at
        behind_house = at == 1 and _HOUSE.fullmatch(words[0])
        is_road = plain(words[at]) == "rd" or behind_house or plain(words[at - 1]) in PUBLIC_ROADS
        if not is_road and _RURAL_ROUTE.match(text):
            return at
        floor = at > 2 and at == len(words) - 1 and not is_direction(words[at - 1])
        if floor and ORDINAL.fullmatch(words[at]):
            return at
        if found := _match_unit(words[at:], context):
            has_number = re.search(r"[\d#]", found.group())
            if behind_house and _BEHIND_HOUSE.fullmatch(words[at]):
                continue
            if not (found.re is _UNIT and not has_number and behind_house):
                return at
    return len(words)


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
