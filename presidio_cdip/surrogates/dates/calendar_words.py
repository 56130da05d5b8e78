"""Look up the words of the calendar: months, weekdays, seasons, feasts and filler words."""

import re
from collections.abc import Mapping
from functools import lru_cache

from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.dates.shifts import day_of_year
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.writing.text import folded

_WORDS = english()
WEEKDAYS = tuple(day.name for day in _WORDS.weekdays)
SHORT_WEEKDAYS = tuple(day.short for day in _WORDS.weekdays)
WEEKDAY_OF = {
    name.lower(): (at, name != day.name)
    for at, day in enumerate(_WORDS.weekdays)
    for name in day.spellings
}
SEASONS = _WORDS.seasons  # the month in whose middle each is at its height
_BY_MONTH = {month: name for name, month in reversed([*SEASONS.items()])}
SEASON_OF = {name: _BY_MONTH[month] for name, month in SEASONS.items()}
"""The usual name of each season."""
DECADES = _WORDS.decades[1:]  # of a century


def cased(model: str, name: str) -> str:
    """Return *name* in the case of *model*."""
    letters = [char for char in model if char.isalpha()]
    if len(letters) > 1 and all(char.isupper() for char in letters):
        return name.upper()
    if letters and letters[0].islower() and not model[0].isdigit():
        return name.lower()
    return name[:1].upper() + name[1:]


def plain(name: str) -> str:
    """Return *name* without case, blanks, points and apostrophes."""
    return re.sub(r"[.’'\s]+", "", name.casefold())


@lru_cache(maxsize=16)
def _months(pack: Pack) -> tuple[Mapping[str, str], ...]:
    """Return the rows of ``months.tsv``, with English rows first unless the table has its own."""
    listed = rows("months", pack)
    if any(row["language"] == _WORDS.code for row in listed):
        return listed
    own = (
        {"language": _WORDS.code, "month": str(number), "name": month.name, "short": month.short}
        for number, month in enumerate(_WORDS.months, 1)
    )
    return (*own, *listed)


@lru_cache(maxsize=16)
def month_names(language: str, pack: Pack) -> tuple[tuple[str, str], ...]:
    """Return the names of the months and their abbreviations."""
    return tuple(
        (row["name"], row["short"]) for row in _months(pack) if row["language"] == language
    )


@lru_cache(maxsize=16)
def months(language: str, pack: Pack) -> Mapping[str, tuple[str, int, bool]]:
    """Return language, number and shortness by name of a month; names of *language* come first."""
    table = {
        short.lower(): (_WORDS.code, number, True)
        for number, month in enumerate(_WORDS.months, 1)
        for short in month.also
    }
    listed = _months(pack)
    for row in sorted(listed, key=lambda row: (row["language"] != language,
                                               row["language"] != _WORDS.code)):  # fmt: skip
        for column in ("name", "short"):
            found = (row["language"], int(row["month"]), column == "short")
            table.setdefault(row[column].lower(), found)
            table.setdefault(folded(row[column]), found)
    return table


@lru_cache(maxsize=16)
def fillers(pack: Pack) -> frozenset[str]:
    """Return the words in dates that a surrogate repeats."""
    return frozenset(terms("date_words", pack))


@lru_cache(maxsize=16)
def feasts(
    pack: Pack,
) -> tuple[re.Pattern[str], tuple[tuple[str, str, int], ...], dict[str, tuple[str, str, int, int]]]:
    """Return a pattern of feasts, all feasts with kind and day, and their rows by plain name."""
    listed = [
        (row["name"], row["kind"], int(row["month"]), int(row["day"]))
        for row in rows("feasts", pack)
    ]
    by_length = sorted((row[0] for row in listed), key=len, reverse=True)
    names = (
        re.escape(name).replace("'", "['’]?").replace(r"\.", r"\.?").replace(r"\ ", " ?")
        for name in by_length
    )
    pattern = re.compile(rf"(?i)(?<!\w)(?:{'|'.join(names)})(?!\w)")
    days = tuple((name, kind, day_of_year(month, day)) for name, kind, month, day in listed)
    return pattern, days, {plain(row[0]): row for row in listed}


@lru_cache(maxsize=16)
def feast_beginnings(pack: Pack) -> frozenset[str]:
    """Return the first two letters of all names of feasts."""
    return frozenset(word[:2].lower() for word, *_ in feasts(pack)[1])
