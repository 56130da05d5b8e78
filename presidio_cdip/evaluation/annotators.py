"""Measure how far annotators who marked the same documents agree."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.evaluation.agreement import cohen, fleiss, krippendorff
from presidio_cdip.evaluation.gold import Document, read
from presidio_cdip.evaluation.sections import Row, Section, Table

ANY = "any entity"

Ratings = list[list[bool | None]]
"""A row an annotator, a column a document: whether it has the entity; None where not judged."""


def read_annotators(files: Sequence[Path]) -> list[dict[str, Document]]:
    """Read a file of marked documents for each annotator, and return its documents by id.

    Raises:
        UnreadableInput: A file cannot be read, or has an id twice.
        UnknownEntity: A mark has an unknown label.
    """
    found = []
    for file in files:
        documents: dict[str, Document] = {}
        for one in read(file):
            if one.id in documents:
                raise UnreadableInput(str(file), "has a document of the same id twice")
            documents[one.id] = one
        found.append(documents)
    return found


def ratings(annotators: Sequence[Mapping[str, Document]], label: str) -> Ratings:
    """Return for each annotator and document whether it has *label*, or any entity."""
    ids = sorted({one for documents in annotators for one in documents})
    return [[_rating(documents.get(one), label) for one in ids] for documents in annotators]


def _rating(document: Document | None, label: str) -> bool | None:
    if document is None:
        return None
    if any(label in (ANY, span.label) for span in document.spans):
        return True
    complete = document.annotated is None if label == ANY else document.judges(label)
    return False if complete else None


def section(annotators: Sequence[Mapping[str, Document]]) -> Section:
    """Return the agreement on documents, by entity."""
    labels = sorted(
        {span.label for documents in annotators for one in documents.values() for span in one.spans}
    )
    table = Table(
        "agreement",
        "Agreement of annotators on documents",
        "Does the document have the entity? Fleiss' kappa (1971), where all judged all documents; "
        "Krippendorff's alpha for nominal data (2011), which allows for gaps; Cohen's kappa "
        "(1960), least and most of all pairs. Larson et al. (EMNLP 2024): Fleiss .918, five "
        "annotators.",
        [
            ("entity", "text"), ("annotators", "count"), ("documents", "count"),
            ("Fleiss' kappa", "number"), ("Krippendorff's alpha", "number"),
            ("Cohen's kappa, least", "number"), ("most", "number"),
        ],
        [_row(label, ratings(annotators, label)) for label in (ANY, *labels)],
    )  # fmt: skip
    return Section("Agreement", [table])


def _row(label: str, given: Ratings) -> Row:
    units = list(zip(*given, strict=True))
    judged = [unit for unit in units if sum(one is not None for one in unit) > 1]
    whole = judged and len(judged) == len(units) and all(None not in unit for unit in units)
    table = [[unit.count(True), unit.count(False)] for unit in units]
    kappas = [value for pair in combinations(given, 2) if (value := _of_pair(*pair)) is not None]
    return [
        label,
        len(given),
        len(judged),
        fleiss(table) if whole else None,
        krippendorff(given),
        min(kappas, default=None),
        max(kappas, default=None),
    ]


def _of_pair(one: Sequence[bool | None], other: Sequence[bool | None]) -> float | None:
    both = [pair for pair in zip(one, other, strict=True) if None not in pair]
    return cohen([a for a, _ in both], [b for _, b in both])
