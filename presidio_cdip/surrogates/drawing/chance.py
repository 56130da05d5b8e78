"""Derive pseudo-random numbers and permutations from a key, a scope and a value.

This is version 1 of the derivation. Another derivation must have another `VERSION`; tests hold
known answers.

* ``subkey = HKDF-SHA256(key, salt=none, info=VERSION || field(scope) || field(purpose) ||
  field(locale))``, 32 bytes (RFC 5869). A field is its length in bytes as a 32-bit big-endian
  number, then its UTF-8. A purpose is the name of an entity or of an offset.
* ``seed = HMAC-SHA256(subkey, normal || 0x00 || attempt)`` with the normalised value in UTF-8 and
  the number of the candidate, from 0, as 32 bits big-endian.
* The stream is ``HMAC-SHA256(seed, 0) || HMAC-SHA256(seed, 1) || …``, the counter in 32 bits.
* A number below *n* is the next 8 bytes as a big-endian number modulo *n*. Numbers from
  ``2**64 - 2**64 % n`` on are rejected, which makes the result uniform (rejection sampling). If
  *n* is greater than ``2**64``, the least sufficient multiple of 8 bytes is used.
* A keyed cycle of the numbers below *n* is drawn from the stream of the purpose followed by
  ``" cycle"``, of the empty value and the number of the candidate: from the last number to the
  first, swap it with that at a place drawn below it (Sattolo, An Algorithm to Generate a Random
  Cyclic Permutation, Inf. Process. Lett. 22, 1986). It has no fixed points, and different terms of
  a list get different ones of the same candidate.
* A keyed permutation of the numbers below *n* is ``E⁻¹(E(x) + 1 mod n)``. E is format-preserving
  encryption by FF1 (NIST SP 800-38G) with cycle walking: the key is the ``subkey`` of the purpose
  followed by ``" permutation"``, the tweak is in UTF-8, the domain is strings of
  ``(n - 1).bit_length()`` bits, and E is repeated until the result is below *n*. If *n* is below
  100, the permutation is ``x + 1 + d mod n`` with *d* drawn below ``n - 1`` from the stream of the
  purpose and the tweak. It has no fixed points. In a domain below a million, an attacker who knows
  many pairs can guess others.

Nothing is stored: the same key, scope, locale and value give the same result on every machine and
in any order. Anybody who has the key can invert a permutation and test guesses of other values.
"""

import hmac
from collections.abc import Sequence
from typing import TypeVar

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from ffx import FF1

VERSION = b"presidio-cdip surrogates 1"

Item = TypeVar("Item")


