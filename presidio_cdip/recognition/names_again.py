"""Find names again wherever else they stand in their document."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from presidio_cdip.entities import NAMES
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.names import E_MAIL
from presidio_cdip.recognition.spans import Span, trim

LISTS = ("no_initials", "us_postal")
"""Letters that are no initials of a person."""
_SURE = 0.8  # lowest score of a name that is propagated
_PLACES = 5  # a name stands in at most so many times the places where it was found directly
_SHORT = 3  # letters of the shortest name that is propagated
_LETTER = re.compile(r"[^\W\d_]")
_NO_LETTER = re.compile(r"\W")
_WORD = re.compile(r"\w+")
_FREE_WORD = re.compile(r"(?<![\w'-])\w+")
_SPACE = re.compile(r"\s+")
_MORE = re.compile(r"[\w-]")
_CAPITAL = re.compile(r"[A-Z\u00c0-\u00de]")
_FIRST_CAPITAL = re.compile(r"(?<![^\W\d_])[A-Z]")
_SENTENCE = re.compile(r"(?:^|[.!?:]\s+|\n\s*)\W{0,2}$")
_COMMON = frozenset(english().labels["common_names"])
_OF_PERSON = re.compile(  # behind a name
    rf"(?:['’]s\b|[.,:;)]|\s*(?:\n|\Z)|,? (?:{'|'.join(english().labels['deeds'])})\b)"
)
_LETTERS = re.compile(  # two or three capitals that fill a cell
    r"(?:(?<=\n)|(?<=[ \t]{2})|(?<=[:_/(]))[ \t]?(?:[A-Z]{2,3}|[A-Z]\.(?: ?[A-Z]\.){1,2})"
    r"(?=[ \t]*(?:\n|\Z)|[ \t]{2}|[:/)_]|[ ][-\u2013][ ])"
)


def propagate_names(
    text: str,
    spans: Sequence[Span],
    names: Collection[str] = NAMES,
    pack: Pack | None = None,
) -> list[Span]:
    """Find the names among *spans* with a high score again in *text*, outside of all *spans*.

    A name is found as whole words in the same spelling or in capitals, a person also by the last
    name alone and, in a cell of its own, by initials ("KT" of "K. Tanner"). If *text* also has the
    word in lower case ("rose", "hope"), it is skipped in capitals and at the start of a sentence,
    where its capital letter does not show that it is a name. There a common word ("young") that
    alone was found is skipped in any case, unless what a person does stands behind it. Postal
    codes, answers and the abbreviations in `LISTS` are no initials.

    Args:
        text: The document.
        spans: In order, none overlapping.
        names: The labels of names.
        pack: Has the `LISTS` [default: the shipped one].

    Returns:
        The further spans, in order, with the score of the name and ``+again`` after its rule,
        ``+initials`` for initials, or ``+address`` for the part before the @ of an e-mail address
        that has a person's last name.
    """
    known: dict[str, Span] = {}
    letters: dict[str, Span] = {}
    direct: Counter[str] = Counter()  # how often each spelling was found already
    direct_letters: Counter[str] = Counter()  # the same of initials and whom they stand for
    none = _no_initials(pack or Pack.shipped())
    for span in spans:
        if span.entity in names:
            value = text[span.start : span.end]
            direct.update(spellings := set(_spellings(value, span.entity)))
            initials = _initials(value) - none if span.entity == "PERSON" else set()
            direct_letters.update(initials | {_NO_LETTER.sub("", value)})
            if span.score < _SURE:
                continue
            for spelling in spellings:
                known.setdefault(spelling, span)
            for spelling in initials:
                letters.setdefault(spelling, span)
    taken = [(span.start, span.end) for span in spans]
    found = list(_again(text, known, direct, taken)) if known else []
    taken = sorted([*taken, *((span.start, span.end) for span in found)])
    found += _by_initials(text, letters, direct_letters, taken) if letters else []
    found += _in_addresses(text, known, spans) if known else []
    return sorted(found, key=lambda span: span.start)


def _again(
    text: str,
    known: Mapping[str, Span],
    direct: Mapping[str, int],
    taken: Sequence[tuple[int, int]],
) -> Iterator[Span]:
    """Yield the names *known* where they stand outside of the stretches *taken*."""
    small = _held(text, {value.lower() for value in known})
    further: dict[str, list[tuple[int, int]]] = {}
    for start, end in _outside(_places(text, known), taken):
        value = " ".join(text[start:end].split())
        common = value.lower() in small
        is_head = _SENTENCE.search(text, max(0, start - 12), start) is not None
        if common and (value.isupper() or is_head):
            continue
        source = known[value]
        is_word = value.istitle() and value.lower() in _COMMON
        is_word = is_word and not text[source.start : source.end].split()[1:]
        if is_head and is_word and not _OF_PERSON.match(text, end):
            continue
        further.setdefault(value, []).append((start, end))
    yield from _believed(further, known, direct, "+again")


def _believed(
    further: Mapping[str, Sequence[tuple[int, int]]],
    sources: Mapping[str, Span],
    direct: Mapping[str, int],
    mark: str,
) -> Iterator[Span]:
    """Yield a span for each place in *further*: the name's source, with *mark* after its rule.

    A name that was found in fewer than one of `_PLACES` of its places is doubtful, and left out.
    """
    for value, places in further.items():
        if len(places) < _PLACES * max(1, direct.get(value, 0)):
            source = sources[value]
            for start, end in places:
                yield replace(source, start=start, end=end, rule=source.rule + mark)


def _places(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where one of *names* stands as whole words, the longest of several, in order.

    They are looked up by their first word: a regular expression would try each at every word.
    """
    by_first: dict[str, list[Sequence[str]]] = {}
    for name in sorted(names, key=len, reverse=True):
        if first := _WORD.match(name):
            by_first.setdefault(first.group(), []).append(name.split())
    until = 0
    for match in _FREE_WORD.finditer(text):
        if match.start() >= until:
            ends = (_end(text, match.start(), name) for name in by_first.get(match.group(), ()))
            if end := next(filter(None, ends), None):
                yield match.start(), end
                until = end


