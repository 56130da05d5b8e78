"""A program that reads a page is run again when it was killed."""

import sys
from pathlib import Path

import pytest

from presidio_cdip.imaging.page.program import ATTEMPTS, run

if sys.platform == "win32":
    pytest.skip("there is no SIGKILL", allow_module_level=True)


def dying(counted: Path, times: int) -> list[str]:
    """A program that is killed the first *times* times, and then repeats its input."""
    script = f'echo >> "{counted}"; [ $(wc -l < "{counted}") -gt {times} ] || kill -9 $$; cat'
    return ["sh", "-c", script]


def test_killed_program_is_run_again(tmp_path: Path) -> None:
    """A kill from outside does not change what is read of a page."""
    counted = tmp_path / "counted"

    ended = run(dying(counted, ATTEMPTS - 1), b"a page", 60)

    assert (ended.returncode, ended.stdout) == (0, b"a page")


def test_program_that_is_always_killed_is_given_up(tmp_path: Path) -> None:
    """A page whose reading needs too much memory does not hold up a run for ever."""
    counted = tmp_path / "counted"

    ended = run(dying(counted, 99), b"a page", 60)

    assert ended.returncode == -9
    assert len(counted.read_text().splitlines()) == ATTEMPTS


def test_program_that_fails_is_not_run_again(tmp_path: Path) -> None:
    """What fails by itself fails again: only kills are from outside."""
    counted = tmp_path / "counted"

    ended = run(["sh", "-c", f'echo >> "{counted}"; exit 1'], b"a page", 60)

    assert ended.returncode == 1
    assert len(counted.read_text().splitlines()) == 1
