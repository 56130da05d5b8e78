"""Tell which spans are names, where one begins and ends, and which person's name is which."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import Self

from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.spans import Span, trim
from presidio_cdip.recognition.transformer import MODEL_RULE, Tagged

_START, _END = attrgetter("start"), attrgetter("end")
LISTS = ("first_names", "last_names", "name_particles")  # of `KnownNames`
E_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
_AROUND = 80  # characters around a name in which an e-mail address is looked for
_SHORT = 3  # letters of the shortest well-known first name that counts
_URL = re.compile(r"[^\s(<\[]{0,12}(?:www\.|://)\S{1,80}")
_DOUBTED = 0.75  # a place or an organization with a lower score may be a person
_BELIEVED = 0.1  # least probability of a person of one of its words
_LONGEST = 4  # words of a full name
_OF_FAMILY = frozenset({"MARITAL_STATUS", "SEXUALITY"})  # whose spans hold names of partners
_THOUGHT_OF = 0.02  # least probability of a person of a word that a family's span hides
_TITLES = "|".join(map(re.escape, english().labels["titles"]))
_TITLE = re.compile(rf"(?i)(?:{_TITLES})\.?")
_TITLED = re.compile(  # "Mr", "Cpl.", "A/2C" at the end
    rf"\b(?:(?i:{_TITLES})\.?|[A-Z]\w{{0,4}}\.|[A-Z]\w?/\w+) {{0,2}}\Z"
)
_PARTNERS = "|".join(map(re.escape, english().labels["partners"]))
_NO_NAMES = frozenset(  # of a family's span, though with a capital: "WIDOW OF JACOB TOLL"
    word
    for key in ("partners", "relatives", "behind_partners", "function_words", "months")
    for word in english().labels[key]
)
_OF_PARTNER = re.compile(  # before a partner's full name
    rf"(?i)\b(?:married|wed|to|from|of|{_PARTNERS})[,:]?\s+(?:(?:{_TITLES})\.?\s+)?\Z"
)
_DOUBTED_GLOSS = 0.6  # a stranger in brackets with a lower score is no person
_TERM = re.compile(r"\w,? [A-Z\u00c0-\u00de][\w'’-]*\s*\Z")  # with a capital, within a line
_BRACKET = 60  # characters back to the bracket that a name stands in
_NEAR = 3  # characters between a name and a bracket that belongs to it
_LETTER = re.compile(r"[^\W\d_]")
_AND = r"(?:and|&|und|et|w/|[sdw]/o)"
_ONLY_AND = re.compile(_AND)
_LEADING_AND = re.compile(rf"{_AND}(?:\s+|\Z)")
_JOINT = re.compile(  # between two persons; a title is no part of a name
    rf"\s+{_AND}\s+(?=\S)|\s*;\s*|(?<![\s,])[ \t]{{3,}}"
    rf"|(?:^|,?\s+)(?i:{_TITLES})\.?\s+"
)
_COMMA = re.compile(r"\s*,\s*")
_JUNIOR = re.compile(r"(?i)(?:jr|sr|esq|i{2,3}|iv)\.?")
_INITIALS = re.compile(r"(?:[A-Z\u00c0-\u00de]\.?[ -]?){1,3}")
_INITIAL = re.compile(r"[A-Z\u00c0-\u00de](?:\.-?[A-Z\u00c0-\u00de]){0,2}\.?")
_DOTTED = re.compile(r"(?<![\w.])(?:[A-Z]\. ?|(?<=\. )St\. ){2,4}(?!\w)")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’](?=[^\W\d_]))+")
_NAMING = re.compile(r"[^\W\d_][\w'’-]*")  # a word or an initial
_CAPITAL = re.compile(r"(?:\w{1,2}['’-])?[A-Z\u00c0-\u00de]")  # begins "Vale", "d'Arc", "al-Rashid"
_WITHIN_NAME = re.compile(r"\.?[ \t]+|(?<=\w)\.")
_UNMARKED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "ß": "ss", "’": "'"})


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Hold the words of well-known names, as `bare` writes them."""

    first: frozenset[str]
    last: frozenset[str]
    particles: frozenset[str] = frozenset()

    @classmethod
    def of(cls, pack: Pack) -> Self:
        """Return the names that the `LISTS` of *pack* have."""
        first, last, particles = (
            frozenset(map(bare, pack.terms("recognizers/gazetteers", name))) for name in LISTS
        )
        return cls(first - particles, last, particles)


