"""Plant texts in places that were looked for once the code was there, in all formats."""

import base64
import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Callable

from benchmarks import documents_plants_mail as mail
from benchmarks import documents_plants_odf as odf
from benchmarks import documents_plants_pdf as pdf
from benchmarks import documents_plants_sheet as sheet
from benchmarks import documents_plants_slides as slides
from benchmarks import documents_plants_word as word
from benchmarks.documents_plants import ADDRESS, ALL, NAME, SSN, Plant, family, words_of
from benchmarks.documents_plants_office import NAMESPACES, TYPES, Office
from benchmarks.documents_plants_text import encoded, html, records, table

MICROSOFT = "http://schemas.microsoft.com/office"
KIND = "http://schemas.microsoft.com/office/2011/relationships"


def mashup(text: str) -> str:
    """Return the queries of Power Query: a package in base64, after its length."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("Formulas/Section1.m", f'shared q = Table.Find("{text}");')
    data = out.getvalue()
    packed = bytes(4) + len(data).to_bytes(4, "little") + data + bytes(400)
    return base64.b64encode(packed).decode()


def power_query(made: Office, text: str) -> None:
    """Add the queries of a workbook."""
    space = "http://schemas.microsoft.com/DataMashup"
    made.add(
        "customXml/item1.xml",
        f'<DataMashup xmlns="{space}">{mashup(text)}</DataMashup>',
        "application/xml",
        sheet.BOOK,
        "customXml",
    )


def web_extension(made: Office, text: str) -> None:
    """Add a task pane with what its program has stored."""
    space = f"{MICROSOFT}/webextensions/webextension/2010/11"
    made.add(
        "word/webextensions/webextension1.xml",
        f'<we:webextension xmlns:we="{space}" id="{{1}}"><we:properties>'
        f'<we:property name="state" value="{text}"/></we:properties></we:webextension>',
        "application/vnd.ms-office.webextension+xml",
        "",
        f"{KIND}/webextension",
    )


def active_x(made: Office, text: str) -> None:
    """Add a control whose properties stand in XML."""
    space = f"{MICROSOFT}/2006/activeX"
    made.add(
        "word/activeX/activeX1.xml",
        f'<ax:ocx xmlns:ax="{space}" ax:classid="{{1}}" ax:persistence="persistPropertyBag">'
        f'<ax:ocxPr ax:name="Caption" ax:value="{text}"/></ax:ocx>',
        f"{TYPES}.activeX+xml",
        word.MAIN,
        "control",
    )


def drawn_diagram(made: Office, text: str) -> None:
    """Add the drawing that programs show in place of SmartArt they cannot draw."""
    space = f"{MICROSOFT}/drawing/2008/diagram"
    made.add(
        "word/diagrams/drawing1.xml",
        f'<dsp:drawing {NAMESPACES} xmlns:dsp="{space}"><dsp:spTree><dsp:sp modelId="1">'
        f"<dsp:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dsp:txBody></dsp:sp>"
        "</dsp:spTree></dsp:drawing>",
        "application/vnd.ms-office.drawingml.diagramDrawing+xml",
        word.MAIN,
        f"{MICROSOFT}/2007/relationships/diagramDrawing",
    )


def label(made: Office, text: str) -> None:
    """Add a label of sensitivity."""
    space = f"{MICROSOFT}/2020/mipLabelMetadata"
    made.add(
        "docMetadata/LabelInfo.xml",
        f'<clbl:labelList xmlns:clbl="{space}"><clbl:label id="{{1}}" enabled="1" method="{text}"/>'
        "</clbl:labelList>",
        "application/vnd.ms-office.classificationlabels+xml",
        "",
        f"{MICROSOFT}/2020/02/relationships/classificationlabels",
    )


def embedded_font(made: Office, text: str) -> None:
    """Add a font whose name somebody gave."""
    made.add(
        "word/fontTable.xml",
        f'<w:fonts {NAMESPACES}><w:font w:name="Hand"><w:altName w:val="{text}"/>'
        '<w:embedRegular r:id="rId1"/></w:font></w:fonts>',
        f"{word.WORD}.fontTable+xml",
        word.MAIN,
        "fontTable",
    )


DOCX: dict[str, tuple[str, word.Add]] = {
    "stored data of a task pane": (ALL, web_extension),
    "properties of a control": (ALL, active_x),
    "drawing of SmartArt": (ALL, drawn_diagram),
    "label of sensitivity": (ALL, label),
    "name of an embedded font": (NAME, embedded_font),
    "binding of a content control": (
        ALL,
        word.within(
            '<w:sdt><w:sdtPr><w:dataBinding w:xpath="/r[.=\'{}\']" w:storeItemID="{{1}}"/>'
            '<w:placeholder><w:docPart w:val="{}"/></w:placeholder></w:sdtPr><w:sdtContent>'
            "<w:p/></w:sdtContent></w:sdt>"
        ),
    ),
    "date of a content control": (
        "1951-03-04",
        word.within(
            '<w:sdt><w:sdtPr><w:alias w:val="Date of birth"/>'
            '<w:date w:fullDate="{}T00:00:00Z"/></w:sdtPr>'
            "<w:sdtContent><w:p/></w:sdtContent></w:sdt>"
        ),
    ),
    "entry of an index": (
        NAME,
        word.within(
            '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> XE "{}:born" '
            '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
        ),
    ),
    "custom XML element": (
        ALL,
        word.within(
            '<w:customXml w:uri="urn:a" w:element="person"><w:customXmlPr>'
            '<w:attr w:name="who" w:val="{}"/></w:customXmlPr><w:p/></w:customXml>'
        ),
    ),
    "smart tag": (
        NAME,
        word.within(
            '<w:p><w:smartTag w:uri="urn:a" w:element="PersonName"><w:smartTagPr>'
            '<w:attr w:name="who" w:val="{}"/></w:smartTagPr></w:smartTag></w:p>'
        ),
    ),
    "schema in the settings": (
        "Jonathan%20Smithson",
        word.setting(
            '<w:attachedSchema w:val="file:///c:/users/{}/a.xsd"/><w:saveThroughXslt '
            'w:solutionID="file:///c:/users/{}/a.xsl"/>'
        ),
    ),
    "text with blanks between the letters": (
        SSN,
        word.within(
            "<w:p><w:r><w:t>SSN</w:t></w:r><w:r><w:noBreakHyphen/></w:r><w:r><w:t>271</w:t>"
            "</w:r><w:r><w:noBreakHyphen/><w:t>24</w:t></w:r><w:r><w:noBreakHyphen/>"
            "<w:t>0538</w:t></w:r></w:p><!-- {} -->"
        ),
    ),
    "text in soft hyphens": (
        NAME,
        word.within(
            "<w:p><w:r><w:t>Jona</w:t><w:softHyphen/><w:t>than Smith</w:t><w:softHyphen/>"
            "<w:t>son</w:t></w:r></w:p>"
        ),
    ),
    "comment's reply in another part": (
        ALL,
        word.part(
            "word/commentsExtensible.xml",
            '<w16cex:commentsExtensible xmlns:w16cex="http://schemas.microsoft.com/office/word/'
            '2018/wordml/cex"><w16cex:commentExtensible w16cex:durableId="1"><w16cex:note>{}'
            "</w16cex:note></w16cex:commentExtensible></w16cex:commentsExtensible>",
            f"{word.WORD}.commentsExtensible+xml",
            f"{MICROSOFT}/2018/08/relationships/commentsExtensible",
        ),
    ),
    "bibliography": (
        ALL,
        word.part(
            "customXml/item1.xml",
            '<b:Sources xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/'
            'bibliography"><b:Source><b:Author><b:Author><b:NameList><b:Person><b:Last>Smithson'
            "</b:Last><b:First>Jonathan</b:First></b:Person></b:NameList></b:Author></b:Author>"
            "<b:Title>{}</b:Title></b:Source></b:Sources>",
            "application/xml",
            "customXml",
        ),
    ),
    "file in base64 in custom XML": (
        ALL,
        lambda made, text: made.add(
            "customXml/item1.xml",
            f'<form xmlns="urn:a"><scan>{encoded(text)}</scan><mail>{zipped(text)}</mail></form>',
            "application/xml",
            word.MAIN,
            "customXml",
        ),
    ),
}


def zipped(text: str) -> str:
    """Return *text*, packed by gzip, in base64."""
    return base64.b64encode(gzip.compress(text.encode())).decode()


def slicer(made: Office, text: str) -> None:
    """Add a slicer and what it remembers."""
    made.add(
        "xl/slicers/slicer1.xml",
        f'<slicers xmlns="{MICROSOFT}/spreadsheetml/2009/9/main"><slicer name="{text}" '
        f'cache="Slicer_A" caption="{text}" rowHeight="241300"/></slicers>',
        "application/vnd.ms-excel.slicer+xml",
        sheet.SHEET,
        f"{MICROSOFT}/2007/relationships/slicer",
    )
    made.add(
        "xl/slicerCaches/slicerCache1.xml",
        f'<slicerCacheDefinition xmlns="{MICROSOFT}/spreadsheetml/2009/9/main" name="Slicer_A" '
        f'sourceName="{text}"><data><olap pivotCacheId="1"><levels count="1"><level '
        f'uniqueName="[a]" sourceCaption="{text}" count="1"><ranges><range startItem="0"><i '
        f'n="[a].[{text}]" c="{text}"/></range></ranges></level></levels></olap></data>'
        "</slicerCacheDefinition>",
        "application/vnd.ms-excel.slicerCache+xml",
        sheet.BOOK,
        f"{MICROSOFT}/2007/relationships/slicerCache",
    )


def rich_value(made: Office, text: str) -> None:
    """Add a value of a linked data type, as Excel keeps it beside the cells."""
    space = f"{MICROSOFT}/spreadsheetml/2017/richdata"
    made.add(
        "xl/richData/rdrichvalue.xml",
        f'<rvData xmlns="{space}" count="1"><rv s="0"><v>{text}</v></rv></rvData>',
        "application/vnd.ms-excel.rdrichvalue+xml",
        sheet.BOOK,
        f"{MICROSOFT}/2017/06/relationships/rdRichValue",
    )


def query_table(made: Office, text: str) -> None:
    """Add a table of a query: where it was read from."""
    made.add(
        "xl/queryTables/queryTable1.xml",
        sheet.root(
            "queryTable",
            '<queryTableRefresh nextId="2"><queryTableFields count="1">'
            f'<queryTableField id="1" name="{text}"/></queryTableFields><queryTableDeletedFields '
            f'count="1"><deletedField name="{text}"/></queryTableDeletedFields>'
            "</queryTableRefresh>",
            f'name="q" connectionId="1" parameters="{text}"',
        ),
        f"{sheet.EXCEL}.queryTable+xml",
        sheet.SHEET,
        "queryTable",
    )


def data_model(made: Office, text: str) -> None:
    """Add the data model of Power Pivot, which is packed."""
    made.add(
        "xl/model/item.data",
        b"\xff\xfe"
        + "STREAM_STORAGE_SIGNATURE_)!@#$%^&*(".encode("utf-16-le")
        + text.encode("utf-16-le"),
        "application/vnd.openxmlformats-officedocument.model+data",
        sheet.BOOK,
        f"{MICROSOFT}/2010/relationships/powerPivotData".replace("/2010", "/2011/"),
    )


def chart_sheet(made: Office, text: str) -> None:
    """Add a modern chart: its cached categories."""
    space = f"{MICROSOFT}/drawing/2014/chartex"
    made.add(
        "xl/charts/chartEx1.xml",
        f'<cx:chartSpace xmlns:cx="{space}"><cx:chartData><cx:data id="0"><cx:strDim type="cat">'
        f'<cx:f>Staff!$A$1</cx:f><cx:lvl ptCount="1"><cx:pt idx="0">{text}</cx:pt></cx:lvl>'
        "</cx:strDim></cx:data></cx:chartData><cx:chart/></cx:chartSpace>",
        "application/vnd.ms-office.chartex+xml",
        sheet.SHEET,
        f"{MICROSOFT}/2014/relationships/chartEx",
    )


def form_control(made: Office, text: str) -> None:
    """Add the properties of a list on the sheet."""
    made.add(
        "xl/ctrlProps/ctrlProp1.xml",
        f'<formControlPr xmlns="{MICROSOFT}/spreadsheetml/2009/9/main" objectType="Drop" '
        f'textHAlign="left"><itemLst><item val="{text}"/></itemLst></formControlPr>',
        "application/vnd.ms-excel.controlproperties+xml",
        sheet.SHEET,
        "ctrlProp",
    )


X14 = f'xmlns:x14="{MICROSOFT}/spreadsheetml/2009/9/main" xmlns:xm="{MICROSOFT}/excel/2006/main"'

XLSX: dict[str, tuple[str, sheet.Add]] = {
    "query of Power Query": (ALL, power_query),
    "slicer": (ALL, slicer),
    "value of a linked data type": (ALL, rich_value),
    "fields of a query": (ALL, query_table),
    "data model": (ALL, data_model),
    "categories of a modern chart": (ALL, chart_sheet),
    "list of a control": (ALL, form_control),
    "list of a validation, in an extension": (
        NAME,
        sheet.sheet(
            f'<extLst><ext {X14} uri="{{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}}">'
            '<x14:dataValidations count="1"><x14:dataValidation type="list"><x14:formula1>'
            '<xm:f>"{},none"</xm:f></x14:formula1><xm:sqref>A1</xm:sqref>'
            "</x14:dataValidation></x14:dataValidations></ext></extLst>"
        ),
    ),
    "smart tag of a cell": (
        NAME,
        sheet.sheet(
            '<smartTags><cellSmartTags r="A1"><cellSmartTag type="0"><cellSmartTagPr key="who" '
            'val="{}"/></cellSmartTag></cellSmartTags></smartTags>'
        ),
    ),
    "watched cell": (
        SSN,
        sheet.book('<functionGroups><functionGroup name="SSN {}"/></functionGroups>'),
    ),
    "default style of pivots": (
        NAME,
        lambda made, text: made.before(
            sheet.STYLES,
            "</styleSheet>",
            f'<tableStyles count="1" defaultPivotStyle="{text}"><tableStyle name="{text}"/>'
            "</tableStyles>",
        ),
    ),
    "error text in a format of a condition": (
        SSN,
        lambda made, text: made.before(
            sheet.STYLES,
            "</styleSheet>",
            f'<dxfs count="1"><dxf><numFmt numFmtId="165" formatCode="&quot;SSN {text}&quot;"/>'
            "</dxf></dxfs>",
        ),
    ),
    "formula of an array": (
        ALL,
        sheet.row('<c r="A3" t="str"><f t="array" ref="A3">{{"{}","x"}}</f><v>x</v></c>'),
    ),
    "web publishing": (
        NAME,
        sheet.sheet(
            '<webPublishItems count="1"><webPublishItem id="1" divId="Book_1" sourceType="sheet" '
            'destinationFile="C:\\Users\\{}\\page.htm" title="{}"/></webPublishItems>'
        ),
    ),
}


def view_properties(made: Office, text: str) -> None:
    """Add the settings of the views, with the outline's open slides."""
    made.add(
        "ppt/viewProps.xml",
        f'<p:viewPr {NAMESPACES}><p:extLst><p:ext uri="{{1}}"><p:note who="{text}"/></p:ext>'
        "</p:extLst></p:viewPr>",
        f"{slides.POINT}.viewProps+xml",
        slides.SHOW,
        "viewProps",
    )


