"""Compare lengths and overlaps of the windows in which the model reads a text, without training.

    python -m training.windows benchmarks/unseen_o.jsonl benchmarks/unseen_p.jsonl

The model alone reads all documents of the SETS. *Tokens* is how many it reads in relation to one
reading of each word: what it costs. F1 is the micro average over the 18 entities; *spurious* counts
spans in 10,000 characters of documents without any mark.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from benchmarks import quality
from presidio_cdip.entities import ENTITIES
from presidio_cdip.recognition.finder import model_at
from presidio_cdip.recognition.transformer import TokenClassifier

_SHAPES = (
    (64, 0), (64, 16), (64, 32), (128, 0), (128, 16), (128, 32), (128, 64),
    (256, 0), (256, 16), (256, 32), (256, 64), (256, 128), (512, 0), (512, 32), (512, 128),
)  # fmt: skip
"""Length and overlap in tokens; the model's positions end at 512."""


def row_of(documents: Sequence[quality.Document], window: int, overlap: int) -> str:
    """Return the row of the table for windows of *window* tokens that share *overlap*."""
    shipped = model_at()
    if shipped is None:
        raise click.ClickException("there is no model")
    model = TokenClassifier(shipped.folder)
    model.__dict__["config"] = replace(shipped.config, window=window, overlap=overlap)
    found = [
        [quality.Span(one.start, one.end, one.entity) for one in tagged.spans()]
        for tagged in model.tag(document.text for document in documents)
    ]
    score = quality.score(documents, found, tuple(ENTITIES))
    room = window - 2
    cost = room / (room - overlap)
    return (
        f"| {window} | {overlap} | {cost:.2f} | {score.spans.precision:.3f} | "
        f"{score.spans.recall:.3f} | {score.spans.f1:.3f} | {score.spurious_per_10k or 0:.1f} |"
    )


@click.command()
@click.argument("sets", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def main(sets: Sequence[Path]) -> None:
    """Print a table of windows for the documents of SETS."""
    documents = [document for file in sets for document in quality.read(file)]
    click.echo("| window | overlap | tokens | precision | recall | F1 | spurious / 10k |")
    click.echo("| --: | --: | --: | --: | --: | --: | --: |")
    for window, overlap in _SHAPES:
        click.echo(row_of(documents, window, overlap))


if __name__ == "__main__":
    main()
