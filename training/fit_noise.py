"""Count the errors of OCR on scans of the corpus, and write ``noise.json`` for `noise.py`.

    python -m training.fit_noise

Documents are set in several faces and sizes, printed with too little or too much ink, put on
scanned paper at 100 to 200 dots per inch, and read as `presidio_cdip` reads pages. Every word is
assigned to its line; on each line the read text is aligned with the true text, and the differences
are counted.

Tesseract was trained on whole lines, and seldom reads ``rn`` as ``m``; the engines that read most
archives look at shapes, and do so. A share of the errors (`SHARE`) is therefore drawn from a list
of shape confusions, `SHAPES`, which is not based on counts.
"""

import re
import subprocess
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from json import dumps
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from pytesseract import pytesseract

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.imaging.words import Word
from training.corpus import documents

ROOT = Path(__file__).parents[1]
FILE = Path(__file__).with_name("noise.json")
SCANS = ROOT.parent / "shared" / "data" / "scans"
FONTS = Path("/usr/share/fonts")
MONOSPACED = ("Courier Prime.otf", "LiberationMono-Regular.ttf", "cmuntt.ttf", "DejaVuSansMono.ttf")
PROPORTIONAL = (
    "LiberationSerif-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "cmunrm.ttf",
    "DejaVuSerif.ttf",
)

MISREAD = 0.35  # errors per character above which a page counts as misread and is left out
CAUTION = 400  # weight of the prior from a character's class, in characters
LONGEST = 3  # characters of the longest insertion
PAPERS = 5  # scans are slow to clean, and alike
SHARE = 0.35
SHAPES = """
0 O 60  0 o 4  O 0 30  1 l 60  1 I 15  l 1 12  l I 4  I l 40  I 1 12  i l 2  i 1 1  5 S 20  S 5 8
8 B 12  B 8 8  6 b 6  2 Z 6  Z 2 6  9 g 4  g 9 1  7 ? 2  m rn 30  rn m 12  w vv 5  vv w 5  d cl 4
cl d 20  h li 3  li h 4  H ll 2  ri n 4  n ri 1  nn rm 3  e c 4  c e 6  o c 1  u n 2  n u 2  a o 2
t f 2  f t 3  h b 3  b h 3  v y 2  y v 2  fi fl 2  tt ft 3  , . 12  . , 10  : ; 6  ; : 10  - ~ 4
' ` 8  " '' 8  ( C 2  / l 8  & 8 6  $ S 10  E F 2  F P 2  D O 2  G C 3  C G 2  Q O 6  U V 1
"""
"""Triples: the true text, the text that is read, and a relative frequency in thousandths."""
SPLIT = 3  # rate, on the same scale, of a blank read between two letters of a word

_QUOTES = str.maketrans("‘’“”", "''\"\"")  # which of them is read depends on the OCR engine

Pixels = NDArray[np.float32]
Where = str  # edge, blank or inner


@dataclass(frozen=True)
class Page:
    """Hold a page and its text.

    Attributes:
        image: As scanned.
        lines: Its lines of text, without indent, with one blank for each gap.
        baselines: Baselines of the lines, in pixels, before the page was rotated.
        upright: The 2 by 3 matrix that rotates a point of the image back.
    """

    image: Image.Image
    lines: list[str]
    baselines: list[float]
    upright: NDArray[Any]


