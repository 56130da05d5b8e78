"""Split a source into shards: the units that are treated, committed and repeated as a whole."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from presidio_cdip.datasets.manifest import suffix_of
from presidio_cdip.datasets.sources import DOCUMENT, LOOSE, Group, Source

SMALLEST, LARGEST = 1, 4096
USUAL = 128  # documents of a shard


@dataclass(frozen=True)
class Shard:
    """Some groups of a source.

    Attributes:
        number: From 0, in the order of the source.
        archive: The archive that holds them; LOOSE for loose files.
        groups: The groups.
    """

    number: int
    archive: str
    groups: tuple[Group, ...]

    @cached_property
    def documents(self) -> int:
        """Return the number of its files that are documents."""
        return sum(one.role == DOCUMENT for group in self.groups for one in group.members)

    @cached_property
    def files(self) -> int:
        """Return the number of its files."""
        return sum(len(group.members) for group in self.groups)

    @cached_property
    def digest(self) -> str:
        """Return a hash of the names, sizes and roles of its files."""
        hashed = hashlib.sha256()
        for group in self.groups:
            for one in group.members:
                row = f"{one.name}\0{one.size}\0{one.role}\0{group.scope}\n"
                hashed.update(row.encode("utf-8", "surrogatepass"))
        return hashed.hexdigest()


def plan(source: Source, size: int = USUAL) -> Iterator[Shard]:
    """Yield the shards of *source*, without reading any document.

    Args:
        source: The source.
        size: The files of a shard, at least; a group is never parted.

    Raises:
        UnreadableInput: The source does not exist, or a folder of it cannot be listed.
    """
    number = 0
    for archive, groups in source.groups():
        waiting: list[Group] = []
        files = 0
        for group in groups:
            waiting.append(group)
            files += len(group.members)
            if files >= size:
                yield Shard(number, archive, tuple(waiting))
                number, waiting, files = number + 1, [], 0
        if waiting:
            yield Shard(number, archive, tuple(waiting))
            number += 1


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a plan.

    Attributes:
        shards: The shards.
        files: The files in them.
        documents: The documents among the files.
        archives: The archives, with the numbers of their shards: first, and after the last.
        suffixes: How many files have each suffix.
    """

    shards: int
    files: int
    documents: int
    archives: dict[str, tuple[int, int]]
    suffixes: Counter[str] = field(default_factory=Counter)


def size_of(shards: Iterator[Shard]) -> Size:
    """Count a plan."""
    count = files = documents = 0
    archives: dict[str, tuple[int, int]] = {}
    suffixes: Counter[str] = Counter()
    for one in shards:
        suffixes.update(suffix_of(file.name) for group in one.groups for file in group.members)
        count += 1
        files += one.files
        documents += one.documents
        if one.archive != LOOSE:
            first = archives.get(one.archive, (one.number, 0))[0]
            archives[one.archive] = (first, one.number + 1)
    return Size(count, files, documents, archives, suffixes)
