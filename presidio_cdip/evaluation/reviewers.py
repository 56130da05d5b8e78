"""Measure how far two reviewers of one document agree, and list where they do not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from presidio_cdip.documents.reviews.review import Decided, Review
from presidio_cdip.errors import ReviewError
from presidio_cdip.evaluation.agreement import cohen

STAYS = "stays"


@dataclass(frozen=True, slots=True)
class Difference:
    """A place on which two reviewers do not agree.

    Attributes:
        text: The digest of the text, as in the review files.
        start: Offset of its first character.
        end: Offset after its last.
        first: What the first reviewer has there: an entity, `STAYS`, or an entity with other ends.
        second: What the second has there.
        score: The finding's score; 1 where a reviewer added it.
    """

    text: str
    start: int
    end: int
    first: str
    second: str
    score: float = 1.0

    def as_json(self) -> dict[str, Any]:
        """Return the difference as a JSON object."""
        return {
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "first": self.first,
            "second": self.second,
            "score": round(self.score, 2),
        }


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two reviewers.

    Attributes:
        places: How many places at least one of them or the finder marked.
        same: On how many of these both say the same.
        kappa: Cohen's kappa of their labels of the places, an entity or `STAYS`; None where it is
            not defined.
        unseen: How many findings neither of them decided on.
        differences: The others, in order, for a third reviewer to decide.
    """

    places: int
    same: int
    kappa: float | None
    unseen: int
    differences: Sequence[Difference]

    def as_json(self) -> dict[str, Any]:
        """Return the agreement as a JSON object; it holds no text."""
        return {
            "places": self.places,
            "same": self.same,
            "kappa": None if self.kappa is None else round(self.kappa, 3),
            "unseen": self.unseen,
            "differences": [one.as_json() for one in self.differences],
        }


def compare(first: Review, second: Review) -> Agreement:
    """Compare two reviews of one document.

    A place is a span that is a finding in one of them, rejected or not; findings with other ends
    are other places. Kappa is that of Cohen (1960) on the labels of all places; places that nobody
    marked do not count, so it says nothing of what all overlooked.

    Raises:
        ReviewError: They are of two documents, or of one that was read differently.
    """
    if first.check != second.check:
        raise ReviewError("they are of two documents")
    if first.texts.keys() != second.texts.keys():
        raise ReviewError("the document was read differently for each: by other versions")
    one: list[str] = []
    other: list[str] = []
    differences: list[Difference] = []
    unseen = 0
    for text, left, right, start, end, decided in _places(first, second):
        one.append(left)
        other.append(right)
        unseen += all(found.decision == "open" for found in decided)
        if left != right:
            score = min(found.score for found in decided)
            differences.append(Difference(text, start, end, left, right, score))
    return Agreement(len(one), len(one) - len(differences), cohen(one, other), unseen, differences)


def _places(
    first: Review, second: Review
) -> Iterator[tuple[str, str, str, int, int, Sequence[Decided]]]:
    """Yield each text and place, with the two labels and the findings there."""
    for text, found in first.texts.items():
        mine = {(each.start, each.end): each for each in found}
        theirs = {(each.start, each.end): each for each in second.texts[text]}
        for start, end in sorted(mine.keys() | theirs.keys()):
            ours = [each for each in (mine.get((start, end)), theirs.get((start, end))) if each]
            yield (
                text, _label(mine, start, end), _label(theirs, start, end), start, end, ours,
            )  # fmt: skip
    for number, area in enumerate(dict.fromkeys([*first.areas, *second.areas])):
        left = area.entity if area in first.areas else STAYS
        right = area.entity if area in second.areas else STAYS
        drawn = Decided(0, 1, area.entity, decision="accepted", by="reviewer")
        yield (f"area {number + 1}, page {area.page + 1}", left, right, 0, 0, [drawn])


def _label(found: dict[tuple[int, int], Decided], start: int, end: int) -> str:
    one = found.get((start, end))
    if one is not None and one.counts:
        return one.entity
    around = [
        each for each in found.values() if each.counts and each.start < end and start < each.end
    ]
    return f"{around[0].entity} {around[0].start}-{around[0].end}" if around else STAYS
