"""The command `analyze`: print what is found where."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from presidio_cdip.cli.options import (
    Analysis,
    allow_unread_option,
    analysis_options,
    imaging,
    layout_option,
    unread_writing,
)
from presidio_cdip.cli.printing import as_json, emit, print_table, printable, say
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.files.accounts import Account, Done
from presidio_cdip.files.folders import Job, jobs
from presidio_cdip.files.inputs import STANDARD_INPUT, decode, is_image, read_input
from presidio_cdip.files.runs import run

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine

    from presidio_cdip.imaging.redaction import PageFindings
    from presidio_cdip.recognition.spans import Span


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
        line: The line it starts in, from 1; None in an image.
        page: Its page, from 0; None in a text.
        boxes: Its boxes on the page, one for each line: left, top, right, bottom in pixels,
            origin top left.
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
    boxes: Sequence[Sequence[int]] = field(default=())


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]…")
@analysis_options(pages=True)
@layout_option("table", "json", "jsonl")
@click.option("--explain", is_flag=True, help="Print for each finding why it is one.")
@allow_unread_option
def analyze(
    files: Sequence[Path], analysis: Analysis, layout: str, explain: bool, allow_unread: bool
) -> int:
    """Print what is found in each FILE, and where: texts, page images, folders of them.

    Without a FILE, or with -, the text is read from standard input.
    """
    find = analysis.find_in_text()
    engine = cache(analysis.engine)  # for pages alone
    account: Account[Row] = Account(lambda problem, file: say(problem))

    def work(job: Job) -> Done[Row]:
        assert isinstance(job.source, Path)
        warnings: list[UnreadableInput] = []
        rows = list(_rows(job.source, find, engine, analysis, warnings))
        if layout == "jsonl":
            for row in rows:
                emit(as_json(_dict(row, explain)))
        return Done(rows, warnings=() if allow_unread else warnings)

    run(jobs(files or [STANDARD_INPUT], None), work, account)
    if layout == "json":
        emit(as_json([_dict(row, explain) for row in account.findings], indent=2))
    elif layout == "table":
        _print(account.findings, explain, len(account.problems))
    return account.exit_code()


def _rows(
    file: Path,
    find: "Callable[[str], list[Span]]",
    engine: "Callable[[], AnalyzerEngine]",
    analysis: Analysis,
    warnings: list[UnreadableInput],
) -> Iterator[Row]:
    """Yield the findings in *file*, and add pages with writing that nothing read to *warnings*."""
    name = str(file)
    data = read_input(file, analysis.max_characters)
    if is_image(data):
        pages = imaging("redaction").find_in_pages(
            data,
            name,
            engine(),
            min_score=analysis.min_score,
            language=analysis.ocr_language,
            max_pixels=analysis.max_pixels,
        )
        for page in pages:
            yield from _page_rows(name, page)
            if page.unread:
                warnings.append(unread_writing(name, page.index, len(page.unread)))
        return
    text = decode(data, name, analysis.max_characters)
    del data  # as long as the text itself
    yield from _text_rows(name, text, find(text))


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
    data = {key: value for key, value in asdict(row).items() if value not in (None, ())}
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
    if row.page is None:
        return f"line {row.line}, {row.start}-{row.end}"
    boxes = "\n".join(",".join(str(edge) for edge in box) for box in row.boxes)
    return f"page {row.page}: {boxes}"
