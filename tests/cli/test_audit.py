"""The command `audit`: what it writes, what it never writes, and how it ends."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from presidio_cdip.evaluation.writing import NAMES

Run = Callable[..., Any]

PLANTED = {
    "a.txt": "Zebulon Quillfeather, age: 46, of Xanthopolis-under-Wyrm.\n",
    "b.csv": "surname,age\nVandersnook,57\n",
    "c.json": '{"Grimblethorpe": {"age": "age: 38", "note": "Ulverstonian"}}',
    "d.html": "<p title='Ploughwright'>Age: 46 Hjalmarsson</p>",
}
SECRETS = (
    *("Quillfeather", "Xanthopolis", "Vandersnook", "Grimblethorpe", "Ulverstonian"),
    *("Zebulon", "Ploughwright", "Hjalmarsson", "surname"),
)


@pytest.fixture
def ages(age_pack: Path) -> list[object]:
    """Options that find ages alone, and need no model."""
    return ["--pack", age_pack, "--model", "none"]


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """A folder with an age in each of four documents, and one without."""
    folder = tmp_path / "letters"
    (folder / "kind").mkdir(parents=True)
    for name, text in PLANTED.items():
        (folder / name).write_text(text)
    (folder / "kind" / "e.txt").write_text("Nothing of interest.\n")
    return folder


def data(folder: Path) -> Any:
    return json.loads((folder / "audit.json").read_text(encoding="utf-8"))


def table(folder: Path, name: str) -> Any:
    return data(folder)["tables"][name]["rows"]


def test_no_text_of_a_document_is_in_any_output(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """Neither values nor what stands around them, labels and keys among it."""
    ran = run("audit", collection, "-o", tmp_path / "audit", *ages)

    assert ran.returncode == 1
    assert table(tmp_path / "audit", "table_3")[3]["letters"] == 4  # documents with AGE
    for text in (ran.stdout, ran.stderr, *((tmp_path / "audit" / n).read_text() for n in NAMES)):
        assert not [secret for secret in SECRETS if secret.casefold() in text.casefold()]


def test_numbers_of_a_collection_are_right(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """5 documents, 4 of them sensitive, 4 values; two of them have the same age."""
    run("audit", collection, "-o", tmp_path / "audit", *ages)

    documents, read, sensitive, age = table(tmp_path / "audit", "table_3")
    assert (documents["letters"], read["letters"]) == (5, 5)
    assert (sensitive["letters"], sensitive["letters, share"]) == (4, 0.8)
    assert age[""] == "AGE"
    risk = {row["figure"]: row["value"] for row in table(tmp_path / "audit", "linkage_risk")}
    assert risk["documents with quasi-identifiers"] == "4"
    assert (risk["classes"], risk["documents alone in their class"]) == ("3", "2")
    (values,) = table(tmp_path / "audit", "values_by_confidence")
    assert values["all"] == 4


def test_what_was_not_read_is_not_clean(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """A broken document is counted apart, and the exit code says so."""
    (collection / "f.docx").write_bytes(b"PK\x03\x04 broken")

    ran = run("audit", collection, "-o", tmp_path / "audit", *ages)

    assert ran.returncode == 3
    (row,) = table(tmp_path / "audit", "unread")
    assert (row["documents"], row["not read at all"]) == (6, 1)
    assert "1 of 6 documents were not read" in (tmp_path / "audit" / "audit.html").read_text()


def test_a_document_with_unread_parts_is_named(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """Exit code 3 alone does not say where to look."""
    (collection / "g.json").write_text('{"age: 46": {"123-45-6789": 1}}')

    ran = run("audit", collection, "-o", tmp_path / "audit", *ages)

    assert ran.returncode == 3
    assert "g.json: 1 part not read, so not clean" in ran.stderr


def test_a_report_is_audited_as_its_files_are(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """What `anonymize --report` wrote gives the same documents with each entity."""
    made = ["-o", tmp_path / "out", "--policy", "label", "--report", tmp_path / "letters.jsonl"]
    run("anonymize", collection, *made, *ages)

    ran = run("audit", "--reports", tmp_path / "letters.jsonl", "-o", tmp_path / "one", *ages)
    run("audit", collection, "-o", tmp_path / "two", *ages)

    assert ran.returncode == 1
    assert table(tmp_path / "one", "table_3") == table(tmp_path / "two", "table_3")


def test_a_sample_gives_an_estimate(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """3 of 5 documents; the same ones for the same seed."""
    for name in "ab":
        run("audit", collection, "-o", tmp_path / name, "--sample", 3, "--seed", 7, *ages)

    assert data(tmp_path / "a") == data(tmp_path / "b")
    row = table(tmp_path / "a", "prevalence")[0]
    assert row["in sample"] in (2, 3)
    assert row["95 % interval"][0] < row["share"] <= row["95 % interval"][1]
    assert "random sample of 3 of 5" in (tmp_path / "a" / "audit.md").read_text()


def test_a_second_audit_leaves_out_the_first(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """The output may lie in the collection."""
    for _ in range(2):
        run("audit", collection, "-o", collection / "audit", *ages)

    assert table(collection / "audit", "table_3")[0]["letters"] == 5


@pytest.mark.slow
def test_before_and_after_say_what_remains(tmp_path: Path, ages: list[object], run: Run) -> None:
    """One of two ages was left: it is counted, and its document is alone in its class."""
    pytest.importorskip("sklearn")
    for kind, words in (("forms", "name of applicant"), ("notes", "dear colleague")):
        for number in (0, 1):
            for side in ("before", "after"):
                gone = side == "after" and kind == "forms"
                folder = tmp_path / side / kind
                folder.mkdir(parents=True, exist_ok=True)
                age = "" if gone else f"age: 4{number}"
                (folder / f"{number}.txt").write_text(f"{words} {age}\n" * 3)

    sides = ["--before", tmp_path / "before", "--after", f"label={tmp_path / 'after'}"]
    ran = run("audit", *sides, "-o", tmp_path / "audit", *ages)

    assert ran.returncode == 1
    assert table(tmp_path / "audit", "remaining_label") == [
        {"entity": "AGE", "documents": 2, "values": 2}
    ]
    (use,) = table(tmp_path / "audit", "utility")
    assert (use["documents"], use["labels"], use["label flips"]) == (4, 2, 0)


def test_a_redacted_document_that_is_missing_is_no_success(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """What is not in the second collection was not compared."""
    (tmp_path / "after").mkdir()
    (tmp_path / "after" / "a.txt").write_text("age: 50\n")

    sides = ["--before", collection, "--after", tmp_path / "after"]
    ran = run("audit", *sides, "-o", tmp_path / "audit", *ages)

    assert ran.returncode == 3
    assert "4 documents by after are missing" in (tmp_path / "audit" / "audit.md").read_text()


def test_tools_are_compared_on_marked_documents(
    tmp_path: Path, ages: list[object], run: Run
) -> None:
    """Ours finds one of two ages; another tool, read from a file, the other."""
    text = "age: 46 and forty-eight years"
    marks = [{"start": 5, "end": 7, "label": "AGE"}, {"start": 12, "end": 23, "label": "AGE"}]
    rows = [
        {"id": "1", "text": text[:7], "spans": marks[:1]},
        {"id": "2", "text": " " * 12 + text[12:], "spans": marks[1:]},
    ]
    gold, other = tmp_path / "gold.jsonl", tmp_path / "other.jsonl"
    gold.write_text("\n".join(map(json.dumps, rows)))
    other.write_text("\n".join(json.dumps({**row, "text": "", "spans": marks[1:]}) for row in rows))

    run("audit", "--gold", gold, "--findings", f"X={other}", "-o", tmp_path / "audit", *ages)

    ours, theirs, *_ = table(tmp_path / "audit", "table_2")
    assert (ours["tool"], ours["recall"], ours["precision"]) == ("presidio-cdip", 0.5, 1.0)
    assert (theirs["tool"], theirs["recall"], theirs["precision"]) == ("X", 0.5, 1.0)
    assert "forty" not in (tmp_path / "audit" / "audit.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name a SRC"),
        (["--before", "."], "need each other"),
        ([".", "--before", ".", "--after", "x=."], "takes the place"),
        (["--reports", "x.jsonl", "--sample", "3"], "--sample draws"),
        ([".", "--presidio"], "need --gold"),
        ([".", "--clip", "."], "need --before and --after"),
        (["--annotator", "x.jsonl"], "two annotators"),
        (["--before", ".", "--after", "x=.", "--after", "x=."], "name of its own"),
    ],
)
def test_wrong_use_is_said_before_anything_is_read(
    arguments: list[str], says: str, tmp_path: Path, run: Run
) -> None:
    """Exit code 2, and nothing is written."""
    ran = run("audit", *arguments, "-o", tmp_path / "audit")

    assert ran.returncode == 2
    assert says in ran.stderr
    assert not (tmp_path / "audit").exists()


@pytest.mark.parametrize("content", ["no JSON", '{"id": 3}', "[1]", '{"file": "a", "page": 0}'])
def test_a_file_that_is_no_report_ends_the_audit(
    content: str, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """Exit code 3 with the line's number; no numbers are made of it."""
    file = tmp_path / "report.jsonl"
    file.write_text(content)

    ran = run("audit", "--reports", file, "-o", tmp_path / "audit", *ages)

    assert (ran.returncode, re.findall(r"line \d", ran.stderr)) == (3, ["line 1"])
    assert not (tmp_path / "audit").exists()


