"""Build regular expressions: the spellings of a cue, and one expression of many terms."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

_MOST_SPELLINGS = 5000  # spellings of one cue


def expand(cue: str) -> list[str]:
    """Return the spellings of a cue.

    Raises:
        ValueError: A bracket is not closed, or there are more than 5000 spellings.

    >>> expand("(home|res) tel( no|)")
    ['home tel no', 'res tel no', 'home tel', 'res tel']
    """
    spellings = list(islice(_expand(cue), _MOST_SPELLINGS + 1))
    if len(spellings) > _MOST_SPELLINGS:
        raise ValueError(f"more than {_MOST_SPELLINGS} spellings; make it two cues")
    return spellings


def _expand(cue: str) -> Iterator[str]:
    opening = cue.rfind("(")
    if opening < 0:
        yield " ".join(cue.split())
        return
    closing = cue.find(")", opening)
    if closing < 0:
        raise ValueError("a bracket is not closed")
    for choice in cue[opening + 1 : closing].split("|"):
        yield from _expand(cue[:opening] + choice + cue[closing + 1 :])


@lru_cache(maxsize=256)
def alternation(terms: tuple[str, ...]) -> str:
    """Return a regular expression of *terms* as a tree of their letters, the longest preferred.

    A plain alternation would be tried from its first term to its last at every letter of a text.

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
