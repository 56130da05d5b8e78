"""Read the weights of an exported model, so that training can start from it.

Weights in int8 are restored as the multiples of a channel's scale to which they were rounded. On
the development documents this costs as much as the quantization, some tenths of a point of F1.
"""

import re
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

_WHERE = re.compile(r"/model/(.+)/(?:Gather|MatMul)\w*$")


def weights(file: Path) -> dict[str, torch.Tensor]:
    """Return the weights in *file*, written by `export.py`, by their names in `transformers`."""
    graph = onnx.load(file).graph
    kept = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found = {name.removeprefix("model."): value for name, value in kept.items() if _plain(name)}
    for node in graph.node:
        where = _WHERE.match(node.name)
        name = next((one for one in node.input if one.endswith("_quantized") and one in kept), None)
        if not (where and name):
            continue
        scale, zero = (kept[name.replace("_quantized", end)] for end in ("_scale", "_zero_point"))
        value = (kept[name].astype(np.float32) - zero.astype(np.float32)) * scale
        whose = where[1].replace("/", ".")
        found[f"{whose}.weight"] = value if node.op_type == "Gather" else value.T
    return {name: torch.from_numpy(np.array(value)) for name, value in found.items()}


def _plain(name: str) -> bool:
    """Tell whether the weight was left in 32 bits."""
    return re.fullmatch(r"model\.[\w.]+\.(?:weight|bias)", name) is not None
