"""Undo `anonymize` where it kept a vault: the command `restore`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from presidio_cdip.cli.options import FOLDER, KEY, key_in, vault_in, vault_option
from presidio_cdip.cli.printing import counted, note, print_table, printable, report_problem
from presidio_cdip.errors import VaultError
from presidio_cdip.files.accounts import Account
from presidio_cdip.files.folders import jobs, same_file
from presidio_cdip.files.inputs import STANDARD_INPUT
from presidio_cdip.files.runs import Counts, Replaced, rewrite_texts


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]…")
@FOLDER
@KEY
@vault_option("Vault that `anonymize --vault` wrote.")
def restore(
    files: Sequence[Path], output: Path | None, key_file: Path | None, vault_file: Path | None
) -> int:
    """Undo `anonymize` where it kept a vault: write each FILE's original text to OUTPUT.

    The texts must not have been changed since. Without a FILE, or with -, standard input is
    restored to standard output.
    """
    if vault_file is None:
        raise click.UsageError("--vault is needed: nothing else holds the originals")
    if not vault_file.exists():
        raise VaultError(f"vault {vault_file}: there is no such file")
    vault = vault_in(vault_file, key_in(key_file, needed_by="--vault"))
    assert vault
    check_output(files, output)

    def original(text: str, name: str) -> Replaced:
        return vault.restore(text, name if vault.knows(name) else None), Counter(), ()

    account: Account[Counts] = Account(report_problem)
    found = jobs(files or [STANDARD_INPUT], output)
    check_kept([job.target for job in found], key_file, vault_file)
    rewrite_texts(found, original, account, 0o600)
    if output is not None:
        if rows := account.findings:
            print_table(
                ("file", "entity", "restored"),
                ((printable(file), entity, str(count)) for file, entity, count in rows),
            )
        note(f"{output}: {counted(account.done, 'file')} written, {len(account.problems)} not")
    return account.exit_code()


def check_output(files: Sequence[Path], output: Path | None) -> None:
    """Check that files have somewhere to go, and that standard input has not.

    Raises:
        click.UsageError: They have not, or it has.
    """
    if output is None and any(file != STANDARD_INPUT for file in files):
        raise click.UsageError("-o DIR is needed: the folder to write to")
    if output is not None and any(file == STANDARD_INPUT for file in files or [STANDARD_INPUT]):
        raise click.UsageError("standard input is restored to standard output: leave out -o")


def check_kept(targets: Iterable[Path | None], *kept: Path | None) -> None:
    """Check that no file to be written is one that must be kept: a key, a vault, a review.

    Raises:
        click.UsageError: One is.
    """
    for target in targets:
        for one in kept:
            if target and one and same_file(target, one):
                name = printable(str(target))
                raise click.UsageError(
                    f"{name} would be overwritten: it is the key, vault or review"
                )
