"""Describe where a value stands: the words around it, and the page with its other findings."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

BESIDE = 90  # characters on either side in which other options are printed
FLIPPED = "flipped"  # what a policy says of answers that tell a sex, where all of a text is turned
AROUND = 30  # characters on either side that choose the shape of a surrogate

_OPTION = re.compile(  # "[ ] Scarlet fever": a box and what it is for
    r"(?:\[[ xX]?\]|\([ xX]\)|[\u2610-\u2612\u25a0\u25a1])[ ]?([A-Za-z][\w'’/& -]*?)"
    r"(?=\s{2}|\s*[\n\[(:;,.\u2610-\u2612\u25a0\u25a1]|\Z)"
)

Fact = TypeVar("Fact")


class Finding(Protocol):
    """A finding in a text: a `Span`, or your own class."""

    @property
    def start(self) -> int:
        """Return the offset of the first character, in code points."""

    @property
    def end(self) -> int:
        """Return the offset after the last character."""

    @property
    def entity(self) -> str:
        """Return the entity."""


class Page:
    """Hold a text and the findings that are replaced in it.

    Attributes:
        text: The text that was analyzed.
        findings: The findings, in order of their start, without overlaps.
        marks_move: Whether the marks in boxes beside the findings can be replaced, too; or the
            start and end of each box in which they can.
        is_turned: Whether its words tell the other sex: its names become those of the other, too.
    """

    is_turned = False

    def __init__(
        self,
        text: str,
        findings: Sequence[Finding] = (),
        marks_move: bool | Collection[tuple[int, int]] = False,
    ) -> None:
        self.text = text
        self.findings = findings
        self.marks_move = marks_move
        self._facts: dict[Callable[[Page], Any], Any] = {}

    def fact(self, read: Callable[["Page"], Fact]) -> Fact:
        """Return ``read(self)``, computed once for this page."""
        if read not in self._facts:
            self._facts[read] = read(self)
        found: Fact = self._facts[read]
        return found

    def with_boxes(self, boxes: Collection[tuple[int, int]]) -> "Page":
        """Return the page on which the marks in *boxes*, their starts and ends, can be replaced."""
        return Page(self.text, self.findings, frozenset(boxes))

    def written(self, start: int, end: int) -> tuple[str, int, int]:
        """Return the text that was analyzed, and where ``[start, end)`` of this page is in it."""
        return self.text, start, end

    def moves(self, box: tuple[int, int]) -> bool:
        """Return whether the mark in *box*, its start and end, can be replaced."""
        return self.marks_move if isinstance(self.marks_move, bool) else box in self.marks_move

    def values(self, *entities: str) -> list[str]:
        """Return the values of *entities*, in order."""
        return [self.text[one.start : one.end] for one in self.findings if one.entity in entities]


@dataclass(frozen=True, slots=True)
class Says:
    """Tell whether the text of a page has what matches an expression: a fact of `Page.fact`."""

    pattern: re.Pattern[str]

    def __call__(self, page: Page) -> bool:
        """Search in all of the page's text."""
        return self.pattern.search(page.text) is not None


def blanked(page: Page, but: Collection[str] = ()) -> str:
    """Return the text of *page* with blanks for its findings, *but* for those of some entities."""
    parts, at = [], 0
    for one in page.findings:
        if one.entity not in but:
            parts += [page.text[at : one.start], " " * (one.end - one.start)]
            at = one.end
    return "".join([*parts, page.text[at:]])


def _places(page: Page) -> tuple[list[int], Mapping[str, int]]:
    """Return the starts of all findings, and the end of the first one of each entity."""
    ends = {one.entity: one.end for one in reversed(page.findings)}
    return [one.start for one in page.findings], ends


def _options(page: "Page") -> frozenset[str]:
    """Return the options that a form prints behind boxes, in small letters: a fact of the page."""
    return frozenset(one[1].casefold() for one in _OPTION.finditer(page.text))


@dataclass(frozen=True)
class Context:
    """The place of a value on its page.

    Attributes:
        page: The page.
        start: Offset of the value's first character.
        end: Offset after its last.
    """

    page: Page
    start: int
    end: int

    @cached_property
    def before(self) -> str:
        """Return up to 30 characters before the value."""
        return self.page.text[max(0, self.start - AROUND) : self.start]

    @cached_property
    def after(self) -> str:
        """Return up to 30 characters after the value."""
        return self.page.text[self.end : self.end + AROUND]

    @property
    def around(self) -> str:
        """Return up to 30 characters on either side of the value."""
        return f"{self.before} {self.after}"

    @property
    def is_first(self) -> bool:
        """Tell whether no finding of the value's entity stands before it on the page."""
        starts, ends = self.page.fact(_places)
        at = bisect_right(starts, self.start) - 1
        own = self.page.findings[at] if at >= 0 else None
        if own is None or own.end <= self.start:
            return True
        return ends[own.entity] > self.start

    def has_printed(self, text: str) -> bool:
        """Return whether *text* stands beside the value as whole words, in any case.

        It counts anywhere on the page behind a box, as an option that a form prints.
        """
        folded = text.casefold()
        return folded in self.page.fact(_options) or any(
            re.search(rf"(?<!\w){re.escape(folded)}(?!\w)", side)
            for side in self._sides
            if folded in side
        )

    @cached_property
    def _sides(self) -> tuple[str, str]:
        """Return the text on both sides, as far as a row of options reaches."""
        text = self.page.text
        return (
            text[max(0, self.start - BESIDE) : self.start].casefold(),
            text[self.end : self.end + BESIDE].casefold(),
        )


def within(options: Mapping[str, Any], start: int) -> Mapping[str, Any]:
    """Return *options* for the part of their value that begins *start* characters into it."""
    context = context_of(options)
    if context is None:
        return options
    return {**options, "context": Context(context.page, context.start + start, context.end)}


def keeps_answers(options: Mapping[str, Any]) -> bool:
    """Tell whether answers stay by the *options* of a policy, but for those that nothing tells."""
    return options.get("answers") in ("told", "kept", FLIPPED)


def context_of(options: Mapping[str, Any]) -> Context | None:
    """Return the context in *options*, the parameters of a draw; None if only the value is known.

    Presidio's anonymizer passes operators only the value.
    """
    found = options.get("context")
    return found if isinstance(found, Context) else None
