"""Read a workbook: its sheets, the texts of its cells as they are displayed, its formulas."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, overload

from lxml import etree

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.ooxml import Office
from presidio_cdip.documents.office.package import parser
from presidio_cdip.documents.office.relations import stem
from presidio_cdip.documents.segments import Edit, Note, Place, Segment
from presidio_cdip.documents.sheets.cells import Cell, Cells, SharedStrings
from presidio_cdip.documents.sheets.formats import BUILT_IN, NumberFormat, number_format
from presidio_cdip.documents.sheets.formulas import Literal, is_constant, literals
from presidio_cdip.documents.sheets.fragments import Fragments
from presidio_cdip.documents.sheets.labels import Area, Grid, labels
from presidio_cdip.documents.sheets.places import area, letters
from presidio_cdip.documents.subjects import RowScopes
from presidio_cdip.errors import TextTooLong, UnreadableInput

_SHEET_KINDS = ("worksheet", "dialogsheet", "xlMacrosheet", "xlIntlMacrosheet")
_MOST_TREE = 64 << 20  # bytes of an XML part that is held as a tree
_LONGEST_HEADER = 60
_DIGITS = 6  # in a formula that may be a date or a number of somebody
_NO_RESULT = "a formula of numbers without its result: open and save the workbook"
_FREE_TEXT = ("str", "inlineStr", "d")


@dataclass
class Budget:
    """Counts characters, and stops reading when there are too many.

    Attributes:
        name: The file's name, for the error.
        most: The most characters.
        used: Those counted so far.
    """

    name: str
    most: int
    used: int = 0

    def add(self, size: int) -> None:
        """Count *size* characters more.

        Raises:
            TextTooLong: There are too many now.
        """
        self.used += size
        if self.used > self.most:
            raise TextTooLong(self.name, self.most)


@dataclass
class Sheet:
    """A sheet with cells.

    Attributes:
        number: From 1, in the order of the workbook.
        name: Its name; "" for a part that no sheet of the workbook leads to.
        part: The name of its part.
        fragments: The bytes of its cells.
        cells: Its cells that are not empty.
        tables: Areas of the tables on it whose first row holds headers.
    """

    number: int
    name: str
    part: str
    fragments: Fragments
    cells: list[Cell]
    tables: list[Area] = field(default_factory=list)


@dataclass(slots=True)
class CellPassage:
    """The text that a cell displays."""

    segment: Segment
    into: dict[tuple[int, int], Sequence[Edit]]
    sheet: int
    number: int

    def rewrite(self, edits: Sequence[Edit]) -> Sequence[str]:
        """Note *edits*; they are written with all others of the sheet."""
        self.into[self.sheet, self.number] = edits
        return ()


@dataclass(slots=True)
class LiteralPassage:
    """A string literal in the formula of a cell."""

    segment: Segment
    into: dict[tuple[int, int], list[tuple[Literal, Sequence[Edit]]]]
    sheet: int
    number: int
    literal: Literal

    def rewrite(self, edits: Sequence[Edit]) -> Sequence[str]:
        """Note *edits*; they are written with all others of the sheet."""
        self.into.setdefault((self.sheet, self.number), []).append((self.literal, edits))
        return ()


@dataclass(slots=True)
class NotedPassage:
    """A text that is written later, under *key*."""

    segment: Segment
    into: dict[Any, Sequence[Edit]]
    key: Any

    def rewrite(self, edits: Sequence[Edit]) -> Sequence[str]:
        """Note *edits*."""
        self.into[self.key] = edits
        return ()


@dataclass
class Book:
    """A workbook.

    Attributes:
        office: Its package.
        part: The name of its main part.
        sheets: Those with cells.
        strings: The shared strings; None without.
        strings_part: The name of their part.
        cell_edits: Edits of the texts of cells, by sheet and cell.
        literal_edits: Edits of string literals in formulas, by sheet and cell.
        string_edits: Edits of shared strings that no cell uses.
        reading_edits: Edits of phonetic readings: by shared string, or by sheet and cell.
        from_1904: Whether dates are counted from 1904.
    """

    office: Office
    part: str
    sheets: list[Sheet] = field(default_factory=list)
    strings: SharedStrings | None = None
    strings_part: str = ""
    cell_edits: dict[tuple[int, int], Sequence[Edit]] = field(default_factory=dict)
    literal_edits: dict[tuple[int, int], list[tuple[Literal, Sequence[Edit]]]] = field(
        default_factory=dict
    )
    string_edits: dict[Any, Sequence[Edit]] = field(default_factory=dict)
    reading_edits: dict[Any, Sequence[Edit]] = field(default_factory=dict)

    from_1904: bool = False
    _real: dict[str, str] = field(default_factory=dict)
    _codes: list[str] = field(default_factory=list)

    @classmethod
    def opened(cls, office: Office) -> "Book":
        """Read the sheets of a workbook.

        Raises:
            UnreadableInput: It is none, or of a kind that is not read.
            TextTooLong: It has too many characters.
        """
        name = office.package.name
        book = cls(office, office.main())
        book._real = {part.lower(): part for part in office.package.parts}
        book.part = book.real(book.part)
        if book.part.lower().endswith(".bin"):
            raise UnreadableInput(name, "is a binary workbook (xlsb): save it as xlsx")
        if book.part not in office.package.parts:
            raise UnreadableInput(name, "is damaged: it has no main part")
        if short(office.package.tree(book.part).getroot().tag) != "x:workbook":
            raise UnreadableInput(name, "is no workbook")
        large = [
            part
            for part in office.texts
            if len(office.package.parts[part]) > _MOST_TREE and not book._has_cells(part)
        ]
        if large:
            raise UnreadableInput(name, f"has a part that is too large to be read: {large[0]}")
        book._read()
        return book

    def real(self, part: str) -> str:
        """Return the name of a part as the package has it; letters may differ in case."""
        return self._real.get(part.lower(), part)

    def _has_cells(self, part: str) -> bool:
        kind = self.office.kinds().get(part, "")
        return kind in (*_SHEET_KINDS, "sharedStrings") or part.lower().startswith("xl/worksheets/")

    def _read(self) -> None:
        package, name = self.office.package, self.office.package.name
        root = package.tree(self.part).getroot()
        properties = next(root.iterchildren("{*}workbookPr"), None)
        given = "" if properties is None else properties.get("date1904", "")
        self.from_1904 = given.lower() in ("1", "true", "on")
        relations = self.office.relations(self.part)
        self._codes = self._number_formats(
            [self.real(one.target) for one in relations if one.kind == "styles"]
        )
        most = self.office.settings.max_characters
        for one in relations:
            part = self.real(one.target)
            if one.kind == "sharedStrings" and part in self.office.texts and not self.strings:
                budget = Budget(name, most)
                self.strings = SharedStrings(package.parts[part], name, part, budget.add)
                self.strings_part = part
                self._set_skeleton(part, self.strings)
        budget = Budget(name, most)
        for title, part in self._sheet_parts():
            scanned = Cells(package.parts[part], name, part, budget.add)
            self._set_skeleton(part, scanned)
            sheet = Sheet(len(self.sheets) + 1, title, part, scanned.fragments, scanned.cells)
            sheet.tables = list(self._table_areas(part))
            self.sheets.append(sheet)

    def _set_skeleton(self, part: str, scanned: Cells | SharedStrings) -> None:
        """Hold the part without its fragments as its tree."""
        skeleton = io.BytesIO(scanned.fragments.skeleton())
        self.office.package.trees[part] = etree.parse(skeleton, parser())
        if scanned.comments:
            self.office.package.changed.add(part)
            self.office.removed.append(Note(Place(stem(part), part=part), "comments in its XML"))

    def _sheet_parts(self) -> Iterator[tuple[str, str]]:
        """Yield name and part of each sheet; then parts that look like sheets and are none."""
        relations = {one.id: one for one in self.office.relations(self.part)}
        root = self.office.package.tree(self.part).getroot()
        done = set()
        for element in root.iterfind("{*}sheets/{*}sheet"):
            identifier = next(
                (str(v) for k, v in element.attrib.items() if short(str(k)) == "r:id"), ""
            )
            one = relations.get(identifier)
            part = self.real(one.target) if one else ""
            if one and one.kind in _SHEET_KINDS and part in self.office.texts and part not in done:
                done.add(part)
                yield element.get("name", ""), part
        for part in self.office.texts:
            if part.lower().startswith("xl/worksheets/sheet") and part not in done:
                yield "", part

    def _table_areas(self, part: str) -> Iterator[Area]:
        for one in self.office.relations(part):
            target = self.real(one.target)
            if one.kind == "table" and target in self.office.texts:
                root = self.office.package.tree(target).getroot()
                found = area(root.get("ref", ""))
                if found and root.get("headerRowCount", "1") != "0":
                    yield found

    def _number_formats(self, parts: list[str]) -> list[str]:
        """Return the code of the number format of each cell format."""
        if not parts or parts[0] not in self.office.texts:
            return []
        root = self.office.package.tree(parts[0]).getroot()
        codes = {str(number): code for number, code in BUILT_IN.items()}
        for one in root.iterfind("{*}numFmts/{*}numFmt"):
            codes[one.get("numFmtId", "")] = one.get("formatCode", "General")
        return [
            codes.get(one.get("numFmtId", "0"), "General")
            for one in root.iterfind("{*}cellXfs/{*}xf")
        ]

    def format_of(self, cell: Cell) -> NumberFormat:
        """Return the number format of a cell."""
        code = self._codes[cell.style] if cell.style < len(self._codes) else "General"
        return number_format(code, self.from_1904)

    def shown(self, cell: Cell) -> str:
        """Return the text that a cell displays; "" for booleans, errors and invalid values."""
        if cell.kind == "n":
            return self.format_of(cell).show(cell.value) if cell.value else ""
        if cell.kind == "s":
            text = self.string(cell)
            return "" if text is None or self.strings is None else self.strings.texts[text].text
        return cell.value if cell.kind in _FREE_TEXT else ""

    def string(self, cell: Cell) -> int | None:
        """Return the index of the shared string of a cell."""
        value = cell.value.strip()
        if cell.kind != "s" or self.strings is None or not value.isdecimal():
            return None
        return int(value) if int(value) < len(self.strings.texts) else None

    def cell_passages(self) -> list["CellPassages"]:
        """Return the texts that the cells display, for each sheet."""
        budget = Budget(self.office.package.name, self.office.settings.max_characters)
        found = []
        package = self.office.package
        rows = RowScopes.of(package.parts, package.name, self.office.settings.scope_column)
        for index, sheet in enumerate(self.sheets):
            grid = Grid()
            for number in in_order(sheet.cells):
                cell = sheet.cells[number]
                text = self.shown(cell)
                if text and not text.isspace():
                    is_text = cell.kind in ("s", *_FREE_TEXT)
                    grid.add(number, cell.row, cell.column, text, is_text)
                    budget.add(len(text) + 1)
            named = labels(grid, sheet.tables)
            scopes = self._scopes(grid, rows)
            budget.add(sum(map(len, named)))
            found.append(CellPassages(grid, named, scopes, index, sheet, self.cell_edits))
        return found

    def _scopes(self, grid: Grid, rows: RowScopes) -> dict[int, str]:
        """Return the scope of each row of a sheet; the cells of *grid* are those of the sheet.

        Raises:
            UnreadableInput: Two cells of one row name the column.
        """
        if not rows.column:
            return {}
        ranges = grid.row_ranges()
        texts = [{grid.columns[number]: grid.texts[number] for number in row} for row in ranges]
        return {grid.rows[ranges[row][0]]: scope for row, scope in rows.of_table(texts).items()}

    def hidden_passages(self) -> Iterator[LiteralPassage | NotedPassage]:
        """Yield literals in formulas, phonetic readings, and strings that no cell uses."""
        used = set()
        for index, sheet in enumerate(self.sheets):
            headers: dict[int, str] = {}
            for number in in_order(sheet.cells):
                cell = sheet.cells[number]
                if cell.kind == "s":
                    used.add(self.string(cell))
                if cell.kind != "n":
                    headers[cell.column] = self.shown(cell)
                if cell.formula is None and not cell.readings:
                    continue
                where = cell_name(sheet, cell.row, cell.column)
                for one in literals(cell.formula.text) if cell.formula else ():
                    place = Place(f"{where}, formula", part=sheet.part)
                    label = "" if cell.value else headers.get(cell.column, "")[:_LONGEST_HEADER]
                    segment = Segment(one.text, place, label, "\n\n")
                    yield LiteralPassage(segment, self.literal_edits, index, number, one)
                for reading in cell.readings:
                    segment = Segment(reading, Place(f"{where}, reading", part=sheet.part))
                    yield NotedPassage(segment, self.reading_edits, (index, number))
        for index, text in enumerate(self.strings.texts if self.strings else ()):
            where = f"shared string {index + 1}"
            for reading in text.readings:
                segment = Segment(reading, Place(f"{where}, reading", part=self.strings_part))
                yield NotedPassage(segment, self.reading_edits, index)
            if index not in used and text.text.strip():
                segment = Segment(text.text, Place(where, part=self.strings_part), "", "\n\n")
                yield NotedPassage(segment, self.string_edits, index)

    def unread(self) -> Iterator[Note]:
        """Yield notes of formulas that may be a value, and whose result is not stored."""
        for sheet in self.sheets:
            for cell in sheet.cells:
                if cell.formula is None or cell.value or not is_constant(cell.formula.text):
                    continue
                text = cell.formula.text
                for one in reversed(list(literals(text))):
                    text = text[: one.start] + text[one.end :]
                if sum(map(str.isdigit, text)) >= _DIGITS:
                    where = f"{cell_name(sheet, cell.row, cell.column)}, formula"
                    yield Note(Place(where, part=sheet.part), _NO_RESULT)


class CellPassages(Sequence[CellPassage]):
    """The texts that the cells of a sheet display; each passage is made on request."""

    def __init__(
        self, grid: Grid, named: list[str], scopes: Mapping[int, str], index: int, sheet: Sheet,
        into: dict[tuple[int, int], Sequence[Edit]],
    ) -> None:  # fmt: skip
        """Take over *grid*, with the label of each cell, and the scope of each row."""
        self._grid, self._labels, self._scopes, self._into = grid, named, scopes, into
        self._index, self._sheet = index, sheet

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self._labels)

    @overload
    def __getitem__(self, at: int) -> CellPassage: ...

    @overload
    def __getitem__(self, at: slice) -> list[CellPassage]: ...

    def __getitem__(self, at: int | slice) -> CellPassage | list[CellPassage]:
        """Return a passage, or several."""
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        grid, at = self._grid, range(len(self))[at]
        row = grid.rows[at]
        place = Place(cell_name(self._sheet, row, grid.columns[at]), part=self._sheet.part)
        goes_on = at + 1 < len(self) and grid.rows[at + 1] == row
        segment = Segment(
            grid.texts[at], place, self._labels[at], "\n" if goes_on else "\n\n",
            scope=self._scopes.get(row, ""),
        )  # fmt: skip
        return CellPassage(segment, self._into, self._index, grid.cells[at])


def in_order(cells: Sequence[Cell]) -> Iterable[int]:
    """Return the numbers of *cells*, row by row."""
    places = ((one.row, one.column) for one in cells)
    if all(a <= b for a, b in pairwise(places)):
        return range(len(cells))
    return sorted(range(len(cells)), key=lambda n: (cells[n].row, cells[n].column))


def cell_name(sheet: Sheet, row: int, column: int) -> str:
    """Return where a cell stands, as a reader would say it."""
    return f"Sheet {sheet.number}, {letters(column)}{row}"
