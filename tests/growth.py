"""Measure how work grows with its input, without a clock: time depends on the machine."""

import cProfile
import pstats
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

MOST = 6  # times the calls for four times the input; a loop over a loop needs sixteen
PATIENCE = 3.0  # seconds of processor time: what does not stall needs some tenths


def calls(work: Callable[[], object]) -> int:
    """Return how many functions *work* calls, those written in C among them."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return int(vars(pstats.Stats(profile))["total_calls"])


def growth(work: Callable[[int], object], size: int) -> float:
    """Return how many times as many calls *work* makes of four times the *size*."""
    work(size)  # what is made when it is first needed is made
    return calls(lambda: work(4 * size)) / calls(lambda: work(size))


@contextmanager
def patience(seconds: float = PATIENCE) -> Iterator[None]:
    """Stop an expression that goes back over what it has read: it would take minutes.

    Raises:
        TimeoutError: It did not end.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)
