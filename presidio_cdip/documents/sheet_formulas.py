"""Take formulas apart: their string literals, the names they use, the cells they depend on."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from presidio_cdip.documents.sheet_places import column_of

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"]|"")*"?)
    |(?P<sheet>(?:'(?:[^']|'')*'|(?:\[[^\]]*\])?[^\W\d][\w.]*(?::[^\W\d][\w.]*)?|\[[^\]]*\])!)
    |(?P<bracket>\[(?:[^\[\]']|'.|\[(?:[^\[\]']|'.)*\])*\])
    |(?P<area>\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}(?::\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6})?(?![\w(.!]))
    |(?P<columns>\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w(.!]))
    |(?P<rows>\$?[1-9]\d{0,6}:\$?[1-9]\d{0,6}(?![\w(.!]))
    |(?P<number>\d+(?:\.\d*)?(?:[Ee][+-]?\d+)?)
    |(?P<name>[^\W\d][\w.\\?]*|\\[\w.\\?]*)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_END = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)(\d+)")
_PLAIN_SHEET = re.compile(r"[^\W\d][\w.]*")
_LIKE_A_CELL = re.compile(
    r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]?\d*|[Rr]?[Cc]\d*|true|false", re.IGNORECASE
)
_COLUMN = re.compile(r"(?<=\[)(@?)((?:[^\[\]'@#]|'.)(?:[^\[\]']|'.)*)(?=\])")
_BIG = 1 << 21
_LEAST_DIGITS = 6  # of a number that may be one that somebody looks for
_LONG = re.compile(rf"\d{{{_LEAST_DIGITS}}}")
_CALL = re.compile(r"([^\W\d][\w.]*)\s*\(")

VOLATILE = frozenset(
    [
        "INDIRECT", "OFFSET", "CELL", "INFO", "NOW", "TODAY", "RAND", "RANDBETWEEN",
        "GETPIVOTDATA", "CUBEVALUE", "CUBEMEMBER",
    ]
)  # fmt: skip
"""Functions that depend on more than the cells they name."""


class Literal(NamedTuple):
    """A literal in a formula.

    Attributes:
        start: Its offset in the formula, after the quotation mark of a string.
        end: Offset after its last character, before the quotation mark.
        text: The string, or the digits.
        is_number: Whether it is a number.
    """

    start: int
    end: int
    text: str
    is_number: bool = False

    def written(self, new: str) -> str:
        """Return *new* as the formula holds it in the place of the literal."""
        if not self.is_number:
            return new.replace('"', '""')
        return new if new.isdecimal() else '"' + new.replace('"', '""') + '"'


class Reference(NamedTuple):
    """Cells that a formula names.

    Attributes:
        sheets: The sheet's name, or the first and the last; none for the formula's own.
        area: First row, first column, last row, last column.
        fixed: For each of them, whether it stays where a shared formula is repeated.
    """

    sheets: tuple[str, ...]
    area: tuple[int, int, int, int]
    fixed: tuple[bool, bool, bool, bool]

    def moved(self, rows: int, columns: int) -> tuple[int, int, int, int]:
        """Return the area as a formula that is repeated elsewhere sees it."""
        a, b, c, d = (
            at if fixed else at + by
            for at, fixed, by in zip(
                self.area, self.fixed, (rows, columns, rows, columns), strict=True
            )
        )
        return min(a, c), min(b, d), max(a, c), max(b, d)


@dataclass
class Uses:
    """What a formula depends on.

    Attributes:
        references: Cells.
        names: Other names, in lower case: of functions, defined names, tables.
        everything: Whether it may depend on any cell.
    """

    references: list[Reference] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    everything: bool = False


def literals(formula: str) -> Iterator[Literal]:
    """Yield the strings in a formula that are not empty, and numbers of many digits."""
    if '"' not in formula and not _LONG.search(formula):
        return
    for token in _TOKEN.finditer(formula):
        text = token["string"]
        if text and len(text) > 2 and text.endswith('"'):
            yield Literal(token.start() + 1, token.end() - 1, text[1:-1].replace('""', '"'))
        number = token["number"]
        if number and number.isdecimal() and len(number) >= _LEAST_DIGITS:
            yield Literal(token.start(), token.end(), number, True)


def is_constant(formula: str) -> bool:
    """Tell whether the result of a formula stands in the formula.

    >>> is_constant("DATE(1980,7,30)"), is_constant("A1&1"), is_constant("rate*2")
    (True, False, False)
    """
    used = uses(formula)
    called = {match[1].lower() for match in _CALL.finditer(formula)}
    return not used.references and not used.everything and used.names <= called


def quoted_sheet(name: str) -> str:
    """Return a sheet's name as a formula writes it.

    >>> quoted_sheet("Jan"), quoted_sheet("O'Hara 2")
    ('Jan', "'O''Hara 2'")
    """
    if _PLAIN_SHEET.fullmatch(name) and not _LIKE_A_CELL.fullmatch(name):
        return name
    return "'" + name.replace("'", "''") + "'"


def _sheets(prefix: str) -> tuple[str, tuple[str, ...]]:
    """Return the workbook, in brackets, and the sheets that a prefix with ``!`` names."""
    name = prefix[:-1]
    if name.startswith("'"):
        name = name[1:-1].replace("''", "'")
    if "]" in name:
        book, _, name = name.rpartition("]")
        return f"{book}]", tuple(name.split(":"))
    return "", tuple(name.split(":"))


@dataclass
class Renames:
    """New names, by the old ones in lower case.

    Attributes:
        sheets: Of sheets.
        names: Of defined names and tables.
        columns: Of the columns of tables, by table and column.
    """

    sheets: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    columns: dict[tuple[str, str], str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Tell whether anything has a new name."""
        return bool(self.sheets or self.names or self.columns)

    def applied(self, formula: str) -> str:
        """Return *formula* with the new names."""
        out, table = [], ""
        for token in _TOKEN.finditer(formula):
            kind, text = token.lastgroup, token.group()
            if kind == "sheet":
                text = self.sheet(text)
            elif kind == "bracket":
                text = self._bracket(text, table)
            elif kind == "name":
                table = text.lower()
                text = self.names.get(table, text)
            if kind != "name":
                table = ""
            out.append(text)
        return "".join(out)

    def sheet(self, prefix: str) -> str:
        """Return the prefix of a reference, which ends with ``!``, with the new names."""
        book, sheets = _sheets(prefix)
        if book or not any(one.lower() in self.sheets for one in sheets):
            return prefix
        new = [self.sheets.get(one.lower(), one) for one in sheets]
        if len(new) == 1:
            return quoted_sheet(new[0]) + "!"
        return "'" + ":".join(new).replace("'", "''") + "'!"

    def _bracket(self, text: str, table: str) -> str:
        if not self.columns:
            return text

        def column(match: re.Match[str]) -> str:
            name = re.sub(r"'(.)", r"\1", match[2]).lower()
            new = next(
                (
                    value
                    for (of, old), value in self.columns.items()
                    if old == name and of == (table or of)
                ),
                None,
            )
            return match[1] + (match[2] if new is None else re.sub(r"(['\[\]#@])", r"'\1", new))

        return _COLUMN.sub(column, text)


