"""Hold the runs of a text in XML parts, and write edits to them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.segments import Edit, Segment

TEXT, TAIL, FIXED = "\0text", "\0tail", "\0fixed"
"""Kinds of `Slot` that are no attribute."""

DATE = re.compile(r"\d{4}-\d\d-\d\d(?=$|T\d)")
"""A date as XML has it, before its time of day."""

_PRESERVED = "{http://www.w3.org/XML/1998/namespace}space"
_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_SOME_DAY = "2000-01-01"
_UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


class Slot(NamedTuple):
    """A text node, an attribute, or an element that stands for a character.

    Attributes:
        element: The element; of a text after an element, that one.
        kind: `TEXT`, `TAIL`, `FIXED`, or the name of the attribute.
        text: The text.
        rest: What follows the text in the attribute or node, and stays.
    """

    element: Any
    kind: str
    text: str
    rest: str = ""

    def set(self, new: str) -> None:
        """Write *new* in its place."""
        new = _UNWRITABLE.sub("", new)
        element = self.element
        if self.rest or DATE.fullmatch(self.text):
            new = (new if _DAY.fullmatch(new) else _SOME_DAY) + self.rest
        if self.kind == TEXT:
            element.text = new or None
            if new != new.strip() and short(str(element.tag)).startswith("w:"):
                element.set(_PRESERVED, "preserve")
        elif self.kind == TAIL:
            element.tail = new or None
        elif self.kind == FIXED:
            drop(element)
        else:
            element.set(self.kind, new)


class Passage(Protocol):
    """A segment, and how to rewrite it."""

    @property
    def segment(self) -> Segment:
        """Return the segment."""

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
            slot.element.set(name, initials(slot.element.get(slot.kind)))


def initials(name: str) -> str:
    """Return the initials of a name.

    >>> initials("Jane van Doe")
    'JvD'
    """
    return "".join(word[0] for word in name.split())


def _rewrite(slots: Sequence[Slot], edits: Sequence[Edit]) -> None:
    """Put each edit in the first run it touches; the rest of its span is emptied."""
    texts = [slot.text for slot in slots]
    starts, at = [], 0
    for text in texts:
        starts.append(at)
        at += len(text)
    for edit in reversed(edits):
        first = max(0, bisect_right(starts, edit.start) - 1)
        last = bisect_left(starts, edit.end)
        touched = [index for index in range(first, last) if slots[index].text] or [
            _place_of_insertion(slots, starts, edit.start)
        ]
        shares = _shares(edit.new, [slots[index] for index in touched])
        for index, share in reversed(list(zip(touched, shares, strict=True))):
            begin = max(0, edit.start - starts[index])
            end = max(begin, min(len(slots[index].text), edit.end - starts[index]))
            texts[index] = texts[index][:begin] + share + texts[index][end:]
    changed = [(slot, text) for slot, text in zip(slots, texts, strict=True) if text != slot.text]
    for slot, text in sorted(changed, key=lambda one: one[0].kind == FIXED):
        slot.set(text)  # tabs go last: the text after one moves to what is before it


def _place_of_insertion(slots: Sequence[Slot], starts: Sequence[int], at: int) -> int:
    free = [index for index, slot in enumerate(slots) if slot.kind != FIXED]
    within = [i for i in free if starts[i] <= at <= starts[i] + len(slots[i].text)]
    return (within or free or [0])[0]


def _shares(new: str, slots: Sequence[Slot]) -> list[str]:
    """Share *new* out among the runs of a span.

    Tabs and line breaks stay where they are if *new* has the same; else they go.
    """
    fixed = "".join(slot.text for slot in slots if slot.kind == FIXED)
    rests = [new]
    for character in fixed:
        rests[-1:] = rests[-1].split(character, 1)
    aligned = len(rests) == len(fixed) + 1
    shares: list[str] = []
    first = True
    for slot in slots:
        if slot.kind == FIXED:
            shares.append(slot.text if aligned else "")
            if aligned:
                rests = rests[len(slot.text) :]
                first = True
        else:
            shares.append(rests[0] if first else "")
            first = False
    if slots[0].kind == FIXED and not aligned:
        free = [index for index, slot in enumerate(slots) if slot.kind != FIXED]
        shares[free[0] if free else 0] = new
    return shares


def drop(element: Any) -> None:
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
