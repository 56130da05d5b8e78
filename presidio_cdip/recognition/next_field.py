"""Tell that a value belongs to the field behind the empty one that its entity was asked in."""

import re
from functools import lru_cache

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.spans import Span
from presidio_cdip.recognition.tables import Stretch, fields

_WORDS = english().labels
_ASKS = {
    entity: re.compile(rf"(?i)\b(?:{'|'.join(asks)})") for entity, asks in english().asks.items()
}
_ALLOWED = re.compile(  # "Wife: 34" behind "Age:", "(check one)"
    rf"(?i)\b(?:{'|'.join(map(re.escape, (*_WORDS['relatives'], *_WORDS['no_options'])))})\b"
)
_OTHER = re.compile(rf"(?i)\b(?:{'|'.join(_WORDS['other_fields'])})s?\b")
_OF_LIFE = re.compile(rf"(?i)\b(?:{'|'.join(_WORDS['fields_of_life'])})\b")
_OTHER_PERSON = re.compile(rf"(?i)\b(?:{'|'.join(_WORDS['other_persons'])})s?\b")
_PERSONS = sorted({*_WORDS["persons"], *_WORDS["headings_of_persons"], *_WORDS["owners"]})
_PERSON = re.compile(  # "Claimant", "Locker holder"
    rf"(?i)(?:.*\W)?(?:{'|'.join(map(re.escape, _PERSONS))}|holder)s?\W*"
)
_GOODS = re.compile(  # "Condition of the vehicle", but "Age of child in vehicle"
    rf"(?i)(?:(?!\b(?:{'|'.join(_WORDS['behind_nouns'])})\b).)*"
    rf"\b(?:{'|'.join(_WORDS['before_goods'])})\W"
    rf"(?:(?:{'|'.join(_WORDS['determiners'])})\W)?(?:{'|'.join(_WORDS['goods'])})s?\W*"
)
_OF_GOODS = frozenset({
    "AGE", "DATE_OF_BIRTH", "ETHNIC_ORIGIN", "GENDER", "HEALTH", "MARITAL_STATUS", "PLACE_OF_BIRTH",
})  # fmt: skip
"""Entities of which a label may ask for goods, too."""
_OF_EVENTS = frozenset({"DATE_OF_BIRTH", "PLACE_OF_BIRTH"})
"""Entities of which the events of a life have others: when and where one was hired."""
_OF_SHAPE = frozenset({"AGE", "DATE_OF_BIRTH", "GENDER", "US_SSN"})
"""Entities whose values look like those of others, so that none is in the column of remarks."""
_NO_LABEL = re.compile(
    rf"(?i)\b(?:{'|'.join((*_WORDS['be'], *_WORDS['of_persons'], *_WORDS['pronouns']))})\b"
)
_REACH = 160  # characters in which the two labels are looked for
_FEWEST_DELIMITERS = 2  # of a line of a table
_ROWS = 60  # above a cell in which the table's headings are looked for
_WORDS_OF_HEADING = 4
_LABEL = r"[^\W_][^\s:_|;]*(?: [^\W_(][^\s:_|;]*){0,4}"
_DRAWN = r"(?:_{2,}(?:[ \t]?/[ \t]?_{2,}){0,2}|\.{4,}|-{2,}|—{2,}|…{2,})"
_EMPTY = (
    r"(?:[ \t]?\([^()\n:]{1,30}\))?"
    rf"(?:[ \t]?[:?.]?[ \t]*(?P<drawn>{_DRAWN})[ \t_.|-]*|[ \t]?[:?][ \t|–-]*|[ \t]{{3,}})"
)
_BEFORE = re.compile(
    rf"(?:\A|[ \t]{{2}}|[;|_]\s?|[.,] )(?P<asked>{_LABEL}){_EMPTY}(?P<own>{_LABEL})[ \t]?"
    rf"(?P<sign>[:#]|{_DRAWN}|(?=[ \t]))[ \t.:#_|]*\Z"
)
_OWN = re.compile(rf"(?:\A|[ \t]{{2}}|[;|_]\s?|[.,] )(?P<own>{_LABEL})[ \t]?:[ \t.:#_|]*\Z")
_OWN_CELL = re.compile(rf"\A[ \t]*(?P<own>{_LABEL})[ \t]{{3,}}\Z")
_ASKED_CELL = re.compile(rf"[ \t]*(?P<asked>{_LABEL})[ \t]*")
_ASKED_ABOVE = re.compile(rf"(?:\A|[ \t]{{2}})(?P<asked>{_LABEL})[ \t]?(?::[ \t]*|{_DRAWN}\W*)\Z")
_NEXT_LABEL = re.compile(rf"(?:\A|\s){_LABEL}[ \t]?[:_]")
_CELL = re.compile(r"\S+(?: \S+)*")
_HEADING = re.compile(r"[^\W\d_a-zß-ÿ][^\d:_]{0,40}")
_BEHIND = re.compile(r"[ \t]?:(?![\d/])")
_LABELS = frozenset(
    {"NATIONALITY", "PLACE_OF_BIRTH", "RELIGION", "ETHNIC_ORIGIN", "POLITICAL_OPINION"}
)
"""Entities whose values stand before no colon, so that what does is a label."""


