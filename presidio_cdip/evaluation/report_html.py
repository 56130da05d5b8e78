"""Write a report as one HTML page: no script, nothing loaded, light and dark, fit to print."""

from collections.abc import Iterator
from html import escape

from presidio_cdip.evaluation.charts import draw
from presidio_cdip.evaluation.sections import SHARE, Audit, Figure, Section, Table, shown

_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1c2430; --faint: #5b6675;
  --grid: #dfe4ea; --panel: #f5f7f9; --series-1: #2563a8; --series-2: #c2571a;
  --series-3: #2f855a; --series-4: #7b4fa3;
  --series-5: #8a6d1d; --series-6: #b0305c; }
@media (prefers-color-scheme: dark) { :root { --ground: #14181e; --ink: #e4e8ee; --faint: #9aa6b5;
  --grid: #333c48; --panel: #1d232b; --series-1: #6ea8e5; --series-2: #e8935a;
  --series-3: #66c295; --series-4: #b793dd;
  --series-5: #d1b25a; --series-6: #e88aa8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem; background: var(--ground);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem;
  border-top: 1px solid var(--grid); padding-top: 1.2rem; } h3 { font-size: 1rem; margin: 0; }
p { margin: .4rem 0; } .note, .facts { color: var(--faint); font-size: .875rem; }
nav { margin: 1rem 0; font-size: .9rem; } nav a { margin-right: 1rem; }
a { color: var(--series-1); }
.keys { display: grid; gap: .8rem; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr));
  margin: 1.2rem 0; } .key { background: var(--panel); border: 1px solid var(--grid);
  border-radius: 6px; padding: .7rem .9rem; } .key b { display: block; font-size: 1.5rem; }
.key small { color: var(--faint); } figure { margin: 1.4rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .875rem; min-width: 20rem;
  margin-top: .5rem; font-variant-numeric: tabular-nums; }
th, td { padding: .28rem .6rem; border-bottom: 1px solid var(--grid); text-align: left;
  vertical-align: top; } th { color: var(--faint); font-weight: 600; vertical-align: bottom; }
.n { text-align: right; } .of { color: var(--faint); padding-left: 0; }
th { overflow-wrap: break-word; max-width: 9rem; } td { white-space: nowrap; }
.m { text-align: center; }
svg { width: 100%; max-width: 54rem; height: auto; margin-top: .5rem;
  font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .axis, svg .value { fill: var(--faint); }
svg .few { font-size: 10px; fill: var(--faint); }
.grid { stroke: var(--grid); } .axis-line { stroke: var(--faint); }
.line { fill: none; stroke-width: 2; }
.whisker { stroke: var(--ink); stroke-width: 1.5; } .point { fill-opacity: .55; }
.s1 { fill: var(--series-1); } .s2 { fill: var(--series-2); } .s3 { fill: var(--series-3); }
.s4 { fill: var(--series-4); } .s5 { fill: var(--series-5); } .s6 { fill: var(--series-6); }
.l1 { stroke: var(--series-1); } .l2 { stroke: var(--series-2); } .l3 { stroke: var(--series-3); }
.l4 { stroke: var(--series-4); } .l5 { stroke: var(--series-5); } .l6 { stroke: var(--series-6); }
@media print { :root { --ground: #fff; --ink: #000; --faint: #444; --grid: #ccc; --panel: #fff;
  --series-1: #2563a8; --series-2: #c2571a; --series-3: #2f855a; --series-4: #7b4fa3;
  --series-5: #8a6d1d; --series-6: #b0305c; }
  :root { font-size: 12px; } body { font-size: 1rem; padding: 0; max-width: none; }
  nav { display: none; }
  .keys { grid-template-columns: repeat(4, 1fr); } .wide { overflow: visible; }
  table { font-size: 10px; } th, td { padding: .15rem .35rem; } td { white-space: normal; }
  td.n { white-space: nowrap; } .of { padding-left: 0; } svg { max-width: 50rem; }
  .whole, tr, .key { break-inside: avoid; } thead { display: table-header-group; }
  h2, h2 + p, h3, .note { break-after: avoid; } }
"""


_SHORT = 15
"""Rows of a table that is printed on one sheet."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""A browser loads and runs nothing, whatever a name may hold."""


def html(audit: Audit) -> str:
    """Return *audit* as a page that stands alone."""
    return "\n".join(_page(audit)) + "\n"


def _page(audit: Audit) -> Iterator[str]:
    yield "<!doctype html>"
    yield f'<html lang="en"><head><meta charset="utf-8"><title>{escape(audit.title)}</title>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>{_STYLE}</style></head><body>"
    yield f"<h1>{escape(audit.title)}</h1>"
    facts = (f"{escape(name)}: {escape(fact)}" for name, fact in audit.facts.items())
    yield f'<p class="facts">{" · ".join(facts)}</p>'
    yield '<div class="keys">'
    for what, value, remark in audit.key_figures:
        yield f'<div class="key">{escape(what)}<b>{escape(value)}</b>'
        yield f"<small>{escape(remark)}</small></div>"
    yield "</div><nav>"
    for number, section in enumerate(audit.sections, 1):
        yield f'<a href="#section-{number}">{escape(section.title)}</a>'
    yield "</nav>"
    for number, section in enumerate(audit.sections, 1):
        yield from _section(section, number)
    yield f'<p class="note">{escape(audit.end)}</p></body></html>'


def _section(section: Section, number: int) -> Iterator[str]:
    yield f'<h2 id="section-{number}">{escape(section.title)}</h2>'
    yield from (f"<p>{escape(remark)}</p>" for remark in section.remarks)
    for part in section.parts:
        short = isinstance(part, Figure) or len(part.rows) <= _SHORT
        kind = ' class="whole"' if short else ""
        yield f'<figure id="{escape(part.id)}"{kind}><h3>{escape(part.title)}</h3>'
        yield f'<p class="note">{escape(part.note)}</p>'
        if isinstance(part, Figure):
            yield draw(part.chart, part.title)
        else:
            yield from _table(part)
        yield "</figure>"


def _table(table: Table) -> Iterator[str]:
    if not table.rows:
        yield "<p>Nothing.</p>"
        return
    classes = [
        "" if kind == "text" else f' class="{"m" if kind == "mark" else "n"}"'
        for _, kind in table.columns
    ]
    yield '<div class="wide"><table><thead><tr>'
    names = [name for name, _ in table.columns]
    for at, (name, style) in enumerate(zip(names, classes, strict=True)):
        if at and name == names[at - 1] + SHARE:  # stands under the heading of its count
            classes[at] = ' class="n of"'
            continue
        both = ' colspan="2"' if names[at + 1 : at + 2] == [name + SHARE] else ""
        yield f"<th{style}{both}>{escape(name)}</th>"
    yield "</tr></thead><tbody>"
    for row in table.rows:
        cells = zip(row, table.columns, classes, strict=True)
        yield (
            "<tr>"
            + "".join(
                f"<td{style}>{escape(shown(cell, kind))}</td>" for cell, (_, kind), style in cells
            )
            + "</tr>"
        )
    yield "</tbody></table></div>"
