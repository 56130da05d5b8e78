"""Rewrite documents, and say how it ended: done, refused, stopped, or by a fault of the code."""

import os
import resource
import signal
import time
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from presidio_cdip.errors import CdipError, MissingDependency, StillReadable, place_of

if TYPE_CHECKING:
    from presidio_cdip.documents.rewriting import Report, Tools
    from presidio_cdip.documents.segments import Settings

KEY = b"a key for this benchmark alone, not secret"
PATIENCE = 60
"""Seconds that a file may take in a process of its own."""
_MARGIN = 10
"""Seconds before that, after which a document is refused; what runs then is not cut off."""
MEMORY = 1_000_000_000
"""Bytes that the process may have."""
DONE, REFUSED, STOPPED, FAULT = "done", "refused", "stopped", "fault"
NOT_BUILT, HANG, OVER_MEMORY = "not built", "hang", "memory"
OUTCOMES = (DONE, REFUSED, STOPPED, FAULT, HANG, OVER_MEMORY, NOT_BUILT)
"""``stopped``: an original could be read in the result, and nothing was given out; ``fault``: an
error that is none of ours; ``not built``: there is no module for the format."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of rewriting a document.

    Attributes:
        kind: One of `OUTCOMES`.
        said: The message, or where the fault is; never text of the document.
        data: The new document, where it is done.
        report: What was found in it.
        seconds: What it took.
    """

    kind: str
    said: str = ""
    data: bytes = b""
    report: "Report | None" = None
    seconds: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)


def tools(method: str = "surrogate", threads: int | None = None) -> "Tools":
    """Return the tools that find and replace in one document, the same values for each."""
    from presidio_cdip import documents
    from presidio_cdip.documents.segments import Settings

    settings = Settings(method=method)
    return documents.tools("surrogate", KEY, names=True, threads=threads, settings=settings)


def rewritten(data: bytes, name: str, settings: "Settings", threads: int | None = None) -> Outcome:
    """Rewrite a document.

    Args:
        data: Its bytes.
        name: Its name.
        settings: How to read and write it.
        threads: Threads for the model.
    """
    from presidio_cdip.documents.rewriting import rewrite_any

    made = tools(settings.method, threads)
    begin = time.perf_counter()
    try:
        new, report = rewrite_any(data, name, made, settings)
    except Exception as error:
        return _failed(error, time.perf_counter() - begin)
    return Outcome(DONE, "", new, report, time.perf_counter() - begin)


def _failed(error: Exception, seconds: float) -> Outcome:
    missing = getattr(error, "name", None) or ""
    if isinstance(error, ModuleNotFoundError) and missing.startswith("presidio_cdip"):
        return Outcome(NOT_BUILT, missing, seconds=seconds)
    if isinstance(error, StillReadable):
        return Outcome(STOPPED, str(error), seconds=seconds)
    if isinstance(error, MissingDependency):
        raise error
    if isinstance(error, CdipError):
        lines = str(error).splitlines()
        kind = REFUSED if len(lines) == 1 else FAULT
        return Outcome(kind, str(error), seconds=seconds)
    return Outcome(FAULT, place_of(error), seconds=seconds)


def apart(data: bytes, name: str, patience: float = PATIENCE) -> Outcome:
    """Rewrite a document in a process of its own, with limits of time and memory.

    The process is a copy of this one, in which the model is ready: the model is neither the
    document's memory nor its time. Its facts are the length of its text as read here
    (``segments``) and, if that is none, as an independent library reads it (``others``).
    """
    tools(threads=1).find("Ready.")
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_apart, args=(theirs, data, name))
    begin = time.perf_counter()
    process.start()
    theirs.close()
    try:
        answered = ours.poll(patience)
        answer = ours.recv() if answered else None
    except EOFError:
        answer = None
    else:
        if not answered:
            process.kill()
            process.join()
            return Outcome(HANG, f"more than {patience:.0f} s", seconds=patience)
    process.join(5)
    seconds = time.perf_counter() - begin
    if answer is None:
        killed = process.exitcode in (-signal.SIGKILL, -signal.SIGABRT)
        return Outcome(
            OVER_MEMORY if killed else FAULT, f"status {process.exitcode}", b"", None, seconds
        )
    kind, said, facts = answer
    return Outcome(kind, said, b"", None, seconds, facts)


def _apart(pipe: Any, data: bytes, name: str) -> None:
    from benchmarks.documents_extractors import length_of_text
    from presidio_cdip.documents.segments import Settings

    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    resource.setrlimit(resource.RLIMIT_AS, (_virtual() + MEMORY, resource.RLIM_INFINITY))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        outcome = rewritten(data, name, Settings(max_seconds=PATIENCE - _MARGIN), threads=1)
    except MemoryError:
        outcome = Outcome(OVER_MEMORY)
    if "MemoryError" in outcome.said:
        outcome = Outcome(OVER_MEMORY, outcome.said)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    facts: dict[str, Any] = {"MB": (peak - before) / 1_000, "seconds": outcome.seconds}
    if outcome.report is not None:
        facts |= {
            "segments": outcome.report.characters,
            "others": None if outcome.report.characters else length_of_text(data, name),
            "notes": len(outcome.report.unread) + len(outcome.report.removed),
        }
    pipe.send((outcome.kind, outcome.said, facts))
    pipe.close()
    os._exit(0)


def _virtual() -> int:
    """Return the bytes of address space that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()
