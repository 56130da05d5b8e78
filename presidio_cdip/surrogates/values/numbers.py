"""Draw surrogates of numbers that identify a person: Social Security, telephone and any others.

Uniqueness of surrogates within a scope, for candidate 0:

* ``ssn: plausible``: injective over the 889 million numbers that could have been issued, except for
  at most three pairs (see `_ssn_head`). Numbers that cannot be issued share surrogates with them.
* ``ssn: unissued`` (the default): 889 million numbers map to 54 million; *n* of them have
  ``n**2 / (2 * 54e6)`` pairs with equal surrogates, all with equal last four digits.
* ``phone: plausible``: injective over the numbers of the North American plan, and over the numbers
  of one length of any other country.
* ``phone: fictional`` (the default): numbers with area codes map to about 30,000, and *n* of them
  have ``n**2 / 60_000`` pairs with equal surrogates; numbers without one map to 100. On one page up
  to 100 numbers get different ones, and more with area codes go on in other codes of their state.
  Numbers of the countries in ``fictional_numbers.tsv`` map to a thousand or more.
* Any other number: injective over numbers of the same shape with the same letters.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Any

from presidio_cdip.pack.confusions import ANY, LETTERS, digits
from presidio_cdip.pack.language import english
from presidio_cdip.pack.pack import Pack
from presidio_cdip.recognition.checks import ssn
from presidio_cdip.surrogates.drawing.chance import Chance, Keyring
from presidio_cdip.surrogates.drawing.context import Page, context_of
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, rows, terms
from presidio_cdip.surrogates.places.atlas import US, load_atlas
from presidio_cdip.surrogates.places.countries import area_codes, page_places
from presidio_cdip.surrogates.writing import spelled
from presidio_cdip.surrogates.writing.damage import damaged_like
from presidio_cdip.surrogates.writing.text import folded

_GLYPHS = f"0-9{ANY}"
_ONES = "".join(char for char in english().ocr.digits["1"] if char in LETTERS)
_MASKS = "xX*•#_?×∗"
_GAPS = r"\s\-–—−‑~_.,·/:;()\[\]+'"
# Letters that look less like a digit: read as digits only if at least half are real digits.
_POORLY_READ = str.maketrans(dict(english().ocr.poor))
_MOST_DIGITS = 15  # of one permutation
_LINES = 100  # for fiction, behind one exchange
_LONGEST_LOCAL = 7  # digits of a number without its area code

Writer = Callable[[Draw], str]


# Templates and permutations of digits, for all numbers


@dataclass(frozen=True, slots=True)
class _Template:
    """A number without its digits.

    Attributes:
        text: The value with a 0 at each place.
        places: The indices of the digits.
    """

    text: str
    places: tuple[int, ...]

    def filled(self, number: str) -> str:
        """Return the value with the digits of *number*."""
        chars = list(self.text)
        for place, digit in zip(self.places, number, strict=True):
            chars[place] = digit
        return "".join(chars)


def _template(value: str, places: tuple[int, ...]) -> _Template:
    chars = list(value)
    for place in places:
        chars[place] = "0"
    return _Template("".join(chars), places)


def _written(draw: Draw, original: str, surrogate: str) -> str:
    return damaged_like(original, surrogate) if draw.options.get("damage") == "same" else surrogate


def cycle_walk(
    draw: Draw, number: int, domain: int, valid: Callable[[int], bool], purpose: str, tweak: str
) -> int:
    """Return the next valid number after *number* by cycle walking on a keyed permutation.

    `Draw.permuted` is one cycle over the domain, so skipping invalid numbers leaves one cycle over
    the valid ones: a permutation of these without a fixed point. An invalid number shares its
    surrogate with a valid one.
    """
    if domain < 100:  # the permutation may have several cycles
        left = [other for other in range(domain) if valid(other)]
        if number in left and len(left) > 1:
            return left[draw.permuted(left.index(number), len(left), tweak, purpose)]
        return draw.keyring.chance(purpose, f"{tweak} {number}").choice(left)
    while True:
        number = draw.permuted(number, domain, tweak, purpose)
        if valid(number):
            return number


def other_digits(
    draw: Draw, number: str, purpose: str, tweak: str = "", leading: bool = False
) -> str:
    """Draw as many digits as *number* has, never the same; injective within the scope.

    Args:
        draw: Of the value.
        number: At least one digit.
        purpose: Each has a permutation of its own.
        tweak: Each has a permutation of its own.
        leading: Whether a first digit 0 or 1 stays, and any other becomes neither 0 nor 1.
    """
    if leading and len(number) == 1 and number != "0":
        return str(cycle_walk(draw, int(number), 10, lambda n: n > 0, purpose, tweak))
    if leading and len(number) > 1:
        if number[0] in "01":
            return number[0] + other_digits(draw, number[1:], purpose, f"{tweak} {number[0]}")
        size = min(len(number), _MOST_DIGITS)
        low = 2 * 10 ** (size - 1)
        first = cycle_walk(draw, int(number[:size]), 10**size, lambda n: n >= low, purpose, tweak)
        rest = number[size:]
        return str(first) + (
            other_digits(draw, rest, purpose, tweak + draw.original(number[:size], str(first)))
            if rest
            else ""
        )
    new: list[str] = []
    for at in range(0, len(number), _MOST_DIGITS):
        chunk = number[at : at + _MOST_DIGITS]
        before = draw.original(number[:at], "".join(new))[-64:]
        other = draw.permuted(int(chunk), 10 ** len(chunk), tweak + before, purpose)
        new.append(f"{other:0{len(chunk)}d}")
    return "".join(new)


def _ascii_digits(value: str) -> str:
    """Return *value* with decimal digits of all scripts as ASCII digits."""
    return "".join(str(unicodedata.decimal(char, char)) for char in value)


def _draw_below(chance: Chance, n: int, but: int | None) -> int:
    """Draw a number below *n* other than *but*."""
    if but is None or not 0 <= but < n:
        return chance.below(n)
    drawn = chance.below(n - 1)
    return drawn + (drawn >= but)


# Numbers in words


_UNITS = {word: str(number) for number, word in enumerate(spelled.ONES)}
_ZEROS = (*english().noughts, spelled.ONES[0])
_UNITS.update(dict.fromkeys(_ZEROS, "0"))
_TENS = {word: str(number) for number, word in enumerate(spelled.TENS, 2)}
_MANY = english().many
_SPOKEN = {"0": "oh", **{digit: word for word, digit in _UNITS.items() if word not in _ZEROS}}
_WORD_OR_GAP = re.compile(r"[A-Za-z]+|[^A-Za-z]+")


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A number in words; its surrogates are written digit by digit.

    Attributes:
        number: Its digits.
        sizes: The number of digits in each group.
        gaps: The text between the groups.
        joint: The text between the words of a group.
        model: The value as written.
    """

    number: str
    sizes: tuple[int, ...]
    gaps: tuple[str, ...]
    joint: str
    model: str

    @property
    def form(self) -> str:
        sizes = "".join(str(part) for pair in zip(self.sizes, (*self.gaps, ""), strict=True)
                        for part in pair)  # fmt: skip
        case = "Aa Aa" if _titled(self.model) else _case(self.model)
        return f"spoken {sizes} {self.joint!r} {case}"

    def said(self, number: str) -> str:
        """Return *number* in words, in the style of this one."""
        zero = next(
            (word for word in _WORD_OR_GAP.findall(self.model.lower()) if word in _ZEROS), "oh"
        )
        words = [zero if digit == "0" else _SPOKEN[digit] for digit in number]
        text, at = "", 0
        for size, gap in zip(self.sizes, (*self.gaps, ""), strict=True):
            text += self.joint.join(words[at : at + size]) + gap
            at += size
        case = _case(self.model)
        if case == "A":
            return text.upper()
        if case == "Aa" and _titled(self.model):
            return text.title()
        return text[0].upper() + text[1:] if case == "Aa" else text


