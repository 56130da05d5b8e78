"""Measure how well predictors find the 18 entities, or names, in annotated documents.

    python -m benchmarks.quality presidio-cdip,presidio ../shared/data/example_pages.jsonl

Each PREDICTOR of the comma-separated list is one of

* ``presidio-cdip``: `presidio_cdip.analyzer`, rules and model together.
* ``rules``, ``model``: one of the two alone.
* ``presidio``: the English recognizers Presidio loads by default, with the spaCy model
  en_core_web_lg or en_core_web_sm if it is installed, else with the blank pipeline of
  presidio-cdip, which tags no names, places or nationalities. Each of its types counts as any of
  our entities that fits: US_SSN as US_SSN, AGE as AGE, DATE_TIME as DATE_OF_BIRTH or AGE,
  PHONE_NUMBER as HOME_PHONE_NUMBER, LOCATION as HOME_ADDRESS or PLACE_OF_BIRTH, NRP as
  NATIONALITY, RELIGION or POLITICAL_OPINION. Its other types (PERSON, URL, ...) are not counted.
* ``module:function``: a callable from text to a list of ``(start, end, label)``; as ``python -m``
  puts the current folder on the path, the module may lie there.

SETS are JSON Lines files in the format of the annotation guidelines; all are scored together.

* A found span **hits** a marked one that has its label and shares with it at least half of the
  shorter of the two. Each span is matched once, the largest overlaps first.
* A found span that may be one of several labels takes the label of the marked span it overlaps
  most; if it overlaps none, it counts against the first.
* A **document** counts as found for an entity it has when one of that entity's spans is hit, and
  as spurious when it has none and one is found.
* **spur/10k** counts the spans found in 10,000 characters of documents without any mark.
* ``annotated`` is honoured: a label that is not complete in a document can be hit or missed
  there, but other found spans of the label are neither right nor wrong ("unjudged"). Precision and
  F1 use complete labels only, recall uses all.

The total row sums the counts of all rows (micro average).

``--intervals`` adds to the total's P, R and F1 the 95 % interval of 1,000 resamples of the
documents with replacement (percentile bootstrap, seed 0); all predictors have the same resamples.

``--schemes`` prints one more table, with the figures used in published work;
`presidio_cdip/evaluation/schemes.py` defines them.

``--labels names`` scores PERSON, ORGANIZATION and LOCATION in place of the 18 entities. Names can
be found by presidio-cdip, by presidio (under its own types) and by a callable. Score them on sets
in which they are marked: if ``annotated`` is absent, every name without a mark is spurious.
"""

import json
import os
import platform
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click
import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from presidio_cdip.entities import ENTITIES, LABELS, NAMES, known
from presidio_cdip.evaluation.comparison import STOCK_LABELS, STOCK_NAMES
from presidio_cdip.evaluation.gold import Document, Prediction, Span, parse, read
from presidio_cdip.evaluation.matching import (
    Tally,
    differences,
    document_tally,
    hits,
    match,
    of_label,
    overlap,
    ratio,
    resolve,
    span_tally,
    tally,
)
from presidio_cdip.presidio.stock import OFFLINE, spacy_model, stock_engine

if TYPE_CHECKING:
    from presidio_cdip.evaluation.schemes import Figures

__all__ = [
    "Document", "Prediction", "Span", "Tally", "differences", "hits", "match", "overlap", "parse",
    "ratio", "read", "resolve",
]  # fmt: skip

TOTAL = "total"

RESAMPLES, SEED = 1_000, 0


@dataclass(frozen=True, slots=True)
class Predictor:
    """Describe a predictor of the comparison.

    Attributes:
        note: How it was set up, for the reader of the report.
    """

    name: str
    note: str
    predict: Callable[[str], list[Prediction]]


# --- metrics ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Score:
    """Hold the figures of one row of the table.

    Attributes:
        clean: Characters of the documents without any mark that judge one of the row's labels.
        spurious: Spans of judged labels found in documents without any mark.
        unjudged: Found spans that are neither right nor wrong.
    """

    spans: Tally
    characters: Tally
    documents: Tally
    clean: int
    spurious: int
    unjudged: int

    @property
    def spurious_per_10k(self) -> float | None:
        """Return the spurious spans per 10,000 characters; None without documents to count in."""
        return ratio(10_000 * self.spurious, self.clean)


