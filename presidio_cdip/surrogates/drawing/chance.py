"""Keyed chance: everything a surrogate is drawn from is derived from a key, a scope and the value.

The derivation, version 1 (`VERSION`; a change of it is a new version, tests hold known answers):

* ``subkey = HKDF-SHA256(key, salt=none, info=VERSION || field(scope) || field(purpose) ||
  field(locale))``, 32 bytes (RFC 5869). A field is its length in bytes as a 32-bit big-endian
  number, then its UTF-8. A purpose is an entity, or what an offset is for.
* ``seed = HMAC-SHA256(subkey, normal || 0x00 || attempt)`` with the normalised value in UTF-8 and
  the number of the candidate, from 0, as 32 bits big-endian.
* The stream is ``HMAC-SHA256(seed, 0) || HMAC-SHA256(seed, 1) || …``, the counter in 32 bits.
* A number below *n* is the next 8 bytes as a big-endian number modulo *n*; bytes that make a number
  of ``2**64 - 2**64 % n`` or more are passed over, so that it is uniform. Where *n* is more than
  ``2**64`` it is as many times 8 bytes as *n* needs.
* A permutation of the numbers below *n* is ``E⁻¹(E(x) + 1 mod n)`` with E for FF1 (NIST SP 800-38G)
  under the ``subkey`` for the purpose followed by ``" permutation"``, the tweak in UTF-8, over
  strings of ``(n - 1).bit_length()`` bits, again and again until the result is below *n*. Where
  *n* is below 100 it is ``x + 1 + d mod n``, *d* drawn below ``n - 1`` from the purpose's stream of
  the tweak. No number stays in its place. Below a million, who learns many pairs can guess others.

Nothing is stored: the same key, scope, locale and value give the same on every machine, in every
order. Who has the key can undo a permutation and test guesses of every other value.
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
    """A keyed stream that is drawn from in order: same seed, same draws.

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
        """A whole number in [0, *n*), uniform.

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
        """The next bytes of the stream, a multiple of 8."""
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
        """A whole number in [*low*, *high*], uniform."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[Item]) -> Item:
        """One of *items*, uniform."""
        return items[self.below(len(items))]


class Keyring:
    """The subkeys of one scope.

    Args:
        key: At least 16 bytes.
        scope: Within what the same value gives the same surrogate: a document's name, a corpus's.
        locale: As Faker writes it, ``"en_US"``.
    """

    __slots__ = ("_ciphers", "_key", "_subkeys", "locale", "scope")

    def __init__(self, key: bytes, scope: str, locale: str) -> None:
        self._key = key
        self._subkeys: dict[str, bytes] = {}  # with the keyring they go
        self._ciphers: dict[str, FF1] = {}
        self.scope = scope
        self.locale = locale

    def subkey(self, purpose: str) -> bytes:
        """32 bytes for *purpose*, by the derivation above."""
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
        """The stream of the value *normal*; with none, one that the whole scope shares."""
        message = normal.encode("utf-8", "surrogatepass") + b"\0" + attempt.to_bytes(4, "big")
        return Chance(hmac.digest(self.subkey(purpose), message, "sha256"))

    def permuted(self, purpose: str, number: int, domain: int, tweak: str = "") -> int:
        """Another number in [0, *domain*), by a permutation that leaves no number in its place.

        Args:
            purpose: Each has a permutation of its own.
            number: In [0, *domain*).
            domain: At least 2.
            tweak: Each has a permutation of its own.
        """
        if domain < 100:
            return (number + 1 + self.chance(purpose, tweak).below(domain - 1)) % domain
        if purpose not in self._ciphers:
            key = self.subkey(f"{purpose} permutation")
            self._ciphers[purpose] = FF1(key, allow_small_domain=True)
        cipher = self._ciphers[purpose]
        salt = tweak.encode()
        encrypted = cipher.encrypt_int(number, domain=domain, tweak=salt)
        return int(cipher.decrypt_int((encrypted + 1) % domain, domain=domain, tweak=salt))
