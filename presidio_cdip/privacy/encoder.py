"""Turn words and sentences into vectors: the last hidden state of a token classifier.

The model's own file is used, with its last hidden state as one more output; no other weights are
needed. docs/corpus.md says how it compares with the network that the classifier was trained from.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.errors import InvalidOption, ModelError
from presidio_cdip.privacy.onnx_graph import last_hidden_state, with_output
from presidio_cdip.privacy.sentences import Sentence
from presidio_cdip.recognition.transformer import (
    SHIPPED,
    THREADS_VARIABLE,
    cores,
    in_runs,
    load,
    sound,
)

Vectors = NDArray[np.float32]

_PIECES = 254  # of a window, without the tokens that mark its ends
_TOGETHER = 256  # pieces that run together, as the shipped model's config.json says
_AT_ONCE = 512  # sentences whose vectors of pieces are in memory at a time

Made = TypeVar("Made")


class _Window(NamedTuple):
    """Pieces of a sentence that run together.

    Attributes:
        sentence: The index of the sentence.
        ids: The pieces.
        words: For each piece, the index of its word.
    """

    sentence: int
    ids: Sequence[int]
    words: Sequence[int]


class Encoder:
    """Turn words and sentences into vectors.

    Nothing is loaded until it is first needed. A sentence's vectors are the same to the last bit,
    alone or among others, in one thread or in several.

    Args:
        folder: A folder with ``model.onnx`` and ``tokenizer.json`` [default: the shipped model].
        threads: Threads that encode [default: $PRESIDIO_CDIP_THREADS, else all cores].

    Raises:
        ModelError: A file is missing or cannot be used.
    """

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        self._folder = Path(folder or SHIPPED)
        for name in ("model.onnx", "tokenizer.json"):
            if not (self._folder / name).is_file():
                raise ModelError(name, f"is missing in the encoder's folder {self._folder.name!r}")
        said = os.environ.get(THREADS_VARIABLE, "")
        self._threads = threads or (int(said) if said.isdecimal() else 0) or cores()
        if self._threads < 1:
            raise InvalidOption(f"threads: {threads} is not a number of threads")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the arguments: a session cannot be sent to another process."""
        return type(self), (self._folder, self._threads)

    @cached_property
    def name(self) -> str:
        """Return the name of the folder, and the beginning of the SHA-256 of its model."""
        return f"{self._folder.name}:{sha256(self._read()).hexdigest()[:16]}"

    @cached_property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return int(self.sentences([("a",)]).shape[1])

    def words(self, sentences: Sequence[Sentence]) -> list[Vectors]:
        """Return ``(words, dimensions)`` for each sentence: the mean of each word's pieces.

        A word of which the tokenizer makes nothing, such as a lone control character, is all 0.
        """
        return list(self.each_words(sentences))

    def each_words(self, sentences: Sequence[Sentence]) -> Iterator[Vectors]:
        """Yield the results of `words`; some hundred sentences are in memory at a time."""
        yield from self._each(sentences, _of_words)

    def means(self, sentences: Sequence[Sentence]) -> Vectors:
        """Return ``(sentences, dimensions)``: the mean of the vectors of each one's words."""
        return self._stacked(sentences, lambda *one: _of_words(*one).mean(axis=0))

    def sentences(self, sentences: Sequence[Sentence]) -> Vectors:
        """Return ``(sentences, dimensions)``: the mean of all pieces of each sentence."""
        return self._stacked(sentences, lambda states, words, count: states.mean(axis=0))

    def _stacked(self, sentences: Sequence[Sentence], make: Callable[..., Vectors]) -> Vectors:
        rows = list(self._each(sentences, make))
        return np.stack(rows) if rows else np.zeros((0, self.dimensions), np.float32)

    def _each(
        self, sentences: Sequence[Sentence], make: "Callable[[Vectors, Any, int], Made]"
    ) -> "Iterator[Made]":
        """Yield the result of *make* for each sentence.

        It is given ``(pieces, dimensions)`` vectors, ``(pieces,)`` indices of words, and how many
        words there are.
        """
        for first in range(0, len(sentences), _AT_ONCE):
            some = sentences[first : first + _AT_ONCE]
            windows = list(self._windows(some))
            states = self._states([window.ids for window in windows])
            found: list[tuple[list[Vectors], list[int]]] = [([], []) for _ in some]
            for window, state in zip(windows, states, strict=True):
                found[window.sentence][0].append(state)
                found[window.sentence][1].extend(window.words)
            for sentence, (parts, words) in zip(some, found, strict=True):
                whole = np.concatenate(parts) if parts else np.zeros((1, self.dimensions), "f4")
                places = np.array(words if parts else [0])
                yield make(whole, places, len(sentence))

    def _windows(self, sentences: Sequence[Sentence]) -> Iterator[_Window]:
        """Yield the windows of each sentence: one, or several where it has very many pieces."""
        plain = [[sound(word) for word in sentence] for sentence in sentences]
        encoded = self._tokenizer.encode_batch(
            plain, is_pretokenized=True, add_special_tokens=False
        )
        for index, one in enumerate(encoded):
            ids, words = one.ids, one.word_ids
            for first in range(0, len(ids), _PIECES):
                last = first + _PIECES
                yield _Window(index, ids[first:last], words[first:last])

    def _states(self, rows: Sequence[Sequence[int]]) -> list[Vectors]:
        """Return ``(pieces, dimensions)``, the last hidden state of each row of pieces."""

        def ask(some: Sequence[Sequence[int]]) -> Vectors:
            ids = np.array([[*self._lead, *row, *self._trail] for row in some], np.int64)
            fed = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
            try:
                given = {one.name: fed[one.name] for one in self._session.get_inputs()}
                states: Vectors = self._session.run([self._tensor], given)[0]
            except Exception as error:  # ONNX Runtime's classes have no common base
                problem = f"cannot be run ({type(error).__name__})"
                raise ModelError("model.onnx", problem) from None
            end = states.shape[1] - len(self._trail)
            return states[:, len(self._lead) : end]

        _ = self._session  # is loaded by this thread
        return in_runs(rows, _TOGETHER, self._threads, ask)

    def _read(self) -> bytes:
        return (self._folder / "model.onnx").read_bytes()

    @cached_property
    def _tensor(self) -> str:
        return last_hidden_state(self._read())

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        return load(self._folder, with_output(self._read(), self._tensor))

    @property
    def _tokenizer(self) -> Any:
        return self._loaded[0]

    @property
    def _session(self) -> Any:
        return self._loaded[1]

    @cached_property
    def _ends(self) -> tuple[list[int], list[int]]:
        one = self._tokenizer.encode("a")
        own = [place for place, special in enumerate(one.special_tokens_mask) if not special]
        if not own:
            raise ModelError("tokenizer.json", "gives no token for a letter")
        return one.ids[: own[0]], one.ids[own[-1] + 1 :]

    @property
    def _lead(self) -> list[int]:
        return self._ends[0]

    @property
    def _trail(self) -> list[int]:
        return self._ends[1]


def _of_words(states: Vectors, words: "NDArray[np.int64]", count: int) -> Vectors:
    """Return ``(count, dimensions)``, the mean of the pieces of each word."""
    sums = np.zeros((count, states.shape[1]), np.float32)
    np.add.at(sums, words, states)
    pieces = np.bincount(words, minlength=count)
    sums /= np.maximum(pieces, 1)[:, None]
    return sums
