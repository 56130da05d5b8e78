"""Plant texts in Excel workbooks."""

from collections.abc import Callable

from benchmarks.documents_plants import ADDRESS, ALL, BORN, DIGITS, NAME, QUERY, SSN, family
from benchmarks.documents_plants_office import (
    DRAWING,
    HEAD,
    NAMESPACES,
    TYPES,
    Office,
    add_app,
    add_core,
    add_custom,
    add_custom_xml,
    add_thumbnail,
    chart,
    noted_picture,
    picture,
)

BOOK, SHEET, STRINGS = "xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
STYLES = "xl/styles.xml"
EXCEL = f"{TYPES}.spreadsheetml"
SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
THREADED = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
MICROSOFT = "http://schemas.microsoft.com/office"
Add = Callable[[Office, str], object]


def root(tag: str, inner: str, more: str = "") -> str:
    """Return a part in the namespace of workbooks."""
    return f'{HEAD}<{tag} xmlns="{SPACE}" {NAMESPACES} {more}>{inner}</{tag}>'


def base(body: str) -> Office:
    """Return a workbook of one sheet: the sentence in A2, numbers beside it."""
    made = Office()
    made.add(
        BOOK,
        root(
            "workbook",
            "<workbookPr/><bookViews><workbookView/></bookViews>"
            '<sheets><sheet name="Staff" sheetId="1" r:id="rId1"/></sheets>',
        ),
        f"{EXCEL}.sheet.main+xml",
        "",
        "officeDocument",
    )
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
        '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>4</v></c></row>'
    )
    made.add(
        SHEET,
        root("worksheet", f"<sheetData>{rows}</sheetData>"),
        f"{EXCEL}.worksheet+xml",
        BOOK,
        "worksheet",
    )
    strings = "".join(f"<si><t>{text}</t></si>" for text in ("Entry", "Years", body))
    made.add(STRINGS, root("sst", strings), f"{EXCEL}.sharedStrings+xml", BOOK, "sharedStrings")
    made.add(
        STYLES,
        root(
            "styleSheet",
            '<numFmts count="1"><numFmt numFmtId="164" formatCode="000\\-00\\-0000"/></numFmts>'
            "<fonts><font><sz val='11'/></font></fonts><fills><fill><patternFill/></fill></fills>"
            "<borders><border/></borders>"
            "<cellStyleXfs><xf/></cellStyleXfs>"
            '<cellXfs><xf/><xf numFmtId="164" applyNumberFormat="1"/>'
            '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs>',
        ),
        f"{EXCEL}.styles+xml",
        BOOK,
        "styles",
    )
    return made


def row(cells: str) -> Add:
    """Return a function that adds a row, with the text for ``{}``."""

    def add(made: Office, text: str) -> None:
        xml = f'<row r="3">{cells.replace("{}", text)}</row>'
        made.before(SHEET, "</sheetData>", xml)

    return add


def shared(item: str) -> Add:
    """Return a function that adds a shared string, and a cell that has it."""

    def add(made: Office, text: str) -> None:
        made.before(STRINGS, "</sst>", f"<si>{item.replace('{}', text)}</si>")
        row('<c r="A3" t="s"><v>3</v></c>')(made, "")

    return add


def sheet(form: str) -> Add:
    """Return a function that adds to the sheet, after its rows."""

    def add(made: Office, text: str) -> None:
        made.before(SHEET, "</worksheet>", form.replace("{}", text))

    return add


def sheet_head(form: str) -> Add:
    """Return a function that adds to the sheet, before its rows."""

    def add(made: Office, text: str) -> None:
        made.before(SHEET, "<sheetData>", form.replace("{}", text))

    return add


def book(form: str, mark: str = "</workbook>") -> Add:
    """Return a function that adds to the workbook."""

    def add(made: Office, text: str) -> None:
        made.before(BOOK, mark, form.replace("{}", text))

    return add


def part(name: str, xml: str, kind: str, relation: str = "", source: str = BOOK) -> Add:
    """Return a function that adds a part, with the text for ``{}``."""

    def add(made: Office, text: str) -> None:
        content = kind if "/" in kind else f"{EXCEL}.{kind}+xml"
        made.add(name, xml.replace("{}", text), content, source, relation or kind)

    return add


