"""What holds where rules and a model both look: the one place that decides it.

* What either finds is found: the two look for different signs, and a miss is a person exposed.
* A span of the model's must be able to be a value of its entity (`validity`).
* An address or a telephone number must be a person's home's (`premises`): what its label calls a
  business's is dropped; where words near it or the paper do, it loses more than half of its score.
* A rule's span that the model doubts is dropped, where development data say that such spans are
  mostly wrong: the model's ``vetoes`` hold a probability for each such entity.
* Two spans of one entity that overlap are one, and its stretch is that of both.
* Of two entities that claim a stretch the more probable holds it whole; the other keeps the rest.
* Scores become probabilities through rising lines, fitted to development data: for each of those
  who may have found a span (`FINDERS`) one an entity, where there were enough spans, and one for
  the others (``calibration``). Of spans with a score of .9, nine in ten should be right. Where
  there is no line, as in a model's folder without calibration, scores stay what they were.

Vetoes and lines are numbers of the model's folder, because they hold for that model.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from presidio_cdip.entities import NAMES
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition import premises
from presidio_cdip.recognition.names import is_name
from presidio_cdip.recognition.overlaps import Claim, remainders, resolve_overlaps
from presidio_cdip.recognition.premises import (
    Premises,
    Signs,
    fragments,
    in_home_field,
    on_business_paper,
    rest_of_cell,
    signs_of,
)
from presidio_cdip.recognition.premises import premises as whose_is
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import MODEL_RULE, Knots, Tagged
from presidio_cdip.recognition.validity import can_be

OPERATING_POINTS: Mapping[str, float] = MappingProxyType(
    {"recall": 0.2, "balanced": 0.4, "precision": 0.7}
)
"""The least score of a finding, by what a user wants of it. At the balanced one F1 is highest on
plain pages; F2 is a point higher at .3 (docs/quality.md)."""

_LABELLED = (
    0.6  # the least score of what a rule found under a home's label, whatever the model says
)
_DOUBT = 0.4  # of its score is left to an address or a number that is likelier a business's


def fuse(tagged: Tagged, rules: Sequence[Span] | None, signs: Signs | None = None) -> list[Span]:
    """The spans that hold of those that *rules* found and those that the model finds.

    Args:
        tagged: What the model makes of the text.
        rules: In order, none overlapping; None if no rules have looked.
        signs: What tells homes from businesses; those of the shipped pack, if None.

    Returns:
        In order, none overlapping, each with a probability as its score.
    """
    signs = signs or _shipped_signs()
    spans = []
    for found_by, raw, span in found(tagged, rules, signs):
        score = calibrated(tagged, found_by, raw, span)
        if _checked(span) or _labelled_home(tagged.text, span, signs):
            score = max(score, _LABELLED)
        spans.append(replace(span, score=score))
    spans += completed(spans, tagged.text, signs)
    return resolve_overlaps(
        tagged.text, [Claim(span, round(1000 * (1 - span.score))) for span in spans]
    )


def names_beside(
    text: str, held: Sequence[Span], rules: Sequence[Span], tagged: Tagged | None
) -> list[Span]:
    """The names that rules and model find where none of the entities *held* stands.

    Args:
        text: The document.
        held: The entities' spans, which win over names.
        rules: What the rules for names found, in order, none overlapping.
        tagged: What the model makes of the text, if it looks.
    """
    by_model = [] if tagged is None else tagged.spans(among=NAMES)
    own = [replace(one, score=_score_of_name(tagged, one)) for one in by_model]
    starts, ends = [one.start for one in held], [one.end for one in held]
    claims = []
    for span in [*rules, *own]:
        taken = range(bisect_right(ends, span.start), bisect_left(starts, span.end))
        pieces = [(span.start, span.end)]
        if taken:
            pieces = remainders(text, *pieces[0], [(starts[at], ends[at]) for at in taken])
        for start, end in pieces:
            part = replace(span, start=start, end=end)
            if is_name(text, part):
                claims.append(Claim(part, round(1000 * (1 - part.score))))
    return resolve_overlaps(text, claims)


def _score_of_name(tagged: Tagged | None, span: Span) -> float:
    return calibrated(tagged, "alone", span.score, span) if tagged else span.score


def found(
    tagged: Tagged, rules: Sequence[Span] | None, signs: Signs | None = None
) -> list[tuple[str, float, Span]]:
    """Who found what: one of `FINDERS`, how much the model believes it, the span.

    Spans that are vetoed are not among them; those of rules and model may overlap.
    """
    text, seen = tagged.text, tagged.spans()
    own = private([span for span in seen if can_be(text, span, seen)], text, signs)
    if rules is None:
        return [("alone", span.score, span) for span in own]
    kept = private([span for span in rules if not _vetoed(tagged, span)], text, signs)
    own = [part for span in own for part in _apart(tagged, span, kept)]
    return [
        *(("both" if _meets(span, own) else "rules", _belief(tagged, span), span) for span in kept),
        *(("both", _belief(tagged, span), span) for span in own if _meets(span, kept)),
        *(("model", span.score, span) for span in own if not _meets(span, kept)),
    ]


def calibrated(tagged: Tagged, found_by: str, raw: float, span: Span) -> float:
    """The probability that *span* is right; its own score, where there is no line for it."""
    if span.entity not in tagged.config.entities:
        return span.score
    lines = tagged.config.calibration.get(found_by, {})
    line = lines.get(span.entity) or (lines.get("*") if span.entity not in NAMES else None)
    return round(on_line(line, raw), 4) if line else span.score


def _belief(tagged: Tagged, span: Span) -> float:
    return tagged.belief(span.entity, span.start, span.end)


def private(spans: Iterable[Span], text: str, signs: Signs | None = None) -> list[Span]:
    """*spans* without addresses and telephone numbers of businesses, in order.

    An address that crosses the columns of a form is a span per column. What a rule found by its cue
    is a business's only if its label says so.
    """
    signs = signs or _shipped_signs()
    paper = on_business_paper(text, signs)
    kept: list[tuple[Span, bool]] = []
    work: set[str] = set()
    for span in spans:
        if span.entity not in premises.ENTITIES:
            kept.append((span, True))
            continue
        sure = _by_cue(span)
        pieces = fragments(text, span.start, span.end)
        for start, end in pieces:
            if len(pieces) > 1 and end - start < _CELL:
                continue  # a speck beside the value
            part = replace(span, start=start, end=end)
            whose = whose_is(text, start, end, signs, paper=paper, sure=sure)
            if whose is Premises.BUSINESS:
                work.add(_bare(text, part))
            elif whose is Premises.DOUBTFUL and not sure:
                kept.append((replace(part, score=part.score * _DOUBT), False))
            else:
                kept.append((part, sure or whose is Premises.HOME))
    work = {value for value in work if re.search(r"\d", value) and len(value) > _WHOLE}
    return [span for span, home in kept if home or _bare(text, span) not in work]


def _apart(tagged: Tagged, span: Span, rules: Sequence[Span]) -> list[Span]:
    """*span*; where it runs over two values or more that *rules* tell apart, what these leave."""
    first = bisect_right(rules, span.start, key=lambda other: other.end)
    last = bisect_left(rules, span.end, key=_start)
    values = [(one.start, one.end) for one in rules[first:last] if one.entity == span.entity]
    if len(values) < 2:
        return [span]
    left = remainders(tagged.text, span.start, span.end, values)
    parts = [replace(span, start=start, end=end) for start, end in left]
    parts = [replace(part, score=_belief(tagged, part)) for part in parts]
    return [part for part in parts if can_be(tagged.text, part, parts)]


def _start(span: Span) -> int:
    return span.start


def _shipped_signs() -> Signs:
    return signs_of(Pack.shipped())


def _labelled_home(text: str, span: Span, signs: Signs) -> bool:
    """Whether *span* stands in a form's field for a home address, or a rule's cue says a home's."""
    if span.entity not in premises.ENTITIES:
        return False
    if _by_cue(span):
        return whose_is(text, span.start, span.end, signs) is Premises.HOME
    return in_home_field(text, span.start, signs)


