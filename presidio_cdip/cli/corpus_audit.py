"""Measure how well two sets of documents are told apart: the command `corpus-audit`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from presidio_cdip.cli.corpus_sets import SAFE, SEED, SENSITIVE, read_sets, sentences_option
from presidio_cdip.cli.options import PACK
from presidio_cdip.cli.printing import note, print_table, printable, progress
from presidio_cdip.errors import ExitCode, InvalidOption

if TYPE_CHECKING:
    from presidio_cdip.privacy.encoder import Encoder
    from presidio_cdip.privacy.giveaways import Find
    from presidio_cdip.privacy.rankers import Ranker


@click.command("corpus-audit")
@SENSITIVE
@SAFE
@click.option(
    "--redact",
    is_flag=True,
    help="Also measure the sets after all entities (also a pack's own) are redacted; curves of "
    "rankers begin there.",
)
@click.option(
    "--ranker",
    "rankers",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder that corpus-train wrote, to measure it by level; may be given several times. "
    "Redaction at random is measured beside.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for corpus-audit.html, corpus-audit.json and corpus-audit.md.",
)
@click.option(
    "--show",
    type=click.IntRange(1),
    metavar="COUNT",
    help="Print the most distinguishing words. They are text of the documents.",
)
@click.option(
    "--fine-tuned",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="Also ask the network in FOLDER, in the format of Transformers, fine-tuned for it; needs "
    "torch, and an hour for 2,000 sentences of each set.",
)
@SEED
@sentences_option(2_000)
@PACK
@click.option(
    "--model",
    help='Folder of a model that --redact finds with, or "none" for the rules alone  '
    "[default: $PRESIDIO_CDIP_MODEL, else the shipped model]",
)
def corpus_audit(
    sensitive: Path,
    safe: Path,
    redact: bool,
    rankers: tuple[Path, ...],
    output: Path | None,
    show: int | None,
    fine_tuned: Path | None,
    seed: int,
    sentences: int,
    pack: Path | None,
    model: str | None,
) -> int:
    """Measure how well the sentences of SENSITIVE are told from those of SAFE.

    Each is a folder or a file: texts, page images and documents of all formats, and JSON Lines
    with a `text` in each line. Attackers are trained to tell the two apart; the worst one counts.
    Beside them stand the Rényi divergence, ε, and what both read for two halves of one set. All of
    it is an estimate for this pair of corpora, and no guarantee for a person.
    """
    from presidio_cdip.evaluation.writing import write_audit
    from presidio_cdip.privacy.attackers import ATTACKERS
    from presidio_cdip.privacy.audit import audit_pair, steps_of
    from presidio_cdip.privacy.encoder import Encoder
    from presidio_cdip.privacy.report import NAMES, SUMMARY, WARNING, report, summary

    encoder = Encoder()
    of_rankers = _rankers(rankers, encoder, seed)
    attackers = dict(ATTACKERS)
    if fine_tuned:
        from presidio_cdip.privacy.fine_tuned import by_fine_tuning

        attackers["fine-tuned"] = by_fine_tuning(fine_tuned, seed)
    find = _find(pack, model) if redact else None
    first, second, whole = read_sets(sensitive, safe, sentences, seed)
    with progress(steps_of(redact, len(of_rankers))) as advance:
        found = audit_pair(
            first, second, encoder=encoder, find=find, rankers=of_rankers, attackers=attackers,
            show=show or 0, seed=seed, advance=advance,
        )  # fmt: skip
    print_table(SUMMARY, summary(found))
    if found.words:
        print_table(("word", "weight"), [(word, f"{weight:+.2f}") for word, weight in found.words])
    note(WARNING)
    if output:
        write_audit(report(found), output, NAMES)
        note(f"{printable(str(output))}: {', '.join(NAMES)}")
    return ExitCode.NOTHING_FOUND if whole else ExitCode.UNREADABLE


def _rankers(folders: tuple[Path, ...], encoder: "Encoder", seed: int) -> "dict[str, Ranker]":
    from presidio_cdip.privacy.folders import load_ranker
    from presidio_cdip.privacy.rankers import RandomRanker

    found: dict[str, Ranker] = {}
    for folder in folders:
        name = folder.resolve().name
        if name in (*found, "random"):
            raise InvalidOption(f"--ranker: two folders are named {printable(name)}: rename one")
        found[name] = load_ranker(folder, encoder).ranker
    return found | {"random": RandomRanker(seed)} if found else {}


def _find(pack: Path | None, model: str | None) -> "Find":
    from functools import partial

    from presidio_cdip.recognition.finder import finder, least_score

    return partial(finder(pack, model).find, min_score=least_score())
