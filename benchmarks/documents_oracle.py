"""Search a document for values by means that share nothing with the code measured here.

The file is searched as bytes, in many encodings, and as what it unpacks to: members of packages,
parts of mails, objects and streams of PDF files, earlier revisions of them, pictures by OCR; files
in it are searched like it. Texts are compared without blanks and case, so that a value that is
broken over runs, lines or cells is seen.
"""

import base64
import binascii
import html
import io
import json
import quopri
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

DEPTH = 5
"""The depth to which files in files are searched."""
LARGEST = 20_000_000
"""Bytes of the largest file whose texts are searched in all encodings."""
CODES = 500
"""Stretches of base64 that are decoded in a file."""
DPI = 150

View = tuple[str, str]
"""Where a text stands, and the text."""


@dataclass
class Left:
    """The values that a document still has.

    Attributes:
        found: Each value that was seen, and where.
        unread: What could not be opened.
    """

    found: set[tuple[str, str]] = field(default_factory=set)
    unread: list[str] = field(default_factory=list)


def left_in(data: bytes, name: str, sought: Iterable[str], *, ocr: bool = True) -> Left:
    """Search a document.

    Args:
        data: Its bytes.
        name: Its name; it tells which formats of text to try.
        sought: The values.
        ocr: Whether to read pictures and rendered pages.
    """
    left = Left()
    needles = {value: needles_of(value) for value in sought}
    for where, text in _Search(left, ocr).views(data, name, "file", 0):
        plain = normal(text)
        for value, forms in needles.items():
            if any(form in plain for form in forms):
                left.found.add((value, where))
    return left


def normal(text: str) -> str:
    """Return *text* without case, blanks and characters that are not seen."""
    kept = (
        letter
        for letter in unicodedata.normalize("NFKC", text)
        if not letter.isspace() and letter not in "\0\xad\u200b\u200c\u200d\ufeff"
    )
    return "".join(kept).casefold()


def needles_of(value: str) -> set[str]:
    """Return how *value* looks as text, and in hexadecimal and base64."""
    forms = {normal(value)}
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        data = value.encode(encoding)
        forms.add(data.hex())
        if len(data) > 8:
            forms |= {_base64(data, shift).casefold() for shift in range(3)}
    return forms


