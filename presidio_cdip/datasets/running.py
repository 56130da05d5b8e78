"""Run a treatment over a source: begin or resume, schedule shards, assemble archives, seal."""

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.archives import damaged, kind_of
from presidio_cdip.datasets.engines.local import Engine
from presidio_cdip.datasets.identity import Treatment, differences, digest
from presidio_cdip.datasets.manifest import Row, Totals
from presidio_cdip.datasets.shards import USUAL, Shard, Size, plan, size_of
from presidio_cdip.datasets.sources import Rules, Source
from presidio_cdip.datasets.stores import Local, Store, is_url, store
from presidio_cdip.datasets.supervision import PROGRAM, Limits
from presidio_cdip.datasets.work import Plan, ShardDone, archive_reader, outputs_in, part_of
from presidio_cdip.errors import InvalidOption, OutputError, UnreadableInput

ENGINES = ("local", "ray", "dask")


@dataclass(frozen=True)
class Job:
    """Describe a run.

    Attributes:
        source: A folder, an archive, a file, or a URL of one.
        target: The folder or URL to write to.
        treatment: How documents are treated.
        rules: How other files are treated.
        limits: The time and memory that a document may take.
        size: The files of a shard.
        copy_unread: Whether files that could not be read are copied.
        only_failed: Whether documents that failed are tried again.
        engine: One of ENGINES.
        jobs: How many shards are treated at a time.
        program: The program of children.
    """

    source: str
    target: str
    treatment: Treatment
    rules: Rules = field(default_factory=Rules)
    limits: Limits = field(default_factory=Limits)
    size: int = USUAL
    copy_unread: bool = False
    only_failed: bool = False
    engine: str = "local"
    jobs: int = 1
    program: tuple[str, ...] = PROGRAM

    def identity(self) -> dict[str, Any]:
        """Return the inputs and options that decide the output."""
        return {
            **self.treatment.identity(),
            "source": {
                "name": self.source.rstrip("/").rpartition("/")[2],
                "copy": sorted(self.rules.copy),
                "sidecars": sorted(self.rules.sidecars),
                "copy_unread": self.copy_unread,
                "shard": self.size,
            },
        }


class Watcher:
    """Receive the progress of a run; override the methods you need."""

    def planned(self, size: Size, committed: Totals) -> None:
        """Receive the size of the run, and the totals committed before."""

    def advance(self, row: Row) -> None:
        """Receive the row of a treated file; called from any thread."""

    def committed(self, done: ShardDone) -> None:
        """Receive a shard that was committed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold the totals of a run, with those of its earlier parts.

    Attributes:
        totals: Counts of all rows.
        shards: The number of shards.
        seal: The hash of all manifests.
        problems: The problems of archives.
    """

    totals: Totals
    shards: int
    seal: str
    problems: tuple[str, ...] = ()


def run(job: Job, watcher: Watcher | None = None, engine: Engine | None = None) -> Outcome:
    """Run *job*, or resume it.

    Args:
        job: What to run.
        watcher: Receives the progress.
        engine: Schedules the shards [default: the one that *job* names].

    Raises:
        InvalidOption: Another run was begun there, or the source was changed since.
        OutputError: The target cannot be used.
        UnreadableInput: The source does not exist.
        Refused: No document can be treated.
    """
    watcher = watcher or Watcher()
    source, target = Source(job.source, job.rules), store(job.target)
    _check_apart(job.source, job.target)
    with ExitStack() as stack:
        size = size_of(plan(source, job.size))
        identity = job.identity()
        _begin(target, identity)
        stack.enter_context(_alone(target))
        target.clean()
        done = _committed(target, digest(identity))
        before = Totals()
        for one in done.values():
            before.update(one.totals)
        watcher.planned(size, before)
        assembling = _Assembling(source, target, size, job.rules)
        made = Plan(
            job.source, job.target, job.treatment, digest(identity),
            {name: value for name, value in identity.items() if name != "source"}, job.rules,
            job.limits, job.copy_unread, job.size, job.program,
        )  # fmt: skip
        shards = _left(plan(source, job.size), target, done, job.only_failed)
        schedule = engine or engine_named(job.engine)
        results = schedule(made, shards, job.jobs, watcher.advance)
        try:
            for one in results:
                done[one.number] = one
                watcher.committed(one)
        finally:
            if close := getattr(results, "close", None):
                close()
        for archive in size.archives:
            assembling.assemble(archive)
        return _sealed(target, digest(identity), done, size, assembling.problems)


def engine_named(name: str) -> Engine:
    """Return the engine *name*.

    Raises:
        MissingDependency: Its extra is not installed.
    """
    engine: Engine = import_module(f"presidio_cdip.datasets.engines.{name}").run
    return engine


def _check_apart(source: str, target: str) -> None:
    """Check that none of the two lies in the other."""
    if is_url(source) or is_url(target):
        apart = not f"{target}/".startswith(f"{source.rstrip('/')}/")
    else:
        one, other = Path(source).resolve(), Path(target).resolve()
        apart = not (one.is_relative_to(other) or other.is_relative_to(one))
    if not apart:
        raise OutputError(target, "source and output lie in each other: write to another folder")


