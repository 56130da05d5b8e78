"""Read values by what the rest of their page tells, as ``operators/phrases/told/`` lists it.

Each file has facts, which are read in what stays on a page, and rules: a value of which a fact
tells stays, since another would contradict the page and hide nothing, or it becomes one of the
words that agree with the fact. ``shared.yaml`` has the words and facts that several files name.
``operators/README.md`` describes the format.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.expressions import alternation
from presidio_cdip.pack.language import check_language, english
from presidio_cdip.pack.pack import Pack, load
from presidio_cdip.surrogates.drawing.context import Context, Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, rows, terms
from presidio_cdip.surrogates.places.atlas import load_atlas
from presidio_cdip.surrogates.places.countries import country_of_place, page_places
from presidio_cdip.surrogates.places.place_grammar import read_parts
from presidio_cdip.surrogates.values.classes import negates
from presidio_cdip.surrogates.values.frames import SHARED
from presidio_cdip.surrogates.values.marital_rows import is_of_row
from presidio_cdip.surrogates.values.meanings import says_the_same
from presidio_cdip.surrogates.values.name_lists import MEN, WOMEN, sex_of
from presidio_cdip.surrogates.values.names import person
from presidio_cdip.surrogates.values.nations import is_born_at_home, is_of_relative, is_said
from presidio_cdip.surrogates.values.nations_met import MetOn
from presidio_cdip.surrogates.values.phrases import shapes
from presidio_cdip.surrogates.values.setting import STAYS, fitting, people_of_name, staying, told_at
from presidio_cdip.surrogates.values.slots import Column
from presidio_cdip.surrogates.writing.articles import with_own_article
from presidio_cdip.surrogates.writing.text import (
    calmed,
    cased_like,
    cased_there,
    folded,
    has_whole,
    line_at,
)

PHRASES = "operators/phrases"
FOLDER = f"{PHRASES}/told"
_KEYS = {"what", "language", "words", "stays", "facts", "rules"}
_SHARED_KEYS = {"what", "language", "words", "facts"}
_FLAGS = (
    "may_stay",
    "each",
    "answer",
    "exchange",
    "apart",
    "either",
    "turned",
    "alone",
)  # in the order of `Rule`
_RULE_KEYS = {"value", "told", "all", "unless", "write", *_FLAGS}
_SAID = "said"  # in place of an entity: the page says the country beside its values
_AT_HOME = "home"  # in place of an entity: a birthplace stays in the page's country
_IN = "in "  # before the name of a country: the page was written there
_COUNTRY = "country"  # the place of a fact that the country of another entity's values tells
_OWN = "own"  # the place of a fact that sentences about the same person tell
_NAMED = "named"  # the place of a fact that first names tell, somewhere
_PEOPLE = "people"  # the place of a fact that the name before the value tells
_LIST = 3  # lines on either side of a printed list
_BESIDE = 80  # characters of `before` and `after`
_LONGEST = 2000  # characters of a paragraph on either side
_ROW = 600  # characters of lines on either side
_NEAR = 240  # characters on either side in which sentences are looked for
_NAME_OF = "name"  # the group of a value's expression that names a person
_IT = "it"  # the group of a value's expression that is replaced, if not all of it is
_APART = 4  # words that are left where those that share a word with the value are not drawn
_PAIR = 2  # words of which each would tell the other, so that the value may stay
_TITLES = "".join(rf"(?<!\b{one.title()})" for one in english().labels["titles"] if "." not in one)
# The end of a sentence: a line may be broken within one.
_END = re.compile(rf"{_TITLES}(?<!\b[A-Z])[.!?;]\s+(?=[A-Z]|\Z)|(?<![a-z,;&-])\n|\n(?=\s*[^a-z\s])")
_CAPITALISED = re.compile(r"\b[A-Z](?:[a-z]{2,}|[A-Z]{2,})\b")
_CELL = re.compile(r"(?:\A|\n|[ \t]{2}|\t|\|[ ]?)\Z")  # before the first word of a line or cell
_YEARS = re.compile(r"(?P<word>.+?) (?P<since>\d{4})?-(?P<until>\d{4})?")
_WITHIN = re.compile(r"[a-z],? \Z")  # ends within a sentence
_ENTITY = re.compile(r"[A-Z][A-Z_]+")
_CODE = re.compile(r"\d(?s:.*)[a-z]|[a-z](?s:.*)\d")  # "46,X,del(Xp)", "p.Gly592Glu"
_BLANK = re.compile(r"\n[ \t]*\n")  # between paragraphs
_KIN = "kin"  # the list of persons whose sentences are about somebody else
# "She is married": it goes on about whom the sentence before is.
_GOES_ON = re.compile(rf"(?i)\W*(?:{'|'.join(english().labels['pronouns'])})\b")
_NAME = re.compile(r"\{(?P<word>[a-z_]+)(?:\.(?P<column>[a-z_]+))?\}")


@lru_cache(maxsize=256)
def _sentences(text: str, start: int, end: int, around: int) -> str:
    """Return what *text* has of the sentence at ``[start, end)`` and of *around* beside it."""
    before = _END.split(text[max(0, start - _NEAR) : start])[-1 - around :]
    after = _END.split(text[end : end + _NEAR])[: 1 + around]
    return " ".join(before) + " " * (end - start) + " ".join(after)


@lru_cache(maxsize=8)
def _of_kin(pack: Pack) -> re.Pattern[str]:
    """Return what a sentence about a relative begins with: "His wife's younger sister"."""
    whose = r"(?:\w+\s)?(?:\w+['’]s\s)?(?:\w+\s)?"
    return re.compile(rf"(?i)\W*{whose}(?:{alternation(terms(_KIN, pack))})\b")


def _own_sentences(text: str, start: int, end: int, pack: Pack) -> str:
    """Return what *text* has of the sentence at ``[start, end)`` and of those beside it.

    Of these, one that is about a relative is left out, and both if only the value's own is: what
    they tell is not of the same person.
    """
    of_kin = _of_kin(pack)
    before = _END.split(text[max(0, start - _NEAR) : start])
    after = _END.split(text[end : end + _NEAR])
    own = before[-1] + " " * (end - start) + after[0]
    if of_kin.match(own) or (len(before) > 1 and of_kin.match(before[-2]) and _GOES_ON.match(own)):
        return own
    beside = [*before[-2:-1], *after[1:2]]
    return " ".join([own, *(one for one in beside if not of_kin.match(one))])


def _lines(text: str, start: int, end: int, around: int) -> str:
    """Return the lines of ``[start, end)`` and *around* lines beside them, as far as a row is."""
    begin, stop = max(0, start - _ROW), min(len(text), end + _ROW)
    first, last = start, end
    for _ in range(1 + around):
        first = text.rfind("\n", begin, first) if first > begin else begin - 1
        last = text.find("\n", last + 1, stop) if last < stop else stop
        last = stop if last < 0 else last
        first = begin - 1 if first < 0 else first
    return text[max(begin, first) : last + 1]


def _paragraph(text: str, start: int, end: int) -> str:
    """Return the paragraph of ``[start, end)``."""
    begin, stop = max(0, start - _LONGEST), end + _LONGEST
    first = max((one.end() for one in _BLANK.finditer(text, begin, start)), default=begin)
    last = _BLANK.search(text, end, stop)
    return text[first : last.start() if last else stop]


# Where a fact is read: of the page's text as it is, or of what stays on it.
_RAW: Mapping[str, Callable[[str, int, int], str]] = {
    "before": lambda text, start, end: text[max(0, start - _BESIDE) : start],
    "after": lambda text, start, end: text[end : end + _BESIDE],
    "whole_line": lambda text, start, end: _lines(text, start, end, 0),
    "whole_lines": lambda text, start, end: _lines(text, start, end, 2),
}
_STAYING: Mapping[str, Callable[[str, int, int], str]] = {
    "sentence": lambda text, start, end: _sentences(text, start, end, 0),
    "near": lambda text, start, end: _sentences(text, start, end, 1),
    "paragraph": _paragraph,
    "line": lambda text, start, end: _lines(text, start, end, 0),
    "lines": lambda text, start, end: _lines(text, start, end, 1),
    "page": lambda text, start, end: text,
}


@lru_cache(maxsize=1024)
def _has_name(text: str, locale: str, pack: Pack) -> bool:
    """Tell whether *text* has a first name of a man or a woman."""
    return any(
        sex_of(one.casefold(), locale, pack) in (MEN, WOMEN) for one in _CAPITALISED.findall(text)
    )


def _stays_in_country(entity: str, context: Context, options: Mapping[str, Any]) -> bool:
    """Tell whether the value names a country that a place of *entity* on the page stays in."""
    atlas, places = load_atlas(pack_of(options)), page_places(options)
    value = context.page.text[context.start : context.end]
    names = (value, *re.findall(r"[A-Z]\w+", value))
    countries = {atlas.nationalities.get(folded(one), "") for one in names} & places.staying
    if not countries:
        return False
    locale = str(options.get("locale", "en_US"))
    found = [read_parts(one, atlas) for one in context.page.fact(_OwnValues(entity))]
    return any(
        country_of_place(parts[0], atlas, locale, places) in countries for parts in found if parts
    )


def _tells_country(of: str, context: Context, options: Mapping[str, Any]) -> bool:
    """Tell whether the page tells the country that a fact asks for; see `Fact`."""
    if of == _SAID:
        return is_said(context, options)
    if of == _AT_HOME:
        return is_born_at_home(context, options)
    if of.startswith(_IN):
        met = MetOn(pack_of(options), str(options.get("locale", "en_US")))
        written_in = (context.page.fact(met).country, page_places(options).of_setting)
        return of.removeprefix(_IN) in written_in
    return _stays_in_country(of, context, options)


@dataclass(frozen=True)
class Fact:
    """Something that a page can tell of a value.

    Attributes:
        places: An expression by the place in which it is searched, or the entity in whose values it
            is; one of them is enough.
        named: The place in which a first name tells it, if there is one.
        country: The entity of which a place lies in the value's country, where it stays; or
            ``said``, if the page says the country beside its values; or ``home``, if a birthplace
            near it stays in the page's country; or ``in X``, if the page was written in X.
        peoples: Of one of these peoples is the name before the value.
    """

    places: Mapping[str, re.Pattern[str]] = field(hash=False)
    named: str = ""
    country: str = ""
    peoples: frozenset[str] = frozenset()

    def holds(self, context: Context, kept: str, options: Mapping[str, Any]) -> bool:
        """Tell whether the page tells it of the value at *context*; *kept* is what stays on it."""
        if self.named:
            text = _STAYING[self.named](kept, context.start, context.end)
            if _has_name(text, str(options.get("locale", "en_US")), pack_of(options)):
                return True
        if self.country and _tells_country(self.country, context, options):
            return True
        if self.peoples and people_of_name(context, pack_of(options)) in self.peoples:
            return True
        for place, says in self.places.items():
            if place in _RAW:
                text = _RAW[place](context.page.text, context.start, context.end)
                found = bool(says.match(text) if place == "after" else says.search(text))
            elif place.isupper():
                found = any(map(says.search, context.page.fact(_OwnValues(place))))
            elif place == "page":
                found = context.page.fact(_Told(says, kept))
            elif place == _OWN:
                of = _own_sentences(kept, context.start, context.end, pack_of(options))
                found = bool(says.search(of))
            else:
                found = bool(says.search(_STAYING[place](kept, context.start, context.end)))
            if found:
                return True
        return False


@dataclass(frozen=True)
class _Told:
    """Tell whether what stays on a page says something: a fact of `Page.fact`."""

    says: re.Pattern[str]
    kept: str = field(repr=False)

    def __call__(self, page: Page) -> bool:
        return self.says.search(self.kept) is not None


@dataclass(frozen=True, slots=True)
class _OwnValues:
    """Return the values of an entity that no label gives to a relative: a fact of `Page.fact`."""

    entity: str

    def __call__(self, page: Page) -> Sequence[str]:
        return [
            page.text[one.start : one.end]
            for one in page.findings
            if one.entity == self.entity and not is_of_relative(page.text, one.start)
        ]


@dataclass(frozen=True)
class _Kept:
    """Return what stays on a page: its text without values, but with their words that stay."""

    entity: str
    stays: re.Pattern[str] | None

    def __call__(self, page: Page) -> str:
        text = page.fact(staying)
        if self.stays is None:
            return text
        kept = [
            found
            for one in page.findings
            if one.entity == self.entity
            for found in self.stays.finditer(page.text, one.start, one.end)
        ]
        ends = [0, *(one.end() for one in kept)]
        parts = [
            text[end : one.start()] + one.group() for end, one in zip(ends, kept, strict=False)
        ]
        return "".join([*parts, text[ends[-1] :]])


@dataclass(frozen=True)
class Rule:
    """What becomes of some values if a fact is told.

    Attributes:
        value: Matches the whole value.
        told: One of these facts must hold, if there are any.
        every: All of these must.
        unless: None of these may.
        write: The words from which one is drawn; without any, the value stays.
        years: By word the years of the pages on which it stands, from and to, if not all.
        may_stay: Whether the original's words are drawn, too.
        each: Whether each line of the page has a draw of its own.
        answer: Whether ``answers: kept`` leaves its values to other rules, as on a turned page.
        exchange: Whether different originals of a scope mostly get different words.
        apart: Whether words that share a word of four letters with the value are left out, if four
            others remain; a word that most have, as *diet*, does not count.
        either: Whether a word that does not negate may replace one that does.
        turned: Whether the rule is for turned pages alone (see `values.turning`).
        alone: Whether it leaves states of several persons to the page's one permutation of them
            (see `values.marital_rows`).
    """

    value: re.Pattern[str]
    told: tuple[Fact, ...]
    every: tuple[Fact, ...]
    unless: tuple[Fact, ...]
    write: tuple[str, ...]
    years: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict, hash=False)
    may_stay: bool = False
    each: bool = False
    answer: bool = False
    exchange: bool = False
    apart: bool = False
    either: bool = False
    turned: bool = False
    alone: bool = False

    def holds(self, context: Context, kept: str, options: Mapping[str, Any]) -> bool:
        """Tell whether the page tells what the rule asks for; *kept* is what stays on it."""

        def tells(fact: Fact) -> bool:
            return fact.holds(context, kept, options)

        return (
            (not self.told or any(map(tells, self.told)))
            and all(map(tells, self.every))
            and not any(map(tells, self.unless))
        )

    def year_of(self, own: str, year: int) -> int:
        """Return *year*, of the page, or that in which *own* stood first if it does not then."""
        periods = self.years.get(own, ())
        if not periods or any(since <= year <= until for since, until in periods):
            return year
        return periods[0][0] or periods[0][1]

    def written(self, year: int) -> tuple[str, ...]:
        """Return the words that stand on pages of *year*; those of all years, if it is 0."""
        return tuple(
            one
            for one in self.write
            if one not in self.years
            or any(since <= year <= until for since, until in self.years[one])
        )


class Told:
    """Read values of an entity of which the rest of a page tells.

    Attributes:
        rules: In the order in which they are tried.

    Args:
        entity: The entity.
        stays: Matches the words of its values that stay, if any do.
        rules: As above.
    """

    def __init__(self, entity: str, stays: re.Pattern[str] | None, rules: Sequence[Rule]) -> None:
        self._entity = entity
        self._kept = _Kept(entity, stays)
        self.rules = rules

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of such a value; None for others, and without a page."""
        if (context := context_of(options)) is None:
            return None
        decided = self.decide(value, context, options)
        return decided[1] if decided else None

    def decide(
        self, value: str, context: Context, options: Mapping[str, Any]
    ) -> tuple[Rule, Reading] | None:
        """Return the rule that decides of *value* at *context*, and its reading."""
        kept = context.page.fact(self._kept)
        for rule in self.rules:
            found = rule.value.fullmatch(value)
            if found is None:
                continue
            if rule.answer and (options.get("answers") == "kept" or context.page.is_turned):
                continue
            if rule.turned and not context.page.is_turned:
                continue
            if rule.alone and is_of_row(options):
                continue
            if rule.write and _is_said_twice(found[_group(found)], self._entity, context, options):
                continue
            if rule.holds(context, kept, options) and (
                reading := _reading(found, rule, context, kept, options)
            ):
                return rule, reading
        return None


