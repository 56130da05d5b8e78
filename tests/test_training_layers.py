"""A student keeps some of its teacher's layers, and learns from its probabilities."""

from types import SimpleNamespace

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


def test_half_of_a_students_loss_is_its_distance_from_the_teacher() -> None:
    """Tokens without a target count for neither half, and the teacher does not learn."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    train = pytest.importorskip("training.train", reason="torch is not installed")
    torch.manual_seed(0)
    classes = len(train.CLASSES)
    config = transformers.BertConfig(
        vocab_size=20, hidden_size=12, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=24, num_labels=classes,
    )  # fmt: skip
    student, teacher = (transformers.BertForTokenClassification(config).eval() for _ in range(2))
    run = SimpleNamespace(
        device=torch.device("cpu"), model=student, teacher=None,
        allowed=torch.eye(classes, dtype=torch.bool), _weight=lambda: 2.0,
    )  # fmt: skip
    batch = [train.Window([1, 5, 6, 7, 2], [-1, 0, 3, 0, -1]), train.Window([1, 8, 2], [-1, 1, -1])]

    hard = train.Run.loss(run, batch)
    run.teacher = teacher
    both = train.Run.loss(run, batch)
    both.backward()

    ids, mask, targets = train.tensors(batch)
    with torch.no_grad(), train.precision(run.device):
        own, taught = (
            one(input_ids=ids, attention_mask=mask).logits.float()[targets >= 0]
            for one in (student, teacher)
        )
    soft = -(taught.softmax(dim=1) * own.log_softmax(dim=1)).sum(dim=1).mean()
    assert both.item() == pytest.approx((hard.item() + soft.item()) / 2, rel=1e-3)
    assert all(value.grad is None for value in teacher.parameters())
    assert student.classifier.weight.grad.abs().sum() > 0
