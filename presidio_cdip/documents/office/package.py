"""Open and write packages: ZIP files of XML parts, as office programs make them."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from lxml import etree

from presidio_cdip.documents.office.vocabularies import NAMES
from presidio_cdip.documents.segments import Settings
from presidio_cdip.errors import UnreadableInput

CUT = b"<?cdip-part?>"
"""Marks where the bytes of `Package.inserts` are put into an XML part."""

CODED = re.compile(r"_([0-9a-fA-F]{2,4})_")
"""A character in a name that OpenDocument cannot hold as it is: ``Ann_20_Lee``."""

_CHUNK = 1 << 20
_ADDRESS = re.compile(
    r"https?://(?:schemas|purl|www\.w3)\.|urn:|(?:urn:)?(?:schemas[.-])?microsoft[.-]com[:/]"
    r"|application/vnd\."
)
_XSD = "{http://www.w3.org/2001/XMLSchema}"
_ATTRIBUTE = re.compile(r'="([^"<>]*)"')
_TYPES = "[Content_Types].xml"
_STRUCTURE = re.compile(
    r"""(?x) \sxmlns(?::[\w.-]+)?="[^"]*"
    | <(?:w:lsdException|w:font|Default|Override)\b[^>]*? "([^"]*)" [^>]*
    | <w:(?:pStyle|rStyle|tblStyle|link|basedOn|next|numStyleLink|styleLink)\ w:val="([^"]*)"
    | \b(?:typeface|w:ascii|w:hAnsi|w:cs|w:eastAsia|w:styleId|Type|uri|prst)="([^"]*)"
    | <Application>[^<]* | <w:name\ w:val="Normal[^"]*" | <xsd?:[^>]*
    """
)
"""Names of namespaces, types, fonts, shapes and styles, which programs give."""
_RATIO = 1000  # unpacked by packed size of one part; office programs stay below 200
_SMALL = 1 << 20  # bytes below which a part's ratio does not matter


def parser(recover: bool = False) -> etree.XMLParser:
    """Return a parser that opens nothing, and expands no entity of a document's own.

    Args:
        recover: Whether it reads what is not well-formed, too.
    """
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
        remove_blank_text=False,
        recover=recover,
    )


@dataclass
class Package:
    """The parts of a package, in memory.

    Attributes:
        name: The file's name, for errors.
        parts: The bytes of each part by its name, in the order of the file.
        trees: The parsed XML parts; those in `changed` are written from here.
        changed: The names of parts whose tree was changed.
        inserts: What is put in the place of `CUT` in changed parts: parts with very many elements
            are not held as trees.
    """

    name: str
    parts: dict[str, bytes]
    infos: dict[str, zipfile.ZipInfo]
    trees: dict[str, "etree._ElementTree"] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    inserts: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def opened(cls, data: bytes, name: str, settings: Settings) -> "Package":
        """Unpack a package.

        Raises:
            UnreadableInput: It is damaged, encrypted, too large when unpacked, or holds a part
                twice or under a name that leads out of the package.
        """
        parts: dict[str, bytes] = {}
        infos: dict[str, zipfile.ZipInfo] = {}
        size = 0
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as package:
                members = package.infolist()
                if len(members) > settings.max_parts:
                    raise UnreadableInput(name, f"has more than {settings.max_parts:,} parts")
                for info in members:
                    part = _part_name(info, parts, name)
                    if part.endswith("/"):
                        continue
                    content = _unpacked(package, info, settings.max_bytes - size, name)
                    size += len(content)
                    parts[part] = content
                    infos[part] = info
        except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError, OSError) as error:
            raise UnreadableInput(
                name, f"is a damaged package ({type(error).__name__}): open and save it again"
            ) from None
        except zipfile.zlib.error:  # type: ignore[attr-defined]
            raise UnreadableInput(name, "is a damaged package: open and save it again") from None
        return cls(name, parts, infos)

    def tree(self, part: str) -> "etree._ElementTree":
        """Return the parsed XML of *part*, the same at each call.

        Raises:
            UnreadableInput: It is not well-formed, or declares entities.
        """
        if part not in self.trees:
            try:
                loose = part.lower().endswith(".vml")  # office programs write <br> in them
                tree = etree.parse(io.BytesIO(self.parts[part]), parser(recover=loose))
            except etree.XMLSyntaxError:
                raise UnreadableInput(self.name, f"{part} is not well-formed XML") from None
            dtd: Any = tree.docinfo.internalDTD
            if dtd is not None and any(True for _ in dtd.iterentities()):
                raise UnreadableInput(self.name, f"{part} declares entities: they are not read")
            self.trees[part] = tree
        return self.trees[part]

    def remove(self, part: str) -> None:
        """Leave *part* out."""
        self.parts.pop(part, None)
        self.trees.pop(part, None)
        self.changed.discard(part)

    def rename(self, names: Mapping[str, str]) -> None:
        """Rename parts, in their place."""
        for held in (self.parts, self.infos, self.trees):
            again = {names.get(part, part): value for part, value in held.items()}
            held.clear()
            held.update(again)  # type: ignore[arg-type]

    def to_bytes(self) -> bytes:
        """Return the package; parts that were not changed stay byte for byte."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
            for part, content in self.parts.items():
                if part in self.changed:
                    tree = self.trees[part]
                    encoding = tree.docinfo.encoding or "UTF-8"
                    alone = bool(tree.docinfo.standalone)
                    written = etree.tostring(
                        tree, xml_declaration=True, encoding=encoding, standalone=alone
                    )
                    assert isinstance(written, bytes)
                    content = written.replace(CUT, self.inserts.get(part, b""), 1)
                info = zipfile.ZipInfo(part, (1980, 1, 1, 0, 0, 0))  # no times of the original
                known = self.infos.get(part)
                info.compress_type = known.compress_type if known else zipfile.ZIP_DEFLATED
                package.writestr(info, content)
        return out.getvalue()


