"""Turn a page: a man's into a woman's and the reverse, before surrogates are drawn for it.

A policy asks for it by ``answers: flipped`` of GENDER. On a turned page each word that tells a sex
is that of the other, within findings and outside, and its names become names of the other sex. All
surrogates are then drawn as if the page had been so: they agree with it, not with the original.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, Finding, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Form, Reading
from presidio_cdip.surrogates.places.atlas import load_atlas
from presidio_cdip.surrogates.places.mentions import find_mentions
from presidio_cdip.surrogates.values.boxes import boxes_of
from presidio_cdip.surrogates.values.name_lists import MEN, WOMEN, is_last, sex_of
from presidio_cdip.surrogates.values.name_words import (
    FILL,
    MENS_TITLES,
    SHORT,
    TITLES,
    WOMENS_TITLES,
)
from presidio_cdip.surrogates.values.phrases import has_phrases
from presidio_cdip.surrogates.values.sex_words import (
    ALL,
    NAME,
    NONE,
    Change,
    changes,
    kinds_of,
    printed_options,
    without_organs,
)
from presidio_cdip.surrogates.values.told import told_words
from presidio_cdip.surrogates.writing.text import folded

GENDER, PERSON = "GENDER", "PERSON"
_OF_CLERGY = ("father", "fr", "mother")  # titles before a last name
_WITH_WORDS = ("AGE", "NRP")  # entities without phrases whose values have words of a sex
_TOKEN = 24  # characters of a word of print
_LITTLE = 0.3  # of a letter's width, that fits anyway
_MOST_BESIDE = 2  # words of a stretch beside the one that grows
_HEAD, _TAIL = re.compile(r"[\w'’-]+\Z"), re.compile(r"['’]\w+")
_BEHIND, _BEFORE = re.compile(r"[,;]?[ ][^\W\d_]+(?![\w'’-])"), re.compile(r"(?<!\S)[^\W\d_]+[ ]\Z")
_KEEP, _SURROGATE = "keep", "surrogate"
_ONE_SEX = ("bound", "one_sex")  # words of told/gender.yaml
_NUMBER = re.compile(r"[12]")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NAME = re.compile(r"\b[A-Z][a-zA-Z'’-]{2,}\b")
_FULL_NAME = re.compile(
    r"(?<!St\. )(?<!Saint )\b(?P<first>[A-Z][a-zA-Z]{2,}),? (?:[A-Z]\.? )?"
    r"(?P<last>[A-Z][a-zA-Z'’-]{2,})\b(?:['’]s)?(?: (?P<next>[A-Z]\w+))?"
)
_TITLE_BEFORE = re.compile(r"(?<![\w/])(?P<title>[A-Za-z]+)\.?[ \t\n]{1,3}\Z")
_TICKED = 4  # characters beside an option in which it is ticked
_TICK = re.compile(r"[(\[][ ]?[xX✓✗][ ]?[)\]]|[☑☒✓✗]")
_POSSESSIVE = re.compile(r"['’](?:s)?\Z")
_CAPITAL_BEFORE = re.compile(r"([A-Z][\w.'’]*)[ ](?:&[ ])?\Z")
_CAPITAL_BEHIND = re.compile(r"[ ](?:&[ ])?[A-Z\d]|[-@.]\w")
_OF_CALENDAR = ("april", "august", "june", "may", "january", "tuesday", "easter", "noel", "natal")
_SAINT = re.compile(r"(?i)\b(?:st|saint|mt|port|lake|fort|camp|san|santa)\.? \Z")
_ENGLISH = frozenset(english().labels["small_english"])
_FOREIGN = frozenset(english().labels["small_foreign"])


@dataclass(frozen=True, slots=True)
class _Moved:
    """A finding on a turned page."""

    start: int
    end: int
    entity: str


class TurnedPage(Page):
    """A page whose words tell the other sex, with its findings where they stand then.

    Attributes:
        source: The page as it was analyzed.
        changes: What is written in place of its words, in order.

    Args:
        source: The page.
        changed: What is written, in order, without overlaps.
    """

    is_turned = True

    def __init__(self, source: Page, changed: Sequence[Change]) -> None:
        self.source = source
        self.changes = tuple(changed)
        self._starts = [one.start for one in changed]
        grown = (len(one.new) - (one.end - one.start) for one in changed)
        self._shifts = [0, *accumulate(grown)]
        self._news = [one.start + by for one, by in zip(changed, self._shifts, strict=False)]
        parts, at = [], 0
        for one in changed:
            parts += [source.text[at : one.start], one.new]
            at = one.end
        text = "".join([*parts, source.text[at:]])
        findings = [_Moved(*self.place(one.start, one.end), one.entity) for one in source.findings]
        move = source.marks_move
        super().__init__(text, findings, move if isinstance(move, bool) else False)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where ``[start, end)`` of the source stands on this page."""
        return self._of_start(start), self._of_end(end)

    def _of_start(self, at: int) -> int:
        index = bisect_right(self._starts, at) - 1
        if index >= 0 and at < self.changes[index].end:
            return self.changes[index].start + self._shifts[index]
        return at + self._shifts[index + 1]

    def _of_end(self, at: int) -> int:
        index = bisect_left(self._starts, at) - 1
        if index >= 0 and at < self.changes[index].end:
            return self.changes[index].end + self._shifts[index + 1]
        return at + self._shifts[index + 1]

    def written(self, start: int, end: int) -> tuple[str, int, int]:
        """Return the source's text, and where ``[start, end)`` of this page is in it."""
        return self.source.text, self._back(start, False), self._back(end, True)

    def _back(self, at: int, is_end: bool) -> int:
        index = (bisect_left if is_end else bisect_right)(self._news, at) - 1
        if index < 0:
            return at
        one, new = self.changes[index], self._news[index]
        if at < new + len(one.new):
            return one.end if is_end else one.start
        return at - self._shifts[index + 1]

    def context(self, start: int, end: int) -> Context:
        """Return the context on this page of ``[start, end)`` of the source."""
        return Context(self, *self.place(start, end))

    def value(self, value: str, start: int, end: int) -> str:
        """Return *value*, which stands at ``[start, end)`` of the source, as it is on this page.

        A page image may break its lines elsewhere.
        """
        parts, at = [], 0
        for one in self.changes[bisect_left(self._starts, start) :]:
            if one.end > end:
                break
            old = self.source.text[one.start : one.end]
            found = value.find(old, at)
            if found >= 0:
                parts += [value[at:found], one.new]
                at = found + len(old)
        return "".join([*parts, value[at:]])

    @property
    def words(self) -> list[Change]:
        """Return the changes outside of findings."""
        starts = [one.start for one in self.source.findings]

        def is_within(one: Change) -> bool:
            at = bisect_right(starts, one.start) - 1
            return at >= 0 and self.source.findings[at].end > one.start

        return [one for one in self.changes if not is_within(one)]

    def stretches(self) -> list[tuple[int, int]]:
        """Return the starts and ends in which a picture gets the words outside of findings.

        They are whole as print has them (*mother's*), and a word that grows has one or two others
        beside it, which make room for it: a gap would tell which words have grown.
        """
        text = self.source.text
        free = _Free(self)
        found: list[tuple[int, int]] = []
        for word in self.words:
            low = found[-1][1] if found else 0
            start, end = word.start, word.end
            start = free.start(_HEAD.search(text[max(low, start - _TOKEN) : start]), start, low)
            end = free.end(_TAIL.match(text, end, end + _TOKEN), end)
            for _ in range(_beside(word, text)):
                wider = free.end(_BEHIND.match(text, end, end + _TOKEN), end)
                if wider == end and found and text[low:start] == " ":
                    start = found.pop()[0]  # "his father"
                    low = found[-1][1] if found else 0
                if wider == end:
                    before = _BEFORE.search(text[max(low, start - _TOKEN) : start])
                    start = free.start(before, start, low)
                end = wider
            found.append((start, end))
        return found


