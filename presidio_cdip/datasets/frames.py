"""Send objects and bytes through pipes, each frame with its length before it."""

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

_LENGTHS = struct.Struct(">IQ")  # of the JSON head, and of the bytes after it

Read = Callable[[int], bytes]
"""From a number of bytes to exactly these bytes; fewer at the end of the stream."""


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
