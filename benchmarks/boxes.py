"""Compare what is found on drawn forms with check boxes to what is found in their text.

    python -m benchmarks.boxes
    python -m benchmarks.boxes --pages 8 --seed 3 --folder build/boxes     # keeps the pages

Six layouts (`LAYOUTS`) are drawn with boxes of several sizes, marked in six ways (`MARKS`), and
scanned at 100 to 300 dpi: grey, bilevel or as JPEG, level or with a skew. Each is also written as
plain text, with ``[ ]`` and ``[X]`` in the place of its boxes. One row a layout, a mark, a
resolution or another condition:

* **boxes**: drawn. **found**, **right**: the share of them that was found, and of these that was
  read as empty or marked as it is. **false**: boxes found where there is none.
* **values**: found in the text. **on page**: the share of them that is found on the page, with the
  same entity and, but for what OCR misreads, the same words. **more**: found on the page only.
* **time**: of finding the boxes, as a share of the time of OCR.

With ``--paint`` surrogates are painted, and:

* **findings**: on the pages. **moved**: those for which a mark moves to another box.
* **again**: the share of the boxes found before that are there afterwards. **marks**: how many more
  or fewer of them have a mark then, of all pages.
"""

import difflib
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import click
import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

import presidio_cdip
from benchmarks.imaging_pages import scanned
from benchmarks.quality import cell, print_markdown, print_table, ratio
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.imaging.page.checkboxes import checkboxes
from presidio_cdip.imaging.page.clean import clean, ink_of
from presidio_cdip.imaging.page.pages import Page
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.imaging.redaction import Analyzer, RedactionOptions, find_in_page, treat
from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.words import EMPTY, MARKED, Box
from presidio_cdip.recognition.finder import Finder, finder, least_score
from presidio_cdip.surrogates.engine import Surrogates

MARKS = ("cross", "check", "filled", "stroke", "typed", "scribble")
DPIS = (100, 150, 200, 300)
LOOKS = ("grey", "bilevel", "jpeg")
SKEWS = (0.0, 0.0, 3.0, -1.5)
FACES = (
    "serif-times",
    "sans-swiss",
    "typewriter-prime",
    "serif-school",
    "sans-narrow",
    "sans-wide",
)
"""Of the package, in which forms are printed."""

WIDTH, HEIGHT = 7.5, 6.0
"""Inches of a page."""

_FINE = 600
_ROW = 0.27  # inches
_CHARACTERS = 14  # an inch, in the text
_TOKEN = re.compile(r"\[[ X]\]|\S+")
_SAME = 0.7  # minimum likeness of a value on the page and in the text
_LIKE = 0.5  # minimum overlap of a box found and one drawn

_ILLNESSES = (
    "Epilepsy", "Hernia", "Diabetes", "Tuberculosis", "Hay fever", "Rheumatism", "Asthma",
    "Malaria", "Stomach ulcer", "Heart disease", "Pneumonia", "Scarlet fever", "Gout",
    "Kidney stones", "Varicose veins", "Jaundice",
)  # fmt: skip
_STATUS = ("Single", "Married", "Widowed", "Divorced", "Separated")
_FAITHS = ("Protestant", "Roman Catholic", "Jewish", "Lutheran", "None")
_RACES = ("White", "Negro", "Oriental", "Am. Indian", "Mexican")
_QUESTIONS = (
    "Are you a citizen of the United States?",
    "Have you ever been arrested?",
    "Have you ever been treated for a nervous disorder?",
    "Are you a member of a labor union?",
)
_PEOPLE = ("Harold Pettibone", "Irma Kowalski", "Otto Lindqvist", "Rosa Mancuso", "Clyde Brennan")

Row = list[tuple[float, str]]
"""Cells of a line: their left edge in inches, and their text with boxes as plain text has them."""


@dataclass(slots=True)
class Sketch:
    """Hold the content of a form.

    Attributes:
        rows: Its lines; an empty one is a gap.
        grids: Tables: the first and last of their rows, and the columns' edges in inches.
    """

    rows: list[Row]
    grids: list[tuple[int, int, tuple[float, ...]]] = field(default_factory=list)

    def text(self) -> str:
        """Return the form as plain text."""
        lines = []
        for row in self.rows:
            line = ""
            for left, text in row:
                column = round((left - 0.5) * _CHARACTERS)
                line += " " * max(3 if line else 0, column - len(line)) + text
            lines.append(line)
        return "\n".join(lines)


