"""Read and write the many elements of a part from its bytes, without a tree of them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lxml import etree

from presidio_cdip.documents.office.package import CUT, parser
from presidio_cdip.errors import UnreadableInput

NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def decoded(text: str) -> str:
    """Return *text* with the characters that ``_x000D_`` and the like stand for.

    Half a surrogate pair stays as it is written.
    """
    if "_x" not in text:
        return text
    return _ESCAPE.sub(
        lambda match: match[0] if 0xD800 <= (code := int(match[1], 16)) < 0xE000 else chr(code),
        text,
    )


def encoded(text: str) -> str:
    """Return *text* as a part may hold it: characters that XML cannot hold are escaped."""
    text = _ESCAPE.sub(lambda match: f"_x005F_{match[0][1:]}", text)
    return re.sub(
        r"[\x00-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]",
        lambda match: f"_x{ord(match[0]):04X}_",
        text,
    )


@dataclass
class Fragments:
    """A part without the many elements in it, which are read from its bytes and written there.

    Attributes:
        data: The part, in UTF-8.
        first: Offset of the first byte within the element that holds the fragments.
        last: Offset after its last; equal to *first* where there are none.
        namespaces: Namespaces by prefix ("" for none), as they stand in all fragments.
    """

    name: str
    data: bytes
    first: int = 0
    last: int = 0
    namespaces: dict[str, str] = field(default_factory=dict)
    clashes: bool = False

    def skeleton(self) -> bytes:
        """Return the part with one processing instruction in place of all fragments."""
        if self.first == self.last:
            return self.data
        return self.data[: self.first] + CUT + self.data[self.last :]

    def inner(self) -> bytes:
        """Return the bytes of all fragments and what stands between them."""
        return self.data[self.first : self.last]

    def replaced(
        self,
        spans: Iterable[tuple[int, int]],
        change: Callable[[int, "etree._Element"], Iterable["etree._Element"] | None],
        more: Iterable["etree._Element"] = (),
    ) -> bytes:
        """Return `inner` with other elements in some places.

        Args:
            spans: Start and end of each element, in order; offsets in *data*.
            change: Changes the element with that number in place; returns what stands there
                instead, if it is another element, or several, or none.
            more: Elements to append.
        """
        spans = list(spans)
        if self.clashes:
            raise UnreadableInput(self.name, "uses one XML prefix twice: save it again")
        root = etree.fromstring(self._wrapped(self.data[a:b] for a, b in spans), parser())
        for number, element in enumerate(list(root.iterchildren("{*}*"))):
            instead = change(number, element)
            if instead is not None:
                for one in instead:
                    element.addprevious(one)
                root.remove(element)
        for one in more:
            root.append(one)
        pieces = _pieces(root)
        out, at = [], self.first
        for (start, end), piece in zip(spans, pieces, strict=False):
            out += [self.data[at:start], piece]
            at = end
        out += [self.data[at : self.last], *pieces[len(spans) :]]
        return b"".join(out)

    def element(self, start: int, end: int) -> "etree._Element":
        """Return the element that stands in a place."""
        return etree.fromstring(self._wrapped([self.data[start:end]]), parser())[0]

    def _wrapped(self, pieces: Iterable[bytes]) -> bytes:
        names = "".join(
            f" xmlns{':' * bool(prefix)}{prefix}={_quoted(uri)}"
            for prefix, uri in self.namespaces.items()
        )
        return b"".join([f"<wrapped{names}>".encode(), *(p + CUT for p in pieces), b"</wrapped>"])


def _quoted(text: str) -> str:
    from xml.sax.saxutils import quoteattr

    return quoteattr(text)


def _pieces(root: "etree._Element") -> list[bytes]:
    """Return the text before each mark in *root*, and the text after the last."""
    written = etree.tostring(root, encoding="UTF-8")
    body = written[written.index(b">") + 1 : written.rindex(b"<")] if len(root) else b""
    return body.split(CUT)


def utf8(data: bytes) -> bytes:
    """Return an XML part in UTF-8, byte for byte as it is if it is in it."""
    head = data[:200]
    declared = re.search(rb"encoding\s*=\s*[\"']([^\"']+)", head)
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in head[:4]
    if not wide and (declared is None or declared[1].lower() == b"utf-8"):
        return data
    written = etree.tostring(etree.fromstring(data, parser()), encoding="UTF-8")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + written
