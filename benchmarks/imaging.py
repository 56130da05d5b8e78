"""Measure redacted page images: readability, detectability, similarity to the original, speed.

    python -m benchmarks.imaging --pages 12 --sheet sheet.png --format markdown

The pages are real scans (``--scans``), pages that `imaging_pages.py` draws at 91, 150, 200 and 300
dpi, in the package's faces and in others, and forms that `imaging_forms.py` draws and fills in by
five writers; ``--pages`` of each kind. ``--kind`` measures some kinds alone, without the vote of
pages. On forms the private entries are replaced, elsewhere up to 14 words, spread over the page,
that OCR reads at a confidence above 88 and that have four letters or digits. Their surrogates have
the same shape: a vowel for a vowel, a consonant for a consonant, a digit for a digit, drawn from
the page's own letters. The methods:

* ``surrogate``, ``paper``, ``telea``, ``navier-stokes``, ``white``, ``black``: the package's.
* ``one face``: black DejaVu Sans on a white box.
* ``paper-like``: after Larson et al., EMNLP 2024: the box is inpainted, the text is set in one of
  three faces, and Augraphy's noise is added if Augraphy is installed.
* ``printed again``: the synthetic page, rendered again with the surrogates in it: an upper bound.
  Not for scans.

The columns, one method a row:

* **words**: words to replace. **painted**: the share of them that was painted; the others are only
  erased.
* **seen**: originals that `verify.still_readable` finds on the redacted page. **readable**:
  originals that remain readable after `redaction.treat` has erased these with a larger box, or that
  OCR of the whole page reads in their place before that.
* **exact**: the share of painted words that OCR of the whole page reads exactly: words whose middle
  lies in the painted box, joined. On forms, of those whose originals it read exactly.
  **alike**: the same, ignoring case and punctuation.
* **AUC**: how well a random forest of 500 trees distinguishes painted words' patches from patches
  of as many other words of the same original pages, of the most similar length, height and kind of
  characters. Probabilities are from ten folds, grouped by page. .5 means not at all.
  The 57 features are listed in `imaging_patches.py`.
* **Fréchet**: the distance between the two sets of patches, with features standardised by the real
  patches. The distance grows as the number of patches falls; with more than 196 patches it is the
  mean over draws of 196.
* **outside**: changed pixels outside all of the report's boxes, enlarged by .15 of their height.
* **SSIM**: mean SSIM of the page with the original.
* **time**: processor seconds, Tesseract's among them, for the page's first ten values, without
  OCR, divided by OCR's seconds; median of all pages but the first, on one thread.
  **looking**: the same for the second look for all values.

The row **real** is the lower bound: the words to be replaced, unchanged, against the other words.

* **Self-reconstruction**: a word is erased, and its own text is painted in the style of its nearest
  neighbour in the line. Words to be replaced do not vote on the style; only the start of the pen is
  measured on the erased word. Medians of SSIM and NCC of the padded word box with the original.
* **Face family by page vote**: pages in 15 faces; a page's family is that of most of 20 words'
  styles. In brackets, how often the face itself won.
* **each kind of page alone**: the AUC within scans, within pages of 91 dpi and so on, by the same
  forests, and the mean of these. The AUC over all pages together is lower if the forests are more
  certain on some pages than on others.
* **Page similarity kept**: the share of pages whose similarity to the original is larger with
  surrogates than with white boxes. By SSIM, where white boxes lose on grey paper in any case, so
  that a comparison with erasing to paper is also given; by the cosine of CLIP's embeddings with
  ``--clip``; and how many pages keep the label of a document classifier (DiT) with
  ``--classifier``. Both need a local model folder, and ``pip install torch transformers``.

``--show`` lists painted words that were not read exactly, and words that were not painted, with
their text: do not use it on confidential pages.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median

import click
import cv2
import numpy as np
from PIL import Image

from benchmarks import imaging_form_marks
from benchmarks.imaging_form_marks import FormMarks
from benchmarks.imaging_forms import DPIS as FORM_DPIS
from benchmarks.imaging_forms import Entry, Form, drawable, form
from benchmarks.imaging_models import Models, models_at
from benchmarks.imaging_pages import DPIS, Sheet, fonts, lines_of, spread, synthetic
from benchmarks.imaging_painters import (
    METHODS,
    OURS,
    PRINTED,
    Found,
    Outcome,
    Sample,
    Shuffles,
    middle_in,
    outcome,
    spent,
)
from benchmarks.imaging_patches import (
    Grey,
    Rows,
    auc,
    discriminator_scores,
    features,
    frechet,
    patch_of,
)
from benchmarks.imaging_styles import reconstructed, votes
from benchmarks.quality import (
    cell,
    header,
    installed,
    print_facts,
    print_markdown,
    print_table,
    ratio,
)
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.imaging.page.similarity import ssim
from presidio_cdip.imaging.reading.boxes import PageFinding, line_boxes
from presidio_cdip.imaging.reading.layout import LayoutText, layout_text
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.imaging.redaction import SURROGATE, PageFindings
from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.words import Box, Word

SCANS = Path(__file__).parents[2] / "shared" / "data" / "scans"
WORDS, SURE, SHORTEST = 14, 88.0, 4
ALLOWANCE = 0.15
VOTED_DPIS = (91, 200)
CROPS = 30
ACROSS, GAP, LEVELS = 1000, 6, 8  # the contact sheet's size in pixels, and its grey levels
PAPER = "paper"
TELL = "discriminator: not measured; pip install scikit-learn, which is in the group training"


# --- pages --------------------------------------------------------------------------------------


def sample_of(
    name: str, kind: str, image: Image.Image, sheet: Sheet | None = None, drawn: Sequence[str] = ()
) -> Sample | None:
    """Read a page and choose the words to replace; None if OCR cannot read it.

    Args:
        name: For the report.
        kind: Of page.
        image: Its pixels.
        sheet: The sheet from which it was drawn.
        drawn: The text on it; a word that OCR misread is not replaced. Empty if not known.
    """
    read = layout_of(image, name)
    if read is None:
        return None
    layout, seconds = read
    findings = []
    for number in chosen(layout.words, drawn):
        begin, end = core(layout, number)
        boxes = line_boxes(layout, begin, end, image.size)
        findings.append(PageFinding(Found("ID", begin, end), boxes))
    found = PageFindings(name, 0, tuple(findings), layout)
    return Sample(name, kind, image, found, seconds, sheet)


def layout_of(image: Image.Image, name: str) -> tuple[LayoutText, float] | None:
    """Read a page, and return its text and the seconds it took; None if OCR cannot read it."""
    start = spent()
    try:
        layout = layout_text(read_words(image, name=name))
    except UnreadableInput:
        return None
    return layout, spent() - start


def form_sample(name: str, form: Form) -> Sample | None:
    """Read a form; its private lines are to be replaced, and compared with its other entries."""
    read = layout_of(form.image, name)
    if read is None:
        return None
    layout, seconds = read
    findings = []
    for entry in form.entries:
        if entry.private and (numbers := words_of(entry, layout)):
            begin, end = layout.spans[numbers[0]][0], layout.spans[numbers[-1]][1]
            boxes = line_boxes(layout, begin, end, form.image.size)
            findings.append(PageFinding(Found(str(entry.field), begin, end), boxes))
    findings.sort(key=lambda finding: finding.result.start)
    others = [words_of(entry, layout) for entry in form.entries if not entry.private]
    found = PageFindings(name, 0, tuple(findings), layout)
    real = tuple(number for numbers in others for number in numbers)
    return Sample(name, f"form, {form.writer}", form.image, found, seconds, form=form, real=real)


def words_of(entry: Entry, layout: LayoutText) -> list[int]:
    """Return the words that OCR read in the place of *entry*, those of its main line."""
    places = [token.box for token in entry.tokens]
    found = [number for number, word in enumerate(layout.words) if middle_in(word.box, *places)]
    if not found:
        return []
    line = Counter(layout.lines[number] for number in found).most_common(1)[0][0]
    return [number for number in found if layout.lines[number] == line]


def chosen(words: Sequence[Word], drawn: Sequence[str] = ()) -> list[int]:
    """Choose the words to replace: read with confidence, long enough, at most every second."""
    known = frozenset(drawn)
    usable = [
        number
        for number, word in enumerate(words)
        if word.conf > SURE
        and sum(map(str.isalnum, word.text)) >= SHORTEST
        and word.text.isascii()
        and (not known or word.text in known)
    ]
    return [usable[place] for place in spread(len(usable), min(WORDS, len(usable) // 2))]


def core(layout: LayoutText, number: int) -> tuple[int, int]:
    """Return the span of a word without the punctuation around it."""
    start, end = layout.spans[number]
    inner = [at for at in range(start, end) if layout.text[at].isalnum()]
    return inner[0], inner[-1] + 1


def samples(pages: int, scans: Path, seed: int, kind: str = "") -> Iterator[Sample]:
    """Return all pages, *pages* of each kind; those of kinds that start with *kind*."""
    files = sorted(scans.glob("*.png")) if scans.is_dir() and "scan".startswith(kind) else []
    for number in spread(len(files), pages):
        image = Image.open(files[number]).convert("L")
        if made := sample_of(files[number].stem, "scan", image):
            yield made
    shown = fonts(faces())
    for place, dpi in enumerate(DPIS):
        for page in range(pages if f"{dpi} dpi".startswith(kind) else 0):
            number = place * pages + page
            sheet = Sheet(lines_of(number), shown[number % len(shown)], dpi, 1000 * seed + number)
            image, tokens = synthetic(sheet)
            drawn = [token.text for token in tokens]
            name = f"{dpi} dpi, page {page}, {sheet.font.stem}"
            if made := sample_of(name, f"{dpi} dpi", image, sheet, drawn):
                yield made
    for writer in drawable():
        for page in range(pages if f"form, {writer}".startswith(kind) else 0):
            dpi = FORM_DPIS[page % len(FORM_DPIS)]
            drawn_form = form(100 * seed + page, writer, dpi, stamped=page % 4 == 3)
            name = f"{writer}, {dpi} dpi, page {page}, {drawn_form.hand.file.stem}"
            if made := form_sample(name, drawn_form):
                yield made


# --- results of one method ----------------------------------------------------------------------


@dataclass(slots=True)
class Marks:
    """Hold the counts of one method; lists have one entry per page unless stated otherwise.

    Attributes:
        made: Features of painted patches, one row per word.
        real: Features of the real words that they were compared with, one row per word.
        groups: The page of both.
    """

    words: int = 0
    painted: int = 0
    seen: int = 0
    readable: int = 0
    read: int = 0
    exact: int = 0
    alike: int = 0
    outside: int = 0
    times: list[float] = field(default_factory=list)
    looking: list[float] = field(default_factory=list)
    ssim: list[float] = field(default_factory=list)
    clip: list[float] = field(default_factory=list)
    label: list[bool] = field(default_factory=list)
    made: list[Rows] = field(default_factory=list)
    real: list[Rows] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Compared:
    """Hold the real words of a page's comparison.

    Attributes:
        unit: The median height of the page's words.
        originals: For each finding, the features of its words; None for one without ink.
        others: Features of the words that they are compared with.
    """

    unit: float
    originals: tuple[tuple[Rows | None, ...], ...]
    others: tuple[tuple[Rows | None, ...], ...]


def compared(sample: Sample) -> Compared:
    """Return the words to be replaced, and similar other words of the page."""
    words = sample.words
    pixels = np.asarray(sample.image)
    unit = float(median(word.box.height for word in words))
    groups = [
        [number for part in finding.parts for number in part.words]
        for finding in sample.found.findings
    ]
    replaced = [number for group in groups for number in group]
    partners = dict(zip(replaced, matched(words, replaced, sample.real), strict=True))
    seen = {
        number: row_of(pixels, words[number].box, unit)
        for number in {*replaced, *partners.values()}
    }
    return Compared(
        unit,
        tuple(tuple(seen[number] for number in group) for group in groups),
        tuple(tuple(seen[partners[number]] for number in group) for group in groups),
    )


def row_of(pixels: Grey, box: Box, unit: float) -> Rows | None:
    """Return the features of the word in *box*."""
    found = patch_of(pixels, box)
    return None if found is None else features(found[0], unit)


def matched(
    words: Sequence[Word], replaced: Sequence[int], real: Sequence[int] | None = None
) -> list[int]:
    """Return another word for each replaced one, of the same kind, length and height if possible.

    Each word is used once as long as there are enough words.

    Args:
        words: The words of a page.
        replaced: The numbers of those to be replaced.
        real: The numbers to choose from; None for all that are long and were read with confidence.
    """
    free = list(real or ()) or [
        number
        for number, word in enumerate(words)
        if number not in replaced and word.conf > SURE and len(word.text) > 2
    ]
    free = free or [number for number in range(len(words)) if number not in replaced]
    left = list(free)
    partners = []
    for number in replaced:
        left = left or list(free)
        word = words[number]
        best = min(left, key=lambda other: unlike(word, words[other]))
        left.remove(best)
        partners.append(best)
    return partners


def unlike(one: Word, other: Word) -> float:
    """Return the dissimilarity of two words: by digits and capitals, length, and height."""
    kinds = (str.isdigit, str.isupper)
    shares = [abs(mean(map(kind, one.text)) - mean(map(kind, other.text))) for kind in kinds]
    heights = abs(one.box.height - other.box.height) / max(one.box.height, 1)
    return 4 * sum(shares) + abs(len(one.text) - len(other.text)) + 4 * heights


def count(marks: Marks, sample: Sample, done: Outcome, real: Compared, models: Models) -> list[str]:
    """Add one page to *marks*, and return its lines for `--show`."""
    pixels, before = np.asarray(done.image), np.asarray(sample.image)
    listed = []
    marks.words += len(done.findings)
    marks.seen += done.seen
    marks.readable += done.left
    numbers = {id(finding.result): at for at, finding in enumerate(sample.found.findings)}
    for finding, report in zip(done.findings, done.treated, strict=True):
        original = "".join(part.text for part in finding.parts)
        marks.readable += plain(original) in {
            plain(word.text) for word in done.words if middle_in(word.box, *finding.boxes)
        }
        if report.method != SURROGATE:
            listed += [f"{sample.name}: {original!r}: {report.reason}"] if report.reason else []
            continue
        inside = [word for word in done.words if middle_in(word.box, *report.boxes)]
        inside.sort(key=lambda word: word.box.left)
        read = "".join(word.text for word in inside)
        text = "".join(part.instead for part in finding.parts).replace(" ", "")
        marks.painted += 1
        if original_was_read(sample, finding):
            marks.read += 1
            marks.exact += read == text
            marks.alike += plain(read) == plain(text)
        if read != text:
            face = f"{report.face} {report.fit:.2f}"
            listed.append(f"{sample.name}: {original!r} as {text!r} ({face}) reads {read!r}")
        number = numbers[id(finding.result)]
        others = real.others[number]
        places = [word.box for word in inside]
        if len(others) == 1 or not places:
            places = [Box.around(places or report.boxes)]
        for place, other in zip(places, others, strict=False):
            add_pair(marks, sample, row_of(pixels, place, real.unit), other)
    allowed = [grown(box) for report in done.treated for box in report.boxes]
    marks.outside += outside(before, pixels, allowed)
    marks.times.append(done.seconds / sample.seconds)
    marks.looking.append(done.looking / sample.seconds)
    marks.ssim.append(ssim(before, pixels))
    if models.clip:
        marks.clip.append(models.clip(sample.image, done.image))
    if models.label:
        marks.label.append(models.label(sample.image) == models.label(done.image))
    return listed


def original_was_read(sample: Sample, finding: PageFinding) -> bool:
    """Check whether OCR read what was drawn; words of other pages are chosen such that it did."""
    if sample.form is None:
        return True
    texts = {"".join(token.text for token in entry.tokens) for entry in sample.form.entries}
    return "".join(part.text for part in finding.parts).replace(" ", "") in texts


def add_pair(marks: Marks, sample: Sample, made: Rows | None, real: Rows | None) -> None:
    """Keep two patches for comparison, if both hold ink."""
    if made is not None and real is not None:
        marks.made.append(made)
        marks.real.append(real)
        marks.groups.append(sample.name)
        marks.kinds.append(sample.kind)


def plain(text: str) -> str:
    """Return *text* without case and punctuation."""
    return "".join(filter(str.isalnum, text.casefold()))


def grown(box: Box) -> Box:
    """Return *box* enlarged by the allowance."""
    more = round(ALLOWANCE * box.height)
    return box.grown(more, more)


def outside(before: Grey, after: Grey, allowed: Sequence[Box]) -> int:
    """Count changed pixels outside of all boxes *allowed*."""
    changed = before != after
    for box in allowed:
        left, top, right, bottom = box.clipped(before.shape[::-1])
        changed[top:bottom, left:right] = False
    return int(changed.sum())


# --- report -------------------------------------------------------------------------------------

COLUMNS = (
    "method", "words", "painted", "seen", "readable", "exact", "alike", "AUC", "Fréchet",
    "outside", "SSIM", "time", "looking",
)  # fmt: skip


KINDS = (
    "surrogates on", "pages", "words", "painted", "exact", "alike", "AUC", "time", "looking",
    "rebuilt SSIM", "NCC",
)  # fmt: skip


def pages_fact(pages: int, scans: Path) -> str:
    """Return a description of the measured pages."""
    drawn = f"{pages} at each of {', '.join(map(str, DPIS))} dpi"
    if not scans.is_dir():
        return f"{drawn}; no scans, for there is no folder {scans}"
    return f"{drawn}; {min(pages, len(list(scans.glob('*.png'))))} scans of {scans}"


@dataclass(slots=True)
class Discrimination:
    """Hold how well a method's patches can be distinguished from real ones; None if unmeasured.

    Attributes:
        by_kind: The AUC of each kind of page alone, by the same forests.
    """

    auc: float | None = None
    frechet: float | None = None
    by_kind: dict[str, float] = field(default_factory=dict)


def discriminate(marks: Marks, seed: int, by_forest: bool) -> Discrimination:
    """Measure AUC and Fréchet distance of the patches of *marks*."""
    if len(set(marks.groups)) < 2:
        return Discrimination()
    real, made = np.array(marks.real), np.array(marks.made)
    found = Discrimination(frechet=frechet(real, made))
    if by_forest:
        sure = discriminator_scores(real, made, marks.groups, seed)
        first, second = sure[: len(real)], sure[len(real) :]
        kinds = np.array(marks.kinds)
        found.auc = auc(first, second)
        for kind in dict.fromkeys(marks.kinds):
            found.by_kind[kind] = auc(first[kinds == kind], second[kinds == kind])
    return found


def row(name: str, marks: Marks, found: Discrimination) -> list[str]:
    """Return one line of the table of methods."""
    distance = "-" if found.frechet is None else f"{found.frechet:.1f}"
    score_cells = [cell(found.auc), distance]
    if not marks.words:
        return [name, str(len(marks.made)), *["-"] * 5, *score_cells, *["-"] * 4]
    shares = [cell(ratio(part, marks.read)) for part in (marks.exact, marks.alike)]
    timed = name != PRINTED
    return [
        name, str(marks.words), cell(ratio(marks.painted, marks.words)), str(marks.seen),
        str(marks.readable), *shares, *score_cells, str(marks.outside) if timed else "-",
        f"{mean(marks.ssim):.3f}",
        *(cell(warm(times)) if timed else "-" for times in (marks.times, marks.looking)),
    ]  # fmt: skip


def kind_row(
    kind: str, marks: Marks, apart: float | None, rebuilt: Sequence[tuple[float, float]]
) -> list[str]:
    """Return one line of the table of kinds of pages."""
    exact, alike = (ratio(part, marks.read) for part in (marks.exact, marks.alike))
    times = median(marks.times), median(marks.looking)
    shares = (ratio(marks.painted, marks.words), exact, alike, apart, *times)
    counts = [str(len(marks.times)), str(marks.words)]
    return [kind, *counts, *map(cell, shares), *likeness(rebuilt)]


def likeness(pairs: Sequence[tuple[float, float]]) -> list[str]:
    """Return the medians of SSIM and of NCC."""
    return [cell(median(each)) for each in zip(*pairs, strict=True)] or ["-", "-"]


def warm(times: Sequence[float]) -> float | None:
    """Return the median of all but the first; None if empty."""
    return median(times[1:]) if len(times) > 1 else None


def kept(
    marks: Mapping[str, Marks], of: Callable[[Marks], Sequence[float]], than: str = "white"
) -> float | None:
    """Return the share of pages more similar to the original with surrogates than with *than*."""
    if not {SURROGATE, than} <= marks.keys():
        return None
    pairs = list(zip(of(marks[SURROGATE]), of(marks[than]), strict=True))
    return ratio(sum(mine > other for mine, other in pairs), len(pairs))


def figures(
    marks: Mapping[str, Marks],
    tells: Mapping[str, Discrimination],
    rebuilt: Mapping[str, Sequence[tuple[float, float]]],
    voted: Mapping[int, tuple[int, int, int]],
) -> Iterator[tuple[str, str, str]]:
    """Return the name, target and value of each figure."""
    mine, discrimination = marks.get(SURROGATE, Marks()), tells.get(SURROGATE, Discrimination())
    readable = sum(one.readable for name, one in marks.items() if name in OURS)
    yield "originals readable again, any method", "0", str(readable)
    shown = f"{mine.exact / mine.read:.3f}" if mine.read else "-"
    yield "surrogate read exactly by page OCR", "at least .95", shown
    yield "discriminator AUC, real against painted", "at most .80", cell(discrimination.auc)
    alone = mean(discrimination.by_kind.values()) if discrimination.by_kind else None
    yield "the same, each kind of page alone, mean", "", cell(alone)
    distance = None if discrimination.frechet is None else round(discrimination.frechet, 1)
    yield "Fréchet distance", "at most 7", "-" if distance is None else str(distance)
    yield "pixels changed outside the boxes' allowance", "0", str(mine.outside)
    yield (
        "self-reconstruction, SSIM / NCC",
        "at least .65 / .75",
        " / ".join(likeness([pair for pairs in rebuilt.values() for pair in pairs])),
    )
    right = [f"{family} of {pages} ({face})" for pages, family, face in voted.values()]
    dpis = " / ".join(map(str, voted))
    yield f"face family by page vote, {dpis} dpi", "at least 14 / 15 of 15", " / ".join(right)
    yield "time beyond OCR, of the OCR's", "at most .25", cell(warm(mine.times))
    both = [sum(pair) for pair in zip(mine.times, mine.looking, strict=True)]
    yield "the same, with the second look", "at most .40", cell(warm(both))
    by_ssim, by_clip = kept(marks, lambda one: one.ssim), kept(marks, lambda one: one.clip)
    yield "page similarity kept, by SSIM", "at least .62", cell(by_ssim)
    by_paper = kept(marks, lambda one: one.ssim, "paper")
    yield "the same, above erased to paper", "", cell(by_paper)
    if mine.clip:
        yield "page similarity kept, by CLIP", "at least .62", cell(by_clip)
    for name, one in marks.items():
        if one.label:
            yield f"label kept, {name}", "", cell(ratio(sum(one.label), len(one.label)))


@dataclass(slots=True)
class Crops:
    """Hold words before and after, for the contact sheet."""

    pairs: list[tuple[Image.Image, Image.Image]] = field(default_factory=list)

    def add(self, before: Image.Image, done: Outcome) -> None:
        """Add the page's painted words, with their surroundings."""
        for report in done.treated:
            if report.method == SURROGATE:
                box = report.boxes[0]
                view = box.grown(2 * box.height, box.height).clipped(before.size)
                self.pairs.append((before.crop(view), done.image.crop(view)))

    def save(self, file: Path) -> None:
        """Write thirty words side by side, before above after, as a PNG with few grey levels."""
        shown = [self.pairs[at] for at in spread(len(self.pairs), CROPS)]
        if not shown:
            return
        tiles = [_stacked(*pair) for pair in shown]
        rows: list[list[Image.Image]] = [[]]
        for tile in tiles:
            if rows[-1] and sum(one.width + GAP for one in rows[-1]) + tile.width > ACROSS:
                rows.append([])
            rows[-1].append(tile)
        heights = [max(tile.height for tile in row) + GAP for row in rows]
        wide = max(sum(tile.width + GAP for tile in row) for row in rows)
        sheet = Image.new("L", (wide, sum(heights)), 128)
        top = 0
        for row, height in zip(rows, heights, strict=True):
            left = 0
            for tile in row:
                sheet.paste(tile, (left, top))
                left += tile.width + GAP
            top += height
        sheet.quantize(LEVELS, kmeans=1).save(file, "PNG", optimize=True)


