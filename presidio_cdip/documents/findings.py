"""Define the findings of a document, and the functions that find and replace them."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from presidio_cdip.documents.joining import Joined
from presidio_cdip.documents.segments import Box, Embedded, Matrix, Note, Place
from presidio_cdip.documents.subjects import Stretch
from presidio_cdip.recognition.spans import Span
from presidio_cdip.steps import Rewritten


@dataclass(frozen=True, slots=True)
class Found:
    """A finding in a document, without its text.

    Attributes:
        entity: The entity.
        place: Where it stands.
        start: Offset of its first character in the text of its place, in code points.
        end: Offset after its last; beyond the text of its place, where it goes on in the next.
        score: In [0, 1].
        explanation: Why it is one.
        operator: What replaced it; "" where nothing was replaced.
        boxes: Its boxes on its page, in points, origin top left; in a picture, in its pixels.
        plainest: Whether only the plainest form of the entity reads the value that a surrogate
            replaced.
    """

    entity: str
    place: Place
    start: int
    end: int
    score: float
    explanation: str = ""
    operator: str = ""
    boxes: tuple[Box, ...] = ()
    plainest: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object."""
        data: dict[str, Any] = {
            "entity": self.entity,
            **self.place.as_json(),
            "start": self.start,
            "end": self.end,
            "score": round(self.score, 2),
        }
        if self.operator:
            data |= {"operator": self.operator, "plainest": self.plainest}
        if self.boxes:
            data["boxes"] = [[round(edge, 1) for edge in box] for box in self.boxes]
        return data


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a document, the parts removed from it, and those that could not be read.

    Attributes:
        file: Its name as the caller gave it.
        format: Its format.
        characters: The length of its text.
        findings: In the order of the text; those of embedded files come last.
        removed: The parts that were left out, or, when a document is only read, would be.
        unread: The parts that may hold text that nothing read.
    """

    file: str
    format: str
    characters: int
    findings: Sequence[Found] = ()
    removed: Sequence[Note] = ()
    unread: Sequence[Note] = ()

    def counts(self) -> Counter[str]:
        """Return the number of findings of each entity."""
        return Counter(one.entity for one in self.findings)

    def replaced(self) -> Counter[str]:
        """Return the number of findings of each entity that the policy does not keep."""
        return Counter(one.entity for one in self.findings if one.operator != "keep")

    def plainest(self) -> Counter[str]:
        """Return the number of findings of each entity that only its plainest form reads."""
        return Counter(one.entity for one in self.findings if one.plainest)

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object; it holds no text of the document."""
        return {
            "file": self.file,
            "format": self.format,
            "characters": self.characters,
            "replaced": dict(sorted(self.replaced().items())),
            "plainest": dict(sorted(self.plainest().items())),
            "findings": [one.as_json() for one in self.findings],
            "removed": [one.as_json() for one in self.removed],
            "unread": [one.as_json() for one in self.unread],
        }


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture after redaction.

    Attributes:
        data: The file.
        findings: What was found in it; places are of its pages.
        unread: Where writing was seen that OCR did not read.
        pages: How each page was read, as `imaging.redaction.PageFindings`.
    """

    data: bytes
    findings: Sequence[Found]
    unread: Sequence[Note]
    pages: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A text of a document, as it was read: its own, or that of a file or page within it.

    Attributes:
        place: Where the file stands in the document; "" for the document itself.
        text: The text.
        spans: What was found in it.
        joined: The segments that it consists of; None for plain texts and pages of pictures.
        picture: The picture, for a page of one.
        to_page: Its `Embedded.to_page`.
        page: How that page was read, as `imaging.redaction.PageFindings`.
    """

    place: Place
    text: str
    spans: Sequence[Span]
    joined: Joined | None = None
    picture: Embedded | None = None
    page: Any = None
    to_page: Matrix | None = None


Find = Callable[[str], list[Span]]
"""From a text to its findings."""


Anonymize = Callable[[str, Sequence[Span], Sequence[Stretch]], Rewritten]
"""From a text, its findings and its subjects to the text in which the findings are replaced."""

Redact = Callable[[Embedded, bool], Picture]
"""From a picture, and whether to change it, to the picture that is redacted, or as it was.

Raises UnreadableInput, StillReadable or MissingDependency.
"""


@dataclass(frozen=True, slots=True)
class Tools:
    """The functions that find and replace, whatever the format.

    Attributes:
        find: Finds values in text.
        redact: Finds and replaces values in pictures.
        anonymize: Replaces values in text; None where documents are only read.
        watch: Called with each text of a document that was read, in order, at its end.
    """

    find: Find
    redact: Redact
    anonymize: Anonymize | None = None
    watch: Callable[[Shown], object] | None = None


def why(span: Span) -> str:
    """Return why *span* is a finding, without its text."""
    from presidio_cdip.recognition.finder import why

    return why(span)
