"""Find the words of a page that tell a sex, and write those of the other sex in their place.

The words are in ``operators/gazetteers/sex_words.tsv``; ``sex_words_stay.txt`` has phrases in which
they tell nobody's sex. Words that name a business or a place stay: capitals beside them, or a word
for an organization, tell these.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Finding, Page
from presidio_cdip.surrogates.drawing.lists import rows, terms
from presidio_cdip.surrogates.places.street_lists import load_street_lists
from presidio_cdip.surrogates.values.name_words import TITLES
from presidio_cdip.surrogates.writing.text import folded

ALL, NAME, NONE = "all", "name", ""
"""What is read in a finding: every word of a sex, those of names (titles), or none."""

_LISTED, _STAY = "sex_words", "sex_words_stay"
_PRONOUN, _TITLE, _ADDRESS, _KIN, _WORD, _CODE = (
    "pronoun", "title", "address", "kin", "word", "code",
)  # fmt: skip
_ORGAN = "organ"  # what one sex has, in values of health alone
_PARTICLE = "particle"  # between the words of a name
_HEALTH = "HEALTH"
_OF_PLACE = {"him": "her", "hers": "his", "his": "", "her": ""}  # "": the words behind decide
_GROUPS = frozenset(("brothers", "sisters"))
_NO_PLURAL = frozenset((_PRONOUN, _TITLE, _ADDRESS, _CODE, _ORGAN, _PARTICLE))
_BESIDE = 60  # characters on either side in which neighbours are read
_SAME_LINE = 40  # characters between two printed options of one line

# Behind "her" as an object: "told her that", "with her to". Before a noun it is "his".
_NO_NOUNS = frozenset(english().labels["behind_her"])
# Those that stand before a noun, too: "her past illness", "her only son".
_ADJECTIVES = frozenset(english().labels["before_nouns_too"])
_NOUNS_IN_LY = frozenset(english().labels["nouns_in_ly"])
# Behind "let her", "saw her", "helped her", "made her"
_CAUSES = frozenset(english().labels["causing"])
_BARE = frozenset(english().labels["behind_causing"])
_GIVES = frozenset(english().labels["giving"])
# Behind "saw her", "believed her" and "gave her"
_SEES = frozenset(english().labels["seeing"])
_SEEN = frozenset(english().labels["behind_seeing"])
_BELIEVES = frozenset(english().labels["believing"])
_BELIEVED = frozenset(english().labels["behind_believing"])
_GIVEN = frozenset(english().labels["given_alone"])
# "called her Monday." and "nobody but her knew", not "her Monday shift"
_ON_A_DAY = re.compile(
    r"(?i)[ \t]*\n?[ \t]*(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"(?:[ ](?:morning|afternoon|evening|night))?(?=\s*(?:[.,;:!?)]|\Z"
    r"|(?:and|but|at|to|about|in|for|from|with|before|after|when|because|by|that)\b))"
)
_ALL_BUT_HER = re.compile(
    r"(?i)\b(?:nobody|no[ -]?one|none|every(?:body|one)|all|any(?:body|one))[ ]"
    r"(?:but|except|save)[ ]\Z"
)
_PAST = re.compile(r"knew|saw|went|came|was|had|could|would|did|ate|took|left|[a-z]+ed")
_NEXT = re.compile(r"[ \t]*\n?[ \t]*(?P<word>[^\W_][\w'’-]*|\S)?")
_PREVIOUS = re.compile(r"(?P<word>[^\W\d_][\w'’-]*)(?P<stop>[^\w\n]*)[ \t]*\n?[ \t]*\Z")
_NUMBER = re.compile(r"\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|several|many)\b")
_CAPITAL = re.compile(r"[ ](?:&[ ])?(?P<word>[A-Z][\w'’-]*)")
_BEFORE_CAPITAL = re.compile(r"(?P<word>\b[A-Z][\w'’-]*\.?)[ ](?:of[ ](?:the[ ])?|&[ ])?\Z")
_CELL = re.compile(r"(?:\A|\n|\t|[ ]{2}|[|;:.!?(\[\"“”_*•–—)]|[-,][ ]?)[ ]?\Z")  # before a cell
_POSSESSIVE = re.compile(r"['’](?:s\b)?")
_NEAR_WORDS = re.compile(r"[^\W\d_][\w'’]*")
# "his or her", "he/she", "Mr. and Mrs.": both sexes are meant, or one person of each.
_EITHER = re.compile(r"\.?[ ]?(?:[/\\|]|(?:,[ ])?\bor\b|\band/or\b)[ ]?(?:the[ ]|a[ ]|an[ ])?")
_BOTH = re.compile(r"\.?[ ](?:and|&)[ ]")
_BY_BOTH = frozenset(("mr", "his", "ladies", "gentlemen", "he", "him"))
_PRINTED = re.compile(r"[^\na-z]{1,40}")
_PRINTED_TITLES = re.compile(
    r"(?i)\b(?:Mrs?|Miss|Ms)\b\.?(?:[ ]?(?:[/|,]|,?[ ]or\b)[ ]?(?:Mrs?|Miss|Ms)\b\.?)+"
)
_MR = re.compile(r"(?i)\bMr\b")
_SHE_IN_BRACKETS = re.compile(r"(?:\(s\)|\bs/)\Z", re.IGNORECASE)
_OF_GOD = re.compile(r"\b(?:God|Lord|Christ|Jesus|Almighty|Saviour)\b[^.\n;]{0,40}\Z")
_DEAR = re.compile(r"(?i)(?:dear|my dear|yes,?|no,?|thank you,?)[ ]\Z")
_ENDS_ADDRESS = re.compile(r"[ ]?(?:[,:;.!?\n]|--|and (?:Brother|Sister)\b)")
_OF_TOWN = re.compile(r"[A-Za-z], \Z")  # "Jackson, Miss."
_OFFICES = re.compile(r"\.? (?:Chair|President|Speaker|Justice|Secretary|Mayor|Moderator)", re.I)
_SIR, _MADAM = "sir", "madam"
_BRIDE = re.compile(r"(?i)\bbrides?\b")
_JUNIOR = re.compile(r",?[ ]+(?i:Jr|Sr|Jun|II|III|IV)\b\.?")  # no woman is called so
_SMALL = frozenset(("wf",))  # in capitals it is a code of race and sex
_SHORT = frozenset(("pa", "ma"))  # in capitals they are something else
_LET = frozenset(("let", "lets", "letting"))
_TAKE = frozenset(("take", "takes", "took", "taken", "taking"))
_NAMED = re.compile(r"\.?[ \t]{1,3}\n?[ \t]*(?=[A-Z])")
_AND_TITLE = re.compile(r"(?i)\.? ?(?:and|or|&|/) ?(?:Mrs?|Miss|Ms)\b")
_MENS = frozenset(("mr", "mister", "master", "sir", "herr", "messrs"))
_TITLED = 3  # characters between a title and the name behind it
_SHORTENED = frozenset(("mr", "mrs", "ms", "mme", "mlle", "messrs"))  # no words
_NOBLE = frozenset(("sir", "dame", "lady", "lord", "master", "don", "madame"))
_WITHOUT_STOP = re.compile(r"\b(?:Mr|Mrs|Dr)[ ](?=[A-Z])")
_MARRIED = re.compile(r"(?i)\b(?:wife|husband|married|spouse|widow(?:er)?|Mrs)\b")
_YEAR = re.compile(r"\b(?:19[0-9]\d|20[0-4]\d)\b")
_SINCE_MS = 1975  # the year from which "Ms." is usual
# A letter behind its label, or behind a race, with no other option beside it.
_LABELLED = re.compile(
    r"(?:\b(?i:sex|gender)\b[ \t]?[.:=_]{0,3}[ \t]{0,3}|(?<![\w/])[WBHAIO][ ]?/[ ]?)"
    r"(?P<code>[MF])\b(?![ ]?[/|()\[\]☐_]|\W{0,6}\b[MF]\b)"
)
# A race and a sex without a stroke, which are a code beside an age or a label: "50 Y/O WM".
_OLD = r"(?i:y\W?o\b\.?|(?:yrs?|years?)\b\.?(?:[ -]?old\b)?)"
_RACED = re.compile(
    rf"(?:\b\d{{1,3}}[ -]?{_OLD},?[ ][WBHAIO](?P<aged>[MF])\b(?![ ]?[/\d])"
    rf"|(?<![\w/.:])(?:\d{{1,3}},?[ ]W|[1-9]\d,?[ ][BH])(?P<behind>[MF])\b(?![ ]?[/\d])"
    rf"|\b(?i:race|sex)\b[ \t]?[.:=]?[ \t]{{0,3}}[WBHAIO](?P<named>[MF])\b"
    rf"|(?<![\w/.])[WBH](?P<before>[MF]),?[ ](?:(?i:aged?)[ ])?[1-9]\d\b(?![/.,]?\d)"
    rf"|(?<![\w/.])W(?P<other>[MF])(?=[ ](?:with|who|in|c/o|w/|s/p|for|from)[ ]))"
)
# Both sexes, which a form prints beside one another: "[M] [F]", "male (x) female".
_GAP = r"(?:[ \t/|()\[\]{}:☐☑☒✓✗_=]|\bor\b|(?<=[(\[])[xX](?=[)\]])|,[ ]?(?=[12]))"
_ONLY_BLANKS = re.compile(r"[^\W\d_]+[ \t]+[^\W\d_]+")
_OPTIONS = re.compile(
    rf"(?<![^\W_])(?:(?:M{_GAP}{{1,12}}F|F{_GAP}{{1,12}}M)(?![^\W_])"
    rf"|(?i:male(?:{_GAP}|[12]){{1,12}}female|female(?:{_GAP}|[12]){{1,12}}male"
    rf"|boy{_GAP}{{1,12}}girl|girl{_GAP}{{1,12}}boy"
    rf"|man{_GAP}{{1,12}}woman|woman{_GAP}{{1,12}}man)(?![^\W_]))"
)
_LETTERS = {"M": "F", "F": "M", "m": "f", "f": "m"}
_LETTER = re.compile(r"(?<![^\W\d_])[MFmf](?![^\W\d_])")
_RACE_AND_SEX = re.compile(r"(?<![^\W\d_])(?P<race>[WBHAIO][ ]?/?[ ]?)(?P<code>[MF])(?![^\W\d_])")
_AGE_AND_SEX = re.compile(r"(?P<yo>(?i:y/?o))(?P<code>[MFmf])\b")
_MONTHS = 36  # "18M" is eighteen months
_BEFORE_M = re.compile(r"(?P<number>\d+)\Z")
_WHOLE = frozenset(("Mesdames", "Madame", "Monsieur"))  # titles without a full stop
_NUMBERED = {"1": "2", "2": "1"}  # of a sex, before its word or alone
_NUMBER_OF_SEX = re.compile(r"(?P<number>[12])(?=\Z|\s?[-=.:)])")


class Change(NamedTuple):
    """A stretch of a text, and what is written in its place."""

    start: int
    end: int
    new: str


class _Entry(NamedTuple):
    kind: str
    new: str


@dataclass(frozen=True, slots=True)
class _Token:
    """A listed word of a page.

    Attributes:
        start: Offset of its first character.
        end: Offset after its last, with the full stop of a title.
        text: As written, without that.
        kind: As the list has it.
        new: What is written, in small letters but for a title.
        finding: That in which it stands, if any.
    """

    start: int
    end: int
    text: str
    kind: str
    new: str
    finding: Finding | None

    @property
    def plain(self) -> str:
        """Return the word in small letters."""
        return self.text.lower().replace("’", "'")


def plural(word: str) -> str:
    """Return the plural of *word*.

    >>> [plural(one) for one in ("woman", "wife", "lady", "boss", "boy", "fiancée")]
    ['women', 'wives', 'ladies', 'bosses', 'boys', 'fiancées']
    """
    if word.endswith("man"):
        return word[:-3] + "men"
    if word.endswith("fe"):
        return word[:-2] + "ves"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "ch", "sh")) else "s")


@lru_cache(maxsize=8)
def _entries(pack: Pack, titles: bool = False) -> Mapping[str, _Entry]:
    """Return the listed words in small letters, with their plurals; codes as they are.

    Titles are apart, since some are words, too.
    """
    found: dict[str, _Entry] = {}
    for row in rows(_LISTED, pack):
        kind = row["kind"]
        if (kind == _TITLE) != titles:
            continue
        sides = [row[one].split("|") for one in ("men", "women")]
        written = [next((one.lstrip("+") for one in side if one[0] != "~"), "") for side in sides]
        for side, new in zip(sides, reversed(written), strict=True):
            for word in (one.lstrip("~") for one in side if one[0] != "+"):
                key = word if kind == _CODE else word.lower()
                if new:
                    found.setdefault(key, _Entry(kind, new))
                    if kind not in _NO_PLURAL:
                        found.setdefault(plural(key), _Entry(kind, plural(new)))
    return found


@lru_cache(maxsize=8)
def _expression(pack: Pack) -> re.Pattern[str]:
    words = [one for one, entry in _entries(pack).items() if entry.kind != _CODE]
    words += _entries(pack, True)
    words += [one.replace("'", "’") for one in words if "'" in one]
    listed = alternation(tuple(sorted({*words, *_OF_PLACE})))
    return re.compile(rf"(?i)(?<![\w'’])(?P<word>{listed})(?!\w)(?!-(?!in-law|law\b)\w)")


@lru_cache(maxsize=8)
def _staying(pack: Pack) -> re.Pattern[str]:
    listed = [one.lower() for one in terms(_STAY, pack)]
    listed += [one.replace("'", "’") for one in listed if "'" in one]
    listed += [one.replace(" ", "-") for one in listed if " " in one]
    return re.compile(rf"(?i)(?<!\w)(?:{alternation(tuple(sorted(set(listed))))})(?!\w)")


@lru_cache(maxsize=8)
def kinds_of(pack: Pack) -> frozenset[str]:
    """Return the folded words for organizations and streets."""
    listed = {folded(one) for one in terms("organization_kinds", pack)} - _GROUPS
    return frozenset(listed | set(load_street_lists(pack).types))


def changes(page: Page, reads: Callable[[Finding], str], pack: Pack) -> list[Change]:
    """Return what changes where each word of a sex on *page* becomes that of the other, in order.

    Args:
        page: The page.
        reads: Returns `ALL`, `NAME` or `NONE` for a finding.
        pack: Its words.
    """
    tokens = _without_pairs(page.text, list(_tokens(page, reads, pack)), pack)
    style = _Style.of(page)
    found = [Change(one.start, one.end, _written(one, page.text, style)) for one in tokens]
    taken = {at for one in found for at in range(one.start, one.end)}
    for one in _codes(page, reads, pack):
        if taken.isdisjoint(range(one.start, one.end)):
            found.append(one)
            taken.update(range(one.start, one.end))
    stays = printed_options(page)
    titles = _PRINTED_TITLES.finditer(page.text)
    stays += [match.span() for match in titles if _MR.search(match[0])]
    return sorted(
        one
        for one in found
        if page.text[one.start : one.end] != one.new
        and not any(start < one.end and one.start < end for start, end in stays)
    )


def printed_options(page: Page) -> list[tuple[int, int]]:
    """Return where *page* prints both sexes beside one another, in order.

    Two findings with nothing but blanks between them are no options: they stand in a table.
    """
    starts = {one.start for one in page.findings}
    ends = {one.end for one in page.findings}
    return [
        match.span()
        for match in _OPTIONS.finditer(page.text)
        if not (
            match.start() in starts and match.end() in ends and _ONLY_BLANKS.fullmatch(match[0])
        )
    ]


def without_organs(value: str, pack: Pack) -> str:
    """Return a *value* of health without the words for what one sex has that can be turned."""
    entries = _entries(pack)

    def is_organ(match: "re.Match[str]") -> bool:
        found = entries.get(match["word"].lower())
        return found is not None and found.kind == _ORGAN

    return _expression(pack).sub(lambda match: " " if is_organ(match) else match[0], value)


def _tokens(page: Page, reads: Callable[[Finding], str], pack: Pack) -> Iterator[_Token]:
    """Yield the listed words that tell a sex where they stand."""
    text, entries, titles = page.text, _entries(pack), _entries(pack, True)
    starts = [one.start for one in page.findings]
    stays = [one.span() for one in _staying(pack).finditer(text)]
    stay_starts = [start for start, _ in stays]
    for match in _expression(pack).finditer(text):
        start, end = match.span()
        at = bisect_right(stay_starts, start) - 1
        if at >= 0 and stays[at][1] > start:
            continue
        at = bisect_right(starts, start) - 1
        inside = at >= 0 and page.findings[at].end > start
        finding = page.findings[at] if inside else None
        after = page.findings[at + 1] if at + 1 < len(starts) else None
        if (finding and finding.end < end) or (after and after.start < end):
            continue
        word = match["word"].lower().replace("’", "'")
        entry = entries.get(word) or _Entry(_PRONOUN, _OF_PLACE.get(word, ""))
        beside = after is not None and not text[end : after.start].strip(" .")
        if word in titles and (word not in entries or (match["word"][0].isupper() and beside)):
            entry = titles[word]
        if entry.kind == _ORGAN and not (finding and finding.entity == _HEALTH):
            continue
        if (
            entry.kind == _TITLE
            and text[end : end + 1] == "."
            and word != _SIR
            and (word != "miss" or beside)
        ):
            end += 1
        token = _Token(start, end, match["word"], entry.kind, entry.new, finding)
        how = reads(finding) if finding else ALL
        if how == NAME:
            tells = _is_of_name(token, text)
        else:
            tells = _is_behind_name(token, page, at) or _tells(token, page, after, pack)
        if how and tells:
            yield token


def _is_of_name(token: _Token, text: str) -> bool:
    """Tell whether a word in a name is no part of it: a title, or "brothers" behind it."""
    assert token.finding
    value = text[token.finding.start : token.finding.end]
    head = text[token.finding.start : token.start]
    more = _NEAR_WORDS.search(text, token.end, token.finding.end) is not None
    leads = not head.strip() or re.search(r"(?i)(?:,|&|\band|\bor|\bthe|\blate)\s*\Z", head)
    if token.kind == _TITLE:
        rest = re.sub(r"[.,\s]", "", value).lower()
        return rest == token.plain or (more and (bool(leads) or token.plain not in _NOBLE))
    if token.plain in _GROUPS:
        return not more
    if token.kind == _PARTICLE:
        return bool(head.strip()) and more
    if token.kind == _PRONOUN:
        return token.text.islower()
    return token.kind == _KIN and bool(leads) and more


def _is_behind_name(token: _Token, page: Page, at: int) -> bool:
    """Tell whether a title stands behind the name that is finding number *at*: "Ward, Mrs."."""
    if token.kind != _TITLE or token.finding or at < 0 or page.findings[at].entity != "PERSON":
        return False
    return page.text[page.findings[at].end : token.start] in (", ", ",", " (", "  ")


def _tells(token: _Token, page: Page, after: Finding | None, pack: Pack) -> bool:
    """Tell whether a listed word outside of names tells a sex, and is none of another name."""
    text, start, end = page.text, token.start, token.end
    before = text[max(0, start - _BESIDE) : start]
    behind = text[end : end + _BESIDE]
    if token.kind == _PRONOUN:
        if _SHE_IN_BRACKETS.search(before) or before.endswith("-"):
            return False
        return not (token.plain.startswith("h") and _OF_GOD.search(before))
    names = bool(
        after and after.entity == "PERSON" and not text[end : after.start].strip(" \t\n.,:(")
    )
    if token.kind == _TITLE:
        if token.plain == "miss" and behind[:1] == "." and _OF_TOWN.search(before):
            return False
        if not token.text[0].isupper():
            if names and after and after.start - end <= _TITLED:
                first = text[after.start : after.start + 1]
                return token.plain in _SHORTENED or first.islower()
            return token.plain in ("mr", "mrs") and _NAMED.match(behind) is not None
        if _AND_TITLE.match(behind):
            return True
        if names and after and after.start - end <= _TITLED:
            return True
        return token.plain not in _NOBLE and bool(_NAMED.match(behind))
    if token.kind == _ORGAN:
        return True
    if token.plain in _SMALL and token.text.isupper():
        return False
    if token.kind == _PARTICLE or (token.plain == "groom" and not _BRIDE.search(text)):
        return False
    if token.plain in _SHORT and (
        not token.text.istitle() or behind[:1] == "." or _OF_TOWN.search(before)
    ):
        return False
    if token.kind == _ADDRESS:
        return token.text.islower() or _is_address(before, behind) or bool(_OFFICES.match(behind))
    if token.text.islower():
        return not before.endswith("-") or bool(re.search(r"[a-z]-\Z", before))
    if token.text.isupper():
        near = _NEAR_WORDS.findall(before.split("\n")[-1])[-1:]
        near += _NEAR_WORDS.findall(behind.split("\n")[0])[:1]
        return names or not any(_is_kind(one, pack) for one in near)
    return names or _is_no_name(token, before, behind, pack)


def _is_kind(word: str, pack: Pack) -> bool:
    return folded(re.sub(r"['’]s?\Z", "", word)) in kinds_of(pack)


def _is_address(before: str, behind: str) -> bool:
    """Tell whether "Sir" or "Madam" between these is said to somebody."""
    return bool(_DEAR.search(before) or _CELL.search(before)) and bool(
        not behind.strip() or _ENDS_ADDRESS.match(behind)
    )


def _is_no_name(token: _Token, before: str, behind: str, pack: Pack) -> bool:
    """Tell whether a word with a capital is none of a name: a label, or at a beginning."""
    possessive = _POSSESSIVE.match(behind)
    rest = behind[possessive.end() :] if possessive else behind
    following = _CAPITAL.match(rest)
    begins = _CELL.search(before) is not None
    leading = None if begins else _BEFORE_CAPITAL.search(before)
    near = _NEAR_WORDS.findall(rest.split("\n")[0])[:3] if following else []
    if any(one[0].isupper() and _is_kind(one, pack) for one in near):
        return False
    if token.kind == _KIN:
        if following and not (possessive or begins):
            return False
        return not (following and leading)
    own = leading and leading["word"].rstrip(".").lower()
    is_name = leading and own not in TITLES and own not in _NO_NOUNS and own not in _OF_PLACE
    return not following and not is_name


def _without_pairs(text: str, tokens: Sequence[_Token], pack: Pack) -> list[_Token]:
    """Return *tokens* without those beside their counterparts: "his or her", "Mr. and Mrs."."""
    pairs: set[int] = set()
    run: list[int] = [0]  # tokens of one kind with "/" or "or" between them: "Mr./Mrs./Miss"
    differ = False
    for at, (one, other) in enumerate(pairwise(tokens)):
        between = text[one.end : other.start]
        either = one.kind == other.kind and _EITHER.fullmatch(between) is not None
        counterparts = _are_counterparts(one, other)
        run, differ = ([*run, at + 1], differ or counterparts) if either else ([at + 1], False)
        printed = one.text[0].isupper() and other.text[0].isupper() and len(between) <= _SAME_LINE
        if differ:
            pairs.update(run)
        elif counterparts and (
            (_BOTH.fullmatch(between) and not _BY_BOTH.isdisjoint((one.plain, other.plain)))
            or (printed and one.kind == _WORD and _PRINTED.fullmatch(between))
        ):
            pairs |= {at, at + 1}
    return [one for at, one in enumerate(tokens) if at not in pairs]


def _are_counterparts(one: _Token, other: _Token) -> bool:
    """Tell whether two tokens are of one kind and of two sexes, as far as the list says."""
    if one.kind != other.kind:
        return False
    if one.kind == _TITLE:
        return (one.plain in _MENS) != (other.plain in _MENS)
    if one.plain in ("him", "his", "he", "himself"):
        return other.plain in ("her", "hers", "she", "herself")
    if other.plain in ("him", "his", "he", "himself"):
        return one.plain in ("her", "hers", "she", "herself")
    return one.new == other.plain or other.new == one.plain


@dataclass(frozen=True, slots=True)
class _Style:
    """How a page writes titles.

    Attributes:
        woman: What becomes of "Mr".
        stop: Whether a full stop stands behind Mr, Mrs and Ms.
    """

    woman: str
    stop: bool

    @classmethod
    def of(cls, page: Page) -> "_Style":
        years = [int(one) for one in _YEAR.findall(page.text)]
        modern = not years or max(years) >= _SINCE_MS or re.search(r"\bMs\b", page.text)
        married = _MARRIED.search(page.text) or page.values("MARITAL_STATUS")
        woman = "Ms" if modern else "Mrs" if married else "Miss"
        return cls(woman, not _WITHOUT_STOP.search(page.text))


def _written(token: _Token, text: str, style: _Style) -> str:
    """Return the other word for *token*, in its case."""
    if token.kind == _TITLE:
        return _cased(token.text, _other_title(token, text, style))
    new = token.new or _other_pronoun(token, text)
    if token.kind == _ADDRESS and _OFFICES.match(text, token.end):
        new = "Mr." if token.plain == _MADAM else new
    return _cased(token.text, new)


def _other_title(token: _Token, text: str, style: _Style) -> str:
    has_stop = text[token.end - 1] == "."
    if token.plain in ("mr", "mister"):
        if _OFFICES.match(text, token.end):
            return _MADAM
        return style.woman + "." * (style.woman != "Miss" and (has_stop or token.plain != "mr"))
    if token.new == "Mr":
        return "Mr" + "." * (has_stop or (style.stop and token.plain not in ("mrs", "ms")))
    return token.new + "." * (has_stop and token.new not in _WHOLE)


def _cased(model: str, word: str) -> str:
    """Return *word* in the letter case of *model*."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    if model[0].isupper():
        return word[0].upper() + word[1:]
    return word.lower()