def _base64(data: bytes, shift: int) -> str:
    """Return the base64 of *data* that starts *shift* bytes into a group, without its ends."""
    text = base64.b64encode(bytes(shift) + data).decode().rstrip("=")
    return text[4 if shift else 0 : len(text) // 4 * 4 - 4]


class _Search:
    """Yields the texts of a document."""

    def __init__(self, left: Left, ocr: bool) -> None:
        self._left, self._ocr = left, ocr

    def views(self, data: bytes, name: str, where: str, depth: int) -> Iterator[View]:
        """Yield the texts of a file, and of the files in it."""
        yield from encodings(data, where)
        if depth > DEPTH:
            return
        if len(data) <= LARGEST:
            yield from self.coded(data, where, depth)
        for known, reader in (
            (data.startswith(b"PK"), self.package),
            (b"%PDF-" in data[:2048], self.pdf),
            (_is_image(data), self.picture),
            (data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<") or b"\0<" in data[:9], self.xml),
            (name.endswith((".eml", ".mbox")), self.mail),
            (name.endswith((".json", ".jsonl")), self.json),
        ):
            if not known:
                continue
            try:
                yield from reader(data, where, depth)
            except Exception as error:
                self._left.unread.append(f"{where}: {reader.__name__}: {type(error).__name__}")

    def coded(self, data: bytes, where: str, depth: int) -> Iterator[View]:
        """Yield the contents of base64 and uuencode, and the data that they unpack to."""
        for number, code in enumerate(re.findall(rb"[A-Za-z0-9+/_-]{40,}", b"".join(data.split()))):
            if number >= CODES:
                return
            plain = base64.urlsafe_b64decode(
                code.replace(b"+", b"-").replace(b"/", b"_")[: len(code) // 4 * 4]
            )
            yield from self.unpacked(plain, f"{where} > code {number}", depth)
        for block in re.findall(rb"(?s)\nbegin \d+ .*?\n(.*?)\n`?\s*end", data):
            lines = [line for line in block.splitlines() if line.strip(b"`")]
            yield from encodings(b"".join(map(binascii.a2b_uu, lines)), f"{where} > letters")
        if data.startswith(b"\x1f\x8b"):
            yield from self.unpacked(data, where, depth)

    def unpacked(self, data: bytes, where: str, depth: int) -> Iterator[View]:
        """Yield the texts of data that may be packed."""
        yield from encodings(data, where)
        for wbits in (15, 31):
            try:
                inner = zlib.decompressobj(wbits).decompress(data, LARGEST)
            except zlib.error:
                continue
            yield from encodings(inner, f"{where} > packed")
        at = data.find(b"PK\3\4", 0, 64)
        if at >= 0 and zipfile.is_zipfile(io.BytesIO(data[at:])):
            yield from self.views(data[at:], "", f"{where} > package", depth + 1)

    def package(self, data: bytes, where: str, depth: int) -> Iterator[View]:
        """Yield the texts of a ZIP file."""
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            yield f"{where}, comment", package.comment.decode("latin-1")
            for info in package.infolist():
                place = f"{where} > {info.filename}"
                yield f"{place}, name", info.filename
                yield f"{place}, comment", (info.comment + info.extra).decode("latin-1")
                yield from self.views(package.read(info), info.filename, place, depth + 1)

    def xml(self, data: bytes, where: str, depth: int) -> Iterator[View]:
        """Yield the texts of XML or HTML: without tags, and attributes."""
        from lxml import etree

        parser = etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False)
        root = etree.fromstring(data, parser)
        if root is None:
            return
        yield f"{where}, text", "".join(str(text) for text in root.itertext())
        names = (str(one.tag) for one in root.iter())
        yield f"{where}, names", "\n".join(names)
        for one in root.iter(etree.Element):
            for value in one.attrib.values():
                yield f"{where}, attribute", str(value)
        for address in re.findall(rb"data:[^,\"'> ]{0,80};base64,([A-Za-z0-9+/=\s]+)", data):
            try:
                inner = base64.b64decode(address)
            except binascii.Error:
                continue
            yield from self.views(inner, "", f"{where} > data address", depth + 1)

    def json(self, data: bytes, where: str, depth: int) -> Iterator[View]:
        """Yield the strings and keys of JSON."""
        text = data.decode(json.detect_encoding(data))
        try:
            values = [json.loads(text)]
        except ValueError:
            values = [json.loads(line) for line in text.splitlines() if line.strip()]
        for value in values:
            yield f"{where}, values", json.dumps(value, ensure_ascii=False)
            for leaf in _strings(value):
                yield f"{where}, string", leaf
                if leaf[:1] in "[{":
                    yield f"{where}, string", html.unescape(_unescaped(leaf))

    def mail(self, data: bytes, where: str, depth: int) -> Iterator[View]:
        """Yield the headers and parts of a mail."""
        from email import message_from_bytes, policy

        message = message_from_bytes(data, policy=policy.default)
        for number, part in enumerate(message.walk()):
            place = f"{where} > part {number}"
            for header, value in part.items():
                yield f"{place}, {header}", str(value)
            yield f"{place}, file name", part.get_filename() or ""
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                charset = part.get_content_charset() or "latin-1"
                try:
                    yield place, payload.decode(charset, "replace")
                except LookupError:
                    self._left.unread.append(f"{place}: charset")
                name = part.get_filename() or ""
                yield from self.views(payload, name, place, depth + 1)

    def picture(self, data: bytes, where: str, depth: int) -> Iterator[View]:
        """Yield the metadata of a picture, and what can be read on it."""
        from PIL import Image

        with Image.open(io.BytesIO(data)) as image:
            image.load()
            for key, value in image.info.items():
                text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                yield f"{where}, {key}", text
            for tag, noted in image.getexif().items():
                yield f"{where}, EXIF {tag}", str(noted)
            if self._ocr:
                yield f"{where}, OCR", read(_png(image))

    def pdf(self, data: bytes, where: str, depth: int) -> Iterator[View]:
        """Yield the texts of a PDF file, and of its earlier revisions."""
        from benchmarks import documents_oracle_pdf as pdf

        yield from pdf.streams(data, where)
        ends = [match.end() for match in re.finditer(rb"%%EOF", data)]
        for number, end in enumerate(ends[:-1]):
            earlier = f"{where}, revision {number}"
            if depth == 0:
                yield from self.views(data[:end], "", earlier, DEPTH - 1)
        steps = [pdf.objects(data, where), pdf.extracted(data, where)]
        if self._ocr:
            steps.append(pdf.rendered(data, where))
        for step in steps:
            try:
                yield from step
            except Exception as error:
                self._left.unread.append(f"{where}: {type(error).__name__}")
        for place, inner in pdf.files(data, where, self._left):
            yield from self.views(inner, "", place, depth + 1)


def encodings(data: bytes, where: str) -> Iterator[View]:
    """Yield a file as text in several encodings, and with several kinds of escapes resolved."""
    if len(data) > LARGEST:
        return
    plain = data.decode("latin-1")
    yield f"{where}, bytes", plain
    yield f"{where}, UTF-8", data.decode("utf-8", "replace")
    if b"\0" in data:
        for encoding in ("utf-16-le", "utf-16-be"):
            yield f"{where}, {encoding}", data.decode(encoding, "replace")
            yield f"{where}, {encoding}", data[1:].decode(encoding, "replace")
    if b"=" in data:
        yield f"{where}, quoted-printable", quopri.decodestring(data).decode("latin-1")
    if b"%" in data:
        yield f"{where}, percent-encoded", unquote(plain)
    if b"&" in data:
        yield f"{where}, character references", html.unescape(plain)
    if b"_20_" in data:
        yield f"{where}, names", plain.replace("_20_", " ")
    if b"\\u" in data:
        yield f"{where}, escapes", _unescaped(plain)


def _unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _is_image(data: bytes) -> bool:
    return data.startswith(
        (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM", b"RIFF")
    )


def _png(image: Any) -> bytes:
    out = io.BytesIO()
    flat = image.convert("RGB")
    flat.save(out, "PNG", compress_level=1)
    return out.getvalue()


@lru_cache(4096)
def read(png: bytes) -> str:
    """Return the text that Tesseract reads on a picture."""
    import pytesseract
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        if min(image.size) < 24 or not any(low != high for low, high in _ranges(image)):
            return ""
        return str(pytesseract.image_to_string(image, timeout=60))


def _ranges(image: Any) -> list[tuple[int, int]]:
    found = image.convert("RGB").getextrema()
    return [(int(low), int(high)) for low, high in found]


def inflated(data: bytes) -> bytes:
    """Unpack *data*, as far as it can be unpacked."""
    machine = zlib.decompressobj()
    try:
        return machine.decompress(data, LARGEST)
    except zlib.error:
        return b""
