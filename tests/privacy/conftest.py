"""Two sets of invented sentences that some words tell apart, and an encoder that goes by words."""

import random
from collections.abc import Callable, Iterator, Sequence
from zlib import crc32

import numpy as np
import pytest

from presidio_cdip.privacy.encoder import Encoder, Vectors
from presidio_cdip.privacy.sentences import Sentence, SentenceSet

CLINIC = ("ward", "dialysis", "surgeon", "biopsy", "fever", "nurse")
SHIPYARD = ("hull", "rivets", "crane", "keel", "dock", "welder")
_COMMON = ("the", "and", "was", "with", "report", "morning", "after", "long", "about", "there",
           "people", "said", "later", "without", "small", "from")  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what needs a whole audit."""
    for item in items:
        if "audited" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


class ByWords(Encoder):
    """An encoder without a model: equal words have equal vectors of 64 numbers."""

    name = "by-words"
    dimensions = 64

    def __init__(self) -> None:
        """Load nothing."""

    def each_words(self, sentences: Sequence[Sentence]) -> Iterator[Vectors]:
        for sentence in sentences:
            yield np.stack([_vector(word) for word in sentence])

    def means(self, sentences: Sequence[Sentence]) -> Vectors:
        return np.stack([words.mean(axis=0) for words in self.each_words(sentences)])

    sentences = means


def _vector(word: str) -> Vectors:
    draw = np.random.default_rng(crc32(word.strip(".,").lower().encode()))
    return draw.normal(size=64).astype(np.float32)


def texts(telling: Sequence[str], documents: int, seed: int) -> list[str]:
    """Documents of 20 sentences of 10 words, of which 2 are among *telling*."""
    draw = random.Random(seed)

    def sentence() -> str:
        words = draw.choices(_COMMON, k=8) + draw.choices(telling, k=2)
        draw.shuffle(words)
        return " ".join(words).capitalize() + "."

    return [" ".join(sentence() for _ in range(20)) for _ in range(documents)]


@pytest.fixture(scope="session")
def by_words() -> ByWords:
    return ByWords()


@pytest.fixture(scope="session")
def two_sets() -> tuple[SentenceSet, SentenceSet]:
    """300 sentences of a clinic and 300 of a shipyard, 15 documents each."""
    clinic = SentenceSet.of("clinic", texts(CLINIC, 15, 1))
    return clinic, SentenceSet.of("shipyard", texts(SHIPYARD, 15, 2))


@pytest.fixture(scope="session")
def make_texts() -> Callable[[Sequence[str], int, int], list[str]]:
    return texts
