"""Send requests to supervised child processes, the most urgent first."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

from presidio_cdip.datasets.frames import Answer, Piece
from presidio_cdip.datasets.supervision import Limits, Stopped, Supervised
from presidio_cdip.errors import CdipError, place_of

_NUMBERS = count()
_IDLE = 60.0  # seconds after which a child without work ends: to start one takes 1.5 s
_GROWN = 250_000_000  # bytes; a new child has 180 MB, one that has read a scan 330 MB for good
_GROWN_IDLE = 2.0  # seconds, in which surrogates of the same document are asked for
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
    """Some threads, each with a child of its own, which work on tasks.

    A child is started when there is work for it, and ends when there has been none for a while.
    Of those without work, the one that worked last is asked first, so that the others can end.
    One that has grown ends soon, and before it works on another document.

    Args:
        program: The command line of a child.
        treatment: What a child is told when it starts.
        limits: What one task may cost.
        most: How many children work at a time.
        idle: Seconds after which a child without work ends.
        grown: Bytes of resident memory beyond which a child has grown.
    """

    def __init__(
        self,
        program: Sequence[str],
        treatment: Mapping[str, Any],
        limits: Limits,
        most: int = 1,
        idle: float = _IDLE,
        grown: int = _GROWN,
    ) -> None:
        self._program = program
        self._treatment = treatment
        self._limits = limits
        self._most = most
        self._idle_time = idle
        self._grown = grown
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._waiting: list[Task] = []  # a heap
        self._idle: list[
            SimpleQueue[Task | None]
        ] = []  # of each thread without work, the last last
        self._running: dict[int, threading.Event] = {}
        self._closed = False

    @property
    def waiting(self) -> int:
        """Return the number of tasks that wait."""
        return len(self._waiting)

    def task(
        self,
        request: Mapping[str, Any],
        priority: int = 0,
        started: Callable[[], object] = lambda: None,
    ) -> Task:
        """Return a task for `put`; the arguments are its attributes."""
        return Task(priority, next(_NUMBERS), request, started)

    def put(self, task: Task) -> None:
        """Queue *task* for a child."""
        with self._lock:
            closed = self._closed
            if closed:
                pass
            elif self._idle:
                self._idle.pop().put(task)
            elif len(self._threads) < self._most:
                thread = threading.Thread(target=self._work, args=(task,), daemon=True)
                self._threads.append(thread)
                thread.start()
            else:
                heappush(self._waiting, task)
        if closed:
            task.answer.cancel()

    def cancel(self, task: Task) -> None:
        """Cancel *task*: do not begin it, or end its child."""
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
            for given in self._idle:
                given.put(None)
            self._idle.clear()
            dropped, threads = self._waiting.copy(), self._threads.copy()
            self._waiting.clear()
        for thread in threads:
            thread.join()
        for task in dropped:
            task.answer.cancel()

    def _work(self, first: Task) -> None:
        """Run tasks until there are none for a while; the child ends before its thread."""
        stop = threading.Event()
        given: SimpleQueue[Task | None] = SimpleQueue()
        child = Supervised(self._treatment, self._limits, stop, self._program)
        task: Task | None = first
        while task:
            with self._lock:
                stop.clear()
                self._running[task.number] = stop
                begins = not self._closed and task.answer.set_running_or_notify_cancel()
            answer = self._answered(child, task) if begins else None
            with self._lock:
                del self._running[task.number]
                following = heappop(self._waiting) if self._waiting else None
                if self._closed:
                    given.put(None)
                elif not following:
                    self._idle.append(given)  # what the answer leads to is for this child
            if answer is None:
                task.answer.cancel()
            else:
                task.answer.set_result(answer)
            done, task = task, following or self._next(child, given)
            other = task and task.request.get("folder") != done.request.get("folder")
            if other and child.memory() > self._grown:
                child.close()
        child.kill()

    def _next(self, child: Supervised, given: "SimpleQueue[Task | None]") -> Task | None:
        """Wait for a task; after a while without one, end the child, and return None."""
        grown = child.memory() > self._grown
        try:
            return given.get(
                timeout=min(_GROWN_IDLE, self._idle_time) if grown else self._idle_time
            )
        except Empty:
            child.close()
        with self._lock:
            if given not in self._idle:  # meanwhile there is a task, or it is the end
                return given.get()
            self._idle.remove(given)
            self._threads.remove(threading.current_thread())
            return None

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
