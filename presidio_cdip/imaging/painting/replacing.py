"""Replace the findings of a page with surrogates in the style of the originals."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, pairwise, takewhile
from math import inf
from typing import Any, Protocol

import numpy as np
from PIL import Image

from presidio_cdip.errors import CdipError, UnsupportedPage
from presidio_cdip.imaging.page.canvas import Canvas
from presidio_cdip.imaging.page.paper import Mask
from presidio_cdip.imaging.painting.erase import Colour, fill
from presidio_cdip.imaging.painting.level import StrokesOfPage
from presidio_cdip.imaging.painting.marks import Marks
from presidio_cdip.imaging.painting.places import LOOSE, Place, Places, Plan
from presidio_cdip.imaging.painting.retouching import Retoucher
from presidio_cdip.imaging.painting.strokes import Strokes
from presidio_cdip.imaging.reading.boxes import LineBox, PageFinding
from presidio_cdip.imaging.reading.layout import LayoutText
from presidio_cdip.imaging.style.faces import Face
from presidio_cdip.imaging.style.sheet import Sheet
from presidio_cdip.imaging.style.styles import Style, StyleBook
from presidio_cdip.imaging.words import Box

_ROUNDS = 64
_SQUEEZED = 0.01  # of the width: the misfit beyond which the words behind it are moved
_NEARLY = 0.02  # of the width: by how much a surrogate may fit worse than the best


class Source(Protocol):
    """Provide surrogates: `presidio_cdip.surrogates.engine.Surrogates`, or a test double."""

    def on_page(self, text: str, findings: Sequence[tuple[int, int, str]]) -> "PageSource":
        """Return the source for a page with *text*; a finding is its start, end and entity."""

    def seed(self, purpose: str, normal: str) -> int:
        """Return a number derived from key, scope, *purpose* and *normal*."""


class QuestionMarks(Protocol):
    """The marks of a printed question: `presidio_cdip.surrogates.values.boxes.Marks`."""

    @property
    def answers(self) -> Collection[int]:
        """Return where the findings start that are its ticked options, which stay."""

    @property
    def boxes(self) -> Sequence[tuple[tuple[int, int], bool, bool]]:
        """Return each box in the text, whether it had a mark, and whether it has one then."""


class Candidate(Protocol):
    """A surrogate for one place: `presidio_cdip.surrogates.engine.Candidate`, or a double."""

    @property
    def text(self) -> str:
        """Return the surrogate."""

    @property
    def number(self) -> int:
        """Return its number, which grows: candidates of one number agree in shared parts."""

    @property
    def parts(self) -> frozenset[tuple[str, str]]:
        """Return what the value's surrogates are drawn for, such as a first name."""

    @property
    def article(self) -> str:
        """Return what must stand instead of the article before the value; "" if that can stay."""

    @property
    def plainest(self) -> bool:
        """Return whether only the plainest form of its entity reads the value."""


