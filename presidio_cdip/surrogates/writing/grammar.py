"""Tell whether a surrogate reads on from the word before it."""

import re

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english

_FINITE = (
    "is|are|was|were|has|have|had|does|did|would|could|cannot|will|went|denies|denied|admits|attends"
    "|keeps|lives|belongs|prays|goes|takes|uses|wears|walks|sleeps|owes|reads"
)
_DETERMINER = "an?|the|his|her|my|their|our|your"
_PAST = (  # no participles
    "went|came|took|saw|ran|wrote|spoke|gave|fell|broke|drove|wore|sang|did|began|became|knew|grew"
    "|rang|rode|chose|swore|tore|drank|threw|had|withdrew|shook|woke|forgot|froze|hid|rose|shrank"
)
_KEPT = (  # the past without an object, and with one
    r"(?:kept|lived|tied|left|got|stood|fell|sat) (?!by\b|to\b|waiting)"
    r"|\w+ed (?:an?|the|his|her|my|their|our) "
    r"|(?:moved (?:in|out)|served (?:on|as|in|at)|(?:won|lost) an?|cheated (?:on|with)"
    r"|carried on (?:an?|with)|set up (?:house|home)|exchanged \w+|slept|resigned|dropped out"
    r"|drifted|strayed|marched|canvassed|campaigned|stayed|belonged|voted (?!in\b|out\b|off\b)"
    r"|held (?:an?|party)|paid (?:dues|party))\b"
)
_COUNTS = "one|two|three|four|five|six|both|some|any|other|eldest|oldest|youngest"
# The words with which a surrogate cannot begin, by the word before it.
_RULES = (
    (
        "is are was were be been being am",
        rf"{_FINITE}|{_PAST}|{_KEPT}|(?:never )?been|never (?:\w+ed|paid|held|went|kept|took)",
    ),
    (
        "has have had having",
        "is|are|was|were|has|have|do|don['’]t|does|doesn['’]t|didn['’]t|will|would|can|cannot|can['’]t"
        r"|could|couldn['’]t|should|might|denies|lives|belongs|goes|no longer \w+"
        f"|(?:never |not )?(?:{_PAST})|not (?:on|in|at|an?|for|under|with)",
    ),
    ("a an", rf"{_FINITE}|{_DETERMINER}|no|not|never|{_COUNTS}"),
    ("few several", f"{_FINITE}|{_DETERMINER}|{_COUNTS}|multiple|several|many|few|no|not"),
    ("the his her my their our your this", rf"{_FINITE}|{_DETERMINER}|no|not|never"),
    (
        "do does did",
        rf"{_FINITE}|{_DETERMINER}|do|be|not (?:\w+(?:ed|ing|ive|ant|ent)|an?|in|on)\b",
    ),
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
# Words that carry the tense and the person of a clause; what follows them tells the fact
_ADVERBS = "also|still|once|now|always|since|later|long|recently|just|been|being"
_AUXILIARIES = "is|are|was|were|am|has|have|had|being|having"
_LEAD = re.compile(rf"(?i)(?:(?:{_AUXILIARIES})\b(?: (?:{_ADVERBS}))* )+(?=\S)")
_NEGATED = re.compile(
    rf"(?i)(?:(?:{_AUXILIARIES}|does|did|do)(?: (?:{_ADVERBS}))* )?"
    rf"(?:not|never)(?: (?:{_ADVERBS}|yet))* (?=\S)"
)
_NOTHING = re.compile(
    r"(?i)(?:have|has|had|do|it|one|any|so|of|to|them|him|her|his|hers|mine|that|this|there| )+"
)
_AUXILIARY = re.compile(
    r"(?i)\b(?:has|have|had|do|does|did|was|were|is|are|am|been|will|would|can|could|should|must|may"
    r"|might)\s+\Z"
)
# A phrase whose head is a plural or not counted, and the article that does not stand before it
_BEHIND = alternation(english().records["behind_mass"])
_UNCOUNTED = re.compile(
    rf"(?i)(?:(?!(?:{_BEHIND})\b)[\w'’-]+ )*?"
    rf"(?:{'|'.join(english().records['mass_nouns'])}|[a-z-]+[^isu\W]s)"
    rf"(?=[,;:]|\Z| (?:{_BEHIND})\b)"
)
_AN = re.compile(r"(?i)(?<![\w.])an?\s+(?:(?:1[89]|20)\d\d\s+)?\Z")
_ARTICLE = re.compile(r"(?i)(?:an?|the) ")
_QUALIFIED = re.compile(
    rf"(?i)(?<![\w.])(?:{_DETERMINER}) (?:[a-z]{{2,}} )?"
    r"(?:new|old|same|usual|daily|weekly|right|left|next|first|last|other|bad|small|little|own)\s\Z"
)
_LAST = re.compile(
    r"([^\W\d_]+)(?:\s+(?:not|never|ever|also|since|now|just|always|already))?"
    r"[ \t]*(?:\n[ \t]*|[ \t])\Z"
)


def parted(value: str) -> tuple[str, str]:
    """Return the auxiliary verbs with which *value* begins, and the rest of it.

    >>> parted("has been a member of it"), parted("is against the war"), parted("was")
    (('has been ', 'a member of it'), ('is ', 'against the war'), ('', 'was'))
    """
    found = _LEAD.match(value)
    return (value[: found.end()], value[found.end() :]) if found else ("", value)


def negated(value: str, before: str = "") -> tuple[str, str]:
    """Return *not* or *never* with which *value* begins, with its auxiliary verbs, and the rest.

    Args:
        value: The value.
        before: The text before it, which may have the auxiliary verb.

    >>> negated("has not eaten"), negated("not eaten", "she had "), negated("not eaten")
    (('has not ', 'eaten'), ('not ', 'eaten'), ('', 'not eaten'))
    >>> negated("does not have it"), negated("did not")
    (('', 'does not have it'), ('', 'did not'))
    """
    found = _NEGATED.match(value)
    alone = found and found.group()[:1] in "nN" and not _AUXILIARY.search(before)
    if not found or alone or _NOTHING.fullmatch(value, found.end()):
        return "", value
    return value[: found.end()], value[found.end() :]


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
    >>> reads_on("the two were ", "married there", "moved in with a friend")
    False
    >>> reads_on("She was a ", "pillar of Gill Church", "Zion Church")
    False
    >>> reads_on("all were ", "endorsed by it", "members"), reads_on("", "ill", "has a cold")
    (True, True)
    >>> reads_on("I have a ", "headache", "dizziness"), reads_on("a 1980 ", "burn", "nerve damage")
    (False, False)
    """
    if _VERB.match(value) and not _VERB_LIKE.match(written):
        return False
    if _AN.search(before[-16:]) and _UNCOUNTED.match(written) and not _UNCOUNTED.match(value):
        return False
    if _QUALIFIED.search(before[-32:]) and _ARTICLE.match(written) and not _ARTICLE.match(value):
        return False  # "the new ⟦a diet⟧"
    found = _LAST.search(before[-16:])
    if found and found[1] in ("a", "an", "the") and value[:1].islower() and _HOUSE.match(written):
        return False
    rule = _NOT_AFTER.get(found[1].casefold()) if found else None
    return rule is None or not rule.match(written) or bool(rule.match(value))
