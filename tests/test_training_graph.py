"""The classifier's graph: in int8 it answers as in 32 bits, and each window by itself."""

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper
from onnxruntime import InferenceSession, SessionOptions

from presidio_cdip.recognition.int8 import set_exact
from presidio_cdip.recognition.transformer import SHIPPED
from training.graph import INPUT, PROJECTIONS, Array, Range, rounded, write
from training.ranges import measure

WIDTH, WORDS, CLASSES = 48, 90, 5
Weights = dict[str, Array]

pytestmark = pytest.mark.checkout


@pytest.fixture(scope="module")
def weights() -> Weights:
    """Random weights of two layers, named as in `transformers`."""
    draw = np.random.default_rng(0)
    shapes: dict[str, tuple[int, ...]] = {
        "bert.embeddings.word_embeddings": (WORDS, WIDTH),
        "bert.embeddings.position_embeddings": (64, WIDTH),
        "bert.embeddings.token_type_embeddings": (2, WIDTH),
        "bert.embeddings.LayerNorm": (WIDTH,),
        "classifier": (CLASSES, WIDTH),
    }
    for place in ("bert.encoder.layer.0.", "bert.encoder.layer.1."):
        for name in PROJECTIONS:
            shapes[f"{place}attention.self.{name}"] = (WIDTH, WIDTH)
        shapes[f"{place}attention.output.dense"] = (WIDTH, WIDTH)
        shapes[f"{place}attention.output.LayerNorm"] = (WIDTH,)
        shapes[f"{place}intermediate.dense"] = (4 * WIDTH, WIDTH)
        shapes[f"{place}output.dense"] = (WIDTH, 4 * WIDTH)
        shapes[f"{place}output.LayerNorm"] = (WIDTH,)
    made = {}
    for name, shape in shapes.items():
        made[f"{name}.weight"] = draw.normal(0, 0.2, shape) + (len(shape) == 1)
        if not name.endswith("embeddings"):
            made[f"{name}.bias"] = draw.normal(0, 0.1, shape[0])
    return {name: value.astype(np.float32) for name, value in made.items()}


@pytest.fixture(scope="module")
def ranges(weights: Weights) -> dict[str, Range]:
    """The ranges of these weights' activations."""
    return measure(weights, tokens(8, 30).tolist())


def answers(file: Path, ids: np.ndarray) -> Array:
    options = SessionOptions()
    set_exact(options)
    session = InferenceSession(file, options, providers=["CPUExecutionProvider"])
    logits: Array = session.run(None, {INPUT: ids})[0]
    return logits


def tokens(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).integers(WORDS, size=shape)


def test_int8_answers_as_32_bits(
    weights: Weights, ranges: dict[str, Range], tmp_path: Path
) -> None:
    """The logits of both differ by a small part of how far logits differ."""
    write(weights, tmp_path / "exact.onnx")
    write(weights, tmp_path / "int8.onnx", ranges)

    exact, int8 = (answers(tmp_path / f"{name}.onnx", tokens(1, 40)) for name in ("exact", "int8"))

    assert np.abs(int8 - exact).mean() < 0.05 * exact.std()


def test_window_is_answered_by_itself(
    weights: Weights, ranges: dict[str, Range], tmp_path: Path
) -> None:
    """In int8, a window in a batch has the same logits as alone, to the last bit."""
    write(weights, tmp_path / "int8.onnx", ranges)
    ids = tokens(6, 20)

    together = answers(tmp_path / "int8.onnx", ids)

    alone = [answers(tmp_path / "int8.onnx", row[None]) for row in ids]
    assert together.tobytes() == np.concatenate(alone).tobytes()


def test_shipped_model_measures_no_ranges() -> None:
    """Every activation of the shipped model has a scale that is a constant of the file."""
    graph = onnx.load(SHIPPED / "model.onnx").graph
    constants = {one.name for one in graph.initializer}
    quantizing = [node for node in graph.node if "Quantize" in node.op_type]

    layers = json.loads((SHIPPED / "config.json").read_text("utf-8"))["num_hidden_layers"]
    assert len(quantizing) == 4 * layers + 1
    assert {node.op_type for node in quantizing} == {"QuantizeLinear"}
    assert all(set(node.input[1:]) <= constants for node in quantizing)


def test_restored_weights_are_those_that_were_rounded(
    weights: Weights, ranges: dict[str, Range], tmp_path: Path
) -> None:
    """What training starts from has every weight, no farther away than half a step."""
    restore = pytest.importorskip("training.restore", reason="torch is not installed")
    write(weights, tmp_path / "int8.onnx", ranges)

    restored = {n: v.numpy() for n, v in restore.weights(tmp_path / "int8.onnx").items()}

    assert restored.keys() == weights.keys()
    places, kinds = (
        f"bert.embeddings.{name}_embeddings.weight" for name in ("position", "token_type")
    )
    np.testing.assert_allclose(restored[places], weights[places] + weights[kinds][0], rtol=1e-6)
    for name in weights.keys() - {places, kinds}:
        np.testing.assert_allclose(restored[name], weights[name], atol=0.012, err_msg=name)


def test_rounded_weights_have_a_scale_a_column(weights: Weights) -> None:
    """The largest value of each column is 127 steps."""
    weight = weights["classifier.weight"].T

    steps, scales = rounded(weight, axis=0)

    assert (np.abs(steps).max(axis=0) == 127).all()
    assert np.abs(steps * scales - weight).max() <= scales.max() / 2 * 1.0001


def test_shipped_weights_are_in_int8() -> None:
    """All weights of the shipped model but the places and the norms are."""
    graph = onnx.load(SHIPPED / "model.onnx").graph
    kept = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    wide = {name for name, value in kept.items() if value.ndim > 1 and value.shape[1] > 1}

    assert {name for name in wide if kept[name].dtype != np.int8} == {
        "bert.embeddings.position_embeddings.weight"
    }
