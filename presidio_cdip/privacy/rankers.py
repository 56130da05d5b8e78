"""Rank the words of sentences by how much they tell which of two sets a sentence is from.

All of them are numpy alone; `presidio_cdip.privacy.training` trains them.
"""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.privacy.encoder import Encoder, Vectors
from presidio_cdip.privacy.sentences import Sentence

Ranks = NDArray[np.float64]
"""``(words,)``: the word with the lowest rank is redacted first."""

Arrays = Mapping[str, NDArray[Any]]

_TOKEN = re.compile(r"\w\w+")  # of scikit-learn's vectorizers


class Ranker(Protocol):
    """Ranks the words of sentences."""

    @property
    def name(self) -> str:
        """Return the kind of ranker, one of `RANKERS`."""

    def ranks(self, sentences: Sequence[Sentence]) -> list[Ranks]:
        """Return ``(words,)`` for each sentence; the lowest is redacted first.

        A sentence's ranks do not depend on the other sentences.
        """

    def arrays(self) -> Arrays:
        """Return the parameters of the ranker; none of them is text."""


@dataclass(frozen=True)
class Contribution:
    """Rank by a word's share in a logistic regression on the mean vector of a sentence's words.

    The share of a word with the vector e is w·e + b. What speaks for the set that the regression
    takes the sentence for is redacted first, so that sentences of both sets lose what tells them.

    Attributes:
        encoder: Makes the vectors.
        weights: ``(dimensions,)``, w; positive for the sensitive set.
        bias: b.
    """

    name = "contribution"
    encoder: Encoder
    weights: "NDArray[np.float64]" = field(repr=False)
    bias: float

    def ranks(self, sentences: Sequence[Sentence]) -> list[Ranks]:
        """Return the ranks; a word's is its share, with its sign turned to the prediction."""
        return [self._ranks(words) for words in self.encoder.each_words(sentences)]

    def _ranks(self, words: Vectors) -> Ranks:
        shares: Ranks = words.astype(np.float64) @ self.weights + self.bias
        return -shares if shares.mean() > 0 else shares

    def arrays(self) -> Arrays:
        """Return weights and bias."""
        return {"weights": self.weights, "bias": np.array(self.bias)}

    @classmethod
    def of(cls, arrays: Arrays, encoder: Encoder) -> Self:
        """Return the ranker that has learnt *arrays*."""
        return cls(encoder, arrays["weights"], float(arrays["bias"]))


@dataclass(frozen=True)
class KlRanker:
    """Rank by a network that was trained to make two sets of sentences alike.

    The network is r: Rᵈ → (0, 1), three layers of 128 with tanh and one with a sigmoid.

    Attributes:
        encoder: Makes the vectors.
        layers: For each layer, its ``(inputs, outputs)`` weights and its ``(outputs,)`` biases.
        name: ``"kl"``, or ``"kl-published"`` if it was trained as its authors' code does.
    """

    encoder: Encoder
    layers: "Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]]" = field(repr=False)
    name: str = "kl"

    def ranks(self, sentences: Sequence[Sentence]) -> list[Ranks]:
        """Return the ranks, in (0, 1)."""
        return [self._ranks(words) for words in self.encoder.each_words(sentences)]

    def _ranks(self, words: Vectors) -> Ranks:
        values = words
        for weights, biases in self.layers[:-1]:
            values = np.tanh(values @ weights + biases)
        weights, biases = self.layers[-1]
        logits = (values @ weights + biases)[:, 0].astype(np.float64)
        return np.asarray(1 / (1 + np.exp(-np.clip(logits, -500, 500))))

    def arrays(self) -> Arrays:
        """Return weights and biases of all layers."""
        return {
            f"{what}{number}": values
            for number, layer in enumerate(self.layers)
            for what, values in zip(("weights", "biases"), layer, strict=True)
        }

    @classmethod
    def of(cls, arrays: Arrays, encoder: Encoder, name: str = "kl") -> Self:
        """Return the ranker that has learnt *arrays*."""
        count = len(arrays) // 2
        layers = [(arrays[f"weights{one}"], arrays[f"biases{one}"]) for one in range(count)]
        return cls(encoder, layers, name)


