"""Find ink that looks like writing and that OCR did not read: handwriting, a line it dropped."""

import re
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from presidio_cdip.imaging.page.clean import Clean, Grey, clean, ink_of, is_blank
from presidio_cdip.imaging.reading.ocr import Reading
from presidio_cdip.imaging.words import Box, Word

_SURE = 40.0  # minimum confidence of a word that counts as read, without a look at its ink
_TOKEN = re.compile(r"[^\W_]+")
_SHAPE = re.compile(r"\d*(?:[^\W\d_]?[a-z]*|[A-Z]*)\d*")  # of a token of words and numbers
_PRINT, _WORD = 1.7, 4  # of the height of a line: a printed word; its minimum letters and digits
_LETTER = 1.0  # of the height of a line: the maximum width of a printed letter, with its gap
_LEVEL, _ON_LINE = 0.12, 0.6  # of the height of a line: off the baseline; share of letters on it
_LOW, _HIGH = 0.4, 4.0  # of the height of a line: of a letter or a stroke of a signature
_AROUND = 0.25  # of the height of a word: its accents, descenders and punctuation
_NEAR, _WIDE = 0.8, 2.5  # of the height of a line: the gap between letters; the width of a region
_LETTERS, _STROKES = 4, 5  # minimum count of letters in a row, or of strokes that a line crosses
_FULL = 0.6  # share of its box that a solid shape fills
_EDGE = 0.01  # of the page's side: the margin in which a scan shows the glass


def unread_regions(image: Image.Image, words: Sequence[Word]) -> tuple[Box, ...]:
    """Return the regions of a page with ink like writing in which OCR read nothing.

    A region is a row of at least four marks of the size of letters, or one mark of many strokes,
    as a signature. A word that OCR read with a low confidence counts as not read, unless it looks
    like a word, and its ink like print. Rules, boxes, dirt and halftones are no marks.

    Args:
        image: The page, upright.
        words: The words that OCR read on it; a `Reading` has the cleaned page, too.

    Returns:
        Boxes in pixels of the page, from top to bottom.
    """
    if not words and is_blank(image):
        return ()
    page = words.page if isinstance(words, Reading) else clean(image)
    heights = [page.on_clean(word.box).height for word in words if word.conf >= _SURE]
    line = float(np.median(heights)) if heights else max(page.pixels.shape) / 80
    ink = _unread_ink(page, words, line)
    _, labels, sizes, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    stats = np.asarray(sizes, np.int32)
    chosen = _marks(stats, line, ink.shape)
    marks = np.where(chosen[labels], np.uint8(255), np.uint8(0))
    found = []
    for own in _rows(marks, np.asarray(labels, np.int32), round(_NEAR * line) | 1):
        box = _around(stats[own])
        if box.width >= _WIDE * line and _is_written(stats[own, 3], marks[box.within()], line):
            found.append(page.on_page(box))
    return tuple(sorted(found, key=lambda box: (box.top, box.left)))


def _rows(marks: Grey, labels: NDArray[np.int32], gap: int) -> Iterator[NDArray[np.int32]]:
    """Yield the labels of the marks of each row, between which are gaps below *gap*."""
    joined = cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((1, gap), np.uint8))
    count, row_of = cv2.connectedComponents(joined)
    pairs = np.unique(np.stack([row_of[marks > 0], labels[marks > 0]]), axis=1)
    for number in range(1, count):
        own = pairs[1, pairs[0] == number]
        if len(own):
            yield own


def _around(stats: NDArray[np.int32]) -> Box:
    left, top = stats[:, :2].min(axis=0)
    right, bottom = (stats[:, :2] + stats[:, 2:4]).max(axis=0)
    return Box(int(left), int(top), int(right), int(bottom))


def _unread_ink(page: Clean, words: Sequence[Word], line: float) -> Grey:
    """Return the ink of a page without that of words that were read."""
    ink = ink_of(page.pixels)
    left = ink.copy()
    size = ink.shape[1], ink.shape[0]
    for word in words:
        box = page.on_clean(word.box)
        if word.conf >= _SURE or _is_printed(ink[box.within()], word.text, line):
            more = round(_AROUND * box.height)
            left[box.grown(more, more).clipped(size).within()] = 0
    return left


def _is_printed(ink: Grey, text: str, line: float) -> bool:
    """Check whether a word of low confidence has the shape of one, and its ink that of print.

    Printed letters are as high and wide as others of the page, and stand on one baseline.

    Args:
        ink: The ink in the word's box.
        text: OCR's reading.
        line: The height of a line.
    """
    height, width = ink.shape
    tokens = _TOKEN.findall(text)
    if sum(map(len, tokens)) < _WORD or not all(map(_SHAPE.fullmatch, tokens)):
        return False
    if height > _PRINT * line or width > _LETTER * line * len(text):
        return False
    stats = cv2.connectedComponentsWithStats(ink, connectivity=8)[2][1:]
    letters = stats[stats[:, cv2.CC_STAT_HEIGHT] >= _LOW * line]
    feet = letters[:, cv2.CC_STAT_TOP] + letters[:, cv2.CC_STAT_HEIGHT]
    return bool(len(feet)) and bool(
        (np.abs(feet - np.median(feet)) <= _LEVEL * line).mean() >= _ON_LINE
    )


def _marks(stats: NDArray[np.int32], line: float, size: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which components have the size of a letter or a signature and are not solid."""
    left, top, wide, high, area = stats.T
    height, width = size
    inside = (left > _EDGE * width) & (left + wide < (1 - _EDGE) * width)
    inside &= (top > _EDGE * height) & (top + high < (1 - _EDGE) * height)
    letter = (high >= _LOW * line) & (high <= _HIGH * line) & (wide <= 30 * line)
    narrow = wide < 0.4 * high  # an i or l fills its box
    found = inside & letter & (narrow | (area < _FULL * wide * high))
    found[0] = False
    return np.asarray(found)


def _is_written(heights: NDArray[np.int32], marks: Grey, line: float) -> bool:
    """Check whether marks are several letters in a row, or one of many strokes.

    Args:
        heights: The height of each mark.
        marks: Their pixels.
        line: The height of a line.
    """
    typical = np.median(heights)
    alike = (heights > 0.5 * typical) & (heights < 2 * typical)
    if alike.sum() >= _LETTERS and typical < 2 * line:
        return True
    strokes = (np.diff((marks > 0).astype(np.int8), axis=1, prepend=0) > 0).sum(axis=1)
    return bool(np.percentile(strokes, 75) >= _STROKES)
