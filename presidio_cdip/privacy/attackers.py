"""Train classifiers that predict which of two sets an unseen sentence is from.

An attacker is trained on texts as redacted as those it is asked about. Sentences of one document
are never on both sides, so that no attacker learns a document by heart.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.errors import InvalidOption
from presidio_cdip.privacy.encoder import Encoder, Vectors
from presidio_cdip.privacy.extra import sklearn
from presidio_cdip.privacy.renyi import Spread
from presidio_cdip.privacy.sentences import Sentence

SEEDS = 5
FOLDS = 5
_NEIGHBOURS = 15
_RESAMPLES = 200

Scores = NDArray[np.float64]
Labels = NDArray[np.int64]
"""1 for a sentence of the sensitive set, 0 for one of the other."""


@dataclass(frozen=True)
class Sample:
    """Hold sentences as an attacker sees them.

    Attributes:
        sentences: Their words.
        vectors: ``(sentences, dimensions)``, of the encoder.
    """

    sentences: Sequence[Sentence]
    vectors: Vectors

    @classmethod
    def of(cls, sentences: Sequence[Sentence], encoder: Encoder) -> "Sample":
        """Return *sentences* with their vectors."""
        return cls(sentences, encoder.sentences(sentences))

    def at(self, places: NDArray[np.int64]) -> "Sample":
        """Return the sentences at *places*."""
        return Sample([self.sentences[place] for place in places.tolist()], self.vectors[places])


Attacker = Callable[[Sample, Labels, Sample], Scores]
"""Learns from the first sample with its labels, and returns a score of each sentence of the second:
the higher, the likelier it is from the sensitive set."""


@dataclass(frozen=True)
class Pair:
    """Hold two sets of sentences, redacted alike, as one.

    Attributes:
        sample: The sentences of the sensitive set, then those of the other.
        labels: Of each.
        groups: ``(sentences,)``: sentences with the same number are of one document.
    """

    sample: Sample
    labels: Labels
    groups: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(
        cls, sensitive: Sample, safe: Sample, documents: tuple[Sequence[int], Sequence[int]]
    ) -> "Pair":
        """Return the pair of two samples; *documents* has the document of each sentence."""
        first, second = (groups_of(one) for one in documents)
        return cls(
            Sample(
                [*sensitive.sentences, *safe.sentences],
                np.concatenate([sensitive.vectors, safe.vectors]),
            ),
            np.repeat([1, 0], [len(first), len(second)]),
            np.concatenate([first, second + first.max(initial=-1) + 1]),
        )


@dataclass(frozen=True)
class Attack:
    """Hold the results of one attacker.

    Attributes:
        auc: The area under the ROC curve over the seeds, .5 for guessing. Its interval is of
            documents that are drawn again with replacement, for each seed.
        scores: ``(sentences,)``: of each sentence, unseen, by the folds of the first seed.
        seeds: The number of cross-validations, of which the AUC is the mean.
    """

    auc: Spread
    scores: Scores = field(repr=False)
    seeds: int


def by_words(train: Sample, labels: Labels, test: Sample) -> Scores:
    """Score by logistic regression on TF-IDF of the words."""
    vectorizer = sklearn("feature_extraction.text").TfidfVectorizer(sublinear_tf=True)
    texts, asked = ([" ".join(one) for one in some.sentences] for some in (train, test))
    try:
        matrix = vectorizer.fit_transform(texts)
    except ValueError:  # no word is left
        return np.zeros(len(asked))
    return _regression(matrix, labels, vectorizer.transform(asked), 10.0)


def by_embeddings(train: Sample, labels: Labels, test: Sample) -> Scores:
    """Score by logistic regression on the vectors of the sentences, standardized."""
    centre, width = train.vectors.mean(axis=0), train.vectors.std(axis=0) + 1e-6
    first, second = ((some.vectors - centre) / width for some in (train, test))
    return _regression(first, labels, second, 0.1)


def by_neighbours(train: Sample, labels: Labels, test: Sample) -> Scores:
    """Score by the 15 sentences with the nearest vectors, by cosine: the nearer, the weightier."""
    first, second = (
        some.vectors / np.maximum(np.linalg.norm(some.vectors, axis=1, keepdims=True), 1e-9)
        for some in (train, test)
    )
    signs = np.where(labels == 1, 1 / max(1, labels.sum()), -1 / max(1, (labels == 0).sum()))
    most = min(_NEIGHBOURS, len(labels))
    found = []
    for start in range(0, len(second), 1024):
        near = second[start : start + 1024] @ first.T
        places = np.argpartition(near, -most, axis=1)[:, -most:]
        weights = np.exp(8 * np.take_along_axis(near, places, axis=1).astype(np.float64))
        found.append((weights * signs[places]).sum(axis=1) / weights.sum(axis=1))
    return np.concatenate(found) if found else np.zeros(0)


ATTACKERS: Mapping[str, Attacker] = {
    "words": by_words,
    "embeddings": by_embeddings,
    "neighbours": by_neighbours,
}
"""The attackers that are always trained."""


def attack(
    attacker: Attacker, pair: Pair, *, seed: int = 0, seeds: int = SEEDS, folds: int = FOLDS
) -> Attack:
    """Return the results of *attacker* on the sets of *pair*, each sentence unseen.

    Args:
        attacker: Is trained for each fold.
        pair: The sets, as redacted as an attacker would get them.
        seed: Draws the folds.
        seeds: The number of repetitions, with other folds each.
        folds: Parts without a document in common; each is asked about once.

    Raises:
        InvalidOption: A set has fewer sentences than there are folds.
    """
    aucs: list[float] = []
    drawn: list[float] = []
    scores = []
    for number in range(seeds):
        draw = np.random.default_rng([seed, number])
        found = _unseen(attacker, pair, draw, folds)
        scores.append(found)
        aucs.append(auc(pair.labels, found))
        drawn += _resampled(pair, found, draw, _RESAMPLES)
    spread = Spread.of(drawn)
    return Attack(spread._replace(mean=float(np.mean(aucs))), scores[0], seeds)


def auc(labels: Labels, scores: Scores, weights: Scores | None = None) -> float:
    """Return the area under the ROC curve; equal scores count half.

    >>> auc(np.array([1, 1, 0, 0]), np.array([2.0, 1.0, 1.0, 0.0]))
    0.875
    """
    weights = np.ones(len(labels)) if weights is None else weights
    values, places = np.unique(scores, return_inverse=True)
    ours, theirs = (
        np.bincount(places.reshape(-1), weights * (labels == one), minlength=len(values))
        for one in (1, 0)
    )
    below = np.cumsum(theirs) - theirs / 2
    return float((ours * below).sum() / (ours.sum() * theirs.sum()))


def groups_of(documents: Sequence[int]) -> NDArray[np.int64]:
    """Return ``(sentences,)``, groups that folds keep whole: the documents, from 0.

    Of fewer documents than there are folds, each is cut into runs of sentences, so that parts of
    one document are learnt and asked about; an attacker then does better than on new documents.

    >>> groups_of([3, 3, 8, 8, 9, 10, 11]).tolist(), groups_of([4] * 6).tolist()
    ([0, 0, 1, 1, 2, 3, 4], [0, 0, 1, 2, 3, 4])
    """
    found = np.unique(np.asarray(documents, np.int64), return_inverse=True)[1].reshape(-1)
    if len(set(found.tolist())) >= FOLDS:
        return found
    runs = np.zeros(len(found), np.int64)
    number = 0
    for document in sorted(set(found.tolist())):
        places = np.flatnonzero(found == document)
        for part in np.array_split(places, FOLDS):
            runs[part] = number
            number += 1
    return runs


def are_few(documents: Sequence[int]) -> bool:
    """Return whether there are fewer documents than `groups_of` keeps whole."""
    return len(set(documents)) < FOLDS


def _unseen(attacker: Attacker, pair: Pair, draw: np.random.Generator, folds: int) -> Scores:
    scores = np.zeros(len(pair.labels))
    part = np.zeros(len(pair.labels), np.int64)
    for label in (1, 0):
        own = np.flatnonzero(pair.labels == label)
        if len(own) < folds:
            raise InvalidOption(f"{len(own)} sentences cannot be parted into {folds} folds")
        part[own] = _parted(pair.groups[own], draw, folds)
    for fold in range(folds):
        train, test = np.flatnonzero(part != fold), np.flatnonzero(part == fold)
        if len(test):
            found = attacker(pair.sample.at(train), pair.labels[train], pair.sample.at(test))
            scores[test] = found
    return scores


def _parted(groups: NDArray[np.int64], draw: np.random.Generator, folds: int) -> NDArray[np.int64]:
    """Return the fold of each sentence: of groups in random order, the largest are placed first,
    each into the fold that has the fewest sentences.
    """  # noqa: D205
    sizes = Counter(groups.tolist())
    order = [int(one) for one in draw.permutation(sorted(sizes))]
    filled = [0] * folds
    of = {}
    for group in sorted(order, key=lambda one: -sizes[one]):
        of[group] = filled.index(min(filled))
        filled[of[group]] += sizes[group]
    return np.array([of[group] for group in groups.tolist()])


def _resampled(pair: Pair, scores: Scores, draw: np.random.Generator, times: int) -> list[float]:
    """Return the AUC of documents drawn with replacement, those of each set for themselves."""
    sides = [np.unique(pair.groups[pair.labels == label]) for label in (1, 0)]
    found = []
    for _ in range(times):
        counts = np.zeros(int(pair.groups.max()) + 1)
        for side in sides:
            counts += np.bincount(draw.choice(side, len(side)), minlength=len(counts))
        found.append(auc(pair.labels, scores, counts[pair.groups]))
    return found


def _regression(train: Any, labels: Labels, test: Any, strength: float) -> Scores:
    model = sklearn("linear_model").LogisticRegression(
        C=strength, max_iter=1000, class_weight="balanced"
    )
    return np.asarray(model.fit(train, labels).decision_function(test), np.float64)
