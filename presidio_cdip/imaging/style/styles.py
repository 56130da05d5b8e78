"""Measure the style of each word of a page, with votes of the words around it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from presidio_cdip.imaging.style.faces import Face
from presidio_cdip.imaging.style.fitting import Fit, correlation, fits, fitted_like, ink_box
from presidio_cdip.imaging.style.hands import Costs, Hand, hands_of, likely
from presidio_cdip.imaging.style.rendering import (
    Dark,
    Matrix,
    Scan,
    Texture,
    drawn,
    grain,
    laid,
)
from presidio_cdip.imaging.style.sheet import INKY, Sheet, without_specks
from presidio_cdip.imaging.style.shortlist import Shortlist, shortlist
from presidio_cdip.imaging.words import Box, Word

LEAST = 0.72
"""Minimum correlation of a word's fit from which its style is measured."""

IMITABLE = 0.8
"""Minimum correlation of a hand that is imitated: handwriting, stamps and blots are below it.

It is that of the third quartile of its letters, so that words which OCR misread do not count. On
drawn forms, with nine handwriting faces and 30 others, it passes no handwriting of four lines or
more, and loses 3 % of what was typed, 13 % on pages of black and white; of single lines it passes
3 % and loses 13 %. Neither the number of letters nor their height improve the decision (logistic
regression, tested on other faces)."""

SMALLEST = 6
"""Minimum height of a word in pixels; smaller type cannot be classified."""

_BARE, _BARELY = 0.02, 0.2  # maximum darkness of bare paper, and of the paper's noise
FAINT = 0.5 / 255  # the maximum darkness that leaves white paper white
_BILEVEL = 0.01  # of the inked pixels: the maximum share of grey ones on a bilevel page
_DARKEST = 98  # percentile of inked pixels
_FULL, _MANY = 0.97, 60  # darkness of full ink, and pixels of it from which edges are excluded
_PART = 0.6  # of the width of a word: an OCR box that is narrower has not all of it
_NARROWER, _WIDER = 0.15, 0.6  # em units by which a space may differ from the face's
_NEIGHBOURS = 2  # on the line, to either side
_UP_TO = 0.35  # em units up and down in which the baseline of a misread word is searched
_OF_HAND = 6  # words of the hand that are averaged
_ELSEWHERE = 6  # words of like height elsewhere
_VOTERS = 3  # other words that vote with these
_ENOUGH_WORDS = 10  # that tell how well the faces explain the print of a page
_ENOUGH_LINES = 4  # with fewer lines to style, other words tell whether their hand is imitated
_SURE = 70.0  # OCR's confidence in a word that may vote
_FEW = 2  # letters: too few to measure size and scan model
_ALIKE, _ROUGHLY_ALIKE, _AS_SPACED = 0.08, 0.2, 0.03
"""Maximum difference, in em units, of the size, stretch and slant of a word that is averaged with
this one, if this one has many letters and if it has few; and of its letter spacing."""
_OWN_LETTERS = 1.5  # weight of the word's own letters, relative to others'
_INFORMATIVE = 2  # of a line's words, the longest, are tried in several faces
_LONGEST = 10  # letters: longer words do not count more
_TRIED = 24  # words of a page that are tried in all typefaces
_SCANNED, _KINDS = 2, 2  # lines of a hand, and kinds of scan models that are all tried on them
_LIKELY = 4  # typefaces, the best for all lines together, that are tried on all words
_BETTER = 1.3  # maximum error ratio of a fit that is averaged with another word's
_ALIGNED = 4  # typefaces that are aligned when all are tried
_STEEP, _APART = 12.0, 0.5
"""Gain of the threshold on a finer grid; and the weight of touching or broken letters relative to
the histogram of edge patterns."""
_LARGEST = 64.0  # pixels per em: the maximum for which a finer grid is tried
_NEIGHBOURHOOD = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
_EDGE = 40  # grey levels by which a pixel's neighbours differ where an edge is

