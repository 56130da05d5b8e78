"""Plant texts in PowerPoint presentations."""

from collections.abc import Callable

from benchmarks.documents_plants import ADDRESS, ALL, BORN, NAME, QUERY, SSN, family
from benchmarks.documents_plants_office import (
    DRAWING,
    NAMESPACES,
    TYPES,
    Office,
    add_app,
    add_core,
    add_custom,
    chart,
    diagram,
    noted_picture,
    picture,
)

SHOW, SLIDE = "ppt/presentation.xml", "ppt/slides/slide1.xml"
MASTER, LAYOUT = "ppt/slideMasters/slideMaster1.xml", "ppt/slideLayouts/slideLayout1.xml"
POINT = f"{TYPES}.presentationml"
TREE = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
COLORS = (
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" '
    'accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" '
    'folHlink="folHlink"/>'
)
Add = Callable[[Office, str], object]


def shape(text: str, properties: str = 'id="2" name="Box"', run: str = "") -> str:
    """Return a text box."""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr {properties}/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
        '<p:spPr><a:xfrm><a:off x="500000" y="500000"/><a:ext cx="8000000" cy="900000"/></a:xfrm>'
        '<a:prstGeom prst="rect"/></p:spPr><p:txBody><a:bodyPr/><a:p><a:r>'
        f"<a:rPr>{run}</a:rPr><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def page(tag: str, shapes: str, more: str = "") -> str:
    """Return a slide, a layout, a master or a page of notes."""
    tree = f"<p:spTree>{TREE}{shapes}</p:spTree>"
    return f"<p:{tag} {NAMESPACES}><p:cSld>{tree}</p:cSld>{more}</p:{tag}>"


def base(body: str) -> Office:
    """Return a presentation of one slide."""
    made = Office()
    made.add(
        SHOW,
        f'<p:presentation {NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" '
        'r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst>'
        '<p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/>'
        "</p:presentation>",
        f"{POINT}.presentation.main+xml",
        "",
        "officeDocument",
    )
    layouts = '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>'
    made.add(
        MASTER, page("sldMaster", "", COLORS + layouts), f"{POINT}.slideMaster+xml", SHOW,
        "slideMaster",
    )  # fmt: skip
    made.add(SLIDE, page("sld", shape(body)), f"{POINT}.slide+xml", SHOW, "slide")
    made.add(LAYOUT, page("sldLayout", ""), f"{POINT}.slideLayout+xml", MASTER, "slideLayout")
    made.link(LAYOUT, "slideMaster", "../slideMasters/slideMaster1.xml", external=False)
    made.link(SLIDE, "slideLayout", "../slideLayouts/slideLayout1.xml", external=False)
    theme = (
        f'<a:theme {NAMESPACES} name="Office"><a:themeElements><a:clrScheme name="Office"/>'
        '<a:fontScheme name="Office"/><a:fmtScheme name="Office"/></a:themeElements></a:theme>'
    )
    made.add("ppt/theme/theme1.xml", theme, f"{TYPES}.theme+xml", MASTER, "theme")
    return made


def on(part: str, form: str, mark: str = "</p:spTree>") -> Add:
    """Return a function that adds *form* to *part*, with the text for ``{}``."""

    def add(made: Office, text: str) -> None:
        made.before(part, mark, form.replace("{}", text))

    return add


def split_runs(made: Office, text: str) -> None:
    """Add a text box of runs of three letters."""
    runs = "".join(
        f'<a:r><a:rPr b="{at % 2}"/><a:t>{text[at : at + 3]}</a:t></a:r>'
        for at in range(0, len(text), 3)
    )
    box = shape("@").replace("<a:r><a:rPr></a:rPr><a:t>@</a:t></a:r>", runs)
    made.before(SLIDE, "</p:spTree>", box)


def notes(made: Office, text: str) -> None:
    """Add notes of the speaker."""
    name = "ppt/notesSlides/notesSlide1.xml"
    body = shape(text).replace("<p:nvPr/>", '<p:nvPr><p:ph type="body" idx="1"/></p:nvPr>')
    made.add(name, page("notes", body), f"{POINT}.notesSlide+xml", SLIDE, "notesSlide")
    made.link(name, "slide", "../slides/slide1.xml", external=False)


def part(name: str, xml: str, content: str, relation: str, source: str = SHOW) -> Add:
    """Return a function that adds a part, with the text for ``{}``."""

    def add(made: Office, text: str) -> None:
        filled = xml.replace("{ns}", NAMESPACES).replace("{}", text)
        made.add(name, filled, content, source, relation)

    return add


