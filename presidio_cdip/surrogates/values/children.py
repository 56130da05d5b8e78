"""Keep the number of children where the page lists or counts them, and the sex of who is named.

The list stays, or its ages and names agree with the number that it has. A number and "children"
say no more than the list does, so that they stay; so does a number of none. Two numbers between
which the page counts, as "from 2 to 3", move together; so does the sum of sons and daughters.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.drawing.context import Context, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, terms
from presidio_cdip.surrogates.drawing.table import read
from presidio_cdip.surrogates.values.name_lists import sex_of
from presidio_cdip.surrogates.values.setting import staying
from presidio_cdip.surrogates.writing.breaks import joined
from presidio_cdip.surrogates.writing.text import cased_like, folded, has_whole

_ONES = english().ones
_COUNT = rf"(?:\d|{'|'.join(_ONES[1:10])})"
_VALUE = re.compile(
    rf"(?i)(?P<head>(?P<count>{_COUNT})"
    r"(?:[ ](?:grown|small|young|little|minor|dependent|living|at home|in all))?)?"
    r"(?:(?:\A|[ ])(?P<noun>(?:(?:adopted |foster |step-?|god)?(?:son|daughter)|nephew|niece"
    r"|dau|boy|girl|kid)s?|child|children)\.?)?"
    r"(?P<tail>[ ](?:of (?:the|this|that) marriage|at home|living|in all|by h(?:im|er)))?"
)
# The words behind a number whose children are listed: ages, years of birth or names
_NUMBER = rf"(?:\d\d?|{_COUNT}|{'|'.join(_ONES[10:13])}|1[89]\d\d|20\d\d)\b"
_AGES = re.compile(
    rf"(?i)(?:\s(?:under|below|over) (?:\d+|\w+))?[\s.,:;(–-]*"
    rf"(?:(?:their\s+)?(?:ages?d?|born)(?:\sin)?[\s.:,(]*)?{_NUMBER}"
    rf"(?:[\s,/–-]|and\b|to\b|&)+{_NUMBER}"
    rf"|[\s.,:;(–-]*{_NUMBER}(?! (?:\w+ )?(?:sons?|daughters?|boys?|girls?)\b)"
    rf"(?: \(?[\w.]+\)?){{1,3}}, ?{_NUMBER}"
    r"|[\s.,:;(–-]*\d\d?\s+months\b"
    r"|\s+(?:their\s+)?ages?\W+\d"
)
_ONE_TOLD = re.compile(  # the age or the sex of one
    r"(?i)[\s,:;(–-]{0,3}(?:(?:an? )?(?:boy|girl|son|daughter)\b"
    rf"|(?:aged?|now)\s+(?:\d|{_COUNT}))"
)
_NAMES = re.compile(
    r"(?!,\S)(?:[ \t,:;(–-]{1,6}|,\n[ \t]*)"  # no next cell of comma-separated values
    r"(?:(?:including|living|children|to wit),?[ :]+){0,3}(?!Ages?\b)"
    r"(?:[^\Wa-z\d_][\w'’]+[ ]?){1,2}(?:(?:of|in) [^\Wa-z\d_]\w+)?"
    r"(?:[ ,(–-]+\d|,|\s+and\s+[^\Wa-z\d_])"
    r"|,?\s+(?:one|some|none|both|all|three|four) of (?:them|whom)\b|\s+by\s+[^\Wa-z\d_]"
    r"|,\s+an?\s+(?:son|boy|daughter|girl)\s+and\s+an?\s+(?:son|boy|daughter|girl)\b"
    r"|\.\s+(?:The|Her|His|Their) (?:elder|older|younger)\b"
    r"|[^.;,\n]{0,30}, the (?:elder|older|younger)\b"
)
# What says of a number that it is listed below, or behind the label of its names or ages
_LABELLED = re.compile(
    r"(?i)[^.]{0,80}?\b(?:names?|ages?|births?|dates?)\b[^.]{0,60}?"
    r"\b(?:of each|as follows|listed|follow|following|below|are:|are as)"
    r"|[ \t:]{0,40}(?:\n[ \t]{0,40}|[ \t]{2,40})(?:(?:their|children['’]?s?|child's) )?"
    r"(?:names?|ages?)\b"
    r"[^:\n]{0,30}:[ \t_]*(?!n/?a\b|none\b)[^\W_]"
    r"|[^\n]{0,60}\n[ \t]*(?:the |their )?children[^:\n]{0,20}:[ \t]*(?-i:[A-Z][a-z])"
)
# One of a list below: a name and what follows it on its line
_ITEM = re.compile(
    r"[ \t]*(?:(?:\d{1,2}|[a-h])[.)][ \t]*|[-*•][ \t]*)?"
    r"(?P<name>(?:[^\Wa-z\d_][\w'’-]*[., ]*){1,4})(?P<rest>.{0,60})"
)
# A row of a household
_ROW = re.compile(
    r"(?i)(?:(?<=[ \t][ \t])|(?<=[\t|])|(?<=\|[ \t]))(?:step-?|foster |adopted )?"
    r"(?:son|daughter|dau|dtr|child)\.?(?=[ \t]{2}|\t|[ \t]*(?:\||$))"
)
_LINES_BEFORE = 3  # of a list: its headings and blank lines
_OF_CHILDREN = re.compile(r"(?i)\b(?:names?|ages?|child\w*|births?|born)\b")
_BOTH = re.compile(r"(?i)[ ]?[,;(.–-]?\s+(?:(?:who|of whom|and|are|now) ){0,2}(?:both|neither)\b")
_OLDER, _YOUNGER = re.compile(r"(?i)\bthe (?:old|eld)er\b"), re.compile(r"(?i)\bthe younger\b")
_ORDINALS = (
    "first|1st", "second|2nd|2d", "third|3rd|3d", "fourth|4th", "fifth|5th", "sixth|6th",
    "seventh|7th", "eighth|8th", "ninth|9th",
)  # fmt: skip
_ORDINAL = re.compile(
    r"(?i)\b(?:" + "|".join(f"({one})" for one in _ORDINALS) + r")[ ](?:living )?"
    r"(?:child|baby|son|daughter|dependent|dependant|birth|born)\b"
)
# A trade or an estate that was of one sex
_OF_ONE_SEX = re.compile(
    r"(?i)[^.;\n]{0,40}\b(?:army|navy|marines?|air force|soldiers?|sailors?|draft|football"
    r"|fraternity|nuns?|convent|sorority|debutantes?|married names?|ordained|priests?|priesthood"
    r"|seminary|monks?|altar boys?|boy scouts?|girl scouts?)\b"
)
_FROM_TO = re.compile(r"(?i)\bfrom\s+\Z"), re.compile(r"(?i)\s+to\s+")
_STEPS = (-1, 1, 2)  # by which numbers move together
# A number of children in other words: "mother of two", "has 3 kids".
# Whatever else the value says would stay, so that nothing else may be in it.
_COUNTED = re.compile(
    r"(?i)(?:(?:is|was|has|have|had|with|and|the|a|an|his|her|their) ){0,3}"
    rf"(?:(?P<parent>mother|father|mom|mum|dad|parent) (?:of|to) )?(?P<count>{_COUNT})"
    r"(?:[ ](?:grown|small|young|little|minor|dependent|living))?"
    r"(?:[ ](?P<noun>sons|daughters|boys|girls|children|kids))?"
)
# A number of sons or daughters, or one: "two adopted sons", "a girl"
_PART = re.compile(
    rf"(?i)(?P<count>an?|{_COUNT})?(?:\A|[ ])(?:(?:grown|small|young|little|minor|living) )?"
    r"(?P<noun>(?:adopted |foster |step-?|grand)?(?:sons?|daughters?|boys?|girls?))"
)
_ONE_NAMED = re.compile(  # a full stop behind a whole word ends its sentence
    r"(?:,?[ ]+(?:named[ ]|called[ ]|is[ ])?|[ ]*[:(–-][ ]*|,[ ]*|,\n[ \t]*)"
    r"(?:[A-Z][a-z\d'’]+|[A-Z]{3,})\b"
)
_NAMED_BEFORE = re.compile(
    r"[A-Z][\w.'’]+(?:[ \t]*,[ ](?:(?:his|her|their|our|my)[ ])?|[ \t]{2,}(?:[MFmf][ \t|,]+)?"
    r"|[ \t]+\d{1,2}[ \t]+(?:[MF][ \t]+)?)\Z"
    r"|\n(?:[A-Z][A-Z'’.]+ ){1,3}\Z"
)
_WOMEN, _MEN = ("daughter", "girl", "dau", "niece"), ("son", "boy", "nephew")  # ends of the words
_OTHER = {"son": "daughter", "daughter": "son", "boy": "girl", "girl": "boy", "dau": "son",
          "nephew": "niece", "niece": "nephew"}  # fmt: skip
_SEXED = ("sons", "daughters", "boys", "girls", "son", "daughter", "boy", "girl")
_EITHER = ("children", "kids", "child", "kid")  # of which no other word says anything else
_TIES = ("step", "adopted ", "foster ")
_FAR = ("grand", "great-", "god")  # kin who seldom live with the parents of small children
_NO_CHILD = re.compile(r"0{1,2}|zero|nil")
_PAIR, _LAST = 2, 9  # the least number of several, and the greatest that is written


@dataclass(frozen=True, slots=True)
class _Listed:
    """Read a number of children that the page lists or counts, and a child whom it names."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        context = context_of(options)
        found = _VALUE.fullmatch(value)
        if context is None:
            return None
        if _NO_CHILD.fullmatch(value.casefold()):
            return Reading("children absent", folded(value), lambda draw: value, may_stay=True)
        if found is None or not (found["noun"] or found["head"]):
            return _counted(value, context, options)
        noun = (found["noun"] or "").lower()
        after = context.page.text[context.end : context.end + 60]
        one = (noun and not found["head"]) or (
            noun and not noun.endswith("s") and noun != "children"
        )
        one = one or (found["head"] is not None and _number(found["count"]) == 1)
        aged = found["head"] and (_AGES.match(after) or (one and _ONE_TOLD.match(after)))
        named = _NAMES.match(after) or (one and _names_one(context.before, after))
        count = _number(found["count"]) if found["head"] else 0
        told = bool(count) and _is_told(count, context, options)
        of_one_sex = named or (noun and _OF_ONE_SEX.match(after))
        if not aged and not told and not named and (found["head"] or not of_one_sex):
            return _counted(value, context, options) or _together(value, found, context)

        stays = not noun or (found["head"] and noun in _EITHER)
        genes = bool(context.page.values("GENETIC_DATA"))

        def write(draw: Draw) -> str:
            if stays:
                return value
            own = bool(found["head"])
            if own and genes and not one:  # of which only children of one's own can have a share
                other = "children"
            else:
                other = _related(noun, draw, own) if of_one_sex else _of_other_sex(noun)
            new = cased_like(found["noun"], other)
            return value[: found.start("noun")] + new + value[found.end("noun") :]

        return Reading(
            "children listed", folded(value), write, may_stay=bool(stays), may_contain=True
        )


