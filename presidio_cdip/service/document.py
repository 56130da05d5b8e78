"""Hold a document while it is reviewed: its state, the review under work, and its result."""

import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.reviews.editing import Changes, Editing, Finding
from presidio_cdip.documents.reviews.reading import NOWHERE, Reading, View
from presidio_cdip.documents.reviews.review import Review
from presidio_cdip.service import views
from presidio_cdip.service.views import Boxes, Json
from presidio_cdip.service.workers import Task

State = Literal["waiting", "reading", "ready", "failed"]
Made = Literal["waiting", "writing", "ready", "failed"]


class Missing(Exception):
    """Raised when a view, finding or document does not exist, or not yet."""


class NotReady(Exception):
    """Raised when a document was not read yet, or its result not made; the message says which."""


class Row(NamedTuple):
    """Hold a finding that needs a surrogate; the offsets are those of its text."""

    text: int
    start: int
    end: int
    entity: str


@dataclass
class Result:
    """Hold a result of a document, made or being made.

    Attributes:
        number: Number among the document's results.
        version: Version of the decisions it was made from.
        folder: The folder with its files.
        review: The name of the review file that it is made from.
        state: One of `Made`.
        problem: Why it failed.
        done: Has this result when it was made or failed.
        reading: Done when its texts were read; None where nobody has asked for them.
        texts: Its texts and views of text, once they were read.
    """

    number: int
    version: int
    folder: Path
    review: str
    state: Made = "waiting"
    problem: str = ""
    done: "Future[Result]" = field(default_factory=Future)
    reading: "Future[Any] | None" = None
    texts: tuple[Sequence[str], Sequence[View]] | None = None

    def begin(self) -> None:
        """Mark it as being made."""
        self.state = "writing"

    def end(self, problem: str) -> None:
        """Mark it as made, or as failed with the reason."""
        self.problem, self.state = problem, "failed" if problem else "ready"
        self.done.set_result(self)


@dataclass
class _Review:
    """Hold the data that exist once the document was read."""

    reading: Reading
    editing: Editing
    digests: Sequence[str]
    boxes: Boxes
    known: dict[Row, str] = field(default_factory=dict)


