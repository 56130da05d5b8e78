"""Read and write tables in text: CSV and TSV; all but the edited cells stays byte for byte."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath

from presidio_cdip.documents.segments import Document, Edit, Settings
from presidio_cdip.documents.subjects import headed
from presidio_cdip.documents.texts.dialect import (
    TITLES,
    Dialect,
    dialect_of,
    has_header,
    header_row,
    only_names,
)
from presidio_cdip.documents.texts.encodings import Change, Source
from presidio_cdip.documents.texts.sources import SourceDocument, add_lines
from presidio_cdip.documents.texts.structured import add_string, hides
from presidio_cdip.documents.texts.values import Value, edited
from presidio_cdip.files.inputs import decode

_FORMULA = re.compile(r'="((?:[^"]|"")*)"')
_COMMANDS = "=+-@\t\r"  # at the start of a cell, a program may run what follows
_DOUBLED = {quote: re.compile(f"{quote}{quote}") for quote in "\"'"}
_ESCAPED = re.compile(r"\\.|\"\"|''", re.S)
_SAMPLE = 50  # rows that tell whether there is a header


@dataclass(slots=True)
class Cell:
    """A cell, which is written as a whole when a part of it changes.

    Attributes:
        text: What it holds; in a cell such as ``="007"``, what the program shows.
        start: Where it begins in the source, with its quotation mark.
        end: Where it ends.
        quoted: Whether it stands in quotation marks.
        formula: Whether it is written as a formula that gives a text.
        dialect: How cells are written.
    """

    text: str
    start: int
    end: int
    quoted: bool
    formula: bool
    dialect: Dialect

    def changes(self, edits: Sequence[Edit]) -> Iterator[Change]:
        """Yield the new cell as one change."""
        new = edited(self.text, edits)
        if new == self.text:
            return
        if self.formula:
            new = '="' + new.replace('"', '""') + '"'
        elif not self.text.startswith(tuple(_COMMANDS)):
            new = new.lstrip(_COMMANDS)
        yield Change(self.start, self.end, written(new, self.dialect, self.quoted))


def written(text: str, dialect: Dialect, quoted: bool) -> str:
    """Return *text* as it is written in a cell.

    Args:
        text: The text.
        dialect: How cells are written; without a quotation mark, what parts cells becomes a blank.
        quoted: Whether to quote it where that is not needed.
    """
    quote, delimiter = dialect.quote, dialect.delimiter
    special = ("\r", "\n", *delimiter)
    if not quote:
        if '"' not in text and delimiter in (",", ";", "|", "\t") and _has(text, special):
            return f'"{text}"'
        return "".join(" " if char in special else char for char in text)
    if not quoted and not _has(text, special) and not text.lstrip().startswith(quote):
        return text
    if dialect.escaped:
        return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote
    return quote + text.replace(quote, quote * 2) + quote


def _has(text: str, special: Sequence[str]) -> bool:
    return any(char in text for char in special)


def opened(data: bytes, name: str, settings: Settings) -> Document:
    """Read a table; a text that is none is read line by line.

    Raises:
        UnreadableInput: It is no text.
    """
    document = SourceDocument(Source.opened(data, name), settings)
    text = document.source.text
    dialect, start = dialect_of(text, PurePath(name).suffix.lower())
    if dialect is None:
        lines = Dialect("", "")
        if not has_header([[one] for one in islice(text.splitlines(), _SAMPLE)] or [[]]):
            add_lines(document)
            return document
        dialect = lines
    first = list(islice(dialect.rows(text, start), _SAMPLE))
    values = [[dialect.value(cell) for cell in row] for row in first]
    column, at = None, header_row(values)
    above = [dict(enumerate(row)) for row in values[: max(TITLES, 1 + (at or 0))]]
    if settings.scope_column and (named := headed(above, settings.scope_column, name)):
        at, column = named
    labels = [] if at is None else [one.strip() for one in values[at]]
    names = set() if at is None else only_names(values[at], values[at + 1 :])
    for number, row in enumerate(dialect.rows(text, start)):
        if number == at:  # else a heading is the label of the first cell below it
            row = [one for one in row if dialect.value(one) not in names]
        below = at is not None and number > at
        document.scope = ""
        if below and column is not None:
            cell = dialect.value(row[column]) if column < len(row) else ""
            document.scope = document.scope_of_row(cell, f"row {number + 1}")
        _add_row(document, dialect, row, number + 1, labels if below else [])
    return document


def _add_row(
    document: SourceDocument,
    dialect: Dialect,
    row: Sequence[re.Match[str]],
    number: int,
    labels: Sequence[str],
) -> None:
    first = len(document.segments)
    wide = len(row) > 1
    for column, match in enumerate(row):
        text = match[3]
        quoted = text is None
        if quoted:
            text = dialect.value(match)
        if not text or text.isspace():
            continue
        formula = _FORMULA.fullmatch(text) if text[0] == "=" else None
        if formula:
            text = formula[1].replace('""', '"')
        where = f"row {number}, column {column + 1}" if wide else f"row {number}"
        label = labels[column] if column < len(labels) else ""
        if formula is None and not (quoted and match[2]) and hides(text):
            add_string(document, _value(document, dialect, match), where, label)
            continue
        cell = Cell(text, match.start(), match.start(4), quoted, formula is not None, dialect)
        document.add(cell, where, label)
    document.end_block(first)


def _value(document: SourceDocument, dialect: Dialect, match: re.Match[str]) -> Value:
    """Return the text of a cell that holds other data, character by character."""
    source = document.source
    if match[1] is None:
        special = ("\r", "\n", *dialect.delimiter)
        return Value.plain(
            source, *match.span(3), lambda new: "".join(" " if c in special else c for c in new)
        )

    def encode(new: str) -> str:
        return written(new, dialect, True)[1:-1]

    inner = Value.plain(source, *match.span(1), encode)
    units = _ESCAPED if dialect.escaped else _DOUBLED[dialect.quote]
    return inner.decoded(units, lambda unit: unit[1], encode)


def extracted(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield the text of a table: as it is, and its cells as Python's own reader parts them."""
    text = decode(data, name)
    yield "source", text
    yield "source without doubled quotation marks", text.replace('""', '"')
    for delimiter in ",;\t|":
        if delimiter not in text:
            continue
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        try:
            for number, row in enumerate(reader, 1):
                yield f"row {number}", "\x00".join(row)
        except csv.Error:
            continue
