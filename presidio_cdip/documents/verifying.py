"""Check that no original is left in a document that was written."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

SHORTEST = 6
"""Characters without blanks of a text that is looked for: what is shorter occurs by chance."""

_FEW = 20  # values that are searched for one by one
_DISTINCT = 10  # letters; a word that is shorter may be a part of others


class Left(NamedTuple):
    """An original that can still be read.

    Attributes:
        entity: Its entity.
        where: Where it stands, as the format's `extracted` says.
    """

    entity: str
    where: str


def still_there(
    originals: Iterable[tuple[str, str]], written: str, extracted: Iterable[tuple[str, str]]
) -> Iterator[Left]:
    """Yield each original that stands in *extracted*, but not in *written*.

    Texts are compared without blanks and case, so that a value that is broken over lines, or set
    letter by letter, is found; a short word is found as a word only ("are stored" has no
    "restored"). A value that also stands where it is no finding is not looked for.

    Args:
        originals: Entity and text of each value that was replaced.
        written: The text of the document after replacement.
        extracted: Where a text stands in the new document, and the text.
    """
    each = _once(originals)
    values = {plain(value): value for _, value in each}
    entities = {plain(value): entity for entity, value in each}
    long = {text: value for text, value in values.items() if len(text) >= SHORTEST}
    words = {
        text: _pattern(text)
        for text, value in long.items()
        if _is_word(text) and len(value.split()) == 1
    }

    def standing(sought: Collection[str], text: str) -> Iterator[str]:
        for value in _within(sought, plain(text)):
            if value not in words or words[value].search(text.casefold()):
                yield value

    sought = set(long) - set(standing(long, written))
    if not sought:
        return
    for where, text in extracted:
        yield from (Left(entities[value], where) for value in standing(sought, text))


def _once(originals: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return each original once; of equal ones, one of several words counts."""
    return sorted(dict.fromkeys(originals), key=lambda one: len(one[1].split()))


def _within(values: Collection[str], text: str) -> Iterator[str]:
    """Yield those of *values* that stand in *text*, in time linear in the text."""
    if len(values) <= _FEW:
        yield from (value for value in values if value in text)
        return
    by_start: dict[str, list[str]] = {}
    for value in values:
        by_start.setdefault(value[:SHORTEST], []).append(value)
    left = set(values)
    for at in range(len(text) - SHORTEST + 1):
        for value in by_start.get(text[at : at + SHORTEST], ()):
            if value in left and text.startswith(value, at):
                left.discard(value)
                yield value


def _is_word(text: str) -> bool:
    return len(text) < _DISTINCT and text.isalpha()


def _pattern(word: str) -> re.Pattern[str]:
    """Return an expression that finds a word, also with blanks between its letters."""
    letters = r"\s{0,2}".join(map(re.escape, word))
    return re.compile(rf"(?<![^\W\d_]){letters}(?![^\W\d_])")


def plain(text: str) -> str:
    """Return *text* without blanks and case."""
    return "".join(text.split()).casefold()
