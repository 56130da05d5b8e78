"""Read and write xlsx and xlsm: workbooks of Microsoft Excel and of programs that write its format.

* ``sheet_book``: the workbook; ``sheet_cells``: the bytes of cells and shared strings.
* ``sheet_formats``: numbers as they are displayed; ``sheet_labels``: headers of columns.
* ``sheet_formulas``: formulas; ``sheet_dependencies``: what their results depend on;
  ``sheet_names``: names in them; ``sheet_passages``: other notations.
* ``sheet_writing``: cells with other text; ``sheet_echoes``: what repeats the text of cells.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, overload

from lxml import etree

from presidio_cdip.documents.office.ooxml import Office, OfficeDocument, package_texts
from presidio_cdip.documents.office.passages import Passage, Vocabulary
from presidio_cdip.documents.office.vocabularies import AUTHOR, DRAWINGS, joined
from presidio_cdip.documents.segments import Document, Edits, Segment, Settings
from presidio_cdip.documents.sheets.book import Book
from presidio_cdip.documents.sheets.dependencies import Dependencies, Place
from presidio_cdip.documents.sheets.echoes import Echoes, drop_day_filters, labels_of_records
from presidio_cdip.documents.sheets.formulas import Renames, Uses, uses
from presidio_cdip.documents.sheets.names import Names, References
from presidio_cdip.documents.sheets.passages import FORMULAS, HEADERS, Notations
from presidio_cdip.documents.sheets.places import area
from presidio_cdip.documents.sheets.writing import CellWriter, Strings

_ORDER = (
    "xl/comments", "xl/threadedComments", "xl/drawings", "xl/charts", "xl/tables", "xl/worksheets",
    "xl/", "customXml", "docProps",
)  # fmt: skip
_SPACES = ("x", "x14", "x15", "xm", "c", "c15", "cx", "xvml")
_BEFORE_CALCULATION = ("definedNames", "externalReferences", "functionGroups", "sheets")

SHEET = joined(
    DRAWINGS,
    Vocabulary(
        paragraphs=frozenset(["x:text"]),
        runs=frozenset(["x:t"]),
        readable=frozenset(
            [
                "tooltip", "display", "location", "prompt", "promptTitle", "error", "errorTitle",
                "comment", "description", "help", "statusBar", "customMenu", "caption", "userName",
                "user", "displayName", "url", "connection", "command", "sourceFile",
                "odcFile", "sheetName", "altText", "altTextSummary", "totalsRowLabel", "text",
                "x:s@v", "x:d@v", "x:cacheField@name", "x:dataField@name", "x:pivotField@name",
                "x:scenario@name", "x:protectedRange@name", "x:customWorkbookView@name",
                "x:pivotTableDefinition@name", "x:queryTableField@name", "x:connection@name",
                "x:queryTable@name", "x:sheetName@val", "x:filter@val", "x:customFilter@val",
                "x:ddeItem@name", "x:definedName@refersTo", "x:rangeSet@name", "x:sheetPr@codeName",
                "x:inputCells@val", "refreshedBy", "x:calculatedItem@name", "x:dbPr@connection",
                "x:cfRule@text", "x14:slicer@name", "x14:slicer@caption",
            ]
        ),
        labels={
            "x:author": AUTHOR, "userName": AUTHOR, "user": AUTHOR, "refreshedBy": AUTHOR,
            "displayName": AUTHOR, "x:v": "value", "x:s@v": "value", "x:n@v": "value",
            "x:d@v": "value",
        },
        named_by={"x:cacheField": "name"},
        ignored=frozenset(
            [
                "a:lin@*", "a:outerShdw@*", "a:rot@*", "a:bodyPr@*", "a:innerShdw@*", "a:tint@*",
                "xdr:col", "xdr:colOff", "xdr:row", "xdr:rowOff", "xdr:ext@*", "xdr:pos@*",
                "x:pageSetup@*", "x:rgbColor@*", "x:brk@*", "x:sheetProtection@*",
                "x:workbookProtection@*", "x:fileVersion@*", "x:fgColor@*", "x:bgColor@*",
                "c:x@val", "c:y@val", "c:w@val", "c:h@val", "x:tabColor@*", "o:lock", "v:fill@*",
                "documentId", "mods", "dc:language", "c:separator", "x:calcPr@*", "x:dxf@*",
                "sqref", "ref", "activeCell", "topLeftCell", "spans", "cellRef", "r", "x:font@*",
                "x:name@val", "x:rFont@val", "x:family@*", "x:charset@*", "x:sz@val", "x:color@*",
                "formatCode", "c:v@*", "x:scheme@val", "x:vertAlign@val", "x:u@val", "xm:sqref",
                "x:tableColumn@name", "x:tableColumn@uniqueName", "x:table@name",
                "x:table@displayName", "x:sheet@name", "x:definedName@name", "x:cfvo@val",
                "x:row@*", "x:col@*", "x:xf@*", "x:numFmt@*", "c:numFmt@*", "macro", "fmlaLink",
                "fmlaRange", "fmlaMacro", "fmlaTxbx", "fmlaGroup", "c:lang@val", "x:top10@*",
                "x:iconSet@*", "x:tableStyleInfo@name", "x:tableStyle@name",
                *(f"{space}:{name}" for space in _SPACES for name in FORMULAS),
                *(f"{space}:{name}" for space in _SPACES for name in HEADERS),
            ]
        ),
    ),
)  # fmt: skip
"""The elements and attributes of SpreadsheetML that hold text, outside of cells."""


class Chain(Sequence[Passage]):
    """Several sequences, one after the other."""

    def __init__(self, parts: Sequence[Sequence[Passage]]) -> None:
        """Chain *parts*."""
        self._parts = [part for part in parts if part]
        self._starts = [0, *accumulate(map(len, self._parts))]

    def __len__(self) -> int:
        """Return the length of all."""
        return self._starts[-1]

    @overload
    def __getitem__(self, at: int) -> Passage: ...

    @overload
    def __getitem__(self, at: slice) -> list[Passage]: ...

    def __getitem__(self, at: int | slice) -> Passage | list[Passage]:
        """Return a passage, or several."""
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        part = bisect_right(self._starts, at) - 1
        return self._parts[part][at - self._starts[part]]


class Segments(Sequence[Segment]):
    """The segments of passages; each is made when it is asked for."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        """Store the passages."""
        self._passages = passages

    def __len__(self) -> int:
        """Return the number of passages."""
        return len(self._passages)

    @overload
    def __getitem__(self, at: int) -> Segment: ...

    @overload
    def __getitem__(self, at: slice) -> list[Segment]: ...

    def __getitem__(self, at: int | slice) -> Segment | list[Segment]:
        """Return a segment, or several."""
        if isinstance(at, slice):
            return [one.segment for one in self._passages[at]]
        return self._passages[at].segment


class Workbook(OfficeDocument):
    """A workbook."""

    def __init__(self, office: Office) -> None:
        """Read it.

        Raises:
            UnreadableInput: It is of a kind that is not read.
            TextTooLong: It has too many characters.
        """
        self._book = book = Book.opened(office)
        self._names = Names.of(book)
        cells = book.cell_passages()
        where = {sheet.part: f"Sheet {sheet.number}" for sheet in book.sheets}
        given = labels_of_records(office)
        others = office.passages(SHEET, _ORDER, where=where, given=given)
        trees: dict[str, Any] = office.package.trees
        self._notations = Notations()
        hidden = [
            *book.hidden_passages(), *self._notations.read(trees), *self._names.passages(),
        ]  # fmt: skip
        self._references = References.of(trees)
        self._echoes = Echoes.of(trees)
        self.office = office
        self.passages: Sequence[Passage] = Chain([*cells, [*others, *hidden]])
        self.segments: Sequence[Segment] = Segments(self.passages)
        self.embedded, self.removed = office.embedded, office.removed
        self.unread = [*office.unread, *book.unread()]

    def write(self, edits: Edits, embedded: Mapping[int, bytes | None]) -> bytes:
        """Return the workbook with other text."""
        package, book = self.office.package, self._book
        for index, changes in edits.items():
            package.changed.update(self.passages[index].rewrite(changes))
        stale = self._stale()
        renames = self._names.renamed(book)
        for formula in self._notations.formulas:
            if formula.write(renames):
                package.changed.add(formula.part)
        if renames:
            package.changed.update(self._references.follow(renames))
        if edits:
            package.changed.update(self._echoes.follow(book))
            package.changed.update(self._echoes.repair(package.changed, bool(book.cell_edits)))
        self._write_cells(renames, stale)
        return super().write({}, embedded)

    def _write_cells(self, renames: Renames, stale: set[Place]) -> None:
        book = self._book
        if stale:
            self._calculate_on_load()
        strings = Strings(book, book.strings) if book.strings is not None else None
        inner = strings.inner() if strings else None
        if book.strings is not None:
            self._put(book.strings_part, book.strings.fragments, inner)
        if strings and inner is not None:
            root = self.office.package.tree(book.strings_part).getroot()
            for key in ("count", "uniqueCount"):
                if strings.more and root.get(key, "").isdecimal():
                    root.set(key, str(int(root.get(key, "0")) + strings.more))
        edited_sheets = {index for index, _ in book.cell_edits}
        for index, sheet in enumerate(book.sheets):
            own = {(place.row, place.column) for place in stale if place.sheet == index}
            inner = CellWriter(book, index, strings, renames, own).inner()
            tree = self.office.package.tree(sheet.part)
            if index in edited_sheets and drop_day_filters(tree):
                self.office.package.changed.add(sheet.part)
            self._put(sheet.part, sheet.fragments, inner)

    def _put(self, part: str, fragments: Any, inner: bytes | None) -> None:
        """Hold the bytes of a part of which only a skeleton is a tree."""
        package = self.office.package
        package.inserts[part] = fragments.inner() if inner is None else inner
        if inner is not None:
            package.changed.add(part)

    def _stale(self) -> set[Place]:
        """Return the cells whose stored results may no longer be true."""
        book = self._book
        changed = {
            Place(index, cell.row, cell.column)
            for index, number in [*book.cell_edits, *book.literal_edits]
            for cell in [book.sheets[index].cells[number]]
        }
        if not changed:
            return changed
        names = {
            one.text.lower(): one.element.text or ""
            for one in self._names.all
            if one.kind == "name"
        }
        sheets = {sheet.part: index for index, sheet in enumerate(book.sheets)}
        tables = {
            one.text.lower(): (sheets[one.sheet], found)
            for one in self._names.all
            if one.kind == "table" and (found := area(one.element.get("ref", ""))) is not None
        }
        known = Dependencies([sheet.name for sheet in book.sheets], names, tables)
        for index in range(len(book.sheets)):
            self._add_formulas(known, index)
        edited_formulas = {
            Place(index, cell.row, cell.column)
            for index, number in [*book.cell_edits, *book.literal_edits]
            for cell in [book.sheets[index].cells[number]]
            if cell.formula is not None
        }
        return known.stale(changed) | edited_formulas

    def _add_formulas(self, known: Dependencies, index: int) -> None:
        shared: dict[str, tuple[int, int, Uses]] = {}
        for cell in self._book.sheets[index].cells:
            if cell.formula is None:
                continue
            text, given = cell.formula
            kind, place = given.get("t", ""), Place(index, cell.row, cell.column)
            used, moved = uses(text), (0, 0)
            if kind == "shared":
                row, column, first = shared.setdefault(
                    given.get("si", ""), (cell.row, cell.column, used)
                )
                if not text:
                    used, moved = first, (cell.row - row, cell.column - column)
            fills = area(given.get("ref", "")) if kind in ("array", "dataTable") else None
            known.add(place, used, moved, fills, kind == "dataTable")

    def _calculate_on_load(self) -> None:
        """Mark all results to be calculated when the workbook is opened."""
        book, package = self._book, self.office.package
        root = package.tree(book.part).getroot()
        element = next(root.iterchildren("{*}calcPr"), None)
        if element is None:
            element = etree.Element(root.tag.replace("workbook", "calcPr"))
            before = next(
                (one for name in _BEFORE_CALCULATION for one in root.iterchildren(f"{{*}}{name}")),
                None,
            )
            if before is None:
                root.append(element)
            else:
                before.addnext(element)
        element.set("fullCalcOnLoad", "1")
        package.changed.add(book.part)
        for one in self.office.relations(book.part):
            if one.kind == "calcChain":
                self.office.leave_out(book.real(one.target))


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read a workbook.

    Raises:
        UnreadableInput: It is damaged, or of a kind that is not read.
        TextTooLong: It has too many characters.
    """
    return Workbook(Office.opened(data, name, settings))


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield where text stands in a workbook, and that text."""
    return package_texts(data)
