"""Measure the ink of values that erasing leaves, and the ink that it damages, on drawn forms.

    python -m benchmarks.imaging_erasing

Each form has a value between two lines of text and beside a label and a word, close to rules, an
underline or the lines of a box. Value and all else are drawn apart, so that each pixel's owner is
known. OCR's box is off: by a third of the line's height it is too low, too high or too short.

* **left**: forms of which any pixel of the value's ink is still dark.
* **damaged**: forms of which more than a hundredth of the other ink within an em of the value is no
  longer dark.
* **outside**: forms with any pixel that changed outside of the reported boxes.

``--every N`` takes each N-th form only.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import mean

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from benchmarks.imaging_painters import Found
from benchmarks.quality import print_table
from presidio_cdip.imaging.painting.replacing import Replacer
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.reading.layout import LayoutText, layout_text
from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.words import Box, Word

FACES = ("typewriter-prime", "serif-times", "sans-swiss", "sans-swiss-italic")
SIZES = (14, 22, 32, 46)
"""Pixels per em: of type of 11 points, 91, 144, 209 and 301 dpi."""
RULES = ("none", "line", "underline", "through", "box")
PITCHES = (1.0, 1.3)
VALUES = ("Hagley Pgymst", "4711 Oak Grove", "(216) 555-0142", "Wm. J. O'Neill")
OFF = {
    "as it is": (0.0, 0.0, 0.0, 0.0),
    "too low": (0.0, 0.33, 0.0, 0.33),
    "too high": (0.0, -0.33, 0.0, -0.33),
    "without head": (0.0, 0.33, 0.0, 0.0),
    "without feet": (0.0, 0.0, 0.0, -0.33),
    "late": (0.33, 0.0, 0.0, 0.0),
    "short": (0.0, 0.0, -0.33, 0.0),
}
"""By how much of its height each edge of OCR's box is off."""
SCANS = ("grey", "bilevel", "jpeg")
INKY, WHITE = 110, 200

Grey = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """Hold a page whose ink is known.

    Attributes:
        image: The page.
        layout: Its words, as a poor OCR boxes them.
        finding: The value.
        own: The mask of the value's ink.
        other: The mask of all other ink.
        around: Where damage is counted.
    """

    image: Image.Image
    layout: LayoutText
    finding: PageFinding
    own: Mask
    other: Mask
    around: Box


@dataclass(frozen=True, slots=True)
class Erased:
    """Count pixels of a form whose value was erased.

    Attributes:
        left: Of the value's ink, those that are still dark.
        damaged: Of other ink, those that are no longer dark.
        outside: Those that changed outside of the reported boxes.
        ink: Of other ink, all within an em of the value.
    """

    left: int
    damaged: int
    outside: int
    ink: int

    @property
    def harmed(self) -> bool:
        """Return whether more than a hundredth of the other ink is damaged."""
        return self.damaged > 0.01 * self.ink


