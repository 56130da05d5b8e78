"""The parts of a date, each of which is written anew in its own way."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.dates import ROMANS, PartialDate
from presidio_cdip.surrogates.dates.calendar_words import (
    DECADES,
    SEASONS,
    SHORT_WEEKDAYS,
    WEEKDAYS,
    cased,
    feasts,
    month_names,
    plain,
)
from presidio_cdip.surrogates.dates.shifts import day_of_year
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.writing import spelled

_PIVOT = 25
_GERMAN_SUFFIXES = frozenset({"te", "ten", "sten"})


@dataclass(frozen=True, slots=True)
class Moved:
    """What the slots of a date are written from."""

    was: PartialDate
    now: PartialDate
    draw: Draw


class Slot(Protocol):
    """A part of a date that a surrogate has another one for."""

    @property
    def shape(self) -> str:
        """How it is written, the same whatever it says."""
        ...

    def written(self, to: Moved) -> str:
        """The part of the moved date, in the same way of writing."""
        ...


@dataclass(slots=True)
class Number:
    """A day, month or year, in digits or in words.

    Attributes:
        text: As written.
        digits: Clean; empty where it is in words.
        value: The number.
        suffix: What makes it an ordinal, as written.
        words: Where it is in words.
        role: ``d``, ``m``, ``y``, ``e`` for the last day of several; more for digits in one.
        pad: Whether a number below ten gets a zero.
    """

    text: str
    digits: str
    value: int
    suffix: str = ""
    words: spelled.Spelled | None = None
    role: str = ""
    pad: bool = False

    @property
    def shape(self) -> str:
        """As `Slot` has it."""
        if self.words:
            return {"ordinal": "(-th)", "cardinal": "(-)", "year": "(year)"}[self.words.kind]
        if self.suffix:
            return "#ten" if self.suffix.lower() in _GERMAN_SUFFIXES else "#th"
        return "#" if len(self.digits) < 3 else "#" * len(self.digits)

    @property
    def long(self) -> bool:
        """Whether it can only be a year."""
        return len(self.digits) == 4 or (self.words is not None and self.words.kind == "year")

    def written(self, to: Moved) -> str:
        """As `Slot` has it."""
        now = to.now
        parts = {"d": now.day, "m": now.month, "y": now.year}
        if self.role == "e":
            return self._number((now.day or 1) + self.value - (to.was.day or 1))
        if self.role == "Y":
            assert to.was.year is not None and now.year is not None
            return self._number(now.year - to.was.year + expanded(self), year=True)
        if len(self.role) > 1:
            return "".join(
                f"{parts[role] or 0:04d}" if role == "y" and len(self.digits) == 8
                else f"{(parts[role] or 0) % 100:02d}"
                for role in self.role
            )  # fmt: skip
        return self._number(parts[self.role] or 0, year=self.role == "y")

    def _number(self, number: int, year: bool = False) -> str:
        if self.words:
            if self.words.kind == "year":
                return spelled.written_like(self.text, spelled.year(number, self.words.style))
            if year:
                return spelled.written_like(self.text, spelled.short_year(number % 100))
            say = spelled.ordinal if self.words.kind == "ordinal" else spelled.cardinal
            return spelled.written_like(self.text, say(number))
        if year:
            return f"{number:04d}" if len(self.digits) == 4 else f"{number % 100:02d}"
        text = f"{number:02d}" if self.pad else str(number)
        return text + (_suffix(self.suffix, number) if self.suffix else "")


@dataclass(frozen=True, slots=True)
class Month:
    """A month by its name, or by a Roman number."""

    text: str
    month: int
    language: str
    short: bool
    dot: bool
    pack: Pack | None
    shape: str = "month"

    def written(self, to: Moved) -> str:
        """As `Slot` has it."""
        month = to.now.month or self.month
        if self.shape == "ROMAN":
            return ROMANS[month - 1]
        full, short = month_names(self.language, self.pack)[month - 1]
        dot = ""
        if self.short and self.dot and self.language == "en":
            short = {6: full, 7: full, 9: "Sept"}.get(month, short)
        if self.short and self.dot and short != full:
            dot = "."
        return cased(self.text, short if self.short else full) + dot


@dataclass(frozen=True, slots=True)
class Weekday:
    """A weekday: that of the moved date, or another one where there is no whole date."""

    text: str
    day: int
    short: bool
    shape: str = "weekday"

    def written(self, to: Moved) -> str:
        """As `Slot` has it."""
        now = to.now
        if now.year and now.month and now.day:
            at = date(now.year, now.month, now.day).weekday()
        else:
            at = (self.day + 1 + to.draw.chance.below(6)) % 7
        return cased(self.text, (SHORT_WEEKDAYS if self.short else WEEKDAYS)[at])


@dataclass(frozen=True, slots=True)
class Season:
    """A season, of the month in whose middle it is at its height."""

    text: str
    shape: str = "season"

    def written(self, to: Moved) -> str:
        """As `Slot` has it."""
        assert to.now.month is not None
        names = ["winter", "spring", "summer", "autumn"]
        at = to.now.month % 12 // 3
        if to.now.year is None and SEASONS[self.text.lower()] // 3 == at:
            at = (at + 1) % 4
        fall = self.text.lower() == "fall" or to.draw.locale == "en_US"
        return cased(self.text, "fall" if fall and at == 3 else names[at])


@dataclass(frozen=True, slots=True)
class Decade:
    """A decade, of which another one is written.

    Attributes:
        text: As written, in clean digits.
        mark: What parts its year from its s.
    """

    text: str
    mark: str

    @property
    def shape(self) -> str:
        """As `Slot` has it."""
        if self.text[0].isdigit():
            return "#" * (len(self.text) - len(self.mark) - 1) + f"{self.mark}s"
        return "decade"

    def written(self, to: Moved) -> str:
        """As `Slot` has it."""
        assert to.was.year is not None and to.now.year is not None
        decade = (to.now.year + 5) // 10 * 10
        if decade == to.was.year:
            decade -= 10
        if not self.text[0].isdigit():
            at = decade % 100 // 10 - 2
            return cased(self.text, DECADES[at if at >= 0 else 1])
        number = str(decade) if self.text[2].isdigit() else f"{decade % 100:02d}"
        return number + self.mark + self.text[-1]


@dataclass(frozen=True, slots=True)
class Feast:
    """A feast, in whose place the nearest of its kind is written."""

    text: str
    kind: str
    pack: Pack | None

    @property
    def shape(self) -> str:
        """As `Slot` has it."""
        return f"feast {self.kind}"

    def written(self, to: Moved) -> str:
        """As `Slot` has it."""
        assert to.now.month is not None
        target = day_of_year(to.now.month, to.now.day or 15)
        others = [
            (min((day - target) % 366, (target - day) % 366), name)
            for name, kind, day in feasts(self.pack)[1]
            if kind == self.kind and plain(name) != plain(self.text)
        ]
        name = min(others)[1]
        return name.upper() if self.text.isupper() else name


def parts_of(number: Number, roles: str) -> dict[str, int]:
    """The numbers in digits without separators."""
    parts, at = {}, 0
    for role in roles:
        width = 4 if role == "y" and len(number.digits) == 8 else 2
        parts[role] = int(number.digits[at : at + width])
        at += width
    return parts


def expanded(number: Number) -> int:
    """The year that *number* is, in four digits."""
    return number.value if number.long else of_century(number.value)


def of_century(year: int) -> int:
    """A year of two digits in four: up to 25 of this century, by a constant and no clock."""
    return year + (2000 if year <= _PIVOT else 1900)


def _suffix(model: str, number: int) -> str:
    if model.lower() in _GERMAN_SUFFIXES:
        suffix = "ten" if number < 20 else "sten"
    else:
        last = 0 if 10 < number % 100 < 20 else number % 10
        suffix = {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return suffix.upper() if model.isupper() else suffix
