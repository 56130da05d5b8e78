"""Draw surrogates of ages in digits, words and decades, which agree with moved births and dates."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from presidio_cdip.pack.confusions import ANY, LIKELY, ROUND, digits
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.dates.counted import (
    counted_age,
    counted_days,
    counted_months,
    counted_parts,
)
from presidio_cdip.surrogates.dates.shifts import age_offset
from presidio_cdip.surrogates.drawing.chance import Drawn
from presidio_cdip.surrogates.drawing.context import context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, LineByLine, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, terms
from presidio_cdip.surrogates.drawing.table import surrogate_of_part
from presidio_cdip.surrogates.writing import spelled
from presidio_cdip.surrogates.writing.damage import damaged_like
from presidio_cdip.surrogates.writing.text import cased_like, folded
from presidio_cdip.surrogates.writing.tokens import GAP, Token, tokenize

_OLDEST = 130  # years; a greater number is not an age
_STAGES = ((1, 17), (18, 89), (90, _OLDEST))
_TOP = 112  # years; greater ages decrease
_LONGEST = 300
_WORDS = english()
_LABELLED = _WORDS.labels
_ENDINGS = "|".join(_LABELLED["ordinal_endings"])
_NUMBER = re.compile(rf"(?=[{ROUND}!]{{1,2}}\Z|[A-Za-z|!]{{0,2}}\d)[0-9{ANY}]{{1,3}}")
_ORDINAL = re.compile(rf"(?i)([0-9{ROUND}]{{1,3}})({_ENDINGS})")
_GLUED = re.compile(
    rf"([0-9{ROUND}]{{0,2}}\d|\d[0-9{LIKELY}]?)([A-Za-z]{{1,5}})(?<![0-9](?:{_ENDINGS}))(?<!\d0s)"
)
_DECADE = re.compile(r"(?i)([1-9]0)s")
_DECADES = _WORDS.decades
_THIRDS = {
    name: middle
    for third, middle in (("early", 1), ("middle", 5), ("late", 8))
    for name in _LABELLED[third]
}
_NAMES = tuple(_LABELLED[third][0] for third in ("early", "middle", "late"))
_UNITS: Mapping[str, str] = {
    name: unit
    for key, unit in (("years", "y"), ("months", "m"), ("weeks", "w"), ("days", "d"))
    for name in _LABELLED[key]
}
_MOST = {"m": 35, "w": 11, "d": 27}
_MOST_BESIDE_YEARS = {"m": 11, "w": 3, "d": 29}
_EXACT = ("ym", "ymd")  # units of an age to the month or day
_HALVES = re.compile(
    r"(?i)(?P<gap>[\s-]*)"
    r"(?:½|\b1/2(?!\d)|\band[- ](?:a|one)[- ]half\b|(?<=\d)\.(?P<tenth>\d)(?!\d))"
)
_BLANK_INSIDE = re.compile(r"\d \d")

# Replaced as a value of GENDER is.
_SEXES = frozenset(_LABELLED["sexes"])

Piece = str | Callable[[Draw], str]


@dataclass(slots=True)
class _Age:
    """A number of years, months, weeks or days.

    Attributes:
        text: As written.
        value: The number.
        kind: ``"#"``, ``"#th"``, ``"(cardinal)"`` or ``"(ordinal)"``.
        suffix: Of an ordinal in digits.
        unit: ``y``, ``m``, ``w`` or ``d``.
        tenths: Tenths of the unit, 5 for a half; may be empty.
        wide: The least number of digits.
    """

    text: str
    value: int
    kind: str
    suffix: str = ""
    unit: str = "y"
    tenths: str = ""
    wide: int = 1

    @property
    def normal(self) -> str:
        return f"{self.value}{self.tenths and '.' + self.tenths}{self.unit.strip('y')}"

    def written(self, number: int) -> str:
        if self.kind == "(cardinal)":
            return spelled.written_like(self.text, spelled.cardinal(number))
        if self.kind == "(ordinal)":
            return spelled.written_like(self.text, spelled.ordinal(number))
        return str(number).zfill(self.wide) + _suffix(self.suffix, number)


@dataclass(slots=True)
class _Parsed:
    pieces: list[str | _Age | Piece] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    ages: list[_Age] = field(default_factory=list)
    normal: list[str] = field(default_factory=list)
    decade: tuple[int, int] | None = None  # its first year, and the middle of the third named, or 0


class _Written:
    """Read an age in digits or words, with or without a unit, or a decade of life."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        parsed = _parsed(value, options)
        if parsed is None:
            return None
        like = options.get("damage") == "same"
        shape = " ".join("".join(parsed.shapes).casefold().split())
        normal = "-".join(parsed.normal or [age.normal for age in parsed.ages])
        if options.get("age") == "kept":
            return Reading(shape, normal, lambda draw: value, may_stay=True)

        def write(draw: Draw) -> str:
            surrogate = _rewritten(parsed, draw)
            return damaged_like(value, surrogate) if like else surrogate

        # It stays where the birth that it is counted from moves with the date it is counted to.
        return Reading(shape, normal, write, may_stay=options.get("age", "moved") == "moved")


