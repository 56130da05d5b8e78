"""Train stacks of models on a device, for given times, and score them: `Lab`.

`chain.py` says which models. The data are what ``chain prepare`` wrote: tokens of augmented epochs,
the targets of each token, and the windows of the development documents.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from transformers import AutoModelForTokenClassification

from presidio_cdip.recognition.transformer import Config
from training.examples import CLASSES, cuts, tokenizer_of
from training.scoring import Scores, scores
from training.splits import split
from training.stack import Stack, Trainer, precision
from training.train import Input, InTraining, base_model

UNKNOWN, FREE = -1, -2
"""Targets: of no use, and of unmarked text, which is learnt from teachers only."""

_PAD = 0
_MASK, _FIRST, _LAST = 103, 101, 102  # in the base's vocabulary
_SIZES = (64, 128, 192, 256, 384, 512)  # windows are padded to one of these
_SHARE_MASKED = 0.15
_OVERLAP = 64  # tokens that two windows share


@dataclass(frozen=True, slots=True)
class Bucket:
    """Hold windows of similar length on the device.

    Attributes:
        is_marked: Whether the windows are of marked documents.
        ids: ``(windows, tokens)``.
        rows: ``(windows, tokens)``: a row of the table of targets, or `UNKNOWN`, `FREE`.
        taught: ``(windows, tokens, classes)``: the teachers' probabilities, once they are known.
    """

    is_marked: bool
    ids: Tensor
    rows: Tensor
    taught: list[Tensor]


def buckets(
    data: Mapping[str, Any], epoch: int, window: int, device: torch.device, rng: Random
) -> list[Bucket]:
    """Cut an epoch into windows, and group them by length."""
    ids, rows = data[f"ids{epoch}"], data[f"rows{epoch}"]
    grouped: dict[tuple[bool, int], list[tuple[int, int]]] = {}
    at = 0
    for length in data[f"lengths{epoch}"].tolist():
        for start, end in cuts(length, window - 2, _OVERLAP, rng):
            key = bool(rows[at] != FREE), next(one for one in _SIZES if one >= end - start + 2)
            grouped.setdefault(key, []).append((at + start, at + end))
        at += length
    found = []
    for (is_marked, size), windows in sorted(grouped.items()):
        mine = np.full((len(windows), size), _PAD, np.int32)
        targets = np.full((len(windows), size), UNKNOWN, np.int16)
        for row, (start, end) in enumerate(windows):
            mine[row, 0], mine[row, 1 + end - start] = _FIRST, _LAST
            mine[row, 1 : 1 + end - start] = ids[start:end]
            targets[row, 1 : 1 + end - start] = rows[start:end]
        ids_there, rows_there = (torch.from_numpy(one).to(device) for one in (mine, targets))
        found.append(Bucket(is_marked, ids_there, rows_there, []))
    return found


@dataclass(frozen=True, slots=True)
class Batch:
    """Hold a batch for each model of a stack: ``(models, windows, tokens)`` each."""

    ids: Tensor
    rows: Tensor
    taught: Tensor | None

    @property
    def mask(self) -> Tensor:
        """Return which tokens are not padding."""
        return self.ids != _PAD


def batches(
    found: Sequence[Bucket], tokens: int, generators: Sequence[torch.Generator], rng: Random
) -> Iterator[Batch]:
    """Yield batches of an epoch, in another order for each model."""
    orders = [
        torch.stack([torch.randperm(len(one.ids), generator=each) for each in generators]).to(
            one.ids.device
        )
        for one in found
    ]
    plan = [
        (at, start)
        for at, one in enumerate(found)
        for start in range(0, len(one.ids), max(1, tokens // one.ids.shape[1]))
    ]
    rng.shuffle(plan)
    for at, start in plan:
        one = found[at]
        chosen = orders[at][:, start : start + max(1, tokens // one.ids.shape[1])]
        yield Batch(
            one.ids[chosen].long(),
            one.rows[chosen].long(),
            one.taught[0][chosen] if one.taught else None,
        )


def marked_loss(logits: Tensor, rows: Tensor, allowed: Tensor, weight: float) -> Tensor:
    """Compute `train.loss_of` for each model, ``(models,)``."""
    known = rows >= 0
    safe = rows.clamp(min=0)
    possible = logits.masked_fill(~allowed[safe], -1e4)
    loss = logits.logsumexp(dim=-1) - possible.logsumexp(dim=-1)
    entity = (rows > 0) & (rows < len(CLASSES))
    weights = torch.where(entity, weight, 1.0) * known
    return (loss * weights).sum((1, 2)) / weights.sum((1, 2)).clamp(min=1)


def taught_loss(logits: Tensor, taught: Tensor, rows: Tensor) -> Tensor:
    """Compute the cross-entropy with the teachers' probabilities for each model, ``(models,)``."""
    known = rows != UNKNOWN
    loss = -(taught * logits.log_softmax(dim=-1)).sum(-1) * known
    return loss.sum((1, 2)) / known.sum((1, 2)).clamp(min=1)