class PageSource(Protocol):
    """Provide the surrogates of one page."""

    def candidates(self, entity: str, value: str, start: int, end: int) -> Iterator[Candidate]:
        """Yield surrogates of the *value* at ``[start, end)``, as text would have them first."""

    def marks(self, boxes: Collection[tuple[int, int]]) -> Iterable[QuestionMarks]:
        """Return the marks of each question that move, among those in *boxes* of the text."""

    def mentions(self) -> Iterable[tuple[int, int, str]]:
        """Return where the text repeats towns or names of its values, and what draws them."""

    def chosen(self, value: str, text: str) -> None:
        """Hear that *text* is painted in place of *value*."""


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
        plainest: Whether only the plainest form of the entity reads the value whose surrogate was
            painted.
    """

    entity: str
    boxes: tuple[Box, ...]
    method: str
    face: str = ""
    em: float = 0.0
    fit: float = 0.0
    reason: str = ""
    left: int = 0
    plainest: bool = False

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
            found |= {"plainest": self.plainest}
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
        self._chosen: dict[_At, _Choice | _Marked | _Refusal] = {}
        self._found: dict[int, _At] = {}  # by word of a finding, that finding
        self._moving: dict[_At, Sequence[int]] = {}  # the words that move behind a finding
        self._moved: dict[int, Box] = {}  # by word: where what moves with it was, and is
        sheet = Sheet.of(image)
        self._text = layout.text
        self._on_page: PageSource | None = None
        self._book = StyleBook(sheet, layout.words, layout.lines, faces)
        self._places = Places(layout, sheet)
        self._marks = Marks(layout, sheet)
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
        if _at(finding) not in self._chosen:
            self._choose([finding])
        choice = self._chosen[_at(finding)]
        if isinstance(choice, _Refusal):
            return self.erase(finding, choice.reason)
        if isinstance(choice, _Marked):  # the option stays: there is nothing to look for again
            report = FindingReport(finding.entity, choice.boxes, "surrogate")
            return replace(finding, parts=()), report
        places, plans = choice.places, choice.plans
        parts = [place.with_ink(self._size) for place in places]
        erased = [self._retoucher.erase(part) for part in parts]
        boxes = [
            box.union(self._retoucher.paint(plan)) if plan else box
            for box, plan in zip(erased, plans, strict=True)
        ]
        moving = self._moving.get(_at(finding), ())
        boxes += dict.fromkeys(self._moved[index] for index in moving if index in self._moved)
        fits = [place.style.fit for place in places]
        best = max(fits, key=lambda fit: fit.correlation)
        said = tuple(
            replace(part, instead=plan.text if plan else "")
            for part, plan in zip(parts, plans, strict=True)
        )
        if len(said) > len(finding.parts):  # the article of another line is no original
            said = (replace(said[0], text=""), *said[1:])
        return replace(finding, parts=said), FindingReport(
            finding.entity,
            tuple(boxes),
            "surrogate",
            best.face.name,
            best.em,
            min(fit.correlation for fit in fits),
            plainest=choice.plainest,
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
        """Choose the hands of *findings*, and surrogates that fit their places and each other."""
        if self._source is None:
            return
        findings = [self._joined(finding) for finding in findings]
        self._book.choose_styles([[part.words for part in one.parts] for one in findings])
        self._move_lines(self._choose(findings))

    def _joined(self, finding: PageFinding) -> PageFinding:
        return replace(finding, parts=self._places.joined(finding.parts))

    def _choose(self, findings: Sequence[PageFinding]) -> "Sequence[_Stream]":
        """Choose the surrogates of *findings*, those that agree in one round of candidates.

        Returns:
            Their streams.
        """
        if self._source and self._on_page is None:
            placed = [(one.result.start, one.result.end, one.entity) for one in findings]
            self._on_page = self._source.on_page(self._text, placed)
            self._move_marks(findings)
        streams: list[_Stream] = []
        for one in findings:
            self._found |= {index: _at(one) for part in one.parts for index in part.words}
        for finding in findings:
            if _at(finding) in self._chosen:
                continue
            try:
                lines = _Lines(finding.parts, self._styles(finding))
                led = partial(self._led, lines)
                streams.append(_Stream(finding, lines, led, self._candidates(finding)))
            except _Refused as refused:
                self._chosen[_at(finding)] = _Refusal(str(refused))
        for together in _together(streams):
            self._choose_round(together)
        return streams

    def _move_lines(self, streams: "Sequence[_Stream]") -> None:
        """Move the words of a line behind surrogates that have no room, or would be squeezed.

        These are the words up to a gap between columns. What is painted among them moves, too, so
        the last of a line comes first.
        """
        loose = [one for one in streams if one.misfit > _SQUEEZED]
        for stream in sorted(loose, key=lambda one: -one.finding.parts[-1].words[-1]):
            words = self._words_behind(stream)
            if not words or not self._can_move(stream.finding.parts[-1], words):
                continue
            tried, by = stream.opened(self._places.room(words[-1], stream.style))
            if tried is None:
                continue
            self._places.move(words, by)
            self._chosen = {
                at: self._with_moved(one, words, by) for at, one in self._chosen.items()
            }
            self._chosen[_at(stream.finding)] = self._choice(stream, tried)
            self._moving[_at(stream.finding)] = words
        moving = sorted({*chain(*self._moving.values())} - self._found.keys())
        for words, right in self._places.moved(moving):
            box = self._retoucher.move(self._places.line(words), right, self._places.lower(right))
            self._moved |= dict.fromkeys(words, box)

    def _words_behind(self, stream: "_Stream") -> Sequence[int]:
        """Return the words behind a finding that can move, up to one that is in no face like it.

        OCR reads stamps and pen marks as words, too, which would be cut.
        """
        words = self._places.behind(stream.finding.parts[-1])
        like = partial(self._book.is_like, stream.style)
        return list(takewhile(lambda at: at in self._found or like(at), words))

    def _can_move(self, part: LineBox, words: Sequence[int]) -> bool:
        """Return whether the *words* behind *part* can move, with what is painted among them."""
        line = self._places.line([part.words[-1], *words])
        if self._places.has_rules(line) or not self._retoucher.can_move(line):
            return False
        own = set(words)
        if any(
            isinstance(self._chosen.get(self._found[at]), _Marked)
            for at in own & self._found.keys()
        ):
            return False
        among = [
            place
            for choice in self._chosen.values()
            if isinstance(choice, _Choice)
            for place in choice.places
            if not own.isdisjoint(place.part.words)
        ]
        return all(
            own.issuperset(one.part.words)
            and one.aligned == "left"
            and self._places.whole(one.part) == (True, True)
            for one in among
        )

    def _with_moved(
        self, choice: "_Choice | _Marked | _Refusal", words: Sequence[int], right: int
    ) -> "_Choice | _Marked | _Refusal":
        """Return *choice* with what it paints in place of *words* some pixels to the right."""
        if not isinstance(choice, _Choice):
            return choice
        down = self._places.lower(right)
        plans = [
            plan.moved(right, down) if plan and set(plan.part.words) & set(words) else plan
            for plan in choice.plans
        ]
        return replace(choice, plans=plans)

    def _move_marks(self, findings: Sequence[PageFinding]) -> None:
        """Move the marks of printed questions that *findings* are ticked options of."""
        assert self._on_page
        if not self._marks.places:
            return
        for question in self._on_page.marks(self._marks.places):
            emptied = [place for place, was, has in question.boxes if was and not has]
            filled = [place for place, was, has in question.boxes if has and not was]
            moves = [self._marks.exchange(*pair) for pair in zip(emptied, filled, strict=True)]
            for one in moves:
                self._retoucher.exchange(one)
            boxes = tuple(self._marks.box(place) for place, *_ in question.boxes)
            for finding in findings:
                if finding.result.start in question.answers:
                    self._chosen[_at(finding)] = _Marked(boxes)

    def _candidates(self, finding: PageFinding) -> Iterator[Candidate]:
        assert self._on_page
        result, value = finding.result, _value(finding.parts)
        return self._on_page.candidates(finding.entity, value, result.start, result.end)

    def _styles(self, finding: PageFinding) -> list[Style]:
        """Return the styles of the lines of *finding*."""
        if not finding.parts or self._source is None:
            raise _Refused("there is nothing to paint")
        styles = [self._book.style(part.words) for part in finding.parts]
        if not all(styles):
            raise _Refused("no face is like it: handwriting, a stamp, or too small")
        return [style for style in styles if style]

    def _led(self, lines: "_Lines") -> "_Lines | None":
        """Return *lines* with the article before them; None if there is none in their hand."""
        article = self._places.article(lines.parts[0])
        if article is None or any(index in self._found for index in article.words):
            return None
        (index,), (style, *others) = article.words, lines.styles
        parts = self._places.joined((article, *lines.parts))
        is_joined = len(parts) == len(lines.parts)
        own = self._book.led(style, index, style.words if is_joined else ())
        if own is None:
            return None
        return _Lines(parts, [own, *others] if is_joined else [own, style, *others], article)

    def _choose_round(self, together: Sequence["_Stream"]) -> None:
        """Choose the first round of candidates in which all of *together* fit, or nearly the best.

        A finding with no room for its candidate of that round gets the best of its own.
        """
        for one in together:
            one.stand(self._places)
        costs: list[tuple[int, int, float]] = []
        for number in range(max(one.rounds for one in together)):
            tried = [one.at(number) for one in together]
            costs.append(
                (
                    sum(one.misfit > LOOSE for one in tried),
                    sum(not one.stands for one in tried),
                    max(one.misfit for one in tried),
                )
            )
            if costs[-1] <= (0, 0, 0.0):
                break
        loose, moved, misfit = min(costs)
        # The first that is nearly as good: the best of all would hardly depend on the key.
        first = next(at for at, one in enumerate(costs) if one <= (loose, moved, misfit + _NEARLY))
        for one in together:
            chosen = one.at(first)
            if chosen.misfit > LOOSE:
                chosen = one.best()
            one.chosen = chosen
            self._chosen[_at(one.finding)] = self._choice(one, chosen)

    def _choice(self, stream: "_Stream", tried: "_Tried") -> "_Choice | _Refusal":
        """Return the choice of a candidate, whose space is reserved, or why there is none."""
        if tried.misfit > LOOSE:
            lines = "no surrogate has its lines and letters of its face"
            lines = lines if tried.misfit == inf else ""
            return _Refusal(stream.problem or lines or "no surrogate fits the space")
        assert self._on_page
        self._on_page.chosen(_value(stream.finding.parts), tried.text)
        for place, plan in zip(tried.places, tried.plans, strict=True):
            if plan:
                self._places.reserve(plan)
            else:
                self._places.vacate(place.part)
        return _Choice(tried.places, tried.plans, tried.plainest)

    def _chance(self, purpose: str) -> np.random.Generator:
        of = f"{self._page} {purpose}"
        if self._source is None:  # nothing is painted, so no secret seed is needed
            return np.random.default_rng(list(of.encode()))
        return np.random.default_rng(self._source.seed("page image", of))


_At = tuple[str, int, int]


def _at(finding: PageFinding) -> _At:
    """Return what tells *finding* from others of its page: its entity and where it stands."""
    return finding.entity, finding.result.start, finding.result.end


@dataclass(frozen=True, slots=True)
class _Lines:
    """Hold the lines of a finding.

    Attributes:
        parts: The lines.
        styles: The style of each.
        article: The article before the value, if it is painted with it: as a line of its own, or
            on the first.
    """

    parts: Sequence[LineBox]
    styles: Sequence[Style]
    article: LineBox | None = None

    def placed(self, places: Places) -> list[Place]:
        """Measure their places."""
        return [places.of(part, style) for part, style in zip(self.parts, self.styles, strict=True)]

    def led(self, article: str, texts: Sequence[str]) -> Sequence[str]:
        """Return the *texts* of the value's lines with *article* before them."""
        assert self.article
        own = self.article.lead + article
        if len(texts) < len(self.parts):
            return [own, *texts]
        return [f"{own} {texts[0]}".rstrip(), *texts[1:]]


