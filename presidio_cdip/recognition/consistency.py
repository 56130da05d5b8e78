"""Find a value that was found once wherever else it stands in its document."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from presidio_cdip.pack.confusions import LETTERS, digits
from presidio_cdip.pack.rules import RuleFile
from presidio_cdip.recognition import dates
from presidio_cdip.recognition.folding import Terms, Words
from presidio_cdip.recognition.spans import Span

Stretch = tuple[int, int]
Found = Mapping[Span, str]
Search = Callable[[Words], Iterable[tuple[Span, Stretch]]]
"""Yields each place of a text that has one of the values, and the span that has the value."""

_GROUP = re.compile(rf"(?<!\w)\(?[0-9{LETTERS}]+\)?(?!\w)")  # digits, some of them misread
_BETWEEN = re.compile(r"[().\-–/ ]{1,3}")
_GROUPS = 5  # most groups of digits in one number
DATE = re.compile(
    r"(?<!\w)(?:\d{1,4}[ ./\-]{1,2}(?:\d{1,2}|[A-Za-z]{3,9}\.?)[ ,./\-]{1,3}'?\d{1,4}"
    r"|[A-Z][A-Za-z]{2,8}\.? {0,2}\d{1,2}(?:st|nd|rd|th)?,? {1,2}'?\d{2,4})(?!\w)"
)


def _digits(found: Found) -> Search:
    """Search for the same digits with any separators.

    A telephone number of ten digits is also found without its area code.
    """
    known: dict[str, Span] = {}
    for span, value in found.items():
        number = re.sub(r"\D", "", digits(value))
        if len(number) >= 7 and "x" not in value.lower():
            known.setdefault(number, span)
            if len(number) == 10:
                known.setdefault("1" + number, span)
                known.setdefault(number[3:], span)
    return partial(_digit_places, known)


def _digit_places(known: Mapping[str, Span], words: Words) -> Iterator[tuple[Span, Stretch]]:
    groups = list(_GROUP.finditer(words.text)) if known else []
    numbers = [re.sub(r"\D", "", digits(group.group())) for group in groups]
    for index, first in enumerate(groups):
        number, end = "", first.start()
        for at, group in enumerate(groups[index : index + _GROUPS], index):
            is_separated = number and group.start() > end
            if is_separated and not _BETWEEN.fullmatch(words.text, end, group.start()):
                break
            number += numbers[at]
            end = group.end()
            if number in known:
                # A bracket around the whole number is left out, one around its area code is kept.
                start = first.start() + (first.group()[0] == "(" and ")" not in first.group())
                closing = words.text[end - 1] == ")" and "(" not in words.text[start:end]
                yield known[number], (start, end - closing)


def _date(found: Found) -> Search:
    """Search for the same date, in any form that has day, month and year."""
    known = {key: span for span, value in found.items() for key in dates.keys(value)}
    return partial(_date_places, known)


def _date_places(
    known: Mapping[tuple[int, int, int], Span], words: Words
) -> Iterator[tuple[Span, Stretch]]:
    for match in DATE.finditer(words.text) if known else ():
        for key in dates.keys(match.group()):
            if key in known:
                yield known[key], match.span()
                break


def _words(found: Found) -> Search:
    """Search for the same words with any separators.

    An address is also found by its first line, or by its part before the first comma.
    """
    known: dict[str, Span] = {}
    for span, value in found.items():
        for part in {value, value.split("\n")[0], re.split(r"[,\n]", value)[0]}:
            # A number with a name is specific enough; the name of a town alone is not.
            if re.search(r"\d", part) and re.search(r"[^\W\d_]{3}", part) and " " in part.strip():
                known.setdefault(part, span)
    return partial(_word_places, known, Terms(known))


def _word_places(
    known: Mapping[str, Span], terms: Terms, words: Words
) -> Iterator[tuple[Span, Stretch]]:
    for start, end, found in terms.finditer(words):
        yield known[found[0]], (start, end)


PROPAGATIONS: Mapping[str, Callable[[Found], Search]] = MappingProxyType(
    {"digits": _digits, "date": _date, "words": _words}
)

Searches = Sequence[tuple[str, Sequence[Search]]]
"""For each entity whose values are found again, the searches for them."""


def searches(found: Found, files: Sequence[RuleFile]) -> Searches:
    """Return the searches for values that rules found, as the rule files of their entities say.

    Args:
        found: The spans of a document and their values.
        files: The rule files; one without ``propagate`` is skipped.
    """
    by_entity: dict[str, dict[Span, str]] = {}
    for span, value in found.items():
        by_entity.setdefault(span.entity, {})[span] = value
    return [
        (file.entity, [PROPAGATIONS[how](by_entity[file.entity]) for how in file.propagate])
        for file in files
        if file.propagate and file.entity in by_entity
    ]


def propagate(words: Words, spans: Sequence[Span], searches: Searches) -> list[Span]:
    """Find values again.

    Args:
        words: The document, or a piece of it.
        spans: The spans that rules found in it, in order, none overlapping.
        searches: The searches for the values of the document.

    Returns:
        The further spans, with ``+again`` after the name of the rule. None overlaps a span of the
        same entity in *spans*; two of them may overlap each other.
    """
    again = []
    for entity, ways in searches:
        found = [span for span in spans if span.entity == entity]
        ends, starts = [span.end for span in found], [span.start for span in found]
        for search in ways:
            for span, (start, end) in search(words):
                known = bisect_right(ends, start)
                if known == len(ends) or starts[known] >= end:  # overlaps no span that was found
                    again.append(replace(span, start=start, end=end, rule=span.rule + "+again"))
    return again
