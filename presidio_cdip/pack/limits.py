"""Limit the length of a text."""

import os

from presidio_cdip.errors import InvalidOption, TextTooLong

MAX_CHARACTERS_VARIABLE = "PRESIDIO_CDIP_MAX_CHARACTERS"
MAX_CHARACTERS = 200_000_000  # by default; some 80,000 pages


def max_characters(asked: int | None = None, where: str = "max_characters") -> int:
    """Return the length of the longest text that is read.

    Args:
        asked: In characters [default: $PRESIDIO_CDIP_MAX_CHARACTERS, else 200 million].
        where: The name of the option in an error message.

    Raises:
        InvalidOption: It is not a positive whole number.
    """
    if asked is None:
        said = os.environ.get(MAX_CHARACTERS_VARIABLE)
        if not said:
            return MAX_CHARACTERS
        asked, where = int(said) if said.isdecimal() else 0, MAX_CHARACTERS_VARIABLE
    if not isinstance(asked, int) or asked < 1:
        raise InvalidOption(f"{where} is not a number of characters above 0")
    return asked


def check_length(text: str, most: int) -> None:
    """Check that *text* has at most *most* characters.

    Raises:
        TextTooLong: It has more.
    """
    if len(text) > most:
        raise TextTooLong("text", most)
