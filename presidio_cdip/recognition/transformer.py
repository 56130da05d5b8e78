"""Run the token classifier in a folder on windows of a text, and read spans from the result.

The folder holds ``model.onnx``, ``tokenizer.json`` (of the `tokenizers` library) and
``config.json``. Of the last, ``id2label`` is read as Hugging Face writes it: ``O``, ``B-NAME`` and
``I-NAME``, or plain names; and of its key ``presidio_cdip``, all of it optional:

* ``labels``: from the model's names to ours, where they differ; a name without an entry is not
  used.
* ``window`` and ``overlap``: in tokens.
* ``batch``: how many tokens may run together, of windows of equal length. It is for a model whose
  answer for a window does not depend on the other windows of its run, as a model's in int8 does if
  it scales a run by its largest value. By default each window is a run of its own.
* ``thresholds``: the lowest probability of an entity, in (0, 1].
* ``calibration``, ``vetoes``: used by `presidio_cdip.recognition.fusion`.
* ``rescoring``: weights of features, used by `presidio_cdip.recognition.rescoring`;
  ``name_rescoring``: the same for each label of names, by `presidio_cdip.recognition.name_scores`.

Neither torch nor a network is needed.
"""

import ctypes
import json
import math
import os
import re
import threading
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from presidio_cdip.entities import LABELS, NAMES
from presidio_cdip.errors import MissingDependency, ModelError
from presidio_cdip.recognition.int8 import set_exact
from presidio_cdip.recognition.reading import plain
from presidio_cdip.recognition.spans import Span, trim

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

MODEL_VARIABLE = "PRESIDIO_CDIP_MODEL"  # names the folder of a deployment's own model, or "none"
THREADS_VARIABLE = "PRESIDIO_CDIP_THREADS"  # how many windows run in parallel
MODEL_RULE = "model"  # the rule of a span that only the model found
SHIPPED = Path(__file__).parent.parent / "models" / "cdip-minilm-l4-0.6.0"

_PIECE, _MARGIN = 40_000, 2_000  # characters in a piece, and shared by two pieces
_LOOKAHEAD = 120_000  # characters, of several documents, whose windows run in parallel
_THRESHOLD = 0.5
_BRIDGE = 3  # words between two runs of one entity that may belong to a span with them
_HALF_BELIEVED = 0.2
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

FINDERS = ("alone", "model", "both", "rules")
"""Who found a span: the model, no rules looking; the model where rules found nothing; both; rules
where the model found nothing."""

