"""Define the decisions on what was found in a document, and the file that keeps them.

The file holds offsets, boxes, entities and decisions, and no text but what the reviewer typed. What
it says of which document and text it is, is a digest that takes scrypt (RFC 7914) for each guess at
the document.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NoReturn, Self, cast

from presidio_cdip.documents.reviews.choices import Choices
from presidio_cdip.documents.segments import Box
from presidio_cdip.errors import ReviewError
from presidio_cdip.version import __version__

FORMAT = 1
"""The version of the file's format."""

Decision = Literal["open", "accepted", "rejected"]
By = Literal["found", "reviewer"]

_DECISIONS = ("open", "accepted", "rejected")
_SALT = b"presidio-cdip review 1"  # the same for all: two reviews of one document compare
_MEMORY = 1 << 26


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Tells of a document and its texts whether they are those of a review.

    Attributes:
        key: Derived from the document.
    """

    key: bytes = field(repr=False)

    @classmethod
    def of(cls, document: bytes) -> Self:
        """Return the fingerprint of a document, which takes some 50 ms."""
        digest = hashlib.sha256(document).digest()
        return cls(
            hashlib.scrypt(digest, salt=_SALT, n=1 << 14, r=8, p=1, maxmem=_MEMORY, dklen=32)
        )

    @property
    def check(self) -> str:
        """Return an identifier of the document."""
        return self._digest("document", b"")

    def text(self, text: str) -> str:
        """Return an identifier of a text of the document."""
        return self._digest("text", text.encode("utf-8", "surrogatepass"))

    def picture(self, data: bytes) -> str:
        """Return an identifier of a picture of the document."""
        return self._digest("picture", hashlib.sha256(data).digest())

    def _digest(self, kind: str, data: bytes) -> str:
        return hmac.new(self.key, kind.encode() + b"\0" + data, "sha256").hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Decided:
    """A finding, and what the reviewer makes of it.

    Attributes:
        start: Offset of its first character in its text, in code points.
        end: Offset after its last.
        entity: What it is.
        score: In [0, 1]; 1 if the reviewer added it.
        decision: ``"rejected"`` findings stay as they are; all others are replaced.
        by: Who found it.
        found_as: The entity as which it was found, if the reviewer changed it.
        surrogate: What the reviewer typed to replace it; None for what is drawn.
        why: Why it is a finding, in words without text of the document.
    """

    start: int
    end: int
    entity: str
    score: float = 1.0
    decision: Decision = "open"
    by: By = "found"
    found_as: str = ""
    surrogate: str | None = None
    why: str = ""

    @property
    def counts(self) -> bool:
        """Return whether it is replaced."""
        return self.decision != "rejected"

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object, without `why`."""
        data: dict[str, Any] = {
            "start": self.start,
            "end": self.end,
            "entity": self.entity,
            "score": round(self.score, 4),
            "decision": self.decision,
            "by": self.by,
        }
        if self.found_as:
            data["found_as"] = self.found_as
        if self.surrogate is not None:
            data["surrogate"] = self.surrogate
        return data


@dataclass(frozen=True, slots=True)
class Area:
    """A box that the reviewer drew where no words are: it is erased.

    Attributes:
        entity: What stands there.
        box: In points of a page of a PDF, or in pixels of a picture; origin top left.
        page: The page of the document, or of the picture, from 0.
        picture: The picture's digest; "" for a page of a PDF.
    """

    entity: str
    box: Box
    page: int
    picture: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        data: dict[str, Any] = {
            "entity": self.entity,
            "page": self.page,
            "box": [round(edge, 2) for edge in self.box],
        }
        return data | ({"picture": self.picture} if self.picture else {})


@dataclass(frozen=True)
class Review:
    """The decisions on one document.

    Attributes:
        check: Tells the document, as `Fingerprint.check`.
        choices: How it was read, and what findings become.
        texts: For each text of the document, by its digest, the findings in it, in order.
        areas: What the reviewer drew where no words are.
        reviewer: Who they say they are.
    """

    check: str
    choices: Choices
    texts: Mapping[str, Sequence[Decided]]
    areas: Sequence[Area] = ()
    reviewer: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the review as a JSON object."""
        return {
            "presidio_cdip_review": FORMAT,
            "made_by": f"presidio-cdip {__version__}",
            "reviewer": self.reviewer,
            "document": self.check,
            "options": self.choices.as_json(),
            "texts": {text: [one.as_json() for one in found] for text, found in self.texts.items()},
            "areas": [one.as_json() for one in self.areas],
        }

    def to_bytes(self) -> bytes:
        """Return the review file."""
        return (json.dumps(self.as_json(), indent=1, ensure_ascii=False) + "\n").encode()

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Return the review of a review file.

        Raises:
            ReviewError: It is no review file of a version that can be read.
        """
        try:
            given = json.loads(data)
        except (ValueError, RecursionError):
            _refuse("it is no JSON")
        if not isinstance(given, dict) or given.get("presidio_cdip_review") != FORMAT:
            _refuse(f"it is no review of version {FORMAT}")
        reading = _Reading(given)
        texts = reading.of("texts", dict)
        return cls(
            reading.of("document", str),
            Choices.of(reading.of("options", dict)),
            {str(text): _ordered(map(_decided, _listed(found))) for text, found in texts.items()},
            tuple(map(_area, _listed(reading.of("areas", list)))),
            reading.of("reviewer", str),
        )

    @cached_property
    def size(self) -> int:
        """Return the number of its findings and areas."""
        return sum(map(len, self.texts.values())) + len(self.areas)


class _Reading:
    """A JSON object of a review file, whose entries are checked as they are read."""

    def __init__(self, given: Any) -> None:
        if not isinstance(given, dict):
            _refuse("an entry is no object")
        self._given = cast("dict[str, Any]", given)

    def of(self, name: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        value = self._given.get(name, default)
        if value is ... or not isinstance(value, kind) or (kind is int and value is True):
            _refuse(f"{name} is missing, or not as it should be")
        return value


def _listed(given: Any) -> list[Any]:
    if not isinstance(given, list):
        _refuse("a list is missing")
    return given


def _decided(given: Any) -> Decided:
    one = _Reading(given)
    start, end = one.of("start", int), one.of("end", int)
    decision, by = one.of("decision", str), one.of("by", str)
    if not 0 <= start < end or decision not in _DECISIONS or by not in ("found", "reviewer"):
        _refuse("a finding is not as it should be")
    typed = given.get("surrogate")
    return Decided(
        start, end, one.of("entity", str), float(one.of("score", (int, float))), decision, by,
        one.of("found_as", str, ""), None if typed is None else one.of("surrogate", str),
    )  # fmt: skip


def _area(given: Any) -> Area:
    one = _Reading(given)
    box = _listed(one.of("box", list))
    if len(box) != 4 or not all(isinstance(edge, (int, float)) for edge in box):
        _refuse("a box is not as it should be")
    left, top, right, bottom = map(float, box)
    if not (left < right and top < bottom):
        _refuse("a box is empty")
    edges = (left, top, right, bottom)
    return Area(one.of("entity", str), edges, one.of("page", int), one.of("picture", str, ""))


def _ordered(found: Any) -> tuple[Decided, ...]:
    ordered = tuple(sorted(found, key=lambda one: (one.start, one.end)))
    counting = [one for one in ordered if one.counts]
    if any(one.end > other.start for one, other in pairwise(counting)):
        _refuse("two findings overlap")
    return ordered


def _refuse(problem: str) -> NoReturn:
    raise ReviewError(problem)
