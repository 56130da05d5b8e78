"""A document that crashes, hangs or eats memory costs itself alone."""

import time
from pathlib import Path

import pytest

from presidio_cdip.datasets.frames import Piece
from presidio_cdip.datasets.identity import Treatment
from presidio_cdip.datasets.supervision import ATTEMPTS, Limits, Refused, Supervised
from presidio_cdip.errors import ExitCode
from tests.datasets.collections import KEY, POISONED, text
from tests.datasets.test_running import children

LIMITS = Limits(timeout=20, memory=3 << 30)


def supervised(limits: Limits = LIMITS, **given: object) -> Supervised:
    treatment = Treatment(**{"key": KEY, "model": "none", **given})  # type: ignore[arg-type]
    return Supervised(treatment.as_json(), limits, program=POISONED)


def pieces(*names: str) -> list[Piece]:
    return [Piece(name, "", text(number).encode()) for number, name in enumerate(names)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("segfault-1.txt", "SIGSEGV"),
        ("exit-1.txt", "code 7"),
        ("memory-1.txt", "more memory than is allowed"),
    ],
)
def test_document_that_ends_its_child_is_an_error_and_neighbours_are_done(
    name: str, reason: str
) -> None:
    """The answer says how the child ended; the documents before and after it are treated."""
    child = supervised()

    before, lost, after = child.treat("scope", pieces("a.txt", name, "b.txt"))

    child.close()
    assert (before[0]["state"], after[0]["state"]) == ("done", "done")
    assert lost[0]["state"] == "failed"
    assert reason in lost[0]["problem"]
    assert b"219-09-1002" not in after[1]


@pytest.mark.slow
def test_child_that_crashed_at_its_first_document_crashed_by_it() -> None:
    """It is not tried again; one that had treated others before is, in a new child."""
    child = supervised()
    started: list[int] = []
    ready = child._ready

    def counting() -> None:
        started.append(child._process is None)
        ready()

    child._ready = counting  # type: ignore[method-assign]

    child.treat("scope", pieces("segfault-1.txt"))
    first = sum(started)
    child.treat("scope", pieces("a.txt"))
    child.treat("scope", pieces("segfault-2.txt"))

    child.close()
    assert (first, sum(started)) == (1, 3)


def test_child_that_is_killed_while_it_starts_is_started_again(tmp_path: Path) -> None:
    """Whoever killed it says nothing of the document, which waits for the next child."""
    starts = tmp_path / "starts"
    killed = ["sh", "-c", f"echo x >> {starts}; kill -9 $$"]
    child = Supervised(Treatment(key=KEY, model="none").as_json(), LIMITS, program=killed)

    [answer] = child.treat("scope", pieces("a.txt"))

    child.close()
    assert answer[0]["state"] == "failed"
    assert "while it started" in answer[0]["problem"]
    assert len(starts.read_text().split()) == ATTEMPTS


@pytest.mark.slow
def test_document_that_hangs_is_ended_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the timeout the child and the program it started are gone."""
    monkeypatch.setenv("STARTED_FROM", str(tmp_path))
    child = supervised(Limits(timeout=6))
    child.treat("scope", pieces("a.txt"))

    lost, after = child.treat("scope", pieces("hang-1.txt", "b.txt"))

    child.close()
    assert "longer than 6 s (--timeout)" in lost[0]["problem"]
    assert after[0]["state"] == "done"
    assert not sleeping(tmp_path)


def sleeping(started_from: Path) -> list[str]:
    """The programs that hanging documents of a test started."""
    mark = f"STARTED_FROM={started_from}"
    deadline = time.monotonic() + 10
    while True:
        lines = [_command(entry) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
        found = [line for line in lines if "sleep\x001234" in line and mark in line]
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def _command(process: Path) -> str:
    try:
        return "".join((process / name).read_text() for name in ("cmdline", "environ"))
    except OSError:
        return ""


@pytest.mark.slow
def test_child_is_replaced_after_some_documents() -> None:
    """A child treats as many documents as it may, then another one goes on."""
    import os

    child = supervised(Limits(timeout=20, recycle=2))
    others = set(children(os.getpid()))

    used = set()
    for _ in range(4):
        child.treat("scope", pieces("a.txt"))
        used |= set(children(os.getpid())) - others

    child.close()
    assert len(used) == 2


def test_what_concerns_every_document_ends_the_run() -> None:
    """A pack that cannot be used is no error of a document; its exit code is kept."""
    child = supervised(pack="/nowhere")

    with pytest.raises(Refused, match="no such folder") as raised:
        child.treat("scope", pieces("a.txt"))

    assert raised.value.exit_code == ExitCode.WRONG_USE


def test_too_little_memory_to_start_is_said() -> None:
    """A limit below what pack and model need ends the run with the reason."""
    child = supervised(Limits(memory=60 << 20))

    with pytest.raises(Refused, match="memory"):
        child.treat("scope", pieces("a.txt"))
