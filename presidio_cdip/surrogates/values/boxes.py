"""Move the mark of a printed question to another option, and keep a ticked *yes* or *no*.

Whatever were written in place of a ticked option, the mark would tell it, since the form prints
the others. So the options stay, and where the marks on a page can be replaced, they move: to
others, or if half of the options or more are ticked, to any. A *yes* has its details elsewhere on
the form, which follow from it, and stays ticked.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.boxes import BOX, TICK, is_drawn, is_marked
from presidio_cdip.recognition.choices import Option, may_have_options, options
from presidio_cdip.recognition.known_options import known_in
from presidio_cdip.recognition.tables import cells_of
from presidio_cdip.surrogates.drawing.context import (
    FLIPPED,
    Context,
    Finding,
    Page,
    context_of,
    keeps_answers,
)
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.values.setting import STAYS
from presidio_cdip.surrogates.values.sex import is_other_sex, is_sex
from presidio_cdip.surrogates.values.spouse_fields import (
    LIVING,
    NONE,
    has_children,
    is_married,
    is_single,
    spouse_told,
)
from presidio_cdip.surrogates.values.told import told_forms
from presidio_cdip.surrogates.writing.text import folded, line_at

_NOTHING = re.compile(r"\?+")  # says that nothing is known
_COLUMN = re.compile(r"(?:\A|\n[ \t]*|\s\s|[\[(_])\Z")  # before a tick; behind a label X answers
_NO_OPTIONS = frozenset(english().labels["no_options"])
_NONE = frozenset(english().labels["none"])
_ANSWERS = english().labels["answers"]
# They are pairs: yes and no, y and n.
_OTHER = {one: _ANSWERS[at ^ 1] for at, one in enumerate(_ANSWERS)}
_POSITIVE = frozenset(_ANSWERS[::2])
# What may stand between an answer and its details: four words at most on a line, "Which?".
_LEAD = re.compile(r"[^\w\n]*(?:\n[^\w\n]*)?(?:[^\W\d_]+[^\w\n]{1,16}){0,4}")
# Parents who live apart, of whom none becomes married
_PARENTS = re.compile(r"(?i)\bparents?\b")
_APART = re.compile(r"(?i)\bstep-?(?:father|mother|parent|dad|mom)\b|\bcustod(?:y|ial)\b")
_BESIDE = 30  # characters between an answer and the other
_DETAIL = 200  # characters behind an answer in which its details are read
# Details on the answer's own line: behind a sign, in small letters, or a year in any column.
_TOLD = re.compile(
    r"""(?ix)
    [ ]?[,;(–—-]{1,2}[ ]?(?=\w)(?!(?:yes|no|n/?a|none)\b)
    |[ \t.:(]{1,40}see[ ](?:(?:no\.?|item|question|page|p\.)[ ]?)?
        (?:\d{1,2}\b|below|over|remarks)
    |[ \t]{1,4}(?-i:(?=[a-z])(?!or\b|no\b|yes\b|n/a|if\b|x\b|_))[^\n:?]{2,}(?:\n|\Z)
    |[ \t.:(]{1,40}(?:(?:in|since|age|from|to|until)[ ]{1,4})?
        (?:(?:19|20)\d\d\b|\d\d?[/.-]\d\d?(?:[/.-]\d|\b)|['’]\d\d\b)
    """
)
_LISTED = re.compile(
    r"""(?ix)\b(?:details?|particulars|explain|explanations?)\b[^\n:]{0,40}:\s{0,9}
    (?:\(?\d{0,2}[.)]?[ ]?\(?[a-m][.)]|\d{1,2}[ ]?[a-m]\b|(?:no\.?|item|question)[ ]?\d{1,2}\b)
    """
)
_FORM = 1200  # characters between an answer and the details of all of them
# What a form asks for behind a yes, with something filled in that is no other label.
_ASKED = re.compile(
    r"""(?ix)
    [^\w\n]*(?:\n[^\w\n]*)?
    (?:(?:please|give|state|if[ ](?:yes|so)[^\w\n]*)[ ,]*)*
    (?:(?:if[ ](?:yes|so)|which|when|where|what|who|whose|why|since|for|from|by|with|to|how
        |explain|explanation|details?|particulars|describe|description|specify|remarks?|comments?
        |reason|cause|kind|type|years?|dates?|doctor|physician|hospital|(?:\w+['’]s[ ])?names?
        |treatment|treated|medicine|drug|local|court|charge|offen[cs]e|number
       )\b[^\n:?]{0,40}?[:?]
     |(?:explain|details|specify|which|when)\b)
    [ \t_.:]{0,8}(?=[^\W_])(?!(?:[^\s:?]+[ ]?){1,4}[:?])(?!(?:none|n/?a|no|nil|yes)\b)
    """
)


def _ticked(page: Page) -> frozenset[int]:
    """Return where the ticked answers of *page* begin that have the other answer beside them."""

    def kinds(start: int, end: int) -> Collection[str]:
        return ("answer",) if folded(page.text[start:end]) in _OTHER else ()

    found = [one for one in options(page.text, kinds) if one.is_answer]
    words = [folded(page.text[one.start : one.end]) for one in found]
    return frozenset(
        one.start
        for one, word in zip(found, words, strict=True)
        if one.ticked
        and any(
            other.block == one.block
            and word_of_other == _OTHER[word]
            and abs(other.start - one.start) <= _BESIDE
            for other, word_of_other in zip(found, words, strict=True)
        )
    )


def _listed(page: Page) -> list[int]:
    """Return where *page* gives the details of several answers: "Details of yes: (b) Pleurisy"."""
    return [one.start() for one in _LISTED.finditer(page.text)]


def _is_listed(context: Context) -> bool:
    """Tell whether details of the answers follow, by their letters: then no other is a yes."""
    found = context.page.fact(_listed)
    at = bisect_right(found, context.end)
    return at < len(found) and found[at] - context.end < _FORM


def _has_details(value: str, context: Context) -> bool:
    """Tell whether *value* is a "yes" with its details behind it, as in "Yes. Which? U.M.W."."""
    if folded(value) not in _POSITIVE:
        return False
    page = context.page
    behind = page.text[context.end : context.end + _DETAIL]
    if _TOLD.match(behind) or _ASKED.match(behind):
        return True
    at = bisect_right(page.findings, context.start, key=lambda one: one.start)
    own, after = page.findings[at - 1 : at], page.findings[at : at + 1]
    if not own or not after or own[0].entity != after[0].entity:
        return False
    between = _LEAD.fullmatch(page.text, context.end, after[0].start)
    return bool(between) and folded(page.text[after[0].start : after[0].end]) not in _OTHER


class TickedAnswer:
    """Read a *yes* or *no* that has a tick or its details beside it, and a tick; they stay."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of an answer or a tick; None for others."""
        context = context_of(options)
        if context is None:
            return None
        if folded(value) in _OTHER:
            is_ticked = context.start in context.page.fact(_ticked)
            if not (is_ticked or _has_details(value, context) or _is_listed(context)):
                return None
        elif _NOTHING.fullmatch(value):
            pass
        elif not TICK.fullmatch(value) or not _COLUMN.search(context.before):
            return None
        return Reading("tick of a box", folded(value), lambda draw: value, may_stay=True)


Stretch = tuple[int, int]

_NUMBER = re.compile(r"\(?(\d)\)?")  # of an option, in a ring if that is ticked
_PAIR = 2  # cells of a heading that heads columns, at least
_ALIGNED = 2  # characters by which an option may begin before the heading of its column
_BEFORE_BOX = re.compile(r"\w[ \t.:_…]*\Z")
_BEHIND_BOX = re.compile(r"[ \t]{0,3}\S*[^\W\d_]")
_FIELD = re.compile(r":[ \t]*\S|\d")  # a label with its value, or a value
_WHOLE = 0.8  # the share of an option that its finding has


@dataclass(frozen=True)
class Question:
    """A printed question whose marks can move.

    Attributes:
        options: What it prints, each with its box.
        ticked: The indices of those that have a mark.
        finding: The finding of the first ticked option.
        page: The page.
    """

    options: Sequence[Option]
    ticked: frozenset[int]
    finding: Finding
    page: Page = field(repr=False, compare=False)
    _drawn: list[frozenset[int]] = field(default_factory=list, compare=False)

    @property
    def text(self) -> str:
        """Return the page's text."""
        return self.page.text

    def moved(self, draw: Draw) -> frozenset[int]:
        """Return the indices of the options that have a mark in the surrogate.

        They are drawn once: where each value has a key of its own, the boxes must agree.
        """
        if not self._drawn:
            self._drawn.append(self._moved(draw))
        return self._drawn[0]

    def _moved(self, draw: Draw) -> frozenset[int]:
        words = [folded(self.text[one.start : one.end]) for one in self.options]
        normal = " | ".join([*words, *(words[at] for at in sorted(self.ticked))])
        part = draw.part(f"{self.finding.entity} mark", normal)
        left = [at for at in range(len(words)) if at not in self.ticked]
        if draw.options.get("answers") == FLIPPED and (other := self._other_sex(words)):
            return other
        if len(left) <= len(self.ticked):  # else those that are left empty would tell the ticked
            left = list(range(len(words)))
        return frozenset(left.pop(part.chance.below(len(left))) for _ in self.ticked)

    def _other_sex(self, words: Sequence[str]) -> frozenset[int]:
        """Return the index of the option for the sex that is not ticked; empty without one."""
        ticked = [words[at] for at in self.ticked]
        found = [at for at, word in enumerate(words) if is_other_sex(word, ticked[0])]
        return frozenset(found[:1]) if len(ticked) == 1 else frozenset()

    def mark(self, at: int, draw: Draw) -> str:
        """Return what stands in the box of option *at* in the surrogate."""
        is_ticked = at in self.moved(draw)
        if number := _NUMBER.fullmatch(self.text, *place_of(self.options[at])):
            return f"({number[1]})" if is_ticked else number[1]
        alike = (one for one in range(len(self.options)) if (one in self.ticked) == is_ticked)
        model = self.options[at if is_ticked == (at in self.ticked) else next(alike)]
        start, end = place_of(model)
        if model.box:
            return self.text[start:end]
        own, word = self.options[at], self.text[model.start : model.end]
        written = self.text[own.start : own.end]
        if self._has_capitals:
            written = written.upper() if word.isupper() else written.lower()
        return self.text[start : model.start] + written + self.text[model.end : end]

    @property
    def _has_capitals(self) -> bool:
        """Whether capitals among small letters are the mark: no option has another."""
        return all(one.printed == (one.start, one.end) for one in self.options)


def place_of(option: Option) -> Stretch:
    """Return where the mark of *option* may stand: its box, or itself with its own mark.

    Of one without any it is empty.
    """
    return option.box or option.printed or (option.start, option.start)


class Marks(NamedTuple):
    """What becomes of the marks of a printed question.

    Attributes:
        answers: Where the findings start that are its ticked options, which stay.
        boxes: The start and end of each box, whether it had a mark, and whether it has one then.
    """

    answers: frozenset[int]
    boxes: Sequence[tuple[Stretch, bool, bool]]


def moves_marks(options: Mapping[str, Any], question: Question) -> bool:
    """Tell whether the marks of *question* move by the *options* of a policy.

    Where answers are kept, the two sexes are, and no other gender. Where a page is turned, they
    move as well. What the rest of the page tells stays ticked, as the word would stay.
    """
    if _is_told(question, options):
        return False
    if not keeps_answers(options) or options.get("answers") == FLIPPED:
        return True
    ticked = (question.options[at] for at in question.ticked)
    words = [question.text[one.start : one.end] for one in ticked]
    return question.finding.entity == "GENDER" and not any(map(is_sex, words))


def _is_told(question: Question, options: Mapping[str, Any]) -> bool:
    """Tell whether a ticked option of *question* stays, as any value that its page tells."""
    page, pack = question.page, Pack.open(options.get("pack"))
    for at in question.ticked:
        if (one := _finding(page, question.options[at])) is None:
            continue
        context = Context(page, one.start, one.end)
        there = {**options, "pack": pack, "context": context}
        for told in told_forms(one.entity, pack):
            reading = told.read(page.text[one.start : one.end], there)
            if reading is not None and reading.form == STAYS:
                return True
    return False


def marks_of(
    page: Page,
    moves: Callable[[Question], bool],
    surrogate: Callable[[Finding, str, Context], str],
) -> Iterator[Marks]:
    """Yield the marks of each question of *page* whose marks move.

    Args:
        page: The page.
        moves: Whether the marks of a question move.
        surrogate: Returns the surrogate of a box, given that finding, what stands in it, and where.
    """
    for question in page.fact(_questions):
        if not moves(question):
            continue
        boxes = []
        for place in (one.box for one in question.options if one.box):
            was = page.text[slice(*place)]
            drawn = surrogate(question.finding, was, Context(page, *place))
            boxes.append((place, is_marked(was), is_marked(drawn)))
        yield Marks(frozenset(_starts(page, question)), boxes)


def boxes_of(page: Page) -> Iterator[tuple[Question, Stretch]]:
    """Yield the places of marks that can move, each with its question."""
    for question in page.fact(_questions):
        for option in question.options:
            yield question, place_of(option)


def _questions(page: Page) -> list[Question]:
    """Return the questions whose ticked options are findings of one entity.

    Marks stay at options that have details behind them, at those that were not found, and at
    *married* where the form names a spouse; none moves there where it says that there is none,
    or of parents that one of them has another spouse, or who has custody. None moves to *single*
    where the page tells of children.
    """
    if not page.marks_move:
        return []
    starts = {one.start: one.entity for one in page.findings}
    spouse, parent = page.fact(spouse_told), page.fact(has_children)

    if not may_have_options(page.text):
        return []
    known = known_in(page.text)

    def kinds(start: int, end: int) -> Collection[str]:
        return {starts[at] for at in range(start, end) if at in starts} or known(start, end)

    found = []
    printed = list(options(page.text, kinds))
    marked = {one.start for one in printed if one.ticked}
    for group in _questions_of(page.text, iter(printed)):
        if any(one.is_answer for one in group) or not _has_question(page.text, group[0]):
            continue
        if any(_has_bare_box(page.text, one) for one in group):
            continue
        free, own = list[Option](), dict[int, Finding]()
        single = NONE in spouse.values() or _are_apart(page.text, group[0])
        for one, after in zip_longest(group, group[1:]):
            finding = _finding(page, one)
            place = place_of(one)
            moves = place[0] < place[1] and page.moves(place)
            if finding and one.ticked and moves and _is_whole(page.text, one, finding, after):
                own[len(free)] = finding
            elif finding or one.ticked or not moves:
                continue  # it has details, or nothing tells that its mark is of the question
            word = page.text[one.start : one.end]
            untrue = (single and is_married(word)) or (parent and is_single(word))
            if one.ticked or not untrue:
                free.append(one)
        free, own = _without_none(page, free, own)
        entities = {one.entity for one in own.values()}
        if any(_is_of_spouse(page, one, spouse) for one in own.values()):
            continue
        if (
            len(entities) == 1
            and len(own) < len(free)
            and not _are_told(page, own.values(), marked)
        ):
            found.append(Question(free, frozenset(own), next(iter(own.values())), page))
    return found


def _without_none(
    page: Page, free: list[Option], own: Mapping[int, Finding]
) -> tuple[list[Option], dict[int, Finding]]:
    """Return *free* without "none", which is not *own*, where the page goes on to tell of it."""
    text, marked = page.text, set(own)
    kept = [
        at
        for at, one in enumerate(free)
        if at in marked or folded(text[one.start : one.end]) not in _NONE
    ]
    if not own or len(kept) in (len(free), len(own) + 1):
        return free, dict(own)
    end = max(free[-1].end, place_of(free[-1])[1])
    at = bisect_right(page.findings, end, key=lambda one: one.start)
    after = page.findings[at : at + 1]
    if not after or after[0].entity not in {one.entity for one in own.values()}:
        return free, dict(own)
    if _LEAD.fullmatch(text, end, after[0].start) is None:
        return free, dict(own)
    return [free[at] for at in kept], {kept.index(at): one for at, one in own.items()}


def _is_of_spouse(page: Page, one: Finding, spouse: Mapping[int, str]) -> bool:
    """Tell whether *one* says that somebody is married to a *spouse* whom the form tells."""
    return spouse.get(one.start) == LIVING and is_married(page.text[one.start : one.end])


def _are_apart(text: str, option: Option) -> bool:
    """Tell whether *option* is of a question about parents who live apart, as *text* tells."""
    asked = [*option.labels, *filter(None, [option.heading])]
    return any(_PARENTS.search(text, *one) for one in asked) and bool(_APART.search(text))


def _has_question(text: str, option: Option) -> bool:
    """Tell whether words before *option*, or above it, say what it answers."""
    asked = [*option.labels, *filter(None, [option.heading])]
    return any(any(map(str.isalpha, text[slice(*one)])) for one in asked)


def _has_bare_box(text: str, option: Option) -> bool:
    """Tell whether a box on the line of *option* has no words beside it, as one under "No"."""
    start, end = line_at(text, option.start, option.end)
    boxes = [box.span() for box in BOX.finditer(text, start, end) if is_drawn(box)]
    lefts, rights = [start, *(last for _, last in boxes)], [*(first for first, _ in boxes[1:]), end]
    return any(
        not _BEFORE_BOX.search(text[left:first]) and not _BEHIND_BOX.match(text, last, right)
        for left, (first, last), right in zip(lefts, boxes, rights, strict=False)
    )


def _are_told(page: Page, ticked: Iterable[Finding], marked: Collection[int]) -> bool:
    """Tell whether the page says elsewhere what one of the *ticked* options says.

    The ticked options of other questions, which start at *marked*, say nothing of it.
    """
    values = {
        (one.entity, folded(page.text[one.start : one.end]))
        for one in page.findings
        if one.start not in marked
    }
    return any((one.entity, folded(page.text[one.start : one.end])) in values for one in ticked)


def _questions_of(text: str, printed: Iterator[Option]) -> Iterator[list[Option]]:
    """Yield the options of each question; if each of its lines has one mark, those of each line."""
    for group in (part for whole in _grouped(printed) for part in _by_column(text, whole)):
        lines: dict[int, list[Option]] = {}
        for one in group:
            lines.setdefault(text.count("\n", group[0].start, one.start), []).append(one)
        if all(sum(one.ticked for one in line) == 1 < len(line) for line in lines.values()):
            yield from lines.values()
        else:
            yield group


def _by_column(text: str, group: Sequence[Option]) -> list[list[Option]]:
    """Divide options under a heading of several cells by the cell that they stand under."""
    heading = group[0].heading
    heads = cells_of(text, *heading) if heading and not group[0].labels else []
    if heading is None or len(heads) < _PAIR or any(_FIELD.search(text, *one) for one in heads):
        return [list(group)]
    above = text.rfind("\n", 0, heading[0]) + 1
    edges = [start - above - _ALIGNED for start, _ in heads]
    columns: dict[int, list[Option]] = {}
    for one in group:
        start = min(one.start, one.box[0]) if one.box else one.start
        column = bisect_right(edges, start - text.rfind("\n", 0, start) - 1)
        columns.setdefault(max(1, column), []).append(one)
    return list(columns.values())


def _leads(option: Option) -> bool | None:
    """Return whether the box stands before the option; None without a box."""
    return option.box[0] < option.start if option.box else None


def _grouped(printed: Iterator[Option]) -> Iterator[list[Option]]:
    """Yield the options of each question.

    Another one begins at a label, at a heading, and where boxes stand on the other side.
    """
    group: list[Option] = []
    asked: Sequence[Stretch] = ()
    for one in sorted(printed, key=lambda one: one.start):
        if group and (
            (one.block, one.heading, _leads(one))
            != (group[-1].block, group[-1].heading, _leads(group[-1]))
            or (one.labels and one.labels != asked)
        ):
            yield group
            group = []
        asked = one.labels or (asked if group else ())
        group.append(one)
    if group:
        yield group


def _finding(page: Page, option: Option) -> Finding | None:
    """Return the finding that touches *option* or its box."""
    first, last = place_of(option)
    start, end = min(first, option.start), max(last, option.end)
    touching = (one for one in page.findings if one.start < end and start < one.end)
    return next(touching, None)


def _is_whole(text: str, option: Option, finding: Finding, after: Option | None) -> bool:
    """Tell whether *finding* is the ticked *option*, with no details before the one *after* it."""
    length = len(text[option.start : option.end].rstrip("."))
    if finding.start < option.start or finding.end > option.end:
        return False
    if finding.end - finding.start < _WHOLE * length:
        return False
    place = place_of(option)
    own = max(option.end, place[1])
    line = text.find("\n", own)
    stop = len(text) if line < 0 else line
    if after and (after.box or after.printed):
        leads = after.printed is not None or place[0] < option.start
        stop = min(stop, place_of(after)[0] if leads else after.start)
    if box := BOX.search(text, own, stop):  # of an option like "other"
        stop = box.start()
    rest = re.split(r"\s{2,}(?=\S[^\n]*[:?])", text[own:stop])[0]  # up to another label
    words = " ".join(re.findall(r"[^\W\d_]+", rest)).lower()
    return (not words and not re.search(r"\d{2}", rest)) or words in _NO_OPTIONS


def _boxes(page: Page) -> Mapping[Stretch, tuple[Question, int]]:
    """Return by the place of a mark its question and the index of its option."""
    return {
        place_of(one): (question, at)
        for question in page.fact(_questions)
        for at, one in enumerate(question.options)
    }


def _moving(page: Page) -> Mapping[int, Question]:
    """Return by where a finding begins the question of which it is a ticked option."""
    return {
        start: question for question in page.fact(_questions) for start in _starts(page, question)
    }


def _starts(page: Page, question: Question) -> Iterator[int]:
    """Yield where the findings begin that are the ticked options of *question*."""
    for at in question.ticked:
        if finding := _finding(page, question.options[at]):
            yield finding.start


class MovedMark:
    """Read the box of a question whose marks move, and the ticked option, which stays."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of a box or of a ticked option; None for others."""
        context = context_of(options)
        if context is None:
            return None
        page = context.page
        if place := page.fact(_boxes).get((context.start, context.end)):
            question, at = place
            if not moves_marks(options, question):
                return None
            return Reading(
                "box of a form", value, lambda draw: question.mark(at, draw), may_stay=True
            )
        asked = page.fact(_moving).get(context.start)
        if asked and moves_marks(options, asked):
            return Reading("option of a form", folded(value), lambda draw: value, may_stay=True)
        return None


MARK_FORMS: tuple[Form, ...] = (MovedMark(),)
FORMS: tuple[Form, ...] = (TickedAnswer(),)
