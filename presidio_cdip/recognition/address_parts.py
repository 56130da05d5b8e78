"""Read home addresses whose parts have labels: ``88 Quarry Road   City: Nashua   State: NH``."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.overlaps import Claim, resolve_overlaps
from presidio_cdip.recognition.reading import line_cells
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.tables import Stretch, bare

_ENTITY = "HOME_ADDRESS"
_PART = "+part"  # behind the rule of the address
_PARTS = english().labels["labels_of_parts"]
_FEWEST_LETTERS = 2  # "st" and "no" may be parts
_NAMES = "|".join(re.escape(name).replace(r"\ ", r"[ ]{1,2}") for name in _PARTS)
_HEADINGS = frozenset(
    {
        name.replace(" ", "")
        for key in ("nouns", "headings", "headings_of_persons", "labels_of_parts", "contact_nouns")
        for name in english().labels[key]
        if len(name) > _FEWEST_LETTERS
    }
)
_LABEL = re.compile(
    rf"(?i)(?<![^\W_])(?:{_NAMES})(?:[_/](?:{_NAMES}))?(?!\w)(?: ?\([^()\n]{{1,24}}\))?"
    rf"(?:\.? ?[:=]|\.?[ .]?[._]{{2,}}|(?=[ \t]))[ \t._]*"
)
_GAP = re.compile(r"[ \t.,;|/]*(?:\n[ \t]*){0,3}")  # between a part and the next label
_VALUE = re.compile(r"(?=[A-Z\d])[\w.'’/-]+(?:[ ](?![ ])[\w.'’/-]+){0,4}")
_STREET = re.compile(r"(?i).{0,12}street|house|no\b")
_SHORT = re.compile(r"\w{1,2}\b")  # a word of an address, too: only a sign makes it a label
_SIGN = 4  # characters behind a label in which its sign stands
_EDGE = " \t\n,;:|._"
_MOST = 30  # characters of a part
_PARTS_MOST = 6  # of one address
_UP = 12  # lines above an address in which the headings of its parts are looked for


def without_labels(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return *spans*, the home addresses among them in pieces without the labels of their parts."""
    return [
        replace(span, start=start, end=end)
        for span in spans
        for start, end in (
            pieces(text, span.start, span.end)
            if span.entity == _ENTITY
            else [(span.start, span.end)]
        )
    ]


def with_parts(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return *spans* and the labelled parts of the home addresses among them, in order."""
    found = [
        replace(span, start=start, end=end, rule=f"{span.rule}{_PART}")
        for span in spans
        if span.entity == _ENTITY
        for start, end in parts(text, span.start, span.end)
        if not _is_in_columns(spans, start, end)
    ]
    if not found:
        return list(spans)
    claims = (Claim(span, round(1000 * (1 - span.score))) for span in (*spans, *found))
    return resolve_overlaps(text, claims)


def _is_in_columns(spans: Sequence[Span], start: int, end: int) -> bool:
    """Return whether one of *spans*, in order, ends within ``[start, end)``: it is not one part."""
    at = bisect_right(spans, start, key=lambda one: one.end)
    return at < len(spans) and spans[at].end < end


def is_part(span: Span) -> bool:
    """Return whether *span* was found as the part of another."""
    return span.rule.endswith(_PART)


def pieces(text: str, start: int, end: int) -> list[Stretch]:
    """Return the pieces of the address ``[start, end)`` outside of the labels of its parts.

    >>> line = "Street: 5 Elm St, City: Erie"
    >>> [line[slice(*piece)] for piece in pieces(line, 0, 28)]
    ['5 Elm St', 'Erie']
    """
    labels = [
        label
        for label in _LABEL.finditer(text, start, min(len(text), end + _SIGN))
        if label.start() < end and _is_label(text, label, start)
    ]
    if not labels:
        return [(start, end)]
    edges = [start, *(min(end, edge) for label in labels for edge in label.span()), end]
    found = []
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        piece = text[first:last]
        first += len(piece) - len(piece.lstrip(_EDGE))
        last = first + len(text[first:last].rstrip(_EDGE))
        if any(map(str.isalnum, text[first:last])):
            found.append((first, last))
    return found


def _is_label(text: str, label: re.Match[str], start: int = -1) -> bool:
    """Return whether the match is a label: with a sign behind it, or set off before."""
    if re.search(r"[:=_]\s*\Z", label.group()):
        return True
    if label.start() == start:
        return (
            text[label.end() : label.end() + 1].isdigit()
            and _STREET.match(label.group()) is not None
        )
    if _SHORT.match(label.group()):
        return False
    before = text[max(0, label.start() - 2) : label.start()]
    return before in ("", "  ") or before[-1:] == "\t"


def labelled_parts(text: str, end: int) -> Iterator[Stretch]:
    """Yield the parts of an address behind *end* that have labels, on its line or on the next."""
    for _ in range(_PARTS_MOST):
        gap = _GAP.match(text, end)
        label = _LABEL.match(text, gap.end() if gap else end)
        if not label or not _is_label(text, label):
            return
        value = _value(text, label.end())
        if value is None:
            return
        yield value
        end = value[1]


def _value(text: str, start: int) -> Stretch | None:
    """Return the part that starts at *start*, up to the next label."""
    found = _VALUE.match(text, start, start + _MOST)
    if not found:
        return None
    end = found.end()
    following = _LABEL.search(text, start, end + 1)
    end = following.start() if following else end
    value = text[start:end].rstrip(_EDGE)
    return (start, start + len(value)) if value and not _is_heading(value) else None


def _is_heading(value: str) -> bool:
    """Return whether *value* is printed above or before values, like "PHONE" or "Birthplace"."""
    return bare(value) in _HEADINGS


def parts(text: str, start: int, end: int) -> list[Stretch]:
    """Return the other parts of the address ``[start, end)`` that have labels or headings."""
    return [*labelled_parts(text, end), *parts_under_headings(text, start, end)]


def parts_under_headings(text: str, start: int, end: int) -> Iterator[Stretch]:
    """Yield the cells behind the address ``[start, end)`` under headings for its parts."""
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    cells = line_cells(text, line, len(text) if stop < 0 else stop)
    cells = [cell for cell in cells if cell[0] >= end]
    above = line
    for _ in range(_UP if cells else 0):
        if not above:
            return
        last, above = above - 1, text.rfind("\n", 0, above - 1) + 1
        headings = [
            one
            for one in line_cells(text, above, last)
            if _LABEL.fullmatch(text[slice(*one)] + ":")
        ]
        if headings:
            for first, cell_end in cells:
                left, right = first - line, cell_end - line
                if _is_heading(text[first:cell_end]):
                    continue
                if any(left < b - above + 2 and a - above - 2 < right for a, b in headings):
                    yield first, cell_end
            return
