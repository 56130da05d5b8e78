"""Rankers find the words that tell two sets apart, and keep none of them."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from presidio_cdip.errors import CorpusError, InvalidOption, MissingDependency, RankerError
from presidio_cdip.privacy import training
from presidio_cdip.privacy.folders import ARRAYS, CARD, Card, Point, SetCard, Trained, load_ranker
from presidio_cdip.privacy.masking import masked
from presidio_cdip.privacy.rankers import RANKERS, RandomRanker, Ranker
from presidio_cdip.privacy.sentences import Sentence, SentenceSet
from presidio_cdip.privacy.training import train, train_ranker
from presidio_cdip.recognition.spans import Span
from tests.privacy.conftest import CLINIC, SHIPYARD, ByWords, texts

Sets = tuple[SentenceSet, SentenceSet]


def trained(kind: str, two_sets: Sets, by_words: ByWords, seed: int = 0) -> Ranker:
    if kind.startswith("kl"):
        pytest.importorskip("torch", reason="torch trains the ranker kl, and is not installed")
    return train(kind, *two_sets, encoder=by_words, seed=seed)


def telling(sentence: Sentence) -> int:
    return sum(word.strip(".").lower() in (*CLINIC, *SHIPYARD) for word in sentence)


def left(ranker: Ranker, sentences: Sequence[Sentence], level: float) -> float:
    """The share of the telling words that stay at *level*."""
    ranks = ranker.ranks(sentences)
    after = [masked(*pair, level) for pair in zip(sentences, ranks, strict=True)]
    return sum(map(telling, after)) / sum(map(telling, sentences))


@pytest.mark.parametrize("kind", ["contribution", "tfidf"])
def test_telling_words_go_first(kind: str, two_sets: Sets, by_words: ByWords) -> None:
    """Two words in ten tell: at a level of 20 % hardly one of them is left, on either side."""
    ranker = trained(kind, two_sets, by_words)

    for one in two_sets:
        assert left(ranker, one.sentences, 0.2) < 0.15


def test_random_words_are_no_help(two_sets: Sets, by_words: ByWords) -> None:
    """At random, a fifth of the telling words goes; equal sentences lose equal words."""
    ranker = trained("random", two_sets, by_words)
    sentences = two_sets[0].sentences

    assert 0.7 < left(ranker, sentences, 0.2) < 0.9
    assert np.array_equal(ranker.ranks(sentences[:3])[2], ranker.ranks(sentences[2:])[0])
    assert not np.array_equal(RandomRanker(1).ranks(sentences)[0], ranker.ranks(sentences)[0])


@pytest.mark.parametrize("kind", ["kl", "kl-published"])
def test_the_kl_ranker_runs_without_torch_as_it_was_trained(
    kind: str, two_sets: Sets, by_words: ByWords
) -> None:
    """Its ranks are in (0, 1), and those that torch gives for the same weights."""
    torch = pytest.importorskip("torch")
    ranker = trained(kind, two_sets, by_words)
    sentence = two_sets[0].sentences[0]

    (ranks,) = ranker.ranks([sentence])

    layers = ranker.arrays()
    values = torch.from_numpy(next(by_words.each_words([sentence])))
    for number in range(4):
        weights = torch.from_numpy(layers[f"weights{number}"])
        values = values @ weights + torch.from_numpy(layers[f"biases{number}"])
        values = torch.tanh(values) if number < 3 else torch.sigmoid(values)
    assert np.allclose(ranks, values[:, 0].numpy(), atol=1e-5)
    assert ((ranks > 0) & (ranks < 1)).all()
    assert ranks.std() > 0


def test_the_kl_ranker_learns_to_hide_what_tells(two_sets: Sets, by_words: ByWords) -> None:
    """Of the telling words fewer are left than at random."""
    ranker = trained("kl", two_sets, by_words)
    chance = trained("random", two_sets, by_words)
    both = [*two_sets[0].sentences, *two_sets[1].sentences]

    assert left(ranker, both, 0.2) < left(chance, both, 0.2)


def test_a_soft_mask_hides_the_lowest_tenth() -> None:
    """Of ten words the lowest is hidden and nine count; as published, one of ten counts half."""
    torch = pytest.importorskip("torch")
    from presidio_cdip.privacy.kl import _soft_means

    ranks = torch.arange(0.05, 1.0, 0.1)  # apart from each other by ten times the slope
    short = torch.eye(10, dtype=torch.float32)

    network: Any = lambda vectors: (vectors @ ranks)[..., None]  # noqa: E731

    (own,) = _soft_means(network, [short], published=False)
    longer = torch.cat([short, short])
    published, _ = _soft_means(network, [short, longer], published=True)

    assert own[0] < 0.002
    assert torch.allclose(own[1:], torch.full((9,), 1 / 9), atol=2e-3)
    assert abs(published[0] - 0.5 / 20) < 1e-4
    assert torch.allclose(published[1:], torch.full((9,), 1 / 20), atol=1e-4)


def test_the_divergence_of_near_sets_is_less_than_that_of_far_ones() -> None:
    """It grows as the sets part, and gives a gradient."""
    torch = pytest.importorskip("torch")
    from presidio_cdip.privacy.kl import _loss

    draw = torch.Generator().manual_seed(0)
    one, other = (torch.randn(64, 8, generator=draw) for _ in range(2))
    losses = []
    for shift in (0.0, 1.0, 3.0):
        moved = (other + shift).requires_grad_()
        loss = _loss(one, moved)
        loss.backward()
        losses.append(float(loss.detach()))
        assert moved.grad.abs().sum() > 0 or shift == 0

    assert losses == sorted(losses)
    assert losses[2] > 2 * losses[0]


def test_an_unknown_kind_is_refused(two_sets: Sets, by_words: ByWords) -> None:
    """The error lists what there is."""
    with pytest.raises(
        InvalidOption, match="no ranker 'best'; there are contribution, iterated, kl"
    ):
        train("best", *two_sets, encoder=by_words)


@pytest.mark.parametrize(
    ("kind", "missing", "remedy"),
    [
        ("kl", "torch", "pip install torch, or train --by contribution"),
        ("contribution", "sklearn.linear_model", r'pip install "presidio-cdip\[privacy\]"'),
    ],
)
def test_what_is_not_installed_is_named(
    two_sets: Sets,
    by_words: ByWords,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    missing: str,
    remedy: str,
) -> None:
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "presidio_cdip.privacy.kl", raising=False)

    with pytest.raises(MissingDependency, match=remedy):
        train(kind, *two_sets, encoder=by_words)


def card(kind: str, encoder: str = "by-words", curve: Sequence[Point] = ()) -> Card:
    one, other = SetCard("clinic", 15, 300, 210, 90), SetCard("shipyard", 15, 300, 210, 90)
    return Card(kind, encoder, 0, one, other, curve, curve)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] * (kind == "iterated")) for kind in RANKERS],
)
def test_a_seed_gives_the_same_bytes_and_a_folder_the_same_ranks(
    kind: str, two_sets: Sets, by_words: ByWords, tmp_path: Path
) -> None:
    """What is trained again with one seed is the same file, and no word of the sets is in it."""
    for name in ("one", "other"):
        Trained(trained(kind, two_sets, by_words), card(kind)).save(tmp_path / name)

    loaded = load_ranker(tmp_path / "one", by_words)

    data = (tmp_path / "one" / ARRAYS).read_bytes()
    assert data == (tmp_path / "other" / ARRAYS).read_bytes()
    assert (tmp_path / "one" / CARD).read_bytes() == (tmp_path / "other" / CARD).read_bytes()
    assert not any(word.encode() in data for word in (*CLINIC, *SHIPYARD))
    sentences = two_sets[1].sentences
    again = trained(kind, two_sets, by_words).ranks(sentences)
    for ranks, expected in zip(loaded.ranker.ranks(sentences), again, strict=True):
        assert np.array_equal(ranks, expected)
    assert loaded.ranker.name == loaded.card.kind == kind


NOTHING: list[Span] = []


def test_one_document_that_leaves_hardly_anything_to_measure_is_refused_before_training(
    two_sets: Sets, by_words: ByWords, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the remedy, for either set; cut into files, the same sentences will do."""
    monkeypatch.setattr(training, "train", pytest.fail)
    long = texts(CLINIC, 20, 3)
    set_of = partial(SentenceSet.of, "long")
    one = set_of([" ".join(long), *(text[: text.index(".") + 1] for text in texts(CLINIC, 4, 4))])

    for sets in ((one, two_sets[1]), (two_sets[1], one)):
        with pytest.raises(CorpusError, match=r"long has so long a document that .* cut that"):
            train_ranker(*sets, encoder=by_words, find=lambda text: NOTHING)
    monkeypatch.undo()
    monkeypatch.setattr(training, "curve", lambda *given, **options: [])
    ranker = train_ranker(set_of(long), two_sets[1], encoder=by_words, find=lambda text: NOTHING)
    assert ranker.card.sensitive.held_out == 120


