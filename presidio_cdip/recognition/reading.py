"""Read the layout of a text: lines, cells, labels, and the values right of a label or below it."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from unicodedata import category

from presidio_cdip.pack.confusions import LIKELY, ROUND
from presidio_cdip.pack.language import english
from presidio_cdip.recognition.breaks import is_below
from presidio_cdip.recognition.folding import Words
from presidio_cdip.recognition.patterns import Pattern
from presidio_cdip.recognition.tables import fields

REACH = 240  # characters: the greatest distance of a value from its cue, and its greatest length
_LINES_BELOW = 4  # lines below that may continue one value
_ROWS = 200  # rows of a table that its heading applies to
_MOST_LABELS = 24  # lines in a paragraph of labels or of answers
_LONG_LINE = 2000  # characters; a longer line is prose without line ends, not a form with cells

_CELL = re.compile(r"[^\s]+(?:[^\S\n\t]{1,2}[^\s]+)*")
_LINE_END = re.compile(r"\n")
# "Spouse's employer:", "No. of cars:" at the start of a line or a cell: a label no rule knows.
# Labels between the lines of one address do not count.
_LABEL = re.compile(
    r"(?:^|(?<=[;|\t] )|(?<=\s\s))"
    rf"(?!(?i:{'|'.join(english().labels['within_address'])})\b)"
    r"[^\W_][\w.'’/&#-]{0,24}(?: [\w.'’/&#()-]{1,24}){0,4} ?:(?![\d/])",
    re.M,
)
# Between a house number and this a word is part of a street's name, not a label: "12 Home Street".
_HOUSE = re.compile(r"\d[A-Za-z]? (?:[NSEW]\.? )?\Z")
_OF_STREET = re.compile(rf" (?:{'|'.join(english().streets['behind_labels'])})\b")
_NUMBER = re.compile(r"(?<![\w.])\(?([1-9]\d?)[a-z]?[.)] {0,2}\Z")  # field number before a label
_PREPOSITION = re.compile(r" (?:in|at|on|of|to|from|near|with|by|for)\Z")
# before a printed option
_BOX = re.compile(r"(?:\[ {0,3}[xX✓✔*]? {0,3}\]|\( {0,3}[xX✓✔*]? {0,3}\)|[☐☒☑]) {0,3}\Z")
_FIELDS_SKIPPED = 4  # how far the numbers of two fields with known labels may differ
# "(month, day, year)" after a label; "(919)" is an area code, and a part of the value.
_AREA = rf"(?:[\d{ROUND}]{{3}}|(?=\D{{0,2}}\d)[\d{LIKELY}]{{3}})"
HINT = rf"\((?! ?{_AREA} ?\))[^()\n]{{0,60}}\)"
# A hint of three words or more that tells how to fill in a field.
_LONG_HINT = re.compile(r" ?\((?=[^()\n]{1,30} [^()\n]{1,30} )[^()\n\d:?]{8,60}\)")
BLANK = r"[ \t\u00a0.:;=\-–—_#|>*/\"'“”\[\](){}?…]"  # characters between a label and its value
_NOTHING = re.compile(rf"(?:{HINT}|{BLANK}|,)*")
_LEAD = re.compile(rf"(?:{HINT}|[ \t\u00a0.:;=\-–—_|>,])*")  # certainly part of the label


# Characters that rules need not know, mapped one to one to plain characters, so that offsets stay
# the same.
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u1680\u202f\u205f\u3000", " "),
        **dict.fromkeys(map(chr, range(0x2000, 0x200B)), " "),
        **dict.fromkeys(map(chr, (*range(9), *range(14, 32), 127)), " "),  # controls
        **dict.fromkeys("\r\x0b\x0c\x85\u2028\u2029", "\n"),
        **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
        **dict.fromkeys(map(chr, range(0xD800, 0xE000)), "\ufffd"),  # lone surrogates: no UTF-8
        "İ": "I",
        "ı": "i",
        "\u180e": "´",
        "\u2044": "/",
        "\u2215": "/",
        "\u2010": "-",
        "\u2011": "-",
        "\u2018": "'",
        "\u2019": "'",
    }
)


_MARKS = ("Mn", "Pc")  # combining marks and joining punctuation


def plain(text: str) -> str:
    r"""Return *text* with all kinds of line ends, blanks and digits replaced by the plain ones.

    >>> plain("Age:\u00a046\r\n") == "Age: 46 \n"
    True
    """
    return text.replace("\r\n", " \n").translate(_PLAIN)


def for_rules(text: str) -> str:
    """Return *text* as rules read it: `plain`, with ``´`` for each combining mark.

    For PCRE2 a combining mark is part of a word; for `re` it is not.
    """
    text = plain(text)
    if text.isascii():
        return text
    marks = {ord(char): "´" for char in set(text) if char > "\x7f" and category(char) in _MARKS}
    return text.translate(marks) if marks else text


def line_cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the cells of the line ``[start, end)``, separated by three blanks or a tab."""
    if end - start > _LONG_LINE:
        return [(start, end)]
    return [match.span() for match in _CELL.finditer(text, start, end)]


