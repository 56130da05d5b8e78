"""Keep originals in a vault: an encrypted file for those who must be able to restore them.

Nothing else in this package keeps an original. `surrogates.vault_lines` has the file's format; its
keys are derived from the one that is given, with HKDF-SHA256 and the file's own salt.

Damage is reported as a `VaultWarning` that names the line, and what the other lines hold is still
restored. Recognized are lines that were changed, removed (the last ones too), moved, or added
again, and lines of another copy of the vault. **Not recognized** is an older copy of the whole file
in its place, nor that the file was deleted and begun again: keep copies where they cannot be
exchanged. The number, size and time of the lines can be seen without the key.
"""

import os
import secrets
import stat
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from presidio_cdip.errors import VaultError
from presidio_cdip.surrogates.keys import Key
from presidio_cdip.surrogates.vault_lines import (
    ANY_FORMAT,
    END_LINE,
    END_SIZE,
    FORMAT,
    HEAD_SIZE,
    NOTHING,
    SALT,
    Checked,
    Cipher,
    End,
    Kept,
    Line,
    Link,
    check,
    digest,
    is_end_mark,
    ranges,
    slot_at,
)

try:
    import fcntl
except ImportError:  # Windows: one process at a time
    fcntl = None  # type: ignore[assignment]

__all__ = ["Kept", "Vault", "VaultWarning"]

_MARK_AT = 2 * HEAD_SIZE  # offset of the end mark's line
_LINES_AT = _MARK_AT + END_SIZE  # offset of the documents' lines


class VaultWarning(UserWarning):
    """A vault is damaged, or others than its owner may change it."""