class Chance:
    """Draw numbers from a keyed stream; equal seeds give equal numbers.

    Args:
        seed: 32 bytes.
    """

    __slots__ = ("_at", "_block", "_counter", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = b""
        self._at = 0
        self._counter = 0

    def below(self, n: int) -> int:
        """Draw an integer in [0, *n*), uniformly.

        Args:
            n: At least 1.
        """
        size = 8 * max(1, -(-(n - 1).bit_length() // 64))
        limit = 256**size - 256**size % n
        while True:
            number = int.from_bytes(self._next(size), "big")
            if number < limit:
                return number % n

    def _next(self, size: int) -> bytes:
        """Return the next *size* bytes of the stream; *size* is a multiple of 8."""
        found = b""
        while len(found) < size:
            if self._at == len(self._block):
                self._block = hmac.digest(self._seed, self._counter.to_bytes(4, "big"), "sha256")
                self._at = 0
                self._counter += 1
            end = min(len(self._block), self._at + size - len(found))
            found += self._block[self._at : end]
            self._at = end
        return found

    def between(self, low: int, high: int) -> int:
        """Draw an integer in [*low*, *high*], uniformly."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[Item]) -> Item:
        """Draw one of *items*, uniformly."""
        return items[self.below(len(items))]


class Keyring:
    """Derive the subkeys of one scope.

    Args:
        key: At least 16 bytes.
        scope: The name of the document or corpus in which equal values get equal surrogates.
        locale: As Faker writes it, ``"en_US"``.
    """

    __slots__ = ("_ciphers", "_cycles", "_key", "_subkeys", "locale", "scope")
    inverts = False

    def __init__(self, key: bytes, scope: str, locale: str) -> None:
        self._key = key
        self._subkeys: dict[str, bytes] = {}  # freed with the keyring
        self._ciphers: dict[str, FF1] = {}
        self._cycles: dict[tuple[str, int, int], tuple[int, ...]] = {}
        self.scope = scope
        self.locale = locale

    def subkey(self, purpose: str) -> bytes:
        """Return the subkey of *purpose*, 32 bytes, as the module's docstring defines it."""
        if purpose not in self._subkeys:
            fields = (
                field.encode("utf-8", "surrogatepass")
                for field in (self.scope, purpose, self.locale)
            )
            info = VERSION + b"".join(len(field).to_bytes(4, "big") + field for field in fields)
            derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=info)
            self._subkeys[purpose] = derivation.derive(self._key)
        return self._subkeys[purpose]

    def chance(self, purpose: str, normal: str = "", attempt: int = 0) -> Chance:
        """Return the stream of the value *normal*; if empty, a stream of the whole scope."""
        message = normal.encode("utf-8", "surrogatepass") + b"\0" + attempt.to_bytes(4, "big")
        return Chance(hmac.digest(self.subkey(purpose), message, "sha256"))

    def shared(self, purpose: str) -> Chance:
        """Return a stream of the whole scope, such as for an offset; the inverse has it, too."""
        return self.chance(purpose)

    def cycle(self, purpose: str, size: int, attempt: int = 0) -> tuple[int, ...]:
        """Return a permutation of the numbers below *size* that is one cycle.

        Args:
            purpose: The name of a list of terms; each has its own.
            size: At least 2.
            attempt: The number of the candidate.
        """
        key = purpose, size, attempt
        if key not in self._cycles:
            chance = self.chance(f"{purpose} cycle", "", attempt)
            numbers = list(range(size))
            for last in range(size - 1, 0, -1):
                other = chance.below(last)
                numbers[last], numbers[other] = numbers[other], numbers[last]
            self._cycles[key] = tuple(numbers)
        return self._cycles[key]

    def permuted(self, purpose: str, number: int, domain: int, tweak: str = "") -> int:
        """Return another number in [0, *domain*), by a keyed permutation without fixed points.

        Args:
            purpose: The name of an entity or offset; each has its own permutation.
            number: In [0, *domain*).
            domain: At least 2.
            tweak: Each tweak selects another permutation.
        """
        return self._moved(purpose, number, domain, tweak, 1)

    def _moved(self, purpose: str, number: int, domain: int, tweak: str, step: int) -> int:
        if domain < 100:
            offset = 1 + Keyring.chance(self, purpose, tweak).below(domain - 1)
            return (number + step * offset) % domain
        if purpose not in self._ciphers:
            key = self.subkey(f"{purpose} permutation")
            self._ciphers[purpose] = FF1(key, allow_small_domain=True)
        cipher = self._ciphers[purpose]
        salt = tweak.encode()
        encrypted = cipher.encrypt_int(number, domain=domain, tweak=salt)
        return int(cipher.decrypt_int((encrypted + step) % domain, domain=domain, tweak=salt))

    def note(self, purpose: str, normal: str) -> None:
        """Hear what a candidate other than the first is drawn for; see `Noting`."""

    def inverse(self) -> "Keyring":
        """Return a keyring whose permutations undo those of this one.

        It draws nothing but what the whole scope shares, such as offsets.
        """
        return _Inverse(self._key, self.scope, self.locale)


class Noting(Keyring):
    """Note what candidates are drawn for, and draw as *keyring* does.

    Attributes:
        noted: Entity or list, and normalised value, of each part that was drawn. Draws that do not
            depend on the number of the candidate are left out: they agree anyway.
    """

    __slots__ = ("noted",)

    def __init__(self, keyring: Keyring) -> None:
        super().__init__(keyring._key, keyring.scope, keyring.locale)
        self._subkeys, self._ciphers, self._cycles = (
            keyring._subkeys, keyring._ciphers, keyring._cycles
        )  # fmt: skip
        self.noted: set[tuple[str, str]] = set()

    def note(self, purpose: str, normal: str) -> None:
        """Note a part; an empty one is not written."""
        if normal:
            self.noted.add((purpose, normal))


class Drawn(Exception):
    """A surrogate that is to be inverted does not tell its original; the message says why."""

    def __init__(self, why: str = "is drawn, not permuted, as `plausible` numbers are") -> None:
        super().__init__(why)


class _Inverse(Keyring):
    """Undo the permutations of a keyring."""

    __slots__ = ()
    inverts = True

    def chance(self, purpose: str, normal: str = "", attempt: int = 0) -> Chance:
        return _NoChance(bytes(32))

    def shared(self, purpose: str) -> Chance:
        return Keyring.chance(self, purpose)

    def permuted(self, purpose: str, number: int, domain: int, tweak: str = "") -> int:
        return self._moved(purpose, number, domain, tweak, -1)


class _NoChance(Chance):
    """Raise `Drawn` when something is to be drawn."""

    __slots__ = ()

    def below(self, n: int) -> int:
        raise Drawn
