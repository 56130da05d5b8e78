"""Decide on findings, add some, and take decisions back."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from presidio_cdip.documents.reviews.reading import NOWHERE, Reading, View, boxes_of
from presidio_cdip.documents.reviews.review import Area, Decided, Decision, Fingerprint, Review
from presidio_cdip.documents.segments import Box
from presidio_cdip.errors import ReviewError

_LEAST = 0.5  # share of a word that a drawn box must hold


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding or area under review.

    Attributes:
        id: Its name within the review, which it keeps.
        view: The index of the first view that shows it.
        text: The index of its text; NOWHERE for an area.
        decided: What it is, and what the reviewer makes of it; offsets are 0 for an area.
        area: The area, if it is one.
    """

    id: str
    view: int
    text: int
    decided: Decided
    area: Area | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a call.

    Attributes:
        changed: The findings as they are now, new ones among them.
        removed: The names of those that are gone.
    """

    changed: Sequence[Finding] = ()
    removed: Sequence[str] = ()


_Step = Mapping[str, tuple[Finding | None, Finding | None]]
"""For the name of a finding, how it was before and after."""


class Editing:
    """A review of a document that was read, under work.

    Attributes:
        version: Grows with each change.
    """

    def __init__(self, reading: Reading, review: Review, fingerprint: Fingerprint) -> None:
        """Begin with the decisions of *review*.

        Raises:
            ReviewError: The review is of another document, or of one that was read differently.
        """
        self._reading = reading
        self._fingerprint = fingerprint
        self._choices = review.choices
        self._reviewer = review.reviewer
        self._digests = [fingerprint.text(text) for text in reading.texts]
        self._pictures = [fingerprint.picture(data) for data in reading.pictures]
        self._views_of = _views_of(reading.views)
        self._findings: dict[str, Finding] = {}
        self._made = 0
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self.version = 0
        for one in self._of(review):
            self._findings[one.id] = one

    @property
    def can_undo(self) -> bool:
        """Return whether there is a change to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Return whether there is a change to make again."""
        return bool(self._undone)

    def findings(self) -> list[Finding]:
        """Return all findings, in the order of the document."""
        return sorted(self._findings.values(), key=lambda one: (one.view, one.decided.start))

    def finding(self, name: str) -> Finding:
        """Return a finding.

        Raises:
            KeyError: There is none of that name.
        """
        return self._findings[name]

    def value(self, one: Finding) -> str:
        """Return the text of a finding; "" for an area."""
        if one.text == NOWHERE:
            return ""
        return self._reading.texts[one.text][one.decided.start : one.decided.end]

    def boxes(self, one: Finding) -> list[Box]:
        """Return where a finding stands in its view; none in a view of text."""
        if one.area:
            return [one.area.box]
        view = self._reading.views[one.view]
        return list(boxes_of(view, one.decided.start, one.decided.end))

    def change(
        self,
        names: Iterable[str],
        *,
        decision: Decision | None = None,
        entity: str | None = None,
        everywhere: bool = False,
        **typed: str | None,
    ) -> Changes:
        """Change findings.

        Args:
            names: Which.
            decision: What the reviewer makes of them.
            entity: What they are.
            everywhere: Change all others of the same value and entity, too.
            typed: ``surrogate``, what replaces them; None for what is drawn.

        Raises:
            KeyError: There is none of such a name.
            ReviewError: One that was rejected overlaps another, and cannot be accepted.
        """
        asked = [self._findings[name] for name in dict.fromkeys(names)]
        if everywhere:
            asked = self._alike(asked)
        step: dict[str, tuple[Finding | None, Finding | None]] = {}
        returning = decision in ("open", "accepted") and not all(
            one.decided.counts for one in asked
        )
        counting = _Counting(self._findings.values()) if returning else None
        for one in asked:
            new = one.decided
            if decision is not None:
                if counting and not new.counts and not one.area and not counting.add(one):
                    raise ReviewError("another finding stands there: reject that one first")
                new = replace(new, decision=decision)
            if entity is not None and entity != new.entity:
                was = new.found_as or new.entity
                new = replace(new, entity=entity, found_as="" if was == entity else was)
            if "surrogate" in typed and not one.area:
                new = replace(new, surrogate=typed["surrogate"])
            area = replace(one.area, entity=new.entity) if one.area else None
            after = replace(one, decided=new, area=area)
            if after != one:
                step[one.id] = (one, after)
        return self._do(step)

    def add(
        self, view: int, start: int, end: int, entity: str, everywhere: bool = False
    ) -> Changes:
        """Add ``[start, end)`` of a view's text; what stands there already is replaced by it.

        Args:
            view: The index of the view.
            start: Offset of the first character.
            end: Offset after the last; blanks at the ends do not count.
            entity: What it is.
            everywhere: Add it wherever else it stands as a whole, outside of other findings.

        Raises:
            ReviewError: There is no text there.
        """
        shown = self._view(view)
        if shown.text == NOWHERE:
            raise ReviewError("there is no text in this view")
        text = self._reading.texts[shown.text]
        places = [(shown.text, *one) for one in self._parts(shown, start, end)]
        if not places:
            raise ReviewError("there is no text at this place")
        step: dict[str, tuple[Finding | None, Finding | None]] = {}
        for number, begin, stop in places:
            for other in self._there(number, begin, stop):
                step[other.id] = (other, None)
        if everywhere and len(places) == 1:
            value = text[places[0][1] : places[0][2]]
            for number, other_text in enumerate(self._reading.texts):
                for begin, stop in _whole(other_text, value):
                    if not self._there(number, begin, stop):
                        places.append((number, begin, stop))
        for number, begin, stop in dict.fromkeys(places):
            decided = Decided(begin, stop, entity, decision="accepted", by="reviewer")
            made = self._finding(number, decided)
            if made:
                step[made.id] = (None, made)
        return self._do(step)

    def draw(self, view: int, box: Box, entity: str) -> Changes:
        """Add the words in a box of a view, or, where there are none, the box as an area.

        Raises:
            ReviewError: The view has no boxes, or the box is empty.
        """
        shown = self._view(view)
        left, top, right, bottom = box
        left, top = max(0.0, left), max(0.0, top)
        right, bottom = min(shown.size[0], right), min(shown.size[1], bottom)
        if shown.kind == "text" or not (left < right and top < bottom):
            raise ReviewError("nothing can be drawn there")
        held = [one for one in shown.words if _share(one.box, (left, top, right, bottom)) > _LEAST]
        if held:
            return self._add_words(view, held, entity)
        picture = "" if shown.picture is None else self._pictures[shown.picture]
        area = Area(entity, (left, top, right, bottom), shown.page, picture)
        made = self._area(area, view)
        return self._do({made.id: (None, made)})

    def remove(self, name: str) -> Changes:
        """Remove a finding that the reviewer added.

        Raises:
            KeyError: There is none of that name.
            ReviewError: It was found, and not added.
        """
        one = self._findings[name]
        if one.decided.by != "reviewer":
            raise ReviewError("it was found, and not added: reject it")
        return self._do({name: (one, None)})

    def undo(self) -> Changes:
        """Take the last change back; nothing, if there is none."""
        if not self._done:
            return Changes()
        step = self._done.pop()
        self._undone.append(step)
        return self._put({name: (after, before) for name, (before, after) in step.items()})

    def redo(self) -> Changes:
        """Make the last change that was taken back again; nothing, if there is none."""
        if not self._undone:
            return Changes()
        step = self._undone.pop()
        self._done.append(step)
        return self._put(step)

    def load(self, review: Review) -> None:
        """Take the decisions of another review of the document in place of these; can be undone.

        Raises:
            ReviewError: It is of another document, or of one that was read differently.
        """
        because = {_place(one): one.decided.why for one in self._findings.values()}
        new = {
            one.id: replace(one, decided=replace(one.decided, why=because.get(_place(one), "")))
            for one in self._of(review)
        }
        self._choices, self._reviewer = review.choices, review.reviewer or self._reviewer
        step: dict[str, tuple[Finding | None, Finding | None]] = {
            name: (one, None) for name, one in self._findings.items()
        }
        self._do(step | {name: (None, one) for name, one in new.items()})

    def review(self, reviewer: str | None = None) -> Review:
        """Return the review as it stands."""
        texts: dict[str, list[Decided]] = {one: [] for one in self._digests if one}
        areas = []
        for one in self.findings():
            if one.area and one.decided.counts:
                areas.append(one.area)
            elif not one.area:
                texts[self._digests[one.text]].append(one.decided)
        found = {
            digest: tuple(sorted(some, key=lambda one: (one.start, one.end)))
            for digest, some in texts.items()
        }
        for text, digest in zip(self._reading.texts, self._digests, strict=True):
            if not text:
                found.pop(digest, None)
        name = self._reviewer if reviewer is None else reviewer
        return Review(self._fingerprint.check, self._choices, found, tuple(areas), name)

    # Working parts

    def _of(self, review: Review) -> Iterator[Finding]:
        if review.check != self._fingerprint.check:
            raise ReviewError("it is of another document")
        numbers = {digest: number for number, digest in enumerate(self._digests)}
        if not numbers.keys() >= review.texts.keys():
            raise ReviewError("the document was read differently: by another version or language")
        for digest, found in review.texts.items():
            text = self._reading.texts[numbers[digest]]
            for one in found:
                if one.end > len(text):
                    raise ReviewError("a finding lies outside its text")
                made = self._finding(numbers[digest], one)
                if made:
                    yield made
        for area in review.areas:
            yield self._area(area, self._view_of(area))

    def _view_of(self, area: Area) -> int:
        for number, view in enumerate(self._reading.views):
            picture = "" if view.picture is None else self._pictures[view.picture]
            if view.kind != "text" and (picture, view.page) == (area.picture, area.page):
                return number
        raise ReviewError("an area is of a page that the document does not have")

    def _finding(self, number: int, decided: Decided) -> Finding | None:
        """Return a new finding; None where no view shows it, as in a label."""
        view = self._first_view(number, decided.start, decided.end)
        return None if view is None else Finding(self._name(), view, number, decided)

    def _area(self, area: Area, view: int) -> Finding:
        decided = Decided(0, 0, area.entity, decision="accepted", by="reviewer")
        return Finding(self._name(), view, NOWHERE, decided, area)

    def _name(self) -> str:
        self._made += 1
        return f"f{self._made}"

    def _view(self, number: int) -> View:
        if not 0 <= number < len(self._reading.views):
            raise ReviewError("there is no such view")
        return self._reading.views[number]

    def _first_view(self, text: int, start: int, end: int) -> int | None:
        for number, starts, ends in self._views_of.get(text, ()):
            at = bisect_left(ends, start + 1)
            if at < len(starts) and starts[at] < end:
                return number
        return None

    def _parts(self, view: View, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield ``[start, end)`` without blanks at its ends, cut where blocks end."""
        text = self._reading.texts[view.text]
        within = [(one.start, one.end) for one in view.blocks] or [(0, len(text))]
        for begin, stop in within:
            left, right = max(start, begin), min(end, stop)
            if left < right and (value := text[left:right]).strip():
                left += len(value) - len(value.lstrip())
                yield left, left + len(value.strip())

    def _add_words(self, view: int, words: Sequence[Any], entity: str) -> Changes:
        """Add words of a page; those that follow each other in the text are one finding."""
        text = self._reading.texts[self._reading.views[view].text]
        runs: list[tuple[int, int]] = []
        for word in sorted(words):
            if (
                runs
                and not text[runs[-1][1] : word.start].strip()
                and ("\n\n" not in text[runs[-1][1] : word.start])
            ):
                runs[-1] = (runs[-1][0], word.end)
            else:
                runs.append((word.start, word.end))
        step: dict[str, tuple[Finding | None, Finding | None]] = {}
        number = self._reading.views[view].text
        for start, end in runs:
            for other in self._there(number, start, end):
                step[other.id] = (other, None)
            decided = Decided(start, end, entity, decision="accepted", by="reviewer")
            made = self._finding(number, decided)
            if made:
                step[made.id] = (None, made)
        return self._do(step)

    def _there(self, text: int, start: int, end: int) -> list[Finding]:
        return [
            one
            for one in self._findings.values()
            if one.text == text and one.decided.start < end and start < one.decided.end
        ]

    def _alike(self, asked: Sequence[Finding]) -> list[Finding]:
        wanted = {(_plain(self.value(one)), one.decided.entity) for one in asked if not one.area}
        named = {one.id for one in asked}
        return [
            one
            for one in self._findings.values()
            if one.id in named
            or (not one.area and (_plain(self.value(one)), one.decided.entity) in wanted)
        ]

    def _do(self, step: _Step) -> Changes:
        if not step:
            return Changes()
        self._done.append(step)
        self._undone.clear()
        return self._put(step)

    def _put(self, step: _Step) -> Changes:
        self.version += 1
        changed, removed = [], []
        for name, (_, after) in step.items():
            if after is None:
                removed.append(name)
                del self._findings[name]
            else:
                changed.append(after)
                self._findings[name] = after
        return Changes(changed, removed)


