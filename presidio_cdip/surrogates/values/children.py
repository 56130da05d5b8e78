"""Keep the number of children where the page lists them, and their sex where it names them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.drawing.context import context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.writing.text import cased_like, folded

_ONES = english().ones
_COUNT = rf"(?:\d|{'|'.join(_ONES[1:10])})"
_VALUE = re.compile(
    rf"(?i)(?P<head>{_COUNT}(?:[ ](?:grown|small|young|little|minor|dependent))?)?"
    r"(?:(?:\A|[ ])(?P<noun>sons?|daughters?|dau|boys?|girls?|children|kids))?"
)
# The words behind a number whose children are listed: ages, years of birth or names
_NUMBER = rf"(?:\d\d?|{_COUNT}|{'|'.join(_ONES[10:13])}|1[89]\d\d|20\d\d)\b"
_AGES = re.compile(
    rf"(?i)[\s.,:;(–-]*(?:(?:their\s+)?ages?d?[\s.:,(]*)?{_NUMBER}"
    rf"(?:[\s,/–-]|and\b|to\b|&)+{_NUMBER}"
    rf"|[\s.,:;(–-]*{_NUMBER}(?: [\w.]+){{1,3}}, ?{_NUMBER}"
    r"|[\s.,:;(–-]*\d\d?\s+months\b"
    r"|\s+(?:their\s+)?ages?\W+\d"
)
_NAMES = re.compile(
    r"[ \t,:;(–-]{1,6}(?:(?:including|living|children|to wit),?[ :]+){0,3}(?!Ages?\b)"
    r"(?:[^\Wa-z\d_][\w'’]+[ ]?){1,2}(?:(?:of|in) [^\Wa-z\d_]\w+)?"
    r"(?:[ ,(–-]+\d|,|\s+and\s+[^\Wa-z\d_])"
    r"|,?\s+(?:one|some|none|both|all|three|four) of (?:them|whom)\b|\s+by\s+[^\Wa-z\d_]"
    r"|\.\s+(?:The|Her|His|Their) (?:eldest|oldest|elder|older|youngest|first)\b"
)
_ONE_NAMED = re.compile(
    r"(?:[.,]?[ ]+(?:named[ ]|called[ ]|is[ ])?|[ ]*[:(–-][ ]*|,[ ]*)(?:[A-Z][a-z'’]+|[A-Z]{3,})\b"
)
_NAMED_BEFORE = re.compile(
    r"[A-Z][\w.'’]+(?:[ \t]*,[ ]|[ \t]{2,}|[ \t]+\d{1,2}[ \t]+(?:[MF][ \t]+)?)\Z"
    r"|\n(?:[A-Z][A-Z'’.]+ ){1,3}\Z"
)
_OTHER = {
    "sons": ("daughters",), "daughters": ("sons",), "boys": ("girls",), "girls": ("boys",),
    "children": ("sons", "daughters"), "kids": ("boys", "girls"),
    "son": ("daughter",), "daughter": ("son",), "boy": ("girl",), "girl": ("boy",), "dau": ("son",),
}  # fmt: skip
_ONE = ("son", "daughter", "dau", "boy", "girl")
_ANOTHER = ("step", "adopted ", "foster ")  # before a noun: another tie, of the same sex


@dataclass(frozen=True, slots=True)
class _Listed:
    """Read a number of children behind which the page lists their ages or names."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context = context_of(options)
        found = _VALUE.fullmatch(value)
        if context is None or found is None:
            return None
        noun = (found["noun"] or "").lower()
        after = context.page.text[context.end : context.end + 60]
        aged = found["head"] and _AGES.match(after)
        one = (noun and not found["head"]) or noun in _ONE
        named = _NAMES.match(after) or (one and _names_one(context.before, after))
        if not aged and not named:
            return None

        def write(draw: Draw) -> str:
            if not noun:
                return value
            if aged and not named:
                other = draw.chance.choice(_OTHER[noun])
            else:
                other = _related(draw.chance.choice(_ANOTHER), noun)
            return value[: found.start("noun")] + cased_like(found["noun"], other)

        return Reading("children listed", folded(value), write, may_stay=not noun)


def _names_one(before: str, after: str) -> bool:
    """Tell whether the text around a word for children names them."""
    return bool(_ONE_NAMED.match(after) or _NAMED_BEFORE.search(before))


def _related(tie: str, noun: str) -> str:
    """Return *noun* with another tie.

    >>> _related("step", "sons"), _related("step", "boy"), _related("foster ", "dau")
    ('stepsons', 'adopted boy', 'foster dau')
    """
    if tie == "step" and noun not in ("son", "sons", "daughter", "daughters", "dau", "children"):
        tie = "adopted "
    return tie + noun


CHILDREN_FORMS: tuple[Form, ...] = (_Listed(),)
