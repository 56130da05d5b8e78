"""Collect the records of documents, one after another, and summarize a collection.

Of a document only numbers stay in memory, and what compares it with others (about two kilobytes),
so that a collection of any size can be streamed through.
"""

from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from presidio_cdip.evaluation.duplicates import Copy, betrayed, pairs
from presidio_cdip.evaluation.records import BANDS, Record
from presidio_cdip.evaluation.risk import SMALLEST_CLASS, linkage
from presidio_cdip.evaluation.sections import (
    SHARE,
    Bars,
    Column,
    Figure,
    Histogram,
    Row,
    Section,
    Table,
)
from presidio_cdip.evaluation.similarity import Compared, Near
from presidio_cdip.evaluation.statistics import prevalence, wilson

TOGETHER = "together"
"""The row over all datasets."""

AREAS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Edges of the classes of redacted area, as shares of the page."""


@dataclass
class Collected:
    """The records of a collection.

    Attributes:
        names: Entities that are names, which alone make no document sensitive.
        documents: How many there are, by dataset.
        read: How many of them were read.
        broken: How many were not, or not whole.
        sensitive: How many of those read hold an entity that is no name.
        with_entity: How many hold an entity, by dataset and entity.
        values: How many values were found, by entity and band of confidence.
        kinds: How many documents of each format were read.
        pages: How many page images were read.
        areas: The covered shares of the pages with findings.
        unread_documents: Documents with parts that nothing read.
        unread_pages: Page images with such regions.
        unread_regions: Their regions, and parts of documents.
        copies: What compares documents with each other.
        compared: Pages before and after redaction, where reports have that.
    """

    names: Collection[str] = ()
    documents: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    sensitive: Counter[str] = field(default_factory=Counter)
    with_entity: Counter[tuple[str, str]] = field(default_factory=Counter)
    values: Counter[tuple[str, str]] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    areas: "array[float]" = field(default_factory=lambda: array("d"))
    unread_documents: Counter[str] = field(default_factory=Counter)
    unread_pages: Counter[str] = field(default_factory=Counter)
    unread_regions: Counter[str] = field(default_factory=Counter)
    copies: list[Copy] = field(default_factory=list)
    compared: Compared = field(default_factory=Compared)

    def add(self, record: Record) -> None:
        """Add a document."""
        name = record.dataset
        self.documents[name] += 1
        self.broken[name] += record.problem
        if not record.read:
            return
        self.read[name] += 1
        self.kinds[record.kind] += 1
        self.sensitive[name] += not record.entities <= set(self.names)
        self.with_entity.update((name, entity) for entity in record.entities)
        self.values.update(record.findings)
        self.pages += len(record.pages)
        self.areas.extend(page.covered for page in record.pages if page.covered)
        self.unread_documents[name] += record.unread > 0
        self.unread_pages[name] += sum(page.unread > 0 for page in record.pages)
        self.unread_regions[name] += record.unread
        if record.copy is not None:
            self.copies.append(record.copy)
        for page in record.pages:
            if page.method and None not in (page.covered, page.ssim, page.descriptor):
                near = Near("", page.covered or 0, page.ssim or 0, page.descriptor or 0)
                self.compared.pages.setdefault(page.method, []).append(near)

    @property
    def entities(self) -> list[str]:
        """Return the entities that were found, those in most documents first."""
        counts: Counter[str] = Counter()
        for (_, entity), count in self.with_entity.items():
            counts[entity] += count
        return sorted(counts, key=lambda entity: (-counts[entity], entity))


def contents(of: Collected) -> Section:
    """Return the findings: table 3 by dataset, counts by confidence, the share of documents."""
    remarks = []
    if broken := of.broken.total():
        remarks.append(
            f"{broken:,} of {of.documents.total():,} documents were not read, or not whole: they "
            "may hold anything. Shares are of documents that were read."
        )
    return Section("What the collection holds", (*_contents(of),), remarks)


def _contents(of: Collected) -> Iterator[Table | Figure]:
    yield _table_3(of)
    datasets = sorted(of.read)
    yield Figure(
        "sensitive_share",
        "Share of sensitive documents by dataset",
        "Documents with at least one entity that is no name, of those read; the line is the 95 % "
        "Wilson interval.",
        Bars(
            {name: of.sensitive[name] / of.read[name] for name in datasets},
            "share of documents read",
            {name: _interval(of.sensitive[name], of.read[name]) for name in datasets},
            percent=True,
        ),
    )
    yield Figure(
        "documents_by_entity",
        "Documents with each entity",
        "A document counts once for each entity that was found in it.",
        Bars(
            {one: sum(of.with_entity[name, one] for name in datasets) for one in of.entities},
            "documents",
        ),
    )
    yield Table(
        "values_by_confidence",
        "Values by entity and confidence",
        "Every value that was found, by the confidence of the finding. Reports of texts and page "
        "images give none.",
        [("entity", "text"), *((one, "count") for one in BANDS), ("all", "count")],
        [_by_confidence(of, entity) for entity in of.entities],
    )
    yield Table(
        "kinds",
        "Documents by format",
        "As they were read.",
        [("format", "text"), ("documents", "count")],
        [[kind, count] for kind, count in of.kinds.most_common()],
    )


def _by_confidence(of: Collected, entity: str) -> Row:
    counts = [of.values[entity, one] for one in BANDS]
    return [entity, *counts, sum(counts)]


def _table_3(of: Collected) -> Table:
    datasets = sorted(of.documents)
    groups = [[name] for name in datasets]
    names = list(datasets)
    if len(datasets) > 1:
        groups, names = [datasets, *groups], [TOGETHER, *names]
    columns: list[Column] = [("", "text")]
    for name in names:
        columns += [(name, "count"), (f"{name}{SHARE}", "share")]
    columns.insert(3, ("95 % interval", "interval"))

    def row(title: str, counts: Counter[str], share: bool = True) -> Row:
        cells: Row = [title]
        for group in groups:
            part, whole = (sum(count[name] for name in group) for count in (counts, of.read))
            cells += [part, part / whole if whole and share else None]
            if len(cells) == 3:  # of all together, or of the only one
                cells.append(wilson(part, whole) if share else None)
        return cells

    def with_entity(entity: str) -> Counter[str]:
        return Counter({name: of.with_entity[name, entity] for name in datasets})

    return Table(
        "table_3",
        "Documents with each entity, by dataset",
        "As table 3 of Larson et al. (EMNLP 2024): documents in which an entity was found, and "
        "their share of the documents that were read; 95 % Wilson interval of the first share. "
        "Sensitive: with an entity that is no name.",
        columns,
        [
            row("documents", of.documents, share=False),
            row("read", of.read, share=False),
            row("sensitive", of.sensitive),
            *(row(entity, with_entity(entity)) for entity in of.entities),
        ],
    )


def _interval(part: int, whole: int) -> Sequence[float]:
    return wilson(part, whole) or (0.0, 1.0)


def areas(of: Collected) -> Section | None:
    """Return figure 3: the share of page area in boxes of findings."""
    if not of.areas:
        return None
    shares = list(of.areas)
    below = sum(share < 0.02 for share in shares)
    figure = Figure(
        "figure_3",
        "Area of findings on pages",
        "As figure 3 of Larson et al. (EMNLP 2024): area of the union of a page's boxes over the "
        f"page, of page images with findings. Median {_percent(median(shares))}. The classes are "
        "not equally wide.",
        Histogram(
            AREAS, {"pages": in_classes(shares, AREAS)}, "share of the page", "pages", percent=True
        ),
    )
    remark = f"{below:,} of {len(shares):,} pages with findings have less than 2 % of their area "
    remark += f"in boxes; {of.pages:,} pages were read."
    return Section("Area of findings", [figure], [remark])


def in_classes(values: Sequence[float], edges: Sequence[float]) -> list[int]:
    """Count *values* between *edges*; a class has its lower edge, the last one both.

    >>> in_classes([0.0, 0.5, 1.0], (0, 0.5, 1))
    [1, 2]
    """
    counts = [0] * (len(edges) - 1)
    for value in values:
        place = sum(value >= edge for edge in edges) - 1
        counts[min(max(place, 0), len(counts) - 1)] += 1
    return counts


def sampled(of: Collected, population: Mapping[str, int]) -> Section:
    """Return the estimates of a simple random sample of the documents of each dataset.

    Args:
        of: What is known of the sample.
        population: The number of documents of the whole collection, by dataset. The sample was
            drawn from all of them together.
    """
    size, read = sum(population.values()), of.read.total()
    rows: list[Row] = []
    counts = {"sensitive": of.sensitive.total()}
    counts |= {
        entity: sum(of.with_entity[name, entity] for name in of.read) for entity in of.entities
    }
    for entity, count in counts.items():
        if estimate := prevalence(count, read, size):
            low, high = estimate.documents
            interval = estimate.interval
            rows.append([entity, count, estimate.share, interval, f"{low:,} – {high:,}"])
    table = Table(
        "prevalence",
        "Estimated prevalence",
        "Share of all documents, and how many that are, with 95 % Wilson intervals under the "
        "finite population correction (Wilson 1927; Cochran 1977). What was missed in the sample "
        "is not estimated.",
        [
            ("entity", "text"), ("in sample", "count"), ("share", "share"),
            ("95 % interval", "interval"), ("documents in all", "text"),
        ],
        rows,
    )  # fmt: skip
    remark = f"A simple random sample of {of.documents.total():,} of {size:,} documents was read."
    if lost := of.documents.total() - read:
        remark += f" {lost:,} of it could not be read; if they differ, the estimates are off."
    return Section("Prevalence", [table], [remark])


def near_duplicates(of: Collected) -> Section | None:
    """Return the number of near-duplicate documents, and the misses that they betray."""
    if not of.copies:
        return None
    near = pairs(of.copies)
    found = betrayed(of.copies, near)
    involved = len({one for pair in near for one in pair})
    table = Table(
        "suspected_misses",
        "Suspected misses between near-duplicates",
        "Values found in one copy and not in another. Unfound: all their words stand in the other "
        "copy, so they were probably missed there. Absent: the copies differ there, or OCR misread "
        "one. Near-duplicates: MinHash of word triples (Broder 1997) of .8 or more; or difference "
        "hashes of the first page within 3 bits, and .5.",
        [("entity", "text"), ("unfound", "count"), ("absent", "count")],
        [[entity, one.missed, one.absent] for entity, one in found.items()],
    )
    remark = f"{involved:,} of {len(of.copies):,} documents are near-duplicates of another, in "
    remark += f"{len(near):,} {'pair' if len(near) == 1 else 'pairs'}."
    return Section("Near-duplicates", [table] if found else [], [remark])


def unread(of: Collected) -> Section:
    """Return where writing was seen that nothing read, and what was not read at all."""
    rows: list[Row] = [
        [
            name,
            of.documents[name],
            of.documents[name] - of.read[name],
            *(
                counts[name]
                for counts in (
                    of.broken,
                    of.unread_documents,
                    of.unread_pages,
                    of.unread_regions,
                )
            ),
        ]
        for name in sorted(of.documents)
    ]
    table = Table(
        "unread",
        "What was not read",
        "Handwriting, signatures, stamps, pictures in documents, pages and files that could not be "
        "opened. Nothing in them was found, and nothing replaced; they are not clean.",
        [
            ("dataset", "text"), ("documents", "count"), ("not read at all", "count"),
            ("not read, or not whole", "count"), ("with unread parts", "count"),
            ("page images with unread ink", "count"), ("regions and parts", "count"),
        ],
        rows,
    )  # fmt: skip
    return Section("Unread", [table])


def risk(
    of: Sequence[Copy], what: str, k: int = SMALLEST_CLASS, method: str = ""
) -> Section | None:
    """Return how far the values in documents tell them apart.

    Args:
        of: The documents, with the values that remain in them.
        what: Says which values these are.
        k: The size below which a class is small.
        method: The redaction after which they remain; "" for a collection as it is.
    """
    found = linkage((copy.values for copy in of), k)
    if not found.documents:
        return None
    table = Table(
        f"linkage_risk_{method}" if method else "linkage_risk",
        f"Linkage risk after {method}" if method else "Linkage risk",
        "Documents with equal values of the quasi-identifiers (birth date and place, age, gender, "
        "marital status, address, nationality, origin, religion) form a class; the prosecutor risk "
        "of a document is 1 / size of its class, as in ARX (El Emam and Dankar 2008).",
        [("figure", "text"), ("value", "text")],
        [
            ["documents with quasi-identifiers", f"{found.documents:,}"],
            ["classes", f"{found.classes:,}"],
            ["size of the smallest class", f"{found.smallest or '–'}"],
            ["documents alone in their class", f"{found.unique:,}"],
            [f"documents in classes smaller than {k}", f"{found.small:,}"],
            ["highest risk", "–" if found.highest is None else f"{found.highest:.3f}"],
            ["average risk", "–" if found.average is None else f"{found.average:.3f}"],
        ],
    )
    return Section(table.title, [table], [what])


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