PPTX: dict[str, tuple[str, slides.Add]] = {
    "settings of the views": (ALL, view_properties),
    "web settings": (
        NAME,
        slides.part(
            "ppt/presProps.xml",
            '<p:presentationPr {ns}><p:htmlPubPr title="{}"/><p:showPr><p:custShow id="0"/>'
            "</p:showPr></p:presentationPr>",
            f"{slides.POINT}.presProps+xml",
            "presProps",
        ),
    ),
    "master of notes": (
        ALL,
        slides.part(
            "ppt/notesMasters/notesMaster1.xml",
            "<p:notesMaster {ns}><p:cSld><p:spTree>"
            + slides.TREE
            + slides.shape("{}")
            + "</p:spTree></p:cSld>"
            + slides.COLORS
            + "</p:notesMaster>",
            f"{slides.POINT}.notesMaster+xml",
            "notesMaster",
        ),
    ),
    "name of a slide": (
        NAME,
        lambda made, text: made.replace(slides.SLIDE, "<p:cSld>", f'<p:cSld name="{text}">'),
    ),
    "footer's placeholder": (
        ALL,
        slides.on(
            slides.SLIDE,
            slides.shape("{}").replace("<p:nvPr/>", '<p:nvPr><p:ph type="ftr" idx="9"/></p:nvPr>'),
        ),
    ),
    "description of a table's column": (
        ALL,
        slides.on(
            slides.SLIDE,
            slides.frame(
                "table",
                '<a:tbl><a:tblPr/><a:tblGrid><a:gridCol w="9"><a:extLst><a:ext uri="{1}">'
                '<a:note text="{}"/></a:ext></a:extLst></a:gridCol></a:tblGrid></a:tbl>',
            ),
        ),
    ),
    "linked sound": (
        NAME,
        slides.on(
            slides.SLIDE,
            slides.shape(
                "x", run='<a:hlinkClick r:id=""><a:snd r:embed="" name="{}.wav"/></a:hlinkClick>'
            ),
        ),
    ),
    "ink of a pen": (
        ALL,
        slides.part(
            "ppt/ink/ink1.xml",
            '<inkml:ink xmlns:inkml="http://www.w3.org/2003/InkML"><inkml:annotation type="a">{}'
            "</inkml:annotation><inkml:trace>1 2, 3 4</inkml:trace></inkml:ink>",
            "application/inkml+xml",
            "customXml",
            slides.SLIDE,
        ),
    ),
}


