"""Turn the serial numbers of dates into what a number format shows of them, and back."""

import re
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from presidio_cdip.documents.sheets.sections import Section
from presidio_cdip.pack.language import english

_MONTHS = [month.name for month in english().months]
_DAYS = [day.name for day in english().weekdays]
_LAST = 2958466  # the serial number after 9999-12-31


def moment(text: str, parts: tuple[int, ...], half: bool) -> str:
    """Return the text that a token of a date or time shows.

    Args:
        text: The token: ``"yyyy"``, ``"mmm"``, ``"h"``.
        parts: Year, month, day, hour, minute and second.
        half: Whether hours count to twelve.
    """
    year, month, day, hour, minute, second = parts
    width = len(text)
    if text[0] == "y":
        return f"{year % 100:02}" if width < 3 else f"{year:04}"
    if text[0] == "m" and width > 2:
        name = _MONTHS[month - 1]
        return name[:3] if width == 3 else name[0] if width == 5 else name
    if text[0] == "d" and width > 2:
        name = _DAYS[date(max(year, 1), month, max(day, 1)).weekday() if day < 29 else _day(parts)]
        return name[:3] if width == 3 else name
    if text[0] == "h" and half:
        hour = hour % 12 or 12
    value = {"m": month, "d": day, "h": hour, "n": minute, "s": second}[text[0]]
    return f"{value:02}" if width > 1 else str(value)


def _day(parts: tuple[int, ...]) -> int:
    try:
        return date(*parts[:3]).weekday()
    except ValueError:  # 1900-02-29, which was none
        return 2


def parts_of(number: Decimal, from_1904: bool, elapsed: bool) -> tuple[int, ...] | None:
    """Return year, month, day, hour, minute and second of a serial number."""
    seconds = int((number * 86400).to_integral_value(ROUND_HALF_UP))
    days, rest = divmod(seconds, 86400)
    if not 0 <= days < _LAST - (1462 if from_1904 else 0):
        return None
    clock = (rest // 3600, rest // 60 % 60, rest % 60)
    if from_1904:
        when = date(1904, 1, 1) + timedelta(days)
    elif days in (0, 60):
        return (1900, 1, 0, *clock) if days == 0 else (1900, 2, 29, *clock)
    else:
        when = date(1899, 12, 30 if days > 60 else 31) + timedelta(days)
    return (when.year, when.month, when.day, *clock)


def serial_of(
    year: int, month: int, day: int, hour: int, minute: int, second: int, *, from_1904: bool
) -> str | None:
    """Return the serial number of a date and time; None if there is none."""
    try:
        when = date(year, month, day)
    except ValueError:
        return None
    if from_1904:
        days = (when - date(1904, 1, 1)).days
    else:
        days = (when - date(1899, 12, 30)).days
        days -= days <= 60
    if days < 0:
        return None
    clock = Decimal(hour * 3600 + minute * 60 + second) / 86400
    return f"{(days + clock).quantize(Decimal(1).scaleb(-10)):f}".rstrip("0").rstrip(".") or "0"


def moments_of(
    section: Section, text: str, from_1904: bool, number: Decimal
) -> tuple[int, ...] | None:
    """Return the date and time in *text*, written by *section*; parts that it lacks are kept."""
    was = parts_of(number, from_1904, False)
    match = re.fullmatch(_pattern(section), text, re.IGNORECASE)
    if match is None or was is None or section.has("elapsed"):
        return None
    found = {kind: value for kind, value in match.groupdict().items() if value}
    year = int(found.get("y", was[0]))
    if year < 100:
        year += was[0] - was[0] % 100
    month = was[1]
    if "m" in found:
        names = [one[: len(found["m"])].lower() for one in _MONTHS]
        month = int(found["m"]) if found["m"].isdigit() else names.index(found["m"].lower()) + 1
    day = int(found.get("d", was[2]))
    if "h" not in found:
        return year, month, day, 0, 0, 0
    hour = int(found["h"])
    if "noon" in found:
        hour = hour % 12 + (12 if found["noon"].lower().startswith("p") else 0)
    return year, month, day, hour, int(found.get("n", 0)), int(found.get("s", 0))


def _pattern(section: Section) -> str:
    out: list[str] = []
    named: set[str] = set()
    for kind, text in section.tokens:
        if kind == "moment":
            name = text[0]
            if name in "md" and len(text) > 2:
                options = _MONTHS if name == "m" else _DAYS
                words = "|".join(one[:3] if len(text) == 3 else one for one in options)
                name, body = ("m", words) if name == "m" else ("", words)
            else:
                body = r"\d{2,4}" if name == "y" else r"\d{1,2}"
            out.append(f"(?:{body})" if not name or name in named else f"(?P<{name}>{body})")
            named.add(name)
        elif kind == "noon":
            out.append("(?P<noon>" + "|".join(text.split("/")) + ")")
        elif kind == "digit":
            out.append("0")
        elif kind != "general":
            out.append(re.escape(text))
    return "".join(out)
