"""Find contents of a PDF that are not painted on its pages."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from presidio_cdip.documents.checking.redaction import Finding
from presidio_cdip.documents.segments import Box
from presidio_cdip.errors import UnreadableInput

_END = re.compile(rb"%%EOF[ \t]*\r?\n?")
_MOST_REVISIONS = 20
_NAMED = ("/Author", "/Title", "/Subject", "/Keywords")
_COMMENTS = frozenset(
    ["/Text", "/FreeText", "/Highlight", "/Underline", "/Squiggly", "/StrikeOut", "/Stamp", "/Ink"]
)
_SCRIPTS = ("/JavaScript", "/Launch", "/SubmitForm", "/ImportData")
_XMP_NAMED = re.compile(rb"<(?:dc:(?:creator|title|subject|description)|pdf:Keywords)\b")


def check(data: bytes, name: str) -> Iterator[Finding]:
    """Yield the texts of properties, attachments, annotations and earlier revisions of a PDF."""
    try:
        pdf = pikepdf.open(io.BytesIO(data))
    except pikepdf.PasswordError:
        raise UnreadableInput(name, "is encrypted: save it without a password") from None
    except pikepdf.PdfError:
        raise UnreadableInput(name, "is damaged: no PDF reader could open it") from None
    with pdf:
        if not len(pdf.pages):
            raise UnreadableInput(name, "has no pages")
        yield from _properties(pdf)
        yield from [Finding("attachment")] * len(pdf.attachments)
        if _has_scripts(pdf):
            yield Finding("script")
        for index, page in enumerate(pdf.pages):
            yield from _annotations(index, page)
        linearized = pdf.is_linearized
    yield from _unapplied(data)
    yield from _revisions(data, linearized)


def _properties(pdf: pikepdf.Pdf) -> Iterator[Finding]:
    texts = [str(pdf.docinfo[key]) for key in _NAMED if key in pdf.docinfo]
    count = sum(len("".join(text.split())) for text in texts)
    metadata = pdf.Root.get("/Metadata")
    named = isinstance(metadata, pikepdf.Stream) and _XMP_NAMED.search(metadata.read_bytes())
    if count or named:
        yield Finding("metadata", characters=count)


def _has_scripts(pdf: pikepdf.Pdf) -> bool:
    names: Any = pdf.Root.get("/Names", {})
    form: Any = pdf.Root.get("/AcroForm", {})
    if "/JavaScript" in names or "/XFA" in form:
        return True
    action = pdf.Root.get("/OpenAction")
    return isinstance(action, pikepdf.Dictionary) and str(action.get("/S")) in _SCRIPTS


def _annotations(index: int, page: pikepdf.Page) -> Iterator[Finding]:
    for annotation in page.obj.get("/Annots", []):
        if not isinstance(annotation, pikepdf.Dictionary):
            continue
        kind = str(annotation.get("/Subtype", ""))
        if kind == "/FileAttachment":
            yield Finding("attachment", index)
        text = "".join(str(annotation.get("/Contents", "")).split())
        if kind in _COMMENTS and text:
            yield Finding("comment", index, characters=len(text))


def _unapplied(data: bytes) -> Iterator[Finding]:
    """Yield the areas that are marked for redaction, with how much text is in each."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        areas = [
            (index, [float(edge) for edge in annotation.Rect])
            for index, page in enumerate(pdf.pages)
            for annotation in page.obj.get("/Annots", [])
            if isinstance(annotation, pikepdf.Dictionary)
            and annotation.get("/Subtype") == "/Redact"
            and len(annotation.get("/Rect", [])) == 4
        ]
    if not areas:
        return
    document = pdfium.PdfDocument(data)
    for index, (left, bottom, right, top) in areas:
        page = document[index]
        text = page.get_textpage().get_text_bounded(left, bottom, right, top)
        yield Finding(
            "unapplied", index, _view(page, left, bottom, right, top), len("".join(text.split()))
        )
    document.close()


def _view(page: pdfium.PdfPage, left: float, bottom: float, right: float, top: float) -> Box:
    from presidio_cdip.documents.checking.painted import to_view, viewed

    return viewed(to_view(page), (left, bottom, right, top))


def _revisions(data: bytes, linearized: bool) -> Iterator[Finding]:
    """Yield the pages of earlier revisions that have text which the last revision has not."""
    ends = [found.end() for found in _END.finditer(data)]
    earlier = ends[1 if linearized else 0 : -1][-_MOST_REVISIONS:]
    if not earlier:
        return
    now = Counter[str]()
    for words in _words(data):
        now |= words
    for end in earlier:
        if data[end:].strip(b"\0 \r\n\t"):
            for index, words in enumerate(_words(data[:end])):
                lost = sum(len(word) for word in words if word not in now and len(word) > 2)
                if lost:
                    yield Finding("revision", index, characters=lost)


def _words(data: bytes) -> Iterator[Counter[str]]:
    """Yield the words of each page; nothing if *data* is no whole PDF."""
    try:
        with pikepdf.open(io.BytesIO(data), attempt_recovery=False):
            document = pdfium.PdfDocument(data)
    except (pikepdf.PdfError, pdfium.PdfiumError):
        return
    for index in range(len(document)):
        page = document[index]
        text = page.get_textpage()
        words = text.get_text_range() if raw.FPDFText_CountChars(text) > 0 else ""
        yield Counter(words.split())
        page.close()
    document.close()