def split_string(made: Office, text: str) -> None:
    """Add a shared string of runs of four letters."""
    runs = "".join(
        f"<r><rPr><b/></rPr><t xml:space='preserve'>{text[at : at + 4]}</t></r>"
        for at in range(0, len(text), 4)
    )
    shared(runs)(made, "")


def sheet_name(made: Office, text: str) -> None:
    """Name the sheet, and refer to it."""
    made.replace(BOOK, 'name="Staff"', f'name="{text}"')
    row(f"<c r=\"A3\"><f>SUM('{text}'!B2:B2)</f><v>4</v></c>")(made, "")


def hidden_column(made: Office, text: str) -> None:
    """Add a cell in a column without width."""
    row(f'<c r="C3" t="inlineStr"><is><t>{text}</t></is></c>')(made, "")
    sheet_head('<cols><col min="3" max="3" width="0" hidden="1"/></cols>')(made, "")


def hidden_sheet(made: Office, text: str) -> None:
    """Add a sheet that no menu shows."""
    rows = f'<row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c></row>'
    rid = made.add(
        "xl/worksheets/sheet2.xml",
        root("worksheet", f"<sheetData>{rows}</sheetData>"),
        f"{EXCEL}.worksheet+xml",
        BOOK,
        "worksheet",
    )
    entry = f'<sheet name="Old" sheetId="2" state="veryHidden" r:id="{rid}"/>'
    made.before(BOOK, "</sheets>", entry)


def comment(text: str, author: str = "The office") -> Add:
    """Return a function that adds a comment; ``{}`` in one of the arguments is the text."""
    xml = root(
        "comments",
        f"<authors><author>{author}</author></authors><commentList>"
        f'<comment ref="A2" authorId="0"><text><r><t>{text}</t></r></text></comment></commentList>',
    )
    return part("xl/comments1.xml", xml, "comments", source=SHEET)


def threaded(made: Office, text: str) -> None:
    """Add a threaded comment by a person."""
    identifier = "{00000000-0000-0000-0000-000000000001}"
    made.add(
        "xl/threadedComments/threadedComment1.xml",
        f'<ThreadedComments xmlns="{THREADED}"><threadedComment ref="A2" dT="2020-01-01T00:00:00" '
        f'personId="{identifier}" id="{identifier}"><text>{text}</text></threadedComment>'
        "</ThreadedComments>",
        "application/vnd.ms-excel.threadedcomments+xml",
        SHEET,
        f"{MICROSOFT}/2017/10/relationships/threadedComment",
    )


def person(made: Office, text: str) -> None:
    """Add a person who has commented."""
    made.add(
        "xl/persons/person.xml",
        f'<personList xmlns="{THREADED}"><person displayName="{text}" '
        'id="{00000000-0000-0000-0000-000000000001}" userId="S::1" providerId="AD"/></personList>',
        "application/vnd.ms-excel.person+xml",
        BOOK,
        f"{MICROSOFT}/2017/10/relationships/person",
    )


def link(made: Office, text: str) -> None:
    """Add a link to an address."""
    rid = made.link(SHEET, "hyperlink", text)
    sheet(f'<hyperlinks><hyperlink ref="A1" r:id="{rid}"/></hyperlinks>')(made, "")


def drawing(inner: str, image: Callable[[str], bytes] | None = None) -> Add:
    """Return a function that adds a drawing: a shape with *inner*, or a picture."""

    def add(made: Office, text: str) -> None:
        name = "xl/drawings/drawing1.xml"
        anchor = (
            "<xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1"
            "</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>5</xdr:col>"
            "<xdr:colOff>0</xdr:colOff><xdr:row>9</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>"
            f"{inner.replace('{}', text)}<xdr:clientData/></xdr:twoCellAnchor>"
        )
        rid = made.add(
            name,
            f"<xdr:wsDr {NAMESPACES}>{anchor}</xdr:wsDr>",
            f"{TYPES}.drawing+xml",
            SHEET,
            "drawing",
        )
        if image:
            made.add("xl/media/image1.png", image(text), "image/png", name, "image")
        sheet(f'<drawing r:id="{rid}"/>')(made, "")

    return add


