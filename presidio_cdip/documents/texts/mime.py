"""Split mail into its headers and bodies, with the positions of each, without recursion."""

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.parser import HeaderParser
from typing import NamedTuple

from presidio_cdip.documents.texts.sources import words
from presidio_cdip.errors import UnreadableInput

_FIELD = re.compile(r"([!-9;-~]+)[ \t]*:((?:[^\r\n]++|\r?\n(?=[ \t])|\r(?!\n))*+)(?:\r?\n|\Z)")
_BREAK = re.compile(r"\r?\n")
_MARK = re.compile(r"(?:\xef\xbb\xbf|\s)*+")  # a byte order mark, and blank lines
_NAMES = words(
    "bcc cc content-disposition content-transfer-encoding content-type date delivered-to from "
    "message-id mime-version received reply-to return-path sender subject to x-mozilla-status"
)
_LINES_BEFORE = 6  # in which a header begins
_ENVELOPE = re.compile(r"From [^\r\n]*\r?\n")
_MESSAGE = re.compile(r"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From (?=[^\r\n]*\d{2}:\d{2})")
_DEEPEST = 100  # levels of parts in parts
_LONGEST_FIELD = 20_000  # characters; the standard library's time grows with the square
_BASE64_LINE = 57  # bytes in a line of base64


class Field(NamedTuple):
    """A header field.

    Attributes:
        name: Its name, in small letters.
        start: Where its line begins.
        value: Where its value begins.
        stop: Where its value ends.
        end: Where the next field begins.
    """

    name: str
    start: int
    value: int
    stop: int
    end: int


@dataclass
class Entity:
    """A message, or a part of one.

    Attributes:
        start: Where its headers begin.
        body: Where its body begins.
        end: Where it ends.
        where: What it is: ``"message"``, ``"part 2.1"``.
        depth: How deep it stands in others.
        fields: Its header fields.
        head: The same, as the standard library reads them.
        parts: The parts that it has.
        between: Where text stands before, between and after the parts.
        cut: For a part, where it begins with the line that parts it from the one before.
    """

    start: int
    end: int
    where: str
    depth: int = 0
    cut: int = 0
    body: int = 0
    fields: list[Field] = field(default_factory=list)
    head: Message = field(default_factory=Message)
    parts: list["Entity"] = field(default_factory=list)
    between: list[tuple[int, int]] = field(default_factory=list)

    @property
    def type(self) -> str:
        """Return the type of its content, such as ``"text/plain"``."""
        return self.head.get_content_type()

    @property
    def coding(self) -> str:
        """Return the encoding of its body for transfer."""
        return str(self.head.get("content-transfer-encoding", "7bit")).split(";")[0].strip().lower()


def messages(text: str, is_box: bool) -> Iterator[Entity]:
    """Yield the messages of a mail or a mailbox."""
    starts = [match.start() for match in _MESSAGE.finditer(text)] if is_box else []
    if not starts or starts[0]:
        starts.insert(0, 0)
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), 1):
        yield Entity(start, end, f"message {number}" if is_box else "message")


def entities(text: str, root: Entity, name: str, most: int) -> Iterator[Entity]:
    """Yield *root*, read, and the parts in it, each before the parts it has.

    Raises:
        UnreadableInput: It has more than *most* parts, or they stand too deep in each other.
    """
    left, count = [root], 0
    while left:
        entity = left.pop()
        count += 1
        if count > most:
            raise UnreadableInput(name, f"has more than {most:,} parts")
        if entity.depth > _DEEPEST:
            raise UnreadableInput(
                name,
                f"has parts nested over {_DEEPEST} deep: save the inner messages by themselves",
            )
        _read_head(text, entity)
        for one in entity.fields:
            if one.name.startswith("content-") and one.end - one.start > _LONGEST_FIELD:
                raise UnreadableInput(name, f"has a field {one.name} too long to be read")
        _read_parts(text, entity)
        yield entity
        left += reversed(entity.parts)


