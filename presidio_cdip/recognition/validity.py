"""Check that a span of the model meets the minimum requirements for a value of its entity.

* Meaningful words: "of the" alone is no value, nor is ``n/a``, nor a printed label.
* The form of a number: a Social Security number is written 3-2-4 or unbroken, or stands after its
  label; a telephone number has 7, 10 or 11 digits, an exchange's name, or a label; a date of birth
  is a date that a living person can have, or is said to be one; an age is at most 120 and is not
  followed by a unit of something else.
* Not the printed text of a form: the number of a box, a label, an option that is not ticked, the
  legend of a list's codes.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from presidio_cdip.pack.confusions import LIKELY, STROKES, digits
from presidio_cdip.pack.language import english
from presidio_cdip.recognition.checks import age, birth_date, luhn, nearly_birth_date, ssn
from presidio_cdip.recognition.choices import (
    OF_ONE,
    Option,
    certain_options,
    covering,
    may_have_options,
    options,
)
from presidio_cdip.recognition.counts import is_count
from presidio_cdip.recognition.legends import legends
from presidio_cdip.recognition.next_field import is_of_next_field
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.sums import is_penalty, is_sum
from presidio_cdip.recognition.tables import bare
from presidio_cdip.recognition.things import is_of_thing
from presidio_cdip.recognition.transcripts import numbers_line
from presidio_cdip.recognition.unticked import is_unticked

_MANY_BOXES = 18  # from here on one neighbour may be another adult's age
_FORM = 3000  # characters in which a form's other numbered boxes are looked for
_LONG_LINE = 400  # characters; a longer one has no options
_BEFORE = 60  # characters in which a value's label is looked for
_DIGIT = f"[0-9{LIKELY}]"  # as OCR may have left it
_WORDS = english().labels
_FUNCTION = "|".join(_WORDS["function_words"])
_PRONOUN = "|".join((*_WORDS["pronouns"], *map(str.title, _WORDS["pronouns"])))
_EMPTY = re.compile(
    rf"(?:[\W_]|\b(?:{_FUNCTION}|{_PRONOUN}|And|For|From|His|Her|Of|The|Was|With)\b)*"
)
_NOT_GIVEN = re.compile(
    rf"\W*(?:n\W{{0,2}}a|n[{STROKES}/]a|{'|'.join(_WORDS['not_given'])})\W*", re.I
)
_NOT_GIVEN_LINE = re.compile(  # and nothing more: not "unknown reaction"
    rf"[^\w\n]*(?:n\W{{0,2}}a|n[{STROKES}/]a|{'|'.join(_WORDS['not_given'])})"
    r"(?=[ \t]*(?:[.;,)]|\n|\Z)|[ \t]{2})",
    re.I,
)
_BEHIND_COLON = re.compile(r":[ \t]*\Z")
_TO_NUMBER = re.compile(r"\.?[ \t]?#?\d")
_ASKED = re.compile(r"[:?][ \t]*\Z")
_TO_COLON = re.compile(r"[^:\n]*:")  # a label
_COLON = 3  # characters behind a label's word, at most, before its colon's end
_NONE = re.compile(rf"\W*(?:{'|'.join(_WORDS['none'])})\W*", re.I)
_NO_ANSWERS = frozenset(
    {"US_SSN", "DATE_OF_BIRTH", "PLACE_OF_BIRTH", "AGE", "HOME_ADDRESS", "HOME_PHONE_NUMBER"}
)
"""Entities whose value is never a bare "no" or "none"."""
NEVER_NONE = frozenset({"ETHNIC_ORIGIN", "GENDER"})
"""Entities that everybody has, so that "none" says nothing."""

_MASK = "[xX*#•]"
_GAP = r"[\W_]{0,3}"
_SSN_FORM = re.compile(
    rf"[\W_]*(?:{_DIGIT}{{3}}{_GAP}{_DIGIT}{{2}}|{_MASK}{{3}}{_GAP}{_MASK}{{2}})"
    rf"{_GAP}{_DIGIT}{{4}}[\W_]*"
)
_SSN_WRITTEN = re.compile(r"\d{3}[- ]\d\d[- ]\d{4}")
_SSN_GARBLED = re.compile(r"\W*\w{3}[\W_]{1,3}\w{2}[\W_]{1,3}\w{4}\W*")  # a digit read as a letter
_PHONE_FORM = re.compile(rf"\W*\(?{_DIGIT}{{3}}\)?\W{{0,3}}{_DIGIT}{{3}}\W{{1,3}}{_DIGIT}{{4}}\W*")
_OTHER_NUMBER = re.compile(
    rf"(?i)\b(?:{'|'.join(_WORDS['numbered'])})"
    r"\w{0,3}\.?\W{0,3}(?:no|number|#)?\W{0,24}$"
)
_SSN_NAMES = r"\bs\.? ?s\.? ?(?:[na#]|no|acc)|\bsoc\w{0,4}\b|secur|\bssn?\b"
_SSN_LABEL = re.compile(rf"(?i)(?:{_SSN_NAMES})")
_SSN_GOES_ON = re.compile(  # "Soc. Sec. Acct.", "SSN or file", "S.S. No. (of member)"
    rf"(?i)(?:{_SSN_NAMES})\w*[ .]{{0,2}}(?:sec[ .]{{0,2}})?"
    rf"(?:(?:{_FUNCTION}|and|&)?[ /.]?|\([^)\n]{{0,30}})\Z"
)
_SSN_WITHIN = re.compile(rf"(?<!\d)\d{{3}}{_GAP}\d\d{_GAP}\d{{4}}(?!\d)")  # one of several
_LINE_NUMBER = re.compile(r"\n[ \t]*\d{1,2}[ \t]{2,}")
_SSN_MOST = 10  # digits, of which one was misread as two
_NUMBERED_PERSON = re.compile(
    r"(?i)(?:emp\w{0,3}|employees?|members?|claimants?|licen[sc]ees?)\.?[^\w#]*"
)
_SSN_NEVER = re.compile(r"[A-HJKMNPQRTUVWXY]{1,3}[- ]?\d")  # no letter that OCR reads for a digit
_CARD_LENGTH = 19  # characters
_CARD = re.compile(
    r"(?<!\d)(?<!\d[ -])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5})(?![ -]?\d)"
)
_EXCHANGE = re.compile(
    rf"(?<![A-Za-z])[A-Za-z]{{2,15}}\W{{0,3}}(?=\W?\w?\W?[0-9]\W?\w?[0-9])(?:{_DIGIT}\W?)+"
)
_PHONE_LABEL = re.compile(
    r"(?i)\b(?:tel\w*|phones?|ph|fon|call|ring|home|res|mobile|cell|no|number)\b"
)
_BIRTH = re.compile(
    r"(?i)\b(?:b|born|birth\w*|dob|geb|n[ée]e?|nat|baptis\w+|baptiz\w+)\b|d\.o\.b|\*"
)
_WORDS_OF_FIELD = re.compile(r"(?=.{5})[^\W\d_]+(?:[ -][^\W\d_]+){0,3}")
_LEFT_BLANK = re.compile(  # no label of a next field is "at six" or "Yes"
    r"[ \t]{1,4}(?:-{2,}|_{3,}|\.{4,}|—)[ \t]*(?=\n|\Z|[ \t]{2}(?=[^\W\d_a-z])"
    rf"(?!(?i:{'|'.join(_WORDS['answers'])})\b))"
)
_DASH = re.compile(r"[ \t]{1,4}(?:--|—)[ \t]*(?:\n|\Z)")  # in running text, too
_DASHED = re.compile(r"[ \t](?:-{2,}|—)[ \t]*(?=\n|\Z|[ \t]{2})")
_FEWEST_DASHED = 2  # of a form
_FIELD_BEGINS = re.compile(r"(?:\A|\n|\t|[^\s:][ \t]{2,})\Z")
_MEASURES = r"%|°|\$|cm\b|m[mlg]\b|k[gm]\b|inch|ft\b|feet|oz\b"
_MEASURE = re.compile(  # no town in Ft. Worth, no fine of $300
    r"[ \t]?(?:%|°|cm\b|m[mlg]\b|k[gm]\b|inch|ft\b|feet\b|oz\b)(?!\.?[ ][A-Z])"
)
_UNIT = re.compile(
    rf"(?i)[ \t]?(?:{_MEASURES}|lbs?\b"
    r"|[ap]\.? ?m\b|o'clock|hrs?\b|hours?\b|min(?:ute)?s?\b|sec(?:ond)?s?\b|cents?\b"
    r"|per ?cent|pct|dollars|copies|cartons?|units?\b|miles?\b"
    r"|acres?\b|employees|persons?\b|weeks?\b(?! old)|:\d\d)"  # but "54 states", "43 shares"
)
_MONEY = re.compile(
    r"(?:[$£€#]|\bNos?\.?|\b(?:box|room|page|item|lot|rte?|route|suite|unit|gate)) ?$", re.I
)
_FAMILY_NAME = re.compile(r"\b[A-Z][a-z]+ (?:[A-Z]\. )?[A-Z][a-z]+ ?\Z")  # "Ann Page 34"
_MONTHS = "|".join(re.escape(name) for month in english().months for name in month.usual)
_MONTH = re.compile(rf"(?i)\b(?:{'|'.join(month.short for month in english().months)})")
_WRITTEN_DATE = re.compile(  # in full, without letters for digits
    rf"(?i)\W*(?:\d{{1,4}} ?[-/.] ?\d{{1,2}} ?[-/.] ?\d{{1,4}}|(?:{_MONTHS})\.? \d{{1,2}},? \d{{4}}"
    rf"|\d{{1,2}} (?:{_MONTHS})\.?,? \d{{4}})\W*"
)
_ROUTES = "|".join(map(re.escape, _WORDS["routes"]))
_LEAST = {
    "PLACE_OF_BIRTH": re.compile(r"[^\W\d_]\W?[^\W\d_]"),
    "HOME_ADDRESS": re.compile(rf"\w\w|{_ROUTES}"),
    "NATIONALITY": re.compile(  # "Irish", "Ger.", "GB", "F-1"; not what OCR makes of a smudge
        r"[^\W\d_]{4}|\b[A-Z][a-z]{2}\b|\b[^\W\d_a-zß-ÿ]\W?[^\W\d_a-z]|[A-Z]\W?\d"
        r"|\b[^\W\d_a-zß-ÿ][^\W\d_A-Z]{1,2}\.|(?i:usa|\bu\W?[sk]\b|\b(?:lao|yes)\b)"
    ),
    "RELIGION": re.compile(r"[^\W\d_]"),
    "ETHNIC_ORIGIN": re.compile(r"[^\W\d_]|\d ?%|\d/\d"),
    "POLITICAL_OPINION": re.compile(r"[^\W\d_]"),
    "TRADE_UNION_MEMBERSHIP": re.compile(r"[^\W\d_]"),
    "CRIMINAL_OFFENCE": re.compile(r"[^\W\d_]"),
    "GENDER": re.compile(r"[^\W\d_]"),
}
_WEAK: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "HEALTH": re.compile(r"(?i)\W*(?:died(?: of)?|dies|death|deceased|pack)\W*"),
        "MARITAL_STATUS": re.compile(r"(?i)\W*(?:born|died|nee|née)\W*"),
        "TRADE_UNION_MEMBERSHIP": re.compile(
            r"(?i)[\s\S]*# ?reps?\W*|\W*(?:reps?|union|member|which)\W*"
        ),
        "NATIONALITY": re.compile(r"(?i)\W*(?:no|nationality|citizenship)\W*"),
    }
)
"""Words that alone, behind no colon, are no value of the entity."""

_CELL = r"(?:^|(?<=\n)[ \t]*|(?<=\s\s\s))"  # where a line or a column begins
_SAID_BEFORE = re.compile(r"(?:,|\b(?:aged|and|are|at|is|of|or|was|were))[ \t]*\n[ \t]*$", re.I)
_BESIDE = re.compile(r"[ ,.#-]{0,3}")
_OF_LABELS = "|".join(_WORDS["kinds"])
_LABEL = re.compile(
    r"(?:\d{1,2}[.)]\s*)?"
    rf"(?:(?:(?:{_OF_LABELS})[\W_]+)*"
    rf"(?:{'|'.join(_WORDS['nouns'])})(?:es|s)?"
    rf"(?:[\W_]+(?:{_OF_LABELS}|number|zip|code))*)[\W_]*",
    re.I,
)
_PART_LABEL = re.compile(rf"\W*(?:{'|'.join(_WORDS['of_addresses'])})\W*", re.I)
_LABELLED = frozenset(
    {"HOME_ADDRESS", "HOME_PHONE_NUMBER", "NATIONALITY", "DATE_OF_BIRTH", "PLACE_OF_BIRTH"}
)
_PLACES = frozenset({"HOME_ADDRESS", "PLACE_OF_BIRTH", "NATIONALITY"})
"""Entities whose values stand behind the label of a part of an address, as "State: Mass."."""
_OF_PLACE = re.compile(
    rf"(?i)(?:\A|[\n;,]|\s\s)[ \t]*(?:{'|'.join(map(re.escape, _WORDS['labels_of_parts']))})"
    r" ?:\s{0,4}\Z"
)
_PART = re.compile(rf"(?i)\b({'|'.join(map(re.escape, _WORDS['labels_of_parts']))}) ?:")
_OF_STATE = frozenset({"HEALTH", "MARITAL_STATUS"})
"""Entities of which a person is in a state."""
_NUMBERED = re.compile(r"[A-Z]-?\d{3}")  # M-104; F-34 and M-7 may be sex and age
_OF_THINGS = frozenset({"ETHNIC_ORIGIN", "GENDER", "MARITAL_STATUS"})
_COLOURS = frozenset(_WORDS["colours"])
_OF_PERSONS = frozenset(
    word
    for key in ("asks_of_persons", "headings_of_persons", "sexes", "owners", "occupants")
    for word in _WORDS[key]
)
_LABEL_BEFORE = re.compile(r"([A-Za-z][\w/&' -]{0,30}):[^:\n]*\Z")
_OPTIONS = frozenset(
    {
        "MARITAL_STATUS", "RELIGION", "NATIONALITY", "GENDER", "HEALTH", "ETHNIC_ORIGIN",
        "POLITICAL_OPINION", "TRADE_UNION_MEMBERSHIP", "SEXUALITY", "CRIMINAL_OFFENCE",
        "GENETIC_DATA", "AGE",
    }
)  # fmt: skip
"""Entities whose values forms print as options."""


def can_be(text: str, span: Span, others: Sequence[Span] = ()) -> bool:
    """Return whether *span* of *text* can be a value of its entity.

    Args:
        text: The document.
        span: The span to check.
        others: The other spans found; a part of a value beside another part of it may be short.
    """
    value = text[span.start : span.end]
    if _EMPTY.fullmatch(value) or not can_be_found(text, span):
        return False
    option = _option(text, span, others) if span.entity in _OPTIONS else None
    if is_left_blank(text, span):
        return False
    if (option and not option.ticked) or (span.entity in _OPTIONS and _in_legend(text, span.start)):
        return False
    if span.entity not in _PLACES and _is_of_place(text, span):
        return False
    if span.entity in _OF_THINGS and _is_of_thing(text, span, option):
        return False
    weak = _WEAK.get(span.entity)
    if weak and weak.fullmatch(value) and not _BEHIND_COLON.search(_before(text, span)):
        return False
    is_numbering = value.lower() == "no" and _TO_NUMBER.match(text, span.end)
    if is_numbering and not _ASKED.search(text, max(0, span.start - _COLON), span.start):
        return False  # "No. 7", but "Fits? No 2. Gout?"
    if _printed(text, span) and not any(_beside(text, span, other) for other in others):
        return False
    if span.entity == "CRIMINAL_OFFENCE" and is_sum(text, span):
        return is_penalty(text, span, others)
    least = _LEAST.get(span.entity)
    if least and not least.search(value):
        return False
    holds = _FORMS.get(span.entity)
    return holds is None or holds(text, span)


def can_be_found(text: str, span: Span) -> bool:
    """Return whether *span* can be a value, even if a rule found it.

    It is none that is not given, none of another field, and none of a thing.
    """
    value = text[span.start : span.end]
    if _NOT_GIVEN.fullmatch(value) or _is_piece(text, span) or _is_not_answered(text, span):
        return False
    if span.entity in _OPTIONS and is_unticked(text, span.start, span.end):
        return False
    if span.entity in _NO_ANSWERS and _NONE.fullmatch(value):
        return False
    if span.entity in NEVER_NONE and value.lower() in ("none", "nil"):
        return False
    if span.entity == "AGE" and _MEASURE.match(text, span.end):
        return False
    if span.entity == "AGE" and numbers_line(text, span):
        return False
    if is_count(text, span):
        return False
    return not (is_of_next_field(text, span) or is_of_thing(text, span))


def is_left_blank(text: str, span: Span) -> bool:
    """Return whether *span* is an illness that a form asks for, and nothing is filled in behind it.

    >>> is_left_blank("Measles  1946   Mumps  ----   Rabies  ----", Span(16, 21, "HEALTH", 1, ""))
    True
    """
    return (
        span.entity == "HEALTH"
        and _WORDS_OF_FIELD.fullmatch(text, span.start, span.end) is not None
        and _LEFT_BLANK.match(text, span.end) is not None
        and _FIELD_BEGINS.search(text, max(0, span.start - _BEFORE), span.start) is not None
        and (_DASH.match(text, span.end) is None or _has_dashes(text))
    )


@lru_cache(maxsize=4)
def _has_dashes(text: str) -> bool:
    """Return whether *text* has dashes in place of several values: one may end a typed line."""
    return len(_DASHED.findall(text)) >= _FEWEST_DASHED


def _option(text: str, span: Span, others: Sequence[Span]) -> Option | None:
    """Return the printed option that *span* is in.

    Where its page leaves that open, its line tells, of which what the model found is known.
    """
    found = covering(certain_options(text), span.start, span.end)
    if found and found.is_ringed and span.entity not in OF_ONE and not found.is_asked(text):
        return None  # a list with a remark in brackets
    if found:
        return found
    before, after = max(0, span.start - _LONG_LINE), span.end + _LONG_LINE
    start = max(before, text.rfind("\n", before, span.start) + 1)
    line = text[start:after].partition("\n")[0] if "\n" not in text[start : span.end] else ""
    if len(line) > _LONG_LINE or not may_have_options(line):
        return None
    known = [(one.start - start, one.entity) for one in (*others, span) if one.entity in _OPTIONS]
    local = options(
        line, lambda first, last: {entity for at, entity in known if first <= at < last}
    )
    return covering(tuple(local), span.start - start, span.end - start)


def _in_legend(text: str, start: int) -> bool:
    """Return whether a legend holds the offset *start*."""
    found = legends(text)
    at = bisect_right(found, (start, len(text)))
    return at > 0 and start < found[at - 1][1]


def _is_of_thing(text: str, span: Span, option: Option | None) -> bool:
    """Return whether *span* is a ticked colour or letter whose label asks nothing of persons."""
    value = text[span.start : span.end].lower()
    if option is None or (value not in _COLOURS and len(value) > 1):
        return False
    label = _LABEL_BEFORE.search(text, max(0, span.start - _BEFORE), span.start)
    return label is not None and not asks_of_person(label[1])


def asks_of_person(label: str) -> bool:
    """Return whether *label* has a word for a person, or for what persons are asked.

    >>> asks_of_person("Patient is"), asks_of_person("Size")
    (True, False)
    """
    return not _OF_PERSONS.isdisjoint(re.findall(r"[a-z]+", label.lower()))


def _is_of_place(text: str, span: Span) -> bool:
    """Return whether *span* is the place behind a label such as "State": "Mass.".

    What a person has or is may stand there, too, where no other part of an address is asked:
    "Mental state: Depressed".
    """
    if text[span.start].islower() or not _OF_PLACE.search(_before(text, span)):
        return False
    if span.entity not in _OF_STATE:
        return True
    around = text[max(0, span.start - 2 * _BEFORE) : span.end + 2 * _BEFORE]
    return len({bare(label) for label in _PART.findall(around)}) > 1


def _is_piece(text: str, span: Span) -> bool:
    """Return whether *span* is a letter of a number, as M-104, or of "n/a"."""
    if span.end - span.start > 1:
        return False
    around = text[max(0, span.start - 2) : span.end + 3].strip(" ,;|:\t\n")
    return bool(_NUMBERED.match(text, span.start) or _NOT_GIVEN.fullmatch(around))


def _is_not_answered(text: str, span: Span) -> bool:
    """Return whether *span* is a label, alone or with "n/a" that stands behind it."""
    label = _TO_COLON.match(text, span.start, span.end + _COLON)
    return (
        label is not None
        and label.end() >= span.start + 2
        and _BEHIND_COLON.search(text, max(0, span.start - _COLON), span.start) is None
        and _NOT_GIVEN_LINE.match(text, label.end()) is not None
    )


def _before(text: str, span: Span) -> str:
    return text[max(0, span.start - _BEFORE) : span.start]


def _ssn(text: str, span: Span) -> bool:
    value = text[span.start : span.end]
    legible = len(re.findall(_DIGIT, value))
    if legible < 4 or _PHONE_FORM.fullmatch(value):
        return False
    if legible < 9 and _SSN_NEVER.match(value):
        return False  # "H-20417" in the cell before
    around = max(0, span.start - _CARD_LENGTH), span.end + _CARD_LENGTH
    cards = [card for card in _CARD.finditer(text, *around) if luhn(card.group())]
    if any(card.start() < span.end and span.start < card.end() for card in cards):
        return False
    before = _before(text, span)
    other = _OTHER_NUMBER.search(before)
    named = _SSN_LABEL.search(before) or _SSN_LABEL.search(value)
    is_person = other and _NUMBERED_PERSON.fullmatch(other.group())  # "SSN: Claimant:"
    is_person = is_person and (named or _SSN_WRITTEN.fullmatch(value))
    if other and not is_person and not _SSN_GOES_ON.search(before, 0, other.start()):
        return False  # "Acct." behind an SSN, but "Soc. Sec. Acct."
    if named:
        value = _LINE_NUMBER.sub(" ", value)  # and some digits may be lost
        is_short = sum(char.isdigit() for char in value) <= _SSN_MOST
        return is_short or _SSN_WITHIN.search(value) is not None
    if _SSN_FORM.fullmatch(value):
        return ssn(value)
    if _SSN_GARBLED.fullmatch(value) and legible >= 7:
        return True
    return 0 <= _first_ssn_label(text) < span.start


@lru_cache(maxsize=4)
def _first_ssn_label(text: str) -> int:
    """Return the offset of the first label of a Social Security number; -1 if none is found."""
    found = _SSN_LABEL.search(text)
    return found.start() if found else -1


def _phone(text: str, span: Span) -> bool:
    value = re.split(r"(?i)\b(?:ext|x)\.?(?= ?\d)", text[span.start : span.end])[0]
    if _SSN_FORM.fullmatch(value) and "-" in value:
        return False
    number = re.sub(r"\D", "", digits(value))
    if len(number) >= 7 or _EXCHANGE.search(value):
        return True
    if len(number) >= 6 and re.match(r"\W*(?:\+|0)", value):
        return True
    return len(number) >= 3 and bool(_PHONE_LABEL.search(_before(text, span)))


def _date(text: str, span: Span) -> bool:
    value = text[span.start : span.end]
    if not re.search(rf"{_DIGIT}\W?{_DIGIT}|[^\W\d_]{{3}}", value):
        return False
    line = text.rfind("\n", 0, span.start) + 1
    column = text[max(0, line - 400) : span.end]
    is_said = _BIRTH.search(_before(text, span)) or _BIRTH.search(column)
    if _WRITTEN_DATE.fullmatch(value):
        return birth_date(value) or bool(is_said and nearly_birth_date(value))
    return birth_date(value) or bool(_MONTH.search(value) or is_said)


def _age(text: str, span: Span) -> bool:
    value, after = text[span.start : span.end], text[span.end : span.end + 12]
    if not re.search(r"\d", value):
        return True
    before = _before(text, span)
    if not age(value) or re.search(r"(?i)\bage[sd]?\W{0,4}$", before):
        return age(value)
    is_numbered = _MONEY.search(before[-8:]) and not _FAMILY_NAME.search(before)
    return not _UNIT.match(after) and not is_numbered


_FORMS: Mapping[str, Callable[[str, Span], bool]] = MappingProxyType(
    {"US_SSN": _ssn, "HOME_PHONE_NUMBER": _phone, "DATE_OF_BIRTH": _date, "AGE": _age}
)


def _printed(text: str, span: Span) -> bool:
    """Return whether the span is printed text of a form, not a value written into it."""
    value = text[span.start : span.end]
    if span.entity == "AGE":
        return _numbers_box(text, span)
    if span.entity == "HOME_ADDRESS" and (
        re.fullmatch(r"(?i)\W*(?:no\.?|[0-9]{1,4})\W*", value) or _PART_LABEL.fullmatch(value)
    ):
        return True
    return span.entity in _LABELLED and _LABEL.fullmatch(value) is not None


def _numbers_box(text: str, span: Span) -> bool:
    """Return whether the span is the number of a form's box, like the box before or after it."""
    value = text[span.start : span.end].strip(" .")
    before = text[max(0, span.start - 20) : span.start]
    if not re.fullmatch("[0-9]{1,2}", value) or _SAID_BEFORE.search(before):
        return False

    def numbered(number: int) -> str:
        return rf"{_CELL}{number}\.\s?[A-Z]"

    here = re.compile(numbered(int(value))).search(text, max(0, span.start - 3), span.end + 8)
    if here is None or not here.start() <= span.start < here.end():
        return False
    near = text[max(0, span.start - _FORM) : span.end + _FORM]
    found = [step for step in (-2, -1, 1, 2) if re.search(numbered(int(value) + step), near)]
    return len(found) > 1 or (len(found) == 1 and int(value) < _MANY_BOXES)


def _beside(text: str, span: Span, other: Span) -> bool:
    """Return whether *other*, of the same entity, is adjacent to *span*, as parts of one value."""
    if other.entity != span.entity or other == span:
        return False
    between = text[min(span.end, other.end) : max(span.start, other.start)]
    return _BESIDE.fullmatch(between) is not None