def charted(where: str) -> Add:
    """Return a function that adds a chart with the text at *where*."""

    def add(made: Office, text: str) -> None:
        frame = (
            '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="c"/>'
            '<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/>'
            '<a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData '
            f'uri="{DRAWING}/chart"><c:chart r:id="rId1"/></a:graphicData></a:graphic>'
            "</xdr:graphicFrame>"
        )
        drawing(frame)(made, "")
        made.add(
            "xl/charts/chart1.xml",
            chart(text, where),
            f"{TYPES}.drawingml.chart+xml",
            "xl/drawings/drawing1.xml",
            "chart",
        )

    return add


def pivot(made: Office, text: str) -> None:
    """Add the cache of a pivot table."""
    records = made.add(
        "xl/pivotCache/pivotCacheDefinition1.xml",
        root(
            "pivotCacheDefinition",
            '<cacheSource type="worksheet"><worksheetSource ref="A1:B2" sheet="Staff"/>'
            '</cacheSource><cacheFields count="1"><cacheField name="Entry" numFmtId="0">'
            f'<sharedItems count="1"><s v="{text}"/></sharedItems></cacheField></cacheFields>',
            'refreshedBy="TO" recordCount="1"',
        ),
        f"{EXCEL}.pivotCacheDefinition+xml",
        BOOK,
        "pivotCacheDefinition",
    )
    cached = f'<pivotCaches><pivotCache cacheId="1" r:id="{records}"/></pivotCaches>'
    made.before(BOOK, "</workbook>", cached)


def pivot_records(made: Office, text: str) -> None:
    """Add the records of a pivot table, and who refreshed it."""
    pivot(made, "none")
    name = "xl/pivotCache/pivotCacheDefinition1.xml"
    made.replace(name, 'refreshedBy="TO"', f'refreshedBy="{text}"')
    made.add(
        "xl/pivotCache/pivotCacheRecords1.xml",
        root("pivotCacheRecords", f'<r><s v="{text}"/></r>', 'count="1"'),
        f"{EXCEL}.pivotCacheRecords+xml",
        name,
        "pivotCacheRecords",
    )


def external(made: Office, text: str) -> None:
    """Add the cached values of a linked workbook."""
    name = "xl/externalLinks/externalLink1.xml"
    rid = made.add(
        name,
        root(
            "externalLink",
            '<externalBook r:id="rId1"><sheetNames><sheetName val="Old"/></sheetNames>'
            '<sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1" t="str">'
            f"<v>{text}</v></cell></row></sheetData></sheetDataSet></externalBook>",
        ),
        f"{EXCEL}.externalLink+xml",
        BOOK,
        "externalLink",
    )
    made.link(name, "externalLinkPath", "old.xlsx")
    entry = f'<externalReferences><externalReference r:id="{rid}"/></externalReferences>'
    made.before(BOOK, "</workbook>", entry)


def table(made: Office, text: str) -> None:
    """Make A1 to B2 a table, with the text as a header."""
    made.replace(STRINGS, "Years", text)
    rid = made.add(
        "xl/tables/table1.xml",
        root(
            "table",
            '<autoFilter ref="A1:B2"/><tableColumns count="2"><tableColumn id="1" name="Entry"/>'
            f'<tableColumn id="2" name="{text}"/></tableColumns>',
            'id="1" name="T1" displayName="T1" ref="A1:B2"',
        ),
        f"{EXCEL}.table+xml",
        SHEET,
        "table",
    )
    sheet(f'<tableParts count="1"><tablePart r:id="{rid}"/></tableParts>')(made, "")


def macros(made: Office, text: str) -> None:
    """Add macros."""
    made.add(
        "xl/vbaProject.bin",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + text.encode(),
        "application/vnd.ms-office.vbaProject",
        BOOK,
        f"{MICROSOFT}/2006/relationships/vbaProject",
    )


def vml(made: Office, text: str) -> None:
    """Add the drawing that older programs show for a comment."""
    made.add(
        "xl/drawings/vmlDrawing1.vml",
        f'<xml {NAMESPACES}><v:shape id="s" alt="{text}"><v:textbox><div>{text}</div></v:textbox>'
        "</v:shape></xml>",
        f"{TYPES}.vmlDrawing",
        SHEET,
        "vmlDrawing",
    )


