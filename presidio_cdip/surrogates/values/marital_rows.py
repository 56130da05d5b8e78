"""Replace the states of marriage of several persons on a page by one permutation of these states.

It serves rows and lists, where each person has a state and at least two differ.
``marital_rows.tsv`` says how states are written, ``marital_shares.tsv`` how common each is in the
page's country and year. The permutation is drawn by key and scope among those that leave no state
as it was, common states more often; of two states each may stay, since the other one would tell it,
and so may one of parents, who are none of those that never married.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations
from math import prod
from typing import Any

from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, Finding, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, rows
from presidio_cdip.surrogates.values.legends import LegendCode
from presidio_cdip.surrogates.values.nations_met import MetOn
from presidio_cdip.surrogates.values.setting import year_of
from presidio_cdip.surrogates.writing.text import cased_like, folded

_ENTITY = "MARITAL_STATUS"
_SINGLE, _MARRIED, _SEPARATED = "single", "married", "separated"
_WORD = "word"
_COLUMNS = (_WORD, "short", "code", "woman", "man")
_USUAL_YEAR = 1985  # of a page that tells none
_PAIR = 2  # states of which each would tell the other, so that each may stay
_MOST = 3  # persons of one state that count
_ROWS = 3  # lines in succession, each with one state, that are rows however it stands in them
_ADULT = 16  # years of age
_GOES_ON = r"(?=\.?\Z|[ ]?[,;+/&-]|[ ](?:with|w/|and)\b|\d|[ ]\d)"
_NO_CHILD = re.compile(
    r"(?i)[\W_]*(?:(?:(?:with|and|has|w/)\W*)?(?:no|none|nil|zero|0|without)\b\D*)?"
)
_BOX = re.compile(r"[\])}_\u2610-\u2612\u25a0\u25a1][ \t]*\Z|(?<!\w)[xX][ ]\Z")
_BEFORE = re.compile(r"(?:^|[ \t]{2}|[\t|;,(/–—]|[ ]-|\d\.?)[ \t]*\Z", re.MULTILINE)
_BEHIND = re.compile(r"[ \t]*(?:\n|\Z|[ \t]{2}|[|;,.)/–—]|-[ ])")
_LABEL = re.compile(  # of a field of one record, which comes again if there are several
    r"(?i)(?P<label>\b(?:[^\W\d_]+[ ])?(?:status|state|condition|marital|conjugal|civil|married)"
    r"[^\n.;,|:]{0,20})[:?][ \t]*\Z"
)
_COLON = re.compile(r":[ \t]*\Z")
_PART = re.compile(r"\n|(?<!\w)[A-Z]\w*")  # between two states: another row, or a name
_MISS = re.compile(r"\bMiss\b[^\n;]*\Z")
_WAS_MARRIED = re.compile(r"\b(?:Mrs|[Mm]other|[Ff]ather)\b[^\n;]*\Z")  # or has a child
_NEAR = 60  # characters before a state in which its label stands


@dataclass(frozen=True, slots=True)
class _Written:
    """Hold a state as a row writes it.

    Attributes:
        state: A row of ``marital_rows.tsv``.
        column: The column that has it.
        size: Its length, without the full stop of an abbreviation.
        rest: What the value says behind it.
    """

    state: str
    column: str
    size: int
    rest: str


@lru_cache(maxsize=8)
def _spellings(pack: Pack) -> tuple[re.Pattern[str], Mapping[str, tuple[str, str]]]:
    """Return an expression for the states that begin a value, and the state and column of each."""
    known = {
        folded(one): (row["state"], column)
        for row in rows("marital_rows", pack)
        for column in _COLUMNS
        for one in row[column].split("|")
        if one
    }
    return re.compile(rf"(?i)(?:{alternation(tuple(known))}){_GOES_ON}"), known


@lru_cache(maxsize=8)
def _cells(pack: Pack) -> Mapping[tuple[str, str], str]:
    """Return what is written by state and column; where one has no code, or no short form, none."""
    listed = rows("marital_rows", pack)
    found = {(row["state"], one): row[one].partition("|")[0] for row in listed for one in _COLUMNS}
    for row in listed:
        for one in _COLUMNS[3:]:
            found[row["state"], one] = found[row["state"], one] or found[row["state"], _WORD]
    return found


@dataclass(frozen=True, slots=True)
class _States:
    """Hold the states of several persons on a page, and what can become of them.

    Attributes:
        found: By the start of each, how it is written.
        own: Those that are found, in order.
        ways: Others for *own*, each with its weight; none on a page of one person, or of one state.
        told: The starts of those that stay single, as of a child or of *Miss Bird*.
    """

    found: Mapping[int, _Written]
    own: tuple[str, ...]
    ways: Sequence[tuple[tuple[str, ...], int]]
    told: frozenset[int] = frozenset()

    def others(self, draw: Draw) -> Mapping[str, str]:
        """Return what becomes of each state, the same for all pages of a scope with these."""
        purpose = f"{_ENTITY} rows {' '.join(self.own)}"
        at = draw.shared(purpose).below(sum(weight for _, weight in self.ways))
        for way, weight in self.ways:
            at -= weight
            if at < 0:
                return dict(zip(self.own, way, strict=True))
        raise AssertionError("a number below the sum of weights is below one of their sums")


_NONE = _States({}, (), ())


@dataclass(frozen=True, slots=True)
class _StatesOf:
    """Find the states of several persons on a page: a fact of `Page.fact`."""

    pack: Pack
    locale: str

    def __call__(self, page: Page) -> _States:
        pattern, known = _spellings(self.pack)
        every: dict[int, _Written] = {}
        for one in page.findings:
            value = page.text[one.start : one.end]
            if one.entity == _ENTITY and (match := pattern.match(value)):
                state, column = known[folded(match.group())]
                rest = value[match.end() :].lstrip(".")
                every[one.start] = _Written(state, column, match.end(), rest)
        if len({one.state for one in every.values()}) < _PAIR:
            return _NONE
        ends = {one.start: one.end for one in page.findings}
        standing = dict(_apart(page.text, dict(_standing(page.text, every, ends)), ends))
        told = frozenset(
            start
            for start, one in standing.items()
            if one.state == _SINGLE and (_is_minor(page, start) or _is(_MISS, page, start, every))
        )
        found = {start: one for start, one in standing.items() if start not in told}
        counts = Counter(one.state for one in found.values())
        if len(counts) < _PAIR:
            return _NONE
        family = {one.state for start, one in found.items() if _has_family(page, start, one, every)}
        own = tuple(sorted(counts))
        ways = tuple(self._ways(page, found, counts, family))
        return _States(found, own, ways, told) if ways else _NONE

    def _ways(
        self,
        page: Page,
        found: Mapping[int, _Written],
        counts: Mapping[str, int],
        family: Collection[str],
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield others for the states of *counts*, and how likely they are drawn."""
        own, cells, shares = sorted(counts), _cells(self.pack), self._shares(page)
        columns = defaultdict(set)
        for one in found.values():
            columns[one.state].add(one.column)
        # Who is married, or was, is not on the lists of those who marry
        drawn = [
            one
            for one, share in shares.items()
            if share and (_MARRIED in counts or one in counts or one not in (_MARRIED, _SEPARATED))
        ]
        for way in permutations(drawn, len(own)):
            pairs = list(zip(own, way, strict=True))
            if all(
                (state != other or len(own) == _PAIR or state in family)
                and (other != _SINGLE or state not in family or state == other)
                and all(cells[other, column] for column in columns[state])
                for state, other in pairs
            ):
                yield way, prod(shares[other] ** min(counts[one], _MOST) for one, other in pairs)

    def _shares(self, page: Page) -> Mapping[str, int]:
        """Return how common each state is in the country and the year of *page*."""
        options = {"pack": self.pack, "context": Context(page, 0, 0)}
        year = year_of(options) or _USUAL_YEAR
        country = page.fact(MetOn(self.pack, self.locale)).country
        row = next(
            one
            for one in rows("marital_shares", self.pack)
            if one["country"] in ("", country) and year <= int(one["until"])
        )
        return {one["state"]: int(row[one["state"]]) for one in rows("marital_rows", self.pack)}


