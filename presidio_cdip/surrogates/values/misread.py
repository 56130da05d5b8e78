"""Find the listed term that OCR or a typist has damaged by a letter."""

from collections.abc import Iterable, Iterator

from presidio_cdip.recognition.folding import fold

_FEWEST, _SURE = 6, 8  # letters of a term: with a letter taken for another alike, and for any
_MOST = 40  # characters of a value


class Misread:
    """Look up the one of *terms* that a value is but for a letter.

    >>> known = Misread(("chicken pox", "measles", "mumps"))
    >>> known.of("chickcn pox"), known.of("Measels"), known.of("mumqs"), known.of("measles")
    ('chicken pox', 'measles', '', '')
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._exact: dict[str, set[str]] = {}
        self._but_one: dict[str, set[str]] = {}
        for term in terms:
            if sum(map(str.isalpha, term)) < _FEWEST or term.isupper():
                continue
            alike = fold(term)
            self._exact.setdefault(alike, set()).add(term)
            if sum(map(str.isalpha, term)) >= _SURE:
                for pattern in _without_one(alike):
                    self._but_one.setdefault(pattern, set()).add(term)

    def of(self, value: str) -> str:
        """Return the term that *value* is but for a letter; empty if none is, or several are."""
        if not _FEWEST <= len(value) <= _MOST:
            return ""
        alike = fold(value)
        found = set(self._exact.get(alike, ()))
        for at in range(len(alike) - 1):
            swapped = alike[:at] + alike[at + 1] + alike[at] + alike[at + 2 :]
            found |= self._exact.get(swapped, set())
        if not found:
            for pattern in _without_one(alike):
                found |= self._but_one.get(pattern, set())
        if len(found) != 1:
            return ""
        term = found.pop()
        return "" if term.casefold() == value.casefold() else term


def _without_one(text: str) -> Iterator[str]:
    """Yield *text* with each of its letters in turn left open."""
    return (f"{text[:at]}?{text[at + 1 :]}" for at in range(len(text)) if text[at].isalpha())
