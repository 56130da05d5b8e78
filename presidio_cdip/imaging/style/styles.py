"""Measure the style of each word of a page, with votes of the words around it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.style.faces import Face
from presidio_cdip.imaging.style.fitting import Fit, fits
from presidio_cdip.imaging.style.rendering import (
    Dark,
    Scan,
    Texture,
    blurred_by,
    drawn,
    grain,
    laid,
)
from presidio_cdip.imaging.style.sheet import INKY, Sheet
from presidio_cdip.imaging.style.shortlist import shortlist
from presidio_cdip.imaging.style.widths import settings_of
from presidio_cdip.imaging.words import Box, Word

LEAST = 0.72
"""Minimum correlation of a fit; handwriting, stamps and blots are below it."""

SMALLEST = 6
"""Minimum height of a word in pixels; smaller type cannot be classified."""

_BARE, _BARELY = 0.02, 0.2  # maximum darkness of bare paper, and of the paper's noise
_BILEVEL = 0.01  # of the inked pixels: the maximum share of grey ones on a bilevel page
_DARKEST = 98  # percentile of inked pixels
_FULL, _MANY = 0.97, 60  # darkness of full ink, and pixels of it from which edges are excluded
_NARROWER, _WIDER = 0.15, 0.6  # em units by which a space may differ from the face's
_OWN, _NEAR = 3.0, 0.5  # weights of a vote: the value's own words, and those beside it
_NEIGHBOURS = 2  # on the line, to either side
_ELSEWHERE = 3  # words of like height on other lines
_SURE = 70.0  # OCR's confidence in a word that may vote
_LARGE, _LONG, _LIKE, _CLEAR = 16, 5, 0.9, 1.25
"""A word needs no other votes with this height in pixels, length and correlation, if the error of
the second best typeface is this many times larger."""
_FEW = 2  # letters: too few to measure size and scan model
_ALIKE, _ROUGHLY_ALIKE, _AS_SPACED = 0.08, 0.2, 0.03
"""Maximum difference, in em units, of the size, stretch and slant of a word that is averaged with
this one, if this one has many letters and if it has few; and of its letter spacing."""
_OWN_LETTERS = 1.5  # weight of the word's own letters, relative to others'
_INFORMATIVE = 2  # of a value's words, the longest, are tried in several faces
_LEARNT = 5  # words tried in all typefaces before the page's usual typefaces are known
_SCANNED = 3  # values tried with all scan models before the page's usual ones are known
_LIKELY = 3  # of the best faces of each of them
_WORSE = 1.6  # times the usual error: above it, all typefaces are tried
_GOOD = 1.2  # times the usual error: up to it, no other typefaces are tried
_BETTER = 1.3
"""Error ratio by which an unexpected typeface must be better than an expected one; also the maximum
error ratio of a fit that is averaged with another word's."""
_ALIGNED = 4  # typefaces that are aligned when all are tried
_STEEP, _APART = 12.0, 0.5
"""Gain of the threshold on a finer grid; and the weight of touching or broken letters relative to
the histogram of edge patterns."""
_LARGEST = 64.0  # pixels per em: the maximum for which a finer grid is tried
_NEIGHBOURHOOD = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
_EDGE = 40  # grey levels by which a pixel's neighbours differ where an edge is
_MISSING, _UNSEEN = 1.25, 2.0
"""Error assumed for a typeface that was not aligned: a factor of the word's worst error, and at
least a factor of its best."""


class _Way(NamedTuple):
    """Describe a scan model to try: the word's own, or a threshold on a finer grid.

    A finer grid models a laser printer, or a bilevel scan that was downscaled.

    Attributes:
        finer: The oversampling factor; 1 for the word's own scan model.
        blur: The blur before the threshold, in pixels of the page.
        grain: The strength of the noise before the threshold.
    """

    finer: int
    blur: float
    grain: float


