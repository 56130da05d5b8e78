"""Compare the reviews of two persons: the command `agree`."""

from pathlib import Path

import click

from presidio_cdip.cli.options import layout_option
from presidio_cdip.cli.printing import as_json, emit, print_table
from presidio_cdip.errors import ExitCode


@click.command()
@click.argument("first", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("second", type=click.Path(path_type=Path, dir_okay=False))
@layout_option("table", "json")
def agree(first: Path, second: Path, layout: str) -> int:
    """Measure how far two reviews of one document agree, and list where they differ.

    Reviews are the files that the page of `serve` writes. Exit code 1: they differ.
    """
    from presidio_cdip.documents.reviews.review import Review
    from presidio_cdip.evaluation.reviewers import compare
    from presidio_cdip.files.inputs import read_bytes

    found = compare(Review.of(read_bytes(first)), Review.of(read_bytes(second)))
    if layout == "json":
        emit(as_json(found.as_json(), indent=2))
    else:
        kappa = "not defined" if found.kappa is None else f"{found.kappa:.2f}"
        emit(f"{found.same} of {found.places} places the same; Cohen's kappa {kappa}")
        if found.unseen:
            emit(f"{found.unseen} places were not decided by either")
        if found.differences:
            print_table(
                ("text", "from", "to", "first", "second", "score"),
                [
                    (one.text, str(one.start), str(one.end), one.first, one.second,
                     f"{one.score:.2f}")
                    for one in found.differences
                ],
            )  # fmt: skip
    return ExitCode.FOUND if found.differences else ExitCode.NOTHING_FOUND
