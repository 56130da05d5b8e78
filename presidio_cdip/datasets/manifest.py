"""Write and check manifests: what was done to each file of a shard, without any of its text.

A shard has one file of JSON Lines: a head, a row for each file, and a foot. Each line holds the
hash of the line before it and itself, so that none can be changed, dropped or moved unseen. The
last hashes of all shards are in the seal of the run.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from presidio_cdip.datasets.stores import OWN, Store
from presidio_cdip.errors import UnreadableInput

FOLDER = OWN
RUN = f"{FOLDER}/run.json"
SEAL = f"{FOLDER}/seal.json"
SHARDS = f"{FOLDER}/shards"
PARTS = f"{FOLDER}/parts"

DONE, COPIED, UNREAD, FAILED = "done", "copied", "unread", "failed"
NO_PAGE = "is a side-car whose page was not written"


@dataclass(frozen=True, slots=True)
class Row:
    """The manifest's record of one file.

    Attributes:
        document: Its name in the source.
        state: DONE; COPIED, as it is; UNREAD or FAILED: not written, unless it has an output.
        input: A keyed hash of its bytes; "" if they could not be read, or there is no key.
        output: The SHA-256 of what was written; "" if nothing was.
        found: How many values of each entity were replaced.
        plainest: How many of these only the plainest form of the entity read.
        problems: Why it was not written, or what is in doubt.
        unread: How many parts of it nothing read; they are in the output.
        removed: How many parts of it were left out.
        code: The exit code that its problem asks for; 0 without one.
    """

    document: str
    state: str
    input: str = ""
    output: str = ""
    found: Mapping[str, int] = field(default_factory=dict)
    problems: Sequence[str] = ()
    unread: int = 0
    removed: int = 0
    code: int = 0
    plainest: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        data: dict[str, Any] = {"document": self.document, "state": self.state}
        rest = {
            "input": self.input,
            "output": self.output,
            "found": dict(sorted(self.found.items())),
            "plainest": dict(sorted(self.plainest.items())),
            "problems": list(self.problems),
            "unread": self.unread,
            "removed": self.removed,
            "code": self.code,
        }
        return data | {name: value for name, value in rest.items() if value}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Row":
        """Return the row that `as_json` wrote."""
        return cls(**{one.name: data[one.name] for one in fields(cls) if one.name in data})


@dataclass(slots=True)
class Totals:
    """Counts of rows.

    Attributes:
        states: How many files are in each state.
        found: How many values of each entity were replaced.
        plainest: How many of these only the plainest form of the entity read.
        doubtful: How many files that were written have parts that nothing read.
        codes: How many problems ask for each exit code.
        suffixes: How many files have each suffix; for estimates, and in no manifest.
    """

    states: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    doubtful: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    plainest: Counter[str] = field(default_factory=Counter)
    suffixes: Counter[str] = field(default_factory=Counter, compare=False)

    def add(self, row: Row) -> None:
        """Count *row*."""
        self.states[row.state] += 1
        self.suffixes[suffix_of(row.document)] += 1
        self.found.update(row.found)
        self.plainest.update(row.plainest)
        self.doubtful += bool(row.unread)
        if row.code:
            self.codes[row.code] += 1

    def update(self, other: "Totals") -> None:
        """Add the counts of *other*."""
        self.states.update(other.states)
        self.found.update(other.found)
        self.plainest.update(other.plainest)
        self.doubtful += other.doubtful
        self.codes.update(other.codes)
        self.suffixes.update(other.suffixes)

    @property
    def files(self) -> int:
        """Return the number of files that were counted."""
        return sum(self.states.values())

    def as_json(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        data: dict[str, Any] = {
            "files": self.files,
            "states": dict(sorted(self.states.items())),
            "found": dict(sorted(self.found.items())),
            "doubtful": self.doubtful,
            "codes": {str(code): count for code, count in sorted(self.codes.items())},
        }
        # Manifests of before it was counted must count alike.
        return data | ({"plainest": dict(sorted(self.plainest.items()))} if self.plainest else {})

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Totals":
        """Return the counts that `as_json` wrote."""
        codes = Counter({int(code): count for code, count in data["codes"].items()})
        plainest = Counter(data.get("plainest", {}))
        states, found = Counter(data["states"]), Counter(data["found"])
        return cls(states, found, data["doubtful"], codes, plainest)


def suffix_of(name: str) -> str:
    """Return the suffix of a file, or the column of a table: what tells how long it takes.

    >>> suffix_of("a.b/Page.TIF"), suffix_of("t.parquet/000000001/image"), suffix_of("a.b/c")
    ('tif', 'image', 'c')
    """
    return name.rpartition("/")[2].rpartition(".")[2].lower()


def totals_of(rows: Iterable[Row]) -> Totals:
    """Count *rows*."""
    totals = Totals()
    for row in rows:
        totals.add(row)
    return totals


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of one shard.

    Attributes:
        head: Number, archive and plan of the shard, and the hash of its run.
        rows: A row for each file.
    """

    head: Mapping[str, Any]
    rows: Sequence[Row]

    def written(self) -> tuple[bytes, str]:
        """Return the file, and its last hash."""
        foot = {"rows": len(self.rows), "totals": totals_of(self.rows).as_json()}
        lines = []
        chain = ""
        for line in (self.head, *(row.as_json() for row in self.rows), foot):
            chain = chained(chain, line)
            lines.append(f"{encoded({**line, 'chain': chain})}\n")
        return "".join(lines).encode(), chain


def encoded(data: Mapping[str, Any]) -> str:
    """Return *data* as JSON, the same for equal data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def sha256(data: bytes) -> str:
    """Return the SHA-256 of *data*."""
    return hashlib.sha256(data).hexdigest()


def chained(before: str, line: Mapping[str, Any]) -> str:
    """Return the hash of *line* and of all before it."""
    return sha256(f"{before}\n{encoded(line)}".encode())


def file_of(number: int) -> str:
    """Return the name of the manifest of a shard."""
    return f"{SHARDS}/{number:07}.jsonl"


def numbers(files: Store) -> Iterator[int]:
    """Yield the numbers of the shards whose manifests are in *files*, in order."""
    for one in files.listing(SHARDS):
        stem, _, suffix = one.name.partition(".")
        if suffix == "jsonl" and stem.isdecimal():
            yield int(stem)


def head(files: Store, number: int) -> dict[str, Any]:
    """Return the head of the manifest of a shard, which was read before."""
    with files.open(file_of(number)) as file:
        found: dict[str, Any] = json.loads(file.readline())
    return found


def read(files: Store, number: int) -> tuple[Manifest, str, list[str]]:
    """Return the manifest of a shard, its last hash, and what is wrong with it.

    Raises:
        UnreadableInput: It is missing, or no manifest.
    """
    name = file_of(number)
    try:
        lines = [json.loads(line) for line in files.read(name).splitlines()]
        given = [line.pop("chain") for line in lines]
        head, *rows, foot = lines
        made = Manifest(head, [Row.of(row) for row in rows])
        stated = foot["rows"], foot["totals"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UnreadableInput(name, "is no manifest, or is damaged") from None
    problems = []
    chain = ""
    for number_of_line, (line, hashed) in enumerate(zip(lines, given, strict=True), 1):
        chain = chained(chain, line)
        if chain != hashed:
            problems.append(f"{name}, line {number_of_line}: was changed, or one before is missing")
            break
    if stated != (len(rows), totals_of(made.rows).as_json()):
        problems.append(f"{name}: the counts of its last line are not those of its rows")
    return made, given[-1], problems
