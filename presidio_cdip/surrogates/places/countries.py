"""Find the country that a place lies in: by its own parts, by its page, and by its name.

A page tells more than a value: a state or a postcode beside the same town, the country of other
places, a nationality, letters of another language. Without a page, the value alone decides.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, Finding, Page, blanked, context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import pack_of, rows, terms
from presidio_cdip.surrogates.places.address_grammar import read_address
from presidio_cdip.surrogates.places.address_parts import (
    Address,
    ForeignStreet,
    Region,
    State,
    TownName,
)
from presidio_cdip.surrogates.places.address_parts import Part as AddressPart
from presidio_cdip.surrogates.places.address_towns import CANADIAN
from presidio_cdip.surrogates.places.atlas import (
    US,
    Atlas,
    Town,
    country_of_letters,
    country_of_locale,
    load_atlas,
)
from presidio_cdip.surrogates.places.mentions import find_mentions
from presidio_cdip.surrogates.places.place_drawing import (
    draw_country,
    draw_district,
    draw_other,
    draw_town,
)
from presidio_cdip.surrogates.places.place_grammar import Part, read_parts
from presidio_cdip.surrogates.writing.text import folded, line_at

# Countries of the towns behind a street in that language: with and without a postcode of 4 digits.
_COUNTRIES = {
    "de": ("Germany", "Austria"), "nl": ("Netherlands", "Belgium"), "sv": ("Sweden", "Sweden"),
    "no": ("Norway", "Norway"), "fi": ("Finland", "Finland"), "fr": ("France", "Belgium"),
    "pt": ("Portugal", "Portugal"), "es": ("Spain", "Spain"), "it": ("Italy", "Italy"),
    "pl": ("Poland", "Poland"), "el": ("Greece", "Greece"), "sl": ("Slovenia", "Slovenia"),
    "hu": ("Hungary", "Hungary"), "be": ("Belarus", "Belarus"),
    "cy": ("United Kingdom", "United Kingdom"),
}  # fmt: skip
# Others with streets in that language.
_ALSO = {
    "de": {"Austria", "Switzerland", "Luxembourg", "Liechtenstein"},
    "fr": {
        *("Canada", "Belgium", "Switzerland", "Luxembourg", "Haiti", "Senegal", "Ivory Coast"),
        *("Congo", "Algeria", "Tunisia", "Morocco", "Lebanon", "Vietnam", "Cameroon", "Mali"),
        *("Madagascar", "Monaco", "Togo", "Benin", "Rwanda", "Burundi"),
    },
    "nl": {"Belgium", "Suriname", "South Africa", "Indonesia"},
    "pt": {"Brazil", "Angola", "Mozambique", "Cape Verde"},
    "es": {
        *("Mexico", "Cuba", "Argentina", "Chile", "Peru", "Colombia", "Venezuela", "Ecuador"),
        *("Bolivia", "Uruguay", "Paraguay", "Panama", "Costa Rica", "Nicaragua", "Honduras"),
        *("Guatemala", "El Salvador", "Dominican Republic", "Puerto Rico", "Philippines"),
    },
    "it": {"Switzerland"},
    "sv": {"Finland"},
    "el": {"Cyprus"},
}
# Countries whose streets have English names.
_AUSTRALIA = "Australia"
_ENGLISH = frozenset({US, "United Kingdom", "Ireland", "Canada", _AUSTRALIA, "New Zealand"})
# Countries that write as the British do, and whose streets may have English names.
_BRITISH_SPELLING = _ENGLISH - {US} | {
    *("India", "Pakistan", "Bangladesh", "Sri Lanka", "Burma", "Malaysia", "Singapore"),
    *("Hong Kong", "South Africa", "Zimbabwe", "Zambia", "Malawi", "Kenya", "Uganda", "Tanzania"),
    *("Ghana", "Nigeria", "Sierra Leone", "Gambia", "Botswana", "Lesotho", "Swaziland", "Namibia"),
    *("Jamaica", "Trinidad", "Barbados", "Bahamas", "Grenada", "Guyana", "Belize", "Fiji", "Malta"),
}
PLACES = ("HOME_ADDRESS", "PLACE_OF_BIRTH", "LOCATION")
# Kinds of parts that places have, too; other kinds show the country of their address.
PLACE_KINDS = frozenset({"town", "area", "county", "state", "country", "lead", "label"})

_MOST_WORDS = 3  # of one country that count
_MOST_SIGNS = 4  # that the institutions of one country count
_HEAD = re.compile(r"^.*[^\W\d_]{2}.*$", re.M)
_HEAD_LINES = 2  # which say where a page is from
_FEWEST = 2  # signs of a country that is not the locale's
# The weight of a sign of a country on the page.
_OF_ADDRESS, _OF_PLACE, _OF_TEXT = 3, 2, 1
_CAPITALIZED = re.compile(r"(?<![^\W_])[^\W\d_][^\W_]*(?:[-'’.][^\W_]+)*\.?")
# Offices of a county, where births, marriages and trials are on record
_COUNTY = re.compile(
    r"\b(?:County|Parish|Borough) (?:Court|Clerk|Recorder|Registrar|Health|Board|Records?|Probate"
    r"|Superior|Circuit|Register)(?![a-z])"
    r"|\b(?:Bureau|Division|Department) of (?:Vital|Health)\b"
)
_AMERICAN = re.compile(r"(?i)\b(?:American|U\.? ?S\.?(?: ?A\b\.?)?|United States)(?!\w)")
_COUNTY_LABEL = re.compile(r"(?i)\bcounty(?: of)?\s*:?\s+$")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NAMED_STATE = re.compile(  # "Green Bay, Wis.", "Keene, N. H.", "Boston, MA 02115"
    r"[A-Z][\w.'-]+,\s{1,2}(?!(?i:m\.? ?[da]|p\. ?a)\.)"
    r"([A-Z][a-z]+(?: [A-Z][a-z]+)?\b\.?|[A-Z]\. ?(?:[A-Z]|Va|Dak)\.|[A-Z]{2}(?= \d{5}))"
)
_IN_TOWN = re.compile(
    r"(?i)\b(?:in|at|of|from|near|to|and|south|north|east|west|outside)[ ,]{1,2}\Z"
)
_OFFICE = re.compile(
    r"(?i) (?:p\.?d|s\.?o|police|county|co|sheriff|district|superior|municipal|city|jail|court)\b"
)
_AREA_CODE = re.compile(r"(?<!\d)\(?([2-9]\d\d)(?:\) ?|[-./ ])\d{3}[-. ]\d{4}(?!\d)")
_YEAR = re.compile(r"(?<![\d.,/$£-])(1[6-9]\d\d|20[0-3]\d)(?![\d,])")
_LONG_STATE = 5  # letters of a state's name that counts alone: no "Miss", "Mass" or "Wash"
_SHORTEST = 4  # letters of a name
_MANY = 5  # towns of a country in which one who lives there stays
_OF_RECORD = 250  # characters between the fields of one person
_NEAR = 60  # characters from a town to its state
_FORM_LABELS = re.compile(rf"(?i)\b(?:{'|'.join(english().labels['labels_of_codes'])})\b")
_POSTCODES = (
    (re.compile(r"\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b"), "United Kingdom"),
    (re.compile(r"\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b"), "Canada"),
)


@dataclass(frozen=True, slots=True)
class PagePlaces:
    """Hold the places of a page.

    Attributes:
        towns: Countries by the folded names of the towns whose country the page tells.
        staying: Countries that keep their towns: those whose addresses stand on the page, and the
            page's own, if no place names it.
        home: Country of the towns of which nothing is known; empty if the page does not tell it.
        is_told: Whether the page tells *home*, which is that of the locale elsewhere.
        districts: Countries by the folded names of what stands before the town of an address: a
            suburb, a village.
        leaving: Folded names of US towns, without an address on the page, where somebody was born
            who is said to be a US citizen: they go with the nationality.
        nation: The only country whose nationality the page names; empty if there is none or more.
        said: The countries whose nationality it names, by offset.
        wholes: By the folded name of a town, the parts of the first value that has more than it.
        found: The places, each with its country.
        is_told: Whether the page tells its home, which is the locale's country else.
        named: The countries that several signs of the page name.
        states: Postal codes of states by the folded names of the page's US towns.
        told: Those of states that the text beside its findings and mentions names.
        part: The folded region of its home, not the US, that the text tells; may be empty.
        years: The first and the last year on the page; 0 and 9999 if it has none.
        fitting: The towns of a country that fit the page, once asked for.
        assigned: What replaces its US towns, by the key of the draw and the number of a candidate.
    """

    towns: Mapping[str, str] = field(default_factory=dict)
    staying: frozenset[str] = frozenset()
    home: str = ""
    districts: Mapping[str, str] = field(default_factory=dict)
    leaving: frozenset[str] = frozenset()
    nation: str = ""
    said: Sequence[tuple[int, str]] = ()
    wholes: Mapping[str, Sequence[Part]] = field(default_factory=dict)
    found: Sequence[tuple[Finding, str]] = ()
    is_told: bool = False
    named: frozenset[str] = frozenset()
    states: Mapping[str, str] = field(default_factory=dict)
    told: frozenset[str] = frozenset()
    part: str = ""
    years: tuple[int, int] = (0, 9999)
    fitting: dict[str, tuple[Town, ...]] = field(default_factory=dict, repr=False)
    assigned: dict[tuple[bytes, int], Mapping[str, Town]] = field(default_factory=dict, repr=False)

    @property
    def of_setting(self) -> str:
        """Return the country whose ways of life the page shows, of those that stay on it.

        That is its home; or, where only the locale tells it, the one country of its addresses.
        """
        if self.home in self.staying:
            return self.home
        alone = len(self.staying) == 1 and not (self.home == US and self.is_told)
        return next(iter(self.staying)) if alone else ""

    def whole(self, parts: Sequence[Part]) -> Sequence[Part]:
        """Return the parts of the first value of the page that says more of a town alone.

        So a town is drawn from one country, wherever it stands again.
        """
        is_town = len(parts) == 1 and parts[0].kind == "town"
        return self.wholes.get(parts[0].name, parts) if is_town else parts

    def nation_at(self, context: Context | None) -> str:
        """Return the country of the nationality on the line of *context*, or the only one near."""
        if context is None:
            return self.nation
        start, end = line_at(context.page.text, context.start, context.end)
        on_line = [one for at, one in self.said if start <= at < end]
        if len(set(on_line)) == 1:
            return on_line[0]
        is_near = any(abs(at - context.start) < _OF_RECORD for at, _ in self.said)
        return self.nation if is_near else ""

    def country_of_town(self, name: str, atlas: Atlas, locale: str) -> str:
        """Return the country of the town *name*, by this page first, then by the gazetteers."""
        key = folded(name)
        if key in self.towns:
            return self.towns[key]
        known = atlas.known.get(key, ())
        if self.home in known:
            return self.home
        if town := atlas.town(name, locale):
            # "Salem" on a page from India that says nothing of America
            is_home = self.is_told and town.country == US != self.home and US not in self.named
            return self.home if is_home and atlas.has_towns(self.home) else town.country
        if known:
            return known[0]
        return country_of_letters(name) or self.home or country_of_locale(locale)

    def is_known(self, name: str, atlas: Atlas) -> bool:
        """Return whether the page or a gazetteer has the town *name*."""
        key = folded(name)
        return key in self.towns or key in atlas.known or atlas.town(name) is not None

    def new_town(self, draw: Draw, name: str, country: str, atlas: Atlas) -> Town:
        """Draw the town that replaces the one called *name*, or the suburb that replaces it."""
        key = folded(name)
        if key in self.districts:
            return draw_district(draw, name, self.districts[key], atlas)
        return self.other_town(draw, name, country, atlas)

    def other_town(self, draw: Draw, name: str, country: str, atlas: Atlas) -> Town:
        """Draw the town that replaces the one called *name*, one of the page's time.

        Towns of one US state become different ones of one state: it stays if the page tells it.
        """
        key = folded(name)
        towns = self._fitting(country, atlas)
        if country == self.home != US and self.part:
            listed = atlas.foreign.get(key)
            if not listed or listed.country != country or self.part in parts_of(listed):
                towns = [one for one in towns if self.part in parts_of(one)]
        if country != US or key not in self.states:
            return draw_town(draw, name, country, atlas, towns)
        for noted in (key, f"state {self.states[key]}"):
            draw.part("PLACE", noted)
        at = draw.keyring.subkey("PLACE"), draw.attempt
        if at not in self.assigned:
            self.assigned[at] = self._assigned(draw, towns, atlas)
        return self.assigned[at][key]

    def _assigned(self, draw: Draw, towns: Sequence[Town], atlas: Atlas) -> Mapping[str, Town]:
        """Return the towns that replace the page's US towns, different ones while there are some.

        A state that has no other town left goes on in that with the nearest ZIP codes, but for one
        that the page tells.
        """
        left: dict[str, list[Town]] = {}
        for town in towns:
            if town.key not in self.states:
                left.setdefault(town.state, []).append(town)
        found: dict[str, Town] = {}
        for key, state in sorted(self.states.items()):
            to = self._state_for(draw, state, atlas)
            own = [town for town in towns if town.state == to]
            if to not in left and to not in self.told and own and left:
                to = min(left, key=partial(_distance, own[0], left))
            pool = left.get(to, [])
            chance = draw.keyring.chance("PLACE", key, draw.attempt)
            new = draw_other(chance, pool or own or towns, partial(_is_called, key))
            found[key] = new
            if new in pool:
                pool.remove(new)
            if not pool:
                left.pop(to, None)
        return found

    def new_state(self, draw: Draw, state: str, atlas: Atlas) -> str:
        """Return the postal code of the state whose towns replace those of *state*."""
        if state not in self.told:
            draw.part("PLACE", f"state {state}")
        return self._state_for(draw, state, atlas)

    def _state_for(self, draw: Draw, state: str, atlas: Atlas) -> str:
        if state in self.told:
            return state
        chance = draw.keyring.chance("PLACE", f"state {state}", draw.attempt)
        return draw_other(chance, atlas.pool(US), lambda town: town.state == state).state

    def _fitting(self, country: str, atlas: Atlas) -> Sequence[Town]:
        """Return the towns of *country* that the page's years have and its text does not name."""
        if country not in self.fitting:
            first, last = self.years
            self.fitting[country] = tuple(
                town
                for town in atlas.pool(country)
                if town.since <= (first if town.state else last) and town.until >= first
            )
        return self.fitting[country]

    def new_country(self, draw: Draw, country: str, atlas: Atlas, town: str = "") -> str:
        """Return the country of the towns that replace those of *country*.

        The US stays, but for a *town* that is left, and so does a country that stays on the page.
        """
        if (country == US and town not in self.leaving) or country in self.staying:
            return country
        return draw_country(draw, country, atlas)


