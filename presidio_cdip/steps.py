"""Carry out a policy on the findings in a text, without importing Presidio, which takes seconds.

`presidio.operators` puts the same into Presidio's engines, and has Presidio's own operators, too.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from presidio_cdip.entities import entities_of
from presidio_cdip.errors import PolicyError, ValueRefused
from presidio_cdip.pack.pack import Pack, PathLike
from presidio_cdip.recognition.overlaps import Claim, resolve_overlaps
from presidio_cdip.recognition.spans import Span
from presidio_cdip.surrogates.drawing.context import FLIPPED, Context, Page, context_of
from presidio_cdip.surrogates.engine import Surrogates
from presidio_cdip.surrogates.generalization import generalized
from presidio_cdip.surrogates.keys import Key, default_key, random_key
from presidio_cdip.surrogates.places.mentions import Mention, find_mentions
from presidio_cdip.surrogates.policies import (
    DEFAULT,
    DEFAULT_LOCALE,
    Step,
    check_scope,
    read_policy,
)
from presidio_cdip.surrogates.scopes import ScopeFrom, scope_of
from presidio_cdip.surrogates.values.boxes import Question, boxes_of, moves_marks
from presidio_cdip.surrogates.values.turning import GENDER, TurnedPage, turned, why_not
from presidio_cdip.surrogates.writing.articles import with_article
from presidio_cdip.surrogates.writing.columns import Column, Run

if TYPE_CHECKING:
    from presidio_cdip.surrogates.vault import Vault

# Parameters of an operator that a policy's step does not have.
ADDED = {"key", "scope", "pack", "policy", "entity_type", "context"}
_OURS = ("surrogate", "generalize")
# What ends the rules of spans that findings bring with them, and the rule of turned words.
_MENTION, _MARK, _TURNED = "+mention", "+mark", "gender/words+turned"

_TOGETHER = {
    "dates": ("DATE_TIME", "DATE_OF_BIRTH", "AGE"),
    "age": ("AGE", "DATE_OF_BIRTH"),
}

# The texts that presidio-structured passes for a cell without a value.
MISSING = frozenset({"nan", "NaN", "NaT", "<NA>"})


CarryOut = Callable[[Step, str, Span, Context], str]


@dataclass(frozen=True, slots=True)
class Item:
    """A value that was replaced.

    Attributes:
        start: Offset of the first character of the replacement, in the new text.
        end: Offset after the last.
        text: The replacement.
        span: The value, in the old text.
        operator: The operator that replaced it.
        plainest: Whether it is a surrogate of a value that only the plainest form of the entity
            reads, where `anonymize` was asked to tell.
    """

    start: int
    end: int
    text: str
    span: Span
    operator: str
    plainest: bool = False


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A text in which values were replaced, and the values in order.

    Attributes:
        text: The new text.
        items: The values.
        is_turned: Whether its words tell the other sex, as ``answers: flipped`` asks for.
        not_turned: Why they cannot, where `anonymize` was asked to tell; "" if they can.
    """

    text: str
    items: Sequence[Item]
    is_turned: bool = False
    not_turned: str = ""

    def counts(self) -> Counter[str]:
        """Return the number of values of each entity that were replaced; kept ones do not count."""
        return Counter(
            item.span.entity
            for item in self.items
            if item.operator != "keep" and not is_mark(item.span)
        )

    def preview(self, text: str) -> str:
        """Return the old *text* with what replaces each value: ``aged ⟦46 → 51⟧``."""
        parts, at = [], 0
        for item in self.items:
            start, end = item.span.start, item.span.end
            parts += [text[at:start], f"⟦{text[start:end]} → {item.text}⟧"]
            at = end
        return "".join([*parts, text[at:]])


def steps(
    name: str = "surrogate",
    key: bytes | str | None = None,
    scope: str | None = None,
    locale: str | None = None,
    pack: Pack | PathLike | None = None,
    changes: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Step]:
    """Return the steps of a policy, with what `presidio.operators.policy` is given in them.

    Raises:
        PolicyError: As `presidio.operators.policy`.
        KeyUnusable: The key is too short or too uniform.
    """
    pack = Pack.open(pack)
    read = read_policy(name, pack, changes)
    given: dict[str, Any] = {"policy": read.name}
    if pack != Pack.open():  # else the parameters are plain JSON, and REST can send them
        given["pack"] = pack
    if key is not None:
        given["key"] = Key.of(key)
    if locale:
        given["locale"] = locale
    made = {
        # presidio-structured names no entity; in a text Presidio names that of the finding.
        entity: Step(step.operator, {**step.params, **given, "entity_type": entity})
        if step.operator in _OURS
        else step
        for entity, step in read.steps.items()
    }
    made = _together(made)
    return made if scope is None else in_scope(made, scope)


