"""A check of a run sees what was changed since."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.running import run
from presidio_cdip.datasets.verifying import verify
from tests.conftest import Ran
from tests.datasets.collections import POISONED, job, texts, tree


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a run, which no test changes."""
    folder = tmp_path_factory.mktemp("finished")
    run(job(texts(folder / "in"), folder / "out"))
    return folder / "out"


@pytest.fixture
def output(finished: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    import shutil

    return Path(shutil.copytree(finished, tmp_path / "out"))


def edited(file: Path, edit: Callable[[list[str]], list[str]]) -> None:
    file.write_text("".join(edit(file.read_text().splitlines(keepends=True))))


SHARD = manifest.file_of(0)


def test_untouched_output_is_as_its_manifests_say(output: Path, run: Callable[..., Ran]) -> None:
    """Nothing differs: exit code 0."""
    ran = run("verify-run", output)

    assert (ran.returncode, ran.stdout) == (0, "6 files written, 0 not; 0 differences\n")


def test_changed_output_is_seen(output: Path, run: Callable[..., Ran]) -> None:
    """A file with other bytes ends the check with code 1 and is named."""
    (output / "even" / "002.txt").write_text("other")

    ran = run("verify-run", output)

    assert ran.returncode == 1
    assert "even/002.txt: is not what was written" in ran.stdout


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda lines: [lines[0], *lines[2:]], "one before is missing"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "one before is missing"),
        (lambda lines: [one.replace('"US_SSN":1', '"US_SSN":2') for one in lines], "was changed"),
    ],
    ids=["dropped", "swapped", "changed"],
)
def test_rows_that_were_tampered_with_are_seen(
    output: Path, edit: Callable[[list[str]], list[str]], said: str
) -> None:
    """A row that is dropped, moved or changed breaks the chain."""
    edited(output / SHARD, edit)

    different = verify(str(output)).different

    assert any(said in one for one in different)


def test_forged_manifest_breaks_the_seal(output: Path) -> None:
    """A manifest whose chain was computed again is not the one that was sealed."""
    lines = [json.loads(line) for line in (output / SHARD).read_text().splitlines()]
    rows = [manifest.Row.of(line) for line in lines[1:-1]]
    head = {name: value for name, value in lines[0].items() if name != "chain"}
    (output / SHARD).write_bytes(manifest.Manifest(head, rows[1:]).written()[0])

    different = verify(str(output)).different

    assert any("seals other manifests" in one for one in different)


def test_missing_manifest_and_missing_output_are_seen(output: Path) -> None:
    """A shard without its manifest leaves files that no manifest names."""
    (output / SHARD).unlink()
    (output / "odd" / "005.txt").unlink()

    different = verify(str(output)).different

    assert any("seals other manifests" in one for one in different)
    assert "even/000.txt: no manifest names it" in different
    assert "odd/005.txt: is missing" in different


def test_folder_without_a_run_ends_with_code_3(tmp_path: Path, run: Callable[..., Ran]) -> None:
    """There is nothing to check by."""
    ran = run("verify-run", tmp_path)

    assert ran.returncode == 3
    assert "holds no run" in ran.stderr


@pytest.mark.slow
def test_only_failed_documents_are_run_again(tmp_path: Path) -> None:
    """What failed once is tried again by --only-failed; the result is that of a good run."""
    source, target = texts(tmp_path / "in", 3), tmp_path / "out"
    (source / "even" / "segfault-1.txt").write_text("Aged 41.")
    run(job(source, tmp_path / "good"))
    first = run(job(source, target, program=POISONED))

    again = run(job(source, target, only_failed=True))

    assert first.totals.states[manifest.FAILED] == 1
    assert again.totals.states == {manifest.DONE: 4}
    assert tree(target) == tree(tmp_path / "good")
