"""Read and write the files of a folder, on this machine or behind a URL."""

import os
import secrets
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple, Protocol, cast

from presidio_cdip.errors import MissingDependency, OutputError, UnreadableInput

FOLDER, OUTSIDE = -1, -2
OWN = "_manifest"  # the folder of an output that holds no outputs
_WORKPLACE = f"{OWN}/tmp"


class Listed(NamedTuple):
    """A file or folder in a folder.

    Attributes:
        name: Its name in the folder.
        size: Bytes; FOLDER for a folder; OUTSIDE for what is neither, or a link out of the store.
    """

    name: str
    size: int


class Store(ABC):
    """A folder whose files are named by their path in it, with ``/``."""

    @abstractmethod
    def listing(self, folder: str = "") -> list[Listed]:
        """Return the entries of *folder*, sorted by name; none if it does not exist.

        Raises:
            UnreadableInput: It cannot be listed.
        """

    @abstractmethod
    def open(self, name: str) -> BinaryIO:
        """Open the file *name* to read; the caller closes it.

        Raises:
            UnreadableInput: It cannot be opened.
        """

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Write a file whole, or not at all; it is on the disk when this returns.

        Raises:
            OutputError: It cannot be written.
        """

    @abstractmethod
    def create(self, name: str, data: bytes) -> bool:
        """Write a file whole, unless there is one; return whether it was written.

        Of two that do this at the same time, one alone writes.

        Raises:
            OutputError: It cannot be written.
        """

    @abstractmethod
    def write_from(self, name: str, file: Path) -> None:
        """Move the local *file* to *name*, whole or not at all.

        Raises:
            OutputError: It cannot be written.
        """

    def workplace(self) -> Path | None:
        """Return a local folder from which files can be moved into the store, if there is one."""
        return None

    def clean(self) -> None:
        """Remove temporary files of a run that was killed; no other run may be writing."""
        return

    @abstractmethod
    def exists(self, name: str) -> bool:
        """Return whether there is a file *name*."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove the file *name*, if it exists."""

    def read(self, name: str) -> bytes:
        """Return the bytes of the file *name*.

        Raises:
            UnreadableInput: It cannot be read.
        """
        try:
            with self.open(name) as file:
                return file.read()
        except OSError as error:
            raise UnreadableInput(name, error.strerror or "cannot be read") from None


