"""Score found spans against marked ones, as `benchmarks/quality.py` does."""

from collections.abc import Sequence
from typing import TypedDict

from benchmarks import quality
from presidio_cdip.entities import ENTITIES
from presidio_cdip.recognition.spans import Span
from training.corpus import Document


class Scores(TypedDict):
    """Hold micro averages; ``spurious`` is spans per 10,000 characters of unmarked documents."""

    precision: float
    recall: float
    f1: float
    character_f1: float
    document_f1: float
    spurious: float


def judged(document: Document) -> quality.Document:
    """Convert *document* to the benchmark's type."""
    return quality.Document(
        document.id, document.text, tuple(quality.Span(*span) for span in document.spans)
    )


def right(document: Document, spans: Sequence[Span]) -> list[bool]:
    """Return for each of *spans* whether it hits a mark of *document*."""
    found = [quality.Span(one.start, one.end, one.entity) for one in spans]
    hits = {pair[1] for pair in quality.match(judged(document).spans, found)}
    return [one in hits for one in found]


def scores(
    documents: Sequence[Document],
    found: Sequence[Sequence[Span]],
    labels: Sequence[str] = tuple(ENTITIES),
) -> Scores:
    """Score *found* (one list per document) over *labels* together."""
    score = quality.score(
        [judged(document) for document in documents],
        [[quality.Span(one.start, one.end, one.entity) for one in spans] for spans in found],
        labels,
    )
    return Scores(
        precision=_rounded(score.spans.precision),
        recall=_rounded(score.spans.recall),
        f1=_rounded(score.spans.f1),
        character_f1=_rounded(score.characters.f1),
        document_f1=_rounded(score.documents.f1),
        spurious=_rounded(score.spurious_per_10k),
    )


def _rounded(value: float | None) -> float:
    return round(value or 0.0, 4)
