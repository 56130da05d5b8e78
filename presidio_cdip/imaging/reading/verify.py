"""The second look: whether an erased original can still be read."""

import re
from collections.abc import Sequence
from itertools import chain

from PIL import Image

from presidio_cdip.imaging.reading.boxes import LineBox, PageFinding
from presidio_cdip.imaging.reading.ocr import Looker, look_again
from presidio_cdip.imaging.words import Box, Word

_MARGIN = 2.0  # of a line's height: how much of the page around a box OCR is shown
_GRAM = 4  # so many characters in a row give an original away


def still_readable(
    redacted: Image.Image,
    findings: Sequence[PageFinding],
    *,
    name: str = "page",
    language: str = "eng",
    look: Looker = look_again,
) -> list[PageFinding]:
    """The findings whose original can be read where it stood.

    It can when a word within the box is one of the original's words, or shows four characters
    in a row of it. Letters alone count only in one word that stands mainly in the box, for a word
    beside it may have them too. The same word elsewhere on the page does not count, nor does what
    the surrogate that was painted there shares with the original.
    OCR is run once for all boxes, with the rest of the page taken for empty paper.

    Args:
        redacted: The page after erasing or painting.
        findings: What was erased on it.
        name: What errors call the page.
        language: Tesseract's name of the page's language.
        look: Reads the page around boxes.

    Raises:
        MissingDependency: Tesseract is not installed.
        UnreadableInput: Tesseract failed.
    """
    boxes = [box for finding in findings for box in finding.boxes]
    if not boxes:
        return []
    margins = [round(_MARGIN * box.height) for box in boxes]
    around = [box.grown(far, far) for box, far in zip(boxes, margins, strict=True)]
    seen = look(redacted, around, name=name, language=language)
    return [finding for finding in findings if any(_shows(part, seen) for part in finding.parts)]


def _shows(part: LineBox, seen: list[Word]) -> bool:
    near = sorted((word for word in seen if _within(part.box, word.box)), key=lambda w: w.box.left)
    words = [token for word in near for token in _tokens(word.text)]
    original, painted = _tokens(part.text), _tokens(part.instead)
    telling = {token for token in original if len(token) > 1 or len(original) == 1}
    if (telling - set(painted)) & set(words):
        return True
    shown = "".join(words)
    inside = " ".join(chain(*(_tokens(word.text) for word in near if _centred(part.box, word.box))))
    grams = _grams(original) - _grams(painted)
    return any(gram in (shown if any(map(str.isdigit, gram)) else inside) for gram in grams)


def _grams(tokens: Sequence[str]) -> set[str]:
    joined = "".join(tokens)
    return {joined[start : start + _GRAM] for start in range(len(joined) - _GRAM + 1)}


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _within(box: Box, word: Box) -> bool:
    """Whether the word stands on the box's line and in it, or at most half a height beside it."""
    high = min(box.bottom, word.bottom) - max(box.top, word.top)
    wide = box.grown(box.height // 2, 0)
    return (
        high * 2 >= min(box.height, word.height)
        and word.left < wide.right
        and wide.left < word.right
    )


def _centred(box: Box, word: Box) -> bool:
    """Whether the word's middle is in the box."""
    return 2 * box.left <= word.left + word.right <= 2 * box.right
