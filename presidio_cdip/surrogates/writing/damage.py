"""Letters that OCR reads for digits, copied from one value to another."""

import re

from presidio_cdip.surrogates.writing.text import digits

_LIKE_DIGITS = "0-9OoQDIil|!SsZzBG"
# A number in which OCR may have read digits as letters, and which is no part of a word.
_NUMBER = re.compile(
    rf"(?<![^\W\d_])(?=[OoIl|!]+(?!\w)|[A-Za-z|!]*\d)[{_LIKE_DIGITS}]+(?=st|nd|rd|th|\W|_|\Z)"
)
_LETTERS = {"0": "O", "1": "l", "2": "Z", "5": "S", "6": "G", "8": "B"}


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
        return letter if digits(letter) == char else _LETTERS.get(char, char)

    return re.sub(r"[0-9]", digit, value)
