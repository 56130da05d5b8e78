"""Replace the findings in files of all kinds: the command `anonymize`, also called `redact`."""

import json
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from presidio_cdip.cli.options import (
    FONTS,
    KEY,
    LOCALE,
    METHOD,
    NO_KEY,
    NO_NAMES,
    NO_VERIFY,
    NOISE,
    POLICY,
    SCOPE,
    SCOPE_FROM,
    SET,
    Analysis,
    Command,
    allow_unread_option,
    analysis_options,
    at_least_one,
    document_options,
    key_in,
    scopes_in,
    vault_in,
    vault_option,
)
from presidio_cdip.cli.printing import counted, note, print_table, progress, report_problem, say
from presidio_cdip.cli.restore import check_kept, check_output
from presidio_cdip.errors import VaultError
from presidio_cdip.files.accounts import Account
from presidio_cdip.files.folders import IMAGES, same_file, writing_jobs
from presidio_cdip.files.inputs import STANDARD_INPUT
from presidio_cdip.files.outputs import write
from presidio_cdip.files.runs import SKIPPED, run

if TYPE_CHECKING:
    from presidio_cdip.cli.replacing import Row


_BY_REVIEW = frozenset(
    {
        *("policy_name", "said", "method", "noise", "scope_from", "locale", "vault_file"),
        *("preview", "similarity", "no_verify", "flatten", "accept_changes", "keep_unknown"),
        *("json_keys", "entities", "min_score", "names", "extras", "ocr_language"),
    }
)
"""The options that a review decides, or that it does not go with."""


_FILES = click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]…")
_OUTPUT = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Folder to write to; for one file, also a file to write. Needed unless the text is read "
    "from standard input.",
)
_VAULT = vault_option("Encrypted file of the originals, for `restore`; needs a key file.")
_REPORT = click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the replacement of each finding to this file, a JSON line for each file or page.",
)
_PREVIEW = click.option(
    "--preview",
    is_flag=True,
    help="Of texts and documents, also write FILE.preview.txt, with ⟦original → new⟧, of page "
    "images FILE.preview.png, before and after; they show the originals.",
)
_SIMILARITY = click.option(
    "--similarity",
    is_flag=True,
    help="Report the similarity of each page image to the original.",
)
_FORCE = click.option("--force", is_flag=True, help="Allow input files to be overwritten.")


def replacing_options(policy: Any = POLICY) -> Callable[[Command], Command]:
    """Return a decorator that adds the options of `replace_in_files` to a command.

    Args:
        policy: The option of the policy.
    """
    options = (
        _FILES, _OUTPUT, policy, SET, METHOD, NOISE, FONTS, KEY, SCOPE, SCOPE_FROM, LOCALE, _VAULT,
        _REPORT, _PREVIEW, _SIMILARITY, NO_VERIFY, allow_unread_option, _FORCE, document_options,
        analysis_options,
    )  # fmt: skip

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@click.command()
@click.option(
    "--review",
    "review_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Redact one FILE as this review says, which the page of `serve` writes: its findings, "
    "policy and options instead of those of the command line.",
)
@replacing_options()
def anonymize(review_file: Path | None, **given: Any) -> int:
    """Replace the findings in each FILE, and write it to OUTPUT in the same format.

    Texts, page images and documents, in folders too; files of folders keep their places. The
    result is read again; a file in which an original is left is not written. Without a FILE, or
    with -, a text is read from standard input. `anonymize` and `redact` are one command.
    """
    if review_file is None:
        return replace_in_files(**given)
    scopes_in(given["scope"], given["scope_from"])
    names = ("files", "output", "scope", "fonts", "force", "report", "analysis")
    return _reviewed(review_file, given["key_file"], **{name: given[name] for name in names})


