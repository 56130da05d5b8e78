"""Measure the agreement of two readers: Cohen's kappa per token, and F1 of spans.

    python -m training.agreement

The first reading is the corpus. The second reading, of some of its documents, was made blind, from
the text alone; it is in ``training/second_reading.txt`` under the same ids. A token is a run of
letters and digits; its label is that of the span around it, or none. Kappa is Cohen's over all
tokens and labels ("A Coefficient of Agreement for Nominal Scales", 1960), or for one label against
the rest. Spans agree if they have the same label and share at least half of the shorter one. Names
were not read a second time, and are left out.
"""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from presidio_cdip.entities import ENTITIES
from training.corpus import Document, documents, read

SECOND = Path(__file__).parent / "second_reading.txt"
_TOKEN = re.compile(r"\w+")
NONE = "none"


def _entities(document: Document) -> list[tuple[int, int, str]]:
    return [span for span in document.spans if span[2] in ENTITIES]


def tokens(document: Document) -> list[str]:
    """Return the label of each token, `NONE` outside spans."""
    labels = []
    for token in _TOKEN.finditer(document.text):
        inside = (
            label
            for start, end, label in _entities(document)
            if start < token.end() and token.start() < end
        )
        labels.append(next(inside, NONE))
    return labels


def kappa(first: Sequence[str], second: Sequence[str]) -> float:
    """Compute Cohen's kappa of two readings of the same tokens.

    >>> kappa(["a", "b", "a", "b"], ["a", "b", "b", "b"])
    0.5
    """
    total = len(first)
    agreed = sum(map(str.__eq__, first, second)) / total
    one, other = Counter(first), Counter(second)
    by_chance = sum(one[label] * other[label] for label in one) / total**2
    return 1.0 if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)


def agreeing(one: Document, other: Document) -> int:
    """Count the spans of *one* that agree with a span of *other*, each paired once."""
    left = _entities(other)
    found = 0
    for start, end, label in _entities(one):
        for span in left:
            shared = min(end, span[1]) - max(start, span[0])
            if span[2] == label and 2 * shared >= min(end - start, span[1] - span[0]):
                left.remove(span)
                found += 1
                break
    return found


@click.command()
def main() -> None:
    """Compare the second reading with the corpus."""
    corpus = {document.id: document for document in documents()}
    pairs = [(corpus[second.id], second) for second in read(SECOND) if second.id in corpus]
    if changed := [one.id for one, other in pairs if one.text != other.text]:
        raise click.ClickException(f"the texts differ: {', '.join(changed)}")
    first = [label for one, _ in pairs for label in tokens(one)]
    second = [label for _, other in pairs for label in tokens(other)]
    counts = [[len(_entities(one)) for one in pair] for pair in pairs]
    spans = sum(first for first, _ in counts), sum(second for _, second in counts)
    hits = sum(agreeing(one, other) for one, other in pairs)
    click.echo(f"{len(pairs)} documents, {len(first)} tokens, {spans[0]} and {spans[1]} spans")
    click.echo(f"kappa {kappa(first, second):.3f}, F1 of spans {2 * hits / sum(spans):.3f}")
    for label in sorted({*first, *second} - {NONE}):
        one, other = ([str(found == label) for found in reading] for reading in (first, second))
        tokens_of = first.count(label), second.count(label)
        click.echo(
            f"{label:24} kappa {kappa(one, other):.3f}  tokens {tokens_of[0]}, {tokens_of[1]}"
        )


if __name__ == "__main__":
    main()
