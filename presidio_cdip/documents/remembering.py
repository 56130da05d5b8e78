"""Find values again that are known from other texts of a document."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from presidio_cdip.documents.findings import Find
from presidio_cdip.entities import GIVEAWAY
from presidio_cdip.recognition.printed import COLUMN
from presidio_cdip.recognition.spans import Span

_WORD = re.compile(r"[^\W_]+")
_NOWHERE = (sys.maxsize, sys.maxsize)
_DISTINCT = 6  # characters of a value that is looked for in attachments and pictures


class Remembering:
    """Find values, and those again that were found in the document before.

    A value that is known from the body of a document is found in its attachments and pictures,
    where nothing around it says what it is; and the other way round, when `missed` says so and
    all is read again.
    """

    def __init__(self, find: Find) -> None:
        self._find = find
        self._known: dict[str, Span] = {}
        self._shapes: dict[str, set[tuple[int, int]]] = {}
        """For the first word of values: their lengths, negative, and its offset in them."""
        self._read: list[str] = []
        self.missed = False
        """Whether a value that was found late stands in a text that was read before."""

    def begin(self) -> None:
        """Begin a document, or a document once more; what is known stays known."""
        self._read.clear()
        self.missed = False

    def __call__(self, text: str) -> list[Span]:
        """Return the findings in *text*, in order, none overlapping."""
        spans = self._beside(text, self._find(text))
        self.learn(text, spans)
        self._read.append(text)
        return spans

    def in_columns(self, text: str) -> list[Span]:
        """Return the findings in columns of the table *text*; others are not remembered."""
        spans = [span for span in self._find(text) if span.check == COLUMN]
        self.learn(text, spans)
        return spans

    def _beside(self, text: str, spans: list[Span]) -> list[Span]:
        """Return *spans*, and known values outside of them."""
        if not self._known:
            return spans
        places = iter(sorted((span.start, span.end) for span in spans))
        start, end = next(places, _NOWHERE)
        at = 0
        for value, begin, stop in self._again(text):
            while end <= begin:
                start, end = next(places, _NOWHERE)
            if begin >= at and stop <= start:
                spans.append(replace(self._known[value], start=begin, end=stop))
                at = stop
        return sorted(spans, key=lambda span: span.start)

    def _again(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield where known values stand, in order; the longest first where several begin."""
        for word in _WORD.finditer(text):
            for length, offset in sorted(self._shapes.get(word.group(), ())):
                begin = word.start() - offset
                stop = begin - length
                value = text[max(0, begin) : stop]
                whole = not (text[begin - 1 : begin].isalnum() or text[stop : stop + 1].isalnum())
                if value in self._known and begin >= 0 and whole:
                    yield value, begin, stop

    def learn(self, text: str, spans: Sequence[Span]) -> None:
        """Remember the values of *spans* that are long enough to be theirs wherever they stand.

        Giveaways are none: a ranker chooses among the words of each text again.
        """
        for span in spans:
            if span.entity == GIVEAWAY:
                continue
            value = text[span.start : span.end]
            if len(value) >= _DISTINCT and (" " in value or any(map(str.isdigit, value))):
                self._add(value, replace(span, rule=span.rule + "+document"))

    def _add(self, value: str, span: Span) -> None:
        word = _WORD.search(value)
        if word is not None and value not in self._known:
            self._known[value] = span
            self.missed = self.missed or any(value in text for text in self._read)
            self._shapes.setdefault(word.group(), set()).add((-len(value), word.start()))
