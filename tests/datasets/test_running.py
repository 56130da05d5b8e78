"""A run treats each document once, whatever happens, and goes on where it ended."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.identity import Treatment, differences
from presidio_cdip.datasets.running import Outcome, run
from presidio_cdip.datasets.sources import Rules
from presidio_cdip.datasets.stores import Local
from presidio_cdip.datasets.verifying import verify
from presidio_cdip.documents.segments import Settings
from presidio_cdip.errors import ExitCode, InvalidOption, OutputError
from tests.datasets.collections import KEY, job, text, texts, tree

BINARY = bytes(range(256)) * 9


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Outcome]:
    """A folder with a run from ``in`` to ``out``, in which one document cannot be read."""
    folder = tmp_path_factory.mktemp("done")
    source = texts(folder / "in")
    (source / "broken.pdf").write_text(text(77))
    return folder, run(job(source, folder / "out"))


def test_run_replaces_values_and_keeps_the_layout(done: tuple[Path, Outcome]) -> None:
    """Every document is written at its own path, without its values."""
    folder, outcome = done

    written = {name for name in tree(folder / "out") if not name.startswith(manifest.FOLDER)}
    assert written == set(tree(folder / "in")) - {"broken.pdf"}
    assert outcome.totals.found["US_SSN"] == 6
    assert "219-09-1001" not in (folder / "out" / "odd" / "001.txt").read_text()


def test_no_value_of_a_document_is_in_a_manifest(done: tuple[Path, Outcome]) -> None:
    """Manifests hold names, hashes and counts alone."""
    manifests = (done[0] / "out" / manifest.FOLDER).rglob("*.json*")

    written = "".join(file.read_text() for file in manifests)

    assert "broken.pdf" in written
    assert not [one for one in ("219-09", "March", KEY.decode()) if one in written]


@pytest.mark.slow
def test_number_of_workers_does_not_change_a_byte(tmp_path: Path) -> None:
    """One worker and three write the same files and manifests."""
    source = texts(tmp_path / "in", 9)

    run(job(source, tmp_path / "one"))
    run(job(source, tmp_path / "three", jobs=3))

    assert tree(tmp_path / "one") == tree(tmp_path / "three")


@pytest.mark.slow
def test_killed_at_random_moments_a_run_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    """Drivers and children are killed by SIGKILL: nothing is lost, doubled or different."""
    source, key = texts(tmp_path / "in", 36), tmp_path / "key"
    key.write_bytes(KEY)
    run(job(source, tmp_path / "undisturbed", jobs=2, treatment={"min_score": 0.4}))
    chance = random.Random(3)
    command = [
        *(
            sys.executable,
            "-m",
            "presidio_cdip",
            "run",
            str(source),
            "-o",
            str(tmp_path / "killed"),
        ),
        *("--key-file", str(key), "--model", "none", "--jobs", "2", "--shard-size", "3"),
    ]
    kills, ended = 0, None

    for _ in range(20):  # eight kills take four runs; the one after them is left alone
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ}
        )
        if kills >= 8:
            ended = process.wait(timeout=240)
            break
        for _ in range(2):
            time.sleep(chance.uniform(0.1, 2))
            victims = [process.pid, *children(process.pid)]
            with contextlib.suppress(ProcessLookupError):
                os.kill(chance.choice(victims), signal.SIGKILL)
            kills += 1
        process.kill()
        process.wait()

    assert ended == ExitCode.FOUND
    assert tree(tmp_path / "killed") == tree(tmp_path / "undisturbed")
    assert verify(str(tmp_path / "killed")).different == []


def children(pid: int) -> list[int]:
    """The processes that *pid* started."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            state = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(state[1]) == pid:
                found.append(int(entry.name))
    return found


@pytest.mark.slow
def test_what_a_killed_run_was_writing_is_removed(tmp_path: Path) -> None:
    """A file that was being written when the machine stopped is no output, and does not stay."""
    source, target = texts(tmp_path / "in", 1), tmp_path / "out"
    (target / manifest.FOLDER / "tmp").mkdir(parents=True)
    (target / manifest.FOLDER / "tmp" / "0.part").write_text("half of")

    run(job(source, target))

    assert not (target / manifest.FOLDER / "tmp").exists()


@pytest.mark.slow
def test_children_end_with_a_driver_that_is_killed(tmp_path: Path) -> None:
    """No child goes on for itself when the driver was killed by SIGKILL."""
    source, key = texts(tmp_path / "in", 60), tmp_path / "key"
    key.write_bytes(KEY)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "presidio_cdip", "run", str(source), "-o"),
            *(str(tmp_path / "out"), "--key-file", str(key), "--model", "none"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not (started := children(process.pid)) and process.poll() is None:
        time.sleep(0.02)

    process.kill()
    process.wait()

    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() for pid in started):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
def test_sigterm_stops_cleanly_and_says_how_to_go_on(tmp_path: Path) -> None:
    """A run that is terminated ends with 143 and the advice to give the same command."""
    source, key = texts(tmp_path / "in", 60), tmp_path / "key"
    key.write_bytes(KEY)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "presidio_cdip", "run", str(source), "-o"),
            *(str(tmp_path / "out"), "--key-file", str(key), "--model", "none"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not children(process.pid) and process.poll() is None:
        time.sleep(0.02)

    process.terminate()
    said = process.communicate(timeout=60)[1]

    assert process.returncode == 143
    assert "the same command goes on" in said
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"treatment": {"key": KEY + b"2"}}, "key"),
        ({"treatment": {"names": True}}, "configuration.names"),
        ({"treatment": {"policy": "label"}}, "configuration.policy"),
        ({"rules": Rules(copy=(".cls",))}, "source.copy"),
        ({"size": 4}, "source.shard"),
    ],
)
def test_run_with_other_options_is_refused_and_the_difference_named(
    tmp_path: Path, changed: dict[str, object], named: str
) -> None:
    """Another key or option does not go on with a run; the message says which it is."""
    source, target = texts(tmp_path / "in", 1), tmp_path / "out"
    run(job(source, target))
    before = tree(target)

    with pytest.raises(InvalidOption, match=rf"values of: (\S+, )*{named}(,|;)"):
        run(job(source, target, **changed))

    assert tree(target) == before


