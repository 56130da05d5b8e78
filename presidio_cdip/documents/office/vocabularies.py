"""Hold the tables of names of Office Open XML: what holds text, and what holds measures."""

from presidio_cdip.documents.office.vocabulary import Vocabulary

AUTHOR = "Author"

_USUAL = """
    accent acronym action address adobe and annotation arc area arrow article autoshape background
    balloon bibliography bitmap block bmp body book bullet button callout caption cell char chart
    circle cite classic clip closing code color colorful column columns comment comparison
    connector contemporary content continue control cube custom dark date default definition
    design diagram document down ellipse elegant e email emphasis end endnote envelope file
    flowchart folder followedhyperlink font footer footnote frame freeform gif glyph gobjack
    goback graphic grid group half hashtag header heading horizontal html hyperlink image
    indent index ink intense jpeg jpg keyboard label layout left light line line link list
    logo macro map master media medium mention microsoft movie no normal note notes number
    object of office ole only oval outline page pages paragraph photo picture placeholder plain
    png preformatted professional quote rectangle reference return revision right rounded
    salutation sample sans section sequence shading shape shapes signature simple slide slides
    smart smartart space straight strong style subject subtitle subtle table tableau text textbox
    textfeld textframe theme thumbnail title to toc top triangle txt typewriter two under
    unresolved up variable vertical video view web with wmf wordart zoom numbering first normaltable
    oleobject binary sheet worksheet excel powerpoint presentation hdphoto workbook package emf svg
embedded embedding data chunk afchunk stencil visio documents activex sound tableobject
    template dotm dotx blank box potx toa authorities tablegrid nolist
    bevel brace bracket chevron chord cloud connector cross cube diamond donut heart hexagon moon
    octagon parallelogram pentagon pie plaque rhombus ribbon scroll smiley star sun teardrop
    trapezoid wave
    pagestyle blad feuil feuille foglio folha hoja munka arkusz planilha tabelle лист
    абзац знак заголовок обычный список таблица текст überschrift standard absatz zchn titre
"""
USUAL = frozenset(_USUAL.split())
"""Words of which office programs make names of styles, shapes, layouts and sheets."""

NAMES = Vocabulary(usual=USUAL)
"""Expressions for the names that programs give."""