def custom_keys(made: pdf.Pdf, text: str) -> None:
    """Add a property whose name is the value."""
    made.info.append(f"/{text.replace(' ', '#20')} (yes)")


def colour_name(made: pdf.Pdf, text: str) -> None:
    """Add a colour whose name is the value."""
    name = text.replace(" ", "#20")
    made.resources.append(
        f"/ColorSpace << /C1 [/Separation /{name} /DeviceGray << /FunctionType 2 /N 1 "
        "/Domain [0 1] >>] >>"
    )


def xmp_history(made: pdf.Pdf, text: str) -> None:
    """Add metadata with a history of edits and a thumbnail."""
    packet = pdf.xmp("The office").replace(
        "</dc:creator>",
        "</dc:creator><h:History xmlns:h='http://ns.adobe.com/xap/1.0/mm/' "
        "xmlns:e='http://ns.adobe.com/xap/1.0/sType/ResourceEvent#'><rdf:Seq><rdf:li "
        f"e:action='saved' e:parameters='{text}'/></rdf:Seq></h:History>",
    )
    stream = made.stream(packet, "/Type /Metadata /Subtype /XML")
    made.catalog.append(f"/Metadata {stream}")


def associated(made: pdf.Pdf, text: str) -> None:
    """Attach a file to the page, as PDF 2.0 does."""
    file = made.stream(text, "/Type /EmbeddedFile /Subtype /text#2Fplain")
    made.page.append(f"/AF [<< /Type /Filespec /UF (a.txt) /EF << /F {file} >> >>]")


