"""Count and list the findings on real page images, for a reader to judge.

    python -m benchmarks.real_pages FOLDER
    python -m benchmarks.real_pages FOLDER --show     # each finding in its line, to be judged

FOLDER holds page images (PNG, TIFF, JPEG). They have no annotations: the table has only counts, and
a reader judges with ``--show`` which findings are right. Pages that were used:

* the first 25 and the last 25, by name, of ``Test_images/`` of the repository
  ``anarsinagrid/FUNSD_FormEditor`` (business forms of the IIT-CDIP collections; on a page of the
  kind nearly every finding is wrong);
* page 1, at 150 dpi, of ``registration-form/main/pdfs/*Short-Form.pdf`` of 2008 to 2012 of
  ``google-research-datasets/vrdu`` (forms with a residence and a business address side by side).

They are not part of this project.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.imaging.page.pages import read_pages
from presidio_cdip.imaging.reading.layout import layout_text
from presidio_cdip.imaging.reading.ocr import read_words
from presidio_cdip.recognition.finder import Finder, finder, least_score
from presidio_cdip.recognition.spans import Span

_SUFFIXES = {".png", ".tif", ".tiff", ".jpg", ".jpeg"}


def read(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the file name and the OCR text of each page in *folder* that OCR reads."""
    for file in sorted(folder.iterdir()):
        if file.suffix.lower() not in _SUFFIXES:
            continue
        for page in read_pages(file.read_bytes(), file.name):
            if isinstance(page, UnreadableInput):
                raise page
            try:
                words = read_words(page.image, name=page.title)
            except UnreadableInput as error:
                click.echo(f"left out: {error}", err=True)
                continue
            yield file.name, layout_text(words).text


def shown(text: str, span: Span) -> str:
    """Return *span* in brackets with the text around it, on one line."""
    before, after = text[max(0, span.start - 60) : span.start], text[span.end : span.end + 30]
    line = f"{before}⟦{text[span.start : span.end]}⟧{after}".replace("\n", "⏎")
    return re.sub(r"\s{3,}", "   ", line)


def table(pages: int, counts: Counter[str], with_any: int) -> str:
    """Return the counts as a Markdown table."""
    rows = ["| entity | findings | a page |", "| --- | --: | --: |"]
    rows += [f"| {name} | {count} | {count / pages:.2f} |" for name, count in counts.most_common()]
    rows.append(f"| total | {counts.total()} | {counts.total() / pages:.2f} |")
    return "\n".join([*rows, "", f"{pages} pages, {with_any} with a finding"])


def found(text: str, engine: Finder, least: float) -> list[Span]:
    """Return the findings in *text*."""
    return engine.find(text, min_score=least)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--min-score", help="As in `presidio-cdip analyze`.")
@click.option("--model", help="As in `presidio-cdip analyze`.")
@click.option("--show", is_flag=True, help="Print each finding in its surroundings.")
def main(folder: Path, min_score: str | None, model: str | None, show: bool) -> None:
    """Count the findings on the page images in FOLDER."""
    engine, least = finder(model=model), least_score(min_score)
    counts: Counter[str] = Counter()
    pages = with_any = 0
    for name, text in read(folder):
        spans = found(text, engine, least)
        pages += 1
        with_any += bool(spans)
        counts.update(span.entity for span in spans)
        if show:
            for span in spans:
                click.echo(f"{name}  {span.entity}  {span.score:.2f}  {shown(text, span)}")
    if not pages:
        raise click.ClickException("there is no page image in the folder")
    click.echo(table(pages, counts, with_any))


if __name__ == "__main__":
    main()
