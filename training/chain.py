"""Make the shipped model: teachers that differ, and students that learn from their mean.

    python -m training.chain prepare build/chain       # tokens of augmented epochs; no GPU needed
    python -m training.chain learn build/chain         # teachers and students; 11 minutes of a GPU
    python -m training.export build/chain/four MODEL

`prepare` writes what each epoch reads: the corpus with values drawn again and noise, public sets,
and unmarked prose. `learn` trains `TEACHERS` from the base, takes the mean of their probabilities
for every token of every epoch, and trains `STUDENTS` of six layers on it and on the marks (Hinton,
Vinyals and Dean, *Distilling the Knowledge in a Neural Network*, 2015). Students of four layers
learn from the same teachers, and then from the students of six (Mirzadeh et al., *Improved
Knowledge Distillation via Teacher Assistant*, 2020). What is kept of students is the mean of their
weights, in ``six/`` and ``four/``. ``report.jsonl`` has a line with scores for each model.

Each phase has a share of the time (``--seconds``), so that a GPU that is there for a while is used
whole and never overrun; the report says how many epochs that were. A CPU would need a day.
"""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.examples import Example, Maker, Targets, read_public, tokenizer_of
from training.lab import FREE, Lab, Reader, score_file
from training.noise import Noise
from training.splits import split
from training.stack import Stack
from training.train import SHARED, Settings, base_model, config_of, examples_of

_EPOCHS = 12  # that are prepared; learning goes through them again and again
_WHOLE = 1 << 20  # tokens: a window of this size is a whole document
_JUDGMENTS = 46  # the others measure
_FOUR = (0, 1, 2, 5)  # the layers that students of four keep
_TOO_WEAK = 0.02  # of F1 below the best teacher
_SHARES = {"words": 0.066, "256": 0.256, "512": 0.105, "six": 0.197, "four": 0.164, "again": 0.212}
_SETTINGS = Settings(
    epochs=_EPOCHS,
    rate=4e-4,
    weight=3.0,
    window=256,
    overlap=64,
    seed=1,
    batch=4096,
    fraction=1.0,
    public=True,
    augment=True,
)


@dataclass(frozen=True, slots=True)
class Teacher:
    """Say how a teacher is trained.

    Attributes:
        dropout: The share of activations that are dropped.
        words: The share of tokens that are masked.
        window: Tokens in a window.
        masked: Whether it first learns to find masked words of our texts.
    """

    name: str
    seed: int
    dropout: float = 0.1
    words: float = 0.0
    window: int = 256
    masked: bool = False


@dataclass(frozen=True, slots=True)
class Student:
    """Say how a student is trained.

    Attributes:
        marks: The share of the marks in its loss; the teachers have the rest.
        words: The share of tokens that are masked.
    """

    name: str
    seed: int
    marks: float
    words: float = 0.0


TEACHERS = (
    Teacher("plain", 1),
    Teacher("plain", 2),
    Teacher("dropout .2", 3, dropout=0.2),
    Teacher("dropout .2", 4, dropout=0.2),
    Teacher("words .15", 5, words=0.15),
    Teacher("words .15", 6, words=0.15),
    Teacher("masked first", 7, masked=True),
    Teacher("masked first", 8, masked=True),
    Teacher("windows 512", 9, window=512),
    Teacher("windows 512", 10, window=512),
)
STUDENTS = (
    Student("half marks", 11, 0.5),
    Student("teachers alone", 12, 0.0),
    Student("words .15", 13, 0.3, words=0.15),
)
AGAIN = (
    Student("half marks", 21, 0.5),
    Student("fewer marks", 22, 0.3),
    Student("half marks", 23, 0.5),
)