def portfolio(made: pdf.Pdf, text: str) -> None:
    """Add a collection with columns, sorted and described."""
    made.catalog.append(
        f"/Collection << /Schema << /Who << /Subtype /S /N ({text}) >> >> /D ({text}) >>"
    )


def pdf_stream_dictionary(made: pdf.Pdf, text: str) -> None:
    """Add an entry to the dictionary of a Form XObject that is shown."""
    form = made.stream(
        "0 0 1 1 re f", f"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Who ({text})"
    )
    made.resources.append(f"/XObject << /X9 {form} >>")
    made.content.append("/X9 Do")


def content_comment(text: str) -> str:
    """Return a comment among the operators."""
    return f"% {text}\n"


PDF: dict[str, tuple[str, pdf.Add]] = {
    "name of a property": (NAME, custom_keys),
    "name of a colour": (NAME, colour_name),
    "history in the metadata": (ALL, xmp_history),
    "file of a page": (ALL, associated),
    "columns of a portfolio": (ALL, portfolio),
    "entry of a form": (ALL, pdf_stream_dictionary),
    "comment among the operators": (ALL, pdf.on_page(content_comment)),
    "property of a marked point": (ALL, pdf.on_page(lambda text: f"/Note << /Who ({text}) >> DP")),
    "list of actions": (
        NAME,
        pdf.entry("catalog", "/AA << /WC << /S /URI /URI (https://e.org/{}) >> >>"),
    ),
    "name of a signature field's signer": (
        NAME,
        pdf.annotation(
            "/Subtype /Widget /FT /Sig /T (s) /V << /Type /Sig /Filter /A /Name ({}) "
            "/Reason ({}) /Contents <00> >>"
        ),
    ),
    "caption of a button": (
        ALL,
        pdf.annotation("/Subtype /Widget /FT /Btn /T (b) /Ff 65536 /MK << /CA ({}) >>"),
    ),
    "stamp": (ALL, pdf.annotation("/Subtype /Stamp /Name /Approved /Contents ({}) /NM ({})")),
    "caret's reply": (ALL, pdf.annotation("/Subtype /Caret /Contents ({}) /RT /R /CL [1 2 3 4]")),
    "measure and viewport": (
        NAME,
        pdf.entry("page", "/VP [<< /Type /Viewport /BBox [0 0 9 9] /Name ({}) >>]"),
    ),
    "language": (NAME, pdf.entry("catalog", "/Lang ({})")),
    "output intent": (
        NAME,
        pdf.entry(
            "catalog",
            "/OutputIntents [<< /S /GTS_PDFA1 /Info ({}) /OutputConditionIdentifier ({}) >>]",
        ),
    ),
    "text in a tint's function": (
        ALL,
        pdf.on_page(lambda text: f"BX ({text}) xyz EX"),
    ),
    "user property of structure": (
        ALL,
        pdf.structure("/A << /O /UserProperties /P [<< /N (who) /V ({}) >>] >>"),
    ),
    "identifier of structure": (NAME, pdf.structure("/ID ({})")),
    "bead and page's entry": (NAME, pdf.entry("page", "/Who ({})")),
}


