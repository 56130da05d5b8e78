"""Treat a whole collection, and check the result: the commands `run` and `verify-run`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from presidio_cdip.cli.options import (
    FONTS,
    KEY,
    LOCALE,
    METHOD,
    NO_VERIFY,
    NOISE,
    POLICY,
    SCOPE,
    SCOPE_FROM,
    SET,
    Analysis,
    allow_unread_option,
    analysis_options,
    document_options,
    key_in,
    scopes_in,
)
from presidio_cdip.cli.printing import as_json, counted, emit, note, say
from presidio_cdip.errors import ExitCode

_GIGABYTE = 1 << 30


@click.command()
@click.argument("source", metavar="SRC")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DST",
    help="Folder or URL to write to; a run begun there is resumed.",
)
@POLICY
@SET
@METHOD
@NOISE
@FONTS
@KEY
@SCOPE
@SCOPE_FROM
@LOCALE
@NO_VERIFY
@allow_unread_option
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Documents that are treated at a time; each takes one core.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray", "dask"]),
    default="local",
    show_default=True,
    help="Where to run: on this machine, or on a cluster of Ray or Dask.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=300,
    show_default=True,
    help="Seconds that a document may take.",
)
@click.option(
    "--max-memory",
    type=click.FloatRange(0),
    default=4,
    show_default=True,
    help="Gigabytes of address space that a document, pack and model may take; 0 for no limit.",
)
@click.option(
    "--shard-size",
    type=click.IntRange(1, 4096),
    default=128,
    show_default=True,
    help="Files that are committed together.",
)
@click.option(
    "--sidecar",
    "sidecars",
    multiple=True,
    type=click.Choice(["text", "funsd", "textract", "docvqa", "hocr", "alto"]),
    help="Files that repeat the text of the page of the same name, and get the same surrogates; "
    "may be given several times.",
)
@click.option(
    "--copy",
    multiple=True,
    metavar="SUFFIX",
    help="Files, and columns of tables, that are copied as they are, such as .cls or label; may be "
    "given several times.",
)
@click.option(
    "--copy-unread",
    is_flag=True,
    help="Copy files that could not be read. They may hold anything.",
)
@click.option("--only-failed", is_flag=True, help="Retry only documents that failed.")
@document_options
@analysis_options
def run(
    source: str,
    output: str,
    policy_name: str,
    said: Sequence[str],
    method: str,
    noise: str,
    fonts: Path | None,
    key_file: Path | None,
    scope: str | None,
    scope_from: str | None,
    locale: str | None,
    no_verify: bool,
    allow_unread: bool,
    jobs: int,
    engine: str,
    timeout: float,
    max_memory: float,
    shard_size: int,
    sidecars: tuple[str, ...],
    copy: tuple[str, ...],
    copy_unread: bool,
    only_failed: bool,
    documents: dict[str, Any],
    analysis: Analysis,
) -> int:
    """Replace the findings in all documents of SRC, and write them to DST in the same layout.

    SRC is a folder, a tar, a zip, a Parquet file, or a URL of one. After an
    interruption, give the same command again: it continues. DST/_manifest says what was done to
    each file.
    """
    from presidio_cdip.cli.run_progress import shown
    from presidio_cdip.datasets import running
    from presidio_cdip.datasets.sources import Rules
    from presidio_cdip.datasets.supervision import Limits

    if analysis.threads is not None:
        raise click.UsageError("--threads is of one process: say by --jobs how many there are")
    scope_from, column = scopes_in(scope, scope_from)
    painting = {"method": method, "noise": noise, "faces": fonts, "scope_column": column}
    settings = analysis.settings(**painting, verify=not no_verify, **documents)
    treatment = _treatment(
        analysis, settings, policy_name, said, key_file, scope, scope_from, locale
    )
    job = running.Job(
        source, output, treatment, Rules(copy, sidecars),
        Limits(timeout, int(max_memory * _GIGABYTE)), shard_size, copy_unread, only_failed,
        engine, jobs,
    )  # fmt: skip
    outcome = _stoppable(job, shown)
    for problem in outcome.problems:
        say(problem)
    note(_summary(output, outcome))
    return _exit_code(outcome, allow_unread)


def _treatment(
    analysis: Analysis,
    settings: Any,
    policy_name: str,
    said: Sequence[str],
    key_file: Path | None,
    scope: str | None,
    scope_from: str | None,
    locale: str | None,
) -> Any:
    from presidio_cdip import steps
    from presidio_cdip.datasets.identity import Treatment
    from presidio_cdip.pack.pack import Pack
    from presidio_cdip.recognition.transformer import MODEL_VARIABLE
    from presidio_cdip.surrogates.keys import random_key
    from presidio_cdip.surrogates.policies import parse_changes

    key = key_in(key_file)
    changes = parse_changes(said)
    made = steps.steps(policy_name, key or random_key(), scope, locale, analysis.pack, changes)
    steps.check_usable(made)
    if key is None and any(one.operator == "surrogate" for one in made.values()):
        raise click.UsageError(
            "surrogates of a run need a key, or it could not go on: give --key-file; "
            "`presidio-cdip make-key FILE` makes one"
        )
    # Variables of this machine may not be set on others.
    overlay = Pack.open(analysis.pack).overlay
    model = analysis.model or os.environ.get(MODEL_VARIABLE)
    return Treatment(
        policy_name, changes, key, scope, scope_from, locale, overlay, model,
        tuple(analysis.entities), analysis.names, analysis.min_score, settings,
        "presidio_cdip.presidio.operators:carrier",
    )  # fmt: skip


def _stoppable(job: Any, shown: Any) -> Any:
    """Run *job*; when a signal ends it, say how to go on."""
    from presidio_cdip.datasets.running import run as run_job

    try:
        with shown() as watcher:
            return run_job(job, watcher)
    except Exception:
        raise
    except BaseException:  # Ctrl-C or SIGTERM
        note("stopped; committed shards stay, and the same command goes on after them")
        raise


def _summary(output: str, outcome: Any) -> str:
    states = outcome.totals.states
    listed = f"; `presidio-cdip verify-run {output}` says which" if _lost(outcome.totals) else ""
    return (
        f"{output}: {counted(states['done'], 'document')} written, "
        f"{counted(states['copied'], 'file')} copied, {states['failed']} failed, "
        f"{states['unread']} not read{listed}; seal {outcome.seal[:16]}"
    )


def _lost(totals: Any) -> int:
    """Return the number of files that were not treated as they should be."""
    return int(totals.states["failed"] + totals.states["unread"])


def _exit_code(outcome: Any, allow_unread: bool) -> ExitCode:
    totals = outcome.totals
    if totals.codes[ExitCode.STILL_READABLE]:
        return ExitCode.STILL_READABLE
    if _lost(totals) or outcome.problems or (totals.doubtful and not allow_unread):
        return ExitCode.UNREADABLE
    return ExitCode.FOUND if totals.found.total() else ExitCode.NOTHING_FOUND


@click.command("verify-run")
@click.argument("output", metavar="DST")
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="Format of the output.",
)
def verify_run(output: str, layout: str) -> int:
    """Check that the files in DST are those of the manifests of its run.

    Check hash chains, counts and output hashes; report files in no manifest.
    Ends with code 1 if something differs, and with 3 if something could not be read.
    """
    from presidio_cdip.datasets.verifying import verify

    checked = verify(output)
    if layout == "json":
        emit(
            as_json(
                {
                    **checked.totals.as_json(),
                    "written": checked.written,
                    "different": checked.different,
                    "unread": checked.unread,
                    "not_written": [
                        {"document": name, "problem": why} for name, why in checked.failed
                    ],
                    "in_part": [
                        {"document": name, "unread": count} for name, count in checked.doubtful
                    ],
                },
                indent=2,
            )
        )
    else:
        for line in (*checked.unread, *checked.different):
            emit(line)
        for name, why in checked.failed:
            emit(f"{name}: {why}")
        for name, count in checked.doubtful:
            emit(f"{name}: written with {counted(count, 'part')} that nothing read")
        emit(
            f"{counted(checked.written, 'file')} written, "
            f"{checked.totals.files - checked.written} not; "
            f"{counted(len(checked.different), 'difference')}"
        )
    if checked.unread:
        return ExitCode.UNREADABLE
    return ExitCode.FOUND if checked.different else ExitCode.NOTHING_FOUND
