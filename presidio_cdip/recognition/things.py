"""Tell that what is born or has an age is a thing or an animal, and no person."""

import re

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span

_WORDS = english().labels
_REACH = 160  # characters of a sentence that are read
_NEAR = 40  # characters in which an animal's age and breed stand beside each other


def _any(*lists: str) -> str:
    words = {word for one in lists for word in _WORDS[one]}
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_THING = rf"(?:{_any('things')})(?:s|es)?"
_THE = rf"(?:{_any('determiners')})"
_PHRASE = rf"{_THE} (?:(?!(?:{_any('behind_nouns')})\b)[\w'’-]+ ){{0,3}}?{_THING}"
_BE, _BORN = rf"(?:{_any('be')})", rf"(?:{_any('births')})"
_SENTENCE = re.compile(
    r"(?s).*(?:(?<![A-Z])(?<![ .][A-Z][a-z])[.!?][\"'’”)]{0,2}\s|\n[ \t]*\n|;\s)"
)
_BIRTH = re.compile(rf"(?i)(?:\b(?P<be>{_BE})\s+)*\b{_BORN}\b")
_AGED = re.compile(rf"(?i)\b(?:(?P<be>{_BE})|{_any('aged')})\W{{1,3}}(?:[a-z]+\W{{1,3}}){{0,2}}\Z")
_LEAD = re.compile(rf"(?i)\A\W*(?:{_any('behind_nouns')}) [^\s,]+,?\s+(?={_THE}\b)")
_OF_PERSONS = re.compile(rf"(?i)\b(?:{_any('of_persons')})\b")
_RELATIVE = re.compile(rf"(?i)\W*{_PHRASE} (?:{_any('adjoined')})\b")
_LEADING = rf"\W*(?:(?i:{_any('behind_nouns')}) [^\s,]+,? )?"
_COMMON = re.compile(rf"{_LEADING}(?i:{_PHRASE})\W*")  # all that stands before the verb
_NAMED = re.compile(rf"{_LEADING}(?:[A-Z][\w'’.&-]* ){{1,4}}(?i:{_any('things_named')})s?\W*")
_ADJOINED = re.compile(rf"(?i)[\s,]+(?:{_any('adjoined')})\s*\Z")
_BEHIND = re.compile(rf"(?i)[,\s]{{0,3}}{_PHRASE} {_BE} {_BORN}\b")
_OF_BIRTH = re.compile(rf"(?i)[^.,\n]{{0,30}},\s{_PHRASE} {_BE}\b")
_NO_ADJECTIVE = _any("of_persons", "behind_nouns", "function_words", "relatives")
_OLD = re.compile(rf"(?i)\b(?:{_any('old')})\Z")
_OLD_THING = re.compile(  # and no "company director": nothing but a function word follows
    rf"(?i)[\s-]{{1,3}}(?:(?!(?:{_NO_ADJECTIVE})\b)[\w'’-]+ ){{0,2}}{_THING}\b"
    rf"(?=\s*(?:\Z|[.,;:!?)\n])|\s(?:{_any('be', 'behind_nouns', 'function_words')})\b)"
)
_UNITS = rf"(?:(?:{_any('years', 'months')})\.?)"
_CASK = rf"(?:{_any('casks')})"
_IN_CASKS = re.compile(rf"\s?(?i:{_UNITS})?\s?in (?:[a-z]+ ){{0,2}}{_CASK}\b(?! [A-Z])")
_A_CASK = re.compile(rf"(?i)\W*(?:[a-z]+ )?{_CASK}\W*")
_OF_CASK = re.compile(rf"(?i)\b(?:{_any('aged')}|{_UNITS}) in (?:\w+ )?\Z")
_A_THING = re.compile(rf"(?i){_THING}\Z")
_AFTER_OLD = re.compile(rf"(?i){_UNITS}[ -](?:{_any('old')})\s\Z")
_BREED = re.compile(rf"(?i)\b(?:{_any('breeds')})\b")
_AGE_OF = re.compile(  # but "Age of child in vehicle"
    rf"(?i)\bages? of (?:{_THE} )?(?:(?!(?:{_any('behind_nouns')})\b)[\w'’-]+ ){{0,2}}?{_THING}\b"
    r"[^.\n]*\Z"
)


