"""A vault: an encrypted file of what was replaced, for those who must be able to restore it.

Nothing else in this package keeps an original. The file has one line for what it is, and one for
every document, each a Fernet token (AES-128-CBC and HMAC-SHA256, of the `cryptography` library) of
where in the anonymized text what stood. Its key is derived from the one that is given, with
HKDF-SHA256 and the file's own salt.
"""

import base64
import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from presidio_cdip.errors import VaultError
from presidio_cdip.surrogates.keys import Key

try:
    import fcntl
except ImportError:  # Windows: one process at a time
    fcntl = None  # type: ignore[assignment]

_MAGIC = b"presidio-cdip-vault-1"
_SALT = 16  # bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """An original, and where its place is in the anonymized text.

    Attributes:
        start: Offset of the first character, in code points.
        end: Offset after the last; *start* itself where nothing stands for the original.
        entity: What it was found as.
        original: The text that stood there.
    """

    start: int
    end: int
    entity: str
    original: str = field(repr=False)


class Vault:
    """The originals of anonymized texts, in one encrypted file.

    Several processes may add to one file at a time: each line is written whole, under a lock, and
    is on the disk when `add` returns. A line that a killed process left unfinished is dropped by
    the next writer: its document had not been handed out.

    Args:
        file: The vault; it is made, for its owner alone, where there is none.
        key: At least 16 bytes.

    Raises:
        VaultError: The key does not open it, it is no vault, or it cannot be read or made.
        KeyUnusable: The key is too short.
    """

    def __init__(self, file: str | os.PathLike[str], key: bytes | str) -> None:
        self._path = Path(file)
        self._index: dict[str, list[_Record]] = {}
        self._documents: set[str] = set()
        made = Key.of(key)
        with self._opened(os.O_CREAT) as vault:
            self._fernet = self._begin(vault, made)
        self._read_to = len(self._head)  # offset of the first line that the index lacks

    def add(self, text: str, kept: Iterable[Kept], document: str = "") -> None:
        """Keep the originals of one anonymized text.

        Args:
            text: The text as it is handed out.
            kept: What was replaced, in any order.
            document: Its name, which tells two documents apart whose anonymized texts are equal.

        Raises:
            VaultError: The file cannot be written; nothing was added.
        """
        originals = [[one.start, one.end, one.entity, one.original] for one in kept]
        record = {"document": document, "digest": _digest(text), "kept": originals}
        line = self._fernet.encrypt(json.dumps(record).encode()) + b"\n"
        with self._opened() as vault:
            if vault.readline() != self._head:
                raise self._fail("has become another file since it was opened")
            _drop_unfinished(vault)
            vault.write(line)
            vault.flush()
            os.fsync(vault.fileno())

    def restore(self, text: str, document: str | None = None) -> str:
        """*text* with every original where it stood.

        Args:
            text: An anonymized text, exactly as it was handed out.
            document: Its name, where several documents became this text; what was added last under
                a name holds.

        Raises:
            VaultError: The vault has nothing of this text, or several originals and no *document*
                to choose; or it is damaged.
        """
        self._read_on()
        found = {record.document: record for record in self._index.get(_digest(text), [])}
        named = [record for name, record in found.items() if document in (None, name)]
        originals = {_restored(text, record.kept) for record in named}
        if not originals:
            raise self._fail("holds nothing of this text; it must be as it was handed out")
        if len(originals) > 1:
            raise self._fail("holds several originals of this text; name the document")
        return originals.pop()

    def knows(self, document: str) -> bool:
        """Whether anything was added under the name *document*.

        Raises:
            VaultError: The vault is damaged or cannot be read.
        """
        self._read_on()
        return document in self._documents

    def _begin(self, vault: BinaryIO, key: Key) -> Fernet:
        """The vault's cipher; its first line is written, where it is new."""
        self._head = vault.readline()
        unfinished = _MAGIC.startswith(self._head) or self._head.startswith(_MAGIC)
        if not self._head.endswith(b"\n") and unfinished:  # new, or its maker was killed
            salt = secrets.token_bytes(_SALT)
            fernet = _cipher(key, salt)
            self._head = b" ".join([_MAGIC, base64.b64encode(salt), fernet.encrypt(_MAGIC)]) + b"\n"
            vault.seek(0)
            vault.truncate()
            vault.write(self._head)
            vault.flush()
            os.fsync(vault.fileno())
            return fernet
        parts = self._head.split()
        if len(parts) != 3 or parts[0] != _MAGIC:
            raise self._fail("is no vault of this version")
        try:
            fernet = _cipher(key, base64.b64decode(parts[1]))
            fernet.decrypt(parts[2])
        except (InvalidToken, ValueError):
            raise self._fail("this key does not open it") from None
        return fernet

    def _read_on(self) -> None:
        with self._opened() as vault:
            vault.seek(self._read_to)
            for line in vault:
                if not line.endswith(b"\n"):
                    break  # being written, or left so by a process that was killed
                try:
                    data = json.loads(self._fernet.decrypt(line[:-1]))
                except (InvalidToken, ValueError):
                    raise self._fail("is damaged; restore the file from a copy") from None
                kept = tuple(Kept(*one) for one in data["kept"])
                record = _Record(data["document"], kept)
                self._index.setdefault(data["digest"], []).append(record)
                self._documents.add(record.document)
                self._read_to += len(line)

    @contextmanager
    def _opened(self, flags: int = 0) -> Iterator[BinaryIO]:
        """The file, at its start, locked for this process."""
        try:
            handle = os.open(self._path, os.O_RDWR | flags, 0o600)
            with os.fdopen(handle, "r+b") as vault:
                _lock(vault)
                yield vault
        except OSError as error:
            raise self._fail(error.strerror or "cannot be opened") from None

    def _fail(self, problem: str) -> VaultError:
        return VaultError(f"vault {self._path}: {problem}")


@dataclass(frozen=True, slots=True)
class _Record:
    document: str
    kept: tuple[Kept, ...]


def _cipher(key: Key, salt: bytes) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=salt, info=_MAGIC).derive(key)
    return Fernet(base64.urlsafe_b64encode(derived))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _restored(text: str, kept: Iterable[Kept]) -> str:
    parts, at = [], 0
    for one in sorted(kept, key=lambda one: (one.start, one.end)):
        parts += [text[at : one.start], one.original]
        at = one.end
    return "".join([*parts, text[at:]])


def _drop_unfinished(vault: BinaryIO) -> None:
    """Go to the end of the last finished line, and cut off what stands behind it."""
    end = vault.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - 65536)
        vault.seek(start)
        at = vault.read(end - start).rfind(b"\n")
        if at >= 0:
            vault.seek(start + at + 1)
            vault.truncate()
            return
        end = start
    vault.truncate(0)


def _lock(vault: BinaryIO) -> None:
    if fcntl is not None:
        fcntl.flock(vault, fcntl.LOCK_EX)  # until it is closed
