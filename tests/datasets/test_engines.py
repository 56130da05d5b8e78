"""Clusters schedule shards; a node that is lost loses nothing."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from presidio_cdip.datasets.running import Watcher, run
from presidio_cdip.datasets.work import ShardDone
from tests.datasets.collections import ROOT, job, texts, tree

ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "DO_NOT_TRACK": "1",
    "PYTHONPATH": str(ROOT),
}


class Killing(Watcher):
    """Kill a process after the first shard."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def committed(self, done: ShardDone) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)


@pytest.fixture
def dask(tmp_path: Path) -> Iterator["list[subprocess.Popen[bytes]]"]:
    """A scheduler of Dask, and two workers, of which one may be killed."""
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    file = tmp_path / "scheduler.json"
    command = (sys.executable, "-m", "dask")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    environment = os.environ | ENVIRONMENT
    started = [
        subprocess.Popen(
            [*command, "scheduler", "--scheduler-file", str(file), "--port", "0",
             "--host", "127.0.0.1", "--no-dashboard"],
            env=environment, **quiet,  # type: ignore[call-overload]
        )
    ]  # fmt: skip
    while not file.exists():
        time.sleep(0.05)
    started += [
        subprocess.Popen(
            [*command, "worker", "--scheduler-file", str(file), "--no-nanny", "--nthreads", "1",
             "--no-dashboard"],
            env=environment, **quiet,  # type: ignore[call-overload]
        )
        for _ in range(2)
    ]  # fmt: skip
    try:
        yield started
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_dask_worker_that_is_killed_loses_nothing(
    tmp_path: Path,
    dask: "list[subprocess.Popen[bytes]]",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other worker repeats its shards; the output is that of an undisturbed run."""
    import json

    source = texts(tmp_path / "in", 18)
    run(job(source, tmp_path / "undisturbed"))
    address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", address)

    run(job(source, tmp_path / "out", engine="dask"), Killing(dask[1]))

    assert dask[1].poll() == -signal.SIGKILL
    assert tree(tmp_path / "out") == tree(tmp_path / "undisturbed")
