"""Write office packages from raw XML: parts, content types and relationships."""

import io
import zipfile
from dataclasses import dataclass, field
from functools import cache
from posixpath import basename, dirname, relpath, splitext

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
RELATIONS = f"{OFFICE}/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPES = "application/vnd.openxmlformats-officedocument"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"

NAMESPACES = " ".join(
    f'xmlns:{prefix}="{address}"'
    for prefix, address in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "r": RELATIONS,
        "a": f"{DRAWING}/main",
        "pic": f"{DRAWING}/picture",
        "wp": f"{DRAWING}/wordprocessingDrawing",
        "xdr": f"{DRAWING}/spreadsheetDrawing",
        "c": f"{DRAWING}/chart",
        "dgm": f"{DRAWING}/diagram",
        "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
        "m": f"{OFFICE}/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
        "x": "urn:schemas-microsoft-com:office:excel",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "w15": "http://schemas.microsoft.com/office/word/2012/wordml",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    }.items()
)
"""Declared on the root of every part that is written here."""


@dataclass
class Office:
    """A package that can be added to.

    Attributes:
        parts: The content of each part.
        types: The content type of each part that has one.
        links: For a part ("" is the package), its relationships: kind, target, whether external.
        extra: Members that no relationship and no content type names.
        comment: The comment of the ZIP file.
    """

    parts: dict[str, str | bytes] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    links: dict[str, list[tuple[str, str, bool]]] = field(default_factory=dict)
    extra: dict[str, bytes] = field(default_factory=dict)
    comment: bytes = b""

    def add(
        self, part: str, content: str | bytes, content_type: str, source: str | None, kind: str
    ) -> str:
        """Add a part and, from *source* if it is not None, a relationship; return its identifier.

        *kind* is the last word of the relationship's type, or the whole of it.
        """
        if isinstance(content, str) and not content.startswith("<?xml"):
            content = HEAD + content
        self.parts[part] = content
        self.types[part] = content_type
        if source is None:
            return ""
        target = relpath(part, dirname(source) or ".") if source else part
        return self.link(source, kind, target, external=False)

    def link(self, source: str, kind: str, target: str, *, external: bool = True) -> str:
        """Add a relationship; return its identifier."""
        links = self.links.setdefault(source, [])
        full = kind if ":" in kind else f"{RELATIONS}/{kind}"
        links.append((full, target, external))
        return f"rId{len(links)}"

    def before(self, part: str, mark: str, xml: str) -> None:
        """Put *xml* before the first *mark* in *part*."""
        content = self.parts[part]
        assert isinstance(content, str) and mark in content, (part, mark)
        self.parts[part] = content.replace(mark, xml + mark, 1)

    def replace(self, part: str, old: str, new: str) -> None:
        """Replace the first *old* in *part*."""
        content = self.parts[part]
        assert isinstance(content, str) and old in content, (part, old)
        self.parts[part] = content.replace(old, new, 1)

    def to_bytes(self) -> bytes:
        """Return the package."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr("[Content_Types].xml", self._content_types())
            for part, content in self.parts.items():
                package.writestr(part, content)
            for source, links in self.links.items():
                package.writestr(
                    f"{dirname(source)}/_rels/{basename(source)}.rels".lstrip("/"), _links(links)
                )
            for name, member in self.extra.items():
                package.writestr(name, member)
            package.comment = self.comment
        return out.getvalue()

    def _content_types(self) -> str:
        known = "".join(
            f'<Override PartName="/{part}" ContentType="{kind}"/>'
            for part, kind in self.types.items()
            if splitext(part)[1] == ".xml" or "macro" in kind.lower() or "vba" in kind.lower()
        )
        defaults = {
            splitext(part)[1][1:]: kind
            for part, kind in self.types.items()
            if splitext(part)[1] != ".xml"
        }
        rest = "".join(
            f'<Default Extension="{end}" ContentType="{kind}"/>' for end, kind in defaults.items()
        )
        return (
            f'{HEAD}<Types xmlns="{PACKAGE}/content-types">'
            f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package'
            f'.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
            f"{rest}{known}</Types>"
        )


def _links(links: list[tuple[str, str, bool]]) -> str:
    outside = ' TargetMode="External"'
    inner = "".join(
        f'<Relationship Id="rId{number}" Type="{kind}" Target="{target}"'
        f"{outside if external else ''}/>"
        for number, (kind, target, external) in enumerate(links, 1)
    )
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{inner}</Relationships>'


def core_properties(**values: str) -> str:
    """Return the part of core properties; the names are the elements with ``_`` for ``:``."""
    inner = "".join(
        f"<{name.replace('_', ':')}>{value}</{name.replace('_', ':')}>"
        for name, value in values.items()
    )
    return (
        f'<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
        f"{inner}</cp:coreProperties>"
    )


def add_core(package: Office, **values: str) -> None:
    """Add core properties."""
    package.add(
        "docProps/core.xml",
        core_properties(**values),
        "application/vnd.openxmlformats-package.core-properties+xml",
        "",
        f"{PACKAGE}/relationships/metadata/core-properties",
    )


def add_app(package: Office, inner: str) -> None:
    """Add extended properties."""
    package.add(
        "docProps/app.xml",
        f'<Properties xmlns="{OFFICE}/extended-properties" '
        f'xmlns:vt="{OFFICE}/docPropsVTypes">{inner}</Properties>',
        f"{TYPES}.extended-properties+xml",
        "",
        "extended-properties",
    )


def add_custom(package: Office, name: str, value: str) -> None:
    """Add a custom property."""
    package.add(
        "docProps/custom.xml",
        f'<Properties xmlns="{OFFICE}/custom-properties" xmlns:vt="{OFFICE}/docPropsVTypes">'
        f'<property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="2" name="{name}">'
        f"<vt:lpwstr>{value}</vt:lpwstr></property></Properties>",
        f"{TYPES}.custom-properties+xml",
        "",
        "custom-properties",
    )


def add_custom_xml(package: Office, source: str, text: str) -> None:
    """Add a custom XML part, as a form's data is stored in."""
    package.add(
        "customXml/item1.xml",
        f'<record xmlns="urn:personnel"><name>{text}</name></record>',
        "application/xml",
        source,
        "customXml",
    )


