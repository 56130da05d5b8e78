"""Hand requests to supervised child processes, the most urgent first."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from queue import Empty, PriorityQueue
from typing import Any

from presidio_cdip.datasets.frames import Answer, Piece
from presidio_cdip.datasets.supervision import Limits, Stopped, Supervised
from presidio_cdip.errors import CdipError, place_of

_NUMBERS = count()
_LAST = -1  # more urgent than all else: the worker is to end
REMOVED = "the document was removed"


@dataclass(order=True, frozen=True)
class Task:
    """A request that waits for a child or is worked on.

    Attributes:
        priority: Of two tasks the one with the lower number is first.
        number: Of tasks of the same priority the earlier one is first.
        request: What the child is asked.
        answer: What it answers: a JSON object, in which ``problem`` says why it failed.
        started: Called when a child begins with it.
    """

    priority: int
    number: int
    request: Mapping[str, Any] = field(compare=False)
    started: Callable[[], object] = field(compare=False)
    answer: "Future[Mapping[str, Any]]" = field(compare=False, default_factory=Future)


class Workers:
    """Some threads, each with a child of its own, which take tasks from one queue.

    A child is started when there is work for it, and ends when there has been none for a while.

    Args:
        program: The command line of a child.
        treatment: What a child is told when it starts.
        limits: What one task may cost.
        most: How many children work at a time.
        idle: Seconds after which a child without work ends.
    """

    def __init__(
        self,
        program: Sequence[str],
        treatment: Mapping[str, Any],
        limits: Limits,
        most: int = 1,
        idle: float = 600,
    ) -> None:
        self._program = program
        self._treatment = treatment
        self._limits = limits
        self._most = most
        self._idle_time = idle
        self._queue: PriorityQueue[Task] = PriorityQueue()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._free = 0
        self._running: dict[int, threading.Event] = {}
        self._closed = False

    @property
    def waiting(self) -> int:
        """Return how many tasks wait."""
        return self._queue.qsize()

    def task(
        self,
        request: Mapping[str, Any],
        priority: int = 0,
        started: Callable[[], object] = lambda: None,
    ) -> Task:
        """Return a task for `put`; the arguments are its attributes."""
        return Task(priority, next(_NUMBERS), request, started)

    def put(self, task: Task) -> None:
        """Let a child work on *task*."""
        with self._lock:
            closed = self._closed
            if not closed:
                self._queue.put(task)
                self._add_thread()
        if closed:
            task.answer.cancel()

    def _add_thread(self) -> None:
        if self._free < self._queue.qsize() and len(self._threads) < self._most:
            thread = threading.Thread(target=self._work, name="worker", daemon=True)
            self._threads.append(thread)
            thread.start()

    def cancel(self, task: Task) -> None:
        """End *task*: it is not begun, or its child is ended."""
        if task.answer.cancel():
            return
        with self._lock:
            if stop := self._running.get(task.number):
                stop.set()

    def close(self) -> None:
        """End all children and threads; what waits is dropped."""
        with self._lock:
            self._closed = True
            for stop in self._running.values():
                stop.set()
            for _ in self._threads:
                self._queue.put(Task(_LAST, next(_NUMBERS), {}, lambda: None))
        for thread in self._threads:
            thread.join()
        with suppress(Empty):
            while True:
                self._queue.get_nowait().answer.cancel()

    def _work(self) -> None:
        """Take tasks until `close`; the child ends before its thread."""
        stop = threading.Event()
        child = Supervised(self._treatment, self._limits, stop, self._program)
        while (task := self._next(child)).priority != _LAST:
            with self._lock:
                stop.clear()
                self._running[task.number] = stop
                begins = not self._closed and task.answer.set_running_or_notify_cancel()
            answer = self._answered(child, task) if begins else None
            with self._lock:
                del self._running[task.number]
            if answer is not None:
                task.answer.set_result(answer)
        child.kill()

    def _next(self, child: Supervised) -> Task:
        with self._lock:
            self._free += 1
        try:
            try:
                return self._queue.get(timeout=self._idle_time)
            except Empty:
                child.close()
            return self._queue.get()
        finally:
            with self._lock:
                self._free -= 1

    def _answered(self, child: Supervised, task: Task) -> Mapping[str, Any]:
        task.started()
        try:
            answers: list[Answer] = child.treat("", [Piece(json.dumps(task.request), "", b"")])
        except Stopped:
            child.kill()
            return {"problem": REMOVED}
        except CdipError as error:  # no child can be started
            return {"problem": str(error)}
        except Exception as error:
            child.kill()
            return {"problem": f"failed ({place_of(error)})"}
        return answers[0][0]