def ods(sheet_name: str) -> Callable[[str], bytes]:
    """Return a function that builds a spreadsheet of OpenDocument; settings name its sheet."""

    def build(text: str) -> bytes:
        made = odf.Odf("x")
        made.settings.append(
            '<config:config-item-map-named config:name="Tables"><config:config-item-map-entry '
            f'config:name="{sheet_name}"><config:config-item config:name="CursorPositionX" '
            'config:type="int">0</config:config-item></config:config-item-map-entry>'
            "</config:config-item-map-named>"
        )
        kind = b"application/vnd.oasis.opendocument.spreadsheet"
        rows = (
            f'<table:table table:name="{sheet_name}"><table:table-row><table:table-cell '
            f'office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
            "</table:table-row></table:table>"
        )
        coded = sheet_name.replace(" ", "_20_")
        made.named.append(f'<style:style style:name="PageStyle_5f_{coded}" style:family="table"/>')
        data = made.to_bytes()
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            for name in old.namelist():
                part = old.read(name)
                part = part.replace(
                    b"<office:text><text:p>x</text:p></office:text>",
                    f"<office:spreadsheet>{rows}</office:spreadsheet>".encode(),
                )
                new.writestr(name, part.replace(odf.TEXT.encode(), kind))
        return out.getvalue()

    return build


