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
        path: The file; it is replaced if it exists, and is on the disk when this ends.
        mode: The permissions, as `os.chmod` takes them; the usual ones, if None.

    Raises:
        OSError: The file cannot be written.
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
        data: The whole content.
        target: The file, replaced if it exists; None for standard output.
        mode: The permissions, as `os.chmod` takes them; the usual ones, if None.

    Raises:
        OutputError: The file cannot be written.
        BrokenPipeError: The reader of standard output has closed it.
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
    """Flush standard output at the end of this context, and report errors in writing it.

    Raises:
        OutputError: Standard output is closed, or cannot be written.
        BrokenPipeError: Its reader has closed it.
    """
    if sys.stdout is None:
        raise OutputError("standard output", "is closed")
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is not None:  # of a file
            raise
        raise OutputError("standard output", error.strerror or "cannot be written") from None
