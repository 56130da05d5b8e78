"""Tell which words of a page are options that forms print, as the shipped rules know them."""

from collections.abc import Collection
from functools import lru_cache

from presidio_cdip.pack.pack import Pack
from presidio_cdip.pack.rules import rule_files
from presidio_cdip.recognition.choices import OF_ONE, Kinds
from presidio_cdip.recognition.folding import Terms, Words


def known_in(text: str) -> Kinds:
    """Return what tells the entities of the known option with which a part of *text* begins.

    Options are known of what a person has one of.

    >>> text = "Single  Luth."
    >>> known_in(text)(0, 6), known_in(text)(8, 13), known_in(text)(3, 6)
    (frozenset({'MARITAL_STATUS'}), frozenset({'RELIGION'}), frozenset())
    """
    words = Words.of(text)
    terms, entities = _known()

    def kinds(start: int, end: int) -> Collection[str]:
        index = words.first_at(start)
        if index >= len(words.starts) or words.starts[index] >= end:
            return frozenset()
        found = terms.longest(words, index)
        known = found[1] if found and found[0] <= end else ()
        return frozenset(entity for term in known for entity in entities[term])

    return kinds


@lru_cache(maxsize=1)
def _known() -> tuple[Terms, dict[str, set[str]]]:
    entities: dict[str, set[str]] = {}
    for file in rule_files(Pack.shipped()):
        for rule in file.rules:
            if "ticked" in rule.where and file.entity in OF_ONE:
                for term in rule.terms:
                    entities.setdefault(term, set()).add(file.entity)
    return Terms(entities), entities