@pytest.mark.slow
def test_pages_are_compared_before_and_after(
    tmp_path: Path, ages: list[object], tesseract: str, run: Run
) -> None:
    """An age is erased with white from one of two pages: area, similarity and what remains."""
    pytest.importorskip("cv2")
    from PIL import Image, ImageDraw, ImageFont

    from presidio_cdip.imaging.style.faces import FONTS

    font = ImageFont.truetype(FONTS / "sans-swiss.ttf", 30)
    for side in ("before", "after"):
        (tmp_path / side).mkdir()
        for name, age in (("kept", 46), ("erased", 57)):
            page = Image.new("L", (640, 320), 255)
            drawn = ImageDraw.Draw(page)
            drawn.text((40, 60), "The applicant lives in Zwettlburg", font=font, fill=0)
            if (side, name) != ("after", "erased"):
                drawn.text((40, 160), f"Age: {age}", font=font, fill=0)
            page.save(tmp_path / side / f"{name}.png")

    sides = ["--before", tmp_path / "before", "--after", f"white={tmp_path / 'after'}"]
    ran = run("audit", *sides, "-o", tmp_path / "audit", *ages)

    found = data(tmp_path / "audit")
    assert ran.returncode == 1
    points = found["figures"]["figure_11"]["series"]["white"]
    assert sorted(area > 0 for area, _ in points) == [False, True]
    assert table(tmp_path / "audit", "remaining_white")[0]["values"] == 1
    assert sum(found["figures"]["figure_3"]["series"]["pages"]) == 2
    assert "zwettlburg" not in json.dumps(found).casefold()


