"""Find names again wherever else they stand in their document."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from presidio_cdip.entities import NAMES
from presidio_cdip.recognition.names import E_MAIL
from presidio_cdip.recognition.spans import Span, trim

_SURE = 0.8  # lowest score of a name that is propagated
_PLACES = 5  # a name stands in at most so many times the places where it was found directly
_SHORT = 3  # letters of the shortest name that is propagated
_LETTER = re.compile(r"[^\W\d_]")
_CAPITAL = re.compile(r"[A-Z\u00c0-\u00de]")
_FIRST_CAPITAL = re.compile(r"(?<![^\W\d_])[A-Z]")
_SENTENCE = re.compile(r"(?:^|[.!?:]\s+|\n\s*)\W{0,2}$")
_LETTERS = re.compile(  # two or three capitals that fill a cell
    r"(?:(?<=\n)|(?<=[ \t]{2})|(?<=[:_/(]))[ \t]?(?:[A-Z]{2,3}|[A-Z]\.(?: ?[A-Z]\.){1,2})"
    r"(?=[ \t]*(?:\n|\Z)|[ \t]{2}|[:/)_]|[ ][-\u2013][ ])"
)


def propagate_names(text: str, spans: Sequence[Span], names: Collection[str] = NAMES) -> list[Span]:
    """Find the names among *spans* with a high score again in *text*, outside of all *spans*.

    A name is found as whole words in the same spelling or in capitals, a person also by the last
    name alone and, in a cell of its own, by initials ("MT" of "M. Tanner"). If *text* also has the
    word in lower case ("rose", "hope"), it is skipped at the start of a sentence, where its capital
    letter does not show that it is a name.

    Args:
        text: The document.
        spans: In order, none overlapping.
        names: The labels of names.

    Returns:
        The further spans, in order, with the score of the name and ``+again`` after its rule,
        ``+initials`` for initials, or ``+address`` for the part before the @ of an e-mail address
        that has a person's last name.
    """
    known: dict[str, Span] = {}
    letters: dict[str, Span] = {}
    direct: Counter[str] = Counter()  # how often each spelling was found already
    for span in spans:
        if span.entity in names:
            value = text[span.start : span.end]
            direct.update(spellings := set(_spellings(value, span.entity)))
            if span.score < _SURE:
                continue
            for spelling in spellings:
                known.setdefault(spelling, span)
            if span.entity == "PERSON":
                for initials in _initials(value):
                    letters.setdefault(initials, span)
    taken = [(span.start, span.end) for span in spans]
    found = list(_again(text, known, direct, taken)) if known else []
    taken = sorted([*taken, *((span.start, span.end) for span in found)])
    found += _by_initials(text, letters, taken) if letters else []
    found += _in_addresses(text, known, spans) if known else []
    return sorted(found, key=lambda span: span.start)


def _again(
    text: str,
    known: Mapping[str, Span],
    direct: Mapping[str, int],
    taken: Sequence[tuple[int, int]],
) -> Iterator[Span]:
    """Yield the names *known* where they stand outside of the stretches *taken*, in order.

    A name that was found in fewer than one of `_PLACES` of its places is doubtful, and left out.
    """
    words = sorted(known, key=len, reverse=True)
    joined = "|".join(r"\s+".join(map(re.escape, word.split())) for word in words)
    small = _held(text, {value.lower() for value in known})
    further: dict[str, list[re.Match[str]]] = {}
    for match in _outside(re.finditer(rf"(?<![\w'-])(?:{joined})(?![\w-])", text), taken):
        value = " ".join(match.group().split())
        before = max(0, match.start() - 12)
        if value.lower() not in small or not _SENTENCE.search(text, before, match.start()):
            further.setdefault(value, []).append(match)
    for value, matches in further.items():
        if len(matches) < _PLACES * max(1, direct.get(value, 0)):
            source = known[value]
            for one in matches:
                yield replace(source, start=one.start(), end=one.end(), rule=source.rule + "+again")


def _outside(
    matches: Iterable[re.Match[str]], taken: Sequence[tuple[int, int]]
) -> Iterator[re.Match[str]]:
    """Yield those of *matches* that overlap none of *taken*; both are in order."""
    at = 0
    for match in matches:
        while at < len(taken) and taken[at][1] <= match.start():
            at += 1
        if at == len(taken) or match.end() <= taken[at][0]:
            yield match


def _by_initials(
    text: str, letters: Mapping[str, Span], taken: Sequence[tuple[int, int]]
) -> Iterator[Span]:
    """Yield the initials of persons where they fill a cell."""
    for match in _outside(_LETTERS.finditer(text), taken):
        source = letters.get(re.sub(r"\W", "", match.group()))
        if source:
            start, end = trim(text, match.start(), match.end())
            yield replace(source, start=start, end=end, rule=source.rule + "+initials")


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
