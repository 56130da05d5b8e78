"""Which faces have the widths of a page's words: what blur and spread ink leave as they were.

The words of a line are of one size, so their widths, but for what the ink spread, are in the
proportion of their face's advance widths. On a dark scan a letter's few pixels tell little of its
shape; the widths of some dozens of words still tell one typeface from another.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import ImageFont

from presidio_cdip.imaging.faces import Face
from presidio_cdip.imaging.words import Word

ENOUGH = 12
"""Words that tell of a page's faces."""

_MOST = 250  # words that are looked at
_SURE, _LETTERS = 70.0, 3  # OCR's confidence in a word that tells, and how long it is
_SPREADS = range(5)  # pixels by which ink may have made words wider
_OTHER = 0.08  # of its width: by which a word in another face is off, or by more
_AS_LIKELY, _DOUBT = 1.05, 0.02
"""How many times the least error a face may have, and what more by the root of the words' number:
of few words errors are less sure."""
_EM = 512  # pixels in which letters are measured

Widths = NDArray[np.float64]


def likely_faces(words: Sequence[Word], lines: Sequence[int], faces: Sequence[Face]) -> list[Face]:
    """Those of *faces* in which *words* come out about as wide as they are, compared with others.

    Args:
        words: Of a page.
        lines: Of each word, the line it stands on.
        faces: Those to choose from.

    Returns:
        In the order of *faces*; none where too few words stand beside others.
    """
    by_line: dict[int, list[Word]] = defaultdict(list)
    for word, line in zip(words, lines, strict=True):
        if word.conf >= _SURE and len(word.text) >= _LETTERS and word.text.isascii():
            by_line[line].append(word)
    telling = [line for line in by_line.values() if len(line) > 1]
    count = sum(map(len, telling))
    if count < ENOUGH or not faces:
        return []
    telling = telling[:: 1 + count // _MOST]
    told = [word for line in telling for word in line]
    ends = np.cumsum([len(line) for line in telling])[:-1]
    seen = np.array([word.box.width for word in told], np.float64)
    drawn = np.array([_drawn_widths(face.file, [word.text for word in told]) for face in faces])
    errors = np.min([_errors(seen - spread, drawn, ends) for spread in _SPREADS], axis=0)
    most = _AS_LIKELY * errors.min() + _DOUBT / len(told) ** 0.5
    return [face for face, error in zip(faces, errors, strict=True) if error <= most]


def _errors(seen: Widths, drawn: Widths, ends: NDArray[np.intp]) -> Widths:
    """Of each face, how far words are from their line's scale, as a mean share of their width.

    Args:
        seen: A width a word, line after line.
        drawn: ``(faces, words)``: what it would be.
        ends: Where lines after the first begin.
    """
    scales = seen / drawn
    off = [
        np.abs(line / np.median(line, axis=1, keepdims=True) - 1)
        for line in np.split(scales, ends, axis=1)
    ]
    return np.asarray(np.minimum(np.concatenate(off, axis=1), _OTHER).mean(axis=1))


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