@lru_cache(maxsize=8)
def names_of(pack: Pack) -> KnownNames:
    """Return the well-known names of *pack*; equal packs share one object."""
    return KnownNames.of(pack)


def bare(word: str) -> str:
    """Return *word* in lower case and without accents.

    >>> bare("Żółć"), bare("IŞIK")
    ('zolc', 'isik')
    """
    if word.isascii():
        return word.lower()
    lower = unicodedata.normalize("NFKD", word.lower().translate(_UNMARKED))
    return "".join(part for part in lower if not unicodedata.combining(part))


def words_of(name: str) -> list[str]:
    """Return the words of *name* of two letters or more, as `bare` writes them."""
    return [bare(match.group()) for match in _WORD.finditer(name)]


def is_name(text: str, span: Span) -> bool:
    """Return whether *span* of *text* can be a name.

    It has a letter, is not only a title or an "and", and is not a part of an e-mail or web address.
    """
    value = text[span.start : span.end]
    if not _LETTER.search(value) or _TITLE.fullmatch(value) or _ONLY_AND.fullmatch(value):
        return False
    start, end = max(0, span.start - _AROUND), span.end + _AROUND
    around = text[start:end]
    for sign, address in ((("@",), E_MAIL), (("www.", "://"), _URL)):
        if any(one in around for one in sign) and any(
            one.start() < span.end and span.start < one.end()
            for one in address.finditer(text, start, end)
        ):
            return False
    return True


def as_persons(text: str, spans: Iterable[Span], tagged: Tagged, known: KnownNames) -> list[Span]:
    """Return *spans*, persons' names among those that the model took for another label as PERSON.

    Such a name begins with a well-known first name, and the model half believes in a person.
    """
    return [
        replace(span, entity="PERSON")
        if span.entity != "PERSON"
        and span.score < _DOUBTED
        and _is_full_name(text[span.start : span.end], known)
        and tagged.belief("PERSON", span.start, span.end) >= _BELIEVED
        else span
        for span in spans
    ]


def _is_full_name(value: str, known: KnownNames) -> bool:
    words = value.split()
    first = bare(words[0]) if words else ""
    capitals = all(word[0].isupper() for word in words)
    return 2 <= len(words) <= _LONGEST and capitals and first in known.first


def names_within(
    text: str, spans: Iterable[Span], tagged: Tagged | None, known: KnownNames
) -> list[Span]:
    """Return the persons that *spans* of family name: "Nora Vale" of "married to Nora Vale".

    They are for those who look for names and not for the family, whose spans would hold them.
    A name is words with capitals behind such words as "married to", or from the first word that
    is a well-known name or that the model thinks of as a person. Without capitals it is the words
    behind "married to" from a well-known first name on.

    Args:
        text: The document.
        spans: Spans of entities that nobody asked for, in order, none overlapping.
        tagged: The text with the model's probabilities; None without a model.
        known: Well-known names: `names_of` a pack.
    """
    found = []
    for span in spans:
        if span.entity not in _OF_FAMILY:
            continue
        for run in _name_like(text, span, known):
            of_partner = _OF_PARTNER.search(text, span.start, run[0].start())
            while run and not (of_partner and len(run) > 1) and not _names(run[0], tagged, known):
                run = run[1:]
            while run and bare(run[-1].group()) in known.particles:
                run = run[:-1]
            if run and words_of(text[run[0].start() : run[-1].end()]):  # not only initials
                start, end = run[0].start(), run[-1].end()
                found.append(replace(span, start=start, end=end, entity="PERSON"))
    return found