def _other_pronoun(token: _Token, text: str) -> str:
    """Return what "his" or "her" becomes where it stands."""
    behind = _NEXT.match(text, token.end)
    word = (behind["word"] or "") if behind else ""
    plain = word.lower()
    if token.plain == "his":
        stands_alone = not word[:1].isalnum() or (plain in _NO_NOUNS and plain not in _ADJECTIVES)
        return "hers" if stands_alone and word[:1] not in "\"“‘'([" else "her"
    before = text[max(0, token.start - _BESIDE) : token.start]
    previous = _PREVIOUS.search(before)
    verb = previous["word"].lower() if previous and not previous["stop"].strip() else ""
    if not word[:1].isalnum():
        return "his" if word[:1] and word[0] in "\"“‘'([" and _quotes(text, token.end) else "him"
    if plain in _NO_NOUNS and plain not in _ADJECTIVES:
        return "him"
    if plain.endswith("ly") and plain not in _NOUNS_IN_LY:
        return "him"
    if verb in _LET or (verb in _CAUSES and plain in _BARE):
        return "him"
    if verb in _GIVES and _NUMBER.match(plain):
        return "him"
    if (verb in _SEES and plain in _SEEN) or (verb in _BELIEVES and plain in _BELIEVED):
        return "him"
    if (verb in _GIVES and plain in _GIVEN) or _ON_A_DAY.match(text, token.end):
        return "him"
    if _PAST.fullmatch(plain) and _ALL_BUT_HER.search(before):
        return "him"
    if plain == "home" and verb in (_GIVES | _CAUSES | _TAKE):
        return "him"
    return "his"


