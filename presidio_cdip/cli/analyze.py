"""The command `analyze`: print what is found where."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from presidio_cdip.cli.options import Analysis, analysis_options, imaging, layout_option
from presidio_cdip.cli.printing import as_json, emit, print_table, printable, say
from presidio_cdip.files.accounts import Account, Done
from presidio_cdip.files.folders import Job, jobs
from presidio_cdip.files.inputs import STANDARD_INPUT, decode, is_image, read_input
from presidio_cdip.files.runs import run

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, RecognizerResult

    from presidio_cdip.imaging.redaction import PageFindings


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
def analyze(files: Sequence[Path], analysis: Analysis, layout: str, explain: bool) -> int:
    """Print what is found in each FILE, and where: texts, page images, folders of them.

    Without a FILE, or with -, the text is read from standard input.
    """
    engine = analysis.engine()
    account: Account[Row] = Account(lambda problem, file: say(problem))

    def work(job: Job) -> Done[Row]:
        assert isinstance(job.source, Path)
        rows = list(_rows(job.source, engine, analysis))
        if layout == "jsonl":
            for row in rows:
                emit(as_json(_dict(row, explain)))
        return Done(rows)

    run(jobs(files or [STANDARD_INPUT], None), work, account)
    if layout == "json":
        emit(as_json([_dict(row, explain) for row in account.findings], indent=2))
    elif layout == "table":
        _print(account.findings, explain, len(account.problems))
    return account.exit_code()


def _rows(file: Path, engine: "AnalyzerEngine", analysis: Analysis) -> Iterator[Row]:
    name = str(file)
    data = read_input(file)
    if is_image(data):
        pages = imaging("redaction").find_in_pages(
            data,
            name,
            engine,
            min_score=analysis.min_score,
            language=analysis.ocr_language,
            max_pixels=analysis.max_pixels,
        )
        for page in pages:
            yield from _page_rows(name, page)
        return
    text = decode(data, name)
    results = engine.analyze(
        text, "en", score_threshold=analysis.min_score, return_decision_process=True
    ) if text else []  # fmt: skip
    line_ends = [match.start() for match in re.finditer("\n", text)] if results else []
    for result in sorted(results, key=lambda one: (one.start, one.end)):
        yield _row(name, result, line=bisect_left(line_ends, result.start) + 1)


def _page_rows(name: str, page: "PageFindings") -> Iterator[Row]:
    for finding in page.findings:
        yield _row(
            name, finding.result, page=page.index, boxes=[list(box) for box in page.boxes(finding)]
        )


def _row(name: str, result: "RecognizerResult", **where: Any) -> Row:
    explanation = result.analysis_explanation
    return Row(
        file=name,
        entity=result.entity_type,
        start=result.start,
        end=result.end,
        score=round(result.score, 2),
        recognizer=explanation.recognizer,
        explanation=explanation.textual_explanation or "",
        **where,
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
