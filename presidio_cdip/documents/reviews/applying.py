"""Redact a document as its review says: the same bytes, wherever that is done.

What the reviewer saw is replaced at its offsets; what they rejected stays. A text that they did not
see, such as that of a page which had to become a picture while the document was written, is treated
by value: what they let stand is replaced there, too, what they rejected stays, and what is found
there beside is replaced.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from presidio_cdip import steps
from presidio_cdip.documents import rewriting
from presidio_cdip.documents.formats import format_of
from presidio_cdip.documents.pictures import DRAWN, redactor
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.reviews.reading import OnPage
from presidio_cdip.documents.reviews.review import Decided, Fingerprint, Review
from presidio_cdip.documents.rewriting import Find, Found, Remembering, Report, Tools
from presidio_cdip.documents.segments import Box, Embedded, Note, Place, Settings
from presidio_cdip.errors import ReviewError
from presidio_cdip.pack.pack import Pack, PathLike
from presidio_cdip.recognition.finder import finder, least_score
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import CarryOut, carried_out
from presidio_cdip.surrogates.drawing.context import Context
from presidio_cdip.surrogates.engine import Candidate
from presidio_cdip.surrogates.keys import random_key
from presidio_cdip.surrogates.policies import Step
from presidio_cdip.surrogates.values.boxes import Marks

COVERED = "the text of the page, which became a picture because something was drawn on it"
RULE = "review"


def apply(
    data: bytes,
    name: str,
    review: Review,
    find: Find,
    replacement: Replacement,
    settings: Settings,
    watch: Callable[[Embedded, rewriting.Picture], object] = lambda one, picture: None,
) -> tuple[bytes, Report]:
    """Redact a document as *review* says.

    Args:
        data: The document.
        name: Its name.
        review: The decisions.
        find: Finds values in texts that the reviewer did not see.
        replacement: What findings become, as the review's choices say.
        settings: How the document is read and written, as the review's choices say.
        watch: Called with each picture before and after.

    Raises:
        ReviewError: The review is of another document, or the document was read differently.
        UnreadableInput: It cannot be read or written.
        StillReadable: An original can still be found in the result.
        MissingDependency: An extra is not installed.
    """
    fingerprint = Fingerprint.of(data)
    if fingerprint.check != review.check:
        raise ReviewError("it is of another document")
    reviewed = Reviewed(review, fingerprint, find)
    areas = _Areas(review, fingerprint)
    typing = _Typing(replacement, reviewed)
    redact = redactor(reviewed, settings, typing, areas)

    def watched(one: Embedded, change: bool) -> rewriting.Picture:
        picture = redact(one, change)
        watch(one, picture)
        return picture

    tools = Tools(reviewed, watched, typing.anonymize)
    new, report = rewriting.rewrite_any(data, name, tools, settings)
    if missing := review.texts.keys() - reviewed.met:
        raise ReviewError(
            f"{len(missing)} of {len(review.texts)} texts were read differently: by another "
            "version of this package or of Tesseract, or another language"
        )
    left = areas.left()
    kind = format_of(data, name)
    if not left:
        return new, report
    if kind is None or kind.name != "pdf":
        raise ReviewError("an area is of a picture that the document does not have")
    from presidio_cdip.documents.pdf.showing import covered

    boxes = {page: [box for _, box in drawn] for page, drawn in left.items()}
    new = covered(new, name, boxes, settings)
    found = [
        Found(entity, Place(f"page {page + 1}", page), 0, 0, 1.0, DRAWN, "erased", (box,))
        for page, drawn in left.items()
        for entity, box in drawn
    ]
    notes = [Note(Place(f"page {page + 1}", page), COVERED) for page in left]
    return new, replace(
        report, findings=[*report.findings, *found], removed=[*report.removed, *notes]
    )


def applied(
    data: bytes,
    name: str,
    own: str,
    review: Review,
    key: bytes | str | None = None,
    *,
    pack: Pack | PathLike | None = None,
    model: str | Path | None = None,
    threads: int | None = None,
    settings: Settings | None = None,
    watch: Callable[[Embedded, rewriting.Picture], object] = lambda one, picture: None,
    carrier: Callable[[], CarryOut] | None = None,
) -> tuple[bytes, Report]:
    """Redact a document as *review* says, with the policy and options that it names.

    Args:
        data: The document.
        name: Its name, for its suffix and for messages.
        own: The scope of its surrogates where the review names none: its file's name.
        review: The decisions.
        key: The key of surrogates; None for a random one.
        pack: Provides rules, lists, phrases and policies.
        model: A model's folder, ``"none"``, or None for the shipped one.
        threads: Threads for the model.
        settings: Limits of documents, and typefaces.
        watch: As of `apply`.
        carrier: Returns what carries out steps that need Presidio; called for such policies alone.

    Raises:
        CdipError: As `apply`; or pack, model, policy or key cannot be used.
    """
    choices = review.choices
    opened = Pack.open(pack)
    replacement = replacement_of(choices, own, key, opened, carrier)
    find = late_finder(choices, opened, model, threads)
    return apply(data, name, review, find, replacement, choices.settings(settings), watch)


def replacement_of(
    choices: Choices,
    own: str,
    key: bytes | str | None,
    pack: Pack,
    carrier: Callable[[], CarryOut] | None = None,
) -> Replacement:
    """Return the replacement that *choices* ask for; the arguments are those of `applied`.

    Raises:
        CdipError: Policy or key cannot be used.
    """
    choices.check(pack)
    made = steps.steps(
        choices.policy, random_key() if key is None else key, None, choices.locale or None, pack
    )
    carry_out = carrier() if carrier and steps.need_presidio(made) else None
    return Replacement(made, choices.scope or own, pack=pack, carry_out=carry_out, forms=True)


def late_finder(
    choices: Choices,
    pack: Pack | PathLike | None = None,
    model: str | Path | None = None,
    threads: int | None = None,
) -> Find:
    """Return a finder that follows *choices*; it loads rules and model at the first text."""

    @cache
    def made() -> Find:
        found = finder(pack, model, threads)
        asked = found.served(choices.entities, choices.names)
        return partial(
            found.find,
            wanted=asked,
            names=not set(asked).isdisjoint(found.names),
            min_score=least_score(choices.min_score or None),
        )

    return lambda text: made()(text)


class Reviewed:
    """Find the values of a review by their places, and in texts that it does not know, by value.

    Attributes:
        met: The digests of the texts that were asked for and that the review knows.
    """

    def __init__(self, review: Review, fingerprint: Fingerprint, find: Find) -> None:
        self._review = review
        self._fingerprint = fingerprint
        self._otherwise = Remembering(find)
        self._texts: dict[str, Sequence[Decided]] = {}
        self._rejected: set[tuple[str, str]] = set()
        self._accepted: set[tuple[str, str]] = set()
        self.met: set[str] = set()

    def __call__(self, text: str) -> list[Span]:
        """Return the findings in *text*."""
        digest = self._fingerprint.text(text)
        found = self._review.texts.get(digest)
        if found is None:
            return self._by_value(text)
        if digest not in self.met:
            self._learn(text, found)
        self.met.add(digest)
        return [_span(one) for one in found if one.counts and one.end <= len(text)]

    def typed(self, text: str, start: int, end: int) -> str | None:
        """Return the reviewer's replacement of ``text[start:end]``; None if they typed none."""
        for one in self._texts.get(text, ()):
            if one.surrogate is not None and (one.start, one.end) == (start, end):
                return one.surrogate if one.counts else None
        return None

    def has_typed(self, text: str) -> bool:
        """Tell whether the reviewer typed replacements of values in *text*."""
        return text in self._texts

    def _learn(self, text: str, found: Sequence[Decided]) -> None:
        if any(one.surrogate is not None for one in found):
            self._texts[text] = [one for one in found if one.surrogate is not None]
        for one in found:
            values = self._accepted if one.counts else self._rejected
            values.add((one.entity, text[one.start : one.end]))
        self._otherwise.learn(text, [_span(one) for one in found if one.counts])

    def _by_value(self, text: str) -> list[Span]:
        rejected = self._rejected - self._accepted
        return [
            span
            for span in self._otherwise(text)
            if (span.entity, text[span.start : span.end]) not in rejected
        ]


