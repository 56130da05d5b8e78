"""Make training windows from marked documents: draw values again, add noise, cut and label.

Each epoch changes every document again: the surrogate generators replace some of the marked
values, OCR noise is added, lines are flattened, case changes, and windows are cut at other places.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from tokenizers import Tokenizer

from presidio_cdip.entities import LABELS
from presidio_cdip.errors import CdipError
from presidio_cdip.recognition.reading import plain
from presidio_cdip.surrogates.engine import Surrogates
from training.corpus import Document
from training.noise import Noise

CLASSES = ("O", *(f"{mark}-{name}" for name in LABELS for mark in "BI"))
LINE_END, GAP = "⏎", "⇥"
"""Tokens for the end of a line and for a column's gap, in the place of two that the base leaves
unused: a form's layout says which answer is whose."""

_REDRAWN, _NOISY, _FLAT, _RECASED = 0.6, 0.2, 0.15, 0.08  # shares of the documents per epoch
_VALUES = 0.5  # share of the values that are drawn again in such a document
_LOCALES = ("en_US", "en_US", "en_GB", "en_IN", "en_CA", "de_DE", "fr_FR", "es_ES", "it_IT")


@dataclass(frozen=True, slots=True)
class Example:
    """Hold a document with its spans and the labels that are annotated.

    Attributes:
        spans: Start, end and label, in order.
        annotated: The labels whose every span is marked; None means all.
        id: The document's, or "".
    """

    text: str
    spans: Sequence[tuple[int, int, str]]
    annotated: frozenset[str] | None = None
    id: str = ""

    @classmethod
    def of(cls, document: Document) -> "Example":
        """Return the example of a document of the corpus, in which all labels are annotated."""
        return cls(document.text, document.spans, id=document.id)


@dataclass(frozen=True, slots=True)
class Window:
    """Hold tokens, and the allowed classes of each token.

    Attributes:
        ids: The ids of the tokens, including the special tokens at the ends of the window.
        targets: For each token, its row of `Targets.table`; -1 leaves it out of the loss.
    """

    ids: Sequence[int]
    targets: Sequence[int]


def read_public(file: Path) -> list[Example]:
    """Read a JSON Lines file in the format of the annotation guidelines."""
    found = []
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        spans = sorted((one["start"], one["end"], one["label"]) for one in row["spans"])
        annotated = row.get("annotated")
        known = None if annotated is None else frozenset(annotated)
        found.append(Example(row["text"], spans, known))
    return found


def tokenizer_of(base: Path) -> Tokenizer:
    """Return the base model's tokenizer with tokens for the ends of lines and columns."""
    data = json.loads((base / "tokenizer.json").read_text("utf-8"))
    vocab = data["model"]["vocab"]
    for unused, token in (("[unused0]", LINE_END), ("[unused1]", GAP)):
        vocab[token] = vocab.pop(unused)
    data["normalizer"] = {
        "type": "Sequence",
        "normalizers": [
            _replacing(r"[ \t]*[\n\r\f\x0b]\s*", f" {LINE_END} "),
            _replacing(r" {4,}| *\t[ \t]*", f" {GAP} "),
            data["normalizer"],
        ],
    }
    data["truncation"] = data["padding"] = None
    return Tokenizer.from_str(json.dumps(data, ensure_ascii=False))


def _replacing(regex: str, content: str) -> Mapping[str, object]:
    return {"type": "Replace", "pattern": {"Regex": regex}, "content": content}


class Targets:
    """Number the targets of tokens, and tabulate the classes that each target allows.

    A token of a fully marked document has one class. If some labels are not annotated, an unmarked
    token may be ``O`` or any class of these labels; the loss uses the sum of their probabilities
    (Jin and Ghahramani, Learning with Multiple Labels, NIPS 2002).
    """

    def __init__(self) -> None:
        self.table: list[tuple[bool, ...]] = [
            tuple(one == other for other in CLASSES) for one in CLASSES
        ]
        self._partial: dict[frozenset[str], int] = {}

    def unmarked(self, annotated: frozenset[str] | None) -> int:
        """Return the target of unmarked tokens in a document with these labels annotated."""
        if annotated is None:
            return 0
        if not annotated:
            return -1
        if annotated not in self._partial:
            self._partial[annotated] = len(self.table)
            self.table.append(tuple(name[2:] not in annotated for name in CLASSES))
        return self._partial[annotated]


