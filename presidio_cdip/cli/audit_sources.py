"""Read the documents of collections of any kind for an audit, as `run` reads them."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from presidio_cdip.datasets.archives import Read, damaged
from presidio_cdip.datasets.sources import LOOSE, UNREAD, Member, Source
from presidio_cdip.datasets.stores import is_url
from presidio_cdip.datasets.work import LARGEST, archive_reader
from presidio_cdip.errors import UnreadableInput
from presidio_cdip.evaluation.reading import Item


def items(places: Sequence[str], stack: ExitStack, output: Path | None = None) -> list[Item]:
    """Return the documents of *places*; each place is a dataset.

    Args:
        places: Folders, archives, files, or URLs of them.
        stack: Closes the archives that are read.
        output: A folder that is left out, where an earlier audit lies.

    Raises:
        UnreadableInput: A place does not exist, or is empty.
    """
    names = [_name(place) for place in places]
    unique = len(set(names)) == len(names)
    return [
        item
        for place, name in zip(places, names, strict=True)
        for item in _items(place, name if unique else place, _inside(output, place), stack)
    ]


def _name(place: str) -> str:
    return place.rstrip("/").rpartition("/")[2] if is_url(place) else Path(place).resolve().name


def _inside(output: Path | None, place: str) -> str:
    """Return the beginning of the names of files in *output*, if that is in *place*; else ""."""
    if (
        output is None
        or is_url(place)
        or not output.resolve().is_relative_to(Path(place).resolve())
    ):
        return ""
    within = output.resolve().relative_to(Path(place).resolve()).as_posix()
    return "" if within == "." else f"{within}/"


def _items(place: str, dataset: str, left_out: str, stack: ExitStack) -> Iterator[Item]:
    source = Source(place)
    opened = _Opened(source)
    stack.callback(opened.close)
    for archive, groups in source.groups():
        for group in groups:
            for one in group.members:
                if not (left_out and one.name.startswith(left_out)):
                    yield Item(dataset, one.name, partial(opened.load, archive, one))


class _Opened:
    """Read files of a source; the archive that was read last stays open."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._archive = LOOSE
        self._stack = ExitStack()
        self._read: Read | None = None

    def close(self) -> None:
        """Close the archive that is open."""
        self._stack.close()
        self._read = None

    def load(self, archive: str, one: Member) -> bytes:
        """Return the bytes of *one*.

        Raises:
            UnreadableInput: It cannot be read.
        """
        if one.role == UNREAD:
            raise UnreadableInput(
                one.name, "is a link, a device, encrypted, or of another kind that is not read"
            )
        if one.size > LARGEST:
            raise UnreadableInput(one.name, f"has more than {LARGEST:,} bytes")
        if archive == LOOSE:
            return self._source.files.read(one.name)
        if self._read is None or archive != self._archive:
            self.close()
            self._read = archive_reader(self._source.files, archive, self._stack)
            self._archive = archive
        with damaged(one.name):
            return self._read(one.name.removeprefix(f"{archive}/"), one.size, one.at)