def _span(one: Decided) -> Span:
    return Span(one.start, one.end, one.entity, one.score, RULE)


class _Areas:
    """The areas of a review, for the pictures and pages that they are on."""

    def __init__(self, review: Review, fingerprint: Fingerprint) -> None:
        self._areas = review.areas
        self._fingerprint = fingerprint
        self._used: set[int] = set()

    def __call__(
        self, one: Embedded, page: int, size: tuple[int, int]
    ) -> Sequence[tuple[str, Box]]:
        """Return the areas of a page of a picture, in pixels."""
        return list(self._of(one, page, size)) if self._areas else ()

    def _of(self, one: Embedded, page: int, size: tuple[int, int]) -> Iterator[tuple[str, Box]]:
        digest = self._fingerprint.picture(one.data)
        for number, area in enumerate(self._areas):
            if area.picture and (area.picture, area.page) == (digest, page):
                self._used.add(number)
                yield area.entity, area.box
            elif not area.picture and one.layered and one.place.page == area.page:
                to_page = one.to_page
                if to_page is not None:
                    self._used.add(number)
                    yield area.entity, OnPage(to_page, size).picture(area.box)

    def left(self) -> Mapping[int, Sequence[tuple[str, Box]]]:
        """Return the areas that no picture was asked for, by page of the document.

        Raises:
            ReviewError: One of them is of a picture.
        """
        found: dict[int, list[tuple[str, Box]]] = {}
        for number, area in enumerate(self._areas):
            if number not in self._used:
                if area.picture:
                    raise ReviewError("an area is of a picture that the document does not have")
                found.setdefault(area.page, []).append((area.entity, area.box))
        return found