@pytest.mark.parametrize(("documents", "cut"), [(1, True), (4, True), (10, True), (20, False)])
def test_a_card_says_that_documents_were_cut(
    documents: int,
    cut: bool,
    two_sets: Sets,
    by_words: ByWords,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of fewer than five, and of ten, three of which are held out; it is read back."""
    monkeypatch.setattr(training, "curve", lambda *given, **options: [])
    many = texts(CLINIC, 20, 3)
    size = len(many) // documents
    parts = [" ".join(many[start : start + size]) for start in range(0, len(many), size)]
    one = SentenceSet.of("clinic", parts)

    made = train_ranker(one, two_sets[1], "random", encoder=by_words, find=lambda text: NOTHING)

    made.save(tmp_path)
    card = load_ranker(tmp_path, by_words).card
    assert card.sensitive.cut_documents is made.card.sensitive.cut_documents is cut
    assert card.safe.cut_documents is (len(set(two_sets[1].parted(0.7, 0)[1].documents)) < 5)


@pytest.fixture
def folder(two_sets: Sets, by_words: ByWords, tmp_path: Path) -> Path:
    Trained(trained("contribution", two_sets, by_words), card("contribution")).save(tmp_path)
    return tmp_path


def test_a_ranker_of_another_encoder_is_refused(
    folder: Path, two_sets: Sets, by_words: ByWords
) -> None:
    """Its vectors are others; a ranker that goes by words alone needs none."""

    class Other(ByWords):
        name = "other"

    with pytest.raises(RankerError, match="is of the encoder by-words, and this is other: train"):
        load_ranker(folder, Other())
    Trained(trained("tfidf", two_sets, by_words), card("tfidf")).save(folder)
    assert load_ranker(folder, Other()).ranker.name == "tfidf"


@pytest.mark.parametrize(
    ("file", "data", "problem"),
    [
        (CARD, None, "has no card.json; name a folder that corpus-train wrote"),
        (CARD, b"{}", "its card.json cannot be used"),
        (CARD, b"\xff", "its card.json cannot be used"),
        (CARD, b'{"format": 1, "kind": "tfidf"}', "its card.json cannot be used"),
        (ARRAYS, b"PK", "its ranker.npz is not the one of its card.json"),
        (ARRAYS, None, "has no ranker.npz"),
    ],
)
def test_a_damaged_folder_is_refused(
    folder: Path, by_words: ByWords, file: str, data: bytes | None, problem: str
) -> None:
    """The error says what is wrong, and what to do."""
    if data is None:
        (folder / file).unlink()
    else:
        (folder / file).write_bytes(data)

    with pytest.raises(RankerError, match=problem):
        load_ranker(folder, by_words)


CURVE = [
    Point(0.0, 0.0, {"words": 0.9, "embeddings": 0.95}),
    Point(0.2, 0.2, {"words": 0.7, "embeddings": 0.78}),
    Point(0.4, 0.4, {"words": 0.82, "embeddings": 0.6}),
    Point(0.6, 0.6, {"words": 0.65, "embeddings": 0.7}),
]


@pytest.mark.parametrize(("auc", "level"), [(1.0, 0.0), (0.94, 0.2), (0.8, 0.6), (0.7, 0.6)])
def test_the_least_level_that_reaches_an_auc(auc: float, level: float) -> None:
    """The attacker that does best counts, at that level and at all above it."""
    assert card("tfidf", curve=CURVE).level_for(auc) == level


@pytest.mark.parametrize(
    ("auc", "problem"),
    [(0.6, "keeps to is 0.700"), (0.4, "not in 0.5..1"), (1.5, "not in 0.5..1")],
)
def test_an_auc_out_of_reach_is_refused(auc: float, problem: str) -> None:
    """The error says how far the ranker reaches."""
    with pytest.raises(InvalidOption, match=problem.replace(".", r"\.")):
        card("tfidf", curve=CURVE).level_for(auc)