Knots = Sequence[tuple[float, float]]
"""A rising line through points: a raw score, and how often it is right."""


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration in a model's folder.

    Attributes:
        entities: The entities it finds, in the order of `Tagged.probabilities`' columns.
        columns: For each of the model's classes, the column of its entity, or None.
        begins: For each of the model's classes, whether it begins a span.
        window: Tokens in a window, including the tokens that mark its ends.
        overlap: Tokens that two windows share.
        batch: Tokens that may run together; 0 if each window is a run of its own.
        thresholds: For each entity, the lowest probability of a word in a span of it.
        calibration: The curve from raw score to probability, by the finder of a span (`FINDERS`)
            and by entity, or ``*`` for all other entities.
        vetoes: For each entity, the probability below which a span that a rule found is dropped.
        rescoring: The weight of each feature of a finding's second score; empty for none.
        name_rescoring: The same for names, by label.
    """

    entities: tuple[str, ...]
    columns: tuple[int | None, ...]
    begins: tuple[bool, ...]
    window: int = 256
    overlap: int = 64
    batch: int = 0
    thresholds: Mapping[str, float] = field(default_factory=dict)
    calibration: Mapping[str, Mapping[str, Knots]] = field(default_factory=dict)
    vetoes: Mapping[str, float] = field(default_factory=dict)
    rescoring: Mapping[str, float] = field(default_factory=dict)
    name_rescoring: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Return the configuration in *data*, a ``config.json``.

        Raises:
            ModelError: It lacks ``id2label``, or names an entity that does not exist.
        """
        own = data.get("presidio_cdip") or {}
        names = data.get("id2label")
        if not isinstance(names, dict) or not names:
            raise ModelError("config.json", "has no id2label, which names the classes")
        mapping: Mapping[str, str] = own.get("labels") or {name: name for name in LABELS}
        classes = [str(names[key]) for key in sorted(names, key=int)]
        marks = [_mark(name) for name in classes]
        ours = [mapping.get(name) for _, name in marks]
        found = {name for name in ours if name}
        entities = (*(name for name in LABELS if name in found), *sorted(found - set(LABELS)))
        if not entities:
            known = sorted({name for _, name in marks} - {"O"})
            raise ModelError(
                "config.json",
                f"none of its labels ({', '.join(known[:8])}) is one of the entities; "
                "map them under presidio_cdip: labels",
            )
        thresholds, vetoes = (_shares(own, key, entities) for key in ("thresholds", "vetoes"))
        window, overlap = int(own.get("window", 256)), int(own.get("overlap", 64))
        if not 0 <= overlap < window // 2:
            raise ModelError("config.json", f"overlap {overlap} is not less than half the window")
        batch = int(own.get("batch", 0))
        if batch < 0:
            raise ModelError("config.json", f"batch {batch} is less than 0")
        return cls(
            entities=entities,
            columns=tuple(entities.index(name) if name else None for name in ours),
            begins=tuple(prefix in ("B", "S", "U") for prefix, _ in marks),
            window=window,
            overlap=overlap,
            batch=batch,
            thresholds={**dict.fromkeys(entities, _THRESHOLD), **thresholds},
            calibration=_lines(own.get("calibration") or {}, entities),
            vetoes=vetoes,
            rescoring=_weights("rescoring", own.get("rescoring") or {}),
            name_rescoring=_weights_by_name(own.get("name_rescoring") or {}, entities),
        )


def _shares(own: Mapping[str, Any], key: str, entities: Sequence[str]) -> Mapping[str, float]:
    """Return the numbers in [0, 1] that *own* has under *key*, by entity."""
    shares: Mapping[str, float] = own.get(key) or {}
    if unknown := sorted(set(shares) - {*LABELS, *entities}):
        raise ModelError("config.json", f"{key}: {unknown[0]!r} is no entity")
    for entity, share in shares.items():
        if not isinstance(share, int | float) or not 0 <= share <= 1:
            raise ModelError("config.json", f"{key}: {entity} is not in 0..1")
    return shares


def _weights_by_name(by_label: Any, entities: Sequence[str]) -> Mapping[str, Mapping[str, float]]:
    """Return the weights of features that *by_label* has for each label of names."""
    if not isinstance(by_label, dict):
        raise ModelError("config.json", "name_rescoring: is not a mapping of labels to weights")
    names = {*NAMES, *entities} - (set(LABELS) - set(NAMES))  # a pack may have names of its own
    for label in by_label:
        if label not in names:
            raise ModelError("config.json", f"name_rescoring: {label!r} is no label of names")
    return {label: _weights("name_rescoring", weights) for label, weights in by_label.items()}


def _weights(key: str, weights: Any) -> Mapping[str, float]:
    if not isinstance(weights, dict):
        raise ModelError("config.json", f"{key}: is not a mapping of features to numbers")
    for feature, weight in weights.items():
        if not isinstance(weight, int | float) or not math.isfinite(weight):
            raise ModelError("config.json", f"{key}: {feature} is not a number")
    return weights