class _Counting:
    """The places of findings that are replaced; no two of them overlap."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self._places: dict[int, list[tuple[int, int]]] = {}
        for one in findings:
            if one.decided.counts and not one.area:
                place = one.decided.start, one.decided.end
                self._places.setdefault(one.text, []).append(place)
        for places in self._places.values():
            places.sort()

    def add(self, one: Finding) -> bool:
        """Add the place of a finding; return whether no other was there."""
        places = self._places.setdefault(one.text, [])
        start, end = one.decided.start, one.decided.end
        at = bisect_left(places, (start, end))
        beside = places[max(0, at - 1) : at + 1]
        if any(other[0] < end and start < other[1] for other in beside):
            return False
        places.insert(at, (start, end))
        return True


def _views_of(views: Sequence[View]) -> dict[int, list[tuple[int, list[int], list[int]]]]:
    """Return for each text the views that show it, with the offsets of their words or blocks."""
    found: dict[int, list[tuple[int, list[int], list[int]]]] = {}
    for number, view in enumerate(views):
        places = sorted((one.start, one.end) for one in view.words or view.blocks)
        if places:
            starts, ends = zip(*places, strict=True)
            found.setdefault(view.text, []).append((number, list(starts), list(ends)))
    return found


def _place(one: Finding) -> tuple[int, int, int]:
    return one.text, one.decided.start, one.decided.end


def _plain(value: str) -> str:
    return " ".join(value.split()).casefold()


def _whole(text: str, value: str) -> Iterator[tuple[int, int]]:
    """Yield where *value* stands in *text*, not within a longer word or number."""
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        if not (
            (value[0].isalnum() and text[at - 1 : at].isalnum())
            or (value[-1].isalnum() and text[end : end + 1].isalnum())
        ):
            yield at, end
        at = text.find(value, end)


def _share(word: Box, box: Box) -> float:
    across = min(word[2], box[2]) - max(word[0], box[0])
    down = min(word[3], box[3]) - max(word[1], box[1])
    area = (word[2] - word[0]) * (word[3] - word[1])
    return max(0.0, across) * max(0.0, down) / area if area > 0 else 0.0
