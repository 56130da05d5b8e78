"""Convert the words of a page to text that keeps its lines and columns.

* Words of one visual row are on one line of the text, even if Tesseract put them into different
  blocks. Rows may slope by some degrees.
* Within a row, a gap of more than `COLUMN` character widths separates two columns. It becomes
  three or more spaces, so that columns are aligned if the widths of the letters allow it; any other
  gap becomes one space.
* A row that starts to the right of the left margin is indented, if by three spaces or more.
* An empty line is inserted where the distance of two rows is `APART` times the usual distance.
* Running prose in columns, as in a newspaper, is written column by column. A region is prose if at
  least six successive long lines (four words and 25 characters) have a long line beside them
  across the same gutter, and most of these fill their column's width. The cells of forms and
  tables are shorter or ragged, and are written row by row.
* A form whose rules enclose labels with what is filled in below them is written cell by cell: each
  on a line of its own, as ``DATE HIRED   6/4/1951``. So an empty cell stays empty, where a row of
  labels above a row of values would give it the value of its neighbour. Tables stay in rows.
"""

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import mean, median, median_low

from presidio_cdip.imaging.words import Box, Word

COLUMN = 2.8
"""Gap between columns, in character widths; two spaces after a full stop are not a column."""

APART = 1.7

_BELOW = 0.5  # of a row's height: how much lower the value of a cell is than its label, at least
_NUMBERED = re.compile(r"\s*\(?(?:\d{1,3}|[A-Za-z]\d?)[.,):]\s*")
_LABEL = re.compile(r"(?!.*\d)(?=.*[^\W\d_]{2})\S+(?: \S+){0,6}")
_UPPER = 0.7  # of the paper below a label: the most of it that is above
_SMALLER = 0.9  # of the height of a value: that of a smaller label
_LEVEL = 0.3  # of a cell's height: the most by which cells of one row differ


@dataclass(frozen=True, slots=True)
class LayoutText:
    """Hold the text of a page, and the position of each word in it.

    Attributes:
        text: Lines joined by newlines; "" for no words. Not shown by `repr`.
        words: The words in the order of the text.
        spans: For each of *words* its ``[start, end)`` in *text*.
        lines: For each of *words* the number of its row on the page, from 0 in the order of *text*.
            A line of *text* is one row, but for a label and its value of a form's cell.
    """

    text: str = field(repr=False)
    words: tuple[Word, ...]
    spans: tuple[tuple[int, int], ...]
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """Hold words of one Tesseract line without a column gap; y is corrected for the slope."""

    words: list[Word]
    left: int
    right: int
    y: float
    height: float
    char: float  # width of a character
    cell: Box | None = None

    @property
    def long(self) -> bool:
        return len(self.words) > 3 and sum(len(word.text) + 1 for word in self.words) > 25


def layout_text(words: Sequence[Word]) -> LayoutText:
    """Convert words to text with lines and columns, as the module's docstring describes.

    Args:
        words: The words of one page in any order; words of only white space are ignored.

    Returns:
        The text, in which ``text[start:end] == word.text`` holds for every word.
    """
    runs = _runs([word for word in words if word.text.strip()])
    if not runs:
        return LayoutText("", (), (), ())
    char = median(run.char for run in runs)
    parts: list[str] = []
    placed: list[Word] = []
    spans: list[tuple[int, int]] = []
    lines: list[int] = []
    length = line = 0

    def put(text: str) -> None:
        nonlocal length
        parts.append(text)
        length += len(text)

    for region in _regions(runs):
        rows = _by_cells(_rows(region))
        margin = min(run.left for run in region)
        far = _far(rows)
        before: float | None = None
        for row in rows:
            if placed:
                put("\n\n" if before is None or row[0].y - before > far else "\n")
                line += 1
            before = row[-1].y
            begin = length
            indent = round((row[0].left - margin) / char)
            put(" " * indent if indent > 2 else "")
            last: _Run | None = None
            for run in row:
                if last and run.y - last.y > _BELOW * run.height:
                    put(" " * 3)
                    line += 1
                elif last and run.left - last.right > COLUMN * max(run.char, last.char):
                    column = round((run.left - margin) / char)
                    put(" " * max(3, column - (length - begin)))
                elif last:
                    put(" ")
                last = run
                for number, word in enumerate(run.words):
                    put(" " if number else "")
                    spans.append((length, length + len(word.text)))
                    lines.append(line)
                    placed.append(word)
                    put(word.text)
    return LayoutText("".join(parts), tuple(placed), tuple(spans), tuple(lines))


