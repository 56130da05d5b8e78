"""Treat documents in a process of its own, which may crash or hang without harm to others.

    python -m presidio_cdip.datasets.child

Frames come in on standard input and go out on standard output: first the treatment, then groups of
documents. Pack and model are loaded once. Nothing else is printed: messages of libraries may hold
text of a document.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

from presidio_cdip.datasets.frames import Answer, Piece, Treat, packed, unpacked
from presidio_cdip.errors import CdipError, ExitCode, place_of

_LOOK = 1.0  # seconds between two looks at whether the parent still lives
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
NO_MEMORY = "needs more memory than is allowed (--max-memory)"


def main(load: Callable[[Mapping[str, Any]], Treat] | None = None) -> int:
    """Serve until standard input ends.

    Args:
        load: Returns what treats groups, from a treatment [default: `treatment.loaded`].
    """
    source, sink = _streams()
    opened = unpacked(source.read)
    if opened is None:
        return 0
    given = opened[0]
    _bound(given.get("parent"), given.get("memory"))
    try:
        treat = (load or _loaded)(given["treatment"])
    except BaseException as error:
        _send(sink, {"refused": _said(error), "code": _code(error)})
        return 1
    _send(sink, {"ready": True})
    while (asked := unpacked(source.read)) is not None:
        group = asked[0]
        pieces = []
        for name, sidecar in group["documents"]:
            follows = unpacked(source.read)
            assert follows is not None
            pieces.append(Piece(name, sidecar, follows[1]))
        if not _answered(sink, treat(group["scope"], pieces)):
            return 1
    return 0


def _loaded(treatment: Mapping[str, Any]) -> Treat:
    from presidio_cdip.datasets.treatment import loaded  # slow: pack and model

    return loaded(treatment)


def _answered(sink: BinaryIO, answers: Iterator[Answer]) -> bool:
    """Send *answers*; return whether the process can go on."""
    try:
        for head, data in answers:
            _send(sink, head, data)
    except MemoryError:
        _send(sink, {"failed": NO_MEMORY, "code": int(ExitCode.UNREADABLE), "ends": True})
        return False
    return True


def _said(error: BaseException) -> str:
    return str(error) if isinstance(error, CdipError) else f"failed ({place_of(error)})"


def _code(error: BaseException) -> int:
    return int(error.exit_code if isinstance(error, CdipError) else ExitCode.INTERNAL_ERROR)


def _send(sink: BinaryIO, head: Mapping[str, Any], data: bytes = b"") -> None:
    sink.write(packed(head, data))
    sink.flush()


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipes to the parent; what libraries print goes nowhere."""
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    return source, sink


def _bound(parent: int | None, memory: int | None) -> None:
    """Limit the memory of this process, and end it and its own children with its parent."""
    if memory:
        with suppress(ImportError, OSError, ValueError):
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if parent is None or os.name != "posix":
        return
    if sys.platform == "linux":  # at once, even while a library holds the interpreter
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os.killpg(os.getpgrp(), signal.SIGKILL)  # programs that were started here, too


if __name__ == "__main__":
    sys.exit(main())
