"""Walk through everything of a PDF beside the content of its pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf

_MOST = 3_000_000  # entries

OPAQUE = frozenset(
    [
        "/Parent", "/Prev", "/Font", "/ColorSpace", "/CS", "/Shading", "/Function", "/Encrypt",
        "/Encoding", "/Lookup", "/Halftone", "/TR", "/DestOutputProfile", "/IDTree",
        "/ParentTree", "/ClassMap", "/RoleMap", "/Perms", "/DSS", "/Linearized", "/CIDSystemInfo",
    ]
)  # fmt: skip
"""Entries without text of the document, which are not entered."""

CODES = frozenset(
    [
        "/ID", "/CheckSum", "/DA", "/DS", "/M", "/CreationDate", "/ModDate", "/LastModified",
        "/Registry", "/Ordering", "/Lang", "/Cert", "/Size", "/GTS_PDFXVersion", "/Limits",
    ]
)  # fmt: skip
"""Entries whose strings are codes and times."""

REMOVED = {
    "/PieceInfo": "private data of a program",
    "/Thumb": "a thumbnail",
    "/SpiderInfo": "where pages were captured on the web",
    "/XFA": "an XFA form",
    "/JavaScript": "scripts",
    "/Renditions": "multimedia",
    "/AlternatePresentations": "multimedia",
    "/LegalAttestation": "an attestation",
    "/OPI": "a link to a picture outside",
    "/Alternates": "another version of a picture",
    "/RichMediaContent": "multimedia",
    "/3DD": "a three-dimensional model",
    "/PrintSpool": "print settings",
}
"""Entries that are left out, whatever they hold."""

ACTIONS = {
    "/JavaScript": "scripts",
    "/Launch": "an action that starts a program",
    "/SubmitForm": "an action that sends the form",
    "/ImportData": "an action that reads a file",
    "/Rendition": "multimedia",
    "/Movie": "multimedia",
    "/Sound": "multimedia",
    "/RichMediaExecute": "multimedia",
    "/GoTo3DView": "multimedia",
}
"""Types of actions that are left out."""

ANNOTATIONS = {
    "/Screen": "multimedia",
    "/Movie": "multimedia",
    "/Sound": "multimedia",
    "/RichMedia": "multimedia",
    "/3D": "a three-dimensional model",
    "/TrapNet": "trapping",
}
"""Types of annotations that are left out."""

_PAGES = (pikepdf.Name.Page, pikepdf.Name.Pages)


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """An entry of a dictionary, or an item of an array.

    Attributes:
        holder: The dictionary, stream or array.
        key: The entry's name, or the item's index.
        value: What it is.
        name: The name of the entry, also for an item of an array that is an entry's value.
        owner: The dictionary nearest to it.
        part: The part of the document it was reached by, such as ``"outline"``.
        page: The page it is on, from 0.
    """

    holder: Any
    key: str | int
    value: Any
    name: str
    owner: Any
    part: str
    page: int | None = None

    def replace(self, value: Any) -> None:
        """Put *value* in its place."""
        self.holder[self.key] = value


def entries(pdf: Any, flatten: bool = False) -> Iterator[Entry]:
    """Yield every entry beside the content of pages, but numbers; forms and properties first.

    The value of an entry that was yielded may be replaced meanwhile.

    Args:
        pdf: The `pikepdf.Pdf`.
        flatten: Leave out annotations and form fields.
    """
    seen: set[tuple[int, int]] = set()
    left_out = {"/AcroForm", "/Annots"} if flatten else set()
    count = 0
    for part, root, page in _parts(pdf):
        stack = [Entry(None, "", root, "", root, part, page)]
        while stack:
            one = stack.pop()
            if one.holder is not None:
                yield one
            count += 1
            if count > _MOST:
                raise RecursionError
            value = one.value
            if not isinstance(value, pikepdf.Object) or not _is_entered(one, value):
                continue
            if value.objgen != (0, 0):
                if value.objgen in seen:
                    continue
                seen.add(value.objgen)
            stack += reversed(_within(one, left_out))


def _parts(pdf: Any) -> Iterator[tuple[str, Any, int | None]]:
    info = pdf.trailer.get("/Info")
    if isinstance(info, pikepdf.Dictionary):
        yield "properties", info, None
    form = pdf.Root.get("/AcroForm")
    if isinstance(form, pikepdf.Dictionary):
        yield "form", pikepdf.Dictionary(AcroForm=form), None
    for number, page in enumerate(pdf.pages):
        yield f"page {number + 1}", page.obj, number
    yield "document", pdf.Root, None


def _is_entered(one: Entry, value: Any) -> bool:
    if isinstance(value, pikepdf.Dictionary) and value.get("/Type") in _PAGES:
        return one.holder is None
    return isinstance(value, pikepdf.Dictionary | pikepdf.Array | pikepdf.Stream)


def _within(one: Entry, left_out: set[str]) -> list[Entry]:
    value = one.value
    if isinstance(value, pikepdf.Array):
        return [
            Entry(value, index, item, one.name, one.owner, one.part, one.page)
            for index, item in enumerate(value)
            if isinstance(item, pikepdf.Object)  # no number
        ]
    is_page = value.get("/Type") == pikepdf.Name.Page
    found = []
    for key in value.keys():  # noqa: SIM118 - a pikepdf object yields no keys itself
        if key in OPAQUE or key in left_out or (is_page and key == "/Contents"):
            continue
        item = value[key]
        if isinstance(item, pikepdf.Object):  # no number
            found.append(Entry(value, key, item, key, value, one.part, one.page))
    return found


def remove(doomed: Sequence[Entry]) -> None:
    """Remove entries and items, given in the order of `entries`."""
    for one in reversed(doomed):  # items of an array from its end
        if isinstance(one.holder, pikepdf.Array) and one.name == "/Names" and one.key:
            del one.holder[one.key]
            del one.holder[int(one.key) - 1]
        elif isinstance(one.holder, pikepdf.Array) or one.key in one.holder:
            del one.holder[one.key]


def reason_to_remove(one: Entry) -> str:
    """Return the kind of an entry that is left out; "" if it stays."""
    if one.name in REMOVED and one.key == one.name:
        return REMOVED[one.name]
    if one.name == "/Metadata" and one.owner.get("/Type") != pikepdf.Name.Catalog:
        return "metadata of a part"
    if isinstance(one.value, pikepdf.Dictionary):
        kind = str(one.value.get("/S", ""))
        if kind in ACTIONS and _is_action(one):
            return ACTIONS[kind]
        if one.name == "/Annots":
            return ANNOTATIONS.get(str(one.value.get("/Subtype", "")), "")
    return ""


def _is_action(one: Entry) -> bool:
    """Return whether an entry holds an action; triggers in ``/AA`` have names of few letters."""
    named = one.name in ("/OpenAction", "/Next") or len(one.name) <= len("/PA")
    return named or one.value.get("/Type") == pikepdf.Name.Action