def _states_at(options: Mapping[str, Any]) -> tuple[_States, Context] | None:
    """Return the states of the page of *options* and the place of the value; None without one."""
    context = context_of(options)
    if context is None:
        return None
    return context.page.fact(
        _StatesOf(pack_of(options), str(options.get("locale", "en_US")))
    ), context


def _standing(
    text: str, found: Mapping[int, _Written], ends: Mapping[int, int]
) -> Iterator[tuple[int, _Written]]:
    """Yield those of *found* that stand in a row, in a list or behind a label that comes again."""
    labels = {start: _LABEL.search(text, max(0, start - _NEAR), start) for start in found}
    count = Counter(folded(one["label"]) for one in labels.values() if one)
    in_rows = _in_rows(text, found)
    for start, one in found.items():
        if _BOX.search(text, max(0, start - _NEAR), start):
            continue
        label = labels[start]
        near = max(0, start - _NEAR)
        begins = _BEFORE.search(text, near, start) or _COLON.search(text, near, start)
        stands = begins and (one.rest or _BEHIND.match(text, ends[start]))
        if count[folded(label["label"])] > 1 if label else stands or start in in_rows:
            yield start, one


def _in_rows(text: str, found: Mapping[int, _Written]) -> frozenset[int]:
    """Return the starts of states that stand alone in lines in succession."""
    by_line: dict[int, list[int]] = defaultdict(list)
    for start in found:
        by_line[text.count("\n", 0, start)].append(start)
    runs: list[list[int]] = [[]]
    for line in range(max(by_line, default=-1) + 1):
        if len(by_line[line]) == 1:
            runs[-1] += by_line[line]
        elif runs[-1]:
            runs.append([])
    return frozenset(start for run in runs if len(run) >= _ROWS for start in run)


