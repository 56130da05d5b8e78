"""The look of a value: its case, its blanks and its damage by OCR."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from presidio_cdip.pack.confusions import digits
from presidio_cdip.pack.language import english

_OCR = english().ocr
# The characters that a scanner reads for a letter within a word.
_UPPER_FOR_DIGITS = str.maketrans(dict(_OCR.upper))
_LOWER_FOR_DIGITS = str.maketrans(dict(_OCR.lower))
# Words that a title leaves without a capital.
_SMALL = frozenset(english().labels["small_words"])
_EITHER_CASE = frozenset(english().labels["either_case"])  # their small letters are no style
_DOTTED = re.compile(r"(?:[A-Z]\.\s?){1,4}[A-Z]?\.?")
_ACRONYM = re.compile(r"[A-Z]{2,5}")
_LOUD = re.compile(r"\b[A-Z]{4,}\b")
_SMALL_LETTER = re.compile(r"[a-z]")
_WITHIN = re.compile(r"[a-z,] \Z")  # ends within a sentence
_TITLED = re.compile(r"[A-Z][\w'’]*(?:[ -](?:[A-Z][\w'’]*|of|the|and))+")
_WORDS = re.compile(r"[^\W_]+")
_PART = 4  # letters of a value that may stand within a word by chance
_DAMAGED_WORD = re.compile(
    rf"(?<![\w])(?=\w*[^\W\d_]{{2}})(?=\w*(?:[{''.join(_OCR.lower)}]|[A-Z]l|l[A-Z]))[\w|]+"
)

# Digits and the letters most like them: two digits, or else no capital; an l behind a digit at the
# end is a litre, unless another letter stands before it.
_DAMAGED_NUMBER = re.compile(
    r"(?=[^lIO]*[lIO])(?=(?:.*[lIO].*[lIO]|.*(?<!\dl))\Z)"
    r"(?:(?=.*\d.*\d)[\dlIO.,:/+%-]+|(?=.*\d)[\dl.,:/+%-]+(?<!l))"
)


def folded(value: str) -> str:
    """Return *value* for comparison: without case, accents, outer marks and damage by OCR.

    >>> folded("  Rom.  CATH0LIC, "), folded("Nurse")
    ('rom. catholic', 'nurse')
    """
    plain = repaired(value)
    if not plain.isascii():  # else no letter has an accent
        plain = unicodedata.normalize("NFKD", plain).casefold()
        plain = "".join(char for char in plain if not unicodedata.combining(char))
    else:
        plain = plain.casefold()
    return " ".join(plain.split()).strip(" .,;:!?()[]{}\"'")


def repaired(value: str) -> str:
    """Return *value* with the damage by OCR in its words repaired; its length stays.

    One or two digits within a word become letters, and a small l among capitals becomes an I. More
    than two digits, and digits at the end of capitals, are a code and stay.

    >>> repaired("exce11ent, 0hio 45 B12 4th MARRlED"), repaired("BRCA1 F508del")
    ('excellent, Ohio 45 B12 4th MARRIED', 'BRCA1 F508del')
    """

    def word(match: "re.Match[str]") -> str:
        found = match.group()
        letters = [char for char in found if char.isalpha() and char != "l"]
        if 2 * len(letters) <= len(found) or re.search(r"(?i)\d{3}|^\d+(?:st|nd|rd|th)$", found):
            return found
        if all(char.isupper() for char in letters) and len(letters) > 1:
            core = found.rstrip("0123456789")
            return core.translate(_UPPER_FOR_DIGITS) + found[len(core) :]
        return found[0].translate(_UPPER_FOR_DIGITS) + found[1:].translate(_LOWER_FOR_DIGITS)

    return _DAMAGED_WORD.sub(word, value)


def titled(value: str) -> str:
    """Return *value*, in capitals, as a title: with capitals at the beginning of its words only.

    >>> titled("MEMBER OF THE U.A.W. AND MINERS' UNION")
    "Member of the U.A.W. and Miners' Union"
    """
    words = re.sub(r"(?<![\w'’])[^\W\d_]+(?:['’][^\W\d_]+)?", _capitalized, value)
    return words[:1].upper() + words[1:]


def _capitalized(match: "re.Match[str]") -> str:
    word = match.group().lower()
    if len(word) == 1 and match.string[match.end() : match.end() + 1] == ".":
        return word.upper()
    return word if word in _SMALL else word[0].upper() + word[1:]


def cased_there(model: str, value: str, before: str, after: str) -> str:
    """Return *value* as `cased_like` does, but for the capitals of acronyms and names.

    Amid small letters those of an acronym are no style, and within a sentence a first capital is
    that of a name.

    >>> cased_there("COVID", "heart failure", "died of ", " at home")
    'heart failure'
    >>> cased_there("COVID", "heart failure", "DIED OF ", " AT HOME")
    'HEART FAILURE'
    >>> cased_there("Lutheran by birth", "baptized late", "He was ", ", they say")
    'baptized late'
    """
    if _ACRONYM.fullmatch(model) and _SMALL_LETTER.search(f"{before} {after}"):
        return value
    if _WITHIN.search(before) and not model.isupper() and not _TITLED.fullmatch(model):
        return value
    return cased_like(model, value)


def calmed(model: str, value: str, around: str) -> str:
    """Return *value*, in small letters if it has the capitals of an acronym amid small letters.

    >>> calmed("COVID", "MEASLES", "died of  at home"), calmed("COVID", "HIV", "died of  at home")
    ('measles', 'HIV')
    """
    loud = value.isupper() and len(value) > 5 and _ACRONYM.fullmatch(model)
    small = _SMALL_LETTER.search(around) and not _LOUD.search(around)
    return value.lower() if loud and small else value


def cased_as_listed(model: str, listed: str, value: str) -> str:
    """Return *value* as `cased_like` does, but in lower case where *model* lowers *listed*.

    >>> cased_as_listed("american citizen", "American citizen", "Greek citizen")
    'greek citizen'
    >>> cased_as_listed("white", "White", "Black"), cased_as_listed("white", "White", "Hispanic")
    ('black', 'Hispanic')
    """
    if model == listed:
        return value
    if model.islower() and not listed.islower():
        is_name = model in _EITHER_CASE and value.lower() not in _EITHER_CASE
        return value if is_name else value.lower()
    return cased_like(model, value)


def spellings(value: str) -> Iterator[str]:
    """Yield *value*, then what it was if OCR has read one letter as two.

    >>> list(spellings("fernale"))
    ['fernale', 'female']
    """
    yield value
    for read, meant in _OCR.pairs:
        if read in value:
            yield value.replace(read, meant)
    if re.fullmatch(r"(?:\S ){2,}\S", value):  # s p a c e d
        yield value.replace(" ", "")


def number_meant(value: str) -> str:
    """Return the number that *value* was before OCR read its digits as letters; empty if none.

    >>> number_meant("l04"), number_meant("6/l2"), number_meant("2O/3O")
    ('104', '6/12', '20/30')
    >>> number_meant("l.02l"), number_meant("O2"), number_meant("2.5l"), number_meant("104")
    ('1.021', '', '', '')
    """
    return digits(value) if _DAMAGED_NUMBER.fullmatch(value) else ""


def _is_capital(word: str) -> bool:
    """Tell whether *word* is in capitals, of which OCR reads an I as an l; "Pl" is not."""
    return word.isupper() or (len(word) > 2 and word.replace("l", "I").isupper())


def cased_like(model: str, value: str) -> str:
    """Return *value* in the case of *model*: all capitals, title case, a first capital or as it is.

    Lists have capitals in proper names and nowhere else, so a value never loses a capital.

    >>> cased_like("MARRIED", "divorced"), cased_like("Six", "four"), cased_like("W", "b")
    ('DIVORCED', 'Four', 'B')
    >>> cased_like("Permanent Resident", "visitor on leave"), cased_like("catholic", "Lutheran")
    ('Visitor on Leave', 'Lutheran')
    >>> cased_like("for Truman", "working for Marchmont"), cased_like("Pl", "Terr")
    ('working for Marchmont', 'Terr')
    """
    words = re.findall(r"[^\W\d_]+", model)
    if not words:
        return value
    if _DOTTED.fullmatch(model) and len(value) > 4:  # the capitals of an abbreviation, not a style
        return value
    if all(map(_is_capital, words)) and (len("".join(words)) > 1 or len(value) < 3):
        return in_capitals(value)
    titled = words[0][0].isupper() and all(one[0].isupper() or one in _SMALL for one in words)
    if len(words) > 1 and titled:
        return re.sub(
            r"(?<![\w'’])[^\W\d_]+",
            lambda word: word[0] if word[0] in _SMALL else word[0][0].upper() + word[0][1:],
            value,
        )
    if words[0][0].isupper():
        return value[:1].upper() + value[1:]
    return value.lower() if len(model) == len(value) == 1 else value


def in_capitals(value: str) -> str:
    """Return *value* in capitals, but for what is lost or added in a change of a gene.

    >>> in_capitals("positive for 35delG")
    'POSITIVE FOR 35delG'
    """
    return _LOST.sub(lambda one: one[0].lower(), value.upper())


_LOST = re.compile(r"(?<=\d)(?:DEL|INS|DUP)(?=[ACGT]+\b|\d|\b)")


def line_at(text: str, start: int, end: int) -> tuple[int, int]:
    r"""Return where the line or lines of ``[start, end)`` begin and end, without the line's end.

    >>> line_at("one\ntwo\nthree", 5, 6)
    (4, 7)
    """
    last = text.find("\n", end)
    return text.rfind("\n", 0, start) + 1, last if last >= 0 else len(text)


@lru_cache(maxsize=65536)
def has_whole(written: str, value: str) -> bool:
    """Tell whether *written* has all of *value*: each of its words, also within a longer one.

    Small words of one or two letters, such as articles, do not count.

    >>> has_whole("liver cancer", "cancer"), has_whole("neoarsphenamine", "arsphenamine")
    (True, True)
    >>> has_whole("an adopted son", "a son"), has_whole("vitamin D3", "vitamin D")
    (True, True)
    >>> has_whole("sons", "son"), has_whole("47", "4"), has_whole("lung abscess", "lung cancer")
    (False, False, False)
    """
    own = value.casefold()
    words = [one.casefold() for one in _WORDS.findall(value) if len(one) > 2 or one != one.lower()
             or one.isdigit()]  # fmt: skip
    if not any(len(one) > 2 and one.isalpha() for one in words):
        return False
    new = written.casefold()
    known = _WORDS.findall(new)
    return (len(own) > _PART and own in new) or all(
        one in known or (len(one) > _PART and any(one in other for other in known)) for one in words
    )
