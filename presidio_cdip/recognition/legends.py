"""Read the legends of a page, which explain the codes of its lists.

A legend is written ``F = for, A = against, D = doubtful``, ``1 White  2 Negro  3 Other`` or
``P Prot.  C Cath.  J Jew.``: without a sign, codes are numbers in order, or begin their words.

* `legends` finds the stretches that are legends for certain and no values: a label stands before
  the entries, and the page has the codes as values, or the label says that they are codes, or one
  of the codes stands between the two. Else it is a numbered list.
* `explanations` finds all that may explain a code that is a value for certain.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from presidio_cdip.pack.language import english
from presidio_cdip.recognition.tables import Stretch, bare

_ENTRY = (
    r"\(?(?P<code{0}>[A-Z]{{1,3}}|\d{{1,2}}|[a-z])\)?"
    r"(?: ?[=:)-] ?|[ ]{{1,2}}(?=[A-Za-z]))(?P<word{0}>[A-Za-z][^\s,;.=]{{1,20}})"
)
_LEGEND = re.compile(
    r"(?::| -| =|[Cc]odes?|CODES?|[Kk]ey|KEY)\s{1,3}(?P<entries>"
    + _ENTRY.format(1)
    + r"[^\n]{0,200})"
)
_BEFORE = re.compile(r"(?:\A|\n|  |[;.(] )[ \t]{0,20}\(?(?:[A-Za-z][\w./' &-]{0,24})?\Z")
_LONGEST = 200  # characters of a legend
_LABEL = 30  # characters before a legend in which its label begins
_OF_CODES = re.compile(r"(?i)\b(?:codes?|key|legend)\b\W*\Z")
_NEXT = re.compile(r"(?<![\w./-])" + _ENTRY.format(""))
_FIELD_CODE = re.compile(  # with what stands between it and its legend
    r"(?<![^\s:#(\[_])(?P<code>[1-9]\d?|[A-Z])(?![\w.])[ _]{0,2}[\])_]{0,3}"
    r"(?:[ \t]{0,20}\n)?[ \t]{0,20}\(?(?=(?:\d{1,2}|[A-Z])(?: ?[=:-] ?| )[A-Za-z])"
)
_LABEL_OF_CODE = re.compile(
    r"(?P<label>[A-Za-z][\w./' &-]{1,40}?)(?:[ ]?(?i:\(?code\)?))?"
    r"[ ]{0,3}[:#]?[ \t]{0,12}[\[(_]{0,3}[ _]{0,2}\Z"
)
_LINE = (
    r"\n[ \t]{{0,20}}\(?(?P<code{0}>[A-Z]{{1,3}}|\d{{1,2}})\)? {{0,3}}[=–-] {{0,3}}"
    r"(?P<word{0}>[A-Za-z][^\s=,?]{{0,30}})(?: [^\s=,?]{{1,30}}){{0,2}}[ \t]{{0,20}}(?=\n|\Z)"
)
_LISTED = re.compile(f"(?:{_LINE.format(1)})(?:{_LINE.format(2)})+")  # an entry a line
_PLURAL = re.compile(r"[^\W\d_](?<!s)(?<!u)(?<!i)s\Z")  # no "race", "sex" or "status"
_LISTED_ENTRY = re.compile(_LINE.format(""))
_MEANING = re.compile(r"(?:[ ](?![ ])[^\s\d:]+)*")  # what goes on behind an entry's first word
_ENDS = re.compile(r"[^\S\n]{2}|\t|[,;]")  # behind a meaning
_PARTED = re.compile(r"(?:[,;]\s*|  )\Z")  # between two entries
_OTHER_CELL = re.compile(r"(?:[^\S\n]{2,}|\t)\S")
_APART = 40  # characters between two entries, at most
_CODE = re.compile(
    r"(?<![^\s|,;])(?:[A-Z]{1,3}|\d{1,2}|[a-z])(?![^\s|,;])"
)  # a word that may be one
_USED = 2  # codes that stand in cells, at least, if no sign says that they are explained
_HEADED = "#"  # of a code in a column with a heading
_ROWS = 12  # above a code in which its heading is looked for
_LEAN = 3  # characters by which a heading may begin behind its code
_CELL = re.compile(r"\S+(?: \S+)*")
_HEADING = re.compile(r"[^\W\d_][^\d]{2,24}")
_CUE = re.compile(r"([^\W\d_][\w./' -]{0,24})[:=][ \t]{0,3}\Z")

Codes = dict[str, set[str]]


@lru_cache(maxsize=4)
def legends(text: str) -> tuple[Stretch, ...]:
    r"""Return the stretches of *text* that explain codes, without their labels, in order.

    A list of codes and words is a legend if its label says so, or if its codes stand elsewhere on
    the page: alone in cells, or behind its label. All others state something, like diagnoses.

    >>> legends("R: 2   Age: 41\nR: 1 Prot  2 Cath  3 Jew"), legends("Ill: 1 Gout 2 Croup 3 Mumps")
    (((18, 39),), ())
    """
    found = []
    for match in _LEGEND.finditer(text):
        start, stop = match.span("entries")
        begin = max(0, match.start() - _LABEL)
        label = _BEFORE.search(text, begin, match.start())
        if not label:
            continue
        entries = _in_a_row(text, list(_NEXT.finditer(text, start, stop)))
        of_codes = _OF_CODES.search(text, begin, start)
        if _explains(text, entries) or (of_codes and _is_parted(text, entries)):
            found.append((start, _end(text, entries[-1].end(), stop), label.group(), entries))
    for match in _LISTED.finditer(text):
        entries = list(_LISTED_ENTRY.finditer(text, *match.span()))
        if _explains(text, entries):
            line = text.rfind("\n", max(0, match.start() - _LABEL), match.start()) + 1
            label_of_list = text[line or max(0, match.start() - _LABEL) : match.start()]
            found.append((match.start() + 1, match.end(), label_of_list, entries))
    of_fields = {one.legend for one in fields_with_legend(text)}
    if not found:
        return tuple(sorted(of_fields))
    found.sort(key=lambda one: one[:2])
    cells = _codes_in_use(text, [one[:2] for one in found])
    of_lists = {
        (start, end)
        for start, end, label, entries in found
        if _OF_CODES.search(text, max(0, start - _LABEL), start)
        or _is_used(text, label, entries, cells)
    }
    return tuple(sorted(of_lists | of_fields))


@dataclass(frozen=True, slots=True)
class CodedField:
    """A field of a form that holds a code, with its legend: ``Race: 2  (1 White  2 Negro)``.

    Attributes:
        label: What stands before the code, without "code".
        code: Where the code stands.
        legend: Where its legend does.
        meaning: Its meaning, the first word.
        meanings: Those of all codes.
    """

    label: Stretch
    code: Stretch
    legend: Stretch
    meaning: Stretch
    meanings: Sequence[Stretch]


def fields_with_legend(text: str) -> Iterator[CodedField]:
    r"""Yield the fields behind or below whose code stands a legend that has it.

    >>> [one.code for one in fields_with_legend("Faith: [2]\n1 Prot  2 Cath  3 Jew")]
    [(8, 9)]
    """
    for match in _FIELD_CODE.finditer(text):
        end = text.find("\n", match.end())
        end = min(len(text) if end < 0 else end, match.end() + _LONGEST)
        entries = _in_a_row(text, list(_NEXT.finditer(text, match.end(), end)))
        own = [at for at, entry in enumerate(entries) if entry["code"] == match["code"]]
        start = text.rfind("\n", 0, match.start()) + 1
        label = _LABEL_OF_CODE.search(text, max(start, match.start() - 2 * _LABEL), match.start())
        begins = entries and entries[0].start() <= match.end() + 1
        if label and _counts(label["label"], match["code"], entries):
            continue
        if label and own and begins and (_explains(text, entries) or _is_pair(text, entries)):
            meanings = [
                (entry.start("word"), entry.start("word") + len(entry["word"].rstrip(")")))
                for entry in entries
            ]
            legend = entries[0].start(), _end(text, entries[-1].end(), end)
            yield CodedField(
                label.span("label"), match.span("code"), legend, meanings[own[0]], meanings
            )


def _counts(label: str, code: str, entries: Sequence[re.Match[str]]) -> bool:
    """Return whether *code* says how many *entries* there are: "Priors: 2 (1 theft 2 assault)"."""
    return code == str(len(entries)) and _PLURAL.search(label) is not None


def _is_pair(text: str, entries: Sequence[re.Match[str]]) -> bool:
    """Return whether *entries* are two in a bracket: ``(1 yes  2 no)``."""
    if [one["code"] for one in entries] != ["1", "2"]:
        return False
    return text[entries[0].start() - 1] == "(" and entries[1]["word"].endswith(")")


def _in_a_row(text: str, entries: Sequence[re.Match[str]]) -> Sequence[re.Match[str]]:
    """Return the first of *entries* between which nothing else stands."""
    for index, (one, other) in enumerate(pairwise(entries), 1):
        between = text[one.end() : other.start()]
        if len(between) > _APART or _OTHER_CELL.search(between):
            return entries[:index]
    return entries


def _end(text: str, start: int, stop: int) -> int:
    """Return the end of the meaning that a legend's last entry begins."""
    other = _ENDS.search(text, start, stop)
    end = other.start() if other else stop
    meaning = _MEANING.match(text, start, end)
    return end if meaning and not text[meaning.end() : end].strip(" .)") else start


