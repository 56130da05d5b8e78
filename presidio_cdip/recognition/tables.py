"""Read tables whose headings tell what their columns hold.

A table's heading is a line of three cells or more, of which three or a half are known headings,
above lines of as many columns. Columns are separated by blanks, tabs, ``|``, or as in CSV by commas
or semicolons, with quoted cells. Where single blanks separate known headings, cells are cut where
the headings begin. A row without a first cell, and with fewer cells, goes on with the row above it.

A turned table has its headings in the first column: its rows are read as columns.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

Stretch = tuple[int, int]
Cell = tuple[Stretch, ...]
"""The stretches of a cell: one, or one for each of its lines."""

_CELL = re.compile(r"\S+(?:[^\S\n\t]\S+)*")
_WORD = re.compile(r"\S+")
_RULE = re.compile(r"[\s|+_=:.-]*")  # a ruled line, or an empty one
_NUMBER = re.compile(r"(?<![^\W\d])(?<![^\W\d_] )\d|\d\d")  # but "address1", "line 2"
_HEADING = re.compile(  # no letter alone
    r"(?=.*[^\W\d_].{0,3}[^\W\d_])(?:.{2,24}|.{2,20} ?\([^()]{1,16}\))"
)
_ROWS = 200  # of one table, at most
_ROWS_OF_FIELDS = 100_000  # of one with delimiters
_EMPTY_ROWS = 3  # that end a table
_MISSED = 1  # lines in a row that have less than half of a table's columns
_REMARKS = 3  # the same of one cell, where the row behind them has its cells where the others have
_LONG = 400  # characters; a longer line is no row
_FEWEST = 3  # cells of a heading
_HEADS = 2  # cells at a line's start that tell another heading
_WIDEST = 48  # characters of a heading, or of some that single blanks separate
_MOST_WORDS = 4  # of one of these
_MOST_ALIKE = 1  # cells of a column that are written like headings, as "married"
_LEAN = 3  # characters by which a cell may stand beside its heading
_STEP = 1  # characters by which words that begin under a heading may stand beside its beginning
_ITEM = re.compile(r"\(?\d{1,2}[.)](?: |\Z)")  # the number of a form's next item
_RUNS = {  # in order: what stands for small letters is one
    sign: re.compile(f"[{of}]+") for sign, of in (("a", "a-zß-ÿ"), ("A", "A-ZÀ-Þ"), ("9", "0-9"))
}
_SHAPED = 20  # cells of a column whose shapes a row behind other lines is compared with
_EXPLAINED = re.compile(r"[^\W\d_]: |=")  # in a legend, or a field of a form
_LINES = 4  # of a cell, at most
_QUOTED = re.compile(r'[ ]*"((?:[^"\n]|""){0,200})"[ ]*(?=[,;]|\Z)')

IsKnown = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: the stretch of its heading, and its cells that are not empty."""

    heading: Stretch
    cells: Sequence[Cell]


@lru_cache(maxsize=4096)
def bare(text: str) -> str:
    """Return the letters and digits of a heading or a label, in lower case.

    >>> bare("Soc. Sec. No.")
    'socsecno'
    """
    return "".join(filter(str.isalnum, text.casefold()))


def table(text: str, start: int, end: int, is_known: IsKnown) -> list[Column]:
    """Return the columns of the table whose heading is the line ``[start, end)``; [] if it is none.

    Args:
        text: The document.
        start: Offset of the line's first character.
        end: Offset after its last.
        is_known: Whether the text between two offsets is a heading.
    """
    if end - start > _LONG:
        return []
    columns = _columns(text, start, end, is_known)
    if _NUMBER.search(text, start, end):  # then it is rather a row
        known = sum(is_known(*column.heading) for column in columns)
        return columns if known >= _FEWEST else []
    return columns


def _columns(text: str, start: int, end: int, is_known: IsKnown) -> list[Column]:
    for delimiter in "|\t":
        if text.count(delimiter, start, end) > 1:
            return _delimited(text, start, end, delimiter, is_known)
    for delimiter in ",;":
        if text.count(delimiter, start, end) > 1 and (
            columns := _delimited(text, start, end, delimiter, is_known)
        ):
            return columns
    return _aligned(text, start, end, is_known) or _flattened(text, start, end, is_known)


