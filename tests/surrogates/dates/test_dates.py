"""Dates move by one keyed offset, and stay written as they were."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_cdip.recognition.dates import PartialDate
from presidio_cdip.surrogates.dates.dates import BIRTH_FORMS, DATE_TIME_FORMS, birth_offset, year_of
from presidio_cdip.surrogates.dates.shifts import Offset, date_offset, move
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.writing import spelled

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
RING = Keyring(b"k" * 32, "document", "en_US")

days = st.dates(date(1850, 1, 1), date(2020, 12, 31))
rings = st.integers(0, 300).map(lambda n: Keyring(b"k" * 32, f"document {n}", "en_US"))


def read(value: str, forms: tuple[Form, ...] = BIRTH_FORMS, **options: Any) -> Reading:
    readings = (form.read(value, {"locale": "en_US", **options}) for form in forms)
    return next(reading for reading in readings if reading)


def surrogate(
    value: str, ring: Keyring = RING, forms: tuple[Form, ...] = BIRTH_FORMS, **options: Any
) -> str:
    reading = read(value, forms, **options)
    return reading.write(Draw(ring, "DATE_OF_BIRTH", reading.normal, 0, options))


def offset(ring: Keyring) -> Offset:
    return birth_offset(Draw(ring, "DATE_OF_BIRTH", "", 0, {}))


@settings(max_examples=60)
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
        assert expected.year == day.year - offset(ring).years


@settings(max_examples=60)
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
    """The year alone and the day without its year are those of the whole date's surrogate."""
    whole = read(surrogate(day.isoformat(), ring)).normal

    year = surrogate(str(day.year), ring)
    month_day = read(surrogate(f"{month(day)} {day.day}", ring)).normal

    assert year == whole[:4]
    assert month_day == f"-{whole[4:]}" or whole.endswith("-03-01")


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
    assert any(form.read(value, {}) for form in DATE_TIME_FORMS[:-1])


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
        ("02/05/1971", "03/03/1969"), ("2/5/1971", "3/3/1969"), ("02 JAN 1944", "29 JAN 1942"),
        ("Jan. 2, 1944", "Jan. 29, 1942"), ("Aug. 9, 1944", "Sept. 5, 1942"),
        ("Apr. 9, 1944", "May 6, 1942"), ("9 Aug 1944", "5 Sep 1942"), ("2-2-45", "3-1-43"),
        ("Feb 2, 1945", "Mar 1, 1943"), ("Feb 2", "Feb 29"), ("1944", "1942"),
        ("12 31 64", "01 27 62"), ("61.05.04", "59.05.31"), ("4. IV. 1944", "1. V. 1942"),
        ("fourth of July nineteen hundred and one",
         "thirty-first of July eighteen hundred and ninety-nine"),
        ("Six-seventeen-ninety-seven", "Seven-fourteen-ninety-five"),
        ("Ten-four-twenty-six", "Ten-thirty-one-twenty-four"),
        ("1901", "1899"), ("101571", "111169"),
        ("9/3/00", "9/30/98"), ("Sunday, May 14, 1944", "Wednesday, June 10, 1942"),
    ],
)  # fmt: skip
def test_known_answers(value: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two years and 27 days, each date has the surrogate that a reader would write."""
    monkeypatch.setattr(
        "presidio_cdip.surrogates.dates.dates._BIRTHS._offset", lambda _: Offset(2, 27)
    )

    assert surrogate(value) == expected


def test_a_leap_day_of_no_leap_year_is_the_next() -> None:
    """29 February of a year that has none is 1 March; without a year it may stay."""
    offset = Offset(1, 30)

    assert move(PartialDate(1964, 1, 30), offset) == PartialDate(1963, 3, 1)
    assert move(PartialDate(1965, 1, 30), offset) == PartialDate(1964, 2, 29)
    assert move(PartialDate(None, 1, 30), offset) == PartialDate(None, 2, 29)


def test_offsets_are_uniform() -> None:
    """Over 5,000 keys the years and the days of the offset are uniform, by chi-square at 0.1 %."""
    keys = (Keyring(f"{number:032d}".encode(), "document", "en_US") for number in range(5000))
    offsets = [offset(ring) for ring in keys]

    def chi_square(drawn: list[int], cells: range) -> float:
        expected = len(drawn) / len(cells)
        counts = Counter(drawn)
        return sum((counts[cell] - expected) ** 2 / expected for cell in cells)

    assert chi_square([one.years for one in offsets], range(1, 9)) < 24.3
    assert chi_square([one.days for one in offsets], range(1, 366)) < 454
    assert {one.days for one in offsets} <= set(range(1, 366))


def test_births_and_other_dates_have_offsets_of_their_own() -> None:
    """The offset of the other dates on a page does not disclose the offset of the births."""
    draws = [Draw(Keyring(b"k" * 32, f"{n}", "en_US"), "DATE_TIME", "", 0, {}) for n in range(50)]

    pairs = [(date_offset(draw), birth_offset(draw)) for draw in draws]

    assert {other.years for other, _ in pairs} == {1, 2}
    assert sum(other.days == birth.days for other, birth in pairs) < 5


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
    """The longest value that may come is read in a moment."""
    value = f"a{part * (4096 // len(part))}"[:4096].strip()

    start = perf_counter()
    for length in (290, 4096):
        surrogate(value[:length].strip(), RING, DATE_TIME_FORMS)

    assert perf_counter() - start < 1


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
    assert year_of(value) == year
