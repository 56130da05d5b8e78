"""Read input files: tell page images from texts, and decode texts in any common encoding."""

import codecs
import re
import sys
from pathlib import Path

from presidio_cdip.errors import TextTooLong, UnreadableInput

STANDARD_INPUT = Path("-")
_IMAGES = (
    b"\x89PNG\r\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"II+\0", b"MM\0+", b"GIF8",
    b"\0\0\0\x0cjP  \r\n\x87\n", b"\xff\x4f\xff\x51",
)  # fmt: skip
_NETPBM = re.compile(
    rb"P[1-6Ff]\s+(?:#[^\n]*\n\s*)*(?<=\s)\d+\s+\d+\s"
    rb"(?:(?<=\s)-?[\d.]+\s|(?<=\s)[01\s]{8}|(?=.{0,99}[\0-\b\x0e-\x1f\x7f-\xff]))",
    re.S,
)
_OTHERS = {
    b"PK\x03\x04": "a ZIP file; unpack it, or give it to `run`, which reads archives",
    b"\xd0\xcf\x11\xe0": "an old office document; export it as text first",
    b"{\\rtf": "RTF; export it as text first",
    b"\x1f\x8b": "compressed; unpack it first",
    **dict.fromkeys((b"ID3\2", b"ID3\3", b"ID3\4"), "a sound, which is not read"),
}
_PDF = "a PDF; turn its pages into images first, e.g. with pdftoppm -r 300 -png"
_MEDIA = "a film, sound or picture of a kind that is not read (HEIF, AVIF); save a picture as PNG"
_DICOM = "a DICOM file; presidio-image-redactor has an engine for these"
# UTF-32's little-endian mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_WIDEST = 4  # bytes of a character, at most
_FIRST = (
    2  # letters of a text in UTF-16 without a mark that are Latin; binary files begin otherwise
)
_SAMPLE = 4096  # bytes, or characters, that are examined in one place
_BYTEWISE = "presidio_cdip.bytewise"
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f]")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of the file *path*.

    Raises:
        UnreadableInput: The file does not exist, or reading it is not permitted.
    """
    try:
        if path.exists() and not path.is_file():
            raise UnreadableInput(str(path), "is not a file")
        return path.read_bytes()
    except OSError as error:
        raise UnreadableInput(str(path), error.strerror or "cannot be opened") from None


def read_input(path: Path, most: int | None = None) -> bytes:
    """Return the bytes of the file *path*; ``-`` is standard input.

    Args:
        path: The file.
        most: The most characters of a text.

    Raises:
        UnreadableInput: It cannot be read.
        TextTooLong: It is no image, and surely has more than *most* characters.
    """
    if path != STANDARD_INPUT:
        if most is not None and _is_longer(path, _WIDEST * most):
            with path.open("rb") as file:
                if not is_image(file.read(_SAMPLE)):
                    raise TextTooLong(str(path), most)
        return read_bytes(path)
    if sys.stdin is None:
        raise UnreadableInput("-", "standard input is closed")
    if most is None:
        return sys.stdin.buffer.read()
    data = sys.stdin.buffer.read(_WIDEST * most + 1)
    if len(data) <= _WIDEST * most:
        return data
    if not is_image(data):
        raise TextTooLong("-", most)
    return data + sys.stdin.buffer.read()


def _is_longer(path: Path, most: int) -> bool:
    """Return whether *path* is a file of more than *most* bytes."""
    try:
        return path.is_file() and path.stat().st_size > most
    except OSError:  # its name is too long: reading it says so
        return False


def read_text(path: Path, most: int | None = None) -> str:
    """Return the text of the file *path*; ``-`` is standard input.

    Args:
        path: The file.
        most: The most characters that it may have.

    Raises:
        UnreadableInput: It cannot be read, or it is not text.
        TextTooLong: It has more than *most* characters.
    """
    data = read_input(path, most)
    if is_image(data):
        raise UnreadableInput(str(path), "is an image; `presidio-cdip redact` erases from these")
    return decode(data, str(path), most)


def is_image(data: bytes) -> bool:
    """Return whether *data* starts as an image does; the file's name does not count.

    PNG, JPEG, JPEG 2000, TIFF, GIF, BMP, WebP and Netpbm are known.
    """
    webp = data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    bmp = data[:2] == b"BM" and data[6:10] == bytes(4)  # "BMI 31" is a text
    return webp or bmp or data.startswith(_IMAGES) or bool(_NETPBM.match(data))


def decode(data: bytes, name: str, most: int | None = None) -> str:
    """Decode *data* in any encoding; no byte is dropped.

    UTF-8 and UTF-16 are read as such; bytes that are not UTF-8 within the file are read as
    Windows-1252, one by one, so that a file in mixed encodings loses nothing. NUL bytes stay.

    Args:
        data: The bytes of a file.
        name: Its name, for errors.
        most: The most characters that it may have.

    Raises:
        TextTooLong: It has more than *most* characters.
        UnreadableInput: It is a PDF, an office document or another binary file.
    """
    for magic, what in _OTHERS.items():
        if data.startswith(magic):
            raise UnreadableInput(name, f"is {what}")
    if b"%PDF-" in data[:1024]:
        raise UnreadableInput(name, f"is {_PDF}")
    if data[:2] == b"\0\0" and data[4:8] == b"ftyp":
        raise UnreadableInput(name, f"is {_MEDIA}")
    if data[128:132] == b"DICM":
        raise UnreadableInput(name, f"is {_DICOM}")
    if _is_foreign(data[:_SAMPLE]):
        raise UnreadableInput(name, "is in an encoding unknown here; save it as UTF-8")
    text = _decoded(data)
    if most is not None and len(text) > most:
        raise TextTooLong(name, most)
    for start in {0, max(0, len(text) // 2 - _SAMPLE // 2), max(0, len(text) - _SAMPLE)}:
        sample = text[start : start + _SAMPLE]
        strange = len(_CONTROL.findall(sample)) + sample.count("\ufffd")
        if strange > max(8, len(sample) // 20) or sample.count("\0") > max(8, len(sample) // 10):
            raise UnreadableInput(name, "is neither text nor an image this program knows")
    return text


def _is_foreign(sample: bytes) -> bool:
    """Return whether over a third is neither ASCII nor UTF-8: EBCDIC, or another alphabet."""
    beyond = sum(byte > 0x7F for byte in sample)
    marked = any(sample.startswith(mark) for mark, _ in _MARKS)
    if marked or 3 * beyond <= len(sample):
        return False
    return codecs.getincrementaldecoder("utf-8")("replace").decode(sample).count("\ufffd") > 1


def _decoded(data: bytes) -> str:
    mark, encoding = encoding_of(data)
    return data[len(mark) :].decode(encoding, _BYTEWISE if encoding == "utf-8" else "replace")


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """Return the byte order mark of a text, and its encoding: UTF-8 for any of single bytes."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return mark, encoding
    sample = data[:_SAMPLE]
    for encoding, nuls in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[0::2])):
        many = nuls.count(0) > 0.6 * len(nuls) > 0 and sample.count(0) < 0.6 * len(sample)
        if many and not any(nuls[:_FIRST]):
            return b"", encoding
    return b"", "utf-8"


def _byte(error: UnicodeError) -> tuple[str, int]:
    """Decode an undecodable byte as Windows-1252, or as Latin-1 if Windows-1252 lacks it."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    byte = error.object[error.start : error.start + 1]
    return byte.decode("cp1252", errors="ignore") or byte.decode("latin-1"), error.start + 1


codecs.register_error(_BYTEWISE, _byte)