def _is_head(text: str, cells: Sequence[Stretch], is_known: IsKnown) -> bool:
    """Return whether *cells* are a table's heading."""
    if len(cells) < _FEWEST:
        return False
    if any(not _HEADING.fullmatch(text, *cell) for cell in cells if cell[1] > cell[0]):
        return False
    return sum(is_known(*cell) for cell in cells) >= min(_FEWEST, len(cells) / 2)


def _ends(text: str, cells: Sequence[Stretch], is_known: IsKnown) -> bool:
    """Return whether *cells* are the heading of another table.

    A row may begin with words that are headings elsewhere: "Boarder  Married  M  34".
    """
    if sum(is_known(*cell) for cell in cells[:_HEADS]) < min(_HEADS, len(cells)):
        return False
    return len(cells) < _FEWEST or _is_head(text, cells, is_known)


def _delimited(text: str, start: int, end: int, delimiter: str, is_known: IsKnown) -> list[Column]:
    headings = fields(text, start, end, delimiter)
    if not _is_head(text, headings, is_known):
        return []
    columns: list[list[Cell]] = [[] for _ in headings]
    exact = delimiter in ",;"  # stand in sentences, too
    at = next(index for index, cell in enumerate(headings) if is_known(*cell))
    own = text[slice(*headings[at])]
    missed = 0
    for first, last, _ in _rows(text, end, _ROWS_OF_FIELDS):
        cells = fields(text, first, last, delimiter)
        if exact and len(cells) > len(headings):
            cells = _within_sentences(text, cells, len(headings))
        if len(cells) > 1 and _ends(text, cells, is_known):
            break
        if at < len(cells) and text[slice(*cells[at])] == own:
            break  # the heading again
        is_row = 2 * len(cells) >= len(headings)
        if exact and len(cells) != len(headings):
            is_row = is_row and not _has_blanks(text, cells)
        if missed and is_row and any(columns) and not _is_shaped(text, cells, columns):
            break
        missed = 0 if is_row else missed + 1
        if missed > _REMARKS:
            break
        for column, cell in zip(columns, cells, strict=False):
            if cell[1] > cell[0] and not missed:
                column.append((cell,))
    if exact and not any(columns):
        return []
    return [Column(*one) for one in zip(headings, columns, strict=True)]


def _is_shaped(text: str, cells: Sequence[Stretch], columns: Sequence[Sequence[Cell]]) -> bool:
    """Return whether one of *cells* has the capitals, letters and digits of one of its column."""
    return any(
        end > start
        and _shape(text[start:end]) in {_shape(text[slice(*one[0])]) for one in column[:_SHAPED]}
        for (start, end), column in zip(cells, columns, strict=False)
    )


def _shape(cell: str) -> str:
    """Return *cell* with one sign for each run of capitals, of small letters and of digits.

    >>> _shape("Hale, Tom"), _shape("4/11/1951"), _shape("RC")
    ('Aa, Aa', '9/9/9', 'A')
    """
    for sign, run in _RUNS.items():
        cell = run.sub(sign, cell)
    return cell


def _has_blanks(text: str, cells: Sequence[Stretch]) -> bool:
    """Return whether a blank follows what would separate *cells*."""
    return any(text[start - 1].isspace() for start, end in cells[1:] if end > start)


def _within_sentences(text: str, cells: list[Stretch], many: int) -> list[Stretch]:
    """Return *cells* without cuts at a comma that a blank follows, if *many* are left.

    Such a comma is one of a sentence. Empty cells at the end that are too many are left out first.

    >>> _within_sentences("41,stroke, left side,M", [(0, 2), (3, 9), (11, 20), (21, 22)], 3)
    [(0, 2), (3, 20), (21, 22)]
    """
    while len(cells) > many and cells[-1][0] == cells[-1][1]:
        cells = cells[:-1]
    joined = [cells[0]]
    for start, end in cells[1:]:
        if text[start - 1] == " " and end > start:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined if len(joined) == many else cells


