"""Replacing: findings of a page give way to surrogates that look as if they had stood there."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Any, Protocol

import cv2
import numpy as np
from PIL import Image

from presidio_cdip.errors import CdipError
from presidio_cdip.imaging.boxes import LineBox, PageFinding
from presidio_cdip.imaging.canvas import Canvas
from presidio_cdip.imaging.erase import Colour, fill
from presidio_cdip.imaging.faces import Face
from presidio_cdip.imaging.fitting import Fit
from presidio_cdip.imaging.layout import LayoutText
from presidio_cdip.imaging.painting import painted, spacing_for, width_of
from presidio_cdip.imaging.paper import METHODS, Mask, Pixels
from presidio_cdip.imaging.rendering import Dark, blurred_by, drawn
from presidio_cdip.imaging.sheet import INKY, Sheet, without_strangers
from presidio_cdip.imaging.styles import Style, StyleBook
from presidio_cdip.imaging.words import Box

_CANDIDATES = 24
_AROUND = 8.0  # of a line's height: how much of the page paper is taken from
_SHARED = 0.35  # of a line's height: how far a box that is cut within a word reaches into a label
_RING, _EDGE, _BEYOND = (np.ones((size, size), np.uint8) for size in (9, 5, 15))
_MEASURED, _HEARD = 60, 0.7  # pixels that tell of noise, and grey levels of it that are seen
_TRUSTED = 0.9  # correlation of a fit that knows better than OCR where a word begins and ends
_GAP = 0.3  # em units that must be left before the next word
_LOOSE = 0.12  # of the width, by which a value in running text may be off before it is respaced


class Source(Protocol):
    """Where surrogates come from: `presidio_cdip.surrogates.engine.Surrogates`, or a double."""

    def candidates(self, entity: str, value: str) -> Iterator[str]:
        """Different surrogates of *value*, in order."""

    def seed(self, purpose: str, normal: str) -> int:
        """A number that key, scope, *purpose* and *normal* decide."""


@dataclass(frozen=True, slots=True)
class Treated:
    """What became of one finding.

    Attributes:
        entity: The entity's name.
        boxes: What was changed, in pixels of the page, in reading order.
        method: ``surrogate``, or the way in which it was erased.
        face: The face it was painted in, if it was.
        em: Its size, in pixels.
        fit: The correlation of that style with the original's pixels, in [-1, 1]; of several lines,
            the least.
        reason: Why it was erased and not painted; "" where it was painted, or was to be erased.
    """

    entity: str
    boxes: tuple[Box, ...]
    method: str
    face: str = ""
    em: float = 0.0
    fit: float = 0.0
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        """For a report; no text of the page is in it."""
        found: dict[str, Any] = {
            "entity": self.entity,
            "boxes": [list(box) for box in self.boxes],
            "method": self.method,
        }
        if self.face:
            found |= {"face": self.face, "em": round(self.em, 1), "fit": round(self.fit, 3)}
        return found | ({"reason": self.reason} if self.reason else {})


@dataclass(frozen=True, slots=True)
class _Plan:
    """How one line of a finding is to be painted."""

    part: LineBox
    style: Style
    text: str = field(repr=False)
    pen: tuple[float, float]
    spacing: float


class Filler:
    """Fills the boxes of a page's findings with a colour, whatever the page's mode.

    Args:
        image: The page.
        colour: As for `erase.fill`.
        method: What reports call it.
        reason: Why nothing is painted; "" where nothing was to be.
    """

    def __init__(self, image: Image.Image, colour: Colour, method: str, reason: str = "") -> None:
        self.image = image
        self._colour = colour
        self._method = method
        self._reason = reason

    def agree(self, findings: Sequence[PageFinding]) -> None:
        """Nothing is painted, so nothing has to agree."""

    def paint(self, finding: PageFinding) -> tuple[PageFinding, Treated]:
        """Fill, and say why nothing was painted."""
        return self.erase(finding, self._reason)

    def erase(self, finding: PageFinding, reason: str = "") -> tuple[PageFinding, Treated]:
        """Fill the boxes of *finding*."""
        self.image = fill(self.image, finding.boxes, self._colour)
        reason = reason or self._reason
        return finding, Treated(finding.entity, finding.boxes, self._method, reason=reason)


class Replacer:
    """Erases and paints the findings of one page.

    Args:
        image: The page.
        layout: Its text and words.
        faces: Those to paint in.
        source: Of surrogates; None where nothing is to be painted.
        erasing: The name of the method, one of `METHODS`, by which originals go.
        noise: One of `painting.NOISES`.
        page: A name of the page within its scope; with the key it decides every chance.

    Raises:
        CdipError: The page is of a mode that cannot be painted on.
    """

    def __init__(
        self,
        image: Image.Image,
        layout: LayoutText,
        faces: Sequence[Face],
        source: Source | None,
        erasing: str = "paper",
        noise: str = "fitted",
        page: str = "0",
    ) -> None:
        canvas = Canvas.of(image)
        if canvas is None:
            raise CdipError(f"a page of mode {image.mode} cannot be painted on: convert it to RGB")
        self._canvas = canvas
        self._layout = layout
        self._erasing = erasing
        self._noise = noise
        self._source = source
        self._page = page
        self._laid: dict[tuple[int, ...], Box] = {}
        self._agreed: dict[tuple[str, str], tuple[str, ...]] = {}
        self.sheet = Sheet.of(image)
        self._book = StyleBook(self.sheet, layout.words, layout.lines, faces)
        self._pixels: Pixels = canvas.pixels.copy()
        self._changed: Mask = np.zeros(self.sheet.pixels.shape, np.bool_)

    @property
    def image(self) -> Image.Image:
        """The page as it is now; pixels outside of what was treated are as they were."""
        return self._canvas.painted(self._pixels, self._changed)

    def paint(self, finding: PageFinding) -> tuple[PageFinding, Treated]:
        """Erase *finding* and paint a surrogate in its place, or only erase it and say why.

        Returns:
            The finding with the text that stands there now, and the report of it.
        """
        try:
            plans = self._plans(finding)
        except _Refusal as refusal:
            return self.erase(finding, str(refusal))
        finding = replace(
            finding,
            parts=tuple(
                self._with_ink(part, plan.style)
                for part, plan in zip(finding.parts, plans, strict=True)
            ),
        )
        boxes = [self._erase(part) for part in finding.parts]
        for number, plan in enumerate(plans):
            boxes[number] = boxes[number].union(self._lay(plan))
        best = max((plan.style.fit for plan in plans), key=lambda fit: fit.correlation)
        parts = tuple(
            replace(part, instead=plan.text)
            for part, plan in zip(finding.parts, plans, strict=True)
        )
        return replace(finding, parts=parts), Treated(
            finding.entity,
            tuple(boxes),
            "surrogate",
            best.face.name,
            best.em,
            min(plan.style.fit.correlation for plan in plans),
        )

    def erase(self, finding: PageFinding, reason: str = "") -> tuple[PageFinding, Treated]:
        """Erase *finding*, and paint nothing."""
        boxes = tuple(
            self._erase(replace(part, box=part.box.union(self._laid.get(part.words, part.box))))
            for part in finding.parts
        )
        parts = tuple(replace(part, instead="") for part in finding.parts)
        return replace(finding, parts=parts), Treated(
            finding.entity, boxes, self._erasing, reason=reason
        )

    # --- what is painted ------------------------------------------------------------------------

    def _plans(self, finding: PageFinding) -> list[_Plan]:
        parts = finding.parts
        if not parts or self._source is None:
            raise _Refusal("there is nothing to paint")
        styles = []
        for part in parts:
            style = self._book.style(part.words)
            if style is None:
                raise _Refusal("no face is like it: handwriting, a stamp, or too small")
            styles.append(style)
        value = self._value(parts)
        fallback: tuple[float, list[_Plan]] | None = None
        chosen = ""
        try:
            agreed = self._agreed.get((finding.entity, value), ())
            stream = islice(self._source.candidates(finding.entity, value), _CANDIDATES)
            for candidate in (*agreed, *stream):
                tried = self._tried(parts, styles, candidate)
                if tried and (fallback is None or tried[0] < fallback[0]):
                    fallback, chosen = tried, candidate
                if fallback and fallback[0] <= 0:
                    break
        except CdipError as error:
            raise _Refusal(f"no surrogate: {type(error).__name__}") from None
        if fallback is None:
            raise _Refusal("no surrogate has its lines")
        worst, plans = fallback
        if worst > _LOOSE:
            raise _Refusal("no surrogate fits the space")
        self._agreed.setdefault((finding.entity, value), (chosen,))
        return plans

    def agree(self, findings: Sequence[PageFinding]) -> None:
        """Choose one surrogate for each value that stands several times, such that it fits all."""
        if self._source is None:
            return
        places: dict[tuple[str, str], list[PageFinding]] = defaultdict(list)
        for finding in findings:
            if finding.parts:
                value = " ".join(self._value(finding.parts).casefold().split())
                places[finding.entity, value].append(finding)
        for (entity, _), same in places.items():
            if len(same) > 1:
                with suppress(CdipError):  # whoever paints it says so
                    self._agree(entity, same)

    def _agree(self, entity: str, same: Sequence[PageFinding]) -> None:
        assert self._source
        values = [self._value(finding.parts) for finding in same]
        # The n-th candidates of values that differ in case or lines say the same.
        streams = [
            list(islice(self._source.candidates(entity, one), _CANDIDATES)) for one in values
        ]
        best: tuple[float, int] | None = None
        for number in range(min(map(len, streams))):
            worst = 0.0
            for finding, stream in zip(same, streams, strict=True):
                styles = [self._book.style(part.words) for part in finding.parts]
                known = [style for style in styles if style]
                if len(known) < len(styles):
                    continue  # that place is only erased
                tried = self._tried(finding.parts, known, stream[number])
                worst = max(worst, tried[0] if tried else 1.0)
            if best is None or worst < best[0]:
                best = worst, number
            if worst <= 0:
                break
        if best:
            for value, stream in zip(values, streams, strict=True):
                self._agreed[entity, value] = (stream[best[1]],)

    def _tried(
        self, parts: Sequence[LineBox], styles: Sequence[Style], candidate: str
    ) -> tuple[float, list[_Plan]] | None:
        """`_fitted` for *candidate*; None where it has not its lines, or a face not its letters."""
        texts = _shared_out(candidate, parts)
        if texts is None or not all(
            style.fit.face.draws(text) for style, text in zip(styles, texts, strict=True)
        ):
            return None
        return self._fitted(parts, styles, texts)

    def _value(self, parts: Sequence[LineBox]) -> str:
        """The original, its lines apart, its columns by three spaces."""
        value = parts[0].value
        for before, part in pairwise(parts):
            value += ("\n" if before.line != part.line else "   ") + part.value
        return value

    def _fitted(
        self, parts: Sequence[LineBox], styles: Sequence[Style], texts: Sequence[str]
    ) -> tuple[float, list[_Plan]]:
        """Plans for *texts*, and by which share of its width the worst is off; 0 or less fits."""
        plans = []
        worst = 0.0
        for part, style, text in zip(parts, styles, texts, strict=True):
            old = self._extent(part, style)
            room, follows = self._room(part, style)
            own = width_of(style, text)
            aligned_right = self._aligned_right(part)
            if aligned_right:
                room, follows = self._room_left(part, style, old), False
            wanted = own
            if follows and abs(own - (old[1] - old[0])) > _LOOSE / 3 * (old[1] - old[0]):
                # In running text the next word stays where it is.
                wanted = old[1] - old[0]
                # Letters that are moved far touch: another surrogate may need it less.
                worst = max(worst, (abs(own - wanted) / wanted - _LOOSE / 2) / 4)
            wanted = min(wanted, room)
            spacing = style.fit.spacing if wanted == own else spacing_for(style, text, wanted)
            width = width_of(style, text, spacing)
            if width > room:
                worst = max(worst, (width - room) / room + 1e-3)
            left = old[1] - width if aligned_right else old[0]
            plans.append(_Plan(part, style, text, self._pen(part, style, text, left), spacing))
        return worst, plans

    def _extent(self, part: LineBox, style: Style) -> tuple[float, float]:
        """Where the original's ink begins and ends, across the page."""
        words = [self._layout.words[index] for index in part.words]
        first, last = style.words[0], style.words[-1]
        left, right = float(words[0].box.left), float(words[-1].box.right)
        # OCR's boxes may hold less than their word, or some of the space beside it.
        if first and first.correlation >= _TRUSTED:
            left = _inked(first, words[0].text)[0]
        if last and last.correlation >= _TRUSTED:
            right = _inked(last, words[-1].text)[1]
        whole = "".join(word.text for word in words)
        if len(part.text.replace(" ", "")) < len(whole):
            at = words[0].text.find(part.text.split()[0]) if part.text.split() else 0
            if first and at > 0:
                pens = drawn(first.face.file, words[0].text, first.spacing).pens
                left = max(left, first.pen[0] + first.matrix[0, 0] * pens[at])
            else:
                left = max(left, float(part.box.left))
            tail = part.text.split()[-1] if part.text.split() else ""
            end = words[-1].text.rfind(tail) + len(tail)
            if last and 0 < end < len(words[-1].text):
                pens = drawn(last.face.file, words[-1].text, last.spacing).pens
                right = min(right, last.pen[0] + last.matrix[0, 0] * pens[end])
            else:
                right = min(right, float(part.box.right))
        return left, max(right, left + 1)

    def _with_ink(self, part: LineBox, style: Style) -> LineBox:
        """The part with a box that holds all of its ink, where OCR's was too short."""
        left, right = self._extent(part, style)
        most = part.box.height // 2
        box = part.box.union(
            Box(
                max(int(left) - 1, part.box.left - most),
                part.box.top,
                min(int(right) + 2, part.box.right + most),
                part.box.bottom,
            )
        )
        return replace(part, box=box.clipped(self._canvas.image.size))

    def _whole(self, part: LineBox) -> tuple[bool, bool]:
        """Whether the part begins, and ends, where a word does, and not within one."""
        first, last = (self._layout.words[index].box for index in (part.words[0], part.words[-1]))
        return part.box.left <= first.left, part.box.right >= last.right

    def _room(self, part: LineBox, style: Style) -> tuple[float, bool]:
        """How wide a text may be, and whether another word follows closely in its line."""
        left, right = self._extent(part, style)
        words, em = self._layout.words, style.fit.em
        if not self._whole(part)[1]:
            return right - left, True  # what follows is in the same word
        limit = float(self._canvas.image.width) - 2
        follows = False
        reach = part.box
        for index, word in enumerate(words):
            if index in part.words or word.box.left < right - 1:
                continue
            if (
                min(word.box.bottom, reach.bottom) - max(word.box.top, reach.top)
                > 0.3 * min(word.box.height, reach.height)
                and word.box.left - _GAP * em < limit
            ):
                limit = word.box.left - _GAP * em
                follows = word.box.left - right < 1.2 * em
        if not follows:
            edge = max((word.box.right for word in words), default=0)
            limit = min(limit, max(float(edge), right))
        limit = min(limit, self._ruled(part, right, limit))
        return max(limit, right) - left, follows

    def _room_left(self, part: LineBox, style: Style, extent: tuple[float, float]) -> float:
        """How wide a text may be that ends where the original does."""
        words = self._layout.words
        limit = min(extent[0], min(word.box.left for word in words))
        for index, word in enumerate(words):
            if index in part.words or word.box.right > extent[0] + 1:
                continue
            if min(word.box.bottom, part.box.bottom) > max(word.box.top, part.box.top):
                limit = max(limit, word.box.right + _GAP * style.fit.em)
        crossing = self._crossing(part, max(0, int(limit)), max(0, int(extent[0])))
        if crossing:
            limit += crossing[-1] + _GAP * style.fit.em
        return extent[1] - min(limit, extent[0])

    def _ruled(self, part: LineBox, right: float, limit: float) -> float:
        """Where the first upright rule crosses the line to the right of the value."""
        crossing = self._crossing(part, int(right) + 1, int(limit))
        return right + crossing[0] if crossing else limit

    def _crossing(self, part: LineBox, left: int, right: int) -> list[int]:
        """Where upright rules cross the line between *left* and *right*, counted from *left*."""
        strip = self.sheet.rules[part.box.top : part.box.bottom, left : max(left, right)]
        return np.flatnonzero(strip.mean(axis=0) > 0.8).tolist() if strip.size else []

    def _aligned_right(self, part: LineBox) -> bool:
        """Whether it is a number in a column whose right edges stand below each other."""
        if not re.fullmatch(r"[\d\s.,:/$%()-]+", part.text):
            return False
        near = max(2.0, 0.12 * part.box.height)
        words = self._layout.words
        own = words[part.words[0]].box.left, words[part.words[-1]].box.right
        lefts = rights = 0
        for index, word in enumerate(words):
            if self._layout.lines[index] == part.line or not re.search(r"\d", word.text):
                continue
            if abs(word.box.top - part.box.top) > 12 * part.box.height:
                continue
            lefts += abs(word.box.left - own[0]) <= near
            rights += abs(word.box.right - own[1]) <= near
        return rights >= 2 and rights > lefts

    def _pen(self, part: LineBox, style: Style, text: str, left: float) -> tuple[float, float]:
        """Where the pen begins such that the ink of *text* begins at *left* on the baseline."""
        matrix = style.fit.matrix
        base = next((fit for fit in style.words if fit is not None), style.fit)
        slope = matrix[1, 0] / matrix[0, 0]
        start = left - drawn(style.fit.face.file, text, style.fit.spacing).ink[0] * matrix[0, 0]
        return start, base.pen[1] + slope * (start - base.pen[0])

    # --- what happens to the pixels -------------------------------------------------------------

    def _lay(self, plan: _Plan) -> Box:
        """Paint; which part of the page changed."""
        size = self._canvas.image.size
        rng = self._chance(f"ink {plan.part.box}")
        ink = painted(plan.style, plan.text, plan.pen, size, rng, plan.spacing, self._noise)
        box = ink.box
        if not ink.dark.size:
            return box
        self._laid[plan.part.words] = box
        if self._noise == "augraphy":
            ink = replace(ink, dark=_augraphied(ink.dark, rng))
        dark = np.where(ink.dark > 0.02, ink.dark, 0)
        part = self._pixels[box.top : box.bottom, box.left : box.right]
        colour, depth = self._ink_colour(plan.part)
        share = dark / np.float32(depth)
        paper = part.astype(np.float32)
        if part.ndim == 3:
            share = share[:, :, None]
        mixed = paper + np.minimum(colour - paper, 0) * share
        changed = dark > 0
        if self._noise == "fitted":
            halo, ringing = self._ringing(plan.part, dark, rng)
            mixed += ringing[:, :, None] if part.ndim == 3 else ringing
            changed |= halo
        part[changed] = np.clip(mixed, 0, 255).round().astype(np.uint8)[changed]
        self._changed[box.top : box.bottom, box.left : box.right] |= changed
        return box

    def _ringing(self, part: LineBox, dark: Dark, rng: np.random.Generator) -> tuple[Mask, Dark]:
        """Noise as JPEG leaves it around letters: where, and how many grey levels."""
        height = part.box.height
        window = part.box.grown(height, height).clipped(self._canvas.image.size)
        at = np.s_[window.top : window.bottom, window.left : window.right]
        ink = (self.sheet.dark(window) > INKY).astype(np.uint8)
        levels = (self.sheet.pixels[at] - self.sheet.paper(window)).astype(np.float32)
        levels -= blurred_by(levels, 1.0)
        near = (cv2.dilate(ink, _RING) > 0) & (cv2.dilate(ink, _EDGE) == 0)
        far = cv2.dilate(ink, _BEYOND) == 0
        if near.sum() < _MEASURED or far.sum() < _MEASURED:
            return np.zeros(dark.shape, np.bool_), np.zeros_like(dark)
        # The middle of what is seen: specks beside letters are no ringing.
        spreads = (np.subtract(*np.percentile(levels[at], (84, 16))) / 2 for at in (near, far))
        here, elsewhere = (float(spread) for spread in spreads)
        more = max(0.0, here**2 - elsewhere**2) ** 0.5
        inked = (dark > INKY).astype(np.uint8)
        halo = (cv2.dilate(inked, _RING) > 0) & (inked == 0) & (more > _HEARD)
        noise = rng.normal(0, 1, dark.shape).astype(np.float32)
        noise *= more / max(float(noise.std()), 1e-6)
        return halo, np.where(halo, noise, np.float32(0))

    def _ink_colour(self, part: LineBox) -> tuple[np.ndarray[Any, Any], float]:
        """The colour of the original's darkest pixels, and how dark they are."""
        box = self._layout.words[part.words[0]].box
        for index in part.words[1:]:
            box = box.union(self._layout.words[index].box)
        box = box.clipped(self._canvas.image.size)
        dark = self.sheet.dark(box)
        pixels = self._canvas.pixels[box.top : box.bottom, box.left : box.right]
        limit = max(0.3, float(np.percentile(dark, 97)) * 0.9)
        chosen = dark >= limit
        if not chosen.any():
            return np.zeros(pixels.shape[2:] or (1,), np.float32), 1.0
        colour = np.median(pixels[chosen].reshape(int(chosen.sum()), -1), axis=0)
        return colour.astype(np.float32), max(0.3, float(np.median(dark[chosen])))

    def _erase(self, part: LineBox) -> Box:
        """Put paper where the part stands; which part of the page changed."""
        size = self._canvas.image.size
        reach = round(_AROUND * part.box.height)
        around = part.box.grown(reach, reach).clipped(size)
        gone, grown = self._gone(part, around)
        window = np.s_[around.top : around.bottom, around.left : around.right]
        taken = self.sheet.ink[window] | (self._changed[window].astype(np.uint8) * 255)
        self._pixels[window] = METHODS[self._erasing](
            self._pixels[window], gone, taken, self._chance(f"paper {part.box}")
        )
        self._changed[window] |= gone
        return grown

    def _gone(self, part: LineBox, around: Box) -> tuple[Mask, Box]:
        """Which pixels of *around* go with the part, and their box on the page."""
        shape = around.bottom - around.top, around.right - around.left
        own = np.zeros(shape, np.bool_)
        box = part.box
        own[
            box.top - around.top : box.bottom - around.top,
            box.left - around.left : box.right - around.left,
        ] = True
        window = np.s_[around.top : around.bottom, around.left : around.right]
        if self._erasing in ("white", "black"):
            return own, box
        rules = self._foreign_rules(window, own)
        dark = np.where(rules, np.float32(0), self.sheet.dark(around))
        ours = without_strangers(dark, own)
        strangers = (dark > 0.2) & (ours <= 0.2)
        halo = cv2.dilate(strangers.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        # A blot that is mostly ours goes whole, where it leaves the box a little.
        near = np.zeros(shape, np.bool_)
        more = max(1, box.height // 5)
        left, right = (box.height // 3 if whole else 1 for whole in self._whole(part))
        out = Box(box.left - left, box.top - more, box.right + right, box.bottom + more).clipped(
            self._canvas.image.size
        )
        near[
            out.top - around.top : out.bottom - around.top,
            out.left - around.left : out.right - around.left,
        ] = True
        count, labels = cv2.connectedComponents((ours > 0.2).astype(np.uint8), connectivity=8)
        touching = np.zeros(count, np.bool_)
        touching[np.unique(labels[own])] = True
        touching[0] = False
        leaving = (
            cv2.dilate((touching[labels] & near).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        )
        gone = (own | (leaving & near)) & ~(halo & ~touching[labels])
        core = self._core(part)
        # Whatever touches a letter of the value: between its words' edges nothing is spared.
        gone[
            core.top - around.top : core.bottom - around.top,
            core.left - around.left : core.right - around.left,
        ] = True
        gone &= ~rules
        rows, columns = np.flatnonzero(gone.any(axis=1)), np.flatnonzero(gone.any(axis=0))
        if not len(rows):
            return gone, box
        return gone, Box(
            around.left + int(columns[0]),
            around.top + int(rows[0]),
            around.left + int(columns[-1]) + 1,
            around.top + int(rows[-1]) + 1,
        )

    def _foreign_rules(self, window: Any, own: Mask) -> Mask:
        """The rules in *window* that are no strokes of large letters in *own*."""
        rules = self.sheet.rules[window]
        count, labels = cv2.connectedComponents(rules.astype(np.uint8), connectivity=8)
        inside = np.bincount(labels[own], minlength=count)
        mine = inside > 0.5 * np.bincount(labels.ravel(), minlength=count)
        mine[0] = False
        return np.asarray(rules & ~mine[labels])

    def _core(self, part: LineBox) -> Box:
        """The box of the value's own letters, without what a label shares of its words."""
        words = [self._layout.words[index].box for index in part.words]
        shared = round(_SHARED * part.box.height)
        left, right = part.box.left, part.box.right
        return Box(
            words[0].left if left <= words[0].left else left + shared,
            min(word.top for word in words),
            words[-1].right if right >= words[-1].right else right - shared,
            max(word.bottom for word in words),
        ).clipped(self._canvas.image.size)

    def _chance(self, purpose: str) -> np.random.Generator:
        of = f"{self._page} {purpose}"
        if self._source is None:  # where nothing is painted, nothing is to be kept secret
            return np.random.default_rng(list(of.encode()))
        return np.random.default_rng(self._source.seed("page image", of))


class _Refusal(Exception):
    """Why a finding is erased and not painted."""


def _inked(fit: Fit, text: str) -> tuple[float, float]:
    """Where the ink of *text* begins and ends across the page, as *fit* has it."""
    left, _, right, _ = drawn(fit.face.file, text, fit.spacing).ink
    return fit.pen[0] + fit.matrix[0, 0] * left, fit.pen[0] + fit.matrix[0, 0] * right


def _shared_out(candidate: str, parts: Sequence[LineBox]) -> list[str] | None:
    """*candidate* in as many pieces as there are lines, each about as long as the original's.

    Signs that went with the original's line, such as a bracket, come back around them.
    """
    pieces = [" ".join(one.split()) for one in re.split(r"\n| {3,}", candidate) if one.strip()]
    if len(pieces) != len(parts):
        pieces = _divided(candidate.split(), [len(part.value) for part in parts])
    if len(pieces) != len(parts):
        return None
    return [part.lead + piece + part.trail for part, piece in zip(parts, pieces, strict=True)]


def _divided(words: Sequence[str], lengths: Sequence[int]) -> list[str]:
    """*words* in stretches whose lengths are about in the proportion of *lengths*.

    >>> _divided("a bb ccc dddd".split(), [3, 4])
    ['a bb', 'ccc dddd']
    """
    if len(words) < len(lengths):
        return []
    ends = np.cumsum([len(word) for word in words]) / sum(map(len, words))
    found, at = [], 0
    for number, goal in enumerate(np.cumsum(lengths) / sum(lengths)):
        most = len(words) - (len(lengths) - number - 1)
        nearest = int(np.abs(ends - goal).argmin()) + 1
        end = most if number == len(lengths) - 1 else min(max(nearest, at + 1), most)
        found.append(" ".join(words[at:end]))
        at = end
    return found


def _augraphied(dark: Any, rng: np.random.Generator) -> Any:
    """The noise of Larson et al.: Augraphy's InkMottling and LowInkRandomLines, and a rotation."""
    from presidio_cdip.imaging.augraphy_noise import mottled

    return mottled(dark, rng)
