"""Write the cells and shared strings of a workbook with other text."""

import copy
import re
from collections.abc import Iterable, Sequence
from typing import Any

from lxml import etree

from presidio_cdip.documents.office.passages import Runs, Slot
from presidio_cdip.documents.segments import Edit, Place, Segment
from presidio_cdip.documents.sheets.book import Book, Sheet
from presidio_cdip.documents.sheets.cells import Cell, SharedStrings
from presidio_cdip.documents.sheets.formulas import Literal, Renames, is_constant
from presidio_cdip.documents.sheets.fragments import Fragments, decoded, encoded

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_ISO = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+Z?)?")
_MOST_TEXT = 32_767  # characters of a cell

Edits = tuple[Edit, ...]


class _Escaped(Slot):
    """A ``t`` element, in which some characters are escaped."""

    __slots__ = ()

    def set(self, new: str) -> None:
        """Write *new* in its place."""
        set_text(self.element, new)


def set_text(element: Any, text: str) -> None:
    """Set the text of a ``t`` or ``v`` element."""
    element.text = encoded(re.sub("[\ud800-\udfff]", "", text))
    if text != text.strip() or "\n" in text:
        element.set(_SPACE, "preserve")


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return *text* with *edits*."""
    for one in reversed(list(edits)):
        text = text[: one.start] + one.new + text[one.end :]
    return text


def _local(element: Any) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def edit_rich(element: Any, edits: Sequence[Edit]) -> None:
    """Write *edits* to the runs of an ``si`` or ``is`` element, without phonetic readings.

    The readings tell how the old text is pronounced.
    """
    drop_readings(element)
    slots: list[Slot] = [
        _Escaped(one, "\0text", decoded(one.text or "")) for one in element.iter("{*}t")
    ]
    if slots:
        Runs(Segment("", Place("")), [slots], [""], {}).rewrite(edits)


def drop_readings(element: Any) -> None:
    """Remove the phonetic readings of an ``si`` or ``is`` element."""
    for one in list(element):
        if _local(one) in ("rPh", "phoneticPr"):
            element.remove(one)


class Strings:
    """The shared strings, as they are changed.

    A string that all its cells change alike is changed in its place; one that they change in
    different ways gets a copy for each way but one.
    """

    def __init__(self, book: Book, strings: SharedStrings) -> None:
        """Sort the edits of *book*."""
        self._strings = strings
        self._in_place: dict[int, Edits] = {}
        self._copies: list[tuple[int, Edits]] = []
        self._index: dict[tuple[int, Edits], int] = {}
        self._silenced = {key for key in book.reading_edits if isinstance(key, int)}
        ways: dict[int, dict[Edits, None]] = {}
        for index, sheet in enumerate(book.sheets):
            for number, cell in enumerate(sheet.cells):
                string = book.string(cell)
                if string is not None:
                    edits = tuple(book.cell_edits.get((index, number), ()))
                    ways.setdefault(string, {})[edits] = None
        for string, changes in book.string_edits.items():
            ways.setdefault(string, {})[tuple(changes)] = None
        for string, variants in ways.items():
            first = () if () in variants else next(iter(variants))
            self._in_place[string] = first
            self._index[string, first] = string
            for edits in variants:
                if edits != first:
                    self._index[string, edits] = len(strings.texts) + len(self._copies)
                    self._copies.append((string, edits))

    def index(self, string: int, edits: Edits) -> int:
        """Return the index of a string with *edits*."""
        return self._index[string, edits]

    def inner(self) -> bytes | None:
        """Return the bytes of all strings; None if none is changed."""
        changed = sorted({one for one, edits in self._in_place.items() if edits} | self._silenced)
        if not changed and not self._copies:
            return None
        spans = self._strings.spans

        def change(at: int, element: Any) -> None:
            edits = self._in_place.get(changed[at], ())
            if edits:
                edit_rich(element, edits)
            if changed[at] in self._silenced:
                drop_readings(element)

        fragments = self._strings.fragments
        return fragments.replaced([spans[one] for one in changed], change, self._made())

    def _made(self) -> list[Any]:
        fragments: Fragments = self._strings.fragments
        made = []
        for string, edits in self._copies:
            start, end = self._strings.spans[string]
            element = copy.deepcopy(fragments.element(start, end))
            edit_rich(element, edits)
            made.append(element)
        return made

    @property
    def more(self) -> int:
        """Return the number of strings that are added."""
        return len(self._copies)


class CellWriter:
    """Writes the cells of a sheet."""

    def __init__(
        self, book: Book, index: int, strings: Strings | None, renames: Renames,
        stale: set[tuple[int, int]],
    ) -> None:  # fmt: skip
        """Prepare.

        Args:
            book: The workbook, with all edits.
            index: Of the sheet.
            strings: What has become of the shared strings.
            renames: New names in formulas.
            stale: Row and column of the cells whose results may be no longer true.
        """
        self._book, self._index, self._strings = book, index, strings
        self._renames, self._stale = renames, stale
        self._sheet: Sheet = book.sheets[index]

    def inner(self) -> bytes | None:
        """Return the bytes of all rows; None if no cell is changed."""
        numbers = [
            number for number, cell in enumerate(self._sheet.cells) if self._changes(number, cell)
        ]
        if not numbers:
            return None
        cells = [self._sheet.cells[number] for number in numbers]

        def change(at: int, element: Any) -> None:
            self._write(numbers[at], cells[at], element)

        return self._sheet.fragments.replaced([(one.start, one.end) for one in cells], change)

    def _changes(self, number: int, cell: Cell) -> bool:
        key = (self._index, number)
        if key in self._book.reading_edits:
            return True
        if key in self._book.cell_edits and not self._is_in_place(cell, key):
            return True
        if self._stale and (cell.row, cell.column) in self._stale and cell.value:
            return True
        if cell.formula is None:
            return False
        return key in self._book.literal_edits or (
            bool(self._renames) and self._renames.applied(cell.formula.text) != cell.formula.text
        )

    def _is_in_place(self, cell: Cell, key: tuple[int, int]) -> bool:
        """Return whether the shared string of a cell is changed where it stands."""
        string = self._book.string(cell)
        if string is None or self._strings is None or cell.formula is not None:
            return False
        return self._strings.index(string, tuple(self._book.cell_edits[key])) == string

    def _write(self, number: int, cell: Cell, element: Any) -> None:
        key = (self._index, number)
        edits = tuple(self._book.cell_edits.get(key, ()))
        if edits and _is_constant(cell):
            self._write_constant(cell, element, edits)
            return
        if cell.formula is not None:
            self._write_formula(key, element)
        if key in self._book.reading_edits:
            for one in element.iterchildren("{*}is"):
                drop_readings(one)
        if (cell.row, cell.column) in self._stale or (cell.formula is not None and edits):
            for one in list(element):
                if _local(one) in ("v", "is"):
                    element.remove(one)
            element.attrib.pop("t", None)
        elif edits:
            self._write_value(cell, element, edits)

    def _write_constant(self, cell: Cell, element: Any, edits: Edits) -> None:
        """Put a value in the place of a formula in which the value stands."""
        for one in element.findall("{*}f"):
            element.remove(one)
        self._write_value(cell._replace(formula=None), element, edits)
        if element.get("t") == "str":
            value = element.find("{*}v")
            _set_inline(element, value, decoded(value.text or ""))

    def _write_formula(self, key: tuple[int, int], element: Any) -> None:
        for one in element.iterchildren("{*}f"):
            text = one.text or ""
            text = with_literals(text, self._book.literal_edits.get(key, ()))
            one.text = self._renames.applied(text) if self._renames else text

    def _write_value(self, cell: Cell, element: Any, edits: Edits) -> None:
        string = self._book.string(cell)
        value: Any = next(element.iterchildren("{*}v"), None)
        if string is not None and self._strings is not None:
            value.text = str(self._strings.index(string, edits))
            return
        inline = next(element.iterchildren("{*}is"), None)
        if inline is not None:
            edit_rich(inline, edits)
            return
        new = edited(self._book.shown(cell), edits)
        number = self._book.format_of(cell).read(new, cell.value) if cell.kind == "n" else None
        if number is not None:
            value.text = number
        elif cell.kind == "str" or (cell.kind == "d" and _ISO.fullmatch(new)):
            set_text(value, new)
        else:
            _set_inline(element, value, new)


def _is_constant(cell: Cell) -> bool:
    if cell.formula is None or cell.formula.attributes.get("t", "normal") != "normal":
        return False
    return bool(cell.value) and is_constant(cell.formula.text)


def _set_inline(element: Any, value: Any, text: str) -> None:
    """Make a number cell hold *text*."""
    space = f"{{{etree.QName(element).namespace or ''}}}".replace("{}", "")
    element.set("t", "inlineStr")
    inline = etree.Element(f"{space}is")
    inner = etree.SubElement(inline, f"{space}t")
    set_text(inner, text[:_MOST_TEXT])
    element.replace(value, inline)


def with_literals(formula: str, changes: Iterable[tuple[Literal, Sequence[Edit]]]) -> str:
    """Return *formula* with other string literals."""
    for literal, edits in sorted(changes, key=lambda change: -change[0].start):
        new = literal.written(edited(literal.text, edits))
        formula = formula[: literal.start] + new + formula[literal.end :]
    return formula
