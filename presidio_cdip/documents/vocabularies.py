"""Hold the tables of names of Office Open XML: what holds text, and what holds measures."""

from presidio_cdip.documents.passages import Vocabulary

AUTHOR = "Author"

DRAWINGS = Vocabulary(
    paragraphs=frozenset(["a:p"]),
    runs=frozenset(["a:t"]),
    characters={"a:br": "\n", "a:tab": "\t"},
    tables={"a:tbl": ("a:tr", "a:tc")},
    readable=frozenset(
        [
            "descr", "title", "tooltip", "alt", "o:alt", "o:title", "o:href", "href", "userId",
            "author", "initials", "target", "src", "string",
            "wp:docPr@name", "pic:cNvPr@name", "p:cNvPr@name", "xdr:cNvPr@name", "a:cNvPr@name",
            "a:hlinkClick@invalidUrl", "a:hlinkClick@tooltip", "op:property@name",
            "op:property@linkTarget", "v:textpath@string", "o:OLEObject@ProgID",
            "dsp:cNvPr@name", "cdr:cNvPr@name", "p:oleObj@name",
        ]
    ),
    labels={
        "descr": "description", "alt": "description", "o:title": "title", "string": "text",
        "author": AUTHOR, "dc:creator": AUTHOR, "cp:lastModifiedBy": "Last modified by",
        "ep:HyperlinkBase": "link", "o:href": "link", "href": "link", "userId": "user",
        "vt:lpwstr": "value", "vt:lpstr": "title", "c:v": "value", "c:f": "formula",
        "a:t": "text",
    },
    named_by={"op:property": "name"},
    follows={"initials": "author"},
    ignored=frozenset(
        [
            "mc:Ignorable", "Requires", "typeface", "panose", "uri", "a:gd@*", "a:path@*",
            "a:pt@*", "a:off@*", "a:ext@*", "a:chOff@*", "a:chExt@*", "a:pos@*", "a:rect@*",
            "style", "coordsize", "coordorigin", "path", "adj", "v:f@eqn", "v:h@*", "v:path@*",
            "v:shapetype@*", "o:spid", "o:gfxdata", "id", "o:idmap@*", "o:rule@*", "w14:paraId",
            "w14:textId", "w:rsid*", "fillcolor", "strokecolor", "wrapcoords", "points", "from",
            "to", "control1", "control2", "xsi:*", "xml:space", "r:id", "r:embed", "r:link",
            "r:pict", "r:dm", "r:lo", "r:qs", "r:cs", "c:formatCode", "c:crossAx@*", "c:axId@*",
            "a:theme@name", "a:clrScheme@name", "a:fontScheme@name", "a:fmtScheme@name",
            "a:tblStyle@styleName", "dgm:*", "dsp:*", "modelId", "d", "transform", "viewBox",
            "class", "wp:posOffset", "wp:align", "wp14:pctWidth", "wp14:pctHeight",
            "ep:Application", "ep:AppVersion", "ep:TotalTime", "ep:Pages", "ep:Words",
            "ep:Characters", "ep:Lines", "ep:Paragraphs", "ep:DocSecurity", "ep:ScaleCrop",
            "ep:LinksUpToDate", "ep:SharedDoc", "ep:HyperlinksChanged", "ep:Slides", "ep:Notes",
            "ep:CharactersWithSpaces", "ep:HiddenSlides", "ep:MMClips", "vt:i4", "vt:bool",
            "ep:PresentationFormat", "xvml:*", "cp:revision", "fmtid", "a:tableStyleId",
        ]
    ),
)  # fmt: skip
"""What all three formats share: drawings, charts, properties."""

CUSTOM = Vocabulary(
    ignored=frozenset(["xsi:*", "xml:space", "ds:*", "ds:itemID", "ds:uri"]), every_attribute=True
)
"""Custom XML: anybody's data."""

RELATIONS = Vocabulary(ignored=frozenset(["rel:Relationship@*"]))
"""Relationships; the addresses among them are read apart."""


def joined(first: Vocabulary, second: Vocabulary) -> Vocabulary:
    """Return what both vocabularies say; the second prevails."""
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
        first.every_attribute or second.every_attribute,
    )