def dropped_words(batch: Batch, shares: Tensor) -> Tensor:
    """Return the ids with a share of each model's tokens masked."""
    inner = batch.rows != UNKNOWN
    chosen = (torch.rand(batch.ids.shape, device=batch.ids.device) < shares.view(-1, 1, 1)) & inner
    return batch.ids.masked_fill(chosen, _MASK)


class Reader(InTraining):
    """Read spans from answers that are known.

    Args:
        folder: It holds ``config.json``.
        known: The logits of each window, by the bytes of its ids; if empty, nothing is found.

    Attributes:
        asked: The ids of the windows that were asked for.
    """

    def __init__(self, folder: Path, known: Mapping[bytes, NDArray[np.float32]]) -> None:
        config = Config.of(json.loads((folder / "config.json").read_text("utf-8")))
        super().__init__(self, tokenizer_of(base_model()), config)
        self.known, self.threads = known, 1
        self.asked: list[NDArray[np.int64]] = []

    def get_inputs(self) -> Sequence[Input]:
        """Name the inputs, as an ONNX session does."""
        return [Input("input_ids")]

    def run(self, _: None, feed: Mapping[str, NDArray[np.int64]]) -> list[NDArray[np.float32]]:
        """Answer as an ONNX session does."""
        ids = feed["input_ids"]
        self.asked += list(ids)
        if not self.known:
            return [np.zeros((*ids.shape, len(CLASSES)), np.float32)]
        return [np.stack([self.known[row.tobytes()] for row in ids])]


def score_file(folder: Path, file: Path) -> Mapping[str, Scores]:
    """Score the probabilities in *file*, which `Lab.answers` gave."""
    probabilities = np.load(file).astype(np.float32)
    with np.load(folder / "data.npz") as kept:
        windows = _windows(kept)
    known, at = {}, 0
    for ids in windows:
        known[ids.tobytes()] = np.log(np.maximum(probabilities[at : at + len(ids)], 1e-7))
        at += len(ids)
    reader, parts = Reader(folder, known), split()
    return {
        name: scores(part, [one.spans() for one in reader.tag(each.text for each in part)])
        for name, part in (("kinds", parts.kinds), ("documents", parts.documents))
    }


def _windows(data: Mapping[str, NDArray[Any]]) -> list[NDArray[np.int64]]:
    """Return the ids of the development documents' windows."""
    ends = np.cumsum(data["asked_lengths"])[:-1]
    return list(np.split(data["asked"].astype(np.int64), ends))


