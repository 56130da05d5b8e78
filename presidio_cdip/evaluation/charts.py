"""Draw bars, histograms, points and lines as SVG, without a script or a font of their own.

Colours are those of the page around them: classes ``s1`` to ``s6`` for the areas of series, in
turn, and ``l1`` to ``l6`` for their lines.
"""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from presidio_cdip.evaluation.sections import Bars, Chart, Histogram, Lines, Scatter

_WIDTH = 720
_LABELS = 210  # width of the labels of bars
_BAR, _GAP = 18, 9
_PLOT = (64, 14, 700, 250)  # left, top, right, bottom of a plot with two axes
_DIGIT = 6  # width of one above a bar
_MOST_POINTS = 1_500  # drawn in one series; more cannot be told apart


def draw(chart: Chart, title: str) -> str:
    """Return *chart* as an SVG element; *title* says what it is to those who cannot see it."""
    if isinstance(chart, Bars):
        body, height = _bars(chart)
    elif isinstance(chart, Histogram):
        body, height = _histogram(chart)
    else:
        body, height = _scatter(chart)
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"{''.join(body)}</svg>"
    )


def ticks(most: float, whole: bool = False, about: int = 5) -> list[float]:
    """Return round numbers from 0 to the first that is not below *most*.

    >>> ticks(7), ticks(0.034)
    ([0.0, 2.0, 4.0, 6.0, 8.0], [0.0, 0.01, 0.02, 0.03, 0.04])
    """
    if most <= 0:
        return [0.0, 1.0]
    return steps(0.0, most, whole, about)


def steps(low: float, high: float, whole: bool = False, about: int = 5) -> list[float]:
    """Return round numbers at even distances, from not above *low* to not below *high*."""
    rough = (high - low) / about
    power = 10.0 ** floor(log10(rough))
    step = next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough * (1 - 1e-9))
    step = max(1.0, ceil(step)) if whole else step
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(step * number, 10) for number in range(first, last + 1)]


def _number(value: float, percent: bool = False) -> str:
    if percent:
        return f"{100 * value:.3g} %"
    shown = f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"
    return shown.replace("-", "−")


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    of_kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{of_kind}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _rectangle(x: float, y: float, width: float, height: float, series: int, tip: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" '
        f'class="{_series(series)}"><title>{escape(tip)}</title></rect>'
    )


def _series(number: int) -> str:
    """Return the class of the series *number*, from 1; colours repeat after the sixth."""
    return f"s{(number - 1) % 6 + 1}"


def _shortened(label: str, most: int = 30) -> str:
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _bars(chart: Bars) -> tuple[list[str], int]:
    bounds = [high for _, high in chart.intervals.values()]
    scale = ticks(max([*chart.values.values(), *bounds], default=0), not chart.percent)
    right = _WIDTH - 90
    wide = (right - _LABELS) / scale[-1]
    bottom = 8 + len(chart.values) * (_BAR + _GAP)
    body = []
    for tick in scale:
        x = _LABELS + tick * wide
        body += [_line(x, 4, x, bottom, "grid")]
        body += [_text(x, bottom + 16, _number(tick, chart.percent), "middle")]
    for number, (label, value) in enumerate(chart.values.items()):
        y = 8 + number * (_BAR + _GAP)
        shown = _number(value, chart.percent)
        body += [_text(_LABELS - 8, y + 13, _shortened(label), "end")]
        body += [_rectangle(_LABELS, y, value * wide, _BAR, 1, f"{label}: {shown}")]
        end = _LABELS + value * wide
        if label in chart.intervals:
            low, high = (_LABELS + bound * wide for bound in chart.intervals[label])
            middle = y + _BAR / 2
            body += [_line(low, middle, high, middle, "whisker")]
            body += [_line(x, middle - 4, x, middle + 4, "whisker") for x in (low, high)]
            end = max(end, high)
        body += [_text(end + 6, y + 13, shown, kind="value")]
    body += [_text((_LABELS + right) / 2, bottom + 36, chart.axis, "middle", "axis")]
    return body, bottom + 44


def _legend(names: Sequence[str], y: float) -> list[str]:
    """Return the names of series beside their colours; one series needs none."""
    body, x = [], float(_PLOT[0])
    for number, name in enumerate(names if len(names) > 1 else (), 1):
        body += [
            f'<rect x="{x:.1f}" y="{y - 10:.1f}" width="11" height="11" class="{_series(number)}"/>'
        ]
        body += [_text(x + 16, y, _shortened(name, 24))]
        x += 40 + 7.2 * len(_shortened(name, 24))
    return body