ODT: dict[str, tuple[str, odf.Add]] = {
    "text of a field's format": (
        SSN,
        odf.added(
            "named",
            '<number:number-style xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:'
            '1.0" style:name="N1"><number:text>SSN {}</number:text></number:number-style>',
        ),
    ),
    "data of an XForm": (
        ALL,
        odf.body(
            '<xforms:model xmlns:xforms="http://www.w3.org/2002/xforms"><xforms:instance>'
            '<data xmlns=""><who note="{}">{}</who></data></xforms:instance></xforms:model>'
        ),
    ),
    "statements about the document": (
        ALL,
        odf.member(
            "manifest.rdf",
            lambda text: (
                '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
                'xmlns:d="http://purl.org/dc/elements/1.1/">'
                f'<rdf:Description rdf:about="content.xml"><d:creator>{text}</d:creator>'
                f'<d:relation rdf:resource="mailto:{ADDRESS}"/></rdf:Description></rdf:RDF>'
            ).encode(),
            "application/rdf+xml",
        ),
    ),
    "declared variable": (
        ALL,
        odf.body(
            '<text:user-field-decls><text:user-field-decl office:value-type="string" '
            'office:string-value="{}" text:name="who"/></text:user-field-decls>'
        ),
    ),
    "number's words around a list": (
        NAME,
        odf.added(
            "named",
            '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" '
            'style:num-prefix="{}" style:num-format="1"/></text:list-style>',
        ),
    ),
    "script of an event": (
        NAME,
        odf.paragraph(
            '<office:event-listeners><script:event-listener script:language="ooo:script" '
            'script:event-name="dom:click" xlink:href="vnd.sun.star.script:a.{}?l=Basic"/>'
            "</office:event-listeners>x"
        ),
    ),
    "formula object's annotation": (
        ALL,
        odf.body(
            '<text:p><draw:frame><draw:object><math xmlns="http://www.w3.org/1998/Math/MathML">'
            '<semantics><mi>x</mi><annotation encoding="StarMath 5.0">"{}"</annotation>'
            "</semantics></math></draw:object></draw:frame></text:p>"
        ),
    ),
    "picture in base64": (
        ALL,
        lambda made, text: made.content.append(
            "<text:p><draw:frame><draw:image><office:binary-data>"
            + encoded(f"<svg xmlns='http://www.w3.org/2000/svg'><text>{text}</text></svg>")
            + "</office:binary-data></draw:image></draw:frame></text:p>"
        ),
    ),
    "alternative text of a formula": (
        ALL,
        odf.paragraph('<text:meta xml:id="a" text:note="{}">x</text:meta>'),
    ),
    "printer's setup": (
        NAME,
        odf.added(
            "settings",
            '<config:config-item config:name="PrinterSetup" config:type="base64Binary">'
            + base64.b64encode(bytes(40) + NAME.encode("utf-16-le") + bytes(300)).decode()
            + "</config:config-item>",
        ),
    ),
}


def card(text: str) -> bytes:
    """Return a card: a note in quoted-printable, a file in base64, a folded line."""
    escaped = "".join(f"={ord(letter):02X}" for letter in text)
    lines = [escaped[at : at + 60] for at in range(0, len(escaped), 60)]
    folded = "\r\n ".join(text[at : at + 20] for at in range(0, len(text), 20))
    return (
        "BEGIN:VCARD\r\nVERSION:2.1\r\nN:x\r\nNOTE;ENCODING=QUOTED-PRINTABLE:"
        + "=\r\n".join(lines)
        + f"\r\nX-NOTE;ENCODING=BASE64:{encoded(text)}\r\n\r\nX-A;ENCODING=b:{encoded(text)}\r\n"
        + f"X-LONG:{folded}\r\nEND:VCARD\r\n"
    ).encode()


def xml_record(text: str) -> bytes:
    """Return XML: character references, CDATA, an attribute, base64."""
    references = "".join(f"&#{ord(letter)};" for letter in text)
    return (
        f'<?xml version="1.0"?><r><a>{references}</a><b><![CDATA[{text}]]></b><c d="{references}"/>'
        f"<e>{encoded(text)}</e></r>"
    ).encode()