def _is_said_twice(value: str, entity: str, context: Context, options: Mapping[str, Any]) -> bool:
    """Tell whether the page has *value* in other words, too, which their table lets agree."""
    return _bare(value) in context.page.fact(_SaidTwice(entity, pack_of(options)))


@dataclass(frozen=True, slots=True)
class _SaidTwice:
    """Find the values of which a page has two spellings of a table: a fact of `Page.fact`."""

    entity: str
    pack: Pack

    def __call__(self, page: Page) -> frozenset[str]:
        listed = _listed(self.entity, self.pack)
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for value in page.values(self.entity):
            if (row := listed.get(own := _bare(value))) is not None:
                found[row].add(own)
        return frozenset(one for own in found.values() if len(own) > 1 for one in own)


def _bare(value: str) -> str:
    """Return *value* folded, without its article and full stop."""
    return folded(value).removeprefix("the ").removesuffix(".")


@lru_cache(maxsize=64)
def _listed(entity: str, pack: Pack) -> Mapping[str, tuple[str, str]]:
    """Return by spelling the table and row of those tables whose spellings agree."""
    slots = [slot for shape in shapes(entity, pack) for _, slot in shape.slots]
    return {
        _bare(spelling): (slot.table.name, row)
        for slot in reversed(slots)
        if isinstance(slot, Column) and slot.table.agree
        for spelling, (row, *_) in slot.cells.items()
    }


