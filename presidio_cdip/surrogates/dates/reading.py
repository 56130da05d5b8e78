"""Read dates: word by word, then find which number is the day, the month or the year."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

from presidio_cdip.pack.confusions import ALONE, ANY, LIKELY, ROUND, digits
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.dates import ROMANS, PartialDate
from presidio_cdip.surrogates.dates.calendar_words import (
    DECADES,
    SEASON_OF,
    SEASONS,
    WEEKDAY_OF,
    WEEKDAYS,
    feast_beginnings,
    feasts,
    fillers,
    month_names,
    months,
    plain,
)
from presidio_cdip.surrogates.dates.clocks import TIME, Clock
from presidio_cdip.surrogates.dates.parts import (
    Decade,
    Feast,
    Month,
    Number,
    Season,
    Shift,
    Slot,
    Weekday,
    expanded,
    of_century,
    parts_of,
)
from presidio_cdip.surrogates.dates.shifts import Offset, last_day, move
from presidio_cdip.surrogates.drawing.context import Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.places.countries import page_places
from presidio_cdip.surrogates.writing import spelled
from presidio_cdip.surrogates.writing.tokens import GAP, Token, tokenize

LONGEST = 300  # characters of a date with all its blanks
_LABELLED = english().labels
_SUFFIX = rf"(?P<suffix>(?i:{'|'.join(_LABELLED['ordinal_endings'])}|d|s?ten|te|er))"
_DIGITS = rf"(?!Q)(?=[{ROUND}!]{{1,2}}\Z|[A-Za-z|!]{{0,4}}\d)[0-9{ANY}]"
_NUMBER = re.compile(rf"{_DIGITS}{{1,4}}|{_DIGITS}{{6}}|{_DIGITS}{{8}}")
_ORDINAL = re.compile(rf"(?P<number>(?=.?\d|[{ALONE}]\D)[0-9{ANY}]{{1,2}}){_SUFFIX}")
_DECADE = re.compile(r"(?i)(?:1[0-9]|20)?\d0s")
_LETTERS_ALONE = re.compile(rf"[{LIKELY}]{{1,2}}")
_QUARTER = re.compile(r"Q[1-4]")
_GLUED = re.compile(r"(\d{1,4})?([^\W\d_]{3,9})(\d{1,4})?")
_SUFFIXES = frozenset(_LABELLED["ordinal_endings"])
_AND = frozenset({"-", "–", "—", "/", "&", *_LABELLED["date_joints"]})
_LABELS = frozenset(_LABELLED["date_labels"])
_UNITS = frozenset(_LABELLED["date_units"])
_FIRST = re.compile(r"(?<![a-z])[a-z]{2}")


@dataclass(slots=True)
class Parsed:
    """A date as read: text that stays, and slots."""

    pieces: list[str | Slot]
    found: PartialDate
    last: str = ""  # the last day, or "/" and the last year, of several
    special: str = ""  # a feast, season or weekday
    damaged: bool = False

    @property
    def form(self) -> str:
        """Return the form of the date, with the shape of each slot."""
        shapes = (piece if isinstance(piece, str) else piece.shape for piece in self.pieces)
        return " ".join("".join(shapes).split()).casefold()

    @property
    def normal(self) -> str:
        """Return the date in ISO 8601, followed by parts that ISO 8601 cannot express."""
        times = [piece.normal for piece in self.pieces if isinstance(piece, Clock)]
        return " ".join(filter(None, [iso(self.found), self.last, self.special, *times]))

    def written(self, offset: Offset | None, draw: Draw) -> str:
        """Return the date moved by *offset*, written alike."""
        now = move(self.found, offset) if offset else self.found
        if self.last.isdigit() and now.day and self.found.day:
            if int(self.last) == last_day(self.found):
                draw.merges()
            span = int(self.last) - self.found.day
            now = replace(now, day=max(1, min(now.day, last_day(now) - span)))
        to = Shift(self.found, now, draw)
        return "".join(
            piece if isinstance(piece, str) else piece.written(to) for piece in self.pieces
        )


def iso(found: PartialDate) -> str:
    """Return *found* in ISO 8601, with dashes for missing parts.

    >>> iso(PartialDate(1965, 11)), iso(PartialDate(None, 11, 9))
    ('1965-11', '--11-09')
    """
    year = "" if found.year is None else f"{found.year:04d}"
    if found.month is None:
        return year if found.day is None else f"---{found.day:02d}"
    day = "" if found.day is None else f"-{found.day:02d}"
    return f"{year or '-'}-{found.month:02d}{day}"


# Countries in whose English pages the day stands before the month
_DAY_FIRST = frozenset({"United Kingdom", "Ireland", "Australia", "New Zealand", "South Africa"})

_IN_DIGITS = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(?:1[6-9]|20)?\d\d(?![\d/-]|\.\d)")


def _begins_with_days(page: Page) -> bool:
    """Tell whether dates of *page* such as 30.9.52 show that its days stand before its months."""
    found = [(int(one[1]), int(one[3])) for one in _IN_DIGITS.finditer(page.text)]
    days = sum(12 < first <= 31 and 0 < second <= 12 for first, second in found)
    return days > 0 and not any(first <= 12 < second <= 31 for first, second in found)


def parsed_date(value: str, options: Mapping[str, Any]) -> Parsed | None:
    """Read a date; None if a word in *value* does not belong to one."""
    if len(value) > LONGEST:
        return None
    american = (
        str(options.get("locale", "en_US")) == "en_US"
        and page_places(options).home not in _DAY_FIRST
        and not ((context := context_of(options)) and context.page.fact(_begins_with_days))
    )
    for text in dict.fromkeys((value, re.sub(r"(?<=\d) (?=\d)", "", value))):
        reader = _Reader(text, str(options.get("locale", "en"))[:2], pack_of(options))
        if reader.read() and (parsed := _Roles(reader, american).parsed()):
            return parsed
    return None


class _Reader:
    """Split a value into words, and classify each.

    Attributes:
        pieces: Text that stays, and slots.
        numbers: The slots whose role is to be found, in order.
        month: The month by name or season, if there is one.
        feast: Month and day of the feast, if there is one.
        decade: The first year of the decade, if there is one.
        specials: Weekdays, seasons and feasts.
    """

    def __init__(self, value: str, language: str, pack: Pack) -> None:
        self._value = value
        self._language = language
        self._pack = pack
        self._tokens: list[Token] = []
        self._words: list[str] = []
        self.pieces: list[str | Slot] = []
        self.numbers: list[Number] = []
        self.month: int | None = None
        self.feast: tuple[int, int] | None = None
        self.decade: int | None = None
        self.specials: list[str] = []

    def read(self) -> bool:
        """Read the value; tell whether every word belongs to a date."""
        at = 0
        for found in self._whole_matches():
            if not self._stretch(self._value[at : found.start()]):
                return False
            self.pieces.append(self._whole(found))
            at = found.end()
        return self._stretch(self._value[at:])

    def _whole_matches(self) -> list[re.Match[str]]:
        """Find times, or a feast, which are read before the words are."""
        found = list(TIME.finditer(self._value))
        if not found and not feast_beginnings(self._pack).isdisjoint(
            _FIRST.findall(self._value.lower())
        ):
            found.extend(islice(feasts(self._pack)[0].finditer(self._value), 1))
        return found

    def _whole(self, found: re.Match[str]) -> Slot | str:
        if found.re is TIME:
            return Clock.of(found)
        text = found.group()
        name, kind, month, day = feasts(self._pack)[2][plain(text)]
        self.feast = (month, day)
        self.specials.append(plain(name))
        return Feast(text, kind, self._pack)

    def _stretch(self, text: str) -> bool:
        """Read the words between times; return False if one does not belong to a date."""
        tokens, tail = tokenize(text)
        self._tokens = [part for token in tokens for part in self._unglued(token)]
        self._words = [token.key for token in self._tokens]
        at = 0
        while at < len(self._tokens):
            token = self._tokens[at]
            if not GAP.fullmatch(token.gap):
                return False
            if token.gap:
                self.pieces.append(token.gap)
            taken = self._read_at(at)
            if not taken:
                return False
            at += taken
        if not GAP.fullmatch(tail):
            return False
        if tail:
            self.pieces.append(tail)
        return True

    def _unglued(self, token: Token) -> list[Token]:
        """Split a token like ``9Nov65``."""
        parts = _GLUED.fullmatch(token.text)
        if not parts or not (parts[1] or parts[3]) or parts[2].lower() not in self._month_words:
            return [token]
        split = [Token("", part, part.lower()) for part in parts.groups() if part]
        return [replace(split[0], gap=token.gap), *split[1:]]

    @property
    def _month_words(self) -> Mapping[str, tuple[str, int, bool]]:
        return months(self._language, self._pack)

    def _read_at(self, at: int) -> int:
        """Read the piece that begins here; return its number of tokens, 0 if there is none."""
        token = self._tokens[at]
        key = token.key
        if key == "s" and token.gap in ("'", "’") and self._made_decade(token):
            return 1
        if words := self._spelled(at):
            return self._add_words(at, words)
        if self._roman(at):
            return 1
        if key in _SUFFIXES and token.gap == " " and self._behind_digits():
            self.numbers[-1].suffix = token.text
            self.pieces.pop()
            return 1
        if found := self._month_words.get(key) or self._misspelt(key):
            return self._add_month(at, *found)
        if _DECADE.fullmatch(key):
            self._add_decade(int(key[:-1]), Decade(token.text, ""))
            return 1
        return self._read_number(token) or self._read_word(token) or self._read_letters(token)

    def _read_number(self, token: Token) -> int:
        text, suffix = token.text, ""
        if ordinal := _ORDINAL.fullmatch(text):
            text, suffix = ordinal.groups()
        elif not _NUMBER.fullmatch(text) or _QUARTER.fullmatch(text):
            return 0
        if suffix.lower() == "er":  # French: only 1er
            suffix = ""
        number = digits(text)
        return self._add_number(Number(token.text, number, int(number), suffix))

    def _read_letters(self, token: Token) -> int:
        """Read a day or month in which OCR took all digits for letters, such as "Z/5/65"."""
        if not _LETTERS_ALONE.fullmatch(token.text):
            return 0
        number = digits(token.text)
        return self._add_number(Number(token.text, number, int(number)))

    def _read_word(self, token: Token) -> int:
        key = token.key
        if key in WEEKDAY_OF:
            day, short = WEEKDAY_OF[key]
            self.specials.append(WEEKDAYS[day].lower())
            self.pieces.append(Weekday(token.text, day, short))
        elif key in SEASONS and self.month is None:
            self.month = SEASONS[key]
            self.specials.append(SEASON_OF[key])
            self.pieces.append(Season(token.text))
        elif key in DECADES:
            self._add_decade(20 + 10 * DECADES.index(key), Decade(token.text, ""))
        elif key == "am" and self._behind_digits():
            return 0  # a time that OCR has damaged, and no German date
        elif key in fillers(self._pack) and not self._counts(token):
            self.pieces.append(token.text)
        else:
            return 0
        return 1

    def _counts(self, token: Token) -> bool:
        """Return whether *token* is the unit of a length of time: 3 months."""
        if token.key not in _UNITS or self._words[0] in _LABELS or not self.numbers:
            return False
        number = self.numbers[-1]
        counted = self.pieces[-2 if token.gap else -1] is number
        return (
            counted and not number.suffix and not (number.words and number.words.kind != "cardinal")
        )

    def _spelled(self, at: int) -> spelled.Spelled | None:
        """Find the number in words at *at*; in "ten-nineteen-fifty" the day, not the year."""
        run = self._run(at)
        found = spelled.find(run, 0)
        if found and found.style == "pair" and len(self.numbers) == 1 and self.month is None:
            return spelled.find(run[:1], 0)
        return found

    def _run(self, at: int) -> list[str]:
        """Return the words from *at* on that only blanks and hyphens separate."""
        end = at + 1
        while end < len(self._tokens) and not self._tokens[end].gap.strip(" -\n\t"):
            end += 1
        return self._words[at:end]

    def _add_words(self, at: int, words: spelled.Spelled) -> int:
        first, *rest = self._tokens[at : at + words.words]
        text = first.text + "".join(token.gap + token.text for token in rest)
        return words.words * self._add_number(Number(text, "", words.value, words=words))

    def _add_number(self, number: Number) -> int:
        self.numbers.append(number)
        self.pieces.append(number)
        return 1

    def _add_decade(self, year: int, slot: Decade) -> None:
        self.decade = year if year > 99 else 1900 + year
        self.pieces.append(slot)

    def _behind_digits(self) -> bool:
        """Return whether a number in digits and a gap were read last."""
        last = self.numbers[-1:]
        return bool(last and last[0].digits and self.pieces[-2:-1] == last)

    def _made_decade(self, token: Token) -> bool:
        """Turn the 1950 before 's into a decade; tell whether it is one."""
        if not self._behind_digits():
            return False
        number = self.numbers[-1]
        if number.value % 10 or len(number.digits) not in (2, 4):
            return False
        self.numbers.pop()
        del self.pieces[-2:]
        self._add_decade(number.value, Decade(number.digits + token.gap + token.text, token.gap))
        return True

    def _roman(self, at: int) -> bool:
        if self._tokens[at].text not in ROMANS or not 0 < at < len(self._tokens) - 1:
            return False
        sides = (self._tokens[at - 1].text, self._tokens[at + 1].text)
        if self.month or not all(_NUMBER.fullmatch(side) for side in sides):
            return False
        self.month = ROMANS.index(self._tokens[at].text) + 1
        self.pieces.append(
            Month(self._tokens[at].text, self.month, "", False, False, self._pack, "ROMAN")
        )
        return True

    def _misspelt(self, key: str) -> tuple[str, int, bool] | None:
        if (
            not key.isalpha()
            or not 4 <= len(key) <= 10
            or key in WEEKDAY_OF
            or key in fillers(self._pack)
            or key in SEASONS
        ):
            return None
        for month, (full, _) in enumerate(month_names("en", self._pack), 1):
            name = full.lower()
            if name[0] == key[0] and SequenceMatcher(None, key, name).ratio() > 0.8:
                return "en", month, False
        return None

    def _add_month(self, at: int, language: str, month: int, short: bool) -> int:
        if self.month is not None:
            return 0
        self.month = month
        dot = False
        if short and at + 1 < len(self._tokens):
            following = self._tokens[at + 1]
            if dot := bool(re.match(r"\.[\s,;)]", following.gap)):
                self._tokens[at + 1] = replace(following, gap=following.gap[1:])
        text = self._tokens[at].text
        self.pieces.append(Month(text, month, language, short, dot, self._pack))
        return 1


