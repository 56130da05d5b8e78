"""Fuse the spans of rules and of a model into one list without overlaps.

* A span found by either is kept: the two use different evidence, and a miss exposes a person.
* A span of the model must be a possible value of its entity (`validity`).
* An address or a telephone number must belong to a home (`premises`). One whose label names a
  business is dropped; one near words of a business, or on business paper, loses more than half of
  its score.
* Veto: a span of a rule is dropped if the model gives its entity a lower probability than the
  ``vetoes`` of the model's folder, which were chosen on development documents.
* What a form's print explains, a ticked option or a cell under its heading (`printed`), has no veto
  and wins over all other spans. In rows with such cells, a code under a heading for
  something else is no value.
* Overlapping spans of one entity are merged.
* Of overlapping spans of different entities, the more probable keeps its whole span and the other
  keeps the rest of its own.
* Scores become probabilities by isotonic calibration on development documents (``calibration``):
  of the spans with a score of .9, nine in ten should be right. There is one curve for each origin
  (`FINDERS`) and entity with enough spans, and one for each origin and all other entities. Without
  a curve a score stays as it is.
* Where rules were run, each finding gets a second score from what stands around it (`rescoring`).

Vetoes, calibration and the weights of second scores are part of the model's folder, because they
hold for that model only.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from types import MappingProxyType

from presidio_cdip.entities import NAMES
from presidio_cdip.pack.language import english
from presidio_cdip.recognition import name_scores, premises
from presidio_cdip.recognition.address_parts import is_part, with_parts, without_labels
from presidio_cdip.recognition.edges import before_label, before_parents, with_edges
from presidio_cdip.recognition.names import (
    KnownNames,
    as_persons,
    is_name,
    joined_names,
    separated,
    without_glosses,
)
from presidio_cdip.recognition.overlaps import Claim, remainders, resolve_overlaps
from presidio_cdip.recognition.premises import (
    Premises,
    Signs,
    fragments,
    home_cells,
    in_home_field,
    is_numbered,
    on_business_paper,
    rest_of_cell,
)
from presidio_cdip.recognition.premises import premises as whose_is
from presidio_cdip.recognition.printed import (
    CHECKS_OF_FORM,
    COLUMN,
    HOME_HEADING,
    at_codes,
    at_work,
    cells_of_others,
    in_columns,
)
from presidio_cdip.recognition.rescoring import rescored
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import MODEL_RULE, Knots, Tagged
from presidio_cdip.recognition.validity import can_be, is_left_blank

OPERATING_POINTS: Mapping[str, float] = MappingProxyType(
    {"recall": 0.2, "balanced": 0.4, "precision": 0.7}
)
"""The lowest score of a finding at each operating point. F1 is highest at ``balanced`` on
nearly all sets; F2 is up to a point higher at .2 (docs/quality.md)."""

_PRINTED = 0.97  # lowest score of a ticked option, and of a cell under its heading
_LABELLED = 0.6  # lowest score of a checked value with a cue, or of one labelled as a home's
_FIELD_RULE = "home_address/field"  # of a line that stands in a field for it
_GENERAL = {  # by what is more specific, of which a rule knows the word that decides
    "SEXUALITY": "MARITAL_STATUS",
    "GENETIC_DATA": "HEALTH",
    "POLITICAL_OPINION": "TRADE_UNION_MEMBERSHIP",
}
# Entities whose words are printed as labels too: of an illness, its name is the value
_LABELLING = frozenset({"TRADE_UNION_MEMBERSHIP", "RELIGION", "POLITICAL_OPINION"})
_PLURAL = re.compile(r"[^\W\d_s]s\Z")  # heads a list of those who are such: "Republicans:"
_FEW_WORDS = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,2}")
_ENDS_OF_LABELS = "|".join(map(re.escape, english().labels["ends_of_labels"]))
_LABEL_BEHIND = re.compile(rf"(?: (?:{_ENDS_OF_LABELS}))?[ \t]?:(?![\d/])")
_FIELD_BEFORE = re.compile(r"(?:\A|\n|\s{2}|\t|[.;|] )\Z")
# Entities whose values have no wide gaps within, as codes of fingerprints have
_OF_CELLS = frozenset({
    "CRIMINAL_OFFENCE", "ETHNIC_ORIGIN", "HEALTH", "NATIONALITY", "POLITICAL_OPINION", "RELIGION",
    "TRADE_UNION_MEMBERSHIP",
})  # fmt: skip
_GAP = re.compile(r"(?<=[^\s,;]) {2,}(?=\S)|\t")  # between columns
_BLANK = re.compile(r"(?<=\S) (?=\S)")
_WITHIN_GAPS = re.compile(r"[^ \t\n]+(?:(?: |(?<=[,;]) {2,})[^ \t\n]+)*")
_CELL_BEFORE = re.compile(r"\S(?: {2,}|\t)\Z")
_ROW = 400  # characters before and behind a span in which its row is read
_BELIEVED = 0.9  # the model's probability of a cell alone
_DOUBT = 0.4  # factor on the score of an address or a number that is probably a business's


def fuse(
    tagged: Tagged,
    rules: Sequence[Span] | None,
    signs: Signs,
    names: Collection[str] = NAMES,
) -> list[Span]:
    """Fuse the spans of *rules* with those of the model.

    Args:
        tagged: The text with the model's probabilities.
        rules: In order, none overlapping; None if no rules were run.
        signs: Expressions that tell homes from businesses: `signs_of` a pack.
        names: The labels that are found on request, which are left out.

    Returns:
        In order, none overlapping, each with a probability as its score.
    """
    spans = [
        replace(span, score=calibrated(tagged, found_by, raw, span))
        for found_by, raw, span in found(tagged, rules, signs, names)
    ]
    spans = [_at_least_labelled(tagged.text, span, signs) for span in spans]
    spans = without_general(tagged.text, spans)
    spans += completed(spans, tagged.text, signs)
    spans += in_fields(spans, tagged.text, signs)
    spans = resolve_overlaps(tagged.text, [Claim(span, _cost(span)) for span in spans])
    if rules is None:
        return spans
    second = rescored(tagged, spans)
    second = [_at_least_labelled(tagged.text, span, signs) for span in second]
    return with_parts(tagged.text, second)


def without_general(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return *spans*, the general ones without what a rule's more specific ones have.

    "His husband Mark" is a rule's SEXUALITY, so that "husband Mark" is no MARITAL_STATUS, and of
    "married his husband" only "married" is. The chairman of a known party is one of no union. A
    specific span is as probable as the most probable
    general one it has words of: that a partner is named is sure, whatever the partner's sex.
    """
    specific: dict[str, list[int]] = {}
    for at in sorted(range(len(spans)), key=lambda at: spans[at].start):
        if spans[at].entity in _GENERAL and spans[at].rule != MODEL_RULE:
            specific.setdefault(_GENERAL[spans[at].entity], []).append(at)
    # Where those of an entity start, and how far one that starts there or before reaches
    reaches = {
        entity: (
            [spans[at].start for at in ones],
            list(accumulate((spans[at].end for at in ones), max)),
        )
        for entity, ones in specific.items()
    }
    kept = [[span] for span in spans]
    for index, span in enumerate(spans):
        if span.entity not in reaches:
            continue
        starts, ends = reaches[span.entity]
        near = range(bisect_right(ends, span.start), bisect_left(starts, span.end))
        taken = []
        for at in (specific[span.entity][one] for one in near):
            one = kept[at][0]
            is_between = span.start < one.start and one.end < span.end
            if span.overlaps(one) and not is_between:
                kept[at] = [replace(one, score=max(one.score, span.score))]
                taken.append((one.start, one.end))
        if taken:
            pieces = remainders(text, span.start, span.end, taken)
            kept[index] = [replace(span, start=start, end=end) for start, end in pieces]
    return list(chain.from_iterable(kept))


