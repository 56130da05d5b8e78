"""Supervise a child process: it is ended when a document hangs, and started again when it died."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from presidio_cdip.datasets.frames import Answer, Piece, packed, unpacked
from presidio_cdip.datasets.manifest import FAILED
from presidio_cdip.errors import CdipError, ExitCode

# Without -P, modules of the folder in which a run is started would be imported.
PROGRAM = (sys.executable, "-P", "-m", "presidio_cdip.datasets.child")
START = 300.0  # seconds in which a child must be ready
ATTEMPTS = 3  # of a document whose child ended
_FROM_OUTSIDE = frozenset([-signal.SIGKILL, -signal.SIGTERM])
_SLICE = 0.2  # seconds between two looks at whether the run is to stop
_CHUNK = 1 << 16


class Stopped(BaseException):
    """The run is to stop; nothing is wrong with the document."""


class _Hung(Exception):
    """The child did not answer in time."""


class Refused(CdipError):
    """A child cannot treat any document: pack, model, policy, or something that is not installed.

    Attributes:
        exit_code: As of the error in the child.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.exit_code = next(one for one in ExitCode if one == code)


@dataclass(frozen=True)
class Limits:
    """The time and memory that a document may take.

    Attributes:
        timeout: Seconds for one document.
        memory: Bytes of address space of the child; 0 for no limit.
        recycle: The documents after which a child is replaced by a new one.
    """

    timeout: float = 300.0
    memory: int = 4 << 30
    recycle: int = 1000


