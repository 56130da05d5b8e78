"""Tell how far the births of a page can move, so that they stay in order with its other dates.

A birth moves by years, and the baptism beside it does not, or not so far: the child would be
baptized years late. A marriage before it would come after it. So a birth with such a date beside it
moves as the page's other dates do, and only a part of the days further that lie between the two.
Births of some years, of brothers and sisters, move alike, so that they stay in order as well.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.consistency import DATE
from presidio_cdip.recognition.dates import PartialDate
from presidio_cdip.surrogates.dates.reading import parsed_date
from presidio_cdip.surrogates.dates.shifts import (
    MOST_YEARS,
    Offset,
    date_offset,
    dates_found,
    day_of,
)
from presidio_cdip.surrogates.drawing.context import Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import pack_of

Placed = tuple[int, PartialDate]  # an offset in the text, and the date that stands there
_DATES = 60  # dates of a long text that count, the first
_YOUNG_UNITS = re.compile(r"(?i)\b(?:months?|mos?|mths?|weeks?|wks?|days?)\b(?!.*\byears?\b)")
_MONTH = re.compile(r"(?<![\w/.-])[A-Z][A-Za-z]{2,8}\.?,? {1,2}(?:1[5-9]|20)\d\d(?!\w)")
_YEAR = re.compile(r"(?<![\w/.,-])(?:1[5-9]|20)\d\d(?![\w/-]|[.,]\d)")
_BESIDE = 300  # characters between a birth and a date of the same person
_YEAR_BESIDE = 120  # characters between a birth and a year of the same person
_YOUNG = 3 * 366  # days up to which an age in months or days is that of an infant
_FIRST_YEAR = 366  # days after a birth in which a date tells that its person is an infant
_LEAST, _MOST = 31, 91  # days by which an infant gets older
_YEAR_DAYS = 365.2425


class Room(NamedTuple):
    """The days by which a birth moves further than the dates beside it: between *low* and *high*.

    Negative days move it forward.
    """

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Births:
    """The dates of a page.

    Attributes:
        births: Its dates of birth, with a year at least.
        others: The dates in its text that are no births, and stay or are found as DATE_TIME.
        rooms: By births, the room of those that have other dates beside them.
    """

    births: Sequence[Placed]
    others: Sequence[PartialDate]
    rooms: Mapping[PartialDate, Room]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Read the births of a page, and how far they can move: a fact of `Page.fact`."""

    pack: Pack
    locale: str

    def __call__(self, page: Page) -> Births:
        options = {"pack": self.pack, "locale": self.locale}
        births = [
            (one.start, date)
            for one in page.findings
            if one.entity == "DATE_OF_BIRTH"
            if (date := _dated(page.text[one.start : one.end].strip(), options))
        ]
        if not births:
            return Births((), (), {})
        others = list(_others(page, options))
        dates = sorted(dict.fromkeys(date for _, date in others), key=lambda one: not one.day)
        return Births(tuple(births), tuple(dates[:_DATES]), _rooms(births, others, page))


def births_of(draw: Draw) -> Births | None:
    """Return the births of the page that a value stands on; None if only the value is known."""
    context = context_of(draw.options)
    if context is None:
        return None
    locale = str(draw.options.get("locale", "en_US"))
    return context.page.fact(_Reader(pack_of(draw.options), locale))


def close_offset(birth: PartialDate, draw: Draw) -> Offset | None:
    """Return the distance by which *birth* moves if a date stands close to it; None if none does.

    Such a birth moves as the other dates of its page do, and by some days further.
    """
    if draw.options.get("age", "moved") != "moved" or (births := births_of(draw)) is None:
        return None
    if (room := births.rooms.get(birth)) is None:
        return None
    context = context_of(draw.options)
    moves = context is not None and context.page.fact(dates_found)
    chance = draw.shared("infant")
    if birth.month is None and not moves:  # a year alone moves by one at least
        low, high = (round(days / _YEAR_DAYS) for days in room)
        return Offset(0, chance.choice([years for years in range(low, high + 1) if years] or [1]))
    days = chance.between(*room)
    return Offset(days + (date_offset(draw).days if moves else 0))


def _others(page: Page, options: Mapping[str, Any]) -> Iterator[Placed]:
    """Yield the dates of *page* that are no births: years alone, too."""
    found = [(one.start, one.end) for one in page.findings if one.entity != "DATE_TIME"]
    for one in page.findings:
        value = page.text[one.start : one.end].strip()
        if one.entity == "DATE_TIME" and (date := _dated(value, options)):
            yield one.start, date
    taken: list[tuple[int, int]] = sorted(found)
    for pattern in (DATE, _MONTH, _YEAR):
        at, new = 0, []
        for match in pattern.finditer(page.text):
            while at < len(taken) and taken[at][1] <= match.start():
                at += 1
            if at < len(taken) and taken[at][0] < match.end():
                continue
            year = PartialDate(int(match.group())) if pattern is _YEAR else None
            if date := year or _dated(match.group(), options):
                new.append(match.span())
                yield match.start(), date
        taken = sorted([*taken, *new])


