"""Keep what follows a replaced value on its line in its column."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_WIDE = re.compile(r"(?<!\s) {4,}(?=\S|\Z)|(?<!\.)\.{4,}(?=[^.]|\Z)")  # blanks, leaders
_LEAST = 2  # characters that are left between two columns


class Run(NamedTuple):
    """Blanks or leaders before a column, which became more or fewer.

    Attributes:
        start: Offset in the gap as it is written.
        end: Offset after them.
        was: As they were.
    """

    start: int
    end: int
    was: str


class Column:
    """Take up what values have grown or shrunk on a line in the wide gaps behind them."""

    def __init__(self) -> None:
        self._growth = 0

    def replaced(self, was: str, now: str) -> None:
        """Count a value, or a text before it, that was replaced."""
        if "\n" in was or "\n" in now:
            self._growth = 0
        self._growth += len(now.rpartition("\n")[2]) - len(was.rpartition("\n")[2])

    def fitted(self, gap: str, goes_on: bool) -> tuple[str, list[Run]]:
        """Return the text between two values with the columns of its first line kept.

        Args:
            gap: The text.
            goes_on: Whether a value stands behind it.

        >>> column = Column()
        >>> column.replaced("May 3", "December 31")
        >>> column.fitted("          Age ", True)[0]
        '    Age '
        """
        line, end, rest = gap.partition("\n")
        found: list[Run] = []
        written = "".join(self._pieces(line, found, goes_on and not end))
        if end:
            self._growth = 0
        return written + end + rest, found

    def _pieces(self, line: str, found: list[Run], goes_on: bool) -> Iterator[str]:
        at = size = 0
        for match in _WIDE.finditer(line):
            is_last = match.end() == len(line)
            if not self._growth or (is_last and not goes_on):
                continue
            run = match.group()
            length = max(_LEAST, len(run) - self._growth)
            self._growth -= len(run) - length
            before = line[at : match.start()]
            yield before
            yield run[0] * length
            size += len(before)
            found.append(Run(size, size + length, run))
            size += length
            at = match.end()
        yield line[at:]
