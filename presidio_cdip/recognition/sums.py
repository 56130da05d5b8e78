"""Tell that a sum of money alone is a penalty: a fine, not a bond or what was stolen."""

import re
from collections.abc import Sequence

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.tables import cells_of

_WORDS = english().labels
_SUM = re.compile(r"[\W\d_]*[$£€] ?\d[\W\d_]*")
_SAID = re.compile(
    rf"(?i)\b(?:(?P<fine>{alternation(_WORDS['fines'])})"
    rf"|{alternation(_WORDS['no_fines'])})(?![^\W_])"
)
_PLACE = r"(?:[ \t]{2,}[^\d\n]{1,30}?[ \t]{2,})"  # a cell between the offence and the sum
_TO_SUM = re.compile(
    rf"{_PLACE}|[\s.,:;(/-]*(?:\b(?:\d{{1,2}}[-/])*(?:1[89]|20)?\d\d\b)?[\s.,:;)/-]*"
)
_HEADING = re.compile(r"[^\d\n]{1,30}")
_ROWS = 40  # above a sum, in which the heading of its column is looked for
_LINE = 200  # characters of a line that are read
_LEAN = 4  # characters by which a cell may stand beside its heading


def is_sum(text: str, span: Span) -> bool:
    """Return whether *span* has a sum of money and no words."""
    return _SUM.fullmatch(text, span.start, span.end) is not None


def is_penalty(text: str, span: Span, others: Sequence[Span]) -> bool:
    """Return whether the sum at *span* is what an offence has cost.

    The word before it in its line decides, then its column's heading, then a word behind it. Where
    none says what the sum is, an offence stands right before it: "Drunk 1961, $15".

    Args:
        text: The document.
        span: The sum, as `is_sum` says.
        others: The other spans found.

    >>> is_penalty("Fined $25", Span(6, 9, "CRIMINAL_OFFENCE", 1.0, ""), ())
    True
    >>> is_penalty("Bond $300", Span(5, 9, "CRIMINAL_OFFENCE", 1.0, ""), ())
    False
    """
    line = max(text.rfind("\n", 0, span.start) + 1, span.start - _LINE)
    if not text[line : span.start].strip():  # goes on from the line above, or stands below a label
        line = max(text.rfind("\n", 0, max(0, line - 1)) + 1, span.start - _LINE)
    if said := list(_SAID.finditer(text, line, span.start)):
        return said[-1]["fine"] is not None
    if (of_column := _of_column(text, span)) is not None:
        return of_column
    stop = text.find("\n", span.end)
    behind = _SAID.search(text, span.end, min(len(text) if stop < 0 else stop, span.end + _LINE))
    if behind:
        return behind["fine"] is not None
    return any(
        other.entity == span.entity
        and other.end <= span.start
        and not is_sum(text, other)
        and _TO_SUM.fullmatch(text, other.end, span.start) is not None
        for other in others
    )


def _of_column(text: str, span: Span) -> bool | None:
    """Return whether a penalty or something else heads the column of *span*; None if neither."""
    line = text.rfind("\n", 0, span.start) + 1
    first, last = span.start - line - _LEAN, span.end - line + _LEAN
    for _ in range(_ROWS):
        if not line:
            return None
        start = text.rfind("\n", 0, line - 1) + 1
        if line - start <= _LINE:
            for cell in cells_of(text, start, line - 1):
                is_above = cell[0] - start < last and first < cell[1] - start
                said = _SAID.search(text, *cell) if is_above else None
                if said and _HEADING.fullmatch(text, *cell):
                    return said["fine"] is not None
        line = start
    return None
