"""What holds where rules and a model both look: the one place that decides it.

* What either finds is found: the two look for different signs, and a miss is a person exposed.
* A span of the model's must have a word that says something: "of the" alone is none. What it
  takes for a number, a date or a place must have the least that such a value has: four digits of
  a Social Security or telephone number (and not five or six in a row of the former), two of a date
  or a month's name, two letters of a place, and more of an address than a number of two digits.
* What a form has printed is no value: the number of a box that the model takes for an age ("8.
  Age", where there is a 7 or a 9 as well), or a label such as "5. Home telephone" that it takes for
  an address; unless another span of that entity stands beside it.
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
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from presidio_cdip.recognition.overlaps import Claim, settle
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.transformer import Knots, Tagged

_DIGIT = "[0-9OoIlSB]"  # as OCR may have left it
_EMPTY = re.compile(
    r"(?:[\W_]|\b(?:a|an|and|as|at|by|for|in|is|of|on|or|the|to|was|with)\b)*", re.I
)
_LEAST = {
    "US_SSN": re.compile(rf"^(?!\W*(?:[A-Z]\W)?[0-9]{{5,6}}\W*$)[\s\S]*(?:{_DIGIT}\W*){{4}}"),
    "HOME_PHONE_NUMBER": re.compile(rf"(?:{_DIGIT}\W*){{4}}"),
    "DATE_OF_BIRTH": re.compile(rf"{_DIGIT}\W?{_DIGIT}|[^\W\d_]{{3}}"),
    "PLACE_OF_BIRTH": re.compile(r"[^\W\d_]\W?[^\W\d_]"),
    "HOME_ADDRESS": re.compile(r"\w\w"),
}
_CELL = r"(?:^|(?<=\n)[ \t]*|(?<=\s\s\s))"  # where a line or a column begins
_SAID_BEFORE = re.compile(r"(?:,|\b(?:aged|and|are|at|is|of|or|was|were))[ \t]*\n[ \t]*$", re.I)
_BESIDE = re.compile(r"[ ,.#-]{0,3}")
_OF_LABELS = "home|house|office|business|residence|present|permanent|mailing|and|or|of|no|street"
_LABEL = re.compile(
    r"(?:\d{1,2}[.)]\s*)?"
    r"(?:street|city|town|state|county|residence|home|office|"
    rf"(?:(?:{_OF_LABELS})[\W_]+)*"
    r"(?:address|telephone|phone|zip|code|number|ext|extension)(?:es|s)?"
    rf"(?:[\W_]+(?:{_OF_LABELS}|number|zip|code))*)[\W_]*",
    re.I,
)


def fuse(tagged: Tagged, rules: Sequence[Span] | None) -> list[Span]:
    """The spans that hold of those that *rules* found and those that the model finds.

    Args:
        tagged: What the model makes of the text.
        rules: In order, none overlapping; None if no rules have looked.

    Returns:
        In order, none overlapping, each with a probability as its score.
    """
    claims = []
    for found_by, raw, span in found(tagged, rules):
        score = calibrated(tagged, found_by, raw, span)
        claims.append(Claim(replace(span, score=score), round(1000 * (1 - score))))
    return settle(tagged.text, claims)


def found(tagged: Tagged, rules: Sequence[Span] | None) -> list[tuple[str, float, Span]]:
    """Who found what: one of `FINDERS`, how much the model believes it, the span.

    Spans that are vetoed are not among them; those of rules and model may overlap.
    """
    text, seen = tagged.text, tagged.spans()
    own = [
        span
        for span in seen
        if _may_be(text, span)
        and (not _printed(text, span) or any(_beside(text, span, other) for other in seen))
    ]
    if rules is None:
        return [("alone", span.score, span) for span in own]
    kept = [span for span in rules if not _vetoed(tagged, span)]
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
    line = lines.get(span.entity) or lines.get("*")
    return round(on_line(line, raw), 4) if line else span.score


def _belief(tagged: Tagged, span: Span) -> float:
    return tagged.belief(span.entity, span.start, span.end)


def _may_be(text: str, span: Span) -> bool:
    """Whether the span has the least that a value of its entity has."""
    value = text[span.start : span.end]
    if _EMPTY.fullmatch(value):
        return False
    least = _LEAST.get(span.entity)
    return least is None or least.search(value) is not None


def _printed(text: str, span: Span) -> bool:
    """Whether the span is what a form has printed, not what was written into it."""
    if span.entity == "AGE":
        return _numbers_box(text, span)
    if span.entity == "HOME_ADDRESS":
        value = text[span.start : span.end]
        return bool(_LABEL.fullmatch(value) or re.fullmatch(r"\W*[0-9]{1,2}\W*", value))
    return False


def _numbers_box(text: str, span: Span) -> bool:
    """Whether the span is the number of a form's box, as the box before it or after it has one."""
    value = text[span.start : span.end].strip(" .")
    before = text[max(0, span.start - 20) : span.start]
    if not re.fullmatch("[0-9]{1,2}", value) or _SAID_BEFORE.search(before):
        return False

    def numbered(number: int) -> str:
        return rf"{_CELL}{number}\.\s?[A-Z]"

    here = re.compile(numbered(int(value))).search(text, max(0, span.start - 3))
    if here is None or not here.start() <= span.start < here.end():
        return False
    return any(re.search(numbered(int(value) + step), text) for step in (-1, 1))


def _beside(text: str, span: Span, other: Span) -> bool:
    """Whether *other*, of the same entity, stands right before or after *span*, as parts do."""
    if other.entity != span.entity or other == span:
        return False
    between = text[min(span.end, other.end) : max(span.start, other.start)]
    return _BESIDE.fullmatch(between) is not None


def _vetoed(tagged: Tagged, span: Span) -> bool:
    least = tagged.config.vetoes.get(span.entity, 0)
    return _belief(tagged, span) < least


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
