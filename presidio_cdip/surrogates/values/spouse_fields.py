"""Read answers for a state of marriage, of which a page tells in other words as well.

A spouse who is named or has an occupation in a field of the same form tells that the person is
married, so that the state stays; where such a field is empty, nobody becomes married. That counts
only where the page has one answer for a state, and no other person's record begins between it and
the field. Elsewhere on such a page a wife or a husband who lives or has died tells it as well, and
*Miss* or *Mrs* beside any answer. Of the states that a question prints one is drawn.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import english
from presidio_cdip.surrogates.drawing.context import Finding, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.values.setting import staying
from presidio_cdip.surrogates.writing.text import cased_like, folded

LIVING, NONE = "living", "none"
_MARRIED, _SINGLE = "married", "single"
_KINDS = {
    _SINGLE: r"single|unmarried|never[ -]married|not married|bachelor|spinster",
    _MARRIED: r"married",
    "widowed": r"widow(?:ed|er)?(?:/er|\(er\))?",
    "divorced": r"divorced?",
    "separated": r"(?:legally )?separated",
    "engaged": r"engaged",
}
_STATE = "|".join(_KINDS.values())
_KIND_OF = re.compile("(?i)" + "|".join(f"(?P<{kind}>{one})" for kind, one in _KINDS.items()))
_OPTIONS = re.compile(
    rf"(?i)(?P<options>(?:{_STATE})(?:(?:[ ]?[,/|;]|[ ])+(?:or[ ])?(?:{_STATE}))+)[\s)\]?.:_(-]*\Z"
)
_BEFORE = 120  # characters of a line in which options are printed before their answer
_FEWEST = 2  # other options from which one is drawn; of fewer, each would tell the original
_ANSWER = re.compile(rf"(?i)(?:{_STATE}|M|S|W|D|Mar|Marr|Sgl|Div|Wid)\.?")
_IS_MARRIED = re.compile(r"(?i)(?:married|marr?|m)\.?")
_SPOUSE = "wife|husband|spouse"
_FIELD = re.compile(
    rf"(?i)(?<![\w'’-])(?P<label>names? of (?:your |the |present )?(?:{_SPOUSE})"
    rf"(?: or (?:{_SPOUSE}))?"
    rf"|(?:employer|occupation|address|business) of (?:your |the )?(?:{_SPOUSE})"
    rf"|(?:{_SPOUSE})(?:['’]?s|\(s\))?[ ](?:(?:full|first|given|maiden|legal|present)[ ])*"
    r"(?:names?|occupation|employer|age|birth ?(?:date|place)|date of birth|place of birth|address"
    r"|religion|work|business|employment|nationality|trade|job)"
    rf"|(?:accompanied by|travell?ing with)(?=[ ]?:[ ]*(?:h(?:is|er) )?(?:{_SPOUSE})\b)"
    rf"|(?:{_SPOUSE})(?=[ ]?(?:\([^)\n]*\)[ ]?)?:))\b(?P<rest>[^:.\n]{{0,24}}?)"
    r"(?::|[ \t]{2,}|[ ]?[.…_]{3,})(?P<answer>[^\n]*)"
)
_GONE = re.compile(r"(?i)\b(?:late|former|ex|first|previous|deceased|dec'?d|dead|died|divorced)\b")
_NEXT = re.compile(r"[ \t]{3,}|[ \t]{2,}(?=[A-Z][^:\n]*:)")  # ends the answer of a field
_EMPTY = re.compile(r"(?i)[\W_]*(?:n\W?a|none|nil|no|not applicable|not married)?[\W_]*")
# The heading of another person's record
_RECORD = re.compile(
    rf"(?im)^[ \t]*(?:\d+[.)][ \t]*)?(?!.*\b(?:{_SPOUSE})\b)(?:full |last |legal )?"
    r"(?:(?:applicant|employee|patient|member|insured|tenant|claimant|student)(?:['’]?s)?[ ]?)?"
    r"(?:name|(?:case|record|entry|file|card|applicant|patient|employee|person|member)"
    r"(?=[ ]?(?:no|#|\d)))"
    r"\b[^:\n]{0,16}[:#\d]"
)
# A wife or a husband in other words of the page, and what is said of one who is gone
_LABELS = english().labels
_DIED, _LEFT = alternation(_LABELS["spouses_dead"]), alternation(_LABELS["spouses_parted"])
_NUMBERED = _LABELS["spouses_numbered"]
_SPOUSE_SAID = re.compile(
    rf"(?i)\b(?:(?P<before>{_DIED}|{_LEFT}|{alternation(_NUMBERED)})[ -])?"
    r"(?:wife|husband)\b(?!['’]?s[ ](?:name|occ|emp|birth|age|nat)|[ ]?[/:(]|[ ]or[ ])"
    r"(?P<behind>[^.;\n]{0,40})"
)
_DEAD = re.compile(rf"(?i)\b(?:{_DIED})\b|\bd\.[ ]")
_PARTED = re.compile(rf"(?i)\b(?:{_LEFT})\b")
_GONE_BEFORE = re.compile(
    rf"(?i)\b(?:{alternation(_LABELS['ends_of_spouses'])}) of (?:his|her|my|the) \Z"
)
_SAID_MARRIED = re.compile(rf"(?i)\b{_KINDS[_MARRIED]}\b")
_BEHIND_LABEL = re.compile(r"[:?][ \t]*\Z")
_CELL = re.compile(r"(?:^|[ \t|]{2}|[\t|])[ \t]*\Z", re.MULTILINE)
_CELL_END = re.compile(r"[ \t]*(?:\n|\Z|[ \t]{2}|\|)")
_BOX = re.compile(r"[\])}_\u2610-\u2612\u25a0\u25a1][ ]?\Z|(?<!\w)[xX][ ]\Z")
_TITLE = re.compile(r"\b(?P<title>Miss|Mrs|Mr)\b\.?[ ]\(?[A-Z]")
_NAMED = re.compile(r"\bName[^\n:]{0,24}:[ \t]*(?P<title>Miss|Mrs|Mr)\b")
_SHORT = {_MARRIED: "Mar", _SINGLE: "Sgl", "widowed": "Wid", "divorced": "Div", "separated": "Sep"}
_CODES = {_MARRIED: "M", _SINGLE: "S", "widowed": "W", "divorced": "D"}
_WORDS = {one: one for one in _KINDS}
# The states of one who has a title, the frequent ones several times
_BY_TITLE = {
    "Mrs": (_MARRIED, "widowed", _MARRIED, "widowed", "divorced", "separated"),
    "Mr": (_MARRIED, _SINGLE, _MARRIED, "widowed", "divorced", "separated"),
}
_CHILD = re.compile(r"(?i)\b(?:child(?:ren)?|kids?|sons?|daughters?)\b")
_NO_CHILD = re.compile(r"(?i)(?:no|none|nil|0)\b")
_OF_CHILDREN = re.compile(r"(?i)\b(?:children|issue)\b[^\n]{0,20}\Z")
_SHORT_LENGTH = 4  # letters of an abbreviation
_NEAR = 24  # characters before a word for a spouse
_LABEL = 40  # characters before a number of children in which its label stands
_FAR = 1500  # characters between an answer and the field of a spouse


def spouse_told(page: Page) -> Mapping[int, str]:
    """Return by the start of the page's one answer for a state what it tells of a spouse.

    That is `LIVING` or `NONE`; the page has no such answer, several, or tells nothing if empty.
    """
    answers = [one for one in page.findings if _is_answer(page, one)]
    if len(answers) != 1:
        return {}
    (own,) = answers
    told = [
        found
        for one in _FIELD.finditer(page.text)
        if (found := _answer(one)) and not _is_apart(page.text, own, one)
    ]
    labels = [folded(one["label"]) for one in _FIELD.finditer(page.text)]
    if not told or len(set(labels)) < len(labels):
        return {}
    return {own.start: LIVING if LIVING in told else NONE}


def _is_answer(page: Page, one: Finding) -> bool:
    value = page.text[one.start : one.end]
    return one.entity == "MARITAL_STATUS" and bool(_ANSWER.fullmatch(value))


def _answer(field: "re.Match[str]") -> str:
    """Return what a field tells; empty if its spouse is dead or gone."""
    before = field.string[max(0, field.start() - 12) : field.start()].rpartition("\n")[2]
    answer = _NEXT.split(field["answer"].strip(" \t"))[0]
    if _GONE.search(before) or _GONE.search(field["rest"]) or _GONE.search(answer):
        return ""
    return NONE if _EMPTY.fullmatch(answer) else LIVING


def _is_apart(text: str, own: Finding, field: "re.Match[str]") -> bool:
    """Tell whether a field is far from the answer *own*, or of another person's record."""
    low, high = min(own.end, field.start()), max(own.start, field.start())
    return high - low > _FAR or bool(_RECORD.search(text, low, high))


