"""Find the results of formulas that change when cells do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from presidio_cdip.documents.sheets.formulas import Uses, uses


class Place(NamedTuple):
    """A cell of the workbook; sheets are counted from 0."""

    sheet: int
    row: int
    column: int


@dataclass
class _Node:
    """A formula cell, with what it depends on and the cells that it fills."""

    place: Place
    areas: list[tuple[int, tuple[int, int, int, int]]]
    everything: bool
    fills: tuple[int, int, int, int] | None


class Dependencies:
    """Tells which results change when cells do."""

    def __init__(
        self,
        sheets: list[str],
        names: Mapping[str, str],
        tables: Mapping[str, tuple[int, tuple[int, int, int, int]]],
    ) -> None:
        """Read the dependencies of a workbook.

        Args:
            sheets: Names of the sheets.
            names: The formula of each defined name, in lower case.
            tables: Sheet and area of each table, by its name in lower case.
        """
        self._sheets = {name.lower(): index for index, name in enumerate(sheets)}
        self._tables = tables
        self._names = {name: uses(text) for name, text in names.items()}
        self._nodes: list[_Node] = []

    def add(
        self,
        place: Place,
        used: Uses,
        moved: tuple[int, int] = (0, 0),
        fills: tuple[int, int, int, int] | None = None,
        always: bool = False,
    ) -> None:
        """Add a formula cell.

        Args:
            place: The cell.
            used: What its formula, or the first of those that share it, depends on.
            moved: Rows and columns from the first of those that share it.
            fills: The cells that an array formula fills.
            always: Whether the result is never kept.
        """
        areas, everything = self._areas(place.sheet, used, moved, set())
        self._nodes.append(_Node(place, areas, everything or always, fills))

    def _areas(
        self, sheet: int, used: Uses, moved: tuple[int, int], seen: set[str]
    ) -> tuple[list[tuple[int, tuple[int, int, int, int]]], bool]:
        found, everything = [], used.everything
        for one in used.references:
            indices = [self._sheets.get(name.lower()) for name in one.sheets] or [sheet]
            if None in indices:
                everything = True  # a sheet that is not there
                continue
            known = [index for index in indices if index is not None]
            for index in range(min(known), max(known) + 1):
                found.append((index, one.moved(*moved)))
        for name in used.names - seen:
            if name in self._tables:
                found.append(self._tables[name])
            if name in self._names:
                more, all_of_it = self._areas(sheet, self._names[name], (0, 0), seen | used.names)
                found += more
                everything |= all_of_it
        return found, everything

    def stale(self, changed: set[Place]) -> set[Place]:
        """Return the cells whose results may change when those in *changed* do."""
        if not changed:
            return set()
        columns: dict[tuple[int, int], set[int]] = {}
        stale: set[Place] = set()

        def mark(place: Place) -> None:
            columns.setdefault((place.sheet, place.column), set()).add(place.row)

        for place in changed:
            mark(place)
        left = self._nodes
        for turn in range(100):
            waiting = []
            for node in left if turn % 2 == 0 else reversed(left):
                if node.everything or turn == 99 or _touches(node.areas, columns):
                    for place in _filled(node):
                        mark(place)
                        stale.add(place)
                else:
                    waiting.append(node)
            if len(waiting) == len(left):
                break
            left = waiting if turn % 2 == 0 else waiting[::-1]
        return stale


def _filled(node: _Node) -> Iterator[Place]:
    yield node.place
    if node.fills is not None:
        first, left, last, right = node.fills
        if (last - first + 1) * (right - left + 1) < 1 << 20:
            for row in range(first, last + 1):
                for column in range(left, right + 1):
                    yield Place(node.place.sheet, row, column)


def _touches(
    areas: list[tuple[int, tuple[int, int, int, int]]], columns: dict[tuple[int, int], set[int]]
) -> bool:
    for sheet, (first, left, last, right) in areas:
        if right - left < len(columns):
            within = [columns.get((sheet, at)) for at in range(left, right + 1)]
        else:
            within = [
                rows for (of, at), rows in columns.items() if of == sheet and left <= at <= right
            ]
        for rows in within:
            if not rows:
                continue
            if last - first < len(rows):
                if any(row in rows for row in range(first, last + 1)):
                    return True
            elif any(first <= row <= last for row in rows):
                return True
    return False
