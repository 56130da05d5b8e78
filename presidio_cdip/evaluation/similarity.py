"""Compare pages before and after redaction, by method."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from statistics import fmean, median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from presidio_cdip.evaluation.charts import steps
from presidio_cdip.evaluation.sections import Figure, Histogram, Row, Scatter, Section, Table

EQUAL = 1e-4
"""Similarities that differ by less are equal: reports have four digits."""

_CHANGED = 24  # grey levels
_BLOCK = 16  # pixels a side

Grey = NDArray[np.uint8]


class Near(NamedTuple):
    """The similarity of a redacted page to the original.

    Attributes:
        page: Its name, equal for the results of all methods; "" where only one is known.
        area: The share of the page that was redacted.
        ssim: Mean structural similarity, at most 1.
        cosine: Of the descriptors, at most 1.
    """

    page: str
    area: float
    ssim: float
    cosine: float

    @property
    def euclid(self) -> float:
        """Return the distance of the descriptors; all three parts of one have length 1."""
        return sqrt(max(0.0, 6 * (1 - self.cosine)))


@dataclass
class Compared:
    """Pages compared, by method.

    Attributes:
        pages: Of each method.
        incomparable: Pages of each method that are not there, or have another size.
    """

    pages: dict[str, list[Near]] = field(default_factory=dict)
    incomparable: dict[str, int] = field(default_factory=dict)


def changed_share(before: Grey, after: Grey) -> float:
    """Return the share of blocks of 16 x 16 pixels with a pixel that changed by over 24 levels.

    A surrogate changes only some pixels of its box; the blocks around them stand for the box.
    JPEG compression changes pixels by less.
    """
    rows, columns = before.shape
    difference = np.abs(before.astype(np.int16) - after) > _CHANGED
    down, right = np.arange(0, rows, _BLOCK), np.arange(0, columns, _BLOCK)
    blocks = np.logical_or.reduceat(np.logical_or.reduceat(difference, down, 0), right, 1)
    return float(blocks.mean())


def near(page: str, before: Grey, after: Grey) -> Near:
    """Compare a page before and after.

    Raises:
        ValueError: They differ in size.
    """
    from presidio_cdip.imaging.page.similarity import similarity

    found = similarity(before, after)
    return Near(page, changed_share(before, after), found.ssim, found.descriptor)


def nearer(one: Iterable[float], other: Iterable[float]) -> tuple[int, int, int]:
    """Count where *one* is more similar, where *other* is, and where they are equal."""
    wins = [0, 0, 0]
    for a, b in zip(one, other, strict=True):
        wins[2 if abs(a - b) < EQUAL else 0 if a > b else 1] += 1
    return wins[0], wins[1], wins[2]


def section(of: Compared) -> Section | None:
    """Return figures 8 to 11 of Larson et al. (EMNLP 2024), with descriptors in place of CLIP."""
    pages = {name: found for name, found in of.pages.items() if found}
    remarks = [
        f"{count:,} pages by {name} could not be compared: they are missing or have another size."
        for name, count in of.incomparable.items()
        if count
    ]
    if not pages:
        return Section("Similarity before and after", (), remarks) if remarks else None
    parts = [_summary(pages), *_histograms(pages), _by_area(pages)]
    if len(pages) > 1 and all(one.page for found in pages.values() for one in found):
        parts.insert(3, _nearer_than(pages))
    return Section("Similarity before and after", parts, remarks)


def _summary(pages: Mapping[str, Sequence[Near]]) -> Table:
    rows: list[Row] = []
    for name, found in pages.items():
        for measure, values in (
            ("SSIM", [one.ssim for one in found]),
            ("cosine", [one.cosine for one in found]),
            ("redacted area", [one.area for one in found]),
        ):
            rows.append([name, measure, len(found), fmean(values), median(values)])
            rows[-1] += [min(values), max(values)]
    return Table(
        "similarity",
        "Similarity by method",
        "SSIM: mean structural similarity (Wang et al., IEEE TIP 2004). Cosine: of descriptors of "
        "32 x 32 pixels, oriented gradients (Dalal and Triggs 2005) and local binary patterns "
        "(Ojala et al. 2002). 1 is equal.",
        [
            ("method", "text"), ("measure", "text"), ("pages", "count"), ("mean", "number"),
            ("median", "number"), ("least", "number"), ("most", "number"),
        ],
        rows,
    )  # fmt: skip


def _histograms(pages: Mapping[str, Sequence[Near]]) -> list[Table | Figure]:
    cosines = {name: [one.cosine for one in found] for name, found in pages.items()}
    euclids = {name: [one.euclid for one in found] for name, found in pages.items()}
    return [
        _histogram(
            "figure_8", "Cosine similarity by method", cosines, "cosine of descriptors",
            "As figure 8 of Larson et al. (EMNLP 2024), whose features are CLIP's.",
        ),
        _histogram(
            "figure_9", "Euclidean distance by method", euclids, "distance of descriptors",
            "As figure 9. The parts of a descriptor have length 1, so that the distance is "
            "√(6 − 6 cosine) and orders pages as the cosine does.",
        ),
    ]  # fmt: skip


def _histogram(
    name: str, title: str, values: Mapping[str, Sequence[float]], axis: str, note: str
) -> Figure:
    every = [value for series in values.values() for value in series]
    low, high = min(every), max(every)
    edges = steps(low, high if high - low > EQUAL else low + EQUAL, about=10)
    series = {
        method: [int(count) for count in np.histogram(found, edges)[0]]
        for method, found in values.items()
    }
    return Figure(name, title, note, Histogram(edges, series, axis, "pages"))


def _nearer_than(pages: Mapping[str, Sequence[Near]]) -> Table:
    rows: list[Row] = []
    for one, other in combinations(pages, 2):
        first = {near.page: near for near in pages[one]}
        second = {near.page: near for near in pages[other]}
        both = sorted(first.keys() & second.keys())
        for title, measure in (("cosine", "cosine"), ("SSIM", "ssim")):
            wins = nearer(
                (getattr(first[page], measure) for page in both),
                (getattr(second[page], measure) for page in both),
            )
            shares = [count / len(both) if both else None for count in wins]
            rows.append([one, other, title, len(both), *shares])
    return Table(
        "figure_10",
        "Which method is nearer to the original",
        "As figure 10 of Larson et al. (EMNLP 2024), where synthetic was nearer than white on "
        "61.6 % of 445 pages, white on 28.3 %, equal on 10.1 %. Equal: less than .0001 apart.",
        [
            ("one", "text"), ("other", "text"), ("by", "text"), ("pages", "count"),
            ("one nearer", "share"), ("other nearer", "share"), ("equal", "share"),
        ],
        rows,
    )  # fmt: skip


def _by_area(pages: Mapping[str, Sequence[Near]]) -> Figure:
    return Figure(
        "figure_11",
        "Redacted area and similarity",
        "As figure 11 of Larson et al. (EMNLP 2024): a point is a page; at most 1,500 points of a "
        "method are drawn.",
        Scatter(
            {name: [(one.area, one.cosine) for one in found] for name, found in pages.items()},
            "redacted share of the page",
            "cosine of descriptors",
            percent=True,
        ),
    )
