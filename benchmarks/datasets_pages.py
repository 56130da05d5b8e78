"""Draw pages of eight kinds for `datasets_utility.py`: letters, memos, transcripts, forms, ….

Texts are those of the benchmark sets; `LAYOUTS` says how a page of a kind is laid out, after what
such pages usually look like: the letterhead of a letter, the narrow columns of a newspaper, the
numbered lines of a transcript. Forms are those of `imaging_forms.py`. Faces, sizes, margins, ink
and paper differ from page to page, whatever its kind. Print and scanner are those of
`imaging_pages.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from textwrap import wrap

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from benchmarks.imaging_forms import drawable, form
from benchmarks.imaging_pages import printed, scanned
from presidio_cdip.imaging.style.faces import Face, faces

FORM = "form"
WIDTH, HEIGHT = 8.5, 11.0
"""Inches of a page that is no form."""

DPIS = (91, 100, 110)
_FINE = 300
"""Dots per inch at which ink is drawn, at least; an even multiple of the page's."""

_HEADS = (
    "NORTHERN TUBE & SHEET CO.", "Halvorsen Instruments", "ST. BRIDE'S PARISH OFFICE",
    "The Merchants' Guild", "PRAIRIE STATE LABORATORIES", "Odell, Fitch & Partners",
)  # fmt: skip
_HEADLINES = ("Deaths and Funerals", "Town Topics", "About People", "From the Courts", "Notices")


@dataclass(frozen=True, slots=True)
class Layout:
    """Describe the look of pages of a kind.

    Attributes:
        families: Of the faces; one is drawn for each page.
        columns: How many stand side by side.
        heading: ``letterhead``, ``headline``, ``band``, ``title`` or ``""``.
        spacing: Ems from line to line.
        numbered: Whether lines have numbers behind a rule.
        ruled: Whether lines stand in the cells of a table.
        hanging: Inches by which all lines but headings are indented.
        margin: Inches at the left and right.
        points: The least and the largest size of the type.
    """

    families: tuple[str, ...]
    columns: int = 1
    heading: str = ""
    spacing: float = 1.25
    numbered: bool = False
    ruled: bool = False
    hanging: float = 0.0
    margin: float = 1.0
    points: tuple[float, float] = (9.5, 11.5)


LAYOUTS = {
    "hearing": Layout(("typewriter",), spacing=2.0, numbered=True, margin=1.3),
    "letter": Layout(("serif", "typewriter", "sans"), heading="letterhead", margin=1.15),
    "message": Layout(("typewriter", "sans"), heading="band", margin=0.9),
    "press": Layout(("serif",), columns=3, heading="headline", margin=0.6, points=(7.5, 8.5)),
    "report": Layout(("serif", "sans"), heading="title", spacing=1.5, margin=1.0),
    "trade": Layout(("typewriter",), ruled=True, spacing=1.6, margin=0.5, points=(7.5, 9)),
    "vita": Layout(("serif", "sans"), hanging=1.5, spacing=1.3, margin=0.9),
}
"""The layouts by kind; pages of the kind FORM are drawn elsewhere."""


def page(kind: str, text: str, number: int) -> Image.Image:
    """Draw a page; *number* determines everything but its kind and text."""
    random = Random(f"{kind} {number}")
    if kind == FORM:
        writers = drawable()
        writer, dpi = writers[number % len(writers)], DPIS[number % len(DPIS)]
        return form(number, writer, dpi, stamped=number % 5 == 0).image
    layout = LAYOUTS[kind]
    family = random.choice(layout.families)
    usable = [one for one in faces() if one.family == family and one.slant == "upright"]
    face = random.choice([one for one in usable if one.weight == "regular"])
    sketch = _Sketch(layout, face, random)
    sketch.draw(text)
    return sketch.scanned(np.random.default_rng([number, len(text)]), bilevel=random.random() < 0.5)


