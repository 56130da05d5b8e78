"""Draw pages for `imaging.py`: text in a face, printed, scanned and compressed.

The scanner simulated here is independent of `presidio_cdip.imaging`: text is drawn at about 600
dpi, its ink spreads unevenly and fades in places, and the image is blurred, reduced, put on grainy
paper and speckled. Of every two pages one is compressed as JPEG, with ringing around its letters;
the other is made bilevel before it is reduced, as the pages of RVL-CDIP were.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from random import Random
from textwrap import wrap

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from benchmarks.text_speed import page
from presidio_cdip.imaging.style.faces import Face
from presidio_cdip.imaging.words import Box

DPIS = (91, 150, 200, 300)

FINE = 600
"""Dots per inch at which ink is drawn, about."""

UNBUNDLED = ("STIXGeneral", "cmtt10", "DejaVuSerif", "cmr10", "STIXGeneralBol")
"""Faces of matplotlib that the package does not bring."""

COLUMNS, LINES = 78, 26
MARGIN = 0.4
"""Inches of paper around the text."""

LEADING = 1.25
"""Ems from one line to the next."""

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Token:
    """Represent a token between spaces and its bounding box, in pixels of the page."""

    text: str
    box: Box


Drawing = tuple[Image.Image, tuple[Token, ...]]
"""A page in grey levels, and its tokens in reading order."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Describe a synthetic page.

    Attributes:
        lines: Its text.
        font: The file of the face.
        dpi: Resolution of the finished page.
        seed: Determines the size of the type, the ink, the paper and the compression.
    """

    lines: tuple[str, ...] = field(repr=False)
    font: Path
    dpi: int
    seed: int


def unbundled() -> list[Path]:
    """Return the fonts of `UNBUNDLED` that are installed; none without matplotlib."""
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        return []
    folder = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf"
    return [file for name in UNBUNDLED if (file := folder / f"{name}.ttf").exists()]


def spread(count: int, most: int) -> list[int]:
    """Return at most *most* of the numbers below *count*, evenly spaced.

    >>> spread(9, 3)
    [0, 4, 8]
    >>> spread(2, 3)
    [0, 1]
    """
    if count <= most:
        return list(range(count))
    return [round(number) for number in np.linspace(0, count - 1, most)]


def fonts(faces: Sequence[Face], count: int = 15) -> list[Path]:
    """Return *count* of the bundled and unbundled faces, beginning with some of each."""
    found = [faces[number].file for number in spread(len(faces), count)] + unbundled()
    Random(3).shuffle(found)
    return found


def lines_of(number: int, most: int = LINES) -> tuple[str, ...]:
    """Return the text of a page: the beginning of an invented personnel file."""
    lines = page(Random(number)).splitlines()
    return tuple(part for line in lines for part in wrap(line, COLUMNS))[:most]


def synthetic(sheet: Sheet, instead: Mapping[int, str] | None = None) -> Drawing:
    """Draw the page.

    Args:
        sheet: The page to draw.
        instead: Texts by number of the token in whose place, at whose start, they are printed.
            Everything else is unchanged, including the grain of the paper.
    """
    rng = np.random.default_rng(sheet.seed)
    finer = max(2, round(FINE / sheet.dpi))
    em = float(rng.uniform(10, 12.5)) / 72 * sheet.dpi * finer
    drawn, tokens = _drawn(sheet, em, finer, instead or {})
    ink = printed(drawn, rng)
    if bilevel := bool(sheet.seed % 2):
        ink = ((ink > rng.uniform(0.35, 0.55)) * np.float32(1)).astype(np.float32)
    size = drawn.shape[1] // finer, drawn.shape[0] // finer
    small = cv2.resize(ink, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return scanned(small, not bilevel, rng), tokens


def _drawn(
    sheet: Sheet, em: float, finer: int, instead: Mapping[int, str]
) -> tuple[Pixels, tuple[Token, ...]]:
    """Render the text in black on a transparent ground, and return it with its tokens."""
    font = ImageFont.truetype(str(sheet.font), em, layout_engine=ImageFont.Layout.BASIC)
    space = max(font.getlength("n") * 0.45, font.getlength(" "))
    margin = MARGIN * sheet.dpi * finer
    widths = [sum(font.getlength(word) + space for word in line.split()) for line in sheet.lines]
    size = max(widths) + 2 * margin, len(sheet.lines) * em * LEADING + 2 * margin
    width, height = (finer * int(side / finer) for side in size)
    image = Image.new("L", (width, height), 0)
    draw = ImageDraw.Draw(image)
    tokens: list[Token] = []
    for row, line in enumerate(sheet.lines):
        pen, feet = margin, margin + (row + 0.8) * em * LEADING
        for word in line.split():
            text = instead.get(len(tokens), word)
            draw.text((pen, feet), text, fill=255, font=font, anchor="ls")
            edges = draw.textbbox((pen, feet), text, font=font, anchor="ls")
            low = [int(edge / finer) for edge in edges[:2]]
            high = [int(np.ceil(edge / finer)) for edge in edges[2:]]
            tokens.append(Token(text, Box(*low, *high)))
            pen += font.getlength(word) + space
    return np.asarray(image), tuple(tokens)


def _field(shape: tuple[int, ...], every: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return smooth noise of mean 0 and deviation about 1, with a scale of *every* pixels."""
    coarse = rng.normal(0, 1, (shape[0] // every + 2, shape[1] // every + 2)).astype(np.float32)
    large = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return large.astype(np.float32)


def printed(drawn: Pixels, rng: np.random.Generator) -> NDArray[np.float32]:
    """Add ink spread, uneven darkness and soft edges to a rendered text."""
    wide = cv2.dilate(drawn, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))
    spreads = _field(drawn.shape, 12, rng) > rng.uniform(-0.8, 0.8)
    ink = np.where(spreads, wide, drawn).astype(np.float32) / 255
    ink *= 1 - rng.uniform(0, 0.2) * np.clip(_field(drawn.shape, 6, rng), 0, 1)
    return cv2.GaussianBlur(ink, (0, 0), float(rng.uniform(0.8, 1.6))).astype(np.float32)


def scanned(ink: NDArray[np.float32], packs: bool, rng: np.random.Generator) -> Image.Image:
    """Add paper grain, uneven illumination and specks; with *packs*, also JPEG compression."""
    shape = ink.shape
    paper = rng.uniform(225, 250) + 2 * _field(shape, 150, rng)
    paper += rng.uniform(0.5, 4) * cv2.GaussianBlur(rng.normal(0, 1, shape), (0, 0), 0.7)
    page = paper + ink * (rng.uniform(15, 70) - paper)
    specks = rng.random(shape) < 10 ** rng.uniform(-5, -3.7)
    page[specks] -= rng.uniform(40, 160, int(specks.sum()))
    page += rng.normal(0, rng.uniform(0.3, 2.5), shape)
    grey = Image.fromarray(np.clip(page, 0, 255).round().astype(np.uint8))
    if not packs:
        return grey
    packed = BytesIO()
    grey.save(packed, "JPEG", quality=int(rng.integers(65, 93)))
    return Image.open(packed).convert("L")
