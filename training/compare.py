"""Compare classifiers of sentences, alone and in context, with the classifier of tokens.

    python training/compare.py --fraction 0.25 --epochs 6 --rate 3e-4 --seed 1

* ``SC``, sentence classification: which entities a sentence has, by itself alone.
* ``SCC``, in context: as many whole neighbours as fit into 128 tokens stand around it.
* ``NER``: the token classifier of `train.py`, and its spans.

All start from one base, see the same documents, disturbed alike, for as many epochs, and are read
at .5 from averaged weights. `SC` and `SCC` pool the mean of the sentence's own tokens into one
linear layer with a sigmoid an entity. A line's end always ends a sentence. Measured are the
development kinds, micro averages over the 18 entities:

* **sentence F1**: of pairs of a sentence and an entity of which a span overlaps it.
* **document F1**: of pairs of a document and an entity that is anywhere in it.
* **character F1**: of characters under spans; `SC` and `SCC` mark the whole sentence.
* **spurious/10k**: sentences with anything found, in 10,000 characters of documents without marks.
* **training s**: of the epochs. **ms/document**: to read one, one at a time.
"""

import os
import re
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, cast

import click
import torch
from corpus import Document
from scoring import judged
from splits import split
from torch import nn
from train import InTraining, Run, Settings, batches, precision, tensors

from examples import Example, Maker, Targets, Window
from presidio_cdip.entities import ENTITIES
from presidio_cdip.recognition.reading import plain

# isort: split
import quality  # in the folder that `scoring` adds to the path

_LABELS = tuple(ENTITIES)
_WINDOW = 128  # tokens around a sentence, those that mark the ends included
_THRESHOLD = 0.5
# To the end of the sentence or of the line; or what fits into 400 characters, cut at a blank.
_SENTENCE = re.compile(
    r"\S.{0,399}?(?:(?<!\b[A-Z])(?<!\b(?:Dr|Mr|Ms|St|No))(?<!\bMrs)"
    r"[.!?]+[\"'”’)\]]*(?=\s+[\"'“‘(\[]?[A-Z0-9])|(?=\s*$))"
    r"|\S.{0,398}\S(?!\S)|\S.{0,399}",
    re.M,
)


def sentences(text: str) -> list[tuple[int, int]]:
    r"""Start and end of each sentence of a `plain` text.

    >>> sentences("Mr. A. Low came. He left.\nAge: 40")
    [(0, 16), (17, 25), (26, 33)]
    """
    return [found.span() for found in _SENTENCE.finditer(text)]


def entities_in(
    stretches: Sequence[tuple[int, int]], spans: Iterable[tuple[int, int, str]]
) -> set[tuple[int, str]]:
    """Pairs of a sentence's index and an entity of which a span overlaps it."""
    return {
        (index, label)
        for start, end, label in spans
        for index, (first, last) in enumerate(stretches)
        if start < last and first < end
    }


def surroundings(bounds: Sequence[tuple[int, int]], index: int, room: int) -> tuple[int, int]:
    """Where the neighbours of ``bounds[index]`` begin and end that fit with it into *room*.

    >>> surroundings([(0, 4), (4, 6), (6, 9), (9, 20)], 1, 10)
    (0, 9)
    """
    first = last = index
    grows = True
    while grows:
        grows = False
        for before, after in ((1, 0), (0, 1)):
            one, other = first - before, last + after
            if one >= 0 and other < len(bounds) and bounds[other][1] - bounds[one][0] <= room:
                first, last, grows = one, other, True
    return bounds[first][0], bounds[last][1]


@dataclass(frozen=True, slots=True)
class Sentence(Window):
    """A sentence in its window.

    Attributes:
        targets: 0 for each of its own tokens, -1 for the others.
        start: Of its characters in the document.
        end: Of its characters in the document, exclusive.
        has: Of each entity 1.0 if the sentence has it, else 0.0.
    """

    start: int
    end: int
    has: Sequence[float]