def _read_head(text: str, entity: Entity) -> None:
    at = entity.start if entity.cut else _header(text, entity.start, entity.end)
    if match := _ENVELOPE.match(text, at, entity.end):
        at = match.end()
    begin = at
    while match := _FIELD.match(text, at, entity.end):
        entity.fields.append(Field(match[1].lower(), at, *match.span(2), match.end()))
        at = match.end()
    blank = _BREAK.match(text, at, entity.end)
    entity.head = HeaderParser().parsestr(text[begin:at].replace("\r\n", "\n"))
    entity.body = blank.end() if blank else at


def _header(text: str, start: int, end: int) -> int:
    """Return where the header of a message begins: behind a mark, blank lines and lines of junk.

    Other programs do not read it there, but people open such files, and read what is in them.
    """
    at = start
    for _ in range(_LINES_BEFORE):
        if match := _MARK.match(text, at, end):
            at = match.end()
        envelope = _ENVELOPE.match(text, at, end)
        behind = envelope.end() if envelope else at
        while field := _FIELD.match(text, behind, end):
            if field[1].lower() in _NAMES:
                return at
            behind = field.end()
        line = _BREAK.search(text, at, end)
        if envelope or line is None:
            break
        at = line.end()
    return start


def _read_parts(text: str, entity: Entity) -> None:
    plain = entity.coding in ("7bit", "8bit", "binary", "")
    if entity.type in ("message/rfc822", "message/global", "message/news") and plain:
        where = f"{entity.where}, message in it"
        entity.parts = [Entity(entity.body, entity.end, where, entity.depth + 1)]
        return
    boundary = entity.head.get_boundary()
    if not (entity.head.get_content_maintype() == "multipart" and boundary):
        return
    line = re.compile(rf"(?:^|(\r?\n))--{re.escape(boundary)}(--)?[ \t]*(?:\r?\n|\Z)", re.M)
    at, number, cut = entity.body, 0, 0
    for match in line.finditer(text, entity.body, entity.end):
        if match.start() < at:
            continue
        if not number:
            entity.between.append((at, match.start()))
        else:
            _add_part(entity, at, match.start(), number, cut)
        at, number, cut = match.end(), number + 1, match.end(1) if match[1] else match.start()
        if match[2]:
            entity.between.append((at, entity.end))
            return
    if number:
        _add_part(entity, at, entity.end, number, cut)


def _add_part(entity: Entity, start: int, end: int, number: int, cut: int) -> None:
    before, _, inner = entity.where.rpartition("part ")
    name = f"{before}part {inner}.{number}" if before or inner[:1].isdigit() else ""
    where = name or f"{entity.where}, part {number}"
    entity.parts.append(Entity(start, end, where, entity.depth + 1, cut))


def decoded(text: str, coding: str) -> bytes | None:
    """Return the bytes of a body; None if they cannot be told."""
    data = text.encode("latin-1")
    if coding in ("7bit", "8bit", "binary", ""):
        return data
    if coding == "quoted-printable":
        return binascii.a2b_qp(data)
    if coding != "base64":
        return None
    data = re.sub(rb"[^A-Za-z0-9+/]", b"", data.partition(b"=")[0])
    try:
        return base64.b64decode(data + b"=" * (-len(data) % 4))
    except binascii.Error:
        return base64.b64decode(data[: len(data) // 4 * 4])


def encoded(data: bytes, coding: str, old: str) -> str:
    """Return *data* as it is written in the place of the body *old*."""
    if coding == "quoted-printable":
        return binascii.b2a_qp(data, istext=True).decode("latin-1")
    if coding != "base64":
        return data.decode("latin-1")
    end = "\r\n" if "\r\n" in old else "\n"
    lines = (
        base64.b64encode(data[at : at + _BASE64_LINE]).decode()
        for at in range(0, len(data), _BASE64_LINE)
    )
    return end.join(lines) + old[len(old.rstrip()) :]
