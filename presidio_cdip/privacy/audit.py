"""Audit a pair of sets: how well their sentences are told apart, as they are and redacted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.privacy.attackers import (
    ATTACKERS,
    SEEDS,
    Attack,
    Attacker,
    Pair,
    Sample,
    attack,
)
from presidio_cdip.privacy.curves import Covered, covered_words
from presidio_cdip.privacy.encoder import Encoder, Vectors
from presidio_cdip.privacy.extra import sklearn
from presidio_cdip.privacy.giveaways import Find
from presidio_cdip.privacy.masking import MASK, all_masked
from presidio_cdip.privacy.rankers import Ranker
from presidio_cdip.privacy.renyi import (
    MOST_DIMENSIONS,
    Estimate,
    Floats,
    estimate,
    floor,
    low_dimensional,
)
from presidio_cdip.privacy.sentences import LEAST, Sentence, SentenceSet, check_pair

LEVELS = (0.0, 0.1, 0.2, 0.3, 0.5)
"""Of the curves of rankers."""

SENTENCES = 2_000
"""Of each set, that an audit uses; of more, a random sample."""

PLAIN, REPLACED = "as they are", "entities replaced"

SLOW = ("fine-tuned",)
"""Attackers that are asked with one seed alone."""

_CURVE = 500  # sentences of each set that a curve is measured on, at most
_PERMUTATIONS = 5  # of the labels of scores
_TOPICS = 100  # dimensions of the second embedding
_LEAST_SENTENCES = 5  # in which a word stands that is shown

Sides = tuple[Sequence[Sentence], Sequence[Sentence]]


@dataclass(frozen=True)
class Measured:
    """The attackers' results on the sentences of both sets, redacted in one way.

    Attributes:
        redacted: The share of the words that are redacted, in [0, 1].
        attacks: By attacker, each trained on sentences that are redacted alike.
        estimates: By embedding: ``encoder`` and ``topics`` (LSA of TF-IDF).
        scores_d2: D₂ of the scores of all attackers, the larger of both directions, by the
            estimator for few dimensions. What is computed from a sentence tells no more than the
            sentence, so that it is a lower bound, but for the error of the estimate.
    """

    redacted: float
    attacks: Mapping[str, Attack]
    estimates: Mapping[str, Estimate]
    scores_d2: float

    @property
    def worst(self) -> str:
        """Return the name of the attacker that does best."""
        return max(self.attacks, key=lambda name: self.attacks[name].auc.mean)

    @property
    def auc(self) -> float:
        """Return the AUC of the attacker that does best."""
        return self.attacks[self.worst].auc.mean

    @property
    def nearest(self) -> str:
        """Return the embedding in which D₂ is larger."""
        return max(self.estimates, key=lambda name: self.estimates[name].d2.mean)

    @property
    def epsilon(self) -> float:
        """Return ε, the larger of both embeddings."""
        return max(one.epsilon.mean for one in self.estimates.values())

    @property
    def d2(self) -> float:
        """Return D₂, the larger of both embeddings."""
        return self.estimates[self.nearest].d2.mean


@dataclass(frozen=True)
class CurvePoint:
    """The results of a ranker at a level.

    Attributes:
        level: The share of the words of each sentence that may be redacted.
        measured: How well the sets are then told apart.
    """

    level: float
    measured: Measured


@dataclass(frozen=True)
class CorpusAudit:
    """The measurements of a pair of sets.

    Attributes:
        sensitive: The set whose sentences shall not be told from those of *safe*.
        safe: The other set.
        encoder: The name of the encoder.
        seed: What all that was drawn was drawn by.
        measured: By name: `PLAIN`, and `REPLACED` if that was asked for.
        floors: By embedding: what two halves of one set read, of the set that reads more.
        curves: By ranker; with what is replaced redacted first, if that was asked for.
        curve_sentences: Sentences of each set that curves are measured on.
        words: Those that tell most, with their weights, positive for the sensitive set; only where
            they were asked for.
        scores_floor: The highest `Measured.scores_d2` of five draws that give the scores of the
            sentences as they are to either set at random.
    """

    sensitive: SentenceSet
    safe: SentenceSet
    encoder: str
    seed: int
    measured: Mapping[str, Measured]
    floors: Mapping[str, Estimate]
    curves: Mapping[str, Sequence[CurvePoint]] = field(default_factory=dict)
    curve_sentences: tuple[int, int] = (0, 0)
    words: Sequence[tuple[str, float]] = ()
    scores_floor: float = 0.0


def audit_pair(
    sensitive: SentenceSet,
    safe: SentenceSet,
    *,
    encoder: Encoder | None = None,
    find: Find | None = None,
    rankers: Mapping[str, Ranker] | None = None,
    attackers: Mapping[str, Attacker] = ATTACKERS,
    levels: Sequence[float] = LEVELS,
    show: int = 0,
    seed: int = 0,
    seeds: int = SEEDS,
    least: int = LEAST,
    advance: Callable[[], object] = lambda: None,
) -> CorpusAudit:
    """Measure how well attackers tell the sentences of two sets apart.

    Args:
        sensitive: The set whose sentences shall not be told from those of *safe*.
        safe: The other set.
        encoder: Makes the vectors [default: the shipped one].
        find: Finds what is replaced, to measure that, too; None to leave it out. Curves redact it
            first, and then what a ranker chooses, up to the level.
        rankers: Of each, by name, a curve by level is measured; it should not have been trained on
            these documents.
        attackers: By name.
        levels: Of the curves, each in [0, 1].
        show: How many words that tell most are named.
        seed: Of all random choices; the same seed gives the same figures.
        seeds: How often attackers are trained and asked again, with other folds.
        least: The least number of sentences of each set.
        advance: Is called after each of `steps_of` steps.

    Raises:
        CorpusError: The sets cannot be compared.
        MissingDependency: scikit-learn is not installed.
    """
    check_pair(sensitive, safe, least=least)
    encoder = encoder or Encoder()
    documents = sensitive.documents, safe.documents
    measuring = _Measuring(encoder, attackers, seed, seeds, documents)
    plain: Sides = sensitive.sentences, safe.sentences
    samples = measuring.samples(plain)
    measured = {PLAIN: measuring(plain, samples)}
    advance()
    delta = measured[PLAIN].estimates["encoder"].delta
    floors = _floors(samples, measuring.topics(plain), seed, delta)
    scores_floor = _scores_floor(_scores_of(measured[PLAIN].attacks), len(sensitive), seed)
    advance()
    if find is not None:
        covered = [covered_words(one, find) for one in (sensitive, safe)]
        first, second = (
            all_masked(some, [np.zeros(len(sentence)) for sentence in some], 0.0, gone)
            for some, gone in zip(plain, covered, strict=True)
        )
        sides: Sides = first, second
        measured[REPLACED] = measuring(sides, None, redacted_share(sides, plain))
        advance()
    fewer = [one.sampled(_CURVE, seed) for one in (sensitive, safe)]
    on_fewer = _Measuring(encoder, attackers, seed, seeds, (fewer[0].documents, fewer[1].documents))
    of_fewer = [covered_words(one, find) if find else None for one in fewer] if rankers else []
    curves = {
        name: _curve(ranker, fewer, of_fewer, levels, on_fewer, advance)
        for name, ranker in (rankers or {}).items()
    }
    return CorpusAudit(
        sensitive, safe, encoder.name, seed, measured, floors, curves,
        (len(fewer[0]), len(fewer[1])) if curves else (0, 0),
        telling_words(plain, show) if show else (), scores_floor,
    )  # fmt: skip


def steps_of(redact: bool, rankers: int, levels: int = len(LEVELS)) -> int:
    """Return the number of calls of *advance* by `audit_pair`."""
    return 2 + redact + rankers * levels


def telling_words(sides: Sides, most: int) -> list[tuple[str, float]]:
    """Return the words that tell most of which set a sentence is from, with their weights.

    The weights are those of a logistic regression on TF-IDF; half of the words, or nearly, speak
    for either set. Words of fewer than five sentences are left out. This is text of the documents.
    """
    vectorizer = sklearn("feature_extraction.text").TfidfVectorizer(
        sublinear_tf=True, min_df=_LEAST_SENTENCES
    )
    texts = [" ".join(sentence) for side in sides for sentence in side]
    model = sklearn("linear_model").LogisticRegression(
        C=10.0, max_iter=1000, class_weight="balanced"
    )
    try:
        matrix = vectorizer.fit_transform(texts)
    except ValueError:  # no word is left
        return []
    model.fit(matrix, np.repeat([1, 0], [len(sides[0]), len(sides[1])]))
    pairs = list(zip(vectorizer.get_feature_names_out(), model.coef_[0].tolist(), strict=True))
    pairs.sort(key=lambda pair: (pair[1], pair[0]))
    top = [pair for pair in pairs[::-1][: (most + 1) // 2] if pair[1] > 0]
    return [*top, *(pair for pair in pairs[: most // 2] if pair[1] < 0)]


def topics(sides: Sides, seed: int) -> tuple[Vectors, Vectors]:
    """Return ``(sentences, 100)`` of both sets: latent semantic analysis of their TF-IDF.

    Both sets together decide the topics. Source: Deerwester et al., "Indexing by latent semantic
    analysis", Journal of the American Society for Information Science 41 (1990).
    """
    texts = [" ".join(sentence) for side in sides for sentence in side]
    found = np.zeros((len(texts), 1), np.float32)
    try:
        matrix = (
            sklearn("feature_extraction.text")
            .TfidfVectorizer(sublinear_tf=True, min_df=2)
            .fit_transform(texts)
        )
    except ValueError:  # no word stands in two sentences
        matrix = None
    if matrix is not None and matrix.shape[1] > 1:
        found = (
            sklearn("decomposition")
            .TruncatedSVD(min(_TOPICS, matrix.shape[1] - 1), random_state=seed)
            .fit_transform(matrix)
            .astype(np.float32)
        )
    return found[: len(sides[0])], found[len(sides[0]) :]


def redacted_share(sides: Sides, before: Sides) -> float:
    """Return the share of the words of *before* that are not in *sides* any more."""
    kept, whole = (
        sum(word != MASK for side in some for sentence in side for word in sentence)
        for some in (sides, before)
    )
    return 1 - kept / max(1, whole)


@dataclass(frozen=True)
class _Measuring:
    """Measures one pair of sets, however it is redacted."""

    encoder: Encoder
    attackers: Mapping[str, Attacker]
    seed: int
    seeds: int
    documents: tuple[Sequence[int], Sequence[int]]

    def samples(self, sides: Sides) -> tuple[Sample, Sample]:
        """Return both sides with their vectors."""
        both = Sample.of([*sides[0], *sides[1]], self.encoder)
        places = np.arange(len(both.sentences))
        cut = len(sides[0])
        return both.at(places[:cut]), both.at(places[cut:])

    def topics(self, sides: Sides) -> tuple[Vectors, Vectors]:
        """Return the vectors of the second embedding."""
        return topics(sides, self.seed)

    def __call__(
        self, sides: Sides, samples: tuple[Sample, Sample] | None = None, redacted: float = 0.0
    ) -> Measured:
        """Measure *sides*; *samples* are they, if their vectors are known."""
        first, second = samples or self.samples(sides)
        pair = Pair.of(first, second, self.documents)
        attacks = {
            name: attack(attacker, pair, seed=self.seed, seeds=1 if name in SLOW else self.seeds)
            for name, attacker in self.attackers.items()
        }
        estimates = {
            "encoder": estimate(first.vectors, second.vectors, seed=self.seed),
            "topics": estimate(*self.topics(sides), seed=self.seed),
        }
        bound = _scores_d2(_scores_of(attacks), pair.labels == 1, self.seed)
        return Measured(redacted, attacks, estimates, bound)


def _scores_of(attacks: Mapping[str, Attack]) -> Floats:
    """Return ``(sentences, attackers)``: the scores of at most five attackers."""
    return np.stack([one.scores for one in attacks.values()], axis=1)[:, :MOST_DIMENSIONS]


def _scores_d2(scores: Floats, sensitive: NDArray[np.bool_], seed: int) -> float:
    """Return D₂ of *scores*, the larger of both directions."""
    sides = scores[sensitive], scores[~sensitive]
    return max(low_dimensional(*some, seed=seed) for some in (sides, sides[::-1]))


def _scores_floor(scores: Floats, sensitive: int, seed: int) -> float:
    """Return the highest D₂ of five draws of which scores are those of the sensitive set."""
    draw = np.random.default_rng(seed)
    labels = np.less(np.arange(len(scores)), sensitive)
    return max(_scores_d2(scores, draw.permutation(labels), seed) for _ in range(_PERMUTATIONS))


def _floors(
    samples: tuple[Sample, Sample], of_topics: tuple[Vectors, Vectors], seed: int, delta: float
) -> dict[str, Estimate]:
    found = {}
    sides = {"encoder": [one.vectors for one in samples], "topics": list(of_topics)}
    for name, vectors in sides.items():
        both = [floor(one, seed=seed, delta=delta) for one in vectors]
        found[name] = max(both, key=lambda one: one.d2.mean)
    return found


def _curve(
    ranker: Ranker,
    sets: Sequence[SentenceSet],
    covered: Sequence[Sequence[Covered] | None],
    levels: Sequence[float],
    measuring: _Measuring,
    advance: Callable[[], object],
) -> list[CurvePoint]:
    plain: Sides = sets[0].sentences, sets[1].sentences
    ranks = [ranker.ranks(side) for side in plain]
    found = []
    for level in levels:
        first, second = (
            all_masked(side, own, level, gone)
            for side, own, gone in zip(plain, ranks, covered, strict=True)
        )
        sides: Sides = first, second
        found.append(CurvePoint(level, measuring(sides, None, redacted_share(sides, plain))))
        advance()
    return found
