"""Check whether the check digits of an identifier hold.

A check is written in ``identifiers.tsv`` as its name and arguments, such as ``luhn`` or
``sum 11: 10 9 8 7 6 5 4 3 2 1``. Each takes letters and digits alone, letters as capitals.
"""

from collections.abc import Callable
from functools import lru_cache

from presidio_cdip.recognition.checks import luhn

Check = Callable[[str], bool]

# The dihedral group of a pentagon, and the permutation of Verhoeff's check.
_FIVE = 5
_TURNS = [[*range(10)]]
for _ in range(7):
    _TURNS.append([(1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[one] for one in _TURNS[-1]])


def mod_97(number: str) -> bool:
    """Check by ISO 7064 mod 97-10, as an IBAN has it: the first four characters come last.

    >>> mod_97("GB82WEST12345698765432"), mod_97("GB00WEST12345698765432")
    (True, False)
    """
    return _value(number[4:] + number[:4]) % 97 == 1


def _value(text: str) -> int:
    return int("".join(str(int(char, 36)) for char in text))


def mod_11_10(number: str) -> bool:
    """Check the digits of *number* by ISO 7064 mod 11, 10.

    >>> mod_11_10("86095742719"), mod_11_10("86095742718")
    (True, False)
    """
    *first, last = (int(char) for char in number if char.isdigit())
    product = 10
    for one in first:
        product = 2 * ((one + product) % 10 or 10) % 11
    return (product + last) % 10 == 1


def verhoeff(number: str) -> bool:
    """Check by Verhoeff's algorithm (Error Detecting Decimal Codes, 1969).

    >>> verhoeff("2363"), verhoeff("2364")
    (True, False)
    """
    held = 0
    for at, char in enumerate(reversed(number)):
        held = _composed(held, _TURNS[at % 8][int(char)])
    return held == 0


def _composed(one: int, other: int) -> int:
    """Compose two symmetries of a pentagon: 0 to 4 turn it, 5 to 9 turn it over."""
    if one < _FIVE:
        turned = (one + other) % _FIVE
        return turned + (_FIVE if other >= _FIVE else 0)
    turned = (one - other) % _FIVE
    return turned + (_FIVE if other < _FIVE else 0)


def weighted(number: str, modulus: int, weights: tuple[int, ...], rest: int = 0) -> bool:
    """Check that the weighted sum is *rest* modulo *modulus*; a letter counts from A = 10.

    >>> weighted("9434765919", 11, (10, 9, 8, 7, 6, 5, 4, 3, 2, 1))
    True
    """
    found = zip(number, weights, strict=False)
    return sum(int(char, 36) * weight for char, weight in found) % modulus == rest


def remaining(number: str, modulus: int, weights: tuple[int, ...]) -> bool:
    """Check that the last digit fills the weighted sum up to *modulus*, modulo 10.

    >>> remaining("1101700230708", 11, tuple(range(13, 1, -1)))
    True
    """
    total = sum(int(char) * weight for char, weight in zip(number, weights, strict=False))
    return (modulus - total % modulus) % 10 == int(number[-1])


def turkish(number: str) -> bool:
    """Check the last two digits of a Turkish identity number.

    >>> turkish("10000000146"), turkish("10000000147")
    (True, False)
    """
    shown = [int(char) for char in number]
    tenth = (7 * sum(shown[0:9:2]) - sum(shown[1:8:2])) % 10
    return shown[9:] == [tenth, sum(shown[:10]) % 10]


def letter(number: str, letters: str) -> bool:
    """Check that the last character is the one of *letters* that the digits before it select.

    A first letter X, Y or Z counts as 0, 1 or 2.

    >>> letter("12345678Z", "TRWAGMYFPDXBNJZSQVHLCKE")
    True
    """
    before = number[:-1].translate(str.maketrans("XYZ", "012"))
    shown = "".join(char for char in before if char.isdigit())
    return number[-1:] == letters[int(shown or 0) % len(letters)]


_PLAIN: dict[str, Check] = {
    check.__name__: check for check in (mod_11_10, mod_97, turkish, verhoeff)
}


@lru_cache(maxsize=256)
def check_of(said: str) -> Check:
    """Return the check that *said* names, with its arguments.

    Raises:
        ValueError: There is no such check, or an argument is not valid.
    """
    name, *arguments = said.replace(":", " ").split()
    if name == "sum":
        modulus, *weights = map(int, arguments)
        return lambda number: weighted(number, modulus, tuple(weights))
    if name == "rest":
        modulus, *weights = map(int, arguments)
        return lambda number: remaining(number, modulus, tuple(weights))
    if name == "abn":  # one is taken from the first digit before the sum
        weights_of_abn = (10, *range(1, 20, 2))
        return lambda number: weighted(number, 89, weights_of_abn, 10)
    if name == "luhn":
        return lambda number: luhn(number, "".join(arguments))
    if name == "letter":
        return lambda number: letter(number, *arguments)
    if name not in _PLAIN:
        raise ValueError(f"no check {name!r}")
    return _PLAIN[name]
