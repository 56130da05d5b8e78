"""Treat one shard: read its files, have them treated by a child, write and commit the results."""

import io
import tarfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from presidio_cdip.datasets import manifest
from presidio_cdip.datasets.archives import Read, damaged, kind_of
from presidio_cdip.datasets.frames import Answer, Piece
from presidio_cdip.datasets.identity import Treatment
from presidio_cdip.datasets.manifest import (
    COPIED,
    DONE,
    FAILED,
    NO_PAGE,
    UNREAD,
    Manifest,
    Row,
    Totals,
)
from presidio_cdip.datasets.shards import Shard
from presidio_cdip.datasets.sources import COPY, DOCUMENT, LOOSE, Group, Member, Rules, Source
from presidio_cdip.datasets.sources import UNREAD as NOT_READ
from presidio_cdip.datasets.stores import Store, store
from presidio_cdip.datasets.supervision import PROGRAM, Limits, Supervised
from presidio_cdip.errors import ExitCode, UnreadableInput

LARGEST = 500_000_000  # bytes of a file that is read
_WAITING = 4  # outputs that wait to be written
_TOO_LARGE = f"has more than {LARGEST:,} bytes: split it"
_NO_FILE = (
    "is of a kind that is not read: a link, a device, encrypted, a second file of its name, or a "
    "column of other values than texts and files"
)


@dataclass(frozen=True)
class Plan:
    """The plan of a run for its workers; it can be sent to other machines.

    Attributes:
        source: The source's place.
        target: The folder or URL to write to.
        treatment: What becomes of documents.
        rules: What becomes of other files.
        limits: What a document may cost.
        copy_unread: Whether files that nothing read are copied.
        run: The hash of the run's identity.
        identity: What decides the output, as `Treatment.identity` of the driver says.
        size: The files of a shard.
        program: The program of children.
    """

    source: str
    target: str
    treatment: Treatment
    run: str
    identity: Mapping[str, Any] = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)
    limits: Limits = field(default_factory=Limits)
    copy_unread: bool = False
    size: int = 128
    program: tuple[str, ...] = PROGRAM


@dataclass(frozen=True)
class ShardDone:
    """The record of a treated shard.

    Attributes:
        number: Its number.
        archive: The archive it is of.
        totals: Counts of its rows.
        chain: The last hash of its manifest.
        failed: Whether a file of it was not written, though it should be.
    """

    number: int
    archive: str
    totals: Totals
    chain: str
    failed: bool = False

    @classmethod
    def of(cls, made: Manifest, chain: str) -> "ShardDone":
        """Return the entry of a shard's manifest."""
        failed = any(is_failed(row) for row in made.rows)
        head = made.head
        return cls(head["shard"], head["archive"], manifest.totals_of(made.rows), chain, failed)


def _unheard(row: Row) -> None:
    """Do nothing."""


