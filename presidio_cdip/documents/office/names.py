"""Map the elements and attributes of office formats to their usual short names."""

from functools import lru_cache

_OFFICE = "http://schemas.openxmlformats.org"
_STRICT = "http://purl.oclc.org/ooxml"
_MICROSOFT = "http://schemas.microsoft.com/office"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"

NAMESPACES = {
    f"{_OFFICE}/wordprocessingml/2006/main": "w",
    f"{_STRICT}/wordprocessingml/main": "w",
    f"{_MICROSOFT}/word/2010/wordml": "w14",
    f"{_MICROSOFT}/word/2012/wordml": "w15",
    f"{_MICROSOFT}/word/2018/wordml/cex": "w16cex",
    f"{_MICROSOFT}/word/2016/wordml/cid": "w16cid",
    f"{_OFFICE}/drawingml/2006/wordprocessingDrawing": "wp",
    f"{_STRICT}/drawingml/wordprocessingDrawing": "wp",
    f"{_MICROSOFT}/word/2010/wordprocessingDrawing": "wp14",
    f"{_OFFICE}/drawingml/2006/main": "a",
    f"{_STRICT}/drawingml/main": "a",
    f"{_OFFICE}/drawingml/2006/chart": "c",
    f"{_STRICT}/drawingml/chart": "c",
    f"{_OFFICE}/drawingml/2006/diagram": "dgm",
    f"{_STRICT}/drawingml/diagram": "dgm",
    f"{_MICROSOFT}/drawing/2008/diagram": "dsp",
    f"{_OFFICE}/drawingml/2006/picture": "pic",
    f"{_STRICT}/drawingml/picture": "pic",
    f"{_OFFICE}/drawingml/2006/spreadsheetDrawing": "xdr",
    f"{_STRICT}/drawingml/spreadsheetDrawing": "xdr",
    f"{_OFFICE}/spreadsheetml/2006/main": "x",
    f"{_STRICT}/spreadsheetml/main": "x",
    f"{_MICROSOFT}/excel/2006/main": "xm",
    f"{_MICROSOFT}/spreadsheetml/2009/9/main": "x14",
    f"{_MICROSOFT}/spreadsheetml/2010/11/main": "x15",
    f"{_MICROSOFT}/spreadsheetml/2018/threadedcomments": "tc",
    f"{_MICROSOFT}/drawing/2014/chartex": "cx",
    f"{_OFFICE}/presentationml/2006/main": "p",
    f"{_STRICT}/presentationml/main": "p",
    f"{_MICROSOFT}/powerpoint/2010/main": "p14",
    f"{_MICROSOFT}/powerpoint/2018/8/main": "p188",
    f"{_OFFICE}/officeDocument/2006/math": "m",
    f"{_STRICT}/officeDocument/math": "m",
    f"{_OFFICE}/officeDocument/2006/relationships": "r",
    f"{_STRICT}/officeDocument/relationships": "r",
    f"{_OFFICE}/officeDocument/2006/extended-properties": "ep",
    f"{_STRICT}/officeDocument/extendedProperties": "ep",
    f"{_OFFICE}/officeDocument/2006/custom-properties": "op",
    f"{_STRICT}/officeDocument/customProperties": "op",
    f"{_OFFICE}/officeDocument/2006/docPropsVTypes": "vt",
    f"{_STRICT}/officeDocument/docPropsVTypes": "vt",
    f"{_OFFICE}/officeDocument/2006/customXml": "ds",
    f"{_STRICT}/officeDocument/customXml": "ds",
    f"{_OFFICE}/package/2006/metadata/core-properties": "cp",
    f"{_OFFICE}/package/2006/relationships": "rel",
    f"{_OFFICE}/package/2006/content-types": "ct",
    f"{_OFFICE}/markup-compatibility/2006": "mc",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
    "urn:schemas-microsoft-com:office:word": "w10",
    "urn:schemas-microsoft-com:office:excel": "xvml",
    "http://www.w3.org/2001/XMLSchema": "xsd",
    "http://schemas.microsoft.com/office/drawing/2014/main": "a16",
    "http://schemas.microsoft.com/office/thememl/2012/main": "thm15",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://www.w3.org/2001/XMLSchema-instance": "xsi",
    **{
        f"{_OASIS}:{name}:1.0": prefix
        for name, prefix in [
            ("office", "office"), ("text", "text"), ("table", "table"), ("drawing", "draw"),
            ("style", "style"), ("meta", "meta"), ("config", "config"), ("form", "form"),
            ("manifest", "manifest"), ("presentation", "presentation"), ("chart", "chart"),
            ("datastyle", "number"), ("script", "script"), ("svg-compatible", "svg"),
            ("xsl-fo-compatible", "fo"), ("animation", "anim"), ("smil-compatible", "smil"),
            ("dr3d", "dr3d"),
        ]
    },
}  # fmt: skip
"""The usual prefix of each namespace, of both editions of ISO 29500, and of ODF."""


@lru_cache(maxsize=50_000)
def short(name: str) -> str:
    """Return the short name of an element or attribute.

    >>> short("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}p")
    'w:p'
    >>> short("{urn:unknown}p"), short("id")
    ('?:p', 'id')
    """
    if not name.startswith("{"):
        return name
    space, _, local = name[1:].partition("}")
    return f"{NAMESPACES.get(space, '?')}:{local}"


@lru_cache(maxsize=50_000)
def words(name: str) -> str:
    """Return the words of a short name: what labels a value, for recognition.

    >>> words("cp:lastModifiedBy"), words("meta:initial-creator"), words("patient_SSN")
    ('last modified by', 'initial creator', 'patient SSN')
    """
    local = name.rpartition(":")[2]
    parted: list[str] = []
    for before, letter in zip(f" {local}", local, strict=False):
        if letter in "-_.":
            parted.append(" ")
        elif letter.isupper() and before.islower():
            parted.append(f" {letter}")
        else:
            parted.append(letter)
    return " ".join(
        word if word.isupper() and len(word) > 1 else word.lower()
        for word in "".join(parted).split()
    )