_WAYS = (
    *(_Way(1, 0.0, grains) for grains in (0.0, 0.5, 1.0, 1.6)),
    *(
        _Way(finer, blur, grains)
        for finer in (2, 3)
        for blur in (0.25, 0.5, 0.8)
        for grains in (0.0, 1.0)
    ),
)


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """Hold the measured style of a value.

    Attributes:
        fit: Typeface, size, spacing and slant, from the most informative word.
        scan: The scan model that makes the rendered text most similar to the page.
        strength: The darkness of its ink; 1 is the page's full ink.
        tones: The tone curve as two rising rows: quantiles of the darkness of the rendered words,
            and of the page.
        between: Added to every space between words, in em units.
        texture: The texture of full ink.
        piece_ratio: Connected components of the original's ink, as a share of the drawing's.
        grain: How uneven the ink's edges are, in units of `rendering.grain`.
        words: The fit of each of the value's own words, in order; None for a word without one.
    """

    fit: Fit
    scan: Scan
    strength: float
    tones: Dark
    between: float
    texture: Texture
    piece_ratio: float
    grain: float
    words: tuple[Fit | None, ...]

    def toned(self, dark: Dark) -> Dark:
        """Apply the tone curve to *dark*, so that it has the tones of the original's ink."""
        return np.interp(dark, *self.tones).astype(np.float32)


