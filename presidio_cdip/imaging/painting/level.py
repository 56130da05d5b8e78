"""Find the ink of values on sloping lines, in a copy of the page on which the lines are level."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.page.paper import Mask, Pixels
from presidio_cdip.imaging.page.ruling import Points, Shifts
from presidio_cdip.imaging.painting.strokes import Strokes, strokes_of
from presidio_cdip.imaging.reading.boxes import LineBox
from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.words import Box


class StrokesOfPage:
    """Find the ink of lines of a page, level or sloping.

    Args:
        sheet: The page.
        layout: Its text and words.
        pixels: Its visible pixels, in colour if it has any.
    """

    def __init__(self, sheet: Sheet, layout: LayoutText, pixels: Pixels) -> None:
        self._sheet = sheet
        self._layout = layout
        self._pixels = pixels
        self._found: dict[LineBox, Strokes] = {}

    def of(self, part: LineBox) -> Strokes:
        """Return the ink of *part*, in pixels of the page; it is searched once.

        Whatever is painted in its place, the original's ink is the same.
        """
        part = replace(part, instead="")
        if part not in self._found:
            self._found[part] = self._of(part)
        return self._found[part]

    def _of(self, part: LineBox) -> Strokes:
        if not self._sheet.slope:
            return strokes_of(self._sheet, self._layout, self._pixels, part)
        level, (sheet, layout, pixels) = self._level, self._levelled
        words = [self._layout.words[index].box for index in part.words]
        on_level = [layout.words[index].box for index in part.words]
        # Measured from the words: the corners of a box that cuts a word are not on its line.
        margins = np.subtract(part.box, Box.around(words))
        box = Box(*(np.add(Box.around(on_level), margins).tolist()))
        found = strokes_of(sheet, layout, pixels, replace(part, box=box), level.shifts)
        return level.strokes_on_page(found)

    @cached_property
    def _level(self) -> "Level":
        height, width = self._sheet.pixels.shape
        return Level(self._sheet.slope, (width, height))

    @cached_property
    def _levelled(self) -> tuple[Sheet, LayoutText, Pixels]:
        level, layout = self._level, self._layout
        words = tuple(replace(word, box=level.box(word.box)) for word in layout.words)
        sheet = Sheet(level.pixels(self._sheet.pixels))
        pixels = sheet.pixels
        if self._pixels.ndim > 2:
            pixels = level.pixels(self._pixels)
        return sheet, replace(layout, words=words), pixels


class Level:
    """Map a page to a copy on which its sloping lines are level.

    Columns are moved up or down and rows left or right by whole pixels, as in a rotation by shears
    (Paeth 1986), so that no pixel is changed or lost. Around the page its edge is repeated.

    Args:
        slope: The slope of the page's lines, pixels down per pixel right.
        size: Width and height of the page.
    """

    def __init__(self, slope: float, size: tuple[int, int]) -> None:
        self._slope = slope
        self._size = width, height = size
        self._down = np.round(slope * (np.arange(width) - width / 2)).astype(np.intp)
        self._above = int(self._down.max(initial=0))
        high = height + 2 * self._above
        self._right = np.round(slope * (np.arange(high) - high / 2)).astype(np.intp)
        self._beside = int(self._right.max(initial=0))

    def pixels(self, page: Pixels) -> Pixels:
        """Return the copy of *page*."""
        width, height = self._size
        rows, columns = np.arange(len(self._right)), np.arange(width + 2 * self._beside)
        # In blocks that are moved alike: `on_page` takes ten times as long for all pixels.
        high = np.empty((len(rows), width, *page.shape[2:]), page.dtype)
        for some, moved in _runs(self._down):
            down = rows - self._above + moved
            high[:, some] = page[down.clip(0, height - 1), some]
        copy = np.empty((len(rows), len(columns), *page.shape[2:]), page.dtype)
        for some, moved in _runs(self._right):
            across = columns - self._beside - moved
            copy[some] = high[some, across.clip(0, width - 1)]
        return copy

    def on_page(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Points:
        """Return the page's pixels for those of the copy; they may be outside of the page."""
        across = columns - self._beside - self._right[rows]
        return rows - self._above + self._down[across.clip(0, self._size[0] - 1)], across

    def shifts(self, near: Box) -> Shifts:
        """Return by how much the pixels of *near* of the copy were shifted, but for a constant."""
        rows, columns = np.mgrid[near.top : near.bottom, near.left : near.right]
        down, across = self.on_page(rows, columns)
        return rows - down, columns - across

    def box(self, box: Box) -> Box:
        """Return the box that the print in *box* of the page has on the copy."""
        width = self._size[0]
        top, bottom = (
            end + self._slope * width / 2 + self._above for end in box.straight(self._slope)
        )
        # The height of the print makes its box on the page wider.
        half = (box.width - abs(self._slope) * (bottom - top)) / 2
        moved = self._slope * ((top + bottom) / 2 - len(self._right) / 2) + self._beside
        middle = (box.left + box.right) / 2 + moved
        left, right = round(middle - half), round(middle + half)
        return Box(left, round(top), max(left + 1, right), max(round(top) + 1, round(bottom)))

    def strokes_on_page(self, strokes: Strokes) -> Strokes:
        """Return *strokes* of the copy in pixels of the page."""
        near = self._cover(strokes.near)
        return Strokes(
            near,
            self._mask(strokes.gone, strokes.near, near),
            self._mask(strokes.full, strokes.near, near),
            self._mask(strokes.boxed, strokes.near, near),
            self._cover(strokes.box),
            tuple(self._points(pair, strokes.near, near) for pair in strokes.redrawn),
        )

    def _cover(self, box: Box) -> Box:
        """Return the smallest box of the page that covers *box* of the copy."""
        rows = np.array([box.top, box.top, box.bottom - 1, box.bottom - 1])
        columns = np.array([box.left, box.right - 1] * 2)
        down, across = self.on_page(rows, columns)
        return Box(
            int(across.min()), int(down.min()), int(across.max()) + 1, int(down.max()) + 1
        ).clipped(self._size)

    def _mask(self, mask: Mask, before: Box, near: Box) -> Mask:
        """Return *mask* of the part *before* of the copy as a mask of the page's part *near*."""
        rows, columns = np.nonzero(mask)
        down, across = self._in_near((rows, columns), before, near)
        inside = _inside(down, across, near)
        found = np.zeros((near.height, near.width), np.bool_)
        found[down[inside], across[inside]] = True
        return found

    def _points(self, pair: tuple[Points, Points], before: Box, near: Box) -> tuple[Points, Points]:
        to, by = (self._in_near(points, before, near) for points in pair)
        both = _inside(*to, near) & _inside(*by, near)
        return (to[0][both], to[1][both]), (by[0][both], by[1][both])

    def _in_near(self, points: Points, before: Box, near: Box) -> Points:
        rows, columns = points
        down, across = self.on_page(rows + before.top, columns + before.left)
        return down - near.top, across - near.left


def _runs(shifts: NDArray[np.intp]) -> Iterator[tuple[slice, int]]:
    """Yield where equal *shifts* stand together, and what they are."""
    ends = [*(np.flatnonzero(np.diff(shifts)) + 1).tolist(), len(shifts)]
    for start, end in pairwise([0, *ends]):
        yield slice(start, end), int(shifts[start])


def _inside(rows: NDArray[np.intp], columns: NDArray[np.intp], near: Box) -> NDArray[np.bool_]:
    inside = (rows >= 0) & (rows < near.height) & (columns >= 0) & (columns < near.width)
    return np.asarray(inside)
