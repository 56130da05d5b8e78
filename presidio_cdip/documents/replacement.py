"""Carry out one policy on all of a document: in its texts and in its pictures."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from presidio_cdip import steps
from presidio_cdip.documents.subjects import Stretch, by_subject
from presidio_cdip.pack.pack import Pack, PathLike
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import Context, Finding, Page
from presidio_cdip.surrogates.engine import Candidate, OnPage
from presidio_cdip.surrogates.policies import DEFAULT, Step
from presidio_cdip.surrogates.scopes import ScopeFrom, scope_of
from presidio_cdip.surrogates.values.boxes import Marks, marks_of
from presidio_cdip.surrogates.values.turning import GENDER, TurnedPage, has_ticked_sex

_NO_SECRET = bytes(range(32))
"""In place of a key where the policy draws no surrogate: the noise of painted ink hides nothing."""


@dataclass
class Replacement:
    """Replace findings as the steps of a policy say, in one scope.

    Attributes:
        made: The steps, with their key.
        scope: Equal values within it get equal surrogates; if empty, the first text decides.
        scope_from: Finds the scope in the first text; if None, that text is a scope of its own.
        pack: Tells our entities from others.
        carry_out: Carries out steps that need Presidio.
        forms: Whether what is written tells which values only the plainest form reads.
        turns: Whether texts are turned, where the policy has sexes flipped; None: as key and scope
            decide for each.
        decided: The decisions so far: {True} if every text and page was turned.
    """

    made: Mapping[str, Step]
    scope: str = ""
    scope_from: ScopeFrom | None = None
    pack: Pack | PathLike | None = None
    carry_out: steps.CarryOut | None = None
    forms: bool = False
    turns: bool | None = None
    decided: set[bool] = field(default_factory=set)
    _page: tuple[str, TurnedPage | None] = field(default=("", None), repr=False)

    def anonymize(
        self, text: str, spans: Sequence[Span], subjects: Sequence[Stretch] = ()
    ) -> steps.Rewritten:
        """Replace each of *spans* in *text*.

        Args:
            text: The text.
            spans: What was found in it.
            subjects: The stretches of it that have scopes of their own.

        Raises:
            ValueRefused: No surrogate is made for a value.
            PolicyError: The policy has nothing for a finding.
        """
        whole = self.scoped(text)

        def written(text: str, spans: Sequence[Span], scope: str) -> steps.Rewritten:
            return self._written(text, spans, steps.in_scope(whole, scope) if scope else whole)

        if subjects:
            return by_subject(text, spans, subjects, written)
        return written(text, spans, "")

    def _written(
        self, text: str, spans: Sequence[Span], made: Mapping[str, Step]
    ) -> steps.Rewritten:
        written = steps.anonymize(
            text,
            spans,
            made,
            pack=self.pack,
            carry_out=self.carry_out,
            columns=False,
            forms=self.forms,
            turns=self.may_turn(text),
        )
        self.decided.add(written.is_turned)
        return written

    def scoped(self, text: str) -> Mapping[str, Step]:
        """Return the steps in the scope of the document, in which *text* stands."""
        if not self.scope:
            self.scope = scope_of(text, self.scope_from)
        return self._in_scope

    @cached_property
    def _in_scope(self) -> Mapping[str, Step]:
        return steps.in_scope(self.made, self.scope)

    def may_turn(self, text: str) -> bool | None:
        """Return whether *text* is turned; None if key and scope decide."""
        return self.turns

    def kept(self, entity: str) -> bool:
        """Return whether values of *entity* stay."""
        step = self.made.get(entity) or self.made.get(DEFAULT)
        return step is not None and step.operator == "keep"

    def on_page(self, text: str, findings: Sequence[tuple[int, int, str]]) -> "_PageSource":
        """Return replacements of the *findings* (start, end, entity) of a picture with *text*."""
        spans = [Span(start, end, entity, 1.0, "") for start, end, entity in sorted(findings)]
        made, page = self.scoped(text), Page(text, spans)
        other = self._turned(page, made)
        return _PageSource(made if other else steps.as_told(made), page, other)

    def _turned(self, page: Page, made: Mapping[str, Step]) -> TurnedPage | None:
        """Return *page* turned, or None.

        It is decided when a picture is first asked for: then its words are findings, too. A picture
        with a ticked sex is not turned, since its boxes may not be told.
        """
        if not page.text or self._page[0] != page.text:
            marked = Page(page.text, page.findings, marks_move=True)
            other = None
            if steps.flips(made) and not has_ticked_sex(marked):
                other = steps.turned_page(page, made, turns=self.may_turn(page.text))
            self._page = page.text, other
            self.decided.add(other is not None)
        return self._page[1]

    def seed(self, purpose: str, normal: str) -> int:
        """Return a number of 128 bits derived from key, scope, *purpose* and *normal*."""
        step = next((one for one in self.made.values() if one.operator == "surrogate"), None)
        params = {**step.params, "scope": self.scope or "page"} if step else {"key": _NO_SECRET}
        return steps.surrogates_of(params).seed(purpose, normal)


@dataclass(frozen=True, slots=True)
class _PageSource:
    """Yield replacements of the values of one picture; *turned* is its page with sexes flipped."""

    made: Mapping[str, Step]
    page: Page
    turned: TurnedPage | None = None

    def candidates(self, entity: str, value: str, start: int, end: int) -> Iterator[Candidate]:
        """Yield replacements of the *value* at ``[start, end)``, in the order of their numbers.

        Nothing is yielded where the policy removes values: they are erased.
        """
        step = self.made.get(entity) or self.made[DEFAULT]
        params: dict[str, Any] = {**step.params, "entity_type": entity}
        if step.operator == "surrogate":
            page = self.page
            if self.turned:
                page, value = self.turned, self.turned.value(value, start, end)
                start, end = self.turned.place(start, end)
            drawn = steps.surrogates_of({**params, "context": Context(page, start, end)})
            yield from OnPage(drawn, page).candidates(entity, value, start, end)
        elif step.operator in ("generalize", "replace"):
            yield Candidate(steps.carried_out(step, value, entity))

    def marks(self, boxes: Collection[tuple[int, int]]) -> Iterator[Marks]:
        """Yield the marks of each printed question whose marks move, among those in *boxes*."""

        def step_of(finding: Finding) -> Step:
            return self.made.get(finding.entity) or self.made[DEFAULT]

        def surrogate(finding: Finding, box: str, context: Context) -> str:
            return steps.carried_out(step_of(finding), box, finding.entity, context)

        page = self.page.with_boxes(boxes)
        return marks_of(
            page, lambda asked: steps.replaces_marks(step_of(asked.finding), asked), surrogate
        )

    def mentions(self) -> Iterator[tuple[int, int, str]]:
        """Yield where the text repeats towns or names of its values, and what draws them.

        They change only where surrogates replace the value. Where the picture is turned, pronouns,
        titles and other words that tell a sex are among them.
        """
        for one in steps.mentions_of(self.page, self.made):
            yield one.start, one.end, one.drawn_as
        for start, end in self.turned.stretches() if self.turned else ():
            yield start, end, GENDER

    def chosen(self, value: str, text: str) -> None:
        """Hear that *text* is painted in place of *value*."""
