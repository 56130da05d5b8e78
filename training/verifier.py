"""Try a second reading of findings in wide context: the table in training/README.md.

    python -m training.verifier candidates build/verifier.jsonl --learn SET… --measure SET…
    python -m training.verifier learn build/verifier.jsonl --epochs 2 --tokens 192

The first finds what rules and model find in SETS (files as in ``benchmarks/``) and in the
development documents of the corpus, which neither the model nor the rules have learnt, with the
second scores of today (`presidio_cdip.recognition.rescoring`). The second learns to say whether a
candidate is right from the words around it. The network is the shipped model's, with a head for
one answer; it reads the entity's name and a window in which the candidate stands between two
marks. Then a logistic regression over the second score and the answer, fitted on documents of its
own, decides, and F1 on the sets to measure stands beside that of the second score alone.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import click
import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from tokenizers import Tokenizer
from torch import nn
from transformers import AutoModelForTokenClassification

from presidio_cdip.entities import ENTITIES
from presidio_cdip.recognition.finder import finder
from training.corpus import Document
from training.examples import tokenizer_of
from training.rescoring import of_benchmark
from training.restore import weights
from training.scoring import right
from training.splits import split
from training.train import base_model, fit_depth, precision

MODEL = Path(__file__).parents[1] / "presidio_cdip" / "models" / "cdip-minilm-l4-0.6.0"
LEARN, FIT, MEASURE = "learn", "fit", "measure"
_FIT = 5  # one of so many documents to learn from fits the regression instead
_BEGINS, _ENDS = 3, 4  # [unused2] and [unused3] of the vocabulary, around the candidate
_EASY = 0.97  # what the second score believes more than this is learnt from less often
_SHARE_EASY = 0.2


@dataclass(frozen=True, slots=True)
class Candidate:
    """Hold a finding.

    Attributes:
        part: Whether the network learns from its document, the regression does, or it measures.
        missed: Of the first candidate of a document, the marks that no candidate hits; else 0.
    """

    part: str
    document: str
    text: str
    start: int
    end: int
    entity: str
    score: float
    right: bool
    missed: int


def candidates(documents: Sequence[Document], part: str) -> Iterator[Candidate]:
    """Yield the findings of *documents*, whatever their scores."""
    find = finder()
    for number, document in enumerate(documents):
        mine = FIT if part == LEARN and number % _FIT == 0 else part
        spans = [one for one in find.find(document.text) if one.entity in ENTITIES]
        hits = right(document, spans)
        marks = sum(label in ENTITIES for *_, label in document.spans)
        missed = marks - sum(hits)
        for span, hit in zip(spans, hits, strict=True):
            yield Candidate(
                mine, document.id, document.text, span.start, span.end, span.entity,
                span.score, hit, missed,
            )  # fmt: skip
            missed = 0


class Verifier(nn.Module):  # type: ignore[misc]
    """Say of each window whether its candidate is right; the logit."""

    def __init__(self) -> None:
        super().__init__()
        model = AutoModelForTokenClassification.from_pretrained(
            base_model(), attn_implementation="sdpa", attention_probs_dropout_prob=0.0
        )
        found = weights(MODEL / "model.onnx")
        fit_depth(model, found)
        own = {name: one for name, one in found.items() if not name.startswith("classifier")}
        model.load_state_dict(own, strict=False)
        self.bert = model.bert
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(2 * model.config.hidden_size, 1))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the logits of *ids*, ``(windows, tokens)``."""
        states = self.bert(input_ids=ids, attention_mask=(ids != 0).long()).last_hidden_state
        begins = (ids == _BEGINS).float().argmax(dim=1)
        marked = states[torch.arange(len(ids)), begins]
        out: torch.Tensor = self.head(torch.cat([states[:, 0], marked], dim=1)).squeeze(1)
        return out


