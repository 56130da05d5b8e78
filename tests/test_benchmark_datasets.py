"""The benchmark of batch runs sees what was lost, doubled or changed."""

from pathlib import Path

from benchmarks.datasets_drawn import mixed
from benchmarks.datasets_killing import compared
from benchmarks.datasets_utility import label
from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.manifest import Manifest, Row


def written(folder: Path, *names: str) -> Path:
    """What a run with one shard writes."""
    rows = [Row(name, manifest.DONE) for name in names]
    (folder / manifest.SHARDS).mkdir(parents=True)
    (folder / manifest.file_of(0)).write_bytes(Manifest({}, rows).written()[0])
    for name in names:
        (folder / name).write_text(name)
    return folder


def test_equal_runs_have_no_difference(tmp_path: Path) -> None:
    """What is the same counts as nothing."""
    good = written(tmp_path / "good", "a", "b")

    assert compared(written(tmp_path / "run", "a", "b"), good) == (0, 0, 0)


def test_lost_doubled_and_different_files_are_counted(tmp_path: Path) -> None:
    """A missing file is lost, one too many and a row twice are doubled, another byte is seen."""
    good = written(tmp_path / "good", "a", "b", "c")
    run = written(tmp_path / "run", "a", "b", "b")
    (run / "a").write_text("other")
    (run / "d").write_text("one too many")

    assert compared(run, good) == (1, 2, 2)  # its manifest is different, too


def test_drawn_collection_has_as_many_of_each_kind_as_asked(tmp_path: Path) -> None:
    """Pages and poison lie among the texts, in the numbers that the table tells."""
    files = [one for one in mixed(tmp_path, 40, 4, 8).rglob("*") if one.is_file()]

    assert len(files) == 40
    assert sum(one.suffix == ".png" for one in files) == 4
    assert sum("-" in one.name for one in files) == 8


def test_kind_that_names_two_classes_has_none() -> None:
    """A classifier learns from documents alone whose class is certain."""
    assert [label(kind) for kind in ("business letter", "recipe", "letter of application")] == [
        "letter", None, None,
    ]  # fmt: skip
