"""Read the cells of a worksheet, and the shared strings, with the bytes where each stands."""

from collections.abc import Callable
from typing import Any, NamedTuple
from xml.parsers import expat

from presidio_cdip.documents.sheets.fragments import Fragments, decoded, utf8
from presidio_cdip.documents.sheets.places import own_place, row_number
from presidio_cdip.errors import UnreadableInput


class Text(NamedTuple):
    """A text with its phonetic readings."""

    text: str
    readings: tuple[str, ...] = ()


class Formula(NamedTuple):
    """A formula: its text, and the attributes that say how far it reaches."""

    text: str
    attributes: dict[str, str]


class Cell(NamedTuple):
    """A cell that is not empty.

    Attributes:
        start: Offset of its first byte in the part.
        end: Offset after its last.
        row: From 1.
        column: From 1.
        style: The index of its format.
        kind: The attribute ``t``: ``"s"`` for shared strings, ``"n"`` for numbers, ...
        value: What is stored: a number, the index of a shared string, an inline string.
        formula: Its formula.
        readings: The phonetic readings of its inline string.
    """

    start: int
    end: int
    row: int
    column: int
    style: int
    kind: str
    value: str
    formula: Formula | None = None
    readings: tuple[str, ...] = ()


class _Scanner:
    """The common base of the readers of cells and of shared strings."""

    holder: str

    def __init__(self, data: bytes, name: str, part: str) -> None:
        self.part = part
        self.comments = 0
        self._start(Fragments(name, utf8(data)))

    def _start(self, fragments: Fragments) -> None:
        self.fragments = fragments
        self._comments: list[tuple[int, int]] = []
        self.expat: Any = expat.ParserCreate("UTF-8", namespace_separator=" ")
        self.expat.buffer_text = True
        self.expat.StartElementHandler = self._outside
        self.expat.StartNamespaceDeclHandler = self._namespace
        self.expat.StartDoctypeDeclHandler = self._doctype

    def run(self) -> None:
        """Read the part; again without them, if there are comments among the fragments."""
        self._parse()
        if not self._comments:
            return
        self.comments += len(self._comments)
        data, pieces, at = self.fragments.data, [], 0
        for start, end in self._comments:
            pieces.append(data[at:start])
            at = end
        self._start(Fragments(self.fragments.name, b"".join([*pieces, data[at:]])))
        self._parse()

    def _comment(self, *_: str) -> None:
        data, start = self.fragments.data, self.expat.CurrentByteIndex
        close = b"-->" if data.startswith(b"<!--", start) else b"?>"
        self._comments.append((start, data.index(close, start) + len(close)))

    def _stray(self) -> None:
        raise UnreadableInput(self.fragments.name, f"{self.part} has text outside of its cells")

    def _parse(self) -> None:
        try:
            self.expat.Parse(self.fragments.data, True)
        except expat.ExpatError:
            raise UnreadableInput(
                self.fragments.name, f"{self.part} is not well-formed XML"
            ) from None

    def _doctype(self, *_: object) -> None:
        raise UnreadableInput(
            self.fragments.name, f"{self.part} declares entities: they are not read"
        )

    def _namespace(self, prefix: str | None, uri: str | None) -> None:
        known = self.fragments.namespaces.setdefault(prefix or "", uri or "")
        self.fragments.clashes |= known != (uri or "")

    def _outside(self, name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(" ")[2] == self.holder and not self.fragments.last:
            data, at = self.fragments.data, self.expat.CurrentByteIndex
            self.fragments.first = self.fragments.last = tag_end(data, at)
            self.expat.EndElementHandler = self._left
            self.expat.CommentHandler = self.expat.ProcessingInstructionHandler = self._comment
            self.begin()

    def _left(self, name: str) -> None:
        if name.rpartition(" ")[2] == self.holder:
            at = self.expat.CurrentByteIndex
            self.fragments.last = max(self.fragments.first, at)
            self.expat.EndElementHandler = None
            self.expat.CharacterDataHandler = None
            self.expat.CommentHandler = self.expat.ProcessingInstructionHandler = None
            self.expat.StartElementHandler = self._outside

    def begin(self) -> None:
        """Read on, within the element that holds the fragments."""
        raise NotImplementedError


def tag_end(data: bytes, at: int) -> int:
    """Return the offset after the tag that starts at *at*."""
    quote = 0
    while True:
        char = data[at]
        if quote:
            quote = 0 if char == quote else quote
        elif char in b"\"'":
            quote = char
        elif char == 0x3E:
            return at + 1
        at += 1


class SharedStrings(_Scanner):
    """Reads the shared strings.

    Attributes:
        texts: Each string.
        spans: Start and end of each, in bytes.
    """

    holder = "sst"

    def __init__(
        self, data: bytes, name: str, part: str, count: Callable[[int], None] = lambda size: None
    ) -> None:
        """Read the part; *count* is called with the length of each string."""
        super().__init__(data, name, part)
        self.texts: list[Text] = []
        self.spans: list[tuple[int, int]] = []
        self._count = count
        self.run()

    def begin(self) -> None:
        """Read strings."""
        self.texts.clear()
        self.spans.clear()
        start = 0
        texts, spans, count = self.texts, self.spans, self._count
        base: list[str] = []
        readings: list[str] = []
        reading = False
        into: list[str] | None = None
        data, reader, kinds = self.fragments.data, self.expat, _Kinds()

        def opened(name: str, attributes: dict[str, str]) -> None:
            nonlocal start, reading, into
            kind = kinds[name]
            if kind == "t":
                into = readings if reading else base
            elif kind == "rPh":
                reading = True
            elif kind == "si":
                start = reader.CurrentByteIndex
                base.clear()
                readings.clear()

        def said(text: str) -> None:
            if into is not None:
                into.append(text)
            elif not text.isspace():
                self._stray()

        def closed(name: str) -> None:
            nonlocal reading, into
            kind = kinds[name]
            into = None
            if kind == "si":
                text = Text(decoded("".join(base)), tuple(map(decoded, readings)))
                texts.append(text)
                spans.append((start, data.index(b">", reader.CurrentByteIndex) + 1))
                count(len(text.text))
            elif kind == "rPh":
                reading = False
            elif kind == "sst":
                self._left(name)

        reader.StartElementHandler = opened
        reader.CharacterDataHandler = said
        reader.EndElementHandler = closed


class _Kinds(dict[str, str]):
    """Local names by the names that expat gives."""

    def __missing__(self, name: str) -> str:
        self[name] = local = name.rpartition(" ")[2]
        return local


class Cells(_Scanner):
    """Reads the cells of a worksheet that are not empty.

    Attributes:
        cells: In the order of the part.
    """

    holder = "sheetData"

    def __init__(
        self, data: bytes, name: str, part: str, count: Callable[[int], None] = lambda size: None
    ) -> None:
        """Read the part; *count* is called with the length of each value that stands in it."""
        super().__init__(data, name, part)
        self.cells: list[Cell] = []
        self._count = count
        self.run()

    def begin(self) -> None:
        """Read cells."""
        self.cells.clear()
        cells, count = self.cells, self._count
        data, reader, kinds = self.fragments.data, self.expat, _Kinds()
        row = column = start = 0
        cell: dict[str, str] = {}
        value: list[str] = []
        formula: list[str] = []
        readings: list[str] = []
        into: list[str] | None = None
        given: dict[str, str] | None = None
        reading = False

        def opened(name: str, attributes: dict[str, str]) -> None:
            nonlocal row, column, start, cell, into, given, reading
            kind = kinds[name]
            if kind == "c":
                start, cell, given = reader.CurrentByteIndex, attributes, None
                value.clear()
                column += 1
                if "r" in attributes:
                    row, column = own_place(attributes["r"], row, column)
            elif kind == "v":
                into = value
            elif kind == "t":
                into = readings if reading else value
            elif kind == "row":
                row, column = row_number(attributes.get("r"), row + 1), 0
            elif kind == "f":
                into, given = formula, attributes
                formula.clear()
            elif kind == "rPh":
                reading = True

        def said(text: str) -> None:
            if into is not None:
                into.append(text)
            elif not text.isspace():
                self._stray()

        def closed(name: str) -> None:
            nonlocal into, reading
            kind = kinds[name]
            into = None
            if kind == "c":
                text = value[0] if len(value) == 1 else "".join(value)
                if text or given is not None or readings:
                    end = data.index(b">", reader.CurrentByteIndex) + 1
                    made = Formula("".join(formula), given) if given is not None else None
                    t = cell.get("t", "n")
                    if t in ("str", "inlineStr"):
                        text = decoded(text)
                    style = cell.get("s", "0")
                    cells.append(
                        Cell(
                            start, end, row, column, int(style) if style.isdecimal() else 0, t,
                            text, made, tuple(map(decoded, readings)),
                        )
                    )  # fmt: skip
                    count(1 if t in "sbe" else len(text) + 1)
                readings.clear()
            elif kind == "rPh":
                reading = False
            elif kind == "sheetData":
                self._left(name)

        reader.StartElementHandler = opened
        reader.CharacterDataHandler = said
        reader.EndElementHandler = closed
