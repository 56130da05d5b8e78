"""Identify document formats, and open a document with the module of its format."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Protocol, cast

from presidio_cdip.documents.segments import Document, Settings
from presidio_cdip.errors import CdipError, MissingDependency, UnreadableInput, place_of
from presidio_cdip.files.folders import IMAGES
from presidio_cdip.files.inputs import is_image


class Module(Protocol):
    """Define the interface of a format's module."""

    def opened(self, data: bytes, name: str, settings: Settings) -> Document:
        """Read a document.

        Args:
            data: Its bytes.
            name: Its name, for errors and to tell kinds of one format apart by their suffix.
            settings: How to read it.

        Raises:
            UnreadableInput: It cannot be read; the message says why, and what would help.
        """

    def extracted(self, data: bytes, name: str) -> Iterator[tuple[str, str]]:
        """Yield the places and texts of a document, as others might extract them.

        This shares no code with `opened`, and yields everything: unpacked parts as they are, text
        without its tags, attributes. It is how a document that was written is checked.
        """


class Cautious(Protocol):
    """Define the interface of a module that can also write a document in a safer way."""

    def again(self, data: bytes, settings: Settings, where: Collection[str]) -> Settings | None:
        """Return settings to write a document again of which an original is left.

        Args:
            data: The bytes of the document that was read.
            settings: How it was read and written.
            where: Where originals stand in what was written, as `Module.extracted` says.

        Returns:
            Settings that keep less of the document; None if there are none.
        """


@dataclass(frozen=True, slots=True)
class Format:
    """A document format.

    Attributes:
        name: Its name: the usual suffix.
        module: The module under `presidio_cdip.documents` that reads and writes it.
        suffixes: The suffixes of file names that tell it from plain text; formats that are known
            by their bytes need none.
        is_text: Whether a file is also a plain text.
        known: Returns from the bytes whether a file is one.
    """

    name: str
    module: str
    suffixes: tuple[str, ...] = ()
    is_text: bool = False
    known: Callable[[bytes], bool] = lambda data: False

    def load(self) -> Module:
        """Import the module.

        Raises:
            MissingDependency: The extra for documents is not installed.
        """
        try:
            return cast(Module, import_module(f"presidio_cdip.documents.{self.module}"))
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("presidio_cdip"):
                raise
            raise MissingDependency(
                f"the Python package {error.name}", 'pip install "presidio-cdip[documents]"'
            ) from None


_OLE = b"\xd0\xcf\x11\xe0"  # what office packages with a password are wrapped in
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def safer(
    data: bytes, name: str, kind: Format, settings: Settings, where: Collection[str]
) -> Settings | None:
    """Return settings to write a document again of which an original is left, or None.

    The arguments are those of `Cautious.again`, with the document's *name* and format.
    """
    module = kind.load()
    if not hasattr(module, "again"):
        return None
    with failing(name):
        return cast(Cautious, module).again(data, settings, where)


_HEAD = 65_536  # bytes in which the header of a mail ends
_FIELD = re.compile(rb"[!-9;-~]+:[ \t]")
_BEGINNING = 200  # bytes in which a text says what it is
_OBJECT = re.compile(rb"[{\[\s]*\"")
_BLANK = b"\xef\xbb\xbf \t\r\n"  # a byte order mark, and blank lines


def _is_pdf(data: bytes) -> bool:
    return b"%PDF-" in data[:1024]


def _package(*folders: str) -> Callable[[bytes], bool]:
    """Return a predicate: whether a ZIP file has parts in one of *folders*."""

    def known(data: bytes) -> bool:
        names = [name.lower().replace("\\", "/").lstrip("/") for name in _members(data)]
        return "[content_types].xml" in names and any(name.startswith(folders) for name in names)

    return known


def _is_odf(data: bytes) -> bool:
    if not data.startswith(b"PK\x03\x04") or b"mimetype" not in data[:60]:
        return False
    return b"application/vnd.oasis.opendocument." in data[:200] or "content.xml" in _members(data)


def _is_mail(data: bytes) -> bool:
    """Return whether *data* begins with the header of a MIME message."""
    head = data[:_HEAD].replace(b"\r\n", b"\n").lstrip(_BLANK).partition(b"\n\n")[0].lower()
    fields = {line.partition(b":")[0] for line in head.split(b"\n")}
    return _FIELD.match(head) is not None and (
        fields >= {b"mime-version", b"content-type"} or b"content-transfer-encoding" in fields
    )


