"""Compare classifiers of sentences, alone and in context, with those of tokens and of spans.

    python -m training.compare --fraction 0.25 --epochs 6 --rate 3e-4 --seed 1
    python -m training.compare --way NER --way spancat

* ``SC``, sentence classification: which entities a sentence has, without its context.
* ``SCC``, the same in context: whole neighbouring sentences stand around it, in windows of 256
  tokens that overlap by half; the prediction for a sentence is taken from the window in which it
  is furthest from the edges.
* ``NER``: the token classifier of `train.py`, and its spans.
* ``spancat``: which entity each run of up to 12 words is, in the manner of spaCy's SpanCategorizer:
  a run's first, last, mean and maximal vector are joined, and read by a layer of 128 with a sigmoid
  per entity. Of runs that overlap, the one with the highest probability is found.

All classifiers start from one base model and train on the same documents with the same noise for
the same number of epochs. They are evaluated with averaged weights, at the threshold with the best
sentence F1 on development documents of other kinds. `SC` and `SCC` pool the mean of a sentence's
own tokens into one linear layer with a sigmoid per entity. The end of a line always ends a
sentence. 4 in 1,000 marks have more than 12 words: `spancat` cannot learn them. The figures are
micro averages over the 18 entities, on the development kinds:

* **sentence F1**: of pairs of a sentence and an entity with a span that overlaps the sentence.
* **document F1**: of pairs of a document and an entity that occurs in it.
* **character F1**: of characters in spans; `SC` and `SCC` mark the whole sentence.
* **spurious/10k**: sentences with findings, per 10,000 characters of documents without marks.
* **training s**: seconds of the epochs. **ms/document**: time to analyze one document at a time.
"""

import os
import re
import sys
import tempfile
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain
from pathlib import Path
from random import Random
from typing import Any, cast

import click
import torch
from torch import nn

from benchmarks import quality
from presidio_cdip.entities import ENTITIES
from presidio_cdip.recognition.reading import plain
from training.corpus import Document
from training.examples import Example, Maker, Targets, Window, cuts
from training.scoring import judged
from training.splits import split
from training.train import InTraining, Run, Session, Settings, batches, precision, tensors

_LABELS = tuple(ENTITIES)
_THRESHOLDS = tuple(step / 20 for step in range(1, 19))
_WAYS = ("SC", "SCC", "NER", "spancat")
_LONGEST = 12  # words of a run
_HIDDEN = 128
_RARE = -5.0  # the logit at first: of a thousand runs a few are an entity
Found = Callable[[float], list[quality.Span]]
"""The findings at a threshold."""

# Up to the end of the sentence or line, or at most 400 characters, cut at a blank.
_SENTENCE = re.compile(
    r"\S.{0,399}?(?:(?<!\b[A-Z])(?<!\b(?:Dr|Mr|Ms|St|No))(?<!\bMrs)"
    r"[.!?]+[\"'”’)\]]*(?=\s+[\"'“‘(\[]?[A-Z0-9])|(?=\s*$))"
    r"|\S.{0,398}\S(?!\S)|\S.{0,399}",
    re.M,
)


def sentences(text: str) -> list[tuple[int, int]]:
    r"""Return start and end of each sentence of a `plain` text.

    >>> sentences("Mr. A. Low came. He left.\nAge: 40")
    [(0, 16), (17, 25), (26, 33)]
    """
    return [found.span() for found in _SENTENCE.finditer(text)]


def entities_in(
    stretches: Sequence[tuple[int, int]], spans: Iterable[tuple[int, int, str]]
) -> set[tuple[int, str]]:
    """Return pairs of a sentence's index and the entity of a span that overlaps it."""
    return {
        (index, label)
        for start, end, label in spans
        for index, (first, last) in enumerate(stretches)
        if start < last and first < end
    }


