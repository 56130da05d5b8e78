"""Every error this package raises on purpose, with what a batch does about it.

* `CdipError`
  - `PackError`           stop   a file of the pack says something wrong; names the file and the fix
  - `ModelError`          stop   a file of a model's folder cannot be used; names the file and why
  - `UnknownEntity`       stop   an entity was asked for that does not exist
  - `MissingDependency`   stop   a program, a language file or an extra is not installed
  - `FontsMissing`        stop   the faces to paint surrogates in are not there
  - `UnreadableInput`     skip   a file or a page cannot be read; it was *not* found clean
  - `StillReadable`       skip   an original can still be read in a redacted page; none was written
  - `PolicyError`         stop   a policy names what there is not, or a parameter that cannot be
  - `KeyUnusable`         stop   a key, or its file, cannot be used
  - `ValueRefused`        skip   a value or span that no surrogate is made for; nothing was replaced
  - `VaultError`          stop   a vault cannot be read or written, or holds nothing of this text

No message holds a word of the text that was looked at.
"""

import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class CdipError(Exception):
    """Base of all errors a caller may want to catch.

    Attributes:
        exit_code: What the command line exits with when this error ends it.
        others: What else is wrong with the same file.
    """

    exit_code = 2
    others: tuple["CdipError", ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """The error as it is: a worker's errors reach the process that asked."""
        return _again, (type(self), self.args, self.__dict__)


def place_of(error: BaseException) -> str:
    """What *error* is and where it arose, without its message, which may show a document's text."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


def _again(kind: type[CdipError], arguments: tuple[Any, ...], state: dict[str, Any]) -> CdipError:
    error = kind.__new__(kind)
    error.args = arguments
    error.__dict__.update(state)
    return error


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
        super().__init__(f"no entity {', '.join(sorted(names))}; there are {', '.join(known)}")


class MissingDependency(CdipError):
    """A program or an extra is not installed; the message says how to get it."""

    exit_code = 4

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} is missing: {remedy}")


class FontsMissing(CdipError):
    """The folder of faces cannot be used.

    Attributes:
        folder: The folder.
    """

    exit_code = 4

    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(
            f"{folder.name}: {problem}; install presidio-cdip anew, or name a folder with "
            "faces.json and its fonts"
        )
        self.folder = folder


class UnreadableInput(CdipError):
    """A file or a page cannot be read. Nothing is known of what stands in it.

    Attributes:
        file: The file's name as the caller gave it.
    """

    exit_code = 3

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(f"{file}: {problem}")
        self.file = file


class StillReadable(CdipError):
    """An original can still be read where it was erased."""

    exit_code = 5

    def __init__(self, file: str, entities: Iterable[str]) -> None:
        super().__init__(
            f"{file}: {', '.join(sorted(entities))} can still be read after erasing; "
            "nothing was written: erase this page by hand"
        )
        self.file = file


class PolicyError(CdipError):
    """A policy cannot be used as it stands.

    Attributes:
        policy: Its name.
        problem: What is wrong with it.
    """

    def __init__(self, policy: str, problem: str) -> None:
        super().__init__(f"policy {policy}: {problem}")
        self.policy = policy
        self.problem = problem


class KeyUnusable(CdipError):
    """A key cannot be used; no part of it is shown."""


class ValueRefused(CdipError):
    """No surrogate is made for this value or span. The text was left to its caller, unreplaced.

    Attributes:
        policy: The policy's name.
        entity: The entity's.
        problem: What is wrong with the value, which is not shown.
    """

    exit_code = 3

    def __init__(self, policy: str, entity: str, problem: str) -> None:
        super().__init__(f"policy {policy}, {entity}: {problem}")
        self.policy = policy
        self.entity = entity
        self.problem = problem


class VaultError(CdipError):
    """A vault cannot be read or written, or does not hold what is asked of it."""
