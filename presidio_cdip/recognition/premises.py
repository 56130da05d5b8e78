"""Decide whether an address or a telephone number is a person's home or a business's.

The evidence, the most reliable first:

1. The **label** that the value belongs to: one behind it ("555-0144 (home), 555-0155 (office)"),
   the words before it in its cell, else the nearest label above it in its column ("Residence
   Address(es) | Business Address(es)"), else the field before that of the address ("Attorney:").
2. The **words near it**: in the value, in the lines above it in its column, and beside it. An
   apartment, a relative or "lives at" speak for a home; a firm's name or suffix, a suite, a title
   or a fax number make a home doubtful.
3. The **paper**: without any other evidence, a value on business paper is doubtful.

The words are data: ``recognizers/signs/premises.yaml``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache

from presidio_cdip.errors import PackError
from presidio_cdip.pack.confusions import LETTERS
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.pack.rules import signs as lists_of_signs
from presidio_cdip.recognition.reading import line_cells
from presidio_cdip.recognition.tables import bare

ENTITIES = frozenset({"HOME_ADDRESS", "HOME_PHONE_NUMBER"})

_LINES_UP = 7  # lines above a value in which its label is looked for
_NEAR_UP = 3  # lines above a value whose words count as near
_LEAN = 8  # characters by which the lines of a column may be shifted
_PROSE = 4  # lower-case words beside a value, in running text
_WORD = 28  # characters before a value in running text in which a word may name the owner
_BEFORE, _AFTER = 60, 40  # characters of a line beside the value
_PAPER = 2  # kinds of signs that make business paper
_LONG = 400  # characters of a line on either side of a value
_HOUSE_LINES = 3  # lines of an address, besides the one that was found
_TOWN_OR_UNIT = re.compile(
    r"\W{0,3}(?:[A-Z][\w.' -]{1,30}(?:[,.] {0,3}| {1,3})"
    r"(?:[A-Z]{2}\b|[A-Z]\.? ?[A-Z]\.|[A-Z][a-z]{2,12})[,.]? {0,3}"
    rf"(?:[\d{LETTERS}]{{5}}(?:-\d{{4}})?)?\W*(?=\s|$)"
    r"|(?i:apt|apartment|#|unit|p\.? ?o\.? ?box)\W?.{1,20})"
)
_CELLS_APART = re.compile(r"\s{3,}")
_GAP = 3  # blanks that separate two cells
_LETTER = re.compile(r"[^\W\d_]")
_VALUE = re.compile(r"\d.{0,20}$")  # a cell that ends in a number is a value, not a label
_DIGIT = re.compile(r"\d")
_NUMBER_FIELD = re.compile(r"[^:]*[^\W\d_][^:]*:\s*[\w-]*\d[\w-]*\W*")  # "Hospital number: 4411"
_SENTENCE_END = re.compile(r"[;.]\s")
_LABEL_END = re.compile(r"[:?]\W{0,4}$")
_LINE_NUMBER = re.compile(r"\d{1,2}")
_ADDRESS_FIELD = re.compile(r"(?i)\W*(?:\d{1,2}\W{1,3})?[a-z /'-]{0,30}address\W{0,2}(?:es)?\W*")
_HOME_FIELD = re.compile(r"(?i)\baddress")
_HOUSE = re.compile(r"[#\W]{0,2}\d{1,5}[A-Za-z]?,? (?=.*[^\W\d_]{3}).*")  # a house and a street
_STREET = re.compile(
    rf"\b(?i:{'|'.join(map(re.escape, english().streets['behind_labels']))})\b\.?\W*"
)
_STREETS = "|".join(  # "Dr" behind a sign is a title: "physician Dr. Hale"
    re.escape(word)
    for word in english().streets["behind_labels"]
    if word.lower() not in english().labels["titles"]
)
_TOWN = re.compile(  # with a state and its ZIP code
    r"[A-Z][\w.' -]{1,30}[,.]? {0,3}(?:[A-Z]{2}|[A-Z][a-z]{2,12}|[A-Z]\. ?[A-Z]\.)[,.]? {0,3}"
    rf"(?=\S{{0,2}}\d)[\d{LETTERS}]{{5}}(?:-\d{{4}})?\W*"
)
_NUMBERED = re.compile(r"^\W{0,3}\d{1,2}[.,)]\W{0,3}[A-Z]")
_HEADINGS = frozenset((*english().labels["headings"], *english().labels["headings_of_persons"]))
_BRACKETED = re.compile(r"[ \t]{0,3}[-–,]?[ \t]{0,2}[(\[]\s{0,2}([^()\[\]\n]{1,40}?)\s{0,2}[)\]]")
_ANY_BRACKETED = re.compile(r"[(\[]\s{0,2}([^()\[\]\n]{1,40}?)\s{0,2}[)\]]")
_BESIDE = re.compile(r"[ \t]?[-–—/,][ \t]?|[ \t]")  # between a value and a word alone behind it
_ENDS_WORD = re.compile(  # and what stands behind that word
    r"[ \t]{2}|[ \t]*(?:[,;)\]\n/]|\Z)|\.(?:\s|\Z)|[ \t][^\W\d_]{2,3}[ \t]\(?\d"
)
_FIELD = re.compile(  # a label with its colon
    r"(?:(?<![^\n])|(?<=[\s;,|.] ))[ ]*([^\W\d_][^:;|\n\t]{1,40}?) {0,2}:(?!\S)"
)
_NAMED = re.compile(  # between "his attorney" and the address or the number
    r"(?:\s+[a-z]{2,3}(?:\s+[a-z]{3})?\s+\w+)?,\s+(?:[A-Z][\w.'’-]{0,20},?\s+){1,5}(?:[a-z]{2}\s+)?"
    rf"(?:\d[^;:]{{4,80}}?[\s,]+(?:{'|'.join(english().labels['contact_nouns'])})\W{{1,4}})?"
)
_APPOSITION = 160  # characters before a value in running text in which a profession may name it
_TO_LETTERS = str.maketrans(dict(english().ocr.lower))
_PAIRS = english().ocr.pairs
_OWN = re.compile(  # "bank manager, Alice Reed, 42 Oak Lane" is at home there, "his manager" is not
    rf"(?i)(?:\b(?:{'|'.join(english().labels['possessives'])})|['’]s|s['’])"
    r"(?:\s+[\w-]+){0,2}\s*\Z"
)
_TO_VALUE = re.compile(rf"(?i)(?:\b(?:{'|'.join(english().labels['contact_nouns'])})\b|[\s:.#=-])*")
_LABEL_NOUN = re.compile(rf"(?i)\b(?:{'|'.join(english().labels['contact_nouns'])})\b")


class Premises(Enum):
    """The owner of an address or a telephone number."""

    HOME = "home"
    BUSINESS = "business"
    DOUBTFUL = "doubtful"
    """Words near it speak of a business, or nothing says whose it is on business paper."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Signs:
    """The expressions of ``premises.yaml``, a compiled one for each of its lists."""

    home_label: re.Pattern[str]
    business_label: re.Pattern[str]
    abbreviated: re.Pattern[str]
    business_word: re.Pattern[str]
    professional: re.Pattern[str]
    business_near: re.Pattern[str]
    home_near: re.Pattern[str]
    home_behind: re.Pattern[str]
    business_behind: re.Pattern[str]
    correspondent: re.Pattern[str]
    home_goes_on: re.Pattern[str]
    business_hours: re.Pattern[str]
    numbered: re.Pattern[str]
    business_paper: Sequence[re.Pattern[str]]

    @classmethod
    def of(cls, data: Mapping[str, Sequence[str]]) -> "Signs":
        """Return the signs in *data*, the content of the file; a street named so is none.

        Raises:
            KeyError: A list is missing.
            re.error: An expression is broken.
        """
        compiled = {
            one.name: [
                re.compile(rf"(?<![\w-])(?:{sign})(?!\w|\.? (?:{_STREETS})\b)", re.I)
                for sign in data[one.name]
            ]
            for one in fields(cls)
        }
        joined = {
            name: re.compile("|".join(f"(?:{one.pattern})" for one in patterns), re.I)
            for name, patterns in compiled.items()
            if name != "business_paper"
        }
        return cls(**joined, business_paper=compiled["business_paper"])