def _reading(
    found: "re.Match[str]", rule: Rule, context: Context, kept: str, options: Mapping[str, Any]
) -> Reading | None:
    pack = pack_of(options)
    year, _ = told_at(context, pack)
    value = found.string
    words = rule.written(rule.year_of(value[slice(*found.span(_group(found)))], year))
    if not rule.write:
        return Reading(
            STAYS, folded(value), lambda draw: _with_other_name(found, 0, draw), may_stay=True
        )
    span = found.span(_group(found))
    own = value[slice(*span)]
    if negates(own) and not (rule.either or rule.may_stay):
        words = tuple(filter(negates, words))
    others = tuple(
        one for one in words if folded(one) != folded(own) and not says_the_same(own, one, pack)
    )
    apart = tuple(one for one in others if not _shares_name(own, one))
    others = apart if len(apart) >= max(_PAIR, len(others) / 2) else others
    whole = tuple(one for one in others if not has_whole(one, own))
    others = whole if len(whole) >= _APART else others
    if rule.apart:
        heads = Counter(word for one in others for word in _long_words(one))
        telling = {one for one in _long_words(value) if heads[one] <= len(others) / 2}
        apart = tuple(one for one in others if not telling & _long_words(one))
        others = apart if len(apart) >= _APART else others
    row = folded(_lines(kept, context.start, context.end, _LIST)) if rule.exchange else ""
    if row:  # the page's own answer to it stays: "Diphtheria ----"
        free = tuple(one for one in others if not _stands_in(one, row))
        others = free if len(free) >= _PAIR else others
    may_stay = rule.may_stay or len(others) < _PAIR
    if len(words) < _PAIR:
        return None
    place = context.start, context.end

    def write(draw: Draw) -> str:
        fit = fitting(words if may_stay else others, draw)
        of = _RAW["whole_line"](context.page.text, *place) if rule.each else folded(own)
        before = context.page.text[: place[0]][-_BESIDE:] + value[: span[0]]
        drawn = rule.exchange and _exchanged(own, words, fit, row, context, draw)
        drawn = drawn or _nearest(of, fit, draw)
        named = drawn[1:] != drawn[1:].lower()  # "Clann na Talmhan"
        if span == (0, len(value)) or value.isupper() or named:
            within = _WITHIN.search(before) and re.search(r"[a-z] [a-z]|^[A-Z]{2}|['’]s\b", own)
            new = drawn if within else _cased(own, drawn)  # "it is Lewy body dementia"
        else:
            new = cased_there(own, drawn, before, context.after)
        tail = _with_other_name(found, span[1], draw)
        rest = value[: span[0]] + value[span[1] :]
        around = context.around if rest == rest.upper() else rest  # "AWOL", "DUI, third offense"
        # Letters that the rule lists as capitals are no style: "NEHAWU".
        if not drawn.isupper() and (calm := calmed(own, new, around)) != new:
            new = calm[:1].upper() + calm[1:] if _CELL.search(before) else calm
        return with_own_article(value, value[: span[0]] + new + tail)

    return Reading("told", folded(value), write, may_stay=may_stay, may_contain=True)