def _cost(span: Span) -> int:
    """Return the cost of a claim: less than any other where a form's print explains the value."""
    return -1 if span.check in CHECKS_OF_FORM else round(1000 * (1 - span.score))


def _at_least_labelled(text: str, span: Span, signs: Signs) -> Span:
    """Return *span* with a score that keeps a checked value, and one labelled as a home's."""
    if span.check in CHECKS_OF_FORM:
        return replace(span, score=max(span.score, _PRINTED))
    if span.score < _LABELLED and (
        _is_checked(span) or _is_code(text, span) or _labelled_home(text, span, signs)
    ):
        return replace(span, score=_LABELLED)
    return span


def names_beside(
    text: str,
    held: Sequence[Span],
    rules: Sequence[Span],
    tagged: Tagged | None,
    known: KnownNames,
    names: Collection[str] = NAMES,
) -> list[Span]:
    """Return the names that rules and model find outside of the spans *held*.

    Args:
        text: The document.
        held: The spans of other entities, in order, none overlapping. They take precedence.
        rules: The spans of the rules for names, in order, none overlapping.
        tagged: The text with the model's probabilities; None without a model.
        known: Well-known names: `names_of` a pack.
        names: The labels of names.
    """
    by_model = [] if tagged is None else tagged.spans(among=names)
    own = [replace(one, score=_score_of_name(tagged, one)) for one in by_model]
    own = as_persons(text, own, tagged, known) if tagged else own
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
    found = [
        part
        for span in joined_names(text, resolve_overlaps(text, claims), held)
        for part in separated(text, span, known)
        if is_name(text, part)
    ]
    found = without_glosses(text, found, known)
    return found if tagged is None else name_scores.rescored(tagged, found, known)


