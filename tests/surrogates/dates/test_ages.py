"""Ages increase so that they agree with the moved dates and births of their scope."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.dates.ages import FORMS, band_of
from presidio_cdip.surrogates.dates.dates import BIRTH_FORMS, DATE_TIME_FORMS
from presidio_cdip.surrogates.dates.shifts import age_offset
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.writing import spelled

WRITTEN = [
    "46", "46 years old", "61 yr old", "30 YOA", "29 years", "52-year-old", "61 yo", "8yo",
    "46 y/o", "40 y.o.a", "seventy-four years of age", "forty-one", "Twenty-eight", "FORTY-ONE",
    "two and a half", "3 1/2 years", "3½", "4.5", "sixtieth", "90th", "55+", "30-35", "30 to 35",
    "l6", "3l", "4O", "SO", "18 months", "14-month-old", "6 weeks old", "10 days", "1 year old",
    "71 years, 3 months and 4 days", "late thirties", "Mid fifties", "in her late thirties",
    "a man in his 40s", "in his 60's", "mid-teens", "early 70s", "in her sixties", "over 65",
    "An 8-year-old", "36- year- old", "46M", "one hundred and two", "112", "113", "05", "child",
    "middle-aged", "23, 25 and 27", "forty-\nfive years", "thirty five", "fourty-two",
]  # fmt: skip
OPTIONS: dict[str, Any] = {"locale": "en_US", "pack": Pack.shipped()}
RING = Keyring(b"k" * 32, "document", "en_US")

rings = st.integers(0, 300).map(lambda n: Keyring(b"k" * 32, f"document {n}", "en_US"))


def read(value: str) -> Reading:
    return next(reading for form in FORMS if (reading := form.read(value, OPTIONS)))


def surrogate(value: str, ring: Keyring = RING, **options: Any) -> str:
    given = OPTIONS | options
    reading = next(reading for form in FORMS if (reading := form.read(value, given)))
    return reading.write(Draw(ring, "AGE", reading.normal, 0, given))


def years(ring: Keyring) -> int:
    return age_offset(Draw(ring, "AGE", "", 0, OPTIONS))


@pytest.fixture
def three_years(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every scope's ages increase by three years."""
    monkeypatch.setattr("presidio_cdip.surrogates.dates.ages.age_offset", lambda _: 3)


@pytest.mark.parametrize("value", WRITTEN)
@given(ring=rings)
@settings(max_examples=15)
def test_a_surrogate_reads_as_its_original(value: str, ring: Keyring) -> None:
    """An age becomes another of the same form, on as many lines."""
    original = read(value)

    written = surrogate(value, ring)

    assert read(written).form == original.form
    assert read(written).normal != original.normal
    assert written.count("\n") == value.count("\n")


@pytest.mark.parametrize("value", WRITTEN)
def test_no_way_of_writing_is_left_to_the_plainest_form(value: str) -> None:
    """Ages in digits, words, decades and stages of life have forms of their own."""
    assert any(form.read(value, OPTIONS) for form in FORMS[:-1])


def year(value: int, forms: tuple[Form, ...], ring: Keyring) -> int:
    reading = forms[0].read(str(value), OPTIONS)
    assert reading
    return int(reading.write(Draw(ring, "DATE_TIME", reading.normal, 0, OPTIONS)))


@given(age=st.integers(0, 112), ring=rings)
def test_an_age_is_the_year_less_that_of_birth(age: int, ring: Keyring) -> None:
    """Someone of 46 in 2010 who was born in 1964 is as old by the three surrogates."""
    now, born = year(2010, DATE_TIME_FORMS, ring), year(2010 - age, BIRTH_FORMS, ring)

    assert int(surrogate(str(age), ring)) == now - born


@given(age=st.integers(18, 100), ring=rings)
def test_an_age_agrees_with_dates_that_stay(age: int, ring: Keyring) -> None:
    """If no other date of the page is found, ages increase by as much as births move."""
    text = f"In 2010, born {2010 - age}, {age}"
    page = Page(text, [Span(14, 18, "DATE_OF_BIRTH", 1, ""), Span(20, len(text), "AGE", 1, "")])

    written = surrogate(str(age), ring, context=Context(page, 20, len(text)))

    assert int(written) == 2010 - year(2010 - age, BIRTH_FORMS, ring)


@given(ring=rings)
def test_an_age_is_counted_from_its_birth_to_a_date_that_stays(ring: Keyring) -> None:
    """The day of the birth moves past the date or not, and the age goes with it."""
    text = "March 7, 2014\nBorn 08/19/1983 and 01/02/1950. She is 30, he is 64."
    births = [(19, 29), (34, 44)]
    ages = [(text.index("30,"), "30"), (text.index("64."), "64")]
    spans = [Span(start, end, "DATE_OF_BIRTH", 1, "") for start, end in births]
    page = Page(text, spans)

    for (start, end), (at, age) in zip(births, ages, strict=True):
        options = OPTIONS | {"context": Context(page, at, at + 2)}
        new = read(age).write(Draw(ring, "AGE", age, 0, options))
        born = next(form.read(text[start:end], OPTIONS) for form in BIRTH_FORMS)
        assert born is not None
        day = born.write(Draw(ring, "DATE_OF_BIRTH", born.normal, 0, OPTIONS))
        month, of_month, year = map(int, day.split("/"))
        assert int(new) == 2014 - year - ((month, of_month) > (3, 7))


