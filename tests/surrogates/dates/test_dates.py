"""Dates move by one keyed offset, and stay written as they were."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.dates import PartialDate
from presidio_cdip.surrogates.dates.dates import BIRTH_FORMS, DATE_TIME_FORMS, year_of
from presidio_cdip.surrogates.dates.shifts import (
    OFFSETS,
    Offset,
    age_offset,
    birth_offset,
    date_offset,
    move,
)
from presidio_cdip.surrogates.drawing.chance import Chance, Keyring
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.writing import spelled
from tests.growth import MOST, growth, patience

MONTHS = "January February March April May June July August September October November December"
ROMANS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"]


def month(day: date) -> str:
    return MONTHS.split()[day.month - 1]


STYLES: Mapping[str, Callable[[date], str]] = {
    "month d, yyyy": lambda day: f"{month(day)} {day.day}, {day.year}",
    "MONTH D, YYYY": lambda day: f"{month(day)} {day.day}, {day.year}".upper(),
    "mon. d, yyyy": lambda day: f"{month(day)[:3]}. {day.day}, {day.year}",
    "d month yyyy": lambda day: f"{day.day} {month(day)} {day.year}",
    "dd MON yyyy": lambda day: f"{day.day:02d} {month(day)[:3].upper()} {day.year}",
    "d-Mon-yyyy": lambda day: f"{day.day}-{month(day)[:3]}-{day.year}",
    "yyyy month d": lambda day: f"{day.year} {month(day)} {day.day}",
    "the dth of month, yyyy": lambda day: f"the {day.day}th of {month(day)}, {day.year}",
    "dth day\nof month": lambda day: f"{day.day}th day\nof {month(day)}, {day.year}",
    "m/d/yyyy": lambda day: f"{day.month}/{day.day}/{day.year}",
    "mm - dd - yyyy": lambda day: f"{day.month:02d} - {day.day:02d} - {day.year}",
    "mm dd yyyy": lambda day: f"{day.month:02d}   {day.day:02d}\n{day.year}",
    "yyyy-mm-dd": lambda day: day.isoformat(),
    "yyyy.m.d": lambda day: f"{day.year}.{day.month}.{day.day}",
    "d-ROMAN-yyyy": lambda day: f"{day.day} - {ROMANS[day.month - 1]} - {day.year}",
    "yyyymmdd": lambda day: f"{day.year}{day.month:02d}{day.day:02d}",
    "Mo. Day Yr.": lambda day: f"Mo. {day.month}  Day {day.day}  Yr. {day.year}",
    "in words": lambda day: (
        f"{spelled.ordinal(day.day)} of {month(day)}, {spelled.year(day.year, 'pair')}"
    ),
    "in more words": lambda day: (
        f"{month(day)} the {spelled.ordinal(day.day)}, {spelled.year(day.year, 'hundred and')}"
    ),
}
SHORT_STYLES: Mapping[str, Callable[[date], str]] = {
    "m/d/yy": lambda day: f"{day.month}/{day.day}/{day:%y}",
    "mm/dd/yy": lambda day: f"{day:%m/%d/%y}",
    "mmddyy": lambda day: f"{day:%m%d%y}",
    "Mon d, 'yy": lambda day: f"{month(day)[:3]} {day.day}, '{day:%y}",
    "d Mon yy": lambda day: f"{day.day} {month(day)[:3]} {day:%y}",
    "month-day-year in words": lambda day: "-".join(
        (spelled.cardinal(day.month), spelled.cardinal(day.day), spelled.short_year(day.year % 100))
    ),
}
PARTIAL = [
    "1965", "'54", "Nov. 1965", "November 1965", "11/1965", "1965-11", "November 9", "9th of March",
    "c. 1840", "spring 1947", "Christmas Day 1931", "eve of St. John's, 1889", "3 Mai 1871",
    "nineteen forty-one", "the 1950s", "28th of December last", "3ten Mai 1871", "12/12 1876",
]  # fmt: skip
TIMES = [
    "10:30 am", "9.15 P.M.", "22:45", "10 o'clock", "0930 hours", "2013-12-01T10:30:00Z",
    "Monday, March 3, 1969 at 10:30 am", "last Monday", "three weeks", "two days ago", "yesterday",
    "the past six months", "next week", "an hour", "the 1950's", "the '60s", "mid-1960s", "1965-70",
    "between 1939 and 1945", "from May 3 to June 5, 1970", "March 3-5, 1995", "17-year-old",
    "annual", "19th century", "the first quarter of 1997", "Q3 2001", "noon", "summer", "Easter",
    "Wed, 03 Mar 1999 10:22:33 -0500", "TWO WEEKS", "every day", "two",
]  # fmt: skip
OPTIONS: dict[str, Any] = {"locale": "en_US", "pack": Pack.shipped()}
RING = Keyring(b"k" * 32, "document", "en_US")

days = st.dates(date(1850, 1, 1), date(2020, 12, 31))
rings = st.integers(0, 300).map(lambda n: Keyring(b"k" * 32, f"document {n}", "en_US"))


def read(value: str, forms: tuple[Form, ...] = BIRTH_FORMS, **options: Any) -> Reading:
    readings = (form.read(value, OPTIONS | options) for form in forms)
    return next(reading for reading in readings if reading)


def surrogate(
    value: str, ring: Keyring = RING, forms: tuple[Form, ...] = BIRTH_FORMS, **options: Any
) -> str:
    reading = read(value, forms, **options)
    return reading.write(Draw(ring, "DATE_OF_BIRTH", reading.normal, 0, OPTIONS | options))


def offset(ring: Keyring) -> Offset:
    return birth_offset(Draw(ring, "DATE_OF_BIRTH", "", 0, OPTIONS))


@given(day=days, ring=rings)
def test_all_styles_of_a_date_move_to_the_same_day(day: date, ring: Keyring) -> None:
    """A date written in any style moves to the day that the offset gives, in the same style."""
    expected = move(PartialDate(day.year, day.month, day.day), offset(ring))

    for style in STYLES.values():
        original = read(style(day))
        again = read(surrogate(style(day), ring))

        assert again.form == original.form
        assert original.normal == day.isoformat()
        assert again.normal == f"{expected.year:04d}-{expected.month:02d}-{expected.day:02d}"


@given(day=st.dates(date(1926, 1, 1), date(2020, 12, 31)), ring=rings)
def test_two_digits_of_a_year_stay_two(day: date, ring: Keyring) -> None:
    """A date with two digits of its year moves to the same day as one with four."""
    expected = move(PartialDate(day.year, day.month, day.day), offset(ring))
    assert expected.year

    for style in SHORT_STYLES.values():
        again = read(surrogate(style(day), ring))

        assert again.form == read(style(day)).form
        assert (
            again.normal[2:] == f"{expected.year % 100:02d}-{expected.month:02d}-{expected.day:02d}"
        )


@given(day=days, ring=rings)
def test_parts_of_a_date_agree_with_it(day: date, ring: Keyring) -> None:
    """A year alone, a month and a day without a year are near those of the whole date."""
    whole = date.fromisoformat(read(surrogate(day.isoformat(), ring)).normal)

    year = int(surrogate(str(day.year), ring))
    of_month = date.fromisoformat(read(surrogate(f"{day:%m/%Y}", ring)).normal + "-15")
    without_year = read(surrogate(f"{month(day)} {day.day}", ring)).normal
    of_day = date.fromisoformat(f"{whole.year}{without_year[1:]}".replace("02-29", "03-01"))

    assert abs(year - whole.year) <= 1
    assert abs((of_month - whole).days) <= 33
    assert min(abs((of_day - whole).days + around) for around in (-365, 0, 365)) <= 3


@pytest.mark.parametrize("value", [*PARTIAL, *TIMES])
@pytest.mark.parametrize("forms", [BIRTH_FORMS, DATE_TIME_FORMS], ids=["births", "times"])
@given(ring=rings)
@settings(max_examples=15)
def test_a_surrogate_reads_as_its_original(
    value: str, forms: tuple[Form, ...], ring: Keyring
) -> None:
    """What is partial, relative or a time becomes another of the same form."""
    original = read(value, forms)

    again = read(surrogate(value, ring, forms), forms)

    assert again.form == original.form
    assert again.normal != original.normal


@pytest.mark.parametrize("value", TIMES)
def test_times_are_not_left_to_the_plainest_form(value: str) -> None:
    """A time, a length of time or a relative one has a form of its own."""
    assert any(form.read(value, OPTIONS) for form in DATE_TIME_FORMS[:-1])


@given(day=days, locale=st.sampled_from(["en_US", "en_GB", "de_DE"]), ring=rings)
def test_numbers_in_any_order_keep_their_form(day: date, locale: str, ring: Keyring) -> None:
    """A date day first, which the locale may read otherwise, keeps its form and is another."""
    for value in (f"{day:%d/%m/%Y}", f"{day.day}.{day.month}.{day:%y}", f"{day:%d%m%y}"):
        original = read(value, locale=locale)
        again = read(surrogate(value, ring, locale=locale), locale=locale)

        assert again.form == original.form
        assert again.normal != original.normal


def test_the_locale_says_which_number_is_the_month() -> None:
    """3/2/1970 is in March in the United States and in February elsewhere; 22/4 is in April."""
    assert read("3/2/1970").normal == "1970-03-02"
    assert read("3/2/1970", locale="en_GB").normal == "1970-02-03"
    assert read("22/4/1970").normal == "1970-04-22"


@pytest.mark.parametrize(
    ("damaged", "clean"),
    [
        ("May 11, l939", "May 11, 1939"), ("O3/27/52", "3/27/52"), ("Ju1y 31, 19O1", "7/31/1901"),
        ("l908", "1908"), ("4/7/4O", "4/7/40"), ("Nov 9, 19 65", "11/9/65"), ("9Nov65", "11/9/65"),
        ("Decernber 9, 1950", "12/9/1950"), ("1 Febuary 1950", "2/1/1950"),
        ("28 th of May 1950", "5/28/1950"),
    ],
)  # fmt: skip
def test_damage_is_repaired(damaged: str, clean: str) -> None:
    """What OCR damaged reads as the clean date, and its surrogate has no letter for a digit."""
    expected = read(clean).normal

    reading = read(damaged)

    assert reading.normal == expected
    assert read(surrogate(damaged)).normal == read(surrogate(clean)).normal


def test_damage_is_kept_on_demand() -> None:
    """With ``damage: same``, letters stand for the digits of the surrogate too."""
    clean = surrogate("11/lO/l98S")

    damaged = surrogate("11/lO/l98S", damage="same")

    assert damaged != clean
    assert read(damaged).normal == read(clean).normal


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("02 / 05 / 1971", " / "), ("Apr. 2, 1943", ", "), ("9th day\nof May, 1965", "th day\nof "),
        ("c. 1840", "c. "), ("17 MAR 1969", " "), ("the 9th of May", "the "), ("'54", "'"),
    ],
)  # fmt: skip
def test_what_is_around_the_numbers_stays(value: str, kept: str) -> None:
    """Separators, blanks, line ends and words of a date stay as they are."""
    written = surrogate(value)

    assert kept in written
    assert written.isupper() == value.isupper()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("02/05/1971", "03/04/1969"), ("2/5/1971", "3/4/1969"), ("02 JAN 1944", "29 JAN 1942"),
        ("Jan. 2, 1944", "Jan. 29, 1942"), ("Aug. 9, 1944", "Sept. 6, 1942"),
        ("Apr. 9, 1944", "May 7, 1942"), ("9 Aug 1944", "6 Sep 1942"), ("2-2-45", "3-2-43"),
        ("Feb 2, 1945", "Mar 2, 1943"), ("Feb 2", "Feb 29"), ("1944", "1942"),
        ("12 31 64", "01 28 63"), ("61.05.04", "59.06.01"), ("4. IV. 1944", "2. V. 1942"),
        ("fourth of July nineteen hundred and one",
         "thirty-first of July eighteen hundred and ninety-nine"),
        ("Six-seventeen-ninety-seven", "Seven-fifteen-ninety-five"),
        ("Ten-four-twenty-six", "Ten-thirty-one-twenty-four"),
        ("1901", "1899"), ("101571", "111169"),
        ("9/3/00", "10/1/98"), ("Sunday, May 14, 1944", "Thursday, June 11, 1942"),
    ],
)  # fmt: skip
def test_known_answers(value: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two years less 27 days earlier, each date is written as a reader would."""
    monkeypatch.setattr(
        "presidio_cdip.surrogates.dates.dates._BIRTHS._offset", lambda _: Offset(703)
    )

    assert surrogate(value) == expected