def _is_called(key: str, town: Town) -> bool:
    return town.key == key


def _distance(town: Town, left: Mapping[str, Sequence[Town]], state: str) -> int:
    """Return how far the ZIP codes of *town* are from those of a *state* with towns left."""
    return abs(int(left[state][0].postcode or 0) - int(town.postcode or 0))


_UNKNOWN = PagePlaces()


def page_places(options: Mapping[str, Any]) -> PagePlaces:
    """Return the places of the page in *options*; empty if only the value is known."""
    context = context_of(options)
    if context is None:
        return _UNKNOWN
    pack = pack_of(options)
    return context.page.fact(_Reader(pack, str(options.get("locale", "en_US"))))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Read the places of a page: a fact of `Page.fact`."""

    pack: Pack
    locale: str

    def __call__(self, page: Page) -> PagePlaces:
        atlas = load_atlas(self.pack)
        options = {"pack": self.pack, "locale": self.locale}
        read = [
            (one, read_address(value, options), found[0] if found else [])
            for one in page.findings
            if one.entity in PLACES
            for value in [page.text[one.start : one.end].strip()]
            for found in [read_parts(value, atlas)]
        ]
        addresses = [(one.entity, address) for one, address, _ in read if address]
        places = [parts for _, _, parts in read if parts]
        towns: dict[str, str] = {}
        wholes: dict[str, Sequence[Part]] = {}
        votes: Counter[str] = Counter()
        for one, address, parts in read:
            lives = one.entity == "HOME_ADDRESS"
            # A birthplace is drawn by the present name of its country.
            by_place = stated_by_place(parts, atlas)
            by_address = stated_by_address(address, atlas) if address else ""
            country = (by_address or by_place) if lives else (by_place or by_address)
            named = [part.name for part in parts if part.kind == "town"]
            if named and len(parts) > 1:
                wholes.setdefault(named[0], parts)
            if address and by_address:
                named += [part.normal for part in address.parts if isinstance(part, TownName)]
                # A birthplace, and a country that a town needs, are not the page's own.
                abroad = any(part.kind == "country" for part in parts) and country != US
                if one.entity != "PLACE_OF_BIRTH" and not abroad:
                    votes[country] += _OF_ADDRESS if lives else _OF_PLACE
            for name in named if country else ():
                towns.setdefault(name, country)
        said = [
            (one.start, country)
            for one in page.findings
            if one.entity == "NATIONALITY"
            for value in [page.text[one.start : one.end]]
            for word in (
                (value,) if folded(value) in atlas.nationalities else _CAPITALIZED.findall(value)
            )
            if (country := atlas.nationalities.get(folded(word), ""))
        ]
        # in the page's order, on which nothing may depend
        nations = dict.fromkeys(country for _, country in said)
        votes.update(dict.fromkeys(nations, _OF_TEXT))
        others = {one.entity for one in page.findings} - {"PLACE_OF_BIRTH"}
        for country in signs(blanked(page, others), atlas):
            votes[country] += _OF_TEXT
        rest = blanked(page)
        for country, words in told_by_words(self.pack):
            own = {re.sub(r"\W|\d", "", one.casefold()) for one in words.findall(rest)}
            votes[country] += _OF_TEXT * min(max(0, len(own) - 1), _MOST_WORDS)  # one may err
        for country in signs("\n".join(_HEAD.findall(blanked(page))[:_HEAD_LINES]), atlas):
            votes[country] += _OF_TEXT
        votes[US] += _OF_ADDRESS * any(one.entity == "US_SSN" for one in page.findings)
        home, is_told = self._home(votes, page)
        several = frozenset(one for one, count in votes.items() if count > _OF_TEXT)
        seen = PagePlaces(towns, frozenset(), home, is_told=is_told, named=several)
        for entity, address in addresses:
            if entity == "HOME_ADDRESS" and not stated_by_address(address, atlas):
                country = country_of_address(address, atlas, seen)
                for part in address.parts if country == home and is_told else ():
                    if isinstance(part, TownName):
                        towns.setdefault(part.normal, country)
        staying = {
            country_of_address(address, atlas, seen)
            for entity, address in addresses
            if entity != "PLACE_OF_BIRTH"
            and any(part.kind not in PLACE_KINDS for part in address.parts)
        }
        stated = {
            stated_by_place(parts, atlas)
            for parts in places
            if any(part.kind == "country" for part in parts)
        }
        staying |= {home} - stated - set(nations)
        # Where somebody lives goes with the rest of the page, unless a nationality or a birthplace
        # of the same country becomes another.
        lived, born = (
            {country_of_address(one, atlas, seen) for entity, one in addresses if entity == kind}
            for kind in ("HOME_ADDRESS", "PLACE_OF_BIRTH")
        )
        lived = {one for one in lived if len(atlas.pools.get(one, ())) >= _MANY}
        staying |= lived - born - stated - set(nations)
        leaving = _left(page, atlas, addresses)
        nation = next(iter(nations)) if len(nations) == 1 else ""
        districts = {
            name: country_of_address(address, atlas, seen)
            for entity, address in addresses
            for name in districts_of(address)
            if entity == "HOME_ADDRESS"
        }
        staying = {one for one in staying if one != US and atlas.has_towns(one)}
        known = PagePlaces(
            towns, frozenset(staying), home, districts, leaving, nation, said, wholes,
            is_told=is_told, named=several,
        )  # fmt: skip
        found = tuple(self._countries(page, read, known, atlas))
        told = dict(sorted(_told_states(page, atlas, self.pack)))
        states = dict(self._states(page, read, known, told, atlas))
        region = _part(page, home, atlas, self.pack) if is_told else ""
        years = [int(year) for year in _YEAR.findall(page.text)]
        span = (min(years), max(years)) if years else known.years
        return replace(
            known, found=found, states=states, told=frozenset(told), years=span, part=region
        )

    def _states(
        self,
        text: Page,
        read: Sequence[tuple[Finding, Address | None, Sequence[Part]]],
        page: PagePlaces,
        told: Mapping[str, bool],
        atlas: Atlas,
    ) -> Iterator[tuple[str, str]]:
        """Yield the US towns of a page, each with the postal code of its state.

        A town without a state is one of that which the page tells or its values name, if it is one.
        """
        strong = frozenset(state for state, is_named in told.items() if is_named)
        stated: dict[str, str] = {}
        bare: dict[str, str] = {}
        for one, address, parts in read:
            lives = one.entity == "HOME_ADDRESS"
            if address and (lives or not parts):
                towns = [part.normal for part in address.parts if isinstance(part, TownName)]
                states = [part.text for part in address.parts if isinstance(part, State)]
            else:
                towns = [part.name for part in parts if part.kind == "town"]
                states = [part.text for part in parts if part.kind == "state"]
            postal = atlas.state(states[0]) if states else ""
            if not states and address and country_of_address(address, atlas, page) == US:
                codes = (part.normal for part in address.parts if part.kind == "zip")
                postal = next(filter(None, map(atlas.state_of_zip, codes)), "")
            if postal and not towns:
                context = Context(text, one.start, one.end)
                before = town_before({"pack": self.pack, "locale": self.locale, "context": context})
                towns = [before] if before else []
            for name in towns:
                if postal:
                    stated.setdefault(name, postal)
                elif page.country_of_town(name, atlas, self.locale) == US:
                    town = atlas.american.get(name)
                    moves = lives and strong and town and town.state not in told
                    bare.setdefault(name, town.state if town and not moves else "")
        yield from stated.items()
        values = {*stated.values(), *filter(None, bare.values())}
        own = strong & values or strong or told.keys() & values or values or told.keys()
        for name, postal in bare.items():
            listed = atlas.american.get(name)
            if len(own) == 1 and not postal:
                postal = next(iter(own))
            if found := postal or (listed.state if listed else ""):
                yield name, stated.get(name, found)

    def _home(self, votes: Mapping[str, int], page: Page) -> tuple[str, bool]:
        """Return the country with most of *votes*, or else that of the words or of the locale.

        And whether it is not that of the locale.
        """
        written = frozenset(_WORD.findall(page.text.casefold()))
        british, american = (len(written & own) for own in _own_words(self.pack))
        is_british = british >= _FEWEST and not american
        if is_british:  # that spelling is of all these, and no sign of one of them
            votes = {one: count for one, count in votes.items() if one != US} | {
                one: count + 1 for one, count in votes.items() if one in _BRITISH_SPELLING
            }
        most = max(votes, key=lambda country: (votes[country], country == US, country), default="")
        if most and votes[most] >= _FEWEST:
            return most, True
        usual = country_of_locale(self.locale)
        return ("United Kingdom", True) if is_british and usual == US else (usual, False)

    def _countries(
        self,
        text: Page,
        read: Sequence[tuple[Finding, Address | None, Sequence[Part]]],
        page: PagePlaces,
        atlas: Atlas,
    ) -> Iterator[tuple[Finding, str]]:
        """Yield the places of a page, each with its country."""
        for one, address, parts in read:
            own = next((part.name for part in parts if part.kind == "town"), "")
            if one.entity == "PLACE_OF_BIRTH" and own and not page.is_known(own, atlas):
                nation = page.nation_at(Context(text, one.start, one.end))
                if nation and not stated_by_place(page.whole(parts), atlas):
                    yield one, nation
                    continue
            if parts:
                yield one, country_of_place(page.whole(parts), atlas, self.locale, page)
            elif address:
                yield one, country_of_address(address, atlas, page)


def _part(page: Page, home: str, atlas: Atlas, pack: Pack) -> str:
    """Return the folded region of *home* that the text of *page* tells; empty if it is none."""
    if home == US or not atlas.has_towns(home):
        return ""
    size = Counter(part for town in atlas.pools[home] for part in parts_of(town))
    votes: Counter[str] = Counter()
    for name in _names(_staying(page, pack)):
        key = folded(name)
        town = atlas.foreign.get(key)
        if key in size:
            votes[key] += _OF_PLACE
        elif town and town.country == home:
            votes.update(parts_of(town))
    votes = Counter({part: count for part, count in votes.items() if size[part] >= _MANY - 1})
    most = votes.most_common(2)
    is_one = len(most) == 1 or (most and most[0][1] > most[1][1])
    return most[0][0] if is_one else ""


def parts_of(town: Town) -> set[str]:
    """Return the folded parts of the country of *town* that it is in: "scotland", "ontario"."""
    return {folded(one) for one in (town.region, town.old if town.postcode else "") if one}


def _staying(page: Page, pack: Pack) -> str:
    """Return the text of *page* with blanks for what is replaced."""
    text = blanked(page)
    for one in find_mentions(page, pack):
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def _told_states(page: Page, atlas: Atlas, pack: Pack) -> Iterator[tuple[str, bool]]:
    """Yield the states that the text of *page* tells and that stay on it.

    And whether it names them, rather than a town that several states may have.
    """
    text = _staying(page, pack)
    for found in _NAMED_STATE.findall(text):
        for way in (found, found.partition(" ")[0]):
            postal = atlas.state(way)
            full = postal and folded(atlas.state_rows[postal]["name"]) == folded(way)
            if full or (postal and (way.endswith(".") or len(way) == 2)):
                yield postal, True
    for code in _AREA_CODE.findall(text):
        if state := area_codes(pack).get(code):
            yield state[0], True
    persons = _persons(pack)
    for name in _names(text):
        key = folded(name)
        if key in persons or len(key) < _SHORTEST:
            continue
        postal = atlas.state(name)
        if postal and key == folded(atlas.state_rows[postal]["name"]):
            yield postal, True
        elif key in atlas.american and key not in atlas.known and key not in atlas.foreign:
            stands = re.finditer(rf"\b{re.escape(name)}\b", text)
            if any(
                _IN_TOWN.search(text[max(0, one.start() - 9) : one.start()])
                or _OFFICE.match(text, one.end())
                for one in stands
            ):
                yield atlas.american[key].state, False


@lru_cache(maxsize=8)
def _persons(pack: Pack) -> frozenset[str]:
    """Return the folded names of persons that towns have, too."""
    names = (terms(one, pack) for one in ("first_names_female", "first_names_male", "last_names"))
    return frozenset(folded(name) for listed in names for name in listed)


@lru_cache(maxsize=8)
def area_codes(pack: Pack) -> Mapping[str, tuple[str, int]]:
    """Return the state of each area code, and the first year in which it was in use."""
    listed = rows("area_codes", pack)
    return {row["code"]: (row["state"], int(row["since"] or 0)) for row in listed}


@lru_cache(maxsize=8)
def _own_words(pack: Pack) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that only the British, and only Americans, write."""
    listed = {
        row["tag"]: frozenset(row["words"].split("|"))
        for row in rows("settings", pack)
        if row["kind"] == "country"
    }
    return listed.get("GB", frozenset()), listed.get("US", frozenset())


