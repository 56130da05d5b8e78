"""Sort the cells of a page into reading order, and find their separators and labels."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from presidio_cdip.documents.pdf.boxes import boxes_of, headings, is_cut
from presidio_cdip.documents.pdf.lines import Cell, Row
from presidio_cdip.documents.pdf.pieces import Ref

_GUTTER = 0.8  # of the size: how far columns are apart, at least
_PROSE = 16  # letters: the mean length of lines in columns; tables have shorter cells
_COLUMN = 4  # lines: the least height of columns that are read one after the other
_MOST_ROWS = 600  # on a page; above that columns are not looked for
_LINE_ABOVE = 2.6  # of the size: how far a label may stand above
_TALL = 6  # rows: the most lines of a cell of a table
_LEADING = 1.75  # of the size: baselines farther apart part blocks
_NAME = re.compile(r"[^\W\d_][\w .,/'’&()#-]{0,38}:?$")
_HYPHENS = "-\xad\N{HYPHEN}"


@dataclass(slots=True)
class Line:
    """A line in reading order; more than one, where a word is broken at the end of the first.

    Attributes:
        text: Its text.
        refs: For each character, the glyph that shows it, if one does.
        cells: What it is made of.
        label: What names it.
        after: What parts it from the next.
    """

    text: str
    refs: list[Ref | None]
    cells: list[Cell]
    label: str = ""
    after: str = "\n"
    twins: dict[Ref, list[Ref]] = field(default_factory=dict)


def ordered(directions: Sequence[tuple[int, list[Row]]]) -> list[Line]:
    """Return the lines of a page in reading order, the main direction of writing first."""
    found: list[Line] = []
    for _, rows in directions:
        for block in _blocks(rows):
            lines = list(_lines(block, _labels(block)))
            if lines:
                lines[-1].after = "\n\n"
            found += joined_words(lines)
    return found


def _blocks(rows: list[Row]) -> Iterator[list[Row]]:
    """Yield the rows of each column, and of what stands above, between and below columns."""
    split = _columns(rows) if len(rows) <= _MOST_ROWS else None
    if split is None:
        if rows:
            yield rows
        return
    first, end, x = split
    yield from _blocks(rows[:first])
    inner = rows[first:end]
    yield from _blocks(_side(inner, lambda one: one.u1 <= x))
    yield from _blocks(_side(inner, lambda one: one.u0 >= x))
    yield from _blocks(rows[end:])


def _side(rows: list[Row], on_side: Callable[[Cell], bool]) -> list[Row]:
    kept = [Row([one for one in row.cells if on_side(one)], row.v, row.size) for row in rows]
    return [row for row in kept if row.cells]


def _columns(rows: list[Row]) -> tuple[int, int, float] | None:
    """Return the first row of two columns of prose, the row after their last, and where to cut."""
    best: tuple[int, int, int, float] | None = None
    for x in _gutters(rows):
        start: int | None = None
        for number, row in enumerate([*rows, None]):
            if row is not None and not any(one.u0 < x < one.u1 for one in row.cells):
                start = number if start is None else start
                continue
            if start is not None:
                weight = _weight(rows[start:number], x)
                if weight and (best is None or weight > best[0]):
                    best = (weight, start, number, x)
            start = None
    return best and best[1:]


def _gutters(rows: list[Row]) -> list[float]:
    found = set()
    for at, row in enumerate(rows):
        near = [cell for other in rows[at : at + 2] for cell in other.cells]
        for left in row.cells:
            for right in near:
                if right.u0 - left.u1 >= _GUTTER * row.size:
                    found.add(round((left.u1 + right.u0) / 8) * 4.0)
                elif left.u0 - right.u1 >= _GUTTER * row.size:
                    found.add(round((left.u0 + right.u1) / 8) * 4.0)
    return sorted(found)[:80]


def _weight(rows: list[Row], x: float) -> int:
    """Return the number of cells that a cut at *x* parts, or 0 if these are no columns of prose."""
    sides: tuple[list[Cell], list[Cell]] = ([], [])
    for row in rows:
        for one in row.cells:
            sides[one.u0 >= x].append(one)
    left, right = sides
    if min(len(left), len(right)) < _COLUMN:
        return 0
    if min(one.u0 for one in right) - max(one.u1 for one in left) < _GUTTER * rows[0].size:
        return 0
    for side in sides:
        if sum(len(one.text) for one in side) < _PROSE * len(side):
            return 0
    return len(left) + len(right)


def _lines(rows: list[Row], labels: dict[int, str]) -> Iterator[Line]:
    boxes = boxes_of(rows)
    named = headings(boxes)
    ends = {id(cell): _after(rows, number, at) for number, row in enumerate(rows)
            for at, cell in enumerate(row.cells)}  # fmt: skip
    for box in boxes:
        label = labels.get(id(box[0]), "")
        for cell in box:
            line = Line(cell.text, cell.refs, [cell], named.get(label, label), twins=cell.twins)
            line.after = ends[id(cell)]
            if len(box) > 1:
                line.after = "\n\n" if cell is box[-1] else "\n"
                label = ""
            yield line


def _after(rows: list[Row], number: int, at: int) -> str:
    """Return the separator between a cell and the next."""
    row = rows[number]
    cell = row.cells[at]
    if at + 1 < len(row.cells):
        gap = row.cells[at + 1].u0 - cell.u1
        ruled = cell.right < row.cells[at + 1].u1
        return "\n" if gap < 3 * cell.size and not ruled else "\n\n"
    below = rows[number + 1] if number + 1 < len(rows) else None
    return "\n\n" if below is not None and _parted(row, below) else "\n"


def _parted(row: Row, below: Row) -> bool:
    """Return whether nothing goes on from *row* to the row below."""
    size = max(row.size, below.size)
    sizes = min(row.size, below.size) / size
    return (
        below.v - row.v > _LEADING * size or sizes < 0.75 or len(row.cells) + len(below.cells) > 3
    )


def joined_words(lines: list[Line]) -> list[Line]:
    """Join lines where a word or a number is broken by a hyphen at the end of the first."""
    found: list[Line] = []
    for line in lines:
        before = found[-1] if found else None
        cut = before is not None and is_cut(before.cells[-1], line.cells[0])
        if (
            before is None
            or before.after != "\n"
            or line.label
            or not (cut or _broken(before, line))
        ):
            found.append(line)
            continue
        soft = (
            not cut
            and before.text[-2].isalpha()
            and (line.text[0].islower() or before.text[-1] == "\xad")
        )
        if soft:
            _without_hyphen(before.cells[-1], before.twins)
        cells = before.cells + line.cells
        found[-1] = Line(
            "".join(cell.text for cell in cells),
            [ref for cell in cells for ref in cell.refs],
            cells,
            before.label,
            line.after,
            before.twins | line.twins,
        )
    return found


def _without_hyphen(cell: Cell, twins: dict[Ref, list[Ref]]) -> None:
    """Take the hyphen at the end of a cell out of its text: it goes where its letter goes."""
    letter, hyphen = cell.refs[-2:]
    cell.text, cell.refs = cell.text[:-1], cell.refs[:-1]
    if letter is not None and hyphen is not None:
        twins.setdefault(letter, []).append(hyphen)


def _broken(before: Line, line: Line) -> bool:
    return (
        len(before.text) >= 2
        and before.text[-1] in _HYPHENS
        and before.text[-2].isalnum()
        and line.text[:1].isalnum()
        and before.cells[-1].v < line.cells[0].v
    )


def _labels(rows: list[Row]) -> dict[int, str]:
    """Return the labels of cells, by their `id`: on their left, or above them."""
    found: dict[int, str] = {}
    for number, row in enumerate(rows):
        above = rows[max(0, number - _TALL) : number][::-1]
        for at, cell in enumerate(row.cells):
            left = row.cells[at - 1] if at else None
            if left is not None and id(left) not in found and _leads(left, cell):
                found[id(cell)] = _plain(left.text)
            elif label := _above(row, at, above, found):
                found[id(cell)] = label
    return found


def _leads(left: Cell, cell: Cell) -> bool:
    """Return whether a cell names the one on its right."""
    ruled = left.right < cell.u1
    return _names(left, True) or (ruled and left.bold > cell.bold and _names(left, False))


def _above(row: Row, number: int, above: Sequence[Row], known: dict[int, str]) -> str:
    """Return the label above a cell, or the label of the cell above it.

    Args:
        row: The row of the cell.
        number: Of the cell in it.
        above: The rows above it, the nearest first.
        known: What names cells.
    """
    cell = row.cells[number]
    if not above or _names(cell, True):
        return ""
    near, over = above[0], None
    if row.v - near.v <= _LINE_ABOVE * max(row.size, near.size):
        over = next((one for one in near.cells if _aligned(one, cell) or _framed(one, cell)), None)
        if over is None and len(near.cells) == len(row.cells) > 2:
            same = near.cells[number]
            over = same if same.u0 < cell.u1 and same.u1 > cell.u0 else None
    if over is None and cell.framed:
        near, over = next(
            ((other, one) for other in above for one in other.cells if _framed(one, cell)),
            (near, None),
        )
    if over is None:
        return ""
    table = (len(near.cells) > 1 and len(row.cells) > 1) or (_framed(over, cell) and row.parted)
    if id(over) in known:
        return known[id(over)] if table else ""
    header = table and (over.bold > cell.bold or _digits(row) > _digits(near) == 0)
    smaller = over.size < 0.86 * cell.size
    if _names(over, False) and (over.text.rstrip().endswith(":") or smaller or header):
        return _plain(over.text)
    return ""


def _framed(over: Cell, cell: Cell) -> bool:
    """Return whether two cells stand between the same rules."""
    return (
        over.framed
        and cell.framed
        and abs(over.left - cell.left) < 2
        and abs(over.right - cell.right) < 2
    )


def _digits(row: Row) -> int:
    """Return the number of digits in the cells of a row."""
    return sum(map(str.isdigit, "".join(cell.text for cell in row.cells)))


def _aligned(over: Cell, cell: Cell) -> bool:
    size = max(over.size, cell.size)
    return (
        abs(over.u0 - cell.u0) < 0.6 * size
        or abs(over.u1 - cell.u1) < 0.6 * size
        or abs(over.u0 + over.u1 - cell.u0 - cell.u1) < 1.2 * size
    )


def _names(cell: Cell, colon: bool) -> bool:
    """Return whether a cell may be the name of a field."""
    text = cell.text.strip()
    if colon and not text.endswith(":"):
        return False
    return bool(_NAME.match(text)) and not any(map(str.isdigit, text))


def _plain(label: str) -> str:
    return label.strip().rstrip(":").rstrip()
