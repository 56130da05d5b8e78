"""Draw the offset by which a scope moves its dates, and the years by which births move further."""

import re
from calendar import isleap
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.recognition.dates import PartialDate
from presidio_cdip.surrogates.drawing.chance import Drawn
from presidio_cdip.surrogates.drawing.context import Context, Page, blanked, context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.writing import spelled
from presidio_cdip.surrogates.writing.tokens import tokenize

_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_STARTS = tuple(sum(_LENGTHS[:month]) for month in range(12))
_LEAP_YEAR = 2000  # for dates without a year, so that 29 February exists
_YEAR = 365.2425  # days, on average
MOST_YEARS = 4
_FIRST_YEAR = 1000 + 3 * MOST_YEARS  # earlier dates move forward: years keep four digits
_LEAST, _MOST = 17, 91  # days between an offset and the nearest whole number of years
_OFFSETS = tuple(
    round(years * _YEAR) + sign * days
    for years in range(1, MOST_YEARS + 1)
    for sign in (1, -1)
    for days in range(_LEAST, _MOST + 1)
)
_FEW_YEARS = 2  # by which minors get older
_MINOR = 17  # years, the last of a minor
_CLOSE = (31, 91)  # the days beside these
_GRADES = "|".join(english().labels["grades"])
_GRADE = re.compile(rf"(?i)\b(?:(?:{_GRADES})\.?:? ?[1-9k]\b|[1-9](?:st|nd|rd|th) (?:{_GRADES})\b)")
_OTHER_GRADE = re.compile(
    rf"(?i)\b(?:{'|'.join(english().labels['of_other_grades'])})s?\b[^.\n]{{0,20}}$"
)
_OTHER_BEHIND = re.compile(rf"(?i)\W+(?:{'|'.join(english().labels['of_other_grades'])})s?\b")
_EYES = "|".join(english().labels["of_eyes"])
_PUPILS = re.compile(
    rf"(?i)\b(?:{'|'.join(english().labels['pupils'])})\b"
    rf"(?!\W+(?:\w+\W+){{0,2}}(?:{_EYES})\b)"
)
_EYES_BEFORE = re.compile(rf"(?i)\b(?:{_EYES})\W+$")
_BEFORE = 40  # characters before a word that tell its sense
_YOUNGER = frozenset(one for key in ("months", "weeks", "days") for one in english().labels[key])
_PARENT = 14  # years, the least age of a parent
_HUNDRED = 100
_BESIDE = 60  # characters from an age to the birth of the same person
_YEAR_TOLD = re.compile(
    r"(?<![\w.,])((?:1[6-9]|20)\d\d)(?!\w|[.,]\d)|(?<=\d[/-])(?<!\d{3}[/-])(\d\d)(?![\w/-])"
)
_FULL_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")
_LAST_YEAR = re.compile(r"(?<=\D)\d\d\Z")
_OF_MINORS = re.compile(rf"(?i)(?<!\w)(?:{alternation(english().labels['of_minors'])})(?!\w)")
_PART_END = re.compile(r"\n|[.;!?]\s+(?=[A-Z])")
# The offsets of each value of the parameter `dates`: with "weeks", weekdays stay.
OFFSETS = {
    "shifted": tuple(days for days in _OFFSETS if days % 7),
    "weeks": tuple(days for days in _OFFSETS if days % 7 == 0),
}


@dataclass(frozen=True, slots=True)
class Offset:
    """The distance by which dates move back.

    Attributes:
        days: 274 to 1552, and 17 to 91 from a whole number of years: so a year alone seldom
            contradicts a whole date in it, and a month alone moves to another month.
        years: Calendar years beyond the days, by which all ages increase; 0 except for births.
        inverts: Whether dates move forth by it instead, to where it moves them back from.
    """

    days: int
    years: int = 0
    inverts: bool = False

    @property
    def whole_years(self) -> int:
        """Return the years by which a year alone moves."""
        return round(self.days / _YEAR) + self.years


def date_offset(draw: Draw) -> Offset:
    """Return the scope's offset for dates other than births."""
    days = draw.shared("date").choice(OFFSETS[draw.options.get("dates", "shifted")])
    return Offset(days, inverts=draw.keyring.inverts)