def character_tally(document: Document, found: Iterable[Span], label: str) -> Tally:
    """Count the characters in spans."""
    gold, mine = characters(document.spans, label), characters(found, label)
    return tally(document.judges(label), len(gold), len(gold & mine), len(mine - gold))


def characters(spans: Iterable[Span], label: str) -> set[int]:
    """Return the offsets of the characters in spans of *label*."""
    return set(chain.from_iterable(range(s.start, s.end) for s in of_label(spans, label)))


def score(
    documents: Sequence[Document], found: Sequence[Sequence[Span]], labels: Sequence[str]
) -> Score:
    """Score *found* (one list per document) over *labels* together."""
    spans = characters_ = by_document = Tally()
    spurious = unjudged = 0
    for document, mine in zip(documents, found, strict=True):
        for label in labels:
            counts = span_tally(document, mine, label)
            spans += counts
            characters_ += character_tally(document, mine, label)
            by_document += document_tally(document, mine, label)
            spurious += 0 if document.marked(labels) else counts.spurious
            unjudged += 0 if document.judges(label) else len(differences(document, mine, label)[1])
    return Score(
        spans, characters_, by_document, clean_characters(documents, labels), spurious, unjudged
    )


def clean_characters(documents: Iterable[Document], labels: Iterable[str]) -> int:
    """Count the characters of documents that have no mark and judge one of *labels*."""
    labels = tuple(labels)
    return sum(
        len(document.text)
        for document in documents
        if not document.marked(labels) and any(map(document.judges, labels))
    )


SHARES: Mapping[str, Callable[[Tally], float | None]] = {
    "P": lambda tally: tally.precision,
    "R": lambda tally: tally.recall,
    "F1": lambda tally: tally.f1,
}

Interval = tuple[float, float]


def intervals(tallies: Iterable[Tally], draw: np.random.Generator) -> dict[str, Interval | None]:
    """Compute the 95 % interval of each of `SHARES` by bootstrap over documents.

    Args:
        tallies: The counts of each document.
        draw: Draws the resamples.

    Returns:
        Lower and upper bound by name; None where no resample has the share.
    """
    counts = np.array([astuple(one) for one in tallies])
    if not len(counts):
        return dict.fromkeys(SHARES)
    times = draw.multinomial(len(counts), [1 / len(counts)] * len(counts), size=RESAMPLES)
    sums = [Tally(*map(int, row)) for row in times @ counts]
    return {name: middle([share(one) for one in sums]) for name, share in SHARES.items()}


def middle(values: Iterable[float | None]) -> Interval | None:
    """Return the 2.5th and the 97.5th percentile of the values that are not None, if any."""
    some = [value for value in values if value is not None]
    if not some:
        return None
    lower, upper = np.percentile(some, [2.5, 97.5])
    return float(lower), float(upper)


def total_tallies(
    documents: Sequence[Document], found: Sequence[Sequence[Span]], labels: Sequence[str]
) -> list[Tally]:
    """Return the counts of spans of all *labels* together, by document."""
    return [
        sum((span_tally(document, mine, label) for label in labels), Tally())
        for document, mine in zip(documents, found, strict=True)
    ]


# --- documents and predictors -------------------------------------------------------------------


def stock(min_score: float | None, names: bool = False) -> Predictor:
    """Return stock Presidio, with each of its types read as any label that it may mean."""
    model = spacy_model()
    types = STOCK_NAMES if names else STOCK_LABELS
    engine = stock_engine(model)

    def predict(text: str) -> list[Prediction]:
        results = engine.analyze(text=text, language="en", score_threshold=min_score)
        return [
            Prediction(result.start, result.end, types[result.entity_type])
            for result in results
            if result.entity_type in types
        ]

    lacks = "PERSON, LOCATION" if names else "LOCATION"
    blank = f"blank spaCy pipeline (no NER: no {lacks}, NRP or AGE)"
    return Predictor("presidio", blank if model == OFFLINE else f"spaCy {model}", predict)


def ours(min_score: float | None, names: bool = False) -> Predictor:
    """Return the predictor of this project: rules and model."""
    import presidio_cdip

    engine = presidio_cdip.analyzer(names=names, min_score=min_score)

    def predict(text: str) -> list[Prediction]:
        results = engine.analyze(text=text, language="en")
        return [Prediction(r.start, r.end, known([r.entity_type], LABELS)) for r in results]

    call = "presidio_cdip.analyzer(names=True)" if names else "presidio_cdip.analyzer()"
    return Predictor("presidio-cdip", call, predict)


