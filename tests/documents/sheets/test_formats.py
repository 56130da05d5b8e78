"""Numbers are shown as their format displays them, and read back from it."""

import pytest

from presidio_cdip.documents.sheets.formats import number_format


@pytest.mark.parametrize(
    ("code", "raw", "shown"),
    [
        ("000-00-0000", "271240538", "271-24-0538"),
        ("000-00-0000", "1240538", "001-24-0538"),
        ("[<=9999999]###-####;(###) ###-####", "7512345678", "(751) 234-5678"),
        ("[<=9999999]###-####;(###) ###-####", "5512345", "551-2345"),
        ("00000", "2108", "02108"),
        ("00000-0000", "21081234", "02108-1234"),
        ("m/d/yyyy", "30000", "2/18/1982"),
        ("dddd, mmmm d, yyyy", "30000", "Thursday, February 18, 1982"),
        ("[$-409]d-mmm-yy;@", "30000", "18-Feb-82"),
        ("yyyy-mm-dd hh:mm", "30000.5", "1982-02-18 12:00"),
        ("#,##0.00;[Red](#,##0.00)", "-1234.5", "(1,234.50)"),
        ("0.0%", "0.256", "25.6%"),
        ('"MRN "0', "12", "MRN 12"),
        ("General", "2.7124053800000001E8", "271240538"),
        ("General", "0.1", "0.1"),
    ],
)
def test_number_is_shown_as_it_is_displayed(code: str, raw: str, shown: str) -> None:
    """Social security numbers, telephone numbers, postal codes, dates, amounts."""
    assert number_format(code).show(raw) == shown


@pytest.mark.parametrize(
    ("code", "raw", "shown"),
    [
        (";;;", "271240538", "271240538"),
        ("0,,", "271240538", "271240538"),
        ("0.00E+00", "271240538", "271240538"),
        ("mmm-yy", "30000", "1982-02-18"),
        ("h:mm", "30000.25", "1982-02-18 06:00:00"),
    ],
)
def test_what_a_format_hides_is_shown(code: str, raw: str, shown: str) -> None:
    """Digits and days that are not displayed can still be read out of the file."""
    assert number_format(code).show(raw) == shown


@pytest.mark.parametrize("raw", ["60", "0", "59", "61", "-1", "3E9", "1E400", "", "abc"])
def test_no_number_is_too_strange_for_a_date(raw: str) -> None:
    """Neither the day that never was, nor what lies outside of all calendars."""
    shown = number_format("yyyy-mm-dd").show(raw)

    assert shown == {"60": "1900-02-29", "59": "1900-02-28", "61": "1900-03-01"}.get(raw, shown)


@pytest.mark.parametrize(
    ("code", "raw", "text", "read"),
    [
        ("000-00-0000", "271240538", "900-11-2233", "900112233"),
        ("(###) ###-####", "7512345678", "(555) 123-0000", "5551230000"),
        ("00000", "2108", "00501", "501"),
        ("m/d/yyyy", "30000", "4/5/1990", "32968"),
        ("d-mmm-yy", "12212", "7-Jun-38", "14038"),
        ("mmm-yy", "30000", "1982-03-01", "30011"),
        ("General", "271240538", "900112233", "900112233"),
        ("#,##0.00", "1234.5", "7,777.25", "7777.25"),
    ],
)
def test_surrogate_is_a_number_again(code: str, raw: str, text: str, read: str) -> None:
    """Under the same format it is displayed as it is wanted."""
    assert number_format(code).read(text, raw) == read


@pytest.mark.parametrize("text", ["Dana Fox", "900-11-223", "***", "(900) 11-2233", ""])
def test_text_that_is_no_number_is_not_read(text: str) -> None:
    """It has to stand in the cell as text."""
    assert number_format("000-00-0000").read(text, "271240538") is None


def test_dates_from_1904() -> None:
    """Their serial numbers are 1462 days less."""
    later = number_format("m/d/yyyy", True)

    assert later.show("28538") == "2/18/1982"
    assert later.read("2/19/1982", "28538") == "28539"
