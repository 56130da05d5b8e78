"""Collections on S3: a server of moto plays the store, on this machine."""

import io
import tarfile
from collections.abc import Iterator
from typing import Any

import pytest

from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.running import Watcher, run
from presidio_cdip.datasets.stores import store
from presidio_cdip.datasets.verifying import verify
from presidio_cdip.datasets.work import ShardDone
from presidio_cdip.errors import InvalidOption
from tests.datasets.collections import KEY, job, text

pytestmark = pytest.mark.slow
IN, OUT = "s3://bucket/in", "s3://bucket/out"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server that speaks S3."""
    pytest.importorskip("s3fs", reason="the extra s3 is not installed")
    pytest.importorskip("flask_cors", reason="moto's server needs it")
    server = pytest.importorskip("moto.server", reason="moto is not installed")
    import logging

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    made = server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    made.start()
    host, port = made.get_host_and_port()
    yield f"http://{host}:{port}"
    made.stop()


@pytest.fixture
def s3(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A bucket with three documents, one of them in a folder, and two in a tar."""
    import fsspec

    given = {
        "AWS_ENDPOINT_URL": server, "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any",
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
    }  # fmt: skip
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    fsspec.filesystem("s3").clear_instance_cache()
    files = fsspec.filesystem("s3")
    files.mkdir("bucket")
    files.pipe_file("bucket/in/a/1.txt", text(1).encode())
    files.pipe_file("bucket/in/2.txt", text(2).encode())
    files.pipe_file("bucket/in/3.txt", text(3).encode())
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for number in (4, 5):
            head = tarfile.TarInfo(f"{number}.txt")
            head.size = len(text(number))
            tar.addfile(head, io.BytesIO(text(number).encode()))
    files.pipe_file("bucket/in/z.tar", packed.getvalue())
    yield files
    files.rm("bucket", recursive=True)


def written(files: Any) -> dict[str, bytes]:
    files.invalidate_cache()
    return {name: files.cat_file(name) for name in files.find("bucket/out")}


class Cut(Exception):
    """The run is ended after its first shard."""


class Cutting(Watcher):
    """End a run as Ctrl-C does."""

    def committed(self, done: ShardDone) -> None:
        raise Cut


def test_run_from_s3_to_s3_goes_on_where_it_was_cut_off(s3: Any) -> None:
    """Files and a tar are treated in their places; after a cut, as if nothing had been."""
    with pytest.raises(Cut):
        run(job(IN, OUT, size=1), Cutting())
    assert "bucket/out/_manifest/seal.json" not in written(s3)

    outcome = run(job(IN, OUT, size=1, jobs=2))
    again = written(s3)
    s3.rm("bucket/out", recursive=True)
    run(job(IN, OUT, size=1))

    assert outcome.totals.states == {manifest.DONE: 5}
    assert again == written(s3)
    assert not [one for one in again.values() if b"219-09-100" in one]
    with tarfile.open(fileobj=io.BytesIO(again["bucket/out/z.tar"])) as tar:
        assert tar.getnames() == ["4.txt", "5.txt"]
    assert verify(OUT).different == []


def test_another_key_and_a_change_are_seen_on_s3(s3: Any) -> None:
    """A run with another key is refused, and `verify-run` names an output that was changed."""
    run(job(IN, OUT))

    with pytest.raises(InvalidOption, match="values of: key;"):
        run(job(IN, OUT, treatment={"key": KEY + b"2"}))
    s3.pipe_file("bucket/out/2.txt", b"changed")

    assert verify(OUT).different == ["2.txt: is not what was written"]


def test_of_two_runs_that_begin_at_once_one_alone_does(s3: Any) -> None:
    """A file that is there is not written again by whoever wants to create it."""
    assert store(OUT).create("run.json", b"one")
    assert not store(OUT).create("run.json", b"other")
    assert store(OUT).read("run.json") == b"one"