class Vault:
    """The originals of anonymized texts, in one encrypted file.

    Several processes may add to one file at a time: each line is written whole, under a lock, and
    is on the disk when `add` returns. A line that a killed process left unfinished is removed by
    the next writer: its document had not been handed out.

    Args:
        file: The vault; it is made, for its owner alone, if it does not exist.
        key: At least 16 bytes.

    Warns:
        VaultWarning: Others than its owner may change the file, or its first line is damaged.

    Raises:
        VaultError: The key does not open it, it is no vault, or it cannot be read or made.
        KeyUnusable: The key is too short or too uniform.
    """

    def __init__(self, file: str | os.PathLike[str], key: bytes | str) -> None:
        self._path = Path(file)
        self._reported: set[str] = set()
        self._last = END_LINE  # the highest number of a line that this object has seen
        made = Key.of(key)
        with self._opened(os.O_CREAT) as vault:
            self._cipher = self._begin(vault, made)
            mode = os.fstat(vault.fileno()).st_mode
        if os.name == "posix" and mode & (stat.S_IWGRP | stat.S_IWOTH):
            self._warn("others than its owner may change it; chmod 600 repairs that")
        self._read = _Read()

    def add(self, text: str, kept: Iterable[Kept], document: str = "") -> None:
        """Keep the originals of one anonymized text.

        Args:
            text: The text as it is handed out.
            kept: The replaced values, in any order.
            document: Its name, which tells two documents apart whose anonymized texts are equal.

        Warns:
            VaultWarning: Lines at the end are missing, or it cannot be checked. The text is added.

        Raises:
            VaultError: The file cannot be written; nothing was added.
        """
        with self._opened() as vault:
            if vault.read(_MARK_AT) != self._head:
                raise self._fail("has become another file since it was opened")
            mark = vault.read(END_SIZE)
            ends = self._cipher.read_slots(mark)
            if not ends and not is_end_mark(mark):
                raise self._fail("its third line is damaged; keep it to restore, begin a new one")
            if doubtful := len(ends) < 2:
                self._warn(_END_DAMAGED)
            end, last = self._real_end(vault, ends)
            number = max(self._last, last) + 1
            line, link = self._cipher.line(number, end.last, doubtful, text, document, list(kept))
            self._finish_last(vault, end)
            vault.write(line)
            _to_disk(vault)
            slot = self._cipher.slot(End(link, vault.tell()))
            for parity in (number, number + 1) if doubtful else (number,):
                vault.seek(_MARK_AT + slot_at(parity))
                vault.write(slot)
            _to_disk(vault)
            self._last = number

    def restore(self, text: str, document: str | None = None) -> str:
        """Return *text* with every original where it stood.

        Args:
            text: An anonymized text, exactly as it was handed out.
            document: Its name, where several documents became this text; what was added last under
                a name holds.

        Warns:
            VaultWarning: Some of the vault is damaged, whether or not this text needs it.

        Raises:
            VaultError: The vault has nothing of this text, or several originals and no *document*
                to choose; or what it has is damaged or missing.
        """
        self._read_on()
        wanted = digest(text)
        found: dict[str, Line] = {}
        for line in self._read.by_text.get(wanted, []):
            if document in (None, line.document):
                found[line.document] = line
        self._check_lost(wanted, document, found)
        originals = {_restored(text, line.kept) for line in found.values()}
        if not originals:
            problem = "holds nothing of this text; it must be as it was handed out"
            if unknown := [
                number for number, link in self._read.checked.lost.items() if link is None
            ]:
                problem += f", unless it was in what is damaged or missing ({_listed(unknown)})"
            raise self._fail(problem)
        if len(originals) > 1:
            raise self._fail("holds several originals of this text; name the document")
        return originals.pop()

    def knows(self, document: str) -> bool:
        """Return whether anything was added under the name *document*.

        Warns:
            VaultWarning: Some of the vault is damaged.

        Raises:
            VaultError: The vault cannot be read.
        """
        self._read_on()
        name = digest(document)
        lost = (link.name for link in self._read.checked.lost.values() if link)
        return document in self._read.documents or name in lost

    def _check_lost(self, text: str, document: str | None, found: dict[str, Line]) -> None:
        """Raise VaultError where a damaged or missing line is the one that is asked for."""
        newest = {digest(name): line.own.line for name, line in found.items()}
        needed = [
            number
            for number, link in self._read.checked.lost.items()
            if link and link.text == text and number > newest.get(link.name, 0)
            if document is None or link.name == digest(document)
        ]
        if needed:
            state = "is damaged or missing; restore the vault from a copy"
            raise self._fail(f"line {needed[-1]}, which holds this text's originals, {state}")

    def _begin(self, vault: BinaryIO, key: Key) -> Cipher:
        """Return the vault's cipher, after its first lines were written where it is new."""
        self._head = vault.read(_MARK_AT)
        first, copy = self._head[:HEAD_SIZE], self._head[HEAD_SIZE:]
        if len(first) < HEAD_SIZE and (FORMAT.startswith(first) or first.startswith(FORMAT)):
            # It is new, or the process that made it was killed.
            cipher = Cipher(key, secrets.token_bytes(SALT))
            written = cipher.new_head()
            self._head = written[:_MARK_AT]
            vault.seek(0)
            vault.truncate()
            vault.write(written)
            _to_disk(vault)
            return cipher
        opened = Cipher.of_head(first, key)
        if opened is None and (opened := Cipher.of_head(copy, key)):
            self._warn("line 1 is damaged; its copy in line 2 is used")
        elif opened and copy != first:
            self._warn("line 2, the copy of line 1, is damaged")
        if opened:
            return opened
        if any(one.startswith(FORMAT + b" ") for one in (first, copy)):
            raise self._fail("this key does not open it")
        if first.startswith(ANY_FORMAT):
            raise self._fail("is of another version, which this release does not read")
        raise self._fail("is no vault")

    def _real_end(self, vault: BinaryIO, ends: list[End]) -> tuple[End, int]:
        """Return the end, by its mark or behind a line not marked yet, and the highest number."""
        if not ends:
            lines, _ = self._lines(vault, _LINES_AT)
            last = max((line.own for line in lines if line), key=_number, default=NOTHING)
            return End(last, -1), max(last.line, END_LINE + len(lines))
        end = max(ends, key=lambda one: one.last.line)
        if vault.seek(0, os.SEEK_END) < end.offset:
            self._warn("is shorter than it was: lines are missing")
        vault.seek(end.offset)
        while (row := vault.readline()).endswith(b"\n"):
            (line, *_) = self._cipher.read_lines(row[:-1])
            if line is None or line.before != end.last:
                break
            end = End(line.own, vault.tell())
        return end, end.last.line

    def _finish_last(self, vault: BinaryIO, end: End) -> None:
        """Seek to the next line's beginning; remove what a killed process left of one."""
        at = _after_last_line_end(vault)
        if at == end.offset:
            vault.truncate(at)
        elif vault.seek(0, os.SEEK_END) > at:
            vault.write(b"\n")  # a line that was cut off: its rest stays
        vault.seek(0, os.SEEK_END)

    def _read_on(self) -> None:
        """Read the lines that were added since, check them all, and warn of new problems."""
        read = self._read
        with self._opened() as vault:
            ends = self._cipher.read_slots(_at(vault, _MARK_AT, END_SIZE))
            size = vault.seek(0, os.SEEK_END)
            state = size, tuple(ends)
            if state == read.state:
                return
            if read.to > _LINES_AT and _at(vault, read.to - 1, 1) != b"\n":
                self._read = read = _Read()
            lines, tail = self._lines(vault, read.to)
        end = max(ends, key=lambda one: one.last.line, default=None)
        read.state, read.to = state, max(_LINES_AT, size - len(tail))
        read.lines += lines
        unfinished = bool(tail) and end is not None and read.to == end.offset
        cut = self._cipher.read_lines(tail) if tail and not unfinished else []
        read.checked = check([*read.lines, *cut], end)
        held = sorted(read.checked.held.items())
        read.by_text = {}
        for _, line in held:
            read.by_text.setdefault(line.own.text, []).append(line)
        read.documents = {line.document for _, line in held}
        self._last = max([self._last, *read.checked.held])
        if len(ends) < 2:
            self._warn(_END_DAMAGED)
        if unfinished:
            self._warn("the last line is unfinished and is ignored; the next one takes its place")
        for problem in read.checked.problems:
            self._warn(problem)

    def _lines(self, vault: BinaryIO, start: int) -> tuple[list[Line | None], bytes]:
        """Return the documents' lines behind *start*, and what stands behind the last line end."""
        vault.seek(start)
        *rows, tail = vault.read().split(b"\n")
        return [line for row in rows for line in self._cipher.read_lines(row)], tail

    @contextmanager
    def _opened(self, flags: int = 0) -> Iterator[BinaryIO]:
        """Open the file at its start, locked for this process."""
        try:
            handle = os.open(self._path, os.O_RDWR | flags, 0o600)
            with os.fdopen(handle, "r+b") as vault:
                _lock(vault)
                yield vault
        except OSError as error:
            raise self._fail(error.strerror or "cannot be opened") from None

    def _warn(self, problem: str) -> None:
        """Warn of a problem, once."""
        if problem not in self._reported:
            self._reported.add(problem)
            warnings.warn(f"vault {self._path}: {problem}", VaultWarning, stacklevel=3)

    def _fail(self, problem: str) -> VaultError:
        return VaultError(f"vault {self._path}: {problem}")


