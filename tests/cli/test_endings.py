"""However a run of the command line ends, its exit code says how, and no output is half-written."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from presidio_cdip.cli.printing import as_json, printable
from presidio_cdip.pack.pack import Pack

Run = Callable[..., Any]
TEXT = b"Soc. Sec. No. 271-24-0538\n"
PROGRAM = [sys.executable, "-m", "presidio_cdip"]


@pytest.fixture
def outside(tmp_path: Path) -> tuple[Path, Path]:
    """A folder with a link to a text outside, and that text."""
    folder, secret = tmp_path / "letters", tmp_path / "secret.txt"
    folder.mkdir()
    secret.write_bytes(TEXT)
    (folder / "link.txt").symlink_to(secret)
    (folder / "own.txt").write_bytes(TEXT)
    (folder / "same.txt").symlink_to(folder / "own.txt")
    return folder, secret


def test_a_link_out_of_the_folder_is_not_followed(
    tmp_path: Path, outside: tuple[Path, Path], age_pack: Path, run: Run
) -> None:
    """Its text is neither copied nor analyzed but reported; a link that stays inside is read."""
    folder, _ = outside
    options = ["--policy", "label", "--model", "none", "--pack", age_pack]

    ran = run("anonymize", folder, "-o", tmp_path / "out", *options)
    analyzed = run("analyze", folder, "--model", "none", "--pack", age_pack)

    assert (ran.returncode, analyzed.returncode) == (3, 3)
    assert "link.txt: is a link to a file outside this folder" in ran.stderr
    assert "link.txt: is a link to a file outside this folder" in analyzed.stderr
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["own.txt", "same.txt"]


LONG = "x" * 5000


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["analyze", LONG], 3, "File name too long"),
        (["anonymize", LONG, "--policy", "label", "-o", "out"], 3, "File name too long"),
        (["analyze", "--pack", LONG, "-"], 2, "there is no such folder"),
        (["analyze", "--model", LONG, "-"], 2, "is no folder"),
        (["verify-run", LONG], 2, "File name too long"),
    ],
    ids=["file", "input", "pack", "model", "run"],
)
def test_a_name_that_is_too_long_is_an_error_of_one_line(
    arguments: list[str],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Run,
) -> None:
    """Nobody is asked to report it, and it is not taken for an error of standard output."""
    monkeypatch.chdir(tmp_path)

    ran = run(*arguments)

    assert ran.returncode == code
    assert [said in line for line in ran.stderr.splitlines() if "xxx" in line] == [True]
    assert "report this" not in ran.stderr
    assert "standard output" not in ran.stderr


def test_a_page_linked_from_outside_is_not_redacted(tmp_path: Path, run: Run) -> None:
    """It is reported, and nothing is written."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "page.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "pages" / "page.png").symlink_to(tmp_path / "page.png")

    ran = run("redact", tmp_path / "pages", "-o", tmp_path / "out", "--method", "white")

    assert ran.returncode == 3
    assert "page.png: is a link to a file outside this folder" in ran.stderr
    assert not (tmp_path / "out").exists()


def test_a_link_that_is_named_itself_is_read(
    outside: tuple[Path, Path], age_pack: Path, run: Run
) -> None:
    """A link given on the command line is read as the file behind it."""
    folder, _ = outside

    ran = run("analyze", folder / "link.txt", "--model", "none", "--pack", age_pack)

    assert ran.returncode == 0


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@pytest.mark.slow
@needs_full
@pytest.mark.parametrize("arguments", [["policies"], ["policies", "--format", "json"], ["--help"]])
def test_a_full_disk_is_one_plain_line(arguments: list[str]) -> None:
    """Exit code 2, and no request to report a bug."""
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )

    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert "No space left on device" in ran.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes of another kind")
@pytest.mark.parametrize("arguments", [["policies"], ["policies", "--format", "json"], ["--help"]])
def test_a_closed_pipe_is_not_taken_for_a_finding(arguments: list[str]) -> None:
    """Exit code 141, and nothing on standard error."""
    read, write = os.pipe()
    os.close(read)

    ran = subprocess.run([*PROGRAM, *arguments], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)

    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.skipif(os.name != "posix", reason="no SIGTERM of this kind")
def test_a_terminated_run_leaves_no_half_written_file(tmp_path: Path) -> None:
    """Exit code 143; the file that was being written is removed."""
    code = f"""
import sys
from pathlib import Path
from presidio_cdip.cli import main
from presidio_cdip.files.outputs import replacing
@main.cli.command()
def wait():
    with replacing(Path({str(tmp_path / "out.txt")!r})) as file:
        print("ready", flush=True)
        import time
        time.sleep(60)
sys.argv = ["presidio-cdip", "wait"]
main.main()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    assert len(list(tmp_path.iterdir())) == 1

    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)

    assert (process.returncode, errors) == (143, b"")
    assert list(tmp_path.iterdir()) == []


def test_an_unexpected_error_is_still_reported_as_one(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """An error of the operating system that no output caused keeps exit code 70 and its place."""

    def fails(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files", "/secret")

    monkeypatch.setattr("presidio_cdip.surrogates.policies.policy_names", fails)

    ran = run("policies")

    assert ran.returncode == 70
    assert "please report this" in ran.stderr
    assert "secret" not in ran.stderr


ODD = "a\x1b[31m\nb\x9b\u202e.txt"


def test_no_control_character_of_a_name_is_printed(
    tmp_path: Path, age_pack: Path, run: Run
) -> None:
    """Neither in a table, nor in JSON, nor in a message; JSON still has the exact name."""
    import json

    (tmp_path / ODD).write_text("age 46")
    (tmp_path / f"{ODD}.pdf").write_bytes(b"%PDF-1.7")
    options = ["--model", "none", "--pack", age_pack]

    table = run("analyze", tmp_path, *options)
    data = run("analyze", tmp_path, *options, "--format", "json")
    wrong = run("anonymize", tmp_path / ODD, "--policy", ODD)
    unknown = run(f"x{ODD}")

    for ran in (table, data, wrong, unknown):
        assert not set("\x1b\x9b\u202e") & set(ran.stdout + ran.stderr)
    assert "a\\x1b[31m\\nb\\x9b\\u202e.txt" in table.stdout
    assert "a\\x1b[31m\\nb\\x9b\\u202e.txt.pdf: is " in table.stderr
    assert Path(json.loads(data.stdout)[0]["file"]).name == ODD


@pytest.mark.parametrize("name", ["Zürich.txt", "a b-c_(1).txt", "日本.txt", "🙂"])
def test_other_names_are_printed_as_they_are(name: str) -> None:
    """Letters of any script stay."""
    assert printable(name) == name
    assert as_json(name) == f'"{name}"'


def test_a_long_policy_name_is_refused(run: Run) -> None:
    """The name is too long for a file; the message shows only its beginning."""
    ran = run("policies", "x" * 5000)

    assert ran.returncode == 2
    assert "there is no such policy; there are" in ran.stderr
    assert len(ran.stderr) < 300


def test_a_long_entity_name_is_not_known() -> None:
    """An entity named over REST is not used as a path, and has the forms of any code."""
    from presidio_cdip.surrogates.drawing.table import has_forms

    assert not has_forms("X" * 5000, Pack.shipped())
    assert has_forms("US_SSN", Pack.shipped())
