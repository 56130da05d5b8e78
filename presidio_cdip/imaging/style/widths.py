"""Find the typefaces whose advance widths match the word widths of a page.

The words of a line have one size, so their widths, apart from ink spread, are proportional to the
advance widths of their typeface. On a dark scan the few pixels of a letter say little about its
shape; the widths of some dozens of words still distinguish typefaces.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import ImageFont

from presidio_cdip.imaging.style.faces import Face
from presidio_cdip.imaging.words import Word

ENOUGH = 12
"""Minimum count of words from which a typeface is inferred."""

_SETTINGS = 3  # maximum per page
_SURE, _LETTERS = 70.0, 3  # minimum OCR confidence and length of a usable word
_SPREADS = range(5)  # pixels: tested widening of words by ink spread
_OTHER = 0.08  # of its width: the error is clipped here; such a word is in another typeface
_AS_LIKELY, _DOUBT = 1.05, 0.02
"""Tolerance for likely typefaces: a factor of the minimum error, plus a term divided by the square
root of the word count, because few words give an uncertain error."""
_MISFIT, _REMAINING = 0.04, 0.6
"""Minimum error of lines for which another typeface is tried, and the maximum share of that error
that may remain with it."""
_EM = 512  # pixels per em in which letters are measured

Widths = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Setting:
    """Group lines of a page in one typeface, such as the printed form, or the typed answers.

    Attributes:
        faces: The typefaces that match the widths best, in the given order.
        lines: The line numbers.
    """

    faces: tuple[Face, ...]
    lines: frozenset[int]


def settings_of(
    words: Sequence[Word], lines: Sequence[int], faces: Sequence[Face]
) -> tuple[Setting, ...]:
    """Group the lines of a page by typeface, the largest group first.

    Args:
        words: The words of a page.
        lines: The line number of each word.
        faces: The typefaces to choose from.

    Returns:
        An empty tuple if too few lines have two usable words. Lines with fewer are in no group.
    """
    by_line: dict[int, list[Word]] = defaultdict(list)
    for word, line in zip(words, lines, strict=True):
        if _is_usable(word):
            by_line[line].append(word)
    numbers = [line for line, own in by_line.items() if len(own) > 1]
    count = sum(len(by_line[line]) for line in numbers)
    if count < ENOUGH or not faces:
        return ()
    usable = [by_line[line] for line in numbers]
    errors = _errors(usable, faces)
    lengths = np.array([len(line) for line in usable])
    found = []
    for own in _parted(errors.reshape(-1, len(usable)), lengths):
        mean = errors[:, :, own].sum(axis=2).min(axis=0) / lengths[own].sum()
        most = _AS_LIKELY * mean.min() + _DOUBT / lengths[own].sum() ** 0.5
        likely = tuple(face for face, error in zip(faces, mean, strict=True) if error <= most)
        found.append(Setting(likely, frozenset(numbers[line] for line in np.flatnonzero(own))))
    return tuple(sorted(found, key=lambda one: -len(one.lines)))


def _is_usable(word: Word) -> bool:
    return (
        word.conf >= _SURE
        and len(word.text) >= _LETTERS
        and word.text.isascii()
        and word.box.width > 2 * _SPREADS[-1]
    )


def _parted(errors: Widths, lengths: NDArray[np.intp]) -> list[NDArray[np.bool_]]:
    """Cluster lines by typeface, and return one mask of lines per cluster.

    Args:
        errors: ``(ways, lines)``: the error of each line for each typeface and ink spread.
        lengths: The count of words on each line.
    """
    chosen = [int(errors.sum(axis=1).argmin())]
    while len(chosen) < _SETTINGS:
        now = errors[chosen].min(axis=0)
        other = int(np.minimum(now, errors).sum(axis=1).argmin())
        better = errors[other] < now
        count = lengths[better].sum()
        if (
            count < ENOUGH
            or now[better].sum() < _MISFIT * count
            or errors[other][better].sum() > _REMAINING * now[better].sum()
        ):
            break
        chosen.append(other)
    nearest = errors[chosen].argmin(axis=0)
    parts = [nearest == number for number in range(len(chosen))]
    return [own for own in parts if own.any()]


def _errors(usable: Sequence[Sequence[Word]], faces: Sequence[Face]) -> Widths:
    """Return ``(spreads, faces, lines)``: the sum of a line's word width errors.

    The error of a word is relative to the line's median scale.
    """
    words = [word for line in usable for word in line]
    ends = np.cumsum([len(line) for line in usable])[:-1]
    seen = np.array([word.box.width for word in words], np.float64)
    drawn = np.array([_drawn_widths(face.file, [word.text for word in words]) for face in faces])
    found = []
    for spread in _SPREADS:
        scales = np.split((seen - spread) / drawn, ends, axis=1)
        off = [np.abs(line / np.median(line, axis=1, keepdims=True) - 1) for line in scales]
        found.append([np.minimum(line, _OTHER).sum(axis=1) for line in off])
    return np.swapaxes(np.array(found), 1, 2)


def _drawn_widths(file: Path, texts: Sequence[str]) -> Widths:
    """Return the ink widths of *texts*, from first to last letter, in em units."""
    advance, left, right = _letters(file)
    codes = np.frombuffer("".join(texts).encode("ascii"), np.uint8)
    ends = np.cumsum([len(text) for text in texts])
    starts = ends - [len(text) for text in texts]
    wide = np.add.reduceat(advance[codes], starts)
    return np.asarray(np.maximum(wide - left[codes[starts]] - right[codes[ends - 1]], 0.05))


@lru_cache(maxsize=64)
def _letters(file: Path) -> tuple[Widths, Widths, Widths]:
    """Return advance width, left and right side bearing of each ASCII character, in em units."""
    basic = ImageFont.Layout.BASIC
    font = ImageFont.truetype(str(file), _EM, layout_engine=basic)
    advance, left, right = np.zeros((3, 128))
    for code in range(0x20, 0x7F):
        begin, _, end, _ = font.getbbox(chr(code), anchor="ls")
        advance[code] = font.getlength(chr(code))
        left[code], right[code] = begin, advance[code] - end
    return advance / _EM, left / _EM, right / _EM
