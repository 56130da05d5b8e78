"""Regular expressions made of lists of words."""

import re
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=256)
def alternation(terms: tuple[str, ...]) -> str:
    """Return a regular expression of *terms* as a tree of their letters, the longest preferred.

    A plain list of them would be tried from its first to its last at every letter of a text.

    >>> alternation(("Iowa", "Indiana", "Ind"))
    'I(?:nd(?:iana)?|owa)'
    """
    return _tree(terms)


def _tree(terms: Iterable[str]) -> str:
    heads: dict[str, list[str]] = {}
    for term in sorted(set(terms)):
        heads.setdefault(term[:1], []).append(term[1:])
    ends_here = heads.pop("", None) is not None
    branches = [
        # A line may end between two words.
        (r"[ \n]" if head == " " else re.escape(head)) + _tree(tails)
        for head, tails in heads.items()
    ]
    if len(branches) == 1 and not ends_here:
        return branches[0]
    joined = "|".join(branches)
    return f"(?:{joined})?" if ends_here and joined else joined and f"(?:{joined})"
