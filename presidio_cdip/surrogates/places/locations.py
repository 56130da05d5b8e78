"""Draw surrogates of locations, which are addresses or places, and find a location's state."""

import re
from collections.abc import Mapping
from typing import Any

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.forms import Form, Reading
from presidio_cdip.surrogates.places import addresses, places

_ADDRESS = re.compile("street|rural|unit|zip|postcode")  # kinds of parts that no place has


class AddressedLocation:
    """Read a location with a street, a unit or a postcode as an address."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Read an address; None if *value* is none, or one of towns and house numbers only."""
        reading = addresses.AddressForm().read(value, options)
        return reading if reading and _ADDRESS.search(reading.form) else None


def state_of(value: str, pack: Pack) -> str | None:
    """Return the US state or the foreign country that *value* lies in; None if it is unknown.

    >>> places = "Louisville 5, Kentucky", "4400 Steyr", "upstairs"
    >>> [state_of(place, Pack.shipped()) for place in places]
    ['Kentucky', 'Austria', None]
    """
    text = value.strip()
    return addresses.state_of(text, pack) or places.state_of(text, pack)


FORMS: tuple[Form, ...] = (AddressedLocation(), *places.FORMS)
