"""The command line does what its help says, with the exit codes it documents, and shows no text."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageSequence

from presidio_cdip.cli.main import cli
from presidio_cdip.entities import LABELS
from presidio_cdip.errors import ExitCode, OutputError

ROOT = Path(__file__).parents[2]
COMMANDS = sorted(cli.commands)
LETTER = "Dear Sir,\nDate of birth: November 9, 1965. Married, 2 children.\n"
PAGE = ROOT / "examples" / "personnel_page.png"


Run = Callable[..., Any]


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text(LETTER)
    return path


def test_findings_are_shown_without_their_text(letter: Path, run: Run) -> None:
    """Something found: exit code 1; entity, place, length and score, and not a word of the text."""
    ran = run("analyze", letter)

    assert ran.returncode == 1
    assert re.search(
        r"line 2, 25-41 +DATE_OF_BIRTH +…16 +(?:0\.9\d|1\.00) +CdipRecognizer", ran.stdout
    )
    assert "1965" not in ran.stdout + ran.stderr
    assert "arried" not in ran.stdout + ran.stderr


def test_clean_text_exits_with_nothing_found(tmp_path: Path, run: Run) -> None:
    """Nothing found: exit code 0."""
    ran = run("analyze", "-", stdin=b"The committee met on Tuesday.")

    assert (ran.returncode, ran.stdout.strip()) == (0, "nothing found")


def test_json_gives_offsets_into_the_text(letter: Path, run: Run) -> None:
    """The offsets in JSON are those of the text, in code points."""
    ran = run("analyze", letter, "--format", "json", "--explain")

    found = {LETTER[one["start"] : one["end"]]: one for one in json.loads(ran.stdout)}
    assert set(found) == {"November 9, 1965", "Married", "2 children"}
    assert "date_of_birth/" in found["November 9, 1965"]["explanation"]


def test_jsonl_is_an_object_a_line(letter: Path, run: Run) -> None:
    """JSON Lines has one finding a line, without the explanation unless it is asked for."""
    ran = run("analyze", letter, letter, "--format", "jsonl")

    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(lines) == 6
    assert all("explanation" not in line for line in lines)


def test_choice_of_entities_and_score_is_kept(letter: Path, run: Run) -> None:
    """Only what was asked for is looked for, and only what is certain enough is shown."""
    chosen = run("analyze", letter, "--entities", "age,date_of_birth", "--format", "json")
    certain = run("analyze", letter, "--min-score", "1", "--format", "json")

    assert [one["entity"] for one in json.loads(chosen.stdout)] == ["DATE_OF_BIRTH"]
    assert json.loads(certain.stdout) == []


def test_folder_is_read_whole(tmp_path: Path, letter: Path, run: Run) -> None:
    """The files of a folder and of those inside it are read, in order."""
    (tmp_path / "more").mkdir()
    shutil.copy(letter, tmp_path / "more" / "a.txt")

    ran = run("analyze", tmp_path, "--format", "json")

    files = [one["file"] for one in json.loads(ran.stdout)]
    assert sorted(set(files)) == [str(letter), str(tmp_path / "more" / "a.txt")]


WRONG_USE = {
    "unknown entity": (["--entities", "SNN"], "no entity SNN; there are"),
    "unknown option": (["--colour"], "No such option"),
    "score out of range": (["--min-score", "7"], "--min-score: '7' is neither in 0..1 nor one of"),
    "missing pack": (["--pack", "nowhere"], "nowhere: there is no such folder"),
}


@pytest.mark.parametrize(("options", "says"), WRONG_USE.values(), ids=WRONG_USE)
def test_wrong_use_exits_with_2(letter: Path, options: list[str], says: str, run: Run) -> None:
    """Wrong use: exit code 2, and what to write instead."""
    ran = run("analyze", letter, *options)

    assert ran.returncode == 2
    assert says in ran.stderr
    assert "Traceback" not in ran.stderr


def test_broken_rule_file_is_named(tmp_path: Path, letter: Path, run: Run) -> None:
    """A user's pack with a mistake stops the run, with the file's name."""
    (tmp_path / "recognizers").mkdir()
    (tmp_path / "recognizers" / "age.yaml").write_text("entity: AGE\npatern: x")

    ran = run("analyze", letter, "--pack", tmp_path)

    assert ran.returncode == 2
    assert "age.yaml: the file: unknown key 'patern'" in ran.stderr


@pytest.mark.slow
def test_pack_is_verified_case_by_case(tmp_path: Path, run: Run) -> None:
    """A case that the rules do not satisfy is shown with what was expected and what was found."""
    (tmp_path / "recognizers").mkdir()
    (tmp_path / "recognizers" / "age.yaml").write_text(
        "entity: AGE\nmeaning: age\nsource: CDIP\nwhat: x\n"
        "rules: [{name: a, cues: [age], values: ['46']}]\n"
        "cases: ['age ⟦46⟧', 'age ⟦47⟧']\n",
        "utf-8",
    )

    ran = run("verify-pack", tmp_path)

    assert ran.returncode == 2
    assert "age.yaml: case 2 is not satisfied" in ran.stderr
    assert "  expected: age ⟦47⟧\n  found:    age 47\n" in ran.stderr
    assert ran.stdout == "1 rule file, 2 cases, 0 policies, 0 phrase files, 0 lists: 1 problem\n"


@pytest.mark.slow
def test_warnings_are_counted_and_do_not_fail_a_pack(tmp_path: Path, run: Run) -> None:
    """A file that nothing reads is named on standard error, and the exit code is 0."""
    (tmp_path / "operators" / "policies").mkdir(parents=True)
    (tmp_path / "operators" / "policies" / "ours.yaml").write_text("extends: label\n", "utf-8")

    ran = run("verify-pack", tmp_path)

    assert ran.returncode == 0
    assert "warning: operators/policies/ours.yaml: is not read" in ran.stderr
    assert ran.stdout.endswith("0 lists: no problems, 1 warning\n")


def test_unreadable_file_is_not_passed_off_as_clean(tmp_path: Path, letter: Path, run: Run) -> None:
    """One file that cannot be read: exit code 3, and the others are read all the same."""
    pdf = tmp_path / "scan.pdf"
    pdf.write_bytes(b"%PDF-1.7 ...")

    ran = run("analyze", pdf, tmp_path / "none.txt", letter)

    assert ran.returncode == 3
    assert "scan.pdf: is " in ran.stderr
    assert "none.txt: No such file" in ran.stderr
    assert "DATE_OF_BIRTH" in ran.stdout


@pytest.mark.parametrize(
    "data",
    [b"Age: 46 \0 \0", b"Age: 46 \xff\xfe\x80", "עברית Age: 46".encode(), b"Age: 46\r\nZ\xfcrich"],
    ids=repr,
)
def test_odd_bytes_are_read(data: bytes, run: Run) -> None:
    """NUL bytes, broken UTF-8, right-to-left text and mixed encodings are read, not refused."""
    ran = run("analyze", stdin=data)

    assert ran.returncode == 1
    assert "AGE" in ran.stdout


def test_entities_are_the_documented_ones(run: Run) -> None:
    """All 18 are listed with source and meaning."""
    ran = run("entities", "--format", "json")

    listed = {one["name"]: one for one in json.loads(ran.stdout)}
    assert list(listed) == list(LABELS)
    assert listed["HEALTH"]["found_by"] == ["rules", "model"]
    assert listed["GENETIC_DATA"]["found_by"] == ["rules", "model"]


@pytest.mark.checkout
def test_options_are_documented(run: Run) -> None:
    """Every option and command that the help shows is on the page about them."""
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")

    helps = [run(*command, "--help").stdout for command in ([], *([name] for name in COMMANDS))]
    options = set(re.findall(r"--[a-z-]+", " ".join(helps))) - {"--help", "--version"}

    assert {name for name in COMMANDS if f"| `{name}" not in page} == set()
    assert {option for option in options if option not in page} == set()


@pytest.mark.checkout
def test_exit_codes_are_documented(run: Run) -> None:
    """The help and the page on commands show every exit code with the same meaning."""
    codes = {str(code.value): code.meaning for code in ExitCode}
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8").replace("`", "")

    shown = dict(re.findall(r"^    (\d+) +(\S.*)$", run("--help").stdout, re.M))
    documented = dict(re.findall(r"^\| (\d+) \| (.*) \|$", page, re.M))

    assert shown == codes
    assert documented == codes


@pytest.mark.slow
def test_interrupted_run_exits_with_130(letter: Path) -> None:
    """Ctrl-C ends the run at once, without a traceback."""
    process = subprocess.Popen(
        [sys.executable, "-m", "presidio_cdip", "analyze", str(letter), "-", "--format", "jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # What is started in the background is told to ignore it, and so would its children be.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    process.stdout.readline()  # the letter is done, and the run waits for its standard input

    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)

    assert process.returncode == 130
    assert b"Traceback" not in errors


def test_what_a_folder_hides_is_not_passed_off_as_clean(tmp_path: Path, run: Run) -> None:
    """A broken link, a linked folder and a pipe are named, and the exit code is 3."""
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "elsewhere").symlink_to(tmp_path.parent)
    os.mkfifo(tmp_path / "pipe")

    ran = run("analyze", tmp_path)

    assert ran.returncode == 3
    assert {"gone:", "elsewhere:", "pipe:"} <= set(re.findall(r"\w+:", ran.stderr))


@pytest.mark.slow
def test_page_is_analyzed_and_redacted(tmp_path: Path, tesseract: str, run: Run) -> None:
    """What is found on a page has its boxes, and is gone from the redacted page."""
    out = tmp_path / "out.png"

    analyzed = run("analyze", PAGE, "--format", "json")
    redacted = run("redact", PAGE, "-o", out, "--method", "black")
    again = run("analyze", out, "--format", "json", "--entities", "US_SSN,DATE_OF_BIRTH")

    rows = json.loads(analyzed.stdout)
    assert (analyzed.returncode, redacted.returncode) == (1, 1), redacted.stderr
    assert {row["entity"] for row in rows} >= {"US_SSN", "DATE_OF_BIRTH", "HOME_ADDRESS", "AGE"}
    assert all(row["page"] == 0 and row["boxes"] for row in rows)
    assert json.loads(again.stdout) == []


def test_missing_tesseract_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """Without Tesseract: exit code 4, and the commands that install it."""
    monkeypatch.setenv("PATH", str(tmp_path))

    ran = run("analyze", PAGE)

    assert ran.returncode == 4
    assert "apt" in ran.stderr
    assert "brew" in ran.stderr


def test_a_format_stays_what_it_is(letter: Path, tmp_path: Path, run: Run) -> None:
    """A text does not become an image: exit code 2, and nothing is written."""
    ran = run("redact", letter, "-o", tmp_path / "out.png")

    assert ran.returncode == 2
    assert not (tmp_path / "out.png").exists()


@pytest.fixture(scope="session")
def field(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a number and a date of birth."""
    file = tmp_path_factory.mktemp("field") / "page.png"
    with Image.open(PAGE) as page:
        page.crop((1100, 332, 1696, 440)).save(file)
    return file


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A key file, beside the folders that are read and written."""
    from presidio_cdip import make_key

    make_key(tmp_path / "key")
    return tmp_path / "key"


@pytest.fixture
def pile(tmp_path: Path, field: Path) -> Path:
    """A folder with a page, one in a folder of it, and a text."""
    folder = tmp_path / "pile"
    (folder / "b").mkdir(parents=True)
    shutil.copy(field, folder / "a.png")
    shutil.copy(field, folder / "b" / "a.png")
    (folder / "notes.txt").write_text(LETTER)
    return folder


def files(folder: Path) -> list[str]:
    """Everything in it, by name."""
    return sorted(
        file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()
    )


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_folder_passes_no_page_over_in_silence(tmp_path: Path, pile: Path, run: Run) -> None:
    """Files that are not what their names say are reported, with exit code 3; the rest is done."""
    report = tmp_path / "report.jsonl"
    (pile / "broken.png").write_bytes(b"no image")
    (pile / "empty.JPG").write_bytes(b"")
    (pile / "scan.pdf").write_bytes(b"%PDF-1.7 and so on")

    ran = run("redact", pile, "-o", tmp_path / "out", "--method", "white", "--report", report)

    rows = [json.loads(line) for line in report.read_text().splitlines()]
    told = {Path(row["file"]).name for row in rows if "problem" in row}
    assert ran.returncode == 3
    assert told == {"broken.png", "empty.JPG", "scan.pdf"}
    assert files(tmp_path / "out") == ["a.png", "b/a.png", "notes.txt"]


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_folder_is_redacted_to_a_folder(tmp_path: Path, pile: Path, key: Path, run: Run) -> None:
    """Pages and texts keep their places; report and preview say what became of them."""
    out, report = tmp_path / "out", tmp_path / "report.jsonl"
    options = ["-o", out, "--key-file", key, "--report", report, "--preview"]

    ran = run("redact", pile, *options)
    first = (out / "a.png").read_bytes()
    again = run("redact", pile, *options)

    assert (ran.returncode, again.returncode) == (1, 1), ran.stderr
    pages = ["a.png", "a.png.preview.png", "b/a.png", "b/a.png.preview.png"]
    assert files(out) == [*pages, "notes.txt", "notes.txt.preview.txt"]
    assert (out / "a.png").read_bytes() == first != (out / "b" / "a.png").read_bytes()
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    assert [row["file"] for row in rows] == [
        str(pile / name) for name in ("a.png", "notes.txt", "b/a.png")
    ]
    assert {one["entity"] for row in rows[::2] for one in row["findings"]} == {"US_SSN"}
    assert "0538" not in report.read_text() + ran.stdout + ran.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_scope_is_shared_by_all_files(tmp_path: Path, pile: Path, key: Path, run: Run) -> None:
    """The same page gets the same pixels wherever it lies."""
    run("redact", pile, "-o", tmp_path / "out", "--key-file", key, "--scope", "corpus")

    assert (tmp_path / "out" / "a.png").read_bytes() == (tmp_path / "out/b/a.png").read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_single_file_may_be_named(tmp_path: Path, field: Path, run: Run) -> None:
    """A page goes to the file that is named, or into the folder, even a new one; no key is said."""
    to_file = run("redact", field, "-o", tmp_path / "out.tif", "--method", "white")
    to_folder = run("redact", field, "-o", tmp_path / "new")

    assert (to_file.returncode, to_folder.returncode) == (1, 1)
    assert files(tmp_path) == ["new/page.png", "out.tif"]
    with Image.open(tmp_path / "out.tif") as page:
        assert page.format == "TIFF"
    assert "no key was given" in to_folder.stderr
    assert "no key was given" not in to_file.stderr


def test_page_without_a_finding_exits_with_0(tmp_path: Path, tesseract: str, run: Run) -> None:
    """It is written all the same."""
    Image.new("L", (300, 90), 255).save(tmp_path / "blank.png")

    ran = run("redact", tmp_path / "blank.png", "-o", tmp_path / "out.png")

    assert ran.returncode == 0
    assert (tmp_path / "out.png").exists()


def test_input_is_not_overwritten(tmp_path: Path, pile: Path, run: Run) -> None:
    """Neither by its folder nor by its name: exit code 2, and nothing was written."""
    before = (pile / "a.png").read_bytes()

    for given, output in [(pile, pile), (pile / "a.png", pile), (pile / "a.png", pile / "a.png")]:
        ran = run("redact", given, "-o", output)

        assert ran.returncode == 2, ran.stderr
        assert "overwritten" in ran.stderr or "is the page itself" in ran.stderr
        assert (pile / "a.png").read_bytes() == before
    assert files(pile) == ["a.png", "b/a.png", "notes.txt"]


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_writing_that_was_not_read_does_not_pass_as_clean(
    tmp_path: Path, field: Path, run: Run
) -> None:
    """A page with a scrawl is written, with exit code 3 and a line on stderr, unless allowed."""
    with Image.open(field) as image:
        page = image.convert("L").resize((1192, 200))
    sheet = Image.new("L", (1192, 420), 255)
    sheet.paste(page)
    scrawl = [(300 + x, 320 + 30 * (-1) ** (x // 12) * (1 - x / 700)) for x in range(0, 360, 12)]
    ImageDraw.Draw(sheet).line(scrawl, 0, 4)
    sheet.save(tmp_path / "page.png")
    command = ("redact", tmp_path / "page.png", "-o", tmp_path / "out", "--method", "black")

    ran = run(*command)
    allowed = run(*command, "--allow-unread")

    assert ran.returncode == 3, ran.stderr
    assert ran.stderr.count("page 0: 1 region with writing not read") == 1
    assert allowed.returncode == 1, allowed.stderr
    assert (tmp_path / "out" / "page.png").exists()
    analyzed = run("analyze", tmp_path / "page.png")
    assert analyzed.returncode == 3, analyzed.stderr
    assert "1 region with writing not read" in analyzed.stderr
    assert run("analyze", tmp_path / "page.png", "--allow-unread").returncode == 1


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_force_overwrites(tmp_path: Path, field: Path, run: Run) -> None:
    """The page is replaced, and the preview still shows what it was."""
    page = tmp_path / "a.png"
    shutil.copy(field, page)

    ran = run("redact", page, "-o", page, "--force", "--preview", "--method", "black")

    assert ran.returncode == 1, ran.stderr
    assert page.read_bytes() != field.read_bytes()
    with Image.open(tmp_path / "a.png.preview.png") as shown:
        sheet = np.asarray(shown.convert("L"))
    half = sheet.shape[1] // 2
    assert (sheet[:, :half] < 60).sum() < 0.7 * (sheet[:, half:] < 60).sum()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["-o", "page.txt"], "formats stay"),
        (["-o", "out", "--method", "blur"], "is not one of"),
        (["-o", "out", "--noise", "loud"], "is not one of"),
        (["-o", "out", "--scope", " "], "scope is empty"),
        (["-o", "out", "--locale", "tlh_QO"], "locale must be a locale that Faker knows"),
        (["-o", "out", "--key-file", "gone"], "gone"),
        ([], "-o DIR is needed"),
    ],
    ids=str,
)
def test_wrong_use_of_redact_exits_with_2(
    tmp_path: Path, field: Path, options: list[str], says: str, run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Nothing is written, not even a folder."""
    monkeypatch.chdir(tmp_path)

    ran = run("redact", field, *options)

    assert ran.returncode == 2
    assert says in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_folder_without_faces_exits_with_4(tmp_path: Path, field: Path, run: Run) -> None:
    """The message says what a folder of faces holds."""
    ran = run("redact", field, "-o", tmp_path / "out", "--fonts", tmp_path)

    assert ran.returncode == 4
    assert "faces.json" in ran.stderr
    assert not (tmp_path / "out").exists()