def moved(day: date, offset: Offset) -> date:
    now = move(PartialDate(day.year, day.month, day.day), offset)
    assert now.year and now.month and now.day
    return date(now.year, now.month, now.day)


def age(birth: date, at: date) -> int:
    return at.year - birth.year - ((at.month, at.day) < (birth.month, birth.day))


def draws(many: int, **options: str) -> Iterator[Draw]:
    """Return a draw in each of *many* scopes."""
    for number in range(many):
        yield Draw(
            Keyring(b"k" * 32, f"scope {number}", "en_US"), "DATE_TIME", "", 0, OPTIONS | options
        )


def random_days(chance: Chance, many: int) -> list[date]:
    first, last = date(1910, 1, 1).toordinal(), date(2020, 1, 1).toordinal()
    return [date.fromordinal(chance.between(first, last)) for _ in range(many)]


def test_intervals_and_order_of_dates_stay() -> None:
    """All dates of a scope move by the same number of days, other than a whole number of weeks."""
    for draw in draws(300):
        days = random_days(draw.chance, 10)
        now = [moved(day, date_offset(draw)) for day in days]

        offsets = {(day - new).days for day, new in zip(days, now, strict=True)}

        assert len(offsets) == 1
        assert offsets.pop() % 7 != 0


def test_a_stay_over_new_year_keeps_its_length() -> None:
    """Days on either side of 1 January are as far apart as they were, in every scope."""
    for draw in draws(300):
        admitted, discharged = (
            date.fromisoformat(
                read(surrogate(day, draw.keyring, DATE_TIME_FORMS), DATE_TIME_FORMS).normal
            )
            for day in ("December 29, 1999", "1/4/2000")
        )

        assert (discharged - admitted).days == 6