def hidden_slide(made: Office, text: str) -> None:
    """Add a slide that is not shown."""
    name = "ppt/slides/slide2.xml"
    xml = page("sld", shape(text)).replace("<p:sld ", '<p:sld show="0" ')
    rid = made.add(name, xml, f"{POINT}.slide+xml", SHOW, "slide")
    made.link(name, "slideLayout", "../slideLayouts/slideLayout1.xml", external=False)
    made.before(SHOW, "</p:sldIdLst>", f'<p:sldId id="257" r:id="{rid}"/>')


def link(made: Office, text: str) -> None:
    """Add a link to an address."""
    rid = made.link(SLIDE, "hyperlink", text)
    box = shape("Mail", run=f'<a:hlinkClick r:id="{rid}"/>')
    made.before(SLIDE, "</p:spTree>", box)


def pictured(properties: str, image: Callable[[str], bytes]) -> Add:
    """Return a function that adds a picture, with the text for ``{}`` in its properties."""

    def add(made: Office, text: str) -> None:
        rid = made.add("ppt/media/image1.png", image(text), "image/png", SLIDE, "image")
        made.before(
            SLIDE,
            "</p:spTree>",
            f'<p:pic><p:nvPicPr><p:cNvPr id="4" {properties.replace("{}", text)}/><p:cNvPicPr/>'
            f'<p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="{rid}"/><a:stretch><a:fillRect/>'
            '</a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="3000000"/><a:ext '
            'cx="8000000" cy="1500000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr></p:pic>',
        )

    return add


def frame(kind: str, inner: str) -> str:
    """Return a graphic frame."""
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="f"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm>'
        f'<a:graphic><a:graphicData uri="{DRAWING}/{kind}">{inner}</a:graphicData></a:graphic>'
        "</p:graphicFrame>"
    )


def charted(made: Office, text: str) -> None:
    """Add a chart, and its workbook."""
    from benchmarks.documents_plants_sheet import base as sheet

    name = "ppt/charts/chart1.xml"
    content = f"{TYPES}.drawingml.chart+xml"
    rid = made.add(name, chart(text, "category"), content, SLIDE, "chart")
    book, kind = "ppt/embeddings/sheet1.xlsx", f"{TYPES}.spreadsheetml.sheet"
    made.add(book, sheet(text).to_bytes(), kind, name, "package")
    made.before(SLIDE, "</p:spTree>", frame("chart", f'<c:chart r:id="{rid}"/>'))


TABLE = (
    '<a:tbl><a:tblPr/><a:tblGrid><a:gridCol w="900000"/></a:tblGrid><a:tr h="90000"><a:tc>'
    "<a:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc></a:tr>"
    "</a:tbl>"
)
SECTIONS = (
    '<p:extLst><p:ext uri="{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"><p14:sectionLst '
    'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="{}" '
    'id="{00000000-0000-0000-0000-000000000001}"><p14:sldIdLst><p14:sldId id="256"/>'
    "</p14:sldIdLst></p14:section></p14:sectionLst></p:ext></p:extLst>"
)
MODERN = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"

