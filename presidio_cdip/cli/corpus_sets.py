"""The two sets of documents that the commands on corpora take, and how they are read."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from presidio_cdip.cli.printing import note, printable, report_problem
from presidio_cdip.errors import CdipError

if TYPE_CHECKING:
    from presidio_cdip.privacy.sentences import SentenceSet

_PLACE = click.Path(path_type=Path, exists=True)

SENSITIVE = click.argument("sensitive", type=_PLACE)
SAFE = click.argument("safe", type=_PLACE)
SENTENCES = click.option(
    "--sentences",
    type=click.IntRange(1),
    default=5_000,
    show_default=True,
    help="Sentences of each set that are used; of more, a random sample.",
)


def read_sets(
    sensitive: Path, safe: Path, sentences: int, seed: int
) -> "tuple[SentenceSet, SentenceSet, bool]":
    """Return both sets, and whether all of their files could be read.

    Says on standard error how many sentences there are, and which files could not be read.
    """
    from presidio_cdip.privacy.sentences import read_set

    problems: list[CdipError] = []

    def report(error: CdipError) -> None:
        report_problem(error, "")
        problems.append(error)

    sets = []
    for path in (sensitive, safe):
        one = read_set(path, limit=sentences, seed=seed, report=report)
        sampled = f", {len(one)} of them drawn at random" if one.seen > len(one) else ""
        note(f"{printable(one.name)}: {one.sources} documents, {one.seen} sentences{sampled}")
        sets.append(one)
    return sets[0], sets[1], not problems
