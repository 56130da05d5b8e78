"""Check whether a redaction leaves text under its boxes: the command `check-redaction`."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from presidio_cdip.cli.options import at_least_one, layout_option
from presidio_cdip.cli.printing import as_json, emit, print_table, printable, report_problem
from presidio_cdip.files.accounts import Account, Done
from presidio_cdip.files.folders import Job, jobs
from presidio_cdip.files.inputs import read_bytes
from presidio_cdip.files.runs import run


@click.command("check-redaction")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@layout_option("table", "json")
def check_redaction(files: Sequence[Path], layout: str) -> int:
    """Check whether each redacted FILE (PDF, docx, xlsx, pptx) still holds what was to be removed.

    Text under boxes and pictures, text that cannot be seen, earlier versions, and more. What can be
    read on the page by eye is no finding. Exit code 1: something can be read.
    """
    account: Account[dict[str, Any]] = Account(report_problem)
    looked: list[dict[str, Any]] = []

    def work(job: Job) -> Done[dict[str, Any]]:
        from presidio_cdip.documents.checking.redaction import as_json, check

        assert isinstance(job.source, Path)
        found = as_json(str(job.source), check(read_bytes(job.source), str(job.source)))
        looked.append(found)
        return Done([one for one in found["findings"] if one["leak"]])

    run(at_least_one(jobs(files, None)), work, account)
    if layout == "json":
        emit(as_json(looked, indent=2))
    else:
        _print(looked, len(account.problems))
    return account.exit_code()


def _print(looked: Sequence[dict[str, Any]], unread: int) -> None:
    if unread:
        emit(f"{unread} could not be read, and may hold anything; of the others:")
    rows = [row for one in looked for row in _rows(one)]
    if not rows:
        emit("nothing found")
        return
    print_table(["file", "where", "kind", "times", "characters", "what"], rows, folded=["what"])


def _rows(one: dict[str, Any]) -> list[list[str]]:
    """Return a row for each page and kind; what is only worth a look is in brackets."""
    times: Counter[tuple[int, str]] = Counter()
    characters: Counter[tuple[int, str]] = Counter()
    sentences = {}
    for finding in one["findings"]:
        kind = finding["kind"] if finding["leak"] else f"({finding['kind']})"
        at = (finding.get("page", -1), kind)
        times[at] += 1
        characters[at] += finding.get("characters", 0)
        sentences[kind] = finding["what"]
    return [
        [
            printable(one["file"]),
            f"page {page}" if page >= 0 else "file",
            kind,
            str(times[page, kind]),
            str(characters[page, kind] or ""),
            sentences[kind],
        ]
        for page, kind in sorted(times)
    ]