def uses(formula: str) -> Uses:
    """Return what *formula* depends on."""
    found = Uses()
    sheets: tuple[str, ...] = ()
    for token in _TOKEN.finditer(formula):
        kind, text = token.lastgroup, token.group()
        if kind in ("area", "columns", "rows"):
            reference = _reference(kind, text, sheets)
            found.references.append(reference)
        elif kind == "name":
            found.names.add(text.lower())
            found.everything |= text.upper() in VOLATILE
        if kind == "sheet":
            book, sheets = _sheets(text)
            found.everything |= bool(book)
        elif kind != "other" or text != "$":
            sheets = ()
    return found


def _reference(kind: str, text: str, sheets: tuple[str, ...]) -> Reference:
    first, _, last = text.partition(":")
    last = last or first
    if kind == "area":
        a, b = _END.fullmatch(first), _END.fullmatch(last)
        assert a is not None and b is not None
        return Reference(
            sheets,
            (int(a[4]), column_of(a[2]), int(b[4]), column_of(b[2])),
            (bool(a[3]), bool(a[1]), bool(b[3]), bool(b[1])),
        )
    fixed = (first.startswith("$"), last.startswith("$"))
    first, last = first.lstrip("$"), last.lstrip("$")
    if kind == "rows":
        return Reference(sheets, (int(first), 1, int(last), _BIG), (fixed[0], True, fixed[1], True))
    return Reference(
        sheets, (1, column_of(first), _BIG, column_of(last)), (True, fixed[0], True, fixed[1])
    )


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
        """Know the workbook.

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
