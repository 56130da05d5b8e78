"""The offsets by which a scope moves its dates: one for births, one for all other dates."""

from calendar import isleap
from dataclasses import dataclass

from presidio_cdip.recognition.dates import PartialDate
from presidio_cdip.surrogates.drawing.forms import Draw

_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_STARTS = tuple(sum(_LENGTHS[:month]) for month in range(12))
_CALENDAR = tuple((month + 1, day + 1) for month in range(12) for day in range(_LENGTHS[month]))
_FIRST_YEAR = 1000


@dataclass(frozen=True, slots=True)
class Offset:
    """A number of years back, and of days around the year.

    Attributes:
        years: At least 1. The year decreases by this number whatever the days do, so that a year
            alone, a month of it and a day of it stay in one year, and no date moves behind the date
            of the document.
        days: 1-365, modulo the 366 days of a leap year.
    """

    years: int
    days: int


def birth_offset(draw: Draw) -> Offset:
    """Return the scope's offset for dates of birth; ages increase by its years."""
    chance = draw.shared("birth")
    return Offset(chance.between(1, 8), chance.between(1, 365))


def date_offset(draw: Draw) -> Offset:
    """Return the scope's offset for all other dates."""
    chance = draw.shared("date")
    return Offset(chance.between(1, 2), chance.between(1, 365))


def move(found: PartialDate, offset: Offset) -> PartialDate:
    """Return *found* moved by *offset*, with the same parts.

    A month without a day moves as its 15th does; a 29 February that does not exist becomes 1 March;
    a day alone becomes another one from 1 to 28.

    Args:
        found: A date, whose year has four digits.
        offset: Of the scope.

    >>> move(PartialDate(1965, 11, 9), Offset(3, 100))
    PartialDate(year=1962, month=2, day=17)
    >>> move(PartialDate(1965), Offset(3, 100)), move(PartialDate(None, 11), Offset(3, 100))
    (PartialDate(year=1962, month=None, day=None), PartialDate(year=None, month=2, day=None))
    """
    year, month, day = found.year, found.month, found.day
    if year is not None:
        year -= offset.years if year - offset.years >= _FIRST_YEAR else -offset.years
    if month is None:
        return PartialDate(year, None, day and 1 + (day + offset.days % 27) % 28)
    start = _STARTS[month - 1] + min(day or 15, _LENGTHS[month - 1]) - 1
    to_month, to_day = _CALENDAR[(start + offset.days) % 366]
    if day is None:
        if year is None and to_month == month:
            to_month = to_month % 12 + 1
        return PartialDate(year, to_month)
    if (to_month, to_day) == (2, 29) and year is not None and not isleap(year):
        to_month, to_day = 3, 1
    return PartialDate(year, to_month, to_day)


def last_day(found: PartialDate) -> int:
    """Return the last day of the month of *found*; 29 for a February without a year."""
    assert found.month is not None
    if found.month == 2 and found.year is not None and not isleap(found.year):
        return 28
    return _LENGTHS[found.month - 1]


def day_of_year(month: int, day: int) -> int:
    """Return the day of a leap year: 0 for 1 January to 365 for 31 December."""
    return _STARTS[month - 1] + day - 1
