"""Sources are listed lazily, and results keep their layout."""

import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.running import Watcher, run
from presidio_cdip.datasets.shards import plan
from presidio_cdip.datasets.sources import Rules, Source
from presidio_cdip.datasets.stores import Local, store
from presidio_cdip.datasets.verifying import verify
from presidio_cdip.datasets.work import ShardDone
from presidio_cdip.errors import InvalidOption
from tests.datasets.collections import KEY, job, text


def tar(file: Path, members: dict[str, bytes], mode: str = "w") -> Path:
    with tarfile.open(file, mode) as made:  # type: ignore[call-overload]
        for number, (name, data) in enumerate(members.items()):
            head = tarfile.TarInfo(name)
            head.size, head.mtime, head.uname = len(data), 1000 + number, "jsmith"
            made.addfile(head, io.BytesIO(data))
    return file


def members(file: Path) -> dict[str, bytes]:
    with tarfile.open(file) as opened:
        return {one.name: opened.extractfile(one).read() for one in opened}  # type: ignore[union-attr]


def owners(file: Path) -> set[str]:
    with tarfile.open(file) as opened:
        return {one.uname for one in opened}


SAMPLES = {
    f"{number:04}.{suffix}": data
    for number in (3, 1, 2)
    for suffix, data in (("txt", text(number).encode()), ("cls", b"7"))
}


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["tar", "tar.gz"])
def test_tar_becomes_a_tar_of_the_same_members(tmp_path: Path, suffix: str) -> None:
    """The members keep names and order; owners are left out."""
    source = tar(tmp_path / f"s.{suffix}", SAMPLES, "w:gz" if suffix.endswith("gz") else "w")

    run(job(source, tmp_path / "out", rules=Rules(copy=("cls",)), size=2))

    written = tmp_path / "out" / source.name
    assert list(members(written)) == list(SAMPLES)
    assert members(written)["0001.cls"] == b"7"
    assert b"219-09-1001" not in members(written)["0001.txt"]
    assert owners(written) == {""}
    assert verify(str(tmp_path / "out")).different == []


@pytest.mark.slow
def test_members_of_one_key_have_one_scope(tmp_path: Path) -> None:
    """Two texts of one sample get equal surrogates; those of another sample do not."""
    data = b"SSN 219-09-1001."
    source = tar(tmp_path / "s.tar", {"a.txt": data, "a.ocr.txt": data, "b.txt": data})

    run(job(source, tmp_path / "out"))

    written = members(tmp_path / "out" / "s.tar")
    assert written["a.txt"] == written["a.ocr.txt"]
    assert written["a.txt"] != written["b.txt"]


@pytest.mark.slow
def test_archive_that_was_assembled_is_not_written_again(tmp_path: Path) -> None:
    """A run that is complete leaves no parts, and goes on without a change."""
    source = tar(tmp_path / "s.tar", SAMPLES)
    run(job(source, tmp_path / "out", size=2))
    before = (tmp_path / "out" / "s.tar").stat().st_mtime_ns

    run(job(source, tmp_path / "out", size=2))

    assert (tmp_path / "out" / "s.tar").stat().st_mtime_ns == before
    assert Local(tmp_path / "out").listing(manifest.PARTS) == []


@pytest.mark.slow
def test_zip_within_a_folder_keeps_its_place(tmp_path: Path) -> None:
    """A zip in a folder becomes a zip in the same folder."""
    (tmp_path / "in" / "deep").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "in" / "deep" / "z.zip", "w") as made:
        made.comment = b"of John Smith"
        made.writestr("x/1.txt", text(1))
    (tmp_path / "in" / "2.txt").write_text(text(2))

    run(job(tmp_path / "in", tmp_path / "out"))

    with zipfile.ZipFile(tmp_path / "out" / "deep" / "z.zip") as written:
        assert written.namelist() == ["x/1.txt"]
        assert b"219-09-1001" not in written.read("x/1.txt")
        assert written.comment == b""
    assert "219-09-1002" not in (tmp_path / "out" / "2.txt").read_text()


