"""Read and rewrite what a PDF holds beside the content of its pages.

Every string that can be reached is a segment, unless `walk` lists its entry as a code. Equal
strings are one segment, so that a destination and the links to it stay equal.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pikepdf
from lxml import etree

from presidio_cdip.documents.office.package import parser
from presidio_cdip.documents.pdf import appearances, programs, walk, xmp
from presidio_cdip.documents.pdf.appearances import inherited
from presidio_cdip.documents.pdf.objects import drop
from presidio_cdip.documents.pdf.source import Source
from presidio_cdip.documents.pdf.walk import Entry, entries
from presidio_cdip.documents.segments import Edit, Edits, Embedded, Note, Place, Segment

XMP_REMOVED = "XMP metadata that is no well-formed XML"
DRAWING_REMOVED = "the drawing of an annotation, whose text cannot be read"
_LABELS = {
    "/Author": "Author", "/Title": "Title", "/Subject": "Subject", "/Keywords": "Keywords",
    "/Creator": "Program", "/Producer": "Program", "/URI": "Link", "/UF": "File", "/F": "File",
}  # fmt: skip
_VALUES = ("/V", "/DV", "/RV", "/Opt")
_RICH = ("/RC", "/RV")
_FILES = ("/UF", "/F", "/DOS", "/Mac", "/Unix")
_DESTINATIONS = ("/Dest", "/D")
_WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}|@|\d{3}-\d")  # no code has them
_PROPERTIES = frozenset(
    ["/Title", "/Author", "/Subject", "/Keywords", "/Creator", "/Producer", "/CreationDate",
     "/ModDate", "/Trapped", "/PTEX.Fullbanner", "/GTS_PDFXVersion", "/GTS_PDFXConformance",
     "/Company", "/SourceModified", "/AAPL:Keywords", "/Comments"]
)  # fmt: skip
_WORD = re.compile(r"\w.*\w", re.S)


class Structure:
    """Metadata, outlines, annotations, form fields, attachments, names, the structure tree."""

    def __init__(self, source: Source) -> None:
        """Read all of them."""
        self._flatten = source.settings.flatten
        self._texts: dict[str, tuple[Place, str]] = {}
        self._rich: dict[str, str] = {}
        self._files: dict[tuple[int, int], Any] = {}
        self._embedded: list[Embedded] = []
        self._removed: list[Note] = []
        self.unread: Sequence[Note] = ()
        pdf = source.pdf
        reasons = {}
        for one in entries(pdf, self._flatten):
            if reason := walk.reason_to_remove(one):
                reasons[one.part, reason] = Note(Place(one.part, one.page), reason)
            else:
                self._read(one)
        self._removed += reasons.values()
        self._read_metadata(pdf)
        self._read_annotations(pdf)
        self._read_names(pdf)
        self.segments: Sequence[Segment] = [
            Segment(text, place, label, "\n\n") for text, (place, label) in self._texts.items()
        ]
        self.embedded: Sequence[Embedded] = self._embedded
        self.removed: Sequence[Note] = self._removed

    def _add(self, text: str, place: Place, label: str = "") -> None:
        if label in programs.KEYS and programs.is_program(text):
            return
        known = self._texts.get(text)
        if not _WORD.search(text) or (known and (known[1] or not label)):
            return
        self._texts[text] = (known[0] if known else place, label)

    def _read(self, one: Entry) -> None:
        """Make a segment of an entry that is a text, and an embedded file of one that is a file."""
        place = Place(f"{one.part}, {_where(one)}", one.page)
        if isinstance(one.value, pikepdf.Dictionary) and "/EF" in one.value:
            self._read_files(one.value, place)
        text = text_of(one)
        if text is None:
            return
        if one.name in _RICH:
            text = self._rich.setdefault(text, _plain(text))
        self._add(text, place, _label(one))

    def _read_files(self, given: Any, place: Place) -> None:
        """Read the files of a file specification."""
        names = [str(given[key]) for key in _FILES if key in given]
        files = given["/EF"]
        for key in _FILES:
            stream = files.get(key) if isinstance(files, pikepdf.Dictionary) else None
            if isinstance(stream, pikepdf.Stream) and stream.objgen not in self._files:
                self._files[stream.objgen] = stream
                name = names[0] if names else f"file-{len(self._files)}"
                self._embedded.append(Embedded(bytes(stream.read_bytes()), place, name))

    def _read_metadata(self, pdf: Any) -> None:
        self._xmp = None
        metadata = pdf.Root.get("/Metadata")
        if not isinstance(metadata, pikepdf.Stream):
            return
        self._xmp = xmp.parsed(bytes(metadata.read_bytes()))
        if self._xmp is None:
            self._removed.append(Note(Place("document"), XMP_REMOVED))
            return
        for name, text in xmp.texts(self._xmp):
            self._add(text, Place("metadata"), name)

    def _read_annotations(self, pdf: Any) -> None:
        """Read the texts that annotations show; `_shown` keeps each beside its annotation."""
        self._shown: list[tuple[Any, str]] = []
        found = [] if self._flatten else list(_annotations(pdf))
        texts = appearances.texts([annotation for _, annotation in found])
        for (page, annotation), text in zip(found, texts, strict=True):
            self._shown.append((annotation, text))
            place = Place(f"page {page + 1}, annotation", page)
            if appearances.UNKNOWN in text:
                self._removed.append(Note(place, DRAWING_REMOVED))
            elif text:
                self._add(text, place, _field_label(annotation))

    def _read_names(self, pdf: Any) -> None:
        """Read the names of properties, and of destinations as PDF 1.1 has them."""
        for key in _own_properties(pdf):
            self._add(key[1:], Place("properties, the name of one"))
        named = pdf.Root.get("/Dests")
        if isinstance(named, pikepdf.Dictionary):
            for key in named.keys():  # noqa: SIM118 - a pikepdf object yields no keys itself
                self._add(key[1:], Place("document, destination"))

    def apply(self, pdf: Any, edits: Edits, embedded: Mapping[int, bytes | None]) -> None:
        """Rewrite them."""
        new = {self.segments[index].text: edited(self.segments[index].text, changes)
               for index, changes in edits.items()}  # fmt: skip
        gone = self._replace_files(embedded)
        changed = [one for one in self._shown if self._is_changed(one, new)]
        doomed = []
        for one in entries(pdf, self._flatten):
            if walk.reason_to_remove(one) or (gone and _is_file(one, gone)):
                doomed.append(one)
            else:
                self._replace_text(one, new)
        walk.remove(doomed)
        wanted = [appearances.draw(pdf, annotation) for annotation, _ in changed]
        form = pdf.Root.get("/AcroForm")
        if self._flatten:
            drop(pdf.Root, "/AcroForm")
        elif any(wanted) and isinstance(form, pikepdf.Dictionary):
            form.NeedAppearances = True
        drop(pdf.Root, "/Collection")
        self._write_metadata(pdf, new)
        _rename(pdf, new)

    def _is_changed(self, shown: tuple[Any, str], new: Mapping[str, str]) -> bool:
        annotation, text = shown
        if appearances.UNKNOWN in text or text in new:
            return True
        values = [inherited(annotation, key) for key in ("/V", "/Opt")]
        values += [annotation.get(key) for key in ("/Contents", "/RC", "/MK", "/Subj")]
        return any(one in new for value in values for one in _strings(value))

    def _replace_files(self, embedded: Mapping[int, bytes | None]) -> set[tuple[int, int]]:
        """Rewrite embedded files; return those that are to be removed."""
        gone = set()
        files = list(self._files.values())
        for index, data in embedded.items():
            stream = files[index]
            if data is None:
                gone.add(stream.objgen)
            elif data != self.embedded[index].data:
                drop(stream, "/Params")
                stream.write(data)
        return gone

    def _replace_text(self, one: Entry, new: Mapping[str, str]) -> None:
        text = text_of(one)
        if text is None:
            return
        if one.name in _RICH and self._rich.get(text) in new:
            drop(one.holder, str(one.key))
        elif text in new:
            one.replace(_written(one, new[text]))

    def _write_metadata(self, pdf: Any, new: Mapping[str, str]) -> None:
        if self._xmp is None:
            drop(pdf.Root, "/Metadata")
        elif any(text in new for _, text in xmp.texts(self._xmp)):
            pdf.Root.Metadata.write(xmp.rewritten(self._xmp, new))


def text_of(one: Entry) -> str | None:
    """Return the text of an entry; None if it is none."""
    if one.holder is None:
        return None
    if isinstance(one.value, pikepdf.String):
        text = str(one.value)
        return None if one.name in walk.CODES and not _WORDS.search(text) else text
    if isinstance(one.value, pikepdf.Name) and one.name in _DESTINATIONS:
        return str(one.value)[1:]
    if isinstance(one.value, pikepdf.Stream) and one.name in (*_VALUES, *_RICH):
        return str(pikepdf.String(bytes(one.value.read_bytes())))
    return None


def _written(one: Entry, text: str) -> Any:
    if isinstance(one.value, pikepdf.Name):
        return pikepdf.Name("/" + (text or "removed"))
    if one.name == "/V" and one.owner.get("/MaxLen") is not None:
        text = text[: int(one.owner.MaxLen)]
    return pikepdf.String(text)


def edited(text: str, changes: Sequence[Edit]) -> str:
    """Return *text* with its edits made."""
    for change in reversed(changes):
        text = text[: change.start] + change.new + text[change.end :]
    return text


def _where(one: Entry) -> str:
    kind = str(one.owner.get("/Subtype", ""))[1:]
    return f"{kind} {one.name[1:]}".strip().lower()


def _label(one: Entry) -> str:
    if one.name in _VALUES:
        return _field_label(one.owner)
    if one.name == "/T" and "/Subtype" in one.owner and "/FT" not in one.owner:
        return "Author"
    return _LABELS.get(one.name, "")


def _field_label(field: Any) -> str:
    """Return the label of a form field: its description, or its own name."""
    if inherited(field, "/FT") is None:
        return ""
    label = inherited(field, "/TU") or inherited(field, "/T")
    return "" if label is None else str(label)


def _annotations(pdf: Any) -> Iterator[tuple[int, Any]]:
    for number, page in enumerate(pdf.pages):
        for annotation in page.obj.get("/Annots", []):
            if isinstance(annotation, pikepdf.Dictionary):
                yield number, annotation


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, pikepdf.String):
        yield str(value)
    elif isinstance(value, pikepdf.Array) and depth < 4:
        for one in value:
            yield from _strings(one, depth + 1)
    elif isinstance(value, pikepdf.Dictionary) and depth < 4:
        for key in value.keys():  # noqa: SIM118
            yield from _strings(value[key], depth + 1)


def _is_file(one: Entry, gone: set[tuple[int, int]]) -> bool:
    """Return whether an entry leads to a file that is gone."""
    value = one.value
    if not isinstance(value, pikepdf.Dictionary):
        return False
    if value.get("/Subtype") == "/FileAttachment" and "/FS" in value:
        value = value["/FS"]
    files = value.get("/EF")
    if not isinstance(files, pikepdf.Dictionary):
        return False
    held = {files[key].objgen for key in files.keys()}  # noqa: SIM118
    return bool(held & gone)


def _plain(text: str) -> str:
    """Return rich text without its tags."""
    try:
        root = etree.fromstring(text.encode(), parser())
    except (etree.XMLSyntaxError, ValueError):
        return re.sub(r"<[^>]*>", "", text)
    return "\n".join(one for one in root.itertext() if isinstance(one, str) and one.strip())


def _own_properties(pdf: Any) -> list[str]:
    """Return the names of properties that somebody gave."""
    info = pdf.trailer.get("/Info")
    keys = info.keys() if isinstance(info, pikepdf.Dictionary) else ()
    return [key for key in keys if key not in _PROPERTIES]


def _rename(pdf: Any, new: Mapping[str, str]) -> None:
    """Rename properties and destinations, and put name trees in order again."""
    for key in _own_properties(pdf):
        if key[1:] in new:
            value = pdf.trailer.Info[key]
            del pdf.trailer.Info[key]
            pdf.trailer.Info["/" + (new[key[1:]] or "removed")] = value
    named = pdf.Root.get("/Dests")
    if isinstance(named, pikepdf.Dictionary):
        for key in list(named.keys()):
            if key[1:] in new:
                value = named[key]
                del named[key]
                named["/" + (new[key[1:]] or "removed")] = value
    trees = pdf.Root.get("/Names")
    if not new or not isinstance(trees, pikepdf.Dictionary):
        return
    for key in list(trees.keys()):
        pairs = dict(_pairs(trees[key], 0))
        flat = [item for name in sorted(pairs) for item in (pikepdf.String(name), pairs[name])]
        trees[key] = pdf.make_indirect(pikepdf.Dictionary(Names=flat))


def _pairs(node: Any, depth: int) -> Iterator[tuple[bytes, Any]]:
    if not isinstance(node, pikepdf.Dictionary) or depth > 40:
        return
    names = node.get("/Names", pikepdf.Array())
    for index in range(0, len(names) - 1, 2):
        yield bytes(names[index]), names[index + 1]
    for kid in node.get("/Kids", []):
        yield from _pairs(kid, depth + 1)
