"""Repair where a value that the model found begins and ends: brackets are closed, numbers whole.

::

    compound het (C282Y/H63D   of "compound het (C282Y/H63D)"
    36                         of "36,6"
"""

import re
from dataclasses import replace

from presidio_cdip.recognition.spans import Span

_MEASURED = frozenset({"BIOMETRIC_DATA", "GENETIC_DATA", "HEALTH"})
"""Entities whose numbers have decimals."""
_MORE = re.compile(r"(?<=\d)[.,]\d{1,3}(?![\w.,])")
_LESS = re.compile(r"(?<![\w.,])\d{1,4}[.,]\Z")
_LONGEST = 5  # characters of what stands before a decimal


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