EML: dict[str, tuple[str, mail.Add]] = {
    "card": (ALL, mail.part("text/vcard", card)),
    "card as a file": (ALL, mail.part("application/octet-stream", card, mail.attached("a.vcf"))),
    "attached XML": (ALL, mail.part("text/xml", xml_record, mail.attached("a.xml"))),
    "attached XML of another type": (
        ALL,
        mail.part("application/xml", xml_record, mail.attached("a.xml")),
    ),
    "comment in the version": (NAME, mail.header("Content-Language: en ({})")),
    "name of a message": (ADDRESS, mail.header("References: <{}>\nIn-Reply-To: <{}>")),
    "report of delivery": (
        ALL,
        mail.part("message/delivery-status", lambda text: f"Note: {text}\n".encode(), how="7bit"),
    ),
    "headers of another mail": (
        ALL,
        mail.part("text/rfc822-headers", lambda text: f"Subject: {text}\n".encode()),
    ),
    "address of a part": (NAME, mail.part("text/plain", lambda text: b"x", "Content-Location: {}")),
    "mail of Outlook": (
        ALL,
        mail.part(
            "application/vnd.ms-outlook",
            lambda text: (
                b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + text.encode("utf-16-le")
            ),
            mail.attached("a.msg"),
        ),
    ),
    "name of a boundary": (
        "Smithson",
        lambda made, text: made.parts.append(
            f'Content-Type: multipart/alternative; boundary="Jonathan {text}"\n\n'
            f"--Jonathan {text}\nContent-Type: text/plain\n\nSeen.\n--Jonathan {text}--"
        ),
    ),
    "packed file": (
        ALL,
        mail.part(
            "application/gzip", lambda text: gzip.compress(text.encode()), mail.attached("a.gz")
        ),
    ),
    "block of letters": (
        ALL,
        mail.part(
            "text/plain",
            lambda text: ("begin 644 a.txt\n" + uu(text) + "`\nend\n").encode(),
            how="7bit",
        ),
    ),
    "format that flows": (
        ALL,
        mail.part(
            "text/plain; format=flowed; delsp=yes",
            lambda text: "".join(
                f"{text[at : at + 7]} \n" for at in range(0, len(text), 7)
            ).encode(),
            how="7bit",
        ),
    ),
}


def uu(text: str) -> str:
    """Return *text* as uuencode has it."""
    import binascii

    data = text.encode()
    return "".join(binascii.b2a_uu(data[at : at + 45]).decode() for at in range(0, len(data), 45))


def token(text: str) -> str:
    """Return a signed token of the web that holds *text*."""

    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({'alg': 'HS256'})}.{part({'note': text})}.{'Zm9v' * 11}"


def hexadecimal(text: str) -> str:
    """Return *text* in hexadecimal."""
    return text.encode().hex()


JSON: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "packed by gzip, in base64": (ALL, lambda body: records(entry=body, old=zipped(ALL))),
    "packed by zlib, in base64": (
        ALL,
        lambda body: records(
            entry=body, old=base64.b64encode(zlib.compress(ALL.encode())).decode()
        ),
    ),
    "UTF-16 in base64": (
        ALL,
        lambda body: records(entry=body, old=base64.b64encode(ALL.encode("utf-16")).decode()),
    ),
    "base64 for addresses": (
        ALL,
        lambda body: records(
            entry=body, old=base64.urlsafe_b64encode(f"?>~{ALL}".encode()).decode().rstrip("=")
        ),
    ),
    "data address without base64": (
        ALL,
        lambda body: records(entry=body, old="data:text/plain," + ALL.replace(" ", "%20")),
    ),
    "token": (ALL, lambda body: records(entry=body, auth=f"Bearer {token(ALL)}")),
    "HTML in a string": (
        ALL,
        lambda body: records(
            entry=body,
            old="<p>" + "".join(f"&#{ord(letter)};" for letter in ALL) + "</p>",
        ),
    ),
    "packed message in base64": (
        NAME,
        lambda body: records(
            entry=body,
            old=base64.b64encode(
                b"\x84\xa4name\xb1" + NAME.encode() + bytes(range(128, 250)) * 8
            ).decode(),
        ),
    ),
    "key twice": (
        ALL,
        lambda body: (
            json.dumps({"entry": body}).encode()[:-1] + f', "a": "{ALL}", "a": "x"}}'.encode()
        ),
    ),
}

CSV: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "JSON in a cell": (
        ALL,
        lambda body: table(
            [
                "kind,entry,more",
                f'a,"{body}",x',
                'b,c,"'
                + json.dumps({"note": "".join(f"\\u{ord(c):04x}" for c in ALL)})
                .replace("\\\\u", "\\u")
                .replace('"', '""')
                + '"',
            ]
        ),
    ),
    "base64 in a cell": (
        ALL,
        lambda body: table(["kind,entry,more", f'a,"{body}",x', f"b,c,{encoded(ALL)}"]),
    ),
    "packed by gzip in a cell": (
        ALL,
        lambda body: table(["kind,entry,more", f'a,"{body}",x', f"b,c,{zipped(ALL)}"]),
    ),
    "references of HTML in a cell": (
        ALL,
        lambda body: table(
            [
                "kind,entry,more",
                f'a,"{body}",x',
                "b,c," + "".join(f"&#{ord(letter)};" for letter in ALL),
            ]
        ),
    ),
}

