"""Replace values by less precise ones: a year, an age band, a state."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from presidio_cdip.surrogates.dates.ages import band_of
from presidio_cdip.surrogates.dates.dates import year_of
from presidio_cdip.surrogates.drawing.lists import pack_of
from presidio_cdip.surrogates.places.locations import state_of

TOP_AGE = 90  # 45 CFR 164.514(b)(2)(i)(C): ages over 89 may be aggregated as 90 or older


def _year(value: str, options: Mapping[str, Any]) -> str | None:
    year = year_of(value, pack_of(options))
    oldest = date.today().year - TOP_AGE
    if year and options.get("top_code") and int(year) <= oldest:
        return f"{oldest} or before"
    return year


def _age(value: str, options: Mapping[str, Any]) -> str | None:
    return band_of(value, pack_of(options), width=int(options.get("width", 10)), top=TOP_AGE)


def _state(value: str, options: Mapping[str, Any]) -> str | None:
    return state_of(value, pack_of(options))


_BY_ENTITY: Mapping[str, Callable[[str, Mapping[str, Any]], str | None]] = {
    "DATE_OF_BIRTH": _year,
    "DATE_TIME": _year,
    "AGE": _age,
    "HOME_ADDRESS": _state,
    "PLACE_OF_BIRTH": _state,
    "LOCATION": _state,
}


def generalized(entity: str, value: str, options: Mapping[str, Any]) -> str:
    """Return the year of a date, the band of an age, or the state or country of a place.

    A value of another entity, or one that cannot be read, becomes the label ``<ENTITY>``.

    Args:
        entity: The entity of the value.
        value: As found.
        options: ``width`` is the size of an age band in years, default 10. With ``top_code`` all
            years that are 90 or more years ago become one value: "1936 or before" in 2026.
    """
    general = _BY_ENTITY[entity](value, options) if entity in _BY_ENTITY else None
    return general or f"<{entity}>"
