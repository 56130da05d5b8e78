"""Read and write docx and docm: text of Microsoft Word and of programs that write its format."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lxml import etree

from presidio_cdip.documents.office.changes import accepted
from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.ooxml import Office, OfficeDocument, package_texts
from presidio_cdip.documents.office.passages import Vocabulary
from presidio_cdip.documents.office.vocabularies import AUTHOR, DRAWINGS, joined
from presidio_cdip.documents.segments import Document, Edits, Settings
from presidio_cdip.errors import UnreadableInput

_ORDER = (
    "word/document", "word/header", "word/footer", "word/footnotes", "word/endnotes",
    "word/comments", "word/glossary", "word/charts", "word/diagrams", "word/", "customXml",
    "docProps",
)  # fmt: skip

WORD = joined(
    DRAWINGS,
    Vocabulary(
        paragraphs=frozenset(["w:p"]),
        runs=frozenset(
            ["w:t", "w:delText", "w:instrText", "w:delInstrText", "m:t"]
        ),
        characters={
            "w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-",
        },
        streams={
            "w:del": "deleted", "w:moveFrom": "deleted", "w:delText": "deleted",
            "w:instrText": "field code", "w:delInstrText": "field code", "w:rt": "ruby",
        },
        tables={"w:tbl": ("w:tr", "w:tc")},
        readable=frozenset(
            [
                "w:author", "w:initials", "w15:person@w15:author", "w15:presenceInfo@w15:userId",
                "w:tooltip", "w:instr",
                "w:fldSimple@w:instr", "w:alias@w:val", "w:tag@w:val", "w:bookmarkStart@w:name",
                "w:hyperlink@w:anchor", "w:hyperlink@w:docLocation", "w:docVar@w:val",
                "w:docVar@w:name", "w:default@w:val", "w:helpText@w:val", "w:statusText@w:val",
                "w:listItem@w:displayText", "w:listItem@w:value", "w:listEntry@w:val",
                "w:ffData@w:name", "w:query@w:val", "w:connectString@w:val",
                "w:tblCaption@w:val", "w:tblDescription@w:val", "w:title@w:val",
                "w:docPartBody@w:name", "w:element", "w:description@w:val", "w:smartTag@w:element",
                "w:attr@w:val", "w:dataBinding@w:xpath", "w:dropDownList@w:lastValue",
                "w:comboBox@w:lastValue", "w:date@w:fullDate", "w:sourceFileName", "w:src@w:val",
                "w:aliases@w:val",
            ]
        ),
        labels={
            "w:author": AUTHOR, "w15:author": AUTHOR, "w:initials": AUTHOR,
            "w:instr": "field code", "w:bookmarkStart@w:name": "bookmark",
            "w:docPart@w:val": "name",
        },
        named_by={"w:docVar": "w:name"},
        follows={"w:initials": "w:author"},
        ignored=frozenset(
            [
                "w:id", "w:rsid*", "w:rFonts@*", "w:font@*", "w:panose1@*",
                "w:sig@*", "w:tplc", "w15:*@*",
                "w:prefixMappings", "w:link@*", "w:basedOn@*", "w:next@*", "w:storeItemID",
                "w:lsdException@*", "w:nsid@*", "w:tmpl@*", "w:styleId",
                "w:compatSetting@*", "w:themeFontLang@*", "w:lang@*", "w:pStyle@*", "w:rStyle@*",
                "w:tblStyle@*", "w:altName@*", "w:clrSchemeMapping@*", "w:cnfStyle@*",
            ]
        ),
    ),
)  # fmt: skip
"""The elements and attributes of WordprocessingML that hold text."""


_STYLE_NAMES = frozenset(
    f"w:{name}"
    for name in [
        "pStyle", "rStyle", "tblStyle", "link", "basedOn", "next", "numStyleLink", "styleLink",
        "clickAndTypeStyle", "defaultTableStyle",
    ]
)  # fmt: skip
"""Elements whose value is the identifier of a style."""


@dataclass
class WordDocument(OfficeDocument):
    """A Word document: identifiers of styles, made of their names, go with the names."""

    def apply(self, edits: Edits) -> None:
        """Write *edits*; a style that is renamed gets another identifier."""
        before = dict(self._styles())
        super().apply(edits)
        renamed = {
            identifier: f"Style{number}x"
            for number, (identifier, name) in enumerate(self._styles(), 1)
            if before.get(identifier) != name
        }
        if renamed:
            for part in self.office.texts:
                if part in self.office.package.parts and _renamed(self._root(part), renamed):
                    self.office.package.changed.add(part)

    def _root(self, part: str) -> Any:
        return self.office.package.tree(part).getroot()

    def _styles(self) -> Iterator[tuple[str, str]]:
        """Yield identifier and name of each style."""
        for part in self.office.texts:
            if "styles" in part.lower() and not part.endswith(".rels"):
                for style in self._root(part).iter("{*}style"):
                    values = {short(key): str(value) for key, value in style.attrib.items()}
                    names = [
                        str(one.get(key)) for one in style.iter("{*}name") for key in one.attrib
                    ]
                    yield values.get("w:styleId", ""), "".join(names)


def _renamed(root: Any, names: Mapping[str, str]) -> bool:
    """Rename the identifiers of styles; return whether there were any."""
    found = False
    for element in root.iter(etree.Element):
        name = short(element.tag)
        if name != "w:style" and name not in _STYLE_NAMES:
            continue
        for key, value in element.attrib.items():
            if short(key) in ("w:styleId", "w:val") and value in names:
                element.set(key, names[value])
                found = True
    return found


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read a document.

    Raises:
        UnreadableInput: It is damaged, or has no main part.
    """
    office = Office.opened(data, name, settings)
    main = office.main()
    if main not in office.package.parts:
        raise UnreadableInput(name, "is damaged: it has no main part")
    if settings.accept_changes:
        for part in office.texts:
            if accepted(office.package.tree(part).getroot()):
                office.package.changed.add(part)
    order = (main, *_ORDER)
    return WordDocument(office, office.passages(WORD, order, where={main: ""}))


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield where text stands in a document, and that text."""
    return package_texts(data)
