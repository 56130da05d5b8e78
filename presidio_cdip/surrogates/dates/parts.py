"""Define the parts of a date, each of which writes its surrogate in its own style."""

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
from presidio_cdip.surrogates.dates.shifts import date_offset, day_of_year
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.writing import spelled

_PIVOT = 25  # a constant, so that surrogates do not depend on the date of the run
_GERMAN_SUFFIXES = frozenset({"te", "ten", "sten"})


@dataclass(frozen=True, slots=True)
class Shift:
    """A date before and after it was moved, from which its slots are written."""

    was: PartialDate
    now: PartialDate
    draw: Draw


class Slot(Protocol):
    """A part of a date that is replaced in its surrogate."""

    @property
    def shape(self) -> str:
        """Return the style of writing, the same for any day, month or year."""
        ...

    def written(self, to: Shift) -> str:
        """Return this part of the moved date, written alike."""
        ...


@dataclass(slots=True)
class Number:
    """A day, month or year, in digits or in words.

    Attributes:
        text: As written.
        digits: With OCR's letters repaired; empty for a number in words.
        value: The number.
        suffix: Ending of an ordinal, as written.
        words: The number in words, if it is in words.
        role: ``d``, ``m`` or ``y``; ``e`` for the last day and ``Y`` for the last year of several;
            several of these for a date without separators.
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
        """See `Slot`."""
        if self.words:
            return {"ordinal": "(-th)", "cardinal": "(-)", "year": "(year)"}[self.words.kind]
        if self.suffix:
            return "#ten" if self.suffix.lower() in _GERMAN_SUFFIXES else "#th"
        return "#" if len(self.digits) < 3 else "#" * len(self.digits)

    @property
    def long(self) -> bool:
        """Return whether it can only be a year."""
        return len(self.digits) == 4 or (self.words is not None and self.words.kind == "year")

    def written(self, to: Shift) -> str:
        """See `Slot`."""
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
    """A month by name or in Roman numerals."""

    text: str
    month: int
    language: str
    short: bool
    dot: bool
    pack: Pack
    shape: str = "month"

    def written(self, to: Shift) -> str:
        """See `Slot`."""
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
    """A weekday, replaced by that of the moved date.

    Of a date without a year it moves by the offset, too; if that is whole weeks, it is drawn.
    """

    text: str
    day: int
    short: bool
    shape: str = "weekday"

    def written(self, to: Shift) -> str:
        """See `Slot`."""
        now = to.now
        if now.year and now.month and now.day:
            at = date(now.year, now.month, now.day).weekday()
        else:
            offset = date_offset(to.draw)
            days = offset.days % 7 or 1 + to.draw.chance.below(6)
            at = (self.day + (days if offset.inverts else -days)) % 7
        return cased(self.text, (SHORT_WEEKDAYS if self.short else WEEKDAYS)[at])


@dataclass(frozen=True, slots=True)
class Season:
    """A season, which stands for its middle month."""

    text: str
    shape: str = "season"

    def written(self, to: Shift) -> str:
        """See `Slot`."""
        assert to.now.month is not None
        to.draw.merges()
        names = ["winter", "spring", "summer", "autumn"]
        at = to.now.month % 12 // 3
        if to.now.year is None and SEASONS[self.text.lower()] // 3 == at:
            at = (at + 1) % 4
        fall = self.text.lower() == "fall" or to.draw.locale == "en_US"
        return cased(self.text, "fall" if fall and at == 3 else names[at])


@dataclass(frozen=True, slots=True)
class Decade:
    """A decade, replaced by another one.

    Attributes:
        text: As written, with OCR's letters repaired.
        mark: The text between its year and its s.
    """

    text: str
    mark: str

    @property
    def shape(self) -> str:
        """See `Slot`."""
        if self.text[0].isdigit():
            return "#" * (len(self.text) - len(self.mark) - 1) + f"{self.mark}s"
        return "decade"

    def written(self, to: Shift) -> str:
        """See `Slot`."""
        assert to.was.year is not None and to.now.year is not None
        to.draw.merges()
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
    """A feast, replaced by the feast of its kind that is nearest to the moved date, in its year."""

    text: str
    kind: str
    pack: Pack

    @property
    def shape(self) -> str:
        """See `Slot`."""
        return f"feast {self.kind}"

    def written(self, to: Shift) -> str:
        """See `Slot`."""
        assert to.now.month is not None
        to.draw.merges()
        target = day_of_year(to.now.month, to.now.day or 15)
        around = 1000 if to.now.year else 366  # without a year, December is near January
        others = [
            (min((day - target) % around, (target - day) % around), name)
            for name, kind, day in feasts(self.pack)[1]
            if kind == self.kind and plain(name) != plain(self.text)
        ]
        name = min(others)[1]
        return name.upper() if self.text.isupper() else name


def parts_of(number: Number, roles: str) -> dict[str, int]:
    """Return day, month and year of a date in digits without separators, by role."""
    parts, at = {}, 0
    for role in roles:
        width = 4 if role == "y" and len(number.digits) == 8 else 2
        parts[role] = int(number.digits[at : at + width])
        at += width
    return parts


def expanded(number: Number) -> int:
    """Return the year that *number* means, in four digits."""
    return number.value if number.long else of_century(number.value)


def of_century(year: int) -> int:
    """Return a year of two digits in four: 2000 to 2025, else 1926 to 1999."""
    return year + (2000 if year <= _PIVOT else 1900)


def _suffix(model: str, number: int) -> str:
    if model.lower() in _GERMAN_SUFFIXES:
        suffix = "ten" if number < 20 else "sten"
    else:
        last = 0 if 10 < number % 100 < 20 else number % 10
        suffix = {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return suffix.upper() if model.isupper() else suffix