def _shares_name(own: str, other: str) -> bool:
    """Tell whether *other* has a name of *own*: a word with a capital, as of a church.

    >>> _shares_name("pastor at First Baptist", "minister at Shiloh Baptist")
    True
    """
    words = set(re.findall(r"\w+", folded(own)))
    return any(folded(one) in words for one in re.findall(r"\b[A-Z]\w{3,}", other))


def _long_words(text: str) -> set[str]:
    """Return the words of *text* of four letters or more, plurals as singulars.

    >>> sorted(_long_words("no running or jumps"))
    ['jump', 'running']
    """
    return {one.removesuffix("s") for one in re.findall(r"[^\W\d_]{4,}", folded(text))}


def _with_other_name(found: "re.Match[str]", start: int, draw: Draw) -> str:
    """Return what a match has from *start* on, with another person in its group `name`."""
    tail = found.string[start:]
    if _NAME_OF not in found.re.groupindex or not found[_NAME_OF]:
        return tail
    first, last = (at - start for at in found.span(_NAME_OF))
    return tail[:first] + person(draw, found[_NAME_OF]) + tail[last:]


def _group(found: "re.Match[str]") -> str | int:
    """Return the group of a match that is replaced."""
    return _IT if _IT in found.re.groupindex else 0


def _cased(own: str, drawn: str) -> str:
    """Return *drawn* in the case of *own*, which is no title if a word of it is small."""
    if drawn != drawn.lower() and (not own.isupper() or _CODE.search(drawn)):
        return drawn  # its capitals are those of a name or a code
    if re.search(r" [a-z]", own):
        return drawn[:1].upper() + drawn[1:] if own[:1].isupper() else drawn
    return cased_like(own, drawn)


