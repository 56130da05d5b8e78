"""Define the span: a stretch of text with its entity, score and rule."""

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
        cue: The cue as the rule file writes it, or "" if the rule has none.
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
        """Return whether the two share a character."""
        return self.start < other.end and other.start < self.end


_EDGE = " \t\r\n\f\v.,;:()[]{}<>\"'“”‘’_|"


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Trim blanks, brackets and full stops from the edges of ``[start, end)``."""
    while start < end and text[end - 1] in _EDGE and not _closes(text, start, end):
        end -= 1
    while start < end and text[start] in _EDGE and not _opens(text, start, end):
        start += 1
    return start, end


def _closes(text: str, start: int, end: int) -> bool:
    """Return whether the bracket at the end closes one inside: "Mayo (Eire)", but not "(Mayo)"."""
    return text[end - 1] == ")" and text.rfind("(", start, end) > start


def _opens(text: str, start: int, end: int) -> bool:
    """Return whether the first character belongs to the value: "(919) 555-0143", "'54"."""
    if text[start] == "(":
        return start < text.find(")", start, end) < end - 1
    return _is_apostrophe_year(text, start, end)


def _is_apostrophe_year(text: str, start: int, end: int) -> bool:
    return text[start] in "'’" and text[start + 1 : end].isdigit() and end - start == 3