@dataclass
class Counts:
    """Count errors on all pages that were read.

    Attributes:
        seen: Characters and pairs in the true text.
        read_as: Their substitutions: the text read in their place.
        put_in: Insertions: text read where the true text has none.
        rates: Errors per character, page by page.
        lines: For each line: its characters, its errors, and its page's rate.
        lost: Lines from which nothing was read.
        misread: Pages left out.
    """

    seen: Counter[str] = field(default_factory=Counter)
    read_as: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    put_in: dict[Where, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    rates: list[float] = field(default_factory=list)
    lines: list[tuple[int, int, float]] = field(default_factory=list)
    lost: int = 0
    misread: int = 0


def typeset(text: str, width: int) -> list[tuple[int, str]]:
    r"""Return the lines of *text* with indents, wrapped at *width*; wide gaps are closed.

    >>> typeset("  Name:   Ann Lee\n\nborn 1947", 10)
    [(2, 'Name: Ann'), (0, 'Lee'), (0, ''), (0, 'born 1947')]
    """
    lines = []
    for line in text.split("\n"):
        indent, row = min(len(line) - len(line.lstrip()), 8), ""
        for word in line.split():
            if row and len(row) + 1 + len(word) > width:
                lines.append((indent, row))
                indent, row = 0, word
            else:
                row = f"{row} {word}" if row else word
        lines.append((indent, row))
    return lines


def scanned(
    text: str, face: Path | None, typed: bool, papers: Sequence[NDArray[Any]], random: Random
) -> Page:
    """Render *text* as a scanned page.

    Args:
        text: The text; it is cut where the page is full.
        face: The typeface; None for Pillow's default.
        typed: Whether it is typewritten, so that each character is slightly displaced.
        papers: Empty pages at 200 dots per inch; white paper if empty.
        random: Source of all other random choices.
    """
    noise = np.random.default_rng(random.getrandbits(64))
    dpi = random.choice((100, 120, 150, 150, 200, 200, 200))
    large = 3  # scale of the drawing relative to the page
    size = random.uniform(9.5, 12.5) * dpi / 72
    pen: Any = (
        ImageFont.truetype(face, size * large) if face else ImageFont.load_default(size * large)
    )
    spacing = size * random.uniform(1.1, 1.7)
    rows = typeset(text, random.randint(52, 84))[:36]
    margin = round(0.5 * dpi)
    across = max(pen.getlength(" " * indent + row) for indent, row in rows) / large
    width, height = round(across) + 2 * margin, round(spacing * len(rows)) + 2 * margin

    canvas = Image.new("L", (width * large, height * large))
    draw = ImageDraw.Draw(canvas)
    lines, baselines = [], []
    for number, (indent, row) in enumerate(rows):
        if not row:
            continue
        baseline = margin + spacing * number + size
        lines.append(row)
        baselines.append(baseline)
        left = margin * large + pen.getlength(" " * indent)
        if not typed:
            draw.text((left, baseline * large), row, fill=255, font=pen, anchor="ls")
            continue
        for index, char in enumerate(row):
            x = left + pen.getlength(row[:index]) + random.gauss(0, 0.02 * size * large)
            y = baseline * large + random.gauss(0, 0.02 * size * large)
            strength = 255 - round(min(120, abs(random.gauss(0, 35))))
            draw.text((x, y), char, fill=strength, font=pen, anchor="ls")

    angle = random.gauss(0, 0.6)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    small = np.asarray(canvas.resize((width, height), Image.Resampling.BOX), np.float32) / 255
    seen = cv2.warpAffine(small, turn, (width, height), flags=cv2.INTER_CUBIC)
    ink = _inked(np.asarray(seen, np.float32), random, noise)
    page = np.minimum(_paper(papers, (width, height), dpi, random), 255 * (1 - ink))
    page = _specked(page, random, noise)
    if dpi >= 150 and random.random() < 0.7:  # bilevel, as most archives are
        page = np.where(page < random.uniform(105, 150), 0, 255).astype(np.float32)
    image = Image.fromarray(np.clip(page, 0, 255).astype(np.uint8))
    return Page(image, lines, baselines, cv2.invertAffineTransform(turn))


def page_of(
    text: str,
    typewriters: Sequence[Path],
    presses: Sequence[Path],
    papers: Sequence[NDArray[Any]],
    random: Random,
) -> Page:
    """Render *text* as a scanned page in one of the faces; three pages in five are typewritten."""
    typed = random.random() < 0.6
    faces: list[Path | None] = [*(typewriters if typed else presses)]
    return scanned(text, random.choice(faces or [None]), typed, papers, random)


def _inked(seen: Pixels, random: Random, noise: np.random.Generator) -> Pixels:
    """Return the amount of ink per pixel: blurred, thickened or thinned, with gaps."""
    blurred = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.4, 0.85))
    weight = random.choice((random.uniform(0.34, 0.44), random.uniform(0.26, 0.52)))
    drift = _grain(seen.shape, 40, noise) * random.uniform(0, 0.06)
    gaps = np.clip(_grain(seen.shape, 1.4, noise) - 0.4, 0, None) * random.choice((0, 0.04, 0.1))
    level = weight + random.uniform(0.03, 0.12) * _grain(seen.shape, 1.0, noise) + drift + gaps
    contrast = random.uniform(2.0, 4.0)
    return np.asarray(np.clip((blurred - level) * contrast + 0.5, 0, 1), np.float32)


