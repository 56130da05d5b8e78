r"""Type an invented personnel form onto scanned paper: `personnel_page.png` and its ground truth.

The paper is the scan of a US public record with everything printed, typed, stamped and signed on it
removed; its edges, punch holes, heavy rule and speckle stay. Company, employee and numbers are
invented. `personnel_page.json` is the ground truth with bounding boxes: `values`, which must be
redacted, and `keep`, near misses which must not be. Both files were made, beside this one, with

    python examples/personnel_page.py --paper \
        ../shared/data/scans/dissemination-1991-typed-signed.png

The form is laid out for that scan; the scans are not shipped. The same paper, fonts and seed give
the same pixels.
"""

import argparse
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Grey = NDArray[np.uint8]  # or, in a mask, 0 and 1
Box = tuple[int, int, int, int]

FONTS = Path("/usr/share/fonts/truetype")
LABEL_FONT = FONTS / "liberation2" / "LiberationSerif-Regular.ttf"
TYPE_FONT = FONTS / "cmu" / "cmuntt.ttf"

# All coordinates below are in pixels of the page, at 200 dpi, before it is skewed.
LEFT, RIGHT = 82, 1612
LABEL_SIZE, TYPE_SIZE = 25.5, 31.25  # the type is elite: 12 characters to the inch
LINE = 33  # six typed lines to the inch

INSTRUCTION = (
    "To be typewritten by the Personnel Office at the interview. "
    "All items must be answered; if none, write “none”."
)

# (baseline, left, size, bold, text). `[[ENTITY|...]]` marks a value, `[[KEEP|...]]` a near miss.
PRINTED = [
    (104, 446, 29.0, True, "HALVORSEN & PIKE INSTRUMENT COMPANY"),
    (140, 446, 26.0, False, "[[KEEP|1180 Foundry Street, Dayton, Ohio 45402]]"),
    (106, 1350, 25.0, False, "Personnel Department"),
    (140, 1350, 25.0, False, "Tel. [[KEEP|(513) 555-0100]]"),
    (258, 526, 33.0, True, "EMPLOYEE'S PERSONAL HISTORY"),
    (296, 288, 22.0, False, INSTRUCTION),
    (2050, 730, 22.0, True, "Supersedes Form P-4"),
    (2050, 1414, 21.0, True, "FORM P-7  (REV. 3-65)"),
]

REMARKS = """\
Mrs. Brannick is a native of [[PLACE_OF_BIRTH|Kilmarnock, Scotland]], and has been a
[[NATIONALITY|U.S. citizen]] since 1957. She is [[AGE|35]], the [[MARITAL_STATUS|mother of two]], \
and her
[[MARITAL_STATUS|husband, Walter]], teaches at the [[KEEP|Dayton Trade School, 88 Canal Street]].
She sings in a church choir ([[RELIGION|Presbyterian]]) and suffers from [[HEALTH|hay
fever]] each September. Evenings she is at home, [[HOME_PHONE_NUMBER|555-0148]].

Recommended for [[KEEP|Chief Inspector]], Lens Division, effective
[[KEEP|November 1, 1966]]. Transfer request [[KEEP|No. 66-1043]] is attached.

Deductions authorized for [[US_SSN|271 97 0538]]."""


@dataclass(frozen=True)
class Cell:
    """Describe one question of the form.

    Attributes:
        top: Top of the rule above it; the row ends at the rule of the next row.
        left: Left edge of its label; the frame's rule is 14 pixels further left.
        label: The printed label.
        typed: The marked answer, line by line.
        beside: Distance from the label's left edge to the answer's, if both are on the same line;
            0 puts the answer below.
        below: Distance from the label's baseline to the baseline of the answer's first line.
        framed: Whether a rule divides it from the cell to its left.
    """

    top: int
    left: int
    label: str
    typed: str
    beside: int = 0
    below: int = 39
    framed: bool = True


