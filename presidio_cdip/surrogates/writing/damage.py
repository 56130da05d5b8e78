"""Letters that OCR reads for digits, copied from one value to another."""

import re

from presidio_cdip.pack.confusions import ANY, LETTER_FOR, ROUND, digits

# A number in which OCR may have read digits as letters, and which is no part of a word.
_NUMBER = re.compile(
    rf"(?<![^\W\d_])(?=[{ROUND}!]+(?!\w)|[A-Za-z|!]*\d)[0-9{ANY}]+(?=st|nd|rd|th|\W|_|\Z)"
)


def damaged_like(model: str, value: str) -> str:
    """Replace digits of *value* by similar letters where *model* has letters for digits.

    The first digit of *value* corresponds to the first one of *model*, and so on. Digits without a
    similar letter stay.

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
