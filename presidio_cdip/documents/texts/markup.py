"""Read and write HTML; all but the edited texts stays byte for byte.

Text of a block is one segment, whatever elements stand within its lines. Attributes, comments and
JSON in scripts come after the body.
"""

import re
import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from urllib.parse import unquote

from presidio_cdip.documents.segments import Document, Settings
from presidio_cdip.documents.texts import data_uris
from presidio_cdip.documents.texts.code import SCRIPT, STYLE, add_code
from presidio_cdip.documents.texts.encodings import Source
from presidio_cdip.documents.texts.json_scan import InvalidJson, Scanner, is_identifier
from presidio_cdip.documents.texts.markup_attributes import (
    Attributes,
    charset_of,
    decoded,
    encoder,
)
from presidio_cdip.documents.texts.markup_names import INLINE, JSON_TYPES, SAME_BLOCK, TEXT_TYPES
from presidio_cdip.documents.texts.markup_tables import Labels
from presidio_cdip.documents.texts.markup_tokens import ENTITY, Token, meaning, tokens
from presidio_cdip.documents.texts.sources import SourceDocument
from presidio_cdip.documents.texts.structured import add_files, add_json
from presidio_cdip.documents.texts.values import Encode, Value

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_UNITS = re.compile(rf"{ENTITY.pattern}|[ \t\r\n\f]+|[\xad\u200b\u2060\ufeff]+")
_KEPT = re.compile(rf"{ENTITY.pattern}|[\xad\u200b\u2060\ufeff]+")
_INVISIBLE = frozenset("\xad\u200b\u2060\ufeff")
_PREFORMATTED = frozenset(("pre", "textarea", "listing"))
_LONGEST_SCRIPT = 200_000  # characters: what is longer is a library
_LITERAL = re.compile(r"""["'`]([^"'`\\\n<>]*+)(?=["'`])""")
_LIKE_VALUE = re.compile(r"\d{4}|@[\w-]+\.|[A-Z][a-z]+ [A-Z][a-z]+")
_SCRIPT = "a long script with texts that look like values"
_COMMENT_SIGNS = re.compile(r"-->|--!>|<!--|[<>]")


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read an HTML file.

    Raises:
        UnreadableInput: It is no text.
    """
    return read(Source.opened(data, name, charset_of(data)), settings)


def read(source: Source, settings: Settings) -> SourceDocument:
    """Return *source* as a document of HTML."""
    reader = _Reader(SourceDocument(source, settings))
    for token in tokens(source.text):
        reader.read(token)
    reader.end_block("\n\n")
    reader.add_hidden()
    return reader.document


class _Reader:
    """Reads tokens; what is hidden is put off until the body is read."""

    def __init__(self, document: SourceDocument) -> None:
        self.document = document
        self.all = Value.plain(document.source, 0, len(document.source.text), str)
        self.labels = Labels()
        self.attributes = Attributes(document, self.all)
        self.hidden: list[tuple[Token, str]] = []
        self.encode = encoder(document.source, "")
        self.preformatted = 0
        self.script_type = ""
        self.block = ""  # the element in which text stands
        self._new_block()

    def _new_block(self) -> None:
        self.parts: list[str] = []
        self.starts, self.ends = array("q"), array("q")

    def read(self, token: Token) -> None:
        """Read a token."""
        if token.kind == "text":
            self._add_text(token)
        elif token.kind in ("start", "end"):
            self._read_tag(token)
        else:
            self.hidden.append((token, self.script_type))

    def _read_tag(self, token: Token) -> None:
        name = token.name
        if name not in INLINE:
            self.end_block("\n" if name in SAME_BLOCK else "\n\n")
            self.block = name if token.kind == "start" and is_identifier(name) else ""
        if token.attributes:
            self.hidden.append((token, self.labels.caption()))
        if token.kind == "start":
            self.script_type = self._attribute(token, "type").strip().lower()
            self.labels.enter(name, self._attribute(token, "colspan"))
        else:
            self.labels.leave(name)
        if name in _PREFORMATTED:
            self.preformatted = max(0, self.preformatted + (1 if token.kind == "start" else -1))

    def _attribute(self, token: Token, name: str) -> str:
        found = (one for one in token.attributes if one.name == name)
        return next((self.all.text[one.start : one.end] for one in found), "")

    def _add_text(self, token: Token) -> None:
        if not self.parts and _BLANKS.fullmatch(self.all.text, token.start, token.end):
            return
        units = _KEPT if self.preformatted else _UNITS
        node = self.all.decoded(units, _meaning, str, token.start, token.end)
        text, skip = node.text, 0
        after_blank = not self.parts or self.parts[-1].endswith(" ")
        if after_blank and text[:1] == " " and not self.preformatted:
            skip = 1
        if text[skip:]:
            self.parts.append(text[skip:])
            self.starts.extend(node.starts[skip:])
            self.ends.extend(node.ends[skip:])

    def end_block(self, after: str) -> None:
        """Add the text that was read since the last block."""
        text = "".join(self.parts)
        end = len(text.rstrip())
        start = len(text) - len(text.lstrip())
        if start < end:
            value = Value(text[start:end], self.starts[start:end], self.ends[start:end],
                          self.encode)  # fmt: skip
            label = self.labels.label_of(value.text)
            where = f"line {self.document.source.line_of(self.starts[start])}"
            self.document.add(
                value, f"{where}, {self.block}" if self.block else where, label, after
            )
        elif after == "\n\n":
            self.document.end_block(0)
        if self.parts:
            self._new_block()

    def add_hidden(self) -> None:
        """Add the texts that were put off."""
        for token, context in self.hidden:
            where = f"line {self.document.source.line_of(token.start)}"
            if token.kind in ("start", "end"):
                self.attributes.add(token, where, context)
            elif token.name == "script":
                self._add_script(token, where, context)
            elif token.name == "style":
                self._add_style(token, where)
            else:
                self._add_comment(token, where)

    def _add_script(self, token: Token, where: str, kind: str) -> None:
        text = self.document.source.text[token.start : token.end]
        where = f"{where}, script"
        if kind in JSON_TYPES or kind.endswith("+json"):
            try:
                self._add_json(token, where)
            except InvalidJson:
                self.document.note_unread(where, "a script that is not valid JSON")
        elif kind.startswith(TEXT_TYPES) and "javascript" not in kind:
            self._add_comment(token, where)
        elif len(text) <= _LONGEST_SCRIPT:
            add_code(self.document, self._stretch(token), where, SCRIPT)
        elif any(_LIKE_VALUE.search(one[1]) for one in _LITERAL.finditer(text)):
            self.document.note_unread(where, _SCRIPT)

    def _stretch(self, token: Token, encode: Encode = str) -> Value:
        return replace(self.all.stretch(token.start, token.end), encode=encode)

    def _add_json(self, token: Token, where: str) -> None:
        base = self._stretch(token, lambda new: new.replace("<", "\\u003c"))
        scanner = Scanner(base.text)
        text = base.text
        list(Scanner(text).items())  # all of it is valid, before any of it is added
        add_json(self.document, base, scanner, f"{where}, $")
        if scanner.more():
            raise InvalidJson(scanner.at)

    def _add_style(self, token: Token, where: str) -> None:
        style, where = self._stretch(token), f"{where}, style"
        list(add_files(self.document, style, data_uris.in_addresses(style.text), where))
        add_code(self.document, style, where, STYLE)

    def _add_comment(self, token: Token, where: str) -> None:
        """Add the text of a comment, a declaration or a script."""
        text = self.document.source.text[token.start : token.end]
        start = token.start + len(text) - len(text.lstrip())
        end = token.end - len(text) + len(text.rstrip())
        trivial = token.kind == "other" and text[:7].lower() == "doctype" and "[" not in text
        if start < end and not trivial and any(map(str.isalnum, text)):
            what = "comment" if token.kind == "comment" else token.name or "declaration"
            value = Value.plain(self.document.source, start, end, _commented)
            self.document.add(value, f"{where}, {what}", "", "\n\n")


def _meaning(unit: str) -> str:
    if unit[0] == "&":
        text = meaning(unit)
        return "" if text in _INVISIBLE else text
    return "" if unit[0] in _INVISIBLE else " "


def _commented(new: str) -> str:
    return _COMMENT_SIGNS.sub(" ", new)


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield the text of an HTML file: as it is, without tags, entities, percent signs, escapes."""
    text = decoded(data, name)
    yield "source", text
    plain = unescape(text)
    yield "source without entities", plain
    yield "source in one form", unicodedata.normalize("NFKC", plain)
    yield "addresses", unquote(plain).replace("+", " ")
    yield (
        "escapes of scripts",
        re.sub(r"\\u([0-9a-fA-F]{4})", lambda one: chr(int(one[1], 16)), plain),
    )
    without = "".join(
        part.partition("-->")[2] if number else part
        for number, part in enumerate(text.split("<!--"))
    )
    shown = unescape(re.sub(r"<[^<>]*>", "", without))
    yield "text", re.sub(r"[\xad\u200b\u2060\ufeff]", "", shown)