@dataclass(frozen=True, slots=True)
class SentenceMaker(Maker):
    """Makes a window of every sentence; one that is too long for it loses its end.

    Args:
        context: Whether neighbours stand in the window.
    """

    context: bool

    def windows(self, example: Example, rng: Random) -> Iterator[Sentence]:
        """The sentences of *example*; *rng* is not asked."""
        text = plain(example.text)
        encoded = self.tokenizer.encode(text, add_special_tokens=False)
        starts = [start for start, _ in encoded.offsets]
        stretches = sentences(text)
        known = entities_in(stretches, example.spans)
        room = self.window - 2
        bounds = []
        for stretch in stretches:
            low, high = (bisect_left(starts, at) for at in stretch)
            bounds.append((low, min(high, low + room)))
        first, last = self.tokenizer.encode("").ids
        for index, ((start, end), own) in enumerate(zip(stretches, bounds, strict=True)):
            if own[0] == own[1]:
                continue  # the tokenizer leaves nothing of it
            low, high = surroundings(bounds, index, room) if self.context else own
            targets = [0 if own[0] <= at < own[1] else -1 for at in range(low, high)]
            has = [float((index, label) in known) for label in _LABELS]
            ids = [first, *encoded.ids[low:high], last]
            yield Sentence(ids, [-1, *targets, -1], start, end, has)


class SentenceRun(Run):
    """A training of the same settings whose model classifies sentences."""

    def __init__(self, folder: Path, settings: Settings, context: bool) -> None:
        super().__init__(folder, settings)
        self.maker = SentenceMaker(self.tokenizer, _WINDOW, Targets(), self.maker.noise, context)
        size = self.model.config.hidden_size
        self.model, self.average = (
            nn.ModuleDict({"encoder": one.base_model, "head": nn.Linear(size, len(_LABELS))}).to(
                self.device
            )
            for one in (self.model, self.average)
        )
        self.average.load_state_dict(self.model.state_dict())
        self.average.eval()
        self.optimizer = torch.optim.AdamW(self._groups(), lr=settings.rate, fused=True)
        each = sum(1 for _ in batches(list(self._windows(0)), settings.batch, Random(0)))
        self.steps = each * settings.epochs

    def _logits(self, model: Any, batch: Sequence[Window]) -> torch.Tensor:
        """``(sentences, entities)``."""
        ids, mask, targets = (one.to(self.device) for one in tensors(batch))
        with precision(self.device):
            tokens = model["encoder"](input_ids=ids, attention_mask=mask).last_hidden_state
        own = (targets >= 0).float().unsqueeze(2)
        return model["head"]((tokens.float() * own).sum(dim=1) / own.sum(dim=1))

    def loss(self, batch: Sequence[Window]) -> torch.Tensor:
        """Binary cross-entropy, of which entities the sentences have."""
        has = torch.tensor([one.has for one in cast(Sequence[Sentence], batch)])
        logits = self._logits(self.model, batch)
        return nn.functional.binary_cross_entropy_with_logits(logits, has.to(self.device))

    def find(self, text: str) -> list[quality.Span]:
        """Whole sentences, by the averaged weights, in no order."""
        found = []
        windows = list(self.maker.windows(Example(text, ()), Random(0)))
        for batch in batches(windows, self.settings.batch, Random(0)):
            with torch.no_grad():
                likely = self._logits(self.average, batch).sigmoid() >= _THRESHOLD
            for row, column in likely.nonzero().tolist():
                one = cast(Sentence, batch[row])
                found.append(quality.Span(one.start, one.end, _LABELS[column]))
        return found


class TokenRun(Run):
    """A training of the token classifier."""

    def find(self, text: str) -> list[quality.Span]:
        """Its spans, by the averaged weights."""
        reader = InTraining(self.average, self.tokenizer, self.config)
        spans = next(reader.tag([text])).spans(dict.fromkeys(_LABELS, _THRESHOLD))
        return [quality.Span(one.start, one.end, one.entity) for one in spans]