def _runs(words: Sequence[Word]) -> list[_Run]:
    by_line: dict[tuple[int, int, int], list[Word]] = defaultdict(list)
    for word in words:
        by_line[word.block, word.paragraph, word.line].append(word)
    slope = _slope(list(by_line.values()))
    # A word's box on a sloping line is higher than its letters.
    height = {id(w): max(1.0, w.box.height - abs(slope) * w.box.width) for w in words}
    typical = median(height.values()) if height else 1.0
    runs = []
    for line in by_line.values():
        line.sort(key=lambda word: word.box.left)
        # The box of a word lacks the space around its outer letters.
        char = median(max(word.box.width, 1) / (len(word.text) - 0.15) for word in line)
        start = 0
        for end in range(1, len(line) + 1):
            if (
                end < len(line)
                and line[end].cell == line[end - 1].cell
                and line[end].box.left - max(w.box.right for w in line[start:end]) <= COLUMN * char
            ):
                continue
            part = line[start:end]
            start = end
            runs.append(
                _Run(
                    part,
                    min(word.box.left for word in part),
                    max(word.box.right for word in part),
                    median(_middle(word) - slope * _centre(word) for word in part),
                    max(median(height[id(word)] for word in part), 0.6 * typical),
                    char,
                    part[0].cell,
                )
            )
    return runs


def _centre(word: Word) -> float:
    return (word.box.left + word.box.right) / 2


def _middle(word: Word) -> float:
    return (word.box.top + word.box.bottom) / 2


def _slope(lines: list[list[Word]]) -> float:
    """Return the slope of the page's lines, pixels down per pixel right, in [-0.1, 0.1]."""
    rise = run = 0.0
    for line in lines:
        x0, y0 = mean(map(_centre, line)), mean(map(_middle, line))
        rise += sum((_centre(word) - x0) * (_middle(word) - y0) for word in line)
        run += sum((_centre(word) - x0) ** 2 for word in line)
    return max(-0.1, min(0.1, rise / run)) if run else 0.0


def _rows(runs: list[_Run]) -> list[list[_Run]]:
    """Group runs to rows, from top to bottom; each row from left to right."""
    rows: list[list[_Run]] = []
    for run in sorted(runs, key=lambda run: run.y):
        near = [
            row
            for row in rows[-8:]
            if abs(mean(other.y for other in row) - run.y)
            <= 0.5 * min(run.height, *(other.height for other in row))
            and all(
                run.left > other.right - run.char or other.left > run.right - run.char
                for other in row
            )
        ]
        if near:
            min(near, key=lambda row: abs(mean(other.y for other in row) - run.y)).append(run)
        else:
            rows.append([run])
    for row in rows:
        row.sort(key=lambda run: run.left)
    return sorted(rows, key=lambda row: mean(run.y for run in row))


def _by_cells(rows: list[list[_Run]]) -> list[list[_Run]]:
    """Return *rows*, but those of a form's cells cell by cell, the label and its value in one."""
    found: list[list[_Run]] = []
    above: list[Box] = []
    for band in _bands(rows):
        cells: dict[Box, list[list[_Run]]] = defaultdict(list)
        for row in band:
            inside: dict[Box, list[_Run]] = defaultdict(list)
            for run in row:
                if run.cell:
                    inside[run.cell].append(run)
            for cell, runs in inside.items():
                cells[cell].append(runs)
        here = sorted(cells, key=lambda cell: cell.left)
        is_whole = all(run.cell for row in band for run in row)
        if not (is_whole and _is_form(cells)) or (above and _divided_alike(above, here)):
            found += band
            above = here
            continue
        above = []
        for parts in cells.values():
            found += [[run for part in parts[:2] for run in part], *parts[2:]]
    return found


def _bands(rows: list[list[_Run]]) -> list[list[list[_Run]]]:
    """Group successive rows that go through the same cells."""
    bands: list[list[list[_Run]]] = []
    reached: set[Box] = set()
    for row in rows:
        cells = {run.cell for run in row if run.cell}
        if bands and cells & reached:
            bands[-1].append(row)
            reached |= cells
        else:
            bands.append([row])
            reached = cells
    return bands


def _is_form(cells: Mapping[Box, list[list[_Run]]]) -> bool:
    """Check whether all cells begin with a label, and most with something below are set apart."""
    filled = [parts for parts in cells.values() if len(parts) > 1]
    apart = sum(_differs(parts[0], parts[1]) for parts in filled)
    return (
        bool(filled)
        and 2 * apart > len(filled)
        and all(_is_label(cell, parts[0]) for cell, parts in cells.items())
    )


