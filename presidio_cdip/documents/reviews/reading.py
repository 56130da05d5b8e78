"""Read a document for a reviewer: its texts, and the views in which they are shown."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Self

from presidio_cdip.documents import rewriting
from presidio_cdip.documents.formats import format_of
from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.reviews.review import Decided, Fingerprint, Review
from presidio_cdip.documents.rewriting import Shown, Tools, why
from presidio_cdip.documents.segments import Box, Matrix, Note, Settings

_WORD = re.compile(r"\S+")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
BESIDE = "beside the pages"
NOWHERE = -1


class Word(NamedTuple):
    """A word on a page: ``[start, end)`` in the view's text, and its box."""

    start: int
    end: int
    box: Box


class Block(NamedTuple):
    """A paragraph, cell or line: ``[start, end)`` in the view's text, its place and label."""

    start: int
    end: int
    where: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A part of a document as it is shown: a page or picture with words, or blocks of text.

    Attributes:
        kind: ``"page"`` of a PDF, ``"picture"``, or ``"text"``.
        title: What it is, for a reader.
        text: The index of its text in `Reading.texts`; NOWHERE for a page without words.
        page: The page of the document, or of the picture, from 0.
        picture: The index of its picture in `Reading.pictures`; None for a page of a PDF.
        size: Width and height, in the units of the boxes: points of a page, pixels of a picture.
        words: Where the words stand; empty in a view of text.
        blocks: The text; empty in a view with words.
        unread: Boxes of writing that OCR did not read.
    """

    kind: Literal["page", "picture", "text"]
    title: str
    text: int
    page: int = 0
    picture: int | None = None
    size: tuple[float, float] = (0.0, 0.0)
    words: Sequence[Word] = ()
    blocks: Sequence[Block] = ()
    unread: Sequence[Box] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the view as a JSON object."""
        return {
            "kind": self.kind,
            "title": self.title,
            "text": self.text,
            "page": self.page,
            "picture": self.picture,
            "size": list(self.size),
            "words": [
                [one.start, one.end, *(round(edge, 2) for edge in one.box)] for one in self.words
            ],
            "blocks": [list(one) for one in self.blocks],
            "unread": [[round(edge, 2) for edge in box] for box in self.unread],
        }

    @classmethod
    def of(cls, given: dict[str, Any]) -> Self:
        """Return the view of `as_json`."""
        return cls(
            given["kind"], given["title"], given["text"], given["page"], given["picture"],
            tuple(given["size"]),
            [Word(one[0], one[1], tuple(one[2:])) for one in given["words"]],
            [Block(*one) for one in given["blocks"]],
            [tuple(box) for box in given["unread"]],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """The views of a document for a reviewer.

    Attributes:
        format: The document's format, ``"image"`` or ``"text"``.
        texts: Its texts; not shown by `repr`.
        views: How they are shown, in order.
        pictures: The files of its pictures; not shown by `repr`.
        removed: The parts that will be left out.
        unread: The parts that may hold text that nothing read.
    """

    format: str
    texts: Sequence[str] = field(repr=False)
    views: Sequence[View]
    pictures: Sequence[bytes] = field(default=(), repr=False)
    removed: Sequence[Note] = ()
    unread: Sequence[Note] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the reading as a JSON object, without the bytes of pictures; it holds the text."""
        return {
            "format": self.format,
            "texts": list(self.texts),
            "views": [one.as_json() for one in self.views],
            "removed": [one.as_json() for one in self.removed],
            "unread": [one.as_json() for one in self.unread],
        }


def read(
    data: bytes,
    name: str,
    tools: Tools,
    settings: Settings,
    choices: Choices,
    fingerprint: Fingerprint,
) -> tuple[Reading, Review]:
    """Read a document, and open a review of what was found in it.

    Args:
        data: A document, a page image or a plain text.
        name: Its name.
        tools: What finds values; nothing is replaced.
        settings: How to read it.
        choices: What the review says of how it was read.
        fingerprint: Of *data*.

    Raises:
        UnreadableInput: It cannot be read.
        MissingDependency: An extra is not installed.
    """
    shown: list[Shown] = []
    watching = replace(tools, anonymize=None, watch=shown.append)
    report = rewriting.rewrite_any(data, name, watching, settings)[1]
    made = _Views(_sizes(data, name, settings))
    for one in shown:
        made.add(one)
    texts = list(made.texts)
    found = {fingerprint.text(text): tuple(map(_open, made.spans[text])) for text in texts if text}
    reading = Reading(
        report.format, texts, made.views(), made.pictures, report.removed, report.unread
    )
    return reading, Review(fingerprint.check, choices, found)


def _open(given: tuple[int, int, str, float, str]) -> Decided:
    start, end, entity, score, because = given
    return Decided(start, end, entity, score, why=because)


def _sizes(data: bytes, name: str, settings: Settings) -> list[tuple[float, float]]:
    kind = format_of(data, name)
    if kind is None or kind.name != "pdf":
        return []
    from presidio_cdip.documents.pdf.showing import sizes

    return sizes(data, name, settings)


class _Views:
    """The views of a document, made of its texts as they come."""

    def __init__(self, sizes: Sequence[tuple[float, float]]) -> None:
        self.texts: dict[str, int] = {}
        self.spans: dict[str, list[tuple[int, int, str, float, str]]] = {}
        self.pictures: list[bytes] = []
        self._number_of_picture: dict[int, int] = {}
        self._pages = [
            View("page", f"page {number + 1}", NOWHERE, number, None, size)
            for number, size in enumerate(sizes)
        ]
        self._others: list[View] = []

    def views(self) -> list[View]:
        """Return the views: pages first."""
        return [*self._pages, *self._others]

    def add(self, shown: Shown) -> None:
        """Add the views of a text."""
        number = self.texts.setdefault(shown.text, len(self.texts))
        self.spans.setdefault(
            shown.text,
            [
                (span.start, span.end, span.entity, span.score,
                 span.rule if shown.page is not None else why(span))
                for span in sorted(shown.spans, key=lambda span: (span.start, span.end))
            ],
        )  # fmt: skip
        if shown.page is not None:
            self._picture(shown, number)
        elif shown.joined is None:
            blocks = [Block(*one.span()) for one in _LINE.finditer(shown.text)]
            self._others.append(View("text", shown.place.where or "text", number, blocks=blocks))
        else:
            self._document(shown, number)

    def _document(self, shown: Shown, number: int) -> None:
        assert shown.joined is not None
        whole = not shown.place.where
        on_pages: dict[int, list[Word]] = {}
        blocks: list[Block] = []
        for start, segment in zip(shown.joined.starts, shown.joined.segments, strict=True):
            page = segment.place.page if whole and self._pages else None
            words = [
                Word(start + at.start(), start + at.end(), box)
                for at in (_WORD.finditer(segment.text) if page is not None else ())
                for box in segment.boxes(*at.span())
            ]
            if page is not None and words:
                on_pages.setdefault(page, []).extend(words)
            elif segment.text.strip():
                end = start + len(segment.text)
                blocks.append(Block(start, end, segment.place.where, segment.label))
        for page, words in on_pages.items():
            self._pages[page] = replace(self._pages[page], text=number, words=words)
        if blocks:
            title = shown.place.where or (BESIDE if self._pages else "text")
            self._others.append(View("text", title, number, blocks=blocks))

    def _picture(self, shown: Shown, number: int) -> None:
        page, picture = shown.page, shown.picture
        assert picture is not None
        layout = page.layout
        words = [
            Word(start, end, _floats(box))
            for (start, end), word in zip(layout.spans, layout.words, strict=True)
            for box in page.as_it_was([word.box])
        ]
        unread: list[Box] = [_floats(box) for box in page.unread]
        of_page = picture.place.page
        if shown.to_page and self._pages and of_page is not None and picture.place == shown.place:
            on = OnPage(shown.to_page, page.size)
            self._pages[of_page] = replace(
                self._pages[of_page],
                text=number,
                words=[word._replace(box=on.page(word.box)) for word in words],
                unread=[on.page(box) for box in unread],
            )
            return
        if id(picture) not in self._number_of_picture:
            self._number_of_picture[id(picture)] = len(self.pictures)
            self.pictures.append(picture.data)
        title = shown.place.where or f"page {page.index + 1}"
        if shown.place.where and page.index:
            title += f", page {page.index + 1}"
        self._others.append(
            View(
                "picture", title, number, page.index, self._number_of_picture[id(picture)],
                (float(page.size[0]), float(page.size[1])), words, (), unread,
            )
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class OnPage:
    """From the pixels of a picture to the page that it is, and back."""

    to_page: Matrix
    size: tuple[int, int]

    def page(self, box: Box) -> Box:
        """Return a box of the picture on the page, in points."""
        a, b, c, d, e, f = self.to_page
        width, height = self.size
        corners = [(x / width, 1 - y / height) for x in box[::2] for y in box[1::2]]
        return _around([(a * x + c * y + e, b * x + d * y + f) for x, y in corners])

    def picture(self, box: Box) -> Box:
        """Return a box of the page in the picture, in pixels."""
        a, b, c, d, e, f = self.to_page
        whole = a * d - b * c
        width, height = self.size
        corners = [(x - e, y - f) for x in box[::2] for y in box[1::2]]
        square = [((d * x - c * y) / whole, (a * y - b * x) / whole) for x, y in corners]
        return _around([(x * width, (1 - y) * height) for x, y in square])


def _floats(box: Sequence[float]) -> Box:
    left, top, right, bottom = box
    return float(left), float(top), float(right), float(bottom)


def _around(points: Sequence[tuple[float, float]]) -> Box:
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def boxes_of(view: View, start: int, end: int) -> Iterator[Box]:
    """Yield the boxes of ``[start, end)`` in a view, one for the words beside each other on a line.

    A word that the span holds in part is cut in proportion.
    """
    last: Box | None = None
    for word in view.words:
        if word.end <= start or word.start >= end:
            continue
        box = _cut(word, start, end)
        if last and _goes_on(last, box):
            last = _around([last[:2], last[2:], box[:2], box[2:]])
            continue
        if last:
            yield last
        last = box
    if last:
        yield last


def _cut(word: Word, start: int, end: int) -> Box:
    left, top, right, bottom = word.box
    if right - left < bottom - top:  # set from top to bottom, or one letter: not worth a cut
        return word.box
    share = (right - left) / (word.end - word.start)
    return (
        left + share * max(0, start - word.start),
        top,
        right - share * max(0, word.end - end),
        bottom,
    )


def _goes_on(last: Box, box: Box) -> bool:
    height = last[3] - last[1]
    shared = min(last[3], box[3]) - max(last[1], box[1])
    return shared > 0.5 * min(height, box[3] - box[1]) and -height < box[0] - last[2] < height