def cuts(length: int, content: int, overlap: int, rng: Random) -> Iterator[tuple[int, int]]:
    """Cut *length* tokens into windows of at most *content*, and yield where each begins and ends.

    The first cut is random, so that no token is at the edge in every epoch. Windows overlap, so
    that a span cut in one of them is whole in another.
    """
    start = 0
    while start < length:
        size = content if start or length <= content else rng.randint(content // 2, content)
        end = min(length, start + size)
        yield start, end
        if end == length:
            return
        start += size - min(overlap, size // 2)


@dataclass(frozen=True, slots=True)
class Maker:
    """Make the windows of an epoch.

    Args:
        tokenizer: The model's.
        window: Number of tokens in a window, including the special tokens at its ends.
        noise: OCR noise; None leaves the texts unchanged, including their values.
        overlap: Number of tokens that two windows share, as in inference.
    """

    tokenizer: Tokenizer
    window: int
    targets: Targets
    noise: Noise | None
    overlap: int = 64

    def epoch(self, examples: Sequence[Example], seed: int) -> Iterator[Window]:
        """Return the windows of *examples*, with noise drawn from *seed*."""
        for index, example in enumerate(examples):
            rng = Random(f"{seed}/{index}")
            yield from self.windows(self._disturbed(example, rng) if self.noise else example, rng)

    def windows(self, example: Example, rng: Random) -> Iterator[Window]:
        """Return the windows of *example*; a long one is cut at places drawn from *rng*."""
        encoded = self.tokenizer.encode(plain(example.text), add_special_tokens=False)
        labels = [self.targets.unmarked(example.annotated)] * len(encoded.ids)
        at = 0
        for start, end, label in example.spans:
            begins = True
            while at < len(labels) and encoded.offsets[at][1] <= start:
                at += 1
            while at < len(labels) and encoded.offsets[at][0] < end:
                labels[at] = CLASSES.index(f"{'B' if begins else 'I'}-{label}")
                begins, at = False, at + 1
        first, last = self.tokenizer.encode("").ids
        for start, end in cuts(len(labels), self.window - 2, self.overlap, rng):
            yield Window([first, *encoded.ids[start:end], last], [-1, *labels[start:end], -1])

    def _disturbed(self, example: Example, rng: Random) -> Example:
        assert self.noise
        if rng.random() < _REDRAWN:
            example = redrawn(example, rng)
        for share, disturb in (
            (_FLAT, self.noise.flatten),
            (_RECASED, self.noise.recase),
            (_NOISY, self.noise.corrupt),
        ):
            if rng.random() < share:
                text, spans = disturb(example.text, example.spans, rng)
                example = replace(example, text=text, spans=spans)
        return example


def redrawn(example: Example, rng: Random) -> Example:
    """Replace some marked values of *example* by surrogates."""
    surrogates = Surrogates(
        rng.randbytes(16), locale=rng.choice(_LOCALES), options={"ssn": "plausible"}
    )
    parts: list[str] = []
    spans = []
    at = length = 0
    for start, end, label in example.spans:
        value = example.text[start:end]
        drawn = value
        try:
            if rng.random() < _VALUES:
                drawn = surrogates.surrogate(label, value).strip() or value
        except CdipError:
            pass  # this value has no surrogate
        parts += [example.text[at:start], drawn]
        length += start - at
        spans.append((length, length + len(drawn), label))
        length += len(drawn)
        at = end
    return replace(example, text="".join([*parts, example.text[at:]]), spans=tuple(spans))
