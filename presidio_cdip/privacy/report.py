"""Write an audit of a pair of sets as tables and figures."""

from collections.abc import Iterator, Mapping, Sequence

from presidio_cdip.evaluation.sections import Audit, Figure, Lines, Row, Section, Table
from presidio_cdip.privacy.audit import PLAIN, REPLACED, CorpusAudit, CurvePoint, Measured
from presidio_cdip.privacy.renyi import Estimate, Spread
from presidio_cdip.privacy.sentences import SentenceSet
from presidio_cdip.version import __version__

NAMES = ("corpus-audit.html", "corpus-audit.json", "corpus-audit.md")
"""The files of a report."""

WARNING = (
    "These are estimates for this pair of corpora, and no guarantee for a person: a better "
    "attacker may do better, and a person may be known by what is common to both sets."
)

_EMBEDDINGS = {
    "encoder": "vectors of the encoder",
    "topics": "LSA of TF-IDF",
}


def report(found: CorpusAudit, remarks: Sequence[str] = ()) -> Audit:
    """Return the report; no text of a document is in it, unless words were asked for.

    Args:
        found: What was measured.
        remarks: Sentences on what limits it, such as files that could not be read.
    """
    sets = found.sensitive, found.safe
    facts = {
        "presidio-cdip": __version__,
        "encoder": found.encoder,
        "seed": str(found.seed),
        "sensitive set": set_fact(found.sensitive),
        "other set": set_fact(found.safe),
    }
    sections = [
        _attackers(found, [*remarks, *_unread(sets), *_few(sets)]),
        _divergences(found),
        *([_curves(found)] if found.curves else []),
        *([_words(found.words)] if found.words else []),
    ]
    shown = (
        "This page names words of the documents, as was asked for."
        if found.words
        else "No text of a document is in this page."
    )
    title = "Audit of a pair of corpora"
    return Audit(facts, _key_figures(found), sections, title, f"{WARNING} {shown}")


def set_fact(of: SentenceSet) -> str:
    """Return the name and the sizes of a set, in words.

    >>> from presidio_cdip.privacy.sentences import SentenceSet
    >>> set_fact(SentenceSet.of("letters", ["One two three four five."] * 3, limit=2))
    'letters, 3 documents, 2 of 3 sentences drawn at random'
    """
    documents = f"{of.sources:,} document{'s' if of.sources != 1 else ''}"
    if of.seen > len(of):
        return f"{of.name}, {documents}, {len(of):,} of {of.seen:,} sentences drawn at random"
    return f"{of.name}, {documents}, {len(of):,} sentences"


def summary(found: CorpusAudit) -> list[list[str]]:
    """Return a row for each way of redaction, as `SUMMARY` names its cells."""
    rows = [_summary(name, one) for name, one in found.measured.items()]
    for ranker, points in found.curves.items():
        rows += [_summary(f"{ranker}, level {one.level:g}", one.measured) for one in points]
    d2, epsilon = (
        max(getattr(one, name).mean for one in found.floors.values()) for name in ("d2", "epsilon")
    )
    return [*rows, ["two halves of one set", "", ".500", "", f"{d2:.2f}", f"{epsilon:.2f}"]]


SUMMARY = ("sentences", "words redacted", "worst attacker's AUC", "attacker", "D₂", "ε")
"""The headings of `summary`."""


def _summary(name: str, one: Measured) -> list[str]:
    return [
        name, f"{one.redacted:.1%}", _interval(one.attacks[one.worst].auc), one.worst,
        f"{one.d2:.2f}", f"{one.epsilon:.2f}",
    ]  # fmt: skip


def _interval(one: Spread) -> str:
    """Return a figure with its interval.

    >>> _interval(Spread(0.81234, 0.8, 0.83))
    '.812 (.800–.830)'
    """
    mean, low, high = (f"{value:.3f}".removeprefix("0") for value in one)
    return f"{mean} ({low}–{high})"


