"""The lists that surrogates are drawn from: ``operators/gazetteers/`` of the pack in use."""

from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack, lines


@lru_cache(maxsize=512)
def terms(name: str, pack: str | None = None) -> tuple[str, ...]:
    """The list *name*: ``NAME.txt`` and ``NAME.extra.txt`` less ``NAME.except.txt``, in order.

    Args:
        name: The file's name without ``.txt``.
        pack: A folder with ``operators/`` in it; what it lacks is taken from the shipped pack.

    Raises:
        PackError: There is no such list, or nothing in it.
    """
    listed = [*_lines(f"{name}.txt", pack), *_lines(f"{name}.extra.txt", pack)]
    out = set(_lines(f"{name}.except.txt", pack))
    found = tuple(dict.fromkeys(term for term in listed if term not in out))
    if not found:
        raise PackError("operators/", f"no list gazetteers/{name}.txt")
    return found


@lru_cache(maxsize=64)
def rows(name: str, pack: str | None = None) -> tuple[dict[str, str], ...]:
    """The rows of ``NAME.tsv``, whose first line names the columns; a cell may be empty.

    Raises:
        PackError: There is no such table, or a row has more or fewer cells than columns.
    """
    listed = _lines(f"{name}.tsv", pack)
    if len(listed) < 2:
        raise PackError("operators/", f"no table gazetteers/{name}.tsv")
    columns = listed[0].split("\t")
    found = []
    for line in listed[1:]:
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != len(columns):
            raise PackError(f"{name}.tsv", f"row {cells[0]!r} has not {len(columns)} cells")
        found.append(dict(zip(columns, cells, strict=True)))
    return tuple(found)


def _lines(file: str, pack: str | None) -> list[str]:
    roots: list[Traversable] = [Path(pack)] if pack else []
    for root in [*roots, Pack.shipped().root]:
        item = root / "operators" / "gazetteers" / file
        if item.is_file():
            return lines(item)
    return []
