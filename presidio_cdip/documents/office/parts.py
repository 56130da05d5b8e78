"""Make a document of the passages of a package and the files in it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lxml import etree

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.package import Package
from presidio_cdip.documents.office.relations import stem
from presidio_cdip.documents.office.runs import Passage, Slot
from presidio_cdip.documents.segments import Edits, Embedded, Note, Place, Segment


class Sorted(Protocol):
    """A package whose parts are sorted, as `Office`."""

    package: Package
    embedded: list[Embedded]
    removed: list[Note]
    unread: list[Note]

    def finish(self, embedded: Mapping[int, bytes | None]) -> bytes:
        """Return the package without what is removed, with *embedded* replaced."""


@dataclass
class PackageDocument:
    """A document in a package.

    Attributes:
        office: The package.
        passages: All its text.
    """

    office: Sorted
    passages: Sequence[Passage]

    def __post_init__(self) -> None:
        """Make the attributes that the contract of documents asks for."""
        self.segments: Sequence[Segment] = [one.segment for one in self.passages]
        self.embedded: Sequence[Embedded] = self.office.embedded
        self.removed: Sequence[Note] = self.office.removed
        self.unread: Sequence[Note] = self.office.unread

    def write(self, edits: Edits, embedded: Mapping[int, bytes | None]) -> bytes:
        """Return the document with other text."""
        self.apply(edits)
        return self.office.finish(embedded)

    def apply(self, edits: Edits) -> None:
        """Write *edits* into the trees of the parts."""
        package = self.office.package
        for index, changes in edits.items():
            package.changed.update(self.passages[index].rewrite(changes))
        for part in package.changed:
            _drop_revision_ids(package.tree(part).getroot())


def packed_notes(packed: Sequence[tuple[Slot, str, str]]) -> Iterator[Note]:
    """Yield a note for each part that is emptied."""
    for part, what in dict.fromkeys((part, what) for _, part, what in packed):
        yield Note(Place(stem(part), part=part), what)


def emptied(packed: Sequence[tuple[Slot, str, str]]) -> Iterator[str]:
    """Empty packed files, and yield the names of the parts that are changed by it."""
    for slot, part, _ in packed:
        slot.set("")
        yield part


def _drop_revision_ids(root: Any) -> None:
    """Remove the numbers that tell which runs were typed in one session."""
    if not short(root.tag).startswith("w:"):
        return
    for element in root.iter(etree.Element):
        for key in [key for key in element.attrib if short(key).startswith("w:rsid")]:
            del element.attrib[key]
