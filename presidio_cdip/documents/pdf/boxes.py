"""Join the lines of the cells of a table, where rules stand on all sides of them."""

from collections.abc import Sequence
from itertools import pairwise

from presidio_cdip.documents.pdf.lines import Cell, Row

_SAME = 2.0  # points: edges that lie as far apart are one


def boxes_of(rows: Sequence[Row]) -> list[list[Cell]]:
    """Return the cells of *rows* in reading order; those of one box, line by line, together.

    Only rows of a table in which a box has several lines are read box by box.
    """
    cells = [cell for row in rows for cell in row.cells]
    bands = _bands(cells)
    found: list[list[Cell]] = []
    taken: set[int] = set()
    for cell in cells:
        if id(cell) in taken:
            continue
        band = bands.get(id(cell), [cell])
        boxes = _parted(band) if len(band) > 1 else []
        if len(boxes) == len(band) or not boxes:
            boxes = [[cell]]
        for box in boxes:
            found.append(box)
            taken.update(map(id, box))
    return found


def _bands(cells: Sequence[Cell]) -> dict[int, list[Cell]]:
    """Return, for each cell with rules on all sides, the cells in its row of the table."""
    boxed = [one for one in cells if one.boxed]
    tops, bottoms = _alike([one.top for one in boxed]), _alike([one.bottom for one in boxed])
    bands: dict[tuple[float, float], list[Cell]] = {}
    for one in boxed:
        bands.setdefault((tops[one.top], bottoms[one.bottom]), []).append(one)
    return {id(one): band for band in bands.values() for one in band}


def _alike(edges: Sequence[float]) -> dict[float, float]:
    """Return for each edge the first of those that lie close to each other."""
    found: dict[float, float] = {}
    first = last = float("-inf")
    for edge in sorted(set(edges)):
        first = edge if edge - last >= _SAME else first
        found[edge], last = first, edge
    return found


def _parted(band: Sequence[Cell]) -> list[list[Cell]]:
    boxes: list[list[Cell]] = []
    for cell in sorted(band, key=lambda one: (round(one.left), one.v, one.u0)):
        if boxes and boxes[-1][-1].shares_box(cell):
            boxes[-1].append(cell)
        else:
            boxes.append([cell])
    return boxes


def is_cut(before: Cell, cell: Cell) -> bool:
    """Return whether a word goes on in *cell* that found no room on the line before in its box."""
    return (
        before.shares_box(cell)
        and before.v < cell.v
        and " " not in before.text
        and before.text[-1:].isalpha()
        and cell.text[:1].islower()
        and before.right - before.u1 < 1.5 * before.size
    )


def headings(boxes: Sequence[Sequence[Cell]]) -> dict[str, str]:
    """Return, for the last lines of boxes of several lines without digits, all their text."""
    found = {}
    for box in boxes:
        text = " ".join(cell.text for cell in box)
        if len(box) > 1 and len(text) < 40 and not any(map(str.isdigit, text)):
            found.update({last.text: text for _, last in pairwise(box)})
    return found