def _case(value: str) -> str:
    """Return ``A``, ``Aa`` or ``a``: all capitals, a first capital, or none."""
    letters = [char for char in value if char.isalpha()]
    if len(letters) > 1 and all(char.isupper() for char in letters):
        return "A"
    return "Aa" if letters and letters[0].isupper() else "a"


def _titled(value: str) -> bool:
    """Return whether there are several words, each with one capital at its start."""
    words = re.findall("[A-Za-z]+", value)
    return len(words) > 1 and all(word.istitle() for word in words)


_LONG_WORD = re.compile(r"[^\W\d_]{2}")
_GARBLED = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")


def _spoken(value: str) -> _Spoken | None:
    if _GARBLED.search(value) or not _LONG_WORD.search(value):  # a code: O0O0O is no oh, oh, oh
        return None
    if len(value) > 200 or not value[0].isalpha() or not value[-1].isalpha():
        return None
    groups, gaps, joints = [""], [], set()
    tens = double = False
    for token in _WORD_OR_GAP.findall(value):
        word = token.lower()
        if not word[0].isalpha():
            if token.strip(" -") or "\n" in token:
                groups.append("")
                gaps.append(token)
                tens = False
            else:
                joints.add(token)
            continue
        if word == "double":
            double = True
            continue
        if word in _UNITS:
            said = _UNITS[word]
            if tens and len(said) == 1 and said != "0":
                groups[-1] = groups[-1][:-1]
        elif word in _TENS:
            said = _TENS[word] + "0"
        elif word in _MANY:
            said = _MANY[word]
        else:
            return None
        tens = word in _TENS
        groups[-1] += said * (2 if double else 1)
        double = False
    if not all(groups):
        return None
    joint = "-" if joints == {"-"} else " "
    return _Spoken("".join(groups), tuple(map(len, groups)), tuple(gaps), joint, value)


# Social Security numbers


_BARE_SSN = re.compile(rf"[{_GLYPHS}{_MASKS}{_GAPS}]+")
# The line number of a transcript
_LINE_NUMBER = re.compile(r"\n[ \t]{0,12}(\d{1,2})[ \t]{2,12}")
# The suffix of a claim number on a Medicare card
_MEDICARE = re.compile(r"[- ]?[A-DMTW]\d?$")
_DIGIT = re.compile(r"[0-9]")
_DIGIT_OR_MASK = re.compile(rf"[0-9{re.escape(_MASKS)}]")
# Groups that, behind an area of 900 or more, no taxpayer number (ITIN) has either
_FREE_GROUPS = (*range(1, 50), *range(66, 70), 89)


class _SocialSecurity:
    """Read a US Social Security number in digits: whole, masked, or the last four digits."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        value = _ascii_digits(value)
        for text in _ssn_texts(value):
            if found := _ssn_places(value, text):
                places, number = found
                shown = tuple(
                    place for place, char in zip(places, number, strict=True) if char != "*"
                )
                template = _template(text, shown)

                def write(draw: Draw, number: str = number, template: _Template = template) -> str:
                    new = _other_ssn(draw, number).replace("*", "")
                    return _written(draw, value, template.filled(new))

                normal = number if len(number) != 4 else f"*****{number}"
                return Reading(f"ssn {template.text}", normal, write)
        return None


class _SpokenSocialSecurity:
    """Read a US Social Security number in words."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        spoken = _spoken(value)
        if spoken is None or len(spoken.number) < 3:
            return None
        number = spoken.number
        normal = number if len(number) != 4 else f"*****{number}"
        return Reading(spoken.form, normal, lambda draw: spoken.said(_other_ssn(draw, number)))


