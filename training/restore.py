"""Read the weights of an exported model, so that training can start from it.

Weights in int8 are restored as the multiples of a scale to which they were rounded. On the
development documents this costs as much as the quantization, some tenths of a point of F1.
"""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from training.graph import PROJECTIONS, Array

_PLACES = "position_embeddings.weight"
_KINDS = "token_type_embeddings.weight"


def weights(file: Path) -> dict[str, torch.Tensor]:
    """Return the weights in *file*, written by `graph.py`, by their names in `transformers`."""
    constants = onnx.load(file).graph.initializer
    kept = {one.name: numpy_helper.to_array(one) for one in constants}
    found: dict[str, Array] = {}
    for name in kept:
        layer, _, part = name.rpartition(".")
        if part not in ("weight", "bias"):
            continue
        value = _exact(kept, name) if part == "weight" else kept[name]
        if layer.endswith("attention.self"):
            for each, own in zip(PROJECTIONS, np.split(value, 3, axis=-1), strict=True):
                found[f"{layer}.{each}.{part}"] = own.T
        else:
            is_linear = part == "weight" and f"{layer}.bias" in kept and value.ndim > 1
            found[name] = value.T if is_linear else value
        if name.endswith(_PLACES):  # they include the first kind of token
            found[name.replace(_PLACES, _KINDS)] = np.zeros((2, value.shape[1]), np.float32)
    return {name: torch.from_numpy(np.array(value)) for name, value in found.items()}


def _exact(kept: dict[str, Array], name: str) -> Array:
    """Return a weight in 32 bits."""
    layer = name.removesuffix(".weight")
    if f"{layer}.scale" not in kept:
        return kept[name]
    value = kept[name] * kept[f"{layer}.scale"]
    factors = kept.get(f"{layer}.input.factors")
    return value if factors is None else value * factors[:, None]
