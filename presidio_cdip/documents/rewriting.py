"""Find and replace in a document of any format, and in the files embedded in it."""

import re
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from presidio_cdip.documents.formats import (
    Format,
    check_suffix,
    failing,
    format_of,
    open_document,
    safer,
)
from presidio_cdip.documents.joining import Joined
from presidio_cdip.documents.segments import Box, Embedded, Matrix, Note, Place, Settings
from presidio_cdip.documents.verifying import Left, still_there
from presidio_cdip.entities import GIVEAWAY
from presidio_cdip.errors import StillReadable, TextTooLong, UnreadableInput
from presidio_cdip.files.inputs import decode, is_image
from presidio_cdip.imaging.page.metadata import without_metadata
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import Rewritten

UNREADABLE_PICTURE = "a picture that OCR could not read"
_WORD = re.compile(r"[^\W_]+")
_NOWHERE = (sys.maxsize, sys.maxsize)
_DISTINCT = 6  # characters of a value that is looked for in attachments and pictures
REMOVED_UNKNOWN = "a file of a kind that is not read here"


@dataclass(frozen=True, slots=True)
class Found:
    """A finding in a document, without its text.

    Attributes:
        entity: The entity.
        place: Where it stands.
        start: Offset of its first character in the text of its place, in code points.
        end: Offset after its last; beyond the text of its place, where it goes on in the next.
        score: In [0, 1].
        explanation: Why it is one.
        operator: What replaced it; "" where nothing was replaced.
        boxes: Its boxes on its page, in points, origin top left; in a picture, in its pixels.
    """

    entity: str
    place: Place
    start: int
    end: int
    score: float
    explanation: str = ""
    operator: str = ""
    boxes: tuple[Box, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object."""
        data: dict[str, Any] = {
            "entity": self.entity,
            **self.place.as_json(),
            "start": self.start,
            "end": self.end,
            "score": round(self.score, 2),
        }
        if self.operator:
            data["operator"] = self.operator
        if self.boxes:
            data["boxes"] = [[round(edge, 1) for edge in box] for box in self.boxes]
        return data


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in a document, what was removed from it, and what could not be read.

    Attributes:
        file: Its name as the caller gave it.
        format: Its format.
        characters: The length of its text.
        findings: In the order of the text; those of embedded files come last.
        removed: The parts that were left out, or, when a document is only read, would be.
        unread: The parts that may hold text that nothing read.
    """

    file: str
    format: str
    characters: int
    findings: Sequence[Found] = ()
    removed: Sequence[Note] = ()
    unread: Sequence[Note] = ()

    def counts(self) -> Counter[str]:
        """Return how many findings of each entity there are."""
        return Counter(one.entity for one in self.findings)

    def replaced(self) -> Counter[str]:
        """Return how many findings of each entity there are that the policy does not keep."""
        return Counter(one.entity for one in self.findings if one.operator != "keep")

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object; it holds no text of the document."""
        return {
            "file": self.file,
            "format": self.format,
            "characters": self.characters,
            "replaced": dict(sorted(self.replaced().items())),
            "findings": [one.as_json() for one in self.findings],
            "removed": [one.as_json() for one in self.removed],
            "unread": [one.as_json() for one in self.unread],
        }


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture after redaction.

    Attributes:
        data: The file.
        findings: What was found in it; places are of its pages.
        unread: Where writing was seen that OCR did not read.
        pages: How each page was read, as `imaging.redaction.PageFindings`.
    """

    data: bytes
    findings: Sequence[Found]
    unread: Sequence[Note]
    pages: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A text of a document, as it was read: its own, or that of a file or page within it.

    Attributes:
        place: Where the file stands in the document; "" for the document itself.
        text: The text.
        spans: What was found in it.
        joined: The segments that it consists of; None for plain texts and pages of pictures.
        picture: The picture, for a page of one.
        to_page: Its `Embedded.to_page`.
        page: How that page was read, as `imaging.redaction.PageFindings`.
    """

    place: Place
    text: str
    spans: Sequence[Span]
    joined: Joined | None = None
    picture: Embedded | None = None
    page: Any = None
    to_page: Matrix | None = None


Find = Callable[[str], list[Span]]
"""From a text to its findings."""


class Remembering:
    """Find values, and those again that were found in the document before.

    A value that is known from the body of a document is found in its attachments and pictures,
    where nothing around it says what it is; and the other way round, when `missed` says so and
    all is read again.
    """

    def __init__(self, find: Find) -> None:
        self._find = find
        self._known: dict[str, Span] = {}
        self._shapes: dict[str, set[tuple[int, int]]] = {}
        """For the first word of values: their lengths, negative, and its offset in them."""
        self._read: list[str] = []
        self.missed = False
        """Whether a value that was found late stands in a text that was read before."""

    def begin(self) -> None:
        """Begin a document, or a document once more; what is known stays known."""
        self._read.clear()
        self.missed = False

    def __call__(self, text: str) -> list[Span]:
        """Return the findings in *text*, in order, none overlapping."""
        spans = self._beside(text, self._find(text))
        self.learn(text, spans)
        self._read.append(text)
        return spans

    def _beside(self, text: str, spans: list[Span]) -> list[Span]:
        """Return *spans*, and known values outside of them."""
        if not self._known:
            return spans
        places = iter(sorted((span.start, span.end) for span in spans))
        start, end = next(places, _NOWHERE)
        at = 0
        for value, begin, stop in self._again(text):
            while end <= begin:
                start, end = next(places, _NOWHERE)
            if begin >= at and stop <= start:
                spans.append(replace(self._known[value], start=begin, end=stop))
                at = stop
        return sorted(spans, key=lambda span: span.start)

    def _again(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield where known values stand, in order; the longest first where several begin."""
        for word in _WORD.finditer(text):
            for length, offset in sorted(self._shapes.get(word.group(), ())):
                begin = word.start() - offset
                stop = begin - length
                value = text[max(0, begin) : stop]
                whole = not (text[begin - 1 : begin].isalnum() or text[stop : stop + 1].isalnum())
                if value in self._known and begin >= 0 and whole:
                    yield value, begin, stop

    def learn(self, text: str, spans: Sequence[Span]) -> None:
        """Remember the values of *spans* that are long enough to be theirs wherever they stand.

        Giveaways are none: a ranker chooses among the words of each text again.
        """
        for span in spans:
            if span.entity == GIVEAWAY:
                continue
            value = text[span.start : span.end]
            if len(value) >= _DISTINCT and (" " in value or any(map(str.isdigit, value))):
                self._add(value, replace(span, rule=span.rule + "+document"))

    def _add(self, value: str, span: Span) -> None:
        word = _WORD.search(value)
        if word is not None and value not in self._known:
            self._known[value] = span
            self.missed = self.missed or any(value in text for text in self._read)
            self._shapes.setdefault(word.group(), set()).add((-len(value), word.start()))


Anonymize = Callable[[str, Sequence[Span]], Rewritten]
"""From a text and its findings to the text in which they are replaced."""

Redact = Callable[[Embedded, bool], Picture]
"""From a picture, and whether to change it, to the picture that is redacted, or as it was.

Raises UnreadableInput, StillReadable or MissingDependency.
"""


@dataclass(frozen=True, slots=True)
class Tools:
    """What finds and replaces, whatever the format.

    Attributes:
        find: Finds values in text.
        redact: Finds and replaces values in pictures.
        anonymize: Replaces values in text; None where documents are only read.
        watch: Called with each text of a document that was read, in order, at its end.
    """

    find: Find
    redact: Redact
    anonymize: Anonymize | None = None
    watch: Callable[[Shown], object] | None = None


@dataclass(slots=True)
class _Run:
    """The work on one document and what is embedded in it."""

    tools: Tools
    settings: Settings
    findings: list[Found] = field(default_factory=list)
    removed: list[Note] = field(default_factory=list)
    unread: list[Note] = field(default_factory=list)
    characters: int = 0

    def document(
        self, data: bytes, name: str, kind: Format, outer: Place | None = None, depth: int = 0
    ) -> bytes:
        """Rewrite a document; if an original is left in it, once more in a safer way."""
        before = self.characters, self.findings[:], self.removed[:], self.unread[:]
        new, left = self.once(data, name, kind, outer, depth, self.settings)
        where = {one.where for one in left}
        settings = safer(data, name, kind, self.settings, where) if left else None
        if settings:
            self.characters, self.findings, self.removed, self.unread = before
            new, left = self.once(data, name, kind, outer, depth, settings)
        if left:
            raise StillReadable(name, {one.entity for one in left})
        return new

    def once(
        self,
        data: bytes,
        name: str,
        kind: Format,
        outer: Place | None,
        depth: int,
        settings: Settings,
    ) -> tuple[bytes, set[Left]]:
        """Return the document that was rewritten, and what is left in it."""
        document = open_document(data, name, kind, settings)
        self.characters += sum(len(one.text) + len(one.label) for one in document.segments)
        if self.characters > self.settings.max_characters:
            raise TextTooLong(name, self.settings.max_characters)
        joined = Joined.of(document.segments)
        spans = joined.parted(self.tools.find(joined.text), self.tools.find)
        if self.tools.watch:
            self.tools.watch(Shown(outer or Place(""), joined.text, spans, joined))
        self.removed += [one.within(outer) for one in document.removed]
        self.unread += [one.within(outer) for one in document.unread]
        if self.tools.anonymize is None:
            self.findings += _found(joined, spans, [""] * len(spans), outer)
            for one in document.embedded:
                self.embedded(one, outer, depth)
            return data, set()
        written = self.tools.anonymize(joined.text, spans)
        spans = [item.span for item in written.items]
        self.findings += _found(joined, spans, [item.operator for item in written.items], outer)
        edits = joined.edits(written)
        replaced = {
            number: self.embedded(one, outer, depth) for number, one in enumerate(document.embedded)
        }
        with failing(name):
            new = document.write(edits, replaced)
        return new, self.left(new, name, kind, joined, written, joined.with_edits(edits))

    def left(
        self,
        new: bytes,
        name: str,
        kind: Format,
        joined: Joined,
        written: Rewritten,
        text: str,
    ) -> set[Left]:
        """Return the originals that can still be read, and are not in the new *text*."""
        originals = [
            (item.span.entity, joined.text[item.span.start : item.span.end])
            for item in written.items
            if item.operator != "keep"
        ]
        with failing(name):
            return set(still_there(originals, text, kind.load().extracted(new, name)))

    def embedded(self, one: Embedded, outer: Place | None, depth: int) -> bytes | None:
        """Rewrite a file within a document; return None if it is to be removed."""
        place = one.place.within(outer)
        if is_image(one.data):
            return self.picture(one, place)
        kind = format_of(one.data, one.name)
        if kind is not None and depth < self.settings.max_depth:
            try:
                return self.document(one.data, one.name, kind, place, depth + 1)
            except UnreadableInput as error:
                return self.unknown(one, place, str(error).removeprefix(f"{one.name}: "))
        if kind is not None:
            return self.unknown(one, place, "a document embedded too deep to be read")
        try:
            text = decode(one.data, one.name, self.settings.max_characters)
        except UnreadableInput:
            return self.unknown(one, place, REMOVED_UNKNOWN)
        return self.text(one.data, text, place)

    def text(self, data: bytes, text: str, place: Place) -> bytes:
        """Rewrite a plain text; without a finding its bytes stay."""
        self.characters += len(text)
        if self.characters > self.settings.max_characters:
            raise TextTooLong(place.where, self.settings.max_characters)
        spans = self.tools.find(text)
        if self.tools.watch:
            self.tools.watch(Shown(place, text, spans))
        operators = [""] * len(spans)
        if self.tools.anonymize is not None:
            written = self.tools.anonymize(text, spans)
            spans = [item.span for item in written.items]
            operators = [item.operator for item in written.items]
            text = written.text
        self.findings += [
            Found(span.entity, place, span.start, span.end, span.score, why(span), operator)
            for span, operator in zip(spans, operators, strict=True)
        ]
        return encoded_like(data, text) if operators else data

    def picture(self, one: Embedded, place: Place) -> bytes | None:
        try:
            with failing(one.name):
                picture = self.tools.redact(one, self.tools.anonymize is not None)
        except UnreadableInput:
            self.unread.append(Note(place, UNREADABLE_PICTURE))
            return without_metadata(one.data) or one.data
        self.shown(picture, one, place)
        self.findings += [
            Found(
                found.entity, place, found.start, found.end, found.score, found.explanation,
                found.operator, found.boxes,
            )
            for found in picture.findings
        ]  # fmt: skip
        self.unread += [Note(place, note.what) for note in picture.unread]
        return picture.data

    def shown(self, picture: Picture, one: Embedded, place: Place) -> None:
        """Tell of each page of *picture* how it was read."""
        if self.tools.watch is None:
            return
        for page in picture.pages:
            results = [found.result for found in page.findings]
            spans = [
                Span(
                    result.start, result.end, result.entity_type, result.score,
                    result.analysis_explanation.textual_explanation or "",
                )
                for result in results
            ]  # fmt: skip
            self.tools.watch(Shown(place, page.layout.text, spans, None, one, page, one.to_page))

    def unknown(self, one: Embedded, place: Place, what: str) -> bytes | None:
        if self.settings.keep_unknown:
            self.unread.append(Note(place, f"{what}; it was kept"))
            return one.data
        self.removed.append(Note(place, what))
        return None


def _found(
    joined: Joined, spans: Sequence[Span], operators: Sequence[str], outer: Place | None
) -> Iterator[Found]:
    for span, operator in zip(spans, operators, strict=True):
        pieces = list(joined.pieces(span.start, span.end))
        if not pieces:
            continue
        index, start, _ = pieces[0]
        boxes = [
            box for at, begin, stop in pieces for box in joined.segments[at].boxes(begin, stop)
        ]
        yield Found(
            span.entity,
            joined.segments[index].place.within(outer),
            start,
            start + span.end - span.start,
            span.score,
            why(span),
            operator,
            tuple(boxes),
        )


def why(span: Span) -> str:
    """Return why *span* is a finding, without its text."""
    from presidio_cdip.recognition.finder import why

    return why(span)


def analyze(data: bytes, name: str, tools: Tools, settings: Settings) -> Report:
    """Find values in a document.

    Args:
        data: Its bytes.
        name: Its name.
        tools: What finds values; nothing is replaced.
        settings: How to read it.

    Raises:
        UnreadableInput: It cannot be read, or is no document.
        MissingDependency: An extra is not installed.
    """
    kind = _kind(data, name)
    return _complete(data, name, kind, replace(tools, anonymize=None), settings)[1]


def rewrite_any(data: bytes, name: str, tools: Tools, settings: Settings) -> tuple[bytes, Report]:
    """Replace what is found in a file of any kind: a document, a page image or a plain text.

    Raises:
        UnreadableInput: It cannot be read or written.
        StillReadable: An original can still be found in what was written.
        MissingDependency: An extra is not installed.
    """
    check_suffix(data, name)
    run = _Run(tools, settings)
    place = Place("")
    if is_image(data):
        whole = Embedded(data, place, name)
        picture = tools.redact(whole, tools.anonymize is not None)
        run.shown(picture, whole, place)
        run.findings += picture.findings
        run.unread += picture.unread
        return picture.data, Report(name, "image", 0, run.findings, (), run.unread)
    kind = format_of(data, name)
    if kind is not None:
        return _complete(data, name, kind, tools, settings)
    new = run.text(data, decode(data, name, settings.max_characters), place)
    return new, Report(name, "text", run.characters, run.findings)


def encoded_like(data: bytes, text: str) -> bytes:
    """Return *text* in the encoding of *data*, or in UTF-8 if that has not all its letters."""
    mark = next(
        (one for one in (BOM_UTF8, BOM_UTF16_LE, BOM_UTF16_BE) if data.startswith(one)), b""
    )
    encoding = {BOM_UTF16_LE: "utf-16-le", BOM_UTF16_BE: "utf-16-be"}.get(mark, "utf-8")
    if encoding == "utf-8":
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            with suppress(UnicodeEncodeError):
                return text.encode("cp1252")
    return mark + text.removeprefix("\ufeff").encode(encoding, "surrogatepass")


def rewrite(data: bytes, name: str, tools: Tools, settings: Settings) -> tuple[bytes, Report]:
    """Replace what is found in a document, and check what was written.

    Args:
        data: Its bytes.
        name: Its name.
        tools: What finds and replaces values.
        settings: How to read and write it.

    Raises:
        UnreadableInput: It cannot be read or written, or is no document.
        StillReadable: An original can still be found in what was written.
        MissingDependency: An extra is not installed.
    """
    return _complete(data, name, _kind(data, name), tools, settings)


def _complete(
    data: bytes, name: str, kind: Format, tools: Tools, settings: Settings
) -> tuple[bytes, Report]:
    """Treat a document; once more, if a value that was found late stands in what came before."""
    shown: list[Shown] = []
    noting = replace(tools, watch=shown.append if tools.watch else None)
    run = _Run(noting, settings)
    find = tools.find if isinstance(tools.find, Remembering) else None
    if find is not None:
        find.begin()
    try:
        new = run.document(data, name, kind)
    except StillReadable:
        if find is None or not find.missed:
            raise
    if find is not None and find.missed:
        find.begin()
        shown.clear()
        run = _Run(noting, settings)
        new = run.document(data, name, kind)
    if tools.watch:
        for one in shown:
            tools.watch(one)
    return new, _report(run, name, kind)


def _kind(data: bytes, name: str) -> Format:
    check_suffix(data, name)
    kind = format_of(data, name)
    if kind is None:
        raise UnreadableInput(name, "is not a document of a format known here")
    return kind


def _report(run: _Run, name: str, kind: Format) -> Report:
    return Report(name, kind.name, run.characters, run.findings, run.removed, run.unread)