@dataclass(frozen=True)
class TfidfRanker:
    """Rank by the weight of a word in a logistic regression on TF-IDF: "smarter redaction".

    The word with the greatest |weight| is redacted first, whatever its sentence; of a word that
    holds several tokens, the greatest counts. Tokens are kept as salted hashes: the arrays show
    no word, though whoever guesses a word can see whether it is there.

    Attributes:
        salt: Eight bytes.
        hashes: ``(tokens,)`` uint64, in order.
        weights: ``(tokens,)``, each at least 0.
    """

    name = "tfidf"
    salt: bytes
    hashes: "NDArray[np.uint64]" = field(repr=False)
    weights: "NDArray[np.float64]" = field(repr=False)

    @classmethod
    def weighing(cls, weights: Mapping[str, float], seed: int) -> Self:
        """Return the ranker for the *weights* of tokens; *seed* draws the salt."""
        salt = random.Random(seed).randbytes(8)
        pairs = sorted((_hash(token, salt), abs(weight)) for token, weight in weights.items())
        hashes = np.array([one for one, _ in pairs], np.uint64)
        return cls(salt, hashes, np.array([weight for _, weight in pairs]))

    def ranks(self, sentences: Sequence[Sentence]) -> list[Ranks]:
        """Return the ranks, at most 0; words without a known token have 0."""
        known: dict[str, float] = {}
        for word in {word for sentence in sentences for word in sentence}:
            hashes = [_hash(token, self.salt) for token in tokens(word)]
            known[word] = -max(self._weights(hashes), default=0.0)
        return [np.array([known[word] for word in sentence]) for sentence in sentences]

    def _weights(self, hashes: Iterable[int]) -> Iterator[float]:
        for one in hashes:
            place = int(self.hashes.searchsorted(np.uint64(one)))
            if place < len(self.hashes) and int(self.hashes[place]) == one:
                yield float(self.weights[place])

    def arrays(self) -> Arrays:
        """Return salt, hashes and weights."""
        salt = np.frombuffer(self.salt, np.uint8)
        return {"salt": salt, "hashes": self.hashes, "weights": self.weights}

    @classmethod
    def of(cls, arrays: Arrays, encoder: Encoder | None = None) -> Self:
        """Return the ranker that has learnt *arrays*; it needs no encoder."""
        return cls(arrays["salt"].tobytes(), arrays["hashes"], arrays["weights"])


@dataclass(frozen=True)
class RandomRanker:
    """Rank at random, alike for equal sentences.

    Attributes:
        seed: Together with the words of a sentence, decides its ranks.
    """

    name = "random"
    seed: int = 0

    def ranks(self, sentences: Sequence[Sentence]) -> list[Ranks]:
        """Return the ranks, in [0, 1)."""
        return [self._ranks(sentence) for sentence in sentences]

    def _ranks(self, sentence: Sentence) -> Ranks:
        words = f"{self.seed} {' '.join(sentence)}".encode("utf-8", "replace")
        drawn = int.from_bytes(blake2b(words, digest_size=8).digest(), "big")
        return np.random.default_rng(drawn).random(len(sentence))

    def arrays(self) -> Arrays:
        """Return the seed."""
        return {"seed": np.array(self.seed)}

    @classmethod
    def of(cls, arrays: Arrays, encoder: Encoder | None = None) -> Self:
        """Return the ranker of the seed in *arrays*."""
        return cls(int(arrays["seed"]))


RANKERS = ("contribution", "iterated", "kl", "tfidf", "random", "kl-published")
"""The names of all kinds of rankers."""


def ranker_of(name: str, arrays: Arrays, encoder: Encoder) -> Ranker:
    """Return the ranker *name* that has learnt *arrays*.

    Raises:
        KeyError: There is no such kind, or an array is missing.
    """
    if name in ("kl", "kl-published"):
        return KlRanker.of(arrays, encoder, name)
    kinds: Mapping[str, type[Contribution | TfidfRanker | RandomRanker]] = {
        "contribution": Contribution,
        "tfidf": TfidfRanker,
        "random": RandomRanker,
    }
    return kinds[name].of(arrays, encoder)


def tokens(word: str) -> list[str]:
    """Return the tokens of *word*, as scikit-learn's vectorizers read them.

    >>> tokens("(X-rays)")
    ['rays']
    """
    return _TOKEN.findall(word.lower())


def _hash(token: str, salt: bytes) -> int:
    data = token.encode("utf-8", "replace")
    return int.from_bytes(blake2b(data, digest_size=8, salt=salt).digest(), "big")
