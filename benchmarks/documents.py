"""Measure the rewriting of documents: readable rest, changes, time.

    python -m benchmarks.documents [--only plants,keeping,speed,bad,collections,detectors]

* **plants**: every document of `documents_plants` is rewritten, and the result is searched by
  `documents_oracle` for what was planted. ``found`` counts results in which a value is left,
  ``lost`` those from which the rest of the main text is gone, ``unread`` those in which the oracle
  could not open something. ``stopped`` are documents of which nothing was given out, because an
  original could still be read.
* **keeping**: of the same documents, the share of parts without a planted value that are byte for
  byte as they were, of runs, cells, styles and formulas with the same formatting, of pages and
  pixels without a change outside of lines with findings (100 dpi), and of results that open in
  independent libraries.
* **speed**: seconds with one thread for the model, the median of three, beside those asked.
* **bad**: how the documents of `documents_bad` end.
* **collections**: with ``--collections FOLDER``, how the documents in the git mirrors under FOLDER
  end; each has 60 s and 1 GB. A ``silent`` one is done though no text was read that others read.
* **detectors**: with ``--xray PYTHON``, an interpreter that has x-ray: bad redactions that it finds
  in our PDF files; with ``--xray-fixtures MIRROR``, a git mirror of x-ray: the leaks that
  `check_redaction` finds in its fixtures.

The exit status is 1 if a value is found, or a document ends in a fault, a hang or beyond memory.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from benchmarks.documents_keeping import Kept, compare
from benchmarks.documents_opening import OFFICE, OPENERS, libreoffice, opens
from benchmarks.documents_oracle import left_in
from benchmarks.documents_plants import BODY, Plant, plants
from benchmarks.documents_running import DONE, FAULT, OUTCOMES, Outcome, rewritten
from benchmarks.quality import TOTAL, cell, header, print_facts, print_markdown, print_table

WITNESS = "Employee:"
"""Values in the main text of each plant that are no finding."""
SECTIONS = ("plants", "keeping", "speed", "bad", "collections", "detectors")

Show = Callable[[Sequence[str], Sequence[Sequence[str]]], None]


@dataclass
class Family:
    """The outcomes of the plants of a format.

    Attributes:
        counts: By column.
        lines: What went wrong, a line each.
        seconds: Of rewriting, in all.
    """

    counts: Counter[str] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)
    seconds: float = 0.0


def judge(plant: Plant, outcome: Outcome, ocr: bool = True) -> tuple[list[str], list[str]]:
    """Return the columns that a plant counts in, and what went wrong."""
    if outcome.kind != DONE:
        return [outcome.kind], [f"{plant.name}: {outcome.kind}: {outcome.said}"]
    columns, lines = [DONE], []
    left = left_in(outcome.data, plant.file, (*plant.sought, WITNESS), ocr=ocr)
    places = defaultdict(list)
    for value, where in sorted(left.found):
        places[value].append(where)
    if not places.pop(WITNESS, None):
        columns.append("lost")
        lines.append(f"{plant.name}: the main text is gone")
    if places:
        columns.append("found")
        shown = "; ".join(f"{value!r} in {spots[0]}" for value, spots in places.items())
        noted = bool(outcome.report and outcome.report.unread)
        lines.append(f"{plant.name}: found: {shown}{' (something is noted as unread)' * noted}")
    if left.unread:
        columns.append("unread")
        lines.append(f"{plant.name}: the oracle could not read {', '.join(left.unread[:3])}")
    return columns, lines


def run_plants(forms: tuple[str, ...], ocr: bool) -> tuple[dict[str, Family], dict[str, Outcome]]:
    """Rewrite all plants; return how they ended by format, and the outcomes by name."""
    families: dict[str, Family] = defaultdict(Family)
    outcomes = {}
    for plant in plants(forms):
        outcome = rewritten(plant.build(BODY), plant.file, plant.settings())
        columns, lines = judge(plant, outcome, ocr)
        one = families[plant.format]
        one.counts.update(["places", *columns])
        one.lines += lines
        one.seconds += outcome.seconds
        outcomes[plant.name] = outcome
    return families, outcomes


def show_plants(families: dict[str, Family], show: Show) -> int:
    """Print the table of plants and what went wrong; return how many were found, or faults."""
    columns = ("places", DONE, "found", "lost", *OUTCOMES[1:4], OUTCOMES[6], "unread")
    rows = [
        [form, *(str(one.counts[each]) for each in columns), cell(one.seconds)]
        for form, one in families.items()
    ]
    total = sum((one.counts for one in families.values()), Counter[str]())
    seconds = sum(one.seconds for one in families.values())
    rows.append([TOTAL, *(str(total[each]) for each in columns), cell(seconds)])
    show(["format", *columns, "s"], rows)
    for one in families.values():
        for line in one.lines:
            if "not built" not in line:
                click.echo(f"- {line}")
    return total["found"] + total[FAULT]


def show_keeping(forms: tuple[str, ...], outcomes: dict[str, Outcome], show: Show) -> None:
    """Print the table of what is as it was."""
    kept: dict[str, Kept] = defaultdict(Kept)
    results: dict[str, bytes] = {}
    for plant in plants(forms):
        outcome = outcomes[plant.name]
        if outcome.kind != DONE:
            continue
        counts = kept[plant.format]
        results[plant.file] = outcome.data
        for opener in OPENERS.get(plant.suffix, ()):
            reason = opens(opener, outcome.data)
            counts.count(opener.__name__, not reason, 1, f"{plant.name}: {reason}")
        old = plant.build(BODY)
        try:
            compare(
                old, outcome.data, plant.suffix, plant.sought, outcome.report, plant.name, counts
            )
        except Exception as error:
            counts.count("compared", 0, 1, f"{plant.name}: {type(error).__name__}: {error}")
    rows = [
        [f"{form}: {what}", f"{one.kept[what]:,}", f"{whole:,}", f"{one.kept[what] / whole:.4f}"]
        for form, one in kept.items()
        for what, whole in one.whole.items()
    ]
    show(["kept", "of them", "all", "share"], rows)
    for one in kept.values():
        for line in one.changes:
            click.echo(f"- {line}")
    if OFFICE and results:
        given, closed = libreoffice(results)
        click.echo(f"LibreOffice opens {given - len(closed)} of {given}; not: {closed or 'none'}")
    else:
        click.echo("LibreOffice is not installed: not tried")


def show_speed(show: Show) -> None:
    """Print the table of times."""
    from benchmarks.documents_speed import CASES, measured

    rows = []
    for name, (_, _, _, most) in CASES.items():
        seconds, outcome = measured(name)
        found = len(outcome.report.findings) if outcome.report else 0
        said = "" if seconds is not None else f"{outcome.kind}: {outcome.said}"
        rows.append([name, cell(seconds), cell(most), str(found), said])
    show(["time", "s", "asked", "findings", ""], rows)


def show_bad(show: Show) -> int:
    """Print how bad documents end; return the number of those that end as none should."""
    from benchmarks.documents_bad import BAD, file_of
    from benchmarks.documents_running import apart

    ended: Counter[str] = Counter()
    lines = []
    for name, build in BAD.items():
        outcome = apart(build(), file_of(name))
        ended[outcome.kind] += 1
        if outcome.kind in OUTCOMES[2:6]:
            lines.append(f"- {name}: {outcome.kind}: {outcome.said}")
    show(["bad documents", *OUTCOMES], [["all", *(str(ended[each]) for each in OUTCOMES)]])
    click.echo("\n".join(lines))
    return sum(ended[each] for each in OUTCOMES[3:6])


def show_collections(folder: Path, step: int, kinds: tuple[str, ...], show: Show) -> int:
    """Print how the documents of collections end; return the number that end as none should."""
    from benchmarks.documents_collections import collected, mirrors, name_of, worst

    columns = (*OUTCOMES, "absent")
    rows, lines, wrong = [], [], 0
    for mirror in mirrors(folder):
        begin = time.perf_counter()
        found = collected(mirror, step, kinds)
        counts = [str(found.outcomes[each]) for each in columns]
        numbers = [f"{found.slowest:.1f}", f"{found.largest:.0f}"]
        rows.append([name_of(mirror), *counts, str(found.silent), *numbers])
        lines += [f"- {name_of(mirror)}: {line}" for line in found.lines]
        wrong += worst(found)
        click.echo(f"{name_of(mirror)}: {time.perf_counter() - begin:.0f} s", err=True)
    show(["collection", *columns, "silent", "slowest s", "most MB"], rows)
    click.echo("\n".join(lines))
    return wrong


def black_bars() -> dict[str, Outcome]:
    """Rewrite the PDF plants with black bars."""
    return {
        plant.name: rewritten(
            plant.build(BODY), plant.file, replace(plant.settings(), method="black")
        )
        for plant in plants(("pdf",))
    }


def show_detectors(
    python: Path | None, mirror: Path | None, outcomes: dict[str, Outcome], show: Show
) -> None:
    """Print the findings of detectors of bad redactions."""
    from benchmarks import documents_detecting as detecting

    if python:
        bars = black_bars()
        made = {
            plant.file: [
                plant.build(BODY),
                outcomes[plant.name].data,
                bars[plant.name].data,
            ]
            for plant in plants(("pdf",))
            if plant.name in outcomes and outcomes[plant.name].kind == bars[plant.name].kind == DONE
        }
        counts = [
            detecting.xray(python, {name: data[at] for name, data in made.items()} or {})
            for at in range(3)
        ]
        shown = [str(sum(map(bool, each.values()))) for each in counts]
        show(
            ["PDF files", "x-ray finds text before", "in surrogates", "in black bars"],
            [[str(len(made)), *shown]],
        )
        for name in made:
            if any(each[name] for each in counts):
                click.echo(f"- {name}: {', '.join(str(each[name]) for each in counts)}")
    if mirror:
        found = detecting.checked(detecting.fixtures(mirror))
        bad = [name for name in found if name in detecting.BAD]
        good = [name for name in found if name not in (*detecting.BAD, *detecting.OPEN)]
        flagged = [name for name in good if found[name]]
        caught = sum(bool(found[name]) for name in bad)
        show(
            ["x-ray's fixtures", "flagged", "all"],
            [["bad", str(caught), str(len(bad))], ["good", str(len(flagged)), str(len(good))]],
        )
        for name in (*flagged, *detecting.OPEN):
            click.echo(f"- {name}: {', '.join(found.get(name, [])) or 'nothing'}")


@click.command(help="Measure the rewriting of documents; the module's docstring says what.")
@click.option("--only", default="", help="Of plants, keeping, speed, bad, collections, detectors.")
@click.option("--formats", default="", help="Only plants of these formats, such as docx,pdf.")
@click.option("--ocr/--no-ocr", default=True, help="Whether the oracle reads pictures and pages.")
@click.option("--collections", "folder", type=click.Path(exists=True, path_type=Path))
@click.option("--step", type=int, default=1, help="Every which document of a collection.")
@click.option("--suffixes", default="", help="Only documents of collections with these suffixes.")
@click.option("--xray", "python", type=click.Path(exists=True, path_type=Path))
@click.option("--xray-fixtures", "mirror", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "style", type=click.Choice(["table", "markdown"]), default="table")
def main(
    only: str,
    formats: str,
    ocr: bool,
    folder: Path | None,
    step: int,
    suffixes: str,
    python: Path | None,
    mirror: Path | None,
    style: str,
) -> None:
    """Measure and print the tables."""
    asked = set(only.split(",")) if only else set(SECTIONS)
    if unknown := asked - set(SECTIONS):
        raise click.BadParameter(f"no section {', '.join(sorted(unknown))}")
    forms = tuple(filter(None, formats.split(",")))
    show: Show = print_table if style == "table" else print_markdown
    print_facts(header(), markdown=style == "markdown")

    wrong, outcomes = 0, dict[str, Outcome]()
    if asked & {"plants", "keeping", "detectors"}:
        families, outcomes = run_plants(forms, ocr)
        wrong += show_plants(families, show)
    if "keeping" in asked:
        show_keeping(forms, outcomes, show)
    if "speed" in asked:
        show_speed(show)
    if "bad" in asked:
        wrong += show_bad(show)
    if "collections" in asked and folder:
        kinds = tuple(filter(None, suffixes.split(",")))
        wrong += show_collections(folder, step, kinds, show)
    if "detectors" in asked:
        show_detectors(python, mirror, outcomes, show)
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