def _is_told(count: int, context: Context, options: Mapping[str, Any]) -> bool:
    """Tell whether the page lists or counts as many children elsewhere than on the value's line."""
    text, end = context.page.text, context.end
    if count == 2 and _BOTH.match(text, end):
        return True
    if count > 1 and _LABELLED.match(text, end):
        return True
    page = context.page
    if count == 2 and page.fact(_compares_two):
        return True
    return (
        count in page.fact(_ordinals)
        or count == page.fact(_rows)
        or _has_items(text, end, count, options)
    )


def _compares_two(page: Page) -> bool:
    """Tell whether what stays on *page* says *the older* and *the younger*: of two."""
    kept = page.fact(staying)
    return bool(_OLDER.search(kept) and _YOUNGER.search(kept))


def _rows(page: Page) -> int:
    """Return how many rows of a table on *page* are somebody's children."""
    return len(_ROW.findall(page.text))


def _ordinals(page: Page) -> frozenset[int]:
    """Return the numbers of children that what stays on *page* counts: "third child"."""
    found = (one.lastindex or 0 for one in _ORDINAL.finditer(page.fact(staying)))
    return frozenset(one for one in found if one > 1)


def _has_items(text: str, end: int, count: int, options: Mapping[str, Any]) -> bool:
    """Tell whether the lines behind *end* list *count* names, and no more."""
    lines = text[end : end + 80 * (count + _LINES_BEFORE)].split("\n")[1:]
    items = [bool(line.strip()) and _is_item(line, options) for line in lines]
    first = next((at for at, is_item in enumerate(items) if is_item), len(items))
    if first > _LINES_BEFORE:
        return False
    run = next((at for at, is_item in enumerate(items[first:]) if not is_item), len(items) - first)
    headed = any(map(_OF_CHILDREN.search, lines[:first]))
    return run == count and (count > 1 or headed)