CELLS = [
    Cell(322, 96, "1. Name of employee (last, first, middle)", "Brannick, Theodora Mae"),
    Cell(322, 812, "2. Employee No.", "[[KEEP|H-20417]]"),
    Cell(322, 1176, "3. Social Security No.", "[[US_SSN|271-97-0538]]"),
    Cell(406, 96, "4. Home address", "[[HOME_ADDRESS|412 Larkspur Lane\nAlder Falls, Ohio 45307]]"),
    Cell(406, 812, "5. Home telephone", "[[HOME_PHONE_NUMBER|(513) 555-0148]]"),
    Cell(406, 1176, "6. Office telephone", "[[KEEP|(513) 555-0163, Ext. 62]]"),
    Cell(524, 96, "7. Date of birth", "[[DATE_OF_BIRTH|March 9, 1931]]"),
    Cell(524, 450, "8. Age", "[[AGE|35]]"),
    Cell(524, 614, "9. Sex", "[[GENDER|Female]]"),
    Cell(524, 812, "10. Place of birth", "[[PLACE_OF_BIRTH|Kilmarnock, Scotland]]"),
    Cell(608, 96, "11. Marital status", "[[MARITAL_STATUS|Married]]"),
    Cell(608, 450, "12. Name of husband or wife", "[[MARITAL_STATUS|Walter J. Brannick]]"),
    Cell(
        608,
        880,
        "13. Number of children, and ages",
        "[[MARITAL_STATUS|2 children]], ages [[AGE|11]] and [[AGE|8]]",
    ),
    Cell(692, 96, "14. U.S. citizen?", "[[NATIONALITY|Yes]]", beside=210),
    Cell(692, 450, "15. Religion (optional):", "[[RELIGION|Presbyterian]]", beside=290),
    Cell(692, 1060, "16. General health:", "[[HEALTH|Good]]", beside=242),
    Cell(
        756,
        96,
        "17. Past illness, operations or physical defects",
        "[[HEALTH|Hay fever]]; [[HEALTH|appendectomy]] in 1958. No lost time since.",
    ),
    Cell(840, 96, "18. Department", "[[KEEP|Optical Assembly]]"),
    Cell(840, 560, "19. Position", "[[KEEP|Inspector, Grade 4]]"),
    Cell(840, 1060, "20. Date of hire", "[[KEEP|June 15, 1959]]"),
    Cell(
        924,
        96,
        "21. Schools and colleges attended",
        "[[KEEP|Miami Valley Normal Institute]]\nGem City Business College",
    ),
    Cell(924, 812, "Degree or certificate", "[[KEEP|B.S., Physics]]\nBookkeeping", framed=False),
    Cell(924, 1250, "Date granted", "[[KEEP|June 3, 1953]]\n[[KEEP|May 1957]]", framed=False),
    Cell(1092, 96, "22. Payroll account No.", "[[KEEP|00-41772-6]]"),
    Cell(1092, 560, "23. Employer's identification No.", "[[KEEP|49-0550147]]"),
    Cell(1092, 1060, "24. Salary, per month", "[[KEEP|$512.50]]"),
    Cell(
        1176,
        96,
        "25. Remarks of the interviewer (use the reverse side if more space is needed)",
        REMARKS,
        below=62,
    ),
    Cell(1770, 96, "Date of interview", "[[KEEP|October 4, 1966]]", below=44),
    Cell(1770, 450, "Name and title", "R. L. Osgood, Personnel Manager", below=44),
    Cell(1770, 1110, "Copies to", "Payroll (2); Lens Div.", below=44),
]
BOTTOM = 1870
STAMP = (1260, 1636, ("RECEIVED", "[[KEEP|OCT 7 1966]]", "H & P PAYROLL"))  # left, first baseline


@dataclass
class Mark:
    """Hold a marked span of text and the box of each of its lines, on the skewed page."""

    label: str
    text: str
    boxes: list[Box] = field(default_factory=list)


