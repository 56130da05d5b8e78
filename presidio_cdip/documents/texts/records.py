"""Read and write XML that holds data; all but the edited texts stays byte for byte.

An element whose text is parted by other elements (``<p>John <b>Smith</b></p>``) is one segment,
with a blank where an element begins or ends that does not stand within a line; any other text is
one of its own, with the name of its element as label. Attributes, comments and declarations come
after the texts.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from xml.etree import ElementTree

from presidio_cdip.documents.segments import Document, Settings
from presidio_cdip.documents.texts import markup
from presidio_cdip.documents.texts.encodings import Source
from presidio_cdip.documents.texts.json_scan import is_identifier, label_of
from presidio_cdip.documents.texts.markup_attributes import charset_of, decoded, encoder
from presidio_cdip.documents.texts.markup_names import INLINE
from presidio_cdip.documents.texts.markup_tokens import ENTITY, Attribute, Token, meaning, tokens
from presidio_cdip.documents.texts.sources import SourceDocument, words
from presidio_cdip.documents.texts.structured import add_string
from presidio_cdip.documents.texts.values import Value
from presidio_cdip.errors import TextTooLong, UnreadableInput

_ROOT = re.compile(r"<(?![?!])(?:[\w.-]+:)?([\w.-]+)")
_ROOT_READ = 20_000  # characters in which the root element begins
_OTHERS = {
    "wordDocument": "is a document of Word in XML: save it as .docx",
    "package": "is an office document in one XML file: save it as .docx",
    "document-content": "is a part of an OpenDocument file",
    "document": "is a flat OpenDocument file: save it as .odt, .ods or .odp",
}
_OPEN = "urn:oasis:names:tc:opendocument"
_PACKED = "schemas.microsoft.com/office/2006/xmlPackage"
_PAGES = ("html", "svg")
_IN_LINES = INLINE | words("bold emph emphasis hi italic underline")
_TECHNICAL = ("xmlns", "xml:", "xsi:")
_NAMING = ("name", "key", "label", "title", "displayname", "code")
_MOST = 1_000_000  # tags: each takes some 400 bytes of memory
_NEAR = 200  # characters before a value in which its name stands
_VALUE = re.compile(r"[^\W_]{2}")
_VALUE_NAME = re.compile(r"\d{4}|@")
_SIGNS = re.compile(r"-->|--|[<>]")


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read an XML file; a page in XML is read as HTML.

    Raises:
        UnreadableInput: It is no text, or an office document that is one XML file.
        TextTooLong: It has too many elements.
    """
    source = Source.opened(data, name, charset_of(data))
    found = _ROOT.search(source.text, 0, _ROOT_READ)
    root = found[1] if found else ""
    head = source.text[:_ROOT_READ]
    known = {"wordDocument": True, "package": _PACKED in head}.get(root, _OPEN in head)
    if root in _OTHERS and known:
        raise UnreadableInput(name, _OTHERS[root])
    if root.lower() in _PAGES:
        return markup.read(source, settings)
    if source.text.count("<") > _MOST:
        raise TextTooLong(name, settings.max_characters)
    reader = _Reader(SourceDocument(source, settings))
    reader.read(list(tokens(source.text, raw=False)))
    return reader.document


@dataclass(slots=True, eq=False)
class _Element:
    """An element.

    Attributes:
        name: Its name.
        parent: The element it stands in; None for what stands around the root.
        label: What names its value.
        mixed: Whether text stands directly in it.
        children: Whether elements stand in it.
        parts: The texts of it and, if it is mixed, of the elements in it.
        holder: The element whose segment its text is a part of; None until it is read.
    """

    name: str
    parent: "_Element | None"
    label: str = ""
    mixed: bool = False
    children: bool = False
    parts: list[Value] = field(default_factory=list)
    holder: "_Element | None" = field(default=None, repr=False)

    def begin(self) -> None:
        """Take the holder of its parent, if text stands in that; else hold its text itself."""
        parent = self.parent
        self.holder = parent.holder if parent and parent.parent and parent.mixed else self


