"""Addresses: where somebody lives, from one word to an envelope's six lines.

An address is read word by word into items: a house number and its street, a unit, a rural route, a
box, a town, a state, a postcode and so on. Each is drawn by what it says alone, so that the first
line of an address gets the same surrogate where it stands alone. Town, state and ZIP prefix belong
together: they come from one row of ``us_towns.tsv``, and so do those of other countries.

Of a house with three digits there are 899 numbers x 430 streets x 8 kinds of street x 570 towns,
1.7 thousand million addresses: *n* of them are all different but for a chance of ``n**2 / 3.5e9``,
0.35 percent for 3,500. A street without a number is one of 3,400, a town alone one of 570.

The option ``address`` is ``"plausible"`` or ``"nowhere"``. Nowhere are towns with invented names in
real states, ZIP prefixes that no town has, and house numbers from 97000 on (from 9700 where the
number stands behind the street), so that no geocoder finds the house. Streets, and towns and
postcodes abroad, stay plausible.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from presidio_cdip.pack.confusions import ROUND, digits
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Chance
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.places.places import (
    US,
    Atlas,
    PlaceForm,
    Town,
    atlas,
    cased,
    country_of,
    is_half,
    other,
    other_number,
    state_like,
    town_for,
)
from presidio_cdip.surrogates.writing.text import folded, mended

_WORD = re.compile(r"[^\s,;()]+")
_MOST_WORDS = 48
_MOST_OF_ITEM = {"town": 4, "street": 7}

_STREETS = english().streets
_DIGIT = rf"[\d{ROUND}]"
_NUMBER = re.compile(rf"(?=\D?\d|\D\D\d){_DIGIT}{{1,6}}")
_HOUSE = re.compile(rf"(?=\D{{0,2}}\d)#?{_DIGIT}{{1,6}}(?:[-/–]{_DIGIT}{{1,4}})?[A-Za-z]?")
_LATER_HOUSE = re.compile(r"\d{1,4}(?:[-/]\d{1,4})*[a-zA-Z]?|[A-Z]|\d/\d")
_LETTERED = re.compile(r"[A-Z]|\d{1,4}[A-Z]?")
_ORDINAL = re.compile(r"(\d{1,3})(st|nd|rd|th|d)", re.I)
_US_ZIP = re.compile(rf"(?=\D{{0,4}}\d){_DIGIT}{{5}}(?:-{_DIGIT}{{4}})?")
_ABROAD_ZIP = re.compile(rf"(?:([A-Z]{{1,3}})-)?({_DIGIT}{{4,5}}|\d{{4}}-\d{{3}}|\d\d-\d{{3}})")
_OUTWARD = re.compile(r"[A-Za-z]{1,2}\d{1,2}[A-Za-z]?")
_INWARD = re.compile(r"\d[A-Za-z]{2}")
_CANADIAN = re.compile(r"(?i)(?:[a-z]\d){3}")
_UK_LETTERS = "ABDEFGHJLNPQRSTUWXYZ"
_ABBREVIATED_SAINT = re.compile(r"(?i)st\.?")

_DIRECTIONS = frozenset(_STREETS["directions"])
_PUBLIC = frozenset(_STREETS["public_roads"])  # "County Road 12" is no rural route
_RURAL_HEAD = re.compile(
    r"(?:(?:rural|star)[ ](?:route|rt|rte|delivery)|r\.? ?f\.? ?d\.?|r\.? ?d\.?|r\.? ?r\.?|h\.?c\.?"
    r"|route|rte\.?|rt\.?|(?:p\.? ?o\.?|post office) ?(?:box|drawer|bx\.?)|box|bx\.?|drawer)"
    rf"(?: (?:no\.?|number))? #?({_DIGIT}*\d{_DIGIT}*[a-ce-z]?)(?= |$)",
    re.I,
)
_UNIT_WORDS = "|".join(_STREETS["units"])
_UNIT_HEAD = re.compile(
    rf"(?:(?:{_UNIT_WORDS})(?:[.:]? #? ?|[.:#])|apt|flat|lot|rm|ste|unit|#)"
    rf"((?=[{ROUND}]{{0,3}}\d){_DIGIT}{{1,4}}(?:[-/]?[a-z]|[-/]\d{{1,2}})?"
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
    r"|^(?:upper|lower|front|basement|attic|cellar|garage)$",
    re.I,
)
_BESIDE = re.compile(
    rf"(?:{'|'.join(_STREETS['beside'])}) the [^\W\d_]+"
    r"(?: [^\W\d_]+)?",
    re.I,
)
_CARE_OF = re.compile(r"(?:c/o|(?:in )?care of|℅|%)\.?:?(?= )", re.I)
_LABELS = frozenset(english().labels["address"])
_LEADS = frozenset(_STREETS["leads"])
# An address of other items alone is a place.
_HOLDS_ENOUGH = frozenset({
    "care", "house", "rural", "street", "town", "unit", "zip", "postcode",
})  # fmt: skip
_OF_PLACES = frozenset({"town", "area", "state", "country", "lead"})
_ORDINALS = _STREETS["floors"]
# Words that are drawn for one another.
_ONES, _TENS = english().ones, english().tens
_SPELLED = (
    _ONES[1:10], _ONES[10:18], _ONES[18:], _TENS, *((word,) for word in english().many),
    english().noughts[:1],
)  # fmt: skip
_SPELLED_WORDS = frozenset(word for group in _SPELLED for word in group)
# Whose towns a street of that language is in; by the digits of its postcode.
_LANDS = {
    "de": ("Germany", "Austria"), "nl": ("Netherlands", "Belgium"), "sv": ("Sweden", "Sweden"),
    "no": ("Norway", "Norway"), "fi": ("Finland", "Finland"), "fr": ("France", "Belgium"),
    "pt": ("Portugal", "Portugal"), "es": ("Spain", "Spain"), "it": ("Italy", "Italy"),
    "pl": ("Poland", "Poland"), "el": ("Greece", "Greece"), "sl": ("Slovenia", "Slovenia"),
    "hu": ("Hungary", "Hungary"), "be": ("Belarus", "Belarus"),
    "cy": ("United Kingdom", "United Kingdom"),
}  # fmt: skip
# Ends of English words and names, too: a street only before a number.
_RISKY_ENDS = frozenset({
    "ring", "rain", "steig", "damm", "gate", "vej", "tie", "ranta", "vest", "hof", "markt",
    "zeile", "str",
})  # fmt: skip


class _Words(NamedTuple):
    """The lists of streets.

    Attributes:
        types: Rows of English street words by every way of writing them.
        often: Those drawn for one another.
        names: English streets by number of words.
        before: Languages of the words that stand before a name: "rue".
        apart: Languages of those that stand apart after it: "Str."
        ends: (language, use, text) of those that end a word: "gasse".
        stems: Names by language and use.
        landmarks: What a home may stand by.
        invented: First and second parts of towns' names.
    """

    types: Mapping[str, Mapping[str, str]]
    often: tuple[Mapping[str, str], ...]
    names: Mapping[int, tuple[str, ...]]
    before: Mapping[str, str]
    apart: Mapping[str, str]
    ends: tuple[tuple[str, str, str], ...]
    stems: Mapping[tuple[str, str], tuple[str, ...]]
    landmarks: tuple[str, ...]
    invented: tuple[tuple[str, ...], tuple[str, ...]]


@lru_cache(maxsize=8)
def _lists(pack: Pack | None = None) -> _Words:
    known = atlas(pack)
    kinds = rows("street_words", pack)
    types: dict[str, Mapping[str, str]] = {}
    for row in kinds:
        types |= {name: row for name in (row["word"].lower(), *row["short"].lower().split())}
    names: dict[int, list[str]] = {}
    for name in terms("street_names", pack):
        low = folded(name).split()
        ends = [" ".join(low[at:]) for at in range(len(low))]
        if not any(known.known(end) or known.state(end) or end in types for end in ends):
            names.setdefault(len(low), []).append(name)
    abroad = rows("foreign_streets", pack)
    foreign = tuple(
        (row["language"], row["use"], folded(row["text"]))
        for row in abroad
        if row["kind"] == "word"
    )
    stems: dict[tuple[str, str], list[str]] = {}
    for row in abroad:
        if row["kind"] == "name":
            stems.setdefault((row["language"], row["use"]), []).append(row["text"])
    parts = rows("invented_towns", pack)
    return _Words(
        types=types,
        often=tuple(row for row in kinds if row["use"] == "often"),
        names={count: tuple(found) for count, found in names.items()},
        before={text: language for language, use, text in reversed(foreign) if use == "before"},
        apart={text: language for language, use, text in reversed(foreign) if use == "apart"},
        ends=tuple(
            sorted(
                (one for one in foreign if one[1] in ("joined", "ending")),
                key=lambda one: -len(one[2]),
            )
        ),
        stems={key: tuple(found) for key, found in stems.items()},
        landmarks=terms("landmarks", pack),
        invented=(
            tuple(row["first"] for row in parts),
            tuple(row["second"] for row in parts),
        ),
    )


class _Item(NamedTuple):
    """One thing in an address.

    Attributes:
        kind: "house", "street", "unit", "town" and so on.
        text: As written.
        normal: What it says.
        size: How many words it takes.
        write: The surrogate, by the draw of the address and its town.
        language: Of a street that is not English.
        kept: Whether the surrogate is the same.
    """

    kind: str
    text: str
    normal: str
    size: int
    write: "Callable[[Draw, Town], str]"
    language: str = ""
    kept: bool = False


@dataclass(slots=True)
class _Reader:
    """Reads the words of one segment after the other into items."""

    known: Atlas
    lists: _Words
    locale: str
    capitals: bool
    items: list[_Item]
    hint: str = ""
    next_is_state: bool = False
    next_is_street: bool = False
    house: str = ""

    def segment(self, words: list[str]) -> None:
        """Adds the items of *words*, which stand between commas, lines or wide blanks."""
        self.hint = ""
        at = 0
        while at < len(words):
            at += self._next(words[at:])

    def _next(self, words: list[str]) -> int:
        """Adds the items that *words* start with; how many words they take."""
        before = sum(item.size for item in self.items)
        text = " ".join(words)
        if label := _label(words):
            self.hint = _hint_of(" ".join(words[:label]))
            self._kept("label", words[:label])
        elif care := _CARE_OF.match(text):
            self._care_of(words, care.group().count(" ") + 1)
        elif rural := _RURAL_HEAD.match(text):
            self._numbered("rural", rural)
        elif (unit := self._unit_at(words, 0)) is not None:
            self._unit(unit)
        elif beside := _BESIDE.match(text):
            self._beside(beside.group())
        else:
            self._street_or_place(words)
        return max(sum(item.size for item in self.items) - before, 1)

    def _add(
        self,
        kind: str,
        words: Sequence[str],
        normal: str,
        write: "Callable[[Draw, Town], str]",
        language: str = "",
    ) -> None:
        self.items.append(_Item(kind, " ".join(words), normal, len(words), write, language))

    def _kept(self, kind: str, words: Sequence[str]) -> None:
        text = " ".join(words)
        item = _Item(kind, text, folded(text), len(words), lambda draw, town: text, kept=True)
        self.items.append(item)

    def _care_of(self, words: list[str], head: int) -> None:
        end = next(
            (at for at in range(head + 1, len(words)) if any(char.isdigit() for char in words[at])),
            len(words),
        )
        start, name = " ".join(words[:head]), " ".join(words[head:end])

        def write(draw: Draw, town: Town) -> str:
            from presidio_cdip.surrogates.values import names

            return f"{start} {names.person(draw.part('PERSON', folded(name)), name)}"

        self._add("care", words[:end], f"care of {folded(name)}", write)

    def _numbered(self, kind: str, found: "re.Match[str]") -> None:
        """A rural route, a box or a unit, whose number alone changes."""
        text, value = found.group(), found[1]
        start, end = found.start(1), found.end(1)
        normal = folded(text[:start]).replace("route", "rt") + " " + digits(value).lower()

        def write(draw: Draw, town: Town) -> str:
            new = _other_label(value, draw.part("UNIT", normal).chance)
            return text[:start] + new + text[end:]

        self._add(kind, text.split(" "), normal, write)

    def _unit_at(self, words: list[str], at: int) -> "re.Match[str] | None":
        text = " ".join(words[at : at + 4])
        for pattern in (_UNIT_HEAD, _FLOOR, _KEPT_UNIT):
            if found := pattern.match(text):
                return found
        return _SIDE.match(text) if self._seen("street") else None

    def _unit(self, found: "re.Match[str]") -> None:
        if found.re is _KEPT_UNIT:
            self._kept("unit", found.group().split(" "))
        elif found.re is not _FLOOR:
            self._numbered("unit", found)
        elif not found[1][0].isdigit() and found[1].lower() not in _ORDINALS:
            self._kept("unit", found.group().split(" "))
        else:
            text, floor = found.group(), found[1]

            def write(draw: Draw, town: Town) -> str:
                return (
                    _other_floor(floor, draw.part("UNIT", folded(text)).chance) + text[len(floor) :]
                )

            self._add("unit", text.split(" "), folded(text), write)

    def _beside(self, text: str) -> None:
        head, thing = re.split(r"(?<= the) ", text, maxsplit=1, flags=re.I)

        def write(draw: Draw, town: Town) -> str:
            chance = draw.part("LANDMARK", folded(thing)).chance
            new = other(chance, self.lists.landmarks, lambda name: name == folded(thing))
            return f"{head} {cased(thing, str(new))}"

        self._add("landmark", text.split(" "), folded(text), write)

    def _seen(self, *kinds: str) -> bool:
        return any(item.kind in kinds for item in self.items)

    def _street_or_place(self, words: list[str]) -> None:
        end = self._end(words)
        body = words[:end]
        spelled = _spelled(body)
        if spelled and (len(body) > spelled or self.next_is_street):
            self._house(body[:spelled])
            self._street_then_place(body[spelled:], last=end == len(words))
        elif self._postcode_first(body):
            return
        elif _HOUSE.fullmatch(body[0]) and not _ORDINAL.fullmatch(body[0]):
            size = 2 if len(body) > 2 and re.fullmatch(r"\d/\d", body[1]) else 1
            if len(body) == 1 and self._zip_alone(body[0]):
                return
            self._house(body[:size])
            if len(body) > size:
                self._street_then_place(body[size:], last=end == len(words))
        else:
            self._words(body)

    def _end(self, words: list[str]) -> int:
        """Where the next unit, route or thing beside starts in *words*."""
        for at in range(1, len(words)):
            text = " ".join(words[at : at + 4])
            if _BESIDE.match(text) or _CARE_OF.match(text):
                return at
            road = _low(words[at]) == "rd" or (at == 1 and _HOUSE.fullmatch(words[0]))
            road = road or _low(words[at - 1]) in _PUBLIC
            if not road and _RURAL_HEAD.match(text):
                return at
            if (found := self._unit_at(words, at)) and not (
                found.re is _UNIT_HEAD
                and not re.search(r"[\d#]", found.group())
                and at == 1
                and _HOUSE.fullmatch(words[0])
            ):
                return at
        return len(words)

    def _house(self, words: Sequence[str]) -> None:
        text = " ".join(words)
        normal = digits(text).lower() if re.search(r"\d", text) else folded(text)
        self._add("house", words, normal, lambda draw, town: _other_house(text, normal, draw))

    def _zip_alone(self, word: str) -> bool:
        asked = "zip" in self.hint or "post" in self.hint
        if asked or (_US_ZIP.fullmatch(word) and (self.items or not self.next_is_street)):
            self._zip([word])
            return True
        if _OUTWARD.fullmatch(word) and not word[0].isdigit():
            self._uk([word])
            return True
        return False

    def _postcode_first(self, words: list[str]) -> bool:
        """Adds a postcode with its town behind it, as on the Continent; False if there is none."""
        size = 1
        if len(words) > 2 and re.fullmatch(r"\d{3}", words[0]) and re.fullmatch(r"\d\d", words[1]):
            size = 2
        found = _ABROAD_ZIP.fullmatch("".join(words[:size]))
        rest = words[size:]
        if not found or not rest or not any(char.isalpha() for char in rest[0]):
            return False
        if len(rest) > 1 and re.fullmatch(r"[A-Z]{2}", rest[0]) and len(found[2]) == 4:
            size += 1  # 1016 GV Amsterdam
            rest = words[size:]
        place = folded(" ".join(rest))
        if not (
            found[1]
            or "-" in words[0]
            or size == 2
            or self._seen("street", "house")
            or "city" in self.hint
            or (place in self.known.foreign and place not in self.known.american)
            or (words[0][0] == "0" and not self._english_street(rest))
        ):
            return False
        if self._english_street(rest) and not found[1]:
            return False
        self._zip(words[:size])
        self._place(rest)
        return True

    def _english_street(self, words: Sequence[str]) -> bool:
        row = self.lists.types.get(_low(words[-1]))
        return len(words) > 1 and row is not None and row["use"] != "after"

    def _street_then_place(self, words: list[str], last: bool) -> None:
        """The street that a house number was before, and the town behind it."""
        if words and (foreign := self._foreign(words, numbered=True)):
            self._add("street", words, folded(" ".join(words)), *foreign)
            return
        size = self._street_size(words, last)
        self._street(words[:size])
        if size < len(words):
            self._place(words[size:])

    def _street_size(self, words: list[str], last: bool) -> int:
        """How many of *words*, which a house number was before, are its street."""
        end = len(words)
        zipped = False
        if last and end > 1 and (_US_ZIP.fullmatch(words[-1]) or _uk_size(words)):
            zipped = True
            end -= _uk_size(words) or 1
        typed = self._type_at(words[:end])
        for size in (3, 2, 1):
            if last and end - size >= 1 and self.known.state(" ".join(words[end - size : end])):
                rest = words[: end - size]
                before = self._type_at(rest) or self._town_size(rest)
                if size == 1 and _low(words[end - 1]) in self.lists.types:
                    is_state = bool(before) and (zipped or self._is_code(words[end - 1]))
                else:
                    is_state = bool(before) or zipped
                if is_state:
                    end -= size
                    zipped = True
                    typed = self._type_at(words[:end])
                    break
        if typed:
            return typed
        if zipped and end > 1:
            return end - (self._town_size(words[:end]) or 1)
        return self._type_at(words[:end], weak=True) or end

    def _town_size(self, words: Sequence[str]) -> int:
        """How many of the last *words* are a known US town, of less than all of them."""
        for size in (3, 2, 1):
            if len(words) > size and folded(" ".join(words[-size:])) in self.known.american:
                return size
        return 0

    def _type_at(self, words: Sequence[str], weak: bool = False) -> int:
        """How many of *words* the street takes up to its last "Street" or the like; 0 if none."""
        first = 1 if words and not _is_direction(words[0]) else 2
        if lettered := self._named_by_letter(words) if words else 0:
            return lettered
        for at in range(len(words) - 1, first - 1, -1):
            row = self.lists.types.get(_low(words[at]))
            if row is None or (row["use"] == "after" and not weak):
                continue
            saint = _ABBREVIATED_SAINT.fullmatch(words[at]) and at + 1 < len(words)
            if saint and self._type_at(words[:at]):
                continue
            end = at + 1
            if end < len(words) and _is_direction(words[end]):
                end += 1
            return end
        return 0

    def _named_by_letter(self, words: Sequence[str]) -> int:
        """How many of *words* are a road as "Avenue F" and "Highway 12 South" are."""
        at = 1 if _low(words[0]) in _PUBLIC else 0
        if len(words) < at + 2 or not _LETTERED.fullmatch(words[at + 1]):
            return 0
        row = self.lists.types.get(_low(words[at]))
        if not (row["use"] != "after" if row else _low(words[at]) in ("route", "rte", "rt")):
            return 0
        more = words[at + 2 : at + 3]
        return at + 2 + bool(more and _is_direction(more[0]))

    def _street(self, words: list[str]) -> None:
        """A street in English."""
        if self._named_by_letter(words) == len(words):
            at = next(at for at in range(1, len(words)) if _LETTERED.fullmatch(words[at]))
            label = words[at]
            normal = folded(" ".join(words))

            def write_letter(draw: Draw, town: Town) -> str:
                new = _other_label(label, draw.part("STREET", normal).chance)
                return " ".join([*words[:at], new, *words[at + 1 :]])

            self._add("street", words, normal, write_letter)
            return
        start = 1 if len(words) > 1 and _is_direction(words[0]) else 0
        end = len(words)
        if end > start + 1 and _is_direction(words[-1]):
            end -= 1
        row = self.lists.types.get(_low(words[end - 1])) if end > start + 1 else None
        stop = end - 1 if row else end
        name = " ".join(words[start:stop])
        head, tail = words[:start], words[end:]
        kind = words[end - 1] if row else ""
        key = folded(name)
        sides = [_low(word)[0] for word in (*head, *tail)]
        normal = " ".join([*sides, key, row["word"].lower()] if row else [*sides, key])

        def write(draw: Draw, town: Town) -> str:
            chance = draw.part("STREET", key).chance
            new = [*head, _other_street(name, key, chance, self.lists)]
            if row:
                new.append(_other_type(kind, row, chance, self.lists))
            return " ".join([*new, *tail])

        self._add("street", words, normal, write)

    def _words(self, words: list[str]) -> None:
        """A street without a house number before it, or a place."""
        count = len(words)
        behind = bool(self.items) and self.items[-1].kind == "street"
        if behind and count == 1 and _is_direction(words[0]):
            self._kept("direction", words)
            return
        houses = count
        while houses > 1 and _LATER_HOUSE.fullmatch(words[houses - 1]):
            houses -= 1
        if houses < count and not words[houses][0].isdigit():
            houses = count
        if (foreign := self._foreign(words[:houses], numbered=houses < count)) and not (
            houses < count and len(words[houses]) > 4
        ):
            name = words[:houses]
            self._add("street", name, folded(" ".join(name)), *foreign)
            if houses < count:
                self._house(words[houses:])
            return
        number = words[-1]
        if houses < count and not self._is_zone(words) and not _US_ZIP.fullmatch(number):
            if _uk_size(words):
                self._place(words)
            elif words[0].islower() and houses == 1 and words[0] in ("house", "villa", "plot"):
                self._numbered_word(words)
            elif self._named_by_letter(words) == count:
                self._street(words)
            else:
                self._street(words[:houses])
                self._house(words[houses:])
            return
        if lettered := self._named_by_letter(words):
            self._street(words[:lettered])
            if lettered < count:
                self._place(words[lettered:])
            return
        size = 0 if self._town_and_state(words) else self._type_at(words)
        if size and size == count and not self.known.american.get(folded(" ".join(words))):
            self._street(words)
        elif size and not self.known.state(words[size - 1]) and not self._town_starts(words, size):
            self._street(words[:size])
            self._place(words[size:])
        else:
            self._place(words)

    def _town_and_state(self, words: list[str]) -> bool:
        """Whether the last of *words* is a state rather than a street's word: SELMA AL."""
        if len(words) < 2 or not self.known.state(words[-1]):
            return False
        return self._is_code(words[-1]) or folded(" ".join(words[:-1])) in self.known.american

    def _is_code(self, word: str) -> bool:
        """Whether *word* is in capitals that its surroundings are not in, as a state's code is."""
        return len(word) == 2 and word.isupper() and not self.capitals

    def _town_starts(self, words: list[str], size: int) -> bool:
        return folded(" ".join(words[: size + 1])) in self.known.american or size > 4

    def _numbered_word(self, words: list[str]) -> None:
        text = " ".join(words)
        found = re.match(r"\w+ (.+)", text)
        if found:
            self._numbered("unit", found)

    def _is_zone(self, words: list[str]) -> bool:
        """Whether *words* end in an old postal zone: Louisville 5."""
        if not re.fullmatch(rf"{_DIGIT}{{1,2}}", words[-1]) or len(words) < 2:
            return False
        town = self.known.known(" ".join(words[:-1]), self.locale)
        return town is not None or self.next_is_state or self._seen("street", "house")

    def _foreign(
        self, words: list[str], numbered: bool
    ) -> "tuple[Callable[[Draw, Town], str], str] | None":
        """How to write a street in another language, and which; None where it is none."""
        lists = self.lists
        first = folded(words[0])
        text = " ".join(words)
        key = folded(text)
        english = lists.types.get(first.strip("."))
        language = lists.before.get(first)
        french = (
            len(words) > 1
            and not _LETTERED.fullmatch(words[1])
            and words[1].lower() not in ("of", "the", "at")
            and _low(words[-1]) not in lists.types
        )
        if language and len(words) > 1 and (not english or french) and not (
            first in ("route", "cours", "via") and words[1][0].isdigit()
        ):  # fmt: skip
            head, rest, use = words[0] + " ", " ".join(words[1:]), "before"
            return self._stem(language, use, head, rest, "", key), language
        last = folded(words[-1])
        language = lists.apart.get(last)
        if language and len(words) > 1 and not lists.types.get(last) and last not in ("hof",):
            rest = " ".join(words[:-1])
            return self._stem(language, "apart", "", rest, " " + words[-1], key), language
        if key in self.known.american or self.known.state(key) or self.known.country(key):
            return None
        for language, use, end in lists.ends:
            if not (last.endswith(end.strip(".")) and len(last) > len(end) + 1):
                continue
            if not numbered and (use == "ending" or end.strip(".") in _RISKY_ENDS):
                continue
            if last in self.known.foreign:
                continue
            word = words[-1]
            if use == "ending":
                return self._stem(language, use, "", word, "", last), language
            cut = _cut(word, end)
            return self._stem(language, use, "", word[:cut], word[cut:], last), language
        return None

    def _stem(
        self, language: str, use: str, head: str, name: str, tail: str, key: str
    ) -> "Callable[[Draw, Town], str]":
        stems = self.lists.stems[language, use]
        own = folded(name)

        def write(draw: Draw, town: Town) -> str:
            chance = draw.part("STREET", key).chance
            new = other(chance, stems, lambda stem: folded(stem) == own)
            return head + (cased(name, new) if name.isupper() or name.islower() else new) + tail

        return write

    def _place(self, words: list[str]) -> None:
        """A town, with what stands behind it: its zone, state, country and postcode."""
        if len(words) > 1 and words[0].lower() in _LEADS and not _US_ZIP.fullmatch(words[1]):
            self._kept("lead", words[:1])
            words = words[1:]
        after: list[tuple[str, list[str]]] = []
        words = list(words)
        while words:
            kind, size = self._last(words, bool(after))
            if not kind:
                break
            after.insert(0, (kind, words[-size:]))
            words = words[:-size]
        if words:
            self._area_or_town(words)
        for kind, found in after:
            if kind == "zip":
                self._zip(found)
            elif kind == "uk":
                self._uk(found)
            elif kind == "state":
                self._state(found)
            elif kind == "country":
                self._country(found)
            else:
                self._zone(found)

    def _last(self, words: list[str], more: bool) -> tuple[str, int]:
        """What the last of *words* are, and how many of them."""
        if size := _uk_size(words):
            return "uk", size
        asked = "zip" in self.hint and _NUMBER.match(words[-1])
        if asked or _US_ZIP.fullmatch(words[-1]) or re.fullmatch(r"\d{6}", words[-1]):
            return "zip", 1
        if len(words) > 1 and _NUMBER.fullmatch(words[-1]) and len(words[-1]) < 3:
            return "zone", 1
        for size in (3, 2, 1):
            if len(words) < size:
                continue
            text = " ".join(words[-size:])
            is_all = len(words) == size
            if is_all and (self.next_is_state or self._is_town(text, more)):
                return "", 0
            if not is_all and is_half(words, size, self.known):
                continue
            county = _low(text) == "co" and text != "CO" and not more
            if self.known.state(text) and not county:
                return "state", size
            if self.known.country(text) and (len(text) > 2 or "country" in self.hint):
                return "country", size
        return "", 0

    def _is_town(self, text: str, more: bool) -> bool:
        """Whether *text*, a state's or a country's name too, is a town here."""
        if more or self._seen("town") or "state" in self.hint:
            return False
        return len(text) > 2 and "." not in text and folded(text) in self.known.american

    def _zip(self, words: Sequence[str]) -> None:
        text = " ".join(words)
        if not re.search(r"[A-Z]{2}$|^[A-Z]{1,3}-", text):
            text = digits(text)
        normal = text.lower()
        self._add("zip", words, normal, lambda draw, town: _other_zip(text, draw, town, self.known))

    def _uk(self, words: Sequence[str]) -> None:
        text = " ".join(words)
        normal = text.lower().replace(" ", "")
        self._add("postcode", words, normal, lambda draw, town: _other_uk(text, normal, draw, town))

    def _state(self, words: Sequence[str]) -> None:
        text = " ".join(words)
        name = self.known.state_rows[self.known.state(text)]["name"].lower()

        def write(draw: Draw, town: Town) -> str:
            return state_like(text, town.state, self.known, self.capitals) if town.state else text

        self._add("state", words, name, write)

    def _country(self, words: Sequence[str]) -> None:
        text = " ".join(words)
        name = folded(self.known.country(text))

        def write(draw: Draw, town: Town) -> str:
            same = name in (folded(town.country), folded(town.old))
            return text if same else cased(text, town.country)

        self._add("country", words, name, write)

    def _zone(self, words: Sequence[str]) -> None:
        text = digits(" ".join(words))

        def write(draw: Draw, town: Town) -> str:
            return other_number(text, draw.part("ZONE", text).chance)

        self._add("zone", words, text, write)

    def _area_or_town(self, words: Sequence[str]) -> None:
        text = " ".join(words)
        key = folded(text)
        last = folded(words[-1])
        if len(words) > 1 and last in ("township", "twp", "county", "co", "parish", "borough"):
            stem = " ".join(words[:-1])
            own = folded(stem)

            def write_area(draw: Draw, town: Town) -> str:
                chance = draw.part("COUNTY", own).chance
                new = other(chance, self.known.counties, lambda name: folded(name) == own)
                return f"{cased(stem, new)} {words[-1]}"

            self._add("town", words, f"{own} {last}", write_area)
            return
        stop = "." if text.endswith(".") and text.count(".") == 1 else ""
        short = len(re.findall(r"[^\W\d_]", text)) < 4 and not self.capitals
        model = text.title() if short and text.isupper() else mended(text)
        if key in self.known.regions and self._seen("town"):
            self._add("area", words, key, lambda draw, town: cased(text, town.region or town.name))
            return

        def write(draw: Draw, town: Town) -> str:
            return cased(model, town.name) + stop

        self._add("town", words, key, write)


