"""Tell which nations' people are met in the country of a page, in its year.

``operators/gazetteers/nations_met.tsv`` lists them, ``countries_told.tsv`` words that tell the
country. Only what stays on the page counts, so that what is drawn says nothing of the originals.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.context import Context, Page, blanked
from presidio_cdip.surrogates.drawing.lists import rows
from presidio_cdip.surrogates.places.address_grammar import read_address
from presidio_cdip.surrogates.places.atlas import US, country_of_locale, load_atlas
from presidio_cdip.surrogates.places.countries import (
    page_places,
    signs,
    stated_by_address,
    told_by_words,
)
from presidio_cdip.surrogates.values.setting import is_british, staying

_USUAL_YEAR = 1985  # of a page that tells none
_OF_ADDRESS = 3  # the weight of one that states its country
_BRITAIN = "United Kingdom"
_OF_WORDS = 3  # that of words that are written in one country
_BECOMES, _WHAT = english().records["becomes_citizen"]
_BECOMING = re.compile(rf"(?i)\b{_BECOMES}\s+(?:{_WHAT}\s+){{0,5}}\Z")  # ends before a nationality
_CITIZENS = re.compile(rf"(?i)\b(?:{'|'.join(english().records['tells_citizen'])})(?!\w)")
_LEAD = 60  # characters before a nationality


@dataclass(frozen=True, slots=True)
class _Row:
    """Hold nations that are met.

    Attributes:
        country: Where; empty for any country.
        page: Matches words of its pages; None if it is for all.
        since: The first year.
        until: The last.
        nations: Rows of ``nations.tsv``.
    """

    country: str
    page: re.Pattern[str] | None
    since: int
    until: int
    nations: frozenset[str]


@dataclass(frozen=True, slots=True)
class Met:
    """Say which nations are met on a page: a result of `MetOn`.

    Attributes:
        country: Where it was written; empty if nothing tells it.
        listed: The rows of the table that fit, whatever the year.
        of_citizens: Whether it tells that its person is a citizen of *country*.
    """

    country: str
    listed: Sequence[_Row]
    of_citizens: bool

    def nations(self, year: int) -> frozenset[str]:
        """Return the nations whose people are met there in *year*; 0 is an unknown one."""
        row = self._row(year)
        return row.nations if row else frozenset()

    def is_of_kind(self, year: int) -> bool:
        """Tell whether the words of the page tell who is met on it in *year*, as of refugees."""
        row = self._row(year)
        return row is not None and row.page is not None

    def _row(self, year: int) -> _Row | None:
        """Return the first row that fits *year*."""
        when = year or _USUAL_YEAR
        return next((one for one in self.listed if one.since <= when <= one.until), None)

    def ancestors(self, year: int) -> frozenset[str]:
        """Return the nations whose people have come there until *year*."""
        when = year or _USUAL_YEAR
        fit = [one.nations for one in self.listed if one.country and one.since <= when]
        return frozenset().union(*fit)


def becomes_citizen(text: str, start: int) -> bool:
    """Tell whether one takes the nationality that stands at *start* of *text*.

    >>> becomes_citizen("came out in 1964 and took British nationality", 26)
    True
    >>> becomes_citizen("admitted to become a citizen of the United States", 36)
    True
    """
    return _BECOMING.search(text, max(0, start - _LEAD), start) is not None


@dataclass(frozen=True, slots=True)
class MetOn:
    """Find the country of a page and who is met there: a fact of `Page.fact`."""

    pack: Pack
    locale: str

    def __call__(self, page: Page) -> Met:
        """Return who is met on *page*."""
        country = self._country(page)
        text = page.fact(staying)
        fit = [
            one
            for one in _listed(self.pack)
            if one.country in ("", country) and (one.page is None or one.page.search(text))
        ]
        return Met(country, fit, bool(_CITIZENS.search(text)))

    def _country(self, page: Page) -> str:
        """Return the country of which the page has most signs, or else that of the locale."""
        votes: Counter[str] = Counter()
        votes.update(signs(blanked(page), load_atlas(self.pack)))
        votes += self._of_addresses(page)
        text = page.fact(staying)
        for country, words in told_by_words(self.pack):
            votes[country] += _OF_WORDS * len({one.casefold() for one in words.findall(text)})
        usual = country_of_locale(self.locale)
        if not any(votes.values()) and is_british(page, self.pack):
            return _BRITAIN
        return max(votes, key=lambda one: (votes[one], one == usual, one), default=usual)

    def _of_addresses(self, page: Page) -> Counter[str]:
        """Return the votes of the addresses that stay in their countries."""
        options = {"pack": self.pack, "locale": self.locale, "context": Context(page, 0, 0)}
        places, atlas = page_places(options), load_atlas(self.pack)
        found: Counter[str] = Counter()
        for one, country in places.found:
            if one.entity != "HOME_ADDRESS" or country not in (US, *places.staying):
                continue
            address = read_address(page.text[one.start : one.end].strip(), options)
            is_stated = address is not None and stated_by_address(address, atlas) == country
            found[country] = _OF_ADDRESS if is_stated else found[country] or 1
        return found


@lru_cache(maxsize=8)
def _listed(pack: Pack) -> Sequence[_Row]:
    """Return the rows of the table."""
    return [_row(one) for one in rows("nations_met", pack)]


def _row(row: Mapping[str, str]) -> _Row:
    since, _, until = row["years"].partition("-")
    words = row["page"]
    return _Row(
        row["country"],
        re.compile(rf"(?i)\b(?:{words})(?!\w)") if words else None,
        int(since or 0),
        int(until or 9999),
        frozenset(row["nations"].split("|")),
    )