def birth_offset(draw: Draw, year: int | None = None) -> Offset:
    """Return the scope's offset for births: that of other dates, and the years ages increase by.

    With ``age: kept``, ages stay and births move as other dates do. Who is a minor, or was one in
    what the page tells, gets older by a year or two, and by a few months more if its dates stay.

    Args:
        draw: Of a birth, or of an age that is counted from one.
        year: Of that birth, with four or two digits; the value of *draw* tells it else.
    """
    dates = date_offset(draw)
    if draw.options.get("age") == "kept":
        return dates
    context = context_of(draw.options)
    is_young = context is not None and _is_young(context, year)
    return _offset_of_births(draw, dates, is_young)


def _offset_of_births(draw: Draw, dates: Offset, is_young: bool) -> Offset:
    context = context_of(draw.options)
    if not is_young or context is None:
        return replace(dates, years=draw.shared("birth").between(1, MOST_YEARS))
    years = draw.shared("birth").between(1, _FEW_YEARS)
    if context.page.fact(dates_found):
        return replace(dates, years=years)
    return replace(dates, days=draw.shared("pupil").between(*_CLOSE), years=years)


def age_offset(draw: Draw) -> int:
    """Return the years by which an age increases.

    They are the years between a moved birth and the date that the age is counted to. If the page is
    known and none of its other dates are found, these stay, and births move away from them.
    """
    dates, context = date_offset(draw), context_of(draw.options)
    births = dates
    if draw.options.get("age") != "kept":
        is_young = context is not None and _is_age_of_young(context)
        births = _offset_of_births(draw, dates, is_young)
    dates_move = context is None or context.page.fact(dates_found)
    return births.years if dates_move else births.whole_years


def dates_found(page: Page) -> bool:
    """Tell whether other dates than births are replaced on *page*."""
    return any(one.entity == "DATE_TIME" for one in page.findings)


def _years_of(age: str) -> int:
    """Return the years of an age; 0 if it has none.

    >>> [_years_of(age) for age in ("fifteen", "aged 7½", "twenty-six", "5 yrs. 5 mths.", "9 mo.")]
    [15, 7, 26, 5, 0]
    """
    keys = [token.key for token in tokenize(age)[0]]
    for at, key in enumerate(keys):
        digits, number = re.match(r"[0-9]{1,3}", key), spelled.find(keys, at)
        if digits or number:
            years = int(digits.group()) if digits else number.value if number else 0
            unit = keys[at + (number.words if number and not digits else 1) :][:1]
            return 0 if _YOUNGER.intersection(unit) else years
    return 0


@dataclass(frozen=True, slots=True)
class _Persons:
    """The years of a page's births and other dates, and which are births of young persons.

    Attributes:
        births: Years, below 100 where a birth has two digits.
        young: Of those, births of minors and of whom the page tells what they were as minors.
        years: Of the page's other dates.
        minor: Whether an age of the page is one of a minor.
    """

    births: frozenset[int] = frozenset()
    young: frozenset[int] = frozenset()
    years: frozenset[int] = frozenset()
    minor: bool = False

    def explain(self, age: int, births: Collection[int]) -> bool:
        """Tell whether one of *births* and a year of the page are *age* years apart."""
        return any(_apart(one, year) - age in (0, 1) for one in births for year in self.years)


def _apart(birth: int, year: int) -> int:
    """Return the years from a birth to another year; centuries do not count for two digits.

    >>> _apart(1950, 2060), _apart(50, 1966)
    (110, 16)
    """
    return year - birth if birth >= _HUNDRED and year >= _HUNDRED else (year - birth) % _HUNDRED


def _persons(page: Page) -> _Persons:
    """Read the births of *page*, and which are of young persons: a fact of the page."""
    born = {
        one.start: year
        for one in page.findings
        if one.entity == "DATE_OF_BIRTH"
        if (year := _year_of_birth(page.text[one.start : one.end])) is not None
    }
    ages = {
        one.start: age
        for one in page.findings
        if one.entity == "AGE" and (age := _years_of(page.text[one.start : one.end]))
    }
    births = frozenset(born.values())
    text = blanked(page, ("PERSON", "ORGANIZATION", "DATE_TIME"))
    told = list(_YEAR_TOLD.finditer(text))
    years = frozenset(int(one[1] or one[2]) for one in told)
    minors = {age for age in ages.values() if age <= _MINOR}
    found = _Persons(births, years=years, minor=bool(minors))
    if not births:
        return found
    events = {int(one[1]) for one in told if one[1] and _tells_of_minor(text, one.span())}
    adults = set(ages.values()) - minors
    young = {
        birth
        for birth in births
        if any(0 < _apart(birth, year) <= _MINOR for year in events)
        or any(found.explain(age, (birth,)) for age in minors)
    }
    beside = {_birth_beside(at, born, ages, text) for at, age in ages.items() if age in minors}
    young |= {
        birth
        for birth in beside
        if birth is not None and not any(found.explain(age, (birth,)) for age in adults)
    }
    if minors and not young and not adults and max(births) - min(births) <= _MINOR:
        young = set(births)
    later = _FEW_YEARS if page.fact(dates_found) else 2 * MOST_YEARS
    young |= {
        birth
        for birth in births
        for elder in young
        if 0 <= birth - elder <= later or _PARENT <= birth - elder < _PARENT + later
    }
    return replace(found, young=frozenset(young))


