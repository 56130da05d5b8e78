"""Write a file with a new key: the command `make-key`."""

from pathlib import Path

import click

from presidio_cdip.errors import ExitCode


@click.command("make-key")
@click.argument("file", type=click.Path(path_type=Path))
def make_key(file: Path) -> int:
    """Make a random key and write it to a new FILE that only you may read."""
    from presidio_cdip.surrogates.keys import make_key

    make_key(file)
    return ExitCode.NOTHING_FOUND