def _quotes(text: str, end: int) -> bool:
    """Tell whether a letter follows the sign behind *end*, as in "her (second) husband"."""
    return re.match(r"[ \t]*[\"“‘'(\[][^\W\d_]", text[end : end + 4]) is not None


def _codes(page: Page, reads: Callable[[Finding], str], pack: Pack) -> Iterator[Change]:
    """Yield what becomes of letters and numbers that stand for a sex, and of "Jr." in names."""
    text = page.text
    for one in page.findings:
        if reads(one) == ALL:
            yield from _codes_of(text, one, pack)
        elif reads(one) == NAME:
            for match in _JUNIOR.finditer(text, one.start, one.end):
                yield Change(*match.span(), "")
    lettered = [match.span("code") for match in _LABELLED.finditer(text)]
    lettered += [match.span(match.lastgroup or 0) for match in _RACED.finditer(text)]
    for start, end in lettered:
        if not any(one.start < end and start < one.end for one in page.findings):
            yield Change(start, end, _LETTERS[text[start:end]])


def _codes_of(text: str, one: Finding, pack: Pack) -> Iterator[Change]:
    """Yield what becomes of the codes of a value."""
    value = text[one.start : one.end]
    core = value.strip(" .,()[]")
    if one.entity == "GENDER":
        entry = _entries(pack).get(core)
        if entry and entry.kind == _CODE:
            at = one.start + value.index(core)
            yield Change(at, at + len(core), entry.new)
            return
        for match in _LETTER.finditer(text, one.start, one.end):
            yield Change(*match.span(), _LETTERS[match[0]])
        if number := _NUMBER_OF_SEX.match(core):
            at = one.start + value.index(core)
            yield Change(at, at + 1, _NUMBERED[number["number"]])
    if one.entity in ("GENDER", "AGE", "ETHNIC_ORIGIN"):
        for match in _RACE_AND_SEX.finditer(text, one.start, one.end):
            yield Change(*match.span("code"), _LETTERS[match["code"]])
    if one.entity == "AGE":
        for match in _AGE_AND_SEX.finditer(text, one.start, one.end):
            yield Change(*match.span("code"), _LETTERS[match["code"]])
        for match in re.finditer(r"(?<![^\W\d_])[MF](?![^\W\d_])", value):
            number = _BEFORE_M.search(value[: match.start()])
            if not (match[0] == "M" and number and int(number["number"]) <= _MONTHS):
                at = one.start + match.start()
                yield Change(at, at + 1, _LETTERS[match[0]])