class Supervised:
    """A child process that treats one group of documents after another.

    Runs in: one thread, which must not end before `close`.
    """

    def __init__(
        self,
        treatment: Mapping[str, Any],
        limits: Limits,
        stop: threading.Event | None = None,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        self._treatment = treatment
        self._limits = limits
        self._stop = stop or threading.Event()
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._treated = 0

    def treat(self, scope: str, pieces: Sequence[Piece]) -> list[Answer]:
        """Return the answer to each of *pieces*.

        A document at which the child dies is tried again in a new one; then it is an answer that
        says why, and the others are treated without it. A child that crashed at its first document
        crashed by it; one that was killed, perhaps from outside, says nothing of its document.

        Raises:
            Refused: No document can be treated.
            Stopped: The run is to stop.
        """
        lost: dict[int, Answer] = {}
        died = [0] * len(pieces)
        while True:
            asked = [number for number in range(len(pieces)) if number not in lost]
            answers = dict(lost)
            if asked:
                answers |= self._tried(scope, pieces, asked)
            left = [number for number in asked if number not in answers]
            if not left:
                return [answers[number] for number in range(len(pieces))]
            died[left[0]] += 1
            problem, again = self._why
            if not again or died[left[0]] == ATTEMPTS:
                lost[left[0]] = _failed(problem)

    def _tried(
        self, scope: str, pieces: Sequence[Piece], asked: Sequence[int]
    ) -> Iterator[tuple[int, Answer]]:
        """Yield answers until one says that the child ends, or the child dies; see `_why`."""
        self._why: tuple[str, bool] = ("", True)
        try:
            self._ready()
            at = 0
            wanted = [(pieces[number].name, pieces[number].sidecar) for number in asked]
            frames = [packed({"scope": scope, "documents": wanted})]
            frames += [packed({}, pieces[number].data) for number in asked]
            waiting = memoryview(b"".join(frames))
            for at in asked:
                answer, waiting = self._exchange(waiting, self._limits.timeout)
                if "refused" in answer[0]:
                    raise Refused(answer[0]["refused"], answer[0]["code"])
                if answer[0].get("ends"):
                    self._why = (answer[0]["failed"], False)
                    self.kill()
                    return
                self._treated += 1
                yield at, answer
        except _Hung:
            self._why = (f"took longer than {self._limits.timeout:g} s (--timeout)", False)
            self.kill()
        except (OSError, EOFError):
            if self._process is None:  # no document was read yet
                self._why = ("its process was ended while it started", True)
            else:
                self._why = self._ended()

    def _ended(self) -> tuple[str, bool]:
        """Return how the child ended, and whether its document is to be tried again."""
        _wait_until(lambda: _exited(self._process), 5.0)
        fresh = not self._treated
        code = self.kill()
        again = code in _FROM_OUTSIDE or not fresh
        if code >= 0:
            return f"ended the process that read it (code {code})", again
        with suppress(ValueError):
            return f"ended the process that read it ({signal.Signals(-code).name})", again
        return f"ended the process that read it (signal {-code})", again

    def _ready(self) -> None:
        """Start a child, unless one is waiting."""
        if self._process and self._treated >= self._limits.recycle:
            self.close()
        if self._process:
            return
        environment = {
            "OMP_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
            "DO_NOT_TRACK": "1", "ORT_DISABLE_TELEMETRY": "1", **os.environ,
        }  # fmt: skip
        self._process = subprocess.Popen(
            self._program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
            start_new_session=True,  # what it starts is ended with it
        )
        self._treated = 0
        stdin, stdout = self._pipes()
        os.set_blocking(stdin.fileno(), False)
        os.set_blocking(stdout.fileno(), False)
        given = {"treatment": self._treatment, "parent": os.getpid(), "memory": self._limits.memory}
        try:
            answer, _ = self._exchange(memoryview(packed(given)), START)
        except (_Hung, OSError, EOFError) as error:
            _wait_until(lambda: _exited(self._process), 5.0 * isinstance(error, EOFError))
            if self.kill() == -signal.SIGKILL and not isinstance(error, _Hung):
                raise  # from outside: it says nothing of the next child
            raise Refused(
                "a worker could not start: it needs more memory, or the installation is damaged",
                ExitCode.WRONG_USE,
            ) from None
        if "refused" in answer[0]:
            self.kill()
            raise Refused(answer[0]["refused"], answer[0]["code"])

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process and self._process.stdin and self._process.stdout
        return self._process.stdin, self._process.stdout

    def _exchange(self, waiting: memoryview, timeout: float) -> tuple[Answer, memoryview]:
        """Write the bytes *waiting* and read a frame; return it and the bytes still waiting.

        Raises:
            EOFError: The child ended.
            OSError: The child ended.
        """
        stdin, stdout = self._pipes()
        deadline = time.monotonic() + timeout

        def read(size: int) -> bytes:
            nonlocal waiting
            parts, left = [], size
            while left:
                if self._stop.is_set():
                    raise Stopped
                if time.monotonic() > deadline:
                    raise _Hung
                sinks = [stdin] if waiting else []
                readable, writable, _ = select.select([stdout], sinks, [], _SLICE)
                if writable:
                    waiting = waiting[os.write(stdin.fileno(), waiting[:_CHUNK]) :]
                if readable:
                    part = os.read(stdout.fileno(), min(left, 16 * _CHUNK))
                    if not part:
                        raise EOFError
                    parts.append(part)
                    left -= len(part)
            return b"".join(parts)

        answer = unpacked(read)
        assert answer is not None
        return answer, waiting

    def memory(self) -> int:
        """Return the resident memory of the child, in bytes; 0 if there is none, or no /proc."""
        if self._process:
            with suppress(OSError, ValueError, IndexError):
                pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
                return int(pages) * os.sysconf("SC_PAGE_SIZE")
        return 0

    def kill(self) -> int:
        """End the child and all that it started, at once; return its exit status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        # Its status is kept until `wait`: the number of its group cannot be another's by then.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        return _waited(process)

    def close(self) -> None:
        """Ask the child to end; kill it if it does not."""
        if self._process and self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                # Not reaped here: `kill` needs its number.
                _wait_until(lambda: _exited(self._process), 2.0)
        self.kill()


def _exited(process: "subprocess.Popen[bytes] | None") -> bool:
    """Return whether *process* has ended; it is not reaped."""
    if process is None:
        return True
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return True


def _wait_until(done: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not done() and time.monotonic() < deadline:
        time.sleep(0.01)


def _waited(process: "subprocess.Popen[bytes]") -> int:
    """Reap *process*; return its exit status."""
    code = process.wait()
    for stream in (process.stdin, process.stdout):
        if stream:
            with suppress(OSError):
                stream.close()
    return code


def _failed(problem: str) -> Answer:
    return {"state": FAILED, "problem": problem, "code": int(ExitCode.UNREADABLE)}, b""
