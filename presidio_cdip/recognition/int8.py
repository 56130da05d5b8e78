"""Make ONNX Runtime's int8 products exact on every processor.

On processors that have AVX2 but no VNNI, ONNX Runtime adds pairs of products of uint8 and int8 in
16 bits and cuts off what exceeds them; a model's answers then differ by up to .2 from those on
others. The option ``session.x64quantprecision`` (`kOrtSessionOptionsAvx2PrecisionMode`) avoids it
by another kernel. On some processors that do not need it, that kernel takes 1.8 times as long, so
the option is set only where a product comes out wrong.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxruntime import SessionOptions

_OPTION = "session.x64quantprecision"
# An ONNX model of one node: MatMulInteger of `a`, uint8, and `b`, int8. Opset 10, IR version 8.
_PRODUCT = (
    b'\x08\x08:>\n\x18\n\x01a\n\x01b\x12\x01c"\rMatMulInteger\x12\x01pZ\t\n\x01a\x12\x04\n\x02\x08\x02'
    b"Z\t\n\x01b\x12\x04\n\x02\x08\x03b\t\n\x01c\x12\x04\n\x02\x08\x06B\x04\n\x00\x10\n"
)
_ROWS, _INNER, _COLUMNS = 8, 64, 32  # large enough for the kernel that a model's layers run on


def set_exact(options: "SessionOptions") -> None:
    """Set the option for exact products in *options*, if this processor needs it."""
    if not is_exact():
        options.add_session_config_entry(_OPTION, "1")


@lru_cache(maxsize=1)
def is_exact() -> bool:
    """Check whether the largest products of uint8 and int8 are added up without being cut off."""
    import numpy as np
    from onnxruntime import InferenceSession

    session = InferenceSession(_PRODUCT, providers=["CPUExecutionProvider"])
    most, largest = np.iinfo(np.uint8).max, np.iinfo(np.int8).max
    left = np.full((_ROWS, _INNER), most, np.uint8)
    right = np.full((_INNER, _COLUMNS), largest, np.int8)
    (products,) = session.run(None, {"a": left, "b": right})
    return bool((products == _INNER * int(most) * int(largest)).all())