def _exchanged(
    own: str, words: Sequence[str], fit: Sequence[str], row: str, context: Context, draw: Draw
) -> str | None:
    """Return the one of *fit* that *own* is exchanged for among *words*; None if it is none.

    Where the page has several of *words*, each gets another that stands neither in these nor in
    *row*, what stays of the line.
    """
    pack = pack_of(draw.options)
    listed = next((one for one in words if folded(one) == folded(own)), None)
    listed = listed or next((one for one in words if says_the_same(one, own, pack)), None)
    if listed is None:
        return None
    purpose = f"{draw.entity} told"
    whole = {folded(one) for one in context.page.fact(_OwnValues(draw.entity))}
    for there in (whole, _on_line(context, draw.entity)):  # a page may have more than are left
        peers = [one for one in words if one == listed or folded(one) in there]
        free = [
            one
            for one in words
            if one not in peers
            and folded(one) not in whole
            and not _stands_in(one, row)
            and not any(says_the_same(one, peer, pack) for peer in peers)
        ]
        if len(peers) > 1 and len(free) >= len(peers):
            free.sort(key=lambda one: draw.keyring.chance(purpose, one).below(1 << 32))
            return free[(peers.index(listed) + draw.attempt) % len(free)]
    return draw.exchanged(purpose, words, listed, fit.__contains__)


