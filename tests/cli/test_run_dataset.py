"""The command `run` tells how it goes on, and ends with the code that its documents ask for."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from presidio_cdip.cli.run_progress import SAMPLE, Estimating
from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.manifest import Row, Totals
from presidio_cdip.datasets.shards import Size
from presidio_cdip.datasets.work import ShardDone
from tests.conftest import Ran
from tests.datasets.collections import KEY, texts

Run = Callable[..., Ran]


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A file with a key."""
    file = tmp_path / "key"
    file.write_bytes(KEY)
    file.chmod(0o600)
    return file


@pytest.mark.slow
def test_each_shard_is_a_line_of_json(tmp_path: Path, key: Path, run: Run) -> None:
    """Where nobody looks at a terminal, standard output has a line a shard; code 1: found."""
    source = texts(tmp_path / "in", 5)

    ran = run(
        "run", source, "-o", tmp_path / "out", "--key-file", key, "--model", "none",
        "--shard-size", "2",
    )  # fmt: skip

    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [one["shard"] for one in lines] == [0, 1, 2]
    assert sum(one["found"]["US_SSN"] for one in lines) == 5
    assert "5 documents written" in ran.stderr
    assert ran.returncode == 1


def test_file_that_is_not_read_is_named_and_ends_with_code_3(
    tmp_path: Path, key: Path, run: Run
) -> None:
    """A file with a strange name and no text is reported, not copied, and no traceback is shown."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a\udcff\x1b.bin").write_bytes(bytes(range(256)) * 9)

    ran = run("run", tmp_path / "in", "-o", tmp_path / "out", "--key-file", key, "--model", "none")

    assert ran.returncode == 3
    assert "\\x1b.bin: is in an encoding unknown here" in ran.stderr
    assert f"verify-run {tmp_path / 'out'}` says which" in ran.stderr
    checked = run("verify-run", tmp_path / "out")
    assert checked.returncode == 0
    assert checked.stdout.splitlines()[-1] == "0 files written, 1 not; 0 differences"


def test_what_was_read_in_part_is_named(tmp_path: Path, key: Path, run: Run) -> None:
    """It is written, and `verify-run` says which files it is."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("see U1NOIDI3MS0yNC0wNTM4\n")

    ran = run("run", tmp_path / "in", "-o", tmp_path / "out", "--key-file", key, "--model", "none")

    assert ran.returncode == 3
    checked = run("verify-run", tmp_path / "out").stdout.splitlines()
    assert checked[0] == "a.txt: written with 1 part that nothing read"
    assert checked[-1] == "1 file written, 0 not; 0 differences"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "give --key-file"),
        (("--policy", "label", "--threads", "2"), "--jobs"),
        (("--policy", "label", "--scope", "a", "--scope-from", "b"), "exclude each other"),
    ],
)
def test_wrong_use_is_said_before_anything_is_written(
    tmp_path: Path, run: Run, options: tuple[str, ...], said: str
) -> None:
    """Wrong options end with code 2 and leave no folder."""
    source = texts(tmp_path / "in", 1)

    ran = run("run", source, "-o", tmp_path / "out", "--model", "none", *options)

    assert (ran.returncode, said in ran.stderr) == (2, True)
    assert not (tmp_path / "out").exists()


def test_source_that_does_not_exist_ends_with_code_3(tmp_path: Path, key: Path, run: Run) -> None:
    """A mistyped source is no empty collection."""
    ran = run("run", tmp_path / "nowhere", "-o", tmp_path / "out", "--key-file", key)

    assert ran.returncode == 3
    assert "does not exist" in ran.stderr


class Told(Estimating):
    """Keep what is estimated."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[float] = []

    def estimated(self, seconds: float) -> None:
        self.told.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test sets."""
    now = [100.0]
    monkeypatch.setattr("presidio_cdip.cli.run_progress.time.monotonic", lambda: now[0])
    return now


def test_estimate_leaves_out_the_start(clock: list[float]) -> None:
    """After 500 of 2,000 files, one a second, 1,500 s are left, however long the start took."""
    told = Told()
    committed = Totals(states=Counter({"done": 100}), suffixes=Counter(txt=100))
    told.planned(Size(20, 2100, 2100, {}, Counter(txt=2100)), committed)
    clock[0] += 60

    for _ in range(SAMPLE):
        told.advance(Row("a.txt", manifest.DONE))
        clock[0] += 1

    # The last second is not over when the 500th file is done.
    assert told.told == [1500.0]


def test_estimate_tells_kinds_of_files_apart(clock: list[float]) -> None:
    """Two pages of 100 s each are no sample of the 500 texts of 1 s and 1,000 pages to come.

    The first page took 300 s, because OCR was loaded.
    """
    told = Told()
    told.planned(Size(20, 2000, 2000, {}, Counter(txt=998, png=1002)), Totals())

    for number in range(SAMPLE):
        page = number in (100, 200)
        clock[0] += {100: 300, 200: 100}.get(number, 1)
        told.advance(Row(f"a/{number}.{'PNG' if page else 'txt'}", manifest.DONE))

    assert told.told == [500 * 1.0 + 1000 * 100.0]


def test_shards_of_a_cluster_are_counted_once(clock: list[float]) -> None:
    """An engine that tells of shards alone is estimated, too; one that told of files is not."""
    told = Told()
    told.planned(Size(20, 2000, 2000, {}), Totals())
    done = ShardDone(0, "", Totals(states=Counter({"done": 100})), "")

    for _ in range(100):
        told.advance(Row("a.txt", manifest.DONE))
    told.committed(done)
    told.committed(done)

    assert told.seen == 200
