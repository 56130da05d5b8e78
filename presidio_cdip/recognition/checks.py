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

_OLDEST = 120  # years
_MONTHS = range(1, 13)
_DAYS = 31
_PARTS = 3  # of a date
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
    number = re.sub(r"[^0-9xX*•#]", "", digits(re.sub(r"[xX]", "*", value)))
    if len(number) < 9:
        return sum(char.isdigit() for char in number) >= 4
    if number in _PUBLISHED_SSNS:
        return False
    area, group, serial = number[:3], number[3:5], number[5:9]
    return not (area in ("000", "666") or area[0] == "9" or group == "00" or serial == "0000")


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


def nearly_birth_date(value: str) -> bool:
    """Check that a numeric date, or one with a month's name, is off in one part at most.

    A digit may be misread, and a month's last day miscounted; the year is not in the future.

    >>> nearly_birth_date("2/29/1951"), nearly_birth_date("June 31, 1944")
    (True, True)
    >>> [nearly_birth_date(value) for value in ("0/0/00", "99/99/99", "13/45/1950", "3/4/2090")]
    [False, False, False, False]
    """
    numbers = re.findall(r"\d+", value)
    years = [int(number) for number in numbers if len(number) > 2]
    if any(year > date.today().year for year in years):
        return False
    if re.search(r"[^\W\d_]{3}", value):
        return len(numbers) == 2
    if len(numbers) != _PARTS:
        return False
    first, second = map(int, numbers[1:] if len(numbers[0]) > 2 else numbers[:2])
    return first in _MONTHS or second in _MONTHS or 0 < max(first, second) <= _DAYS


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