def _on_line(context: Context, entity: str) -> frozenset[str]:
    """Return the folded values of *entity* on the line of *context*."""
    text = context.page.text
    start, end = line_at(text, context.start, context.end)
    return frozenset(
        folded(text[one.start : one.end])
        for one in context.page.findings
        if one.entity == entity and start <= one.start and one.end <= end
    )


def _stands_in(term: str, row: str) -> bool:
    """Tell whether *row* has the words of *term*."""
    return re.search(rf"\b{re.escape(folded(term))}\b", row) is not None


def _nearest(own: str, words: Sequence[str], draw: Draw) -> str:
    """Draw one of *words* for *own*: the same from other words that have it, in most cases."""
    purpose = f"{draw.entity} told"
    at = draw.attempt
    return min(
        words, key=lambda one: draw.keyring.chance(purpose, f"{own} {one}", at).below(1 << 32)
    )


def _dated(written: Sequence[str]) -> tuple[tuple[str, ...], dict[str, list[tuple[int, int]]]]:
    """Return the words of *written*, and the years of those that have some.

    >>> _dated(["Ford 1976-1979", "Clinton 1992-1999", "Clinton 2016-", "none"])[1]
    {'Ford': [(1976, 1979)], 'Clinton': [(1992, 1999), (2016, 9999)]}
    """
    years: dict[str, list[tuple[int, int]]] = {}
    words = []
    for one in written:
        found = _YEARS.fullmatch(one)
        words.append(found["word"] if found else one)
        if found:
            own = int(found["since"] or 0), int(found["until"] or 9999)
            years.setdefault(found["word"], []).append(own)
    return tuple(dict.fromkeys(words)), years