def _boxes(sample: Sample) -> list[Box]:
    return [box for finding in sample.found.findings for box in finding.boxes]


def _stacked(before: Image.Image, after: Image.Image) -> Image.Image:
    """Stack the two images, one above the other."""
    tile = Image.new("L", (before.width, 2 * before.height + 2), 128)
    tile.paste(before, (0, 0))
    tile.paste(after, (0, before.height + 2))
    return tile


@click.command(help="Treat pages by every method and judge them; the module's docstring says how.")
@click.option("--pages", default=6, show_default=True, help="Of each of the five kinds.")
@click.option("--scans", type=click.Path(path_type=Path), default=SCANS, help="A folder of PNGs.")
@click.option("--sheet", type=click.Path(path_type=Path), help="Write thirty crops to this image.")
@click.option("--only", help=f"Only these methods, comma-separated: {', '.join(METHODS)}.")
@click.option("--kind", default="", help="Only pages whose kind starts so: scan, 300 dpi, form.")
@click.option("--clip", type=click.Path(exists=True, path_type=Path), help="A folder with CLIP.")
@click.option(
    "--classifier", type=click.Path(exists=True, path_type=Path), help="A folder with DiT."
)
@click.option("--seed", default=1, show_default=True, help="Of pages, surrogates and forests.")
@click.option("--show", is_flag=True, help="List words not painted or not read, with their text.")
@click.option("--format", "style", type=click.Choice(["table", "markdown"]), default="table")
def main(
    pages: int,
    scans: Path,
    sheet: Path | None,
    only: str | None,
    kind: str,
    clip: Path | None,
    classifier: Path | None,
    seed: int,
    show: bool,
    style: str,
) -> None:
    """Read, redact and read the pages again; compare and print."""
    methods = tuple(only.split(",")) if only else METHODS
    if unknown := [name for name in methods if name not in METHODS]:
        raise click.BadParameter(f"no method {unknown[0]!r}; there are {', '.join(METHODS)}")
    cv2.setNumThreads(1)
    models = models_at(clip, classifier)
    marks: dict[str, Marks] = {name: Marks() for name in methods}
    floor, kinds, crops = Marks(), defaultdict[str, Marks](Marks), Crops()
    rebuilt: dict[str, list[tuple[float, float]]] = defaultdict(list)
    filled = defaultdict[str, FormMarks](FormMarks)
    listed: list[str] = []
    for sample in samples(pages, scans, seed, kind):
        click.echo(f"{sample.name}: {len(sample.found.findings)} words", err=True)
        source = Shuffles("".join(word.text for word in sample.words), seed)
        real = compared(sample)
        for name in methods:
            done = outcome(name, sample, source)
            if done is None:
                continue
            missed = count(marks[name], sample, done, real, models)
            if sample.form and name == PAPER:
                filled[sample.form.writer].count_left(sample.form, done.image, _boxes(sample))
            if sample.form and name == SURROGATE:
                filled[sample.form.writer].count(sample.form, done.image, done.treated)
            if name == SURROGATE:
                count(kinds[sample.kind], sample, done, real, Models())
                crops.add(sample.image, done)
                listed += missed
        for originals, others in zip(real.originals, real.others, strict=True):
            for original, other in zip(originals, others, strict=True):
                add_pair(floor, sample, original, other)
        if SURROGATE in methods and not sample.form:
            rebuilt[sample.kind] += reconstructed(sample, seed)
    voted = (
        {dpi: votes(dpi, seed) for dpi in VOTED_DPIS} if SURROGATE in methods and not kind else {}
    )
    by_forest = installed("scikit-learn")[0] != "("
    tells = {name: discriminate(one, seed, by_forest) for name, one in marks.items()}
    rows = [row(name, one, tells[name]) for name, one in marks.items()]
    rows.append(row("real", floor, discriminate(floor, seed, by_forest)))
    by_kind = tells.get(SURROGATE, Discrimination()).by_kind

    facts = header() | {
        "pages": f"{pages} of each kind: {kind}…" if kind else pages_fact(pages, scans),
        "words rebuilt": str(sum(map(len, rebuilt.values()))),
    }
    facts["augraphy"] = installed("augraphy")
    facts["scikit-learn"] = installed("scikit-learn") if by_forest else TELL
    print_facts(facts, markdown=style == "markdown")
    table = print_table if style == "table" else print_markdown
    table(("figure", "aim", "measured"), list(figures(marks, tells, rebuilt, voted)))
    click.echo()
    table(COLUMNS, rows)
    click.echo()
    by_kinds = [
        kind_row(kind, one, by_kind.get(kind), rebuilt[kind]) for kind, one in kinds.items()
    ]
    table(KINDS, by_kinds)
    click.echo()
    table(imaging_form_marks.COLUMNS, [one.row(writer) for writer, one in filled.items()])
    for line in listed if show else ():
        click.echo(line)
    if sheet:
        crops.save(sheet)


if __name__ == "__main__":
    main()
