"""Convert between the spaces of a PDF page: its own, and the page as it is displayed."""

from typing import Any

import pikepdf

Matrix = tuple[float, float, float, float, float, float]
Rectangle = tuple[float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def product(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that applies *first*, then *second*."""
    a, b, c, d, e, f = first
    g, h, i, j, k, l = second  # noqa: E741 - as the PDF standard names them
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + l,
    )


def inverse(matrix: Matrix) -> Matrix | None:
    """Return the matrix that undoes *matrix*; None if none does."""
    a, b, c, d, e, f = matrix
    whole = a * d - b * c
    if not whole:
        return None
    return (
        d / whole, -b / whole, -c / whole, a / whole,
        (c * f - d * e) / whole, (b * e - a * f) / whole,
    )  # fmt: skip


def shifted(matrix: Matrix, x: float, y: float = 0.0) -> Matrix:
    """Return *matrix* after a step of (x, y) in its own space."""
    a, b, c, d, e, f = matrix
    return a, b, c, d, a * x + c * y + e, b * x + d * y + f


def clipped(
    clip: Rectangle | None, matrix: Matrix, x0: float, y0: float, x1: float, y1: float
) -> Rectangle:
    """Return the part of *clip* in the rectangle between two corners."""
    a, b, c, d, e, f = matrix
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (x0, x1) for y in (y0, y1)]
    across, down = zip(*corners, strict=True)
    new = min(across), min(down), max(across), max(down)
    if clip is None:
        return new
    return max(clip[0], new[0]), max(clip[1], new[1]), min(clip[2], new[2]), min(clip[3], new[3])


def displayed(page: Any) -> tuple[Matrix, float, float]:
    """Return the matrix from a page's space to the page as displayed, and its width and height.

    There the origin is top left, and y points down.
    """
    left, bottom, right, top = _box(page)
    turn = int(inherited(page, "/Rotate") or 0) % 360
    width, height = right - left, top - bottom
    if turn == 90:
        return (0.0, 1.0, 1.0, 0.0, -bottom, -left), height, width
    if turn == 180:
        return (-1.0, 0.0, 0.0, 1.0, right, -bottom), width, height
    if turn == 270:
        return (0.0, -1.0, -1.0, 0.0, top, right), height, width
    return (1.0, 0.0, 0.0, -1.0, -left, top), width, height


def inherited(page: Any, key: str) -> Any:
    """Return an entry of a page, or of the nearest node of the page tree that has it."""
    node = page.obj
    for _ in range(64):
        if not isinstance(node, pikepdf.Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def _box(page: Any) -> tuple[float, float, float, float]:
    boxes = []
    for given in (page.mediabox, page.cropbox):
        x0, y0, x1, y1 = (float(one) for one in given)
        boxes.append((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
    (a, b, c, d), (e, f, g, h) = boxes
    cut = max(a, e), max(b, f), min(c, g), min(d, h)
    return cut if cut[0] < cut[2] and cut[1] < cut[3] else boxes[0]