def is_of_next_field(text: str, span: Span) -> bool:
    """Return whether another label than the one of its entity stands at *span*.

    The field of its entity before or above is empty, so that the value seems to be its answer. A
    value of "Condition of vehicle" is none of a person in any case.

    >>> is_of_next_field("Age: ___  Years with firm: 34", Span(27, 29, "AGE", 1.0, ""))
    True
    """
    line = text.rfind("\n", 0, span.start) + 1
    before = text[max(line, span.start - _REACH) : span.start]
    own = _OWN.search(before)
    if own and span.entity in _OF_GOODS and _GOODS.fullmatch(own["own"]):
        return True
    asks = _ASKS.get(span.entity)
    if asks is None:
        return False
    if span.entity in _LABELS and _BEHIND.match(text, span.end) and _is_blank_field(before, asks):
        return _is_other(text[span.start : span.end], span, asks)
    two = _BEFORE.search(before)
    if two and asks.search(two["asked"]):
        is_label = two["sign"] or (two["drawn"] and two["own"][:1].isupper())
        drawn = two["drawn"] is not None
        is_other = _is_other(two["own"], span, asks)
        return bool(is_label) and is_other and (drawn or _is_last(text, span))
    if own and not before[: own.start("own")].strip() and line:
        asked = _ASKED_ABOVE.search(_line_above(text, line))
        if asked and asks.search(asked["asked"]) and not _ALLOWED.search(asked["asked"]):
            return _is_other(own["own"], span, asks) and _is_last(text, span)
    if span.entity in _OF_SHAPE and line and (cell := _OWN_CELL.search(before)):
        asked = _ASKED_CELL.fullmatch(_line_above(text, line))
        if asked and asks.search(asked["asked"]) and _is_other(cell["own"], span, asks):
            return _is_last(text, span)
    return _is_in_next_column(text, span, line, asks) or _is_in_next_cell(text, span, line, asks)


def _line_end(text: str, span: Span) -> int:
    """Return where the line of the end of *span* ends."""
    end = text.find("\n", span.end)
    return end if end >= 0 else len(text)


def _line_above(text: str, line: int) -> str:
    """Return the next line that is not empty above the one at *line*, or the end of it."""
    return text[max(0, line - _REACH) : line].rstrip().rpartition("\n")[2]


def _is_other(label: str, span: Span, asks: re.Pattern[str]) -> bool:
    """Return whether *label* certainly asks for something else, by a word for it.

    It may be the name of a person, whose value it is then: "DOB:   Ruth: 3/4/1950".
    """
    if asks.search(label) or _ALLOWED.search(label) or _NO_LABEL.search(label):
        return False
    if span.entity == "MARITAL_STATUS" and _OTHER_PERSON.search(label):
        return True
    if _PERSON.fullmatch(label):
        return False
    # "Born:   Hired: 6/4/1951", but "Age:   At marriage: 24", "Wife:   When enlisted: married"
    is_of_life = span.entity in _OF_EVENTS and _OF_LIFE.search(label)
    return bool(is_of_life or _OTHER.search(label))


def _is_blank_field(before: str, asks: re.Pattern[str]) -> bool:
    field = re.search(rf"(?:\A|[ \t]{{2}}|[;|_]\s?|[.,] )(?P<asked>{_LABEL}){_EMPTY}\Z", before)
    return field is not None and asks.search(field["asked"]) is not None


