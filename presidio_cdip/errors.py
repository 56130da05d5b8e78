"""Define this package's errors, whether a batch stops or skips at each, and the exit codes.

* `CdipError`
  - `PackError`           stop   a file of the pack is invalid; the message says how to fix it
  - `ModelError`          stop   a file of a model's folder cannot be used; the message says why
  - `UnknownEntity`       stop   the caller asked for an entity that does not exist
  - `InvalidOption`       stop   an argument or an environment variable has an invalid value
  - `MissingDependency`   stop   a program, a language file or an extra is not installed
  - `FontsMissing`        stop   the folder of typefaces for painted surrogates cannot be used
  - `UnreadableInput`     skip   a file or a page cannot be read; it was *not* found clean
    - `TextTooLong`       skip   a text has more characters than allowed; it was not read
    - `PageTooLarge`      skip   a page has more pixels than allowed; it was not decoded
  - `UnsupportedPage`     skip   a page is in a colour mode that cannot be painted on
  - `StillReadable`       skip   an original can still be read in a result; none was written
  - `OutputError`         stop   an output cannot be written, or would overwrite an input
  - `PolicyError`         stop   the policy is missing, or names an unknown entity or operator, or
                                 an invalid parameter value
  - `KeyUnusable`         stop   a key, or its file, cannot be used
  - `ValueRefused`        skip   no surrogate can be made for a value or span; nothing was replaced
    - `NotInvertible`     skip   a surrogate does not tell its original: it was drawn, not permuted
  - `VaultError`          stop   a vault cannot be read or written, or does not hold this text
  - `ReviewError`         stop   a review cannot be read, or is of another document
  - `CorpusError`         stop   a set of sentences is too small, or two sets cannot be compared
  - `RankerError`         stop   the folder of a ranker cannot be used, or is of another encoder

No message contains text of the document.
"""

import traceback
from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path
from typing import Any, Self

_LONGEST_NAME = 64  # characters of a caller's name that a message repeats


class ExitCode(IntEnum):
    """The exit codes of the command line.

    Attributes:
        meaning: The meaning of the code, as the help shows it.
    """

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        """Return the member for *code*."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    NOTHING_FOUND = 0, "nothing found"
    FOUND = 1, "found (and, by redact and anonymize, replaced)"
    WRONG_USE = 2, "wrong use: an option, pack, model, policy, key, vault or output cannot be used"
    UNREADABLE = 3, "an input, or writing on a page of it, was not read: not clean; others were"
    MISSING = 4, "something is not installed; the message says what and how to get it"
    STILL_READABLE = 5, "an original can still be read in the result: it was not written"
    INTERNAL_ERROR = 70, "an error in this program; please report it"
    INTERRUPTED = 130, "interrupted (SIGINT, Ctrl-C); no file is left half-written"
    BROKEN_PIPE = 141, "the reader of the output closed it, as head does"
    TERMINATED = 143, "terminated (SIGTERM); no file is left half-written"


class CdipError(Exception):
    """Base of all errors a caller may want to catch.

    Attributes:
        exit_code: The exit code of the command line when this error ends it.
        others: Further errors in the same file.
    """

    exit_code = ExitCode.WRONG_USE
    others: tuple["CdipError", ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep every attribute when an error is sent from a worker to the process that asked."""
        return _again, (type(self), self.args, self.__dict__)