@lru_cache(maxsize=8)
def signs_of(pack: Pack) -> Signs:
    """Return the signs of *pack*.

    Raises:
        PackError: The file is missing, lacks a list, or an expression is broken.
    """
    try:
        return Signs.of(lists_of_signs(pack, "premises"))
    except KeyError as error:
        raise PackError("signs/premises.yaml", f"no list {error.args[0]!r}") from None
    except re.error as error:
        raise PackError("signs/premises.yaml", f"bad regular expression: {error.msg}") from None


def names_business(heading: str, signs: Signs) -> bool:
    """Return whether *heading* names firms or people at their work: "Vendor no.", "Attorneys"."""
    if ":" in heading:
        return False  # a field of a letter's head, "To:"
    heading = heading.replace("_", " ")
    for one in (signs.professional, signs.business_label):
        if found := one.match(heading):
            rest = bare(heading[found.end() :])
            if rest in ("", "s") or rest in _HEADINGS:
                return True
    return False


def fragments(text: str, start: int, end: int) -> list[tuple[int, int]]:
    r"""Return ``[start, end)`` in one piece, or its cells if it crosses columns.

    >>> fragments("5 Elm St\nErie, PA", 0, 17), fragments("5 Elm St      9 Main St", 0, 23)
    ([(0, 17)], [(0, 8), (14, 23)])
    """
    cells = []
    crosses = False
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        of_line = line_cells(text, at, stop)
        if len(of_line) == 2 and _LINE_NUMBER.fullmatch(text[slice(*of_line[0])]):
            of_line = of_line[1:]  # the line number of a transcript
        crosses = crosses or len(of_line) > 1
        cells += of_line
        at = stop + 1
    return cells if crosses else [(start, end)]