def _year_of_birth(value: str) -> int | None:
    """Return the year of a birth, with its two digits where it has no four."""
    found = _FULL_YEAR.search(value) or _LAST_YEAR.search(value.strip())
    return int(found.group()) if found else None


def _tells_of_minor(text: str, year: tuple[int, int]) -> bool:
    """Tell whether a word beside a year, on its line, is one for a school, a court, a baptism."""
    before = _PART_END.split(text[max(0, year[0] - _BEFORE) : year[0]])[-1]
    behind = _PART_END.split(text[year[1] : year[1] + _BEFORE])[0]
    return bool(_OF_MINORS.search(before) or _OF_MINORS.search(behind))


def _birth_beside(
    age: int, births: Mapping[int, int], ages: Mapping[int, int], text: str
) -> int | None:
    """Return the birth nearest to the age at *age* on its line, with no other age between."""
    near = sorted(births, key=lambda at: abs(at - age))[:1]
    for at in near:
        low, high = min(at, age), max(at, age)
        if high - low <= _BESIDE and "\n" not in text[low:high]:
            return None if any(low < one < high for one in ages) else births[at]
    return None


def _is_young(context: Context, year: int | None) -> bool:
    """Tell whether a birth at *context*, or one in *year*, is of a minor; see `birth_offset`."""
    page = context.page
    if page.fact(_of_pupils):
        return True
    own = _year_of_birth(page.text[context.start : context.end]) if year is None else year
    young = page.fact(_persons).young
    return own is not None and any((own - one) % _HUNDRED == 0 for one in young)


def _is_age_of_young(context: Context) -> bool:
    """Tell whether an age at *context* is one of a minor, or of whom the page tells as a minor."""
    page, years = context.page, _years_of(context.page.text[context.start : context.end])
    if page.fact(_of_pupils) or 0 < years <= _MINOR:
        return True
    found = page.fact(_persons)
    if found.young and found.young == found.births and not found.minor:
        return True
    others = found.births - found.young
    return found.explain(years, found.young) and not found.explain(years, others)


def _of_pupils(page: Page) -> bool:
    """Tell whether *page* has a grade of a school, which tells the age of its pupils."""
    return any(
        not _OTHER_GRADE.search(page.text[max(0, one.start() - _BEFORE) : one.start()])
        and not _OTHER_BEHIND.match(page.text, one.end())
        for one in _GRADE.finditer(page.text)
    ) and any(
        not _EYES_BEFORE.search(page.text[max(0, one.start() - _BEFORE) : one.start()])
        for one in _PUPILS.finditer(page.text)
    )


def move(found: PartialDate, offset: Offset) -> PartialDate:
    """Return *found* moved by *offset*, with the same parts.

    A month without a day moves as its 15th does, a year alone as its 1 July, a day that its month
    does not have as the month's last day. Without a year, month and day move within the year by the
    difference of the offset from whole years. A day alone becomes another one from 1 to 28.

    Args:
        found: A date, whose year has four digits.
        offset: Of the scope.

    >>> move(PartialDate(1965, 11, 9), Offset(400)), move(PartialDate(1965, 11, 9), Offset(400, 3))
    (PartialDate(year=1964, month=10, day=5), PartialDate(year=1961, month=10, day=5))
    >>> move(PartialDate(1965), Offset(400)), move(PartialDate(None, 11), Offset(400))
    (PartialDate(year=1964, month=None, day=None), PartialDate(year=None, month=10, day=None))
    """
    year, month, day = found.year, found.month, found.day
    if year is None and month is None and day is None:
        return found
    if offset.inverts:
        return _origin(found, replace(offset, inverts=False))
    if month is None and day:
        day = 1 + (day + offset.days % 27) % 28
        return PartialDate(year and year - offset.whole_years, None, day)
    if year is None:
        assert month is not None
        within = Offset(offset.days - round((offset.whole_years - offset.years) * _YEAR))
        at = _earlier(day_of(found), within)
        return PartialDate(None, at.month, day and at.day)
    if year < _FIRST_YEAR:
        offset = Offset(-offset.days, -offset.years)
    at = _born(day_of(found), offset) if offset.years else _earlier(day_of(found), offset)
    return PartialDate(at.year, month and at.month, day and at.day)