def add_thumbnail(package: Office, text: str) -> None:
    """Add a preview picture."""
    package.add(
        "docProps/thumbnail.jpeg",
        picture(text, "JPEG"),
        "image/jpeg",
        "",
        f"{PACKAGE}/relationships/metadata/thumbnail",
    )


def chart(text: str, where: str) -> str:
    """Return a bar chart with *text* as its ``title``, ``series`` or ``category``."""
    shown = {"title": "Staff", "series": "Years", "category": "A"} | {where: text}

    def cached(value: str) -> str:
        return (
            "<c:strRef><c:f>Sheet1!$A$1</c:f><c:strCache><c:ptCount val='1'/>"
            f"<c:pt idx='0'><c:v>{value}</c:v></c:pt></c:strCache></c:strRef>"
        )

    return (
        f"<c:chartSpace {NAMESPACES}><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>"
        f"{shown['title']}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:layout/>"
        "<c:barChart><c:barDir val='col'/><c:ser><c:idx val='0'/><c:order val='0'/>"
        f"<c:tx>{cached(shown['series'])}</c:tx><c:cat>{cached(shown['category'])}</c:cat>"
        "<c:val><c:numRef><c:f>Sheet1!$B$1</c:f><c:numCache><c:ptCount val='1'/>"
        "<c:pt idx='0'><c:v>4</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>"
        "<c:axId val='1'/><c:axId val='2'/></c:barChart>"
        "<c:catAx><c:axId val='1'/><c:crossAx val='2'/></c:catAx>"
        "<c:valAx><c:axId val='2'/><c:crossAx val='1'/></c:valAx>"
        "</c:plotArea></c:chart></c:chartSpace>"
    )


def diagram(text: str) -> str:
    """Return the data of a SmartArt diagram."""
    return (
        f"<dgm:dataModel {NAMESPACES}><dgm:ptLst><dgm:pt modelId='1'><dgm:prSet/><dgm:spPr/>"
        f"<dgm:t><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>"
        "</dgm:dataModel>"
    )


@cache
def picture(text: str, kind: str = "PNG") -> bytes:
    """Return a picture of *text* in black on white, with room around it."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(36)
    width = int(ImageDraw.Draw(Image.new("L", (1, 1))).textlength(text, font)) + 120
    image = Image.new("RGB", (max(width, 400), 300), "white")
    ImageDraw.Draw(image).text((60, 120), text, "black", font)
    out = io.BytesIO()
    image.save(out, kind, quality=92, dpi=(200, 200))
    return out.getvalue()


@cache
def noted_picture(text: str) -> bytes:
    """Return a blank PNG whose metadata holds *text*, compressed."""
    from PIL import Image, PngImagePlugin

    notes = PngImagePlugin.PngInfo()
    notes.add_text("Author", text, zip=True)
    out = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(out, "PNG", pnginfo=notes)
    return out.getvalue()
