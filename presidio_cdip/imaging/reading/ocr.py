"""Read the words of a page with Tesseract, and check the OCR confidence."""

import os
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from PIL import Image
from pytesseract import pytesseract

from presidio_cdip.errors import MissingDependency, UnreadableInput
from presidio_cdip.imaging.page import program
from presidio_cdip.imaging.page.cells import cell_around
from presidio_cdip.imaging.page.checkboxes import CheckBox, checkboxes, without
from presidio_cdip.imaging.page.clean import Clean, Grey, clean, has_ink, ink_of, is_blank, tight
from presidio_cdip.imaging.page.pages import refuse_long
from presidio_cdip.imaging.words import EMPTY, MARKED, Box, Word

FLOOR = 66.0
"""Minimum mean confidence of a page, weighted by word length; below it the page is unread.

Twelve real scans have 87 to 94 upright, and 19 to 28 upside down or rotated by 90 degrees. Twenty
forms at 91 dpi, partly filled in by hand, have 76 to 93. Words that Tesseract sees in photographs
have 44 to 58; some of them are found by the analyzer.
"""

SURE = 50.0
"""Minimum confidence of a word that is relied on; words of the second pass need it."""

PAGE, SPARSE, LINE = 3, 11, 7
"""Tesseract's page segmentation modes: a laid-out page, text anywhere, and a single line."""

_READINGS = ((0.25, 0.0, True), (2.0, 0.08, False))
"""The readings of a box by `look_again`: arguments *across*, *down* and *tightly* of `_Crop.of`."""

_BORDER = 0.3  # of a line's height: the border of paper
_LEAST_SIDE, _LEAST_LINE, _LEAST_PAGE = 3, 5, 10  # pixels, below which there is no letter
_LEAST_ROW = 0.01  # minimum share of ink in a row of letters

_FEW = 3  # letters and digits that OCR makes of a column of marks, at most
_TALLEST = 3.0  # times the usual height of a word, and its width: the maximum height of a word

_LOW, _REST = 0.6, 0.6  # of the usual height of a word, and of a check box's side

_SEEN = 12  # letters and digits; a page with fewer may hold only specks
_LEAST_INK = 0.06  # minimum share of ink in the box of a word
_AROUND_INK = 7  # pixels around ink, its grey edges among them, that a second pass reads
_SECONDS = 300  # for a run of Tesseract


class Reading(list[Word]):
    """Hold the words of a page, and the cleaned page on which they were read.

    Attributes:
        page: The cleaned page.
    """

    def __init__(self, words: Iterable[Word], page: Clean) -> None:
        super().__init__(words)
        self.page = page


class Reader(Protocol):
    """Read a page: `read_words` or a test double of it."""

    def __call__(self, image: Image.Image, /, *, name: str, language: str) -> list[Word]:
        """Return the words of *image*, none for a blank page; raises `UnreadableInput`."""


class Looker(Protocol):
    """Read a page only in boxes: `look_again` or a test double of it."""

    def __call__(
        self, image: Image.Image, around: list[Box], /, *, name: str, language: str
    ) -> list[Word]:
        """Return the words of *image* in *around*; words of one reading have the same `block`."""


