"""Replacing: findings of a page give way to surrogates that look as if they had stood there."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any, Protocol

import numpy as np
from PIL import Image

from presidio_cdip.errors import CdipError, UnsupportedPage
from presidio_cdip.imaging.page.canvas import Canvas
from presidio_cdip.imaging.painting.erase import Colour, fill
from presidio_cdip.imaging.painting.places import LOOSE, Place, Places, Plan
from presidio_cdip.imaging.painting.retouching import Retoucher
from presidio_cdip.imaging.reading.boxes import LineBox, PageFinding
from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.style.faces import Face
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.style.styles import StyleBook
from presidio_cdip.imaging.words import Box

_CANDIDATES = 24


class Source(Protocol):
    """Where surrogates come from: `presidio_cdip.surrogates.engine.Surrogates`, or a double."""

    def candidates(self, entity: str, value: str) -> Iterator[str]:
        """Different surrogates of *value*, in order."""

    def seed(self, purpose: str, normal: str) -> int:
        """A number that key, scope, *purpose* and *normal* decide."""


@dataclass(frozen=True, slots=True)
class FindingReport:
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

    def paint(self, finding: PageFinding) -> tuple[PageFinding, FindingReport]:
        """Fill, and say why nothing was painted."""
        return self.erase(finding, self._reason)

    def erase(self, finding: PageFinding, reason: str = "") -> tuple[PageFinding, FindingReport]:
        """Fill the boxes of *finding*."""
        self.image = fill(self.image, finding.boxes, self._colour)
        reason = reason or self._reason
        return finding, FindingReport(finding.entity, finding.boxes, self._method, reason=reason)


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
        UnsupportedPage: The page is of a mode that cannot be painted on.
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
            raise UnsupportedPage(
                f"a page of mode {image.mode} cannot be painted on: convert it to RGB"
            )
        self._source = source
        self._page = page
        self._erasing = erasing
        self._painted: dict[tuple[int, ...], Box] = {}
        self._agreed: dict[tuple[str, str], str] = {}
        sheet = Sheet.of(image)
        self._book = StyleBook(sheet, layout.words, layout.lines, faces)
        self._places = Places(layout, sheet)
        self._retoucher = Retoucher(
            canvas, layout, sheet, self._places, erasing, noise, self._chance
        )
        self._size = image.size

    @property
    def image(self) -> Image.Image:
        """The page as it is now; pixels outside of what was treated are as they were."""
        return self._retoucher.image

    def paint(self, finding: PageFinding) -> tuple[PageFinding, FindingReport]:
        """Erase *finding* and paint a surrogate in its place, or only erase it and say why.

        Returns:
            The finding with the text that stands there now, and the report of it.
        """
        try:
            places = self._stood(finding)
            plans = self._plans(finding, places)
        except _Refusal as refusal:
            return self.erase(finding, str(refusal))
        parts = [place.with_ink(self._size) for place in places]
        erased = [self._retoucher.erase(part) for part in parts]
        painted = [self._retoucher.paint(plan) for plan in plans]
        self._painted |= {part.words: box for part, box in zip(parts, painted, strict=True)}
        fits = [place.style.fit for place in places]
        best = max(fits, key=lambda fit: fit.correlation)
        said = tuple(
            replace(part, instead=plan.text) for part, plan in zip(parts, plans, strict=True)
        )
        return replace(finding, parts=said), FindingReport(
            finding.entity,
            tuple(one.union(other) for one, other in zip(erased, painted, strict=True)),
            "surrogate",
            best.face.name,
            best.em,
            min(fit.correlation for fit in fits),
        )

    def erase(self, finding: PageFinding, reason: str = "") -> tuple[PageFinding, FindingReport]:
        """Erase *finding*, and what was painted there, and paint nothing."""
        boxes = tuple(
            self._retoucher.erase(
                replace(part, box=part.box.union(self._painted.get(part.words, part.box)))
            )
            for part in finding.parts
        )
        parts = tuple(replace(part, instead="") for part in finding.parts)
        return replace(finding, parts=parts), FindingReport(
            finding.entity, boxes, self._erasing, reason=reason
        )

    def agree(self, findings: Sequence[PageFinding]) -> None:
        """Choose one surrogate for each value that stands several times, such that it fits all."""
        if self._source is None:
            return
        by_value: dict[tuple[str, str], list[PageFinding]] = defaultdict(list)
        for finding in findings:
            if finding.parts:
                value = " ".join(_value(finding.parts).casefold().split())
                by_value[finding.entity, value].append(finding)
        for (entity, _), same in by_value.items():
            if len(same) > 1:
                with suppress(CdipError):  # whoever paints it says so
                    self._agree(entity, same)

    def _agree(self, entity: str, same: Sequence[PageFinding]) -> None:
        assert self._source
        values = [_value(finding.parts) for finding in same]
        # The n-th candidates of values that differ in case or lines say the same.
        streams = [
            list(islice(self._source.candidates(entity, one), _CANDIDATES)) for one in values
        ]
        stood: list[list[Place]] = []
        for finding in same:
            try:
                stood.append(self._stood(finding))
            except _Refusal:  # that place is only erased
                stood.append([])
        best: tuple[float, int] | None = None
        for number in range(min(map(len, streams))):
            worst = 0.0
            for places, stream in zip(stood, streams, strict=True):
                tried = _tried(places, stream[number]) if places else (0.0, [])
                worst = max(worst, tried[0] if tried else 1.0)
            if best is None or worst < best[0]:
                best = worst, number
            if worst <= 0:
                break
        if best:
            for value, stream in zip(values, streams, strict=True):
                self._agreed[entity, value] = stream[best[1]]

    def _stood(self, finding: PageFinding) -> list[Place]:
        """Where the lines of *finding* stand, and how they are set."""
        if not finding.parts or self._source is None:
            raise _Refusal("there is nothing to paint")
        places = []
        for part in finding.parts:
            style = self._book.style(part.words)
            if style is None:
                raise _Refusal("no face is like it: handwriting, a stamp, or too small")
            places.append(self._places.of(part, style))
        return places

    def _plans(self, finding: PageFinding, places: Sequence[Place]) -> list[Plan]:
        """What is painted in *places*: the first surrogate that fits, or the nearest to that."""
        assert self._source
        of = finding.entity, _value(finding.parts)
        best: tuple[float, list[Plan]] | None = None
        chosen = ""
        try:
            agreed = [self._agreed[of]] if of in self._agreed else []
            stream = islice(self._source.candidates(*of), _CANDIDATES)
            for candidate in (*agreed, *stream):
                tried = _tried(places, candidate)
                if tried and (best is None or tried[0] < best[0]):
                    best, chosen = tried, candidate
                if best and best[0] <= 0:
                    break
        except CdipError as error:
            raise _Refusal(f"no surrogate: {type(error).__name__}") from None
        if best is None:
            raise _Refusal("no surrogate has its lines")
        if best[0] > LOOSE:
            raise _Refusal("no surrogate fits the space")
        self._agreed.setdefault(of, chosen)
        return best[1]

    def _chance(self, purpose: str) -> np.random.Generator:
        of = f"{self._page} {purpose}"
        if self._source is None:  # where nothing is painted, nothing is to be kept secret
            return np.random.default_rng(list(of.encode()))
        return np.random.default_rng(self._source.seed("page image", of))


class _Refusal(Exception):
    """Why a finding is erased and not painted."""


def _value(parts: Sequence[LineBox]) -> str:
    """The original, its lines apart, its columns by three spaces."""
    value = parts[0].value
    for before, part in pairwise(parts):
        value += ("\n" if before.line != part.line else "   ") + part.value
    return value


def _tried(places: Sequence[Place], candidate: str) -> tuple[float, list[Plan]] | None:
    """How *candidate* goes into *places*, and by which share of its width the worst is off.

    0 or less fits. None where it has not their lines, or a face not its letters.
    """
    texts = _shared_out(candidate, [place.part for place in places])
    if texts is None or not all(
        place.style.fit.face.draws(text) for place, text in zip(places, texts, strict=True)
    ):
        return None
    planned = [place.plan(text) for place, text in zip(places, texts, strict=True)]
    return max(0.0, *(off for _, off in planned)), [plan for plan, _ in planned]


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
