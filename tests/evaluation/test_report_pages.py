"""Charts and reports: well-formed, self-contained, and with the numbers they were given."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from presidio_cdip.evaluation.charts import draw, steps, ticks
from presidio_cdip.evaluation.report_html import html
from presidio_cdip.evaluation.report_markdown import markdown
from presidio_cdip.evaluation.sections import (
    Audit,
    Bars,
    Chart,
    Column,
    Figure,
    Histogram,
    Lines,
    Scatter,
    Section,
    Table,
)
from presidio_cdip.evaluation.writing import NAMES, write_audit

CHARTS: list[Chart] = [
    Bars({"a": 1, "<b>": 3}, "documents"),
    Bars({"a": 0.25}, "share", {"a": (0.1, 0.5)}, percent=True),
    Bars({}, "documents"),
    Histogram([0, 1, 2], {"pages": [3, 0]}, "share", "pages"),
    Histogram([0, 0.5, 1], {"one": [1, 2], "two": [0, 4]}, "share", "pages", percent=True),
    Scatter({"one": [(0.1, 0.9), (0.2, 0.8)], "two": [(0.1, 0.7)]}, "area", "cosine", True),
    Scatter({"one": [(0.0, 1.0)]}, "area", "cosine"),
    Lines({"one": [(0.0, 0.9), (0.3, 0.6)], "two": [(0.1, 0.7)]}, "level", "AUC", percent=True),
    Lines({}, "level", "AUC"),
    Scatter({}, "area", "cosine"),
]


@pytest.mark.parametrize("chart", CHARTS)
def test_every_chart_is_well_formed_and_within_its_frame(chart: Chart) -> None:
    """An XML parser reads it, empty ones too; no coordinate is NaN or outside."""
    root = ElementTree.fromstring(draw(chart, 'a "title" & more'))

    width, height = map(float, root.attrib["viewBox"].split()[2:])
    for one in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert 0 <= float(one.get(name, 0)) <= width
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(one.get(name, 0)) <= height


def test_bars_are_as_long_as_their_values() -> None:
    """Three times the value is three times the length."""
    root = ElementTree.fromstring(draw(Bars({"a": 1, "b": 3}, "documents"), "t"))

    one, three = (float(bar.attrib["width"]) for bar in root.iter("rect"))

    assert three == pytest.approx(3 * one, abs=0.2)


def test_classes_are_as_high_as_their_counts() -> None:
    """And stand on the axis."""
    chart = Histogram([0, 1, 2], {"pages": [2, 8]}, "share", "pages")

    two, eight = list(ElementTree.fromstring(draw(chart, "t")).iter("rect"))

    assert float(eight.attrib["height"]) == pytest.approx(4 * float(two.attrib["height"]), abs=0.3)
    assert float(two.attrib["y"]) + float(two.attrib["height"]) == pytest.approx(250, abs=0.2)


@pytest.mark.parametrize("most", [1e-5, 0.034, 0.7, 1, 3, 9.99, 1234, 8e6])
def test_axes_have_few_round_ticks_and_hold_everything(most: float) -> None:
    """From 0 to not below the largest value, in at most seven steps."""
    found = ticks(most)

    assert found[0] == 0
    assert found[-1] >= most * (1 - 1e-9)
    assert len(found) <= 8


def test_steps_need_not_start_at_nought() -> None:
    """Similarities between .93 and .98 fill the axis."""
    assert steps(0.933, 0.978) == pytest.approx([0.93, 0.94, 0.95, 0.96, 0.97, 0.98])


AUDIT = Audit(
    {"read": "1 <collection>"},
    [("documents", "1,234", "all & more")],
    [
        Section(
            "Contents",
            [
                Table(
                    "table_3", "A | b", "Note.",
                    [("", "text"), ("n", "count"), ("share", "share"), ("i", "interval")],
                    [["<i>x</i>", 1234, 0.5, (0.25, 0.75)], ["none", 0, None, None]],
                ),
                Table("empty", "Empty", "Note.", [("a", "text")], []),
                *(Figure(f"f{n}", "F", "N", chart) for n, chart in enumerate(CHARTS)),
            ],
            ["A remark."],
        )
    ],
)  # fmt: skip


def test_page_loads_and_runs_nothing() -> None:
    """No script, no address, no handler; names are escaped."""
    page = html(AUDIT)

    assert not re.search(r"<script|https?:|//|\bon\w+=|url\(|@import|<i>x", page)
    assert "&lt;i&gt;x&lt;/i&gt;" in page
    assert "prefers-color-scheme: dark" in page and "@media print" in page


def test_every_format_has_the_same_numbers(tmp_path: Path) -> None:
    """1,234, 50 % and its interval stand in all three; absent is a dash or null."""
    write_audit(AUDIT, tmp_path / "new" / "folder")

    page, data, text = ((tmp_path / "new" / "folder" / name).read_text() for name in NAMES)

    for shown in (page, text):
        assert all(one in shown for one in ("1,234", "50.0 %", "25.0–75.0 %", "–"))
    row, none = json.loads(data)["tables"]["table_3"]["rows"]
    assert row == {"": "<i>x</i>", "n": 1234, "share": 0.5, "i": [0.25, 0.75]}
    assert none["share"] is None
    assert "| A \\| b |" not in text and "&lt;i>x" in text


def test_markdown_tables_have_one_width() -> None:
    """Every row of a table has as many cells as its heading."""
    for table in re.findall(r"(?:^\|.*\n)+", markdown(AUDIT), re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(cells) == 1


def test_share_stands_under_the_heading_of_its_count() -> None:
    """A dataset's name is one heading over both of its columns; JSON keeps both names."""
    columns: list[Column] = [("", "text"), ("a", "count"), ("a, share", "share"), ("b", "count")]
    table = Table("t", "T", "", columns, [["x", 3, 0.25, 1]])

    page = html(Audit({}, [], [Section("S", [table])]))

    assert '<th class="n" colspan="2">a</th>\n<th class="n">b</th>' in page
    assert page.count("<td") == 4
    assert table.as_json()["rows"] == [{"": "x", "a": 3, "a, share": 0.25, "b": 1}]


def test_counts_stand_above_bars_where_all_have_room() -> None:
    """Forty classes have none; two have them."""
    few = Histogram([0, 1, 2], {"pages": [1234, 7]}, "share", "pages")
    many = Histogram(list(range(41)), {"pages": [1234] * 40}, "share", "pages")

    assert re.findall(r'class="few">([\d,]+)<', draw(few, "")) == ["1,234", "7"]
    assert "few" not in draw(many, "")


def test_lines_join_their_points_and_become_a_table() -> None:
    """A line through all points of a series; in Markdown a column each, with gaps."""
    chart = Lines({"one": [(0.0, 0.9), (0.3, 0.6)], "two": [(0.3, 0.7)]}, "level", "AUC", True)
    audit = Audit(
        {}, [], [Section("s", [Figure("f", "t", "n", chart)])], "Another title", "The end."
    )

    [line] = list(ElementTree.fromstring(draw(chart, "t")).iter("polyline"))
    text = markdown(audit)

    assert len(line.attrib["points"].split()) == 2
    assert "| 0.0 % | 0.900 | – |\n| 30.0 % | 0.600 | 0.700 |" in text
    assert text.startswith("# Another title") and text.endswith("The end.\n")
    assert "<h1>Another title</h1>" in html(audit)
