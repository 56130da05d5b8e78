"""How far the dates of a scope move: one keyed offset each for births and for all else."""

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
    """Years back, and days around the year.

    Attributes:
        years: From 1. The year falls by them whatever the days do, so that a year alone, a month of
            it and a day of it stay of one year, and nothing moves behind the date of the page.
        days: 1-365, modulo the 366 days of a leap year.
    """

    years: int
    days: int


def birth_offset(draw: Draw) -> Offset:
    """The scope's for dates of birth, by whose years ages rise."""
    chance = draw.shared("birth")
    return Offset(chance.between(1, 8), chance.between(1, 365))


def date_offset(draw: Draw) -> Offset:
    """The scope's for all other dates."""
    chance = draw.shared("date")
    return Offset(chance.between(1, 2), chance.between(1, 365))


def moved(found: PartialDate, offset: Offset) -> PartialDate:
    """*found* moved by *offset*, as whole or partial as it was.

    A month without a day moves as its 15th does, a 29 February that does not exist is 1 March, and
    a day alone is another one that each month has.

    Args:
        found: A year has four digits.
        offset: The scope's.

    >>> moved(PartialDate(1965, 11, 9), Offset(3, 100))
    PartialDate(year=1962, month=2, day=17)
    >>> moved(PartialDate(1965), Offset(3, 100)), moved(PartialDate(None, 11), Offset(3, 100))
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
    """The last day of the month of *found*; 29 for a February of no year."""
    assert found.month is not None
    if found.month == 2 and found.year is not None and not isleap(found.year):
        return 28
    return _LENGTHS[found.month - 1]


def day_of_year(month: int, day: int) -> int:
    """0 for 1 January to 365 for 31 December."""
    return _STARTS[month - 1] + day - 1
