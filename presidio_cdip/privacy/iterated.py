"""Rank words in rounds: train attackers, redact by their gradients, train again on what is left.

A round sees what the rounds before it redacted, as an attacker would who is trained on redacted
texts. Its attackers are those that see words and those that see vectors; the gradient of either
score with respect to a word says how much the word tells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.privacy.encoder import Encoder, Vectors
from presidio_cdip.privacy.extra import sklearn
from presidio_cdip.privacy.masking import MASK, redacted
from presidio_cdip.privacy.rankers import Arrays, Ranks, TfidfRanker, tokens
from presidio_cdip.privacy.sentences import Sentence

ROUNDS = 3
STEP = 0.1
"""The share of the words that a round redacts."""

_LEAST_SENTENCES = 2


@dataclass(frozen=True)
class Round:
    """The parameters of the attackers of one round.

    Attributes:
        weights: ``(dimensions,)``, of a logistic regression on the mean vector of the words.
        bias: Of the same.
        known: Weights of tokens, of a logistic regression on TF-IDF.
        unit: What both are divided by: the spread of a word's share in either score.
    """

    weights: NDArray[np.float64] = field(repr=False)
    bias: float
    known: "SignedWords"
    unit: tuple[float, float]

    def shares(self, words: Sequence[str], vectors: Vectors) -> Ranks:
        """Return ``(words,)``: how much each word speaks for what its sentence is taken for."""
        both = (vectors.astype(np.float64) @ self.weights + self.bias, self.known.of_words(words))
        return sum(
            (_toward(one) / max(unit, 1e-9) for one, unit in zip(both, self.unit, strict=True)),
            np.zeros(len(words)),
        )


@dataclass(frozen=True)
class SignedWords:
    """Weights of tokens, which are kept as salted hashes.

    Attributes:
        positive: What speaks for the sensitive set, and how much.
        negative: What speaks for the other.
    """

    positive: TfidfRanker
    negative: TfidfRanker

    def of_words(self, words: Sequence[str]) -> Ranks:
        """Return ``(words,)``: the weight of each word, positive for the sensitive set."""
        sentence = tuple(words)
        [speaks], [against] = (one.ranks([sentence]) for one in (self.positive, self.negative))
        return against - speaks


@dataclass(frozen=True)
class Iterated:
    """Rank by rounds of attackers.

    The first tenth of the words is chosen by the attackers of the first round, the second by those
    of the second, and so on; all others by the last round.

    Attributes:
        encoder: Makes the vectors.
        rounds: In order.
    """

    name = "iterated"
    encoder: Encoder
    rounds: Sequence[Round]

    def ranks(self, sentences: Sequence[Sentence]) -> list[Ranks]:
        """Return the ranks: of a word that a round redacts, below those of the rounds after it."""
        found = [np.zeros(len(sentence)) for sentence in sentences]
        gone = [np.zeros(len(sentence), bool) for sentence in sentences]
        for number, one in enumerate(self.rounds):
            left = number - len(self.rounds)  # ranks are in [left, left + 1)
            for place, shares in enumerate(_shares(one, sentences, gone, self.encoder)):
                alive = ~gone[place]
                order = np.argsort(np.argsort(-shares, kind="stable"), kind="stable")
                found[place][alive] = left + order / (len(order) + 1)
                gone[place] = redacted(found[place], STEP * (number + 1), gone[place])
        return found

    def arrays(self) -> Arrays:
        """Return the parameters of all rounds; none of them is text."""
        found: dict[str, NDArray[Any]] = {}
        for number, one in enumerate(self.rounds):
            found[f"weights{number}"] = one.weights
            found[f"bias{number}"] = np.array(one.bias)
            found[f"unit{number}"] = np.array(one.unit)
            for side in ("positive", "negative"):
                for name, values in getattr(one.known, side).arrays().items():
                    found[f"{side}-{name}{number}"] = values
        return found

    @classmethod
    def of(cls, arrays: Arrays, encoder: Encoder) -> Self:
        """Return the ranker that has learnt *arrays*."""
        rounds = []
        for number in range(sum(name.startswith("weights") for name in arrays)):
            sides = [
                TfidfRanker.of(
                    {
                        name: arrays[f"{side}-{name}{number}"]
                        for name in ("salt", "hashes", "weights")
                    }
                )
                for side in ("positive", "negative")
            ]
            of_vectors, of_words = arrays[f"unit{number}"].tolist()
            rounds.append(
                Round(
                    arrays[f"weights{number}"],
                    float(arrays[f"bias{number}"]),
                    SignedWords(*sides),
                    (of_vectors, of_words),
                )
            )
        return cls(encoder, rounds)


def train_iterated(
    sensitive: Sequence[Sentence], safe: Sequence[Sentence], encoder: Encoder, seed: int
) -> Iterated:
    """Return a ranker that is trained on two sets of sentences in three rounds.

    Args:
        sensitive: Sentences.
        safe: Likewise.
        encoder: Makes the vectors.
        seed: Salts the hashes of tokens; nothing else is drawn.

    Raises:
        MissingDependency: scikit-learn is not installed.
    """
    sentences = [*sensitive, *safe]
    labels = np.repeat([1, 0], [len(sensitive), len(safe)])
    rounds: list[Round] = []
    for number in range(ROUNDS):
        left = sentences
        if rounds:
            ranker = Iterated(encoder, rounds)
            ranks = ranker.ranks(sentences)
            level = STEP * number
            left = [
                _without(sentence, redacted(own, level))
                for sentence, own in zip(sentences, ranks, strict=True)
            ]
        rounds.append(_round(left, labels, encoder, seed))
    return Iterated(encoder, rounds)


def _round(
    sentences: Sequence[Sentence], labels: NDArray[np.int64], encoder: Encoder, seed: int
) -> Round:
    means = encoder.means(sentences).astype(np.float64)
    centre, width = means.mean(axis=0), means.std(axis=0) + 1e-9
    model = sklearn("linear_model").LogisticRegression(max_iter=1000, class_weight="balanced")
    model.fit((means - centre) / width, labels)
    weights = model.coef_[0] / width
    bias = float(model.intercept_[0] - weights @ centre)

    vectorizer = sklearn("feature_extraction.text").TfidfVectorizer(
        analyzer=_tokens, min_df=_LEAST_SENTENCES, sublinear_tf=True
    )
    model = sklearn("linear_model").LogisticRegression(
        C=10.0, max_iter=1000, class_weight="balanced"
    )
    model.fit(vectorizer.fit_transform(sentences), labels)
    gradients = dict(
        zip(vectorizer.get_feature_names_out(), model.coef_[0] * vectorizer.idf_, strict=True)
    )
    known = SignedWords(
        *(
            TfidfRanker.weighing(
                {token: one for token, one in gradients.items() if one * sign > 0}, seed
            )
            for sign in (1, -1)
        )
    )
    some = sentences[:: max(1, len(sentences) // 200)]
    shares = [
        (vectors.astype(np.float64) @ weights + bias, known.of_words(sentence))
        for sentence, vectors in zip(some, encoder.each_words(some), strict=True)
    ]
    of_vectors, of_words = (float(np.concatenate(side).std()) for side in zip(*shares, strict=True))
    return Round(weights, bias, known, (of_vectors, of_words))


def _shares(
    one: Round,
    sentences: Sequence[Sentence],
    gone: Sequence[NDArray[np.bool_]],
    encoder: Encoder,
) -> Iterator[Ranks]:
    """Yield for each sentence the shares of the words that are left, in their order."""
    left = [_without(sentence, out) for sentence, out in zip(sentences, gone, strict=True)]
    kept = [_kept(out) for out in gone]
    for sentence, out, vectors, places in zip(
        sentences, gone, encoder.each_words(left), kept, strict=True
    ):
        words = [word for word, away in zip(sentence, out.tolist(), strict=True) if not away]
        yield one.shares(words, vectors[places])


def _without(sentence: Sentence, out: NDArray[np.bool_]) -> Sentence:
    """Return *sentence* with ``[MASK]`` for each run of the words that are *out*."""
    words: list[str] = []
    before = False
    for word, away in zip(sentence, out.tolist(), strict=True):
        if not away:
            words.append(word)
        elif not before:
            words.append(MASK)
        before = away
    return tuple(words)


def _kept(out: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return where in the sentence that `_without` makes each word stands that is not *out*."""
    starts = out & ~np.concatenate([[False], out[:-1]])
    return np.asarray((np.cumsum(~out | starts) - 1)[~out])


def _toward(shares: Ranks) -> Ranks:
    """Return *shares* with the sign of what the sentence is taken for."""
    return shares if shares.sum() >= 0 else -shares


def _tokens(sentence: Sentence) -> list[str]:
    return [token for word in sentence for token in tokens(word)]
