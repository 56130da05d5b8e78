"""Show the number of a cell as its number format displays it, and read such a text back."""

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal, DecimalException
from functools import lru_cache

from presidio_cdip.documents.sheets.moments import moment, moments_of, parts_of, serial_of
from presidio_cdip.documents.sheets.sections import Section, sections

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
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d))?")
_LONGEST = 40  # digits of a number that is shown in full

_COMPARISONS = {
    "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b, ">": lambda a, b: a > b, "=": lambda a, b: a == b,
}  # fmt: skip


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
        self._sections = list(sections(code))[:4] or list(sections("General"))
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
            parts = given or moments_of(section, text, self._from_1904, number)
            if parts:
                serial = serial_of(*parts, from_1904=self._from_1904)
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

    def _section_of(self, number: Decimal) -> tuple[Section, Decimal, bool]:
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

    def _date(self, section: Section, number: Decimal) -> str | None:
        parts = parts_of(number, self._from_1904, section.has("elapsed"))
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
                out.append(moment(text, parts, half))
            elif kind == "elapsed":
                unit = {"h": 24, "m": 1440, "s": 86400}[text[0]]
                out.append(str(int(number * unit)))
            elif kind == "noon":
                out.append(text.split("/")[hour >= 12])
            elif kind != "general":
                out.append(text if kind != "digit" else "0")
        return "".join(out)


def _number(section: Section, number: Decimal, signed: bool) -> str | None:
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
