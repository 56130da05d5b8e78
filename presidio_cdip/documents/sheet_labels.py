"""Find what names each cell of a worksheet: the header of its column, the label to its left."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_LONGEST = 60  # characters of a header or label
_TRIED = 12  # rows of a block that may stand above its headers
_SHAPE = re.compile(r"(\d+)|([^\W\d_]+)")
_FOUR_DIGITS = re.compile(r"\d\D?\d\D?\d\D?\d")


class Shown(NamedTuple):
    """A cell as it is displayed.

    Attributes:
        row: From 1.
        column: From 1.
        text: What is displayed.
        is_text: Whether it is stored as text.
    """

    row: int
    column: int
    text: str
    is_text: bool


Area = tuple[int, int, int, int]
_Row = list[int]  # the numbers of the cells in a row


def labels(cells: Sequence[Shown], tables: Sequence[Area] = ()) -> list[str]:
    """Return the label of each of *cells*; "" where there is none.

    Args:
        cells: Those of a sheet that are not empty, in any order.
        tables: First row, first column, last row, last column of the tables whose first row is
            known to hold headers.
    """
    found = [""] * len(cells)
    by_row: dict[int, _Row] = {}
    for number, cell in enumerate(cells):
        by_row.setdefault(cell.row, []).append(number)
    rows = [sorted(by_row[at], key=lambda n: cells[n].column) for at in sorted(by_row)]
    headers: dict[int, str] = {}
    for block in _blocks(cells, rows):
        headers = _label_block(cells, block, headers, found)
    known = {(cells[n].row, cells[n].column): cells[n].text for table in tables
             for n in by_row.get(table[0], [])}  # fmt: skip
    for first, left, last, right in tables:
        for number, cell in enumerate(cells):
            if first < cell.row <= last and left <= cell.column <= right:
                found[number] = _plain(known.get((first, cell.column), ""))
            elif first == cell.row and left <= cell.column <= right:
                found[number] = ""
    return found


def _blocks(cells: Sequence[Shown], rows: list[_Row]) -> Iterator[list[_Row]]:
    """Yield rows that stand together, without a blank row between them."""
    block: list[_Row] = []
    for row in rows:
        if block and cells[row[0]].row > cells[block[-1][0]].row + 1:
            yield block
            block = []
        block.append(row)
    if block:
        yield block


def _label_block(
    cells: Sequence[Shown], block: list[_Row], headers: dict[int, str], found: list[str]
) -> dict[int, str]:
    """Set the labels of a block; return the headers that hold below it."""
    is_form = _is_form(cells, block)
    at = None if is_form else _header_row(cells, block)
    if at is None and not is_form and not _fits(cells, block, headers):
        headers = {}
    for index, row in enumerate(block):
        if index == at:
            headers = {cells[n].column: _plain(cells[n].text) for n in row}
            continue
        left = ""
        for place, number in enumerate(row):
            cell = cells[number]
            if left:
                found[number] = left
            elif not is_form and (at is None or index > at):
                found[number] = headers.get(cell.column, "")
            left = ""
            if cell.is_text and (
                cell.text.rstrip().endswith(":") or (is_form and place % 2 == 0)
            ) and _is_short(cell.text):  # fmt: skip
                found[number] = ""
                left = _plain(cell.text)
    return headers if not is_form else {}


def _fits(cells: Sequence[Shown], block: list[_Row], headers: dict[int, str]) -> bool:
    """Tell whether *block* goes on below *headers*, which stand above a blank row."""
    return bool(headers) and {cells[n].column for row in block[:5] for n in row} <= set(headers)


def _header_row(cells: Sequence[Shown], block: list[_Row]) -> int | None:
    for index, row in enumerate(block[:_TRIED]):
        below = block[index + 1 : index + 6]
        if below and _are_headers(cells, row, below):
            return index
    return None


def _are_headers(cells: Sequence[Shown], row: _Row, below: list[_Row]) -> bool:
    texts = [cells[n].text for n in row]
    plain = [n for n in row if cells[n].is_text and not any(map(str.isdigit, cells[n].text))]
    columns = {cells[n].column for n in row}
    used = {cells[n].column for one in below for n in one}
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
    """Tell whether one of *texts* has four digits in a row, and is no year."""
    return any(
        _FOUR_DIGITS.search(text) and not re.fullmatch(r"\D*(19|20)\d\d\D*", text) for text in texts
    )


def _is_form(cells: Sequence[Shown], block: list[_Row]) -> bool:
    """Tell whether rows are pairs of a label and a value."""
    pairs = [row for row in block if len(row) in (2, 4)]
    if len(pairs) < 2 or len(pairs) < 0.6 * len(block):
        return False
    firsts = [cells[row[0]] for row in pairs]
    if not all(one.is_text and _is_short(one.text) for one in firsts):
        return False
    if _any_number([one.text for one in firsts]):
        return False
    if sum(one.text.rstrip().endswith(":") for one in firsts) > 0.5 * len(firsts):
        return True
    if len({one.text.casefold() for one in firsts}) < len(firsts):
        return False
    shapes = {_shape(cells[row[1]].text) for row in pairs[1:]}
    return len(pairs) < 60 and len(shapes) > 1 and len(shapes) > 0.5 * (len(pairs) - 1)


def _shape(text: str) -> str:
    """Return *text* with one ``9`` for all digits in a row, and one ``a`` for letters."""
    return _SHAPE.sub(lambda match: "9" if match[1] else "a", text)


def _is_short(text: str) -> bool:
    return len(text) <= _LONGEST and any(map(str.isalpha, text))


def _plain(text: str) -> str:
    """Return a header as the label of what stands under it."""
    return " ".join(text.split()).rstrip(" :")