def one_of_ours(name: str, min_score: float | None) -> Predictor:
    """Return the rules or the model alone."""
    from presidio_cdip.pack.pack import Pack
    from presidio_cdip.recognition.finder import Finder, model_at, rules

    pack = Pack.shipped()
    by_rules = name == "rules"
    finder = (
        Finder(rules=rules(pack), pack=pack) if by_rules else Finder(model=model_at(), pack=pack)
    )

    def predict(text: str) -> list[Prediction]:
        spans = [span for span in finder.find(text) if span.score >= (min_score or 0)]
        return [Prediction(one.start, one.end, (one.entity,)) for one in spans]

    return Predictor(name, f"the {name} of presidio-cdip alone", predict)


def from_module(path: str) -> Predictor:
    """Import the callable that ``module:function`` names."""
    module, _, function = path.partition(":")
    find: Callable[[str], Iterable[tuple[int, int, str]]] = getattr(import_module(module), function)

    def predict(text: str) -> list[Prediction]:
        return [Prediction(start, end, known([label], LABELS)) for start, end, label in find(text)]

    return Predictor(path, "gives no scores: --min-score does not apply", predict)


def load(name: str, min_score: float | None, names: bool = False) -> Predictor:
    """Load the predictor called *name*; it also finds names if *names* is true.

    Raises:
        click.BadParameter: The predictor does not exist, or it finds no names.
    """
    if name == "presidio-cdip":
        return ours(min_score, names)
    if name in ("rules", "model"):
        if names:
            raise click.BadParameter(f"{name} alone finds no names; name presidio-cdip")
        return one_of_ours(name, min_score)
    if name == "presidio":
        return stock(min_score, names)
    if ":" in name:
        return from_module(name)
    raise click.BadParameter(
        f"{name!r} is not presidio-cdip, rules, model, presidio or module:function"
    )


def find_all(predictor: Predictor, documents: Iterable[Document]) -> list[list[Span]]:
    """Run *predictor* on each document, and give every span one label."""
    return [
        [resolve(prediction, document.spans) for prediction in predictor.predict(document.text)]
        for document in documents
    ]


# --- report -------------------------------------------------------------------------------------

METRICS: Mapping[str, Callable[[Score], float | None]] = {
    "P": lambda score: score.spans.precision,
    "R": lambda score: score.spans.recall,
    "F1": lambda score: score.spans.f1,
    "char F1": lambda score: score.characters.f1,
    "doc R": lambda score: score.documents.recall,
    "doc F1": lambda score: score.documents.f1,
    "spur/10k": lambda score: score.spurious_per_10k,
    "unjudged": lambda score: score.unjudged,
}

Scores = Mapping[str, Mapping[str, Score]]
"""Of each predictor, of each entity and of the total."""

Bounds = Mapping[str, Mapping[str, Interval | None]]
"""Of each predictor, the intervals of the total's shares."""

ByScheme: TypeAlias = "Mapping[str, Mapping[str, Mapping[str, Figures]]]"
"""Of each predictor, of each scheme, of each average and group."""


def header() -> dict[str, str]:
    """Return date, machine and versions of the measurement."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{os.cpu_count()} cores, {cpu()}",
        "versions": ", ".join(
            [f"python {platform.python_version()}"]
            + [f"{name} {installed(name)}" for name in ("presidio-analyzer", "presidio-cdip")]
        ),
        "command": shlex.join(["python", *sys.orig_argv[1:]]),
    }


def cpu() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def installed(distribution: str) -> str:
    """Return the installed version of a package."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "(not installed)"


def letters(names: Iterable[str]) -> dict[str, str]:
    """Return a letter for each predictor, for headings."""
    return {name: chr(ord("A") + index) for index, name in enumerate(names)}


def headings(scores: Scores) -> list[str]:
    """Return the headings; under each metric, the predictors stand side by side."""
    return ["entity", "spans", "docs", *side_by_side(METRICS, scores)]


def side_by_side(metrics: Iterable[str], names: Collection[str]) -> list[str]:
    """Return a heading per metric and predictor, with the predictor's letter if there are two."""
    marks = letters(names) if len(names) > 1 else dict.fromkeys(names, "")
    return [f"{metric} {marks[name]}".strip() for metric in metrics for name in names]


