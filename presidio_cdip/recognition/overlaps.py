"""Who gets a stretch of text that several rules or recognizers claim."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from presidio_cdip.recognition.spans import Span


@dataclass(frozen=True, slots=True)
class Claim:
    """A rule's claim to a stretch.

    Attributes:
        span: The stretch, as the entity it would be.
        cost: How far the value stands from its cue; the cheaper claim is the better one.
        counter: Whether the claim is that the stretch is *not* the entity.
    """

    span: Span
    cost: int
    counter: bool = False


def settle(text: str, claims: Iterable[Claim]) -> list[Span]:
    """The spans that hold, in order, none overlapping.

    A counter-claim takes out the claims of its entity that overlap it and cost more than it does;
    at equal cost the value is the person's. Of two claims for one entity the union holds; of two
    for different entities the cheaper holds whole, and the other keeps what is left of it, so that
    nothing which was found is uncovered.
    """
    ordered = sorted(claims, key=lambda claim: (claim.span.start, claim.span.end))
    counters: dict[str, list[Claim]] = {}
    for claim in ordered:
        if claim.counter:
            counters.setdefault(claim.span.entity, []).append(claim)
    kept = [
        claim
        for claim in ordered
        if not claim.counter and not _countered(claim, counters.get(claim.span.entity, ()))
    ]
    merged = _union(kept)
    chosen: list[Span] = []
    for group in _groups(merged):
        winners: list[Span] = []  # in order, none overlapping
        for claim in sorted(group, key=lambda claim: (claim.cost, -claim.span.score)):
            for piece in _left_of(text, claim.span, winners):
                insort(winners, piece, key=_start)
        chosen.extend(winners)
    return chosen


def _start(span: Span) -> int:
    return span.start


def _left_of(text: str, span: Span, winners: Sequence[Span]) -> list[Span]:
    """What *winners*, in order, leave of *span*."""
    taken: list[tuple[int, int]] = []
    index = max(0, bisect_left(winners, span.start, key=_start) - 1)
    while index < len(winners) and winners[index].start < span.end:
        taken.append((winners[index].start, winners[index].end))
        index += 1
    pieces = remainders(text, span.start, span.end, taken) if taken else [(span.start, span.end)]
    return [replace(span, start=start, end=end) for start, end in pieces]


def _countered(claim: Claim, counters: Sequence[Claim]) -> bool:
    # Values are short, so the counter-claims that reach this one start just before its end.
    end = bisect_left(counters, claim.span.end, key=lambda counter: counter.span.start)
    for counter in reversed(counters[max(0, end - 24) : end]):
        if counter.span.overlaps(claim.span) and counter.cost < claim.cost:
            return True
    return False


def _union(claims: Sequence[Claim]) -> list[Claim]:
    """Overlapping claims for one entity as one, explained by the best of them."""
    last: dict[str, int] = {}
    merged: list[Claim] = []
    for claim in claims:
        at = last.get(claim.span.entity)
        if at is not None and merged[at].span.end > claim.span.start:
            both = merged[at], claim
            best = min(both, key=lambda one: (one.cost, -one.span.score))
            start = both[0].span.start
            end = max(one.span.end for one in both)
            merged[at] = Claim(replace(best.span, start=start, end=end), best.cost)
        else:
            last[claim.span.entity] = len(merged)
            merged.append(claim)
    return merged


def _groups(claims: Sequence[Claim]) -> Iterable[list[Claim]]:
    """Claims, in order, in groups that overlap."""
    group: list[Claim] = []
    end = -1
    for claim in claims:
        if group and claim.span.start >= end:
            yield group
            group = []
            end = -1
        group.append(claim)
        end = max(end, claim.span.end)
    if group:
        yield group


def remainders(
    text: str, start: int, end: int, taken: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """What is left of ``[start, end)`` without *taken*, which is in order and does not overlap.

    Pieces with fewer than two letters or digits are left out, punctuation at a cut is trimmed off.
    """
    pieces = []
    for taken_start, taken_end in [*taken, (end, end)]:
        if taken_end <= start and taken_start < start:
            continue
        cut = max(start, min(taken_start, end))
        piece = text[start:cut]
        if sum(char.isalnum() for char in piece) >= 2:
            lead = len(piece) - len(piece.lstrip(_CUT))
            trail = len(piece) - len(piece.rstrip(_CUT))
            pieces.append((start + lead, cut - trail))
        start = max(start, taken_end)
    return pieces


_CUT = " ,.;:()-\n\t"
