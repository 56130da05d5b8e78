"""Draw surrogates of identifiers: letters for letters, digits for digits, in one format.

The formats are the rows of ``identifiers.tsv``. Within one format the surrogates of a scope are a
permutation, so no two originals share one, except where `starts` writes the first characters.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from string import ascii_uppercase
from string import digits as ten
from typing import Any

from presidio_cdip.errors import PackError
from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing.chance import Drawn
from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import rows
from presidio_cdip.surrogates.values.check_digits import Check, check_of
from presidio_cdip.surrogates.values.numbers import DIGIT_FORMS, cycle_walk, is_code

TABLE = "identifiers"

_BASE_58 = "".join(
    char for char in ten + ascii_uppercase + ascii_uppercase.lower() if char not in "0OIl"
)
_ALPHABETS = {
    "hex": f"{ten}ABCDEF",
    "base58": _BASE_58,
    "bech32": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
}
_LONGEST = 100  # letters and digits of an identifier
_MOST_STEPS = 10_000  # of a permutation, until a number looks as it should


@dataclass(frozen=True, slots=True)
class Identifier:
    """Read an identifier of one format.

    Attributes:
        looks: Matches its letters and digits without separators. Of its groups, `keep`
            stays and `check` is computed.
        check: Tells whether its check digits hold.
        alphabet: The characters that may stand anywhere; if empty, letters stand for letters and
            digits for digits.
        starts: The first characters of every surrogate, such as the digits of a range that is never
            issued.
    """

    looks: "re.Pattern[str]"
    check: Check | None = None
    alphabet: str = ""
    starts: str = ""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        """Return the reading of *value*, or None if it has another format or wrong check digits."""
        places = [at for at, char in enumerate(value) if char.isalnum()]
        shown = "".join(value[at] for at in places)
        if not 1 < len(places) <= _LONGEST or not shown.isascii():
            return None
        number = shown if self._has_cases() else shown.upper()
        found = self.looks.fullmatch(number)
        if found is None or (self.check and not self.check(number)):
            return None
        drawn = self._drawn(number, found)
        domain = prod(len(kind) for kind in drawn.values())
        if domain < 2:
            return None

        def write(draw: Draw) -> str:
            new = self._other(draw, number, found, drawn, domain)
            chars = list(value)
            for place, char in zip(places, new, strict=True):
                chars[place] = char if self._has_cases() else _cased(char, value[place], shown)
            return "".join(chars)

        shape = "".join(self._kind(char) if char.isalnum() else char for char in value)
        return Reading(f"identifier {shape}", number, write)

    def _kind(self, char: str) -> str:
        if self.alphabet:
            return "_"
        return "0" if char.isdigit() else "a" if char.islower() else "A"

    def _has_cases(self) -> bool:
        return self.alphabet != self.alphabet.upper()

    def _drawn(self, number: str, found: "re.Match[str]") -> dict[int, str]:
        """Return the characters from which each place is drawn; the other places are not drawn."""
        groups = self.looks.groupindex
        fixed = {
            at for name in ("keep", "check") if name in groups for at in range(*found.span(name))
        } | set(range(len(self.starts)))
        return {
            at: self.alphabet or (ten if char.isdigit() else ascii_uppercase)
            for at, char in enumerate(number)
            if at not in fixed
        }

    def _other(
        self,
        draw: Draw,
        number: str,
        found: "re.Match[str]",
        drawn: Mapping[int, str],
        domain: int,
    ) -> str:
        chars = list(number)
        chars[: len(self.starts)] = self.starts

        def written(index: int) -> str | None:
            for at, kind in drawn.items():
                index, digit = divmod(index, len(kind))
                chars[at] = kind[digit]
            return next(self._checked("".join(chars), found), None)

        index = 0
        for at, kind in reversed([*drawn.items()]):
            index = index * len(kind) + kind.index(number[at])
        if self.starts and draw.keyring.inverts:
            raise Drawn
        kept = found["keep"] if "keep" in self.looks.groupindex else ""
        shape = "".join(map(self._kind, number))
        steps = iter(range(_MOST_STEPS))

        def valid(other: int) -> bool:
            return written(other) is not None or next(steps, None) is None

        other = cycle_walk(draw, index, domain, valid, "", f"{kept} {shape}")
        return written(other) or number

    def _checked(self, number: str, found: "re.Match[str]") -> Iterator[str]:
        """Yield *number* with each check that holds, if it looks as it should."""
        if self.check is None or "check" not in self.looks.groupindex:
            candidates: Iterator[str] = iter((number,))
        else:
            start, end = found.span("check")
            kinds = [ten if char.isdigit() else ascii_uppercase for char in number[start:end]]
            checks = ("".join(each) for each in product(*kinds))
            candidates = (number[:start] + each + number[end:] for each in checks)
        for candidate in candidates:
            if self.looks.fullmatch(candidate) and (self.check is None or self.check(candidate)):
                yield candidate


def _cased(char: str, old: str, shown: str) -> str:
    """Return *char* as a small letter where *old* is one, or where there are no others."""
    small = old.islower() or (not old.isalpha() and shown.islower())
    return char.lower() if small else char


class _AnyIdentifier:
    """Read a code of any format: letters and digits without a word that tells what it is."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        return _ANY.read(value, options) if is_code(value, options) else None


_ANY = Identifier(re.compile("[0-9A-Z]+"))
FORMS: tuple[Form, ...] = (_AnyIdentifier(), *DIGIT_FORMS)


@lru_cache(maxsize=64)
def formats(pack: Pack) -> Mapping[str, tuple[Identifier, ...]]:
    """Return the formats of each entity in ``identifiers.tsv``, in order.

    Raises:
        PackError: A row names no known check or alphabet, or is no regular expression.
    """
    found: dict[str, tuple[Identifier, ...]] = {}
    for row in rows(TABLE, pack):
        entity = row["entity"]
        found.setdefault(entity, ())
        if not row["looks"]:
            continue
        try:
            one = Identifier(
                re.compile(row["looks"]),
                check_of(row["check"]) if row["check"] else None,
                _ALPHABETS[row["alphabet"]] if row["alphabet"] else "",
                row["starts"],
            )
        except (re.error, ValueError, KeyError, TypeError) as error:
            raise PackError(f"{TABLE}.tsv", f"the row of {entity}: {error}") from None
        found[entity] += (one,)
    return found
