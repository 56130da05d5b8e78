"""The styles of a page: how each of its words was set, agreed upon by the words around it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
"""The correlation below which no face is said to explain a word: handwriting, stamps, blots."""

SMALLEST = 6
"""Pixels of a word's height; what is smaller cannot be told apart."""

_BARE, _BARELY = 0.02, 0.2  # darkness of no ink, and of what may be the paper's noise
_BILEVEL = 0.01  # of the inked pixels: so many may be grey on a page that is black and white
_DARKEST = 98  # percentile of inked pixels
_FULL, _MANY = 0.97, 60  # darkness of full ink, and pixels of it that leave its edges out
_NARROWER, _WIDER = 0.15, 0.6  # em units by which a space may differ from the face's
_OWN, _NEAR = 3.0, 0.5  # weights of a vote: the value's own words, and those beside it
_NEIGHBOURS = 2  # on the line, to either side
_ELSEWHERE = 3  # words of like height on other lines
_SURE = 70.0  # OCR's confidence in a word that may vote
_LARGE, _LONG, _LIKE, _CLEAR = 16, 5, 0.9, 1.25
"""Pixels of height, letters and correlation of a word that needs no other's vote, where the second
best face leaves so many times the error."""
_FEW = 2  # letters, of which size and scan cannot be told
_ALIKE, _ROUGHLY_ALIKE, _AS_SPACED = 0.08, 0.2, 0.03
"""By how much, in em units, size, stretch and slant of another word may differ that tells of this
one's, where it has many letters and where it has few; and by how much its spacing."""
_OWN_LETTERS = 1.5  # times what others' letters weigh
_INFORMATIVE = 2  # of a value's words, the longest, are tried in several faces
_LEARNT = 5  # words tried in every face, before a page's usual faces are known
_SCANNED = 3  # values tried in every way of scanning, before a page's usual ones are known
_LIKELY = 3  # of the best faces of each of them
_WORSE = 1.6  # times the usual error: beyond, every face is tried after all
_GOOD = 1.2  # times the usual error: up to here the likeliest are not compared with others
_BETTER = 1.3
"""Times less error: so much must less expected faces be better by; and so much worse may a face fit
a word that tells the size of another."""
_ALIGNED = 4  # faces that are aligned, of a word that is tried in all
_STEEP, _APART = 12.0, 0.5
"""How steep the threshold of a finer grid is; and what weighs that letters touch, or break, though
the original's do not, beside patterns of edges."""
_LARGEST = 64.0  # pixels of an em, up to which a finer grid is tried
_NEIGHBOURHOOD = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
_EDGE = 40  # grey levels by which a pixel's neighbours differ where an edge is
_MISSING, _UNSEEN = 1.25, 2.0
"""Times the worst error, and at least times the least, for a face that was not among the best of a
word."""


class _Way(NamedTuple):
    """A way to scan: by the word's own scan, or by a threshold on a finer grid.

    The latter is as a laser printer's, or a bilevel scan's that was made smaller.

    Attributes:
        finer: How many times finer than the page its pixels are; 1 for the word's own scan.
        blur: Before the threshold, in pixels of the page.
        grain: The strength of unevenness before it.
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
    """How a value was set.

    Attributes:
        fit: Of the word that tells most of it: face, size, spacing, slant.
        scan: What makes the drawing look like the page.
        strength: How dark its ink is; 1 is the page's full ink.
        tones: Two rising rows: the darkness that scan and grain make of the original's words, and
            that which the page shows, quantile by quantile.
        between: Added to every space between words, in em units.
        texture: Of full ink.
        piece_ratio: Connected components of the original's ink, as a share of the drawing's.
        grain: How uneven the ink's edges are, in units of `rendering.grain`.
        words: Of the value's own words, where they stand: `Fit` or None, in order.
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
        """*dark*, as scan and grain make it, with the tones of the original's ink."""
        return np.interp(dark, *self.tones).astype(np.float32)


