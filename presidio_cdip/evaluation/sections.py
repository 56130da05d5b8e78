"""Hold tables and figures as data, from which every format of a report is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["text", "count", "share", "number", "interval", "mark"]
"""The format of a cell: a share and both bounds of an interval as percent, a mark as a tick."""

Cell = str | int | float | bool | Sequence[float] | None

Row = list[Cell]

Column = tuple[str, Kind]
"""The heading of a column, and the kind of its cells."""

SHARE = ", share"
"""Ends the heading of a column of shares whose counts stand in the column before."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        id: Its name in `audit.json` and in links.
        title: What it shows.
        note: What is counted and how, in a sentence or two.
        columns: From left to right.
        rows: Cells as the columns say; None where there is nothing to say.
    """

    id: str
    title: str
    note: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    def as_json(self) -> dict[str, Any]:
        """Return the table as a JSON object, a row an object."""
        names = [name for name, _ in self.columns]
        return {
            "title": self.title,
            "note": self.note,
            "rows": [dict(zip(names, map(_plain, row), strict=True)) for row in self.rows],
        }


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar for each label.

    Attributes:
        values: By label.
        axis: What a value is, with its unit.
        intervals: Lower and upper bound by label, where there are any.
        percent: Whether values are shares, to be shown as percent.
    """

    values: Mapping[str, float]
    axis: str
    intervals: Mapping[str, Sequence[float]] = field(default_factory=dict)
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts in classes, for one or more series side by side.

    Attributes:
        edges: One more than there are classes; a class has its lower edge, the last both.
        series: The counts of each class, by name of the series.
        axis: What is counted by, with its unit.
        unit: What is counted.
        percent: Whether edges are shares.
    """

    edges: Sequence[float]
    series: Mapping[str, Sequence[int]]
    axis: str
    unit: str
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points.

    Attributes:
        series: Points by name.
        across: What the first number is, with its unit.
        up: What the second is.
        percent: Whether the first number is a share.
    """

    series: Mapping[str, Sequence[tuple[float, float]]]
    across: str
    up: str
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """A line for each series, through its points.

    Attributes:
        series: Points by name, in order of their first number.
        across: What the first number is, with its unit.
        up: What the second is.
        percent: Whether the first number is a share.
    """

    series: Mapping[str, Sequence[tuple[float, float]]]
    across: str
    up: str
    percent: bool = False


Chart = Bars | Histogram | Scatter | Lines


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its name, title and note, as those of a table."""

    id: str
    title: str
    note: str
    chart: Chart

    def as_json(self) -> dict[str, Any]:
        """Return the figure's data as a JSON object."""
        chart = self.chart
        data: dict[str, Any] = {"title": self.title, "note": self.note}
        if isinstance(chart, Bars):
            data |= {"axis": chart.axis, "values": {k: _plain(v) for k, v in chart.values.items()}}
            if chart.intervals:
                data["intervals"] = {k: _plain(v) for k, v in chart.intervals.items()}
        elif isinstance(chart, Histogram):
            data |= {"axis": chart.axis, "unit": chart.unit, "edges": _plain(chart.edges)}
            data["series"] = {name: list(counts) for name, counts in chart.series.items()}
        else:
            data |= {"across": chart.across, "up": chart.up}
            data["series"] = {
                name: [_plain(point) for point in points] for name, points in chart.series.items()
            }
        return data


@dataclass(frozen=True, slots=True)
class Section:
    """Tables and figures on one question.

    Attributes:
        title: The question's short name.
        parts: In order.
        remarks: Sentences before them: what was found, what could not be measured and why.
    """

    title: str
    parts: Sequence[Table | Figure] = ()
    remarks: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """A whole report.

    Attributes:
        facts: How it was made: versions, options, numbers of inputs.
        key_figures: The few numbers to read first: what, value, and a remark.
        sections: In order.
        title: The heading of the report.
        end: What the last line says.
    """

    facts: Mapping[str, str]
    key_figures: Sequence[tuple[str, str, str]]
    sections: Sequence[Section]
    title: str = "Audit of a collection"
    end: str = (
        "No text of a document is in this page. A value that was not found is not counted: what "
        "is reported is what was found, not what is there."
    )

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object: its tables and figures by name."""
        parts = [part for section in self.sections for part in section.parts]
        return {
            "facts": dict(self.facts),
            "key_figures": [
                {"what": what, "value": value, "remark": remark}
                for what, value, remark in self.key_figures
            ],
            "remarks": {one.title: list(one.remarks) for one in self.sections if one.remarks},
            "tables": {part.id: part.as_json() for part in parts if isinstance(part, Table)},
            "figures": {part.id: part.as_json() for part in parts if isinstance(part, Figure)},
        }


def shown(cell: Cell, kind: Kind) -> str:
    """Return *cell* as a reader sees it.

    >>> shown(0.0391, "share"), shown(16396, "count"), shown((0.01, 0.25), "interval")
    ('3.9 %', '16,396', '1.0–25.0 %')
    """
    if cell is None:
        return "–"
    if kind == "mark":
        return "✓" if cell else ""
    if isinstance(cell, str):
        return cell
    if not isinstance(cell, int | float):
        low, high = cell
        return f"{100 * low:.1f}–{100 * high:.1f} %"
    if kind == "share":
        return f"{100 * cell:.1f} %"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.3f}"


def _plain(cell: Any) -> Any:
    """Return *cell* with numbers rounded to six digits, as JSON has them."""
    if isinstance(cell, float):
        return round(cell, 6)
    if isinstance(cell, Sequence) and not isinstance(cell, str):
        return [_plain(one) for one in cell]
    return cell