def test_weeks_keep_weekdays() -> None:
    """With ``dates: weeks`` every date keeps its weekday; the offset is still one of many."""
    drawn = list(draws(200, dates="weeks"))

    assert all(
        day.weekday() == moved(day, date_offset(draw)).weekday()
        for draw in drawn
        for day in random_days(draw.chance, 10)
    )
    assert len({date_offset(draw).days for draw in drawn}) > 50


def test_births_keep_order_and_intervals() -> None:
    """The births of a scope stay as far apart, to within the leap days of a few years."""
    for draw in draws(200):
        births = random_days(draw.chance, 10)
        now = [moved(birth, birth_offset(draw)) for birth in births]

        for one, other in pairwise(zip(births, now, strict=True)):
            assert abs((one[0] - other[0]) - (one[1] - other[1])).days <= 2


def test_age_is_date_less_birth() -> None:
    """Moved dates and births are as many years further apart as ages increase by.

    The only exception is the day before a birthday: in some years it becomes the birthday. Beside
    1900, which had no 29 February, the day of the birthday is another.
    """
    for draw in draws(200):
        offset, years = birth_offset(draw), age_offset(draw)
        for birth in (*random_days(draw.chance, 10), date(1912, 2, 29)):
            turned = date(birth.year + draw.chance.between(1, 90), birth.month, min(birth.day, 28))
            days = [turned + timedelta(after) for after in (0, 1, 2, 3, 30, 200, 300, 350)]
            for at in days:
                now = age(moved(birth, offset), moved(at, date_offset(draw)))

                near = age(birth, at + timedelta(1)) > age(birth, at)
                assert now - age(birth, at) - years in ((0, 1) if near else (0,))


