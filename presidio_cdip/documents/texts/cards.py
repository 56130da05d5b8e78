"""Read and write cards and calendars (vCard, iCalendar); what has no edit stays byte for byte."""

import base64
import quopri
import re
from collections.abc import Iterator

from presidio_cdip.documents.segments import Document, Settings
from presidio_cdip.documents.texts import data_uris
from presidio_cdip.documents.texts.encodings import Source
from presidio_cdip.documents.texts.json_scan import label_of
from presidio_cdip.documents.texts.sources import File, SourceDocument, one_line
from presidio_cdip.documents.texts.structured import add_files
from presidio_cdip.documents.texts.values import Value
from presidio_cdip.files.inputs import decode

_LINE = re.compile(r"(?:[^\r\n]++|\r?\n(?=[ \t]))++")
_SOFT_BREAK = re.compile(r"=\r?\n[^\r\n]*")
_HEAD = re.compile(r'[^:"]*(?:"[^"]*"[^:"]*)*:')
_FOLD = re.compile(r"\r?\n[ \t]|\\[,;nN\\]")
_QUOTED = re.compile(r";(?:ENCODING=)?QUOTED-PRINTABLE(?=[;:])", re.I)
_BASE64 = re.compile(r";(?:ENCODING=)?(?:B|BASE64)(?=[;:])", re.I)
_CHARSET = re.compile(r";CHARSET=\"?([\w.:-]+)", re.I)
_NEXT = "=[89ABab][0-9A-Fa-f]"
_LETTER = re.compile(
    f"=[Ff][0-4](?:{_NEXT}){{3}}|=[Ee][0-9A-Fa-f](?:{_NEXT}){{2}}|=[CDcd][0-9A-Fa-f]{_NEXT}"
    r"|=[0-9A-Fa-f]{2}|=\r?\n"
)
_BYTE = re.compile(r"=[0-9A-Fa-f]{2}|=\r?\n")
_FRAME = re.compile(
    r"(?:(?:BEGIN|END):(?:VCARD|VCALENDAR|VEVENT|VTODO|VJOURNAL|VFREEBUSY|VTIMEZONE|VALARM|STANDARD"
    r"|DAYLIGHT)|VERSION:\d\.\d|CALSCALE:GREGORIAN|METHOD:(?:PUBLISH|REQUEST|REPLY|ADD|CANCEL"
    r"|REFRESH|COUNTER|DECLINECOUNTER))[ \t]*",
    re.I,
)
_MORE = re.compile(r"(?:\r?\n[ \t]*[A-Za-z0-9+/=]++[ \t]*(?=[\r\n]|\Z))*+")  # unfolded base64
_SPACED = re.compile(r"\s+")
_DAMAGED = "a file in a card or calendar that does not decode"


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read a file of cards, or a calendar.

    Raises:
        UnreadableInput: It is no text.
    """
    return read(Source.opened(data, name), settings)


def read(source: Source, settings: Settings) -> SourceDocument:
    """Return *source* as a document of properties, one a line."""
    document = SourceDocument(source, settings)
    text, at = source.text, 0
    everything = Value.plain(source, 0, len(text), str)
    while match := _LINE.search(text, at):
        start, at = match.span()
        head = _HEAD.match(text, start, at)
        where = f"line {source.line_of(start)}"
        if head and _QUOTED.search(head[0]):
            at = _end_of_quoted(text, at)
            value = _quoted(everything, head, at)
            if value.text.strip():
                document.add(value, where, label_of((_name(head[0]),)))
        elif head and _BASE64.search(head[0]):
            more = _MORE.match(text, at)
            at = more.end() if more else at
            _add_file(document, everything, head, at, where)
        elif not _FRAME.fullmatch(text, start, at):
            _add_line(document, everything.decoded(_FOLD, _of_fold, _written, start, at), where)
    return document


def _end_of_quoted(text: str, at: int) -> int:
    """Return where a value in quoted-printable ends, of which the first line ends at *at*."""
    while text[at - 1] == "=" and (more := _SOFT_BREAK.match(text, at - 1)):
        at = more.end()
    return at


def _quoted(everything: Value, head: re.Match[str], end: int) -> Value:
    """Return the text of a value in quoted-printable."""
    given = _CHARSET.search(head[0])
    charset = given[1] if given else "utf-8"

    def meaning(unit: str) -> str:
        if unit[1] in "\r\n":
            return ""
        data = bytes.fromhex(unit.replace("=", ""))
        try:
            return data.decode(charset)
        except (LookupError, UnicodeError):
            return data.decode("utf-8", "presidio_cdip.bytewise")

    def encode(new: str) -> str:
        try:
            data = one_line(new).encode(charset)
        except (LookupError, UnicodeError):
            data = one_line(new).encode("utf-8", "replace")
        return "".join(
            chr(byte) if chr(byte).isalnum() and byte < 128 else f"={byte:02X}" for byte in data
        )

    units = _LETTER if charset.lower().replace("-", "") == "utf8" else _BYTE
    return everything.decoded(units, meaning, encode, head.end(), end)


def _add_file(
    document: SourceDocument, everything: Value, head: re.Match[str], end: int, where: str
) -> None:
    """Add the file, or the text, that stands in base64."""
    text = _SPACED.sub("", everything.text[head.end() : end])
    if not text:
        return
    data = data_uris.decoded(text.encode("ascii", "replace"))
    if data is None:
        document.note_unread(where, _DAMAGED)
        return
    file = File(head.end(), end, data_uris.in_base64)
    document.embed(data, file, where, f"{_name(head[0]).lower()}.bin")


def _add_line(document: SourceDocument, value: Value, where: str) -> None:
    if value.text.strip():
        hidden = data_uris.in_addresses(value.text)
        for stretch in add_files(document, value, hidden, where):
            document.add(stretch, where)


def _name(head: str) -> str:
    return re.split(r"[;:]", head.rpartition(".")[2] if "." in head.split(";")[0] else head)[0]


def _of_fold(unit: str) -> str:
    """Return the text that a fold or an escape stands for."""
    return "" if unit[0] in "\r\n" else unit[1].replace("n", "\n").replace("N", "\n")


def _written(new: str) -> str:
    return one_line(new).replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;")


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield the text of a card: as it is, without folds, without quoted-printable, base64."""
    text = decode(data, name)
    yield "source", text
    plain = re.sub(r"\r?\n[ \t]|\\(?=[,;\\])", "", text)
    yield "source without folds", plain
    yield "quoted-printable", quopri.decodestring(text.encode("utf-8")).decode("utf-8", "replace")
    for found in re.findall(r"[A-Za-z0-9+/]{12,}={0,2}", plain):
        try:
            yield "base64", base64.b64decode(found).decode("utf-8", "replace")
        except ValueError:
            continue
