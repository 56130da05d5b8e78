"""Join the segments of a document into one text to be analyzed, and part what comes back."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from presidio_cdip.documents.segments import Edit, Place, Segment
from presidio_cdip.documents.subjects import Stretch
from presidio_cdip.recognition.overlaps import remainders
from presidio_cdip.recognition.printed import COLUMN
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import Rewritten

_PARTED = re.compile(r"[,;:()/\[\]\n]")
_PART = re.compile(r"[^\W_][^,;:()/\[\]\n]*(?<=[^\W_])")


@dataclass(frozen=True, slots=True)
class Joined:
    """The text of a document, as it is analyzed.

    Attributes:
        text: Each segment after its label, with what parts it from the next.
        segments: The segments.
        starts: For each segment, the offset of its text in *text*.
        subjects: The stretches of *text* that have a scope of their own.
    """

    text: str
    segments: Sequence[Segment]
    starts: Sequence[int]
    subjects: Sequence[Stretch] = ()

    @classmethod
    def of(cls, segments: Sequence[Segment]) -> "Joined":
        """Join *segments*."""
        parts: list[str] = []
        starts: list[int] = []
        subjects: list[Stretch] = []
        at = 0
        for segment in segments:
            label = f"{segment.label}: " if segment.label else ""
            starts.append(at + len(label))
            parts += [label, segment.text, segment.after]
            begun = at
            at += len(label) + len(segment.text) + len(segment.after)
            if segment.scope:
                last = subjects[-1] if subjects else None
                if last and (last.end, last.scope) == (begun, segment.scope):
                    begun = subjects.pop().start
                subjects.append(Stretch(begun, at, segment.scope))
        return cls("".join(parts), segments, starts, subjects)

    def place_of(self, at: int) -> Place:
        """Return the place of the segment in which, or in whose label, a character stands."""
        index = bisect_right(self.starts, at) - 1
        if index < 0 or at >= self.starts[index] + len(self.segments[index].text):
            index += 1
        return self.segments[index].place

    def pieces(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield the index, start and end, within its text, of each segment in ``[start, end)``."""
        first = max(0, bisect_right(self.starts, start) - 1)
        for index in range(first, len(self.segments)):
            offset = self.starts[index]
            if offset >= end:
                return
            begin = max(0, start - offset)
            stop = min(len(self.segments[index].text), end - offset)
            if begin < stop:
                yield index, begin, stop

    def parted(self, spans: Sequence[Span], find: Callable[[str], list[Span]]) -> list[Span]:
        """Return *spans* cut at labels, and where a sentence cannot go on.

        The text of a label stands elsewhere as a segment of its own. Behind a cut where nothing
        goes on, what is left of a span counts if *find* finds it in its segment alone.
        """
        found = []
        for span in spans:
            runs: list[tuple[int, int]] = []
            last = -1
            for index, begin, stop in self.pieces(span.start, span.end):
                segment = self.segments[index]
                if not segment.text[begin:stop].strip():
                    continue
                start, end = self.starts[index] + begin, self.starts[index] + stop
                goes_on = last < 0 or "\n\n" not in self.segments[last].after
                if runs and goes_on and not segment.label:
                    runs[-1] = (runs[-1][0], end)
                elif goes_on or segment.label or self._stands_alone(index, begin, stop, find):
                    runs.append((start, end))
                last = index
            found += [replace(span, start=start, end=end) for start, end in runs]
        return found

    def in_tables(self, spans: Sequence[Span], find: Callable[[str], list[Span]]) -> list[Span]:
        """Return *spans*, and what *find* finds in columns of the tables that the segments make.

        A column tells what it holds by all its cells, which a cell with its label does not. So of
        two findings that overlap, that of a column is right; but beside others in a cell, as in
        "Diabetes; wife Ellen" under "Diagnosis", it has what they leave.

        Args:
            spans: Found in `text`, without overlaps.
            find: Returns the findings in a text.
        """
        known = {(one.start, one.end, one.entity) for one in spans}
        columns: list[Span] = []
        for rows in _tables(self.segments):
            told = self._in_table(rows[:_SAMPLE], find)
            if len(rows) > _SAMPLE:
                new = any((one.start, one.end, one.entity) not in known for one in told)
                told = self._in_table(rows, find) if new else []
            columns += told
        columns.sort(key=_start)
        return _merged(self.text, spans, columns)

    def _in_table(
        self, rows: Sequence[Mapping[str, int]], find: Callable[[str], list[Span]]
    ) -> list[Span]:
        """Return what *find* finds in the columns of a table, at its place in `text`."""
        table = _Table.of(rows, self.segments)
        return [
            replace(span, start=self.starts[index] + begin, end=self.starts[index] + stop)
            for span in find(table.text)
            if span.check == COLUMN
            for index, begin, stop in table.cells_in(span.start, span.end)
        ]

    def _stands_alone(
        self, index: int, begin: int, stop: int, find: Callable[[str], list[Span]]
    ) -> bool:
        text = self.segments[index].text
        return any(one.start < stop and begin < one.end for one in find(text))

    def edits(self, written: Rewritten, *, covered: bool = False) -> dict[int, list[Edit]]:
        """Return the edits by segment that make *written* of `text`.

        Args:
            written: The new text.
            covered: Whether bars cover the edits. Then a value whose surrogate happens to be the
                same is one, too, unless the policy keeps it.
        """
        found: dict[int, list[Edit]] = {}
        was = now = 0
        for item in written.items:
            gap, new_gap = self.text[was : item.span.start], written.text[now : item.start]
            if gap != new_gap:  # an article before the value
                same = next(
                    (
                        at
                        for at, (old, new) in enumerate(zip(gap, new_gap, strict=False))
                        if old != new
                    ),
                    min(len(gap), len(new_gap)),
                )
                self._add(found, was + same, item.span.start, new_gap[same:], item.span.entity)
            all_of_it = covered and item.operator != "keep"
            self._add(found, item.span.start, item.span.end, item.text, item.span.entity, all_of_it)
            was, now = item.span.end, item.end
        return found

    def with_edits(self, edits: Mapping[int, Sequence[Edit]]) -> str:
        """Return the text of all segments after *edits*, without labels: those are not written."""
        texts = []
        for index, segment in enumerate(self.segments):
            parts, at = [], 0
            for edit in edits.get(index, ()):
                parts += [segment.text[at : edit.start], edit.new]
                at = edit.end
            texts += [*parts, segment.text[at:], segment.after]
        return "".join(texts)

    def _add(
        self,
        found: dict[int, list[Edit]],
        start: int,
        end: int,
        new: str,
        entity: str,
        all_of_it: bool = False,
    ) -> None:
        pieces = list(self.pieces(start, end))
        if not pieces:
            return  # in a label, whose text is a segment of its own
        lengths = [stop - begin for _, begin, stop in pieces]
        for (index, begin, stop), part in zip(pieces, shared_out(new, lengths), strict=True):
            if all_of_it or self.segments[index].text[begin:stop] != part:
                found.setdefault(index, []).append(Edit(begin, stop, part, entity))