def _grain(shape: tuple[int, ...], sigma: float, noise: np.random.Generator) -> Pixels:
    """Draw noise of mean 0 and standard deviation 1 with grains of *sigma* pixels."""
    grain = cv2.GaussianBlur(noise.standard_normal(shape, np.float32), (0, 0), sigma)
    return np.asarray((grain - grain.mean()) / grain.std(), np.float32)


def _paper(
    papers: Sequence[NDArray[Any]], size: tuple[int, int], dpi: int, random: Random
) -> Pixels:
    """Crop a piece of *size* (width, height) from one of *papers*, scaled to *dpi*."""
    if not papers:
        return np.full(size[::-1], 255, np.float32)
    paper = random.choice(papers)
    inner = paper[150:-150, 150:-150]  # the edges are black
    scaled = cv2.resize(inner, None, fx=dpi / 200, fy=dpi / 200, interpolation=cv2.INTER_AREA)
    down, across = max(0, size[1] - scaled.shape[0]), max(0, size[0] - scaled.shape[1])
    whole = cv2.copyMakeBorder(scaled, 0, down, 0, across, cv2.BORDER_REFLECT_101)
    top = random.randint(0, whole.shape[0] - size[1])
    left = random.randint(0, whole.shape[1] - size[0])
    return whole[top : top + size[1], left : left + size[0]].astype(np.float32)


def _specked(page: Pixels, random: Random, noise: np.random.Generator) -> Pixels:
    """Add black and white specks of one to three pixels to *page*."""
    for shade, most in ((0.0, 0.0006), (255.0, 0.0010)):
        count = int(page.size * most * random.random() ** 3)
        ys, xs = (noise.integers(0, side - 3, count) for side in page.shape)
        for y, x, side in zip(ys, xs, noise.choice((1, 1, 2, 2, 3), count), strict=True):
            page[y : y + side, x : x + side] = shade
    return page


def read_lines(page: Page, words: Iterable[Word]) -> list[str]:
    """Return the text read from each line of *page*, or ""; words between lines are left out."""
    found: list[list[tuple[float, str]]] = [[] for _ in page.lines]
    above = [b - a for a, b in pairwise(page.baselines)]
    spacing = min(above, default=30.0)
    for word in words:
        box = word.box
        x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        upright = page.upright @ np.array([x, y, 1.0])
        middle = upright[1] + 0.2 * spacing
        nearest = min(range(len(found)), key=lambda at: abs(page.baselines[at] - middle))
        if abs(page.baselines[nearest] - middle) < 0.55 * spacing:
            found[nearest].append((upright[0], word.text))
    return [" ".join(text for _, text in sorted(row)) for row in found]


def differences(truth: str, read: str) -> Iterator[tuple[int, str, str]]:
    """Yield differences of *read* from *truth*: offset in *truth*, true text, text read.

    >>> list(differences("barn 10 x", "bam lO x."))
    [(2, 'rn', 'm'), (5, '10', 'lO'), (9, '', '.')]
    """
    costs = [list(range(0, 2 * len(read) + 1, 2))]
    for row, a in enumerate(truth, 1):
        above, here = costs[-1], [2 * row]
        for column, b in enumerate(read, 1):
            here.append(min(above[column - 1] + _cost(a, b), above[column] + 2, here[-1] + 2))
        costs.append(here)
    steps = []
    row, column = len(truth), len(read)
    while row or column:
        cost = costs[row][column]
        if (
            row
            and column
            and cost == costs[row - 1][column - 1] + _cost(truth[row - 1], read[column - 1])
        ):
            row, column = row - 1, column - 1
            steps.append((row, truth[row], read[column]))
        elif row and cost == costs[row - 1][column] + 2:
            row -= 1
            steps.append((row, truth[row], ""))
        else:
            column -= 1
            steps.append((row, "", read[column]))
    start, stood, was_read = 0, "", ""
    for at, a, b in [*reversed(steps), (len(truth), "", "")]:
        if a != b:
            if not stood and not was_read:
                start = at
            stood, was_read = stood + a, was_read + b
        elif stood or was_read:
            yield start, stood, was_read
            stood, was_read = "", ""