def _lines(
    calibration: Mapping[str, Mapping[str, Knots]], entities: Sequence[str]
) -> Mapping[str, Mapping[str, Knots]]:
    for finder, lines in calibration.items():
        if finder not in FINDERS:
            raise ModelError("config.json", f"calibration: {finder!r} is none of {FINDERS}")
        if unknown := sorted(set(lines) - {"*", *LABELS, *entities}):
            raise ModelError("config.json", f"calibration: {unknown[0]!r} is no entity")
        for entity, knots in lines.items():
            raws, heights = [raw for raw, _ in knots], [height for _, height in knots]
            rises = raws and sorted(set(raws)) == raws and sorted(heights) == heights
            if not rises or not all(0 <= share <= 1 for share in [*raws, *heights]):
                problem = f"calibration: {finder}, {entity}: no points in rising order in 0..1"
                raise ModelError("config.json", problem)
    return calibration


def _mark(label: str) -> tuple[str, str]:
    """Split a class into its place and name: "B-AGE" is ("B", "AGE"), "AGE" is ("", "AGE")."""
    prefix, dash, name = label.partition("-")
    return (prefix, name) if dash and len(prefix) == 1 else ("", label)


@dataclass(frozen=True, slots=True, eq=False)
class Tagged:
    """The prediction of a model for a text, word by word.

    Attributes:
        text: The text.
        config: The configuration of the model.
        starts: ``(words,)``, offsets of the words' first characters.
        ends: ``(words,)``, offsets after the words' last characters.
        probabilities: ``(words, entities)``, float16 in [0, 1].
        begins: ``(words,)``, float16: the probability that a span of the word's likeliest entity
            begins with it.
    """

    text: str = field(repr=False)
    config: Config
    starts: "NDArray[np.int64]"
    ends: "NDArray[np.int64]"
    probabilities: "NDArray[np.float16]"
    begins: "NDArray[np.float16]"

    def spans(
        self, thresholds: Mapping[str, float] | None = None, among: Collection[str] | None = None
    ) -> list[Span]:
        """Return the spans, in order, none overlapping, scored by their words' mean probability.

        Two runs of one entity are one span if at most `_BRIDGE` words stand between them on their
        line, each with a probability of at least `_HALF_BELIEVED`.

        Args:
            thresholds: By entity; they override the model's own.
            among: The labels to choose from, of which a word's likeliest counts; if None, all
                labels except the ones that are found only on request.
        """
        import numpy as np

        limits = {**self.config.thresholds, **(thresholds or {})}
        least = np.array([limits[name] for name in self.config.entities], np.float32)
        if among is None:
            among = set(self.config.entities) - set(NAMES)
        least[[name not in among for name in self.config.entities]] = 2  # more than any has
        likely = np.where(self.probabilities >= least, self.probabilities, 0)
        best = likely.argmax(axis=1)
        words = np.flatnonzero(likely.max(axis=1, initial=0))
        runs: list[list[int]] = []
        for word in words.tolist():
            if runs and best[word] == best[runs[-1][-1]]:
                if self._continues(runs[-1][-1], word, best):
                    runs[-1].append(word)
                    continue
                if self._bridged(runs[-1][-1], word, int(best[word]), likely):
                    runs[-1].extend(range(runs[-1][-1] + 1, word + 1))
                    continue
            runs.append([word])
        found = (self._span(run, int(best[run[-1]])) for run in runs)
        return [span for span in found if span]

    def _bridged(self, last: int, word: int, column: int, likely: "NDArray[np.float16]") -> bool:
        """Return whether the words between *last* and *word* belong to one span with both."""
        between = slice(last + 1, word)
        if not 1 < word - last <= _BRIDGE + 1 or likely[between].max(initial=0) > 0:
            return False
        if re.search(r"[\n;]|\s{3}", self.text[int(self.ends[last]) : int(self.starts[word])]):
            return False
        return bool(self.probabilities[between, column].min(initial=1) >= _HALF_BELIEVED)

    def _continues(self, last: int, word: int, best: "NDArray[np.intp]") -> bool:
        if word != last + 1 or best[word] != best[last]:
            return False
        own = self.probabilities[word]
        # `begins` holds only for the likeliest entity of the word.
        return bool(own.argmax() != best[word] or self.begins[word] <= own.max() / 2)

    def _span(self, run: Sequence[int], column: int) -> Span | None:
        start, end = trim(self.text, int(self.starts[run[0]]), int(self.ends[run[-1]]))
        if start >= end:
            return None
        score = float(self.probabilities[run[0] : run[-1] + 1, column].astype("f4").mean())
        return Span(start, end, self.config.entities[column], score, MODEL_RULE)

    def belief(self, entity: str, start: int, end: int) -> float:
        """Return *entity*'s highest probability for a word in ``[start, end)``; 0 if unknown."""
        if entity not in self.config.entities:
            return 0.0
        first = int(self.ends.searchsorted(start, side="right"))
        last = int(self.starts.searchsorted(end, side="left"))
        column = self.config.entities.index(entity)
        return float(self.probabilities[first:last, column].max(initial=0))


