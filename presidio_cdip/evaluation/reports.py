"""Read the reports of runs: JSON Lines of ``anonymize --report``, and manifests of ``run``."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from presidio_cdip.errors import UnreadableInput
from presidio_cdip.evaluation.areas import covered_share
from presidio_cdip.evaluation.gold import rows
from presidio_cdip.evaluation.records import PageRecord, Record, band
from presidio_cdip.files.folders import IMAGES

_MANIFEST = "_manifest"
_ENTITY = re.compile(r"[A-Z][A-Z0-9_]{0,63}")


def read_reports(file: Path, dataset: str) -> Iterator[Record]:
    """Yield a record for each file in a report; its lines stand together.

    Only numbers, boxes and names of entities are taken over: a line may come from another program.

    Raises:
        UnreadableInput: A line is not one of a report, or reports a file again.
    """
    seen: set[int] = set()
    for name, lines in groupby(rows(file), key=lambda line: _file(line, file)):
        group = list(lines)
        number = group[0][0]
        if hash(name) in seen:
            raise UnreadableInput(
                str(file), f"line {number} reports a file that was reported before: "
                "audit one run at a time"
            )  # fmt: skip
        seen.add(hash(name))
        try:
            yield _record([row for _, row in group], dataset)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise UnreadableInput(
                str(file), f"line {number}, or one after it, is no line of a report"
            ) from None


def read_run(folder: Path, dataset: str) -> Iterator[Record]:
    """Yield a record for each document in the manifest of a run; files that it copied are none.

    Args:
        folder: The folder that the run wrote to.
        dataset: The name of the dataset.

    Raises:
        UnreadableInput: It has no manifest, the run did not end, or a line is none of a manifest.
    """
    shards = sorted((folder / _MANIFEST / "shards").glob("*.jsonl"))
    if not shards:
        raise UnreadableInput(str(folder), "holds no manifest: it is not what `run` wrote")
    if not (folder / _MANIFEST / "seal.json").is_file():
        raise UnreadableInput(str(folder), "the run is not complete: the same command goes on")
    for shard in shards:
        for number, row in rows(shard):
            if "manifest" in row or "totals" in row:  # head and foot
                continue
            try:
                if row["state"] != "copied":
                    yield _of_manifest(row, dataset)
            except (KeyError, TypeError, ValueError, AttributeError):
                raise UnreadableInput(
                    str(shard), f"line {number} is no line of a manifest"
                ) from None


def _of_manifest(row: Mapping[str, Any], dataset: str) -> Record:
    if row["state"] != "done":
        return Record(dataset, problem=True)
    suffix = Path(str(row["document"])).suffix.lower()
    counts = {_entity(name): int(count) for name, count in row.get("found", {}).items()}
    return Record(
        dataset,
        kind="image" if suffix in IMAGES else _kind({"format": suffix[1:] or "text"}),
        findings=Counter({(name, band(None)): count for name, count in counts.items()}),
        unread=int(row.get("unread", 0)),
    )


def _file(line: tuple[int, Mapping[str, Any]], file: Path) -> str:
    number, row = line
    name = row.get("file")
    if not isinstance(name, str):
        raise UnreadableInput(str(file), f"line {number} is no line of a report: it has no file")
    return name


def _record(lines: Sequence[Mapping[str, Any]], dataset: str) -> Record:
    done = [line for line in lines if "problem" not in line]
    pages = tuple(_page(line) for line in done if "page" in line)
    findings: Counter[tuple[str, str]] = Counter()
    for line in done:
        for one in line["findings"]:
            findings[_entity(one["entity"]), band(_score(one.get("score")))] += 1
    return Record(
        dataset,
        kind=_kind(done[0]) if done else "",
        findings=findings,
        pages=pages,
        unread=sum(len(line.get("unread", ())) for line in done),
        problem=len(done) < len(lines),
    )


def _kind(line: Mapping[str, Any]) -> str:
    if "page" in line:
        return "image"
    kind = str(line.get("format", "text"))
    return kind if re.fullmatch(r"\w{1,16}", kind) else "other"


def _page(line: Mapping[str, Any]) -> PageRecord:
    boxes = [
        [float(edge) for edge in box] for one in line["findings"] for box in one.get("boxes", ())
    ]
    size = [float(side) for side in line["size"]]
    near = line.get("similarity") or {}
    return PageRecord(
        covered_share(boxes, size),
        len(line.get("unread", ())),
        ssim=_score(near.get("ssim")),
        descriptor=_score(near.get("descriptor")),
        method=_method([one.get("method") for one in line["findings"]]),
    )


def _method(methods: Sequence[Any]) -> str:
    """Return the method of a page: ``surrogate`` if any value was painted, else the commonest."""
    known = [one for one in methods if isinstance(one, str) and re.fullmatch(r"[a-z-]{1,20}", one)]
    if "surrogate" in known:
        return "surrogate"
    return max(known, key=known.count, default="")


def _score(score: Any) -> float | None:
    return None if score is None else float(score)


def _entity(name: Any) -> str:
    if not isinstance(name, str) or not _ENTITY.fullmatch(name):
        raise ValueError("no name of an entity")
    return name
