"""Resize underlines and links to the new text, so that they do not reveal the old length."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pikepdf

from presidio_cdip.documents.pdf.geometry import Matrix, displayed, inverse
from presidio_cdip.documents.pdf.lines import Cell
from presidio_cdip.documents.pdf.rules import Path, Rule

_BELOW, _ABOVE = 0.24, 0.5  # of the size: where underlines are, and lines that strike through
_REACH = 0.15  # of the size: how far they may reach beyond the text
_LINES = 2.2  # of the size: what is higher does not belong to one line
_MARKUP = ("/Highlight", "/Underline", "/StrikeOut", "/Squiggly")

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Moved:
    """Hold the moves of a cell's text.

    Attributes:
        cell: The cell.
        steps: From left to right, old and new positions along the line.
    """

    cell: Cell
    steps: Sequence[tuple[float, float]]

    def to(self, u: float) -> float | None:
        """Return the new position of *u*; None if it does not belong to the text."""
        reach = _REACH * self.cell.size
        if not self.cell.u0 - reach <= u <= self.cell.u1 + reach:
            return None
        if any(abs(u - edge) < reach for edge in (self.cell.left, self.cell.right)):
            return None  # a border of the table
        before = self.steps[0]
        if u <= before[0]:
            return u - before[0] + before[1]
        for now in self.steps[1:]:
            if u <= now[0]:
                share = (u - before[0]) / ((now[0] - before[0]) or 1.0)
                return before[1] + share * (now[1] - before[1])
            before = now
        return u - before[0] + before[1]

    def point(self, x: float, y: float) -> Point | None:
        """Return the new position of a point of the page, at the same distance from the line."""
        radians = math.radians(self.cell.angle)
        cos, sin = math.cos(radians), math.sin(radians)
        u, v = self.to(x * cos + y * sin), y * cos - x * sin
        return None if u is None else (u * cos - v * sin, u * sin + v * cos)

    def along(self, points: Iterable[Point]) -> tuple[float, float]:
        """Return the least and the greatest distance of points below the line."""
        radians = math.radians(self.cell.angle)
        cos, sin = math.cos(radians), math.sin(radians)
        below = [y * cos - x * sin - self.cell.v for x, y in points]
        return min(below), max(below)


def rules(given: Sequence[Rule], moves: Sequence[Moved]) -> Mapping[tuple[Path, int], list[float]]:
    """Return the new operands of the instructions that draw underlines."""
    found: dict[tuple[Path, int], list[float]] = {}
    for rule in given:
        if rule.kind == "side":
            continue
        x0, y0, x1, y1 = rule.ends
        ends = [rule.point(x0, y0), rule.point(x1, y1)]
        near = [one for one in moves if _is_underline(ends, one)]
        back = inverse(rule.matrix)
        if not near or back is None:
            continue
        (x0, y0), (x1, y1) = (_applied(back, *_moved(near, *end)) for end in ends)
        if rule.kind == "re":
            found[rule.path, rule.at] = [x0, y0, x1 - x0, y1 - y0]
        else:
            found[rule.path, rule.at] = [x0, y0]
            found[rule.path, rule.at + 1] = [x1, y1]
    return found


def _is_underline(ends: Sequence[Point], moved: Moved) -> bool:
    low, high = moved.along(ends)
    size = moved.cell.size
    return low >= -_ABOVE * size and high <= _BELOW * size


def _moved(moves: Sequence[Moved], x: float, y: float) -> Point:
    return next((new for one in moves if (new := one.point(x, y)) is not None), (x, y))


def _applied(matrix: Matrix, x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def annotations(page: Any, moves: Sequence[Moved]) -> None:
    """Move the links and the marks of a `pikepdf.Page` with the text they lie over."""
    given = page.obj.get("/Annots")
    matrix = displayed(page)[0]
    back = inverse(matrix)
    if not isinstance(given, pikepdf.Array) or back is None:
        return
    for one in given:
        kind = one.get("/Subtype") if isinstance(one, pikepdf.Dictionary) else None
        if kind != "/Link" and kind not in _MARKUP:
            continue
        try:
            _move(one, moves, matrix, back)
        except (TypeError, ValueError):
            continue  # a rectangle that is none


def _move(annotation: Any, moves: Sequence[Moved], matrix: Matrix, back: Matrix) -> None:
    quads = annotation.get("/QuadPoints")
    numbers = [float(one) for one in annotation["/Rect" if quads is None else "/QuadPoints"]]
    size = 4 if quads is None else 8
    new: list[Point] = []
    for at in range(0, len(numbers) - size + 1, size):
        pairs = zip(numbers[at : at + size : 2], numbers[at + 1 : at + size : 2], strict=True)
        points = [_applied(matrix, *pair) for pair in pairs]
        near = [one for one in moves if _covers(points, one)]
        new += [_applied(back, *_moved(near, *point)) for point in points]
    flat = [round(one, 3) for point in new for one in point]
    if max(abs(one - was) for one, was in zip(flat, numbers, strict=False)) < 0.01:
        return
    across, down = sorted(flat[::2]), sorted(flat[1::2])
    annotation["/Rect"] = [across[0], down[0], across[-1], down[-1]]
    if quads is not None:
        annotation["/QuadPoints"] = flat
    if annotation.get("/Subtype") in _MARKUP and "/AP" in annotation:
        del annotation["/AP"]  # viewers draw it again


def _covers(points: Sequence[Point], moved: Moved) -> bool:
    """Return whether points stand around the line, and no other."""
    low, high = moved.along(points)
    size = moved.cell.size
    return low <= -0.2 * size and high >= -0.1 * size and high - low <= _LINES * size