def turned(text: str, start: int, end: int, is_known: IsKnown) -> tuple[list[Column], int]:
    """Return the rows of the table that has the line ``[start, end)`` and its headings first.

    Of its rows half have a known heading. In forms with two fields on a line other cells are
    headings, too, in one place of more than one row. The first row may have none. Where the line is
    in no such table there are none.

    Args:
        text: The document.
        start: Offset of the line's first character.
        end: Offset after its last.
        is_known: Whether the text between two offsets is a heading.

    Returns:
        The rows, and the end of the lines that were read, for each of which the result is the same.
    """
    delimiter = next((one for one in "|\t,;" if text.count(one, start, end) > 1), "")

    def row(first: int, last: int) -> list[Stretch]:
        if last - first > _LONG:
            return []
        cells = fields(text, first, last, delimiter) if delimiter else cells_of(text, first, last)
        if delimiter == "|" and cells and not text[slice(*cells[0])]:
            cells = cells[1:]  # a line that begins and ends with a stroke
        return cells if sum(b > a for a, b in cells) > 1 else []

    own = row(start, end)
    if len(own) < _FEWEST or not is_known(*own[0]) or any(is_known(*cell) for cell in own[1:]):
        return [], end
    rows, first = [own], start
    while (
        first
        and len(rows) < _ROWS
        and (cells := row(above := text.rfind("\n", 0, first - 1) + 1, first - 1))
    ):
        if len(cells) == len(own) - 1 and not delimiter and cells[0][0] - above > own[0][1] - start:
            rows.insert(0, [(above, above), *cells])
            break
        if not _is_alike(cells, own, exact=bool(delimiter)):
            break
        rows.insert(0, cells)
        first = above
    for below, last, apart in _rows(text, end):
        cells = row(below, last)
        if apart or not _is_alike(cells, own, exact=bool(delimiter)):
            break
        rows.append(cells)
        end = last
    headings = [cells[0] for cells in rows]
    known = sum(is_known(*heading) for heading in headings)
    others = Counter(
        at for cells in rows for at, cell in enumerate(cells) if at and is_known(*cell)
    )
    if known < max(_HEADS, len(rows) / 2) or max(others.values(), default=0) > _MOST_ALIKE:
        return [], end
    found = [
        Column(cells[0], [(cell,) for cell in cells[1:] if cell[1] > cell[0]]) for cells in rows
    ]
    return found, end


def _is_alike(cells: Sequence[Stretch], own: Sequence[Stretch], *, exact: bool) -> bool:
    """Return whether a row with *cells* is one of the table of another with the cells *own*.

    Where blanks separate them, one may be missing.
    """
    return len(cells) in ((len(own),) if exact else (len(own) - 1, len(own), len(own) + 1))


def fields(text: str, start: int, end: int, delimiter: str) -> list[Stretch]:
    """Return the cells of a line between *delimiter*, the empty ones too, without quotes.

    >>> fields('"Roe, Ann",,41', 0, 14, ",")
    [(1, 9), (11, 11), (12, 14)]
    """
    cells = []
    first = start
    while first <= end:
        if delimiter in ",;" and (quoted := _QUOTED.match(text, first, end)):
            cells.append(quoted.span(1))
            first = quoted.end() + 1
            continue
        last = text.find(delimiter, first, end)
        last = end if last < 0 else last
        cell = text[first:last]
        left = first + len(cell) - len(cell.lstrip())
        cells.append((left, max(left, first + len(cell.rstrip()))))
        first = last + 1
    return cells


def _rows(text: str, end: int, most: int = _ROWS) -> Iterator[tuple[int, int, bool]]:
    """Yield the lines below *end* that are neither empty nor ruled, up to the table's end.

    With each goes whether it follows an empty line.
    """
    empty = 0
    for _ in range(most):
        if end >= len(text):
            return
        start = end + 1
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if end - start > _LONG:
            return
        if _RULE.fullmatch(text, start, end):
            empty += not text[start:end].strip()
            if empty >= _EMPTY_ROWS:
                return
            continue
        yield start, end, empty > 0
        empty = 0


