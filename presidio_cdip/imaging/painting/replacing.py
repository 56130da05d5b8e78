"""Replace the findings of a page with surrogates in the style of the originals."""

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
from presidio_cdip.imaging.page.paper import Mask
from presidio_cdip.imaging.painting.erase import Colour, fill
from presidio_cdip.imaging.painting.level import StrokesOfPage
from presidio_cdip.imaging.painting.places import LOOSE, Place, Places, Plan
from presidio_cdip.imaging.painting.retouching import Retoucher
from presidio_cdip.imaging.painting.strokes import Strokes
from presidio_cdip.imaging.reading.boxes import LineBox, PageFinding
from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.style.faces import Face
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.style.styles import StyleBook
from presidio_cdip.imaging.words import Box

_CANDIDATES = 24


class Source(Protocol):
    """Provide surrogates: `presidio_cdip.surrogates.engine.Surrogates`, or a test double."""

    def on_page(self, text: str, findings: Sequence[tuple[int, int, str]]) -> "PageSource":
        """Return the source for a page with *text*; a finding is its start, end and entity."""

    def seed(self, purpose: str, normal: str) -> int:
        """Return a number derived from key, scope, *purpose* and *normal*."""


class PageSource(Protocol):
    """Provide the surrogates of one page."""

    def candidates(self, entity: str, value: str, start: int, end: int) -> Iterator[str]:
        """Yield different surrogates of the *value* at ``[start, end)``, in the same order."""


