"""Show the number of a cell as its number format displays it, and read such a text back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal, DecimalException
from functools import lru_cache
from itertools import pairwise

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    12: "# ?/?", 13: "# ??/??", 14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm",
    27: "yyyy/m/d", 28: "yyyy/m/d", 29: "yyyy/m/d", 30: "m/d/yy", 31: "yyyy/m/d", 32: "h:mm",
    33: "h:mm:ss", 34: "h:mm", 35: "h:mm:ss", 36: "yyyy/m/d", 37: "#,##0", 38: "#,##0",
    39: "#,##0.00", 40: "#,##0.00", 41: "#,##0", 42: "#,##0", 43: "#,##0.00", 44: "#,##0.00",
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@", 50: "yyyy/m/d",
    51: "yyyy/m/d", 52: "yyyy/m/d", 53: "yyyy/m/d", 54: "yyyy/m/d", 55: "yyyy/m/d",
    56: "yyyy/m/d", 57: "yyyy/m/d", 58: "yyyy/m/d",
}  # fmt: skip
"""The formats that a workbook may use by their number alone."""

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<general>General)|(?P<noon>AM/PM|A/P)|(?P<moment>y+|m+|d+|h+|s+)|(?P<power>E[+-])"
    r"|(?P<digit>[0#?])|(?P<mark>[.,%/@])|(?P<literal>.)",
    re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r'(?:"[^"]*"?|\\.|\[[^\]]*\]|[^;])*', re.DOTALL)
_CONDITION = re.compile(r"\s*(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)\s*")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?")
_MONTHS = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
]  # fmt: skip
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_LAST = 2958466  # the serial number after 9999-12-31
_LONGEST = 40  # digits of a number that is shown in full

_COMPARISONS = {
    "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b, ">": lambda a, b: a > b, "=": lambda a, b: a == b,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Section:
    """One of the up to four parts of a number format.

    Attributes:
        tokens: Kind and text of each token.
        condition: Comparison and number, where it has one.
    """

    tokens: tuple[tuple[str, str], ...]
    condition: tuple[str, Decimal] | None

    def has(self, *kinds: str) -> bool:
        return any(kind in kinds for kind, _ in self.tokens)

    @property
    def is_date(self) -> bool:
        return self.has("moment", "elapsed")

    @property
    def is_date_with_day(self) -> bool:
        """Whether day, month and year are shown."""
        shown = {text for kind, text in self.tokens if kind == "moment"}
        months = {"m", "mm", "mmm", "mmmm"}
        return (
            not shown.isdisjoint({"d", "dd"})
            and not shown.isdisjoint(months)
            and any(text[0] == "y" for text in shown)
        )


def _sections(code: str) -> Iterator[_Section]:
    at = 0
    while at <= len(code):
        match = _SECTION.match(code, at)
        assert match is not None
        at = match.end() + 1
        tokens, condition = [], None
        for token in _TOKEN.finditer(match.group()):
            kind = token.lastgroup or "literal"
            text = token.group(kind)
            if kind == "bracket":
                compared = _CONDITION.fullmatch(text)
                if compared:
                    condition = (compared[1], Decimal(compared[2]))
                elif text and set(text.lower()) <= {text[0].lower()} and text[0] in "hmsHMS":
                    tokens.append(("elapsed", text.lower()))
                elif text.startswith("$"):
                    tokens.append(("literal", text[1:].partition("-")[0]))
            elif kind in ("quoted", "escaped", "literal"):
                tokens.append(("literal", text))
            elif kind == "space":
                tokens.append(("literal", " "))
            elif kind == "moment":
                tokens.append((kind, text.lower()))
            elif kind != "fill":
                tokens.append((kind, text))
        yield _Section(tuple(_with_minutes(tokens)), condition)


def _with_minutes(tokens: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield *tokens*; an ``m`` after hours or before seconds is ``n``, minutes."""
    moments = [index for index, (kind, _) in enumerate(tokens) if kind in ("moment", "elapsed")]
    minutes = set()
    for before, after in pairwise(moments):
        if tokens[before][1][0] == "h" and tokens[after][1][0] == "m":
            minutes.add(after)
        if tokens[before][1][0] == "m" and tokens[after][1][0] == "s":
            minutes.add(before)
    for index, (kind, text) in enumerate(tokens):
        if kind == "moment" and index in minutes and len(text) < 3:
            text = "n" * len(text)
        yield kind, text