@pytest.mark.parametrize("value", ["46", "eighteen months", "late thirties", "child", "l6"])
def test_an_age_stays_on_demand(value: str) -> None:
    """With ``age: kept`` an age is as it was, in any form."""
    assert surrogate(value, age="kept") == value


@given(age=st.integers(1, 112), ring=rings)
def test_digits_and_words_say_the_same(age: int, ring: Keyring) -> None:
    """46, forty-six, 46 years old and 46th become the same number of years."""
    expected = age + years(ring)
    spoken = surrogate(spelled.cardinal(age), ring)

    assert spoken == spelled.cardinal(expected)
    assert surrogate(f"{age}-year-old", ring) == f"{expected}-year-old"
    assert re.match(r"\d+", surrogate(f"{age}th", ring))[0] == str(expected)  # type: ignore[index]
    assert read(spelled.cardinal(age)).normal == read(f"{age} years old").normal == str(age)


@pytest.mark.usefixtures("three_years")
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("46", "49"), ("forty-one", "forty-four"), ("Sixty-one", "Sixty-four"), ("l6", "19"),
        ("Forty One", "Forty Four"), ("55+", "58+"), ("30-35", "33-38"), ("113", "110"),
        ("one year", "four years"), ("1 year old", "4 years old"), ("1-year-old", "4-year-old"),
        ("a 5-year-old", "an 8-year-old"), ("An 8-year-old", "An 11-year-old"),
        ("late thirties", "early forties"), ("mid-teens", "late-teens"), ("40s", "50s"),
        ("in his 60's", "in his 70's"), ("early 70s", "mid 70s"), ("late nineties", "mid nineties"),
        ("90s", "80s"), ("two and a half", "five and a half"), ("sixtieth", "sixty-third"),
        ("fifty-eighth", "sixty-first"), ("49TH", "52ND"), ("forty-\nfive", "forty-\neight"),
        ("mary, 46", "49"), ("46 ans", "49"),
    ],
)  # fmt: skip
def test_known_answers(value: str, expected: str) -> None:
    """With three years, each age has the surrogate that a reader would write."""
    assert surrogate(value) == expected


@pytest.mark.parametrize("value", ["late thirties", "in his late 30s", "LATE 30's"])
def test_decades_have_one_normal(value: str) -> None:
    """A third of a decade of life is the same in words and in digits."""
    assert read(value).normal == "30s late"


@given(age=st.integers(1, 35), ring=rings)
def test_months_increase_by_years(age: int, ring: Keyring) -> None:
    """A child of 18 months is older by as many years as others."""
    assert surrogate(f"{age} months", ring) == f"{age + 12 * years(ring)} months"


@pytest.mark.parametrize(("value", "most"), [("6 weeks", 12), ("3 days", 27)])
@given(ring=rings)
def test_babies_stay_babies(value: str, most: int, ring: Keyring) -> None:
    """Weeks and days are replaced, and never by one, so that plurals stay right."""
    number = int(surrogate(value, ring).split()[0])

    assert 2 <= number <= most
    assert number != int(value.split()[0])


def test_damage_is_kept_on_demand() -> None:
    """With ``damage: same``, letters stand for the digits of the surrogate too."""
    assert read(surrogate("ll", damage="same")).normal == surrogate("ll")


@given(value=st.text(max_size=60).map(str.strip).filter(bool), ring=rings)
def test_any_text_has_a_surrogate(value: str, ring: Keyring) -> None:
    """The last form reads what no other does, on as many lines, and repeats nothing of it."""
    written = surrogate(value, ring)

    assert written.strip()
    assert written != value
    assert written.count("\n") == value.count("\n")
    assert read(written).form == read(value).form


@pytest.mark.parametrize(
    ("value", "band"),
    [
        ("46 years old", "40-49"), ("eighty-nine", "80-89"), ("90", "90 or older"), ("l6", "10-19"),
        ("one hundred and two", "90 or older"), ("late thirties", "30-39"), ("60s", "60-69"),
        ("18 months", "0-9"), ("30-35", "30-39"), ("nobody", None), ("", None),
    ],
)  # fmt: skip
def test_bands(value: str, band: str | None) -> None:
    """An age lies in a band of ten years; from 90 there is but one."""
    assert band_of(value, Pack.shipped()) == band