def _codes_in_use(text: str, explained: Sequence[Stretch]) -> Codes:
    """Return the codes outside of the stretches *explained*, each with the labels before it.

    An empty label stands for a cell: the code is alone between blanks, and not first of its line,
    where it would number what follows.
    """
    found: Codes = {}
    last = -1, -1
    for match in _CODE.finditer(text):
        start, end = match.span()
        before, last = last, (start, end)
        at = bisect_right(explained, (start, len(text)))
        if at and start < explained[at - 1][1]:
            continue
        lead, rest = text[max(0, start - 2) : start], text[end : end + 2]
        ends = rest[:1] in "\n\t|" or rest[1:].isspace() or rest == " |"
        of_csv = lead[-1:] == rest[:1] != "" and rest[0] in ",;"
        if cue := _CUE.search(text, max(0, start - _LABEL), start) if ends else None:
            found.setdefault(match.group(), set()).add(bare(cue[1]))
        begins = "\n" not in lead and (lead[-1:] in ("\t", "|") or (lead.isspace() and lead[1:]))
        begins = begins or lead == "| " or before[1] == start - 1  # a row of codes
        ends, begins = ends or of_csv, begins or of_csv
        line = text.rfind("\n", max(0, start - _LABEL), start) + 1
        if ends and begins and text[max(line, start - _LABEL) : start].strip():
            found.setdefault(match.group(), set()).update(_headings(text, line, start - line))
    return found


