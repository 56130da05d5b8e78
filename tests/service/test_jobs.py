"""A document that crashes, hangs or is removed costs itself alone, and nothing of it is left."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra [service] is not installed")
pytest.importorskip("multipart", reason="the extra [service] is not installed")

from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.service.jobs import Full, Jobs, Options
from presidio_cdip.service.store import PREFIX
from tests.datasets.test_running import children
from tests.service.documents import KEY, PATIENCE, POISONED, Caller, document, service

Started = Callable[..., tuple[Jobs, Caller]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Started]:
    """Starts a service in *tmp_path*."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(service(tmp_path, **options))


def until(condition: Callable[[], Any]) -> Any:
    """Wait until *condition* is true; return what it is."""
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found


def files(folder: Path) -> list[Path]:
    """Return all that is below *folder*."""
    return sorted(folder.rglob("*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("segfault-1.txt", "SIGSEGV"),
        ("exit-1.txt", "code 7"),
        ("memory-1.txt", "more memory than is allowed"),
        ("hang-1.txt", "took longer than 6 s"),
    ],
)
def test_a_document_that_ends_its_child_fails_alone(
    start: Started, name: str, problem: str
) -> None:
    """It says how; the next ones are read."""
    timeout = 6 if name.startswith("hang") else 60
    _, caller = start(program=POISONED, timeout=timeout, memory=3 << 30)
    paths = [caller.upload(document("txt"), one) for one in ("a.txt", name, "b.txt")]

    before, lost, after = map(caller.ended, paths)

    assert (before["state"], lost["state"], after["state"]) == ("ready", "failed", "ready")
    assert problem in lost["problem"]


@pytest.mark.slow
def test_a_document_whose_child_is_killed_is_read_again(start: Started, tmp_path: Path) -> None:
    """As by the system, when memory is short; nobody notices."""
    _, caller = start()
    before = set(children(os.getpid()))
    path = caller.upload(document("txt"))
    progress = threading.Event()

    def killed() -> bool:
        for child in set(children(os.getpid())) - before:
            if b"service.child" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)
                progress.set()
        return progress.is_set()

    until(killed)

    assert caller.ended(path)["state"] == "ready"


def test_a_pack_that_cannot_be_used_is_said(start: Started) -> None:
    """Of each document, in words for who started the service."""
    _, caller = start(pack="/nowhere")

    state = caller.ended(caller.upload(document("txt")))

    assert state["state"] == "failed"
    assert "no such folder" in state["problem"]


@pytest.mark.slow
def test_pages_are_shown_while_the_document_is_read(start: Started) -> None:
    """By a child of its own, which waits for no other document."""
    _, caller = start(program=POISONED, timeout=1000)
    path = caller.upload(document("pdf"), "hang-1.pdf")

    shown = until(
        lambda: (answer := caller.ask("GET", f"{path}/views/0.png")).is_success and answer
    )

    state = caller.get(path)
    assert shown.content.startswith(b"\x89PNG")
    assert (state["state"], state["done"], state["pages"]) == ("reading", 0, 1)
    assert state["views"] == [
        {"number": 0, "kind": "image", "title": "page 1", "width": 600.0, "height": 400.0}
    ]
    assert caller.ask("GET", f"{path}/views/0").status_code == 409
    assert caller.ask("GET", f"{path}/findings").json() == {"detail": "the document is being read"}


@pytest.mark.slow
def test_a_document_that_is_removed_while_it_is_read_leaves_nothing(
    start: Started, tmp_path: Path
) -> None:
    """Its child ends, and another reads the next."""
    _, caller = start(program=POISONED, timeout=1000)
    path = caller.upload(document("txt"), "hang-1.txt")
    waiting = caller.upload(document("txt"), "hang-2.txt")
    until(lambda: caller.get(path)["state"] == "reading")

    for one in (waiting, path):
        assert caller.ask("DELETE", one).status_code == 204

    assert caller.ended(caller.upload(document("txt")))["state"] == "ready"
    name = path.rpartition("/")[2]
    assert not [file for file in files(tmp_path) if name in str(file)]