def _name_like(text: str, span: Span, known: KnownNames) -> Iterator[list[re.Match[str]]]:
    """Yield the runs of words of *span* that can be a name, without titles and words of kin."""
    words = list(_NAMING.finditer(text, span.start, span.end))
    lower = not any(_CAPITAL.match(word.group()) for word in words)
    run: list[re.Match[str]] = []
    for word in words:
        own = bare(word.group())
        is_particle = own in known.particles and word.group()[0].islower()
        if run and not _WITHIN_NAME.fullmatch(text, run[-1].end(), word.start()):
            yield run
            run = []
        if lower and not run:
            before = _OF_PARTNER.search(text, span.start, word.start())
            is_part = own in known.first and before is not None
        else:
            is_part = lower or is_particle or _CAPITAL.match(word.group()) is not None
        if is_part and not _TITLE.fullmatch(own) and (len(own) == 1 or own not in _NO_NAMES):
            if run or not is_particle:
                run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _names(word: re.Match[str], tagged: Tagged | None, known: KnownNames) -> bool:
    own = bare(word.group())
    if own in known.first or own in known.last or own.split("-")[0] in known.first:
        return True
    return tagged is not None and tagged.belief("PERSON", *word.span()) >= _THOUGHT_OF


def without_glosses(text: str, spans: Sequence[Span], known: KnownNames) -> list[Span]:
    """Return *spans*, in order, without words of another language that the model took for persons.

    They stand in brackets, after what they translate ("the Constitutional Court
    (Verfassungsgerichtshof)"). A bracket after a person's name has another name of that person.
    No list has all names: words that are in none are left out only if their score is low, they
    have no capital letter, or they are a single word behind one with a capital letter.
    """
    found: list[Span] = []
    person = -_NEAR  # where the last person's name ends
    for span in spans:
        if span.entity == "PERSON":
            if span.rule == MODEL_RULE and _is_gloss(text, span, person, known):
                continue
            person = span.end
        found.append(span)
    return found


def _is_gloss(text: str, span: Span, person: int, known: KnownNames) -> bool:
    opened = text.rfind("(", max(0, span.start - _BRACKET), span.start)
    if opened < person + _NEAR or re.search(r"[)\n]", text[opened : span.start]):
        return False
    value = text[span.start : span.end]
    words = words_of(value)
    single = len(words) == 1 and _TERM.search(text, max(0, opened - _BRACKET), opened)
    if not single and span.score >= _DOUBTED_GLOSS and not value.islower():
        return False
    stranger = known.first.isdisjoint(words) and known.last.isdisjoint(words)
    has_initial = len(words) < len(value.split()) or re.search(r"\b\w\.", value)
    if not words or not (known.first or known.last):
        return False
    return stranger and not has_initial and not _TITLED.search(text, opened, span.start)


def joined_names(text: str, spans: Sequence[Span], held: Sequence[Span] = ()) -> list[Span]:
    """Join fragments of persons' names among *spans*, which are in order and do not overlap.

    Initials with full stops are one name ("H. St. J. C."), and so are an initial or a word with a
    capital letter and the name after it ("M" + "J Pell", "Bud" + "Sandquist").

    Args:
        text: The document.
        spans: The names.
        held: The spans of other entities, in order, none overlapping; no name reaches into them.
    """
    found: list[Span] = []
    for span in spans:
        if span.entity == "PERSON":
            start, end = _all_initials(text, span)
            if bisect_left(held, end, key=_START) > bisect_right(held, start, key=_END):
                start, end = span.start, span.end
            while found and found[-1].end > start:  # fragments within the same initials
                start = min(start, found.pop().start)
            span = replace(span, start=start, end=end)
            if found and _begins_name(text, found[-1], span):
                first = found.pop()
                best = max(first, span, key=lambda one: one.score)
                span = replace(best, start=first.start, end=span.end)
        if not found or found[-1].end <= span.start:
            found.append(span)
    return found


