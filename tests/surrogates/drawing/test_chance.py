"""The derivation of keyed chance, held by known answers."""

import hashlib
import hmac
from collections import Counter

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from ffx import FF1
from hypothesis import given
from hypothesis import strategies as st

from presidio_cdip.surrogates.drawing.chance import VERSION, Chance, Keyring
from presidio_cdip.surrogates.drawing.forms import Draw
from presidio_cdip.surrogates.engine import Surrogates

KEY = bytes(range(32))

# Of version 1; a change of these is a new version.
SUBKEY = "70518034d76daf2de3871a747718bcdd7f5db4f5fa2969d98654a7aa3322cd83"
DRAWS = [511459, 339294, 192666, 487664]
PERMUTED = [237457149, 611958644, 266783141]


def test_subkey_is_hkdf_of_version_scope_purpose_and_locale() -> None:
    """The written derivation, done by hand, gives the subkey."""
    info = VERSION
    for field in (b"doc-17", b"AGE", b"en_US"):
        info += len(field).to_bytes(4, "big") + field
    by_hand = HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(KEY)

    assert Keyring(KEY, "doc-17", "en_US").subkey("AGE") == by_hand


def test_stream_is_hmac_of_the_value_and_a_counter() -> None:
    """The written stream, done by hand, gives the numbers that are drawn."""
    ring = Keyring(KEY, "doc-17", "en_US")
    seed = hmac.digest(ring.subkey("AGE"), b"46\0\0\0\0\2", "sha256")
    stream = b"".join(hmac.digest(seed, n.to_bytes(4, "big"), hashlib.sha256) for n in (0, 1))
    by_hand = [int.from_bytes(stream[at : at + 8], "big") % 1000 for at in range(0, 64, 8)]

    chance = ring.chance("AGE", "46", attempt=2)

    assert [chance.below(1000) for _ in range(8)] == by_hand


def test_known_answers() -> None:
    """Version 1 gives the values that were recorded when it was written."""
    ring = Keyring(KEY, "doc-17", "en_US")

    chance = ring.chance("RELIGION", "lutheran")

    assert ring.subkey("RELIGION").hex() == SUBKEY
    assert [chance.below(10**6) for _ in range(4)] == DRAWS
    assert [ring.permuted("US_SSN", n, 10**9) for n in (0, 1, 123456789)] == PERMUTED


@pytest.mark.parametrize("size", [2, 3, 8, 100])
def test_a_cycle_goes_through_all_numbers(size: int) -> None:
    """So no number is its own, and no two have one."""
    cycle = Keyring(KEY, "doc-17", "en_US").cycle("RELIGION faith", size)

    at, seen = 0, []
    for _ in range(size):
        seen.append(at := cycle[at])

    assert sorted(seen) == list(range(size))


def test_a_cycle_is_drawn_as_it_is_written() -> None:
    """The written derivation, done by hand, gives the cycle; each candidate has another."""
    ring = Keyring(KEY, "corpus", "en_US")
    chance = ring.chance("RELIGION faith cycle", "")
    by_hand = list(range(8))
    for last in range(7, 0, -1):
        other = chance.below(last)
        by_hand[last], by_hand[other] = by_hand[other], by_hand[last]

    assert ring.cycle("RELIGION faith", 8) == tuple(by_hand) == (1, 3, 6, 5, 7, 2, 4, 0)
    assert ring.cycle("RELIGION faith", 8, 1) == (1, 4, 0, 2, 7, 6, 3, 5)


@given(st.permutations("abcdefg"), st.integers(0, 5))
def test_what_is_exchanged_stays_different(items: list[str], attempt: int) -> None:
    """Different items get different ones, also where some do not fit; a lone item gets none."""
    draw = Draw(Keyring(KEY, "doc-17", "en_US"), "RELIGION", "", attempt, {})
    fit = set(items[:5])

    found = [draw.exchanged("list", items, one, fit.__contains__) for one in items if one in fit]

    assert set(found) == fit
    assert draw.exchanged("list", items[:1], items[0], bool) is None


def test_ff1_is_that_of_nist() -> None:
    """The library gives sample 1 of NIST's FF1 examples."""
    key = bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3C")

    assert FF1(key, radix=10).encrypt("0123456789") == "2433477484"


@pytest.mark.slow
@pytest.mark.parametrize("domain", [2, 3, 99, 100, 101, 9999])
def test_permutation_is_one_and_leaves_nothing_in_its_place(domain: int) -> None:
    """Every number gets another one, and no two the same."""
    ring = Keyring(KEY, "doc-17", "en_US")

    permuted = [ring.permuted("AGE", number, domain) for number in range(domain)]

    assert sorted(permuted) == list(range(domain))
    assert all(number != other for number, other in enumerate(permuted))


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**200))
def test_draws_stay_below_their_limit(seed: bytes, limit: int) -> None:
    """A draw is never its limit or more, however large that is."""
    chance = Chance(seed)

    assert all(0 <= chance.below(limit) < limit for _ in range(5))


def test_draws_are_uniform() -> None:
    """Of 60,000 draws below six, each number comes 10,000 times, within five deviations."""
    chance = Chance(KEY)

    counts = Counter(chance.below(6) for _ in range(60_000))

    assert set(counts) == set(range(6))
    assert all(abs(count - 10_000) < 5 * (60_000 * 5 / 36) ** 0.5 for count in counts.values())


@pytest.mark.parametrize(
    "other",
    [
        Keyring(bytes(32), "doc-17", "en_US"),
        Keyring(KEY, "doc-18", "en_US"),
        Keyring(KEY, "doc-17", "en_GB"),
        Keyring(KEY, "doc-17AGE", "en_US"),
    ],
)
def test_key_scope_and_locale_each_make_another_world(other: Keyring) -> None:
    """Where one of them differs, so do the draws."""
    ring = Keyring(KEY, "doc-17", "en_US")

    assert ring.chance("AGE", "46").below(2**60) != other.chance("AGE", "46").below(2**60)


def test_fields_cannot_run_into_each_other() -> None:
    """A scope that ends as a purpose begins is not another scope with another purpose."""
    assert Keyring(KEY, "ab", "en").subkey("c") != Keyring(KEY, "a", "en").subkey("bc")


@pytest.mark.parametrize(
    ("entity", "value", "surrogate"),
    [
        ("DATE_OF_BIRTH", "Nov. 9, 1965", "Sept. 3, 1959"),
        ("AGE", "46", "48"),
        ("DATE_TIME", "Nov. 9, 1965", "Sept. 3, 1961"),
        ("US_SSN", "271-24-0538", "801-30-6825"),
        ("PHONE_NUMBER", "(919) 555-0143", "(465) 842-3611"),
        ("CREDIT_CARD", "4111 1111 1111 1111", "4093 6761 4040 5975"),
    ],
)
def test_surrogates_without_lists_stay_what_they_are(
    entity: str, value: str, surrogate: str
) -> None:
    """Surrogates that use no list are those of version 1, unchanged, for every key and value."""
    options = {"ssn": "plausible", "phone": "plausible"}

    assert Surrogates(KEY, "doc-17", options=options).surrogate(entity, value) == surrogate