class AddressForm:
    """An address of up to 48 words, from one street or town to a whole envelope."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Its items, in order; None where nothing would change, or it is no address."""
        found = _read(value, options)
        if found is None:
            return None
        reader, items, seams = found
        if not any(item.kind in _HOLDS_ENOUGH for item in items):
            return PlaceForm().read(value, options)
        known, lists = reader.known, reader.lists
        governing = _governing(items)
        country = _country_of(items, governing, known, reader.locale)
        # Without a street, nothing in its way of writing tells the country.
        bare = country != US and all(item.kind in _OF_PLACES for item in items)
        if bare and (place := PlaceForm().read(value, options)):
            return place
        form = "".join(_seam(seam) + item.kind for seam, item in zip(seams, items, strict=False))
        normal = ", ".join(f"{item.kind} {item.normal}" for item in items if item.kind != "label")
        nowhere = options.get("address") == "nowhere"

        def write(draw: Draw) -> str:
            home = town_for(draw, governing, country, known)
            if nowhere:
                home = _invented(home, draw.part("PLACE", governing).chance, known, lists)
            written: list[str] = []
            for at, (seam, item) in enumerate(zip(seams, items, strict=False)):
                town = home
                if item.kind == "town" and item.normal != governing:
                    town = town_for(draw, item.normal, country, known)
                    if nowhere:
                        chance = draw.part("PLACE", item.normal).chance
                        town = _invented(town, chance, known, lists)
                if item.kind == "house":
                    first = at + 1 < len(items) and items[at + 1].kind == "street"
                    street = items[at + 1 if first else at - 1].normal if len(items) > 1 else ""
                    lowest = (97000 if first else 9700) if nowhere else 0
                    new = _other_house(item.text, f"{item.normal} {street}", draw, lowest)
                else:
                    new = item.write(draw, town)
                written += (seam, new)
            return "".join(written) + seams[-1]

        return Reading(form, normal, write)


