"""Join the glyphs of a page into lines of text, each character with the glyph that shows it."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from unicodedata import normalize

from presidio_cdip.documents.pdf.glyphs import Reading, Show
from presidio_cdip.documents.pdf.parting import parted
from presidio_cdip.documents.pdf.pieces import Piece, Ref, Run, pieces_of
from presidio_cdip.documents.pdf.rules import Along, across, along

_SPACE = 0.17  # of the size: gaps from there on part words
_CELL = 1.25  # of the size: gaps from there on part cells
_BASELINE = 0.3  # of the size: how far the baselines of one line may lie apart
_SAME = 2.0  # points: rules that lie as far apart are one
_SMALL = 0.8  # of the size of a line: what is raised or lowered is smaller than that

_ACCENTS = {
    "¨": "\u0308", "´": "\u0301", "`": "\u0300", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327",
    "ˇ": "\u030c", "˚": "\u030a", "˘": "\u0306", "¯": "\u0304", "˙": "\u0307", "˝": "\u030b",
}  # fmt: skip
_DOTLESS = {"ı": "i", "ȷ": "j"}


@dataclass(slots=True)
class Cell:
    """A stretch of a line without a wide gap.

    Attributes:
        text: Its text; blanks stand also where words lie apart.
        refs: For each character, the glyph that shows it, if one does.
        u0: Where it begins, along its direction.
        u1: Where it ends.
        v: Its baseline.
        size: The size of its letters.
        angle: Its direction, in degrees clockwise from the page's left to right.
        twins: The glyphs that draw the same letter in the same place again.
        bold: Whether it begins in a bold face.
        left: Where the rule on its left stands, if there is one.
        right: Where the rule on its right stands.
        top: Where the rule above it stands.
        bottom: Where the rule below it stands.
    """

    text: str
    refs: list[Ref | None]
    u0: float
    u1: float
    v: float
    size: float
    angle: int
    twins: dict[Ref, list[Ref]] = field(default_factory=dict)
    bold: bool = False
    left: float = -math.inf
    right: float = math.inf
    top: float = -math.inf
    bottom: float = math.inf

    @property
    def framed(self) -> bool:
        """Return whether it stands between two rules."""
        return self.right - self.left < math.inf

    @property
    def boxed(self) -> bool:
        """Return whether rules stand on all its sides."""
        return self.framed and self.bottom - self.top < math.inf

    def shares_box(self, other: "Cell") -> bool:
        """Return whether it stands between the same rules as another."""
        return self.boxed and all(
            abs(one - two) < _SAME
            for one, two in (
                (self.left, other.left), (self.right, other.right),
                (self.top, other.top), (self.bottom, other.bottom),
            )
        )  # fmt: skip


@dataclass(slots=True)
class Row:
    """The cells on one baseline, from left to right; parted, if rules make two of them or more."""

    cells: list[Cell]
    v: float
    size: float
    parted: bool = False


def rows_of(reading: Reading) -> Iterator[tuple[int, list[Row]]]:
    """Yield the directions of writing on a page, most text first, and the rows of each."""
    directions: dict[int, list[Run]] = {}
    for angle, run in _runs(reading.shows):
        directions.setdefault(angle, []).append(run.measured())
    by_length = sorted(directions.items(), key=lambda one: -sum(len(r.pieces) for r in one[1]))
    for angle, runs in by_length:
        rules, lines = across(reading.rules, angle), along(reading.rules, angle)
        twins: dict[Ref, list[Ref]] = {}
        groups = [_groups(row, twins) for row in _rows([run for run in runs if run.text.strip()])]
        rows = []
        for row in parted(groups, rules):
            cells = [_cell(group, angle, twins, reading.shows) for group in row]
            cells = [one for one in cells if one.text]
            if cells:
                first = max(cells, key=lambda one: len(one.text))
                places = [one.u for one in rules if one.crosses(first.v, first.size)]
                _frame(cells, places, lines)
                rows.append(Row(cells, first.v, first.size, len(places) > 2))
        yield angle, rows


def _frame(cells: list[Cell], places: list[float], lines: Sequence[Along]) -> None:
    """Set the rules around cells."""
    for cell in cells:
        middle = bisect_left(places, (cell.u0 + cell.u1) / 2)
        cell.left = next((one for one in reversed(places[:middle]) if one < cell.u0 + 1), cell.left)
        cell.right = next((one for one in places[middle:] if one > cell.u1 - 1), cell.right)
        if cell.framed:
            center, above = (cell.u0 + cell.u1) / 2, cell.v - 0.3 * cell.size
            here = [one.v for one in lines if one.first <= center <= one.last]
            at = bisect_left(here, above)
            cell.top = here[at - 1] if at else cell.top
            cell.bottom = here[at] if at < len(here) else cell.bottom


def _runs(shows: Iterable[Show]) -> Iterator[tuple[int, Run]]:
    """Yield runs of glyphs in the order in which they are drawn."""
    run: list[Piece] = []
    last = -1
    for number, show in enumerate(shows):
        angle, pieces = pieces_of(number, show)
        for piece in pieces:
            if run and (angle != last or not _goes_on(run[-1], piece)):
                yield last, Run(run)
                run = []
            last = angle
            run.append(piece)
    if run:
        yield last, Run(run)


def _goes_on(before: Piece, piece: Piece) -> bool:
    size = max(before.size, piece.size)
    gap = piece.u0 - before.u1 - before.spacing
    if _accents(before, piece):
        return True
    return (
        abs(piece.v - before.v) <= 0.12 * size
        and -0.4 * size <= gap <= _CELL * size
        and piece.u0 > before.u0 - 0.05 * size
        and 0.5 <= piece.size / before.size <= 2
    )


def _accents(accent: Piece, letter: Piece) -> bool:
    """Return whether two glyphs are drawn as one letter with an accent."""
    return (
        accent.text in _ACCENTS
        and letter.text.isalpha()
        and abs(accent.v - letter.v) < 0.4 * letter.size
        and min(accent.u1, letter.u1) - max(accent.u0, letter.u0)
        > 0.5 * min(accent.u1 - accent.u0, letter.u1 - letter.u0)
    )


def _rows(runs: list[Run]) -> list[list[Run]]:
    """Return the runs of each baseline, from top to bottom."""
    rows: list[list[Run]] = []
    lines: list[tuple[float, float]] = []
    for run in sorted(runs, key=lambda one: (one.v, one.u0)):
        if rows and abs(run.v - lines[-1][0]) <= _BASELINE * min(run.size, lines[-1][1]):
            rows[-1].append(run)
            v, size = lines[-1]
            lines[-1] = (v, max(size, run.size))
        else:
            rows.append([run])
            lines.append((run.v, run.size))
    kept: list[list[Run]] = []
    for row in rows:
        host = _host(row, rows) if len(row) <= 2 else None
        if host is None:
            kept.append(row)
        else:
            host += row
    return kept


def _host(row: list[Run], rows: list[list[Run]]) -> list[Run] | None:
    """Return the row whose letters raised or lowered ones, alone in a row, belong to."""
    at = bisect_left(rows, row[0].v, key=lambda one: one[0].v)
    for other in rows[max(0, at - 3) : at + 4]:
        if other is row or other[0].size * _SMALL < max(one.size for one in row):
            continue
        size = other[0].size
        if not -0.4 * size <= row[0].v - other[0].v <= 0.6 * size and not (
            -0.6 * size <= row[0].v - other[0].v <= 0.3 * size
        ):
            continue
        if all(any(-0.2 * size <= one.u0 - run.u1 <= 0.3 * size for run in other) for one in row):
            return other
    return None


def _groups(runs: list[Run], twins: dict[Ref, list[Ref]]) -> list[list[Run]]:
    """Return the runs of a row in groups without wide gaps, and note in *twins* what is doubled."""
    groups: list[list[Run]] = []
    for run in sorted(runs, key=lambda one: one.u0):
        for group in reversed(groups[-3:]):
            last = group[-1]
            gap, size = run.u0 - last.u1, max(run.size, last.size)
            if _doubles(last, run, twins):
                break
            if -0.4 * size <= gap <= _CELL * size:
                group.append(run)
                break
        else:
            groups.append([run])
    return groups


def _doubles(first: Run, again: Run, twins: dict[Ref, list[Ref]]) -> bool:
    """Note the glyphs of a run that was drawn over an equal one, as for bold letters."""
    size = max(first.size, again.size)
    if abs(first.u0 - again.u0) > 0.4 * size or first.text.strip() != again.text.strip():
        return False
    inked = [[one for one in run.pieces if one.text.strip()] for run in (first, again)]
    if len(inked[0]) != len(inked[1]):
        return False
    for one, other in zip(*inked, strict=True):
        twins.setdefault(one.ref, []).append(other.ref)
    return True


def _cell(group: list[Run], angle: int, twins: dict[Ref, list[Ref]], shows: list[Show]) -> Cell:
    text: list[str] = []
    refs: list[Ref | None] = []
    own: dict[Ref, list[Ref]] = {}
    last: Piece | None = None
    for run in group:
        space = _space(run)
        for piece in run.pieces:
            if (
                last is not None
                and text
                and not text[-1].isspace()
                and not piece.text.isspace()
                and piece.u0 - last.u1 - last.spacing > space * max(last.size, piece.size)
            ):
                text.append(" ")
                refs.append(None)
            if piece.ref in twins:
                own[piece.ref] = twins[piece.ref]
            if last is not None and _accents(last, piece):
                letter = _DOTLESS.get(piece.text, piece.text) + _ACCENTS[last.text]
                text[-1] = normalize("NFC", letter)[:1]
                refs[-1] = piece.ref
                own.setdefault(piece.ref, []).append(last.ref)
                last = piece
                continue
            if not piece.text and last is not None:
                own.setdefault(last.ref, []).append(piece.ref)
                continue
            text += piece.text
            refs += [piece.ref] * len(piece.text)
            last = piece
    start = next((at for at, one in enumerate(text) if not one.isspace()), len(text))
    end = len("".join(text).rstrip())
    size = max(run.size for run in group)
    first = group[0].pieces[0].ref[0]
    font = shows[first].state.font
    return Cell(
        "".join(" " if one.isspace() else one for one in text[start:end]),
        refs[start:end],
        group[0].u0,
        max(run.u1 for run in group),
        max(group, key=lambda one: len(one.pieces)).v,
        size,
        angle,
        own,
        bool(font and font.traits[1]),
    )


def _space(run: Run) -> float:
    """Return the least gap between words, in units of the size; letters may be set apart."""
    if len(run.pieces) < 5:
        return _SPACE
    gaps = [
        (right.u0 - left.u1 - left.spacing) / left.size
        for left, right in zip(run.pieces, run.pieces[1:], strict=False)
        if left.text.strip() and right.text.strip()
    ]
    usual = median(gaps) if gaps else 0.0
    return max(_SPACE, 1.7 * usual + 0.05) if usual > 0.08 else _SPACE
