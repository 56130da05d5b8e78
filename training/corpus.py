"""Read the training corpus: documents with inline marks, one file per family of kinds.

    python -m training.corpus                     # check and count all documents
    python -m training.corpus --jsonl > all.jsonl # as JSON Lines

``training/corpus/FAMILY.txt``, for example `hospitals.txt`, holds the documents of a family. Each
document begins with a header line::

    %%% hospital-bill/bc-surgery-1962 | kind=hospital bill | round=bc | reader=second | split=kinds

* the id, ``KIND/NAME``, in which the kind has hyphens for blanks;
* ``kind``, in plain words; all documents of a kind are in one file;
* ``round``: the round of writing in which the document was written, if known;
* ``reader=second``: a second reader has read the document and decided its marks;
* ``split``: the purpose of the document, see `splits.py`. A new document has no split until
  `file_in.py` assigns one.

The text is all lines up to the next header, without blank lines at its end. No line of a text may
begin with ``%%%``. Files of new documents in the same format go into
``training/corpus/incoming/``; they are checked and counted with the others, and
``python -m training.file_in`` moves them into their families' files.

In a text a span is written as ``[[LABEL|value]]``; the label is one of the 18 entities or of the
three labels of names. The annotation guidelines define spans. Refused are unknown labels, marks
that are not closed or are nested, empty spans, and spans with blanks at their edges.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from presidio_cdip.entities import ENTITIES, LABELS

FOLDER = Path(__file__).parent / "corpus"
INCOMING = "incoming"
"""The sub-folder for documents that have no place in a family's file yet."""

SPLITS = ("training", "kinds", "documents", "none")
"""The values of ``split``: the three parts of `splits.Splits`, or that a document is in none."""

Spans = tuple[tuple[int, int, str], ...]
"""Start, end (code points, end exclusive) and label, in order."""

_SIGN = "%%%"
_HEADER = re.compile(rf"^{_SIGN}.*\n?", re.MULTILINE)
_FIELDS = ("kind", "round", "reader", "split")
_MARK = re.compile(r"\[\[|\]\]")


class CorpusError(Exception):
    """A document cannot be read as it stands; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Document:
    """Hold a document and its marked spans.

    Attributes:
        id: ``KIND/NAME``.
        kind: In plain words.
        text: Without the marks.
        spans: Start, end (code points, end exclusive) and label, in order.
        round: The round of writing, or "".
        reader: "second" if a second reader has read it, or "".
        split: One of `SPLITS`, or "" for a new document.
    """

    id: str
    kind: str
    text: str
    spans: Spans
    round: str = ""
    reader: str = ""
    split: str = ""

    @property
    def bare(self) -> bool:
        """Return whether none of the 18 entities is marked in the document."""
        return not any(label in ENTITIES for *_, label in self.spans)

    @property
    def place(self) -> tuple[str, str]:
        """Return the sort key: kind and name, in the order of files in folders."""
        kind, _, name = self.id.partition("/")
        return kind, f"{name}.txt"

    def as_json(self) -> dict[str, object]:
        """Return the document in the file format of the annotation guidelines."""
        return {
            "id": self.id,
            "kind": self.kind,
            "language": "en",
            "text": self.text,
            "spans": [{"start": s, "end": e, "label": label} for s, e, label in self.spans],
        }

    def as_section(self) -> str:
        """Return the header line and the marked text, as a family's file has them."""
        fields = [f"{name}={getattr(self, name)}" for name in _FIELDS if getattr(self, name)]
        parts, at = [" | ".join([f"{_SIGN} {self.id}", *fields]), "\n"], 0
        for start, end, label in self.spans:
            parts += self.text[at:start], f"[[{label}|{self.text[start:end]}]]"
            at = end
        return "".join([*parts, self.text[at:]])


@dataclass(frozen=True, slots=True)
class Section:
    """Hold a header line and the text below it, unparsed.

    Attributes:
        file: Its name, for messages.
        line: The header's line, from 1.
        header: Without the line break.
        marked: With one line break at its end.
    """

    file: str
    line: int
    header: str
    marked: str