class PlainAddress:
    """Any text: a house number and a street; of several lines, units and a town below them."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Every value reads."""
        lists, known = _lists(options.get("pack")), atlas(options.get("pack"))
        breaks = re.findall(r"[^\S\n]*\n\s*", value)
        normal = folded(value)
        nowhere = options.get("address") == "nowhere"
        units = "\nunit" * (len(breaks) - 1)
        form = "house street" + (f"{units}\ntown,state zip" if breaks else "")

        def write(draw: Draw) -> str:
            chance = draw.chance
            number = chance.between(97000, 99999) if nowhere else chance.between(11, 989)
            street = f"{chance.choice(lists.names[1])} {chance.choice(lists.often)['word']}"
            lines = [f"{number} {street}"]
            if breaks:
                lines += [f"Unit {chance.between(1, 99)}" for _ in breaks[1:]]
                town = town_for(draw, normal, US, known)
                if nowhere:
                    town = _invented(town, chance, known, lists)
                state = known.state_rows[town.state]["name"]
                lines.append(f"{town.name}, {state} {town.postcode}{chance.between(10, 99)}")
            return "".join(line + gap for line, gap in zip(lines, [*breaks, ""], strict=True))

        return Reading(form, normal, write)


def _read(value: str, options: Mapping[str, Any]) -> tuple[_Reader, list[_Item], list[str]] | None:
    """The items of *value*, and what stands before each and behind the last."""
    pack = options.get("pack")
    known, lists = atlas(pack), _lists(pack)
    matches = list(_WORD.finditer(value))
    if not 0 < len(matches) <= _MOST_WORDS:
        return None
    words = [match.group() for match in matches]
    seams = [value[: matches[0].start()]]
    seams += [value[a.end() : b.start()] for a, b in pairwise(matches)]
    starts = [at for at, seam in enumerate(seams) if at == 0 or seam != " "]
    segments = [words[a:b] for a, b in zip(starts, [*starts[1:], len(words)], strict=True)]
    capitals = value.isupper()
    reader = _Reader(known, lists, str(options.get("locale", "en_US")), capitals, [])
    for at, segment in enumerate(segments):
        following = segments[at + 1] if at + 1 < len(segments) else []
        reader.next_is_state = any(known.state(" ".join(following[:size])) for size in (1, 2))
        reader.next_is_street = len(following) > 1 and not following[0][0].isdigit()
        reader.segment(segment)
    if sum(item.size for item in reader.items) != len(words):
        return None
    if all(item.kept for item in reader.items):
        return None
    if any(item.kind == "town" and not re.search(r"[^\W\d_]", item.text) for item in reader.items):
        return None
    if any(item.size > _MOST_OF_ITEM.get(item.kind, 9) for item in reader.items):
        return None
    at, item_seams = 0, []
    for item in reader.items:
        item_seams.append(seams[at])
        at += item.size
    item_seams.append(value[matches[-1].end() :])
    return reader, reader.items, item_seams