def _is_card(data: bytes) -> bool:
    head = data[:40].lstrip(_BLANK).upper()
    return head.startswith((b"BEGIN:VCARD", b"BEGIN:VCALENDAR"))


def _is_html(data: bytes) -> bool:
    head = data[:_BEGINNING].lstrip(_BLANK).lower()
    return head.startswith((b"<!doctype html", b"<html"))


def _is_json(data: bytes) -> bool:
    """Return whether *data* is an object or array of JSON that holds a text, or lines of such."""
    beginning = data[:_BEGINNING].lstrip(_BLANK)
    if not _OBJECT.match(beginning) or data[-_BEGINNING:].rstrip()[-1:] not in (b"}", b"]"):
        return False
    try:
        text = data.decode("utf-8-sig").strip()
        return _is_value(text) or all(map(_is_value, filter(str.strip, text.split("\n"))))
    except (UnicodeDecodeError, RecursionError):
        return False


def _is_value(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _is_xml(data: bytes) -> bool:
    """Return whether *data* begins with the declaration of XML, in any encoding."""
    head = data[:200].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return head.startswith(b"<?xml")


def _members(data: bytes) -> list[str]:
    if not data.startswith(b"PK\x03\x04"):
        return []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return package.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return []


FORMATS = (
    Format("pdf", "pdf", known=_is_pdf),
    Format("docx", "office.word", known=_package("word/")),
    Format("xlsx", "sheets.sheet", known=_package("xl/")),
    Format("pptx", "office.slides", known=_package("ppt/")),
    Format("odt", "office.odf", known=_is_odf),
    Format(
        "json",
        "texts.structured",
        (".json", ".jsonl", ".ndjson", ".geojson", ".ipynb"),
        True,
        _is_json,
    ),
    Format("csv", "texts.table", (".csv", ".tsv", ".tab"), True),
    Format("eml", "texts.mail", (".eml", ".mbox", ".mht", ".mhtml", ".emlx"), True, _is_mail),
    Format("html", "texts.markup", (".html", ".htm", ".xhtml", ".svg"), True, _is_html),
    Format("vcf", "texts.cards", (".vcf", ".vcard", ".ics"), True, _is_card),
    Format("xml", "texts.records", (".xml",), True, _is_xml),
)
"""All document formats; any other file is a page image or a plain text."""

BINARY = frozenset(
    [".pdf", ".docx", ".docm", ".xlsx", ".xlsm", ".pptx", ".pptm", ".odt", ".ods", ".odp"]
)
"""Suffixes of documents that are no texts; their bytes say what they are."""


def format_of(data: bytes, name: str) -> Format | None:
    """Return the format of a document; None if it is a page image, a plain text or anything else.

    Args:
        data: Its bytes; they decide where they can.
        name: Its name; the suffix tells formats of text apart.
    """
    suffix = PurePath(name).suffix.lower()
    return next(
        (one for one in FORMATS if suffix in one.suffixes or one.known(data)),
        None,
    )


def check_suffix(data: bytes, name: str) -> None:
    """Check that a file is what its suffix says, where that is an image or no text.

    Raises:
        UnreadableInput: It is not; what is read as a text would pass as clean.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix in IMAGES and not is_image(data):
        raise UnreadableInput(name, "is named like an image, and is none")
    if suffix in BINARY and data.startswith(_OLE):
        if _ENCRYPTED in data:
            raise UnreadableInput(name, "is encrypted: save it without a password")
        raise UnreadableInput(
            name, f"is of the format of Office 97, in spite of its name: save it as {suffix}"
        )
    if suffix in BINARY and suffix != ".pdf" and data.startswith(b"PK") and not _members(data):
        raise UnreadableInput(name, "is a damaged package: open and save it again")
    if suffix in BINARY and format_of(data, name) is None:
        raise UnreadableInput(name, "is named like a document, and is none: it may be damaged")


def open_document(data: bytes, name: str, kind: Format, settings: Settings) -> Document:
    """Read a document of the format *kind*.

    Raises:
        UnreadableInput: It cannot be read.
        MissingDependency: The extra for documents is not installed.
    """
    module = kind.load()
    with failing(name):
        return module.opened(data, name, settings)


class failing:  # noqa: N801 - used like a function
    """Turn errors of libraries on a damaged document into `UnreadableInput`.

    Their messages may hold text of the document; only their type and place are kept.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Raise `UnreadableInput` for errors that are neither ours nor interruptions."""
        if not isinstance(error, Exception) or isinstance(error, CdipError):
            return
        raise UnreadableInput(
            self._name, f"is damaged, or of a kind not known here ({place_of(error)})"
        ) from None