def _head(rng: Random, title: str) -> list[Row]:
    return [
        [(2.2, title)],
        [],
        [(0.5, f"Name: {rng.choice(_PEOPLE)}"), (4.2, "Date: March 3, 1961")],
        [],
    ]


def _ticks(rng: Random, options: Sequence[str], most: int = 1) -> list[tuple[str, str]]:
    chosen = set(rng.sample(range(len(options)), rng.randint(1, most)))
    return [(MARKED if n in chosen else EMPTY, one) for n, one in enumerate(options)]


def _checklist(rng: Random) -> Sketch:
    """Draw illnesses in three columns, boxes before them."""
    pairs = _ticks(rng, rng.sample(_ILLNESSES, 12), 4)
    rows = _head(rng, "MEDICAL HISTORY")
    rows.append([(0.5, "Have you ever had any of the following?")])
    for at in range(0, 12, 3):
        rows.append([(0.5 + 2.2 * n, f"{b} {o}") for n, (b, o) in enumerate(pairs[at : at + 3])])
    return Sketch(rows)


def _behind(rng: Random) -> Sketch:
    """Draw illnesses in two columns, boxes behind them, in line."""
    pairs = _ticks(rng, rng.sample(_ILLNESSES, 10), 3)
    rows = _head(rng, "HEALTH QUESTIONNAIRE")
    rows.append([(0.5, "Check each illness that you have had:")])
    for at in range(0, 10, 2):
        row = []
        for number, (box, option) in enumerate(pairs[at : at + 2]):
            row += [(0.5 + 3.4 * number, option), (2.2 + 3.4 * number, box)]
        rows.append(row)
    return Sketch(rows)


def _choices(rng: Random) -> Sketch:
    """Draw questions with their options on one line."""
    rows = _head(rng, "APPLICATION FOR EMPLOYMENT")
    for label, options in (
        ("Marital status:", _STATUS[:4]),
        ("Religion:", _FAITHS),
        ("Race:", _RACES[:4]),
    ):
        row, left = [(0.5, label)], 1.75
        for box, option in _ticks(rng, options):
            row.append((left, f"{box} {option}"))
            left += 0.55 + 0.085 * len(option)
        rows += [row, []]
    rows.append([(0.5, "Remarks:"), (1.75, "None")])
    return Sketch(rows)


def _answers(rng: Random) -> Sketch:
    """Draw questions that are answered by yes or no."""
    rows = _head(rng, "STATEMENT OF APPLICANT")
    for question in _QUESTIONS:
        (yes, _), (no, _) = _ticks(rng, ("Yes", "No"))
        rows += [[(0.5, question), (4.9, f"{yes} Yes"), (5.9, f"{no} No")], []]
    return Sketch(rows)


def _column(rng: Random) -> Sketch:
    """Draw options below one another."""
    rows = _head(rng, "PERSONNEL DATA")
    left = _ticks(rng, rng.sample(_ILLNESSES, 8), 2)
    right = [*_ticks(rng, _FAITHS), *[("", "")] * 3]
    rows.append([(0.5, "Illnesses:"), (3.9, "Religious preference:")])
    for (box, one), (other, faith) in zip(left, right, strict=True):
        rows.append([(0.7, f"{box} {one}"), *([(4.1, f"{other} {faith}")] if faith else [])])
    return Sketch(rows)


def _table(rng: Random) -> Sketch:
    """Draw a ruled table with boxes under yes and no."""
    rows = _head(rng, "MEDICAL EXAMINATION")
    first = len(rows)
    rows.append([(0.6, "Have you had"), (3.2, "Yes"), (4.2, "No"), (5.2, "Year")])
    for _, illness in _ticks(rng, rng.sample(_ILLNESSES, 7), 2):
        has = rng.random() < 0.3
        row = [(0.6, illness), (3.2, MARKED if has else EMPTY), (4.2, EMPTY if has else MARKED)]
        rows.append([*row, *([(5.2, str(rng.randint(1930, 1960)))] if has else [])])
    return Sketch(rows, [(first, len(rows) - 1, (0.5, 3.0, 4.0, 5.0, 6.4))])