@dataclass
class TokenClassifier:
    """Find the entities that the model in a folder was trained to find.

    Nothing is loaded until it is first needed, and a process that was forked loads its own.
    It may be shared between threads.

    Args:
        folder: A folder with ``model.onnx``, ``tokenizer.json`` and ``config.json``.
        threads: How many windows run in parallel; if None, the number of cores.

    Attributes:
        watch: Called after each run, maybe in another thread, with how many characters of a text
            it has read; what two windows share counts once.

    Raises:
        ModelError: A file is missing, or cannot be used.
    """

    folder: Path
    threads: int | None = None
    watch: Callable[[float], object] | None = field(
        default=None, init=False, repr=False, compare=False
    )
    _loaded: "Loaded | None" = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("model.onnx", "tokenizer.json", "config.json"):
            if not (self.folder / name).is_file():
                raise ModelError(name, f"is missing in the model's folder {self.folder.name!r}")
        _ = self.config

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only the arguments: a session cannot be sent to another process."""
        return type(self), (self.folder, self.threads)

    @cached_property
    def config(self) -> Config:
        """Return the configuration of the model."""
        try:
            data = json.loads((self.folder / "config.json").read_text("utf-8"))
            if not isinstance(data, dict):
                raise ModelError("config.json", "is not a mapping")
            return Config.of(data)
        except (ValueError, OSError, TypeError, AttributeError) as error:
            raise ModelError("config.json", f"cannot be used ({type(error).__name__})") from None

    def tag(self, texts: Iterable[str]) -> Iterator[Tagged]:
        """Yield the model's prediction for each of *texts*, in their order.

        Windows of several texts run in parallel. Memory is bounded: a long text is read in
        pieces, and only one number for each word and entity of a text is kept.
        """
        parts: list[_Part] = []
        for batch in _together(piece for text in texts for piece in _pieces(sound(text))):
            for piece, part in zip(batch, self._read(batch), strict=True):
                parts.append(part)
                if piece.end == len(piece.text):
                    yield _whole(piece.text, self.config, parts)
                    parts = []

    def find(self, text: str) -> list[Span]:
        """Return the spans of *text*, in order, none overlapping."""
        return next(self.tag([text])).spans()

    def _read(self, pieces: "Sequence[_Piece]") -> "list[_Part]":
        """Return the model's prediction for each of *pieces*."""
        loaded = self._ready()
        content = self.config.window - len(loaded.lead) - len(loaded.trail)
        if content <= self.config.overlap:
            raise ModelError(
                "config.json", f"window {self.config.window} holds no tokens of a text"
            )
        encoded = [
            loaded.tokenizer.encode(piece.text[piece.start : piece.end], add_special_tokens=False)
            for piece in pieces
        ]
        cuts = [_windows(len(one.ids), content, self.config.overlap) for one in encoded]
        rows = [
            (ids[start:end], _has_letters(piece, offsets[start:end]))
            for piece, one, windows in zip(pieces, encoded, cuts, strict=True)
            for ids, offsets in [(one.ids, one.offsets)]  # each is made again when it is asked for
            for start, end in windows
        ]
        lettered = [row for row, letters in rows if letters]
        length = sum(piece.end - piece.start for piece in pieces)
        each = length / max(1, sum(map(len, lettered)))  # characters a token
        found = iter(self._run(loaded, lettered, each))
        answers = iter([next(found) if letters else loaded.nothing(row) for row, letters in rows])
        return [
            _part(piece, one, _central([(cut, next(answers)) for cut in windows]))
            for piece, one, windows in zip(pieces, encoded, cuts, strict=True)
        ]

    def _run(
        self, loaded: "Loaded", rows: Sequence[Sequence[int]], each: float = 0.0
    ) -> "list[NDArray[np.float32]]":
        """Return ``(tokens, entities + 1)`` probabilities of each row of token ids.

        The last column is the probability that a span begins. Several runs are in parallel.
        *each* is how many characters a token has, for `watch`.
        """

        def ask(some: Sequence[Sequence[int]]) -> "list[NDArray[np.float32]]":
            answer = loaded.ask(some)
            if self.watch:
                self.watch(each * sum(map(len, some)))
            return answer

        return in_runs(rows, self.config.batch, self.threads or cores(), ask)

    def _ready(self) -> "Loaded":
        with _LOADING:
            if self._loaded is None or self._loaded.process != os.getpid():
                self._loaded = Loaded.of(self.config, *load(self.folder))
            return self._loaded


