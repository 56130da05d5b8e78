"""Keep the straight lines of a page: those that part the cells of its tables, and underlines."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from presidio_cdip.documents.pdf.geometry import IDENTITY, Matrix, Rectangle, clipped
from presidio_cdip.documents.pdf.shapes import LARGEST, Shape

MOST = 20_000  # on a page
_THIN = 3.0  # points: rectangles that are thicker are no lines
_LONG = 4.0  # points: what is shorter is none, either

Path = tuple[int, ...]


class Rule(NamedTuple):
    """A straight line, or a thin filled rectangle.

    Attributes:
        box: Where it is, on the page as it is displayed.
        path: Which stream it stands in.
        at: The instruction that begins it: ``re``, or ``m`` before an ``l``.
        kind: ``"re"``, ``"m"``, or ``"side"`` for one of the sides of a rectangle.
        matrix: From its operands to the page.
        ends: Two corners, or its ends, as its operands say.
    """

    box: Rectangle
    path: Path
    at: int
    kind: str
    matrix: Matrix
    ends: Rectangle

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the page that operands mean."""
        a, b, c, d, e, f = self.matrix
        return a * x + c * y + e, b * x + d * y + f


class Outline:
    """The path that a stream constructs, as far as it is of straight lines."""

    def __init__(self, path: Path) -> None:
        """Begin without any path, in the stream at *path*."""
        self._path = path
        self._found: list[tuple[int, str, Matrix, tuple[float, float, float, float]]] = []
        self._point: tuple[float, float, int] | None = None
        self._steps = 0
        self._part: list[tuple[float, float]] = []
        self._matrix: Matrix = IDENTITY
        self.shapes: list[Shape] = []

    def clear(self) -> None:
        """Forget the path, which was painted."""
        self._found, self._point, self._steps = [], None, 0
        self._part, self.shapes = [], []

    def move(self, x: float, y: float, index: int) -> None:
        """Begin a line."""
        self._close()
        self._point, self._steps = (x, y, index), 0
        self._part = [(x, y)]

    def line(self, x: float, y: float, at: int, matrix: Matrix) -> None:
        """Add a line; it can be changed only where it is the first after a move."""
        if self._point is None or len(self._found) > MOST:
            return
        self._part.append((x, y))
        self._matrix = matrix
        x0, y0, index = self._point
        kind = "m" if not self._steps and at == index + 1 else "side"
        if self._steps == 1 and self._found:  # the first of several is none that can be changed
            last = self._found[-1]
            self._found[-1] = (last[0], "side", *last[2:])
        self._found.append((index, kind, matrix, (x0, y0, x, y)))
        self._point = (x, y, index)
        self._steps += 1

    def curve(self, points: Sequence[tuple[float, float]], matrix: Matrix) -> None:
        """Add a curve; its points of control bound it."""
        if self._point is not None and len(self._part) < MOST:
            self._part += points
            self._matrix = matrix
            self._point, self._steps = (*points[-1], self._point[2]), self._steps + 1

    def _close(self) -> None:
        """Keep the part of the path that ends, if it is small."""
        if len(self._part) > 2:
            across, down = zip(*self._part, strict=True)
            box = clipped(None, self._matrix, min(across), min(down), max(across), max(down))
            self._keep(box, len(self._part))
        self._part = []

    def _keep(self, box: Rectangle, steps: int) -> None:
        if max(box[2] - box[0], box[3] - box[1]) <= LARGEST and len(self.shapes) < MOST:
            self.shapes.append(Shape(box, steps))

    def rectangle(self, x0: float, y0: float, x1: float, y1: float, index: int, m: Matrix) -> None:
        """Add a rectangle."""
        if len(self._found) <= MOST:
            self._found.append((index, "re", m, (x0, y0, x1, y1)))
            self._keep(clipped(None, m, x0, y0, x1, y1), 1)

    def painted(self, stroked: bool) -> Iterator[Rule]:
        """Yield the rules among what is painted."""
        self._close()
        for index, kind, matrix, (x0, y0, x1, y1) in self._found:
            box = clipped(None, matrix, x0, y0, x1, y1)
            wide, high = box[2] - box[0], box[3] - box[1]
            if min(wide, high) <= _THIN and max(wide, high) >= _LONG:
                if kind == "re" or stroked:
                    yield Rule(box, self._path, index, kind, matrix, (x0, y0, x1, y1))
            elif kind == "re" and stroked and min(wide, high) >= _LONG:
                left, top, right, bottom = box
                for side in (
                    (left, top, left, bottom), (right, top, right, bottom),
                    (left, top, right, top), (left, bottom, right, bottom),
                ):  # fmt: skip
                    yield Rule(side, self._path, index, "side", matrix, side)


class Across(NamedTuple):
    """A rule across a direction of writing: u along the direction, v downwards."""

    u: float
    top: float
    bottom: float

    def crosses(self, v: float, size: float) -> bool:
        """Return whether it stands beside letters of *size* on the baseline *v*."""
        return self.top <= v - 0.45 * size and self.bottom >= v - 0.15 * size


class Along(NamedTuple):
    """A rule along a direction of writing: u along the direction, v downwards."""

    v: float
    first: float
    last: float


def along(rules: Sequence[Rule], angle: int) -> list[Along]:
    """Return the rules that lie along a direction of writing, from top to bottom."""
    return sorted({Along(v0 / 2 + v1 / 2, u0, u1) for u0, u1, v0, v1 in _turned(rules, angle)
                   if u1 - u0 > v1 - v0})  # fmt: skip


def across(rules: Sequence[Rule], angle: int) -> list[Across]:
    """Return the rules that lie across a direction of writing, from left to right."""
    return sorted({Across(u0 / 2 + u1 / 2, v0, v1) for u0, u1, v0, v1 in _turned(rules, angle)
                   if u1 - u0 < v1 - v0})  # fmt: skip


def _turned(rules: Sequence[Rule], angle: int) -> Iterator[tuple[float, float, float, float]]:
    """Yield where rules begin and end along a direction, and across it."""
    if angle % 90:
        return
    radians = math.radians(angle)
    cos, sin = round(math.cos(radians)), round(math.sin(radians))
    for rule in rules:
        x0, y0, x1, y1 = rule.box
        us = sorted((x0 * cos + y0 * sin, x1 * cos + y1 * sin))
        vs = sorted((y0 * cos - x0 * sin, y1 * cos - x1 * sin))
        yield us[0], us[1], vs[0], vs[1]
