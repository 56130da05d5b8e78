"""Read and write mail and mailboxes; parts without an edit stay byte for byte."""

import email
import email.errors
import email.header
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import PurePath

from presidio_cdip.documents.formats import format_of
from presidio_cdip.documents.segments import Document, Edits, Note, Place, Settings
from presidio_cdip.documents.texts import cards, markup
from presidio_cdip.documents.texts.encodings import Change, Source
from presidio_cdip.documents.texts.mail_headers import (
    QUIET,
    SIGNATURES,
    WITH_PARAMETERS,
    file_names,
    unfolded,
)
from presidio_cdip.documents.texts.mime import Entity, decoded, encoded, entities, messages
from presidio_cdip.documents.texts.sources import File, SourceDocument, add_lines, one_line
from presidio_cdip.documents.texts.values import Value
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.files.inputs import is_image

_ENCRYPTED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "multipart/encrypted")
_SIGNED = re.compile(r"application/(?:x-)?(?:pgp-signature|pkcs7-signature)")
_ARMOUR = re.compile(r"-----BEGIN PGP (?:MESSAGE|SIGNATURE)-----")
_UNREAD_ARMOUR = "encrypted or signed text in a body"
_SIGNATURE = "a signature, which is void when the message changes"
_CARDS = ("text/calendar", "text/vcard", "text/x-vcard", "text/directory")
_PLAIN = re.compile(r"[\w.,/\s-]*")
_SOFT = re.compile(r" \r?\n")
_FLOWING = re.compile(r"(?:[^\r\n]* \r?\n)*[^\r\n]+")
_LONGEST_HEADER = 50_000
_SUFFIXES = {"plain": "txt", "jpeg": "jpg", "tiff": "tif", "calendar": "ics", "xml": "xml",
             "rfc822": "eml", "svg+xml": "svg"}  # fmt: skip


@dataclass
class _Nested:
    """A body that is a document of its own."""

    document: SourceDocument
    segment: int
    file: int
    start: int
    end: int
    encode: Callable[[bytes], str]


@dataclass
class MailDocument(SourceDocument):
    """A mail: header fields stand in its source, bodies are documents of their own."""

    nested: list[_Nested] = field(default_factory=list)

    def nest(self, inner: SourceDocument, where: str, start: int, end: int,
             encode: Callable[[bytes], str]) -> None:  # fmt: skip
        """Add a body.

        Args:
            inner: The body, read.
            where: Of which part it is.
            start: Where it begins in the source.
            end: Where it ends.
            encode: How its bytes are written there.
        """
        first = _Nested(inner, len(self.segments), len(self.embedded), start, end, encode)
        self.nested.append(first)
        outer = Place(where)
        for segment, value in zip(inner.segments, inner.values, strict=True):
            self.add(value, segment.place.within(outer).where, segment.label, segment.after)
        for file, slot in zip(inner.embedded, inner.files, strict=True):
            self.embed(file.data, slot, file.place.within(outer).where, file.name)
        for note in inner.unread:
            self.note_unread(note.within(outer).place.where, note.what)

    def write(self, edits: Edits, embedded: Mapping[int, bytes | None]) -> bytes:
        """Return the mail with other text."""
        own_edits, own_files = dict(edits), dict(embedded)
        for one in self.nested:
            numbers = range(one.segment, one.segment + len(one.document.segments))
            files = range(one.file, one.file + len(one.document.embedded))
            inner = {n - one.segment: own_edits.pop(n) for n in numbers if n in own_edits}
            inner_files = {n - one.file: own_files.pop(n) for n in files if n in own_files}
            new = one.document.write(inner, inner_files)
            if new != one.document.source.data:
                self.cuts.append(Change(one.start, one.end, one.encode(new)))
        return super().write(own_edits, own_files)


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read a mail, or each message of a mailbox.

    Raises:
        UnreadableInput: It is encrypted, or no mail.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix == ".emlx":
        raise UnreadableInput(name, "is a message of Apple Mail: save it as .eml")
    document = MailDocument(Source.bytewise(data, name), settings)
    text = document.source.text
    if "\r" in text and "\n" not in text:
        raise UnreadableInput(name, "has line ends that mail has not: save it with LF or CR LF")
    is_box = suffix == ".mbox" or text.startswith("From ")
    is_mail = False
    removed: list[Note] = []
    for root in messages(text, is_box):
        skipped: set[int] = set()
        for entity in entities(text, root, name, settings.max_parts):
            if id(entity) in skipped:
                continue
            is_mail |= entity.depth == 0 and bool(entity.fields)
            _add_fields(document, entity, removed)
            if _is_encrypted(entity):
                if entity.depth == 0 and not is_box:
                    raise UnreadableInput(
                        name, "is encrypted or signed as a whole: open it and save its text"
                    )
                document.note_unread(entity.where, "an encrypted part")
                skipped.update(id(one) for one in entity.parts)
            elif entity.type == "multipart/signed":
                skipped.update(_unsign(document, entity, removed))
            if entity.parts:
                for start, end in entity.between:
                    add_lines_of(document, entity, start, end)
            elif not _is_encrypted(entity):
                _add_body(document, entity)
    document.removed = removed
    if text.strip() and not is_mail:
        raise UnreadableInput(name, "is no mail: rename it .txt to treat it as text")
    return document