def test_an_empty_report_is_no_clean_collection(
    tmp_path: Path, ages: list[object], run: Run
) -> None:
    """A run that reported nothing may have read nothing."""
    (tmp_path / "report.jsonl").touch()

    ran = run("audit", "--reports", tmp_path / "report.jsonl", "-o", tmp_path / "audit", *ages)

    assert ran.returncode == 3
    assert "reports no file" in ran.stderr


@pytest.mark.slow
def test_what_a_run_wrote_is_audited_from_its_manifest(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """The same documents with each entity as by reading the files; the broken one is not clean."""
    (collection / "f.docx").write_bytes(b"PK\x03\x04 broken")
    run("run", collection, "-o", tmp_path / "letters-done", "--policy", "label", *ages)

    ran = run("audit", "--reports", tmp_path / "letters-done", "-o", tmp_path / "one", *ages)
    run("audit", collection, "-o", tmp_path / "two", *ages)

    assert ran.returncode == 3
    ours, theirs = (
        [list(row.values()) for row in table(tmp_path / name, "table_3")] for name in ("one", "two")
    )
    assert ours == theirs


def test_a_run_that_did_not_end_is_not_audited(
    tmp_path: Path, ages: list[object], run: Run
) -> None:
    """Documents of shards that were not committed would be missing without a word."""
    shards = tmp_path / "done" / "_manifest" / "shards"
    shards.mkdir(parents=True)
    (shards / "0000000.jsonl").write_text('{"document": "a.txt", "state": "done"}\n')

    ran = run("audit", "--reports", tmp_path / "done", "-o", tmp_path / "audit", *ages)

    assert ran.returncode == 3
    assert "not complete" in ran.stderr


def test_an_archive_is_audited_like_its_folder(
    collection: Path, tmp_path: Path, ages: list[object], run: Run
) -> None:
    """The members of a tar and of a zip are documents, found in any order."""
    for kind in ("tar", "zip"):
        shutil.make_archive(str(tmp_path / "letters"), kind, collection)

    for name in (collection, tmp_path / "letters.tar", tmp_path / "letters.zip"):
        run("audit", name, "-o", tmp_path / "audit" / name.name, *ages)

    folder, tar, zipped = (
        [list(row.values()) for row in table(one, "table_3")]
        for one in sorted((tmp_path / "audit").iterdir())
    )
    assert folder == tar == zipped
