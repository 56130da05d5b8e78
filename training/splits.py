"""Split the corpus into training and development documents, and check for near-duplicates.

    python -m training.splits                   # counts, and near-duplicates across the splits
    python -m training.splits --jsonl kinds     # the documents of one, as JSON Lines

Each document's header names its split:

* ``split=kinds``: a development document of a kind that is never trained on; these kinds were
  drawn at random.
* ``split=documents``: a development document of a kind that is also trained on; one document in
  twenty, by the hash of its name.
* ``split=training``: all other documents.
* ``split=none``: not used. The other document of its pair is trained on, and they share a sentence.

`drawn` decides the split of a new document.

Documents of different splits must not be near-duplicates. The Jaccard similarity of their five-word
shingles is estimated by MinHash (Broder, 1997); candidates come from locality-sensitive hashing
with `datasketch`.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random

import click

from training.corpus import SPLITS, CorpusError, Document, documents

_ONE_IN = 20
_ALIKE = 0.5  # similarity of shingles; two documents that share a sentence on purpose are below it
_SHINGLE = 5  # words


@dataclass(frozen=True, slots=True)
class Splits:
    """Hold the parts of the corpus.

    Attributes:
        training: Documents to learn from.
        kinds: Development documents of kinds that are never trained on.
        documents: Development documents of kinds that are also trained on.
    """

    training: Sequence[Document]
    kinds: Sequence[Document]
    documents: Sequence[Document]


def split() -> Splits:
    """Return the corpus of this folder, split as its headers say."""
    parts: dict[str, list[Document]] = {name: [] for name in (*SPLITS, "")}
    for document in documents():
        parts[document.split].append(document)
    return Splits(parts["training"], parts["kinds"], parts["documents"])


def drawn(corpus: Sequence[Document]) -> list[Document]:
    """Return *corpus* with a split for each document that had none.

    A development document loses its split if the other document of its pair is trained on.
    """
    held_out = {document.kind for document in corpus if document.split == "kinds"}
    placed = [one if one.split else replace(one, split=_lot(one, held_out)) for one in corpus]
    taught = {pair(one) for one in placed if one.split == "training"} - {""}
    return [
        replace(one, split="none") if one.split != "training" and pair(one) in taught else one
        for one in placed
    ]


def _lot(document: Document, held_out: Set[str]) -> str:
    if document.kind in held_out:
        return "kinds"
    digest = sha256((pair(document) or document.id.split("/")[1]).encode()).digest()
    return "documents" if int.from_bytes(digest[:4]) % _ONE_IN == 0 else "training"


def pair(document: Document) -> str:
    """Return the name of the pair that *document* belongs to, or ""."""
    match = re.search(r"/(pair-\w+)-[ab]$", document.id)
    return match[1] if match else ""


def shuffled(seed: int) -> list[Document]:
    """Return the training documents in the order in which a run with *seed* takes a fraction."""
    found = list(split().training)
    Random(seed).shuffle(found)
    return found


def with_empty(documents: Sequence[Document], count: int, share: float) -> list[Document]:
    """Return *count* of *documents*, the first of each sort: *share* of them without an entity.

    Raises:
        ValueError: There are too few of a sort.
    """
    left = {True: round(count * share), False: count - round(count * share)}
    found = []
    for document in documents:
        if left[document.bare]:
            left[document.bare] -= 1
            found.append(document)
    if any(left.values()):
        raise ValueError(f"{sum(left.values())} documents of {count} are missing")
    return found


def near_duplicates(
    one: Sequence[Document], other: Sequence[Document]
) -> Iterator[tuple[str, str, float]]:
    """Yield ids of near-duplicates, one from each sequence, with their similarity."""
    from datasketch import MinHash, MinHashLSH

    def sketch(text: str) -> MinHash:
        words = re.findall(r"\w+", text.lower())
        size = min(_SHINGLE, len(words))
        found = MinHash(num_perm=128)
        found.update_batch(
            [" ".join(words[at : at + size]).encode() for at in range(len(words) - size + 1)]
        )
        return found

    index = MinHashLSH(threshold=_ALIKE, num_perm=128)
    sketches = {document.id: sketch(document.text) for document in one}
    for name, found in sketches.items():
        index.insert(name, found)
    for document in other:
        mine = sketch(document.text)
        for name in index.query(mine):
            if (alike := sketches[name].jaccard(mine)) >= _ALIKE:
                yield name, document.id, alike


@click.command()
@click.option(
    "--jsonl", type=click.Choice(["training", "kinds", "documents"]), help="Print this split."
)
def main(jsonl: str | None) -> None:
    """Count the splits, and refuse near-duplicates across them."""
    try:
        splits = split()
    except CorpusError as error:
        raise click.ClickException(str(error)) from None
    if jsonl:
        for document in getattr(splits, jsonl):
            click.echo(json.dumps(document.as_json(), ensure_ascii=False))
        return
    for name in ("training", "kinds", "documents"):
        part = getattr(splits, name)
        bare = sum(document.bare for document in part)
        kinds = len({document.kind for document in part})
        click.echo(f"{name}: {len(part)} documents of {kinds} kinds, {bare} without a span")
    held_out = [*splits.kinds, *splits.documents]
    found = list(near_duplicates(splits.training, held_out))
    for one, other, alike in found:
        click.echo(f"near-duplicates: {one} and {other}: {alike:.2f}", err=True)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
