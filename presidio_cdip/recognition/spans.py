"""The span: what was found where, and why."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that discloses a fact about a person.

    Attributes:
        start: Offset of its first character, in code points of the text.
        end: Offset after its last character.
        entity: A key of `presidio_cdip.entities.ENTITIES`.
        score: Confidence in [0, 1].
        rule: The rule that found it, e.g. ``"date_of_birth/labelled"``.
        cue: The cue as the rule file writes it, or "" where the value spoke for itself.
        check: The named check it passed, or "".
    """

    start: int
    end: int
    entity: str
    score: float
    rule: str
    cue: str = ""
    check: str = ""

    def overlaps(self, other: "Span") -> bool:
        """Whether the two share a character."""
        return self.start < other.end and other.start < self.end
