"""Files that are written whole, or not at all."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of *path* at the end; at an error, nothing does.

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
