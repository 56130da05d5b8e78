"""Pair found spans with marked ones, and count.

A found span **hits** a marked one that has its label and shares with it at least half of the
shorter of the two. Each span is matched once, the largest overlaps first.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from presidio_cdip.evaluation.gold import Document, Prediction, Span


def ratio(part: float, whole: float) -> float | None:
    """Return *part* divided by *whole*, or None if *whole* is 0."""
    return part / whole if whole else None


def overlap(one: Span | Prediction, other: Span | Prediction) -> int:
    """Return the number of characters in both spans."""
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def hits(one: Span, other: Span) -> bool:
    """Return whether both have one label and share at least half of the shorter span."""
    shorter = min(one.end - one.start, other.end - other.start)
    return one.label == other.label and 0 < shorter <= 2 * overlap(one, other)


def match(gold: Iterable[Span], found: Iterable[Span]) -> list[tuple[Span, Span]]:
    """Pair marked with found spans that hit, each span once, largest overlap first."""
    found = tuple(found)
    pairs = [(mark, span) for mark in gold for span in found if hits(mark, span)]
    pairs.sort(key=lambda pair: (-overlap(*pair), pair))
    matched: list[tuple[Span, Span]] = []
    used: set[tuple[str, Span]] = set()
    for mark, span in pairs:
        if used.isdisjoint({("gold", mark), ("found", span)}):
            used |= {("gold", mark), ("found", span)}
            matched.append((mark, span))
    return matched


def resolve(prediction: Prediction, gold: Iterable[Span]) -> Span:
    """Give *prediction* one label: that of the mark with the largest overlap, else its first."""
    marks = [mark for mark in gold if mark.label in prediction.labels and overlap(mark, prediction)]
    best = max(marks, key=lambda mark: overlap(mark, prediction), default=None)
    label = best.label if best else prediction.labels[0]
    return Span(prediction.start, prediction.end, label)


def of_label(spans: Iterable[Span], label: str) -> list[Span]:
    """Return the spans of *label* without duplicates."""
    return list(dict.fromkeys(span for span in spans if span.label == label))


def differences(
    document: Document, found: Iterable[Span], label: str
) -> tuple[list[Span], list[Span]]:
    """Return the marks of *label* that no span hits, and the found spans that hit no mark."""
    gold, mine = of_label(document.spans, label), of_label(found, label)
    pairs = match(gold, mine)
    missed = set(gold) - {mark for mark, _ in pairs}
    surplus = set(mine) - {span for _, span in pairs}
    return sorted(missed), sorted(surplus)


@dataclass(frozen=True, slots=True)
class Tally:
    """Count spans, characters or documents.

    Attributes:
        gold: Marked items, where the label is complete.
        hit: Items of `gold` that were found.
        spurious: Found items without a mark, where the label is complete.
        open_gold: Marked items, where the label is not complete.
        open_hit: Items of `open_gold` that were found.
    """

    gold: int = 0
    hit: int = 0
    spurious: int = 0
    open_gold: int = 0
    open_hit: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.gold + other.gold,
            self.hit + other.hit,
            self.spurious + other.spurious,
            self.open_gold + other.open_gold,
            self.open_hit + other.open_hit,
        )

    @property
    def precision(self) -> float | None:
        """Return the share of found items that are right; None if no judged item was found."""
        return ratio(self.hit, self.hit + self.spurious)

    @property
    def recall(self) -> float | None:
        """Return the share of marked items that were found; None if none is marked."""
        return ratio(self.hit + self.open_hit, self.gold + self.open_gold)

    @property
    def f1(self) -> float | None:
        """Return the harmonic mean of both where the label is complete; None if none is marked."""
        return ratio(2 * self.hit, self.gold + self.hit + self.spurious) if self.gold else None


def tally(judged: bool, gold: int, hit: int, spurious: int) -> Tally:
    """Return the counts, for a complete or an incomplete label."""
    return Tally(gold, hit, spurious) if judged else Tally(open_gold=gold, open_hit=hit)


def span_tally(document: Document, found: Iterable[Span], label: str) -> Tally:
    """Count spans."""
    missed, surplus = differences(document, found, label)
    gold = len(of_label(document.spans, label))
    return tally(document.judges(label), gold, gold - len(missed), len(surplus))


def document_tally(document: Document, found: Iterable[Span], label: str) -> Tally:
    """Count the document: does it have the entity, and was one of its spans hit?"""
    gold = of_label(document.spans, label)
    missed, surplus = differences(document, found, label)
    hit = len(missed) < len(gold)
    return tally(document.judges(label), bool(gold), hit, not gold and bool(surplus))
