"""Run the commands of the command line, and exit with the code for each ending."""

import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

from presidio_cdip.cli.agree import agree
from presidio_cdip.cli.analyze import analyze
from presidio_cdip.cli.anonymize import anonymize, redact
from presidio_cdip.cli.audit import audit
from presidio_cdip.cli.check_redaction import check_redaction
from presidio_cdip.cli.corpus_audit import corpus_audit
from presidio_cdip.cli.corpus_redact import corpus_redact
from presidio_cdip.cli.corpus_train import corpus_train
from presidio_cdip.cli.keys import make_key
from presidio_cdip.cli.pack_commands import entities, policies, verify_pack
from presidio_cdip.cli.printing import note, say
from presidio_cdip.cli.restore import restore
from presidio_cdip.cli.run_dataset import run, verify_run
from presidio_cdip.cli.serve import serve
from presidio_cdip.cli.surrogates import invert, surrogate
from presidio_cdip.errors import CdipError, ExitCode, place_of, shortened
from presidio_cdip.version import __version__

_EXIT_CODES = "\n".join(
    ["\b", "Exit codes:", *(f"  {code.value:<4} {code.meaning}" for code in ExitCode)]
)
_OUTPUT_FAILED = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


@click.group(epilog=_EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="presidio-cdip")
def cli() -> None:
    """Find, erase and replace sensitive personal data in text, scanned pages and documents.

    No text of a document is printed, only what was found where; `--preview` is the exception.
    """


for _command in (
    analyze, redact, anonymize, restore, surrogate, invert,
    run, verify_run, audit, check_redaction, agree, corpus_audit, corpus_train, corpus_redact,
    serve, make_key,
    policies, entities, verify_pack,
):  # fmt: skip
    cli.add_command(_command)


class Terminated(BaseException):
    """SIGTERM arrived: outputs that are being written are removed on the way out."""


def main() -> None:
    """Run the command line and exit with one of `ExitCode`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # "…" where the terminal has no such
    with _ended_by_sigterm():
        try:
            code = _run()
        except Terminated:
            code = ExitCode.TERMINATED
    sys.exit(_flushed(code))


def _run() -> int:
    try:
        return int(cli.main(standalone_mode=False) or 0)
    except (click.exceptions.Abort, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return ExitCode.BROKEN_PIPE
    except SystemExit as error:  # by click and rich, with 1, for a closed pipe
        return ExitCode.BROKEN_PIPE if error.code == 1 else ExitCode.INTERNAL_ERROR
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        for line in shown.getvalue().splitlines():
            note(line)
        return ExitCode.WRONG_USE
    except CdipError as error:
        say(error)
        return error.exit_code
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OUTPUT_FAILED:
            say(f"the output cannot be written: {error.strerror}")
            return ExitCode.WRONG_USE
        if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
            say(f"{shortened(str(error.filename))}: {error.strerror}")
            return ExitCode.WRONG_USE
        say(f"{place_of(error)}: please report this")
        return ExitCode.INTERNAL_ERROR


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Raise `Terminated` where SIGTERM arrives; without effect outside the main thread."""
    before = signal.getsignal(signal.SIGTERM)
    if threading.current_thread() is not threading.main_thread() or before != signal.SIG_DFL:
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not end the cleaning up
        raise Terminated

    signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _flushed(code: int) -> int:
    """Return *code* once all output is written, or the code that says why it cannot be."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        # Python would try again at its end, and print a warning.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if code in (ExitCode.NOTHING_FOUND, ExitCode.FOUND):
            closed = error.errno == errno.EPIPE
            return ExitCode.BROKEN_PIPE if closed else ExitCode.WRONG_USE
    return code
