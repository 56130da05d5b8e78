"""Compare values and words without keeping them.

A word becomes eight bytes under a key that is drawn for the run and forgotten with it, so that
nobody can look words up in what an audit keeps in memory; none of it is written.
"""

import re
from functools import lru_cache
from hashlib import blake2b
from secrets import token_bytes

import numpy as np
from numpy.typing import NDArray

Value = tuple[int, ...]
"""The fingerprint of a value: one of each of its words, in order."""

Words = NDArray[np.uint64]
"""The fingerprints of the words of a text."""

_WORD = re.compile(r"\w+")
_REMEMBERED = 1 << 16  # words


class Fingerprints:
    """Make fingerprints under one key.

    Args:
        key: At most 64 bytes; None to draw one.
    """

    def __init__(self, key: bytes | None = None) -> None:
        key = key or token_bytes(32)

        @lru_cache(_REMEMBERED)
        def of_word(word: str) -> int:
            data = word.encode("utf-8", "surrogatepass")
            return int.from_bytes(blake2b(data, digest_size=8, key=key).digest(), "little")

        self._of_word = of_word

    def value(self, text: str) -> Value:
        """Return the fingerprint of a value; case, spaces and punctuation do not matter."""
        return tuple(map(self._of_word, _WORD.findall(text.casefold())))

    def words(self, text: str) -> Words:
        """Return the fingerprints of the words of *text*, in order."""
        return np.array(self.value(text), dtype=np.uint64)
