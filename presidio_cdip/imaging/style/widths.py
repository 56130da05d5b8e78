"""Which faces have the widths of a page's words: what blur and spread ink leave as they were.

The words of a line are of one size, so their widths, but for what the ink spread, are in the
proportion of their face's advance widths. On a dark scan a letter's few pixels tell little of its
shape; the widths of some dozens of words still tell one typeface from another.
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
"""Words that tell of a face."""

_SETTINGS = 3  # at most, of a page
_SURE, _LETTERS = 70.0, 3  # OCR's confidence in a word that tells, and how long it is
_SPREADS = range(5)  # pixels by which ink may have made words wider
_OTHER = 0.08  # of its width: by which a word in another face is off, or by more
_AS_LIKELY, _DOUBT = 1.05, 0.02
"""How many times the least error a face may have, and what more by the root of the words' number:
of few words errors are less sure."""
_MISFIT, _REMAINING = 0.04, 0.6
"""The error of lines that are in another face than the page's, and which share of it that may
leave."""
_EM = 512  # pixels in which letters are measured

Widths = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Setting:
    """Lines of a page that are set alike: what is printed of a form, or what was typed into it.

    Attributes:
        faces: Those in which the widths come out best, in the order they were given in.
        lines: Their numbers.
    """

    faces: tuple[Face, ...]
    lines: frozenset[int]


def settings_of(
    words: Sequence[Word], lines: Sequence[int], faces: Sequence[Face]
) -> tuple[Setting, ...]:
    """How the lines of a page are set, what most of its lines are in first.

    Args:
        words: Of a page.
        lines: Of each word, the line it stands on.
        faces: Those to choose from.

    Returns:
        None where too few words stand beside others. A line on which fewer than two words tell is
        in none.
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
    """Which lines are set alike.

    Args:
        errors: ``(ways, lines)``: of each line, how far its words are off, in each way to set it.
        lengths: How many words a line has.
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
    """``(spreads, faces, lines)``: how far a line's words are from its scale, summed.

    Each as a share of its width.
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
    """From the first letter's left edge to the last one's right, in em units."""
    advance, left, right = _letters(file)
    codes = np.frombuffer("".join(texts).encode("ascii"), np.uint8)
    ends = np.cumsum([len(text) for text in texts])
    starts = ends - [len(text) for text in texts]
    wide = np.add.reduceat(advance[codes], starts)
    return np.asarray(np.maximum(wide - left[codes[starts]] - right[codes[ends - 1]], 0.05))


@lru_cache(maxsize=64)
def _letters(file: Path) -> tuple[Widths, Widths, Widths]:
    """Of each ASCII character: how far the pen moves, and what is bare to both sides of its ink."""
    basic = ImageFont.Layout.BASIC
    font = ImageFont.truetype(str(file), _EM, layout_engine=basic)
    advance, left, right = np.zeros((3, 128))
    for code in range(0x20, 0x7F):
        begin, _, end, _ = font.getbbox(chr(code), anchor="ls")
        advance[code] = font.getlength(chr(code))
        left[code], right[code] = begin, advance[code] - end
    return advance / _EM, left / _EM, right / _EM