_CELL = 4  # characters of a cell of an address, at least
_WHOLE = 6  # letters and digits of a value that is known again elsewhere in its document


def completed(spans: Iterable[Span], text: str, signs: Signs | None = None) -> list[Span]:
    """The other lines of the home addresses among *spans*, in the cells of a form."""
    signs = signs or _shipped_signs()
    return [
        replace(span, start=start, end=end)
        for span in spans
        if span.entity == "HOME_ADDRESS"
        for start, end in rest_of_cell(text, span.start, span.end, signs)
    ]


def _by_cue(span: Span) -> bool:
    return span.rule != MODEL_RULE and not span.rule.endswith("+again")


def _bare(text: str, span: Span) -> str:
    """The value without blanks and punctuation, for comparison."""
    return re.sub(r"[\W_]", "", text[span.start : span.end]).lower()


def _vetoed(tagged: Tagged, span: Span) -> bool:
    least = tagged.config.vetoes.get(span.entity, 0)
    return _belief(tagged, span) < least and not _checked(span)


def _checked(span: Span) -> bool:
    """Whether a rule found *span* by a cue and its value passed a check: no doubt drops it."""
    return bool(span.cue and span.check)


def _meets(span: Span, others: Sequence[Span]) -> bool:
    """Whether one of *others*, which are in order, is of the same entity and overlaps *span*."""
    at = bisect_right(others, span.start, key=lambda other: other.end)
    while at < len(others) and others[at].start < span.end:
        if others[at].entity == span.entity:
            return True
        at += 1
    return False


def on_line(line: Knots, raw: float) -> float:
    """The height of *line*, points in rising order, at *raw*; level beyond its ends.

    >>> on_line([(0.0, 0.2), (1.0, 0.8)], 0.5)
    0.5
    """
    at = bisect_right(line, raw, key=lambda knot: knot[0])
    if at == 0:
        return line[0][1]
    if at == len(line):
        return line[-1][1]
    (left, low), (right, high) = line[at - 1], line[at]
    return low + (high - low) * (raw - left) / (right - left)
