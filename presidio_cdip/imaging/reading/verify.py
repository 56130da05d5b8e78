"""Check by OCR whether an erased original can still be read."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, takewhile

from PIL import Image

from presidio_cdip.imaging.reading.boxes import LineBox, PageFinding
from presidio_cdip.imaging.reading.ocr import Looker, look_again
from presidio_cdip.imaging.words import Box, Word

_GRAM = 4  # consecutive characters that reveal an original


def still_readable(
    redacted: Image.Image,
    findings: Sequence[PageFinding],
    *,
    name: str = "page",
    language: str = "eng",
    look: Looker = look_again,
) -> list[PageFinding]:
    """Return the findings whose original can still be read in its place.

    An original is readable if a word in its box equals one of the original's words, or contains
    four consecutive characters of it. Letters count only within one word whose centre is in the
    box, because a neighbouring word may be or contain the same. The same word elsewhere on the page
    does not count, and neither does text that the painted surrogate has in common with the
    original. OCR runs once for all boxes; the rest of the page is not read.

    Args:
        redacted: The page after erasing or painting.
        findings: The findings erased on it.
        name: The name of the page in error messages.
        language: Tesseract's name of the page's language.
        look: The OCR function for boxes.

    Raises:
        MissingDependency: Tesseract is not installed.
        UnreadableInput: Tesseract failed.
    """
    boxes = [box for finding in findings for box in finding.boxes]
    if not boxes:
        return []
    readings = defaultdict[int, list[Word]](list)
    for word in look(redacted, boxes, name=name, language=language):
        readings[word.block].append(word)
    return [
        finding
        for finding in findings
        if any(_shows(part, seen) for part in finding.parts for seen in readings.values())
    ]


def _shows(part: LineBox, seen: list[Word]) -> bool:
    """Check whether the words of one reading show the original of *part*."""
    near = sorted((word for word in seen if _within(part.box, word.box)), key=lambda w: w.box.left)
    centred = [word for word in near if _centred(part.box, word.box)]
    words = [token for word in near for token in _tokens(word.text)]
    original, painted = _tokens(part.text), _tokens(part.instead)
    telling = {token for token in original if len(token) > 1 or len(original) == 1}
    inside = [*chain(*(_tokens(word.text) for word in centred))]
    standing = {word for word in words if any(map(str.isdigit, word))} | set(inside)
    if (telling - set(painted)) & standing:
        return True
    shown = "".join(words)
    unread = [token for token in painted if token not in inside]
    letters = " ".join(word for word in inside if not any(_misread(word, of) for of in unread))
    grams = _grams(original) - _grams(painted)
    return any(gram in (shown if any(map(str.isdigit, gram)) else letters) for gram in grams)


def _misread(word: str, painted: str) -> bool:
    """Check whether *word* is a stretch of *painted* with one letter wrong, lost or added.

    >>> _misread("sing", "meeting"), _misread("meetings", "meeting"), _misread("smith", "brown")
    (True, True, False)
    """
    lengths = range(max(_GRAM, len(word)) - 1, len(word) + 2)
    return any(
        _same_ends(word, painted[start : start + length]) >= max(len(word), length) - 1
        for length in lengths
        for start in range(len(painted) - length + 1)
    )


def _same_ends(one: str, other: str) -> int:
    """Return how many letters the beginnings and the ends of two words have in common."""
    before = _same_start(one, other)
    return before + _same_start(one[before:][::-1], other[before:][::-1])


def _same_start(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _grams(tokens: Sequence[str]) -> set[str]:
    joined = "".join(tokens)
    return {joined[start : start + _GRAM] for start in range(len(joined) - _GRAM + 1)}


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _within(box: Box, word: Box) -> bool:
    """Check that the word is on the box's line, inside it or at most half its height beside it."""
    high = min(box.bottom, word.bottom) - max(box.top, word.top)
    wide = box.grown(box.height // 2, 0)
    return (
        high * 2 >= min(box.height, word.height)
        and word.left < wide.right
        and wide.left < word.right
    )


def _centred(box: Box, word: Box) -> bool:
    """Check that the word's centre is within the box, horizontally."""
    return 2 * box.left <= word.left + word.right <= 2 * box.right