def test_all_dates_move_together_if_ages_are_kept() -> None:
    """With ``age: kept``, births move by exactly the days of other dates."""
    assert all(birth_offset(draw) == date_offset(draw) for draw in draws(50, age="kept"))


def test_a_year_alone_seldom_contradicts_a_date_in_it() -> None:
    """A year moves into the year of its dates in more than four cases of five."""
    same = [
        move(PartialDate(day.year), offset).year == moved(day, offset).year
        for draw in draws(100)
        for offset in (date_offset(draw), birth_offset(draw))
        for day in random_days(draw.chance, 20)
    ]

    assert sum(same) / len(same) > 0.8


@pytest.mark.parametrize("impossible", [PartialDate(1965, 2, 29), PartialDate(1965, 2, 31)])
def test_a_day_that_its_month_lacks_is_its_last(impossible: PartialDate) -> None:
    """What OCR or a writer got wrong moves to a day that there is."""
    assert move(impossible, Offset(400)) == move(PartialDate(1965, 2, 28), Offset(400))


@pytest.mark.parametrize("dates", OFFSETS)
def test_offsets_are_uniform(dates: str) -> None:
    """Over 5,000 scopes, chi-squared is within five deviations of what uniform draws give."""
    offsets = [birth_offset(draw) for draw in draws(5000, dates=dates)]

    def deviations(drawn: list[int], cells: Sequence[int]) -> float:
        assert set(drawn) <= set(cells)
        counts = Counter(drawn)
        expected, freedom = len(drawn) / len(cells), len(cells) - 1
        chi_squared = sum((counts[cell] - expected) ** 2 / expected for cell in cells)
        return float(abs(chi_squared - freedom) / (2 * freedom) ** 0.5)

    assert deviations([one.years for one in offsets], range(1, 5)) < 5
    assert deviations([one.days for one in offsets], OFFSETS[dates]) < 5


