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


_EDGE = " \t\r\n\f\v.,;:()[]{}<>\"'“”‘’_|"


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """``[start, end)`` without blanks, brackets and full stops at its edges."""
    while start < end and text[end - 1] in _EDGE and not _closes(text, start, end):
        end -= 1
    while start < end and text[start] in _EDGE and not _opens(text, start, end):
        start += 1
    return start, end


def _closes(text: str, start: int, end: int) -> bool:
    """Whether the bracket at the end closes one inside: "Mayo (Eire)", but not "(Mayo)"."""
    return text[end - 1] == ")" and text.rfind("(", start, end) > start


def _opens(text: str, start: int, end: int) -> bool:
    """Whether the first character belongs to the value: "(919) 555-0143", "'54"."""
    if text[start] == "(":
        return start < text.find(")", start, end) < end - 1
    return _is_apostrophe_year(text, start, end)


def _is_apostrophe_year(text: str, start: int, end: int) -> bool:
    return text[start] in "'’" and text[start + 1 : end].isdigit() and end - start == 3