def _left(page: Page, atlas: Atlas, addresses: Sequence[tuple[str, Address]]) -> frozenset[str]:
    """Return the birthplaces of *page* that go with the nationality; see `PagePlaces`.

    None does where an office of a county is named, in which the birth is on record.
    """
    if not any(_AMERICAN.search(value) for value in page.values("NATIONALITY")):
        return frozenset()
    ends = [0, *(one.end for one in page.findings)]
    starts = [*(one.start for one in page.findings), len(page.text)]
    if any(_COUNTY.search(page.text, *one) for one in zip(ends, starts, strict=True)):
        return frozenset()
    born = [read_parts(value, atlas) for value in page.values("PLACE_OF_BIRTH")]
    towns = {part.name for found in born if found for part in found[0] if part.kind == "town"}
    kept = {
        part.normal
        for entity, address in addresses
        for part in address.parts
        if entity == "HOME_ADDRESS" and isinstance(part, TownName)
    }
    others = [read_parts(value, atlas) for value in page.values("HOME_ADDRESS", "LOCATION")]
    kept |= {part.name for found in others if found for part in found[0]}
    return frozenset(towns - kept)


def town_before(options: Mapping[str, Any]) -> str:
    """Return the town of the finding before a state or postcode, whose parts are findings, too.

    Only a zone, labels of forms and marks stand between them: "Cincinnati" 14, "Ohio".
    """
    context = context_of(options)
    if context is None:
        return ""
    atlas = load_atlas(pack_of(options))
    text, end = context.page.text, context.start
    before = [one for one in context.page.findings if one.end <= end]
    for one in reversed(before[-2:]):
        between = _FORM_LABELS.sub("", text[one.end : end])
        is_far = one.entity not in PLACES or context.start - one.end > _NEAR
        if is_far or re.search(r"[^\W\d_]{2}", between) or is_labelled_county(text[: one.start]):
            break
        value = text[one.start : one.end]
        found = read_parts(value, atlas)
        named = [part for part in found[0] if part.kind != "state"] if found else []
        if named and named[-1].kind == "town":
            return named[-1].name
        address = read_address(
            value, {**options, "context": Context(context.page, one.start, one.end)}
        )
        towns = [part for part in address.parts if part.kind == "town"] if address else []
        if towns:
            return towns[-1].normal
        end = one.start
    return ""


