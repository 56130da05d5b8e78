"""Plant texts in Word documents."""

from collections.abc import Callable

from benchmarks.documents_plants import ADDRESS, ALL, BORN, NAME, SSN, family
from benchmarks.documents_plants_office import (
    NAMESPACES,
    TYPES,
    Office,
    add_app,
    add_core,
    add_custom,
    add_custom_xml,
    add_thumbnail,
    chart,
    diagram,
    noted_picture,
    picture,
)

MAIN = "word/document.xml"
WORD = f"{TYPES}.wordprocessingml"
WHEN = 'w:date="2020-01-02T03:04:05Z"'
Add = Callable[[Office, str], object]


def base(body: str) -> Office:
    """Return a document of one paragraph."""
    made = Office()
    made.add(
        MAIN,
        f"<w:document {NAMESPACES}><w:body>{paragraph(body)}<w:sectPr/></w:body></w:document>",
        f"{WORD}.document.main+xml",
        "",
        "officeDocument",
    )
    made.add(
        "word/styles.xml",
        f'<w:styles {NAMESPACES}><w:style w:type="paragraph" w:default="1" w:styleId="Normal">'
        '<w:name w:val="Normal"/></w:style></w:styles>',
        f"{WORD}.styles+xml",
        MAIN,
        "styles",
    )
    made.add(
        "word/settings.xml",
        f"<w:settings {NAMESPACES}></w:settings>",
        f"{WORD}.settings+xml",
        MAIN,
        "settings",
    )
    return made


def run(text: str, properties: str = "") -> str:
    """Return a run."""
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(text: str) -> str:
    """Return a paragraph of one run."""
    return f"<w:p>{run(text)}</w:p>"


def within(form: str) -> Add:
    """Return a function that adds *form* to the body, with the text for ``{}``."""

    def add(made: Office, text: str) -> None:
        made.before(MAIN, "<w:sectPr", form.replace("{}", text))

    return add


