"""Print findings and their places: the command `analyze`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from presidio_cdip.cli.options import (
    Analysis,
    allow_unread_option,
    analysis_options,
    at_least_one,
    imaging,
    layout_option,
    reading_options,
    unread_writing,
)
from presidio_cdip.cli.printing import as_json, emit, print_table, printable, report_problem
from presidio_cdip.files.accounts import Account, Done
from presidio_cdip.files.folders import Job, jobs
from presidio_cdip.files.inputs import STANDARD_INPUT, decode, is_image, read_input
from presidio_cdip.files.runs import run

if TYPE_CHECKING:
    from presidio_cdip.documents.rewriting import Report
    from presidio_cdip.documents.segments import Settings
    from presidio_cdip.imaging.redaction import PageFindings
    from presidio_cdip.recognition.spans import Span


Shown = tuple[str, str, "Sequence[Span]"]
"""The name, text and findings of a text or document that is shown."""


@dataclass(frozen=True, slots=True)
class Row:
    """A finding as it is printed, without its text.

    Attributes:
        file: As given on the command line; ``-`` is standard input.
        entity: The entity.
        start: Offset of the first character, in code points of the file's text, or of the text that
            OCR read from the page.
        end: Offset after the last.
        score: In [0, 1].
        recognizer: Which recognizer found it.
        explanation: Why.
        line: The line it starts in, from 1; None in an image or document.
        page: Its page, from 0; None in a text, and in documents without pages.
        where: Its place in a document: a paragraph, a cell, a path; "" elsewhere. *start* and *end*
            count from there.
        boxes: Its boxes on the page, one for each line: left, top, right, bottom, origin top left;
            in pixels of an image, in points of a PDF.
    """

    file: str
    entity: str
    start: int
    end: int
    score: float
    recognizer: str
    explanation: str
    line: int | None = None
    page: int | None = None
    where: str = ""
    boxes: Sequence[Sequence[float]] = field(default=())


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]…")
@layout_option("table", "json", "jsonl", "html")
@click.option("--explain", is_flag=True, help="Print the reason for each finding.")
@allow_unread_option
@reading_options
@analysis_options
def analyze(
    files: Sequence[Path],
    analysis: Analysis,
    layout: str,
    explain: bool,
    allow_unread: bool,
    documents: dict[str, Any],
) -> int:
    """Print the findings of each FILE, and their places: texts, page images, documents, folders.

    Without a FILE, or with -, the text is read from standard input. The page that --format html
    prints shows the text.
    """
    sections: list[Shown] | None = [] if layout == "html" else None
    reading = _Reading(analysis, analysis.settings(**documents), sections, allow_unread)
    account: Account[Row] = Account(report_problem)

    def work(job: Job) -> Done[Row]:
        assert isinstance(job.source, Path)
        done = reading.done(job.source)
        if layout == "jsonl":
            for row in done.findings:
                emit(as_json(_dict(row, explain)))
        return done

    run(at_least_one(jobs(files or [STANDARD_INPUT], None)), work, account)
    if layout == "json":
        emit(as_json([_dict(row, explain) for row in account.findings], indent=2))
    elif layout == "html":
        from presidio_cdip.documents.html_view import Section, highlighted
        from presidio_cdip.entities import entities_of
        from presidio_cdip.pack.pack import Pack

        shown = [Section(*one) for one in sections or []]
        emit(highlighted(shown, entities=entities_of(Pack.open(analysis.pack))))
    elif layout == "table":
        _print(account.findings, explain, len(account.problems))
    return account.exit_code()


@dataclass
class _Reading:
    """Find values in files of all kinds.

    Attributes:
        analysis: The entities to find, and how.
        settings: How documents are read.
        sections: The name, text and findings of each text or document, if they are to be shown.
        allow_unread: Whether writing that was not read goes without a warning.
    """

    analysis: Analysis
    settings: "Settings"
    sections: "list[Shown] | None"
    allow_unread: bool

    @cached_property
    def find(self) -> "Callable[[str], list[Span]]":
        return self.analysis.find_in_text()

    def done(self, file: Path) -> Done[Row]:
        """Find values in *file*."""
        from presidio_cdip.cli.replacing import unread_parts
        from presidio_cdip.documents.formats import check_suffix, format_of
        from presidio_cdip.documents.segments import Place
        from presidio_cdip.documents.texts.encoded import notes_of

        name = str(file)
        data = read_input(file, self.analysis.max_characters)
        check_suffix(data, name)
        if is_image(data):
            return self._image(data, name)
        if format_of(data, name):
            return self._document(data, name)
        text = decode(data, name, self.analysis.max_characters)
        del data  # as long as the text itself
        spans = self.find(text)
        self._show(name, text, spans)
        unread = notes_of(text, spans, self.find, Place("text"))
        warnings = unread_parts(name, unread, self.allow_unread)
        return Done(list(_text_rows(name, text, spans)), warnings=warnings)

    def _show(self, name: str, text: str, spans: "Sequence[Span]") -> None:
        if self.sections is not None:
            self.sections.append((name, text, spans))

    def _image(self, data: bytes, name: str) -> Done[Row]:
        from presidio_cdip.documents.pictures import SpanAnalyzer

        pages: list[PageFindings] = list(
            imaging("redaction").find_in_pages(
                data,
                name,
                SpanAnalyzer(self.find),
                language=self.analysis.ocr_language,
                max_pixels=self.analysis.max_pixels,
            )
        )
        return Done(
            [row for page in pages for row in _page_rows(name, page)],
            warnings=[
                unread_writing(name, page.index, len(page.unread))
                for page in pages
                if page.unread and not self.allow_unread
            ],
        )

    def _document(self, data: bytes, name: str) -> Done[Row]:
        from presidio_cdip.cli.replacing import unread_parts
        from presidio_cdip.documents import rewriting
        from presidio_cdip.documents.pictures import redactor

        find = rewriting.Remembering(self.find)
        tools = rewriting.Tools(
            find,
            redactor(find, self.settings),
            watch=lambda one: self._show(f"{name} {one.place.where}".strip(), one.text, one.spans),
        )
        report = rewriting.analyze(data, name, tools, self.settings)
        warnings = unread_parts(name, report.unread, self.allow_unread)
        return Done(list(_document_rows(report)), warnings=warnings)


def _document_rows(report: "Report") -> Iterator[Row]:
    for one in report.findings:
        yield Row(
            file=report.file,
            entity=one.entity,
            start=one.start,
            end=one.end,
            score=round(one.score, 2),
            recognizer="CdipRecognizer",
            explanation=one.explanation,
            page=one.place.page,
            where=one.place.where,
            boxes=[[round(edge, 1) for edge in box] for box in one.boxes],
        )


def _text_rows(name: str, text: str, spans: "Sequence[Span]") -> Iterator[Row]:
    from presidio_cdip.recognition.finder import why

    line, counted = 1, 0
    for span in spans:
        line, counted = line + text.count("\n", counted, span.start), span.start
        yield Row(
            file=name,
            entity=span.entity,
            start=span.start,
            end=span.end,
            score=round(span.score, 2),
            recognizer="CdipRecognizer",
            explanation=why(span),
            line=line,
        )


def _page_rows(name: str, page: "PageFindings") -> Iterator[Row]:
    for finding in page.findings:
        explanation = finding.result.analysis_explanation
        yield Row(
            file=name,
            entity=finding.result.entity_type,
            start=finding.result.start,
            end=finding.result.end,
            score=round(finding.result.score, 2),
            recognizer=explanation.recognizer,
            explanation=explanation.textual_explanation or "",
            page=page.index,
            boxes=[list(box) for box in page.boxes(finding)],
        )


def _dict(row: Row, explain: bool) -> dict[str, Any]:
    data = {key: value for key, value in asdict(row).items() if value not in (None, (), "")}
    if not explain:
        del data["explanation"]
    return data


def _print(rows: Sequence[Row], explain: bool, unread: int = 0) -> None:
    if unread:
        emit(f"{unread} could not be read, and may hold anything; of the others:")
    if not rows:
        emit("nothing found")
        return
    why = ["why"] if explain else []
    print_table(
        ["file", "where", "entity", "text", "score", "recognizer", *why],
        (
            [
                printable(row.file),
                _where(row),
                row.entity,
                f"…{row.end - row.start}",
                f"{row.score:.2f}",
                row.recognizer,
                *([row.explanation] if explain else []),
            ]
            for row in rows
        ),
        folded=["file", *why],
    )


def _where(row: Row) -> str:
    if row.where:
        return f"{row.where}, {row.start}-{row.end}"
    if row.page is None:
        return f"line {row.line}, {row.start}-{row.end}"
    boxes = "\n".join(",".join(str(edge) for edge in box) for box in row.boxes)
    return f"page {row.page}: {boxes}"