def _score_of_name(tagged: Tagged | None, span: Span) -> float:
    return calibrated(tagged, "alone", span.score, span) if tagged else span.score


def found(
    tagged: Tagged,
    rules: Sequence[Span] | None,
    signs: Signs,
    names: Collection[str] = NAMES,
) -> list[tuple[str, float, Span]]:
    """Return each candidate span with its origin (`FINDERS`) and the model's probability of it.

    Vetoed spans are left out. Spans of rules may overlap spans of the model.
    """
    text = tagged.text
    seen = tagged.spans(among=[name for name in tagged.config.entities if name not in names])
    seen = [before_parents(text, before_label(text, with_edges(text, span))) for span in seen]
    seen = [cell for span in seen for cell in _cells(tagged, span)]
    told = [*seen, *(span for span in rules or () if span.check in CHECKS_OF_FORM)]
    own = [_without_joint(text, span) for span in seen if can_be(text, span, told)]
    own = [span for span in without_labels(text, own) if not _is_label(text, span)]
    own = sorted((one for span in own for one in at_codes(text, span)), key=_start)
    own = private(own, text, signs)
    if rules is None:
        return [("alone", span.score, span) for span in own]
    rules = [span for span in rules if not is_part(span) and not is_left_blank(text, span)]
    rules = [before_parents(text, before_label(text, span)) for span in rules]
    kept = private([span for span in rules if not _vetoed(tagged, span)], text, signs)
    foreign = cells_of_others(text, kept)
    own = [_within_print(text, span, kept) for span in own]
    own = [
        span
        for span in own
        if not any(
            start < span.end and span.start < end and entity in ("", span.entity)
            for start, end, entity in foreign
        )
    ]
    own = [part for span in own for part in _apart(tagged, span, kept)]
    return [
        *(("both" if _meets(span, own) else "rules", _belief(tagged, span), span) for span in kept),
        *(("both", _belief(tagged, span), span) for span in own if _meets(span, kept)),
        *(("model", span.score, span) for span in own if not _meets(span, kept)),
    ]