def _is_item(line: str, options: Mapping[str, Any]) -> bool:
    """Tell whether *line* begins with a first name, and is no label with its answer."""
    found = _ITEM.fullmatch(line)
    if not found or found["rest"].lstrip().startswith(":"):
        return False
    words = re.findall(r"[^\W\d_]+", folded(found["name"]))
    locale, pack = str(options.get("locale", "en_US")), pack_of(options)
    return any(sex_of(word, locale, pack) for word in words)


def _together(value: str, found: "re.Match[str]", context: Context) -> Reading | None:
    """Return the reading of one of two numbers between which the page counts; they move alike."""
    if not found["head"] or found["head"] != found["count"]:
        return None
    page = context.page
    both = page.fact(_counts).get(context.start)
    if both is None:
        return None
    starts, numbers = both
    if page.fact(_ordinals).intersection(numbers):
        return Reading("children counted on", folded(value), lambda draw: value, may_stay=True)
    steps = [one for one in _STEPS if min(numbers) + one >= _PAIR and max(numbers) + one <= _LAST]

    def write(draw: Draw) -> str:
        step = draw.shared(f"{draw.entity} count").choice(steps)
        other = numbers[starts.index(context.start)] + step
        count = str(other) if found["count"].isdigit() else _ONES[other]
        noun = found["noun"] or ""
        if noun and found["count"].lower() in ("1", "one"):
            noun = cased_like(noun, {"child": "children"}.get(noun.lower(), f"{noun.lower()}s"))
        tail = value[found.end("noun") :] if noun else value[found.end("head") :]
        return cased_like(found["count"], count) + (f" {noun}" if noun else "") + tail

    return Reading("children counted on", folded(value), write) if steps else None


