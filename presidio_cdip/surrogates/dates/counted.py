"""Tell how old somebody becomes on a page whose dates stay while its births move.

An age is counted to a date of its page. Where that date stays, a birth that moves by days passes
its birthday, or does not, and so the years between the two differ by one from those of another age.

An infant whose age a page gives in months would be a schoolchild with a birth that moves by years.
So such births move by one to three months, and the months of the age go with them.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.consistency import DATE
from presidio_cdip.recognition.dates import PartialDate
from presidio_cdip.surrogates.dates.reading import parsed_date
from presidio_cdip.surrogates.dates.shifts import (
    Offset,
    birth_offset,
    date_offset,
    dates_found,
    last_day,
    move,
)
from presidio_cdip.surrogates.drawing.context import Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import pack_of

Placed = tuple[int, PartialDate]  # an offset in the text, and the whole date that stands there
_DATES = 60  # dates of a long text that count, the first
_BIRTHS = 8  # births on either side of an age that may explain it
_MONTHS = re.compile(r"(?i)\b(?:months?|mos?|mths?)\b(?!.*\byears?\b)")
_YOUNG = 36  # months up to which an age is that of an infant
_LEAST, _MOST = 31, 91  # days by which an infant gets older: a month at least
_NEAR = 2  # days by which an age of years, months and days may be miscounted
_DAYS = 30.44  # of a month, on average


@dataclass(frozen=True, slots=True)
class _Reader:
    """Read the whole dates of a page: its births, and the others that stand in its text."""

    pack: Pack
    locale: str

    def __call__(self, page: Page) -> tuple[tuple[Placed, ...], tuple[PartialDate, ...]]:
        options = {"pack": self.pack, "locale": self.locale}
        births = [
            (one.start, date)
            for one in page.findings
            if one.entity == "DATE_OF_BIRTH"
            if (date := _whole(page.text[one.start : one.end].strip(), options))
        ]
        if not births:
            return (), ()
        found = [(one.start, one.end) for one in page.findings if one.entity != "DATE_TIME"]
        others: dict[PartialDate, None] = {}
        at = 0
        for match in DATE.finditer(page.text):
            while at < len(found) and found[at][1] <= match.start():
                at += 1
            stays = at == len(found) or found[at][0] >= match.end()
            if stays and (date := _whole(match.group(), options)):
                others[date] = None
            if len(others) == _DATES:
                break
        return tuple(births), tuple(others)


def counted_age(years: int, draw: Draw) -> int | None:
    """Return the age that replaces one of *years*, from the nearest birth that explains it.

    None where the page is unknown, its dates move as well, or no birth and date on it are *years*
    apart.
    """
    context = context_of(draw.options)
    if context is None or context.page.fact(dates_found):
        return None
    reader = _Reader(pack_of(draw.options), str(draw.options.get("locale", "en_US")))
    births, others = context.page.fact(reader)
    for birth in _nearest(births, context.start):
        for other in others:
            if _years(birth, other) == years:
                return _years(move(birth, infant_offset(birth, draw) or birth_offset(draw)), other)
    return None


def counted_parts(parts: Sequence[int], draw: Draw) -> Sequence[int] | None:
    """Return the age that replaces one of years and months, or years, months and days.

    None where no birth and date of the page are so far apart, to `_NEAR` days; see `counted_age`.

    Args:
        parts: Years, months and, if given, days.
        draw: Of the value.
    """
    context = context_of(draw.options)
    if context is None:
        return None
    reader = _Reader(pack_of(draw.options), str(draw.options.get("locale", "en_US")))
    births, others = context.page.fact(reader)
    dates_move = context.page.fact(dates_found)
    for birth in _nearest(births, context.start):
        for other in others:
            own = _parts(birth, other)
            if own[:2] == tuple(parts[:2]) and all(abs(own[2] - one) <= _NEAR for one in parts[2:]):
                moved = move(birth, infant_offset(birth, draw) or birth_offset(draw))
                to = move(other, date_offset(draw)) if dates_move else other
                return _parts(moved, to)[: len(parts)]
    return None


def infant_offset(birth: PartialDate, draw: Draw) -> Offset | None:
    """Return the distance by which *birth* moves if it is that of an infant, or None if it is not.

    It is if its page gives an age in months and a date up to three years after it. Such a birth
    moves as the other dates of its page do, and 31 to 91 days further.
    """
    context = context_of(draw.options)
    if context is None or draw.options.get("age", "moved") != "moved":
        return None
    if not context.page.fact(_has_months):
        return None
    reader = _Reader(pack_of(draw.options), str(draw.options.get("locale", "en_US")))
    _, others = context.page.fact(reader)
    is_whole = birth.year and birth.month and birth.day
    if not is_whole or not any(0 <= _months(birth, other) <= _YOUNG for other in others):
        return None
    dates_move = context.page.fact(dates_found)
    return Offset(_older(draw) + (date_offset(draw).days if dates_move else 0))


def counted_months(months: int, draw: Draw) -> int | None:
    """Return the age that replaces one of *months*, if the births of its page are known.

    None without a page, and if none of its births is that of an infant.
    """
    context = context_of(draw.options)
    if context is None:
        return None
    reader = _Reader(pack_of(draw.options), str(draw.options.get("locale", "en_US")))
    births, others = context.page.fact(reader)
    infants = [birth for birth in _nearest(births, context.start) if infant_offset(birth, draw)]
    days = _older(draw)
    for birth in infants:
        for other in others:
            if abs(_months(birth, other) - months) <= 1:
                moved = move(birth, Offset(days))
                return months + _months(moved, other) - _months(birth, other)
    return months + round(days / _DAYS) if infants else None


def _nearest(births: Sequence[Placed], start: int) -> Sequence[PartialDate]:
    """Return the births that stand nearest to *start*, the nearest first."""
    at = bisect_left(births, start, key=lambda one: one[0])
    near = births[max(0, at - _BIRTHS) : at + _BIRTHS]
    return [birth for _, birth in sorted(near, key=lambda one: abs(one[0] - start))]


def _older(draw: Draw) -> int:
    """Return the days by which a scope's infants get older."""
    return draw.shared("infant").between(_LEAST, _MOST)


def _has_months(page: Page) -> bool:
    """Tell whether *page* gives an age in months."""
    return any(_MONTHS.search(one) for one in page.values("AGE"))


def _whole(value: str, options: Mapping[str, Any]) -> PartialDate | None:
    parsed = parsed_date(value, options)
    found = parsed.found if parsed else None
    return found if found and found.year and found.month and found.day else None


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
