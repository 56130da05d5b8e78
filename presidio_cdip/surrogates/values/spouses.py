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

_NEAR = 150  # characters on either side in which something tells of the marriage
_END = re.compile(r"(?<!\bMrs)(?<!\bMr)(?<!\bDr)[.!?;]\s+(?=[A-Z]|\Z)|\n")  # of a sentence
_LABEL = re.compile(r":\s*\Z")
_LEAD = r"(?:(?:my|his|her|the|their|your|with|and|a) ){0,2}"
_SPOUSE = re.compile(rf"(?i){_LEAD}(?:wife|husband|spouse|wf|husb)\.?")
_MARRIED = re.compile(
    r"(?i)(?:is |was |are )?(?:married|marr\.?|mar\.)(?: (?:for )?[\w-]+ (?:years|yrs\.?|months))?"
)
_COUPLE = re.compile(r"\b(?:Mr|Dr|Rev)\.? (?:and|&) Mrs\b")  # the subject of "married"
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
_AND_SPOUSE = re.compile(  # "married, wife not working"
    r"[,;]? (?:and )?(?:the |his |her |my )?(?:wife|husband)\b"
    r"(?!['’]s? (?:name|occ|emp)|,? (?:who )?(?:is |was )?(?:died|dead|deceased|left|name))"
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


def _has_dead(page: Page) -> bool:
    return bool(_DIED.search(page.fact(staying)))


def _near(context: Context) -> str:
    """Return what stays of the sentence of a value, or its line, and of the next one."""
    text = context.page.fact(staying)
    before = _END.split(text[max(0, context.start - _NEAR) : context.start])[-1]
    after = _END.split(text[context.end : context.end + _NEAR])[:2]
    return before + " " * (context.end - context.start) + " ".join(after)


def _is_told(value: str, context: Context) -> bool:
    """Tell whether what stays beside *value* tells a marriage, or that one of the two is dead."""
    if _SPOUSE.fullmatch(value):
        near = _near(context)
        return bool(_WED.search(near) or _OF_COUPLE.search(near))
    if _LABEL.search(context.before):
        return False
    if _MARRIED.fullmatch(value):
        return bool(_WED.search(_near(context)) or _has_couple(value, context))
    return bool(_WIDOWED.fullmatch(value) and _DEAD.search(_near(context)))


def _has_couple(value: str, context: Context) -> bool:
    """Tell whether a couple is the subject of *value*, or of the sentence that it goes on from."""
    text = context.page.fact(staying)
    sentences = _END.split(text[max(0, context.start - _NEAR) : context.start])
    own, before = sentences[-1], sentences[-2] if len(sentences) > 1 else ""
    goes_on = value[:1].isupper() and not own.strip()
    return bool(_COUPLE.search(before if goes_on else own))


def _names_spouse(value: str, context: Context) -> bool:
    """Tell whether what follows *value* says whom a person married, or whose widow she is."""
    after = context.page.text[context.end : context.end + _AFTER]
    if _WIDOWED.fullmatch(value):
        return bool(_OF_WHOM.match(after))
    if not _MARRIED.fullmatch(value):
        return False
    if _AND_SPOUSE.match(after):
        return True
    return bool(_TO_WHOM.match(after) or (value.islower() and _WHOM.match(after)))


class _Spouse:
    """Read a word for a spouse or a state of marriage that its page tells as well."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of such a word; None for others, and without a page."""
        context = context_of(options)
        if context is None:
            return None
        if _is_told(value, context) or _names_spouse(value, context):
            return Reading("spouse told", folded(value), lambda draw: value, may_stay=True)
        found = _FORMER.fullmatch(value)
        if found is None or context.page.fact(_has_dead):
            return None

        def write(draw: Draw) -> str:
            other = cased_like(found["ex"], draw.chance.choice(_LIVING))
            return f"{value[: found.start('ex')]}{other} {found['spouse']}"

        return Reading("spouse living", folded(value), write)


SPOUSE_FORMS: tuple[Form, ...] = (_Spouse(),)
