"""Let nationalities, descents, birthplaces and towns abroad of a page follow one map of nations.

What agrees on a page agrees afterwards, and what differs goes on to differ. The new nation fits
what stays: the year, the names beside its values, which keep their origin, and towns are drawn
of it where the page needs them.
``operators/gazetteers/peoples.tsv`` says which names a nation's people have.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Keyring
from presidio_cdip.surrogates.drawing.context import Context, Finding, Page, blanked, context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import pack_of, rows
from presidio_cdip.surrogates.places.atlas import US, country_of_locale, letters, load_atlas
from presidio_cdip.surrogates.places.countries import PagePlaces, page_places
from presidio_cdip.surrogates.places.place_grammar import read_parts
from presidio_cdip.surrogates.values.nations_met import MetOn, becomes_citizen
from presidio_cdip.surrogates.values.setting import (
    ENGLISH_NAMES,
    FITS,
    PEOPLE,
    around,
    has_english_name,
    last_year,
    marks_of_row,
    told_at,
)
from presidio_cdip.surrogates.writing.text import folded, line_at

NATIONALITY, DESCENT = "NATIONALITY", "ETHNIC_ORIGIN"
TABLES = ("nations", "descents")
"""Gazetteers whose rows follow the map."""

_ORIGINAL = "~"  # before a spelling that is read and not written
CODE, ABBREVIATION = "code", "abbreviation"
_LONGEST_CODE = 4
_CODES = (CODE, "short", ABBREVIATION)
_WORDS_OF_CODES = frozenset({"US", "UK", "NZ", "UAE"})  # that are written before "citizen"
_ADJECTIVE, _BOTH, _COUNTRY = "adjective", "both", "country"
_FORMAL, _TITLE, _RULER = "formal", "title", "ruler"
_OF_STATE = (_FORMAL, _TITLE, _RULER)  # columns whose spellings are of a time
_FEW = 3  # nations from which one is drawn; with fewer, less must fit
_TRIES = 256
_ALWAYS = 0, 9999  # the years of what has none
_UNKNOWN_YEARS = 1965, 2005  # in which a nation must have existed where no year is told
_SELDOM = 6  # a nation few of whose people lived abroad then is drawn once in so many times
_BESIDE = 60  # characters between two values that are said of one person
_OF_RECORD = 250  # characters between the fields of one person
_RELATIVES = (one for one in english().labels["relatives"] if one not in english().labels["sexes"])
# "Mother's birthplace", and no label of the form's own person behind it
_OF_RELATIVE = re.compile(rf"(?i)\b(?:{'|'.join(_RELATIVES)})['’]?s?\b[^\n.;]{{0,30}}\Z")
_LONG_LABEL = 40  # characters before a value in which its label stands
_NEAR = 120  # characters beside a value that speak of the same person
_OF_DOMINIONS = frozenset({"anglo"})
_OF_SETTLERS = frozenset({"anglo", "north", "east", "south"})  # whose families took English names
_WORDS = re.compile(  # "U. S." before "citizen", "S. Afr."
    r"[A-Z]\.(?: ?[A-Z]\b\.?)+|[^\W\d_]+(?:[.'’-] ?[^\W\d_]+)*\.?"
)
_NAMES = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+){0,3}")
_LABEL = 30  # characters before a value in which its label ends
_LONGEST = 6  # words of a name of a nation
_NOW = re.compile(r"(?i)\b(?:now|at (?:present|this time))\b")  # when the page was written
_NOUN = re.compile(r" [a-z]")  # behind an adjective
_SUBJECT = re.compile(r"(?i)\bsubjects?\b")
_DOMINIONS_UNTIL = 1948  # until then their people were British subjects
_CROWN = "United Kingdom"
_SPEAKS_NO_ENGLISH = re.compile(
    r"(?i)\b(?:little|no|poor|broken|limited|not much|hardly any)\s+English\b(?!\s+(?:blood|stock))"
    r"|\bspeaks? no English\b|\binterpret(?:er|ed|ers|ing)\b"
)
_NO_INTERPRETER = re.compile(
    r"(?i)\bno interpreter|\binterpreter[\s:.]{1,8}(?:none|no|not|nil|n/?a)\b"
)
_SAID_BEFORE = re.compile(
    r"(?i)\b(?:race|(?:nationality|citizenship)(?: claimed)?|citizen of|subject of|native of"
    r"|born in|ethnicity|ethnic (?:group|origin)|country(?: of (?:birth|origin))?|languages?"
    r"|mother tongue|speaks(?: only)?|spoke(?: only)?|reads?)[\s.:_]{1,12}(?:yes, )?(?:the )?\Z"
)
_SAID_BEHIND = re.compile(
    r"(?i)\s(?:citizen|national|passport|nationality|citizenship|consul|consulate|embassy)s?\b"
)
_ARTICLE = re.compile(r"(?i)\b(?:an?|the|one|every|another|this|that|two|three|first)\s\Z")


@dataclass(frozen=True, slots=True)
class People:
    """A nation of the gazetteers.

    Attributes:
        nation: Its name, of ``nations.tsv``.
        state: The nation that it is a part or a former name of, or else itself.
        names: The origins that most of its people's names have.
        also: Those with the origins that many have, too.
        abroad: First and last years of the times in which many of them lived elsewhere.
        peoples: The peoples in it, besides that of its name.
        since: The first year of its existence.
        until: The last.
        tags: Its part of the world.
        written: The spellings by column, without those that are only read.
        has_towns: Whether towns can be drawn of it.
    """

    nation: str
    state: str
    names: frozenset[str]
    also: frozenset[str]
    abroad: tuple[tuple[int, int], ...]
    peoples: tuple[str, ...]
    since: int
    until: int
    tags: frozenset[str]
    written: Mapping[str, tuple[str, ...]] = field(repr=False, compare=False, hash=False)
    has_towns: bool

    @property
    def is_state(self) -> bool:
        """Tell whether it is no part of another nation; former names are none."""
        return self.state == self.nation or (self.since, self.until) != _ALWAYS

    def goes_abroad(self, year: int) -> bool:
        """Tell whether many of its people lived elsewhere in *year*, or ever if that is 0."""
        return any(not year or since <= year <= until for since, until in self.abroad)

    def cell(self, column: str) -> tuple[str, ...]:
        """Return the spellings for *column*; an adjective where it has no word for both."""
        return self.written.get(column) or (
            self.written.get(_ADJECTIVE, ())[:1] if column == _BOTH else ()
        )


@lru_cache(maxsize=8)
def peoples(pack: Pack) -> Mapping[str, People]:
    """Return the nations by the name of their row."""
    atlas = load_atlas(pack)
    more = {row["nation"]: row for row in rows("peoples", pack)}
    found = {}
    for row in rows("nations", pack):
        cells = {column: cell.split("|") for column, cell in row.items() if column != FITS}
        marks = marks_of_row((), row[FITS], "nations", pack)
        own = more.get(row["nation"], {})
        names = frozenset(own.get("names", "").split())
        found[row["nation"]] = People(
            row["nation"],
            own.get("state") or row["nation"],
            names,
            names | frozenset(own.get("also", "").split()),
            tuple(
                (int(since or 0), int(until or 9999))
                for one in own.get("abroad", "").split()
                for since, _, until in [one.partition("-")]
            ),
            tuple(filter(None, own.get("peoples", "").split("|"))),
            marks.since,
            marks.until,
            dict(marks.tags).get(PEOPLE, frozenset()),
            {
                column: tuple(one for one in cell if one and one[0] != _ORIGINAL)
                for column, cell in cells.items()
            },
            atlas.has_towns(row["nation"])
            and letters(row["nation"]) not in atlas.states
            and folded(row["nation"]) not in atlas.american,
        )
    return found


@lru_cache(maxsize=8)
def _drawn(pack: Pack) -> tuple[People, ...]:
    """Return the nations that can be drawn."""
    listed = {row["nation"] for row in rows("peoples", pack)}
    return tuple(
        one for one in peoples(pack).values() if one.nation in listed and one.cell(_ADJECTIVE)
    )


@lru_cache(maxsize=8)
def _words(pack: Pack) -> Mapping[str, tuple[str, frozenset[str]]]:
    """Return the nation that each folded word names, and the columns that have the word."""
    found: dict[str, tuple[str, frozenset[str]]] = {}
    for row in rows("nations", pack):
        for column, cell in row.items():
            for one in cell.split("|") if column != FITS else ():
                key = folded(one.removeprefix(_ORIGINAL)).rstrip(".")
                nation, columns = found.get(key, (row["nation"], frozenset()))
                if key and nation == row["nation"]:
                    # A nation that nobody rules is written by its name in full.
                    found[key] = nation, columns | {_FORMAL if column in _OF_STATE else column}
    atlas = load_atlas(pack)
    for key, country in atlas.countries.items():
        if (name := folded(country)) in found:
            found.setdefault(key, (found[name][0], frozenset((_COUNTRY,))))
    for row in rows("descents", pack):
        for column, cell in row.items():
            for one in cell.split("|") if column not in (FITS, "descent") else ():
                key = folded(one.removeprefix(_ORIGINAL))
                if (name := folded(row["descent"])) in found:
                    found.setdefault(key, (found[name][0], frozenset((column,))))
    return found


def nation_of(text: str, pack: Pack) -> str:
    """Return the nation that all of *text* names; empty if it names none."""
    found = _words(pack).get(folded(text).rstrip("."))
    return found[0] if found else ""


def _named_in(value: str, pack: Pack) -> Iterator[tuple[str, frozenset[str], int]]:
    """Yield the nations that *value* names, with the columns of its words, and where they end."""
    known = _words(pack)
    whole = folded(value).rstrip(".")
    if whole in known:
        yield *known[whole], len(value)
        return
    words = list(_WORDS.finditer(value))
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            text = value[words[at].start() : words[at + size - 1].end()]
            found = known.get(folded(text).rstrip("."))
            is_name = text[0].isupper() or value.islower()
            if found and is_name and not found[1] <= frozenset(_CODES):
                yield *found, words[at + size - 1].end()
                at += size - 1
                break
        at += 1


def is_of_relative(text: str, start: int) -> bool:
    """Tell whether a label gives the value at *start* of *text* to a relative."""
    return _OF_RELATIVE.search(text, max(0, start - _LONG_LABEL), start) is not None


@dataclass(frozen=True, slots=True)
class _Mention:
    """A value of a page that names a nation, or lies in it.

    Attributes:
        finding: The value.
        nation: The nation.
        columns: Of these columns of ``nations.tsv`` one must have a word; empty for a place.
        is_noun: Whether the word stands for a person.
    """

    finding: Finding
    nation: str
    columns: frozenset[str]
    is_noun: bool


@dataclass(frozen=True, slots=True)
class _Told:
    """Find the nations of a page: a fact of `Page.fact`."""

    pack: Pack
    locale: str

    def __call__(self, page: Page) -> "_Nations":
        options = {"pack": self.pack, "locale": self.locale, "context": Context(page, 0, 0)}
        places, known = page_places(options), peoples(self.pack)
        found: dict[str, list[_Mention]] = {}
        mentions = [*self._in_values(page)]
        stated = {known[one.nation].state for one in mentions if one.finding.entity == NATIONALITY}
        for one, country in places.found:
            if ((country and country != US) or one.entity == "PLACE_OF_BIRTH") and (
                nation := nation_of(country, self.pack)
            ):
                stays = country in places.staying or (country == US and not places.leaving)
                if not stays:
                    mentions.append(_Mention(one, nation, frozenset(), False))
        stated |= {known[one.nation].state for one in mentions if not one.columns}
        staying = {nation_of(one, self.pack) for one in places.staying} - {""}
        mentions = [
            one
            for one in mentions
            if one.finding.entity != DESCENT
            or known[one.nation].state in stated
            or not _lives_in(page.text[one.finding.start : one.finding.end], stated, self.pack)
        ]
        for mention in sorted(mentions, key=lambda one: one.finding.start):
            found.setdefault(known[mention.nation].state, []).append(mention)
        rest = blanked(page)
        named = {
            known[nation].state for nation, columns, _ in _named_in(rest, self.pack) if columns
        }
        homes = {nation_of(one, self.pack) for one in (places.home, country_of_locale(self.locale))}
        said = {*self._said(rest, homes), *self._of_addresses(page)}
        said -= {US, _CROWN, "", nation_of(country_of_locale(self.locale), self.pack)}
        at_home = self._born_at_home(page, places)
        said |= {*self._of_citizens(page, rest, mentions, at_home)}
        named |= staying | homes
        return _Nations(
            found, frozenset(named) - {""}, frozenset(staying), frozenset(said), at_home,
            nation_of(page.fact(MetOn(self.pack, self.locale)).country, self.pack),
        )  # fmt: skip

    def _born_at_home(self, page: Page, places: PagePlaces) -> Sequence[int]:
        """Return where the birthplaces of *page* start that stay in its country."""
        home = page.fact(MetOn(self.pack, self.locale)).country
        if home not in places.staying and (home != US or places.leaving):
            return ()
        return [
            one.start
            for one, country in places.found
            if one.entity == "PLACE_OF_BIRTH"
            and country == home
            and not is_of_relative(page.text, one.start)
        ]

    def _of_citizens(
        self, page: Page, rest: str, mentions: Sequence[_Mention], at_home: Sequence[int]
    ) -> Iterator[str]:
        """Yield the state of *page* where it tells that somebody is or becomes its citizen."""
        met, known = page.fact(MetOn(self.pack, self.locale)), peoples(self.pack)
        home = nation_of(met.country, self.pack)
        for one in mentions:
            if one.finding.entity != NATIONALITY or known[one.nation].state != home:
                continue
            start, end = one.finding.start, one.finding.end
            is_near = any(abs(at - start) < _OF_RECORD for at in at_home)
            text = rest[:start] + page.text[start:end]  # "become a citizen of" may be of the value
            names = (start, *(found.start() for found in _NAMES.finditer(text, start)))
            if met.of_citizens or is_near or any(becomes_citizen(text, at) for at in names):
                yield home

    def _of_addresses(self, page: Page) -> Iterator[str]:
        """Yield the states that addresses name whose country stays, since no place is read."""
        atlas, known = load_atlas(self.pack), peoples(self.pack)
        for one in page.findings:
            value = page.text[one.start : one.end]
            nation = nation_of(value.rpartition(",")[2], self.pack)
            if one.entity == "HOME_ADDRESS" and nation and read_parts(value, atlas) is None:
                yield known[nation].state

    def _said(self, text: str, homes: Collection[str]) -> Iterator[str]:
        """Yield the states that *text* says of a person: "Race: Mexican", "a Greek citizen".

        A form's questions may name those of *homes*: "Are you a Canadian citizen?".
        """
        known = peoples(self.pack)
        for one in _NAMES.finditer(text):
            for nation, _, end in _named_in(one.group(), self.pack):
                at = one.start() + (end or len(one.group()))
                before = text[max(0, one.start() - _LABEL) : one.start()]
                state = known[nation].state
                is_behind = state not in homes and _SAID_BEHIND.match(text, at)
                if is_behind or _SAID_BEFORE.search(before):
                    yield state

    def _in_values(self, page: Page) -> Iterator[_Mention]:
        """Yield the nations that nationalities and descents of *page* name."""
        for one in page.findings:
            if one.entity not in (NATIONALITY, DESCENT):
                continue
            value = page.text[one.start : one.end]
            for nation, columns, end in _named_in(value, self.pack):
                before = page.text[max(0, one.start - 12) : one.start] + value[: end or None]
                word = before[: len(before) - len(value[:end])] + _lead(value[:end])
                after = page.text[one.start + end : one.start + end + 2]
                is_noun = bool(_ARTICLE.search(word)) and not _NOUN.match(after)
                yield _Mention(one, nation, columns, is_noun)


def _lead(text: str) -> str:
    """Return the article that *text* begins with, and its blank."""
    found = re.match(r"(?i)(?:an?|the)\s", text)
    return found.group() if found else ""


@dataclass(frozen=True, slots=True)
class _Nations:
    """What a page tells of nations.

    Attributes:
        mentions: By state, in the page's order, where values name it or lie in it.
        named: Nations that the page names beside its values, or in which it was written.
        staying: Nations in which places stay.
        said: States that the page says of a person beside its values; they stay.
        born_at_home: Where birthplaces start that stay in the page's country.
        home: That country, if it is a nation.
    """

    mentions: Mapping[str, Sequence[_Mention]]
    named: frozenset[str]
    staying: frozenset[str]
    said: frozenset[str]
    born_at_home: Sequence[int]
    home: str

    @property
    def all(self) -> Sequence[str]:
        """Return the nations of its values and those that stay."""
        return (*self.mentions, *sorted(self.staying))

    @property
    def stated(self) -> Iterator[tuple[int, str]]:
        """Yield where nationalities and places name which nation."""
        for state, mentions in self.mentions.items():
            for one in mentions:
                if one.finding.entity != DESCENT:
                    yield one.finding.start, state


@dataclass(frozen=True, slots=True)
class _Map:
    """Draw the nations that replace those of a page: a fact of `Page.fact`."""

    keyring: Keyring
    pack: Pack

    def __call__(self, page: Page) -> dict[str, Sequence[People]]:
        told = page.fact(_Told(self.pack, self.keyring.locale))
        found: dict[str, Sequence[People]] = {}
        known = peoples(self.pack)
        for state in told.mentions:
            if state in told.said and state in known:
                found[state] = (known[state],)
                continue
            drawn = {one: order[0] for one, order in found.items()}
            found[state] = self.order(page, state, drawn)
        return found

    def order(
        self,
        page: Page,
        state: str,
        drawn: Mapping[str, People],
        at: Sequence[Context] = (),
    ) -> Sequence[People]:
        """Return the nations that can replace *state* on *page*, the drawn one first.

        Args:
            page: The page.
            state: A nation, or what else is replaced.
            drawn: By state the nations that replace others.
            at: Where it stands, if that is no nation of the page.
        """
        told = page.fact(_Told(self.pack, self.keyring.locale))
        fit, year = self._fit(page, state, drawn, told, at)
        chance = self.keyring.chance(NATIONALITY, f"nation {state}")
        listed, wanted = _drawn(self.pack), set(fit)
        tries = (chance.choice(listed) for _ in range(_TRIES))
        met = page.fact(MetOn(self.pack, self.keyring.locale)).nations(year)
        first = next(
            (
                one
                for one in tries
                if one in wanted
                and (one.nation in met or one.goes_abroad(year) or not chance.below(_SELDOM))
            ),
            None,
        )
        begin = fit.index(first) if first else chance.below(len(fit))
        return (*fit[begin:], *fit[:begin])

    def _tags_near(self, told: _Nations, state: str, drawn: Mapping[str, People]) -> frozenset[str]:
        """Return the parts of the world of the nation that replaces a neighbour beside *state*.

        So what lies in one part of the world, as a birthplace in what was another state, does so
        afterwards.
        """
        known = peoples(self.pack)
        for one in told.mentions.get(state, ()):
            for other, new in drawn.items():
                if not known[other].tags & known[state].tags:
                    continue
                if any(
                    abs(one.finding.start - mention.finding.start) < _BESIDE
                    for mention in told.mentions[other]
                ):
                    return new.tags
        return frozenset()

    @staticmethod
    def _needs_interpreter(context: Context) -> bool:
        """Tell whether the lines around *context* say that a person there has little English."""
        text = context.page.text
        first, last = line_at(text, context.start, context.end)
        line = text[max(first, context.start - _NEAR) : min(last, context.end + _NEAR)]
        return bool(_SPEAKS_NO_ENGLISH.search(line)) and not _NO_INTERPRETER.search(line)

    def _fit(
        self,
        page: Page,
        state: str,
        drawn: Mapping[str, People],
        told: _Nations,
        there: Sequence[Context],
    ) -> tuple[Sequence[People], int]:
        """Return the nations that fit what the page tells of *state*, and the year there."""
        mentions = told.mentions.get(state, ())
        own = peoples(self.pack).get(state)
        draw = Draw(self.keyring, NATIONALITY, state, 0, {"pack": self.pack})
        at = [Context(page, one.finding.start, one.finding.end) for one in mentions] or there
        seen = [around(draw, one) for one in at]
        year = next((one.year for one in seen if one.year), 0)
        people = next((one.people for one in seen if one.people), "")
        counts = Counter(origin for one in seen for origin in one.origins[:1])
        origins = [one for one, _ in counts.most_common()]
        columns = {one.columns for one in mentions if one.columns}
        formal = frozenset((_FORMAL,)) in columns
        nouns = any(one.is_noun for one in mentions)
        placed = any(not one.columns for one in mentions)
        texts = [page.text[one.start : one.end + _LABEL] for one in at]
        of_crown = any(map(_SUBJECT.search, texts)) and 0 < year <= _DOMINIONS_UNTIL
        foreign = any(self._needs_interpreter(one) for one in at)
        taken = {one.state for one in drawn.values()}
        near = self._tags_near(told, state, drawn)
        of_descent = {one.finding.entity for one in mentions} == {DESCENT}
        there_met = page.fact(MetOn(self.pack, self.keyring.locale))
        met = there_met.ancestors(year) if of_descent else there_met.nations(year)
        if there_met.is_of_kind(year):  # whose persons come from there, whatever their names
            named = Counter(name for one in met for name in peoples(self.pack)[one].names)
            origins, people = [one for one in origins if named[one] >= _FEW], ""

        def can(one: People) -> bool:
            return (
                (one.nation != US and one.until == _ALWAYS[1] if of_descent else one.is_state)
                and one.state != state
                and one.state not in taken
                and (not placed or one.has_towns)
                and not (nouns and _BOTH in frozenset().union(*columns) and not one.written[_BOTH])
                and all(any(one.cell(column) for column in any_of) for any_of in columns)
                and (not formal or _has_form(one.nation, year, self.pack))
            )

        found = [one for one in _drawn(self.pack) if can(one)]
        tests: list[Callable[[People], bool]] = []  # the last is left out first
        first_year, last_year = (year, year) if year else _UNKNOWN_YEARS
        tests.append(lambda one: one.since <= first_year and last_year <= one.until)
        tests.append(lambda one: one.state not in told.mentions)
        if of_crown and state == _CROWN:  # whose subjects stay so
            tests.append(lambda one: bool(one.tags & _OF_DOMINIONS))
        elif of_crown:
            tests.append(lambda one: ENGLISH_NAMES not in one.names)
        if foreign or (of_crown and state != _CROWN):
            origins = [one for one in origins if one != ENGLISH_NAMES]
        if near:
            tests.append(lambda one: not near.isdisjoint(one.tags))
        if foreign:
            tests.append(lambda one: ENGLISH_NAMES not in one.also)
        if of_descent and set(origins) == {ENGLISH_NAMES}:  # as families of any settlers have
            tests.append(lambda one: bool(one.tags & _OF_SETTLERS) and bool(one.abroad))
            origins = []
        elif of_descent and not origins and not people and own and own.tags & _OF_SETTLERS:
            tests.append(lambda one: bool(one.tags & _OF_SETTLERS) and one.goes_abroad(year))
        first = origins[0] if origins else ""
        if people and first in ("", ENGLISH_NAMES):
            tests.append(lambda one: people in one.tags)
        # Elsewhere families of other peoples seldom took English names.
        foreign_page = there_met.country != US
        english = sum(has_english_name(one, self.pack) for one in at)
        if first == ENGLISH_NAMES and 2 * english > len(at) and not of_descent and foreign_page:
            tests.append(lambda one: ENGLISH_NAMES in one.names)
        if met and first in ("", ENGLISH_NAMES):
            tests.append(lambda one: one.nation in met)
        if origins:
            tests.append(lambda one: first in one.also)
            tests.append(lambda one: not people or people in one.tags)
        if met and first not in ("", ENGLISH_NAMES):
            tests.append(lambda one: one.nation in met)
        if origins:
            tests.append(lambda one: one.also.issuperset(origins))
            tests.append(lambda one: first in one.names)
        tests.append(lambda one: one.nation not in told.named and one.state not in told.named)
        if origins:
            tests.append(lambda one: one.names.issuperset(origins))
        for test in tests:
            fewer = [one for one in found if test(one)]
            found = fewer if len(fewer) >= _FEW else found
        return found, year


def is_said(context: Context, options: Mapping[str, Any]) -> bool:
    """Tell whether the value at *context* names a nation that its page says beside its values."""
    pack = pack_of(options)
    told = context.page.fact(_Told(pack, str(options.get("locale", "en_US"))))
    if not told.said:
        return False
    value, known = context.page.text[context.start : context.end], peoples(pack)
    return any(known[one].state in told.said for one, _, _ in _named_in(value, pack))


def is_born_at_home(context: Context, options: Mapping[str, Any]) -> bool:
    """Tell whether a birthplace near *context* stays in the country of its page."""
    told = context.page.fact(_Told(pack_of(options), str(options.get("locale", "en_US"))))
    return any(abs(at - context.start) < _OF_RECORD for at in told.born_at_home)


def new_nation(draw: Draw, nation: str, as_place: bool = False) -> People | None:
    """Return the nation that replaces *nation* on the page of *draw*; None if it has no page.

    Args:
        draw: Of the value.
        nation: A row of ``nations.tsv``.
        as_place: Whether it is for a place, whose other attempts draw other towns of one nation.
    """
    context = context_of(draw.options)
    pack = pack_of(draw.options)
    known = peoples(pack)
    if context is None or nation not in known:
        return None
    state = known[nation].state
    maker = _Map(draw.keyring, pack)
    found = context.page.fact(maker)
    if state not in found:
        drawn = {one: order[0] for one, order in found.items()}
        found[state] = maker.order(context.page, state, drawn, [context])
    order = found[state]
    return order[0] if as_place else order[draw.attempt % len(order)]


def country_on_page(draw: Draw, country: str) -> str:
    """Return the country that replaces *country* on the page of *draw*; empty if it has no page."""
    nation = nation_of(country, pack_of(draw.options))
    new = new_nation(draw, nation, as_place=True)
    if new and new.nation == nation:  # of citizens who are told, and so born there
        return country
    return new.nation if new and new.has_towns else ""


def shortened(text: str, column: str, options: Mapping[str, Any], draw: Draw | None = None) -> str:
    """Return how *column*, of codes or abbreviations, writes what replaces the nation of *text*.

    Without a *draw* it writes the nation itself. It is empty if *text* is not listed there.
    """
    pack = pack_of(options)
    nation, columns = _words(pack).get(folded(text).rstrip("."), ("", frozenset()))
    is_whole = len(text) > _LONGEST_CODE and not text.endswith(".")  # "Malay" is a people
    is_word = column != CODE and not columns <= frozenset(_CODES)  # "Finn"
    if column not in columns or is_whole or is_word:
        return ""
    new = new_nation(draw, nation) if draw else peoples(pack)[nation]
    return next(iter(new.cell(column)), "") or text if new else ""


def is_people(people: str, options: Mapping[str, Any]) -> bool:
    """Tell whether *people* is no nation, and lives in one that the page of *options* has."""
    context, pack = context_of(options), pack_of(options)
    if context is None or not (own := _nations_with(folded(people), pack)):
        return False
    told = context.page.fact(_Told(pack, str(options.get("locale", "en_US"))))
    nation = nation_of(people, pack)
    is_part = nation and folded(people) in map(folded, peoples(pack)[nation].peoples)
    if nation and not is_part and peoples(pack)[nation].state in told.mentions:
        return False
    return any(one in own for one in told.all) or (not nation and told.home in own)


def people_of(draw: Draw, people: str) -> str:
    """Return a people of the nation that replaces the one of *people*, which is a part of it.

    It is empty if the page has no such nation.
    """
    context, pack = context_of(draw.options), pack_of(draw.options)
    if context is None:
        return ""
    told = context.page.fact(_Told(pack, draw.keyring.locale))
    own = _nations_with(folded(people), pack)
    return _people_in(draw, next((one for one in (*told.all, told.home) if one in own), ""), people)


def people_here(draw: Draw) -> str:
    """Return a people for the value of *draw*, whose own people is unknown.

    It is of the nation that replaces the page's nation before the value, or else of one whose names
    stand near it. It is empty if the page tells neither.
    """
    context, pack = context_of(draw.options), pack_of(draw.options)
    if context is None:
        return ""
    told = context.page.fact(_Told(pack, draw.keyring.locale))
    known = peoples(pack)
    value = context.page.text[context.start : context.end]
    if named := next(_named_in(value, pack), None):
        new = new_nation(draw, named[0])
        return new.cell(_ADJECTIVE)[0] if new else ""
    near = [(abs(context.start - at), state) for at, state in told.stated if known[state].peoples]
    state = min(near)[1] if near else next((one for one in told.staying if one), "")
    if not state and len(known[told.home].peoples if told.home else ()) > _FEW:
        state = told.home
    if state:
        return _people_in(draw, state, draw.normal)
    if not around(draw, context).origins:
        return ""
    maker = _Map(draw.keyring, pack)
    drawn = maker.order(context.page, draw.normal, {}, [context])
    return drawn[draw.attempt % len(drawn)].cell(_ADJECTIVE)[0]


def _people_in(draw: Draw, state: str, people: str) -> str:
    """Draw a people other than *people* of what replaces *state*, or of *state* if it stays."""
    context, pack = context_of(draw.options), pack_of(draw.options)
    if context is None or not state:
        return ""
    told = context.page.fact(_Told(pack, draw.keyring.locale))
    known = peoples(pack)
    stays = state in told.staying or (state == told.home and state not in told.mentions)
    new = known.get(state) if stays else new_nation(draw, state, as_place=True)
    if new is None:
        return ""
    others = [one for one in new.peoples if folded(one) != folded(people)]
    if len(others) < _FEW:
        others += new.cell(_ADJECTIVE)[:1]
    return draw.part(f"{DESCENT} people", folded(people)).choice(others)


def _lives_in(people: str, states: Collection[str], pack: Pack) -> bool:
    """Tell whether *people* is one of several in one of *states*: the Irish in Canada."""
    return not _nations_with(folded(people), pack).isdisjoint(states)


@lru_cache(maxsize=1024)
def _nations_with(people: str, pack: Pack) -> frozenset[str]:
    """Return the states in which the folded *people* live."""
    return frozenset(
        one.state for one in peoples(pack).values() if people in map(folded, one.peoples)
    )


def spelled(draw: Draw, table: str, row: str, column: str) -> tuple[str, ...]:
    """Return how *column* writes what replaces *row* of one of `TABLES`; nothing without a page."""
    context, pack = context_of(draw.options), pack_of(draw.options)
    if context is None:
        return ()
    nation = row if table == "nations" else nation_of(row, pack)
    if nation:
        new = new_nation(draw, nation)
        if new is None:
            return ()
        if column in _OF_STATE:
            now = _NOW.search(context.page.text, context.start, context.end + _LABEL)
            year = last_year(context.page, pack) if now else told_at(context, pack)[0]
            return (_of_state(new.nation, column, year, pack),)
        return new.cell(_ADJECTIVE if _is_odd(new, column, context) else column)
    found = people_of(draw, row)
    return (found,) if found and column in (_ADJECTIVE, _BOTH) else ()


@lru_cache(maxsize=8)
def _states(pack: Pack) -> Mapping[str, Sequence[tuple[int, int, Mapping[str, str]]]]:
    """Return by nation the first and last years of its names in full, and these."""
    found: dict[str, list[tuple[int, int, Mapping[str, str]]]] = {}
    for row in rows("nations_formal", pack):
        since, _, until = row["years"].partition("-")
        years = int(since or _ALWAYS[0]), int(until or _ALWAYS[1])
        found.setdefault(row["nation"], []).append((*years, row))
    return found


def _has_form(nation: str, year: int, pack: Pack) -> bool:
    """Tell whether *nation* had a name in full in *year*; one that is not listed always has."""
    states = _states(pack).get(nation, ())
    when = year or _UNKNOWN_YEARS[1]
    return not states or any(since <= when <= until for since, until, _ in states)


def _of_state(nation: str, column: str, year: int, pack: Pack) -> str:
    """Return how *nation* was called in full in *year*, or who ruled it; the latest if that is 0.

    One that nobody ruled has its name in full in any *column*.
    """
    when = year or _UNKNOWN_YEARS[1]
    of_time = (row for since, until, row in _states(pack).get(nation, ()) if since <= when <= until)
    row = next(of_time, {})
    formal = row.get(_FORMAL) or next(iter(peoples(pack)[nation].cell(_FORMAL)), "") or nation
    title = row.get(_TITLE, "")
    if column == _RULER:
        name = row.get(_RULER, "")
        return f"{name}, {title}" if name else f"the {title or formal}"
    return title or formal if column == _TITLE else formal


def _is_odd(new: People, column: str, context: Context) -> bool:
    """Tell whether nobody writes *column* of *new* before a word: "NZ citizen", "Cuba citizen"."""
    value = context.page.text[context.start : context.end]
    if column == _COUNTRY:
        return bool(_SAID_BEHIND.search(value))
    if column not in (CODE, "short"):
        return False
    return bool(_NOUN.search(value)) and _WORDS_OF_CODES.isdisjoint(new.cell(column))
