"""List the documents of a source lazily: loose files of a folder, and members of archives.

A source is a folder, an archive, a single file, or a URL of one of them. An archive within a folder
is opened, too. What is listed are *groups*: documents that are treated one after another with one
scope, so that they get equal surrogates. A group is a file with its side-cars, the members of one
key of a WebDataset tar, or a row of a Parquet file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from presidio_cdip.datasets.archives import ARCHIVES, TAR, Kind, kind_of
from presidio_cdip.datasets.manifest import FOLDER as MANIFEST
from presidio_cdip.datasets.sidecars.kinds import KINDS, SidecarKind
from presidio_cdip.datasets.stores import (
    FOLDER,
    OUTSIDE,
    Listed,
    Listing,
    Store,
    is_url,
    is_within,
    store,
    walk,
)
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.files.folders import IMAGES

DOCUMENT, COPY, UNREAD = "document", "copy", "unread"
LOOSE = ""  # the archive of files that are in none
_PAGES = IMAGES | {".pdf"}


@dataclass(frozen=True, slots=True)
class Member:
    """A file of a source.

    Attributes:
        name: Its path in the source; that of a member of an archive begins with the archive's.
        size: Its bytes; 0 where they are not known before it is read.
        role: DOCUMENT, COPY, UNREAD, or the kind of a side-car.
        at: Where it is in its archive: the offset in a tar, the row of a table.
    """

    name: str
    size: int
    role: str = DOCUMENT
    at: int = -1


class Group(NamedTuple):
    """Files that are treated one after another, with one scope.

    Attributes:
        scope: The name of their scope.
        members: The files; side-cars come after their page.
    """

    scope: str
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """Decide how files that are no documents are treated.

    Attributes:
        copy: Suffixes of files, and names of columns, that are copied as they are.
        sidecars: The kinds of side-cars, by name.
    """

    copy: tuple[str, ...] = ()
    sidecars: tuple[str, ...] = ()

    @property
    def kinds(self) -> Sequence[SidecarKind]:
        """Return the kinds of side-cars."""
        return [KINDS[name] for name in self.sidecars]

    def role(self, name: str) -> str:
        """Return the role of a file that is no side-car."""
        return COPY if name.lower().endswith(tuple(one.lower() for one in self.copy)) else DOCUMENT


@dataclass(frozen=True)
class Source:
    """A collection of documents.

    Attributes:
        place: A folder, a file, or a URL of one.
        rules: What becomes of files that are no documents.
    """

    place: str
    rules: Rules = field(default_factory=Rules)

    @cached_property
    def only(self) -> str:
        """Return the name of the file, where the source is one."""
        place = self.place.rstrip("/")
        name = place.rpartition("/")[2]
        if is_url(place):
            return name if kind_of(name) or PurePosixPath(name).suffix else ""
        return "" if Path(place).is_dir() else Path(place).name

    @cached_property
    def files(self) -> Store:
        """Return the folder that the source is, or in which it is."""
        if not self.only:
            return store(self.place)
        if is_url(self.place):
            return store(self.place.rstrip("/").rpartition("/")[0])
        return store(str(Path(self.place).parent))

    def groups(self) -> Iterator[tuple[str, Iterator[Group]]]:
        """Yield the name of each archive with its groups; LOOSE comes first.

        Raises:
            UnreadableInput: The source does not exist.
        """
        if not self._exists():
            raise UnreadableInput(self.place, "does not exist, or is empty")
        archives: list[Listed] = []
        yield LOOSE, self._loose(archives)
        for archive in archives:
            yield archive.name, self._in_archive(archive.name)

    def _exists(self) -> bool:
        if self.only:
            return self.files.exists(self.only)
        return bool(self.files.listing())

    def _loose(self, archives: list[Listed]) -> Iterator[Group]:
        """Yield the groups of loose files; add the archives among them to *archives*."""
        files: Listing = _Single(self.files, self.only) if self.only else self.files
        pairs = _Pairs(files, self.rules.kinds)
        for folder, found in walk(files):
            if folder.split("/")[0] == MANIFEST:  # of an earlier run
                continue
            for one in found:
                name = f"{folder}/{one.name}" if folder else one.name
                if one.size != OUTSIDE and kind_of(name) and not self._copied(name):
                    archives.append(Listed(name, one.size))
                elif not pairs.is_sidecar(folder, one.name):
                    yield Group(name, self._members("", folder, one, pairs))

    def _copied(self, name: str) -> bool:
        return self.rules.role(name) == COPY

    def _in_archive(self, archive: str) -> Iterator[Group]:
        kind = kind_of(archive)
        assert kind is not None
        try:
            with self.files.open(archive) as file:
                yield from self._of(kind, archive, kind.members(file, archive))
        except UnreadableInput:
            yield Group(archive, (Member(archive, 0, UNREAD),))

    def _of(
        self, kind: Kind, archive: str, found: Iterator[tuple[str, int, int]]
    ) -> Iterator[Group]:
        if kind.rows:
            yield from _by_row(archive, found, self.rules)
            return
        places: dict[str, tuple[int, int]] = {}
        refused = []
        for name, size, at in found:
            if name in places or size < 0 or not is_within(name):
                refused.append(Member(f"{archive}/{name}", 0, UNREAD))
            else:
                places[name] = (size, at)
        yield from self._indexed(archive, places, kind is ARCHIVES[TAR])
        for one in refused:
            yield Group(one.name, (one,))

    def _indexed(
        self, archive: str, places: dict[str, tuple[int, int]], by_key: bool
    ) -> Iterator[Group]:
        index = _Index({name: size for name, (size, _) in places.items()})
        pairs = _Pairs(index, self.rules.kinds)
        for folder, listed in walk(index):
            waiting: dict[str, list[Member]] = {}
            for one in listed:
                if pairs.is_sidecar(folder, one.name):
                    continue
                members = self._members(archive, folder, one, pairs, places)
                key = one.name.partition(".")[0] if by_key else one.name
                waiting.setdefault(key, []).extend(members)
            for key, together in waiting.items():
                documents = [one for one in together if one.role not in KINDS]
                rest = [one for one in together if one.role in KINDS]
                scope = "/".join(filter(None, (archive, folder, key)))
                yield Group(scope, (*documents, *rest))

    def _members(
        self,
        archive: str,
        folder: str,
        one: Listed,
        pairs: "_Pairs",
        places: dict[str, tuple[int, int]] | None = None,
    ) -> tuple[Member, ...]:
        name = f"{folder}/{one.name}" if folder else one.name
        role = UNREAD if one.size == OUTSIDE else self.rules.role(name)
        named = [(name, max(0, one.size), role)]
        if role == DOCUMENT:
            named += pairs.sidecars(folder, one.name)
        before = f"{archive}/" if archive else ""
        at = places or {}
        return tuple(
            Member(before + name, size, role, at.get(name, (0, -1))[1])
            for name, size, role in named
        )


def _by_row(archive: str, found: Iterator[tuple[str, int, int]], rules: Rules) -> Iterator[Group]:
    """Yield the cells of each row; *found* has them in order."""
    row: list[Member] = []
    for name, size, at in found:
        column = name.partition("/")[2]
        if column in rules.copy:  # the assembly copies the column
            continue
        if size < 0:
            yield Group(archive, (Member(f"{archive}/{name}", 0, UNREAD),))
            continue
        if row and row[0].at != at:
            yield Group(row[0].name.rpartition("/")[0], tuple(row))
            row = []
        row.append(Member(f"{archive}/{name}", 0, DOCUMENT, at))
    if row:
        yield Group(row[0].name.rpartition("/")[0], tuple(row))


@dataclass(frozen=True)
class _Single:
    """A folder of which one file is seen."""

    files: Store
    name: str

    def listing(self, folder: str = "") -> list[Listed]:
        return [] if folder else [one for one in self.files.listing() if one.name == self.name]


class _Index:
    """Names of an archive's members, as folders."""

    def __init__(self, sizes: dict[str, int]) -> None:
        folders: dict[str, dict[str, int]] = {"": {}}
        for name, size in sizes.items():
            folder, _, last = name.rpartition("/")
            self._enter(folders, folder)
            folders[folder][last] = size
        self._folders = folders

    def _enter(self, folders: dict[str, dict[str, int]], folder: str) -> None:
        while folder not in folders:
            folders[folder] = {}
            above, _, last = folder.rpartition("/")
            folders.setdefault(above, {})[last] = FOLDER
            folder = above

    def listing(self, folder: str = "") -> list[Listed]:
        return sorted(Listed(*one) for one in self._folders.get(folder, {}).items())