def premises(
    text: str, start: int, end: int, signs: Signs, *, paper: bool = False, sure: bool = False
) -> Premises:
    """Return whose the address or telephone number at ``[start, end)`` of *text* is.

    Args:
        text: The document.
        start: Offset of the value's first character.
        end: Offset after its last.
        signs: The words that indicate a home or a business.
        paper: Whether the document is business paper, as `on_business_paper` says.
        sure: Whether a sign of a home was found with it, so that only its label can overrule that.
    """
    behind = _behind(text, start, end, signs)
    if behind and not (behind is Premises.BUSINESS and _is_behind_home(text, start, signs)):
        return behind
    if _in_prose(text, start, end):
        before = text[max(0, start - _BEFORE) : start]
        label = re.split(r"[.;:]\s", before[-_WORD:])[-1]
        work: tuple[re.Pattern[str], ...] = (signs.business_word,)
        near = text[start:end]
        if _of_professional(text, start, signs):
            return Premises.BUSINESS
    else:
        number = _LETTER.search(text, start, end) is None
        label = label_of(text, start, signs, heads_lists=number)
        work = (signs.business_label, signs.business_word)
        near = _near(text, start, end)
        if paper or signs.business_near.search(near):
            work = (*work, signs.correspondent)
    if not sure and not signs.home_behind.search(label):
        beside = _BESIDE.match(text, end)
        if beside and signs.business_hours.match(text, beside.end()):
            return Premises.BUSINESS
    at_home, at_work = _last(label, signs.home_label), _last(label, *work)
    if -1 < at_home < at_work and _goes_on(label, at_home, signs):
        return Premises.HOME
    if at_home != at_work:  # the nearest word decides
        return Premises.HOME if at_home > at_work else Premises.BUSINESS
    if not label and _in_business_field(text, start, signs):
        return Premises.BUSINESS
    if sure:
        return Premises.HOME
    homely, busy = bool(signs.home_near.search(near)), bool(signs.business_near.search(near))
    if homely and not busy:
        return Premises.HOME
    if busy and not homely and any(map(str.isdigit, text[start:end])):
        return Premises.DOUBTFUL
    return Premises.DOUBTFUL if paper else Premises.UNKNOWN