class _File:
    """Read a file of rules; each error message names it."""

    def __init__(
        self, name: str, data: Mapping[str, Any], pack: Pack, shared: "_File | None" = None
    ) -> None:
        self._name = name
        self._pack = pack
        self._check(data, _KEYS if shared else _SHARED_KEYS, "the file")
        check_language(data, pack.overlay, f"phrases/told/{name}")
        self._words: dict[str, str] = dict(shared._words) if shared else {}
        for key, text in (data.get("words") or {}).items():
            self._words[key] = f"(?:{self._filled(text)})"
        own = {
            key: self._fact(f"fact {key}", one) for key, one in (data.get("facts") or {}).items()
        }
        self._facts: dict[str, Fact] = {**(shared._facts if shared else {}), **own}
        stays = data.get("stays")
        self.stays = self._expression(stays, "stays") if stays else None
        self._used: set[str] = set()
        self.rules = [self._rule(one) for one in data.get("rules") or ()]
        if shared and (unused := sorted(set(own) - self._used)):
            raise self.fail(f"no rule asks for the fact {unused[0]!r}")

    def compiled(self, name: str) -> re.Pattern[str] | None:
        """Return the expression of the words *name*; None without them."""
        return self._expression(self._words[name], name) if name in self._words else None

    def _fact(self, name: str, data: Any) -> Fact:
        entities = {one for one in data if _ENTITY.fullmatch(str(one))} if data else set()
        places = dict(
            self._check(data, {*_RAW, *_STAYING, _NAMED, _OWN, _COUNTRY, _PEOPLE, *entities}, name)
        )
        named = str(places.pop(_NAMED, ""))
        country = str(places.pop(_COUNTRY, ""))
        of_names = frozenset(str(places.pop(_PEOPLE, "")).split())
        if named and named not in _STAYING:
            raise self.fail(f"{name}: `{_NAMED}` is none of {sorted(_STAYING)}")
        found = {place: self._expression(text, name, place) for place, text in places.items()}
        return Fact(found, named, country, of_names)

    def _rule(self, data: Any) -> Rule:
        self._check(data, _RULE_KEYS, "a rule")
        written = data.get("write") or ()
        texts = isinstance(written, list | tuple) and all(isinstance(one, str) for one in written)
        if not texts or len(written) == 1:
            raise self.fail("`write` of a rule is not a list of several texts")
        words, years = _dated(written)
        return Rule(
            self._expression(data.get("value"), "a rule"),
            self._named(data.get("told")),
            self._named(data.get("all")),
            self._named(data.get("unless")),
            words,
            years,
            *(data.get(one) is True for one in _FLAGS),
        )

    def _named(self, names: Any) -> tuple[Fact, ...]:
        if unknown := [one for one in names or () if one not in self._facts]:
            raise self.fail(f"no fact {unknown[0]!r}; there are {sorted(self._facts)}")
        self._used.update(names or ())
        return tuple(self._facts[one] for one in names or ())

    def _expression(self, text: Any, where: str, place: str = "") -> re.Pattern[str]:
        try:
            filled = self._filled(text)
            return re.compile(rf"(?:{filled})\Z" if place == "before" else filled, re.IGNORECASE)
        except (re.error, TypeError) as error:
            raise self.fail(f"{where}: bad expression: {error}") from None

    def _filled(self, text: str) -> str:
        def word(found: "re.Match[str]") -> str:
            if found["column"]:
                return f"(?:{alternation(self._cells(found['word'], found['column']))})"
            if found["word"] not in self._words:
                raise self.fail(f"no words {found['word']!r}; there are {sorted(self._words)}")
            return self._words[found["word"]]

        return _NAME.sub(word, text)

    def _cells(self, table: str, column: str) -> tuple[str, ...]:
        """Return what stands in a column of a table of the gazetteers."""
        listed = rows(table, self._pack)
        if column not in listed[0]:
            raise self.fail(f"table {table} has no column {column!r}")
        return tuple(one for row in listed for one in row[column].split("|") if one)

    def _check(self, data: Any, allowed: set[str], where: str) -> Mapping[str, Any]:
        if not isinstance(data, dict):
            raise self.fail(f"{where} is not a mapping")
        if unknown := sorted(set(map(str, data)) - allowed):
            raise self.fail(f"{where}: unknown key {unknown[0]!r}; there are {sorted(allowed)}")
        return data

    def fail(self, problem: str) -> PackError:
        return PackError(f"phrases/told/{self._name}", problem)


