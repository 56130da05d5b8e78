"""Tell whether a surrogate reads on from the word before it."""

import re

_FINITE = (
    "is|are|was|were|has|have|had|does|did|would|could|cannot|will|went|denies|denied|admits|attends"
    "|keeps|lives|belongs|prays|goes|takes|uses|wears|walks|sleeps|owes|reads"
)
_DETERMINER = "an?|the|his|her|my|their|our|your"
# The words with which a surrogate cannot begin, by the word before it.
_RULES = (
    ("is are was were be been being am", rf"{_FINITE}|never (?:\w+ed|paid|held|went)"),
    (
        "has have had having",
        "is|are|was|were|has|have|does|did|will|would|denies|lives|belongs|goes",
    ),
    ("a an the his her my their our your this", rf"{_FINITE}|{_DETERMINER}|no|not|never"),
    (
        "will would can could may might must shall should",
        rf"is|are|was|were|has|had|{_DETERMINER}|been|being|\w{{2,}}(?:ed|ing)",
    ),
    ("he she i we they you who", rf"{_DETERMINER}|been|being|of|in|on|no|\w{{3,}}ing"),
    ("with for of from without against by after because", rf"{_FINITE}|never|not"),
)
_NOT_AFTER = {
    word: re.compile(rf"(?i)(?:{wrong})\b") for words, wrong in _RULES for word in words.split()
}
# A verb of the third person, or in the past, with which a value or its surrogate begins
_VERB = re.compile(
    r"(?i)(?:never |no longer |seldom |also |still |once )?(?:(?P<past>was|had|went|did)"
    r"|attends|goes|keeps|prays|takes|has|is|drinks|wears|carries|suffers|lives|belongs|works|reads|believes|votes"
    r"|supports|sings|teaches|serves|uses|smokes|walks|sleeps|denies|admits|does|comes|needs|sees"
    r"|speaks)\b"
)
_VERB_LIKE = re.compile(
    r"(?i)(?:(?:never|no longer|seldom|also|still|once|often|rarely|has|is|was|does|did|had) )?"
    r"(?:[a-z]{2,}(?:s|ed)|was|had|did|went|kept|took|held|sat|sang|stood|gave|got|made|lost|left|not"
    r"|saw|wore|ran|broke|fell|read|can(?:not)?|could|would|has|is|does|fought|spoke|wrote|put|hit)\b"
)
# A house of worship, which is no person
_HOUSE = re.compile(r"[A-Z].*\b(?:Church|Temple|Chapel|Congregation|Synagogue|Mission|Parish)\Z")
_LAST = re.compile(r"([^\W\d_]+)[ \t]*(?:\n[ \t]*|[ \t])\Z")


def verb_of(value: str) -> str:
    """Return the syntax of a *value* that begins with a common verb: ``Z``, ``V`` or ``""``.

    >>> verb_of("attends church"), verb_of("never went"), verb_of("church")
    ('Z', 'V', '')
    """
    found = _VERB.match(value)
    return "" if not found else "V" if found["past"] else "Z"


def reads_on(before: str, value: str, written: str) -> bool:
    """Tell whether *written* can follow the last word of *before*, as far as simple rules say.

    Where *value* breaks a rule itself, the rule says nothing.

    >>> reads_on("all were ", "endorsed by it", "had no use for it")
    False
    >>> reads_on("She was a ", "pillar of Gill Church", "Zion Church")
    False
    >>> reads_on("all were ", "endorsed by it", "members"), reads_on("", "ill", "has a cold")
    (True, True)
    """
    if _VERB.match(value) and not _VERB_LIKE.match(written):
        return False
    found = _LAST.search(before[-16:])
    if found and found[1] in ("a", "an", "the") and value[:1].islower() and _HOUSE.match(written):
        return False
    rule = _NOT_AFTER.get(found[1].casefold()) if found else None
    return rule is None or not rule.match(written) or bool(rule.match(value))
