"""Compare tools on marked documents: recall and precision of documents, by entity."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.evaluation.gold import Document, Prediction, Span, parse, rows
from presidio_cdip.evaluation.matching import Tally, document_tally, resolve, span_tally
from presidio_cdip.evaluation.sections import Column, Section, Table
from presidio_cdip.evaluation.sections import Row as Cells
from presidio_cdip.evaluation.statistics import Counted, Interval, bootstrap_f1, f1, wilson

STOCK_LABELS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "US_SSN": ("US_SSN",),
        "AGE": ("AGE",),
        "DATE_TIME": ("DATE_OF_BIRTH", "AGE"),
        "PHONE_NUMBER": ("HOME_PHONE_NUMBER",),
        "LOCATION": ("HOME_ADDRESS", "PLACE_OF_BIRTH"),
        "NRP": ("NATIONALITY", "RELIGION", "POLITICAL_OPINION"),
    }
)
"""Types of Presidio's own recognizers, and which of our entities each may mean."""

STOCK_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **STOCK_LABELS,
        "PERSON": ("PERSON",),
        "ORGANIZATION": ("ORGANIZATION",),
        "LOCATION": ("LOCATION", *STOCK_LABELS["LOCATION"]),
    }
)
"""As `STOCK_LABELS`, where names are scored."""

ALL = "all"
"""The row over all entities: a document counts once for each."""


@dataclass(frozen=True, slots=True)
class Row:
    """The findings of one tool of one entity.

    Attributes:
        tool: Its name.
        entity: The entity, or `ALL`.
        marked: Documents that have the entity.
        hit: Those in which one of its spans was hit.
        recall: Their share; None where no document has it.
        recall_interval: Its Wilson interval.
        flagged: Documents in which it was found, right or wrong, where its marks are complete.
        precision: The share of `flagged` that is right; None where nothing was found.
        precision_interval: Its Wilson interval.
    """

    tool: str
    entity: str
    marked: int
    hit: int
    recall: float | None
    recall_interval: Interval | None
    flagged: int
    precision: float | None
    precision_interval: Interval | None


@dataclass(frozen=True, slots=True)
class Overall:
    """The spans of one tool, all entities together.

    Attributes:
        tool: Its name.
        spans: How many are marked, where the label is complete.
        f1: None where nothing is marked or found.
        interval: By bootstrap over documents.
    """

    tool: str
    spans: int
    f1: float | None
    interval: Interval | None


def compare(
    documents: Sequence[Document],
    found: Mapping[str, Sequence[Sequence[Span]]],
    labels: Sequence[str],
) -> list[Row]:
    """Return the rows of table 2 of Larson et al. (EMNLP 2024), to which precision is added.

    A document is recalled for an entity that it has when one of that entity's spans is hit
    (`matching.hits`), and spurious when it has none and one is found.

    Args:
        documents: Marked ones.
        found: By tool, the spans found in each of *documents*.
        labels: The entities; those that nobody marked or found are left out.
    """
    lines = []
    for label in labels:
        tallies = {tool: _tally(documents, spans, [label]) for tool, spans in found.items()}
        if any(one.gold or one.open_gold or one.spurious for one in tallies.values()):
            lines += [_row(tool, label, tally) for tool, tally in tallies.items()]
    return lines + [
        _row(tool, ALL, _tally(documents, spans, labels)) for tool, spans in found.items()
    ]


def _tally(
    documents: Sequence[Document], found: Sequence[Sequence[Span]], labels: Sequence[str]
) -> Tally:
    return sum(
        (
            document_tally(document, mine, label)
            for document, mine in zip(documents, found, strict=True)
            for label in labels
        ),
        Tally(),
    )


def _row(tool: str, label: str, tally: Tally) -> Row:
    marked, hit = tally.gold + tally.open_gold, tally.hit + tally.open_hit
    flagged = tally.hit + tally.spurious
    return Row(
        tool, label, marked, hit, tally.recall, wilson(hit, marked),
        flagged, tally.precision, wilson(tally.hit, flagged),
    )  # fmt: skip


def overall(
    documents: Sequence[Document],
    found: Mapping[str, Sequence[Sequence[Span]]],
    labels: Sequence[str],
    seed: int = 0,
) -> list[Overall]:
    """Return F1 of spans by tool, with its interval; all tools have the same resamples."""
    lines = []
    for tool, spans in found.items():
        counted = []
        for document, mine in zip(documents, spans, strict=True):
            tally = sum((span_tally(document, mine, label) for label in labels), Tally())
            counted.append(Counted(tally.hit, tally.spurious, tally.gold - tally.hit))
        right, wrong, missed = (sum(column) for column in zip(*counted, strict=True))
        interval = bootstrap_f1(counted, np.random.default_rng(seed))
        lines.append(Overall(tool, right + missed, f1(right, wrong, missed), interval))
    return lines


