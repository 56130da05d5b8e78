"""Write the token classifier as an ONNX graph, in 32 bits or in int8.

The graph is written node by node, for what ONNX Runtime is fast at on a CPU:

* Its one input is ``input_ids``. There is no mask: windows that run together have equal lengths.
* One node computes the attention of a layer.
* A residual is added by ``Sum``. ONNX Runtime turns ``Add`` before a normalization into a node
  that takes five times as long.

In int8, each row of the embeddings and each column of another weight has a scale of its own. The
ranges of activations are fixed when the model is exported (`Range`), so the answer for a window
depends on nothing outside the window: not on other windows of its batch, and not on the batch's
largest value. `restore.py` reads the weights back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

HEADS = 12
PROJECTIONS = ("query", "key", "value")
INPUT, LOGITS = "input_ids", "logits"

Array = NDArray[np.float32]
Weights = Mapping[str, Array]
"""The weights by their names in `transformers`."""

_BERT = "bert."
_EMBEDDINGS = f"{_BERT}embeddings."
_EPSILON = 1e-12
_CONTRIB = "com.microsoft"  # operators of ONNX Runtime


@dataclass(frozen=True, slots=True)
class Range:
    """Describe the quantization of a linear layer's input to uint8.

    Attributes:
        scale: What one step stands for.
        zero: The step that stands for 0.
        divisors: ``(channels,)``, by which the input is divided first and the layer's weights are
            multiplied (Xiao et al., *SmoothQuant*, 2023); None for no division.
    """

    scale: float
    zero: int
    divisors: Array | None = None

    @classmethod
    def of(cls, low: float, high: float, divisors: Array | None = None) -> "Range":
        """Return the range from *low* to *high*, widened so that 0 lies in it."""
        low, high = min(low, 0.0), max(high, 0.0)
        scale = (high - low) / 255
        return cls(scale, round(-low / scale), divisors)


Ranges = Mapping[str, Range]
"""The ranges by the names of the layers (`linear_layers`)."""


def linear_layers(weights: Weights) -> dict[str, tuple[Array, Array]]:
    """Return ``(inputs, outputs)`` weights and the bias of each linear layer, by its name.

    Query, key and value are one layer, as they have one input.
    """
    found = {}
    for layer in range(_depth(weights)):
        place = _place(layer)
        three = [f"{place}attention.self.{name}" for name in PROJECTIONS]
        found[f"{place}attention.self"] = (
            np.concatenate([weights[f"{name}.weight"].T for name in three], axis=1),
            np.concatenate([weights[f"{name}.bias"] for name in three]),
        )
        for name in ("attention.output.dense", "intermediate.dense", "output.dense"):
            found[place + name] = _linear(weights, place + name)
    found["classifier"] = _linear(weights, "classifier")
    return found


def rounded(weight: Array, axis: int) -> tuple[NDArray[np.int8], Array]:
    """Return *weight* in int8, and the scales; the values along *axis* share one."""
    scales = np.abs(weight).max(axis=axis, keepdims=True) / np.float32(127)
    scales[scales == 0] = 1
    return np.rint(weight / scales).astype(np.int8), scales.astype(np.float32)


def write(weights: Weights, file: Path, ranges: Ranges | None = None, inputs: bool = False) -> None:
    """Write the classifier to *file*: in int8 if *ranges* are given, else in 32 bits.

    If *inputs* is true, the inputs of the linear layers are outputs, too, as ``NAME.input``.
    """
    graph = _Graph(linear_layers(weights), ranges)
    value = _embedded(graph, weights)
    for layer in range(_depth(weights)):
        place = _place(layer)
        middle = graph.linear(f"{place}attention.output.dense", graph.attention(value, place))
        value = graph.normalized([value, middle], weights, f"{place}attention.output.LayerNorm")
        wide = graph.linear(f"{place}intermediate.dense", value)
        wide = graph.node("Gelu", [wide], contrib=True)
        narrow = graph.linear(f"{place}output.dense", wide)
        value = graph.normalized([value, narrow], weights, f"{place}output.LayerNorm")
    graph.node("Identity", [graph.linear("classifier", value)], LOGITS)
    shape = ["windows", "tokens"]
    outputs = {LOGITS: len(weights["classifier.bias"])}
    if inputs:
        for name, (weight, _) in graph.layers.items():
            graph.node("Identity", [graph.inputs[name]], f"{name}.input")
            outputs[f"{name}.input"] = len(weight)
    made = helper.make_graph(
        graph.nodes,
        "classifier",
        [helper.make_tensor_value_info(INPUT, TensorProto.INT64, shape)],
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, [*shape, width])
            for name, width in outputs.items()
        ],
        [numpy_helper.from_array(value, name) for name, value in graph.constants.items()],
    )
    sets = [helper.make_opsetid("", 17), helper.make_opsetid(_CONTRIB, 1)]
    onnx.save(helper.make_model(made, opset_imports=sets, ir_version=8), file)


def _depth(weights: Weights) -> int:
    return sum(name.endswith("attention.self.query.weight") for name in weights)


def _place(layer: int) -> str:
    return f"{_BERT}encoder.layer.{layer}."


def _linear(weights: Weights, name: str) -> tuple[Array, Array]:
    return weights[f"{name}.weight"].T, weights[f"{name}.bias"]


@dataclass
class _Graph:
    """Collect nodes and constants.

    Attributes:
        inputs: The input of each linear layer.
    """

    layers: Mapping[str, tuple[Array, Array]]
    ranges: Ranges | None
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: dict[str, NDArray[np.generic]] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)

    def constant(self, name: str, value: object) -> str:
        """Add a constant and return its name."""
        self.constants[name] = np.ascontiguousarray(value)
        return name

    def node(
        self,
        kind: str,
        inputs: Sequence[str],
        output: str = "",
        *,
        contrib: bool = False,
        **attributes: int | float,
    ) -> str:
        """Add a node and return the name of its output."""
        output = output or f"{kind}_{len(self.nodes)}"
        domain = _CONTRIB if contrib else ""
        made = helper.make_node(kind, inputs, [output], domain=domain)
        made.attribute.extend(
            helper.make_attribute(key, value) for key, value in attributes.items()
        )
        self.nodes.append(made)
        return output

    def attention(self, value: str, place: str) -> str:
        """Add the attention of the layer at *place*."""
        name = f"{place}attention.self"
        weight, bias = self._constants(name)
        if self.ranges is None:
            self.inputs[name] = value
            return self.node("Attention", [value, weight, bias], contrib=True, num_heads=HEADS)
        steps, scale, zero = self._quantized(name, value)
        fed = [steps, weight, bias, scale, f"{name}.scale", "", zero]
        return self.node("QAttention", fed, contrib=True, num_heads=HEADS)

    def linear(self, name: str, value: str) -> str:
        """Add the linear layer *name*."""
        weight, bias = self._constants(name)
        if self.ranges is None:
            self.inputs[name] = value
            return self.node("Add", [self.node("MatMul", [value, weight]), bias])
        steps, scale, zero = self._quantized(name, value)
        fed = [steps, weight, scale, f"{name}.scale", zero, "", bias]
        return self.node("MatMulIntegerToFloat", fed, contrib=True)

    def normalized(self, values: Sequence[str], weights: Weights, name: str) -> str:
        """Add a normalization of the sum of *values*."""
        parts = [f"{name}.{part}" for part in ("weight", "bias")]
        scale, shift = (self.constant(part, weights[part]) for part in parts)
        total = self.node("Sum", values)
        return self.node("LayerNormalization", [total, scale, shift], axis=-1, epsilon=_EPSILON)

    def _constants(self, name: str) -> tuple[str, str]:
        weight, bias = self.layers[name]
        self.constant(f"{name}.bias", bias)
        if self.ranges is None:
            self.constant(f"{name}.weight", weight)
        else:
            divisors = self.ranges[name].divisors
            spread = weight if divisors is None else weight * divisors[:, None]
            steps, scales = rounded(spread, axis=0)
            self.constant(f"{name}.weight", steps)
            self.constant(f"{name}.scale", scales[0])
        return f"{name}.weight", f"{name}.bias"

    def _quantized(self, name: str, value: str) -> tuple[str, str, str]:
        """Add the quantization of a layer's input; return the names of its steps, scale and 0."""
        assert self.ranges is not None
        own = self.ranges[name]
        if own.divisors is not None:
            factors = self.constant(f"{name}.input.factors", 1 / own.divisors)
            value = self.node("Mul", [value, factors])
        scale = self.constant(f"{name}.input.scale", np.array(own.scale, np.float32))
        zero = self.constant(f"{name}.input.zero", np.array(own.zero, np.uint8))
        return self.node("QuantizeLinear", [value, scale, zero]), scale, zero