def _beside(word: Change, text: str) -> int:
    """Return how many words beside *word* make room for what it grows in print."""
    grown = _width(word.new) - _width(text[word.start : word.end])
    return 0 if grown < _LITTLE else 1 if grown < 1 else _MOST_BESIDE


def _width(word: str) -> float:
    """Return about how many usual letters wide *word* is printed."""
    narrow, wide = (sum(map(word.count, letters)) for letters in ("fijlrtI.'’", "mwMW"))
    return len(word) - narrow / 2 + wide / 2


class _Free:
    """Tell how far a stretch can reach before other findings and words of a turned page."""

    def __init__(self, page: TurnedPage) -> None:
        findings = ((one.start, one.end) for one in page.source.findings)
        self._taken = sorted([*findings, *((one.start, one.end) for one in page.words)])

    def end(self, match: "re.Match[str] | None", end: int) -> int:
        """Return the end of *match*, or *end* if something else stands there."""
        if match is None:
            return end
        at = bisect_left(self._taken, (end, end))
        is_free = at == len(self._taken) or self._taken[at][0] >= match.end()
        return match.end() if is_free else end

    def start(self, match: "re.Match[str] | None", start: int, low: int) -> int:
        """Return the start of *match*, which ends at *start*, or *start* if something is there."""
        if match is None:
            return start
        new = start - len(match[0])
        at = bisect_left(self._taken, (start, start)) - 1
        return new if new >= low and (at < 0 or self._taken[at][1] <= new) else start


