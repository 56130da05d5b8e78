"""Split stretches of a line into the cells of a table: at rules, and where columns begin."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise

from presidio_cdip.documents.pdf.pieces import Piece, Run
from presidio_cdip.documents.pdf.rules import Across

Group = list[Run]

_REACH = 0.15  # of the size: how far letters may reach over a rule
_WORD = 0.2  # of the size: the least gap before a word
_ALIGNED = 0.08  # of the size: how far the beginnings of a column may lie apart
_NEAR = 5  # rows above and below that may belong to the same table
_ROWS = 3  # that begin a word at the same place, one of them after a wide gap
_GUTTER = 0.65  # of the size: columns of prose are as far apart, or farther
_LINES = 4  # that begin a word at the same place, each after a gutter
_COMB = 3  # compartments of one letter each are one field


def parted(rows: list[list[Group]], rules: Sequence[Across]) -> list[list[Group]]:
    """Return the groups of each row, parted at rules and where columns begin."""
    ruled = [
        [part for group in row for part in _at_rules(group, rules)] if row else row for row in rows
    ]
    return _at_columns(ruled)


def _at_rules(group: Group, rules: Sequence[Across]) -> list[Group]:
    v, size = group[0].v, max(run.size for run in group)
    places = [one.u for one in rules if one.crosses(v, size)]

    def between(left: Piece, right: Piece) -> bool:
        at = bisect_left(places, left.u1 - _REACH * size)
        return at < len(places) and places[at] <= right.u0 + _REACH * size

    parts = _cut(group, between) if places else [group]
    return _combs(parts) if len(parts) >= _COMB else parts


def _cut(group: Group, where: Callable[[Piece, Piece], bool]) -> list[Group]:
    """Return *group* cut between pieces that *where* is true of."""
    parts: list[Group] = [[]]
    last: Piece | None = None
    for run in group:
        pieces: list[Piece] = []
        for piece in run.pieces:
            if piece.text.strip():
                if last is not None and piece.u0 >= last.u0 and where(last, piece):
                    if pieces:
                        parts[-1].append(Run(pieces).measured())
                    pieces = []
                    parts.append([])
                last = piece
            pieces.append(piece)
        if pieces:
            whole = len(pieces) == len(run.pieces)
            parts[-1].append(run if whole else Run(pieces).measured())
    return parts


def _combs(parts: list[Group]) -> list[Group]:
    """Join compartments that have one letter each."""
    found: list[Group] = []
    at = 0
    while at < len(parts):
        end = at
        while end < len(parts) and len("".join(run.text for run in parts[end]).strip()) == 1:
            end += 1
        if end - at >= _COMB:
            found.append([run for part in parts[at:end] for run in part])
            at = end
        else:
            found.append(parts[at])
            at += 1
    return found


def _at_columns(rows: list[list[Group]]) -> list[list[Group]]:
    """Split groups where several rows near begin a word, one of them after a wide gap."""
    wide = [[group[0].u0 for group in row[1:]] for row in rows]
    words = [_starts(row, _WORD) for row in rows]
    gutters = [_starts(row, _GUTTER) for row in rows]
    found = []
    for number, row in enumerate(rows):
        near = range(max(0, number - _NEAR), min(len(rows), number + _NEAR + 1))
        starts = sorted(one for other in near if other != number for one in wide[other])

        def begins(
            left: Piece, right: Piece, near: range = near, starts: list[float] = starts
        ) -> bool:
            gap, room = (right.u0 - left.u1) / right.size, _ALIGNED * right.size
            if gap <= _WORD:
                return False
            if _has(starts, right.u0, room):
                return sum(_has(words[other], right.u0, room) for other in near) >= _ROWS
            if gap <= _GUTTER:
                return False
            return sum(_has(gutters[other], right.u0, room) for other in near) >= _LINES

        known = starts or any(gutters[other] for other in near)
        found.append([part for group in row for part in _cut(group, begins)] if known else row)
    return found


def _starts(row: list[Group], least: float) -> list[float]:
    """Return where words begin after a gap of at least so many sizes, but for the first."""
    found = [group[0].u0 for group in row[1:]]
    for group in row:
        pieces = [one for run in group for one in run.pieces if one.text.strip()]
        found += [
            right.u0 for left, right in pairwise(pieces) if right.u0 - left.u1 > least * right.size
        ]
    return sorted(found)


def _has(places: list[float], place: float, room: float) -> bool:
    at = bisect_left(places, place - room)
    return at < len(places) and places[at] <= place + room
