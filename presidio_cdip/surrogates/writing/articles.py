"""Choose between "a" and "an" by the sound with which the next word begins."""

import re

from presidio_cdip.pack.language import english

# Words that begin with a vowel's letter and a consonant's sound, and the reverse.
_CONSONANT_SOUND = re.compile(
    r"(?i)(?:eu|ew|one(?![a-z])|one-|once|ouija|ukr|utr|unani"
    r"|u(?!n[aeouy]|ni(?:n|m|d|ll)|po)[bcdfgjklmnprstvz][aeiouy])"
)
_VOWEL_SOUND = re.compile(r"(?i)(?:hour|honest|hono|heir|x-)")
_LETTER = re.compile(r"(?:(?-i:[A-Z](?![a-z]))[.\-/]?){2,}|(?-i:[A-Z](?![A-Za-z]))")
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")  # whose names begin with a vowel's sound
_CAPITALS = re.compile(r"[A-Z]{4,}")  # a word in capitals, or initials
# What can be said as a word: "NATO", "STROKE". Other initials are read by their letters: "UFCW".
_ONSET = (
    r"(?:[bcdfghjklmnprstvwyz]|qu|[bcfgkps]l|[bcdfgkpt]r|chr?|dw|gn|kn|ph[rl]?|ps|rh|sch|scr?|shr?"
    r"|sk|sm|sn|spr?|sph|spl|squ|str?|sw|thr?|tw|wh|wr)"
)
_VOWELS = r"(?:[iu]ou|eau|ia[eu]|ieu|[aeo]e[ao]|oui|[aeiouy]{1,2})"
_CODA = (
    r"(?:(?:[bcdfgklmnprstvwxz]|bb|bt|ch|ck|ct|dd|dg|ff|ft|ght?|gn|l[bdfklmptv]|ll|lth|m[bmpn]|mph|n[cdgknst]"
    r"|nch|nth|ph|pt|r[bcdfgklmnprstv]|r[ct]h|s[hkmpst]|tch|th|tt|zz)s?)"
)
_SPOKEN = re.compile(  # United … Workers are no word, though "UPWA" looks like one
    rf"(?i)(?!uw|u[a-z]w[a-z]\Z)(?!.*(?:aa|uu))(?:{_ONSET})?"
    rf"(?:{_VOWELS}[b-df-hj-np-tv-xz]{{1,4}})*{_VOWELS}{_CODA}?"
)
_NUMBER = re.compile(r"(?:8|11|18)(?:(?:,?\d{3})*(?!\d))|8\d")
_ARTICLE = re.compile(
    r"(?<![\w.'’-])(?<![Aa]/)(?<![Nn]/)(an?|An?|AN)([ \t]*\n[ \t]*|[ \t]+[\"“‘'(]?)\Z"
)
_BEFORE_ONE = frozenset(english().records["before_capital_articles"])
_NEAR = 40  # characters before a value in which its article and the word before that stand
_INNER = re.compile(r"(?<![\w.&'’-])an?(?=[ \n][^\W\d_]{2})")
_OWN = re.compile(r"(?i)an? ")
_WITHOUT = re.compile(r"(?i)(?:an?|the|his|her|my|their|our|your|one|no|some|any|not|never)\b")
_ROLE = re.compile(
    r"(?:[\w-]+ ){0,3}(?:member|holder|candidate|m[ae]n|woman|supporter|voter|delegate|secretary"
    r"|officer|steward|friend|backer|treasurer|agent|organi[sz]er|worker|president|chair|trustee"
    r"|critic|foe|opponent|admirer|champion|follower|believer|advocate|enemy|defender)"
    r"(?: (?:of|for|in|at|to)\b|\Z)"
)
_OPENING = re.compile(r"(?:\A|\n|[.!?:;(\"“])\s*\Z")