DRAWINGS = Vocabulary(
    paragraphs=frozenset(["a:p"]),
    runs=frozenset(["a:t"]),
    characters={"a:br": "\n", "a:tab": "\t"},
    tables={"a:tbl": ("a:tr", "a:tc")},
    readable=frozenset(
        [
            "descr", "title", "tooltip", "alt", "o:alt", "o:title", "o:href", "href",
            "userId", "w15:userId",
            "author", "initials", "target", "src", "string",
            "wp:docPr@name", "pic:cNvPr@name", "p:cNvPr@name", "xdr:cNvPr@name", "a:cNvPr@name",
            "a:hlinkClick@invalidUrl", "a:hlinkClick@tooltip", "op:property@name",
            "op:property@linkTarget", "v:textpath@string", "o:OLEObject@ProgID",
            "dsp:cNvPr@name", "cdr:cNvPr@name", "p:oleObj@name", "a:theme@name",
            "a:clrScheme@name", "a:fontScheme@name", "a:fmtScheme@name",
        ]
    ),
    labels={
        "descr": "description", "alt": "description", "o:title": "title", "string": "text",
        "author": AUTHOR, "dc:creator": AUTHOR, "cp:lastModifiedBy": "Last modified by",
        "ep:HyperlinkBase": "link", "o:href": "link", "href": "link", "userId": "user",
        "w15:userId": "user", "a:theme@name": "theme", "a:clrScheme@name": "theme",
        "a:fontScheme@name": "theme", "a:fmtScheme@name": "theme",
        "vt:lpwstr": "value", "vt:lpstr": "title", "c:v": "value", "c:f": "formula",
        "a:t": "text",
    },
    named_by={"op:property": "name"},
    follows={"initials": "author"},
    ignored=frozenset(
        [
            "mc:Ignorable", "Requires", "typeface", "panose", "uri", "a:gd@*", "a:path@*",
            "a:pt@*", "a:off@*", "a:ext@*", "a:chOff@*", "a:chExt@*", "a:pos@*", "a:rect@*",
            "v:*@style", "coordsize", "coordorigin", "path", "adj", "v:f@eqn", "v:h@*", "v:path@*",
            "v:shapetype@*", "o:spid", "id", "o:idmap@*", "o:rule@*", "w14:paraId",
            "w14:textId", "w:rsid*", "fillcolor", "strokecolor", "wrapcoords", "points", "from",
            "to", "control1", "control2", "xsi:*", "xml:space", "r:id", "r:embed", "r:link",
            "r:pict", "r:dm", "r:lo", "r:qs", "r:cs", "c:formatCode", "c:crossAx@*", "c:axId@*",
            "a:tblStyle@styleName", "dgm:*", "dsp:*", "modelId", "d", "transform", "viewBox",
            "class", "a:*@cx", "a:*@cy", "wp:*@cx", "wp:*@cy", "*:lightRig@*", "a:rot@*", "*:rot@*",
            "ang", "a:*@mar?", "a:*@indent", "*modId", "*:modId", "p14:modId@*",
            "p16:modId@*", "defTabSz", "a:*@w", "a:font@*",
            "xsd:*@*", "mc:*@*", "a:ln@*", "a16:*@*", "thm15:*@*",
            "dir", "a:lin@*", "*Ang", "a:*@rad", "m:mathFont@*", "rev",
            "wp:posOffset", "wp:align", "wp14:pctWidth", "wp14:pctHeight",
            "relativeHeight", "*:anchorId", "*:editId",
            "ep:Application", "ep:AppVersion", "ep:TotalTime", "ep:Pages", "ep:Words",
            "ep:Characters", "ep:Lines", "ep:Paragraphs", "ep:DocSecurity", "ep:ScaleCrop",
            "ep:LinksUpToDate", "ep:SharedDoc", "ep:HyperlinksChanged", "ep:Slides", "ep:Notes",
            "ep:CharactersWithSpaces", "ep:HiddenSlides", "ep:MMClips", "vt:i4", "vt:bool",
            "ep:PresentationFormat", "xvml:*", "cp:revision", "fmtid", "a:tableStyleId",
        ]
    ),
    packed={
        "o:gfxdata": "a packed copy of a shape",
        "office:binary-data": "a file packed in text",
        "pkg:binaryData": "a file packed in text",
    },
    usual=USUAL,
)  # fmt: skip
"""The vocabulary that all three formats share: drawings, charts, properties."""

CUSTOM = Vocabulary(
    ignored=frozenset(
        ["xsi:*", "xml:space", "ds:*", "ds:itemID", "ds:uri"]
        + [f"xsd:*@{name}" for name in ("name", "ref", "type", "base", "targetNamespace")]
    ),
    every_attribute=True,
)
"""Custom XML: anybody's data."""

RELATIONS = Vocabulary(ignored=frozenset(["rel:Relationship@*"]))
"""Relationships; the addresses among them are read apart."""


def joined(first: Vocabulary, second: Vocabulary) -> Vocabulary:
    """Return the entries of both vocabularies; the second prevails."""
    return Vocabulary(
        first.paragraphs | second.paragraphs,
        first.runs | second.runs,
        {**first.characters, **second.characters},
        {**first.streams, **second.streams},
        {**first.tables, **second.tables},
        first.readable | second.readable,
        {**first.labels, **second.labels},
        {**first.named_by, **second.named_by},
        {**first.follows, **second.follows},
        first.ignored | second.ignored,
        first.doubtful | second.doubtful,
        {**first.packed, **second.packed},
        first.usual | second.usual,
        first.every_attribute or second.every_attribute,
    )


_FIELDS = """
    author-name author-initials creator initial-creator date time page-number page-count title
    subject description keywords user-defined user-field-get user-field-input text-input
    variable-set variable-get variable-input placeholder sender-firstname sender-lastname
    sender-initials sender-title sender-position sender-email sender-phone-private sender-fax
    sender-company sender-phone-work sender-street sender-city sender-postal-code sender-country
    sender-state-or-province database-display database-name database-row-number conditional-text
    hidden-text hidden-paragraph bookmark-ref reference-ref sequence sequence-ref file-name
    chapter sheet-name note-ref expression printed-by print-date print-time creation-date
    creation-time modification-date modification-time editing-cycles editing-duration
    template-name dde-connection bibliography-mark measure table-formula drop-down execute-macro
    span a ruby ruby-base meta meta-field p h page-variable-get page-continuation word-count
    character-count paragraph-count table-count image-count object-count
"""

