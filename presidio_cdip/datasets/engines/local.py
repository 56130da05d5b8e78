"""Treat shards on this machine: in threads, each with a supervised child."""

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Protocol

from presidio_cdip.datasets.manifest import Row
from presidio_cdip.datasets.shards import Shard
from presidio_cdip.datasets.supervision import Stopped
from presidio_cdip.datasets.work import Plan, ShardDone, Worker

_LOOK = 0.2  # seconds between two looks for a signal


class Engine(Protocol):
    """An interface for scheduling shards."""

    def __call__(
        self, plan: Plan, shards: Iterator[Shard], jobs: int, advance: Callable[[Row], None]
    ) -> Iterator[ShardDone]:
        """Yield shards as they are committed.

        Args:
            plan: Of the run.
            shards: The shards to treat.
            jobs: How many to treat at a time.
            advance: Called with the row of each file, where the engine can, from any thread.
        """


def run(
    plan: Plan, shards: Iterator[Shard], jobs: int, advance: Callable[[Row], None]
) -> Iterator[ShardDone]:
    """Yield shards as they are committed; the first error ends the run."""
    stop = threading.Event()
    waiting: queue.Queue[Shard | None] = queue.Queue(jobs)
    done: queue.Queue[ShardDone | BaseException | None] = queue.Queue()

    def work() -> None:
        worker = Worker(plan, stop, advance)
        try:
            while (shard := waiting.get()) is not None and not stop.is_set():
                done.put(worker.treat(shard))
        except Stopped:
            pass
        except BaseException as error:
            done.put(error)
        finally:
            worker.close()
            done.put(None)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(jobs)]
    for thread in threads:
        thread.start()
    try:
        yield from _results(_fed(shards, waiting, jobs), done, jobs)
    finally:
        stop.set()
        while not waiting.empty():
            waiting.get_nowait()
        for _ in threads:
            waiting.put(None)
        for thread in threads:
            thread.join()


def _fed(
    shards: Iterator[Shard], waiting: "queue.Queue[Shard | None]", jobs: int
) -> Callable[[], None]:
    """Return a function that fills *waiting* without blocking, until no shard is left."""
    ends = [jobs]
    ahead: list[Shard | None] = []

    def feed() -> None:
        while not waiting.full():
            if not ahead:
                following = next(shards, None)
                if following is None and not ends[0]:
                    return
                ends[0] -= following is None
                ahead.append(following)
            waiting.put_nowait(ahead.pop())

    return feed


def _results(
    feed: Callable[[], None],
    done: "queue.Queue[ShardDone | BaseException | None]",
    jobs: int,
) -> Iterator[ShardDone]:
    while jobs:
        feed()
        try:
            one = done.get(timeout=_LOOK)
        except queue.Empty:
            continue
        if isinstance(one, BaseException):
            raise one
        if one is None:
            jobs -= 1
        else:
            yield one
