"""Resolve overlaps: of several claims to a stretch of text, decide which span gets it."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from presidio_cdip.recognition.spans import Span


@dataclass(frozen=True, slots=True)
class Claim:
    """A candidate span of a rule or a recognizer.

    Attributes:
        span: The candidate.
        cost: Distance of the value from its cue; the claim with the lower cost wins.
        counter: Whether a negative rule made the claim: the stretch is *not* the entity.
        guess: Whether only the look of the value speaks for it: its rule has no cue.
    """

    span: Span
    cost: int
    counter: bool = False
    guess: bool = False


def resolve_overlaps(text: str, claims: Iterable[Claim]) -> list[Span]:
    """Return the spans of *claims* without overlaps, in order.

    A negative claim removes the overlapping claims of its entity that have a higher cost; at equal
    cost they stay, so that in doubt a value is found. Overlapping claims of one entity are merged
    into one span. Of two overlapping claims of different entities, the one with the lower cost
    keeps its whole span and the other keeps the rest of its own, so that no part of a found value
    is left out. A guess whose digits behind its first words are a value with a cue is no value, so
    that nothing is left of it: "Passport no. C01234567" is no street with its number.
    """
    ordered = sorted(claims, key=lambda claim: (claim.span.start, claim.span.end))
    negative: dict[str, list[Claim]] = {}
    for claim in ordered:
        if claim.counter:
            negative.setdefault(claim.span.entity, []).append(claim)
    kept = [
        claim
        for claim in ordered
        if not claim.counter and not _is_removed(claim, negative.get(claim.span.entity, ()))
    ]
    merged = _merged(kept)
    chosen: list[Span] = []
    for group in _groups(merged):
        winners: list[Span] = []  # in order, none overlapping
        for claim in sorted(group, key=lambda claim: (claim.cost, -claim.span.score)):
            if claim.guess and _is_refuted(text, claim.span, winners):
                continue
            for piece in _rest_of(text, claim.span, winners):
                insort(winners, piece, key=_start)
        chosen.extend(winners)
    return chosen


def _start(span: Span) -> int:
    return span.start


def _is_refuted(text: str, span: Span, winners: Sequence[Span]) -> bool:
    """Return whether a value with a cue has the digits of *span*, and words before them are left.

    Args:
        text: The document.
        span: A guess.
        winners: In order, none overlapping.
    """
    at = span.start
    for winner in _overlapping(span, winners):
        before = text[at : winner.start]
        if _has_digit(before):
            return False
        taken = _has_digit(text[max(at, winner.start) : min(winner.end, span.end)])
        if winner.cue and taken and any(map(str.isalpha, before)):
            return True
        at = winner.end
    return False


def _overlapping(span: Span, winners: Sequence[Span]) -> Iterator[Span]:
    """Yield those of *winners*, which are in order and do not overlap, that overlap *span*."""
    index = max(0, bisect_left(winners, span.start, key=_start) - 1)
    while index < len(winners) and winners[index].start < span.end:
        if winners[index].end > span.start:
            yield winners[index]
        index += 1


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _rest_of(text: str, span: Span, winners: Sequence[Span]) -> list[Span]:
    """Return the parts of *span* outside of *winners*, which are in order."""
    taken = [(winner.start, winner.end) for winner in _overlapping(span, winners)]
    pieces = remainders(text, span.start, span.end, taken) if taken else [(span.start, span.end)]
    return [replace(span, start=start, end=end) for start, end in pieces]


def _is_removed(claim: Claim, negative: Sequence[Claim]) -> bool:
    """Return whether one of the *negative* claims overlaps *claim* and has a lower cost."""
    # Values are short, so the negative claims that overlap this one start just before its end.
    end = bisect_left(negative, claim.span.end, key=lambda other: other.span.start)
    for other in reversed(negative[max(0, end - 24) : end]):
        if other.span.overlaps(claim.span) and other.cost < claim.cost:
            return True
    return False


def _merged(claims: Sequence[Claim]) -> list[Claim]:
    """Merge overlapping claims of one entity; rule, cue and score are those of the best one."""
    last: dict[str, int] = {}
    merged: list[Claim] = []
    for claim in claims:
        at = last.get(claim.span.entity)
        if at is not None and merged[at].span.end > claim.span.start:
            both = merged[at], claim
            best = min(both, key=lambda one: (one.cost, -one.span.score))
            start = both[0].span.start
            end = max(one.span.end for one in both)
            guess = all(one.guess for one in both)
            merged[at] = Claim(replace(best.span, start=start, end=end), best.cost, guess=guess)
        else:
            last[claim.span.entity] = len(merged)
            merged.append(claim)
    return merged


def _groups(claims: Sequence[Claim]) -> Iterable[list[Claim]]:
    """Yield *claims*, which are in order, in groups of overlapping ones."""
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
    """Return the pieces of ``[start, end)`` outside of *taken*.

    Pieces with fewer than two letters or digits are left out. Punctuation at a cut is trimmed.

    Args:
        text: The document.
        start: Offset of the first character.
        end: Offset after the last.
        taken: ``[start, end)`` stretches, in order, none overlapping.
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