OPEN = Vocabulary(
    paragraphs=frozenset(["text:p", "text:h"]),
    runs=frozenset(f"text:{name}" for name in _FIELDS.split())
    | {"presentation:date-time", "presentation:header", "presentation:footer"},
    characters={"text:s": " ", "text:tab": "\t", "text:line-break": "\n"},
    streams={"text:ruby-text": "ruby"},
    tables={"table:table": ("table:table-row", "table:table-cell", "table:covered-table-cell")},
    readable=frozenset(
        [
            "office:string-value", "text:string-value", "table:name", "text:name", "draw:name",
            "office:name", "form:name", "form:label", "form:value",
            "form:current-value", "form:title", "form:text", "office:target-frame-name",
            "office:title", "text:description", "text:help", "text:hint", "table:title",
            "table:formula", "text:formula", "table:condition", "table:base-cell-address",
            "xlink:href", "xlink:title", "text:condition", "text:connection-name", "text:value",
            "text:database-name", "text:table-name", "text:column-name", "meta:name",
            "text:user-name", "text:label", "text:author", "text:identifier", "text:address",
            "text:annote", "text:institutions", "text:publisher", "text:custom1", "text:title",
            "table:link", "table:username", "presentation:footer-name", "table:cell-range-address",
            "form:command", "form:datasource", "table:value", "table:string-value",
            "text:author-name", "form:control-label", "office:display-name",
            "config:config-item-map-entry@config:name",
        ]
        + [
            f"text:{name}@style:num-{side}"
            for name in (
                "list-level-style-number", "list-level-style-bullet", "outline-level-style",
                "notes-configuration", "linenumbering-configuration",
            )
            for side in ("prefix", "suffix")
        ]
    ),
    labels={
        "dc:creator": AUTHOR, "meta:initial-creator": AUTHOR, "meta:printed-by": AUTHOR,
        "xlink:href": "link", "svg:desc": "description", "office:string-value": "value",
        "meta:creator-initials": AUTHOR, "loext:sender-initials": AUTHOR,
    },
    named_by={"meta:user-defined": "meta:name", "config:config-item": "config:name"},
    ignored=frozenset(
        [
            "*style-name", "style:*@style:name",
            "style:master-page-name", "style:page-layout-name", "style:font-name*",
            "style:font-face@*", "*:font-family*", "fo:*", "draw:*-names", "svg:d", "svg:x*",
            "svg:y*", "svg:viewBox", "svg:points", "svg:width", "svg:height", "draw:points",
            "draw:transform", "draw:enhanced-path", "draw:glue-points", "draw:text-areas",
            "draw:equation@*", "draw:handle@*", "draw:enhanced-geometry@*", "number:*@*",
            "office:version", "manifest:*", "config:*@*", "meta:generator",
            "meta:document-statistic@*", "meta:editing-*", "xml:id", "*:id", "script:language",
            "style:page-layout-properties@*", "style:*-properties@*", "style:list-*@*",
            "text:list-level-style-*@*", "text:outline-level-style@*", "svg:font-*", "svg:panose-1",
            "rdf:*", "*:list-style@*", "draw:marker@*", "draw:gradient@*", "draw:hatch@*",
            "draw:stroke-dash@*", "draw:fill-image@*", "draw:opacity@*", "smil:*", "anim:*",
            "table:table-column@*", "*:*-style@draw:name", "text:id", "form:id", "text:list@*",
            "text:c", "draw:z-index", "xlink:type", "xlink:show", "xlink:actuate", "xlink:role",
            "form:control-implementation", "style:default-style@*",
            "form:property-name", "?:is-list-label", "text:sequence-decl@*", "draw:layer*",
            "presentation:*-style", "style:presentation-page-layout@*",
            "presentation:placeholder@*",
        ]
    ),
    doubtful=frozenset(["config:config-item"]),
    packed={
        "office:binary-data": "a file packed in text",
    },
    usual=USUAL,
)  # fmt: skip
"""The elements and attributes of OpenDocument that hold text."""