def _counts(page: Page) -> Mapping[int, tuple[tuple[int, int], tuple[int, int]]]:
    """Return by offset where two findings stand as "from 2 to 3", and the numbers."""
    before, between = _FROM_TO
    pairs: dict[int, tuple[tuple[int, int], tuple[int, int]]] = {}
    for one, other in zip(page.findings, page.findings[1:], strict=False):
        numbers = [_VALUE.fullmatch(page.text[it.start : it.end]) for it in (one, other)]
        if (
            between.fullmatch(page.text, one.end, other.start)
            and before.search(page.text[max(0, one.start - 8) : one.start])
            and all(it is not None and it["count"] for it in numbers)
        ):
            first, second = (_number(it["count"]) for it in numbers if it)
            if first and second:
                both = (one.start, other.start), (first, second)
                pairs.setdefault(one.start, both)
                pairs.setdefault(other.start, both)
    return pairs


def _counted(value: str, context: Context, options: Mapping[str, Any]) -> Reading | None:
    """Return the reading of a number of children that the page lists; it stays."""
    found = _COUNTED.fullmatch(value)
    if not found:
        return None
    listed = context.page.fact(_ListedNumbers(options["pack"], str(options.get("locale", "en_US"))))
    after = context.page.text[context.end : context.end + 60]
    if _number(found["count"]) not in listed and not (found["parent"] and _NAMES.match(after)):
        return None
    name = "noun" if found["noun"] else "parent"
    if not found[name]:
        return None
    own = found[name].lower()
    if own in _EITHER:
        return Reading("children counted", folded(value), lambda draw: value, may_stay=True)
    other = "guardian" if own == "parent" else "parent" if name == "parent" else _of_other_sex(own)

    def write(draw: Draw) -> str:
        return (
            value[: found.start(name)] + cased_like(found[name], other) + value[found.end(name) :]
        )

    return Reading("children counted", folded(value), write)