_SPREAD, _UNEVEN, _STRANGEST = 0.005, 0.007, 3.0
"""Minimum of the usual spread of ink on a page, its standard deviation, in em units, and the most
of these that count. A face of another weight fits as well if its strokes are eroded or widened."""
_LEAST_LIKELY = 1e-3
"""The probability of a family that counts at least: a word may be blotted. A typeface that is not
among the known ones may be explained best by one of another family."""
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
        cubic: Whether the finer grid is reduced by a bicubic filter, and not averaged.
        bleed: Pixels of the finer grid by which ink widens strokes.
    """

    finer: int
    blur: float
    grain: float
    cubic: bool = False
    bleed: int = 0

    @property
    def kind(self) -> tuple[int, bool, int]:
        """Return what models of one kind have in common: all but blur and grain."""
        return self.finer, self.cubic, self.bleed


_WAYS = (
    *(_Way(1, 0.0, grains) for grains in (0.0, 0.5, 1.0, 1.6)),
    *(
        _Way(finer, blur, grains, cubic, bleed)
        for finer, cubic, bleed in (
            (2, False, 0),
            (3, False, 0),
            (3, True, 0),
            (3, False, 1),
            (3, True, 1),
        )
        for blur in (0.25, 0.5, 0.8)
        for grains in (0.0, 1.0)
    ),
)


_TYPICAL = tuple(
    way for way in _WAYS if way.grain == (1.0 if way.finer == 1 else 0.0) and way.blur in (0, 0.5)
)
"""One model of each kind."""


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
        self._searched = set[int]()  # words that were tried in all typefaces
        self._dusted = set[int]()  # words that were tried without specks
        self._darks: dict[int, tuple[Dark, Box]] = {}
        self._fulls: dict[int, tuple[Dark, Box]] = {}
        self._styles: dict[tuple[int, ...], Style | None] = {}
        self._hands: dict[tuple[int, ...], Hand] = {}
        self._shortlist = shortlist(faces)
        self._families: dict[int, dict[str, float]] = {}
        self._on_line: dict[int, list[int]] = defaultdict(list)
        for index, line in enumerate(lines):
            self._on_line[line].append(index)
        self._lines = lines
        self._together: dict[tuple[int, ...], tuple[tuple[int, ...], ...]] = {}
        self._usual: dict[tuple[tuple[int, ...], ...], Sequence[_Way]] = {}
        self._sizes: dict[tuple[tuple[int, ...], ...], Fit | None] = {}
        self._spread = _SPREAD  # the usual spread of ink on the page, as of `Fit`

    def choose_styles(self, values: Sequence[Sequence[Sequence[int]]]) -> None:
        """Choose the typefaces of *values* together; those of one hand get the same one.

        Args:
            values: The lines of each value of a page: adjacent words. All lines of a value are of
                one hand. A line that was not among others is styled alone by `style`.
        """
        known = self._hands
        new = [
            [tuple(line) for line in value if line and tuple(line) not in known] for value in values
        ]
        new = [[line for line in value if self._is_large(line)] for value in new]
        groups = [line for value in new for line in value]
        if not groups or not self._faces:
            return
        lines = [*map(self._informative, groups)]
        owners = [number for number, value in enumerate(new) for _ in value]
        others = self._others(groups)[: _VOTERS if len(lines) >= _ENOUGH_LINES else None]
        lines += [[index] for index in others]
        owners += range(len(new), len(new) + len(others))
        tried = sorted({index for line in lines for index in line}, key=self._by_length)
        for index in tried[:_TRIED]:
            self.fits(index)
        best = [self._fits[index][0] for index in tried if self._fits.get(index)]
        told = [fit.correlation for fit in best] if len(best) >= _ENOUGH_WORDS else [1.0]
        explained = float(np.median(told))
        spreads = [fit.spread for fit in best if fit.correlation >= LEAST]
        self._spread = max(_SPREAD, float(np.median(spreads or [0])))
        candidates = likely(self._costs(lines, self._faces), self._faces, _LIKELY)
        for index in tried:
            for face in candidates:
                self._fit(index, face)
        used, of = np.unique(owners, return_inverse=True)
        costs = np.zeros((len(used), len(candidates)))
        np.add.at(costs, of, self._costs(lines, candidates))
        of_value = hands_of(costs, candidates, int((used < len(new)).sum()), explained)
        chosen = [of_value[value] for value in of]
        # Other words, which come after the groups, tell little of how well a face explains these.
        own = lines if len(groups) < _ENOUGH_LINES else lines[: len(groups)]
        likeness = {face: self._likeness(own, chosen, face) for face in chosen}
        for face in likeness:
            if likeness[face] >= IMITABLE:
                self._align(lines, chosen, face)
        for group, face in zip(groups, chosen, strict=False):
            self._hands[group] = Hand(face, likeness[face])
            self._together[group] = tuple(
                one for one, of in zip(groups, chosen, strict=False) if of == face
            )

    def style(self, group: Sequence[int]) -> Style | None:
        """Return the style of the adjacent words *group* of one line; None if none fits."""
        key = tuple(group)
        if key not in self._styles:
            self.choose_styles([[group]])
            self._styles[key] = self._style(key) if key in self._hands else None
        return self._styles[key]

    def led(self, style: Style, index: int, words: Sequence[Fit | None] = ()) -> Style | None:
        """Return *style* for a line that begins with another word, if that is of its hand.

        Args:
            style: The style of words beside it, or on the next line.
            index: The word.
            words: The fits of the words that follow on its line.
        """
        fit = self._fitted_like(index, style.fit)
        if fit is None or fit.correlation < LEAST:
            return None
        if not _alike(fit, style.fit.matrix, style.fit.spacing, _ROUGHLY_ALIKE):
            return None
        return replace(style, words=(fit, *words))

    def is_like(self, style: Style, index: int) -> bool:
        """Return whether a word may be set in *style*: it is, or OCR's box has only a part of it.

        OCR's box of an article may be that narrow.
        """
        like, word = style.fit, self._words[index]
        fit = self._fitted_like(index, like)
        if fit is not None and fit.correlation >= LEAST:
            return True
        left, _, right, _ = drawn(like.face.file, word.text, like.spacing).ink
        return bool(word.box.width < _PART * (right - left) * like.matrix[0, 0])

    def _style(self, group: tuple[int, ...]) -> Style | None:
        hand = self._hands[group]
        if hand.correlation < IMITABLE:
            return None
        own = [self._fit(index, hand.face) for index in group]
        good = [fit for fit in own if fit and fit.correlation >= LEAST]
        if good:
            best = self._most_informative(group, own, good)
            kept = [self._kept(index, fit, best) for index, fit in zip(group, own, strict=True)]
            return self._measured(group, kept, best)
        # OCR misread all of it: it looks like another line of its hand.
        for other in sorted(self._of_hand(group), key=lambda other: self._distance(other, group)):
            fits = [fit for index in other if (fit := self._fit(index, hand.face))]
            if any(fit.correlation >= LEAST for fit in fits) and (like := self.style(other)):
                words = tuple(self._placed(index, like.fit) for index in group)
                return replace(like, words=words) if any(words) else None
        return None

    def _kept(self, index: int, fit: Fit | None, like: Fit) -> Fit | None:
        """Return *fit* if the word is like it, else one of the size and slant of *like*."""
        return fit if fit and fit.correlation >= LEAST else self._placed(index, like)

    def _placed(self, index: int, like: Fit) -> Fit | None:
        """Return the fit of a word that OCR misread: set as *like* is, from its left edge."""
        dark, around = self._full(index)
        box = ink_box(dark)
        if box is None:
            return None
        word = drawn(like.face.file, self._words[index].text, like.spacing)
        size = around.width, around.height
        x = box[0] - like.matrix[0, 0] * word.ink[0]
        low = box[3] - like.matrix[1, 1] * word.ink[3]
        tried = []
        for y in np.arange(low - _UP_TO * like.em, low + _UP_TO * like.em, 0.5):
            seen = like.scan.of(laid(word, like.matrix, (x, float(y)), size))
            tried.append((correlation(dark, seen), float(y)))
        best, y = max(tried)
        pen = x + around.left, y + around.top
        return replace(like, pen=pen, correlation=min(best, LEAST))

    def _is_large(self, group: Sequence[int]) -> bool:
        return max(self._words[index].box.height for index in group) >= SMALLEST

    def _informative(self, group: Sequence[int]) -> list[int]:
        """Return the words of a line that tell most of its typeface: the longest."""
        return sorted(group, key=self._by_length)[:_INFORMATIVE]

    def _by_length(self, index: int) -> tuple[int, int]:
        return -len(self._words[index].text), index

    def _others(self, groups: Sequence[Sequence[int]]) -> list[int]:
        """Return long words outside of *groups*, of similar height and nearest to them."""
        own = {index for group in groups for index in group}
        height = float(np.median([self._words[index].box.height for index in own]))
        top = float(np.median([self._words[index].box.top for index in own]))
        others = [
            index
            for index, word in enumerate(self._words)
            if index not in own
            and self._votes(index)
            and len(word.text) > 4
            and abs(word.box.height - height) <= 0.15 * height + 1
        ]
        return sorted(others, key=lambda index: abs(self._words[index].box.top - top))[:_ELSEWHERE]

    def _likeness(self, lines: Sequence[Sequence[int]], faces: Sequence[Face], face: Face) -> float:
        """Return the third quartile of the correlation of the letters in *face*."""
        words = [
            index for line, of in zip(lines, faces, strict=False) if of == face for index in line
        ]
        found = [(fit.correlation, index) for index in words if (fit := self._fit(index, face))]
        weights = [self._weight(index) for _, index in found]
        return _quantile(np.array([one for one, _ in found]), weights, 0.75) if found else 0.0

    def _align(self, lines: Sequence[Sequence[int]], faces: Sequence[Face], face: Face) -> None:
        """Fit words again that differ in size or spacing from others of the hand in *face*.

        A larger size with tighter spacing may fit a word as well. It is kept if it fits better.
        """
        words = [
            index for line, of in zip(lines, faces, strict=False) if of == face for index in line
        ]
        found = [(index, fit) for index in words if (fit := self._fit(index, face))]
        found = [(index, fit) for index, fit in found if fit.correlation >= LEAST]
        if not found:
            return
        weights = [self._weight(index) for index, _ in found]
        entries = np.array([(*fit.matrix.ravel(), fit.spacing) for _, fit in found])
        *matrix, spacing = (_median(column, weights) for column in entries.T)
        usual = np.array(matrix).reshape(2, 2)
        for index, fit in found:
            if len(self._words[index].text) > _FEW and not _alike(fit, usual, spacing, _ALIKE):
                again = self._fitted_like(index, replace(fit, matrix=usual, spacing=spacing))
                if again and again.error <= _BETTER * fit.error:
                    known = self._fits[index]
                    known[known.index(fit)] = again

    def _costs(self, lines: Sequence[Sequence[int]], faces: Sequence[Face]) -> Costs:
        """Return how much worse each of *faces* explains each line, by the fits known so far."""
        return np.array([sum(self._cost(index, faces) for index in line) for line in lines])

    def _cost(self, index: int, faces: Sequence[Face]) -> NDArray[np.float64]:
        fits = {fit.face: fit for fit in self._fits.get(index, ())}
        if not fits:
            return np.zeros(len(faces))
        errors = {face: fit.error for face, fit in fits.items()}
        least = max(min(errors.values()), 1e-4)
        unseen = max(_MISSING * max(errors.values()), _UNSEEN * least)
        worse = np.array([max(errors.get(face, unseen), least) / least for face in faces])
        strange = {face: abs(fit.spread - self._spread) / _UNEVEN for face, fit in fits.items()}
        most = max(strange.values())
        heavier = np.array([min(strange.get(face, most), _STRANGEST) for face in faces])
        of_family = self._family_costs(index)
        family = np.array([of_family.get(face.family, 0.0) for face in faces])
        weight = self._weight(index)
        share = weight / _LONGEST
        return np.asarray(weight * np.log(worse) + share * (heavier**2 / 2 + family))

    def _family_costs(self, index: int) -> dict[str, float]:
        """Return how unlikely each family is for a word, in nats, as the network says."""
        if index not in self._families:
            dark, _ = self._full(index)
            box = ink_box(dark)
            self._families[index] = {}
            if self._shortlist and box is not None:
                left, top, right, bottom = box
                found = self._shortlist.families(dark[top:bottom, left:right])
                self._families[index] = {
                    family: -float(np.log(max(share, _LEAST_LIKELY)))
                    for family, share in found.items()
                }
        return self._families[index]

    def _weight(self, index: int) -> int:
        """Return how much a word counts: its letters, up to a limit."""
        return min(len(self._words[index].text), _LONGEST)

    def fits(self, index: int) -> list[Fit]:
        """Return the best fits of a word, one per typeface, the best first."""
        if index not in self._searched:
            self._searched.add(index)
            found = self._fitted(index, self._faces, _ALIGNED, self._shortlist)
            known = self._fits.setdefault(index, [])
            faces = {fit.face for fit in known}
            known += [fit for fit in found if fit.face not in faces]
            known.sort(key=lambda fit: fit.error)
        return self._fits[index]

    @staticmethod
    def margin(box: Box) -> int:
        """Return the margin around a word, in pixels."""
        return max(2, box.height // 4)

    def _fit(self, index: int, face: Face) -> Fit | None:
        """Return the word's fit in *face*, and compute it if it was not among the best."""
        known = self._fits.setdefault(index, [])
        for fit in known:
            if fit.face == face:
                return fit
        found = self._fitted(index, [face], 1)
        known += found
        return found[0] if found else None

    def _fitted(
        self, index: int, faces: Sequence[Face], most: int, by: Shortlist | None = None
    ) -> list[Fit]:
        """Fit a word; if that fails, without what may be specks of dust around it."""

        def tried() -> list[Fit]:
            dark, around = self._full(index)
            found = fits(dark, self._words[index].text, faces, self.sheet.slope, most, by)
            return [_on_page(fit, around) for fit in found]

        found = tried()
        if index in self._dusted or (found and found[0].correlation >= IMITABLE):
            return found
        self._dusted.add(index)
        dark, around = self._word(index)
        clean = without_specks(dark)
        if clean is not dark:
            self._darks[index] = clean, around
            self._fulls.pop(index)
            again = tried()
            if again and (not found or again[0].error < found[0].error):
                return again
            self._darks[index] = dark, around
            self._fulls.pop(index)
        return found

    def _fitted_like(self, index: int, like: Fit) -> Fit | None:
        """Fit a word, searched near the map of *like*."""
        dark, around = self._full(index)
        found = fitted_like(dark, self._words[index].text, like, self.sheet.slope)
        return _on_page(found, around) if found else None

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
        line = self._seen(group, own)
        _, way, scan, tones, texture = min(
            _scanned(line, best.scan, self._ways(group)), key=lambda one: one[0]
        )
        best = self._steadied(group, best)
        if sum(len(self._words[index].text) for index in group) <= _FEW and scan.finer == 1:
            scan = best.scan
        drawn_in = sum(pieces(one.coverage(1)) for one in line.words)
        seen_in = sum(max(1, pieces(one.dark, line.level)) for one in line.words)
        piece_ratio = min(1.0, seen_in / max(drawn_in, 1))
        between = self._between(group, own)
        return Style(
            best, scan, line.strength, tones, between, texture, piece_ratio, way.grain, tuple(own)
        )

    def _seen(self, group: Sequence[int], own: Sequence[Fit | None]) -> "_Line":
        """Return the words of *group* that fit, as the page shows them."""
        words, solid, textures = [], [], []
        for index, fit in zip(group, own, strict=True):
            if fit is None or fit.correlation < LEAST:
                continue
            dark, around = self._word(index)
            one = _Seen(fit, self._words[index].text, dark, self._raw(dark, around), around)
            words.append(one)
            solid.append(dark[one.full])
            textures.append(Texture.of(dark, one.full))
        solidest = int(np.argmax([one.size for one in solid]))
        texture = textures[solidest]
        inked = np.concatenate([one.dark.ravel() for one in words])
        inked = inked[inked > INKY]
        # The tone curve ends at the median of full ink, which the texture then varies. If there is
        # too little full ink to measure a texture, it ends at the darkest pixels.
        if texture.deviation:
            level = float(np.median(np.concatenate(solid)))
        else:
            level = float(np.percentile(inked, _DARKEST)) if inked.size else 1.0
        strength = float(np.percentile(inked, 90)) if inked.size else 1.0
        return _Line(words, level, strength, texture, words[solidest])

    def _ways(self, group: Sequence[int]) -> Sequence[_Way]:
        """Return the scan model that imitates a few lines of the hand of *group* best.

        All lines of a hand get the same, or some would be bolder or rougher than others. If no line
        fits well, all models are returned.
        """
        together = self._together[tuple(group)]
        if together not in self._usual:
            self._usual[together] = self._found_ways(together)
        return self._usual[together]

    def _found_ways(self, groups: Sequence[tuple[int, ...]]) -> Sequence[_Way]:
        lines = []
        for group in groups:
            hand = self._hands[group]
            own = [self._fit(index, hand.face) for index in group]
            good = [fit for fit in own if fit and fit.correlation >= LEAST]
            if good and hand.correlation >= IMITABLE and max(fit.em for fit in good) <= _LARGEST:
                best = self._most_informative(group, own, good)
                lines.append((-best.correlation * min(len(good), 2), group, own, best))
        some = [
            (self._seen(group, own), best.scan)
            for _, group, own, best in sorted(lines, key=lambda one: one[:2])[:_SCANNED]
        ]
        if not some:
            return _WAYS
        # First one of each kind, then all of the best kinds.
        kinds = {way.kind for way in _best_ways(some, _TYPICAL)[:_KINDS]}
        return _best_ways(some, [way for way in _WAYS if way.kind in kinds])[:1]

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
        """Return *best* with size, stretch and slant averaged with other words.

        Uses the median weighted by letters; a few letters alone give no exact measurement. All
        lines that are of the usual size of their hand get that size: it is measured by more words.
        """
        letters = sum(len(self._words[index].text) for index in group)
        apart = _ALIKE if letters > _FEW else _ROUGHLY_ALIKE
        usual = self._size_of(self._together[tuple(group)])
        if usual and letters <= _FEW:
            if abs(best.em / usual.em - 1) < apart:  # one letter tells little of width and spacing
                return replace(best, matrix=usual.matrix, spacing=usual.spacing, scan=usual.scan)
        elif usual and _alike(best, usual.matrix, usual.spacing, apart):
            return replace(best, matrix=usual.matrix)
        steady: list[tuple[Fit, float]] = []
        others = {hand.face for hand in self._hands.values()}
        for index in self._beside(group):
            fit = self._fit(index, best.face)
            if (
                fit
                and fit.correlation >= LEAST
                and _alike(fit, best.matrix, best.spacing, apart)
                # Last, because it fits the word in other faces, too.
                and fit.error
                <= _BETTER * min(one.error for face in others if (one := self._fit(index, face)))
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

    def _size_of(self, groups: tuple[tuple[int, ...], ...]) -> Fit | None:
        """Return a fit with the median size, spacing and scan model of words of a hand.

        Args:
            groups: The lines of the hand.

        Returns:
            None if they have too few words.
        """
        if groups not in self._sizes:
            face = self._hands[groups[0]].face
            words = [index for group in groups for index in self._informative(group)]
            found = [(fit, index) for index in words if (fit := self._fit(index, face))]
            found = [(fit, index) for fit, index in found if fit.correlation >= LEAST]
            usual = self._median_of(found)
            if usual:  # without words that are of another size
                near = [one for one in found if _alike(one[0], usual.matrix, usual.spacing, _ALIKE)]
                usual = self._median_of(near)
            self._sizes[groups] = usual
        return self._sizes[groups]

    def _median_of(self, found: Sequence[tuple[Fit, int]]) -> Fit | None:
        """Return the median of fits of words, weighted by letters; None if they are too few."""
        if len(found) < _OF_HAND:
            return None
        weights = [self._weight(index) for _, index in found]
        scans = [fit.scan for fit, _ in found]
        blur, threshold, gain = (
            _median(np.array([getattr(scan, name) for scan in scans]), weights)
            for name in ("blur", "threshold", "gain")
        )
        entries = np.array([(*fit.matrix.ravel(), fit.spacing) for fit, _ in found])
        *matrix, spacing = (_median(column, weights) for column in entries.T)
        return replace(
            found[0][0],
            matrix=np.array(matrix).reshape(2, 2),
            spacing=spacing,
            scan=Scan(blur, threshold, gain),
        )

    def _beside(self, group: Sequence[int]) -> list[int]:
        """Return words that may be of the group's size: of its hand, or beside it on the line."""
        line = self._on_line[self._lines[group[0]]]
        first, last = line.index(group[0]), line.index(group[-1])
        near = line[max(0, first - _NEIGHBOURS) : first] + line[last + 1 : last + 1 + _NEIGHBOURS]
        others = sorted(self._of_hand(group), key=lambda other: self._distance(other, group))
        same = [index for other in others for index in self._informative(other)]
        found = near + same[:_OF_HAND]
        if len(found) < _OF_HAND:
            found += self._others([group])
        return [index for index in dict.fromkeys(found) if self._votes(index)]

    def _of_hand(self, group: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the other styled lines of the group's hand."""
        hand = self._hands[tuple(group)]
        return [one for one, of in self._hands.items() if of == hand and one != tuple(group)]

    def _distance(self, one: Sequence[int], other: Sequence[int]) -> tuple[int, int]:
        first, second = self._words[one[0]].box, self._words[other[0]].box
        return abs(first.top - second.top), abs(first.left - second.left)

    def _votes(self, index: int) -> bool:
        word = self._words[index]
        return (
            word.conf >= _SURE
            and len(word.text) > 2
            and word.text.isascii()
            and word.box.height >= SMALLEST
        )


class _Seen:
    """Hold a word of the page, and render it.

    Args:
        fit: Its fit.
        text: Its text.
        dark: The word's darkness on the page.
        raw: The same with the unclipped noise of the paper.
        around: Where they are on the page.
    """

    def __init__(self, fit: Fit, text: str, dark: Dark, raw: Dark, around: Box) -> None:
        self.fit = fit
        self.dark = dark
        self.raw = raw
        self._text = drawn(fit.face.file, text, fit.spacing)
        self._pen = fit.pen[0] - around.left, fit.pen[1] - around.top
        self._coverage: dict[int, Dark] = {}
        self._grains: dict[int, Dark] = {}

    def coverage(self, finer: int) -> Dark:
        """Return the rendered coverage, oversampled by *finer*."""
        if finer not in self._coverage:
            size = self.dark.shape[1], self.dark.shape[0]
            self._coverage[finer] = laid(self._text, self.fit.matrix, self._pen, size, finer)
        return self._coverage[finer]

    @cached_property
    def full(self) -> NDArray[np.bool_]:
        """Return the mask of full ink."""
        inside = self.fit.scan.of(self.coverage(1)) > _FULL
        inner = cv2.erode(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        # Rendered ink where the page has none is a misfit, not texture.
        page = self.dark > 0.5 * strength_of(self.dark)
        return (inner if inner.sum() >= _MANY else inside) & page

    def noise(self) -> Dark:
        """Return Gaussian noise with the deviation of the paper's noise."""
        paper = self.raw[(self.coverage(1) < _BARE) & (self.raw < _BARELY)]
        deviation = np.float32(paper.std() if paper.size else 0)
        return np.random.default_rng(2).standard_normal(self.raw.shape, np.float32) * deviation

    def scanned(self, scan: Scan | None, strength: float) -> Dark:
        """Apply *scan*, or the word's own scan model, with grain of that strength."""
        scan = scan or self.fit.scan
        coverage = self.coverage(scan.finer)
        if not strength:
            return scan.of(coverage)
        if scan.finer not in self._grains:
            self._grains[scan.finer] = grain(coverage, np.random.default_rng(0))
        return scan.of(coverage, self._grains[scan.finer] * np.float32(strength))


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Hold the words of a line that fit, and the tone of their ink.

    Attributes:
        words: The words.
        level: The darkest tone.
        strength: The darkness of its ink; 1 is the page's full ink.
        texture: The texture of full ink.
        solid: The word on which that was measured.
    """

    words: Sequence[_Seen]
    level: float
    strength: float
    texture: Texture
    solid: _Seen


_Scanned = tuple[float, _Way, Scan, Dark, Texture]
"""How far a scan model is from the page, it, its tone curve, and what the ink varies by beyond what
the model makes of it."""


def _scanned(line: _Line, own: Scan, ways: Sequence[_Way]) -> list[_Scanned]:
    """Render a line with each of *ways*, and compare it with the page.

    Compares histograms of local binary patterns (Ojala et al., PAMI 2002) at the edges of letters,
    after adding ink texture and paper noise.

    Args:
        line: The words to compare.
        own: The scan model of the most informative word.
        ways: The scan models to try; of large letters only those on the page's own grid are.
    """
    words, level = line.words, line.level
    seen = np.concatenate([one.dark.ravel() for one in words])
    targets = [_patterns(one.raw) for one in words]
    noises = [one.noise() for one in words]
    patches = [line.texture.patches(one.dark.shape, np.random.default_rng(1)) for one in words]
    own_pieces = [pieces(one.dark, level) + 1 for one in words]
    # Measured on unclipped darkness, in which the paper's noise averages to 0.
    share = float(np.concatenate([one.raw.ravel() for one in words]).mean()) / max(level, 0.1)
    if max(one.fit.em for one in words) > _LARGEST:
        ways = [way for way in ways if way.finer == 1] or [_Way(1, 0.0, 0.0)]
    found = []
    for way in ways:
        scan = None if way.finer == 1 else _fine(words, way, share)
        made = [one.scanned(scan, way.grain) for one in words]
        tones = matched(np.concatenate([one.ravel() for one in made]), seen)
        toned = [np.interp(one, *tones).astype(np.float32) for one in made]
        solid = toned[words.index(line.solid)]
        rest = line.texture.beyond(Texture.of(solid, line.solid.full))
        if not rest.is_even:
            tones[1] = np.minimum(tones[1], np.float32(level))
            toned = [np.minimum(one, np.float32(level)) for one in toned]
        far = 0.0
        for drawing, target, noise, uneven, blobs in zip(
            toned, targets, noises, patches, own_pieces, strict=True
        ):
            inked = rest.with_patches(drawing, uneven)
            far += float(np.abs(_patterns(inked + (1 - inked) * noise) - target).sum())
            # Penalize touching or broken letters if the original's are not.
            blots = (pieces(inked, level) + 1) / blobs
            far += _APART * abs(np.log(blots))
        found.append((far, way, scan or own, tones, rest))
    return found


def _best_ways(lines: Sequence[tuple[_Line, Scan]], ways: Sequence[_Way]) -> list[_Way]:
    """Return *ways* in the order of how well they imitate *lines*, with the lines' own models."""
    far = np.zeros(len(ways))
    for line, own in lines:
        far += np.array([one[0] for one in _scanned(line, own, ways)]) / len(line.words)
    return [ways[number] for number in np.argsort(far, kind="stable")]


def pieces(dark: Dark, level: float = 1.0) -> int:
    """Count the connected components of ink, where full ink has the darkness *level*."""
    return cv2.connectedComponents((dark > level / 2).astype(np.uint8), connectivity=8)[0] - 1


def _fine(words: Sequence[_Seen], way: _Way, share: float) -> Scan:
    """Return the scan model whose threshold on the finer grid gives the ink share *share*."""
    scan = Scan(way.blur, 0.5, _STEEP, way.finer, way.cubic, way.bleed)
    fine = np.concatenate([scan.blurred(one.coverage(way.finer)).ravel() for one in words])
    threshold = float(np.quantile(fine, min(max(1 - share, 0), 1)))
    return replace(scan, threshold=float(np.clip(threshold, 0.05, 0.95)))


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
    curve[1, curve[0] < FAINT] = 0  # bare paper stays bare
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
    return _quantile(values, weights, 0.5)


def _quantile(values: NDArray[np.float64], weights: Sequence[float], share: float) -> float:
    """Return the weighted quantile."""
    order = np.argsort(values)
    reached = np.cumsum(np.asarray(weights)[order])
    return float(values[order][np.searchsorted(reached, reached[-1] * share)])


def strength_of(dark: Dark) -> float:
    """Return the darkness of a word's ink: the 90th percentile of its inked pixels."""
    inked = dark[dark > 0.2]
    return float(np.percentile(inked, 90)) if inked.size else 1.0


def _alike(fit: Fit, matrix: Matrix, spacing: float, apart: float) -> bool:
    """Check that a fit differs little from a map and a spacing: by less than *apart* em units."""
    em = float(np.hypot(*matrix[:, 1]))
    return bool(
        np.abs(fit.matrix - matrix).max() < apart * em and abs(fit.spacing - spacing) < _AS_SPACED
    )


def _on_page(fit: Fit, around: Box) -> Fit:
    return replace(fit, pen=(fit.pen[0] + around.left, fit.pen[1] + around.top))
