"""Replace digits, years and letters within codes."""

import re

from presidio_cdip.surrogates.drawing.chance import Chance
from presidio_cdip.surrogates.drawing.context import blanked, context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.writing import numerals

_CHARACTER = re.compile(r"(?!0x[\dA-Fa-f])\d|(?<=\d)[A-Fa-f](?![a-z])|(?<![A-Za-z])[A-Fa-f](?=\d)")
_NEARLY_ALL = re.compile(r"99\.\d+")
YEAR = re.compile(r"1[6-9]\d\d|20[0-4]\d")


def other_number(text: str, chance: Chance) -> str:
    """Return another number; a year becomes one of its generation, and none to come.

    What is nearly all of 100 stays that: 99.98.
    """
    if _NEARLY_ALL.fullmatch(text):
        low = "99.9" if text > "99.9" else "99.1"
        most = "99." + "8".rjust(len(text) - len("99."), "9")
        return numerals.redrawn(text, chance, low, most)
    year = int(text) if YEAR.fullmatch(text) else 0
    if not year:
        return numerals.redrawn(text, chance)
    return numerals.redrawn(text, chance, str(year - 9), str(min(year + 9, max(year, 2020))))


def recoded(value: str, draw: Draw) -> str:
    """Return *value* with other digits, and other letters that touch digits.

    The 0 of "0x" stays, which says that digits are hexadecimal, and so does a year that the page
    has beside its values.
    """
    context = context_of(draw.options)
    text = context.page.fact(blanked) if context else ""

    def character(match: "re.Match[str]") -> str:
        letters = {"d": "0123456789", "u": "ABCDEF", "l": "abcdef"}
        found = match.group()
        kind = "d" if found.isdigit() else "u" if found.isupper() else "l"
        return draw.chance.choice(letters[kind])

    def years(match: "re.Match[str]") -> str:
        if match.group() in text:
            return match.group()
        return other_number(match.group(), draw.part(f"{draw.entity} number", match.group()).chance)

    parts = re.split(rf"(\b(?:{YEAR.pattern})\b)", value)
    if len(parts) > 1:
        return "".join(
            YEAR.sub(years, part) if at % 2 else recoded(part, draw)
            for at, part in enumerate(parts)
        )
    return _CHARACTER.sub(character, value)