def window(candidate: Candidate, tokenizer: Tokenizer, tokens: int) -> list[int]:
    """Return the ids of the entity's name and of the text around *candidate*, of *tokens* each."""
    text, start, end = candidate.text, candidate.start, candidate.end

    def encode(part: str) -> list[int]:
        return list(tokenizer.encode(part, add_special_tokens=False).ids)

    name = encode(candidate.entity.replace("_", " ").lower())
    value = encode(text[start:end])[: tokens // 3]
    room = tokens - len(name) - len(value) - 5
    before = encode(text[max(0, start - 8 * room) : start])
    after = encode(text[end : end + 8 * room])
    half = room // 2
    left = before[-max(half, room - len(after)) :] if before else []
    right_ = after[: room - len(left)]
    first, last = tokenizer.encode("").ids
    return [first, *name, last, *left, _BEGINS, *value, _ENDS, *right_, last]


def padded(windows: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return *windows* as ``(windows, tokens)``."""
    width = max(map(len, windows))
    return torch.tensor([[*one, *([0] * (width - len(one)))] for one in windows])


def read_all(model: Verifier, windows: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """Return the logits of *windows*."""
    model.eval()
    order = sorted(range(len(windows)), key=lambda at: len(windows[at]))
    found = np.zeros(len(windows))
    for at in range(0, len(order), 16):
        places = order[at : at + 16]
        with torch.no_grad(), precision(torch.device("cpu")):
            found[places] = model(padded([windows[one] for one in places])).float().numpy()
    return found


def f1(rows: Sequence[Candidate], kept: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the candidates that are *kept*."""
    hits = sum(one.right for one, keep in zip(rows, kept, strict=True) if keep)
    marks = sum(one.right for one in rows) + sum(one.missed for one in rows)
    found = int(kept.sum())
    return hits / found, hits / marks, 2 * hits / (found + marks)


@click.group()
def main() -> None:
    """Try a second reading of findings."""


@main.command("candidates")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--learn", multiple=True, type=click.Path(exists=True, path_type=Path))
@click.option("--measure", multiple=True, type=click.Path(exists=True, path_type=Path))
def find_candidates(file: Path, learn: Sequence[Path], measure: Sequence[Path]) -> None:
    """Write the findings of the sets into FILE."""
    parts = split()
    with file.open("w") as out:
        for part, groups in (
            (LEARN, [parts.kinds, parts.documents, *map(of_benchmark, learn)]),
            (MEASURE, [*map(of_benchmark, measure)]),
        ):
            for documents in groups:
                for one in candidates(documents, part):
                    out.write(json.dumps(asdict(one)) + "\n")


@main.command("learn")
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--epochs", default=2, show_default=True)
@click.option("--tokens", default=192, show_default=True, help="Tokens of a window.")
@click.option("--rate", default=2e-4, show_default=True)
@click.option("--batch", default=16, show_default=True, help="Windows between two steps.")
@click.option("--seed", default=1, show_default=True)
def learn_from(file: Path, epochs: int, tokens: int, rate: float, batch: int, seed: int) -> None:
    """Learn from the candidates in FILE, and print what it gains."""
    torch.manual_seed(seed)
    rows = [Candidate(**json.loads(line)) for line in file.read_text("utf-8").splitlines()]
    tokenizer = tokenizer_of(base_model())
    by = {part: [one for one in rows if one.part == part] for part in (LEARN, FIT, MEASURE)}
    rng = Random(seed)
    mine = [
        one for one in by[LEARN] if not one.right or one.score < _EASY or rng.random() < _SHARE_EASY
    ]
    shown = {part: len(own) for part, own in by.items()}
    click.echo(f"{shown}, {len(mine)} to learn from, {sum(one.right for one in mine)} right")
    model = Verifier()
    windows = [window(one, tokenizer, tokens) for one in mine]
    answers = torch.tensor([float(one.right) for one in mine])
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    steps = epochs * -(-len(mine) // batch)
    warm = max(1, steps // 10)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda at: min((at + 1) / warm, max(0.0, (steps - at) / (steps - warm)))
    )
    measured = {
        part: [window(one, tokenizer, tokens) for one in by[part]] for part in (FIT, MEASURE)
    }
    for epoch in range(epochs):
        model.train()
        order = sorted(range(len(mine)), key=lambda at: len(windows[at]) + rng.random() * 40)
        groups = [order[at : at + batch] for at in range(0, len(order), batch)]
        rng.shuffle(groups)
        total = 0.0
        for places in groups:
            with precision(torch.device("cpu")):
                logits = model(padded([windows[one] for one in places])).float()
            loss = nn.functional.binary_cross_entropy_with_logits(logits, answers[places])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        click.echo(f"epoch {epoch + 1}: loss {total / len(groups):.4f}")
        _print(by, {part: read_all(model, own) for part, own in measured.items()})


def _print(by: dict[str, list[Candidate]], logits: dict[str, NDArray[np.float64]]) -> None:
    """Print F1 with and without the answers."""

    def second(part: str) -> NDArray[np.float64]:
        scores = np.clip(np.array([one.score for one in by[part]]), 1e-4, 1 - 1e-4)
        odds: NDArray[np.float64] = np.log(scores / (1 - scores))
        return odds

    truth = {part: np.array([one.right for one in by[part]]) for part in (FIT, MEASURE)}
    table = {
        "second score": {part: second(part)[:, None] for part in truth},
        "answer": {part: logits[part][:, None] for part in truth},
        "both": {part: np.stack([second(part), logits[part]], axis=1) for part in truth},
    }
    plain = np.array([one.score >= 0.4 for one in by[MEASURE]])
    click.echo(f"as now at .4: {_figures(by[MEASURE], plain)}")
    for name, own in table.items():
        fit = LogisticRegression().fit(own[FIT], truth[FIT])
        for least in (0.35, 0.4, 0.45, 0.5):
            kept = fit.predict_proba(own[MEASURE])[:, 1] >= least
            click.echo(f"{name} at {least}: {_figures(by[MEASURE], kept)}")


def _figures(rows: Sequence[Candidate], kept: NDArray[np.bool_]) -> str:
    return "P {:.4f} R {:.4f} F1 {:.4f}".format(*f1(rows, kept))


if __name__ == "__main__":
    main()
