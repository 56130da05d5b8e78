"""Keep the number of children where the page lists them: the number and the list are one fact."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from presidio_cdip.surrogates.drawing.context import context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.writing.text import cased_like, folded

_COUNT = r"(?:\d|one|two|three|four|five|six|seven|eight|nine)"
_VALUE = re.compile(
    rf"(?i)(?P<head>{_COUNT}(?:[ ](?:grown|small|young|little|minor|dependent))?)"
    r"(?:[ ](?P<noun>sons|daughters|boys|girls|children|kids))?"
)
# What stands behind a number whose children are listed: ages, years of birth or names
_NUMBER = rf"(?:\d\d?|{_COUNT}|ten|eleven|twelve|1[89]\d\d|20\d\d)\b"
_AGES = re.compile(
    rf"(?i)[\s.,:;(–-]*(?:(?:their\s+)?ages?d?[\s.:,(]*)?{_NUMBER}"
    rf"(?:[\s,/–-]|and\b|to\b|&)+{_NUMBER}|[\s.,:;(–-]*\d\d?\s+months\b"
    r"|\s+(?:their\s+)?ages?\W+\d"
)
_NAMES = re.compile(
    r"[ \t,:;(–-]{1,6}(?:(?:including|living|children|to wit),?[ :]+){0,3}(?!Ages?\b)"
    r"(?:[^\Wa-z\d_][\w'’]+[ ]?){1,2}(?:[ ,(–-]+\d|,|\s+and\s+[^\Wa-z\d_])"
    r"|,?\s+(?:one|some|none|both|all|three|four) of (?:them|whom)\b|\s+by\s+[^\Wa-z\d_]"
)
_OTHER = {
    "sons": ("daughters",), "daughters": ("sons",), "boys": ("girls",), "girls": ("boys",),
    "children": ("sons", "daughters"), "kids": ("boys", "girls"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Listed:
    """Read a number of children behind which the page lists their ages or names."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context = context_of(options)
        found = _VALUE.fullmatch(value)
        if context is None or found is None:
            return None
        after = context.page.text[context.end : context.end + 60]
        aged, named = _AGES.match(after), _NAMES.match(after)
        if not aged and not named:
            return None

        def write(draw: Draw) -> str:
            noun = found["noun"] or ""
            if not noun or not aged:
                return value
            other = draw.chance.choice(_OTHER[noun.lower()])
            return value[: found.start("noun")] + cased_like(noun, other)

        return Reading("children listed", folded(value), write, may_stay=True)


CHILDREN_FORMS: tuple[Form, ...] = (_Listed(),)