class _Roles:
    """Find which number is the day, which the month and which the year."""

    def __init__(self, reader: _Reader, american: bool) -> None:
        self._reader = reader
        self._numbers = reader.numbers
        self._order = ("mdy", "dmy") if american else ("dmy", "mdy")

    def parsed(self) -> Parsed | None:
        """Return the date; None if there is no valid assignment."""
        reader = self._reader
        roles = self._roles()
        if roles is None or all(isinstance(piece, str) for piece in reader.pieces):
            return None
        for number, role in zip(self._numbers, roles, strict=True):
            number.role = role
        month = reader.month
        day = None
        if reader.feast:
            month, day = reader.feast
        found = PartialDate(reader.decade, month, day)
        last = ""
        for number in self._numbers:
            found, last = _with(found, last, number)
        self._pad()
        whole = found.year is not None and found.month and found.day and not reader.feast
        special = "" if whole else " ".join(reader.specials)
        return Parsed(reader.pieces, found, last, special)

    def _roles(self) -> tuple[str, ...] | None:
        reader, numbers = self._reader, self._numbers
        if any(len(number.digits) == 3 for number in numbers):
            return None
        if not numbers:
            return ()
        if reader.decade is not None:
            return None
        if reader.feast or (reader.month and reader.specials and reader.specials[0] in SEASONS):
            return ("y",) if len(numbers) == 1 and self._year(numbers[0]) else None
        if reader.month:
            return self._beside_month()
        return self._alone()

    def _beside_month(self) -> tuple[str, ...] | None:
        numbers = self._numbers
        for roles in {1: ["y", "d"], 2: ["yd", "dy", "de"], 3: ["dey"]}.get(len(numbers), []):
            first_year = roles[0] == "y" and not self._surely_year(numbers[0])
            last_year = roles == "dy" and self._days(numbers)
            if not first_year and not last_year and self._fit(roles):
                return tuple(roles)
        return None

    def _days(self, numbers: list[Number]) -> bool:
        """Return whether two numbers beside a month are two of its days: March 3-5."""
        first, last = numbers
        pieces = self._reader.pieces
        at = pieces.index(first)
        between = pieces[at + 1 : at + 2]
        before = pieces[at - 1] if at else ""
        return (
            between in (["-"], ["–"])
            and pieces[at + 2] is last
            and before not in ("-", "–")
            and not self._surely_year(last)
            and first.value < last.value <= 31
            and not last.digits.startswith("0")
        )

    def _alone(self) -> tuple[str, ...] | None:
        numbers = self._numbers
        if len(numbers) == 1:
            number = numbers[0]
            if len(number.digits) in (6, 8):
                return self._compact(number)
            if number.suffix or (number.words and number.words.kind == "ordinal"):
                return ("d",) if 1 <= number.value <= 31 else None
            return ("y",) if self._year(number) and (number.digits or number.long) else None
        if all(number.long for number in numbers):
            return ("y", "Y") if len(numbers) == 2 and self._fit("yY") else None
        options = {
            2: ("my", "ym", "yY") if any(number.long for number in numbers)
            else (*(order[:2] for order in self._order), "my"),
            3: ("ymd", "ydm") if numbers[0].long else (*self._order, "ymd"),
        }  # fmt: skip
        for roles in options.get(len(numbers), ()):
            if self._fit(roles):
                return tuple(roles)
        return None

    def _compact(self, number: Number) -> tuple[str, ...] | None:
        text = number.digits
        if len(text) == 8:
            orders = ("ymd", *self._order) if text[:2] in ("18", "19", "20") else self._order
        else:
            orders = (*self._order, "ymd")
        for roles in orders:
            if self._split(number, roles):
                return (roles,)
        return None

    def _split(self, number: Number, roles: str) -> bool:
        parts = parts_of(number, roles)
        return bool(
            parts
            and 1 <= parts["m"] <= 12
            and 1 <= parts["d"] <= 31
            and (len(number.digits) == 6 or 1000 <= parts["y"] < 2200)
        )

    def _fit(self, roles: str) -> bool:
        fits: Mapping[str, Callable[[Number], bool]] = {
            "d": self._day, "e": self._day, "y": self._year, "Y": self._year,
            "m": lambda number: self._day(number) and number.value <= 12,
        }  # fmt: skip
        if not all(fits[role](one) for role, one in zip(roles, self._numbers, strict=True)):
            return False
        return "e" not in roles or self._consecutive()

    def _consecutive(self) -> bool:
        """Return whether the first two numbers are days with a dash or an "and" between them."""
        first, last = self._numbers[:2]
        pieces = self._reader.pieces
        between = pieces[pieces.index(first) + 1 : pieces.index(last)]
        words = "".join(piece for piece in between if isinstance(piece, str))
        return first.value < last.value and words.strip().lower() in _AND

    @staticmethod
    def _day(number: Number) -> bool:
        return not number.long and len(number.digits) < 3 and 1 <= number.value <= 31

    @staticmethod
    def _year(number: Number) -> bool:
        if number.suffix or (number.words and number.words.kind == "ordinal"):
            return False
        return 1000 <= number.value < 2200 if number.long else number.value <= 99

    def _surely_year(self, number: Number) -> bool:
        at = self._reader.pieces.index(number)
        before = self._reader.pieces[at - 1] if at else ""
        apostrophe = isinstance(before, str) and before[-1:] in tuple("'’‘`´")
        return self._year(number) and (number.long or number.value > 31 or apostrophe)

    def _pad(self) -> None:
        """Pad numbers below ten with a zero where the style of the original does."""
        short = [number for number in self._numbers if number.role in ("d", "m", "e")]
        zero = any(number.digits.startswith("0") for number in short)
        single = any(len(number.digits) == 1 for number in short)
        columns = any(isinstance(piece, str) and piece.isspace() for piece in self._reader.pieces)
        year_first = bool(self._numbers) and self._numbers[0].role == "y" and len(short) > 1
        named = [piece for piece in self._reader.pieces if isinstance(piece, Month)]
        capitals = any(name.short and name.text.isupper() and not name.dot for name in named)
        default = zero or (not single and (capitals or year_first or (columns and not named)))
        for number in short:
            double = len(number.digits) == 2 and not number.suffix
            number.pad = number.digits.startswith("0") or (double and default)


def _with(found: PartialDate, last: str, number: Number) -> tuple[PartialDate, str]:
    """Return *found* and the last day or year, completed by *number*."""
    match number.role:
        case "y":
            return replace(found, year=expanded(number)), last
        case "Y":
            return found, f"/{expanded(number)}"
        case "m":
            return replace(found, month=number.value), last
        case "d":
            return replace(found, day=number.value), last
        case "e":
            return found, str(number.value)
    parts = parts_of(number, number.role)
    year = parts["y"] if len(number.digits) == 8 else of_century(parts["y"])
    return PartialDate(year, parts["m"], parts["d"]), last