def _headings(text: str, line: int, column: int) -> set[str]:
    """Return the heading above *column* of the row at *line*, with `_HEADED`; {""} if it has none.

    What a headed column of a table counts is no code: "Refills  2".
    """
    for _ in range(_ROWS):
        above = text.rfind("\n", 0, max(0, line - 1)) + 1
        cells = [one.span() for one in _CELL.finditer(text, above, max(above, line - 1))]
        words = [text[slice(*one)] for one in cells]
        if not line or not cells:
            break
        if len(cells) > 1 and all(map(_HEADING.fullmatch, words)):
            own = [
                one
                for one, (start, _) in zip(words, cells, strict=True)
                if start - above <= column + _LEAN
            ]
            return {bare(own[-1]), _HEADED} if own else {""}
        line = above
    return {""}


def _is_used(text: str, label: str, entries: Sequence[re.Match[str]], cells: Codes) -> bool:
    """Return whether the page has the codes of *entries* as values."""
    used = [cells[entry["code"]] for entry in entries if entry["code"] in cells]
    own = bare(label)
    if any(own in labels for labels in used):
        return True
    if "=" in text[entries[0].end("code") : entries[0].start("word")]:
        return any("" in labels or _HEADED in labels for labels in used)
    return sum("" in labels for labels in used) >= _USED


def _explains(text: str, entries: Sequence[re.Match[str]]) -> bool:
    """Return whether *entries* are codes with meanings: with a sign, numbered, or by initials."""
    if len(entries) < 2 or len({one["code"] for one in entries}) < len(entries):
        return False
    signs = {text[one.end("code") : one.start("word")].strip() for one in entries}
    codes = [one["code"] for one in entries]
    if any(map(str.isdigit, codes)) and any(sign in {")", ":"} for sign in signs):
        return False  # numbered statements
    if len(signs) == 1 and all(signs):
        return True
    if all(code.isdigit() for code in codes):
        first = int(codes[0])
        in_order = [int(code) for code in codes] == list(range(first, first + len(codes)))
        names = all(one["word"][0].isupper() for one in entries)
        return in_order and first < 2 and (names or len(entries) > 2)
    begins = sum(one["code"][0].lower() == one["word"][0].lower() for one in entries)
    return len(entries) > 2 and 2 * begins > len(entries)


def _is_parted(text: str, entries: Sequence[re.Match[str]]) -> bool:
    """Return whether *entries* are codes with meanings between commas: "T Tory, X refused".

    They are capitals, or numbers in order, of which some may be left out.
    """
    codes = [one["code"] for one in entries]
    in_order = all(map(str.isdigit, codes)) and [*map(int, codes)] == sorted(map(int, codes))
    return (
        len({*codes}) == len(codes) >= _FEWEST_CODES
        and (in_order or all(map(str.isupper, codes)))
        and all(_PARTED.search(text, one.end(), other.start()) for one, other in pairwise(entries))
    )