_FEWEST_ROWS = 2  # of a table
_SAMPLE = 200  # rows; if their columns tell nothing new, those of the others do not either
_LEAST_FILLED = 0.25  # of the cells of a table


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of cells with labels, as text: a line of headings, then rows, with tabs between.

    Attributes:
        text: The text.
        starts: Where each cell begins in it, in order.
        cells: The index of its segment, and its length.
    """

    text: str
    starts: Sequence[int]
    cells: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, int]], segments: Sequence[Segment]) -> "_Table":
        """Write *rows*, the segments by their labels, as a table."""
        labels = list(dict.fromkeys(label for row in rows for label in row))
        parts = ["\t".join(map(_flat, labels)) + "\n"]
        at = len(parts[0])
        starts: list[int] = []
        cells: list[tuple[int, int]] = []
        for row in rows:
            for label in labels:
                cell = _flat(segments[row[label]].text) if label in row else ""
                if cell:
                    starts.append(at)
                    cells.append((row[label], len(cell)))
                parts.append(cell + ("\n" if label is labels[-1] else "\t"))
                at += len(parts[-1])
        return cls("".join(parts), starts, cells)

    def cells_in(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield the segment of each cell in ``[start, end)``, and where in its text that is."""
        for at in range(max(0, bisect_right(self.starts, start) - 1), len(self.starts)):
            begin, (index, size) = self.starts[at], self.cells[at]
            if begin >= end:
                return
            if max(start, begin) < min(end, begin + size):
                yield index, max(start - begin, 0), min(end - begin, size)


