"""Tell that a number counts brothers and sisters or measures a build, and says nothing sensitive.

"Brothers living 2, dead 1" is no age and no number of children; "Chest 38 to 41" is no health.
"""

import re

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span

_WORDS = english().labels
_MOST = 15  # brothers and sisters; more are an age
_NUMBERS = "|".join(english().ones[: _MOST + 1])
_DIGIT = r"[0-9lO]"
_COUNT = re.compile(rf"(?i)\W?(?:1[0-5]|{_DIGIT}|{_NUMBERS}|{'|'.join(_WORDS['none'])})\W*")
_KIN = "|".join(_WORDS["kin_counted"])
_LIVING = "|".join(_WORDS["living"])
_IS_COUNTED = re.compile(
    rf"(?i)\b(?:(?:{_KIN})s(?:[ ,:]{{1,3}}(?:{_LIVING}))?[ .,:(]{{1,8}}"
    rf"|(?:{_KIN}) ?\(|(?:{_KIN})s?\b[^\n]{{0,48}}\b(?:{_LIVING})[ ,:]{{1,3}})\Z"
)
_MORE = re.compile(rf"(?i) ?(?:,|&|and\b|or\b) ?[0-9]|,? ?(?:{'|'.join(_WORDS['years'])})\b")
_BUILD = "|".join(_WORDS["builds"])
_OF_BUILD = rf"(?:(?:{'|'.join(_WORDS['of_builds'])})\b[ .,:]{{1,4}}){{0,4}}"
_IS_BUILD = re.compile(
    rf"(?i)\b(?:{_BUILD})\b[ .,:]{{0,4}}{_OF_BUILD}"
    rf"(?:{_DIGIT}[0-9lO/½ .]{{0,8}}(?:-|–|to|,)\W{{0,2}}{_OF_BUILD})?\Z"
)
_MEASURE = re.compile(
    rf"(?i)\W*{_DIGIT}[0-9lO/½ .,'’\"-]*(?:(?:to|-|–) ?[0-9lO/½ .]*)?"
    r"(?:(?:inches|ins?|cms?|ft|feet|lbs?|pounds|kgs?|stone|st)\b[ .]*[0-9lO/½ .]*){0,2}\W*"
)
_REACH = 80  # characters in which the label is looked for
_OF_KIN = frozenset({"AGE", "HEALTH", "MARITAL_STATUS"})


def is_count(text: str, span: Span) -> bool:
    """Return whether *span* counts brothers and sisters, or measures a build.

    >>> is_count("Brothers living 2, dead 1", Span(16, 17, "MARITAL_STATUS", 1.0, ""))
    True
    >>> is_count("Her brother, 2, is deaf", Span(13, 14, "AGE", 1.0, ""))
    False
    """
    if span.entity not in _OF_KIN:
        return False
    line = text.rfind("\n", 0, span.start) + 1
    before = text[max(line, span.start - _REACH) : span.start]
    is_measure = _MEASURE.fullmatch(text, span.start, span.end) is not None
    if span.entity == "HEALTH" and is_measure and _IS_BUILD.search(before):
        return True
    return (
        _COUNT.fullmatch(text, span.start, span.end) is not None
        and _IS_COUNTED.search(before) is not None
        and _MORE.match(text, span.end) is None
    )