def _states_told(page: Page) -> Mapping[int, Collection[str]]:
    return _states_by(page, page.fact(staying))


def _states_by_values(page: Page) -> Mapping[int, Collection[str]]:
    return _states_by(page, page.text)


def _states_by(page: Page, text: str) -> Mapping[int, Collection[str]]:
    """Return by the start of the page's one answer the states that its words for a spouse leave.

    A wife who lives leaves that her husband is married or parted, one who has died that he is
    widowed or married again, and both, or one who is said to be married, that he is married. Only
    words of *text* count: all of the page, or what stays. Of several answers that behind a label
    does.
    """
    answers = [one for one in page.findings if _is_answer(page, one)]
    if len(answers) > 1:
        answers = [
            one
            for one in answers
            if _BEHIND_LABEL.search(page.text[max(0, one.start - _NEAR) : one.start])
        ]
    if len(answers) != 1:
        return {}
    living = dead = married = False
    for one in _SPOUSE_SAID.finditer(text):
        before = text[max(0, one.start() - _NEAR) : one.start()]
        said = f"{one['before'] or ''} {one['behind']}"
        if _DEAD.search(said) or _GONE_BEFORE.search(before):
            dead = True
        elif not _PARTED.search(said) and folded(one["before"] or "") not in _NUMBERED:
            living = True
            married = married or bool(_SAID_MARRIED.search(said))
    own = answers[0]
    if dead or married:
        return {own.start: (_MARRIED,) if living else ("widowed", _MARRIED)}
    return {own.start: (_MARRIED, "separated")} if living else {}


