"""Clusters schedule shards; a node that is lost loses nothing."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from presidio_cdip.datasets.engines import remote
from presidio_cdip.datasets.running import Watcher, run
from presidio_cdip.datasets.work import Plan, ShardDone
from presidio_cdip.errors import InvalidOption
from tests.datasets.collections import ROOT, job, texts, tree
from tests.datasets.test_running import children

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


def test_node_with_other_versions_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another version writes would be no part of the run."""
    made = job(tmp_path, tmp_path)
    plan = Plan(made.source, made.target, made.treatment, "", made.treatment.identity())
    monkeypatch.setattr("presidio_cdip.datasets.identity.__version__", "0.0.1")

    with pytest.raises(InvalidOption, match=r"differs in: versions\.presidio-cdip"):
        remote.check_same(plan)


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


@pytest.fixture
def ray(tmp_path: Path) -> Iterator["list[subprocess.Popen[bytes]]"]:
    """The head of a Ray cluster, and a second node that may be killed."""
    pytest.importorskip("ray", reason="the extra ray is not installed")
    environment = os.environ | ENVIRONMENT | {"RAY_TMPDIR": "/tmp"}
    common = ("--num-cpus=1", "--disable-usage-stats", "--block", "--object-store-memory=80000000")
    nodes = (
        ("--head", f"--port={PORT}", "--include-dashboard=false", "--node-ip-address=127.0.0.1"),
        (f"--address=127.0.0.1:{PORT}",),
    )
    started = []
    try:
        for own in nodes:
            started.append(
                subprocess.Popen(
                    [sys.executable, "-m", "ray.scripts.scripts", "start", *own, *common],
                    env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            )  # fmt: skip
            while not listens():
                time.sleep(0.2)
        yield started
    finally:
        for process in started:
            killed(process)


PORT = 26379


def listens() -> bool:
    """Whether the head of the cluster answers."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", PORT)) == 0


def killed(process: "subprocess.Popen[bytes]") -> None:
    """Kill all processes of a node."""
    ours = [process.pid]
    for pid in ours:
        ours += children(pid)
    for pid in ours:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


@pytest.mark.slow
def test_ray_node_that_is_killed_loses_nothing(
    tmp_path: Path,
    ray: "list[subprocess.Popen[bytes]]",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other node repeats its shards; the output is that of an undisturbed run."""
    source = texts(tmp_path / "in", 18)
    run(job(source, tmp_path / "undisturbed"))
    monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{PORT}")

    class KillingNode(Watcher):
        def committed(self, done: ShardDone) -> None:
            if ray[1].poll() is None:
                killed(ray[1])

    run(job(source, tmp_path / "out", engine="ray"), KillingNode())

    assert ray[1].poll() is not None
    assert tree(tmp_path / "out") == tree(tmp_path / "undisturbed")