def _cost(a: str, b: str) -> int:
    """Return the cost of reading *a* as *b*; a blank is dropped or inserted, not substituted."""
    return 0 if a == b else 4 if a == " " or b == " " else 1 if a.lower() == b.lower() else 2


def pieces(stood: str, was_read: str) -> Iterator[tuple[str, str]]:
    """Split *stood* (true text) and *was_read* into pairs with at most two true characters each.

    >>> list(pieces("10", "lO")), list(pieces("m", "rn")), list(pieces("abc", "x"))
    ([('1', 'l'), ('0', 'O')], [('m', 'rn')], [('a', 'x'), ('b', ''), ('c', '')])
    """
    if len(stood) in (1, 2) and len(was_read) in (1, 2) and len(stood) != len(was_read):
        yield stood, was_read
        return
    for at in range(max(len(stood), len(was_read))):
        yield stood[at : at + 1], was_read[at : at + 1]


def count(counts: Counts, page: Page, read: Sequence[str]) -> None:
    """Add the differences between *page* and the *read* lines to *counts*."""
    lines = [
        (line.translate(_QUOTES), was_read.translate(_QUOTES))
        for line, was_read in zip(page.lines, read, strict=True)
    ]
    found = [list(differences(*line)) if line[1] else [] for line in lines]
    errors = [sum(max(len(a), len(b)) for _, a, b in differing) for differing in found]
    length = sum(len(line) for line, was_read in lines if was_read)
    if not length or sum(errors) / length > MISREAD or 2 * read.count("") > len(read):
        counts.misread += 1
        return
    rate = sum(errors) / length
    counts.rates.append(rate)
    for (line, was_read), differing, wrong in zip(lines, found, errors, strict=True):
        if not was_read:
            counts.lost += 1
            counts.lines.append((0, 0, rate))
            continue
        counts.lines.append((len(line), wrong, rate))
        counts.seen.update(line)
        counts.seen.update(a + b for a, b in pairwise(line))
        for at, stood, new in differing:
            if not stood:
                beside = line[max(at - 1, 0) : at + 1]
                where = "edge" if at in (0, len(line)) else "blank" if " " in beside else "inner"
                if len(new) <= LONGEST:
                    counts.put_in[where][new] += 1
                continue
            for piece, reading in pieces(stood, new):
                if piece:
                    counts.read_as[piece][reading] += 1


def kind(piece: str) -> str:
    """Return the class of *piece*: pair, blank, digit, lower, upper, accented or mark."""
    if len(piece) > 1:
        return "pair"
    if not piece.isascii() and piece.isalpha():
        return "accented"
    if piece.isalpha():
        return "lower" if piece.islower() else "upper"
    return "blank" if piece == " " else "digit" if piece.isdigit() else "mark"


def readings(counts: Counts) -> dict[str, dict[str, float]]:
    """Return the readings of each character and pair, with their probabilities.

    For a rare character, the rates of misreading and of loss are those of its class; if it is not
    lost, it is read without its accent or in the other case.
    """
    seen: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for piece, times in counts.seen.items():
        found = counts.read_as.get(piece, Counter())
        seen[kind(piece)] += times
        wrong[kind(piece)] += sum(found.values())
        lost[kind(piece)] += found[""]
    result: dict[str, dict[str, float]] = {}
    for piece, times in sorted(counts.seen.items()):
        found, of = counts.read_as.get(piece, Counter()), kind(piece)
        if of == "pair":
            often = {new: n / times for new, n in found.items() if n > 1 and times > 9}
            if often:
                result[piece] = often
            continue
        other = unicodedata.normalize("NFKD", piece)[0]
        other = piece.swapcase() if other == piece else other
        expected: defaultdict[str, float] = defaultdict(float, {"": CAUTION * lost[of] / seen[of]})
        if other != piece and len(other) == 1:
            expected[other] = CAUTION * (wrong[of] - lost[of]) / seen[of] / 4
        direct = {new: n for new, n in found.items() if n > 1 or len(new) == 1}
        result[piece] = {
            new: (direct.get(new, 0) + expected[new]) / (times + CAUTION)
            for new in sorted({*direct, *expected})
        }
    return result


