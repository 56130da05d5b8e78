"""Files that are written whole, or not at all."""

import contextlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of *path* at the end; at an error, nothing does.

    Raises:
        OSError: The place cannot be written.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("x+b") as file:
            yield file
        part.replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()
