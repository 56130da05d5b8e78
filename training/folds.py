"""Cross-predict the corpus, and list where its marks and models disagree.

    python -m training.folds build/folds --fraction 0.1 --epochs 4 > disagreements.tsv

The corpus is cut into five folds. For each fold a model of four layers, as the shipped one has,
learns from a fraction of the other four, and reads the documents of the fold. Two kinds of
disagreement are listed, the strongest first:

* ``mark``: a mark that the model does not believe. The score is the highest probability that the
  model gives the mark's label in it.
* ``prediction``: a span that the model finds where no mark of its label is. The score is the mean
  probability of its words.

A disagreement is a place to look at: the mark, the model, or the guidelines may be at fault. Names
are left out. A fold whose file is in RUNS is not trained again.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

import click

from presidio_cdip.entities import ENTITIES
from presidio_cdip.recognition.transformer import Tagged
from training.corpus import Document, documents
from training.examples import Example
from training.splits import pair

FOLDS = 5
_AROUND = 80  # characters of context on either side
_WHITE = str.maketrans("\n\t", "⏎⇥")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Hold a span on which the corpus and a model disagree.

    Attributes:
        id: The document's.
        side: ``mark`` or ``prediction``: who has the span.
        score: What the model believes of the span, in [0, 1].
        start: Offset of its first character, in code points.
        end: Offset after its last character.
    """

    id: str
    label: str
    side: str
    score: float
    start: int
    end: int

    @property
    def strength(self) -> float:
        """Return how sure the model is that the corpus is wrong, in [0, 1]."""
        return 1 - self.score if self.side == "mark" else self.score

    def line(self, text: str) -> str:
        """Return the disagreement with its context, in columns separated by tabs."""
        before = text[max(0, self.start - _AROUND) : self.start]
        value, after = text[self.start : self.end], text[self.end : self.end + _AROUND]
        context = f"{before}[[{value}]]{after}".translate(_WHITE)
        return "\t".join([self.id, self.label, self.side, f"{self.score:.3f}", context])


def fold(document: Document) -> int:
    """Return the fold of *document*; two documents of a pair are in one."""
    digest = sha256((pair(document) or document.id).encode()).digest()
    return int.from_bytes(digest[:4]) % FOLDS


def disagreements(document: Document, tagged: Tagged) -> Iterator[Disagreement]:
    """Yield the disagreements of the marks of *document* with a model's prediction for it."""
    found = tagged.spans(among=ENTITIES)
    marks = [span for span in document.spans if span[2] in ENTITIES]
    for start, end, label in marks:
        if not any(s.entity == label and s.start < end and start < s.end for s in found):
            score = tagged.belief(label, start, end)
            yield Disagreement(document.id, label, "mark", score, start, end)
    for one in found:
        if not any(label == one.entity and s < one.end and one.start < e for s, e, label in marks):
            yield Disagreement(document.id, one.entity, "prediction", one.score, one.start, one.end)


def predicted(
    number: int, corpus: Sequence[Document], folder: Path, fraction: float, epochs: int
) -> list[Disagreement]:
    """Train on a fraction of the other folds, and return the disagreements of this one."""
    from training.train import InTraining, Run, Session, Settings  # they need torch

    others = [one for one in corpus if fold(one) != number]
    Random(number).shuffle(others)
    others = others[: round(len(others) * fraction)]
    settings = Settings(
        epochs=epochs,
        rate=3e-4,
        weight=3.0,
        window=256,
        overlap=64,
        seed=1 + number,
        batch=512,
        fraction=fraction,
        public=False,
        augment=True,
        layers="0,1,2,5",
    )
    run = Run(folder, settings, [Example.of(one) for one in others])
    while run.epoch < epochs:
        click.echo(f"fold {number}: loss {run.learn():.4f} in epoch {run.epoch}", err=True)
    reader = InTraining(Session(run.average), run.tokenizer, run.config)
    mine = [one for one in corpus if fold(one) == number]
    tags = reader.tag(one.text for one in mine)
    return [
        found
        for document, tagged in zip(mine, tags, strict=True)
        for found in disagreements(document, tagged)
    ]


@click.command()
@click.argument("runs", type=click.Path(path_type=Path))
@click.option("--fraction", default=0.1, show_default=True, help="Fraction of the other folds.")
@click.option("--epochs", default=4, show_default=True)
@click.option("--count", default=400, show_default=True, help="Disagreements to print.")
def main(runs: Path, fraction: float, epochs: int, count: int) -> None:
    """Train a model for each fold in the folder RUNS, and print the strongest disagreements."""
    corpus = documents()
    found: list[Disagreement] = []
    for number in range(FOLDS):
        file = runs / f"fold{number}.json"
        if not file.is_file():
            made = predicted(number, corpus, runs / f"run{number}", fraction, epochs)
            file.write_text(json.dumps([asdict(one) for one in made]))
        found += (Disagreement(**one) for one in json.loads(file.read_text()))
    texts = {one.id: one.text for one in corpus}
    for one in sorted(found, key=lambda one: -one.strength)[:count]:
        click.echo(one.line(texts[one.id]))
    marks = sum(one.side == "mark" for one in found)
    click.echo(f"{marks} marks and {len(found) - marks} predictions in all", err=True)


if __name__ == "__main__":
    main()
