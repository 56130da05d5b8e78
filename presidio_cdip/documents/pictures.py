"""Find and replace in the pictures of a document, by the pipeline of page images."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Any

from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.rewriting import Find, Found, Picture, why
from presidio_cdip.documents.segments import Box, Embedded, Note, Place, Settings
from presidio_cdip.errors import MissingDependency
from presidio_cdip.imaging.page.metadata import without_metadata
from presidio_cdip.recognition.spans import Span

UNREAD = "writing that OCR did not read"
DRAWN = "drawn by a person"

Areas = Callable[[Embedded, int, tuple[int, int]], Sequence[tuple[str, Box]]]
"""From a picture, the page and size to what was drawn there: entities and boxes."""


@dataclass(slots=True)
class _Explanation:
    recognizer: str
    textual_explanation: str


@dataclass(slots=True)
class _Result:
    """A finding, with the names that the pipeline of page images knows from Presidio."""

    entity_type: str
    start: int
    end: int
    score: float
    analysis_explanation: _Explanation


class SpanAnalyzer:
    """A finder, with the method that the pipeline of page images calls."""

    def __init__(self, find: Find, replacement: Replacement | None = None) -> None:
        self._find = find
        self._replacement = replacement

    def analyze(
        self,
        text: str,
        language: str,
        entities: list[str] | None = None,
        *,
        score_threshold: float | None = None,
        return_decision_process: bool | None = None,
    ) -> Sequence[Any]:
        """Return the findings in *text*, without those that the policy keeps."""
        kept = self._replacement.kept if self._replacement else lambda entity: False
        return [_result(span) for span in self._find(text) if not kept(span.entity)]


def _result(span: Span) -> _Result:
    explanation = _Explanation("CdipRecognizer", why(span))
    return _Result(span.entity, span.start, span.end, span.score, explanation)


def redactor(
    find: Find,
    settings: Settings,
    replacement: Replacement | None = None,
    areas: Areas = lambda picture, page, size: (),
) -> Callable[[Embedded, bool], Picture]:
    """Return a function that redacts pictures.

    Args:
        find: Finds values in text.
        settings: Method, language of OCR, and limits.
        replacement: What findings become; None where nothing is replaced.
        areas: What is to be filled, whatever stands there.
    """

    def to_fill(picture: Embedded, page: Any) -> list[Any]:
        from presidio_cdip.imaging import words

        drawn = areas(picture, page.index, page.image.size)
        return [words.Box(*map(round, box)) for _, box in drawn]

    def redact(one: Embedded, change: bool) -> Picture:
        redaction = imaging()
        name = one.name
        analyzer = SpanAnalyzer(find, replacement)
        if not change:
            pages = list(
                redaction.find_in_pages(
                    one.data, name, analyzer, language=settings.ocr_language,
                    max_pixels=settings.max_pixels,
                )
            )  # fmt: skip
            found = [
                _found(result.result, page.index, page.boxes(result))
                for page in pages
                for result in page.findings
            ]
            unread = [_unread(page) for page in pages if page.unread]
            return Picture(one.data, found, unread, pages)
        options = redaction_options(settings, replacement)
        out = io.BytesIO()
        done = redaction.redact_picture(
            one.data, name, out, analyzer, options, language=settings.ocr_language,
            max_pixels=settings.max_pixels, areas=lambda page: to_fill(one, page),
        )  # fmt: skip
        found = [
            _found(result.result, page.index, report.boxes, report.method, report.plainest)
            for page, report_of_page in zip(done.found, done.pages, strict=True)
            for result, report in zip(page.findings, report_of_page.treated, strict=True)
        ]
        found += [
            Found(entity, Place("picture", page.index), 0, 0, 1.0, DRAWN, "erased", (box,))
            for page in done.found
            for entity, box in areas(one, page.index, page.size)
        ]
        changed = any(page.treated for page in done.pages) or any(page.areas for page in done.found)
        kept = None if changed else without_metadata(one.data)
        unread = [_unread(page) for page in done.pages if page.unread]
        return Picture(out.getvalue() if kept is None else kept, found, unread, done.found)

    return redact


def redaction_options(settings: Settings, replacement: Replacement | None) -> Any:
    """Return the options of the pipeline of page images, as its own type.

    Raises:
        FontsMissing: The folder of typefaces cannot be used.
        MissingDependency: The noise needs an extra that is not installed.
    """
    redaction = imaging()
    painting = settings.method == redaction.SURROGATE
    options = redaction.RedactionOptions(
        settings.method,
        replacement if painting else None,
        settings.noise,
        verify=settings.verify,
        similarity=settings.similarity,
    )
    return replace(options, faces=settings.faces) if settings.faces else options


def imaging() -> ModuleType:
    """Import the pipeline of page images.

    Raises:
        MissingDependency: The extra for images is not installed.
    """
    try:
        return import_module("presidio_cdip.imaging.redaction")
    except ImportError as error:
        raise MissingDependency(
            f"the Python package {error.name}, which pictures and scanned pages need,",
            'pip install "presidio-cdip[image]"',
        ) from None


def _found(
    result: Any, page: int, boxes: Sequence[Any], operator: str = "", plainest: bool = False
) -> Found:
    explanation = result.analysis_explanation.textual_explanation or ""
    edges = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in boxes)
    return Found(
        result.entity_type, Place("picture", page), result.start, result.end, result.score,
        explanation, operator, edges, plainest,
    )  # fmt: skip


def _unread(page: Any) -> Note:
    return Note(Place("picture", page.index), UNREAD)
