"""Make the weights that tell a phrase's class, from the labelled phrases.

    python -m tools.phrases            # operators/phrases/classes.npz
    python -m tools.phrases --check    # how often the class of an unseen phrase is right

``training/phrases.tsv`` has a line for each phrase of the corpus: entity, text before, phrase, text
after, syntax and polarity, and kind. ``training/phrase_words.tsv`` adds words and lists of the pack
(``@health_symptoms``) that teach a class, and phrases for classes of which the corpus has few.
"""

import csv
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.lists import terms
from presidio_cdip.surrogates.values.classes import BITS, SYNTAX, features

ROOT = Path(__file__).parents[1]
LABELS = ROOT / "training/phrases.tsv"
WORDS = ROOT / "training/phrase_words.tsv"
TARGET = ROOT / "operators/phrases/classes.npz"
EPOCHS, BATCH, RATE, PENALTY = 12, 64, 0.25, 0.05


@dataclass(frozen=True, slots=True)
class Labelled:
    """A line of the labels."""

    entity: str
    before: str
    phrase: str
    after: str
    syntax: str
    kind: str


def read() -> list[Labelled]:
    """Return the labels; line breaks are written as ⏎ in the file."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [Labelled(*(cell.replace("⏎", "\n") for cell in row)) for row in rows]


def words() -> list[Labelled]:
    """Return the added words and phrases, each without surroundings."""
    found = []
    for line in WORDS.read_text(encoding="utf-8").splitlines()[1:]:
        entity, syntax, kind, listed = line.split("\t")
        for term in listed.split("|"):
            for one in terms(term[1:], Pack.shipped()) if term.startswith("@") else (term,):
                found.append(Labelled(entity, "", one, "", syntax, kind))
    return found


def train(
    examples: Sequence[Labelled], label: Callable[[Labelled], int], classes: int
) -> npt.NDArray[np.float32]:
    """Return the weights of a multinomial logistic regression, by Adagrad on the log loss.

    Each example counts twice: with the text around it, and alone.
    """
    inputs = [np.array(features(one.phrase, one.before, one.after)) for one in examples]
    inputs += [np.array(features(one.phrase, None, None)) for one in examples]
    labels = np.array([label(one) for one in examples] * 2)
    rng = np.random.default_rng(0)
    weights = np.zeros((1 << BITS, classes), np.float32)
    squares = np.full_like(weights, 1e-6)
    order = np.arange(len(inputs))
    for _ in range(EPOCHS):
        rng.shuffle(order)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            rows = np.concatenate([inputs[one] for one in batch])
            owner = np.repeat(np.arange(len(batch)), [len(inputs[one]) for one in batch])
            scores = np.zeros((len(batch), classes), np.float32)
            np.add.at(scores, owner, weights[rows])
            chances = np.exp(scores - scores.max(1, keepdims=True))
            chances /= chances.sum(1, keepdims=True)
            chances[np.arange(len(batch)), labels[batch]] -= 1
            unique, inverse = np.unique(rows, return_inverse=True)
            slope = np.zeros((len(unique), classes), np.float32)
            np.add.at(slope, inverse, chances[owner])
            slope += PENALTY * weights[unique]
            squares[unique] += slope * slope
            weights[unique] -= RATE * slope / np.sqrt(squares[unique])
    return weights


def predicted(weights: npt.NDArray[np.float32], one: Labelled, *, alone: bool) -> int:
    """Return the class with the greatest score."""
    context = (None, None) if alone else (one.before, one.after)
    return int(weights[np.array(features(one.phrase, *context))].sum(0).argmax())


def syntax_of(one: Labelled) -> int:
    """Return the index of the syntax."""
    return SYNTAX.index(one.syntax.lstrip("-"))


def kinds_of(examples: Sequence[Labelled]) -> list[str]:
    """Return the kinds, sorted."""
    return sorted({one.kind for one in examples})


def kind_in(kinds: list[str]) -> Callable[[Labelled], int]:
    """Return a function that gives the index of an example's kind."""
    return lambda one: kinds.index(one.kind)


def check(examples: Sequence[Labelled]) -> None:
    """Print accuracies on a fifth of the labels that the weights have not seen."""
    order = np.random.default_rng(1).permutation(len(examples))
    test = [examples[one] for one in order[: len(order) // 5]]
    rest = [examples[one] for one in order[len(order) // 5 :]] + words()

    def print_one(name: str, label: Callable[[Labelled], int], n: int, entity: str = "") -> None:
        mine = [one for one in rest if not entity or one.entity == entity]
        weights = train(mine, label, n)
        tried = [one for one in test if not entity or one.entity == entity]
        for alone in (False, True):
            right = sum(predicted(weights, one, alone=alone) == label(one) for one in tried)
            print(f"{name:24} {'alone' if alone else 'in context':10} {right / len(tried):.3f}")

    print_one("syntax", syntax_of, len(SYNTAX))
    for entity in sorted({one.entity for one in examples}):
        kinds = kinds_of([one for one in examples if one.entity == entity])
        print_one(entity, kind_in(kinds), len(kinds), entity)


def write_weights(examples: Sequence[Labelled]) -> None:
    """Write ``classes.npz``: weights in 8 bits."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}

    def add(name: str, weights: npt.NDArray[np.float32]) -> None:
        scale = float(np.quantile(np.abs(weights), 0.9999)) / 127
        arrays[name] = np.clip(np.rint(weights / scale), -127, 127).astype(np.int8)
        arrays[f"{name} scale"] = np.array(scale, np.float32)

    add("SYNTAX", train(examples, syntax_of, len(SYNTAX)))
    for entity in sorted({one.entity for one in examples}):
        mine = [one for one in examples if one.entity == entity]
        kinds = kinds_of(mine)
        add(entity, train(mine, kind_in(kinds), len(kinds)))
        arrays[f"{entity} kinds"] = np.array(kinds)
    arrays["labels"] = np.array(fingerprint())
    np.savez_compressed(TARGET, **arrays)  # type: ignore[arg-type]


def fingerprint() -> int:
    """Return a number that tells the labels and words that the weights are made from."""
    return zlib.crc32(LABELS.read_bytes() + WORDS.read_bytes())


def main() -> None:
    """Check, or write."""
    examples = read()
    if "--check" in sys.argv[1:]:
        check(examples)
    else:
        write_weights(examples + words())


if __name__ == "__main__":
    main()
