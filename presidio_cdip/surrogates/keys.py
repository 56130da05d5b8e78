"""Read, make and check the key that surrogates are derived from, and choose the default one.

A key is accepted, from a file or from code, where it

* has at least 16 bytes,
* has at least 5 different bytes that are not white space, and
* is not one piece of fewer than 16 bytes, repeated twice or more.

The rule finds mistakes: a blank or repeated placeholder, an unset variable. It does not measure how
hard a key is to guess: use `make_key`, which draws 32 random bytes.
"""

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
FEWEST = 5  # different bytes; 16 random decimal digits have fewer once in 10,000 keys
KEY_FILE_VARIABLE = "PRESIDIO_CDIP_KEY_FILE"

_BLANKS = frozenset(b" \t\n\v\f\r")
_log = logging.getLogger("presidio-cdip")


class KeyFileWarning(UserWarning):
    """A key file can be read by others than its owner."""


class Key(bytes):
    """The bytes of a key; `repr` and `str` do not show them."""

    def __repr__(self) -> str:
        """Return a placeholder."""
        return "<key>"

    __str__ = __repr__

    @classmethod
    def of(cls, key: bytes | str) -> Self:
        """Return the bytes of *key* unchanged; a string is encoded as UTF-8.

        Raises:
            KeyUnusable: It is neither bytes nor a string, or too short or too uniform (see the
                module's rule).
        """
        if not isinstance(key, bytes | str):
            raise KeyUnusable("a key is bytes or a string")
        data = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
        if problem := _problem(data):
            raise KeyUnusable(f"{problem}; `presidio-cdip make-key FILE` makes a good one")
        return cls(data)


def _problem(data: bytes) -> str:
    """Return why *data* is not accepted as a key, or nothing."""
    if len(data) < SHORTEST:
        return f"a key has at least {SHORTEST} bytes, this one {len(data)}"
    if len(set(data) - _BLANKS) < FEWEST:
        return f"a key has at least {FEWEST} different characters that are not white space"
    pieces = range(1, min(SHORTEST, len(data) // 2 + 1))
    if any(data[size:] == data[:-size] for size in pieces):
        return f"a key is not a piece of fewer than {SHORTEST} bytes repeated"
    return ""


def read_key(file: str | os.PathLike[str]) -> Key:
    """Read the key in *file*: all its bytes except a line end at its end.

    Warns:
        KeyFileWarning: The file can be read by others than its owner.

    Raises:
        KeyUnusable: The file is missing or cannot be read, or its key is too short or too uniform.
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
        message = f"key file {path}: others than its owner may read it; chmod 600 repairs that"
        warnings.warn(message, KeyFileWarning, stacklevel=2)
    try:
        return Key.of(data)
    except KeyUnusable as error:
        raise KeyUnusable(f"key file {path}: {error}") from None


def make_key(file: str | os.PathLike[str]) -> None:
    """Write 32 random bytes, in base64, to the new file *file*, readable by its owner only.

    Raises:
        KeyUnusable: The file exists already, or cannot be written.
    """
    path = Path(file)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise KeyUnusable(f"key file {path}: exists already, and was not changed") from None
    except OSError as error:
        raise KeyUnusable(f"key file {path}: {error.strerror or 'cannot be written'}") from None
    with os.fdopen(handle, "wb") as opened:
        opened.write(base64.b64encode(random_key()) + b"\n")


def random_key() -> Key:
    """Draw a key of 32 random bytes."""
    return Key(secrets.token_bytes(32))


def default_key() -> Key:
    """Return the key for texts and page images where the caller gives none.

    It is the key in the file that the environment variable ``PRESIDIO_CDIP_KEY_FILE`` names, which
    is read once; else `process_key`.

    Raises:
        KeyUnusable: As `read_key`.
    """
    file = os.environ.get(KEY_FILE_VARIABLE)
    return _key_in(file) if file else process_key()


def process_key() -> Key:
    """Return the random key of this process; the first call logs a warning."""
    with _one_at_a_time:
        return _process_key()


@lru_cache(maxsize=1)
def _process_key() -> Key:
    _log.warning("no key was given: a random one serves this process, and nobody can repeat it")
    return random_key()


_one_at_a_time = threading.Lock()
_key_in = lru_cache(maxsize=1)(read_key)