@pytest.mark.slow
def test_links_and_second_members_of_a_name_are_not_read(tmp_path: Path) -> None:
    """What is no file of its own is listed, and is not in the result."""
    file = tmp_path / "s.tar"
    with tarfile.open(file, "w") as made:
        for _ in range(2):
            head = tarfile.TarInfo("a.txt")
            head.size = len(text(1))
            made.addfile(head, io.BytesIO(text(1).encode()))
        link = tarfile.TarInfo("../link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        made.addfile(link)

    outcome = run(job(file, tmp_path / "out"))

    assert list(members(tmp_path / "out" / "s.tar")) == ["a.txt"]
    assert outcome.totals.states[manifest.UNREAD] == 2


def test_damaged_archive_is_listed(tmp_path: Path) -> None:
    """An archive that cannot be listed is a row of its own, and nothing is written."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "z.zip").write_bytes(b"PK\x03\x04 nothing more")

    outcome = run(job(tmp_path / "in", tmp_path / "out"))

    assert outcome.totals.states == {manifest.UNREAD: 1}
    assert not (tmp_path / "out" / "z.zip").exists()


def test_groups_are_never_parted(tmp_path: Path) -> None:
    """A shard may be larger than asked, so that a key stays whole."""
    source = tar(tmp_path / "s.tar", SAMPLES)

    shards = list(plan(Source(str(source)), 1))

    assert [one.files for one in shards] == [2, 2, 2]


@pytest.fixture
def stored() -> Iterator[Any]:
    """A store in memory with two documents, as fsspec opens it."""
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    files.pipe_file("/in/a/1.txt", text(1).encode())
    files.pipe_file("/in/2.txt", text(2).encode())
    yield files
    for folder in ("/in", "/out"):
        if files.exists(folder):
            files.rm(folder, recursive=True)


@pytest.mark.slow
def test_source_behind_a_url_is_treated_like_a_folder(stored: Any) -> None:
    """Documents of a store are read and written by URL."""
    outcome = run(job("memory://in", "memory://out"))

    assert outcome.totals.states[manifest.DONE] == 2
    assert b"219-09-1001" not in stored.cat_file("/out/a/1.txt")
    assert verify("memory://out").different == []


class _Cut(Exception):
    """The run is ended after its first shard."""


class _Cutting(Watcher):
    """End a run as Ctrl-C does."""

    def committed(self, done: ShardDone) -> None:
        raise _Cut


@pytest.mark.slow
def test_run_to_a_url_goes_on_after_its_committed_shards(stored: Any) -> None:
    """What a store holds of a run that was cut off ends as an undisturbed run."""
    with pytest.raises(_Cut):
        run(job("memory://in", "memory://out", size=1, jobs=1), _Cutting())
    assert not stored.exists("/out/_manifest/seal.json")
    second = f"/out/{manifest.SHARDS}/0000001.jsonl"
    if stored.exists(second):  # a busy machine may commit it before the run ends
        stored.rm(second)
    stored.pipe_file("/out/a/1.txt", b"of a shard that was not committed")

    run(job("memory://in", "memory://out", size=1))
    again = {name: stored.cat_file(name) for name in stored.find("/out")}
    stored.rm("/out", recursive=True)
    run(job("memory://in", "memory://out", size=1))

    assert again == {name: stored.cat_file(name) for name in stored.find("/out")}
    assert verify("memory://out").different == []


@pytest.mark.parametrize("place", ["memory://out", "{folder}"])
def test_file_that_is_there_is_not_created(stored: Any, tmp_path: Path, place: str) -> None:
    """Of two runs that begin at once, one alone writes what says which run it is."""
    files = store(place.format(folder=tmp_path))

    assert [files.create("_manifest/run.json", data) for data in (b"one", b"two")] == [True, False]
    assert files.read("_manifest/run.json") == b"one"


@pytest.mark.slow
def test_run_to_a_url_is_refused_with_another_key(stored: Any) -> None:
    """A store is protected from a second run like a folder is."""
    run(job("memory://in", "memory://out"))

    with pytest.raises(InvalidOption, match="values of: key"):
        run(job("memory://in", "memory://out", treatment={"key": KEY + b"2"}))


@pytest.mark.slow
def test_change_in_a_store_is_seen(stored: Any) -> None:
    """`verify-run` reads what is behind a URL."""
    run(job("memory://in", "memory://out"))
    stored.pipe_file("/out/2.txt", b"changed")

    assert verify("memory://out").different == ["2.txt: is not what was written"]


@pytest.mark.slow
def test_parquet_keeps_rows_and_types_and_leaves_out_what_is_not_read(tmp_path: Path) -> None:
    """Texts and files are treated; other columns are listed, and copied only by name."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table(
        {
            "text": [text(number) for number in range(5)],
            "image": [{"bytes": text(9).encode(), "path": "John Smith.txt"}] * 5,
            "label": [1, 2, 3, 4, 5],
            "ssn": [219091001] * 5,
        }
    )
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=2)

    outcome = run(
        job(tmp_path / "t.parquet", tmp_path / "out", rules=Rules(copy=("label",)), size=4)
    )

    written = parquet.read_table(tmp_path / "out" / "t.parquet")
    assert written.column_names == ["text", "image", "label"]
    assert written["label"].to_pylist() == [1, 2, 3, 4, 5]
    assert written.schema.field("image").type == table.schema.field("image").type
    assert "219-09" not in str(written["text"].to_pylist())
    assert {one["path"] for one in written["image"].to_pylist()} == {None}
    assert outcome.totals.states == {manifest.DONE: 10, manifest.UNREAD: 1}
    assert verify(str(tmp_path / "out")).different == []


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_documents_of_every_format_are_treated_in_their_format(tmp_path: Path) -> None:
    """Office, PDF, mail, JSON, CSV, HTML, and an image of two frames, which keeps both."""
    pikepdf = pytest.importorskip("pikepdf")
    from PIL import Image, ImageSequence

    from tests.documents.office.office_files import docx
    from tests.documents.pdf.builders_structure import line, page, saved
    from tests.imaging.drawing import page as drawn

    said = "Soc. Sec. No. 219-09-1001"
    pdf = pikepdf.new()
    page(pdf, line(said))
    folder = tmp_path / "in"
    folder.mkdir()
    files = {
        "a.docx": docx(f"<w:p><w:r><w:t>{said}</w:t></w:r></w:p>"),
        "b.pdf": saved(pdf),
        "c.eml": f"Subject: x\nContent-Type: text/plain\n\n{said}\n".encode(),
        "d.json": f'{{"note": "{said}"}}'.encode(),
        "e.csv": f"note\n{said}\n".encode(),
        "f.html": f"<p>{said}</p>".encode(),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    frames = [drawn([(40, 60, said), (40, 160, f"Frame {at} says nothing else.")]) for at in "12"]
    frames[0].save(folder / "g.tif", save_all=True, append_images=frames[1:], dpi=(150, 150))

    outcome = run(job(folder, tmp_path / "out"))

    assert outcome.totals.states == {manifest.DONE: 7}
    assert outcome.totals.found["US_SSN"] >= 8
    for name in files:
        written = (tmp_path / "out" / name).read_bytes()
        assert written != files[name]
        assert b"219-09-1001" not in written
    with Image.open(tmp_path / "out" / "g.tif") as image:
        assert len(list(ImageSequence.Iterator(image))) == 2
