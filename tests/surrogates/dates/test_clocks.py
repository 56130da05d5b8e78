"""Times of day keep their quarter of the day, and how round they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.dates.clocks import TIME, Clock
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.forms import Draw

rings = st.integers(0, 300).map(lambda n: Keyring(b"k" * 32, f"document {n}", "en_US"))


class Scope:
    """Stand in for the draw of a time."""

    def __init__(self, ring: Keyring) -> None:
        self.draw = Draw(ring, "DATE_TIME", "", 0, {"pack": Pack.shipped()})


def clock(value: str) -> Clock:
    found = TIME.fullmatch(value)
    assert found
    return Clock.of(found)


@given(minutes=st.integers(0, 24 * 60 - 1), twelve=st.booleans(), ring=rings)
def test_another_hour_of_the_same_quarter(minutes: int, twelve: bool, ring: Keyring) -> None:
    """A time becomes one of another hour of the same six, as round, in the same form."""
    hour, minute = divmod(minutes, 60)
    half = " pm" if hour > 11 else " am"
    original = clock(
        f"{hour % 12 or 12}:{minute:02d}{half}" if twelve else f"{hour:02d}:{minute:02d}"
    )

    again = clock(original.written(Scope(ring)))

    assert again.shape == original.shape
    assert int(again.normal[1:3]) // 6 == hour // 6
    assert int(again.normal[1:3]) != hour
    if minute % 5 == 0:
        assert int(again.minute) % 5 == 0


@pytest.mark.parametrize(
    ("value", "normal"),
    [
        ("10:30 am", "T10:30"), ("12:30 A.M.", "T00:30"), ("9.15 p.m.", "T21:15"),
        ("5 PM", "T17:00"),
        ("0930 hours", "T09:30"), ("10 o'clock", "T10:00"), ("22:45:10.5", "T22:45:10"),
        ("24:00", "T00:00"), ("10:22:33 -0500", "T10:22:33"),
    ],
)  # fmt: skip
def test_times_have_one_normal(value: str, normal: str) -> None:
    """A time is the same however it is written."""
    assert clock(value).normal == normal


def test_a_time_is_one_throughout_its_scope() -> None:
    """10:30 in one place and 10:30 am in another become the same time."""
    scope = Scope(Keyring(b"k" * 32, "document", "en_US"))

    assert clock("10:30").written(scope) + " am" == clock("10:30 am").written(scope)


@pytest.mark.parametrize("value", ["25:00", "10:75", "1:2:3", "11/9/65", "1965", "10"])
def test_what_is_no_time(value: str) -> None:
    """Dates, numbers and impossible times are not taken for times."""
    assert not TIME.fullmatch(value)
