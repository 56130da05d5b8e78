"""Read tables whose headings tell what their columns hold, and the legends of their codes.

A table's heading is a line of three cells or more, of which three or a half are known headings,
above lines of as many columns. Columns are separated by blanks, tabs or ``|``. A legend explains
codes: a label, and behind it two codes or more with their meanings, ``Rel.: 1 Prot  2 Cath``. The
page has the codes as values, or the label says that they are codes; else it is a numbered list.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

Stretch = tuple[int, int]

_CELL = re.compile(r"\S+(?:[ \u00a0]\S+)*")
_RULE = re.compile(r"[\s|+_=:.-]*")  # a ruled line, or an empty one
_HEADING = re.compile(r"(?=.*[^\W\d_].{0,3}[^\W\d_])\D{2,24}")  # no number, no letter alone
_ROWS = 200  # of one table, at most
_EMPTY_ROWS = 2  # that end a table
_MISSED = 1  # lines in a row that have less than half of a table's columns
_LONG = 400  # characters; a longer line is no row
_FEWEST = 3  # cells of a heading
_HEADS = 2  # cells at a line's start that tell another heading
_LEAN = 3  # characters by which a cell may stand beside its heading


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: the stretches of its heading and of its cells that are not empty."""

    heading: Stretch
    cells: Sequence[Stretch]


def bare(text: str) -> str:
    """Return the letters and digits of a heading or a label, in lower case.

    >>> bare("Soc. Sec. No.")
    'socsecno'
    """
    return "".join(filter(str.isalnum, text.casefold()))


def table(text: str, start: int, end: int, is_known: Callable[[int, int], bool]) -> list[Column]:
    """Return the columns of the table whose heading is the line ``[start, end)``; [] if it is none.

    Args:
        text: The document.
        start: Offset of the line's first character.
        end: Offset after its last.
        is_known: Whether the text between two offsets is a heading.
    """
    if end - start > _LONG:
        return []
    delimiter = next((one for one in "|\t" if text.count(one, start, end) > 1), "")
    headings = _cells(text, start, end, delimiter)
    if any(not _HEADING.fullmatch(text, *cell) for cell in headings if cell[1] > cell[0]):
        return []
    known = [is_known(*cell) for cell in headings]
    if len(headings) < _FEWEST or sum(known) < min(_FEWEST, len(headings) / 2):
        return _flattened(text, start, end, is_known) if not delimiter else []
    columns: list[list[Stretch]] = [[] for _ in headings]
    missed = 0
    for first, last in _rows(text, end):
        cells = _cells(text, first, last, delimiter)
        if delimiter and text.count(delimiter, first, last) < 1:
            break
        if sum(is_known(*cell) for cell in cells[:_HEADS]) >= min(_HEADS, len(cells)):
            break  # the heading of another table
        placed = (
            list(enumerate(cells[: len(headings)]))
            if delimiter
            else _placed(cells, first, headings, start)
        )
        missed = 0 if 2 * len(placed) >= len(headings) else missed + 1
        if missed > _MISSED:
            break
        if missed:
            continue
        for index, cell in placed:
            if cell[1] > cell[0]:
                columns[index].append(cell)
    return [Column(*one) for one in zip(headings, columns, strict=True)]


def _cells(text: str, start: int, end: int, delimiter: str) -> list[Stretch]:
    """Return the cells of a line, those between delimiters with the empty ones."""
    if not delimiter:
        return [match.span() for match in _CELL.finditer(text, start, end)]
    cuts = [start - 1]
    cuts += [at for at in range(start, end) if text[at] == delimiter]
    cells = []
    for first, last in pairwise([*cuts, end]):
        cell = text[first + 1 : last]
        lead = len(cell) - len(cell.lstrip())
        cells.append((first + 1 + lead, max(first + 1 + lead, first + 1 + len(cell.rstrip()))))
    return cells


def _rows(text: str, end: int) -> Iterator[Stretch]:
    """Yield the lines below *end* that are neither empty nor ruled, up to the table's end."""
    empty = 0
    for _ in range(_ROWS):
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
        empty = 0
        yield start, end


