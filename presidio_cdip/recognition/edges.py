"""Repair where a value begins and ends: brackets are closed, numbers whole, labels left out.

::

    compound het (C282Y/H63D   of "compound het (C282Y/H63D)"
    36                         of "36,6"
    gout  Treatment            of "gout  Treatment: colchicine"
"""

import re
from dataclasses import replace

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.tables import bare

_MEASURED = frozenset({"BIOMETRIC_DATA", "GENETIC_DATA", "HEALTH"})
"""Entities whose numbers have decimals."""
_MORE = re.compile(r"(?<=\d)[.,]\d{1,3}(?![\w.,])")
_LESS = re.compile(r"(?<![\w.,])\d{1,4}[.,]\Z")
_PARENTS = 40  # characters behind a birthplace in which "parents" may stand
_LONGEST = 5  # characters of what stands before a decimal
_LABEL_ENDS = re.compile(r"[.#]?[ \t]?:(?!\d)")
_LAST_CELL = re.compile(r"(?:[ \t]{2,}|\t)(?=[^\W\d_][^\s:]*(?: [^\s:]+){0,3}\Z)")
_LAST_WORD = re.compile(r"[ \t](?P<label>[^\W\d_][^\s:]*)\Z")
_HEADINGS = frozenset((*english().labels["headings"], *english().labels["headings_of_persons"]))


def before_label(text: str, span: Span) -> Span:
    """Return *span* without the label of the next value, with which it ends.

    >>> text = "gout  Treatment: colchicine"
    >>> before_label(text, Span(0, 15, "HEALTH", 0.9, "")).end
    4
    """
    if not _LABEL_ENDS.match(text, span.end):
        return span
    last = _LAST_CELL.search(text, span.start, span.end)
    word = _LAST_WORD.search(text, span.start, span.end)
    if last is None and word and bare(word["label"]) in _HEADINGS:
        last = word
    return replace(span, end=last.start()) if last else span


_OF_PARENTS = re.compile(
    r" of (?=[A-Z][^\W\d_]+(?:[- ][A-Z][^\W\d_]+)* "
    rf"(?i:{alternation(english().labels['of_parents'])})\b)"
)


def before_parents(text: str, span: Span) -> Span:
    """Return *span*, if a birthplace, without the descent that is told behind it.

    >>> text = "born in Laredo of Mexican parents"
    >>> before_parents(text, Span(8, 25, "PLACE_OF_BIRTH", 0.9, "")).end
    14
    """
    if span.entity != "PLACE_OF_BIRTH":
        return span
    found = _OF_PARENTS.search(text, span.start, span.end + _PARENTS)
    return replace(span, end=found.start()) if found and found.end() <= span.end else span


def with_edges(text: str, span: Span) -> Span:
    """Return *span* with what belongs to its first and last word."""
    start, end = span.start, span.end
    if span.entity in _MEASURED:
        if more := _MORE.match(text, end):
            end = more.end()
        if text[start].isdigit() and (less := _LESS.search(text, max(0, start - _LONGEST), start)):
            start = less.start()
    value = text[start:end]
    opened = value.count("(") - value.count(")")
    if opened == 1 and text[end : end + 1] == ")":
        end += 1
    elif opened == -1 and text[start - 1 : start] == "(":
        start -= 1
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)
