"""Read the words of a page with Tesseract, and check the OCR confidence."""

import os
import re
import subprocess
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from PIL import Image
from pytesseract import pytesseract

from presidio_cdip.errors import MissingDependency, UnreadableInput
from presidio_cdip.imaging.page.clean import Clean, Grey, clean, has_ink, ink_of, tight
from presidio_cdip.imaging.page.pages import refuse_long
from presidio_cdip.imaging.words import Box, Word

FLOOR = 45.0
"""Minimum mean confidence of a page, weighted by word length; below it the page is unread.

Twelve real scans have 87 to 94 upright, and 19 to 28 upside down or rotated by 90 degrees.
"""

FLOOR_OF_FEW = 60.0
"""The same for a page of less than 60 letters: a single line upside down had 56."""

PAGE, SPARSE = 3, 11
"""Tesseract's page segmentation modes: a laid-out page, and text anywhere."""

_SURE = 50.0  # minimum confidence of words from the second pass
_FEW = 60  # letters and digits on a page
_SEEN = 12  # letters and digits; a page with fewer may hold only specks
_LEAST_INK = 0.06  # minimum share of ink in the box of a word
_SECONDS = 300


class Reader(Protocol):
    """Read a page: `read_words` or a test double of it."""

    def __call__(self, image: Image.Image, /, *, name: str, language: str) -> list[Word]:
        """Return the words of *image*, none for a blank page; raises `UnreadableInput`."""


class Looker(Protocol):
    """Read a page only around boxes: `look_again` or a test double of it."""

    def __call__(
        self, image: Image.Image, around: list[Box], /, *, name: str, language: str
    ) -> list[Word]:
        """Return the words of *image* within *around*."""


def read_words(image: Image.Image, /, *, name: str = "page", language: str = "eng") -> list[Word]:
    """Return the words of a page, block by block; [] for a blank page.

    A second pass reads the areas in which the first found no word, for text that Tesseract's layout
    analysis missed, such as a line between rules or beside a stamp.

    Args:
        image: The page, of any Pillow mode, with a skew of at most about 5 degrees.
        name: The name of the page in error messages.
        language: Tesseract's name of the language, such as "eng" or "eng+deu".

    Raises:
        MissingDependency: Tesseract or the language's file is not installed.
        UnreadableInput: There is ink on the page, but no text, or text of low confidence: noise,
            handwriting, a picture, or a page on its side or upside down. Or the page is longer
            than the OCR limit.
    """
    refuse_long(image.size, "is", name)
    page = clean(image)
    words = _read(page.pixels, language, PAGE, name)
    if words:
        words = _with_leftovers(page, words, language, name)
    if unreliable(words):
        if _letters(words) < _SEEN and not has_ink(image):
            return []
        raise UnreadableInput(
            name,
            "not read, so not clean: turn the page upright, scan it at 200 dpi or more, "
            "or look at it by eye",
        )
    boxes = tight(page.pixels, [word.box for word in words])
    return [
        replace(word, box=page.on_page(box))
        for word, box in zip(words, boxes, strict=True)
        if word.conf >= _SURE or any(map(str.isalnum, word.text))  # other words are specks
    ]


def look_again(
    image: Image.Image, around: list[Box], /, *, name: str = "page", language: str = "eng"
) -> list[Word]:
    """Return the words that OCR reads within *around*; the rest of the page is blanked out.

    Uses `tesserocr` if it is installed, with the data of the installed Tesseract, which is about
    five times as fast.

    Args:
        image: The page.
        around: The boxes to read, in pixels of the page.
        name: The name of the page in error messages.
        language: As for `read_words`.

    Raises:
        MissingDependency: As `read_words`.
        UnreadableInput: Tesseract failed.
    """
    if not around:
        return []
    library = _library()
    if library is not None and (data := _data_of(language)):
        return _look_within(library, data, image, around, language)
    keep = np.zeros((image.height, image.width), dtype=np.bool_)
    for box in around:
        left, top, right, bottom = box.clipped(image.size)
        keep[top:bottom, left:right] = True
    page = clean(image, keep)
    words = _read(page.pixels, language, SPARSE, name)
    return [replace(word, box=page.on_page(word.box)) for word in words]


def _library() -> Any:
    """Return the module `tesserocr`, or None; it reads a crop in some milliseconds."""
    try:
        import tesserocr
    except ImportError:
        return None
    return tesserocr


@lru_cache(maxsize=8)
def _data_of(language: str) -> str | None:
    """Return the data folder of the installed Tesseract, or None if it lacks *language*."""
    try:
        run = subprocess.run(
            [pytesseract.tesseract_cmd, "--list-langs"], capture_output=True, text=True
        )
    except FileNotFoundError:
        return None
    folder = re.search(r'in "(.+?)"', run.stdout + run.stderr)
    if not folder:
        return None
    has = all(Path(folder[1], f"{one}.traineddata").is_file() for one in language.split("+"))
    return folder[1] if has else None


