"""The words of the calendar: months, weekdays, seasons, feasts and filler words."""

import re
from collections.abc import Mapping
from functools import lru_cache

from presidio_cdip.surrogates.dates.shifts import day_of_year
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.writing.text import folded

ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SHORT_WEEKDAYS = ("Mon", "Tues", "Wed", "Thurs", "Fri", "Sat", "Sun")
WEEKDAY_OF = {
    **{name.lower(): (at, False) for at, name in enumerate(WEEKDAYS)},
    **{name.lower(): (at, True) for at, name in enumerate(SHORT_WEEKDAYS)},
    "tue": (1, True), "thu": (3, True), "thur": (3, True), "weds": (2, True),
}  # fmt: skip
# The middle month of each season.
SEASONS = {"winter": 1, "spring": 4, "summer": 7, "autumn": 10, "fall": 10}
DECADES = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties",
            "nineties")  # fmt: skip


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
def month_names(language: str, pack: str | None) -> tuple[tuple[str, str], ...]:
    """Return the names of the months and their abbreviations."""
    return tuple(
        (row["name"], row["short"]) for row in rows("months", pack) if row["language"] == language
    )


@lru_cache(maxsize=16)
def months(language: str, pack: str | None) -> Mapping[str, tuple[str, int, bool]]:
    """Return language, number and shortness by name of a month; names of *language* come first."""
    table: dict[str, tuple[str, int, bool]] = {"sept": ("en", 9, True)}
    listed = rows("months", pack)
    for row in sorted(listed, key=lambda row: (row["language"] != language,
                                               row["language"] != "en")):  # fmt: skip
        for column in ("name", "short"):
            found = (row["language"], int(row["month"]), column == "short")
            table.setdefault(row[column].lower(), found)
            table.setdefault(folded(row[column]), found)
    return table


@lru_cache(maxsize=16)
def fillers(pack: str | None) -> frozenset[str]:
    """Return the words in dates that a surrogate repeats."""
    return frozenset(terms("date_words", pack))


@lru_cache(maxsize=16)
def feasts(
    pack: str | None,
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
def feast_beginnings(pack: str | None) -> frozenset[str]:
    """Return the first two letters of all names of feasts."""
    return frozenset(word[:2].lower() for word, *_ in feasts(pack)[1])
