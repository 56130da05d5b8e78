"""Tell how old somebody becomes on a page whose dates stay while its births move.

An age is counted to a date of its page. Where that date stays, a birth that moves by days passes
its birthday, or does not, and so the years between the two differ by one from those of another age.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.consistency import DATE
from presidio_cdip.recognition.dates import PartialDate
from presidio_cdip.surrogates.dates.reading import parsed_date
from presidio_cdip.surrogates.dates.shifts import birth_offset, dates_found, move
from presidio_cdip.surrogates.drawing.context import Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.drawing.lists import pack_of

Pair = tuple[int, PartialDate, PartialDate]  # the offset of a birth, the birth, a date of the page
_MOST = 40  # births, and other dates, of which pairs are made


@dataclass(frozen=True, slots=True)
class _Reader:
    """Pair the whole births of a page and the dates that stay on it, by the years between them.

    Of a long text only the first of them count.
    """

    pack: Pack
    locale: str

    def __call__(self, page: Page) -> Mapping[int, list[Pair]]:
        options = {"pack": self.pack, "locale": self.locale}
        births = [
            (one.start, date)
            for one in page.findings
            if one.entity == "DATE_OF_BIRTH"
            if (date := _whole(page.text[one.start : one.end].strip(), options))
        ][:_MOST]
        if not births:
            return {}
        places = [*((one.start, one.end) for one in page.findings)]
        others: dict[PartialDate, None] = {}
        at = 0
        for match in DATE.finditer(page.text):
            while at < len(places) and places[at][1] <= match.start():
                at += 1
            stays = at == len(places) or places[at][0] >= match.end()
            if stays and (date := _whole(match.group(), options)):
                others[date] = None
            if len(others) >= _MOST:
                break
        found: dict[int, list[Pair]] = defaultdict(list)
        for start, birth in births:
            for other in others:
                found[_years(birth, other)].append((start, birth, other))
        return found


def counted_age(years: int, draw: Draw) -> int | None:
    """Return the age that replaces one of *years*, from the nearest birth that explains it.

    None where the page is unknown, its dates move as well, or no birth and date on it are *years*
    apart.
    """
    context = context_of(draw.options)
    if context is None or context.page.fact(dates_found):
        return None
    reader = _Reader(pack_of(draw.options), str(draw.options.get("locale", "en_US")))
    if not (pairs := context.page.fact(reader).get(years, ())):
        return None
    _, birth, other = min(pairs, key=lambda one: abs(one[0] - context.start))
    return _years(move(birth, birth_offset(draw)), other)


def _whole(value: str, options: Mapping[str, Any]) -> PartialDate | None:
    parsed = parsed_date(value, options)
    found = parsed.found if parsed else None
    return found if found and found.year and found.month and found.day else None


def _years(birth: PartialDate, other: PartialDate) -> int:
    """Return the whole years between two whole dates."""
    assert birth.year is not None and other.year is not None
    early = (other.month, other.day) < (birth.month, birth.day)
    return other.year - birth.year - early
