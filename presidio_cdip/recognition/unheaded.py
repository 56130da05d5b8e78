"""Find tables without headings: rows of one shape in which each column tells what it holds.

::

    Delgado,Rosa,04/12/1951,218 Maple St,Dayton,OH,45402
    Kerr,Thomas,11/02/1948,77 Ridge Rd,Xenia,OH,45385

A column of nothing but street addresses holds street addresses. The rules say by which cells they
tell their heading (``unheaded``). Of two columns of one kind, such as dates, nothing is told.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby

from presidio_cdip.recognition.patterns import Pattern
from presidio_cdip.recognition.persons import FIRST_NAMES, NAMES, PERSONS_NAME, have_known_names
from presidio_cdip.recognition.tables import Column, IsKnown, Stretch, cells_of, fields

_FEWEST_ROWS = 2  # of a table
_FEWEST_CELLS = 4  # of a row
_LONG = 400  # characters; a longer line is no row
_LEAN = 2  # characters by which cells of one column that blanks separate may begin apart
_BLANKS = " " * 2
_OF_SENTENCES = ",;"  # stand in sentences, too
_HEADS = 2  # known headings of a line that heads a table
_MOST = 0.9  # the share of a column's cells that must tell one heading
_MANY_YEARS = 16
_FEWEST_TOLD = 2  # columns that tell what they hold, beside names
_FEW_ROWS, _FEWEST_OF_FEW = 2, 3  # such columns of a table of few rows, in which more is chance
_TELLING = frozenset({"street", "sex", "ssn"})  # of which a list of private persons has one
_OF_PERSONS = frozenset({"dob", "sex", "ssn"})  # of nobody but persons
_CERTAIN = 2  # columns of nobody but persons that need no names beside them
_STREET, _BEHIND_STREET = "street", frozenset({"city", "state", "zip", "citystate"})
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)|\d\d\Z")  # of a date
_WORDS = re.compile(r"[^\W\d_]{3}")
_ONE_WORD = re.compile(r"[^\W\d_][\w.'’-]*")

Tellers = Mapping[str, Pattern]
"""By heading the expression of cells that tell it."""


def told_by_cells(
    text: str, tellers: Tellers, known_names: Callable[..., Collection[str]], is_heading: IsKnown
) -> Iterator[tuple[list[Column], list[str]]]:
    """Yield the columns of each list of persons without headings, and the headings they tell.

    A column that tells none has an empty heading. Where a column of words is such, the list is not
    of private persons for certain unless it has births, sexes or Social Security numbers.

    Args:
        text: The document.
        tellers: By heading the expression of its cells.
        known_names: Returns the words of the lists of names that it is given, in small letters.
        is_heading: Whether the text between two offsets is a heading.
    """
    for columns in unheaded(text):
        told = _told(text, columns, tellers)
        known = set(filter(None, told))
        few = max(len(column.cells) for column in columns) <= _FEW_ROWS
        if (
            len(known) < (_FEWEST_OF_FEW if few else _FEWEST_TOLD)
            or not known & _TELLING
            or _is_headed(text, columns, is_heading)
        ):
            continue
        of_persons = known_names(*NAMES)
        names = [
            not heading and have_known_names(_texts(text, column), of_persons)
            for heading, column in zip(told, columns, strict=True)
        ]
        if few and not known & _OF_PERSONS:
            first_names = known_names(FIRST_NAMES)  # else "Hale Tool" and "Dunn Paint" are persons
            if not any(
                name and have_known_names(_texts(text, column), first_names)
                for name, column in zip(names, columns, strict=True)
            ):
                continue
        others = [at for at, heading in enumerate(told) if not heading and not names[at]]
        certain = len(known & _OF_PERSONS) >= _CERTAIN
        if certain or (
            any(names) and (known & _OF_PERSONS or not _are_strange(text, columns, names, others))
        ):
            pairs = zip(told, names, strict=True)
            yield columns, [PERSONS_NAME if name else heading for heading, name in pairs]


def _are_strange(
    text: str, columns: Sequence[Column], names: Sequence[bool], others: Sequence[int]
) -> bool:
    """Return whether one of the columns *others* has words, other than parts of the *names*."""
    parts = {
        at + step
        for at, name in enumerate(names)
        if name and sum(names) == 1 and all(map(_ONE_WORD.fullmatch, _texts(text, columns[at])))
        for step in (-1, 1)
    }
    return any(
        _WORDS.search(one) and not (at in parts and _ONE_WORD.fullmatch(one))
        for at in others
        for one in _texts(text, columns[at])
    )


def _told(text: str, columns: Sequence[Column], tellers: Tellers) -> list[str]:
    found: list[str] = []
    for column in columns:
        fit = (
            heading
            for heading, cell in tellers.items()
            if (heading not in _BEHIND_STREET or _STREET in found)
            and _are_such(_texts(text, column), cell)
        )
        found.append(next(fit, ""))
    many = Counter(found)
    dates = (at for at, heading in enumerate(found) if heading == "dob")
    events = {"dob"} if any(not _vary(_texts(text, columns[at])) for at in dates) else set()
    return [one if many[one] == 1 and one not in events else "" for one in found]


def _are_such(cells: Sequence[str], such: Pattern) -> bool:
    return sum(such.match(one) is not None for one in cells) >= max(1, _MOST * len(cells))


def _vary(dates: Sequence[str]) -> bool:
    """Return whether *dates* are of many years, as births are, and events are not."""
    years = {year.group() for date in dates if (year := _YEAR.search(date))}
    return len(years) > min(len(dates), _MANY_YEARS) // 2


def _texts(text: str, column: Column) -> list[str]:
    return [text[slice(*cell[0])] for cell in column.cells]


def _is_headed(text: str, columns: Sequence[Column], is_heading: IsKnown) -> bool:
    """Return whether the first row of *columns*, or the line above it, has headings."""
    first = columns[0].heading[0]
    line = text.rfind("\n", 0, first) + 1
    own = [column.cells[0][0] for column in columns if column.cells]
    above = cells_of(text, text.rfind("\n", 0, max(0, line - 1)) + 1, max(0, line - 1))
    return any(sum(is_heading(*cell) for cell in row) >= _HEADS for row in (own, above))


def unheaded(text: str) -> Iterator[list[Column]]:
    """Yield the columns of each table whose first row is one like the others.

    Their headings are empty stretches. Whether the first row is one of headings, its reader knows.
    """
    for delimiter in "\t|,;":
        if text.count(delimiter) >= 2 * (_FEWEST_CELLS - 1):
            yield from _tables(text, delimiter)
    if text.count(_BLANKS) >= _FEWEST_ROWS * (_FEWEST_CELLS - 1):
        yield from _tables(text, "")


def _tables(text: str, delimiter: str) -> Iterator[list[Column]]:
    for many, group in groupby(_rows(text, delimiter), key=len):
        rows = list(group)
        if many < _FEWEST_CELLS or len(rows) < _FEWEST_ROWS:
            continue
        yield [
            Column((cells[0][0],) * 2, [(cell,) for cell in cells if cell[1] > cell[0]])
            for cells in zip(*rows, strict=True)
        ]


def _rows(text: str, delimiter: str) -> Iterator[list[Stretch]]:
    """Yield the cells of each line; none of one that is no row, or begins another table."""
    start = 0
    above: Sequence[Stretch] = ()
    line_above = 0
    least = delimiter or _BLANKS
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        row: list[Stretch] = []
        if end - start < _LONG and text.count(least, start, end) >= _FEWEST_CELLS - 1:
            if delimiter:
                row = fields(text, start, end, delimiter)
                if delimiter in _OF_SENTENCES and _is_prose(text, row):
                    row = []
            elif not _stands_below(row := cells_of(text, start, end), start, above, line_above):
                yield []
        yield row
        above, line_above = row, start
        start = end + 1


def _is_prose(text: str, row: Sequence[Stretch]) -> bool:
    """Return whether a blank follows some of what would separate the cells of *row*, not all."""
    blanks = {text[start - 1].isspace() for start, end in row[1:] if end > start}
    return len(blanks) > 1


def _stands_below(
    row: Sequence[Stretch], line: int, above: Sequence[Stretch], line_above: int
) -> bool:
    """Return whether the cells of a row begin where those of the one above do."""
    return len(row) == len(above) and all(
        abs(one[0] - line - other[0] + line_above) <= _LEAN
        for one, other in zip(row, above, strict=True)
    )
