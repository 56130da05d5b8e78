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
_ADVERB = rf"(?:(?!(?:{_any('behind_nouns', 'function_words')})\b)[a-z]+)"
_AGED = re.compile(
    rf"(?i)\b(?:(?P<be>{_BE})|{_any('aged')})\W{{1,3}}(?:{_ADVERB}\W{{1,3}}){{0,2}}\Z"
)
_A_NAME = re.compile(r" [A-Z][a-z]")  # "is where 71-year-old Ann Roe lives"
_LEAD = re.compile(rf"(?i)\A\W*(?:{_any('behind_nouns')}) [^\s,]+,?\s+(?={_THE}\b)")
_OF_PERSONS = re.compile(rf"(?i)\b(?:{_any('of_persons')})\b")
_CAPITAL = re.compile(r"\b[A-Z]")
_LAST_WORDS = frozenset(_WORDS["things_named"])
_PARTS = 2  # of a thing's name and what it is
_RELATIVE = re.compile(rf"(?i)\W*{_PHRASE} (?:{_any('adjoined')})\b")
_LEADING = rf"\W*(?:(?i:{_any('behind_nouns')}) [^\s,]+,? )?"
_COMMON = re.compile(  # all that stands before the verb
    rf"{_LEADING}(?i:{_THE} (?P<more>(?:(?!(?:{_any('behind_nouns')})\b)[\w'’-]+ ){{0,3}}?)"
    rf"(?P<thing>{_THING}))\W*"
)
_NAMED = re.compile(  # no "At Zion Hospital", where persons are born
    rf"{_LEADING}(?!(?i:{_any('behind_nouns')})\b)(?:[A-Z][\w'’.&-]* ){{1,4}}"
    rf"(?i:{_any('things_named')})s?\W*"
)
_ADJOINED = re.compile(rf"(?i)[\s,]+(?:{_any('adjoined')})\s*\Z")
_BEHIND = re.compile(rf"(?i),?[ ]{_PHRASE} {_BE} {_BORN}\b")
_TIME = re.compile(rf"(?i)\b(?:{_any('behind_nouns')}) \Z")  # before a year: "in 1902 the club"
_OF_BIRTH = re.compile(rf"(?i)[^.,\n]{{0,30}},\s{_PHRASE} {_BE}\b(?P<rest>[^.\n]*)")
_NO_ADJECTIVE = _any("of_persons", "behind_nouns", "function_words", "relatives")
_OLD = re.compile(rf"(?i)\b(?:{_any('old')})\Z")
_JOINTS = _any("option_joints")
_NO_NAME = rf"(?:(?-i:{_THING})|(?:{_any('things_named')}))"  # "the 34-year-old Church was held"
_OLD_NOUN = rf"(?:(?!(?:{_NO_ADJECTIVE})\b)[\w'’-]+ ){{0,2}}{_NO_NAME}\b"
_PAST = rf"(?-i:[a-z]+(?:{_any('ends_of_past')})\b)"
_NO_NOUN = (  # follows: no "company director", no "hotel and bar owner", and no label's colon
    rf"\s*\Z|[.,;!?)]|:(?=\s(?-i:[a-z]))|\s*\n\s*(?-i:[A-Z\n])|\s(?!(?:{_JOINTS})\b(?! {_THE}\b))"
    rf"(?:{_any('be', 'behind_nouns', 'function_words', 'deeds')})\b"
)
_OLD_THING = re.compile(
    rf"(?i)(?:[ -]|\n(?=(?-i:[a-z])))"
    rf"(?:{_OLD_NOUN}\s(?:{_JOINTS})\s{_OLD_NOUN}(?=\s{_PAST}|{_NO_NOUN})"
    rf"|{_OLD_NOUN}(?=[ \t]*\n[ \t]*{_PAST}|{_NO_NOUN}))"
)
_UNITS = rf"(?:(?:{_any('years', 'months')})\.?)"
_CASK = rf"(?:{_any('casks')})"
_IN_CASKS = re.compile(  # no "in the cellar"
    rf"\s?(?P<unit>(?i:{_UNITS}))?\s?in (?:(?:(?!{_THE} )[a-z]+ ){{0,2}}{_CASK}"
    rf"|{_THE} (?:{_any('small_casks')}))\b(?! [A-Z])"
)
_WITH_UNIT = re.compile(rf"(?i){_UNITS}\Z")
_A_CASK = re.compile(rf"(?i)\W*(?:[a-z]+ )?{_CASK}\W*")
_OF_CASK = re.compile(rf"(?i)\b(?:{_any('aged')}|{_UNITS}) in (?:\w+ )?\Z")
_A_THING = re.compile(rf"(?i){_THING}\Z")
_NOUN = re.compile(rf"[ -](?!(?:{_any('be', 'behind_nouns', 'function_words')})\b)[a-z]")
_AFTER_OLD = re.compile(rf"(?i){_UNITS}[ -](?:{_any('old')})\s\Z")
_BREEDS = rf"(?:{_any('breeds')})\b"
_BREED = re.compile(  # but "Breed Thomas, age 34"
    rf"(?im)(?<!-)\b{_BREEDS}(?=[ \t]*:|[ \t]{{2}}|,)"
    rf"|(?:^|[,;]\s){_BREEDS}(?= (?-i:[a-z]))"
    rf"|[ \t]{{2}}{_BREEDS} (?!(?:{_any('behind_nouns', 'function_words')})\b)"
)
_AGE_OF = re.compile(  # but "Age of child in vehicle"
    rf"(?i)\bages? of (?:{_THE} )?(?:(?!(?:{_any('behind_nouns')})\b)[\w'’-]+ ){{0,2}}?{_THING}"
    rf"\W{{1,3}}(?:(?:ages?|{_BE})\W{{1,3}})?\Z"
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
        is_thing = _A_THING.match(text[span.start : span.end]) and not _NOUN.match(text, span.end)
        return bool(is_thing) and _AFTER_OLD.search(before) is not None
    return False


def _is_born(text: str, span: Span) -> bool:
    before = _sentence(text, span.start)
    found = list(_BIRTH.finditer(before))
    if not found:
        is_behind = _BEHIND.match(text, span.end)
        return is_behind is not None and _TIME.search(before) is not None
    subject, has_verb = before[: found[-1].start()], found[-1]["be"] is not None
    if not subject.strip():
        behind = _OF_BIRTH.match(text, span.end)
        return behind is not None and _OF_PERSONS.search(behind["rest"]) is None
    if not has_verb and found[-1].group().istitle():
        return False  # begins a line or a field
    return _is_thing(subject, has_verb)


def _is_aged(text: str, span: Span) -> bool:
    if _OLD.search(text[span.start : span.end]) and _OLD_THING.match(text, span.end):
        return True
    casks = _IN_CASKS.match(text, span.end)
    if casks and (casks["unit"] or _WITH_UNIT.search(text, span.start, span.end)):
        return True
    line = text.rfind("\n", 0, span.start) + 1
    stop = text.find("\n", span.end, span.end + _NEAR)
    stop = stop if stop >= 0 else span.end + _NEAR
    near = max(line, span.start - _NEAR)
    if _BREED.search(text, span.end, stop) or _BREED.search(text, near, span.start):
        return True
    if _AGE_OF.search(text, near, span.start):
        return True
    before = _sentence(text, span.start)
    verb = None if _A_NAME.match(text, span.end) else _AGED.search(before)
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
        has_verb: Whether "was" or the like stands before the participle. It is said of what stands
            before an apposition, which a comma or a bracket closes: "Tom Hale (of the firm) was
            born". What stands in a clause that is still open may be a person: "our farm, where Ann
            was born".
    """
    subject = _LEAD.sub("", subject)
    clause = _RELATIVE.match(subject)
    if clause and has_verb and not _OF_PERSONS.search(subject):
        return subject.isupper() or _CAPITAL.search(subject, clause.end()) is None
    if subject.rstrip().endswith(":") or (not has_verb and subject.endswith("\n")):
        return False  # a label, or a line of its own: "Personal data: born 3 May 1931"
    is_closed = subject.rstrip().endswith((",", ")"))
    subject = _ADJOINED.sub("", subject)
    parts = [part for part in re.split(r"[,(]", subject) if part.strip()]
    if not parts:
        return False
    if has_verb:
        return is_closed == (len(parts) > 1) and _names_thing(parts[0])
    if len(parts) == 1:
        return _names_thing(parts[0])
    if is_closed and len(parts) > _PARTS:
        return False  # "Tom Hale, president, Hale Company, born in 1931"
    return _COMMON.fullmatch(parts[-1]) is not None and _names_thing(parts[-1])


def _names_thing(phrase: str) -> bool:
    """Return whether *phrase* is a thing and nothing else: no sentence that ends with one.

    A thing with a capital behind other words may be a name: "the late Tom Church".
    """
    if _NAMED.fullmatch(phrase):
        return True
    common = _COMMON.fullmatch(phrase)
    if common is None:
        return False
    return not common["more"] or common["thing"].islower() or _is_named(common["thing"])


def _is_named(thing: str) -> bool:
    return thing.lower().rstrip("s") in _LAST_WORDS