def place_of(error: BaseException) -> str:
    """Return the type and place of *error*, without its message, which may show text."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


def _again(kind: type[CdipError], arguments: tuple[Any, ...], state: dict[str, Any]) -> CdipError:
    error = kind.__new__(kind)
    error.args = arguments
    error.__dict__.update(state)
    return error


def shortened(name: str) -> str:
    """Return *name*, cut where it is too long to repeat in a message.

    >>> shortened("US_SSN"), len(shortened("X" * 5000))
    ('US_SSN', 65)
    """
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


class PackError(CdipError):
    """A file of the pack cannot be used as it stands.

    Attributes:
        file: The file's name within the pack.
    """

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(f"{file}: {problem}")
        self.file = file


class ModelError(CdipError):
    """A file of a model's folder cannot be used as it stands.

    Attributes:
        file: The file's name within the folder.
    """

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(f"{file}: {problem}")
        self.file = file


class UnknownEntity(CdipError):
    """An entity was asked for that this package does not define."""

    def __init__(self, names: Iterable[str], known: Iterable[str]) -> None:
        asked = ", ".join(shortened(name) for name in sorted(names))
        super().__init__(f"no entity {asked}; there are {', '.join(known)}")


class InvalidOption(CdipError):
    """An argument or an environment variable has an invalid value, or excludes another."""


class MissingDependency(CdipError):
    """A program or an extra is not installed; the message says how to get it."""

    exit_code = ExitCode.MISSING

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} is missing: {remedy}")


class FontsMissing(CdipError):
    """The folder of typefaces cannot be used.

    Attributes:
        folder: The folder.
    """

    exit_code = ExitCode.MISSING

    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(
            f"{folder.name}: {problem}; install presidio-cdip again, or name a folder with "
            "faces.json and its fonts"
        )
        self.folder = folder


class UnreadableInput(CdipError):
    """A file or a page cannot be read. It may contain anything.

    Attributes:
        file: The file's name as the caller gave it.
    """

    exit_code = ExitCode.UNREADABLE

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(f"{file}: {problem}")
        self.file = file


class TextTooLong(UnreadableInput):
    """A text has more characters than the option *max_characters* allows."""

    def __init__(self, file: str, most: int) -> None:
        super().__init__(
            file,
            f"has more than {most} characters: split it, or allow more by --max-characters, "
            "max_characters or PRESIDIO_CDIP_MAX_CHARACTERS",
        )


class PageTooLarge(UnreadableInput):
    """A page has more pixels than the limit, and was not decoded."""

    def __init__(self, file: str, problem: str = "a page", limit: int = 0) -> None:
        super().__init__(
            file, f"{problem} has more than {limit:,} pixels: scan it smaller, or raise the limit"
        )


class UnsupportedPage(CdipError):
    """A page cannot be painted on in the colour mode it has."""

    exit_code = ExitCode.UNREADABLE


class StillReadable(CdipError):
    """An original can still be read where it was erased."""

    exit_code = ExitCode.STILL_READABLE

    def __init__(self, file: str, entities: Iterable[str]) -> None:
        super().__init__(
            f"{file}: {', '.join(sorted(entities))} can still be read after replacing; "
            "nothing was written: erase it by hand first"
        )
        self.file = file


class OutputError(CdipError):
    """An output cannot be written, or would overwrite an input.

    Attributes:
        output: The file, folder or stream.
    """

    def __init__(self, output: object, problem: str) -> None:
        super().__init__(f"{output}: {problem}")
        self.output = str(output)


class PolicyError(CdipError):
    """A policy cannot be used as it stands.

    Attributes:
        policy: Its name.
        problem: The problem, in a phrase.
    """

    def __init__(self, policy: str, problem: str) -> None:
        super().__init__(f"policy {shortened(policy)}: {problem}")
        self.policy = policy
        self.problem = problem


class ReviewError(CdipError):
    """A review file cannot be read, or is of another document."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"the review cannot be used: {problem}")


class CorpusError(CdipError):
    """A set of sentences cannot be used, or two sets cannot be compared.

    Attributes:
        name: The set's name, or the names of both.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem}")
        self.name = name


class RankerError(CdipError):
    """The folder of a ranker cannot be used as it stands.

    Attributes:
        folder: The folder.
    """

    def __init__(self, folder: object, problem: str) -> None:
        super().__init__(f"{folder}: {problem}")
        self.folder = str(folder)


class KeyUnusable(CdipError):
    """A key cannot be used. The message shows no part of it."""


class ValueRefused(CdipError):
    """No surrogate can be made for this value or span. Nothing was replaced.

    Attributes:
        policy: The policy's name.
        entity: The entity's.
        problem: The problem of the value, which is not shown.
    """

    exit_code = ExitCode.UNREADABLE

    def __init__(self, policy: str, entity: str, problem: str) -> None:
        super().__init__(f"policy {shortened(policy)}, {shortened(entity)}: {problem}")
        self.policy = policy
        self.entity = entity
        self.problem = problem


class NotInvertible(ValueRefused):
    """A surrogate does not tell its original, even with the key."""


class VaultError(CdipError):
    """A vault cannot be read or written, or does not hold the text that is to be restored."""
