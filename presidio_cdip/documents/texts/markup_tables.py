"""Name the cells of HTML tables, and fields of forms, by their headings."""

from dataclasses import dataclass, field

_WIDEST = 1000  # columns that a cell may span


@dataclass(slots=True)
class _Table:
    """A table that is open.

    Attributes:
        headings: The text above each column.
        row: The text of each heading cell in this row, by its column.
        heading: The text that names the rest of this row.
        column: The column of this cell.
        width: How many columns it spans.
        cell: ``"th"``, ``"td"`` or "" outside of cells.
        plain: Whether this row has cells that are no headings.
        before: The text of the cell before this one.
        texts: The text of this cell.
    """

    headings: dict[int, str] = field(default_factory=dict)
    row: dict[int, str] = field(default_factory=dict)
    heading: str = ""
    column: int = -1
    width: int = 1
    cell: str = ""
    plain: bool = False
    before: str = ""
    texts: list[str] = field(default_factory=list)

    def next_row(self) -> None:
        if self.row and not self.plain:
            self.headings = self.row
        self.row, self.heading, self.before = {}, "", ""
        self.column, self.width, self.plain, self.cell = -1, 1, False, ""

    def next_cell(self, name: str, width: int) -> None:
        self.end_cell()
        self.column += self.width if self.column >= 0 else 1
        self.width, self.cell = width, name
        self.plain = self.plain or name == "td"

    def end_cell(self) -> None:
        text = " ".join(self.texts)
        if self.cell == "th":
            self.row[self.column] = self.heading = text
        elif self.cell and text:
            self.before = text
        self.texts, self.cell = [], ""

    def label(self) -> str:
        if self.cell != "td":
            return ""
        stated = self.before.rstrip()
        by_cell = stated[:-1] if stated.endswith(":") and len(stated) < 40 else ""
        return by_cell or self.heading or self.headings.get(self.column, "")


class Labels:
    """The labels of the text that is read."""

    def __init__(self) -> None:
        self._tables: list[_Table] = []
        self._names = {"dt": "", "label": ""}
        self._open = ""

    def enter(self, name: str, span: str) -> None:
        """Note that an element begins; *span* is its number of columns, as it is written."""
        table = self._tables[-1] if self._tables else None
        if name == "table":
            self._tables.append(_Table())
        elif table and name == "tr":
            table.end_cell()
            table.next_row()
        elif table and name in ("td", "th"):
            digits = span.strip()
            wide = digits.isascii() and digits.isdigit() and len(digits) < 4
            table.next_cell(name, min(int(digits), _WIDEST) if wide else 1)
        elif name in ("dt", "dd", "label"):
            self._open = name
        if name == "dl":
            self._names["dt"] = ""

    def leave(self, name: str) -> None:
        """Note that an element ends."""
        table = self._tables[-1] if self._tables else None
        if table and name == "table":
            self._tables.pop()
        elif table and name in ("td", "th"):
            table.end_cell()
        elif table and name == "tr":
            table.end_cell()
            table.next_row()
        elif name == self._open:
            self._open = ""

    def label_of(self, text: str) -> str:
        """Return the label of *text*, which was read here."""
        table = self._tables[-1] if self._tables else None
        if self._open in self._names:
            self._names[self._open] = text.rstrip(": ")
            return ""
        if self._open == "dd":
            return self._names["dt"]
        if table:
            label = table.label()
            table.texts.append(text)
            return label
        return ""

    def caption(self) -> str:
        """Return the text of the last label of a form field."""
        return self._names["label"]
