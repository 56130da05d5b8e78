"""The command `redact`: replace what is found in page images."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from presidio_cdip.cli.options import (
    KEY,
    NO_KEY,
    SCOPE,
    Analysis,
    allow_unread_option,
    analysis_options,
    imaging,
    key_in,
    unread_writing,
)
from presidio_cdip.cli.printing import note, print_table, printable, progress, say
from presidio_cdip.errors import OutputError, UnreadableInput
from presidio_cdip.files.accounts import Account, Done
from presidio_cdip.files.folders import Job, page_jobs, same_file
from presidio_cdip.files.outputs import write
from presidio_cdip.files.runs import run

if TYPE_CHECKING:
    from presidio_cdip.imaging.previews import Previews
    from presidio_cdip.imaging.redaction import FileReport

_Row = tuple[str, str, str, str]  # file and page, entity, method, why it was not painted


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="Folder to write to; for one page, also a file to write.",
)
@click.option(
    "--method",
    type=click.Choice(["surrogate", "white", "black", "paper", "telea", "navier-stokes"]),
    default="surrogate",
    show_default=True,
    help="What findings become: painted surrogates that look like the original print, or a way "
    "to erase.",
)
@click.option(
    "--noise",
    type=click.Choice(["fitted", "augraphy", "none"]),
    default="fitted",
    show_default=True,
    help="Noise of painted ink: fitted to the page, or that of Augraphy.",
)
@KEY
@SCOPE
@click.option(
    "--locale", default="en_US", show_default=True, help="Locale of names, places and dates."
)
@click.option(
    "--fonts",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder with faces.json and the typefaces to paint in  [default: the shipped ones]",
)
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write what became of each finding to this file, a line of JSON for each page.",
)
@click.option(
    "--preview",
    is_flag=True,
    help="Also write FILE.preview.png, before and after; it shows the originals.",
)
@click.option("--no-verify", is_flag=True, help="Do not read the finished pages again.")
@allow_unread_option
@click.option("--force", is_flag=True, help="Allow input files to be overwritten.")
@analysis_options(pages=True)
def redact(
    files: Sequence[Path],
    output: Path,
    method: str,
    noise: str,
    key_file: Path | None,
    scope: str | None,
    locale: str,
    fonts: Path | None,
    report: Path | None,
    preview: bool,
    no_verify: bool,
    allow_unread: bool,
    force: bool,
    analysis: Analysis,
) -> int:
    """Replace what is found in each image FILE, in all its frames, and write it to OUTPUT.

    Files of folders keep their places within it; PDFs and broken images there are reported, other
    documents left alone. Format, mode, resolution and compression stay. Finished pages are read
    again; one on which an original can still be read is not written.
    """
    from presidio_cdip.surrogates.engine import Surrogates
    from presidio_cdip.surrogates.keys import random_key

    redaction, previews = imaging("redaction"), imaging("previews")
    if method == redaction.SURROGATE:
        given = key_in(key_file)
        if given is None:
            say(NO_KEY)
        key = given or random_key()

    def redaction_options(name: str) -> Any:
        options: dict[str, Any] = {"method": method, "noise": noise, "verify": not no_verify}
        if fonts:
            options["faces"] = fonts
        if method == redaction.SURROGATE:
            options["surrogates"] = Surrogates(
                key, name if scope is None else scope, locale, pack=analysis.pack
            )
        return redaction.RedactionOptions(**options)

    redaction_options("-")  # raises now if scope, locale or fonts cannot be used
    jobs = page_jobs(files, output, redaction.SUFFIXES, force)
    pages = [job for job in jobs if isinstance(job.source, Path)]
    sources = [job.source for job in pages if isinstance(job.source, Path)]
    if report and not force and any(same_file(report, source) for source in sources):
        raise click.BadParameter("is a file to be read", param_hint="--report")
    if not jobs:
        raise click.UsageError("there is no image among the named files")
    account: Account[_Row] = Account(lambda problem, file: say(problem))
    for job in jobs:
        if isinstance(job.source, UnreadableInput):
            account.skip(job.source.file, job.source)
    engine = analysis.engine() if pages else None

    def work(job: Job) -> Done[_Row]:
        assert job.target
        shown: Previews | None = previews.Previews() if preview else None
        job.target.parent.mkdir(parents=True, exist_ok=True)
        done: FileReport = redaction.redact_file(
            job.source,
            job.target,
            engine,
            redaction_options(job.name),
            min_score=analysis.min_score,
            language=analysis.ocr_language,
            max_pixels=analysis.max_pixels,
            watch=shown.add if shown else None,
        )
        return _done(done, job, shown, allow_unread)

    try:
        with progress(len(pages)) as advance:
            run(pages, work, account, advance=advance)
    finally:  # the report also tells what was done before an error stopped the run
        if report:
            lines = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in account.lines)
            write(lines.encode("utf-8", "surrogatepass"), report)
    if rows := account.findings:
        print_table(("file", "entity", "method", "why not painted"), rows)
    not_done = f", {len(account.problems)} pages or files not" if account.problems else ""
    note(f"{output}: {len(rows)} findings treated in {account.done} files{not_done}")
    return account.exit_code()


def _done(
    report: "FileReport", job: Job, previews: "Previews | None", allow_unread: bool
) -> Done[_Row]:
    def write_preview() -> None:
        if previews and job.target:
            try:
                previews.write(job.target)
            except OSError as error:
                problem = error.strerror or "cannot be written"
                raise OutputError(f"the preview of {job.target}", problem) from None

    return Done(
        findings=[
            (printable(f"{job.source}, page {page.index}"), one.entity, one.method, one.reason)
            for page in report.pages
            for one in page.treated
        ],
        lines=[page.as_json() for page in report.pages],
        problems=report.problems,
        warnings=[
            unread_writing(page.name, page.index, len(page.unread))
            for page in report.pages
            if page.unread and not allow_unread
        ],
        finish=write_preview,
    )
