"""Measure the ranges of the classifier's activations, for its export in int8.

They are measured on windows of training documents, by the model in 32 bits. After a normalization
few channels hold the largest values, so the channels are scaled alike first; the other inputs of
linear layers are cut off at a percentile.
"""

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
from onnxruntime import InferenceSession
from tokenizers import Tokenizer

from presidio_cdip.recognition.transformer import sound
from training.corpus import Document
from training.graph import INPUT, Array, Range, Weights, linear_layers, write

WINDOWS = 400
_TOKENS = 16  # sampled from a window for the percentiles
_CUT = 0.001  # per cent of the values that are cut off at each end
_FROM_INPUTS = 0.7
"""The share of a channel's range that goes from its inputs to its weights: 0 for none."""


def windows(
    documents: Sequence[Document], tokenizer: Tokenizer, length: int, count: int = WINDOWS
) -> list[list[int]]:
    """Return the token ids of *count* windows of *documents*, which are drawn with a fixed seed."""
    order = list(documents)
    Random(0).shuffle(order)
    tokenizer.enable_truncation(length)
    rows: list[list[int]] = []
    for document in order:
        encoded = tokenizer.encode(sound(document.text))
        rows += [one.ids for one in (encoded, *encoded.overflowing)]
        if len(rows) >= count:
            break
    return rows[:count]


def measure(weights: Weights, rows: Sequence[Sequence[int]]) -> dict[str, Range]:
    """Return the range of the input of each linear layer on *rows* of token ids."""
    layers = linear_layers(weights)
    low = {name: np.zeros(len(weight), np.float32) for name, (weight, _) in layers.items()}
    high = {name: np.zeros(len(weight), np.float32) for name, (weight, _) in layers.items()}
    sampled: dict[str, list[Array]] = defaultdict(list)
    draw = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.onnx"
        write(weights, file, inputs=True)
        session = InferenceSession(file, providers=["CPUExecutionProvider"])
        outputs = [f"{name}.input" for name in layers]
        for row in rows:
            values = session.run(outputs, {INPUT: np.array([row], np.int64)})
            some = draw.integers(len(row), size=_TOKENS)
            for name, value in zip(layers, values, strict=True):
                low[name] = np.minimum(low[name], value[0].min(axis=0))
                high[name] = np.maximum(high[name], value[0].max(axis=0))
                sampled[name].append(value[0, some])
    return {
        name: _spread(low[name], high[name], weight)
        if _is_normalized(name)
        else _cut(np.concatenate(sampled[name]))
        for name, (weight, _) in layers.items()
    }


def _cut(values: Array) -> Range:
    low, high = np.percentile(values, [_CUT, 100 - _CUT])
    return Range.of(float(low), float(high))


def _is_normalized(layer: str) -> bool:
    """Return whether the input of *layer* comes from a normalization."""
    return layer.endswith(("attention.self", "intermediate.dense", "classifier"))


def _spread(low: Array, high: Array, weight: Array) -> Range:
    """Return a range in which no channel stands out."""
    inputs = np.maximum(np.maximum(high, -low), 1e-3)
    outputs = np.maximum(np.abs(weight).max(axis=1), 1e-3)
    divisors = inputs**_FROM_INPUTS / outputs ** (1 - _FROM_INPUTS)
    divisors = (divisors / np.exp(np.log(divisors).mean())).astype(np.float32)
    return Range.of(float((low / divisors).min()), float((high / divisors).max()), divisors)