# --- what may explain a code ----------------------------------------------------------------------

_EXPLAINED = re.compile(
    r"(?<![\w./-])\(?(?P<code>[A-Z]{1,3}|\d{1,2})"
    r"(?: ?(?P<sign>[=:)]|(?<= )[-–—](?= )) ?|(?P<gap>\.?(?: {1,3}|\n)))"
    r"(?=(?P<word>[A-Z]?[a-z]+|[A-Z]{2,}))"
)
_APART_FROM = re.compile(r"(?:\A|\n|\s\s|[,;:(] ?|\w{3,}\. )\Z")  # before an entry without a sign
_IN_RUN = re.compile(r"[a-z.]{3,} \Z")  # before one that only a blank parts from the last
_LABELLED = re.compile(r": {0,3}\Z")  # before the first of such
_IN_LIST = re.compile(r"[,;:(] ?\Z")  # before an entry that may have a small letter
_FEWEST_CODES = 3  # codes of a legend without signs or label: of two words some begin so by chance
_PAIR = 2  # of a legend with signs or a label
_NEW_LABEL = re.compile(
    r"(?:\n|[.;] |\s\s)[ \t]*[^\W\d_][\w./' &-]{0,24}(?:\([^()\n]{1,24}\))?:\s*\Z"
)  # begins another legend
_BETWEEN = 80  # characters at most between two entries of one legend
_FIELDS = frozenset(english().labels["fields"])  # what a numbered item of a form asks

Explanations = Mapping[str, Sequence[tuple[str, ...]]]
"""By code the legends that explain it, each with its codes."""


def explanations(text: str) -> Explanations:
    """Return by code the legends that explain it, each with its codes.

    A legend ends where a code comes again, a number is left out, or a label begins another. What is
    explained in another way is of another legend: ``F: for`` is of none of ``M = married``.
    """
    ways: dict[str, list[re.Match[str]]] = {}
    for one in _EXPLAINED.finditer(text):
        if way := _way(one):
            ways.setdefault(way, []).append(one)
    found: dict[str, list[tuple[str, ...]]] = {}
    for way, entries in ways.items():
        for group in _groups(entries):
            words = {one["word"].lower().rstrip("s") for one in group}
            fewest = _PAIR if _is_clear(way, group) else _FEWEST_CODES
            if way == "initial" and not _is_list(group):
                continue
            if len(group) >= fewest and len(words) == len(group) and not words & _FIELDS:
                codes = tuple(one["code"] for one in group)
                for code in codes:
                    found.setdefault(code, []).append(codes)
    return found


def _way(entry: re.Match[str]) -> str:
    """Return how the entry explains its code; empty if it does not."""
    code, sign = entry["code"], entry["sign"] or ""
    if sign:
        return f"number {sign}" if code.isdigit() else sign
    before, word = _before(entry), entry["word"]
    if code.isdigit():
        apart = _APART_FROM.search(before) and entry["gap"] == " "
        return "number" if apart and not word.islower() else ""
    if not _APART_FROM.search(before) and not _IN_RUN.search(before):
        return ""
    if word.isupper() or (word.islower() and not _IN_LIST.search(before)):
        return ""
    return "initial" if code[0] == word[0].upper() else ""


def _before(entry: re.Match[str]) -> str:
    return entry.string[: entry.start()][-8:]


def _is_list(entries: Sequence[re.Match[str]]) -> bool:
    """Tell whether *entries* without signs stand apart, or in a run behind a label."""
    if all(_APART_FROM.search(_before(one)) for one in entries):
        return True
    return bool(_LABELLED.search(_before(entries[0])))


def _is_clear(way: str, entries: Sequence[re.Match[str]]) -> bool:
    """Tell whether two entries are enough for a legend: by their sign, or by the label before."""
    if way == "initial":
        first = entries[0]
        return bool(_NEW_LABEL.search(f"\n{first.string[: first.start()]}"[-30:]))
    return not way.startswith("number")


def _groups(entries: Sequence[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yield the entries of each legend among those that explain in one way."""
    group: list[re.Match[str]] = []
    end = 0
    for one in entries:
        code = one["code"]
        follows = not code.isdigit() or not group or int(code) == int(group[-1]["code"]) + 1
        came = any(other["code"] == code for other in group)
        between = one.string[end : one.start()]
        if len(between) > _BETWEEN or came or not follows or _NEW_LABEL.search(between):
            if group:
                yield group
            group = []
        group.append(one)
        end = one.end()
    yield group
