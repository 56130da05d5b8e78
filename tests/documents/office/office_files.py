"""Build office packages from raw XML, and replace a value in them as a finder would."""

import io
import re
import zipfile
from collections.abc import Mapping
from posixpath import basename, dirname

from presidio_cdip.documents.formats import Module
from presidio_cdip.documents.segments import Document, Edit, Settings

NAME, SSN, NEW = "John Smithson", "271-24-0538", "Jane Example"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPES = "application/vnd.openxmlformats-officedocument"
SPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "w15": "http://schemas.microsoft.com/office/word/2012/wordml",
        "r": f"{OFFICE}/relationships",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    }.items()
)
_ODF = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing",
        "svg": "svg-compatible", "style": "style", "meta": "meta", "form": "form",
    }.items()
)  # fmt: skip
ODF = (
    f'{_ODF} xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
)
_MAIN = {
    "word/document.xml": "wordprocessingml.document.main+xml",
    "ppt/presentation.xml": "presentationml.presentation.main+xml",
}

Links = Mapping[str, tuple[str, str, str]]
"""For an identifier, the source, the kind and the target of a relationship."""


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a ZIP file of *parts*."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return out.getvalue()


def unzipped(data: bytes) -> dict[str, bytes]:
    """Return the parts of a ZIP file."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def office(
    main: str,
    xml: str,
    parts: Mapping[str, str | bytes] | None = None,
    links: Links | None = None,
    kind: str = "",
) -> bytes:
    """Return a package of Office Open XML.

    Args:
        main: The name of the main part.
        xml: Its XML; ``{}`` in it is where namespaces are declared.
        parts: Further parts.
        links: Relationships; their targets are external if they hold a colon.
        kind: The content type of the main part, if it is not the usual one.
    """
    links = {"main": ("", "officeDocument", main), **(links or {})}
    kind = kind or f"{TYPES}.{_MAIN[main]}"
    given = {main: xml.replace("{}", SPACES, 1), **(parts or {})}
    given = {
        name: content.replace("{}", SPACES, 1) if isinstance(content, str) else content
        for name, content in given.items()
    }
    types = (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
        'ContentType="application/xml"/><Default Extension="rels" ContentType='
        f'"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="bin" '
        f'ContentType="application/octet-stream"/><Override PartName="/{main}" '
        f'ContentType="{kind}"/></Types>'
    )
    rels = {}
    for source in dict.fromkeys(source for source, _, _ in links.values()):
        inner = "".join(_link(one, *links[one][1:]) for one in links if links[one][0] == source)
        name = f"{dirname(source)}/_rels/{basename(source)}.rels".lstrip("/")
        rels[name] = f'<Relationships xmlns="{PACKAGE}/relationships">{inner}</Relationships>'
    return zipped({"[Content_Types].xml": types, **rels, **given})


def _link(identifier: str, kind: str, target: str) -> str:
    external = ":" in target
    mode = ' TargetMode="External"' if external else ""
    return (
        f'<Relationship Id="{identifier}" Type="{OFFICE}/relationships/{kind}" '
        f'Target="{"" if external else "/"}{target}"'
        f"{mode}/>"
    )


def docx(
    body: str, parts: Mapping[str, str | bytes] | None = None, links: Links | None = None,
    kind: str = "",
) -> bytes:  # fmt: skip
    """Return a Word document; the sources of links may be ``"body"``."""
    main = "word/document.xml"
    given = {
        one: (main if source == "body" else source, *rest)
        for one, (source, *rest) in (links or {}).items()
    }
    xml = f"<w:document {{}}><w:body>{body}<w:sectPr/></w:body></w:document>"
    return office(main, xml, parts, given, kind)  # type: ignore[arg-type]


def odt(body: str, parts: Mapping[str, str | bytes] | None = None, kind: str = "text") -> bytes:
    """Return a document of OpenDocument."""
    media = f"application/vnd.oasis.opendocument.{kind}"
    names = ["content.xml", *(parts or {})]
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type=""/>'
        for name in names
    )
    return zipped(
        {
            "mimetype": media,
            "content.xml": f'<office:document-content {ODF} office:version="1.3"><office:body>'
            f"<office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
            **(parts or {}),
            "META-INF/manifest.xml": "<manifest:manifest xmlns:manifest="
            '"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry '
            f'manifest:full-path="/" manifest:media-type="{media}"/>{entries}</manifest:manifest>',
        }
    )


def opened(module: Module, data: bytes, **settings: bool) -> Document:
    """Read a document."""
    return module.opened(data, "letter", Settings(**settings))  # type: ignore[arg-type]


def replaced(module: Module, data: bytes, value: str = NAME, new: str = NEW) -> bytes:
    """Return a document in which *value* is *new* in all segments; embedded files are removed."""
    document = opened(module, data)
    edits = {
        index: found
        for index, segment in enumerate(document.segments)
        if (
            found := [
                Edit(match.start(), match.end(), new, "PERSON")
                for match in re.finditer(re.escape(value), segment.text)
            ]
        )
    }
    return document.write(edits, dict.fromkeys(range(len(document.embedded))))


def texts(module: Module, data: bytes) -> list[str]:
    """Return the texts of the segments of a document."""
    return [segment.text for segment in opened(module, data).segments]