class Document:
    """A document that the service holds; its methods may be called in any thread.

    Args:
        name: The name of its folder, which is its name in requests.
        caller: The caller that it belongs to.
        file: The name of the file, which is never a path here.
        choices: How to read it.
        folder: Where its files lie.

    Attributes:
        used: The time of the last request for it, by `time.monotonic`.
        tasks: The tasks of children for it, running or waiting.
        removed: Whether it was removed.
    """

    def __init__(self, name: str, caller: int, file: str, choices: Choices, folder: Path) -> None:
        self.id = name
        self.caller = caller
        self.file = file
        self.choices = choices
        self.folder = folder
        self.lock = threading.RLock()
        self.used = time.monotonic()
        self.tasks: set[Task] = set()
        self.removed = False
        self._state: State = "waiting"
        self._problem = ""
        self._kind = "page"
        self._sizes: Sequence[tuple[float, float]] = ()
        self._review: _Review | None = None
        self._result: Result | None = None
        self._results = 0
        self._drawing: set[Row] = set()

    # How it is read

    def begin(self) -> None:
        """Mark it as being read."""
        self._state = "reading"

    def see(self, kind: str, sizes: Sequence[tuple[float, float]]) -> None:
        """Store the sizes of its pages, before they are read."""
        self._kind, self._sizes = kind, sizes

    def open(self) -> None:
        """Open the review of what a child has read and found."""
        reading, review, fingerprint, digests = views.opened(self.folder, self.choices)
        editing = Editing(reading, review, fingerprint)
        boxes = Boxes(reading.views)
        for one in editing.findings():
            boxes.of(one)
        with self.lock:
            self._review = _Review(reading, editing, digests, boxes)
            self._state = "ready"

    def fail(self, problem: str) -> None:
        """Store the reason why it could not be read."""
        with self.lock:
            self._problem, self._state = problem, "failed"

    def as_json(self, whole: bool = True) -> Json:
        """Return its state; if *whole*, with its views."""
        with self.lock:
            review, sizes = self._review, self._sizes
            data: Json = {
                "id": self.id,
                "name": self.file,
                "format": review.reading.format if review else "",
                "state": self._state,
                "done": len(sizes) if review else self._done(),
                "pages": len(sizes),
                "problem": self._problem,
                "options": self.choices.as_json(),
                "unread": views.unread(review.reading) if review else [],
                "removed": views.removed(review.reading) if review else [],
                "can_undo": bool(review and review.editing.can_undo),
                "can_redo": bool(review and review.editing.can_redo),
                "version": review.editing.version if review else 0,
                "drawing": bool(self._drawing),
                "result": self._result_json(),
            }
            if whole:
                shown = review.reading.views if review else self._early()
                data["views"] = [views.summary(*one) for one in enumerate(shown)]
            return data

    def _done(self) -> int:
        try:
            return int((self.folder / "progress").read_text() or 0)
        except (OSError, ValueError):  # not yet, or at this moment
            return 0

    def _early(self) -> list[View]:
        kind: Any = self._kind
        return [
            View(kind, f"page {number + 1}", NOWHERE, number, size=size)
            for number, size in enumerate(self._sizes)
        ]

    # What is shown

    def view(self, number: int) -> Json:
        """Return the words or segments of a view."""
        with self.lock:
            reading = self._ready().reading
            return views.content(number, _at(reading.views, number), reading.texts)

    def image(self, number: int, of_result: bool) -> tuple[Path, int, Path]:
        """Return file and page of a view of an image, and the PNG file that is to show it."""
        with self.lock:
            shown = _at(self._review.reading.views if self._review else self._early(), number)
            if shown.kind == "text":
                raise Missing("this view is text")
            result = self._made() if of_result else None
            pages = (result.folder if result else self.folder) / "pages"
            return self._file(shown, result), shown.page, pages / f"{number}.png"

    def _file(self, shown: View, result: Result | None) -> Path:
        if self._review and shown.picture is not None and self._review.reading.format != "image":
            if result is None:
                return self.folder / "pictures" / str(shown.picture)
            return result.folder / "pictures" / self._review.digests[shown.picture]
        return result.folder / "file" if result else self.folder / "original"

    def findings(self, names: Iterable[str] | None = None) -> Json:
        """Return the findings called *names*, or all, in order."""
        with self.lock:
            editing = self._ready().editing
            some = editing.findings() if names is None else map(self._finding, names)
            return {"version": editing.version, "findings": [self._shown(one) for one in some]}

    def _finding(self, name: str) -> Finding:
        try:
            return self._ready().editing.finding(name)
        except KeyError:
            raise Missing("there is no such finding") from None

    def _shown(self, one: Finding) -> Json:
        review = self._ready()
        decided = one.decided
        return {
            "id": one.id,
            "view": one.view,
            "start": decided.start,
            "end": decided.end,
            "value": review.editing.value(one),
            "entity": decided.entity,
            "score": round(decided.score, 4),
            "why": decided.why,
            "decision": decided.decision,
            "by": decided.by,
            "found_as": decided.found_as,
            "surrogate": self._surrogate(one),
            "typed": decided.surrogate is not None,
            "boxes": review.boxes.of(one),
            "unread": one.area is not None,
        }

    def _surrogate(self, one: Finding) -> str:
        review = self._ready()
        if one.decided.surrogate is not None:
            return one.decided.surrogate
        painted = review.reading.views[one.view].kind != "text"
        if painted and self.choices.method != "surrogate":
            return ""
        return review.known.get(_row(one), "")

    # Decisions

    def edit(self, what: Callable[[Editing], Changes]) -> Json:
        """Change the review; return what has changed.

        Raises:
            ReviewError: The change cannot be made.
        """
        with self.lock:
            editing = self._ready().editing
            try:
                changes = what(editing)
            except KeyError:
                raise Missing("there is no such finding") from None
            return {
                "version": editing.version,
                "changed": [self._shown(one) for one in changes.changed],
                "removed": list(changes.removed),
                "can_undo": editing.can_undo,
                "can_redo": editing.can_redo,
            }

    def load(self, review: Review) -> int:
        """Take the decisions and options of another review of it; return the version.

        Raises:
            ReviewError: It is of another document.
        """
        with self.lock:
            opened = self._ready()
            opened.editing.load(review)
            if review.choices != self.choices:
                self.choices = review.choices
                opened.known.clear()
            return opened.editing.version

    def review(self, reviewer: str | None = None) -> Review:
        """Return the review with all decisions made so far."""
        with self.lock:
            return self._ready().editing.review(reviewer)

    def undrawn(self) -> list[Row]:
        """Return the findings whose surrogates are to be drawn, and the others of their texts.

        They count as asked for until `learn`; nothing is returned before that.
        """
        with self.lock:
            if self._review is None or self._drawing:
                return []
            counting = [
                (_row(one), one.decided.surrogate is None)
                for one in self._review.editing.findings()
                if one.decided.counts and not one.area
            ]
            texts = {row.text for row, drawn in counting if drawn and row not in self._review.known}
            rows = [row for row, _ in counting if row.text in texts]
            self._drawing = set(rows)
            return rows

    def learn(self, surrogates: Iterable[Sequence[Any]], choices: Choices) -> None:
        """Store the surrogates drawn by *choices*; mark those that were asked for and not drawn."""
        with self.lock:
            if self._review is not None and choices == self.choices:
                self._review.known |= dict.fromkeys(self._drawing, "")
                self._review.known |= {Row(*one[:4]): one[4] for one in surrogates}
            self._drawing = set()

    # The result

    def result(self) -> tuple[Result, bool]:
        """Return the result of the decisions as they stand, and whether it is to be made yet."""
        with self.lock:
            version = self._ready().editing.version
            made = self._result
            if made and made.version == version and made.state != "failed":
                return made, False
            self._results += 1
            number = self._results
            review = f"review-{number}.json"
            made = Result(number, version, self.folder / f"result-{number}", review)
            self._result = made
            return made, True

    def made(self) -> Result:
        """Return the result of the decisions made so far.

        Raises:
            NotReady: It has not been made.
        """
        with self.lock:
            return self._made()

    def result_view(self, number: int) -> Json | None:
        """Return a view as it is in the result; None if the result must be read for that."""
        with self.lock:
            made, shown = self._made(), _at(self._ready().reading.views, number)
            if shown.kind != "text":
                return views.content(number, replace(shown, words=(), unread=()), ())
            if made.texts is None:
                file = made.folder / "reading.json"
                if not file.exists():
                    return None
                made.texts = views.result_texts(json.loads(file.read_bytes()))
            texts, others = made.texts
            same = views.twin(self._ready().reading.views, number, others)
            return views.content(number, same or View("text", shown.title, NOWHERE), texts)

    def _made(self) -> Result:
        made = self._result
        if not made or made.state != "ready" or made.version != self._ready().editing.version:
            raise NotReady("the result has not been made")
        return made

    def _result_json(self) -> Json:
        made, review = self._result, self._review
        if made is None or review is None:
            return {"state": "none", "problem": "", "version": None}
        state: str = made.state
        if made.version != review.editing.version and state in ("ready", "failed"):
            state = "stale" if state == "ready" else "none"
        problem = made.problem if state == "failed" else ""
        return {"state": state, "problem": problem, "version": made.version}

    def _ready(self) -> _Review:
        if self._review is None:
            failed = self._state == "failed"
            raise NotReady(
                "the document could not be read" if failed else "the document is being read"
            )
        return self._review


def _row(one: Finding) -> Row:
    return Row(one.text, one.decided.start, one.decided.end, one.decided.entity)


def _at(shown: Sequence[View], number: int) -> View:
    if not 0 <= number < len(shown):
        raise Missing("there is no such view")
    return shown[number]
