"""Carry out an audit: read the sources step by step, and build the report."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from presidio_cdip.documents.segments import Settings
from presidio_cdip.entities import ENTITIES, NAMES
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.evaluation import annotators, audit, comparison, similarity, utility
from presidio_cdip.evaluation.before_after import Sides, remaining
from presidio_cdip.evaluation.duplicates import Copy
from presidio_cdip.evaluation.fingerprints import Fingerprints
from presidio_cdip.evaluation.gold import Document, Prediction, Span, read
from presidio_cdip.evaluation.page_models import PageModels
from presidio_cdip.evaluation.reading import Find, Item, Reader
from presidio_cdip.evaluation.records import Record
from presidio_cdip.evaluation.reports import read_reports, read_run
from presidio_cdip.evaluation.risk import SMALLEST_CLASS
from presidio_cdip.evaluation.sections import Audit, Row, Section, Table
from presidio_cdip.evaluation.statistics import wilson
from presidio_cdip.version import __version__

Predict = Callable[[str], Sequence[Prediction]]
"""A tool: returns the findings of a text."""

OURS = "presidio-cdip"


def _nothing() -> None:
    """Do nothing."""


@dataclass
class Inquiry:
    """An audit under way.

    Attributes:
        find: Finds the spans of a text.
        settings: How documents are read.
        found_by: The detectors that look for each entity.
        report: Called with each error that leaves a document or parts of it out, and its name.
        seed: Draws samples.
        k: The size below which a class of equal quasi-identifiers is small.
        models: Models that see pages before and after; None without any.
        collected: What is known of the collection.
        inputs: What was read, in words, for the report.
    """

    find: Find
    settings: Settings
    found_by: Mapping[str, Sequence[str]]
    report: Callable[[Exception, str], object]
    seed: int = 0
    k: int = SMALLEST_CLASS
    models: PageModels | None = None
    collected: audit.Collected = field(default_factory=lambda: audit.Collected(names=list(NAMES)))
    inputs: list[str] = field(default_factory=list)
    _population: Counter[str] = field(default_factory=Counter)
    _copies: dict[str, Copy] = field(default_factory=dict)
    _sides: Sides | None = None
    _lost: int = 0
    _kept: list[Section] = field(default_factory=list)
    _others: dict[str, set[str]] = field(default_factory=dict)
    _comparisons: list[Section] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._reader = Reader(self.find, self.settings, Fingerprints())

    def read_reports(self, files: Sequence[Path]) -> None:
        """Take documents from reports, or the folders of runs; each is a dataset.

        Raises:
            UnreadableInput: One is no report, or an empty one.
        """
        unique = len({file.stem for file in files}) == len(files)
        for file in files:
            name = file.stem if unique else str(file)
            for record in (read_run if file.is_dir() else read_reports)(file, name):
                self.collected.add(record)
            if not self.collected.documents[name]:
                raise UnreadableInput(str(file), "reports no file")
        self.inputs.append(f"{len(files)} {'report' if len(files) == 1 else 'reports'}")

    def sample(self, found: Sequence[Item], size: int) -> list[Item]:
        """Return a simple random sample of documents; the report estimates the rest from it."""
        if size >= len(found):
            return list(found)
        self._population = Counter(item.dataset for item in found)
        chosen = sorted(Random(self.seed).sample(range(len(found)), size))
        self.inputs.append(f"sample of {size:,} of {len(found):,}, seed {self.seed}")
        return [found[number] for number in chosen]

    def read(
        self,
        found: Sequence[Item],
        advance: Callable[[], None] = _nothing,
        keep: bool = False,
    ) -> None:
        """Read documents; one that cannot be read counts as not read, and is reported.

        Args:
            found: The documents.
            advance: Called after each.
            keep: Whether `compare` comes next; these are of one collection, then.
        """
        count = len({item.dataset for item in found})
        self.inputs.append(f"{count} {'collection' if count == 1 else 'collections'}")
        for item in found:
            record = self._record(item)
            if record.unread:
                parts = "part" if record.unread == 1 else "parts"
                what = f"{record.unread} {parts} not read, so not clean"
                self.report(UnreadableInput(item.name, what), item.name)
            self.collected.add(record)
            if keep and record.copy is not None:
                self._copies[item.name] = record.copy
            advance()

    def _record(self, item: Item) -> Record:
        try:
            return self._reader.record(item)
        except UnreadableInput as error:
            self.report(error, item.name)
            self._lost += 1
            return Record(item.dataset, problem=True)

    def compare(
        self,
        before: Sequence[Item],
        after: Mapping[str, Sequence[Item]],
        advance: Callable[[], None] = _nothing,
    ) -> None:
        """Compare documents, which were read, with the redacted ones of the same names.

        Args:
            before: The originals.
            after: The redacted documents of each method.
            advance: Called after each original and each redacted document.

        Raises:
            MissingDependency: scikit-learn is not installed.
        """
        if any(item.label for item in before):
            utility.check_learner()  # before pages are read for hours
        others = {
            method: {item.name: item for item in redacted} for method, redacted in after.items()
        }
        self._sides = Sides(self.settings, self.models)
        self._sides.compare(before, others, self.seed, advance)
        for method, redacted in others.items():
            self._remaining(method, before, redacted, advance)

    def _remaining(
        self,
        method: str,
        before: Sequence[Item],
        after: Mapping[str, Item],
        advance: Callable[[], None],
    ) -> None:
        """Count the values of *before* that remain."""
        left: list[Copy] = []
        values: Counter[str] = Counter()
        documents: Counter[str] = Counter()
        for item in before:
            original, redacted = self._copies.get(item.name), after.get(item.name)
            if original is not None and redacted is not None:
                record = self._record(redacted)
                if record.copy is not None:
                    left.append(remaining(original, record.copy))
                    values.update(entity for entity, _ in left[-1].values)
                    documents.update({entity for entity, _ in left[-1].values})
            advance()
        rows: list[Row] = [[one, documents[one], values[one]] for one in sorted(values)]
        table = Table(
            f"remaining_{method}",
            f"Values that remain after {method}",
            "Different values of a document that are found in it before and after: kept by the "
            "policy, missed, or with a surrogate that is equal by chance.",
            [("entity", "text"), ("documents", "count"), ("values", "count")],
            rows,
        )
        remark = f"{len(left):,} documents by {method} were read before and after."
        risk = audit.risk(left, "", self.k, method)
        parts = [table, *(risk.parts if risk else ())]
        self._kept.append(Section(f"What remains after {method}", parts, [remark]))

    def read_annotators(self, files: Sequence[Path]) -> None:
        """Measure how far annotators agree.

        Raises:
            CdipError: A file cannot be read.
        """
        self._comparisons.append(annotators.section(annotators.read_annotators(files)))
        self.inputs.append(f"{len(files)} annotators")

    def compare_tools(
        self,
        gold: Sequence[Path],
        findings: Mapping[str, Path],
        tools: Mapping[str, Predict],
        labels: Sequence[str] = (),
        advance: Callable[[], None] = _nothing,
    ) -> None:
        """Compare tools on marked documents.

        Args:
            gold: Files of marked documents.
            findings: The findings of other tools, by name.
            tools: Tools that are run, by name; this package's own is always one.
            labels: The entities; empty for all but names.
            advance: Called after each document and tool.

        Raises:
            CdipError: A file cannot be read.
        """
        documents = [document for file in gold for document in read(file)]
        if not documents:
            raise UnreadableInput(str(gold[0]), "has no marked documents")
        found = {OURS: self._run(self._own, documents, advance)}
        found |= {name: self._run(tool, documents, advance) for name, tool in tools.items()}
        for name, file in findings.items():
            found[name] = comparison.read_findings(file, documents)
            self._others[name] = {span.label for spans in found[name] for span in spans}
        labels = labels or list(ENTITIES)
        self._comparisons.append(
            comparison.section(
                comparison.compare(documents, found, labels),
                comparison.overall(documents, found, labels, self.seed),
            )
        )
        self.inputs.append(f"{len(documents):,} marked documents")

    def _own(self, text: str) -> list[Prediction]:
        return [Prediction(one.start, one.end, (one.entity,)) for one in self.find(text)]

    def _run(
        self, tool: Predict, documents: Sequence[Document], advance: Callable[[], None]
    ) -> list[list[Span]]:
        found = []
        for document in documents:
            found.append(tool(document.text))
            advance()
        return comparison.resolved(documents, found)

    def result(self) -> Audit:
        """Return the report.

        Raises:
            MissingDependency: scikit-learn is not installed, and there is something to classify.
        """
        after = [*self._kept]
        if self._sides:
            after = [*self._compared(self._sides), *after]
        elif (found := similarity.section(self.collected.compared)) is not None:
            after = [found]
        sections = [
            *(self._measured() if self.collected.documents else []),
            *after,
            *self._comparisons,
            comparison.support_section(self.found_by, self._supported()),
        ]
        return Audit(self._facts(), self._key_figures(), sections)

    def _measured(self) -> list[Section]:
        of = self.collected
        found = [
            audit.contents(of),
            audit.sampled(of, self._population) if self._population else None,
            audit.areas(of),
            audit.unread(of),
            audit.near_duplicates(of),
            audit.risk(of.copies, "Of the values as they were read.", self.k),
        ]
        return [one for one in found if one is not None]

    def _compared(self, sides: Sides) -> list[Section]:
        found = [similarity.section(sides.compared), utility.section(sides.utility())]
        seen = self.models.section() if self.models else None
        lost = [
            f"{count:,} documents by {method} are missing, or cannot be read before or after."
            for method, count in sides.missing.items()
            if count
        ]
        if found[1] is None:
            lost.append(
                "No classifier was trained: that needs two folders with two documents each, of "
                "page images or of texts, to be told apart."
            )
        if lost:
            found.append(Section("Not compared", (), lost))
        return [one for one in (*found, seen) if one is not None]

    def _supported(self) -> dict[str, set[str]]:
        stock = {one for labels in comparison.STOCK_LABELS.values() for one in labels}
        return {"Presidio": stock, **self._others}

    def _facts(self) -> dict[str, str]:
        return {"presidio-cdip": __version__, "read": ", ".join(self.inputs) or "nothing"}

    def _key_figures(self) -> list[tuple[str, str, str]]:
        of = self.collected
        documents, read_, sensitive = (
            count.total() for count in (of.documents, of.read, of.sensitive)
        )
        if not documents:
            return []
        interval = wilson(sensitive, read_)
        bounds = f"{100 * interval.low:.1f}–{100 * interval.high:.1f} %" if interval else "–"
        share = f"{100 * sensitive / read_:.1f} % of those read; 95 %: {bounds}" if read_ else ""
        pages = f", {of.pages:,} page images" if of.pages else ""  # a run does not tell
        return [
            ("documents", f"{documents:,}", f"{read_:,} read{pages}"),
            ("sensitive", f"{sensitive:,}", share),
            ("values found", f"{of.values.total():,}", f"of {len(of.entities)} entities"),
            (
                "not read, or not whole",
                f"{of.broken.total():,}",
                f"{of.unread_documents.total():,} more with unread parts",
            ),
        ]

    @property
    def whole(self) -> bool:
        """Return whether every document was read whole, and compared where that was asked."""
        lost = self._sides and (
            any(self._sides.missing.values()) or any(self._sides.compared.incomparable.values())
        )
        return not (self.collected.broken.total() or self._lost or lost)