HTML = {
    "data address without base64": (
        ALL,
        f'<a href="data:text/plain,{ALL.replace(" ", "%20")}">x</a>',
    ),
    "set of pictures": (
        NAME,
        f'<img srcset="a.png 1x, /{NAME.replace(" ", "%20")}.png 2x" alt="">',
    ),
    "refreshing address": (
        ADDRESS,
        f'<meta http-equiv="refresh" content="5; url=mailto:{ADDRESS}">',
    ),
    "column's short form": (ALL, f'<table><tr><th abbr="{ALL}">x</th></tr></table>'),
    "property of a style": (ALL, f'<p style="--note: &quot;{ALL}&quot;">x</p>'),
    "unknown attribute": (ALL, f'<p x-note="{ALL}" aria-roledescription="{ALL}">x</p>'),
    "conditional comment": (ALL, f"<!--[if mso]><p>{ALL}</p><![endif]-->"),
    "text that is written backwards": (
        NAME,
        f'<bdo dir="rtl">{NAME[::-1]}</bdo><i title="{NAME}">x</i>',
    ),
    "letters without width": (SSN, "<p>SSN " + "&#8203;".join(SSN) + "</p>"),
    "old elements": (ALL, f"<xmp>{ALL}</xmp><noframes>{ALL}</noframes><plaintext>{ALL}"),
    "value of a variable, split": (
        NAME,
        "<script>var a = 'Jonathan ' + 'Smithson', b = 'Jonathan Smithson';</script>",
    ),
    "handler": (NAME, f"<p onclick=\"alert('{NAME}')\">x</p>"),
}

XML: dict[str, Callable[[str], bytes]] = {
    "character references": lambda body: (
        f"<r><entry>{body}</entry><a>".encode()
        + "".join(f"&#x{ord(letter):x};" for letter in ALL).encode()
        + b"</a></r>"
    ),
    "character data": lambda body: f"<r><entry>{body}</entry><a><![CDATA[{ALL}]]></a></r>".encode(),
    "attribute": lambda body: f"<r><entry>{body}</entry><a b='{ALL}'/></r>".encode(),
    "comment": lambda body: f"<r><entry>{body}</entry><!-- {ALL} --></r>".encode(),
    "processing instruction": lambda body: f"<?note {ALL}?><r><entry>{body}</entry></r>".encode(),
    "base64": lambda body: f"<r><entry>{body}</entry><a>{encoded(ALL)}</a></r>".encode(),
    "split by elements": lambda body: (
        f"<r><entry>{body}</entry><p>{ALL[:4]}<b>{ALL[4:13]}</b>{ALL[13:]}</p></r>".encode()
    ),
    "entity": lambda body: (
        f'<!DOCTYPE r [<!ENTITY who "{ALL}">]><r><entry>{body}</entry><a>&who;</a></r>'.encode()
    ),
    "UTF-16": lambda body: (
        f'<?xml version="1.0" encoding="UTF-16"?><r><entry>{body}</entry><a>{ALL}</a></r>'
    ).encode("utf-16"),
}

CARD: dict[str, Callable[[str], bytes]] = {
    "quoted-printable, base64 and folds": lambda body: card(ALL).replace(
        b"N:x", f"N:x\r\nNOTE:{body}".encode()
    ),
    "calendar": lambda body: (
        f"BEGIN:VCALENDAR\r\nDESCRIPTION:{body}\r\nATTACH;ENCODING=BASE64;VALUE=BINARY:"
        f'{encoded(ALL)}\r\nATTENDEE;CN="Jonathan\r\n  Smithson":mailto:x\r\nEND:VCALENDAR\r\n'
    ).encode(),
}

PLANTS = [
    *family("docx", ".docx", word.base, Office.to_bytes, DOCX),
    *family("xlsx", ".xlsx", sheet.base, Office.to_bytes, XLSX),
    *family("pptx", ".pptx", slides.base, Office.to_bytes, PPTX),
    *family("pdf", ".pdf", pdf.base, pdf.Pdf.to_bytes, PDF),
    *family("eml", ".eml", mail.Mail, mail.Mail.to_bytes, EML),
    *family("odt", ".odt", odf.Odf, odf.Odf.to_bytes, ODT),
    Plant("odt: name of a sheet in the settings", ".ods", (NAME,), ods(NAME)),
    *(Plant(f"json: {place}", ".json", words_of(planted), build)
      for place, (planted, build) in JSON.items()),
    *(Plant(f"csv: {place}", ".csv", words_of(planted), build)
      for place, (planted, build) in CSV.items()),
    *(Plant(f"html: {place}", ".html", words_of(planted),
            lambda body, text=text: html(body, text))  # type: ignore[misc]
      for place, (planted, text) in HTML.items()),
    *(Plant(f"xml: {place}", ".xml", words_of(ALL), build) for place, build in XML.items()),
    *(Plant(f"vcf: {place}", ".vcf", (NAME,) if place == "calendar" else words_of(ALL), build)
      for place, build in CARD.items()),
]  # fmt: skip
