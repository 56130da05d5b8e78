"""Read the documents of a collection into records: texts, page images, documents.

An `Item` is all that is asked of a collection, so that any source can give them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from presidio_cdip.documents import rewriting
from presidio_cdip.documents.formats import check_suffix, format_of
from presidio_cdip.documents.pictures import SpanAnalyzer, imaging, redactor
from presidio_cdip.documents.segments import Place, Settings
from presidio_cdip.documents.texts.encoded import notes_of
from presidio_cdip.evaluation.areas import covered_share
from presidio_cdip.evaluation.duplicates import Copy, Signature, difference_hash, minhash
from presidio_cdip.evaluation.fingerprints import Fingerprints
from presidio_cdip.evaluation.records import PageRecord, Record, band
from presidio_cdip.files.inputs import decode, is_image
from presidio_cdip.recognition.spans import Span

Find = Callable[[str], list[Span]]


@dataclass(frozen=True, slots=True)
class Item:
    """A document of a collection.

    Attributes:
        dataset: The part of the collection that it belongs to.
        name: Its path within that part, with ``/``.
        load: Returns its bytes, or raises UnreadableInput.
    """

    dataset: str
    name: str
    load: Callable[[], bytes]

    @property
    def label(self) -> str:
        """Return the folder that it lies in, which may say what it is; "" without one."""
        return self.name.rpartition("/")[0].rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Reader:
    """Find values in documents of all kinds, and keep what an audit needs.

    Attributes:
        find: Finds the spans of a text.
        settings: How documents and pages are read.
        prints: Makes fingerprints of values and words.
    """

    find: Find
    settings: Settings
    prints: Fingerprints

    def record(self, item: Item) -> Record:
        """Return the record of *item*.

        Raises:
            UnreadableInput: It cannot be read.
            MissingDependency: Its kind needs an extra.
        """
        data = item.load()
        check_suffix(data, item.name)
        if is_image(data):
            return self._image(data, item)
        if format_of(data, item.name):
            return self._document(data, item)
        text = decode(data, item.name, self.settings.max_characters)
        spans = self.find(text)
        seen = _Seen(self.prints)
        seen.add(text, [(span.entity, span.start, span.end, span.score) for span in spans])
        unread = notes_of(text, spans, self.find, Place("text"))
        return Record(item.dataset, "text", seen.findings, unread=len(unread), copy=seen.copy())

    def _document(self, data: bytes, item: Item) -> Record:
        seen = _Seen(self.prints)

        def watch(one: rewriting.Shown) -> None:
            if one.page is None:
                spans = [(span.entity, span.start, span.end, None) for span in one.spans]
                seen.add(one.text, spans)

        find = rewriting.Remembering(self.find)
        tools = rewriting.Tools(find, redactor(find, self.settings), watch=watch)
        report = rewriting.analyze(data, item.name, tools, self.settings)
        findings = Counter((one.entity, band(one.score)) for one in report.findings)
        return Record(
            item.dataset, report.format, findings, unread=len(report.unread), copy=seen.copy()
        )

    def _image(self, data: bytes, item: Item) -> Record:
        from presidio_cdip.imaging.page.pages import read_pages

        redaction, analyzer = imaging(), SpanAnalyzer(self.find)
        seen, pages = _Seen(self.prints), []
        for page in read_pages(data, item.name, max_pixels=self.settings.max_pixels):
            found = redaction.find_in_page(page, analyzer, language=self.settings.ocr_language)
            results = [one.result for one in found.findings]
            seen.add(
                found.layout.text,
                [(one.entity_type, one.start, one.end, one.score) for one in results],
            )
            seen.look_at(page.image)
            boxes = [box for one in found.findings for box in found.boxes(one)]
            pages.append(PageRecord(covered_share(boxes, found.size), len(found.unread)))
        unread = sum(page.unread for page in pages)
        return Record(item.dataset, "image", seen.findings, tuple(pages), unread, copy=seen.copy())


class _Seen:
    """The parts of one document read so far."""

    def __init__(self, prints: Fingerprints) -> None:
        self._prints = prints
        self._values: set[tuple[str, tuple[int, ...]]] = set()
        self._words = [np.zeros(0, np.uint64)]
        self._look: int | None = None
        self._pages = 0
        self.findings: Counter[tuple[str, str]] = Counter()

    def add(self, text: str, spans: Sequence[tuple[str, int, int, float | None]]) -> None:
        self._words.append(self._prints.words(text))
        for entity, start, end, score in spans:
            self._values.add((entity, self._prints.value(text[start:end])))
            self.findings[entity, band(score)] += 1

    def look_at(self, page: Any) -> None:
        if not self._pages:
            self._look = difference_hash(np.asarray(page.convert("L")))
        self._pages += 1

    def copy(self) -> Copy:
        words = np.concatenate(self._words)
        signature: Signature | None = minhash(words)
        return Copy(frozenset(self._values), np.unique(words), signature, self._look)
