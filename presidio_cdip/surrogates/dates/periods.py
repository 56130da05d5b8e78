"""Draw surrogates of periods and relative times: three weeks, yesterday, the late 19th century."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from presidio_cdip.pack.confusions import ANY, digits
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.dates.shifts import date_offset, moved_year
from presidio_cdip.surrogates.drawing.forms import Draw, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, rows, terms
from presidio_cdip.surrogates.writing import spelled
from presidio_cdip.surrogates.writing.text import cased_like
from presidio_cdip.surrogates.writing.tokens import GAP, Token, tokenize

_NUMBER = re.compile(rf"(?=[A-Za-z|!]{{0,3}}\d)[0-9{ANY}]{{1,9}}")
_ENDINGS = "|".join(english().labels["ordinal_endings"])
_ORDINAL = re.compile(rf"(?i)(\d{{1,3}})({_ENDINGS})")
_LONGEST = 300
_WEEKDAYS = tuple(day.name.lower() for day in english().weekdays)
_UNITS = frozenset({"unit", "units", "long unit", "long units", "clock unit", "clock units"})
_FOURTHS = frozenset({"quarter", "week", "weeks", "half"})

_QUARTER = re.compile(r"q[1-4]")
_ARTICLE = re.compile(r"(?i)\b(a)n?(?=\s+([a-z]))")
_SPELLED = {"cardinal": "(-)", "ordinal": "(-th)", "year": "(year)"}
_KEPT = {"1": "1", "one": "1", "an": "a", "s": "s"}

Piece = str | Callable[[Draw], str]


class Periods:
    """Read words for a time; replace each by another of its group, and numbers by similar ones."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Read a period; None if a word does not belong to one, or nothing can be replaced."""
        if len(value) > _LONGEST:
            return None
        reader = _Reader(value, pack_of(options))
        if not reader.read():
            return None

        def write(draw: Draw) -> str:
            text = "".join(
                piece if isinstance(piece, str) else piece(draw) for piece in reader.pieces
            )
            return _ARTICLE.sub(_article, text)

        form = " ".join("".join(reader.shapes).casefold().split())
        return Reading(form, " ".join(reader.normal), write)