def _look_within(
    library: Any, data: str, image: Image.Image, around: list[Box], language: str
) -> list[Word]:
    """Do the work of `look_again` with tesserocr, crop by crop; overlapping boxes are joined."""
    page = clean(image)
    found = []
    options = {"path": data, "lang": language, "psm": library.PSM.SPARSE_TEXT}
    with library.PyTessBaseAPI(**options) as api:
        api.SetVariable("user_defined_dpi", "200")
        api.SetVariable("debug_file", os.devnull)  # no messages about crops without text
        for crop in _joined([page.on_clean(box) for box in around]):
            left, top, right, bottom = crop.clipped(page.pixels.shape[::-1])
            if right - left < 3 or bottom - top < 3:
                continue
            api.SetImage(Image.fromarray(page.pixels[top:bottom, left:right]))
            if not api.Recognize():
                raise UnreadableInput("page", "Tesseract failed when it looked again")
            level = library.RIL.WORD
            for one in library.iterate_level(api.GetIterator(), level):
                box = one.BoundingBox(level)
                text = box and one.GetUTF8Text(level).strip()
                if text:
                    x0, y0, x1, y1 = box
                    place = Box(left + x0, top + y0, left + x1, top + y1)
                    found.append(Word(text, page.on_page(place), one.Confidence(level)))
    return found


def _joined(boxes: list[Box]) -> list[Box]:
    """Merge overlapping boxes, so that no word is read twice."""
    joined: list[Box] = []
    for box in boxes:
        while touching := [other for other in joined if _overlap(box, other)]:
            for other in touching:
                joined.remove(other)
                box = box.union(other)
        joined.append(box)
    return joined


def _with_leftovers(page: Clean, words: list[Word], language: str, name: str) -> list[Word]:
    """Return *words*, and the words that a second pass reads outside of their boxes."""
    rest = page.pixels.copy()
    for word in words:
        if word.conf >= _SURE:
            left, top, right, bottom = word.box.grown(2, 2).clipped(rest.shape[::-1])
            rest[top:bottom, left:right] = 255
    blocks = 1 + max(word.block for word in words)
    ink = ink_of(page.pixels) & ink_of(rest)
    more = [
        replace(word, block=word.block + blocks)
        for word in _read(rest, language, SPARSE, name)
        if word.conf >= _SURE
        and sum(map(str.isalnum, word.text)) > 1
        and _inked(ink, word.box) > _LEAST_INK  # the edges of blanked areas are no letters
    ]
    kept = [
        word
        for word in words
        if word.conf >= _SURE or not any(_overlap(word.box, other.box) for other in more)
    ]
    return kept + more


def _inked(ink: Grey, box: Box) -> float:
    """Return the share of *box* that is ink."""
    part = ink[box.within()]
    return float(part.mean()) / 255 if part.size else 0.0


def _overlap(a: Box, b: Box) -> bool:
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


def _reliance(words: list[Word]) -> float:
    """Return the mean confidence of words, weighted by their letters and digits; 0 if none."""
    weights = [sum(map(str.isalnum, word.text)) for word in words]
    if not sum(weights):
        return 0.0
    return sum(w.conf * n for w, n in zip(words, weights, strict=True)) / sum(weights)


def unreliable(words: list[Word]) -> bool:
    """Check whether OCR failed on a page: low confidence, or most words taller than wide."""
    # On an upside-down page some letters may look right by chance, so a few need more confidence.
    floor = FLOOR if _letters(words) >= _FEW else FLOOR_OF_FEW
    return _sideways(words) or _reliance(words) < floor


def _letters(words: list[Word]) -> int:
    return sum(sum(map(str.isalnum, word.text)) for word in words)


def _sideways(words: list[Word]) -> bool:
    """Check whether most long words are taller than wide, as on a page on its side."""
    long = [word.box for word in words if len(word.text) > 3]
    return 2 * sum(box.height > box.width for box in long) > len(long)


def _read(pixels: Grey, language: str, mode: int, name: str) -> list[Word]:
    height, width = pixels.shape
    settings = ["-l", language, "--psm", str(mode), "--dpi", "200", "tsv"]
    try:
        run = subprocess.run(
            # Pixels are sent through a pipe, so that no temporary file holds the page.
            [pytesseract.tesseract_cmd, "stdin", "stdout", *settings],
            input=b"P5 %d %d 255\n" % (width, height) + pixels.tobytes(),
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # several threads are slower than one
            capture_output=True,
            timeout=_SECONDS,
        )
    except FileNotFoundError as error:
        raise MissingDependency(
            "the program tesseract",
            "apt-get install tesseract-ocr, dnf install tesseract, or brew install tesseract",
        ) from error
    except subprocess.TimeoutExpired as error:
        raise UnreadableInput(name, f"Tesseract took more than {_SECONDS} s: cut it up") from error
    if missing := re.search(rb"Failed loading language '(\w+)'", run.stderr):
        lacks = missing[1].decode()
        raise MissingDependency(
            f"Tesseract's language {lacks}",
            f"apt-get install tesseract-ocr-{lacks}, dnf install tesseract-langpack-{lacks}, "
            "or brew install tesseract-lang",
        )
    if run.returncode:
        if max(height, width) < 10:
            return []  # too small for Tesseract, and for a letter
        raise UnreadableInput(name, "Tesseract failed on it: scan it again, or convert it to PNG")
    rows = (line.split("\t") for line in run.stdout.decode("utf-8", "replace").splitlines()[1:])
    return [
        Word(
            row[11],
            Box(int(row[6]), int(row[7]), int(row[6]) + int(row[8]), int(row[7]) + int(row[9])),
            max(0.0, float(row[10])),
            int(row[2]),
            int(row[3]),
            int(row[4]),
        )
        for row in rows
        if len(row) == 12 and row[0] == "5" and row[11].strip()
    ]