def split_runs(made: Office, text: str) -> None:
    """Add a paragraph of runs of three letters, each with formatting of its own."""
    looks = ("<w:b/>", "<w:i/>", "")
    runs = "".join(
        run(text[at : at + 3], looks[at // 3 % 3]) + '<w:proofErr w:type="spellStart"/>'
        for at in range(0, len(text), 3)
    )
    made.before(MAIN, "<w:sectPr", f"<w:p>{runs}</w:p>")


def header(kind: str, which: str) -> Add:
    """Return a function that adds a header or footer."""

    def add(made: Office, text: str) -> None:
        tag = {"header": "w:hdr", "footer": "w:ftr"}[kind]
        rid = made.add(
            f"word/{kind}1.xml",
            f"<{tag} {NAMESPACES}>{paragraph(text)}</{tag}>",
            f"{WORD}.{kind}+xml",
            MAIN,
            kind,
        )
        made.replace(
            MAIN,
            "<w:sectPr/>",
            f'<w:sectPr><w:{kind}Reference w:type="{which}" r:id="{rid}"/></w:sectPr>',
        )

    return add


def note(kind: str) -> Add:
    """Return a function that adds a footnote or an endnote."""

    def add(made: Office, text: str) -> None:
        made.add(
            f"word/{kind}s.xml",
            f'<w:{kind}s {NAMESPACES}><w:{kind} w:id="2">{paragraph(text)}</w:{kind}></w:{kind}s>',
            f"{WORD}.{kind}s+xml",
            MAIN,
            f"{kind}s",
        )
        made.before(MAIN, "<w:sectPr", f'<w:p><w:r><w:{kind}Reference w:id="2"/></w:r></w:p>')

    return add


def comment(author: str = "The office", initials: str = "TO", text: str = "Checked.") -> Add:
    """Return a function that adds a comment; ``{}`` in one of the arguments is the text."""

    def add(made: Office, value: str) -> None:
        who = author.replace("{}", value)
        short = initials.replace("{}", value)
        made.add(
            "word/comments.xml",
            f'<w:comments {NAMESPACES}><w:comment w:id="0" w:author="{who}" {WHEN} '
            f'w:initials="{short}">{paragraph(text.replace("{}", value))}</w:comment></w:comments>',
            f"{WORD}.comments+xml",
            MAIN,
            "comments",
        )
        made.before(MAIN, "<w:sectPr", '<w:p><w:r><w:commentReference w:id="0"/></w:r></w:p>')

    return add


def linked(form: str, kind: str, target: str) -> Add:
    """Return a function that adds *form*; ``{}`` is the identifier of an external relationship."""

    def add(made: Office, text: str) -> None:
        rid = made.link(MAIN, kind, target.replace("{}", text))
        made.before(MAIN, "<w:sectPr", form.replace("{}", rid))

    return add


def part(name: str, content: str, content_type: str, kind: str) -> Add:
    """Return a function that adds a part, with the text for ``{}``."""

    def add(made: Office, text: str) -> None:
        xml = content.replace("{}", text).replace("{ns}", NAMESPACES)
        made.add(name, xml, content_type, MAIN, kind)

    return add


def setting(form: str) -> Add:
    """Return a function that adds a setting."""

    def add(made: Office, text: str) -> None:
        made.before("word/settings.xml", "</w:settings>", form.replace("{}", text))

    return add


def style(form: str) -> Add:
    """Return a function that adds to the styles."""

    def add(made: Office, text: str) -> None:
        made.before("word/styles.xml", "</w:styles>", form.replace("{}", text))

    return add


def binary(name: str, content: Callable[[str], bytes], content_type: str, kind: str) -> Add:
    """Return a function that adds a binary part."""

    def add(made: Office, text: str) -> None:
        made.add(name, content(text), content_type, MAIN, kind)

    return add


def drawing(
    attributes: str, content: Callable[[str], bytes] = lambda text: noted_picture("")
) -> Add:
    """Return a function that adds a picture with *attributes*, in which ``{}`` is the text."""

    def add(made: Office, text: str) -> None:
        rid = made.add("word/media/image1.png", content(text), "image/png", MAIN, "image")
        given = attributes.replace("{}", text)
        xml = (
            f'<w:p><w:r><w:drawing><wp:inline><wp:extent cx="4000000" cy="900000"/>'
            f'<wp:docPr id="1" {given}/><a:graphic><a:graphicData '
            'uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr>'
            '<pic:cNvPr id="0" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>'
            f'<a:blip r:embed="{rid}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>'
            '<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="4000000" cy="900000"/></a:xfrm>'
            '<a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic>'
            "</wp:inline></w:drawing></w:r></w:p>"
        )
        made.before(MAIN, "<w:sectPr", xml)

    return add


def workbook(made: Office, text: str) -> None:
    """Add an embedded workbook."""
    from benchmarks.documents_plants_sheet import base as sheet

    made.add(
        "word/embeddings/sheet1.xlsx",
        sheet(text).to_bytes(),
        f"{TYPES}.spreadsheetml.sheet",
        MAIN,
        "package",
    )


def utf16_part(made: Office, text: str) -> None:
    """Add a header whose XML is in UTF-16."""
    header("header", "default")(made, text)
    xml = str(made.parts["word/header1.xml"]).replace("UTF-8", "UTF-16")
    made.parts["word/header1.xml"] = xml.encode("utf-16")


def trailing(made: Office, text: str) -> None:
    """Set the comment of the ZIP file."""
    made.comment = text.encode()


def stray(made: Office, text: str) -> None:
    """Add a member that nothing refers to."""
    made.extra["word/old.txt"] = text.encode()


FIELD = (
    '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> '
    '{code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>{shown}'
    '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
)
BOX = "<w:txbxContent><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:txbxContent>"
SHAPE = (
    '<wp:anchor><wp:extent cx="900000" cy="900000"/><wp:docPr id="3" name="b"/><a:graphic>'
    '<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">'
    f"<wps:wsp><wps:cNvSpPr/><wps:spPr/><wps:txbx>{BOX}</wps:txbx><wps:bodyPr/></wps:wsp>"
    "</a:graphicData></a:graphic></wp:anchor>"
)

PLACES: dict[str, tuple[str, Add]] = {
    "second paragraph": (ALL, within(paragraph("{}"))),
    "split runs": (ALL, split_runs),
    "name over a line break": (
        NAME,
        within("<w:p><w:r><w:t>Jonathan</w:t><w:br/><w:t>Smithson</w:t></w:r></w:p>"),
    ),
    "character references": (
        NAME,
        within("<w:p><w:r><w:t>&#74;onathan &#x53;mithson</w:t></w:r></w:p>"),
    ),
    "character data section": (SSN, within("<w:p><w:r><w:t><![CDATA[{}]]></w:t></w:r></w:p>")),
    "table cell": (
        ALL,
        within(f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc>{paragraph('{}')}</w:tc></w:tr></w:tbl>"),
    ),
    "nested table": (
        ALL,
        within(
            "<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc>"
            f"{paragraph('{}')}</w:tc></w:tr></w:tbl><w:p/></w:tc></w:tr></w:tbl>"
        ),
    ),
    "table caption and description": (
        ALL,
        within(
            '<w:tbl><w:tblPr><w:tblCaption w:val="Staff"/><w:tblDescription w:val="{}"/></w:tblPr>'
            "<w:tblGrid/><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"
        ),
    ),
    "hidden text": (ALL, within(f"<w:p>{run('{}', '<w:vanish/>')}</w:p>")),
    "default header": (ALL, header("header", "default")),
    "header of the first page": (NAME, header("header", "first")),
    "header of even pages": (SSN, header("header", "even")),
    "footer": (ALL, header("footer", "default")),
    "footer of even pages": (BORN, header("footer", "even")),
    "header in UTF-16": (ALL, utf16_part),
    "footnote": (ALL, note("footnote")),
    "endnote": (ALL, note("endnote")),
    "comment": (ALL, comment(text="{}")),
    "comment author": (NAME, comment(author="{}")),
    "comment author initials": ("JSmithson", comment(initials="{}")),
    "person list": (
        NAME,
        part(
            "word/people.xml",
            '<w15:people {ns}><w15:person w15:author="{}"><w15:presenceInfo w15:providerId="AD" '
            'w15:userId="S::{}::1"/></w15:person></w15:people>',
            f"{WORD}.people+xml",
            "http://schemas.microsoft.com/office/2011/relationships/people",
        ),
    ),
    "inserted text": (
        ALL,
        within(f'<w:p><w:ins w:id="7" w:author="TO" {WHEN}>{run("{}")}</w:ins></w:p>'),
    ),
    "author of an insertion": (
        NAME,
        within(f'<w:p><w:ins w:id="7" w:author="{{}}" {WHEN}>{run("Seen.")}</w:ins></w:p>'),
    ),
    "deleted text": (
        ALL,
        within(
            f'<w:p><w:del w:id="8" w:author="TO" {WHEN}><w:r><w:delText>{{}}</w:delText></w:r>'
            "</w:del></w:p>"
        ),
    ),
    "text moved away": (
        ALL,
        within(f'<w:p><w:moveFrom w:id="9" w:author="TO" {WHEN}>{run("{}")}</w:moveFrom></w:p>'),
    ),
    "author of changed formatting": (
        NAME,
        within(
            f'<w:p><w:r><w:rPr><w:b/><w:rPrChange w:id="5" w:author="{{}}" {WHEN}><w:rPr/>'
            "</w:rPrChange></w:rPr><w:t>Seen.</w:t></w:r></w:p>"
        ),
    ),
    "deleted field code": (
        NAME,
        within(
            f'<w:p><w:del w:id="8" w:author="TO" {WHEN}><w:r><w:delInstrText> AUTHOR "{{}}" '
            "</w:delInstrText></w:r></w:del></w:p>"
        ),
    ),
    "text box": (
        ALL,
        within(
            f'<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>{SHAPE}'
            "</w:drawing></mc:Choice></mc:AlternateContent></w:r></w:p>"
        ),
    ),
    "fallback of a text box": (
        ALL,
        within(
            '<w:p><w:r><mc:AlternateContent><mc:Fallback><w:pict><v:shape id="s" '
            f'style="width:90pt;height:20pt"><v:textbox>{BOX}</v:textbox></v:shape></w:pict>'
            "</mc:Fallback></mc:AlternateContent></w:r></w:p>"
        ),
    ),
    "WordArt": (
        NAME,
        within(
            '<w:p><w:r><w:pict><v:shape id="s" style="width:90pt;height:20pt">'
            '<v:textpath style="font-family:Arial" string="{}"/></v:shape></w:pict></w:r></w:p>'
        ),
    ),
    "content control": (
        ALL,
        within(f"<w:sdt><w:sdtContent>{paragraph('{}')}</w:sdtContent></w:sdt>"),
    ),
    "content control's name and tag": (
        NAME,
        within(
            '<w:sdt><w:sdtPr><w:alias w:val="{}"/><w:tag w:val="{}"/></w:sdtPr>'
            f"<w:sdtContent>{paragraph('Seen.')}</w:sdtContent></w:sdt>"
        ),
    ),
    "content control's list": (
        NAME,
        within(
            '<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="{}" w:value="{}"/>'
            f"</w:dropDownList></w:sdtPr><w:sdtContent>{paragraph('Seen.')}</w:sdtContent></w:sdt>"
        ),
    ),
    "field code": (NAME, within(FIELD.format(code='AUTHOR "{}"', shown=run("Office")))),
    "result of a field": (ALL, within(FIELD.format(code="MERGEFIELD Who", shown=run("{}")))),
    "simple field": (
        NAME,
        within(f"<w:p><w:fldSimple w:instr=' TITLE \"{{}}\" '>{run('x')}</w:fldSimple></w:p>"),
    ),
    "form field's default and help": (
        NAME,
        within(
            '<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="T1"/><w:enabled/>'
            '<w:helpText w:type="text" w:val="{}"/><w:textInput><w:default w:val="{}"/>'
            '</w:textInput></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/>'
            "</w:r></w:p>"
        ),
    ),
    "target of a link": (
        SSN,
        linked(
            f'<w:p><w:hyperlink r:id="{{}}">{run("Find")}</w:hyperlink></w:p>',
            "hyperlink",
            "https://example.com/find?ssn={}",
        ),
    ),
    "address made of the name": (
        ADDRESS,
        linked(
            f'<w:p><w:hyperlink r:id="{{}}">{run("Mail")}</w:hyperlink></w:p>',
            "hyperlink",
            "mailto:{}",
        ),
    ),
    "tooltip of a link": (
        NAME,
        within(f'<w:p><w:hyperlink w:anchor="a" w:tooltip="{{}}">{run("x")}</w:hyperlink></w:p>'),
    ),
    "bookmark": (
        "Jonathan_Smithson",
        within('<w:p><w:bookmarkStart w:id="4" w:name="{}"/><w:bookmarkEnd w:id="4"/></w:p>'),
    ),
    "permission": (
        NAME,
        within('<w:p><w:permStart w:id="4" w:ed="{}"/><w:permEnd w:id="4"/></w:p>'),
    ),
    "formula": (ALL, within("<w:p><m:oMath><m:r><m:t>{}</m:t></m:r></m:oMath></w:p>")),
    "ruby text": (
        NAME,
        within(
            f"<w:p><w:r><w:ruby><w:rubyPr/><w:rt>{run('{}')}</w:rt><w:rubyBase>{run('A')}"
            "</w:rubyBase></w:ruby></w:r></w:p>"
        ),
    ),
    "XML comment": (ALL, within("<!-- {} -->")),
    "processing instruction": (ALL, within("<?office {}?>")),
    "unknown element": (ALL, within('<w:p><n:note xmlns:n="urn:n" n:by="{}"/></w:p>')),
    "description of a picture": (ALL, drawing('name="p" descr="{}"')),
    "name and title of a picture": (NAME, drawing('name="{}" title="{}"')),
    "picture": (BORN, drawing('name="p"', lambda text: picture(f"Date of birth: {text}"))),
    "metadata of a picture": (NAME, drawing('name="p"', noted_picture)),
    "title in the properties": (ALL, lambda made, text: add_core(made, dc_title=text)),
    "author in the properties": (
        NAME,
        lambda made, text: add_core(made, dc_creator=text, cp_lastModifiedBy=text),
    ),
    "manager and company": (
        NAME,
        lambda made, text: add_app(made, f"<Manager>{text}</Manager><Company>{text}</Company>"),
    ),
    "custom property": (NAME, lambda made, text: add_custom(made, "Author", text)),
    "custom XML": (ALL, lambda made, text: add_custom_xml(made, MAIN, text)),
    "preview picture": (BORN, lambda made, text: add_thumbnail(made, f"Date of birth: {text}")),
    "document variable": (
        ALL,
        setting('<w:docVars><w:docVar w:name="who" w:val="{}"/></w:docVars>'),
    ),
    "query of a mail merge": (
        NAME,
        setting(
            '<w:mailMerge><w:mainDocumentType w:val="formLetters"/><w:dataType w:val="native"/>'
            "<w:query w:val=\"SELECT * FROM t WHERE name = '{}'\"/></w:mailMerge>"
        ),
    ),
    "attached template": (
        "Jonathan%20Smithson",
        linked("<w:p/><!--{}-->", "attachedTemplate", "file:///C:/Users/{}/normal.dotm"),
    ),
    "name of a style": (
        NAME,
        style('<w:style w:type="paragraph" w:styleId="S1"><w:name w:val="{}"/></w:style>'),
    ),
    "text of a list's numbers": (
        NAME,
        part(
            "word/numbering.xml",
            '<w:numbering {ns}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">'
            '<w:lvlText w:val="{} %1."/></w:lvl></w:abstractNum></w:numbering>',
            f"{WORD}.numbering+xml",
            "numbering",
        ),
    ),
    "building blocks": (
        ALL,
        part(
            "word/glossary/document.xml",
            '<w:glossaryDocument {ns}><w:docParts><w:docPart><w:docPartPr><w:name w:val="{}"/>'
            "</w:docPartPr><w:docPartBody><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:docPartBody>"
            "</w:docPart></w:docParts></w:glossaryDocument>",
            f"{WORD}.document.glossary+xml",
            "glossaryDocument",
        ),
    ),
    "title of a chart": (
        ALL,
        lambda made, text: made.add(
            "word/charts/chart1.xml",
            chart(text, "title"),
            f"{TYPES}.drawingml.chart+xml",
            MAIN,
            "chart",
        ),
    ),
    "cached categories of a chart": (
        NAME,
        lambda made, text: made.add(
            "word/charts/chart1.xml",
            chart(text, "category"),
            f"{TYPES}.drawingml.chart+xml",
            MAIN,
            "chart",
        ),
    ),
    "SmartArt": (
        ALL,
        lambda made, text: made.add(
            "word/diagrams/data1.xml",
            diagram(text),
            f"{TYPES}.drawingml.diagramData+xml",
            MAIN,
            "diagramData",
        ),
    ),
    "embedded workbook": (ALL, workbook),
    "OLE object": (
        ALL,
        binary(
            "word/embeddings/oleObject1.bin",
            lambda text: (
                b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + text.encode("utf-16-le")
            ),
            f"{TYPES}.oleObject",
            "oleObject",
        ),
    ),
    "inserted HTML": (
        ALL,
        binary(
            "word/afchunk.html",
            lambda text: f"<html><body><p>{text}</p></body></html>".encode(),
            "text/html",
            "aFChunk",
        ),
    ),
    "inserted RTF": (
        SSN,
        binary(
            "word/afchunk.rtf",
            lambda text: ("{\\rtf1 " + text + "}").encode(),
            "application/rtf",
            "aFChunk",
        ),
    ),
    "printer settings": (
        NAME,
        binary(
            "word/printerSettings1.bin",
            lambda text: bytes(64) + text.encode("utf-16-le") + bytes(64),
            f"{TYPES}.wordprocessingml.printerSettings",
            "printerSettings",
        ),
    ),
    "comment of the ZIP file": (ALL, trailing),
    "member that nothing refers to": (ALL, stray),
}

PLANTS = family("docx", ".docx", base, Office.to_bytes, PLACES)

MACROS = family(
    "docx",
    ".docm",
    base,
    Office.to_bytes,
    {
        "macros": (
            ALL,
            binary(
                "word/vbaProject.bin",
                lambda text: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + text.encode(),
                "application/vnd.ms-office.vbaProject",
                "http://schemas.microsoft.com/office/2006/relationships/vbaProject",
            ),
        )
    },
)
PLANTS += MACROS