class _Reader:
    def __init__(self, value: str, pack: Pack) -> None:
        self._tokens, self._tail = tokenize(value)
        self._words = [token.key for token in self._tokens]
        self._groups, self._group_of = _time_words(pack)
        self._fillers = frozenset(terms("date_words", pack))
        self._counted = any(
            (token.key != "1" and (_NUMBER.fullmatch(token.text) or token.key[0].isdigit()))
            or (token.key != "one" and spelled.find(self._words, at))
            for at, token in enumerate(self._tokens)
        )
        self.pieces: list[Piece] = []
        self.shapes: list[str] = []
        self.normal: list[str] = []

    def read(self) -> bool:
        """Read the value; tell whether all words belong to a period and one can be replaced."""
        at = 0
        while at < len(self._tokens):
            gap = self._tokens[at].gap
            if not GAP.fullmatch(gap):
                return False
            self._add(gap, gap)
            taken = self._read_at(at)
            if not taken:
                return False
            at += taken
        self._add(self._tail, self._tail)
        if not GAP.fullmatch(self._tail) or all(isinstance(piece, str) for piece in self.pieces):
            return False
        timely = any(key in self._group_of or _QUARTER.fullmatch(key) for key in self._words)
        return timely or self._one_number()

    def _one_number(self) -> bool:
        """Return whether the value is a number in words alone."""
        drawn = [at for at, piece in enumerate(self.pieces) if not isinstance(piece, str)]
        kept = (piece for piece in self.pieces if isinstance(piece, str))
        alone = len(drawn) == 1 and all(GAP.fullmatch(piece) for piece in kept)
        return alone and self.shapes[drawn[0]] in _SPELLED.values()

    def _add(self, piece: Piece, shape: str) -> None:
        self.pieces.append(piece)
        self.shapes.append(shape)

    def _read_at(self, at: int) -> int:
        token = self._tokens[at]
        if token.key in _WEEKDAYS or token.key in self._group_of:
            self._read_word(token)
            return 1
        words = spelled.find(self._words, at)
        if words and (words.words > 1 or token.key not in _KEPT):
            run = self._tokens[at : at + words.words]
            text = run[0].text + "".join(part.gap + part.text for part in run[1:])
            after = at + words.words
            self._read_words(text, words, self._words[after : after + 1])
            return words.words
        if token.key in _KEPT or token.key in self._fillers:
            plain = _KEPT.get(token.key, token.key)
            self._add(token.text, plain if plain != "1" else token.key)
            self.normal.append(plain)
            return 1
        if counted := _ORDINAL.fullmatch(token.text):
            number, suffix = int(counted[1]), counted[2]
            near = _near(number, self._words[at + 1 : at + 2])
            self._add(lambda draw: _with_suffix(draw.choice(near, number), suffix), "#th")
            self.normal.append(f"{number}th")
            return 1
        if _QUARTER.fullmatch(token.key):
            number = int(token.key[1])
            self._add(lambda draw: token.text[0] + str(draw.choice(range(1, 5), number)), "q#")
            self.normal.append(token.key)
            return 1
        if _NUMBER.fullmatch(token.text):
            self._read_number(digits(token.text))
            return 1
        return 0

    def _read_word(self, token: Token) -> None:
        group = "weekday" if token.key in _WEEKDAYS else self._group_of[token.key]
        others = _WEEKDAYS if group == "weekday" else self._groups[group]
        self.normal.append(token.key)
        if (group in _UNITS and self._counted) or len(others) == 1:
            self._add(token.text, token.key)
            return
        named = str.capitalize if group == "weekday" else str
        self._add(lambda draw: cased_like(token.text, named(draw.choice(others, token.key))), group)

    def _read_words(self, text: str, found: spelled.Spelled, following: list[str]) -> None:
        number, kind = found.value, found.kind
        self.normal.append(f"{number}th" if kind == "ordinal" else str(number))
        if kind == "year":
            self._add(
                lambda draw: spelled.written_like(
                    text, spelled.year(moved_year(number, date_offset(draw)), found.style)
                ),
                _SPELLED[kind],
            )
            return
        near = [
            other
            for other in _near(number, following if kind == "ordinal" else [])
            if other < spelled.CARDINALS
        ]
        say = spelled.ordinal if kind == "ordinal" else spelled.cardinal
        self._add(
            lambda draw: spelled.written_like(text, say(draw.choice(near, number))), _SPELLED[kind]
        )

    def _read_number(self, text: str) -> None:
        number = int(text)
        self.normal.append(str(number))
        if len(text) == 4 and 1000 < number < 2200:
            self._add(lambda draw: str(moved_year(number, date_offset(draw))), "#")
            return
        near = _near(number, [])
        wide = len(text) if text[0] == "0" else 1
        self._add(lambda draw: str(draw.choice(near, number)).zfill(wide), "#")


def _near(number: int, following: list[str]) -> range:
    """Return numbers similar to *number*; 1 only among ordinals, so that plurals stay right."""
    if following and following[0] in _FOURTHS and number <= 4:
        return range(1, 5)
    if following and following[0] in ("century", "centuries"):
        return range(max(number - 2, 1), number + 1) if number > 1 else range(1, 3)
    low = max(2, number // 2)
    high = 1 + (min(2 * number, 999) if number < 900 else 2 * number)
    return range(low, high, 1 + (high - low) // 64) if number > 1 else range(2, 10)


def _article(found: re.Match[str]) -> str:
    """Return "a" before a consonant, "an" before a vowel and before "hour"."""
    following = found.string[found.start(2) : found.start(2) + 4].lower()
    return found[1] + ("n" if following[0] in "aeio" or following == "hour" else "")


def _with_suffix(number: int, model: str) -> str:
    last = 0 if 10 < number % 100 < 20 else number % 10
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return f"{number}{suffix.upper() if model.isupper() else suffix}"


@lru_cache(maxsize=16)
def _time_words(pack: Pack) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Return the words of each group, and the group of each word."""
    groups: dict[str, tuple[str, ...]] = {}
    for row in rows("time_words", pack):
        groups[row["group"]] = (*groups.get(row["group"], ()), row["word"])
    return groups, {word: group for group, words in groups.items() for word in words}