def _kind(value: str) -> str:
    """Return the state that an answer in a word, a short form or a code says; empty if none.

    >>> [_kind(one) for one in ("Widower", "W.", "Sgl", "unmarried", "Sep.", "RM")]
    ['widowed', 'widowed', 'single', 'single', 'separated', '']
    """
    plain = value.rstrip(".")
    found = _KIND_OF.fullmatch(plain)
    if found:
        return found.lastgroup or ""
    forms = [*_CODES.items(), *_SHORT.items(), (_MARRIED, "Marr")]
    return next((kind for kind, one in forms if one.casefold() == plain.casefold()), "")


def _as_written(value: str, kind: str) -> str:
    """Return the word for a state in the form of an answer: a word, a short form or a code."""
    plain = value.rstrip(".")
    end = value[len(plain) :]
    forms = _CODES if len(plain) == 1 else _SHORT if len(plain) <= _SHORT_LENGTH else _WORDS
    return cased_like(value, forms[kind]) + end if kind in forms else ""


def is_married(text: str) -> bool:
    """Tell whether *text* says that somebody is married, in a word or a code."""
    return bool(_IS_MARRIED.fullmatch(text))


def is_single(text: str) -> bool:
    """Tell whether *text* says that somebody was never married."""
    found = _KIND_OF.fullmatch(text.rstrip("."))
    return found is not None and found.lastgroup == _SINGLE