def mixed(
    counts: Counts, typical: float, read_as: dict[str, dict[str, float]]
) -> tuple[dict[str, dict[str, float]], dict[Where, dict[str, float]]]:
    """Mix counted errors with a share of `SHARE` from `SHAPES`, at the *typical* rate overall."""
    total = sum(n for piece, n in counts.seen.items() if len(piece) == 1)
    blanks, lines = counts.seen[" "], sum(1 for length, _, _ in counts.lines if length)
    places = {"edge": lines, "blank": blanks, "inner": total - 2 * blanks}
    put_in = {
        where: {new: n / times for new, n in counts.put_in[where].items() if n > 1}
        for where, times in places.items()
    }
    shapes: dict[str, dict[str, float]] = defaultdict(dict)
    for stood, new, often in re.findall(r"(\S+) (\S+) (\d+)", SHAPES):
        shapes[stood][new] = int(often) / 1000
    split = SPLIT / 1000

    def weigh(table: dict[str, dict[str, float]]) -> float:
        return sum(
            counts.seen[piece] * p * max(len(piece), len(new))
            for piece, what in table.items()
            for new, p in what.items()
        )

    counted = weigh(read_as) + sum(
        places[where] * p * len(new) for where, what in put_in.items() for new, p in what.items()
    )
    of_shape = weigh(shapes) + split * places["inner"]
    ours, theirs = (1 - SHARE) * typical * total / counted, SHARE * typical * total / of_shape
    result: dict[str, dict[str, float]] = {}
    for piece in sorted({*read_as, *shapes}):
        what = Counter({new: p * ours for new, p in read_as.get(piece, {}).items()})
        what.update({new: p * theirs for new, p in shapes.get(piece, {}).items()})  # adds
        result[piece] = dict(what)
    put_in = {where: {new: p * ours for new, p in what.items()} for where, what in put_in.items()}
    put_in["inner"][" "] = put_in["inner"].get(" ", 0.0) + split * theirs
    return result, put_in


def unevenness(lines: Iterable[tuple[int, int, float]]) -> float:
    """Return the variance of the lines' rates relative to their page's, beyond Poisson noise."""
    expected = [(wrong, length * rate) for length, wrong, rate in lines if length * rate > 0]
    over = sum((wrong - mean) ** 2 - mean for wrong, mean in expected)
    return max(0.05, over / sum(mean**2 for _, mean in expected))


def fitted(counts: Counts) -> dict[str, Any]:
    """Return the data that `noise.Noise` loads, without its head."""
    total = sum(length for length, _, _ in counts.lines)
    typical = sum(wrong for _, wrong, _ in counts.lines) / total
    read_as, put_in = mixed(counts, typical, readings(counts))
    accented = [piece for piece in counts.seen if kind(piece) == "accented"]
    lost_accents = sum(sum(counts.read_as.get(piece, Counter()).values()) for piece in accented)
    return {
        "lost_lines": _short(counts.lost / len(counts.lines)),
        "pages": [_short(float(q)) for q in np.quantile(counts.rates, np.linspace(0, 1, 21))],
        "put_in": {where: _table(what) for where, what in put_in.items()},
        "read_as": {piece: _table(what) for piece, what in read_as.items()},
        "typical": _short(typical),
        "uneven": _short(unevenness(counts.lines)),
        "unseen": _short((lost_accents + 1) / (sum(map(counts.seen.__getitem__, accented)) + 10)),
    }


