"""Near-duplicates, and the misses between them."""

import numpy as np
import pytest

from presidio_cdip.evaluation.duplicates import (
    Betrayed,
    Copy,
    betrayed,
    difference_hash,
    minhash,
    pairs,
    resemblance,
)
from presidio_cdip.evaluation.fingerprints import Fingerprints

PRINTS = Fingerprints(b"a key for tests")
WORDS = [f"word{number}" for number in range(400)]


def copy(text: str, *values: tuple[str, str], look: int | None = None) -> Copy:
    words = PRINTS.words(text)
    found = frozenset((entity, PRINTS.value(value)) for entity, value in values)
    return Copy(found, np.unique(words), minhash(words), look)


def test_hash_says_which_of_two_neighbours_is_lighter() -> None:
    """Darker to the right: no bit set; lighter to the right: all 64."""
    steps = np.repeat(np.arange(9, dtype=np.uint8) * 20, 10)
    lighter = np.tile(steps, (80, 1))

    assert difference_hash(lighter) == 2**64 - 1
    assert difference_hash(lighter[:, ::-1]) == 0


def test_hash_survives_scaling_and_noise() -> None:
    """The same page at another size and with grain differs in three bits at most."""
    draw = np.random.default_rng(3)
    page = np.kron(draw.integers(0, 255, (8, 9)), np.ones((24, 24))).astype(np.uint8)
    noisy = np.clip(page[::2, ::2] + draw.normal(0, 4, (96, 108)), 0, 255).astype(np.uint8)

    one, other = difference_hash(page), difference_hash(noisy)

    assert one is not None and other is not None
    assert (one ^ other).bit_count() <= 3


def test_blank_and_tiny_pages_have_no_look() -> None:
    """Blank pages are no copies of each other."""
    assert difference_hash(np.full((90, 90), 255, np.uint8)) is None
    assert difference_hash(np.zeros((5, 90), np.uint8)) is None


@pytest.mark.parametrize("kept", [400, 360, 300, 200, 100])
def test_minhash_estimates_jaccard(kept: int) -> None:
    """Of 398 shingles, kept - 2 are shared with a text of kept words: within 3 sigma."""
    one, other = (minhash(PRINTS.words(" ".join(WORDS[:size]))) for size in (400, kept))
    truth = (kept - 2) / 398

    assert one is not None and other is not None
    assert resemblance(one, other) == pytest.approx(
        truth, abs=3 * (truth * (1 - truth) / 64) ** 0.5
    )


def test_near_copies_are_paired_and_others_are_not() -> None:
    """A text with one word changed is a copy; another text is not."""
    changed = [*WORDS[:200], "other", *WORDS[201:]]
    stranger = [f"strange{number}" for number in range(400)]
    texts = [" ".join(words) for words in (WORDS, changed, stranger)]

    assert pairs([copy(text) for text in texts]) == [(0, 1)]


def test_two_filled_in_forms_are_not_copies() -> None:
    """Pages that look alike need half of their words in common."""
    one, other = (" ".join(f"{who}{number}" for number in range(50)) for who in "ab")

    assert pairs([copy(one, look=5), copy(other, look=5)]) == []
    assert pairs([copy("few words", look=5), copy("other ones", look=5)]) == [(0, 1)]


def test_a_stack_of_equal_pages_is_not_compared_all_with_all() -> None:
    """3,000 copies give a chain, not 4.5 million pairs."""
    found = pairs([copy("the same words on every page")] * 3_000)

    assert len(found) < 3 * 3_000
    assert {number for pair in found for number in pair} == set(range(3_000))


def test_a_value_found_in_one_copy_alone_betrays_a_miss() -> None:
    """Its words stand in the other copy: a miss. They do not: the copies differ there."""
    text = " ".join(WORDS)
    full = copy(f"{text} born May 2 1947", ("DATE_OF_BIRTH", "May 2, 1947"), ("AGE", "46"))
    missing = copy(f"{text} born May 2 1947")

    found = betrayed([full, missing], [(0, 1)])

    assert found == {"DATE_OF_BIRTH": Betrayed(1, 0), "AGE": Betrayed(0, 1)}


def test_a_miss_counts_once_however_many_copies_betray_it() -> None:
    """Three copies, one of which lacks the value: one miss."""
    having = copy("he is 46 now", ("AGE", "46"))
    lacking = copy("he is 46 now")

    found = betrayed([having, having, lacking], [(0, 1), (0, 2), (1, 2)])

    assert found == {"AGE": Betrayed(1, 0)}


def test_fingerprints_differ_from_run_to_run() -> None:
    """Nobody can prepare a table of them."""
    assert Fingerprints().value("May 2, 1947") != Fingerprints().value("May 2, 1947")
    assert PRINTS.value("MAY 2 1947") == PRINTS.value("May 2,\n1947")
