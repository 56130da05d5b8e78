"""Products of int8 are exact, by an option that is set only where it is needed."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnxruntime import InferenceSession, SessionOptions

from presidio_cdip.recognition import int8
from presidio_cdip.recognition.transformer import SHIPPED


def logits(exact: bool | None, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return the shipped model's answer, with the option set as if products were exact or not."""
    options = SessionOptions()
    if exact is not None:
        monkeypatch.setattr(int8, "is_exact", lambda: exact)
    int8.set_exact(options)
    session = InferenceSession(SHIPPED / "model.onnx", options, providers=["CPUExecutionProvider"])
    ids = np.random.default_rng(1).integers(1000, 20000, (1, 60))
    answer: np.ndarray = session.run(None, {"input_ids": ids})[0]
    return answer.tobytes()


def test_the_model_answers_the_same_with_the_option_and_where_it_is_not_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To the last bit: what is chosen here is what is right everywhere."""
    assert logits(None, monkeypatch) == logits(False, monkeypatch)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("qemu-x86_64"), reason="needs QEMU's user-mode emulator")
def test_a_processor_without_vnni_needs_the_option() -> None:
    """As emulated: Haswell has AVX2 and no VNNI."""
    root = Path(__file__).parents[2]
    code = "from presidio_cdip.recognition.int8 import is_exact; print(is_exact())"

    done = subprocess.run(
        ["qemu-x86_64", "-cpu", "Haswell", sys.executable, "-c", code],
        capture_output=True, text=True, check=True, cwd=root,
    )  # fmt: skip

    assert done.stdout == "False\n"