def rows(scores: Scores, bounds: Bounds | None = None) -> list[list[str]]:
    """Return the cells of the table: a row per entity, then the total, with *bounds* if given."""
    first = next(iter(scores.values()))
    return [
        [
            label,
            str(score.spans.gold + score.spans.open_gold),
            str(score.documents.gold + score.documents.open_gold),
            *(
                cell(METRICS[metric](scores[name][label]))
                + (bracketed(bounds[name].get(metric)) if bounds and label == TOTAL else "")
                for metric in METRICS
                for name in scores
            ),
        ]
        for label, score in first.items()
    ]


def bracketed(interval: Interval | None) -> str:
    """Format *interval* for the place behind its share; an empty string if it is None."""
    return f" ({interval[0]:.2f}-{interval[1]:.2f})" if interval else ""


def scheme_headings(names: Collection[str]) -> list[str]:
    """Return the headings of the table of schemes."""
    from presidio_cdip.evaluation.schemes import OUTCOMES

    return ["scheme", *side_by_side([*OUTCOMES, "P", "R", "F1"], names)]


def scheme_rows(figures: ByScheme) -> list[list[str]]:
    """Return the cells of the table of schemes: a row per scheme and average or group.

    A group that only some predictors find and nobody marks has a dash for the others.
    """
    keys = dict.fromkeys(
        (scheme, over) for table in figures.values() for scheme in table for over in table[scheme]
    )
    lines = []
    for scheme, over in keys:
        each = [scheme_values(table[scheme].get(over)) for table in figures.values()]
        lines.append(
            [
                f"{scheme}, {over}",
                *(cell(value) for column in zip(*each, strict=True) for value in column),
            ]
        )
    return lines


def scheme_values(row: "Figures | None") -> list[float | None]:
    """Return the values of *row* in the order of the headings."""
    from presidio_cdip.evaluation.schemes import OUTCOMES

    if row is None:
        return [None] * (len(OUTCOMES) + 3)
    counts = [row.counts[outcome] if row.counts else None for outcome in OUTCOMES]
    return [*counts, row.precision, row.recall, row.f1]


