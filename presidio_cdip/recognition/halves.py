"""Read forms of two halves side by side, each of a person whom its heading names.

::

    APPLICANT                     SPOUSE
    Name: Walter Dahl             Name: Inga Dahl

A heading is a line of nothing but words for persons. The second half begins where most cells of the
lines below do; strokes may separate the two.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.patterns import Pattern
from presidio_cdip.recognition.tables import Stretch, cells_of, fields

_PERSON = "|".join(map(re.escape, english().labels["relatives"]))
_APART = r"(?:[ \t]{3,120}|[ \t]{0,80}\|[ \t]{0,80})"
_HEADS = Pattern(rf"(?im)^[ \t|]{{0,60}}(?:{_PERSON}){_APART}(?:{_PERSON})[ \t|]{{0,80}}\r?$")
_LINES = 40  # of a half, at most
_LONG = 400  # characters; a longer line is prose


def halves(text: str) -> Iterator[tuple[Stretch, Sequence[Stretch]]]:
    """Yield the heading of each half and what stands below it, a stretch for each line."""
    for heads in _HEADS.finditer(text):
        start, end = heads.start(), heads.end()
        delimiter = "|" if "|" in text[start:end] else ""
        rows = list(_rows(text, end))
        if delimiter:
            split = [_between(text, *row) for row in [(start, end), *rows]]
        else:
            left, right = cells_of(text, start, end)
            edge = _edge(text, rows, left[1] - start, right[1] - start)
            split = [[left, right]]
            split += [[(a, min(a + edge, b)), (min(a + edge, b), b)] for a, b in rows]
        for own, *below in zip(*(row for row in split if len(row) == 2), strict=True):
            yield own, below


def _rows(text: str, end: int) -> Iterator[Stretch]:
    for _ in range(_LINES):
        start = text.find("\n", end) + 1
        end = text.find("\n", start) if start else -1
        end = len(text) if end < 0 else end
        if not start or not text[start:end].strip() or end - start > _LONG:
            return
        yield start, end


def _between(text: str, start: int, end: int) -> list[Stretch]:
    """Return the cells of a line between strokes, but for empty ones at its ends."""
    cells = fields(text, start, end, "|")
    return [one for one in cells if one[1] > one[0] or one not in (cells[0], cells[-1])]


def _edge(text: str, rows: Sequence[Stretch], left: int, right: int) -> int:
    """Return where in their lines most cells of the second half begin."""
    begins = Counter(
        cell[0] - start
        for start, end in rows
        for cell in cells_of(text, start, end)
        if left < cell[0] - start < right
    )
    return begins.most_common(1)[0][0] if begins else right
