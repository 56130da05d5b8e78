"""Open the pack: the shipped ``recognizers/`` and ``operators/`` with an overlay folder."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

from presidio_cdip.errors import PackError
from presidio_cdip.pack.root import shipped_root

PACK_VARIABLE = "PRESIDIO_CDIP_PACK"  # names the folder of a deployment's own pack

PathLike = str | os.PathLike[str]
FOLDERS = ("recognizers", "operators")
_YAML = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Pack:
    """Data files by their path within the pack, such as ``recognizers/age.yaml``.

    One rule decides which file counts, for every kind of file: a file of the overlay replaces the
    shipped file of the same path, a new path adds a file, and an empty file switches the shipped
    one off. Lists are read by layers as well (see `terms`).

    A pack is a value: it holds no text of its files, is equal to another of the same folder, and
    can be pickled. Data read from it is cached for the life of the process.

    Attributes:
        overlay: The absolute path of the folder that overlays the shipped pack, or None.
        base: Whether the shipped pack lies below. Without it, the overlay stands alone.
    """

    overlay: str | None = None
    base: bool = True

    @classmethod
    def shipped(cls) -> "Pack":
        """Return the pack of this distribution."""
        return _SHIPPED

    @classmethod
    def open(cls, pack: "Pack | PathLike | None" = None) -> "Pack":
        """Return the pack that *pack* names.

        Args:
            pack: A pack, or a folder with ``recognizers/`` or ``operators/`` in it, which overlays
                the shipped pack; else the folder that the environment variable
                ``PRESIDIO_CDIP_PACK`` names, else the shipped pack alone.

        Raises:
            PackError: There is no such folder, or it has neither of the two.
        """
        if isinstance(pack, Pack):
            return pack
        named = os.fspath(pack) if pack else os.environ.get(PACK_VARIABLE)
        if not named:
            return _SHIPPED
        folder = Path(named).absolute()
        if not any(is_folder(folder / name) for name in FOLDERS):
            problem = "has no folder recognizers/ or operators/; give the folder that holds it"
            raise PackError(named, problem if is_folder(folder) else "there is no such folder")
        return cls(str(folder))

    def alone(self) -> "Pack":
        """Return the overlay without the shipped pack below it."""
        return Pack(self.overlay, base=False)

    def file(self, path: str) -> Traversable | None:
        """Return the file that counts at *path*; None if it does not exist or is switched off.

        Args:
            path: The path within the pack, with ``/``.
        """
        for root in reversed(self._roots()):
            item = root.joinpath(*path.split("/"))
            if item.is_file():
                return None if self._is_empty(item) else item
        return None

    def files(self, folder: str, suffix: str) -> Mapping[str, Traversable]:
        """Return the files that count in *folder*, by name, sorted by name."""
        names = {
            item.name
            for root in self._roots()
            if (place := root.joinpath(*folder.split("/"))).is_dir()
            for item in place.iterdir()
            if item.name.endswith(suffix) and not item.name.startswith(".")
        }
        found = ((name, self.file(f"{folder}/{name}")) for name in sorted(names))
        return {name: item for name, item in found if item is not None}

    def is_own(self, item: Traversable) -> bool:
        """Return whether *item* is in the overlay, which no test of this package has checked."""
        return self.overlay is not None and str(item).startswith(self.overlay + os.sep)

    def has_own(self, path: str) -> bool:
        """Return whether the overlay has a file at *path*."""
        item = self.file(path)
        return item is not None and self.is_own(item)

    def own_paths(self) -> tuple[str, ...]:
        """Return the path of every file in the overlay's two folders, sorted; hidden ones not."""
        root = Path(self.overlay) if self.overlay else None
        found = (
            file.relative_to(root) for name in FOLDERS if root for file in (root / name).rglob("*")
            if file.is_file()
        )  # fmt: skip
        return tuple(
            sorted(
                path.as_posix()
                for path in found
                if not any(part.startswith((".", "__pycache__")) for part in path.parts)
            )
        )

    def terms(self, folder: str, name: str) -> tuple[str, ...]:
        """Return the list *name* of *folder*, in order; empty if it does not exist.

        Each layer, the shipped pack first, replaces the list by its ``NAME.txt``, adds its
        ``NAME.extra.txt`` and removes its ``NAME.except.txt``.
        """
        return _terms(self, folder, name)

    def unlisted(self, folder: str, file: str, needed_by: str) -> PackError:
        """Return the error for the list or table *file* of *folder*, which has no rows.

        Args:
            folder: The folder within the pack.
            file: The name of the file.
            needed_by: The file or folder that needs it.
        """
        path = f"{folder}/{file}"
        if self.overlay and Path(self.overlay, path).is_file():
            problem = f"has no rows, which switches it off, and {needed_by} needs it"
            return PackError(path, f"{problem}; remove this file, or list something in it")
        kind = "list" if file.endswith(".txt") else "table"
        return PackError(needed_by, f"no {kind} gazetteers/{file}")

    def below(self) -> "Pack":
        """Return the pack under the overlay: the shipped one, or one without any file."""
        return _SHIPPED if self.base else Pack(base=False)

    def _roots(self) -> list[Traversable]:
        own: list[Traversable] = [Path(self.overlay)] if self.overlay else []
        return [shipped_root(), *own] if self.base else own

    def _is_empty(self, item: Traversable) -> bool:
        return self.is_own(item) and not item.read_bytes().strip()


_SHIPPED = Pack()


def is_folder(path: Path) -> bool:
    """Return whether *path* is a folder; a name that is too long is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


@lru_cache(maxsize=1024)
def _terms(pack: Pack, folder: str, name: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for root in pack._roots():
        place = root.joinpath(*folder.split("/"))
        if (place / f"{name}.txt").is_file():
            found = dict.fromkeys(lines(place / f"{name}.txt"))
        found |= dict.fromkeys(lines(place / f"{name}.extra.txt"))
        for term in lines(place / f"{name}.except.txt"):
            found.pop(term, None)
    return tuple(found)


def load(item: Traversable, shown: str | None = None) -> Mapping[str, Any]:
    """Return the mapping that a YAML file holds.

    Args:
        item: The file.
        shown: Its name in errors [default: without its folder].

    Raises:
        PackError: The file is not YAML in UTF-8, or not a mapping.
    """
    try:
        data = yaml.load(item.read_text("utf-8"), _YAML)
    except (yaml.YAMLError, ValueError, OSError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark else ""
        raise PackError(shown or item.name, f"is not YAML in UTF-8{where}") from None
    if not isinstance(data, dict):
        raise PackError(shown or item.name, "is not a mapping of keys to values")
    return data


def lines(item: Traversable) -> list[str]:
    """Return a list's lines without comments and empty lines; empty if the file is missing."""
    if not item.is_file():
        return []
    try:
        text = item.read_text("utf-8")
    except ValueError:
        raise PackError(item.name, "is not in UTF-8") from None
    listed = (line.strip(" ") for line in text.splitlines())
    return [line for line in listed if line and not line.startswith("#")]