def test_another_model_is_named_as_the_difference() -> None:
    """The shipped model and none are told apart by the hash of the model's files."""
    with_none, with_shipped = (Treatment(key=KEY, model=one) for one in ("none", None))

    assert differences(with_none.identity(), with_shipped.identity()) == ["model"]


@pytest.mark.slow
def test_run_on_another_pack_is_refused(tmp_path: Path, age_pack: Path) -> None:
    """A pack with other files is another run."""
    source, target = texts(tmp_path / "in", 1), tmp_path / "out"
    run(job(source, target))

    with pytest.raises(InvalidOption, match="values of: pack;"):
        run(job(source, target, treatment={"pack": str(age_pack)}))


@pytest.mark.slow
def test_source_that_was_changed_since_is_refused(tmp_path: Path) -> None:
    """A document that was added would move others to other shards."""
    source, target = texts(tmp_path / "in"), tmp_path / "out"
    run(job(source, target))
    (source / "even" / "0.txt").write_text("new")

    with pytest.raises(InvalidOption, match="source was changed"):
        run(job(source, target))


def test_output_in_the_source_is_refused(tmp_path: Path) -> None:
    """Outputs would be read as documents."""
    source = texts(tmp_path / "in", 1)

    with pytest.raises(OutputError, match="in each other"):
        run(job(source, source / "out"))


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    """A run begins in an empty folder: other files would pass as its outputs."""
    source, target = texts(tmp_path / "in", 1), tmp_path / "out"
    target.mkdir()
    (target / "mine.txt").write_text("mine")

    with pytest.raises(OutputError, match="not empty"):
        run(job(source, target))


@pytest.mark.slow
def test_what_is_not_read_is_listed_and_not_copied(tmp_path: Path) -> None:
    """Unknown files stay out of the output, unless they are asked for; labels are copied."""
    source, target = texts(tmp_path / "in", 1), tmp_path / "out"
    (source / "a.bin").write_bytes(BINARY)
    (source / "a.npy").write_bytes(BINARY)

    run(job(source, target, rules=Rules(copy=(".npy",))))
    run(job(source, tmp_path / "all", rules=Rules(copy=(".npy",)), copy_unread=True))

    rows = {one.document: one for one in manifest.read(Local(target), 0)[0].rows}
    assert rows["a.bin"].state == manifest.UNREAD
    assert rows["a.npy"].state == manifest.COPIED
    assert not (target / "a.bin").exists()
    assert (tmp_path / "all" / "a.bin").read_bytes() == (source / "a.bin").read_bytes()
    assert (target / "a.npy").read_bytes() == (source / "a.npy").read_bytes()


@pytest.mark.slow
def test_link_out_of_the_source_is_not_followed(tmp_path: Path) -> None:
    """A link to a file elsewhere is listed as not read."""
    source, target = texts(tmp_path / "in", 1), tmp_path / "out"
    (tmp_path / "secret.txt").write_text(text(1))
    (source / "link.txt").symlink_to(tmp_path / "secret.txt")

    outcome = run(job(source, target))

    assert outcome.totals.states[manifest.UNREAD] == 1
    assert not (target / "link.txt").exists()


def test_the_manifest_counts_plainest_forms(tmp_path: Path) -> None:
    """Of each document and of all: by entity, as the report of a document has it."""
    source = tmp_path / "in"
    source.mkdir()
    rows = "Name,Diagnosis,Age\n{0},gout,46\n{0},quivering zwork,47\n{0},measles,48\n"
    for name in ("a", "b"):
        (source / f"{name}.csv").write_text(rows.format(name), encoding="utf-8")

    outcome = run(job(source, tmp_path / "out"))

    assert outcome.totals.found == {"HEALTH": 6, "AGE": 6}
    assert outcome.totals.plainest == {"HEALTH": 2}
    lines = (tmp_path / "out" / manifest.FOLDER / "shards").glob("*.jsonl")
    found = [json.loads(line) for file in lines for line in file.read_text().splitlines()]
    assert [one["plainest"] for one in found if "document" in one] == [{"HEALTH": 1}] * 2
    assert verify(str(tmp_path / "out")).different == []


def test_a_run_takes_scopes_from_a_column(tmp_path: Path) -> None:
    """Rows of a subject agree across documents; what has no such rows is not read."""
    source = tmp_path / "in"
    source.mkdir()
    for name, who in (("a", "7"), ("b", "8"), ("c", "7")):
        rows = f"who,ssn\n{who},219-09-1001\n9,219-09-1001\n"
        (source / f"{name}.csv").write_text(rows, encoding="utf-8")
    (source / "d.txt").write_text(text(4), encoding="utf-8")
    treatment = {"settings": Settings(scope_column="who")}

    outcome = run(job(source, tmp_path / "out", treatment=treatment))

    one, other, same = (
        (tmp_path / "out" / f"{name}.csv").read_text("utf-8").split() for name in "abc"
    )
    assert one == same
    assert one[2] == other[2]
    assert one[1].partition(",")[2] != other[1].partition(",")[2]
    assert outcome.totals.states == {manifest.DONE: 3, manifest.UNREAD: 1}
