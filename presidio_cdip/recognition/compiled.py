"""A rule with its expressions, each of which is compiled when it is first used."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from presidio_cdip.pack.expressions import Forms
from presidio_cdip.pack.rules import Rule, RuleFile
from presidio_cdip.recognition.checks import CHECKS
from presidio_cdip.recognition.folding import Terms
from presidio_cdip.recognition.patterns import Pattern
from presidio_cdip.recognition.reading import BLANK, HINT, REACH, Reading

# The characters between a cue and its value: a form, because PCRE2 copies a repeated group.
GAP = {"between_cue_and_value": rf"{HINT}|{BLANK}|,"}
_LOOSE = r"{between_cue_and_value}{0,48}?"
# If a value may also stand before its cue, a comma or closing bracket ends the reach after it.
_STRICT = rf"(?:[ \t]{{0,3}}{HINT})?[ \t.:=\-–—_#|>*(\[]{{0,48}}?"
_STEP = r"[ \t.,\-–—_:(\[|/'\"]{0,8}"  # between a value and a cue after it
_FEWEST_LETTERS = 3  # of a term that is written shorter
# Before a character that may stand between a value and what follows directly: no gap between the
# fields of a form, and no end of a sentence. Two blanks are such a gap before a capital or a digit
# on a line that has single ones, too: text that is justified or read by OCR has two anywhere.
_NO_GAP = r"(?! {{3}}| {{2}}(?-i:[A-Z\d])[^\n]{{0,80}}\S \S|\t|[.;!?]\s{{1,3}}(?-i:[A-Z]))"
_SIDE = 100  # characters before or after a value that `needs` and `unless` match in


class Compiled:
    """A rule with its expressions, each of which is compiled when it is first used."""

    def __init__(self, file: RuleFile, rule: Rule, forms: Forms) -> None:
        self.entity = file.entity
        self.identifies = bool(file.propagate)
        self.rule = rule
        self.full_name = f"{file.file.removesuffix('.yaml')}/{rule.name}"
        self.grams = file.grams.get(rule.name) or [None] * len(rule.values)
        self.forms = forms
        self.needs = _sides(rule.needs, forms)
        self.unless = _sides(rule.unless, forms)
        self._needs_headings = _in_headings(rule.needs, forms)
        self._unless_headings = _in_headings(rule.unless, forms)

    @cached_property
    def terms(self) -> Terms:
        """Return the terms that are values."""
        return _terms(self.rule.terms)

    @cached_property
    def _spelled(self) -> Sequence[str]:
        return sorted({term.lower() for term in self.rule.terms})

    def shortens(self, text: str) -> bool:
        """Return whether *text* is the first letters of a term, three or more: "Cauc."."""
        head = text.lower().rstrip(".")
        if len(head) < _FEWEST_LETTERS or not head.isalpha():
            return False
        at = bisect_left(self._spelled, head)
        return at < len(self._spelled) and self._spelled[at].startswith(head)

    @cached_property
    def _gap(self) -> str:
        sep = _STRICT if "before" in self.rule.where else _LOOSE
        fill = sorted(self.rule.fill, key=len, reverse=True)
        words = "|".join(rf"{re.escape(word)}(?!\w)" for word in fill)
        return rf"{sep}(?:(?:{words}){sep}){{0,3}}" if words else sep

    @cached_property
    def gap(self) -> Pattern:
        """Return the expression of the text between a cue and a term."""
        return _pattern(rf"(?i:{self._gap})(?=[^\W_])", self.forms)

    @cached_property
    def anchored(self) -> Sequence[Pattern]:
        """Return the expressions of the values right after a cue."""
        return self._patterns(rf"(?i:{self._gap})(?P<_>", ")")

    @cached_property
    def preceding(self) -> Sequence[Pattern]:
        """Return the expressions of the values right before a cue."""
        return self._patterns("(?P<_>", rf"){_STEP}\Z")

    @cached_property
    def free(self) -> Sequence[Pattern]:
        """Return the expressions of the values anywhere in a text."""
        return self._patterns("(?P<_>", ")")

    @cached_property
    def unheaded(self) -> Mapping[str, Pattern]:
        """Return by heading the expressions of cells that tell it."""
        return {
            heading: _pattern(f"(?:{cell})\\Z", self.forms)
            for heading, cell in self.rule.unheaded.items()
        }

    def _patterns(self, before: str, after: str) -> Sequence[Pattern]:
        return [_pattern(f"{before}{value}{after}", self.forms) for value in self.rule.values]

    def allows(self, reading: Reading, start: int, end: int) -> bool:
        """Return whether check, `needs` and `unless` accept ``[start, end)`` as a value."""
        if self.rule.check and not CHECKS[self.rule.check](reading.text[start:end]):
            return False
        if self.needs and not _side_holds(self.needs, reading, start, end):
            return False
        return not (self.unless and _side_holds(self.unless, reading, start, end))

    def allows_headings(self, headings: Sequence[str]) -> bool:
        """Return whether `needs` and `unless` accept a table with *headings*, as of `bare`."""
        text = f"|{'|'.join(headings)}|"
        if self._needs_headings and not self._needs_headings.search(text):
            return False
        return not (self._unless_headings and self._unless_headings.search(text))


def _side_holds(sides: Mapping[str, Pattern], reading: Reading, start: int, end: int) -> bool:
    text = reading.text
    for side, pattern in sides.items():
        held: object
        if side == "before":
            held = pattern.search(text, max(0, start - _SIDE), start)
        elif side == "after":
            held = pattern.match(text, end, min(len(text), end + _SIDE))
        elif side == "line":
            line_start, line_end = reading.line(start)
            held = pattern.search(text, max(line_start, start - REACH), min(line_end, end + REACH))
        else:
            held = reading.has(pattern)
        if held:
            return True
    return False


@lru_cache(maxsize=64)
def _terms(terms: tuple[str, ...]) -> Terms:
    """Return *terms* as a trie, built once for all rules with the same lists."""
    return Terms(terms)


@lru_cache(maxsize=4096)
def _pattern(expression: str, forms: Forms) -> Pattern:
    """Return one pattern for all rules of a file with this expression: it is compiled once."""
    return Pattern(expression, forms)


def _sides(sides: Mapping[str, tuple[str, ...]], forms: Forms) -> Mapping[str, Pattern]:
    shapes = {
        "before": r"(?i:(?:{})\W{{0,6}}\Z)",
        "after": rf"(?i:(?:{_NO_GAP}\W){{{{0,6}}}}(?:{{}}))",
        "line": "(?i:{})",
        "document": "(?i:{})",
    }
    return {
        side: _pattern(shapes[side].format(_any_of(patterns)), forms)
        for side, patterns in sides.items()
        if side in shapes
    }


def _in_headings(sides: Mapping[str, tuple[str, ...]], forms: Forms) -> Pattern | None:
    patterns = sides.get("headings")
    return _pattern(_any_of(patterns), forms) if patterns else None


def _any_of(expressions: Sequence[str]) -> str:
    return "|".join(f"(?:{one})" for one in expressions)