def resolved(
    documents: Iterable[Document], predictions: Iterable[Iterable[Prediction]]
) -> list[list[Span]]:
    """Give every found span one label: where it may be several, the one that is marked there."""
    return [
        [resolve(one, document.spans) for one in mine]
        for document, mine in zip(documents, predictions, strict=True)
    ]


def read_findings(file: Path, documents: Sequence[Document]) -> list[list[Span]]:
    """Read a tool's findings from JSON Lines with the ids of *documents*; texts are not needed.

    Raises:
        UnknownEntity: A span has an unknown label.
        UnreadableInput: The file cannot be read, lacks one of *documents*, or has another twice.
    """
    found: dict[str, list[Span]] = {}
    for number, row in rows(file):
        try:
            one = parse(row)
        except (KeyError, TypeError, ValueError, AttributeError, AssertionError):
            raise UnreadableInput(str(file), f"line {number} has no id and spans") from None
        if one.id in found:
            raise UnreadableInput(str(file), f"line {number} has an id that came before")
        found[one.id] = list(one.spans)
    lacking = sum(document.id not in found for document in documents)
    if lacking:
        raise UnreadableInput(
            str(file), f"lacks {lacking} of {len(documents)} marked documents; a document without "
            "findings has an empty list of spans"
        )  # fmt: skip
    return [found[document.id] for document in documents]


def support(
    entities: Mapping[str, Sequence[str]], tools: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, tuple[bool, ...]]]:
    """Yield the rows of table 1: an entity, and whether each detector looks for it.

    Args:
        entities: The entities, each with the detectors of this package that look for it: ``rules``,
            ``model``.
        tools: By name of another tool, the entities that it can find.
    """
    others = {name: set(found) for name, found in tools.items()}
    for entity, own in entities.items():
        marks = ["rules" in own, "model" in own, *(entity in found for found in others.values())]
        yield entity, tuple(marks)


def support_section(
    entities: Mapping[str, Sequence[str]], tools: Mapping[str, Iterable[str]]
) -> Section:
    """Return table 1 of Larson et al. (EMNLP 2024); the arguments are those of `support`."""
    columns: list[Column] = [("entity", "text"), ("rules", "mark"), ("model", "mark")]
    columns += [(name, "mark") for name in tools]
    table = Table(
        "table_1",
        "Which detector looks for which entity",
        "As table 1 of Larson et al. (EMNLP 2024). A tick says that there is a detector, not how "
        "well it works. Presidio: its predefined English recognizers, whose types are wider, such "
        "as any date; other tools: entities that their findings name.",
        columns,
        [[entity, *marks] for entity, marks in support(entities, tools)],
    )
    return Section("Detectors", [table])


def section(lines: Sequence[Row], totals: Sequence[Overall]) -> Section:
    """Return table 2 of Larson et al. (EMNLP 2024), and F1 of spans."""
    table_2: list[Cells] = [
        [
            one.entity, one.tool, one.marked, one.recall, one.recall_interval,
            one.flagged, one.precision, one.precision_interval,
        ]
        for one in lines
    ]  # fmt: skip
    f1s: list[Cells] = [[one.tool, one.spans, one.f1, one.interval] for one in totals]
    return Section(
        "Tools on marked documents",
        [
            Table(
                "table_2",
                "Documents found, by entity and tool",
                "As table 2 of Larson et al. (EMNLP 2024), with precision, numbers and 95 % Wilson "
                "intervals. A document counts as found for an entity when one of its spans shares "
                "half of the shorter with a found one. In the paper, recall of SSN was .97 by "
                "Presidio, .70 Azure, .77 Amazon, .93 Google.",
                [
                    ("entity", "text"), ("tool", "text"), ("have it", "count"),
                    ("recall", "share"), ("95 % interval of recall", "interval"),
                    ("flagged", "count"), ("precision", "share"),
                    ("95 % interval of precision", "interval"),
                ],
                table_2,
            ),
            Table(
                "f1",
                "Spans found, all entities",
                "F1 of spans where labels are complete, with the 95 % percentile interval of 1,000 "
                "resamples of the documents (Efron 1979).",
                [
                    ("tool", "text"), ("marked spans", "count"), ("F1", "share"),
                    ("95 % interval", "interval"),
                ],
                f1s,
            ),
        ],
    )  # fmt: skip
