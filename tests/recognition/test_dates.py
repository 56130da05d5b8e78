"""Dates are read in every form that a form, a letter or a scan has them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.recognition.dates import keys, readings

FORMS = [
    "%m/%d/%Y", "%m-%d-%y", "%m.%d.%Y", "%Y-%m-%d", "%B %d, %Y", "%b. %d, %Y", "%d %B %Y",
    "%d-%b-%y", "%B %d %y", "%m %d %y", "%m%d%y", "%Y%m%d",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@given(day=st.dates(date(1900, 1, 1), date(2025, 12, 31)))
def test_every_form_gives_the_same_key(form: str, day: date) -> None:
    """However a date is written, the day that was meant is among its keys."""
    assert (day.year % 100, day.month, day.day) in keys(day.strftime(form))


@pytest.mark.parametrize("noisy", ["1O/l5/6S", "Oct. l5, 196S", "15 0ct 1965"])
def test_digits_are_read_through_ocr_noise(noisy: str) -> None:
    """O, l and S among digits are 0, 1 and 5."""
    assert (65, 10, 15) in keys(noisy)


@pytest.mark.parametrize("noisy", ["5EP 9 65", "5ep. 9, l965"])
def test_months_are_read_through_ocr_noise(noisy: str) -> None:
    """A digit in a month's name is the letter that the language's OCR table gives for it."""
    assert (65, 9, 9) in keys(noisy)


@pytest.mark.parametrize(
    "no_date", ["", "31", "13/32/65", "February 30, 1965", "999-99-9999", "abc"]
)
def test_what_is_no_date_has_no_key(no_date: str) -> None:
    """A number alone, or a day that does not exist, is no whole date."""
    assert keys(no_date) == frozenset()


@given(st.text(max_size=40))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Text that is no date gives readings or none, never an exception."""
    assert all(reading.month is None or 1 <= reading.month <= 12 for reading in readings(text))
