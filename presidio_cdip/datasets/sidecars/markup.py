"""Read and write hOCR and ALTO: words of OCR in markup."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape, unescape

from presidio_cdip.datasets.sidecars.rewriting import damaged
from presidio_cdip.documents.segments import Box, Edits, Place, Segment
from presidio_cdip.documents.texts.values import edited

_HOCR = re.compile(
    r"""(?P<head><span\b[^>]*\bclass\s*=\s*["'][^"']*\bocrx_word\b[^>]*>)(?P<text>.*?)</span>""",
    re.S,
)
_ALTO = re.compile(r"""(?P<head><(?:\w+:)?String\b[^>]*?\bCONTENT=)(?P<text>"[^"]*"|'[^']*')""")
_LINE = re.compile(r"\bocr_(?:line|header|caption|textfloat)\b|<(?:\w+:)?TextLine\b")
_BBOX = re.compile(r"\bbbox\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)\s+(-?\d+)")
_ELEMENT = re.compile(r"<(?:\w+:)?String\b[^>]*>")
_PIXEL = re.compile(r"<(?:\w+:)?MeasurementUnit>\s*pixel\s*<")
_PAGE = re.compile(r"<(?:\w+:)?Page\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")
_VALUE = re.compile(r"""=\s*("[^"]*"|'[^']*')""")


@dataclass
class Markup:
    """A side-car in markup.

    Attributes:
        text: The file.
        segments: The words.
        size: That of the page, in pixels; None where it is unknown.
        boxes: The boxes of words, in pixels.
    """

    text: str
    size: tuple[int, int] | None = None
    segments: list[Segment] = field(default_factory=list)
    boxes: dict[int, Box] = field(default_factory=dict)
    _words: list[re.Match[str]] = field(default_factory=list)
    _alto: bool = False
    _pixels: float = 0.0  # of a unit of ALTO; 0 where that is unknown

    def read(self) -> None:
        """Add the words."""
        self._alto = _ALTO.search(self.text) is not None
        self._pixels = self._of_unit()
        self._words = list((_ALTO if self._alto else _HOCR).finditer(self.text))
        for at, word in enumerate(self._words):
            following = self._words[at + 1].start("text") if at + 1 < len(self._words) else -1
            between = self.text[word.end() : following]
            after = "\n" if following < 0 or _LINE.search(between) else " "
            inner = word["text"][1:-1] if self._alto else _TAG.sub("", word["text"])
            self.segments.append(Segment(unescape(inner), Place("word"), after=after))
            if box := self._box(word):
                self.boxes[at] = box

    def _box(self, word: re.Match[str]) -> Box | None:
        if not self._alto:
            found = _BBOX.search(word["head"])
            return tuple(map(float, found.groups())) if found else None  # type: ignore[return-value]
        element = _ELEMENT.match(self.text, word.start())
        if element is None or not self._pixels:
            return None
        given = {
            name: float(found[2]) * self._pixels
            for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT")
            if (found := _attribute(name, element[0]))
        }
        if len(given) < 4:
            return None
        left, top = given["HPOS"], given["VPOS"]
        return (left, top, left + given["WIDTH"], top + given["HEIGHT"])

    def _of_unit(self) -> float:
        """Return the pixels of a unit: given, or by the width of the page in units."""
        if _PIXEL.search(self.text):
            return 1.0
        page = _PAGE.search(self.text)
        width = _attribute("WIDTH", page[0]) if page else None
        if self.size is None or width is None or not float(width[2]):
            return 0.0
        return self.size[0] / float(width[2])

    def _moved(self, attributes: str, box: Box) -> str:
        """Return attributes of ALTO with the place of *box*."""
        left, top, right, bottom = box
        sides = {"HPOS": left, "VPOS": top, "WIDTH": right - left, "HEIGHT": bottom - top}
        for name, pixels in sides.items():
            if found := _attribute(name, attributes):
                value = f"{round(pixels / self._pixels)}"
                attributes = attributes[: found.start(2)] + value + attributes[found.end(2) :]
        return attributes

    def write(self, edits: Edits, boxes: Mapping[int, Box]) -> bytes:
        """Return the file with other words, and boxes in hOCR."""
        parts, at = [], 0
        for index, word in enumerate(self._words):
            if index not in edits and index not in boxes:
                continue
            head = word["head"]
            if index in boxes and not self._alto:
                new_box = "bbox " + " ".join(str(round(edge)) for edge in boxes[index])
                head = _BBOX.sub(new_box, head, count=1)
            text, end, rest = word["text"], word.end("text"), ""
            if index in boxes and (element := _ELEMENT.match(self.text, word.start())):
                head = self._moved(head, boxes[index])
                rest, end = self._moved(self.text[end : element.end()], boxes[index]), element.end()
            if index in edits:
                new = escape(edited(self.segments[index].text, edits[index]))
                text = f'"{new}"' if self._alto else new
            parts += [self.text[at : word.start()], head, text, rest]
            at = end
        return "".join([*parts, self.text[at:]]).encode()


def _attribute(name: str, attributes: str) -> re.Match[str] | None:
    """Return the match of a number; its group 2 is the value."""
    return re.search(rf"\b({name})=[\"']([\d.]+)[\"']", attributes)


def opened(data: bytes, name: str, size: tuple[int, int] | None) -> Markup:
    """Read a side-car; it is in UTF-8."""
    try:
        made = Markup(data.decode("utf-8"), size)
    except UnicodeDecodeError:
        raise damaged(name) from None
    made.read()
    if not made.segments and _TAG.sub("", made.text).strip():
        raise damaged(name)
    return made


def extracted(data: bytes) -> Iterator[str]:
    """Yield the text between tags, and the values of attributes."""
    text = data.decode("utf-8")
    yield unescape(_TAG.sub(" ", text))
    yield unescape(_TAG.sub("", text))
    values = [unescape(one[1][1:-1]) for one in _VALUE.finditer(text)]
    yield from values
    contents = [unescape(one["text"][1:-1]) for one in _ALTO.finditer(text)]
    yield " ".join(contents)