def is_labelled_county(before: str) -> bool:
    """Return whether *before*, the text before a name, ends in the label "County [of]"."""
    return _COUNTY_LABEL.search(before[-30:]) is not None


@lru_cache(maxsize=8)
def told_by_words(pack: Pack) -> Sequence[tuple[str, re.Pattern[str]]]:
    """Return the words that are written in one country alone, which tell that of a page."""
    return [
        (row["country"], re.compile(rf"(?i)(?<!\w)(?:{row['words']})(?!\w)"))
        for row in rows("countries_told", pack)
    ]


def signs(text: str, atlas: Atlas) -> Iterator[str]:
    """Yield the country of each town, state and country that *text* names.

    A postcode and the first institution of a country count twice.
    """
    for pattern, country in (*_POSTCODES, *((one, of) for of, one in atlas.signs.items())):
        if found := set(pattern.findall(text)):
            yield from [country] * min(len(found) + 1, _MOST_SIGNS)
    for name in _names(text):
        key = folded(name)
        known = atlas.known.get(key, ())
        foreign = atlas.foreign.get(key)
        if key in atlas.american:
            if not known and not foreign:
                yield US
        elif len(key) > 3 and key in atlas.regions:
            yield atlas.regions[key]
        elif len(key) >= _LONG_STATE and atlas.state(name):
            yield US
        elif len(key) > 3 and key in atlas.countries:
            yield atlas.nationalities.get(key, atlas.countries[key])
        elif known or foreign:
            yield from dict.fromkeys((*known, *((foreign.country,) if foreign else ())))


