"""Learn which words tell one set of documents from another: the command `corpus-train`."""

from pathlib import Path

import click

from presidio_cdip.cli.corpus_sets import SAFE, SEED, SENSITIVE, read_sets, sentences_option
from presidio_cdip.cli.printing import note, print_table, printable
from presidio_cdip.errors import ExitCode


@click.command("corpus-train")
@SENSITIVE
@SAFE
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for ranker.npz and card.json; no word of a document is in them.",
)
@click.option(
    "--by",
    type=click.Choice(("contribution", "iterated", "kl", "tfidf")),
    default="contribution",
    show_default=True,
    help="How to rank words. kl needs torch for training; no ranker needs it for use.",
)
@SEED
@sentences_option(5_000)
def corpus_train(
    sensitive: Path, safe: Path, output: Path, by: str, seed: int, sentences: int
) -> int:
    """Learn which words tell the documents of SENSITIVE from those of SAFE.

    Each is a folder or a file: texts, page images and documents of all formats, and JSON Lines
    with a `text` in each line. The ranker is written to OUTPUT, with a card: how well attackers
    tell the two apart on sentences that it was not trained on, by level of redaction.
    `corpus-redact` uses it.
    """
    from presidio_cdip.privacy.training import train_ranker

    first, second, whole = read_sets(sensitive, safe, sentences, seed)
    trained = train_ranker(first, second, by, seed=seed)
    trained.save(output)
    attackers = list(trained.card.curve[0].auc)
    print_table(
        ("level", "redacted", *(f"AUC by {name}" for name in attackers)),
        [
            (
                f"{point.level:.1f}",
                f"{point.redacted:.0%}",
                *(f"{point.auc[name]:.3f}" for name in attackers),
            )
            for point in trained.card.curve
        ],
    )
    for one in (trained.card.sensitive, trained.card.safe):
        if one.cut_documents:
            note(
                f"{printable(one.name)}: fewer than five documents, in all or held out, were cut "
                "into parts: the curves are of parts of documents that were learnt, not of new ones"
            )
    note("An estimate for this pair of corpora, and no guarantee for a person; .5 is guessing.")
    note(f"{printable(str(output))}: ranker.npz, card.json")
    return ExitCode.NOTHING_FOUND if whole else ExitCode.UNREADABLE