class _Sketch:
    """Draw one page, at a multiple of its resolution."""

    def __init__(self, layout: Layout, face: Face, random: Random) -> None:
        self._layout, self._random = layout, random
        self._dpi = random.choice(DPIS)
        self._finer = -(-_FINE // self._dpi)
        self._inch = self._dpi * self._finer
        size = int(WIDTH * self._dpi) * self._finer, int(HEIGHT * self._dpi) * self._finer
        self._image = Image.new("L", size, 0)
        self._draw = ImageDraw.Draw(self._image)
        self._file = str(face.file)
        self._points = random.uniform(*layout.points)
        self._font = self._sized(self._points)
        self._leading = layout.spacing * self._points / 72 * self._inch
        self._left = (layout.margin + random.uniform(-0.15, 0.15)) * self._inch
        self._top = random.uniform(0.6, 1.0) * self._inch

    def _sized(self, points: float) -> ImageFont.FreeTypeFont:
        basic = ImageFont.Layout.BASIC
        return ImageFont.truetype(self._file, points / 72 * self._inch, layout_engine=basic)

    def draw(self, text: str) -> None:
        """Draw the heading, and as much of *text* as the page holds."""
        top = self._heading()
        layout = self._layout
        wide = self._image.width - 2 * self._left
        gap = 0.2 * self._inch
        column = (wide - gap * (layout.columns - 1)) / layout.columns
        rows = list(self._lines(text, column))
        bottom = self._image.height - 0.8 * self._inch
        if layout.columns > 1:  # of equal length
            bottom = min(bottom, top + (len(rows) / layout.columns + 1) * self._leading)
        lines = iter(rows)
        for number in range(layout.columns):
            left = self._left + number * (column + gap)
            if number:
                self._rule(left - gap / 2, top, left - gap / 2, bottom)
            self._column(lines, left, column, top, bottom)

    def _heading(self) -> float:
        """Draw the heading above the text; return where the text begins."""
        kind, top, right = self._layout.heading, self._top, self._image.width - self._left
        middle = self._image.width / 2
        if kind == "letterhead":
            at = (middle, top), (middle, top + 0.3 * self._inch)
            self._type(self._random.choice(_HEADS), at[0], 15, "mm")
            self._type("Founded 1887  -  Incorporated", at[1], 8, "mm")
            self._rule(self._left, top + 0.5 * self._inch, right, top + 0.5 * self._inch)
            return top + 0.9 * self._inch
        if kind == "headline":
            self._type(self._random.choice(_HEADLINES), (self._left, top), 24, "ls")
            self._rule(self._left, top + 0.15 * self._inch, right, top + 0.15 * self._inch)
            return top + 0.35 * self._inch
        if kind == "band":
            low = top + 0.35 * self._inch
            self._draw.rectangle((self._left, top, right, low), fill=255)
            word = self._random.choice(("MEMORANDUM", "INTERNAL MESSAGE", "FAX", "COPY"))
            font = self._sized(14)
            place = (self._left + 0.1 * self._inch, top + 0.17 * self._inch)
            self._draw.text(place, word, fill=0, font=font, anchor="lm")
            return low + 0.3 * self._inch
        if kind == "title":
            number = self._random.randint(100, 999)
            self._type(f"REPORT No. {number}", (middle, top), 13, "mm")
            self._rule(middle - self._inch, top + 0.2 * self._inch, middle + self._inch,
                       top + 0.2 * self._inch)  # fmt: skip
            return top + 0.6 * self._inch
        return top

    def _lines(self, text: str, width: float) -> Iterator[tuple[str, bool]]:
        """Yield the lines of *text*, and whether a line is a heading."""
        each = self._font.getlength("abcdefghijklmnopqrstuvwxyz ") / 27
        indent = self._layout.hanging * self._inch
        for line in text.splitlines():
            head = line.isupper() or line.rstrip().endswith(":")
            room = max(8, int((width - (0 if head else indent)) / each))
            spaced = not self._layout.ruled
            shown = " ".join(line.split()) if spaced else line.rstrip()
            for part in wrap(shown, room, drop_whitespace=spaced) or [""]:
                yield part, head

    def _column(
        self,
        lines: Iterator[tuple[str, bool]],
        left: float,
        width: float,
        top: float,
        bottom: float,
    ) -> None:
        layout, row, at = self._layout, 0, top
        if layout.numbered:
            self._rule(left, top - self._leading, left, bottom)
        while at < bottom and (line := next(lines, None)) is not None:
            text, head = line
            pen = left + (0 if head else layout.hanging * self._inch)
            if layout.numbered:
                row += 1
                number = f"{row}", (left - 0.15 * self._inch, at)
                self._type(*number, self._points, "rs")
                pen += 0.2 * self._inch
            if layout.ruled and text:
                low = at + 0.3 * self._leading
                box = (left - 0.05 * self._inch, low - self._leading, left + width, low)
                self._draw.rectangle(box, outline=255, width=max(1, round(0.006 * self._inch)))
            self._draw.text((pen, at), text, fill=255, font=self._font, anchor="ls")
            at += self._leading * (0.5 if not text and not layout.numbered else 1)

    def _type(self, text: str, at: tuple[float, float], points: float, anchor: str) -> None:
        self._draw.text(at, text, fill=255, font=self._sized(points), anchor=anchor)

    def _rule(self, left: float, top: float, right: float, bottom: float) -> None:
        thick = max(1, round(0.01 * self._inch))
        self._draw.line((left, top, right, bottom), fill=255, width=thick)

    def scanned(self, rng: np.random.Generator, *, bilevel: bool) -> Image.Image:
        """Print, scan and reduce the page."""
        ink = printed(np.asarray(self._image), rng)
        if bilevel:
            ink = (ink > rng.uniform(0.35, 0.55)).astype(np.float32)
        size = self._image.width // self._finer, self._image.height // self._finer
        small = cv2.resize(ink, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        return scanned(small, not bilevel, rng)