def takes_an(text: str) -> bool:
    """Tell whether *text* begins with a vowel's sound, so that "an" stands before it.

    >>> [takes_an(text) for text in ("Italian", "union man", "UAW member", "H-1B", "hour", "85")]
    [True, False, False, True, True, True]
    >>> [takes_an(text) for text in ("UFCW man", "SEIU man", "NATO man", "STROKE", "ULCER")]
    [False, True, False, False, True]
    """
    word = text.lstrip(" \"'“‘(")
    if not word:
        return False
    if word[0].isdigit():
        return bool(_NUMBER.match(word))
    capitals = _CAPITALS.match(word)
    if _LETTER.match(word) and not (capitals and _SPOKEN.fullmatch(capitals.group())):
        return word[0] in _VOWEL_LETTERS
    if word[0].casefold() in "aeiouáéíóúäöüåæø":
        return not _CONSONANT_SOUND.match(word)
    return bool(_VOWEL_SOUND.match(word))


def with_article(before: str, value: str) -> str:
    """Return *before*, the text before *value*, with the article that fits at its end, if any.

    A letter A is an article only where a sentence or line begins, among capitals, or behind a verb
    such as "is": it may be a grade or a vitamin.

    >>> with_article("He is a ", "Italian"), with_article("SHE WAS AN ", "DUTCH CITIZEN")
    ('He is an ', 'SHE WAS A ')
    >>> with_article("hepatitis A ", "infection"), with_article("as a ", "Greek")
    ('hepatitis A ', 'as a ')
    >>> with_article("Her mother is AN ", "CANADIAN"), with_article("He was A ", "ANGLICAN")
    ('Her mother is A ', 'He was AN ')
    """
    head, before = before[:-_NEAR], before[-_NEAR:]
    found = _ARTICLE.search(before)
    if not found:
        return head + before
    article = found[1]
    if article == "A" and not _OPENING.search(before, 0, found.start()):
        words = re.findall(r"[^\W\d_]+", before[: found.start()])
        last = words[-1] if words else ""
        if not (value.isupper() and ((last.isupper() and len(last) > 1) or last in _BEFORE_ONE)):
            return head + before
    right = "an" if takes_an(value) else "a"
    if article[0] == "A":
        right = right.upper() if article == "AN" or value.isupper() else right.capitalize()
    return head + before[: found.start()] + right + before[found.end(1) :]


def needed_article(before: str, value: str) -> str:
    r"""Return the article that *value* needs instead of the one before it; "" if that can stay.

    >>> needed_article("been a\n", "Irish citizen"), needed_article("an ", "epileptic")
    ('an', '')
    """
    fitted = with_article(before, value)
    found = _ARTICLE.search(fitted) if fitted != before else None
    return found[1] if found else ""


def with_own_article(value: str, written: str) -> str:
    """Return *written* with an article if *value* begins with one and *written* is a person's role.

    >>> with_own_article("a member of the League", "friend of the Club")
    'a friend of the Club'
    >>> with_own_article("a Labour man", "an old Tory"), with_own_article("a cold", "pneumonia")
    ('an old Tory', 'pneumonia')
    >>> with_own_article("A devout Anglican", "A observant Methodist")
    'An observant Methodist'
    """
    if not _OWN.match(value):
        return written
    if own := _OWN.match(written):
        article = "an" if takes_an(written[own.end() :]) else "a"
        return (article.capitalize() if written[0] == "A" else article) + written[own.end() - 1 :]
    if _WITHOUT.match(written) or not _ROLE.match(written):
        return written
    article = "an" if takes_an(written) else "a"
    return f"{article.capitalize() if value[0] == 'A' else article} {written}"


def with_inner_articles(text: str) -> str:
    """Return *text* with its small articles before letters corrected.

    >>> with_inner_articles("member of a Ukrainian and an German club")
    'member of a Ukrainian and a German club'
    """
    return _INNER.sub(lambda found: "an" if takes_an(text[found.end() :]) else "a", text)
