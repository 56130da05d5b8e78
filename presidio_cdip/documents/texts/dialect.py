"""Detect the dialect of a table in a text: its delimiter, its quotation mark, its header."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest

from presidio_cdip.documents.texts.sources import words

_DELIMITERS = ",;\t|^~\x1f\x01"
_QUOTES = "\"'"
_SAMPLE = 1 << 16  # characters that are tried with each dialect
_ROWS = 200
_REGULAR = 0.5  # of the rows have the same number of cells
_SURE = 0.8  # of the rows: blanks after delimiters then are no sign of prose
_SEP = re.compile(r"sep=(.)(?:\r\n|\r|\n|\Z)", re.I)
_VALUE = re.compile(r"\d.*\d|[@]|\d{2}|^[-+]?\d+$")
_NAME = re.compile(r"[^\W\d]+(?:[ _./-][^\W\d]+)*[ _]?\d{0,2}")
# What looks like a name only beside others: "Emp #", "D.O.B.", "Union (Y/N)", "Yrs. of service"
_FIELD = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*|")  # or empty
_ODD_NAME = re.compile(r"(?=[^@]*\Z)(?:\D*[^\W\d_]\D*\d{0,2}\D{0,2}|[#№]|(?:19|20)\d\d)")
_MOST_ODD = 0.75  # of the cells look like names
_FEWEST_KNOWN = 2  # of the cells are usual names
TITLES = 5  # rows, at most, that stand above the header
_LONGEST_NAME = 40
_HEADINGS = words(
    "account address age amount birth birthday birthdate born card category cell city client "
    "code comment comments company contact country county customer date dateofbirth day "
    "department description diagnosis dob email employee ethnicity fax first firstname full "
    "gender given iban id income last lastname license mail marital middle mobile mrn name "
    "nationality note notes number occupation passport patient phone place policy race "
    "region religion remarks role salary sex signature ssn state status street surname tel "
    "telephone text title town type user username value year zip zipcode "
    "badge birthplace citizenship color colour dept emp ethnic evening hired initials job language "
    "med months nation next no nok office party pay position postcode reg relation residence "
    "serial start term unit work years"
)
# What columns are called, and what cells hold as well: "retired", "wife", "church"
_EITHER = words(
    "cause children church convictions criminal disability faith family head health home house "
    "husband illness kids local maiden medical medication member own partner retired school spouse "
    "union ward wife"
)


@dataclass(frozen=True)
class Dialect:
    r"""The delimiter and quoting of cells.

    Attributes:
        delimiter: Parts the cells of a row; "" where a row is one cell.
        quote: Stands around cells in which the delimiter may stand; "" if nothing does.
        escaped: Whether a quotation mark in a cell is written ``\"``, and not doubled.
    """

    delimiter: str
    quote: str
    escaped: bool = False

    @cached_property
    def cell(self) -> re.Pattern[str]:
        """Match a cell, in groups: within its quotation marks, after them, without any; end."""
        other = f"[^\r\n{re.escape(self.delimiter)}]*+"
        end = f"({re.escape(self.delimiter)}|\r\n|\r|\n|\\Z)" if self.delimiter else (
            "(\r\n|\r|\n|\\Z)")  # fmt: skip
        if not self.quote:
            return re.compile(f"(?!)()()|({other}){end}")
        q = self.quote
        doubled = rf"{q}{q}|\\[^\r\n]" if self.escaped else q + q
        plain = rf"[^{q}\\]" if self.escaped else f"[^{q}]"
        quoted = f"{q}({plain}*+(?:(?:{doubled}){plain}*+)*+){q}({other})"
        return re.compile(f"(?:{quoted}|({other})){end}")

    def rows(self, text: str, start: int = 0) -> Iterator[list[re.Match[str]]]:
        """Yield the cells of each row, as matches of `cell`; blank lines are rows of one cell."""
        at, cell = start, self.cell
        row: list[re.Match[str]] = []
        while at < len(text) or row:
            match = cell.match(text, at)
            assert match is not None  # every alternative may be empty
            row.append(match)
            at = match.end()
            if match[4] != self.delimiter or not self.delimiter:
                yield row
                row = []

    def value(self, match: re.Match[str]) -> str:
        """Return the text of a cell."""
        if match[1] is None:
            return str(match[3])
        within = match[1]
        if self.escaped:
            within = re.sub(r"\\(.)", r"\1", within)
        return within.replace(self.quote * 2, self.quote) + match[2]


def dialect_of(text: str, suffix: str) -> tuple[Dialect | None, int]:
    """Return the dialect of a table, and where its rows begin; None if it is no table.

    The dialect is the one in which most rows have the same number of cells, and quotation marks
    stand at the ends of cells.

    Args:
        text: The text.
        suffix: Of the file's name: ``".tsv"`` says that tabs part cells.
    """
    stated = _SEP.match(text)
    start = stated.end() if stated else 0
    tabs = suffix in (".tsv", ".tab")
    delimiters = stated[1] if stated else ("\t" + _DELIMITERS.replace("\t", "") if tabs else
                                           _DELIMITERS)  # fmt: skip
    best, best_score = None, (0.0, 0, 0)
    for delimiter in delimiters:
        if delimiter not in text:
            continue
        for quote in ('"', "'", ""):
            if quote and quote not in text:
                continue
            for escaped in (False, True):
                if escaped and not (quote and f"\\{quote}" in text):
                    continue
                one = Dialect(delimiter, quote, escaped)
                score = _score(one, text, start)
                if score > best_score:
                    best, best_score = one, score
    if best is None and stated:
        best = Dialect(stated[1], '"')
    return best, start


def _score(one: Dialect, text: str, start: int) -> tuple[float, int, int]:
    """Return the regularity of a text in a dialect: 0 if it is irregular."""
    sample = text[start : start + _SAMPLE]
    rows = list(islice(one.rows(sample), _ROWS))
    if len(sample) == _SAMPLE and len(rows) > 1:
        rows.pop()  # cut off
    rows = [row for row in rows if len(row) > 1 or row[0][0].strip()]
    if not rows:
        return 0.0, 0, 0
    counts = Counter(len(row) for row in rows)
    width, same = max(counts.items(), key=lambda item: (item[1], item[0]))
    if width < 2 or same < _REGULAR * len(rows):
        return 0.0, 0, 0
    cells = [cell for row in rows for cell in row]
    if same < _SURE * len(rows) and any(cell[0][:1] == " " for cell in cells):
        return 0.0, 0, 0  # prose
    quoted = sum(cell[1] is not None for cell in cells)
    dirty = sum(
        bool(cell[2]) if cell[1] is not None else cell[3].lstrip()[:1] in ('"', "'")
        for cell in cells
    )
    return round(same / len(rows) - dirty / len(cells), 3), width, quoted


def header_row(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the row that names the columns; None if none does.

    Above it there may be titles, rows of which less than half is filled.
    """
    for at in range(min(TITLES, len(rows))):
        if has_header(rows[at:]):
            return at
        if 2 * sum(bool(cell.strip()) for cell in rows[at]) > max(map(len, rows)):
            return None
    return None


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names the columns: most cells are names, and none a value.

    Where the columns hold nothing but words, too, one of the names must be a usual one, or look
    like the name of a field. Where a name has signs, or stands there twice, two must be usual.
    """
    first, *others = rows
    names = [cell.strip() for cell in first]
    filled = [name for name in names if name]
    if not filled or 2 * len(filled) < len(names):
        return False
    if any(len(name) > _LONGEST_NAME for name in filled):
        return False
    known = sum(map(_is_heading, filled))
    if len(set(filled)) < len(filled) or not all(map(_NAME.fullmatch, filled)):
        odd = sum(_ODD_NAME.fullmatch(name) is not None for name in filled)
        return odd >= _MOST_ODD * len(filled) and known >= min(_FEWEST_KNOWN, len(filled))
    if known:
        return True
    columns = ([row[at] for row in others if at < len(row)] for at in range(len(names)))
    return any(column and 2 * sum(map(_is_value, column)) > len(column) for column in columns)


def only_names(row: Sequence[str], below: Iterable[Sequence[str]]) -> set[str]:
    """Return those of the names of columns in *row* that say nothing else.

    All their words are usual. Words that cells hold, too, are so where half of the row has others,
    and where none of its names stands again in its column. A row of names of fields, as programs
    write them (``emp_no,birthtown``), says nothing else.
    """
    known = sum(map(_is_heading, row))
    again = any(
        name.strip() and name in cells for name, *cells in zip_longest(row, *below, fillvalue="")
    )
    if not again and any("_" in name for name in row) and all(map(_FIELD.fullmatch, row)):
        return set(row)
    sure = not again and known >= max(_FEWEST_KNOWN, sum(map(bool, row)) / 2)
    usual = _HEADINGS | _EITHER if sure else _HEADINGS
    return {name for name in row if (words := _words_of(name)) and words <= usual}


def _words_of(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[^\W\dA-Z_]+|[A-Z]+(?![a-z])", name)}


def _is_heading(name: str) -> bool:
    return "_" in name or not _words_of(name).isdisjoint(_HEADINGS) or name.lower() in _HEADINGS


def _is_value(cell: str) -> bool:
    return _VALUE.search(cell) is not None
