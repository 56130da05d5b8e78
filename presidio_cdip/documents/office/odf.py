"""Read and write odt, ods and odp: OpenDocument, as LibreOffice writes it."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from lxml import etree

from presidio_cdip.documents.office.changes import accepted
from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.ooxml import package_texts
from presidio_cdip.documents.office.package import CODED, Package
from presidio_cdip.documents.office.parts import PackageDocument, emptied, packed_notes
from presidio_cdip.documents.office.passages import Passage, Reader, Runs, Slot
from presidio_cdip.documents.office.relations import impersonal, is_xml, natural
from presidio_cdip.documents.office.vocabularies import OPEN, USUAL
from presidio_cdip.documents.segments import Document, Edits, Embedded, Note, Place, Settings
from presidio_cdip.documents.subjects import RowScopes
from presidio_cdip.documents.verifying import plain
from presidio_cdip.errors import UnreadableInput

MANIFEST = "META-INF/manifest.xml"
_MIMETYPE = "mimetype"
_STYLE_NAME = re.compile(r"^style:name$|style-name$|master-page-name$")
_NAMED = 4  # letters of a value that is looked for in the names of styles

REMOVED = (
    (re.compile(r"Thumbnails/|ObjectReplacements/|.*/ObjectReplacements/"), "a preview picture"),
    (re.compile(r"(Basic|Scripts)/"), "macros"),
    (
        re.compile(r"META-INF/.*signatures.*\.xml"),
        "a digital signature: it is void once the document is changed",
    ),
    (re.compile(r"(.*/)?layout-cache"), "a layout cache"),
    (re.compile(r"(.*/)?Fonts/"), "an embedded font"),
)
"""The kinds of parts that are left out, by the beginning of their name."""

_ORDER = ("content.xml", "Object", "styles.xml", "meta.xml", "settings.xml")
_CELLS = ("table:table-cell", "table:covered-table-cell")
_SHOWN = ("text:p", "text:span", "text:a", *_CELLS)
_VALUES = ("office:value", "office:date-value", "office:time-value", "office:boolean-value")


@dataclass
class Odf:
    """A package of OpenDocument with its parts sorted, as `office.ooxml.Office` sorts its own."""

    package: Package
    rows: RowScopes = field(default_factory=RowScopes)
    embedded: list[Embedded] = field(default_factory=list)
    removed: list[Note] = field(default_factory=list)
    unread: list[Note] = field(default_factory=list)

    @classmethod
    def opened(cls, data: bytes, name: str, settings: Settings) -> "Odf":
        """Unpack a package, and sort its parts.

        Raises:
            UnreadableInput: It is damaged, encrypted, or lacks its content.
        """
        package = Package.opened(data, name, settings)
        if "content.xml" not in package.parts:
            raise UnreadableInput(name, "is damaged: it has no content.xml")
        if MANIFEST in package.parts and any(
            short(one.tag) == "manifest:encryption-data"
            for one in package.tree(MANIFEST).getroot().iter(etree.Element)
        ):
            raise UnreadableInput(name, "is encrypted: save it without a password")
        odf = cls(package, RowScopes.of(package.parts, name, settings.scope_column))
        odf._sort()
        return odf

    def _sort(self) -> None:
        self._texts: list[str] = []
        self._files: list[str] = []
        self._left_out: list[str] = []
        self._packed: list[tuple[Slot, str, str]] = []
        for part, content in self.package.parts.items():
            what = next((what for start, what in REMOVED if start.match(part)), None)
            if what is not None:
                self._left_out.append(part)
                self.removed.append(Note(Place(part.rpartition("/")[2], part=part), what))
            elif part in (_MIMETYPE, MANIFEST) or not content:
                continue
            elif is_xml(part, content):
                self._texts.append(part)
            else:
                self._files.append(part)
                place = Place(f"embedded file {len(self._files)}", part=part)
                self.embedded.append(Embedded(content, place, part.rpartition("/")[2]))

    def passages(self) -> list[Passage]:
        """Return the passages of all parts: what is seen first, then what is hidden."""
        references = {f"{dots}{part}" for part in self.package.parts for dots in ("", "./", "../")}
        references |= {one.rpartition("/")[0] for one in references}
        reader = Reader(OPEN, frozenset(references), rows=self.rows)
        for part in sorted(self._texts, key=lambda part: (_rank(part), natural(part))):
            where = "" if part == "content.xml" else part.removesuffix(".xml")
            reader.read(self.package.tree(part).getroot(), part, where)
        self._packed = reader.packed
        self.removed += packed_notes(reader.packed)
        return [*reader.body, *reader.hidden]

    def accept_changes(self) -> None:
        """Leave out what tracked changes keep of the text before them."""
        for part in self._texts:
            if accepted(self.package.tree(part).getroot()):
                self.package.changed.add(part)

    def finish(self, embedded: Mapping[int, bytes | None]) -> bytes:
        """Return the package without what is removed, with *embedded* replaced."""
        self.package.changed.update(emptied(self._packed))
        gone = set(self._left_out)
        for index, content in embedded.items():
            if content is None:
                gone.add(self._files[index])
            else:
                self.package.parts[self._files[index]] = content
        for part in self._texts:
            if self._forget(part, gone):
                self.package.changed.add(part)
        self._rename(gone)
        if MANIFEST in self.package.parts and gone:
            self._unlist(gone)
        for part in gone:
            self.package.remove(part)
        return self._in_order().to_bytes()

    def _forget(self, part: str, gone: set[str]) -> bool:
        """Remove the elements of a part that show a removed file; return whether there were."""
        folder = part.rpartition("/")[0]
        found = False
        for element in list(self.package.tree(part).getroot().iter(etree.Element)):
            for key, value in element.attrib.items():
                if short(key) != "xlink:href" or resolved(folder, unquote(str(value))) not in gone:
                    continue
                parent = element.getparent()
                if parent is not None:
                    parent.remove(element)
                    found = True
        return found

    def _rename(self, gone: set[str]) -> None:
        """Rename files whose names somebody gave."""
        names = {
            part: new
            for number, part in enumerate(self._files, 1)
            if part not in gone and (new := impersonal(part, number, USUAL)) != part
        }
        if not names:
            return
        self.package.rename(names)
        for part in [*self._texts, *({MANIFEST} & set(self.package.parts))]:
            folder = part.rpartition("/")[0] if part != MANIFEST else ""
            for element in self.package.tree(part).getroot().iter(etree.Element):
                for key, value in element.attrib.items():
                    old = resolved(folder, unquote(str(value)))
                    if short(key) in ("xlink:href", "manifest:full-path") and old in names:
                        up = "../" * (folder.count("/") + 1) if folder else ""
                        element.set(key, up + names[old])
                        self.package.changed.add(part)

    def _unlist(self, gone: set[str]) -> None:
        root = self.package.tree(MANIFEST).getroot()
        for entry in list(root):
            path = _get(entry, "manifest:full-path")
            folder = path.endswith("/") and path != "/" and _is_empty(path, self.package, gone)
            if path in gone or folder:
                root.remove(entry)
                self.package.changed.add(MANIFEST)

    def _in_order(self) -> Package:
        """Return the package with its media type first, and not compressed."""
        parts = self.package.parts
        if _MIMETYPE in parts:
            self.package.parts = {_MIMETYPE: parts.pop(_MIMETYPE), **parts}
            self.package.infos[_MIMETYPE].compress_type = 0
        return self.package


@dataclass
class OdfDocument(PackageDocument):
    """A document of OpenDocument: the values of its cells agree with the text they show."""

    def apply(self, edits: Edits) -> None:
        """Write *edits*; a cell whose text changes, and whose value does not, becomes text."""
        cells: dict[Any, list[tuple[str, str]]] = {}
        for index in edits:
            passage = self.passages[index]
            assert isinstance(passage, Runs)
            for slots in passage.copies:
                for cell in _cells_of(slots[0].element):
                    cells[cell] = _values(cell)
        super().apply(edits)
        for cell, values in cells.items():
            if values and (_values(cell) == values or not _is_number(cell)):
                _make_text(cell)
        gone = {
            plain(self.segments[index].text[one.start : one.end])
            for index, changes in edits.items()
            for one in changes
        }
        self._rename_styles({one for one in gone if len(one) >= _NAMED})

    def _rename_styles(self, gone: Collection[str]) -> None:
        """Rename the styles in whose names, which programs make of those of sheets, a value is."""
        if not gone:
            return
        package = self.office.package
        names: dict[str, str] = {}
        for part in [part for part in package.parts if is_xml(part, package.parts[part])]:
            for element in package.tree(part).getroot().iter(etree.Element):
                for key, given in element.attrib.items():
                    value = str(given)
                    if not _STYLE_NAME.search(short(key)) or "_" not in value:
                        continue
                    name = plain(CODED.sub(lambda one: chr(int(one[1], 16)), value))
                    if any(one in name for one in gone):
                        element.set(key, names.setdefault(value, f"Style{len(names) + 1}"))
                        package.changed.add(part)


def _cells_of(element: Any) -> Iterator[Any]:
    if isinstance(element.tag, str) and short(element.tag) in _SHOWN:
        for one in (element, *element.iterancestors()):
            if short(one.tag) in _CELLS:
                yield one
                return


def _values(cell: Any) -> list[tuple[str, str]]:
    return [(key, value) for key, value in cell.attrib.items() if short(key) in _VALUES]


def _is_number(cell: Any) -> bool:
    """Return whether the value of a cell is a number, if it has one."""
    try:
        float(_get(cell, "office:value") or 0)
    except ValueError:
        return False
    return True


def _make_text(cell: Any) -> None:
    for key in list(cell.attrib):
        if short(key) in _VALUES or short(key).endswith(":formula"):
            del cell.attrib[key]
        elif short(key).endswith(":value-type"):
            cell.set(key, "string")


def _get(element: Any, name: str) -> str:
    if not isinstance(element.tag, str):
        return ""
    return next((str(value) for key, value in element.attrib.items() if short(key) == name), "")


def _is_empty(folder: str, package: Package, gone: set[str]) -> bool:
    within = [part for part in package.parts if part.startswith(folder)]
    return bool(within) and all(part in gone for part in within)


def _rank(part: str) -> int:
    return next((rank for rank, one in enumerate(_ORDER) if part.startswith(one)), len(_ORDER))


def resolved(folder: str, address: str) -> str:
    """Return the name of the part to which *address* leads from a part in *folder*.

    >>> resolved("", "./Object 1"), resolved("Object 1", "../Pictures/a.png")
    ('Object 1', 'Pictures/a.png')
    """
    while address.startswith(("./", "../")):
        if address.startswith("../"):
            folder = folder.rpartition("/")[0]
        address = address.partition("/")[2]
    return f"{folder}/{address}".lstrip("/")


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read a document.

    Raises:
        UnreadableInput: It is damaged, encrypted, or lacks its content.
    """
    odf = Odf.opened(data, name, settings)
    if settings.accept_changes:
        odf.accept_changes()
    return OdfDocument(odf, odf.passages())


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield where text stands in a document, and that text."""
    return package_texts(data)
