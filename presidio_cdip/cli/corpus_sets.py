"""Read the two sets of documents that the commands on corpora take."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from presidio_cdip.cli.printing import counted, note, printable, report_problem
from presidio_cdip.errors import CdipError

if TYPE_CHECKING:
    from presidio_cdip.privacy.sentences import SentenceSet

_PLACE = click.Path(path_type=Path, exists=True)

SENSITIVE = click.argument("sensitive", type=_PLACE)
SAFE = click.argument("safe", type=_PLACE)
SEED = click.option("--seed", default=0, show_default=True, help="Seed of all random choices.")


def sentences_option(default: int) -> Callable[[Any], Any]:
    """Return the option --sentences, with its *default*."""
    return click.option(
        "--sentences",
        type=click.IntRange(1),
        default=default,
        show_default=True,
        help="Sentences to use of each set: a random sample if it has more.",
    )


def read_sets(
    sensitive: Path, safe: Path, sentences: int, seed: int
) -> "tuple[SentenceSet, SentenceSet, bool]":
    """Return both sets, and whether all of their files could be read whole.

    Says on standard error how many sentences there are, which files could not be read, and how many
    could not be read, or not whole.
    """
    from presidio_cdip.privacy.sentences import read_set

    def report(error: CdipError) -> None:
        report_problem(error, "")

    sets = []
    for path in (sensitive, safe):
        one = read_set(path, limit=sentences, seed=seed, report=report)
        sampled = f", {len(one)} of them drawn at random" if one.seen > len(one) else ""
        note(f"{printable(one.name)}: {one.sources} documents, {one.seen} sentences{sampled}")
        if one.unread:
            files = counted(one.unread, "file")
            note(
                f"{printable(one.name)}: {files} could not be read, or not whole; what could "
                "not is left out (analyze says what)"
            )
        sets.append(one)
    return sets[0], sets[1], not (sets[0].unread or sets[1].unread)
