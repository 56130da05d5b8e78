"""Find the label of each cell of a worksheet: its column's header, the label to its left."""

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

_LONGEST = 60  # characters of a header or label
_TRIED = 12  # rows of a block that may stand above its headers
_MOST_PAIRS = 60  # rows of a form
_SHAPE = re.compile(r"(\d+)|([^\W\d_]+)")
_FOUR_DIGITS = re.compile(r"\d\D?\d\D?\d\D?\d")

Area = tuple[int, int, int, int]
_Row = range  # the numbers of the cells in a row


@dataclass(slots=True)
class Grid:
    """The cells of a sheet that are not empty, row by row; in columns, as there may be millions.

    Attributes:
        cells: What the caller knows each by.
        rows: From 1.
        columns: From 1.
        texts: What is displayed.
        is_text: Whether it is stored as text.
    """

    cells: "array[int]" = field(default_factory=lambda: array("L"))
    rows: "array[int]" = field(default_factory=lambda: array("L"))
    columns: "array[int]" = field(default_factory=lambda: array("L"))
    texts: list[str] = field(default_factory=list)
    is_text: bytearray = field(default_factory=bytearray)

    def add(self, cell: int, row: int, column: int, text: str, is_text: bool) -> None:
        """Add a cell; it stands after all others."""
        self.cells.append(cell)
        self.rows.append(row)
        self.columns.append(column)
        self.texts.append(text)
        self.is_text.append(is_text)

    def row_ranges(self) -> list[_Row]:
        """Return the numbers of the cells of each row."""
        rows = self.rows
        starts = [n for n in range(len(rows)) if n == 0 or rows[n] != rows[n - 1]]
        return [range(a, b) for a, b in pairwise([*starts, len(rows)])]


def labels(grid: Grid, tables: Sequence[Area] = ()) -> list[str]:
    """Return the label of each cell; "" where there is none.

    Args:
        grid: The cells.
        tables: First row, first column, last row, last column of the tables whose first row is
            known to hold headers.
    """
    found = [""] * len(grid.texts)
    headers: dict[int, str] = {}
    for block in _blocks(grid):
        headers = _label_block(grid, block, headers, found)
    for first, left, last, right in tables:
        known: dict[int, str] = {}
        for number, (row, column) in enumerate(zip(grid.rows, grid.columns, strict=True)):
            if left <= column <= right and first <= row <= last:
                if row == first:
                    known[column] = _plain(grid.texts[number])
                found[number] = known.get(column, "") if row > first else ""
    return found


def _blocks(grid: Grid) -> Iterator[list[_Row]]:
    """Yield rows that stand together, without a blank row between them."""
    block: list[_Row] = []
    for row in grid.row_ranges():
        if block and grid.rows[row[0]] > grid.rows[block[-1][0]] + 1:
            yield block
            block = []
        block.append(row)
    if block:
        yield block


def _label_block(
    cells: Grid, block: list[_Row], headers: dict[int, str], found: list[str]
) -> dict[int, str]:
    """Set the labels of a block; return the headers that hold below it."""
    is_form = _is_form(cells, block)
    at = None if is_form else _header_row(cells, block)
    if at is None and not is_form and not _fits(cells, block, headers):
        headers = {}
    for index, row in enumerate(block):
        if index == at:
            headers = {cells.columns[n]: _plain(cells.texts[n]) for n in row}
            continue
        left = ""
        for place, number in enumerate(row):
            if left:
                found[number] = left
            elif headers and not is_form and (at is None or index > at):
                found[number] = headers.get(cells.columns[number], "")
            left = ""
            if cells.is_text[number]:
                text = cells.texts[number]
                is_label = text.rstrip().endswith(":") or (is_form and place % 2 == 0)
                if is_label and _is_short(text):
                    found[number] = ""
                    left = _plain(text)
    return headers if not is_form else {}


def _fits(cells: Grid, block: list[_Row], headers: dict[int, str]) -> bool:
    """Return whether *block* goes on below *headers*, which stand above a blank row."""
    return bool(headers) and {cells.columns[n] for row in block[:5] for n in row} <= set(headers)


def _header_row(cells: Grid, block: list[_Row]) -> int | None:
    for index, row in enumerate(block[:_TRIED]):
        below = block[index + 1 : index + 6]
        if below and _are_headers(cells, row, below):
            return index
    return None


def _are_headers(cells: Grid, row: _Row, below: list[_Row]) -> bool:
    texts = [cells.texts[n] for n in row]
    plain = [n for n in row if cells.is_text[n] and not any(map(str.isdigit, cells.texts[n]))]
    colons = sum(text.rstrip().endswith(":") for text in texts)
    if 0 < colons < len(texts):
        return False
    columns = {cells.columns[n] for n in row}
    used = {cells.columns[n] for one in below for n in one}
    if not all(_is_short(text) for text in texts) or len(plain) < 0.7 * len(row):
        return False
    if len({text.casefold() for text in texts}) < len(texts) or _any_number(texts):
        return False
    if len(columns & used) < 0.6 * len(used) or len(columns) == 1 < len(used):
        return False
    if len(row) == 1:
        return len(texts[0].split()) < 4 and len(below) > 1
    return True


def _any_number(texts: list[str]) -> bool:
    """Return whether one of *texts* has four digits in a row, and is no year."""
    return any(
        _FOUR_DIGITS.search(text) and not re.fullmatch(r"\D*(19|20)\d\d\D*", text) for text in texts
    )


def _is_form(cells: Grid, block: list[_Row]) -> bool:
    """Return whether rows are pairs of a label and a value."""
    if len(block) > 2 * _MOST_PAIRS:
        return False
    pairs = [row for row in block if len(row) in (2, 4)]
    if not 1 < len(pairs) < _MOST_PAIRS or len(pairs) < 0.6 * len(block):
        return False
    firsts = [cells.texts[row[0]] for row in pairs]
    if not all(cells.is_text[row[0]] for row in pairs) or not all(map(_is_short, firsts)):
        return False
    if _any_number(firsts):
        return False
    if sum(one.rstrip().endswith(":") for one in firsts) > 0.5 * len(firsts):
        return True
    if len({one.casefold() for one in firsts}) < len(firsts):
        return False
    shapes = {_shape(cells.texts[row[1]]) for row in pairs[1:]}
    return len(shapes) > 1 and len(shapes) > 0.5 * (len(pairs) - 1)


def _shape(text: str) -> str:
    """Return *text* with one ``9`` for all digits in a row, and one ``a`` for letters."""
    return _SHAPE.sub(lambda match: "9" if match[1] else "a", text)


def _is_short(text: str) -> bool:
    return len(text) <= _LONGEST and any(map(str.isalpha, text))


def _plain(text: str) -> str:
    """Return a header as the label of what stands under it."""
    return " ".join(text.split()).rstrip(" :")
