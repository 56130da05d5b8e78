"""Update copies of cell text: pivot caches, filters, chart caches."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.ooxml import Office
from presidio_cdip.documents.sheets.book import Book
from presidio_cdip.documents.sheets.formats import number_format
from presidio_cdip.documents.sheets.fragments import decoded, encoded
from presidio_cdip.documents.sheets.writing import edited

ECHOES = {
    "x:s": "v", "x:n": "v", "x:d": "v", "x:cacheField": "name", "x:filter": "val",
    "x:customFilter": "val", "x:tableColumn": "totalsRowLabel", "x:inputCells": "val",
    "x:pivotField": "name", "c:v": None,
}  # fmt: skip
"""Elements that repeat the text of a cell, with the attribute; None if their own text does."""

_EXTREMES = ("minValue", "maxValue", "minDate", "maxDate")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([Ee][-+]?\d+)?")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T[\d:.]+)?")
_DAYS = number_format("yyyy\\-mm\\-dd")
_DAYS_FROM_1904 = number_format("yyyy\\-mm\\-dd", True)


@dataclass
class Echoes:
    """Hold the copies of cell text, as they were read.

    Attributes:
        found: Element, attribute or None, text, part.
        pivots: The parts of pivot caches.
    """

    found: list[tuple[Any, str | None, str, str]]
    pivots: Mapping[str, Any]

    @classmethod
    def of(cls, trees: Mapping[str, Any]) -> "Echoes":
        """Find the copies in parts."""
        found = [one for part, tree in trees.items() for one in _echoes(part, tree)]
        pivots = {
            part: tree
            for part, tree in trees.items()
            if short(tree.getroot().tag) in ("x:pivotCacheDefinition", "x:pivotCacheRecords")
        }
        return cls(found, pivots)

    def follow(self, book: Book) -> Iterable[str]:
        """Write the new text of the cells, and return the parts that are changed by it."""
        new = _new_texts(book) if self.found else {}
        if new:
            for element, key, text, part in self.found:
                value = new.get(decoded(text))
                if value is None:
                    continue
                if key is None:
                    element.text = encoded(value)
                else:
                    element.set(key, encoded(value))
                yield part

    def repair(self, changed: Iterable[str], cells_changed: bool) -> Iterable[str]:
        """Keep caches valid: types of values, and least and greatest ones.

        Args:
            changed: Parts that were changed.
            cells_changed: Whether any cell was.
        """
        changed = set(changed)
        for element, key, _, part in self.found:
            if part in changed:
                _retype(element, key)
        if not cells_changed and changed.isdisjoint(self.pivots):
            return
        for part, tree in self.pivots.items():
            root = tree.getroot()
            if short(root.tag) != "x:pivotCacheDefinition":
                continue
            root.set("refreshOnLoad", "1")
            for one in root.iter("{*}sharedItems"):
                for name in _EXTREMES:
                    one.attrib.pop(name, None)
            yield part


def labels_of_records(office: Office) -> dict[Any, str]:
    """Return the names of the fields of pivot caches, for each value in a record of them."""
    found: dict[Any, str] = {}
    for part in office.texts:
        root = office.package.tree(part).getroot()
        if short(root.tag) != "x:pivotCacheDefinition":
            continue
        names = [decoded(one.get("name", "")) for one in root.iterfind("{*}cacheFields/{*}*")]
        for one in office.relations(part):
            if one.kind == "pivotCacheRecords" and one.target in office.package.parts:
                for record in office.package.tree(one.target).getroot():
                    found |= zip(record, names, strict=False)
    return found


def _echoes(part: str, tree: Any) -> Iterator[tuple[Any, str | None, str, str]]:
    if not part.startswith("xl/"):
        return
    for element in tree.iter():
        name = short(element.tag) if isinstance(element.tag, str) else ""
        if name in ECHOES:
            key = ECHOES[name]
            text = element.text if key is None else element.get(key)
            if text:
                yield element, key, text, part


def _new_texts(book: Book) -> dict[str, str]:
    """Return the new text for each text of a cell, as displayed and as stored."""
    new: dict[str, str] = {}
    for (index, number), edits in book.cell_edits.items():
        cell = book.sheets[index].cells[number]
        shown = book.shown(cell)
        text = edited(shown, edits)
        new.setdefault(shown, text)
        if cell.kind != "n":
            continue
        value = book.format_of(cell).read(text, cell.value)
        new.setdefault(cell.value, text if value is None else value)
        days = _DAYS_FROM_1904 if book.from_1904 else _DAYS
        if value is not None and shown != value:
            was, now = days.show(cell.value), days.show(value)
            if _MOMENT.fullmatch(was) and _MOMENT.fullmatch(now):
                new.setdefault(f"{was}T00:00:00", f"{now}T00:00:00")
    return new


def _retype(element: Any, key: str | None) -> None:
    """Set the type of an element's new value."""
    name = short(element.tag)
    if key == "v" and name in ("x:n", "x:d"):
        rule = _NUMBER if name == "x:n" else _MOMENT
        if not rule.fullmatch(element.get("v", "")):
            element.tag = element.tag[:-1] + "s"
    elif name == "c:v":
        point = element.getparent()
        cache = None if point is None else point.getparent()
        is_number = _NUMBER.fullmatch((element.text or "").strip())
        if cache is not None and short(cache.tag) == "c:numCache" and not is_number:
            cache.remove(point)


def drop_day_filters(tree: Any) -> bool:
    """Remove filters by single days from a sheet whose cells were changed; return if any was."""
    found = [
        one
        for one in tree.iter("{*}filterColumn")
        if any(item.get("day") for item in one.iter("{*}dateGroupItem"))
    ]
    for one in found:
        one.getparent().remove(one)
    return bool(found)
