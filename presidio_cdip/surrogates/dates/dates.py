"""Draw surrogates of dates and times, moved by the offset of the scope and written alike."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from presidio_cdip.pack.confusions import digits
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.dates import PartialDate
from presidio_cdip.surrogates.dates.births import close_offset
from presidio_cdip.surrogates.dates.calendar_words import month_names
from presidio_cdip.surrogates.dates.parts import Decade
from presidio_cdip.surrogates.dates.periods import Periods
from presidio_cdip.surrogates.dates.reading import LONGEST, parsed_date
from presidio_cdip.surrogates.dates.shifts import Offset, birth_offset, date_offset, moved_year
from presidio_cdip.surrogates.drawing.forms import Draw, Form, LineByLine, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.writing.damage import damaged_like

_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d)")


class _Written:
    """Read a date in digits, with the name of a month or in words, and its time."""

    def __init__(
        self,
        offset: Callable[[Draw], Offset],
        other: Callable[[PartialDate, Draw], Offset | None] = lambda found, draw: None,
    ) -> None:
        self._offset = offset
        self._other = other  # of some dates

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        parsed = parsed_date(value, options)
        if parsed is None:
            return None
        like = options.get("damage") == "same"

        def write(draw: Draw) -> str:
            offset = self._other(parsed.found, draw) or self._offset(draw)
            surrogate = parsed.written(offset, draw)
            return damaged_like(value, surrogate) if like else surrogate

        return Reading(parsed.form, parsed.normal, write)


_JOINT = re.compile(
    rf"(?i)(?:\s{{1,9}}(?:{'|'.join(english().labels['until'])})\s{{1,9}})"
    r"|\s{0,9}(?<!ty)[-–—]\s{0,9}"
)
_OPENING = re.compile(rf"(?i)(?:{'|'.join(english().labels['since'])})\s{{1,9}}")


class _Between:
    """Read two dates with a word or a dash between them."""

    def __init__(self, one: Form) -> None:
        self._one = one

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        if len(value) > LONGEST:
            return None
        opening = found.group() if (found := _OPENING.match(value)) else ""
        for joint in list(_JOINT.finditer(value, len(opening)))[:8]:
            first = self._one.read(value[len(opening) : joint.start()], options)
            second = first and self._one.read(value[joint.end() :], options)
            if first and second:
                return self._both(opening, first, joint.group(), second)
        return None

    def _both(self, opening: str, first: Reading, joint: str, second: Reading) -> Reading:
        def write(draw: Draw) -> str:
            return opening + first.write(draw) + joint + second.write(draw)

        form = " ".join(f"{opening}{first.form}{joint}{second.form}".casefold().split())
        return Reading(form, f"{first.normal}/{second.normal}", write)


def _plain(offset: Callable[[Draw], Offset]) -> LineByLine:
    """Return a form that reads any text; it writes November 9, 1965, and moves the year found."""

    def line(text: str, draw: Draw) -> str:
        found = _YEAR.search(text)
        year = draw.chance.between(1900, 1989)
        if found:
            year = moved_year(int(found.group()), offset(draw))
        month, day = draw.chance.between(1, 12), draw.chance.between(1, 28)
        name = month_names(english().code, pack_of(draw.options))[month - 1][0]
        return f"{name.upper() if text.isupper() else name} {day}, {year}"

    return LineByLine("month #, ####", line)


def year_of(value: str, pack: Pack) -> str | None:
    """Return the year of a date in four digits; None if it has none.

    >>> dates = "11/9/65", "eve of St. John's, 1889", "May 3"
    >>> [year_of(date, Pack.shipped()) for date in dates]
    ['1965', '1889', None]
    """
    parsed = parsed_date(value.strip(), {"pack": pack})
    if parsed and not any(isinstance(piece, Decade) for piece in parsed.pieces):
        return None if parsed.found.year is None else f"{parsed.found.year:04d}"
    found = _YEAR.search(digits(value))
    return found.group() if found else None


_BIRTHS = _Written(birth_offset, close_offset)
_DATES = _Written(date_offset)

BIRTH_FORMS: tuple[Form, ...] = (_BIRTHS, _Between(_BIRTHS), _plain(birth_offset))
DATE_TIME_FORMS: tuple[Form, ...] = (_DATES, _Between(_DATES), Periods(), _plain(date_offset))