def _governing(items: Sequence[_Item]) -> str:
    """What the town of the address is drawn by: its name, or what else tells where it is."""
    for kind in ("town", "zip", "postcode", "state", "country"):
        found = [item.normal for item in items if item.kind == kind]
        if found:
            return found[-1]
    return ""


def _country_of(items: Sequence[_Item], governing: str, known: Atlas, locale: str) -> str:
    """The country whose towns stand for those of *items*."""
    by_kind = {item.kind: item for item in reversed(items)}
    if "country" in by_kind:
        name = by_kind["country"].normal
        return next((country for key, country in known.countries.items() if key == name), US)
    if "state" in by_kind:
        return US
    if "postcode" in by_kind:
        canadian = _CANADIAN.fullmatch(by_kind["postcode"].normal)
        return "Canada" if canadian else "United Kingdom"
    if "area" in by_kind:
        return known.regions[by_kind["area"].normal]
    postcode = by_kind["zip"].normal if "zip" in by_kind else ""
    code = re.match(r"[a-z]+(?=-)", postcode)
    if code and code.group().upper() in known.codes:
        return known.codes[code.group().upper()]
    town = known.known(governing, locale)
    if town and (town.country != US or not postcode or items[-1].kind == "zip"):
        return town.country
    language = next((item.language for item in items if item.language), "")
    if language in _LANDS:
        return _LANDS[language][len(re.sub(r"\D", "", postcode)) == 4]
    found = country_of(by_kind["town"].text if "town" in by_kind else "", known, locale)
    if found != US or not postcode or re.fullmatch(r"\d{5}(?:-\d{4})?", postcode):
        return found
    return "Netherlands" if postcode[-1].isalpha() else ""


