"""Read and rewrite the XMP metadata of a document."""

from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree

from presidio_cdip.documents.office.package import parser

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def parsed(data: bytes) -> Any:
    """Return the root of an XMP packet; None if it is no well-formed XML."""
    try:
        root = etree.fromstring(data.strip(b"\0 \r\n\t"), parser())
    except (etree.XMLSyntaxError, ValueError):
        return None
    return None if root.getroottree().docinfo.internalDTD is not None else root


def texts(root: Any) -> Iterator[tuple[str, str]]:
    """Yield the name of each property, and its text."""
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        if element.text and element.text.strip():
            yield _name(element), element.text
        if element.tail and element.tail.strip():
            yield "", element.tail
        for key, value in element.attrib.items():
            if key != _LANGUAGE and value.strip() and not key.startswith(_RDF):
                yield etree.QName(key).localname, value
    for comment in root.xpath("//comment()"):
        yield "comment", comment.text or ""


def _name(element: Any) -> str:
    while element is not None and element.tag.startswith(_RDF):
        element = element.getparent()
    return "" if element is None else str(etree.QName(element).localname)


def rewritten(root: Any, new: Mapping[str, str]) -> bytes:
    """Return the packet, in which texts are those that *new* has for them."""
    for comment in root.xpath("//comment()"):
        comment.getparent().remove(comment)
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        if element.text in new:
            element.text = new[element.text]
        if element.tail in new:
            element.tail = new[element.tail]
        for key, value in element.attrib.items():
            if value in new:
                element.set(key, new[value])
    body = etree.tostring(root, encoding="utf-8")
    start = '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'.encode()
    return start + body + b'\n<?xpacket end="w"?>'
