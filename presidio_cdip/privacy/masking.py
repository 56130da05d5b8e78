"""Redact the words of a sentence that rank lowest."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.errors import InvalidOption
from presidio_cdip.privacy.sentences import Sentence

MASK = "[MASK]"
"""The replacement of a redacted word; it is in the vocabulary of the encoder."""


def masked(
    sentence: Sentence,
    ranks: "NDArray[np.float64]",
    level: float,
    first: "NDArray[np.bool_] | None" = None,
) -> Sentence:
    """Return *sentence* with ``[MASK]`` for its words that rank lowest, and for a run of them once.

    Args:
        sentence: Of n words.
        ranks: ``(n,)``; of equal ranks, the earlier word counts as the lower one.
        level: The share of the words, in [0, 1]: ⌊level n⌋ words are redacted.
        first: ``(n,)``, words that are redacted in any case and are counted first, so that of the
            others only the rest of ⌊level n⌋ is redacted.

    Raises:
        InvalidOption: *level* is not in [0, 1].

    >>> masked(("The", "patient", "had", "a", "stroke"), np.array([4, 1, 3, 2, 0.]), 0.6)
    ('The', '[MASK]', 'had', '[MASK]')
    """
    out = redacted(ranks, level, first)
    words: list[str] = []
    for word, gone in zip(sentence, out.tolist(), strict=True):
        if not gone:
            words.append(word)
        elif not words or words[-1] != MASK:
            words.append(MASK)
    return tuple(words)


def redacted(
    ranks: "NDArray[np.float64]", level: float, first: "NDArray[np.bool_] | None" = None
) -> "NDArray[np.bool_]":
    """Return ``(n,)``, which words `masked` redacts; the arguments are the same."""
    count = budget(len(ranks), level)
    out = np.zeros(len(ranks), bool) if first is None else first.copy()
    others = np.flatnonzero(~out)
    left = max(0, count - int(out.sum()))
    out[others[np.argsort(ranks[others], kind="stable")[:left]]] = True
    return out


def budget(words: int, level: float) -> int:
    """Return ⌊level · words⌋, also where the product falls short of a whole number by rounding.

    >>> budget(10, 0.7), budget(9, 0.7)
    (7, 6)
    """
    if not 0 <= level <= 1:
        raise InvalidOption(f"level: {level} is not in 0..1")
    return int(level * words + 1e-9)


def all_masked(
    sentences: Sequence[Sentence],
    ranks: "Sequence[NDArray[np.float64]]",
    level: float,
    first: "Sequence[NDArray[np.bool_]] | None" = None,
) -> list[Sentence]:
    """Return `masked` of each of *sentences*."""
    return [
        masked(sentence, ranks[place], level, first[place] if first else None)
        for place, sentence in enumerate(sentences)
    ]