def packed(lengths: Sequence[int], room: int) -> Iterator[range]:
    """Group sentences into windows of at most *room* tokens that overlap by about half.

    >>> list(packed([4, 2, 3, 5, 9], 10))
    [range(0, 3), range(1, 4), range(4, 5)]
    """
    ends = [0, *accumulate(lengths)]
    first = 0
    while first < len(lengths):
        last = max(first + 1, bisect_right(ends, ends[first] + room) - 1)
        yield range(first, last)
        if last == len(lengths):
            return
        first = bisect_left(ends, ends[last] - room // 2)
        while first < last and ends[last + 1] - ends[first] > room:
            first += 1  # the next sentence is to be in the next window


@dataclass(frozen=True, slots=True)
class Sentences(Window):
    """Hold the sentences of a window.

    Attributes:
        targets: For each token, the number of its sentence in the window; -1 without a sentence.
        bounds: Start and end of each sentence in the document's characters.
        has: For each sentence and entity, 1.0 if the sentence has the entity, else 0.0.
        edge: Number of tokens between each sentence and the nearer edge of the window.
    """

    bounds: Sequence[tuple[int, int]]
    has: Sequence[Sequence[float]]
    edge: Sequence[int]


@dataclass(frozen=True, slots=True)
class SentenceMaker(Maker):
    """Make windows of sentences; a sentence longer than a window is cut off.

    Args:
        context: Whether a window holds several sentences.
    """

    context: bool = False

    def windows(self, example: Example, rng: Random) -> Iterator[Sentences]:
        """Return the windows of *example*; *rng* is not used."""
        text = plain(example.text)
        encoded = self.tokenizer.encode(text, add_special_tokens=False)
        starts = [start for start, _ in encoded.offsets]
        stretches = sentences(text)
        known = entities_in(stretches, example.spans)
        room = self.window - 2
        tokens, places = [], []
        for index, stretch in enumerate(stretches):
            low, high = (bisect_left(starts, at) for at in stretch)
            if low < high:  # otherwise the tokenizer returned no token for it
                tokens.append(encoded.ids[low : min(high, low + room)])
                places.append(index)
        first, last = self.tokenizer.encode("").ids
        lengths = [len(one) for one in tokens]
        alone = (range(at, at + 1) for at in range(len(tokens)))
        for window in packed(lengths, room) if self.context else alone:
            ids = list(chain.from_iterable(tokens[at] for at in window))
            targets = [number for number, at in enumerate(window) for _ in tokens[at]]
            ends = list(accumulate(lengths[at] for at in window))
            edge = [
                min(end - lengths[at], len(ids) - end) for end, at in zip(ends, window, strict=True)
            ]
            yield Sentences(
                [first, *ids, last],
                [-1, *targets, -1],
                [stretches[places[at]] for at in window],
                [[float((places[at], label) in known) for label in _LABELS] for at in window],
                edge,
            )


@dataclass(frozen=True, slots=True)
class Words(Window):
    """Hold the words of a window; marks of punctuation and ends of lines are words, too.

    Attributes:
        targets: For each token, the number of its word in the window; -1 without a word.
        bounds: Start and end of each word in the document's characters.
        marked: The first and last word of each marked span, and the index of its entity.
    """

    bounds: Sequence[tuple[int, int]]
    marked: Sequence[tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class WordMaker(Maker):
    """Make windows of words; a span that is cut, or has more than `_LONGEST` words, is left out."""

    def windows(self, example: Example, rng: Random) -> Iterator[Words]:
        """Return the windows of *example*; a long one is cut at places drawn from *rng*."""
        encoded = self.tokenizer.encode(plain(example.text), add_special_tokens=False)
        bounds: dict[int | None, tuple[int, int]] = {}
        for word, (start, end) in zip(encoded.word_ids, encoded.offsets, strict=True):
            bounds[word] = bounds.get(word, (start, end))[0], end
        numbers = {word: number for number, word in enumerate(bounds)}
        words = [numbers[word] for word in encoded.word_ids]
        starts, ends = zip(*bounds.values(), strict=True) if bounds else ((), ())
        spans = [
            (bisect_right(ends, start), bisect_left(starts, end) - 1, _LABELS.index(label))
            for start, end, label in example.spans
            if label in _LABELS
        ]
        lead, trail = self.tokenizer.encode("").ids
        for start, end in cuts(len(words), self.window - 2, self.overlap, rng):
            low, high = words[start], words[end - 1]
            yield Words(
                [lead, *encoded.ids[start:end], trail],
                [-1, *(word - low for word in words[start:end]), -1],
                list(zip(starts[low : high + 1], ends[low : high + 1], strict=True)),
                [
                    (first - low, last - low, label)
                    for first, last, label in spans
                    if low <= first <= last <= high and last - first < _LONGEST
                ],
            )


class HeadRun(Run):
    """Train the base's encoder below a head of its own, with the same settings.

    Args:
        folder: The run's.
        settings: How it trains.
        maker: Called with the tokenizer, the length of a window, targets and noise.
        head: Makes the head from the width of the encoder's vectors.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        maker: Callable[..., Maker],
        head: Callable[[int], nn.Module],
    ) -> None:
        super().__init__(folder, settings)
        self.maker = maker(self.tokenizer, settings.window, Targets(), self.maker.noise)
        size = self.model.config.hidden_size
        self.model, self.average = (
            nn.ModuleDict({"encoder": one.base_model, "head": head(size)}).to(self.device)
            for one in (self.model, self.average)
        )
        self.average.load_state_dict(self.model.state_dict())
        self.average.eval()
        self.optimizer = torch.optim.AdamW(self._groups(), lr=settings.rate, fused=True)
        each = sum(
            1 for _ in batches(list(self._windows(self.examples, 0)), settings.batch, Random(0))
        )
        self.steps = each * settings.epochs

    def _means(self, model: Any, batch: Sequence[Window]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the mean vector of each sentence or word, and which there are.

        They are ``(windows, sentences or words, width)`` and ``(windows, sentences or words)``.
        """
        ids, mask, targets = (one.to(self.device) for one in tensors(batch))
        with precision(self.device):
            tokens = model["encoder"](input_ids=ids, attention_mask=mask).last_hidden_state
        most = int(targets.max()) + 1
        own = (targets[:, None] == torch.arange(most, device=self.device)[:, None]).float()
        means = own @ tokens.float() / own.sum(dim=2, keepdim=True).clamp(min=1)
        return means, own.any(dim=2)


class SentenceRun(HeadRun):
    """Train a classifier of sentences."""

    def __init__(self, folder: Path, settings: Settings, context: bool) -> None:
        maker = partial(SentenceMaker, context=context)
        super().__init__(folder, settings, maker, lambda size: nn.Linear(size, len(_LABELS)))

    def _logits(self, model: Any, batch: Sequence[Window]) -> torch.Tensor:
        """Return logits, ``(sentences of all windows, entities)``."""
        means, there = self._means(model, batch)
        logits: torch.Tensor = model["head"](means[there])
        return logits

    def loss(self, batch: Sequence[Window]) -> torch.Tensor:
        """Compute the binary cross-entropy of the entities of each sentence."""
        has = [row for one in cast(Sequence[Sentences], batch) for row in one.has]
        logits = self._logits(self.model, batch)
        return nn.functional.binary_cross_entropy_with_logits(
            logits, torch.tensor(has).to(self.device)
        )

    def find(self, text: str) -> Found:
        """Find whole sentences with the averaged weights."""
        best: dict[tuple[int, int], tuple[int, list[float]]] = {}
        windows = list(self.maker.windows(Example(text, ()), Random(0)))
        for batch in batches(windows, self.settings.batch, Random(0)):
            with torch.no_grad():
                likely = iter(self._logits(self.average, batch).sigmoid().tolist())
            for one in cast(Sequence[Sentences], batch):
                for bounds, edge in zip(one.bounds, one.edge, strict=True):
                    best[bounds] = max(best.get(bounds, (-1, [])), (edge, next(likely)))
        return lambda threshold: [
            quality.Span(*bounds, label)
            for bounds, (_, shares) in best.items()
            for label, share in zip(_LABELS, shares, strict=True)
            if share >= threshold
        ]


def runs_of_words(words: torch.Tensor, longest: int) -> Iterator[torch.Tensor]:
    """Yield the vectors of all runs of one word, then of two, and so on to *longest*.

    A run's vector is the first of its words' vectors, the last, their mean and their maximum.

    Args:
        words: ``(windows, words, width)``.
        longest: Words of the longest run.
    """
    sums = nn.functional.pad(words.cumsum(dim=1), (0, 0, 1, 0))
    most = words
    for count in range(1, min(longest, words.shape[1]) + 1):
        if count > 1:
            most = torch.maximum(most[:, :-1], words[:, count - 1 :])
        mean = (sums[:, count:] - sums[:, :-count]) / count
        first, last = words[:, : words.shape[1] - count + 1], words[:, count - 1 :]
        yield torch.cat([first, last, mean, most], dim=2)


def span_head(size: int) -> nn.Module:
    """Make the head that reads the vectors of `runs_of_words`."""
    head = nn.Sequential(
        nn.Linear(4 * size, _HIDDEN), nn.LayerNorm(_HIDDEN), nn.GELU(),
        nn.Linear(_HIDDEN, len(_LABELS)),
    )  # fmt: skip
    nn.init.constant_(head[-1].bias, _RARE)
    return head


def apart(spans: Iterable[tuple[float, quality.Span]]) -> list[tuple[float, quality.Span]]:
    """Return the spans that overlap none with a higher score, the highest score first."""
    kept: list[tuple[float, quality.Span]] = []
    taken: set[int] = set()
    for score, span in sorted(spans, key=lambda one: one[0], reverse=True):
        if taken.isdisjoint(range(span.start, span.end)):
            taken.update(range(span.start, span.end))
            kept.append((score, span))
    return kept


class SpanRun(HeadRun):
    """Train a classifier of runs of words."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        super().__init__(folder, settings, WordMaker, span_head)

    def _logits(
        self, model: Any, batch: Sequence[Window]
    ) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Return for runs of one word, of two, and so on, their logits, and which there are.

        They are ``(windows, first words, entities)`` and ``(windows, first words)``.
        """
        means, there = self._means(model, batch)
        return [
            (model["head"](run), there[:, count:])
            for count, run in enumerate(runs_of_words(means, _LONGEST))
        ]

    def loss(self, batch: Sequence[Window]) -> torch.Tensor:
        """Compute the binary cross-entropy of all runs that begin with a word, a word."""
        total = torch.zeros((), device=self.device)
        words = sum(len(one.bounds) for one in cast(Sequence[Words], batch))
        for more, (logits, there) in enumerate(self._logits(self.model, batch)):
            has = torch.zeros_like(logits)
            for row, one in enumerate(cast(Sequence[Words], batch)):
                for first, last, label in one.marked:
                    if last - first == more:
                        has[row, first, label] = 1
            total = total + nn.functional.binary_cross_entropy_with_logits(
                logits[there], has[there], reduction="sum"
            )
        return total / words

    def find(self, text: str) -> Found:
        """Find runs of words with the averaged weights."""
        best: dict[tuple[int, int], tuple[int, float, int]] = {}
        windows = list(self.maker.windows(Example(text, ()), Random(0)))
        for batch in batches(windows, self.settings.batch, Random(0)):
            with torch.no_grad():
                runs = [
                    logits.sigmoid().max(dim=2) for logits, _ in self._logits(self.average, batch)
                ]
            for row, one in enumerate(cast(Sequence[Words], batch)):
                for more, likely in enumerate(runs):
                    shares, labels = (part[row].tolist() for part in likely)
                    for first in range(len(one.bounds) - more):
                        last = first + more
                        bounds = one.bounds[first][0], one.bounds[last][1]
                        edge = min(first, len(one.bounds) - 1 - last)
                        own = edge, shares[first], labels[first]
                        best[bounds] = max(best.get(bounds, own), own)
        found = apart(
            (share, quality.Span(*bounds, _LABELS[label]))
            for bounds, (_, share, label) in best.items()
            if share >= _THRESHOLDS[0]
        )
        return lambda threshold: [span for share, span in found if share >= threshold]


class TokenRun(Run):
    """Train the token classifier."""

    def find(self, text: str) -> Found:
        """Find spans with the averaged weights."""
        reader = InTraining(Session(self.average), self.tokenizer, self.config)
        tagged = next(reader.tag([text]))
        return lambda threshold: [
            quality.Span(one.start, one.end, one.entity)
            for one in tagged.spans(dict.fromkeys(_LABELS, threshold))
        ]


def best_threshold(documents: Sequence[Document], found: Sequence[Found]) -> float:
    """Return the threshold with the highest F1 of sentences."""
    return max(
        _THRESHOLDS, key=lambda at: measured(documents, [one(at) for one in found])[0] or 0.0
    )


def counted(marked: Set[Hashable], found: Set[Hashable]) -> quality.Tally:
    """Count marked, hit and spurious items."""
    return quality.Tally(len(marked), len(marked & found), len(found - marked))


def measured(
    documents: Sequence[Document], found: Sequence[Sequence[quality.Span]]
) -> list[float | None]:
    """Return F1 of sentences, documents and characters, and spurious sentences per 10,000 chars."""
    tallies = [quality.Tally()] * 3
    spurious = 0
    for document, spans in zip(documents, found, strict=True):
        stretches = sentences(plain(document.text))
        pairs = zip(*(things(stretches, some) for some in (document.spans, spans)), strict=True)
        tallies = [tally + counted(*pair) for tally, pair in zip(tallies, pairs, strict=True)]
        if document.bare:
            spurious += len({index for index, _ in entities_in(stretches, spans)})
    clean = quality.clean_characters(map(judged, documents), _LABELS)
    return [*(tally.f1 for tally in tallies), quality.ratio(10_000 * spurious, clean)]


def things(
    stretches: Sequence[tuple[int, int]], spans: Iterable[tuple[int, int, str]]
) -> tuple[Set[Hashable], ...]:
    """Return the sentences, entities and characters that *spans* mark."""
    spans = tuple(spans)
    characters = {(at, label) for start, end, label in spans for at in range(start, end)}
    return entities_in(stretches, spans), {label for *_, label in spans}, characters


def trained(
    name: str, settings: Settings, folder: Path
) -> tuple[TokenRun | SentenceRun | SpanRun, float]:
    """Train the classifier called *name*, and return it with the seconds of its epochs."""
    with redirect_stdout(sys.stderr):  # keep the output of a run out of the table
        run: TokenRun | SentenceRun | SpanRun
        if name == "NER":
            run = TokenRun(folder, settings)
        elif name == "spancat":
            run = SpanRun(folder, settings)
        else:
            run = SentenceRun(folder, settings, context=name == "SCC")
    start = time.monotonic()
    while run.epoch < settings.epochs:
        click.echo(f"{name}: loss {run.learn():.4f} in epoch {run.epoch}", err=True)
    return run, time.monotonic() - start


@click.command()
@click.option("--fraction", default=0.25, show_default=True, help="Fraction of the corpus.")
@click.option("--epochs", default=6, show_default=True)
@click.option("--rate", default=3e-4, show_default=True, help="Peak learning rate.")
@click.option("--seed", default=1, show_default=True)
@click.option("--batch", default=2048, show_default=True, help="Tokens between two steps.")
@click.option(
    "--way", "ways", type=click.Choice(_WAYS), multiple=True, help="A classifier.  [default: all]"
)
def main(ways: Sequence[str], **options: Any) -> None:
    """Train the classifiers, and print a table of their figures."""
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    settings = Settings(**options, weight=1.0, window=256, overlap=64, public=False, augment=True)
    parts = split()
    documents = parts.kinds
    rows = []
    for name in ways or _WAYS:
        with tempfile.TemporaryDirectory() as folder:
            run, seconds = trained(name, settings, Path(folder))
        threshold = best_threshold(
            parts.documents, [run.find(document.text) for document in parts.documents]
        )
        start = time.monotonic()
        found = [run.find(document.text)(threshold) for document in documents]
        each = 1000 * (time.monotonic() - start) / len(documents)
        cells = map(quality.cell, measured(documents, found))
        rows.append([name, f"{threshold:.2f}", *cells, f"{seconds:.0f}", f"{each:.1f}"])
    count = sum(len(sentences(plain(document.text))) for document in documents)
    measured_on = f"{len(documents)} documents of the development kinds, {count} sentences"
    device = "CUDA" if torch.cuda.is_available() else f"CPU, {torch.get_num_threads()} threads"
    facts = {"torch": f"{torch.__version__} on {device}", "documents": measured_on}
    quality.print_facts(quality.header() | facts, markdown=True)
    columns = [
        "way",
        "threshold",
        "sentence F1",
        "document F1",
        "character F1",
        "spurious/10k",
        "training s",
    ]
    quality.print_markdown([*columns, "ms/document"], rows)


if __name__ == "__main__":
    main()