class _Pairs:
    """Pairs of pages and side-cars: by name, in the same folder or a sibling."""

    def __init__(self, files: Listing, kinds: Sequence[SidecarKind]) -> None:
        self._kinds = kinds
        self._names = lru_cache(maxsize=16)(
            lambda folder: {one.name: one.size for one in files.listing(folder)}
        )

    def sidecars(self, folder: str, name: str) -> list[tuple[str, int, str]]:
        """Return name, size and kind of each side-car of a page."""
        stem, dot, suffix = name.rpartition(".")
        if not dot or f".{suffix.lower()}" not in _PAGES:
            return []
        above = folder.rpartition("/")[0]
        found: dict[str, tuple[str, int, str]] = {}
        for kind in self._kinds:
            places = [folder, *("/".join(filter(None, (above, one))) for one in kind.folders)]
            for place in places if folder else places[:1]:
                for end in kind.suffixes:
                    size = self._names(place).get(stem + end, FOLDER)
                    path = "/".join(filter(None, (place, stem + end)))
                    if size >= 0 and path not in found:
                        found[path] = (path, size, kind.name)
        return list(found.values())

    def is_sidecar(self, folder: str, name: str) -> bool:
        """Return whether a page has *name* as its side-car."""
        for kind in self._kinds:
            for end in kind.suffixes:
                if name.endswith(end) and self._has_page(kind, folder, name.removesuffix(end)):
                    return True
        return False

    def _has_page(self, kind: SidecarKind, folder: str, stem: str) -> bool:
        above, _, last = folder.rpartition("/")
        places = [folder]
        if last in kind.folders:
            places += [
                "/".join(filter(None, (above, one)))
                for one, size in self._names(above).items()
                if size == FOLDER and one not in kind.folders
            ]
        return any(
            self._names(place).get(stem + end, FOLDER) >= 0
            for place in places
            for suffix in _PAGES
            for end in (suffix, suffix.upper())
        )