def _places_of_words(page: Page) -> frozenset[tuple[int, int]]:
    """Return where the words outside of findings stand on a turned page: a fact of the page."""
    assert isinstance(page, TurnedPage)
    alone = [(one.start, one.end) for one in page.words]
    return frozenset(page.place(*one) for one in (*alone, *page.stretches()))


class TurnedWord:
    """Read a word of a turned page that is no finding, and a number; they are written already."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of such a word or of a sex's number; None for other values."""
        context = context_of(options)
        if context is None or not context.page.is_turned:
            return None
        is_word = (context.start, context.end) in context.page.fact(_places_of_words)
        if not (is_word or _NUMBER.fullmatch(value)):
            return None
        return Reading("word of a sex", folded(value), lambda draw: value, may_stay=True)


FORMS: tuple[Form, ...] = (TurnedWord(),)


def turned(
    page: Page,
    operator: Callable[[str], str],
    pack: Pack,
    avoid: Collection[tuple[int, int]] = (),
) -> TurnedPage:
    """Return *page* turned.

    Args:
        page: The page.
        operator: Returns the name of the operator for an entity.
        pack: Its words.
        avoid: Start and end of what else is replaced on the page, as a mention of a name.
    """
    stays = {place for place in avoid if place[0] < place[1]} | _options_of_sexes(page)

    def reads(one: Finding) -> str:
        if operator(one.entity) != _SURROGATE:
            return NONE
        if one.entity == PERSON:
            return NAME
        return ALL if _has_words(one.entity, pack) else NONE

    return TurnedPage(
        page,
        [
            one
            for one in changes(page, reads, pack)
            if not any(start < one.end and one.start < end for start, end in stays)
        ],
    )


def _has_words(entity: str, pack: Pack) -> bool:
    """Tell whether values of *entity* may have words that tell a sex."""
    return entity in _WITH_WORDS or has_phrases(entity, pack)


def _options_of_sexes(page: Page) -> set[tuple[int, int]]:
    """Return the places of the printed options of a question for a sex, whose mark moves."""
    found = set()
    for question, (start, end) in boxes_of(page):
        if question.finding.entity == GENDER:
            found |= {(one.start, one.end) for one in question.options}
            found.add((question.finding.start, question.finding.end))
            found.add((start, max(end, start + 1)))
    return found


def why_not(page: Page, operator: Callable[[str], str], pack: Pack, locale: str) -> str:
    """Return why *page* cannot be turned without contradicting itself; "" if it can.

    Args:
        page: The page.
        operator: Returns the name of the operator for an entity.
        pack: Its words and names.
        locale: As Faker writes it.
    """
    names = [one for one in page.findings if one.entity == PERSON]
    if operator(PERSON) != _SURROGATE or not names:
        return "no name is replaced"
    if _is_foreign(page.text):
        return "it is not in English"
    stays = _staying(page, operator)
    drawn = [
        without_organs(page.text[one.start : one.end], pack)
        for one in page.findings
        if operator(one.entity) == _SURROGATE and _has_words(one.entity, pack)
    ]
    for name in _ONE_SEX:
        words = told_words(GENDER, name, pack)
        if words and (words.search(stays) or any(map(words.search, drawn))):
            return "it tells what one sex has"
    kept = [
        one
        for one in page.findings
        if operator(one.entity) == _KEEP and _has_words(one.entity, pack)
    ]
    if kept:
        alone = Page(page.text, kept)
        if changes(alone, lambda one: ALL, pack) != changes(alone, lambda one: NONE, pack):
            return "a value that tells a sex is kept"
    firsts = {}
    for one in names:
        title, first = _title_and_first(page.text, one)
        if title in _OF_CLERGY and not first:
            return "it tells what one sex has"
        own = sex_of(first, locale, pack) if len(first) > 1 else ""
        if own in (WOMEN, MEN):
            firsts[first] = own
            if title in (MENS_TITLES if own == WOMEN else WOMENS_TITLES) and title:
                return "a title and a name differ"
    if _has_unmoved_tick(page):
        return "a ticked sex stays"
    taken = [(one.start, one.end) for one in page.findings if operator(one.entity) != _KEEP]
    if _has_other_names(stays, firsts, pack, locale) or _has_lone_name(page, taken, pack, locale):
        return "a name stays"
    return ""