def replace_in_files(
    files: Sequence[Path],
    output: Path | None,
    policy_name: str,
    said: Sequence[str],
    method: str,
    noise: str,
    fonts: Path | None,
    key_file: Path | None,
    scope: str | None,
    scope_from: str | None,
    locale: str | None,
    vault_file: Path | None,
    report: Path | None,
    preview: bool,
    similarity: bool,
    no_verify: bool,
    allow_unread: bool,
    force: bool,
    documents: dict[str, Any],
    analysis: Analysis,
) -> int:
    """Replace the findings in files of all kinds; the arguments are the options of a command.

    Returns:
        The exit code.
    """
    from presidio_cdip import steps
    from presidio_cdip.cli.replacing import Replacing, shown
    from presidio_cdip.documents.pictures import redaction_options
    from presidio_cdip.surrogates.keys import random_key
    from presidio_cdip.surrogates.policies import parse_changes

    scope_from, column = scopes_in(scope, scope_from)
    key = key_in(key_file, needed_by="--vault" if vault_file else "")
    # Before anything is read: a policy, a folder of fonts or a vault that cannot be used stops all.
    changes = parse_changes(said)
    made = steps.steps(policy_name, key or random_key(), scope, locale, analysis.pack, changes)
    steps.check_usable(made)
    painting = {"method": method, "noise": noise, "faces": fonts, "similarity": similarity}
    settings = analysis.settings(**painting, verify=not no_verify, scope_column=column, **documents)
    check_output(files, output)
    replacing = Replacing(
        analysis, made, scope, scope_from, vault_in(vault_file, key), settings, preview,
        report is not None, allow_unread,
    )  # fmt: skip
    if fonts or noise == "augraphy":
        redaction_options(settings, replacing.replacement("-"))
    jobs = at_least_one(writing_jobs(files or [STANDARD_INPUT], output, force))
    sources = [job.source for job in jobs if isinstance(job.source, Path)]
    if report and not force and any(same_file(report, source) for source in sources):
        raise click.BadParameter("is a file to be read", param_hint="--report")
    check_kept([report, *(job.target for job in jobs)], key_file, vault_file)
    erases = method != "surrogate" and all(one.suffix.lower() in IMAGES for one in sources)
    if key is None and not erases and any(one.operator == "surrogate" for one in made.values()):
        say(NO_KEY)
    named = analysis.names or "PERSON" in analysis.entities
    person = made.get("PERSON") or made.get("DEFAULT")
    if steps.flips(made) and not (named and person and person.operator == "surrogate"):
        say(NO_NAMES)
    account: Account[Row] = Account(report_problem)
    try:
        with progress(len(jobs)) as advance:
            run(jobs, replacing.work, account, (*SKIPPED, VaultError), advance)
    finally:  # the report also tells what was done before an error stopped the run
        if report:
            lines = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in account.lines)
            write(lines.encode("utf-8", "surrogatepass"), report)
    if output is not None:
        if rows := account.findings:
            print_table(("file", "entity", "count", "how", "why not painted"), shown(rows))
        note(f"{output}: {counted(account.done, 'file')} written, {len(account.problems)} not")
    return account.exit_code()


def _reviewed(
    review_file: Path,
    key_file: Path | None,
    files: Sequence[Path],
    output: Path | None,
    scope: str | None,
    fonts: Path | None,
    force: bool,
    report: Path | None,
    analysis: Analysis,
) -> int:
    """Redact one file as its review says."""
    from presidio_cdip.cli.replacing import Reviewed, shown
    from presidio_cdip.documents.reviews.review import Review
    from presidio_cdip.files.inputs import read_bytes

    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.name in _BY_REVIEW:
            raise click.UsageError(f"{option.opts[-1]} is decided by the review")
    if len(files) != 1 or files[0].is_dir() or output is None:
        raise click.UsageError("--review needs one FILE, and -o")
    check_output(files, output)
    key = key_in(key_file)
    review = Review.of(read_bytes(review_file))
    if key is None:
        say(NO_KEY)
    account: Account[Row] = Account(report_problem)
    reviewed = Reviewed(review, analysis, key, scope, fonts)
    jobs = writing_jobs(files, output, force)
    check_kept([report, *(job.target for job in jobs)], key_file, review_file)
    run(jobs, reviewed.work, account, SKIPPED)
    if report:
        lines = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in account.lines)
        write(lines.encode("utf-8", "surrogatepass"), report)
    if rows := account.findings:
        print_table(("file", "entity", "count", "how", "why not painted"), shown(rows))
    note(f"{output}: {counted(account.done, 'file')} written, {len(account.problems)} not")
    return account.exit_code()


redact = copy(anonymize)
redact.name = "redact"
