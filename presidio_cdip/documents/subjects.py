"""Replace values row by row: those of each subject in a scope and as a text of their own."""

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import Item, Rewritten
from presidio_cdip.surrogates.scopes import heading

Anonymize = Callable[[str, Sequence[Span], str], Rewritten]
"""From a text, its findings, and their scope ("" for that of the document) to the new text."""


MOST_ABOVE = 20  # rows of a table in which the heading of the scopes' column may stand


class Stretch(NamedTuple):
    """A stretch of a text that is about one subject, such as a row.

    Attributes:
        start: Offset of its first character.
        end: Offset after its last.
        scope: The subject's scope; "" for what is about nobody.
    """

    start: int
    end: int
    scope: str


@dataclass
class RowScopes:
    """Name the scopes of the rows of tables in a file by their cells in one column.

    Attributes:
        column: The heading of the column; "" for no scopes.
        name: The name of the file, for errors.
        own: Begins the scopes of rows without a value: a hash of the file.
    """

    column: str = ""
    name: str = ""
    own: str = ""
    _tables: int = 0

    @classmethod
    def of(cls, parts: Mapping[str, bytes], name: str, column: str) -> "RowScopes":
        """Return those of a file of *parts*."""
        digest = hashlib.sha256()
        for part in sorted(parts) if column else ():
            digest.update(parts[part])
        return cls(column, name, f"file {digest.hexdigest()}")

    def of_table(self, rows: Sequence[Mapping[int, str]]) -> dict[int, str]:
        """Return the scope of each row of a table below the cell that names the column.

        Args:
            rows: The texts of the cells of each row, by column.

        Raises:
            UnreadableInput: Two cells of one row name it.
        """
        self._tables += 1
        found = headed(rows[:MOST_ABOVE], self.column, self.name) if self.column else None
        if found is None:
            return {}
        first, column = found
        return {
            number: rows[number].get(column, "").strip()
            or f"{self.own} {self._tables}, row {number}"
            for number in range(first + 1, len(rows))
        }


def headed(rows: Iterable[Mapping[int, str]], column: str, name: str) -> tuple[int, int] | None:
    """Return the number of the first row with a cell *column*, and the cell's; None without one.

    Args:
        rows: The texts of the cells of each row, by column.
        column: The heading, which is compared without regard to case and blanks.
        name: Of the file, for the error.

    Raises:
        UnreadableInput: Two cells of the row say it.
    """
    sought = heading(column).casefold()
    for number, row in enumerate(rows):
        found = [at for at, cell in row.items() if heading(cell).casefold() == sought]
        if len(found) > 1:
            raise UnreadableInput(name, f"has {len(found)} columns {column!r}: rename one of them")
        if found:
            return number, found[0]
    return None


def by_subject(
    text: str, spans: Sequence[Span], subjects: Sequence[Stretch], anonymize: Anonymize
) -> Rewritten:
    """Replace *spans* in *text*: all stretches of a scope together, as if they were a text.

    So what a subject's values become depends on none of another's.

    Args:
        text: The text.
        spans: The findings in it; one that reaches beyond its stretch is cut.
        subjects: In order, without overlaps; what lies between is about nobody.
        anonymize: Replaces the findings in a text.
    """
    stretches = list(_filled(subjects, len(text)))
    groups: dict[str, list[Stretch]] = {}
    for one in stretches:
        groups.setdefault(one.scope, []).append(one)
    pieces = _pieces(spans, stretches)
    written: dict[int, tuple[str, list[Item]]] = {}
    for scope, own in groups.items():
        written |= _Group.of(text, own, pieces).written(scope, anonymize)
    parts: list[str] = []
    items: list[Item] = []
    at = 0
    for one in stretches:
        new, found = written[one.start]
        items += [replace(item, start=at + item.start, end=at + item.end) for item in found]
        parts.append(new)
        at += len(new)
    return Rewritten("".join(parts), items)


def _filled(subjects: Sequence[Stretch], length: int) -> Iterator[Stretch]:
    """Yield *subjects*, and what lies between them."""
    at = 0
    for one in subjects:
        if at < one.start:
            yield Stretch(at, one.start, "")
        yield one
        at = one.end
    if at < length:
        yield Stretch(at, length, "")


def _pieces(spans: Sequence[Span], stretches: Sequence[Stretch]) -> dict[int, list[Span]]:
    """Return what each stretch, known by its start, has of *spans*."""
    starts = [one.start for one in stretches]
    found: dict[int, list[Span]] = {}
    for span in spans:
        for number in range(bisect_right(starts, span.start) - 1, len(stretches)):
            one = stretches[number]
            if one.start >= span.end:
                break
            piece = replace(span, start=max(span.start, one.start), end=min(span.end, one.end))
            found.setdefault(one.start, []).append(piece)
    return found


@dataclass(frozen=True)
class _Group:
    """The stretches of a scope, joined.

    Attributes:
        text: Their text.
        stretches: The stretches.
        starts: Where each begins in *text*.
        spans: The findings, in *text*.
    """

    text: str
    stretches: Sequence[Stretch]
    starts: Sequence[int]
    spans: Sequence[Span]

    @classmethod
    def of(
        cls, text: str, stretches: Sequence[Stretch], pieces: Mapping[int, Sequence[Span]]
    ) -> "_Group":
        """Join *stretches* of *text*, with their *pieces* of findings."""
        starts: list[int] = []
        moved: list[Span] = []
        at = 0
        for one in stretches:
            starts.append(at)
            by = at - one.start
            moved += [
                replace(span, start=span.start + by, end=span.end + by)
                for span in pieces.get(one.start, ())
            ]
            at += one.end - one.start
        joined = "".join(text[one.start : one.end] for one in stretches)
        return cls(joined, stretches, starts, moved)

    def written(self, scope: str, anonymize: Anonymize) -> dict[int, tuple[str, list[Item]]]:
        """Return each stretch's new text and its items in that, by its start in the whole text."""
        done = anonymize(self.text, self.spans, scope)
        ends = [item.span.end for item in done.items]
        news = [self._moved(start, done, ends) for start in self.starts] + [len(done.text)]
        found: dict[int, tuple[str, list[Item]]] = {}
        limits = [*self.starts, len(self.text)]
        for number, one in enumerate(self.stretches):
            first = bisect_right(ends, limits[number])
            last = bisect_left(ends, limits[number + 1] + 1)
            by = one.start - limits[number]
            items = [
                replace(
                    item,
                    start=item.start - news[number],
                    end=item.end - news[number],
                    span=replace(
                        item.span,
                        start=max(item.span.start + by, one.start),
                        end=item.span.end + by,
                    ),
                )
                for item in done.items[first:last]
            ]
            found[one.start] = done.text[news[number] : news[number + 1]], items
        return found

    @staticmethod
    def _moved(at: int, done: Rewritten, ends: Sequence[int]) -> int:
        """Return where what stood at *at* stands in the new text: before an item that it is in."""
        after = bisect_right(ends, at)
        if after < len(ends) and done.items[after].span.start < at:
            return done.items[after].start
        if not after:
            return at
        item = done.items[after - 1]
        return item.end + at - item.span.end