@lru_cache(maxsize=64)
def told_forms(entity: str, pack: Pack) -> tuple[Told, ...]:
    """Return the form by ``told/ENTITY.yaml``; none without it, or for a pack's own phrases.

    Raises:
        PackError: The file is invalid.
    """
    name = f"{entity.lower()}.yaml"
    item, phrases = pack.file(f"{FOLDER}/{name}"), pack.file(f"{PHRASES}/{name}")
    if item is None or (phrases and pack.is_own(phrases) and not pack.is_own(item)):
        return ()
    found = _File(item.name, load(item), pack, told_shared(pack))
    return (Told(entity, found.stays, found.rules),)


@lru_cache(maxsize=16)
def told_words(entity: str, name: str, pack: Pack) -> re.Pattern[str] | None:
    """Return the expression of the words *name* of ``told/ENTITY.yaml``; None without them.

    Raises:
        PackError: The file is invalid.
    """
    item = pack.file(f"{FOLDER}/{entity.lower()}.yaml")
    if item is None:
        return None
    return _File(item.name, load(item), pack, told_shared(pack)).compiled(name)


@lru_cache(maxsize=8)
def told_shared(pack: Pack) -> _File:
    """Return the words and facts of all files: none, if the pack has no such file.

    Raises:
        PackError: The file is invalid.
    """
    name = f"{SHARED}.yaml"
    item = pack.file(f"{FOLDER}/{name}")
    return _File(name, load(item) if item else {}, pack)
