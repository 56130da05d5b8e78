"""Train rankers on two sets of sentences."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from presidio_cdip.errors import CorpusError, InvalidOption
from presidio_cdip.privacy.attackers import FOLDS, are_few
from presidio_cdip.privacy.curves import curve
from presidio_cdip.privacy.encoder import Encoder
from presidio_cdip.privacy.extra import sklearn
from presidio_cdip.privacy.folders import Card, SetCard, Trained
from presidio_cdip.privacy.giveaways import Find
from presidio_cdip.privacy.rankers import (
    RANKERS,
    Contribution,
    RandomRanker,
    Ranker,
    TfidfRanker,
    tokens,
)
from presidio_cdip.privacy.sentences import LEAST, Sentence, SentenceSet, check_pair

_TRAINED = 0.7  # share of the sentences that a ranker is trained on
_LEAST_HELD_OUT = 0.1  # share of its sentences that curves need of each set
_HELD_OUT = 500  # sentences of each set that the curves are measured on, at most
_ITERATIONS = 1000
_STRENGTH = 0.01  # inverse regularization; with 1, what tells only the training documents counts
_LEAST_SENTENCES = 2  # a token of one sentence says nothing of its set, and much of the sentence


def train_ranker(
    sensitive: SentenceSet,
    safe: SentenceSet,
    by: str = "contribution",
    *,
    encoder: Encoder | None = None,
    find: Find | None = None,
    seed: int = 0,
    least: int = LEAST,
) -> Trained:
    """Return a ranker, and the card that says how far it reaches.

    The ranker is trained on 70 % of the sentences of each set; its curves are measured on the
    others, of other documents. Where a set, or what is held out of it, has fewer than five
    documents, these are cut into runs of sentences, and the card says so.

    Args:
        sensitive: The set whose sentences shall not be told from those of *safe*.
        safe: The other set.
        by: The kind of ranker, one of `RANKERS`.
        encoder: Makes the vectors [default: the shipped one].
        find: Finds what is replaced in any case, for the first of the two curves [default: all
            entities that rules and model find].
        seed: Decides whatever is drawn; the same seed gives the same bytes.
        least: The least number of sentences of each set.

    Raises:
        CorpusError: The sets cannot be compared, or documents of one are so long that hardly a
            sentence is left to measure the curves on.
        InvalidOption: There is no such kind.
        MissingDependency: scikit-learn is not installed, or torch, which ``kl`` needs.
    """
    check_pair(sensitive, safe, least=least)
    encoder = encoder or Encoder()
    first, first_held = sensitive.parted(_TRAINED, seed)
    second, second_held = safe.parted(_TRAINED, seed)
    for whole, held in ((sensitive, first_held), (safe, second_held)):
        if len(held) < max(FOLDS, _LEAST_HELD_OUT * len(whole)):
            raise CorpusError(
                whole.name,
                f"has so long a document that {len(held)} of {len(whole)} sentences are left to "
                "measure the ranker on: cut that document into files, or add documents",
            )
    first_held, second_held = (one.sampled(_HELD_OUT, seed) for one in (first_held, second_held))
    ranker = train(by, first, second, encoder=encoder, seed=seed)
    if find is None:
        from presidio_cdip.recognition.finder import finder, least_score

        find = partial(finder().find, min_score=least_score())
    alone, beside = (
        curve(ranker, first_held, second_held, encoder, find=one, seed=seed) for one in (None, find)
    )
    card = Card(
        kind=by,
        encoder=encoder.name,
        seed=seed,
        sensitive=SetCard.of(
            sensitive, len(first), len(first_held), _are_cut(sensitive, first_held)
        ),
        safe=SetCard.of(safe, len(second), len(second_held), _are_cut(safe, second_held)),
        curve=beside,
        curve_alone=alone,
    )
    return Trained(ranker, card)


def _are_cut(whole: SentenceSet, held: SentenceSet) -> bool:
    """Return whether documents of a set are cut, for the ranker or for attackers."""
    return are_few(whole.documents) or are_few(held.documents)


def train(
    kind: str,
    sensitive: SentenceSet,
    safe: SentenceSet,
    *,
    encoder: Encoder | None = None,
    seed: int = 0,
) -> Ranker:
    """Return a ranker that is trained on all sentences of two sets.

    Args:
        kind: One of `RANKERS`.
        sensitive: The set whose sentences shall not be told from those of *safe*.
        safe: The other set.
        encoder: Makes the vectors [default: the shipped one].
        seed: Decides whatever is drawn; the same seed gives the same ranker.

    Raises:
        InvalidOption: There is no such kind.
        MissingDependency: scikit-learn is not installed, or torch, which ``kl`` needs.
    """
    encoder = encoder or Encoder()
    if kind == "contribution":
        return _contribution(sensitive.sentences, safe.sentences, encoder)
    if kind == "tfidf":
        return _tfidf(sensitive.sentences, safe.sentences, seed)
    if kind == "random":
        return RandomRanker(seed)
    if kind == "iterated":
        from presidio_cdip.privacy.iterated import train_iterated

        return train_iterated(sensitive.sentences, safe.sentences, encoder, seed)
    if kind in ("kl", "kl-published"):
        from presidio_cdip.privacy.kl import train_kl

        published = kind == "kl-published"
        return train_kl(sensitive.sentences, safe.sentences, encoder, seed, published)
    raise InvalidOption(f"no ranker {kind!r}; there are {', '.join(RANKERS)}")


def _contribution(
    sensitive: Sequence[Sentence], safe: Sequence[Sentence], encoder: Encoder
) -> Contribution:
    means = encoder.means([*sensitive, *safe]).astype(np.float64)
    centre, width = means.mean(axis=0), means.std(axis=0) + 1e-9
    regression = sklearn("linear_model").LogisticRegression(
        C=_STRENGTH, max_iter=_ITERATIONS, class_weight="balanced"
    )
    regression.fit((means - centre) / width, [1] * len(sensitive) + [0] * len(safe))
    weights = regression.coef_[0] / width
    return Contribution(encoder, weights, float(regression.intercept_[0] - weights @ centre))


def _tfidf(sensitive: Sequence[Sentence], safe: Sequence[Sentence], seed: int) -> TfidfRanker:
    vectorizer = sklearn("feature_extraction.text").TfidfVectorizer(
        analyzer=_tokens_of, min_df=_LEAST_SENTENCES
    )
    matrix = vectorizer.fit_transform([*sensitive, *safe])
    regression = sklearn("linear_model").LogisticRegression(
        max_iter=_ITERATIONS, class_weight="balanced"
    )
    regression.fit(matrix, [1] * len(sensitive) + [0] * len(safe))
    names = vectorizer.get_feature_names_out()
    return TfidfRanker.weighing(dict(zip(names, regression.coef_[0], strict=True)), seed)


def _tokens_of(sentence: Sentence) -> list[str]:
    return [token for word in sentence for token in tokens(word)]