def _differs(label: list[_Run], value: list[_Run]) -> bool:
    """Check whether a row is set in another way than the one below: no two lines of one value.

    It is smaller, numbered, in capitals or with a colon or a question mark, as labels are.
    """
    own, below = _said(label), _said(value)
    return (
        max(run.height for run in label) <= _SMALLER * max(run.height for run in value)
        or own.rstrip().endswith((":", "?"))
        or _NUMBERED.match(own) is not None
        or (own.isupper() and not below.isupper())
    )


def _is_label(cell: Box, runs: list[_Run]) -> bool:
    """Check whether the first row of a cell has no digits, and stands in its upper half."""
    if not _LABEL.fullmatch(_NUMBERED.sub("", _said(runs), count=1)):
        return False
    top = min(word.box.top for run in runs for word in run.words)
    bottom = max(word.box.bottom for run in runs for word in run.words)
    return top - cell.top <= _UPPER * (cell.bottom - bottom)


def _said(row: list[_Run]) -> str:
    """Return the words of a row."""
    return " ".join(word.text for run in row for word in run.words)


def _divided_alike(above: list[Box], below: list[Box]) -> bool:
    """Check whether cells stand below others that are as wide, as a table's below its head."""
    return len(above) == len(below) and all(
        max(abs(one.left - two.left), abs(one.right - two.right)) <= _LEVEL * two.height
        for one, two in zip(above, below, strict=True)
    )


def _far(rows: list[list[_Run]]) -> float:
    """Return the minimum distance of two rows that are separated by an empty line."""
    middles = [mean(run.y for run in row) for row in rows]
    height = median(run.height for row in rows for run in row)
    steps = [after - before for before, after in pairwise(middles)]
    common = median_low(steps) if steps else height
    return APART * max(height, min(common, 2 * height))


def _regions(runs: list[_Run]) -> list[list[_Run]]:
    """Split runs at gutters, in reading order: above, left of, right of and below each."""
    band = _gutter(runs)
    if band is None:
        return [runs] if runs else []
    gutter, top, bottom = band
    inside = [run for run in runs if top <= run.y <= bottom]
    return [
        *_regions([run for run in runs if run.y < top]),
        *_regions([run for run in inside if run.left + run.right < 2 * gutter]),
        *_regions([run for run in inside if run.left + run.right >= 2 * gutter]),
        *_regions([run for run in runs if run.y > bottom]),
    ]


def _gutter(runs: list[_Run]) -> tuple[float, float, float] | None:
    """Return x, top and bottom of the gutter between two columns of prose; None if none."""
    long = sorted((run for run in runs if run.long), key=lambda run: run.y)
    pairs = []
    for left in long:
        beside = [
            run
            for run in long
            if run.left > left.right and abs(run.y - left.y) < max(run.height, left.height)
        ]
        if beside:
            pairs.append((left, min(beside, key=lambda run: run.left)))
    if len(pairs) < 6:
        return None
    middles = sorted((left.right + right.left) / 2 for left, right in pairs)
    gutter = max(middles, key=lambda x: sum(a.right < x < b.left for a, b in pairs))
    crossing = sorted(run.y for run in runs if run.left < gutter < run.right)
    bands: dict[int, list[tuple[_Run, _Run]]] = defaultdict(list)
    for left, right in pairs:
        if left.right < gutter < right.left:
            bands[bisect(crossing, left.y)].append((left, right))
    for number, band in sorted(bands.items()):
        if len(band) < 6 or not (_fills(band, 0) and _fills(band, 1)):
            continue
        reach = 3 * median(left.height for left, _ in band)
        low = crossing[number - 1] if number else float("-inf")
        high = crossing[number] if number < len(crossing) else float("inf")
        heights = sorted(run.y for run in runs if low < run.y < high)
        top = bottom = band[0][0].y
        for y in reversed(heights):
            top = y if top - reach <= y < top else top
        for y in heights:
            bottom = y if bottom < y <= bottom + reach else bottom
        return gutter, top, bottom
    return None


def _fills(band: list[tuple[_Run, _Run]], side: int) -> bool:
    """Check that most lines of a column are nearly as wide as the widest."""
    widths = [pair[side].right - pair[side].left for pair in band]
    return sum(width > 0.75 * max(widths) for width in widths) >= 0.6 * len(widths)
