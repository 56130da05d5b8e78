"""List and check a pack's data: the commands `entities`, `policies` and `verify-pack`."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from presidio_cdip.cli.options import PACK, SET, layout_option
from presidio_cdip.cli.printing import as_json, counted, emit, note, print_table, say
from presidio_cdip.errors import ExitCode


@click.command()
@click.argument("name", required=False)
@layout_option("table", "json")
@PACK
@SET
def policies(name: str | None, layout: str, pack: Path | None, said: Sequence[str]) -> int:
    """List the policies, or print the operator of each entity in the policy NAME.

    The JSON of one is what Presidio's REST service takes as its anonymizers.
    """
    from presidio_cdip.pack.pack import Pack
    from presidio_cdip.surrogates.policies import parse_changes, policy_names, read_policy

    opened = Pack.open(pack)
    if name is None:
        found = {one: read_policy(one, opened).what.strip() for one in policy_names(opened)}
        if layout == "json":
            emit(as_json(found, indent=2))
        else:
            print_table(("policy", "what"), found.items())
        return ExitCode.NOTHING_FOUND
    steps = read_policy(name, opened, parse_changes(said)).steps
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
@PACK
def entities(layout: str, pack: Path | None) -> int:
    """List the entities, followed by the labels of names that --names finds."""
    from presidio_cdip.entities import entities_of
    from presidio_cdip.pack.pack import Pack
    from presidio_cdip.recognition.finder import finder

    opened = Pack.open(pack)
    found_by = finder(opened).found_by
    declared = entities_of(opened).values()
    if layout == "json":
        listed = [{**asdict(entity), "found_by": found_by[entity.name]} for entity in declared]
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
            for entity in declared
        ),
        folded=headings[1:],
    )
    return ExitCode.NOTHING_FOUND


@click.command("verify-pack")
@click.argument("folder", type=click.Path(path_type=Path))
def verify_pack(folder: Path) -> int:
    """Check the pack in FOLDER, laid over the shipped one: rules, lists, policies and phrases.

    The shipped rules' cases must hold with it, too. A case that fails is shown with the marks that
    its author expected, and with the marks that were found. Files that nothing reads, and entities
    that nothing finds, are warnings.
    """
    from presidio_cdip.pack.pack import Pack
    from presidio_cdip.pack.rules import rule_files
    from presidio_cdip.recognition.cases import failures
    from presidio_cdip.recognition.verification import recognizer_problems, unfound_entities
    from presidio_cdip.surrogates.verification import (
        list_problems,
        operator_problems,
        own_lists,
        phrase_files,
        policy_files,
        unread_files,
    )

    pack = Pack.open(folder)
    files = rule_files(pack)
    own = [file for file in files if pack.has_own(f"recognizers/{file.file}")]
    problems = 0
    for failure in failures(files):
        problems += 1
        say(failure.error())
        note(f"  expected: {failure.expected}")
        note(f"  found:    {failure.found}")
    found = dict.fromkeys(
        str(problem)
        for check in (recognizer_problems, operator_problems, list_problems)
        for problem in check(pack)
    )
    for problem in found:
        problems += 1
        say(problem)
    warnings = [*unread_files(pack)]
    if not found:
        warnings += unfound_entities(pack, files)
    for warning in warnings:
        note(f"warning: {warning}")
    looked_at = (
        counted(len(own), "rule file"),
        counted(sum(len(file.cases) for file in own), "case"),
        counted(len(policy_files(pack)), "policy", "policies"),
        counted(len(phrase_files(pack)), "phrase file"),
        counted(len(own_lists(pack)), "list"),
    )
    warned = f", {counted(len(warnings), 'warning')}" if warnings else ""
    found_wrong = counted(problems, "problem") if problems else "no problems"
    emit(f"{', '.join(looked_at)}: {found_wrong}{warned}")
    return ExitCode.WRONG_USE if problems else ExitCode.NOTHING_FOUND