def _names(text: str) -> Mapping[str, None]:
    """Return the runs of one to three capitalized words of *text*."""
    names: dict[str, None] = {}
    words: list[str] = []
    end = -1
    for match in _CAPITALIZED.finditer(text):
        word = match.group()
        if not word[0].isupper():
            continue
        words = [*words[-2:], word] if match.start() == end + 1 else [word]
        end = match.end()
        names |= dict.fromkeys(" ".join(words[at:]) for at in range(len(words)))
    return names


def stated_by_place(parts: Sequence[Part], atlas: Atlas) -> str:
    """Return the country that the parts of a place name or imply; empty if they do not."""
    kinds = {part.kind: part for part in reversed(parts)}
    if "country" in kinds:
        country = atlas.countries[kinds["country"].name]
        town = atlas.foreign.get(kinds["town"].name) if "town" in kinds else None
        return town.country if town and town.old == country else country
    if "state" in kinds:
        return US
    region = kinds["region"].name if "region" in kinds else ""
    if region in atlas.shared_regions and "town" in kinds:
        key = kinds["town"].name
        known = [one.country for one in (atlas.foreign.get(key),) if one]
        return next(iter((*known, *atlas.known.get(key, ()))), "")
    return atlas.regions.get(region, "")


def country_of_place(
    parts: Sequence[Part], atlas: Atlas, locale: str, page: PagePlaces = _UNKNOWN
) -> str:
    """Return the country whose towns *parts* lie in; empty for any country but the US."""
    states = [part.text for part in parts if part.kind == "state"]
    if by_code := _of_code(states, "", page, atlas):
        return by_code
    if stated := stated_by_place(parts, atlas):
        return stated
    kinds = {part.kind: part for part in reversed(parts)}
    if "town" not in kinds:
        return page.home or US
    name = kinds["town"].text
    found = page.country_of_town(name, atlas, locale)
    if "region" in kinds and found == US and not page.is_known(name, atlas):
        region = kinds["region"].text
        if folded(region) in atlas.american:
            return US
        found = page.country_of_town(region, atlas, "")
        # A town in the US would have a state.
        return "" if found == US else found
    return found


