"""Tell that a text speaks of somebody whom it seeks for a marriage, and of no person.

"Requirements: girl of 24 to 30, widow considered" holds no age and no marital status.
"""

import re

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span

_WORDS = english().labels
_LABELS = "|".join(map(re.escape, _WORDS["sought"]))
_PERSONS = "|".join(map(re.escape, _WORDS["persons_sought"]))
_OWN = "|".join((*_WORDS["be"], *_WORDS["pronouns"], *_WORDS["of_persons"]))
_BEGINS = re.compile(
    rf"(?i)(?:\A|(?<=[\n.;,])|(?<=\s\s)|(?<=[.;,] ))(?:{_LABELS})"
    rf"(?: ?[:.]\s|\s(?=(?:(?:an?|the) )?(?:[\w-]+ ){{0,2}}(?:{_PERSONS})\b))"
)
_IS_SOUGHT = re.compile(rf"(?i)\b(?:{_PERSONS})\b")
_OF_OTHERS = re.compile(rf"(?i)[.;] [^.;]*\b(?:{_OWN})\b|[ \t]{{3}}|[.;] [A-Z][\w ]{{2,20}}:")
_REACH = 200  # characters in which the label is looked for
_ENTITIES = frozenset(
    {"AGE", "ETHNIC_ORIGIN", "GENDER", "HEALTH", "MARITAL_STATUS", "NATIONALITY", "RELIGION"}
)


def is_sought(text: str, span: Span) -> bool:
    """Return whether *span* is said of somebody sought, on the line of a label that says so.

    >>> is_sought("Seeks: a lady of 40, widow no bar", Span(21, 26, "MARITAL_STATUS", 1.0, ""))
    True
    """
    if span.entity not in _ENTITIES:
        return False
    line = text.rfind("\n", 0, span.start) + 1
    before = text[max(line, span.start - _REACH) : span.start]
    label = next(_BEGINS.finditer(before), None)
    if label is None:
        return False
    end = text.find("\n", span.end)
    rest = text[span.start : end if end >= 0 else len(text)]
    said = before[label.end() :]
    return _IS_SOUGHT.search(said + rest) is not None and _OF_OTHERS.search(said) is None
