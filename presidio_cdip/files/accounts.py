"""Keep account of a run over many files: results, problems and the exit code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from presidio_cdip.errors import CdipError, ExitCode, StillReadable

Finding = TypeVar("Finding")


def _nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Done(Generic[Finding]):
    """The result for one file.

    Attributes:
        findings: The values found or replaced in it.
        lines: Its lines of the report, as JSON objects; no text of the document.
        problems: Why parts of it were not processed.
        warnings: Why parts of it, which were processed, may still hold personal data.
        finish: Called when the account holds all this; an error that it raises ends the run.
    """

    findings: Sequence[Finding] = ()
    lines: Sequence[dict[str, Any]] = ()
    problems: Sequence[CdipError] = ()
    warnings: Sequence[CdipError] = ()
    finish: Callable[[], None] = _nothing


@dataclass(slots=True)
class Account(Generic[Finding]):
    """The results for the files of a run.

    Attributes:
        report: Called with each problem as it occurs, and the file it concerns.
        findings: The values found or replaced, in all files.
        lines: Lines of the report: pages or files that were processed, and the ones that were not.
        problems: Why files, or parts of them, were not processed.
        warnings: Why files that were processed may still hold personal data.
        done: How many files were processed.
    """

    report: Callable[[Exception, str], None]
    findings: list[Finding] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    problems: list[Exception] = field(default_factory=list)
    warnings: list[Exception] = field(default_factory=list)
    done: int = 0

    def add(self, file: object, done: Done[Finding]) -> None:
        """Add a file that was processed."""
        self.done += 1
        self.findings += done.findings
        self.lines += done.lines
        for problem in done.problems:
            self.skip(file, problem)
        for warning in done.warnings:
            self.report(warning, str(file))
            self.warnings.append(warning)

    def skip(self, file: object, problem: Exception) -> None:
        """Add and report a file, or a part of one, that was not processed."""
        self.report(problem, str(file))
        self.problems.append(problem)
        self.lines.append({"file": str(file), "problem": str(problem)})

    def stop(self, file: object, problem: Exception, rest: Sequence[object]) -> None:
        """Add the file at which an error ended the run, and the *rest* of the files."""
        self.lines.append({"file": str(file), "problem": str(problem)})
        self.lines += [
            {"file": str(one), "problem": "not done: an error ended the run"} for one in rest
        ]

    def exit_code(self) -> ExitCode:
        """Return the exit code of a run that went through all files."""
        if any(isinstance(problem, StillReadable) for problem in self.problems):
            return ExitCode.STILL_READABLE
        if self.problems or self.warnings:
            return ExitCode.UNREADABLE
        return ExitCode.FOUND if self.findings else ExitCode.NOTHING_FOUND
