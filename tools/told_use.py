"""Count in how many documents each rule of ``operators/phrases/told/`` decides a value.

    python -m tools.told_use                  # rules that decide in fewer than two documents
    python -m tools.told_use --fewer 4

The documents are those of the training corpus and of the sets in `benchmarks/`. What decides in one
of them alone was written for it, and helps next to nobody: of 610 rules that decided in at most one
of 4,400 documents, 13 decided anything in 81 later ones, of 2,689 values.
"""

from collections import defaultdict
from functools import lru_cache
from pathlib import Path

import click

from benchmarks.quality import Document, read
from benchmarks.surrogates import KEY
from presidio_cdip import steps
from presidio_cdip.entities import ENTITIES
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition import spans
from presidio_cdip.surrogates.drawing.context import Context
from presidio_cdip.surrogates.values.told import Rule, Told, told_forms
from training.corpus import documents
from training.scoring import judged

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
_KEY = KEY.decode()


@lru_cache(maxsize=1)
def pages() -> list[Document]:
    """Return the documents of the corpus that have a value, and those of the benchmarks."""
    corpus = [
        judged(one) for one in documents() if any(label in ENTITIES for *_, label in one.spans)
    ]
    sets = sorted(BENCHMARKS.glob("*.jsonl"))
    return [*corpus, *(document for file in sets for document in read(file))]


@click.command()
@click.option("--fewer", default=2, show_default=True, help="Documents.")
def main(fewer: int) -> None:
    """Print the rules that decide a value in fewer documents than so many."""
    used: dict[int, set[str]] = defaultdict(set)  # by the identity of a rule
    page = ""
    decide = Told.decide

    def counted(self: Told, value: str, context: Context, options: object) -> object:
        decided = decide(self, value, context, options)  # type: ignore[arg-type]
        if decided:
            used[id(decided[0])].add(page)
        return decided

    Told.decide = counted  # type: ignore[assignment, method-assign]
    for document in pages():
        page = document.id
        found = [spans.Span(s.start, s.end, s.label, 1.0, "marked") for s in document.spans]
        steps.anonymize(document.text, found, steps.steps("surrogate", _KEY, page))
    for entity in ENTITIES:
        for told in told_forms(entity, Pack.shipped()):
            for number, rule in enumerate(told.rules):
                if len(used[id(rule)]) < fewer and not rule.turned:
                    click.echo(_line(entity, number, len(used[id(rule)]), rule))


def _line(entity: str, number: int, count: int, rule: Rule) -> str:
    return f"{entity}\t{number}\t{count}\t{rule.value.pattern[:100]}"


if __name__ == "__main__":
    main()