def general(raw: str) -> str:
    """Return a stored number in full, with at most 15 digits after the point.

    >>> general("2.7124053800000001E8"), general("0.1"), general("1E+400")
    ('271240538', '0.1', '1E+400')
    """
    if raw.isdecimal():
        return raw
    try:
        number = Decimal(raw)
        if not number.is_finite() or abs(number.adjusted()) > _LONGEST:
            return raw
        if number != number.to_integral_value() or "e" in raw.lower():
            number = Decimal(f"{float(raw):.15g}")
        text = f"{number:f}"
    except (DecimalException, ValueError, OverflowError):
        return raw
    return text.rstrip("0").rstrip(".") if "." in text else text


class NumberFormat:
    """A number format."""

    def __init__(self, code: str, from_1904: bool = False) -> None:
        """Compile *code*; *from_1904* says when serial numbers of dates begin."""
        self._sections = list(_sections(code))[:4] or list(_sections("General"))
        self._from_1904 = from_1904
        self.is_plain = code.lower() in ("general", "@", "")

    def show(self, raw: str) -> str:
        """Return the stored number *raw* as it is displayed.

        Where the display hides digits before the point, or a part of a date, the number or the
        date is returned in full: it can be read out of the file.
        """
        if self.is_plain:
            return general(raw)
        try:
            number = Decimal(raw)
            if not number.is_finite() or abs(number.adjusted()) > _LONGEST:
                return raw
        except DecimalException:
            return raw
        section, number, signed = self._section_of(number)
        if section.is_date:
            return self._date(section, number) or general(raw)
        shown = _number(section, number, signed)
        whole = str(abs(int(Decimal(general(raw)))))
        if shown is None or whole.strip("0") not in re.sub(r"\D", "", shown):
            return general(raw)
        return shown

    def read(self, text: str, raw: str) -> str | None:
        """Return the number that is displayed as *text*; None if there is none.

        Args:
            text: As `show` would return it.
            raw: The number that stood there, for what *text* leaves open: sign, century.
        """
        return next((one for one in self._candidates(text, raw) if self.show(one) == text), None)

    def _candidates(self, text: str, raw: str) -> Iterator[str]:
        digits = "".join(char for char in text if char in "0123456789")
        try:
            section, number, _ = self._section_of(Decimal(raw))
        except DecimalException:
            return
        if section.is_date and not self.is_plain:
            iso = _ISO.fullmatch(text)
            given = [int(part or 0) for part in iso.groups()] if iso else None
            parts = given or _moments(section, text, self._from_1904, number)
            if parts:
                serial = _serial(*parts, from_1904=self._from_1904)
                if serial is not None:
                    yield serial
            return
        if not digits or len(digits) > 15:
            return
        sign = "-" if Decimal(raw) < 0 or text.startswith("-") else ""
        for one in (f"{text}", f"{sign}{digits}"):
            if re.fullmatch(r"-?\d+(\.\d+)?", one):
                yield one.lstrip("0") or "0"
        places = section.tokens.index(("mark", ".")) if ("mark", ".") in section.tokens else None
        if places is not None:
            decimals = sum(kind == "digit" for kind, _ in section.tokens[places:])
            yield f"{sign}{Decimal(digits).scaleb(-decimals):f}"

    def _section_of(self, number: Decimal) -> tuple[_Section, Decimal, bool]:
        """Return the section for *number*, what it shows, and whether it shows a minus sign."""
        numeric = self._sections[:3]
        if any(one.condition for one in numeric):
            for one in numeric:
                if one.condition is None or _COMPARISONS[one.condition[0]](
                    number, one.condition[1]
                ):
                    return one, abs(number), number < 0
            return numeric[-1], abs(number), number < 0
        if number < 0 and len(numeric) > 1:
            return numeric[1], abs(number), False
        if number == 0 and len(numeric) > 2:
            return numeric[2], number, False
        return numeric[0], abs(number), number < 0

    def _date(self, section: _Section, number: Decimal) -> str | None:
        parts = _parts(number, self._from_1904, section.has("elapsed"))
        if parts is None:
            return None
        year, month, day, hour, minute, second = parts
        if not section.is_date_with_day and number >= 1 and not section.has("elapsed"):
            clock = f" {hour:02}:{minute:02}:{second:02}" if number % 1 else ""
            return f"{year:04}-{month:02}-{day:02}{clock}"
        half = section.has("noon")
        out = []
        for kind, text in section.tokens:
            if kind == "moment":
                out.append(_moment(text, parts, half))
            elif kind == "elapsed":
                unit = {"h": 24, "m": 1440, "s": 86400}[text[0]]
                out.append(str(int(number * unit)))
            elif kind == "noon":
                out.append(text.split("/")[hour >= 12])
            elif kind != "general":
                out.append(text if kind != "digit" else "0")
        return "".join(out)


