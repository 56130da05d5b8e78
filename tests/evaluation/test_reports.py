"""Reports of runs become records; nothing but numbers, boxes and names of entities is taken."""

import json
from pathlib import Path
from typing import Any

import pytest

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.evaluation.records import PageRecord
from presidio_cdip.evaluation.reports import read_reports

TEXT = {"file": "a.txt", "characters": 9, "replaced": {"AGE": 1}, "plainest": {}}
PAGE = {"file": "b.tif", "size": [100, 50], "turned": 0}


def lines(folder: Path, *rows: Any) -> Path:
    file = folder / "report.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_every_kind_of_line_is_read(tmp_path: Path) -> None:
    """A text, two pages of one file and a document are three records."""
    age = {"entity": "AGE", "operator": "surrogate", "start": 0, "end": 2}
    boxed = {"entity": "US_SSN", "method": "white", "boxes": [[0, 0, 20, 50], [10, 0, 30, 50]]}
    file = lines(
        tmp_path,
        {**TEXT, "findings": [age]},
        {**PAGE, "page": 0, "findings": [boxed], "unread": [[1, 2, 3, 4]],
         "similarity": {"ssim": 0.9, "descriptor": 0.8}},
        {**PAGE, "page": 1, "findings": [], "unread": []},
        {"file": "c.docx", "format": "docx", "characters": 5, "removed": [],
         "findings": [{"entity": "AGE", "where": "paragraph 1", "score": 0.45}],
         "unread": [{"where": "picture", "what": "not read"}]},
    )  # fmt: skip

    text, image, document = read_reports(file, "run")

    assert (text.kind, dict(text.findings)) == ("text", {("AGE", "not given"): 1})
    assert image.pages == (
        PageRecord(0.3, 1, 0.9, 0.8, "white"),
        PageRecord(0.0, 0),
    )
    assert (image.kind, image.unread) == ("image", 1)
    assert (document.kind, document.unread) == ("docx", 1)
    assert dict(document.findings) == {("AGE", ".4 – .7"): 1}


def test_what_was_not_done_is_not_clean(tmp_path: Path) -> None:
    """A file with a problem was not read; one with a page that was not written, not whole."""
    file = lines(
        tmp_path,
        {"file": "a.png", "problem": "cannot be read"},
        {**PAGE, "page": 0, "findings": [], "unread": []},
        {"file": "b.tif", "problem": "page 1 cannot be read"},
    )

    lost, half = read_reports(file, "run")

    assert (lost.read, lost.problem) == (False, True)
    assert (half.read, half.problem) == (True, True)


@pytest.mark.parametrize(
    "row",
    [
        {"file": "a.txt"},
        {"characters": 3, "findings": []},
        {"file": "a.txt", "findings": [{"entity": "Mary Ann born May 2 1947"}]},
        {"file": "a.txt", "findings": [{"entity": "AGE", "score": "high"}]},
        {**PAGE, "page": 0, "findings": [{"entity": "AGE", "boxes": [[1, 2]]}], "unread": []},
        ["AGE"],
    ],
)
def test_other_lines_are_refused_by_number(row: Any, tmp_path: Path) -> None:
    """What is no report is not counted as a document without findings; no text is repeated."""
    file = lines(tmp_path, {**TEXT, "findings": []}, {**TEXT, "file": "z", "findings": []}, row)

    with pytest.raises(UnreadableInput, match="line 3") as error:
        list(read_reports(file, "run"))

    assert "Mary" not in str(error.value)


def test_a_file_is_not_counted_twice(tmp_path: Path) -> None:
    """Two runs in one report would double the numbers."""
    other = {**TEXT, "file": "b.txt", "findings": []}
    file = lines(tmp_path, {**TEXT, "findings": []}, other, {**TEXT, "findings": []})

    with pytest.raises(UnreadableInput, match="line 3 reports a file that was reported before"):
        list(read_reports(file, "run"))
