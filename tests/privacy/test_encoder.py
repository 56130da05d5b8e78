"""The shipped model's last hidden state is an output of its graph."""

from pathlib import Path
from types import ModuleType

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from presidio_cdip.errors import ModelError
from presidio_cdip.privacy.encoder import Encoder
from presidio_cdip.privacy.onnx_graph import last_hidden_state, with_output
from presidio_cdip.recognition.transformer import SHIPPED

SENTENCES = [
    ("He", "has", "had", "dialysis", "since", "May."),
    ("[MASK]", "left", "the", "naïve", "X-ray", "ward."),
    ("\x00", "word", "x" * 3000, "..."),
    tuple(f"{number}/{number}-{number}.{number}" for number in range(100)),  # 700 pieces
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(threads=1)


def test_every_word_has_a_vector(encoder: Encoder) -> None:
    """Also in sentences that are longer than a window; what has no piece is all 0."""
    words = encoder.words(SENTENCES)

    assert [one.shape for one in words] == [(len(one), 384) for one in SENTENCES]
    assert not words[2][0].any()
    assert words[3].any(axis=1).all()


def test_vectors_do_not_depend_on_what_is_read_beside(encoder: Encoder) -> None:
    """They are the same to the last bit alone, among others, and in several threads."""
    together = encoder.words(SENTENCES)

    for sentence, words in zip(SENTENCES, together, strict=True):
        assert np.array_equal(encoder.words([sentence])[0], words)
    others = Encoder(threads=3).words(SENTENCES)
    assert all(np.array_equal(*pair) for pair in zip(together, others, strict=True))


def test_a_sentence_is_the_mean_of_its_pieces(encoder: Encoder) -> None:
    """Where each word is one piece, it is that of its words, too."""
    plain = [("he", "had", "been", "there", "before")]

    assert np.allclose(encoder.sentences(plain), encoder.means(plain), atol=1e-5)
    assert encoder.sentences([]).shape == (0, encoder.dimensions)


def test_context_counts(encoder: Encoder) -> None:
    """A word has another vector in another sentence: the state is the last, not the first."""
    one, other = encoder.words([("the", "river", "bank"), ("the", "savings", "bank")])

    assert not np.allclose(one[-1], other[-1], atol=0.1)


def test_the_graph_is_read_as_onnx_reads_it() -> None:
    """The tensor is the input of the last layer; the rest of the model stays."""
    data = (SHIPPED / "model.onnx").read_bytes()

    name = last_hidden_state(data)

    before, after = onnx.load_from_string(data), onnx.load_from_string(with_output(data, name))
    makers = {output: node.op_type for node in before.graph.node for output in node.output}
    assert makers[name] == "LayerNormalization"
    assert [one.name for one in after.graph.output] == [before.graph.output[0].name, name]
    assert after.graph.node == before.graph.node


def test_a_model_that_ends_in_no_layer_is_refused(tmp_path: Path) -> None:
    """The error names the file."""
    rows = helper.make_tensor_value_info("rows", TensorProto.FLOAT, [None, 4])
    out = helper.make_tensor_value_info("out", TensorProto.FLOAT, [None, 4])
    graph = helper.make_graph([helper.make_node("Relu", ["rows"], ["out"])], "g", [rows], [out])

    for data in (helper.make_model(graph).SerializeToString(), b"", b"no model", b"\x3a\xff"):
        with pytest.raises(ModelError, match=r"model\.onnx: does not end in a linear layer"):
            last_hidden_state(data)


def test_a_folder_without_a_model_is_refused(tmp_path: Path, tiny: ModuleType) -> None:
    """Before anything is read."""
    with pytest.raises(ModelError, match="is missing in the encoder's folder"):
        Encoder(tmp_path)


def test_encoders_are_told_apart_by_their_weights(encoder: Encoder) -> None:
    """The name has the hash of the model."""
    assert encoder.name.startswith(f"{SHIPPED.name}:")
    assert len(encoder.name.rpartition(":")[2]) == 16
