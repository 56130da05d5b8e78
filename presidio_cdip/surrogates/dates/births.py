"""Tell how far the births of a page can move, so that they stay in order with its other dates.

A birth moves by years, and the baptism beside it does not, or not so far: the child would be
baptized years late. A marriage before it would come after it. So a birth with such a date in its
line moves as the page's other dates do, and only a part of the days further that lie between the
two; at least a month where those dates stay. Births of some years in one line, of brothers and
sisters, move alike, so that they stay in order as well. All others move by years: a date that a
page only has beside a birth, as a list's of when each person came, keeps no birth near.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
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
Beside = tuple[int, PartialDate, bool]  # characters from a birth, a date, whether it keeps order
_DATES = 60  # dates of a long text that count, the first
_YOUNG_UNITS = re.compile(r"(?i)\b(?:months?|mos?|mths?|weeks?|wks?|days?)\b(?!.*\byears?\b)")
_MONTH = re.compile(r"(?<![\w/.-])[A-Z][A-Za-z]{2,8}\.?,? {1,2}(?:1[5-9]|20)\d\d(?!\w)")
_YEAR = re.compile(  # before a capitalized word it numbers a house
    r"(?<![\w/.,-])(?:1[5-9]|20)\d\d(?![\w/-]|[.,]\d|[^\S\n]+(?:[A-Z]|\d+[a-z]))"
)
# What keeps its order with a birth: "baptized", "wedding"
_EVENT = re.compile(rf"(?i)(?<!\w)(?:{alternation(english().labels['events_of_lives'])})(?!\w)")
_DIED = re.compile(r"(?<!\w)d\.[^\S\n]*$")
_LINE_END = re.compile(r"\n(?!\s*[a-z])|[\f\x0b]")  # a sentence goes on with a small letter
_FIELD = re.compile(r"[|{}]")
_OTHER_PERSON = re.compile(r"[;|{}]|\n|[.!?]\s+[A-Z]")
_DAYS_OLD = re.compile(r"(?i)(\d+)[ -]?(?:(weeks?|wks?)|days?)\b")
_BESIDE = 300  # characters between a birth and a date of the same person
_YEAR_BESIDE = 120  # characters between a birth and a year of the same person
_YOUNG = 3 * 366  # days up to which an age in months or days is that of an infant
_FIRST_YEAR = 366  # days after a birth in which a date tells that its person is an infant
_LEAST, _MOST = 31, 91  # days by which a birth moves beside a date that stays, or an infant's
_YEAR_DAYS = 365.2425
_WORD_END = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Infants:
    """The infants of a page, by its ages.

    Attributes:
        any: Whether it gives an age in months, weeks or days.
        ages: Ages in weeks or days, and the days of the unit.
    """

    any: bool
    ages: Sequence[tuple[int, int]]

    def explain(self, days: int) -> bool:
        """Tell whether an age in weeks or days is one of as many *days*."""
        return any(abs(days / unit - number) <= 1 for number, unit in self.ages)


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
        at, new, begin = 0, [], 0
        while match := pattern.search(page.text, begin):
            while at < len(taken) and taken[at][1] <= match.start():
                at += 1
            if at < len(taken) and taken[at][0] < match.end():  # "5. Seen 4" is no date
                begin = max(match.start() + 1, min(match.end(), taken[at][1]))
                continue
            year = PartialDate(int(match.group())) if pattern is _YEAR else None
            if date := year or _dated(match.group(), options):
                new.append(match.span())
                yield match.start(), date
                begin = match.end()
            else:
                word = _WORD_END.match(page.text, match.start())
                begin = max(match.start() + 1, word.end() if word else 0)
        taken = sorted([*taken, *new])


def _rooms(
    births: Sequence[Placed], others: Sequence[Placed], page: Page
) -> dict[PartialDate, Room]:
    """Return the room of each birth that has other dates beside it, and of those born near it."""
    moves = page.fact(dates_found)
    farthest = round((MOST_YEARS if moves else 2 * MOST_YEARS + 1) * _YEAR_DAYS)
    ages = page.values("AGE")
    infants = _Infants(
        any(_YOUNG_UNITS.search(one) for one in ages),
        tuple(
            (int(one[1]), 7 if one[2] else 1)
            for age in ages
            if _YOUNG_UNITS.search(age)
            for one in _DAYS_OLD.finditer(age[:_BESIDE])
        ),
    )
    placed = sorted(others, key=lambda one: one[0])
    starts = [start for start, _ in placed]
    own = [start for start, _ in births]
    rooms: dict[PartialDate, Room] = {}
    for start, birth in births:
        at = bisect_left(starts, start)
        low = 0 if infants.any else bisect_left(starts, start - _BESIDE)
        high = len(starts) if infants.any else bisect_left(starts, start + _BESIDE)
        beside = [
            (abs(where - start), date, _is_tied(start, where, page.text, own))
            for where, date in placed[max(low, at - _DATES) : min(high, at + _DATES)]
        ]
        room = _room(birth, beside, moves, infants, farthest)
        if room:
            rooms[birth] = min(room, rooms.get(birth, room), key=lambda one: one.high)
    return _shared(births, rooms, farthest, page.text, moves) if rooms else {}


def _is_tied(birth: int, other: int, text: str, births: Sequence[int]) -> bool:
    """Tell whether what happened at *other* keeps its order with a birth, in the line of both.

    It does not where a semicolon parts them, and one of the other *births* stands on its side.
    """
    low, high = min(birth, other), max(birth, other)
    if high - low > _BESIDE or _LINE_END.search(text, low, high) or _FIELD.search(text, low, high):
        return False
    if ";" in text[low:high]:
        first = max(text.rfind(";", max(0, other - _BESIDE), other), other - _BESIDE)
        last = text.find(";", other, other + _BESIDE)
        at = bisect_left(births, first)
        if at < len(births) and births[at] < (last if last >= 0 else other + _BESIDE):
            return False
    before = _LINE_END.split(text[max(0, other - _YEAR_BESIDE) : other])[-1]
    digit = max((at for at, one in enumerate(before) if one.isdigit()), default=-1)
    clause = before[digit + 1 :]
    return bool(_EVENT.search(clause) or _DIED.search(clause))


def _room(
    birth: PartialDate,
    others: Sequence[Beside],
    moves: bool,
    infants: _Infants,
    farthest: int,
) -> Room | None:
    """Return the room of *birth* between the *others* beside it; None if it has all there is."""
    if birth.month is None:
        return _room_of_year(birth, others, moves, farthest)
    own = day_of(birth).toordinal()
    before, after, in_days = farthest, _YOUNG + 1, False
    for away, other, is_tied in others:
        is_exact = bool(other.day and other.month)
        is_near = is_tied and away <= (_BESIDE if other.month else _YEAR_BESIDE)
        if not (is_near or infants.any) or (not is_exact and _same(other, birth)):
            continue
        days = day_of(other).toordinal() - own
        if not birth.day and _same(other, birth):
            days = 1
        if days == 0 and moves:
            return Room(0, 0)
        if is_exact and 0 < days <= (_YOUNG if infants.any else _FIRST_YEAR):
            after = min(after, days)
            in_days = in_days or infants.explain(days)
        elif 0 > days > -before and is_near:
            before = -days
    if after > _YOUNG and before == farthest:
        return None
    high = farthest if after > _YOUNG else min(_MOST, max(2, after))
    if not moves and not (in_days and birth.day):
        return _room_beside_staying(before, farthest if after > _YOUNG else _MOST)
    if before < farthest:
        high = min(high, before // 2)
    if high:
        return Room(min(_LEAST, high // 3 + 1) if high <= _MOST else high // 3, high)
    if moves:
        return Room(0, 0)
    return Room(-max(1, after // 2), -1) if after <= _YOUNG else None


def _room_beside_staying(before: int, most: int) -> Room | None:
    """Return the room of a birth whose other dates stay: a month at least.

    Args:
        before: Days since the date before it.
        most: Days by which it can move because of the date after it.
    """
    if before <= _LEAST:  # there is no order that hides the day
        return Room(_LEAST, most) if most <= _MOST else None
    high = min(most, max(before // 2, min(before - 1, 2 * _LEAST)))
    return Room(_LEAST if high <= _MOST else max(_LEAST, high // 3), high)


def _room_of_year(
    birth: PartialDate, others: Sequence[Beside], moves: bool, farthest: int
) -> Room | None:
    """Return the room of a *birth* of which the year alone is known, in days of whole years."""
    own = day_of(birth)
    before, later, is_young = farthest, 0, False
    for away, other, is_tied in others:
        if not is_tied or away > (_BESIDE if other.month else _YEAR_BESIDE):
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


def _hides(room: Room) -> bool:
    """Tell whether *room* moves a birth by a month at least, or by years alone."""
    return room.low >= _LEAST or room.high >= _FIRST_YEAR


def _shared(
    births: Sequence[Placed],
    rooms: Mapping[PartialDate, Room],
    farthest: int,
    text: str,
    moves: bool,
) -> dict[PartialDate, Room]:
    """Return *rooms*, with the least of them for births of one line that are near each other."""
    found = dict(rooms)
    days = {birth: day_of(birth).toordinal() for _, birth in births}
    groups: list[list[Placed]] = []
    for start, birth in births:
        last = groups[-1] if groups else []
        near = (
            last
            and start - last[-1][0] <= _YEAR_BESIDE
            and not _OTHER_PERSON.search(text, last[-1][0], start)
        )
        if near and min(abs(days[birth] - days[one]) for _, one in last[-8:]) <= farthest:
            last.append((start, birth))
        else:
            groups.append([(start, birth)])
    for group in groups:
        # An infant's age in days moves no birth but its own by a few of them.
        wide = [birth for _, birth in group if birth not in rooms or moves or _hides(rooms[birth])]
        own = [rooms[birth] for birth in wide if birth in rooms]
        if own:
            least = min(own, key=lambda one: abs(one.high))
            found |= dict.fromkeys(wide, least)
    return found


def _dated(value: str, options: Mapping[str, Any]) -> PartialDate | None:
    """Return the date that *value* is, if it has a year."""
    parsed = parsed_date(value, options)
    found = parsed.found if parsed else None
    return found if found and found.year and (found.month or not found.day) else None
