"""The commands about a pack: `entities`, `policies` and `verify-pack`."""

import os
from dataclasses import asdict
from pathlib import Path

import click

from presidio_cdip.cli.options import layout_option
from presidio_cdip.cli.printing import as_json, emit, note, print_table, say
from presidio_cdip.errors import ExitCode


@click.command()
@click.argument("name", required=False)
@layout_option("table", "json")
@click.option(
    "--pack",
    type=click.Path(path_type=Path),
    help="Folder whose operators/ are asked first  [default: $PRESIDIO_CDIP_PACK]",
)
def policies(name: str | None, layout: str, pack: Path | None) -> int:
    """List the policies, or print what the policy NAME makes of each entity.

    The JSON of one is what Presidio's REST service takes as its anonymizers.
    """
    from presidio_cdip.pack.pack import PACK_VARIABLE
    from presidio_cdip.surrogates.policies import policy_names, read_policy

    folder = str(pack) if pack else os.environ.get(PACK_VARIABLE)
    if name is None:
        found = {one: read_policy(one, folder).what.strip() for one in policy_names(folder)}
        if layout == "json":
            emit(as_json(found, indent=2))
        else:
            print_table(("policy", "what"), found.items())
        return ExitCode.NOTHING_FOUND
    steps = read_policy(name, folder).steps
    if layout == "json":
        listed = {one: {"type": step.operator, **step.params} for one, step in steps.items()}
        emit(as_json(listed, indent=2))
        return ExitCode.NOTHING_FOUND
    print_table(
        ("entity", "operator", "parameters"),
        (
            (
                one,
                step.operator,
                ", ".join(f"{name}: {value}" for name, value in step.params.items()),
            )
            for one, step in steps.items()
        ),
    )
    return ExitCode.NOTHING_FOUND


@click.command()
@layout_option("table", "json")
def entities(layout: str) -> int:
    """List the 18 entities and, behind them, the 3 labels of names that --names finds."""
    from presidio_cdip.entities import LABELS
    from presidio_cdip.recognition.finder import finder

    found_by = finder().found_by
    if layout == "json":
        listed = [
            {**asdict(entity), "found_by": found_by[entity.name]} for entity in LABELS.values()
        ]
        emit(as_json(listed, indent=2))
        return ExitCode.NOTHING_FOUND
    headings = ("entity", "source", "found by", "meaning")
    print_table(
        headings,
        (
            (
                entity.name,
                ", ".join(entity.sources),
                ", ".join(found_by[entity.name]) or "-",
                entity.meaning,
            )
            for entity in LABELS.values()
        ),
        folded=headings[1:],
    )
    return ExitCode.NOTHING_FOUND


@click.command("verify-pack")
@click.argument("folder", type=click.Path(path_type=Path))
def verify_pack(folder: Path) -> int:
    """Check a pack: the rule files in FOLDER/recognizers and their cases, and its operators.

    A case that fails is shown with the marks that its author expected, and those that were found.
    """
    from presidio_cdip.pack.pack import Pack
    from presidio_cdip.recognition.cases import failures
    from presidio_cdip.surrogates.verification import operator_problems, phrase_files, policy_files

    pack = Pack.at(folder)
    files = pack.rule_files() if (folder / "recognizers").is_dir() else ()
    problems = 0
    for failure in failures(files):
        problems += 1
        say(failure.error())
        note(f"  expected: {failure.expected}")
        note(f"  found:    {failure.found}")
    for problem in operator_problems(folder):
        problems += 1
        say(problem)
    counts = (
        (len(files), "rule file", "rule files"),
        (sum(len(file.cases) for file in files), "case", "cases"),
        (len(policy_files(folder)), "policy", "policies"),
        (len(phrase_files(folder)), "phrase file", "phrase files"),
    )
    counted = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts)
    emit(f"{counted}: {problems or 'no'} {'problem' if problems == 1 else 'problems'}")
    return ExitCode.WRONG_USE if problems else ExitCode.NOTHING_FOUND
