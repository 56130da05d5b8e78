"""Several models train at once as if each were alone, and see every token of their texts."""

from random import Random
from typing import Any

import pytest

pytestmark = pytest.mark.checkout

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")


def _models(count: int, layers: int = 2) -> list[Any]:
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=40, hidden_size=24, num_hidden_layers=layers, num_attention_heads=12,
        intermediate_size=48, num_labels=5,
    )  # fmt: skip
    return [transformers.BertForTokenClassification(config).eval() for _ in range(count)]


def _stack(models: list[Any]) -> Any:
    stack = pytest.importorskip("training.stack", reason="torch is not installed")
    return stack.Stack([one.state_dict() for one in models], [0.0] * len(models), torch.float32)


def test_each_model_of_a_stack_answers_as_alone() -> None:
    """Padding changes no answer."""
    models = _models(2)
    ids = torch.randint(1, 40, (2, 3, 8))
    ids[:, 1, 5:] = 0

    with torch.no_grad():
        found = _stack(models)(ids, ids != 0)
        for model, own, logits in zip(models, ids, found, strict=True):
            alone = model(input_ids=own, attention_mask=(own != 0).long()).logits

            assert torch.allclose(logits[own != 0], alone[own != 0], atol=1e-5)


def test_no_model_of_a_stack_learns_from_anothers_loss() -> None:
    """Gradients are clipped for each model alone, however great another's are."""
    training = pytest.importorskip("training.stack", reason="torch is not installed")
    models = _models(2)
    ids = torch.randint(1, 40, (2, 3, 8))
    made = []
    for factor in (1.0, 1000.0):
        stack = _stack(models).train()
        trainer = training.Trainer(stack, 1e-2)
        for _ in range(3):
            loss = stack(ids, ids != 0)[..., 0].square().mean((1, 2))
            trainer.take(loss[0] + factor * loss[1], 0.5)
        made.append(stack.weights(0))

    assert all(torch.equal(made[0][name], made[1][name]) for name in made[0])
    assert not torch.equal(made[0]["classifier.bias"], models[0].state_dict()["classifier.bias"])


def test_windows_hold_every_token_of_an_epoch() -> None:
    """Each token is in one window at least, beside the target that was prepared for it."""
    numpy = pytest.importorskip("numpy")
    lab = pytest.importorskip("training.lab", reason="torch is not installed")
    lengths = numpy.array([3, 700, 60])
    ids = numpy.arange(1000, 1000 + lengths.sum())
    rows = numpy.array([1] * 3 + [lab.FREE] * 700 + [0] * 60)
    data = {"ids0": ids, "rows0": rows, "lengths0": lengths}

    found = lab.buckets(data, 0, 256, torch.device("cpu"), Random(1))

    held: dict[int, int] = {}
    for bucket in found:
        inner = bucket.rows != lab.UNKNOWN
        held |= dict(zip(bucket.ids[inner].tolist(), bucket.rows[inner].tolist(), strict=True))
        assert bucket.is_marked == (lab.FREE not in bucket.rows)
    assert held == dict(zip(ids.tolist(), rows.tolist(), strict=True))


def test_the_loss_of_a_stack_is_the_loss_of_each_model() -> None:
    """Tokens that several classes are allowed for, and such without a target, count alike."""
    lab = pytest.importorskip("training.lab", reason="torch is not installed")
    train = pytest.importorskip("training.train", reason="torch is not installed")
    classes = len(train.CLASSES)
    allowed = torch.cat([torch.eye(classes, dtype=torch.bool), torch.rand(2, classes) < 0.5])
    logits = torch.randn(2, 3, 4, classes)
    rows = torch.randint(-1, classes + 2, (2, 3, 4))

    found = lab.marked_loss(logits, rows, allowed, 3.0)

    for at in range(2):
        alone = train.loss_of(logits[at], rows[at], allowed, 3.0)
        assert found[at].item() == pytest.approx(alone.item(), rel=1e-4)