@given(value=st.text(max_size=60).map(str.strip).filter(bool), ring=rings)
def test_any_text_has_a_surrogate(value: str, ring: Keyring) -> None:
    """The last form reads what no other does, on as many lines, and repeats nothing of it."""
    for forms in (BIRTH_FORMS, DATE_TIME_FORMS):
        written = surrogate(value, ring, forms)

        assert written.strip()
        assert written.count("\n") == value.count("\n")
        assert written != value
        assert read(written.strip(), forms).form == read(value, forms).form


@pytest.mark.parametrize("part", ["9", "May ", "- ", "nineteen ", "1/", "May-", "10:30 ", "x "])
def test_reading_is_linear(part: str) -> None:
    """Four times the value takes about four times the steps, up to the longest that may come."""
    value = f"a{part * (4096 // len(part))}"[:4096].strip()

    with patience():
        for length in (290, 4096):
            surrogate(value[:length].strip(), RING, DATE_TIME_FORMS)
    assert growth(lambda size: surrogate(value[:size].strip(), RING, DATE_TIME_FORMS), 1024) < MOST


@pytest.mark.parametrize(
    ("value", "year"),
    [
        ("November 9, 1965", "1965"), ("11/9/65", "1965"), ("'54", "1954"), ("Nov. 1904", "1904"),
        ("l908", "1908"), ("nineteen forty-one", "1941"), ("May 3", None), ("yesterday", None),
        ("born in the year 1847 or so", "1847"), ("1950s", None),
    ],
)  # fmt: skip
def test_the_year_of_a_date(value: str, year: str | None) -> None:
    """The year of a date has four digits; a date without a year has none."""
    assert year_of(value, Pack.shipped()) == year
