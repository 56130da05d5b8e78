"""Attackers: what they learn, what they must not see, and what the worst of them means."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from presidio_cdip.errors import InvalidOption
from presidio_cdip.privacy.attackers import (
    ATTACKERS,
    Labels,
    Pair,
    Sample,
    Scores,
    attack,
    auc,
    groups_of,
)
from presidio_cdip.privacy.sentences import Sentence

WORDS = ("river", "stone", "green", "early", "house", "after", "seven", "light")


def sample(seed: int, size: int, apart: float = 0.0, word: str = "", share: float = 0.0) -> Sample:
    """Sentences of random words and vectors; a *share* holds *word*."""
    draw = np.random.default_rng(seed)
    sentences: list[Sentence] = [
        (*draw.choice(WORDS, 6).tolist(), *([word] if draw.random() < share else []))
        for _ in range(size)
    ]
    vectors = draw.normal(size=(size, 8)).astype(np.float32)
    vectors[:, 0] += apart
    return Sample(sentences, vectors)


def pair(first: Sample, second: Sample, in_each: int = 4) -> Pair:
    """A pair of samples whose documents have *in_each* sentences."""
    sizes = len(first.sentences), len(second.sentences)
    documents = [[place // in_each for place in range(size)] for size in sizes]
    return Pair.of(first, second, (documents[0], documents[1]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKERS)
def test_attackers_guess_where_nothing_differs(name: str) -> None:
    """An AUC near .5, with an interval that holds it."""
    found = attack(ATTACKERS[name], pair(sample(1, 200), sample(2, 200)), seeds=3).auc

    assert 0.4 < found.mean < 0.6
    assert found.low < 0.5 < found.high


@pytest.mark.parametrize(
    ("told_by", "blind"),
    [("words", ("embeddings", "neighbours")), ("vectors", ("words",))],
)
def test_an_attacker_sees_its_own_side_of_a_sentence(told_by: str, blind: Sequence[str]) -> None:
    """A word that tells is nothing to who sees vectors alone, and the other way round."""
    first = sample(1, 200, 2.0 * (told_by == "vectors"), "harbour", 0.8 * (told_by == "words"))
    both = pair(first, sample(2, 200))

    found = {name: attack(one, both, seeds=1).auc.mean for name, one in ATTACKERS.items()}

    for name, value in found.items():
        assert (value < 0.65) if name in blind else (value > 0.8), name


def test_no_document_is_learnt_and_asked_about() -> None:
    """In every fold of every seed, and each sentence is asked about once in a seed."""
    both = pair(sample(1, 60), sample(2, 90), in_each=3)
    group_of = {id(one): group for one, group in zip(both.sample.sentences, both.groups.tolist(),
                                                     strict=True)}  # fmt: skip
    asked: list[int] = []

    def watching(train: Sample, labels: Labels, test: Sample) -> Scores:
        learnt, new = ({group_of[id(one)] for one in some.sentences} for some in (train, test))
        assert learnt.isdisjoint(new)
        assert len(train.sentences) + len(test.sentences) == 150
        asked.extend(id(one) for one in test.sentences)
        return np.zeros(len(test.sentences))

    attack(watching, both, seeds=2)

    assert len(asked) == 300
    assert len(set(asked)) == 150


def test_what_is_learnt_by_heart_does_not_count() -> None:
    """Vectors that say the document, and nothing of the set, are worth nothing."""
    draw = np.random.default_rng(0)
    centres = draw.normal(size=(40, 8)) * 5
    vectors = np.repeat(centres, 10, axis=0).astype(np.float32)
    sentences = sample(1, 400).sentences
    halves = [Sample(sentences[part], vectors[part]) for part in (slice(0, 200), slice(200, 400))]

    grouped = attack(ATTACKERS["neighbours"], pair(halves[0], halves[1], 10), seeds=3).auc.mean
    careless = attack(ATTACKERS["neighbours"], pair(halves[0], halves[1], 1), seeds=3).auc.mean

    assert careless > 0.95
    assert grouped < 0.7


def test_scores_are_the_same_for_the_same_seed() -> None:
    """To the last bit; another seed has other folds."""
    both = pair(sample(1, 100, 0.5), sample(2, 100))

    one, again, other = (
        attack(ATTACKERS["embeddings"], both, seed=seed, seeds=2) for seed in (1, 1, 2)
    )

    assert one.auc == again.auc != other.auc
    assert (one.scores == again.scores).all()


@pytest.mark.parametrize("name", ATTACKERS)
def test_attackers_take_sets_of_one_and_the_same_mask(name: str) -> None:
    """All that is left is [MASK]: nobody learns anything, and nothing fails."""
    left = Sample([("[MASK]",)] * 40, np.ones((40, 8), np.float32))

    assert attack(ATTACKERS[name], pair(left, left), seeds=1).auc.mean == 0.5


def test_area_counts_pairs_in_the_right_order() -> None:
    """As a loop over all pairs counts it, weights and equal scores included."""
    draw = np.random.default_rng(0)
    labels = draw.integers(0, 2, 50)
    scores = draw.integers(0, 9, 50).astype(float)
    weights = draw.integers(0, 4, 50).astype(float)

    total = right = 0.0
    for one in np.flatnonzero(labels == 1):
        for other in np.flatnonzero(labels == 0):
            weight = weights[one] * weights[other]
            total += weight
            right += weight * (1.0 if scores[one] > scores[other] else
                               0.5 if scores[one] == scores[other] else 0.0)  # fmt: skip

    assert auc(labels, scores, weights) == pytest.approx(right / total)


def test_documents_drawn_again_widen_the_interval() -> None:
    """Fifty sentences of each of eight documents say less than 400 of 400 documents."""
    draw = np.random.default_rng(3)
    shifts = np.repeat(draw.normal(size=16), 50)
    vectors: NDArray[np.float32] = draw.normal(size=(800, 8)).astype(np.float32)
    vectors[:, 0] += 1.5 * shifts + np.repeat([0.6, 0.0], 400)
    sentences = sample(1, 800).sentences
    halves = [Sample(sentences[part], vectors[part]) for part in (slice(0, 400), slice(400, 800))]

    few, many = (
        attack(ATTACKERS["embeddings"], pair(halves[0], halves[1], size), seeds=2, seed=1)
        for size in (50, 1)
    )

    assert few.auc.high - few.auc.low > 2 * (many.auc.high - many.auc.low)


def test_few_documents_are_cut_into_runs() -> None:
    """Four documents give more groups than folds, none of two documents."""
    documents = np.repeat([4, 5, 8, 9], 20)

    groups = groups_of(documents.tolist())

    assert len(set(groups.tolist())) == 20
    for group in set(groups.tolist()):
        assert len(set(documents[groups == group].tolist())) == 1


def test_fewer_sentences_than_folds_are_refused() -> None:
    """Each fold needs one of either set."""
    with pytest.raises(InvalidOption, match="folds"):
        attack(ATTACKERS["words"], pair(sample(1, 3), sample(2, 50)))
