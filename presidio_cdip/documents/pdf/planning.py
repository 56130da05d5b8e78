"""Plan the changes of a page's glyphs for edits of its lines: removed, moved and new ones."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from presidio_cdip.documents.pdf import following
from presidio_cdip.documents.pdf.faces import Faces
from presidio_cdip.documents.pdf.following import Moved
from presidio_cdip.documents.pdf.glyphs import Path, Show
from presidio_cdip.documents.pdf.lines import Cell
from presidio_cdip.documents.pdf.order import Line
from presidio_cdip.documents.pdf.pieces import Piece, Ref, pieces_of
from presidio_cdip.documents.pdf.readings import PageReading
from presidio_cdip.documents.pdf.setting import (
    NARROW,
    NARROWEST,
    SMALLEST,
    Setting,
    set_bar,
    set_text,
)
from presidio_cdip.documents.segments import Edit

Quad = tuple[tuple[float, float], ...]
"""The corners of a bar, on the page as it is displayed."""

_MARGIN = 14.0  # points that stay free at the edge of a page
_NEAR = 3.0  # of the size: lines so far above and below tell where a column ends
_AROUND = 8.0  # of the size: lines so far above and below tell how a cell is aligned
_SHORT = 25.0  # of the size: longer lines begin where they begin
_OVERHANG = 0.6  # of the left margin: what stays free on the right
_RULE = 0.15  # of the size: how near text may come to a rule
_APART = 0.45  # of the size: how near text may come to what follows on its line


class Change(NamedTuple):
    """Replace the characters ``[start, end)`` of a line, or of a cell, by *new*."""

    start: int
    end: int
    new: str


@dataclass(slots=True)
class Plan:
    """The changes of a page's glyphs.

    Attributes:
        removed: The glyphs that go.
        inserted: What is set where a glyph, which goes, began.
        shifts: How far glyphs move along their line, in the text space of their operator.
        stretches: The horizontal scaling of glyphs on lines that are made narrower.
        bars: What is covered.
        properties: The new texts in properties of marked content; None removes one.
        moves: How the text of cells moved.
        rules: The new operands of instructions that draw underlines.
    """

    removed: set[Ref] = field(default_factory=set)
    inserted: dict[Ref, Setting] = field(default_factory=dict)
    shifts: dict[Ref, float] = field(default_factory=dict)
    stretches: dict[Ref, float] = field(default_factory=dict)
    bars: list[Quad] = field(default_factory=list)
    properties: dict[tuple[Path, int, str], str | None] = field(default_factory=dict)
    moves: list[Moved] = field(default_factory=list)
    rules: Mapping[tuple[Path, int], list[float]] = field(default_factory=dict)


def planned(
    page: PageReading, edits: Mapping[int, Sequence[Edit]], faces: Faces, bars: bool
) -> Plan:
    """Return the changes of a page's glyphs that *edits*, by index of a line, need.

    Args:
        page: What was read of it.
        edits: What changes in which line.
        faces: The faces for letters that fonts lack.
        bars: Whether bars replace text, rather than what edits say.
    """
    planner = _Planner(page, faces, bars)
    for index, given in sorted(edits.items()):
        line = page.lines[index]
        for cell, changes in _by_cell(line, list(clusters(line, given))):
            planner.cell(cell, line.twins, changes)
    for number, _ in planner.plan.removed:
        for path, tag in page.reading.tags_of(page.reading.shows[number]):
            for key in [one for one in page.reading.properties if one[:2] == (path, tag)]:
                planner.plan.properties[key] = None
    planner.plan.rules = following.rules(page.reading.rules, planner.plan.moves)
    return planner.plan


def clusters(line: Line, edits: Sequence[Edit]) -> Iterator[Change]:
    """Yield *edits* as changes of whole glyphs, those that touch each other as one."""
    ranges: list[list[int]] = []
    for edit in edits:
        start, end = _whole(line.refs, edit.start, edit.end)
        if ranges and start <= ranges[-1][1]:
            ranges[-1][1] = max(ranges[-1][1], end)
        else:
            ranges.append([start, end])
    for start, end in ranges:
        parts, at = [], start
        for edit in edits:
            if start <= edit.start and edit.end <= end:
                parts += [line.text[at : edit.start], edit.new]
                at = edit.end
        yield Change(start, end, "".join([*parts, line.text[at:end]]))


def _whole(refs: Sequence[Ref | None], start: int, end: int) -> tuple[int, int]:
    """Return the range widened to whole glyphs, and to one at least."""
    while not any(refs[start:end]) and (end < len(refs) or start > 0):
        start, end = (start, end + 1) if end < len(refs) else (start - 1, end)
    while start > 0 and refs[start] is not None and refs[start - 1] == refs[start]:
        start -= 1
    while 0 < end < len(refs) and refs[end] is not None and refs[end - 1] == refs[end]:
        end += 1
    return start, end


def _by_cell(line: Line, changes: Iterable[Change]) -> Iterator[tuple[Cell, list[Change]]]:
    """Yield the cells of a line that change; what spans two is set where more of it was."""
    spans, at = [], 0
    for cell in line.cells:
        spans.append((at, at + len(cell.refs), cell))
        at += len(cell.refs)
    parted: list[list[Change]] = [[] for _ in spans]
    for change in changes:
        parts = [
            (max(change.start, start), min(change.end, end), number)
            for number, (start, end, _) in enumerate(spans)
            if max(change.start, start) < min(change.end, end)
        ]
        most = max(parts, key=lambda one: one[1] - one[0])
        for start, end, number in parts:
            first = spans[number][0]
            new = change.new if number == most[2] else ""
            parted[number].append(Change(start - first, end - first, new))
    for (_, _, cell), given in zip(spans, parted, strict=True):
        if given:
            yield cell, given


class _Planner:
    """Fills a plan."""

    def __init__(self, page: PageReading, faces: Faces, bars: bool) -> None:
        self.plan = Plan()
        self._page = page
        self._faces = faces
        self._bars = bars
        self._pieces: dict[int, list[Piece]] = {}
        self._cells: dict[int, list[Cell]] = {}

    def show(self, ref: Ref) -> Show:
        return self._page.reading.shows[ref[0]]

    def piece(self, ref: Ref) -> Piece:
        if ref[0] not in self._pieces:
            self._pieces[ref[0]] = pieces_of(ref[0], self.show(ref))[1]
        return self._pieces[ref[0]][ref[1]]

    def cell(self, cell: Cell, twins: dict[Ref, list[Ref]], changes: list[Change]) -> None:
        """Plan the changes of a cell."""
        set_at: dict[int, tuple[Setting, float]] = {}
        for change in changes:
            pieces = [self.piece(one) for one in cell.refs[change.start : change.end] if one]
            first = min(pieces, key=lambda one: one.u0)
            old = max(one.u1 for one in pieces) - first.u0
            set_at[change.start] = self._setting(change.new, first, old), old
        fit = self._fit(cell, set_at)
        steps = [(cell.u0, fit.to(cell.u0))]
        delta, at = 0.0, 0
        for change in changes:
            self._move(cell.refs[at : change.start], twins, delta, fit)
            gone = [one for one in cell.refs[change.start : change.end] if one]
            begin = min(gone, key=lambda one: self.piece(one).u0)
            setting, old = set_at[change.start]
            wide = setting.width * fit.size * abs(self._along(begin))
            setting = setting.fitted(fit.stretch, fit.size)
            for one in [begin, *_twins_alike(begin, twins, self._page)]:
                self.plan.inserted[one] = setting
            self._move([begin], twins, delta, fit)
            u0 = self.piece(begin).u0
            steps += [(u0, fit.to(u0 + delta)), (u0 + old, fit.to(u0 + delta + wide))]
            delta += wide - old
            for one in gone:
                self.plan.removed |= {one, *twins.get(one, ())}
            if self._bars:
                self.plan.bars.append(self._quad(begin, setting.width))
            at = change.end
        self._move(cell.refs[at:], twins, delta, fit)
        steps.append((cell.u1, fit.to(cell.u1 + delta)))
        self.plan.moves.append(Moved(cell, steps))

    def _setting(self, new: str, first: Piece, old: float) -> Setting:
        state = self.show(first.ref).state
        if self._bars:
            return set_bar(old / abs(self._along(first.ref)), state)
        return set_text(new, state, self._faces)

    def _fit(self, cell: Cell, given: dict[int, tuple[Setting, float]]) -> "_Fit":
        """Return the narrowing of a cell that would become too long."""
        wide = old = 0.0
        for start, (setting, was) in given.items():
            ref = next(one for one in cell.refs[start:] if one)
            wide += setting.width * abs(self._along(ref))
            old += was
        kept = cell.u1 - cell.u0 - old
        if wide <= 0:
            return _Fit(cell.u0)
        aligned = self._alignment(cell)
        space = self._space(cell, kept + wide, aligned)
        stretch = min(1.0, max(NARROWEST, space / (kept + wide)))
        size = min(1.0, max(SMALLEST, (space / stretch - kept) / wide))
        total = (kept + wide * size) * stretch
        return _Fit(cell.u0, stretch, size, aligned * (cell.u1 - cell.u0 - total))

    def _space(self, cell: Cell, wanted: float, aligned: float) -> float:
        """Return the greatest width of a cell that wants to be *wanted* wide."""
        low, edge, high = self._limits(cell)
        edge, high = max(edge, cell.u1), max(high, cell.u1)
        if aligned == 1:
            return cell.u1 - low
        if aligned:
            middle = (cell.u0 + cell.u1) / 2
            return 2 * min(high - middle, middle - low)
        return min(high - cell.u0, max(edge - cell.u0, NARROW * wanted))

    def _alignment(self, cell: Cell) -> float:
        """Return 1 for a cell aligned on its right with others, .5 for one that is centred."""
        others = [
            one
            for one in self._beside(cell)
            if 0.5 * cell.size < abs(one.v - cell.v) < _AROUND * cell.size
        ]
        if cell.u1 - cell.u0 > _SHORT * cell.size:
            return 0.0
        near = 0.06 * cell.size
        if any(abs(one.u0 - cell.u0) < near for one in others):
            return 0.0
        if sum(abs(one.u1 - cell.u1) < near for one in others) > 1:
            return 1.0
        middle = cell.u0 + cell.u1
        return 0.5 if sum(abs(one.u0 + one.u1 - middle) < 4 * near for one in others) > 1 else 0.0

    def _beside(self, cell: Cell) -> list[Cell]:
        """Return the cells of the page that have the direction of *cell*."""
        if cell.angle not in self._cells:
            cells = (one for line in self._page.lines for one in line.cells)
            self._cells[cell.angle] = [one for one in cells if one.angle == cell.angle]
        return self._cells[cell.angle]

    def _limits(self, cell: Cell) -> tuple[float, float, float]:
        """Return where a cell may begin on its line, should end, and may end."""
        radians = math.radians(cell.angle)
        cos, sin = math.cos(radians), math.sin(radians)
        clip = next(self.show(one).state.clip for one in cell.refs if one)
        page = (0.0, 0.0, self._page.width, self._page.height)
        corners, seen = (
            [x * cos + y * sin for x in box[::2] for y in box[1::2]] for box in (page, clip or page)
        )
        cells = [one for line in self._page.lines for one in line.cells if one.angle == cell.angle]
        margin = max(_MARGIN, (min(one.u0 for one in cells) - min(corners)) * _OVERHANG)
        near = [one for one in cells if abs(one.v - cell.v) < _NEAR * cell.size]
        before = [one.u1 + _APART * cell.size for one in near if one.u1 <= cell.u0 + 0.1]
        behind = [one.u0 - _APART * cell.size for one in near if one.u0 >= cell.u1 - 0.1]
        low = max([min(corners) + margin / 2, min(seen), *before])
        high = min([max(corners) - margin, max(seen), *behind])
        low = max(low, cell.left + _RULE * cell.size)
        high = min(high, cell.right - _RULE * cell.size)
        above = [one.u1 for one in cells if one.u0 < cell.u1 and one.u1 > cell.u0]
        return min(low, cell.u0), min(high, max(above)), high

    def _along(self, ref: Ref) -> float:
        """Return the length of a step in text space along the line, on the page."""
        a, b, _, _, _, _ = self.show(ref).matrix
        state = self.show(ref).state
        return (math.hypot(a, b) or 1.0) * (-1 if state.size * state.scale < 0 else 1)

    def _move(
        self, refs: Iterable[Ref | None], twins: dict[Ref, list[Ref]], by: float, fit: "_Fit"
    ) -> None:
        for ref in refs:
            for one in [] if ref is None else [ref, *twins.get(ref, ())]:
                u0 = self.piece(one).u0
                self.plan.shifts[one] = (fit.to(u0 + by) - u0) / self._along(one)
                if fit.stretch != 1:
                    self.plan.stretches[one] = fit.stretch

    def _quad(self, ref: Ref, wide: float) -> Quad:
        """Return the corners of a bar, *wide* in text space, that begins at a glyph."""
        show = self.show(ref)
        start = show.glyphs[ref[1]].at + self.plan.shifts[ref]
        end = start + math.copysign(wide, self._along(ref))
        assert show.state.font is not None
        low = -show.state.font.descent * show.state.size
        high = show.state.font.ascent * show.state.size
        return (
            show.point(start, low), show.point(end, low),
            show.point(end, high), show.point(start, high),
        )  # fmt: skip


class _Fit(NamedTuple):
    """The narrowing and the move of a cell.

    Attributes:
        start: Where it begins.
        stretch: The horizontal scaling of all of it.
        size: The scaling of the size of what is new.
        move: How far it moves, where cells are aligned on the right, or centred.
    """

    start: float
    stretch: float = 1.0
    size: float = 1.0
    move: float = 0.0

    def to(self, u: float) -> float:
        """Return where something at *u*, along the line, stands in the narrower cell."""
        return (u - self.start) * self.stretch + self.start + self.move


def _twins_alike(first: Ref, twins: dict[Ref, list[Ref]], page: PageReading) -> list[Ref]:
    """Return the glyphs that draw the same letter again; not those that only go with it."""
    text = page.reading.shows[first[0]].glyphs[first[1]].text
    return [
        one
        for one in twins.get(first, ())
        if page.reading.shows[one[0]].glyphs[one[1]].text == text
    ]
