"""Children are as few as there is work for, and one that has grown does not stay."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from queue import Queue

import pytest

from presidio_cdip.datasets.supervision import Limits
from presidio_cdip.service import workers as module
from presidio_cdip.service.workers import Task, Workers

GROWING = (
    sys.executable,
    str(Path(__file__).parents[1] / "doubles" / "growing_child.py"),
)
PATIENCE = 60  # seconds; only a fault needs them
GROWN = 100_000_000  # bytes; a child of these tests has 30 MB
needs_proc = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="memory is read from /proc"
)


@pytest.fixture
def started() -> Iterator[Callable[..., Workers]]:
    """Starts workers, which are closed after the test."""
    with ExitStack() as stack:

        def start(most: int = 2, **options: float) -> Workers:
            made = Workers(GROWING, {}, Limits(PATIENCE), most, grown=GROWN, **options)
            stack.enter_context(closing(made))
            return made

        yield start


def put(workers: Workers, folder: str = "a", **request: object) -> Task:
    task = workers.task({"folder": folder, **request})
    workers.put(task)
    return task


def process(task: Task) -> int:
    """Return the process that did a task, once it is done."""
    number = task.answer.result(PATIENCE)["process"]
    assert isinstance(number, int)
    return number


def ends(number: int) -> None:
    """Wait until a process has ended."""
    deadline = time.monotonic() + PATIENCE
    with suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.kill(number, 0)
            time.sleep(0.01)
        pytest.fail("the process goes on")


def test_tasks_one_after_another_are_for_one_child(started: Callable[..., Workers]) -> None:
    """Another child may be free, but would have to be kept for nothing."""
    workers = started()

    processes = {process(put(workers, str(number))) for number in range(5)}

    assert len(processes) == 1


def test_what_an_answer_leads_to_is_for_the_same_child(started: Callable[..., Workers]) -> None:
    """A task that is put when another has been answered needs no second child."""
    workers = started()
    after: Queue[Task] = Queue()
    first = workers.task({"folder": "a"})
    first.answer.add_done_callback(lambda _: after.put(put(workers)))

    workers.put(first)

    assert process(first) == process(after.get(timeout=PATIENCE))


def test_children_are_as_many_as_may_be_and_the_last_one_goes_on(
    started: Callable[..., Workers], tmp_path: Path
) -> None:
    """Two tasks at a time have two children; afterwards the one that worked last is enough."""
    workers, go = started(), tmp_path / "go"
    waiting = put(workers, until=str(go))
    other = process(put(workers))
    go.touch()

    last = process(waiting)

    assert last != other
    assert {process(put(workers)) for _ in range(3)} == {last}


def test_urgent_tasks_come_first(started: Callable[..., Workers], tmp_path: Path) -> None:
    """Of those that wait; the others keep their order."""
    workers, go = started(most=1), tmp_path / "go"
    put(workers, until=str(go))
    order: list[int] = []
    tasks = [workers.task({"folder": "a"}, priority) for priority in (2, 2, 0, 1)]
    answers = [task.answer for task in tasks]
    for task in tasks:
        task.answer.add_done_callback(lambda done: order.append(answers.index(done)))
        workers.put(task)
    assert workers.waiting == 4

    go.touch()
    for task in tasks:
        process(task)

    assert order == [2, 3, 0, 1]


def test_a_child_without_work_ends(started: Callable[..., Workers]) -> None:
    """After a while; the next task gets another one."""
    workers = started(idle=0.05)
    first = process(put(workers))

    ends(first)

    assert process(put(workers)) != first


@needs_proc
def test_a_child_that_has_grown_ends_before_another_document(
    started: Callable[..., Workers], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on with the same document, which it may know."""
    monkeypatch.setattr(module, "_GROWN_IDLE", PATIENCE)
    workers, go = started(most=1), tmp_path / "go"
    small = process(put(workers, keep=1_000_000))
    grown = process(put(workers, "b", keep=GROWN))
    same = process(put(workers, "b"))
    waiting = [put(workers, "b", until=str(go)), put(workers, "c")]
    go.touch()

    assert small == grown == same == process(waiting[0]) != process(waiting[1])
    ends(grown)


@needs_proc
def test_a_child_that_has_grown_ends_soon(
    started: Callable[..., Workers], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not kept as long as others."""
    monkeypatch.setattr(module, "_GROWN_IDLE", 0.05)
    workers = started(idle=PATIENCE)

    ends(process(put(workers, keep=GROWN)))


def test_what_waits_when_workers_are_closed_is_cancelled(
    started: Callable[..., Workers], tmp_path: Path
) -> None:
    """And what runs ends; nothing hangs."""
    workers = started(most=1)
    runs, waits = put(workers, until=str(tmp_path / "never")), put(workers)

    workers.close()

    assert runs.answer.cancelled() or "removed" in runs.answer.result(0)["problem"]
    assert waits.answer.cancelled()
    assert put(workers).answer.cancelled()