def _placed(
    cells: Sequence[Stretch], start: int, headings: Sequence[Stretch], line: int
) -> list[tuple[int, Stretch]]:
    """Return the *cells* of a row with the index of the heading that each stands under.

    Where OCR shifted a row, its cells count in order if there are as many as headings.
    """
    found: list[tuple[int, Stretch]] = []
    for cell in cells:
        left, right = cell[0] - start, cell[1] - start
        gaps = [
            max(heading[0] - line - right + 1, left - (heading[1] - line) + 1, 0)
            for heading in headings
        ]
        nearest = min(range(len(gaps)), key=gaps.__getitem__)
        if gaps[nearest] <= _LEAN and gaps.count(gaps[nearest]) == 1:
            found.append((nearest, cell))
    indices = [index for index, _ in found]
    if len(cells) == len(headings) and indices != list(range(len(headings))):
        return list(enumerate(cells))
    return [one for one in found if indices.count(one[0]) == 1]


def _flattened(
    text: str, start: int, end: int, is_known: Callable[[int, int], bool]
) -> list[Column]:
    """Return the last columns of a table in which single blanks separate headings and codes."""
    words = [match.span() for match in re.finditer(r"\S+", text[start:end])]
    headings: list[Stretch] = []
    for first, last in reversed(words):
        if not is_known(start + first, start + last):
            break
        headings.insert(0, (start + first, start + last))
    if len(headings) < _FEWEST:
        return []
    columns: list[list[Stretch]] = [[] for _ in headings]
    for first, last in _rows(text, end):
        row = [match.span() for match in re.finditer(r"\S+", text[first:last])]
        heads = row[-len(headings) :]
        if len(row) < len(headings) or is_known(first + heads[0][0], first + heads[0][1]):
            break
        for column, (left, right) in zip(columns, row[-len(headings) :], strict=True):
            column.append((first + left, first + right))
    return [Column(*one) for one in zip(headings, columns, strict=True)]


# --- legends --------------------------------------------------------------------------------------

_ENTRY = (
    r"\(?(?P<code{0}>[A-Z]{{1,3}}|\d{{1,2}}|[a-z])\)?"
    r"(?: ?[=:)-] ?|[ ]{{1,2}}(?=[A-Za-z]))(?P<word{0}>[A-Za-z][^\s,;.=]{{1,20}})"
)
_LEGEND = re.compile(
    r"(?::| -| =|[Cc]odes?|CODES?|[Kk]ey|KEY)\s{1,3}(?P<entries>"
    + _ENTRY.format(1)
    + r"[^\n]{0,200})"
)
_BEFORE = re.compile(r"(?:\A|\n|  |[;.(] )[ \t]{0,20}\(?(?:[A-Za-z][\w./' &-]{0,24})?\Z")
_LABEL = 30  # characters before a legend in which its label begins
_OF_CODES = re.compile(r"(?i)\b(?:codes?|key|legend)\b\W*\Z")
_NEXT = re.compile(r"(?<![\w./-])" + _ENTRY.format(""))
_LINE = (
    r"\n[ \t]{{0,20}}\(?(?P<code{0}>[A-Z]{{1,3}}|\d{{1,2}})\)? {{0,3}}[=–-] {{0,3}}"
    r"(?P<word{0}>[A-Za-z][^\s=,?]{{0,30}})(?: [^\s=,?]{{1,30}}){{0,2}}[ \t]{{0,20}}(?=\n|\Z)"
)
_LISTED = re.compile(f"(?:{_LINE.format(1)})(?:{_LINE.format(2)})+")  # an entry a line
_LISTED_ENTRY = re.compile(_LINE.format(""))
_MEANING = re.compile(r"(?:[ ](?![ ])[^\s\d:]+)*")  # what goes on behind an entry's first word
_ENDS = re.compile(r"[^\S\n]{2}|\t|[,;]")  # behind a meaning
_OTHER_CELL = re.compile(r"(?:[^\S\n]{2,}|\t)\S")
_APART = 40  # characters between two entries, at most
_CODE = re.compile(r"(?<![^\s|])(?:[A-Z]{1,3}|\d{1,2}|[a-z])(?![^\s|])")  # a word that may be one
_USED = 2  # codes that stand in cells, at least, if no sign says that they are explained
_CUE = re.compile(r"([^\W\d_][\w./' -]{0,24})[:=][ \t]{0,3}\Z")

Codes = dict[str, set[str]]


