"""Measure what redaction does to a classifier of documents.

    python -m benchmarks.datasets_utility [--policy surrogate --policy redact]

The documents are those of the benchmark sets whose kind says one of the classes in `CLASSES`. They
are treated as `presidio-cdip run` treats them, with the shipped model, and classified by
`presidio_cdip.evaluation.utility`: TF-IDF and logistic regression, each document tested unseen.

* **flips**: documents that a classifier trained on originals gives another label when redacted.
* **change**: mean change of its confidence in the label that it gave the original.
* **accuracy**: trained and tested on originals; **lost**: points less when trained on redacted
  documents and tested on originals.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import numpy as np

from benchmarks.quality import header, print_facts, print_markdown, print_table
from presidio_cdip.datasets.frames import Piece
from presidio_cdip.datasets.identity import Treatment
from presidio_cdip.datasets.manifest import DONE
from presidio_cdip.datasets.treatment import Treating
from presidio_cdip.evaluation.utility import measure

KEY = b"a key for this benchmark alone, not secret"
CLASSES = {
    "form": ("form", "application", "card", "sheet", "questionnaire", "certificate"),
    "hearing": ("transcript", "minutes", "deposition", "interview"),
    "letter": ("letter",),
    "message": ("memo", "mail", "telex", "fax", "telegram"),
    "press": ("obituary", "clipping", "newspaper", "announcement", "press"),
    "report": ("report", "summary", "evaluation"),
    "trade": ("invoice", "price list", "order", "budget", "table", "receipt", "ledger"),
    "vita": ("vitae", "resume", "biograph"),
}
COLUMNS = ("policy", "documents", "changed", "flips", "change", "accuracy", "trained redacted")


def label(kind: str) -> str | None:
    """Return the class of a kind of document; None where no class, or several, are named.

    >>> label("business letter"), label("recipe"), label("letter of application")
    ('letter', None, None)
    """
    found = [name for name, words in CLASSES.items() if any(word in kind for word in words)]
    return found[0] if len(found) == 1 else None


def labelled(files: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield class and text of each document that has a class."""
    for file in files:
        for line in file.read_text().splitlines():
            document = json.loads(line)
            if name := label(document["kind"]):
                yield name, document["text"]


def redacted(texts: Sequence[str], policy: str, model: str | None) -> list[str]:
    """Return *texts* as a run writes them.

    Raises:
        RuntimeError: One of them was not written.
    """
    treating = Treating(Treatment(key=KEY, policy=policy, model=model))
    made = []
    for number, text in enumerate(texts):
        [(head, data)] = treating(str(number), [Piece(f"{number}.txt", "", text.encode())])
        if head["state"] != DONE:
            raise RuntimeError(f"document {number}: {head['problem']}")
        made.append(data.decode())
    return made


def row(policy: str, labels: Sequence[str], texts: Sequence[str], model: str | None) -> list[str]:
    """Return the row of a policy."""
    after = redacted(texts, policy, model)
    found = measure(policy, "text", labels, texts, after)
    assert found is not None
    changed = sum(one != other for one, other in zip(texts, after, strict=True))
    lost = 100 * (found.original - found.to_original)
    return [
        policy, str(found.documents), str(changed), str(found.flips),
        f"{np.mean(np.abs(found.changes)):.4f}", f"{found.original:.3f}",
        f"{found.to_original:.3f} ({lost:+.1f} points lost)",
    ]  # fmt: skip


@click.command()
@click.option("--policy", "policies", multiple=True, default=["surrogate", "label", "redact"])
@click.option("--model", help="As of `presidio-cdip run`.")
@click.option("--markdown", is_flag=True, help="Print in Markdown.")
def main(policies: Sequence[str], model: str | None, markdown: bool) -> None:
    """Print the table."""
    pairs = list(labelled(sorted(Path(__file__).parent.glob("*.jsonl"))))
    labels, texts = ([pair[side] for pair in pairs] for side in (0, 1))
    rows = [row(policy, labels, texts, model) for policy in policies]
    print_facts(header() | {"documents": f"{len(texts)}, {len(set(labels))} classes"}, markdown)
    (print_markdown if markdown else print_table)(COLUMNS, rows)


if __name__ == "__main__":
    main()