def _together(made: Mapping[str, Step]) -> dict[str, Step]:
    """Return steps in which births, other dates and ages move alike.

    A parameter that is given for one of these entities counts for the others, too.
    """
    changed = dict(made)
    for name, entities in _TOGETHER.items():
        given = {one: made[one].params[name] for one in entities
                 if one in made and name in made[one].params}  # fmt: skip
        for entity in entities:
            step = changed.get(entity)
            if given and step and step.operator == "surrogate":
                value = given.get(entity, next(iter(given.values())))
                changed[entity] = Step("surrogate", {**step.params, name: value})
    return changed


def in_scope(made: Mapping[str, Step], scope: str) -> dict[str, Step]:
    """Return the steps of a policy for another scope.

    Raises:
        PolicyError: *scope* is empty.
    """
    check_scope(next((policy_of(one.params) for one in made.values()), ""), scope)
    return {
        entity: Step(one.operator, {**one.params, "scope": scope}) if one.operator in _OURS else one
        for entity, one in made.items()
    }


def check_usable(made: Mapping[str, Step]) -> None:
    """Check that surrogates can be drawn as the steps of a policy say.

    Raises:
        PolicyError: The locale or a parameter cannot be used.
        KeyUnusable: The key cannot be used.
    """
    for step in made.values():
        if step.operator == "surrogate":
            surrogates_of({"scope": "any", **step.params})


def policy_of(params: Mapping[str, Any]) -> str:
    """Return the name of the policy that *params* are of."""
    return str(params.get("policy") or "surrogate")


def entity_of(params: Mapping[str, Any]) -> str:
    """Return the entity that *params* name."""
    return str(params.get("entity_type") or DEFAULT)


def surrogate(value: str, params: Mapping[str, Any]) -> str:
    """Return the surrogate of *value*.

    Args:
        value: The value.
        params: Of the operator, as ``operators/README.md`` has them, with key, scope, pack, policy,
            entity and context.

    Raises:
        ValueRefused: No surrogate is made for this value.
    """
    entity = entity_of(params)
    if value in MISSING:
        return value
    return surrogates_of(params).surrogate(entity, value, context_of(params))


def generalize(value: str, params: Mapping[str, Any]) -> str:
    """Return *value* made less precise; *params* as for `surrogate`."""
    options = {**params, "pack": Pack.open(params.get("pack"))}
    return generalized(entity_of(params), value, options)


def surrogates_of(params: Mapping[str, Any]) -> Surrogates:
    """Return the `Surrogates` of an entity whose step has *params*."""
    given = {name: value for name, value in params.items() if name not in ADDED | {"locale"}}
    at_random = given.get("draw") in ("document", "random")
    # Both are random to the forms; they differ in how long the key lives.
    options = tuple(sorted({**given, **({"draw": "random"} if at_random else {})}.items()))
    rest = (
        str(params.get("scope", "corpus")),
        str(params.get("locale", "en_US")),
        options,
        Pack.open(params.get("pack")),
        policy_of(params),
    )
    if at_random:
        context = context_of(params) if given["draw"] == "document" else None
        return _made(context.page.fact(_key_of) if context else random_key(), *rest)
    key = params.get("key")
    return _kept(default_key() if key is None else Key.of(key), *rest)


def _key_of(page: Page) -> Key:
    """Return the key of a document whose surrogates nobody can repeat."""
    return random_key()


def _made(key: Key, scope: str, locale: str, options: Any, pack: Pack, policy: str) -> Surrogates:
    return Surrogates(key, scope, locale, dict(options), pack, policy)


_kept = lru_cache(maxsize=1024)(_made)

# As presidio-anonymizer carries out those of them that are its own.
_BY_OPERATOR: Mapping[str, Callable[[str, Mapping[str, Any]], str]] = {
    "surrogate": surrogate,
    "generalize": generalize,
    "redact": lambda value, params: "",
    "replace": lambda value, params: params.get("new_value") or f"<{entity_of(params)}>",
    "keep": lambda value, params: value,
}


def need_presidio(made: Mapping[str, Step]) -> bool:
    """Return whether one of the steps needs an operator that only Presidio has."""
    return any(step.operator not in _BY_OPERATOR for step in made.values())