def _begin(target: Store, identity: Mapping[str, Any]) -> None:
    """Check that the run in *target*, if there is one, is this one; begin it otherwise."""
    if not target.exists(manifest.RUN):
        if any(one.name != manifest.FOLDER for one in target.listing()) or target.listing(
            manifest.SHARDS
        ):
            raise OutputError("the output folder", "is not empty, and holds no run to go on with")
        data = json.dumps(identity, indent=2, sort_keys=True)
        if target.create(manifest.RUN, f"{data}\n".encode()):
            return
    try:
        before = json.loads(target.read(manifest.RUN))
    except ValueError:
        raise InvalidOption(f"{manifest.RUN} is damaged: write to another folder") from None
    if different := differences(before, identity):
        raise InvalidOption(
            f"the run there was begun with other values of: {', '.join(different)}; "
            "give the same, or write to another folder"
        )


@contextmanager
def _alone(target: Store) -> Iterator[None]:
    """Refuse a second run on the same local folder at the same time."""
    if not isinstance(target, Local) or os.name != "posix":
        yield
        return
    import fcntl

    with (target.folder / manifest.RUN).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OutputError(target.folder, "another run is writing there") from None
        yield


def _committed(target: Store, run: str) -> dict[int, ShardDone]:
    """Return the shards that were committed."""
    found = {}
    for number in manifest.numbers(target):
        made, chain, problems = manifest.read(target, number)
        if problems or made.head["run"] != run or made.head["shard"] != number:
            raise InvalidOption(
                f"{manifest.file_of(number)}: is not of this run, or was changed; remove it, and "
                "its shard is treated again"
            )
        found[number] = ShardDone.of(made, chain)
    return found


def _left(
    shards: Iterator[Shard], target: Store, done: Mapping[int, ShardDone], only_failed: bool
) -> Iterator[Shard]:
    """Yield the shards that are to be treated."""
    for shard in shards:
        before = done.get(shard.number)
        if before is None or (only_failed and before.failed):
            yield shard
        elif manifest.head(target, shard.number)["plan"] != shard.digest:
            raise InvalidOption(
                f"the source was changed since shard {shard.number} was treated; "
                "write to another folder"
            )


@dataclass
class _Assembling:
    """Assemble the outputs of shards in archives like those of the source."""

    source: Source
    target: Store
    size: Size
    rules: Rules
    problems: tuple[str, ...] = ()

    def assemble(self, archive: str) -> None:
        """Write *archive*, unless it is written already."""
        first, end = self.size.archives[archive]
        parts = [name for name in map(part_of, range(first, end)) if self.target.exists(name)]
        if not parts:
            return
        kind = kind_of(archive)
        assert kind is not None
        try:
            with ExitStack() as stack:
                place = tempfile.TemporaryDirectory(dir=self.target.workplace())
                made = Path(stack.enter_context(place)) / "archive"
                contents = self._contents(archive, parts, stack)
                file = stack.enter_context(self.source.files.open(archive))
                with damaged(archive):
                    kind.assemble(file, archive, made, contents, self.rules.copy)
                self.target.write_from(archive, made)
        except UnreadableInput as error:
            self.problems += (str(error),)
            return
        for name in parts:
            self.target.remove(name)

    def _contents(
        self, archive: str, parts: list[str], stack: ExitStack
    ) -> Callable[[str], bytes | None]:
        """Return a function that gives the new bytes of a member: a part's, or the archive's."""
        places = {}
        for part in parts:
            for name in outputs_in(self.target.read(part)):
                places[name] = part
        before = members(self.target, archive, stack) if self.target.exists(archive) else {}
        kept: dict[str, dict[str, bytes]] = {}

        def contents(name: str) -> bytes | None:
            part = places.get(name)
            if part is None:
                return before[name]() if name in before else None
            if part not in kept:
                kept.clear()
                kept[part] = outputs_in(self.target.read(part))
            return kept[part][name]

        return contents


def members(files: Store, archive: str, stack: ExitStack) -> dict[str, Callable[[], bytes]]:
    """Return functions that read the members of an archive, by name.

    Raises:
        UnreadableInput: It is missing or damaged.
    """
    kind = kind_of(archive)
    assert kind is not None
    with files.open(archive) as file:
        listed = list(kind.members(file, archive))
    read = archive_reader(files, archive, stack)

    def reading(name: str, size: int, at: int) -> Callable[[], bytes]:
        return lambda: read(name, size, at)

    return {name: reading(name, size, at) for name, size, at in listed if size >= 0}


def _sealed(
    target: Store,
    run: str,
    done: Mapping[int, ShardDone],
    size: Size,
    problems: tuple[str, ...],
) -> Outcome:
    """Write the seal of a run that is complete."""
    totals = Totals()
    for one in done.values():
        totals.update(one.totals)
    chain = sealed(run, (done[number].chain for number in sorted(done)))
    seal = {"run": run, "shards": len(done), "totals": totals.as_json(), "seal": chain}
    target.write(manifest.SEAL, f"{manifest.encoded(seal)}\n".encode())
    target.clean()
    return Outcome(totals, size.shards, chain, problems)


def sealed(run: str, chains: Iterator[str]) -> str:
    """Return the hash of all manifests of a run."""
    return manifest.sha256("\n".join([run, *chains]).encode())
