"""Measure how well attackers tell two sets of sentences apart, by level of redaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.privacy.attackers import ATTACKERS, Pair, Sample, attack
from presidio_cdip.privacy.encoder import Encoder
from presidio_cdip.privacy.folders import Point
from presidio_cdip.privacy.giveaways import Find, are_covered, edges_of
from presidio_cdip.privacy.masking import all_masked, redacted
from presidio_cdip.privacy.rankers import Ranker, Ranks
from presidio_cdip.privacy.sentences import Sentence, SentenceSet

LEVELS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Of a card's curve."""

Covered = NDArray[np.bool_]
"""``(words,)``: what is redacted in any case."""


def covered_words(of: SentenceSet, find: Find) -> list[Covered]:
    """Return for each sentence which of its words *find* covers.

    The sentences of a document that are next to each other in *of* are read together.
    """
    found: list[Covered] = []
    for _, places in groupby(range(len(of)), key=of.documents.__getitem__):
        parts: list[str] = []
        bounds: list[list[tuple[int, int]]] = []
        at = 0
        for place in places:
            words = []
            for word in of.sentences[place]:
                words.append((at, at + len(word)))
                parts.append(word)
                at += len(word) + 1
            bounds.append(words)
        edges = edges_of(find(" ".join(parts)))
        found += [are_covered(words, edges) for words in bounds]
    return found


def curve(
    ranker: Ranker,
    sensitive: SentenceSet,
    safe: SentenceSet,
    encoder: Encoder,
    *,
    find: Find | None = None,
    levels: Sequence[float] = LEVELS,
    seed: int = 0,
) -> list[Point]:
    """Return a point for each level.

    Each attacker is asked about sentences of documents that it was not trained on, unless there are
    fewer than five (`presidio_cdip.privacy.attackers.groups_of`), and is trained on sentences that
    are redacted at the same level.

    Args:
        ranker: Chooses the words; it was trained on other sentences.
        sensitive: Held-out sentences.
        safe: Likewise.
        encoder: Makes the vectors of an attacker.
        find: Finds what is redacted in any case; None to let the ranker alone choose.
        levels: Each in [0, 1].
        seed: Draws the parts that an attacker is trained on.

    Raises:
        MissingDependency: scikit-learn is not installed.
    """
    sides = [
        _Side(one, ranker.ranks(one.sentences), covered_words(one, find) if find else None)
        for one in (sensitive, safe)
    ]
    return [_point(sides, level, encoder, seed) for level in levels]


@dataclass(frozen=True, slots=True)
class _Side:
    """A set, the ranks of its sentences, and what is redacted of them in any case."""

    of: SentenceSet
    ranks: Sequence[Ranks]
    covered: Sequence[Covered] | None

    def masked(self, level: float) -> list[Sentence]:
        """Return the sentences, redacted at *level*."""
        return all_masked(self.of.sentences, self.ranks, level, self.covered)

    def redacted(self, level: float) -> int:
        """Return the number of words that are redacted at *level*."""
        return sum(
            int(redacted(one, level, self.covered[place] if self.covered else None).sum())
            for place, one in enumerate(self.ranks)
        )


def _point(sides: Sequence[_Side], level: float, encoder: Encoder, seed: int) -> Point:
    first, second = (Sample.of(side.masked(level), encoder) for side in sides)
    pair = Pair.of(first, second, (sides[0].of.documents, sides[1].of.documents))
    auc = {
        name: round(attack(one, pair, seed=seed, seeds=1).auc.mean, 4)
        for name, one in ATTACKERS.items()
    }
    words = sum(len(sentence) for side in sides for sentence in side.of.sentences)
    share = sum(side.redacted(level) for side in sides) / max(1, words)
    return Point(level, round(share, 4), auc)
