"""Parse formulas: their string literals, the names they use, the cells they depend on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from presidio_cdip.documents.sheets.places import column_of

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
_PLAIN_ELSEWHERE = re.compile(r"\[\d+\][^\W\d][\w.]*")
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
        text: The string, the digits, or the name of a sheet in another workbook, with its path.
        mark: What it stands between: ``'"'``, ``"'"``, or nothing.
        is_number: Whether it is a number.
    """

    start: int
    end: int
    text: str
    mark: str = '"'
    is_number: bool = False

    def written(self, new: str) -> str:
        """Return *new* as the formula holds it in the place of the literal."""
        if self.mark:
            return new.replace(self.mark, self.mark * 2)
        if new.isdecimal() if self.is_number else _PLAIN_ELSEWHERE.fullmatch(new):
            return new
        mark = '"' if self.is_number else "'"
        return mark + new.replace(mark, mark * 2) + mark


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
    """The references and names of a formula.

    Attributes:
        references: Cells.
        names: Other names, in lower case: of functions, defined names, tables.
        everything: Whether it may depend on any cell.
    """

    references: list[Reference] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    everything: bool = False


def literals(formula: str) -> Iterator[Literal]:
    r"""Yield the strings in a formula that are not empty, and numbers of many digits.

    So is what names a sheet of another workbook: it may hold the path of that workbook.

    >>> [one.text for one in literals("IF(A1='/home/ann/[b.xlsx]Staff'!B2,\"yes\",[1]Lee!A1)")]
    ['/home/ann/[b.xlsx]Staff', 'yes', '[1]Lee']
    """
    if '"' not in formula and "]" not in formula and not _LONG.search(formula):
        return
    for token in _TOKEN.finditer(formula):
        text = token["string"]
        if text and len(text) > 2 and text.endswith('"'):
            yield Literal(token.start() + 1, token.end() - 1, text[1:-1].replace('""', '"'))
        sheet = token["sheet"]
        if sheet and "]" in sheet.rstrip("]'!"):
            mark = "'" if sheet.startswith("'") else ""
            start, end = token.start() + len(mark), token.end() - len(mark) - 1
            name = formula[start:end]
            yield Literal(start, end, name.replace("''", "'") if mark else name, mark)
        number = token["number"]
        if number and number.isdecimal() and len(number) >= _LEAST_DIGITS:
            yield Literal(token.start(), token.end(), number, "", True)


def is_constant(formula: str) -> bool:
    """Return whether the result of a formula stands in the formula.

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
        """Return whether anything has a new name."""
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
    """Return the references that *formula* depends on."""
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
