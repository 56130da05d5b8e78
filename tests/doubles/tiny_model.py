"""Token classifiers as small as can be, in folders like a trained one's: a table gives the answers.

One model goes by what a word is, whatever stands around it; the other by where in its window a
word stands, which shows which window answered for it.
"""

import json
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

LABELS = ("O", "B-HEALTH", "I-HEALTH", "B-RELIGION", "I-RELIGION")
WORDS: Mapping[str, Mapping[str, float]] = {
    "dialysis": {"B-HEALTH": 0.95},
    "kidney": {"B-HEALTH": 0.9},
    "failure": {"I-HEALTH": 0.8},
    "flu": {"I-HEALTH": 0.9},  # which begins nothing
    "malaria": {"B-HEALTH": 0.6},
    "mal": {"B-HEALTH": 0.9},
    "##aise": {"I-HEALTH": 0.6},
    "fatigue": {"B-HEALTH": 0.4},
    "catholic": {"B-RELIGION": 0.9},
    "sunday": {"B-RELIGION": 0.4, "B-HEALTH": 0.1},
    "lent": {"B-HEALTH": 0.5, "B-RELIGION": 0.4},
    "fasting": {"I-HEALTH": 0.55, "B-RELIGION": 0.3},
    **{piece: {} for piece in ("he", "has", "and", "of", "the", "age", ".", ",", ":", "(", ")")},
}
"""Of a piece of a word, the probabilities of its classes; what is missing to 1 is that of "O"."""

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def by_word(
    folder: Path,
    words: Mapping[str, Mapping[str, float]] = WORDS,
    classes: Sequence[str] = LABELS,
    **own: Any,
) -> Path:
    """Write to *folder* a model that knows *words*; *own* is what its config says under our key."""
    vocabulary = [*_SPECIAL, *words]
    table = [_logits(words.get(piece, {}), classes) for piece in vocabulary]
    # As BERT's: three inputs, of which the last adds nothing here.
    ids = [
        helper.make_node("Add", ["input_ids", "token_type_ids"], ["sums"]),
        helper.make_node("Mul", ["sums", "attention_mask"], ["rows"]),
    ]
    inputs = ["input_ids", "attention_mask", "token_type_ids"]
    return _write(folder, vocabulary, classes, inputs, ids, table, own)


def by_place(folder: Path, window: int = 16, **own: Any) -> Path:
    """Write to *folder* a model that says of a window's first token 1 / *window*, and so on up."""
    labels = ("O", "I-HEALTH")
    shares = [min(place / window, 1 - 1e-6) for place in range(window + 1)]
    table = [_logits({"I-HEALTH": share}, labels) for share in shares]
    one = helper.make_node("Constant", [], ["one"], value_int=1)
    rows = helper.make_node("CumSum", ["attention_mask", "one"], ["rows"])
    own = {"window": window, "overlap": 4, "thresholds": {"HEALTH": 0.001}, **own}
    vocabulary = [*_SPECIAL, *WORDS]
    return _write(folder, vocabulary, labels, ["attention_mask"], [one, rows], table, own)


class Counted:
    """Stands in front of a session, and notes of each run what it was given, and in which thread.

    Attributes:
        runs: Windows and tokens of each run.
        threads: The thread of each run.
    """

    def __init__(self, session: Any) -> None:
        self.session = session
        self.runs: list[tuple[int, int]] = []
        self.threads: list[int] = []

    def get_inputs(self) -> Any:
        """The session's."""
        return self.session.get_inputs()

    def run(self, outputs: None, feed: dict[str, Any]) -> Any:
        """The session's answer."""
        self.runs.append(feed["input_ids"].shape)
        self.threads.append(threading.get_ident())
        return self.session.run(outputs, feed)


def counted(model: Any, monkeypatch: Any, stand_in: type[Counted] = Counted) -> Counted:
    """What each run of *model* has from now on."""
    loaded = model._ready()
    one = stand_in(loaded.session)
    monkeypatch.setattr(model, "_loaded", replace(loaded, session=one))
    return one


def _logits(shares: Mapping[str, float], labels: Sequence[str]) -> list[float]:
    whole = {labels[0]: 1 - sum(shares.values()), **shares}
    return [math.log(max(whole.get(label, 0), 1e-6)) for label in labels]


def _write(
    folder: Path,
    vocabulary: Sequence[str],
    labels: Sequence[str],
    inputs: Sequence[str],
    rows: Sequence[onnx.NodeProto],
    table: Sequence[Sequence[float]],
    own: Mapping[str, Any],
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(_tokenizer(vocabulary).to_str(), "utf-8")
    config: dict[str, Any] = {"id2label": {str(at): label for at, label in enumerate(labels)}}
    if own:
        config["presidio_cdip"] = dict(own)
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    flat = [logit for row in table for logit in row]
    shape = len(table), len(labels)
    graph = helper.make_graph(
        [*rows, helper.make_node("Gather", ["table", "rows"], ["logits"])],
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "t"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", "t", len(labels)])],
        [helper.make_tensor("table", TensorProto.FLOAT, shape, flat)],
    )
    # The oldest versions that hold these nodes: what reads the file may be older than its writer.
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    return folder


def _tokenizer(vocabulary: Sequence[str]) -> Tokenizer:
    ids = {piece: number for number, piece in enumerate(vocabulary)}
    tokenizer = Tokenizer(WordPiece(ids, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[(name, ids[name]) for name in _SPECIAL[2:]]
    )
    tokenizer.add_special_tokens(list(_SPECIAL))
    return tokenizer
