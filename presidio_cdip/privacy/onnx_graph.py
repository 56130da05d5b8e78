"""Find the last hidden state in the graph of an ONNX model, and make it an output.

Read is only what is needed of Protocol Buffers' wire format
(https://protobuf.dev/programming-guides/encoding/) and of `onnx.proto`: a model (field 7 is its
graph), a graph (1: nodes, 12: outputs), a node (1: inputs, 2: outputs, 4: its operator).
"""

from collections.abc import Iterator
from typing import NamedTuple

from presidio_cdip.errors import ModelError

_GRAPH, _NODES, _OUTPUTS = 7, 1, 12
_PRODUCTS = frozenset({"MatMul", "Gemm", "FusedMatMul", "MatMulInteger", "MatMulIntegerToFloat"})
_PASSED = frozenset(
    {"QuantizeLinear", "DynamicQuantizeLinear", "DequantizeLinear", "Cast", "Identity", "Dropout",
     "Mul"}
)  # fmt: skip
"""Operators between the hidden state and the last product: they round, or scale by a constant."""


class _Node(NamedTuple):
    operator: str
    inputs: list[str]


def last_hidden_state(model: bytes) -> str:
    """Return the name of the tensor that the last product of matrices of *model* classifies.

    Raises:
        ModelError: The graph ends in something else.
    """
    try:
        graph = next(value for field, value in _fields(model) if field == _GRAPH)
        nodes: dict[str, _Node] = {}
        names: list[str] = []
        for field, value in _fields(graph):
            if field == _NODES:
                parts = list(_fields(value))
                inputs = [part.decode() for number, part in parts if number == 1]
                operator = next(part.decode() for number, part in parts if number == 4)
                nodes |= {part.decode(): _Node(operator, inputs) for n, part in parts if n == 2}
            elif field == _OUTPUTS:
                names.append(next(part.decode() for n, part in _fields(value) if n == 1))
        name, multiplied = names[0], False
        while name in nodes:
            node = nodes[name]
            if multiplied and node.operator not in _PASSED:
                return name
            multiplied = multiplied or node.operator in _PRODUCTS
            name = next((one for one in node.inputs if one in nodes), "")
    except (StopIteration, IndexError, UnicodeDecodeError, ValueError):
        pass
    raise ModelError("model.onnx", "does not end in a linear layer on a hidden state")


def with_output(model: bytes, tensor: str) -> bytes:
    """Return *model* with *tensor* as its last output.

    A message that occurs twice is merged by Protocol Buffers: what follows adds to the graph.
    """
    return model + _field(_GRAPH, _field(_OUTPUTS, _field(1, tensor.encode())))


def _field(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and value of each field of *message* that has a length; others are skipped."""
    at = 0
    view = memoryview(message)
    while at < len(message):
        key, at = _read_varint(message, at)
        kind = key & 7
        if kind == 0:
            _, at = _read_varint(message, at)
        elif kind == 1:
            at += 8
        elif kind == 5:
            at += 4
        elif kind == 2:
            length, at = _read_varint(message, at)
            if at + length > len(message):
                raise ValueError
            yield key >> 3, bytes(view[at : at + length])
            at += length
        else:
            raise ValueError


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at