def _ssn_texts(value: str) -> Iterator[str]:
    """Yield *value* with its digits repaired, in more and more tolerant ways."""
    if len(value) > 200 or len(real := _DIGIT.findall(value)) < 2:
        return
    suffix = _MEDICARE.search(value)
    core, end = (value[: suffix.start()], suffix.group()) if suffix else (value, "")
    if end and _BARE_SSN.fullmatch(core) and len(_DIGIT.findall(digits(core))) == 9:
        yield digits(core) + end
    for text in (digits(value), digits(value).translate(_POORLY_READ)):
        if _BARE_SSN.fullmatch(text) and 2 * len(real) >= len(_DIGIT.findall(text)):
            yield text
            return
        if len(real) < 5:
            return


def _ssn_places(value: str, text: str) -> tuple[tuple[int, ...], str] | None:
    """Return the indices of digits and masks and their characters, ``*`` for a mask."""
    places = [found.start() for found in _DIGIT.finditer(text)]
    if suffix := _MEDICARE.search(text):
        places = [place for place in places if place < suffix.start()]
    if len(places) > 9:
        numbers = {place for line in _LINE_NUMBER.finditer(value) for place in range(*line.span(1))}
        places = [place for place in places if place not in numbers]
    if len(places) < 9:
        both = [found.start() for found in _DIGIT_OR_MASK.finditer(text)]
        if len(both) == 9:
            number = "".join(text[place] if text[place].isdigit() else "*" for place in both)
            return tuple(both), number
    return (tuple(places), "".join(text[place] for place in places)) if places else None


def _other_ssn(draw: Draw, number: str) -> str:
    """Draw another number, masked in the same places.

    The last four digits are permuted separately, so a number and its masked form agree.
    """
    if len(number) == 4:
        return _ssn_tail(draw, number)
    if len(number) != 9:
        return other_digits(draw, number, "US_SSN digits")
    tail = _ssn_tail(draw, number[5:])
    plausible = draw.options.get("ssn") == "plausible"
    return (_ssn_head if plausible else _unissued_head)(draw, number, tail) + tail


def _ssn_tail(draw: Draw, serial: str) -> str:
    shown = serial.replace("*", "")
    if not shown:
        return serial
    mask = "" if shown == serial else _mask(serial)
    other = cycle_walk(
        draw,
        int(shown),
        10 ** len(shown),
        lambda n: n > 0 or shown != serial,
        "US_SSN serial",
        mask,
    )
    return _masked(serial, f"{other:0{len(shown)}d}")


def _ssn_head(draw: Draw, number: str, tail: str) -> str:
    """Draw an area and a group that could have been issued, with a permutation for each serial.

    The surrogate's serial may have one valid head less than the original's, because published
    sample numbers are skipped. Each of the three samples that look valid costs one pair of equal
    surrogates.
    """
    head = number[:5]
    shown = head.replace("*", "")
    if not shown:
        return head

    old, new = draw.original(number[5:], tail), draw.original(tail, number[5:])

    def filled(n: int) -> str:
        return _masked(head, f"{n:0{len(shown)}d}")

    other = cycle_walk(
        draw, int(shown), 10 ** len(shown), lambda n: _issuable(filled(n) + new), "US_SSN area",
        f"{_mask(head)} {old}",
    )  # fmt: skip
    return filled(other)


def _issuable(number: str) -> bool:
    """Return whether the digits of *number* that are not masked may belong to an issued number."""
    if "*" not in number:
        return ssn(number)
    return not (number[:3] in ("000", "666") or number[0] == "9" or number[3:5] == "00")


def _unissued_head(draw: Draw, number: str, tail: str) -> str:
    """Draw an area of 900 or more and a group that no taxpayer number has."""
    same_tail = tail == number[5:]
    for _ in range(64):
        area = 900 + draw.chance.below(100)
        group = draw.chance.choice(_FREE_GROUPS)
        head = "".join(
            "*" if old == "*" else new
            for old, new in zip(number, f"{area}{group:02d}", strict=False)
        )
        if not (same_tail and head == number[:5]):
            break
    return head


def _mask(number: str) -> str:
    return "".join("*" if char == "*" else "0" for char in number)


def _masked(model: str, shown: str) -> str:
    left = iter(shown)
    return "".join("*" if char == "*" else next(left) for char in model)


# Telephone numbers


