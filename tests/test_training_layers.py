"""A student keeps some of its teacher's layers, in order."""

import pytest

pytestmark = pytest.mark.checkout


def test_chosen_layers_stay_in_order() -> None:
    """The model says how many it has, so that its configuration is true."""
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    train = pytest.importorskip("training.train", reason="torch is not installed")
    config = transformers.BertConfig(
        vocab_size=20, hidden_size=12, num_hidden_layers=4, num_attention_heads=2,
        intermediate_size=24,
    )  # fmt: skip
    model = transformers.BertForTokenClassification(config)
    before = list(model.bert.encoder.layer)

    train.keep_layers(model, "0,3")

    assert list(model.bert.encoder.layer) == [before[0], before[3]]
    assert model.config.num_hidden_layers == 2