class Layer:
    """Draw ink of one kind at a large scale, then skew and degrade it as a whole.

    Args:
        size: The page's width and height in pixels.
        font: The one face used.
        skew: Degrees clockwise.
        centre: The centre of rotation of the skew, in pixels of the page.
        jitter: Standard deviation of every character's position, in pixels.
        random: Draws the jitter and the strength of every stroke.
    """

    scale = 4

    def __init__(
        self,
        size: tuple[int, int],
        font: Path,
        skew: float,
        centre: tuple[float, float],
        jitter: float,
        random: Random,
    ) -> None:
        self.size, self.font, self.jitter, self.random = size, font, jitter, random
        self.turn = cv2.getRotationMatrix2D(centre, -skew, 1.0)
        self.canvas = Image.new("L", (size[0] * self.scale, size[1] * self.scale))
        self.draw = ImageDraw.Draw(self.canvas)
        self.marks: list[Mark] = []

    def rule(self, left: float, top: float, right: float, bottom: float) -> None:
        """Fill a rectangle."""
        self.draw.rectangle([round(v * self.scale) for v in (left, top, right, bottom)], fill=255)

    def write(
        self, left: float, baseline: float, text: str, size: float, bold: float = 0.0
    ) -> None:
        """Write marked *text*, a line every `LINE` pixels; *bold* is added to the stroke width."""
        font = ImageFont.truetype(
            self.font, size * self.scale, layout_engine=ImageFont.Layout.BASIC
        )
        stroke = round(bold * self.scale)
        for before, stretch, mark in _parse(text):
            first, start = before.count("\n"), before.rpartition("\n")[2]
            for row, piece in enumerate(stretch.split("\n"), first):
                indent = _advance(start, font, stroke) if row == first else 0.0
                drawn: list[tuple[float, float, float, float]] = []
                for index, char in enumerate(piece):
                    right = indent + _advance(piece[:index], font, stroke)
                    at = (
                        right + (left + self.random.gauss(0, self.jitter)) * self.scale,
                        (baseline + row * LINE + self.random.gauss(0, self.jitter)) * self.scale,
                    )
                    pen: dict[str, Any] = {"font": font, "anchor": "ls", "stroke_width": stroke}
                    strength = 255 - round(abs(self.random.gauss(0, 60)) * self.jitter)
                    self.draw.text(at, char, fill=strength, **pen)
                    if not char.isspace():
                        drawn.append(self.draw.textbbox(at, char, **pen))
                if mark is not None and drawn:
                    mark.boxes.append(self._on_page(np.array(drawn)))
            if mark is not None:
                self.marks.append(mark)

    def ink(self, weight: float, texture: float, noise: np.random.Generator) -> NDArray[np.float32]:
        """Return the amount of ink per pixel, 0 to 1, as a scanner sees it.

        Args:
            weight: The level at which a pixel is half black; lower is heavier.
            texture: Unevenness of the ink: 0 is a fresh print, .3 a worn ribbon.
            noise: Draws the texture.
        """
        small = np.asarray(self.canvas.resize(self.size, Image.Resampling.BOX), dtype=np.float32)
        turned = cv2.warpAffine(small / 255, self.turn, self.size, flags=cv2.INTER_CUBIC)
        seen = cv2.GaussianBlur(turned, (0, 0), 0.75)
        level = weight + 0.08 * _cloud(seen.shape, 1.1, noise) + texture * _patches(seen, noise)
        return np.asarray(np.clip((seen - level) * 3.5 + 0.5, 0, 1), dtype=np.float32)

    def _on_page(self, boxes: NDArray[Any]) -> Box:
        """Return the box on the skewed page that covers *boxes* of the canvas."""
        (left, top), (right, bottom) = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        corners = np.array([(x, y) for x in (left, right) for y in (top, bottom)]) / self.scale
        turned = corners @ self.turn[:, :2].T + self.turn[:, 2]
        (x0, y0), (x1, y1) = turned.min(axis=0), turned.max(axis=0)
        return math.floor(x0), math.floor(y0), math.ceil(x1), math.ceil(y1)


