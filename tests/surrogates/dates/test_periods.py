"""Lengths of time and relative times become others of their shape."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.dates.periods import Periods
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.forms import Draw

OPTIONS = {"pack": Pack.shipped()}

rings = st.integers(0, 300).map(lambda n: Keyring(b"k" * 32, f"document {n}", "en_US"))


def surrogate(value: str, ring: Keyring) -> str:
    reading = Periods().read(value, OPTIONS)
    assert reading
    return reading.write(Draw(ring, "DATE_TIME", reading.normal, 0, OPTIONS))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        ("three weeks", r"(two|four|five|six) weeks"), ("2 days ago", r"[34] days ago"),
        ("TWO WEEKS", r"(THREE|FOUR) WEEKS"), ("yesterday", r"to(day|morrow)"),
        ("next week", r"next (day|month|quarter|year)"), ("an hour", r"a (minute|moment)"),
        ("the first quarter of 1997", r"the (second|third|fourth) quarter of 199[2-6]"),
        ("Q3 2001", r"Q[124] (2000|199[6-9])"), ("19th century", r"1(7|8)th century"),
        ("sixty", r"[a-z -]+"), ("a year", r"a (day|week|month|quarter)"), ("noon", "midnight"),
    ],
)  # fmt: skip
@given(ring=rings)
def test_a_time_becomes_another_of_its_shape(value: str, pattern: str, ring: Keyring) -> None:
    """Numbers become near ones, and words others of their group, with the right article."""
    assert re.fullmatch(pattern, surrogate(value, ring))


@pytest.mark.parametrize(("one", "other"), [("three weeks", "3 weeks"), ("An Hour", "an hour")])
def test_digits_and_words_have_one_normal(one: str, other: str) -> None:
    """A length of time is the same in digits, in words and in capitals."""
    first, second = Periods().read(one, OPTIONS), Periods().read(other, OPTIONS)

    assert first and second and first.normal == second.normal


@pytest.mark.parametrize("value", ["Mary", "three sons", "12/13/14", "the", "", "weeks of Mary"])
def test_other_words_are_not_read(value: str) -> None:
    """A value with a word that is none for a time is left to another form."""
    assert Periods().read(value, OPTIONS) is None


@given(rings)
def test_a_number_gets_a_zero_where_it_had_one(ring: Keyring) -> None:
    """Ten years never become 09."""
    assert re.fullmatch(r"[1-9]\d?-year", surrogate("10-year", ring))
    assert re.fullmatch(r"0\d|1\d", surrogate("08 days", ring).split()[0])
