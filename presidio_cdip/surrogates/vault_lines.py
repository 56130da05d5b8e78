"""Encrypt the lines of a vault, and recognize damage among them.

The first line names the format and holds the salt; the second is its copy. The third is the end
mark, in two slots that are rewritten in turn, so that one of them is whole whenever a process is
killed. Each further line is one document. All hold Fernet tokens (AES-128-CBC and HMAC-SHA256). A
document's line holds its own number and the MAC of the line before it; the end mark holds the
number and the MAC of the last one. Without the key nobody can write such a line, and a line that
was removed, moved, copied or changed does not fit the others.
"""

import base64
import hashlib
import json
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from presidio_cdip.surrogates.keys import Key

FORMAT = b"presidio-cdip-vault-2"
ANY_FORMAT = b"presidio-cdip-vault-"
END_LINE = 3  # the number of the end mark's line, and of the last line in an empty vault
SALT = 16  # bytes

_MARK = struct.Struct(">3sQQ32s32s32s")  # b"end", line, offset, MAC, digests of text and name


_TOKEN = re.compile(rb"(?=gAAAAA)")  # how every token begins until the year 2106


def _token_size(data: int) -> int:
    """Return the characters of a Fernet token: version, time, IV, padded data, MAC in base64."""
    return 4 * -(-(1 + 8 + 16 + 16 * (data // 16 + 1) + 32) // 3)


_SLOT = _token_size(_MARK.size)
END_SIZE = 2 * _SLOT + 2  # bytes of the end mark's line: two slots, a blank and a line end
HEAD_SIZE = len(FORMAT) + 4 * -(-SALT // 3) + _token_size(len(FORMAT)) + 3  # bytes of line 1


@dataclass(frozen=True, slots=True)
class Kept:
    """An original, and where its place is in the anonymized text.

    Attributes:
        start: Offset of the first character, in code points.
        end: Offset after the last; *start* itself where nothing stands for the original.
        entity: Its entity.
        original: The text that stood there.
    """

    start: int
    end: int
    entity: str
    original: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Link:
    """The facts of a line that the next line, and the end mark, repeat.

    Attributes:
        line: Its number in the file, from 1.
        mac: Its MAC, in hexadecimal.
        text: `digest` of its text.
        name: `digest` of its document's name.
    """

    line: int
    mac: str
    text: str
    name: str


NOTHING = Link(END_LINE, *["00" * 32] * 3)  # the end of an empty vault


@dataclass(frozen=True, slots=True)
class Line:
    """A document's line.

    Attributes:
        own: Its number, MAC and digests.
        before: The facts of the line before it.
        doubtful: Whether the end mark was damaged when it was added.
        document: The document's name.
        kept: Its originals.
    """

    own: Link
    before: Link
    doubtful: bool
    document: str
    kept: tuple[Kept, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The end mark.

    Attributes:
        last: The last line.
        offset: Where the file ended behind it, in bytes.
    """

    last: Link
    offset: int


class Cipher:
    """Encrypts and decrypts the lines of one vault.

    Args:
        key: The vault's.
        salt: Of its first line.
    """

    def __init__(self, key: Key, salt: bytes) -> None:
        self._salt = salt
        derived = HKDF(algorithm=SHA256(), length=32, salt=salt, info=FORMAT).derive(key)
        self._fernet = Fernet(base64.urlsafe_b64encode(derived))

    @classmethod
    def of_head(cls, head: bytes, key: Key) -> Self | None:
        """Return the cipher of the vault that begins with *head*; None where *key* is not its."""
        parts = head.split()
        if len(parts) != 3 or parts[0] != FORMAT:
            return None
        try:
            cipher = cls(key, base64.b64decode(parts[1]))
        except ValueError:
            return None
        return cipher if cipher._open(parts[2]) == FORMAT else None

    def new_head(self) -> bytes:
        """Return the first lines of an empty vault: the head, its copy and the end mark."""
        token = self._fernet.encrypt(FORMAT)
        head = b" ".join([FORMAT, base64.b64encode(self._salt), token]) + b"\n"
        slot = self.slot(End(NOTHING, 2 * HEAD_SIZE + END_SIZE))
        return head + head + slot + b" " + slot + b"\n"

    def line(
        self, number: int, before: Link, doubtful: bool, text: str, document: str, kept: list[Kept]
    ) -> tuple[bytes, Link]:
        """Return a document's line, with its line end, and what the next one repeats of it."""
        record = {
            "line": number,
            "before": [before.line, before.mac, before.text, before.name],
            "doubtful": doubtful,
            "document": document,
            "digest": digest(text),
            "kept": [[one.start, one.end, one.entity, one.original] for one in kept],
        }
        token = self._fernet.encrypt(json.dumps(record).encode())
        return token + b"\n", Link(number, mac(token), digest(text), digest(document))

    def read_lines(self, row: bytes) -> list[Line | None]:
        """Return the lines in a row of the file; None for a damaged one.

        It is one document's line; several where the line ends between them were changed.
        """
        line = self._read_line(row)
        if line is None and (tokens := _TOKEN.split(row)[1:]):
            found = [self._read_line(one) or self._read_line(one[:-1]) for one in tokens]
            return found if any(found) else [None]
        return [line]

    def _read_line(self, token: bytes) -> Line | None:
        data = self._open(token)
        if not data or not data.startswith(b"{"):
            return None
        record = json.loads(data)
        name = record["document"]
        return Line(
            Link(record["line"], mac(token), record["digest"], digest(name)),
            Link(*record["before"]),
            record["doubtful"],
            name,
            tuple(Kept(*one) for one in record["kept"]),
        )

    def slot(self, end: End) -> bytes:
        """Return the end mark as one slot of its line holds it; all are of one length."""
        last = end.last
        digests = (bytes.fromhex(one) for one in (last.mac, last.text, last.name))
        return self._fernet.encrypt(_MARK.pack(b"end", last.line, end.offset, *digests))

    def read_slots(self, line: bytes) -> list[End]:
        """Return the end marks that are whole in the two slots of *line*."""
        ends = []
        for data in map(self._open, (line[:_SLOT], line[_SLOT + 1 : -1])):
            if data and len(data) == _MARK.size and data.startswith(b"end"):
                _, number, offset, *digests = _MARK.unpack(data)
                ends.append(End(Link(number, *(one.hex() for one in digests)), offset))
        return ends

    def _open(self, token: bytes) -> bytes | None:
        try:
            return self._fernet.decrypt(token)
        except InvalidToken:
            return None


def is_end_mark(line: bytes) -> bool:
    """Check whether *line* has the shape of an end mark's, so that one may be written over it."""
    return (
        len(line) == END_SIZE
        and line[_SLOT : _SLOT + 1] == b" "
        and line.find(b"\n") == END_SIZE - 1
    )


def slot_at(number: int) -> int:
    """Return where in the end mark's line the slot for the line *number* begins."""
    return (number % 2) * (_SLOT + 1)


def mac(token: bytes) -> str:
    """Return the MAC at the end of a Fernet token that was decrypted, or just made."""
    return base64.urlsafe_b64decode(token)[-32:].hex()


def digest(text: str) -> str:
    """Return the SHA-256 of *text* in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Checked:
    """The intact lines of a vault, and the problems of the others.

    Attributes:
        held: The intact lines, by number.
        lost: The numbers of damaged and missing lines, in order, each with what the line
            behind it or the end mark repeats of it, where that is whole.
        problems: A sentence for each thing that is wrong.
    """

    held: Mapping[int, Line]
    lost: Mapping[int, Link | None]
    problems: Sequence[str]


def check(lines: Sequence[Line | None], end: End | None) -> Checked:
    """Check a vault's lines against each other and against the end mark.

    Args:
        lines: The documents' lines in the order of the file; None for one that is damaged.
        end: The end mark.
    """
    by_number: dict[int, list[Line]] = {}
    unreadable: list[tuple[int, int]] = []  # place in the file, and the number it should have
    problems: list[str] = []
    number = highest = END_LINE
    for at, line in enumerate(lines, END_LINE + 1):
        if line is None:
            number += 1
            unreadable.append((at, number))
            continue
        number = line.own.line
        others = by_number.setdefault(number, [])
        if line.own in (other.own for other in others):
            problems.append(f"line {at} is a copy of line {number} and is ignored")
            continue
        if number < highest and not others:
            problems.append(f"line {number} is not in its place, but is used")
        others.append(line)
        highest = max(highest, number)

    held: dict[int, Line] = {}
    lost: dict[int, Link | None] = {}
    for number in range(max(highest, end.last.line if end else 0), END_LINE, -1):
        known = _known(number, held, end)
        candidates = by_number.get(number, [])
        fitting = [one for one in candidates if known in (None, one.own)]
        if len(fitting) == 1:
            held[number] = fitting[0]
        else:
            lost[number] = known
        if len(candidates) > (number in held):
            problems.append(f"line {number} is of another copy of this vault and is ignored")
    damaged = {number for _, number in unreadable} & lost.keys()
    problems += _told("damaged", sorted(damaged))
    problems += _told("missing", sorted(lost.keys() - damaged - by_number.keys()))
    problems += (
        f"the line at place {at} cannot be read and is ignored"
        for at, number in unreadable
        if number not in lost
    )
    problems += (
        f"line {number} was added when the end mark was damaged: lines before it may be missing"
        for number in sorted(held)
        if held[number].doubtful
    )
    return Checked(held, dict(sorted(lost.items())), problems)


def _known(number: int, held: Mapping[int, Line], end: End | None) -> Link | None:
    """Return the link to line *number* in an intact line; None if no intact line has it."""
    if number + 1 in held and held[number + 1].before.line == number:
        return held[number + 1].before
    return end.last if end and end.last.line == number else None


def _told(state: str, numbers: Sequence[int]) -> Iterator[str]:
    for first, last in ranges(numbers):
        yield f"line {first} is {state}" if first == last else f"lines {first}-{last} are {state}"


def ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and last number of each run in *numbers*, which are in order.

    >>> ranges([3, 5, 6, 7])
    [(3, 3), (5, 7)]
    """
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs
