"""Score found spans by published schemes: SemEval-2013 task 9.1, and entity against none.

`benchmarks/quality.py --schemes` prints them. The four schemes are those of Segura-Bedmar et al.,
"SemEval-2013 Task 9: Extraction of Drug-Drug Interactions from Biomedical Texts", task 9.1
(https://aclanthology.org/S13-2056), with the outcomes of MUC-5 as the package nervaluate has them.

Every marked span is paired with at most one found span that shares a character with it, and every
found span with at most one marked: pairs that are correct under the scheme first, then those with
the largest overlap. A pair is

========= ========================= ==============================
scheme    correct (COR) if          else
========= ========================= ==============================
strict    bounds and label agree    incorrect (INC)
exact     bounds agree              incorrect (INC)
partial   bounds agree              partial (PAR), half as good
type      labels agree              incorrect (INC)
========= ========================= ==============================

A marked span without a partner is missed (MIS), a found one spurious (SPU).

* Precision is (COR + 0.5 PAR) / (COR + INC + PAR + SPU), recall
  (COR + 0.5 PAR) / (COR + INC + PAR + MIS), F1 their harmonic mean.
* For one label, recall is of the spans marked with it and precision of the spans found as it, so
  that a pair of two labels counts once for each.
* **micro** is over all spans; **macro** is the mean over the labels that are marked or found, each
  alike; **weighted** is that mean by number of marked spans. A share of nothing counts as 0 in both
  means, and the F1 of a mean is the mean of F1s, as in scikit-learn.
* A **group** (`Entity.group`) is counted after each label is replaced by its group: within a group
  labels are not told apart. Labels without a group are left out.
* **binary** ignores labels. For spans, marked and found spans hit as in `matching.hits`. For
  tokens, a token (a word, or a sign that is not a blank) is marked or found if one of its
  characters is.

In a document with ``annotated``, only complete labels are counted, on both sides.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

from presidio_cdip.entities import LABELS
from presidio_cdip.evaluation.gold import Document, Span
from presidio_cdip.evaluation.matching import match, overlap, ratio

Outcome = Literal["COR", "INC", "PAR", "MIS", "SPU"]

OUTCOMES: tuple[Outcome, ...] = ("COR", "INC", "PAR", "MIS", "SPU")

CREDIT: Mapping[Outcome, float] = MappingProxyType(
    {"COR": 1.0, "INC": 0.0, "PAR": 0.5, "MIS": 0.0, "SPU": 0.0}
)

BINARY = "binary"

_TOKEN = re.compile(r"\w+|[^\w\s]")


class Case(NamedTuple):
    """Hold the marked and the found spans of one text, for complete labels, each span once."""

    text: str
    marked: tuple[Span, ...]
    found: tuple[Span, ...]


class Judged(NamedTuple):
    """Hold the outcome of a pair, or of a span without a partner.

    Attributes:
        marked: The label of the marked span, None if spurious.
        found: The label of the found span, None if missed.
    """

    outcome: Outcome
    marked: str | None
    found: str | None


@dataclass(frozen=True, slots=True)
class Figures:
    """Hold one row of the table.

    Attributes:
        counts: How many of each outcome; None for a mean and for one label.
        precision: None where nothing is found.
        recall: None where nothing is marked.
        f1: None where nothing is marked or found.
    """

    counts: Mapping[Outcome, int] | None
    precision: float | None
    recall: float | None
    f1: float | None


# --- the schemes of SemEval-2013 task 9.1 -------------------------------------------------------


def strict(mark: Span, span: Span) -> Outcome:
    """Judge bounds and label (Segura-Bedmar et al., SemEval-2013 task 9.1)."""
    return "COR" if mark == span else "INC"


def exact(mark: Span, span: Span) -> Outcome:
    """Judge bounds, whatever the label (Segura-Bedmar et al., SemEval-2013 task 9.1)."""
    return "COR" if mark[:2] == span[:2] else "INC"


def partial(mark: Span, span: Span) -> Outcome:
    """Judge bounds by half, whatever the label (Segura-Bedmar et al., SemEval-2013 task 9.1)."""
    return "COR" if mark[:2] == span[:2] else "PAR"


def type_(mark: Span, span: Span) -> Outcome:
    """Judge the label, whatever the bounds (Segura-Bedmar et al., SemEval-2013 task 9.1)."""
    return "COR" if mark.label == span.label else "INC"


Scheme = Callable[[Span, Span], Outcome]
"""The outcome of a marked and a found span that overlap."""

SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {"strict": strict, "exact": exact, "partial": partial, "type": type_}
)


def judge(case: Case, scheme: Scheme) -> Iterator[Judged]:
    """Yield the outcome of every pair, then of every span without a partner."""
    pairs = [(mark, span) for mark in case.marked for span in case.found if overlap(mark, span)]
    pairs.sort(key=lambda pair: (scheme(*pair) != "COR", -overlap(*pair), pair))
    marks, spans = dict.fromkeys(case.marked), dict.fromkeys(case.found)
    for mark, span in pairs:
        if mark in marks and span in spans:
            del marks[mark], spans[span]
            yield Judged(scheme(mark, span), mark.label, span.label)
    yield from (Judged("MIS", mark.label, None) for mark in marks)
    yield from (Judged("SPU", None, span.label) for span in spans)


# --- figures ------------------------------------------------------------------------------------


def figures(
    of_marked: Collection[Outcome],
    of_found: Collection[Outcome],
    counts: Mapping[Outcome, int] | None = None,
) -> Figures:
    """Compute the shares from the outcomes of the marked spans and of the found spans."""
    recall = ratio(sum(CREDIT[one] for one in of_marked), len(of_marked))
    precision = ratio(sum(CREDIT[one] for one in of_found), len(of_found))
    if precision is None and recall is None:
        return Figures(counts, None, None, None)
    both = (precision or 0.0) * (recall or 0.0)
    f1 = 2 * both / ((precision or 0.0) + (recall or 0.0)) if both else 0.0
    return Figures(counts, precision, recall, f1)


def micro(counts: Counter[Outcome]) -> Figures:
    """Compute the shares of all spans together."""
    return figures(
        [outcome for outcome in counts.elements() if outcome != "SPU"],
        [outcome for outcome in counts.elements() if outcome != "MIS"],
        {outcome: counts[outcome] for outcome in OUTCOMES},
    )


def by_label(judged: Sequence[Judged]) -> dict[str, Figures]:
    """Compute the figures of every label that is marked or found, in alphabetical order."""
    labels = {label for one in judged for label in (one.marked, one.found) if label is not None}
    return {
        label: figures(
            [one.outcome for one in judged if one.marked == label],
            [one.outcome for one in judged if one.found == label],
        )
        for label in sorted(labels)
    }


def mean(each: Mapping[str, Figures], weights: Mapping[str, int]) -> Figures:
    """Average over labels; all shares are None where the weights sum to nothing."""
    total = sum(weights[label] for label in each)

    def of(share: Callable[[Figures], float | None]) -> float | None:
        return ratio(
            sum(weights[label] * (share(one) or 0.0) for label, one in each.items()), total
        )

    return Figures(
        None, of(lambda one: one.precision), of(lambda one: one.recall), of(lambda one: one.f1)
    )


def averages(judged: Sequence[Judged]) -> dict[str, Figures]:
    """Compute the micro, macro and weighted average over labels."""
    each = by_label(judged)
    support = Counter(one.marked for one in judged if one.marked is not None)
    return {
        "micro": micro(Counter(one.outcome for one in judged)),
        "macro": mean(each, dict.fromkeys(each, 1)),
        "weighted": mean(each, support),
    }


def binary_spans(cases: Iterable[Case]) -> Figures:
    """Count spans that hit as in `matching.hits`, whatever their labels."""
    counts: Counter[Outcome] = Counter()
    for case in cases:
        marked, found = unlabelled(case.marked), unlabelled(case.found)
        pairs = len(match(marked, found))
        counts.update(COR=pairs, MIS=len(marked) - pairs, SPU=len(found) - pairs)
    return micro(counts)


def unlabelled(spans: Iterable[Span]) -> set[Span]:
    """Return *spans* with one label for all, without duplicates."""
    return {span._replace(label=BINARY) for span in spans}


def binary_tokens(cases: Iterable[Case]) -> Figures:
    """Count tokens that spans of any label touch."""
    counts: Counter[Outcome] = Counter()
    for case in cases:
        marked, found = touched(case.text, case.marked), touched(case.text, case.found)
        counts.update(COR=len(marked & found), MIS=len(marked - found), SPU=len(found - marked))
    return micro(counts)


def touched(text: str, spans: Iterable[Span]) -> set[int]:
    """Return the offsets of the tokens that have a character in one of *spans*."""
    covered = {offset for span in spans for offset in range(span.start, span.end)}
    return {
        token.start()
        for token in _TOKEN.finditer(text)
        if not covered.isdisjoint(range(*token.span()))
    }


# --- documents ----------------------------------------------------------------------------------


def cases(
    documents: Iterable[Document], found: Iterable[Iterable[Span]], labels: Collection[str]
) -> list[Case]:
    """Return the spans of *labels* in each document, without labels that are incomplete there."""

    def counted(document: Document, spans: Iterable[Span]) -> tuple[Span, ...]:
        return tuple(
            dict.fromkeys(
                span for span in spans if span.label in labels and document.judges(span.label)
            )
        )

    return [
        Case(document.text, counted(document, document.spans), counted(document, mine))
        for document, mine in zip(documents, found, strict=True)
    ]


def grouped(case: Case) -> Case:
    """Replace each label of *case* by its group, and drop labels without a group."""

    def renamed(spans: Iterable[Span]) -> tuple[Span, ...]:
        groups = ((span, LABELS[span.label].group) for span in spans)
        return tuple(dict.fromkeys(span._replace(label=group) for span, group in groups if group))

    return Case(case.text, renamed(case.marked), renamed(case.found))


def evaluate(
    documents: Sequence[Document], found: Sequence[Sequence[Span]], labels: Collection[str]
) -> dict[str, dict[str, Figures]]:
    """Compute all figures of *found* (one list per document) by scheme, then average or group."""
    each = cases(documents, found, labels)
    in_groups = [grouped(case) for case in each]
    table = {}
    for name, scheme in SCHEMES.items():
        overall = averages([one for case in each for one in judge(case, scheme)])
        groups = by_label([one for case in in_groups for one in judge(case, scheme)])
        table[name] = overall | {f"group {group}": row for group, row in groups.items()}
    return table | {BINARY: {"spans": binary_spans(each), "tokens": binary_tokens(each)}}