class _Reader:
    """Reads tokens; attributes and comments are put off until all text is read."""

    def __init__(self, document: SourceDocument) -> None:
        self.document = document
        self.all = Value.plain(document.source, 0, len(document.source.text), str)
        self.is_parted = False  # whether what was read last parts words
        self.encoders = {mark: encoder(document.source, mark) for mark in ("", '"', "'")}

    def read(self, found: list[Token]) -> None:
        """Read all tokens."""
        elements = self._elements(found)
        hidden = []
        for token, element in zip(found, elements, strict=True):
            if token.kind in ("text", "data"):
                self._add_part(token, element)
                continue
            if token.kind != "end" or token.attributes:
                hidden.append(token)
            if token.kind in ("start", "end"):
                self.is_parted |= token.name.rpartition(":")[2] not in _IN_LINES
            if token.kind == "start":
                element.begin()
            if token.kind == "end" or (token.kind == "start" and self._is_closed(token)):
                self._end(element)
        left = elements[-1] if elements else None
        while left is not None:  # elements that nothing closes
            self._end(left)
            left = left.parent
        for token in hidden:
            where = f"line {self.document.source.line_of(token.start)}"
            if token.kind in ("start", "end"):
                for one in token.attributes:
                    self._add_attribute(one, f"{where}, {_shown(token.name)} {_shown(one.name)}")
            else:
                self._add_remark(token, where)

    def _elements(self, found: list[Token]) -> list[_Element]:
        """Return, for each token, the element that it begins, ends or stands in."""
        text = self.document.source.text
        current = _Element("", None)
        elements = []
        for token in found:
            if token.kind == "start":
                current.children = True
                new = _Element(token.name, current, self._label(token))
                elements.append(new)
                if not self._is_closed(token):
                    current = new
                continue
            elements.append(current)
            if token.kind == "end":
                if current.parent is not None:
                    current = current.parent
            elif token.kind in ("text", "data"):
                current.mixed |= not text[token.start : token.end].isspace()
        return elements

    def _is_closed(self, token: Token) -> bool:
        return self.document.source.text[token.end - 2] == "/"

    def _label(self, token: Token) -> str:
        text = self.document.source.text
        for one in token.attributes:
            if one.name in _NAMING and 0 < one.end - one.start < 40:
                return label_of((text[one.start : one.end],))
        written = text[token.start + 1 : token.start + 1 + len(token.name)]  # in its own letters
        return label_of((written.rpartition(":")[2],))

    def _add_part(self, token: Token, element: _Element) -> None:
        start, end = token.start, token.end
        if token.kind == "data":
            value = Value.plain(self.document.source, start, end, _in_section)
        else:
            value = self.all.decoded(ENTITY, meaning, self.encoders['"'], start, end)
        if element.holder is None:  # outside the root, or between records
            where = f"line {self.document.source.line_of(start)}, text"
            add_string(self.document, value, where)
        elif element.mixed and value.text:
            parts = element.holder.parts
            if parts and self.is_parted:
                parts.append(Value(" ", (start,), (start,), str))
            parts.append(value)
            self.is_parted = False

    def _end(self, element: _Element) -> None:
        """Add the text of an element that ends, unless it is a part of another's."""
        if element.parts:
            value = _joined(element.parts)
            line = self.document.source.line_of(value.starts[0])
            add_string(self.document, value, f"line {line}, {_shown(element.name)}", element.label)
            element.parts.clear()
        if element.children and not element.mixed:
            self.document.end_block(0)

    def _add_attribute(self, one: Attribute, where: str) -> None:
        if one.name.startswith(_TECHNICAL):
            return
        if one.start == one.end:
            if _VALUE_NAME.search(one.name):
                self.document.note_unread(where, "the name of an attribute")
            return
        encode = self.encoders[one.quote or '"']
        value = self.all.decoded(ENTITY, meaning, encode, one.start, one.end)
        if _VALUE.search(value.text):
            before = self.document.source.text[max(0, one.start - _NEAR) : one.start]
            written = before.rpartition("=")[0].rstrip()[-len(one.name) :]
            add_string(self.document, value, where, label_of((written.rpartition(":")[2],)))

    def _add_remark(self, token: Token, where: str) -> None:
        """Add a comment, an instruction or a declaration."""
        text = self.document.source.text[token.start : token.end]
        trivial = token.kind == "other" and text[:4].lower() == "xml "
        trivial |= text[:7].lower() == "doctype" and "[" not in text
        if not trivial and _VALUE.search(text):
            value = Value.plain(self.document.source, token.start, token.end, _in_remark)
            what = "comment" if token.kind == "comment" else "declaration"
            self.document.add(value, f"{where}, {what}", "", "\n\n")


def _joined(parts: list[Value]) -> Value:
    if len(parts) == 1:
        return parts[0]
    starts, ends = array("q"), array("q")
    for one in parts:
        starts.extend(one.starts)
        ends.extend(one.ends)
    return Value("".join(one.text for one in parts), starts, ends, parts[0].encode)


def _shown(name: str) -> str:
    return name if is_identifier(name.rpartition(":")[2]) else "element"


def _in_section(new: str) -> str:
    return new.replace("]]>", "]] >")


def _in_remark(new: str) -> str:
    return _SIGNS.sub(" ", new)


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield the text of an XML file: as it is, without entities, and as Python reads it."""
    text = decoded(data, name)
    yield "source", text
    yield "source without entities", unescape(text)
    yield "text", unescape(re.sub(r"<!\[CDATA\[|\]\]>|<[^<>]*>", "", text))
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        return
    yield "elements", "".join(root.itertext())
    yield "attributes", "\n".join(value for one in root.iter() for value in one.attrib.values())