def about(counts: Counts, pages: int, seed: int, papers: int) -> dict[str, Any]:
    """Return the head of the file: method, versions and counts."""
    wrong = {a: what for a, what in counts.read_as.items() if len(a) == 1}
    case = [n for a, what in wrong.items() for b, n in what.items() if a.lower() == b.lower()]
    put_in = {where: sum(what.values()) for where, what in counts.put_in.items()}
    version = subprocess.run(
        [pytesseract.tesseract_cmd, "--version"], capture_output=True, text=True, check=True
    )
    errors = sum(sum(what.values()) for what in counts.read_as.values())
    blanks = sum(counts.read_as[" "].values())
    return {
        "command": f"python -m training.fit_noise --pages {pages} --seed {seed}",
        "date": date.today().isoformat(),
        "engine": (version.stdout or version.stderr).split("\n")[0],
        "pages": len(counts.rates),
        "pages misread and left out": counts.misread,
        "scans used as paper": papers,
        "characters": sum(length for length, _, _ in counts.lines),
        "lines": len(counts.lines),
        "lines lost": counts.lost,
        "characters and pairs misread": errors,
        "of these, case only": sum(case),
        "of these, lost characters": sum(what[""] for what in wrong.values()) - blanks,
        "of these, lost blanks": blanks,
        "blanks put in": counts.put_in["inner"][" "],
        "specks put in": sum(put_in.values()) - counts.put_in["inner"][" "],
        "share of errors from a list of confusions of shape, not counted": SHARE,
    }


def _short(value: float) -> float:
    """Round *value* to four significant digits."""
    return float(f"{value:.4g}")


def _table(what: dict[str, float]) -> dict[str, float]:
    return {new: _short(p) for new, p in sorted(what.items()) if p > 0}


def _demo_page() -> ModuleType:
    """Import ``examples/personnel_page.py``, which erases the writing from a scan."""
    spec = spec_from_file_location("personnel_page", ROOT / "examples" / "personnel_page.py")
    assert spec and spec.loader
    module = sys.modules["personnel_page"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bare_papers(scans: Path, random: Random) -> list[NDArray[Any]]:
    """Return some of *scans* with the writing erased; an empty list if there is no folder."""
    files = sorted(scans.glob("*.png"))
    if not files:
        click.echo(f"no scans in {scans.name}/: all paper will be white", err=True)
        return []
    bare, noise = _demo_page().bare, np.random.default_rng(random.getrandbits(64))
    papers = []
    for file in random.sample(files, min(PAPERS, len(files))):
        with Image.open(file) as scan:
            papers.append(bare(np.array(scan.convert("L")), noise))
    return papers


def installed(names: Sequence[str]) -> list[Path]:
    """Return the files of the typefaces *names* that are installed."""
    found = {file.name: file for file in sorted(FONTS.rglob("*.[ot]tf"))}
    if missing := [name for name in names if name not in found]:
        click.echo(f"without the faces {', '.join(missing)}", err=True)
    return [found[name] for name in names if name in found]


@click.command()
@click.option(
    "--pages", default=100, show_default=True, help="Number of documents to set and read."
)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--scans",
    type=click.Path(file_okay=False, path_type=Path),
    default=SCANS,
    help="Scanned pages, 200 dpi, to take the paper from.  [default: ../shared/data/scans]",
)
@click.option("--show", type=click.Path(path_type=Path), help="Folder to write the pages to.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=FILE)
def main(pages: int, seed: int, scans: Path, show: Path | None, out: Path) -> None:
    """Set documents of the corpus as pages, read them, and count the errors."""
    random = Random(seed)
    papers = bare_papers(scans, random)
    typewriters, presses = installed(MONOSPACED), installed(PROPORTIONAL)
    short = [document for document in documents() if 350 <= len(document.text) <= 1000]
    counts = Counts()
    for document in random.sample(short, pages):
        page = page_of(document.text, typewriters, presses, papers, random)
        try:
            words = read_words(page.image, name=document.id)
        except UnreadableInput:
            counts.misread += 1
            continue
        before = len(counts.rates)
        count(counts, page, read_lines(page, words))
        if show:
            show.mkdir(parents=True, exist_ok=True)
            rate = f"{counts.rates[-1]:.3f}" if len(counts.rates) > before else "misread"
            page.image.save(show / f"{rate}-{document.id.replace('/', '-')}.png")
    if not counts.rates:
        raise click.ClickException("no page could be read: look at some with --show")
    noise = {"about": about(counts, pages, seed, len(papers)), **fitted(counts)}
    out.write_text(dumps(noise, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    click.echo(f"{len(counts.rates)} pages, {noise['typical']:.4f} errors a character", err=True)


if __name__ == "__main__":
    main()