def test_a_band_ends_below_the_top() -> None:
    """No band of another width reaches over the age from which there is but one."""
    assert band_of("85", Pack.shipped(), width=20, top=90) == "80-89"
    assert band_of("46", Pack.shipped(), width=5) == "45-49"


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("46-year-old woman", r"\d\d-year-old (wo)?man"),
        ("46 YO M", r"\d\d YO [MF]"),
        ("46yof", r"\d\dyo[mf]"),
        ("46-year-old widow", r"\d\d"),
        ("46 year old mother of three", r"\d\d"),
        ("46.0", r"\d\d\.0"),
    ],
)
def test_what_else_an_age_tells_does_not_stay(value: str, shape: str) -> None:
    """A sex beside an age is drawn as for a GENDER, and a word such as widow is replaced."""
    found = {surrogate(value, Keyring(b"k" * 32, str(number), "en_US")) for number in range(40)}

    assert all(re.fullmatch(shape, new) for new in found)
    if "sex" in read(value).form:
        assert len({re.sub(r"\d", "", new) for new in found}) == 2


def on_page(text: str, ring: Keyring) -> str:
    """Return *text* with the values that it marks as ⟦entity|value⟧ replaced."""
    plain, spans = "", []
    for at, part in enumerate(re.split("[⟦⟧]", text)):
        entity, _, value = part.rpartition("|")
        if at % 2:
            spans.append(Span(len(plain), len(plain) + len(value), entity, 1.0, ""))
        plain += value
    page, written = Page(plain, spans), plain
    for one in reversed(spans):
        forms = {"AGE": FORMS, "DATE_TIME": DATE_TIME_FORMS}.get(one.entity, BIRTH_FORMS)
        options = OPTIONS | {"context": Context(page, one.start, one.end)}
        value = plain[one.start : one.end]
        reading = next(found for form in forms if (found := form.read(value, options)))
        new = reading.write(Draw(ring, one.entity, reading.normal, 0, options))
        written = written[: one.start] + new + written[one.end :]
    return written


@given(ring=rings)
def test_an_infant_stays_one(ring: Keyring) -> None:
    """On a page that counts its age in months, it gets older by one to three of them."""
    text = (
        "Baby ⟦DATE_OF_BIRTH|5 May 1961⟧, mother ⟦DATE_OF_BIRTH|3 June 1932⟧. "
        "Seen 9 March 1962 at ⟦AGE|10 months⟧."
    )
    written = on_page(text, ring)
    found = re.search(r"Baby \d+ \w+ (\d+), mother \d+ \w+ (\d+)\..* at (\d+) months", written)
    assert found
    born, mother, months = map(int, found.groups())
    assert born == 1961
    assert mother < 1932
    assert months in (11, 12, 13)


@given(ring=rings)
def test_months_are_drawn_where_no_birth_is_an_infants(ring: Keyring) -> None:
    written = on_page("Father ⟦DATE_OF_BIRTH|3 June 1922⟧, a child of ⟦AGE|5 months⟧.", ring)
    found = re.search(r"of (\d+) months", written)
    assert found
    assert 2 <= int(found[1]) <= 35


@given(ring=rings)
def test_a_date_above_twelve_tells_how_a_page_orders_days(ring: Keyring) -> None:
    """On a page that has the 30th of a ninth month, 3.6.32 is the third of June."""
    stays = re.search(r"born (\d+)\.(\d+)\.", on_page("30.9.52 born ⟦DATE_OF_BIRTH|3.6.32⟧", ring))
    spelled_out = re.search(r"born (\d+) ", on_page("born ⟦DATE_OF_BIRTH|3 June 1932⟧", ring))
    assert stays
    assert spelled_out
    assert stays[1] == spelled_out[1]
    assert int(stays[2]) <= 12


@given(ring=rings, moves=st.booleans())
def test_an_age_to_the_day_is_that_from_birth_to_death(ring: Keyring, moves: bool) -> None:
    """Months and days of an age agree with the dates beside it, whether these move or stay."""
    died = "⟦DATE_TIME|June 30, 1951⟧" if moves else "June 30, 1951"
    page = f"Died {died}. Born ⟦DATE_OF_BIRTH|April 3, 1877⟧. Age ⟦AGE|74 years 2 mos. 27 days⟧"

    found = on_page(page, ring)

    death, birth = (
        datetime.strptime(one, "%B %d, %Y") for one in re.findall(r"[A-Z][a-z]+ \d+, \d{4}", found)
    )
    years, months, days = map(int, re.findall(r"(\d+) (?:years|mos|days)", found))
    later = months + birth.month - 1 + 12 * (birth.year + years)
    counted = datetime(later // 12, later % 12 + 1, 1) + timedelta(days=birth.day - 1 + days)
    assert months < 12
    assert abs((counted - death).days) <= 3


@given(ring=rings)
def test_months_and_days_beside_years_stay_below_a_year_and_a_month(ring: Keyring) -> None:
    """Nobody is 79 years, 3 months and 49 days old."""
    found = on_page("Age ⟦AGE|74 years 2 mos. 27 days⟧", ring)

    assert int(re.findall(r"(\d+) mos", found)[0]) < 12
    assert int(re.findall(r"(\d+) days", found)[0]) < 31