def sections(file: Path) -> Iterator[Section]:
    """Yield the sections of *file*.

    Raises:
        CorpusError: It is not UTF-8, or does not begin with a header.
    """
    try:
        content = file.read_text("utf-8")
    except ValueError:
        raise CorpusError(f"{file.name}: is not UTF-8") from None
    headers = list(_HEADER.finditer(content))
    if not headers or content[: headers[0].start()].strip():
        raise CorpusError(f"{file.name}:1: does not begin with a header: {_SIGN} KIND/NAME | ...")
    ends = [*(header.start() for header in headers[1:]), len(content)]
    line = 1 + content.count("\n", 0, headers[0].start())
    for header, end in zip(headers, ends, strict=True):
        marked = content[header.end() : end]
        yield Section(file.name, line, header.group().rstrip("\n"), marked.rstrip("\n") + "\n")
        line += header.group().count("\n") + marked.count("\n")


def document_of(section: Section) -> Document:
    """Return the document that *section* describes.

    Raises:
        CorpusError: The header or a mark is broken, or the text is empty.
    """
    where = f"{section.file}:{section.line}"
    name, *parts = section.header.removeprefix(_SIGN).strip().split(" | ")
    pairs = [part.partition("=") for part in parts]
    fields = {key: value for key, _, value in pairs}
    for key, value in fields.items():
        if key not in _FIELDS:
            raise CorpusError(f"{where}: {key[:24]!r} is no field; there are {', '.join(_FIELDS)}")
        if not value:
            raise CorpusError(f"{where}: {key!r} has no value")
    if len(fields) < len(pairs):
        raise CorpusError(f"{where}: a field stands twice in the header of {name}")
    kind = fields.get("kind", "")
    if not re.fullmatch(re.escape(kind.replace(" ", "-")) + r"/[^/\s]+", name) or not kind:
        raise CorpusError(f"{where}: the id must be the kind, with hyphens, and a name: KIND/NAME")
    if fields.get("split", "none") not in SPLITS:
        raise CorpusError(f"{where}: no split {fields['split']!r}; there are {', '.join(SPLITS)}")
    if not section.marked.strip():
        raise CorpusError(f"{where}: {name} has no text")
    try:
        text, spans = parse(section.marked, section.file, section.line + 1)
    except CorpusError as error:
        raise CorpusError(f"{error} ({name})") from None
    return Document(name, text=text, spans=spans, **fields)


def parse(marked: str, where: str, first: int = 1) -> tuple[str, Spans]:
    """Return the text without its marks, and the spans.

    Args:
        marked: The text with marks.
        where: What a message names.
        first: The number of the line of *where* in which the text begins.

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
        line = marked.count("\n", 0, match.start()) + first
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


def read(file: Path) -> list[Document]:
    """Return the documents of *file*, in its order.

    Raises:
        CorpusError: A document cannot be read.
    """
    return [document_of(section) for section in sections(file)]


def files(folder: Path = FOLDER) -> list[Path]:
    """Return the files of *folder*: the families, then what has come in."""
    return [*sorted(folder.glob("*.txt")), *sorted((folder / INCOMING).glob("*.txt"))]


def checked(folder: Path = FOLDER) -> tuple[list[Document], list[CorpusError]]:
    """Return all valid documents of *folder* by kind and name, and the errors of the others."""
    found: dict[str, Document] = {}
    errors = []
    for file in files(folder):
        try:
            for section in sections(file):
                try:
                    document = document_of(section)
                    if document.id in found:
                        where = f"{section.file}:{section.line}"
                        raise CorpusError(f"{where}: another document is called {document.id}")
                    found[document.id] = document
                except CorpusError as error:
                    errors.append(error)
        except CorpusError as error:
            errors.append(error)
    return sorted(found.values(), key=lambda one: one.place), errors


def documents(folder: Path = FOLDER) -> Sequence[Document]:
    """Return all documents of *folder*, by kind and name.

    Raises:
        CorpusError: One of them cannot be read.
    """
    found, errors = checked(folder)
    if errors:
        raise errors[0]
    return found


@click.command()
@click.argument("folder", type=click.Path(exists=True, path_type=Path), default=FOLDER)
@click.option("--jsonl", is_flag=True, help="Print the documents as JSON Lines.")
def main(folder: Path, jsonl: bool) -> None:
    """Check every document of FOLDER, and count."""
    found, errors = checked(folder)
    for error in errors:
        click.echo(error, err=True)
    for document in found if jsonl else ():
        click.echo(json.dumps(document.as_json(), ensure_ascii=False))
    kinds = {document.kind for document in found}
    labels = Counter(label for document in found for *_, label in document.spans)
    bare = sum(document.bare for document in found)
    click.echo(
        f"{len(found)} documents of {len(kinds)} kinds, {bare} with none of the 18 entities",
        err=True,
    )
    click.echo(", ".join(f"{label} {labels[label]}" for label in LABELS), err=True)
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
