"""Read and write what packages of Office Open XML have in common: docx, xlsx and pptx.

    Office.opened(data, …) ──► passages(…), embedded, removed ──► OfficeDocument ──► write

`Office` sorts the parts of a package: those that are read as text, those that are files of their
own (pictures, workbooks, OLE objects), and those that are left out (macros, signatures,
thumbnails). A format adds a vocabulary, the order of its parts, and, for parts that it reads in
another way, passages of its own.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.package import Package
from presidio_cdip.documents.office.parts import PackageDocument, emptied, packed_notes
from presidio_cdip.documents.office.passages import Passage, Reader, Slot, Vocabulary
from presidio_cdip.documents.office.relations import (
    Relation,
    impersonal,
    is_xml,
    natural,
    real,
    relations_in,
    rels_of,
    resolved,
    source_of,
    stem,
)
from presidio_cdip.documents.office.vocabularies import CUSTOM, RELATIONS, USUAL
from presidio_cdip.documents.segments import Embedded, Note, Place, Settings
from presidio_cdip.documents.subjects import RowScopes
from presidio_cdip.errors import UnreadableInput

TYPES = "[Content_Types].xml"
_EMPTY_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360"
    "000000020001e221bc330000000049454e44ae426082"
)

REMOVED = {
    "vbaProject": "macros",
    "vbaProjectSignature": "macros",
    "wordVbaData": "macros",
    "xlMacrosheet": "macros",
    "xlIntlMacrosheet": "macros",
    "keyMapCustomizations": "key bindings",
    "attachedToolbars": "toolbars",
    "control": "an ActiveX control",
    "activeXControlBinary": "an ActiveX control",
    "thumbnail": "a preview picture",
    "printerSettings": "printer settings",
    "recovered": "settings of a printer",
    "revisionHeaders": "a log of revisions",
    "revisionLog": "a log of revisions",
    "usernames": "the users of a shared workbook",
    "font": "an embedded font",
    "origin": "a digital signature: it is void once the document is changed",
    "signature": "a digital signature: it is void once the document is changed",
    "certificate": "a digital signature: it is void once the document is changed",
}
"""The kinds of parts that are left out, by the last word of the type of their relationship."""

_MACRO_SUFFIXES = (".docm", ".dotm", ".xlsm", ".xltm", ".pptm", ".ppsm", ".potm")
_FONTS = re.compile(r"\.(odttf|fntdata)$", re.IGNORECASE)
_MACROS = {
    "vnd.ms-word.document.macroEnabled": "wordprocessingml.document",
    "vnd.ms-word.template.macroEnabledTemplate": "wordprocessingml.template",
    "vnd.ms-excel.sheet.macroEnabled": "spreadsheetml.sheet",
    "vnd.ms-excel.template.macroEnabled": "spreadsheetml.template",
    "vnd.ms-powerpoint.presentation.macroEnabled": "presentationml.presentation",
    "vnd.ms-powerpoint.slideshow.macroEnabled": "presentationml.slideshow",
    "vnd.ms-powerpoint.template.macroEnabled": "presentationml.template",
}
_KEPT_ELEMENTS = frozenset(
    ["pageSetup", "hlinkClick", "hlinkHover", "hyperlink", "oleObj", "imagedata", "fill", "blip"]
)
"""Elements that stay without their reference when what they refer to is removed."""


@dataclass
class Office:
    """Hold a package of Office Open XML, its parts sorted.

    Attributes:
        package: The parts.
        settings: How to read it.
        embedded: The files in it.
        removed: The parts that `finish` leaves out.
        unread: The parts that stay and were not read.
        texts: The names of the XML parts that are to be read, in the order of the file.
    """

    package: Package
    settings: Settings
    embedded: list[Embedded] = field(default_factory=list)
    removed: list[Note] = field(default_factory=list)
    unread: list[Note] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @classmethod
    def opened(cls, data: bytes, name: str, settings: Settings) -> "Office":
        """Unpack a package, and sort its parts.

        Raises:
            UnreadableInput: It is damaged, or lacks what each such package has.
        """
        package = Package.opened(data, name, settings)
        if TYPES not in package.parts:
            raise UnreadableInput(name, f"is no office document: it has no {TYPES}")
        office = cls(package, settings)
        office._sort()
        return office

    def _sort(self) -> None:
        self._left_out: list[str] = []
        self._files: list[str] = []
        self._packed: list[tuple[Slot, str, str]] = []
        kinds = self.kinds()
        for part, content in self.package.parts.items():
            what = self._reason(part, kinds.get(part, ""))
            if what is not None:
                self._left_out.append(part)
                if not part.endswith(".rels"):
                    self.removed.append(Note(Place(stem(part), part=part), what))
            elif part == TYPES or not content:
                continue
            elif is_xml(part, content) and not part.lower().endswith(".svg"):
                self.texts.append(part)
            else:
                self._files.append(part)
                place = Place(f"embedded file {len(self._files)}", part=part)
                self.embedded.append(Embedded(content, place, part.rpartition("/")[2]))

    def _reason(self, part: str, kind: str) -> str | None:
        if part.lower().startswith("_xmlsignatures/"):
            return REMOVED["signature"]
        if part.lower().endswith("vbaproject.bin"):
            return REMOVED["vbaProject"]
        if _FONTS.search(part):
            return REMOVED["font"]
        if kind == "font":  # a list of fonts in a theme, not a font
            return None
        return REMOVED.get(kind)

    def kinds(self) -> dict[str, str]:
        """Return the kind of the relationship that leads to each part."""
        return {
            one.target: one.kind
            for rels in self.package.parts
            if rels.endswith(".rels")
            for one in relations_in(self.package, rels)
            if not one.external
        }

    def relations(self, source: str) -> list[Relation]:
        """Return the relationships of a part; of the package for ``""``."""
        return relations_in(self.package, rels_of(source))

    def main(self) -> str:
        """Return the name of the main part; "" if there is none."""
        return next((one.target for one in self.relations("") if one.kind == "officeDocument"), "")

    def passages(
        self,
        vocabulary: Vocabulary,
        order: Sequence[str],
        *,
        skip: Collection[str] = (),
        where: Mapping[str, str] | None = None,
        given: Mapping[Any, str] | None = None,
    ) -> list[Passage]:
        """Return the passages of the parts: visible ones first, then hidden ones.

        Args:
            vocabulary: The elements and attributes that hold text in them.
            order: Names of parts, or beginnings of names, in the order in which they are read.
            skip: Parts that the format reads itself.
            where: The names of parts in places; others have their file name.
            given: The labels of elements that other parts name.
        """
        rows = RowScopes.of(self.package.parts, self.package.name, self.settings.scope_column)
        reader = Reader(vocabulary, frozenset(self.package.parts), given or {}, rows=rows)
        for part in sorted(self.texts, key=lambda part: (_rank(part, order), natural(part))):
            if part in skip:
                continue
            root = self.package.tree(part).getroot()
            name = (where or {}).get(part, stem(part))
            reader.read(root, part, name, vocabulary_of(part, vocabulary))
            if part.endswith(".rels"):
                self._addresses(reader, part)
        self._packed = reader.packed
        self.removed += packed_notes(reader.packed)
        return [*reader.body, *reader.hidden]

    def _addresses(self, reader: Reader, rels: str) -> None:
        for one in relations_in(self.package, rels):
            if one.external and one.target:
                reader.attribute(one.element, "Target", "link")

    def finish(self, embedded: Mapping[int, bytes | None]) -> bytes:
        """Return the package without removed parts, with *embedded* replaced."""
        removed = list(self._left_out)
        self.package.changed.update(emptied(self._packed))
        for index, content in embedded.items():
            part = self._files[index]
            if content is None:
                removed.append(part)
            else:
                self.package.parts[part] = content
        removed = self._with_impersonal_names(removed)
        if not self.package.name.lower().endswith(_MACRO_SUFFIXES):
            self._without_macros()
        self._remove(removed)
        return self.package.to_bytes()

    def leave_out(self, part: str) -> None:
        """Mark *part* for removal by `finish`, unreported."""
        self._left_out.append(part)

    def _with_impersonal_names(self, removed: Sequence[str]) -> list[str]:
        """Rename files with names given by a person; return *removed* with the new names."""
        names = {
            part: new
            for number, part in enumerate(self._files, 1)
            if (new := impersonal(part, number, USUAL)) != part and new not in self.package.parts
        }
        if not names:
            return list(removed)
        self.package.rename(names)
        for rels in [part for part in self.package.parts if part.endswith(".rels")]:
            base = source_of(rels).rpartition("/")[0]
            for element in self.package.tree(rels).getroot().iter("{*}Relationship"):
                old = real(self.package, resolved(base, element.get("Target", "")), names)
                if old in names and element.get("TargetMode", "").lower() != "external":
                    element.set("Target", f"/{names[old]}")
                    self.package.changed.add(rels)
        for element in self.package.tree(TYPES).getroot().iter("{*}Override"):
            old = real(self.package, element.get("PartName", "").lstrip("/"), names)
            if old in names:
                element.set("PartName", f"/{names[old]}")
                self.package.changed.add(TYPES)
        return [names.get(part, part) for part in removed]

    def _remove(self, parts: Sequence[str]) -> None:
        gone = set(parts)
        for rels in [part for part in self.package.parts if part.endswith(".rels")]:
            for one in relations_in(self.package, rels):
                if one.external or one.target not in gone:
                    continue
                self.package.changed.add(rels)
                if one.kind == "image" and one.target not in self._left_out:
                    self._blank(one, rels)
                    continue
                one.element.getparent().remove(one.element)
                self._forget(source_of(rels), one.id)
        for part in gone:
            self.package.remove(part)
            self.package.remove(rels_of(part))
            self._set_type(part, None)

    def _blank(self, relation: Relation, rels: str) -> None:
        """Put an empty picture in the place of one that is removed."""
        new = f"{relation.target.rpartition('.')[0]}_removed.png"
        self.package.parts[new] = _EMPTY_PNG
        relation.element.set("Target", f"/{new}")
        self._set_type(new, "image/png")

    def _forget(self, source: str, identifier: str) -> None:
        """Remove references to a relationship from the XML of its part."""
        if not is_xml(source, self.package.parts.get(source, b"")):
            return
        root = self.package.tree(source).getroot()
        for element in list(root.iter(etree.Element)):
            for key, value in element.attrib.items():
                if value != identifier or short(key).partition(":")[0] not in ("r", "o"):
                    continue
                self.package.changed.add(source)
                if short(element.tag).rpartition(":")[2] in _KEPT_ELEMENTS:
                    del element.attrib[key]
                elif (parent := element.getparent()) is not None:
                    parent.remove(element)

    def _set_type(self, part: str, kind: str | None) -> None:
        """Set the content type of a part; None to remove it."""
        root = self.package.tree(TYPES).getroot()
        for element in list(root):
            name = element.get("PartName", "") if isinstance(element.tag, str) else ""
            if name.lower() == f"/{part.lower()}":
                root.remove(element)
                self.package.changed.add(TYPES)
        if kind is not None:
            space = etree.QName(root).namespace
            etree.SubElement(root, f"{{{space}}}Override", PartName=f"/{part}", ContentType=kind)
            self.package.changed.add(TYPES)

    def _without_macros(self) -> None:
        """Set the type of documents without macros.

        Office programs open no file whose type is not that of its suffix; one that may have
        macros, and has none, they do.
        """
        for element in self.package.tree(TYPES).getroot():
            kind = element.get("ContentType", "") if isinstance(element.tag, str) else ""
            for macro, plain in _MACROS.items():
                if kind == f"application/{macro}.main+xml":
                    plain = f"application/vnd.openxmlformats-officedocument.{plain}.main+xml"
                    element.set("ContentType", plain)
                    self.package.changed.add(TYPES)


@dataclass
class OfficeDocument(PackageDocument):
    """A document in a package of Office Open XML."""

    office: Office


def vocabulary_of(part: str, vocabulary: Vocabulary) -> Vocabulary:
    """Return the vocabulary of a part: relationships and custom XML have their own."""
    if part.endswith(".rels"):
        return RELATIONS
    if part.startswith("customXml/"):
        return CUSTOM
    return vocabulary


def _rank(part: str, order: Sequence[str]) -> int:
    if part.endswith(".rels"):
        return len(order) + 1
    return next((rank for rank, one in enumerate(order) if part.startswith(one)), len(order))


def package_texts(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the texts of a package, as others might extract them."""
    from presidio_cdip.documents.office.package import extracted

    return extracted(data)
