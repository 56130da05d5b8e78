"""Read the cells of a worksheet, and the shared strings, with the bytes where each stands."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from xml.parsers import expat

from lxml import etree

from presidio_cdip.documents.office.package import CUT, parser
from presidio_cdip.documents.sheets.places import own_place, row_number
from presidio_cdip.errors import UnreadableInput

NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


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


def decoded(text: str) -> str:
    """Return *text* with the characters that ``_x000D_`` and the like stand for.

    Half a surrogate pair stays as it is written.
    """
    if "_x" not in text:
        return text
    return _ESCAPE.sub(
        lambda match: match[0] if 0xD800 <= (code := int(match[1], 16)) < 0xE000 else chr(code),
        text,
    )


def encoded(text: str) -> str:
    """Return *text* as a part may hold it: characters that XML cannot hold are escaped."""
    text = _ESCAPE.sub(lambda match: f"_x005F_{match[0][1:]}", text)
    return re.sub(
        r"[\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]",
        lambda match: f"_x{ord(match[0]):04X}_",
        text,
    )


@dataclass
class Fragments:
    """A part without the many elements in it, which are read from its bytes and written there.

    Attributes:
        data: The part, in UTF-8.
        first: Offset of the first byte within the element that holds the fragments.
        last: Offset after its last; equal to *first* where there are none.
        namespaces: Namespaces by prefix ("" for none), as they stand in all fragments.
    """

    name: str
    data: bytes
    first: int = 0
    last: int = 0
    namespaces: dict[str, str] = field(default_factory=dict)
    clashes: bool = False

    def skeleton(self) -> bytes:
        """Return the part with one processing instruction in place of all fragments."""
        if self.first == self.last:
            return self.data
        return self.data[: self.first] + CUT + self.data[self.last :]

    def inner(self) -> bytes:
        """Return the bytes of all fragments and what stands between them."""
        return self.data[self.first : self.last]

    def replaced(
        self,
        spans: Iterable[tuple[int, int]],
        change: Callable[[int, "etree._Element"], Iterable["etree._Element"] | None],
        more: Iterable["etree._Element"] = (),
    ) -> bytes:
        """Return `inner` with other elements in some places.

        Args:
            spans: Start and end of each element, in order; offsets in *data*.
            change: Changes the element with that number in place; returns what stands there
                instead, if it is another element, or several, or none.
            more: Elements to append.
        """
        spans = list(spans)
        if self.clashes:
            raise UnreadableInput(self.name, "uses one XML prefix twice: save it again")
        root = etree.fromstring(self._wrapped(self.data[a:b] for a, b in spans), parser())
        for number, element in enumerate(list(root.iterchildren("{*}*"))):
            instead = change(number, element)
            if instead is not None:
                for one in instead:
                    element.addprevious(one)
                root.remove(element)
        for one in more:
            root.append(one)
        pieces = _pieces(root)
        out, at = [], self.first
        for (start, end), piece in zip(spans, pieces, strict=False):
            out += [self.data[at:start], piece]
            at = end
        out += [self.data[at : self.last], *pieces[len(spans) :]]
        return b"".join(out)

    def element(self, start: int, end: int) -> "etree._Element":
        """Return the element that stands in a place."""
        return etree.fromstring(self._wrapped([self.data[start:end]]), parser())[0]

    def _wrapped(self, pieces: Iterable[bytes]) -> bytes:
        names = "".join(
            f" xmlns{':' * bool(prefix)}{prefix}={_quoted(uri)}"
            for prefix, uri in self.namespaces.items()
        )
        return b"".join([f"<wrapped{names}>".encode(), *(p + CUT for p in pieces), b"</wrapped>"])


def _quoted(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(text)


def _pieces(root: "etree._Element") -> list[bytes]:
    """Return what stands before each mark in *root*, and what after the last."""
    written = etree.tostring(root, encoding="UTF-8")
    body = written[written.index(b">") + 1 : written.rindex(b"<")] if len(root) else b""
    return body.split(CUT)


def utf8(data: bytes) -> bytes:
    """Return an XML part in UTF-8, byte for byte as it is if it is in it."""
    head = data[:200]
    declared = re.search(rb"encoding\s*=\s*[\"']([^\"']+)", head)
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in head[:4]
    if not wide and (declared is None or declared[1].lower() == b"utf-8"):
        return data
    written = etree.tostring(etree.fromstring(data, parser()), encoding="UTF-8")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + written


class _Scanner:
    """What the readers of cells and of shared strings have in common."""

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