def _parse(text: str) -> Iterator[tuple[str, str, Mark | None]]:
    """Yield each piece of marked *text* with the text before it and with its mark, if any.

    >>> [(before, plain, mark and mark.label) for before, plain, mark in _parse("Age [[AGE|35]].")]
    [('', 'Age ', None), ('Age ', '35', 'AGE'), ('Age 35', '.', None)]
    """
    before = ""
    for outside, label, inside in re.findall(r"([^[]+)|\[\[(\w+)\|([^]]+)\]\]", text):
        yield before, outside or inside, Mark(label, inside) if label else None
        before += outside or inside


def _advance(text: str, font: ImageFont.FreeTypeFont, stroke: int) -> float:
    """Return the advance width of *text* when every stroke gains *stroke*."""
    return font.getlength(text) + len(text) * stroke


def _cloud(shape: tuple[int, ...], sigma: float, noise: np.random.Generator) -> NDArray[np.float32]:
    """Return noise of mean 0 and standard deviation 1, blurred by *sigma* pixels."""
    grain = cv2.GaussianBlur(noise.standard_normal(shape).astype(np.float32), (0, 0), sigma)
    return np.asarray((grain - grain.mean()) / grain.std(), dtype=np.float32)


def _patches(seen: NDArray[Any], noise: np.random.Generator) -> NDArray[np.float32]:
    """Return a map of missing ribbon ink, 0 and above: fine gaps plus a slow drift."""
    gaps = _cloud(seen.shape, 1.6, noise) + 0.6 * _cloud(seen.shape, 40, noise)
    return np.clip(gaps - 0.4, 0, None).astype(np.float32)


def bare(paper: Grey, noise: np.random.Generator) -> Grey:
    """Return *paper* with its writing erased; edges, punch holes and heavy rules stay.

    Erased places are filled with speckled paper from an empty place nearby.
    """
    ink = (paper < 128).astype(np.uint8)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (29, 29))
    bar = np.ones((8, 150), np.uint8)
    solid = _mask(cv2.morphologyEx(ink, cv2.MORPH_OPEN, disc))
    solid |= _mask(cv2.morphologyEx(ink, cv2.MORPH_OPEN, bar))
    stays = _mask(cv2.dilate(solid, np.ones((5, 5), np.uint8))) & ink
    height, width = ink.shape
    count, names, stats, _ = cv2.connectedComponentsWithStats(ink - stays, connectivity=8)
    writing = ink - stays
    for name in range(1, count):
        x, y, w, h, area = stats[name]
        edge = x + w < 56 or y + h < 16 or x > width - 40 or y > height - 40
        if edge:
            stays[names == name] = 1
        if edge or area <= 9:
            writing[names == name] = 0
    written = _mask(cv2.dilate(writing, np.ones((17, 17), np.uint8)))

    tile, result = 40, paper.copy()
    corners = [(y, x) for y in range(0, height, tile) for x in range(0, width, tile)]
    dirty = [c for c in corners if _tile(written, c, tile).any()]
    clean = np.array(
        [
            c
            for c in corners
            if not _tile(written, c, tile).any()
            and not _tile(solid, c, tile).any()
            and 120 <= c[0] < height - 120
            and 80 <= c[1] < width - 120
        ]
    )
    for y, x in dirty:
        near = np.argsort(np.abs(clean - (y, x)).sum(axis=1), kind="stable")[:24]
        source = paper[tuple(slice(v, v + tile) for v in clean[noise.choice(near)])]
        target = result[y : y + tile, x : x + tile]
        target[:] = source[: target.shape[0], : target.shape[1]]
    result[stays == 1] = paper[stays == 1]
    return result


def _mask(image: NDArray[Any]) -> Grey:
    """Return *image* with the array type that OpenCV's stubs omit."""
    return image.astype(np.uint8, copy=False)


def _tile(image: Grey, corner: tuple[int, int], side: int) -> Grey:
    """Return the square of *image* at *corner*."""
    return image[corner[0] : corner[0] + side, corner[1] : corner[1] + side]


