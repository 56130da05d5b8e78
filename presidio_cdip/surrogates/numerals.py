"""Whole numbers up to ninety-nine in words, and numbers drawn near others."""

import re

from presidio_cdip.surrogates.chance import Chance

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: number for number, word in enumerate(_ONES)} | {
    word: 20 + 10 * number for number, word in enumerate(_TENS)
}

# As a regular expression: digits with thousands and decimals, or words up to ninety-nine.
WORDS = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(reversed(_ONES))})"
)
NUMBER = rf"(?:\d+(?:,\d{{3}})*(?:\.\d+)?|\.\d+|\b{WORDS}\b)"


def value_of(words: str) -> int | None:
    """The number that *words* are, up to 99.

    >>> value_of("Forty-one"), value_of("eight"), value_of("several")
    (41, 8, None)
    """
    parts = re.split(r"[- ]+", words.casefold().strip())
    values = [_VALUES.get(part) for part in parts]
    match values:
        case [int(one)]:
            return one
        case [int(tens), int(ones)] if tens >= 20 and 0 < ones < 10:
            return tens + ones
        case _:
            return None


def in_words(number: int) -> str:
    """*number*, from 0 to 99, in words.

    >>> in_words(41), in_words(60)
    ('forty-one', 'sixty')
    """
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def redrawn(text: str, chance: Chance, low: str = "", high: str = "") -> str:
    """Another number than *text*, of as many digits and decimals, or in words where it is in words.

    One stays one, for the words that go with it. Without a range it lies within a fifth of the
    original or so, and never so near that it would be the same.

    Args:
        text: Digits with thousands' commas and decimals, or words up to ninety-nine.
        chance: Drawn from once.
        low: The least that may be drawn, written with a decimal point, or nothing.
        high: The most.

    >>> redrawn("1", Chance(bytes(32))), redrawn("12.5", Chance(bytes(32)), "12.4", "12.6")
    ('1', '12.4')
    """
    words = value_of(text) if not any(char.isdigit() for char in text) else None
    plain = str(words) if words is not None else text.replace(",", "")
    decimals = len(plain.partition(".")[2])
    number = int(plain.replace(".", "") or 0)
    scale = 10**decimals
    if low and high:
        least, most = round(float(low) * scale), round(float(high) * scale)
    elif number in (0, 1) and not decimals:
        return text
    elif number < 10 and not decimals:
        least, most = 2, 9
    else:
        digits = len(str(number))
        least = max(int(number * 0.75), 10 ** (digits - 1) if digits > 1 else 1)
        most = min(int(number * 1.3) + 1, 10**digits - 1)
        if words is not None:
            most = min(most, 99)
    options = most - least + 1 - (least <= number <= most)
    if options < 1:
        return text
    drawn = least + chance.below(options)
    drawn += least <= number <= drawn
    if words is not None:
        return in_words(drawn) if 0 <= drawn <= 99 else str(drawn)
    whole = str(drawn).zfill(decimals + 1)
    head, tail = (whole[:-decimals], whole[-decimals:]) if decimals else (whole, "")
    if "," in text:
        head = f"{int(head):,}"
    if plain.startswith("0"):
        head = head.zfill(len(plain.partition(".")[0]))
    if plain.startswith("."):
        head = head.lstrip("0")
    return head + ("." + tail if decimals else "")