def _is_last(text: str, span: Span) -> bool:
    """Return whether no second value stands behind *span*, as where columns were lost."""
    rest = text[span.end : _line_end(text, span)][:_REACH]
    label = _NEXT_LABEL.search(rest)
    rest = re.sub(r"\A\S+", "", rest[: label.start()] if label else rest)
    return rest[:1] in (",", ".") or not any(map(str.isalnum, rest))


def _is_in_next_column(text: str, span: Span, line: int, asks: re.Pattern[str]) -> bool:
    """Return whether *span* stands below another heading than its entity's, which has no cell.

    One of `_OF_SHAPE` does not even if that has one: "DATE OF BIRTH   DATE HIRED". Each cell must
    begin where a heading does, and reach below no other one, for a long name moves what follows.
    """
    if not line or span.entity == "US_SSN":
        return False
    end = _line_end(text, span)
    cells = _cells(text, line, end)
    at = next((one for one in cells if one[0] <= span.start < one[1]), None)
    if at is None or span.start - at[0] > 2:
        return False
    headings = _headings_above(text, line)
    has_label = any(":" in text[slice(*one)] or asks.search(text, *one) for one in cells)
    if len(headings) < 2 or len(cells) > len(headings) or has_label:
        return False
    own, others = "", []
    for number, (start, stop, words) in enumerate(headings):
        after = headings[number + 1][0] if number + 1 < len(headings) else end - line + 1
        below = [one for one in cells if start - 2 <= one[0] - line < max(stop, after - 2)]
        if len(below) > 1 or any(abs(one[0] - line - start) > 1 for one in below):
            return False
        if any(one[1] - line >= after for one in below):
            return False
        if at in below:
            own = words
        elif not below or span.entity in _OF_SHAPE:
            others.append(words)
    return bool(own) and _is_other(own, span, asks) and any(map(asks.search, others))


def _is_in_next_cell(text: str, span: Span, line: int, asks: re.Pattern[str]) -> bool:
    """Return whether the same holds in a table with delimiters, whose first line are headings."""
    end = _line_end(text, span)
    for delimiter in "|\t;,":
        many = text.count(delimiter, line, end)
        if not line or many < _FEWEST_DELIMITERS or end - line > 2 * _REACH:
            continue
        headings = [
            text[slice(*one)].replace("_", " ")
            for one in fields(text, *_first_row(text, line, delimiter, many), delimiter)
        ]
        cells = fields(text, line, end, delimiter)
        at = next((at for at, one in enumerate(cells) if one[0] <= span.start < one[1]), None)
        if at is None or len(cells) != len(headings) or not all(map(_is_heading, headings)):
            continue
        others = (
            heading
            for number, heading in enumerate(headings)
            if number != at
            and (span.entity in _OF_SHAPE or not text[slice(*cells[number])].strip())
        )
        return _is_other(headings[at], span, asks) and any(map(asks.search, others))
    return False


@lru_cache(maxsize=8)
def _first_row(text: str, line: int, delimiter: str, many: int) -> Stretch:
    """Return the first of the lines up to the one at *line* that have *many* delimiters."""
    first = line, line
    for _ in range(_ROWS):
        start = text.rfind("\n", 0, max(0, line - 1)) + 1
        if not line or text.count(delimiter, start, line) != many:
            break
        first, line = (start, line - 1), start
    return first


def _is_heading(words: str) -> bool:
    return len(words.split()) <= _WORDS_OF_HEADING and not any(map(str.isdigit, words))


def _cells(text: str, start: int, end: int) -> list[Stretch]:
    """Return the cells of a line, separated by two blanks or more."""
    return [one.span() for one in _CELL.finditer(text, start, min(end, start + 2 * _REACH))]


@lru_cache(maxsize=8)
def _headings_above(text: str, line: int) -> list[tuple[int, int, str]]:
    """Return the headings, with their columns, of the next line above that is not empty."""
    for _ in range(2):
        start = text.rfind("\n", 0, max(0, line - 1)) + 1
        above = text[start : max(start, line - 1)]
        if above.strip():
            found = [(*one, above[slice(*one)]) for one in _cells(above, 0, len(above))]
            return found if all(_HEADING.fullmatch(words) for *_, words in found) else []
        line = start
    return []
