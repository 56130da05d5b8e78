"""Consistency through a document: a value found once is found wherever it stands again."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from presidio_cdip.pack.confusions import LETTERS, digits
from presidio_cdip.pack.rules import RuleFile
from presidio_cdip.recognition import dates
from presidio_cdip.recognition.folding import Terms, Words
from presidio_cdip.recognition.spans import Span

Stretch = tuple[int, int]
Found = Mapping[Span, str]

_GROUP = re.compile(rf"(?<!\w)\(?[0-9{LETTERS}]+\)?(?!\w)")  # digits, as OCR may have left them
_BETWEEN = re.compile(r"[().\-–/ ]{1,3}")
_GROUPS = 5  # that one number may be written in
_DATE = re.compile(
    r"(?<!\w)(?:\d{1,4}[ ./\-]{1,2}(?:\d{1,2}|[A-Za-z]{3,9}\.?)[ ,./\-]{1,3}'?\d{1,4}"
    r"|[A-Z][A-Za-z]{2,8}\.? {0,2}\d{1,2}(?:st|nd|rd|th)?,? {1,2}'?\d{2,4})(?!\w)"
)


def _digits(words: Words, found: Found) -> Iterator[tuple[Span, Stretch]]:
    """The same digits, whatever stands between them; a telephone number also without its area."""
    known: dict[str, Span] = {}
    for span, value in found.items():
        number = re.sub(r"\D", "", digits(value))
        if len(number) >= 7 and "x" not in value.lower():
            known.setdefault(number, span)
            if len(number) == 10:
                known.setdefault("1" + number, span)
                known.setdefault(number[3:], span)
    groups = list(_GROUP.finditer(words.text)) if known else []
    for index, first in enumerate(groups):
        number, end = "", first.start()
        for group in groups[index : index + _GROUPS]:
            apart = number and group.start() > end
            if apart and not _BETWEEN.fullmatch(words.text, end, group.start()):
                break
            number += re.sub(r"\D", "", digits(group.group()))
            end = group.end()
            if number in known:
                # A bracket around the whole stays outside; that of an area code stays inside.
                start = first.start() + (first.group()[0] == "(" and ")" not in first.group())
                closing = words.text[end - 1] == ")" and "(" not in words.text[start:end]
                yield known[number], (start, end - closing)


def _date(words: Words, found: Found) -> Iterator[tuple[Span, Stretch]]:
    """The same date, in any form that gives day, month and year."""
    known = {key: span for span, value in found.items() for key in dates.keys(value)}
    for match in _DATE.finditer(words.text) if known else ():
        for key in dates.keys(match.group()):
            if key in known:
                yield known[key], match.span()
                break


def _words(words: Words, found: Found) -> Iterator[tuple[Span, Stretch]]:
    """The same words, whatever stands between them; an address also by its first line."""
    known: dict[str, Span] = {}
    for span, value in found.items():
        for part in {value, value.split("\n")[0], re.split(r"[,\n]", value)[0]}:
            # A number and a name identify; a bare town does not.
            if re.search(r"\d", part) and re.search(r"[^\W\d_]{3}", part) and " " in part.strip():
                known.setdefault(part, span)
    for start, end, terms in Terms(known).finditer(words):
        yield known[terms[0]], (start, end)


SPREADS: Mapping[str, Callable[[Words, Found], Iterable[tuple[Span, Stretch]]]] = MappingProxyType(
    {"digits": _digits, "date": _date, "words": _words}
)


def spread(words: Words, spans: Sequence[Span], files: Sequence[RuleFile]) -> list[Span]:
    """Where the values of *spans* stand again, for the entities whose file asks for it."""
    again = []
    for file in files:
        if not file.spread:
            continue
        found = {
            span: words.text[span.start : span.end] for span in spans if span.entity == file.entity
        }
        ends, starts = [span.end for span in found], [span.start for span in found]
        for how in file.spread:
            for span, (start, end) in SPREADS[how](words, found):
                known = bisect_right(ends, start)
                if known == len(ends) or starts[known] >= end:  # it overlaps none of them
                    again.append(replace(span, start=start, end=end, rule=span.rule + "+again"))
    return again
