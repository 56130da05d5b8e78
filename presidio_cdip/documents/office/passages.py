"""Read XML parts into passages of text by tables of names."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from presidio_cdip.documents.office.grids import labels
from presidio_cdip.documents.office.names import short, words
from presidio_cdip.documents.office.runs import (
    DATE,
    FIXED,
    TAIL,
    TEXT,
    Passage,
    Runs,
    Slot,
    initials,
)
from presidio_cdip.documents.office.vocabulary import Vocabulary
from presidio_cdip.documents.segments import Place, Segment
from presidio_cdip.documents.subjects import RowScopes
from presidio_cdip.documents.texts import data_uris

__all__ = ["Passage", "Reader", "Runs", "Slot", "Vocabulary", "readable"]

PACKED = "data in base64"
_CODED = 40  # characters of base64 that may be more than a key or a name
_ANY_VALUE = "value"  # the label of what has none of its own
_WIDEST = 100  # columns of a table that a cell is repeated over
_VALUE = re.compile(r"\s|@|\d{6}|\d[-./ ]\d+[-./ ]\d|:/|\\|%20|[^\0-\x7f]|[A-Z]-?\d{3}")
_STRUCTURE = re.compile(
    r"""(?x) \{?[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}\}?   # a GUID
    | \#?[0-9A-Fa-f]{6} | (?=.*[A-F])[0-9A-F]{8}     # a colour, an identifier
    | (https?://(schemas|purl|www\.w3)\.|urn:)\S*
    """
)
_MEASURE = re.compile(r"[-+]?\d{0,5}(\.\d+)?[a-z%]{0,2}")


class _Around(NamedTuple):
    """The surroundings of an element.

    Attributes:
        paragraph: The runs of its paragraph, by stream.
        stream: The stream of the paragraph.
        label: What names the value that it holds.
        cell: The label of its cell of a table, until a paragraph has taken it; None outside.
    """

    paragraph: dict[str, list[Slot]] | None = None
    stream: str = ""
    label: str = ""
    cell: list[str] | None = None


@dataclass
class Reader:
    """Read parts into passages.

    Attributes:
        vocabulary: What holds what.
        body: What a reader of the document sees, in order.
        hidden: Attributes, properties, names: each text once, however often it stands there.
        packed: What is to be emptied, with its part and what it is.
        references: Values that are names of parts.
        given: The labels of elements that other parts name.
        rows: Finds the scopes of the rows of tables.
    """

    vocabulary: Vocabulary
    references: Collection[str] = frozenset()
    given: Mapping[Any, str] = field(default_factory=dict)
    body: list[Runs] = field(default_factory=list)
    hidden: list[Runs] = field(default_factory=list)
    packed: list[tuple[Slot, str, str]] = field(default_factory=list)
    rows: RowScopes = field(default_factory=RowScopes)

    def __post_init__(self) -> None:
        """Prepare the tables of what is known."""
        self._known: dict[tuple[str, str, str], Runs] = {}
        self._scopes: dict[Any, str] = {}  # of cells
        self._scope = ""  # of the cell that is read
        self._decided: dict[tuple[str, str], str | None] = {}
        self._own: dict[str, str] = {}
        self._readable: dict[str, bool] = {}

    def read(
        self, root: Any, part: str, where: str = "", vocabulary: Vocabulary | None = None
    ) -> None:
        """Read a part.

        Args:
            root: Its root element.
            part: Its name.
            where: What to call it in places; "" for the main part.
            vocabulary: What holds what in this part, if it differs.
        """
        if vocabulary is not None and vocabulary is not self.vocabulary:
            self.vocabulary = vocabulary
            self._decided, self._own, self._readable = {}, {}, {}
        self._part, self._where, self._count = part, where, 0
        self._labels: dict[Any, str] = dict(self.given)  # of cells
        outside = [*root.itersiblings(preceding=True), *root.itersiblings()]
        for one in outside:
            self._comment(one)
        self._element(root, _Around())

    def _element(self, element: Any, around: _Around) -> None:
        if not isinstance(element.tag, str):
            self._comment(element)
            return
        known, name = self.vocabulary, short(element.tag)
        at = len(self.body)
        is_cell, outer = element in self._labels, self._scope
        if is_cell:
            self._scope = self._scopes.get(element) or outer
            label = self._labels[element]
            around = around._replace(cell=[label] if label else [], label="")
        if name in known.named_by:
            around = around._replace(label=_attribute(element, known.named_by[name]))
        if element.attrib:
            self._attributes(element, name, around)
        is_paragraph = name in known.paragraphs
        if is_paragraph:
            around = around._replace(paragraph={"": []}, stream="")
        if name in known.streams:
            around = around._replace(stream=known.streams[name])
        if around.paragraph is not None and name in known.characters:
            self._character(element, known.characters[name], around)
        if name in known.tables:
            rows = rows_of(element, known.tables[name])
            self._labels.update(labels_of(rows, known))
            if self.rows.column:
                self._scopes.update(self._scopes_of(rows))
        if element.text:
            self._own_text(element, name, around)
        for child in element:
            self._element(child, around)
            if child.tail:
                self._tail(child, name, around)
        if is_paragraph:
            self._paragraph(around, at)
        if is_cell and len(self.body) > at:
            last = self.body[-1]
            last.segment = replace(last.segment, after="\n\n")
        self._scope = outer

    def _scopes_of(self, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, str]]:
        """Yield the cells of a table whose row has a scope, and that."""
        texts = [
            {
                column: _text(cell, self.vocabulary)
                for column, cell in enumerate(row)
                if not (column and row[column - 1] is cell)  # it takes several columns
            }
            for row in rows
        ]
        for row, scope in self.rows.of_table(texts).items():
            yield from ((cell, scope) for cell in rows[row])

    def _character(self, element: Any, character: str, around: _Around) -> None:
        if character == " ":
            character *= int(_attribute(element, "text:c") or 1)
        assert around.paragraph is not None
        slots = around.paragraph.setdefault(around.stream, [])
        slots.append(Slot(element, FIXED, character))

    def _own_text(self, element: Any, name: str, around: _Around) -> None:
        text = element.text
        if around.paragraph is not None and name in self.vocabulary.runs:
            around.paragraph.setdefault(around.stream, []).append(Slot(element, TEXT, text))
        elif not text.isspace():
            self._lone(element, TEXT, text, name, around)

    def _tail(self, child: Any, name: str, around: _Around) -> None:
        if around.paragraph is not None and name in self.vocabulary.runs:
            slots = around.paragraph.setdefault(around.stream, [])
            slots.append(Slot(child, TAIL, child.tail))
        elif not child.tail.isspace():
            self._lone(child, TAIL, child.tail, name, around)

    def _lone(self, element: Any, kind: str, text: str, name: str, around: _Around) -> None:
        decided = self._own.get(name)
        if decided is None:
            known = self.vocabulary
            decided = "-" if known.ignores(name) else "?" if name in known.doubtful else "!"
            decided = self._own[name] = "0" if name in known.packed else decided
        if decided == "0":
            self._pack(element, kind, text, name)
        elif len(text) >= _CODED and data_uris.is_packed(text):
            self.packed.append((Slot(element, kind, text), self._part, PACKED))
        elif decided == "!" or (decided == "?" and readable(text)):
            label = around.label or self.vocabulary.labels.get(name) or words(name)
            self._hide(element, kind, text, label)

    def _pack(self, element: Any, kind: str, text: str, name: str) -> None:
        what = self.vocabulary.packed[name]
        self.packed.append((Slot(element, kind, text), self._part, what))

    def _paragraph(self, around: _Around, at: int) -> None:
        """Add the paragraph that ends here, before what it holds: text boxes, footnotes."""
        self._count += 1
        made = []
        for stream, slots in (around.paragraph or {}).items():
            text = "".join(slot.text for slot in slots)
            if not text.strip():
                continue
            where = f"{self._where}, paragraph {self._count}".removeprefix(", ")
            place = Place(f"{where}, {stream}" if stream else where, part=self._part)
            label = stream or (around.cell.pop() if around.cell else "")
            after = "\n\n" if label else "\n"
            segment = Segment(text, place, label, after, scope=self._scope)
            made.append(Runs(segment, [slots], [self._part], {}))
        self.body[at:at] = made

    def _comment(self, element: Any) -> None:
        if element.text and not element.text.isspace() and not isinstance(element.tag, str):
            self._hide(element, TEXT, element.text, "")

    def _attributes(self, element: Any, name: str, around: _Around) -> None:
        for key, value in element.attrib.items():
            if not value:
                continue
            decided = self._decided.get((name, key), "")
            if decided == "":
                decided = self._decided[name, key] = self._decide(name, short(key))
            if decided is None or (decided[0] == "?" and not self._is_readable(value)):
                continue
            if decided[0] == "0":
                self._pack(element, key, value, short(key))
                continue
            if len(value) >= _CODED and data_uris.is_packed(value):
                self.packed.append((Slot(element, key, value), self._part, PACKED))
                continue
            leader = self.vocabulary.follows.get(short(key))
            if leader and value == initials(_attribute(element, leader)):
                continue
            if decided[0] == "!" and self._is_given(value):
                continue
            label = decided[1:]
            if key.endswith(("val", "value")) or label == _ANY_VALUE:
                label = around.label or (around.cell or [label])[0]
            self._hide(element, key, value, label)

    def _is_readable(self, value: str) -> bool:
        known = self._readable.get(value)
        if known is None:
            known = self._readable[value] = readable(value) and not self._is_given(value)
        return known

    def _is_given(self, value: str) -> bool:
        return self.vocabulary.is_usual(value) or value in self.references

    def attribute(self, element: Any, key: str, label: str) -> None:
        """Read an attribute of an element of the part that was read last."""
        self._hide(element, key, element.get(key), label)

    def _decide(self, name: str, key: str) -> str | None:
        """Return how an attribute is read, by one letter, and its label; None if it is not.

        ``!``: read; ``?``: its value decides; ``0``: emptied.
        """
        known = self.vocabulary
        full = f"{name}@{key}"
        label = known.labels.get(full) or known.labels.get(key)
        label = label or words(name if key.rpartition(":")[2] == "val" else key)
        if key in known.packed:
            return "0"
        if full in known.readable:
            return f"!{label}"
        if known.ignores(full, key):
            return None
        if key in known.readable or known.every_attribute:
            return f"!{label}"
        return f"?{label}"

    def _hide(self, element: Any, kind: str, text: str, label: str) -> None:
        date = DATE.match(text)
        rest = text[date.end() :] if date else ""
        if date:
            text = date.group()
        slot = Slot(element, kind, text, rest)
        known = self._known.get((label, text, self._scope))
        if known is not None:
            known.copies.append([slot])
            known.parts.append(self._part)
            return
        where = f"{self._where}, {label}".removeprefix(", ").removesuffix(", ")
        place = Place(where or "comment", part=self._part)
        segment = Segment(text, place, label, "\n\n", scope=self._scope)
        runs = Runs(segment, [[slot]], [self._part], self.vocabulary.follows)
        self._known[label, text, self._scope] = runs
        self.hidden.append(runs)


def readable(value: str) -> bool:
    """Return whether the value of an unknown attribute could be one that somebody looks for.

    >>> [readable(value) for value in ("John Smith", "271240538", "1984-03-12", "j@x.org")]
    [True, True, True, True]
    >>> [readable(value) for value in ("center", "rId12", "Heading1", "00A1B2C3", "0 0 21600")]
    [False, False, False, False, False]
    """
    return bool(_VALUE.search(value)) and not (_STRUCTURE.fullmatch(value) or _measures(value))


def _measures(value: str) -> bool:
    """Return whether *value* is a list of measures, and not one number in groups of digits."""
    parts = re.split(r"[\s,;]+", value)
    if not all(map(_MEASURE.fullmatch, parts)):
        return False
    digits = sum(map(str.isdigit, value))
    return not (2 <= len(parts) <= 4 and 7 <= digits <= 16 and all(len(p) > 1 for p in parts))


def _attribute(element: Any, name: str) -> str:
    for key, value in element.attrib.items():
        if short(key) == name:
            return str(value)
    return ""


def rows_of(table: Any, names: tuple[str, ...]) -> list[list[Any]]:
    """Return the cells of each row of a table; those that take several columns again in each."""
    row_name, *cell_names = names
    return [
        [
            cell
            for cell in row
            if isinstance(cell.tag, str) and short(cell.tag) in cell_names
            for _ in range(_span(cell))
        ]
        for row in _inner(table, row_name, table.tag)
    ]


def labels_of(rows: Sequence[Sequence[Any]], known: Vocabulary) -> dict[Any, str]:
    """Return the label of each cell of a table; "" where it has none."""
    texts = [[_text(cell, known) for cell in row] for row in rows]
    named = labels(texts)
    found: dict[Any, str] = {}
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            found.setdefault(cell, named.get((row, column), ""))
    return found


def _span(cell: Any) -> int:
    """Return the number of columns that a cell takes."""
    given = _attribute(cell, "table:number-columns-repeated")
    for one in cell.iterchildren("{*}tcPr"):
        for span in one.iterchildren("{*}gridSpan"):
            given = _attribute(span, "w:val")
    return max(1, min(int(given), _WIDEST)) if given.isdigit() else 1


def _is(element: Any, name: str) -> bool:
    return isinstance(element.tag, str) and short(element.tag) == name


def _inner(element: Any, name: str, stop: str) -> Iterator[Any]:
    for child in element:
        if _is(child, name):
            yield child
        elif child.tag != stop and isinstance(child.tag, str) and len(child):
            yield from _inner(child, name, stop)


def _text(element: Any, known: Vocabulary) -> str:
    found = []
    for one in element.iter():
        if isinstance(one.tag, str) and one.text and short(one.tag) in known.runs:
            found.append(one.text)
        if len(found) > 20:  # a long text is no label
            break
    return " ".join("".join(found).split())
