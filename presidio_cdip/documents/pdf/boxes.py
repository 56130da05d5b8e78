"""Put the lines of the cells of a table together, where rules stand on all sides of them."""

from collections.abc import Sequence
from itertools import pairwise

from presidio_cdip.documents.pdf.lines import Cell, Row

_SAME = 2.0  # points: edges that lie as far apart are one


def boxes_of(rows: Sequence[Row]) -> list[list[Cell]]:
    """Return the cells of *rows* in reading order; those of one box, line by line, together.

    Only rows of a table in which a box has several lines are read box by box.
    """
    found: list[list[Cell]] = []
    taken: set[int] = set()
    cells = [cell for row in rows for cell in row.cells]
    for cell in cells:
        if id(cell) in taken:
            continue
        boxes = [[cell]]
        if cell.boxed:
            band = [one for one in cells if _beside(cell, one)]
            parts = _parted(band)
            boxes = parts if len(parts) < len(band) else boxes
        for box in boxes:
            found.append(box)
            taken.update(map(id, box))
    return found


def _beside(one: Cell, other: Cell) -> bool:
    """Return whether two cells stand in one row of a table."""
    return (
        other.boxed and abs(one.top - other.top) < _SAME and abs(one.bottom - other.bottom) < _SAME
    )


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
