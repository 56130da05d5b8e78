"""Rounds of attackers: later ones see what earlier ones left, and a level holds the lower ones."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pytest

from presidio_cdip.privacy.encoder import Encoder, Vectors
from presidio_cdip.privacy.iterated import Iterated, train_iterated
from presidio_cdip.privacy.masking import MASK, all_masked, masked
from presidio_cdip.privacy.sentences import Sentence

WORDS = ("river", "stone", "green", "early", "house", "after", "seven", "light", "paper", "under")


class Doubled(Encoder):
    """An encoder that gives every word a vector of its own, wherever it stands."""

    def __init__(self) -> None:
        pass

    def each_words(self, sentences: Sequence[Sentence]) -> Iterator[Vectors]:
        for sentence in sentences:
            yield np.stack([self.of(word) for word in sentence])

    def means(self, sentences: Sequence[Sentence]) -> Vectors:
        return np.stack([words.mean(axis=0) for words in self.each_words(sentences)])

    @staticmethod
    def of(word: str) -> Vectors:
        seed = sum(ord(char) * 31**place for place, char in enumerate(word)) % 2**32
        return np.random.default_rng(seed).normal(size=16).astype(np.float32)


def sentences(seed: int, tell: Sequence[str], size: int = 80) -> list[Sentence]:
    """Sentences of twenty common words, with each of *tell* in most of them."""
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(size):
        words = [*draw.choice(WORDS, 20).tolist(), *(one for one in tell if draw.random() < 0.9)]
        found.append(tuple(draw.permutation(words).tolist()))
    return found


@pytest.fixture(scope="module")
def ranker() -> Iterated:
    return train_iterated(
        sentences(1, ("harbour", "captain")), sentences(2, ("surgeon", "ward")), Doubled(), 0
    )


@pytest.mark.slow
def test_the_words_that_tell_are_redacted_first(ranker: Iterated) -> None:
    """At 10 % none of them is left in new sentences of either set, or hardly one."""
    new = [*sentences(3, ("harbour", "captain"), 40), *sentences(4, ("surgeon", "ward"), 40)]
    telling = {"harbour", "captain", "surgeon", "ward"}

    left = all_masked(new, ranker.ranks(new), 0.1)

    before, after = (sum(word in telling for one in some for word in one) for some in (new, left))
    assert before > 120
    assert after < 0.1 * before


@pytest.mark.slow
def test_a_level_redacts_what_lower_levels_redact(ranker: Iterated) -> None:
    """Each word of a sentence has a rank of its own, and rounds do not overtake each other."""
    [sentence] = sentences(5, ("captain",), 1)
    [ranks] = ranker.ranks([sentence])

    assert len(set(ranks.tolist())) == len(sentence)
    kept = [[word for word in masked(sentence, ranks, level) if word != MASK]
            for level in (0.1, 0.3, 0.6)]  # fmt: skip
    for more, fewer in pairwise(kept):
        assert len(fewer) < len(more)


def test_ranks_do_not_depend_on_the_other_sentences(ranker: Iterated) -> None:
    """A sentence among others gets what it gets alone."""
    some = sentences(6, ("ward",), 5)

    together = ranker.ranks(some)

    for sentence, ranks in zip(some, together, strict=True):
        assert (ranker.ranks([sentence])[0] == ranks).all()


def test_its_arrays_are_the_whole_ranker(ranker: Iterated) -> None:
    """What is made of them ranks alike, and they hold no word."""
    some = sentences(7, ("captain",), 5)
    arrays = ranker.arrays()

    again = Iterated.of(arrays, Doubled())

    for one, other in zip(ranker.ranks(some), again.ranks(some), strict=True):
        assert (one == other).all()
    assert all(values.dtype.kind in "fuib" for values in arrays.values())


def test_short_sentences_and_masks_are_ranked(ranker: Iterated) -> None:
    """One word, a [MASK] of the text itself, and no word at all."""
    some: list[Sentence] = [("captain",), (MASK, "ward", MASK), ("the", "ward")]

    assert [len(ranks) for ranks in ranker.ranks(some)] == [1, 3, 2]
