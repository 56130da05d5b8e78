"""The commands `anonymize` and `restore`: replace what is found in texts, and undo it."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from presidio_cdip.cli.options import (
    FOLDER,
    KEY,
    NO_KEY,
    SCOPE,
    SCOPE_FROM,
    SET,
    VAULT,
    Analysis,
    analysis_options,
    key_in,
    vault_in,
)
from presidio_cdip.cli.printing import note, print_table, printable, say
from presidio_cdip.errors import UnreadableInput, VaultError
from presidio_cdip.files.accounts import Account
from presidio_cdip.files.folders import jobs
from presidio_cdip.files.inputs import STANDARD_INPUT
from presidio_cdip.files.runs import Counts, rewrite_texts

if TYPE_CHECKING:
    from presidio_cdip.presidio.steps import CarryOut


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]…")
@FOLDER
@click.option(
    "--policy",
    "policy_name",
    default="surrogate",
    show_default=True,
    help="What findings become: a policy that `presidio-cdip policies` lists, or a policy's file.",
)
@SET
@KEY
@SCOPE
@SCOPE_FROM
@click.option(
    "--locale",
    help="Locale of names, places and dates, e.g. en_GB  [default: the policy's]",
)
@VAULT
@analysis_options(pages=False)
def anonymize(
    files: Sequence[Path],
    output: Path | None,
    policy_name: str,
    said: Sequence[str],
    key_file: Path | None,
    scope: str | None,
    scope_from: str | None,
    locale: str | None,
    vault_file: Path | None,
    analysis: Analysis,
) -> int:
    """Replace what is found in each text FILE, and write the text to the folder OUTPUT.

    Files of folders keep their places within it. Without a FILE, or with -, the text is read from
    standard input and written to standard output.
    """
    from presidio_cdip.presidio import steps
    from presidio_cdip.surrogates.keys import random_key
    from presidio_cdip.surrogates.policies import parse_changes
    from presidio_cdip.surrogates.scopes import check_scope_from

    if scope is not None and scope_from is not None:
        raise click.UsageError("--scope and --scope-from exclude each other")
    if scope_from is not None:
        check_scope_from(scope_from)
    key = key_in(key_file, needed_by="--vault" if vault_file else "")
    # Before anything is read: a policy that cannot be used stops the run.
    changes = parse_changes(said)
    made = steps.steps(policy_name, key, scope, locale, analysis.pack, changes)
    if key is None and any(one.operator == "surrogate" for one in made.values()):
        say(NO_KEY)
        made = steps.steps(policy_name, random_key(), scope, locale, analysis.pack, changes)
    vault = vault_in(vault_file, key)
    find = analysis.find_in_text()
    carry_out = _presidios() if steps.need_presidio(made) else None

    def replace(text: str, name: str) -> tuple[str, Counter[str]]:
        # A text from standard input has no name: it becomes a scope by its content.
        named = scope is None and scope_from is None and name != "-"
        own = steps.in_scope(made, name) if named else made
        result = steps.anonymize(
            text, find(text), own, vault, name, analysis.pack, carry_out, scope_from
        )
        return result.text, result.counts()

    return _rewrite(files, output, replace, "replaced", most=analysis.max_characters)


def _presidios() -> "CarryOut":
    """Return what carries out the steps that need Presidio, whose import takes seconds."""
    from presidio_cdip.presidio.operators import carrier

    return carrier()


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]…")
@FOLDER
@KEY
@VAULT
def restore(
    files: Sequence[Path], output: Path | None, key_file: Path | None, vault_file: Path | None
) -> int:
    """Undo `anonymize` where it kept a vault: write each FILE's original text to OUTPUT.

    The texts must be as they were written. Without a FILE, or with -, standard input is restored to
    standard output.
    """
    if vault_file is None:
        raise click.UsageError("--vault is needed: nothing else holds the originals")
    if not vault_file.exists():
        raise VaultError(f"vault {vault_file}: there is no such file")
    vault = vault_in(vault_file, key_in(key_file, needed_by="--vault"))
    assert vault

    def original(text: str, name: str) -> tuple[str, Counter[str]]:
        return vault.restore(text, name if vault.knows(name) else None), Counter()

    return _rewrite(files, output, original, "restored", mode=0o600)


def _rewrite(
    files: Sequence[Path],
    output: Path | None,
    rewrite: Callable[[str, str], tuple[str, Counter[str]]],
    heading: str,
    mode: int | None = None,
    most: int | None = None,
) -> int:
    if output is None and any(file != STANDARD_INPUT for file in files):
        raise click.UsageError("-o DIR is needed: where to write")
    if output is not None and any(file == STANDARD_INPUT for file in files or [STANDARD_INPUT]):
        raise click.UsageError("standard input goes to standard output: leave -o out")
    account: Account[Counts] = Account(_report)
    rewrite_texts(jobs(files or [STANDARD_INPUT], output), rewrite, account, mode, most)
    if output is not None:
        if rows := account.findings:
            print_table(
                ("file", "entity", heading),
                ((printable(file), entity, str(count)) for file, entity, count in rows),
            )
        note(f"{output}: {account.done} files written, {len(account.problems)} not")
    return account.exit_code()


def _report(problem: Exception, file: str) -> None:
    say(problem if isinstance(problem, UnreadableInput) else f"{file}: {problem}")