def _moment(text: str, parts: tuple[int, ...], half: bool) -> str:
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


def _parts(number: Decimal, from_1904: bool, elapsed: bool) -> tuple[int, ...] | None:
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


def _serial(
    year: int, month: int, day: int, hour: int, minute: int, second: int, *, from_1904: bool
) -> str | None:
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


def _moments(
    section: _Section, text: str, from_1904: bool, number: Decimal
) -> tuple[int, ...] | None:
    """Return what *text* shows under *section*, and what stood there where it shows nothing."""
    was = _parts(number, from_1904, False)
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


def _pattern(section: _Section) -> str:
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


def _number(section: _Section, number: Decimal, signed: bool) -> str | None:
    """Return *number* under a section without dates; None where it is a fraction or a power."""
    if section.has("power") or (("mark", "/") in section.tokens and section.has("digit")):
        return None
    if not section.has("digit"):
        parts = [
            text if kind == "literal" else general(str(number)) if kind == "general" else ""
            for kind, text in section.tokens
        ]
        return ("-" if signed and section.has("general") else "") + "".join(parts)
    number = number.scaleb(2 * section.tokens.count(("mark", "%")))
    digits = [at for at, (kind, _) in enumerate(section.tokens) if kind == "digit"]
    point = next(
        (at for at, token in enumerate(section.tokens) if token == ("mark", ".")), digits[-1] + 1
    )
    commas = [at for at, token in enumerate(section.tokens) if token == ("mark", ",")]
    last = max((at for at in digits if at < point), default=point)
    number = number.scaleb(-3 * sum(at > last for at in commas))
    decimals = sum(at > point for at in digits)
    rounded = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    whole, _, fraction = f"{rounded:f}".partition(".")
    left = _whole(section.tokens[:point], whole.lstrip("0"), any(at < last for at in commas))
    right = _fraction(section.tokens[point:], fraction)
    return ("-" if signed and rounded else "") + left + right


def _whole(tokens: tuple[tuple[str, str], ...], digits: str, grouped: bool) -> str:
    """Return the part before the point: digits are set from the right."""
    places = [at for at, (kind, _) in enumerate(tokens) if kind == "digit"]
    out: list[str] = []
    if grouped:
        least = sum(tokens[at][1] == "0" for at in places)
        digits = f"{int(digits or 0):,}" if digits or least else ""
        digits = digits.zfill(least) if "," not in digits else digits
        places = places[:1]
    for at in range(len(tokens) - 1, -1, -1):
        kind, text = tokens[at]
        if kind == "literal" or (kind == "mark" and text in "%/"):
            out.append(text)
        elif at in places[:1]:
            blank = {"0": "0", "?": " "}.get(text, "") if not grouped else ""
            out.append(digits or blank)
        elif at in places:
            out.append(digits[-1:] or {"0": "0", "?": " "}.get(text, ""))
            digits = digits[:-1]
    return "".join(reversed(out))


def _fraction(tokens: tuple[tuple[str, str], ...], digits: str) -> str:
    """Return the point and what follows; ``#`` shows no zeros at the end."""
    places = [text for kind, text in tokens if kind == "digit"]
    needed = len(digits.rstrip("0"))
    needed = max([needed, *(at + 1 for at, text in enumerate(places) if text == "0")])
    out, taken = [], 0
    for kind, text in tokens:
        if kind == "digit":
            out.append(digits[taken] if taken < needed else " " if text == "?" else "")
            taken += 1
        elif kind == "literal" or (kind == "mark" and text in ".%/"):
            out.append(text)
    return "".join(out)


@lru_cache(maxsize=4096)
def number_format(code: str, from_1904: bool = False) -> NumberFormat:
    """Return the number format that is written as *code*."""
    return NumberFormat(code, from_1904)