def _tables(segments: Sequence[Segment]) -> Iterator[list[dict[str, int]]]:
    """Yield the tables of rows that have labels in common, and a good part of their cells filled.

    Each row has the indices of its segments by their labels.
    """
    rows: list[dict[str, int]] = []
    labels: set[str] = set()
    cells = 0
    for row in _rows(segments):
        wide = len(labels | row.keys()) * (len(rows) + 1)
        if rows and (not rows[-1].keys() & row.keys() or cells + len(row) < _LEAST_FILLED * wide):
            yield from _if_table(rows, labels)
            rows, labels, cells = [], set(), 0
        rows.append(row)
        labels |= row.keys()
        cells += len(row)
    yield from _if_table(rows, labels)


def _if_table(
    rows: list[dict[str, int]], labels: Collection[str]
) -> Iterator[list[dict[str, int]]]:
    if len(rows) >= _FEWEST_ROWS and len(labels) > 1:
        yield rows


def _rows(segments: Sequence[Segment]) -> Iterator[dict[str, int]]:
    """Yield the segments of each row by their labels; a row ends with its block."""
    row: dict[str, int] = {}
    for index, segment in enumerate(segments):
        if segment.label in row or not segment.label:
            if row:
                yield row
            row = {}
        if segment.label:
            row[segment.label] = index
        if row and "\n\n" in segment.after:
            yield row
            row = {}
    if row:
        yield row


def _flat(text: str) -> str:
    """Return *text* in one line and one cell, as long as it is."""
    return text.translate({ord(one): " " for one in "\t\n\r\v\f"})


def _merged(text: str, spans: Sequence[Span], columns: Sequence[Span]) -> list[Span]:
    """Return *spans* and those of *columns*, both in order, without overlaps.

    A span of a column has its cell, but for parts of it that others have.
    """
    ends = [one.end for one in columns]
    within: dict[Span, list[Span]] = {one: [] for one in columns}
    merged: list[Span] = []
    for span in spans:
        first, last = bisect_right(ends, span.start), bisect_left(columns, span.end, key=_start)
        met = columns[first:last]
        if len(met) == 1 and met[0].start <= span.start and span.end <= met[0].end:
            within[met[0]].append(span)
            continue
        taken = [(one.start, one.end) for one in met]
        pieces = remainders(text, span.start, span.end, taken) if met else [(span.start, span.end)]
        merged += [replace(span, start=start, end=end) for start, end in pieces]
    for column, inner in within.items():
        merged += _shared(text, column, inner)
    return sorted(merged, key=_start)


def _shared(text: str, column: Span, inner: Sequence[Span]) -> Iterator[Span]:
    """Yield the findings in a cell: its column's, or *inner* where parts of it are another's."""
    others = [one for one in inner if one.entity != column.entity]
    rest, at = [], column.start
    for one in [*others, replace(column, start=column.end)]:
        rest += [match.span() for match in _PART.finditer(text, at, one.start)]
        at = one.end
    if not others or not rest or not _PARTED.search(text, column.start, column.end):
        yield column
        return
    yield from others
    own = [one for one in inner if one.entity == column.entity]
    yield from own or (replace(column, start=start, end=end) for start, end in rest)


def _start(span: Span) -> int:
    return span.start


def shared_out(new: str, lengths: Sequence[int]) -> list[str]:
    r"""Share the text *new* out among the places of a value that had *lengths* characters each.

    Lines go to places, if there are as many; else words, in proportion to the lengths.

    >>> shared_out("9 Elm St\nSalem, OR", [10, 12])
    ['9 Elm St', 'Salem, OR']
    >>> shared_out("chronic bronchitis of the left lung", [10, 20])
    ['chronic bronchitis', 'of the left lung']
    """
    if len(lengths) == 1:
        return [new]
    lines = new.split("\n")
    if len(lines) == len(lengths):
        return lines
    words, shares = new.split(), []
    scale = len(" ".join(words)) / max(1, sum(lengths))
    for length in lengths[:-1]:
        share: list[str] = []
        while words and len(" ".join(share)) < length * scale:
            share.append(words.pop(0))
        shares.append(" ".join(share))
    return [*shares, " ".join(words)]