_AROUND = 3  # days, months or years beside an origin that may move to the same date
_FORTH = MOST_YEARS * 2 + 1  # years by which early dates move forward, at most


def _origin(now: PartialDate, offset: Offset) -> PartialDate:
    """Return the only date that *offset* moves to *now*.

    Raises:
        Drawn: There is none, or there are several.
    """
    found = {one for one in _origins(now, offset) if _moves_to(one, offset, now)}
    if len(found) != 1:
        raise Drawn("has several originals" if found else "is no date that this offset gives")
    return found.pop()


def _moves_to(one: PartialDate, offset: Offset, now: PartialDate) -> bool:
    try:
        return move(one, offset) == now
    except (ValueError, OverflowError):
        return False


def _origins(now: PartialDate, offset: Offset) -> Iterator[PartialDate]:
    """Yield dates with the parts of *now* among which are all that *offset* moves to it."""
    if now.year is None:
        months = range(1, 13) if now.month else (None,)
        for month in months:
            days = range(1, 1 + (_LENGTHS[month - 1] if month else 31)) if now.day else (None,)
            yield from (PartialDate(None, month, day) for day in days)
        return
    for sign in (1, -1) if now.year < _FIRST_YEAR + _FORTH else (1,):
        if now.month is None:
            year = now.year + sign * offset.whole_years
            days = range(1, 32) if now.day else (None,)
            for by in range(-_AROUND, _AROUND + 1):
                yield from (PartialDate(year + by, None, day) for day in days)
            continue
        back = replace(offset, days=-sign * offset.days, years=0)
        try:
            middle = _earlier(_years_back(day_of(now), -sign * offset.years), back)
            for by in range(-_AROUND, _AROUND + 1):
                if now.day is None:
                    year, month = divmod(12 * middle.year + middle.month - 1 + by, 12)
                    yield PartialDate(year, month + 1)
                else:
                    one = date.fromordinal(middle.toordinal() + by)
                    yield PartialDate(one.year, one.month, one.day)
        except (ValueError, OverflowError):  # beyond the calendar
            continue


def moved_year(year: int, offset: Offset) -> int:
    """Return *year* moved as its 1 July is."""
    return move(PartialDate(year), offset).year or year


def day_of(found: PartialDate) -> date:
    """Return the day that *found* stands for: of a month its 15th, of a year its 1 July."""
    if found.month is None:
        return date(found.year or _LEAP_YEAR, 7, 1)
    day = min(found.day or 15, last_day(found))
    return date(found.year or _LEAP_YEAR, found.month, day)


def _earlier(day: date, offset: Offset) -> date:
    return date.fromordinal(day.toordinal() - offset.days)


def _born(birth: date, offset: Offset) -> date:
    """Return the birth whose birthdays are the moved birthdays of *birth*.

    Moved by a number of days, the birthdays of a person fall on two different days of the year,
    because only some years have a 29 February. The birth has the earlier of these, so that nobody
    is a year too young on a moved birthday.
    """
    birthdays = (
        _years_back(_earlier(_years_back(birth, -age), offset), offset.years + age)
        for age in range(4)
    )
    return min(birthdays)


def _years_back(day: date, years: int) -> date:
    """Return the same day of an earlier year; for 29 February, 28 February where that is missing.

    A later year has 1 March instead.
    """
    if (day.month, day.day) == (2, 29) and not isleap(day.year - years):
        return date(day.year - years, 2, 28) if years >= 0 else date(day.year - years, 3, 1)
    return day.replace(year=day.year - years)


def last_day(found: PartialDate) -> int:
    """Return the last day of the month of *found*; 29 for a February without a year."""
    assert found.month is not None
    if found.month == 2 and found.year is not None and not isleap(found.year):
        return 28
    return _LENGTHS[found.month - 1]


def day_of_year(month: int, day: int) -> int:
    """Return the day of a leap year: 0 for 1 January to 365 for 31 December."""
    return _STARTS[month - 1] + day - 1