def _apart(
    text: str, found: Mapping[int, _Written], ends: Mapping[int, int]
) -> Iterator[tuple[int, _Written]]:
    """Yield those of *found* that no other one of the same person stands beside."""
    starts = sorted(found)
    beside = {
        start
        for one, other in pairwise(starts)
        if not _PART.search(text, ends[one], other)
        for start in (one, other)
    }
    yield from ((start, one) for start, one in found.items() if start not in beside)


def _by_line(page: Page) -> Mapping[int, Sequence[Finding]]:
    """Return the findings of each line, by the end of the line before it."""
    found: dict[int, list[Finding]] = defaultdict(list)
    for one in page.findings:
        found[page.text.rfind("\n", 0, one.start)].append(one)
    return found


def _on_line(page: Page, start: int) -> Sequence[Finding]:
    """Return the findings on the line of *start*, but for that which begins there."""
    of_line = page.fact(_by_line).get(page.text.rfind("\n", 0, start), ())
    return [one for one in of_line if one.start != start]


def _is_minor(page: Page, start: int) -> bool:
    """Tell whether the one age on the line of *start* is that of a child."""
    ages = [one for one in _on_line(page, start) if one.entity == "AGE"]
    number = re.search(r"\d+", page.text[ages[0].start : ages[0].end]) if len(ages) == 1 else None
    return number is not None and int(number.group()) < _ADULT


def _is(pattern: re.Pattern[str], page: Page, start: int, states: Collection[int]) -> bool:
    """Tell whether *pattern* says something right before a state, behind that of another person."""
    near = max(0, start - _NEAR)
    low = max((one + 1 for one in range(near, start) if one in states), default=near)
    return pattern.search(page.text, low, start) is not None


def _has_family(page: Page, start: int, one: _Written, states: Collection[int]) -> bool:
    """Tell whether a row says that somebody was married, or has a child."""
    if not _NO_CHILD.fullmatch(one.rest) or _is(_WAS_MARRIED, page, start, states):
        return True
    return any(
        other.entity == _ENTITY
        and other.start not in states
        and not _NO_CHILD.fullmatch(page.text, other.start, other.end)
        for other in _on_line(page, start)
    )


def is_of_row(options: Mapping[str, Any]) -> bool:
    """Tell whether the value of *options* is the state of one of several persons."""
    at = _states_at(options)
    return at is not None and at[1].start in at[0].found


def other_state(text: str, draw: Draw) -> str:
    """Return the state that replaces *text*, which begins the value of *draw*.

    Empty if it is none of several persons' on its page.
    """
    at = _states_at(draw.options) if draw.entity == _ENTITY else None
    if at is None:
        return ""
    states, context = at
    own = states.found.get(context.start)
    if own is None or own.size != len(text):
        return ""
    other = states.others(draw)[own.state]
    if other == own.state:
        return text
    return cased_like(text, _cells(pack_of(draw.options))[other, own.column])


class StateOfRow:
    """Read the state of one of several persons."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of a state; None for others, and for a code that a legend explains."""
        at = _states_at(options)
        if at and at[1].start in at[0].told:
            return Reading("state told of a row", folded(value), lambda draw: value, may_stay=True)
        own = at[0].found.get(at[1].start) if at else None
        if own is None or own.rest or LegendCode().read(value, options):
            return None
        text, end = value[: own.size], value[own.size :]
        return Reading(
            "state of a row", own.state, lambda draw: other_state(text, draw) + end, may_stay=True
        )


FORMS: tuple[Form, ...] = (StateOfRow(),)