def _key_figures(found: CorpusAudit) -> list[tuple[str, str, str]]:
    figures = []
    for name, one in found.measured.items():
        figures.append(
            (
                f"Worst attacker's AUC, {name}",
                f"{one.auc:.3f}",
                f"by {one.worst}; 95 % interval {_interval(one.attacks[one.worst].auc)}; "
                ".5 is guessing",
            )
        )
    plain = found.measured[PLAIN]
    floor = found.floors[plain.nearest]
    figures.append(
        (
            "D₂ of the sentences as they are",
            f"{plain.d2:.2f}",
            f"two halves of one set read {floor.d2.mean:.2f}",
        )
    )
    epsilon, least = (max(one.epsilon.mean for one in some.values())
                      for some in (plain.estimates, found.floors))  # fmt: skip
    figures.append(
        (
            "ε of the pair of corpora",
            f"{epsilon:.2f}",
            f"at δ = {plain.estimates[plain.nearest].delta:.2g}; "
            f"two halves of one set read {least:.2f}; no guarantee for a person",
        )
    )
    return figures


def _unread(sets: Sequence[SentenceSet]) -> Iterator[str]:
    for one in sets:
        if one.unread:
            files = "1 file" if one.unread == 1 else f"{one.unread:,} files"
            yield (
                f"{one.name}: {files} could not be read, or not whole; what could not be "
                "read is left out."
            )


def _few(sets: Sequence[SentenceSet]) -> Iterator[str]:
    from presidio_cdip.privacy.attackers import FOLDS, are_few

    for one in sets:
        if are_few(one.documents):
            yield (
                f"{one.name} has fewer than {FOLDS} documents: attackers were trained on parts of "
                "the documents that they were asked about, and do better than on new documents."
            )


def _attackers(found: CorpusAudit, remarks: Sequence[str]) -> Section:
    rows: list[Row] = [
        [name, attacker, one.seeds, one.auc.mean, f"{one.auc.low:.3f}–{one.auc.high:.3f}",
         attacker == measured.worst, measured.redacted]
        for name, measured in found.measured.items()
        for attacker, one in measured.attacks.items()
    ]  # fmt: skip
    notes = list(remarks)
    if REPLACED in found.measured:
        before, after = found.measured[PLAIN], found.measured[REPLACED]
        notes.append(
            f"Replacing what the entities find takes {after.redacted:.1%} of the words, and the "
            f"worst attacker from {before.auc:.3f} to {after.auc:.3f}."
        )
    table = Table(
        "attackers",
        "How well attackers tell the sets apart",
        "The area under the ROC curve, .5 for guessing and 1 for certainty: the mean of "
        "cross-validations in which no document is both learnt and asked about, and the 95 % "
        "interval over documents drawn again. Each attacker is trained on sentences that are "
        "redacted like those it is asked about. The worst one counts.",
        [
            ("sentences", "text"), ("attacker", "text"), ("cross-validations", "count"),
            ("AUC", "number"),
            ("95 % interval", "text"), ("worst", "mark"), ("words redacted", "share"),
        ],
        rows,
    )  # fmt: skip
    return Section("Attackers", [table], [WARNING, *notes])