_LABEL = re.compile(
    r"(?i)(?:(?:home|house|res(?:idence)?|tel(?:ephone)?|phone|ph|cell|mobile|mob|call|number|no"
    r"|nights?|evenings?)\b\s?[.:#]{0,2}\s{0,3}){1,4}(?=\S)"
)
_AFTER = re.compile(r"\s?\([A-Za-z][A-Za-z .]{0,30}\)$")
_EXTENSION = re.compile(
    rf"(?i)(?<![A-Z])(?P<gap>(?:ext(?:ension|n)?|x)\.?\s{{0,3}}#?)(?P<digits>[{_GLYPHS}]{{1,6}})$"
)
_BARE_PHONE = re.compile(rf"[{_GLYPHS}{_GAPS}]+")
_NO_LETTERS = "01|"  # which OCR reads for the O and the L of an exchange's name
_EXCHANGE = re.compile(
    rf"(?P<area>(?=\D{{0,4}}\d)(?:\+?[1{_ONES}][-–. ]{{0,2}})?\(?\s?[{_GLYPHS}]{{3}}\s?\)?"
    r"[-–./,\s]{0,3})?"
    rf"(?P<name>[A-Za-z][A-Za-z{_NO_LETTERS}]{{0,13}}?[A-Za-z])(?P<gap>\.?[-–\s]{{0,3}})"
    rf"(?P<rest>(?:\d|(?<=[-–.\s])[{_GLYPHS}])\s?[-–./ ]?\s?[{_GLYPHS}]{{4}})"
)
# TRinity 5522, from before numbers had seven digits
_OLD_EXCHANGE = re.compile(
    rf"(?P<area>)(?P<name>[A-Z][A-Za-z{_NO_LETTERS}]{{1,14}})(?P<gap>\.?[-–\s]{{1,3}})(?P<rest>[{_GLYPHS}]{{4}})"
)
_TOWN = re.compile(
    rf"(?P<town>[^\W\d_][^\W\d_]{{2,20}}(?:[- ][^\W\d_]{{2,20}}){{0,2}})(?P<gap>,?\s{{1,3}})"
    rf"(?P<rest>[{_GLYPHS}]{{2,5}}(?:[ .-][{_GLYPHS}]{{2,4}}){{0,3}})"
    rf"(?P<party>[-–\s]?[JMRW]|,?\s{{1,2}}(?:ring|party)\s[1-9]\d?"
    rf"|[-–\s]?[FJMRW][-–\s]?[1-9]\d?)?"
)
# "U.T. 203, Quilmes", "Tel. 47 Nenagh"
_BEFORE_TOWN = re.compile(
    rf"(?P<lead>(?:[A-Z]\.){{0,3}}\s?)(?P<rest>\d[{_GLYPHS}]{{1,4}})(?P<gap>,?\s{{1,2}})"
    rf"(?P<town>[A-Z][^\W\d_]{{3,20}}(?: [A-Z][^\W\d_]{{2,20}})?)"
)
_FEWEST_TOWNS = 4  # of a country, from which one is drawn
_ZERO_IN_BRACKETS = re.compile(r"\(\s?0\s?\)")
_DIAL = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "22233344455566677778889999")
_LETTERS = str.maketrans({char: english().ocr.lower[char].upper() for char in _NO_LETTERS})


class _Phone:
    """Read a telephone number in digits, with its label, its extension or an exchange's name."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        if len(value) > 200:
            return None
        value = _ascii_digits(value)
        start = found.end() if (found := _LABEL.match(value)) else 0
        end = len(value)
        if (found := _AFTER.search(value)) and _labels_alone(found.group(), options):
            end = found.start()
        core = value[start:end]
        extension = _EXTENSION.search(core)
        number = core[: extension.start()] if extension else core
        bare = number.rstrip(" ,;")
        read = (
            _read_town(bare, options, abroad=True)
            or _read_exchange(bare, options)
            or _read_digits(bare, options)
            or _read_town(bare, options)
        )
        if read is None:
            return None
        form, normal, write = read
        before, between, after = value[:start], number[len(bare) :], value[end:]
        gap, old = (extension["gap"], digits(extension["digits"])) if extension else ("", "")

        def written(draw: Draw) -> str:
            inner = other_digits(draw, old, "PHONE extension") if old else ""
            return _written(draw, value, f"{before}{write(draw)}{between}{gap}{inner}{after}")

        form = f"phone {before}{form}{between}{gap}{'0' * len(old)}{after}"
        return Reading(form, f"{normal}x{old}" if old else normal, written)


def _labels_alone(text: str, options: Mapping[str, Any]) -> bool:
    """Return whether all words of *text* are labels of a number."""
    labels = _labels(pack_of(options))
    return all(_is_label(text[slice(*span)], labels) for span in _words_of(text))


class _SpokenPhone:
    """Read a telephone number in words."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        spoken = _spoken(value)
        if spoken is None or len(spoken.number) < 4:
            return None
        kept, normal, write = _plan(spoken.number, False, False, options)
        first = spoken.number[:kept]
        return Reading(spoken.form, normal, lambda draw: spoken.said(first + write(draw)))


def _read_digits(value: str, options: Mapping[str, Any]) -> tuple[str, str, Writer] | None:
    text = digits(value)
    real = len(_DIGIT.findall(value))
    places = tuple(found.start() for found in _DIGIT.finditer(text))
    if not _BARE_PHONE.fullmatch(value) or not 4 <= len(places) <= 18 or 2 * real < len(places):
        return None
    number = "".join(text[place] for place in places)
    plus = value.lstrip("( ").startswith("+")
    kept, normal, write = _plan(number, plus, bool(_ZERO_IN_BRACKETS.search(text)), options)
    template = _template(text, places[kept:])
    form = template.text
    if places[kept:] and number[kept - 1 : kept] == "0":
        form += " trunk"
    return form, normal, lambda draw: template.filled(write(draw))


