"""Measure how long page images take beyond their OCR: to find, erase and paint, and to look again.

    python -m benchmarks.imaging_speed --pages 2

The pages are those of `benchmarks.imaging`: real scans, drawn pages at four resolutions, and forms
filled in by five writers, ``--pages`` of each. So are the values and their surrogates.

All times are CPU seconds, Tesseract's among them, on one thread; the median of all pages but the
first. Of each page the first ten values are painted.

* **OCR**: to read the page.
* **beyond**: to erase and paint, of the time of OCR.
* **with the second look**: the same, and to read the places of all values again.
"""

from collections import defaultdict
from pathlib import Path
from statistics import median

import click
import cv2

from benchmarks.imaging import SCANS, samples
from benchmarks.imaging_painters import Shuffles, outcome
from benchmarks.quality import header, print_facts, print_markdown, print_table
from presidio_cdip.imaging.redaction import SURROGATE

Times = tuple[float, float, float]
"""Seconds of OCR, of painting, and of the second look."""


def row(kind: str, times: list[Times]) -> tuple[str, ...]:
    """Return the row of the pages of one *kind*."""
    beyond = median(painting / read for read, painting, _ in times)
    both = median((painting + looking) / read for read, painting, looking in times)
    read = median(read for read, _, _ in times)
    return kind, str(len(times)), f"{read:.2f}", f"{beyond:.2f}", f"{both:.2f}"


@click.command(help="Redact pages and time it; the module's docstring says what is measured.")
@click.option("--pages", default=2, show_default=True, help="Of each kind.")
@click.option("--scans", type=click.Path(path_type=Path), default=SCANS, help="A folder of PNGs.")
@click.option("--seed", default=1, show_default=True, help="Of pages and surrogates.")
@click.option("--markdown", is_flag=True, help="Print the table for a document.")
def main(pages: int, scans: Path, seed: int, markdown: bool) -> None:
    """Time each page, and print medians by kind."""
    cv2.setNumThreads(1)
    times = defaultdict[str, list[Times]](list)
    is_warm = False
    for sample in samples(pages, scans, seed):
        source = Shuffles("".join(word.text for word in sample.words), seed)
        done = outcome(SURROGATE, sample, source)
        if done is not None and is_warm:
            times[sample.kind].append((sample.seconds, done.seconds, done.looking))
        is_warm = True
    print_facts(header(), markdown)
    rows = [row(kind, of_kind) for kind, of_kind in times.items()]
    rows.append(row("all", [one for of_kind in times.values() for one in of_kind]))
    show_table = print_markdown if markdown else print_table
    show_table(("pages", "count", "OCR s", "beyond", "with the second look"), rows)


if __name__ == "__main__":
    main()