@dataclass(frozen=True, slots=True)
class Loaded:
    """The model and tokenizer as loaded by one process.

    Attributes:
        process: The process ID.
        lead: The tokens that the model expects before a text's own.
        trail: The tokens that the model expects after a text's own.
        inputs: The names of the model's inputs that this package can fill.
        sums: ``(classes, entities)``, which classes belong to an entity.
        begins: ``(classes,)``, which classes begin a span.
    """

    process: int
    tokenizer: "Tokenizer"
    session: "InferenceSession"
    lead: Sequence[int]
    trail: Sequence[int]
    inputs: Sequence[str]
    sums: "NDArray[np.float32]"
    begins: "NDArray[np.float32]"

    @classmethod
    def of(cls, config: Config, tokenizer: "Tokenizer", session: "InferenceSession") -> Self:
        """Return the model and tokenizer, prepared from the model's files.

        Raises:
            ModelError: The tokenizer returns no token for a letter.
        """
        import numpy as np

        encoded = tokenizer.encode("a")
        own = [index for index, special in enumerate(encoded.special_tokens_mask) if not special]
        if not own:
            raise ModelError("tokenizer.json", "gives no token for a letter")
        sums = np.zeros((len(config.columns), len(config.entities)), np.float32)
        for index, column in enumerate(config.columns):
            if column is not None:
                sums[index, column] = 1
        wanted = {one.name for one in session.get_inputs()}
        return cls(
            os.getpid(),
            tokenizer,
            session,
            encoded.ids[: own[0]],
            encoded.ids[own[-1] + 1 :],
            sorted(wanted & {"input_ids", "attention_mask", "token_type_ids"}),
            sums,
            np.array(config.begins, np.float32),
        )

    def nothing(self, row: Sequence[int]) -> "NDArray[np.float32]":
        """Return the result of `ask` for a row in which nothing is found."""
        import numpy as np

        return np.zeros((len(row), self.sums.shape[1] + 1), np.float32)

    def ask(self, rows: Sequence[Sequence[int]]) -> "list[NDArray[np.float32]]":
        """Return the probabilities of rows of equal length, as `TokenClassifier._run` does."""
        import numpy as np

        ids = np.array([[*self.lead, *row, *self.trail] for row in rows], np.int64)
        fed = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
        try:
            logits = self.session.run(None, {name: fed[name] for name in self.inputs})[0]
        except Exception as error:  # as in `load`
            raise ModelError("model.onnx", f"cannot be run ({type(error).__name__})") from None
        if logits.ndim != 3 or logits.shape[2] != len(self.sums):
            raise ModelError("model.onnx", "does not give one logit a class of config.json")
        own = logits[:, len(self.lead) : len(self.lead) + len(rows[0])]
        return [self._probabilities(each) for each in own]

    def _probabilities(self, logits: "NDArray[np.float32]") -> "NDArray[np.float32]":
        import numpy as np

        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        entities = odds @ self.sums
        begins = (odds * self.begins) @ self.sums
        best = entities.argmax(axis=1)
        return np.column_stack([entities, begins[np.arange(len(best)), best]])