def _plan(
    number: str, plus: bool, zero: bool, options: Mapping[str, Any]
) -> tuple[int, str, Writer]:
    """Return the number of first digits that stay, the normal form, and a writer of the others.

    Args:
        number: All digits.
        plus: Whether a plus stands before them.
        zero: Whether there is a trunk prefix in brackets: "(0)".
        options: As a form receives them.
    """
    size = len(number)
    if plus or (number.startswith("00") and size > 8):
        start = 0 if plus else 2
        country = _calling_code(number[start:])
        kept = start + len(country)
        kept += zero and number[kept : kept + 1] == "0"
        rest = number[kept:]
        if country == "1" and len(rest) == 10:
            return kept, rest, lambda draw: _other_national(draw, rest)
        if rest:
            return kept, f"+{country}{rest}", lambda draw: _other_abroad(draw, country, rest)
    if size == 11 and number[0] == "1":
        return 1, number[1:], lambda draw: _other_national(draw, number[1:])
    if size == 10 and number[0] != "0":
        return 0, number, lambda draw: _other_national(draw, number)
    if size == 7:
        return 0, number, lambda draw: _other_local(draw, number)
    if number[0] == "0" and size > 7:
        country = _home_code(_locale_at(options), size)
        normal = f"+{country}{number[1:]}" if country else number
        return 1, normal, lambda draw: _other_abroad(draw, country, number[1:])
    if size < 6:
        return 0, number, lambda draw: _other_village(draw, number)
    return 0, number, lambda draw: other_digits(draw, number, "PHONE digits", leading=True)


def _calling_code(number: str) -> str:
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE  # .1 s, for telephone numbers only

    sizes = (size for size in (1, 2, 3) if int(number[:size]) in COUNTRY_CODE_TO_REGION_CODE)
    return number[: next(sizes, 3)]


def _locale_at(options: Mapping[str, Any]) -> str:
    """Return the locale of *options*, or one of the country that their page tells."""
    page = page_places(options)
    codes = load_atlas(pack_of(options)).codes
    told = [code for code, country in codes.items() if page.is_told and country == page.home]
    return f"en_{told[0]}" if told else str(options.get("locale", "en_US"))


@lru_cache(maxsize=64)
def _home_code(locale: str, size: int) -> str:
    """Return the calling code of the locale's country; empty if its numbers have no trunk prefix 0.

    For such a country, a number of 11 digits is taken for a British one.
    """
    from phonenumbers import country_code_for_region

    code = str(country_code_for_region(locale.rpartition("_")[2]))
    if code in ("0", "1"):
        return "44" if size == 11 else ""
    return code


def _fictional(draw: Draw) -> bool:
    return bool(draw.options.get("phone", "fictional") != "plausible")


def _other_national(draw: Draw, number: str) -> str:
    """Draw ten digits of the North American plan."""
    local = _other_local(draw, number[3:])
    return _other_area(draw, number[:3], draw.original(number[3:], local)) + local


def _other_area(draw: Draw, area: str, local: str) -> str:
    if _fictional(draw):
        return _real_area(draw, area, local)
    return str(cycle_walk(draw, int(area), 1000, _in_plan, "PHONE area", local))


def _real_area(draw: Draw, area: str, local: str) -> str:
    """Draw an area code that is in use, and was in the page's year.

    On a page, one area becomes one of the state that the page's towns of its state go to. Where the
    page has more than 100 numbers, those behind go on in others of that state, and then in others.
    """
    pack, page = pack_of(draw.options), page_places(draw.options)
    atlas, listed = load_atlas(pack), area_codes(pack)
    state = listed[area][0] if area in listed else ""
    abroad = bool(state) and state not in atlas.state_rows  # a province of Canada
    of_country = [
        code for code, (of, _) in listed.items() if (of not in atlas.state_rows) == abroad
    ]
    codes = [code for code in of_country if listed[code][1] <= page.years[1]] or of_country
    if context_of(draw.options) is None:
        return draw.part("PHONE area", area + local).chance.choice(codes)
    to = page.new_state(draw, state, atlas) if state and not abroad else ""
    of_state = [code for code in codes if listed[code][0] == to and code != area]
    if not of_state and to in page.told:
        return area  # the only one of the state that the page tells
    others = of_state or [code for code in codes if code != area]
    first = others.index(draw.part("PHONE area", area).choice(others))
    if (more := _line_on_page(draw, local)[1]) >= len(others) and to not in page.told:
        others = [code for code in codes if code != area]
    return others[(first + more) % len(others)]


