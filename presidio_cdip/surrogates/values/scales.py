"""Keep a number within the scale of its label, or within the numbers of its column.

``operators/gazetteers/scales.tsv`` lists scales with their least and greatest number. The name
stands in the value, before it on its line, or above it as the heading of its column.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, rows
from presidio_cdip.surrogates.writing import numerals
from presidio_cdip.surrogates.writing.text import folded, line_at

_TABLE = "scales"
_NUMBER = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,2})?(?![\d.]*\d)")
_UNIT = re.compile(r" ?(?:[^\W\d_]{1,5} ?/ ?(?:\d{1,4} ?)?[^\W\d_]{1,5}|m?g ?%)\.?\Z")  # "mEq/L"
# Numbers with what may stand between and behind them
_NUMBERS = re.compile(
    r"(?:[<>~]\s?)?(?:\d++(?:\.\d+)?+"
    r"|\s?(?:%|/|,|;|-|–|and|&|out of|of|then|per ?cent|pct\.?)\s?)++"
)
_OUT_OF = re.compile(r"(?:/|out of|of)\s?\Z")  # before the greatest number, which stays
_LINK = (
    r"(?:[ ](?:scores?|scale|exam(?:ination)?|test|total|rating|was|is|of|at|now))*[\s:=.,(-]{1,6}"
)
_ARTICLE = re.compile(r"(?i)(?:an?|the) ")
_SHORT = 60  # characters of a line before a value in which its label stands
_FEWEST = 4  # numbers of a column that show how far it reaches
_LEAST = 10  # a smaller number without decimals may be a code
_CHOICES = 3  # numbers from which one is drawn, at least
_ROWS = 60  # lines of a table on either side
_FAR = 6000  # characters of these lines
_LEAN = 3  # characters by which a heading may stand beside its column
_DELIMITERS = "\t|,;"
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Range:
    """The least and the greatest number that can be drawn."""

    least: float
    greatest: float

    def other(self, text: str, draw: Draw) -> str:
        """Draw another number near *text* within the range; *text* if that has no other."""
        own = float(text)
        low, high = max(self.least, own * 0.75), min(self.greatest, own * 1.3 + 1)
        step = 0.1 if "." in text else 1
        if high - low < _CHOICES * step:
            low = max(self.least, min(low, own - _CHOICES * step))
            high = min(self.greatest, max(high, low + _CHOICES * step))
        chance = draw.part(f"{draw.entity} number", text).chance
        if step == 1:
            low, high = float(-(-low // 1)), float(high // 1)
        return numerals.redrawn(text, chance, f"{low:.1f}", f"{high:.1f}")


@lru_cache(maxsize=8)
def _scales(pack: Pack) -> tuple[Mapping[str, _Range], re.Pattern[str]]:
    """Return the scales by folded name, and an expression for a name and what may follow it."""
    found = {
        name: _Range(float(row["least"]), float(row["greatest"]))
        for row in rows(_TABLE, pack)
        for name in row["names"].split("|")
    }
    either = re.compile(rf"(?i)(?<![\w-])({alternation(tuple(found))}){_LINK}")
    return {folded(name): one for name, one in found.items()}, either


class _Scored:
    """Read the number of a scale, or of a column with enough numbers."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        scales, named = _scales(pack_of(options))
        context = context_of(options)
        article = _ARTICLE.match(value)
        name = named.match(value, article.end() if article else 0)
        start = name.end() if name else 0
        end = unit.start() if (unit := _UNIT.search(value, start)) else len(value)
        if not _NUMBERS.fullmatch(value, start, end) or not _NUMBER.search(value, start, end):
            return None
        found = scales[folded(name[1])] if name else None
        if found is None and context is not None:
            found = _of_context(value, context, scales, named)
        numbers = [one for one in _NUMBER.finditer(value, start, end) if not _stays(value, one)]
        if found is None or not numbers:
            return None
        if any(not found.least <= float(one.group()) <= found.greatest for one in numbers):
            return None

        def write(draw: Draw) -> str:
            parts, at = [], 0
            for one in numbers:
                parts += [value[at : one.start()], found.other(one.group(), draw)]
                at = one.end()
            return "".join([*parts, value[at:]])

        return Reading("scale number", folded(value), write)


def _stays(value: str, number: "re.Match[str]") -> bool:
    """Tell whether *number* is the greatest of its scale, as in "28/30"."""
    return bool(_OUT_OF.search(value[: number.start()])) and number.group() in numerals.SCALES


def _of_context(
    value: str, context: Context, scales: Mapping[str, _Range], named: re.Pattern[str]
) -> _Range | None:
    """Return the range of a number by the label before it, or by its column."""
    text = context.page.text
    line = text[max(0, context.start - _SHORT) : context.start].rpartition("\n")[2]
    labels = [one for one in named.finditer(line) if one.end() == len(line)]
    if labels:
        return scales[folded(labels[-1][1])]
    heading, numbers = _column(text, context.start, context.end)
    label = named.search(f"{heading}:") if heading else None
    own = scales[folded(label[1])] if label else None
    alone = value.isdigit() and int(value) < _LEAST
    if len(numbers) < _FEWEST or (own is None and alone) or not _NUMBER.fullmatch(value):
        return own
    least, greatest = min(numbers), max(numbers)
    return _Range(least, greatest) if least < greatest else own


def _column(text: str, start: int, end: int) -> tuple[str, Sequence[float]]:
    """Return the heading of the column in which ``[start, end)`` stands, and its numbers."""
    first, last = line_at(text, start, end)
    line = text[first:last]
    delimiter = next((one for one in _DELIMITERS if line.count(one) > 1), "")
    left, right = start - first, end - first
    index = line[:left].count(delimiter) if delimiter else 0

    def cell(row: str, lean: int) -> str:
        if delimiter:
            cells = row.split(delimiter)
            return cells[index].strip() if index < len(cells) else ""
        words = _WORD.finditer(row)
        beside = (one for one in words if one.start() < right + lean and one.end() > left - lean)
        return " ".join(one.group() for one in beside)

    numbers = [float(text[start:end])] if _NUMBER.fullmatch(text, start, end) else []
    heading = ""
    above = text[max(0, first - _FAR) : first].split("\n")[-2 : -_ROWS - 2 : -1]
    below = text[first + len(line) + 1 : last + _FAR] if last >= 0 else ""
    for row in _until_blank(above):
        found = cell(row, 1)
        if _NUMBER.fullmatch(found):
            numbers.append(float(found))
        elif heading := cell(row, _LEAN):
            break
    for row in _until_blank(below.split("\n")[:_ROWS]):
        if _NUMBER.fullmatch(found := cell(row, 1)):
            numbers.append(float(found))
    return heading, numbers


def _until_blank(lines: Sequence[str]) -> Iterator[str]:
    """Yield *lines* up to an empty one."""
    for line in lines:
        if not line.strip():
            return
        yield line


SCALE_FORMS: tuple[Form, ...] = (_Scored(),)
