"""Find the sex that a page gives to a name, and to the person that a value is about."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping

from presidio_cdip.surrogates.drawing.context import Context, Page
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.table import read
from presidio_cdip.surrogates.values.name_lists import MEN, WOMEN
from presidio_cdip.surrogates.writing.text import folded, line_at

_SHE = (
    "wife|widow|mother|mom|mum|daughter|dau|sister|aunt|grandmother|granddaughter|niece|girl"
    "|stepmother|stepdaughter|fianc[ée]e|girlfriend|bride|wf|mother-in-law|daughter-in-law"
    "|sister-in-law|godmother|mistress|matron|waitress|actress|spinster|divorc[ée]e|woman|female"
)
_HE = (
    "husband|widower|father|dad|son|brother|uncle|grandfather|grandson|nephew|boy"
    "|stepfather|stepson|fianc[ée]|boyfriend|groom|bridegroom|husb|father-in-law|son-in-law"
    "|brother-in-law|godfather|bachelor|man|male"
)
_HER_TITLES = "mrs|miss|ms|mme|frau|madame|lady|dame|se[ñn]ora|sra|signora|sr mary"
_HIS_TITLES = "mr|herr|sir|se[ñn]or|signor|rabbi|father|fr|brother|pastor"
# Names and their initials, as far as they belong to the name beside a word
_NAMES = r"(?:[^\Wa-z\d_][\w'’.-]*,?[ \t]+){0,3}"
_BEFORE = re.compile(
    rf"(?i:\b(?:(?P<other>(?P<she_of>wife|widow|relict|fianc[ée]e)|(?P<he_of>husband|widower))"
    rf"[ ]of(?:[ ]the[ ]late)?[ ]|(?P<of>\w+)[ ]of[ ]"
    rf"|(?:(?P<she>{_SHE})|(?P<he>{_HE}))(?![\w-])(?:['’]s)?"
    rf"(?:[ ](?:full|maiden|given|first|last|name|named|called|is|was|the|former|late|nee|née))*"
    rf"[\s.,:;()_\-]{{1,30}}|(?:(?P<her>{_HER_TITLES})|(?P<his>{_HIS_TITLES}))\.?[ ]+))"
    rf"(?:(?i:mrs|mr|miss|ms|dr)\.?[ ])?{_NAMES}$"
)
_AFTER = re.compile(
    rf"(?:[ \t]*,?[ \t]+[^\Wa-z\d_][\w'’.-]*){{0,3}}[\s,;:(|\-]{{1,24}}"
    rf"(?i:(?:relation(?:ship)?\W{{1,12}})?(?:(?:his|her|my|the|your|a)[ ])?"
    rf"(?:(?P<she>{_SHE})|(?P<he>{_HE})))\b(?!['’])"
)
_SPOUSE = re.compile(rf"(?i:\bspouse(?:['’]s)?(?:[ ]\w+){{0,2}})[\s.,:;()_\-]+{_NAMES}$")
_PRONOUN = re.compile(
    r"\b(?i:(?P<she>she|her|hers|herself)|(?P<he>he|him|his|himself))\b", re.UNICODE
)
_PRONOUN_HE = re.compile(r"(?i)\b(?:he|him|his|himself)\b")
_PRONOUN_SHE = re.compile(r"(?i)\b(?:she|her|hers|herself)\b")
_BEFORE_SIZE, _AFTER_SIZE, _PRONOUN_SIZE = 80, 60, 160  # characters
_WOMAN = re.compile(r"(?i)f|w|fem\w*|girl|wom[ae]n|lady|weiblich")
_MAN = re.compile(r"(?i)m|male|boy|m[ae]n|gentleman|männlich")

_HE_WORDS = re.compile(r"(?i)\b(?:he|him|his|himself|mr|boy|man|husband|father|son|male)\b")
_SHE_WORDS = re.compile(
    r"(?i)\b(?:she|her|hers|herself|mrs|miss|ms|girl|woman|wife|mother|female)\b"
)
_ADDRESSED = re.compile(r"(?i)\b(?:I|you|we|they)\b[^.;:?!]*\Z")
_GENDER = "GENDER"
_LETTERS = {WOMEN: "f", MEN: "m"}
_AROUND = 400  # characters on either side in which pronouns tell the sex of whom a value is about


def is_sex(text: str) -> bool:
    """Tell whether *text* is a word or the letter of one of the two sexes."""
    return len(text) == 1 or bool(_sex_of_value(text))


def is_other_sex(one: str, other: str) -> bool:
    """Tell whether two words or letters are of the two sexes.

    >>> is_other_sex("M", "female"), is_other_sex("M", "male"), is_other_sex("M", "X")
    (True, False, False)
    """
    sexes = {_sex_of_value(one), _sex_of_value(other)}
    return sexes == {WOMEN, MEN}


class Mentions:
    """The sex of names, from the words around them on one page.

    Args:
        page: The page; a name is looked up wherever it stands in the text.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._known: dict[str, str] = {}
        self._all = self._of_page()

    def sex(self, name: str) -> str:
        """Return `WOMEN` or `MEN` for a first name as written; empty if the page does not tell.

        Words of kinship and titles beside the name count most, then the first pronoun after it,
        then the page, if it speaks of one sex alone.
        """
        if name not in self._known:
            self._known[name] = self._sex(name)
        return self._known[name]

    def _sex(self, name: str) -> str:
        text = self._page.text
        beside: Counter[str] = Counter()
        after: Counter[str] = Counter()
        befores = []
        for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            start, end = found.span()
            befores.append(text[max(0, start - _BEFORE_SIZE) : start])
            beside[_before(befores[-1])] += 1
            beside[_sex_in(_AFTER.match(text[end : end + _AFTER_SIZE]))] += 1
            beside[self._on_line(end)] += 1
            stop = min(
                (one.start for one in self._page.findings if one.entity == "PERSON"
                 and one.start >= end and name not in text[one.start : one.end]),
                default=len(text),
            )  # fmt: skip
            stop = min(stop, end + _PRONOUN_SIZE)
            after[_sex_in(_PRONOUN.search(text, end, stop))] += 1
        if sex := _one_of(beside) or _one_of(after) or self._all:
            # A spouse is mostly of the other sex.
            other = not _one_of(beside) and any(map(_SPOUSE.search, befores))
            return {WOMEN: MEN, MEN: WOMEN}[sex] if other else sex
        return ""

    def _on_line(self, end: int) -> str:
        """Return the sex that follows a name on its line, as in the row of a table."""
        line = self._page.text.find("\n", end)
        for one in self._page.findings:
            if one.entity == "GENDER" and end <= one.start and (line < 0 or one.end <= line):
                return _sex_of_value(self._page.text[one.start : one.end])
        return ""

    def _of_page(self) -> str:
        found = Counter(map(_sex_in, _PRONOUN.finditer(self._page.text)))
        for value in self._page.values("GENDER"):
            found[_sex_of_value(value)] += 1
        return "" if found[WOMEN] and found[MEN] else _one_of(found)


