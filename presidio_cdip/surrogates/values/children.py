"""Keep the number of children where the page lists them, and their sex where it names them.

The list stays, or its ages and names agree with the number that it has. A number and "children"
say no more than the list does, so that they stay; so does a number of none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.drawing.context import Context, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.writing.breaks import joined
from presidio_cdip.surrogates.writing.text import cased_like, folded

_ONES = english().ones
_COUNT = rf"(?:\d|{'|'.join(_ONES[1:10])})"
_VALUE = re.compile(
    rf"(?i)(?P<head>(?P<count>{_COUNT})"
    r"(?:[ ](?:grown|small|young|little|minor|dependent|living|at home|in all))?)?"
    r"(?:(?:\A|[ ])(?P<noun>sons?|daughters?|dau|boys?|girls?|children|kids|child|kid))?"
    r"(?P<tail>[ ](?:of (?:the|this|that) marriage|at home|living|in all|by h(?:im|er)))?"
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
_ONE_TOLD = re.compile(  # the age or the sex of one
    r"(?i)[\s,:;(–-]{0,3}(?:(?:an? )?(?:boy|girl|son|daughter)\b|(?:aged?|now)\s+\d)"
)
_NAMES = re.compile(
    r"[ \t,:;(–-]{1,6}(?:(?:including|living|children|to wit),?[ :]+){0,3}(?!Ages?\b)"
    r"(?:[^\Wa-z\d_][\w'’]+[ ]?){1,2}(?:(?:of|in) [^\Wa-z\d_]\w+)?"
    r"(?:[ ,(–-]+\d|,|\s+and\s+[^\Wa-z\d_])"
    r"|,?\s+(?:one|some|none|both|all|three|four) of (?:them|whom)\b|\s+by\s+[^\Wa-z\d_]"
    r"|\.\s+(?:The|Her|His|Their) (?:eldest|oldest|elder|older|youngest|first)\b"
    r"|[^.;,\n]{0,30}, the (?:eldest|oldest|elder|older|younger|youngest|first)\b"
)
# A number of children in other words: "mother of two", "has 3 kids".
# Whatever else the value says would stay, so that nothing else may be in it.
_COUNTED = re.compile(
    r"(?i)(?:(?:is|was|has|have|had|with|and|the|a|an|his|her|their) ){0,3}"
    rf"(?:(?P<parent>mother|father|mom|mum|dad|parent) (?:of|to) )?(?P<count>{_COUNT})"
    r"(?:[ ](?:grown|small|young|little|minor|dependent|living))?"
    r"(?:[ ](?P<noun>sons|daughters|boys|girls|children|kids))?"
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
    "son": ("daughter",), "daughter": ("son",), "boy": ("girl",), "girl": ("boy",), "dau": ("son",),
}  # fmt: skip
_EITHER = ("children", "kids", "child", "kid")  # of which no other word says anything else
_NO_CHILD = re.compile(r"0{1,2}|zero|nil")
_ONE = ("son", "daughter", "dau", "boy", "girl", "child", "kid")
_ANOTHER = ("step", "adopted ", "foster ")  # before a noun: another tie, of the same sex


@dataclass(frozen=True, slots=True)
class _Listed:
    """Read a number of children behind which the page lists their ages or names."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context = context_of(options)
        found = _VALUE.fullmatch(value)
        if context is None:
            return None
        if _NO_CHILD.fullmatch(value.casefold()):
            return Reading("children absent", folded(value), lambda draw: value, may_stay=True)
        if found is None:
            return _counted(value, context)
        noun = (found["noun"] or "").lower()
        after = context.page.text[context.end : context.end + 60]
        one = (noun and not found["head"]) or noun in _ONE
        aged = found["head"] and (_AGES.match(after) or (one and _ONE_TOLD.match(after)))
        named = _NAMES.match(after) or (one and _names_one(context.before, after))
        if not aged and not named:
            return _counted(value, context)

        stays = not noun or (found["head"] and noun in _EITHER)

        def write(draw: Draw) -> str:
            if stays:
                return value
            if aged and not named:
                other = _another(noun, found["count"] or "", draw)
            else:
                other = _related(draw.chance.choice(_ANOTHER), noun)
            new = cased_like(found["noun"], other)
            return value[: found.start("noun")] + new + value[found.end("noun") :]

        return Reading("children listed", folded(value), write, may_stay=bool(stays))


def _counted(value: str, context: Context) -> Reading | None:
    """Return the reading of a number of children that the page lists elsewhere; it stays."""
    found = _COUNTED.fullmatch(value)
    if not found or _number(found["count"]) not in context.page.fact(_listed_numbers):
        return None
    name = "noun" if found["noun"] else "parent"
    if not found[name]:
        return None
    own = found[name].lower()
    if own in _EITHER:
        return Reading("children counted", folded(value), lambda draw: value, may_stay=True)

    def write(draw: Draw) -> str:
        other = "parent" if name == "parent" else _another(own, found["count"], draw)
        if other == own:
            other = "guardian"
        return (
            value[: found.start(name)] + cased_like(found[name], other) + value[found.end(name) :]
        )

    return Reading("children counted", folded(value), write)


def _listed_numbers(page: Page) -> frozenset[int]:
    """Return the numbers of children behind which the page lists ages or names."""
    return frozenset(
        _number(found["count"])
        for one in page.findings
        if one.entity == "MARITAL_STATUS"
        and (found := _VALUE.fullmatch(joined(page.text[one.start : one.end]).phrase))
        and found["count"]
        and (
            _AGES.match(after := page.text[one.end : one.end + 60])
            or (_number(found["count"]) > 1 and _NAMES.match(after))
        )
    )


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _ONES.index(text.casefold())


def _another(noun: str, count: str, draw: Draw) -> str:
    """Return another noun for as many children, the same throughout a scope."""
    return draw.part(f"{draw.entity} children", count.lower()).chance.choice(_OTHER[noun])


def _names_one(before: str, after: str) -> bool:
    """Return whether the text around a word for children names them."""
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
