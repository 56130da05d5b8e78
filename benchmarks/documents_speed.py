"""Measure how long documents take: pages of a PDF file, cells of a workbook, a long document."""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from statistics import median

from benchmarks.documents_plants_pdf import Pdf
from benchmarks.documents_plants_sheet import SHEET, root
from benchmarks.documents_plants_sheet import base as sheet
from benchmarks.documents_plants_word import MAIN, paragraph
from benchmarks.documents_plants_word import base as word
from benchmarks.documents_running import DONE, Outcome, rewritten
from benchmarks.text_speed import PAGE, page, values

PAGES, CELLS, LONG = 10, 10_000, 100
ROUNDS = 3
SAFE = str.maketrans("()\\", "[]/")
"""Characters that would end a string of a PDF file, and their replacements."""
TITLES = ("Name", "SSN", "Date of birth", "Street", "Town", "Phone", "Post", "Years", "Grade", "Id")


def escaped(text: str) -> str:
    """Return *text* for XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def pages_of(count: int) -> Iterator[str]:
    """Yield pages of a personnel file, each of `PAGE` characters."""
    random = Random(3)
    for _ in range(count):
        yield (page(random) + "\n" + page(random))[:PAGE]


def pdf(count: int = PAGES) -> bytes:
    """Return a PDF file of text pages."""
    made = Pdf("Personnel file")
    made.pages = []
    for text in pages_of(count):
        plain = text.encode("latin-1", "replace").decode("latin-1").translate(SAFE)
        lines = "\n".join(f"({line}) '" for line in plain.splitlines())
        content = made.stream(f"BT /F1 8 Tf 11 TL 40 760 Td\n{lines}\nET")
        made.pages.append(
            made.add(
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} "
                "/Resources << /Font << /F1 5 0 R >> >> >>"
            )
        )
    return made.to_bytes()


def workbook(cells: int = CELLS) -> bytes:
    """Return a workbook of ten columns; half of them hold personal data."""
    random, rows = Random(4), []
    for number in range(cells // len(TITLES)):
        one = values(random)
        texts = (
            f"{one['first']} {one['last']}",
            one["ssn"],
            f"{one['month']} {one['day']}, {one['year']}",
            f"{one['house']} {one['street']}",
            one["town"],
            f"({one['area']}) 555-{one['line']}",
            one["post"],
            one["age"],
            "B",
            str(number),
        )
        rows.append(texts)
    made = sheet("Staff")
    xml = "".join(
        f'<row r="{at}">{"".join(_cell(text, column, at) for column, text in enumerate(row))}</row>'
        for at, row in enumerate([TITLES, *rows], 1)
    )
    made.parts[SHEET] = root("worksheet", f"<sheetData>{xml}</sheetData>")
    return made.to_bytes()


def _cell(text: str, column: int, row: int) -> str:
    place = f"{chr(65 + column)}{row}"
    if text.isdigit():
        return f'<c r="{place}"><v>{text}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escaped(text)}</t></is></c>'


def document(count: int = LONG) -> bytes:
    """Return a Word document of *count* pages of text."""
    lines = (line for text in pages_of(count) for line in text.splitlines())
    made = word("Personnel file")
    made.before(MAIN, "<w:sectPr", "".join(paragraph(escaped(line)) for line in lines))
    return made.to_bytes()


CASES: Mapping[str, tuple[Callable[[], bytes], str, int, float]] = {
    "a born-digital page": (pdf, "a.pdf", PAGES, 0.25),
    "10,000 cells": (workbook, "a.xlsx", 1, 10.0),
    "a document of 100 pages": (document, "a.docx", 1, 15.0),
}
"""The function that builds it, its name, the divisor of its time, and the most seconds asked."""


def measured(name: str) -> tuple[float | None, Outcome]:
    """Return the median seconds of a case, one thread for the model, and the last outcome."""
    from presidio_cdip.documents.segments import Settings

    build, file, parts, _ = CASES[name]
    data, times = build(), []
    for _ in range(ROUNDS):
        outcome = rewritten(data, file, Settings(), threads=1)
        times.append(outcome.seconds / parts)
        if outcome.kind != DONE:
            return None, outcome
    return median(times), outcome