def anonymize(
    text: str,
    spans: Sequence[Span],
    made: Mapping[str, Step],
    vault: "Vault | None" = None,
    document: str = "",
    pack: Pack | PathLike | None = None,
    carry_out: CarryOut | None = None,
    scope_from: ScopeFrom | None = None,
    columns: bool = True,
    forms: bool = False,
    turns: bool | None = None,
) -> Rewritten:
    """Replace each finding in *text*, in time linear in both.

    What follows a surrogate behind a wide gap on its line stays in its column.

    Args:
        text: The text that was analyzed.
        spans: The findings.
        made: The steps of a policy.
        vault: Keeps the values that are replaced.
        document: Its name in *vault*.
        pack: Tells our entities from others [default: the one that *made* names].
        carry_out: Returns what a step makes of a value, given its span and its context
            [default: without Presidio].
        scope_from: Finds the scope of the text, as `scope_of` takes it
            [default: that of *made*; if they have none, the text is a scope of its own].
        columns: Whether wide gaps of blanks or dots take up what values have grown or shrunk.
        forms: Whether items tell of the plainest form, which takes about as long again, and the
            text why it cannot be turned.
        turns: Whether the text is turned, where a policy has sexes flipped
            [default: as key and scope decide, if it can be].

    Raises:
        ValueRefused: A finding lies outside the text, or no surrogate is made for a value.
        PolicyError: *made* has nothing for a finding.
        VaultError: The vault cannot be written.
    """
    carry_out = carry_out or _carried_out
    ours = [one for one in made.values() if one.operator in _OURS]
    if scope_from is not None:
        made = in_scope(made, scope_of(text, scope_from))
    elif ours and all("scope" not in one.params for one in ours):
        made = in_scope(made, scope_of(text))
    named = (step.params.get("pack") for step in made.values())
    pack = Pack.open(pack or next(filter(None, named), None))
    page = Page(text, _resolved(text, spans, made, pack), marks_move=True)
    other = turned_page(page, made, pack, turns)
    asked, made = made, made if other else as_told(made)
    work = sorted(_work(page, made, pack, other), key=lambda one: one.span.start)
    drawn = [
        carry_out(one.step, value, replace(one.span, entity=one.drawn_as), context)
        for one in work
        for value, context in (_there(one, page, other),)
    ]
    changed = [
        at
        for at, (one, value) in enumerate(zip(work, drawn, strict=True))
        if not is_mark(one.span) or value != text[one.span.start : one.span.end]
    ]
    spans, own = [work[at].span for at in changed], [work[at].step for at in changed]
    values = [drawn[at] for at in changed]
    ends = [0, *(span.end for span in spans)]
    gaps = [text[end : span.start] for end, span in zip(ends, spans, strict=False)]
    fitted = [
        with_article(gap, value) if step.operator == "surrogate" else gap
        for gap, value, step in zip(gaps, values, own, strict=True)
    ]
    fitted.append(text[ends[-1] :])
    aligned: list[str] = fitted
    runs: list[list[Run]] = [[] for _ in fitted]
    if columns:
        aligned, runs = _in_columns(text, spans, own, values, gaps, fitted)
    written = [part for pair in zip(aligned, values, strict=False) for part in pair]
    starts = list(accumulate(map(len, written)))[::2]
    result = Rewritten(
        "".join([*written, aligned[-1]]),
        [
            Item(start, start + len(value), value, span, step.operator)
            for start, value, span, step in zip(starts, values, spans, own, strict=True)
        ],
        other is not None,
    )
    if forms:
        pairs = zip(result.items, plainest(text, result, made), strict=True)
        result = replace(
            result,
            items=[replace(item, plainest=one) for item, one in pairs],
            not_turned="" if other else why_not_turned(page, asked, pack),
        )
    if vault is not None:
        from presidio_cdip.surrogates.vault import Kept

        kept = []
        for item, gap, now in zip(result.items, gaps, fitted, strict=False):
            same = _same_start(gap, now)
            start, was = item.start - len(now) + same, item.span.start - len(gap) + same
            kept.append(Kept(start, item.end, item.span.entity, text[was : item.span.end]))
        for item, behind in zip(result.items, runs[1:], strict=True):
            kept += [
                Kept(item.end + run.start, item.end + run.end, item.span.entity, run.was)
                for run in behind
            ]
        vault.add(result.text, kept, document)
    return result


