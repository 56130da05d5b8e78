"""Read marked documents, and the spans that tools found in them, from JSON Lines."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from presidio_cdip.entities import ENTITIES, LABELS, known
from presidio_cdip.errors import CdipError, UnreadableInput


class Span(NamedTuple):
    """Hold a marked or found span, ``[start, end)`` in code points."""

    start: int
    end: int
    label: str


class Prediction(NamedTuple):
    """Hold a found span whose label is one of *labels*."""

    start: int
    end: int
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """Hold an annotated document.

    Attributes:
        annotated: The labels whose every span is marked; None means all.
    """

    id: str
    text: str
    spans: tuple[Span, ...]
    annotated: frozenset[str] | None = None

    def marked(self, labels: Iterable[str]) -> bool:
        """Return whether any entity is marked; names count only if *labels* include names."""
        counted = ENTITIES if set(labels) <= set(ENTITIES) else LABELS
        return any(span.label in counted for span in self.spans)

    def judges(self, label: str) -> bool:
        """Return whether a found span of *label* without a mark is wrong."""
        return self.annotated is None or label in self.annotated


def read(file: Path) -> Iterator[Document]:
    """Read the documents of a JSON Lines file.

    Raises:
        UnknownEntity: A mark has a label that is neither one of the entities nor of the names.
        UnreadableInput: The file cannot be read, or a line is not in the format.
    """
    for number, row in rows(file):
        try:
            yield parse(row)
        except CdipError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError, AssertionError):
            raise UnreadableInput(
                str(file), f"line {number} is no document with id, text and spans"
            ) from None


def rows(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the number, from 1, and the object of each line that is not blank.

    Raises:
        UnreadableInput: The file cannot be read, or a line is no JSON object.
    """
    number = 0
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError
                yield number, row
    except OSError as error:
        raise UnreadableInput(str(file), error.strerror or "cannot be opened") from None
    except (ValueError, RecursionError):
        raise UnreadableInput(str(file), f"line {number} is no JSON object") from None


def parse(row: Mapping[str, object]) -> Document:
    """Parse one line of the file format."""
    marks, annotated = row["spans"], row.get("annotated")
    assert isinstance(marks, list) and (annotated is None or isinstance(annotated, list))
    known({mark["label"] for mark in marks}, LABELS)
    return Document(
        id=str(row["id"]),
        text=str(row.get("text", "")),
        spans=tuple(Span(mark["start"], mark["end"], mark["label"]) for mark in marks),
        annotated=None if annotated is None else frozenset(known(annotated, LABELS)),
    )
