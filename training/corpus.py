"""The training corpus: documents with their spans marked inline, one file each.

    python -m training.corpus                     # check all, and count
    python -m training.corpus --jsonl > all.jsonl # as JSON Lines

A document is ``training/corpus/KIND/NAME.txt``: its kind is the folder's name with blanks for
hyphens, its id ``KIND/NAME``. In its text a span stands as ``[[LABEL|value]]``, the label one of
the 18 entities or of the three labels of names. What the annotation guidelines say of a span holds
here; a label that is not known, a mark that is not closed or stands within another, an empty span
and one with blanks at its edges are refused.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from presidio_cdip.entities import ENTITIES, LABELS

FOLDER = Path(__file__).parent / "corpus"
_MARK = re.compile(r"\[\[|\]\]")


class CorpusError(Exception):
    """A document cannot be read as it stands; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document and what is marked in it.

    Attributes:
        id: ``KIND/NAME``.
        kind: In plain words.
        text: Without the marks.
        spans: Start, end (code points, end exclusive) and label, in order.
    """

    id: str
    kind: str
    text: str
    spans: tuple[tuple[int, int, str], ...]

    @property
    def bare(self) -> bool:
        """Whether none of the 18 entities is marked in it."""
        return not any(label in ENTITIES for *_, label in self.spans)

    def as_json(self) -> dict[str, object]:
        """The document in the file format of the annotation guidelines."""
        return {
            "id": self.id,
            "kind": self.kind,
            "language": "en",
            "text": self.text,
            "spans": [{"start": s, "end": e, "label": label} for s, e, label in self.spans],
        }


def parse(marked: str, where: str) -> tuple[str, tuple[tuple[int, int, str], ...]]:
    """The text without its marks, and the spans.

    Raises:
        CorpusError: A mark is broken; *where* and the line are named.

    >>> parse("born [[DATE_OF_BIRTH|in 1947]].", "x")
    ('born in 1947.', ((5, 12, 'DATE_OF_BIRTH'),))
    """
    parts: list[str] = []
    spans = []
    length = at = 0
    opened: tuple[int, str] | None = None
    for match in _MARK.finditer(marked):
        line = marked.count("\n", 0, match.start()) + 1
        piece = marked[at : match.start()]
        at = match.end()
        if match.group() == "[[":
            if opened:
                raise CorpusError(f"{where}:{line}: a mark within a mark")
            label, bar, _ = marked[at : at + 40].partition("|")
            if not bar or label not in LABELS:
                raise CorpusError(f"{where}:{line}: no entity {label[:24]!r}")
            at += len(label) + 1
            parts.append(piece)
            length += len(piece)
            opened = (length, label)
            continue
        if not opened:
            raise CorpusError(f"{where}:{line}: a mark is closed that was not opened")
        if not piece.strip() or piece != piece.strip():
            raise CorpusError(f"{where}:{line}: {opened[1]} is empty or has blanks at its edges")
        parts.append(piece)
        length += len(piece)
        spans.append((opened[0], length, opened[1]))
        opened = None
    if opened:
        raise CorpusError(f"{where}: the last mark is not closed")
    parts.append(marked[at:])
    return "".join(parts), tuple(spans)


def read(file: Path, folder: Path = FOLDER) -> Document:
    """The document in *file*.

    Raises:
        CorpusError: It is not UTF-8, or a mark in it is broken.
    """
    name = file.relative_to(folder).with_suffix("").as_posix()
    try:
        marked = file.read_text("utf-8")
    except ValueError:
        raise CorpusError(f"{name}: is not UTF-8") from None
    text, spans = parse(marked, name)
    return Document(name, file.parent.name.replace("-", " "), text, spans)


def documents(folder: Path = FOLDER) -> Iterator[Document]:
    """All documents of *folder*, in the order of their names."""
    for file in sorted(folder.glob("*/*.txt")):
        yield read(file, folder)


@click.command()
@click.argument("folder", type=click.Path(exists=True, path_type=Path), default=FOLDER)
@click.option("--jsonl", is_flag=True, help="Print the documents as JSON Lines.")
def main(folder: Path, jsonl: bool) -> None:
    """Check every document of FOLDER, and count."""
    kinds: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    bare = broken = 0
    for file in sorted(folder.glob("*/*.txt")):
        try:
            document = read(file, folder)
        except CorpusError as error:
            broken += 1
            click.echo(error, err=True)
            continue
        kinds[document.kind] += 1
        labels.update(label for _, _, label in document.spans)
        bare += document.bare
        if jsonl:
            click.echo(json.dumps(document.as_json(), ensure_ascii=False))
    total = sum(kinds.values())
    click.echo(
        f"{total} documents of {len(kinds)} kinds, {bare} with none of the 18 entities", err=True
    )
    click.echo(", ".join(f"{label} {labels[label]}" for label in LABELS), err=True)
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
