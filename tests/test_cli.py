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

import pytest

from presidio_cdip import ENTITIES
from presidio_cdip.cli import cli

ROOT = Path(__file__).parents[1]
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
    assert re.search(r"line 2, 25-41 +DATE_OF_BIRTH +…16 +0\.9\d +CdipRecognizer", ran.stdout)
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
    "score out of range": (["--min-score", "7"], "is not in the range"),
    "missing pack": (["--pack", "nowhere"], "nowhere: has no folder recognizers/"),
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


def test_pack_is_verified_case_by_case(tmp_path: Path, run: Run) -> None:
    """A case that the rules do not satisfy is named by number, and the exit code says so."""
    (tmp_path / "recognizers").mkdir()
    (tmp_path / "recognizers" / "age.yaml").write_text(
        "entity: AGE\nwhat: x\nrules: [{name: a, cues: [age], values: ['46']}]\n"
        "cases: ['age ⟦46⟧', 'age ⟦47⟧']\n",
        "utf-8",
    )

    ran = run("verify-pack", tmp_path)

    assert ran.returncode == 2
    assert "age.yaml: case 2 is not satisfied" in ran.stderr
    assert "1 files, 2 cases, 1 not satisfied" in ran.stdout


def test_unreadable_file_is_not_passed_off_as_clean(tmp_path: Path, letter: Path, run: Run) -> None:
    """One file that cannot be read: exit code 3, and the others are read all the same."""
    pdf = tmp_path / "scan.pdf"
    pdf.write_bytes(b"%PDF-1.7 ...")

    ran = run("analyze", pdf, tmp_path / "none.txt", letter)

    assert ran.returncode == 3
    assert "scan.pdf: is a PDF" in ran.stderr
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
    """All 18 are listed with source and meaning, and so they are in the README."""
    ran = run("entities", "--format", "json")

    listed = {one["name"]: one for one in json.loads(ran.stdout)}
    assert list(listed) == list(ENTITIES)
    assert listed["HEALTH"]["found_by"] == ["rules", "model"]
    assert listed["GENETIC_DATA"]["found_by"] == ["model"]


@pytest.mark.checkout
def test_options_and_exit_codes_are_documented(run: Run) -> None:
    """Every option, command and exit code that the help shows stands in the README."""
    readme = (ROOT / "README.md").read_text("utf-8")

    helps = [run(*command, "--help").stdout for command in ([], *([name] for name in COMMANDS))]
    options = set(re.findall(r"--[a-z-]+", " ".join(helps))) - {"--help", "--version"}
    codes = re.findall(r"^    (\d+) ", helps[0], re.M)

    assert len(codes) == 8
    assert {name for name in COMMANDS if f"| `{name}" not in readme} == set()
    assert {option for option in options if option not in readme} == set()
    assert {code for code in codes if f"| {code} |" not in readme} == set()


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


def test_page_is_analyzed_and_redacted(tmp_path: Path, tesseract: str, run: Run) -> None:
    """What is found on a page has its boxes, and is gone from the redacted page."""
    out = tmp_path / "out.png"

    analyzed = run("analyze", PAGE, "--format", "json")
    redacted = run("redact", PAGE, "-o", out)
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


def test_text_is_no_page(letter: Path, tmp_path: Path, run: Run) -> None:
    """Redacting something that is no image: exit code 3, and nothing is written."""
    ran = run("redact", letter, "-o", tmp_path / "out.png")

    assert ran.returncode == 3
    assert not (tmp_path / "out.png").exists()
