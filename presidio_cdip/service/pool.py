"""Run calls in threads, first come, first served; what would wait too long is refused."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from starlette.exceptions import HTTPException

P = ParamSpec("P")
Result = TypeVar("Result")

RETRY_AFTER = 5  # seconds


class Pool:
    """Threads for calls that take their time, so that the event loop goes on.

    Args:
        name: Of the threads.
        threads: How many calls run at a time.
        most: How many may run and wait.
    """

    def __init__(self, name: str, threads: int, most: int) -> None:
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._most = most
        self.pending = 0
        """The number of calls that run and wait."""

    def start(self, call: Callable[P, Result], *args: P.args, **more: P.kwargs) -> Future[Result]:
        """Start *call* before all later calls."""
        return self._executor.submit(call, *args, **more)

    async def run(self, call: Callable[P, Result], *args: P.args, **more: P.kwargs) -> Result:
        """Return the result of *call*.

        Raises:
            HTTPException: 503, as too many calls wait.
        """
        if self.pending >= self._most:
            later = {"Retry-After": str(RETRY_AFTER)}
            raise HTTPException(503, "too many requests are waiting: try again later", later)
        self.pending += 1
        try:
            return await asyncio.wrap_future(self.start(call, *args, **more))
        finally:
            self.pending -= 1

    def close(self) -> None:
        """Drop the calls that wait; those that run go on to their end."""
        self._executor.shutdown(wait=False, cancel_futures=True)