def _sex_of_value(value: str) -> str:
    plain = folded(value)
    return WOMEN if _WOMAN.fullmatch(plain) else MEN if _MAN.fullmatch(plain) else ""


def _before(text: str) -> str:
    match = _BEFORE.search(text)
    if not match:
        return ""
    if match["she_of"] or match["he_of"]:
        return MEN if match["she_of"] else WOMEN
    if match["of"]:
        return ""
    return WOMEN if match["she"] or match["her"] else MEN


def _sex_in(match: "re.Match[str] | None") -> str:
    return "" if match is None else WOMEN if match["she"] else MEN


def _one_of(found: Mapping[str, int]) -> str:
    """Return the sex with more evidence; empty if both have as much."""
    women, men = found.get(WOMEN, 0), found.get(MEN, 0)
    return "" if women == men else WOMEN if women > men else MEN


def sex_around(context: Context) -> str:
    """Return ``m`` or ``f`` if the words around a value tell whom it is about, else ``""``.

    A person who is "I" or "you" is neither "he" nor "she".
    """
    if _ADDRESSED.search(context.before):
        return ""
    low, high = context.start - _AROUND, context.end + _AROUND
    men, women = (
        bisect_left(places, high) - bisect_left(places, low)
        for places in context.page.fact(_sexed_words)
    )
    if not (men or women):
        men, women = context.page.fact(_sexes)
    return "m" if men > 2 * women else "f" if women > 2 * men else ""


def sex_of_row(context: Context, draw: Draw) -> str:
    """Return ``m`` or ``f``, the sex that the line of a value is given; empty without one."""
    text = context.page.text
    first, last = line_at(text, context.start, context.end)
    for one in context.page.findings:
        if one.entity == _GENDER and first <= one.start and one.end <= last:
            there = {
                **draw.options,
                "context": Context(context.page, one.start, one.end),
                "answers": "told",
            }
            reading = read(_GENDER, text[one.start : one.end], there)
            new = Draw(draw.keyring, _GENDER, reading.normal, 0, there)
            return _LETTERS.get(_sex_of_value(reading.write(new)), "")
    return ""


def _sexes(page: Page) -> tuple[int, int]:
    found = [value.casefold() for value in page.values("GENDER")]
    men, women = map(len, page.fact(_sexed_words))
    men += sum(one in ("m", "male") for one in found)
    women += sum(one in ("f", "female") for one in found)
    return men, women


def _sexed_words(page: Page) -> tuple[list[int], list[int]]:
    """Return the offsets of the words for men and of those for women."""
    of_men = [one.start() for one in _HE_WORDS.finditer(page.text)]
    return of_men, [one.start() for one in _SHE_WORDS.finditer(page.text)]


def sex_of_pronouns(phrase: str) -> str:
    """Return ``m`` or ``f`` if *phrase* has a pronoun of one sex.

    >>> [sex_of_pronouns(one) for one in ("lost his citizenship", "from her father", "lapsed")]
    ['m', 'f', '']
    """
    men, women = _PRONOUN_HE.search(phrase), _PRONOUN_SHE.search(phrase)
    return "m" if men and not women else "f" if women and not men else ""