@lru_cache(maxsize=4)
def legends(text: str) -> tuple[Stretch, ...]:
    r"""Return the stretches of *text* that explain codes, without their labels, in order.

    A list of codes and words is a legend if its label says so, or if its codes stand elsewhere on
    the page: alone in cells, or behind its label. All others state something, like diagnoses.

    >>> legends("R: 2   Age: 41\nR: 1 Prot  2 Cath  3 Jew"), legends("Ill: 1 Gout 2 Croup 3 Mumps")
    (((18, 39),), ())
    """
    found = []
    for match in _LEGEND.finditer(text):
        start, stop = match.span("entries")
        begin = max(0, match.start() - _LABEL)
        label = _BEFORE.search(text, begin, match.start())
        if not label:
            continue
        entries = _in_a_row(text, list(_NEXT.finditer(text, start, stop)))
        if _explains(text, entries):
            found.append((start, _end(text, entries[-1].end(), stop), label.group(), entries))
    for match in _LISTED.finditer(text):
        entries = list(_LISTED_ENTRY.finditer(text, *match.span()))
        if _explains(text, entries):
            line = text.rfind("\n", max(0, match.start() - _LABEL), match.start()) + 1
            label_of_list = text[line or max(0, match.start() - _LABEL) : match.start()]
            found.append((match.start() + 1, match.end(), label_of_list, entries))
    if not found:
        return ()
    found.sort(key=lambda one: one[:2])
    cells = _codes_in_use(text, [one[:2] for one in found])
    return tuple(
        (start, end)
        for start, end, label, entries in found
        if _OF_CODES.search(text, max(0, start - _LABEL), start)
        or _is_used(text, label, entries, cells)
    )


def _in_a_row(text: str, entries: Sequence[re.Match[str]]) -> Sequence[re.Match[str]]:
    """Return the first of *entries* between which nothing else stands."""
    for index, (one, other) in enumerate(pairwise(entries), 1):
        between = text[one.end() : other.start()]
        if len(between) > _APART or _OTHER_CELL.search(between):
            return entries[:index]
    return entries


def _end(text: str, start: int, stop: int) -> int:
    """Return the end of the meaning that a legend's last entry begins."""
    other = _ENDS.search(text, start, stop)
    end = other.start() if other else stop
    meaning = _MEANING.match(text, start, end)
    return end if meaning and not text[meaning.end() : end].strip(" .)") else start


def _codes_in_use(text: str, explained: Sequence[Stretch]) -> Codes:
    """Return the codes outside of the stretches *explained*, each with the labels before it.

    An empty label stands for a cell: the code is alone between blanks, and not first of its line,
    where it would number what follows.
    """
    found: Codes = {}
    last = -1, -1
    for match in _CODE.finditer(text):
        start, end = match.span()
        before, last = last, (start, end)
        at = bisect_right(explained, (start, len(text)))
        if at and start < explained[at - 1][1]:
            continue
        lead, rest = text[max(0, start - 2) : start], text[end : end + 2]
        ends = rest[:1] in "\n\t|" or rest[1:].isspace() or rest == " |"
        if cue := _CUE.search(text, max(0, start - _LABEL), start) if ends else None:
            found.setdefault(match.group(), set()).add(bare(cue[1]))
        begins = "\n" not in lead and (lead[-1:] in ("\t", "|") or (lead.isspace() and lead[1:]))
        begins = begins or lead == "| " or before[1] == start - 1  # a row of codes
        line = text.rfind("\n", max(0, start - _LABEL), start) + 1
        if ends and begins and text[max(line, start - _LABEL) : start].strip():
            found.setdefault(match.group(), set()).add("")
    return found


def _is_used(text: str, label: str, entries: Sequence[re.Match[str]], cells: Codes) -> bool:
    """Return whether the page has the codes of *entries* as values."""
    used = [cells[entry["code"]] for entry in entries if entry["code"] in cells]
    if not used:
        return False
    if "=" in text[entries[0].end("code") : entries[0].start("word")]:
        return True
    own = bare(label)
    return sum("" in labels for labels in used) >= _USED or any(own in labels for labels in used)


def _explains(text: str, entries: Sequence[re.Match[str]]) -> bool:
    """Return whether *entries* are codes with meanings: with a sign, numbered, or by initials."""
    if len(entries) < 2 or len({one["code"] for one in entries}) < len(entries):
        return False
    signs = {text[one.end("code") : one.start("word")].strip() for one in entries}
    codes = [one["code"] for one in entries]
    if any(map(str.isdigit, codes)) and any(sign in {")", ":"} for sign in signs):
        return False  # numbered statements
    if len(signs) == 1 and all(signs):
        return True
    if all(code.isdigit() for code in codes):
        first = int(codes[0])
        in_order = [int(code) for code in codes] == list(range(first, first + len(codes)))
        names = all(one["word"][0].isupper() for one in entries)
        return in_order and first < 2 and (names or len(entries) > 2)
    begins = sum(one["code"][0].lower() == one["word"][0].lower() for one in entries)
    return len(entries) > 2 and 2 * begins > len(entries)