@dataclass(frozen=True, slots=True)
class _ListedNumbers:
    """Find the numbers of children that a page lists or counts: a fact of `Page.fact`."""

    pack: Any
    locale: str

    def __call__(self, page: Page) -> frozenset[int]:
        options = {"pack": self.pack, "locale": self.locale}
        return frozenset(
            count
            for one in page.findings
            if one.entity == "MARITAL_STATUS"
            and (found := _counted_of(joined(page.text[one.start : one.end]).phrase))
            and found["count"]
            and (
                (
                    not found.groupdict().get("parent")
                    and _AGES.match(page.text[one.end : one.end + 60])
                )
                or (
                    (count := _number(found["count"])) > 1
                    and _NAMES.match(page.text[one.end : one.end + 60])
                )
                or _is_told(_number(found["count"]), Context(page, one.start, one.end), options)
            )
            and (count := _number(found["count"]))
        )


@dataclass(frozen=True, slots=True)
class _Summed:
    """Read the number of all children of a page that counts sons and daughters, too: their sum."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of a sum whose parts change, and of parts whose sum stays."""
        context = context_of(options)
        counted = _counted_in(value) if context else None
        if context is None or counted is None:
            return None
        page = context.page
        total, parts = page.fact(_sum)
        is_part = any(start <= context.start < end for start, end in parts.items())
        if not parts or (not is_part and counted[0] != total):
            return None
        # "3 children, 2 sons and a daughter, aged 4, 5 and 9"
        aged = any(_AGES.match(page.text[end : end + 60]) for end in parts.values())
        numbers = _ListedNumbers(options["pack"], str(options.get("locale", "en_US")))
        listed = aged or total in page.fact(numbers)
        if is_part or aged:
            stays = Reading("children listed", folded(value), lambda draw: value, may_stay=True)
            return stays if listed else None
        found = _VALUE.fullmatch(value) or _COUNTED.fullmatch(value)
        if listed or found is None or found["noun"] in _SEXED or not found["count"]:
            return None

        def write(draw: Draw) -> str:
            new = [_counted_in(_surrogate_at(page, *one, draw)) for one in parts.items()]
            other = sum(one[0] for one in new if one)
            if not other or other >= len(_ONES):  # who becomes a nephew is no child
                return value
            count = str(other) if found["count"].isdigit() else _ONES[other]
            start, end = found.span("count")
            return value[:start] + cased_like(found["count"], count) + value[end:]

        return Reading("children summed", folded(value), write, may_stay=True)


def _surrogate_at(page: Page, start: int, end: int, draw: Draw) -> str:
    """Return the surrogate of another value of *page*, at ``[start, end)``."""
    there = {**draw.options, "context": Context(page, start, end)}
    reading = read(draw.entity, page.text[start:end], there)
    return reading.write(Draw(draw.keyring, draw.entity, reading.normal, 0, there))