def _part_name(info: zipfile.ZipInfo, parts: dict[str, bytes], name: str) -> str:
    """Return the name of a part as office programs read it: some writers use backslashes."""
    if info.flag_bits & 0x1:
        raise UnreadableInput(name, "is encrypted: save it without a password")
    part = info.filename.replace("\\", "/")
    if part.startswith("/") or ".." in part.split("/") or ":" in part.split("/")[0]:
        raise UnreadableInput(name, "has a part whose name leads out of the package")
    if part.lower() == _TYPES.lower():
        part = _TYPES
    if part in parts:
        raise UnreadableInput(name, "has two parts of one name")
    return part


def _unpacked(package: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, name: str) -> bytes:
    """Return the bytes of a part, read in chunks: its header may lie about its size."""
    chunks, size = [], 0
    with package.open(info) as stream:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            bomb = size > _SMALL and size > _RATIO * max(1, info.compress_size)
            if size > most or bomb:
                raise UnreadableInput(name, "unpacks to more than is allowed")
            chunks.append(chunk)
    return b"".join(chunks)


@lru_cache(maxsize=100_000)
def _is_structure(value: str) -> bool:
    """Return whether programs give the attribute *value*: an address, or usual words."""
    return bool(_ADDRESS.match(value)) or NAMES.is_usual(value)


def _searched(plain: str) -> str:
    """Return an XML part without what programs give."""
    return _ATTRIBUTE.sub(
        lambda found: '=""' if _is_structure(found[1]) else found[0], _STRUCTURE.sub("", plain)
    )


def extracted(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the texts of a package: each part as it is, and each XML part without its tags.

    It reads with the standard library alone, as a check on what lxml wrote. Attributes that
    programs give are left out: a value that is found elsewhere may be one of their words.
    """
    from xml.etree import ElementTree

    with zipfile.ZipFile(io.BytesIO(data)) as package:
        yield "names of parts", "\n".join(package.namelist())
        yield "comment", package.comment.decode("latin-1")
        for info in package.infolist():
            content = package.read(info)
            plain = content.decode("utf-8", "replace")
            yield info.filename, _searched(plain)
            if b"\0" in content[:4096]:
                yield info.filename, content.decode("utf-16-le", "replace")
                yield info.filename, content[1:].decode("utf-16-le", "replace")
            if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
                try:
                    root = ElementTree.fromstring(content)
                except ElementTree.ParseError:
                    continue
                structure = {one for found in _STRUCTURE.findall(plain) for one in found if one}
                for one in root.iter():
                    if one.tag.endswith("}Application"):
                        one.text = ""
                    if one.tag.startswith(_XSD):
                        one.tail = "|"  # names in a schema are no runs of one text
                yield info.filename, "".join(root.itertext())
                if b"_20_" in content:
                    yield info.filename, CODED.sub(lambda one: chr(int(one[1], 16)), plain)
                yield (
                    info.filename,
                    "\n".join(
                        value
                        for one in root.iter()
                        if not one.tag.startswith(_XSD)
                        for value in one.attrib.values()
                        if value not in structure and not _is_structure(value)
                    ),
                )
