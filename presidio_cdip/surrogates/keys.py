"""The key that surrogates are derived from: read, made, or one for this process alone."""

import base64
import logging
import os
import secrets
import stat
import threading
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Self

from presidio_cdip.errors import KeyUnusable

SHORTEST = 16  # bytes
KEY_FILE_VARIABLE = "PRESIDIO_CDIP_KEY_FILE"

_log = logging.getLogger("presidio-cdip")


class KeyFileWarning(UserWarning):
    """Others than its owner may read a key file."""


class Key(bytes):
    """The bytes of a key, which no log and no `repr` shows."""

    def __repr__(self) -> str:
        """Show that it is one."""
        return "<key>"

    __str__ = __repr__

    @classmethod
    def of(cls, key: bytes | str) -> Self:
        """*key* as it stands; a string is its UTF-8.

        Raises:
            KeyUnusable: It is shorter than 16 bytes, or neither bytes nor a string.
        """
        if not isinstance(key, bytes | str):
            raise KeyUnusable("a key is bytes or a string")
        data = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
        if len(data) < SHORTEST:
            raise KeyUnusable(
                f"a key has at least {SHORTEST} bytes, this one {len(data)}; "
                "`presidio-cdip make-key FILE` makes one"
            )
        return cls(data)


def read_key(file: str | os.PathLike[str]) -> Key:
    """The key in *file*: all its bytes, but for a line end at its end.

    Warns:
        KeyFileWarning: Others than its owner may read it.

    Raises:
        KeyUnusable: The file is missing, may not be read, or holds fewer than 16 bytes.
    """
    path = Path(file)
    try:
        mode = path.stat().st_mode
        data = path.read_bytes()
    except OSError as error:
        raise KeyUnusable(f"key file {path}: {error.strerror or 'cannot be read'}") from None
    data = data.removesuffix(b"\n").removesuffix(b"\r")
    if not data.strip():
        raise KeyUnusable(f"key file {path}: is empty; `presidio-cdip make-key FILE` makes one")
    if os.name == "posix" and mode & (stat.S_IRGRP | stat.S_IROTH):
        message = f"key file {path}: others than its owner may read it; chmod 600 mends that"
        warnings.warn(message, KeyFileWarning, stacklevel=2)
    try:
        return Key.of(data)
    except KeyUnusable as error:
        raise KeyUnusable(f"key file {path}: {error}") from None


def make_key(file: str | os.PathLike[str]) -> None:
    """Write 32 random bytes, in base64, to the new file *file*, which its owner alone may read.

    Raises:
        KeyUnusable: The file exists already, or cannot be written.
    """
    path = Path(file)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise KeyUnusable(f"key file {path}: exists already, and was left as it is") from None
    except OSError as error:
        raise KeyUnusable(f"key file {path}: {error.strerror or 'cannot be written'}") from None
    with os.fdopen(handle, "wb") as opened:
        opened.write(base64.b64encode(random_key()) + b"\n")


def random_key() -> Key:
    """32 random bytes."""
    return Key(secrets.token_bytes(32))


def process_key() -> Key:
    """A random key that this process alone has; it says so in the log, once."""
    with _one_at_a_time:
        return _process_key()


@lru_cache(maxsize=1)
def _process_key() -> Key:
    _log.warning("no key was given: a random one serves this process, and nobody can repeat it")
    return random_key()


_one_at_a_time = threading.Lock()