class Worker:
    """Treat shards, one after another, with a child.

    Runs in: one thread, on this machine or another.
    """

    def __init__(
        self,
        plan: Plan,
        stop: threading.Event | None = None,
        advance: Callable[[Row], None] = _unheard,
    ) -> None:
        self._plan = plan
        self._advance = advance
        self._source = Source(plan.source, plan.rules)
        self._target = store(plan.target)
        self._child = Supervised(plan.treatment.as_json(), plan.limits, stop, plan.program)

    def close(self) -> None:
        """End the child."""
        self._child.kill()

    def treat(self, shard: Shard) -> ShardDone:
        """Treat *shard* and commit it; files of an earlier attempt are written again.

        Groups whose files were all written by an earlier run stay as they are.

        Raises:
            Refused: No document can be treated.
            OutputError: An output cannot be written.
            Stopped: The run is to stop; the shard is not committed.
        """
        kept = self._kept(shard)
        outputs: dict[str, bytes] = {}
        rows: list[Row] = []
        with ExitStack() as stack:
            read = self._reader(shard, stack)
            # To wait for the disk takes longer than a text: the child treats the next meanwhile.
            writer = stack.enter_context(ThreadPoolExecutor(1))
            writing: deque[Future[None]] = deque()
            for group in shard.groups:
                names = [one.name for one in group.members]
                if all(name in kept for name in names):
                    rows += [kept[name] for name in names]
                    continue
                for row, data in self._group(group, read):
                    if row.output and shard.archive == LOOSE:
                        writing.append(writer.submit(self._target.write, row.document, data))
                    elif row.output:
                        outputs[row.document.removeprefix(f"{shard.archive}/")] = data
                    rows.append(row)
                    self._advance(row)
                while len(writing) > _WAITING:
                    writing.popleft().result()
            for one in writing:
                one.result()
        if shard.archive != LOOSE:
            self._target.write(part_of(shard.number), _tar(outputs))
        made = Manifest(head_of(shard, self._plan.run), rows)
        data, chain = made.written()
        self._target.write(manifest.file_of(shard.number), data)
        return ShardDone.of(made, chain)

    def _kept(self, shard: Shard) -> Mapping[str, Row]:
        """Return the rows of an earlier run that need not be repeated."""
        if not self._target.exists(manifest.file_of(shard.number)):
            return {}
        rows = manifest.read(self._target, shard.number)[0].rows
        return {row.document: row for row in rows if not is_failed(row)}

    def _reader(self, shard: Shard, stack: ExitStack) -> Callable[[Member], bytes]:
        """Return a function that reads the files of *shard*."""
        if shard.archive == LOOSE:
            return lambda one: self._source.files.read(one.name)
        opened: list[Read] = []

        def read(one: Member) -> bytes:
            if not opened:
                opened.append(archive_reader(self._source.files, shard.archive, stack))
            with damaged(one.name):
                name = one.name.removeprefix(f"{shard.archive}/")
                return opened[0](name, one.size, one.at)

        return read

    def _group(self, group: Group, read: Callable[[Member], bytes]) -> Iterator[tuple[Row, bytes]]:
        """Yield a row, and what is written, for each file of a group."""
        given: dict[str, bytes] = {}
        rows: dict[str, tuple[Row, bytes]] = {}
        for one in group.members:
            try:
                given[one.name] = _checked(one, read)
            except UnreadableInput as error:
                problem = str(error).removeprefix(f"{one.name}: ")
                rows[one.name] = (_lost(one.name, UNREAD, problem), b"")
        for one in group.members:
            if one.role == COPY and one.name in given:
                data = given[one.name]
                row = Row(one.name, COPIED, self._mark(data), manifest.sha256(data))
                rows[one.name] = (row, data)
        asked = [one for one in group.members if one.name in given and one.role != COPY]
        whole = all(one.name in given for one in group.members if one.role == DOCUMENT)
        if not whole:  # what is beside a page that nothing read is not released
            for one in [one for one in asked if one.role != DOCUMENT]:
                mark = self._mark(given[one.name])
                rows[one.name] = (_lost(one.name, FAILED, NO_PAGE, mark), b"")
                asked.remove(one)
        pieces = [
            Piece(one.name, "" if one.role == DOCUMENT else one.role, given[one.name])
            for one in asked
        ]
        treated = self._child.treat(group.scope, pieces) if pieces else []
        answers = _without_pages(pieces, treated)
        rows |= {
            one.name: self._row(one, answer) for one, answer in zip(pieces, answers, strict=True)
        }
        yield from (rows[one.name] for one in group.members)

    def _row(self, one: Piece, answer: Answer) -> tuple[Row, bytes]:
        head, data = answer
        before = self._mark(one.data)
        if head["state"] == DONE:
            unread = head["unread"]
            row = Row(
                one.name, DONE, before, manifest.sha256(data), head["found"], (), unread,
                head["removed"], int(ExitCode.UNREADABLE) if unread else 0, head["plainest"],
            )  # fmt: skip
            return row, data
        row = Row(one.name, head["state"], before, problems=(head["problem"],), code=head["code"])
        if head["state"] == UNREAD and self._plan.copy_unread and not one.sidecar:
            hashed = manifest.sha256(one.data)
            row = Row(one.name, UNREAD, before, hashed, {}, row.problems, code=row.code)
            return row, one.data
        return row, b""

    def _mark(self, data: bytes) -> str:
        return self._plan.treatment.fingerprint(data)


def is_failed(row: Row) -> bool:
    """Return whether nothing was written for the file of *row*, though something should be."""
    return row.state in (FAILED, UNREAD) and not row.output


def archive_reader(files: Store, archive: str, stack: ExitStack) -> Read:
    """Return a function that reads the members of an archive, until *stack* ends.

    Raises:
        UnreadableInput: It is missing or damaged.
    """
    kind = kind_of(archive)
    assert kind is not None
    file = stack.enter_context(files.open(archive))
    with damaged(archive):
        return kind.reader(file, archive)


def head_of(shard: Shard, run: str) -> dict[str, Any]:
    """Return the head of the manifest of *shard*."""
    return {
        "manifest": 1,
        "shard": shard.number,
        "archive": shard.archive,
        "plan": shard.digest,
        "run": run,
    }


def part_of(number: int) -> str:
    """Return the name of the outputs of a shard of an archive, until that is assembled."""
    return f"{manifest.PARTS}/{number:07}.tar"


def outputs_in(data: bytes) -> dict[str, bytes]:
    """Return the outputs of a shard by the names of their members."""
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return {one.name: _of(tar, one) for one in tar}


def _of(tar: tarfile.TarFile, one: tarfile.TarInfo) -> bytes:
    opened = tar.extractfile(one)
    return opened.read() if opened else b""


def _tar(outputs: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in outputs.items():
            head = tarfile.TarInfo(name)
            head.size = len(data)
            tar.addfile(head, io.BytesIO(data))
    return made.getvalue()


def _checked(one: Member, read: Callable[[Member], bytes]) -> bytes:
    if one.role == NOT_READ:
        raise UnreadableInput(one.name, _NO_FILE)
    if one.size > LARGEST:
        raise UnreadableInput(one.name, _TOO_LARGE)
    return read(one)


def _without_pages(pieces: Sequence[Piece], answers: Sequence[Answer]) -> Sequence[Answer]:
    """Return the answers without side-cars, if a page of the group was not written."""
    pairs = list(zip(pieces, answers, strict=True))
    if all(answer[0]["state"] == DONE for piece, answer in pairs if not piece.sidecar):
        return answers
    lost = {"state": FAILED, "problem": NO_PAGE, "code": int(ExitCode.UNREADABLE)}
    return [(lost, b"") if piece.sidecar else answer for piece, answer in pairs]


def _lost(name: str, state: str, problem: str, mark: str = "") -> Row:
    return Row(name, state, mark, problems=(problem,), code=int(ExitCode.UNREADABLE))
