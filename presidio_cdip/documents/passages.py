"""Read XML parts into passages of text by tables of names, and write edits back to their runs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from presidio_cdip.documents.names import short, words
from presidio_cdip.documents.segments import Edit, Place, Segment

_TEXT, _TAIL, _FIXED = "\0text", "\0tail", "\0fixed"
_PRESERVED = "{http://www.w3.org/XML/1998/namespace}space"
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?=$|T\d)")
_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_SOME_DAY = "2000-01-01"
_VALUE = re.compile(r"\s|@|\d{6}|\d[-./ ]\d+[-./ ]\d|:/|\\|%20|[^\0-\x7f]|(?=.*\d{3})[A-Z]+-?\d+")
_STRUCTURE = re.compile(
    r"""(?x) \{?[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}\}?   # a GUID
    | \#?[0-9A-Fa-f]{6} | (?=.*[A-F])[0-9A-F]{8}     # a colour, an identifier
    | (https?://(schemas|purl|www\.w3)\.|urn:)\S*
    """
)
_MEASURE = re.compile(r"[-+]?\d{0,5}(\.\d+)?[a-z%]{0,2}")
_UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True)
class Vocabulary:
    """Say which elements and attributes hold what; all by their short names.

    What it does not name is not lost: other text is a passage of its own, and so is each
    attribute whose value could be one that somebody looks for.

    Attributes:
        paragraphs: Elements whose runs are one text.
        runs: Elements whose text, and the text after their children, is of the paragraph.
        characters: Elements that stand for a character.
        streams: Elements in a paragraph whose text is read apart from the rest: deleted text,
            field codes.
        tables: Elements of tables, each with the names of its rows and cells.
        readable: Attributes that people or programs read: ``"title"`` of any element, or
            ``"w:tag@w:val"`` of one.
        labels: What to call an element or attribute where its name does not tell.
        named_by: Elements with an attribute that names the value they hold.
        follows: Attributes with the initials of a name in another attribute of the same element.
        ignored: Elements and attributes that hold measures, references and names of styles. A
            name that ends in ``*`` stands for all that start so.
        every_attribute: Whether all attributes are read that are not ignored.
    """

    paragraphs: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()
    characters: Mapping[str, str] = field(default_factory=dict)
    streams: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    readable: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    named_by: Mapping[str, str] = field(default_factory=dict)
    follows: Mapping[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    every_attribute: bool = False

    def ignores(self, name: str, attribute: str = "") -> bool:
        """Return whether an attribute, or the own text of an element, is never read."""
        names = [f"{name}@{attribute}", f"{name}@*", attribute] if attribute else [name]
        return any(
            one in self.ignored or any(one.startswith(start) for start in self._starts)
            for one in names
        )

    @property
    def _starts(self) -> Sequence[str]:
        return [name[:-1] for name in self.ignored if name.endswith("*") and "@" not in name]


class Slot(NamedTuple):
    """A text node, an attribute, or an element that stands for a character."""

    element: Any
    kind: str
    text: str
    rest: str = ""

    def set(self, new: str) -> None:
        """Write *new* in its place."""
        new = _UNWRITABLE.sub("", new)
        element = self.element
        if self.rest or _DATE.fullmatch(self.text):
            new = (new if _DAY.fullmatch(new) else _SOME_DAY) + self.rest
        if self.kind == _TEXT:
            element.text = new
            if new != new.strip() and short(str(element.tag)).startswith("w:"):
                element.set(_PRESERVED, "preserve")
        elif self.kind == _TAIL:
            element.tail = new
        elif self.kind == _FIXED:
            _drop(element)
        else:
            element.set(self.kind, new)


class Passage(Protocol):
    """A segment, and how to rewrite it."""

    @property
    def segment(self) -> Segment:
        """The segment."""

    def rewrite(self, edits: Sequence[Edit]) -> Iterable[str]:
        """Write *edits*, and return the names of the parts that are changed by it."""


@dataclass(eq=False)
class Runs:
    """A text made of several runs; it may stand in several places.

    Attributes:
        segment: The segment.
        copies: The runs, once for each place where the text stands.
        parts: The part of each copy.
        follows: As of `Vocabulary`.
    """

    segment: Segment
    copies: list[list[Slot]]
    parts: list[str]
    follows: Mapping[str, str]

    def rewrite(self, edits: Sequence[Edit]) -> Iterable[str]:
        """Write *edits* in all places."""
        for slots in self.copies:
            _rewrite(slots, edits)
            for slot in slots:
                _follow(slot, self.follows)
        return self.parts


def _follow(slot: Slot, follows: Mapping[str, str]) -> None:
    leader = short(slot.kind)
    for name in list(slot.element.attrib):
        if follows.get(short(name)) == leader:
            new = slot.element.get(slot.kind)
            slot.element.set(name, "".join(word[0] for word in new.split()))


def _rewrite(slots: Sequence[Slot], edits: Sequence[Edit]) -> None:
    """Put each edit in the first run it touches; the rest of its span is emptied."""
    texts = [slot.text for slot in slots]
    starts, at = [], 0
    for text in texts:
        starts.append(at)
        at += len(text)
    for edit in reversed(edits):
        touched = [
            index
            for index, slot in enumerate(slots)
            if starts[index] < edit.end and edit.start < starts[index] + len(slot.text)
        ] or [_place_of_insertion(slots, starts, edit.start)]
        shares = _shares(edit.new, [slots[index] for index in touched])
        for index, share in reversed(list(zip(touched, shares, strict=True))):
            begin = max(0, edit.start - starts[index])
            end = max(begin, min(len(slots[index].text), edit.end - starts[index]))
            texts[index] = texts[index][:begin] + share + texts[index][end:]
    for slot, text in zip(slots, texts, strict=True):
        if text != slot.text:
            slot.set(text)


def _place_of_insertion(slots: Sequence[Slot], starts: Sequence[int], at: int) -> int:
    free = [index for index, slot in enumerate(slots) if slot.kind != _FIXED]
    within = [i for i in free if starts[i] <= at <= starts[i] + len(slots[i].text)]
    return (within or free or [0])[0]


def _shares(new: str, slots: Sequence[Slot]) -> list[str]:
    """Share *new* out among the runs of a span.

    Tabs and line breaks stay where they are if *new* has the same; else they go.
    """
    fixed = "".join(slot.text for slot in slots if slot.kind == _FIXED)
    rests = [new]
    for character in fixed:
        rests[-1:] = rests[-1].split(character, 1)
    aligned = len(rests) == len(fixed) + 1
    shares: list[str] = []
    first = True
    for slot in slots:
        if slot.kind == _FIXED:
            shares.append(slot.text if aligned else "")
            if aligned:
                rests = rests[len(slot.text) :]
                first = True
        else:
            shares.append(rests[0] if first else "")
            first = False
    if slots[0].kind == _FIXED and not aligned:
        free = [index for index, slot in enumerate(slots) if slot.kind != _FIXED]
        shares[free[0] if free else 0] = new
    return shares


def _drop(element: Any) -> None:
    """Remove an element; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


class _Around(NamedTuple):
    """What an element stands in."""

    paragraph: "dict[str, list[Slot]] | None" = None
    stream: str = ""
    label: str = ""


@dataclass
class Reader:
    """Read parts into passages.

    Attributes:
        vocabulary: What holds what.
        body: What a reader of the document sees, in order.
        hidden: Attributes, properties, names: each text once, however often it stands there.
    """

    vocabulary: Vocabulary
    body: list[Runs] = field(default_factory=list)
    hidden: list[Runs] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Prepare the tables of what is known."""
        self._known: dict[tuple[str, str, str], Runs] = {}
        self._decided: dict[tuple[str, str], str | None] = {}
        self._silent: dict[str, bool] = {}

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
            self._decided, self._silent = {}, {}
        self._part, self._where, self._count = part, where, 0
        self._labels: dict[Any, str] = {}
        outside = [*root.itersiblings(preceding=True), *root.itersiblings()]
        for one in outside:
            self._comment(one)
        self._element(root, _Around())

    def _element(self, element: Any, around: _Around) -> None:
        if not isinstance(element.tag, str):
            self._comment(element)
            return
        words_ = self.vocabulary
        name = short(element.tag)
        label = self._labels.get(element) if self._labels else None
        if label is not None:
            around = around._replace(label=label)
        if name in words_.named_by:
            named = _attribute(element, words_.named_by[name])
            around = around._replace(label=named or around.label)
        if element.attrib:
            self._attributes(element, name, around)
        paragraphs: list[tuple[dict[str, list[Slot]], _Around]] = []
        if name in words_.paragraphs:
            around = around._replace(paragraph={"": []}, stream="")
            paragraphs.append((around.paragraph or {}, around))
            at = len(self.body)
        if name in words_.streams:
            around = around._replace(stream=words_.streams[name])
        character = words_.characters.get(name)
        if character is not None and around.paragraph is not None:
            self._character(element, character, around)
        if name in words_.tables:
            self._labels.update(labels_of(element, words_.tables[name], words_))
        self._own_text(element, name, around)
        for child in element:
            self._element(child, around)
            if child.tail:
                self._tail(child, name, around)
        for streams, outer in paragraphs:
            self._paragraph(streams, outer, at)

    def _character(self, element: Any, character: str, around: _Around) -> None:
        if character == " ":
            character *= int(_attribute(element, "text:c") or 1)
        assert around.paragraph is not None
        slots = around.paragraph.setdefault(around.stream, [])
        slots.append(Slot(element, _FIXED, character))

    def _own_text(self, element: Any, name: str, around: _Around) -> None:
        text = element.text
        if not text:
            return
        if around.paragraph is not None and name in self.vocabulary.runs:
            around.paragraph.setdefault(around.stream, []).append(Slot(element, _TEXT, text))
        elif not text.isspace():
            self._lone(element, _TEXT, text, name, around)

    def _tail(self, child: Any, name: str, around: _Around) -> None:
        if around.paragraph is not None and name in self.vocabulary.runs:
            slots = around.paragraph.setdefault(around.stream, [])
            slots.append(Slot(child, _TAIL, child.tail))
        elif not child.tail.isspace():
            self._lone(child, _TAIL, child.tail, name, around)

    def _lone(self, element: Any, kind: str, text: str, name: str, around: _Around) -> None:
        silent = self._silent.get(name)
        if silent is None:
            silent = self._silent[name] = self.vocabulary.ignores(name)
        if not silent:
            label = around.label or self.vocabulary.labels.get(name) or words(name)
            self._hide(element, kind, text, label)

    def _paragraph(self, streams: Mapping[str, list[Slot]], around: _Around, at: int) -> None:
        self._count += 1
        made = []
        for stream, slots in streams.items():
            text = "".join(slot.text for slot in slots)
            if not text.strip():
                continue
            where = f"{self._where}, paragraph {self._count}".removeprefix(", ")
            place = Place(f"{where}, {stream}" if stream else where, part=self._part)
            label = stream or around.label
            segment = Segment(text, place, label, "\n" if not label else "\n\n")
            made.append(Runs(segment, [slots], [self._part], {}))
        self.body[at:at] = made

    def _comment(self, element: Any) -> None:
        if element.text and not element.text.isspace() and not isinstance(element.tag, str):
            self._hide(element, _TEXT, element.text, "")

    def _attributes(self, element: Any, name: str, around: _Around) -> None:
        for key, value in element.attrib.items():
            if not value:
                continue
            decided = self._decided.get((name, key), "")
            if decided == "":
                decided = self._decided[name, key] = self._decide(name, short(key))
            if decided is None:
                continue
            if decided[0] == "?" and not readable(value):
                continue
            leader = self.vocabulary.follows.get(short(key))
            if leader and _attribute(element, leader):
                continue
            label = decided[1:]
            if key.endswith("val") and around.label:
                label = around.label
            self._hide(element, key, value, label)

    def attribute(self, element: Any, key: str, label: str) -> None:
        """Read an attribute of an element of the part that was read last."""
        self._hide(element, key, element.get(key), label)

    def _decide(self, name: str, key: str) -> str | None:
        """Return the label of an attribute, after ``"?"`` where its value decides."""
        known = self.vocabulary
        full = f"{name}@{key}"
        label = known.labels.get(full) or known.labels.get(key)
        label = label or words(name if key.rpartition(":")[2] == "val" else key)
        if full in known.readable:
            return f"!{label}"
        if known.ignores(name, key):
            return None
        if key in known.readable or known.every_attribute:
            return f"!{label}"
        return f"?{label}"

    def _hide(self, element: Any, kind: str, text: str, label: str) -> None:
        date = _DATE.match(text)
        rest = text[date.end() :] if date else ""
        if date:
            text = date.group()
        slot = Slot(element, kind, text, rest)
        known = self._known.get((label, text, ""))
        if known is not None:
            known.copies.append([slot])
            known.parts.append(self._part)
            return
        where = f"{self._where}, {label}".removeprefix(", ").removesuffix(", ")
        place = Place(where or "comment", part=self._part)
        runs = Runs(
            Segment(text, place, label, "\n\n"), [[slot]], [self._part], self.vocabulary.follows
        )
        self._known[label, text, ""] = runs
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


def labels_of(table: Any, names: tuple[str, str], known: Vocabulary) -> dict[Any, str]:
    """Return the labels of the cells of a table, from its header and from its first column."""
    from presidio_cdip.documents.grids import labels

    row_name, cell_name = names
    rows = [
        [cell for cell in row if _is(cell, cell_name)] for row in _inner(table, row_name, table.tag)
    ]
    texts = [[_text(cell, known) for cell in row] for row in rows]
    return {rows[row][column]: label for (row, column), label in labels(texts).items() if label}


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