@dataclass(frozen=True, slots=True)
class FindingReport:
    """Report how one finding was redacted.

    Attributes:
        entity: The entity's name.
        boxes: The changed areas, in pixels of the page, in reading order.
        method: ``surrogate``, or the erasing method.
        face: The typeface of the painted surrogate; "" if none was painted.
        em: Its size, in pixels.
        fit: The correlation of that style with the original's pixels, in [-1, 1]; the minimum over
            the lines.
        reason: Why it was erased and not painted; "" if it was painted, or erasing was requested.
        left: Pixels of the original's ink that were not erased.
    """

    entity: str
    boxes: tuple[Box, ...]
    method: str
    face: str = ""
    em: float = 0.0
    fit: float = 0.0
    reason: str = ""
    left: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object; it holds no text of the page."""
        found: dict[str, Any] = {
            "entity": self.entity,
            "boxes": [list(box) for box in self.boxes],
            "method": self.method,
            "left": self.left,
        }
        if self.face:
            found |= {"face": self.face, "em": round(self.em, 1), "fit": round(self.fit, 3)}
        return found | ({"reason": self.reason} if self.reason else {})


class Filler:
    """Fill the boxes of a page's findings with a colour, in any image mode.

    Args:
        image: The page.
        colour: As for `erase.fill`.
        method: The method's name in reports.
        reason: Why nothing is painted; "" if erasing was requested.
        layout: The page's text and words. If given, boxes are enlarged to all of the value's ink.
    """

    def __init__(
        self,
        image: Image.Image,
        colour: Colour,
        method: str,
        reason: str = "",
        layout: LayoutText | None = None,
    ) -> None:
        self.image = image
        self._strokes: StrokesOfPage | None = None
        if layout:
            sheet = Sheet.of(image)
            self._strokes = StrokesOfPage(sheet, layout, sheet.pixels)
        self._filled: list[Box] = []
        self._colour = colour
        self._method = method
        self._reason = reason

    def agree(self, findings: Sequence[PageFinding]) -> None:
        """Do nothing: no surrogate is painted."""

    def paint(self, finding: PageFinding) -> tuple[PageFinding, FindingReport]:
        """Fill the boxes of *finding*, and report why nothing was painted."""
        return self.erase(finding, self._reason)

    def erase(self, finding: PageFinding, reason: str = "") -> tuple[PageFinding, FindingReport]:
        """Fill the boxes of *finding*."""
        strokes = self._strokes_of(finding)
        boxes = tuple(map(Box.union, finding.boxes, (one.box for one in strokes)))
        boxes = boxes or finding.boxes
        self._filled += boxes
        self.image = fill(self.image, boxes, self._colour)
        reason = reason or self._reason
        return finding, FindingReport(finding.entity, boxes, self._method, reason=reason)

    def left(self, finding: PageFinding) -> int:
        """Count the pixels of the ink of *finding* that are not filled."""
        filled: Mask = np.zeros(self.image.size[::-1], np.bool_)
        for box in self._filled:
            filled[box.within()] = True
        return sum(one.left(filled[one.near.within()]) for one in self._strokes_of(finding))

    def _strokes_of(self, finding: PageFinding) -> list[Strokes]:
        """Return the ink of each line of *finding*; none without a layout."""
        return list(map(self._strokes.of, finding.parts)) if self._strokes else []


class Replacer:
    """Erase and paint the findings of one page.

    Args:
        image: The page.
        layout: Its text and words.
        faces: The typefaces to choose from.
        source: The source of surrogates; None if nothing is to be painted.
        erasing: The erasing method, one of `paper.METHODS`.
        noise: One of `painting.NOISES`.
        page: The name of the page within its scope; key and name seed all random draws.

    Raises:
        UnsupportedPage: The page's mode does not support painting.
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
        self._agreed: dict[tuple[str, str], str] = {}
        sheet = Sheet.of(image)
        self._text = layout.text
        self._on_page: PageSource | None = None
        self._book = StyleBook(sheet, layout.words, layout.lines, faces)
        self._places = Places(layout, sheet)
        self._retoucher = Retoucher(canvas, layout, sheet, erasing, noise, self._chance)
        self._size = image.size

    @property
    def image(self) -> Image.Image:
        """Return the page with all changes so far; pixels outside of them are unchanged."""
        return self._retoucher.image

    def paint(self, finding: PageFinding) -> tuple[PageFinding, FindingReport]:
        """Erase *finding* and paint a surrogate; if that is not possible, only erase it.

        Returns:
            The finding with its surrogate text, and the report.
        """
        finding = self._joined(finding)
        try:
            places = self._stood(finding)
            plans = self._plans(finding, places)
        except _Refusal as refusal:
            return self.erase(finding, str(refusal))
        parts = [place.with_ink(self._size) for place in places]
        erased = [self._retoucher.erase(part) for part in parts]
        painted = [self._retoucher.paint(plan) for plan in plans]
        for plan in plans:
            self._places.reserve(plan)
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
        """Erase *finding*, and paint no surrogate in its place."""
        boxes = tuple(self._retoucher.erase(part) for part in finding.parts)
        parts = tuple(replace(part, instead="") for part in finding.parts)
        return replace(finding, parts=parts), FindingReport(
            finding.entity, boxes, self._erasing, reason=reason
        )

    def left(self, finding: PageFinding) -> int:
        """Count the pixels of the ink of *finding* that erasing left, before it was painted."""
        return sum(map(self._retoucher.left, finding.parts))

    def agree(self, findings: Sequence[PageFinding]) -> None:
        """Choose the hands of *findings*, and one surrogate for each repeated value, to fit all."""
        if self._source is None:
            return
        findings = [self._joined(finding) for finding in findings]
        self._book.choose_styles([[part.words for part in one.parts] for one in findings])
        placed = [(one.result.start, one.result.end, one.entity) for one in findings]
        self._on_page = self._source.on_page(self._text, placed)
        by_value: dict[tuple[str, str], list[PageFinding]] = defaultdict(list)
        for finding in findings:
            if finding.parts:
                value = " ".join(_value(finding.parts).casefold().split())
                by_value[finding.entity, value].append(finding)
        for (entity, _), same in by_value.items():
            if len(same) > 1:
                with suppress(CdipError):  # `paint` reports the error
                    self._agree(entity, same)

    def _joined(self, finding: PageFinding) -> PageFinding:
        return replace(finding, parts=self._places.joined(finding.parts))

    def _agree(self, entity: str, same: Sequence[PageFinding]) -> None:
        assert self._on_page
        values = [_value(finding.parts) for finding in same]
        # The n-th candidates of values that differ only in case or line breaks are the same.
        at = same[0].result.start, same[0].result.end
        streams = [
            list(islice(self._on_page.candidates(entity, one, *at), _CANDIDATES)) for one in values
        ]
        stood: list[list[Place]] = []
        for finding in same:
            try:
                stood.append(self._stood(finding))
            except _Refusal:  # this finding is only erased
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
        """Return the places of the lines of *finding*, with their styles."""
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
        """Return the plans of the first surrogate that fits *places*, or of the best fit."""
        assert self._source
        if self._on_page is None:
            self._on_page = self._source.on_page(self._text, [])
        at = finding.result.start, finding.result.end
        of = finding.entity, _value(finding.parts)
        best: tuple[float, list[Plan]] | None = None
        chosen = ""
        try:
            agreed = [self._agreed[of]] if of in self._agreed else []
            stream = list(islice(self._on_page.candidates(*of, *at), _CANDIDATES))
            for candidate in (*agreed, *self._saying_the_same(of[1], stream), *stream):
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

    def _saying_the_same(self, value: str, candidates: Sequence[str]) -> list[str]:
        """Return those of *candidates* that agree with a value that has *value* in it, or is in it.

        So "wife Ellen" gets the name that "Ellen" alone has got, and the reverse.
        """
        agreed = [(known, instead) for (_, known), instead in self._agreed.items()]
        parts = [instead for known, instead in agreed if known != value and _within(known, value)]
        wholes = [instead for known, instead in agreed if known != value and _within(value, known)]
        return [
            one
            for one in candidates
            if any(_within(part, one) for part in parts)
            or any(_within(one, whole) for whole in wholes)
        ]

    def _chance(self, purpose: str) -> np.random.Generator:
        of = f"{self._page} {purpose}"
        if self._source is None:  # nothing is painted, so no secret seed is needed
            return np.random.default_rng(list(of.encode()))
        return np.random.default_rng(self._source.seed("page image", of))


