"""Measure how surrogates of births, ages and other dates agree on one page.

    python -m benchmarks.surrogate_dates
    python -m benchmarks.surrogate_dates benchmarks/unseen_m.jsonl

Random pages of some kinds are replaced, each in a scope of its own: once with all dates found
(DATE_TIME), once with births and ages alone, where the other dates stay. The counts parse dates by
rules of their own.

* **order**: pages on which a birth and the dates beside it stay in order.
* **late**: pages on which what comes within a year of a birth comes later than a year after it.
* **intervals**: pairs of other dates, and of births, whose distance stays; of births to two days.
* **ages**: pages on which an age is the whole years, or the days, from birth to the date beside it.
* **kept**: ages that stay as they were.

With SETS, the order of each marked birth with the dates up to 300 characters away is counted there:
only dates in digits, and with the name of a month, whose day is written.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import click

from benchmarks.quality import Document, header, print_facts, print_markdown, print_table, read
from benchmarks.surrogates import KEY
from presidio_cdip import steps
from presidio_cdip.recognition.spans import Span

PAGES = 300  # of each kind
BESIDE = 300  # characters between a birth and a date of a set

_DIGITS = re.compile(r"(?<![\d/])\d{1,2}/\d{1,2}/\d{4}(?!\d)")
_NAMED = re.compile(r"\b[A-Z][a-z]{2,8} \d{1,2}, \d{4}\b|\b\d{1,2} [A-Z][a-z]{2,8} \d{4}\b")
_FORMATS = ("%m/%d/%Y", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of page.

    Attributes:
        text: With B for births, D for other dates, and A for an age.
        gaps: The least and the most days from each date to the next.
        age: The date to which an age is counted from the first birth, and its unit; by its index.
    """

    text: str
    gaps: Sequence[tuple[int, int]]
    age: tuple[int, str] | None = None


KINDS: Mapping[str, Kind] = {
    "wedding, child, baptism": Kind("Married D. Son born B, baptized D.", [(280, 1500), (5, 60)]),
    "wedding, two children": Kind("Married D. Children: B, B.", [(280, 1500), (330, 1500)]),
    "infant's death": Kind("Born B. Died D, aged A days.", [(1, 27)], (1, "days")),
    "adult": Kind("Born B. Admitted D, aged A.", [(18 * 365, 80 * 365)], (1, "years")),
    "adult, baptized": Kind(
        "Born B, baptized D. Admitted D, aged A.", [(5, 90), (18 * 365, 80 * 365)], (2, "years")
    ),
    "adult, two dates": Kind("Born B. Admitted D, discharged D.", [(18 * 365, 80 * 365), (1, 90)]),
}


def days_of(kind: Kind, chance: random.Random) -> list[date]:
    """Return random days for the births and dates of a page."""
    days = [date(1890, 1, 1) + timedelta(chance.randrange(36_500))]
    for low, high in kind.gaps:
        days.append(days[-1] + timedelta(chance.randint(low, high)))
    return days


def whole_years(birth: date, day: date) -> int:
    """Return the whole years from *birth* to *day*."""
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def page_of(kind: Kind, days: Sequence[date], moves: bool) -> tuple[str, list[Span]]:
    """Return a page and its findings; other dates are found if they move."""
    left = iter(days)
    age = ""
    if kind.age:
        to, unit = kind.age
        age = str(whole_years(days[0], days[to]) if unit == "years" else (days[to] - days[0]).days)

    def value(mark: str) -> tuple[str, str]:
        if mark == "A":
            return "AGE", age + (" days" if kind.age and kind.age[1] == "days" else "")
        day = next(left)
        return ("DATE_OF_BIRTH" if mark == "B" else "DATE_TIME" if moves else "",
                f"{day.month}/{day.day}/{day.year}")  # fmt: skip

    text, spans = "", []
    for part in re.split(r"\b([BD]|A(?: days)?)\b", kind.text):
        if part in ("B", "D") or part[:2] in ("A", "A "):
            entity, new = value(part[0])
            if entity:
                spans.append(Span(len(text), len(text) + len(new), entity, 1.0, "gold"))
            text += new
        else:
            text += part
    return text, spans


