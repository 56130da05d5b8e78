"""Find and replace in a document of any format, and in the files embedded in it."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from presidio_cdip.documents.findings import (
    Anonymize,
    Find,
    Found,
    Picture,
    Redact,
    Report,
    Shown,
    Tools,
    why,
)
from presidio_cdip.documents.formats import (
    Format,
    check_suffix,
    failing,
    format_of,
    open_document,
    safer,
)
from presidio_cdip.documents.joining import Joined
from presidio_cdip.documents.remembering import Remembering
from presidio_cdip.documents.segments import Embedded, Note, Place, Settings
from presidio_cdip.documents.texts.encoded import beside_percents, encoded_in, notes_of
from presidio_cdip.documents.verifying import SHORTEST, Left, plain, still_there
from presidio_cdip.errors import StillReadable, TextTooLong, UnreadableInput
from presidio_cdip.files.inputs import decode, encoding_of, is_image
from presidio_cdip.imaging.page.metadata import without_metadata
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import Item, Rewritten, is_turned_word

__all__ = [
    "Anonymize", "Find", "Found", "Picture", "Redact", "Remembering", "Report", "Shown", "Tools",
    "analyze", "encoded_like", "rewrite", "rewrite_any", "why",
]  # fmt: skip

UNREADABLE_PICTURE = "a picture that OCR could not read"
REMOVED_UNKNOWN = "a file of a kind that is not read here"


@dataclass(slots=True)
class _Run:
    """The work on one document and what is embedded in it."""

    tools: Tools
    settings: Settings
    findings: list[Found] = field(default_factory=list)
    removed: list[Note] = field(default_factory=list)
    unread: list[Note] = field(default_factory=list)
    characters: int = 0
    inner: list[str] = field(default_factory=list)
    """The new texts of files within the document, in which values may stay by decision."""
    has_subjects: bool = False
    """Whether rows of one of its files have scopes of their own."""

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
        self.has_subjects |= bool(joined.subjects)
        settings.check_time(name)
        spans = joined.parted(self.found(joined.text), self.tools.find)
        spans = joined.in_tables(spans, self.in_columns)
        if self.tools.watch:
            self.tools.watch(Shown(outer or Place(""), joined.text, spans, joined))
        self.removed += [one.within(outer) for one in document.removed]
        self.unread += [
            one.within(outer) for one in _unread(document.unread, joined, spans, self.tools.find)
        ]
        if self.tools.anonymize is None:
            self.findings += _found(joined, [(span, "", False) for span in spans], outer)
            for one in document.embedded:
                self.embedded(one, outer, depth)
            return data, set()
        written = self.tools.anonymize(joined.text, spans, joined.subjects)
        self.findings += _found(joined, map(_said, written.items), outer)
        edits = joined.edits(written, covered=settings.method != "surrogate")
        replaced = {
            number: self.embedded(one, outer, depth) for number, one in enumerate(document.embedded)
        }
        settings.check_time(name)
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
        inner = plain("\n".join(self.inner))
        self.inner.append(text)
        originals = [
            (entity, value)
            for entity, value, is_short in _originals(joined, written)
            if not (is_short and plain(value) in inner)
        ]
        with failing(name):
            return set(still_there(originals, text, self.extracted(new, name, kind)))

    def extracted(self, data: bytes, name: str, kind: Format) -> Iterator[tuple[str, str]]:
        """Yield the texts of a document, as long as there is time."""
        for one in kind.load().extracted(data, name):
            self.settings.check_time(name)
            yield one

    def embedded(self, one: Embedded, outer: Place | None, depth: int) -> bytes | None:
        """Rewrite a file within a document; return None if it is to be removed."""
        self.settings.check_time(one.name)
        place = one.place.within(outer)
        if is_image(one.data):
            return self.picture(one, place)
        kind = format_of(one.data, one.name)
        if kind is not None and depth < self.settings.max_depth:
            try:
                return self.document(one.data, one.name, kind, place, depth + 1)
            except UnreadableInput as error:
                self.settings.check_time(one.name)
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
        spans = self.found(text)
        self.unread += notes_of(text, spans, self.tools.find, place)
        if self.tools.watch:
            self.tools.watch(Shown(place, text, spans))
        found = [(span, "", False) for span in spans]
        if self.tools.anonymize is not None:
            written = self.tools.anonymize(text, spans, ())
            found = list(map(_said, written.items))
            text = written.text
        self.findings += [
            Found(
                span.entity, place, span.start, span.end, span.score, why(span), operator,
                plainest=plainest,
            )
            for span, operator, plainest in found
        ]  # fmt: skip
        return encoded_like(data, text) if found else data

    def found(self, text: str) -> list[Span]:
        """Return the findings in a text, none of which begins or ends in an escape."""
        return list(beside_percents(text, self.tools.find(text)))

    def in_columns(self, text: str) -> list[Span]:
        """Return the findings in columns of the table *text*."""
        find = self.tools.find
        spans = find.in_columns(text) if isinstance(find, Remembering) else find(text)
        return list(beside_percents(text, spans))

    def picture(self, one: Embedded, place: Place) -> bytes | None:
        try:
            with failing(one.name):
                picture = self.tools.redact(one, self.tools.anonymize is not None)
        except UnreadableInput:
            self.unread.append(Note(place, UNREADABLE_PICTURE))
            return without_metadata(one.data) or one.data
        self.shown(picture, one, place)
        one.keep(picture)
        self.findings += [
            Found(
                found.entity, _frame(place, found.place), found.start, found.end, found.score,
                found.explanation, found.operator, found.boxes, found.plainest,
            )
            for found in picture.findings
        ]  # fmt: skip
        self.unread += [Note(_frame(place, note.place), note.what) for note in picture.unread]
        return picture.data

    def shown(self, picture: Picture, one: Embedded, place: Place) -> None:
        """Report how each page of *picture* was read."""
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
            where = _frame(place, Place("", page.index))
            self.tools.watch(Shown(where, page.layout.text, spans, None, one, page, one.to_page))

    def unknown(self, one: Embedded, place: Place, what: str) -> bytes | None:
        if self.settings.keep_unknown:
            self.unread.append(Note(place, f"{what}; it was kept"))
            return one.data
        self.removed.append(Note(place, what))
        return None


_CONTEXT = 12  # characters beside a value that is too short to be looked for alone


def _originals(joined: Joined, written: Rewritten) -> Iterator[tuple[str, str, bool]]:
    """Yield entity and text of what was replaced, and whether it is short.

    A word that is turned with its page is no original to be hidden. A short value, which occurs
    elsewhere by chance, comes with what stands before it in its segment, else after it, and stays.
    """
    ends = [0, *(item.span.end for item in written.items)]
    starts = [*(item.span.start for item in written.items), len(joined.text)]
    for number, item in enumerate(written.items):
        if item.operator == "keep" or is_turned_word(item.span):
            continue
        start, end = item.span.start, item.span.end
        is_short = len(plain(joined.text[start:end])) < SHORTEST
        if is_short:
            index = bisect_right(joined.starts, start) - 1
            first = joined.starts[max(0, index)]
            last = first + len(joined.segments[max(0, index)].text)
            begin = max(first, ends[number], start - _CONTEXT)
            stop = min(last, starts[number + 1], end + _CONTEXT)
            if len(plain(joined.text[begin:end])) >= SHORTEST:
                start = begin
            elif len(plain(joined.text[start:stop])) >= SHORTEST:
                end = stop
        yield item.span.entity, joined.text[start:end], is_short


def _unread(
    noted: Sequence[Note], joined: Joined, spans: Sequence[Span], find: Find
) -> Iterator[Note]:
    """Yield the notes of a document, and one for each segment with encoded text in it."""
    yield from noted
    seen = {one.place for one in noted}
    for one in encoded_in(joined.text, spans, find):
        place = joined.place_of(one.start)
        if place not in seen:
            seen.add(place)
            yield Note(place, one.what)


def _frame(place: Place, within: Place) -> Place:
    """Return the place of a frame of a picture; that of the picture for its first."""
    if not within.page:
        return place
    return replace(place, where=f"{place.where}, frame {within.page + 1}".removeprefix(", "))


def _said(item: Item) -> tuple[Span, str, bool]:
    return item.span, item.operator, item.plainest


def _found(
    joined: Joined, said: Iterable[tuple[Span, str, bool]], outer: Place | None
) -> Iterator[Found]:
    """Yield the findings for spans, what replaced them, and whether their form is the plainest."""
    for span, operator, plainest in said:
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
            plainest,
        )


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
    """Replace the findings in a file of any kind: a document, a page image or a plain text.

    Raises:
        UnreadableInput: It cannot be read or written.
        StillReadable: An original can still be found in what was written.
        MissingDependency: An extra is not installed.
    """
    check_suffix(data, name)
    run = _Run(tools, settings)
    place = Place("")
    kind = format_of(data, name)
    if settings.scope_column and tools.anonymize and (is_image(data) or kind is None):
        raise no_rows(name, settings)
    if is_image(data):
        whole = Embedded(data, place, name)
        picture = tools.redact(whole, tools.anonymize is not None)
        run.shown(picture, whole, place)
        run.findings += picture.findings
        run.unread += picture.unread
        return picture.data, Report(name, "image", 0, run.findings, (), run.unread)
    if kind is not None:
        return _complete(data, name, kind, tools, settings)
    new = run.text(data, decode(data, name, settings.max_characters), place)
    return new, Report(name, "text", run.characters, run.findings, (), run.unread)


def encoded_like(data: bytes, text: str) -> bytes:
    """Return *text* in the encoding of *data*, or in UTF-8 if that has not all its letters."""
    mark, encoding = encoding_of(data)
    if encoding == "utf-8" and not mark:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            with suppress(UnicodeEncodeError):
                return text.encode("cp1252")
    return mark + text.removeprefix("\ufeff").encode(encoding, "surrogatepass")


def rewrite(data: bytes, name: str, tools: Tools, settings: Settings) -> tuple[bytes, Report]:
    """Replace the findings in a document, and check the result.

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
    settings = settings.begun()
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
    if settings.scope_column and not run.has_subjects and tools.anonymize:
        raise no_rows(name, settings)
    if tools.watch:
        for one in shown:
            tools.watch(one)
    return new, _report(run, name, kind)


def no_rows(name: str, settings: Settings) -> UnreadableInput:
    """Return the error of a file without rows in the column that is to name their scopes."""
    return UnreadableInput(
        name,
        f"has no rows with a column {settings.scope_column!r}, as tables and JSON can have: leave "
        "--scope-from out, or name another column",
    )


def _kind(data: bytes, name: str) -> Format:
    check_suffix(data, name)
    kind = format_of(data, name)
    if kind is None:
        raise UnreadableInput(name, "is not a document of a format known here")
    return kind


def _report(run: _Run, name: str, kind: Format) -> Report:
    return Report(name, kind.name, run.characters, run.findings, run.removed, run.unread)