@dataclass(frozen=True, slots=True)
class _Choice:
    """Hold the lines that are painted for a finding, with their places.

    Attributes:
        places: The places of the original's lines.
        plans: What is painted in each; None if the surrogate has a word for fewer lines.
        plainest: Whether only the plainest form reads the finding's value.
    """

    places: Sequence[Place]
    plans: Sequence[Plan | None]
    plainest: bool = False


@dataclass(frozen=True, slots=True)
class _Marked:
    """Hold the check boxes of a printed question whose marks moved; its options stay."""

    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Hold why a finding cannot be painted, as the report says it."""

    reason: str


class _Refused(Exception):
    """Raise when a finding cannot be painted; the message is the reason in the report."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """Hold a candidate, laid out in the places of its finding.

    Attributes:
        misfit: The largest misfit, 0 if it fits; `LOOSE` or more if it has not as many lines, and
            infinite if a typeface lacks one of its letters.
        stands: Whether the article before it is right, or becomes so.
        text: The candidate; not shown by `repr`.
        places: The places of the lines that change.
        plans: Its lines, None for an empty one; no plans if the misfit is infinite.
        plainest: As the candidate has it.
    """

    misfit: float
    stands: bool = True
    text: str = field(default="", repr=False)
    places: Sequence[Place] = ()
    plans: Sequence[Plan | None] = field(default=(), repr=False)
    plainest: bool = False


class _Stream:
    """Try the candidates of one finding, as they are asked for.

    Args:
        finding: The finding.
        lines: Its lines.
        led: Returns them with the article before the value; None if there is none to change.
        candidates: In the order of their numbers.

    Raises:
        _Refused: The source has none.
    """

    def __init__(
        self,
        finding: PageFinding,
        lines: _Lines,
        led: Callable[[], _Lines | None],
        candidates: Iterator[Candidate],
    ) -> None:
        self.finding = finding
        self.problem = ""
        self.chosen: _Tried | None = None
        self._lines = lines
        self._with_article = led
        self._coming = candidates
        self._ended = False
        self._drawn: list[Candidate] = []
        self._tried: dict[str, _Tried] = {}
        if not self._draws():
            raise _Refused(self.problem or "it is removed, and nothing is to stand there")

    @property
    def parts(self) -> frozenset[tuple[str, str]]:
        """Return what candidates share with those of other findings, such as the whole value."""
        whole = " ".join(_value(self.finding.parts).casefold().split())
        return self._drawn[0].parts | {(f"{self.finding.entity} value", whole)}

    @property
    def misfit(self) -> float:
        """Return the misfit of the candidate that was chosen; 0 without one."""
        return self.chosen.misfit if self.chosen else 0.0

    @property
    def style(self) -> Style:
        """Return the style of its last line."""
        return self._lines.styles[-1]

    @property
    def rounds(self) -> int:
        """Return the count of rounds that are worth a trial."""
        self._drawn_to(1)
        return 1 if self._ended and len(self._drawn) == 1 else _ROUNDS

    def stand(self, places: Places) -> None:
        """Measure the places of the lines, off those that are reserved."""
        self._places = self._lines.placed(places)
        self._all_places = places

    @cached_property
    def _led(self) -> tuple[_Lines, Sequence[Place]] | None:
        """The lines with the article before the value, and their places; None without one."""
        lines = self._with_article()
        return (lines, lines.placed(self._all_places)) if lines else None

    def at(self, number: int) -> _Tried:
        """Try the first candidate from *number* on, as if the stream began there, or the last."""
        self._drawn_to(number)
        found = next((one for one in self._drawn if one.number >= number), self._drawn[-1])
        if found.text not in self._tried:
            self._tried[found.text] = self._laid(found)
        return self._tried[found.text]

    def opened(self, room: int) -> tuple[_Tried | None, int]:
        """Return the candidate that fits if the words behind it move, and by how many pixels.

        It is the one that was chosen, or if that does not fit, the first that moves them least.

        Args:
            room: The most pixels by which they can, to the right.
        """
        if self._places[-1].aligned != "left":
            return None, 0
        found = []
        own = self.chosen.text if self.chosen and self.misfit <= LOOSE else None
        for candidate in {one.text: one for one in self._drawn}.values():
            if own not in (None, candidate.text):
                continue
            tried = self._laid(candidate, room)
            if tried.misfit <= LOOSE and tried.plans[-1]:
                by = tried.places[-1].moves(tried.plans[-1])
                if by <= room:
                    found.append((tried, by))
        em = self.style.fit.em
        return min(found, key=lambda one: round(abs(one[1]) / em), default=(None, 0))

    def _laid(self, candidate: Candidate, room: float | None = None) -> _Tried:
        """Lay *candidate* out, with another article before it if it needs one that has room.

        Args:
            candidate: The surrogate.
            room: Pixels by which the words behind it can move, if they do.
        """
        plain = _tried(self._lines.parts, _opened(self._places, room), candidate)
        if not candidate.article:
            return plain
        if self._led:
            lines, places = self._led
            places = _opened(places, room)
            led = _tried(
                self._lines.parts, places, candidate, partial(lines.led, candidate.article)
            )
            if led.misfit <= LOOSE or led.misfit <= plain.misfit:
                return led
        return replace(plain, stands=False)

    def best(self) -> _Tried:
        """Return the best of the candidates that were tried; the first that fits, if any."""
        return min(self._tried.values(), key=lambda one: (one.misfit, not one.stands))

    def _drawn_to(self, number: int) -> None:
        while not self._ended and self._drawn[-1].number < number:
            self._draws()

    def _draws(self) -> bool:
        """Draw one more candidate, and tell whether there was one."""
        try:
            self._drawn.append(next(self._coming))
        except StopIteration:
            self._ended = True
        except CdipError as error:
            self._ended = True
            self.problem = f"no surrogate: {type(error).__name__}"
        return not self._ended


def _together(streams: Sequence[_Stream]) -> list[list[_Stream]]:
    """Return *streams* in groups, of which no two share a part; the largest group first."""
    groups: list[tuple[set[tuple[str, str]], list[_Stream]]] = []
    for stream in streams:
        parts, group = set(stream.parts), [stream]
        for other in [one for one in groups if not parts.isdisjoint(one[0])]:
            groups.remove(other)
            parts, group = parts | other[0], other[1] + group
        groups.append((parts, group))
    return sorted((group for _, group in groups), key=len, reverse=True)


def _value(parts: Sequence[LineBox]) -> str:
    """Return the original text; lines are joined by newlines, columns by three spaces."""
    value = parts[0].value
    for before, part in pairwise(parts):
        value += ("\n" if before.line != part.line else "   ") + part.value
    return value


def _opened(places: Sequence[Place], room: float | None) -> Sequence[Place]:
    """Return *places*, the last of them with *room* behind it, if that is given."""
    return places if room is None else [*places[:-1], places[-1].opened(room)]


def _tried(
    parts: Sequence[LineBox],
    places: Sequence[Place],
    candidate: Candidate,
    led: Callable[[Sequence[str]], Sequence[str]] = lambda texts: texts,
) -> _Tried:
    """Lay *candidate* out in *places*, in the way that fits best.

    Args:
        parts: The original's lines.
        places: Where its surrogate is painted.
        candidate: The surrogate.
        led: Adds to the texts of the lines what stands before the value in *places*.
    """
    tried = [_Tried(inf)]
    for shared, least in _shared_out(candidate.text, parts):
        texts = led(shared)
        pairs = list(zip(places, texts, strict=True))
        if not all(place.style.fit.face.draws(text) for place, text in pairs):
            continue
        planned = [place.plan(text) for place, text in pairs if text]
        plans = iter([plan for plan, _ in planned])
        laid = [next(plans) if text else None for text in texts]
        misfit = max(least, *(off for _, off in planned))
        tried.append(_Tried(misfit, True, candidate.text, places, laid, candidate.plainest))
    return min(tried, key=lambda one: one.misfit)


def _shared_out(candidate: str, parts: Sequence[LineBox]) -> Iterator[tuple[Sequence[str], float]]:
    """Yield the ways to divide *candidate* into a piece for each line, with their least misfit.

    It is divided in proportion to the original's lines. Punctuation around the original's line,
    such as a bracket, is added to the piece. A single word stands on the first line or on the last,
    with the punctuation of both, and the other lines are empty: a gap at the end of the first line
    is seen less than one at the beginning of the last.
    """
    pieces = [" ".join(one.split()) for one in re.split(r"\n| {3,}", candidate) if one.strip()]
    if len(pieces) != len(parts):
        pieces = _divided(candidate.split(), [len(part.value) for part in parts])
    if len(pieces) != len(parts):
        if len(candidate.split()) == 1:
            word, empty = parts[0].lead + candidate.strip() + parts[-1].trail, [""] * len(parts)
            yield [word, *empty[1:]], LOOSE
            if parts[0].line != parts[-1].line:
                yield [*empty[1:], word], LOOSE / 2
        return
    yield [part.lead + piece + part.trail for part, piece in zip(parts, pieces, strict=True)], 0.0


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
