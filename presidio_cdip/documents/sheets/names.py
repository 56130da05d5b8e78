"""Rename the names in formulas: of sheets, defined names, tables and their columns."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.segments import Edit, Place, Segment
from presidio_cdip.documents.sheets.book import Book, NotedPassage, Sheet
from presidio_cdip.documents.sheets.cells import Cell
from presidio_cdip.documents.sheets.formulas import Renames
from presidio_cdip.documents.sheets.fragments import decoded, encoded
from presidio_cdip.documents.sheets.places import area
from presidio_cdip.documents.sheets.writing import edited

_LONGEST_SHEET = 31
_FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
_NOT_IN_NAMES = re.compile(r"[^\w.]")
_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[RrCc]|[Rr]\d*[Cc]\d*")


@dataclass(eq=False)
class Name:
    """A name that formulas refer to.

    Attributes:
        kind: ``"sheet"``, ``"name"``, ``"table"`` or ``"column"``.
        element: Where it is defined.
        keys: The attributes that hold it.
        part: The part of *element*.
        text: The name.
        table: Of a column: the name of its table.
        sheet: Of a table: the part of its sheet.
        header: Of a column: sheet and number of its header cell, which has the same text.
    """

    kind: str
    element: Any
    keys: tuple[str, ...]
    part: str
    text: str
    table: str = ""
    sheet: str = ""
    header: tuple[int, int] | None = None


@dataclass
class Names:
    """The names of a workbook.

    Attributes:
        all: In the order of the file.
        edits: What changes in them, for those that no cell holds.
    """

    all: list[Name]
    edits: dict[Any, Sequence[Edit]]

    @classmethod
    def of(cls, book: Book) -> "Names":
        """Find the names of a workbook."""
        return cls([*_of_workbook(book), *_of_tables(book)], {})

    def passages(self) -> Iterator[NotedPassage]:
        """Yield each name that is not the text of a cell."""
        for number, one in enumerate(self.all):
            if one.header is None:
                place = Place(f"{one.kind} name {number + 1}", part=one.part)
                text = decoded(one.text)
                if text.strip():
                    segment = Segment(text, place, "", "\n\n")
                    yield NotedPassage(segment, self.edits, number)

    def renamed(self, book: Book) -> Renames:
        """Write the new names where they are defined, and return them for formulas."""
        renames = Renames()
        taken: dict[tuple[str, str], set[str]] = {}
        for one in self.all:
            taken.setdefault((one.kind, one.table), set()).add(one.text.lower())
        for number, one in enumerate(self.all):
            new = self._new(number, one, book)
            if new is None or new == one.text:
                continue
            others = taken[one.kind, one.table]
            new = _unused(new, others, _LONGEST_SHEET if one.kind == "sheet" else 255)
            others.add(new.lower())
            for key in one.keys:
                one.element.set(key, encoded(new).replace("\n", "_x000a_"))
            book.office.package.changed.add(one.part)
            if one.header is not None:
                _set_header(book, one.header, new)
            _note(renames, one, new)
        return renames

    def _new(self, number: int, one: Name, book: Book) -> str | None:
        if one.header is not None:
            edits = book.cell_edits.get(one.header)
            return None if edits is None else edited(decoded(one.text), edits)
        if number not in self.edits:
            return None
        new = edited(decoded(one.text), self.edits[number])
        if one.kind == "column":
            return new
        return valid_sheet(new) if one.kind == "sheet" else valid_name(new)


def _note(renames: Renames, one: Name, new: str) -> None:
    if one.kind == "sheet":
        renames.sheets[one.text.lower()] = new
    elif one.kind == "column":
        renames.columns[one.table, decoded(one.text).lower()] = new
    else:
        renames.names[one.text.lower()] = new


def _set_header(book: Book, header: tuple[int, int], new: str) -> None:
    """Make the header cell of a column hold *new*, if its edits do not already."""
    sheet, number = header
    text = book.shown(book.sheets[sheet].cells[number])
    edits = book.cell_edits[header]
    if edited(text, edits) != new:
        book.cell_edits[header] = [Edit(0, len(text), new, edits[0].entity)]


def _of_workbook(book: Book) -> Iterator[Name]:
    root = book.office.package.tree(book.part).getroot()
    for element in root.iterfind("{*}sheets/{*}sheet"):
        yield Name("sheet", element, ("name",), book.part, element.get("name", ""))
    for element in root.iterfind("{*}definedNames/{*}definedName"):
        text = element.get("name", "")
        if not text.startswith(("_xlnm.", "_xlfn", "Slicer_")):
            yield Name("name", element, ("name",), book.part, text)


def _of_tables(book: Book) -> Iterator[Name]:
    package = book.office.package
    for index, sheet in enumerate(book.sheets):
        for one in book.office.relations(sheet.part):
            part = book.real(one.target)
            if one.kind != "table" or part not in book.office.texts:
                continue
            root = package.tree(part).getroot()
            name = root.get("displayName", root.get("name", ""))
            keys = tuple(key for key in ("name", "displayName") if root.get(key) == name)
            yield Name("table", root, keys, part, name, sheet=sheet.part)
            yield from _columns(book, index, sheet, root, part, name.lower())


def _columns(
    book: Book, index: int, sheet: Sheet, root: Any, part: str, table: str
) -> Iterator[Name]:
    found = area(root.get("ref", ""))
    headers: dict[int, tuple[int, Cell]] = {}
    if found and root.get("headerRowCount", "1") != "0":
        headers = {
            cell.column: (number, cell)
            for number, cell in enumerate(sheet.cells)
            if cell.row == found[0]
        }
    for at, element in enumerate(root.iterfind("{*}tableColumns/{*}tableColumn")):
        text = element.get("name", "")
        keys = tuple(key for key in ("name", "uniqueName") if element.get(key) == text)
        number, cell = headers.get((found[1] if found else 0) + at, (0, None))
        same = cell is not None and book.shown(cell) == decoded(text)
        header = (index, number) if same else None
        yield Name("column", element, keys, part, text, table, header=header)


def valid_sheet(text: str) -> str:
    r"""Return *text* as a sheet may be called.

    >>> valid_sheet("Dana Fox: 3/4")
    'Dana Fox_ 3_4'
    """
    return _FORBIDDEN.sub("_", text).strip("'")[:_LONGEST_SHEET] or "Sheet"


def valid_name(text: str) -> str:
    """Return *text* as a defined name or a table may be called.

    >>> valid_name("Dana Fox"), valid_name("12 Elm"), valid_name("AB12")
    ('Dana_Fox', '_12_Elm', '_AB12')
    """
    text = _NOT_IN_NAMES.sub("_", text)
    if not text or text[0].isdigit() or text[0] == "." or _CELL.fullmatch(text):
        text = f"_{text}"
    return text[:255]


def _unused(name: str, taken: set[str], longest: int) -> str:
    number, new = 2, name
    while new.lower() in taken:
        tail = f"_{number}"
        new = name[: longest - len(tail)] + tail
        number += 1
    return new


NAMED_BY_ATTRIBUTE = {
    ("x:worksheetSource", "sheet"), ("x:rangeSet", "sheet"), ("x:dataRef", "sheet"),
    ("x:worksheetSource", "name"), ("x:rangeSet", "name"), ("x:dataRef", "name"),
}  # fmt: skip
"""Attributes that name a sheet, a defined name or a table of this workbook."""

FORMULAS_IN_ATTRIBUTES = frozenset(
    ["location", "textlink", "macro", "fmlaLink", "fmlaRange", "fmlaMacro", "fmlaTxbx", "fmlaGroup"]
)
"""Attributes that are formulas, or references without an equals sign."""


@dataclass
class References:
    """Attributes and texts that must follow names when these change, as they were read."""

    found: list[tuple[Any, str | None, str, str]]

    @classmethod
    def of(cls, trees: Mapping[str, Any]) -> "References":
        """Find them in parts."""
        return cls([one for part, tree in trees.items() for one in _references(part, tree)])

    def follow(self, renames: Renames) -> Iterable[str]:
        """Write the new names, and return the parts that are changed by it."""
        for element, key, text, part in self.found:
            new = _followed(text, renames)
            if new == text:
                continue
            if key is None:
                element.text = new
            else:
                element.set(key, new)
            yield part


def _references(part: str, tree: Any) -> Iterator[tuple[Any, str | None, str, str]]:
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        name = short(element.tag)
        if name == "vt:lpstr" and part.startswith("docProps/"):
            yield element, None, element.text or "", part
        for key, value in element.attrib.items():
            if key in FORMULAS_IN_ATTRIBUTES or (name, key) in NAMED_BY_ATTRIBUTE:
                yield element, key, value, part


def _followed(text: str, renames: Renames) -> str:
    known = text.lower()
    whole = renames.sheets.get(known) or renames.names.get(known)
    return whole or renames.applied(text)
