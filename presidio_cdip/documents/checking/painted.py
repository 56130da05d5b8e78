"""Render a PDF page with and without some of what is painted on it, to tell what is seen."""

import ctypes
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from presidio_cdip.documents.segments import Box

Pixels = np.ndarray[Any, np.dtype[np.uint8]]
Matrix = tuple[float, float, float, float, float, float]

SCALE = 2.0  # pixels a point
_MOST_PIXELS = 8_000_000
_DEEPEST = 12  # forms within forms
_MOST_OBJECTS = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """One thing that is painted on a page.

    Attributes:
        handle: pdfium's.
        order: Its place in the order of painting.
        kind: One of pdfium's ``FPDF_PAGEOBJ_`` numbers.
        bounds: Left, bottom, right, top, in the page's own coordinates.
        matrix: From its own coordinates, for an image the unit square, to the page's.
    """

    handle: Any
    order: int
    kind: int
    bounds: Box
    matrix: Matrix

    @property
    def opaque(self) -> bool:
        """Return whether it can hide what was painted before it."""
        if self.kind == raw.FPDF_PAGEOBJ_PATH:
            mode, stroke = ctypes.c_int(), ctypes.c_int()
            raw.FPDFPath_GetDrawMode(self.handle, mode, stroke)
            return mode.value != 0 and self.fill[3] > 250
        return self.kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)

    @property
    def fill(self) -> tuple[int, int, int, int]:
        """Return the red, green, blue and alpha it is filled with."""
        values = [ctypes.c_uint() for _ in range(4)]
        raw.FPDFPageObj_GetFillColor(self.handle, *values)
        red, green, blue, alpha = (one.value for one in values)
        return red, green, blue, alpha

    def covers(self, x: float, y: float) -> bool:
        """Return whether a point lies within its bounds."""
        left, bottom, right, top = self.bounds
        return left <= x <= right and bottom <= y <= top


class Page:
    """A page that can be rendered without some of what is painted on it.

    Attributes:
        painted: All that is painted, in order, forms opened.
        width: Of the page as it is displayed, in points.
        height: Likewise.
        scale: Pixels a point.
        to_view: From the page's own coordinates to points as displayed.
    """

    def __init__(self, page: pdfium.PdfPage, scale: float = SCALE) -> None:
        """Read the drawing operations of *page*, to be rendered at *scale*, or less if large."""
        self._page = page
        self.width, self.height = page.get_size()
        area = max(1.0, self.width * self.height)
        self.scale = min(scale, (_MOST_PIXELS / area) ** 0.5)
        self.painted = list(_painted(page))
        self.to_view = to_view(page)

    def view(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Return the box, as displayed in points, of one in the page's own coordinates."""
        return viewed(self.to_view, (left, bottom, right, top))

    def rendered(
        self, shown: Callable[[Painted], bool] = lambda one: True, annotations: bool = True
    ) -> Pixels:
        """Return the page, rendered in RGB with only what is *shown*."""
        leaves = [one for one in self.painted if one.kind != raw.FPDF_PAGEOBJ_FORM]
        for one in leaves:
            raw.FPDFPageObj_SetIsActive(one.handle, shown(one))
        bitmap = self._page.render(
            scale=self.scale, may_draw_forms=False, draw_annots=annotations, rev_byteorder=True
        )
        pixels: Pixels = bitmap.to_numpy()[..., :3].copy()
        bitmap.close()
        for one in leaves:  # others render this page, too
            raw.FPDFPageObj_SetIsActive(one.handle, True)
        return pixels

    def crop(self, pixels: Pixels, box: Box, inset: float = 0.0) -> Pixels:
        """Return the pixels of a displayed box, made smaller by *inset* of its size on each side.

        It is empty if the box lies outside of the page.
        """
        left, top, right, bottom = (edge * self.scale for edge in box)
        x, y = inset * (right - left), inset * (bottom - top)
        rows = _edges(top + y, bottom - y, pixels.shape[0])
        columns = _edges(left + x, right - x, pixels.shape[1])
        return pixels[rows, columns]


def _edges(start: float, end: float, most: int) -> slice:
    first = max(0, int(start))
    return slice(min(first, most), max(0, min(most, max(int(end + 0.999), int(start) + 1))))


def viewed(matrix: Matrix, edges: Box) -> Box:
    """Return the box around four edges after *matrix*."""
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in edges[::2] for y in edges[1::2]]
    ys = [b * x + d * y + f for x in edges[::2] for y in edges[1::2]]
    return min(xs), min(ys), max(xs), max(ys)


def to_view(page: pdfium.PdfPage) -> Matrix:
    """Return the matrix from a page's own coordinates to points as displayed."""
    width, height = page.get_size()
    fine = 1000

    def device(x: float, y: float) -> tuple[float, float]:
        column, row = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(
            page, 0, 0, int(width * fine), int(height * fine), 0, x, y, column, row
        )
        return column.value / fine, row.value / fine

    e, f = device(0, 0)
    right, up = device(1000, 0), device(0, 1000)
    return (
        (right[0] - e) / 1000, (right[1] - f) / 1000,
        (up[0] - e) / 1000, (up[1] - f) / 1000, e, f,
    )  # fmt: skip


def _painted(page: pdfium.PdfPage) -> Iterator[Painted]:
    count = raw.FPDFPage_CountObjects(page)
    handles = (raw.FPDFPage_GetObject(page, index) for index in range(count))
    every = islice(_opened(handles, (1, 0, 0, 1, 0, 0), 0), _MOST_OBJECTS)
    for order, (handle, kind, matrix) in enumerate(every):
        own = times(_matrix(handle), matrix)
        yield Painted(handle, order, kind, _bounds(handle, matrix), own)


def _opened(
    handles: Iterable[Any], matrix: Matrix, depth: int
) -> Iterator[tuple[Any, int, Matrix]]:
    for handle in handles:
        kind = raw.FPDFPageObj_GetType(handle)
        yield handle, kind, matrix
        if kind == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            within = times(_matrix(handle), matrix)
            count = raw.FPDFFormObj_CountObjects(handle)
            inner = (raw.FPDFFormObj_GetObject(handle, index) for index in range(count))
            yield from _opened(inner, within, depth + 1)


def _matrix(handle: Any) -> Matrix:
    own = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(handle, own)
    return own.a, own.b, own.c, own.d, own.e, own.f


def times(one: Matrix, two: Matrix) -> Matrix:
    """Return the matrix that applies *one*, then *two*."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = two
    return (
        a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j,
        e * g + f * i + k, e * h + f * j + m,
    )  # fmt: skip


def inverted(matrix: Matrix) -> Matrix:
    """Return the matrix that undoes *matrix*."""
    a, b, c, d, e, f = matrix
    size = a * d - b * c
    return (
        d / size, -b / size, -c / size, a / size,
        (c * f - d * e) / size, (b * e - a * f) / size,
    )  # fmt: skip


def _bounds(handle: Any, matrix: Matrix) -> Box:
    edges = [ctypes.c_float() for _ in range(4)]
    raw.FPDFPageObj_GetBounds(handle, *edges)
    left, bottom, right, top = (edge.value for edge in edges)
    return viewed(matrix, (left, bottom, right, top))
