"""The attacker that fine-tunes a network: it learns, repeats itself, and changes no file."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from presidio_cdip.errors import InvalidOption, MissingDependency
from presidio_cdip.privacy.attackers import Sample, auc

WORDS = ("river", "stone", "green", "early", "house", "after", "harbour", "[MASK]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of one layer that has learnt nothing, in the format of Transformers."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    place = tmp_path_factory.mktemp("network")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS]
    (place / "vocab.txt").write_text("\n".join(vocabulary))
    transformers.BertTokenizerFast(str(place / "vocab.txt")).save_pretrained(place)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(place)
    return place


def sample(seed: int, size: int, tell: bool) -> Sample:
    draw = np.random.default_rng(seed)
    sentences = [
        (*draw.choice(WORDS[:6], 5).tolist(), *(["harbour"] if tell else ["stone"]))
        for _ in range(size)
    ]
    return Sample(sentences, np.zeros((size, 1), np.float32))


@pytest.mark.slow
def test_a_network_is_fine_tuned_and_left_as_it_was(folder: Path) -> None:
    """It tells the sets apart by a word, twice with the same scores; its files do not change."""
    from presidio_cdip.privacy.fine_tuned import by_fine_tuning

    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    first, second = sample(1, 400, True), sample(2, 400, False)
    train = Sample([*first.sentences, *second.sentences], np.zeros((800, 1), np.float32))
    labels = np.repeat([1, 0], 400)
    test = Sample([*sample(3, 50, True).sentences, *sample(4, 50, False).sentences], train.vectors)

    scores, again = (by_fine_tuning(folder, 1)(train, labels, test) for _ in range(2))

    assert auc(np.repeat([1, 0], 50), scores) > 0.9
    assert (scores == again).all()
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_folder_without_a_network_is_refused(tmp_path: Path) -> None:
    """With the file that is missing."""
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("transformers", reason="transformers is not installed")
    from presidio_cdip.privacy.fine_tuned import by_fine_tuning

    with pytest.raises(InvalidOption, match=r"config\.json"):
        by_fine_tuning(tmp_path)


def test_without_torch_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """And that the option can be left out."""
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "presidio_cdip.privacy.fine_tuned", raising=False)

    with pytest.raises(MissingDependency, match="leave --fine-tuned out"):
        importlib.import_module("presidio_cdip.privacy.fine_tuned")
