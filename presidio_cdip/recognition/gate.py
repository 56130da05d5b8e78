"""Find expressions that cannot match anywhere in a text, by the letters that it has.

Every match of an expression has one of the expression's *n-grams* in it: three or four adjacent
characters in lower case. Russ Cox's trigram index (https://swtch.com/~rsc/regexp/regexp4.html,
2012) finds files to search in the same way. ``tools/gate.py`` derives those of the shipped rules.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SHORTEST, LONGEST = 3, 4  # bytes of an n-gram

# Characters that a letter matches in any case, and the kinds of blanks that a list's terms allow.
_SAME = str.maketrans({"\n": " ", "ſ": "s", "ı": "i", "\u0307": None})
_SLOTS = 1 << 16


def folded(text: str) -> str:
    """Return *text* as n-grams are taken from it: in lower case, its line ends as blanks."""
    return text.lower().translate(_SAME)


def codes(text: str) -> NDArray[np.uint32]:
    """Return each three and each four adjacent bytes of *text* as a number."""
    at = np.frombuffer(folded(text).encode(), np.uint8).astype(np.uint32)
    if len(at) < SHORTEST:
        return np.zeros(0, np.uint32)
    three = at[:-2] | at[1:-1] << 8 | at[2:] << 16
    return np.concatenate([three, three[:-1] | at[3:] << 24])


class Gate:
    """Select the expressions that may match in a text. Immutable.

    Args:
        needed: For each expression its n-grams; None if it may match in every text.
    """

    def __init__(self, needed: Sequence[frozenset[str] | None]) -> None:
        each = [
            np.array(sorted({_code(gram) for gram in one}) if one else [0], np.uint32)
            for one in needed
        ]
        self._always = np.array([not one for one in needed], bool)
        self._starts = np.cumsum([0, *map(len, each)])[:-1]
        self._grams, self._places = np.unique(
            np.concatenate(each) if each else np.zeros(0, np.uint32), return_inverse=True
        )
        self._slots = np.zeros(_SLOTS, bool)
        self._slots[_slot(self._grams)] = True

    def passes(self, text: str) -> list[bool]:
        """Return for each expression whether it may match in *text*."""
        if not len(self._always):
            return []
        seen = codes(text)
        seen = seen[self._slots[_slot(seen)]]
        found = np.isin(self._grams, seen)
        held = np.logical_or.reduceat(found[self._places], self._starts)
        passes: list[bool] = (held | self._always).tolist()
        return passes


def _code(gram: str) -> int:
    """Return the number of an n-gram among the `codes` of a text."""
    return int.from_bytes(folded(gram).encode()[-LONGEST:], "little")


def _slot(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return where *codes* fall in a table of `_SLOTS`: multiplicative hashing (Knuth, 6.4)."""
    return (codes * np.uint32(2654435761)) >> np.uint32(16)
