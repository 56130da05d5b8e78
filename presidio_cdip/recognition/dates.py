"""Read dates in the forms of letters, forms and scans."""

import re
from dataclasses import dataclass
from datetime import date

from presidio_cdip.pack.confusions import LETTERS, digits
from presidio_cdip.pack.language import english

_MONTHS = tuple(month.short.lower() for month in english().months)
_LETTERS = str.maketrans(dict(english().ocr.lower))  # digits that OCR reads for letters
_ENDINGS = "|".join(english().labels["ordinal_endings"])
_TOKEN = re.compile(r"[A-Za-z0-9|!]+")
# 19-XI-31
_ROMAN = re.compile(r"(?<=\d)(\.? ?[-–./ ] ?)(I{1,3}|I?V|VI{1,3}|I?X|XI{1,2})(?=\.? ?[-–./ ] ?\d)")
ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
"""The months as Roman numerals, from January."""


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date, or the known parts of one.

    Attributes:
        year: As written: four digits, or 0-99 if only two digits were written.
        month: 1-12, or None.
        day: 1-31, or None.
    """

    year: int | None
    month: int | None = None
    day: int | None = None


def readings(text: str) -> frozenset[PartialDate]:
    """Return every date that *text* may mean; empty if it is no date.

    Numbers alone are read month first and, if that date exists too, day first.

    >>> readings("Nov. 9, 1965") == readings("9 November 1965") == {PartialDate(1965, 11, 9)}
    True
    >>> readings("9 - XI - 65")
    frozenset({PartialDate(year=65, month=11, day=9)})
    >>> readings("2/30/1965")
    frozenset()
    """
    month: int | None = None
    numbers: list[int] = []
    for token in _TOKEN.findall(_unglued(text)):
        name = token.lower().translate(_LETTERS)[:3]
        number = digits(token)
        if name in _MONTHS and not number.isdecimal():
            month = _MONTHS.index(name) + 1
        elif len(number) in (6, 8) and number.isdecimal():
            numbers += _compact(number)
        elif number.isdecimal():
            numbers.append(int(number) if len(number) <= 4 else -1)
    found = set()
    for year, first, second in _orders(numbers, month):
        candidate = PartialDate(year, first, second)
        if _exists(candidate):
            found.add(candidate)
    return frozenset(found)


def _unglued(text: str) -> str:
    """Remove ordinal endings, put blanks around month names, and write Roman months as names."""
    text = _ROMAN.sub(lambda found: found[1] + _MONTHS[ROMANS.index(found[2])], text)
    text = re.sub(rf"(?<=[0-9{LETTERS}])(?:{_ENDINGS})\b", " ", text)
    return re.sub(r"(?<=\d)(?=[A-Za-z]{3})|(?<=[a-z]{3})(?=\d)", " ", text)


def _compact(number: str) -> list[int]:
    """Split digits without separators into three numbers: 110965, 11091965 or 19651109."""
    if len(number) == 6:
        return [int(number[:2]), int(number[2:4]), int(number[4:])]
    if number[:2] in ("18", "19", "20"):
        return [int(number[:4]), int(number[4:6]), int(number[6:])]
    return [int(number[:2]), int(number[2:4]), int(number[4:])]


def _orders(
    numbers: list[int], month: int | None
) -> list[tuple[int | None, int | None, int | None]]:
    match numbers, month:
        case [year], None:
            return [(year, None, None)]
        case [number], int():
            if number > 31:
                return [(number, month, None)]
            return [(None, month, number), (number, month, None)]
        case [first, second], int():
            if first > 31:
                return [(first, month, second)]
            return [(second, month, first)]
        case [first, second], None:
            return [(second, first, None)]
        case [first, second, third], None:
            if first > 31:
                return [(first, second, third)]
            return [(third, first, second), (third, second, first)]
        case _:
            return []


def _exists(found: PartialDate) -> bool:
    year = found.year
    if year is not None and not (0 <= year <= 99 or 1000 <= year <= 2199):
        return False
    if found.month is None:
        return True
    if not 1 <= found.month <= 12:
        return False
    if found.day is None:
        return True
    try:
        date(2000 if year is None or year == 0 else year if year > 99 else 1900 + year,
             found.month, found.day)  # fmt: skip
    except ValueError:
        return False
    return True


def keys(text: str) -> frozenset[tuple[int, int, int]]:
    """Return the complete dates that *text* may mean, as (year of the century, month, day).

    >>> keys("11/9/65") >= keys("November 9, 1965")
    True
    """
    return frozenset(
        (found.year % 100, found.month, found.day)
        for found in readings(text)
        if found.year is not None and found.month and found.day
    )