class _Stage:
    """Read a stage of life: child, middle-aged."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        stages = terms("age_stages", pack_of(options))
        stage = folded(value)
        if stage not in stages:
            return None
        if options.get("age") == "kept":
            return Reading("stage", stage, lambda draw: value, may_stay=True)
        at = stages.index(stage)
        near = stages[max(at - 3, 0) : at + 4]
        return Reading("stage", stage, lambda draw: cased_like(value, draw.choice(near, stage)))


def _plain(line: str, draw: Draw) -> str:
    """Return a number of years: the moved age in *line*, or a drawn one if there is none."""
    numbers = (int(number) for number in re.findall(r"(?<!\d)\d{1,3}(?!\d)", line))
    age = next((number for number in numbers if number < _OLDEST), None)
    return str(draw.chance.between(20, 69) if age is None else _moved(age, draw))


def band_of(value: str, pack: Pack, width: int = 10, top: int = 90) -> str | None:
    """Return the band of years that an age lies in; None if it cannot be read.

    Args:
        value: An age as found.
        pack: The pack in use.
        width: Of a band, in years.
        top: The age from which on there is only one band.

    >>> ages = "46 years old", "late thirties", "18 months", "94"
    >>> [band_of(age, Pack.shipped()) for age in ages]
    ['40-49', '30-39', '0-9', '90 or older']
    """
    parsed = _parsed(value.strip(), {"pack": pack})
    if parsed is None:
        return None
    if parsed.decade:
        years = parsed.decade[0] + (parsed.decade[1] or 5)
    else:
        first = parsed.ages[0]
        years = first.value // {"y": 1, "m": 12, "w": 52, "d": 365}[first.unit]
    if years >= top:
        return f"{top} or older"
    low = years - years % width
    return f"{low}-{min(low + width, top) - 1}"


def _rewritten(parsed: _Parsed, draw: Draw) -> str:
    with_years = any(age.unit == "y" for age in parsed.ages)
    exact: dict[str, int] = {}
    units = "".join(age.unit for age in parsed.ages)
    if units in _EXACT and _is_moved(draw) and not any(age.tenths for age in parsed.ages):
        exact = dict(
            zip(units, counted_parts([age.value for age in parsed.ages], draw) or (), strict=False)
        )

    def piece(item: str | _Age | Piece) -> str:
        if isinstance(item, str):
            return item
        if not isinstance(item, _Age):
            return item(draw)
        if item.unit in exact:
            return item.written(exact[item.unit])
        if item.unit == "y":
            return item.written(_moved(item.value, draw))
        context = context_of(draw.options)
        by_birth = context is None or bool(context.page.values("DATE_OF_BIRTH"))
        if item.unit == "m" and not with_years and _is_moved(draw) and by_birth:
            if context is None:
                return item.written(_aged(item.value, 12 * age_offset(draw), draw))
            if (months := counted_months(item.value, draw)) is not None:
                return item.written(months)
        is_young = item.unit in "wd" and not with_years and _is_moved(draw)
        if is_young and (days := counted_days(item.value, item.unit, draw)) is not None:
            return item.written(days)
        most = (_MOST_BESIDE_YEARS if with_years else _MOST)[item.unit]
        most = most if item.value <= most else min(2 * item.value, 999)
        return item.written(draw.choice(range(2, most + 1), item.value))

    written = [piece(item) for item in parsed.pieces]
    for at, item in enumerate(parsed.pieces):
        # A child of 8, an 8-year-old.
        if at > 1 and isinstance(item, _Age) and parsed.shapes[at - 2] == "a":
            written[at - 2] = _article(written[at - 2], written[at])
    return "".join(written)


def _other_sex(word: str, draw: Draw) -> str:
    return surrogate_of_part("GENDER", word, draw)


def _article(model: str, following: str) -> str:
    vowel = re.match(r"(?i)8|1[18](?!\d)|eight|eleven", following)
    plain = "an" if vowel else "a"
    return plain.upper() if model.isupper() and len(model) > 1 else model[0] + plain[1:]


def _is_moved(draw: Draw) -> bool:
    return draw.options.get("age") != "drawn"


def _moved(years: int, draw: Draw) -> int:
    """Return the surrogate of an age: one that agrees with moved births, or a drawn one.

    A drawn age is another age of the same stage: a minor's (up to 17), an adult's (up to 89) or a
    very old person's. It discloses nothing else of the original.
    """
    if not _is_moved(draw):
        low, high = next(stage for stage in _STAGES if years <= stage[1])
        part = draw.part("AGE", str(years)).chance
        return low + (years - low + part.between(1, high - low)) % (high - low + 1)
    if (counted := counted_age(years, draw)) is not None:
        return counted
    offset = age_offset(draw)
    if years + offset > _TOP:  # a younger age has increased, or an older one decreased
        draw.merges()
    return years - offset if years > _TOP else _aged(years, offset, draw)


def _aged(number: int, by: int, draw: Draw) -> int:
    """Return *number* increased by an offset, or decreased where that is to be inverted."""
    if not draw.keyring.inverts:
        return number + by
    if number < by:
        raise Drawn("is no age that this offset gives")
    return number - by


def _parsed(value: str, options: Mapping[str, Any]) -> _Parsed | None:
    if len(value) > _LONGEST:
        return None
    if _BLANK_INSIDE.fullmatch(value):
        value = value.replace(" ", "")
    return _Reader(value, pack_of(options)).read()


class _Reader:
    def __init__(self, value: str, pack: Pack) -> None:
        self._value = value
        self._words = _kept_words(pack)
        self._parsed = _Parsed()
        self._tokens: list[Token] = []
        self._keys: list[str] = []

    def read(self) -> _Parsed | None:
        """Read the age; None if a word does not belong to one."""
        half = _HALVES.search(self._value)
        head, tail = (self._value, "")
        if half and (half.start() or len(self._value) > half.end()):
            head, tail = self._value[: half.start()], self._value[half.end() :]
        if not self._stretch(head):
            return None
        if head is not self._value and half:
            if not self._parsed.ages:
                return None
            self._parsed.ages[-1].tenths = half["tenth"] or "5"
            self._add(half.group(), "." if half["tenth"] else half["gap"] + "half")
            if not self._stretch(tail):
                return None
        parsed = self._parsed
        if bool(parsed.ages) == bool(parsed.decade):
            return None
        return (
            parsed if all(age.value <= _OLDEST for age in parsed.ages if age.unit == "y") else None
        )

    def _add(self, piece: str | _Age | Piece, shape: str) -> None:
        self._parsed.pieces.append(piece)
        self._parsed.shapes.append(shape)

    def _stretch(self, text: str) -> bool:
        tokens, tail = tokenize(text)
        self._tokens = [part for token in tokens for part in _unglued(token)]
        self._keys = [token.key for token in self._tokens]
        at = 0
        while at < len(self._tokens):
            if not GAP.fullmatch(self._tokens[at].gap):
                return False
            self._add(self._tokens[at].gap, self._tokens[at].gap)
            taken = self._read_at(at)
            if not taken:
                return False
            at += taken
        self._add(tail, tail)
        return bool(GAP.fullmatch(tail))

    def _read_at(self, at: int) -> int:
        token = self._tokens[at]
        if self._read_decade(at):
            return 1 + (token.key.isdigit() and self._keys[at + 1 : at + 2] == ["s"])
        if token.key in _UNITS and self._parsed.ages:
            self._add_unit(token)
            return 1
        if words := spelled.find(self._run(at), 0):
            return self._add_words(at, words)
        if token.key in _SEXES:
            self._add(lambda draw: _other_sex(token.text, draw), "sex")
            return 1
        if token.key in self._words:
            self._add(token.text, "a" if token.key == "an" else token.key)
            return 1
        if ordinal := _ORDINAL.fullmatch(token.text):
            self._add_age(_Age(token.text, int(digits(ordinal[1])), "#th", ordinal[2]))
            return 1
        if _NUMBER.fullmatch(token.text) or (len(self._tokens) == 1 and _all_letters(token.text)):
            number = digits(token.text)
            wide = len(number) if number[0] == "0" else 1
            self._add_age(_Age(token.text, int(number), "#", wide=wide))
            return 1
        return 0

    def _run(self, at: int) -> list[str]:
        """Return the words from *at* on that only blanks and hyphens separate."""
        end = at + 1
        while end < len(self._tokens) and not self._tokens[end].gap.strip(" -\n\t"):
            end += 1
        return self._keys[at:end]

    def _add_age(self, age: _Age) -> None:
        self._parsed.ages.append(age)
        self._add(age, age.kind)

    def _add_words(self, at: int, words: spelled.Spelled) -> int:
        if words.kind == "year":
            return 0
        first, *rest = self._tokens[at : at + words.words]
        text = first.text + "".join(token.gap + token.text for token in rest)
        self._add_age(_Age(text, words.value, f"({words.kind})"))
        return words.words

    def _add_unit(self, token: Token) -> None:
        age = self._parsed.ages[-1]
        age.unit = _UNITS[token.key]
        # "1 year" becomes "4 years", but "1-year-old" "4-year-old".
        alone = token.gap.isspace() and age.value == 1 and token.key in ("year", "month", "week",
                                                                         "day")  # fmt: skip
        text = token.text
        if alone:
            text += "S" if text.isupper() else "s"
        shape = token.key.rstrip("s") if token.gap.isspace() else token.key
        if token.key in ("yof", "yom"):
            self._add(lambda draw: text[:-1] + _other_sex(text[-1], draw), "yosex")
        else:
            self._add(text, shape)

    def _read_decade(self, at: int) -> bool:
        """Read "late", "thirties" or "60's" at *at*; tell whether it is one."""
        token = self._tokens[at]
        after = self._tokens[at + 1 : at + 2]
        if token.key in _THIRDS and self._decade_at(at + 1) is not None:
            middle = _THIRDS[token.key]
            first = self._decade_at(at + 1) or 0
            self._add(
                lambda draw: cased_like(token.text, _third(_to(first, middle, draw))), "third"
            )
            self._parsed.decade = (first, middle)
            return True
        decade = self._decade_at(at)
        if decade is None:
            return False
        middle = self._parsed.decade[1] if self._parsed.decade else 0
        self._parsed.decade = (decade, middle)
        third = _third((decade, middle)) if middle else ""
        self._parsed.normal.append(f"{decade}s {third}".strip())
        if token.key[0].isdigit():
            ending = token.text[2:]
            if not ending:
                ending = after[0].gap + after[0].text
            self._add(lambda draw: f"{_to(decade, middle, draw)[0]}{ending}", f"##{ending}")
        else:
            self._add(lambda draw: cased_like(token.text, _name(_to(decade, middle, draw))), "(s)")
        return True

    def _decade_at(self, at: int) -> int | None:
        """Return the first year of the decade of life at *at*; None if there is none."""
        if at >= len(self._tokens):
            return None
        key = self._tokens[at].key
        if (name := _WORDS.misspelt.get(key, key)) in _DECADES:
            return 10 + 10 * _DECADES.index(name)
        if found := _DECADE.fullmatch(key):
            return int(found[1])
        following = self._tokens[at + 1 : at + 2]
        apart = following and following[0].key == "s" and following[0].gap in ("'", "’")
        return int(key) if apart and re.fullmatch("[1-9]0", key) else None


def _to(first: int, middle: int, draw: Draw) -> tuple[int, int]:
    """Return the moved decade, and the middle of its third.

    The middle of the decade or the third is moved as an age is. If the result is the original, it
    moves one further; beyond the nineties, it moves back instead.

    Args:
        first: The first year of the decade.
        middle: The middle of its third; 0 if none is named.
        draw: Of the value.
    """
    draw.merges()
    offset = age_offset(draw)
    step = 3 if middle else 10
    for sign in (1, -1):
        age = first + (middle or 5) + sign * offset
        if _rounded(age, middle) == (first, middle):
            age = first + (middle or 5) + sign * (step + (middle == 5 and sign > 0))
        if 10 <= age < 100:
            return _rounded(age, middle)
    return _rounded(first - 10, middle)


def _rounded(age: int, middle: int) -> tuple[int, int]:
    third = (1, 1, 1, 1, 5, 5, 5, 8, 8, 8)[age % 10]
    return age - age % 10, third if middle else 0


def _third(decade: tuple[int, int]) -> str:
    return _NAMES[(1, 5, 8).index(decade[1])]


def _name(decade: tuple[int, int]) -> str:
    return _DECADES[decade[0] // 10 - 1]


def _unglued(token: Token) -> list[Token]:
    """Split a token like ``8yo``."""
    parts = _GLUED.fullmatch(token.text)
    if not parts or parts[2].lower() not in (*_UNITS, "m", "f"):
        return [token]
    return [Token(token.gap, parts[1], parts[1]), Token("", parts[2], parts[2].lower())]


def _all_letters(text: str) -> bool:
    """Return whether two letters may be digits read by OCR, as in ``SO``."""
    return len(text) == 2 and digits(text).isdecimal() and text[0] not in "Oo"


def _suffix(model: str, number: int) -> str:
    if not model:
        return ""
    last = 0 if 10 < number % 100 < 20 else number % 10
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return suffix.upper() if model.isupper() else suffix


@lru_cache(maxsize=16)
def _kept_words(pack: Pack) -> frozenset[str]:
    return frozenset(terms("age_words", pack))


FORMS: tuple[Form, ...] = (_Written(), _Stage(), LineByLine("#", _plain))