def counted(marked: Set[Hashable], found: Set[Hashable]) -> quality.Tally:
    """Of things that are marked and found."""
    return quality.Tally(len(marked), len(marked & found), len(found - marked))


def measured(
    documents: Sequence[Document], found: Sequence[Sequence[quality.Span]]
) -> list[float | None]:
    """F1 of sentences, documents and characters, and spurious sentences per 10,000 characters."""
    tallies = [quality.Tally()] * 3
    spurious = 0
    for document, spans in zip(documents, found, strict=True):
        stretches = sentences(plain(document.text))
        pairs = zip(*(things(stretches, some) for some in (document.spans, spans)), strict=True)
        tallies = [tally + counted(*pair) for tally, pair in zip(tallies, pairs, strict=True)]
        if not document.spans:
            spurious += len({index for index, _ in entities_in(stretches, spans)})
    clean = quality.clean_characters(map(judged, documents), _LABELS)
    return [*(tally.f1 for tally in tallies), quality.ratio(10_000 * spurious, clean)]


def things(
    stretches: Sequence[tuple[int, int]], spans: Iterable[tuple[int, int, str]]
) -> tuple[Set[Hashable], ...]:
    """Sentences, entities and characters that *spans* mark."""
    spans = tuple(spans)
    characters = {(at, label) for start, end, label in spans for at in range(start, end)}
    return entities_in(stretches, spans), {label for *_, label in spans}, characters


def trained(name: str, settings: Settings, folder: Path) -> tuple[TokenRun | SentenceRun, float]:
    """The finished training of the way called *name*, and the seconds that its epochs took."""
    with redirect_stdout(sys.stderr):  # what a run says of itself is not of the table
        run = (
            TokenRun(folder, settings)
            if name == "NER"
            else SentenceRun(folder, settings, context=name == "SCC")
        )
    start = time.monotonic()
    while run.epoch < settings.epochs:
        click.echo(f"{name}: loss {run.learn():.4f} in epoch {run.epoch}", err=True)
    return run, time.monotonic() - start


@click.command()
@click.option("--fraction", default=0.25, show_default=True, help="Of the corpus to learn from.")
@click.option("--epochs", default=6, show_default=True)
@click.option("--rate", default=3e-4, show_default=True, help="Of learning, at its highest.")
@click.option("--seed", default=1, show_default=True)
@click.option("--batch", default=2048, show_default=True, help="Tokens between two steps.")
def main(**options: Any) -> None:
    """Train all three, and print a table of how they do."""
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    settings = Settings(**options, weight=1.0, window=256, overlap=64, public=False, augment=True)
    documents = split().kinds
    rows = []
    for name in ("SC", "SCC", "NER"):
        with tempfile.TemporaryDirectory() as folder:
            run, seconds = trained(name, settings, Path(folder))
        start = time.monotonic()
        found = [run.find(document.text) for document in documents]
        each = 1000 * (time.monotonic() - start) / len(documents)
        cells = map(quality.cell, measured(documents, found))
        rows.append([name, *cells, f"{seconds:.0f}", f"{each:.1f}"])
    count = sum(len(sentences(plain(document.text))) for document in documents)
    measured_on = f"{len(documents)} documents of the development kinds, {count} sentences"
    device = "CUDA" if torch.cuda.is_available() else f"CPU, {torch.get_num_threads()} threads"
    facts = {"torch": f"{torch.__version__} on {device}", "documents": measured_on}
    quality.print_facts(quality.header() | facts, markdown=True)
    columns = ["way", "sentence F1", "document F1", "character F1", "spurious/10k", "training s"]
    quality.print_markdown([*columns, "ms/document"], rows)


if __name__ == "__main__":
    main()