def cell(value: float | None) -> str:
    """Format a share with two decimals, a count as an integer, None as a dash."""
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def print_table(columns: Sequence[str], cells: Iterable[Sequence[str]]) -> None:
    """Print the table for a terminal, at its full width."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", no_wrap=True)
    for row in cells:
        table.add_row(*row, style="bold" if row[0] == TOTAL else None)
    width = Measurement.get(wide := Console(width=1_000), wide.options, table).maximum
    Console(width=width).print(table)


def print_markdown(columns: Sequence[str], cells: Iterable[Sequence[str]]) -> None:
    """Print the table in Markdown."""
    rule = ["---", *("--:" for _ in columns[1:])]
    for row in (columns, rule, *cells):
        click.echo(f"| {' | '.join(row)} |")


def print_facts(facts: Mapping[str, str], markdown: bool) -> None:
    """Print the facts above the table."""
    for name, value in facts.items():
        click.echo(f"- {name}: {value}" if markdown else f"{name}: {value}")
    click.echo()


def as_json(score: Score) -> dict[str, object]:
    """Return the counts and the figures computed from them."""
    return {"counts": asdict(score)} | {name: metric(score) for name, metric in METRICS.items()}


def listing(
    what: str, documents: Sequence[Document], found: Sequence[Sequence[Span]], labels: Sequence[str]
) -> Iterator[tuple[Document, Span]]:
    """Return the listing of the missed, the spurious or the unjudged spans."""
    for label in labels:
        for document, mine in zip(documents, found, strict=True):
            missed, surplus = differences(document, mine, label)
            if what == "misses":
                yield from ((document, span) for span in missed)
            elif (what == "spurious") == document.judges(label):
                yield from ((document, span) for span in surplus)


def listed(predictor: str, document: Document, span: Span, with_text: bool) -> dict[str, object]:
    """Return one line of the listing, with text only if *with_text* is true."""
    line: dict[str, object] = {
        "predictor": predictor,
        "entity": span.label,
        "document": document.id,
        "start": span.start,
        "end": span.end,
    }
    return line | ({"text": document.text[span.start : span.end]} if with_text else {})


@click.command(help="Score PREDICTORs (comma-separated) on SETS; the module's docstring says how.")
@click.argument("predictors", metavar="PREDICTOR")
@click.argument(
    "sets", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--entities", help="Only these, comma-separated. Default: as --labels says.")
@click.option(
    "--labels",
    "kind",
    type=click.Choice(["entities", "names"]),
    default="entities",
    help="The 18 entities (the default), or PERSON, ORGANIZATION and LOCATION.",
)
@click.option("--min-score", type=float, help="Drop what scores less. Default: as the engine does.")
@click.option(
    "--format", "style", type=click.Choice(["table", "json", "markdown"]), default="table"
)
@click.option("--show", type=click.Choice(["misses", "spurious", "unjudged"]), help="List spans.")
@click.option("--with-text", is_flag=True, help="Print the text of listed spans, too.")
@click.option("--intervals", "bounded", is_flag=True, help="Give the total 95 % intervals.")
@click.option("--schemes", "by_scheme", is_flag=True, help="Print SemEval-2013 figures, too.")
def main(
    predictors: str,
    sets: tuple[Path, ...],
    entities: str | None,
    kind: str,
    min_score: float | None,
    style: str,
    show: str | None,
    with_text: bool,
    bounded: bool,
    by_scheme: bool,
) -> None:
    """Read, predict, score, print."""
    labels = labels_to_score(entities, kind)
    names = not NAMES.keys().isdisjoint(labels)
    documents = [document for file in sets for document in read(file)]
    contestants = [load(name, min_score, names) for name in dict.fromkeys(predictors.split(","))]
    found = {each.name: find_all(each, documents) for each in contestants}
    scores = {name: score_rows(documents, spans, labels) for name, spans in found.items()}
    bounds = {
        name: intervals(total_tallies(documents, spans, labels), np.random.default_rng(SEED))
        for name, spans in found.items()
        if bounded
    }
    figures = evaluate_schemes(documents, found, labels) if by_scheme else {}
    lines = [
        listed(name, document, span, with_text)
        for name, spans in found.items()
        if show
        for document, span in listing(show, documents, spans, labels)
    ]

    facts = header() | {
        "documents": f"{len(documents)}, {sum(len(d.text) for d in documents)} characters"
    }
    facts |= {
        f"{mark} = {each.name}": each.note
        for each, mark in zip(contestants, letters(found).values(), strict=True)
    }
    if style == "json":
        results = {
            name: {label: as_json(score) for label, score in table.items()}
            for name, table in scores.items()
        }
        for name, interval in bounds.items():
            results[name][TOTAL]["intervals"] = interval
        shown: dict[str, object] = {show: lines} if show else {}
        if by_scheme:
            shown["schemes"] = schemes_as_json(figures)
        click.echo(json.dumps({"header": facts, "results": results} | shown, indent=2))
        return
    print_facts(facts, markdown=style == "markdown")
    show_table = print_table if style == "table" else print_markdown
    show_table(headings(scores), rows(scores, bounds))
    if by_scheme:
        click.echo()
        show_table(scheme_headings(figures), scheme_rows(figures))
    for line in lines:
        click.echo("\t".join([str(show), *(json.dumps(value) for value in line.values())]))


def labels_to_score(entities: str | None, kind: str) -> tuple[str, ...]:
    """Return the labels in *entities*, or all of *kind* if it is empty.

    Raises:
        UnknownEntity: One of *entities* is neither one of the 18 nor of the names.
    """
    if entities is not None:
        return known(entities.split(","), LABELS)
    return tuple(NAMES if kind == "names" else ENTITIES)


def evaluate_schemes(
    documents: Sequence[Document],
    found: Mapping[str, Sequence[Sequence[Span]]],
    labels: Sequence[str],
) -> ByScheme:
    """Compute the figures of every predictor by published schemes."""
    from presidio_cdip.evaluation import schemes

    return {name: schemes.evaluate(documents, spans, labels) for name, spans in found.items()}


def schemes_as_json(figures: ByScheme) -> dict[str, object]:
    """Convert *figures* to plain dictionaries."""
    return {
        name: {
            scheme: {over: asdict(row) for over, row in each.items()}
            for scheme, each in table.items()
        }
        for name, table in figures.items()
    }


def score_rows(
    documents: Sequence[Document], found: Sequence[Sequence[Span]], labels: Sequence[str]
) -> dict[str, Score]:
    """Return the score of every label, then of all together."""
    each = {label: score(documents, found, [label]) for label in labels}
    return each | {TOTAL: score(documents, found, labels)}


if __name__ == "__main__":
    main()