@pytest.mark.slow
def test_twenty_uploads_at_once_are_no_error(start: Started) -> None:
    """They wait for each other."""
    _, caller = start()
    paths: list[str] = []
    threads = [
        threading.Thread(target=lambda: paths.append(caller.upload(document("txt"))))
        for _ in range(20)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert len(set(paths)) == 20
    assert {caller.ended(path)["state"] for path in paths} == {"ready"}


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        ({"most": 1}, "are held"),
        pytest.param({"waiting": 1}, "are waiting", marks=pytest.mark.slow),
    ],
)
def test_more_documents_than_may_be_are_refused(
    start: Started, limits: dict[str, int], problem: str
) -> None:
    """With the time after which to try again."""
    _, caller = start(program=POISONED, timeout=1000, **limits)
    path = caller.upload(document("txt"), "hang-1.txt")
    until(lambda: caller.get(path)["state"] == "reading")
    if "waiting" in limits:
        caller.upload(document("txt"), "hang-2.txt")

    answer = caller.ask("POST", "/documents", files={"file": ("a.txt", b"text")})

    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert problem in answer.json()["detail"]


@pytest.mark.slow
def test_a_document_that_nobody_asks_for_expires(start: Started, tmp_path: Path) -> None:
    """With its files."""
    jobs, caller = start(expiry=0.2)
    document_of = jobs.get(caller.upload(document("txt")).rpartition("/")[2], 0)

    until(lambda: document_of.removed and not document_of.tasks)
    until(lambda: not document_of.folder.exists())

    assert caller.get("/documents") == {"documents": []}


@pytest.mark.slow
def test_nothing_is_left_when_a_service_is_closed(tmp_path: Path) -> None:
    """No file, no process; and while it runs, only its user may read the files."""
    before = set(children(os.getpid()))
    with service(tmp_path, program=POISONED, timeout=1000) as (_, caller):
        path = caller.ready(document("pdf"), "a.pdf")
        caller.ask("GET", f"{path}/views/0.png")
        caller.result(path)
        caller.upload(document("txt"), "hang-1.txt")
        made = files(tmp_path)
        modes = {oct(file.stat().st_mode & 0o077) for file in made}

    assert {"original", "reading.json", "report.json", "0.png"} <= {file.name for file in made}
    assert modes == {"0o0"}
    assert files(tmp_path) == []
    assert set(children(os.getpid())) == before


@pytest.mark.slow
def test_results_before_the_last_are_removed(start: Started, tmp_path: Path) -> None:
    """Only the last two are kept, as one of them may be read."""
    _, caller = start()
    path = caller.ready(document("txt"))
    one = caller.findings(path)[0]["id"]
    for typed in "abcd":
        caller.send("PATCH", f"{path}/findings/{one}", surrogate=typed)
        assert f"born on {typed},".encode() in caller.result(path)

    assert sorted(file.name for file in tmp_path.rglob("result-*")) == ["result-3", "result-4"]


def test_documents_of_others_are_not_there(tmp_path: Path) -> None:
    """Not in the list, and not by their name."""
    jobs = Jobs(Options(key=KEY, model="none", folder=tmp_path))
    jobs.start()
    try:
        mine = jobs.add(BytesIO(b"text"), "a.txt", Choices(), 1)
        theirs = jobs.add(BytesIO(b"text"), "a.txt", Choices(), 2)

        assert jobs.of(1) == [mine]
        assert jobs.get(theirs.id, 2) is theirs
        with pytest.raises(Exception, match="no such document"):
            jobs.get(theirs.id, 1)
    finally:
        jobs.close()


def test_an_upload_that_breaks_off_is_not_kept(tmp_path: Path) -> None:
    """Nor are its files."""

    class Breaking(BytesIO):
        def read(self, *_: Any) -> bytes:
            raise OSError

    jobs = Jobs(Options(key=KEY, model="none", folder=tmp_path, most=1))
    jobs.start()
    try:
        with pytest.raises(OSError):
            jobs.add(Breaking(), "a.txt", Choices(), 0)

        assert jobs.of(0) == []
        assert [file.name.startswith(PREFIX) for file in files(tmp_path)] == [True]
        jobs.add(BytesIO(b"text"), "a.txt", Choices(), 0)
        with pytest.raises(Full):
            jobs.add(BytesIO(b"text"), "a.txt", Choices(), 0)
    finally:
        jobs.close()