def _axes(across: str, up: str, height: int) -> list[str]:
    left, top, right, bottom = _PLOT
    middle = (top + bottom) / 2
    return [
        _line(left, bottom, right, bottom, "axis-line"),
        _text((left + right) / 2, height - 8, across, "middle", "axis"),
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle" '
        f'class="axis">{escape(up)}</text>',
    ]


def _histogram(chart: Histogram) -> tuple[list[str], int]:
    left, top, right, bottom = _PLOT
    legend = 24 if len(chart.series) > 1 else 0
    height = bottom + 46 + legend
    scale = ticks(max((max(one, default=0) for one in chart.series.values()), default=0), True)
    tall = (bottom - top) / scale[-1]
    classes = len(chart.edges) - 1
    wide = (right - left) / classes
    body = _axes(chart.axis, chart.unit, height - legend)
    for tick in scale:
        y = bottom - tick * tall
        body += [_line(left, y, right, y, "grid"), _text(left - 6, y + 4, _number(tick), "end")]
    every = ceil(len(chart.edges) / 12)
    for place, edge in enumerate(chart.edges):
        x = left + place * wide
        if place % every == 0:
            body += [_line(x, bottom, x, bottom + 4, "axis-line")]
            body += [_text(x, bottom + 17, _number(edge, chart.percent), "middle")]
    each = wide * 0.86 / max(1, len(chart.series))
    most = max((count for counts in chart.series.values() for count in counts), default=0)
    labelled = each >= _DIGIT * len(f"{most:,}")
    for number, (name, counts) in enumerate(chart.series.items(), 1):
        for place, count in enumerate(counts):
            x = left + place * wide + wide * 0.07 + (number - 1) * each
            low, high = (_number(chart.edges[at], chart.percent) for at in (place, place + 1))
            tip = f"{name}, {low} to {high}: {count:,}"
            body += [_rectangle(x, bottom - count * tall, each, count * tall, number, tip)]
            if count and labelled:
                above = bottom - count * tall - 3
                body += [_text(x + each / 2, above, f"{count:,}", "middle", "few")]
    return body + _legend(list(chart.series), height - 8), height


def _scatter(chart: Scatter | Lines) -> tuple[list[str], int]:
    left, top, right, bottom = _PLOT
    legend = 24 if len(chart.series) > 1 else 0
    height = bottom + 46 + legend
    points = [point for series in chart.series.values() for point in series]
    across = ticks(max((x for x, _ in points), default=0))
    low, high = (edge((y for _, y in points), default=0.0) for edge in (min, max))
    up = steps(low, high) if high - low > 1e-6 else [low - 0.01, low, low + 0.01]
    body = _axes(chart.across, chart.up, height - legend)

    def placed(x: float, y: float) -> tuple[float, float]:
        share = (y - up[0]) / (up[-1] - up[0])
        return left + (right - left) * x / across[-1], bottom - (bottom - top) * share

    for tick in up:
        _, y = placed(0, tick)
        body += [_line(left, y, right, y, "grid"), _text(left - 6, y + 4, _number(tick), "end")]
    for tick in across:
        x, _ = placed(tick, up[0])
        body += [_line(x, top, x, bottom, "grid")]
        body += [_text(x, bottom + 17, _number(tick, chart.percent), "middle")]
    for number, (name, series) in enumerate(chart.series.items(), 1):
        if isinstance(chart, Lines):
            body += _path([placed(*point) for point in series], number)
            for point in series:
                x, y = placed(*point)
                tip = f"{name}, {_number(point[0], chart.percent)}: {_number(point[1])}"
                body += [
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" class="{_series(number)}">'
                    f"<title>{escape(tip)}</title></circle>"
                ]
            continue
        every = ceil(len(series) / _MOST_POINTS) or 1
        for point in series[::every]:
            x, y = placed(*point)
            body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="{_series(number)} point"/>']
    return body + _legend(list(chart.series), height - 8), height


def _path(points: Sequence[tuple[float, float]], number: int) -> list[str]:
    """Return a line through *points*; one point needs none."""
    if len(points) < 2:
        return []
    place = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return [f'<polyline points="{place}" class="line l{(number - 1) % 6 + 1}"/>']