def _rooms(
    births: Sequence[Placed], others: Sequence[Placed], page: Page
) -> dict[PartialDate, Room]:
    """Return the room of each birth that has other dates beside it, and of those born near it."""
    moves = page.fact(dates_found)
    farthest = round((MOST_YEARS if moves else 2 * MOST_YEARS + 1) * _YEAR_DAYS)
    young = any(_YOUNG_UNITS.search(one) for one in page.values("AGE"))
    placed = sorted(others, key=lambda one: one[0])
    starts = [start for start, _ in placed]
    rooms: dict[PartialDate, Room] = {}
    for start, birth in births:
        at = bisect_left(starts, start)
        low = 0 if young else bisect_left(starts, start - _BESIDE)
        high = len(starts) if young else bisect_left(starts, start + _BESIDE)
        beside = placed[max(low, at - _DATES) : min(high, at + _DATES)]
        room = _room(start, birth, beside, moves, young, farthest)
        if room:
            rooms[birth] = min(room, rooms.get(birth, room), key=lambda one: one.high)
    return _shared(births, rooms, farthest) if rooms else {}


def _room(
    start: int,
    birth: PartialDate,
    others: Sequence[Placed],
    moves: bool,
    young: bool,
    farthest: int,
) -> Room | None:
    """Return the room of *birth* between the *others* beside it; None if it has all there is."""
    if birth.month is None:
        return _room_of_year(start, birth, others, moves, farthest)
    own = day_of(birth).toordinal()
    before, after = farthest, _YOUNG + 1
    for at, other in others:
        away = abs(at - start)
        is_exact = bool(other.day and other.month)
        is_near = away <= (_BESIDE if other.month else _YEAR_BESIDE)
        if not (is_near or young) or (not is_exact and _same(other, birth)):
            continue
        days = day_of(other).toordinal() - own
        if not birth.day and _same(other, birth):
            days = 1
        if days == 0 and moves:
            return Room(0, 0)
        if is_exact and 0 < days <= (_YOUNG if young else _FIRST_YEAR):
            after = min(after, days)
        elif 0 > days > -before and is_near:
            before = -days
    if after > _YOUNG and before == farthest:
        return None
    high = farthest if after > _YOUNG else min(_MOST, max(2, after))
    if before < farthest:
        high = min(high, before // 2)
    if not birth.day and not moves:  # another month
        high = max(high, min(2 * _LEAST, before - _LEAST))
        return Room(_LEAST, high) if high > _LEAST else None
    if high:
        return Room(min(_LEAST, high // 3 + 1) if high <= _MOST else high // 3, high)
    if moves:
        return Room(0, 0)
    return Room(-max(1, after // 2), -1) if after <= _YOUNG else None


def _room_of_year(
    start: int, birth: PartialDate, others: Sequence[Placed], moves: bool, farthest: int
) -> Room | None:
    """Return the room of a *birth* of which the year alone is known, in days of whole years."""
    own = day_of(birth)
    before, later, is_young = farthest, 0, False
    for at, other in others:
        if abs(at - start) > (_BESIDE if other.month else _YEAR_BESIDE):
            continue
        days = own.toordinal() - day_of(other).toordinal()
        if other.year == birth.year:
            is_young = is_young or other.month is not None
            later = max(later, days)
        elif 0 < days < before:
            before = days
    if is_young and moves:  # it becomes no year after that date's
        return Room(later, later)
    if not is_young and before == farthest:
        return None
    if moves:
        return Room(before // 3, before // 2)
    high = min(before, 2 * _FIRST_YEAR) if is_young else before
    return Room(_FIRST_YEAR if is_young else -2 * _FIRST_YEAR, max(_FIRST_YEAR, high))


def _same(one: PartialDate, other: PartialDate) -> bool:
    """Return whether two dates have one year, and one month if both have a month."""
    return one.year == other.year and (
        one.month is None or other.month is None or one.month == other.month
    )


def _shared(
    births: Sequence[Placed], rooms: Mapping[PartialDate, Room], farthest: int
) -> dict[PartialDate, Room]:
    """Return *rooms*, with the least of them for births that stand and are near each other."""
    found: dict[PartialDate, Room] = {}
    days = {birth: day_of(birth).toordinal() for _, birth in births}
    groups: list[list[Placed]] = []
    for start, birth in births:
        last = groups[-1] if groups else []
        near = last and start - last[-1][0] <= _BESIDE
        if near and min(abs(days[birth] - days[one]) for _, one in last[-8:]) <= farthest:
            last.append((start, birth))
        else:
            groups.append([(start, birth)])
    for group in groups:
        own = [rooms[birth] for _, birth in group if birth in rooms]
        if own:
            least = min(own, key=lambda one: abs(one.high))
            found |= {birth: least for _, birth in group}
    return found


def _dated(value: str, options: Mapping[str, Any]) -> PartialDate | None:
    """Return the date that *value* is, if it has a year."""
    parsed = parsed_date(value, options)
    found = parsed.found if parsed else None
    return found if found and found.year and (found.month or not found.day) else None