def _end(text: str, start: int, words: Sequence[str]) -> int | None:
    """Return where *words* end in *text* if they stand at *start*, not as a part of more."""
    at = start
    for word in words:
        if at > start:
            space = _SPACE.match(text, at)
            if not space:
                return None
            at = space.end()
        if not text.startswith(word, at):
            return None
        at += len(word)
    return None if _MORE.match(text, at) else at


def _outside(
    places: Iterable[tuple[int, int]], taken: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield those of *places* that overlap none of *taken*; both are in order."""
    at = 0
    for start, end in places:
        while at < len(taken) and taken[at][1] <= start:
            at += 1
        if at == len(taken) or end <= taken[at][0]:
            yield start, end


@lru_cache(maxsize=8)
def _no_initials(pack: Pack) -> frozenset[str]:
    """Return the letters that are no initials, in capitals, by the lists of *pack* and English."""
    labels, listed = english().labels, (pack.terms("recognizers/gazetteers", one) for one in LISTS)
    days = (day.short for day in (*english().months, *english().weekdays))
    words = (*labels["answers"], *labels["none"], *labels["not_given"], *labels["titles"], *days)
    return frozenset(_NO_LETTER.sub("", word).upper() for word in chain(words, *listed))


def _by_initials(
    text: str,
    letters: Mapping[str, Span],
    direct: Mapping[str, int],
    taken: Sequence[tuple[int, int]],
) -> Iterator[Span]:
    """Yield the initials of persons where they fill a cell."""
    further: dict[str, list[tuple[int, int]]] = {}
    cells = (match.span() for match in _LETTERS.finditer(text))
    for start, end in _outside(cells, taken):
        value = _NO_LETTER.sub("", text[start:end])
        if value in letters:
            further.setdefault(value, []).append(trim(text, start, end))
    yield from _believed(further, letters, direct, "+initials")


def _initials(value: str) -> set[str]:
    """Return how the initials of the name *value* can be written, in capitals.

    >>> sorted(_initials("Jane A. Pell")), sorted(_initials("Pell, Jane"))
    (['JAP', 'JP'], ['JP'])
    """
    last, comma, first = value.partition(",")
    letters = "".join(_FIRST_CAPITAL.findall(f"{first} {last}" if comma else value))
    return {letters, letters[0] + letters[-1]} if len(letters) > 1 else set()


def _in_addresses(text: str, known: Mapping[str, Span], spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the part before the @ of e-mail addresses that have the last name of a person."""
    persons = {
        re.sub(r"\W", "", value).lower(): span
        for value, span in known.items()
        if span.entity == "PERSON" and " " not in value and len(value) > _SHORT
    }
    if not persons or "@" not in text:
        return
    for match in E_MAIL.finditer(text):
        end = match.start() + match.group().index("@")
        local = text[match.start() : end].lower()
        source = next((span for name, span in persons.items() if name in local), None)
        if source and not any(span.start < end and match.start() < span.end for span in spans):
            yield replace(source, start=match.start(), end=end, rule=source.rule + "+address")


def _held(text: str, words: Collection[str]) -> set[str]:
    """Return those of *words* that stand in *text*."""
    found = (match.group() for match in re.finditer(r"[^\W\d_]+", text))
    return {word for word in found if word in words}


def _spellings(value: str, entity: str) -> Iterable[str]:
    """Yield the whole name and, for a person, the last name; both as written and in capitals."""
    value = " ".join(value.split())
    letters = len(_LETTER.findall(value))
    whole = [value] if letters >= _SHORT and _CAPITAL.search(value) else []
    if entity == "PERSON" and " " in value:
        # "Smith, Jane A." and "Jane A. Smith": the last name
        last = value.split(",")[0] if "," in value else value.rsplit(" ", 1)[1]
        if len(last) > _SHORT and last[:1].isupper() and last.replace("-", "").isalpha():
            whole.append(last)
    return dict.fromkeys([*whole, *map(str.upper, whole)])
