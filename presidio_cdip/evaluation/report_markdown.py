"""Write a report as Markdown; a figure becomes the table of its numbers."""

from collections.abc import Iterator, Sequence
from statistics import median

from presidio_cdip.evaluation.sections import (
    Audit,
    Bars,
    Cell,
    Column,
    Figure,
    Histogram,
    Kind,
    Lines,
    Table,
    shown,
)


def markdown(audit: Audit) -> str:
    """Return *audit* as Markdown."""
    return "\n".join(_lines(audit)) + "\n"


def _lines(audit: Audit) -> Iterator[str]:
    yield f"# {audit.title}\n"
    yield from (f"- {name}: {_cell(fact)}" for name, fact in audit.facts.items())
    yield ""
    yield from _rows([("figure", "text"), ("value", "text"), ("remark", "text")], audit.key_figures)
    for section in audit.sections:
        yield f"\n## {section.title}\n"
        yield from section.remarks
        for part in section.parts:
            yield f"\n### {part.title}\n\n{part.note}\n"
            table = as_table(part) if isinstance(part, Figure) else part
            yield from _rows(table.columns, table.rows)
    yield f"\n{audit.end}"


def _rows(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    if not rows:
        yield "Nothing."
        return
    yield f"| {' | '.join(_cell(name) for name, _ in columns)} |"
    yield f"| {' | '.join('---' if kind == 'text' else '--:' for _, kind in columns)} |"
    for row in rows:
        cells = (_cell(shown(cell, kind)) for cell, (_, kind) in zip(row, columns, strict=True))
        yield f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def as_table(figure: Figure) -> Table:
    """Return the numbers of *figure*; of points, how many there are and their medians."""
    chart = figure.chart
    columns: list[Column]
    rows: list[list[Cell]]
    if isinstance(chart, Bars):
        columns = [("", "text"), (chart.axis, "share" if chart.percent else "count")]
        rows = [[label, value] for label, value in chart.values.items()]
    elif isinstance(chart, Histogram):
        kind: Kind = "share" if chart.percent else "number"
        columns = [("from", kind), ("to", kind), *((name, "count") for name in chart.series)]
        rows = [
            [low, high, *counts]
            for low, high, *counts in zip(
                chart.edges[:-1], chart.edges[1:], *chart.series.values(), strict=True
            )
        ]
    elif isinstance(chart, Lines):
        names = list(chart.series)
        places = sorted({x for points in chart.series.values() for x, _ in points})
        columns = [(chart.across, "share" if chart.percent else "number")]
        columns += [(name, "number") for name in names]
        values = [dict(chart.series[name]) for name in names]
        rows = [[x, *(of.get(x) for of in values)] for x in places]
    else:
        columns = [
            ("", "text"), ("points", "count"), (f"median: {chart.across}", "number"),
            (f"median: {chart.up}", "number"),
        ]  # fmt: skip
        rows = [
            [name, len(points), median(x for x, _ in points), median(y for _, y in points)]
            for name, points in chart.series.items()
            if points
        ]
    return Table(figure.id, figure.title, figure.note, columns, rows)