def form_of(
    value: str, face: str, size: int, rule: str, pitch: float, off: str, scan: str = "grey"
) -> Form:
    """Draw a form.

    Args:
        value: What is to be erased.
        face: The name of a shipped face.
        size: Pixels per em.
        rule: One of `RULES`.
        pitch: Distance of the lines in em.
        off: One of `OFF`.
        scan: One of `SCANS`.
    """
    file = next(one.file for one in faces() if one.name == face)
    font = ImageFont.truetype(str(file), size)
    width, height = 40 * size, 8 * size
    left, step = 2 * size, round(pitch * size)
    feet = 4 * size
    lines = [
        (feet - step, "Typed by the agency, page eight"),
        (feet, f"Applicant: {value} Telephone"),
        (feet + step, "Height Weight Blood type and RH"),
    ]
    begin = left + font.getlength("Applicant: ")
    end = begin + font.getlength(value)
    page = {name: Image.new("L", (width, height), 255) for name in ("own", "other")}
    draw = {name: ImageDraw.Draw(image) for name, image in page.items()}
    words = []
    for number, (baseline, text) in enumerate(lines):
        for start, word in _words(text):
            x = left + font.getlength(text[:start])
            mine = number == 1 and begin - 1 <= x < end - 1
            draw["own" if mine else "other"].text((x, baseline), word, 0, font, "ls")
            edges = draw["own"].textbbox((x, baseline), word, font, "ls")
            box = Box(*(int(np.floor(e)) for e in edges[:2]), *(int(np.ceil(e)) for e in edges[2:]))
            words.append(Word(word, _off(box, OFF[off]) if mine else box, 95.0, line=number))
    _ruled(draw["other"], rule, begin, end, feet, size, width)
    own, other = (np.asarray(one) for one in page.values())
    grey = np.minimum(own, other).astype(np.float32)
    light = 238 + np.random.default_rng(0).normal(0, 3, grey.shape)
    grey = (40 + (light - 40) * grey / 255).clip(0, 255)
    if scan == "bilevel":
        grey = np.where(grey < 140, 0.0, 255.0)
    pixels = grey.round().astype(np.uint8)
    if scan == "jpeg":
        packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 75])[1]
        pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)
    layout = layout_text(words)
    start = layout.text.index(value)
    boxes = line_boxes(layout, start, start + len(value), (width, height))
    around = Box(int(begin), feet - size, int(end), feet + size // 3).grown(size, size)
    return Form(
        Image.fromarray(pixels),
        layout,
        PageFinding(Found("ID", start, start + len(value)), boxes),
        (own < INKY) & (other > WHITE),
        (other < INKY) & (own > WHITE),
        around.clipped((width, height)),
    )


def _words(text: str) -> Iterator[tuple[int, str]]:
    """Yield each word and where it starts."""
    start = 0
    for word in text.split(" "):
        yield start, word
        start += len(word) + 1


def _off(box: Box, by: Sequence[float]) -> Box:
    left, top, right, bottom = (
        round(edge + share * box.height) for edge, share in zip(box, by, strict=True)
    )
    return Box(left, top, max(right, left + 2), bottom)


def _ruled(
    draw: ImageDraw.ImageDraw,
    rule: str,
    begin: float,
    end: float,
    feet: int,
    size: int,
    width: int,
) -> None:
    """Draw the lines or box that *rule* names around the value."""
    thick = max(1, size // 14)
    gap = round(0.28 * size)
    if rule == "line":
        draw.rectangle((10, feet + gap, width - 10, feet + gap + thick - 1), 0)
    elif rule == "underline":
        draw.rectangle((begin, feet + gap, end, feet + gap + thick - 1), 0)
    elif rule == "through":  # descenders and feet stand on it
        draw.rectangle((10, feet + 1, width - 10, feet + thick), 0)
    elif rule == "box":
        box = (begin - size / 4, feet - size, end + size / 4, feet + size / 2)
        draw.rectangle(box, outline=0, width=thick)


def erased(form: Form) -> Erased:
    """Erase the value of *form*, and count what is left, damaged and changed elsewhere."""
    worker = Replacer(form.image, form.layout, (), None)
    _, report = worker.erase(form.finding)
    before, after = np.asarray(form.image), np.asarray(worker.image)
    boxed = np.zeros(before.shape, np.bool_)
    for box in report.boxes:
        boxed[box.within()] = True
    seen = form.other & (before < INKY)
    around = form.around.within()
    return Erased(
        int((form.own & (before < INKY) & (after < INKY)).sum()),
        int((seen & (after > INKY + 30)).sum()),
        int(((before != after) & ~boxed).sum()),
        int(seen[around].sum()),
    )


def forms(every: int = 1) -> Iterator[tuple[tuple[str, ...], Form]]:
    """Yield each form, or each so-manieth, after the names of its kinds."""
    kinds = list(product(FACES, SIZES, RULES, PITCHES, OFF, SCANS))
    for number, (face, size, rule, pitch, off, scan) in enumerate(kinds[::every]):
        value = VALUES[number % len(VALUES)]
        names = (face, f"{size} pixels", f"rule: {rule}", f"pitch {pitch}", f"box {off}", scan)
        yield names, form_of(value, face, size, rule, pitch, off, scan)


@click.command(help=__doc__)
@click.option("--every", default=1, show_default=True)
def main(every: int) -> None:
    """Erase the value of each form, and print a table."""
    found: dict[str, list[Erased]] = defaultdict(list)
    for names, form in forms(every):
        one = erased(form)
        for name in (*names, "all"):
            found[name].append(one)
    rows = [
        (
            name,
            str(len(some)),
            str(sum(one.left > 0 for one in some)),
            f"{mean(one.harmed for one in some):.4f}",
            str(sum(one.outside > 0 for one in some)),
        )
        for name, some in found.items()
    ]
    print_table(("forms", "number", "left", "damaged", "outside"), rows)


if __name__ == "__main__":
    main()
