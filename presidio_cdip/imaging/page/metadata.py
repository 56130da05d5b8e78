"""Remove an image file's metadata, and keep its pixels byte for byte."""

import re
import struct

_PNG = b"\x89PNG\r\n\x1a\n"
# What a decoder needs to show the page as it is meant.
_PNG_KEPT = frozenset(
    [
        *(b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP"),
        *(b"sBIT", b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT"),
    ]
)
_JPEG_APPLICATIONS, _JPEG_COMMENT = range(0xE0, 0xF0), 0xFE
_JPEG_KEPT = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}  # 0xEE: the colour transform
_JPEG_SCAN, _JPEG_END = 0xDA, 0xD9
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")  # behind the data of a scan


def without_metadata(data: bytes) -> bytes | None:
    """Return a PNG or JPEG file without texts, EXIF, XMP and thumbnails.

    Args:
        data: The file.

    Returns:
        The file, the same object if it has no metadata; None if it is of another format or damaged.
    """
    try:
        if data.startswith(_PNG):
            new = _png(data)
        elif data.startswith(b"\xff\xd8\xff"):
            new = _jpeg(data)
        else:
            return None
    except (struct.error, IndexError):
        return None
    return data if new == data else new


def _png(data: bytes) -> bytes:
    parts, at = [_PNG], len(_PNG)
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind in _PNG_KEPT:
            parts.append(data[at : at + length + 12])
        at += length + 12
        if kind == b"IEND":
            break  # what follows is no part of the image
    return b"".join(parts)


def _jpeg(data: bytes) -> bytes:
    """Return the segments to keep, up to the first end of the image; what follows is another."""
    parts, at = [data[:2]], 2
    while data[at + 1] != _JPEG_END:
        marker = data[at + 1]
        (length,) = struct.unpack_from(">H", data, at + 2)
        end = at + 2 + length
        named = marker in _JPEG_APPLICATIONS and not data[at + 4 : end].startswith(
            _JPEG_KEPT.get(marker, b"\0no name\0")
        )
        if marker == _JPEG_SCAN and (ended := _NEXT_MARKER.search(data, end)):
            end = ended.start()
        elif marker == _JPEG_SCAN:
            return b"".join([*parts, data[at:]])  # cut off
        if not named and marker != _JPEG_COMMENT:
            parts.append(data[at:end])
        at = end
    return b"".join([*parts, data[at : at + 2]])
