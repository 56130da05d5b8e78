"""Measure style fitting for `imaging.py`: words rebuilt from neighbours, votes on typefaces."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from benchmarks.imaging_pages import Sheet, lines_of, spread, synthetic
from benchmarks.imaging_painters import Sample
from benchmarks.imaging_patches import Grey, ncc
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.imaging.page.paper import resampled
from presidio_cdip.imaging.page.similarity import ssim
from presidio_cdip.imaging.painting.painting import painted
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.imaging.style.faces import faces
from presidio_cdip.imaging.style.fitting import fits
from presidio_cdip.imaging.style.rendering import Dark
from presidio_cdip.imaging.style.sheet import Sheet as PageSheet
from presidio_cdip.imaging.style.styles import StyleBook
from presidio_cdip.imaging.words import Box, Word

SURE = 88.0  # OCR's confidence in a neighbour
LETTERS = 4  # minimum for a voter
VOTERS = 20


def reconstructed(sample: Sample, seed: int) -> list[tuple[float, float]]:
    """Paint words in a neighbour's style, and return SSIM and NCC of each with the original."""
    sheet = PageSheet.of(sample.image)
    layout = sample.found.layout
    own = {finding.parts[0].words[0] for finding in sample.found.findings}
    # A word without confidence has no vote on the style of others.
    words = [
        Word(word.text, word.box, 0.0) if number in own else word
        for number, word in enumerate(layout.words)
    ]
    book = StyleBook(sheet, words, layout.lines, faces())
    rng = np.random.default_rng(seed)
    found = []
    neighbours = {number: nearest(words, layout.lines, number) for number in own}
    book.choose_styles([[[other]] for other in neighbours.values() if other is not None])
    for finding in sample.found.findings:
        part = finding.parts[0]
        number = part.words[0]
        neighbour = neighbours[number]
        style = None if neighbour is None else book.style([neighbour])
        if style is None:
            continue
        word = words[number]
        dark, near = sheet.word(word.box, book.margin(word.box))
        found_at = fits(dark, word.text, [style.fit.face], sheet.slope)
        if not found_at:
            continue
        pen = found_at[0].pen[0] + near.left, found_at[0].pen[1] + near.top
        ink = painted(style, word.text, pen, sample.image.size, rng)
        after = relaid(sheet, part.box, ink.dark, ink.box, rng)
        crop = part.box.within()
        pair = sheet.pixels[crop], after[crop]
        found.append((ssim(*pair), ncc(*pair)))
    return found


def nearest(words: Sequence[Word], lines: Sequence[int], number: int) -> int | None:
    """Return the nearest informative word of the same line; None if there is none."""
    box = words[number].box
    telling = [
        other
        for other, word in enumerate(words)
        if lines[other] == lines[number] and word.conf >= SURE and len(word.text) > 2
    ]
    gaps = {
        other: max(words[other].box.left - box.right, box.left - words[other].box.right)
        for other in telling
        if other != number
    }
    return min(gaps, key=gaps.__getitem__, default=None)


def relaid(sheet: PageSheet, gone: Box, dark: Dark, at: Box, rng: np.random.Generator) -> Grey:
    """Return the page with paper in *gone*, and the ink of *dark* blended in at *at*."""
    mask = np.zeros(sheet.pixels.shape, np.bool_)
    mask[gone.within()] = True
    reach = 8 * gone.height
    view = gone.grown(reach, reach).clipped(sheet.pixels.shape[::-1])
    window = view.within()
    page = sheet.pixels.copy()
    page[window] = resampled(page[window], mask[window], sheet.ink[window], rng)
    spot = at.within()
    depth = np.maximum(sheet.paper(at) - sheet.black, 8.0)
    page[spot] = np.clip(page[spot] - dark * depth, 0, 255).round().astype(np.uint8)
    return page


def votes(dpi: int, seed: int) -> tuple[int, int, int]:
    """Count pages in 15 typefaces: all, with the right family, and with the right typeface."""
    shown = faces()
    right = named = 0
    picks = spread(len(shown), 15)
    for number in picks:
        face = shown[number]
        sheet = Sheet(lines_of(100 + number, 8), face.file, dpi, 1000 * seed + 500 + number)
        image, tokens = synthetic(sheet)
        try:
            layout = layout_text(read_words(image))
        except UnreadableInput:
            continue
        drawn = frozenset(token.text for token in tokens)
        usable = [n for n, word in enumerate(layout.words) if word.text in drawn
                  and len(word.text) >= LETTERS]  # fmt: skip
        book = StyleBook(PageSheet.of(image), layout.words, layout.lines, shown)
        styles = [book.style([usable[place]]) for place in spread(len(usable), VOTERS)]
        won = Counter(style.fit.face for style in styles if style)
        families = Counter(each.family for each in won.elements())
        right += bool(families) and families.most_common(1)[0][0] == face.family
        named += bool(won) and won.most_common(1)[0][0] == face
    return len(picks), right, named