def _in_columns(
    text: str,
    spans: Sequence[Span],
    own: Sequence[Step],
    values: Sequence[str],
    gaps: Sequence[str],
    fitted: Sequence[str],
) -> tuple[list[str], list[list[Run]]]:
    """Return *fitted*, the texts between *values*, with columns kept, and the runs that changed."""
    column = Column()
    aligned, runs = [], []
    for at, now in enumerate(fitted):
        is_last = at == len(gaps)
        same = len(now) if is_last else _same_start(gaps[at], now)
        stays, found = column.fitted(now[:same], not is_last and same == len(now))
        aligned.append(stays + now[same:])
        runs.append(found)
        if not is_last:
            span = spans[at]
            if own[at].operator == "surrogate":
                column.replaced(
                    gaps[at][same:] + text[span.start : span.end], now[same:] + values[at]
                )
            else:
                column = Column()
    return aligned, runs


def is_mark(span: Span) -> bool:
    """Tell whether *span* is the box of a printed option, which is no value."""
    return span.rule.endswith(_MARK)


def is_turned_word(span: Span) -> bool:
    """Tell whether *span* is a word that is turned with its page, and is no value."""
    return span.rule == _TURNED


def replaces_marks(step: Step, question: Question) -> bool:
    """Tell whether the marks of *question*, whose answers *step* replaces, move."""
    return step.operator == "surrogate" and moves_marks(step.params, question)


def _same_start(gap: str, now: str) -> int:
    """Return the number of characters before a value that stay; less if its article changed."""
    if gap == now:
        return len(gap)
    pairs = enumerate(zip(gap, now, strict=False))
    return next((at for at, (old, new) in pairs if old != new), min(len(gap), len(now)))


def plainest(text: str, written: Rewritten, made: Mapping[str, Step]) -> list[bool]:
    """Return for each item of *written* whether it is a surrogate of its entity's plainest form.

    Args:
        text: The text before.
        written: The text that `anonymize` made of it.
        made: The steps that it was given.
    """
    spans = [
        item.span for item in written.items if not (is_mark(item.span) or is_turned_word(item.span))
    ]
    page = Page(text, spans, marks_move=True)

    def is_plain(span: Span) -> bool:
        step = _step_of(span, made)
        if step.operator != "surrogate" or is_mark(span) or is_turned_word(span):
            return False
        context = Context(page, span.start, span.end)
        params = {**step.params, "entity_type": span.entity, "context": context}
        value = text[span.start : span.end]
        return surrogates_of(params).form_of(span.entity, value, context).plainest

    return [is_plain(item.span) for item in written.items]


class _Work(NamedTuple):
    """A value to replace, its step, and the entity whose forms read it."""

    span: Span
    step: Step
    drawn_as: str


def _there(one: _Work, page: Page, other: TurnedPage | None) -> tuple[str, Context]:
    """Return the value of *one* and its context; on the turned page if a surrogate is drawn."""
    start, end = one.span.start, one.span.end
    if other is None or one.step.operator != "surrogate":
        return page.text[start:end], Context(page, start, end)
    context = other.context(start, end)
    return other.text[context.start : context.end], context


def flips(made: Mapping[str, Step]) -> bool:
    """Tell whether the steps of a policy have sexes flipped, and so turn texts."""
    step = made.get(GENDER)
    return bool(step and step.operator == "surrogate" and step.params.get("answers") == FLIPPED)


def as_told(made: Mapping[str, Step]) -> Mapping[str, Step]:
    """Return the steps of a policy for a text that is not turned."""
    if not flips(made):
        return made
    return {**made, GENDER: Step("surrogate", {**made[GENDER].params, "answers": "told"})}


def turned_page(
    page: Page, made: Mapping[str, Step], pack: Pack | None = None, turns: bool | None = None
) -> TurnedPage | None:
    """Return *page* turned, if the policy has sexes flipped, and this page can be and is drawn.

    Args:
        page: The page with its findings.
        made: The steps by entity, in a scope.
        pack: Its words and names [default: that of *made*].
        turns: Whether it is turned [default: as key and scope decide, if it can be].

    Raises:
        KeyUnusable: There is no key to draw by.
    """
    if not flips(made):
        return None
    pack = pack or _pack_of(made)
    step = made[GENDER]
    operator = _operator_in(made)
    if turns is None:
        params = {**step.params, "entity_type": GENDER, "context": Context(page, 0, 0)}
        turns = bool(surrogates_of(params).seed(f"{GENDER} flipped", "") & 1)
        turns = turns and not why_not_turned(page, made, pack)
    if not turns:
        return None
    avoid = {(one.start, one.end) for one in mentions_of(page, made, pack)}
    avoid |= {place for _, place in boxes_of(page)}
    return turned(page, operator, pack, avoid)


