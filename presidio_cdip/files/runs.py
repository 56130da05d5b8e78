"""Process many files in turn; a file that cannot be processed does not stop the others."""

import stat
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from presidio_cdip.errors import (
    CdipError,
    OutputError,
    StillReadable,
    UnreadableInput,
    ValueRefused,
    VaultError,
)
from presidio_cdip.files.accounts import Account, Done, Finding
from presidio_cdip.files.folders import Job, is_there
from presidio_cdip.files.inputs import read_text
from presidio_cdip.files.outputs import write

SKIPPED = (UnreadableInput, StillReadable, ValueRefused)
"""Errors of one file; any other error would concern the next file, too, and ends a run."""

_EARLIER = "is of an earlier run, and was not written again"

Counts = tuple[str, str, int]
"""A file, an entity, and how many of its values were replaced."""

Replaced = tuple[str, Counter[str], Sequence[dict[str, Any]]]
"""A new text, the entities that were replaced in it, and its lines of the report."""


def run(
    jobs: Sequence[Job],
    work: Callable[[Job], Done[Finding]],
    account: Account[Finding],
    skipped: tuple[type[CdipError], ...] = SKIPPED,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Process each of *jobs* with *work*, and enter the result into *account*.

    A second file for a target that was written in this run is not processed.

    Args:
        jobs: The files.
        work: Processes a file, writes its output and returns the result.
        account: The account to fill.
        skipped: Errors after which the run goes on with the next file.
        advance: Called after each file.

    Raises:
        CdipError: An error that is not among *skipped*. The account has the files that were not
            processed.
    """
    written = set()
    for number, job in enumerate(jobs):
        try:
            if isinstance(job.source, UnreadableInput):
                raise job.source
            if job.target and job.target in written:
                raise UnreadableInput(str(job.source), "another of this name was written already")
            done = work(job)
            written.add(job.target)
            account.add(job.source, done)
            done.finish()
        except skipped as error:
            file = job.source.file if isinstance(job.source, UnreadableInput) else job.source
            for one in (error, *error.others):
                account.skip(file, one)
            if job.target and job.target not in written and is_there(job.target):
                account.report(UnreadableInput(str(job.target), _EARLIER), str(job.target))
        except BrokenPipeError:
            raise
        except (CdipError, OSError) as error:
            if isinstance(error, OSError):
                where = job.target or "standard output"
                error = OutputError(where, error.strerror or "cannot be written")
            account.stop(job.source, error, [rest.source for rest in jobs[number + 1 :]])
            raise error from None
        advance()


def rewrite_texts(
    jobs: Sequence[Job],
    rewrite: Callable[[str, str], Replaced],
    account: Account[Counts],
    mode: int | None = None,
    most: int | None = None,
) -> None:
    """Rewrite each text with *rewrite*, and write the new text to its target.

    Args:
        jobs: The texts.
        rewrite: From a text and the name of its job to the new text, the entities that were
            replaced in it, and its lines of the report.
        account: The account to fill.
        mode: The mode of the files that are written, as `os.chmod` takes it; if None, the mode of
            the file read.
        most: The most characters of a text.

    Raises:
        CdipError: An error that would concern the next file, too.
    """

    def work(job: Job) -> Done[Counts]:
        assert not isinstance(job.source, UnreadableInput)
        text, counts, lines = rewrite(read_text(job.source, most), job.name)
        own = mode
        if job.target and own is None:
            own = stat.S_IMODE(job.source.stat().st_mode)
        write(text.encode("utf-8", "surrogatepass"), job.target, own)
        file = str(job.source)
        found = [(file, entity, counts[entity]) for entity in sorted(counts)]
        return Done(found, [{"file": file, **line} for line in lines])

    # A vault that lacks one text may hold the next.
    run(jobs, work, account, (*SKIPPED, VaultError))
