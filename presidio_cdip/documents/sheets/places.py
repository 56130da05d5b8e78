"""Read and write the names of cells, columns and areas of a worksheet."""

import re
from functools import lru_cache

_REFERENCE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")


def letters(column: int) -> str:
    """Return the letters of a column: 1 is ``"A"``, 27 is ``"AA"``."""
    out = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        out = chr(65 + rest) + out
    return out


@lru_cache(maxsize=20_000)
def column_of(name: str) -> int:
    """Return the column that has *name*: ``"A"`` is 1."""
    column = 0
    for char in name.upper():
        column = column * 26 + ord(char) - 64
    return column


def own_place(reference: str, row: int, column: int) -> tuple[int, int]:
    """Return row and column of a cell's own reference; where it is invalid, those counted."""
    match = _REFERENCE.fullmatch(reference)
    return (int(match[2]), column_of(match[1])) if match else (row, column)


def row_number(given: str | None, counted: int) -> int:
    """Return the number of a row: its own, or that counted where it has none."""
    return int(given) if given and given.isdecimal() else counted


def area(reference: str) -> tuple[int, int, int, int] | None:
    """Return first row, first column, last row and last column of ``"A1:B9"`` or ``"A1"``."""
    ends = [_REFERENCE.fullmatch(end) for end in reference.replace("$", "").split(":")]
    if len(ends) > 2 or any(end is None for end in ends):
        return None
    places = [(int(end[2]), column_of(end[1])) for end in ends if end]
    rows, columns = zip(*places, strict=True)
    return min(rows), min(columns), max(rows), max(columns)