def read_words(image: Image.Image, /, *, name: str = "page", language: str = "eng") -> list[Word]:
    """Return the words of a page, block by block; [] for a blank page, else a `Reading`.

    A second pass reads the areas in which the first found no word, for text that Tesseract's layout
    analysis missed, such as a line between rules or beside a stamp. Tesseract does not see check
    boxes; each of them is a word `EMPTY` or `MARKED`.

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
    if is_blank(image):
        return []
    page = clean(image)
    ink = ink_of(page.pixels)
    boxes = checkboxes(ink, page.solids)
    bare = without(page.pixels, ink, boxes)
    words = _read(bare, language, PAGE, name)
    if words:
        words = _with_leftovers(bare, words, language, name)
    if unreliable(words):
        if _letters(words) < _SEEN and not has_ink(image):
            return []
        raise UnreadableInput(
            name,
            "not read, so not clean: turn the page upright, scan it at 200 dpi or more, "
            "or look at it by eye",
        )
    tightly = tight(bare, [word.box for word in words])
    usual = float(np.median([box.height for box in tightly]))
    kept = [
        replace(word, box=box)
        for word, box in zip(words, tightly, strict=True)
        if word.conf >= SURE or any(map(str.isalnum, word.text))  # other words are specks
        if box.height <= _TALLEST * max(usual, box.width)  # or it is a column of marks,
        or sum(map(str.isalnum, word.text)) > _FEW  # or a number that lies on its side
        if not _is_rest(word.text, box, boxes, usual)
    ]
    kept += _as_words(boxes, kept)
    return Reading((_on_page(word, page) for word in kept), page)


def _on_page(word: Word, page: Clean) -> Word:
    """Return a word of the cleaned page as one of the page, with its cell."""
    cell = cell_around(page.cells, word.box)
    return replace(word, box=page.on_page(word.box), cell=cell and page.on_page(cell))


def look_again(
    image: Image.Image, around: list[Box], /, *, name: str = "page", language: str = "eng"
) -> list[Word]:
    """Return the words that OCR reads in each of *around*; the rest of the page is not read.

    Each box is read as a line of its own, twice: cut close to its ink, and with what stands beside
    it. Together the two find more leftovers than a reading of the page around the boxes, for half
    the time. Uses `tesserocr` if it is installed, with the data of the installed Tesseract.

    Args:
        image: The page.
        around: The boxes to read, of one line each, in pixels of the page.
        name: The name of the page in error messages.
        language: As for `read_words`.

    Returns:
        The words; the words of one reading of one box have the same `block`.

    Raises:
        MissingDependency: As `read_words`.
        UnreadableInput: Tesseract failed.
    """
    if not around:
        return []
    page = clean(image)
    crops = [
        crop
        for box in around
        for across, down, tightly in _READINGS
        if (crop := _Crop.of(page, box, across, down, tightly))
    ]
    library = _library()
    data = _data_of(language) if library is not None and crops else None
    if data:
        read = _read_in_process(library, data, [crop.pixels for crop in crops], language, name)
    else:
        read = _read_lines([crop.pixels for crop in crops], language, name)
    return [
        replace(word, box=page.on_page(crop.on_page(word.box)), block=number)
        for number, (crop, words) in enumerate(zip(crops, read, strict=True))
        for word in words
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Crop:
    """Hold a line of a page, with a border of paper, for Tesseract.

    Attributes:
        pixels: The line.
        left: The x of the first column of *pixels* on the cleaned page.
        top: The y of the first row.
    """

    pixels: Grey
    left: int
    top: int

    @classmethod
    def of(cls, page: Clean, box: Box, across: float, down: float, tightly: bool) -> "_Crop | None":
        """Cut *box* out of the page; None if it is too small for a letter.

        Args:
            page: The page.
            box: In pixels of the page before cleaning.
            across: How much more is read to the left and right, as a share of the box's height.
            down: The same for top and bottom.
            tightly: Whether rows without ink are cut off at top and bottom.
        """
        place = page.on_clean(box)
        more = round(across * place.height), round(down * place.height)
        place = place.grown(*more).clipped(page.pixels.shape[::-1])
        pixels = page.pixels[place.within()]
        if min(pixels.shape) < _LEAST_SIDE:
            return None
        border = round(_BORDER * place.height)
        top = place.top
        if tightly:
            rows = np.flatnonzero(ink_of(pixels).mean(axis=1) >= _LEAST_ROW * 255)
            if len(rows) and rows[-1] - rows[0] >= _LEAST_LINE:
                pixels, top = pixels[rows[0] : rows[-1] + 1], top + int(rows[0])
        framed = np.pad(pixels, border, constant_values=255)
        return cls(framed, place.left - border, top - border)

    def on_page(self, box: Box) -> Box:
        """Return *box* of *pixels* as a box of the cleaned page."""
        return Box(
            box.left + self.left, box.top + self.top, box.right + self.left, box.bottom + self.top
        )


def _library() -> Any:
    """Return the module `tesserocr`, or None; it need not start a program."""
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


def _read_in_process(
    library: Any, data: str, lines: list[Grey], language: str, name: str
) -> list[list[Word]]:
    """Return the words of each of *lines*, read by tesserocr."""
    found = []
    with library.PyTessBaseAPI(path=data, lang=language, psm=library.PSM.SINGLE_LINE) as api:
        api.SetVariable("user_defined_dpi", "200")
        api.SetVariable("debug_file", os.devnull)  # no messages about crops without text
        level = library.RIL.WORD
        for line in lines:
            api.SetImage(Image.fromarray(line))
            if not api.Recognize():
                raise UnreadableInput(name, "Tesseract failed when it looked again")
            found.append(
                [
                    Word(text, Box(*box), one.Confidence(level))
                    for one in library.iterate_level(api.GetIterator(), level)
                    if (box := one.BoundingBox(level)) and (text := one.GetUTF8Text(level).strip())
                ]
            )
    return found


def _read_lines(lines: list[Grey], language: str, name: str) -> list[list[Word]]:
    """Return the words of each of *lines*, read by one run of Tesseract.

    A run may die of one line. Then each half has a run of its own, and a line that is alone is read
    at twice its size. A run that takes too long is not repeated: each half could take as long.
    """
    if not lines:
        return []
    file = BytesIO()
    first, *others = map(Image.fromarray, lines)
    first.save(file, "TIFF", save_all=True, append_images=others)
    try:
        rows = _rows(file.getvalue(), language, LINE, name)
    except UnreadableInput as error:
        if isinstance(error.__cause__, subprocess.TimeoutExpired):
            raise
        if len(lines) == 1:
            return [_read_enlarged(lines[0], language, name)]
        half = len(lines) // 2
        parts = lines[:half], lines[half:]
        return [words for part in parts for words in _read_lines(part, language, name)]
    if sum(row[0] == "1" for row in rows) != len(lines):
        raise UnreadableInput(name, "Tesseract failed when it looked again")
    return [
        [_word(row) for row in rows if row[0] == "5" and row[1] == str(number)]
        for number in range(1, len(lines) + 1)
    ]


def _read_enlarged(line: Grey, language: str, name: str) -> list[Word]:
    """Return the words of *line*, which is read at twice its size."""
    height, width = line.shape
    file = BytesIO()
    Image.fromarray(line).resize((2 * width, 2 * height)).save(file, "TIFF")
    rows = _rows(file.getvalue(), language, LINE, name)
    words = (_word(row) for row in rows if row[0] == "5")
    return [
        replace(one, box=Box(*(side // 2 for side in (one.box.left, one.box.top)),
                             *(-(-side // 2) for side in (one.box.right, one.box.bottom))))
        for one in words
    ]  # fmt: skip


def _as_words(boxes: Iterable[CheckBox], words: list[Word]) -> list[Word]:
    """Return check boxes as words of the line of the word that is nearest to them on their level.

    A box may stand higher or lower than its line; alone it is on a line of its own.
    """
    found = []
    for number, one in enumerate(boxes, 1 + max((word.block for word in words), default=0)):
        middle = (one.box.top + one.box.bottom) / 2
        level = [word for word in words if word.box.top <= middle < word.box.bottom]
        text = MARKED if one.marked else EMPTY
        line = (number, 0, 0)
        if level:
            near = min(level, key=lambda word: _gap(word.box, one.box))
            line = near.block, near.paragraph, near.line
        found.append(Word(text, one.box, 100.0, *line))
    return found


def _is_rest(text: str, box: Box, boxes: Iterable[CheckBox], usual: float) -> bool:
    """Check whether a word beside a check box is a rest of it, and no letter of *usual* height."""
    if sum(map(str.isalnum, text)) > 1 or (text.isalnum() and box.height >= _LOW * usual):
        return False
    reach = (round(_REST * min(one.box.width, one.box.height)) for one in boxes)
    return any(one.box.grown(by, by).overlaps(box) for one, by in zip(boxes, reach, strict=True))


def _gap(one: Box, other: Box) -> int:
    return max(one.left, other.left) - min(one.right, other.right)


def _with_leftovers(pixels: Grey, words: list[Word], language: str, name: str) -> list[Word]:
    """Return *words*, and the words that a second pass reads outside of their boxes."""
    rest = pixels.copy()
    for word in words:
        if word.conf >= SURE:
            left, top, right, bottom = word.box.grown(2, 2).clipped(rest.shape[::-1])
            rest[top:bottom, left:right] = 255
    blocks = 1 + max((word.block for word in words), default=0)
    ink = ink_of(pixels) & ink_of(rest)
    if not ink.any():
        return words
    # Without words, Tesseract would take the grain of the paper for ink, and that for minutes.
    rest[cv2.dilate(ink, np.ones((_AROUND_INK, _AROUND_INK), np.uint8)) == 0] = 255
    more = [
        replace(word, block=word.block + blocks)
        for word in _read(rest, language, SPARSE, name)
        if word.conf >= SURE
        and sum(map(str.isalnum, word.text)) > 1
        and _inked(ink, word.box) > _LEAST_INK  # the edges of blanked areas are no letters
    ]
    kept = [
        word
        for word in words
        if word.conf >= SURE or not any(_overlap(word.box, other.box) for other in more)
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
    return _sideways(words) or _reliance(words) < FLOOR


def _letters(words: list[Word]) -> int:
    return sum(sum(map(str.isalnum, word.text)) for word in words)


def _sideways(words: list[Word]) -> bool:
    """Check whether most long words are taller than wide, as on a page on its side."""
    long = [word.box for word in words if len(word.text) > 3]
    return 2 * sum(box.height > box.width for box in long) > len(long)


def _read(pixels: Grey, language: str, mode: int, name: str) -> list[Word]:
    height, width = pixels.shape
    picture = b"P5 %d %d 255\n" % (width, height) + pixels.tobytes()
    small = max(height, width) < _LEAST_PAGE
    rows = _rows(picture, language, mode, name, fails=not small)
    return [_word(row) for row in rows if row[0] == "5"]


def _word(row: list[str]) -> Word:
    """Return the word of a row of Tesseract's table."""
    left, top, width, height = map(int, row[6:10])
    block, paragraph, line = map(int, row[2:5])
    box = Box(left, top, left + width, top + height)
    return Word(row[11], box, max(0.0, float(row[10])), block, paragraph, line)


def _rows(
    picture: bytes, language: str, mode: int, name: str, fails: bool = True
) -> list[list[str]]:
    """Return the rows of the table that Tesseract prints of a picture, less words of blanks.

    Args:
        picture: An image file; each of its pages is read.
        language: As for `read_words`.
        mode: The page segmentation mode.
        name: The name of the page in error messages.
        fails: Whether it is an error if Tesseract fails; otherwise there are no rows then.
    """
    settings = ["-l", language, "--psm", str(mode), "--dpi", "200", "tsv"]
    try:
        command = [pytesseract.tesseract_cmd, "stdin", "stdout", *settings]
        run = program.run(command, picture, _SECONDS)
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
        if not fails:
            return []
        raise UnreadableInput(name, "Tesseract failed on it: scan it again, or convert it to PNG")
    rows = (line.split("\t") for line in run.stdout.decode("utf-8", "replace").splitlines()[1:])
    return [row for row in rows if len(row) == 12 and (row[0] != "5" or row[11].strip())]