def _invented(town: Town, chance: Chance, known: Atlas, lists: _Words) -> Town:
    """A town that there is not in the state of *town*; abroad, *town* itself."""
    if not town.state:
        return town
    name = chance.choice(lists.invented[0]) + chance.choice(lists.invented[1])
    return town._replace(name=name, postcode=known.state_rows[town.state]["zip_unused"])


def _other_street(name: str, key: str, chance: Chance, lists: _Words) -> str:
    """Another street's name than *name*; of as many words, and of another number."""
    if found := _ORDINAL.fullmatch(name):
        return _ordinal(other_number(found[1], chance), found[2])
    if re.fullmatch(rf"{_DIGIT}+", name) and re.search(r"\d", name):
        return other_number(digits(name), chance)
    names = lists.names.get(key.count(" ") + 1) or lists.names[2]
    new = other(chance, names, lambda other_name: other_name.lower() == key)
    return cased(mended(name), new)


def _other_type(written: str, row: Mapping[str, str], chance: Chance, lists: _Words) -> str:
    """Another kind of street in the style of *written*; the same where it is a rare one."""
    if row["use"] != "often":
        return written
    new = chance.choice(lists.often)
    bare = written.rstrip(".")
    if mended(bare).lower() == row["word"].lower():
        return cased(mended(bare), new["word"])
    return cased(bare if len(bare) > 1 else "St", new["short"].split()[0]) + written[len(bare) :]