PLACES: dict[str, tuple[str, Add]] = {
    "second text box": (ALL, on(SLIDE, shape("{}"))),
    "split runs": (ALL, split_runs),
    "name over a line break": (
        NAME,
        on(SLIDE, shape("Jonathan</a:t></a:r><a:br/><a:r><a:t>Smithson")),
    ),
    "field": (
        NAME,
        on(
            SLIDE,
            shape(
                'x</a:t></a:r><a:fld id="{00000000-0000-0000-0000-000000000001}" type="footer">'
                "<a:t>{}</a:t></a:fld><a:r><a:t>y"
            ),
        ),
    ),
    "text box in a group": (ALL, on(SLIDE, f"<p:grpSp>{TREE}{shape('{}')}</p:grpSp>")),
    "hidden shape": (ALL, on(SLIDE, shape("{}", 'id="6" name="h" hidden="1"'))),
    "table cell": (ALL, on(SLIDE, frame("table", TABLE))),
    "notes": (ALL, notes),
    "hidden slide": (ALL, hidden_slide),
    "layout": (ALL, on(LAYOUT, shape("{}"))),
    "master": (ALL, on(MASTER, shape("{}"))),
    "name of a layout": (
        NAME,
        lambda made, text: made.replace(LAYOUT, "<p:cSld>", f'<p:cSld name="{text}">'),
    ),
    "name of the theme": (
        NAME,
        lambda made, text: made.replace(
            "ppt/theme/theme1.xml", 'name="Office">', f'name="{text}">'
        ),
    ),
    "master of handouts": (
        ALL,
        part(
            "ppt/handoutMasters/handoutMaster1.xml",
            page("handoutMaster", shape("{}"), COLORS),
            f"{POINT}.handoutMaster+xml",
            "handoutMaster",
        ),
    ),
    "comment": (
        ALL,
        part(
            "ppt/comments/comment1.xml",
            '<p:cmLst {ns}><p:cm authorId="0" dt="2020-01-01T00:00:00" idx="1"><p:pos x="1" y="1"/>'
            "<p:text>{}</p:text></p:cm></p:cmLst>",
            f"{POINT}.comments+xml",
            "comments",
            SLIDE,
        ),
    ),
    "comment author": (
        NAME,
        part(
            "ppt/commentAuthors.xml",
            '<p:cmAuthorLst {ns}><p:cmAuthor id="0" name="{}" initials="x" lastIdx="1" '
            'clrIdx="0"/></p:cmAuthorLst>',
            f"{POINT}.commentAuthors+xml",
            "commentAuthors",
        ),
    ),
    "modern comment": (
        ALL,
        part(
            "ppt/comments/modernComment1.xml",
            f'<p188:cmLst xmlns:p188="{MODERN}" {{ns}}><p188:cm id="{{0}}" authorId="{{1}}">'
            "<p188:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></p188:txBody></p188:cm>"
            "</p188:cmLst>",
            "application/vnd.ms-powerpoint.comments+xml",
            "http://schemas.microsoft.com/office/2018/10/relationships/comments",
            SLIDE,
        ),
    ),
    "author of modern comments": (
        NAME,
        part(
            "ppt/authors.xml",
            f'<p188:authorLst xmlns:p188="{MODERN}"><p188:author id="{{1}}" name="{{}}" '
            'initials="x" userId="S::{}" providerId="AD"/></p188:authorLst>',
            "application/vnd.ms-powerpoint.authors+xml",
            "http://schemas.microsoft.com/office/2018/10/relationships/authors",
        ),
    ),
    "description of a picture": (
        ALL,
        pictured('name="p" descr="{}"', lambda text: noted_picture("")),
    ),
    "name and title of a shape": (NAME, on(SLIDE, shape("x", 'id="7" name="{}" title="{}"'))),
    "picture": (BORN, pictured('name="p"', lambda text: picture(f"Date of birth: {text}"))),
    "chart and its workbook": (ALL, charted),
    "SmartArt": (
        ALL,
        part(
            "ppt/diagrams/data1.xml",
            diagram("{}"),
            f"{TYPES}.drawingml.diagramData+xml",
            "diagramData",
            SLIDE,
        ),
    ),
    "target of a link": (QUERY, link),
    "address made of the name": (ADDRESS, link),
    "tooltip of a link": (
        NAME,
        on(SLIDE, shape("x", run='<a:hlinkClick r:id="" action="ppaction://x" tooltip="{}"/>')),
    ),
    "section": (NAME, on(SHOW, SECTIONS, "</p:presentation>")),
    "custom show": (
        NAME,
        on(
            SHOW,
            '<p:custShowLst><p:custShow name="{}" id="0"><p:sldLst><p:sld r:id="rId2"/></p:sldLst>'
            "</p:custShow></p:custShowLst>",
            "</p:presentation>",
        ),
    ),
    "tag": (
        SSN,
        part(
            "ppt/tags/tag1.xml",
            '<p:tagLst {ns}><p:tag name="WHO" val="{}"/></p:tagLst>',
            f"{POINT}.tags+xml",
            "tags",
            SLIDE,
        ),
    ),
    "author in the properties": (NAME, lambda made, text: add_core(made, dc_creator=text)),
    "keywords in the properties": (ALL, lambda made, text: add_core(made, cp_keywords=text)),
    "titles of slides": (
        ALL,
        lambda made, text: add_app(
            made,
            f'<TitlesOfParts><vt:vector size="1" baseType="lpstr"><vt:lpstr>{text}</vt:lpstr>'
            "</vt:vector></TitlesOfParts>",
        ),
    ),
    "custom property": (NAME, lambda made, text: add_custom(made, "Author", text)),
    "OLE object": (
        ALL,
        lambda made, text: made.add(
            "ppt/embeddings/oleObject1.bin",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + text.encode("utf-16-le"),
            f"{TYPES}.oleObject",
            SLIDE,
            "oleObject",
        ),
    ),
}

PLANTS = family("pptx", ".pptx", base, Office.to_bytes, PLACES)
