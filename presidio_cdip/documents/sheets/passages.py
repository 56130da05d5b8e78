"""Read texts that stand within other notations: formulas, number formats, print headers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.passages import Slot
from presidio_cdip.documents.segments import Edit, Place, Segment
from presidio_cdip.documents.sheets.formulas import Literal, Renames, literals
from presidio_cdip.documents.sheets.writing import edited, with_literals

FORMULAS = frozenset(
    [
        "f", "formula", "formula1", "formula2", "definedName", "calculatedColumnFormula",
        "totalsRowFormula", "oldFormula", "FmlaLink", "FmlaRange", "FmlaMacro", "FmlaTxbx",
        "FmlaGroup", "FmlaPict",
    ]
)  # fmt: skip
"""Elements, in any namespace of a workbook's parts, whose text is a formula."""

HEADERS = frozenset(
    ["oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter"]
)
"""Elements whose text is a print header or footer."""

_CODE = re.compile(
    r"&(?:[LCR]|\"[^\"]*\"|K[0-9A-Fa-f]{6}|K\d\d[+-]\d{3}|\d+ ?|[A-Za-z])|&(?!&)", re.DOTALL
)
_SECTION = re.compile(r"(?=&[LCR])")
_FORMAT_TEXT = re.compile(r'"([^"]*)"|((?:\\.)+)', re.DOTALL)


@dataclass(eq=False)
class Formula:
    """A formula outside of cells.

    Attributes:
        element: Whose text it is.
        part: Its part.
        text: The formula, as it was read.
        edits: Of its string literals.
    """

    element: Any
    part: str
    text: str
    edits: list[tuple[Literal, Sequence[Edit]]] = field(default_factory=list)

    def write(self, renames: Renames) -> bool:
        """Write edits and new names; return whether it is changed."""
        new = with_literals(self.text, self.edits)
        new = renames.applied(new) if renames else new
        if new != self.text:
            self.element.text = new
        return new != self.text


@dataclass(slots=True)
class LiteralPassage:
    """A string literal of a formula outside of cells."""

    segment: Segment
    formula: Formula
    literal: Literal

    def rewrite(self, edits: Sequence[Edit]) -> Sequence[str]:
        """Note *edits*."""
        self.formula.edits.append((self.literal, edits))
        return ()


class _Pieces:
    """A text of which only some pieces are read."""

    def __init__(self, element: Any, key: str | None, pieces: list[str]) -> None:
        self._element, self._key, self._pieces = element, key, pieces

    def set(self, at: int, text: str) -> None:
        self._pieces[at] = text
        whole = "".join(self._pieces)
        if self._key is None:
            self._element.text = whole
        else:
            self._element.set(self._key, whole)


class _HeaderPiece(Slot):
    __slots__ = ()

    def set(self, new: str) -> None:
        pieces, at = self.element
        if new[:1].isdigit() and at:  # a size of letters may stand before it
            new = f" {new}"
        pieces.set(at, new.replace("&", "&&"))


class _FormatPiece(Slot):
    __slots__ = ()

    def set(self, new: str) -> None:
        pieces, at = self.element
        pieces.set(at, '"' + new.replace('"', "") + '"')


@dataclass(eq=False)
class PiecesPassage:
    """A text made of pieces."""

    segment: Segment
    slots: list[Slot]
    part: str

    def rewrite(self, edits: Sequence[Edit]) -> Sequence[str]:
        """Write *edits*."""
        texts = _shared(self.slots, edits)
        for slot, text in zip(self.slots, texts, strict=True):
            if text != slot.text:
                slot.set(text)
        return (self.part,)


def _shared(slots: Sequence[Slot], edits: Sequence[Edit]) -> list[str]:
    """Return the new text of each slot: an edit goes to the first that it touches."""
    out, at = [], 0
    for number, slot in enumerate(slots):
        end, text = at + len(slot.text), slot.text
        for one in reversed(edits):
            starts = at <= one.start < end or (one.start == end and number == len(slots) - 1)
            if starts or at < one.end <= end or one.start < at < one.end:
                inner = Edit(
                    max(0, one.start - at), min(len(slot.text), one.end - at),
                    one.new if starts else "", one.entity,
                )  # fmt: skip
                text = edited(text, [inner])
        out.append(text)
        at = end
    return out


@dataclass
class Notations:
    """Formulas, number formats and print headers in the trees of parts.

    Attributes:
        formulas: All formulas outside of cells.
    """

    formulas: list[Formula] = field(default_factory=list)

    def read(self, trees: Mapping[str, Any]) -> Iterator[LiteralPassage | PiecesPassage]:
        """Yield the texts in *trees*, which are parts by name."""
        for part, tree in trees.items():
            if not part.startswith("xl/"):
                continue
            for element in tree.iter():
                if isinstance(element.tag, str):
                    yield from self._element(element, part)

    def _element(self, element: Any, part: str) -> Iterator[LiteralPassage | PiecesPassage]:
        name = short(element.tag).rpartition(":")[2]
        text = element.text or ""
        if name in FORMULAS and text:
            formula = Formula(element, part, text)
            self.formulas.append(formula)
            for one in literals(text):
                place = Place("formula", part=part)
                yield LiteralPassage(Segment(one.text, place, "", "\n\n"), formula, one)
        elif name in HEADERS and text:
            yield from _header(element, part, name)
        elif name == "formatCode" and text:
            yield from _format(element, None, text, part)
        elif element.get("formatCode"):
            yield from _format(element, "formatCode", element.get("formatCode"), part)


def _header(element: Any, part: str, name: str) -> Iterator[PiecesPassage]:
    """Yield left, middle and right of a print header, without the codes for fonts."""
    sections = _SECTION.split(element.text)
    pieces: list[str] = []
    found: list[list[int]] = []
    for section in sections:
        at, texts = 0, []
        for code in [*_CODE.finditer(section.replace("&&", "\0\0")), None]:
            end = code.start() if code else len(section)
            texts.append(len(pieces))
            pieces.append(section[at:end])
            if code:
                pieces.append(section[code.start() : code.end()])
                at = code.end()
        found.append(texts)
    whole = _Pieces(element, None, pieces)
    for texts in found:
        slots: list[Slot] = [
            _HeaderPiece((whole, at), "", pieces[at].replace("&&", "&"))
            for at in texts
            if pieces[at]
        ]
        text = "".join(slot.text for slot in slots)
        if text.strip():
            place = Place("print header" if "Header" in name else "print footer", part=part)
            yield PiecesPassage(Segment(text, place, "", "\n\n"), slots, part)


def _format(element: Any, key: str | None, code: str, part: str) -> Iterator[PiecesPassage]:
    """Yield the literal texts of a number format that have letters or digits enough."""
    pieces, at, found = [], 0, []
    for match in _FORMAT_TEXT.finditer(code):
        text = match[1] if match[1] is not None else match[2][1::2]
        if sum(map(str.isalnum, text)) > 2:
            pieces += [code[at : match.start()], match.group()]
            found.append((len(pieces) - 1, text))
            at = match.end()
    pieces.append(code[at:])
    whole = _Pieces(element, key, pieces)
    for index, text in found:
        slot = _FormatPiece((whole, index), "", text)
        segment = Segment(text, Place("number format", part=part), "", "\n\n")
        yield PiecesPassage(segment, [slot], part)
