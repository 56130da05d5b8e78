"""Read columns of codes that a legend explains one by one, whatever each of them is about.

Below or above a table stands, behind the heading of one of its columns, what its codes mean::

    NAME               HOME TEL.      CODES
    Abbate, Theresa    414-555-0181   A
    Dombeck, Gary      -              E  W

    CODES   A  asthma        E  epilepsy, medication
            W  welfare campership

So the cell ``E`` says of Gary what stands behind the E of the legend.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from presidio_cdip.recognition.tables import Stretch, bare, cells_of

_CODE = re.compile(r"[A-Z]{1,3}|\d{1,2}|[*+#†‡-]")
_ENTRY = re.compile(r"(?P<code>[A-Z]{1,3}|\d{1,2}|[*+#†‡-])(?: ?[=:–-] ?| )\S.*")
_SEPARATED = re.compile(r"[^\S\n]{2}|[\t:]")  # a label from what stands behind it
_LABELLED = re.compile(r"[^\W\d_][^:\n]{0,24}:[ \t]{1,4}(?=\S)")  # a label with a colon, and more
# "A = asthma, old; E = ...", "0 well, 1 asthma"
_PARTS = re.compile(r"[^;,]+(?:,(?! ?(?:[A-Z]{1,3}|\d{1,2})(?: ?[=:–-]| [a-z]))[^;,]*)*")
_STATES = re.compile(r"(?i)\b(?:has|had|have|is|was|are|were|takes|suffers|denies)\b")  # a sentence
_NO_CODE = re.compile(r"[-–—.]+")  # in a cell without any
_TOKEN = re.compile(r"[^\s,/;]+")
_LEAN = 2  # characters by which a code may stand before its heading
_GAP = 4  # blanks between a code and its meaning, at most
_FEWEST = 2  # entries of a legend, and cells with its codes
_HEADINGS = 3  # cells of a table's heading, at least
_LONG = 400  # characters; a longer line is no row
_ROWS = 200
_EMPTY = 2  # lines in a row that end a table


@dataclass(frozen=True, slots=True)
class Entry:
    """A code of a legend, and what it means.

    Attributes:
        code: The code.
        start: Offset of its first character in the legend.
        end: Offset after its meaning.
        cells: Where the code stands in the column.
    """

    code: str
    start: int
    end: int
    cells: Sequence[Stretch]


Legend = Sequence[Entry]


@lru_cache(maxsize=4)
def coded(text: str) -> tuple[Legend, ...]:
    """Return the legends of *text* whose label is the heading of a column that has their codes.

    A legend is of the nearest such column above it, else of the nearest below.
    """
    lines = [match.span() for match in re.finditer(r"[^\n]+|(?<=\n)(?=\n)", text)]
    legends, at = list[tuple[int, int, str, Meanings]](), 0
    while at < len(lines):
        label, meanings = _legend(text, *lines[at])
        if not label or not meanings:
            at += 1
            continue
        last = at
        while last + 1 < len(lines) and (more := _more(text, *lines[last + 1])):
            meanings = more | meanings
            last += 1
        if len(meanings) >= _FEWEST:
            legends.append((at, last, label, meanings))
        at = last + 1
    if not legends:
        return ()
    headed = _headings(text, lines, {label for _, _, label, _ in legends})
    own = [
        (at, [one for one in headed.get(label, ()) if not at <= one <= last], label, meanings)
        for at, last, label, meanings in legends
    ]
    own = [one for one in own if one[1]]
    ends = sorted({at for at, *_ in own} | {one for _, columns, *_ in own for one in columns})
    found = []
    for at, columns, label, meanings in own:
        column = columns[bisect_left(columns, at) - 1 if columns[0] < at else 0]
        after = bisect_right(ends, column)
        rows = lines[column + 1 : ends[after] if after < len(ends) else len(lines)]
        cells: dict[str, list[Stretch]] = {}
        for code, cell in _column(text, lines[column], rows, label, meanings):
            cells.setdefault(code, []).append(cell)
        if sum(map(len, cells.values())) >= _FEWEST:
            in_order = sorted(meanings, key=meanings.__getitem__)
            found.append([Entry(one, *meanings[one], cells.get(one, ())) for one in in_order])
    return tuple(found)


@lru_cache(maxsize=4)
def _entries(text: str) -> Sequence[Entry]:
    return sorted(chain.from_iterable(coded(text)), key=lambda entry: entry.start)


def cells_with(text: str, start: int, end: int) -> Sequence[Stretch] | None:
    r"""Return the cells that have the code whose meaning stands at ``[start, end)``; None if none.

    >>> text = "NAME    AGE   CODE\nAbbate   11   A\nHollis   12   B\n\nCODE  A asthma   B gout"
    >>> cells_with(text, 60, 66)
    [(33, 34)]
    """
    entries = _entries(text)
    at = bisect_right(entries, start, key=lambda entry: entry.start)
    return entries[at - 1].cells if at and end <= entries[at - 1].end else None


def _headings(text: str, lines: Sequence[Stretch], labels: set[str]) -> Mapping[str, Sequence[int]]:
    """Return by label the numbers of the lines that may head a table with such a column."""
    found: dict[str, list[int]] = {}
    for number, (start, end) in enumerate(lines):
        if end - start <= _LONG and len(cells := cells_of(text, start, end)) >= _HEADINGS:
            for label in {bare(text[slice(*one)]) for one in cells} & labels:
                found.setdefault(label, []).append(number)
    return found


Meanings = dict[str, Stretch]
"""By code where its entry stands: the code and its meaning."""


def _legend(text: str, start: int, end: int) -> tuple[str, Meanings]:
    """Return the label of a line and the meanings behind it; none if it is no legend."""
    if end - start > _LONG or not _SEPARATED.search(text, start, end):
        return "", {}
    cells = cells_of(text, start, end)
    if not cells:
        return "", {}
    if labelled := _LABELLED.match(text, *cells[0]):
        parts = [match.span() for match in _PARTS.finditer(text, labelled.end(), end)]
        label, cells = labelled.group(), [cell for part in parts for cell in cells_of(text, *part)]
    else:
        label, cells = text[slice(*cells[0])], cells[1:]
    meanings = _meanings(text, cells)
    return bare(label) if meanings else "", meanings


def _more(text: str, start: int, end: int) -> Meanings:
    """Return the meanings of a line that goes on with those of the line above."""
    if end - start > _LONG or not text[start : start + _GAP].isspace():
        return {}
    return _meanings(text, cells_of(text, start, end))


def _meanings(text: str, cells: Sequence[Stretch]) -> Meanings:
    """Return the meaning of each code of *cells*; none if another thing stands in one."""
    found: Meanings = {}
    at = 0
    while at < len(cells):
        start, end = cells[at]
        after = cells[at + 1] if at + 1 < len(cells) else None
        if entry := _ENTRY.fullmatch(text, start, end):
            found[entry["code"]] = start, end
            at += 1
        elif _CODE.fullmatch(text, start, end) and after and after[0] - end <= _GAP:
            found[text[start:end]] = start, after[1]
            at += 2
        else:
            return {}
        if _STATES.search(text, start, after[1] if after else end):
            return {}
    return found


def _column(
    text: str,
    line: Stretch,
    rows: Sequence[Stretch],
    label: str,
    codes: Collection[str],
) -> Iterator[tuple[str, Stretch]]:
    """Yield the codes in *rows* below the heading *label* of *line*, with where they stand."""
    start, end = line
    headings = cells_of(text, start, end)
    index = next(at for at, one in enumerate(headings) if bare(text[slice(*one)]) == label)
    left = headings[index][0] - start - _LEAN
    right = headings[index + 1][0] - start - _LEAN if index + 1 < len(headings) else _LONG
    empty = 0
    for first, last in rows[:_ROWS]:
        empty = 0 if text[first:last].strip() else empty + 1
        if empty >= _EMPTY:
            return
        from_here = min(first + max(0, left), last)
        tokens = [one.span() for one in _TOKEN.finditer(text, from_here, min(first + right, last))]
        words = [text[slice(*one)] for one in tokens]
        if all(word in codes or _NO_CODE.fullmatch(word) for word in words):
            for word, token in zip(words, tokens, strict=True):
                if word in codes and not _NO_CODE.fullmatch(word):
                    yield word, token
