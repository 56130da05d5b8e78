"""Plant texts in OpenDocument texts."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.documents_plants import ADDRESS, ALL, BORN, NAME, QUERY, SSN, family
from benchmarks.documents_plants_office import HEAD, noted_picture, picture

SPACE = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{address}"'
    for prefix, address in {
        "office": f"{SPACE}:office:1.0",
        "text": f"{SPACE}:text:1.0",
        "table": f"{SPACE}:table:1.0",
        "style": f"{SPACE}:style:1.0",
        "draw": f"{SPACE}:drawing:1.0",
        "svg": f"{SPACE}:svg-compatible:1.0",
        "meta": f"{SPACE}:meta:1.0",
        "config": f"{SPACE}:config:1.0",
        "form": f"{SPACE}:form:1.0",
        "presentation": f"{SPACE}:presentation:1.0",
        "script": f"{SPACE}:script:1.0",
        "manifest": f"{SPACE}:manifest:1.0",
        "dc": "http://purl.org/dc/elements/1.1/",
        "xlink": "http://www.w3.org/1999/xlink",
    }.items()
)
TEXT = "application/vnd.oasis.opendocument.text"
Add = Callable[["Odf", str], object]


@dataclass
class Odf:
    """An OpenDocument text that can be added to.

    Attributes:
        body: The sentence of the main text.
        content: XML after it.
        before: XML before the text: declarations, tracked changes.
        styles: XML in the master page.
        named: XML among the common styles.
        meta: XML of the properties.
        settings: XML of the settings.
        members: Further members of the package: content and media type.
    """

    body: str
    content: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    meta: list[str] = field(default_factory=list)
    settings: list[str] = field(default_factory=list)
    members: dict[str, tuple[bytes, str]] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """Return the package."""
        text = "".join((*self.before, f"<text:p>{self.body}</text:p>", *self.content))
        parts = {
            "content.xml": part(
                "document-content", f"<office:body><office:text>{text}</office:text></office:body>"
            ),
            "styles.xml": part(
                "document-styles",
                f"<office:styles>{''.join(self.named)}</office:styles><office:master-styles>"
                '<style:master-page style:name="Standard" style:page-layout-name="p">'
                f"{''.join(self.styles)}</style:master-page></office:master-styles>",
            ),
            "meta.xml": part("document-meta", f"<office:meta>{''.join(self.meta)}</office:meta>"),
            "settings.xml": part(
                "document-settings",
                '<office:settings><config:config-item-set config:name="ooo:view-settings">'
                f"{''.join(self.settings)}</config:config-item-set></office:settings>",
            ),
        }
        kinds = dict.fromkeys(parts, "text/xml") | {
            name: kind for name, (_, kind) in self.members.items()
        }
        entries = "".join(
            f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{kind}"/>'
            for name, kind in {"/": TEXT, **kinds}.items()
        )
        manifest = (
            f'{HEAD}<manifest:manifest {NAMESPACES} manifest:version="1.3">{entries}'
            "</manifest:manifest>"
        )
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr(zipfile.ZipInfo("mimetype"), TEXT)
            for name, xml in {**parts, "META-INF/manifest.xml": manifest}.items():
                package.writestr(name, xml)
            for name, (data, _) in self.members.items():
                package.writestr(name, data)
        return out.getvalue()


def part(tag: str, inner: str) -> str:
    """Return an XML part."""
    return f'{HEAD}<office:{tag} {NAMESPACES} office:version="1.3">{inner}</office:{tag}>'


def added(where: str, form: str) -> Add:
    """Return a function that adds XML to an attribute of `Odf`, with the text for ``{}``."""
    return lambda made, text: getattr(made, where).append(form.replace("{}", text))


def body(form: str) -> Add:
    """Return a function that adds XML after the main text."""
    return added("content", form)


def paragraph(form: str) -> Add:
    """Return a function that adds a paragraph."""
    return body(f"<text:p>{form}</text:p>")


def spans(made: Odf, text: str) -> None:
    """Add a paragraph of spans of three letters, blanks as elements."""
    pieces = [text[at : at + 3].replace(" ", "<text:s/>") for at in range(0, len(text), 3)]
    inner = "".join(f'<text:span text:style-name="T1">{piece}</text:span>' for piece in pieces)
    made.content.append(f"<text:p>{inner}</text:p>")


def member(name: str, content: Callable[[str], bytes], kind: str, xml: str = "") -> Add:
    """Return a function that adds a member of the package, and XML that refers to it."""

    def add(made: Odf, text: str) -> None:
        made.members[name] = (content(text), kind)
        made.content.append(xml)

    return add


def frame(inner: str, attributes: str = "") -> str:
    """Return a paragraph with a frame."""
    size = 'svg:width="10cm" svg:height="3cm"'
    return f"<text:p><draw:frame {size} {attributes}>{inner}</draw:frame></text:p>"


def annotation(who: str, what: str) -> Add:
    """Return a function that adds a comment."""
    return paragraph(
        f"<office:annotation><dc:creator>{who}</dc:creator><dc:date>2020-01-02T03:04:05</dc:date>"
        f"<text:p>{what}</text:p></office:annotation>Seen."
    )


def change(who: str, what: str) -> Add:
    """Return a function that adds a deletion that is tracked."""
    return added(
        "before",
        '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>'
        f"<office:change-info><dc:creator>{who}</dc:creator><dc:date>2020-01-02T03:04:05</dc:date>"
        f"</office:change-info><text:p>{what}</text:p></text:deletion></text:changed-region>"
        "</text:tracked-changes>",
    )


def described(made: Odf, text: str) -> None:
    """Add a picture with a title and a description."""
    made.members["Pictures/1.png"] = (noted_picture(""), "image/png")
    made.content.append(frame(f"{IMAGE}<svg:title>{text}</svg:title><svg:desc>{text}</svg:desc>"))


IMAGE = '<draw:image xlink:href="Pictures/1.png" xlink:type="simple"/>'

PLACES: dict[str, tuple[str, Add]] = {
    "second paragraph": (ALL, paragraph("{}")),
    "spans, and blanks as elements": (ALL, spans),
    "name over a line break": (NAME, paragraph("Jonathan<text:line-break/>Smithson")),
    "table cell": (
        ALL,
        body(
            '<table:table table:name="T"><table:table-column/><table:table-row><table:table-cell>'
            "<text:p>{}</text:p></table:table-cell></table:table-row></table:table>"
        ),
    ),
    "name of a table": ("Jonathan_Smithson", body('<table:table table:name="{}"/>')),
    "header": (ALL, added("styles", "<style:header><text:p>{}</text:p></style:header>")),
    "footer of left pages": (
        NAME,
        added("styles", "<style:footer-left><text:p>{}</text:p></style:footer-left>"),
    ),
    "footnote": (
        ALL,
        paragraph(
            '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
            "<text:note-body><text:p>{}</text:p></text:note-body></text:note>"
        ),
    ),
    "comment": (ALL, annotation("Office", "{}")),
    "comment author": (NAME, annotation("{}", "Seen.")),
    "deleted text": (ALL, change("Office", "{}")),
    "author of a deletion": (NAME, change("{}", "Seen.")),
    "hidden text": (
        ALL,
        paragraph('<text:hidden-text text:condition="1" text:string-value="{}"/>'),
    ),
    "hidden paragraph": (
        ALL,
        paragraph('<text:hidden-paragraph text:condition="1" text:is-hidden="true"/>{}'),
    ),
    "conditional text": (
        NAME,
        paragraph(
            '<text:conditional-text text:condition="1" text:string-value-if-true="x" '
            'text:string-value-if-false="{}">x</text:conditional-text>'
        ),
    ),
    "placeholder": (
        NAME,
        paragraph(
            '<text:placeholder text:placeholder-type="text" text:description="{}">&lt;x&gt;'
            "</text:placeholder>"
        ),
    ),
    "user field": (
        ALL,
        added(
            "before",
            '<text:user-field-decls><text:user-field-decl office:value-type="string" '
            'office:string-value="{}" text:name="who"/></text:user-field-decls>',
        ),
    ),
    "section with a condition": (
        "Jonathan_Smithson",
        body('<text:section text:name="{}" text:display="none"><text:p>x</text:p></text:section>'),
    ),
    "bookmark": ("Jonathan_Smithson", paragraph('<text:bookmark text:name="{}"/>x')),
    "description of a picture": (ALL, described),
    "picture": (
        BORN,
        member(
            "Pictures/1.png",
            lambda text: picture(f"Date of birth: {text}"),
            "image/png",
            frame(IMAGE),
        ),
    ),
    "text box": (ALL, body(frame("<draw:text-box><text:p>{}</text:p></draw:text-box>"))),
    "name of a frame": (NAME, body(frame("<draw:text-box/>", 'draw:name="{}"'))),
    "target of a link": (
        QUERY,
        paragraph('<text:a xlink:type="simple" xlink:href="{}">Find</text:a>'),
    ),
    "address made of the name": (
        ADDRESS,
        paragraph('<text:a xlink:type="simple" xlink:href="mailto:{}">Mail</text:a>'),
    ),
    "title of a link": (
        NAME,
        paragraph('<text:a xlink:type="simple" xlink:href="#a" office:title="{}">x</text:a>'),
    ),
    "field of a form": (
        NAME,
        body(
            '<office:forms><form:form form:name="f"><form:text form:name="{}" form:value="{}" '
            'form:current-value="{}" form:title="{}"/></form:form></office:forms>'
        ),
    ),
    "author in the properties": (
        NAME,
        added(
            "meta",
            "<meta:initial-creator>{}</meta:initial-creator><dc:creator>{}</dc:creator>",
        ),
    ),
    "title and keyword": (
        ALL,
        added("meta", "<dc:title>{}</dc:title><meta:keyword>{}</meta:keyword>"),
    ),
    "own property": (
        SSN,
        added("meta", '<meta:user-defined meta:name="SSN">{}</meta:user-defined>'),
    ),
    "printer's name": (
        NAME,
        added(
            "settings",
            '<config:config-item config:name="PrinterName" config:type="string">{}'
            "</config:config-item>",
        ),
    ),
    "name of a style": (
        NAME,
        added(
            "named",
            '<style:style style:name="S1" style:display-name="{}" style:family="paragraph"/>',
        ),
    ),
    "embedded object": (
        ALL,
        member(
            "Object 1/content.xml",
            lambda text: part(
                "document-content",
                f"<office:body><office:text><text:p>{text}</text:p></office:text></office:body>",
            ).encode(),
            "text/xml",
            frame('<draw:object xlink:href="./Object 1" xlink:type="simple"/>'),
        ),
    ),
    "replacement of an object": (
        SSN,
        member(
            "ObjectReplacements/Object 1",
            lambda text: bytes(64) + text.encode("utf-16-le"),
            "application/x-openoffice-gdimetafile",
        ),
    ),
    "preview picture": (
        BORN,
        member(
            "Thumbnails/thumbnail.png",
            lambda text: picture(f"Date of birth: {text}"),
            "image/png",
        ),
    ),
    "macro": (
        NAME,
        member(
            "Basic/Standard/Module1.xml",
            lambda text: f"{HEAD}<module>' by {text}</module>".encode(),
            "text/xml",
        ),
    ),
    "XML comment": (ALL, body("<!-- {} -->")),
    "member that nothing refers to": (ALL, member("notes.txt", str.encode, "text/plain")),
}


PLANTS = family("odt", ".odt", Odf, Odf.to_bytes, PLACES)