@lru_cache(maxsize=8)
def classifier(folder: Path, threads: int | None = None) -> TokenClassifier:
    """Return the model in *folder*; all callers share one object."""
    return TokenClassifier(folder, threads)


def load(folder: Path, model: bytes | None = None) -> "tuple[Tokenizer, InferenceSession]":
    """Load the tokenizer and the model of *folder*, or *model* in place of its ``model.onnx``.

    Raises:
        MissingDependency: A library is not installed.
        ModelError: A file cannot be read.
    """
    # From 1.29 on, ONNX Runtime reports to Microsoft from a thread of its own, unless this variable
    # is set before the import; the call below is for programs that imported it earlier.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        from onnxruntime import InferenceSession, SessionOptions, disable_telemetry_events
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingDependency(str(error.name), f"pip install {error.name}") from None
    disable_telemetry_events()
    options = SessionOptions()
    set_exact(options)
    options.intra_op_num_threads = 1  # parallel windows are faster than threads within one
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # its messages can contain text of a document
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # the library raises no other class
        raise ModelError("tokenizer.json", f"cannot be read ({type(error).__name__})") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    try:
        session = InferenceSession(
            model or str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # ONNX Runtime's classes have no common base
        raise ModelError("model.onnx", f"cannot be loaded ({type(error).__name__})") from None
    _SESSIONS.add(session)
    return tokenizer, session


def cores() -> int:
    """Return the number of cores this process may use; all cores, if the system does not say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_LOADING = threading.RLock()
_SESSIONS: "weakref.WeakSet[InferenceSession]" = weakref.WeakSet()


def _after_fork() -> None:
    """Keep the parent's sessions: freeing one would wait for threads that only the parent has."""
    for session in _SESSIONS:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(session))
    _LOADING.release()


if hasattr(os, "register_at_fork"):  # where processes fork
    os.register_at_fork(
        before=_LOADING.acquire, after_in_parent=_LOADING.release, after_in_child=_after_fork
    )


