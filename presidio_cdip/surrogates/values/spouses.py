"""Keep a word for a spouse where what stays on its page tells the marriage, or who is dead.

Beside *Mrs.*, a maiden name or a marriage certificate no word but *wife* can stand, and another
would hide nothing; so do *married* before the other's name and *widow* before *of* and a name.
A former spouse is no late one on a page where nobody died.
"""

import re
from collections.abc import Mapping
from typing import Any

from presidio_cdip.surrogates.drawing.context import Context, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.values.setting import staying
from presidio_cdip.surrogates.writing.text import cased_like, folded

_NEAR = 300  # characters on either side in which "Mrs." is of the marriage
_LEAD = r"(?:(?:my|his|her|the|their|your|with|and|a) ){0,2}"
_SPOUSE = re.compile(rf"(?i){_LEAD}(?:wife|husband|spouse|wf|husb)\.?")
_MARRIED = re.compile(r"(?i)(?:is |was |are )?(?:married|marr\.?|mar\.)")
_WIDOWED = re.compile(rf"(?i){_LEAD}(?:widow|widower|widowed|wid\.?)|(?:is |was )widowed")
_FORMER = re.compile(rf"(?i){_LEAD}(?P<ex>former|ex|previous)[- ](?P<spouse>wife|husband|spouse)")
_OF_COUPLE = re.compile(
    r"\bMr\. and Mrs\b|\bMrs\.? (?!Miss|Ms|Dr)[A-Z][a-z]|\b[Mm](?:aiden|arried) name:?[ ]{1,2}[A-Z]"
    r"|\bn[ée]e [A-Z]"
)
_WED = re.compile(
    r"(?<![\])_] )\b(?:marriage (?:certificate|licen[cs]e|lines|record)|wedding (?:ring|day)"
    r"|(?:his|her|my) (?:wife|husband)(?!'s (?:name|birth|occ|emp))(?!,? (?:who )?(?:died|left))"
    r"|(?:he|she|they|we|couple) (?:were|was|are|is|had been) married|married (?:him|her|on|in|at)"
    r"|years of marriage|wedlock)\b"
)
_DEAD = re.compile(
    r"(?i)\b(?:(?:late|deceased|dead) (?:wife|husband|spouse)"
    r"|death of (?:his|her|my) (?:wife|husband)|(?:wife|husband)'s death"
    r"|(?:wife|husband)(?:,? \w+)?,? (?:who )?(?:died|passed|was killed)"
    r"|widow'?s? (?:pension|benefit|allowance)|surviv(?:or|ed by|ing spouse))\b"
)
_DIED = re.compile(
    r"(?i)\b(?:died|dies|death|dead|deceased|late|widow\w*|surviv\w+|funeral|estate)\b"
)
# Behind "married": to whom, where, by whom; behind a widow: of whom.
_TO_WHOM = re.compile(
    r"(?:,?\s(?:on |in )?(?:the )?[\w.]{1,12}(?:,?\s[\w.]{1,5}){0,3})?,?\s"
    r"(?:to|in the [Cc]hurch|by (?:the )?Rev)\b"
)
_WHOM = re.compile(r"\s(?:(?:Mrs|Miss|Ms|Dr)\.? )?[A-Z][\w'’-]+ [A-Z]")
_OF_WHOM = re.compile(r"\sof (?:the late )?(?:Mr\.? |Dr\.? )?[A-Z]")
_AFTER = 60  # characters behind a value
_LIVING = ("estranged", "separated")


def _weds(page: Page) -> bool:
    return bool(_WED.search(page.fact(staying)))


def _tells_death(page: Page) -> bool:
    return bool(_DEAD.search(page.fact(staying)))


def _has_dead(page: Page) -> bool:
    return bool(_DIED.search(page.fact(staying)))


def _tells_marriage(context: Context) -> bool:
    """Tell whether what stays on the page tells that somebody is married."""
    text = context.page.fact(staying)
    near = text[max(0, context.start - _NEAR) : context.end + _NEAR]
    return context.page.fact(_weds) or bool(_OF_COUPLE.search(near))


def _names_spouse(value: str, context: Context) -> bool:
    """Tell whether what follows *value* says whom a person married, or whose widow she is."""
    after = context.page.text[context.end : context.end + _AFTER]
    if _WIDOWED.fullmatch(value):
        return bool(_OF_WHOM.match(after))
    if not _MARRIED.fullmatch(value):
        return False
    return bool(_TO_WHOM.match(after) or (value.islower() and _WHOM.match(after)))


class _Spouse:
    """Read a word for a spouse or a state of marriage that its page tells as well."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of such a word; None for others, and without a page."""
        context = context_of(options)
        if context is None:
            return None
        if (
            (_SPOUSE.fullmatch(value) and _tells_marriage(context))
            or (_MARRIED.fullmatch(value) and context.page.fact(_weds))
            or (_WIDOWED.fullmatch(value) and context.page.fact(_tells_death))
            or _names_spouse(value, context)
        ):
            return Reading("spouse told", folded(value), lambda draw: value, may_stay=True)
        found = _FORMER.fullmatch(value)
        if found is None or context.page.fact(_has_dead):
            return None

        def write(draw: Draw) -> str:
            other = cased_like(found["ex"], draw.chance.choice(_LIVING))
            return f"{value[: found.start('ex')]}{other} {found['spouse']}"

        return Reading("spouse living", folded(value), write)


SPOUSE_FORMS: tuple[Form, ...] = (_Spouse(),)