def test_output_that_is_a_file_exits_with_2(
    tmp_path: Path, field: Path, tesseract: str, run: Run
) -> None:
    """A file stands where the folder should be: the error names the place."""
    (tmp_path / "out").write_text("a file")

    ran = run("redact", field, "-o", tmp_path / "out" / "deep", "--method", "white")

    assert ran.returncode == 2, ran.stderr
    assert str(tmp_path / "out") in ran.stderr
    assert "Traceback" not in ran.stderr


def test_folder_that_may_not_be_written_exits_with_2(
    tmp_path: Path, field: Path, tesseract: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the place, and nothing lies there. Root may write anywhere, so it is told."""

    def refused(path: Path, *options: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("presidio_cdip.imaging.page.pages.replacing", refused)

    ran = run("redact", field, "-o", tmp_path / "out", "--method", "white")

    assert ran.returncode == 2, ran.stderr
    assert re.search(r"out/page\.png: cannot be written \(Permission denied\)", ran.stderr)
    assert files(tmp_path) == []


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_tiff_with_a_broken_frame_is_written_without_it(
    tmp_path: Path, field: Path, run: Run
) -> None:
    """The other frames are done and reported; exit code 3, and the page is named."""
    source, out, report = tmp_path / "in.tif", tmp_path / "out.tif", tmp_path / "report.jsonl"
    with Image.open(field) as page:
        frames = [page.convert("L")] * 3
    frames[0].save(source, save_all=True, append_images=frames[1:], compression="tiff_lzw")
    data = bytearray(source.read_bytes())
    with Image.open(source) as image:
        image.seek(2)
        tags = image.tag_v2  # type: ignore[attr-defined]
        for start, length in zip(tags[273], tags[279], strict=True):
            data[start : start + length] = b"\xff" * length
    source.write_bytes(data)

    ran = run("redact", source, "-o", out, "--method", "white", "--report", report)

    assert ran.returncode == 3, ran.stderr
    assert "in.tif: page 2 is damaged" in ran.stderr
    *done, broken = [json.loads(line) for line in report.read_text().splitlines()]
    assert [row["page"] for row in done] == [0, 1]
    assert broken["file"] == str(source) and "page 2 is damaged" in broken["problem"]
    with Image.open(out) as written:
        assert len(list(ImageSequence.Iterator(written))) == 2


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_page_that_stays_readable_is_not_written(
    tmp_path: Path, field: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 5; with --no-verify nobody looks."""

    def still(image: Any, findings: list[Any], **options: Any) -> list[Any]:
        return list(findings)

    monkeypatch.setattr("presidio_cdip.imaging.redaction.still_readable", still)

    ran = run("redact", field, "-o", tmp_path / "out.png", "--method", "white")
    assert ran.returncode == 5
    assert "US_SSN can still be read" in ran.stderr
    assert files(tmp_path) == []

    unseen = run("redact", field, "-o", tmp_path / "out.png", "--method", "white", "--no-verify")
    assert unseen.returncode == 1


def test_missing_page_is_said_before_anything_is_loaded(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 3, and the report names it; with nothing to do no engine is made."""

    def never(*_: Any) -> None:
        raise AssertionError("loaded")

    monkeypatch.setattr("presidio_cdip.cli.options.Analysis.find_in_text", never)
    report = tmp_path / "report.jsonl"
    options = ["-o", tmp_path / "out", "--method", "white", "--report", report]

    ran = run("redact", tmp_path / "a.png", tmp_path / "b.png", *options)

    assert ran.returncode == 3, ran.stderr
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    assert [Path(row["file"]).name for row in rows] == ["a.png", "b.png"]
    assert all("No such file" in row["problem"] for row in rows)

    alone = run("redact", tmp_path / "a.png", "-o", tmp_path / "out.png", "--report", report)
    assert alone.returncode == 3, alone.stderr
    assert len(report.read_text().splitlines()) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_report_is_written_though_an_error_ends_the_run(
    tmp_path: Path, field: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report has everything done before the error."""
    from presidio_cdip.imaging import redaction

    redact_file, done = redaction.redact_file, list[Path]()

    def breaks(path: Path, *rest: Any, **options: Any) -> redaction.FileReport:
        if done:
            raise OutputError("out", "no room")
        done.append(path)
        return redact_file(path, *rest, **options)

    monkeypatch.setattr(redaction, "redact_file", breaks)
    other, third, report = (tmp_path / name for name in ("b.png", "c.png", "report.jsonl"))
    for copy in (other, third):
        copy.write_bytes(field.read_bytes())

    ran = run("redact", field, other, third, "-o", tmp_path / "out", "--report", report)

    assert ran.returncode == 2 and "no room" in ran.stderr
    first, failed, never = [json.loads(line) for line in report.read_text().splitlines()]
    assert first["file"] == str(field) and first["findings"]
    assert failed == {"file": str(other), "problem": "out: no room"}
    assert never == {"file": str(third), "problem": "not done: an error ended the run"}


def test_report_does_not_overwrite_a_page(tmp_path: Path, field: Path, run: Run) -> None:
    """A file that is to be read is no place for a report."""
    before = field.read_bytes()

    ran = run("redact", field, "-o", tmp_path / "out", "--method", "white", "--report", field)

    assert ran.returncode == 2 and "is a file to be read" in ran.stderr
    assert field.read_bytes() == before


@pytest.mark.parametrize("option", ["-o", "--report"])
def test_no_key_is_overwritten(tmp_path: Path, run: Run, option: str) -> None:
    """What only it opens would be lost."""
    key, text = tmp_path / "key.txt", tmp_path / "letter.txt"
    text.write_text("Born March 4, 1951")
    run("make-key", key)
    before = key.read_bytes()

    ran = run("anonymize", text, "-o", tmp_path / "out", option, key, "--key-file", key)

    assert ran.returncode == 2 and "would be overwritten" in ran.stderr
    assert key.read_bytes() == before


def test_several_pages_need_a_folder(tmp_path: Path, field: Path, run: Run) -> None:
    """They do not fit into one image file, and a folder without files is no clean one."""
    ran = run("redact", field, field, "-o", tmp_path / "out.png", "--method", "white")
    (tmp_path / "empty").mkdir()
    none = run("redact", tmp_path / "empty", "-o", tmp_path / "out", "--method", "white")

    assert ran.returncode == 2 and "need a folder" in ran.stderr
    assert none.returncode == 2 and "no file" in none.stderr


@pytest.mark.parametrize("command", ["analyze", "check-redaction"])
def test_a_folder_without_files_is_not_clean(command: str, run: Run, tmp_path: Path) -> None:
    """A mistyped folder in a script must not pass as one in which nothing was found."""
    ran = run(command, tmp_path)

    assert ran.returncode == ExitCode.WRONG_USE
    assert "no file" in ran.stderr