def _other_house(text: str, key: str, draw: Draw, lowest: int = 0) -> str:
    """Another number than *text* of as many digits; in words, if it is in words.

    Args:
        text: As written.
        key: The number and the street.
        draw: Of the address.
        lowest: What the first number is drawn from; 0 for a plausible one.
    """
    chance = draw.part("HOUSE", key).chance
    if not re.search(r"\d", text):
        return re.sub(r"[^\W\d_]+", lambda word: _other_word(word.group(), chance), text)
    clean = re.sub(rf"[{ROUND}](?=[\d{ROUND}/-]|$)|(?<=\d)[{ROUND}](?=[\d{ROUND}])", _digit, text)
    first = True

    def change(found: "re.Match[str]") -> str:
        nonlocal first
        if found.group()[0].isalpha():
            return _other_letter(found.group(), chance)
        if first and lowest:
            first = False
            return str(chance.between(lowest, 10 ** len(str(lowest)) - 1))
        first = False
        return (
            found.group()
            if found.group() in ("1/2", "1/4")
            else other_number(found.group(), chance)
        )

    return re.sub(r"(?<= )1/[24]|\d+|(?<![A-Za-z])[A-Za-z](?![A-Za-z])", change, clean)


def _digit(found: "re.Match[str]") -> str:
    return digits(found.group())