def _goes_on(label: str, end: int, signs: Signs) -> bool:
    """Return whether the home's label that ends at *end* goes on: "Residence (over the store):"."""
    more = _TO_VALUE.match(label, end)
    rest = label[more.end() if more else end :].lstrip("(, ")
    return signs.home_goes_on.match(rest) is not None and not _DIGIT.search(rest)


def is_numbered(text: str, start: int, end: int, signs: Signs) -> bool:
    """Return whether the value begins with the number of a thing, as "Invoice no. 12 Elm St"."""
    number = _DIGIT.search(text, start, min(end, start + _LEAN))
    if number is None:
        return False
    before = text[max(0, number.start() - _WORD) : number.start()].rstrip(" ")
    return _last(before, signs.numbered) == len(before)


def _of_professional(text: str, start: int, signs: Signs) -> bool:
    """Return whether who works for another stands before the value: "his attorney, T. Hale, "."""
    before = text[max(0, start - _APPOSITION) : start]
    return any(
        _NAMED.fullmatch(before, one.end()) and _OWN.search(before, 0, one.start())
        for sign in (signs.business_label, signs.professional)
        for one in sign.finditer(before)
    )


def _in_business_field(text: str, start: int, signs: Signs) -> bool:
    """Return whether the first field of the value's line names a business, or a person at work.

    The fields between ask for the parts of the address and the telephone: "Attorney: T. Hale
    Address: 5 Elm St  Telephone: 555-0155". Behind other fields, such as a name's, and on another
    line it is about somebody whose the address may be.
    """
    line, _ = _line(text, start, start)
    own = _fields(text, line, start)
    for first, last in reversed(own):
        label = text[first:last]
        if not _LABEL_NOUN.search(label) or _says_whose(label, signs):
            return (first, last) == own[0] and _names_owner(label, signs)
    return False


def _names_owner(label: str, signs: Signs) -> bool:
    """Return whether *label* ends with a firm or a person at work: "Family doctor's name"."""
    return any(
        bare(label[one.end() :]) in ("", "s", *_HEADINGS)
        for one in signs.business_label.finditer(label)
    )