@dataclass(frozen=True, slots=True)
class View:
    """Stretches of a document, joined by line ends into a text that a value can be matched in.

    Attributes:
        text: The stretches, joined.
        parts: For every stretch its offset in the document and in `text`.
        document: The document.
    """

    text: str
    parts: Sequence[tuple[int, int]]
    document: str

    @classmethod
    def of(cls, document: str, stretches: Sequence[tuple[int, int]]) -> "View":
        """Return the view of ``[start, end)`` stretches of *document*, in order."""
        parts, texts, at = [], [], 0
        for start, end in stretches:
            parts.append((start, at))
            texts.append(document[start:end])
            at += end - start + 1
        return cls("\n".join(texts), parts, document)

    def origin(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return where ``[start, end)`` of `text` stands in the document.

        The result has a stretch for every part; parts with only blanks between them in the document
        are one.
        """
        found: list[tuple[int, int]] = []
        for index, (there, here) in enumerate(self.parts):
            after = self.parts[index + 1][1] - 1 if index + 1 < len(self.parts) else len(self.text)
            first, last = max(start, here), min(end, after)
            if first >= last:
                continue
            begin, stop = there + first - here, there + last - here
            if found and not self.document[found[-1][1] : begin].strip():
                begin = found.pop()[0]
            found.append((begin, stop))
        return found


@dataclass(frozen=True, slots=True)
class Label:
    """A cue at its place in the text, or a label that no rule knows.

    Attributes:
        start: Offset of its first character, including the number of its field: "7. Age".
        end: Offset after its last.
        cues: The cues it may be, as their rule files write them; none for an unknown label.
        cue_start: Offset of the cue's first character.
    """

    start: int
    end: int
    cues: Sequence[str] = ()
    cue_start: int = 0


@dataclass(slots=True)
class Reading:
    """One document, its words and its labels, and the views from a label to its values."""

    text: str
    words: Words
    labels: list[Label] = field(default_factory=list)
    _line_starts: list[int] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _cells: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    _runs: dict[int, tuple[int, int]] = field(default_factory=dict)
    _held: dict[Pattern, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> "Reading":
        """Read *text*; `place` sets its labels later."""
        lines = [0, *(match.end() for match in _LINE_END.finditer(text))]
        return cls(text, Words.of(text), _line_starts=lines)

    def place(self, cues: Sequence[Label]) -> None:
        """Set the labels: *cues*, in order, and between them the labels that no rule knows."""
        cues = [cue for cue in cues if not self._in_address(cue) and self._in_column(cue)]
        cues = list(self._not_in_hints(cues))
        unknown, index = [], 0
        for match in _LABEL.finditer(self.text):
            while index < len(cues) and cues[index].end <= match.start():
                index += 1
            if index == len(cues) or cues[index].start >= match.end():
                unknown.append(Label(match.start(), match.end(), (), match.start()))
        labels = sorted([*cues, *unknown], key=lambda label: label.start)
        self.labels = list(self._with_numbers(labels))
        self._starts = [label.start for label in self.labels]
        self._find_runs()

    def _with_numbers(self, labels: Sequence[Label]) -> Iterator[Label]:
        """Yield *labels*, extended by a field number at a line's start or next in the numbering."""
        last = -_FIELDS_SKIPPED
        for label in labels:
            number = _NUMBER.search(self.text, max(0, label.start - 8), label.start)
            if number:
                line_start, _ = self.line(number.start())
                indent = number.start() - line_start
                first = indent <= 80 and not self.text[line_start : number.start()].strip()
                if first or last < int(number[1]) <= last + _FIELDS_SKIPPED:
                    last = int(number[1])
                    yield replace(label, start=number.start())
                    continue
            yield label

    def _not_in_hints(self, cues: Iterable[Label]) -> Iterator[Label]:
        """Yield *cues* except any in a label's hint: "Nationality (if not U.S. give visa)"."""
        hint_end = 0
        for cue in cues:
            if cue.start < hint_end:
                continue
            yield cue
            hint = _LONG_HINT.match(self.text, cue.end)
            hint_end = hint.end() if hint else 0

    def _in_address(self, cue: Label) -> bool:
        if self.text[cue.end : cue.end + 4].lower() == " box":  # "Post Office Box 61"
            return True
        return bool(
            _OF_STREET.match(self.text, cue.end)
            and _HOUSE.search(self.text, max(0, cue.start - 8), cue.start)
        )

    def _in_column(self, cue: Label) -> bool:
        """Return whether a cue over a line's end goes on below its own cell."""
        end = self.text.find("\n", cue.start, cue.end)
        if end < 0:
            return True
        rest = self.text[end : cue.end]
        return is_below(self.text, end, end + len(rest) - len(rest.lstrip()))

    def has(self, pattern: Pattern) -> bool:
        """Return whether *pattern* is found anywhere; it is searched for only once."""
        if pattern not in self._held:
            self._held[pattern] = pattern.search(self.text) is not None
        return self._held[pattern]

    def line(self, offset: int) -> tuple[int, int]:
        """Return start and end of the line that contains *offset*, without its line end."""
        index = bisect_right(self._line_starts, offset) - 1
        return self._bounds(index)

    def _bounds(self, index: int) -> tuple[int, int]:
        start = self._line_starts[index]
        end = (
            self._line_starts[index + 1] - 1
            if index + 1 < len(self._line_starts)
            else len(self.text)
        )
        return start, max(start, end)

    def cells(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the cells of a line, separated by three blanks or a tab."""
        if start not in self._cells:
            self._cells[start] = line_cells(self.text, start, end)
        return self._cells[start]

    def next_label(self, offset: int) -> int:
        """Return the start of the first label at *offset* or after it; else the text's length."""
        index = bisect_right(self._starts, offset - 1)
        return self._starts[index] if index < len(self._starts) else len(self.text)

    def labels_between(self, start: int, end: int) -> int:
        """Return the number of labels that start in ``[start, end)``."""
        return bisect_right(self._starts, end - 1) - bisect_right(self._starts, start - 1)

    def is_empty(self, start: int, end: int) -> bool:
        """Return whether ``[start, end)`` has only blanks, punctuation and a hint in brackets."""
        match = _NOTHING.match(self.text, start, end)
        return match is not None and match.end() >= end

    def right(self, label: Label) -> View | None:
        """Return the rest of the label's line up to the next label; None if it is empty."""
        _, line_end = self.line(label.end)
        end = min(line_end, label.end + REACH, self.next_label(label.end))
        if self.is_empty(label.end, end):
            return None
        return View.of(self.text, [(label.end, end)])

    def block(self, label: Label) -> View | None:
        """Return the rest of the label's cell and the cells below that continue it."""
        _, line_end = self.line(label.end)
        end = min(line_end, label.end + REACH, self.next_label(label.end))
        if self.is_empty(label.end, end):
            return None
        blank = _LEAD.match(self.text, label.end, end)
        start = blank.end() if blank else label.end
        cell = _CELL.match(self.text, start, end)
        return self._down(start, cell.end() if cell else end, label.end)

    def below(self, label: Label) -> View | None:
        """Return the cell under the label and its continuation, if the label's right is empty."""
        line_start, line_end = self.line(label.start)
        if line_end - line_start > _LONG_LINE:
            return None
        cells = self.cells(line_start, line_end)
        cell_end = next((end for start, end in cells if start <= label.start < end), line_end)
        if not self.is_empty(label.end, min(cell_end, self.next_label(label.end))):
            return None
        left, right = label.start - line_start, label.end - line_start
        under = self._next_line(line_start)
        if under is None:
            return None
        start, end = under
        cells = self.cells(start, end)
        if len(cells) == 1 and self.labels_between(line_start, line_end) > 1:
            if len(self.cells(line_start, line_end)) > 1:
                cells = [c for c in cells if c[0] - start < right and left < c[1] - start]
            elif bisect_right(self._starts, label.start) - 1 in self._runs:
                return None  # columns were lost: `run` reads these
        elif len(cells) > 1:
            gap_end = self._cell_end(line_start, line_end, label.end)
            cells = [
                cell
                for cell in cells
                if cell[0] - start < max(right, gap_end - line_start - 1) and left < cell[1] - start
            ]
        if not cells or self.next_label(cells[0][0]) == cells[0][0]:
            return None
        return self._down(*cells[0])

    def column(self, label: Label) -> Iterator[View]:
        """Yield a view of each cell under a table's heading, from the second row on.

        Rows have two cells or more; the column ends at a label, a line of one cell, or a second
        consecutive empty line.
        """
        line_start, line_end = self.line(label.start)
        if line_end - line_start > _LONG_LINE or len(self.cells(line_start, line_end)) < 2:
            return
        left = label.start - line_start
        right = max(label.end, self._cell_end(line_start, line_end, label.end) - 1) - line_start
        first, empty = True, 0
        index = bisect_right(self._line_starts, line_start)
        for below in range(index, min(index + _ROWS, len(self._line_starts))):
            start, end = self._bounds(below)
            cells = self.cells(start, end)
            if not cells:
                empty += 1
                if empty > 1:
                    return
                continue
            if len(cells) < 2 or end - start > _LONG_LINE:
                return
            under = [cell for cell in cells if cell[0] - start < right and left < cell[1] - start]
            labels = [cell for cell in cells if self.next_label(cell[0]) == cell[0]]
            if labels and not self._is_word_in_row(labels[0], cells, under):
                return
            if self.labels_between(start, end) > 1:
                return
            empty = 0
            if under and not first:
                yield View.of(self.text, [under[0]])
            first = False

    def _is_word_in_row(
        self,
        cell: tuple[int, int],
        row: Sequence[tuple[int, int]],
        under: Sequence[tuple[int, int]],
    ) -> bool:
        """Return whether *cell*, a label, stands there as another column's value: "son"."""
        label = self.labels[bisect_right(self._starts, cell[0]) - 1]
        return bool(label.cues) and label.end == cell[1] and cell not in (row[0], *under)

    def _cell_end(self, line_start: int, line_end: int, offset: int) -> int:
        """Return the column's right edge: the start of the next cell after *offset*."""
        for start, _ in self.cells(line_start, line_end):
            if start > offset:
                return start
        return offset

    def fields(self, label: Label) -> Iterator[View] | None:
        """Return a view for each row of the label's column in a table with delimiters.

        Returns:
            None if the label's line is not a table's heading, which has two labels or more, and two
            ``|`` or tabs or more; or two commas or semicolons, above a line with as many.
        """
        line_start, line_end = self.line(label.start)
        headings = self.labels_between(line_start, line_end)
        if headings < 2 or line_end - line_start > _LONG_LINE:
            return None
        for delimiter in "|\t":
            if self.text.count(delimiter, line_start, line_end) > 1:
                place = self.text.count(delimiter, line_start, label.start)
                return self._column_of(line_start, delimiter, place, headings)
        for delimiter in ",;":
            if self.text.count(delimiter, line_start, line_end) > 1:
                heads = fields(self.text, line_start, line_end, delimiter)
                under = self._next_line(line_start)
                own = label.start, label.end
                if own not in heads or under is None:
                    continue
                if len(fields(self.text, *under, delimiter)) == len(heads):
                    return self._column_of(line_start, delimiter, heads.index(own), headings)
        return None

    def _column_of(
        self, line_start: int, delimiter: str, place: int, headings: int
    ) -> Iterator[View]:
        """Yield field *place* of each row below, up to a row with as many labels as *headings*."""
        for below in range(bisect_right(self._line_starts, line_start), len(self._line_starts)):
            start, end = self._bounds(below)
            row = self.text[start : min(end, start + _LONG_LINE)]
            if not row.strip():
                continue
            if delimiter not in row or self.labels_between(start, end) >= headings:
                return
            cells = fields(self.text, start, start + len(row), delimiter)
            if len(cells) > place:  # or it is a ragged row
                yield View.of(self.text, [cells[place]])

    def left(self, label: Label) -> View:
        """Return the text before the label on its line."""
        line_start, _ = self.line(label.start)
        return View.of(self.text, [(max(line_start, label.start - REACH // 3), label.start)])

    def ahead(self, label: Label, reach: int) -> View:
        """Return the next *reach* characters, across line ends, to the end of the paragraph."""
        end = min(len(self.text), label.end + reach)
        if gap := re.compile(r"\n[^\S\n]*\n").search(self.text, label.end, end):
            end = gap.start()
        return View.of(self.text, [(label.end, end)])

    def run(self, label: Label) -> tuple[Sequence[Label], View] | None:
        """Return the run of adjacent labels that the label is in, and the values after the run.

        Returns:
            The run's labels, and the view from its end to the next label; None if the label is in
            no run.
        """
        index = bisect_right(self._starts, label.start) - 1
        if index not in self._runs:
            return None
        first, last = self._runs[index]
        start = self.labels[last].end
        end = min(len(self.text), start + REACH, self.next_label(start))
        return self.labels[first : last + 1], View.of(self.text, [(start, end)])

    def beside(self, label: Label) -> View | None:
        """Return the line that answers a label, if a paragraph of labels precedes one of answers.

        Both have the same number of lines; the label is alone on its line, next to other cues.
        """
        run = self._runs.get(bisect_right(self._starts, label.start) - 1)
        own = bisect_right(self._line_starts, label.start) - 1
        line_start, line_end = self._bounds(own)
        if run is None or not self.is_empty(line_start, label.start):
            return None
        if not self.is_empty(label.end, line_end):
            return None
        first, last = self._paragraph(own)
        there, end = self._paragraph(last + 2)
        if last - first != end - there or last == first or there <= last:
            return None
        answers = self._bounds(there)[0], self._bounds(end)[1]
        if self.labels_between(*answers):
            return None
        return View.of(self.text, [self._bounds(there + own - first)])

    def _paragraph(self, line: int) -> tuple[int, int]:
        """Return the first and last line of *line*'s paragraph, at most 24 lines each way."""
        first = last = line
        while line - first < _MOST_LABELS and not self._is_bare(first - 1):
            first -= 1
        while last - line < _MOST_LABELS and not self._is_bare(last + 1):
            last += 1
        return first, last

    def _is_bare(self, line: int) -> bool:
        if not 0 <= line < len(self._line_starts):
            return True
        start, end = self._bounds(line)
        return not self.text[start : min(end, start + REACH)].strip()

    def rows_after(self, labels: Sequence[Label]) -> Iterator[View]:
        """Yield the lines, from the second, below the headings of a table whose columns were lost.

        They end at an empty line and at a line that starts with a label.
        """
        line_start, line_end = self.line(labels[0].start)
        if labels[-1].end > line_end or line_end - line_start > _LONG_LINE:
            return
        if not self.is_empty(labels[-1].end, line_end):
            return  # cues in prose, not headings
        columns_kept = len(self.cells(line_start, line_end)) > 1
        index = bisect_right(self._line_starts, line_start)
        for below in range(index, min(index + _ROWS, len(self._line_starts))):
            start, end = self._bounds(below)
            row = self.text[start:end]
            content = start + len(row) - len(row.lstrip())
            if not row.strip() or len(row) > _LONG_LINE or self.next_label(start) == content:
                return
            if self.labels_between(start, end) > 1:
                return
            if columns_kept and len(self.cells(start, end)) > 1:
                return  # `column` reads these
            if below > index:
                yield View.of(self.text, [(start, end)])

    def list_under(self, label: Label) -> Iterator[View]:
        """Yield a list's lines, from the second, below a label that stands alone on its line.

        They end at an empty line and at a line that starts with a label.
        """
        line_start, line_end = self.line(label.start)
        if not self.is_empty(line_start, label.start) or not self.is_empty(label.end, line_end):
            return
        index = bisect_right(self._line_starts, line_start)
        for below in range(index, min(index + _ROWS, len(self._line_starts))):
            start, end = self._bounds(below)
            cells = self.cells(start, end)
            if len(cells) != 1 or self.next_label(start) == cells[0][0]:
                return
            if below > index:
                yield View.of(self.text, cells)

    def _find_runs(self) -> None:
        first = 0
        for index in range(1, len(self.labels) + 1):
            if index < len(self.labels) and index - first < 12:
                between = self.labels[index - 1].end, self.labels[index].start
                if between[1] - between[0] <= 80 and self._heads(index - 1, *between):
                    continue
            if index - first > 1:
                for member in range(first, index):
                    self._runs[member] = first, index - 1
            first = index

    def _heads(self, index: int, start: int, end: int) -> bool:
        """Return whether the label at *index* is a heading beside the label that starts at *end*.

        A printed option with its box is not a heading, nor is a cue that ends in a preposition:
        that is prose.
        """
        cues = self.labels[index].cues
        if cues and all(_PREPOSITION.search(cue) for cue in cues):
            return False
        return not _BOX.search(self.text, max(0, end - 8), end) and self._only_blank(start, end)

    def _only_blank(self, start: int, end: int) -> bool:
        stretch = re.sub(HINT, "", self.text[start:end])
        return not any(char.isalnum() for char in stretch)

    def _next_line(self, line_start: int) -> tuple[int, int] | None:
        """Return the first line with a letter or a digit, at most two lines below."""
        index = bisect_right(self._line_starts, line_start)
        for below in range(index, min(index + 2, len(self._line_starts))):
            start, end = self._bounds(below)
            if end - start > _LONG_LINE:
                return None
            if any(char.isalnum() for char in self.text[start:end]):
                return start, end
        return None

    def _down(self, start: int, end: int, view_start: int | None = None) -> View:
        """Return ``[start, end)`` and the cells below it, to the next label.

        The view may start before the cell, at *view_start*, to include the text that precedes it.
        """
        first = start if view_start is None else view_start
        stretches = [(first, min(end, self.next_label(start)))]
        line_start, line_end = self.line(start)
        index = bisect_right(self._line_starts, start)
        left, right = start - line_start, end - line_start
        alone = not self.text[end : min(line_end, end + REACH)].strip()
        for below in range(index, min(index + _LINES_BELOW, len(self._line_starts))):
            line_start, line_end = self._bounds(below)
            if line_end - line_start > _LONG_LINE:
                break
            cells = self.cells(line_start, line_end)
            under = [c for c in cells if c[0] - line_start < right and left < c[1] - line_start]
            if not under and alone and len(cells) == 1:
                under = cells
            if not under:
                break
            cell_start, cell_end = under[0]
            label = self.next_label(cell_start)
            if label > cell_start:
                stretches.append((cell_start, min(cell_end, label)))
            if label < cell_end:
                break
        return View.of(self.text, stretches)
