"""Read the lists that surrogates are drawn from: ``operators/gazetteers/`` of a pack."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack, lines

FOLDER = "operators/gazetteers"


def pack_of(options: Mapping[str, Any]) -> Pack:
    """Return the pack that *options* name, the parameters of a draw."""
    pack: Pack = options["pack"]
    return pack


def terms(name: str, pack: Pack) -> tuple[str, ...]:
    """Return the terms of the list *name*, in the order of `Pack.terms`.

    Args:
        name: The file's name without ``.txt``.
        pack: The pack in use.

    Raises:
        PackError: The list does not exist, or is empty.
    """
    found = pack.terms(FOLDER, name)
    if not found:
        raise pack.unlisted(FOLDER, f"{name}.txt", "operators/")
    return found


@lru_cache(maxsize=64)
def rows(name: str, pack: Pack) -> tuple[dict[str, str], ...]:
    """Return the rows of ``NAME.tsv`` by column; the first line names the columns.

    Cells may be empty.

    Raises:
        PackError: The table does not exist, or a row has more or fewer cells than columns.
    """
    item = pack.file(f"{FOLDER}/{name}.tsv")
    listed = lines(item) if item else []
    if len(listed) < 2:
        raise pack.unlisted(FOLDER, f"{name}.tsv", "operators/")
    columns = listed[0].split("\t")
    found = []
    for line in listed[1:]:
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != len(columns):
            raise PackError(f"{name}.tsv", f"row {cells[0]!r} has not {len(columns)} cells")
        found.append(dict(zip(columns, cells, strict=True)))
    return tuple(found)