def cells_of(text: str, start: int, end: int) -> list[Stretch]:
    """Return the cells of a line, which two blanks or a tab separate."""
    return [match.span() for match in _CELL.finditer(text, start, end)]


def _aligned(text: str, start: int, end: int, is_known: IsKnown) -> list[Column]:
    """Return the columns of a table in which blanks separate cells."""
    printed = cells_of(text, start, end)
    if len(printed) < 2 or any(last - first > _WIDEST for first, last in printed):
        return []
    headings = [part for cell in printed for part in _known_parts(text, *cell, is_known)]
    if not _is_head(text, headings, is_known):
        return []
    places = [(first - start, last - start) for first, last in headings]
    rows = []
    for row in _rows(text, end):
        if _ends(text, cells_of(text, *row[:2]), is_known):
            break  # the heading of another table
        rows.append(row)
    steps = _steps(text, rows, places, narrow=len(headings) > len(printed))
    columns: list[list[Cell]] = [[] for _ in headings]
    above: dict[int, Cell] = {}
    missed = lines = 0
    remarks, begun, items = True, False, False
    lefts = [{left} for left, _ in places]
    # Headings alone have capitals: a line of capitals is another heading.
    capitals = text[start:end].isupper() and bool(rows) and not text[slice(*rows[0][:2])].isupper()
    for first, last, apart in rows:
        cells = cells_of(text, first, last)
        if capitals and text[first:last].isupper() and _are_words(text, cells) and len(cells) > 1:
            break
        if (is_item := bool(_ITEM.match(text, *cells[0]))) and begun and not items:
            break  # the form goes on below the table
        begun, items = True, items or is_item
        is_row = len(cells) > 1 or not _EXPLAINED.search(text, *cells[0])
        if is_row and len(cells) < len(headings):
            cells = _cut(text, cells, first, steps)
        placed = _placed(cells, first, places) if is_row else []
        if apart and above and not _fits(placed, first, lefts):
            break
        if above and lines < _LINES and (goes_on := _going_on(cells, placed, above)):
            lines += 1
            for index, cell in goes_on:
                columns[index].remove(above[index])
                above[index] = (*above[index], cell)
                columns[index].append(above[index])
            continue
        is_row = 2 * len(placed) >= len(headings)
        if is_row and missed > _MISSED and not _fits(placed, first, lefts, wholly=True):
            break
        missed = 0 if is_row else missed + 1
        remarks = is_row or (remarks and len(cells) == 1)
        if missed > (_REMARKS if remarks else _MISSED):
            break
        above, lines = {}, 1
        if missed:
            continue
        for index, cell in placed:
            above[index] = (cell,)
            columns[index].append((cell,))
            lefts[index].add(cell[0] - first)
    return [Column(*one) for one in zip(headings, columns, strict=True)]


def _known_parts(text: str, start: int, end: int, is_known: IsKnown) -> list[Stretch]:
    """Return the headings in a cell: itself, or if it is not known, the known ones that make it.

    "Office, remarks" is one.
    """
    if is_known(start, end) or " " not in text[start:end] or ", " in text[start:end]:
        return [(start, end)]
    words = [match.span() for match in _WORD.finditer(text, start, end)]
    parts: list[Stretch] = []
    at = 0
    while at < len(words):
        until = next(
            (
                to
                for to in range(min(len(words), at + _MOST_WORDS), at, -1)
                if is_known(words[at][0], words[to - 1][1])
            ),
            None,
        )
        if until is None:
            return [(start, end)]
        parts.append((words[at][0], words[until - 1][1]))
        at = until
    return parts


def _steps(
    text: str, rows: Sequence[tuple[int, int, bool]], places: Sequence[Stretch], narrow: bool
) -> list[tuple[int, int]]:
    """Return where headings begin at which cells may be cut, and by how much words may be beside.

    In a table with *narrow* gaps these are all; else those where a word begins in all rows.
    """
    if narrow:
        return [(left, _LEAN) for left, _ in places[1:]]
    return [
        (left, _STEP)
        for left, _ in places[1:]
        if all(_begins(text, first, last, first + left, _STEP) for first, last, _ in rows)
    ]


