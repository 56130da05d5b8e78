"""Report the contents of a collection, and the effect of redaction on it: the command `audit`."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from presidio_cdip.cli.options import (
    Analysis,
    allow_unread_option,
    analysis_options,
    reading_options,
)
from presidio_cdip.cli.printing import note, printable, progress, report_problem
from presidio_cdip.errors import ExitCode

if TYPE_CHECKING:
    from presidio_cdip.evaluation.inquiry import Inquiry, Predict

_FILE = click.Path(path_type=Path, dir_okay=False)


def _named(context: click.Context, option: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """Read ``NAME=PATH``; without a name, the file's or folder's own is taken."""
    found: dict[str, str] = {}
    for one in given:
        name, separator, path = one.partition("=")
        if not separator:
            name, path = Path(one).resolve().stem, one
        if not (name and path) or name in found:
            raise click.BadParameter("give each one a name of its own, as NAME=PATH")
        found[name] = path
    return found


@click.command()
@click.argument("sources", nargs=-1, metavar="[SRC]…")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for audit.html, audit.json and audit.md.",
)
@click.option(
    "--reports",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Report that `anonymize --report` wrote, or the folder that `run` wrote, in place of "
    "reading the files again; may be given several times.",
)
@click.option(
    "--before",
    metavar="SRC",
    help="Collection before redaction; it is read as a SRC, and compared with --after.",
)
@click.option(
    "--after",
    multiple=True,
    callback=_named,
    metavar="[NAME=]DST",
    help="The same after redaction; several, by NAME of the method, are compared with each other.",
)
@click.option(
    "--gold",
    multiple=True,
    type=_FILE,
    help="Marked documents (JSON Lines) on which tools are compared.",
)
@click.option(
    "--presidio",
    is_flag=True,
    help="Compare with Presidio's predefined recognizers, too.",
)
@click.option(
    "--findings",
    multiple=True,
    callback=_named,
    metavar="[NAME=]FILE",
    help="Findings of another tool in the marked documents (JSON Lines with id and spans).",
)
@click.option(
    "--annotator",
    "annotators",
    multiple=True,
    type=_FILE,
    help="Documents as one annotator marked them; give two or more, to see how far they agree.",
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    help="Read a simple random sample of this many documents, and estimate the rest.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the sample.")
@click.option(
    "--class-size",
    "k",
    default=5,
    show_default=True,
    type=click.IntRange(2),
    help="Count a document as at risk if fewer documents share its quasi-identifiers.",
)
@click.option(
    "--clip",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of a CLIP model, as transformers saves it, by which pages are compared, too.",
)
@click.option(
    "--page-classifier",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of a classifier of page images, such as DiT, whose labels are compared.",
)
@allow_unread_option
@reading_options
@analysis_options
def audit(
    sources: Sequence[str],
    output: Path,
    reports: Sequence[Path],
    before: str | None,
    after: dict[str, str],
    gold: Sequence[Path],
    presidio: bool,
    findings: dict[str, str],
    annotators: Sequence[Path],
    sample: int | None,
    seed: int,
    k: int,
    clip: Path | None,
    page_classifier: Path | None,
    allow_unread: bool,
    documents: dict[str, Any],
    analysis: Analysis,
) -> int:
    """Report the contents of the collections SRC, in tables and figures, without their text.

    Each SRC is a folder, archive, file or URL, as `run` takes it, and a dataset of its own. With
    --before and --after, also what redaction kept and lost. Reading pages takes seconds each: for
    large collections, give the --reports of the run that redacted them, or --sample.
    """
    from presidio_cdip.evaluation.page_models import page_models
    from presidio_cdip.evaluation.writing import NAMES, write_audit

    _check_use(sources, reports, before, after, gold, presidio, findings, annotators, sample)
    if (clip or page_classifier) and not after:
        raise click.UsageError("--clip and --page-classifier need --before and --after")
    inquiry = _inquiry(analysis, documents, seed, k)
    inquiry.models = page_models(clip, page_classifier)
    if reports:
        inquiry.read_reports(reports)
    if places := [*sources, *([before] if before else [])]:
        _read(inquiry, places, after, sample, output)
    if annotators:
        inquiry.read_annotators(annotators)
    if gold:
        files = {name: Path(file) for name, file in findings.items()}
        inquiry.compare_tools(gold, files, _tools(presidio), analysis.entities)
    write_audit(inquiry.result(), output)
    note(f"{printable(str(output))}: {', '.join(NAMES)}")
    return _exit_code(inquiry, allow_unread)


def _read(
    inquiry: "Inquiry",
    places: Sequence[str],
    after: dict[str, str],
    sample: int | None,
    output: Path,
) -> None:
    from presidio_cdip.cli.audit_sources import items

    with ExitStack() as stack:
        found = items(places, stack, output)
        redacted = {name: items([place], stack) for name, place in after.items()}
        if sample:
            found = inquiry.sample(found, sample)
        with progress(len(found) * (1 + 2 * len(after))) as advance:
            inquiry.read(found, advance, keep=bool(after))
            if after:
                inquiry.compare(found, redacted, advance)


def _check_use(
    sources: Sequence[str],
    reports: Sequence[Path],
    before: str | None,
    after: dict[str, str],
    gold: Sequence[Path],
    presidio: bool,
    findings: dict[str, str],
    annotators: Sequence[Path],
    sample: int | None,
) -> None:
    if not (sources or reports or before or gold or annotators):
        raise click.UsageError("name a SRC, or give --reports, --before, --gold or --annotator")
    if bool(before) != bool(after):
        raise click.UsageError("--before and --after need each other")
    if before and sources:
        raise click.UsageError("--before takes the place of SRC")
    if (sample and not (sources or before)) or (sample and reports):
        raise click.UsageError("--sample draws from SRC or --before alone")
    if (presidio or findings) and not gold:
        raise click.UsageError("--presidio and --findings need --gold")
    if len(annotators) == 1:
        raise click.UsageError("agreement needs two annotators: give --annotator again")


def _inquiry(analysis: Analysis, documents: dict[str, Any], seed: int, k: int) -> "Inquiry":
    from presidio_cdip.evaluation.inquiry import Inquiry
    from presidio_cdip.recognition.finder import finder

    return Inquiry(
        analysis.find_in_text(),
        analysis.settings(**documents),
        finder(analysis.pack, analysis.model, analysis.threads).found_by,
        report_problem,
        seed,
        k,
    )


def _tools(presidio: bool) -> "dict[str, Predict]":
    if not presidio:
        return {}
    from presidio_cdip.presidio.stock import stock_tool

    name, tool = stock_tool()
    return {name: tool}


def _exit_code(inquiry: "Inquiry", allow_unread: bool) -> int:
    of = inquiry.collected
    if unread := of.unread_documents.total():
        note(f"{unread} documents with writing or parts that nothing read, so not clean")
    if not inquiry.whole or (unread and not allow_unread):
        return ExitCode.UNREADABLE
    return ExitCode.FOUND if of.values else ExitCode.NOTHING_FOUND
