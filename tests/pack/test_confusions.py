"""Digits that OCR has read as letters: what is found is read."""

import re
from datetime import date

from hypothesis import assume, given
from hypothesis import strategies as st

from presidio_cdip.pack.confusions import ALONE, ANY, LETTERS, LIKELY, ROUND, STROKES, digits
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.checks import birth_date, ssn, us_phone
from presidio_cdip.surrogates.dates.dates import BIRTH_FORMS
from presidio_cdip.surrogates.drawing.forms import Form, Reading
from presidio_cdip.surrogates.values.numbers import PHONE_FORMS, SSN_FORMS


@st.composite
def garbled(draw: st.DrawFn, written: str, accepted: str) -> str:
    """*written* with up to half of its digits as characters that are *accepted* for them."""
    places = [at for at, char in enumerate(written) if char.isdigit()]
    chosen = draw(st.lists(st.sampled_from(places), max_size=len(places) // 2, unique=True))
    chars = list(written)
    for place in chosen:
        choices = [c for c in english().ocr.digits.get(chars[place], "") if c in accepted]
        if choices:
            chars[place] = draw(st.sampled_from(choices))
    return "".join(chars)


def reading(forms: tuple[Form, ...], value: str) -> Reading | None:
    """How *value* reads by any of *forms* but the last, which reads everything."""
    return next(
        filter(None, (form.read(value, {"pack": Pack.shipped()}) for form in forms[:-1])), None
    )


def test_every_class_is_a_part_of_what_is_read() -> None:
    """Whatever character an expression accepts for a digit, `digits` turns into one."""
    for chars in (ANY, LIKELY, LETTERS, ROUND, ALONE):
        assert digits(chars).isdecimal()
        assert set(chars) <= set(ANY)
    assert set(digits(STROKES)) == {"1"}


def test_no_rule_spells_out_what_ocr_confuses() -> None:
    """A class of a digit and the letters that are read for it is a form of the language."""
    files = Pack.shipped().files("recognizers", ".yaml").items()
    confused = re.compile(r"\[(?:0[oO]|[oO]0|(?=[ilI]{0,2}1)[1ilI]{2,4})\]")

    assert [name for name, file in files if confused.search(file.read_text("utf-8"))] == []


@given(st.text("0123456789", min_size=9, max_size=9), st.sampled_from("- "), st.data())
def test_a_garbled_social_security_number_is_read(
    number: str, gap: str, data: st.DataObject
) -> None:
    """What the check accepts, the surrogates read as the number that was meant."""
    value = data.draw(garbled(gap.join((number[:3], number[3:5], number[5:])), ANY))
    assume(ssn(value))

    found = reading(SSN_FORMS, value)

    assert found is not None
    assert found.normal == number


@given(st.from_regex(r"[2-9][0-9]{2}[2-9][0-9]{6}", fullmatch=True), st.data())
def test_a_garbled_telephone_number_is_read(number: str, data: st.DataObject) -> None:
    """What the check accepts, the surrogates read as the number that was meant."""
    value = data.draw(garbled(f"({number[:3]}) {number[3:6]}-{number[6:]}", ANY))
    assume(us_phone(value))
    assume(not re.search("[A-Za-z]{2}", value))  # "GO0-0000" may be an exchange's name

    found = reading(PHONE_FORMS, value)

    assert found is not None
    assert re.sub(r"[^0-9]", "", found.normal) == number


@given(
    st.dates(date(1900, 1, 1), date(1999, 12, 31)),
    st.sampled_from(("{0.month}/{0.day}/{0.year}", "{0.month:02d}-{0.day:02d}-{0.year}")),
    st.data(),
)
def test_a_garbled_birth_date_is_read(day: date, form: str, data: st.DataObject) -> None:
    """What the check accepts with letters that rules accept, the surrogates read as that day."""
    value = data.draw(garbled(form.format(day), LIKELY))
    assume(birth_date(value))
    assume(not re.search(r"(?<!\w)(?:[Zz]|I+)(?!\w)", value))  # a time zone, a Roman numeral

    found = reading(BIRTH_FORMS, value)

    assert found is not None
    assert found.normal == day.isoformat()