class StyleBook:
    """The styles of one page's words; what was measured once is kept.

    Args:
        sheet: The page.
        words: Its words.
        lines: Of each word, the line it stands on.
        faces: Those to choose from.
    """

    def __init__(
        self, sheet: Sheet, words: Sequence[Word], lines: Sequence[int], faces: Sequence[Face]
    ) -> None:
        self.sheet = sheet
        self._words = words
        self._faces = faces
        self._fits: dict[int, list[Fit]] = {}
        self._clear = set[int]()  # words that one face fits, and no other came near
        self._styles: dict[tuple[int, ...], Style | None] = {}
        self._shortlist = shortlist(faces)
        self._on_line: dict[int, list[int]] = defaultdict(list)
        for index, line in enumerate(lines):
            self._on_line[line].append(index)
        self._lines = lines
        # What nearly all faces have the widths of tells nothing.
        settings = [
            one for one in settings_of(words, lines, faces) if 2 * len(one.faces) < len(faces)
        ]
        self._settings = {line: one for one in settings for line in one.lines}
        self._expected = [face for face in faces if any(face in one.faces for one in settings)]
        # What they have the widths of without more space is not set with it.
        self._unspaced = [face for face in self._expected if not face.fixed]
        typefaces = {face.typeface for face in self._expected}
        self._akin = [
            face for face in faces if face.typeface in typefaces and face not in self._expected
        ]
        self._usual_error = 0.0
        self._won = Counter[_Way]()

    def style(self, group: Sequence[int]) -> Style | None:
        """The style of the words *group*, which stand together on a line; None if none fits."""
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
        """Whether the group's words tell their face by themselves."""
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
        """The best fits of a word, one a face, the best first."""
        if index not in self._fits:
            dark, around = self._full(index)
            found = self._fits_among(dark, self._words[index].text, self._lines[index])
            self._fits[index] = [_on_page(fit, around) for fit in found]
            if len(found) == 1:
                self._clear.add(index)
            self._learn()
        return self._fits[index]

    def _fits_among(self, dark: Dark, text: str, line: int) -> list[Fit]:
        """The best fits of a word in the page's usual faces; in others if these are much better."""
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
        """Faces to try of a word on *line*, and up to which error, in usual ones, they will do.

        Those that the line has the widths of come first, then those of other lines, then other
        weights and slants of them.
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
        """Know the page's usual faces, and how well they fit, once some words were tried in all."""
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
        """Pixels of paper to look at around a word."""
        return max(2, box.height // 4)

    def _fit(self, index: int, face: Face) -> Fit | None:
        """The word's fit in *face*, whether or not that was among its best."""
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
        """The word as if its ink were full ink, and the box of the page that it is of."""
        box = self._words[index].box
        dark, around = self.sheet.word(box, self.margin(box))
        return np.minimum(dark / max(strength_of(dark), 0.2), 1), around

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
            dark, around = self.sheet.word(word.box, self.margin(word.box))
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
            # Where the drawing has ink and the page has none, it does not fit: that is no texture.
            full = full & (dark > 0.5 * strength_of(dark))
            solid.append(dark[full])
            textures.append(Texture.of(dark, full))
            words.append(_Seen(fit, coverage, dark, self._raw(dark, around)))
        texture = textures[int(np.argmax([one.size for one in solid]))]
        inked = np.concatenate([one.dark.ravel() for one in words])
        inked = inked[inked > INKY]
        # The curve ends in the middle of full ink, which texture then varies; or where there is
        # too little of it for a texture, with the darkest.
        if texture.deviation:
            level = float(np.median(np.concatenate(solid)))
        else:
            level = float(np.percentile(inked, _DARKEST)) if inked.size else 1.0
        way, scan, tones = _scanned(words, best.scan, level, texture, ways)
        if all({one.finer for one in _WAYS} <= set(word.coverage) for word in words):
            self._won[way] += 1  # large letters do not tell of all ways
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
        """The ways to scan that are tried: those of the page, once some words have told them."""
        if self._won.total() < _SCANNED:
            return _WAYS
        return [way for way, _ in self._won.most_common(_LIKELY)]

    def _raw(self, dark: Dark, around: Box) -> Dark:
        """The word's *dark*, with the paper's noise to both sides."""
        raw = self.sheet.raw(around)
        return np.where((dark > 0) | (raw < _BARELY), raw, 0).astype(np.float32)

    def _between(self, group: Sequence[int], own: Sequence[Fit | None]) -> float:
        """How much wider the group's spaces are than the face's, in em units."""
        wider = []
        for index, one, other in zip(group, own, own[1:], strict=False):
            if one is None or other is None or min(one.correlation, other.correlation) < LEAST:
                continue
            text = self._words[index].text + " "
            advance = drawn(one.face.file, text, one.spacing).advance
            wider.append((other.pen[0] - one.pen[0]) / one.matrix[0, 0] - advance)
        return float(np.clip(np.median(wider), -_NARROWER, _WIDER)) if wider else 0.0

    def _steadied(self, group: Sequence[int], best: Fit) -> Fit:
        """*best* with the size, stretch and slant that words beside it have, too, in its face.

        The median of each, by letters: of a few letters alone none can be told closely.
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
        """Words that may vote on the group's style: on its line, and of like height elsewhere.

        Where it is known how its line is set, on lines that are set alike.
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
        # Those that were measured already come first: they cost nothing.
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
    """*found* where that is much better than *best*, which was expected."""
    if not best or (found and found[0].error * _BETTER < best[0].error):
        return found
    return best


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A word on the page, and how it was drawn.

    Attributes:
        fit: How.
        coverage: In pixels so many times finer than the page's; of large letters, whose edges show
            no difference, in those of the page alone.
        dark: What the page shows.
        raw: That with the paper's noise to both sides.
    """

    fit: Fit
    coverage: Mapping[int, Dark]
    dark: Dark
    raw: Dark

    def noise(self) -> Dark:
        """Noise as even as the paper's."""
        paper = self.raw[(self.coverage[1] < _BARE) & (self.raw < _BARELY)]
        deviation = np.float32(paper.std() if paper.size else 0)
        return np.random.default_rng(2).standard_normal(self.raw.shape, np.float32) * deviation

    def scanned(self, scan: Scan | None, strength: float) -> Dark:
        """What *scan*, or the word's own, makes of it, with that strength of grain."""
        scan = scan or self.fit.scan
        coverage = self.coverage[scan.finer]
        noise = grain(coverage, np.random.default_rng(0)) * np.float32(strength)
        return scan.of(coverage, noise if strength else None)


def _scanned(
    words: Sequence[_Seen], own: Scan, level: float, texture: Texture, ways: Sequence[_Way]
) -> tuple[_Way, Scan, Dark]:
    """The scan, and the tones after it, by which drawn words are most like the page's.

    Most alike is what has the most similar histogram of local binary patterns (Ojala et al., PAMI
    2002) along the edges of letters, with the texture of ink and the noise of paper on it.

    Args:
        words: What to compare.
        own: Of the word that tells most.
        level: The darkest tone.
        texture: Of full ink.
        ways: Those to try.
    """
    best: tuple[float, _Way, Scan, Dark] | None = None
    seen = np.concatenate([one.dark.ravel() for one in words])
    targets = [_patterns(one.raw) for one in words]
    noises = [one.noise() for one in words]
    # Of the unclipped: the paper's noise is no ink.
    share = float(np.concatenate([one.raw.ravel() for one in words]).mean()) / max(level, 0.1)
    shared = set.intersection(*(set(one.coverage) for one in words))
    for way in [way for way in ways if way.finer in shared] or [_Way(1, 0.0, 0.0)]:
        scan = None if way.finer == 1 else _fine(words, way, share)
        made = [one.scanned(scan, way.grain) for one in words]
        tones = matched(np.concatenate([one.ravel() for one in made]), seen)
        tones[1] = np.minimum(tones[1], np.float32(level))
        far = 0.0
        for drawing, one, target, noise in zip(made, words, targets, noises, strict=True):
            rng = np.random.default_rng(1)
            toned = texture.on(np.interp(drawing, *tones).astype(np.float32), rng)
            far += float(np.abs(_patterns(toned + (1 - toned) * noise) - target).sum())
            # Letters that touch, or break, though the original's do not.
            blots = (pieces(toned, level) + 1) / (pieces(one.dark, level) + 1)
            far += _APART * abs(np.log(blots))
        if best is None or far < best[0]:
            best = far, way, scan or own, tones
    assert best
    return best[1:]


def pieces(dark: Dark, level: float = 1.0) -> int:
    """How many pieces of ink there are, where full ink is of that *level*."""
    return cv2.connectedComponents((dark > level / 2).astype(np.uint8), connectivity=8)[0] - 1


def _fine(words: Sequence[_Seen], way: _Way, share: float) -> Scan:
    """The threshold on the finer grid that leaves that share of ink."""
    fine = [blurred_by(one.coverage[way.finer], way.blur * way.finer).ravel() for one in words]
    threshold = float(np.quantile(np.concatenate(fine), min(max(1 - share, 0), 1)))
    return Scan(way.blur, float(np.clip(threshold, 0.05, 0.95)), _STEEP, way.finer)


def _patterns(dark: Dark) -> NDArray[np.float64]:
    """How often each uniform local binary pattern stands at an edge: 8 neighbours, radius 1."""
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
    """The rising curve that gives *made* the distribution of *seen*, as two rows of points.

    Where *seen* has two tones alone, as a bilevel page has, so has the curve.
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
    """As `np.quantile`, which is slower where *shares* are many."""
    ordered = np.sort(values)
    return np.interp(shares * (ordered.size - 1), np.arange(ordered.size), ordered)


def _median(values: NDArray[np.float64], weights: Sequence[float]) -> float:
    """The value at which half of the weight is reached."""
    order = np.argsort(values)
    reached = np.cumsum(np.asarray(weights)[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])


def strength_of(dark: Dark) -> float:
    """How dark the ink of a word is: the 90th percentile of its inked pixels."""
    inked = dark[dark > 0.2]
    return float(np.percentile(inked, 90)) if inked.size else 1.0


def _on_page(fit: Fit, around: Box) -> Fit:
    return replace(fit, pen=(fit.pen[0] + around.left, fit.pen[1] + around.top))
