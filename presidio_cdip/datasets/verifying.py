"""Check that the outputs of a run are what its manifests say."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.identity import digest
from presidio_cdip.datasets.manifest import Manifest, Row, Totals
from presidio_cdip.datasets.running import members, sealed
from presidio_cdip.datasets.sources import LOOSE
from presidio_cdip.datasets.stores import Store, store, walk
from presidio_cdip.errors import UnreadableInput


@dataclass(slots=True)
class Checked:
    """The results of a check.

    Attributes:
        totals: Counts of all rows.
        written: How many of these files have an output.
        different: What is not as the manifests say.
        unread: What could not be read.
        failed: Documents that were not written, with the reason.
        doubtful: Documents that were written with parts that nothing read, and how many.
    """

    totals: Totals = field(default_factory=Totals)
    written: int = 0
    different: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)
    doubtful: list[tuple[str, int]] = field(default_factory=list)


def verify(target: str) -> Checked:
    """Check the run in the folder or URL *target*.

    Raises:
        UnreadableInput: There is no run.
    """
    files = store(target)
    if not files.exists(manifest.RUN):
        raise UnreadableInput(target, "holds no run: there is no _manifest/run.json")
    checked = Checked()
    run = _run(files)
    chains: list[str] = []
    expected: set[str] = set()
    for number in manifest.numbers(files):
        try:
            made, chain, problems = manifest.read(files, number)
        except UnreadableInput as error:
            checked.unread.append(str(error))
            continue
        checked.different += problems
        if made.head.get("run") != run or made.head.get("shard") != number:
            name = manifest.file_of(number)
            checked.different.append(f"{name}: is not of this run, or not of this place in it")
        chains.append(chain)
        _rows(files, made, checked, expected)
    _seal(files, run, chains, checked)
    for name in _files(files):
        if name not in expected:
            checked.different.append(f"{name}: no manifest names it")
    return checked


def _run(files: Store) -> str:
    try:
        return digest(json.loads(files.read(manifest.RUN)))
    except ValueError:
        raise UnreadableInput(manifest.RUN, "is damaged") from None


def _rows(files: Store, made: Manifest, checked: Checked, expected: set[str]) -> None:
    """Check the rows of a shard, and its outputs."""
    archive = made.head.get("archive", LOOSE)
    seen = set()
    with ExitStack() as stack:
        inside = {}
        if archive != LOOSE and any(row.output for row in made.rows):
            expected.add(archive)
            try:
                inside = members(files, archive, stack)
            except UnreadableInput as error:
                checked.unread.append(str(error))
                return
        for row in made.rows:
            checked.totals.add(row)
            if row.document in seen or (archive == LOOSE and row.document in expected):
                checked.different.append(f"{row.document}: is named twice")
            seen.add(row.document)
            checked.failed += [(row.document, problem) for problem in row.problems]
            if not row.output:
                continue
            checked.written += 1
            checked.doubtful += [(row.document, row.unread)] if row.unread else []
            try:
                if archive == LOOSE:
                    expected.add(row.document)
                    data = files.read(row.document)
                else:
                    data = inside[row.document.removeprefix(f"{archive}/")]()
            except (UnreadableInput, KeyError):
                checked.different.append(f"{row.document}: is missing")
                continue
            _compare(row, data, checked)


def _compare(row: Row, data: bytes, checked: Checked) -> None:
    if manifest.sha256(data) != row.output:
        checked.different.append(f"{row.document}: is not what was written")


def _seal(files: Store, run: str, chains: list[str], checked: Checked) -> None:
    """Check that no manifest is missing."""
    if not files.exists(manifest.SEAL):
        checked.different.append(f"{manifest.SEAL}: is missing: the run is not complete")
        return
    try:
        seal = json.loads(files.read(manifest.SEAL))
        stated = seal["run"], seal["shards"], seal["seal"], seal["totals"]
    except (ValueError, KeyError, TypeError):
        checked.unread.append(f"{manifest.SEAL}: is damaged")
        return
    if stated != (run, len(chains), sealed(run, iter(chains)), checked.totals.as_json()):
        checked.different.append(
            f"{manifest.SEAL}: seals other manifests: one is missing, added or changed"
        )


def _files(files: Store) -> Iterator[str]:
    """Yield the outputs that are there."""
    for folder, found in walk(files):
        if folder.split("/")[0] != manifest.FOLDER:
            yield from (f"{folder}/{one.name}" if folder else one.name for one in found)