def _counted_in(value: str) -> tuple[int, str] | None:
    """Return the number of children in *value* and their sex, ``m``, ``f`` or none.

    >>> _counted_in("Two daughters"), _counted_in("a foster son"), _counted_in("father of 3")
    ((2, 'f'), (1, 'm'), (3, ''))
    """
    found = _PART.fullmatch(value) or _COUNTED.fullmatch(value)
    if found is None:
        return None
    noun = (found["noun"] or "").lower().rstrip("s.")
    sex = "f" if noun.endswith(_WOMEN) else "m" if noun.endswith(_MEN) else ""
    count = found["count"]
    if count is None:
        return (1, sex) if sex else None
    return (_number(count), sex) if not count.isalpha() or len(count) > 2 else (1, sex)


def _sum(page: Page) -> tuple[int, Mapping[int, int]]:
    """Return how many children a page counts in all, and where it counts sons and daughters.

    Nothing if their numbers do not add up to it.
    """
    counts: dict[str, set[int]] = {"m": set(), "f": set(), "": set()}
    parts: dict[str, tuple[int, int]] = {}
    for one in page.findings:
        if one.entity == "MARITAL_STATUS":
            counted = _counted_in(joined(page.text[one.start : one.end]).phrase)
            if counted:
                counts[counted[1]].add(counted[0])
                parts.setdefault(counted[1], (one.start, one.end))
    if len(counts["m"]) != 1 or len(counts["f"]) != 1:
        return 0, {}
    total = sum(counts["m"] | {0}) + sum(counts["f"])
    return (total, dict([parts["m"], parts["f"]])) if total in counts[""] else (0, {})


def _counted_of(phrase: str) -> "re.Match[str] | None":
    """Return the match of a number of children, or of a parent of as many."""
    if found := _VALUE.fullmatch(phrase):
        return found
    found = _COUNTED.fullmatch(phrase)
    return found if found and found["parent"] else None


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _ONES.index(text.casefold())


def _of_other_sex(noun: str) -> str:
    """Return the word for as many children of the other sex.

    >>> _of_other_sex("sons"), _of_other_sex("stepson"), _of_other_sex("dau")
    ('daughters', 'stepdaughter', 'son')
    """
    single = noun.removesuffix("s")
    own = next(one for one in (*_WOMEN, *_MEN) if single.endswith(one))
    return noun.replace(own, _OTHER[own])


def _names_one(before: str, after: str) -> bool:
    """Return whether the text around a word for children names them."""
    return bool(_ONE_NAMED.match(after) or _NAMED_BEFORE.search(before))


def _related(noun: str, draw: Draw, own: bool) -> str:
    """Return a word for other kin of the same sex and number.

    Args:
        noun: As written, in small letters.
        draw: Of the value.
        own: Whether they are somebody's children, so that no nephew can take their place.
    """
    if noun in _EITHER:
        tie = draw.chance.choice(_TIES if noun.startswith("child") else _TIES[1:])
        return tie + noun
    many = noun != "s" and noun.endswith("s")
    single = noun.removesuffix("s").replace("step-", "step")
    kin = terms("kin_women" if single.endswith(_WOMEN) else "kin_men", pack_of(draw.options))
    ends = tuple(f"{tie}{one}" for tie in ("", *_TIES) for one in ("son", "daughter"))
    short = noun == "dau"
    fit = [one for one in kin if (one in ends or not own) and (one in ends or not short)]
    # A child whose age or birth the page tells is too old for a grandchild.
    fit = [one for one in fit if one == single or not one.startswith(_FAR)]
    whole = [one for one in fit if not has_whole(one, single)]
    fit = whole if len(whole) > _PAIR else fit
    other = draw.choice(fit, but=single)
    return other.replace("daughter", "dau") if short else other + ("s" if many else "")


CHILDREN_FORMS: tuple[Form, ...] = (_Summed(), _Listed())
