"""Tell that a number counts brothers and sisters or measures a build, and says nothing sensitive.

"Brothers living 2, dead 1" is no age and no number of children; "Chest 38 to 41" is no health.
"""

import re

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span

_WORDS = english().labels


def _any(name: str) -> str:
    return f"(?:{alternation(_WORDS[name])})"


_MOST = 15  # brothers and sisters; more are an age
_DIGIT = r"[0-9lO]"
_ONES = "|".join(english().ones[: _MOST + 1])
_COUNT = re.compile(rf"(?i)\W?(?:1[0-5]|{_DIGIT}|{_ONES}|{_any('none')})\W*")
_KIN = rf"\b{_any('kin_counted')}s\b"
_LIVING = rf"\b{_any('living')}"
_JOINTS = _any("option_joints")
_COUNTED = rf"(?:1[0-5]|{_DIGIT}|{_ONES}|{_any('none')})"
_OF_KIN_ALONE = rf"(?:[ ,:/()-]|\b(?:{_KIN}|{_LIVING}|{_JOINTS}|{_COUNTED})\b){{0,24}}"
_IS_COUNTED = re.compile(
    rf"(?i){_KIN}(?:(?:[ ,:]{{1,3}}{_LIVING})?[ .,:(]{{1,8}}"
    rf"|{_OF_KIN_ALONE}{_LIVING}[ ,:]{{1,3}})\Z"
)
_IS_NO_AGE = re.compile(rf"(?i)(?:{_KIN} |{_LIVING}[ :]{{1,3}})\Z")  # "brothers, 14" is one
_MORE = re.compile(
    rf"(?i) ?(?:[,;&]|{_JOINTS}\b) ?[0-9]|,? ?(?:{_any('years')}|{_any('months')})\b"
)
_NUMBER = (
    rf"{_DIGIT}{{1,3}}(?:(?:[.'’-]| ?['’] ?){_DIGIT}{{1,2}})?(?: ?½| \d/\d(?!\d))?[\"'’”]{{0,2}}"
)
_TO = rf" ?(?:-|–|{_any('ranges')}\b) ?"
_UNIT = rf" ?{_any('units_of_builds')}\b\.?"
_MEASURE = re.compile(
    rf"(?i)\W*{_NUMBER}(?:{_TO}(?:{_NUMBER})?)?(?:{_UNIT}(?: ?{_NUMBER}(?:{_UNIT})?)?)?[^\w%]*"
)
_OF_BUILD = rf"(?:{_any('of_builds')}\b[ .,:]{{1,4}})"
_NO_FEVER = "".join(rf"(?<!\b{word} )" for word in _WORDS["levels_of_fevers"])
_IS_BUILD = re.compile(
    rf"(?i){_NO_FEVER}\b{_any('builds')}\b[ .,:]{{0,4}}"  # of a body, not of a fever
    rf"{_OF_BUILD}{{0,4}}(?:{_NUMBER}{_TO})?\Z"
)
_IS_GIRTH = re.compile(
    rf"(?i)\b{_any('girths')}\b[ .,:]{{0,4}}{_OF_BUILD}{{0,4}}"
    rf"(?:{_NUMBER}(?:{_TO}{_OF_BUILD}{{0,4}}|, ?{_OF_BUILD}{{1,4}}))?\Z"
)
_GIRTH = re.compile(r"[2-6][0-9lO]")  # inches of a chest or waist; less is a wound's
_INJURY = re.compile(rf"(?i)\b{_any('injuries')}\b")
_REACH = 80  # characters in which the label is looked for, and an injury
_BEHIND = 24  # characters behind the value in which an injury is looked for
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
    if span.entity == "HEALTH" and _is_build(text, span, before):
        return True
    return (
        _COUNT.fullmatch(text, span.start, span.end) is not None
        and _IS_COUNTED.search(before) is not None
        and (span.entity != "AGE" or _IS_NO_AGE.search(before) is not None)
        and _MORE.match(text, span.end) is None
    )


def _is_build(text: str, span: Span, before: str) -> bool:
    """Return whether *span* is a height, a weight or a girth: behind its label, *before* it."""
    if not _MEASURE.fullmatch(text, span.start, span.end) or text.startswith("/", span.end):
        return False
    if _IS_BUILD.search(before):
        return True
    return (
        _IS_GIRTH.search(before) is not None
        and _GIRTH.match(text, span.start) is not None
        and _INJURY.search(text, max(0, span.start - _REACH), span.end + _BEHIND) is None
    )
