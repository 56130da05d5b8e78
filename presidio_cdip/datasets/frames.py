"""Send objects and bytes through pipes, each frame with its length before it."""

import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_LENGTHS = struct.Struct(">IQ")  # of the JSON head, and of the bytes after it

Read = Callable[[int], bytes]
"""From a number of bytes to exactly these bytes; fewer at the end of the stream."""


class Piece(NamedTuple):
    """A document of a group.

    Attributes:
        name: Its name, for its suffix and for messages.
        sidecar: Its kind, if it is a side-car.
        data: Its bytes.
    """

    name: str
    sidecar: str
    data: bytes


Answer = tuple[Mapping[str, Any], bytes]
"""The findings of a document, as a JSON object, and their replacements."""

Treat = Callable[[str, Sequence[Piece]], Iterator[Answer]]
"""From a scope and the documents of a group to their answers."""


def packed(head: Mapping[str, Any], data: bytes = b"") -> bytes:
    """Return a frame."""
    encoded = json.dumps(head).encode()
    return b"".join((_LENGTHS.pack(len(encoded), len(data)), encoded, data))


def unpacked(read: Read) -> tuple[dict[str, Any], bytes] | None:
    """Return the next frame; None at the end of the stream.

    Raises:
        EOFError: The stream ends within a frame.
    """
    start = read(_LENGTHS.size)
    if not start:
        return None
    if len(start) < _LENGTHS.size:
        raise EOFError
    heads, rest = _LENGTHS.unpack(start)
    head, data = read(heads), read(rest)
    if len(head) < heads or len(data) < rest:
        raise EOFError
    return json.loads(head), data
