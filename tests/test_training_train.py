"""Fine-tuning takes the documents, the depth and the teacher that its options name."""

from pathlib import Path
from typing import Any

import pytest

from presidio_cdip.recognition.transformer import SHIPPED
from training import splits
from training.corpus import Document

pytestmark = pytest.mark.checkout


def _corpus(marked: int, empty: int) -> list[Document]:
    spans = ((0, 2, "AGE"),)
    return [
        *(Document(f"form/m{at}", "form", "41", spans) for at in range(marked)),
        *(Document(f"form/e{at}", "form", "41", ()) for at in range(empty)),
    ]


@pytest.mark.parametrize("share", [0.0, 0.2, 0.6])
def test_a_share_of_the_documents_has_no_entity(share: float) -> None:
    """The number of documents stays the same, and the first of each sort are taken."""
    found = splits.with_empty(_corpus(20, 20), 10, share)

    assert len(found) == 10
    assert sum(one.bare for one in found) == round(10 * share)
    assert {one.id for one in found if one.bare} == {
        f"form/e{at}" for at in range(len(found)) if at < 10 * share
    }


def test_too_few_documents_without_an_entity_are_refused() -> None:
    """A smaller training set would be compared with greater ones."""
    with pytest.raises(ValueError, match="2 documents of 10"):
        splits.with_empty(_corpus(20, 4), 10, 0.6)


def _train() -> Any:
    pytest.importorskip("transformers", reason="transformers is not installed")
    return pytest.importorskip("training.train", reason="torch is not installed")


def test_tokens_without_a_target_are_learnt_from_the_teacher_alone() -> None:
    """Where all have targets, half of the loss is the teacher's; paddings count in neither."""
    train = _train()
    torch = train.torch
    classes = len(train.CLASSES)
    logits, taught = torch.randn(2, 1, 4, classes)
    allowed = torch.eye(classes, dtype=torch.bool)
    targets = torch.tensor([[-1, 0, 3, -1]])
    known, none = targets >= 0, torch.full_like(targets, -1)
    own = torch.tensor([[False, True, True, False]])
    soft = train.nn.functional.cross_entropy(logits[known], taught[known].softmax(1))
    hard = train.loss_of(logits, targets, allowed, 3.0)

    half = train.taught_loss(logits, targets, allowed, 3.0, taught, own)
    alone = train.taught_loss(logits, none, allowed, 3.0, taught, own)

    assert half.item() == pytest.approx((soft + hard).item() / 2)
    assert alone.item() == pytest.approx(soft.item())


@pytest.mark.slow
def test_a_run_starts_from_the_shipped_model(tmp_path: Path) -> None:
    """The model has fewer layers than the base; the run and its configuration have as many."""
    train = _train()
    pytest.importorskip("onnx", reason="onnx is not installed")
    settings = train.Settings(
        epochs=1, rate=1e-4, weight=3.0, window=64, overlap=16, seed=1, batch=64,
        fraction=1.0, public=False, augment=False, start=str(SHIPPED), teacher=str(SHIPPED),
    )  # fmt: skip
    example = train.Example("Her asthma is worse.", ((4, 10, "HEALTH"),))

    run = train.Run(tmp_path, settings, [example])

    depth = run.model.config.num_hidden_layers
    assert depth == len(run.model.bert.encoder.layer) == len(run.average.bert.encoder.layer) == 4
    assert '"num_hidden_layers": 4' in (tmp_path / "config.json").read_text()
    tagged = next(
        train.InTraining(train.Session(run.average), run.tokenizer, run.config).tag([example.text])
    )
    assert [(one.start, one.end, one.entity) for one in tagged.spans()] == [(4, 10, "HEALTH")]
