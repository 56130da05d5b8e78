"""Check that no original is left in a document that was written."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_SHORTEST = 6  # characters without blanks; shorter values occur by chance
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
    originals, left = list(dict.fromkeys(originals)), plain(written)
    sought = {
        text: entity
        for entity, value in originals
        if len(text := plain(value)) >= _SHORTEST and not _stands(text, value, left, written)
    }
    several = {plain(value) for _, value in originals if len(value.split()) > 1}
    words = {text: _pattern(text) for text in sought if _is_word(text) and text not in several}
    if not sought:
        return
    for where, text in extracted:
        within = plain(text)
        for value, entity in sought.items():
            if value in within and (value not in words or words[value].search(text.casefold())):
                yield Left(entity, where)


def _stands(text: str, value: str, within: str, written: str) -> bool:
    """Return whether a value stands in what was written."""
    if text not in within:
        return False
    return (
        len(value.split()) > 1
        or not _is_word(text)
        or bool(_pattern(text).search(written.casefold()))
    )


def _is_word(text: str) -> bool:
    return len(text) < _DISTINCT and text.isalpha()


def _pattern(word: str) -> re.Pattern[str]:
    """Return what finds a word, also with blanks between its letters."""
    letters = r"\s{0,2}".join(map(re.escape, word))
    return re.compile(rf"(?<![^\W\d_]){letters}(?![^\W\d_])")


def plain(text: str) -> str:
    """Return *text* without blanks and case."""
    return "".join(text.split()).casefold()
