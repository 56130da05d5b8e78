"""Run the rules: find cues, then the values in their reach, and resolve competing claims."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from presidio_cdip.errors import PackError
from presidio_cdip.pack.rules import OF_FORMS, RuleFile
from presidio_cdip.recognition import consistency
from presidio_cdip.recognition.address_parts import is_part, with_parts, without_labels
from presidio_cdip.recognition.checks import CHECKS
from presidio_cdip.recognition.compiled import GAP, Compiled
from presidio_cdip.recognition.folding import Terms, Words, same
from presidio_cdip.recognition.gate import Gate
from presidio_cdip.recognition.overlaps import Claim, resolve_overlaps
from presidio_cdip.recognition.patterns import Pattern
from presidio_cdip.recognition.printed import Printed
from presidio_cdip.recognition.reading import REACH, Label, Reading, View, for_rules
from presidio_cdip.recognition.spans import Span, trim
from presidio_cdip.recognition.validity import can_be_found

# The cost of a claim, by the place of its value; of two overlapping claims the lower cost wins.
_BELOW, _BEFORE, _AHEAD, _RUN, _ALONE = 8, 10, 12, 20, 60
_PER_LABEL = 25  # a value ahead belongs to a label between, rather than to the cue
_OCR_PENALTY = 0.02  # of the score, for a cue that was read through OCR noise

_Place = tuple[tuple[int, int], int]  # a stretch of the document, and the cost of a claim to it

_AND = re.compile(
    r"\s*(?:,|;|/|&|\+|\band\b|\bor\b)(?:\s*(?:,|;|&|\band\b))?\s*"
    r"|\n[ \t]{0,8}(?:\d{1,2}[.)]|[-•*·])[ \t]*"  # the next item of a list
)


def _check_names(file: RuleFile) -> None:
    """Check that every check and every way to propagate that *file* names exists.

    Raises:
        PackError: One does not exist.
    """
    checks = {rule.check for rule in file.rules if rule.check}
    propagations = set(file.propagate)
    for what, named, there in (
        ("check", checks, CHECKS),
        ("way to propagate", propagations, consistency.PROPAGATIONS),
    ):
        if unknown := sorted(named - set(there)):
            raise PackError(file.file, f"no {what} {unknown[0]!r}; there are {sorted(there)}")


@dataclass(slots=True)
class Engine:
    """Find the values that rule files describe. Immutable, and safe to share between threads.

    Args:
        files: The rule files, with their negative rules.

    Raises:
        PackError: A file names a check or a way to propagate that does not exist.
    """

    files: Sequence[RuleFile]
    again: tuple[Callable[..., object], tuple[object, ...]] | None = field(
        default=None, compare=False, repr=False
    )
    """A function and arguments that make it, for another process; None to pickle the files."""
    _by_cue: dict[str, list[Compiled]] = field(default_factory=dict, init=False)
    _cues: Terms = field(init=False)
    _scans: list[Compiled] = field(default_factory=list, init=False)
    _printed: Printed = field(init=False)
    _gate: Gate = field(init=False)

    def __post_init__(self) -> None:
        printed = []
        for file in self.files:
            _check_names(file)
            forms = file.forms.beside(GAP)
            for rule in file.rules:
                compiled = Compiled(file, rule, forms)
                if OF_FORMS.intersection(rule.where):
                    printed.append(compiled)
                    continue
                for cue in rule.cues:
                    self._by_cue.setdefault(cue, []).append(compiled)
                if not rule.cues:
                    self._scans.append(compiled)
        self._printed = Printed(printed)
        self._cues = Terms(self._by_cue)
        self._gate = Gate([needed for compiled in self._scans for needed in compiled.grams])

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        """Pickle the arguments it is made of: a compiled expression pickles as its text."""
        return self.again or (type(self), (self.files,))

    def find(self, text: str, propagate: bool = True) -> list[Span]:
        """Find the spans of *text*, in order, none overlapping; time is linear in its length.

        All rules are always run, so that the spans of one entity do not depend on which other
        entities a caller wants.

        Args:
            text: The document.
            propagate: Whether a value that a rule found is found wherever else it stands, for the
                entities whose rule file says how.
        """
        text = for_rules(text)
        reading = Reading.of(text)
        reading.place(
            [
                Label(start, end, cues, start)
                for start, end, cues in self._cues.finditer(reading.words)
            ]
        )
        claims = self._printed.among(reading, [*self._cued(reading), *self._scanned(reading)])
        spans = without_labels(text, resolve_overlaps(text, claims))
        if propagate:
            values = {span: text[span.start : span.end] for span in spans}
            spans = self._with_again(reading.words, spans, self.searches(values))
        return with_parts(text, spans)

    def searches(self, found: Mapping[Span, str]) -> consistency.Searches:
        """Return the searches for the values that `find` found, for `find_again`.

        Args:
            found: The spans of a document, and their texts.
        """
        values = {span: for_rules(value) for span, value in found.items() if not is_part(span)}
        return consistency.searches(values, self.files)

    def find_again(
        self, text: str, spans: Sequence[Span], searches: consistency.Searches
    ) -> list[Span]:
        """Return *spans* and the values that *searches* find besides, in order, none overlapping.

        Args:
            text: A piece of the document.
            spans: The spans that `find` found in it without propagation.
            searches: The searches of the whole document.
        """
        return (
            self._with_again(Words.of(for_rules(text)), spans, searches) if searches else [*spans]
        )

    def _with_again(
        self, words: Words, spans: Sequence[Span], searches: consistency.Searches
    ) -> list[Span]:
        again = consistency.propagate(words, spans, searches)
        claims = (*(Claim(span, 0) for span in spans), *(Claim(span, _ALONE) for span in again))
        return resolve_overlaps(words.text, claims)

    def compile(self, after_each: Callable[[], object] = lambda: None) -> None:
        """Compile the expressions of the rules without cues now, not when the first text is read.

        Rules with cues are compiled when a text has such a cue.

        Args:
            after_each: Called after each rule.
        """
        for compiled in self._scans:
            for pattern in compiled.free:
                pattern.compile()
            after_each()

    def _cued(self, reading: Reading) -> Iterator[Claim]:
        for label in reading.labels:
            for cue in label.cues:
                exact = same(reading.text[label.cue_start : label.end], cue)
                for compiled in self._by_cue[cue]:
                    yield from self._of_cue(reading, label, cue, exact, compiled)

    def _of_cue(
        self,
        reading: Reading,
        label: Label,
        cue: str,
        exact: bool,
        compiled: Compiled,
    ) -> Iterator[Claim]:
        rule = compiled.rule
        score = rule.score if exact else max(0.0, rule.score - _OCR_PENALTY)

        def claim(start: int, end: int, cost: int) -> Iterator[Claim]:
            start, end = trim(reading.text, start, end)
            if rule.take_cue:
                start, end = min(start, label.cue_start), max(end, label.end)
            if start < end and compiled.allows(reading, start, end):
                span = Span(
                    start, end, compiled.entity, score, compiled.full_name, cue, rule.check or ""
                )
                if rule.counter or can_be_found(reading.text, span):
                    yield Claim(span, cost, rule.counter)

        for places in self._places(compiled, reading, label):
            claims = [one for stretch, cost in places for one in claim(*stretch, cost)]
            yield from claims
            if claims:
                return

    def _places(
        self, compiled: Compiled, reading: Reading, label: Label
    ) -> Iterator[Iterable[_Place]]:
        """Yield the places of the label's values in order; the first that holds one counts."""
        where = set(compiled.rule.where)
        run = None
        if where & {"after", "below"}:
            if (fields := reading.fields(label)) is not None:
                yield self._starts_of(compiled, reading, fields)
                return
            run = reading.run(label)
            if run and (answer := reading.beside(label)):
                yield self._start_of(compiled, reading, answer)
                return
        if run:
            yield self._in_rows(compiled, reading, label, *run)
        if "after" in where:
            for view in (reading.block(label), reading.right(label)):
                if view:
                    yield self._start_of(compiled, reading, view)
        if "below" in where:
            yield self._below(compiled, reading, label, in_run=run is not None)
        if "before" in where:
            yield _with_cost(self._end_of(compiled, reading.left(label)), _BEFORE)
        if "ahead" in where:
            yield self._ahead(compiled, reading, label)
        if run and (value := self._first_in(compiled, reading, run[1])):
            yield [(value, _RUN)]

    def _in_rows(
        self,
        compiled: Compiled,
        reading: Reading,
        label: Label,
        labels: Sequence[Label],
        view: View,
    ) -> Iterator[_Place]:
        """Yield the label's own values in the lines after a run of labels that lost its columns."""
        turn = self._in_turn(compiled, label, labels, view)
        if turn:
            yield turn, 0
        if not compiled.identifies:
            return
        rows = []
        for row in reading.rows_after(labels):
            own = self._in_turn(compiled, label, labels, row)
            rows.append(own or self._first_in(compiled, reading, row))
        found = [(value, _RUN) for value in rows if value]
        if found and not turn and (first := self._first_in(compiled, reading, view)):
            yield first, _RUN
        yield from found

    def _below(
        self, compiled: Compiled, reading: Reading, label: Label, in_run: bool
    ) -> Iterator[_Place]:
        """Yield the values under the label, including those of a table's column or a list."""
        view = reading.below(label)
        values = list(self._start_of(compiled, reading, view)) if view else []
        rows: Iterable[View] = reading.column(label)
        if values and compiled.identifies and not in_run:
            rows = chain(rows, reading.list_under(label))
        yield from _with_cost([*values, *self._starts_of(compiled, reading, rows)], _BELOW)

    def _ahead(self, compiled: Compiled, reading: Reading, label: Label) -> Iterator[_Place]:
        """Yield the first value ahead; each label between makes its claim cost more."""
        reach = compiled.rule.reach
        view = reading.ahead(label, reach + REACH)
        if stretch := self._first_in(compiled, reading, view, reach):
            rivals = reading.labels_between(label.end, stretch[0])
            yield stretch, _AHEAD + (stretch[0] - label.end) // 4 + _PER_LABEL * rivals

    def _starts_of(
        self, compiled: Compiled, reading: Reading, views: Iterable[View]
    ) -> Iterator[_Place]:
        for view in views:
            yield from self._start_of(compiled, reading, view)

    def _in_turn(
        self, compiled: Compiled, label: Label, labels: Sequence[Label], view: View
    ) -> tuple[int, int] | None:
        """Return the label's own value if at least as many values as labels follow a run."""
        rivals = [
            other
            for other in labels
            if any(one.entity == compiled.entity for cue in other.cues for one in self._by_cue[cue])
        ]
        if len(rivals) < 2:
            return None
        for pattern in compiled.free:
            values = [pattern.value(match) for match in pattern.finditer(view.text)]
            if len(values) >= len(rivals):
                return view.origin(*values[rivals.index(label)])[0]
        return None

    def _start_of(self, compiled: Compiled, reading: Reading, view: View) -> Iterator[_Place]:
        """Yield the value at the start of *view* and the values of a list after it, with costs."""
        if found := _first(compiled.anchored, view.text, 0):
            (start, end), position = found
            for stretch in view.origin(start, end):
                yield stretch, _cost(start)
        elif gap := compiled.gap.match(view.text):
            after = self._term_at(compiled, reading, view, gap.end())
            if after is None:
                return
            yield after[0], _cost(gap.end())
            position = after[1]
        else:
            return
        while compiled.rule.many and (link := _AND.match(view.text, position)):
            if found := _first(compiled.free, view.text, link.end()):
                (start, end), position = found
                for stretch in view.origin(start, end):
                    yield stretch, _cost(0)
            elif after := self._term_at(compiled, reading, view, link.end()):
                yield after[0], _cost(0)
                position = after[1]
            else:
                return

    def _term_at(
        self, compiled: Compiled, reading: Reading, view: View, at: int
    ) -> tuple[tuple[int, int], int] | None:
        """Return the term at *at* of *view*: its stretch of the document, the offset after it."""
        if not compiled.terms or not (origin := view.origin(at, at + 1)):
            return None
        start = origin[0][0]
        index = reading.words.first_at(start)
        if index >= len(reading.words.starts) or reading.words.starts[index] != start:
            return None
        longest = compiled.terms.longest(reading.words, index)
        if longest is None:
            return None
        return (start, longest[0]), at + longest[0] - start

    def _end_of(self, compiled: Compiled, view: View) -> Iterator[_Place]:
        for pattern in compiled.preceding:
            if match := pattern.search(view.text):
                start, end = pattern.value(match)
                for stretch in view.origin(start, end):
                    yield stretch, _cost(len(view.text) - end)
                return

    def _first_in(
        self, compiled: Compiled, reading: Reading, view: View, reach: int = REACH
    ) -> tuple[int, int] | None:
        """Return the first accepted value in reach in *view*, which is a single stretch."""
        start, length = view.parts[0][0], len(view.text)
        best: tuple[int, int] | None = None
        for pattern in compiled.free:
            for match in pattern.finditer(view.text):
                value = pattern.value(match)
                if value[0] > reach:
                    break
                if not (origin := view.origin(*value)):
                    continue
                stretch = trim(reading.text, *origin[0])
                if (best is None or stretch[0] < best[0]) and compiled.allows(reading, *stretch):
                    best = stretch
                    break
        index = reading.words.first_at(start)
        while compiled.terms and best is None and index < len(reading.words.starts):
            if (at := reading.words.starts[index]) >= start + min(length, reach):
                break
            longest = compiled.terms.longest(reading.words, index)
            if longest and compiled.allows(reading, at, longest[0]):
                best = at, longest[0]
            index += 1
        return best

    def _scanned(self, reading: Reading) -> Iterator[Claim]:
        passes = iter(self._gate.passes(reading.text))
        for compiled in self._scans:
            stretches: Iterable[tuple[int, int]] = [
                pattern.value(match)
                for pattern in compiled.free
                if next(passes)
                for match in pattern.finditer(reading.text)
            ]
            if compiled.terms:
                stretches = [
                    *stretches,
                    *((start, end) for start, end, _ in compiled.terms.finditer(reading.words)),
                ]
            rule = compiled.rule
            for stretch in stretches:
                start, end = trim(reading.text, *stretch)
                if start < end and compiled.allows(reading, start, end):
                    span = Span(
                        start, end, compiled.entity, rule.score, compiled.full_name,
                        check=rule.check or "",
                    )  # fmt: skip
                    if rule.counter or can_be_found(reading.text, span):
                        yield Claim(span, _ALONE, rule.counter, guess=True)


def _with_cost(places: Iterable[_Place], cost: int) -> Iterator[_Place]:
    return ((stretch, cost + own) for stretch, own in places)


def _first(patterns: Sequence[Pattern], text: str, at: int) -> tuple[tuple[int, int], int] | None:
    """Return the value that the first of *patterns* matches at *at*, and the end of the match."""
    for pattern in patterns:
        match = pattern.match(text, at)
        if match is not None:
            start, end = pattern.value(match)
            if end > start:
                return (start, end), match.end()
    return None


def _cost(gap: int) -> int:
    return min(gap, 40) // 8
