"""OCR's letters among digits, put where another value had them."""

import re

from presidio_cdip.pack.confusions import ANY, LETTER_FOR, ROUND, digits

# Digits, of which OCR may have read some as letters: never a part of a word.
_NUMBER = re.compile(
    rf"(?<![^\W\d_])(?=[{ROUND}!]+(?!\w)|[A-Za-z|!]*\d)[0-9{ANY}]+(?=st|nd|rd|th|\W|_|\Z)"
)


def damaged_like(model: str, value: str) -> str:
    """*value* with a letter for a digit wherever the digit of *model* at that place is a letter.

    Places are counted over the digits of the whole text. A digit that no letter looks like stays.

    >>> damaged_like("27l-24-O538", "531-90-0277")
    '53l-90-O277'
    """
    place = iter("".join(_NUMBER.findall(model)))

    def digit(found: "re.Match[str]") -> str:
        char = found.group()
        letter = next(place, char)
        if letter.isdigit():
            return char
        return letter if digits(letter) == char else LETTER_FOR.get(char, char)

    return re.sub(r"[0-9]", digit, value)