def has_children(page: Page) -> bool:
    """Tell whether a value of *page* is a number of children, or a child."""
    return any(
        one.entity == "MARITAL_STATUS"
        and not _NO_CHILD.match(page.text, one.start, one.end)
        and (
            _CHILD.search(page.text, one.start, one.end)
            or _OF_CHILDREN.search(page.text, max(0, one.start - _LABEL), one.start)
        )
        for one in page.findings
    )


class _Printed:
    """Read an answer for a state of which a spouse's field tells, or whose question has options."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of such an answer; None for others, and without a page."""
        context = context_of(options)
        if context is None or not _ANSWER.fullmatch(value):
            return None
        told = context.page.fact(spouse_told).get(context.start, "")
        if told == LIVING and is_married(value):
            return Reading("spouse told", folded(value), lambda draw: value, may_stay=True)
        line = context.page.text[max(0, context.start - _BEFORE) : context.start]
        found = _OPTIONS.search(line.rpartition("\n")[2])
        if not found or len(value.rstrip(".")) == 1:
            return None
        printed = {one.lastgroup: one.group() for one in _KIND_OF.finditer(found["options"])}
        own = _KIND_OF.match(value)
        kinds = [one for one in printed if told != NONE or one != _MARRIED]
        others = [one for one in kinds if own is None or one != own.lastgroup]
        may_stay = len(others) < _FEWEST
        if may_stay and (own is None or own.lastgroup not in kinds or len(kinds) < _FEWEST):
            return None

        def write(draw: Draw) -> str:
            drawn = draw.chance.choice(kinds if may_stay else others)
            return value if own and drawn == own.lastgroup else cased_like(value, printed[drawn])

        return Reading("state of a form", folded(value), write, may_stay=may_stay)


class _Told:
    """Read an answer for a state of which a title or other words for a spouse tell.

    It stands in a field or in a cell. Options stay, since their marks move. Each state that agrees
    becomes any of them, itself too, so that what is drawn does not tell which it was.
    """

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of such an answer; None for others, and without a page."""
        context = context_of(options)
        if context is None or not _ANSWER.fullmatch(value) or not (own := _kind(value)):
            return None
        in_cell = _CELL.search(context.before) and _CELL_END.match(context.after)
        if _BOX.search(context.before) or not (in_cell or _BEHIND_LABEL.search(context.before)):
            return None
        page = context.page
        if page.fact(spouse_told).get(context.start) == LIVING:
            return None
        title = _title(page, context.start)
        told = page.fact(_states_told).get(context.start, ())
        if own == _MARRIED and not told and page.fact(_states_by_values).get(context.start):
            # The wife is a value, which stays beside a marriage and is replaced beside other states
            return Reading("state told", folded(value), lambda draw: value, may_stay=True)
        left = told or _BY_TITLE.get(title, ())
        if own not in left and not (title == "Miss" and own == _SINGLE):
            return None
        written = (
            [value]
            if title == "Miss"
            else [one for kind in left if (one := _as_written(value, kind))]
        )

        def write(draw: Draw) -> str:
            return draw.chance.choice(written)

        return Reading("state told", folded(value), write, may_stay=True)


def _title(page: Page, start: int) -> str:
    """Return the title of whom an answer at *start* is about: Miss, Mrs, Mr or none.

    It stands before it on its line, or behind the label of the form's name.
    """
    line = page.text[max(0, start - _BEFORE) : start].rpartition("\n")[2]
    if found := _TITLE.search(line):
        return found["title"]
    for end, title in reversed(page.fact(_titles)):
        if end <= start:
            return "" if _RECORD.search(page.text, end, start) else title
    return ""


def _titles(page: Page) -> Sequence[tuple[int, str]]:
    """Return the titles behind the labels of names on *page*, and where each ends."""
    return [(one.end(), one["title"]) for one in _NAMED.finditer(page.text)]


TOLD_FORMS: tuple[Form, ...] = (_Told(),)
SPOUSE_FIELD_FORMS: tuple[Form, ...] = (_Printed(),)