def _cells(tagged: Tagged, span: Span) -> list[Span]:
    """Split *span* of the model at gaps between columns, if each of its cells is believed alone.

    The first must be a cell itself, for a label stands apart from its value, too.
    """
    text = tagged.text
    if span.entity not in _OF_CELLS or not _GAP.search(text, span.start, span.end):
        return [span]
    nearest = max(0, span.start - _ROW)
    line = text.rfind("\n", nearest, span.start) + 1 or nearest
    end = text.find("\n", span.end, span.end + _ROW)
    row = text[line : end if end >= 0 else span.end + _ROW]
    if not _CELL_BEFORE.search(text, line, span.start) or "\n" in text[span.start : span.end]:
        return [span]
    if len(_GAP.findall(row)) > len(_BLANK.findall(row)):
        return [span]  # blanks are doubled throughout
    cells = [
        replace(span, start=cell.start(), end=cell.end())
        for cell in _WITHIN_GAPS.finditer(text, span.start, span.end)
    ]
    cells = [replace(cell, score=_belief(tagged, cell)) for cell in cells]
    return cells if min(cell.score for cell in cells) >= _BELIEVED else [span]


def _within_print(text: str, span: Span, rules: Sequence[Span]) -> Span:
    """Return *span* without what a form prints beside an option or a cell: a box, a year."""
    first = bisect_right(rules, span.start, key=lambda other: other.end)
    last = bisect_left(rules, span.end, key=_start)
    printed = (
        one
        for one in rules[first:last]
        if one.entity == span.entity and one.check in CHECKS_OF_FORM
    )
    cell = next(printed, None)
    if cell is None:
        return span
    rest = text[cell.end : span.end]
    words = any(map(str.isalpha, rest)) and cell.check != COLUMN and not rest.startswith("  ")
    return replace(span, start=max(span.start, cell.start), end=span.end if words else cell.end)


def _without_joint(text: str, span: Span) -> Span:
    """Return *span* without words at its end that lead on: "married [with]", "100 mg [t].i.d."."""
    cut = _CUT_OFF if _REST.match(text, span.end) else _JOINT
    joint = cut.search(text, span.start, span.end)
    return replace(span, end=joint.start()) if joint and joint.start() > span.start else span


def calibrated(tagged: Tagged, found_by: str, raw: float, span: Span) -> float:
    """Return the probability that *span* is right, or its score if it has no calibration curve."""
    if span.entity not in tagged.config.entities:
        return span.score
    lines = tagged.config.calibration.get(found_by, {})
    line = lines.get(span.entity) or (lines.get("*") if span.entity not in NAMES else None)
    return round(on_line(line, raw), 4) if line else span.score


def _belief(tagged: Tagged, span: Span) -> float:
    return tagged.belief(span.entity, span.start, span.end)


def private(spans: Iterable[Span], text: str, signs: Signs) -> list[Span]:
    """Return *spans* without the addresses and telephone numbers of businesses, in order.

    An address that crosses the columns of a form becomes a span for each column. A value that a
    rule found directly is a business's only if its label names a business, or its list is of work.
    """
    spans = list(in_columns(text, spans, signs))
    unheaded = (one for one in spans if one.entity in premises.ENTITIES and one.check != COLUMN)
    of_work = set(at_work(text, unheaded, signs))
    paper = on_business_paper(text, signs)
    kept: list[tuple[Span, bool]] = []
    work: set[str] = set()
    for span in spans:
        of_homes = span.check == COLUMN and (_is_by_rule(span) or HOME_HEADING.match(span.cue))
        if span.entity not in premises.ENTITIES or of_homes:
            kept.append((span, True))
            continue
        if span in of_work:
            work.add(_bare(text, span))
            continue
        sure = _is_by_rule(span)
        pieces = fragments(text, span.start, span.end)
        for start, end in pieces:
            if len(pieces) > 1 and end - start < _CELL:
                continue  # a fragment beside the value
            if not sure and is_numbered(text, start, end, signs):
                continue
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
    """Split *span* where it covers two values or more of *rules*, and return the parts outside."""
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