@dataclass(frozen=True)
class Local(Store):
    """A folder of this machine.

    Attributes:
        folder: The folder.
    """

    folder: Path

    def listing(self, folder: str = "") -> list[Listed]:
        """Return the entries of *folder*, sorted by name."""
        try:
            with os.scandir(self.folder / folder) as found:
                return sorted(Listed(one.name, self._size(one)) for one in found)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise UnreadableInput(folder or ".", error.strerror or "cannot be listed") from None

    def _size(self, one: "os.DirEntry[str]") -> int:
        if one.is_dir(follow_symlinks=False):
            return FOLDER
        if one.is_file() and self._inside(one):
            return one.stat().st_size
        return OUTSIDE

    def _inside(self, one: "os.DirEntry[str]") -> bool:
        return not one.is_symlink() or Path(one.path).resolve().is_relative_to(self._real)

    @cached_property
    def _real(self) -> Path:
        return self.folder.resolve()

    def open(self, name: str) -> BinaryIO:
        """Open the file *name* to read."""
        try:
            return (self.folder / name).open("rb")
        except OSError as error:
            raise UnreadableInput(name, error.strerror or "cannot be opened") from None

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole, or not at all."""
        target = self._target(name)
        with self._part(name, data) as part:
            _moved(part, target)

    def create(self, name: str, data: bytes) -> bool:
        """Write a file whole, unless there is one; return whether it was written."""
        target = self._target(name)
        with self._part(name, data) as part:
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                target.hardlink_to(part)
            except FileExistsError:
                return False
            finally:
                part.unlink()
        return True

    @contextmanager
    def _part(self, name: str, data: bytes) -> Iterator[Path]:
        """Write a new file with *data*, which is to become the file *name*."""
        part = self.folder / _WORKPLACE / f"{secrets.token_hex(8)}.part"
        try:
            with self._new(part) as opened:
                opened.write(data)
                opened.flush()
                os.fsync(opened.fileno())
            yield part
        except OSError as error:
            with suppress(OSError):
                part.unlink()
            raise OutputError(name, error.strerror or "cannot be written") from None

    def _new(self, part: Path) -> BinaryIO:
        """Open a new file; a run writes thousands, so nothing is looked for before."""
        try:
            return part.open("xb")
        except FileNotFoundError:
            self.workplace()
            return part.open("xb")

    def workplace(self) -> Path:
        """Return a folder of its own, so that what is left of a killed run is found."""
        place = self.folder / _WORKPLACE
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(self.folder, error.strerror or "cannot be written") from None
        return place

    def clean(self) -> None:
        """Remove temporary files of a run that was killed."""
        shutil.rmtree(self.folder / _WORKPLACE, ignore_errors=True)

    def write_from(self, name: str, file: Path) -> None:
        """Move the local *file* to *name*."""
        target = self._target(name)
        try:
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
            _moved(file, target)
        except OSError as error:
            raise OutputError(name, error.strerror or "cannot be written") from None

    def _target(self, name: str) -> Path:
        if not is_within(name):
            raise OutputError(name, "leads out of the output folder")
        return self.folder / name

    def exists(self, name: str) -> bool:
        """Return whether there is a file *name*."""
        return (self.folder / name).is_file()

    def remove(self, name: str) -> None:
        """Remove the file *name*, if it exists."""
        (self.folder / name).unlink(missing_ok=True)


@dataclass(frozen=True)
class Remote(Store):
    """A folder behind a URL, which fsspec opens: ``s3://``, ``gs://``, ``memory://``.

    A file that is written there appears whole, as object stores do it.

    Attributes:
        url: The folder.
    """

    url: str

    @cached_property
    def _files(self) -> tuple[Any, str]:
        try:
            core = import_module("fsspec.core")
            files, root = core.url_to_fs(self.url)
        except ImportError as error:
            raise MissingDependency(
                f"the Python package {error.name or 'for this URL'}",
                'pip install "presidio-cdip[s3]"; for other stores [datasets] and their package',
            ) from None
        except ValueError as error:
            raise MissingDependency(str(error), "install the package of the store") from None
        return files, str(root).rstrip("/")

    def _path(self, name: str) -> str:
        return f"{self._files[1]}/{name}" if name else self._files[1]

    def listing(self, folder: str = "") -> list[Listed]:
        """Return the entries of *folder*, sorted by name."""
        files, path = self._files[0], self._path(folder)
        try:
            found = files.ls(path, detail=True, refresh=True)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise UnreadableInput(folder or ".", error.strerror or "cannot be listed") from None
        listed = [
            Listed(
                PurePosixPath(one["name"]).name,
                FOLDER if one["type"] == "directory" else int(one["size"] or 0),
            )
            for one in found
            if str(one["name"]).strip("/") != path.strip("/")
        ]
        return sorted(listed)

    def open(self, name: str) -> BinaryIO:
        """Open the file *name* to read."""
        try:
            return cast(BinaryIO, self._files[0].open(self._path(name), "rb"))
        except OSError as error:
            raise UnreadableInput(name, error.strerror or "cannot be opened") from None

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole, or not at all."""
        if not is_within(name):
            raise OutputError(name, "leads out of the output folder")
        files, path = self._files[0], self._path(name)
        try:
            files.makedirs(path.rpartition("/")[0], exist_ok=True)
            files.pipe_file(path, data)
        except OSError as error:
            raise OutputError(name, error.strerror or "cannot be written") from None

    def create(self, name: str, data: bytes) -> bool:
        """Write a file whole, unless there is one; a store that cannot tell writes it."""
        files, path = self._files[0], self._path(name)
        try:
            files.makedirs(path.rpartition("/")[0], exist_ok=True)
            files.pipe_file(path, data, mode="create")
        except (FileExistsError, TypeError, NotImplementedError) as error:
            if isinstance(error, FileExistsError) or self.exists(name):
                return False
            self.write(name, data)
        except OSError as error:
            raise OutputError(name, error.strerror or "cannot be written") from None
        return True

    def write_from(self, name: str, file: Path) -> None:
        """Move the local *file* to *name*."""
        files, path = self._files[0], self._path(name)
        try:
            files.makedirs(path.rpartition("/")[0], exist_ok=True)
            files.put_file(str(file), path)
            file.unlink()
        except OSError as error:
            raise OutputError(name, error.strerror or "cannot be written") from None

    def exists(self, name: str) -> bool:
        """Return whether there is a file *name*."""
        return bool(self._files[0].isfile(self._path(name)))

    def remove(self, name: str) -> None:
        """Remove the file *name*, if it exists."""
        if self.exists(name):
            self._files[0].rm_file(self._path(name))


def _moved(part: Path, target: Path) -> None:
    """Move *part* to *target*, in the same file system."""
    try:
        part.replace(target)
    except FileNotFoundError:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.replace(target)


def is_url(place: str) -> bool:
    """Return whether *place* is a URL and no path."""
    return "://" in place


def store(place: str) -> Store:
    """Return the store for a folder or a URL."""
    return Remote(place.rstrip("/")) if is_url(place) else Local(Path(place))


def is_within(name: str) -> bool:
    """Return whether *name* stays within the folder that it is joined to.

    >>> is_within("a/b.txt"), is_within("../b.txt"), is_within("/b.txt"), is_within("a//b")
    (True, False, False, False)
    """
    parts = name.split("/")
    return not any(part in ("", ".", "..") for part in parts) and "\0" not in name


class Listing(Protocol):
    """A place that can be listed folder by folder."""

    def listing(self, folder: str = "") -> list[Listed]:
        """Return the entries of *folder*, sorted by name."""


def walk(files: Listing, folder: str = "") -> Iterator[tuple[str, list[Listed]]]:
    """Yield each folder at and below *folder*, in order, with the files in it."""
    found = files.listing(folder)
    before = f"{folder}/" if folder else ""
    yield folder, [one for one in found if one.size != FOLDER]
    for one in found:
        if one.size == FOLDER:
            yield from walk(files, before + one.name)