def _of_code(codes: Sequence[str], postcode: str, page: PagePlaces, atlas: Atlas) -> str:
    """Return the country abroad that the code of a US state, or of two countries, stands for.

    It is the page's, or that of a postcode of four digits: "Perth, WA 6000". Empty if it is none.
    """
    regions = (full for full, code in atlas.region_codes.items() if code in codes)
    found = {atlas.regions.get(folded(one), "") for one in regions}
    if page.is_told and page.home in found:
        return page.home
    return _AUSTRALIA if _AUSTRALIA in found and re.fullmatch(r"\d{4}", postcode) else ""


def governing_part(address: Address) -> str:
    """Return the part of *address* that the town is drawn from: its name, or the most specific."""
    for kind in ("town", "zip", "postcode", "state", "country"):
        found = [part.normal for part in address.parts if part.kind == kind]
        if found:
            return found[-1]
    return ""


def districts_of(address: Address) -> list[str]:
    """Return the normalized names of *address* that stand before that of its town."""
    towns = [part.normal for part in address.parts if isinstance(part, TownName)]
    return [name for name in towns[:-1] if name != towns[-1]]


def stated_by_address(address: Address, atlas: Atlas) -> str:
    """Return the country that the parts of an address name or imply; empty if they do not."""
    parts = address.parts
    by_kind = {part.kind: part for part in reversed(parts)}
    if "country" in by_kind:
        name = by_kind["country"].normal
        return next((country for key, country in atlas.countries.items() if key == name), US)
    if "state" in by_kind:
        return US
    if "postcode" in by_kind:
        is_canadian = CANADIAN.fullmatch(by_kind["postcode"].normal)
        return "Canada" if is_canadian else "United Kingdom"
    if "area" in by_kind and by_kind["area"].normal not in atlas.shared_regions:
        return atlas.regions[by_kind["area"].normal]
    postcode = by_kind["zip"].normal if "zip" in by_kind else ""
    code = re.match(r"[a-z]+(?=-)", postcode)
    return atlas.codes.get(code.group().upper(), "") if code else ""


