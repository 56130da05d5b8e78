"""Numbers in digits or words within phrases, and their replacement by similar numbers."""

import re

from presidio_cdip.surrogates.drawing.chance import Chance
from presidio_cdip.surrogates.writing.spelled import ONES, TENS, cardinal, find

_WORDS = rf"(?:(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(ONES[1:10])}))?|{'|'.join(reversed(ONES))})"

# A regular expression for digits with thousands and decimals, or words up to ninety-nine.
NUMBER = rf"(?:\d+(?:,\d{{3}})*(?:\.\d+)?|\.\d+|\b{_WORDS}\b)"

SCALES = ("10", "15", "20", "30", "100")  # greatest numbers of scores: "19/30"
_OF = re.compile(r"\b(\d+)( (?:of|out of) (?:the )?|/)(\d+)\b")


def value_of(words: str) -> int | None:
    """Return the value of a number in words; None if *words* are not a number below 100.

    >>> value_of("Forty-one"), value_of("eight"), value_of("several")
    (41, 8, None)
    """
    parts = words.casefold().replace("-", " ").split()
    found = find(parts, 0) if parts else None
    whole = found is not None and found.words == len(parts) and found.kind == "cardinal"
    return found.value if found and whole and found.value < 100 else None


def redrawn(text: str, chance: Chance, low: str = "", high: str = "", *, near: bool = True) -> str:
    """Draw another number with as many digits and decimals, or in words where *text* is in words.

    Without a range, 0 and 1 stay, because the grammar of the words around depends on them, and a
    number from 10 on becomes one between about 3/4 and 13/10 of it. The new number never equals the
    original, unless the range has no other.

    Args:
        text: Digits with thousands' commas and decimals, or words up to ninety-nine.
        chance: One number is drawn from it.
        low: The least number that may be drawn, with a decimal point; or an empty string.
        high: The greatest one.
        near: Whether a number without a range is drawn near the original.

    >>> redrawn("1", Chance(bytes(32))), redrawn("12.5", Chance(bytes(32)), "12.4", "12.6")
    ('1', '12.4')
    """
    unit = 1
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
        least, most = (max(2, number - 2), min(9, number + 2)) if near else (2, 9)
    else:
        digits = len(str(number))
        least, most = 10 ** (digits - 1) if digits > 1 else 1, 10**digits - 1
        if near:
            least, most = max(least, number * 3 // 4), min(most, number * 13 // 10 + 1)
            is_code = decimals or words is not None or plain.startswith("0")
            unit = 1 if is_code else roundness(number)
        if words is not None:
            most = min(most, 99)
    if unit > 1:  # 1800 is as round afterwards
        many = number // unit
        least, most = max(1, min(many - 2, -(-least // unit))), max(many + 2, most // unit)
        drawn = least + chance.below(most - least)
        return f"{(drawn + (least <= many <= drawn)) * unit:{',' if ',' in text else ''}}"
    options = most - least + 1 - (least <= number <= most)
    if options < 1:
        return text
    drawn = least + chance.below(options)
    drawn += least <= number <= drawn
    if words is not None:
        return cardinal(drawn) if 0 <= drawn <= 99 else str(drawn)
    whole = str(drawn).zfill(decimals + 1)
    head, tail = (whole[:-decimals], whole[-decimals:]) if decimals else (whole, "")
    if "," in text:
        head = f"{int(head):,}"
    if plain.startswith("0"):
        head = head.zfill(len(plain.partition(".")[0]))
    if plain.startswith("."):
        head = head.lstrip("0")
    return head + ("." + tail if decimals else "")


def roundness(number: int) -> int:
    """Return the greatest of 5, 10, 100, … that divides *number*; 1 if none does.

    >>> roundness(250), roundness(3000), roundness(15), roundness(17), roundness(0)
    (10, 1000, 5, 1, 1)
    """
    zeros = len(str(number)) - len(str(number).rstrip("0")) if number else 0
    return 10**zeros if zeros else 5 if number and number % 5 == 0 and number > 5 else 1


def in_order(value: str, written: str) -> bool:
    """Tell whether "36 of 37" did not become "41 of 32".

    >>> in_order("36 of 37", "41 of 32"), in_order("36 of 37", "31 of 42")
    (False, True)
    """
    pairs = zip(_OF.findall(value), _OF.findall(written), strict=False)
    return all(
        int(few) > int(many) or int(one) <= int(other) for (few, _, many), (one, _, other) in pairs
    )


def ordered(value: str, written: str) -> str:
    """Return *written* with the numbers of each share in the order that those of *value* have.

    >>> ordered("14 of 16 points", "19 of 14 points")
    '14 of 19 points'
    """
    if in_order(value, written):
        return written

    def turned(match: re.Match[str]) -> str:
        few, many = sorted((match[1], match[3]), key=int)
        return f"{few}{match[2]}{many}"

    return _OF.sub(turned, written)