def _is_encrypted(entity: Entity) -> bool:
    return entity.type in _ENCRYPTED


def _unsign(document: MailDocument, entity: Entity, removed: list[Note]) -> Iterator[int]:
    """Remove the signatures of a signed part; yield which parts they are."""
    for part in entity.parts:
        end = part.start
        while end < part.end and (line := document.source.text.find("\n", end, part.end)) >= 0:
            if not document.source.text[end:line].strip():
                break
            end = line + 1
        if _SIGNED.search(document.source.text[part.start : end].lower()):
            document.cuts.append(Change(part.cut, _after(document.source.text, part.end), ""))
            removed.append(Note(Place(part.where), _SIGNATURE))
            yield id(part)
    for one in entity.fields:
        if one.name == "content-type":
            at = document.source.text.lower().index("multipart/signed", one.value)
            document.cuts.append(Change(at, at + len("multipart/signed"), "multipart/mixed"))


def _after(text: str, end: int) -> int:
    """Return the offset after the line end at *end*."""
    return end + (2 if text.startswith("\r\n", end) else text.startswith("\n", end))


def _add_fields(document: MailDocument, entity: Entity, removed: list[Note]) -> None:
    text = document.source.text
    envelope = entity.fields[0].start if entity.fields else entity.body
    if text[entity.start : envelope].strip():
        add_lines_of(document, entity, entity.start, envelope)
    for one in entity.fields:
        if one.name in SIGNATURES:
            document.cuts.append(Change(one.start, one.end, ""))
            removed.append(Note(Place(f"{entity.where}, {one.name}"), _SIGNATURE))
            continue
        if one.name in QUIET and _PLAIN.fullmatch(text, one.value, one.stop):
            continue
        start, end = one.value, one.stop
        start += len(text[start:end]) - len(text[start:end].lstrip())
        end -= len(text[start:end]) - len(text[start:end].rstrip())
        if start >= end:
            continue
        value = Value.plain(document.source, start, end, str)
        if one.name in WITH_PARAMETERS:
            for label, name in file_names(value, one):
                if name.text.strip():
                    document.add(name, f"{entity.where}, {one.name} {label}", label)
            continue
        label = text[one.start : one.value].rstrip(": \t").replace("-", " ")
        document.add(unfolded(value), f"{entity.where}, {one.name}", label)
    document.end_block(0)


def add_lines_of(document: MailDocument, entity: Entity, start: int, end: int) -> None:
    """Add text that stands beside the parts of a message."""
    inner = SourceDocument(
        Source.opened(document.source.data[start:end], document.source.name), document.settings
    )
    add_lines(inner)
    document.nest(inner, entity.where, start, end, lambda data: data.decode("latin-1"))