def _labelled_home(text: str, span: Span, signs: Signs) -> bool:
    """Return whether a label near *span* names a home: a cue of its rule, or the form's field."""
    if span.entity not in premises.ENTITIES:
        return False
    if _is_by_rule(span):
        return whose_is(text, span.start, span.end, signs) is Premises.HOME
    return in_home_field(text, span.start, signs)


_CUT_OFF = re.compile(r"\s+[a-z](?:\.[a-z])*\Z")  # of an abbreviation with points
_REST = re.compile(r"\.[a-z](?:\.|\b)")
_JOINT = re.compile(r"(?i)(?:\W+(?:and|or|of|the|with))+\Z")
_CELL = 4  # fewest characters of a cell of an address
_WHOLE = 6  # a value with more letters and digits is compared with others of its document


def completed(spans: Iterable[Span], text: str, signs: Signs) -> list[Span]:
    """Return the other lines of the home addresses among *spans*, from the cells of a form."""
    return [
        replace(span, start=start, end=end)
        for span in spans
        if span.entity == "HOME_ADDRESS"
        for start, end in rest_of_cell(text, span.start, span.end, signs)
    ]


def in_fields(spans: Sequence[Span], text: str, signs: Signs) -> list[Span]:
    """Return the lines of fields labelled as a home address in which *spans* have no address."""
    addresses = sorted(
        (span for span in spans if span.entity == "HOME_ADDRESS"), key=lambda span: span.end
    )
    lines = (
        Span(start, end, "HOME_ADDRESS", _LABELLED, rule=_FIELD_RULE)
        for start, end in home_cells(text, signs)
    )
    return [line for line in lines if not _meets(line, addresses)]


def _is_by_rule(span: Span) -> bool:
    """Return whether a rule found *span* directly, and not the model or propagation."""
    return span.rule != MODEL_RULE and not span.rule.endswith("+again")


def _bare(text: str, span: Span) -> str:
    """Return the value without blanks and punctuation, in lower case, for comparison."""
    return re.sub(r"[\W_]", "", text[span.start : span.end]).lower()


def _vetoed(tagged: Tagged, span: Span) -> bool:
    """Return whether the model gives *span* a probability below the veto of its entity."""
    least = tagged.config.vetoes.get(span.entity, 0)
    return _belief(tagged, span) < least and not _is_checked(span)


def _is_label(text: str, span: Span) -> bool:
    """Return whether *span* is the printed label of a field: "Committeeman: D. Fuentes"."""
    return (
        span.entity in _LABELLING
        and _FEW_WORDS.fullmatch(text, span.start, span.end) is not None
        and not _PLURAL.search(text, span.start, span.end)
        and _LABEL_BEHIND.match(text, span.end) is not None
        and _FIELD_BEFORE.search(text, max(0, span.start - 3), span.start) is not None
    )


def _is_checked(span: Span) -> bool:
    """Return whether a rule found *span* by a cue or a form's print, and it passed a check."""
    return bool(span.check) and (bool(span.cue) or span.check in CHECKS_OF_FORM)


def _is_code(text: str, span: Span) -> bool:
    """Return whether *span* is one capital behind its label, which tells what it means."""
    return bool(span.cue) and span.end - span.start == 1 and text[span.start].isupper()


def _meets(span: Span, others: Sequence[Span]) -> bool:
    """Return whether one of *others*, in order, has the same entity and overlaps *span*."""
    at = bisect_right(others, span.start, key=lambda other: other.end)
    while at < len(others) and others[at].start < span.end:
        if others[at].entity == span.entity:
            return True
        at += 1
    return False


def on_line(line: Knots, raw: float) -> float:
    """Interpolate the curve *line*, given by points in rising order, at *raw*; level at its ends.

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