def _all_initials(text: str, span: Span) -> tuple[int, int]:
    """Return where the initials begin and end that *span* is a part of, or *span* itself."""
    if _INITIALS.fullmatch(text, span.start, span.end):
        for match in _DOTTED.finditer(text, max(0, span.start - 12), span.end + 12):
            if match.start() <= span.start and span.end <= match.end():
                return trim(text, match.start(), match.end())
    return span.start, span.end


def _begins_name(text: str, first: Span, span: Span) -> bool:
    """Return whether *first* is a fragment that belongs to the person *span* behind it."""
    value = text[first.start : first.end]
    gap = text[first.end : span.start]
    if first.entity != "PERSON" or _TITLE.fullmatch(value):
        return False
    if gap == ". ":
        return len(value) == 1 and value.isupper()
    return gap == " " and value.isalpha() and value[0].isupper()


def separated(text: str, span: Span, known: KnownNames) -> list[Span]:
    """Return *span* in one piece, or a span for each person if it has the names of several.

    A title within a name ("Coker, Dr. James") leaves two pieces. Of two names with one comma
    between, "Smith, Jane" and "Lloyd George, David" are one person, "J. Smith, Jane Pell" are two.
    """
    if span.entity != "PERSON":
        return [span]
    value = text[span.start : span.end]
    pieces = []
    at = 0
    for joint in [*_JOINT.finditer(value), None]:
        end = joint.start() if joint else len(value)
        if leading := _LEADING_AND.match(value, at, end):  # "Dr. and Mrs. Smith"
            at = leading.end()
        pieces += _listed(value, at, end, known)
        at = joint.end() if joint else end
    cut = (trim(text, span.start + start, span.start + end) for start, end in pieces)
    return [replace(span, start=start, end=end) for start, end in cut if start < end]


def _listed(value: str, start: int, end: int, known: KnownNames) -> list[tuple[int, int]]:
    """Return the names of a list with commas in ``[start, end)`` of *value*."""
    parts: list[tuple[int, int]] = []
    at = start
    for comma in [*_COMMA.finditer(value, start, end), None]:
        stop = comma.start() if comma else end
        if parts and _JUNIOR.fullmatch(value, at, stop):
            parts[-1] = (parts[-1][0], stop)
        elif stop > at:
            parts.append((at, stop))
        at = comma.end() if comma else stop
    names = parts[:1]
    whole = _is_whole(value[slice(*names[0])], known) if names else False
    for first, last in parts[1:]:
        part = value[first:last]
        short = bool(_INITIALS.fullmatch(part))
        if whole and (short or (len(parts) == 2 and not _is_known(part, known))):
            continue  # a degree or an office: "Jane Pell, M.D."
        if whole and len(parts) == 2 and _is_first(part, known):  # "Lloyd George, David"
            whole = bool(_INITIAL.fullmatch(value[slice(*names[0])].split()[0]))
        if not whole and (short or len(parts) == 2 or _INITIALS.fullmatch(part.split()[-1])):
            names[-1] = (names[-1][0], last)
            whole = True
        else:
            names.append((first, last))
            whole = _is_whole(part, known)
    return names


def _is_whole(part: str, known: KnownNames) -> bool:
    """Return whether *part* has a first name or an initial before a last name."""
    words = part.split()
    if len(words) < 2:
        return False
    first = bare(words[0].strip(".,"))
    return bool(_INITIAL.fullmatch(words[0])) or (len(first) >= _SHORT and first in known.first)


def _is_first(part: str, known: KnownNames) -> bool:
    """Return whether *part* has first names only, the first of them a well-known one."""
    first, *others = part.split()
    return bare(first) in known.first and all(
        _INITIAL.fullmatch(word) or (bare(word) in known.first and bare(word) not in known.last)
        for word in others
    )


def _is_known(part: str, known: KnownNames) -> bool:
    """Return whether *part* has two words, or one that is a well-known name."""
    words = words_of(part)
    some = any(one in known.first or one in known.last for one in words)
    return some or len(part.split()) > 1