def _begins(text: str, start: int, end: int, at: int, lean: int) -> int | None:
    """Return where in the row ``[start, end)`` the word nearest to *at* begins, or None."""
    near = [
        one
        for one in range(max(start + 1, at - lean), min(end, at + lean + 1))
        if text[one - 1] in " \u00a0" and not text[one].isspace()
    ]
    return min(near, key=lambda one: abs(one - at), default=None)


def _cut(
    text: str, cells: Sequence[Stretch], line: int, steps: Sequence[tuple[int, int]]
) -> list[Stretch]:
    """Return *cells*, cut at the *steps* that they reach over."""
    found: list[Stretch] = []
    for start, end in cells:
        first = start
        for left, lean in steps:
            at = _begins(text, start, end, line + left, lean)
            if at is not None and first < at < end:
                found.append((first, first + len(text[first:at].rstrip())))
                first = at
        found.append((first, end))
    return found


def _fits(
    placed: Sequence[tuple[int, Stretch]],
    line: int,
    lefts: Sequence[set[int]],
    wholly: bool = False,
) -> bool:
    """Return whether half of the cells of a row, or all, begin where others of their columns do."""
    fit = sum(
        any(abs(cell[0] - line - left) <= _STEP for left in lefts[index]) for index, cell in placed
    )
    return fit == len(placed) if wholly else 2 * fit > len(placed)


def _going_on(
    cells: Sequence[Stretch],
    placed: Sequence[tuple[int, Stretch]],
    above: dict[int, Cell],
) -> Sequence[tuple[int, Stretch]]:
    """Return the cells of a row that goes on with the row *above*; none if it does not.

    It has no first cell, and each other stands under one of the row above.
    """
    if len(cells) != len(placed) or 0 not in above:
        return ()
    return placed if all(index and index in above for index, _ in placed) else ()


def _are_words(text: str, cells: Sequence[Stretch]) -> bool:
    """Return whether *cells* may be headings, as none with a number or a code may."""
    return all(_HEADING.fullmatch(text, *cell) for cell in cells) and not any(
        map(str.isdigit, text[cells[0][0] : cells[-1][1]])
    )


def _placed(
    cells: Sequence[Stretch], start: int, places: Sequence[Stretch]
) -> list[tuple[int, Stretch]]:
    """Return the *cells* of a row with the index of the heading that each stands under.

    Where OCR shifted a row, its cells count in order if there are as many as headings.
    """
    found: list[tuple[int, Stretch]] = []
    for cell in cells:
        left, right = cell[0] - start, cell[1] - start
        gaps = [max(place[0] - right + 1, left - place[1] + 1, 0) for place in places]
        nearest = min(range(len(gaps)), key=gaps.__getitem__)
        if gaps[nearest] <= _LEAN and gaps.count(gaps[nearest]) == 1:
            found.append((nearest, cell))
    indices = [index for index, _ in found]
    if len(cells) == len(places) and indices != list(range(len(places))):
        return list(enumerate(cells))
    return [one for one in found if indices.count(one[0]) == 1]


def _flattened(text: str, start: int, end: int, is_known: IsKnown) -> list[Column]:
    """Return the last columns of a table in which single blanks separate headings and codes."""
    words = [match.span() for match in _WORD.finditer(text, start, end)]
    headings: list[Stretch] = []
    for first, last in reversed(words):
        if not is_known(first, last):
            break
        headings.insert(0, (first, last))
    if len(headings) < _FEWEST:
        return []
    columns: list[list[Cell]] = [[] for _ in headings]
    for first, last, _ in _rows(text, end):
        row = [match.span() for match in _WORD.finditer(text, first, last)]
        heads = row[-len(headings) :]
        if len(row) < len(headings) or is_known(*heads[0]):
            break
        for column, cell in zip(columns, heads, strict=True):
            column.append((cell,))
    return [Column(*one) for one in zip(headings, columns, strict=True)]
