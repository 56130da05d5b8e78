"""Measure the effect of redaction on a classifier of documents.

    python -m benchmarks.datasets_utility [--policy surrogate --policy redact]
    python -m benchmarks.datasets_utility --pages 208 --work FOLDER [--minutes 14]

The documents are those of the benchmark sets whose kind says one of the classes in `CLASSES`. They
are treated as `presidio-cdip run` treats them, with the shipped model, and classified by
`presidio_cdip.evaluation.utility`: TF-IDF and logistic regression, each document tested unseen.

With ``--pages``, they are pages that `datasets_pages.py` draws of those of these documents that
have marked values, and of forms; each is read once and redacted by every ``--method``. The
classifier sees the page's descriptor, as that of an audit does. A page takes some four seconds;
what was made of it stays in FOLDER, so that the same command goes on after ``--minutes``. The table
comes when all pages are done. A page on which an original stays readable is not written, and not in
the table.

* **flips**: documents that a classifier trained on originals gives another label when redacted.
* **change**: mean change of its confidence in the label that it gave the original.
* **accuracy**: trained and tested on originals; **lost**: points less when trained on redacted
  documents and tested on originals.
"""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.quality import header, print_facts, print_markdown, print_table
from presidio_cdip import steps
from presidio_cdip.datasets.frames import Piece
from presidio_cdip.datasets.identity import Treatment
from presidio_cdip.datasets.manifest import DONE
from presidio_cdip.datasets.treatment import Treating
from presidio_cdip.documents.pictures import SpanAnalyzer
from presidio_cdip.documents.replacement import Replacement
from presidio_cdip.errors import CdipError
from presidio_cdip.evaluation.utility import measure
from presidio_cdip.recognition.finder import finder, least_score

KEY = b"a key for this benchmark alone, not secret"
CLASSES = {
    "form": ("form", "application", "card", "sheet", "questionnaire", "certificate"),
    "hearing": ("transcript", "minutes", "deposition", "interview"),
    "letter": ("letter",),
    "message": ("memo", "mail", "telex", "fax", "telegram"),
    "press": ("obituary", "clipping", "newspaper", "announcement", "press"),
    "report": ("report", "summary", "evaluation"),
    "trade": ("invoice", "price list", "order", "budget", "table", "receipt", "ledger"),
    "vita": ("vitae", "resume", "biograph"),
}
METHODS = ("surrogate", "black", "white")
BEFORE = "before"
COLUMNS = ("by", "documents", "changed", "flips", "change", "accuracy", "trained redacted")


def label(kind: str) -> str | None:
    """Return the class of a kind of document; None where no class, or several, are named.

    >>> label("business letter"), label("recipe"), label("letter of application")
    ('letter', None, None)
    """
    found = [name for name, words in CLASSES.items() if any(word in kind for word in words)]
    return found[0] if len(found) == 1 else None


def labelled(files: Sequence[Path], marked: bool = False) -> Iterator[tuple[str, str]]:
    """Yield class and text of each document that has a class; *marked*: and marked values."""
    for file in files:
        for line in file.read_text().splitlines():
            document = json.loads(line)
            if (name := label(document["kind"])) and (document["spans"] or not marked):
                yield name, document["text"]


def redacted(texts: Sequence[str], policy: str, model: str | None) -> list[str]:
    """Return *texts* as a run writes them.

    Raises:
        RuntimeError: One of them was not written.
    """
    treating = Treating(Treatment(key=KEY, policy=policy, model=model))
    made = []
    for number, text in enumerate(texts):
        [(head, data)] = treating(str(number), [Piece(f"{number}.txt", "", text.encode())])
        if head["state"] != DONE:
            raise RuntimeError(f"document {number}: {head['problem']}")
        made.append(data.decode())
    return made


def figures(
    name: str, features: str, labels: Sequence[str], before: Sequence[Any], after: Sequence[Any]
) -> list[str]:
    """Return the cells of a row, from the number of documents on."""
    found = measure(name, features, labels, before, after)
    assert found is not None
    changed = sum(not np.array_equal(one, other) for one, other in zip(before, after, strict=True))
    lost = 100 * (found.original - found.to_original)
    return [
        str(found.documents), str(changed), str(found.flips),
        f"{np.mean(np.abs(found.changes)):.4f}", f"{found.original:.3f}",
        f"{found.to_original:.3f} ({lost:+.1f} points lost)",
    ]  # fmt: skip