def _embedded(graph: _Graph, weights: Weights) -> str:
    """Add the embeddings; the kind of token is always the first, so places include it."""
    words = f"{_EMBEDDINGS}word_embeddings"
    table = weights[f"{words}.weight"]
    if graph.ranges is None:
        value = graph.node("Gather", [graph.constant(f"{words}.weight", table), INPUT])
    else:
        steps, scales = rounded(table, axis=1)
        graph.constant(f"{words}.weight", steps)
        graph.constant(f"{words}.scale", scales)
        kept = graph.node("Gather", [f"{words}.weight", INPUT])
        kept = graph.node("Cast", [kept], to=TensorProto.FLOAT)
        value = graph.node("Mul", [kept, graph.node("Gather", [f"{words}.scale", INPUT])])
    places = weights[f"{_EMBEDDINGS}position_embeddings.weight"]
    places = places + weights[f"{_EMBEDDINGS}token_type_embeddings.weight"][0]
    first = graph.constant("first", np.zeros(1, np.int64))
    length = graph.node("Shape", [INPUT], start=1, end=2)
    all_places = graph.constant(f"{_EMBEDDINGS}position_embeddings.weight", places)
    near = graph.node("Slice", [all_places, first, length, first])
    return graph.normalized([value, near], weights, f"{_EMBEDDINGS}LayerNorm")
