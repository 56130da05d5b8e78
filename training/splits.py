"""Which documents teach and which develop, and that neither contains the other.

    python -m training.splits                   # counts, and near-duplicates across the splits
    python -m training.splits --jsonl kinds     # the documents of one, as JSON Lines

A kind named in ``development_kinds.txt`` is never trained on. Of the other kinds, one document in
twenty, by its name's hash, develops too. A document of a pair whose other half teaches develops
nothing: they share a sentence. Two documents of different splits may not be
near-duplicates: Jaccard similarity of their five-word shingles is estimated by MinHash (Broder,
1997) and searched for by locality-sensitive hashing with `datasketch`.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import click

from training.corpus import Document, documents

KINDS = Path(__file__).parent / "development_kinds.txt"
_ONE_IN = 20
_ALIKE = 0.5  # of shingles; two documents that share a sentence on purpose lie below
_SHINGLE = 5  # words


@dataclass(frozen=True, slots=True)
class Splits:
    """The corpus, divided.

    Attributes:
        training: Documents to learn from.
        kinds: Development documents of kinds that are never trained on.
        documents: Development documents of kinds that are.
    """

    training: Sequence[Document]
    kinds: Sequence[Document]
    documents: Sequence[Document]


def development_kinds() -> frozenset[str]:
    """The kinds, in plain words, that nothing is trained on."""
    lines = KINDS.read_text("utf-8").splitlines()
    return frozenset(line.replace("-", " ") for line in lines if line and line[0] != "#")


def split() -> Splits:
    """The corpus of this folder, divided."""
    held_out = development_kinds()
    parts: tuple[list[Document], list[Document], list[Document]] = [], [], []
    for document in documents():
        digest = sha256((pair(document) or document.id.split("/")[1]).encode()).digest()
        chosen = int.from_bytes(digest[:4]) % _ONE_IN == 0
        parts[1 if document.kind in held_out else 2 if chosen else 0].append(document)
    taught = {pair(document) for document in parts[0]} - {""}
    developing = ([one for one in part if pair(one) not in taught] for part in parts[1:])
    return Splits(parts[0], *developing)


def pair(document: Document) -> str:
    """The pair that *document* is one half of, or ""."""
    match = re.search(r"/(pair-\w+)-[ab]$", document.id)
    return match[1] if match else ""


def near_duplicates(
    one: Sequence[Document], other: Sequence[Document]
) -> Iterator[tuple[str, str, float]]:
    """Ids of documents, one of each sequence, that are nearly the same, and how far."""
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
    "--jsonl", type=click.Choice(["training", "kinds", "documents"]), help="Print this one."
)
def main(jsonl: str | None) -> None:
    """Count the splits, and refuse near-duplicates across them."""
    splits = split()
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