def _pack_of(made: Mapping[str, Step]) -> Pack:
    """Return the pack that a step names, or else the shipped one."""
    named = (one.params.get("pack") for one in made.values())
    return Pack.open(next(filter(None, named), None))


def _operator_in(made: Mapping[str, Step]) -> Callable[[str], str]:
    default = made.get(DEFAULT) or made[GENDER]
    return lambda entity: (made.get(entity) or default).operator


def why_not_turned(page: Page, made: Mapping[str, Step], pack: Pack | None = None) -> str:
    """Return why *page* cannot be turned, where a policy has sexes flipped; "" if it can.

    Args:
        page: The page with its findings.
        made: The steps by entity.
        pack: Its words and names [default: that of *made*].
    """
    if not flips(made):
        return ""
    pack = pack or _pack_of(made)
    locale = str(made[GENDER].params.get("locale", DEFAULT_LOCALE))
    return why_not(page, _operator_in(made), pack, locale)


def _work(
    page: Page, made: Mapping[str, Step], pack: Pack, other: TurnedPage | None = None
) -> Iterator[_Work]:
    """Yield the findings of *page*, and what changes with them.

    These are the towns and spouses whose surrogates it repeats, the marks beside its options, and
    the words of a sex if it is turned into the *other* page.
    """
    for word in other.words if other else ():
        span = Span(word.start, word.end, GENDER, 1.0, _TURNED)
        yield _Work(span, made[GENDER], GENDER)
    steps_of = {span: _step_of(span, made) for span in page.findings if isinstance(span, Span)}
    marks = [
        (question.finding, place)
        for question, place in boxes_of(page)
        if isinstance(question.finding, Span)
        and replaces_marks(steps_of[question.finding], question)
    ]
    covered = {place for _, place in marks}
    for span, step in steps_of.items():
        if not any(start <= span.start and span.end <= end for start, end in covered):
            yield _Work(span, step, span.entity)
    for one in mentions_of(page, made, pack):
        assert isinstance(one.finding, Span)
        rule = one.finding.rule + _MENTION
        span = replace(one.finding, start=one.start, end=one.end, entity=one.entity, rule=rule)
        yield _Work(span, steps_of[one.finding], one.drawn_as)
    for finding, (start, end) in marks:
        span = replace(finding, start=start, end=end, rule=finding.rule + _MARK)
        yield _Work(span, steps_of[finding], span.entity)


def mentions_of(
    page: Page, made: Mapping[str, Step], pack: Pack | None = None
) -> Iterator[Mention]:
    """Yield the towns and names of findings that *page* repeats, if surrogates replace these.

    Args:
        page: The page with its findings.
        made: The steps by entity.
        pack: Its towns and names [default: that of *made*].
    """
    for one in find_mentions(page, pack or _pack_of(made)):
        step = made.get(one.finding.entity) or made.get(DEFAULT)
        if step and step.operator == "surrogate":
            yield one


def _resolved(text: str, spans: Sequence[Span], made: Mapping[str, Step], pack: Pack) -> list[Span]:
    declared = entities_of(pack)
    ours = {name for name, entity in declared.items() if not entity.on_request}
    for span in spans:
        if not 0 <= span.start < span.end <= len(text):
            step = made.get(span.entity) or made.get(DEFAULT)
            raise ValueRefused(
                policy_of(step.params if step else {}),
                span.entity,
                f"a finding at {span.start}-{span.end} in a text of {len(text)} characters",
            )
    return resolve_overlaps(text, [Claim(span, int(span.entity not in ours)) for span in spans])


def _step_of(span: Span, made: Mapping[str, Step]) -> Step:
    step = made.get(span.entity) or made.get(DEFAULT)
    if step is None:
        raise PolicyError("of this call", f"has nothing for {span.entity}, and no {DEFAULT}")
    return step


def _carried_out(step: Step, value: str, span: Span, context: Context) -> str:
    return carried_out(step, value, span.entity, context)


def carried_out(step: Step, value: str, entity: str, context: Context | None = None) -> str:
    """Return the replacement of *value* by *step*, which needs no Presidio."""
    params = {**step.params, "entity_type": entity, "context": context}
    return _BY_OPERATOR[step.operator](value, params)