def unmarked() -> list[Example]:
    """Return the unmarked texts of ``../shared/data``: judgments, case reports, prose of 1961."""
    found = []
    for name, first in (
        ("echr_judgments", _JUDGMENTS),
        ("case_reports", None),
        ("topic_prose", None),
    ):
        file = SHARED / f"{name}.jsonl"
        if not file.is_file():
            click.echo(f"../shared/data/{file.name} is absent: left out", err=True)
            continue
        found += [Example(one.text, (), frozenset()) for one in read_public(file)[:first]]
    return found


def epoch_of(seed: int) -> tuple[NDArray[Any], ...]:
    """Return the tokens of an epoch, their targets, the documents' lengths and the targets' table.

    The last is ``(targets, classes)``: the classes that a target allows.
    """
    torch.set_num_threads(1)
    marked, targets = examples_of(_SETTINGS), Targets()
    maker = Maker(tokenizer_of(base_model()), _WHOLE, targets, Noise.load())
    for example in marked:
        targets.unmarked(example.annotated)
    ids: list[int] = []
    rows: list[int] = []
    lengths = []
    for is_free, examples in ((False, marked), (True, unmarked())):
        for window in maker.epoch(examples, seed + is_free * 500):
            own = window.ids[1:-1]
            ids += own
            rows += [FREE] * len(own) if is_free else window.targets[1:-1]
            lengths.append(len(own))
    return (
        np.array(ids, np.uint16),
        np.array(rows, np.int8),
        np.array(lengths, np.int32),
        np.array(targets.table),
    )


