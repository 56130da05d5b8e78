"""List, read and assemble archives: tar, zip and Parquet."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, cast

from presidio_cdip.errors import UnreadableInput, place_of

TAR, ZIP, PARQUET = "tar", "zip", "parquet"
NOT_READ = -1  # the size of a member that is no file: a link, a device, an encrypted file

Members = Iterator[tuple[str, int, int]]
"""Name, size and place of each member."""

Read = Callable[[str, int, int], bytes]
"""From a member's name, size and place to its bytes."""

Contents = Callable[[str], bytes | None]
"""From a member's name to its new bytes; None for one that is left out."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of archive.

    Attributes:
        suffixes: The ends of its names.
        list: Yields the members.
        reader: Returns what reads members of an opened archive.
        assemble: Writes an archive like another one, with other contents.
        rows: Whether its members are cells of rows.
    """

    suffixes: tuple[str, ...]
    list: Callable[[BinaryIO, str], Members]
    reader: Callable[[BinaryIO, str], Read]
    assemble: Callable[[BinaryIO, str, Path, Contents, Iterable[str]], None]
    rows: bool = False

    def members(self, file: BinaryIO, name: str) -> Members:
        """Yield the members of the archive *name*.

        Raises:
            UnreadableInput: It is damaged.
        """
        with damaged(name):
            yield from self.list(file, name)


@contextmanager
def damaged(name: str) -> Iterator[None]:
    """Turn the errors of libraries on a damaged archive into `UnreadableInput`."""
    try:
        yield
    except (
        tarfile.TarError, zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError,
        NotImplementedError, lzma.LZMAError, KeyError,
    ) as error:  # fmt: skip
        raise UnreadableInput(name, f"is a damaged archive ({place_of(error)})") from None


def kind_of(name: str) -> Kind | None:
    """Return the kind of the archive *name*; None if it is no archive."""
    lower = name.lower()
    return next((one for one in ARCHIVES.values() if lower.endswith(one.suffixes)), None)


_PACKED: tuple[tuple[tuple[str, ...], Callable[[BinaryIO], object]], ...] = (
    ((".tar.gz", ".tgz"), lambda file: gzip.GzipFile(fileobj=file)),
    ((".tar.bz2",), bz2.BZ2File),
    ((".tar.xz",), lzma.LZMAFile),
)


def _unpacked(file: BinaryIO, name: str) -> BinaryIO:
    """Return the bytes of a tar that may be compressed."""
    for suffixes, opened in _PACKED:
        if name.lower().endswith(suffixes):
            return cast(BinaryIO, opened(file))
    return file


def _list_tar(file: BinaryIO, name: str) -> Members:
    with tarfile.open(fileobj=_unpacked(file, name), mode="r:") as tar:
        for one in tar:
            if not one.isdir():
                name = one.name.removeprefix("./")
                yield name, one.size if one.isreg() else NOT_READ, one.offset_data
            tar.members = []  # type: ignore[attr-defined]  # else it keeps all


def _read_tar(file: BinaryIO, name: str) -> Read:
    plain = _unpacked(file, name)

    def read(member: str, size: int, at: int) -> bytes:
        plain.seek(at)
        data = plain.read(size)
        if len(data) < size:
            raise UnreadableInput(f"{name}/{member}", "the archive ends within it")
        return data

    return read


def _assemble_tar(
    file: BinaryIO, name: str, target: Path, contents: Contents, copied: Iterable[str]
) -> None:
    """Write a tar in the order of *file*; owners and comments are left out."""
    modes = {".gz": "w:gz", ".tgz": "w:gz", ".bz2": "w:bz2", ".xz": "w:xz"}
    packed = modes.get(Path(name.lower()).suffix, "w:")
    with (
        target.open("wb") as raw,
        _packing(raw, packed) as out,
        tarfile.open(fileobj=out, mode="w:", format=tarfile.PAX_FORMAT) as written,
        tarfile.open(fileobj=_unpacked(file, name), mode="r:") as tar,
    ):
        seen = set()
        for one in tar:
            member = one.name.removeprefix("./")
            if not one.isreg() or member in seen:
                continue
            seen.add(member)
            data = contents(member)
            if data is not None:
                head = tarfile.TarInfo(one.name)
                head.size, head.mtime, head.mode = len(data), int(one.mtime), one.mode
                written.addfile(head, io.BytesIO(data))
            tar.members = []  # type: ignore[attr-defined]


@contextmanager
def _packing(raw: BinaryIO, mode: str) -> Iterator[BinaryIO]:
    if mode == "w:":
        yield raw
        return
    made: Any
    if mode == "w:gz":  # no name and no time: the same contents give the same bytes
        made = gzip.GzipFile("", "wb", fileobj=raw, mtime=0)
    elif mode == "w:bz2":
        made = bz2.BZ2File(raw, "wb")
    else:
        made = lzma.LZMAFile(raw, "wb")  # noqa: SIM115 - closed below
    with made as out:
        yield cast(BinaryIO, out)


def _list_zip(file: BinaryIO, name: str) -> Members:
    with zipfile.ZipFile(file) as packed:
        for one in packed.infolist():
            if not one.is_dir():
                yield one.filename, NOT_READ if one.flag_bits & 1 else one.file_size, -1


def _read_zip(file: BinaryIO, name: str) -> Read:
    packed = zipfile.ZipFile(file)

    def read(member: str, size: int, at: int) -> bytes:
        with packed.open(member) as opened:
            return opened.read(size)

    return read


def _assemble_zip(
    file: BinaryIO, name: str, target: Path, contents: Contents, copied: Iterable[str]
) -> None:
    """Write a zip in the order of *file*; comments and extra fields are left out."""
    with zipfile.ZipFile(file) as packed, zipfile.ZipFile(target, "w") as written:
        seen = set()
        for one in packed.infolist():
            if one.is_dir() or one.filename in seen:
                continue
            seen.add(one.filename)
            data = contents(one.filename)
            if data is not None:
                head = zipfile.ZipInfo(one.filename, one.date_time)
                head.external_attr, head.compress_type = one.external_attr, zipfile.ZIP_DEFLATED
                written.writestr(head, data)


def _tables() -> ModuleType:
    return import_module("presidio_cdip.datasets.tables")


def _list_rows(file: BinaryIO, name: str) -> Members:
    yield from _tables().cells(file)


def _read_rows(file: BinaryIO, name: str) -> Read:
    read: Read = _tables().reader(file)
    return read


def _assemble_rows(
    file: BinaryIO, name: str, target: Path, contents: Contents, copied: Iterable[str]
) -> None:
    _tables().assemble(file, target, contents, copied)


ARCHIVES = {
    TAR: Kind(
        (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), _list_tar, _read_tar, _assemble_tar
    ),
    ZIP: Kind((".zip",), _list_zip, _read_zip, _assemble_zip),
    PARQUET: Kind((".parquet",), _list_rows, _read_rows, _assemble_rows, rows=True),
}
"""The kinds of archives by name."""