@dataclass
class Pages:
    """Draw, read and redact pages, and keep what classifiers see of them in a folder.

    Attributes:
        work: The folder; a page that is in it is not made again.
        methods: How pages are redacted.
        model: As of `presidio-cdip run`.
    """

    work: Path
    methods: Sequence[str]
    model: str | None
    _tools: tuple[Any, Any] | None = field(default=None, repr=False)

    def make(self, kind: str, text: str, number: int) -> None:
        """Make a page and its redacted ones, unless they are there."""
        file = self._file(number)
        if file.exists():
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        seen = self._seen(kind, text, number)
        part = file.with_suffix(".part.npz")
        np.savez(part, kind=kind, **seen)
        part.rename(file)

    def _file(self, number: int) -> Path:
        return self.work / f"{number:04}.npz"

    def _seen(self, kind: str, text: str, number: int) -> dict[str, Any]:
        from benchmarks.datasets_pages import page
        from presidio_cdip.imaging.page.clean import grey
        from presidio_cdip.imaging.page.pages import Page
        from presidio_cdip.imaging.page.similarity import descriptor
        from presidio_cdip.imaging.redaction import RedactionOptions, find_in_page, treat

        if self._tools is None:
            self._tools = self._opened()
        find, made = self._tools
        original = Page(page(kind, text, number), name=f"{number}.png")
        try:
            found = find_in_page(original, SpanAnalyzer(find))
        except CdipError as error:  # a drawn page that OCR does not read is none of the figures'
            print(f"page {number}: {error}")
            return {}
        seen = {BEFORE: descriptor(grey(original.image)).astype(np.float16)}
        for method in self.methods:
            source = Replacement(made, str(number)) if method == METHODS[0] else None
            options = RedactionOptions(method, source, verify=source is not None)
            try:
                image, _ = treat(original, found, options)
            except CdipError as error:
                print(f"page {number} by {method}: {error}")
                continue
            seen[method] = descriptor(grey(image)).astype(np.float16)
        return seen

    def _opened(self) -> tuple[Any, Any]:
        found = finder(None, self.model, 1)
        wanted = found.served((), False)
        find = partial(found.find, wanted=wanted, names=False, min_score=least_score(None))
        return find, steps.steps("surrogate", KEY, None, None, None, {})

    def rows(self, count: int) -> Iterator[list[str]]:
        """Yield a row for each method."""
        loaded = [np.load(self._file(number)) for number in range(count)]
        for method in self.methods:
            whole = [one for one in loaded if method in one]
            labels = [str(one["kind"]) for one in whole]
            before, after = ([one[side] for one in whole] for side in (BEFORE, method))
            yield [method, *figures(method, "page", labels, before, after)]


def drawn(count: int) -> list[tuple[str, str]]:
    """Return kind and text of *count* pages, one of four a form.

    Raises:
        UsageError: There are not as many documents.
    """
    files = sorted(Path(__file__).parent.glob("*.jsonl"))
    texts = [pair for pair in labelled(files, marked=True) if pair[0] != "form"]
    most = len(texts) * 4 // 3
    if count > most:
        raise click.UsageError(f"there are texts for {most} pages")
    rest = iter(texts)
    return [("form", "") if number % 4 == 3 else next(rest) for number in range(count)]


def of_pages(count: int, pages: Pages, minutes: float) -> list[list[str]]:
    """Return the rows of *count* pages; none if they are not done within *minutes*."""
    started = time.monotonic()
    for number, (kind, text) in enumerate(drawn(count)):
        pages.make(kind, text, number)
        if time.monotonic() - started > 60 * minutes:
            print(f"{number + 1} of {count} pages are done; the same command goes on")
            return []
    return list(pages.rows(count))


def of_texts(policies: Sequence[str], model: str | None) -> list[list[str]]:
    """Return a row for each policy."""
    pairs = list(labelled(sorted(Path(__file__).parent.glob("*.jsonl"))))
    labels, texts = ([pair[side] for pair in pairs] for side in (0, 1))
    return [
        [policy, *figures(policy, "text", labels, texts, redacted(texts, policy, model))]
        for policy in policies
    ]


@click.command()
@click.option("--policy", "policies", multiple=True, default=["surrogate", "label", "redact"])
@click.option("--model", help="As of `presidio-cdip run`.")
@click.option("--pages", type=click.IntRange(16), help="Draw so many pages, and measure them.")
@click.option("--method", "methods", multiple=True, default=METHODS, help="Of pages.")
@click.option("--work", type=click.Path(path_type=Path), help="Folder for what was made of pages.")
@click.option("--minutes", default=60.0, show_default=True, help="End after this; of pages.")
@click.option("--markdown", is_flag=True, help="Print in Markdown.")
def main(
    policies: Sequence[str],
    model: str | None,
    pages: int | None,
    methods: Sequence[str],
    work: Path | None,
    minutes: float,
    markdown: bool,
) -> None:
    """Print the table."""
    if pages and not work:
        raise click.UsageError("--pages needs --work")
    if pages and work:
        rows = of_pages(pages, Pages(work, methods, model), minutes)
    else:
        rows = of_texts(policies, model)
    if rows:
        print_facts(header(), markdown)
        (print_markdown if markdown else print_table)(COLUMNS, rows)


if __name__ == "__main__":
    main()
