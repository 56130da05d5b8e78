r"""Print tables, JSON and messages; no character of a file's name reaches a terminal as a command.

A name may hold control characters and marks that reverse the direction of what follows. They are
shown as escapes: ``\x1b``.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from presidio_cdip.errors import StillReadable, UnreadableInput
from presidio_cdip.files.outputs import standard_output

if TYPE_CHECKING:
    from rich.console import Console

_PIPE_WIDTH = 160  # of a table where the output is no terminal
_NO_WORD = re.compile(r"[^\w !-~]")  # characters that may be unprintable; a fast first look


def printable(text: str) -> str:
    r"""Return *text* with an escape for each character that is not printable.

    >>> print(printable("a\x1b[31mb\nc é"))
    a\x1b[31mb\nc é
    """
    return _NO_WORD.sub(lambda one: _escaped(one[0]), text)


def _escaped(char: str) -> str:
    return char if char.isprintable() else char.encode("unicode_escape").decode("ascii")


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count of things in words.

    >>> counted(1, "file"), counted(0, "file"), counted(2, "policy", "policies")
    ('1 file', '0 files', '2 policies')
    """
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def as_json(data: Any, indent: int | None = None) -> str:
    r"""Return *data* as JSON, with an escape for each character that is not printable.

    >>> print(as_json({"file": "a\x1b\x9bé"}))
    {"file": "a\u001b\u009bé"}
    """
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    return "".join(
        char if char == "\n" or char.isprintable() else json.dumps(char)[1:-1] for char in text
    )


def emit(text: str) -> None:
    """Print *text* and a line end.

    Raises:
        OutputError: Standard output cannot be written.
    """
    with standard_output():
        sys.stdout.write(f"{text}\n")


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], folded: Sequence[str] | None = None
) -> None:
    """Print a table without lines.

    Args:
        headings: Of the columns.
        rows: The cells of each row. A line end stays; other control characters are escaped, so
            that a file's name must be passed through `printable` before.
        folded: The headings of the columns that may be narrower than their cells; the last
            column, if None.

    Raises:
        OutputError: Standard output cannot be written.
    """
    from rich.table import Table

    folded = headings[-1:] if folded is None else folded
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, no_wrap=heading not in folded, overflow="fold")
    for row in rows:
        table.add_row(*("\n".join(map(printable, cell.split("\n"))) for cell in row))
    with standard_output():
        _console().print(table)


def say(message: object) -> None:
    """Print a message of this program to standard error."""
    note(f"presidio-cdip: {message}")


def report_problem(problem: Exception, file: str) -> None:
    """Print why a file, or a part of it, was not read or not written."""
    say(problem if isinstance(problem, UnreadableInput | StillReadable) else f"{file}: {problem}")


def note(text: str) -> None:
    """Print a line to standard error, where that can be written: the exit code tells the rest."""
    with suppress(OSError):
        click.echo(printable(text), err=True)


@contextmanager
def progress(count: int) -> Iterator[Callable[[], None]]:
    """Show a bar on standard error, if that is a terminal and *count* is more than 1."""
    if count < 2 or sys.stderr is None or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("files", total=count)
        yield lambda: bar.advance(task)


def _console() -> "Console":
    from rich.console import Console

    # A pipe has no width of its own; a narrow default would cut names and boxes apart.
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console