def plain_number(made: Office, text: str) -> None:
    """Add the number alone, under a header that says what it is."""
    row(
        '<c r="A3" t="inlineStr"><is><t>SSN</t></is></c></row><row r="4">'
        f'<c r="A4" s="1"><v>{text}</v></c>'
    )(made, "")


def birth_date(made: Office, text: str) -> None:
    """Add a date of birth as a serial number: 18 691 is March 4, 1951."""
    row(
        '<c r="A3" t="inlineStr"><is><t>Date of birth</t></is></c></row><row r="4">'
        f'<c r="A4" s="2"><v>{text}</v></c>'
    )(made, "")


SHAPE = (
    '<xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="2" name="b"/><xdr:cNvSpPr/>'
    "</xdr:nvSpPr><xdr:spPr/><xdr:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p>"
    "</xdr:txBody></xdr:sp>"
)
PICTURE = (
    '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="p" descr="%s"/><xdr:cNvPicPr/></xdr:nvPicPr>'
    '<xdr:blipFill><a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>'
    '<xdr:spPr><a:prstGeom prst="rect"/></xdr:spPr></xdr:pic>'
)

PLACES: dict[str, tuple[str, Add]] = {
    "shared string": (ALL, shared("<t>{}</t>")),
    "shared string of several runs": (ALL, split_string),
    "shared string that no cell has": (
        ALL,
        lambda made, text: made.before(STRINGS, "</sst>", f"<si><t>{text}</t></si>"),
    ),
    "reading aid of a string": (NAME, shared('<t>A</t><rPh sb="0" eb="1"><t>{}</t></rPh>')),
    "inline string": (ALL, row('<c r="A3" t="inlineStr"><is><t>{}</t></is></c>')),
    "text in a formula": (ALL, row('<c r="A3" t="str"><f>"{}"&amp;B2</f><v>x4</v></c>')),
    "cached value of a formula": (ALL, row('<c r="A3" t="str"><f>A2</f><v>{}</v></c>')),
    "number under a format": (DIGITS, plain_number),
    "date as a serial number": ("18691", birth_date),
    "hidden column": (ALL, hidden_column),
    "hidden sheet": (ALL, hidden_sheet),
    "name of a sheet, and references": (NAME, sheet_name),
    "code name of a sheet": ("Jonathan_Smithson", sheet_head('<sheetPr codeName="{}"/>')),
    "defined name": (
        "Jonathan_Smithson",
        book('<definedNames><definedName name="{}">Staff!$A$1</definedName></definedNames>'),
    ),
    "value and comment of a defined name": (
        ALL,
        book(
            '<definedNames><definedName name="who" comment="{}">"{}"</definedName></definedNames>'
        ),
    ),
    "list of a validation": (
        NAME,
        sheet(
            '<dataValidations count="1"><dataValidation type="list" sqref="A9">'
            '<formula1>"{},none"</formula1></dataValidation></dataValidations>'
        ),
    ),
    "prompt and error of a validation": (
        ALL,
        sheet(
            '<dataValidations count="1"><dataValidation type="list" sqref="A9" promptTitle="Who" '
            'prompt="{}" error="{}"><formula1>$A$1</formula1></dataValidation></dataValidations>'
        ),
    ),
    "comment": (ALL, comment("{}")),
    "comment author": (NAME, comment("Checked.", "{}")),
    "drawing of a comment": (ALL, vml),
    "threaded comment": (ALL, threaded),
    "person of a threaded comment": (NAME, person),
    "target of a link": (QUERY, link),
    "address made of the name": (ADDRESS, link),
    "tooltip of a link": (
        NAME,
        sheet(
            '<hyperlinks><hyperlink ref="A1" location="Staff!A1" tooltip="{}" display="{}"/>'
            "</hyperlinks>"
        ),
    ),
    "header and footer": (
        ALL,
        sheet("<headerFooter><oddHeader>&amp;L{}</oddHeader></headerFooter>"),
    ),
    "footer of the first page": (
        NAME,
        sheet(
            '<headerFooter differentFirst="1"><firstFooter>&amp;C&amp;"Arial"{}</firstFooter>'
            "</headerFooter>"
        ),
    ),
    "text of a number format": (
        NAME,
        lambda made, text: made.before(
            STYLES, "</numFmts>", f'<numFmt numFmtId="165" formatCode="0 &quot;{text}&quot;"/>'
        ),
    ),
    "name of a cell style": (
        NAME,
        lambda made, text: made.before(
            STYLES,
            "</styleSheet>",
            f'<cellStyles><cellStyle name="{text}" xfId="0"/></cellStyles>',
        ),
    ),
    "rule of a conditional format": (
        NAME,
        sheet(
            '<conditionalFormatting sqref="A1"><cfRule type="containsText" priority="1" '
            'operator="containsText" text="{}"><formula>NOT(ISERROR(SEARCH("{}",A1)))</formula>'
            "</cfRule></conditionalFormatting>"
        ),
    ),
    "value of a filter": (
        NAME,
        sheet(
            '<autoFilter ref="A1:A2"><filterColumn colId="0"><filters><filter val="{}"/></filters>'
            "</filterColumn></autoFilter>"
        ),
    ),
    "scenario": (
        NAME,
        sheet(
            '<scenarios><scenario name="s" user="{}" comment="{}"><inputCells r="A1" val="{}"/>'
            "</scenario></scenarios>"
        ),
    ),
    "protected range": (
        "Jonathan_Smithson",
        sheet('<protectedRanges><protectedRange sqref="A1" name="{}"/></protectedRanges>'),
    ),
    "who has the file open": (
        NAME,
        book('<fileSharing userName="{}"/>', "<workbookPr/>"),
    ),
    "saved view": (
        NAME,
        book(
            '<customWorkbookViews><customWorkbookView name="{}" '
            'guid="{00000000-0000-0000-0000-000000000001}" windowWidth="9" windowHeight="9" '
            'activeSheetId="1"/></customWorkbookViews>'
        ),
    ),
    "table's header": (NAME, table),
    "title of a chart": (ALL, charted("title")),
    "cached series of a chart": (NAME, charted("series")),
    "pivot cache": (ALL, pivot),
    "pivot records and who refreshed them": (NAME, pivot_records),
    "cached values of a linked workbook": (ALL, external),
    "connection": (
        NAME,
        part(
            "xl/connections.xml",
            root(
                "connections",
                '<connection id="1" name="q" type="1" refreshedVersion="1">'
                '<dbPr connection="DSN=x;UID={}" command="SELECT \'{}\'"/></connection>',
            ),
            "connections",
        ),
    ),
    "text box": (ALL, drawing(SHAPE)),
    "description of a picture": (ALL, drawing(PICTURE % "{}", lambda text: noted_picture(""))),
    "picture": (BORN, drawing(PICTURE % "", lambda text: picture(f"Date of birth: {text}"))),
    "revision log": (
        NAME,
        part(
            "xl/revisions/revisionHeaders.xml",
            root(
                "headers",
                '<header guid="{00000000-0000-0000-0000-000000000001}" '
                'dateTime="2020-01-01T00:00:00Z" maxSheetId="2" userName="{}" r:id="rId1"/>',
            ),
            "revisionHeaders",
        ),
    ),
    "title in the properties": (ALL, lambda made, text: add_core(made, dc_title=text)),
    "author in the properties": (
        NAME,
        lambda made, text: add_core(made, dc_creator=text, cp_lastModifiedBy=text),
    ),
    "titles of parts": (
        NAME,
        lambda made, text: add_app(
            made,
            f'<TitlesOfParts><vt:vector size="1" baseType="lpstr"><vt:lpstr>{text}</vt:lpstr>'
            "</vt:vector></TitlesOfParts>",
        ),
    ),
    "custom property": (NAME, lambda made, text: add_custom(made, "Author", text)),
    "custom XML": (SSN, lambda made, text: add_custom_xml(made, BOOK, text)),
    "preview picture": (BORN, lambda made, text: add_thumbnail(made, f"Date of birth: {text}")),
    "printer settings": (
        NAME,
        lambda made, text: made.add(
            "xl/printerSettings/printerSettings1.bin",
            bytes(64) + text.encode("utf-16-le") + bytes(64),
            f"{EXCEL}.printerSettings",
            SHEET,
            "printerSettings",
        ),
    ),
}

PLANTS = family("xlsx", ".xlsx", base, Office.to_bytes, PLACES)
PLANTS += family("xlsx", ".xlsm", base, Office.to_bytes, {"macros": (ALL, macros)})