def _other_local(draw: Draw, local: str) -> str:
    """Draw seven digits, the same ones with and without an area code before them."""
    if _fictional(draw):
        return f"555{_fictional_line(draw, local)}"
    other = cycle_walk(draw, int(local), 10**7, lambda n: _in_plan(n // 10_000), "PHONE local", "")
    return f"{other:07d}"


def _in_plan(code: int) -> bool:
    """Return whether *code* can be an area or an exchange: from 200 on, and no service code."""
    return code >= 200 and code % 100 != 11


def _fictional_line(draw: Draw, number: str) -> str:
    """Draw a line from 0100 to 0199, the block behind 555 that is reserved for fiction."""
    return f"01{_line_on_page(draw, number)[0]:02d}"


def _line_on_page(draw: Draw, number: str) -> tuple[int, int]:
    """Return one of the 100 lines for fiction, and how often the page has used up all before."""
    part, context = draw.part("PHONE local", number), context_of(draw.options)
    if context is not None:
        pack, subkey = pack_of(draw.options), draw.keyring.subkey("PHONE local")
        locale = str(draw.options.get("locale", "en_US"))
        lines = _Lines(pack, locale, subkey, draw.attempt, draw.keyring)
        if number in (found := context.page.fact(lines)):
            return found[number]
    return _draw_below(part.chance, _LINES, _fictional_own(number)), 0


def _fictional_own(number: str) -> int | None:
    """Return the line of a number if it is one for fiction."""
    return int(number[-2:]) if number[-4:-2] == "01" else None


@dataclass(frozen=True, slots=True)
class _Lines:
    """Draw the lines of a page's numbers, so that no two are equal among 100: a fact of the page.

    Attributes:
        pack: In use.
        locale: In use.
        subkey: Of the scope, which tells whether another keyring draws the same.
        attempt: The number of the candidate.
        keyring: Of the scope.
    """

    pack: Pack
    locale: str
    subkey: bytes
    attempt: int
    keyring: Keyring = field(compare=False)

    def __call__(self, page: Page) -> Mapping[str, tuple[int, int]]:
        """Return line and round by the digits of a number without its area code."""
        found: dict[str, tuple[int, int]] = {}
        used: set[int] = set()
        for at, number in enumerate(sorted(page.fact(_Numbers(self.pack, self.locale)))):
            if at % _LINES == 0:
                used = set()
            own = _fictional_own(number)
            chance = self.keyring.chance("PHONE local", number, self.attempt)
            line = _draw_below(chance, _LINES, own)
            while line in used or (line == own and len(used) < _LINES - 1):
                line = (line + 1) % _LINES
            used.add(line)
            found[number] = line, at // _LINES
        return found


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Read the telephone numbers of a page without their area codes: a fact of the page."""

    pack: Pack
    locale: str

    def __call__(self, page: Page) -> frozenset[str]:
        """Return their digits."""
        options = {"pack": self.pack, "locale": self.locale}
        forms = (_Phone(), _SpokenPhone())
        read = (
            next((one for form in forms if (one := form.read(value.strip(), options))), None)
            for value in page.values("HOME_PHONE_NUMBER")
        )
        numbers = (one.normal.partition("x")[0] for one in read if one)
        return frozenset(
            one[3:] if len(one) > _LONGEST_LOCAL else one for one in numbers if one.isdigit()
        )


def _other_village(draw: Draw, number: str) -> str:
    if _fictional(draw):
        return "5"[: len(number) - 4] + _fictional_line(draw, number)
    return other_digits(draw, number, "PHONE digits", leading=True)


def _other_abroad(draw: Draw, country: str, number: str) -> str:
    if _fictional(draw) and (blocks := _blocks(country, number, pack_of(draw.options))):
        chance = draw.part("PHONE abroad", f"{country} {number}").chance
        block = chance.choice(blocks)
        size = len(number) - len(block)
        own = int(number[len(block) :]) if number.startswith(block) else None
        return f"{block}{_draw_below(chance, 10**size, own):0{size}d}"
    return other_digits(draw, number, "PHONE abroad", country, leading=True)


def _blocks(country: str, number: str, pack: Pack) -> list[str]:
    """Return the blocks reserved for fiction in *country* among numbers like *number*."""
    for row in rows("fictional_numbers", pack):
        begins = tuple(row["begins"].split(","))
        if (
            row["country"] == country
            and len(number) == int(row["digits"])
            and number.startswith(begins)
        ):
            return row["blocks"].split(",")
    return []


def _read_exchange(value: str, options: Mapping[str, Any]) -> tuple[str, str, Writer] | None:
    found = _EXCHANGE.fullmatch(value)
    if found is None:
        found = _OLD_EXCHANGE.fullmatch(value)
        if found is None or not _is_exchange(found["name"], pack_of(options)):
            return None
    name, gap = found["name"].translate(_LETTERS), found["gap"]
    dialled = name[:2].upper().translate(_DIAL)
    area = digits(found["area"] or "")
    rest = digits(found["rest"])
    area_places = tuple(place.start() for place in _DIGIT.finditer(area))
    area_code = "".join(area[place] for place in area_places)[-3:]
    before = _template(area, area_places[-3:])
    after = _template(rest, tuple(place.start() for place in _DIGIT.finditer(rest)))
    local = dialled + "".join(rest[place] for place in after.places)
    style = _style(name)

    def write(draw: Draw) -> str:
        exchange, line = _other_exchange(draw, local)
        start = ""
        if area_code:
            start = before.filled(_other_area(draw, area_code, local))
        return start + _styled(exchange, style) + gap + after.filled(line)

    return f"{before.text}{style}{gap}{after.text}", area_code + local, write


def _is_exchange(name: str, pack: Pack) -> bool:
    """Return whether *name* has two capitals, as dialled, or is a known name of an exchange."""
    shown = name[:2].isupper() and (len(name) == 2 or not name.isupper())
    return shown or folded(name) in _exchange_words(pack)


def _other_exchange(draw: Draw, local: str) -> tuple[str, str]:
    """Draw the name of an exchange, and the digits behind its two letters."""
    if _fictional(draw):
        line = _fictional_line(draw, local)
        return "KLondike", line if len(local) == 6 else f"5{line}"
    names = _exchanges(pack_of(draw.options))
    codes = tuple(names)
    code, line = local[:2], local[2:]
    low = 20_000 if len(line) == 5 else 0  # no exchange ends in 0 or 1
    lines_ = 10 ** len(line) - low
    domain = len(codes) * lines_
    purpose = f"PHONE exchange {len(line)}"
    if code in names and int(line) >= low:
        index = draw.permuted(codes.index(code) * lines_ + int(line) - low, domain, "", purpose)
    else:
        index = draw.keyring.chance(purpose, local).below(domain)
    name = draw.chance.choice(names[codes[index // lines_]])
    return name, f"{low + index % lines_:0{len(line)}d}"


@lru_cache(maxsize=16)
def _exchanges(pack: Pack) -> dict[str, tuple[str, ...]]:
    """Return the names of exchanges by the two digits that are dialled for them.

    Raises:
        PackError: The pack lists none.
    """
    listed = pack.terms("recognizers/gazetteers", "exchange_names")
    if not listed:
        raise pack.unlisted("recognizers/gazetteers", "exchange_names.txt", "operators/")
    by_code: dict[str, list[str]] = {}
    for name in listed:
        by_code.setdefault(name[:2].translate(_DIAL), []).append(name)
    return {code: tuple(by_code[code]) for code in sorted(by_code)}


@lru_cache(maxsize=16)
def _exchange_words(pack: Pack) -> frozenset[str]:
    return frozenset(name.casefold() for names in _exchanges(pack).values() for name in names)


def _style(name: str) -> str:
    """Return the case of an exchange's name: ``AAaa`` for GLendale, ``AA`` for two letters."""
    if len(name) == 2:
        return "AA" if name.isupper() else "Aa" if name[0].isupper() else "aa"
    if name.isupper():
        return "AAAA"
    return "AAaa" if name[:2].isupper() else "Aaaa" if name[0].isupper() else "aaaa"


def _styled(name: str, style: str) -> str:
    name = name[:2] if len(style) == 2 else name
    match style:
        case "AA" | "AAAA":
            return name.upper()
        case "Aa" | "Aaaa":
            return name.capitalize()
        case "aa" | "aaaa":
            return name.lower()
        case _:
            return name


def _read_town(
    value: str, options: Mapping[str, Any], abroad: bool = False
) -> tuple[str, str, Writer] | None:
    """Read a town and its number, as in Europe and in villages: Basel 23 91 40.

    Args:
        value: Without its label and extension.
        options: As a form receives them.
        abroad: Whether to read only what the page's country, not in North America, tells.
    """
    found = _TOWN.fullmatch(value) or _BEFORE_TOWN.fullmatch(value)
    if found is None or not found["rest"][0].isdigit():
        return None
    is_behind = found.re is _BEFORE_TOWN
    town, party = found["town"], "" if is_behind else found["party"] or ""
    rest = digits(found["rest"])
    template = _template(rest, tuple(place.start() for place in _DIGIT.finditer(rest)))
    number = "".join(rest[place] for place in template.places)
    page = page_places(options)
    is_abroad = page.is_told and page.home not in (US, "Canada") and town.istitle()
    if abroad and not (is_abroad and folded(town) not in _exchange_words(pack_of(options))):
        return None
    if len(number) == 5 and not party and not abroad:  # read by `_read_exchange`
        return None
    case = _case(town)

    def write(draw: Draw) -> str:
        pack, part = pack_of(draw.options), draw.part("PHONE town", folded(town))
        country = page_places(draw.options).country_of_town(town, load_atlas(pack), draw.locale)
        other: str = part.choice(_towns(country, pack), but=town.title())
        other = other.upper() if case == "A" else other.lower() if case == "a" else other
        line = other_digits(draw, number, "PHONE town", folded(town), leading=True)
        ring = re.sub(r"\d+", lambda old: _other_ring(old.group(), part), party)
        if is_behind:
            return found["lead"] + template.filled(line) + found["gap"] + other
        return other + found["gap"] + template.filled(line) + ring

    shape = re.sub(r"\d", "0", party)
    end = " town" if is_behind else ""
    form = f"town {case}{found['gap']}{template.text}{shape}{end}"
    return form, f"{folded(town)} {number}", write


def _other_ring(ring: str, draw: Draw) -> str:
    """Return another number of a party on one line."""
    return draw.choice(
        [str(one) for one in range(1 if len(ring) == 1 else 10, 10 ** len(ring))], ring
    )


@lru_cache(maxsize=256)
def _towns(country: str, pack: Pack) -> tuple[str, ...]:
    """Return the towns of *country*, of one word, that are not read as an exchange.

    A country with few of them has those of all countries but the US.
    """
    abroad = rows("world_towns", pack)
    of_country = (row for row in abroad if row["country"] == country)
    for listed in (rows("us_towns", pack) if country == US else of_country, abroad):
        found = tuple(
            town
            for town in dict.fromkeys(row["town"] for row in listed)
            if re.fullmatch(r"[^\W\d_]{4,12}", town)
            and town.casefold() not in _exchange_words(pack)
        )
        if len(found) >= _FEWEST_TOWNS:
            return found
    return found


# Any other number


_CONSONANTS = "CFHJKMNPRVW"  # not read as a digit or a mask by any form
_STROKES = "-*~=+^"
_MASK_WORD = re.compile(r"(?i)x+")
_LONGEST_TEXT = 400  # characters that `Among` reads


class _Code:
    """Read any text; replace its digits, or its letters if it has none, or else its marks.

    Letters beside digits are replaced where they may be a name: words that are no labels, and three
    or more letters within a code.
    """

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        shown = "".join(char for char in value if char.isalnum())
        normal = unicodedata.normalize("NFKC", shown).casefold()
        if not any(char.isdecimal() for char in value):
            return _letters(value, normal) if normal else _marks(value)
        form, write = _around(value, options)
        return Reading(f"code {form}", normal, write)


def is_code(value: str, options: Mapping[str, Any]) -> bool:
    """Return whether *value* is one code with digits: no label, no mask and no word beside it."""
    labels = _labels(pack_of(options))
    words = [value[slice(*span)] for span in _words_of(value)]
    beside = (word for word in value.split() if len(word) > 2 and word.isalpha())
    return (
        any(char.isdecimal() for char in value)
        and not any(len(word) > 1 and _is_label(word, labels) for word in words)
        and not any(beside)
    )


def _in_word(char: str) -> bool:
    """Return whether *char* is a letter, or a combining mark."""
    if char.isalnum():
        return not char.isdecimal()
    return unicodedata.category(char)[0] == "M"


def _around(text: str, options: Mapping[str, Any]) -> tuple[str, Writer]:
    """Return the shape of *text*, and a writer that replaces its digits and possible names."""
    labels = _labels(pack_of(options))
    words = [span for span in _words_of(text) if not _is_label(text[slice(*span)], labels)]
    places = tuple(at for at, char in enumerate(text) if char.isdecimal())
    shape = list(text)
    for at in (*places, *(at for span in words for at in range(*span))):
        shape[at] = "0" if text[at].isdecimal() else "A" if text[at].isupper() else "a"
    words = [span for span in words if _may_be_name(text, *span)]
    number = "".join(str(unicodedata.decimal(text[place])) for place in places)
    plain = unicodedata.normalize("NFKC", "".join(char for char in text if char.isalnum()))
    tweak = re.sub(r"\d", "0", plain.casefold())

    def write(draw: Draw) -> str:
        new = list(text)
        for start, end in words:
            new[start:end] = _other_letters(draw, text[start:end], labels)
        for place, digit in zip(places, other_digits(draw, number, "digits", tweak), strict=False):
            new[place] = digit
        return "".join(new)

    return "".join(shape), write if places or words else lambda draw: text


def _words_of(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each run of letters starts and ends."""
    start = 0
    for inside, run in groupby(text, _in_word):
        end = start + sum(1 for _ in run)
        if inside and any(map(str.isalnum, text[start:end])):
            yield start, end
        start = end


def _is_label(word: str, labels: frozenset[str]) -> bool:
    return word.casefold() in labels or bool(_MASK_WORD.fullmatch(word))


def _may_be_name(text: str, start: int, end: int) -> bool:
    """Return whether a word that is no label may be more than one or two letters of a code."""
    around = text[max(start - 1, 0) : start] + text[end : end + 1]
    joined = any(char == "-" or char.isdecimal() for char in around)
    size = end - start
    return size > 2 or not text[start:end].isascii() or (size == 2 and not joined)


@lru_cache(maxsize=16)
def _labels(pack: Pack) -> frozenset[str]:
    return frozenset(terms("number_words", pack))


def _other_letters(draw: Draw, word: str, labels: frozenset[str] = frozenset()) -> str:
    """Draw as many consonants as *word* has letters: another first one, and no label."""
    chance = draw.part("LETTERS", word.casefold()).chance
    own = folded(word)[:1].upper()
    firsts = [letter for letter in _CONSONANTS if letter != own]
    while True:
        new = chance.choice(firsts) + "".join(chance.choice(_CONSONANTS) for _ in word[1:])
        if new.casefold() not in labels:
            return "".join(
                letter if old.isupper() else letter.lower()
                for old, letter in zip(word, new, strict=True)
            )


class Among:
    """Read values of a form among other words; replace these words as those in a code.

    Args:
        one: The form.
        pattern: A regular expression that finds its values.
    """

    def __init__(self, one: Form, pattern: str) -> None:
        self._one = one
        self._pattern = re.compile(pattern)

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Read the values within *value*; None if there are none."""
        if len(value) > _LONGEST_TEXT:
            return None
        pieces: list[tuple[str, Writer]] = []
        normal, at = [], 0
        for found in self._pattern.finditer(value):
            reading = self._one.read(found.group(), options)
            if reading and not any(map(_in_word, value[found.end() : found.end() + 1])):
                pieces.append(_around(value[at : found.start()], options))
                pieces.append((reading.form, _alone(reading)))
                normal += [folded(value[at : found.start()]), reading.normal]
                at = found.end()
        if not pieces:
            return None
        pieces.append(_around(value[at:], options))
        normal.append(folded(value[at:]))
        return Reading(
            "among " + "".join(form for form, _ in pieces),
            " ".join(filter(None, normal)),
            lambda draw: "".join(write(draw) for _, write in pieces),
        )


def _alone(reading: Reading) -> Writer:
    """Return a writer that gives a value among words the surrogate that it gets alone."""
    return lambda draw: reading.write(draw.part(draw.entity, reading.normal))


def _letters(value: str, normal: str) -> Reading:
    letters = list(value)
    for at in (at for span in _words_of(value) for at in range(*span)):
        letters[at] = "A" if value[at].isupper() else "a"
    shape = "".join(letters)

    def write(draw: Draw) -> str:
        own = next((char for char in folded(normal) if char.isalnum()), "")
        first = draw.choice(_CONSONANTS, but=own.upper())
        new = []
        for char in shape:
            if char in "Aa":
                letter = draw.chance.choice(_CONSONANTS) if first == "" else first
                first = ""
                new.append(letter if char == "A" else letter.lower())
            else:
                new.append(char)
        return "".join(new)

    return Reading(f"letters {shape}", normal, write)


def _marks(value: str) -> Reading:
    shape = "".join(char if char.isspace() else "-" for char in value)

    def write(draw: Draw) -> str:
        stroke = draw.choice(_STROKES, but=value[:1])
        return shape.replace("-", stroke)

    return Reading(f"marks {shape}", "".join(value.split()), write, may_stay=not value)


_SSN_AMONG = r"(?<![\w-])(?:[\dxX*#]{3}[-–. ]?[\dxX*#]{2}[-–. ]?)?\d{4}(?![\w-])"
_PHONE_AMONG = (
    r"(?<![\w+(])\+?\(?\d(?:[-–. ()]{0,3}\d){6,14}(?!\w)"
    r"|(?<!\w)[A-Za-z]{2,14}[-–. ]{1,2}\d[-– ]?\d{4}(?!\w)"
)

SSN_FORMS: tuple[Form, ...] = (
    _SocialSecurity(), _SpokenSocialSecurity(), Among(_SocialSecurity(), _SSN_AMONG), _Code()
)  # fmt: skip
PHONE_FORMS: tuple[Form, ...] = (_Phone(), _SpokenPhone(), Among(_Phone(), _PHONE_AMONG), _Code())
DIGIT_FORMS: tuple[Form, ...] = (_Code(),)