def _divergences(found: CorpusAudit) -> Section:
    rows: list[Row] = []
    for name, measured in found.measured.items():
        rows += [_estimate_row(name, place, one) for place, one in measured.estimates.items()]
    rows += [
        _estimate_row("two halves of one set", place, one) for place, one in found.floors.items()
    ]
    alphas = list(next(iter(found.floors.values())).divergences)
    table = Table(
        "divergences",
        "Rényi divergence and ε",
        "D_α, the larger of both directions, by counts of the five nearest neighbours on the "
        "components that hold 90 % of the variance: means over 25 subsamples of 80 % without "
        "replacement, with the middle 95 % of D₂ and ε. ε by Bun and Steinke (TCC 2016), δ one "
        "over the sentences of the smaller set. In so many dimensions the estimate is too low for "
        "sets that differ much; halves of one set, which differ by chance alone, show what it "
        "reads for no difference.",
        [
            ("sentences", "text"), ("embedding", "text"), ("dimensions", "count"),
            ("D₂", "number"), ("95 % of D₂", "text"),
            *((f"D of order {alpha:g}", "number") for alpha in alphas),
            ("ε", "number"), ("95 % of ε", "text"), ("δ", "text"),
        ],
        rows,
    )  # fmt: skip
    bounds = [
        f"D₂ of the attackers' scores, {name}: {one.scores_d2:.2f}. Given to either set at random, "
        f"the scores read up to {found.scores_floor:.2f}."
        for name, one in found.measured.items()
    ]
    bounds.append(
        "What is computed from a sentence tells no more than the sentence, so that D₂ of the "
        "sentences is at least D₂ of the scores, but for the error of its estimate: with "
        "1,000 sentences a set up to a half near .25 and up to three tenths near 1; above 2 it "
        "reads far too low, 2.2 for a true 4."
    )
    return Section("Divergence", [table], bounds)


def _estimate_row(name: str, embedding: str, one: Estimate) -> Row:
    return [
        name, _EMBEDDINGS[embedding], one.dimensions, one.d2.mean, _range(one.d2),
        *(spread.mean for spread in one.divergences.values()),
        one.epsilon.mean, _range(one.epsilon), f"{one.delta:.2g}",
    ]  # fmt: skip


def _range(one: Spread) -> str:
    return f"{one.low:.2f}–{one.high:.2f}"


def _curves(found: CorpusAudit) -> Section:
    first, second = found.curve_sentences
    rows: list[Row] = []
    for ranker, points in found.curves.items():
        for one in points:
            aucs = [attack.auc.mean for attack in one.measured.attacks.values()]
            row: Row = [ranker, one.level, one.measured.redacted, *aucs]
            rows.append([*row, one.measured.d2, one.measured.epsilon])
    attackers = list(next(iter(found.curves.values()))[0].measured.attacks)
    how = (
        "first what the entities find and then what the ranker chooses, up to the level given, as "
        "corpus-redact does"
        if REPLACED in found.measured
        else "by the ranker alone to the level given, as corpus-redact does with --giveaways-only"
    )
    note = (
        f"Of {first:,} and {second:,} sentences, each redacted {how}. A ranker that was trained "
        "on these documents looks better here than on new ones."
    )
    table = Table(
        "levels", "By ranker and level", note,
        [
            ("ranker", "text"), ("level", "share"), ("words redacted", "share"),
            *((f"AUC by {name}", "number") for name in attackers),
            ("D₂", "number"), ("ε", "number"),
        ],
        rows,
    )  # fmt: skip
    return Section(
        "Redaction by rankers",
        [
            _lines("auc_by_level", "Worst attacker by level", "worst attacker's AUC", found.curves),
            _lines("d2_by_level", "D₂ by level", "D₂, larger of both embeddings", found.curves),
            table,
        ],
    )


def _lines(name: str, title: str, up: str, curves: Mapping[str, Sequence[CurvePoint]]) -> Figure:
    def value(one: Measured) -> float:
        return one.auc if name == "auc_by_level" else one.d2

    series = {
        ranker: [(point.level, value(point.measured)) for point in points]
        for ranker, points in curves.items()
    }
    note = "By the share of the words of each sentence that may be redacted."
    return Figure(name, title, note, Lines(series, "level", up, percent=True))


def _words(words: Sequence[tuple[str, float]]) -> Section:
    rows: list[Row] = [
        [word, "sensitive" if weight > 0 else "other", abs(weight)] for word, weight in words
    ]
    table = Table(
        "words",
        "Words that tell most",
        "The weights of a logistic regression on TF-IDF of the sentences as they are. Words of "
        "fewer than five sentences are left out. These are words of the documents.",
        [("word", "text"), ("speaks for the set", "text"), ("weight", "number")],
        rows,
    )
    return Section("Words", [table])