def _fields(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the labels of the fields in a line: before a colon, or alone in a cell."""
    found = [one.span(1) for one in _FIELD.finditer(text, start, end)]
    cells = line_cells(text, start, end)
    alone = cells[:1] if len(cells) > 1 or (cells and cells[0][1] <= end - _GAP) else []
    return found or [one for one in alone if not _VALUE.search(text[slice(*one)])]


def _behind(text: str, start: int, end: int, signs: Signs) -> Premises | None:
    """Return whose the value is by a label behind it: "(office)", ", work", "- res."; None if none.

    Where a line begins with such a bracket and ends with a value, brackets stand before values.
    """
    if bracket := _BRACKETED.match(text, end):
        if whose := _is_behind(bracket[1], signs):
            line, stop = _line(text, start, end)
            brackets = [one for one in _ANY_BRACKETED.finditer(text, line, stop)]
            brackets = [one for one in brackets if _is_behind(one[1], signs)]
            first, last = brackets[0], brackets[-1]
            heads = (
                last.start() >= end
                and first.end() <= start
                and not re.search(r"\d", text[line : first.start()])
            )
            return None if heads and re.search(r"\d", text[last.end() : stop]) else whose
        return None
    beside = _BESIDE.match(text, end)
    if beside is None:
        return None
    for sign, whose in (
        (signs.home_behind, Premises.HOME),
        (signs.business_behind, Premises.BUSINESS),
    ):
        word = sign.match(text, beside.end())
        if word is None or not _ENDS_WORD.match(text, word.end()):
            continue
        if whose is Premises.HOME:
            return whose if len(word[0]) > 1 or word[0].isupper() else None
        # A letter alone may be a sex or a race, behind the comma of a CSV stands another cell, and
        # behind that of an address an occupation: "9 Oak Ave, shop".
        is_next = beside[0] == "," or (beside[0][0] == "," and _LETTER.search(text, start, end))
        if len(word[0].strip(".")) > 1 and not is_next:
            return whose
    return None


def _is_behind_home(text: str, start: int, signs: Signs) -> bool:
    """Return whether a label of a home stands right before the value: "Home phone: "."""
    line, _ = _line(text, start, start)
    before = text[line:start]
    found = list(signs.home_label.finditer(before))
    return bool(found) and _TO_VALUE.fullmatch(before, found[-1].end()) is not None


def _is_behind(label: str, signs: Signs) -> Premises | None:
    """Return whose a value is that the bracket *label* stands behind; OCR may have spoilt it."""
    repaired = label.translate(_TO_LETTERS)
    for read, meant in _PAIRS:
        repaired = repaired.replace(read, meant)
    for one in (label, repaired):
        if signs.home_behind.fullmatch(one):
            return Premises.HOME
        if signs.business_behind.fullmatch(one):
            return Premises.BUSINESS
    return None


def _last(label: str, *signs: re.Pattern[str]) -> int:
    """Return where in *label* the last of *signs* ends; -1 if none is found."""
    return max((match.end() for one in signs for match in one.finditer(label)), default=-1)


def _line(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the line of ``[start, end)``; of a very long line only the part near it."""
    line = max(text.rfind("\n", 0, start) + 1, start - _LONG)
    stop = text.find("\n", end, end + _LONG)
    return line, min(len(text), end + _LONG) if stop < 0 else stop


def _in_prose(text: str, start: int, end: int) -> bool:
    """Return whether the value stands in running text, not in a cell of a form, list or table."""
    line, stop = _line(text, start, end)
    last = [one for one in line_cells(text, line, start) if one[1] >= start - 1]
    before = text[last[-1][0] : start] if last else ""
    following = line_cells(text, end, stop)
    after = text[end : following[0][1]] if following and following[0][0] <= end + 2 else ""
    return len(re.findall(r"\b[a-z]{2,}\b", before + " " + after)) >= _PROSE


def on_business_paper(text: str, signs: Signs) -> bool:
    """Return whether *text* looks like a business's letter, form, fax, invoice or memorandum."""
    return sum(bool(one.search(text)) for one in signs.business_paper) >= _PAPER


def label_of(text: str, start: int, signs: Signs, *, heads_lists: bool = False) -> str:
    """Return the label that says whose the value at *start* is; "" if it has no such label.

    It stands before the value in its cell, or in the cell to its left if that is a label; else it
    is the nearest label above it in its column. If a label names no owner ("Address"), the cells
    above it are searched, up to the next numbered field.

    Args:
        text: The document.
        start: Offset of the value.
        signs: The words that indicate a home or a business.
        heads_lists: Whether one such word alone, as "OFFICE", is a label of all below it.
    """
    line, _ = _line(text, start, start)
    before = text[line:start]
    cells = [
        one for one in line_cells(before, 0, len(before)) if _LETTER.search(before[slice(*one)])
    ]
    column = start - line
    if cells:
        own_cell = cells[-1][1] >= len(before.rstrip()) and len(before) - cells[-1][1] < _GAP
        column = cells[-1][0] if own_cell else column
        last = _last_sentence(before[slice(*cells[-1])][-_BEFORE:], signs)
        if _says_whose(last, signs) and (
            own_cell or _LABEL_END.search(last) or not _VALUE.search(last)
        ):
            return last
        if _NUMBERED.search(before[slice(*cells[-1])]):
            return last
    for top, bottom in _stretches_above(text, line, column, _LINES_UP):
        above = text[top:bottom]
        if heads_lists and _heads_list(above, signs):
            return above
        if not heads_lists and (heading := _heading_above(text, top, start, signs)):
            return heading
        if _is_label(above, signs):
            if _NUMBER_FIELD.fullmatch(above) or _has_value(above, signs):
                return ""
            if _says_whose(above, signs) or _NUMBERED.search(above):
                return above[-_BEFORE:]
            if not _LABEL_NOUN.search(above):
                return ""  # a field for something else
    return ""


def _last_sentence(cell: str, signs: Signs) -> str:
    """Return *cell* from its last sentence on, which no "Bus." or "Res." ends."""
    short = {one.end() for one in signs.abbreviated.finditer(cell)}
    ends = (one for one in _SENTENCE_END.finditer(cell) if one.start() not in short)
    return cell[max((one.end() for one in ends), default=0) :]


def in_home_field(text: str, start: int, signs: Signs) -> bool:
    """Return whether the value at *start* stands in a form's field labelled as a home address."""
    label = label_of(text, start, signs)
    return bool(_ADDRESS_FIELD.fullmatch(label) and signs.home_label.search(label))


def rest_of_cell(text: str, start: int, end: int, signs: Signs) -> list[tuple[int, int]]:
    """Return the other lines of the home address of which ``[start, end)`` is one line.

    They stand in the same column: every line between its label above ("Residence Address(es)") and
    the value, and the lines below the value, as long as they look like a town or a unit.
    """
    line = text.rfind("\n", 0, start) + 1
    before = text[line:start]
    own = line_cells(before, 0, len(before))
    column = own[-1][0] if own and len(before) - own[-1][1] < _GAP else start - line
    between: list[tuple[int, int]] = []
    for first, last in _stretches_above(text, line, column, _LINES_UP):
        cell = text[first:last]
        if _is_label(cell, signs):
            whose = bool(signs.home_label.search(cell)) and bool(_ADDRESS_FIELD.fullmatch(cell))
            found = between if whose and len(between) < _HOUSE_LINES else []
            break
        between.append((first, last))
    else:
        return []
    if not whose:
        return []
    return [*found, *_below(text, end, column, signs)]


def home_cells(text: str, signs: Signs) -> Iterator[tuple[int, int]]:
    """Yield the lines that look like an address in the fields labelled as a home address.

    They stand below the label ("Residence Address(es)") in its column, up to the next label. OCR
    may have spoilt what a rule or a model would read: "114 5S. Cherry Street".
    """
    for label in _HOME_FIELD.finditer(text):
        line, stop = _line(text, *label.span())
        for first, last in line_cells(text, line, stop):
            cell = text[first:last]
            if not first <= label.start() < last or not _ADDRESS_FIELD.fullmatch(cell):
                continue
            if signs.home_label.search(cell) and not signs.business_label.search(cell):
                yield from _address_below(text, last, first - line, signs)


def _address_below(text: str, end: int, column: int, signs: Signs) -> list[tuple[int, int]]:
    """Return the lines of an address below a label: a house counts by its street or its town."""
    lines = []
    for cell in _cells_below(text, end, column):
        if cell and _is_label(text[slice(*cell)], signs):
            break
        if cell and (_HOUSE.match(text, *cell) or _TOWN.fullmatch(text, *cell)):
            lines.append(cell)
    if any(_TOWN.fullmatch(text, *one) for one in lines):
        return lines
    return [one for one in lines if _STREET.search(text, *one)]


def _below(text: str, end: int, column: int, signs: Signs) -> Iterator[tuple[int, int]]:
    empty = False
    for cell in _cells_below(text, end, column):
        if cell is None and not empty:
            empty = True  # belongs to the other column
            continue
        if cell is None or not _TOWN_OR_UNIT.match(text, *cell):
            return
        words = text[slice(*cell)]
        if _is_label(words, signs) or bare(words) in _HEADINGS:
            return
        yield cell


def _cells_below(text: str, end: int, column: int) -> Iterator[tuple[int, int] | None]:
    """Yield for each line of an address below *end* its cell in *column*; None if it has none."""
    stop = text.find("\n", end)
    for _ in range(_HOUSE_LINES):
        if stop < 0:
            return
        line, stop = stop + 1, text.find("\n", stop + 1)
        cells = line_cells(text, line, stop if stop >= 0 else len(text))
        yield next((one for one in cells if abs(one[0] - line - column) <= _LEAN), None)


def _says_whose(cell: str, signs: Signs) -> bool:
    """Return whether words in *cell* indicate a home or a business."""
    whose = signs.home_label, signs.business_label, signs.business_word, signs.correspondent
    return any(one.search(cell) for one in whose)


def _is_label(cell: str, signs: Signs) -> bool:
    if _LABEL_END.search(cell) or _NUMBERED.search(cell):
        return True
    if not _LABEL_NOUN.search(cell) or len(cell) > _BEFORE:
        return False
    return _says_whose(cell, signs)


def _has_value(cell: str, signs: Signs) -> bool:
    """Return whether *cell* is a field with its value, of no home: "Clinic telephone 555-0142"."""
    is_field = _VALUE.search(cell) and not _LABEL_END.search(cell) and not _NUMBERED.search(cell)
    return bool(is_field) and signs.home_label.search(cell) is None


def _heads_list(cell: str, signs: Signs) -> bool:
    """Return whether *cell* says in one word whose the values below are: "OFFICE"."""
    return any(one.fullmatch(cell) for one in (signs.home_label, signs.business_word))


def _heading_above(text: str, at: int, start: int, signs: Signs) -> str:
    """Return the heading above *start* if *at* stands in a line of them: "HOME      BUSINESS".

    Where the value's line has as many cells, they are counted, else the nearest is its heading.
    """
    heads = line_cells(text, *_line(text, at, at))
    headings = [text[slice(*one)] for one in heads]
    if len(heads) < 2 or not all(_heads_list(one, signs) for one in headings):
        return ""
    if len({bool(signs.home_label.fullmatch(one)) for one in headings}) < 2:
        return ""
    line, stop = _line(text, start, start)
    cells = line_cells(text, line, stop)
    if len(cells) == len(heads):
        return headings[max(sum(one[0] <= start for one in cells) - 1, 0)]
    above, column = text.rfind("\n", 0, at) + 1, start - line
    near = min(range(len(heads)), key=lambda one: abs(heads[one][0] - above - column))
    return headings[near]


def _cells_above(text: str, line: int, column: int, lines: int) -> Iterator[str]:
    """Yield the cells above *column* of the line that starts at *line*, the nearest first."""
    return (text[slice(*one)] for one in _stretches_above(text, line, column, lines))


def _stretches_above(text: str, line: int, column: int, lines: int) -> Iterator[tuple[int, int]]:
    for _ in range(lines):
        if line == 0:
            return
        end = line - 1
        line = text.rfind("\n", 0, end) + 1
        cells = line_cells(text, line, end)
        own = [one for one in cells if one[0] - line <= column + _LEAN]
        if own and (len(cells) > 1 or own[-1][1] - line > column - _LEAN or len(own) == 1):
            yield own[-1]


def _near(text: str, start: int, end: int) -> str:
    line, stop = _line(text, start, end)
    above: list[str] = []
    for cell in _cells_above(text, line, start - line, _NEAR_UP):
        if ":" in cell or _NUMBERED.search(cell):
            break  # a field of its own
        above.append(cell)
    before, after = text[line:start][-_BEFORE:], _CELLS_APART.split(text[end:stop][:_AFTER])[0]
    return "\n".join([*reversed(above), _CELLS_APART.split(before)[-1], text[start:end], after])
