"""Redact the words that tell a set of documents from another: the command `corpus-redact`."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from presidio_cdip.cli.anonymize import replace_in_files, replacing_options
from presidio_cdip.cli.options import Analysis
from presidio_cdip.cli.printing import note

if TYPE_CHECKING:
    from presidio_cdip.privacy.giveaways import Giveaways
    from presidio_cdip.recognition.spans import Span


@dataclass(frozen=True, slots=True)
class _Ranked(Analysis):
    """The options of an analysis, with a ranker.

    Attributes:
        giveaways: Finds the words that the ranker redacts, alone or beside the entities.
    """

    giveaways: "Giveaways" = field(kw_only=True)

    def find_in_text(self) -> "Callable[[str], list[Span]]":
        """Return a function that finds the spans of a text."""
        return self.giveaways


@click.command("corpus-redact")
@click.option(
    "--ranker",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder that `corpus-train` wrote.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1),
    help="Share of the words of each sentence that is redacted, e.g. .2.",
)
@click.option(
    "--auc",
    type=click.FloatRange(0.5, 1),
    help="In place of --level: the least level at which no attacker on the ranker's card has a "
    "higher area under the ROC curve, e.g. .7.",
)
@click.option(
    "--giveaways-only",
    is_flag=True,
    help="Do not redact entities: the ranker alone chooses. Without it, all entities are replaced, "
    "and words that they cover count first.",
)
@replacing_options(
    click.option(
        "--policy",
        "policy_name",
        default="corpus",
        show_default=True,
        help="Policy for the findings: one that `presidio-cdip policies` lists, or a policy's "
        "file. A surrogate tells as much of its corpus as the original.",
    )
)
def corpus_redact(
    ranker: Path,
    level: float | None,
    auc: float | None,
    giveaways_only: bool,
    analysis: Analysis,
    **given: Any,
) -> int:
    """Redact the words of each FILE that tell its corpus from another one.

    All else is as in `redact`: texts, page images and documents are written to OUTPUT in the same
    format. Redact both sets at one level: what is redacted in one alone tells them apart.
    """
    from presidio_cdip.privacy.folders import load_ranker
    from presidio_cdip.privacy.giveaways import giveaways

    if (level is None) == (auc is None):
        raise click.UsageError("give either --level or --auc")
    find = None if giveaways_only else analysis.find_in_text()
    found = giveaways(load_ranker(ranker), level, auc, find)
    if level is None:
        note(f"--level {found.level:g}, by the curve of the ranker")
    options = {one.name: getattr(analysis, one.name) for one in fields(Analysis)}
    return replace_in_files(**given, analysis=_Ranked(**options, giveaways=found))
