"""Models of pages are read from folders, and what they see is counted."""

from pathlib import Path

import numpy as np
import pytest

from presidio_cdip.errors import ModelError
from presidio_cdip.evaluation.page_models import PageModels, page_models
from presidio_cdip.evaluation.sections import Figure, Histogram, Table

WHITE, BLACK = np.full((40, 30), 255, np.uint8), np.zeros((40, 30), np.uint8)


def embed(page: "np.typing.NDArray[np.uint8]") -> "np.typing.NDArray[np.float32]":
    """An embedding at 60 degrees from that of the other page."""
    return np.array([1, 0] if page[0, 0] else [0.5, 0.75**0.5], np.float32)


def classify(page: "np.typing.NDArray[np.uint8]") -> "np.typing.NDArray[np.float32]":
    """Another label for another page."""
    return np.array([0.7, 0.3] if page[0, 0] else [0.4, 0.6], np.float32)


def test_figures_hold_what_the_models_see() -> None:
    """One page unchanged, one turned black: cosine 1 and 1/2, a fall of 0 and .3, one flip."""
    models = PageModels(embed, classify)
    models.judge("white", WHITE, WHITE)
    models.judge("white", WHITE, BLACK)

    section = models.section()

    assert section is not None
    table, cosine, distance, change = section.parts
    assert isinstance(table, Table)
    assert table.rows == [["white", 2, pytest.approx(0.75), 1, pytest.approx(0.15)]]
    for figure, low, high in ((cosine, 0.5, 1.0), (distance, 0.0, 1.0), (change, 0.0, 0.3)):
        assert isinstance(figure, Figure) and isinstance(figure.chart, Histogram)
        assert sum(figure.chart.series["white"]) == 2
        assert figure.chart.edges[0] <= low and figure.chart.edges[-1] >= high


def test_without_folders_there_are_no_models() -> None:
    """Nothing is loaded and nothing said."""
    assert page_models(None, None) is None
    assert PageModels().section() is None


def test_folder_without_a_model_says_what_to_give(tmp_path: Path) -> None:
    """The message names the files that are needed."""
    pytest.importorskip("transformers")

    with pytest.raises(ModelError, match=r"give a folder .* config\.json"):
        page_models(tmp_path, None)
    with pytest.raises(ModelError, match="AutoModelForImageClassification"):
        page_models(None, tmp_path)


@pytest.mark.slow
def test_models_are_read_as_transformers_saves_them(tmp_path: Path) -> None:
    """Tiny models with random weights: embeddings have length 1, chances add up to 1."""
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    small = {
        "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1,
        "num_attention_heads": 1, "image_size": 16, "patch_size": 8,
    }  # fmt: skip
    vision = transformers.CLIPVisionConfig(projection_dim=6, **small)
    transformers.CLIPVisionModelWithProjection(vision).save_pretrained(tmp_path / "clip")
    processor = transformers.CLIPImageProcessor(
        size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16}
    )
    processor.save_pretrained(tmp_path / "clip")
    seen = transformers.BeitConfig(num_labels=3, **small)  # as DiT is
    transformers.BeitForImageClassification(seen).save_pretrained(tmp_path / "dit")
    transformers.BeitImageProcessor(
        size={"height": 16, "width": 16}, crop_size={"height": 16, "width": 16}
    ).save_pretrained(tmp_path / "dit")

    models = page_models(tmp_path / "clip", tmp_path / "dit")

    assert models is not None and models.embed is not None and models.classify is not None
    assert np.linalg.norm(models.embed(WHITE)) == pytest.approx(1, abs=1e-5)
    assert models.embed(WHITE).shape == (6,)
    assert models.classify(BLACK).sum() == pytest.approx(1, abs=1e-5)
    models.judge("none", WHITE, WHITE)
    assert models.judged["none"].cosines == [pytest.approx(1, abs=1e-5)]
    assert (models.judged["none"].flips, models.judged["none"].changes) == (0, [0.0])