LAYOUTS = {
    "three columns": _checklist,
    "boxes behind": _behind,
    "options in line": _choices,
    "yes or no": _answers,
    "one below another": _column,
    "ruled table": _table,
}


@dataclass(frozen=True, slots=True)
class Form:
    """Hold a drawn form.

    Attributes:
        image: The page.
        text: The same form as plain text.
        boxes: The frames of its boxes, in pixels of a page that is level, with their marks.
        turn: The affine map from such pixels to those of the page.
        told: Its conditions: name and value.
    """

    image: Image.Image
    text: str
    boxes: tuple[tuple[Box, bool], ...]
    turn: np.ndarray
    told: dict[str, str]


def drawn(number: int, seed: int) -> Form:
    """Return form *number* of a seed."""
    rng = Random(f"{seed}/{number}")
    layout = list(LAYOUTS)[number % len(LAYOUTS)]
    mark = MARKS[(number // len(LAYOUTS) + number) % len(MARKS)]
    dpi = DPIS[(number + number // 7) % len(DPIS)]
    look = LOOKS[(number // 2) % len(LOOKS)]
    skew = rng.choice(SKEWS)
    face = rng.choice(FACES)
    points = rng.choice((9, 10, 11))
    side = rng.choice((0.8, 1.0, 1.2, 1.5))  # of the size of the letters
    line = rng.choice((0.5, 0.75, 1.0))  # points
    sketch = LAYOUTS[layout](rng)
    ink = Image.new("L", (round(WIDTH * _FINE), round(HEIGHT * _FINE)))
    boxes = _draw(ink, sketch, face, points, side, line, mark, rng)
    scale = dpi / _FINE
    noise = np.random.default_rng(rng.randrange(2**32))
    small = cv2.resize(np.asarray(ink), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = small.shape
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), skew, 1)
    small = cv2.warpAffine(small, turn, (width, height), flags=cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(small.astype(np.float32) / 255, (0, 0), 0.5)
    image = scanned(soft.astype(np.float32), look == "jpeg", noise)
    if look == "bilevel":
        image = image.point(lambda level: 255 * (level > 165)).convert(
            "1", dither=Image.Dither.NONE
        )
    told = {
        "layout": layout, "mark": mark, "dpi": str(dpi), "look": look,
        "skew": "skewed" if skew else "level", "side": f"box {side:.1f}",
    }  # fmt: skip
    small_boxes = tuple((Box(*(round(scale * at) for at in box)), on) for box, on in boxes)
    return Form(image, sketch.text(), small_boxes, turn, told)


def _draw(
    page: Image.Image,
    sketch: Sketch,
    face: str,
    points: int,
    side: float,
    line: float,
    mark: str,
    rng: Random,
) -> list[tuple[Box, bool]]:
    """Draw a form on *page*, white on black, and return its boxes."""
    draw = ImageDraw.Draw(page)
    size = round(points / 72 * _FINE)
    file = next(one.file for one in faces() if one.name == face)
    font = ImageFont.truetype(file, size)
    wide = max(2, round(line / 72 * _FINE))
    tall, blank = round(side * size), round(0.3 * size)
    boxes = []
    for number, row in enumerate(sketch.rows):
        base = round((0.6 + number * _ROW) * _FINE)
        for left, text in row:
            x = round(left * _FINE)
            for token in _TOKEN.findall(text):
                if token not in (EMPTY, MARKED):
                    draw.text((x, base), token, font=font, fill=255, anchor="ls")
                    x += round(font.getlength(token)) + blank
                    continue
                top = round(base - 0.36 * size - tall / 2)
                box = Box(x, top, x + tall, top + tall)
                draw.rectangle((box.left, box.top, box.right - 1, box.bottom - 1), None, 255, wide)
                if token == MARKED:
                    _mark(draw, box, mark, wide, font, rng)
                boxes.append((box, token == MARKED))
                x += tall + blank
    for first, last, edges in sketch.grids:
        rule = max(2, round(0.5 / 72 * _FINE))
        ys = [round((0.6 + n * _ROW - 0.18) * _FINE) for n in range(first, last + 2)]
        xs = [round(edge * _FINE) for edge in edges]
        for y in ys:
            draw.line((xs[0], y, xs[-1], y), 255, rule)
        for x in xs:
            draw.line((x, ys[0], x, ys[-1]), 255, rule)
    return boxes


def _mark(
    draw: ImageDraw.ImageDraw,
    box: Box,
    mark: str,
    line: int,
    font: ImageFont.FreeTypeFont,
    rng: Random,
) -> None:
    side, pen = box.width, max(line, round(0.09 * box.width))

    def at(x: float, y: float) -> tuple[float, float]:
        x, y = x + rng.uniform(-0.05, 0.05), y + rng.uniform(-0.05, 0.05)
        return box.left + x * side, box.top + y * side

    if mark == "cross":
        draw.line([at(0.12, 0.12), at(0.88, 0.88)], 255, pen)
        draw.line([at(0.12, 0.88), at(0.88, 0.12)], 255, pen)
    elif mark == "check":
        draw.line([at(0.2, 0.5), at(0.42, 0.8), at(0.85, 0.18)], 255, pen, joint="curve")
    elif mark == "filled":
        draw.rectangle((box.left, box.top, box.right - 1, box.bottom - 1), 255)
    elif mark == "stroke":
        draw.line([at(0.15, 0.4), at(0.45, 0.85), at(1.4, -0.45)], 255, 2 * pen, joint="curve")
    elif mark == "typed":
        middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        draw.text(
            middle, "X", font=font.font_variant(size=round(0.9 * side)), fill=255, anchor="mm"
        )
    else:
        points = [at(rng.uniform(0.15, 0.85), rng.uniform(0.15, 0.85)) for _ in range(9)]
        draw.line(points, 255, pen, joint="curve")


@dataclass(slots=True)
class Tally:
    """Hold the counts of a row; the module's docstring says of what."""

    boxes: int = 0
    found: int = 0
    right: int = 0
    false: int = 0
    values: int = 0
    same: int = 0
    more: int = 0
    searching: float = 0.0
    reading: float = 0.0
    findings: int = 0
    moved: int = 0
    read: int = 0
    again: int = 0
    marks: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, n) + getattr(other, n) for n in self.__slots__))

    def row(self, name: str) -> list[str]:
        """Return the line of the table."""
        shares = ratio(self.found, self.boxes), ratio(self.right, self.found)
        return [
            name, str(self.boxes), *map(cell, shares), str(self.false), str(self.values),
            cell(ratio(self.same, self.values)), str(self.more),
            f"{self.searching / max(self.reading, 1e-9):.1%}",
        ]  # fmt: skip

    def painted(self, name: str) -> list[str]:
        """Return the line of the table of painted pages."""
        again = cell(ratio(self.again, self.read))
        return [name, str(self.findings), str(self.moved), str(self.read), again, str(self.marks)]


COLUMNS = ("forms", "boxes", "found", "right", "false", "values", "on page", "more", "time")
PAINTED = ("forms", "findings", "moved", "boxes", "again", "marks")


def judged(form: Form, engine: Finder, least: float) -> tuple[Tally, list[str]]:
    """Return the counts of a form, and what differs."""
    tally, told = Tally(), []
    page = clean(form.image)
    start = time.perf_counter()
    found = checkboxes(ink_of(page.pixels), page.solids)
    tally.searching = time.perf_counter() - start
    left = list(found)
    for box, marked in form.boxes:
        tally.boxes += 1
        place = _moved(box, form.turn)
        own = [one for one in left if _overlap(place, page.on_page(one.box)) >= _LIKE]
        if own:
            left.remove(own[0])
            tally.found += 1
            tally.right += own[0].marked == marked
    tally.false = len(left)
    start = time.perf_counter()
    try:
        text = layout_text(read_words(form.image)).text
    except UnreadableInput:
        told.append("not read")
        text = ""
    tally.reading = time.perf_counter() - start
    wanted, seen = (
        [(s.entity, t[s.start : s.end]) for s in engine.find(t, min_score=least)]
        for t in (form.text, text)
    )
    tally.values = len(wanted)
    for entity, value in wanted:
        like = [one for one in seen if one[0] == entity and _is_same(one[1], value)]
        if like:
            seen.remove(like[0])
            tally.same += 1
        else:
            told.append(f"lost {entity} {value!r}")
    tally.more = len(seen)
    told += [f"more {entity} {value!r}" for entity, value in seen]
    return tally, told


def painted(form: Form, analyzer: Analyzer, scope: str) -> Tally:
    """Return the counts of a form on which surrogates are painted."""
    page = Page(form.image, name="form")
    try:
        found = find_in_page(page, analyzer, min_score=least_score(None))
    except UnreadableInput:
        return Tally()
    source = Surrogates("a key of at least 16 bytes", scope)
    image, report = treat(page, found, RedactionOptions("surrogate", source))
    before, after = _seen(form.image), _seen(image)
    again = sum(any(_overlap(one, other) >= _LIKE for other, _ in after) for one, _ in before)
    marks = [sum(marked for _, marked in boxes) for boxes in (before, after)]
    moved = sum(one.method == "surrogate" and not one.face for one in report.treated)
    return Tally(
        findings=len(report.treated),
        moved=moved,
        read=len(before),
        again=again,
        marks=abs(marks[0] - marks[1]),
    )


def _seen(image: Image.Image) -> list[tuple[Box, bool]]:
    page = clean(image)
    found = checkboxes(ink_of(page.pixels), page.solids)
    return [(page.on_page(one.box), one.marked) for one in found]


def _moved(box: Box, turn: np.ndarray) -> Box:
    corners = np.array([(x, y, 1) for x in (box.left, box.right) for y in (box.top, box.bottom)])
    points = corners @ turn.T
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return Box(round(left), round(top), round(right), round(bottom))


def _overlap(one: Box, other: Box) -> float:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    if across <= 0 or down <= 0:
        return 0.0
    shared = across * down
    return shared / (one.width * one.height + other.width * other.height - shared)


def _is_same(one: str, other: str) -> bool:
    left, right = (re.sub(r"\W+", "", text).casefold() for text in (one, other))
    return difflib.SequenceMatcher(None, left, right, False).ratio() >= _SAME


@click.command()
@click.option("--pages", default=5, show_default=True, help="Forms of each layout.")
@click.option("--seed", default=1, show_default=True)
@click.option("--model", help="As in `presidio-cdip analyze`.")
@click.option("--folder", type=click.Path(path_type=Path), help="Keep pages and texts here.")
@click.option("--markdown", is_flag=True, help="Print in Markdown.")
@click.option("--show", is_flag=True, help="Print what differs.")
@click.option("--paint", is_flag=True, help="Paint surrogates, too.")
def main(
    pages: int,
    seed: int,
    model: str | None,
    folder: Path | None,
    markdown: bool,
    show: bool,
    paint: bool,
) -> None:
    """Measure check boxes on drawn forms."""
    engine, least = finder(model=model), least_score(None)
    analyzer = presidio_cdip.analyzer(model=model)
    tallies: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))
    for number in range(pages * len(LAYOUTS)):
        form = drawn(number, seed)
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            form.image.save(folder / f"{number:03}.png")
            (folder / f"{number:03}.txt").write_text(form.text, encoding="utf-8")
        tally, told = judged(form, engine, least)
        if paint:
            tally += painted(form, analyzer, f"{seed}/{number}")
        for kind, value in [*form.told.items(), ("all", "all")]:
            tallies[kind][value] += tally
        if show and (told or tally.found < tally.boxes or tally.right < tally.found or tally.false):
            counts = f"{tally.boxes} boxes, {tally.found} found, {tally.right} right"
            counts += f", {tally.false} false"
            click.echo(f"{number:03} {' '.join(form.told.values())}: {counts} {'; '.join(told)}")
    rows = [
        tally.row(value)
        for of in tallies.values()
        for value, tally in (sorted(of.items()) if len(of) > 1 else of.items())
    ]
    show_table = print_markdown if markdown else print_table
    show_table(COLUMNS, rows)
    if paint:
        click.echo()
        show_table(PAINTED, [tally.painted(name) for name, tally in tallies["layout"].items()])
        show_table(PAINTED, [tallies["all"]["all"].painted("all")])


if __name__ == "__main__":
    main()
