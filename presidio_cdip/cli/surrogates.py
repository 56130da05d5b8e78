"""Print the surrogates of one value, or its original: the commands `surrogate` and `invert`."""

import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from presidio_cdip.cli.options import KEY, NO_KEY, PACK, SET, Command, key_in
from presidio_cdip.cli.printing import emit, say
from presidio_cdip.errors import ExitCode, PolicyError

if TYPE_CHECKING:
    from presidio_cdip.surrogates.engine import Surrogates
    from presidio_cdip.surrogates.keys import Key

_SHARED = (
    click.argument("entity"),
    click.argument("value"),
    KEY,
    click.option("--scope", default="corpus", show_default=True, help="Name of the scope."),
    SET,
    click.option("--locale", help="Locale of names, places and dates  [default: the policy's]"),
    PACK,
)


def _value_options(command: Command) -> Command:
    for option in reversed(_SHARED):
        command = option(command)
    return command


@click.command()
@_value_options
@click.option(
    "--candidates",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Print up to this many surrogates; the first is the one that `anonymize` writes under the "
    "same --scope, unless the text around a value asks for another.",
)
def surrogate(
    entity: str,
    value: str,
    key_file: Path | None,
    scope: str,
    said: Sequence[str],
    locale: str | None,
    pack: Path | None,
    candidates: int,
) -> int:
    """Print the surrogate of VALUE, a value of ENTITY.

    With -, VALUE is read from standard input; typed, it stays in the history of the shell.
    """
    from presidio_cdip.surrogates.keys import random_key

    key = key_in(key_file)
    if key is None:
        say(NO_KEY)
    drawn = _drawn(entity, key or random_key(), scope, said, locale, pack)
    for one in islice(drawn.candidates(entity.upper(), _given(value)), candidates):
        emit(one)
    return ExitCode.NOTHING_FOUND


@click.command()
@_value_options
def invert(
    entity: str,
    value: str,
    key_file: Path | None,
    scope: str,
    said: Sequence[str],
    locale: str | None,
    pack: Path | None,
) -> int:
    """Print the original of VALUE, a permuted or moved surrogate of ENTITY.

    With -, VALUE is read from standard input. Plausible numbers (--set US_SSN.ssn=plausible),
    identifiers and other digits are permuted, dates and ages are moved by the scope's offset, as
    `surrogate` moves them; surrogates that are drawn cannot be inverted.
    """
    key = key_in(key_file, needed_by="invert")
    assert key
    emit(_drawn(entity, key, scope, said, locale, pack).invert(entity.upper(), _given(value)))
    return ExitCode.NOTHING_FOUND


def _given(value: str) -> str:
    if value != "-":
        return value
    return sys.stdin.read().rstrip("\r\n")


def _drawn(
    entity: str, key: "Key", scope: str, said: Sequence[str], locale: str | None, pack: Path | None
) -> "Surrogates":
    """Return the `Surrogates` of *entity* under the policy `surrogate`."""
    from presidio_cdip import steps
    from presidio_cdip.pack.pack import Pack
    from presidio_cdip.surrogates.drawing.table import has_forms
    from presidio_cdip.surrogates.policies import DEFAULT, parse_changes

    name = entity.upper()
    if not has_forms(name, Pack.open(pack)):
        raise click.BadParameter(
            "there is no such entity; `presidio-cdip entities` lists them", param_hint="ENTITY"
        )
    made = steps.steps("surrogate", key, scope, locale, pack, parse_changes(said))
    step = made.get(name) or made[DEFAULT]
    if step.operator != "surrogate":
        raise PolicyError("surrogate", f"{name} has the operator {step.operator}")
    return steps.surrogates_of({**step.params, "entity_type": name})