class StyleBook:
    """Measure the styles of one page's words, and cache them.

    Args:
        sheet: The page.
        words: Its words.
        lines: The line number of each word.
        faces: The typefaces to choose from.
    """

    def __init__(
        self, sheet: Sheet, words: Sequence[Word], lines: Sequence[int], faces: Sequence[Face]
    ) -> None:
        self.sheet = sheet
        self._words = words
        self._faces = faces
        self._fits: dict[int, list[Fit]] = {}
        self._darks: dict[int, tuple[Dark, Box]] = {}
        self._fulls: dict[int, tuple[Dark, Box]] = {}
        self._clear = set[int]()  # words that only one typeface fits
        self._styles: dict[tuple[int, ...], Style | None] = {}
        self._shortlist = shortlist(faces)
        self._on_line: dict[int, list[int]] = defaultdict(list)
        for index, line in enumerate(lines):
            self._on_line[line].append(index)
        self._lines = lines
        # Widths that match most typefaces are not informative.
        settings = [
            one for one in settings_of(words, lines, faces) if 2 * len(one.faces) < len(faces)
        ]
        self._settings = {line: one for one in settings for line in one.lines}
        self._expected = [face for face in faces if any(face in one.faces for one in settings)]
        # Their widths match without letter spacing, so none is tried.
        self._unspaced = [face for face in self._expected if not face.fixed]
        typefaces = {face.typeface for face in self._expected}
        self._akin = [
            face for face in faces if face.typeface in typefaces and face not in self._expected
        ]
        self._usual_error = 0.0
        self._won = Counter[_Way]()

    def style(self, group: Sequence[int]) -> Style | None:
        """Return the style of the adjacent words *group* of one line; None if none fits."""
        key = tuple(group)
        if key not in self._styles:
            self._styles[key] = self._style(group)
        return self._styles[key]

    def _style(self, group: Sequence[int]) -> Style | None:
        if min(self._words[index].box.height for index in group) < SMALLEST:
            return None
        votes: dict[Face, float] = defaultdict(float)
        total = 0.0
        tell = sorted(group, key=lambda index: -len(self._words[index].text))[:_INFORMATIVE]
        voters = [(index, _OWN) for index in tell]
        if not self._plain(tell):
            voters += [(index, _NEAR) for index in self._beside(group)]
        for index, weight in voters:
            found = self.fits(index)
            if not found:
                continue
            weight *= min(len(self._words[index].text), 8)
            errors = {fit.face: fit.error for fit in found}
            least = found[0].error
            worst = max(_MISSING * max(errors.values()), _UNSEEN * least)
            for face in self._faces:
                votes[face] += weight * (errors.get(face, worst) / max(least, 1e-4))
            total += weight
        if not total:
            return None
        for face in sorted(votes, key=votes.__getitem__)[:3]:
            own = [self._fit(index, face) for index in group]
            good = [fit for fit in own if fit and fit.correlation >= LEAST]
            if good:
                return self._measured(group, own, self._most_informative(group, own, good))
        return None

    def _plain(self, group: Sequence[int]) -> bool:
        """Check whether the group's own words identify their typeface."""
        for index in group:
            found = self.fits(index)
            word = self._words[index]
            if index in self._clear and found[0].correlation >= LEAST:
                return True
            if word.box.height < _LARGE or len(word.text) < _LONG or len(found) < 2:
                continue
            if found[0].correlation > _LIKE and found[1].error > _CLEAR * found[0].error:
                return True
        return False

    def fits(self, index: int) -> list[Fit]:
        """Return the best fits of a word, one per typeface, the best first."""
        if index not in self._fits:
            dark, around = self._full(index)
            found = self._fits_among(dark, self._words[index].text, self._lines[index])
            self._fits[index] = [_on_page(fit, around) for fit in found]
            if len(found) == 1:
                self._clear.add(index)
            self._learn()
        return self._fits[index]

    def _fits_among(self, dark: Dark, text: str, line: int) -> list[Fit]:
        """Return the best fits in the page's usual typefaces; in others if much better."""
        slope = self.sheet.slope
        best: list[Fit] = []
        for faces, enough in self._usual(line):
            rival = best[0].face if best else None
            found = fits(dark, text, faces, slope, _LIKELY, None, self._unspaced, rival)
            best = _clearly_better(best, found)
            if best and best[0].error <= enough * self._usual_error:
                return best
        rival = best[0].face if best else None
        every = fits(dark, text, self._faces, slope, _ALIGNED, self._shortlist, (), rival)
        return _clearly_better(best, every)

    def _usual(self, line: int) -> Iterator[tuple[Sequence[Face], float]]:
        """Yield typefaces to try for a word on *line*, and the maximum error to accept them.

        The error is in units of the page's usual error. Typefaces that match the line's word widths
        come first, then those of other lines, then other weights and slants of both.
        """
        setting = self._settings.get(line)
        first = setting.faces if setting else self._expected
        others = [face for face in self._expected if face not in first]
        for faces, enough in (
            (first, _GOOD if setting else _WORSE),
            (others, _WORSE),
            (self._akin, _WORSE),
        ):
            if faces:
                yield faces, enough

    def _learn(self) -> None:
        """Set the page's usual typefaces and error, once enough words were fitted."""
        if self._usual_error or len(self._fits) < _LEARNT:
            return
        found = [fits for fits in self._fits.values() if fits]
        if not self._expected:
            best = {fit.face for fits in found for fit in fits[:_LIKELY]}
            self._expected = [face for face in self._faces if face in best]
        errors = [fits[0].error for fits in found if fits[0].face in self._expected]
        self._usual_error = float(np.median(errors)) if errors else 0.0

    @staticmethod
    def margin(box: Box) -> int:
        """Return the margin around a word, in pixels."""
        return max(2, box.height // 4)

    def _fit(self, index: int, face: Face) -> Fit | None:
        """Return the word's fit in *face*, and compute it if it was not among the best."""
        for fit in self.fits(index):
            if fit.face == face:
                return fit
        dark, around = self._full(index)
        text, slope = self._words[index].text, self.sheet.slope
        found = fits(dark, text, [face], slope, unspaced=self._unspaced)
        if not found:
            return None
        self._fits[index].append(fit := _on_page(found[0], around))
        return fit

    def _full(self, index: int) -> tuple[Dark, Box]:
        """Return the word's darkness, scaled to full ink, and its box on the page."""
        if index not in self._fulls:
            dark, around = self._word(index)
            self._fulls[index] = np.minimum(dark / max(strength_of(dark), 0.2), 1), around
        return self._fulls[index]

    def _word(self, index: int) -> tuple[Dark, Box]:
        """Return the word's darkness with its margin, and its box on the page."""
        if index not in self._darks:
            box = self._words[index].box
            self._darks[index] = self.sheet.word(box, self.margin(box))
        return self._darks[index]

    def _most_informative(
        self, group: Sequence[int], own: Sequence[Fit | None], good: Sequence[Fit]
    ) -> Fit:
        lengths = {
            id(fit): len(self._words[index].text)
            for index, fit in zip(group, own, strict=True)
            if fit
        }
        return max(good, key=lambda fit: min(lengths[id(fit)], 6) * fit.correlation**4)

    def _measured(self, group: Sequence[int], own: Sequence[Fit | None], best: Fit) -> Style:
        words, solid, textures = [], [], []
        ways = self._ways()
        for index, fit in zip(group, own, strict=True):
            if fit is None or fit.correlation < LEAST:
                continue
            word = self._words[index]
            dark, around = self._word(index)
            pen = fit.pen[0] - around.left, fit.pen[1] - around.top
            text = drawn(fit.face.file, word.text, fit.spacing)
            size = around.width, around.height
            grids = {way.finer for way in ways} if fit.em <= _LARGEST else set()
            coverage = {
                finer: laid(text, fit.matrix, pen, size, finer) for finer in sorted({1, *grids})
            }
            inside = fit.scan.of(coverage[1]) > _FULL
            inner = cv2.erode(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
            full = inner if inner.sum() >= _MANY else inside
            # Rendered ink where the page has none is a misfit, not texture.
            full = full & (dark > 0.5 * strength_of(dark))
            solid.append(dark[full])
            textures.append(Texture.of(dark, full))
            words.append(_Seen(fit, coverage, dark, self._raw(dark, around)))
        texture = textures[int(np.argmax([one.size for one in solid]))]
        inked = np.concatenate([one.dark.ravel() for one in words])
        inked = inked[inked > INKY]
        # The tone curve ends at the median of full ink, which the texture then varies. If there is
        # too little full ink to measure a texture, it ends at the darkest pixels.
        if texture.deviation:
            level = float(np.median(np.concatenate(solid)))
        else:
            level = float(np.percentile(inked, _DARKEST)) if inked.size else 1.0
        way, scan, tones = _scanned(words, best.scan, level, texture, ways)
        if all({one.finer for one in _WAYS} <= set(word.coverage) for word in words):
            self._won[way] += 1  # large letters are not tried with all models
        strength = float(np.percentile(inked, 90)) if inked.size else 1.0
        best = self._steadied(group, best)
        if sum(len(self._words[index].text) for index in group) <= _FEW and scan.finer == 1:
            scan = best.scan
        drawn_in = sum(pieces(one.coverage[1]) for one in words)
        seen_in = sum(max(1, pieces(one.dark, level)) for one in words)
        piece_ratio = min(1.0, seen_in / max(drawn_in, 1))
        between = self._between(group, own)
        return Style(
            best, scan, strength, tones, between, texture, piece_ratio, way.grain, tuple(own)
        )

    def _ways(self) -> Sequence[_Way]:
        """Return the scan models to try: the page's usual ones, once they are known."""
        if self._won.total() < _SCANNED:
            return _WAYS
        return [way for way, _ in self._won.most_common(_LIKELY)]

    def _raw(self, dark: Dark, around: Box) -> Dark:
        """Return the word's *dark* with the unclipped noise of the paper."""
        raw = self.sheet.raw(around)
        return np.where((dark > 0) | (raw < _BARELY), raw, 0).astype(np.float32)

    def _between(self, group: Sequence[int], own: Sequence[Fit | None]) -> float:
        """Return the excess width of the group's word spaces, in em units."""
        wider = []
        for index, one, other in zip(group, own, own[1:], strict=False):
            if one is None or other is None or min(one.correlation, other.correlation) < LEAST:
                continue
            text = self._words[index].text + " "
            advance = drawn(one.face.file, text, one.spacing).advance
            wider.append((other.pen[0] - one.pen[0]) / one.matrix[0, 0] - advance)
        return float(np.clip(np.median(wider), -_NARROWER, _WIDER)) if wider else 0.0

    def _steadied(self, group: Sequence[int], best: Fit) -> Fit:
        """Return *best* with size, stretch and slant averaged with neighbouring words.

        Uses the median weighted by letters; a few letters alone give no exact measurement.
        """
        letters = sum(len(self._words[index].text) for index in group)
        apart = _ALIKE if letters > _FEW else _ROUGHLY_ALIKE
        steady: list[tuple[Fit, float]] = []
        for index in self._beside(group):
            fit = self._fit(index, best.face)
            if (
                fit
                and fit.correlation >= LEAST
                and fit.error <= _BETTER * self.fits(index)[0].error
                and np.abs(fit.matrix - best.matrix).max() < apart * best.em
                and abs(fit.spacing - best.spacing) < _AS_SPACED
            ):
                steady.append((fit, len(self._words[index].text)))
        if not steady:
            return best
        scan = best.scan
        if letters <= _FEW:
            scan = max(steady, key=lambda one: one[0].correlation)[0].scan
        else:
            steady.append((best, _OWN_LETTERS * letters))
        weights = [weight for _, weight in steady]
        entries = np.array([fit.matrix.ravel() for fit, _ in steady])
        matrix = np.array([_median(column, weights) for column in entries.T]).reshape(2, 2)
        return replace(best, matrix=matrix, scan=scan)

    def _beside(self, group: Sequence[int]) -> list[int]:
        """Return words that may vote: neighbours on the line, and others of similar height.

        If the line belongs to a `Setting`, other lines must belong to the same one.
        """
        line = self._on_line[self._lines[group[0]]]
        first, last = line.index(group[0]), line.index(group[-1])
        height = np.median([self._words[index].box.height for index in group])
        near = line[max(0, first - _NEIGHBOURS) : first] + line[last + 1 : last + 1 + _NEIGHBOURS]
        near = [index for index in near if self._votes(index)]
        middle = self._words[group[0]].box
        setting = self._settings.get(self._lines[group[0]])
        others = [
            index
            for index in range(len(self._words))
            if self._lines[index] != self._lines[group[0]]
            and (setting is None or self._settings.get(self._lines[index]) is setting)
            and self._votes(index)
            and len(self._words[index].text) > 4
            and abs(self._words[index].box.height - height) <= 0.15 * height + 1
        ]
        # Words that are already fitted come first: they cost no time.
        others.sort(
            key=lambda index: (
                index not in self._fits,
                abs(self._words[index].box.top - middle.top),
                abs(self._words[index].box.left - middle.left),
            )
        )
        return near + others[:_ELSEWHERE]

    def _votes(self, index: int) -> bool:
        word = self._words[index]
        return (
            word.conf >= _SURE
            and len(word.text) > 2
            and word.text.isascii()
            and word.box.height >= SMALLEST
        )


def _clearly_better(best: list[Fit], found: list[Fit]) -> list[Fit]:
    """Return *found* if it is much better than *best*, the fits in expected typefaces."""
    if not best or (found and found[0].error * _BETTER < best[0].error):
        return found
    return best


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Hold a word of the page and its rendering.

    Attributes:
        fit: Its fit.
        coverage: The rendered coverage by oversampling factor; only factor 1 for large letters,
            where finer grids make no difference.
        dark: The word's darkness on the page.
        raw: The same with the unclipped noise of the paper.
        grains: The grain of each coverage, once it was drawn.
    """

    fit: Fit
    coverage: Mapping[int, Dark]
    dark: Dark
    raw: Dark
    grains: dict[int, Dark] = field(default_factory=dict)

    def noise(self) -> Dark:
        """Return Gaussian noise with the deviation of the paper's noise."""
        paper = self.raw[(self.coverage[1] < _BARE) & (self.raw < _BARELY)]
        deviation = np.float32(paper.std() if paper.size else 0)
        return np.random.default_rng(2).standard_normal(self.raw.shape, np.float32) * deviation

    def scanned(self, scan: Scan | None, strength: float) -> Dark:
        """Apply *scan*, or the word's own scan model, with grain of that strength."""
        scan = scan or self.fit.scan
        coverage = self.coverage[scan.finer]
        if not strength:
            return scan.of(coverage)
        if scan.finer not in self.grains:
            self.grains[scan.finer] = grain(coverage, np.random.default_rng(0))
        return scan.of(coverage, self.grains[scan.finer] * np.float32(strength))


def _scanned(
    words: Sequence[_Seen], own: Scan, level: float, texture: Texture, ways: Sequence[_Way]
) -> tuple[_Way, Scan, Dark]:
    """Select the scan model and tone curve that make rendered words most similar to the page.

    Compares histograms of local binary patterns (Ojala et al., PAMI 2002) at the edges of letters,
    after adding ink texture and paper noise.

    Args:
        words: The words to compare.
        own: The scan model of the most informative word.
        level: The darkest tone.
        texture: The texture of full ink.
        ways: The scan models to try.
    """
    best: tuple[float, _Way, Scan, Dark] | None = None
    seen = np.concatenate([one.dark.ravel() for one in words])
    targets = [_patterns(one.raw) for one in words]
    noises = [one.noise() for one in words]
    patches = [texture.patches(one.dark.shape, np.random.default_rng(1)) for one in words]
    own_pieces = [pieces(one.dark, level) + 1 for one in words]
    # Measured on unclipped darkness, in which the paper's noise averages to 0.
    share = float(np.concatenate([one.raw.ravel() for one in words]).mean()) / max(level, 0.1)
    shared = set.intersection(*(set(one.coverage) for one in words))
    for way in [way for way in ways if way.finer in shared] or [_Way(1, 0.0, 0.0)]:
        scan = None if way.finer == 1 else _fine(words, way, share)
        made = [one.scanned(scan, way.grain) for one in words]
        tones = matched(np.concatenate([one.ravel() for one in made]), seen)
        tones[1] = np.minimum(tones[1], np.float32(level))
        far = 0.0
        for drawing, target, noise, uneven, blobs in zip(
            made, targets, noises, patches, own_pieces, strict=True
        ):
            toned = np.interp(drawing, *tones).astype(np.float32)
            toned = texture.with_patches(toned, uneven)
            far += float(np.abs(_patterns(toned + (1 - toned) * noise) - target).sum())
            # Penalize touching or broken letters if the original's are not.
            blots = (pieces(toned, level) + 1) / blobs
            far += _APART * abs(np.log(blots))
        if best is None or far < best[0]:
            best = far, way, scan or own, tones
    assert best
    return best[1:]


def pieces(dark: Dark, level: float = 1.0) -> int:
    """Count the connected components of ink, where full ink has the darkness *level*."""
    return cv2.connectedComponents((dark > level / 2).astype(np.uint8), connectivity=8)[0] - 1


def _fine(words: Sequence[_Seen], way: _Way, share: float) -> Scan:
    """Return the scan model whose threshold on the finer grid gives the ink share *share*."""
    fine = [blurred_by(one.coverage[way.finer], way.blur * way.finer).ravel() for one in words]
    threshold = float(np.quantile(np.concatenate(fine), min(max(1 - share, 0), 1)))
    return Scan(way.blur, float(np.clip(threshold, 0.05, 0.95)), _STEEP, way.finer)


def _patterns(dark: Dark) -> NDArray[np.float64]:
    """Return the histogram of uniform local binary patterns at edges: 8 neighbours, radius 1."""
    level = (dark * 255).round().astype(np.int16)
    rows, columns = level.shape
    middle = level[1:-1, 1:-1]
    ring = [level[y : y + rows - 2, x : x + columns - 2] for y, x in _NEIGHBOURHOOD]
    at_edge = np.maximum.reduce(ring) - np.minimum.reduce(ring) > _EDGE
    bits = np.array([one >= middle for one in ring], np.int8)
    changes = np.abs(bits - np.roll(bits, 1, axis=0)).sum(axis=0)
    pattern = np.where(changes <= 2, bits.sum(axis=0), 9)[at_edge]
    return np.asarray(np.bincount(pattern, minlength=10) / max(pattern.size, 1))


def matched(made: Dark, seen: Dark) -> Dark:
    """Match histograms: return the rising tone curve from *made* to *seen*, as two rows of points.

    If *seen* is bilevel, the curve is a step.
    """
    inked = seen > 0.5
    if inked.any() and ((seen > 0.1) & (seen < 0.9)).sum() < _BILEVEL * inked.sum():
        step = min(float(np.quantile(made, 1 - inked.mean())), 1 - 1e-5)
        tone = float(np.median(seen[inked]))
        return np.array([[0, step, step + 1e-6, 1 + 1e-5], [0, 0, tone, tone]], np.float32)
    shares = np.linspace(0, 1, 257)
    curve = np.stack([_quantiles(made, shares), _quantiles(seen, shares)])
    curve = curve[:, np.append(np.diff(curve[0]) > 1e-6, True)]
    curve[1, curve[0] < _BARE] = 0  # what is bare stays bare
    ends = np.array([[0.0, 1.0], [0.0, curve[1, -1]]])
    if curve[0, 0] > 0:
        curve = np.concatenate([ends[:, :1], curve], axis=1)
    if curve[0, -1] < 1:
        curve = np.concatenate([curve, ends[:, 1:]], axis=1)
    return curve.astype(np.float32)


def _quantiles(values: Dark, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return quantiles like `np.quantile`, but faster for many *shares*."""
    ordered = np.sort(values)
    return np.interp(shares * (ordered.size - 1), np.arange(ordered.size), ordered)


def _median(values: NDArray[np.float64], weights: Sequence[float]) -> float:
    """Return the weighted median."""
    order = np.argsort(values)
    reached = np.cumsum(np.asarray(weights)[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])


def strength_of(dark: Dark) -> float:
    """Return the darkness of a word's ink: the 90th percentile of its inked pixels."""
    inked = dark[dark > 0.2]
    return float(np.percentile(inked, 90)) if inked.size else 1.0


def _on_page(fit: Fit, around: Box) -> Fit:
    return replace(fit, pen=(fit.pen[0] + around.left, fit.pen[1] + around.top))
