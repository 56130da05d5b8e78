"""Tell how old somebody becomes on a page whose births and other dates do not move alike.

An age is counted to a date of its page. Where that date stays, a birth that moves by days passes
its birthday, or does not, and so the years between the two differ by one from those of another age.
A birth with a date close to it moves by days alone, and the age goes with it, in its own unit.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from presidio_cdip.recognition.dates import PartialDate
from presidio_cdip.surrogates.dates.births import Placed, births_of, close_offset
from presidio_cdip.surrogates.dates.shifts import (
    birth_offset,
    date_offset,
    dates_found,
    day_of,
    last_day,
    move,
)
from presidio_cdip.surrogates.drawing.context import context_of
from presidio_cdip.surrogates.drawing.forms import Draw

_BIRTHS = 8  # births on either side of an age that may explain it
_NEAR = 2  # days by which an age of years, months and days may be miscounted
_DAYS = 30.44  # of a month, on average
_YEAR = 365.2425  # days, on average
_SPREAD = 2  # years by which the parts of two dates may be farther apart than an age
_UNITS = {"w": 7, "d": 1}  # days


def counted_age(years: int, draw: Draw) -> int | None:
    """Return the age that replaces one of *years*, from the nearest birth that explains it.

    None where the page is unknown, or no birth and date on it are *years* apart; and where that
    birth moves as births do, if its dates move as well, or the age would stay.
    """
    page, context = births_of(draw), context_of(draw.options)
    dates_move = context is None or context.page.fact(dates_found)
    if page is None or (dates_move and not page.rooms):
        return None
    for birth, other in _spans(draw):
        if _is_whole(birth) and _is_whole(other) and _years(birth, other) == years:
            new = _years(*_moved(birth, other, draw))
            if birth in page.rooms:
                return max(0, new)
            return None if dates_move or new == years else new
    for birth, other in _spans(draw) if page.rooms else ():
        was = _days(birth, other)
        if birth in page.rooms and -1 < was / _YEAR - years < _SPREAD:
            return max(0, years + round((_days(*_moved(birth, other, draw)) - was) / _YEAR))
    return None


def counted_parts(parts: Sequence[int], draw: Draw) -> Sequence[int] | None:
    """Return the age that replaces one of years and months, or years, months and days.

    None where no birth and date of the page are so far apart, to `_NEAR` days; see `counted_age`.

    Args:
        parts: Years, months and, if given, days.
        draw: Of the value.
    """
    for birth, other in _spans(draw):
        own = _parts(birth, other) if _is_whole(birth) and _is_whole(other) else (-1, 0, 0)
        if own[:2] == tuple(parts[:2]) and all(abs(own[2] - one) <= _NEAR for one in parts[2:]):
            return _parts(*_moved(birth, other, draw))[: len(parts)]
    return None


def counted_months(months: int, draw: Draw) -> int | None:
    """Return the age that replaces one of *months*, if the births of its page are known.

    None without a page, and if none of its births is that of an infant.
    """
    older: int | None = None
    for birth, other in _close(draw):
        if abs(_months(birth, other) - months) <= 1:
            new = _months(*_moved(birth, other, draw))
            return max(1, months + new - _months(birth, other))
        if older is None:
            days = _days(*_moved(birth, other, draw)) - _days(birth, other)
            older = round(days / _DAYS)
    return None if older is None else max(1, months + older)


def counted_days(number: int, unit: str, draw: Draw) -> int | None:
    """Return the age that replaces one of *number* weeks (``w``) or days (``d``).

    None where no birth of an infant and other date of the page are so far apart.
    """
    for birth, other in _close(draw):
        days = _days(birth, other)
        if days >= 0 and abs(days / _UNITS[unit] - number) <= 1:
            new = round(_days(*_moved(birth, other, draw)) / _UNITS[unit])
            return max(2, new)  # "1 day" has become "# days"
    return None


def _spans(draw: Draw) -> Iterator[tuple[PartialDate, PartialDate]]:
    """Yield births and other dates of the page; those births that stand nearest to the value."""
    context, page = context_of(draw.options), births_of(draw)
    if context is not None and page is not None:
        for birth in _nearest(page.births, context.start):
            for other in page.others:
                yield birth, other


def _close(draw: Draw) -> Iterator[tuple[PartialDate, PartialDate]]:
    """Yield whole births that have a date close to them, and other whole dates of the page."""
    page = births_of(draw)
    for birth, other in _spans(draw) if page and page.rooms else ():
        if page and birth in page.rooms and _is_whole(birth) and _is_whole(other):
            yield birth, other


def _moved(birth: PartialDate, other: PartialDate, draw: Draw) -> tuple[PartialDate, PartialDate]:
    """Return what a birth and another date become."""
    context = context_of(draw.options)
    dates_move = context is None or context.page.fact(dates_found)
    moved = move(birth, close_offset(birth, draw) or birth_offset(draw, birth.year))
    return moved, move(other, date_offset(draw)) if dates_move else other


def _nearest(births: Sequence[Placed], start: int) -> Sequence[PartialDate]:
    """Return the births that stand nearest to *start*, the nearest first."""
    at = bisect_left(births, start, key=lambda one: one[0])
    near = births[max(0, at - _BIRTHS) : at + _BIRTHS]
    return [birth for _, birth in sorted(near, key=lambda one: abs(one[0] - start))]


def _is_whole(found: PartialDate) -> bool:
    return bool(found.day and found.month)


def _days(birth: PartialDate, other: PartialDate) -> int:
    """Return the days between two dates."""
    return day_of(other).toordinal() - day_of(birth).toordinal()


def _years(birth: PartialDate, other: PartialDate) -> int:
    """Return the whole years between two whole dates."""
    assert birth.year is not None and other.year is not None
    early = (other.month, other.day) < (birth.month, birth.day)
    return other.year - birth.year - early


def _parts(birth: PartialDate, other: PartialDate) -> tuple[int, int, int]:
    """Return the whole years, months and days between two whole dates."""
    assert other.year is not None and other.month is not None
    assert birth.day is not None and other.day is not None
    years, months = divmod(_months(birth, other), 12)
    if other.day >= birth.day:
        return years, months, other.day - birth.day
    month = other.month - 1 or 12
    begun = PartialDate(other.year - (month > other.month), month)
    return years, months, max(0, last_day(begun) - birth.day) + other.day


def _months(birth: PartialDate, other: PartialDate) -> int:
    """Return the whole months between two whole dates."""
    assert birth.year is not None and other.year is not None
    assert birth.month is not None and other.month is not None
    assert birth.day is not None and other.day is not None
    return 12 * (other.year - birth.year) + other.month - birth.month - (other.day < birth.day)
