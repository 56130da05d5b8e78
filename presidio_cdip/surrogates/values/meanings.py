"""Tell whether two phrases say the same in other words.

``operators/gazetteers/synonyms.txt`` lists terms of one meaning, a meaning a line. Lists, frames,
tables and phrases of a class are drawn from under this one rule, so that a pair of synonyms that
stands in two rows of any of them need not be found there.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.lists import terms
from presidio_cdip.surrogates.values.setting import terms_in

_LIST = "synonyms"


@lru_cache(maxsize=8)
def _meanings(pack: Pack) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for number, line in enumerate(terms(_LIST, pack)):
        for term in line.split("|"):
            found[_whole(term)].add(number)
    return {term: frozenset(numbers) for term, numbers in found.items()}


def _whole(text: str) -> str:
    return max((one for one, _ in terms_in(text)), key=len, default="")


def meaning_of(term: str, pack: Pack) -> frozenset[int]:
    """Return the numbers of the lines that have *term* as a whole."""
    return _meanings(pack).get(_whole(term), frozenset())


@lru_cache(maxsize=65536)
def meanings_of(text: str, pack: Pack) -> frozenset[int]:
    """Return the numbers of the lines that have a term of *text*."""
    known = _meanings(pack)
    found = (known[term] for term, _ in terms_in(text) if term in known)
    return frozenset[int]().union(*found)


def says_the_same(one: str, other: str, pack: Pack) -> bool:
    """Tell whether *one* and *other* have terms of one meaning."""
    own = meanings_of(one, pack)
    return bool(own) and not own.isdisjoint(meanings_of(other, pack))