def _other_word(word: str, chance: Chance) -> str:
    for group in _SPELLED:
        if word.lower() in group:
            return cased(word, other(chance, group, lambda new: new == word.lower()))
    return word


def _other_letter(letter: str, chance: Chance) -> str:
    new = other(chance, "ABCEFG", lambda found: found == letter.upper())
    return new.lower() if letter.islower() else new


def _other_label(label: str, chance: Chance) -> str:
    """Another unit's number: its digits and letters change.

    >>> _other_label("6-C", Chance(bytes(32)))
    '9-E'
    """
    clean = re.sub(rf"[{ROUND}](?=[\d{ROUND}])|(?<=\d)[{ROUND}]", _digit, label)
    return re.sub(
        r"\d+|[A-Za-z]",
        lambda found: (
            _other_letter(found.group(), chance)
            if found.group().isalpha()
            else other_number(found.group(), chance)
        ),
        clean,
    )


def _other_floor(floor: str, chance: Chance) -> str:
    if found := _ORDINAL.fullmatch(floor):
        numbers = "23" if len(found[2]) == 1 else "123456789"
        return _ordinal(other(chance, numbers, lambda new: new == found[1]), found[2])
    return cased(floor, other(chance, _ORDINALS, lambda new: new == floor.lower()))


def _ordinal(number: str, model: str) -> str:
    """*number* as an ordinal, with the capitals and the short "2d" of *model*."""
    last = number[-1]
    end = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(last, "th")
    if model.lower() == "d" and end in ("nd", "rd"):
        end = "d"
    return number + (end.upper() if model.isupper() else end)