def make(
    paper: Grey, label_font: Path, type_font: Path, skew: float, random: Random
) -> tuple[Grey, list[Mark]]:
    """Print, type and stamp the form onto *paper*.

    Returns:
        The page, bilevel where *paper* is, and its marks from top to bottom.
    """
    noise = np.random.default_rng(random.getrandbits(64))
    size = (paper.shape[1], paper.shape[0])
    middle = (size[0] / 2, 180.0)
    printed = Layer(size, label_font, skew, middle, 0.0, random)
    typed = Layer(size, type_font, skew - 0.12, middle, 0.3, random)
    stamp = Layer(size, label_font, skew - 4, STAMP[:2], 0.3, random)

    for baseline, left, text_size, bold, text in PRINTED:
        printed.write(left, baseline, text, text_size, 0.7 if bold else 0.3)
    tops = [*sorted({cell.top for cell in CELLS}), BOTTOM]
    for top in tops:
        printed.rule(LEFT, top, RIGHT, top + 1.6)
    for cell in CELLS:
        if cell.left > LEFT + 14 and cell.framed:
            bottom = tops[tops.index(cell.top) + 1]
            printed.rule(cell.left - 14, cell.top, cell.left - 12.4, bottom)
        line = cell.top + (42 if cell.beside else 28)
        printed.write(cell.left, line, cell.label, LABEL_SIZE, 0.3)
        start = cell.left + (cell.beside or 24) + random.uniform(-5, 5)
        below = (0 if cell.beside else cell.below) + random.uniform(-2, 2)
        typed.write(start, line + below, cell.typed, TYPE_SIZE, 0.3)
    for row, text in enumerate(STAMP[2]):
        stamp.write(STAMP[0], STAMP[1] + row * 40, text, 36.0, 0.5)

    inks = [
        printed.ink(0.42, 0.02, noise),
        typed.ink(0.40, 0.07, noise),
        stamp.ink(0.46, 0.18, noise),
    ]
    page = np.minimum(bare(paper, noise), 255 * (1 - np.maximum.reduce(inks)))
    if len(np.unique(paper)) == 2:
        page = np.where(page < 128, 0.0, 255.0)
    marks = printed.marks + typed.marks + stamp.marks
    return page.astype(np.uint8), sorted(marks, key=lambda m: m.boxes[0][1])


def main() -> None:
    """Write the page and its ground truth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--paper", type=Path, required=True, help="a scanned page, 200 dpi")
    parser.add_argument("--label-font", type=Path, default=LABEL_FONT)
    parser.add_argument("--type-font", type=Path, default=TYPE_FONT, help="of fixed width")
    parser.add_argument("--skew", type=float, default=0.55, help="degrees clockwise, as the paper")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).with_suffix(".png"), help="a PNG file"
    )
    options = parser.parse_args()
    for path, remedy in (
        (options.paper, "the head of this file names the scan it was laid out for"),
        (options.label_font, "`apt-get install fonts-liberation2` brings the default"),
        (options.type_font, "`apt-get install fonts-cmu` brings the default"),
    ):
        if not path.is_file():
            parser.error(f"there is no {path}; {remedy}")

    with Image.open(options.paper) as scan:
        dpi, paper = scan.info.get("dpi", (200, 200)), np.array(scan.convert("L"))
    page, marks = make(
        paper, options.label_font, options.type_font, options.skew, Random(options.seed)
    )
    Image.fromarray(page).save(options.out, dpi=dpi, optimize=True)
    truth = {
        "page": options.out.name,
        "values": [
            {"entity": m.label, "text": m.text, "boxes": m.boxes}
            for m in marks
            if m.label != "KEEP"
        ],
        "keep": [{"text": m.text, "boxes": m.boxes} for m in marks if m.label == "KEEP"],
    }
    options.out.with_suffix(".json").write_text(json.dumps(truth, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
