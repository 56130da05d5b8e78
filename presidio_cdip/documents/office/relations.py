"""Follow the relationships between the parts of a package, by the names of the parts."""

import posixpath
import re
from collections.abc import Collection
from typing import Any, NamedTuple
from urllib.parse import unquote

from presidio_cdip.documents.office.names import short
from presidio_cdip.documents.office.package import Package

_XML_SUFFIXES = (".xml", ".rels", ".vml", ".svg")
_EXTERNAL = "external"
_NUMBER = re.compile(r"\d{5}")
_DIGEST = re.compile(r"[0-9A-Fa-f-]{16,}")  # as OpenDocument names pictures


class Relation(NamedTuple):
    """A relationship of a part.

    Attributes:
        element: Its element in the relationships part.
        id: Its identifier, to which the part's XML refers.
        kind: The last word of its type: ``"image"``, ``"hyperlink"``.
        target: The name of the part it leads to; an address if it leads out of the package.
        external: Whether it leads out of the package.
    """

    element: Any
    id: str
    kind: str
    target: str
    external: bool


def relations_in(package: Package, rels: str) -> list[Relation]:
    """Return the relationships in a relationships part."""
    if rels not in package.parts:
        return []
    base = source_of(rels).rpartition("/")[0]
    found = []
    for element in package.tree(rels).getroot():
        if not isinstance(element.tag, str) or short(element.tag) != "rel:Relationship":
            continue
        external = element.get("TargetMode", "").lower() == _EXTERNAL
        target = element.get("Target", "")
        if not external:
            target = real(package, resolved(base, target))
        kind = element.get("Type", "").rpartition("/")[2]
        found.append(Relation(element, element.get("Id", ""), kind, target, external))
    return found


def real(package: Package, target: str, others: Collection[str] = ()) -> str:
    """Return the name of a part as the package has it: in other case, or with escapes.

    Args:
        package: The package.
        target: The name that a relationship gives.
        others: Names that parts had before.
    """
    if target in package.parts or target in others:
        return target
    same = unquote(target).lower()
    names = (*others, *package.parts)
    return next((part for part in names if part.lower() == same), target)


def rels_of(source: str) -> str:
    """Return the name of the relationships part of a part.

    >>> rels_of("word/document.xml"), rels_of("")
    ('word/_rels/document.xml.rels', '_rels/.rels')
    """
    folder, slash, name = source.rpartition("/")
    return f"{folder}{slash}_rels/{name}.rels"


def source_of(rels: str) -> str:
    """Return the name of the part whose relationships are in *rels*.

    >>> source_of("word/_rels/document.xml.rels"), source_of("_rels/.rels")
    ('word/document.xml', '')
    """
    folder, _, name = rels.rpartition("/")
    folder = folder.removesuffix("_rels")
    return folder + name.removesuffix(".rels")


def resolved(base: str, target: str) -> str:
    """Return the name of the part to which *target* leads from the folder *base*.

    >>> resolved("ppt/slides", "../media/image1.png"), resolved("ppt", "/docProps/app.xml")
    ('ppt/media/image1.png', 'docProps/app.xml')
    """
    return posixpath.normpath(posixpath.join("/", base, target)).lstrip("/")


def stem(part: str) -> str:
    """Return the file name of a part without its suffix."""
    return part.rpartition("/")[2].partition(".")[0] or "package"


def impersonal(part: str, number: int, words: Collection[str]) -> str:
    """Return a name for a file in a package that tells nothing; its own if programs gave it.

    Args:
        part: Its name.
        number: What tells it from other files.
        words: What names that programs give are made of.

    >>> impersonal("word/media/image12.png", 1, {"image"})
    'word/media/image12.png'
    >>> impersonal("word/media/Ann Lee.png", 2, {"image"})
    'word/media/file2.png'
    """
    folder, slash, name = part.rpartition("/")
    first, dot, suffix = name.rpartition(".")
    known = re.findall(r"[^\W\d_]+", (first or name).lower())
    if _NUMBER.search(first) is None and all(word in words for word in known):
        return part
    if _DIGEST.fullmatch(first or name):
        return part
    return f"{folder}{slash}file{number}{dot}{suffix if first else ''}"


def natural(part: str) -> list[tuple[int, str]]:
    """Return a key that sorts ``slide10`` after ``slide9``."""
    return [(int(word), "") if word.isdigit() else (0, word) for word in re.split(r"(\d+)", part)]


def is_xml(part: str, content: bytes) -> bool:
    """Return whether a part is read as XML."""
    if part.lower().endswith(_XML_SUFFIXES):
        return True
    return content.lstrip(b"\xef\xbb\xbf\xff\xfe\xfe\xff").startswith(
        (b"<?xml", b"<\0?\0", b"\0<\0?")
    )
