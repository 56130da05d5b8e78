"""Read and write JSON of words and lines: FUNSD, Textract, DocVQA and the like.

A list of objects with a text under the key ``words`` is a line, and Textract's blocks are joined by
their relationships. Other strings are read one by one; names of keys, identifiers and labels are
not, and `extracted` yields them, too: a value in one of them is seen by the check.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from presidio_cdip.datasets.sidecars.rewriting import damaged
from presidio_cdip.documents.segments import Box, Edits, Place, Segment
from presidio_cdip.documents.texts.values import edited
from presidio_cdip.errors import UnreadableInput

_NO_TEXT = frozenset(
    ["id", "ids", "label", "blocktype", "type", "texttype", "entitytypes", "image", "unit", "lang",
     "language", "confidence", "status", "ucsf_document_id", "data_split"]
)  # fmt: skip
_SIDES = ("Left", "Top", "Width", "Height")
_INDENT = re.compile(r"\n( +)\S")


@dataclass
class Words:
    """A side-car in JSON.

    Attributes:
        text: The file.
        data: What it holds.
        size: That of the page, in pixels; None where it is unknown.
        segments: Words and other strings.
        boxes: The boxes of words, in pixels.
    """

    text: str
    data: Any
    size: tuple[int, int] | None = None
    segments: list[Segment] = field(default_factory=list)
    boxes: dict[int, Box] = field(default_factory=dict)
    _places: list[tuple[Any, Any]] = field(default_factory=list)
    _lines: list[tuple[dict[str, Any], str, list[int]]] = field(default_factory=list)
    _seen: set[tuple[int, Any]] = field(default_factory=set)

    def read(self, node: Any) -> None:
        """Add the texts of *node*."""
        if isinstance(node, list):
            for at, one in enumerate(node):
                self._value(node, at, one)
            return
        if not isinstance(node, dict):
            return
        words = node.get("words")
        if isinstance(words, list) and words and all(map(_is_word, words)):
            self._line(node, "text", words, "text")
        blocks = node.get("Blocks")
        if isinstance(blocks, list):
            self._blocks(blocks)
        for key, one in node.items():
            if key.lower() not in _NO_TEXT:
                self._value(node, key, one)

    def _value(self, node: Any, key: Any, one: Any) -> None:
        if not isinstance(one, str):
            self.read(one)
        elif one.strip() and (id(node), key) not in self._seen:
            self._add(node, key, "\n\n")

    def _add(self, node: Any, key: Any, after: str) -> int:
        self._seen.add((id(node), key))
        self.segments.append(Segment(node[key], Place("text"), after=after))
        self._places.append((node, key))
        return len(self.segments) - 1

    def _line(
        self, node: dict[str, Any], key: str, words: Sequence[dict[str, Any]], of_word: str
    ) -> None:
        """Add a line; its own text is made of its words, if it is theirs."""
        indices = []
        for word in words:
            if word[of_word].strip():
                at = self._add(word, of_word, " ")
                indices.append(at)
                box = _box(word.get("box") or word.get("boundingBox")) or self._of_share(word)
                if box:
                    self.boxes[at] = box
            self._seen.add((id(word), of_word))
        if indices:
            self.segments[-1] = Segment(self.segments[-1].text, Place("text"), after="\n")
        own = node.get(key)
        if isinstance(own, str) and own.split() == " ".join(w[of_word] for w in words).split():
            self._seen.add((id(node), key))
            self._lines.append((node, key, indices))

    def _of_share(self, word: Mapping[str, Any]) -> Box | None:
        """Return the box of a word of Textract, which gives shares of the page."""
        given = (word.get("Geometry") or {}).get("BoundingBox")
        if self.size is None or not isinstance(given, dict):
            return None
        left, top, wide, high = (float(given[name]) for name in _SIDES)
        width, height = self.size
        return (left * width, top * height, (left + wide) * width, (top + high) * height)

    def _share(self, node: dict[str, Any], box: Box) -> None:
        """Set the box of a word of Textract."""
        assert self.size is not None
        left, right = box[0] / self.size[0], box[2] / self.size[0]
        top, bottom = box[1] / self.size[1], box[3] / self.size[1]
        geometry = node["Geometry"]
        sides = zip(_SIDES, (left, top, right - left, bottom - top), strict=True)
        geometry["BoundingBox"] = dict(sides)
        if "Polygon" in geometry:
            corners = ((left, top), (right, top), (right, bottom), (left, bottom))
            geometry["Polygon"] = [{"X": x, "Y": y} for x, y in corners]

    def _blocks(self, blocks: Sequence[Any]) -> None:
        """Add the lines of Textract."""
        by_id = {one["Id"]: one for one in blocks if isinstance(one, dict) and "Id" in one}
        for one in by_id.values():
            if one.get("BlockType") == "LINE":
                children = [
                    by_id[number]
                    for relation in one.get("Relationships") or ()
                    if relation.get("Type") == "CHILD"
                    for number in relation.get("Ids", ())
                    if number in by_id and isinstance(by_id[number].get("Text"), str)
                ]
                self._line(one, "Text", children, "Text")

    def write(self, edits: Edits, boxes: Mapping[int, Box]) -> bytes:
        """Return the file with other text and boxes."""
        if not edits:
            return self.text.encode()
        for at, of_segment in edits.items():
            node, key = self._places[at]
            node[key] = edited(node[key], of_segment)
        for node, key, indices in self._lines:
            if any(at in edits for at in indices):
                words = (self._places[at] for at in indices)
                node[key] = " ".join(word[name] for word, name in words if word[name])
        for at, box in boxes.items():
            node, _ = self._places[at]
            if "Geometry" in node:
                self._share(node, box)
                continue
            name = "box" if "box" in node else "boundingBox"
            node[name] = _written(box, len(node[name]))
        indent = _INDENT.search(self.text)
        made = json.dumps(
            self.data, ensure_ascii=self.text.isascii(), indent=len(indent[1]) if indent else None
        )
        return (made + "\n" * self.text.endswith("\n")).encode()


def opened(data: bytes, name: str, size: tuple[int, int] | None) -> Words:
    """Read a side-car."""
    try:
        text = data.decode("utf-8-sig")
        made = Words(text, json.loads(text, object_pairs_hook=_once), size)
        made.read(made.data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise damaged(name) from None
    return made


def extracted(data: bytes) -> Iterator[str]:
    """Yield all strings and numbers, and each line of words."""
    yield from _strings(json.loads(data.decode("utf-8-sig")))


def _strings(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, one in node.items():
            yield key
            yield from _strings(one)
        texts = [one.get("text") for one in node.get("words") or () if isinstance(one, dict)]
        yield " ".join(text for text in texts if isinstance(text, str))
    elif isinstance(node, list):
        for one in node:
            yield from _strings(one)
    elif isinstance(node, str):
        yield node
    elif isinstance(node, int) and abs(node) > 9999:  # coordinates are smaller
        yield str(node)


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; one that has a name twice would lose the first value."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise UnreadableInput("side-car", "has a name twice in an object")
    return made


def _is_word(one: Any) -> bool:
    return isinstance(one, dict) and isinstance(one.get("text"), str)


def _box(given: Any) -> Box | None:
    """Return a box of two corners, or of four."""
    if not isinstance(given, list) or not all(isinstance(one, int | float) for one in given):
        return None
    if len(given) == 4:
        return (given[0], given[1], given[2], given[3])
    if len(given) == 8:
        return (min(given[::2]), min(given[1::2]), max(given[::2]), max(given[1::2]))
    return None


def _written(box: Box, size: int) -> list[int]:
    left, top, right, bottom = map(round, box)
    if size == 4:
        return [left, top, right, bottom]
    return [left, top, right, top, right, bottom, left, bottom]
