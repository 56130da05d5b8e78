"""Check values: the functions that a rule file names under `check`."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType

from presidio_cdip.pack.confusions import ALONE, digits
from presidio_cdip.recognition.dates import readings

# Numbers the Social Security Administration names as void because they were printed in public, and
# numbers that stood in advertisements: https://www.ssa.gov/history/ssn/misused.html
_PUBLISHED_SSNS = frozenset(
    {
        "078051120",
        "219099999",
        "457555462",
        *(str(number) for number in range(987654320, 987654330)),
    }
)

_SSN_DIGITS = 9
_LINE_NUMBER = re.compile(r"\n[ \t]*\d{1,2}[ \t]{2,}")
_OLDEST = 120  # years
_NUMERAL = re.compile(rf"\d|\b[{ALONE}]{{1,2}}\b")


def luhn(number: str, before: str = "") -> bool:
    """Check by Luhn's algorithm (ISO/IEC 7812-1) the digits of *number*, with *before* added.

    >>> luhn("4111111111111111"), luhn("4111111111111112"), luhn("1234567893", "80840")
    (True, False, True)
    """
    shown = [int(char) for char in before + number if char.isdigit()]
    doubled = (sum(divmod(2 * one, 10)) for one in shown[-2::-2])
    return (sum(shown[-1::-2]) + sum(doubled)) % 10 == 0


def ssn(value: str) -> bool:
    """Check that the number could have been issued as a Social Security number.

    Areas 000, 666 and 900-999, group 00, serial 0000 and published samples are refused
    (20 CFR 422.103; https://www.ssa.gov/employer/randomization.html). Masked digits pass.

    >>> ssn("123-45-6789"), ssn("xxx-xx-6789"), ssn("666-45-6789"), ssn("078-05-1120")
    (True, True, False, False)
    """
    if not ssn_groups(value):
        return False
    number = re.sub(r"[^0-9xX*•#]", "", digits(re.sub(r"[xX]", "*", value)))
    if len(number) < 9:
        return sum(char.isdigit() for char in number) >= 4
    if number in _PUBLISHED_SSNS:
        return False
    area, group, serial = number[:3], number[3:5], number[5:9]
    return not (area in ("000", "666") or area[0] == "9" or group == "00" or serial == "0000")


def ssn_groups(value: str) -> bool:
    """Check that all digits of a legible number stand 3-2-4 or unbroken, and are no more than nine.

    What OCR left of a number passes: letters for digits, and digits lost. The number of a line
    in between counts for nothing.

    >>> ssn_groups("123-45-6789"), ssn_groups("12-345-6789"), ssn_groups("123-45-67890")
    (True, False, False)
    >>> ssn_groups("l23-45-67B9"), ssn_groups("123-45-678"), ssn_groups("1 2 3-4 5-6 7 8 9")
    (True, True, True)
    """
    value = _LINE_NUMBER.sub(" ", value)
    number = "".join(char for char in value if char.isalnum())
    if not number.isdecimal() or len(number) < _SSN_DIGITS:
        return True
    breaks = {
        sum(char.isdigit() for char in value[: gap.start()])
        for gap in re.finditer(r"(?<=\d)\D+(?=\d)", value)
    }
    return len(number) == _SSN_DIGITS and (not breaks or breaks >= {3, 5})


def birth_date(value: str) -> bool:
    """Check that the date exists and can be a date of birth: not in the future, not before 1500.

    >>> birth_date("Nov. 9, 1965"), birth_date("'54"), birth_date("2/30/1965"), birth_date("3065")
    (True, True, False, False)
    """
    this_year = date.today().year
    return any(
        found.year is None or found.year <= 99 or 1500 <= found.year <= this_year
        for found in readings(value)
    )


def age(value: str) -> bool:
    """Check that a number in the value is at most 120; words pass.

    >>> age("46 years old"), age("in her late thirties"), age("l2"), age("450")
    (True, True, True, False)
    """
    numerals = re.findall(r"\d+", digits(value)) if _NUMERAL.search(value) else []
    return all(len(number) < 4 and int(number) <= _OLDEST for number in numerals[:1])


def us_phone(value: str) -> bool:
    """Check that a complete US number is possible under the numbering plan.

    A number without its area code, with an exchange name or from abroad passes.

    >>> us_phone("(919) 555-0143"), us_phone("GLendale 4-1873"), us_phone("(119) 555-0143")
    (True, True, False)
    """
    bare = re.split(r"(?i)\b(?:ext|x)", value)[0]
    if re.search(r"[A-Za-z]{2}", bare) or "+" in value:
        return True
    number = re.sub(r"\D", "", digits(bare))
    if len(number) == 11 and number[0] == "1":
        number = number[1:]
    if len(number) != 10:
        return True
    import phonenumbers  # .1 s, for texts with such numbers only

    # The library's national pattern, not its list of blocks in use: 555-01xx numbers, and area
    # codes that were split since the page was typed, must still be found.
    return number[0] in "23456789" and number[3] in "23456789" and phonenumbers.is_possible_number(
        phonenumbers.parse(number, "US")
    )  # fmt: skip


CHECKS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {check.__name__: check for check in (age, birth_date, ssn, us_phone)}
)
