"""List, read and assemble Parquet files whose columns hold texts or images.

Columns of strings are read as texts, columns of bytes as files, and columns of structs with a field
``bytes``, as Hugging Face writes images, as files, too. Other columns are left out, unless they are
named to be copied: a number may be an identifier.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from presidio_cdip.errors import MissingDependency

_BATCH = {True: 64, False: 1024}  # rows in memory at a time: with and without files among them


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingDependency(
            "the Python package pyarrow, which Parquet files need,",
            'pip install "presidio-cdip[datasets]"',
        ) from None


def _columns(schema: Any) -> dict[str, str]:
    """Return for each column ``text``, ``bytes`` or ``struct``; ``""`` where it is not read."""
    arrow, _ = _pyarrow()
    kinds = arrow.types
    found = {}
    for column in schema:
        of = column.type
        if kinds.is_string(of) or kinds.is_large_string(of):
            found[column.name] = "text"
        elif kinds.is_binary(of) or kinds.is_large_binary(of):
            found[column.name] = "bytes"
        elif kinds.is_struct(of) and kinds.is_binary(_field(of, "bytes")):
            found[column.name] = "struct"
        else:
            found[column.name] = ""
    return found


def _field(struct: Any, name: str) -> Any:
    arrow, _ = _pyarrow()
    at = struct.get_field_index(name)
    return struct.field(at).type if at >= 0 else arrow.null()


def cells(file: BinaryIO) -> Iterator[tuple[str, int, int]]:
    """Yield name, size and row of each cell that is read, and the columns that are not.

    Sizes are not known: they are 0, and those of columns that are not read are negative.
    """
    _, parquet = _pyarrow()
    opened = parquet.ParquetFile(file)
    columns = _columns(opened.schema_arrow)
    yield from ((f"columns/{name}", -1, -1) for name, kind in columns.items() if not kind)
    names = [name for name, kind in columns.items() if kind]
    for row in range(opened.metadata.num_rows):
        for name in names:
            yield f"{row:09}/{name}", 0, row


def reader(file: BinaryIO) -> Callable[[str, int, int], bytes]:
    """Return a function that reads cells; it is fast where they are read in the order of rows."""
    _, parquet = _pyarrow()
    opened = parquet.ParquetFile(file)
    kinds = _columns(opened.schema_arrow)
    starts = [0]
    for group in range(opened.num_row_groups):
        starts.append(starts[-1] + opened.metadata.row_group(group).num_rows)
    kept: dict[int, Any] = {}

    def read(name: str, size: int, row: int) -> bytes:
        group = next(at for at in range(len(starts)) if starts[at + 1] > row)
        if group not in kept:
            kept.clear()
            kept[group] = opened.read_row_group(group, columns=[one for one in kinds if kinds[one]])
        column = name.partition("/")[2]
        return _bytes_of(kept[group].column(column)[row - starts[group]].as_py())

    return read


def _bytes_of(value: Any) -> bytes:
    if isinstance(value, Mapping):
        value = value["bytes"]
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return value or b""


def assemble(
    file: BinaryIO,
    target: Path,
    contents: Callable[[str], bytes | None],
    copied: Iterable[str],
) -> None:
    """Write a table with other texts and images; a cell without contents is null."""
    arrow, parquet = _pyarrow()
    opened = parquet.ParquetFile(file)
    asked = set(copied)
    kinds = _columns(opened.schema_arrow)
    names = [name for name, kind in kinds.items() if name in asked or kind]
    schema = arrow.schema([opened.schema_arrow.field(name) for name in names])
    row = 0
    with parquet.ParquetWriter(target, schema) as written:
        batch_size = _BATCH[not {"bytes", "struct"}.isdisjoint(kinds.values())]
        for batch in opened.iter_batches(batch_size, columns=names):
            columns = []
            for name in names:
                column = batch.column(name)
                if name not in asked:
                    values = [
                        _value(kinds[name], old.as_py(), contents(f"{row + at:09}/{name}"))
                        for at, old in enumerate(column)
                    ]
                    column = arrow.array(values, schema.field(name).type)
                columns.append(column)
            written.write_batch(arrow.record_batch(columns, schema=schema))
            row += batch.num_rows


def _value(kind: str, old: Any, new: bytes | None) -> Any:
    if old is None or new is None:
        return None
    if kind == "text":
        return new.decode("utf-8", "surrogatepass")
    if kind == "struct":  # the path may name a person, and other fields hold anything
        return {name: None for name in old} | {"bytes": new}
    return new