@dataclass
class _Typing(Replacement):
    """Replace findings as another does, and by what the reviewer typed."""

    inner: Replacement = field(init=False)
    reviewed: Reviewed = field(init=False)

    def __init__(self, inner: Replacement, reviewed: Reviewed) -> None:
        super().__init__(
            inner.made,
            inner.scope,
            inner.scope_from,
            inner.pack,
            self._carry(inner.carry_out),
            inner.forms,
        )
        self.inner, self.reviewed = inner, reviewed

    def _carry(self, carry_out: CarryOut | None) -> CarryOut:
        def carry(step: Step, value: str, span: Span, context: Context) -> str:
            typed = self.reviewed.typed(*context.page.written(context.start, context.end))
            if typed is not None:
                return typed
            if carry_out is not None:
                return carry_out(step, value, span, context)
            return carried_out(step, value, span.entity, context)

        return carry

    def may_turn(self, text: str) -> bool | None:
        """Return whether *text* is turned: not one in which the reviewer typed something."""
        return False if self.reviewed.has_typed(text) else super().may_turn(text)

    def on_page(self, text: str, findings: Sequence[tuple[int, int, str]]) -> Any:
        """Return the replacements of a picture's *findings*, as `Replacement.on_page`."""
        return _TypedSource(super().on_page(text, findings), self.reviewed, text)


@dataclass(frozen=True, slots=True)
class _TypedSource:
    """Yield the texts that the reviewer typed, and where they typed nothing, drawn ones."""

    source: Any
    reviewed: Reviewed
    text: str = field(repr=False)

    def candidates(self, entity: str, value: str, start: int, end: int) -> Iterator[Candidate]:
        """Yield replacements of the *value* at ``[start, end)``, in the order of their numbers."""
        typed = self.reviewed.typed(self.text, start, end)
        if typed is None:
            yield from self.source.candidates(entity, value, start, end)
        elif typed:
            yield Candidate(typed)

    def marks(self, boxes: Collection[tuple[int, int]]) -> Iterator[Marks]:
        """Yield the marks of each printed question whose marks move, among those in *boxes*."""
        yield from self.source.marks(boxes)

    def mentions(self) -> Iterator[tuple[int, int, str]]:
        """Yield where the text repeats towns or names of its values, and what draws them."""
        yield from self.source.mentions()

    def chosen(self, value: str, text: str) -> None:
        """Hear that *text* is painted in place of *value*."""
        self.source.chosen(value, text)