def _other_zip(text: str, draw: Draw, town: Town, known: Atlas) -> str:
    """A postcode of *town* with the marks and blanks of *text*, in as many digits."""
    chance = draw.part("ZIP", text.lower()).chance
    count = sum(char.isdigit() for char in text)
    start = town.postcode if town.postcode.isdigit() and len(town.postcode) < count else ""
    own = re.sub(r"\D", "", text)
    while True:
        new = start + "".join(str(chance.below(10)) for _ in range(count - len(start)))
        if new != own and (start or new[0] != "0" or own[0] == "0"):
            break
    drawn = iter(new)
    text = re.sub(r"\d", lambda _: next(drawn), text)
    return re.sub(r"(?<= )[A-Z]{2}$", lambda found: _other_label(found.group(), chance), text)


def _other_uk(text: str, normal: str, draw: Draw, town: Town) -> str:
    """A British postcode of *town*'s area, with as many digits as *text* and its blank."""
    chance = draw.part("ZIP", normal).chance
    area = town.postcode if town.postcode.isalpha() else "LE"
    found = re.match(r"[A-Za-z]+(\d+)[A-Za-z]??( ?)((?:\d[A-Za-z]{2})?)$", text)
    if not found:
        return _other_label(text, chance)
    while True:
        district = chance.between(10, 28) if len(found[1]) > 1 else chance.between(1, 9)
        new = f"{area}{district}{found[2]}"
        if found[3]:
            new += f"{chance.below(10)}{chance.choice(_UK_LETTERS)}{chance.choice(_UK_LETTERS)}"
        if new.lower() != text.lower():
            return new.lower() if text.islower() else new


def _uk_size(words: Sequence[str]) -> int:
    """How many of the last *words* are a British or Canadian postcode."""
    if len(words) > 1 and _INWARD.fullmatch(words[-1]) and _OUTWARD.fullmatch(words[-2]):
        return 2
    if len(words) > 1 and _CANADIAN.fullmatch(words[-2] + words[-1]):
        return 2
    if re.fullmatch(r"(?i)[a-z]{1,2}\d{1,2}(?:\d[a-z]{2})?", words[-1]):
        return 1
    return 0


def _label(words: Sequence[str]) -> int:
    """How many of the first *words* are a form's label: "zip_city:"."""
    for size in (1, 2, 3):
        if len(words) >= size and words[size - 1].endswith(":"):
            names = re.split(r"[\s_/]+", " ".join(words[:size]).rstrip(":").lower())
            return size if all(name in _LABELS for name in names) else 0
    return 0


def _spelled(words: Sequence[str]) -> int:
    """How many of the first *words* are a number in words, of two words or before a street."""
    count = parts = 0
    for word in words:
        found = word.lower().split("-")
        if not all(part in _SPELLED_WORDS for part in found):
            break
        count += 1
        parts += len(found)
    return count if parts > 1 else 0


def _low(word: str) -> str:
    """*word* as the lists of streets have it."""
    return mended(word).lower().strip(".,:")


def _is_direction(word: str) -> bool:
    return _low(word).replace(".", "") in _DIRECTIONS


def _hint_of(text: str) -> str:
    """The letters of a label."""
    return re.sub(r"[^a-z]+", " ", text.lower()).strip()


def _cut(word: str, end: str) -> int:
    """Where the *end* of a street starts in *word*, whatever its accents."""
    size = len(end.rstrip("."))
    if word.lower().endswith("straße"):
        size = 6
    bare = word.rstrip(".")
    return len(bare) - size


def _seam(separator: str) -> str:
    if "\n" in separator or "\f" in separator:
        return "\n"
    if re.search(r"[,;()]", separator):
        return ","
    return " " if separator == " " else "  " if separator else ""


def state_of(value: str) -> str | None:
    """The US state or the country that *value* lies in, spelled out, if that is known."""
    found = _read(value.strip(), {})
    if found is None:
        return None
    reader, items, _ = found
    known = reader.known
    for item in items:
        if item.kind == "state":
            return known.state_rows[known.state(item.text)]["name"]
    governing = _governing(items)
    country = _country_of(items, governing, known, reader.locale)
    if any(item.kind in ("country", "postcode") for item in items):
        return country
    town = known.known(governing)
    if town and town.country == US and country == US:
        return known.state_rows[town.state]["name"]
    if country != US and (town or any(item.language for item in items)):
        return country
    return None


FORMS: tuple[Form, ...] = (AddressForm(), PlainAddress())