@dataclass(slots=True)
class _Read:
    """The lines that were read of a vault.

    Attributes:
        lines: The documents' lines, in the order of the file.
        to: Offset of the first line that was not read.
        state: The file's size and end marks, when it was read.
        checked: The intact lines, and the problems of the others.
        by_text: The intact lines, by their text's digest, in the order of numbers.
        documents: The names in these.
    """

    lines: list[Line | None] = field(default_factory=list)
    to: int = _LINES_AT
    state: tuple[int, tuple[End, ...]] | None = None
    checked: Checked = field(default_factory=lambda: Checked({}, {}, ()))
    by_text: dict[str, list[Line]] = field(default_factory=dict)
    documents: set[str] = field(default_factory=set)


_END_DAMAGED = "line 3, the end mark, is damaged: that last lines were removed could go unnoticed"


def _number(link: Link) -> int:
    return link.line


def _listed(numbers: Iterable[int]) -> str:
    runs = (str(a) if a == b else f"{a}-{b}" for a, b in ranges(numbers))
    return "lines " + ", ".join(runs)


def _restored(text: str, kept: Iterable[Kept]) -> str:
    parts, at = [], 0
    for one in sorted(kept, key=lambda one: (one.start, one.end)):
        parts += [text[at : one.start], one.original]
        at = one.end
    return "".join([*parts, text[at:]])


def _at(vault: BinaryIO, offset: int, size: int) -> bytes:
    vault.seek(offset)
    return vault.read(size)


def _to_disk(vault: BinaryIO) -> None:
    vault.flush()
    os.fsync(vault.fileno())


def _after_last_line_end(vault: BinaryIO) -> int:
    """Return the offset behind the last line end in the file."""
    end = vault.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - 65536)
        at = _at(vault, start, end - start).rfind(b"\n")
        if at >= 0:
            return start + at + 1
        end = start
    return 0


def _lock(vault: BinaryIO) -> None:
    if fcntl is not None:
        fcntl.flock(vault, fcntl.LOCK_EX)  # until it is closed