def prepare(folder: Path, workers: int) -> None:
    """Write the epochs and the windows of the development documents to ``data.npz``."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_config(folder, "")
    with ProcessPoolExecutor(workers) as pool:
        epochs = list(pool.map(epoch_of, range(1000, 1000 + _EPOCHS)))
    kept: dict[str, NDArray[Any]] = {"table": epochs[0][3]}
    for at, (ids, rows, lengths, _) in enumerate(epochs):
        kept |= {f"ids{at}": ids, f"rows{at}": rows, f"lengths{at}": lengths}
    reader = Reader(folder, {})
    parts = split()
    for _ in reader.tag(one.text for one in [*parts.kinds, *parts.documents]):
        pass  # the reader keeps the windows it is asked for
    kept["asked"] = np.concatenate(reader.asked).astype(np.uint16)
    kept["asked_lengths"] = np.array([len(one) for one in reader.asked], np.int32)
    np.savez(folder / "data.npz", **kept)  # type: ignore[arg-type]
    click.echo(f"{sum(len(one[0]) for one in epochs):,} tokens")


def _write_config(folder: Path, layers: str) -> None:
    """Write what `export` needs, but the weights."""
    data = config_of(replace(_SETTINGS, layers=layers))
    (folder / "config.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    tokenizer_of(base_model()).save(str(folder / "tokenizer.json"))


def kept_layers(weights: Mapping[str, Tensor], layers: Sequence[int]) -> dict[str, Tensor]:
    """Return *weights* with only some of the layers."""
    found = {}
    for name, value in weights.items():
        if not name.startswith("bert.encoder.layer."):
            found[name] = value
            continue
        layer, _, rest = name.removeprefix("bert.encoder.layer.").partition(".")
        if int(layer) in layers:
            found[f"bert.encoder.layer.{layers.index(int(layer))}.{rest}"] = value
    return found


def learn(folder: Path, tokens: int, seconds: float) -> None:
    """Train teachers and students for *seconds*; cutting, teaching and scoring take more."""
    lab = Lab(folder, tokens)
    times = {name: share * seconds for name, share in _SHARES.items()}
    teachers, start = _teachers(lab, times)
    lab.teach(teachers)
    del teachers
    six = _students(lab, "six", [start] * len(STUDENTS), STUDENTS, times["six"])
    few = kept_layers(start, _FOUR)
    four = _students(lab, "four", [few] * len(STUDENTS), STUDENTS, times["four"])
    lab.teach([lab.stack(six, [0.0] * len(six)).eval()])
    _students(lab, "four", four, AGAIN, times["again"], rate=3e-4)
    lab.scored()


def _teachers(lab: Lab, times: Mapping[str, float]) -> tuple[list[Stack], dict[str, Tensor]]:
    """Train the teachers; return those that teach, and the weights of the best.

    Of those with windows of 256 tokens, which had more epochs, the weak ones do not teach.
    """
    words = lab.learn_words(times["words"])
    made: dict[int, Stack] = {}
    answers = []
    for window in (256, 512):
        mine = [one for one in TEACHERS if one.window == window]
        starts = [lab.started_from(words if one.masked else lab.base, one.seed) for one in mine]
        made[window] = lab.stack(starts, [one.dropout for one in mine])
        epochs = lab.train(
            made[window],
            [one.seed for one in mine],
            [one.words for one in mine],
            times[str(window)],
            window=window,
        )
        answers.append(lab.answers(made[window]))
        for one, own in zip(mine, answers[-1], strict=True):
            lab.score(own, model="teacher", name=one.name, seed=one.seed, epochs=epochs)
    mean = torch.cat(answers).float().mean(0).half()
    lab.score(mean, model="teachers", name="mean of all")
    count = len(made[256])
    f1 = [line["kinds"]["f1"] for line in lab.scored(count)]
    good = [made[256].weights(at) for at in range(count) if f1[at] > max(f1) - _TOO_WEAK]
    best = made[256].weights(f1.index(max(f1)))
    return [lab.stack(good, [0.0] * len(good)).eval(), made[512]], best


def _students(
    lab: Lab,
    name: str,
    starts: Sequence[Mapping[str, Tensor]],
    students: Sequence[Student],
    seconds: float,
    rate: float = 4e-4,
) -> list[dict[str, Tensor]]:
    """Train students; write the mean of their weights to *name*; return the students' weights."""
    stack = lab.stack(starts, [0.1] * len(students))
    epochs = lab.train(
        stack,
        [one.seed for one in students],
        [one.words for one in students],
        seconds,
        marks=[one.marks for one in students],
        rate=rate,
        weight=1.0,
    )
    made = [stack.weights(at) for at in range(len(students))]
    mean = {key: torch.stack([one[key] for one in made]).mean(0) for key in made[0]}
    answers = lab.answers(lab.stack([*made, mean], [0.0] * (len(made) + 1)).eval())
    names = [*(one.name for one in students), "mean of the weights"]
    for one, own in zip(names, answers, strict=True):
        lab.score(own, model=name, name=one, epochs=epochs)
    run = lab.folder / name
    run.mkdir(exist_ok=True)
    _write_config(run, ",".join(map(str, _FOUR)) if stack.depth == len(_FOUR) else "")
    torch.save({key: value.cpu() for key, value in mean.items()}, run / "weights.pt")
    card = {
        "epochs": f"{epochs:.1f} epochs in its last phase",
        "commands": [
            "python -m training.chain prepare RUNS",
            "python -m training.chain learn RUNS",
        ],
    }
    (run / "made.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    return made


@click.group()
def main() -> None:
    """Make the shipped model."""


@main.command("prepare")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--workers", default=2, show_default=True)
def prepare_command(folder: Path, workers: int) -> None:
    """Write what `learn` reads to FOLDER."""
    prepare(folder, workers)


@main.command("learn")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--tokens", default=4096, show_default=True, help="Tokens in a model's batch.")
@click.option("--seconds", default=540.0, show_default=True, help="Time of training.")
def learn_command(folder: Path, tokens: int, seconds: float) -> None:
    """Train teachers and students from what `prepare` wrote to FOLDER."""
    learn(folder, tokens, seconds)


@main.command("score")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
def score_command(folder: Path, file: Path) -> None:
    """Print the scores of the probabilities in FILE on the development documents."""
    click.echo(json.dumps(score_file(folder, file)))


if __name__ == "__main__":
    main()