def _staying(page: Page, operator: Callable[[str], str]) -> str:
    """Return the text of *page* with blanks for the findings that do not stay."""
    parts, at = [], 0
    for one in page.findings:
        if operator(one.entity) != _KEEP:
            parts += [page.text[at : one.start], " " * (one.end - one.start)]
            at = one.end
    return "".join([*parts, page.text[at:]])


def _is_foreign(text: str) -> bool:
    """Tell whether *text* has more small words of other languages than of English."""
    words = [one.lower() for one in _WORD.findall(text)]
    return sum(one in _FOREIGN for one in words) > sum(one in _ENGLISH for one in words)


def _title_and_first(text: str, one: Finding) -> tuple[str, str]:
    """Return the title of a name, inside or before it, and its first name, both folded; or ""."""
    before = _TITLE_BEFORE.search(text[max(0, one.start - 20) : one.start])
    title = folded(before["title"]) if before else ""
    value = text[one.start : one.end]
    _, comma, given = value.partition(",")
    own = [folded(word) for word in _WORD.findall(value)]
    title = next((word for word in own if word in TITLES), title)
    listed = [folded(word) for word in _WORD.findall(given if comma else value)]
    names = [word for word in listed if word not in TITLES and word not in FILL]
    if len(names) == 1 and not comma and title:
        return title, ""  # the last name
    first = names[0] if names else ""
    return title if title in TITLES else "", SHORT.get(first, first).casefold()


def _has_other_names(text: str, firsts: Mapping[str, str], pack: Pack, locale: str) -> bool:
    """Tell whether *text*, which stays, has a first name of *firsts*, or a name of a person."""
    kinds = kinds_of(pack)
    for match in _NAME.finditer(text):
        if folded(match[0]) in firsts:
            rest = text[match.end() : match.end() + 40]
            after = re.match(r"(?:['’]s)? ([A-Z]\w+)", rest)
            if not _SAINT.search(text[max(0, match.start() - 8) : match.start()]) and not (
                after and folded(after[1]) in kinds
            ):
                return True
    for match in _FULL_NAME.finditer(text):
        first, last = folded(match["first"]), folded(match["last"])
        if sex_of(first, locale, pack) not in (WOMEN, MEN) or last in kinds:
            continue
        if match["next"] and folded(match["next"]) in kinds:
            continue
        if is_last(last, locale, pack) and not is_last(first, locale, pack):
            return True
    return False


def _has_unmoved_tick(page: Page) -> bool:
    """Tell whether one of two printed sexes is ticked, and the tick is none that moves."""
    moved = _options_of_sexes(page)
    return any(
        _TICK.search(page.text, max(0, start - _TICKED), end + _TICKED)
        and not any(first < end and start < last for first, last in moved)
        for start, end in printed_options(page)
    )


def _has_lone_name(page: Page, taken: Sequence[tuple[int, int]], pack: Pack, locale: str) -> bool:
    """Tell whether *page* has a first name of one sex outside of *taken*, and no word or place.

    It stands alone: capitals beside it belong to the name of a business or a place.
    """
    text, starts = page.text, [start for start, _ in taken]
    mentioned: set[tuple[int, int]] | None = None
    for match in _NAME.finditer(text):
        name = _POSSESSIVE.sub("", match[0])
        plain = folded(name)
        if name.isupper() or sex_of(plain, locale, pack) not in (WOMEN, MEN):
            continue
        if is_last(plain, locale, pack) or plain in _words(pack) or plain in kinds_of(pack):
            continue
        at = bisect_right(starts, match.start()) - 1
        if at >= 0 and taken[at][1] > match.start():
            continue
        before = _CAPITAL_BEFORE.search(text[max(0, match.start() - _TOKEN) : match.start()])
        if before and before[1].lower() not in _ENGLISH:
            continue
        if name == match[0] and _CAPITAL_BEHIND.match(text, match.end()):
            continue
        if mentioned is None:
            mentioned = {(one.start, one.end) for one in find_mentions(page, pack)}
        if not any(start < match.end() and match.start() < end for start, end in mentioned):
            return True
    return False


@lru_cache(maxsize=8)
def _words(pack: Pack) -> frozenset[str]:
    """Return folded first names that are words or places, too."""
    labels = english().labels
    atlas = load_atlas(pack)
    listed = (*labels["names_and_words"], *labels["common_names"], *_OF_CALENDAR)
    places = (*atlas.american, *atlas.foreign, *atlas.states, *atlas.countries, *atlas.regions)
    return frozenset(map(folded, (*listed, *places, *atlas.known)))


def has_ticked_sex(page: Page) -> bool:
    """Tell whether a printed question for a sex is ticked on *page*."""
    return any(question.finding.entity == GENDER for question, _ in boxes_of(page))