def counted(kind: Kind, moves: bool) -> Counter[str]:
    """Replace random pages of *kind*, and count what holds on them."""
    found: Counter[str] = Counter()
    marks = re.findall(r"\b[BD]\b", kind.text)
    for number in range(PAGES):
        was = days_of(kind, random.Random(number))
        text, spans = page_of(kind, was, moves)
        made = steps.steps("surrogate", KEY.decode(), f"page {number}")
        new = steps.anonymize(text, spans, made).text
        now = [datetime.strptime(one, "%m/%d/%Y").date() for one in _DIGITS.findall(new)]
        found["pages"] += 1
        found["order"] += all(one <= other for one, other in pairwise(now))
        birth = marks.index("B")
        near = [at for at, day in enumerate(was) if 0 < (day - was[birth]).days < 365]
        found["near"] += bool(near)
        found["late"] += any((now[at] - now[birth]).days > 365 for at in near)
        for mark in "BD":
            own = [at for at, one in enumerate(marks) if one == mark]
            for one, other in pairwise(own):
                found["pairs"] += 1
                change = abs((now[other] - now[one]) - (was[other] - was[one])).days
                found["intervals"] += change <= 2 * (mark == "B")
        if kind.age and (age := re.search(r"aged (\d+)", new)):
            to, unit = kind.age
            years = whole_years(now[birth], now[to])
            days = (now[to] - now[birth]).days
            found["ages"] += int(age[1]) == (years if unit == "years" else days)
            found["with ages"] += 1
            old = re.search(r"aged (\d+)", text)
            found["kept"] += bool(old) and old is not None and old[1] == age[1]
    return found


def dates_beside(text: str, start: int) -> Iterator[tuple[int, date]]:
    """Yield the dates of *text* up to `BESIDE` characters from *start*, with their offsets."""
    low = max(0, start - BESIDE)
    for pattern in (_DIGITS, _NAMED):
        for one in pattern.finditer(text, low, start + BESIDE):
            if day := day_of(one.group()):
                yield one.start(), day


def day_of(text: str) -> date | None:
    """Return the day that *text* is in one of a few formats."""
    for form in _FORMATS:
        try:
            return datetime.strptime(text.strip().replace(".", ""), form).date()
        except ValueError:
            continue
    return None


def orders_of(document: Document) -> Iterator[bool]:
    """Replace the marked spans of a document; yield whether each birth and date stay in order."""
    spans = [Span(one.start, one.end, one.label, 1.0, "gold") for one in document.spans]
    ours = [one for one in spans if one.entity not in ("PERSON", "ORGANIZATION", "LOCATION")]
    made = steps.steps("surrogate", KEY.decode(), document.id)
    for item in steps.anonymize(document.text, ours, made).items:
        birth = day_of(document.text[item.span.start : item.span.end])
        moved = day_of(item.text)
        if item.span.entity != "DATE_OF_BIRTH" or not birth or not moved:
            continue
        for at, day in dates_beside(document.text, item.span.start):
            if not any(one.start <= at < one.end for one in spans) and day != birth:
                yield (day < birth) == (day < moved)


@click.command()
@click.argument("sets", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--format", "style", type=click.Choice(["table", "markdown"]), default="table")
def main(sets: Sequence[Path], style: str) -> None:
    """Replace, count, print."""
    rows = []
    for name, kind in KINDS.items():
        for moves in (True, False):
            one = counted(kind, moves)
            rows.append([
                name, "move" if moves else "stay", f"{one['order']} of {one['pages']}",
                f"{one['late']} of {one['near']}" if one["near"] else "-",
                f"{one['intervals']} of {one['pairs']}" if one["pairs"] else "-",
                f"{one['ages']} of {one['with ages']}" if one["with ages"] else "-",
                str(one["kept"]) if one["with ages"] else "-",
            ])  # fmt: skip
    facts = header()
    for file in sets:
        orders = [one for document in read(file) for one in orders_of(document)]
        facts |= {f"order, {file.stem}": f"{sum(orders)} of {len(orders)}"}
    print_facts(facts, markdown=style == "markdown")
    head = ("page", "other dates", "order", "late", "intervals", "ages", "kept")
    (print_table if style == "table" else print_markdown)(head, rows)


if __name__ == "__main__":
    main()
