"""Hold the counts and classes that an audit keeps of one document, without its text."""

from collections import Counter
from dataclasses import dataclass, field

from presidio_cdip.evaluation.duplicates import Copy

BANDS = ("< .2", ".2 – .4", ".4 – .7", ".7 – .9", "≥ .9", "not given")
"""Bands of confidence; .2, .4 and .7 are the presets recall, balanced and precision."""

_BOUNDS = (0.2, 0.4, 0.7, 0.9)


def band(score: float | None) -> str:
    """Return the band of *score*, which has its lower bound.

    >>> band(0.4), band(1), band(None)
    ('.4 – .7', '≥ .9', 'not given')
    """
    if score is None:
        return BANDS[-1]
    return BANDS[sum(score >= bound for bound in _BOUNDS)]


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A page image.

    Attributes:
        covered: The share of the page in the union of its boxes; None where its size is unknown.
        unread: Regions with ink like writing that OCR did not read.
        ssim: Of the page to what it was before redaction, where a report has it.
        descriptor: The cosine of descriptors, likewise.
        method: How its values were replaced, where a report has it; "" where there were none.
    """

    covered: float | None
    unread: int = 0
    ssim: float | None = None
    descriptor: float | None = None
    method: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A document.

    Attributes:
        dataset: The part of the collection that it belongs to.
        kind: ``image``, ``text``, or the format of a document.
        findings: How many, by entity and band of confidence.
        pages: Its page images; of other documents, none.
        unread: Parts or regions that may hold text that nothing read.
        problem: Whether it, or a page of it, was not read or not written at all.
        copy: What compares it with others; None where only a report is known.
    """

    dataset: str
    kind: str = ""
    findings: Counter[tuple[str, str]] = field(default_factory=Counter)
    pages: tuple[PageRecord, ...] = ()
    unread: int = 0
    problem: bool = False
    copy: Copy | None = None

    @property
    def read(self) -> bool:
        """Return whether anything of it was read."""
        return bool(self.kind)

    @property
    def entities(self) -> set[str]:
        """Return the entities found in it."""
        return {entity for entity, _ in self.findings}
