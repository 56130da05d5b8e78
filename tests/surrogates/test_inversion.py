"""Who has the key can invert what is permuted, and nothing that is drawn."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.errors import NotInvertible
from presidio_cdip.surrogates.engine import Surrogates

KEY = bytes(range(32))
_LEAP_DAYS = [f"{year}-0{day}" for year in (1944, 1948) for day in ("2-28", "2-29", "3-01")]
PLAUSIBLE = Surrogates(KEY, "doc", options={"ssn": "plausible", "phone": "plausible"})


@pytest.mark.parametrize(
    ("entity", "original"),
    [
        ("US_SSN", "271-24-0538"),
        ("US_SSN", "xxx-xx-0538"),
        ("US_SSN", "271-24-xxxx"),
        ("HOME_PHONE_NUMBER", "(919) 684-2143"),
        ("PHONE_NUMBER", "+49 30 9018 2077 ext. 12"),
        ("PHONE_NUMBER", "684-2143"),
        ("US_BANK_NUMBER", "No. 12345678901234567890123"),
        ("BADGE", "QX-4711"),
        ("CREDIT_CARD", "4012 8888 8888 1881"),
        ("IBAN_CODE", "GB82 WEST 1234 5698 7654 32"),
        ("UUID", "123e4567-e89b-42d3-a456-426614174000"),
    ],
)
def test_what_is_permuted_is_inverted(entity: str, original: str) -> None:
    """The surrogate of a number leads back to it, written as it was."""
    surrogate = PLAUSIBLE.surrogate(entity, f" {original}")

    assert PLAUSIBLE.invert(entity, surrogate) == f" {original}"


@given(st.integers(1, 665), st.integers(1, 99), st.integers(1, 9999))
def test_every_issuable_ssn_is_inverted(area: int, group: int, serial: int) -> None:
    """Whatever the number, as long as it could be issued."""
    original = f"{area:03d}-{group:02d}-{serial:04d}"

    assert PLAUSIBLE.invert("US_SSN", PLAUSIBLE.surrogate("US_SSN", original)) == original


@pytest.mark.parametrize(
    ("entity", "original"),
    [
        ("US_SSN", "271-24-0538"),
        ("HOME_PHONE_NUMBER", "(919) 684-2143"),
        ("DATE_OF_BIRTH", "spring 1950"),
        ("DATE_OF_BIRTH", "the late 1940s"),
        ("DATE_TIME", "Christmas 1950"),
        ("DATE_TIME", "3/4/1950 10:30 a.m."),
        ("DATE_TIME", "three weeks ago"),
        ("AGE", "late thirties"),
        ("AGE", "middle-aged"),
        ("AGE", "3 days"),
        ("AGE", "111"),
        ("PERSON", "Ellen Ward"),
        ("HOME_ADDRESS", "917 Hermitage Ct., Dayton, OH 45402"),
        ("RELIGION", "Catholic"),
        ("GENDER", "M"),
        ("UK_NHS", "943 476 5919"),
        ("IP_ADDRESS", "10.1.2.3"),
        ("BADGE", "blue badge"),
    ],
)
def test_what_is_drawn_is_not_inverted(entity: str, original: str) -> None:
    """The error names the entity and the reason, and shows no value."""
    surrogates = Surrogates(KEY, "doc")
    surrogate = surrogates.surrogate(entity, original)

    with pytest.raises(NotInvertible, match=f"{entity}: (?:is|has) ") as raised:
        surrogates.invert(entity, surrogate)
    assert surrogate not in str(raised.value)


@pytest.mark.parametrize(
    ("entity", "original"),
    [
        ("DATE_OF_BIRTH", "Nov. 9, 1965"),
        ("DATE_OF_BIRTH", "9 November 1965"),
        ("DATE_OF_BIRTH", "Monday, November 8, 1965"),
        ("DATE_OF_BIRTH", "the ninth of November, 1921"),
        ("DATE_OF_BIRTH", "19651109"),
        ("DATE_OF_BIRTH", "1889"),
        ("DATE_TIME", "1965-11-09"),
        ("DATE_TIME", "Tuesday, June 3"),
        ("DATE_TIME", "June 3, 1950 to June 9, 1950"),
        ("DATE_TIME", "nineteen fifty-two"),
        ("AGE", "46 years old"),
        ("AGE", "aged forty-six"),
        ("AGE", "18 months"),
    ],
)
@pytest.mark.parametrize("scope", ["doc", "another", "a third"])
def test_what_the_scope_moves_is_moved_back(entity: str, original: str, scope: str) -> None:
    """A date and an age have one original, which the offset of the scope tells."""
    surrogates = Surrogates(KEY, scope)
    surrogate = surrogates.surrogate(entity, original)

    assert surrogate != original
    assert surrogates.invert(entity, surrogate) == original


@given(st.dates(date(1000, 1, 1), date(2040, 12, 31)), st.integers(0, 200))
def test_every_date_is_moved_back(day: date, number: int) -> None:
    """By a number of days no two dates become one, in no century."""
    surrogates = Surrogates(KEY, f"scope {number}")
    surrogate = surrogates.surrogate("DATE_TIME", day.isoformat())

    try:
        assert surrogates.invert("DATE_TIME", surrogate) == day.isoformat()
    except NotInvertible:
        assert day.year < 1030  # where dates begin to move forward


def test_two_births_that_become_one_have_no_inverse() -> None:
    """Of 28 and 29 February some other years know one only: neither is guessed."""
    surrogates = Surrogates(KEY, "doc")
    births = {day: surrogates.surrogate("DATE_OF_BIRTH", day) for day in _LEAP_DAYS}

    shared = [one for one in births.values() if list(births.values()).count(one) > 1]
    for one in shared:
        with pytest.raises(NotInvertible, match="several originals"):
            surrogates.invert("DATE_OF_BIRTH", one)
    assert shared


@pytest.mark.parametrize("name", ["document", "random"])
def test_a_random_draw_has_no_inverse(name: str) -> None:
    """Its key is thrown away."""
    with pytest.raises(NotInvertible, match="random key"):
        Surrogates(KEY, "doc", options={"draw": name}).invert("AGE", "46")


def test_a_permuted_number_needs_its_own_options() -> None:
    """A number that this policy cannot have written has no original."""
    with pytest.raises(NotInvertible):
        PLAUSIBLE.invert("US_SSN", Surrogates(KEY, "doc").surrogate("US_SSN", "271-24-0538"))


@pytest.mark.parametrize(
    ("entity", "value", "plainest"),
    [
        ("US_SSN", "271-24-0538", False),
        ("US_SSN", "see file", True),
        ("BADGE", "QX-4711", False),
        ("BADGE", "blue badge", True),
    ],
)
def test_the_form_of_a_value_is_known(entity: str, value: str, plainest: bool) -> None:
    """Values that fell to the plainest form are the ones to look at."""
    form = PLAUSIBLE.form_of(entity, value)

    assert form.plainest == plainest
    assert form == PLAUSIBLE.form_of(entity, PLAUSIBLE.surrogate(entity, value))