def sound(text: str) -> str:
    """Return *text* as the rules see it, with U+FFFD for lone surrogates; of the same length."""
    return _LONE_SURROGATE.sub("\ufffd", plain(text))


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of a text that is read at once, and the part of it whose words are kept."""

    text: str = field(repr=False)
    start: int
    end: int
    keep: tuple[int, int]


def _has_letters(piece: _Piece, offsets: Sequence[tuple[int, int]]) -> bool:
    """Return whether a window has a letter; what has none, as in a log of numbers, is for rules."""
    if not offsets:
        return False
    text = piece.text[piece.start + offsets[0][0] : piece.start + offsets[-1][1]]
    return any(map(str.isalpha, text))


def _pieces(text: str) -> Iterator[_Piece]:
    start = 0
    while True:
        end = min(len(text), start + _PIECE)
        first = start + _MARGIN // 2 if start else 0
        last = end - _MARGIN // 2 if end < len(text) else end
        yield _Piece(text, start, end, (first, last))
        if end == len(text):
            return
        start = end - _MARGIN


def _together(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    waiting: list[_Piece] = []
    characters = 0
    for piece in pieces:
        waiting.append(piece)
        characters += piece.end - piece.start
        if characters >= _LOOKAHEAD:
            yield waiting
            waiting, characters = [], 0
    if waiting:
        yield waiting


def _windows(tokens: int, content: int, overlap: int) -> list[tuple[int, int]]:
    """Return ``[start, end)`` of windows of *content* tokens, *overlap* shared with the next."""
    if not tokens:
        return []
    starts = range(0, max(1, tokens - overlap), content - overlap)
    return [(start, min(tokens, start + content)) for start in starts]


def in_runs(
    rows: Sequence[Sequence[int]],
    most: int,
    threads: int,
    ask: "Callable[[Sequence[Sequence[int]]], Iterable[NDArray[np.float32]]]",
) -> "list[NDArray[np.float32]]":
    """Return the model's answer for each of *rows*; rows of equal length run together.

    Args:
        rows: Token ids.
        most: How many tokens may run together; a longer row is a run of its own.
        threads: How many runs may be in parallel.
        ask: Returns the answers for rows of equal length, in order.
    """
    runs = _runs(rows, most)
    asked = [[rows[place] for place in run] for run in runs]
    workers = min(threads, len(runs))
    if workers < 2:
        answers = [ask(some) for some in asked]
    else:  # a pool for this call alone: a fork meets no threads
        with ThreadPoolExecutor(workers) as pool:
            answers = list(pool.map(ask, asked))
    by_place = {
        place: answer
        for run, several in zip(runs, answers, strict=True)
        for place, answer in zip(run, several, strict=True)
    }
    return [by_place[place] for place in range(len(rows))]


def _runs(rows: Sequence[Sequence[int]], most: int) -> list[list[int]]:
    """Return the places of rows that run together: of equal length, at most *most* tokens."""
    by_length: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        by_length.setdefault(len(row), []).append(place)
    runs = []
    for length, places in by_length.items():
        count = max(1, most // max(1, length))
        runs += [places[start : start + count] for start in range(0, len(places), count)]
    return runs


def _central(
    windows: "Sequence[tuple[tuple[int, int], NDArray[np.float32]]]",
) -> "list[NDArray[np.float32]]":
    """Return for each window the tokens that are not more central in another window."""
    kept = []
    last = 0
    for index, ((start, end), answer) in enumerate(windows):
        following = windows[index + 1][0][0] if index + 1 < len(windows) else end
        until = (following + end) // 2 if following < end else end
        kept.append(answer[last - start : until - start])
        last = until
    return kept


_Part = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.float16]"]
"""Words' starts, ends, and their probabilities with what begins a span in the last column."""


def _part(piece: _Piece, encoded: "Encoding", kept: "Sequence[NDArray[np.float32]]") -> _Part:
    """Return the words of *piece* that start in the part of it to be kept."""
    import numpy as np

    if not kept:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 0), np.float16)
    tokens = np.concatenate(kept)
    offsets = np.array(encoded.offsets, np.int64) + piece.start
    words = np.array([-1 if word is None else word for word in encoded.word_ids])
    firsts = np.flatnonzero(np.diff(words, prepend=-2))
    lasts = np.append(firsts[1:], len(words)) - 1
    mean = np.add.reduceat(tokens, firsts, axis=0) / (lasts - firsts + 1)[:, None]
    mean[:, -1] = tokens[firsts, -1]  # a word begins a span where its first token does
    starts, ends = offsets[firsts, 0], offsets[lasts, 1]
    ours = (starts >= piece.keep[0]) & (starts < piece.keep[1])
    return starts[ours], ends[ours], mean[ours].astype(np.float16)


def _whole(text: str, config: Config, parts: Sequence[_Part]) -> Tagged:
    import numpy as np

    filled = [part for part in parts if part[0].size]
    if not filled:
        none = np.zeros(0, np.int64)
        empty = np.zeros((0, len(config.entities)), np.float16)
        return Tagged(text, config, none, none, empty, np.zeros(0, np.float16))
    starts, ends, values = (np.concatenate(column) for column in zip(*filled, strict=True))
    return Tagged(text, config, starts, ends, values[:, :-1], values[:, -1])