def _add_body(document: MailDocument, entity: Entity) -> None:
    text = document.source.text[entity.body : entity.end]
    if not text.strip():
        return
    coding, kind = entity.coding, entity.type
    data = decoded(text, coding)
    if data is None:
        document.note_unread(entity.where, "a body in an encoding that is not known here")
        return

    def encode(new: bytes) -> str:
        return encoded(new, coding, text)

    if kind in ("text/csv", "text/json", "text/xml") or not kind.startswith(("text/", "message/")):
        name = _header(entity.head.get_filename() or "") or _name(kind)
        file = File(entity.body, entity.end, lambda new: "" if new is None else encode(new))
        document.embed(data, file, entity.where, name)
        return
    charset = entity.head.get_content_charset("") or ""
    packed = is_image(data) or format_of(data, "") is not None or data.startswith(b"{\\rtf")
    if packed and entity.head.keys():
        name = _header(entity.head.get_filename() or "") or "attachment"  # a text by name only
        file = File(entity.body, entity.end, lambda new: "" if new is None else encode(new))
        document.embed(data, file, entity.where, name)
        return
    try:
        source = Source.opened(data, document.source.name, charset)
    except UnreadableInput:
        document.note_unread(entity.where, "a text in an encoding that is not known here")
        return
    if data.isascii() and (coding in ("7bit", "") or charset in ("", "us-ascii")):
        source.encoding = "ascii"
    inner = _read(source, kind, document.settings, _is_joined(entity))
    document.nest(inner, entity.where, entity.body, entity.end, encode)
    if _ARMOUR.search(source.text):
        document.note_unread(entity.where, _UNREAD_ARMOUR)


def _is_joined(entity: Entity) -> bool:
    """Return whether the lines of a body that end with a blank go on without it (RFC 3676)."""
    return str(entity.head.get_param("delsp", "")).lower() == "yes"


def _read(source: Source, kind: str, settings: Settings, joined: bool) -> SourceDocument:
    """Return the text of a body as a document."""
    if kind in ("text/html", "text/x-html"):
        return markup.read(source, settings)
    if kind in _CARDS:
        return cards.read(source, settings)
    document = SourceDocument(source, settings)
    if not joined:
        add_lines(document)
        return document
    everything = Value.plain(source, 0, len(source.text), str)
    for match in _FLOWING.finditer(source.text):
        value = everything.decoded(_SOFT, lambda unit: "", one_line, *match.span())
        if value.text.strip():
            document.add(value, f"line {source.line_of(match.start())}")
    return document


def _name(kind: str) -> str:
    sort = kind.partition("/")[2]
    return f"attachment.{_SUFFIXES.get(sort, sort) or 'bin'}"


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield the text of a mail: as it is, its header fields and its bodies, all decoded."""
    yield "source", data.decode("utf-8", "replace")
    yield "source without folds", re.sub(r"\r?\n[ \t]|=\r?\n", "", data.decode("latin-1"))
    for one in re.split(rb"(?m)^(?=From )", data):
        message = re.sub(rb"\A(?:\xef\xbb\xbf|\s)*(?:[^:\n]*\n)?\s*", b"", one)
        try:
            parts = list(email.message_from_bytes(message).walk())
        except RecursionError:
            continue
        for number, part in enumerate(parts):
            for field_name, value in part.items():
                yield f"part {number}, {field_name.lower()}", _header(str(value))
            yield f"part {number}, file name", _header(part.get_filename() or "")
            if part.is_multipart() or part.get_content_maintype() != "text":
                continue
            body = part.get_payload(decode=True)
            if isinstance(body, bytes):
                yield from _bodies(f"part {number}", body, part.get_content_charset("") or "utf-8")


def _header(value: str) -> str:
    if len(value) > _LONGEST_HEADER:
        return value  # the standard library takes a time that grows with the square
    try:
        return str(email.header.make_header(email.header.decode_header(value)))
    except (LookupError, UnicodeError, ValueError, email.errors.HeaderParseError):
        return value


def _bodies(where: str, body: bytes, charset: str) -> Iterator[tuple[str, str]]:
    try:
        text = body.decode(charset, "replace")
    except LookupError:
        text = body.decode("utf-8", "replace")
    yield where, text
    yield f"{where} without tags", unescape(re.sub(r"<[^<>]*>", "", text))
    yield f"{where} without folds", re.sub(r"\r?\n[ \t]| \r?\n", "", text)