class _Refusal(Exception):
    """Raise when a finding cannot be painted; the message is the reason in the report."""


def _value(parts: Sequence[LineBox]) -> str:
    """Return the original text; lines are joined by newlines, columns by three spaces."""
    value = parts[0].value
    for before, part in pairwise(parts):
        value += ("\n" if before.line != part.line else "   ") + part.value
    return value


def _within(short: str, text: str) -> bool:
    """Tell whether *short*, of three characters or more, stands in *text* as whole words."""
    return len(short) > 2 and bool(re.search(rf"(?<!\w){re.escape(short)}(?!\w)", text))


def _tried(places: Sequence[Place], candidate: str) -> tuple[float, list[Plan]] | None:
    """Return the largest misfit of *candidate* in *places*, and its plans.

    A misfit of 0 or less fits. Returns None if the candidate cannot be divided into that many
    lines, or a typeface lacks one of its letters.
    """
    texts = _shared_out(candidate, [place.part for place in places])
    if texts is None or not all(
        place.style.fit.face.draws(text) for place, text in zip(places, texts, strict=True)
    ):
        return None
    planned = [place.plan(text) for place, text in zip(places, texts, strict=True)]
    return max(0.0, *(off for _, off in planned)), [plan for plan, _ in planned]


def _shared_out(candidate: str, parts: Sequence[LineBox]) -> list[str] | None:
    """Divide *candidate* into one piece for each line, in proportion to the original's lines.

    Punctuation around the original's line, such as a bracket, is added to the piece.
    """
    pieces = [" ".join(one.split()) for one in re.split(r"\n| {3,}", candidate) if one.strip()]
    if len(pieces) != len(parts):
        pieces = _divided(candidate.split(), [len(part.value) for part in parts])
    if len(pieces) != len(parts):
        return None
    return [part.lead + piece + part.trail for part, piece in zip(parts, pieces, strict=True)]


def _divided(words: Sequence[str], lengths: Sequence[int]) -> list[str]:
    """Divide *words* into groups whose lengths are about proportional to *lengths*.

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