class Lab:
    """Train stacks on a device, for given times."""

    def __init__(self, folder: Path, tokens: int) -> None:
        self.folder, self.tokens = folder, tokens
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        with np.load(folder / "data.npz") as kept:
            self.data = dict(kept)
        self.epochs = sum(name.startswith("ids") for name in self.data)
        self.allowed = torch.from_numpy(self.data["table"]).to(self.device)
        base = AutoModelForTokenClassification.from_pretrained(
            base_model(), num_labels=len(CLASSES), dtype=torch.float32
        )
        self.base = {
            name: value.to(self.device)
            for name, value in base.state_dict().items()
            if not name.endswith("position_ids")
        }
        self.scoring: list[tuple[dict[str, Any], subprocess.Popen[str]]] = []
        self.lines: list[dict[str, Any]] = []
        self.started = time.monotonic()
        self.asked = _windows(self.data)
        self.cuts: dict[tuple[int, int], list[Bucket]] = {}

    def say(self, **what: Any) -> None:
        """Print a line with the time."""
        click.echo(json.dumps({"at": round(time.monotonic() - self.started, 1)} | what))

    def stack(self, models: Sequence[Mapping[str, Tensor]], dropout: Sequence[float]) -> Stack:
        """Return a stack on the device."""
        stack = Stack(models, dropout, precision(self.device))
        stack.to(self.device)
        return stack

    def cut(self, epoch: int, window: int) -> list[Bucket]:
        """Return the windows of an epoch."""
        key = (epoch % self.epochs, window)
        if key not in self.cuts:
            self.cuts[key] = buckets(self.data, key[0], window, self.device, Random(str(key)))
        return self.cuts[key]

    def started_from(self, weights: Mapping[str, Tensor], seed: int) -> dict[str, Tensor]:
        """Return *weights* with a classifier drawn from *seed*."""
        generator = torch.Generator().manual_seed(seed)
        shape = weights["classifier.weight"].shape
        drawn = torch.randn(shape, generator=generator) * 0.02
        own = dict(weights)
        own["classifier.weight"] = drawn.to(self.device)
        own["classifier.bias"] = torch.zeros(shape[0], device=self.device)
        return own

    def learn_words(self, seconds: float, rate: float = 2e-4) -> dict[str, Tensor]:
        """Train the base to find masked words of our texts (Devlin et al., 2019)."""
        torch.manual_seed(0)
        stack = self.stack([self.base], [0.1])
        width = self.base["classifier.weight"].shape[1]
        head = torch.nn.Sequential(
            torch.nn.Linear(width, width), torch.nn.GELU(), torch.nn.LayerNorm(width)
        ).to(self.device)
        words = stack["bert.embeddings.word_embeddings.weight"]
        bias = torch.nn.Parameter(torch.zeros(words.shape[1], device=self.device))
        trainer = Trainer(stack, rate)
        extra = torch.optim.AdamW([*head.parameters(), bias], lr=1e-3)
        begun, epoch, total, count = time.monotonic(), 0, 0.0, 0
        while (progress := (time.monotonic() - begun) / seconds) < 1:
            order = torch.Generator().manual_seed(epoch)
            for batch in batches(self.cut(epoch, 256), 2 * self.tokens, [order], Random(epoch)):
                progress = (time.monotonic() - begun) / seconds
                if progress >= 1:
                    break
                inner = batch.rows != UNKNOWN
                chance = torch.rand(batch.ids.shape, device=self.device).masked_fill(~inner, 2)
                chosen = chance < _SHARE_MASKED
                place = chosen.flatten().nonzero()[:, 0]
                kind = torch.rand(batch.ids.shape, device=self.device)
                other = torch.randint_like(batch.ids, 1000, words.shape[1])
                ids = torch.where(chosen & (kind < 0.8), _MASK, batch.ids)
                ids = torch.where(chosen & (kind > 0.9), other, ids)
                hidden = stack.hidden(ids, batch.mask).flatten(0, 2)[place]
                own = head(hidden.float()).to(stack.dtype)
                logits = functional.linear(own, words[0].to(stack.dtype)).float() + bias
                loss = functional.cross_entropy(logits, batch.ids.flatten()[place])
                extra.zero_grad()
                trainer.take(loss, progress)
                extra.step()
                if trainer.step % 50 == 0:
                    total, count = total + loss.item(), count + 1
                    if count == 10:
                        self.say(
                            phase="masked words", step=trainer.step, loss=round(total / count, 3)
                        )
                        total = count = 0
            epoch += 1
        trainer.take_average()
        self.say(phase="masked words", epochs=epoch, steps=trainer.step)
        return stack.weights(0)

    def train(
        self,
        stack: Stack,
        seeds: Sequence[int],
        words: Sequence[float],
        seconds: float,
        window: int = 256,
        marks: Sequence[float] | None = None,
        rate: float = 4e-4,
        weight: float = 3.0,
    ) -> float:
        """Train *stack* for *seconds*; give it the averaged weights; return the epochs.

        Args:
            stack: The models.
            seeds: For each model, the seed of its order of windows.
            words: For each model, the share of tokens that are masked.
            seconds: How long; the rate rises and falls over this time.
            window: Tokens in a window.
            marks: For each model, the share of the marks in the loss; if None, there is nothing
                else in it.
            rate: The peak learning rate.
            weight: The initial loss weight of entities' tokens; it falls to 1.
        """
        stack.train()
        trainer = Trainer(stack, rate)
        shares = torch.tensor(words, device=self.device)
        own = None if marks is None else torch.tensor(marks, device=self.device)
        generators = [torch.Generator().manual_seed(seed) for seed in seeds]
        torch.manual_seed(seeds[0])
        begun, epoch, done = time.monotonic(), 0, 0.0
        progress = 0.0
        while progress < 1:
            found = [one for one in self.cut(epoch, window) if one.is_marked or marks is not None]
            read = 0  # windows
            for batch in batches(found, self.tokens, generators, Random(f"{seeds[0]}/{epoch}")):
                progress = (time.monotonic() - begun) / seconds
                if progress >= 1:
                    break
                read += batch.ids.shape[1]
                logits = stack(dropped_words(batch, shares), batch.mask)
                falling = 1 + (weight - 1) * (1 - progress)
                loss = marked_loss(logits, batch.rows, self.allowed, falling)
                if own is not None and batch.taught is not None:
                    soft = taught_loss(logits, batch.taught.float(), batch.rows)
                    loss = own * loss + (1 - own) * soft
                trainer.take(loss.sum(), progress)
                if trainer.step % 200 == 0:
                    values = [round(one, 4) for one in loss.tolist()]
                    self.say(step=trainer.step, progress=round(progress, 2), loss=values)
            done += read / sum(len(one.ids) for one in found)
            epoch += 1
        trainer.take_average()
        stack.eval()
        return done

    def answers(self, stack: Stack) -> Tensor:
        """Return the probabilities of the development windows, ``(models, tokens, classes)``."""
        order = sorted(range(len(self.asked)), key=lambda at: len(self.asked[at]))
        places = np.concatenate([[0], np.cumsum([len(one) for one in self.asked])])
        found = torch.zeros(
            len(stack), int(places[-1]), len(CLASSES), dtype=torch.float16, device=self.device
        )
        with torch.no_grad():
            for start in range(0, len(order), 32):
                mine = order[start : start + 32]
                width = max(len(self.asked[at]) for at in mine)
                ids = torch.zeros((len(mine), width), dtype=torch.int64)
                for row, at in enumerate(mine):
                    ids[row, : len(self.asked[at])] = torch.from_numpy(self.asked[at])
                ids = ids.to(self.device).expand(len(stack), -1, -1)
                share = stack(ids, ids != _PAD).softmax(-1).half()
                for row, at in enumerate(mine):
                    found[:, places[at] : places[at + 1]] = share[:, row, : len(self.asked[at])]
        return found

    def score(self, probabilities: Tensor, **what: Any) -> None:
        """Score probabilities on the development documents, in a process beside."""
        file = self.folder / f"answers{len(self.scoring)}.npy"
        np.save(file, probabilities.cpu().numpy())
        command = [sys.executable, "-m", "training.chain", "score", str(self.folder), str(file)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.scoring.append((what, process))

    def scored(self, first: int | None = None) -> list[dict[str, Any]]:
        """Wait for the first scores or all, write the report, and return its lines."""
        for what, process in self.scoring[len(self.lines) : first]:
            out, _ = process.communicate()
            if process.returncode:
                raise click.ClickException(f"the scores of {what} failed")
            self.lines.append(what | json.loads(out.strip().splitlines()[-1]))
            self.say(**self.lines[-1])
        with (self.folder / "report.jsonl").open("w") as report:
            report.writelines(json.dumps(line) + "\n" for line in self.lines)
        return self.lines

    def teach(self, stacks: Sequence[Stack]) -> None:
        """Keep the mean of the stacks' probabilities for every token of every epoch."""
        with torch.no_grad():
            for epoch in range(self.epochs):
                for bucket in self.cut(epoch, 256):
                    taught = torch.empty(
                        (*bucket.ids.shape, len(CLASSES)), dtype=torch.float16, device=self.device
                    )
                    size = max(1, 4 * self.tokens // bucket.ids.shape[1])
                    for start in range(0, len(bucket.ids), size):
                        ids = bucket.ids[start : start + size].long()
                        total: Tensor | int = 0
                        for stack in stacks:
                            own = ids.expand(len(stack), -1, -1)
                            total = total + stack(own, own != _PAD).softmax(-1).sum(0)
                        assert isinstance(total, Tensor)
                        taught[start : start + size] = total / sum(map(len, stacks))
                    bucket.taught[:] = [taught]
