"""Print documents of the corpus, and read the pages by OCR: unmarked text to learn from.

    python -m training.pages build/pages --fraction 0.08 --count 400
    python -m training.train RUN --fraction 0.08 --teacher MODEL --unmarked build/pages/read.jsonl

The documents are training documents that a run with the same fraction and seed does not learn from.
Each is set and degraded as in `fit_noise.py`, up to the end of its first page. FOLDER then holds
``read.jsonl``, what OCR made of the pages, and ``printed.jsonl``, what was printed on them. The
marks are in neither.
"""

import json
from pathlib import Path
from random import Random

import click

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.reading.ocr import read_words
from training.fit_noise import (
    MONOSPACED,
    PROPORTIONAL,
    SCANS,
    bare_papers,
    differences,
    installed,
    page_of,
    read_lines,
)
from training.splits import shuffled


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--fraction", default=0.08, show_default=True, help="Fraction that the run learns.")
@click.option("--seed", default=1, show_default=True, help="The run's.")
@click.option("--count", default=400, show_default=True, help="Pages to print.")
@click.option(
    "--scans",
    type=click.Path(file_okay=False, path_type=Path),
    default=SCANS,
    help="Scanned pages, 200 dpi, to take the paper from.  [default: ../shared/data/scans]",
)
def main(folder: Path, fraction: float, seed: int, count: int, scans: Path) -> None:
    """Write texts to FOLDER; a page on which no word can be read is left out."""
    random = Random(seed)
    papers = bare_papers(scans, random)
    typewriters, presses = installed(MONOSPACED), installed(PROPORTIONAL)
    documents = shuffled(seed)
    first = round(len(documents) * fraction)
    folder.mkdir(parents=True, exist_ok=True)
    kept = wrong = characters = 0
    with (folder / "read.jsonl").open("w") as read, (folder / "printed.jsonl").open("w") as printed:
        for document in documents[first : first + count]:
            page = page_of(document.text, typewriters, presses, papers, random)
            try:
                words = read_words(page.image, name=document.id)
            except UnreadableInput:
                continue
            for file, text in (
                (read, layout_text(words).text),
                (printed, "\n".join(page.lines)),
            ):
                file.write(json.dumps({"id": document.id, "text": text}) + "\n")
                file.flush()
            kept += 1
            for line, own in zip(page.lines, read_lines(page, words), strict=True):
                wrong += sum(max(len(a), len(b)) for _, a, b in differences(line, own))
                characters += len(line)
    click.echo(f"{kept} of {count} pages, {wrong / max(1, characters):.3f} errors a character")


if __name__ == "__main__":
    main()