def country_of_address(address: Address, atlas: Atlas, page: PagePlaces = _UNKNOWN) -> str:
    """Return the country of the towns that replace those of *address*; see `draw_town`."""
    codes = [part.text for part in address.parts if isinstance(part, State | Region)]
    digits = next((part.normal for part in address.parts if part.kind == "zip"), "")
    town = atlas.american.get(governing_part(address))
    if town and town.state in codes:
        digits = ""  # a damaged ZIP code
    if by_code := _of_code(codes, digits, page, atlas):
        return by_code
    if stated := stated_by_address(address, atlas):
        return stated
    parts = address.parts
    governing = governing_part(address)
    by_kind = {part.kind: part for part in reversed(parts)}
    postcode = by_kind["zip"].normal if "zip" in by_kind else ""
    if governing in page.towns:
        return page.towns[governing]
    last_is_zip = parts[-1].kind == "zip" and re.fullmatch(r"\d{5}(?:-\d{4})?", postcode)
    if last_is_zip and len(parts) > 1:
        town = atlas.town(governing, address.locale)
        return town.country if town else country_of_letters(governing) or US
    names = [part.text for part in parts if part.kind == "town"]  # a suburb, its town
    known = next((name for name in reversed(names) if page.is_known(name, atlas)), "")
    name = known or next(iter(names), "")
    found = page.country_of_town(name, atlas, address.locale)
    # Who writes a street without a state or a country means a town of the page's country.
    streets = ("street", "house", "name", "unit")
    if page.is_told and found != page.home and any(part.kind in streets for part in parts):
        is_other = found in _BRITISH_SPELLING and found not in page.named
        abroad = page.home in _BRITISH_SPELLING and (found == US or is_other)
        if not language_of(parts) and (abroad or (page.home == US and found not in page.named)):
            return page.home
    if known and (found != US or not postcode):
        return found
    language = language_of(parts)
    writes_english = found == US or found in _BRITISH_SPELLING
    if not (known or language or writes_english) and "street" in by_kind:
        return country_of_locale(address.locale)
    if page.is_told and page.home in _ALSO.get(language, ()):
        return page.home
    if language in _COUNTRIES:
        return _COUNTRIES[language][len(re.sub(r"\D", "", postcode)) == 4]
    if found != US or not postcode or re.fullmatch(r"\d{5}(?:-\d{4})?", postcode):
        return found
    return "Netherlands" if postcode[-1].isalpha() else ""


def language_of(parts: Sequence[AddressPart]) -> str:
    """Return the language of the first foreign street; empty if there is none."""
    return next((part.language for part in parts if isinstance(part, ForeignStreet)), "")
