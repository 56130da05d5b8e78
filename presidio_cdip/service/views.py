"""Describe a document in JSON: its views, their words and texts, and the findings."""

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from presidio_cdip.documents.reviews.editing import Finding
from presidio_cdip.documents.reviews.reading import NOWHERE, Reading, View, boxes_of
from presidio_cdip.documents.reviews.review import Decided, Fingerprint, Review
from presidio_cdip.documents.segments import Box, Note, Place

Json = dict[str, Any]


class Pictures(Sequence[bytes]):
    """Hold the pictures of a document, which are read on request."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder = folder
        self._count = count

    def __len__(self) -> int:
        """Return the number of pictures."""
        return self._count

    @overload
    def __getitem__(self, at: int) -> bytes: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[bytes]: ...

    def __getitem__(self, at: int | slice) -> bytes | Sequence[bytes]:
        """Return a picture, or some."""
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(self._count))]
        if not 0 <= at < self._count:
            raise IndexError(at)
        return (self._folder / str(at)).read_bytes()


def opened(folder: Path, choices: Any) -> tuple[Reading, Review, Fingerprint, Sequence[str]]:
    """Return the results of a child: reading, first review, fingerprint, digests of pictures."""
    given = json.loads((folder / "reading.json").read_bytes())
    reading = Reading(
        given["format"],
        given["texts"],
        [View.of(one) for one in given["views"]],
        Pictures(folder / "pictures", len(given["pictures"])),
        [_note(one) for one in given["removed"]],
        [_note(one) for one in given["unread"]],
    )
    fingerprint = Fingerprint(bytes.fromhex(given["key"]))
    texts = {
        fingerprint.text(text): tuple(
            Decided(start, end, entity, score, why=why) for start, end, entity, score, why in found
        )
        for text, found in zip(reading.texts, given["found"], strict=True)
        if text
    }
    return reading, Review(fingerprint.check, choices, texts), fingerprint, given["pictures"]


def _note(given: Json) -> Note:
    place = Place(given.get("where", ""), given.get("page"), given.get("part", ""))
    return Note(place, given["what"])


def summary(number: int, view: View) -> Json:
    """Return the list entry of *view*."""
    kind = "text" if view.kind == "text" else "image"
    data = {"number": number, "kind": kind, "title": view.title}
    if kind == "image":
        data |= {"width": view.size[0], "height": view.size[1]}
    return data


def content(number: int, view: View, texts: Sequence[str]) -> Json:
    """Return the words of a page, or the segments of a text."""
    text = "" if view.text == NOWHERE else texts[view.text]
    if view.kind == "text":
        segments = [
            {"start": start, "end": end, "text": text[start:end], "where": where, "label": label}
            for start, end, where, label in view.blocks
        ]
        return {"number": number, "kind": "text", "segments": segments}
    words = [
        {"start": one.start, "end": one.end, "text": text[one.start : one.end],
         "box": rounded(one.box)}
        for one in view.words
    ]  # fmt: skip
    return {
        "number": number,
        "kind": "image",
        "width": view.size[0],
        "height": view.size[1],
        "words": words,
        "unread": [rounded(box) for box in view.unread],
    }


def unread(reading: Reading) -> list[Json]:
    """Return the parts that were not read, each with its view, where there is one."""
    pages = {view.page: number for number, view in enumerate(reading.views) if view.kind == "page"}
    titles = {view.title: number for number, view in reversed(list(enumerate(reading.views)))}
    found = []
    for note in reading.unread:
        page = note.place.page
        at = None if page is None else pages.get(page)
        if at is None:
            at = titles.get(note.place.where)
        if at is None and reading.format == "image":
            at = page or 0
        found.append({"view": at, "where": note.place.where, "what": note.what})
    return found


def removed(reading: Reading) -> list[Json]:
    """Return the parts that will be left out, equal ones in one place once with a count."""
    counts: dict[tuple[str, str], int] = {}
    for note in reading.removed:
        key = note.place.where, note.what
        counts[key] = counts.get(key, 0) + 1
    return [
        {"where": where, "what": what, "count": count} for (where, what), count in counts.items()
    ]


class Boxes:
    """Compute the boxes of findings on pages, each once."""

    def __init__(self, views: Sequence[View]) -> None:
        self._views = [_in_order(view) for view in views]
        self._ends = [[word.end for word in view.words] for view in self._views]
        self._known: dict[str, list[list[float]]] = {}

    def of(self, one: Finding) -> list[list[float]]:
        """Return the boxes of a finding in its first view."""
        if one.area:
            return [rounded(one.area.box)]
        if one.id not in self._known:
            self._known[one.id] = list(map(rounded, self._boxes(one)))
        return self._known[one.id]

    def _boxes(self, one: Finding) -> list[Box]:
        view = self._views[one.view]
        first = bisect_left(self._ends[one.view], one.decided.start + 1)
        words = []
        for word in view.words[first:]:
            if word.start >= one.decided.end:
                break
            words.append(word)
        shown = View(view.kind, view.title, view.text, words=words)
        return list(boxes_of(shown, one.decided.start, one.decided.end))


def _in_order(view: View) -> View:
    words = sorted(view.words, key=lambda word: word.start)
    return View(view.kind, view.title, view.text, words=words)


def rounded(box: Sequence[float]) -> list[float]:
    """Return *box* in hundredths of its unit."""
    return [round(edge, 2) for edge in box]


def result_texts(given: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[View]]:
    """Return the texts of a result and its views of text, as a child wrote them."""
    return given["texts"], [View.of(one) for one in given["views"]]


def twin(views: Sequence[View], number: int, others: Sequence[View]) -> View | None:
    """Return the view among *others* that shows what ``views[number]`` does; None if it is gone.

    It is the one with the same title; of several with it, the one in the same place among them.
    """
    title = views[number].title
    before = sum(1 for one in views[:number] if (one.kind, one.title) == ("text", title))
    same = [one for one in others if one.title == title]
    return same[before] if before < len(same) else None
