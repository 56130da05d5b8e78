"""Write files whole, or not at all, and standard output."""

import contextlib
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from presidio_cdip.errors import OutputError


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """Open a file that takes the place of *path* at the end; after an error, *path* is unchanged.

    Args:
        path: Is replaced when it exists, and is on the disk when this ends.
        mode: Who may read and write it, as `os.chmod` has it; as usual, if None.

    Raises:
        OSError: The place cannot be written.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("x+b") as file:
            if mode is not None:
                part.chmod(mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()


def write(data: bytes, target: Path | None, mode: int | None = None) -> None:
    """Write *data* to the file *target*, whose folder is made if needed, or to standard output.

    Args:
        data: All of the file.
        target: Is replaced when it exists; None for standard output.
        mode: Who may read and write the file, as `os.chmod` takes it; as usual, if None.

    Raises:
        OutputError: The place cannot be written.
        BrokenPipeError: Nobody reads standard output any more.
    """
    try:
        if target is None:
            with standard_output():
                sys.stdout.buffer.write(data)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target, mode) as opened:
            opened.write(data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(target, error.strerror or "cannot be written") from None


@contextmanager
def standard_output() -> Iterator[None]:
    """Flush what is written to standard output in this context, and report what goes wrong.

    Raises:
        OutputError: Standard output is closed, or cannot be written.
        BrokenPipeError: Nobody reads it any more.
    """
    if sys.stdout is None:
        raise OutputError("standard output", "is closed")
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError("standard output", error.strerror or "cannot be written") from None