def is_of_thing(text: str, span: Span) -> bool:
    """Return whether the birth or the age at *span* is said of a thing or an animal.

    >>> text = "Our whiskey, born in 1868, is still going strong."
    >>> is_of_thing(text, Span(21, 25, "DATE_OF_BIRTH", 1.0, ""))
    True
    """
    if span.entity in ("DATE_OF_BIRTH", "PLACE_OF_BIRTH"):
        return _is_born(text, span)
    if span.entity == "AGE":
        return _is_aged(text, span)
    before = text[max(0, span.start - _NEAR) : span.start]
    if span.entity == "HOME_ADDRESS":
        is_cask = _A_CASK.fullmatch(text, span.start, span.end)
        return is_cask is not None and _OF_CASK.search(before) is not None
    if span.entity in ("ETHNIC_ORIGIN", "NATIONALITY"):
        is_thing = _A_THING.match(text[span.start : span.end])
        return is_thing is not None and _AFTER_OLD.search(before) is not None
    return False


def _is_born(text: str, span: Span) -> bool:
    before = _sentence(text, span.start)
    found = list(_BIRTH.finditer(before))
    if found and not before[: found[-1].start()].strip():
        return _OF_BIRTH.match(text, span.end) is not None
    if found:
        return _is_thing(before[: found[-1].start()], found[-1]["be"] is not None)
    return _BEHIND.match(text, span.end) is not None


def _is_aged(text: str, span: Span) -> bool:
    if _OLD.search(text[span.start : span.end]) and _OLD_THING.match(text, span.end):
        return True
    if _IN_CASKS.match(text, span.end):
        return True
    line = text.rfind("\n", 0, span.start) + 1
    behind = text[span.end : span.end + _NEAR].partition("\n")[0]
    beside = text[max(line, span.start - _NEAR) : span.start]
    if _BREED.search(behind) or _BREED.search(beside) or _AGE_OF.search(beside):
        return True
    before = _sentence(text, span.start)
    verb = _AGED.search(before)
    return verb is not None and _is_thing(before[: verb.start()], verb["be"] is not None)


def _sentence(text: str, end: int) -> str:
    """Return the sentence before the offset *end*, as far as it is read."""
    before = text[max(0, end - _REACH) : end]
    start = _SENTENCE.match(before)
    return before[start.end() :] if start else before


def _is_thing(subject: str, has_verb: bool) -> bool:
    """Return whether *subject*, all that stands before the verb of its clause, names a thing.

    Args:
        subject: The text from the sentence's begin.
        has_verb: Whether "was" or the like stands before the participle. Behind a comma it is
            said of what stands before the first: "Tom Hale, head of the firm, was born".
    """
    subject = _LEAD.sub("", subject)
    if _RELATIVE.match(subject) and not _OF_PERSONS.search(subject):
        return True
    if subject.rstrip().endswith(":"):
        return False  # a label: "Personal data: born 3 May 1931"
    is_closed = subject.rstrip().endswith(",")
    subject = _ADJOINED.sub("", subject)
    parts = [part for part in re.split(r"[,(]", subject) if part.strip()]
    if not parts:
        return False
    if has_verb:
        return not (is_closed and len(parts) == 1) and _names_thing(parts[0])
    return _names_thing(parts[-1])


def _names_thing(phrase: str) -> bool:
    """Return whether *phrase* is a thing and nothing else: no sentence that ends with one."""
    return bool(_COMMON.fullmatch(phrase) or _NAMED.fullmatch(phrase))
